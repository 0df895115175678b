// The player's file in this browser, for whoever chooses that: one for each key, with the day. What is there is merged with
// what comes, and never replaced.

import { merged } from "./playerfile.mjs";

const PLACE = { name: "pbem-referee", store: "players", keyPath: "key" };

/** Whether anything was ever stored in this place. */
export async function isStored({ name }) {
  return (await indexedDB.databases()).some((one) => one.name === name);
}

/** Do something with what is stored in a place: `act` gets the store, and a function that takes the result. */
export async function inStore({ name, store, keyPath }, mode, act) {
  const asked = indexedDB.open(name, 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore(store, { keyPath });
  const database = await new Promise((done, fail) => Object.assign(asked, { onsuccess: () => done(asked.result), onerror: () => fail(asked.error) }));
  try {
    return await new Promise((done, fail) => {
      const work = database.transaction(store, mode);
      let found;
      Object.assign(work, { oncomplete: () => done(found), onabort: () => fail(work.error) });
      act(work.objectStore(store), (result) => (found = result));
    });
  } finally {
    database.close();
  }
}

/** Every player that is kept, the newest first: `{key, player, saved}`. Who never chose this has nothing here. */
export async function keptPlayers() {
  if (!(await isStored(PLACE))) return [];
  const rows = await inStore(PLACE, "readonly", (store, take) => (store.getAll().onsuccess = ({ target }) => take(target.result)));
  return rows.sort((one, other) => (one.saved < other.saved ? 1 : -1));
}

/** Keep a player: `{player, saved}`, with all that was known of this key. */
export function keepPlayer(player) {
  return inStore(PLACE, "readwrite", (store, take) => {
    store.get(player.key).onsuccess = ({ target: { result } }) => {
      const row = { key: player.key, player: result ? merged(result.player, player) : player, saved: new Date().toISOString() };
      store.put(row);
      take(row);
    };
  });
}

export function forgetPlayer(key) {
  return inStore(PLACE, "readwrite", (store) => store.delete(key));
}
