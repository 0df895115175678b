// How long the JavaScript verifier takes for each file named, against the bare signature checks in it. Medians of one run.

import { readFileSync } from "node:fs";
import { fromHex, utf8 } from "../../referee/page/bytes.mjs";
import { keyPair } from "../../referee/page/wire.mjs";
import { verify } from "../../referee/page/verifier.mjs";

const TIMES = 5;

async function bare(count) {
  const [secret, point] = await keyPair("Ed25519", new Uint8Array(32).fill(7), ["sign"]);
  const key = await crypto.subtle.importKey("raw", point, "Ed25519", false, ["verify"]);
  const message = utf8("x".repeat(900));
  const sig = await crypto.subtle.sign("Ed25519", secret, message);
  for (let done = 0; done < count; done++) await crypto.subtle.verify("Ed25519", key, sig, message);
}

async function milliseconds(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const median = (times) => times.sort((one, other) => one - other)[times.length >> 1];

for (const name of process.argv.slice(2)) {
  const bytes = new Uint8Array(readFileSync(name));
  const first = await milliseconds(() => verify(bytes));
  const report = await verify(bytes);
  if (!report.ok) throw new Error(`${name}: ${report.code}: ${report.words}`);
  const [checks, bares] = [[], []];
  for (let time = 0; time < TIMES; time++) {
    checks.push(await milliseconds(() => verify(bytes)));
    bares.push(await milliseconds(() => bare(report.counts.signatures)));
  }
  const [check, floor, rounds] = [median(checks), median(bares), report.steps.length];
  const ratio = (check / floor).toFixed(2);
  const size = (bytes.length / 1e6).toFixed(2);
  console.log(
    `${name.split("/").at(-1)}: ${rounds} rounds, ${size} MB, ${report.counts.signatures} signatures\n` +
      `  check ${check.toFixed(0)} ms (the first time ${first.toFixed(0)} ms), bare signatures ${floor.toFixed(0)} ms: ` +
      `ratio ${ratio}; 300 rounds: ${((300 * check) / rounds).toFixed(0)} ms (goal < 3000)`,
  );
}
