// What the page reads out of mails, texts and files, what it says of them, and what it calls them, under Node: each check
// by its name, what fails is printed.

import assert from "node:assert/strict";

const { pathname } = new URL(process.argv[2], "file://");
const load = (name) => import(`file://${pathname}/${name}.mjs`);
const bytes = await load("bytes");
const mail = await load("mail");
const intake = await load("intake");
const quote = await load("quote");
const expressions = await load("expressions");
const player = await load("player");
const memory = await load("playerfile");
const aids = await load("aid");
const texts = await load("texts");

const hex = (digit) => digit.repeat(64);
const many = (count, made) => Array.from({ length: count }, (_, at) => made(at));
const text = (data) => Buffer.from(data).toString("utf8");
const lines = (...all) => all.join("\r\n");
/** A part of a mail with these headers. */
const part = (head, ...body) => lines(...head, "", ...body);
const multipart = (boundary, ...parts) => part([`Content-Type: multipart/mixed; boundary="${boundary}"`], ...parts.flatMap((one) => [`--${boundary}`, one]), `--${boundary}--`, "after the end");
const from = (rest, sender = "Host <host@a.example>") => lines(`From: ${sender}`, rest);
const read = (raw) => {
  const { documents, texts, reply } = mail.readMail(raw);
  return { documents: documents.map((one) => [one.name, text(one.bytes)]), texts, reply };
};

