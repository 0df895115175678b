// A player's side: joins, and answers to views; the bytes are those that `referee` signs.
//
// Nothing is stored here: changes are returned as a new player, whose file replaces the old one. Randomness is passed in.

import { PREFIX, base64Of, canonical, derive, fromHex, hexOf, need, utf8 } from "./bytes.mjs";
import { headsOf, merged, plainName } from "./playerfile.mjs";
import { LINKS, boxHash, boxed, commitment, ephemeralOf, folded, idOf, isGoodName, linkBack, signatureOf } from "./wire.mjs";
import { mayProtest } from "./round.mjs";
import { asked } from "./table.mjs";
import { namesOf, present } from "./seats.mjs";
import { verify } from "./verifier.mjs";

async function signed(player, kind, body) {
  return { body, sig: await signatureOf(player.seed, kind, canonical(body)), type: PREFIX + kind };
}

/** x[index] of the player's chain for an offer, or for a game if the player took over a seat: `label` tells which. */
function linkOf(player, place, nonce, index, label = "chain") {
  const last = derive(player.seed, label, fromHex(place), nonce);
  return hexOf(linkBack(fromHex(player.key), nonce, LINKS, index, last));
}

/** Who answers for the seat of a view. */
const holderOf = ({ table, state, seat }) => present(table, state)[seat];

// --- joining ---------------------------------------------------------------------------------------------------------

/** Why this name cannot be used; empty if it can. Hosts' programs refuse the same names. */
export function nameFault(name) {
  if (!isGoodName(name)) return "a name has 1 to 40 visible characters, with no blanks around them";
  if (/\p{Cn}/u.test(name)) return "this name has a character that is unknown here";
  if (/[@;]/.test(name)) return "a name cannot contain @ or a semicolon: in typed moves they mean something else";
  if (/^[\p{Nd} ]+$/u.test(name)) return "a name cannot be just a number: in typed moves a number can stand for a seat";
  const letters = [...name].filter((one) => /\p{L}/u.test(one));
  const scripts = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u];
  const used = new Set(letters.map((letter) => scripts.findIndex((script) => script.test(letter))));
  return used.size > 1 ? "this name mixes letters from several scripts" : "";
}

/** Refuses tables with names that can be confused: the verifier does not judge that. */
function checkNames(names) {
  const apart = new Set(names.map(folded)).size === names.length && names.every(isGoodName);
  need(
    apart,
    "bad-name",
    "two players have names that can be confused, or one has a name that tools refuse: do not play here",
  );
}

/** The join to an offer that passed `verify` (its report), as a file; `nonce` is 32 fresh random bytes. */
export async function makeJoin(player, offer, name, nonce) {
  need(offer.ok && offer.kind === "offer", "wrong-kind", "this is not a valid offer");
  const terms = offer.document.body;
  const why = nameFault(name);
  need(!why, "bad-name", why);
  need(terms.key !== player.key, "same-key", "the host cannot take a seat with the same key: make another one");
  const tip = linkOf(player, offer.id, nonce, 0);
  const body = { offer: offer.id, name, key: player.key, nonce: hexOf(nonce), tip };
  return utf8(canonical(await signed(player, "join", body)));
}

// --- following a game ------------------------------------------------------------------------------------------------

export function ticketOf(player, table) {
  return player.tickets.find((ticket) => ticket.offer === table.offer && ticket.game === table.game);
}

/** Round -> every answer sealed for it: a player who signed twice does not know which one was accepted. */
function sealedOf(player, table) {
  const found = Object.create(null);
  for (const { round, fields } of ticketOf(player, table)?.sealed ?? []) found[round] = [...(found[round] ?? []), fields];
  return found;
}

/**
 * Check a view, compare it with what this player has seen before, and remember it. Returns `{report, player, age, mine}`:
 * `age` is `new`, `same` or `old` (`same` and `old` only for a view of the player's seat that was seen before);
 * `mine`: whether it is a view of the player's seat. If the host told two stories, the report says so.
 */
