// The player's page: opens what comes by mail, checks it and answers it. It stores nothing but the chosen
// language, and the player's file if its owner wants that. What a page with rules has besides comes from `ruled.mjs`.

import { checkAid, readAid } from "./aid.mjs";
import { utf8 } from "./bytes.mjs";
import { claimsIn } from "./claims.mjs";
import { deskOf, seatAt } from "./desk.mjs";
import { details, dropZone, el, fill } from "./dom.mjs";
import { Refused } from "./engine.mjs";
import { dropped, filesIn, handled, listed } from "./folder.mjs";
import { gameView } from "./game.mjs";
import { FILES_MOST, documentsIn, newestOf, readFiles, saidOnce } from "./intake.mjs";
import { keeping } from "./keep.mjs";
import { light } from "./light.mjs";
import { current, openKept, ownCard, remember, showOwn, unknownTo } from "./own.mjs";
import { paper, sideBySide } from "./papers.mjs";
import { followView } from "./player.mjs";
import { shortened } from "./quote.mjs";
import { button, page, tell, troubles, watchFaults } from "./room.mjs";
import { namesOf } from "./seats.mjs";
import { madeBy } from "./sending.mjs";
import { newTable } from "./sitting.mjs";
import { languageSwitch, speakToReader } from "./switch.mjs";
import { currentLanguage, foreign, joinedWords, sentence, t, titleOf } from "./texts.mjs";
import { showVerdict, verdictPanel } from "./verdict.mjs";
import { verify } from "./verifier.mjs";

const COMPARED = ["view", "transcript", "move", "receipt", "extension"];
const NAMES_MOST = 3;

/** What a page with rules has besides; null in one without. */
let ruled = null;
/** The documents opened last: `{name, kind, bytes, reply}`. */
let opened = [];
/** Problems with them, each once: `{names, key, words}`. */
let wrong = [];
/** Handle -> a view that was checked, and its place on the page. */
const seats = new Map();
let engine = deskOf(light, seats);
/** Handle -> the table that was shown for it, with what is chosen there; and what was signed besides, by its place. */
const [tables, signed] = [new Map(), new Map()];
/** The folder that was opened last, if it can be looked at again. */
let folder = null;
/** The view that is answered: there is one board on the page. */
let active = "";
/** Whether no view is answered, because the board is needed elsewhere. */
let aside = false;

const you = ownCard(async (another) => {
  if (another) forget();
  await refresh();
});
const shown = el("section", { class: "card", "aria-labelledby": "shown" });

function forget() {
  tables.clear();
  signed.clear();
}

// --- opening ---------------------------------------------------------------------------------------------------------

function opener() {
  const pasted = el("textarea", { id: "pasted", rows: 3, spellcheck: "false", "aria-label": t("paste") });
  const read = () => take([new File([utf8(pasted.value)], "")]).then(() => (pasted.value = ""));
  return el(
    "section",
    { class: "card no-print", "aria-labelledby": "open" },
    el("h2", { id: "open" }, t("open heading")),
    el("p", { class: "soft" }, t("open lead")),
    dropZone("files", takeDropped, t("pick"), t("drop")),
    el("div", { class: "row", id: "folders" }, choosing()),
    details(t("paste"), pasted, el("div", { class: "row" }, el("button", { type: "button", id: "read", click: read }, t("paste open")))),
    troubles,
  );
}

/** A folder can be chosen, too; one of which there is a handle can be looked at again. */
function choosing() {
  const again = folder ? el("button", { type: "button", id: "again", click: () => takeFolder(folder) }, t("folder again", { name: folder.name })) : null;
  if (typeof showDirectoryPicker === "function") {
    // Who closes the dialog has changed their mind.
    const choose = () => showDirectoryPicker().then((one) => takeFolder(handled(one)), () => {});
    return [el("button", { type: "button", id: "folder", click: choose }, t("folder")), again];
  }
  const input = el("input", { type: "file", webkitdirectory: true, id: "folder", change: () => takeFolder(listed([...input.files])) });
  return [input, el("label", { for: "folder", class: "button" }, t("folder"))];
}

async function takeDropped(picked, transfer) {
  if (!transfer) return take(picked);
  const { files, folders, lost } = await dropped(transfer);
  const unread = lost ? [{ name: t("folder"), key: "file unread" }] : [];
  if (folders.length === 1 && !files.length) return takeFolder(folders[0], unread);
  const inside = await Promise.all(folders.map(filesIn));
  return take([...files, ...inside.flat()], unread);
}

