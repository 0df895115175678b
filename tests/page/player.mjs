// A player in JavaScript, asked line by line: each line is an object with `do`, each answer an object, with `code` where
// something is refused. Files are texts.

import "./remembered.mjs";
import { createInterface } from "node:readline";
import { Bad, canonical, fromHex, parseText, textOf, utf8 } from "../../referee/page/bytes.mjs";
import { findBlocks, writeBlock } from "../../referee/page/blocks.mjs";
import { buildMove, fault, readMoves } from "../../referee/page/forms.mjs";
import { answerName, followView, joinName, makeJoin, nameFault } from "../../referee/page/player.mjs";
import { questionOf, signAnswer, signWord, wordsWith } from "../../referee/page/player.mjs";
import { contradictions, keyFile, merged, newPlayer, playerFile, playerFileName } from "../../referee/page/playerfile.mjs";
import { isUnknownReceipt, readPlayer, unknownRounds } from "../../referee/page/playerfile.mjs";
import { namesOf } from "../../referee/page/seats.mjs";
import { verify } from "../../referee/page/verifier.mjs";
import { belowFrom, guessed } from "./chance.mjs";

/** A move or words out of a description, by chance; null if none was found. */
function chosen(choices, below) {
  for (let tries = 0; choices.length && tries < 300; tries++) {
    const choice = choices[below(choices.length)];
    const values = guessed(choice, below);
    if (!fault(choice, values)) return buildMove(choice, values);
  }
  return null;
}

async function followed(given) {
  const player = await readPlayer(utf8(given.player));
  const found = await followView(player, utf8(given.view), { hint: given.hint });
  if (!found.report.ok) throw new Bad(found.report.code, found.report.words);
  return found;
}

const DO = {
  async key({ seed, name }) {
    const player = await newPlayer(fromHex(seed), name);
    return { key: textOf(keyFile(player)), player: textOf(playerFile(player)) };
  },
  async join({ player, offer, name, nonce }) {
    const report = await verify(utf8(offer));
    if (!report.ok) throw new Bad(report.code, report.words);
    const mine = await readPlayer(utf8(player));
    const file = await makeJoin(mine, report, name, fromHex(nonce));
    return { file: textOf(file), name: joinName(report, name, mine.key) };
  },
  async follow(given) {
    const { report, player, age, mine } = await followed(given);
    const before = await readPlayer(utf8(given.player));
    const unknown = mine ? unknownRounds(before, report) : [];
    const names = report.steps.map((step) => step.players.map((one) => one.name));
    const now = namesOf(report);
    return { player: textOf(playerFile(player)), age, mine, question: questionOf(report), unknown, names, now };
  },
  async receipt({ player, body }) {
    return { unknown: isUnknownReceipt(await readPlayer(utf8(player)), body) };
  },
  async merge({ one, other }) {
    const player = merged(await readPlayer(utf8(one)), await readPlayer(utf8(other)));
    return { player: textOf(playerFile(player)), name: playerFileName(player), contradictions: contradictions(player) };
  },
  /** Answers by chance out of `moves`, from the number in `guess`; `answer` is what was chosen. */
  async answer(given) {
    const { report, player } = await followed(given);
    const { what } = questionOf(report) ?? { what: "" };
    const answer = { ...given.answer };
    if (given.moves) {
      const below = belowFrom(given.guess);
      const moves = readMoves(given.moves);
      if (what !== "ack" && what !== "link") answer.move = chosen(moves.choices, below);
      if (moves.standing && below(3) === 0) answer.standing = chosen(moves.standing.choices, below);
    }
    const done = await signAnswer(player, report, answer);
    const name = answerName(report, "move");
    return { answer, file: textOf(done.bytes), id: done.id, player: textOf(playerFile(done.player)), name };
  },
  /** Signed with what `signer` knows, if there is one, instead of what following the view has taught. */
  async word(given) {
    const { report, player } = await followed(given);
    const signer = given.signer ? await readPlayer(utf8(given.signer)) : player;
    return { file: textOf(await signWord(signer, report, given.text)) };
  },
  words: ({ before, phrases }) => ({ words: phrases.reduce((said, words) => (said ? wordsWith(before, said, words) : words), null) ?? before }),
  name: ({ name }) => ({ why: nameFault(name) }),
  block: ({ kind, text }) => ({ block: writeBlock(kind, utf8(text)) }),
  blocks({ text }) {
    const found = findBlocks(text).map(({ kind, bytes, why }) => ({ kind, text: bytes && textOf(bytes), why }));
    return { blocks: found };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const given = parseText(line);
  let answer;
  try {
    answer = await DO[given.do](given);
  } catch (error) {
    if (!(error instanceof Bad)) throw error;
    answer = { code: error.code, why: error.message };
  }
  console.log(canonical(answer));
}
