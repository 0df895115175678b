// Documents, signatures, links, draws, slots: sections 3 to 7 of schemas/PROTOCOL.md.

import { Bad, H, MAX_BODY, PREFIX, Raw, canonical, depth, derive, fromBase64, fromHex } from "./bytes.mjs";
import { hexOf, hmac, items, joined, need, parseText, sha256, textOf, u32, utf8 } from "./bytes.mjs";

export const LINKS = 2048;

// --- section 4: the shape of documents -------------------------------------------------------------------------------

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const isText = (value) => typeof value === "string";
const isFlag = (value) => typeof value === "boolean";
const numberIn = (low, high) => (value) => Number.isInteger(value) && low <= value && value <= high;
const matching = (pattern) => (value) => isText(value) && pattern.test(value);
const listOf = (shape) => (value) => Array.isArray(value) && value.every(shape);
const embedded = (value) => depth(value) <= 64;
const embeddedObject = (value) => isObject(value) && embedded(value);
const body = (value) => value instanceof Raw || isObject(value);

function mapOf(key, shape) {
  return (value) => isObject(value) && Object.keys(value).every(key) && Object.values(value).every(shape);
}

/** An object with these fields. Each optional one is [shape, default], and is omitted if it has its default. */
function record(required, optional = {}) {
  const names = Object.keys(required);
  return (value) => {
    if (!isObject(value) || !names.every((name) => name in value)) return false;
    return Object.keys(value).every((name) => {
      if (Object.hasOwn(required, name)) return required[name](value[name]);
      if (!Object.hasOwn(optional, name)) return false;
      const [shape, ...spared] = optional[name];
      return shape(value[name]) && !spared.some((one) => canonical(one) === canonical(value[name]));
    });
  };
}

const HEX = matching(/^[0-9a-f]{64}$/);
const SIGNATURE = matching(/^[0-9a-f]{128}$/);
const CONTAINER = matching(/^[a-z]{1,20}(\/[0-9]{1,2})?$/);
const FACE = matching(/^.{1,40}$/su);
const FIELD = matching(/^[a-z_]{1,40}$/);
const SLOT = matching(/^[a-z]{1,20}(\/[0-9]{1,2})?(\.[0-9]{1,6}\.[0-9]{1,6}|\+[0-9]{1,6})$/);
const SEAT = numberIn(0, 15);
const ROUND = numberIn(0, LINKS);
const COUNT = numberIn(0, 1000000);
const WHOLE = Number.isSafeInteger;
const SECRETS = mapOf(FIELD, record({ salt: HEX, value: embedded }));
const ASK = record({ seat: SEAT, what: isText }, { sealed: [listOf(isText), []] });
const TOKENS = listOf(record({ slot: SLOT, face: FACE }, { salt: [HEX] }));
const SLOTS = listOf(SLOT);
const SOURCE = { op: isText, bag: CONTAINER };
const MOVED = { ...SOURCE, into: CONTAINER };
const CHOSEN = { ...MOVED, seat: SEAT, field: FIELD };

const OPERATIONS = new Map([
  ["die", record({ op: isText, sides: numberIn(1, 1000000), values: listOf(COUNT) })],
  ["take", record({ ...SOURCE, tokens: TOKENS })],
  ["deal", record({ ...MOVED, slots: SLOTS })],
  ["lay-out", record({ ...SOURCE, tokens: TOKENS })],
  ["lay-out-all", record({ ...SOURCE, tokens: TOKENS }, { face: [FACE] })],
  ["give", record({ ...CHOSEN, slots: SLOTS })],
  ["seek", record(CHOSEN, { slots: [SLOTS, []] })],
  ["put", record({ ...SOURCE, faces: listOf(FACE) }, { under: [isFlag, false] })],
  ["shuffle", record({ ...SOURCE, generation: COUNT, leaves: listOf(HEX) })],
  ["unseal", record({ op: isText, round: ROUND, seat: SEAT, fields: SECRETS })],
]);
const operation = (value) => isObject(value) && OPERATIONS.has(value.op) && OPERATIONS.get(value.op)(value);

