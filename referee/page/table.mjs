// The table and the state of a game: sections 4 and 6 of schemas/PROTOCOL.md, and step 1 of section 8.

import { Bad, H, PREFIX, canonical, fromHex, hexOf, need } from "./bytes.mjs";
import { SHAPES, bodyText, idOf, isBags, isName, isWeak, isWeakBox, linkBack, opened } from "./wire.mjs";
import { bagsOf, handsOf } from "./bags.mjs";

export const same = (one, other) => canonical(one) === canonical(other);

// --- section 8, step 1: the table ------------------------------------------------------------------------------------

/** Blames the host for a failed check: the host signed that all of this is valid. */
async function hosts(checks) {
  try {
    return await checks();
  } catch (error) {
    if (error instanceof Bad && error.code !== "undecided" && error.code !== "unknown-game") error.blames = "host";
    throw error;
  }
}

/** The player of this join, or of this part of a state. */
export function owner(body) {
  return {
    key: fromHex(body.key),
    nonce: fromHex(body.nonce),
    tip: body.tip,
    name: body.name ?? "",
    kept: !!body.kept,
  };
}

/** Whether `link` is x[round] of its owner, when `seen` = [round, link] was the last one. */
export function reveals(who, seen, round, link) {
  const [low, last] = seen;
  return low < round && hexOf(linkBack(who.key, who.nonce, round, low, fromHex(link))) === last;
}

function checkShapes(genesis) {
  need(genesis.type === PREFIX + "genesis", "wrong-kind", "this is not a genesis");
  need(SHAPES.genesis(genesis.body), "malformed", "the genesis has the wrong shape");
  const { offer, joins } = genesis.body;
  const shaped = (signed, kind, wrong) => {
    need(signed.type === PREFIX + kind, "wrong-kind", "this is not a join");
    need(SHAPES[kind](signed.body), "malformed", wrong);
  };
  shaped(offer, "offer", "the offer has the wrong shape");
  for (const join of joins) shaped(join, "join", "a join has the wrong shape");
}

/** Check an offer by itself; returns its id. */
export async function checkOffer(offer) {
  need(!isWeak(offer.body.key), "weak-key", "the host's key is weak: anybody could sign with it");
  const text = await opened(offer, "offer", offer.body.key);
  need(!isWeakBox(offer.body.box), "weak-box", "the box key is weak: anybody could open what is sealed with it");
  need(offer.body.deadline || !offer.body.grace, "bad-due", "the offer has grace and no deadline");
  need(offer.body.deadline || !offer.body.bank, "bad-due", "the offer has a time bank and no deadline");
  const timed = offer.body.takeovers || !offer.body.takeover;
  need(timed, "bad-succession", "the offer has a time for taking over seats, and lets nobody take one over");
  return idOf("offer", text);
}

/** Check a join by itself; returns its id. */
export async function checkJoin(join) {
  need(!isWeak(join.body.key), "weak-key", "a player's key is weak: anybody could sign with it");
  const text = await opened(join, "join", join.body.key);
  need(isName(join.body.name), "bad-name", "a player has a name that is not allowed");
  return idOf("join", text);
}

/** The contents of a genesis that its host signed; whether they are valid is not checked. */
export async function signedTable(genesis) {
  checkShapes(genesis);
  const { offer, joins, leaves, hands = [] } = genesis.body;
  const terms = offer.body;
  need(!isWeak(terms.key), "weak-key", "the host's key is weak: anybody could sign with it");
  const game = idOf("genesis", await opened(genesis, "genesis", terms.key));
  const offerId = idOf("offer", bodyText(offer));
  return {
    game,
    offer: offerId,
    terms,
    seating: H("seating", fromHex(offerId), ...joins.map((join) => fromHex(idOf("join", bodyText(join))))),
    seats: joins.length,
    host: owner(terms),
    players: joins.map((join) => owner(join.body)),
    leaves,
    hands,
    bags: null,
    deadline: terms.deadline ?? 0,
    grace: terms.grace ?? 0,
    bank: terms.bank ?? 0,
    chance: terms.chance ?? "",
    takeovers: terms.takeovers ?? 0,
    takeover: terms.takeover ?? 0,
  };
}

/** Check the offer and joins of a genesis, which its host signed as valid; without `all`, the names of hands are not
 * checked. */
export async function checkLobby({ body: { offer, joins, hands = [] } }, all = true) {
  const terms = offer.body;
  return hosts(async () => {
    const offerId = await checkOffer(offer);
    for (const join of joins) {
      await checkJoin(join);
      need(join.body.offer === offerId, "other-offer", "a join is for another offer");
    }
    need(joins.length === terms.seats, "bad-seats", "there is not one join for each seat");
    const keys = new Set([terms.key, ...joins.map((join) => join.body.key)]);
    need(keys.size === joins.length + 1, "same-key", "two players have the same key");
    const names = new Set(joins.map((join) => join.body.name));
    need(names.size === joins.length, "bad-name", "two players have the same name");
    need(!all || new Set(hands).size === hands.length, "bad-bags", "the genesis names a hand twice");
  });
}

/** The contents of a genesis, checked. `options`: those of `verify`. */
export async function readGenesis(genesis, options = {}) {
  const table = await signedTable(genesis);
  await checkLobby(genesis);
  const bags = await hosts(async () => checkBags(table, options));
  return { ...table, bags };
}

