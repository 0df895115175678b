// The modules of the page at their bounds, under Node: each check by its name, what fails is printed.

import { createHash, createHmac, hkdfSync } from "node:crypto";
import assert from "node:assert/strict";

const { pathname } = new URL(process.argv[2], "file://");
const load = (name) => import(`file://${pathname}/${name}.mjs`);
const bytes = await load("bytes");
const wire = await load("wire");
const forms = await load("forms");
const blocks = await load("blocks");
const texts = await load("texts");
const charts = await load("charts");
const table = await load("table");

const { canonical, parse, parseText, utf8, hexOf, fromHex, base64Of, fromBase64, sha256, hmac, derive, items } = bytes;
const hex = (digit = "a") => digit.repeat(64);
const many = (count, made) => Array.from({ length: count }, (_, at) => made(at));
const code = (call) => {
  try {
    call();
  } catch (error) {
    assert.ok(error instanceof bytes.Bad, error.stack);
    return error.code;
  }
  return "";
};
const refuses = (text, why) => {
  assert.throws(() => parseText(text), (error) => error.code === "malformed" && error.message.includes(why), text);
};

/** Both ends of a range fit, and nothing beyond. */
function bounded(shape, good, name, low, high) {
  for (const value of [low, high]) assert.ok(shape({ ...good, [name]: value }), `${name} ${value}`);
  for (const value of [low - 1, high + 1, low + 0.5, String(low)]) assert.ok(!shape({ ...good, [name]: value }), `${name} ${value}`);
}

/** Every field is needed, or may be left out; what is none of them, or spells a default, is refused. */
function whole(shape, required, optional = {}, defaults = {}) {
  assert.ok(shape(required), "as it is");
  for (const name of Object.keys(required)) {
    const { [name]: _, ...rest } = required;
    assert.ok(!shape(rest), `without ${name}`);
  }
  for (const [name, value] of Object.entries(optional)) assert.ok(shape({ ...required, [name]: value }), `with ${name}`);
  for (const [name, value] of Object.entries(defaults)) assert.ok(!shape({ ...required, [name]: value }), `${name} by default`);
  assert.ok(!shape({ ...required, more: 1 }), "with something more");
  for (const other of [null, [], "x", 1]) assert.ok(!shape(other), String(other));
}

const ENVELOPE = { body: {}, sig: "0".repeat(128), type: "x" };
const MOVE = { game: hex(), round: 1, asked: hex(), seat: 0, link: hex() };