export async function followView(player, bytes, options = {}) {
  const report = await verify(bytes, { ...options, own: (table) => sealedOf(player, table) });
  const own = report.ok && report.kind === "view" && report.seat !== null;
  const mine = own && hexOf(holderOf(report).key) === player.key;
  if (!mine) return { report, player, age: "new", mine };
  const { game, offer } = report.table;
  const [round, newest] = [report.steps.length, report.state.newest];
  if (player.tickets.some((ticket) => ticket.offer === offer && ticket.game !== game))
    contradict(report, "two-geneses", "the host started two games from one offer", null);
  const ticket = ticketOf(player, report.table);
  const heads = ticket ? headsOf(ticket) : [];
  const idAt = (number) => (number ? report.steps[number - 1]?.id : game);
  const strange = heads.find((head) => head.round <= round && idAt(head.round) !== head.newest);
  if (report.ok && strange) contradict(report, "two-entries", "this is not the game that you saw before", strange.round);
  if (!report.ok) return { report, player, age: "new", mine };
  if (ticket && round < ticket.round) return { report, player, age: "old", mine };
  if (ticket && round === ticket.round && !ticket.others) return { report, player, age: "same", mine };
  // Everything seen before must be part of this story.
  const { others, ...rest } = ticket ?? { offer, game };
  const age = ticket && round === ticket.round ? "same" : "new";
  return { report, player: remembering(player, { ...rest, round, newest }), age, mine };
}

function contradict(report, code, words, round) {
  Object.assign(report, { ok: false, code, words, round, blames: "host", draws: "not checked" });
}

function remembering(player, ticket) {
  const others = player.tickets.filter((one) => one.offer !== ticket.offer || one.game !== ticket.game);
  const next = { ...player, tickets: [...others, ticket] };
  return merged(next, next);
}

/** What a followed view asks this seat: `{what, sealed}`, where `what` is `ack` or `link` for a confirmation; null if
 * nothing. */
export function questionOf(report) {
  const questions = asked(report.state);
  if (!questions.has(report.seat)) return null;
  const { what, sealed = [] } = questions.get(report.seat) ?? { what: report.state.round ? "link" : "ack" };
  return { what, sealed };
}

// --- answering -------------------------------------------------------------------------------------------------------

/** The open fields of a move, and the sealed ones with their salts. */
function split(player, game, round, move, sealed) {
  const open = Object.entries(move).filter(([name]) => !sealed.includes(name));
  const secrets = sealed.map((name) => {
    // Omitted fields have their defaults: MOVES.md.
    const value = Object.hasOwn(move, name) ? move[name] : null;
    return [name, { salt: hexOf(derive(player.seed, "salt", fromHex(game), round, name, canonical(value))), value }];
  });
  return [fromNames(open), fromNames(secrets)];
}

function fromNames(pairs) {
  const out = Object.create(null);
  for (const [name, value] of pairs) out[name] = value;
  return out;
}

function checkForm(question, holding, { move, standing, resign }) {
  need(question, "not-asked", "you are not asked for anything now: wait for the next view");
  const bare = question.what === "ack" || question.what === "link";
  need(!(resign && standing), "bad-words", "a player who leaves cannot give standing orders");
  need(
    !(resign && question.what === "ack"),
    "usage",
    "the game has not started yet: do not send the ack if you do not want to play",
  );
  need(!move || (!bare && !resign), "usage", "there is nothing to choose here");
  need(move || bare || resign || holding, "no-move", "choose a move");
}

/**
 * Sign an answer to a view that was followed (its report): `answer` has `move` (all its fields, as `buildMove` returns
 * them), `standing` (standing orders) or `resign`; nothing for a confirmation; with any of these `protest`, the
 * id of a move (see `protestable`), and `handover`, the key that may take over the seat (your own key takes that back).
 * Returns the bytes of the move file, its id, and the player who remembers it. A second, different answer for one round is
 * refused unless `answer.again`.
 */
export async function signAnswer(player, report, answer) {
  const { table, state, seat } = report;
  checkOwn(player, report);
  const question = questionOf(report);
  checkForm(question, state.holding, answer);
  if (question.what === "ack") checkNames(table.players.map((one) => one.name));
  const { move, standing, resign, protest, handover } = answer;
  need(!protest || mayProtest(holderOf(report), state.missed[seat]), "no-protest", "you have not been timed out since your last answer");
  need(!handover || (table.takeovers && state.round), "usage", "no seat of this game can be handed over now");
  const round = state.round + 1;
  const [open, secrets] = move ? split(player, table.game, round, move, question.sealed) : [null, {}];
  const commits = Object.entries(secrets).map(([name, secret]) => [
    name,
    commitment(table.game, round, seat, name, secret),
  ]);
  const { nonce, since } = holderOf(report);
  const body = {
    asked: state.newest,
    game: table.game,
    link: since ? linkOf(player, table.game, nonce, round, "succession-chain") : linkOf(player, table.offer, nonce, round),
    round,
    seat,
    ...(open && { answer: open }),
    ...(commits.length && { commit: fromNames(commits) }),
    ...(standing && { standing }),
    ...(resign && { resign }),
    ...(protest && { protest }),
    ...(handover && { handover }),
  };
  let part = null;
  if (commits.length) {
    part = await boxed(ephemeralOf(player.seed, body, secrets), fromHex(table.terms.box), body, secrets);
    body.box = boxHash(part);
  }
  const id = idOf("move", canonical(body));
  const ticket = ticketOf(player, table);
  const before = signedFor(ticket, round).filter((one) => idOf("move", canonical(one.body)) !== id);
  need(!before.length || answer.again, "second-answer", "you have already signed another answer for this round");
  const file = await signed(player, "move", body);
  if (part) file.sealed = base64Of(part);
  const sealed = [...(ticket.sealed ?? []), ...(commits.length ? [{ round, seat, fields: secrets }] : [])];
  const kept = { ...ticket, sealed, signed: [...signedFor(ticket, lateRound(report)), ...before, file] };
  return { bytes: utf8(canonical(file)), id, player: remembering(player, kept) };
}