/** What lies in the containers before the first draw. */
export function checkBags({ terms, leaves, hands }, { bags: given, hint }) {
  const names = Object.keys(leaves);
  const known = handsOf(terms);
  const bags = given ?? (names.length ? (bagsOf(terms) ?? hint) : {});
  need(isBags(bags), "unknown-game", "the contents of this game's bags are not known here");
  const fit =
    same(Object.keys(bags).sort(), names.sort()) &&
    names.every((name) => bags[name].length === leaves[name].length) &&
    (known === null || same(known, hands));
  // Only somebody with the rules that the offer's code names can accuse.
  need(fit, given ? "bad-bags" : "undecided", "these are not the bags of this game, as far as it is known here");
  return bags;
}

/** The seat whose hand this container is, or null. */
export function ownerOf(table, container) {
  const [name, seat] = container.split("/");
  if (seat === undefined || !table.hands.includes(name) || String(Number(seat)) !== seat) return null;
  return Number(seat) < table.seats ? Number(seat) : null;
}

// --- section 4: the state --------------------------------------------------------------------------------------------

export const emptyBag = () => ({ generation: -1, puts: 0, slots: [], tail: [] });
export const content = (bag) => [...bag.slots, ...bag.tail];

export function removeSlot(bag, slot) {
  const list = bag.slots.includes(slot) ? bag.slots : bag.tail;
  list.splice(list.indexOf(slot), 1);
}

const STATE_DEFAULTS = {
  bank: [],
  drawn: {},
  due: "",
  end: "",
  held: [],
  holders: [],
  holding: false,
  left: [],
  linking: false,
  links: [],
  missed: [],
  pending: [],
  public: "",
  result: null,
  vacant: [],
};

export function firstState(table) {
  const state = {
    acc: hexOf(H("acc0", fromHex(table.game))),
    ...structuredClone(STATE_DEFAULTS),
    host_link: [0, table.host.tip],
    links: table.players.map((player) => [0, player.tip]),
    missed: table.players.map(() => 0),
    bank: table.bank ? table.players.map(() => table.bank) : [],
    round: 0,
    newest: table.game,
    bags: new Map(),
    leaves: new Map(),
    faces: new Map(),
    told: new Map(),
    inside: new Map(),
  };
  for (const name of Object.keys(table.leaves)) {
    const slots = table.leaves[name].map((_, at) => `${name}.0.${at}`);
    state.bags.set(name, { ...emptyBag(), generation: 0, slots });
    slots.forEach((slot, at) => state.leaves.set(slot, table.leaves[name][at]));
    for (const face of table.bags?.[name] ?? []) state.inside.set(face, (state.inside.get(face) ?? 0) + 1);
  }
  return state;
}

/** A state from its JSON form in section 4; `newest` is the id of the entry that led to it. */
export function readState(value, newest) {
  const { book, ...rest } = value;
  const state = { ...structuredClone(STATE_DEFAULTS), ...structuredClone({ ...rest }), newest };
  state.bags = new Map(
    Object.entries(book.bags ?? {}).map(([name, bag]) => [name, { ...emptyBag(), ...structuredClone(bag) }]),
  );
  for (const name of ["leaves", "faces", "told", "inside"]) state[name] = new Map(Object.entries(book[name] ?? {}));
  return state;
}

/** Whether a value is its field's default, which is a scalar, or an empty list or object. */
function isDefault(value, usual) {
  return value === usual || (usual !== null && typeof usual === "object" && Object.keys(value).length === 0);
}

const given = (fields, defaults) =>
  Object.fromEntries(Object.entries(fields).filter(([name, value]) => !isDefault(value, defaults[name])));

export function spelledState(state) {
  const { acc, host_link, round } = state;
  const book = {
    bags: Object.fromEntries([...state.bags].map(([name, bag]) => [name, given(bag, emptyBag())])),
    leaves: Object.fromEntries(state.leaves),
    faces: Object.fromEntries(state.faces),
    told: Object.fromEntries(state.told),
    inside: Object.fromEntries([...state.inside].filter(([, count]) => count)),
  };
  const optional = Object.fromEntries(Object.keys(STATE_DEFAULTS).map((name) => [name, state[name]]));
  const kept = Object.fromEntries(Object.entries(book).filter(([, part]) => Object.keys(part).length));
  return canonical({ acc, book: kept, host_link, round, ...given(optional, STATE_DEFAULTS) });
}

export const resigned = (state, seat) => state.left.some(([left]) => left === seat);
export const isOut = (state, seat) => state.missed[seat] >= 2 || resigned(state, seat);
export const allSeats = (state) => state.missed.map((_, seat) => seat);
export const rests = (state) => !state.end && allSeats(state).every((seat) => isOut(state, seat));

/** Seat -> its question in the next round, null for a confirmation: a Map in seat order (section 6). */
export function asked(state) {
  const seats = allSeats(state);
  if (state.end) return new Map();
  if (state.round === 0) return new Map(seats.map((seat) => [seat, null]));
  const resting = rests(state);
  const active = seats.filter((seat) => !(resting ? resigned(state, seat) : isOut(state, seat)));
  const questions = new Map(state.pending.map((ask) => [ask.seat, ask.what === "link" ? null : ask]));
  if (!state.holding && !state.linking && active.some((seat) => questions.has(seat))) {
    return new Map(active.filter((seat) => questions.has(seat)).map((seat) => [seat, questions.get(seat)]));
  }
  const held = new Set(state.held.map((answer) => answer.seat));
  return new Map(active.map((seat) => [seat, (!held.has(seat) && questions.get(seat)) || null]));
}