const ENVELOPE = record({ body, sig: SIGNATURE, type: isText });
const CONTENT = {
  answer: [embeddedObject],
  commit: [mapOf(FIELD, HEX), {}],
  standing: [embedded],
  resign: [isFlag, false],
  box: [HEX],
  protest: [HEX],
  handover: [HEX],
};
const TAKEN = { name: matching(/^.{1,40}$/su), key: HEX, nonce: HEX, tip: HEX };
const MINUTES = numberIn(0, 525600);
const DUE = matching(/^[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]Z$/);
const RESULT = record({ ranks: listOf(WHOLE), scores: listOf(listOf(WHOLE)) }, { out: [listOf(SEAT), []] });
const SEALED = record({ round: ROUND, seat: SEAT, fields: SECRETS });
const PLACE = (value) => Array.isArray(value) && value.length === 2 && ROUND(value[0]) && HEX(value[1]);
const USED = (value) => Array.isArray(value) && value.length === 2 && SEAT(value[0]) && MINUTES(value[1]);
const LEFT = (value) => Array.isArray(value) && value.length === 2 && SEAT(value[0]) && ROUND(value[1]);
const BAG = record({}, { generation: [numberIn(-1, 1000000), -1], puts: [COUNT, 0], slots: [SLOTS, []], tail: [SLOTS, []] });
const BOOK = record(
  {},
  {
    bags: [mapOf(CONTAINER, BAG), {}],
    leaves: [mapOf(SLOT, HEX), {}],
    faces: [mapOf(SLOT, FACE), {}],
    told: [mapOf(SLOT, listOf(SEAT)), {}],
    inside: [mapOf(FACE, COUNT), {}],
  },
);
const HELD = record({ seat: SEAT, round: ROUND }, { answer: [embeddedObject], commit: [mapOf(FIELD, HEX), {}] });
const HOLDER = record({ seat: SEAT, since: ROUND, ...TAKEN }, { kept: [isFlag, false] });
const VACANCY = record({ seat: SEAT, round: ROUND }, { entry: [HEX], due: [DUE], key: [HEX] });
const OPENINGS = listOf(record({ slot: SLOT, face: FACE, salt: HEX }));
const PRIVATE = record(
  { game: HEX, round: ROUND, entry: HEX, seat: SEAT, openings: OPENINGS },
  { sealed: [listOf(SEALED), []] },
);
const formatted = (kind) => (value) => value === PREFIX + kind;
const GROWING = { genesis: envelope, entries: listOf(envelope) };

const PROOF = { format: formatted("proof"), genesis: envelope, shows: isText };
/** Entry, state and position before a round: absent in round 1. */
const SCENE = {
  before: [envelope],
  state: [embedded],
  public: [embedded],
  tokens: [TOKENS, []],
  sealed: [listOf(SEALED), []],
};
const some = (shape, least, most) => (value) => listOf(shape)(value) && least <= value.length && value.length <= most;
const PROOFS = new Map([
  ["genesis", record(PROOF)],
  ["geneses", record({ ...PROOF, other: envelope })],
  ["entries", record({ ...PROOF, entries: some(envelope, 2, 2) })],
  ["round", record({ ...PROOF, entry: envelope }, { ...SCENE, privates: [some(envelope, 0, 16), []] })],
  ["receipts", record({ ...PROOF, receipts: some(envelope, 1, 2) }, { entry: [envelope] })],
  ["extension", record({ ...PROOF, extension: envelope, entry: envelope })],
  ["refusal", record({ ...PROOF, move: envelope, receipt: envelope }, { ...SCENE, ephemeral: [HEX] })],
  [
    "transcript",
    record(
      { ...PROOF, entries: some(envelope, 0, LINKS), secret: HEX },
      { sealed: [listOf(SEALED), []], chance: [HEX] },
    ),
  ],
]);

/** A time of the Gregorian calendar in minutes; null if it is not valid. */
export function minutesOf(due) {
  const time = Date.parse(due);
  const real =
    due.slice(0, 4) !== "0000" && !Number.isNaN(time) && new Date(time).toISOString().startsWith(due.slice(0, 16));
  return real ? time / 60000 : null;
}

