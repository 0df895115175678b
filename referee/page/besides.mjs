// What can be signed at a table besides a move: a protest, a successor, a return, words to the office, somebody's seat.

import { details, el } from "./dom.mjs";
import { button, guarded, quiet } from "./room.mjs";
import { wordForm } from "./statements.mjs";
import { t } from "./texts.mjs";

/** What goes with the answer, in the words that are signed. */
export const besideLines = ({ besides }) => besides.said.map((line) => el("p", { class: "beside" }, line));

/** Whoever was timed out despite an answer is asked whether to say so; nothing is stated unasked. */
export function protestPart(one) {
  if (!one.besides.late) return null;
  const box = el("input", { type: "checkbox", id: "protest", checked: one.beside.protest, change: () => put(one, { protest: box.checked }) });
  const asked = el("label", { class: "option" }, box, t("protest sure"));
  const fold = details(t("protest"), el("p", {}, t("protest about", { round: one.besides.late })), asked);
  fold.id = "protesting";
  fold.open = one.beside.protest;
  return fold;
}

/** What brings somebody to a seat: back to their own, or to a vacant one. */
export function arrivals(one) {
  const seats = one.besides.vacant.map((name) => button(t("table take over", { name }), () => one.takeOver(one.game, name), { class: "main", "data-seat": name }));
  const back = one.besides.returns ? [button(t("table come back"), () => signed(one, "come_back"), { id: "come-back", class: "main" })] : [];
  return back.length + seats.length ? el("div", { class: "row" }, back, seats) : null;
}

/** Naming a successor, and words to the host: both folded, because they are seldom needed. */
export function besidesParts(one, asked) {
  const tell = (words) => guarded(() => signed(one, "tell", { words }));
  return [asked && one.besides.hands_over ? successor(one) : null, one.besides.tells ? details(t("word heading"), wordForm(tell)) : null];
}

function successor(one) {
  const { handover } = one.beside;
  const key = el("input", { id: "handover", type: "text", maxlength: 64, value: handover, spellcheck: "false", autocomplete: "off" });
  const take = (event) => (event.preventDefault(), put(one, { handover: key.value.trim().toLowerCase() }));
  const form = el("form", { class: "row", submit: take }, el("label", { for: "handover" }, t("hand over key")), key, el("button", {}, t("table take")));
  const fold = details(t("hand over"), el("p", { class: "soft" }, t("hand over lead")), form);
  fold.open = handover !== "";
  return fold;
}

/** Let this go with the answer, if the engine takes it. */
function put(one, more) {
  return guarded(async () => {
    quiet();
    const beside = { ...one.beside, ...more };
    Object.assign(one, { besides: await one.call("besides", { game: one.game, ...beside }), beside });
    one.refresh();
  });
}

/** Sign something that goes without an answer. */
async function signed(one, name, more = {}) {
  one.sent = { ...(await one.call(name, { game: one.game, ...more })), rests: name === "tell" };
  quiet();
  one.refresh();
  one.bar.focus();
}
