// The engine in a page: what was opened there, checked by the verifier, and what its owner signs. What is looked at and
// chosen comes from the rules that the page has: `light` has none of its own.

import { Bad, canonical, utf8 } from "./bytes.mjs";
import { Refused } from "./engine.mjs";
import { fieldsOf } from "./labels.mjs";
import { current, remember } from "./own.mjs";
import { answerName, joinName, makeJoin, protestable, questionOf, signAnswer, signWord, signedFor, ticketOf, wordsBefore } from "./player.mjs";
import { ranges } from "./quote.mjs";
import { namesOf } from "./seats.mjs";
import { sentence, spoken, t, term, titleOf } from "./texts.mjs";

/** What the desk knows of a view that was opened: with the aid beside it, whom to reply to, and the standing orders that were
 * looked at, each with the lines of the list that lead there. */
export function seatAt(followed, aid, reply, before = null) {
  return { followed, aid, reply, ordered: before?.ordered ?? [{ standing: null, lines: [] }] };
}

/** An engine over `seats`, handle -> what `seatAt` made. `rules` answers `look`, `moves`, `check` and
 * `orders` for such a seat, and whatever else it `offers`. */
export function deskOf(rules, seats) {
  const seatOf = ({ game }) => {
    if (!seats.has(game)) throw new Refused({ code: "no-game", message: t("desk gone") });
    return seats.get(game);
  };
  const look = async (ask) => {
    const shown = await rules.look(seatOf(ask), ask);
    return { ...shown, ...atTurn(seatOf(ask), shown) };
  };
  const signed = async (ask, answer) => signedAnswer(seatOf(ask), answer, Boolean(ask.again));
  /** What was chosen, once the rules have found it good. */
  const sound = async (ask) => {
    if (ask.move) return { ...chosen(ask), ...whole(await rules.check(seatOf(ask), { move: ask.move, standing: ask.standing })) };
    if (ask.standing) await rules.orders(seatOf(ask), { standing: ask.standing });
    return chosen(ask);
  };
  const calls = {
    games: () => ({ games: [...seats].map(([game, seat]) => rowOf(game, seat)) }),
    open: async (ask) => ({ game: ask.game, verdict: seatOf(ask).followed.report, look: await look(ask) }),
    look,
    sign: async (ask) => signed(ask, await sound(ask)),
    resign: (ask) => signed(ask, { ...chosen(ask), resign: true }),
    join: (ask) => joined(ask),
    besides: (ask) => besides(seatOf(ask), ask),
    tell: (ask) => signedWord(seatOf(ask), ask.words),
  };
  const call = async (name, ask = {}) => {
    try {
      return await (calls[name] ?? ((given) => rules[name](seatOf(given), given)))(ask);
    } catch (error) {
      if (!(error instanceof Bad)) throw error;
      throw new Refused({ code: error.code, message: sentence(error.message) });
    }
  };
  return { call, offers: new Set([...Object.keys(calls), ...rules.offers]), signing: (game, answer) => fieldsToSign(seatOf({ game }), answer) };
}

/** A row of the list, the same as the program's. */
function rowOf(game, seat) {
  const { report } = seat.followed;
  const waits = !refusal(seat);
  return { game, title: titleOf(report.table.terms.game), about: t("game", { id: report.table.game.slice(0, 8) }), said: refusal(seat), state: waits ? "waits" : "", waits };
}

// --- what is asked ---------------------------------------------------------------------------------------------------

/** Why a view cannot be answered here; empty if it can. */
function refusal({ followed: { report, mine, age } }) {
  if (report.seat === null) return t("public view");
  if (!current()) return t("need player");
  if (!mine) return t("other key", { name: namesOf(report)[report.seat] });
  if (age === "old") return t("old view");
  return questionOf(report) ? "" : t("rests");
}

const isBare = (question) => ["ack", "link"].includes(question?.what);

