// Free texts that a page can judge before they are signed: the expressions of Der Weg zum Erfolg, by its clause LO-16 and the
// position that the host signed. Written from the rules; the host would refuse a wrong one.

import { Bad, need } from "./bytes.mjs";

const LONGEST = 200;
const DEEPEST = 20;
const SIGNS = new Map([
  ..."xX×·⋅∙•".split("").map((one) => [one, "*"]),
  ...":÷∕⁄".split("").map((one) => [one, "/"]),
  ..."−–—‐".split("").map((one) => [one, "-"]),
  ["[", "("],
  ["]", ")"],
]);
/** What signs are called in English, German and Dutch. */
const CALLED = new Map([
  ...["times", "multiplied by", "mal", "keer", "maal"].map((name) => [name, "*"]),
  ...["divided by", "over", "geteilt durch", "durch", "gedeeld door"].map((name) => [name, "/"]),
  ["plus", "+"],
  ["minus", "-"],
  ["min", "-"],
]);
const NAME = new RegExp(`(?<![a-z])(?:${[...CALLED.keys()].join("|")})(?![a-z])`, "gi");
const TOKEN = /\s*(?:([0-9]{1,2})(?![0-9])|(.))/gsu;
/** What stands behind `=`: `18`, `-2`, `2.5` or `5/2`. */
const RESULT = /^\s*(-?)\s*([0-9]{1,12})(?:\.([0-9]{1,12})|\/([0-9]{1,12}))?/;

/** What an expression comes to, as a fraction, and the cards that it uses: `{top, bottom, cards}`. It may be a chain with
 * results on the way, `9x2=18-10=8`; they are no cards, and must be right. */
export function evaluate(text) {
  need([...text].length <= LONGEST, "no-move", `an expression has at most ${LONGEST} characters`);
  const cards = [];
  let before = "";
  let value;
  for (const part of text.split("=").map((one) => one.trim())) {
    let rest = plain(part);
    if (value) {
      const found = stated(part, rest, value);
      need(`${found.result}` === `${value}`, "no-move", `'${before}' makes ${made(value)}, not ${found.typed}`);
      rest = found.rest;
    }
    value = lowest(whole(part, rest, value, cards));
    before = part;
  }
  return { top: value[0], bottom: value[1], cards: cards.sort((one, other) => one - other) };
}

const plain = (text) =>
  [...text.replace(NAME, (found) => CALLED.get(found.toLowerCase()))].map((sign) => SIGNS.get(sign) ?? sign).join("");

/** The result that a part of a chain begins with, as it is typed, and the rest. After a whole one `/` divides. */
function stated(part, text, before) {
  const found = RESULT.exec(text);
  need(found, "no-move", `'=' makes no sense in '= ${part}'`);
  const [all, minus, digits, decimals, bottom] = found;
  const isFraction = bottom && BigInt(bottom) && before[1] > 1n;
  const divisor = decimals ? 10n ** BigInt(decimals.length) : isFraction ? BigInt(bottom) : 1n;
  const end = all.length - (bottom && !isFraction ? bottom.length + 1 : 0);
  const result = lowest([BigInt(digits + (decimals ?? "")) * (minus ? -1n : 1n), divisor]);
  return { result, typed: text.slice(0, end).trim(), rest: text.slice(end) };
}

/** The value of one part, read from left to right; `begun` stands in front of it, and is no card. */
function whole(typed, text, begun, cards) {
  const tokens = [...text.trim().matchAll(TOKEN)].map(([, number, sign]) => ({ number, sign }));
  let at = 0;
  const isSign = (...signs) => signs.includes(tokens[at]?.sign);
  const sum = (depth) => {
    let value = product(depth);
    while (isSign("+", "-")) {
      const plus = tokens[at++].sign === "+" ? 1n : -1n;
      const other = product(depth);
      value = [value[0] * other[1] + plus * other[0] * value[1], value[1] * other[1]];
    }
    return value;
  };
  const product = (depth) => {
    let value = factor(depth);
    while (isSign("*", "/")) {
      const divides = tokens[at++].sign === "/";
      const other = factor(depth);
      need(!divides || other[0], "no-move", `'${typed}' divides by 0`);
      value = divides ? [value[0] * other[1], value[1] * other[0]] : [value[0] * other[0], value[1] * other[1]];
    }
    return value;
  };
  const factor = (depth) => {
    if (begun) {
      const value = begun;
      begun = undefined;
      return value;
    }
    const number = tokens[at]?.number;
    if (number !== undefined) {
      at++;
      cards.push(Number(number));
      return [BigInt(number), 1n];
    }
    need(isSign("(") && depth < DEEPEST, "no-move", `a card or an opening bracket is missing in '${typed}'`);
    at++;
    const value = sum(depth + 1);
    need(isSign(")"), "no-move", `a closing bracket is missing in '${typed}'`);
    at++;
    return value;
  };
  const value = sum(0);
  if (at < tokens.length) throw new Bad("no-move", `'${tokens[at].sign ?? tokens[at].number}' makes no sense in '${typed}'`);
  return value;
}

const made = ([top, bottom]) => (bottom === 1n ? `${top}` : `${top}/${bottom}`);

function lowest([top, bottom]) {
  const sign = bottom < 0n ? -1n : 1n;
  const shared = divisor(top < 0n ? -top : top, bottom * sign);
  return [(sign * top) / shared, (sign * bottom) / shared];
}

function divisor(one, other) {
  while (other) [one, other] = [other, one % other];
  return one || 1n;
}

/** Why this does not solve the task of a position, in English; empty if it does. */
export function expressionFault(text, task, hand) {
  try {
    const { top, bottom, cards } = evaluate(text);
    const own = [...cards];
    for (const { value } of task.table ?? []) {
      need(own.includes(value), "no-move", `the ${value} on the table is not used`);
      own.splice(own.indexOf(value), 1);
    }
    need(own.length, "no-move", "no card of your own is used");
    const count = (list, value) => list.filter((one) => one === value).length;
    const scarce = own.find((value) => count(own, value) > count(hand, value));
    need(scarce === undefined, "no-move", `you have too few cards of value ${scarce}`);
    const value = made([top, bottom]);
    need(value === `${task.target}`, "no-move", `'${text}' makes ${value}, not ${task.target}`);
    return "";
  } catch (error) {
    if (error instanceof Bad) return error.message;
    throw error;
  }
}

/** What a page can say about a move with a free text: `{why}` if it is wrong, `{judged: true}` if it is right, and
 * `{judged: false}` if the page cannot judge it. */
export function judgedFree(report, move) {
  const { task, players } = report.document.public ?? {};
  const hand = players?.[report.seat]?.hand;
  const ours = report.table.terms.game === "weg-zum-erfolg" && move.kind === "solve" && typeof move.expression === "string";
  if (!ours || !Array.isArray(hand) || !Number.isSafeInteger(task?.target) || !Array.isArray(task.table ?? [])) return { judged: false };
  const why = expressionFault(move.expression, task, hand);
  return why ? { judged: false, why } : { judged: true };
}