/** Kind -> whether a body, or a file, has the shape of that kind. */
export const SHAPES = {
  offer: record(
    {
      game: matching(/^[a-z0-9-]{1,40}$/),
      rules: matching(/^.{1,40}$/su),
      code: HEX,
      options: embedded,
      edition: embedded,
      seats: numberIn(1, 16),
      nonce: HEX,
      key: HEX,
      tip: HEX,
      box: HEX,
    },
    {
      deadline: [MINUTES, 0],
      grace: [MINUTES, 0],
      bank: [MINUTES, 0],
      chance: [HEX],
      arbiter: [HEX],
      stage: [HEX],
      takeovers: [numberIn(0, 100), 0],
      takeover: [MINUTES, 0],
    },
  ),
  join: record({ offer: HEX, name: isText, key: HEX, nonce: HEX, tip: HEX }, { kept: [isFlag, false] }),
  genesis: record(
    { offer: envelope, joins: listOf(envelope), leaves: mapOf(CONTAINER, listOf(HEX)) },
    { hands: [listOf(matching(/^[a-z]{1,20}$/)), []] },
  ),
  move: record({ game: HEX, round: ROUND, asked: HEX, seat: SEAT, link: HEX }, CONTENT),
  word: record({ game: HEX, round: ROUND, seat: SEAT, text: matching(/^.{1,200}$/su) }),
  entry: record(
    {
      game: HEX,
      round: ROUND,
      prev: HEX,
      answers: listOf(record({ seat: SEAT, link: HEX, sig: SIGNATURE }, CONTENT)),
      link: HEX,
      public: HEX,
      state: HEX,
    },
    {
      timeouts: [listOf(SEAT), []],
      ops: [listOf(operation), []],
      ask: [listOf(ASK), []],
      result: [RESULT],
      end: [matching(/^(result|left|void)$/)],
      due: [DUE],
      successions: [listOf((one) => envelope(one) && embedded(one.body)), []],
      returns: [listOf(record({ seat: SEAT, sig: SIGNATURE })), []],
      used: [listOf(USED), []],
    },
  ),
  private: (value) => PRIVATE(value) && (value.openings.length > 0 || "sealed" in value),
  succession: record({ game: HEX, seat: SEAT, vacancy: HEX, ...TAKEN }, { kept: [isFlag, false] }),
  return: record({ game: HEX, seat: SEAT, vacancy: HEX }),
  receipt: record({ game: HEX, round: ROUND, seat: SEAT, move: HEX, code: matching(/^[a-z-]{1,40}$/) }),
  extension: record({ game: HEX, round: ROUND, seat: SEAT, until: (value) => DUE(value) && minutesOf(value) !== null }),
  view: record(
    { ...GROWING, format: formatted("view") },
    { privates: [listOf(envelope), []], public: [embedded], seat: [SEAT] },
  ),
  transcript: record(
    { ...GROWING, format: formatted("transcript"), secret: HEX },
    { sealed: [listOf(SEALED), []], chance: [HEX], abandoned: [envelope] },
  ),
  claim: record({ genesis: envelope, move: envelope, sent: DUE }, { entry: [envelope], state: [embedded] }),
  ruling: record(
    { genesis: envelope, key: HEX, evidence: listOf(HEX), verdict: matching(/^.{1,2000}$/su) },
    { ranks: [listOf(numberIn(1, 16)), []] },
  ),
  abandonment: record({ game: HEX, round: ROUND, entry: HEX }),
  proof: (value) => isObject(value) && PROOFS.has(value.shows) && PROOFS.get(value.shows)(value),
  state: record(
    { acc: HEX, book: BOOK, host_link: PLACE, round: ROUND },
    {
      bank: [listOf(MINUTES), []],
      drawn: [mapOf(isText, COUNT), {}],
      due: [DUE],
      end: [matching(/^(result|left|void)$/)],
      held: [listOf(HELD), []],
      holders: [listOf(HOLDER), []],
      holding: [isFlag, false],
      left: [listOf(LEFT), []],
      linking: [isFlag, false],
      links: [listOf(PLACE), []],
      missed: [listOf(COUNT), []],
      pending: [listOf(ASK), []],
      public: [HEX],
      result: [RESULT],
      vacant: [listOf(VACANCY), []],
    },
  ),
};

