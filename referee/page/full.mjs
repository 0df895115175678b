// What an engine with rules has besides, as far as it offers that: every round, typed moves, practice, and all of it in
// another language.

import { targets } from "./choosing.mjs";
import { el } from "./dom.mjs";
import { button, guarded, heading, quiet } from "./room.mjs";
import { rulebook } from "./rulebook.mjs";
import { boardAt } from "./sitting.mjs";
import { foreign, t } from "./texts.mjs";
import { askMoves, choose, isNow, order, take } from "./turn.mjs";

/** Stepping through the rounds. */
export function steps(one) {
  const { look } = one;
  if (!one.offers.has("rounds") || look.rounds < 2) return null;
  const go = (round) => async () => {
    const wanted = Math.min(Math.max(1, round), look.rounds);
    one.before = wanted > 1 ? await boardAt(one, wanted - 1) : null;
    one.look = await one.call("look", { game: one.game, round: wanted });
    one.redraw();
    one.node.querySelector("#step").focus();
  };
  return el("div", { class: "row steps", role: "group", "aria-label": t("table rounds") },
    button("«", go(1), { "aria-label": t("table first"), disabled: look.round === 1 }),
    button("‹", go(look.round - 1), { "aria-label": t("table earlier"), disabled: look.round === 1 }),
    el("span", { id: "step", tabindex: -1 }, t("table round", { round: look.round, rounds: look.rounds })),
    button("›", go(look.round + 1), { "aria-label": t("table later"), disabled: isNow(one) }),
    button("»", go(look.rounds), { "aria-label": t("table last"), disabled: isNow(one) })); // prettier-ignore
}

/** What happened, the newest round first. */
export function story({ look }) {
  const rounds = [...look.told].reverse().filter(({ lines, own }) => lines?.length || own?.length);
  const told = ({ round, lines = [], own = [] }) => [el("dt", {}, t("table round short", { round })), el("dd", {}, [...lines, ...own].map((line) => el("p", {}, line)))];
  return el("section", { id: "story", class: "card", "aria-labelledby": "story-heading" }, heading("story-heading", t("table story")), el("dl", { lang: foreign(look.language), tabindex: 0 }, rounds.map(told)));
}

/** A field for typed moves. */
export function typing(one) {
  if (!one.offers.has("words")) return null;
  const typed = el("input", { id: "typed", type: "text", autocomplete: "off", spellcheck: "false", maxlength: 2000, "aria-label": t("table type") });
  const read = async () => {
    await take(one, await one.call("check", { game: one.game, words: typed.value, standing: one.standing }));
    typed.value = "";
    quiet();
    one.refresh();
    one.bar.focus();
  };
  const form = el("form", { class: "row", submit: (event) => (event.preventDefault(), guarded(read)) }, typed, el("button", {}, t("table take")));
  return [el("p", { class: "soft" }, t("table type")), form];
}

/** What practice has besides. */
export function tools(one) {
  const { look, offers, game, call } = one;
  if (look.signs) return null;
  const hint = async () => {
    const { move } = await call("hint", { game });
    await take(one, await call("check", { game, move, standing: one.standing }));
    quiet();
    one.refresh();
  };
  const undo = async () => {
    await call("undo", { game });
    await arrive(one);
  };
  return el("div", { class: "row" },
    look.asked && offers.has("hint") ? button(t("table hint"), hint, { id: "hint" }) : null,
    look.undo && offers.has("undo") ? button(t("table undo"), undo, { id: "undo" }) : null,
  ); // prettier-ignore
}

/** After a move in practice: what the bots did, and what is asked now. */
export async function arrive(one) {
  const before = one.board;
  quiet();
  one.look = await one.call("look", { game: one.game });
  one.before = before;
  await askMoves(one);
  one.redraw();
  one.bar.focus({ preventScroll: true });
}

/** The same table in another language, with what was chosen so far. */
export async function reopen(one) {
  one.verdict = (await one.call("open", { game: one.game })).verdict;
  one.look = await one.call("look", { game: one.game, round: one.look.round });
  await retell(one);
  one.redraw();
}

/** The same once more after the engine was asked again, in another language: a whole move, or what was clicked. */
async function retell(one) {
  const { answer, marks, standing, call, game } = one;
  await askMoves(one);
  if (standing) await order(one, standing);
  if (answer) await take(one, await call("check", { game, move: answer.move, standing }));
  else if (marks.every(Boolean)) for (const mark of marks) await choose(one, targets(one.candidates).get(mark), mark);
}

/** All of it, for `newTable`. */
export const full = { steps, story, typing, tools, rulebook, arrive, retell };
