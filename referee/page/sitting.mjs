// Somebody sits at a table: the board, the bar above it, the moves, the story. `one` is the table: `look` is what the engine
// shows, `moves` what it offers, and turn.mjs keeps what is chosen.

import { showBar } from "./bar.mjs";
import { drawn, pictureOf, showChanges } from "./board.mjs";
import { details, el, fill, listed } from "./dom.mjs";
import { showList, showMore } from "./lines.mjs";
import { bring, showMarks } from "./marks.mjs";
import { guarded, inTurn, quiet } from "./room.mjs";
import { onTurned } from "./screen.mjs";
import { foreign, t } from "./texts.mjs";
import { askMoves, choose } from "./turn.mjs";

const NOTHING = () => null;

/** A table for a game that was opened, not yet shown. What is around it: `put` shows it, `home` goes back to where it was
 * opened, `takeOver` to where somebody's seat can be taken; `story` tells of the rounds so far, and `full` has the rest. */
export async function newTable({ call, offers, signing }, { game, verdict, look }, around) {
  const one = { call, offers, signing, game, verdict, look, steps: NOTHING, typing: NOTHING, tools: NOTHING, rulebook: NOTHING, ...around, board: null, before: null, unfolded: false, sent: null, doubt: "", again: false, beside: { protest: false, handover: "" } };
  one.refresh = () => refresh(one);
  one.redraw = () => draw(one);
  if (one.arrive && look.rounds > 1) one.before = await boardAt(one, look.rounds - 1);
  await askMoves(one);
  onTurned(() => inTurn(() => drawAgain(one)));
  return one;
}

async function drawAgain(one) {
  if (!one.node?.isConnected) return;
  one.look = await one.call("look", { game: one.game, round: one.look.round });
  one.before = null;
  draw(one);
}

/** Sit down at a game that was opened. */
export async function sitDown(engine, opened, room) {
  const one = await newTable(engine, opened, room);
  draw(one);
  one.bar.focus({ preventScroll: true });
  return one;
}

/** The board after a round. */
export const boardAt = async (one, round) => drawn((await one.call("look", { game: one.game, round })).picture);

function draw(one) {
  const { look } = one;
  const begun = begunIn(one.node);
  one.board = look.picture ? drawn(look.picture) : null;
  one.bar = el("section", { id: "bar", class: "card bar no-print", tabindex: -1, "aria-label": t("table bar") });
  one.more = el("section", { id: "more", class: "card no-print" });
  one.list = el("section", { id: "moves", class: "card no-print", "aria-labelledby": "moves-heading" });
  one.frame = el("div", { id: "board", class: "boardframe", role: "group", tabindex: 0, "aria-label": look.title, focusin: ({ target }) => bring(target, one.frame) });
  const told = one.board ? details(t("table told"), el("pre", { lang: foreign(look.language) }, one.board.told)) : null;
  one.node = el("div", { class: "table" },
    one.bar,
    el("div", { class: "board-column" }, one.steps(one), one.frame, told),
    el("div", { class: "side-column" }, one.list, one.more, one.story(one), one.rulebook(one)),
  ); // prettier-ignore
  one.put(one, one.node);
  if (one.board) {
    fill(one.frame, pictureOf(one.board));
    showChanges(one.board, one.before);
  } else fill(one.frame, listed(t("terms"), look.terms, {}, foreign(look.language)));
  refresh(one, begun);
}

/** Show what can be chosen now: on the board, in the bar, and in the list. The focus stays on the same button or mark; if
 * that is gone it goes to the bar, and to nothing in it: who holds a key down signs nothing. */
function refresh(one, begun = begunIn(one.node)) {
  const held = nameOf(document.activeElement);
  showMarks(one, (next, mark) => guarded(() => pressed(one, next, mark)));
  showBar(one);
  showList(one);
  showMore(one);
  goOn(one.node, begun);
  if (document.activeElement.matches("main *:not(g:not([tabindex]))")) return;
  const same = [...one.node.querySelectorAll(".part button, .part input")].find((node) => nameOf(node) === held && !node.disabled);
  (same ?? one.bar).focus({ preventScroll: true });
}

const fieldsIn = (node) => [...(node?.querySelectorAll("input:not([type=checkbox]), select") ?? [])];

const untouched = ({ value, defaultValue, options }) => value === (defaultValue ?? ([...options].find((one) => one.defaultSelected) ?? options[0])?.value);
const foldsIn = (node) => [...(node?.querySelectorAll("details") ?? [])];
const summaryOf = (fold) => fold.firstElementChild.textContent;

/** What somebody has begun to type, and what is unfolded: both stay when all of it is drawn again. */
function begunIn(node) {
  const typed = fieldsIn(node).filter((field) => !untouched(field));
  return { typed: new Map(typed.map((field) => [nameOf(field), field.value])), open: new Set(foldsIn(node).filter(({ open }) => open).map(summaryOf)) };
}

function goOn(node, { typed, open }) {
  for (const [name, value] of typed) {
    const field = fieldsIn(node).find((one) => nameOf(one) === name && untouched(one));
    if (!field) continue;
    field.value = value;
    for (const event of ["input", "change"]) field.dispatchEvent(new Event(event));
  }
  for (const fold of foldsIn(node)) fold.open ||= open.has(summaryOf(fold));
}

const nameOf = (node) => node.getAttribute("aria-label") || node.textContent || node.id;

async function pressed(one, next, mark) {
  quiet();
  await choose(one, next, mark).finally(() => refresh(one));
}
