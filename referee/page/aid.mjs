// The aid beside a view is not trusted: whatever can be compared with the view is; the rest is the host's word.

import { MAX_BODY, canonical, parse } from "./bytes.mjs";
import { shortened } from "./quote.mjs";
import { readMoves } from "./forms.mjs";
import { sentence, t } from "./texts.mjs";
import { asked } from "./table.mjs";

const MEMBERS = ["bags", "format", "game", "language", "moves", "picture", "round", "sealed", "seat", "terms", "title", "together", "told"];
const texts = (value) => Array.isArray(value) && value.every((one) => typeof one === "string");
/** More than any game of ours needs, and less than a browser can show. */
const MOST = { choices: 500, options: 5000, text: 2000, move: 4000, lines: 2000, line: 1000, picture: 400000, elements: 10000 };
const SHAPE = /^(?:svg|g|title|desc|rect|circle|ellipse|line|polyline|polygon|path|text|tspan)$/;
const REACHES = /\s(?:style|class|filter|mask|clip-path|stroke-dasharray|on\w+|[\w:]*href)\s*=/i;
const ENTITY = /&(?!(?:lt|gt|amp|quot|apos|#x27|#39);)/;
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

const SHAPES = {
  title: (value) => typeof value === "string",
  round: Number.isSafeInteger,
  seat: Number.isSafeInteger,
  game: (value) => /^[0-9a-f]{64}$/.test(value),
  together: (value) => Array.isArray(value) && value.every((pair) => Array.isArray(pair) && pair.every(Number.isSafeInteger)),
  bags: (value) => isObject(value) && Object.values(value).every(texts),
  sealed: isObject,
  language: (value) => /^[a-z]{2,3}$/.test(value),
  terms: texts,
  told: (value) => Array.isArray(value) && value.every(isTold),
  picture: (value) => typeof value === "string",
};

function isTold(one) {
  return isObject(one) && Number.isSafeInteger(one.round) && texts(one.lines ?? []) && texts(one.own ?? []);
}

/** `{aid}`, or `{why}` in words: what is wrong with its form. An aid that names no language is in English. */
export function readAid(file) {
  try {
    const aid = parse(file.bytes, MAX_BODY);
    const strange = isObject(aid) ? Object.keys(aid).find((name) => !MEMBERS.includes(name)) : "";
    if (strange !== undefined) return { why: t("aid form", { what: shortened(strange, 40) }) };
    const wrong = Object.keys(SHAPES).find((name) => name in aid ? !SHAPES[name](aid[name]) : ["title", "round", "seat", "game"].includes(name));
    if (wrong) return { why: t("aid form", { what: wrong }) };
    readMoves(aid.moves);
    if (!isBounded(aid)) return { why: t("aid large") };
    return { aid: { language: "en", ...aid, ...told(aid), ...pictured(aid) } };
  } catch (error) {
    return { why: t("aid form", { what: sentence(error.message) }) };
  }
}

/** Whether a browser can show all choices, and a person can read what is signed. */
function isBounded({ moves, sealed = {}, told = [], terms = [] }) {
  const choices = [...moves.choices, ...(moves.standing?.choices ?? [])];
  const parts = choices.flatMap((choice) => choice.parts ?? []);
  const options = parts.flatMap((part) => part.options ?? part.names ?? Object.keys(part.most ?? {}));
  const written = [...choices.map((choice) => choice.text), ...choices.map((choice) => choice.note ?? ""), ...parts.map((part) => part.ask)];
  const given = [sealed, ...choices.flatMap((choice) => [choice.move, choice.form ?? null]), ...options.map((option) => option.value ?? null)];
  const counted = parts.flatMap((part) => (part.listed ? Object.values(part.most) : [])).reduce((sum, count) => sum + count, 0);
  const lines = told.reduce((sum, { lines = [], own = [] }) => sum + lines.length + own.length, terms.length);
  return (
    choices.length <= MOST.choices &&
    options.length <= MOST.options &&
    counted <= MOST.options &&
    lines <= MOST.lines &&
    written.every((text) => text.length <= MOST.text) &&
    parts.every((part) => part.type !== "free" || part.longest <= MOST.text) &&
    given.every((value) => canonical(value).length <= MOST.move)
  );
}

/** The story, with invisible characters made visible. */
function told({ title, told = [], terms = [] }) {
  const plain = (lines = []) => lines.map((line) => shortened(line, MOST.line));
  return {
    title: shortened(title, 80),
    terms: plain(terms),
    told: told.map(({ round, lines, own }) => ({ round, lines: plain(lines), own: plain(own) })),
  };
}

/** A picture of plain shapes only: no repetition, animation or reference. `unfit` says why it is left out. */
function pictured({ picture = "" }) {
  const tags = picture.length <= MOST.picture ? (picture.match(/<[^>]*>?/g) ?? []) : [];
  const isPlainTag = (tag) => SHAPE.test(/^<\/?([^\s/>]*)/.exec(tag)[1]) && !REACHES.test(tag);
  const plain = tags.length && tags.length <= MOST.elements && tags.every(isPlainTag) && !ENTITY.test(picture);
  if (!picture || (/^<svg [^]*<\/svg>$/.test(picture) && plain)) return { picture };
  return { picture: "", unfit: t("aid picture") };
}

/** Why an aid does not belong to a view that was checked, in words; empty if it does. */
export function checkAid(aid, report) {
  const question = asked(report.state).get(report.seat);
  const what = question === undefined ? "" : (question?.what ?? (report.state.round ? "link" : "ack"));
  if (aid.game !== report.table.game) return t("aid game");
  if (aid.round !== report.state.round || aid.moves.round !== aid.round + 1) return t("aid round");
  if (aid.seat !== report.seat) return t("aid seat");
  if (aid.moves.asked !== what) return t("aid question");
  const sealed = question?.sealed ?? [];
  const complete = aid.moves.choices.every((choice) => {
    const whole = completed(choice.move, aid, sealed);
    return sealed.every((name) => Object.hasOwn(whole, name));
  });
  return complete ? "" : t("aid sealed");
}

/** A move with all fields that are to be sealed: missing ones get the default that the aid names. */
export function completed(move, aid, sealed) {
  const left = sealed.filter((name) => !Object.hasOwn(move, name) && Object.hasOwn(aid.sealed ?? {}, name));
  return left.length ? { ...move, ...Object.fromEntries(left.map((name) => [name, aid.sealed[name]])) } : move;
}
