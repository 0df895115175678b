// Builds moves from descriptions, one line of JSON in and out: `{"moves", "values"}` gives `{"move"}`, the text that would be
// signed, or `{"why"}`; `{"moves", "guess"}` gives values by chance too, from the number in `guess`.

import { createInterface } from "node:readline";
import { Bad, canonical, parseText } from "../../referee/page/bytes.mjs";
import { buildMove, openOptions, readMoves } from "../../referee/page/forms.mjs";

let state = 0;

/** A whole number below n, by chance (mulberry32). */
function below(n) {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) % n;
}

function guessed(choice) {
  const values = {};
  for (const part of choice.parts ?? []) {
    if (part.type === "pick") {
      const open = openOptions(choice, part, values);
      if (open.length) values[part.name] = open[below(open.length)].text;
    } else if (part.type === "number") {
      values[part.name] = part.low + below(part.high - part.low + 1);
    } else if (part.type === "amounts") {
      values[part.name] = {};
      for (const [name, most] of Object.entries(part.most)) if (below(3)) values[part.name][name] = below(most + 1);
    } else if (part.type === "ranking") {
      const left = [...part.names];
      const size = part.least + below(left.length - part.least + 1);
      values[part.name] = Array.from({ length: size }, () => left.splice(below(left.length), 1)[0]);
    }
  }
  return values;
}

for await (const line of createInterface({ input: process.stdin })) {
  const given = parseText(line);
  state = given.guess ?? 0;
  try {
    const [choice] = readMoves(given.moves).choices;
    const values = given.values ?? guessed(choice);
    console.log(JSON.stringify({ values, move: canonical(buildMove(choice, values)) }));
  } catch (error) {
    if (!(error instanceof Bad)) throw error;
    console.log(JSON.stringify({ code: error.code, part: error.part ?? null, why: error.message }));
  }
}
