// What every part of the table shares: one thing is done at a time, and what was refused is said above it all.

import { isGone } from "./engine.mjs";
import { el, fill } from "./dom.mjs";
import { t } from "./texts.mjs";

export const page = document.getElementById("page");
export const troubles = el("div", { role: "alert", id: "troubles" });

export const button = (label, click, more = {}) => el("button", { type: "button", click: () => guarded(click), ...more }, label);
export const heading = (id, text) => el("h2", { id }, text);

/** What was clicked and is being done; null if nothing is. */
let acting = null;
/** The end of all that was begun. */
let turn = Promise.resolve();

/** Do what was clicked. A click in the meantime was meant for what is about to change, and does nothing. */
export function guarded(act) {
  acting ??= inTurn(act).finally(() => (acting = null));
  return acting;
}

/** Do something once everything before it is done, and show what it was refused with. */
export function inTurn(act) {
  page.setAttribute("aria-busy", "true");
  const done = turn.catch(() => {}).then(() => shielded(act)).finally(() => turn === done && page.removeAttribute("aria-busy")); // prettier-ignore
  turn = done;
  return done;
}

async function shielded(act) {
  try {
    await act();
  } catch (error) {
    tell(error);
  }
}

/** Say what a call was refused with; anything else is a fault of the page. */
export function tell(error) {
  if (isGone(error)) return gone();
  if (!error.code) throw error;
  const lines = error.code === "no-access" ? [t("table no key")] : [sentenceOf(error.message), error.next && t("table next", { next: error.next })];
  fill(troubles, lines.filter(Boolean).map((line) => el("p", { class: "bad" }, line)));
  return troubles.scrollIntoView({ block: "nearest" });
}

export const sentenceOf = (message) => `${message.slice(0, 1).toUpperCase()}${message.slice(1)}.`;
export const quiet = () => fill(troubles);

export function gone() {
  fill(page, el("h1", {}, t("table title")), el("p", { class: "unsure", role: "alert", id: "gone" }, t("table gone")));
}

/** Faults of the page are said, too. */
export function watchFaults() {
  const failed = (what) => fill(troubles, el("p", { class: "bad" }, t("fault", { what })));
  addEventListener("error", (event) => failed(event.message));
  addEventListener("unhandledrejection", (event) => failed(event.reason?.message ?? event.reason));
}
