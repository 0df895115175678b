// The player's file: a key, and what its player must remember of each game. Two files of one key can be merged: `merged`
// does not depend on their order, and loses nothing that either of them knew.

import { MAX_FILE, PREFIX, canonical, fromHex, hexOf, need, parse, utf8 } from "./bytes.mjs";
import { commitment, idOf, isPlayerFile, keyPair } from "./wire.mjs";

/** A new player; `seed` is 32 fresh random bytes. `number` is the number of the file saved last. */
export async function newPlayer(seed, name) {
  const [, key] = await keyPair("Ed25519", seed, ["sign"]);
  return { name, key: hexOf(key), seed, number: 0, tickets: [] };
}

/** The bytes of a key file as `referee` writes it. */
export function keyFile(player) {
  return utf8(canonical(keyOf(player)));
}

/** The bytes of the player's file: the key, the number of the file, and a ticket for each game. */
export function playerFile(player) {
  const { number, tickets } = player;
  const kept = { ...(number && { number }), ...(tickets.length && { tickets }) };
  return utf8(canonical({ format: PREFIX + "player", key: keyOf(player), ...kept }));
}

function keyOf({ name, key, seed }) {
  return { format: PREFIX + "key", name, public: key, secret: hexOf(seed) };
}

/** The player in a player's file or a key file. */
export async function readPlayer(bytes) {
  const given = parse(bytes, MAX_FILE);
  const file = given?.format === PREFIX + "key" ? { format: PREFIX + "player", key: given } : given;
  need(
    !file?.key?.box,
    "locked-key",
    "this key is locked with a passphrase, which a page cannot open: use `referee` with it",
  );
  need(isPlayerFile(file), "malformed", "this is neither a player's file nor a key file");
  const { key, number = 0, tickets = [] } = file;
  const player = { ...(await newPlayer(fromHex(key.secret), key.name)), number, tickets };
  need(player.key === key.public, "bad-key", "the two halves of this key do not belong together");
  return merged(player, player);
}

/** The fingerprint of a key, as the command line shows it. */
export function fingerprint(key) {
  return key.slice(0, 16);
}

// --- two files of one key --------------------------------------------------------------------------------------------

const byText = (one, other) => (one < other ? -1 : one > other ? 1 : 0);
const bodyOf = (move) => canonical(move.body);
const placeOf = (ticket) => ticket.offer + ticket.game;

/** The items of a list, each once; of several with the same `name`, the first in order. */
function distinct(list, name = canonical) {
  const rows = list.map((one) => [name(one), canonical(one), one]).sort((one, other) => byText(one[0], other[0]) || byText(one[1], other[1]));
  return rows.filter((row, at) => !at || row[0] !== rows[at - 1][0]).map(([, , one]) => one);
}

/**
 * One player with everything that two files of a key know: every ticket, every entry seen, everything sealed and signed.
 * Contradictions are kept, and `contradictions` finds them. The name is that of the newer file.
 */
export function merged(one, other) {
  need(one.key === other.key, "other-key", "these files belong to two different keys");
  const [newer] = [one, other].sort((a, b) => b.number - a.number || byText(a.name, b.name));
  const places = new Map();
  for (const ticket of [...one.tickets, ...other.tickets]) {
    places.set(placeOf(ticket), [...(places.get(placeOf(ticket)) ?? []), ticket]);
  }
  const tickets = [...places.keys()].sort(byText).map((place) => mergedTicket(places.get(place)));
  return { ...newer, tickets };
}

function mergedTicket(tickets) {
  const [{ offer, game }] = tickets;
  const [top, ...others] = distinct(tickets.flatMap(headsOf)).sort((a, b) => b.round - a.round || byText(a.newest, b.newest));
  const sealed = distinct(tickets.flatMap((ticket) => ticket.sealed ?? [])).sort((a, b) => a.round - b.round);
  const signed = distinct(tickets.flatMap((ticket) => ticket.signed ?? []), bodyOf).sort((a, b) => a.body.round - b.body.round); // prettier-ignore
  return { offer, game, ...top, ...(others.length && { others }), ...(sealed.length && { sealed }), ...(signed.length && { signed }) };
}

