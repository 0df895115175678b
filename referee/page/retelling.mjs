// What a game's page has besides if it carries the rules: they judge the game once they are there, and tell and draw it in the
// language that is read. Until then, and if they stop, the page shows what its maker put there.

import { el } from "./dom.mjs";
import { Refused } from "./engine.mjs";
import { judgeByRules, unjudged } from "./judging.mjs";
import { begin, licences } from "./python.mjs";
import { sentenceOf } from "./room.mjs";
import { makeRules } from "./rules.mjs";
import { currentLanguage, t } from "./texts.mjs";

/** For `openReading`. */
export function retelling(one, own, anew) {
  /** "begins", "runs" or "stopped"; the handle by which the rules open the game; language -> the reading. */
  let [state, handle] = ["begins", ""];
  const readings = new Map();

  const stop = (error) => {
    state = "stopped";
    unjudged(one.report, sentenceOf(error.message));
    anew();
  };
  const rules = makeRules(begin, stop);

  async function start() {
    state = "begins";
    unjudged(one.report, t("rules begin"));
    handle = await judgeByRules(rules, one);
    if (state !== "begins") return;
    state = "runs";
    anew();
  }

  /** The reading in the language that is read now; null if the rules have none. */
  async function told() {
    if (state !== "runs" || !handle) return null;
    const language = currentLanguage();
    try {
      if (!readings.has(language)) readings.set(language, await rules.call("read", { game: handle, own }));
      return readings.get(language);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return null; // `stop` is told
    }
  }

  function part() {
    const again = () => start().catch(() => {});
    const restart = state === "stopped" ? el("button", { type: "button", "data-do": "restart", click: again }, t("rules restart")) : null;
    return el("div", { id: "rules", class: "row", "data-state": state }, restart, licences());
  }

  start();
  return { told, part };
}
