// A game, round by round: board, story, hands, figures, and the draws explained.

import { H, canonical, fromHex, hexOf, utf8 } from "./bytes.mjs";
import { drawn, pictureOf, showChanges } from "./board.mjs";
import { charts, figures } from "./charts.mjs";
import { details, el, fill, listed } from "./dom.mjs";
import { whyDraws } from "./draws.mjs";
import { namesOf } from "./seats.mjs";
import { counted, duration, foreign, inOrder, joinedWords, moment, spoken, t, term } from "./texts.mjs";

/** Whether this is the position that the host signed in this round. */
export function isPosition(report, step, position) {
  return hexOf(H("public", fromHex(report.table.game), step.round, utf8(canonical(position)))) === step.public;
}

/**
 * Show a game that was checked. `rounds` has for each round what others say about it, if anything:
 * `{told, own, news: [[seat, lines]], public, picture, scores}`; `public` must have been compared with what the host signed.
 * `folded`: figures and draws start collapsed; `listed`: what entries of lists in a position stand for;
 * `language`: the language of these words.
 */
export function gameView(report, rounds, { folded = false, listed = {}, language = "en" } = {}) {
  const { steps, table } = report;
  const names = namesOf(report);
  if (!steps.length) return el("p", {}, t("nothing dealt"));
  const parts = Object.fromEntries(["board", "story", "hands", "state", "why"].map((name) => [name, el("div", {})]));
  const positions = steps.map((step, at) => rounds[at]?.public ?? null);
  const found = positions.filter(Boolean).length > 1 ? figures(positions, names, table.terms.edition ?? {}, listed) : [];
  const [drawn, mark] = charts(found, steps.length);
  const numbers = el("div", {});
  let stepped = false;
  const [controls, follow] = stepper(steps.length, !folded, (at) => {
    const [step, said] = [steps[at], rounds[at] ?? {}];
    const [names, next] = [step.players, step.next].map((players) => players.map((player) => player.name));
    const board = boardOf(rounds, at);
    fill(parts.board, board ? sized(pictureOf(board, t("board", { round: step.round }))) : "");
    if (board && stepped) showChanges(board, boardOf(rounds, at - 1));
    stepped = true;
    fill(parts.story, story(report, step, said, names, foreign(language)));
    fill(parts.hands, hands(report, step, names));
    fill(parts.state, standing(step, names, next, said.scores));
    fill(parts.why, whyDraws(report, step, names));
    fill(numbers, positions[at] ? details(t("figures now"), el("pre", {}, laidOut(positions[at]))) : "");
    mark(at);
  });
  const part = (name, ...inside) =>
    folded ? details(t(name), ...inside) : el("section", { class: name }, el("h3", {}, t(name)), ...inside);
  const shown = positions.some(Boolean) ? part("figures", drawn, numbers) : null;
  const node = el(
    "div",
    { class: folded ? "game" : "game alone" },
    controls,
    el("div", { class: rounds.some((round) => round.picture) ? "sides" : "" }, el("div", {}, parts.board), el("div", { class: "beside" }, parts.state, parts.story, parts.hands, shown)),
    part("why", parts.why),
  );
  follow();
  return node;
}

const boardOf = (rounds, at) => (rounds[at]?.picture ? drawn(rounds[at].picture()) : null);

let large = false;

/** The board; if it is too small to read, a button makes it larger than the screen. */
function sized(picture) {
  const button = el("button", { type: "button", click: () => show(!large) });
  const frame = el("div", { class: "frame" }, picture);
  const show = (wanted) => {
    large = wanted;
    frame.classList.toggle("large", large);
    fill(button, t(large ? "smaller" : "larger"));
  };
  show(large);
  return [el("div", { class: "zoom no-print" }, button), frame];
}

// --- stepping --------------------------------------------------------------------------------------------------------

/** Buttons, a slider, arrow keys and, if there is nothing else on the page, the address (`#round-57`); `show` gets the
 * place from 0. */
