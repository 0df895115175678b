// The table: look, choose, sign, send. The interface behind it does the work; nothing here knows a game.

import { withNames } from "./answer.mjs";
import { arrivals, besideLines, besidesParts, protestPart } from "./besides.mjs";
import { changed, drawn, moved, outline } from "./board.mjs";
import { connect, isGone } from "./calls.mjs";
import { begin, chosenMarks, foremost, moveOf, openParts, pickLine, targets, withValue } from "./choosing.mjs";
import { details, el, fill } from "./dom.mjs";
import { controls } from "./parts.mjs";
import { languageSwitch, speakToReader } from "./switch.mjs";
import { foreign, joinedWords, t, titleOf } from "./texts.mjs";

const page = document.getElementById("page");
let call = null;
/** What is shown: the lobby, or a table. */
let place = null;

const button = (label, click, more = {}) => el("button", { type: "button", click: () => guarded(click), ...more }, label);
const heading = (id, text) => el("h2", { id }, text);

/** What was clicked and is being done; null if nothing is. */
let acting = null;
/** The end of all that was begun. */
let turn = Promise.resolve();

/** Do what was clicked. A click in the meantime was meant for what is about to change, and does nothing. */
function guarded(act) {
  acting ??= inTurn(act).finally(() => (acting = null));
  return acting;
}

/** Do something once everything before it is done, and show what it was refused with. */
function inTurn(act) {
  page.setAttribute("aria-busy", "true");
  const done = turn.catch(() => {}).then(() => shielded(act)).finally(() => turn === done && page.removeAttribute("aria-busy")); // prettier-ignore
  turn = done;
  return done;
}

async function shielded(act) {
  try {
    await act();
  } catch (error) {
    if (isGone(error)) return gone();
    if (!error.code) throw error;
    tell(error);
  }
}

const troubles = el("div", { role: "alert", id: "troubles" });

function tell(error) {
  const lines = error.code === "no-access" ? [t("table no key")] : [sentenceOf(error.message), error.next && t("table next", { next: error.next })];
  fill(troubles, lines.filter(Boolean).map((line) => el("p", { class: "bad" }, line)));
  troubles.scrollIntoView({ block: "nearest" });
}

const sentenceOf = (message) => `${message.slice(0, 1).toUpperCase()}${message.slice(1)}.`;
const quiet = () => fill(troubles);

function gone() {
  fill(page, el("h1", {}, t("table title")), el("p", { class: "unsure", role: "alert", id: "gone" }, t("table gone")));
}

// --- the lobby -------------------------------------------------------------------------------------------------------

async function showLobby() {
  listAll(await call("games"));
}

/** Draw the lobby; anew only if something is new, because somebody may be about to press what is there. */
function listAll(found) {
  const news = async () => {
    const now = await call("games");
    if (JSON.stringify(now) !== JSON.stringify(found)) listAll(now);
  };
  place = { show: showLobby, news };
  quiet();
  document.title = t("table title");
  if (found.office) return showOffice(found.office);
  const rows = found.games.map((row) =>
    el("li", { class: row.waits ? "row waiting" : "row" },
      el("div", {}, el("p", {}, row.about), el("p", { class: "soft" }, row.said), row.next ? el("p", { class: "soft" }, row.next) : null),
      row.game ? button(t(ACTS[row.state] ?? "table look"), () => (row.state === "invited" ? showInvitation(row.game) : openGame(row.game)), { class: row.waits ? "main" : "", "data-game": row.game }) : null),
  ); // prettier-ignore
  const notes = found.notes.length ? details(t("table notes"), found.notes.map((note) => el("p", { class: "soft" }, note))) : null;
  frame(
    el("section", { class: "card", "aria-labelledby": "games" }, heading("games", t("table games")),
      rows.length ? el("ul", { class: "games" }, rows) : el("p", { class: "soft" }, t("table no games", { folder: found.folder })), notes),
    el("section", { class: "card", "aria-labelledby": "practice" }, heading("practice", t("table practice")),
      el("p", { class: "soft" }, t("table practice lead")), found.practice.map(practiceRow)),
  ); // prettier-ignore
}

