// The player's page: opens what comes by mail, checks it and answers it. It stores nothing but the chosen language.

import { checkAid, readAid } from "./aid.mjs";
import { answerPart, wordPart, wordsOf } from "./asking.mjs";
import { utf8 } from "./bytes.mjs";
import { claimsIn } from "./claims.mjs";
import { details, dropZone, el, fill, listed, marked } from "./dom.mjs";
import { gameView } from "./game.mjs";
import { documentsIn, readFiles, saidOnce } from "./intake.mjs";
import { keeping } from "./keep.mjs";
import { current, ownCard, remember, showOwn, unknownTo } from "./own.mjs";
import { followView, joinName, makeJoin } from "./player.mjs";
import { fingerprint, isUnknownReceipt } from "./playerfile.mjs";
import { showProof } from "./proof_panel.mjs";
import { shortened } from "./quote.mjs";
import { namesOf } from "./seats.mjs";
import { done, sending } from "./sending.mjs";
import { languageSwitch, speakToReader } from "./switch.mjs";
import { duration, foreign, joinedWords, moment, sentence, spoken, currentLanguage, t, term, titleOf } from "./texts.mjs";
import { showVerdict, verdictPanel } from "./verdict.mjs";
import { verify, verifyFiles } from "./verifier.mjs";

const COMPARED = ["view", "transcript", "move", "receipt", "extension"];
const NAMES_MOST = 3;

/** The documents opened last: `{name, kind, bytes, reply}`. */
let opened = [];
/** Problems with them, each once: `{names, key, words}`. */
let wrong = [];

const page = document.getElementById("page");
const you = ownCard(async (another) => {
  if (another) done.clear();
  await refresh();
});
const shown = el("section", { class: "card", "aria-labelledby": "shown" });
const troubles = el("div", { role: "alert" });

// --- opening ---------------------------------------------------------------------------------------------------------

function opener() {
  const pasted = el("textarea", { id: "pasted", rows: 3, spellcheck: "false", "aria-label": t("paste") });
  const read = () => take([new File([utf8(pasted.value)], "")]).then(() => (pasted.value = ""));
  return el(
    "section",
    { class: "card no-print", "aria-labelledby": "open" },
    el("h2", { id: "open" }, t("open heading")),
    el("p", { class: "soft" }, t("open lead")),
    dropZone("files", take, t("pick"), t("drop")),
    details(t("paste"), pasted, el("div", { class: "row" }, el("button", { type: "button", id: "read", click: read }, t("paste open")))),
    troubles,
  );
}

/** Open files together: all are shown, and a view uses the aid beside it. */
async function take(picked) {
  const { files, wrong: unread } = await readFiles(picked);
  const { documents, wrong: refused } = documentsIn(files);
  wrong = saidOnce([...unread, ...refused]);
  if (documents.length) {
    opened = documents;
    done.clear();
  }
  showTroubles();
  await refresh();
  if (documents.length) shown.scrollIntoView();
  document.body.dataset.opened = String(Number(document.body.dataset.opened ?? 0) + 1);
}

function showTroubles() {
  const say = ({ names, key, words }) => t(key, { name: shownNames(names), words: sentence(words) });
  fill(troubles, wrong.map((one) => el("p", { class: "bad" }, say(one))));
}

/** Pasted text has no file name. */
const shownName = (name) => (name ? shortened(name, 100) : t("pasted"));

function shownNames(names) {
  const some = names.slice(0, NAMES_MOST).map(shownName).join(", ");
  return names.length > NAMES_MOST ? t("names more", { names: some, count: names.length - NAMES_MOST }) : some;
}

// --- what was opened -------------------------------------------------------------------------------------------------

let newest = 0;
/** The language that the page is shown in. */
let language = "";

/** Check and show again whatever depends on the opened documents; the whole page if the language has changed. Results
 * that a later call has overtaken are dropped. */
