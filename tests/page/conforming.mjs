// The JavaScript verifier as an implementation that `referee conform` can call: node conforming.mjs verify FILE... | -

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { verify, verifyFiles } from "../../referee/page/verifier.mjs";

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

const [, , , ...paths] = process.argv;
if (paths[0] === "-") {
  for (const line of readFileSync(0, "utf8").trimEnd().split("\n")) console.log(await judged(line.split("\t")));
} else {
  const code = await judged(paths);
  console.log(code);
  process.exitCode = code === "ok" ? 0 : 6;
}
