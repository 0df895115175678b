// What a view asks its owner: the form, exactly what will be signed, and separately the host's words for it.

import { completed } from "./aid.mjs";
import { choiceGroup, choicesGroup, fieldsOf, hostWords } from "./answer.mjs";
import { Bad, canonical, utf8 } from "./bytes.mjs";
import { details, el, fill, listed, marked } from "./dom.mjs";
import { judgedFree } from "./expressions.mjs";
import { current, remember } from "./own.mjs";
import { answerName, protestable, questionOf, signAnswer, signWord, signedFor, ticketOf, wordsAfter, wordsBefore } from "./player.mjs";
import { ranges } from "./quote.mjs";
import { wordForm } from "./statements.mjs";
import { done, sending } from "./sending.mjs";
import { foreign, sentence, spoken, t, term } from "./texts.mjs";


export function wordsOf(error) {
  if (error instanceof Bad) return sentence(error.message);
  throw error;
}

/** The answer to a view that was followed; `reply`: the mail in which it came. */
export function answerPart(followed, aid, names, reply) {
  const { report, mine, age, unknown } = followed;
  const out = el("section", { class: "answer no-print", "aria-label": t("your turn") });
  const say = (kind, text) => fill(out, el("p", { class: kind }, text));
  if (report.seat === null) return say("unsure", t("public view"));
  if (!current()) return say("unsure", t("need player"));
  if (!mine) return say("unsure", t("other key", { name: names[report.seat] }));
  const behind = unknown.length ? el("p", { class: "unsure behind" }, t("file behind", { rounds: ranges(unknown) })) : null;
  if (age === "old") return say("unsure", t("old view"));
  const question = questionOf(report);
  if (!question) return fill(out, behind, el("p", { class: "soft" }, t("rests")));
  const place = `move ${report.state.newest}`;
  const form = (again) => asking(report, question, aid, names, reply, out, again);
  const before = signedFor(ticketOf(current(), report.table), report.state.round + 1);
  if (done.has(place)) return fill(out, behind, done.get(place)(out));
  if (!before.length) return fill(out, behind, form(false));
  const again = () => {
    done.set(place, (node) => asking(report, question, aid, names, reply, node, true));
    fill(out, form(true));
  };
  return fill(out, behind, signedBefore(report, before, reply, again));
}

function signedBefore(report, files, reply, again) {
  const name = answerName(report, "move");
  const sent = (file) => details(t("send again"), sending("move", name, utf8(canonical(file)), { reply, subject: subjectOf(report) }));
  return [
    el("p", { class: "unsure" }, t("signed before")),
    files.map(sent),
    el("div", { class: "row" }, el("button", { type: "button", id: "again", click: again }, t("sign again"))),
  ];
}

function subjectOf(report) {
  return t("subject", { id: report.table.game.slice(0, 8), round: report.state.round + 1 });
}

