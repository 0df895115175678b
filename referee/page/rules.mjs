// The rules in the page: the program itself, which runs in a worker. It judges no signature and makes none: it gets documents
// that the verifier has judged before, with every signature that was judged, and never a key.

import { base64Of, canonical, hexOf, sha256, utf8 } from "./bytes.mjs";
import { Refused } from "./engine.mjs";
import { paper } from "./screen.mjs";
import { currentLanguage, t } from "./texts.mjs";
import { ephemeralOf, onJudged } from "./wire.mjs";

const PLACED_MOST = 80;

/** The signatures that were judged: key, signature, SHA-256 of what was signed, in hex. */
const judged = { valid: new Set(), invalid: new Set() };
onJudged((key, signature, bytes, valid) => judged[valid ? "valid" : "invalid"].add(key + signature + hexOf(sha256(bytes))));

/**
 * The rules, in a worker: `begin` makes one and sends it the first message. Returns `{call, put}`.
 *
 * `call(name, body)` asks as in `calls.mjs`. `put({name, bytes, report, player})` takes a document with what the verifier says
 * of it, and says what it is worth: `{game, kind, code, checked, error}`. Both must find it good: what only one of them does has
 * no `game`, and cannot be opened. `player` is the one whose memory belongs to it, or null.
 *
 * After a failure that is not Python's `over` gets it; the next call begins another worker, which gets every document again.
 */
export function makeRules(begin, over = () => {}) {
  /** Handle -> the document. */
  const documents = new Map();
  /** What was brought -> what the rules said of it, in this worker. */
  const placed = new Map();
  let worker = null;

  async function running() {
    if (worker) return worker;
    const ended = (why) => {
      if (worker !== mine) return;
      worker = null;
      placed.clear();
      over(why);
    };
    const mine = started(begin, ended).then(async (ask) => {
      for (const one of documents.values()) await ask("put", brought(one));
      return ask;
    });
    worker = mine;
    return mine.catch((error) => (ended(error), Promise.reject(error)));
  }

  async function call(name, body = {}) {
    return (await running())(name, { language: currentLanguage(), ...paper(name), ...body });
  }

  /** What was judged before, in the same language and with the same memory, is judged once: a page that is shown again asks
   * for all of its documents. */
  async function put(one) {
    const asked = brought(one);
    const name = hexOf(new Uint8Array(await crypto.subtle.digest("SHA-256", utf8(canonical({ ...asked, valid: [], invalid: [] })))));
    const place = placed.get(name) ?? (await call("put", asked))[0];
    if (place.code !== "not-judged") placed.set(name, place);
    if (placed.size > PLACED_MOST) placed.delete(placed.keys().next().value);
    const found = agreed(place, one.report);
    if (found.game) documents.set(found.game, one);
    return found;
  }

  return { call, put };
}

/** A document, with all that is known of signatures and of its owner's games. */
function brought({ name, bytes, report, player }) {
  return {
    language: currentLanguage(),
    documents: [{ name, data: base64Of(bytes), sound: report.ok }],
    valid: [...judged.valid],
    invalid: [...judged.invalid],
    key: player?.key ?? "",
    name: player?.name ?? "",
    games: player ? player.tickets.map((ticket) => remembered(player, ticket)) : [],
  };
}

/** What a player knows of a game, as the program keeps it. */
function remembered(player, { game, sealed = [], signed = [] }) {
  const parts = sealed.map(({ round, seat, fields }) => {
    const ephemeral = hexOf(ephemeralOf(player.seed, { game, round, seat }, fields));
    return { round, seat, fields, ephemeral };
  });
  return { game, sealed: parts, signed: signed.map(canonical) };
}

/** What a document is worth, by the rules and by the verifier. */
function agreed(place, { ok, code, words }) {
  if (place.error || (ok && place.code === "ok")) return place;
  const found = ok ? place.code : code;
  return { ...place, game: "", code: found, checked: null, error: { code: found, message: words ?? "", next: "", clause: "" } };
}

/** A worker that has loaded Python, as a function that asks it; `ended` is told why when nothing can be asked any more. */
async function started(begin, ended) {
  const refused = (why) => new Refused({ code: "rules-ended", message: t("rules ended", { why }), next: t("rules again") });
  const worker = await begin().catch((error) => Promise.reject(refused(error.message)));
  const waiting = new Map();
  let number = 0;
  return new Promise((resolve, reject) => {
    const ask = (name, body) =>
      new Promise((done, failed) => {
        waiting.set(++number, [done, failed]);
        worker.postMessage({ id: number, name, body });
      });
    const end = (why) => {
      const gone = refused(why);
      ended(gone);
      worker.terminate();
      reject(gone);
      for (const [, failed] of waiting.values()) failed(gone);
    };
    worker.onerror = (event) => end(event.message ?? "");
    worker.onmessage = ({ data: { ready, fatal, id, ok, answer } }) => {
      if (ready) return resolve(ask);
      if (fatal !== undefined) return end(fatal);
      const [done, failed] = waiting.get(id);
      waiting.delete(id);
      return ok ? done(answer) : failed(new Refused(answer));
    };
  });
}
