// The window before a table: games, practice, an invitation, an office. Each returns what is shown; what is pressed is done
// by the functions that it is given.

import { details, el, fill } from "./dom.mjs";
import { button, guarded, heading } from "./room.mjs";
import { t, titleOf } from "./texts.mjs";

/** What a row's button does, by its state; otherwise somebody looks. */
const ACTS = { waits: "table play", invited: "table terms" };

/** All that can be opened: `open` and `invited` get the handle of a game, `practise` what `practice` is asked. */
export function lobby(found, { open, invited, practise }) {
  const rows = found.games.map((row) =>
    el("li", { class: row.waits ? "row waiting" : "row" },
      el("div", {}, el("p", {}, row.about), el("p", { class: "soft" }, row.said), row.next ? el("p", { class: "soft" }, row.next) : null),
      row.game ? button(t(ACTS[row.state] ?? "table look"), () => (row.state === "invited" ? invited : open)(row.game), { class: row.waits ? "main" : "", "data-game": row.game }) : null),
  ); // prettier-ignore
  const notes = found.notes.length ? details(t("table notes"), found.notes.map((note) => el("p", { class: "soft" }, note))) : null;
  return [
    el("section", { class: "card", "aria-labelledby": "games" }, heading("games", t("table games")),
      rows.length ? el("ul", { class: "games" }, rows) : el("p", { class: "soft" }, t("table no games", { folder: found.folder })), notes),
    el("section", { class: "card", "aria-labelledby": "practice" }, practiceParts(found, practise)),
  ]; // prettier-ignore
}

/** The games that can be practised. */
export function practiceParts({ practice }, practise) {
  return [heading("practice", t("table practice")), el("p", { class: "soft" }, t("table practice lead")), practice.map((game) => practiceRow(game, practise))];
}

function practiceRow(game, practise) {
  const title = titleOf(game.id) === game.id ? game.title : titleOf(game.id);
  const counts = Array.from({ length: game.most - game.fewest + 1 }, (_, at) => game.fewest + at);
  const seats = el("select", { "aria-label": t("table seats") }, counts.map((n) => el("option", { value: n, selected: n === Math.max(game.fewest, Math.min(3, game.most)) }, t("table players", { n }))));
  const level = el("select", { "aria-label": t("table level") }, game.levels.map((name) => el("option", { value: name, selected: name === "sensible" }, name)));
  const play = (more) => () => practise({ game: game.id, seats: Number(seats.value), level: level.value, ...more });
  return el("div", { class: "row practice", "data-practice": game.id },
    el("strong", {}, title),
    game.left ? button(t("table continue"), play({}), { class: "main" }) : null,
    game.guided ? button(t("table guided"), play({ new: true, guide: true }), { class: game.left ? "" : "main" }) : null,
    button(t("table new"), play({ new: true }), { class: game.left || game.guided ? "" : "main" }),
    seats, level); // prettier-ignore
}

/** An office: its tables, and one button that does what waits. */
export function office({ title, lines, done }, run) {
  const listed = (texts) => el("ul", { class: "plain" }, texts.map((line) => el("li", { class: /^ /.test(line) ? "deep" : "" }, line)));
  return [
    el("section", { class: "card", "aria-labelledby": "office" }, heading("office", t("table office", { title })), listed(lines), el("div", { class: "row" }, button(t("table run"), run, { id: "run", class: "main" }))),
    done.length ? el("section", { class: "card", role: "status", id: "done", "aria-label": t("table done") }, heading("done-heading", t("table done")), listed(done)) : null,
  ]; // prettier-ignore
}

/** The terms of an offer, and one step to join; or those of a game, and one step to take over a `seat`: `join` gets the name, and returns what is shown then. */
export function invitation({ title, terms, name, seat }, join, home) {
  const typed = el("input", { id: "name", type: "text", maxlength: 40, value: name, required: true, autocomplete: "off" });
  const out = el("div", {});
  const act = async () => {
    fill(out, await join(typed.value.trim()));
    out.querySelector("button").focus();
  };
  fill(out, name ? null : el("p", { class: "soft" }, t("table new key")),
    el("form", { class: "row", submit: (event) => (event.preventDefault(), guarded(act)) }, el("label", { for: "name" }, t("your name")), typed, el("button", { id: "join", class: "main" }, seat ? t("table take over", { name: seat }) : t("join")))); // prettier-ignore
  const parts = [el("section", { class: "card", "aria-labelledby": "terms" }, heading("terms", seat ? title : t("offer title", { game: title })), el("ul", {}, terms.map((line) => el("li", {}, line))), out, button(t("table back"), home, { id: "lobby" }))];
  return { parts, focus: typed };
}
