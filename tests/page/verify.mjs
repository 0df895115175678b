// Verifies files, one line of JSON in and out: `{"files": [text...], "bags", "hint", "own"}` gives the report, the last one
// for several.

import { createInterface } from "node:readline";
import { parseText, utf8 } from "../../referee/page/bytes.mjs";
import "./remembered.mjs";
import { verify, verifyFiles } from "../../referee/page/verifier.mjs";

for await (const line of createInterface({ input: process.stdin })) {
  const { files, steps: wanted, ...options } = parseText(line);
  const bytes = files.map(utf8);
  const report = bytes.length > 1 ? (await verifyFiles(bytes, options)).at(-1) : await verify(bytes[0], options);
  const { kind, ok, code, blames, round, words, draws, rules, counts, steps } = report;
  console.log(JSON.stringify({ kind, ok, code, blames, round, words, draws, rules, counts, ...(wanted && { steps }) }));
}
