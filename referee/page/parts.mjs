// Controls for one part of a move: buttons, a number, amounts, an order, a text.

import { el, fill } from "./dom.mjs";
import { openOptions } from "./forms.mjs";
import { label, named, optionBeside, plainLabel } from "./labels.mjs";
import { visible } from "./quote.mjs";
import { t } from "./texts.mjs";

/** A control for a part of a candidate; `set` gets its value. `look` says whose words its labels are. */
export function control(candidate, part, look, set) {
  const said = (name) => named(name, look);
  const value = candidate.values[part.name];
  const inside = CONTROLS[part.type]({ candidate, part, value, said, look, set });
  return el("fieldset", { class: "part", "data-part": part.name }, el("legend", {}, label(part.ask, look)), inside);
}

const button = (label, click, more = {}) => el("button", { type: "button", click, ...more }, label);

const CONTROLS = {
  pick({ candidate, part, value, look, set }) {
    const open = openOptions(candidate.choice, part, candidate.values);
    return el("div", { class: "row" }, open.map((option) =>
      button([label(option.text, look), optionBeside(option, look)], () => set(option.text), { "data-name": option.text, "aria-pressed": String(option.text === value) }),
    )); // prettier-ignore
  },

  number({ part, value, set }) {
    const input = el("input", { type: "number", min: part.low, max: part.high, step: 1, value: value ?? part.low, "aria-label": t("number from to", part) });
    const take = () => set(Number.isInteger(input.valueAsNumber) ? input.valueAsNumber : part.low);
    return el("form", { class: "row", submit: (event) => (event.preventDefault(), take()) }, input, el("span", { class: "soft" }, t("number from to", part)), el("button", {}, t("table take")));
  },

  amounts({ part, value = {}, said, set }) {
    const change = (name, by) => set({ ...value, [name]: Math.min(part.most[name], Math.max(0, (value[name] ?? 0) + by)) });
    const row = (name) => {
      const count = value[name] ?? 0;
      return el("div", { class: "amount" }, el("span", {}, said(name)),
        button("−", () => change(name, -1), { "aria-label": t("table less", { name: said(name) }), disabled: count === 0 }),
        el("output", {}, String(count)),
        button("+", () => change(name, 1), { "data-name": name, "aria-label": t("table more of", { name: said(name) }), disabled: count >= part.most[name] }),
      ); // prettier-ignore
    };
    return el("div", { class: "amounts" }, Object.keys(part.most).map(row));
  },

  ranking({ part, value = [], said, set }) {
    const placed = value.map((name, at) => button(`${at + 1}. ${said(name)}`, () => set(value.filter((one) => one !== name)), { "aria-pressed": "true" }));
    const rest = part.names.filter((name) => !value.includes(name)).map((name) => button(said(name), () => set([...value, name]), { "data-name": name, "aria-pressed": "false" }));
    return el("div", { class: "row" }, placed, rest, el("span", { class: "soft" }, t("rank names", { least: part.least })));
  },

  free({ part, value = "", look, set }) {
    // Nobody types invisible characters: they were pasted, and would be signed without being read.
    const strange = el("small", { class: "bad", role: "alert", hidden: true }, t("free hidden"));
    const input = el("input", { type: "text", maxlength: part.longest, value, spellcheck: "false", autocomplete: "off", "aria-label": plainLabel(part.ask, look) });
    const take = () => {
      const text = input.value.normalize("NFC").trim();
      strange.hidden = visible(text) === text;
      return text && strange.hidden && set(text);
    };
    return [
      el("form", { class: "row", submit: (event) => (event.preventDefault(), take()) }, input, el("button", {}, t("table take"))),
      strange,
      el("p", { class: "soft" }, label(part.how, look)),
    ];
  },
};

/** Fill a node with the controls of these parts of a candidate. */
export function controls(node, candidate, parts, look, set) {
  fill(node, parts.map((part) => control(candidate, part, look, (value) => set(part.name, value))));
}
