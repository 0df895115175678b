// What a proof of an offence shows, in plain words: proved, altered, or undecided.

import { el, fill, marked } from "./dom.mjs";
import { sentence, t } from "./texts.mjs";

const KINDS = { proved: "bad", altered: "unsure", undecided: "unsure" };

/** The verdict on a proof: which key, which round, which offence; or why nothing is proved. */
export function showProof(panel, report) {
  const { verdict, code, round, words, key, table } = report;
  const told = t(round ? "proof round" : "proof words", { round, words: sentence(words) });
  const needed = code === "needs-rules" ? t("proof rules") : t("proof missing");
  const means = { proved: t("proof key", { key, game: table?.game.slice(0, 8) }), altered: t("proof nobody"), undecided: needed };
  Object.assign(panel.dataset, { code, verdict, round: round ?? "" });
  return fill(
    panel,
    el("h3", {}, t("proof title")),
    el("p", { class: KINDS[verdict] }, el("strong", {}, t(`proof ${verdict}`)), " ", marked(told), ` (${t("code", { code })})`),
    el("p", {}, marked(means[verdict])),
    verdict === "proved" ? el("p", { class: "soft" }, t("proof person")) : null,
  );
}
