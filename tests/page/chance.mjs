// Values of a choice by chance, for tests.

import { openOptions } from "../../referee/page/forms.mjs";

/** A function that gives whole numbers below n, by chance from a seed (mulberry32). */
export function belowFrom(seed) {
  let state = seed | 0;
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}

/** Values for all parts; they may break a limit, and there is none for a free text or where nothing is open. */
export function guessed(choice, below) {
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
