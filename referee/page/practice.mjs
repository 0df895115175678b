// Practice in a page with rules: the list of games, the table, and the games that were left. The page hands them to each new
// worker, so that none is lost with one; what happens to them when the page is closed is its reader's choice.

import { el, fill } from "./dom.mjs";
import { full } from "./full.mjs";
import { forgetPractice, keepPractice, keptPractice } from "./leaving.mjs";
import { practiceParts } from "./lobby.mjs";
import { licences } from "./python.mjs";
import { button, inTurn, quiet } from "./room.mjs";
import { newTable } from "./sitting.mjs";
import { currentLanguage, joinedWords, t } from "./texts.mjs";

/** Practice over `rules`, with what tables offer there. `anew` shows the page again, `alone` takes the board for it. */
export function practising(rules, offers, { card, anew, alone }) {
  /** What can be practised; and the table at which somebody practises. */
  let [listed, table] = [null, null];
  /** Game -> the game that was left, as the rules write it; those that came to an end; whether the browser keeps them. */
  const left = new Map();
  const over = new Set();
  let [kept, trouble] = [false, ""];

  addEventListener("beforeunload", (event) => {
    if (left.size && !kept) event.preventDefault();
  });

  async function keep() {
    if (!kept) return;
    try {
      await keepPractice(left, over);
      over.clear();
      trouble = "";
    } catch {
      [kept, trouble] = [false, t("practice unkept")];
    }
  }

  /** Note the games that are left now. */
  async function note() {
    const games = await rules.call("left");
    for (const game of left.keys()) over.add(game);
    left.clear();
    for (const { game, kept } of games) left.set(game, kept);
    for (const game of left.keys()) over.delete(game);
    await keep();
  }

  /** The same calls; what changes a game is noted. */
  async function call(name, ask) {
    const answer = await rules.call(name, ask);
    if (["practice", "sign", "undo"].includes(name)) await note();
    return answer;
  }
  const engine = { call, offers: new Set([...offers, "hint", "undo"]) };

  const list = async () => (listed = await rules.call("games"));

  /** Give another worker what was left, and look at what there is. */
  async function begin() {
    table = null;
    const found = await keptPractice().catch(() => null);
    if (found) kept = true;
    for (const [game, text] of found ?? []) if (!left.has(game)) left.set(game, text);
    const { refused } = await rules.call("restore", { games: Object.fromEntries(left) });
    for (const game of refused) left.delete(game);
    await list();
  }

  async function practise(wanted) {
    const place = el("div", {});
    const opened = await call("practice", wanted);
    table = await newTable(engine, opened, { ...full, put: (_, node) => fill(place, node), spoken: currentLanguage(), place });
    await alone();
    card.scrollIntoView();
    table.bar.focus({ preventScroll: true });
  }

  async function back() {
    quiet();
    table = null;
    await list();
    await anew();
  }

  /** The choice to keep these games here, and what happens without it. */
  function keeping() {
    const change = () => inTurn(async () => {
      kept = box.checked;
      await (kept ? keep() : forgetPractice());
      said.replaceChildren(trouble || t(kept ? "practice kept" : "practice lost"));
      box.checked = kept;
    });
    const box = el("input", { type: "checkbox", id: "keep-practice", checked: kept, change });
    const said = el("p", { class: "soft", id: "practice-kept" }, trouble || t(kept ? "practice kept" : "practice lost"));
    return [el("label", { class: "option" }, box, t("keep practice")), said];
  }

  /** In the language that is read now: what shows it. */
  async function part() {
    if (table && table.spoken !== currentLanguage()) {
      const { verdict, look } = await rules.call("open", { game: table.game });
      Object.assign(table, { verdict, look, spoken: currentLanguage() });
      await full.retell(table);
    }
    return () => {
      if (!table) return fill(card, practiceParts(listed, practise), keeping(), licences());
      const { look, verdict, place } = table;
      fill(card, el("div", { class: "titles" }, el("h2", { id: "practice" }, look.title), el("p", { class: "soft" }, t("players", { names: joinedWords(look.names) })), button(t("rules back"), back, { id: "back-to-list" })),
        el("p", { class: "soft" }, verdict.line), place, keeping()); // prettier-ignore
      return table.redraw();
    };
  }

  return { begin, part, leave: () => (table = null) };
}
