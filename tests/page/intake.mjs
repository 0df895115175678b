// What the page makes of files, words, aids and expressions, asked line by line: each line is an object with `do`, each
// answer an object.

import { createInterface } from "node:readline";
import { readAid } from "../../referee/page/aid.mjs";
import { fieldsOf } from "../../referee/page/labels.mjs";
import { Bad, fromHex, utf8 } from "../../referee/page/bytes.mjs";
import { evaluate, expressionFault } from "../../referee/page/expressions.mjs";
import { documentsIn, readFiles, saidOnce } from "../../referee/page/intake.mjs";
import { isPlain, ranges, shortened, visible } from "../../referee/page/quote.mjs";

/** A file as a browser hands it over: its bytes as `hex`, or how they `start`; one of a `size` alone cannot be read. */
function fileOf({ name, hex, start, size }, read) {
  return {
    name,
    size: size ?? hex.length / 2,
    async arrayBuffer() {
      read.push(name);
      if (start !== undefined) return utf8(start.padEnd(size)).buffer;
      if (hex === undefined) throw new Error("not to be read");
      return fromHex(hex).buffer;
    },
  };
}

const DO = {
  async take({ files, most }) {
    const read = [];
    const found = await readFiles(files.map((one) => fileOf(one, read)), most);
    const { documents, wrong } = documentsIn(found.files);
    const shown = documents.map(({ name, kind, bytes, reply }) => ({ name, kind, size: bytes.length, reply }));
    return { documents: shown, wrong: saidOnce([...found.wrong, ...wrong]), read };
  },
  words: ({ texts, longest }) => ({ words: texts.map((text) => [shortened(text, longest), visible(text), isPlain(text)]) }),
  ranges: ({ numbers }) => ({ text: ranges(numbers) }),
  fields: ({ move }) => ({ fields: fieldsOf(move) }),
  aid({ text }) {
    const { aid, why = "" } = readAid({ bytes: utf8(text) });
    return { why, picture: aid?.picture ?? null, unfit: aid?.unfit ?? "", told: aid?.told ?? [], title: aid?.title ?? "" };
  },
  expressions: ({ texts, task, hand }) => ({
    found: texts.map((text) => {
      const why = expressionFault(text, task, hand);
      try {
        const { top, bottom, cards } = evaluate(text);
        return { value: `${top}/${bottom}`, cards, why };
      } catch (error) {
        if (!(error instanceof Bad)) throw error;
        return { why };
      }
    }),
  }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const given = JSON.parse(line);
  console.log(JSON.stringify(await DO[given.do](given)));
}