/** The round in which this seat was last timed out, if its next answer may protest against that; else 0. */
function lateRound(report) {
  const { state, seat, steps } = report;
  if (!mayProtest(holderOf(report), state.missed[seat])) return 0;
  return steps.findLast((step) => step.timeouts.includes(seat)).round;
}

/** The answer that was signed for that round, if the ticket has kept one: `{round, id}`; `id` is what a protest names. */
export function protestable(ticket, report) {
  const round = lateRound(report);
  const file = round ? signedFor(ticket, round).at(-1) : null;
  return file ? { round, id: idOf("move", canonical(file.body)) } : null;
}

/** The signed answers for a round that a ticket knows. */
export function signedFor(ticket, round) {
  return (ticket?.signed ?? []).filter((move) => move.body.round === round);
}

/** What a change of the standing orders `before` says after another change, `standing`: what it leaves as it was stays as
 * that has it. `words` are the orders after it alone, or the form of such. */
export function wordsWith(before, standing, words) {
  const spelled = (words, name) => (Object.hasOwn(words, name) ? canonical(words[name]) : "");
  const from = (name) => (spelled(words, name) === spelled(before, name) ? standing : words);
  const names = [...new Set([...Object.keys(standing), ...Object.keys(words)])].filter((name) => Object.hasOwn(from(name), name));
  return fromNames(names.map((name) => [name, from(name)[name]]));
}

/** The standing orders of this seat, from the checked position. */
export function wordsBefore(report) {
  return report.document.public?.standing?.[report.seat] ?? {};
}

/** Only the newest view of the player's seat can be answered. */
function checkOwn(player, report) {
  const { table, state } = report;
  need(report.ok && report.kind === "view", "wrong-kind", "this is not a valid view");
  need(report.seat !== null, "public-view", "this is a public view: it belongs to no seat");
  need(hexOf(holderOf(report).key) === player.key, "other-key", "this view is for another player's key");
  const ticket = ticketOf(player, table);
  need(ticket, "usage", "open the view first");
  need(state.round >= ticket.round, "old-view", "you have already seen a newer view of this game: use that");
  need(state.newest === ticket.newest, "two-entries", "this is not the game that you saw before");
}

/** A signed statement to the host, such as `away until 2027-01-05`, as the bytes of a file. */
export async function signWord(player, report, text) {
  checkOwn(player, report);
  const size = [...text].length;
  need(size >= 1 && size <= 200, "bad-words", "a statement has 1 to 200 characters");
  const body = { game: report.table.game, round: report.state.round + 1, seat: report.seat, text };
  return utf8(canonical(await signed(player, "word", body)));
}

// --- names of files --------------------------------------------------------------------------------------------------

/** `be4f2750-r013-anna.move.json`, as `referee` names it. */
export function answerName(report, kind) {
  const slugs = namesOf(report).map(plainName);
  const mine = slugs[report.seat];
  const alone = mine && slugs.filter((slug) => slug === mine).length === 1;
  const who = alone ? mine : `${mine || "player"}-${report.seat + 1}`;
  return `${report.table.game.slice(0, 8)}-r${String(report.state.round + 1).padStart(3, "0")}-${who}.${kind}.json`;
}

/** `0c9fb6a1-bert.join.json`. */
export function joinName(offer, name, key) {
  return `${offer.id.slice(0, 8)}-${plainName(name) || "player-" + key.slice(0, 6)}.join.json`;
}
