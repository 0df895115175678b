// Schwarzer Freitag, over standard input and output: silver will never be cheaper, so buy as much as can be paid.
// Run it with: referee bot schwarzer-freitag -- node examples/bots/freitag.js
"use strict";

const lines = require("readline").createInterface({ input: process.stdin, terminal: false });
const say = (line) => process.stdout.write(JSON.stringify(line) + "\n");

// Each choice has a move that is legal as it is. Where nothing limits the number of bars, take the largest.
function silver(choice) {
  const bars = (choice.parts ?? []).find((part) => part.name === "bars");
  return bars && !choice.limits ? { ...choice.move, bars: bars.high } : choice.move;
}

function decide({ choices }) {
  const found = (what) => choices.find((choice) => choice.move.do === what);
  if (found("silver")) return silver(found("silver"));
  return (found("buy") ?? choices[0]).move;
}

lines.on("line", (text) => {
  const line = JSON.parse(text);
  if (line.type === "hello") say({ type: "ready", protocol: 1, name: "freitag.js" });
  if (line.type === "question") say({ type: "answer", id: line.id, move: decide(line.moves) });
});
