// The page of the window: look, choose, sign, send. The program on this machine does the work; nothing here knows a game.

import { sentParts } from "./bar.mjs";
import { connect } from "./calls.mjs";
import { el, fill } from "./dom.mjs";
import { isGone } from "./engine.mjs";
import { full, reopen } from "./full.mjs";
import { invitation, lobby, office } from "./lobby.mjs";
import { button, gone, guarded, inTurn, page, quiet, tell, troubles, watchFaults } from "./room.mjs";
import { sitDown } from "./sitting.mjs";
import { languageSwitch, speakToReader } from "./switch.mjs";
import { joinedWords, t } from "./texts.mjs";

let engine = null;
/** What is shown: the lobby, an invitation, or a table; and what to do when the folder has changed. */
let place = { show: showLobby, news: () => {} };

function put(...parts) {
  const title = el("div", { class: "title" }, el("h1", {}, t("table title")), languageSwitch(() => inTurn(() => place.show())));
  fill(page, el("header", {}, title), troubles, ...parts);
}

async function showLobby() {
  listAll(await engine.call("games"));
}

/** Draw the lobby; anew only if something is new, because somebody may be about to press what is there. */
function listAll(found) {
  const news = async () => {
    const now = await engine.call("games");
    if (JSON.stringify(now) !== JSON.stringify(found)) listAll(now);
  };
  place = { show: showLobby, news };
  quiet();
  document.title = t("table title");
  if (found.office) return showOffice(found.office);
  const open = async (game) => showTable(await engine.call("open", { game }));
  return put(lobby(found, { open, invited: (game) => showInvitation(game), practise: async (asked) => showTable(await engine.call("practice", asked)) }));
}

function showOffice(now) {
  put(office(now, async () => showOffice(await engine.call("run"))));
}

/** The terms of an offer, or of a game in which somebody's seat can be taken over. */
async function showInvitation(game, seat = "") {
  const terms = await engine.call("invited", { game });
  place = { show: () => showInvitation(game, seat), news: () => {} };
  quiet();
  const join = async (name) => {
    const sent = await engine.call("join", { game, seat, name });
    quiet();
    return sentParts(engine, game, sent, showLobby);
  };
  const { parts, focus } = invitation({ ...terms, seat }, join, showLobby);
  put(parts);
  focus.focus();
}

async function showTable(opened) {
  const before = waiting(await engine.call("games"));
  const fresh = el("div", { role: "status" });
  const news = async () => {
    const now = waiting(await engine.call("games"));
    if (now.some((row) => !before.includes(row))) fill(fresh, button(t("table news"), showLobby));
  };
  quiet();
  const one = await sitDown(engine, opened, { put: (one, table) => put(headOf(one), fresh, table), home: showLobby, takeOver: showInvitation, ...full });
  place = { show: () => reopen(one), news };
}

/** The games that wait, each with where it stands. */
const waiting = ({ games }) => games.filter((row) => row.waits).map((row) => `${row.game} ${row.about}`);

/** Above a table: its name, and what was checked. */
function headOf({ look, verdict }) {
  document.title = `${look.title} - ${t("table title")}`;
  const lead = el("p", { class: verdict.code === "ok" ? "good" : "unsure" }, verdict.line);
  return [
    el("div", { class: "titles" }, el("h2", { id: "table-title" }, look.title), el("p", { class: "soft" }, t("players", { names: joinedWords(look.names) })), button(t("table back"), showLobby, { id: "lobby" })),
    el("section", { class: "verdict", "aria-label": t("table verdict") }, verdict.more.length ? el("details", {}, el("summary", {}, lead), verdict.more.map((line) => el("p", { class: "soft" }, line))) : lead),
  ]; // prettier-ignore
}

/** While this is open the program knows that the window is there; it answers when the folder changes. */
async function attend() {
  for (;;) {
    const { over } = await engine.call("wait");
    if (over) return gone();
    await inTurn(() => place.news());
  }
}

async function main() {
  speakToReader();
  const session = await connect();
  if (!session) return fill(page, el("h1", {}, t("table title")), el("p", { class: "unsure", role: "alert" }, t("table no key")));
  engine = session.engine;
  attend().catch((error) => (isGone(error) ? gone() : tell(error)));
  const { start } = session;
  await guarded(async () => {
    try {
      if (start) return await showTable(await engine.call(start.call, start.with));
    } catch (error) {
      await showLobby(); // what else there is, with what was wrong above it
      throw error;
    }
    return showLobby();
  });
}

watchFaults();
main().catch((error) => tell(error));
