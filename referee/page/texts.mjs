// Texts in the reader's language. Documents and the verifier use English.

import { isPlain, visible } from "./quote.mjs";
import { SENTENCES, TEXTS, WORDS } from "./translations.mjs";

/** Language -> its own name for itself. */
export const LANGUAGES = { en: "English", de: "Deutsch", nl: "Nederlands" };
const LOCALES = { en: "en-GB", de: "de-DE", nl: "nl-NL" };

/** Titles of the games that we know, in every language. */
const TITLES = {
  "mark": "M.A.R.K.",
  "schwarzer-freitag": "Schwarzer Freitag",
  "schwarzmarkt": "Schwarzmarkt",
  "weg-zum-erfolg": "Der Weg zum Erfolg",
};

let language = "en";

/** Use this language from now on, if it is one of ours. */
export function setLanguage(wanted) {
  if (Object.hasOwn(LANGUAGES, wanted)) language = wanted;
}

export function currentLanguage() {
  return language;
}

/** The attribute `lang` for words that others wrote; null if it is the current language. */
export function foreign(written) {
  return written === language ? null : written;
}

export function titleOf(game) {
  return Object.hasOwn(TITLES, game) ? TITLES[game] : game;
}

/** The first of the browser's languages that is one of ours. */
export function browserLanguage() {
  const wanted = (navigator.languages ?? []).map((one) => one.slice(0, 2).toLowerCase());
  return wanted.find((one) => Object.hasOwn(LANGUAGES, one)) ?? "en";
}

/** The entry for the current language in a row without English. */
const translated = (row) => row[Object.keys(LANGUAGES).indexOf(language) - 1];

function filledIn(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = Object.hasOwn(values, name) ? values[name] : whole;
    return typeof value === "number" ? figure(value) : String(value);
  });
}

/** A text of the table; numbers are formatted for the language. */
export function t(key, values = {}) {
  if (!Object.hasOwn(TEXTS, key)) throw new Error(`no text: ${key}`);
  return filledIn(TEXTS[key][Object.keys(LANGUAGES).indexOf(language)], values);
}

// --- what others say in English --------------------------------------------------------------------------------------

const LONGEST = 500;
const HOLE = /\{\d\}/g;
const PATTERNS = Object.keys(SENTENCES).filter((one) => one.includes("{1}"));

/** A sentence of the verifier, in the current language; one that is not in the table stays as it is. */
export function sentence(english) {
  if (language === "en" || english.length > LONGEST) return english;
  if (Object.hasOwn(SENTENCES, english)) return translated(SENTENCES[english]);
  for (const pattern of PATTERNS) {
    const plain = pattern.split(HOLE).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    const found = new RegExp(`^${plain.join("(.+)")}$`, "s").exec(english);
    if (found) return filledIn(translated(SENTENCES[pattern]), found.map((value, at) => (at ? within(value) : "")));
  }
  return english;
}

/** A value in a sentence: another sentence, or the name of a container. */
function within(value) {
  return sentence(Object.hasOwn(SENTENCES, value) ? value : container(value));
}

/** A word of a document: a field, a face, a question. `offer-7` is the seventh of its kind. */
export function term(word) {
  if (language === "en") return word;
  if (Object.hasOwn(WORDS, word)) return translated(WORDS[word]);
  const [, kind, number] = /^(.+)-(\d+)$/.exec(word) ?? [];
  return Object.hasOwn(WORDS, kind ?? "") ? `${translated(WORDS[kind])} ${number}` : word;
}

/** `goods/1`, `goods.0.30`: the name of a container, or of a place in one. */
export function container(name) {
  return name.replace(/^[^/.]+/, term);
}

// --- numbers, times, lists -------------------------------------------------------------------------------------------

/** `12,000`. */
export function figure(number) {
  return new Intl.NumberFormat(LOCALES[language], { useGrouping: "min2" }).format(number);
}

/** `1 hour`, `3 days`: minutes in the largest unit that divides them. */
export function duration(minutes) {
  const [size, unit] = [[1440, "day"], [60, "hour"], [1, "minute"]].find(([one]) => minutes && minutes % one === 0) ?? [1, "minute"];
  return new Intl.NumberFormat(LOCALES[language], { style: "unit", unit, unitDisplay: "long" }).format(minutes / size);
}

/** `2027-01-05 18:07 UTC` from a time in a document; anything else stays as it is. */
export function moment(text) {
  const [, year, month, day, time] = /^(\d{4})-(\d\d)-(\d\d)T(\d\d:\d\d)/.exec(text) ?? [];
  const told = language === "en" ? String : Number;
  return time ? t("moment", { year, month: told(month), day: told(day), time }) : text;
}

/** `a, b and c`. */
export function joinedWords(words) {
  return new Intl.ListFormat(LOCALES[language], { type: "conjunction" }).format(words);
}

/** Faces in the order of the language: offer 3 before offer 16. */
export function inOrder(faces) {
  const { compare } = new Intl.Collator(LOCALES[language], { numeric: true });
  return [...faces].sort((one, other) => compare(term(one), term(other)));
}

/** `red, 2 blue`. */
export function counted(faces) {
  const counts = new Map();
  for (const face of faces) counts.set(face, (counts.get(face) ?? 0) + 1);
  return [...counts].map(([face, count]) => (count > 1 ? `${count} ${term(face)}` : term(face))).join(", ");
}

/** A plain word of a document as it is; any other text in quotes, so that it cannot look like several words. */
function literal(text) {
  return isPlain(text) ? term(text) : t("quoted", { text: visible(text) });
}

/** A value of a document in words: `red 2, blue 1`, `a, b`. */
export function spoken(value) {
  if (value === null) return t("nothing");
  if (Array.isArray(value)) return value.length ? value.map(spoken).join(", ") : t("nothing");
  if (typeof value === "object") {
    const members = Object.entries(value).map(([name, inner]) => `${literal(name)} ${nested(inner)}`);
    return members.length ? members.join(", ") : t("nothing");
  }
  return literal(String(value));
}

function nested(value) {
  return value !== null && typeof value === "object" ? `(${spoken(value)})` : spoken(value);
}
