// The form for an answer, built from moves as data. Labels are the host's; beside each stands what would be signed.

import { details, el, fill, marked } from "./dom.mjs";
import { buildMove, fault, openOptions, typedValue } from "./forms.mjs";
import { isPlain, shortened, visible } from "./quote.mjs";
import { foreign, sentence, spoken, t, term } from "./texts.mjs";

const LISTED_MOST = 8;
const LABEL_MOST = 1000;

/** Players' names for `@2` in the host's words. */
export function withNames(text, names) {
  return text.replace(/@(\d{1,2})/g, (whole, seat) => names[Number(seat)] ?? whole);
}

/** A name that would be signed: a player, or a word. */
function named(name, host) {
  return name.startsWith("@") ? withNames(name, host.names) : term(name);
}

/** Words of the host, with names filled in: limited in length, and in a box that they cannot break out of. */
function told(text, { names, language }) {
  return el("bdi", { class: "host", lang: foreign(language) }, marked(shortened(withNames(text.slice(0, LABEL_MOST), names))));
}

/** The same in quotes. */
export function hostWords(text, { names, language }) {
  return el("bdi", { class: "host", lang: foreign(language) }, t("quoted", { text: shortened(withNames(text.slice(0, LABEL_MOST), names)) }));
}

/** The fields of a move as lines: `[name, value in words, sealed?]`. */
export function fieldsOf(move, sealed = []) {
  const named = (name) => (isPlain(name) ? term(name) : t("quoted", { text: visible(name) }));
  return Object.keys(move).sort().map((name) => [named(name), spoken(move[name]), sealed.includes(name)]);
}

function inOneLine(move) {
  const lines = fieldsOf(move).map(([name, value]) => `${name}: ${value}`);
  return lines.join("; ") || t("nothing");
}

/** A form, with dots for what is still to be chosen. */
function dotted(form) {
  if (form === null || typeof form !== "object") return form;
  if (Object.keys(form).length === 1 && Object.hasOwn(form, "$")) return "…";
  if (Array.isArray(form)) return form.map(dotted);
  return Object.fromEntries(Object.entries(form).map(([name, inner]) => [name, dotted(inner)]));
}

/**
 * A group of choices of which one can be picked; `none` is the text for picking nothing, if that is possible. `changed`
 * gets `{label, move}`: the host's words, and the move once there is one; null while nothing is picked. `host` has the
 * `names` of the players and the `language` of the labels.
 */
export function choiceGroup(title, choices, host, changed, none = "") {
  const group = unique();
  const rows = choices.map((choice) => {
    const row = choiceRow(choice, host, { type: "radio", name: group }, changed);
    row.input.addEventListener("change", () => {
      for (const other of rows) other.open(other === row);
      row.tell();
    });
    return row;
  });
  const clear = () => {
    for (const row of rows) row.open(false);
    changed(null);
  };
  const radio = el("input", { type: "radio", name: group, value: -1, checked: true, change: clear });
  return grouped(title, choices, rows, none ? el("div", { class: "choice" }, el("label", {}, radio, none)) : null);
}

/** A group of choices of which any number can be picked; `changed` gets a list of them, each with its place `at`. */
export function choicesGroup(title, choices, host, changed) {
  const picked = new Map();
  const rows = choices.map((choice, at) => {
    const tell = () => changed([...picked.keys()].sort((one, other) => one - other).map((one) => picked.get(one)));
    const row = choiceRow(choice, host, { type: "checkbox" }, (chosen) => {
      picked.set(at, { ...chosen, at });
      tell();
    });
    row.input.addEventListener("change", () => {
      row.open(row.input.checked);
      if (row.input.checked) return row.tell();
      picked.delete(at);
      return tell();
    });
    return row;
  });
  return grouped(title, choices, rows);
}

const unique = () => `choice-${Math.random().toString(36).slice(2)}`;