const CHECKS = {
  "hashes are those of Node at every length around a block"() {
    for (const size of [0, 1, 55, 56, 57, 63, 64, 65, 119, 120, 128, 1000]) {
      const data = Uint8Array.from(many(size, (at) => (at * 7 + 3) % 256));
      assert.equal(hexOf(sha256(data)), createHash("sha256").update(data).digest("hex"), `sha ${size}`);
      for (const key of [new Uint8Array(size), data]) {
        assert.equal(hexOf(hmac(key, data)), createHmac("sha256", key).update(data).digest("hex"), `hmac ${size}`);
      }
    }
    const key = sha256(utf8("key"));
    const wanted = hkdfSync("sha256", key, new Uint8Array(32), items("label", "part", 7), 32);
    assert.equal(hexOf(derive(key, "label", "part", 7)), Buffer.from(wanted).toString("hex"));
  },

  "bytes, hex and base64 are converted both ways, in canonical form"() {
    const all = Uint8Array.from(many(256, (at) => at));
    assert.equal(hexOf(all), Buffer.from(all).toString("hex"));
    assert.deepEqual(fromHex(hexOf(all)), all);
    for (const size of [0, 1, 2, 3, 4095, 4096, 4097, 10000]) {
      const data = Uint8Array.from(many(size, (at) => (at * 31) % 256));
      assert.equal(base64Of(data), Buffer.from(data).toString("base64"));
      assert.deepEqual(fromBase64(base64Of(data)), data);
    }
    for (const text of ["A", "AA", "AAA", "AB==", "A===", "AAAA=", "AA A", "AA-_", "=AAA"]) assert.equal(fromBase64(text), null, text);
    assert.deepEqual([...bytes.u32(0x01020304)], [1, 2, 3, 4]);
    assert.deepEqual([...bytes.joined(bytes.u32(1), bytes.u32(2))], [0, 0, 0, 1, 0, 0, 0, 2]);
    assert.equal(code(() => bytes.textOf(Uint8Array.of(0xff))), "malformed");
    assert.equal(bytes.textOf(utf8("\ufeffä")), "\ufeffä");
    const number = items("x", 2 ** 40 + 5, "ä", Uint8Array.of(9));
    const label = utf8(`${bytes.PREFIX}x`);
    assert.deepEqual([...number], [...bytes.u32(label.length), ...label, 0, 0, 0, 8, 0, 0, 1, 0, 0, 0, 0, 5, 0, 0, 0, 2, 195, 164, 0, 0, 0, 1, 9]);
  },

  "JSON has one canonical form"() {
    const value = { b: [1, -2, true, false, null], a: 'q"\\\b\t\n\f\r\u0001\u001f é 😀', "": {} };
    const text = canonical(value);
    assert.equal(text, '{"":{},"a":"q\\"\\\\\\b\\t\\n\\f\\r\\u0001\\u001f é 😀","b":[1,-2,true,false,null]}');
    assert.equal(canonical(parseText(text)), text);
    assert.equal(canonical(new bytes.Raw("as it is")), "as it is");
    for (const good of ["9007199254740991", "-9007199254740991", "0", "-1", "[]", "{}", '""']) assert.equal(canonical(parseText(good)), good);
    refuses("9007199254740992", "an integer is too large");
    refuses("-0", "minus zero");
    for (const bad of ["01", "1.0", "+1", "1e3", "", " 1", "nul", "tru", "'a'"]) assert.equal(code(() => parseText(bad)), "malformed", bad);
    refuses("truth", "this is not valid JSON");
    refuses("1 ", "something follows the document");
    refuses("[1", "a list does not end");
    refuses("[1 ]", "a list does not end");
    refuses('{"a":1', "an object does not end");
    refuses('{"a"1}', "a value is missing");
    refuses("{a:1}", "a name is missing");
    refuses('{"b":1,"a":2}', "names are not in order");
    refuses('{"a":1,"a":2}', "one occurs twice");
    refuses('{"ä":1}', "a name is not ASCII");
    refuses('"a', "a text does not end");
    refuses('"\n"', "a character that must be escaped");
    for (const bad of ['"\\u0041"', '"\\u000a"', '"\\/"', '"\\u001F"', '"\\x"']) refuses(bad, "a character is not in canonical form");
    refuses("[1,]", "(character 4)");
  },

  "JSON is nested up to a limit"() {
    const deep = (count) => "[".repeat(count) + "]".repeat(count);
    assert.equal(bytes.depth(parseText(deep(100))), 100);
    refuses(deep(101), "it is nested too deep");
    assert.deepEqual([bytes.depth(1), bytes.depth(null), bytes.depth([]), bytes.depth({ a: [1, { b: 2 }] })], [0, 0, 1, 3]);
  },

  "names that mean something in JavaScript are names"() {
    const read = parseText('{"__proto__":1,"constructor":2}');
    assert.deepEqual(Object.keys(read), ["__proto__", "constructor"]);
    assert.equal(read.__proto__, 1);
  },

  "a file has a size limit, and line breaks at its end are ignored"() {
    assert.deepEqual(parse(utf8("[1]\r\n\n")), [1]);
    assert.equal(code(() => parse(utf8("[1]\n"), 3)), "");
    assert.equal(code(() => parse(utf8("[11]\n"), 3)), "too-large");
    assert.equal(code(() => parse(utf8(" [1]"))), "malformed");
  },

  "bodies are kept unread on request"() {
    const text = '{"entries":[{"body":{"a":"}\\"]"},"sig":"x"}],"genesis":{"body":[1,{"b":2}]},"other":{"body":{"c":3}}}';
    const read = parseText(text, ["entries", "genesis"]);
    assert.equal(read.entries[0].body.text, '{"a":"}\\"]"}');
    assert.equal(read.genesis.body.text, '[1,{"b":2}]');
    assert.deepEqual(read.other.body.c, 3);
    assert.equal(canonical(read), text);
    assert.equal(parseText('{"entries":[{"body":12}]}', ["entries"]).entries[0].body.text, "12");
    for (const bad of ['{"entries":[{"body":{"a":}}]}', '{"entries":[{"body":{"a', '{"entries":[{"body":"a']) {
      assert.equal(code(() => parseText(bad, ["entries"])), "malformed", bad);
    }
  },

  "documents have all their fields, and nothing else"() {
    const { SHAPES } = wire;
    const offer = { game: "a-1", rules: "1", code: hex(), options: {}, edition: {}, seats: 2, nonce: hex(), key: hex(), tip: hex(), box: hex() };
    whole(SHAPES.offer, offer, { deadline: 1, grace: 525600, chance: hex(), arbiter: hex(), stage: hex() }, { deadline: 0, grace: 0 });
    bounded(SHAPES.offer, offer, "seats", 1, 16);
    for (const name of ["deadline", "grace"]) bounded(SHAPES.offer, offer, name, 1, 525600);
    for (const game of ["", "a".repeat(41), "A", "a_b"]) assert.ok(!SHAPES.offer({ ...offer, game }), game);
    for (const rules of ["", "a".repeat(41)]) assert.ok(!SHAPES.offer({ ...offer, rules }), rules);
    for (const bad of ["a".repeat(63), "a".repeat(65), "A".repeat(64), "g".repeat(64)]) assert.ok(!SHAPES.offer({ ...offer, nonce: bad }), bad);
    whole(SHAPES.join, { offer: hex(), name: "Anna", key: hex(), nonce: hex(), tip: hex() }, { kept: true }, { kept: false });
    whole(SHAPES.genesis, { offer: ENVELOPE, joins: [ENVELOPE], leaves: { "goods/1": [hex()] } }, { hands: ["goods"] }, { hands: [] });
    whole(SHAPES.move, MOVE, { answer: {}, commit: { bid: hex() }, standing: 1, resign: true }, { commit: {}, resign: false });
    bounded(SHAPES.move, MOVE, "seat", 0, 15);
    bounded(SHAPES.move, MOVE, "round", 0, 2048);
    assert.ok(!SHAPES.move({ ...MOVE, answer: [] }), "an answer is an object");
    whole(SHAPES.word, { game: hex(), round: 1, seat: 0, text: "a" });
    for (const [text, good] of [["", false], ["ä".repeat(200), true], ["ä".repeat(201), false]]) {
      assert.equal(SHAPES.word({ game: hex(), round: 1, seat: 0, text }), good, `a word of ${text.length}`);
    }
    whole(SHAPES.receipt, { game: hex(), round: 1, seat: 0, move: hex(), code: "taken" });
    const entry = { game: hex(), round: 1, prev: hex(), answers: [], link: hex(), public: hex(), state: hex() };
    whole(
      SHAPES.entry,
      entry,
      { timeouts: [0], ops: [{ op: "die", sides: 6, values: [1] }], ask: [{ seat: 0, what: "x" }], result: { out: [0], ranks: [1], scores: [[1]] }, end: "left", due: "2026-12-24T18:00Z" },
      { timeouts: [], ops: [], ask: [] },
    );
    for (const due of ["2026-12-24T24:00Z", "2026-12-24T23:60Z", "2026-12-24 18:00Z", "2026-12-24T18:00"]) assert.ok(!SHAPES.entry({ ...entry, due }), due);
    assert.ok(!SHAPES.entry({ ...entry, end: "won" }));
    const opening = { slot: "goods.0.1", face: "red", salt: hex() };
    const part = { game: hex(), round: 1, entry: hex(), seat: 0, openings: [opening] };
    whole(SHAPES.private, part);
    assert.ok(!SHAPES.private({ ...part, openings: [] }));
    for (const slot of ["goods", "goods.1", "goods+1", "goods/12.1.2", "goods/123.1.2", "Goods.0.1", "goods.0.1234567"]) {
      assert.equal(SHAPES.private({ ...part, openings: [{ ...opening, slot }] }), ["goods+1", "goods/12.1.2"].includes(slot), slot);
    }
    for (const [face, good] of [["", false], ["ä".repeat(40), true], ["ä".repeat(41), false]]) {
      assert.equal(SHAPES.private({ ...part, openings: [{ ...opening, face }] }), good, `a face of ${face.length}`);
    }
    whole(SHAPES.view, { genesis: ENVELOPE, entries: [], format: "pbem-referee/1/view" }, { privates: [ENVELOPE], public: 1, seat: 0 }, { privates: [] });
    whole(SHAPES.transcript, { genesis: ENVELOPE, entries: [], format: "pbem-referee/1/transcript", secret: hex() }, { chance: hex() }, { sealed: [] });
  },

  "operations have their own fields and limits"() {
    const entry = { game: hex(), round: 1, prev: hex(), answers: [], link: hex(), public: hex(), state: hex() };
    const fits = (op) => wire.SHAPES.entry({ ...entry, ops: [op] });
    for (const sides of [1, 1000000]) assert.ok(fits({ op: "die", sides, values: [0, 1000000] }), sides);
    for (const sides of [0, 1000001]) assert.ok(!fits({ op: "die", sides, values: [] }), sides);
    assert.ok(!fits({ op: "die", sides: 6, values: [-1] }));
    const token = { slot: "bag.0.0", face: "red" };
    const ops = {
      take: { bag: "bag", tokens: [token] },
      deal: { bag: "bag", into: "hand/1", slots: ["bag.0.0"] },
      "lay-out": { bag: "bag", tokens: [{ ...token, salt: hex() }] },
      "lay-out-all": { bag: "bag", tokens: [], face: "red" },
      give: { bag: "bag", into: "hand/1", seat: 0, field: "wish", slots: [] },
      seek: { bag: "bag", into: "hand/1", seat: 0, field: "wish" },
      put: { bag: "bag", faces: ["red"], under: true },
      shuffle: { bag: "bag", generation: 1, leaves: [hex()] },
      unseal: { round: 1, seat: 0, fields: { bid: { salt: hex(), value: 3 } } },
    };
    for (const [op, rest] of Object.entries(ops)) {
      assert.ok(fits({ op, ...rest }), op);
      assert.ok(!fits({ op, ...rest, more: 1 }), `${op} with more`);
      const names = Object.keys(rest).filter((name) => !["face", "under"].includes(name));
      for (const name of names) assert.ok(!fits({ op, ...rest, [name]: undefined }), `${op} without ${name}`);
    }
    assert.ok(!fits({ op: "seek", ...ops.seek, slots: [] }), "a default is left out");
    assert.ok(!fits({ op: "put", ...ops.put, under: false }), "a default is left out");
    assert.ok(!fits({ op: "steal" }));
  },

  "envelopes and keys have limits"() {
    const { envelope } = wire;
    assert.ok(envelope(ENVELOPE));
    const filled = (size) => ({ ...ENVELOPE, body: { a: "x".repeat(size) } });
    assert.ok(envelope(filled(bytes.MAX_BODY - 8)));
    assert.ok(!envelope(filled(bytes.MAX_BODY - 7)));
    assert.ok(!envelope({ ...ENVELOPE, body: { a: "ä".repeat(bytes.MAX_BODY / 2) } }), "bytes count, not characters");
    assert.ok(!envelope({ ...ENVELOPE, sig: "0".repeat(127) }));
    for (const weak of ["00", "01", "ec" + "ff".repeat(30) + "7f", "ed" + "ff".repeat(30) + "7f", "ff".repeat(32)]) {
      assert.ok(wire.isWeak(weak.padEnd(64, "0")), weak);
    }
    assert.ok(!wire.isWeak("02".padEnd(64, "0")));
    assert.ok(wire.isBags({ "goods/1": ["red"], pile: [] }));
    assert.ok(!wire.isBags({ "goods/100": ["red"] }));
    assert.equal(wire.isPlayerFile({ format: "pbem-referee/1/player", key: { format: "pbem-referee/1/key", name: "", public: hex(), secret: hex() } }), true);
    assert.equal(wire.isMoveFile({ ...ENVELOPE, sealed: "" }), false);
    assert.equal(wire.isMoveFile({ ...ENVELOPE, sealed: "AA==" }), true);
  },

  async "signatures that a library might accept are checked, and a missing algorithm is reported"() {
    const { subtle } = globalThis.crypto;
    const replaced = async (name, other, work) => {
      Object.defineProperty(subtle, name, { value: other, configurable: true });
      try {
        return await work();
      } finally {
        delete subtle[name];
      }
    };
    const order = 2n ** 252n + 27742317777372353535851937790883648493n;
    const little = (value) => hexOf(fromHex(value.toString(16).padStart(64, "0")).reverse());
    const key = hexOf((await wire.keyPair("Ed25519", fromHex(hex("7")), ["sign"]))[1]);
    const signed = (R, s) => wire.isSigned("move", "{}", R + little(s), key);
    const lenient = (R, s) => replaced("verify", async () => true, () => signed(R, s));
    const good = "02".padEnd(64, "0");
    assert.equal(await lenient(good, 0n), true);
    assert.equal(await lenient(good, order - 1n), true);
    for (const s of [order, order + 1n, 2n ** 256n - 1n]) assert.equal(await lenient(good, s), false, String(s));
    for (const R of [0n, 1n, 2n ** 255n - 20n]) assert.equal(await lenient(little(R), 0n), false, String(R));
    assert.equal(await lenient(little(1n + 2n ** 255n), 0n), false, "whatever the sign says");
    assert.equal(await signed(good, 0n), false);
    const fails = (name) => replaced("verify", () => Promise.reject(Object.assign(new Error("no"), { name })), () => signed(good, 0n).catch((error) => error.code));
    assert.deepEqual([await fails("NotSupportedError"), await fails("DataError")], ["no-crypto", false]);
  },

  "names have limits and are folded"() {
    const { isGoodName, folded } = wire;
    for (const good of ["a", "ä".repeat(40), "Anna B.", "😀"]) assert.ok(isGoodName(good), good);
    for (const bad of ["", "a".repeat(41), " a", "a ", "a\u0301", "a\u200b", "\u00ad", "a\nb", "\u0301"]) assert.ok(!isGoodName(bad), JSON.stringify(bad));
    assert.equal(folded("Straße"), folded("STRASSE"));
    assert.equal(folded("STRAẞE"), folded("strasse"));
    assert.equal(folded("Ánna"), folded("anna"));
    assert.equal(folded("Ａ"), "a");
    assert.notEqual(folded("ı"), folded("i"));
  },

  "draws are below their bound, and each number of bits has its size"() {
    const seed = sha256(utf8("seed"));
    assert.equal(wire.below(seed, 0, 1), 0);
    for (const n of [2, 3, 255, 256, 257, 65536, 65537, 2 ** 24 + 1, 2 ** 40]) {
      const drawn = many(40, (at) => wire.below(seed, at, n));
      assert.ok(drawn.every((one) => Number.isInteger(one) && 0 <= one && one < n), String(n));
      assert.ok(Math.max(...drawn) >= n / 4, `${n}: some are large`);
      assert.deepEqual(drawn, many(40, (at) => reference(seed, at, n)), String(n));
    }
    const faces = wire.arrange(seed, "", "bag", 0, ["b", "a", "\u{1f600}", "\uffff", "a"]);
    assert.deepEqual([...faces].sort(wire.byCodePoint), ["a", "a", "b", "\uffff", "\u{1f600}"]);
    assert.ok(wire.byCodePoint("a", "ab") < 0 && wire.byCodePoint("ab", "a") > 0 && wire.byCodePoint("a", "a") === 0);
    assert.deepEqual(wire.slotParts("goods/1.2.30"), ["goods/1", 2, 30]);
  },

  "forms: what fits a part and what does not"() {
    const parts = [
      { type: "pick", name: "what", ask: "?", options: [{ text: "buy", value: "b" }, { text: "pass" }, { text: "more", when: [{ part: "none" }] }] },
      { type: "number", name: "n", ask: "?", low: 2, high: 4 },
      { type: "amounts", name: "m", ask: "?", most: { red: 2, blue: 1 } },
      { type: "ranking", name: "r", ask: "?", names: ["x", "y", "z"], least: 2 },
      { type: "free", name: "f", ask: "?", how: "", longest: 3 },
    ];
    const choice = { text: "t", move: {}, parts, form: {} };
    const fit = (name, value) => forms.partFault(choice, parts.find((one) => one.name === name), { [name]: value });
    assert.equal(forms.partFault(choice, parts[0], {}), "choose something here");
    for (const [value, why] of [[1, "a whole number from 2 to 4"], [2, ""], [4, ""], [5, "a whole number from 2 to 4"], [2.5, "a whole number from 2 to 4"], ["3", "a whole number from 2 to 4"]]) {
      assert.equal(fit("n", value), why, String(value));
    }
    for (const [value, why] of [[{}, ""], [{ red: 2, blue: 1 }, ""], [{ red: 3 }, "red: a whole number from 0 to 2"], [{ blue: -1 }, "blue: a whole number from 0 to 1"], [{ green: 1 }, "green: a whole number from 0 to 0"], [null, "this: a whole number from 0 to 0"]]) {
      assert.equal(fit("m", value), why, JSON.stringify(value));
    }
    for (const [value, good] of [[["x", "y"], true], [["z", "y", "x"], true], [["x"], false], [["x", "x"], false], [["x", "q"], false]]) {
      assert.equal(fit("r", value), good ? "" : "at least 2 of the names, each once", String(value));
    }
    for (const [value, good] of [["a", true], ["😀😀😀", true], ["abcd", false], ["", false], ["\ud800", false], [1, false]]) {
      assert.equal(fit("f", value), good ? "" : "a text of 1 to 3 characters", String(value));
    }
    assert.equal(fit("what", "buy"), "");
    assert.equal(fit("what", "sell"), "this cannot be chosen now");
    assert.equal(forms.typedValue(parts[1], " 12 "), 12);
    for (const bad of ["", "1.5", "x", "1".repeat(17)]) assert.ok(Number.isNaN(forms.typedValue(parts[1], bad)), bad);
    assert.deepEqual(forms.typedValue(parts[2], { red: " 2", blue: " " }), { red: 2, blue: 0 });
    assert.equal(forms.typedValue(parts[4], "abc"), "abc");
  },

  "forms: conditions refer to earlier parts, and `otherwise` applies where nothing else is open"() {
    const parts = [
      { type: "number", name: "n", ask: "?", low: 0, high: 9 },
      { type: "amounts", name: "m", ask: "?", most: { red: 5, blue: 5 } },
      {
        type: "pick", name: "p", ask: "?",
        options: [
          { text: "few", when: [{ part: "n", low: 2, high: 3 }] }, { text: "red", when: [{ part: "m", name: "red" }] },
          { text: "sum", when: [{ part: "m", low: 4 }] }, { text: "none", otherwise: true },
        ],
      },
    ];
    const open = (values) => forms.openOptions({ parts }, parts[2], values).map((one) => one.text);
    assert.deepEqual(open({ n: 1, m: {} }), ["none"]);
    assert.deepEqual(open({ n: 2, m: {} }), ["few"]);
    assert.deepEqual(open({ n: 3, m: { red: 1 } }), ["few", "red"]);
    assert.deepEqual(open({ n: 4, m: { red: 1, blue: 3 } }), ["red", "sum"]);
    assert.deepEqual(open({ n: 2 }), ["few"]);
    assert.deepEqual(open({}), ["none"]);
  },

  "forms: limits are sums, and the move is what the form says"() {
    const choice = {
      text: "t", move: { first: true },
      parts: [
        { type: "amounts", name: "m", ask: "?", most: { red: 3, blue: 3 } },
        { type: "amounts", name: "l", ask: "?", most: { x: 2, y: 2 }, listed: ["y", "x"] },
        { type: "pick", name: "p", ask: "?", options: [{ text: "a", value: { k: 1 } }, { text: "nothing" }] },
      ],
      form: { buy: { $: "m" }, list: [{ $: "p" }, 7], also: { $: "p" }, names: { $: "l" }, fixed: null },
      limits: [{ terms: [{ part: "m" }, { part: "m", name: "red", times: -2 }], low: -1, high: 2 }, { terms: [{ part: "l" }], high: 3, why: "too many" }],
    };
    const build = (m, l = {}, p = "a") => forms.buildMove(choice, { m, l, p });
    assert.equal(canonical(build({ red: 1, blue: 2 }, { x: 2, y: 1 })), canonical({ buy: { red: 1, blue: 2 }, list: [{ k: 1 }, 7], also: { k: 1 }, names: ["y", "x", "x"], fixed: null }));
    assert.equal(canonical(build({ red: 0, blue: 2 }, {}, "nothing")), canonical({ buy: { blue: 2 }, list: [7], names: [], fixed: null }));
    assert.deepEqual(forms.fault(choice, { m: { blue: 3 }, l: {}, p: "a" }), { part: "", why: "the sum is 3: from -1 to 2" });
    assert.deepEqual(forms.fault(choice, { m: { red: 2 }, l: {}, p: "a" }), { part: "", why: "the sum is -2: from -1 to 2" });
    assert.equal(forms.fault(choice, { m: { red: 1 }, l: {}, p: "a" }), null);
    assert.deepEqual(forms.fault(choice, { m: {}, l: { x: 2, y: 2 }, p: "a" }), { part: "", why: "too many" });
    assert.equal(code(() => build({ red: 9 })), "no-move");
    assert.deepEqual(forms.buildMove({ text: "t", move: { a: 1 } }), { a: 1 });
    assert.deepEqual(forms.limitsOf(choice, { m: { red: 1 }, l: {}, p: "a" }).map((one) => [one.sum, one.holds, one.why]), [[-1, true, ""], [0, true, "too many"]]);
  },

  "forms: the numbers of parts, and the first fault"() {
    const numbers = [["pick", "a", "a", 1], ["pick", "a", "b", 0], ["number", 3, "", 3], ["free", "ä😀", "", 2], ["ranking", ["x"], "", 1], ["ranking", ["x"], "x", 1], ["ranking", ["x"], "y", 0],
      ["amounts", { x: 2, y: 1 }, "", 3], ["amounts", { x: 2, y: 1 }, "x", 2], ["amounts", { x: 2 }, "constructor", 0]]; // prettier-ignore
    for (const [type, value, name, number] of numbers) assert.equal(forms.numberOf({ type }, value, name), number, `${type} ${name}`);
    const part = (name) => ({ type: "number", name, ask: "?", low: 0, high: 1 });
    const choice = { text: "t", move: {}, form: {}, parts: [part("a"), part("b")], limits: [{ terms: [{ part: "a" }, { part: "b" }], high: 1 }] };
    assert.deepEqual(forms.fault(choice, { a: 2 }), { part: "a", why: "a whole number from 0 to 1" });
    assert.deepEqual(forms.fault(choice, { a: 1 }), { part: "b", why: "choose something here" });
    assert.equal(forms.fault(choice, { a: 1, b: 1 }).part, "");
    assert.equal(forms.fault(choice, { a: 0, b: 1 }), null);
    assert.equal(forms.fault({ text: "t", move: {} }, {}), null);
  },

  "forms: descriptions that refer to nothing are refused"() {
    const part = (name) => ({ type: "number", name, ask: "?", low: 0, high: 1 });
    const moves = (choice) => ({ round: 1, asked: "x", choices: [{ text: "t", move: {}, ...choice }], standing: null });
    const good = (choice) => code(() => forms.readMoves(moves(choice))) === "";
    assert.ok(good({}));
    assert.ok(good({ parts: [part("a")], form: { x: { $: "a" } } }));
    assert.ok(good({ parts: many(100, (at) => part(`p${at}`)), form: {} }));
    assert.ok(!good({ parts: many(101, (at) => part(`p${at}`)), form: {} }));
    assert.ok(!good({ parts: [part("a"), part("a")], form: {} }));
    assert.ok(!good({ parts: [part("a")], form: { x: [{ $: "b" }] } }));
    assert.ok(!good({ parts: [part("a")] }), "parts need a form");
    assert.ok(!good({ parts: [part("a")], form: {}, limits: [{ terms: [{ part: "b" }] }] }));
    assert.ok(!good({ parts: [part("a")], form: {}, limits: [{ terms: [{ part: "a" }, { part: "b" }] }] }));
    assert.ok(!good({ parts: [{ type: "ranking", name: "a", ask: "?", names: ["x", 1], least: 0 }], form: {} }));
    const pick = (when) => ({ type: "pick", name: "p", ask: "?", options: [{ text: "o", when: [{ part: when }] }] });
    assert.ok(good({ parts: [part("a"), pick("a")], form: {} }));
    assert.ok(!good({ parts: [pick("a"), part("a")], form: {} }), "a condition looks back");
    assert.ok(!good({ parts: [{ ...part("a"), high: 1.5 }], form: {} }));
    assert.ok(!good({ parts: [{ type: "amounts", name: "a", ask: "?", most: { x: -1 } }], form: {} }));
    assert.ok(!good({ parts: [{ type: "ranking", name: "a", ask: "?", names: ["x", "x"], least: 0 }], form: {} }));
    assert.ok(!good({ parts: [{ type: "guess", name: "a", ask: "?" }], form: {} }));
    const said = { now: [], choices: [{ text: "t", move: {}, parts: [part("a"), part("a")], form: {} }] };
    assert.equal(code(() => forms.readMoves({ ...moves({}), standing: said })), "malformed");
    for (const bad of [{}, { ...moves({}), round: "1" }, { ...moves({}), more: 1 }, null, []]) assert.equal(code(() => forms.readMoves(bad)), "malformed");
  },

  "blocks are found whatever mail programs do to them"() {
    const data = utf8('{"a":"' + "ä".repeat(100) + '"}');
    const block = blocks.writeBlock("move", data);
    const lines = block.split("\n");
    assert.ok(lines.every((line) => line.length <= 64));
    assert.equal(lines[0], "-----BEGIN PBEM REFEREE MOVE-----");
    assert.equal(lines.at(-2), "-----END PBEM REFEREE MOVE-----");
    assert.equal(lines.at(-3), `#${createHash("sha256").update(data).digest("hex").slice(0, 8)}`);
    const whole = [
      block, block.replaceAll("\n", "\r\n"), block.replaceAll(/^/gm, "> "), block.replaceAll(/^/gm, ">> | "), block.replaceAll("-", "\u2013"),
      block.replaceAll(" ", "\u00a0"), block.replace("PBEM", "PB\u200bEM"), block.replaceAll("+", "&#43;").replaceAll("/", "&#x2f;"),
      `hello\n${block}bye`, block.replaceAll("-----", "-"), block.replaceAll(/\n(?=[A-Za-z0-9+/]{10})/g, " \n"),
    ];
    for (const text of whole) {
      const found = blocks.findBlocks(text);
      assert.equal(found.length, 1, text);
      assert.deepEqual([found[0].kind, found[0].why, hexOf(found[0].bytes ?? [])], ["move", "", hexOf(data)], text);
    }
    const why = (text) => blocks.findBlocks(text).map((one) => [one.bytes, one.why]);
    assert.deepEqual(why(lines.slice(0, -2).join("\n")), [[null, "the end of the block is missing"]]);
    assert.deepEqual(why(lines.slice(1).join("\n")), [[null, "the beginning of the block is missing"]]);
    assert.deepEqual(why(block.replace("END PBEM REFEREE MOVE", "END PBEM REFEREE JOIN")), [[null, "the block begins as one kind and ends as another"]]);
    assert.deepEqual(why([lines[0], ...lines.slice(2)].join("\n")), [[null, "a part of the block is missing or was changed on the way"]]);
    assert.deepEqual(why(block.replace(/#.*/, "")), [[null, "the last line of the block is missing, or the block contains something that does not belong there"]]);
    assert.deepEqual(why("I write of BEGIN PBEM REFEREE MOVE here"), []);
    // A dash on one side makes a marker, at most nine blanks away; also where the text begins or ends.
    const marks = (text) => blocks.findBlocks(text).length;
    const marker = "BEGIN PBEM REFEREE MOVE";
    assert.deepEqual([`-${marker}`, `x -${" ".repeat(9)}${marker}`, `x -${" ".repeat(10)}${marker}`].map(marks), [1, 1, 0]);
    assert.deepEqual([`${marker}-`, `${marker}${" ".repeat(9)}-`, `${marker}${" ".repeat(10)}-`, marker].map(marks), [1, 1, 0, 0]);
    const fifty = block.repeat(51);
    assert.equal(blocks.findBlocks(fifty).length, 50);
    assert.deepEqual(blocks.findBlocks(block + blocks.writeBlock("join", data)).map((one) => one.kind), ["move", "join"]);
  },

  "words, numbers and lists in each language"() {
    const { setLanguage, t, term, container, figure, duration, moment, joinedWords, inOrder, counted, spoken, titleOf, currentLanguage, foreign, sentence } = texts;
    setLanguage("fr");
    assert.equal(currentLanguage(), "en");
    assert.deepEqual([figure(1234), figure(12345), duration(60), duration(90), duration(1440), duration(2880)], ["1234", "12,345", "1 hour", "90 minutes", "1 day", "2 days"]);
    assert.deepEqual([moment("2027-01-05T18:07Z"), moment("soon")], ["2027-01-05 18:07 UTC", "soon"]);
    assert.deepEqual([joinedWords(["a"]), joinedWords(["a", "b"]), joinedWords(["a", "b", "c"])], ["a", "a and b", "a, b and c"]);
    assert.deepEqual(inOrder(["offer-16", "offer-3", "a"]), ["a", "offer-3", "offer-16"]);
    assert.equal(counted(["red", "blue", "red"]), "2 red, blue");
    assert.equal(spoken({ red: 2, more: [1, 2], none: [], deep: { a: 1 } }), "red 2, more (1, 2), none (nothing), deep (a 1)");
    assert.deepEqual([spoken(null), spoken([]), spoken({}), spoken("red"), spoken([null, 3])], ["nothing", "nothing", "nothing", "red", "nothing, 3"]);
    assert.deepEqual([titleOf("mark"), titleOf("chess"), titleOf("constructor")], ["M.A.R.K.", "chess", "constructor"]);
    assert.throws(() => t("there is no such text"), /no text: there is no such text/);
    assert.deepEqual([foreign("en"), foreign("de")], [null, "de"]);
    setLanguage("de");
    assert.deepEqual([currentLanguage(), foreign("de"), foreign("en")], ["de", null, "en"]);
    assert.deepEqual([figure(12345), duration(60), joinedWords(["a", "b", "c"])], ["12.345", "1 Stunde", "a, b und c"]);
    assert.ok(!moment("2027-01-05T18:07Z").includes("05"), "no zeros before days");
    assert.equal(term("red"), "rot");
    assert.equal(term("no such word"), "no such word");
    assert.equal(container("nothing/1.0.3").slice(-6), "/1.0.3");
    assert.equal(sentence("x".repeat(600)), "x".repeat(600));
    assert.equal(sentence("no such sentence"), "no such sentence");
    setLanguage("en");
    assert.equal(term("red"), "red");
  },

  "figures are found in positions"() {
    const positions = [
      { turn: 1, fixed: 5, players: [{ money: 1, name: "x" }, { money: 2 }], prices: { red: 1, blue: 2 }, row: [1, 2], places: [[0, 1]], goods: [{ name: "tin", left: 3 }], text: "no" },
      { turn: 4, fixed: 5, players: [{ money: 3 }, { money: 2 }], prices: { red: 1, blue: 3 }, row: [1, 5], places: [[1, 0]], goods: [{ name: "tin", left: 1 }], text: "no" },
    ];
    const found = charts.figures(positions, ["Anna", "Bert"], { places: [[10, 11], [20, 21]] }, { row: ["one", "two"] });
    const shown = found.map((one) => [one.label, one.own, one.series.map((line) => [line.name, line.colour, line.values])]);
    assert.deepEqual(shown, [
      ["money", true, [["Anna", "seat seat0", [1, 3]], ["Bert", "seat seat1", [2, 2]]]],
      ["row", true, [["one", "", [1, 1]], ["two", "", [2, 5]]]],
      ["turn", false, [["turn", "", [1, 4]]]],
      ["prices", false, [["red", "red", [1, 1]], ["blue", "blue", [2, 3]]]],
      ["places", false, [["1", "", [11, 20]]]],
      ["goods, left", false, [["tin", "", [3, 1]]]],
    ]);
    const wide = (count) => charts.figures([0, 1].map((step) => ({ row: many(count, (at) => at + step) })), []);
    assert.deepEqual([wide(8).length, wide(9).length], [1, 0]);
    assert.deepEqual(charts.figures([null, "x", { players: "x", a: null, b: [null], c: [[9]] }], []), []);
    const gaps = charts.figures([{}, { a: 1 }, { a: 2 }], []);
    assert.deepEqual(gaps[0].series[0].values, [null, 1, 2]);
  },

  "who is out, who is asked, what lies in a bag"() {
    const state = { missed: [0, 1, 2], left: [[0, 4]], end: "" };
    assert.deepEqual([0, 1, 2].map((seat) => table.isOut(state, seat)), [true, false, true]);
    assert.deepEqual([0, 1, 2].map((seat) => table.resigned(state, seat)), [true, false, false]);
    assert.deepEqual(table.allSeats(state), [0, 1, 2]);
    assert.equal(table.rests(state), false);
    assert.equal(table.rests({ ...state, missed: [0, 2, 2] }), true);
    assert.equal(table.rests({ ...state, missed: [0, 2, 2], end: "void" }), false);
    assert.deepEqual(table.emptyBag(), { generation: -1, puts: 0, slots: [], tail: [] });
    assert.deepEqual(table.content({ slots: ["a"], tail: ["b"] }), ["a", "b"]);
    assert.ok(table.same({ a: 1, b: 2 }, { b: 2, a: 1 }));
    assert.ok(!table.same({ a: 1 }, { a: 2 }));
  },
};

/** Section 6 of the protocol, once more with big integers. */
function reference(seed, draw, n) {
  const bits = BigInt((n - 1).toString(2).length);
  const size = Number((bits + 7n) / 8n);
  let stream = [];
  for (let block = 0; ;) {
    while (stream.length < size) stream.push(...createHmac("sha256", seed).update(Buffer.from([...bytes.u32(draw), ...bytes.u32(block++)])).digest());
    const value = stream.splice(0, size).reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n) & ((1n << bits) - 1n);
    if (value < BigInt(n)) return Number(value);
  }
}

for (const [name, check] of Object.entries(CHECKS)) {
  try {
    await check();
    console.log(`ok ${name}`);
  } catch (error) {
    console.log(`FAILED ${name}: ${error.message}`);
  }
}
