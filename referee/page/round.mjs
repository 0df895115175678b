// One round: the entry in its place, its operations, and the state that it leads to: sections 6 and 7 of
// schemas/PROTOCOL.md, and step 3 of section 8. What only the rules can tell - `ask`, `result`, which operations - is
// taken from the entry.

import { H, canonical, fromHex, hexOf, need } from "./bytes.mjs";
import { LINKS, below, commitment, isSigned, leafOf, minutesOf, orderOf, sealedLeaves, slotParts } from "./wire.mjs";
import { allSeats, asked, content, emptyBag, isOut, ownerOf, removeSlot, resigned, rests, reveals, same } from "./table.mjs";
import { spelledState } from "./table.mjs";
import { inherited, present, settle } from "./seats.mjs";

const ascending = (seats) => seats.every((seat, at) => at === 0 || seats[at - 1] < seat);

// --- section 8, step 3: an entry before its round is played ----------------------------------------------------------

/** The move that a player signed, from what the entry keeps of it. */
export function rebuiltMove(entry, answer) {
  const { sig, ...move } = answer;
  return { ...move, asked: entry.prev, game: entry.game, round: entry.round };
}

/** A protest comes with the first answer after a timeout, and never with a kept key. */
export const mayProtest = (player, missed) => missed > 0 && !player.kept;

export function fitsQuestion(table, answer, question, state) {
  if (answer.protest && !mayProtest(present(table, state)[answer.seat], state.missed[answer.seat])) return false;
  if ("handover" in answer && !(table.takeovers && state.round)) return false;
  const sealed = Object.keys(answer.commit ?? {}).sort();
  if ("box" in answer !== sealed.length > 0) return false;
  if (answer.resign && "standing" in answer) return false;
  if (!("answer" in answer)) {
    if (sealed.length || (answer.resign && state.round === 0)) return false;
    return question === null || state.holding || !!answer.resign;
  }
  if (question === null || answer.resign) return false;
  return same(sealed, [...(question.sealed ?? [])].sort()) && !sealed.some((name) => name in answer.answer);
}

export async function checkPlace(table, state, entry) {
  const round = state.round + 1;
  need(entry.game === table.game && entry.round === round, "altered-chain", "an entry is missing, or belongs to another game");
  need(entry.prev === state.newest, "broken-chain", "the host signed an entry that follows a different one");
  await checkMoves(present(table, state), entry);
}

/** Every answer of an entry is what the player of its seat signed. */
export async function checkMoves(players, entry) {
  const checks = entry.answers.map(async (answer) => {
    const player = players[answer.seat];
    return player && isSigned("move", canonical(rebuiltMove(entry, answer)), answer.sig, hexOf(player.key));
  });
  const good = await Promise.all(checks);
  need(good.every(Boolean), "bad-move", "an answer is not what that player signed for this round");
}

export function checkRound(table, state, entry) {
  need(!state.end, "after-end", "the game was over before this round");
  const [round, questions] = [state.round + 1, asked(state)];
  const [seats, timeouts] = [entry.answers.map((answer) => answer.seat), entry.timeouts ?? []];
  need(ascending(seats) && ascending(timeouts), "bad-round", "seats are not in order");
  const together = [...seats, ...timeouts].sort((one, other) => one - other);
  need(same(together, [...questions.keys()]), "bad-round", "these are not the seats that were asked");
  need(round > 1 || !timeouts.length, "bad-round", "the first round has no deadline to miss");
  need(table.deadline > 0 || !timeouts.length, "bad-round", "without deadlines nobody can be timed out");
  need(seats.length || !rests(state), "bad-round", "a game that rests goes on with an answer");
  for (const answer of entry.answers) {
    need(
      fitsQuestion(table, answer, questions.get(answer.seat), state),
      "bad-round",
      "an answer does not have the form that was asked for",
    );
  }
  checkDue(table, state, entry);
  const players = present(table, state);
  for (const answer of entry.answers) {
    const good = reveals(players[answer.seat], state.links[answer.seat], round, answer.link);
    need(good, "bad-link", "a link is not in its player's chain");
  }
  need(reveals(table.host, state.host_link, round, entry.link), "bad-host-link", "the host's link is not in its chain");
}

function checkDue(table, state, entry) {
  const due = entry.due ?? "";
  need(
    (due !== "") === (table.deadline > 0 && !("end" in entry)),
    "bad-due",
    "a deadline is stated where there is none, or is missing",
  );
  const stated = due ? minutesOf(due) : 0;
  need(stated !== null, "bad-due", "a deadline is not a valid time");
  if (due && entry.timeouts && state.due) {
    const bank = Math.max(0, ...entry.timeouts.map((seat) => state.bank[seat] ?? 0));
    const least = minutesOf(state.due) + bank + table.grace + table.deadline;
    need(stated >= least, "bad-due", "a player was timed out before the deadline");
  }
  checkUsed(state, entry);
}

