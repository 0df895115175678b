// The rules of a game beside its table: clause by clause, found by number or by any word.

import { details, el, fill } from "./dom.mjs";
import { guarded, quiet } from "./room.mjs";
import { t } from "./texts.mjs";

/** A fold with the rules; they are asked for when somebody unfolds it. */
export function rulebook(one) {
  if (!one.offers.has("rules")) return null;
  const list = el("div", { class: "rules", tabindex: 0, role: "region", "aria-label": t("table rules") });
  const wanted = el("input", { id: "clause", type: "search", autocomplete: "off", "aria-label": t("table find rule"), placeholder: t("table find rule"), input: () => show() });
  const fold = details(t("table rules"), wanted, list);
  const show = () => {
    const words = wanted.value.trim().toLowerCase();
    const found = one.rules.filter(({ name, lines }) => [name, ...lines].join(" ").toLowerCase().includes(words));
    fill(list, found.length ? found.map(passage) : el("p", { class: "soft" }, t("table no rule")));
  };
  fold.id = "rulebook";
  fold.addEventListener("toggle", () => fold.open && guarded(async () => {
    quiet();
    one.rules = await one.call("rules", { game: one.game });
    show();
  })); // prettier-ignore
  return el("section", { class: "card no-print" }, fold);
}

const passage = ({ name, lines }) => el("div", {}, el("h3", {}, name), lines.map((line) => el("p", { class: line.includes("   ") ? "row-of-table" : null }, line)));
