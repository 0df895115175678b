// The open player's file: opened only here, merged, switched after a question, saved; kept in the browser by choice. The page
// never discards unsaved changes.

import { Bad } from "./bytes.mjs";
import { details, download, dropZone, el, fill } from "./dom.mjs";
import { looksLikeMail, readFiles } from "./intake.mjs";
import { nameFault } from "./player.mjs";
import { contradictions, fingerprint, merged, newPlayer, playerFile, playerFileName } from "./playerfile.mjs";
import { readPlayer, sameMemory, sameNews, unknownRounds } from "./playerfile.mjs";
import { forgetPlayer, keepPlayer, keptPlayers } from "./stored.mjs";
import { joinedWords, moment, sentence, t } from "./texts.mjs";
import { visible } from "./quote.mjs";

let player = null;
/** What the player's files and answers know, without what views added since: shows whether a file is behind a view. */
let told = null;
let unsaved = false;
/** The download that the player has not confirmed yet: `{number, memory}`. */
let handed = null;
/** Files with a different key from the open one: `{name, player}`. */
let others = [];
/** What happened to the opened files, as functions that return it in the current language. */
let notes = [];
let busy = false;
/** Whether writing a file directly has failed: from then on files are downloads. */
let failed = false;
const writes = () => !failed && typeof showSaveFilePicker === "function";
let changed = () => {};
/** The key that is kept in this browser, and since when it is as it is now: `{key, saved}`. */
let kept = null;

const card = el("section", { class: "card no-print", "aria-labelledby": "you" });

/** This part of the page; `after` is called when the player changes. */
export function ownCard(after) {
  changed = after;
  return card;
}

export const current = () => player;

addEventListener("beforeunload", (event) => {
  if (unsaved) event.preventDefault();
});

// --- opening ---------------------------------------------------------------------------------------------------------

async function take(picked) {
  const { files, wrong } = await readFiles(picked);
  notes = wrong.map(({ name, key }) => ["bad", () => t(key, { name: visible(name) })]);
  for (const { name, bytes } of files) {
    try {
      if (looksLikeMail(bytes)) throw new Bad("wrong-kind", "this is a mail: a key is never taken from a mail");
      offered(name, await readPlayer(bytes));
    } catch (error) {
      if (!(error instanceof Bad)) throw error;
      notes.push(["bad", () => t("file failed", { name: visible(name), words: sentence(error.message) })]);
    }
  }
  await Promise.all([keepNow(), changed()]);
  document.body.dataset.own = String(Number(document.body.dataset.own ?? 0) + 1);
}

/** A file that was opened as a player's file or key. */
function offered(name, found) {
  if (!player) {
    adopt(found);
    return;
  }
  if (found.key !== player.key) {
    const same = others.find((one) => one.player.key === found.key);
    if (same) same.player = merged(same.player, found);
    else others.push({ name, player: found });
    return;
  }
  const next = merged(player, found);
  const [brought, knew] = [!sameNews(next, player), sameNews(next, found)];
  const key = brought ? (knew ? "own newer" : "own merged") : knew ? "own same" : "own older";
  notes.push([key === "own merged" ? "unsure" : "soft", () => t(key, { name: visible(name) })]);
  unsaved = !sameMemory(next, found) && (unsaved || !sameMemory(next, player));
  told = merged(told, found);
  player = next;
}

function adopt(next) {
  [player, told, unsaved, handed, others] = [next, next, false, null, []];
}

/** Remember what the player `before` learned from a view, or signed; ignored if another player is open by now. */
export function remember(before, next, complete = true) {
  if (player?.key !== before.key || !sameMemory(player, before)) return false;
  if (complete) told = next;
  if (sameMemory(next, before)) return true;
  player = { ...next, number: player.number };
  unsaved = true;
  showOwn();
  keepNow();
  return true;
}

/** The rounds in which a view shows answers of which the player's files know nothing. */
export function unknownTo(report) {
  return player.key === told.key ? unknownRounds(told, report) : [];
}

// --- showing ---------------------------------------------------------------------------------------------------------

export function showOwn() {
  const heading = el("h2", { id: "you" }, t("you heading"));
  const said = notes.map(([kind, say]) => el("p", { class: kind, role: "status" }, say()));
  const parts = player ? [opened(), saving(), others.map(question), said, picking()] : [el("p", {}, t("you none")), picking(), said, making()];
  return fill(card, heading, parts);
}

function picking() {
  const zone = dropZone("own", take, t("pick own"), t("drop own"));
  return player ? details(t("pick another"), zone) : zone;
}

function making() {
  const name = el("input", { type: "text", id: "name", maxlength: 40, autocomplete: "off" });
  const trouble = el("p", { role: "alert" });
  const make = async () => {
    const why = nameFault(name.value.trim());
    if (why) return fill(trouble, sentence(why));
    const made = await newPlayer(crypto.getRandomValues(new Uint8Array(32)), name.value.trim());
    // A file opened meanwhile, or a second click, must not lose a key.
    if (player) return null;
    adopt(made);
    unsaved = true;
    return changed();
  };
  return [el("div", { class: "row" }, el("label", { for: "name" }, t("your name")), name, el("button", { type: "button", id: "make", click: make }, t("make key"))), trouble];
}

const CONTRADICTIONS = { "two-geneses": "own two games", "two-entries": "own two entries", "second-answer": "own two answers" };

