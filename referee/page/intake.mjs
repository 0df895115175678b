// The documents in what was picked, dropped or pasted. Sizes are checked before a file is read; keys are never accepted
// here, whatever they are in.

import { findBlocks } from "./blocks.mjs";
import { MAX_BODY, MAX_FILE } from "./bytes.mjs";
import { binary, isMail, readMail } from "./mail.mjs";
import { kindOf } from "./verifier.mjs";

export const FILES_MOST = 40;
const HEAD = 8000;
/** Mails and texts are searched from end to end, which takes time; few mailed documents are this long. */
const TEXT_MOST = 8 * MAX_BODY;
/** Kinds that are never accepted here -> the texts for one in a mail, and elsewhere. */
const OWN = { key: ["key in mail", "key elsewhere"], player: ["player in mail", "player elsewhere"] };
const isOwn = ({ kind }) => Object.hasOwn(OWN, kind);
const SECRET = /"format"\s*:\s*"pbem-referee\/\d{1,3}\/(key|player)"/;
const NOBODY = { to: "", subject: "" };

/**
 * Read files: `{files: [{name, bytes}], wrong}`. `wrong` lists what was not read, as `{name, key, words}`: a text of the
 * table, and the verifier's words if the text has a place for them.
 */
export async function readFiles(picked, most = MAX_FILE) {
  const [files, wrong] = [[], []];
  let left = MAX_FILE;
  for (const file of picked.slice(0, FILES_MOST)) {
    if (file.size > most) wrong.push({ name: file.name, key: "file large" });
    else if (file.size > left) wrong.push({ name: file.name, key: "files large" });
    else {
      try {
        files.push({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) });
        left -= file.size;
      } catch {
        wrong.push({ name: file.name, key: "file unread" });
      }
    }
  }
  for (const file of picked.slice(FILES_MOST)) wrong.push({ name: file.name, key: "files many" });
  return { files, wrong };
}

/** Whether these bytes begin like a mail. */
export function looksLikeMail(bytes) {
  return isMail(binary(bytes.subarray(0, HEAD)));
}

/** The documents in files: `{documents: [{name, kind, bytes, reply}], wrong}`. */
export function documentsIn(files) {
  const all = files.map(({ name, bytes }) => documentsOf(name, bytes));
  const documents = all.flatMap((one) => one.documents);
  const over = documents.slice(FILES_MOST).map(({ name }) => ({ name, key: "files many" }));
  return { documents: documents.slice(0, FILES_MOST), wrong: [...all.flatMap((one) => one.wrong), ...over] };
}

/** Of several views of one seat, and their aids, those of the last round: a folder keeps them all. */
export function newestOf(documents) {
  const best = new Map();
  for (const one of documents) {
    const { place, round } = placeOf(one);
    const before = best.get(place);
    if (!before || before.round < round) best.set(place, { one, round });
  }
  const kept = new Set([...best.values()].map(({ one }) => one));
  return documents.filter((one) => kept.has(one));
}

/** Which seat a view or an aid belongs to, as far as that is told before anything is checked; other documents are alone. */
function placeOf(document) {
  const { kind, bytes } = document;
  if (kind !== "view" && kind !== "aid") return { place: document, round: 0 };
  const { genesis, game, seat, entries, round } = JSON.parse(new TextDecoder().decode(bytes));
  return { place: `${kind} ${genesis?.sig ?? game} ${seat}`, round: Array.isArray(entries) ? entries.length : Number(round) || 0 };
}

/** One file: a document, or everything in a mail or pasted text, with the address to reply to. */
function documentsOf(name, bytes) {
  // What begins like JSON is a single document, however long it is.
  const json = /^\s*\{/.test(binary(bytes.subarray(0, 100)));
  if (!json && bytes.length > TEXT_MOST) return { documents: [], wrong: [{ name, key: "file large" }] };
  const found = looksLikeMail(bytes) ? inMail(name, bytes) : inText(name, bytes, json);
  const refused = [...found.documents.filter(isOwn), ...found.secrets.map((kind) => ({ name, kind }))];
  const wrong = refused.map((one) => ({ name: one.name, key: OWN[one.kind][found.mail ? 0 : 1] }));
  const documents = found.documents.filter((one) => !isOwn(one));
  if (found.mail && !documents.length && !wrong.length && !found.wrong.length) wrong.push({ name, key: "mail nothing" });
  return { documents, wrong: [...found.wrong, ...wrong] };
}

function inMail(name, bytes) {
  const mail = readMail(binary(bytes));
  const inside = mail.documents.map((one) => documentOf(one.name ? `${name} / ${one.name}` : name, one.bytes, mail.reply)).filter((one) => one.kind);
  const blocks = mail.texts.map((text) => fromBlocks(name, text, mail.reply));
  const secrets = mail.texts.map((text) => SECRET.exec(text)?.[1]).filter(Boolean);
  // A document can be both attached and in the text; it is shown once.
  const more = blocks.flatMap((one) => one.documents).filter((one) => !inside.some((other) => other.kind === one.kind));
  return { documents: [...inside, ...more], wrong: blocks.flatMap((one) => one.wrong), secrets, mail: true };
}

function inText(name, bytes, json) {
  if (json) return { documents: [documentOf(name, bytes, NOBODY)], wrong: [], secrets: [] };
  const text = new TextDecoder().decode(bytes);
  const { documents, wrong } = fromBlocks(name, text, NOBODY);
  const secret = SECRET.exec(text)?.[1];
  const found = documents.length || wrong.length || secret ? documents : [documentOf(name, bytes, NOBODY)];
  return { documents: found, wrong, secrets: secret ? [secret] : [] };
}

function fromBlocks(name, text, reply) {
  const found = findBlocks(text);
  const wrong = found.filter((one) => !one.bytes).map((one) => ({ name, key: "block damaged", words: one.why }));
  return { documents: found.filter((one) => one.bytes).map((one) => documentOf(name, one.bytes, reply)), wrong };
}

function documentOf(name, bytes, reply) {
  let kind = "";
  try {
    kind = kindOf(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    // The verifier says what is wrong with it.
  }
  return { name, kind, bytes, reply };
}

/** Each problem once: `{names, key, words}`. */
export function saidOnce(wrong) {
  const found = new Map();
  for (const { name, key, words = "" } of wrong) {
    const place = `${key} ${words}`;
    if (!found.has(place)) found.set(place, { names: [], key, words });
    const { names } = found.get(place);
    if (!names.includes(name)) names.push(name);
  }
  return [...found.values()];
}