/** One line to pick: its input; `open` shows or hides its parts, `tell` says what is chosen with it. */
function choiceRow(choice, host, attributes, changed) {
  const inside = el("div", { hidden: true });
  const form = choice.parts?.length ? partsForm(choice, host, changed) : null;
  const fields = form ? inOneLine(dotted(choice.form)) : inOneLine(choice.move);
  const input = el("input", attributes);
  const note = choice.note ? el("small", {}, told(choice.note, host)) : null;
  const said = el("span", {}, el("span", { class: "label" }, told(choice.text, host)), note, beside(fields));
  const node = el("div", { class: "choice" }, el("label", {}, input, said), inside);
  const open = (shown) => {
    inside.hidden = !shown;
    if (form) fill(inside, shown ? form.node : "");
  };
  return { node, input, open, tell: form ? form.tell : () => changed({ label: choice.text, move: choice.move }) };
}

function grouped(title, choices, rows, empty = null) {
  rows.forEach((row, at) => row.input.setAttribute("value", at));
  const nodes = (minor) => rows.filter((_, at) => Boolean(choices[at].minor) === minor).map((row) => row.node);
  const seldom = nodes(true);
  return el("fieldset", {}, el("legend", {}, title), empty, nodes(false), seldom.length ? details(t("more moves"), seldom) : null);
}

/** The fields that would be signed, beside the host's label. */
function beside(fields) {
  return el("span", { class: "fields" }, t("fields say", { fields }));
}

// --- the parts of a family -------------------------------------------------------------------------------------------

/** The parts of a family, one below the other; later parts depend on earlier choices. */
function partsForm(choice, host, changed) {
  const values = Object.create(null);
  const free = choice.parts.some((part) => part.type === "free");
  const built = el("p", { class: "fields", "aria-live": "polite" });
  const tell = () => {
    for (const part of parts) part.refresh();
    const wrong = fault(choice, values);
    const move = wrong ? null : buildMove(choice, values);
    const said = move ? t("fields say", { fields: inOneLine(move) }) : choice.limits?.some((limit) => limit.why === wrong.why) ? told(wrong.why, host) : sentence(wrong.why);
    fill(built, said);
    changed({ label: choice.text, move, free });
  };
  const parts = choice.parts.map((part) => PARTS[part.type](choice, part, values, host, tell));
  const node = el("div", { class: "parts" }, parts.map((part) => part.node), built);
  return { node, tell };
}

const still = () => {};

