// A verifier of offers, views, transcripts and what belongs to them: sections 6 to 9 of schemas/PROTOCOL.md.
//
// It is the third implementation of that document, beside the program and tests/independent, and shares no code with
// them. It knows no rules: `ask`, `result`, operations and the hash of the position are taken from the entries.
//
//     node verifier.mjs FILE...        prints `ok` or the code of what is wrong; see `main` below

import { Bad, H, MAX_BODY, MAX_FILE, PREFIX, canonical, derive, fromHex, hexOf, need, parse, parseText } from "./bytes.mjs";
import { LINKS, SHAPES, below, bodyText, commitment, envelope, folded, idOf, isGoodName } from "./wire.mjs";
import { isBags, isMoveFile, isSigned, isWeak, leafOf, linkBack, opened, orderOf, sealedLeaves, slotParts } from "./wire.mjs";
import { bagsOf } from "./bags.mjs";

const same = (one, other) => canonical(one) === canonical(other);
const ascending = (seats) => seats.every((seat, at) => at === 0 || seats[at - 1] < seat);

// --- section 8, step 1: the table ------------------------------------------------------------------------------------

/** Codes that blame nobody: whoever passed the file on can have changed it. */
const ALTERED = new Set(
  ("malformed wrong-kind too-large bad-signature altered-chain mixed-view missing-private bad-secret bad-sealed " +
    "not-over weak-key undecided unknown-game no-crypto").split(" "),
);

/** What a failed check says when the host has signed that it is all right. */
async function hosts(checks) {
  try {
    return await checks();
  } catch (error) {
    if (error instanceof Bad && error.code !== "undecided" && error.code !== "unknown-game") error.blames = "host";
    throw error;
  }
}

function owner(body) {
  return { key: fromHex(body.key), nonce: fromHex(body.nonce), tip: body.tip, name: body.name ?? "", kept: !!body.kept };
}

/** Whether `link` is x[round] of its owner, when `seen` = [round, link] was the last one. */
function reveals(who, seen, round, link) {
  const [low, last] = seen;
  return low < round && hexOf(linkBack(who.key, who.nonce, round, low, fromHex(link))) === last;
}

function checkShapes(genesis) {
  need(genesis.type === PREFIX + "genesis", "wrong-kind", "this is no genesis");
  need(SHAPES.genesis(genesis.body), "malformed", "the genesis has another shape");
  const { offer, joins } = genesis.body;
  need(offer.type === PREFIX + "offer" && joins.every((one) => one.type === PREFIX + "join"), "wrong-kind", "no join");
  need(SHAPES.offer(offer.body), "malformed", "the offer has another shape");
  need(joins.every((join) => SHAPES.join(join.body)), "malformed", "a join has another shape");
}

/** Everything that an offer shows by itself; gives its id. */
async function checkOffer(offer) {
  need(!isWeak(offer.body.key), "weak-key", "the host's key is weak: anybody could sign with it");
  const text = await opened(offer, "offer", offer.body.key);
  need(offer.body.deadline || !offer.body.grace, "bad-due", "the offer has grace and no deadline");
  return idOf("offer", text);
}

/** Everything that a join shows by itself; gives its id. */
async function checkJoin(join) {
  need(!isWeak(join.body.key), "weak-key", "a player's key is weak: anybody could sign with it");
  const text = await opened(join, "join", join.body.key);
  need(isGoodName(join.body.name), "bad-name", "a player has a name that is not allowed");
  return idOf("join", text);
}

/** What a genesis says, when all of it is right. `options`: as `verify` takes them. */
export async function readGenesis(genesis, options = {}) {
  checkShapes(genesis);
  const { offer, joins, leaves, hands = [] } = genesis.body;
  const terms = offer.body;
  need(!isWeak(terms.key), "weak-key", "the host's key is weak: anybody could sign with it");
  const game = idOf("genesis", await opened(genesis, "genesis", terms.key));
  return hosts(async () => {
    const offerId = await checkOffer(offer);
    const joinIds = [];
    for (const join of joins) {
      joinIds.push(await checkJoin(join));
      need(join.body.offer === offerId, "other-offer", "a join is for another offer");
    }
    need(joins.length === terms.seats, "bad-seats", "there is not one join for each seat");
    const keys = new Set([terms.key, ...joins.map((join) => join.body.key)]);
    need(keys.size === joins.length + 1, "same-key", "two have the same key");
    const names = new Set(joins.map((join) => folded(join.body.name)));
    need(names.size === joins.length, "bad-name", "two names look the same");
    return {
      game,
      offer: offerId,
      terms,
      seating: H("seating", fromHex(offerId), ...joinIds.map(fromHex)),
      seats: terms.seats,
      host: owner(terms),
      players: joins.map((join) => owner(join.body)),
      leaves,
      hands,
      bags: checkBags(terms, leaves, options),
      deadline: terms.deadline ?? 0,
      grace: terms.grace ?? 0,
      chance: terms.chance ?? "",
    };
  });
}

function checkBags(terms, leaves, { bags: given, hint }) {
  const names = Object.keys(leaves);
  const bags = given ?? (names.length ? (bagsOf(terms) ?? hint) : {});
  need(isBags(bags), "unknown-game", "what lies in the bags of this game is not known here");
  const fit = same(Object.keys(bags).sort(), names.sort()) && names.every((name) => bags[name].length === leaves[name].length);
  // Only who has the rules with the code of the offer can accuse.
  need(fit, given ? "bad-bags" : "undecided", "these are not the bags of this game, as far as it is known here");
  return bags;
}

/** The seat whose hand this container is, or null. */
function ownerOf(table, container) {
  const [name, seat] = container.split("/");
  if (seat === undefined || !table.hands.includes(name) || String(Number(seat)) !== seat) return null;
  return Number(seat) < table.seats ? Number(seat) : null;
}

// --- section 4: the state --------------------------------------------------------------------------------------------

const emptyBag = () => ({ generation: -1, puts: 0, slots: [], tail: [] });
const content = (bag) => [...bag.slots, ...bag.tail];

function removeSlot(bag, slot) {
  const list = bag.slots.includes(slot) ? bag.slots : bag.tail;
  list.splice(list.indexOf(slot), 1);
}

const STATE_DEFAULTS = {
  drawn: {}, due: "", end: "", held: [], holding: false, left: [], links: [], missed: [], pending: [], public: "", result: null,
}; // prettier-ignore