async function refresh() {
  const number = ++newest;
  const parts = await shownParts();
  if (number !== newest) return;
  if (language === currentLanguage()) return showAll(parts);
  language = currentLanguage();
  keeping(page, () => {
    frame();
    showAll(parts);
  });
}

function showAll(parts) {
  showOwn();
  fill(shown, parts);
}

async function shownParts() {
  const heading = el("h2", { id: "shown" }, t("opened heading"));
  if (!opened.length) return [heading, el("p", { class: "soft" }, t("opened nothing"))];
  const aids = opened.filter((one) => one.kind === "aid");
  const views = opened.filter((one) => one.kind === "view");
  const others = opened.filter((one) => !["aid", "view"].includes(one.kind));
  const beside = [];
  for (const one of others) beside.push(await verify(one.bytes));
  const claims = claimsIn(beside);
  const parts = await shownViews(views, aids, claims);
  others.forEach((one, at) => parts.push(showOther(one, beside[at], claims)));
  const together = opened.filter((one) => COMPARED.includes(one.kind));
  if (together.length > 1) parts.push(await sideBySide(together));
  if (!parts.length) for (const aid of aids) parts.push(el("p", { class: "unsure" }, t("aid alone", { name: shownName(aid.name) })));
  return [heading, parts];
}

function showOther(one, report, claims) {
  const panel = verdictPanel();
  report.claims = claims.get(report.table?.game) ?? 0;
  const node = el("article", {}, panel);
  if (report.kind === "proof") return showProof(panel, report), node;
  showVerdict(panel, report, t("verify"), !report.ok && report.steps.length ? [["unsure", t("after bad")]] : []);
  if (report.kind === "offer" && report.ok) node.append(offerPart(report, one.reply));
  else if (report.table && report.steps.length) {
    const names = namesOf(report);
    node.prepend(el("h3", {}, t("transcript title", { game: titleOf(report.table.terms.game) })));
    node.append(el("p", { class: "soft" }, t("players", { names: joinedWords(names) })), el("p", { class: "unsure" }, marked(t("transcript bare", { command: `referee page ${one.name || "TRANSCRIPT"}` }))), gameView(report, []));
  } else if (report.ok) {
    const { body } = report.document;
    const behind = report.kind === "receipt" && current() && isUnknownReceipt(current(), body);
    node.append(el("p", {}, looseWords(report)), ...(behind ? [el("p", { class: "unsure behind" }, t("file behind", { rounds: body.round }))] : []));
  }
  return node;
}

/** Files that are valid by themselves can contradict each other: that is a proof against the host. */
async function sideBySide(files) {
  const panel = verdictPanel();
  const report = (await verifyFiles(files.map((one) => one.bytes))).at(-1);
  return el("article", {}, el("h3", {}, t("together")), showVerdict(panel, report, ""));
}

