// The bar above the board: the question, the move so far in words, and what is signed.

import { arrivals, besideLines, protestPart } from "./besides.mjs";
import { foremost, openParts, targets, withValue } from "./choosing.mjs";
import { details, el, fill } from "./dom.mjs";
import { label, quotedLabel } from "./labels.mjs";
import { controls } from "./parts.mjs";
import { button, guarded, quiet, sentenceOf } from "./room.mjs";
import { sending } from "./sending.mjs";
import { t } from "./texts.mjs";
import { back, begun, choose, decides, isNow, restart } from "./turn.mjs";

export function showBar(one) {
  const { look } = one;
  if (!isNow(one)) return fill(one.bar, el("p", {}, t("table past")));
  if (one.sent) return showSent(one);
  if (one.doubt) return askTwice(one);
  if (one.leaving) return askLeaving(one);
  if (look.before?.length && !one.again) return fill(one.bar, signedBefore(one));
  const parts = [...look.advice.map((line) => el("p", { class: "advice" }, line)), warnings(look)];
  if (!look.asked) return fill(one.bar, parts, look.state.map((line) => el("p", {}, line)), arrivals(one), one.tools(one));
  parts.unshift(el("p", { class: "asked" }, el("strong", {}, look.question)));
  if (look.signs) parts.push(...look.state.map((line) => el("p", { class: "soft" }, line)));
  const single = begun(one) ? foremost(one.candidates) : null;
  const inside = el("div", {});
  if (one.answer) {
    const words = one.answer.words.join("; ");
    parts.push(words ? el("p", { id: "move", class: "good" }, words) : null, one.answer.effects.map((line) => el("p", { class: "soft" }, line)));
  } else if (single) parts.push(el("p", { id: "so-far" }, label(single.choice.text, look)));
  else if (begun(one)) parts.push(el("p", { id: "so-far" }, t("table several", { n: one.candidates.length })));
  else if (targets(one.candidates).size) parts.push(el("p", { class: "soft" }, t("table how")));
  if (!one.answer && !one.signing && one.orders?.changes.length) parts.push(el("p", { id: "ordered", class: "good" }, one.orders.changes.join("; ")));
  parts.push(protestPart(one), ...besideLines(one));
  if (single) controls(inside, single, openParts(single), look, (name, value) => guarded(() => changePart(one, withValue(single, name, value))));
  const fields = fieldsOf(one);
  const ready = fields ? fields.length > 0 : one.answer || !decides(one);
  const sign = one.signing ? t("sign") : look.signs ? (decides(one) ? t("table sign") : t("table agree")) : t("table do");
  const again = () => (restart(one), one.refresh());
  fill(one.bar, parts, inside, fields ? [called(one, single), signBox(fields)] : null, el("div", { class: "row act" },
    button(sign, () => signIt(one, one.again), { id: "sign", class: "main", disabled: !ready }),
    one.past.length ? button(t("table undo click"), () => (quiet(), back(one), one.refresh()), { id: "back" }) : null,
    one.past.length ? button(t("table clear"), again, { id: "clear" }) : null,
    arrivals(one),
  ), one.tools(one)); // prettier-ignore
  if (fields?.length) one.bar.scrollTop = one.bar.scrollHeight; // what is signed stands beside the button that signs it
  return one.bar;
}

const warnings = ({ warnings = [] }) => warnings.map((line) => el("p", { class: "unsure behind" }, line));

// --- where the page itself signs ---

/** The fields that would be signed; null if the program says it in words. */
function fieldsOf(one, resign = false) {
  return one.signing?.(one.game, { move: one.answer?.move, standing: one.standing, resign, ...one.beside }) ?? null;
}

function signBox(fields) {
  return el("div", { class: "signing", hidden: !fields.length }, el("h3", {}, t("you sign")), el("ul", { class: "fields" }, fields.map((line) => el("li", {}, line))));
}

/** The host's words for it: in a separate box, and not part of what is signed. */
function called(one, single) {
  const words = [...(one.answer && single ? [single.choice.text] : []), ...(one.orders?.changes ?? [])];
  if (!one.look.byHost || !words.length) return null;
  return el("div", { class: "labels" }, el("h3", {}, t("labels beside")), words.map((text) => el("p", {}, quotedLabel(text, one.look))));
}

/** What was signed for this question earlier, to be sent again. */
function signedBefore(one) {
  const again = () => {
    one.again = true;
    one.refresh();
  };
  return [
    warnings(one.look),
    el("p", { class: "unsure" }, t("signed before")),
    one.look.before.map((sent) => details(t("send again"), sending(sent))),
    el("div", { class: "row" }, button(t("sign again"), again, { id: "again" })),
  ];
}

async function changePart(one, candidate) {
  quiet();
  await choose(one, [candidate]).finally(one.refresh);
}

function askLeaving(one) {
  const stay = () => {
    one.leaving = false;
    one.refresh();
  };
  const fields = fieldsOf(one, true);
  fill(one.bar, el("p", { class: "unsure", role: "alert" }, t("resign sure")), besideLines(one), fields ? signBox(fields) : null, el("div", { class: "row" },
    button(t("table leave"), () => signIt(one, one.again), { id: "leave" }),
    button(t("table stay"), stay, { class: "main" }))); // prettier-ignore
}

async function signIt(one, again = false) {
  const { game, answer, standing, call, beside } = one;
  try {
    const sent = one.leaving ? await call("resign", { game, again, ...beside }) : await call("sign", { game, move: answer?.move, standing, again, ...beside });
    if (!one.look.signs) return one.arrive(one);
    one.sent = sent;
    one.refresh();
    one.bar.focus();
  } catch (error) {
    if (error.code !== "second-answer") throw error;
    one.doubt = sentenceOf(error.message);
    one.refresh();
  }
}

/** Another answer for this question was signed before. */
function askTwice(one) {
  const decided = (act) => () => {
    one.doubt = "";
    return act();
  };
  return fill(one.bar, el("p", { class: "unsure", role: "alert" }, one.doubt), el("div", { class: "row" },
    button(t("table again"), decided(() => signIt(one, true)), { id: "again" }),
    button(t("table not again"), decided(() => (restart(one), one.refresh())), { class: "main" }))); // prettier-ignore
}

function showSent(one) {
  const goOn = () => {
    one.sent = null;
    one.refresh();
  };
  return fill(one.bar, sentParts(one, one.game, one.sent, one.home), one.sent.rests ? button(t("table stay"), goOn, { id: "go-on" }) : null);
}

/** What became of an answer: a document to be sent; or a file that is there, perhaps with a reply for the mail program. */
export function sentParts({ call }, game, sent, home) {
  if (sent.bytes) return [sending(sent)];
  const send = sent.reply ? button(t("table send"), () => call("send", { game }), { id: "send", class: "main" }) : null;
  return [el("p", { class: "good", role: "status", id: "sent" }, t("table signed", { file: sent.file })), el("p", {}, sent.next), el("div", { class: "row" }, send, button(t("table back"), home))];
}