const PARTS = {
  pick(choice, part, values, host, tell) {
    const inside = el("div", {});
    const group = unique();
    let shown = null;
    const choose = (text) => {
      values[part.name] = text;
      tell();
    };
    const refresh = () => {
      const open = openOptions(choice, part, values);
      const texts = open.map((option) => option.text);
      if (!texts.includes(values[part.name])) delete values[part.name];
      if (texts.length === 1) values[part.name] = texts[0];
      const key = JSON.stringify(texts);
      if (key !== shown) fill(inside, options(open, group, values[part.name], choose, host));
      shown = key;
    };
    return { node: el("fieldset", { "data-part": part.name }, el("legend", {}, told(part.ask, host)), inside), refresh };
  },

  number(choice, part, values, host, tell) {
    const input = el("input", {
      type: "number", min: part.low, max: part.high, step: 1,
      input: () => {
        if (input.value.trim() === "") delete values[part.name];
        else values[part.name] = typedValue(part, input.value);
        tell();
      },
    }); // prettier-ignore
    const range = t("number from to", { low: part.low, high: part.high });
    return { node: el("label", { "data-part": part.name }, told(part.ask, host), " ", range, " ", input), refresh: still };
  },

  amounts(choice, part, values, host, tell) {
    const typed = Object.fromEntries(Object.keys(part.most).map((name) => [name, "0"]));
    const take = () => (values[part.name] = typedValue(part, typed));
    const row = ([name, most]) => {
      const input = el("input", {
        type: "number", min: 0, max: most, step: 1, value: 0, "data-name": name,
        input: () => {
          typed[name] = input.value;
          take();
          tell();
        },
      }); // prettier-ignore
      return el("label", {}, t("how many", { name: named(name, host), most }), input);
    };
    take();
    const rows = el("div", { class: "amounts" }, Object.entries(part.most).map(row));
    return { node: el("fieldset", { "data-part": part.name }, el("legend", {}, told(part.ask, host)), rows), refresh: still };
  },

  ranking(choice, part, values, host, tell) {
    const list = el("ol", { class: "ranking" });
    const kept = el("input", { type: "hidden", input: () => show(JSON.parse(kept.value)) });
    values[part.name] = [];
    const show = (ranked) => {
      values[part.name] = ranked;
      kept.value = JSON.stringify(ranked);
      const rest = part.names.filter((name) => !ranked.includes(name));
      fill(list, ranked.map((name, at) => placed(name, at, ranked, show, host)), rest.map((name) => unplaced(name, ranked, show, host)));
      tell();
    };
    const lead = el("p", { class: "soft" }, t("rank names", { least: part.least }));
    const node = el("fieldset", { "data-part": part.name }, el("legend", {}, told(part.ask, host)), lead, list, kept);
    fill(list, part.names.map((name) => unplaced(name, [], show, host)));
    return { node, refresh: still };
  },

  free(choice, part, values, host, tell) {
    const strange = el("small", { class: "bad", role: "alert", hidden: true }, t("free hidden"));
    const input = el("input", {
      type: "text", maxlength: part.longest, spellcheck: "false", autocomplete: "off",
      input: () => {
        const text = input.value.normalize("NFC").trim();
        // Nobody types invisible characters: they were pasted, and would be signed without being read.
        strange.hidden = visible(text) === text;
        if (text && strange.hidden) values[part.name] = text;
        else delete values[part.name];
        tell();
      },
    }); // prettier-ignore
    const how = el("small", {}, t("free how", { longest: part.longest }), " ", told(part.how, host));
    return { node: el("label", { "data-part": part.name }, told(part.ask, host), " ", input, strange, how), refresh: still };
  },
};

/** The open options of a pick: buttons, or a list if there are many; each with what would be signed. */
function options(open, group, chosen, choose, host) {
  const said = (option) => {
    const signs = Object.hasOwn(option, "value") ? spoken(option.value) : t("left out");
    const label = told(option.text, host);
    return signs === option.text ? [label] : [label, " ", t("option signs", { value: signs })];
  };
  if (!open.length) return [el("span", { class: "soft" }, t("choose all"))];
  if (open.length > LISTED_MOST) {
    const rows = open.map((option) => el("option", { value: option.text, selected: option.text === chosen }, said(option)));
    const list = el("select", { change: () => choose(list.value) }, el("option", { value: "", disabled: true, selected: chosen === undefined }, "–"), rows);
    return [list];
  }
  return open.map((option) => {
    const radio = el("input", { type: "radio", name: group, value: option.text, checked: option.text === chosen, change: () => choose(option.text) });
    return el("label", { class: "option" }, radio, said(option));
  });
}

function placed(name, at, ranked, show, host) {
  const swapped = (by) => {
    const next = [...ranked];
    [next[at], next[at + by]] = [next[at + by], next[at]];
    return next;
  };
  const up = el("button", { type: "button", disabled: at === 0, click: () => show(swapped(-1)) }, t("rank up"));
  const down = el("button", { type: "button", disabled: at === ranked.length - 1, click: () => show(swapped(1)) }, t("rank down"));
  const drop = el("button", { type: "button", click: () => show(ranked.filter((one) => one !== name)) }, t("rank drop"));
  return el("li", { "data-name": name }, el("span", {}, t("place", { name: named(name, host), place: at + 1 })), up, down, drop);
}

function unplaced(name, ranked, show, host) {
  const add = el("button", { type: "button", click: () => show([...ranked, name]) }, t("rank add"));
  return el("li", { "data-name": name }, el("span", {}, t("unranked", { name: named(name, host) })), add);
}
