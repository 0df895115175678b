// Bytes, hashes and canonical JSON: sections 1 and 2 of schemas/PROTOCOL.md.
//
// All modules in this folder are plain JavaScript without dependencies. An import is one line, and `export` stands
// before a function, constant or class: so they can also be concatenated into a page.

export const PREFIX = "pbem-referee/1/";
export const MAX_FILE = 64000000;
export const MAX_BODY = 1000000;
const MAX_NESTED = 100; // Embedded values may be 64 deep, and documents add at most 12 levels around them.

/** A check that failed: its code, what is wrong in words, and the round (null: outside all rounds). */
export class Bad extends Error {
  constructor(code, message, step = null) {
    super(message);
    this.code = code;
    this.step = step;
  }
}

export function need(good, code, message) {
  if (!good) throw new Bad(code, message);
}

// --- bytes -----------------------------------------------------------------------------------------------------------

const ENCODER = new TextEncoder();

export function utf8(text) {
  return ENCODER.encode(text);
}

/** The text of UTF-8 bytes; a byte order mark is kept, as a character that does not belong there. */
export function textOf(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Bad("malformed", "this is not valid UTF-8 text");
  }
}

const HEX_DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

export function hexOf(bytes) {
  let out = "";
  for (const byte of bytes) out += HEX_DIGITS[byte];
  return out;
}

const nibble = (code) => (code < 58 ? code - 48 : code - 87);

/** The bytes of lowercase hex. */
export function fromHex(text) {
  const out = new Uint8Array(text.length / 2);
  for (let at = 0; at < out.length; at++) {
    out[at] = (nibble(text.charCodeAt(2 * at)) << 4) | nibble(text.charCodeAt(2 * at + 1));
  }
  return out;
}

export function joined(...parts) {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

export function u32(number) {
  return new Uint8Array([number >>> 24, number >>> 16, number >>> 8, number]);
}

export function base64Of(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 4096) text += String.fromCharCode(...bytes.subarray(at, at + 4096));
  return btoa(text);
}

/** The bytes of canonical base64; null for any other text. */
export function fromBase64(text) {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4) return null;
  let decoded;
  try {
    decoded = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
  return base64Of(decoded) === text ? decoded : null;
}

// --- SHA-256 (FIPS 180-4), HMAC (RFC 2104), HKDF (RFC 5869) ----------------------------------------------------------
// Implemented here, because a chain of links is thousands of small hashes and WebCrypto is asynchronous.

const [SHA_START, SHA_ROUND] = shaConstants();
const SHA_WORDS = new Int32Array(64);

/** The first 32 bits of the fractional parts of the square and cube roots of primes. */
function shaConstants() {
  const primes = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime)) primes.push(n);
  const rooted = (prime, power) => {
    // An integer root of prime * 2^(32 * power), exact where floating point is not.
    const wanted = BigInt(prime) << BigInt(32 * power);
    let root = 0n;
    for (let bit = 1n << 36n; bit; bit >>= 1n) if ((root + bit) ** BigInt(power) <= wanted) root += bit;
    return Number(BigInt.asIntN(32, root));
  };
  const start = primes.slice(0, 8).map((prime) => rooted(prime, 2));
  return [Int32Array.from(start), Int32Array.from(primes, (prime) => rooted(prime, 3))];
}

function shaBlock(state, data, at) {
  const w = SHA_WORDS;
  for (let i = 0; i < 16; i++, at += 4) {
    w[i] = (data[at] << 24) | (data[at + 1] << 16) | (data[at + 2] << 8) | data[at + 3];
  }
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15];
    const y = w[i - 2];
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    w[i] = (w[i - 16] + s0 + w[i - 7] + s1) | 0;
  }
  let a = state[0];
  let b = state[1];
  let c = state[2];
  let d = state[3];
  let e = state[4];
  let f = state[5];
  let g = state[6];
  let h = state[7];
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + SHA_ROUND[i] + w[i]) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}