export function firstState(table) {
  const state = {
    acc: hexOf(H("acc0", fromHex(table.game))),
    ...structuredClone(STATE_DEFAULTS),
    host_link: [0, table.host.tip],
    links: table.players.map((player) => [0, player.tip]),
    missed: table.players.map(() => 0),
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
    for (const face of table.bags[name]) state.inside.set(face, (state.inside.get(face) ?? 0) + 1);
  }
  return state;
}

/** A state from its spelling in section 4; `newest` is the id of the entry that led to it. */
export function readState(value, newest) {
  const { book, ...rest } = value;
  const state = { ...structuredClone(STATE_DEFAULTS), ...structuredClone({ ...rest }), newest };
  state.bags = new Map(Object.entries(book.bags ?? {}).map(([name, bag]) => [name, { ...emptyBag(), ...structuredClone(bag) }]));
  for (const name of ["leaves", "faces", "told", "inside"]) state[name] = new Map(Object.entries(book[name] ?? {}));
  return state;
}

/** Whether a value is its field's default, which is a scalar, or an empty list or object. */
function isDefault(value, usual) {
  return value === usual || (usual !== null && typeof usual === "object" && Object.keys(value).length === 0);
}

const given = (fields, defaults) =>
  Object.fromEntries(Object.entries(fields).filter(([name, value]) => !isDefault(value, defaults[name])));

