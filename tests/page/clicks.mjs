// What a click on a board leaves to choose from, under Node: each check by its name, what fails is printed.

import assert from "node:assert/strict";

const { pathname } = new URL(process.argv[2], "file://");
const choosing = await import(`file://${pathname}/choosing.mjs`);
const { begin, chosenMarks, foremost, openParts, pickLine, targets, withValue } = choosing;

/** The move that is said, as it will be signed. */
const moveOf = (candidate) => JSON.parse(JSON.stringify(choosing.moveOf(candidate)));

const line = (text, at, more = {}) => ({ text, move: { said: text }, ...(at ? { at } : {}), ...more });
const pick = (name, ...options) => ({ type: "pick", name, ask: `${name}?`, options: options.map((one) => ({ value: one.text, ...one })) });
const number = (name, low, high) => ({ type: "number", name, ask: `${name}?`, low, high });
const amounts = (name, most, at = {}) => ({ type: "amounts", name, ask: `${name}?`, most, at });
const ranking = (name, names, least, at = {}) => ({ type: "ranking", name, ask: `${name}?`, names, least, at });
const family = (parts, more = {}) => ({ text: "family", move: { said: "an example" }, form: Object.fromEntries(parts.map(({ name }) => [name, { $: name }])), parts, ...more });
/** What is left after these clicks, one after the other. */
const click = (candidates, ...marks) => marks.reduce((left, mark) => targets(left).get(mark) ?? assert.fail(`no ${mark}`), candidates);
const lit = (candidates) => [...targets(candidates).keys()].sort();
const values = (candidates) => candidates.map((one) => one.values);