/** Open what a folder has: the newest files, and of each seat the newest view. */
async function takeFolder(one, unread = []) {
  folder = one.again ? one : null;
  const files = await filesIn(one).catch(() => null);
  if (!files) unread = [...unread, { name: one.name, key: "file unread" }];
  if (files?.length > FILES_MOST) unread = [...unread, { name: one.name, key: "folder many", words: String(FILES_MOST) }];
  if (files && !files.length) unread = [...unread, { name: one.name, key: "folder empty" }];
  await take((files ?? []).slice(0, FILES_MOST), unread, newestOf);
  fill(document.getElementById("folders"), choosing());
}

/** Open files together: all are shown, and a view uses the aid beside it. */
async function take(picked, lost = [], wanted = (all) => all) {
  const { files, wrong: unread } = await readFiles(picked);
  const { documents: all, wrong: refused } = documentsIn(files);
  const documents = wanted(all);
  wrong = saidOnce([...lost, ...unread, ...refused]);
  if (documents.length) {
    opened = documents;
    active = "";
    sit();
    seats.clear();
    forget();
  }
  showTroubles();
  await refresh();
  if (documents.length) scrollTo(0, shown.offsetTop);
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
  const [table, more] = [await shielded(tableNow), await shielded(() => ruled?.part())];
  if (number !== newest) return;
  const show = () => {
    showOwn();
    fill(shown, parts);
    table?.redraw();
    more?.();
  };
  if (language === currentLanguage()) return show();
  language = currentLanguage();
  keeping(page, () => {
    frame();
    show();
  });
}

/** What comes of it; null if the rules have refused it, which is said. */
async function shielded(act) {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    tell(error);
    return null;
  }
}

async function shownParts() {
  const heading = el("h2", { id: "shown" }, t("opened heading"));
  if (!opened.length) return [heading, el("p", { class: "soft" }, t("opened nothing"))];
  const aids = opened.filter((one) => one.kind === "aid");
  const others = opened.filter((one) => !["aid", "view"].includes(one.kind));
  const beside = [];
  for (const one of others) {
    const report = await verify(one.bytes, { hint: await ruled?.hint(one) });
    await judged(one, report);
    beside.push(report);
  }
  const claims = claimsIn(beside);
  const parts = await shownViews(opened.filter((one) => one.kind === "view"), aids, claims);
  others.forEach((one, at) => {
    const report = beside[at];
    report.claims = claims.get(report.table?.game) ?? 0;
    parts.push(paper(one, report, { sent: signed.get(report.id), join: (name) => joined(report, one.reply, name) }));
  });
  const together = opened.filter((one) => COMPARED.includes(one.kind));
  if (together.length > 1) parts.push(await sideBySide(together));
  if (!parts.length) for (const aid of aids) parts.push(el("p", { class: "unsure" }, t("aid alone", { name: shownName(aid.name) })));
  return [heading, parts];
}

async function joined(report, reply, name) {
  signed.set(report.id, await engine.call("join", { offer: { report, reply }, name }));
  return signed.get(report.id);
}

// --- views -----------------------------------------------------------------------------------------------------------

/** Every view, with its aid and the number of claims about its game; a problem with an aid is shown once. */
async function shownViews(views, aids, claims) {
  const read = (rulesNow() === light ? aids : []).map((one) => readAid(one));
  const hint = read.find((one) => one.aid)?.aid.bags;
  const checked = [];
  for (const view of views) {
    const followed = await follow(view.bytes, (await ruled?.hint(view)) ?? hint);
    checked.push({ view, followed, aid: null, handle: await judged(view, followed.report) });
  }
  for (const { followed: { report } } of checked) report.claims = claims.get(report.table?.game) ?? 0;
  const unfit = [];
  for (const { aid, why } of read) {
    const faults = checked.map(({ followed: { report } }) => why ?? (report.table ? checkAid(aid, report) : ""));
    const at = faults.indexOf("");
    if (at < 0) unfit.push(...faults.slice(0, 1));
    else checked[at].aid ??= aid;
  }
  const before = new Map(seats);
  seats.clear();
  for (const { view, followed, aid, handle } of checked) {
    const { ok, state, seat } = followed.report;
    const game = `${state?.newest} ${seat}`;
    if (ok && !followed.report.lacks) seats.set(game, { ...seatAt(followed, aid, view.reply, before.get(game)), handle, place: el("div", {}) });
  }
  const { games } = await engine.call("games");
  if (!seats.has(active)) active = (games.find((row) => row.waits) ?? games[0])?.game ?? "";
  return checked.map((one, at) => viewPart(one, at ? [] : [...new Set(unfit)]));
}