/** Whether this is the contents of containers: container -> faces. */
export const isBags = mapOf(CONTAINER, listOf(FACE));

export const isMoveFile = record(
  { body, sig: SIGNATURE, type: isText },
  { sealed: [(value) => isText(value) && value !== ""] },
);

const KEY = record({ format: formatted("key"), name: isText, public: HEX, secret: HEX });
const HEAD = { round: ROUND, newest: HEX };
const ANSWERED = (value) => isMoveFile(value) && SHAPES.move(value.body);
const TICKET = record(
  { offer: HEX, game: HEX, ...HEAD },
  { others: [listOf(record(HEAD)), []], sealed: [listOf(SEALED), []], signed: [listOf(ANSWERED), []] },
);
export const isPlayerFile = record(
  { format: formatted("player"), key: KEY },
  { number: [COUNT, 0], tickets: [listOf(TICKET), []] },
);

export function envelope(value) {
  return ENVELOPE(value) && bodyText(value).length <= MAX_BODY && utf8(bodyText(value)).length <= MAX_BODY;
}

export function bodyText(signed) {
  return signed.body instanceof Raw ? signed.body.text : canonical(signed.body);
}

/** A body that the host signed and that must be readable. */
export function readBody(text, kind, code) {
  try {
    const body = parseText(text);
    need(SHAPES[kind](body), "malformed", `the ${kind} has the wrong shape`);
    return body;
  } catch (error) {
    if (!(error instanceof Bad)) throw error;
    throw new Bad(code, error.message);
  }
}

// --- section 3: envelopes and keys -----------------------------------------------------------------------------------

const P = 2n ** 255n - 19n;
const L = 2n ** 252n + 27742317777372353535851937790883648493n;
const ORDER_8 = littleEndian("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05");
const SMALL = [0n, 1n, P - 1n, ORDER_8, P - ORDER_8];

function littleEndian(hex) {
  return BigInt("0x" + hexOf(fromHex(hex).reverse()));
}

function isSmall(hex) {
  return SMALL.includes(littleEndian(hex) & (2n ** 255n - 1n));
}

export function isWeak(hex) {
  return (littleEndian(hex) & (2n ** 255n - 1n)) >= P || isSmall(hex);
}

/** Points of small order on the curve of box keys: anybody can open what is sealed for one of them. */
const BOX_ORDER_8 = [
  littleEndian("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"),
  littleEndian("5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157"),
];

export function isWeakBox(hex) {
  const point = littleEndian(hex);
  return point >= P || [0n, 1n, P - 1n, ...BOX_ORDER_8].includes(point);
}

export function signedBytes(kind, text) {
  const data = utf8(text);
  return joined(utf8(`DSSEv1 ${PREFIX.length + kind.length} ${PREFIX}${kind} ${data.length} `), data);
}

/** The id of a signed thing, as hex, from the text of its body. */
export function idOf(kind, text) {
  return hexOf(H("id", PREFIX + kind, text));
}

/** The result of WebCrypto; a missing algorithm is reported as such, and is nobody's fault. */
async function supported(ask) {
  try {
    return await ask(globalThis.crypto.subtle);
  } catch (error) {
    const lacking = !globalThis.crypto?.subtle || error.name === "NotSupportedError";
    if (lacking) throw new Bad("no-crypto", "this browser or Node lacks Ed25519 or X25519: use a newer one");
    throw error;
  }
}

const PUBLIC_KEYS = new Map();