/** An office: its tables, and one button that does what waits. */
function showOffice({ title, lines, done }) {
  const act = async () => showOffice(await call("run"));
  const listed = (texts) => el("ul", { class: "plain" }, texts.map((line) => el("li", { class: /^ /.test(line) ? "deep" : "" }, line)));
  frame(
    el("section", { class: "card", "aria-labelledby": "office" }, heading("office", t("table office", { title })), listed(lines), el("div", { class: "row" }, button(t("table run"), act, { id: "run", class: "main" }))),
    done.length ? el("section", { class: "card", role: "status", id: "done", "aria-label": t("table done") }, heading("done-heading", t("table done")), listed(done)) : null,
  ); // prettier-ignore
}

/** What a row's button does, by its state; otherwise somebody looks. */
const ACTS = { waits: "table play", invited: "table terms" };

/** The terms of an offer, and one step to join; or those of a game, and one step to take over a seat. */
async function showInvitation(game, seat = "") {
  const { title, terms, name } = await call("invited", { game });
  place = { show: () => showInvitation(game, seat), news: () => {} };
  quiet();
  const typed = el("input", { id: "name", type: "text", maxlength: 40, value: name, required: true, autocomplete: "off" });
  const out = el("div", {});
  const join = async () => {
    const sent = await call("join", { game, seat, name: typed.value.trim() });
    quiet();
    fill(out, sentParts(game, sent));
    out.querySelector("button").focus();
  };
  fill(out, name ? null : el("p", { class: "soft" }, t("table new key")),
    el("form", { class: "row", submit: (event) => (event.preventDefault(), guarded(join)) }, el("label", { for: "name" }, t("your name")), typed, el("button", { id: "join", class: "main" }, seat ? t("table take over", { name: seat }) : t("join")))); // prettier-ignore
  frame(el("section", { class: "card", "aria-labelledby": "terms" }, heading("terms", seat ? title : t("offer title", { game: title })), el("ul", {}, terms.map((line) => el("li", {}, line))), out, button(t("table back"), showLobby, { id: "lobby" })));
  typed.focus();
}

function practiceRow(game) {
  const title = titleOf(game.id) === game.id ? game.title : titleOf(game.id);
  const counts = Array.from({ length: game.most - game.fewest + 1 }, (_, at) => game.fewest + at);
  const seats = el("select", { "aria-label": t("table seats") }, counts.map((n) => el("option", { value: n, selected: n === Math.max(game.fewest, Math.min(3, game.most)) }, t("table players", { n }))));
  const level = el("select", { "aria-label": t("table level") }, game.levels.map((name) => el("option", { value: name, selected: name === "sensible" }, name)));
  const play = (more) => async () => showTable(await call("practice", { game: game.id, seats: Number(seats.value), level: level.value, ...more }));
  return el("div", { class: "row practice", "data-practice": game.id },
    el("strong", {}, title),
    game.left ? button(t("table continue"), play({}), { class: "main" }) : null,
    game.guided ? button(t("table guided"), play({ new: true, guide: true }), { class: game.left ? "" : "main" }) : null,
    button(t("table new"), play({ new: true }), { class: game.left || game.guided ? "" : "main" }),
    seats, level); // prettier-ignore
}

async function openGame(game) {
  return showTable(await call("open", { game }));
}

// --- a table ---------------------------------------------------------------------------------------------------------

async function showTable({ game, verdict, look }) {
  const one = { game, verdict, look, board: null, before: null, moves: null, held: null, unfolded: false, sent: null, beside: { protest: false, handover: "" } };
  const before = waiting(await call("games"));
  const news = async () => {
    const now = waiting(await call("games"));
    if (now.some((row) => !before.includes(row))) fill(one.news, button(t("table news"), showLobby));
  };
  quiet();
  place = { show: () => reopen(one), news };
  one.news = el("div", { role: "status" });
  if (look.rounds > 1) one.before = drawn((await call("look", { game, round: look.rounds - 1 })).picture);
  await askMoves(one);
  draw(one);
  page.querySelector("#bar").focus({ preventScroll: true });
}

/** The games that wait, each with where it stands. */
const waiting = ({ games }) => games.filter((row) => row.waits).map((row) => `${row.game} ${row.about}`);

