// A document as a block of text that survives mail programs; the last line begins the SHA-256 of the document:
//
//     -----BEGIN PBEM REFEREE MOVE-----
//     base64, 64 characters a line
//     #1a2b3c4d
//     -----END PBEM REFEREE MOVE-----

import { base64Of, hexOf, sha256 } from "./bytes.mjs";

const KINDS = "move|join|word|return|succession|offer|view|receipt|transcript";
const MOST_BLOCKS = 50;
const LONGEST = 12000000;
const DASHES = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d\u2e3a\u2e3b]/g;
const SPACES = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;
const NOTHING = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g;
const QUOTED = /^(?:[ \t]{0,8}(?:[A-Za-z]{0,3}>|[|:])){1,50}/gm;
const GAP = "[\\s>|:*_=]{0,40}";
const MARKER = new RegExp(`(?<![A-Z])(BEGIN|END)${GAP}PBEM${GAP}REFEREE${GAP}(${KINDS})`, "gi");
const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " " };

const checkOf = (bytes) => hexOf(sha256(bytes)).slice(0, 8);

/** The document as a block. */
export function writeBlock(kind, bytes) {
  const name = `PBEM REFEREE ${kind.toUpperCase()}`;
  const lines = base64Of(bytes).match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${name}-----`, ...lines, `#${checkOf(bytes)}`, `-----END ${name}-----`, ""].join("\n");
}

/** Every block in a text, in order: `{kind, bytes}`; without bytes it is damaged, and `why` says how. */
export function findBlocks(text) {
  const plain = unescaped(unescaped(text)).replace(DASHES, "-").replace(SPACES, " ").replace(NOTHING, "");
  const whole = plain.replace(QUOTED, "").replace(/=[ \t]*\r?\n/g, "");
  const blocks = [];
  let begin = null;
  for (const marker of whole.matchAll(MARKER)) {
    if (!isDashed(whole, marker) || blocks.length >= MOST_BLOCKS) continue;
    const kind = marker[2].toLowerCase();
    if (marker[1].toUpperCase() === "BEGIN") {
      if (begin) blocks.push(damaged(begin, "the end of the block is missing"));
      begin = marker;
    } else {
      const inside = begin && whole.slice(begin.index + begin[0].length, marker.index);
      blocks.push(begin ? readBlock(begin, kind, inside) : damaged(marker, "the beginning of the block is missing"));
      begin = null;
    }
  }
  if (begin) blocks.push(damaged(begin, "the end of the block is missing"));
  return blocks;
}

function unescaped(text) {
  return text.replace(
    /&(?:#([0-9]{1,7})|#[xX]([0-9A-Fa-f]{1,6})|(amp|lt|gt|quot|nbsp));/g,
    (all, decimal, hex, name) => {
      const code = name ? 0 : parseInt(decimal ?? hex, decimal ? 10 : 16);
      return name ? ENTITIES[name] : code <= 0x10ffff ? String.fromCodePoint(code) : "";
    },
  );
}

/** A marker has a dash on at least one side: otherwise somebody is writing about blocks. */
function isDashed(text, marker) {
  const end = marker.index + marker[0].length;
  const before = text.slice(Math.max(0, marker.index - 10), marker.index).trimEnd();
  return (
    before.endsWith("-") ||
    text
      .slice(end, end + 10)
      .trimStart()
      .startsWith("-")
  );
}

function damaged(marker, why) {
  return { kind: marker[2].toLowerCase(), bytes: null, why };
}

/** Without what is left of markers and quoting at both ends. */
function trimmed(text) {
  const isEdge = (at) => " \t\r\n\f\v>|:*-=".includes(text[at]);
  let [start, end] = [0, text.length];
  while (start < end && isEdge(start)) start++;
  while (end > start && isEdge(end - 1)) end--;
  return text.slice(start, end);
}

function readBlock(begin, kind, inside) {
  if (begin[2].toLowerCase() !== kind) return damaged(begin, "the block begins as one kind and ends as another");
  if (inside.length > LONGEST) return damaged(begin, "the block is too long");
  const body = trimmed(inside)
    .replace(/=(?:20|09|0D|0A|C2|A0|3D)/g, "=")
    .replace(/[>|\s]/g, "");
  const found = /^([A-Za-z0-9+/=]*)#([0-9A-Fa-f]*)$/.exec(body);
  if (!found)
    return damaged(begin, "the last line of the block is missing, or the block contains something that does not belong there");
  const code = found[1].replace(/=/g, "");
  if (code.length % 4 === 1) return damaged(begin, "a part of the block is missing");
  const bytes = Uint8Array.from(atob(code), (character) => character.charCodeAt(0));
  if (checkOf(bytes) !== found[2].toLowerCase())
    return damaged(begin, "a part of the block is missing or was changed on the way");
  return { kind, bytes, why: "" };
}
