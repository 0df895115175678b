// Choosing a move by clicks: each click on a mark of the board, or on a line of the list, leaves fewer moves, until one is
// left. Nothing here knows a game: the moves as data (schemas/MOVES.md) name the marks.
//
// A candidate is a line of the list on its way to a move: the marks of the line that were clicked, the values that were
// given to its parts, and those that follow from them.

import { buildMove, fault, numberOf, openOptions } from "./forms.mjs";

/** All lines, before anything is clicked. */
export function begin(choices) {
  return choices.map((choice) => settled({ choice, clicked: [], picked: false, given: {} }));
}

/** One line alone, as picked from the list, with what was chosen so far. */
export function pickLine(candidate) {
  return [{ ...candidate, picked: true }];
}

/** Parts of which only one value is possible have it; amounts and rankings begin with nothing. */
function settled(candidate) {
  const values = { ...candidate.given };
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

/** The same with another value of a part; what was picked after it and is no longer possible goes. */
export function withValue(candidate, name, value) {
  const parts = candidate.choice.parts;
  const at = parts.findIndex((part) => part.name === name);
  const given = { ...candidate.given, [name]: value };
  for (const part of parts.slice(at + 1)) {
    if (part.type !== "pick" || !Object.hasOwn(given, part.name)) continue;
    const { values } = settled({ ...candidate, given: without(given, part.name) });
    if (!openOptions(candidate.choice, part, values).some((option) => option.text === given[part.name])) delete given[part.name];
  }
  return settled({ ...candidate, picked: true, given });
}

const without = (values, name) => Object.fromEntries(Object.entries(values).filter(([one]) => one !== name));

/** The parts that somebody can give a value now, or another one. */
export function openParts(candidate) {
  const { choice, values } = candidate;
  const parts = choice.parts ?? [];
  const next = openPart(candidate);
  const reached = next ? parts.slice(0, parts.indexOf(next) + 1) : parts;
  const settles = (part) => (part.type === "pick" ? openOptions(choice, part, values).length === 1 : part.type === "number" && part.low === part.high);
  return reached.filter((part) => !settles(part));
}

/** The first part that still needs a value; undefined if there is none. */
function openPart({ choice, values }) {
  return (choice.parts ?? []).find((part) => !Object.hasOwn(values, part.name) || isShort(part, values[part.name]));
}

const isShort = (part, value) => part.type === "ranking" && value.length < part.least;

/** What a candidate becomes by clicks on marks: `[mark, candidate, part]` for each. */
function offers(candidate) {
  const { choice, clicked, picked, values } = candidate;
  const left = picked ? [] : (choice.at ?? []).filter((mark) => !clicked.includes(mark));
  if (left.length) return left.map((mark) => [mark, settled({ ...candidate, clicked: [...clicked, mark] })]);
  const found = [];
  for (const part of choice.parts ?? []) {
    if (part.type === "pick") {
      const open = openOptions(choice, part, values);
      if (open.length > 1) for (const option of open) if (option.at) found.push([option.at, withValue(candidate, part.name, option.text), part]);
    } else if (part.type === "amounts") {
      const taken = values[part.name] ?? {};
      for (const [name, mark] of Object.entries(part.at ?? {})) {
        const count = taken[name] ?? 0;
        if (count < (part.most[name] ?? 0)) found.push([mark, withValue(candidate, part.name, { ...taken, [name]: count + 1 }), part]);
      }
    } else if (part.type === "ranking") {
      const ranked = values[part.name] ?? [];
      for (const [name, mark] of Object.entries(part.at ?? {})) {
        if (!ranked.includes(name)) found.push([mark, withValue(candidate, part.name, [...ranked, name]), part]);
      }
    }
    if (!Object.hasOwn(values, part.name)) break;
  }
  return found.filter(([, next]) => canBeKept(choice, next.values));
}

/** Whether all limits can still be kept by values that are these or more of them: amounts and lists only grow. */
function canBeKept(choice, values) {
  const parts = new Map((choice.parts ?? []).map((part) => [part.name, part]));
  return (choice.limits ?? []).every((limit) => {
    let least = 0;
    let most = 0;
    for (const { part, name, times = 1 } of limit.terms) {
      const ends = reachOf(parts.get(part), values[part], name).map((number) => times * number);
      least += Math.min(...ends);
      most += Math.max(...ends);
    }
    return least <= (limit.high ?? Infinity) && most >= (limit.low ?? -Infinity);
  });
}

/** The lowest and the highest number that a part can have. */
function reachOf(part, value, name = "") {
  const most = { pick: () => 1, number: () => part.high, free: () => part.longest, ranking: () => (name ? 1 : part.names.length),
    amounts: () => (name ? (part.most[name] ?? 0) : Object.values(part.most).reduce((sum, count) => sum + count, 0)) }; // prettier-ignore
  const grows = part.type === "amounts" || part.type === "ranking";
  if (value !== undefined && !grows) return [numberOf(part, value, name), numberOf(part, value, name)];
  const least = value !== undefined ? numberOf(part, value, name) : part.type === "number" ? part.low : 0;
  return [least, most[part.type]()];
}

/** Mark -> the candidates that a click on it leaves. A part that has a value is changed only if nothing else is meant. */
export function targets(candidates) {
  const found = new Map();
  for (const candidate of candidates) {
    for (const [mark, next] of fresh(candidate)) found.set(mark, [...(found.get(mark) ?? []), next]);
  }
  return found;
}

/** Of several offers with the same mark the first that gives something new; none changes what was picked if another does not. */
function fresh(candidate) {
  const changes = ([, , part]) => part?.type === "pick" && Object.hasOwn(candidate.given, part.name);
  const best = new Map();
  for (const offer of offers(candidate)) {
    const other = best.get(offer[0]);
    if (!other || (changes(other) && !changes(offer))) best.set(offer[0], offer);
  }
  return [...best.values()];
}

/** Whether a line says a whole move: it was picked, or all its marks were clicked, and every part has a value. */
function isWhole({ choice, clicked, picked, values }) {
  const marks = choice.at ?? [];
  return (picked || (marks.length > 0 && clicked.length === marks.length)) && !fault(choice, values);
}

/** The candidate that says a whole move, as long as no other does; of one alone also what is on its way. */
export function foremost(candidates) {
  const whole = candidates.filter(isWhole);
  return whole.length === 1 ? whole[0] : candidates.length === 1 ? candidates[0] : null;
}

/** The move that a candidate says; null if it is not whole. */
export function moveOf(candidate) {
  return candidate && isWhole(candidate) ? buildMove(candidate.choice, candidate.values) : null;
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