/** The same table in another language, with what was chosen so far: a whole move, or what was clicked on the board. */
async function reopen(one) {
  const { answer, marks, standing } = one;
  one.verdict = (await call("open", { game: one.game })).verdict;
  one.look = await call("look", { game: one.game, round: one.look.round });
  await askMoves(one);
  if (standing) await order(one, standing);
  if (answer) await take(one, await call("check", { game: one.game, move: answer.move, standing }));
  else if (marks.every(Boolean)) for (const mark of marks) await choose(one, targets(one.candidates).get(mark), mark);
  draw(one);
}

/** Take a whole move, whoever named it, with the standing orders that it says. */
async function take(one, answer) {
  const { standing } = answer;
  const orders = one.orders && (await call("orders", { game: one.game, standing }));
  keep(one);
  one.marks.push("");
  Object.assign(one, { answer, standing, orders, ordering: null, candidates: [] });
}

async function askMoves(one) {
  const { look } = one;
  one.moves = look.asked ? await call("moves", { game: one.game }) : { choices: [], standing: null };
  one.held = one.moves.standing && (await call("orders", { game: one.game }));
  one.besides = await call("besides", { game: one.game, ...one.beside });
  restart(one);
  if (look.asked && look.proposed) one.answer = await call("check", { game: one.game, move: look.proposed });
}

/** Nothing is chosen: `marks` are those of each step to a move (empty for one that needed none), `standing` are the orders
 * that go with it, `ordering` is one of them on its way. */
function restart(one) {
  Object.assign(one, { candidates: begin(one.moves.choices), marks: [], answer: null, leaving: false, standing: null, orders: one.held, ordering: null, past: [] });
}

/** Keep what is chosen, to go back to it. */
function keep(one) {
  const { candidates, marks, answer, standing, orders, ordering } = one;
  one.past.push({ candidates, marks: [...marks], answer, standing, orders, ordering });
}

const begun = (one) => one.marks.length > 0;

const isNow = (one) => one.look.round === one.look.rounds;
const decides = (one) => one.moves.choices.length > 0;

function draw(one) {
  const { look, verdict } = one;
  document.title = `${look.title} - ${t("table title")}`;
  one.board = look.picture ? drawn(look.picture) : null;
  const lead = el("p", { class: verdict.code === "ok" ? "good" : "unsure" }, verdict.line);
  const checks = el("section", { class: "verdict", "aria-label": t("table verdict") }, verdict.more.length ? el("details", {}, el("summary", {}, lead), verdict.more.map((line) => el("p", { class: "soft" }, line))) : lead);
  one.bar = el("section", { id: "bar", class: "card bar", tabindex: -1, "aria-label": t("table bar") });
  one.more = el("section", { id: "more", class: "card" });
  one.list = el("section", { id: "moves", class: "card", "aria-labelledby": "moves-heading" });
  one.frame = el("div", { id: "board", class: "boardframe", role: "group", tabindex: 0, "aria-label": look.title, focusin: ({ target }) => bring(target, one.frame) });
  frame(
    el("div", { class: "titles" }, el("h2", { id: "table-title" }, look.title), el("p", { class: "soft" }, t("players", { names: joinedWords(look.names) })), button(t("table back"), showLobby, { id: "lobby" })),
    checks, one.news,
    el("div", { class: "table" },
      one.bar,
      el("div", { class: "board-column" }, steps(one), one.frame, one.board ? details(t("table told"), el("pre", { lang: foreign(look.language) }, one.board.told)) : null),
      el("div", { class: "side-column" }, one.list, one.more, storyOf(look)),
    ),
  ); // prettier-ignore
  if (one.board) {
    fill(one.frame, pictureOf(one.board));
    showChanges(one);
  } else fill(one.frame, look.terms.map((line) => el("p", {}, line)));
  refresh(one);
}

const SLIDE = { duration: 900, easing: "ease-in-out" };

