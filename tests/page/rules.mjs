// The rules as the page runs them: its own worker and Python, in a thread of Node that looks like a worker of a browser.
// `node rules.mjs FOLDER` where FOLDER has the parts; each line asks `{do, ...}`.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Worker } from "node:worker_threads";
import { gunzipSync } from "node:zlib";

import { makeRules } from "../../referee/page/rules.mjs";
import { followView, signAnswer } from "../../referee/page/player.mjs";
import { readPlayer } from "../../referee/page/playerfile.mjs";
import { setLanguage } from "../../referee/page/texts.mjs";
import { kindOf, verify } from "../../referee/page/verifier.mjs";

const folder = process.argv[2];
const part = (name) => new Uint8Array(readFileSync(join(folder, name)));
const text = (name) => new TextDecoder().decode(part(name));

/** What a classic worker of a browser has, and nothing of Node. */
const LIKE_A_BROWSER = `
{
  const { parentPort } = require("node:worker_threads");
  globalThis.self = globalThis;
  globalThis.location = new URL("blob:null/worker");
  globalThis.WorkerGlobalScope = class { static [Symbol.hasInstance]() { return true; } };
  globalThis.postMessage = (data) => parentPort.postMessage(data);
  globalThis.importScripts = () => {};
  globalThis.fetch = () => { throw new Error("nothing may be fetched"); };
  parentPort.on("message", (data) => self.onmessage({ data }));
  for (const name of ["process", "require", "module", "exports", "__filename", "__dirname"]) delete globalThis[name];
}
var require, process, module, exports, __filename, __dirname;
`;

let begun = 0;
let puts = 0;
let worker = null;

async function begin() {
  begun += 1;
  const thread = new Worker(`${LIKE_A_BROWSER}self.pyodide=${gunzipSync(part("pyodide"))};\n${text("worker")}`, { eval: true });
  worker = {
    postMessage: (data) => (data.name === "put" && puts++, thread.postMessage(data)),
    terminate: () => thread.terminate(),
    onmessage: null,
  };
  thread.on("message", (data) => worker.onmessage({ data }));
  thread.on("error", (error) => worker.onerror(error));
  const parts = Object.fromEntries(["wasm", "stdlib", "site", "sources"].map((name) => [name, part(name)]));
  worker.postMessage({ start: { ...parts, lock: text("lock") } });
  return worker;
}

let player = null;
const rules = makeRules(begin);

/** The report of the verifier, with what the player knows; a view is remembered. */
async function judge(bytes) {
  if (!player || kindIn(bytes) !== "view") return verify(bytes);
  const followed = await followView(player, bytes);
  player = followed.player;
  return followed.report;
}

function kindIn(bytes) {
  try {
    return kindOf(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return "";
  }
}

const DO = {
  async call({ name, body, language = "en" }) {
    setLanguage(language);
    return rules.call(name, body);
  },
  async put({ name, data, language = "en" }) {
    setLanguage(language);
    const bytes = new Uint8Array(Buffer.from(data, "base64"));
    const report = await judge(bytes);
    return { ...(await rules.put({ name, bytes, report, player })), verifier: report.ok ? "ok" : report.code };
  },
  async player({ data }) {
    player = await readPlayer(new Uint8Array(Buffer.from(data, "base64")));
    return player.key;
  },
  /** Sign what the rules have checked. */
  async sign({ data, move, standing }) {
    const { report } = await followView(player, new Uint8Array(Buffer.from(data, "base64")));
    const made = await signAnswer(player, report, { move, standing });
    player = made.player;
    return made.bytes;
  },
  /** A failure that is not Python's. */
  break() {
    worker.onmessage({ data: { fatal: "broken" } });
    return true;
  },
  begun: () => begun,
  puts: () => puts,
};

for await (const line of createInterface({ input: process.stdin })) {
  const { do: what, ...given } = JSON.parse(line);
  let answer;
  try {
    answer = { ok: await DO[what](given) };
  } catch (error) {
    if (!error.code) throw error;
    answer = { error: { code: error.code, message: error.message, next: error.next ?? "", clause: error.clause ?? "" } };
  }
  console.log(JSON.stringify(answer, (key, value) => (value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value)));
}
process.exit(0);
