// Proofs of an offence: section 11 of schemas/PROTOCOL.md, as far as it goes without the rules.
//
// A proof that only the rules can judge is neither good nor bad here: it is `undecided`, with the code `needs-rules`.

import { Bad, H, PREFIX, canonical, fromHex, hexOf, need } from "./bytes.mjs";
import { SHAPES, bodyText, boxHash, boxed, commitment, idOf, leafOf, minutesOf, opened, readBody, slotParts } from "./wire.mjs";
import { asked, checkBags, checkLobby, firstState, readState, reveals, same, signedTable } from "./table.mjs";
import { checkArrivals, present } from "./seats.mjs";
import { breaksPromise, checkMoves, checkRound, fitsQuestion, knowing, placeOf, playRound, rebuiltMove } from "./round.mjs";

const UNDECIDED = ["undecided", "needs-rules", "unknown-game", "no-crypto"];
/** Refusals that prove nothing: they are based on an older game file, or come after the end. */
const NO_PROOF = ["early", "revealed"];
/** Receipts that do not say that a move is bad. */
export const NOT_OF_THE_MOVE = ["taken", "stale", "answered", ...NO_PROOF];
/** Faults that can come from bags that nobody vouches for. */
const OF_BAGS = ["rule-broken", "minted"];

/** `proved`, `altered` or `undecided`, for what was found. */
export function verdictOf(code, blames) {
  return UNDECIDED.includes(code) ? "undecided" : blames === "host" ? "proved" : "altered";
}

const mixed = (good, why) => need(good, "mixed-proof", `the parts of this proof do not belong together: ${why}`);

function ask(what) {
  throw new Bad("needs-rules", `nothing is shown without the rules of the game: ${what}`);
}

/**
 * Judge a proof: throws what it shows, never returns. `options` are those of `verify`; `replay` checks the parts of a
 * transcript, all of which it needs.
 */
export async function judgeProof(report, document, options, replay) {
  need(SHAPES.proof(document), "malformed", "the proof has the wrong shape");
  const table = (report.table = await signedTable(document.genesis));
  const place = { round: null };
  try {
    await COURTS[document.shows]({ document, table, options, place, replay });
  } catch (error) {
    if (error instanceof Bad) {
      error.step ??= place.round;
      throw error;
    }
    // A state that the host made up and that no game leads to: nobody can play it.
    throw new Bad("mixed-proof", "the parts of this proof cannot be played", place.round);
  }
  throw new Bad("no-offence", "the parts of this proof are consistent: they show no offence", place.round);
}

const COURTS = {
  async genesis(court) {
    await openTable(court);
    ask("offer and joins are valid; only `referee verify` can tell whether the bags are those of the game");
  },

  async geneses({ document, table }) {
    const other = await signedTable(document.other);
    mixed(other.offer === table.offer, "the two geneses do not come from the same offer");
    need(other.game === table.game, "two-geneses", "the host started two games from one offer");
  },

  async entries({ document, table, place }) {
    const [one, id] = await readEntry(table, document.entries[0]);
    const [other, second] = await readEntry(table, document.entries[1]);
    place.round = one.round;
    mixed(one.round === other.round, "the two entries are not for the same round");
    need(id === second, "two-entries", "the host signed two different entries for one round");
  },

  async round(court) {
    const { document, table, place } = court;
    const [entry, id] = await readEntry(table, document.entry);
    place.round = entry.round;
    const [told, left] = [new Map(), new Map()];
    for (const signed of document.privates ?? []) {
      const part = await readTold(table, signed, entry, id);
      told.set(part.seat, [...part.openings]);
      left.set(placeOf(part.round, part.seat), part.sealed ?? []);
    }
    const [before, head] = await readBefore(document, table, entry.round);
    const placed = before !== null || entry.round === 1;
    need(!placed || entry.prev === head, "broken-chain", "the host signed an entry that follows a different one");
    // If seats can change hands, the state says who held them.
    if (!table.takeovers || entry.round === 1) await checkMoves(table.players, entry);
    const state = await openScene(court, before, entry.round, head);
    await checkMoves(present(table, state), entry);
    const { faces, sealed } = readKnown(document, table, state);
    checkRound(table, state, entry);
    await checkArrivals(table, state, entry);
    playHere(court, state, entry, id, knowing({ told, left, faces, sealed }));
    ask("what can be checked in this round is right; only `referee verify` can tell whether it follows the rules");
  },

  async receipts({ document, table, place }) {
    const found = [];
    for (const signed of document.receipts) found.push(await readReceipt(table, signed));
    const [one, other] = [found[0], found.at(-1)];
    place.round = one.round;
    mixed(one.round === other.round && one.seat === other.seat, "the receipts are not for the same round and seat");
    checkBoth(one, other);
    if (!document.entry) return;
    const [entry] = await readEntry(table, document.entry);
    mixed(entry.round === one.round, "the entry is not for the round of the receipt");
    for (const receipt of found) checkBeside(receipt, entry);
  },

  async extension({ document, table, place }) {
    const extension = await readExtension(table, document.extension);
    const [entry] = await readEntry(table, document.entry);
    place.round = extension.round;
    mixed(entry.round === extension.round, "the entry is not for the round of the extension");
    checkPromise(table, extension, entry);
  },

  async refusal(court) {
    const { document, table, place } = court;
    const receipt = await readReceipt(table, document.receipt);
    const move = await readMove(table, document.move);
    place.round = move.round;
    const named = receipt.move === idOf("move", bodyText(document.move));
    const fits = named && receipt.round === move.round && receipt.seat === move.seat && move.round > 0;
    mixed(fits, "the receipt is not for this move");
    const says = `a receipt \`${receipt.code}\` does not say that a move is illegal`;
    need(!NOT_OF_THE_MOVE.includes(receipt.code), "no-offence", says);
    const [before, head] = await readBefore(document, table, move.round);
    const state = await openScene(court, before, move.round, head);
    await opened(document.move, "move", hexOf(present(table, state)[move.seat].key));
    mixed(move.asked === head, "the move answers another entry");
    const known = readKnown(document, table, state);
    const fields = checkKept(table, state, move, known);
    if (receipt.code === "bad-commitment" && "commit" in move) await checkBoxed(document, table, move, fields);
    judgeRefused(table, state, move);
  },

  async transcript({ document, options, replay }) {
    try {
      await replay(document, options);
    } catch (error) {
      // Leaves made with M are right, whoever told the faces; others may come from other faces.
      const unsure = ["undecided", "unknown-game", ...(options.bags ? [] : ["bad-bag"])];
      if (unsure.includes(error.code)) ask(`by what is known here, ${error.message}`);
      throw error;
    }
    ask("what can be checked in this part of the game is right; only `referee verify` can tell the rest");
  },
};