/** Mark what is not as it was a round before, and let what has moved come from where it was. */
function showChanges({ board, before }) {
  const each = (mark, act) => board.marks.get(mark).nodes.forEach(act);
  for (const mark of changed(board, before)) each(mark, (node) => node.classList.add("changed"));
  const ways = moved(board, before);
  for (const mark of ways.keys()) each(mark, (node) => node.classList.add("changed"));
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  for (const [mark, [right, down]] of ways) each(mark, (node) => node.animate([{ transform: `translate(${-right}px, ${-down}px)` }, { transform: "none" }], SLIDE)); // prettier-ignore
}

/** Keys have come to a mark: not every browser scrolls to a part of a picture. Above, the bar may cover the board. */
function bring(node, frame) {
  if (node === frame || !node.matches(":focus-visible")) return;
  const { left, right, top, bottom } = node.getBoundingClientRect();
  const room = frame.getBoundingClientRect();
  const outside = (from, to, low, high) => (from < low ? from - low - 8 : to > high ? to - high + 8 : 0);
  frame.scrollBy(outside(left, right, room.left, room.right), 0);
  scrollBy(0, outside(top, bottom, innerHeight * 0.4, innerHeight));
}

/** The picture as things to press, not as one image. */
function pictureOf(board) {
  const { node } = board;
  for (const name of ["width", "height"]) node.removeAttribute(name);
  node.setAttribute("class", "board");
  node.setAttribute("role", "none");
  return node;
}

/** Stepping through the rounds. */
function steps(one) {
  const { look } = one;
  if (look.rounds < 2) return null;
  const go = (round) => async () => {
    const wanted = Math.min(Math.max(1, round), look.rounds);
    one.before = wanted > 1 ? drawn((await call("look", { game: one.game, round: wanted - 1 })).picture) : null;
    one.look = await call("look", { game: one.game, round: wanted });
    draw(one);
    page.querySelector("#step").focus();
  };
  return el("div", { class: "row steps", role: "group", "aria-label": t("table rounds") },
    button("«", go(1), { "aria-label": t("table first"), disabled: look.round === 1 }),
    button("‹", go(look.round - 1), { "aria-label": t("table earlier"), disabled: look.round === 1 }),
    el("span", { id: "step", tabindex: -1 }, t("table round", { round: look.round, rounds: look.rounds })),
    button("›", go(look.round + 1), { "aria-label": t("table later"), disabled: isNow(one) }),
    button("»", go(look.rounds), { "aria-label": t("table last"), disabled: isNow(one) })); // prettier-ignore
}

function storyOf(look) {
  const rounds = [...look.told].reverse().filter(({ lines, own }) => lines?.length || own?.length);
  const told = ({ round, lines = [], own = [] }) => [el("dt", {}, t("table round short", { round })), el("dd", {}, [...lines, ...own].map((line) => el("p", {}, line)))];
  return el("section", { id: "story", class: "card", "aria-labelledby": "story-heading" }, heading("story-heading", t("table story")), el("dl", { lang: foreign(look.language), tabindex: 0 }, rounds.map(told)));
}

// --- choosing --------------------------------------------------------------------------------------------------------

/** Show what can be chosen now: on the board, in the bar, and in the list. The focus stays on the same button or mark; if
 * that is gone it goes to the bar, and to nothing in it: who holds a key down signs nothing. */
function refresh(one) {
  const held = nameOf(document.activeElement);
  showMarks(one);
  showBar(one);
  showList(one);
  showMore(one);
  if (document.activeElement.matches("main *:not(g:not([tabindex]))")) return;
  const same = [...page.querySelectorAll(".part button, .part input")].find((node) => nameOf(node) === held && !node.disabled);
  (same ?? one.bar).focus({ preventScroll: true });
}

const nameOf = (node) => node.getAttribute("aria-label") ?? node.textContent;

function showMarks(one) {
  if (!one.board) return;
  const offered = isNow(one) && !one.sent ? targets(one.candidates) : new Map();
  const chosen = chosenMarks(one.candidates);
  for (const [mark, { nodes }] of one.board.marks) {
    const next = offered.get(mark);
    for (const node of nodes) {
      node.classList.toggle("legal", Boolean(next));
      node.classList.toggle("chosen", begun(one) && chosen.has(mark));
      outline(node, node.matches(".legal, .chosen"));
      node.onclick = next ? (event) => (event.stopPropagation(), guarded(() => goOn(one, next, mark))) : null;
    }
    const [node] = nodes;
    if (next) {
      for (const [name, value] of Object.entries({ role: "button", tabindex: 0, "aria-label": markLabel(one, mark, next) })) node.setAttribute(name, value);
      node.onkeydown = (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        event.stopPropagation();
        guarded(() => goOn(one, next, mark));
      };
    } else {
      for (const name of ["role", "tabindex", "aria-label"]) node.removeAttribute(name);
      node.onkeydown = null;
    }
  }
}