function stepper(count, addressed, show) {
  let at = Math.min(count, Math.max(1, (addressed && roundInAddress()) || count)) - 1;
  const told = el("output", { class: "place" });
  const slider = el("input", { type: "range", min: 1, max: count, "aria-label": t("slider"), input: () => go(slider.value - 1) });
  const button = (label, sign, by) => el("button", { type: "button", "aria-label": label, title: label, click: () => go(by()) }, sign);
  const buttons = [
    button(t("first"), "«", () => 0),
    button(t("back"), "‹", () => at - 1),
    slider,
    button(t("on"), "›", () => at + 1),
    button(t("last"), "»", () => count - 1),
  ];
  const go = (wanted) => {
    at = Math.min(count - 1, Math.max(0, wanted));
    slider.value = at + 1;
    slider.setAttribute("aria-valuetext", t("round of", { round: at + 1, last: count }));
    fill(told, t("round of", { round: at + 1, last: count }));
    show(at);
    if (addressed) history.replaceState(null, "", `#round-${at + 1}`);
  };
  const node = el("nav", { class: "steps", "aria-label": t("slider"), title: t("keys") }, told, el("div", { class: "buttons" }, buttons));
  const keys = { ArrowLeft: () => at - 1, ArrowRight: () => at + 1, Home: () => 0, End: () => count - 1 };
  const typed = (event) => {
    if (!node.isConnected) return removeEventListener("keydown", typed);
    const free = !event.target.closest?.("input, textarea, select, [contenteditable]");
    if (!free || !(event.key in keys) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    go(keys[event.key]());
  };
  const moved = () => {
    if (!node.isConnected) return removeEventListener("hashchange", moved);
    const round = roundInAddress();
    if (round && round !== at + 1) go(round - 1);
  };
  addEventListener("keydown", typed);
  if (addressed) addEventListener("hashchange", moved);
  return [node, () => go(at)];
}

function roundInAddress() {
  return Number(/^#round-(\d{1,5})$/.exec(location.hash)?.[1] ?? 0);
}

// --- what a round says -----------------------------------------------------------------------------------------------

function story(report, step, said, names, lang) {
  const own = said.own?.length ? listed(t("only you"), said.own, {}, lang) : null;
  const others = (said.news ?? []).map(([seat, lines]) => {
    const mine = report.seat === seat;
    return listed(mine ? t("only you") : t("only they", { name: names[seat] }), lines, {}, lang);
  });
  const silent = said.told ? [t("story silent")] : [];
  return [
    said.told?.length ? listed(t("story"), said.told, { class: "story" }, lang) : listed(t("story"), silent, { class: "story" }),
    own,
    others,
    details(t("answers"), el("ul", {}, step.entry.answers.map((answer) => el("li", {}, answered(answer, names))))),
  ];
}

function answered(answer, names) {
  const said = [];
  if (answer.resign) said.push(t("resigns"));
  else if (answer.answer) said.push(spoken(answer.answer));
  else said.push(t("bare"));
  if (answer.commit) said.push(t("sealed", { fields: joinedWords(Object.keys(answer.commit).map(term)) }));
  if (answer.standing) said.push(t("says", { words: spoken(answer.standing) }));
  if (answer.protest) said.push(t("protests"));
  return t("answered", { name: names[answer.seat], fields: said.join("; ") });
}

/** Every hand as far as it is known for certain: all hands in a transcript, the owner's in a view. */
function hands(report, step, names) {
  const rows = Object.entries(step.hands).map(([name, faces]) => {
    const [hand, seat] = name.split("/");
    const known = inOrder(faces.filter((face) => face !== null));
    const hidden = faces.length - known.length;
    const told = [counted(known), hidden ? t("hidden", { count: hidden }) : ""].filter(Boolean).join(", ");
    const own = report.seat === null || Number(seat) === report.seat;
    return own || known.length ? [Number(seat), t("hand of", { name: names[seat], hand: term(hand), faces: told || t("empty") })] : null;
  });
  const lines = rows.filter(Boolean).sort(([one], [other]) => one - other).map(([, line]) => line);
  return listed(report.seat === null ? t("hands") : t("own hand"), lines, { class: "hands" });
}

/** Who must answer, or how the game ended: as the host signed it. */
function standing(step, before, names, scores = []) {
  const named = (seats) => joinedWords(seats.map((seat) => names[seat]));
  const lines = step.timeouts.map((seat) => t("missed", { name: before[seat] }));
  for (const { body } of step.entry.successions ?? []) lines.push(t("takes over", { name: body.name, last: before[body.seat] }));
  for (const { seat } of step.entry.returns ?? []) lines.push(t("comes back", { name: names[seat] }));
  if (step.end) {
    lines.push(t({ left: "over left", void: "over void" }[step.end] ?? "over"));
    lines.push(...ranking(step, names, scores));
    return listed(t("round of", { round: step.round, last: step.round }), lines, { class: "standing" });
  }
  const waited = Object.entries(step.asked).map(([seat, ask]) => [Number(seat), ask]);
  const decide = waited.filter(([, ask]) => ask).map(([seat, ask]) => t("acts", { name: names[seat], what: term(ask.what) }));
  const bare = waited.filter(([, ask]) => !ask).map(([seat]) => seat);
  if (decide.length) lines.push(t("to act", { who: joinedWords(decide) }));
  if (bare.length) lines.push(t("to confirm", { who: named(bare) }));
  if (step.due) lines.push(t("deadline", { due: moment(step.due) }));
  if (step.due && step.bank.length) lines.push(t("banks", { who: joinedWords(step.bank.map((left, seat) => `${names[seat]} ${duration(left)}`)) }));
  for (const [seat, spent] of step.used) lines.push(t("bank used", { name: names[seat], round: step.round, spent: duration(spent), left: duration(step.bank[seat]) }));
  if (step.out.length) lines.push(t("out", { who: named(step.out) }));
  return el("ul", { class: "standing" }, lines.map((line) => el("li", {}, line)));
}

/** `words`: what each seat reached, as the game's board says it; without them only the numbers are known. */
function ranking(step, names, words) {
  if (!step.result) return [];
  const { ranks, scores, out = [] } = step.result;
  const named = (name, seat) => (out.includes(seat) ? t("marked out", { name }) : name);
  const rows = ranks.map((rank, seat) => ({ rank, name: named(names[seat], seat), score: words[seat] ?? scores[seat].join(", ") }));
  rows.sort((one, other) => one.rank - other.rank);
  return rows.map((row) => t(step.end === "left" ? "rank" : "score", row));
}

/** A position as an outline. */
function laidOut(value, indent = "") {
  if (value === null || typeof value !== "object") return `${spoken(value)}\n`;
  const members = Object.entries(value);
  if (!members.length) return `${t("nothing")}\n`;
  const flat = members.every(([, inner]) => inner === null || typeof inner !== "object");
  if (flat) return `${spoken(value)}\n`;
  const more = members.map(([name, inner]) => `${indent}${Array.isArray(value) ? Number(name) + 1 : term(name)}: ${laidOut(inner, indent + "  ")}`);
  return `\n${more.join("")}`;
}