/** The form: what is asked, what can be chosen, and the fields that will be signed. */
function asking(report, question, aid, names, reply, out, again) {
  const bare = ["ack", "link"].includes(question.what);
  const chosen = { move: null, standing: [], resign: false, protest: false, handover: "" };
  const late = protestable(ticketOf(current(), report.table), report);
  const before = wordsBefore(report);
  const host = { names, language: aid?.language };
  const complete = () => chosen.standing.every((one) => one.move);
  const fit = () => chosen.standing.every((one) => chosen.standing.every((other) => one.at >= other.at || together(aid, one, other)));
  const after = () => (complete() && fit() ? wordsAfter(before, chosen.standing.map((one) => one.move)) : null);
  const lines = el("ul", { class: "fields" });
  const labels = el("div", { class: "labels" });
  const trouble = el("p", { role: "alert" });
  const free = el("p", { class: "unsure", role: "status", hidden: true });
  const sign = el("button", { type: "button", id: "sign", class: "main" }, t("sign"));
  const tell = () => {
    const told = fieldsToSign();
    const judged = told.length ? judgedNow() : null;
    fill(lines, told.map((line) => el("li", {}, line)));
    fill(labels, told.length ? called() : "");
    fill(free, judged ? (judged.why ? t("free wrong", { why: sentence(judged.why) }) : t("free unjudged")) : "");
    free.hidden = !judged;
    sign.disabled = !told.length || Boolean(judged?.why);
    document.body.dataset.signing = sign.disabled ? "" : "yes";
  };
  sign.addEventListener("click", async () => {
    try {
      const answer = { again };
      if (chosen.resign) answer.resign = true;
      else if (chosen.move?.move) answer.move = chosen.move.move;
      if (!chosen.resign && after() !== before) answer.standing = after();
      if (late && chosen.protest) answer.protest = late.id;
      if (chosen.handover) answer.handover = chosen.handover;
      const player = current();
      const made = await signAnswer(player, report, answer);
      // Another click or file came first: this signature is discarded.
      if (!remember(player, made.player)) return;
      const parts = { reply, subject: subjectOf(report) };
      done.set(`move ${report.state.newest}`, () => sending("move", answerName(report, "move"), made.bytes, { ...parts, title: t("signed") }));
      fill(out, done.get(`move ${report.state.newest}`)());
      out.querySelector("#mail").focus();
    } catch (error) {
      fill(trouble, wordsOf(error));
    }
  });
  const parts = [el("h3", {}, t("your turn"))];
  parts.push(el("p", {}, bare ? t(question.what === "ack" ? "asked ack" : "asked bare") : t("asked for", { what: term(question.what) })));
  if (aid?.terms?.length && question.what === "ack") parts.push(listed(t("terms"), aid.terms, {}, foreign(aid.language)));
  if (!bare && !aid) parts.push(el("p", { class: "unsure" }, marked(t("no aid"))));
  if (!bare && aid) parts.push(choiceGroup(t("choose"), aid.moves.choices, host, set("move"), report.state.holding ? t("field bare") : ""));
  if (aid?.moves.standing) parts.push(standingOrders(aid.moves.standing, host, set("standing")));
  if (late) parts.push(details(t("protest"), el("p", {}, t("protest about", { round: late.round })), el("label", { class: "option" }, ticked("protest", chosen, tell), t("protest sure"))));
  if (question.what !== "ack") parts.push(details(t("resign"), el("label", { class: "option" }, ticked("resign", chosen, tell), t("resign sure"))));
  if (report.table.takeovers && question.what !== "ack") parts.push(details(t("hand over"), handing(chosen, tell)));
  function set(name) {
    return (value) => {
      const whole = name === "move" && value?.move;
      chosen[name] = whole ? { ...value, move: completed(value.move, aid, question.sealed) } : value;
      tell();
    };
  }
  tell();
  const box = el("div", { class: "signing" }, el("h3", {}, t("you sign")), lines, trouble, free, el("div", { class: "row" }, sign));
  return [parts, labels, box];

  function fieldsToSign() {
    if (chosen.handover === null) return [];
    const beside = late && chosen.protest ? [t("field protest", { round: late.round })] : [];
    if (chosen.handover) beside.push(t("field handover", { key: chosen.handover }));
    if (chosen.resign) return [t("field resign"), ...beside];
    const told = [];
    if (chosen.move?.move) {
      for (const [path, value, sealed] of fieldsOf(chosen.move.move, question.sealed)) told.push(t(sealed ? "field sealed" : "field", { path, value }));
    } else if (bare || (report.state.holding && !chosen.move)) told.push(t("field bare"));
    else return [];
    const words = after();
    fill(trouble, words === null && complete() ? t("say clash") : "");
    if (words === null) return [];
    if (words !== before) told.push(t("field words", { value: spoken(words) }));
    return [...told, ...beside];
  }

  /** The host's words: in a separate box, and not part of what is signed. */
  function called() {
    if (chosen.resign) return "";
    const picked = [...(chosen.move?.move ? [chosen.move] : []), ...(after() === before ? [] : chosen.standing)];
    return picked.length ? [el("h3", {}, t("labels beside")), picked.map(({ label }) => el("p", {}, hostWords(label, host)))] : "";
  }

  /** What this page can say about a free text; null if there is none, or if it is right. */
  function judgedNow() {
    const free = [...(chosen.move?.free && !chosen.resign ? [chosen.move] : []), ...chosen.standing.filter((one) => one.free && !chosen.resign)];
    const judged = free.map(({ move }) => judgedFree(report, move)).filter((one) => !one.judged);
    return judged.find((one) => one.why) ?? judged[0] ?? null;
  }
}

/** Whether two standing orders can go with one answer, according to the host's program. */
function together(aid, one, other) {
  return (aid.together ?? []).some(([first, second]) => first === one.at && second === other.at);
}

function standingOrders(standing, host, changed) {
  const now = standing.now.map((one) => el("li", {}, hostWords(one, host)));
  const list = now.length ? [el("p", { class: "soft" }, t("in force")), el("ul", {}, now)] : null;
  return details(t("standing orders"), list, choicesGroup(t("standing orders"), standing.choices, host, changed));
}

/** The player's statements to the host, which do not depend on a question. */
export function wordPart(report, reply) {
  const out = el("div", { class: "word" });
  const place = `word ${report.table.game}`;
  const sign = async (text) => {
    const bytes = await signWord(current(), report, text);
    const subject = t("subject word", { id: report.table.game.slice(0, 8) });
    done.set(place, () => sending("word", answerName(report, "word"), bytes, { reply, subject, title: t("signed") }));
    fill(out, done.get(place)());
    out.querySelector("#word-mail").focus();
  };
  return el("section", { class: "no-print", "aria-label": t("word heading") }, details(t("word heading"), fill(out, done.has(place) ? done.get(place)() : wordForm(sign))));
}

/** A checkbox for what is signed only on request. */
function ticked(name, chosen, tell) {
  const box = el("input", {
    type: "checkbox", id: name,
    change: () => {
      chosen[name] = box.checked;
      tell();
    },
  }); // prettier-ignore
  return box;
}

/** The key that may take over the seat; null while the text is not a key. */
function handing(chosen, tell) {
  const box = el("input", {
    type: "text", id: "handover", maxlength: 64, size: 64, spellcheck: "false", autocomplete: "off",
    input: () => {
      const key = box.value.trim().toLowerCase();
      chosen.handover = key === "" || /^[0-9a-f]{64}$/.test(key) ? key : null;
      tell();
    },
  }); // prettier-ignore
  return [el("p", { class: "soft" }, t("hand over lead")), el("label", { class: "option" }, t("hand over key"), " ", box)];
}
