// What the player's page has besides if it carries the rules: tables that ask them, and practice against bots. The rules take
// a while to begin, and can stop: `state` is "begins", "runs", "stopped", or "without" if somebody chose to go on so.

import { handsOf } from "./bags.mjs";
import { base64Of } from "./bytes.mjs";
import { details, el, fill } from "./dom.mjs";
import { Refused } from "./engine.mjs";
import { full } from "./full.mjs";
import { judgeByRules, unjudged } from "./judging.mjs";
import { light } from "./light.mjs";
import { practising } from "./practice.mjs";
import { begin } from "./python.mjs";
import { gameRead } from "./reading.mjs";
import { button, heading, quiet, sentenceOf } from "./room.mjs";
import { makeRules } from "./rules.mjs";
import { t } from "./texts.mjs";

/** The rules as `deskOf` asks them: each seat is opened there once, by its handle. */
export function asking({ call }) {
  const opened = (seat) => (seat.opening ??= call("open", { game: seat.handle }));
  const asked = (name) => async (seat, ask) => {
    await opened(seat);
    return call(name, { ...ask, game: seat.handle });
  };
  const calls = Object.fromEntries(["look", "moves", "check", "orders", "rules"].map((name) => [name, asked(name)]));
  const story = (one, record) => [full.story(one), details(t("table verdict"), record())];
  return { offers: ["moves", "check", "orders", "rules", "words", "rounds"], full: { ...full, story }, ...calls };
}

/** Nothing, if the rules refuse it or stop, which is told elsewhere. */
function refused(error) {
  if (!(error instanceof Refused)) throw error;
  return null;
}

/** Whether the verifier knows the game of a document. */
function gameIn(bytes) {
  const { body } = JSON.parse(new TextDecoder().decode(bytes)).genesis?.body?.offer ?? {};
  return !body || handsOf(body);
}

/** For `openPage`. */
export function ruledBy({ anew, alone }) {
  let state = "begins";
  /** Why the rules have stopped. */
  let why = "";

  const rules = makeRules(begin, (error) => {
    [state, why] = ["stopped", sentenceOf(error.message)];
    practice.leave();
    anew();
  });
  const asked = asking(rules);
  const card = el("section", { class: "card no-print", id: "rules", "aria-labelledby": "practice" });
  const practice = practising(rules, asked.offers, { card, anew, alone });

  /** Begin, or begin again. */
  async function start() {
    state = "begins";
    await practice.begin();
    state = "runs";
    await anew();
  }

  /** Why there is no table yet, and what can be done. */
  function instead() {
    if (state === "begins") return el("p", { class: "soft" }, t("rules begin"));
    const again = () => {
      quiet();
      start().catch(() => {}); // `over` is told
      return anew();
    };
    const without = () => {
      quiet();
      state = "without";
      return anew();
    };
    return [
      el("p", { class: "unsure" }, why),
      el("div", { class: "row" }, button(t("rules restart"), again, { class: "main", "data-do": "restart" }), state === "stopped" ? button(t("rules without"), without, { "data-do": "without" }) : null),
    ]; // prettier-ignore
  }

  /** What lies in the bags of a game that the verifier does not know: by the rules, and no more is believed of it. */
  async function hint({ kind, bytes }) {
    if (state !== "runs" || !["view", "transcript"].includes(kind) || gameIn(bytes)) return undefined;
    return (await rules.call("bags", { data: base64Of(bytes) }).catch(refused)) ?? undefined;
  }

  /** Judge a document, as `judgeByRules`; a finished game is also told and drawn. */
  async function judge(one) {
    const { report } = one;
    if (state !== "runs") {
      if (report.table) unjudged(report, state === "begins" ? t("rules begin") : why);
      return "";
    }
    const game = await judgeByRules(rules, one);
    const reading = game && report.kind === "transcript" ? await rules.call("read", { game }).catch(refused) : null;
    if (reading) report.told = () => gameRead(report, reading);
    return game;
  }

  /** This part of the page, in the language that is read now; what it returns shows it. */
  async function part() {
    const show = state === "runs" ? await practice.part() : () => fill(card, heading("practice", t("table practice")), instead());
    return () => {
      card.dataset.state = state;
      return show();
    };
  }

  start().catch(() => {});
  return { rules: () => ({ runs: asked, without: light })[state] ?? null, instead, hint, judge, card, part, leave: practice.leave };
}
