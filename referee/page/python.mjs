// Begins the worker with Python, from what the page carries. Nothing is loaded from anywhere else.

import { hexOf } from "./bytes.mjs";
import { el, fill } from "./dom.mjs";
import { PAYLOADS } from "./payloads.mjs";
import { t } from "./texts.mjs";

/** The addresses of workers that were made here: no other can become one. */
const ours = new Set();
const policy = globalThis.trustedTypes?.createPolicy("rules", {
  createScriptURL(address) {
    if (!ours.has(address)) throw new TypeError(address);
    return address;
  },
});

/** The end of the page, before which its blocks are still being read. */
const read = new Promise((done) => (document.readyState === "loading" ? addEventListener("DOMContentLoaded", done) : done()));

/** What the page carries under this name, if it is what the script says. */
async function payload(name) {
  await read;
  const bytes = Uint8Array.from(atob(document.getElementById(`payload-${name}`).textContent), (one) => one.charCodeAt(0));
  const digest = hexOf(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
  if (digest !== PAYLOADS[name]) throw new Error(t("rules damaged", { name }));
  return bytes;
}

/** The licences of what the page carries, to be read. */
export function licences() {
  const text = el("pre", { class: "licences" });
  const look = () => text.childNodes.length || payload("licences").then((bytes) => fill(text, new TextDecoder().decode(bytes)));
  return el("details", { id: "licences", class: "no-print", toggle: look }, el("summary", {}, t("licences")), text);
}

const gunzip = (bytes) => new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")));

/** A worker, to which everything that it needs is on its way. */
export async function begin() {
  const [code, pyodide] = [await payload("worker"), await payload("pyodide")];
  const parts = { lock: new TextDecoder().decode(await payload("lock")) };
  for (const name of ["wasm", "stdlib", "site", "sources"]) parts[name] = await payload(name);
  const script = ["self.pyodide=", await gunzip(pyodide).arrayBuffer(), ";\n", code];
  const address = URL.createObjectURL(new Blob(script, { type: "text/javascript" }));
  ours.add(address);
  const worker = new Worker(policy ? policy.createScriptURL(address) : address);
  worker.postMessage({ start: parts }, ["wasm", "stdlib", "site", "sources"].map((name) => parts[name].buffer));
  return worker;
}