/** What a click on a mark says: its own words, and the lines that it leaves. */
function markLabel(one, mark, next) {
  const words = [...one.board.marks.get(mark).nodes[0].querySelectorAll("text")].map((text) => text.textContent).join(" ").trim();
  const lines = [...new Set(next.map(({ choice }) => withNames(choice.text, one.look.names)))];
  const name = words || mark.replace(":", " ");
  return lines.length > 2 ? t("table mark many", { name, n: lines.length }) : t("table mark", { name, moves: lines.join("; ") });
}

/** Go on with what a click on a mark leaves, or a line of the list. */
async function goOn(one, candidates, mark = "") {
  await choose(one, candidates, mark).finally(() => refresh(one));
}

async function choose(one, candidates, mark) {
  quiet();
  keep(one);
  one.marks.push(mark);
  one.candidates = candidates;
  await judge(one);
}

/** Ask the rules about the move, once there is one. */
async function judge(one) {
  const move = moveOf(foremost(one.candidates));
  one.answer = null;
  if (move !== null) one.answer = await call("check", { game: one.game, move, standing: one.standing });
}

/** Give these standing orders with the answer, whatever it is. */
async function order(one, standing, ordering = null) {
  quiet();
  const { game } = one;
  const orders = await call("orders", { game, standing });
  const answer = one.answer && (await call("check", { game, move: one.answer.move, standing }));
  keep(one);
  Object.assign(one, { standing, orders, ordering, answer });
}

/** Go on with a standing order of the list: it is given once it is whole. */
async function goOnOrdering(one, candidate) {
  const standing = moveOf(candidate) ?? one.standing;
  await order(one, standing, openParts(candidate).length ? candidate : null).finally(() => refresh(one));
}

function showBar(one) {
  const { look } = one;
  if (!isNow(one)) return fill(one.bar, el("p", {}, t("table past")));
  if (one.sent) return showSent(one);
  if (one.leaving) return askLeaving(one);
  const parts = [...look.advice.map((line) => el("p", { class: "advice" }, line))];
  if (!look.asked) return fill(one.bar, parts, look.state.map((line) => el("p", {}, line)), arrivals(one, button, besidesActs(one)), tools(one));
  parts.unshift(el("p", { class: "question" }, el("strong", {}, look.question)));
  if (look.signs) parts.push(...look.state.map((line) => el("p", { class: "soft" }, line)));
  const single = begun(one) ? foremost(one.candidates) : null;
  const inside = el("div", {});
  if (one.answer) {
    parts.push(el("p", { id: "move", class: "good" }, one.answer.words.join("; ")), one.answer.effects.map((line) => el("p", { class: "soft" }, line)));
  } else if (single) parts.push(el("p", { id: "so-far" }, withNames(single.choice.text, look.names)));
  else if (begun(one)) parts.push(el("p", { id: "so-far" }, t("table several", { n: one.candidates.length })));
  else if (targets(one.candidates).size) parts.push(el("p", { class: "soft" }, t("table how")));
  if (!one.answer && one.orders?.changes.length) parts.push(el("p", { id: "ordered", class: "good" }, one.orders.changes.join("; ")));
  parts.push(protestPart(one, besidesActs(one).put), ...besideLines(one));
  if (single) controls(inside, single, openParts(single), look.names, (name, value) => guarded(() => goOn(one, [withValue(single, name, value)])));
  const ready = one.answer || !decides(one);
  const sign = look.signs ? (decides(one) ? t("table sign") : t("table agree")) : t("table do");
  fill(one.bar, parts, inside, el("div", { class: "row act" },
    button(sign, () => signIt(one), { id: "sign", class: "main", disabled: !ready }),
    one.past.length ? button(t("table undo click"), () => back(one), { id: "back" }) : null,
    one.past.length ? button(t("table clear"), () => (restart(one), refresh(one)), { id: "clear" }) : null,
    arrivals(one, button, besidesActs(one)),
  ), tools(one)); // prettier-ignore
}

