// Any files through the JavaScript verifier, one line of JSON in and out: {"files": [base64...], "bags", "own"} gives
// {"code", "blames", "verdict", "key", "binding", "round"} of the file, or of all together. What it stumbles over is told as `crash`.

import { createInterface } from "node:readline";
import "./remembered.mjs";
import { verify, verifyFiles } from "../../referee/page/verifier.mjs";

for await (const line of createInterface({ input: process.stdin })) {
  const { files, ...options } = JSON.parse(line);
  const bytes = files.map((file) => new Uint8Array(Buffer.from(file, "base64")));
  let report;
  try {
    report = bytes.length > 1 ? (await verifyFiles(bytes, options)).at(-1) : await verify(bytes[0], options);
  } catch (error) {
    report = { code: `crash ${error}`, blames: "", verdict: "", key: "", round: null };
  }
  const { code, blames, verdict, key, binding, round } = report;
  console.log(JSON.stringify({ code, blames, verdict, key, binding, round }));
}
