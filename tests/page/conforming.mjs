// The JavaScript verifier as an implementation that `referee conform` can call: node conforming.mjs verify|step FILE... | -

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import "./remembered.mjs";
import { verify, verifyFiles } from "../../referee/page/verifier.mjs";
import { step } from "./steps.mjs";

function beside(path, name) {
  const file = join(dirname(path), name);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

async function judged(paths) {
  const options = { bags: beside(paths[0], "bags.json"), own: beside(paths[0], "own.json") };
  const files = paths.map((path) => new Uint8Array(readFileSync(path)));
  const { verdict, code } = files.length > 1 ? (await verifyFiles(files, options)).at(-1) : await verify(files[0], options);
  return verdict ? `${verdict} ${code}` : code;
}

async function stepped([path]) {
  const { kind, given } = JSON.parse(readFileSync(path, "utf8"));
  const { code, value } = await step(kind, given, beside(path, "bags.json"));
  return code === "ok" && kind !== "round" ? `ok ${JSON.stringify(value)}` : code;
}

const [, , verb, ...paths] = process.argv;
const said = verb === "step" ? stepped : judged;
if (paths[0] === "-") {
  for (const line of readFileSync(0, "utf8").trimEnd().split("\n")) console.log(await said(line.split("\t")));
} else {
  const answer = await said(paths);
  console.log(answer);
  process.exitCode = answer.split(" ")[0] === "ok" ? 0 : 6;
}