/** What this seat is asked now, and what its owner has signed already; `shown` is what the rules say of it, if they do. */
function atTurn(seat, shown) {
  const { followed: { report, mine, unknown, age }, reply } = seat;
  const why = refusal(seat);
  const behind = mine && unknown.length ? [t("file behind", { rounds: ranges(unknown) })] : [];
  const nothing = { asked: "", question: "", state: [why, ...(shown.byHost || age === "old" ? [] : shown.state)], warnings: behind, before: [], signs: true, undo: false, advice: [], proposed: null };
  if (why) return nothing;
  const { what } = questionOf(report);
  const bare = isBare({ what });
  const ticket = ticketOf(current(), report.table);
  const name = answerName(report, "move");
  return {
    ...nothing,
    asked: what,
    question: shown.question ?? (bare ? t(what === "ack" ? "asked ack" : "asked bare") : t("asked for", { what: term(what) })),
    state: bare ? [] : shown.state,
    before: signedFor(ticket, report.state.round + 1).map((file) => ({ kind: "move", name, bytes: utf8(canonical(file)), reply, subject: subjectOf(report) })),
  };
}

/** What can be signed besides a move; what goes with the answer is said among its fields. */
function besides(seat, { handover }) {
  if (handover && !/^[0-9a-f]{64}$/.test(handover)) throw new Refused({ code: "usage", message: t("hand over key") });
  const { report, mine, age } = seat.followed;
  const what = refusal(seat) ? "" : questionOf(report).what;
  return {
    late: what ? (protestable(ticketOf(current(), report.table), report)?.round ?? 0) : 0,
    hands_over: Boolean(report.table.takeovers) && what !== "" && what !== "ack",
    returns: false,
    tells: mine && age !== "old" && !report.state.end,
    vacant: [],
    said: [],
  };
}

function subjectOf(report) {
  return t("subject", { id: report.table.game.slice(0, 8), round: report.state.round + 1 });
}

// --- what is signed --------------------------------------------------------------------------------------------------

/** What somebody has chosen, as `signAnswer` takes it. */
const chosen = ({ move, standing, protest, handover }) => ({ move, standing, protest, handover });
const whole = ({ move, standing }) => ({ move, standing });

/** The fields that would be signed, as lines; none as long as nothing can be. */
export function fieldsToSign({ followed: { report } }, { move, standing, resign, protest, handover }) {
  const question = questionOf(report);
  if (!question) return [];
  const beside = protest ? [t("field protest", { round: protestable(ticketOf(current(), report.table), report).round })] : [];
  if (handover) beside.push(t("field handover", { key: handover }));
  if (resign) return [t("field resign"), ...beside];
  if (!move && !isBare(question) && !report.state.holding) return [];
  const told = move ? fieldsOf(move, question.sealed).map(([path, value, sealed]) => t(sealed ? "field sealed" : "field", { path, value })) : [t("field bare")];
  if (changes(report, standing)) told.push(t("field words", { value: spoken(standing) }));
  return [...told, ...beside];
}

const changes = (report, standing) => Boolean(standing) && canonical(standing) !== canonical(wordsBefore(report));

async function signedAnswer({ followed: { report }, reply }, { move, standing, resign, protest, handover }, again) {
  if (report.unsigned) throw new Refused({ code: "other-rules", message: sentence(report.unsigned) });
  const player = current();
  const answer = { again };
  if (resign) answer.resign = true;
  else if (move) answer.move = move;
  if (!resign && changes(report, standing)) answer.standing = standing;
  if (protest) answer.protest = protestable(ticketOf(player, report.table), report).id;
  if (handover) answer.handover = handover;
  const made = await signAnswer(player, report, answer);
  // Another file came first: this signature is discarded.
  if (!remember(player, made.player)) throw new Refused({ code: "other-player", message: t("desk changed") });
  return { kind: "move", name: answerName(report, "move"), bytes: made.bytes, reply, subject: subjectOf(report), title: "signed" };
}

async function signedWord({ followed: { report }, reply }, text) {
  const bytes = await signWord(current(), report, text);
  const subject = t("subject word", { id: report.table.game.slice(0, 8) });
  return { kind: "word", name: answerName(report, "word"), bytes, reply, subject, title: "signed" };
}

/** A join to an offer that was checked: `{report, reply}` is the offer. */
async function joined({ offer: { report, reply }, name }) {
  const player = current();
  const bytes = await makeJoin(player, report, name, crypto.getRandomValues(new Uint8Array(32)));
  const subject = t("subject join", { id: report.id.slice(0, 8) });
  return { kind: "join", name: joinName(report, name, player.key), bytes, reply, subject, title: "joined" };
}
