// Every vector of schemas/vectors through the JavaScript modules: one line of JSON for each, `{"name", "code", "value"...}`.
// What is right and what is wrong about that the caller judges.

import { readFileSync, readdirSync } from "node:fs";
import { Bad, H, canonical, depth, derive, fromHex, hexOf, hmac, items, need } from "../../referee/page/bytes.mjs";
import { base64Of, parse, u32, utf8 } from "../../referee/page/bytes.mjs";
import { arrange, below, boxed, commitment, folded, idOf, isGoodName, isName, isWeak } from "../../referee/page/wire.mjs";
import { ephemeralOf, isWeakBox, keyPair } from "../../referee/page/wire.mjs";
import { bodyText, leafOf, linkBack, opened, orderOf, saltOf, signedBytes, unboxed } from "../../referee/page/wire.mjs";
import { asked, readState } from "../../referee/page/table.mjs";
import { verify, verifyFiles, verifyRound } from "../../referee/page/verifier.mjs";

const folder = new URL("../../schemas/vectors/", import.meta.url);
const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
const vectors = new Map(names.map((name) => [name, JSON.parse(readFileSync(new URL(name, folder), "utf8"))]));

function patched(document, changes) {
  const out = structuredClone(document);
  for (const { at, value, remove } of changes) {
    let inner = out;
    for (const step of at.slice(0, -1)) inner = inner[step];
    const last = at.at(-1);
    if (!remove) inner[last] = value;
    else if (Array.isArray(inner)) inner.splice(last, 1);
    else delete inner[last];
  }
  return out;
}

function bytesOf(file) {
  if ("text" in file) return utf8(file.text);
  const document = "document" in file ? file.document : patched(vectors.get(file.base).file.document, file.patch);
  return utf8(canonical(document));
}

const parts = (given) => given.parts.map((part) => ("hex" in part ? fromHex(part.hex) : (part.text ?? part.int)));
const place = (given) => [fromHex(given.secret), fromHex(given.seating), given.bag, given.generation];

const SINGLE = {
  hash: (given) => ({
    items: hexOf(items(given.label, ...parts(given))),
    hash: hexOf(H(given.label, ...parts(given))),
  }),
  derive: (given) => hexOf(derive(fromHex(given.key), given.label, ...parts(given))),
  canonical(given) {
    const value = parse(fromHex(given.hex));
    need(depth(value) <= 64, "malformed", "nested too deep");
    return value;
  },
  async envelope(given) {
    const text = await opened(given.envelope, given.kind, given.key);
    if (given.seed) {
      const [key, pub] = await keyPair("Ed25519", fromHex(given.seed), ["sign"]);
      const made = new Uint8Array(await crypto.subtle.sign("Ed25519", key, signedBytes(given.kind, text)));
      if (hexOf(pub) !== given.key || hexOf(made) !== given.envelope.sig) throw new Error("signed otherwise");
    }
    return { "signed bytes": hexOf(signedBytes(given.kind, text)), id: idOf(given.kind, bodyText(given.envelope)) };
  },
  "weak-key"(given) {
    need(!isWeak(given), "weak-key", "weak");
    return "strong";
  },
  "weak-box"(given) {
    need(!isWeakBox(given), "weak-box", "weak");
    return "strong";
  },
  name(given) {
    need(isName(given), "bad-name", "not allowed");
    return "good";
  },
  "tool-name"(given) {
    need(isGoodName(given), "bad-name", "not allowed");
    return "good";
  },
  "tool-names"(given) {
    need(folded(given[0]) !== folded(given[1]), "bad-name", "alike");
    return "different";
  },
  commitment(given) {
    const value = canonical(given.value);
    const salt = hexOf(derive(fromHex(given.seed), "salt", fromHex(given.game), given.round, given.field, value));
    return { salt, commit: commitment(given.game, given.round, given.seat, given.field, { salt, value: given.value }) };
  },
  async box(given) {
    const fields = await unboxed(fromHex(given.private), given.move, given.sealed);
    if (given.seed) {
      const key = ephemeralOf(fromHex(given.seed), given.move, fields);
      const again = await boxed(key, fromHex(given.public), given.move, fields);
      if (hexOf(key) !== given.ephemeral || base64Of(again) !== given.sealed) throw new Error("boxed otherwise");
    }
    return fields;
  },
  links(given) {
    const [key, nonce] = [fromHex(given.key), fromHex(given.nonce)];
    const last = derive(fromHex(given.seed), "chain", fromHex(given.offer), nonce);
    const shown = [0, 1, 2, 3, 1024, 2047, 2048];
    return Object.fromEntries(shown.map((index) => [index, hexOf(linkBack(key, nonce, 2048, index, last))]));
  },
  link(given) {
    const [since, last] = given.seen;
    const good = since < given.round;
    const back = good && linkBack(fromHex(given.key), fromHex(given.nonce), given.round, since, fromHex(given.link));
    need(good && hexOf(back) === last, "bad-link", "not in its chain");
    return "good";
  },
  accumulator(given) {
    const game = fromHex(given.game);
    let acc = H("acc0", game);
    const value = { acc0: hexOf(acc), rounds: [] };
    given.rounds.forEach((one, at) => {
      acc = H("acc", game, at + 1, acc, fromHex(one.host), ...one.links.map(fromHex));
      value.rounds.push({ acc: hexOf(acc), seed: hexOf(H("seed", game, at + 1, acc)) });
    });
    return value;
  },
  asked: (given) => {
    const found = asked(readState(given, ""));
    return Object.fromEntries([...found].map(([seat, question]) => [seat, question?.what ?? "link"]));
  },
  below: (given) => Array.from({ length: 40 }, (_, draw) => below(fromHex(given.seed), draw, given.n)),
  shuffle: (given) => arrange(...place(given), given.faces),
  slot: (given) =>
    given.order.map((face, index) => {
      const salt = saltOf(...place(given), index);
      const leaf = leafOf(...place(given).slice(1), index, salt, face);
      return { salt: hexOf(salt), leaf, order: orderOf(...place(given), index) };
    }),
};

async function judged(vector) {
  const { kind, file, bags, own } = vector;
  if (["view", "transcript", "proof", "claim", "ruling"].includes(kind)) return verify(bytesOf(file), { bags, own });
  if (kind === "several") return (await verifyFiles(file.map(bytesOf), { bags, own })).at(-1);
  try {
    const value = kind === "round" ? await verifyRound(parse(bytesOf(file)), bags) : await SINGLE[kind](vector.given);
    return { code: "ok", blames: "", value: value ?? null };
  } catch (error) {
    if (!(error instanceof Bad)) throw error;
    return { code: error.code, blames: "", words: error.message };
  }
}

for (const [name, vector] of vectors) {
  const { code, blames, verdict = "", words = "", round = null, rules = "", value = null } = await judged(vector);
  const said = verdict ? `${verdict} ${code}` : code;
  console.log(JSON.stringify({ name, code: said, blames, words, round, rules, value }));
}