function publicKey(hex) {
  if (!PUBLIC_KEYS.has(hex)) {
    if (PUBLIC_KEYS.size > 256) PUBLIC_KEYS.clear();
    const asked = supported((subtle) => subtle.importKey("raw", fromHex(hex), "Ed25519", false, ["verify"]));
    PUBLIC_KEYS.set(hex, asked);
  }
  return PUBLIC_KEYS.get(hex);
}

let tell = null;

/** From now on, `listener` is told of each signature that is judged: the key, the signature, the bytes that were signed, and
 * whether it is valid. */
export function onJudged(listener) {
  tell = listener;
}

/** Whether this key signed this body. */
export async function isSigned(kind, text, signature, key) {
  const valid = await isValid(kind, text, signature, key);
  tell?.(key, signature, signedBytes(kind, text), valid);
  return valid;
}

/** Libraries differ in what they accept: R and s are checked here. */
async function isValid(kind, text, signature, key) {
  const [R, s] = [signature.slice(0, 64), signature.slice(64)];
  if (isSmall(R) || littleEndian(s) >= L) return false;
  try {
    const known = await publicKey(key);
    return await supported((subtle) => subtle.verify("Ed25519", known, fromHex(signature), signedBytes(kind, text)));
  } catch (error) {
    if (error instanceof Bad) throw error;
    return false; // the key is not a point of the curve
  }
}

/** The text of the body of an envelope of this kind that this key signed. */
export async function opened(signed, kind, key) {
  need(signed.type === PREFIX + kind, "wrong-kind", `expected: ${kind}`);
  const text = bodyText(signed);
  need(await isSigned(kind, text, signed.sig, key), "bad-signature", `the ${kind} is not signed by its key`);
  return text;
}

// --- names -----------------------------------------------------------------------------------------------------------

const REFUSED =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef]/u;

/** Whether a verifier accepts a name, whatever version of Unicode it knows. */
export function isName(name) {
  const points = [...name];
  const real = points.every((one) => (one.codePointAt(0) & 0xfffe) !== 0xfffe);
  return points.length >= 1 && points.length <= 40 && real && !REFUSED.test(name);
}

const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u;
const INVISIBLE =
  /[\u00ad\u034f\u115f-\u1160\u17b4-\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\u{e0000}-\u{e0fff}]/u;

/** Whether a tool accepts a player's name: it must not mislead anybody. */
export function isGoodName(name) {
  const size = [...name].length;
  if (size < 1 || size > 40 || name.normalize("NFC") !== name || name.trim() !== name) return false;
  return !FORBIDDEN.test(name) && !INVISIBLE.test(name) && folded(name).trim() !== "";
}

/** A name folded for comparison: the names of one game must differ in this. */
export function folded(name) {
  const cased = [...name.normalize("NFKD")].map(foldedCase).join("");
  return [...cased.normalize("NFKD")].filter((one) => !isCombining(one)).join("");
}

/** Full case folding of one character, as a form that equal characters share. */
function foldedCase(character) {
  if (character === "ı") return character;
  return character === "ẞ" ? "ss" : character.toUpperCase().toLowerCase();
}

/** Whether the combining class is not 0: then normalisation reorders it with a mark of the lowest or highest class. */
function isCombining(character) {
  const [low, high] = ["a" + character + "\u0334", "a\u0345" + character];
  return low.normalize("NFD") !== low || high.normalize("NFD") !== high;
}

// --- sections 5 to 7: links, draws, slots ----------------------------------------------------------------------------

/** x[low] from x[high]; all in bytes. */
export function linkBack(key, nonce, high, low, link) {
  const message = items("link", key, nonce, high, link);
  for (let index = high; index > low; index--) {
    message.set(u32(index), message.length - 40);
    link = sha256(message);
    message.set(link, message.length - 32);
  }
  return link;
}

/** Draw number `draw` from a seed: an integer below n. */
export function below(seed, draw, n) {
  const bits = (n - 1).toString(2).length;
  const size = n === 1 ? 0 : Math.ceil(bits / 8);
  if (!size) return 0;
  let stream = new Uint8Array(0);
  for (let block = 0; ;) {
    while (stream.length < size) stream = joined(stream, hmac(seed, joined(u32(draw), u32(block++))));
    // Only the low bits, from the first byte on: exact up to 53 bits.
    let value = stream[0] % 2 ** (bits - 8 * (size - 1));
    for (let at = 1; at < size; at++) value = value * 256 + stream[at];
    if (value < n) return value;
    stream = stream.subarray(size);
  }
}