/** Only late answers use time from a bank, and no more than is left. */
function checkUsed(state, entry) {
  const used = entry.used ?? [];
  const seats = used.map(([seat]) => seat);
  const answered = seats.every((seat) => entry.answers.some((answer) => answer.seat === seat));
  need(ascending(seats) && answered, "bad-due", "time was used from the bank of a seat that did not answer, or twice");
  const left = (seat) => (state.round ? (state.bank[seat] ?? 0) : 0);
  const fits = used.every(([seat, spent]) => spent >= 1 && spent <= left(seat));
  need(fits, "bad-due", "more time was used from a bank than was left in it");
}

/** Whether an entry times a seat out before the end of its extension. */
export function breaksPromise(table, { seat, until }, entry) {
  const stated = minutesOf(entry.due ?? "");
  if (stated === null || !entry.timeouts?.includes(seat)) return false;
  return stated < minutesOf(until) + table.grace + table.deadline;
}

// --- section 7: the operations of an entry ---------------------------------------------------------------------------

/** What a reader knows beside the entries: one seat's private parts, or M and all sealed fields; or what a proof shows,
 * `told` (seat -> its openings in this round): seats not in it may have been told anything. `left`: round and seat ->
 * what a private part says about sealed answers. */
export function knowing(more = {}) {
  const nothing = { seat: null, told: null, secret: null, chance: null };
  return { ...nothing, openings: new Map(), faces: new Map(), sealed: new Map(), left: new Map(), ...more };
}

export const placeOf = (round, seat) => `${round}/${seat}`;

class Play {
  constructor(table, state, seed, known, actor) {
    Object.assign(this, { table, state, seed, known, actor });
    this.draws = 0;
    this.mixed = new Set();
    this.sealed = new Set();
    this.last = null;
    this.untold = false; // whether the view lacks what this seat was told in this round
    this.told = []; // what each operation did, for people
    this.openings = []; // what this reader was told in this round
  }

  run(ops) {
    for (const op of ops) {
      this.now = { ...op, draws: [] };
      this.told.push(this.now);
      for (const name of [op.bag, op.into]) if (name !== undefined) this.bag(name);
      this[op.op](op);
      this.last = op;
    }
    need(!this.mixed.size, "bad-ops", "a hand that received tokens was not resealed");
  }

  bag(name) {
    if (!this.state.bags.has(name)) this.state.bags.set(name, emptyBag());
    return this.state.bags.get(name);
  }

  faceOf(slot) {
    return this.state.faces.get(slot) ?? this.known.faces.get(slot) ?? null;
  }

  // -- dice and picks

  /** The next number below n; null if it takes the secret of common chance to tell. */
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
      need(
        drawn === null || value === 1 + drawn,
        this.actor ? "bad-ops" : "bad-die",
        "chance gives the die another value",
      );
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

  /** Move slots face down into another container. */
  arrive(op) {
    const [into, seat, slots] = [this.bag(op.into), ownerOf(this.table, op.into), op.slots ?? []];
    const before = content(into).length;
    into.slots.push(...slots);
    this.tell(seat, slots);
    if (seat === null || !slots.length) return;
    if (before || into.slots.some((slot) => this.recognised(seat, slot))) this.mixed.add(op.into);
  }

  /** Whether anybody but the owner of a hand could tell this slot from others. */
  recognised(seat, slot) {
    return this.state.faces.has(slot) || (this.state.told.get(slot) ?? []).some((other) => other !== seat);
  }

  tell(seat, slots) {
    for (const slot of slots) {
      const told = this.state.told.get(slot) ?? [];
      if (seat === null || !this.state.leaves.has(slot) || told.includes(seat)) continue;
      this.state.told.set(slot, [...told, seat]);
      if (this.known.told ? this.known.told.has(seat) : seat === this.known.seat) this.readOpening(seat, slot);
    }
  }

