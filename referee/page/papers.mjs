// What is said of the documents that are opened, one by one; an offer can be joined here.

import { el, fill, listed, marked } from "./dom.mjs";
import { gameView } from "./game.mjs";
import { current } from "./own.mjs";
import { fingerprint, isUnknownReceipt } from "./playerfile.mjs";
import { showProof } from "./proof_panel.mjs";
import { shortened } from "./quote.mjs";
import { button, sentenceOf } from "./room.mjs";
import { namesOf } from "./seats.mjs";
import { sending } from "./sending.mjs";
import { duration, joinedWords, moment, spoken, t, term, titleOf } from "./texts.mjs";
import { showVerdict, verdictPanel } from "./verdict.mjs";
import { verifyFiles } from "./verifier.mjs";

/** A document that is no view, with its report; `joining` shows how an offer is joined. A game that rules have `told` is shown so. */
export function paper({ name }, report, joining) {
  const panel = verdictPanel();
  const node = el("article", {}, panel);
  if (report.kind === "proof") return showProof(panel, report), node;
  showVerdict(panel, report, t("verify"), !report.ok && report.steps.length ? [["unsure", t("after bad")]] : []);
  if (report.kind === "offer" && report.ok) node.append(...offered(report, joining));
  else if (report.table && report.steps.length) {
    const names = namesOf(report);
    node.prepend(el("h3", {}, t("transcript title", { game: titleOf(report.table.terms.game) })));
    node.append(el("p", { class: "soft" }, t("players", { names: joinedWords(names) })));
    if (report.told) node.append(report.told());
    else node.append(el("p", { class: "unsure" }, marked(t("transcript bare", { command: `referee page ${name || "TRANSCRIPT"}` }))), gameView(report, []));
  } else if (report.ok) {
    const { body } = report.document;
    const behind = report.kind === "receipt" && current() && isUnknownReceipt(current(), body);
    node.append(el("p", {}, inWords(report)), ...(behind ? [el("p", { class: "unsure behind" }, t("file behind", { rounds: body.round }))] : []));
  }
  return node;
}

/** Files that are valid by themselves can contradict each other: that is a proof against the host. */
export async function sideBySide(files) {
  const panel = verdictPanel();
  const report = (await verifyFiles(files.map((one) => one.bytes))).at(-1);
  return el("article", {}, el("h3", {}, t("together")), showVerdict(panel, report, ""));
}

function inWords(report) {
  const { body } = report.document;
  const game = body.game?.slice(0, 8);
  if (report.kind === "join") return t("other join", { name: body.name, offer: body.offer.slice(0, 8) });
  const place = { seat: body.seat + 1, round: body.round, game };
  if (report.kind === "claim") {
    const { seat, round, game } = report.about;
    return t("other claim", { seat: seat + 1, round, game: game.slice(0, 8), sent: moment(body.sent) });
  }
  if (report.kind === "ruling") return t("other ruling", { text: shortened(body.verdict, 2000) });
  if (report.kind === "extension") return t("other extension", { ...place, until: moment(body.until) });
  if (report.kind === "receipt") return t("other receipt", { ...place, code: body.code });
  if (report.kind === "succession") return t("other succession", { ...place, name: body.name });
  if (report.kind === "return") return t("other return", place);
  if (report.kind === "word") return t("other word", { ...place, text: body.text });
  const said = body.resign ? t("resigns") : body.answer ? spoken(body.answer) : t("bare");
  return t("other move", { ...place, fields: said });
}

// --- offers ----------------------------------------------------------------------------------------------------------

/** The terms of an offer, and the form to join: `join` signs under a name, `sent` is what it signed before. */
function offered(report, { join, sent }) {
  const terms = report.document.body;
  const lines = [
    t("offer seats", { seats: terms.seats, rules: terms.rules }),
    t("offer signed", { key: fingerprint(terms.key) }),
    terms.deadline ? t("offer deadline", { deadline: duration(terms.deadline), grace: duration(terms.grace ?? 0) }) : t("offer no deadline"),
    ...(terms.bank ? [t("offer bank", { bank: duration(terms.bank) })] : []),
    ...Object.entries(terms.options).map(([name, value]) => t("offer option", { name: term(name), value: spoken(value) })),
    ...(typeof terms.edition?.name === "string" ? [t("offer edition", { name: terms.edition.name })] : []),
    ...(terms.chance ? [t("offer common")] : []),
    ...(terms.takeovers ? [t("offer takeovers", { count: terms.takeovers, wait: duration(terms.takeover ?? 0) })] : []),
  ];
  return [listed(t("offer title", { game: titleOf(terms.game) }), lines), joinForm(join, sent)];
}

function joinForm(join, sent) {
  const out = el("div", {});
  if (sent) return fill(out, sending(sent));
  if (!current()) return fill(out, el("p", { class: "unsure" }, t("need player")));
  const name = el("input", { type: "text", id: "seat-name", maxlength: 40, value: current().name });
  const trouble = el("p", { role: "alert" });
  const act = async () => {
    try {
      fill(out, sending(await join(name.value.trim())));
      out.querySelector("#mail").focus();
    } catch (error) {
      if (!error.code) throw error;
      fill(trouble, sentenceOf(error.message));
    }
  };
  return fill(out, el("p", {}, t("join lead")),
    el("div", { class: "row" }, el("label", { for: "seat-name" }, t("your name")), name, button(t("join"), act, { id: "join", class: "main" })), trouble); // prettier-ignore
}
