// Moves out of moves as data: schemas/MOVES.md. The description comes from a host and is not trusted:
// `readMoves` refuses an invalid one, and only what `buildMove` returns will be signed.

import { Bad, need } from "./bytes.mjs";

const MANY = Number.MAX_SAFE_INTEGER;
const GONE = Symbol("what a part gives that gives nothing");
const MOST_PARTS = 100;

// --- the description -------------------------------------------------------------------------------------------------

const plainObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const text = (value) => typeof value === "string";
const whole = (value) => Number.isSafeInteger(value);
const flag = (value) => typeof value === "boolean";
const anything = () => true;
const texts = (value) => Array.isArray(value) && value.every(text) && new Set(value).size === value.length;
const many = (shape) => (value) => Array.isArray(value) && value.every(shape);
const counts = (value) => plainObject(value) && Object.values(value).every((count) => whole(count) && count >= 0);

const mark = (value) => text(value) && value.length <= 60 && /^(?:[\w.-]+:[\w.:-]+)?$/.test(value);
const marks = (value) => plainObject(value) && Object.values(value).every(mark);

/** An object with these members, and perhaps some of the others. */
function members(required, optional = {}) {
  return (value) =>
    plainObject(value) &&
    Object.keys(required).every((name) => Object.hasOwn(value, name)) &&
    Object.keys(value).every((name) => {
      const shape = Object.hasOwn(required, name) ? required[name] : Object.hasOwn(optional, name) && optional[name];
      return shape && shape(value[name]);
    });
}

const NAMED = { type: text, name: text, ask: text };
const WHEN = members({ part: text }, { name: text, low: whole, high: whole });
const OPTION = members({ text }, { value: anything, when: many(WHEN), otherwise: flag, at: mark });
const PARTS = new Map([
  ["pick", members({ ...NAMED, options: many(OPTION) })],
  ["number", members({ ...NAMED, low: whole, high: whole })],
  ["amounts", members({ ...NAMED, most: counts }, { listed: texts, at: marks })],
  ["ranking", members({ ...NAMED, names: texts, least: whole }, { at: marks })],
  ["free", members({ ...NAMED, how: text, longest: whole })],
]);
const PART = (value) => plainObject(value) && PARTS.has(value.type) && PARTS.get(value.type)(value);
const TERM = members({ part: text }, { name: text, times: whole });
const LIMIT = members({ terms: many(TERM) }, { low: whole, high: whole, why: text });
const FAMILY = { note: text, form: anything, parts: many(PART), limits: many(LIMIT), minor: flag, at: many(mark) };
const CHOICE = members({ text, move: plainObject }, FAMILY);
const SAID = members({ now: many(text), choices: many(CHOICE) });
const MOVES = members({
  round: whole,
  asked: text,
  choices: many(CHOICE),
  standing: (value) => value === null || SAID(value),
});

/** The description of possible answers; any other value is refused. */
export function readMoves(value) {
  need(MOVES(value), "malformed", "this does not describe moves");
  for (const choice of [...value.choices, ...(value.standing?.choices ?? [])]) checkFamily(choice);
  return value;
}

/** Parts have distinct names; conditions refer to earlier parts, limits and holes to any. */
function checkFamily(choice) {
  const parts = choice.parts ?? [];
  const names = parts.map((part) => part.name);
  const known = (reference, among) => among.includes(reference.part);
  let good = parts.length <= MOST_PARTS && new Set(names).size === names.length;
  parts.forEach((part, at) => {
    const before = names.slice(0, at);
    good &&= (part.options ?? []).every((option) => (option.when ?? []).every((when) => known(when, before)));
  });
  good &&= (choice.limits ?? []).every((limit) => limit.terms.every((term) => known(term, names)));
  good &&= !parts.length || (plainObject(choice.form) && holesOf(choice.form).every((name) => names.includes(name)));
  need(good, "malformed", "a choice refers to parts that it does not have");
}

function holesOf(form) {
  if (isHole(form)) return [form.$];
  return form !== null && typeof form === "object" ? Object.values(form).flatMap(holesOf) : [];
}

const isHole = (form) => plainObject(form) && Object.keys(form).length === 1 && Object.hasOwn(form, "$");

// --- choosing --------------------------------------------------------------------------------------------------------

/** The number of a part, as conditions and limits use it; `values` is a Map from parts to what was chosen. */
export function numberOf(part, value, name = "") {
  if (part.type === "number") return value;
  if (part.type === "pick") return value === name ? 1 : 0;
  if (part.type === "free") return [...value].length;
  if (part.type === "ranking") return name ? Number(value.includes(name)) : value.length;
  const amounts = new Map(Object.entries(value));
  return name ? (amounts.get(name) ?? 0) : [...amounts.values()].reduce((sum, count) => sum + count, 0);
}

function between(number, { low, high }, least) {
  return (low ?? least) <= number && number <= (high ?? MANY);
}

/** Named parts of a choice, by name. */
const partsOf = (choice) => new Map((choice.parts ?? []).map((part) => [part.name, part]));