/** What practice has besides. */
function tools(one) {
  if (one.look.signs) return null;
  const hint = async () => {
    const { move } = await call("hint", { game: one.game });
    await take(one, await call("check", { game: one.game, move, standing: one.standing }));
    quiet();
    refresh(one);
  };
  const undo = async () => {
    await call("undo", { game: one.game });
    await arrive(one);
  };
  return el("div", { class: "row" },
    one.look.asked ? button(t("table hint"), hint, { id: "hint" }) : null,
    one.look.undo ? button(t("table undo"), undo, { id: "undo" }) : null,
  ); // prettier-ignore
}

function back(one) {
  quiet();
  Object.assign(one, one.past.pop());
  refresh(one);
}

/** The moves as a list: for those who do not click, and for what cannot be seen on the board. */
function showList(one) {
  if (!isNow(one) || one.sent || !decides(one)) return fill(one.list, heading("moves-heading", t("table moves")), el("p", { class: "soft" }, t("table nothing")));
  const { names } = one.look;
  const lines = begun(one) ? one.candidates : begin(one.moves.choices);
  const line = (candidate) => lineOf(one, candidate.choice, () => goOn(one, pickLine(candidate)));
  const rows = (minor) => lines.filter(({ choice }) => Boolean(choice.minor) === minor).map(line);
  const seldom = rows(true);
  const typed = el("input", { id: "typed", type: "text", autocomplete: "off", spellcheck: "false", maxlength: 2000, "aria-label": t("table type") });
  const read = async () => {
    await take(one, await call("check", { game: one.game, words: typed.value, standing: one.standing }));
    quiet();
    refresh(one);
    one.bar.focus();
  };
  const form = el("form", { class: "row", submit: (event) => (event.preventDefault(), guarded(read)) }, typed, el("button", {}, t("table take")));
  return fill(one.list, heading("moves-heading", t("table moves")), el("div", { class: "lines" }, rows(false), seldom.length ? details(t("more moves"), seldom) : null), el("p", { class: "soft" }, t("table type")), form);
}

const lineOf = ({ look: { names } }, { text, note }, click) => button([el("span", {}, withNames(text, names)), note ? el("small", {}, withNames(note, names)) : null], click, { class: "line" });

/** What else an answer can say: standing orders, or that somebody leaves. */
function showMore(one) {
  const { asked, signs } = one.look;
  const open = isNow(one) && asked && !one.sent;
  const leave = () => {
    one.leaving = true;
    refresh(one);
    one.bar.focus();
  };
  fill(one.more, open && one.orders ? ordersOf(one) : null, isNow(one) && !one.sent ? besidesParts(one, open, besidesActs(one)) : null, open && signs && asked !== "ack" ? button(t("resign"), leave, { id: "resign", class: "quiet" }) : null);
  one.more.hidden = !one.more.childElementCount;
}

/** What somebody does who signs something besides a move. */
function besidesActs(one) {
  const { game } = one;
  const signed = async (name, more = {}) => {
    one.sent = { ...(await call(name, { game, ...more })), rests: name === "tell" };
    quiet();
    refresh(one);
    one.bar.focus();
  };
  const put = (more) =>
    guarded(async () => {
      quiet();
      const beside = { ...one.beside, ...more };
      Object.assign(one, { besides: await call("besides", { game, ...beside }), beside });
      refresh(one);
    });
  return { put, comeBack: () => signed("come_back"), tell: (words) => guarded(() => signed("tell", { words })), takeOver: (seat) => showInvitation(game, seat) };
}