  /** The next opening in this seat's private part is for this slot, and true. */
  readOpening(seat, slot) {
    const mine = this.known.told ? this.known.told.get(seat) : this.known.openings.get(this.state.round);
    if (!mine) {
      // Whoever passed the view on may have left it out: faults that everybody can see come first.
      this.untold = true;
      Object.assign(this.known, { seat: null, faces: new Map(), sealed: new Map() });
      return;
    }
    need(mine.length && mine[0].slot === slot, "missing-opening", `this seat should have been told ${slot}`);
    const opening = mine.shift();
    need(this.fits(slot, opening.face, opening.salt), "bad-opening", `${slot} does not hold what this seat was told`);
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
      need(first, "bad-ops", `another of the equal tokens in ${op.bag} comes first`);
    }
  }

  "lay-out-all"(op) {
    const [bag, face, shown] = [this.bag(op.bag), op.face ?? "", op.tokens.map((token) => token.slot)];
    const lying = content(bag);
    need(
      shown.every((slot) => lying.includes(slot)),
      "bad-opening",
      `a token is not in ${op.bag}`,
    );
    const kept = lying.filter((slot) => !shown.includes(slot) && (!face || this.faceOf(slot) === face));
    need(!kept.length, "withheld", `something in ${op.bag} was withheld`);
    need(
      same(
        shown,
        lying.filter((slot) => shown.includes(slot)),
      ),
      "bad-ops",
      "not in the order in which they lie",
    );
    for (const token of op.tokens) {
      need(!face || token.face === face, "bad-ops", "not the face that was asked for");
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
    // A player who signed twice has kept several values, and perhaps not the one that was accepted.
    const kept = [this.known.sealed.get(placeOf(answer.round, op.seat)) ?? []].flat();
    const secrets = kept.filter((fields) => Object.hasOwn(fields, op.field)).map((fields) => fields[op.field]);
    const fits = (secret) => commitment(this.table.game, answer.round, op.seat, op.field, secret) === wanted;
    return secrets.find(fits)?.value ?? null;
  }

  give(op) {
    const [bag, value] = [this.bag(op.bag), this.sealedValue(op)];
    need(new Set(op.slots).size === op.slots.length, "bad-ops", "a token is given twice");
    const faces = Array.isArray(value) ? value : [value];
    if (value !== null && this.known.secret) {
      const chosen = this.chosen(content(bag), faces);
      need(same([...op.slots].sort(), chosen.sort()), "bad-ops", "not the tokens that the answer names");
    } else if (value !== null) {
      need(op.slots.length === faces.length, "false-gift", "the number of tokens given is not the number chosen");
      const left = [...faces];
      for (const face of op.slots.map((slot) => this.faceOf(slot)).filter((one) => one !== null)) {
        need(left.includes(face), "false-gift", "other tokens were given than were chosen");
        left.splice(left.indexOf(face), 1);
      }
    }
    const lying = content(bag);
    need(
      same(
        op.slots,
        lying.filter((slot) => op.slots.includes(slot)),
      ),
      "bad-ops",
      "not as they lie there",
    );
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
    need(
      slots.length <= 1 && slots.every((slot) => lying.includes(slot)),
      "bad-ops",
      "one token of the container or none",
    );
    if (this.known.secret) {
      const there = lying.map((slot) => this.faceOf(slot));
      const first = (ranking ?? slots.map((slot) => this.faceOf(slot))).filter((face) => there.includes(face));
      need(same(slots, this.chosen(lying, first.slice(0, 1))), "bad-ops", "another token comes first in the ranking");
    }
    for (const slot of slots) removeSlot(bag, slot);
    this.arrive(op);
    const got = slots.map((slot) => this.faceOf(slot)).filter((face) => face !== null);
    need(
      ranking === null || got.every((face) => ranking.includes(face)),
      "false-gift",
      "a token that was not asked for",
    );
  }

  unseal(op) {
    const answer = this.heldBy(op.seat);
    need(Object.keys(op.fields).length, "bad-ops", "nothing of a sealed answer is shown");
    for (const [field, secret] of Object.entries(op.fields)) {
      const shown = commitment(this.table.game, op.round, op.seat, field, secret);
      const good = answer.round === op.round && answer.commit?.[field] === shown;
      need(good, "bad-shown", "what is shown is not what was sealed");
    }
  }

  // -- filling

  put(op) {
    need(op.faces.length, "bad-ops", "a `put` without tokens is not an operation");
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
    need(leaves.length === before.length, "bad-shuffle", `${name} does not hold the same number of tokens as before`);
    const held = before.map((slot) => this.faceOf(slot));
    const slots = leaves.map((_, at) => `${name}.${generation}.${at}`);
    if (this.known.secret) {
      const faces = held.map((face) => face ?? "");
      const made = sealedLeaves(this.known.secret, this.table.seating, name, generation, faces, this.known.chance);
      need(
        same(
          leaves,
          made.map(([, , leaf]) => leaf),
        ),
        "bad-ops",
        `${name} was not sealed as M says`,
      );
      for (const [slot, face] of made) this.known.faces.set(slot, face);
    }
    for (const slot of before) this.forget(slot);
    Object.assign(bag, { slots: [...slots], tail: [], generation });
    slots.forEach((slot, at) => this.state.leaves.set(slot, leaves[at]));
    this.sealed.add(name);
    this.mixed.delete(name);
    this.tell(seat, slots);
    const now = slots.map((slot) => this.known.faces.get(slot) ?? null);
    if (![...held, ...now].includes(null)) {
      need(same(now.sort(), held.sort()), "false-hand", `${name} no longer holds what it held`);
    }
  }
}

