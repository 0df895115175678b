// The player's file in this browser, for whoever chooses that: one for each key, with the day. What is there is merged with
// what comes, and never replaced.

import { merged } from "./playerfile.mjs";

const [NAME, PLAYERS] = ["pbem-referee", "players"];

/** Do something with what is stored: `act` gets the store, and a function that takes the result. */
async function inStore(mode, act) {
  const asked = indexedDB.open(NAME, 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore(PLAYERS, { keyPath: "key" });
  const database = await new Promise((done, fail) => Object.assign(asked, { onsuccess: () => done(asked.result), onerror: () => fail(asked.error) }));
  try {
    return await new Promise((done, fail) => {
      const work = database.transaction(PLAYERS, mode);
      let found;
      Object.assign(work, { oncomplete: () => done(found), onabort: () => fail(work.error) });
      act(work.objectStore(PLAYERS), (result) => (found = result));
    });
  } finally {
    database.close();
  }
}

/** Every player that is kept, the newest first: `{key, player, saved}`. Who never chose this has nothing here. */
export async function keptPlayers() {
  const names = (await indexedDB.databases()).map((one) => one.name);
  if (!names.includes(NAME)) return [];
  const rows = await inStore("readonly", (store, take) => (store.getAll().onsuccess = ({ target }) => take(target.result)));
  return rows.sort((one, other) => (one.saved < other.saved ? 1 : -1));
}

/** Keep a player: `{player, saved}`, with all that was known of this key. */
export function keepPlayer(player) {
  return inStore("readwrite", (store, take) => {
    store.get(player.key).onsuccess = ({ target: { result } }) => {
      const row = { key: player.key, player: result ? merged(result.player, player) : player, saved: new Date().toISOString() };
      store.put(row);
      take(row);
    };
  });
}

export function forgetPlayer(key) {
  return inStore("readwrite", (store) => store.delete(key));
}