/** What holds, and what can be given or taken back with this answer. */
function ordersOf(one) {
  const { orders, ordering } = one;
  const inside = el("div", {});
  if (ordering) controls(inside, ordering, openParts(ordering), one.look.names, (name, value) => guarded(() => goOnOrdering(one, withValue(ordering, name, value))));
  const line = (candidate) => lineOf(one, candidate.choice, () => goOnOrdering(one, pickLine(candidate)[0]));
  const rows = (minor) => begin(orders.choices).filter(({ choice }) => Boolean(choice.minor) === minor).map(line);
  const held = orders.now.length ? [el("p", { class: "soft" }, t("in force")), el("ul", { id: "held" }, orders.now.map((text) => el("li", {}, text)))] : null;
  const seldom = rows(true);
  const fold = details(t("standing orders"), held, inside, el("div", { class: "lines" }, rows(false), seldom.length ? details(t("more moves"), seldom) : null));
  fold.id = "orders";
  fold.open = one.unfolded;
  fold.addEventListener("toggle", () => (one.unfolded = fold.open));
  return fold;
}

// --- signing ---------------------------------------------------------------------------------------------------------

function askLeaving(one) {
  const stay = () => {
    one.leaving = false;
    refresh(one);
  };
  fill(one.bar, el("p", { class: "unsure", role: "alert" }, t("resign sure")), besideLines(one), el("div", { class: "row" },
    button(t("table leave"), () => signIt(one), { id: "leave" }),
    button(t("table stay"), stay, { class: "main" }))); // prettier-ignore
}

async function signIt(one, again = false) {
  const { game, answer, standing, beside } = one;
  try {
    const sent = one.leaving ? await call("resign", { game, again, ...beside }) : await call("sign", { game, move: answer?.move, standing, again, ...beside });
    if (!one.look.signs) return arrive(one);
    one.sent = sent;
    refresh(one);
    one.bar.focus();
  } catch (error) {
    if (error.code !== "second-answer") throw error;
    fill(one.bar, el("p", { class: "unsure", role: "alert" }, sentenceOf(error.message)), el("div", { class: "row" },
      button(t("table again"), () => signIt(one, true), { id: "again" }),
      button(t("table not again"), () => (restart(one), refresh(one)), { class: "main" }))); // prettier-ignore
  }
}

/** After a move in practice: what the bots did, and what is asked now. */
async function arrive(one) {
  const before = one.board;
  quiet();
  one.look = await call("look", { game: one.game });
  one.before = before;
  await askMoves(one);
  draw(one);
  one.bar.focus({ preventScroll: true });
}

function showSent(one) {
  const goOn = () => ((one.sent = null), refresh(one));
  fill(one.bar, sentParts(one.game, one.sent), one.sent.rests ? button(t("table stay"), goOn, { id: "go-on" }) : null);
}

function sentParts(game, { file, reply, next }) {
  const send = reply ? button(t("table send"), () => call("send", { game }), { id: "send", class: "main" }) : null;
  return [el("p", { class: "good", role: "status", id: "sent" }, t("table signed", { file })), el("p", {}, next), el("div", { class: "row" }, send, button(t("table back"), showLobby))];
}

// --- the page --------------------------------------------------------------------------------------------------------

function frame(...parts) {
  const title = el("div", { class: "title" }, el("h1", {}, t("table title")), languageSwitch(() => inTurn(() => place.show())));
  fill(page, el("header", {}, title), troubles, ...parts);
}

/** While this is open the program knows that the window is there; it answers when the folder changes. */
async function attend() {
  for (;;) {
    const { over } = await call("wait");
    if (over) return gone();
    await inTurn(() => place.news());
  }
}

async function main() {
  speakToReader();
  const session = await connect();
  if (!session) return fill(page, el("h1", {}, t("table title")), el("p", { class: "unsure", role: "alert" }, t("table no key")));
  call = session.call;
  place = { show: showLobby, news: () => {} };
  attend().catch((error) => (isGone(error) ? gone() : tell(error)));
  const { start } = session;
  await guarded(async () => {
    try {
      if (start) return await showTable(await call(start.call, start.with));
    } catch (error) {
      await showLobby(); // what else there is, with what was wrong above it
      throw error;
    }
    return showLobby();
  });
}

addEventListener("error", (event) => fill(troubles, el("p", { class: "bad" }, t("fault", { what: event.message }))));
addEventListener("unhandledrejection", (event) => fill(troubles, el("p", { class: "bad" }, t("fault", { what: event.reason?.message ?? event.reason }))));
main().catch((error) => tell(error));
