// A game's page: one file with one game in it, for reading.

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

async function main() {
  const page = document.getElementById("page");
  speakToReader();
  const parts = { head: el("div", {}), panel: verdictPanel(), body: el("div", {}) };
  fill(page, Object.values(parts));
  const data = await unpacked(JSON.parse(document.getElementById("data").textContent));
  speakToReader(data.language);
  const start = performance.now();
  const report = await verify(utf8(data.file), { hint: data.bags });
  performance.measure("checked", { start });
  const { table, steps } = report;
  const wrong = table ? steps.findIndex((step, at) => !isPosition(report, step, data.rounds[at]?.public ?? null)) : -1;
  const rounds = data.rounds.map((round) => ({
    ...round,
    public: wrong < 0 ? round.public : null,
    picture: round.picture.length ? () => round.picture.map((piece) => data.pieces[piece] ?? "").join("") : null,
  }));
  const again = () => keeping(page, () => show(parts, report, rounds, wrong, data, again));
  again();
}

/** The whole page in the current language; `again` shows it in another. The verdict element stays: it is a live region. */
function show({ head, panel, body }, report, rounds, wrong, data, again) {
  const { table, steps } = report;
  const notes = [["unsure", t("maker")]];
  if (wrong >= 0) notes.unshift(["bad", t("positions bad", { round: steps[wrong].round })]);
  else if (steps.length) notes.unshift(["good", t("positions checked")]);
  if (!report.ok && steps.length) notes.push(["unsure", t("after bad")]);
  const command = report.kind === "view" ? t("audit") : t("verify");
  showVerdict(panel, report, command, table ? notes : []);
  if (!table) return fill(head, languageSwitch(again));
  document.title = data.title;
  const names = namesOf(report);
  const title = el("div", { class: "title" }, el("h1", { lang: foreign(data.told) }, data.title), languageSwitch(again));
  const about = el("p", {}, t("game", { id: table.game.slice(0, 8) }), " · ", t("players", { names: joinedWords(names) }));
  const footer = el("footer", {}, el("p", {}, t("reading only")));
  fill(head, el("header", {}, title, about));
  return fill(body, gameView(report, rounds, { listed: data.listed, language: data.told }), footer);
}

main().catch((error) => document.getElementById("page").append(el("p", { class: "bad", role: "alert" }, t("fault", { what: error.message }))));
