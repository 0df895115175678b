// Rounds as PROTOCOL.md, sections 6 and 7, has them, one operation at a time, under Node: each check by its name, what
// fails is printed.

import assert from "node:assert/strict";

const { pathname } = new URL(process.argv[2], "file://");
const load = (name) => import(`file://${pathname}/${name}.mjs`);
const { Bad, H, fromHex, hexOf } = await load("bytes");
const { below, commitment, leafOf, linkBack, orderOf, saltOf, sealedLeaves } = await load("wire");
const { firstState, ownerOf, spelledState } = await load("table");
const { bagsOf } = await load("bags");
const round = await load("round");

const hex = (digit) => digit.repeat(64);
const [GAME, LINK, SALT, SECRET] = [hex("1"), hex("2"), hex("3"), fromHex(hex("4"))];
const SEATING = fromHex(hex("5"));
const ASK = [{ seat: 0, what: "bid" }];
const table = { game: GAME, seating: SEATING, seats: 3, hands: ["hand"], players: [], chance: "", deadline: 0, grace: 0 };

/** Three seats after round 4, with open tokens `name -> [slots' faces, tail's faces]`. */
function after({ bags = {}, held = [], pending = ASK, ...more } = {}) {
  const tips = Array.from({ length: 3 }, () => ({ tip: hex("6") }));
  const state = firstState({ ...table, host: { tip: hex("6") }, players: tips, leaves: {} });
  Object.assign(state, structuredClone({ round: 4, pending, held, newest: hex("7"), ...more }));
  for (const [name, [faces, tail = []]] of Object.entries(bags)) {
    const slots = [...faces, ...tail].map((_, at) => `${name}+${at}`);
    [...faces, ...tail].forEach((face, at) => {
      state.faces.set(slots[at], face);
      state.inside.set(face, (state.inside.get(face) ?? 0) + 1);
    });
    state.bags.set(name, { generation: -1, puts: slots.length, slots: slots.slice(0, faces.length), tail: slots.slice(faces.length) });
  }
  return state;
}

/** Tokens of a container as a shuffle with the secret leaves them: nobody else knows which is which. */
function seal(state, name, faces, generation = 0) {
  const made = sealedLeaves(SECRET, SEATING, name, generation, faces);
  state.bags.set(name, { generation, puts: 0, slots: made.map(([slot]) => slot), tail: [] });
  for (const [slot, face, leaf] of made) {
    state.leaves.set(slot, leaf);
    state.inside.set(face, (state.inside.get(face) ?? 0) + 1);
  }
  return new Map(made.map(([slot, face]) => [slot, face]));
}

/** Play one entry: code and words of what is wrong with it, both empty if nothing is, the state, and what was played. */
function played(state, ops, { known = {}, chance = "", ...more } = {}) {
  const entry = { answers: [], link: LINK, public: hex("8"), ask: ASK, ops, ...more };
  const copy = structuredClone(state);
  const run = (on, named) => round.playRound({ ...table, chance }, on, { ...entry, state: named }, hex("9"), round.knowing(structuredClone(known)));
  try {
    run(state, "");
  } catch (error) {
    if (!(error instanceof Bad)) throw error;
    if (!error.message.startsWith("the state after this round")) return { code: error.code, words: error.message, state };
    assert.equal(error.code, "rule-broken");
  }
  try {
    const play = run(copy, hexOf(H("state", fromHex(GAME), spelledState(state))));
    return { code: "", words: "", state, play };
  } catch (error) {
    return { code: error.code, words: error.message, state };
  }
}

function seedOf(state) {
  const acc = H("acc", fromHex(GAME), 5, fromHex(state.acc), fromHex(LINK), ...[0, 1, 2].map(() => new Uint8Array(0)));
  return H("seed", fromHex(GAME), 5, acc);
}

const drawn = (number, n) => below(seedOf(after()), number, n);
const refused = (said, code, words) => {
  assert.equal(said.code, code, said.words);
  assert.ok(said.words.includes(words), `${said.words}: ${words}`);
};
const good = (said) => {
  assert.equal(said.words, "");
  return said;
};
const open = (slot, face) => ({ slot, face });
const FULL = { bags: { bag: [["red", "blue", "red"]] } };