function spelledState(state) {
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

const resigned = (state, seat) => state.left.some(([left]) => left === seat);
const isOut = (state, seat) => state.missed[seat] >= 2 || resigned(state, seat);
const allSeats = (state) => state.missed.map((_, seat) => seat);
export const rests = (state) => !state.end && allSeats(state).every((seat) => isOut(state, seat));

/** Seat -> its question in the next round, null for a bare link: a Map in seat order (section 6). */
export function asked(state) {
  const seats = allSeats(state);
  if (state.end) return new Map();
  if (state.round === 0) return new Map(seats.map((seat) => [seat, null]));
  const resting = rests(state);
  const active = seats.filter((seat) => !(resting ? resigned(state, seat) : isOut(state, seat)));
  const questions = new Map(state.pending.map((ask) => [ask.seat, ask.what === "link" ? null : ask]));
  if (!state.holding && active.some((seat) => questions.has(seat))) {
    return new Map(active.filter((seat) => questions.has(seat)).map((seat) => [seat, questions.get(seat)]));
  }
  const held = new Set(state.held.map((answer) => answer.seat));
  const again = (seat) => state.holding && questions.has(seat) && !held.has(seat);
  return new Map(active.map((seat) => [seat, again(seat) ? questions.get(seat) : null]));
}

// --- section 8, step 3: an entry before its round is played ----------------------------------------------------------

/** The move that a player signed, from what the entry keeps of it. */
export function rebuiltMove(entry, answer) {
  const { sig, ...move } = answer; // eslint-disable-line no-unused-vars
  return { ...move, asked: entry.prev, game: entry.game, round: entry.round };
}

function fitsQuestion(answer, question, state) {
  const sealed = Object.keys(answer.commit ?? {}).sort();
  if (answer.resign && "standing" in answer) return false;
  if (!("answer" in answer)) {
    if (sealed.length || (answer.resign && state.round === 0)) return false;
    return question === null || state.holding || !!answer.resign;
  }
  if (question === null || answer.resign) return false;
  return same(sealed, [...(question.sealed ?? [])].sort()) && !sealed.some((name) => name in answer.answer);
}

async function checkPlace(table, state, entry) {
  const round = state.round + 1;
  need(entry.game === table.game && entry.round === round, "altered-chain", "an entry is missing, or of another game");
  need(entry.prev === state.newest, "broken-chain", "the host signed an entry that follows another one than this");
  const checks = entry.answers.map(async (answer) => {
    const player = table.players[answer.seat];
    return player && isSigned("move", canonical(rebuiltMove(entry, answer)), answer.sig, hexOf(player.key));
  });
  const good = await Promise.all(checks);
  need(good.every(Boolean), "bad-move", "an answer is not what that player signed for this round");
}

function checkRound(table, state, entry) {
  need(!state.end, "after-end", "the game was over before this round");
  const [round, questions] = [state.round + 1, asked(state)];
  const [seats, timeouts] = [entry.answers.map((answer) => answer.seat), entry.timeouts ?? []];
  need(ascending(seats) && ascending(timeouts), "bad-round", "seats are not in order");
  const together = [...seats, ...timeouts].sort((one, other) => one - other);
  need(same(together, [...questions.keys()]), "bad-round", "these are not the seats that were asked");
  need(round > 1 || !timeouts.length, "bad-round", "the first round has no deadline to miss");
  need(seats.length || !rests(state), "bad-round", "a game that rests goes on with an answer");
  for (const answer of entry.answers) {
    need(fitsQuestion(answer, questions.get(answer.seat), state), "bad-round", "an answer is not of the form asked for");
  }
  checkDue(table, state, entry);
  for (const answer of entry.answers) {
    const good = reveals(table.players[answer.seat], state.links[answer.seat], round, answer.link);
    need(good, "bad-link", "a link is not in the chain of its player");
  }
  need(reveals(table.host, state.host_link, round, entry.link), "bad-host-link", "the host's link is not in its chain");
}

/** Minutes of a time of the Gregorian calendar, null if it is none. */
function minutesOf(due) {
  const time = Date.parse(due);
  const real = due.slice(0, 4) !== "0000" && !Number.isNaN(time) && new Date(time).toISOString().startsWith(due.slice(0, 16));
  return real ? time / 60000 : null;
}

function checkDue(table, state, entry) {
  const due = entry.due ?? "";
  need((due !== "") === (table.deadline > 0 && !("end" in entry)), "bad-due", "a deadline is stated where there is none, or not");
  if (!due) return;
  const stated = minutesOf(due);
  need(stated !== null, "bad-due", "a deadline is no time of the calendar");
  if (entry.timeouts && state.due) {
    const least = minutesOf(state.due) + table.grace + table.deadline;
    need(stated >= least, "bad-due", "somebody was passed over before the deadline was over");
  }
}

// --- section 7: the operations of an entry ---------------------------------------------------------------------------

/** What a reader knows beside the entries: one seat's private parts, or M and all sealed fields. */
export function knowing(more = {}) {
  return { seat: null, openings: new Map(), faces: new Map(), secret: null, chance: null, sealed: new Map(), ...more };
}

const placeOf = (round, seat) => `${round}/${seat}`;

class Play {
  constructor(table, state, seed, known, actor) {
    Object.assign(this, { table, state, seed, known, actor });
    this.draws = 0;
    this.mixed = new Set();
    this.sealed = new Set();
    this.last = null;
    this.told = []; // what each operation did, for people
    this.openings = []; // what this reader was told in this round
  }

  run(ops) {
    for (const op of ops) {
      this.now = { ...op, draws: [] };
      this.told.push(this.now);
      this[op.op](op);
      this.last = op;
    }
    need(!this.mixed.size, "bad-ops", "a hand that received tokens is not sealed anew");
  }

  bag(name) {
    if (!this.state.bags.has(name)) this.state.bags.set(name, emptyBag());
    return this.state.bags.get(name);
  }

  faceOf(slot) {
    return this.state.faces.get(slot) ?? this.known.faces.get(slot) ?? null;
  }

  // -- dice and picks

  /** The next number below n; null where only who has the secret of common chance can tell. */
  draw(what, n) {
    const number = this.draws++;
    if (!this.actor) {
      const value = below(this.seed, number, n);
      this.now.draws.push({ number, below: n, value });
      return value;
    }
    const place = `${what} ${this.actor}`;
    const count = this.state.drawn[place] ?? 0;
    this.state.drawn[place] = count + 1;
    const value = this.known.chance && below(H("common", this.known.chance, what, this.actor, count), 0, n);
    this.now.draws.push({ number, below: n, value, what, actor: this.actor, count });
    return value;
  }

  die(op) {
    for (const value of op.values) {
      need(1 <= value && value <= op.sides, "bad-die", "a die shows more than it has sides");
      const drawn = this.draw(`die ${op.sides}`, op.sides);
      need(drawn === null || value === 1 + drawn, this.actor ? "bad-ops" : "bad-die", "chance gives the die another value");
    }
    const again = this.last?.op === "die" && this.last.sides === op.sides;
    need(!again && op.values.length, "bad-ops", "dice of one kind that follow each other are one operation");
  }

  pick(name, slot) {
    const bag = this.bag(name);
    need(content(bag).length, "bad-pick", `nothing is left to draw in ${name}`);
    if (!bag.slots.length) {
      this.now.draws.push(null);
      need(bag.tail.shift() === slot, "bad-pick", `another token lies on top of ${name}`);
      return;
    }
    const drawn = this.draw(name, bag.slots.length);
    need(bag.slots.includes(slot), "bad-pick", `${slot} is not in ${name}`);
    const fits = drawn === null || bag.slots[drawn] === slot;
    need(fits, this.actor ? "bad-ops" : "bad-pick", `chance does not pick ${slot} out of ${name}`);
    removeSlot(bag, slot);
  }

  drawable(name) {
    need(!this.sealed.has(name), "bad-ops", `nothing is drawn from ${name} in the round in which it was sealed`);
  }

  take(op) {
    this.drawable(op.bag);
    for (const token of op.tokens) {
      this.pick(op.bag, token.slot);
      this.open(token);
    }
  }

  deal(op) {
    this.drawable(op.bag);
    for (const slot of op.slots) this.pick(op.bag, slot);
    this.arrive(op);
  }

  /** Slots that left their container lie face down in another. */
  arrive(op) {
    const [into, seat, slots] = [this.bag(op.into), ownerOf(this.table, op.into), op.slots ?? []];
    const before = content(into).length;
    into.slots.push(...slots);
    this.tell(seat, slots);
    if (seat === null || !slots.length) return;
    if (before || into.slots.some((slot) => this.recognised(seat, slot))) this.mixed.add(op.into);
  }

  /** Whether somebody else than the owner of a hand could tell this slot from others. */
  recognised(seat, slot) {
    return this.state.faces.has(slot) || (this.state.told.get(slot) ?? []).some((other) => other !== seat);
  }

  tell(seat, slots) {
    for (const slot of slots) {
      const told = this.state.told.get(slot) ?? [];
      if (seat === null || !this.state.leaves.has(slot) || told.includes(seat)) continue;
      this.state.told.set(slot, [...told, seat]);
      if (seat === this.known.seat) this.readOpening(slot);
    }
  }

  /** The next opening of this seat's private part is the one of this slot, and true. */
  readOpening(slot) {
    const mine = this.known.openings.get(this.state.round);
    need(mine, "missing-private", "what this seat was told in this round is not in the view");
    need(mine.length && mine[0].slot === slot, "missing-opening", `${slot} is owed to this seat and was not told`);
    const opening = mine.shift();
    need(this.fits(slot, opening.face, opening.salt), "bad-opening", `${slot} holds something else than was told`);
    this.known.faces.set(slot, opening.face);
    this.openings.push({ ...opening, leaf: this.state.leaves.get(slot) });
  }

  // -- opening

  fits(slot, face, salt) {
    if (!salt) return this.state.faces.get(slot) === face;
    const leaf = this.state.leaves.get(slot);
    return leaf !== undefined && leafOf(this.table.seating, ...slotParts(slot), fromHex(salt), face) === leaf;
  }

  open(token) {
    const { slot, face } = token;
    need(this.fits(slot, face, token.salt ?? ""), "bad-opening", `${slot} does not hold ${face}`);
    this.forget(slot);
    const left = (this.state.inside.get(face) ?? 0) - 1;
    need(left >= 0, "minted", `there are more ${face} than there can be`);
    this.state.inside.set(face, left);
  }

  forget(slot) {
    for (const book of [this.state.leaves, this.state.faces, this.state.told]) book.delete(slot);
  }

  /** Whether this slot comes before all others with the same face, as far as this reader can tell. */
  isNext(lying, slot, face) {
    const openly = lying.filter((other) => this.state.faces.get(other) === face);
    if (openly.length || !this.known.secret) return !openly.length || openly[0] === slot;
    const alike = lying.filter((other) => this.faceOf(other) === face).map((other) => [this.order(other), other]);
    return alike.length > 0 && alike.sort()[0][1] === slot;
  }

  order(slot) {
    const { secret, chance } = this.known;
    return orderOf(chance ?? secret, chance ? "" : this.table.seating, ...slotParts(slot));
  }

  "lay-out"(op) {
    const bag = this.bag(op.bag);
    for (const token of op.tokens) {
      const lying = content(bag);
      need(lying.includes(token.slot), "bad-opening", `${token.slot} is not in ${op.bag}`);
      const first = this.isNext(lying, token.slot, token.face);
      removeSlot(bag, token.slot);
      this.open(token);
      need(first, "bad-ops", `of equal tokens in ${op.bag} another one comes first`);
    }
  }

  "lay-out-all"(op) {
    const [bag, face, shown] = [this.bag(op.bag), op.face ?? "", op.tokens.map((token) => token.slot)];
    const lying = content(bag);
    need(shown.every((slot) => lying.includes(slot)), "bad-opening", `a token is not in ${op.bag}`);
    const kept = lying.filter((slot) => !shown.includes(slot) && (!face || this.faceOf(slot) === face));
    need(!kept.length, "withheld", `something of ${op.bag} was kept back`);
    need(same(shown, lying.filter((slot) => shown.includes(slot))), "bad-ops", "not in the order in which they lie");
    for (const token of op.tokens) {
      need(!face || token.face === face, "bad-ops", "another face than the one asked for");
      removeSlot(bag, token.slot);
      this.open(token);
    }
  }

  // -- sealed answers

  /** The answer being played whose sealed field an operation uses. */
  heldBy(seat) {
    return this.state.held.find((answer) => answer.seat === seat) ?? { round: 0 };
  }

  /** The sealed field of an operation, where this reader knows it, else null. */
  sealedValue(op) {
    const answer = this.heldBy(op.seat);
    const wanted = answer.commit?.[op.field];
    need(wanted, "bad-ops", "there is no such sealed field");
    const fields = this.known.sealed.get(placeOf(answer.round, op.seat)) ?? {};
    const secret = Object.hasOwn(fields, op.field) && fields[op.field];
    // A player who signed twice may have kept another value than the one that was taken.
    const kept = secret && commitment(this.table.game, answer.round, op.seat, op.field, secret) === wanted;
    return kept ? secret.value : null;
  }

  give(op) {
    const [bag, value] = [this.bag(op.bag), this.sealedValue(op)];
    need(new Set(op.slots).size === op.slots.length, "bad-ops", "a token is given twice");
    const faces = Array.isArray(value) ? value : [value];
    if (value !== null && this.known.secret) {
      const chosen = this.chosen(content(bag), faces);
      need(same([...op.slots].sort(), chosen.sort()), "bad-ops", "not the tokens that the answer names");
    } else if (value !== null) {
      const got = op.slots.map((slot) => this.faceOf(slot));
      need(same(got.sort(), [...faces].sort()), "false-gift", "other tokens were given than were chosen");
    }
    const lying = content(bag);
    need(same(op.slots, lying.filter((slot) => op.slots.includes(slot))), "bad-ops", "not as they lie there");
    for (const slot of op.slots) removeSlot(bag, slot);
    this.arrive(op);
  }

  chosen(lying, faces) {
    const [left, out] = [[...lying], []];
    for (const face of faces) {
      const slot = left.find((one) => this.faceOf(one) === face && this.isNext(left, one, face));
      need(slot, "bad-ops", "there is no such token");
      out.push(slot);
      left.splice(left.indexOf(slot), 1);
    }
    return out;
  }

  seek(op) {
    const [bag, slots] = [this.bag(op.bag), op.slots ?? []];
    // The ranking of a seat that decided nothing is fixed by the rules.
    const decided = this.state.held.some((answer) => answer.seat === op.seat);
    const ranking = decided ? this.sealedValue(op) : null;
    const lying = content(bag);
    need(slots.length <= 1 && slots.every((slot) => lying.includes(slot)), "bad-ops", "one token of the container or none");
    if (this.known.secret) {
      const there = lying.map((slot) => this.faceOf(slot));
      const first = (ranking ?? slots.map((slot) => this.faceOf(slot))).filter((face) => there.includes(face));
      need(same(slots, this.chosen(lying, first.slice(0, 1))), "bad-ops", "another token comes first in the ranking");
    }
    for (const slot of slots) removeSlot(bag, slot);
    this.arrive(op);
    const got = slots.map((slot) => this.faceOf(slot)).filter((face) => face !== null);
    need(ranking === null || got.every((face) => ranking.includes(face)), "false-gift", "a token that was not asked for");
  }

  unseal(op) {
    const answer = this.heldBy(op.seat);
    for (const [field, secret] of Object.entries(op.fields)) {
      const shown = commitment(this.table.game, op.round, op.seat, field, secret);
      const good = answer.round === op.round && answer.commit?.[field] === shown;
      need(good, "bad-shown", "what is shown is not what was sealed");
    }
  }

  // -- filling

  put(op) {
    need(op.faces.length, "bad-ops", "a put of nothing is none");
    const bag = this.bag(op.bag);
    for (const face of op.faces) {
      const slot = `${op.bag}+${bag.puts++}`;
      (op.under ? bag.tail : bag.slots).push(slot);
      this.state.faces.set(slot, face);
      this.state.inside.set(face, (this.state.inside.get(face) ?? 0) + 1);
    }
  }

  shuffle(op) {
    const { bag: name, generation, leaves } = op;
    const [bag, seat] = [this.bag(name), ownerOf(this.table, name)];
    need(generation === bag.generation + 1, "bad-shuffle", `${name} is not sealed as its next generation`);
    const before = content(bag);
    need(leaves.length === before.length, "bad-shuffle", `${name} holds another number of tokens than before`);
    const held = before.map((slot) => this.faceOf(slot));
    const slots = leaves.map((_, at) => `${name}.${generation}.${at}`);
    if (this.known.secret) {
      const faces = held.map((face) => face ?? "");
      const made = sealedLeaves(this.known.secret, this.table.seating, name, generation, faces, this.known.chance);
      need(same(leaves, made.map(([, , leaf]) => leaf)), "bad-ops", `${name} was not sealed as M says`);
      for (const [slot, face] of made) this.known.faces.set(slot, face);
    }
    for (const slot of before) this.forget(slot);
    Object.assign(bag, { slots: [...slots], tail: [], generation });
    slots.forEach((slot, at) => this.state.leaves.set(slot, leaves[at]));
    this.sealed.add(name);
    this.mixed.delete(name);
    this.tell(seat, slots);
    if (seat !== null && seat === this.known.seat && !held.includes(null)) {
      const now = slots.map((slot) => this.known.faces.get(slot));
      need(same(now.sort(), held.sort()), "false-hand", `${name} does not hold what it held`);
    }
  }
}

// --- section 6: playing a round --------------------------------------------------------------------------------------

function outranks(one, other) {
  for (let at = 0; at < Math.min(one.length, other.length); at++) if (one[at] !== other[at]) return one[at] > other[at];
  return one.length > other.length;
}

function ranked(scores) {
  return { ranks: scores.map((mine) => 1 + scores.filter((other) => outranks(other, mine)).length), scores };
}

/** The result of a game that all but one have left. */
function leftResult(state) {
  const rounds = new Map(state.left);
  return ranked(allSeats(state).map((seat) => [rounds.get(seat) ?? state.round + 1]));
}

/** Links, timeouts and answers of an entry, before anything is played. */
function takeAnswers(table, state, entry) {
  state.round++;
  const links = new Map(entry.answers.map((answer) => [answer.seat, answer.link]));
  const parts = allSeats(state).map((seat) => fromHex(links.get(seat) ?? ""));
  state.acc = hexOf(H("acc", fromHex(table.game), state.round, fromHex(state.acc), fromHex(entry.link), ...parts));
  state.host_link = [state.round, entry.link];
  for (const answer of entry.answers) {
    const { seat, commit } = answer;
    state.links[seat] = [state.round, answer.link];
    state.missed[seat] = 0;
    if (answer.resign) state.left.push([seat, state.round]);
    if (!("answer" in answer)) continue;
    state.held.push({ seat, round: state.round, answer: answer.answer, ...(commit && { commit }) });
  }
  for (const seat of entry.timeouts ?? []) state.missed[seat]++;
  state.held.sort((one, other) => one.seat - other.seat);
}

function checkOutcome(table, state, entry, play) {
  const [ask, result] = [entry.ask ?? [], entry.result ?? null];
  const seats = ask.map((question) => question.seat);
  const distinct = new Set(seats).size === seats.length && seats.every((seat) => seat < table.seats);
  need(distinct, "rule-broken", "`ask` does not name distinct seats of this table");
  const good = result === null || (result.scores.length === table.seats && same(result, ranked(result.scores)));
  need(good, "rule-broken", "the ranks are not those of the scores");
  need((result === null) === seats.length > 0, "rule-broken", "somebody is asked exactly if there is no result");
  const idle = seats.length && seats.every((seat) => isOut(state, seat)) && !allSeats(state).every((seat) => isOut(state, seat));
  need(!idle || play.sealed.size, "rule-broken", "the game does not go on for seats that are out");
}

/** Play one entry, taking from it what only the rules can tell; `state` becomes the one after it. */
function advance(table, state, entry, id, known) {
  const actor = state.pending.length === 1 ? String(state.pending[0].seat) : "table";
  takeAnswers(table, state, entry);
  const seed = H("seed", fromHex(table.game), state.round, fromHex(state.acc));
  const play = new Play(table, state, seed, known, table.chance && actor);
  const [ops, ask, end, result] = [entry.ops ?? [], entry.ask ?? [], entry.end ?? "", entry.result ?? null];
  const over = state.left.length > 0 && state.left.length >= table.seats - 1;
  const holding = !over && !!entry.timeouts;
  if (over || holding) {
    need(!ops.length, "bad-ops", "this round plays nothing");
    need(same(ask, over ? [] : state.pending), "rule-broken", "`ask` is not right");
    need(same(result, over ? leftResult(state) : null), "rule-broken", "`result` is not right");
  } else {
    play.run(ops);
    checkOutcome(table, state, entry, play);
  }
  const void_ = state.round === LINKS && !over && result === null;
  need(end === (over ? "left" : result ? "result" : void_ ? "void" : ""), "rule-broken", "`end` is not right");
  Object.assign(state, { pending: ask, result, end, public: entry.public, due: entry.due ?? "", newest: id });
  state.holding = holding && !end;
  if (!state.holding) state.held = [];
  return play;
}

/** Play one entry; it must lead to the state that it names, and tell this seat exactly what it is owed. */
function playRound(table, state, entry, id, known) {
  const play = advance(table, state, entry, id, known);
  const after = hexOf(H("state", fromHex(table.game), spelledState(state)));
  need(after === entry.state, "rule-broken", "the state after this round is not the one that the entry names");
  need(!known.openings.get(state.round)?.length, "missing-opening", "this seat was told tokens that it did not get");
  const counts = new Map();
  for (const slot of [...state.bags.values()].flatMap(content)) {
    const face = play.faceOf(slot);
    if (face !== null) counts.set(face, (counts.get(face) ?? 0) + 1);
  }
  for (const [face, count] of counts) {
    need(count <= (state.inside.get(face) ?? 0), "minted", `there are more ${face} than there can be`);
  }
  return play;
}

// --- section 8: whole documents --------------------------------------------------------------------------------------

/** A body that the host signed and that must be readable. */
function readBody(text, kind, code) {
  try {
    const body = parseText(text);
    need(SHAPES[kind](body), "malformed", `the ${kind} has another shape`);
    return body;
  } catch (error) {
    if (!(error instanceof Bad)) throw error;
    throw new Bad(code, error.message);
  }
}

/** What a page needs to explain one round. */
function stepOf(table, before, state, entry, id, play) {
  const answering = entry.answers.map((answer) => answer.seat);
  const faces = (name) => content(state.bags.get(name)).map((slot) => play.faceOf(slot));
  const names = [...state.bags.keys()];
  return {
    round: state.round,
    id,
    entry,
    links: entry.answers.map((answer) => ({ seat: answer.seat, link: answer.link, since: before.links[answer.seat][0] })),
    hostLink: { link: entry.link, since: before.host_link[0] },
    accBefore: before.acc,
    acc: state.acc,
    seed: hexOf(play.seed),
    common: table.chance ? play.actor : "",
    ops: play.told,
    openings: play.openings,
    draws: play.draws,
    timeouts: entry.timeouts ?? [],
    holding: state.holding,
    out: allSeats(state).filter((seat) => isOut(state, seat)),
    left: state.left.map(([seat]) => seat),
    keptOnly: answering.length > 0 && answering.every((seat) => table.players[seat].kept),
    ask: state.pending,
    asked: Object.fromEntries(asked(state)),
    due: state.due,
    result: state.result,
    end: state.end,
    public: entry.public,
    hands: Object.fromEntries(names.filter((name) => ownerOf(table, name) !== null).map((name) => [name, faces(name)])),
    bags: Object.fromEntries(names.map((name) => [name, content(state.bags.get(name)).length])),
  };
}

/** All entries of a document, one after the other; `placed` looks at each when it is signed and in its place, `answered`
 * when its answers are those that were asked for. */
async function followEntries(report, document, known, { placed, answered }) {
  const { table, state } = report;
  for (const signed of document.entries) {
    const round = state.round + 1;
    try {
      const text = await opened(signed, "entry", hexOf(table.host.key));
      const [entry, id] = [readBody(text, "entry", "bad-entry"), idOf("entry", text)];
      await checkPlace(table, state, entry);
      placed?.(entry, id);
      const old = { links: [...state.links], host_link: state.host_link, acc: state.acc };
      checkRound(table, state, entry);
      answered?.(entry);
      const play = playRound(table, state, entry, id, known);
      report.steps.push(stepOf(table, old, state, entry, id, play));
      report.counts.draws += play.draws;
      report.counts.signatures += 1 + entry.answers.length;
      report.counts.openings += play.openings.length;
    } catch (error) {
      if (error instanceof Bad) error.step = round;
      throw error;
    }
  }
}

/** Step 2: round -> the text of this seat's private part, which is read in its round. */
async function readPrivates(document, table) {
  need(document.seat < table.seats, "mixed-view", "this view is for a seat that does not exist");
  const found = new Map();
  let last = 0;
  for (const signed of document.privates ?? []) {
    const text = await opened(signed, "private", hexOf(table.host.key));
    const { game, seat, round } = JSON.parse(text);
    need(game === table.game && seat === document.seat, "mixed-view", "a private part is for another game or seat");
    need(Number.isInteger(round), "bad-private", "a private part has no round");
    need(last < round && round <= document.entries.length, "mixed-view", "private parts are not in the order of rounds");
    found.set((last = round), text);
  }
  return found;
}

async function checkView(report, document, options) {
  need(SHAPES.view(document), "malformed", "the view has another shape");
  report.table = await readGenesis(document.genesis, options);
  report.seat = document.seat;
  report.state = firstState(report.table);
  const privates = await readPrivates(document, report.table);
  report.counts.signatures = 2 + report.table.seats + privates.size;
  const kept = typeof options.own === "function" ? options.own(report.table) : (options.own ?? {});
  const own = Object.entries(kept).map(([round, fields]) => [placeOf(round, document.seat), fields]);
  const known = knowing({ seat: document.seat, sealed: new Map(own) });
  const placed = (entry, id) => {
    const text = privates.get(entry.round);
    if (text === undefined) return;
    const told = readBody(text, "private", "bad-private");
    need(told.entry === id, "false-private", "the host told this seat of another entry than this");
    known.openings.set(entry.round, [...told.openings]);
  };
  await followEntries(report, document, known, { placed });
  checkPosition(report, document);
  report.faces = known.faces;
}

export function positionHash(game, round, position) {
  return hexOf(H("public", fromHex(game), round, canonical(position)));
}

/** Seat -> the standing words that it said last. */
function wordsAfter(steps) {
  const said = steps.flatMap((step) => step.entry.answers).filter((answer) => "standing" in answer);
  return new Map(said.map((answer) => [answer.seat, answer.standing]));
}

/** Step 4; what was said stands in the position, and a round that plays nothing leaves all else as it is. */
function checkPosition(report, document) {
  const { steps, table } = report;
  need("public" in document === steps.length > 0, "mixed-view", "there is a position exactly if there is an entry");
  let position = document.public;
  for (let round = steps.length; round > 0; round--) {
    const { entry } = steps[round - 1];
    const fits = positionHash(table.game, round, position) === entry.public;
    const last = round === steps.length;
    need(fits, last ? "mixed-view" : "rule-broken", last ? "this is not the position" : "a round that plays nothing changed it");
    const [said, before] = [wordsAfter(steps.slice(0, round)), wordsAfter(steps.slice(0, round - 1))];
    const standing = position?.standing;
    const whole = !said.size || (Array.isArray(standing) && standing.length === table.seats);
    const stand = whole && [...said].every(([seat, words]) => same(standing[seat], words));
    need(stand, "rule-broken", "other standing words are in the position than were said");
    if (!entry.timeouts && entry.end !== "left") return;
    const now = wordsAfter([steps[round - 1]]);
    // What it is to have said nothing only the rules can tell.
    if ([...now.keys()].some((seat) => !before.has(seat))) return;
    if (now.size) position = { ...position, standing: standing.map((words, seat) => (now.has(seat) ? before.get(seat) : words)) };
  }
}

function checkSecrets(table, document) {
  const chance = document.chance ? fromHex(document.chance) : null;
  const bound = chance ? hexOf(H("chance", chance)) : "";
  need(bound === table.chance, "bad-secret", "the common chance is not the one that the offer binds");
  const secret = fromHex(document.secret);
  const last = derive(secret, "host-chain", table.host.nonce);
  const tip = hexOf(linkBack(table.host.key, table.host.nonce, LINKS, 0, last));
  need(tip === table.host.tip, "bad-secret", "the secret M is not the one that the offer binds");
  const known = knowing({ secret, chance });
  for (const [name, faces] of Object.entries(table.bags)) {
    const made = sealedLeaves(secret, table.seating, name, 0, faces, chance);
    need(same(table.leaves[name], made.map(([, , leaf]) => leaf)), "bad-bag", `${name} was not filled as M says`);
    for (const [slot, face] of made) known.faces.set(slot, face);
  }
  return known;
}

async function checkTranscript(report, document, options) {
  need(SHAPES.transcript(document), "malformed", "the transcript has another shape");
  report.table = await readGenesis(document.genesis, options);
  report.state = firstState(report.table);
  report.counts.signatures = 2 + report.table.seats;
  const { table, state } = report;
  const known = checkSecrets(table, document);
  const parts = new Map();
  for (const { round, seat, fields } of document.sealed ?? []) {
    need(!parts.has(placeOf(round, seat)), "bad-sealed", "there are two sealed parts of one answer");
    parts.set(placeOf(round, seat), fields);
  }
  const answered = (entry) => {
    for (const { seat, commit } of entry.answers.filter((answer) => answer.commit)) {
      const place = placeOf(entry.round, seat);
      const fields = parts.get(place) ?? {};
      const made = Object.entries(fields).map(([name, secret]) => [name, commitment(table.game, entry.round, seat, name, secret)]);
      need(same(Object.fromEntries(made), commit), "bad-sealed", "the sealed part of an answer is missing, or does not fit");
      parts.delete(place);
      known.sealed.set(place, fields);
    }
  };
  await followEntries(report, document, known, { answered });
  need(!parts.size, "bad-sealed", "there is a sealed part of an answer that was never given");
  need(state.round && (state.end || rests(state)), "not-over", "the game in this transcript is not over");
  report.faces = known.faces;
}

/** One entry after a state that is taken for granted, as in the vectors of kind `round`. */
export async function verifyRound(document, bags) {
  const table = await readGenesis(document.genesis, { bags });
  const state = readState(document.state, document.prev);
  const sealed = (document.sealed ?? []).map((part) => [placeOf(part.round, part.seat), part.fields]);
  const own = Object.entries(document.own ?? {}).map(([round, fields]) => [placeOf(round, document.seat), fields]);
  const known = knowing({
    seat: document.seat ?? null,
    faces: new Map(Object.entries(document.known)),
    secret: document.secret ? fromHex(document.secret) : null,
    sealed: new Map([...sealed, ...own]),
  });
  const text = await opened(document.entry, "entry", hexOf(table.host.key));
  const [entry, id] = [readBody(text, "entry", "bad-entry"), idOf("entry", text)];
  await checkPlace(table, state, entry);
  if (document.private) {
    const told = readBody(await opened(document.private, "private", hexOf(table.host.key)), "private", "bad-private");
    need(told.entry === id, "false-private", "the host told this seat of another entry than this");
    known.openings.set(told.round, [...told.openings]);
  }
  checkRound(table, state, entry);
  playRound(table, state, entry, id, known);
}

// --- single documents ------------------------------------------------------------------------------------------------

function shaped(document, kind) {
  need(kind === "move" ? isMoveFile(document) : envelope(document), "malformed", `the ${kind} has another shape`);
  need(SHAPES[kind](document.body), "malformed", `the ${kind} has another shape`);
}

/** A move, a word or a receipt names a game whose keys are elsewhere: alone only its form can be checked. */
function checkLoose(report, document) {
  shaped(document, report.kind);
}

const CHECKS = {
  view: checkView,
  transcript: checkTranscript,
  async offer(report, document) {
    shaped(document, "offer");
    report.id = await checkOffer(document);
  },
  async join(report, document) {
    shaped(document, "join");
    report.id = await checkJoin(document);
  },
  async genesis(report, document, options) {
    need(envelope(document), "malformed", "the genesis has another shape");
    report.table = await readGenesis(document, options);
  },
  move: checkLoose,
  word: checkLoose,
  receipt: checkLoose,
};

const OTHERS = {
  game: "this is a host's game file, which knows every hidden card: show it to nobody",
  key: "this is a secret key: send it to nobody",
  player: "this is a player's file with a secret key: send it to nobody",
  ticket: "this is what a player's own tool remembers of a game",
};

/** What a document says that it is: `view`, `offer`... */
export function kindOf(document) {
  const name = document?.format ?? document?.type;
  return typeof name === "string" && name.startsWith(PREFIX) ? name.slice(PREFIX.length) : "";
}

function praise(report) {
  const { kind, steps, counts, table } = report;
  if (kind === "offer" || kind === "join") return `this ${kind} is signed by the key that it names`;
  if (kind === "genesis") return "offer, joins and genesis are signed by their keys";
  if (!table) return `this is a ${kind}; its signature shows only beside a view of its game`;
  const what = `${counts.signatures} signatures, ${counts.draws} draws and ${counts.openings} private openings`;
  const foreseen = steps.filter((step) => step.keptOnly && step.draws).length;
  const kept = foreseen ? `; the host could foresee the draws of ${foreseen} rounds, in which kept seats alone answered` : "";
  const common = table.chance ? "; it is a game of common chance: its host knew every draw beforehand" : "";
  return `${steps.length} rounds with ${what} are right${kept}${common}`;
}

/** Faults that can come of bags that somebody only said to be those of the game. */
const OF_BAGS = ["rule-broken", "minted", "bad-bag"];

function failed(report, error) {
  if (error.name === "NotSupportedError" || error.name === "ReferenceError" || !globalThis.crypto?.subtle) {
    error = new Bad("no-crypto", "this browser or Node lacks Ed25519 in WebCrypto: use a newer one");
  }
  if (!(error instanceof Bad)) throw error;
  if (report.table && report.table.bags === report.hint && OF_BAGS.includes(error.code)) {
    error = new Bad("undecided", `by the bags that the aid names, ${error.message}`, error.step);
  }
  report.code = error.code;
  report.round = error.step;
  report.words = error.message;
  report.blames = error.blames ?? (ALTERED.has(error.code) ? "nobody" : "host");
  return report;
}

/**
 * Check one file. `options.bags`: container -> faces before the first draw, from who knows the rules; `options.hint`: the
 * same from somebody who is not believed, for games that are not known here (nobody is accused by them);
 * `options.own`: round -> the fields that the owner of a view sealed, as its tool kept them, or a function that gives that for a
 * table. The report has
 *
 *   kind, ok, code (`ok` or what is wrong), blames (`host`, `nobody` or empty), round (the first bad one, or null), words;
 *   draws: `checked` where all of signatures, links, draws and openings is right, else `not checked`;
 *   rules: `not checked`, always;
 *   document, table, seat, state, steps (one for each round that is right; see `stepOf`), faces (slot -> face), counts.
 */
export async function verify(bytes, options = {}) {
  const report = {
    kind: "", ok: false, code: "", blames: "", round: null, words: "", draws: "not checked", rules: "not checked",
    document: null, table: null, seat: null, state: null, steps: [], faces: new Map(), hint: options.hint,
    counts: { signatures: 0, draws: 0, openings: 0 },
  }; // prettier-ignore
  try {
    const document = parse(bytes, MAX_FILE, ["entries", "privates"]);
    report.document = document;
    report.kind = kindOf(document);
    need(Object.hasOwn(CHECKS, report.kind), "wrong-kind", OTHERS[report.kind] ?? "this is no file that can be checked");
    const large = report.kind === "view" || report.kind === "transcript";
    need(large || bytes.length <= MAX_BODY, "too-large", "the file is larger than any of its kind");
    await CHECKS[report.kind](report, document, options);
  } catch (error) {
    return failed(report, error);
  }
  if (report.steps.length) report.draws = "checked";
  return Object.assign(report, { ok: true, code: "ok", words: praise(report) });
}

// --- section 8: several files ----------------------------------------------------------------------------------------

const NO_PROOF = ["bad-commitment", "revealed", "early"];

/** Check each file, and then all of one game side by side: the host must have told one story. A list of reports, the
 * last of them about all of them together. */
export async function verifyFiles(files, options = {}) {
  const reports = [];
  for (const bytes of files) reports.push(await verify(bytes, options));
  const all = { ...(await verify(new Uint8Array(0))), kind: "several", words: "" };
  // A move or a receipt that cannot be read is nobody's proof.
  const bad = reports.find((report) => !report.ok && CHECKS[report.kind] !== checkLoose);
  if (bad) return [...reports, Object.assign(all, { code: bad.code, blames: bad.blames, round: bad.round, words: bad.words })];
  try {
    await compareFiles(reports);
  } catch (error) {
    return [...reports, failed(all, error)];
  }
  const draws = reports.some((report) => report.draws === "checked") ? "checked" : "not checked";
  return [...reports, Object.assign(all, { ok: true, code: "ok", blames: "", draws, words: "the files agree with each other" })];
}

async function compareFiles(reports) {
  const stories = reports.filter((report) => report.steps.length || report.seat !== null);
  const entries = oneStory(stories);
  const bodies = (kind) => reports.filter((report) => report.ok && report.kind === kind).map((report) => report.document);
  const moves = new Map(bodies("move").map((move) => [idOf("move", bodyText(move)), move]));
  for (const story of stories) {
    const key = hexOf(story.table.host.key);
    const mine = [];
    for (const { body, sig } of bodies("receipt")) {
      if (body.game === story.table.game && (await isSigned("receipt", canonical(body), sig, key))) mine.push(body);
    }
    checkReceipts(mine, entries);
    for (const receipt of mine) {
      const refused = !["taken", "stale", "answered", ...NO_PROOF].includes(receipt.code);
      const legal = refused && moves.has(receipt.move) && (await isGoodWithoutRules(story, moves.get(receipt.move)));
      if (legal) throw new Bad("refused-though-legal", "the host refused a good answer", receipt.round);
    }
  }
}

/** The entries of all files, which do not contradict each other. */
function oneStory(stories) {
  const [geneses, entries] = [new Map(), new Map()];
  for (const { table, steps } of stories) {
    const game = geneses.get(table.offer) ?? table.game;
    geneses.set(table.offer, game);
    need(game === table.game, "two-geneses", "the host started two games from one offer");
    for (const { round, id, entry } of steps) {
      const place = placeOf(round, game);
      const before = entries.get(place) ?? { id, entry };
      entries.set(place, before);
      if (before.id !== id) throw new Bad("two-entries", "the host signed two entries for one round", round);
    }
  }
  return entries;
}

function checkReceipts(receipts, entries) {
  const taken = new Map();
  for (const { game, round, seat, move, code } of receipts) {
    const entry = entries.get(placeOf(round, game))?.entry;
    const late = entry?.timeouts?.includes(seat);
    const place = placeOf(round, seat);
    if (code === "taken") {
      need((taken.get(place) ?? move) === move, "two-taken", "the host took two different answers of one player");
      taken.set(place, move);
      need(!late, "taken-and-timed-out", "the host took an answer and then said that it never came");
      const played = entry?.answers.map((answer) => idOf("move", canonical(rebuiltMove(entry, answer))));
      need(!entry || played.includes(move), "taken-and-dropped", "the host took an answer that the entry does not have");
    }
    need(code !== "answered" || !late, "answered-and-timed-out", "the host had an answer and then said that it never came");
  }
  for (const { move, code } of receipts) {
    const refused = code !== "taken" && !NO_PROOF.includes(code);
    need(!refused || ![...taken.values()].includes(move), "taken-and-refused", "the host took and refused one move");
  }
}

/** Whether a bare link or a resignation was right by what a view or a transcript says. */
async function isGoodWithoutRules(story, move) {
  const { table, steps } = story;
  const { body, sig } = move;
  const at = steps.findIndex((step) => step.id === body.asked);
  if (at < 0 && body.asked !== table.game) return false;
  const questions = at < 0 ? new Map(table.players.map((_, seat) => [seat, null])) : new Map(Object.entries(steps[at].asked).map(([seat, ask]) => [Number(seat), ask]));
  if (body.round !== at + 2 || !questions.has(body.seat) || body.game !== table.game) return false;
  if ("answer" in body || "standing" in body || "commit" in body) return false;
  const player = table.players[body.seat];
  const form = body.resign ? at >= 0 : questions.get(body.seat) === null;
  const linked = reveals(player, [0, player.tip], body.round, body.link);
  return form && linked && isSigned("move", canonical(body), sig, hexOf(player.key));
}

// --- the command line ------------------------------------------------------------------------------------------------

const STATUS = { ok: 0, malformed: 7, "too-large": 7, "wrong-kind": 7, "unknown-game": 7, undecided: 7, "no-crypto": 8 };
const HELP = `usage: node verifier.mjs [--json] [--bags FILE] FILE...

Checks offers, joins, views, transcripts, moves, words and receipts; several files of one game also side by side.
Standard output has one line for each file, and one for all together if there are several: the code, \`ok\` or what is
wrong. Standard error says it in words. With --json each line is an object. --bags names a JSON file with what lies in
the containers before the first draw, for games that are not known here: {"bag": ["red", "red", "blue"]}.

Exit status: 0 all is right (the rules were not checked), 2 usage, 6 a check failed, 7 a file is no good document of its
kind, or one of a game that is not known here, 8 a file cannot be read, or this Node is too old.`;

function inWords(report, name) {
  const where = report.round ? `round ${report.round}: ` : "";
  if (!report.ok) {
    const blame = { host: " (the host signed this)", nobody: " (this blames nobody)" }[report.blames];
    return `${name}: ${where}${report.words}${blame}`;
  }
  const rules = report.draws === "checked" ? "; rules: not checked here, use `referee verify`" : "";
  return `${name}: ${report.words}${rules}`;
}

async function main(process) {
  const { readFileSync } = await import("node:fs");
  const given = process.argv.slice(2);
  const at = given.indexOf("--bags");
  const [bagsFile] = at < 0 ? [] : given.splice(at, 2).slice(1);
  const json = given.includes("--json");
  const names = given.filter((name) => name !== "--json");
  if (!names.length || names.some((name) => name.startsWith("--")) || (at >= 0 && !bagsFile)) {
    console.error(HELP);
    return names.includes("--help") ? 0 : 2;
  }
  let files, options;
  try {
    files = names.map((name) => new Uint8Array(readFileSync(name)));
    options = bagsFile ? { bags: JSON.parse(readFileSync(bagsFile, "utf8")) } : {};
  } catch (error) {
    console.error(`cannot read a file: ${error.message}`);
    return 8;
  }
  const reports = files.length > 1 ? await verifyFiles(files, options) : [await verify(files[0], options)];
  reports.forEach((report, place) => {
    const { kind, ok, code, blames, round, words, draws, rules, counts } = report;
    console.log(json ? JSON.stringify({ kind, ok, code, blames, round, words, draws, rules, counts }) : code);
    console.error(inWords(report, names[place] ?? "all together"));
  });
  const { code } = [...reports].reverse().find((report) => !report.ok) ?? reports[0];
  return STATUS[code] ?? 6;
}

if (globalThis.process?.argv?.[1]?.endsWith("verifier.mjs")) {
  main(globalThis.process).then((status) => (globalThis.process.exitCode = status));
}