const CHECKS = {
  "a line is said by its marks, in any order, and by nothing less"() {
    const lines = begin([line("to b", ["a:1", "b:1"]), line("to c", ["a:1", "c:1"]), line("stay"), line("end", ["d:1"])]);
    assert.deepEqual(lit(lines), ["a:1", "b:1", "c:1", "d:1"]);
    const from = click(lines, "a:1");
    assert.deepEqual(from.map((one) => one.choice.text), ["to b", "to c"]);
    assert.deepEqual(lit(from), ["b:1", "c:1"]);
    assert.equal(foremost(from), null);
    assert.deepEqual([...chosenMarks(from)], ["a:1"]);
    for (const order of [["a:1", "b:1"], ["b:1", "a:1"]]) {
      const [one, ...more] = click(lines, ...order);
      assert.deepEqual(more, []);
      assert.deepEqual(moveOf(one), { said: "to b" });
      assert.deepEqual([...chosenMarks([one])].sort(), ["a:1", "b:1"]);
      assert.deepEqual(lit([one]), []);
    }
    const half = click(lines, "b:1");
    assert.equal(half.length, 1);
    assert.equal(foremost(half), half[0], "alone it is shown, on its way");
    assert.equal(moveOf(half[0]), null);
    assert.deepEqual(moveOf(foremost(click(lines, "d:1"))), { said: "end" });
    assert.equal(moveOf(lines[2]), null, "a line without marks is picked from the list");
    const [picked, ...others] = pickLine(lines[2]);
    assert.deepEqual([moveOf(picked), others, lit([picked])], [{ said: "stay" }, [], []]);
    assert.equal(moveOf(null), null);
    assert.equal(foremost([]), null);
    assert.deepEqual([...chosenMarks([])], []);
  },

  "of several lines that one is meant which is whole"() {
    const lines = begin([line("one", ["a:1"]), line("two", ["a:1", "b:1"])]);
    const left = click(lines, "a:1");
    assert.equal(foremost(left).choice.text, "one");
    assert.deepEqual(lit(left), ["b:1"]);
    const twins = begin([line("one", ["a:1"]), line("other", ["a:1"])]);
    assert.equal(foremost(click(twins, "a:1")), null);
  },

  "parts with one value have it, the others are asked one after the other"() {
    const parts = [pick("way", { text: "up" }), number("steps", 3, 3), pick("card", { text: "x" }, { text: "y" }), number("more", 0, 2)];
    const [one] = begin([family(parts)]);
    assert.deepEqual(one.values, { way: "up", steps: 3 });
    assert.deepEqual(openParts(one).map((part) => part.name), ["card"]);
    const chosen = withValue(one, "card", "y");
    assert.deepEqual(openParts(chosen).map((part) => part.name), ["card", "more"]);
    assert.equal(moveOf(chosen), null);
    assert.deepEqual(moveOf(withValue(chosen, "more", 0)), { way: "up", steps: 3, card: "y", more: 0 });
    assert.deepEqual(one.values, { way: "up", steps: 3 }, "the one before stays as it was");
    const [later] = begin([family([number("first", 0, 1), number("last", 5, 5)])]);
    assert.deepEqual(later.values, {}, "nothing follows before the first is given");
    assert.deepEqual(withValue(later, "first", 1).values, { first: 1, last: 5 });
    const [asked] = begin([family([pick("first", { text: "a" }, { text: "b" }), number("last", 5, 5)])]);
    assert.deepEqual(asked.values, {});
    const [lists] = begin([family([amounts("goods", { x: 1 }), ranking("order", ["p", "q"], 1), number("n", 0, 1)])]);
    assert.deepEqual(lists.values, { goods: {}, order: [] });
    assert.deepEqual(openParts(lists).map((part) => part.name), ["goods", "order"]);
    const ranked = withValue(lists, "order", ["q"]);
    assert.deepEqual(openParts(ranked).map((part) => part.name), ["goods", "order", "n"]);
    assert.deepEqual(begin([line("bare")])[0].values, {});
  },

  "another value takes back what was picked after it and is no longer possible"() {
    const when = (part, name) => [{ part, name }];
    const parts = [pick("first", { text: "a", at: "f:a" }, { text: "b", at: "f:b" }), number("count", 1, 3),
      pick("then", { text: "x", when: when("first", "a") }, { text: "y" }, { text: "z", when: when("first", "b") })]; // prettier-ignore
    const whole = withValue(withValue(withValue(begin([family(parts)])[0], "first", "a"), "count", 2), "then", "x");
    assert.deepEqual(moveOf(whole), { first: "a", count: 2, then: "x" });
    assert.deepEqual(withValue(whole, "first", "b").values, { first: "b", count: 2 });
    assert.deepEqual(withValue(withValue(whole, "then", "y"), "first", "b").values, { first: "b", count: 2, then: "y" });
    const kept = [parts[0], parts[2], number("count", 1, 3), pick("last", { text: "one" }, { text: "many", when: [{ part: "count", low: 2 }] })];
    const given = Object.entries({ first: "a", then: "x", count: 2, last: "many" });
    const four = given.reduce((one, [name, value]) => withValue(one, name, value), begin([family(kept)])[0]);
    assert.deepEqual(withValue(four, "first", "b").values, { first: "b", count: 2, last: "many" }, "what depends on others stays");
    assert.deepEqual(withValue(four, "count", 1).values, { first: "a", then: "x", count: 1, last: "one" }, "what came before stays");
    const again = click([whole], "f:b");
    assert.deepEqual(values(again), [{ first: "b", count: 2 }]);
    assert.deepEqual([...chosenMarks(again)], ["f:b"]);
  },

  "a click gives a part its first value before it changes another"() {
    const parts = [pick("from", { text: "p", at: "x:1" }, { text: "q", at: "x:2" }), pick("to", { text: "r", at: "x:1" }, { text: "s", at: "x:2" })];
    const lines = begin([family(parts)]);
    assert.deepEqual(lit(lines), ["x:1", "x:2"]);
    assert.deepEqual(values(click(lines, "x:1")), [{ from: "p" }]);
    assert.deepEqual(values(click(lines, "x:1", "x:1")), [{ from: "p", to: "r" }]);
    assert.deepEqual(values(click(lines, "x:1", "x:2")), [{ from: "p", to: "s" }]);
    assert.deepEqual(values(click(lines, "x:1", "x:2", "x:2")), [{ from: "q", to: "s" }], "both are given: the first is changed");
    const counted = begin([family([parts[0], amounts("goods", { g: 2 }, { g: "x:1" })])]);
    assert.deepEqual(values(click(counted, "x:2", "x:1", "x:1")), [{ from: "q", goods: { g: 2 } }], "counting changes nothing that was picked");
    const gap = begin([family([number("n", 0, 1), parts[1]])]);
    assert.deepEqual(lit(gap), [], "not before the number is given");
    const single = begin([family([pick("only", { text: "o", at: "x:1" })])]);
    assert.deepEqual(lit(single), [], "what follows by itself is not clicked");
    assert.deepEqual([...chosenMarks(single)], ["x:1"]);
  },

  "marks of a line come before those of its parts"() {
    const lines = begin([family([pick("card", { text: "1", at: "c:1" }, { text: "2" })], { at: ["k:1"] })]);
    assert.deepEqual(lit(lines), ["k:1"]);
    assert.equal(moveOf(click(lines, "k:1")[0]), null);
    assert.deepEqual(moveOf(click(lines, "k:1", "c:1")[0]), { card: "1" });
    assert.deepEqual(lit(pickLine(lines[0])), ["c:1"], "a line from the list needs its marks no more");
  },

  "amounts are counted up to what there is, and to what limits allow"() {
    const goods = amounts("goods", { red: 2, blue: 1, none: 0 }, { red: "g:r", blue: "g:b", none: "g:n", green: "g:g" });
    const lines = begin([family([goods], { at: ["s:1"] })]);
    const open = click(lines, "s:1");
    assert.deepEqual(lit(open), ["g:b", "g:r"]);
    assert.deepEqual(moveOf(click(open, "g:r", "g:b", "g:r")[0]), { goods: { red: 2, blue: 1 } });
    assert.deepEqual(lit(click(open, "g:r", "g:r")), ["g:b"]);
    assert.deepEqual([...chosenMarks(click(open, "g:b"))].sort(), ["g:b", "s:1"]);
    const two = begin([family([goods], { at: ["s:1"], limits: [{ terms: [{ part: "goods" }], low: 1, high: 2 }] })]);
    const full = click(two, "s:1", "g:r", "g:b");
    assert.deepEqual(lit(full), []);
    assert.deepEqual(moveOf(full[0]), { goods: { red: 1, blue: 1 } });
    assert.equal(moveOf(click(two, "s:1")[0]), null, "one at least");
    const dear = [{ terms: [{ part: "goods", name: "red", times: 3 }, { part: "goods", name: "blue", times: -1 }], high: 3 }];
    const paid = begin([family([goods], { at: ["s:1"], limits: dear })]);
    assert.deepEqual(lit(click(paid, "s:1", "g:r")), ["g:b"], "two reds cost six, less one for a blue");
    const both = begin([family([goods], { at: ["s:1"], limits: [{ terms: [{ part: "goods" }], high: 9 }, { terms: [{ part: "goods", name: "red" }], high: 0 }] })]);
    assert.deepEqual(lit(click(both, "s:1")), ["g:b"], "every limit counts");
  },

  "limits look at what later parts can still give"() {
    const limit = (low, high) => [{ terms: [{ part: "n" }, { part: "goods", times: 2 }, { part: "order", times: -1 }, { part: "say" }, { part: "way", name: "up", times: 5 }], low, high }];
    const free = { type: "free", name: "say", ask: "say?", how: "", longest: 4 };
    const parts = [pick("card", { text: "1", at: "c:1" }, { text: "2", at: "c:2" }), number("n", 1, 3), amounts("goods", { a: 1, b: 1 }),
      ranking("order", ["p", "q"], 0), pick("way", { text: "up" }, { text: "down" }), free]; // prettier-ignore
    // From 1 (one step, two names) to 3 + 4 + 4 + 5.
    for (const [low, high, open] of [[16, 99, true], [17, 99, false], [-9, -1, true], [-9, -2, false]]) {
      const lines = begin([family(parts, { limits: limit(low, high) })]);
      assert.deepEqual(lit(lines), open ? ["c:1", "c:2"] : [], `${low} to ${high}`);
    }
  },

  "limits look at what was given and can grow"() {
    const parts = [number("n", 1, 3), amounts("goods", { a: 2 }), ranking("order", ["p", "q"], 0), pick("card", { text: "1", at: "c:1" }, { text: "2", at: "c:2" })];
    const open = (terms, low, high, given) => {
      const [one] = begin([family(parts, { limits: [{ terms, low, high }] })]);
      return lit([Object.entries(given).reduce((old, [name, value]) => withValue(old, name, value), one)]).length > 0;
    };
    for (const [part, name, given, least, most] of [
      ["n", undefined, 1, 1, 1], ["n", undefined, 3, 3, 3], ["goods", undefined, { a: 1 }, 1, 2], ["goods", "a", { a: 1 }, 1, 2], ["goods", "z", { a: 1 }, 0, 0],
      ["goods", undefined, {}, 0, 2], ["order", undefined, ["q"], 1, 2], ["order", "q", ["q"], 1, 1], ["order", "p", ["q"], 0, 1],
    ]) { // prettier-ignore
      const told = `${part} ${name} ${JSON.stringify(given)}`;
      const all = { n: 1, goods: {}, order: [], [part]: given };
      assert.ok(open([{ part, name }], most, most, all), `${told}: ${most} is possible`);
      assert.ok(!open([{ part, name }], most + 1, 99, all), `${told}: no more`);
      assert.ok(open([{ part, name }], least, least, all), `${told}: ${least} is possible`);
      assert.ok(!open([{ part, name }], -99, least - 1, all), `${told}: no less`);
    }
  },

  "a name is ranked once"() {
    const order = ranking("order", ["p", "q", "r"], 2, { p: "n:p", q: "n:q" });
    const lines = begin([family([order, number("n", 1, 2)])]);
    assert.deepEqual(lit(lines), ["n:p", "n:q"]);
    const one = click(lines, "n:q");
    assert.deepEqual(lit(one), ["n:p"]);
    assert.deepEqual(openParts(one[0]).map((part) => part.name), ["order"], "two are needed");
    assert.deepEqual(values(click(one, "n:p")), [{ order: ["q", "p"] }]);
    assert.deepEqual([...chosenMarks(one)], ["n:q"]);
    assert.deepEqual(openParts(click(one, "n:p")[0]).map((part) => part.name), ["order", "n"]);
  },

  "only what all that are left have used counts as chosen"() {
    const lines = begin([line("one", ["a:1", "b:1"]), line("two", ["b:1", "c:1"])]);
    assert.deepEqual([...chosenMarks(lines)], []);
    const left = click(lines, "b:1");
    assert.deepEqual([...chosenMarks(left)], ["b:1"]);
    const mixed = [...click(lines, "a:1", "b:1"), ...left];
    assert.deepEqual([...chosenMarks(mixed)], ["b:1"]);
  },
};

for (const [name, check] of Object.entries(CHECKS)) {
  try {
    await check();
    console.log(`ok ${name}`);
  } catch (error) {
    console.log(`FAILED ${name}: ${error.message}`);
  }
}