const CHECKS = {
  "a die shows what chance gives, one operation for all of a kind"() {
    const values = [1 + drawn(0, 6), 1 + drawn(1, 6)];
    const { play } = good(played(after(), [{ op: "die", sides: 6, values }]));
    assert.equal(play.draws, 2);
    assert.deepEqual(play.told[0].draws, values.map((value, number) => ({ number, below: 6, value: value - 1 })));
    refused(played(after(), [{ op: "die", sides: 6, values: [(values[0] % 6) + 1] }]), "bad-die", "chance gives");
    for (const value of [0, 7]) refused(played(after(), [{ op: "die", sides: 6, values: [value] }]), "bad-die", "more than it has sides");
    refused(played(after(), [{ op: "die", sides: 6, values: [] }]), "bad-ops", "one operation");
    const apart = values.map((value) => ({ op: "die", sides: 6, values: [value] }));
    refused(played(after(), apart), "bad-ops", "one operation");
    const [first, coin, last] = [drawn(0, 6), drawn(1, 2), drawn(2, 6)].map((value) => [value + 1]);
    good(played(after(), [{ op: "die", sides: 6, values: first }, { op: "die", sides: 2, values: coin }, { op: "die", sides: 6, values: last }]));
    good(played(after(), [{ op: "die", sides: 1, values: [1] }]));
  },

  "common chance counts who drew what, and a view accepts any face of a die"() {
    const C = fromHex(hex("c"));
    const chance = hexOf(H("chance", C));
    const from = (what, actor, count, n) => below(H("common", C, what, actor, count), 0, n);
    const dice = (...values) => [{ op: "die", sides: 6, values }];
    for (const value of [1, 6]) good(played(after(), dice(value), { chance }));
    refused(played(after(), dice(7), { chance }), "bad-die", "more than it has sides");
    const right = [from("die 6", "0", 2, 6) + 1, from("die 6", "0", 3, 6) + 1];
    const before = { drawn: { "die 6 0": 2 } };
    const { state, play } = good(played(after(before), dice(...right), { chance, known: { chance: C } }));
    assert.deepEqual(state.drawn, { "die 6 0": 4 });
    assert.deepEqual(play.told[0].draws[1], { number: 1, below: 6, value: right[1] - 1, what: "die 6", actor: "0", count: 3 });
    refused(played(after(before), dice((right[0] % 6) + 1), { chance, known: { chance: C } }), "bad-ops", "chance gives");
    const two = [...ASK, { seat: 1, what: "bid" }];
    const all = from("die 6", "table", 0, 6) + 1;
    assert.deepEqual(good(played(after({ pending: two }), dice(all), { chance, known: { chance: C } })).state.drawn, { "die 6 table": 1 });
    const at = from("bag", "0", 0, 3);
    const take = (place) => [{ op: "take", bag: "bag", tokens: [open(`bag+${place}`, ["red", "blue", "red"][place])] }];
    for (const place of [0, 1, 2]) good(played(after(FULL), take(place), { chance }));
    good(played(after(FULL), take(at), { chance, known: { chance: C } }));
    refused(played(after(FULL), take((at + 1) % 3), { chance, known: { chance: C } }), "bad-ops", "chance does not pick");
  },

  "what is taken is what chance picks, then what lies on top, then nothing"() {
    const faces = ["red", "blue", "red"];
    const at = drawn(0, 3);
    const token = (place) => open(`bag+${place}`, faces[place]);
    const take = (...tokens) => [{ op: "take", bag: "bag", tokens }];
    const deal = (...slots) => [{ op: "deal", bag: "bag", into: "pile", slots }];
    const left = [0, 1, 2].filter((place) => place !== at);
    const one = good(played(after(FULL), take(token(at))));
    assert.deepEqual(one.state.bags.get("bag").slots, left.map((place) => `bag+${place}`));
    assert.equal(one.state.faces.has(`bag+${at}`), false);
    assert.deepEqual(one.play.told[0].draws, [{ number: 0, below: 3, value: at }]);
    const second = left[drawn(1, 2)];
    const third = left.find((place) => place !== second);
    const all = good(played(after(FULL), take(token(at), token(second), token(third))));
    assert.deepEqual([all.play.draws, [...all.state.inside.values()]], [3, [0, 0]]);
    for (const make of [(place) => take(token(place)), (place) => deal(`bag+${place}`)]) {
      refused(played(after(FULL), make((at + 1) % 3)), "bad-pick", "chance does not pick bag+");
      refused(played(after({ bags: { bag: [[]] } }), make(0)), "bad-pick", "nothing is left to draw in bag");
      refused(played(after(), make(0)), "bad-pick", "nothing is left to draw in bag");
    }
    refused(played(after(FULL), take(open("bag+9", "red"))), "bad-pick", "bag+9 is not in bag");
    const tail = { bags: { bag: [[], faces] } };
    const top = good(played(after(tail), take(token(0), token(1))));
    assert.deepEqual([top.play.draws, top.play.told[0].draws, top.state.bags.get("bag").tail], [0, [null, null], ["bag+2"]]);
    refused(played(after(tail), take(token(1))), "bad-pick", "another token lies on top of bag");
    refused(played(after(tail), deal("bag+1")), "bad-pick", "another token lies on top of bag");
    const both = { bags: { bag: [["red"], ["blue"]] } };
    const mixed = good(played(after(both), deal("bag+0", "bag+1")));
    assert.deepEqual([mixed.play.draws, mixed.state.bags.get("pile").slots], [1, ["bag+0", "bag+1"]]);
    refused(played(after(both), deal("bag+1", "bag+0")), "bad-pick", "bag+1 is not in bag");
  },

  "nothing is drawn from a container in the round in which it was sealed"() {
    const leaves = [SALT, SALT, SALT];
    const shuffle = { op: "shuffle", bag: "bag", generation: 0, leaves };
    const slot = `bag.0.${drawn(0, 3)}`;
    for (const draw of [{ op: "take", bag: "bag", tokens: [{ slot, face: "red", salt: SALT }] }, { op: "deal", bag: "bag", into: "pile", slots: [slot] }]) {
      refused(played(after(FULL), [shuffle, draw]), "bad-ops", "nothing is drawn from bag in the round in which it was sealed");
    }
    const other = after({ bags: { ...FULL.bags, cup: [["x"]] } });
    good(played(other, [shuffle, { op: "take", bag: "cup", tokens: [open("cup+0", "x")] }]));
  },

  "an opened token is what lies in its slot, and there are no more than there can be"() {
    const lay = (token) => [{ op: "lay-out", bag: "bag", tokens: [token] }];
    refused(played(after(FULL), lay(open("bag+0", "blue"))), "bad-opening", "bag+0 does not hold blue");
    refused(played(after(FULL), lay({ ...open("bag+0", "red"), salt: SALT })), "bad-opening", "bag+0 does not hold red");
    refused(played(after(FULL), lay(open("bag+9", "red"))), "bad-opening", "bag+9 is not in bag");
    refused(played(after(FULL), lay(open("bag+2", "red"))), "bad-ops", "another of the equal tokens in bag comes first");
    const few = after(FULL);
    few.inside.set("red", 0);
    refused(played(few, lay(open("bag+0", "red"))), "minted", "there are more red than there can be");
    const more = after(FULL);
    more.inside.set("red", 1);
    refused(played(more, []), "minted", "there are more red than there can be");
    good(played(more, [], { timeouts: [0] }));
    const twice = [{ op: "lay-out", bag: "bag", tokens: [open("bag+0", "red"), open("bag+2", "red")] }];
    assert.deepEqual([...good(played(after(FULL), twice)).state.inside], [["red", 0], ["blue", 1]]);
    const hidden = after();
    seal(hidden, "bag", ["red"]);
    refused(played(hidden, lay(open("bag.0.0", "red"))), "bad-opening", "does not hold red");
  },

  "of equal tokens the one with the smallest order comes first, if the secret is known"() {
    const faces = ["red", "red", "blue"];
    const state = after();
    const lies = seal(state, "bag", faces);
    const salts = Object.fromEntries([...lies].map(([slot, face], at) => [slot, saltFor("bag", 0, at, face, state)]));
    const reds = [...lies].filter(([, face]) => face === "red").map(([slot]) => slot);
    const order = (slot) => orderOf(SECRET, SEATING, "bag", 0, Number(slot.split(".")[2]));
    const [first, second] = order(reds[0]) < order(reds[1]) ? reds : [...reds].reverse();
    const lay = (slot) => [{ op: "lay-out", bag: "bag", tokens: [{ slot, face: "red", salt: salts[slot] }] }];
    const known = { secret: SECRET, faces: lies };
    good(played(structuredClone(state), lay(first), { known }));
    refused(played(structuredClone(state), lay(second), { known }), "bad-ops", "another of the equal tokens in ");
    good(played(structuredClone(state), lay(second)));
  },

  "all of a container, or all of a face, in the order in which they lie"() {
    const state = () => after({ bags: { bag: [["red", "blue"], ["red"]] } });
    const all = (face, ...places) => [{ op: "lay-out-all", bag: "bag", ...(face && { face }), tokens: places.map(([at, held]) => open(`bag+${at}`, held)) }];
    const [a, b, c] = [[0, "red"], [1, "blue"], [2, "red"]];
    assert.deepEqual(good(played(state(), all("", a, b, c))).state.bags.get("bag").tail, []);
    assert.deepEqual(good(played(state(), all("red", a, c))).state.bags.get("bag").slots, ["bag+1"]);
    good(played(state(), all("green")));
    refused(played(state(), all("", a, b)), "withheld", "something in bag was withheld");
    refused(played(state(), all("red", a)), "withheld", "something in bag was withheld");
    refused(played(state(), all("", b, a, c)), "bad-ops", "not in the order in which they lie");
    refused(played(state(), all("red", a, b, c)), "bad-ops", "not the face that was asked for");
    refused(played(state(), all("", a, b, c, [7, "red"])), "bad-opening", "a token is not in bag");
  },

  "tokens put into a container get the next numbers, and lie in it or under it"() {
    const put = (...faces) => ({ op: "put", bag: "bag", faces });
    const { state } = good(played(after(FULL), [put("green", "red"), { ...put("blue"), under: true }]));
    assert.deepEqual(state.bags.get("bag"), { generation: -1, puts: 6, slots: ["bag+0", "bag+1", "bag+2", "bag+3", "bag+4"], tail: ["bag+5"] });
    assert.deepEqual([...state.inside], [["red", 3], ["blue", 2], ["green", 1]]);
    assert.deepEqual([state.faces.get("bag+3"), state.faces.get("bag+5")], ["green", "blue"]);
    assert.deepEqual(good(played(after(), [put("x")])).state.bags.get("bag").slots, ["bag+0"]);
    refused(played(after(), [put()]), "bad-ops", "a `put` without tokens is not an operation");
  },

  "a shuffle is the next generation, as large as before, and forgets what lay there"() {
    const shuffle = (generation, count) => [{ op: "shuffle", bag: "bag", generation, leaves: Array(count).fill(SALT) }];
    const { state } = good(played(after({ bags: { bag: [["red"], ["blue"]] } }), shuffle(0, 2)));
    assert.deepEqual(state.bags.get("bag"), { generation: 0, puts: 2, slots: ["bag.0.0", "bag.0.1"], tail: [] });
    assert.deepEqual([[...state.faces], [...state.leaves]], [[], [["bag.0.0", SALT], ["bag.0.1", SALT]]]);
    for (const generation of [1, 2]) refused(played(after(FULL), shuffle(generation, 3)), "bad-shuffle", "is not sealed as its next generation");
    for (const count of [2, 4]) refused(played(after(FULL), shuffle(0, count)), "bad-shuffle", "does not hold the same number of tokens as before");
    const faces = ["red", "blue", "red"];
    const leaves = sealedLeaves(SECRET, SEATING, "bag", 0, faces).map(([, , leaf]) => leaf);
    const known = { secret: SECRET };
    good(played(after(FULL), [{ op: "shuffle", bag: "bag", generation: 0, leaves }], { known }));
    refused(played(after(FULL), shuffle(0, 3), { known }), "bad-ops", "bag was not sealed as M says");
  },

  "a hand is resealed if others could tell its tokens apart"() {
    const words = "a hand that received tokens was not resealed";
    const sealed = (more = {}) => {
      const state = after(more);
      seal(state, "cup", ["x"]);
      return state;
    };
    const deal = (into, slots = ["cup.0.0"]) => ({ op: "deal", bag: "cup", into, slots });
    const { state } = good(played(sealed(), [deal("hand/1")]));
    assert.deepEqual([...state.told], [["cup.0.0", [1]]]);
    assert.deepEqual(state.bags.get("hand/1").slots, ["cup.0.0"]);
    const holds = { bags: { "hand/1": [["y"]] } };
    refused(played(sealed(holds), [deal("hand/1")]), "bad-ops", words);
    const anew = { op: "shuffle", bag: "hand/1", generation: 0, leaves: [SALT, SALT] };
    assert.deepEqual([...good(played(sealed(holds), [deal("hand/1"), anew])).state.told.values()], [[1], [1]]);
    good(played(sealed(holds), [deal("hand/1", [])]));
    for (const other of ["pile", "pile/1", "hand/3", "hand/01"]) {
      const there = good(played(sealed({ bags: { [other]: [["y"]] } }), [deal(other)]));
      assert.deepEqual([...there.state.told], [], other);
    }
    refused(played(after({ bags: { cup: [["x"]] } }), [deal("hand/1", ["cup+0"])]), "bad-ops", words);
    const known = sealed();
    known.told.set("cup.0.0", [2]);
    refused(played(known, [deal("hand/1")]), "bad-ops", words);
    const own = sealed();
    own.told.set("cup.0.0", [1]);
    assert.deepEqual([...good(played(own, [deal("hand/1")])).state.told], [["cup.0.0", [1]]]);
  },

  "a seat is told what it gets, all of it, truly and nothing else"() {
    const state = () => {
      const made = after();
      seal(made, "cup", ["x"]);
      return made;
    };
    const salt = saltFor("cup", 0, 0, "x", state());
    const told = (...openings) => ({ known: { seat: 1, openings: new Map([[5, openings]]) } });
    const deal = (into) => [{ op: "deal", bag: "cup", into, slots: ["cup.0.0"] }];
    const right = { slot: "cup.0.0", face: "x", salt };
    const { play } = good(played(state(), deal("hand/1"), told(right)));
    assert.deepEqual(play.openings, [{ ...right, leaf: state().leaves.get("cup.0.0") }]);
    assert.equal(play.faceOf("cup.0.0"), "x");
    refused(played(state(), deal("hand/1"), { known: { seat: 1 } }), "missing-private", "is not in the view");
    refused(played(state(), deal("hand/1"), told()), "missing-opening", "should have been told cup.0.0");
    refused(played(state(), deal("hand/1"), told({ ...right, slot: "cup.0.1" })), "missing-opening", "should have been told cup.0.0");
    refused(played(state(), deal("hand/1"), told({ ...right, face: "y" })), "bad-opening", "does not hold what this seat was told");
    refused(played(state(), deal("hand/1"), told({ ...right, salt: SALT })), "bad-opening", "does not hold what this seat was told");
    refused(played(state(), deal("hand/1"), told(right, right)), "missing-opening", "tokens that it did not get");
    refused(played(state(), deal("hand/2"), told(right)), "missing-opening", "tokens that it did not get");
    good(played(state(), deal("hand/2"), { known: { seat: 1 } }));
    const shown = (seat, openings) => ({ known: { told: new Map([[seat, openings]]) } });
    good(played(state(), deal("hand/1"), shown(1, [right])));
    refused(played(state(), deal("hand/1"), shown(1, [])), "missing-opening", "this seat should have been told");
    good(played(state(), deal("hand/1"), shown(2, [])));
    refused(played(state(), deal("hand/1"), shown(2, [right])), "missing-opening", "tokens that it did not get");
  },

  "a resealed hand holds what it held, as far as its owner can tell"() {
    const salt = hex("d");
    const leaf = (face, index) => leafOf(SEATING, "hand/1", 0, index, fromHex(salt), face);
    const again = (...faces) => [{ op: "shuffle", bag: "hand/1", generation: 0, leaves: faces.map(leaf) }];
    const told = (...faces) => ({ known: { seat: 1, openings: new Map([[5, faces.map((face, at) => ({ slot: `hand/1.0.${at}`, face, salt }))]]) } });
    const state = () => after({ bags: { "hand/1": [["red", "blue"]] } });
    good(played(state(), again("blue", "red"), told("blue", "red")));
    const more = state();
    more.inside.set("red", 2);
    refused(played(more, again("red", "red"), told("red", "red")), "false-hand", "hand/1 no longer holds what it held");
  },

  "a gift is what the sealed answer names"() {
    const fields = (value) => ({ wish: { salt: SALT, value } });
    const state = (value) => after({
      bags: { bag: [["red", "blue", "red"]] },
      held: [{ seat: 0, round: 3, answer: {}, commit: { wish: commitment(GAME, 3, 0, "wish", fields(value).wish) } }],
    });
    const knows = (value, more = {}) => ({ known: { sealed: new Map([["3/0", fields(value)]]), ...more } });
    const give = (...slots) => [{ op: "give", seat: 0, field: "wish", bag: "bag", into: "pile", slots }];
    assert.deepEqual(good(played(state(["red", "blue"]), give("bag+0", "bag+1"), knows(["red", "blue"]))).state.bags.get("pile").slots, ["bag+0", "bag+1"]);
    good(played(state("blue"), give("bag+1"), knows("blue")));
    good(played(state("blue"), give("bag+0"), knows("green")));
    good(played(state("blue"), give("bag+0")));
    refused(played(state("blue"), give("bag+0"), knows("blue")), "false-gift", "other tokens were given than were chosen");
    refused(played(state(["red", "blue"]), give("bag+0", "bag+2"), knows(["red", "blue"])), "false-gift", "other tokens were given");
    refused(played(state("blue"), give(), knows("blue")), "false-gift", "the number of tokens given is not the number chosen");
    refused(played(state("blue"), give("bag+1", "bag+1")), "bad-ops", "a token is given twice");
    refused(played(state("blue"), give("bag+1", "bag+0")), "bad-ops", "not as they lie there");
    refused(played(state("blue"), give("bag+7")), "bad-ops", "not as they lie there");
    refused(played(state("blue"), give("bag+1").map((op) => ({ ...op, field: "none" }))), "bad-ops", "there is no such sealed field");
    refused(played(state("blue"), give("bag+1").map((op) => ({ ...op, seat: 1 }))), "bad-ops", "there is no such sealed field");
    const secret = { secret: SECRET };
    good(played(state("red"), give("bag+0"), knows("red", secret)));
    refused(played(state("red"), give("bag+2"), knows("red", secret)), "bad-ops", "not the tokens that the answer names");
    refused(played(state("green"), give("bag+0"), knows("green", secret)), "bad-ops", "there is no such token");
    const several = { known: { sealed: new Map([["3/0", [fields("red"), fields("blue")]]]) } };
    refused(played(state("blue"), give("bag+0"), several), "false-gift", "other tokens were given");
  },

  "a search finds the first of the ranking that is there"() {
    const fields = (value) => ({ wish: { salt: SALT, value } });
    const state = (value) => after({
      bags: { bag: [["red", "blue"]] },
      held: value ? [{ seat: 0, round: 4, answer: {}, commit: { wish: commitment(GAME, 4, 0, "wish", fields(value).wish) } }] : [],
    });
    const knows = (value, more = {}) => ({ known: { sealed: new Map([["4/0", fields(value)]]), ...more } });
    const seek = (...slots) => [{ op: "seek", seat: 0, field: "wish", bag: "bag", into: "pile", ...(slots.length && { slots }) }];
    const secret = { secret: SECRET };
    assert.deepEqual(good(played(state(["green", "blue"]), seek("bag+1"), knows(["green", "blue"], secret))).state.bags.get("pile").slots, ["bag+1"]);
    refused(played(state(["blue", "red"]), seek("bag+0"), knows(["blue", "red"], secret)), "bad-ops", "another token comes first in the ranking");
    refused(played(state(["blue"]), seek(), knows(["blue"], secret)), "bad-ops", "another token comes first in the ranking");
    good(played(state(["green"]), seek(), knows(["green"], secret)));
    good(played(state(["blue", "red"]), seek("bag+0"), knows(["blue", "red"])));
    refused(played(state(["blue"]), seek("bag+0"), knows(["blue"])), "false-gift", "a token that was not asked for");
    refused(played(state(["blue"]), seek("bag+0", "bag+1")), "bad-ops", "one token of the container or none");
    refused(played(state(["blue"]), seek("bag+7")), "bad-ops", "one token of the container or none");
    good(played(state(null), seek("bag+0"), { known: secret }));
    good(played(state(null), seek()));
  },

  "what is shown is what was sealed, in the round in which it was"() {
    const secret = { salt: SALT, value: 7 };
    const held = [{ seat: 1, round: 3, answer: {}, commit: { bid: commitment(GAME, 3, 1, "bid", secret) } }];
    const unseal = (more) => [{ op: "unseal", round: 3, seat: 1, fields: { bid: secret }, ...more }];
    good(played(after({ held }), unseal({})));
    for (const more of [{ round: 4 }, { seat: 0 }, { fields: { bid: { ...secret, value: 8 } } }, { fields: { other: secret } }, { fields: { bid: { ...secret, salt: LINK } } }]) {
      refused(played(after({ held }), unseal(more)), "bad-shown", "what is shown is not what was sealed");
    }
    refused(played(after(), unseal({})), "bad-shown", "what is shown is not what was sealed");
  },

  "somebody is asked, or there is a result with the ranks of its scores"() {
    const scores = [[3, 1], [3, 0], [5, 0]];
    const end = (ranks, more = {}) => ({ ask: undefined, result: { ranks, scores }, end: "result", ...more });
    good(played(after(), [], end([2, 3, 1])));
    for (const ranks of [[2, 2, 1], [1, 2, 3], [3, 2, 1]]) refused(played(after(), [], end(ranks)), "rule-broken", "the result does not follow from the scores");
    const gone = (ranks, more) => ({ ask: undefined, result: { ranks, scores, ...more }, end: "result" });
    good(played(after({ left: [[2, 3]] }), [], gone([1, 2, 3])));
    refused(played(after({ left: [[2, 3]] }), [], gone([2, 3, 1])), "rule-broken", "the result does not follow");
    good(played(after({ missed: [0, 2, 1] }), [], gone([2, 3, 1], { out: [1] })));
    for (const more of [{}, { out: [2] }, { out: [1, 2] }]) refused(played(after({ missed: [0, 2, 1] }), [], gone([2, 3, 1], more)), "rule-broken", "the result does not follow");
    refused(played(after(), [], { ask: undefined, result: { ranks: [1, 2], scores: [[2], [1]] }, end: "result" }), "rule-broken", "the result does not follow");
    refused(played(after(), [], { ask: undefined, result: { ranks: [2, 3, 1], scores: [[3, 1], [3], [5]] }, end: "result" }), "rule-broken", "the result does not follow");
    refused(played(after(), [], end([2, 3, 1], { ask: ASK })), "rule-broken", "if, and only if, there is no result");
    refused(played(after(), [], { ask: undefined }), "rule-broken", "if, and only if, there is no result");
    for (const end of ["result", "left", "void"]) refused(played(after(), [], { end }), "rule-broken", "`end` is not right");
    refused(played(after(), [], end([2, 3, 1], { end: undefined })), "rule-broken", "`end` is not right");
    const ask = (...seats) => ({ ask: seats.map((seat) => ({ seat, what: "bid" })) });
    good(played(after(), [], ask(0, 2)));
    for (const seats of [[0, 0], [3], [0, 3]]) refused(played(after(), [], ask(...seats)), "rule-broken", "distinct seats");
    const out = { missed: [2, 0, 2] };
    refused(played(after(out), [], ask(0, 2)), "rule-broken", "does not go on for seats that are out");
    good(played(after(out), [], ask(0, 1)));
    good(played(after({ ...FULL, ...out }), [{ op: "shuffle", bag: "bag", generation: 0, leaves: [SALT, SALT, SALT] }], ask(0)));
    good(played(after({ missed: [2, 2, 2] }), [], ask(0)));
    const last = { round: 2047 };
    good(played(after(last), [], { end: "void" }));
    refused(played(after(last), []), "rule-broken", "`end` is not right");
    good(played(after({ round: 2046 }), []));
    good(played(after(last), [], end([2, 3, 1])));
  },

  "a round with a timeout plays nothing, and holds what was decided"() {
    const held = [{ seat: 2, round: 3, answer: {} }];
    const late = { timeouts: [0] };
    const { state } = good(played(after({ held, missed: [1, 0, 0] }), [], late));
    assert.deepEqual([state.holding, state.held, state.missed, state.round], [true, held, [2, 0, 0], 5]);
    refused(played(after(FULL), [{ op: "put", bag: "bag", faces: ["red"] }], late), "bad-ops", "this round plays nothing");
    refused(played(after(), [], { ...late, ask: [{ seat: 1, what: "bid" }] }), "rule-broken", "`ask` is not right");
    refused(played(after(), [], { ...late, result: { ranks: [1, 1, 1], scores: [[1], [1], [1]] } }), "rule-broken", "`result` is not right");
    const answers = [{ seat: 1, link: hex("e"), answer: { x: 1 }, commit: { bid: SALT } }, { seat: 0, link: hex("f"), answer: {} }];
    const both = good(played(after({ held, missed: [1, 1, 1] }), [], { answers, timeouts: [2] })).state;
    assert.deepEqual(both.held, [{ seat: 0, round: 5, answer: {} }, { seat: 1, round: 5, answer: { x: 1 }, commit: { bid: SALT } }, ...held]);
    assert.deepEqual([both.missed, both.links[1], both.host_link], [[0, 0, 2], [5, hex("e")], [5, LINK]]);
    const on = good(played(after({ held, holding: true }), [])).state;
    assert.deepEqual([on.holding, on.held], [false, []]);
  },

  "a game that all but one have left ends with the last player first"() {
    const resign = (seat) => ({ seat, link: hex("e"), resign: true });
    const over = { ask: undefined, end: "left", result: { ranks: [2, 1, 3], scores: [[5], [6], [3]] } };
    const { state } = good(played(after({ left: [[2, 3]] }), [], { ...over, answers: [resign(0)] }));
    assert.deepEqual([state.end, state.left, state.held, state.holding], ["left", [[2, 3], [0, 5]], [], false]);
    good(played(after({ left: [[2, 3]] }), [], { ...over, answers: [resign(0)], timeouts: [1] }));
    refused(played(after({ left: [[2, 3]] }), [], { ...over, answers: [resign(0)], result: { ...over.result, ranks: [1, 2, 3] } }), "rule-broken", "`result` is not right");
    refused(played(after({ left: [[2, 3]] }), [], { ...over, answers: [resign(0)], ask: ASK }), "rule-broken", "`ask` is not right");
    refused(played(after({ ...FULL, left: [[2, 3]] }), [{ op: "put", bag: "bag", faces: ["x"] }], { ...over, answers: [resign(0)] }), "bad-ops", "this round plays nothing");
    assert.equal(good(played(after(), [], { answers: [resign(2)] })).state.end, "");
  },

  "an answer has the form that was asked for"() {
    const seated = { ...table, players: [{}, {}, {}] };
    const fits = (answer, question, state = after(), terms = { takeovers: 1 }) => round.fitsQuestion({ ...seated, ...terms }, { seat: 0, ...answer }, question, state);
    const [plain, sealing] = [{ what: "bid" }, { what: "bid", sealed: ["bid", "also"] }];
    const commit = { also: SALT, bid: SALT };
    const sealed = { commit, box: SALT };
    for (const [answer, question, state, terms] of [
      [{ answer: {} }, plain], [{ answer: { x: 1 }, ...sealed }, sealing], [{}, null], [{ resign: true }, plain], [{ resign: true }, null],
      [{ answer: {}, standing: 1 }, plain], [{ standing: 1 }, null], [{}, plain, after({ holding: true })], [{ handover: SALT }, null],
    ]) assert.equal(fits(answer, question, state, terms), true, JSON.stringify(answer));
    for (const [answer, question, state, terms] of [
      [{}, plain], [{ answer: {} }, null], [{ answer: {}, ...sealed }, plain], [{ answer: {} }, sealing], [{ answer: {}, commit: { bid: SALT }, box: SALT }, sealing],
      [{ answer: { bid: 1 }, ...sealed }, sealing], [sealed, null], [{ resign: true, answer: {} }, plain], [{ resign: true, standing: 1 }, plain],
      [{ resign: true }, null, after({ round: 0 })], [sealed, plain, after({ holding: true })],
      [{ answer: { x: 1 }, commit }, sealing], [{ answer: {}, box: SALT }, plain], [{ box: SALT }, null], [{ resign: true, box: SALT }, plain],
      [{ handover: SALT }, null, after({ round: 0 })], [{ handover: SALT }, null, after(), {}],
    ]) assert.equal(fits(answer, question, state, terms), false, JSON.stringify(answer));
  },

  "an entry has the seats that were asked, in order, with links of their chains, and a valid deadline"() {
    const who = (digit) => ({ key: fromHex(hex(digit)), nonce: fromHex(hex("0")) });
    const [host, players] = [who("a"), [who("b"), who("c"), who("d")]];
    const before = (one, link) => hexOf(linkBack(one.key, one.nonce, 5, 4, fromHex(link)));
    const links = players.map((one) => [4, before(one, LINK)]);
    const two = [{ seat: 0, what: "bid" }, { seat: 2, what: "bid" }];
    const state = (more = {}) => after({ links, host_link: [4, before(host, LINK)], pending: two, ...more });
    const bid = (seat, more = {}) => ({ seat, link: LINK, answer: {}, ...more });
    const both = [bid(0), bid(2)];
    const said = (entry, { on = state(), ...terms } = {}) => {
      try {
        round.checkRound({ ...table, host, players, ...terms }, on, { answers: both, link: LINK, ...entry });
      } catch (error) {
        if (!(error instanceof Bad)) throw error;
        return `${error.code}: ${error.message}`;
      }
      return "";
    };
    const timed = (entry, terms = {}) => said({ due: "2026-12-24T18:00Z", ...entry }, { deadline: 60, ...terms });
    assert.equal(said({}), "");
    assert.equal(timed({ answers: [bid(0)], timeouts: [2] }), "");
    assert.equal(said({ answers: [bid(0)], timeouts: [2] }).split(":")[0], "bad-round");
    const order = "bad-round: seats are not in order";
    assert.equal(said({ answers: [bid(2), bid(0)] }), order);
    assert.equal(said({ answers: [bid(0), bid(0)] }), order);
    assert.equal(said({ answers: [], timeouts: [2, 0] }), order);
    const seats = "bad-round: these are not the seats that were asked";
    for (const entry of [{ answers: [bid(0)] }, { answers: [bid(0), bid(1), bid(2)] }, { timeouts: [0] }, { timeouts: [1] }]) assert.equal(said(entry), seats);
    assert.equal(said({}, { on: state({ end: "left" }) }), "after-end: the game was over before this round");
    const first = state({ round: 0, links: players.map((one) => [0, hexOf(linkBack(one.key, one.nonce, 1, 0, fromHex(LINK)))]), host_link: [0, hexOf(linkBack(host.key, host.nonce, 1, 0, fromHex(LINK)))] });
    const bare = (...seats) => seats.map((seat) => ({ seat, link: LINK }));
    assert.equal(said({ answers: bare(0, 1, 2) }, { on: first }), "");
    assert.equal(timed({ answers: bare(0, 1), timeouts: [2] }, { on: first }), "bad-round: the first round has no deadline to miss");
    const resting = state({ missed: [2, 2, 2] });
    assert.equal(timed({ answers: [bid(0)], timeouts: [2] }, { on: resting }), "");
    assert.equal(timed({ answers: [], timeouts: [0, 2] }, { on: resting }), "bad-round: a game that rests goes on with an answer");
    assert.equal(timed({ answers: [], timeouts: [0, 2] }), "");
    assert.equal(said({ answers: [bid(0), { seat: 2, link: LINK }] }), "bad-round: an answer does not have the form that was asked for");
    assert.equal(said({ answers: [bid(0), bid(2, { link: SALT })] }), "bad-link: a link is not in its player's chain");
    assert.equal(said({ link: SALT }), "bad-host-link: the host's link is not in its chain");
    assert.equal(said({}, { on: state({ host_link: [5, LINK] }) }), "bad-host-link: the host's link is not in its chain");
    const [none, hour, due] = ["bad-due: a deadline is stated where there is none, or is missing", { deadline: 60 }, "2026-12-24T18:00Z"];
    assert.deepEqual([said({ due }), said({}, hour), said({ due }, hour), said({ end: "void" }, hour), said({ due, end: "void" }, hour)], [none, none, "", "", none]);
    for (const bad of ["2026-02-29T18:00Z", "2026-13-01T18:00Z", "0000-01-01T00:00Z"]) assert.equal(said({ due: bad }, hour), "bad-due: a deadline is not a valid time");
    assert.equal(said({ due: "2028-02-29T18:00Z" }, hour), "");
    const late = (stated, timeouts = [2]) => said({ answers: timeouts.length ? [bid(0)] : both, ...(timeouts.length && { timeouts }), due: stated }, { ...hour, grace: 30, on: state({ due }) });
    const early = "bad-due: a player was timed out before the deadline";
    assert.deepEqual([late("2026-12-24T19:30Z"), late("2026-12-24T19:29Z"), late("2026-12-24T19:29Z", [])], ["", early, ""]);
  },

  async "an entry follows the newest one of its game, with answers that their seats signed"() {
    const at = (entry) => round.checkPlace({ ...table, players: [] }, after(), { game: GAME, round: 5, prev: hex("7"), answers: [], ...entry }).then(() => "", (error) => error.code);
    assert.deepEqual(await Promise.all([{}, { game: LINK }, { round: 4 }, { round: 6 }, { prev: LINK }].map(at)), ["", "altered-chain", "altered-chain", "altered-chain", "broken-chain"]);
    const answer = { seat: 0, link: LINK, sig: "0".repeat(128), answer: {} };
    assert.equal(await at({ answers: [answer] }), "bad-move");
    assert.deepEqual(round.rebuiltMove({ game: GAME, round: 5, prev: SALT, link: "host's" }, answer), { seat: 0, link: LINK, answer: {}, asked: SALT, game: GAME, round: 5 });
  },

  "a hand belongs to a seat of the table, in canonical form"() {
    const owners = ["hand/0", "hand/2", "hand/3", "hand/01", "hand", "hand/", "pile/1"].map((name) => ownerOf(table, name));
    assert.deepEqual(owners, [0, 2, null, null, null, null, null]);
  },

  "the bags of each game follow from its terms"() {
    const cards = [{ id: "a", count: 2 }, { id: "b", count: 1 }];
    const way = (options) => bagsOf({ game: "weg-zum-erfolg", options, edition: { chips: [1, 2, 3, 4], chance: cards, success: [] } });
    const piles = { chance: ["a", "a", "b"], success: [] };
    assert.deepEqual(way({}), piles);
    assert.deepEqual(way({ neue_ziele: true }), { ...piles, chips: ["1", "2", "3", "4"] });
    assert.deepEqual(way({ zufallsziele: true }), { ...piles, chips: ["2", "3"] });
    assert.deepEqual(way({ zufallsziele: true, neue_ziele: true }), { ...piles, chips: ["1", "2", "3", "4"] });
    const market = { goods: { tin: 2, salt: 1 }, goods_expert: { gold: 1 }, offers: [{}, {}], events: ["raid"] };
    const trade = (options, edition = market) => bagsOf({ game: "schwarzmarkt", options, edition });
    assert.deepEqual(trade({}), { goods: ["tin", "tin", "salt"], cards: ["offer-1", "offer-2", "raid"] });
    assert.deepEqual(trade({ expert: true }).goods, ["gold"]);
    const friday = bagsOf({ game: "schwarzer-freitag", seats: 3, options: {}, edition: { bag_base: 1 } });
    assert.deepEqual(friday, { bag: ["blue", "green", "orange", "red", "yellow"].flatMap((one) => Array(4).fill(one)) });
    assert.deepEqual(bagsOf({ game: "mark" }), {});
    assert.deepEqual([bagsOf({ game: "chess" }), bagsOf({ game: "schwarzmarkt" }), trade({}, { ...market, events: [1] })], [null, null, null]);
  },
};

/** The salt that opens a slot, as the owner of the secret makes it; checked against the leaf. */
function saltFor(name, generation, index, face, state) {
  const salt = hexOf(saltOf(SECRET, SEATING, name, generation, index));
  assert.equal(leafOf(SEATING, name, generation, index, fromHex(salt), face), state.leaves.get(`${name}.${generation}.${index}`));
  return salt;
}

for (const [name, check] of Object.entries(CHECKS)) {
  try {
    await check();
    console.log(`ok ${name}`);
  } catch (error) {
    console.log(`FAILED ${name}: ${error.stack}`);
  }
}