/** The entries that a ticket has seen; the first is the newest. */
export function headsOf({ round, newest, others = [] }) {
  return [{ round, newest }, ...others];
}

/** What cannot all be true: `{code, game, round}`. Two stories are the host's fault; two answers the player's. */
export function contradictions(player) {
  const found = [];
  for (const ticket of player.tickets) {
    const { game } = ticket;
    const twin = player.tickets.some((other) => other.offer === ticket.offer && other.game < game);
    if (twin) found.push({ code: "two-geneses", game, round: 0 });
    for (const round of repeated(headsOf(ticket).map((head) => head.round))) found.push({ code: "two-entries", game, round });
    for (const round of repeated((ticket.signed ?? []).map((move) => move.body.round))) found.push({ code: "second-answer", game, round });
  }
  return found;
}

function repeated(rounds) {
  return [...new Set(rounds.filter((round, at) => rounds.indexOf(round) !== at))];
}

/** Whether two players know the same, whatever the numbers of their files. */
export function sameMemory(one, other) {
  const plain = ({ name, key, tickets }) => canonical({ name, key, tickets });
  return plain(one) === plain(other);
}

/** The same, but for older entries that a view has still to be compared with. */
export function sameNews(one, other) {
  const plain = (player) => ({ ...player, tickets: player.tickets.map(({ others, ...ticket }) => ticket) });
  return sameMemory(plain(one), plain(other));
}

// --- a file that knows less than the mail ----------------------------------------------------------------------------

/**
 * The rounds after the newest known one in which a valid view shows answers of its owner that this player's file does
 * not know: the file is older than the mail, or another file was used in between.
 */
export function unknownRounds(player, report) {
  const { game } = report.table;
  const { round: newest = -1, sealed = [], signed = [] } = player.tickets.find((one) => one.game === game) ?? {};
  const opens = (part, commit) => Object.entries(commit).every(([field, wanted]) => {
    const secret = Object.hasOwn(part.fields, field) && part.fields[field];
    return secret && commitment(game, part.round, report.seat, field, secret) === wanted;
  }); // prettier-ignore
  const isKnown = (round, { commit = {} }) =>
    Object.keys(commit).length
      ? sealed.some((part) => part.round === round && opens(part, commit))
      : signed.some((move) => move.body.round === round);
  // Answers from before this player took over the seat are somebody else's.
  const steps = report.steps.filter((step) => step.round > newest && hexOf(step.players[report.seat].key) === player.key);
  const isOurs = (step) => step.entry.answers.some((answer) => answer.seat === report.seat && !isKnown(step.round, answer));
  return steps.filter(isOurs).map((step) => step.round);
}

/** Whether a receipt is for an answer of this player, in an open round, that the player's file does not know. */
export function isUnknownReceipt(player, { game, seat, round, move }) {
  const { round: newest, sealed = [], signed = [] } = player.tickets.find((one) => one.game === game) ?? { round };
  const own = [...signed.map((one) => one.body.seat), ...sealed.map((part) => part.seat)];
  return round > newest && own.includes(seat) && !signed.some((one) => idOf("move", bodyOf(one)) === move);
}

// --- names of files --------------------------------------------------------------------------------------------------

const SPELLED = {
  ä: "ae",
  ö: "oe",
  ü: "ue",
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "oe",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
};

/** A name as part of a file name: lower-case letters and digits. */
export function plainName(name) {
  const spelled = [...name.normalize("NFC").toLowerCase()].map((one) => SPELLED[one] ?? one).join("");
  return spelled
    .normalize("NFKD")
    .replace(/[^a-z0-9]/g, "")
    .slice(0, 24);
}

/** `anna-007-r012.player.json`: the number of the file, and the highest round it knows. */
export function playerFileName({ name, key, number, tickets }) {
  const digits = (value) => String(value).padStart(3, "0");
  const round = Math.max(0, ...tickets.map((ticket) => ticket.round));
  return `${plainName(name) || "player-" + key.slice(0, 6)}-${digits(number)}-r${digits(round)}.player.json`;
}
