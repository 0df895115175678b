// Signed statements of a player to the office, as `referee play --tell` signs them.

import { el, fill } from "./dom.mjs";
import { LANGUAGES, currentLanguage, t } from "./texts.mjs";

/** The longest absence that an office accepts, in days. */
const AWAY_MOST = 120;

const day = (ahead) => new Date(Date.now() + ahead * 86400000).toISOString().slice(0, 10);
const zones = () => [...new Set([zoneHere(), "UTC", ...(Intl.supportedValuesOf?.("timeZone") ?? [])])];
const zoneHere = () => Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";

function choice(rows, chosen) {
  return el("select", {}, rows.map(([value, text]) => el("option", { value, selected: value === chosen }, text)));
}

/** Kind of statement -> its input field, and its text. */
const KINDS = {
  away: [() => el("input", { type: "date", min: day(0), max: day(AWAY_MOST) }), (value) => `away until ${value}`],
  back: [() => null, () => "back"],
  zone: [() => choice(zones().map((one) => [one, one]), zoneHere()), (value) => `zone ${value}`],
  language: [() => choice(Object.entries(LANGUAGES), currentLanguage()), (value) => `language ${value}`],
  address: [() => el("input", { type: "email", autocomplete: "email" }), (value) => `address ${value.trim()}`],
};

/** The form for a statement; `sign` gets its text. */
export function wordForm(sign) {
  const inside = el("div", { class: "row" });
  const told = el("p", { class: "fields", "aria-live": "polite" });
  const button = el("button", { type: "button", id: "sign-word", disabled: true, click: () => sign(words) }, t("word sign"));
  const kinds = el("select", { id: "word-kind", change: () => show() }, Object.keys(KINDS).map((kind) => el("option", { value: kind }, t(`word ${kind}`))));
  let words = "";
  const tell = (field, spell) => {
    const given = field ? field.value !== "" && field.checkValidity() : true;
    words = given ? spell(field?.value ?? "") : "";
    button.disabled = !words;
    fill(told, words ? t("word signs", { text: words }) : "");
  };
  const show = () => {
    const [make, spell] = KINDS[kinds.value];
    const field = make();
    field?.setAttribute("id", "word-rest");
    field?.setAttribute("aria-label", t(`word ${kinds.value}`));
    for (const event of ["input", "change"]) field?.addEventListener(event, () => tell(field, spell));
    fill(inside, field);
    tell(field, spell);
  };
  show();
  const row = el("div", { class: "row" }, el("label", { for: "word-kind" }, t("word what")), kinds);
  return el("div", {}, el("p", { class: "soft" }, t("word lead")), row, inside, told, el("div", { class: "row" }, button));
}
