// The screen of whoever looks: a board is drawn for a phone or for a wider screen.

const PHONE = globalThis.matchMedia?.("(max-width: 520px)");
const DRAWS = new Set(["open", "look", "practice", "undo"]);

/** What a call is told of the screen, if it draws a board. */
export const paper = (name) => (DRAWS.has(name) ? { width: PHONE?.matches ? 360 : 600 } : {});

/** Do something whenever a phone is turned, or a window made so wide or narrow that the board is drawn otherwise. */
export const onTurned = (act) => PHONE?.addEventListener("change", act);
