// Practice games in this browser, for whoever chooses that: one of each game, as the rules write it. That it was chosen is
// told by the database: without that choice there is none.

import { inStore, isStored } from "./stored.mjs";

const PLACE = { name: "pbem-referee-practice", store: "games", keyPath: "game" };

/** Game -> what is kept of it; null if that was never chosen. */
export async function keptPractice() {
  if (!(await isStored(PLACE))) return null;
  const rows = await inStore(PLACE, "readonly", (store, take) => (store.getAll().onsuccess = ({ target }) => take(target.result)));
  return new Map(rows.map(({ game, text }) => [game, text]));
}

/** Keep these games, and none of those that are over. What another window keeps stays. */
export function keepPractice(left, over) {
  return inStore(PLACE, "readwrite", (store) => {
    for (const [game, text] of left) store.put({ game, text });
    for (const game of over) store.delete(game);
  });
}

export function forgetPractice() {
  return new Promise((done, fail) => Object.assign(indexedDB.deleteDatabase(PLACE.name), { onsuccess: done, onerror: fail, onblocked: done }));
}
