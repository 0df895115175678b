// Proofs through the JavaScript verifier: each line in has {"file", "bags"}, each line out [verdict, code, key].

import { readFileSync } from "node:fs";
import { utf8 } from "../../referee/page/bytes.mjs";
import { verify } from "../../referee/page/verifier.mjs";

for (const line of readFileSync(0, "utf8").trimEnd().split("\n")) {
  const { file, bags } = JSON.parse(line);
  const { verdict, code, key } = await verify(utf8(file), { bags });
  // What is no proof at all has no verdict of its own.
  console.log(JSON.stringify([verdict || "altered", code, key]));
}