/** By code point, as faces are sorted; JavaScript sorts by UTF-16 units. */
export function byCodePoint(one, other) {
  const [mine, theirs] = [[...one], [...other]];
  for (let at = 0; at < Math.min(mine.length, theirs.length); at++) {
    const difference = mine[at].codePointAt(0) - theirs[at].codePointAt(0);
    if (difference) return difference;
  }
  return mine.length - theirs.length;
}

/** Which face lies in which slot. */
export function arrange(secret, seating, name, generation, faces) {
  const seed = derive(secret, "shuffle", seating, name, generation);
  const out = [...faces].sort(byCodePoint);
  for (let i = out.length - 1, draw = 0; i > 0; i--, draw++) {
    const j = below(seed, draw, i + 1);
    [out[i], out[j]] = [out[j], out[i]];
  }
  return out;
}

export function saltOf(secret, seating, name, generation, index) {
  return hmac(derive(secret, "salts", seating, name, generation), u32(index));
}

/** Of equal faces the one with the smallest order comes first; hex, so that it can be compared. */
export function orderOf(secret, seating, name, generation, index) {
  return hexOf(hmac(derive(secret, "order", seating, name, generation), u32(index)));
}

export function leafOf(seating, name, generation, index, salt, face) {
  return hexOf(H("slot", seating, name, generation, index, salt, face));
}

/** [slot, face, leaf] of one generation of a container; arranged by common chance, if there is any. */
export function sealedLeaves(secret, seating, name, generation, faces, chance = null) {
  const arranged = arrange(chance ?? secret, chance ? "" : seating, name, generation, faces);
  const salts = derive(secret, "salts", seating, name, generation);
  return arranged.map((face, index) => {
    const leaf = leafOf(seating, name, generation, index, hmac(salts, u32(index)), face);
    return [`${name}.${generation}.${index}`, face, leaf];
  });
}

export function slotParts(slot) {
  const [name, generation, index] = slot.split(".");
  return [name, Number(generation), Number(index)];
}

/** The commitment to a sealed field; `secret` is `{"salt", "value"}`. */
export function commitment(game, round, seat, field, secret) {
  return hexOf(H("sealed", fromHex(game), round, seat, field, fromHex(secret.salt), canonical(secret.value)));
}

// --- section 4: what is for the host alone (HPKE, RFC 9180, base mode) -----------------------------------------------

const SUITE = joined(utf8("HPKE"), new Uint8Array([0, 0x20, 0, 1, 0, 1]));
const KEM = joined(utf8("KEM"), new Uint8Array([0, 0x20]));
const EMPTY = new Uint8Array(0);
const BLOCK = 512;

function labelExtract(suite, salt, label, material) {
  return hmac(salt, joined(utf8("HPKE-v1"), suite, utf8(label), material));
}

function labelExpand(suite, key, label, info, size) {
  const labelled = joined(new Uint8Array([0, size]), utf8("HPKE-v1"), suite, utf8(label), info, new Uint8Array([1]));
  return hmac(key, labelled).subarray(0, size);
}

async function boxKeys(shared, enc, box, info) {
  need(
    shared.some((byte) => byte),
    "weak-key",
    "the box key is weak: anybody could open what is sealed with it",
  );
  const extracted = labelExtract(KEM, EMPTY, "eae_prk", shared);
  const secret = labelExpand(KEM, extracted, "shared_secret", joined(enc, box), 32);
  const hashes = [labelExtract(SUITE, EMPTY, "psk_id_hash", EMPTY), labelExtract(SUITE, EMPTY, "info_hash", info)];
  const context = joined(new Uint8Array([0]), ...hashes);
  const key = labelExtract(SUITE, secret, "secret", EMPTY);
  const raw = labelExpand(SUITE, key, "key", context, 16);
  const aes = await supported((subtle) => subtle.importKey("raw", raw, "AES-GCM", false, ["encrypt", "decrypt"]));
  return [aes, { name: "AES-GCM", iv: labelExpand(SUITE, key, "base_nonce", context, 12) }];
}

