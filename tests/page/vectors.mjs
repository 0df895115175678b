// Every vector of schemas/vectors through the JavaScript modules: one line of JSON for each, `{"name", "code", "value"...}`.
// What is right and what is wrong about that the caller judges.

import { readFileSync, readdirSync } from "node:fs";
import { canonical, utf8 } from "../../referee/page/bytes.mjs";
import "./remembered.mjs";
import { verify, verifyFiles } from "../../referee/page/verifier.mjs";
import { step } from "./steps.mjs";

const folder = new URL("../../schemas/vectors/", import.meta.url);
const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
const vectors = new Map(names.map((name) => [name, JSON.parse(readFileSync(new URL(name, folder), "utf8"))]));

// The document after a change; it shares with the old one what is not touched.
function changed(old, { value, remove }, [name, ...way]) {
  const out = Array.isArray(old) ? [...old] : { ...old };
  if (way.length) out[name] = changed(old[name], { value, remove }, way);
  else if (!remove) out[name] = value;
  else if (Array.isArray(out)) out.splice(name, 1);
  else delete out[name];
  return out;
}

const patched = (document, changes) => changes.reduce((old, change) => changed(old, change, change.at), document);
const documentOf = (file) => file.document ?? patched(documentOf(vectors.get(file.base).file), file.patch);
const bytesOf = (file) => utf8("text" in file ? file.text : canonical(documentOf(file)));

async function judged(vector) {
  const { kind, file, bags, own } = vector;
  if (["view", "transcript", "proof", "claim", "ruling"].includes(kind)) return verify(bytesOf(file), { bags, own });
  if (kind === "several") return (await verifyFiles(file.map(bytesOf), { bags, own })).at(-1);
  return step(kind, kind === "round" ? documentOf(file) : vector.given, bags);
}

for (const [name, vector] of vectors) {
  const { code, blames, verdict = "", words = "", round = null, rules = "", value = null } = await judged(vector);
  const said = verdict ? `${verdict} ${code}` : code;
  console.log(JSON.stringify({ name, code: said, blames, words, round, rules, value }));
}
