// A game's page, and a game as it is read on any page: the verifier checks it; its words and pictures come from whoever made
// the page, or from rules in the page.

import { utf8 } from "./bytes.mjs";
import { el, fill } from "./dom.mjs";
import { gameView, isPosition } from "./game.mjs";
import { keeping } from "./keep.mjs";
import { namesOf } from "./seats.mjs";
import { languageSwitch, speakToReader } from "./switch.mjs";
import { foreign, joinedWords, t } from "./texts.mjs";
import { showVerdict, verdictPanel } from "./verdict.mjs";
import { verify } from "./verifier.mjs";

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

/** The place of the first position in a reading that is not what the host signed; below 0 if there is none. */
function wrongIn(report, { rounds }) {
  return report.table ? report.steps.findIndex((step, at) => !isPosition(report, step, rounds[at]?.public ?? null)) : -1;
}

/** A game that was checked, round by round, as a reading (`reading.py`) tells and draws it. */
export function gameRead(report, reading) {
  const wrong = wrongIn(report, reading);
  const rounds = reading.rounds.map((round) => ({
    ...round,
    public: wrong < 0 ? round.public : null,
    picture: round.picture.length ? () => round.picture.map((piece) => reading.pieces[piece] ?? "").join("") : null,
  }));
  return gameView(report, rounds, { listed: reading.listed, language: reading.told });
}

/** Begin. `more` makes what a page with rules has besides: it gets the document, what its owner sealed, and what shows all
 * again; it answers `part()`, which is shown below the verdict, and `told()`, the reading by the rules, if there is one. */
export async function openReading(more = () => null) {
  const page = document.getElementById("page");
  const failed = (error) => page.append(el("p", { class: "bad", role: "alert" }, t("fault", { what: error.message })));
  speakToReader();
  const parts = { head: el("div", {}), panel: verdictPanel(), rules: el("div", {}), body: el("div", {}) };
  fill(page, Object.values(parts));
  try {
    const made = await unpacked(JSON.parse(document.getElementById("data").textContent));
    speakToReader(made.language);
    const bytes = utf8(made.file);
    const start = performance.now();
    const report = await verify(bytes, { hint: made.bags });
    performance.measure("checked", { start });
    let ruled = null;
    let newest = 0;
    const again = async () => {
      const number = ++newest;
      const told = (await ruled?.told()) ?? null;
      if (number === newest) keeping(page, () => show(parts, { report, made, told, ruled }, guarded));
    };
    const guarded = () => again().catch(failed);
    ruled = more({ name: "game.json", bytes, report, player: null }, made.own, guarded);
    await again();
  } catch (error) {
    failed(error);
  }
}

/** The whole page in the current language; `again` shows it in another. The verdict element stays: it is a live region. */
function show({ head, panel, rules, body }, { report, made, told, ruled }, again) {
  const { table, steps } = report;
  const reading = told ?? made;
  const wrong = wrongIn(report, reading);
  const notes = told ? [["good", t("told by rules")]] : [["unsure", t("maker")]];
  if (wrong >= 0) notes.unshift(["bad", t("positions bad", { round: steps[wrong].round })]);
  else if (steps.length) notes.unshift(["good", t("positions checked")]);
  if (!report.ok && steps.length) notes.push(["unsure", t("after bad")]);
  const command = report.kind === "view" ? t("audit") : t("verify");
  showVerdict(panel, report, command, table ? notes : []);
  if (!table) return fill(head, languageSwitch(again));
  document.title = reading.title;
  const names = namesOf(report);
  const title = el("div", { class: "title" }, el("h1", { lang: foreign(reading.told) }, reading.title), languageSwitch(again));
  const about = el("p", {}, t("game", { id: table.game.slice(0, 8) }), " · ", t("players", { names: joinedWords(names) }));
  const footer = el("footer", {}, el("p", {}, t("reading only")));
  fill(head, el("header", {}, title, about));
  fill(rules, ruled?.part());
  return fill(body, gameRead(report, reading), footer);
}