const HEADS = { Ed25519: "302e020100300506032b657004220420", X25519: "302e020100300506032b656e04220420" };

/** A private key of WebCrypto from its 32 bytes, and the public half. */
export async function keyPair(name, seed, uses) {
  const packed = joined(fromHex(HEADS[name]), seed);
  const key = await supported((subtle) => subtle.importKey("pkcs8", packed, name, true, uses));
  const { x } = await supported((subtle) => subtle.exportKey("jwk", key));
  return [key, fromBase64(x.replace(/-/g, "+").replace(/_/g, "/") + "=")];
}

/** The signature of a body with the key of a seed, as hex. */
export async function signatureOf(seed, kind, text) {
  const [key] = await keyPair("Ed25519", seed, ["sign"]);
  const made = await supported((subtle) => subtle.sign("Ed25519", key, signedBytes(kind, text)));
  return hexOf(new Uint8Array(made));
}

async function agreed(key, box) {
  try {
    const other = await supported((subtle) => subtle.importKey("raw", box, "X25519", false, []));
    const how = { name: "X25519", public: other };
    return new Uint8Array(await supported((subtle) => subtle.deriveBits(how, key, 256)));
  } catch (error) {
    if (error instanceof Bad) throw error;
    throw new Bad("weak-key", "the box key is weak: anybody could open what is sealed with it");
  }
}

/** Sealed fields as they are encrypted. */
function filledText(fields) {
  const text = utf8(canonical(fields));
  const filled = new Uint8Array(Math.ceil(text.length / BLOCK) * BLOCK).fill(0x20);
  filled.set(text);
  return filled;
}

/** The data that binds an encrypted part to a move: its body without the hash. */
function boxInfo({ box, ...move }) {
  return items("box", H("boxed", canonical(move)));
}

/** The key with which the owner of a seed encrypts these sealed fields of a move. */
export function ephemeralOf(seed, { game, round, seat }, fields) {
  return derive(seed, "ephemeral", fromHex(game), round, seat, filledText(fields));
}

/** The encrypted part of a move with these sealed fields, for the owner of a box key. */
export async function boxed(ephemeral, box, move, fields) {
  const [key, enc] = await keyPair("X25519", ephemeral, ["deriveBits"]);
  const [aes, how] = await boxKeys(await agreed(key, box), enc, box, boxInfo(move));
  return joined(enc, new Uint8Array(await supported((subtle) => subtle.encrypt(how, aes, filledText(fields)))));
}

/** What a move says of its encrypted part. */
export function boxHash(data) {
  return hexOf(H("box-hash", data));
}

/** The sealed fields of a move, opened with the private box key. */
export async function unboxed(secret, move, sealed) {
  const data = fromBase64(sealed);
  const signed = data?.length && boxHash(data) === move.box;
  need(signed, "damaged", "the encrypted part of this move is missing, or was damaged in transit");
  try {
    const [key, box] = await keyPair("X25519", secret, ["deriveBits"]);
    const enc = data.subarray(0, 32);
    const [aes, how] = await boxKeys(await agreed(key, enc), enc, box, boxInfo(move));
    const filled = new Uint8Array(await supported((subtle) => subtle.decrypt(how, aes, data.subarray(32))));
    const size = filled.findLastIndex((byte) => byte !== 0x20) + 1;
    const fields = parseText(textOf(filled.subarray(0, size)));
    need(
      filled.length % BLOCK === 0 && filled.length - size < BLOCK && SECRETS(fields),
      "bad-commitment",
      "this is not a sealed part",
    );
    return fields;
  } catch (error) {
    if (error.code === "no-crypto") throw error;
    throw new Bad("bad-commitment", "the sealed part of this move cannot be opened");
  }
}