const CHECKS = {
  "a mail is recognised by its beginning"() {
    for (const good of ["From: a\n\n", "Received: x\nFrom: a\n", "From a@b Thu\nSubject: x\n", "\ufeff\n To: x\n", "X-Odd: 1\nmime-version: 1.0\n", "date: x", "Message-ID: <x>\n", "content-type: x\n"]) assert.ok(mail.isMail(good), good);
    for (const bad of ["hello\nFrom: a\n", "X-Odd: 1\nmore\n", "{\"From\": 1}", "", "From a@b Thu\n", "F: x\nFrom: a\n", "1From: a\n"]) assert.ok(!mail.isMail(bad), bad);
    assert.ok(mail.isMail(`X-Odd: ${"x".repeat(7000)}\nFrom: a\n`));
    assert.ok(!mail.isMail(`X-Odd: ${"x".repeat(8000)}\nFrom: a\n`));
    assert.ok(intake.looksLikeMail(bytes.utf8("From: a\n\n")));
    assert.ok(!intake.looksLikeMail(bytes.utf8("hello")));
  },

  "texts and documents of a mail are found, however they are encoded"() {
    const plain = from(part(["Subject: hello", "Content-Type: text/plain"], "one", "", "two"));
    assert.deepEqual(read(plain), { documents: [], texts: ["one\r\n\r\ntwo"], reply: { to: "host@a.example", subject: "hello" } });
    const document = part(["Content-Type: application/json; name=a.json", "Content-Transfer-Encoding: BASE64 "], "eyJhIjox", "fQ==");
    const quoted = part(["Content-Type: text/plain", "Content-Transfer-Encoding: quoted-printable"], "a=3D=C3=A4=", "b= ", "c=zz");
    const page = part(["Content-Type: text/html"], "<p>x");
    const named = part(["Content-Type: text/plain", 'Content-Disposition: attachment; filename="v.JSON"'], "{}");
    const picture = part(["Content-Type: image/png; name=x.png"], "png");
    const bare = part(["X-Odd: 1"], "no type");
    const odd = part(["Content-Type: application/octet-stream"], "odd");
    const all = read(from(multipart("x y", document, quoted, page, named, picture, bare, odd)));
    assert.deepEqual(all.documents, [["a.json", '{"a":1}'], ["v.JSON", "{}\r"], ["", "odd\r"]]);
    assert.deepEqual(all.texts, ["a=äbc=zz\r", "<p>x\r", "no type\r"]);
    const inner = from(multipart("in", document), "other@b.example");
    const outer = read(from(multipart("out", part(["Content-Type: message/rfc822"], inner))));
    assert.deepEqual([outer.documents, outer.reply.to], [[["a.json", '{"a":1}']], "host@a.example"]);
    assert.deepEqual(read(from(part(["Content-Transfer-Encoding: base64", "Content-Type: application/json"], "A"))).documents, [["", ""]]);
    assert.deepEqual(read(lines("From a@b Thu", from(part([], "x")))).texts, ["x"]);
    assert.deepEqual(read(from("Subject: no body")).texts, [""]);
  },

  "folded lines, coded words and the first of several headers"() {
    const subject = (value) => read(from(part([`Subject: ${value}`], "x"))).reply.subject;
    assert.equal(subject("your\r\n\tturn,\r\n  Anna"), "your turn, Anna");
    assert.equal(subject("=?utf-8?q?f=C3=BCr_dich?="), "für dich");
    assert.equal(subject("=?UTF-8?B?w6Q=?= =?utf-8?B?w7Y=?= =?iso-8859-1?Q?=FC?="), "äöü");
    assert.equal(subject("=?no-such-charset?q?a?="), "=?no-such-charset?q?a?=");
    assert.equal(subject("one\r\nSubject: two"), "one");
    assert.equal(read(from(part(["Content-Type: application/json;", ' name="=?utf-8?q?=C3=A4?=.json"'], "{}"))).documents[0][0], "ä.json");
  },

  "a reply goes to Reply-To, or to the sender, or to nobody"() {
    const to = (...head) => read(part(head, "x")).reply.to;
    assert.equal(to("From: a@b.example", "Reply-To: Office <c@d.example>"), "c@d.example");
    assert.equal(to("From: a@b.example", "Reply-To: nobody"), "a@b.example");
    assert.equal(to("From:  a@b.example "), "a@b.example");
    for (const bad of ["", "a", "a b@c.example", "a@b.example, c@d.example", "a@b?cc=x", "@b.example", `${"a".repeat(65)}@b.example`, `a@${"b".repeat(191)}`]) assert.equal(to(`From: ${bad}`), "", bad);
    for (const good of [`${"a".repeat(64)}@b.example`, `a@${"b".repeat(190)}`]) assert.equal(to(`From: ${good}`), good);
    assert.equal(to("Subject: x"), "");
  },

  "the parts of a mail and their nesting are limited"() {
    const one = part(["Content-Type: application/json"], "{}");
    const count = (raw) => mail.readMail(raw).documents.length;
    assert.equal(count(from(multipart("x", ...many(199, () => one)))), 199);
    assert.equal(count(from(multipart("x", ...many(220, () => one)))), 199);
    const nested = (depth) => (depth ? multipart(`b${depth}`, nested(depth - 1)) : one);
    assert.equal(count(from(nested(6))), 1);
    assert.equal(count(from(nested(7))), 0);
  },

  "bytes become text and come back"() {
    const data = Uint8Array.from(many(20000, (at) => at % 256));
    assert.deepEqual(mail.bytesOf(mail.binary(data)), data);
    assert.equal(mail.binary(data).length, 20000);
  },

  async "files are read up to limits, each and together"() {
    const file = (name, size) => ({ name, size, arrayBuffer: async () => new ArrayBuffer(8) });
    const keys = async (files, most) => {
      const found = await intake.readFiles(files, most);
      return [found.files.map((one) => one.name), found.wrong.map((one) => [one.name, one.key])];
    };
    assert.deepEqual(await keys([file("a", 10), file("b", 11)], 10), [["a"], [["b", "file large"]]]);
    const half = bytes.MAX_FILE / 2;
    assert.deepEqual(await keys([file("a", half), file("b", half), file("c", 0), file("d", 1)]), [["a", "b", "c"], [["d", "files large"]]]);
    assert.deepEqual(await keys([file("a", half), file("b", half + 1)]), [["a"], [["b", "files large"]]]);
    const bad = { name: "x", size: bytes.MAX_FILE, arrayBuffer: () => Promise.reject(new Error("no")) };
    assert.deepEqual(await keys([bad, file("b", half)]), [["b"], [["x", "file unread"]]]);
    assert.equal(intake.FILES_MOST, 40);
    const [read, wrong] = await keys(many(42, (at) => file(`${at}`, 1)));
    assert.deepEqual([read.length, wrong], [40, [["40", "files many"], ["41", "files many"]]]);
  },

  "each error is reported once, with every name"() {
    const said = intake.saidOnce([{ name: "a", key: "k" }, { name: "b", key: "k" }, { name: "a", key: "k" }, { name: "a", key: "k", words: "w" }]);
    assert.deepEqual(said, [{ names: ["a", "b"], key: "k", words: "" }, { names: ["a"], key: "k", words: "w" }]);
  },

  "documents in texts and mails"() {
    const found = (name, data) => {
      const { documents, wrong } = intake.documentsIn([{ name, bytes: bytes.utf8(data) }]);
      return [documents.map((one) => [one.name, one.kind, one.reply.to]), wrong.map((one) => [one.name, one.key])];
    };
    const offer = '{"type":"pbem-referee/1/offer"}';
    assert.deepEqual(found("o", offer), [[["o", "offer", ""]], []]);
    assert.deepEqual(found("o", ` \n${offer}`), [[["o", "offer", ""]], []]);
    assert.deepEqual(found("x", "nothing"), [[["x", "", ""]], []]);
    assert.deepEqual(found("x", '{"type":"other/1/offer"}'), [[["x", "", ""]], []]);
    assert.deepEqual(found("x", '{"type":1}'), [[["x", "", ""]], []]);
    assert.deepEqual(found("m", from(part([], "hello"))), [[], [["m", "mail nothing"]]]);
    const attached = (...all) => from(multipart("x", ...all));
    const json = (name, data) => part([`Content-Type: application/json${name && `; name=${name}`}`], data);
    assert.deepEqual(found("m", attached(json("o.json", offer))), [[["m / o.json", "offer", "host@a.example"]], []]);
    assert.deepEqual(found("m", attached(json("", offer))), [[["m", "offer", "host@a.example"]], []]);
    assert.deepEqual(found("m", attached(json("x.json", "{}"))), [[], [["m", "mail nothing"]]]);
    for (const kind of ["key", "player"]) {
      const secret = `{"format":"pbem-referee/1/${kind}"}`;
      assert.deepEqual(found("m", attached(json("k.json", secret), json("o.json", offer))), [[["m / o.json", "offer", "host@a.example"]], [["m / k.json", `${kind} in mail`]]]);
      assert.deepEqual(found("m", from(part([], `see ${secret}`))), [[], [["m", `${kind} in mail`]]]);
      assert.deepEqual(found("k", secret), [[], [["k", `${kind} elsewhere`]]]);
      assert.deepEqual(found("k", `see ${secret}`), [[], [["k", `${kind} elsewhere`]]]);
    }
  },

  "an aid has a form, and every list in it has one"() {
    texts.setLanguage("en");
    const good = { game: hex("a"), round: 3, seat: 1, title: "x", moves: { round: 4, asked: "bid", choices: [], standing: null } };
    const read = (more) => aids.readAid({ bytes: bytes.utf8(bytes.canonical({ ...good, ...more })) });
    const fits = (more) => {
      const { aid, why = "" } = read(more);
      assert.equal(!aid, !!why);
      return !!aid;
    };
    assert.equal(read({}).aid.language, "en");
    for (const more of [{ language: "de" }, { terms: ["a"] }, { told: [{ round: 1 }] }, { told: [{ round: 1, lines: ["a"], own: ["b"] }] }, { bags: { bag: ["red"] } }, { together: [[0, 1]] }, { sealed: {} }, { picture: "" }]) assert.ok(fits(more), JSON.stringify(more));
    for (const more of [
      { language: "d" }, { language: "DEU" }, { language: "deut" }, { terms: ["a", 1] }, { terms: "a" }, { told: [{ round: 1 }, 7] }, { told: [{ round: "1" }] }, { told: [{ round: 1, lines: ["a", 1] }] }, { told: [{ round: 1, own: [1, "a"] }] },
      { bags: { a: ["x"], b: [1] } }, { bags: { a: ["x", 1] } }, { bags: [] }, { together: [[0, 1], 2] }, { together: [[0, "1"]] }, { sealed: [] }, { sealed: null }, { picture: 1 }, { title: 1 }, { round: "3" }, { seat: "1" }, { game: hex("A") }, { game: hex("a") + "a" }, { more: 1 },
    ]) assert.ok(!fits(more), JSON.stringify(more));
    for (const name of ["title", "round", "seat", "game", "moves"]) {
      const { [name]: _, ...rest } = good;
      assert.ok(aids.readAid({ bytes: bytes.utf8(bytes.canonical(rest)) }).why, name);
    }
    for (const bad of ["[]", "null", "7"]) assert.ok(aids.readAid({ bytes: bytes.utf8(bad) }).why, bad);
  },

  "everything in an aid is limited, and the limits are exact"() {
    texts.setLanguage("en");
    const line = { text: "t", move: {} };
    const why = ({ choices = [line], standing = null, ...more } = {}) => aids.readAid({ bytes: bytes.utf8(bytes.canonical({ game: hex("a"), round: 3, seat: 1, title: "x", moves: { round: 4, asked: "bid", choices, standing }, ...more })) }).why ?? "";
    const family = (part) => [{ ...line, form: {}, parts: [{ name: "a", ask: "?", ...part }] }];
    const pick = (count, value = null) => family({ type: "pick", options: many(count, (at) => ({ text: `${at}`, ...(value && { value }) })) });
    const x = (count) => "x".repeat(count);
    for (const [most, made] of [
      [500, (count) => ({ choices: many(count, () => line) })],
      [500, (count) => ({ choices: [], standing: { now: [], choices: many(count, () => line) } })],
      [5000, (count) => ({ choices: pick(count) })],
      [5000, (count) => ({ choices: family({ type: "ranking", names: many(count, String), least: 0 }) })],
      [5000, (count) => ({ choices: family({ type: "amounts", most: { a: count - 1, b: 1 }, listed: ["a", "b"] }) })],
      [2000, (count) => ({ choices: [{ ...line, text: x(count) }] })],
      [2000, (count) => ({ choices: [{ ...line, note: x(count) }] })],
      [2000, (count) => ({ choices: family({ type: "number", low: 0, high: 1, ask: x(count) }) })],
      [2000, (count) => ({ choices: family({ type: "free", how: "", longest: count }) })],
      [4000, (count) => ({ choices: [{ ...line, move: { a: x(count - 8) } }] })],
      [4000, (count) => ({ choices: [{ ...line, parts: [], form: { a: x(count - 8) } }] })],
      [4000, (count) => ({ choices: pick(1, x(count - 2)) })],
      [4000, (count) => ({ sealed: { a: x(count - 8) } })],
      [2000, (count) => ({ terms: ["a"], told: [{ round: 1, lines: many(count - 2, String), own: ["b"] }] })],
    ]) {
      assert.equal(why(made(most)), "", made.toString());
      assert.equal(why(made(most + 1)), texts.t("aid large"), made.toString());
    }
  },

  "an aid belongs to one view, and names what its moves leave out"() {
    texts.setLanguage("en");
    const state = { round: 3, pending: [{ seat: 1, what: "bid", sealed: ["price"] }], missed: [0, 0], left: [], held: [], holding: false, end: "" };
    const report = (more = {}) => ({ table: { game: hex("a") }, seat: 1, state: { ...state, ...more } });
    const move = { text: "t", move: { price: 1 } };
    const aid = ({ choices = [move], asked = "bid", next = 4, ...more } = {}) => ({ game: hex("a"), round: 3, seat: 1, moves: { round: next, asked, choices }, ...more });
    const why = (given, on = report()) => aids.checkAid(given, on);
    assert.equal(why(aid()), "");
    for (const [given, key] of [[{ game: hex("b") }, "aid game"], [{ round: 2 }, "aid round"], [{ round: 2, next: 3 }, "aid round"], [{ next: 5 }, "aid round"], [{ seat: 0 }, "aid seat"], [{ asked: "" }, "aid question"], [{ choices: [move, { text: "t", move: {} }] }, "aid sealed"]]) assert.equal(why(aid(given)), texts.t(key), key);
    assert.equal(why(aid({ choices: [move, { text: "t", move: {} }], sealed: { price: null } })), "");
    assert.equal(why(aid({ asked: "", choices: [] }), report({ pending: [{ seat: 0, what: "bid" }] })), "");
    assert.equal(why(aid({ asked: "link", choices: [] }), report({ pending: [{ seat: 1, what: "link" }] })), "");
    assert.equal(why({ ...aid({ asked: "ack", choices: [] }), round: 0, moves: { round: 1, asked: "ack", choices: [] } }, report({ round: 0 })), "");
    const whole = { a: 1 };
    assert.equal(aids.completed(whole, { sealed: { a: 2 } }, ["a"]), whole);
    assert.deepEqual([aids.completed({}, { sealed: { a: 2, b: 3 } }, ["a"]), aids.completed({}, {}, ["a"])], [{ a: 2 }, {}]);
  },

  "a picture is made of plain shapes, up to a limit"() {
    texts.setLanguage("en");
    const shown = (picture) => {
      const { aid } = aids.readAid({ bytes: bytes.utf8(bytes.canonical({ game: hex("a"), round: 3, seat: 1, title: "x", moves: { round: 4, asked: "", choices: [], standing: null }, picture })) });
      assert.equal("unfit" in aid, !!picture && !aid.picture);
      return aid.picture !== "" || picture === "";
    };
    const svg = (inside) => `<svg >${inside}</svg>`;
    for (const good of ["", svg(""), svg("<g/>".repeat(9998)), svg("&lt;&gt;&amp;&quot;&apos;&#x27;&#39;"), `<svg >${"x".repeat(400000 - 12)}</svg>`]) assert.ok(shown(good), good.slice(0, 60));
    for (const bad of [svg("<g/>".repeat(9999)), svg("&nbsp;"), svg("<a/>"), svg("<rect xlink:href='x'/>"), svg("<rect CLASS ='x'/>"), svg("<gg/>"), svg("<") , `<svg >${"x".repeat(400001 - 12)}</svg>`, "<svg></svg>", svg("") + "x", "x" + svg("")]) assert.ok(!shown(bad), bad.slice(0, 60));
  },

  "everything in a text is made visible"() {
    const { visible, shortened, isPlain, ranges } = quote;
    assert.equal(visible("a \u00a0\t\n b\u2029c"), "a b c");
    assert.equal(visible("\u202e\u0000\ud800\ue000"), "⟨202E⟩⟨0000⟩⟨D800⟩⟨E000⟩");
    assert.equal(visible("\u115f\u1160\u2800\u3164\uffa0"), "⟨115F⟩⟨1160⟩⟨2800⟩⟨3164⟩⟨FFA0⟩");
    assert.equal(visible("\u{e0001}"), "⟨E0001⟩");
    assert.equal(visible("न\u200dन \u200d😀\u200d1\u200da😀\u200d😀"), "न\u200dन ⟨200D⟩😀⟨200D⟩1⟨200D⟩a😀\u200d😀");
    assert.equal(visible(`e${"\u0301".repeat(3)}f${"\u0301".repeat(4)}`), `e${"\u0301".repeat(3)}f${"\u0301".repeat(3)}`);
    assert.deepEqual([shortened("x".repeat(240)), shortened("x".repeat(241))], ["x".repeat(240), `${"x".repeat(240)}…`]);
    assert.deepEqual([shortened("😀😀", 2), shortened("😀😀😀", 2), shortened("abc", 2), shortened("ab", 2)], ["😀😀", "😀😀…", "ab…", "ab"]);
    assert.equal(shortened("x".repeat(10000), 2), "xx…");
    for (const good of ["…", "red", "Ä b", "3", "(7+9)/2 - 3", "@a", "-1", "a.b_c'd*e"]) assert.ok(isPlain(good), good);
    for (const bad of ["", "a, b", "a: b", "a  b", " a", "a;b", '"a"', "a\u202eb", "……", "+a", "a=b"]) assert.ok(!isPlain(bad), bad);
    assert.deepEqual([ranges([]), ranges([4]), ranges([1, 2, 4, 5, 6, 8])], ["", "4", "1–2, 4–6, 8"]);
  },

  "an expression comes to a fraction, from left to right, or says why not"() {
    const { evaluate, expressionFault } = expressions;
    const worth = (written) => {
      const { top, bottom, cards } = evaluate(written);
      return `${top}/${bottom} ${cards}`;
    };
    for (const [written, wanted] of [
      ["7", "7/1 7"], ["1-2-3", "-4/1 1,2,3"], ["8/2/2", "2/1 2,2,8"], ["1+2*3", "7/1 1,2,3"], ["(1+2)*3", "9/1 1,2,3"], ["6/4", "3/2 4,6"],
      ["1/2-1/3", "1/6 1,1,2,3"], ["2/(1-3)", "-1/1 1,2,3"], ["(1-3)/2", "-1/1 1,2,3"], ["5-5", "0/1 5,5"], ["0", "0/1 0"], ["0/3", "0/1 0,3"], ["10+9+2", "21/1 2,9,10"],
      [" 1 + 2 ", "3/1 1,2"], ["[1+2]x3", "9/1 1,2,3"], ["2X3×4·5⋅6∙7•8", "40320/1 2,3,4,5,6,7,8"], ["8:4÷2∕1⁄1", "1/1 1,1,2,4,8"], ["9−1–1—1‐1", "5/1 1,1,1,1,9"],
    ]) assert.equal(worth(written), wanted, written);
    const why = (written) => {
      try {
        evaluate(written);
      } catch (error) {
        assert.equal(error.code, "no-move");
        return error.message;
      }
      return "";
    };
    const card = (written) => `a card or an opening bracket is missing in '${written}'`;
    for (const written of ["", "123", "+1", "1+", "()"]) assert.equal(why(written), card(written), written);
    for (const [written, wanted] of [
      ["1/(2-2)", "'1/(2-2)' divides by 0"], ["1/0", "'1/0' divides by 0"],
      ["(1", "a closing bracket is missing in '(1'"], ["1)", "')' makes no sense in '1)'"], ["1 2", "'2' makes no sense in '1 2'"], ["1 y", "'y' makes no sense in '1 y'"], ["1*0", ""],
      ["9x2=17-10=8", "'9x2' makes 18, not 17"], ["9x2=18-10=7", "'18-10' makes 8, not 7"], ["10/4=2", "'10/4' makes 5/2, not 2"], ["1=", "'=' makes no sense in '= '"],
    ]) assert.equal(why(written), wanted, written);
    for (const [written, wanted] of [
      ["9x2=18-10=8", "8/1 2,9,10"], ["10/4=2.5*4=10", "10/1 4,4,10"], ["10/4=5/2*4", "10/1 4,4,10"], ["10=10/5", "2/1 5,10"], ["2-10=-8+9", "1/1 2,9,10"],
      ["9 times 2 minus 10", "8/1 2,9,10"], ["9 mal 2 Minus 10", "8/1 2,9,10"], ["9 keer 2 min 10", "8/1 2,9,10"], ["10 geteilt durch 5 plus 3", "5/1 3,5,10"], ["10 gedeeld door 5", "2/1 5,10"],
    ]) assert.equal(worth(written), wanted, written);
    const deep = (count) => `${"(".repeat(count)}1${")".repeat(count)}`;
    assert.deepEqual([why(deep(20)), why(deep(21))], ["", card(deep(21))]);
    assert.deepEqual([why("1".padEnd(200)), why("1".padEnd(201))], ["", "an expression has at most 200 characters"]);
    const judge = (written, target = 8, hand = [1, 3, 3]) => expressionFault(written, { table: [{ value: 7 }, { value: 7 }], target }, hand);
    assert.equal(judge("7+7/(3+3+1)"), "");
    for (const [written, wanted] of [["7+1", "the 7 on the table is not used"], ["7/7", "no card of your own is used"], ["7/7+3+3+3", "you have too few cards of value 3"], ["7/7+1", "'7/7+1' makes 2, not 8"], ["7/7/3", "'7/7/3' makes 1/3, not 8"], ["7+", card("7+")]]) assert.equal(judge(written), wanted, written);
    assert.equal(expressionFault("1+2", { target: 3 }, [1, 2]), "");
  },

  "only the expressions of one game are judged, by the position"() {
    const { judgedFree } = expressions;
    const move = { kind: "solve", expression: "1+2" };
    const report = ({ game = "weg-zum-erfolg", task = { target: 3 }, hand = [1, 2], players = [{}, { hand }] } = {}) => ({ seat: 1, document: { public: { task, players } }, table: { terms: { game } } });
    assert.deepEqual(judgedFree(report(), move), { judged: true });
    assert.deepEqual(judgedFree(report(), { ...move, expression: "1" }), { judged: false, why: "'1' makes 1, not 3" });
    for (const [how, given] of [[{ game: "mark" }, move], [{}, { ...move, kind: "pass" }], [{}, { ...move, expression: 3 }], [{ hand: "12" }, move], [{ task: { target: "3" } }, move], [{ task: null }, move], [{ task: { target: 3, table: "x" } }, move], [{ players: [] }, move]]) {
      assert.deepEqual(judgedFree(report(how), given), { judged: false }, JSON.stringify([how, given]));
    }
    assert.deepEqual(judgedFree({ ...report(), document: {} }, move), { judged: false });
  },

  "names that nobody should join under"() {
    for (const [name, words] of [
      ["Anna", ""], ["Anna 2", ""], ["Анна", ""], ["Ζωή", ""], ["", "1 to 40 visible"], [" a", "1 to 40 visible"], ["a".repeat(41), "1 to 40 visible"], ["a\u0378", "unknown here"], ["a@b", "cannot contain @ or a semicolon"], ["a;b", "cannot contain @"],
      ["12", "just a number"], ["1 2", "just a number"], ["٣", "just a number"], ["Aнна", "several scripts"], ["Ωmega", "several scripts"], ["李a", "several scripts"], ["李", ""],
    ]) {
      const why = player.nameFault(name);
      assert.ok(words ? why.includes(words) : why === "", `${name}: ${why}`);
    }
  },

  "standing orders: one after the other, whatever the order"() {
    const after = (before, standing, words) => ({ ...player.wordsWith(before, standing, words) });
    const before = { a: 1, b: 2 };
    assert.deepEqual(after(before, before, { a: 1, b: 2 }), before);
    assert.deepEqual(after(before, { a: 3, b: 2 }, { a: 1, b: 4 }), { a: 3, b: 4 });
    assert.deepEqual(after(before, { a: 1, b: 4 }, { a: 3, b: 2 }), { a: 3, b: 4 });
    assert.deepEqual(after(before, { a: 1 }, { a: 1, b: 2, c: 3 }), { a: 1, c: 3 });
    assert.deepEqual(after(before, { a: 1, b: 2, c: 3 }, { a: 1 }), { a: 1, c: 3 });
    assert.deepEqual(after(before, { a: 3, b: 2 }, { a: { $: "amount" }, b: 2 }), { a: { $: "amount" }, b: 2 });
    const report = (standing) => ({ seat: 1, document: { public: { standing } } });
    assert.deepEqual([player.wordsBefore(report([{}, before])), player.wordsBefore(report([])), player.wordsBefore({ seat: 0, document: {} })], [before, {}, {}]);
  },

  "files are named after players, games and rounds"() {
    assert.deepEqual(["Änne Öl-Über 2", "Łukasz ßæœøđðþı", "李", "a".repeat(30), "É"].map(memory.plainName), ["aenneoelueber2", "lukaszssaeoeoeddthi", "", "a".repeat(24), "e"]);
    const named = (...names) => ({ seat: 1, state: { round: 8 }, table: { game: "be4f2750aaaa", players: names.map((name) => ({ name })) } });
    assert.equal(player.answerName(named("Bert", "Anna"), "move"), "be4f2750-r009-anna.move.json");
    assert.equal(player.answerName(named("anna", "Anna"), "word"), "be4f2750-r009-anna-2.word.json");
    assert.equal(player.answerName(named("Bert", "李"), "move"), "be4f2750-r009-player-2.move.json");
    assert.equal(player.joinName({ id: hex("0c9fb6a1") }, "Bert", hex("ab")), "0c9fb6a1-bert.join.json");
    assert.equal(player.joinName({ id: hex("0c9fb6a1") }, "李", hex("ab")), "0c9fb6a1-player-ababab.join.json");
    const file = (name, number, ...rounds) => memory.playerFileName({ name, key: hex("ab"), number, tickets: rounds.map((round) => ({ round })) });
    assert.deepEqual([file("Anna", 7, 3, 12), file("李", 0), file("a", 1234, 2000)], ["anna-007-r012.player.json", "player-ababab-000-r000.player.json", "a-1234-r2000.player.json"]);
    assert.equal(memory.fingerprint(hex("0123")), "0123012301230123");
  },

  async "a player's file is in canonical form, and a key file makes a new player"() {
    const seed = bytes.fromHex(hex("1"));
    const made = await memory.newPlayer(seed, "Anna");
    assert.deepEqual([made.name, made.number, made.tickets], ["Anna", 0, []]);
    const key = JSON.parse(text(memory.keyFile(made)));
    assert.deepEqual(key, { format: "pbem-referee/1/key", name: "Anna", public: made.key, secret: hex("1") });
    assert.deepEqual(JSON.parse(text(memory.playerFile(made))), { format: "pbem-referee/1/player", key });
    assert.deepEqual(await memory.readPlayer(memory.keyFile(made)), made);
    const ticket = { offer: hex("a"), game: hex("b"), round: 3, newest: hex("c") };
    const seen = { ...made, number: 2, tickets: [ticket] };
    assert.deepEqual(await memory.readPlayer(memory.playerFile(seen)), seen);
    const code = async (value) => memory.readPlayer(bytes.utf8(bytes.canonical(value))).then(() => "", (error) => error.code);
    assert.equal(await code({ ...key, box: "x" }), "locked-key");
    assert.equal(await code({ format: "pbem-referee/1/player", key: { ...key, box: "x" } }), "locked-key");
    assert.equal(await code({ ...key, public: hex("2") }), "bad-key");
    for (const bad of [{ ...key, more: 1 }, { format: "pbem-referee/1/view", key }, null, [], {}]) assert.equal(await code(bad), "malformed");
  },

  "two files of one key are merged"() {
    const whole = (number, name, ...tickets) => ({ key: hex("a"), seed: null, name, number, tickets });
    const ticket = (round, newest, more = {}) => ({ offer: hex("1"), game: hex("2"), round, newest: hex(newest), ...more });
    const join = (one, other) => {
      const both = memory.merged(one, other);
      assert.deepEqual(memory.merged(other, one), both);
      return both;
    };
    const both = join(whole(2, "b", ticket(5, "5")), whole(1, "a", ticket(3, "3"), { ...ticket(1, "1"), game: hex("0") }));
    assert.deepEqual([both.name, both.number], ["b", 2]);
    assert.deepEqual(both.tickets, [{ ...ticket(1, "1"), game: hex("0") }, ticket(5, "5", { others: [{ round: 3, newest: hex("3") }] })]);
    assert.equal(join(whole(1, "b"), whole(1, "a")).name, "a");
    const two = join(whole(1, "a", ticket(5, "6")), whole(1, "a", ticket(5, "5")));
    assert.deepEqual(two.tickets, [ticket(5, "5", { others: [{ round: 5, newest: hex("6") }] })]);
    assert.deepEqual(memory.contradictions(two), [{ code: "two-entries", game: hex("2"), round: 5 }]);
    const twin = join(two, whole(1, "a", { ...ticket(1, "1"), game: hex("3") }));
    assert.deepEqual(memory.contradictions(twin).map((one) => [one.code, one.game, one.round]), [["two-entries", hex("2"), 5], ["two-geneses", hex("3"), 0]]);
    const signed = (...rounds) => ticket(1, "1", { signed: rounds.map(([round, link, sig]) => ({ body: { round, link }, sig })) });
    const answers = join(whole(1, "a", signed([4, 1, "x"], [2, 1, "x"])), whole(1, "a", signed([4, 2, "x"], [2, 1, "y"])));
    assert.deepEqual(answers.tickets[0].signed.map((one) => [one.body.round, one.body.link, one.sig]), [[2, 1, "x"], [4, 1, "x"], [4, 2, "x"]]);
    assert.deepEqual(memory.contradictions(answers), [{ code: "second-answer", game: hex("2"), round: 4 }]);
    const sealed = (...rounds) => ticket(1, "1", { sealed: rounds.map(([round, value]) => ({ round, seat: 0, fields: { value } })) });
    const parts = join(whole(1, "a", sealed([10, 1], [9, 1])), whole(1, "a", sealed([10, 1], [10, 2])));
    assert.deepEqual(parts.tickets[0].sealed.map((one) => [one.round, one.fields.value]), [[9, 1], [10, 1], [10, 2]]);
    assert.throws(() => memory.merged(whole(1, "a"), { ...whole(1, "a"), key: hex("b") }), (error) => error.code === "other-key");
    const [plain, older] = [whole(1, "a", ticket(5, "5")), whole(9, "a", ticket(5, "5", { others: [{ round: 3, newest: hex("3") }] }))];
    assert.deepEqual([memory.sameMemory(plain, { ...plain, number: 7 }), memory.sameMemory(plain, older), memory.sameNews(plain, older), memory.sameNews(plain, whole(1, "b", ticket(5, "5")))], [true, false, true, false]);
    assert.equal(memory.sameMemory(plain, whole(1, "a", ticket(6, "5"))), false);
    assert.equal(memory.sameMemory(plain, { ...plain, key: hex("b") }), false);
  },
};

for (const [name, check] of Object.entries(CHECKS)) {
  try {
    await check();
    console.log(`ok ${name}`);
  } catch (error) {
    console.log(`FAILED ${name}: ${error.stack}`);
  }
}
