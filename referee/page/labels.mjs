// Labels: words for moves. Those of a host are cut, made visible and kept in boxes of their own, and beside them stands what
// would be signed; those of our own program are what they say.

import { el, marked } from "./dom.mjs";
import { isPlain, shortened, visible } from "./quote.mjs";
import { foreign, spoken, t, term } from "./texts.mjs";

const LABEL_MOST = 1000;

/** Players' names for `@2` in words that others wrote. */
export function withNames(text, names) {
  return text.replace(/@(\d{1,2})/g, (whole, seat) => names[Number(seat)] ?? whole);
}

/** A label as plain text; `look` has the names of the players, and whether these are a host's words. */
export function plainLabel(text, { names, byHost }) {
  return byHost ? shortened(withNames(text.slice(0, LABEL_MOST), names)) : withNames(text, names);
}

const boxed = (look, text) => el("bdi", { class: "host", lang: foreign(look.language) }, text);

export function label(text, look) {
  return look.byHost ? boxed(look, marked(plainLabel(text, look))) : plainLabel(text, look);
}

/** A host's words in quotes. */
export function quotedLabel(text, look) {
  return boxed(look, t("quoted", { text: plainLabel(text, look) }));
}

/** The name of something that is counted or ranked: a player, or a word. */
export function named(name, { names }) {
  return name.startsWith("@") ? withNames(name, names) : term(name);
}

/** The fields of a move as lines: `[name, value in words, sealed?]`. */
export function fieldsOf(move, sealed = []) {
  const said = (name) => (isPlain(name) ? term(name) : t("quoted", { text: visible(name) }));
  return Object.keys(move).sort().map((name) => [said(name), spoken(move[name]), sealed.includes(name)]);
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

/** What a line would sign, beside the host's label for it. */
export function beside({ parts, form, move }, { byHost }) {
  if (!byHost) return null;
  return el("small", { class: "fields" }, t("fields say", { fields: inOneLine(parts?.length ? dotted(form) : move) }));
}

/** What an option would sign, where a host's label for it says something else. */
export function optionBeside(option, { byHost }) {
  const signs = Object.hasOwn(option, "value") ? spoken(option.value) : t("left out");
  return byHost && signs !== option.text ? ` ${t("option signs", { value: signs })}` : "";
}