export function sha256(data) {
  const state = SHA_START.slice();
  const whole = data.length & ~63;
  for (let at = 0; at < whole; at += 64) shaBlock(state, data, at);
  const rest = data.length - whole;
  const tail = new Uint8Array(rest < 56 ? 64 : 128);
  tail.set(data.subarray(whole));
  tail[rest] = 0x80;
  tail.set(u32(Math.floor(data.length / 0x20000000)), tail.length - 8);
  tail.set(u32(data.length << 3), tail.length - 4);
  for (let at = 0; at < tail.length; at += 64) shaBlock(state, tail, at);
  const out = new Uint8Array(32);
  for (let at = 0; at < 32; at++) out[at] = state[at >> 2] >>> (24 - 8 * (at & 3));
  return out;
}

export function hmac(key, message) {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? sha256(key) : key);
  const inner = sha256(
    joined(
      block.map((byte) => byte ^ 0x36),
      message,
    ),
  );
  return sha256(
    joined(
      block.map((byte) => byte ^ 0x5c),
      inner,
    ),
  );
}

/** The list that is hashed: the label and each part behind its length; text is UTF-8, an integer 8 bytes. */
export function items(label, ...given) {
  const parts = [utf8(PREFIX + label)];
  for (const part of given) {
    if (typeof part === "number") parts.push(joined(u32(Math.floor(part / 0x100000000)), u32(part >>> 0)));
    else parts.push(typeof part === "string" ? utf8(part) : part);
  }
  return joined(...parts.flatMap((part) => [u32(part.length), part]));
}

export function H(label, ...parts) {
  return sha256(items(label, ...parts));
}

/** HKDF-SHA256 with a salt of zeros; 32 bytes are its first block. */
export function derive(key, label, ...parts) {
  return hmac(hmac(new Uint8Array(32), key), joined(items(label, ...parts), new Uint8Array([1])));
}

// --- canonical JSON --------------------------------------------------------------------------------------------------

