// What is said, in the reader's language. English is the language of documents and of the verifier.

import { isPlain, visible } from "./quote.mjs";
import { SENTENCES, TEXTS, WORDS } from "./translations.mjs";

/** Language -> what its speakers call it. */
export const LANGUAGES = { en: "English", de: "Deutsch", nl: "Nederlands" };
const LOCALES = { en: "en-GB", de: "de-DE", nl: "nl-NL" };

/** What the games that we know are called, everywhere. */
const TITLES = {
  "mark": "M.A.R.K.",
  "schwarzer-freitag": "Schwarzer Freitag",
  "schwarzmarkt": "Schwarzmarkt",
  "weg-zum-erfolg": "Der Weg zum Erfolg",
};

let language = "en";

/** Speak this language from now on, if it is one of ours. */
export function speak(wanted) {
  if (Object.hasOwn(LANGUAGES, wanted)) language = wanted;
}

export function spokenNow() {
  return language;
}

/** The language of words that others wrote, where it is not the one of now: an attribute `lang`. */
export function foreign(written) {
  return written === language ? null : written;
}

export function titleOf(game) {
  return Object.hasOwn(TITLES, game) ? TITLES[game] : game;
}

/** The first of the browser's languages that is one of ours. */
export function ofBrowser() {
  const wanted = (navigator.languages ?? []).map((one) => one.slice(0, 2).toLowerCase());
  return wanted.find((one) => Object.hasOwn(LANGUAGES, one)) ?? "en";
}

/** The place of this language in a row that has the others than English. */
const translated = (row) => row[Object.keys(LANGUAGES).indexOf(language) - 1];

function filledIn(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = Object.hasOwn(values, name) ? values[name] : whole;
    return typeof value === "number" ? figure(value) : String(value);
  });
}

/** A text of the table; numbers are written as the language does. */
export function t(key, values = {}) {
  if (!Object.hasOwn(TEXTS, key)) throw new Error(`no text: ${key}`);
  return filledIn(TEXTS[key][Object.keys(LANGUAGES).indexOf(language)], values);
}

// --- what others say in English --------------------------------------------------------------------------------------

const LONGEST = 500;
const HOLE = /\{\d\}/g;
const PATTERNS = Object.keys(SENTENCES).filter((one) => one.includes("{1}"));

/** A sentence of the verifier, in this language; one that the table does not have stays as it is. */
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

/** A value in a sentence: a sentence itself, or the name of a container. */
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

/** `1 hour`, `3 days`: minutes in the largest unit that has them whole. */
export function duration(minutes) {
  const [size, unit] = [[1440, "day"], [60, "hour"], [1, "minute"]].find(([one]) => minutes && minutes % one === 0) ?? [1, "minute"];
  return new Intl.NumberFormat(LOCALES[language], { style: "unit", unit, unitDisplay: "long" }).format(minutes / size);
}

/** `2027-01-05 18:07 UTC` of a time as documents have it; one that is none stays as it is. */
export function moment(text) {
  const [, year, month, day, time] = /^(\d{4})-(\d\d)-(\d\d)T(\d\d:\d\d)/.exec(text) ?? [];
  const told = language === "en" ? String : Number;
  return time ? t("moment", { year, month: told(month), day: told(day), time }) : text;
}

/** `a, b and c`. */
export function joinedWords(words) {
  return new Intl.ListFormat(LOCALES[language], { type: "conjunction" }).format(words);
}

/** Faces as the language orders them: offer 3 before offer 16. */
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

/** A word of a document that stands for itself; any other text in quotes, so that it cannot look like more than one. */
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
