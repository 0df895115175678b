// Rules for a page that has none: moves, labels, board and story are those of the aid that the host's program makes, which
// nobody signed. It names no rounds but the newest, reads no typed words and knows no practice; what it can check is the form
// of a move, and the free texts that `expressions` judges.

import { completed } from "./aid.mjs";
import { canonical } from "./bytes.mjs";
import { Refused } from "./engine.mjs";
import { judgedFree } from "./expressions.mjs";
import { questionOf, wordsBefore, wordsWith } from "./player.mjs";
import { namesOf } from "./seats.mjs";
import { currentLanguage, sentence, t, titleOf } from "./texts.mjs";

function look({ followed: { report }, aid }) {
  return {
    title: aid?.title ?? titleOf(report.table.terms.game),
    names: namesOf(report),
    seat: report.seat,
    round: report.steps.length,
    rounds: report.steps.length,
    picture: aid?.picture ?? "",
    language: aid?.language ?? currentLanguage(),
    told: aid?.told ?? [],
    terms: aid?.terms ?? [],
    state: aid ? [] : [t("no aid")],
    byHost: true,
  };
}

/** The moves of the aid. */
function moves({ followed: { report }, aid }) {
  return aid?.moves ?? { round: report.state.round + 1, asked: questionOf(report).what, choices: [], standing: null };
}

/** A move that fits a line of the list, with every field that is to be sealed; a free text in it is judged, if that is
 * possible here. */
function check(seat, ask) {
  const { aid, followed: { report } } = seat;
  const { sealed } = questionOf(report);
  const whole = (form) => completed(form, aid ?? {}, sealed);
  const move = whole(ask.move);
  const lines = moves(seat).choices.filter((choice) => fits(whole(formOf(choice)), move));
  if (!lines.length) throw new Refused({ code: "no-move", message: t("desk unlisted") });
  const judged = lines.every(isFree) ? judgedFree(report, move) : { judged: true };
  if (judged.why) throw new Refused({ code: "no-move", message: t("free wrong", { why: sentence(judged.why) }) });
  const open = !judged.judged || reached(seat, ask.standing).lines.some((at) => isFree(aid.moves.standing.choices[at]));
  return { move, standing: ask.standing ?? null, words: [], effects: open ? [t("free unjudged")] : [] };
}

const isFree = (choice) => (choice.parts ?? []).some((part) => part.type === "free");
const formOf = (choice) => (choice.parts?.length ? choice.form : choice.move);
const isObject = (value) => value !== null && typeof value === "object";

const isHole = (form) => isObject(form) && Object.keys(form).length === 1 && Object.hasOwn(form, "$");
const hasHoles = (form) => isObject(form) && (isHole(form) || Object.values(form).some(hasHoles));

/** Whether a value can come out of a form: a hole takes anything, and may leave its member out. */
function fits(form, value) {
  if (isHole(form)) return true;
  if (value === undefined) return false;
  if (!hasHoles(form)) return canonical(form) === canonical(value);
  if (Array.isArray(form)) return Array.isArray(value);
  const known = isObject(value) && Object.keys(value).every((name) => Object.hasOwn(form, name));
  return known && Object.keys(form).every((name) => fits(form[name], Object.hasOwn(value, name) ? value[name] : undefined));
}

// --- standing orders -------------------------------------------------------------------------------------------------

/** The standing orders after these, and what can be said besides, as far as the host's program says what goes together. */
function orders(seat, { standing = null }) {
  const said = seat.aid?.moves.standing;
  if (!said) return null;
  const { lines } = reached(seat, standing);
  const choices = rest(seat, lines).map((at) => after(seat, standing, at));
  return { now: said.now, changes: lines.map((at) => said.choices[at].text), choices };
}

/** The lines that can go with these, by their places in the list. */
function rest({ aid }, lines) {
  const pairs = new Set((aid.together ?? []).flatMap(([one, other]) => [`${one} ${other}`, `${other} ${one}`]));
  return [...aid.moves.standing.choices.keys()].filter((at) => !lines.includes(at) && lines.every((one) => pairs.has(`${one} ${at}`)));
}

/** The lines that these standing orders come from: none, or one more than orders that were asked for before. */
function reached(seat, standing) {
  const same = (one) => (one === null || !standing ? one === (standing ?? null) : canonical(one) === canonical(standing));
  const known = seat.ordered.find((one) => same(one.standing));
  if (known) return known;
  for (const before of seat.ordered) {
    const line = rest(seat, before.lines).find((at) => fits(formOf(after(seat, before.standing, at)), standing));
    if (line === undefined) continue;
    seat.ordered.push({ standing, lines: [...before.lines, line] });
    return seat.ordered.at(-1);
  }
  throw new Refused({ code: "bad-words", message: t("desk unlisted") });
}

/** A line after other standing orders. */
function after({ aid, followed: { report } }, standing, at) {
  const line = aid.moves.standing.choices[at];
  if (!standing) return line;
  const joined = (words) => wordsWith(wordsBefore(report), standing, words);
  return { ...line, move: joined(line.move), ...(line.form && { form: joined(line.form) }) };
}

/** The rules of a page without rules, for `deskOf`. */
export const light = { offers: ["moves", "check", "orders"], look, moves, check, orders };
