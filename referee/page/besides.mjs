// What can be signed at a table besides a move: a protest, a successor, a return, words to the office, somebody's seat.

import { details, el } from "./dom.mjs";
import { wordForm } from "./statements.mjs";
import { t } from "./texts.mjs";

/** What goes with the answer, in the words that are signed. */
export const besideLines = ({ besides }) => besides.said.map((line) => el("p", { class: "beside" }, line));

/** Whoever was timed out despite an answer is asked whether to say so; nothing is stated unasked. */
export function protestPart({ besides, beside }, put) {
  if (!besides.late) return null;
  const box = el("input", { type: "checkbox", id: "protest", checked: beside.protest, change: () => put({ protest: box.checked }) });
  const asked = el("label", { class: "option" }, box, t("protest sure"));
  const fold = details(t("protest"), el("p", {}, t("protest about", { round: besides.late })), asked);
  fold.id = "protesting";
  fold.open = beside.protest;
  return fold;
}

/** What brings somebody to a seat: back to their own, or to a vacant one. */
export function arrivals({ besides }, button, { comeBack, takeOver }) {
  const seats = besides.vacant.map((name) => button(t("table take over", { name }), () => takeOver(name), { class: "main", "data-seat": name }));
  const back = besides.returns ? [button(t("table come back"), comeBack, { id: "come-back", class: "main" })] : [];
  return back.length + seats.length ? el("div", { class: "row" }, back, seats) : null;
}

/** Naming a successor, and words to the host: both folded, because they are seldom needed. */
export function besidesParts({ besides, beside }, asked, { put, tell }) {
  return [asked && besides.hands_over ? successor(beside, put) : null, besides.tells ? details(t("word heading"), wordForm(tell)) : null];
}

function successor({ handover }, put) {
  const key = el("input", { id: "handover", type: "text", maxlength: 64, value: handover, spellcheck: "false", autocomplete: "off" });
  const take = (event) => (event.preventDefault(), put({ handover: key.value.trim().toLowerCase() }));
  const form = el("form", { class: "row", submit: take }, el("label", { for: "handover" }, t("hand over key")), key, el("button", {}, t("table take")));
  const fold = details(t("hand over"), el("p", { class: "soft" }, t("hand over lead")), form);
  fold.open = handover !== "";
  return fold;
}