/** The options of a pick that are open after what was chosen before it: `values` is an object, part -> value. */
export function openOptions(choice, part, values) {
  const parts = partsOf(choice);
  const holds = (when) => {
    const earlier = parts.get(when.part);
    if (!Object.hasOwn(values, when.part)) return false;
    return between(numberOf(earlier, values[when.part], when.name), when, 1);
  };
  const held = part.options.filter((option) => (option.when ?? []).every(holds));
  const plain = held.filter((option) => !option.otherwise);
  return plain.length ? plain : held;
}

/** Why a value does not fit its part, after what was chosen before; empty if it does. */
export function partFault(choice, part, values) {
  if (!Object.hasOwn(values, part.name)) return "choose something here";
  const value = values[part.name];
  if (part.type === "pick") {
    return openOptions(choice, part, values).some((option) => option.text === value) ? "" : "this cannot be chosen now";
  }
  if (part.type === "number") {
    return whole(value) && between(value, part) ? "" : `a whole number from ${part.low} to ${part.high}`;
  }
  if (part.type === "amounts") {
    const most = new Map(Object.entries(part.most));
    const fits = ([name, count]) => whole(count) && 0 <= count && count <= (most.get(name) ?? 0);
    const wrong = plainObject(value) ? Object.entries(value).find((one) => !fits(one)) : ["this", 0];
    return wrong ? `${wrong[0]}: a whole number from 0 to ${most.get(wrong[0]) ?? 0}` : "";
  }
  if (part.type === "ranking") {
    const fits = texts(value) && value.every((name) => part.names.includes(name)) && value.length >= part.least;
    return fits ? "" : `at least ${part.least} of the names, each once`;
  }
  const sound = text(value) && !/\p{Cs}/u.test(value);
  const size = sound ? [...value].length : 0;
  return size >= 1 && size <= part.longest ? "" : `a text of 1 to ${part.longest} characters`;
}

/** The limits of a choice: each with its sum, and whether it holds. Only for values that fit their parts. */
export function limitsOf(choice, values) {
  const parts = partsOf(choice);
  return (choice.limits ?? []).map((limit) => {
    const terms = limit.terms.map(
      ({ part, name, times }) => (times ?? 1) * numberOf(parts.get(part), values[part], name),
    );
    const sum = terms.reduce((total, term) => total + term, 0);
    return {
      why: limit.why ?? "",
      sum,
      low: limit.low ?? -MANY,
      high: limit.high ?? MANY,
      holds: between(sum, limit, -MANY),
    };
  });
}

/** What is wrong with the values of a choice: `{part, why}` of the first fault, `part` empty for a limit; else null. */
export function fault(choice, values) {
  for (const part of choice.parts ?? []) {
    const why = partFault(choice, part, values);
    if (why) return { part: part.name, why };
  }
  const broken = limitsOf(choice, values).find((limit) => !limit.holds);
  return broken
    ? { part: "", why: broken.why || `the sum is ${broken.sum}: from ${broken.low} to ${broken.high}` }
    : null;
}

/** The value of a part from what was typed into its fields: texts for numbers, a text for each name. */
export function typedValue(part, typed) {
  const digits = (given) => (/^\s*[+-]?[0-9]{1,16}\s*$/.test(given) ? Number(given) : NaN);
  if (part.type === "number") return digits(typed);
  if (part.type !== "amounts") return typed;
  return Object.fromEntries(
    Object.entries(typed).map(([name, given]) => [name, given.trim() === "" ? 0 : digits(given)]),
  );
}

// --- the move --------------------------------------------------------------------------------------------------------

function givenBy(part, value) {
  if (part.type === "pick") {
    const option = part.options.find((one) => one.text === value);
    return Object.hasOwn(option, "value") ? option.value : GONE;
  }
  if (part.type !== "amounts") return value;
  const amounts = new Map(Object.entries(value));
  if (part.listed?.length) return part.listed.flatMap((name) => Array(amounts.get(name) ?? 0).fill(name));
  return fromPairs([...amounts].filter(([, count]) => count));
}

/** An object in which `__proto__` is a name like any other. */
function fromPairs(pairs) {
  const out = Object.create(null);
  for (const [name, value] of pairs) out[name] = value;
  return out;
}

function filled(form, given) {
  if (isHole(form)) return given.get(form.$);
  if (Array.isArray(form)) return form.map((inner) => filled(inner, given)).filter((value) => value !== GONE);
  if (!plainObject(form)) return form;
  const pairs = Object.keys(form).map((name) => [name, filled(form[name], given)]);
  return fromPairs(pairs.filter(([, value]) => value !== GONE));
}

/** The move, or the standing orders, that these values give: the JSON that will be signed. `values` is an object, part
 * -> value. Values that do not fit are refused: the error has `part`, the wrong one. */
export function buildMove(choice, values = {}) {
  if (!choice.parts?.length) return choice.move;
  const wrong = fault(choice, values);
  if (wrong) throw Object.assign(new Bad("no-move", wrong.why), { part: wrong.part });
  return filled(choice.form, new Map(choice.parts.map((part) => [part.name, givenBy(part, values[part.name])])));
}