// --- parts, each signed ----------------------------------------------------------------------------------------------

async function readEntry(table, signed) {
  const text = await opened(signed, "entry", table.terms.key);
  const entry = readBody(text, "entry", "bad-entry");
  mixed(entry.game === table.game && entry.round > 0, "an entry belongs to another game");
  return [entry, idOf("entry", text)];
}

/** The entry before a round, if the proof has it, else null, and its id; before round 1 the game's id. */
async function readBefore(document, table, round) {
  if (!document.before) return [null, round === 1 ? table.game : ""];
  const [before, id] = await readEntry(table, document.before);
  mixed(before.round === round - 1, "the entries do not follow each other");
  return [before, id];
}

/** What the host told a seat in the round of this entry. */
async function readTold(table, signed, entry, id) {
  const part = readBody(await opened(signed, "private", table.terms.key), "private", "bad-private");
  const here = part.game === table.game && part.round === entry.round && part.seat < table.seats;
  mixed(here, "a private part belongs to another round or game");
  need(part.entry === id, "false-private", "the host told a player something about a different entry");
  return part;
}

async function readReceipt(table, signed) {
  await opened(signed, "receipt", table.terms.key);
  need(SHAPES.receipt(signed.body), "malformed", "the receipt has the wrong shape");
  mixed(signed.body.game === table.game, "a receipt belongs to another game");
  return signed.body;
}

async function readExtension(table, signed) {
  await opened(signed, "extension", table.terms.key);
  need(SHAPES.extension(signed.body), "malformed", "the extension has the wrong shape");
  const { game, seat } = signed.body;
  mixed(game === table.game && seat < table.seats, "an extension belongs to another game");
  return signed.body;
}

async function readMove(table, signed) {
  need(signed.type === PREFIX + "move", "wrong-kind", "expected: move");
  need(SHAPES.move(signed.body), "malformed", "the move has the wrong shape");
  const { game, seat } = signed.body;
  mixed(game === table.game && seat < table.seats, "a move belongs to another game");
  if (!table.takeovers) await opened(signed, "move", hexOf(table.players[seat].key));
  return signed.body;
}

// --- the moment before a round ---------------------------------------------------------------------------------------

/** Everything in the genesis; its bags only if they are known here. */
async function openTable({ document, table, options }) {
  await checkLobby(document.genesis);
  try {
    table.bags = checkBags(table, options);
  } catch (error) {
    if (error.code === "bad-bags") throw error;
  }
}

/** The state before a round, by the entry that led to it. */
async function openScene(court, before, round, head) {
  const { document, table } = court;
  const [state, position] = [document.state, document.public];
  if (round === 1) {
    mixed(state === undefined && position === undefined, "nothing comes before the first round");
    await openTable(court);
    return firstState(table);
  }
  const whole = before !== null && state !== undefined && position !== undefined;
  need(whole, "undecided", `more is needed: the entry of round ${round - 1} with its state and position`);
  const hash = (label, ...parts) => hexOf(H(label, fromHex(table.game), ...parts));
  mixed(hash("state", canonical(state)) === before.state, "the state is not the one that the entry has the hash of");
  const fits = hash("public", before.round, canonical(position)) === before.public;
  mixed(fits, "the position is not the one that the entry has the hash of");
  await openTable(court);
  need(SHAPES.state(state), "undecided", "more is needed: the proof of the round before, whose state cannot be read");
  const { links = [], missed = [], pending = [], held = [], left = [], holders = [], vacant = [], bank = [], due = "" } = state;
  const seats = [...pending, ...held, ...holders, ...vacant].map((one) => one.seat).concat(left.map(([seat]) => seat));
  const rows = links.length === table.seats && missed.length === table.seats && state.round === before.round;
  const timed = bank.length === (table.bank ? table.seats : 0) && [due, ...vacant.map((one) => one.due ?? "")].every((time) => !time || minutesOf(time) !== null);
  mixed(rows && timed && seats.every((seat) => seat < table.seats), "no game leads to this state");
  return readState(state, head);
}