const ESCAPES = { '"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r" };

const SPECIAL = /["\\\u0000-\u001f]/;
const SPECIALS = new RegExp(SPECIAL, "g");

function spelledText(text) {
  if (!SPECIAL.test(text)) return '"' + text + '"';
  const escaped = (one) => ESCAPES[one] ?? "\\u" + one.charCodeAt(0).toString(16).padStart(4, "0");
  return '"' + text.replace(SPECIALS, escaped) + '"';
}

/** The canonical form of a value made of text, integers, true, false, null, lists and objects. */
export function canonical(value) {
  if (value instanceof Raw) return value.text;
  if (typeof value === "string") return spelledText(value);
  if (Array.isArray(value)) return "[" + value.map(canonical).join(",") + "]";
  if (value !== null && typeof value === "object") {
    const members = Object.keys(value).sort();
    return "{" + members.map((name) => spelledText(name) + ":" + canonical(value[name])).join(",") + "}";
  }
  return String(value);
}

/** JSON that is read later: the body of an entry or of a private part, exactly as it stands in its document. */
export class Raw {
  constructor(text) {
    this.text = text;
  }
}

const PLAIN_TEXT = /[^"\\\u0000-\u001f]*/y;
const INTEGER = /-?(?:0|[1-9][0-9]*)/y;
const UNESCAPES = { '"': '"', "\\": "\\", b: "\b", t: "\t", n: "\n", f: "\f", r: "\r" };
const LITERALS = { t: ["true", true], f: ["false", false], n: ["null", null] };

/** Reads canonical JSON only. `lazy`: names of the fields whose envelopes keep their bodies unread. */
class JsonReader {
  constructor(text, lazy) {
    this.text = text;
    this.at = 0;
    this.lazy = lazy;
    this.field = "";
  }

  refuse(why) {
    throw new Bad("malformed", `${why} (character ${this.at + 1})`);
  }

  value(depth) {
    const first = this.text[this.at];
    if (first === '"') return this.string();
    if (first === "{" || first === "[") {
      if (depth >= MAX_NESTED) this.refuse("it is nested too deep");
      return first === "{" ? this.object(depth + 1) : this.list(depth + 1);
    }
    if (first in LITERALS) {
      const [word, value] = LITERALS[first];
      if (!this.text.startsWith(word, this.at)) this.refuse("this is not valid JSON");
      this.at += word.length;
      return value;
    }
    return this.integer();
  }

  integer() {
    INTEGER.lastIndex = this.at;
    const digits = INTEGER.exec(this.text)?.[0];
    if (!digits) this.refuse("this is not valid JSON in canonical form");
    const value = Number(digits);
    if (digits === "-0" || !Number.isSafeInteger(value)) this.refuse("an integer is too large, or minus zero");
    this.at += digits.length;
    return value;
  }

  string() {
    let out = "";
    this.at++;
    for (;;) {
      PLAIN_TEXT.lastIndex = this.at;
      const plain = PLAIN_TEXT.exec(this.text)[0];
      out += plain;
      this.at += plain.length;
      const next = this.text[this.at];
      if (next === '"') break;
      if (next !== "\\") this.refuse("a text does not end, or has a character that must be escaped");
      out += this.escaped();
    }
    this.at++;
    return out;
  }

  escaped() {
    const letter = this.text[this.at + 1];
    if (letter in UNESCAPES) {
      this.at += 2;
      return UNESCAPES[letter];
    }
    const code = /^\\u(00[01][0-9a-f])$/.exec(this.text.substr(this.at, 6))?.[1];
    const character = code && String.fromCharCode(parseInt(code, 16));
    if (!character || character in ESCAPES) this.refuse("a character is not in canonical form");
    this.at += 6;
    return character;
  }

  list(depth) {
    const out = [];
    this.at++;
    if (this.text[this.at] === "]") {
      this.at++;
      return out;
    }
    for (;;) {
      out.push(this.value(depth));
      const next = this.text[this.at++];
      if (next === "]") return out;
      if (next !== ",") this.refuse("a list does not end");
    }
  }

  object(depth) {
    const out = Object.create(null); // `__proto__` and `constructor` are names like any other.
    let last = null;
    this.at++;
    if (this.text[this.at] === "}") {
      this.at++;
      return out;
    }
    for (;;) {
      if (this.text[this.at] !== '"') this.refuse("a name is missing");
      const name = this.string();

      if (/[^\u0000-\u007f]/.test(name)) this.refuse("a name is not ASCII");
      if (last !== null && !(last < name)) this.refuse("names are not in order, or one occurs twice");
      if (this.text[this.at++] !== ":") this.refuse("a value is missing");
      if (depth === 1) this.field = name;
      const unread = (depth === 2 || depth === 3) && name === "body" && this.lazy.includes(this.field);
      out[name] = unread ? this.unread() : this.value(depth);
      last = name;
      const next = this.text[this.at++];
      if (next === "}") return out;
      if (next !== ",") this.refuse("an object does not end");
    }
  }

  /** Any JSON, kept as it stands. */
  unread() {
    const start = this.at;
    const marks = /["{}[\],]/g;
    let open = 0;
    do {
      marks.lastIndex = this.at;
      const found = marks.exec(this.text);
      if (!found) this.refuse("a body does not end");
      this.at = found.index;
      const [mark] = found;
      if (!open && (mark === "," || mark === "}" || mark === "]")) break;
      if (mark === '"') this.at = textEnd(this.text, this.at);
      else if (mark === "{" || mark === "[") open++;
      else if (mark !== ",") open--;
      this.at++;
    } while (open);
    const text = this.text.slice(start, this.at);
    if (text.trim() !== text) this.refuse("there is a blank around a body");
    try {
      JSON.parse(text);
    } catch {
      this.refuse("a body is not valid JSON");
    }
    return new Raw(text);
  }
}

/** Where the text that begins here ends. */
function textEnd(text, at) {
  for (;;) {
    at = text.indexOf('"', at + 1);
    if (at < 0) throw new Bad("malformed", "a text does not end");
    let before = at;
    while (text[before - 1] === "\\") before--;
    if ((at - before) % 2 === 0) return at;
  }
}

export function parseText(text, lazy = []) {
  const reader = new JsonReader(text, lazy);
  const value = reader.value(0);
  if (reader.at !== text.length) reader.refuse("something follows the document");
  return value;
}

/** The value of a file, without line breaks at its end. */
export function parse(bytes, limit = MAX_FILE, lazy = []) {
  let end = bytes.length;
  while (end && (bytes[end - 1] === 10 || bytes[end - 1] === 13)) end--;
  need(end <= limit, "too-large", "the file is too large for its kind");
  return parseText(textOf(bytes.subarray(0, end)), lazy);
}

/** 0 for a scalar, one more for each list or object around it. */
export function depth(value) {
  if (value === null || typeof value !== "object") return 0;
  return 1 + Object.values(value).reduce((deepest, inner) => Math.max(deepest, depth(inner)), 0);
}
