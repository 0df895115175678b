// Builds moves from descriptions, one line of JSON in and out: `{"moves", "values"}` gives `{"move"}`, the text that would be
// signed, or `{"why"}`; `{"moves", "guess"}` gives values by chance too, from the number in `guess`.

import { createInterface } from "node:readline";
import { Bad, canonical, parseText } from "../../referee/page/bytes.mjs";
import { buildMove, readMoves } from "../../referee/page/forms.mjs";
import { belowFrom, guessed } from "./chance.mjs";

for await (const line of createInterface({ input: process.stdin })) {
  const given = parseText(line);
  try {
    const [choice] = readMoves(given.moves).choices;
    const values = given.values ?? guessed(choice, belowFrom(given.guess));
    console.log(JSON.stringify({ values, move: canonical(buildMove(choice, values)) }));
  } catch (error) {
    if (!(error instanceof Bad)) throw error;
    console.log(JSON.stringify({ code: error.code, part: error.part ?? null, why: error.message }));
  }
}