function looseWords(report) {
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

function offerPart(report, reply) {
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
  const out = el("div", {});
  const player = current();
  const node = el("div", {}, listed(t("offer title", { game: titleOf(terms.game) }), lines), out);
  const place = `join ${report.id}`;
  if (done.has(place)) return fill(out, done.get(place)()), node;
  if (!player) return fill(out, el("p", { class: "unsure" }, t("need player"))), node;
  const name = el("input", { type: "text", id: "seat-name", maxlength: 40, value: player.name });
  const trouble = el("p", { role: "alert" });
  const join = async () => {
    try {
      const bytes = await makeJoin(player, report, name.value.trim(), crypto.getRandomValues(new Uint8Array(32)));
      const file = joinName(report, name.value.trim(), player.key);
      const subject = t("subject join", { id: report.id.slice(0, 8) });
      done.set(place, () => sending("join", file, bytes, { reply, subject, title: t("joined") }));
      fill(out, done.get(place)());
      out.querySelector("#mail").focus();
    } catch (error) {
      fill(trouble, wordsOf(error));
    }
  };
  fill(
    out,
    el("p", {}, t("join lead")),
    el("div", { class: "row" }, el("label", { for: "seat-name" }, t("your name")), name, el("button", { type: "button", id: "join", class: "main", click: join }, t("join"))),
    trouble,
  );
  return node;
}

// --- views -----------------------------------------------------------------------------------------------------------

/** Every view, with its aid and the number of claims about its game; a problem with an aid is shown once. */
async function shownViews(views, aids, claims) {
  const read = aids.map((one) => readAid(one));
  const hint = read.find((one) => one.aid)?.aid.bags;
  const checked = [];
  for (const view of views) checked.push({ view, followed: await follow(view.bytes, hint), aid: null });
  for (const { followed: { report } } of checked) report.claims = claims.get(report.table?.game) ?? 0;
  const unfit = [];
  for (const { aid, why } of read) {
    const faults = checked.map(({ followed: { report } }) => why ?? (report.table ? checkAid(aid, report) : ""));
    const at = faults.indexOf("");
    if (at < 0) unfit.push(...faults.slice(0, 1));
    else checked[at].aid ??= aid;
  }
  return checked.map((one, at) => viewPart(one, at ? [] : [...new Set(unfit)]));
}

/** A view, checked, compared with what its reader knows, and remembered. */
async function follow(bytes, hint) {
  const player = current();
  if (!player) return { report: await verify(bytes, { hint }), mine: false, age: "new", unknown: [] };
  const followed = await followView(player, bytes, { hint });
  const unknown = followed.mine && followed.report.ok && current() ? unknownTo(followed.report) : [];
  remember(player, followed.player, !unknown.length);
  return { ...followed, unknown };
}

function viewPart({ view, followed, aid }, unfit) {
  const panel = verdictPanel();
  const { report } = followed;
  const notes = unfit.map((why) => ["bad", t("aid foreign", { why })]);
  if (aid) notes.push(["unsure", t("maker aid")]);
  if (aid?.unfit) notes.push(["bad", aid.unfit]);
  if (!report.ok && report.steps.length) notes.push(["unsure", t("after bad")]);
  showVerdict(panel, report, t("audit"), notes);
  const node = el("article", {}, panel);
  if (!report.table) return node;
  const names = namesOf(report);
  node.prepend(
    el("h3", { lang: aid && foreign(aid.language) }, aid ? aid.title : titleOf(report.table.terms.game)),
    el("p", { class: "soft" }, t("game", { id: report.table.game.slice(0, 8) }), " · ", t("players", { names: joinedWords(names) })),
  );
  if (report.steps.length) node.append(gameView(report, roundsOf(report, aid), { folded: true, language: aid?.language }));
  if (report.ok) node.append(answerPart(followed, aid, names, view.reply));
  if (followed.mine && followed.age !== "old" && !report.state.end) node.append(wordPart(report, view.reply));
  return node;
}

/** What is shown for each round: the words of the aid, and the newest position, which the verifier has checked. */
function roundsOf(report, aid) {
  const rounds = report.steps.map(() => ({}));
  for (const { round, lines = [], own = [] } of aid?.told ?? []) if (rounds[round - 1]) rounds[round - 1] = { told: lines, own };
  const last = rounds.at(-1);
  if (report.ok && report.document.public) last.public = report.document.public;
  if (aid?.picture) last.picture = () => aid.picture;
  return rounds;
}

// --- the page --------------------------------------------------------------------------------------------------------

addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => event.preventDefault());
const failed = (what) => fill(troubles, el("p", { class: "bad" }, t("fault", { what })));
addEventListener("error", (event) => failed(event.message));
addEventListener("unhandledrejection", (event) => failed(event.reason?.message ?? event.reason));

/** The parts that do not depend on what was opened. */
function frame() {
  document.title = t("player title");
  const title = el("div", { class: "title" }, el("h1", {}, t("player title")), languageSwitch(refresh));
  fill(page, el("header", {}, title, el("p", {}, t("player lead"))), you, opener(), shown);
  showTroubles();
}

speakToReader();
refresh();
