// The verdict on a file has two parts: what was checked here, and as plainly what was not.

import { el, fill, marked } from "./dom.mjs";
import { sentence, t } from "./texts.mjs";
import { lateness, reserves } from "./verifier.mjs";

/** A live region for the progress and result of the check. */
export function verdictPanel() {
  return el("section", { class: "verdict", role: "status", "aria-live": "polite" }, el("p", {}, t("checking")));
}

/** What a report says: `byRules` in it are the lines about the rules, if these were asked; else `command` checks them; `notes` are further lines as [kind, text]. */
export function showVerdict(panel, report, command, notes = []) {
  const lines = report.ok ? good(report) : bad(report);
  if (report.byRules) lines.push(...report.byRules);
  else if (report.table) lines.push(["unsure", t("rules unchecked"), t("use verify", { command })]);
  for (const [kind, text] of notes) lines.push(kind === "bad" ? [kind, text, ""] : [kind, "", text]);
  panel.dataset.code = report.code;
  panel.dataset.round = report.round ?? "";
  return fill(panel, lines.map(([kind, title, more]) => line(kind, title, more)));
}

function line(kind, title, more) {
  return el("p", { class: kind }, title ? el("strong", {}, marked(title)) : "", title && more ? " " : "", marked(more));
}

function good(report) {
  if (!report.table) return [["good", sentence(report.words), ""]];
  const { steps, counts } = report;
  const [kind, title] = report.draws === "as recorded" ? ["unsure", "draws recorded"] : ["good", "draws checked"];
  const first = [kind, t(title), `(${t("counts", { rounds: steps.length, ...counts })})`];
  const given = report.abandoned ? [["unsure", t("abandoned", { round: steps.length }), ""]] : [];
  return [first, ...given, ...late(report), ...reserves(report).slice(0, 1).map((words) => ["unsure", "", sentence(words)])];
}

/** How many rounds were late and by whom, protests and claims: counted, without blaming anybody. */
function late(report) {
  const { rounds, players, protests, claims } = lateness(report);
  const times = players.map(([name, count]) => `${name} ${count}`).join(", ");
  const said = [rounds && t("late rounds", { rounds, times, protests }), claims && t("claims", { claims })];
  return said.filter(Boolean).map((words) => ["unsure", "", words]);
}

function bad(report) {
  const where = report.round ? t("bad round", { round: report.round }) : t("bad file");
  const blame = report.blames === "host" ? t("blames host") : t("blames nobody");
  return [["bad", t("verdict", { where, words: sentence(report.words) }), `(${t("code", { code: report.code })}) ${blame}`]];
}
