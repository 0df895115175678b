// What somebody at a table has chosen so far, and what the engine says of it. Nothing is shown from here.

import { begin, foremost, moveOf, openParts } from "./choosing.mjs";

export const begun = (one) => one.marks.length > 0;
export const isNow = (one) => one.look.round === one.look.rounds;
export const decides = (one) => one.moves.choices.length > 0;

export async function askMoves(one) {
  const { call, game, look } = one;
  one.moves = look.asked ? await call("moves", { game }) : { choices: [], standing: null };
  one.held = one.moves.standing && (await call("orders", { game }));
  one.besides = await call("besides", { game, ...one.beside });
  restart(one);
  if (look.asked && look.proposed) one.answer = await call("check", { game, move: look.proposed });
}

/** Nothing is chosen: `marks` are those of each step to a move (empty for one that needed none), `standing` are the orders
 * that go with it, `ordering` is one of them on its way. */
export function restart(one) {
  Object.assign(one, { candidates: begin(one.moves.choices), marks: [], answer: null, leaving: false, standing: null, orders: one.held, ordering: null, past: [] });
}

/** Keep what is chosen, to go back to it. */
function keep(one) {
  const { candidates, marks, answer, standing, orders, ordering } = one;
  one.past.push({ candidates, marks: [...marks], answer, standing, orders, ordering });
}

export function back(one) {
  Object.assign(one, one.past.pop());
}

/** Take a whole move, whoever named it, with the standing orders that it says. */
export async function take(one, answer) {
  const { standing } = answer;
  const orders = one.orders && (await one.call("orders", { game: one.game, standing }));
  keep(one);
  one.marks.push("");
  Object.assign(one, { answer, standing, orders, ordering: null, candidates: [] });
}

/** Go on with what a click on a mark leaves, or a line of the list, and ask the rules about the move, once there is one. */
export async function choose(one, candidates, mark = "") {
  keep(one);
  one.marks.push(mark);
  one.candidates = candidates;
  const move = moveOf(foremost(candidates));
  one.answer = null;
  if (move !== null) one.answer = await one.call("check", { game: one.game, move, standing: one.standing });
}

/** Give these standing orders with the answer, whatever it is. */
export async function order(one, standing, ordering = null) {
  const { call, game } = one;
  const orders = await call("orders", { game, standing });
  const answer = one.answer && (await call("check", { game, move: one.answer.move, standing }));
  keep(one);
  Object.assign(one, { standing, orders, ordering, answer });
}

/** Go on with a standing order of the list: it is given once it is whole. */
export async function chooseOrder(one, candidate) {
  await order(one, moveOf(candidate) ?? one.standing, openParts(candidate).length ? candidate : null);
}

