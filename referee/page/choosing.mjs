// Choosing a move by clicks: each click on a mark of the board, or on a line of the list, leaves fewer moves, until one is
// left. Nothing here knows a game: the moves as data (schemas/MOVES.md) name the marks.
//
// A candidate is a line of the list on its way to a move: the marks of the line that were clicked, and the values of its
// parts.

import { buildMove, fault, openOptions } from "./forms.mjs";

/** All lines, before anything is clicked. */
export function begin(choices) {
  return choices.map((choice) => settled({ choice, clicked: [], picked: false, values: {} }));
}

/** One line alone, as picked from the list. */
export function pickLine(choice) {
  return [settled({ choice, clicked: [], picked: true, values: {} })];
}

/** Parts of which only one value is possible have it; amounts and rankings begin with nothing. */
function settled(candidate) {
  const values = { ...candidate.values };
  for (const part of candidate.choice.parts ?? []) {
    if (Object.hasOwn(values, part.name)) continue;
    if (part.type === "amounts") values[part.name] = {};
    else if (part.type === "ranking") values[part.name] = [];
    else if (part.type === "number" && part.low === part.high) values[part.name] = part.low;
    else if (part.type === "pick") {
      const open = openOptions(candidate.choice, part, values);
      if (open.length !== 1) break;
      values[part.name] = open[0].text;
    } else break;
  }
  return { ...candidate, values };
}

/** The same with another value of a part; what was chosen after it and is no longer possible goes. */
export function withValue(candidate, name, value) {
  const parts = candidate.choice.parts;
  const at = parts.findIndex((part) => part.name === name);
  const values = { ...candidate.values, [name]: value };
  for (const part of parts.slice(at + 1)) {
    if (part.type !== "pick" || !Object.hasOwn(values, part.name)) continue;
    const open = openOptions(candidate.choice, part, values);
    if (open.length === 1 || !open.some((option) => option.text === values[part.name])) delete values[part.name];
  }
  return settled({ ...candidate, picked: true, values });
}

/** The first part that still needs a value; undefined if there is none. */
export function openPart({ choice, values }) {
  return (choice.parts ?? []).find((part) => !Object.hasOwn(values, part.name) || isShort(part, values[part.name]));
}

const isShort = (part, value) => part.type === "ranking" && value.length < part.least;

/** What a candidate becomes by clicks on marks: `[mark, candidate]` for each. */
function offers(candidate) {
  const { choice, clicked, picked, values } = candidate;
  const left = picked ? [] : (choice.at ?? []).filter((mark) => !clicked.includes(mark));
  if (left.length) return left.map((mark) => [mark, settled({ ...candidate, clicked: [...clicked, mark] })]);
  const found = [];
  for (const part of choice.parts ?? []) {
    if (part.type === "pick") {
      const open = openOptions(choice, part, values);
      if (open.length > 1) for (const option of open) if (option.at) found.push([option.at, withValue(candidate, part.name, option.text)]);
    } else if (part.type === "amounts") {
      const taken = values[part.name] ?? {};
      for (const [name, mark] of Object.entries(part.at ?? {})) {
        const count = taken[name] ?? 0;
        if (count < (part.most[name] ?? 0)) found.push([mark, withValue(candidate, part.name, { ...taken, [name]: count + 1 })]);
      }
    } else if (part.type === "ranking") {
      const ranked = values[part.name] ?? [];
      for (const [name, mark] of Object.entries(part.at ?? {})) {
        if (!ranked.includes(name)) found.push([mark, withValue(candidate, part.name, [...ranked, name])]);
      }
    }
    if (!Object.hasOwn(values, part.name)) break;
  }
  return found;
}

/** Mark -> the candidates that a click on it leaves. A part that has a value is changed only if nothing else is meant. */
export function targets(candidates) {
  const found = new Map();
  for (const candidate of candidates) {
    for (const [mark, next] of fresh(candidate)) found.set(mark, [...(found.get(mark) ?? []), next]);
  }
  return found;
}

/** Of two offers with the same mark the one that gives a part its first value. */
function fresh(candidate) {
  const filled = Object.keys(candidate.values).length;
  const rank = ([, next]) => (Object.keys(next.values).length > filled ? 0 : 1);
  const best = new Map();
  for (const offer of offers(candidate)) {
    const other = best.get(offer[0]);
    if (!other || rank(offer) < rank(other)) best.set(offer[0], offer);
  }
  return [...best.values()];
}

/** Whether a line says a whole move: it was picked, or all its marks were clicked, and every part has a value. */
export function isWhole({ choice, clicked, picked, values }) {
  const marks = choice.at ?? [];
  return (picked || (marks.length > 0 && clicked.length === marks.length)) && !fault(choice, values);
}

/** The one move that is left; null as long as there are several, or none that is whole. */
export function moveOf(candidates) {
  return candidates.length === 1 && isWhole(candidates[0]) ? buildMove(candidates[0].choice, candidates[0].values) : null;
}

/** The marks that the remaining candidates have used, to be shown as chosen. */
export function chosenMarks(candidates) {
  const used = candidates.map(({ choice, clicked, values }) => [
    ...clicked,
    ...(choice.parts ?? []).flatMap((part) => marksOf(part, values[part.name])),
  ]);
  return new Set((used[0] ?? []).filter((mark) => used.every((marks) => marks.includes(mark))));
}

function marksOf(part, value) {
  if (value === undefined) return [];
  if (part.type === "pick") return part.options.filter((option) => option.text === value && option.at).map((option) => option.at);
  const names = part.type === "amounts" ? Object.keys(value).filter((name) => value[name]) : part.type === "ranking" ? value : [];
  return names.map((name) => (part.at ?? {})[name]).filter(Boolean);
}