function opened() {
  const games = player.tickets.map((ticket) => t("you game", { game: ticket.game.slice(0, 8), round: ticket.round }));
  const stories = contradictions(player).map(({ code, game, round }) => t(CONTRADICTIONS[code], { game: game.slice(0, 8), round }));
  return [
    el("p", {}, t("you are", { name: player.name, key: fingerprint(player.key) })),
    el("p", { class: "soft" }, games.length ? t("you games", { games: joinedWords(games) }) : t("you no games")),
    stories.map((text) => el("p", { class: "bad" }, text)),
  ];
}

/** Another key is never used without asking: a seat belongs to the key that joined. */
function question({ name, player: other }) {
  const drop = () => (others = others.filter((one) => one.player !== other));
  const keep = () => {
    drop();
    showOwn();
  };
  const use = () => {
    if (unsaved) return;
    notes = [];
    adopt(other);
    changed(true);
  };
  const mine = { name: player.name, key: fingerprint(player.key) };
  const theirs = { name: other.name, key: fingerprint(other.key) };
  return el(
    "div",
    { class: "unsure question", role: "alert" },
    el("p", {}, t("other asked", { file: visible(name) })),
    el("ul", {}, el("li", {}, t("other open", mine)), el("li", {}, t("other new", theirs))),
    el("p", {}, unsaved ? t("other unsaved") : t("other warning")),
    el("div", { class: "row" },
      el("button", { type: "button", class: "main keep", click: keep }, t("other keep", mine)),
      el("button", { type: "button", class: "use", disabled: unsaved, click: use }, t("other use", theirs))),
  ); // prettier-ignore
}

// --- saving ----------------------------------------------------------------------------------------------------------

/** The file that would be saved now, with the next number. */
function nextFile() {
  const again = handed && sameMemory(handed.memory, player);
  return { ...player, number: again ? handed.number : player.number + 1 };
}

function saving() {
  const lines = unsaved ? [el("p", { class: "unsure" }, t("save now"))] : [];
  const look = unsaved ? "button main" : "button";
  const next = nextFile();
  const file = playerFileName(next);
  const button = writes()
    ? el("button", { type: "button", id: "save", class: look, click: write }, t("save player"))
    : download(file, playerFile(next), t("save player"), { id: "save", class: look, click: () => hand(next) });
  const row = el("div", { class: "row" }, button, el("code", {}, file));
  const sure = handed && unsaved ? el("p", { class: "unsure" }, t("saved question"), " ", el("button", { type: "button", id: "saved", click: confirm }, t("saved yes"))) : null;
  return [lines, row, sure, el("p", { class: "soft" }, t("saved")), keeping()];
}

// --- in the browser --------------------------------------------------------------------------------------------------

const isKept = () => kept?.key === player?.key;

/** Open what is kept in this browser: the newest; other keys are asked about, as with files. */
export async function openKept() {
  const rows = await keptPlayers().catch(() => []);
  for (const { player: found, saved } of rows) {
    try {
      offered(t("kept name"), await readPlayer(playerFile(found)));
      kept ??= { key: found.key, saved };
    } catch {
      notes.push(["bad", () => t("kept bad")]);
    }
  }
}

/** Keep what changed, if that was chosen for this key. */
async function keepNow() {
  if (!player || !isKept()) return;
  const before = player;
  try {
    const row = await keepPlayer(before);
    if (player?.key !== row.player.key) return;
    player = { ...merged(player, row.player), number: player.number };
    kept.saved = row.saved;
    if (sameMemory(player, row.player)) [unsaved, handed] = [false, null];
  } catch {
    kept = null;
    unsaved = true;
    notes.push(["bad", () => t("kept failed")]);
  }
  showOwn();
}

/** The choice to keep the file here; without it nothing stays. */
function keeping() {
  const change = async () => {
    if (box.checked) {
      kept = { key: player.key, saved: "" };
      return keepNow();
    }
    kept = null;
    unsaved = true;
    await forgetPlayer(player.key);
    return showOwn();
  };
  const box = el("input", { type: "checkbox", id: "keep", checked: isKept(), change });
  return [
    el("label", { class: "option" }, box, t("keep here")),
    el("p", { class: "soft", id: "kept" }, isKept() && kept.saved ? t("kept here", { date: moment(kept.saved) }) : t("keep risk")),
  ];
}

/** Ask for a location and write: the file is saved once it is written and closed. */
async function write() {
  if (busy) return;
  busy = true;
  const [before, next] = [player, nextFile()];
  try {
    const place = await showSaveFilePicker({ suggestedName: playerFileName(next) });
    const out = await place.createWritable();
    await out.write(playerFile(next));
    await out.close();
    notes = [["good", () => t("saved as", { name: visible(place.name) })]];
    // Answers signed during the writing are not in the file.
    if (sameMemory(player, before)) unsaved = false;
    player = { ...player, number: Math.max(player.number, next.number) };
  } catch (error) {
    const closed = error?.name === "AbortError";
    failed = !closed;
    notes = [["bad", () => t(closed ? "not saved" : "cannot save")]];
  }
  busy = false;
  showOwn();
}

/** Start a download; only the player can say whether it was saved. */
function hand(next) {
  handed = { number: next.number, memory: player };
  player = next;
  // The link must exist until the browser has followed it.
  setTimeout(showOwn, 0);
}

function confirm() {
  if (handed && sameMemory(handed.memory, player)) [unsaved, handed] = [false, null];
  showOwn();
}
