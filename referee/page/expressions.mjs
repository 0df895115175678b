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
const TOKEN = /\s*(?:([0-9]{1,2})(?![0-9])|(.))/gsu;

/** What an expression comes to, as a fraction, and the cards that it uses: `{top, bottom, cards}`. */
export function evaluate(text) {
  need([...text].length <= LONGEST, "no-move", `an expression has at most ${LONGEST} characters`);
  const tokens = [...text.trim().matchAll(TOKEN)].map(([, number, sign]) => ({ number, sign: SIGNS.get(sign) ?? sign }));
  const cards = [];
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
      need(!divides || other[0], "no-move", "nothing can be divided by 0");
      value = divides ? [value[0] * other[1], value[1] * other[0]] : [value[0] * other[0], value[1] * other[1]];
    }
    return value;
  };
  const factor = (depth) => {
    const number = tokens[at]?.number;
    if (number !== undefined) {
      at++;
      cards.push(Number(number));
      return [BigInt(number), 1n];
    }
    need(isSign("(") && depth < DEEPEST, "no-move", "a card or an opening bracket is missing in the expression");
    at++;
    const value = sum(depth + 1);
    need(isSign(")"), "no-move", "a closing bracket is missing in the expression");
    at++;
    return value;
  };
  const [top, bottom] = sum(0);
  if (at < tokens.length) throw new Bad("no-move", `${tokens[at].sign ?? tokens[at].number} makes no sense there`);
  const sign = bottom < 0n ? -1n : 1n;
  const shared = divisor(top < 0n ? -top : top, bottom * sign);
  return { top: (sign * top) / shared, bottom: (sign * bottom) / shared, cards: cards.sort((one, other) => one - other) };
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
    const made = bottom === 1n ? `${top}` : `${top}/${bottom}`;
    need(made === `${task.target}`, "no-move", `that makes ${made}, not ${task.target}`);
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