/** Let the rules judge a document, if they are here; what they call it. */
const judged = ({ name, bytes }, report) => ruled?.judge({ name, bytes, report, player: current() });

/** The rules that tables have now; null as long as they cannot be asked. */
const rulesNow = () => (ruled ? ruled.rules() : light);

/** A view is answered again, at another table than before. */
function sit() {
  aside = false;
  ruled?.leave();
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

function viewPart({ followed, aid }, unfit) {
  const panel = verdictPanel();
  const { report } = followed;
  const notes = unfit.map((why) => ["bad", t("aid foreign", { why })]);
  if (aid) notes.push(["unsure", t("maker aid")]);
  if (aid?.unfit) notes.push(["bad", aid.unfit]);
  if (!report.ok && report.steps.length) notes.push(["unsure", t("after bad")]);
  showVerdict(panel, report, t("audit"), notes);
  const node = el("article", {}, panel);
  if (!report.table) return node;
  node.prepend(
    el("h3", { lang: aid && foreign(aid.language) }, aid ? aid.title : titleOf(report.table.terms.game)),
    el("p", { class: "soft" }, t("game", { id: report.table.game.slice(0, 8) }), " · ", t("players", { names: joinedWords(namesOf(report)) })),
  );
  if (!report.ok) return node.append(report.steps.length ? gameView(report, [], { folded: true }) : ""), node;
  const [game, seat] = [...seats].find(([, one]) => one.followed === followed) ?? [];
  if (game === active && seat && !aside) node.append(seat.place);
  else if (report.lacks) node.append(gameView(report, [], { folded: true }));
  else if (seat) node.append(button(t("table look"), () => (sit(), (active = game), refresh()), { class: "sit" }));
  return node;
}

/** The table of the view that is answered, with what is chosen there. */
async function tableNow() {
  if (aside || !seats.has(active)) return null;
  const { followed: { report }, aid, place } = seats.get(active);
  if (!rulesNow()) return fill(place, ruled.instead()), null;
  const record = () => gameView(report, roundsOf(report, aid), { folded: true, language: aid?.language });
  const { full } = rulesNow();
  const around = { ...full, spoken: currentLanguage(), put: (_, node) => fill(place, node), story: full ? (one) => full.story(one, record) : record };
  const one = tables.get(active);
  const look = await engine.call("look", { game: active });
  if (one?.look.asked !== look.asked) tables.set(active, await newTable(engine, { game: active, look }, around));
  else {
    const { spoken } = one;
    Object.assign(one, { ...around, look });
    if (full && spoken !== one.spoken) await full.retell(one);
  }
  return tables.get(active);
}

/** What is shown for each round: the words of the aid, and the newest position, which the verifier has checked. */
function roundsOf(report, aid) {
  const rounds = report.steps.map(() => ({}));
  for (const { round, lines = [], own = [] } of aid?.told ?? []) if (rounds[round - 1]) rounds[round - 1] = { told: lines, own };
  if (report.document.public && rounds.length) rounds.at(-1).public = report.document.public;
  return rounds;
}

// --- the page --------------------------------------------------------------------------------------------------------

addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  if (event.dataTransfer?.files.length) takeDropped([], event.dataTransfer);
});
watchFaults();

/** The parts that do not depend on what was opened. */
function frame() {
  document.title = t("player title");
  const title = el("div", { class: "title" }, el("h1", {}, t("player title")), languageSwitch(refresh));
  fill(page, el("header", {}, title, el("p", {}, t("player lead"))), you, opener(), shown, ruled?.card);
  showTroubles();
}

/** Begin. `more` makes what a page with rules has besides: it gets `anew`, which shows all again once the rules are others,
 * and `alone`, which takes the board from the views. */
export function openPage(more = () => null) {
  speakToReader();
  const anew = () => {
    engine = deskOf(rulesNow() ?? light, seats);
    tables.clear();
    return refresh();
  };
  const alone = () => {
    aside = true;
    return refresh();
  };
  ruled = more({ anew, alone });
  madeBy(() => ([null, light].includes(rulesNow()) ? "page" : "page+rules"));
  return openKept().then(refresh);
}
