// The aid beside a view: read with suspicion. What can be compared with the view is; the rest is the host's word.

import { parse } from "./bytes.mjs";
import { readMoves } from "./forms.mjs";
import { sentence, t } from "./texts.mjs";
import { asked } from "./table.mjs";

const MEMBERS = ["bags", "format", "game", "language", "moves", "picture", "round", "sealed", "seat", "terms", "title", "together", "told"];
const texts = (value) => Array.isArray(value) && value.every((one) => typeof one === "string");
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
    const aid = parse(file.bytes);
    const strange = isObject(aid) ? Object.keys(aid).find((name) => !MEMBERS.includes(name)) : "";
    if (strange !== undefined) return { why: t("aid form", { what: strange }) };
    const wrong = Object.keys(SHAPES).find((name) => name in aid ? !SHAPES[name](aid[name]) : ["title", "round", "seat", "game"].includes(name));
    if (wrong) return { why: t("aid form", { what: wrong }) };
    readMoves(aid.moves);
    return { aid: { language: "en", ...aid } };
  } catch (error) {
    return { why: t("aid form", { what: sentence(error.message) }) };
  }
}

/** Why an aid is not one for a view that was checked, in words; empty if it is. */
export function checkAid(aid, report) {
  const question = asked(report.state).get(report.seat);
  const what = question === undefined ? "" : (question?.what ?? (report.state.round ? "link" : "ack"));
  if (aid.game !== report.table.game) return t("aid game");
  if (aid.round !== report.state.round || aid.moves.round !== aid.round + 1) return t("aid round");
  if (aid.seat !== report.seat) return t("aid seat");
  if (aid.moves.asked !== what) return t("aid question");
  if (aid.picture && !/^<svg [^]*<\/svg>$/.test(aid.picture)) return t("aid picture");
  const sealed = question?.sealed ?? [];
  const complete = aid.moves.choices.every((choice) => {
    const whole = completed(choice.move, aid, sealed);
    return sealed.every((name) => Object.hasOwn(whole, name));
  });
  return complete ? "" : t("aid sealed");
}

/** A move with all fields that are to be sealed: what it leaves out has the value that the aid names. */
export function completed(move, aid, sealed) {
  const left = sealed.filter((name) => !Object.hasOwn(move, name) && Object.hasOwn(aid.sealed ?? {}, name));
  return left.length ? { ...move, ...Object.fromEntries(left.map((name) => [name, aid.sealed[name]])) } : move;
}
