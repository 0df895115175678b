// Claims and rulings: section 11 of schemas/PROTOCOL.md. Neither shows an offence, whatever is wrong with one.

import { H, PREFIX, canonical, fromHex, hexOf, need } from "./bytes.mjs";
import { SHAPES, bodyText, idOf, isWeak, minutesOf, opened } from "./wire.mjs";
import { checkLobby, owner, signedTable } from "./table.mjs";

const mixed = (good) => need(good, "mixed-claim", "the parts of this claim do not belong together, or a time in it is not valid");
const more = (good) => need(good, "undecided", "more is needed: the state after the entry, which says who held the seat");

/** A table that its host and players signed. */
async function joined(genesis) {
  const table = await signedTable(genesis);
  await checkLobby(genesis, false);
  return table;
}

async function signedBy(key, signed, kind) {
  need(!isWeak(key), "weak-key", "this key is weak: anybody could sign with it");
  await opened(signed, kind, key);
}

/** An arbiter's decision; binding if the offer names the arbiter's key. */
export async function checkRuling(report, signed) {
  const { body } = signed;
  const { key, evidence, ranks } = body;
  const table = await joined(body.genesis);
  await signedBy(key, signed, "ruling");
  const ascending = evidence.every((one, at) => at === 0 || evidence[at - 1] < one);
  need(ascending, "bad-ruling", "the ruling does not name its files in order, or names one twice");
  const whole = !ranks || (ranks.length === table.seats && ranks.every((rank) => rank <= table.seats));
  need(whole, "bad-ruling", "the ruling does not rank the seats of the game");
  report.binding = table.terms.arbiter === key;
}

/** A player's statement that a move was sent at a time. `about` says which claim this is, and what it is about. */
export async function checkClaim(report, signed) {
  const { body } = signed;
  const table = await joined(body.genesis);
  const move = body.move.body;
  need(body.move.type === PREFIX + "move", "wrong-kind", "expected: move");
  need(SHAPES.move(move), "malformed", "the move has the wrong shape");
  mixed(move.game === table.game && move.seat < table.seats);
  const entry = body.entry ? await askedBy(table, body.entry, move) : null;
  mixed(entry || (move.round === 1 && move.asked === table.game));
  const shown = entry && table.takeovers;
  mixed(shown || !("state" in body));
  const player = (shown && heldBy(table, entry, body, move.seat)) || table.players[move.seat];
  await signedBy(hexOf(player.key), body.move, "move");
  await signedBy(hexOf(player.key), signed, "claim");
  const times = [body.sent, ...(entry?.due ? [entry.due] : [])];
  const timed = times.every((time) => minutesOf(time) !== null);
  mixed(timed);
  report.about = { game: table.game, seat: move.seat, round: move.round, id: idOf("claim", bodyText(signed)) };
}

/** Game -> how many valid claims about it are among these reports; duplicates count once. */
export function claimsIn(reports) {
  const found = new Map();
  for (const { about } of reports.filter((report) => report.kind === "claim" && report.ok)) {
    found.set(about.game, (found.get(about.game) ?? new Set()).add(about.id));
  }
  return new Map([...found].map(([game, ids]) => [game, ids.size]));
}

/** The entry that a move answers. */
async function askedBy(table, signed, move) {
  await opened(signed, "entry", table.terms.key);
  const entry = signed.body;
  need(SHAPES.entry(entry), "malformed", "the entry has the wrong shape");
  const before = entry.game === table.game && entry.round > 0 && entry.round + 1 === move.round;
  mixed(before && idOf("entry", bodyText(signed)) === move.asked);
  return entry;
}

/** Who had taken over a seat, by the state after an entry; if anybody had. */
function heldBy(table, entry, { state }, seat) {
  more(state !== undefined);
  const fits = hexOf(H("state", fromHex(table.game), canonical(state))) === entry.state;
  mixed(fits);
  more(SHAPES.state(state));
  const taken = state.holders?.findLast((one) => one.seat === seat);
  return taken && owner(taken);
}