/** The hidden tokens in the proof: each fits its leaf; sealed fields are checked where they are used. */
function readKnown(document, table, state) {
  const faces = new Map();
  for (const { slot, face, salt } of document.tokens ?? []) {
    const leaf = state.leaves.get(slot);
    const fits = salt && leaf && !faces.has(slot) && !slot.includes("+");
    mixed(fits && leafOf(table.seating, ...slotParts(slot), fromHex(salt), face) === leaf, "a token does not fit");
    faces.set(slot, face);
  }
  const sealed = (document.sealed ?? []).map(({ round, seat, fields }) => [placeOf(round, seat), fields]);
  return { faces, sealed: new Map(sealed) };
}

/** Play a round; in the first one, faults that depend on bags that nobody vouches for prove nothing. */
function playHere({ table, options }, state, entry, id, known) {
  const sure = entry.round > 1 || (table.bags && options.bags) || !Object.keys(table.leaves).length;
  try {
    playRound(table, state, entry, id, known);
  } catch (error) {
    if (!sure && OF_BAGS.includes(error.code)) ask(`by what is known here, ${error.message}`);
    throw error;
  }
}

// --- receipts and refusals -------------------------------------------------------------------------------------------

/** Two receipts for one round and seat. */
export function checkBoth(one, other) {
  const codes = [one.code, other.code];
  const [taken, both] = [codes.filter((code) => code === "taken").length, one.move === other.move];
  need(taken < 2 || both, "two-taken", "the host accepted two different moves of one player");
  const refused = taken === 1 && both && !codes.some((code) => NO_PROOF.includes(code));
  need(!refused, "taken-and-refused", "the host accepted a move and also refused it");
}

/** A receipt beside the entry of its round. */
export function checkBeside({ seat, move, code }, entry) {
  const late = !!entry.timeouts?.includes(seat);
  need(code !== "taken" || !late, "taken-and-timed-out", "the host accepted an answer and then said that it never came");
  const has = () => entry.answers.some((answer) => idOf("move", canonical(rebuiltMove(entry, answer))) === move);
  need(code !== "taken" || has(), "taken-and-dropped", "the host accepted an answer that is not in the entry");
  need(code !== "answered" || !late, "answered-and-timed-out", "the host had an answer and then said that it never came");
}

/** An extension beside the entry of its round. */
export function checkPromise(table, extension, entry) {
  const broken = breaksPromise(table, extension, entry);
  need(!broken, "extended-and-timed-out", "the host gave a player more time and timed the player out before it was over");
}

/** Everything that the player of a refused move knew is there; returns its sealed fields. */
function checkKept(table, state, move, { faces, sealed }) {
  const { seat, round, commit = {} } = move;
  const owed = [...state.told].some(([slot, seats]) => seats.includes(seat) && !faces.has(slot));
  need(!owed, "undecided", "more is needed: what the player was told about hidden tokens");
  const fields = "commit" in move ? (sealed.get(placeOf(round, seat)) ?? {}) : {};
  const made = Object.entries(fields).map(([name, one]) => [name, commitment(table.game, round, seat, name, one)]);
  const kept = same(Object.fromEntries(made), commit);
  need(kept, "undecided", "more is needed: what the player sealed in the move, as the player's program kept it");
  return fields;
}

/** The encrypted part that the player signed contains these sealed fields: the host received no others. */
async function checkBoxed({ ephemeral }, table, move, fields) {
  const lacks = "more is needed: the key with which the player encrypted the move, as the player's program kept it";
  need(ephemeral, "undecided", lacks);
  const again = boxHash(await boxed(fromHex(ephemeral), fromHex(table.terms.box), move, fields));
  need(again === move.box, "undecided", "more is needed: with this key and these fields something else was encrypted");
}

/** Whether a refused move was valid, as far as can be told without the rules. */
function judgeRefused(table, state, move) {
  const { seat, round } = move;
  const questions = asked(state);
  need(questions.has(seat), "no-offence", "the seat was not asked for anything in this round");
  const form = fitsQuestion(table, move, questions.get(seat), state);
  const linked = reveals(present(table, state)[seat], state.links[seat], round, move.link);
  need(form && linked, "no-offence", "the refusal was right: the move does not fit the question, or its chain");
  if ("answer" in move || "standing" in move) ask("only `referee verify` can tell whether the refused move was legal");
  throw new Bad("refused-though-legal", "the host refused a valid answer");
}