// --- section 6: playing a round --------------------------------------------------------------------------------------

function outranks(one, other) {
  for (let at = 0; at < Math.min(one.length, other.length); at++) if (one[at] !== other[at]) return one[at] > other[at];
  return one.length > other.length;
}

/** Players who resigned are ranked last, the later the better; seats that are out by timeouts alone are named. */
function resultOf(state, scores) {
  const rounds = new Map(state.left);
  const keys = scores.map((score, seat) => [rounds.get(seat) ?? LINKS + 1, ...score]);
  const ranks = keys.map((mine) => 1 + keys.filter((other) => outranks(other, mine)).length);
  const late = allSeats(state).filter((seat) => isOut(state, seat) && !resigned(state, seat));
  return { ...(late.length && { out: late }), ranks, scores };
}

/** The result of a game that all but one have left. */
function leftResult(state) {
  const rounds = new Map(state.left);
  return resultOf(
    state,
    allSeats(state).map((seat) => [rounds.get(seat) ?? state.round + 1]),
  );
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
  const [late, used] = [entry.timeouts ?? [], new Map(entry.used ?? [])];
  state.bank = state.bank.map((left, seat) => (late.includes(seat) ? 0 : left - (used.get(seat) ?? 0)));
  state.held.sort((one, other) => one.seat - other.seat);
}

function checkOutcome(table, state, entry, play) {
  const [ask, result] = [entry.ask ?? [], entry.result ?? null];
  const seats = ask.map((question) => question.seat);
  const distinct = new Set(seats).size === seats.length && seats.every((seat) => seat < table.seats);
  need(distinct, "rule-broken", "`ask` does not name distinct seats of this table");
  const even = result === null || new Set(result.scores.map((score) => score.length)).size === 1;
  const good = result === null || (result.scores.length === table.seats && same(result, resultOf(state, result.scores)));
  need(even && good, "rule-broken", "the result does not follow from the scores");
  need((result === null) === seats.length > 0, "rule-broken", "somebody must be asked if, and only if, there is no result");
  const idle =
    seats.length && seats.every((seat) => isOut(state, seat)) && !allSeats(state).every((seat) => isOut(state, seat));
  need(!idle || play.sealed.size, "rule-broken", "the game does not go on for seats that are out");
}

/** Play one entry, taking from it what only the rules can tell; `state` becomes the one after it. */
function advance(table, state, entry, id, known) {
  const actor = state.pending.length === 1 ? String(state.pending[0].seat) : "table";
  const players = present(table, state);
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
  settle(state, entry, players);
  return play;
}

/** Play one entry; it must lead to the state that it names, and tell this seat exactly what it should be told. */
export function playRound(table, state, entry, id, known) {
  const play = advance(table, state, entry, id, known);
  const told = known.told ? [...known.told.values()] : [known.openings.get(state.round) ?? []];
  need(!told.some((openings) => openings.length), "missing-opening", "a seat was told about tokens that it did not get");
  const after = hexOf(H("state", fromHex(table.game), spelledState(state)));
  need(after === entry.state, "rule-broken", "the state after this round is not the one that the entry names");
  need(!play.untold, "missing-private", "what this seat was told in this round is not in the view");
  if (!entry.timeouts && state.end !== "left") checkCounts(state, play);
  const readers = known.secret ? [] : known.told ? [...known.told.keys()] : [known.seat].filter((seat) => seat !== null);
  for (const seat of readers) {
    const left = known.left.get(placeOf(state.round, seat)) ?? null;
    for (const [round, fields] of inherited(table, state, seat, left)) known.sealed.set(placeOf(round, seat), fields);
  }
  return play;
}

/** The known contents of containers are not more than there can be. */
function checkCounts(state, play) {
  const counts = new Map();
  for (const slot of [...state.bags.values()].flatMap(content)) {
    const face = play.faceOf(slot);
    if (face !== null) counts.set(face, (counts.get(face) ?? 0) + 1);
  }
  for (const [face, count] of counts) {
    need(count <= (state.inside.get(face) ?? 0), "minted", `there are more ${face} than there can be`);
  }
}
