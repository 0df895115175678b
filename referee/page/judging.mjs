// What the rules say of a document beside the verifier's report.

import { Refused } from "./engine.mjs";
import { sentenceOf } from "./room.mjs";
import { t } from "./texts.mjs";

/** Codes of documents about a game, or a version of its rules, that the page does not have. */
const LACKING = ["unknown-game", "other-rules"];

/** Let the rules judge what the verifier has judged: the verdict then says that they are kept, that they are not, or why that
 * is not known. Returns the handle by which they open it; empty if they do not. */
export async function judgeByRules(rules, one) {
  const { report } = one;
  try {
    const { game, code, error, round, blames, unsigned } = await rules.put(one);
    if (LACKING.includes(code)) {
      report.lacks = true;
      unjudged(report, t("rules lack"));
      return "";
    }
    report.unsigned = unsigned;
    report.byRules = code === "ok" ? [["good", t("rules checked"), ""]] : [];
    if (error && report.ok) Object.assign(report, { ok: false, code, words: error.message, round, blames });
    return game;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    unjudged(report, sentenceOf(error.message));
    return "";
  }
}

/** Say why the rules have not judged it. */
export function unjudged(report, why) {
  report.byRules = [["unsure", t("rules unchecked"), why]];
}
