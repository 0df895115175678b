// The tables of texts, and every piece of text in the modules, as JSON; `node texts.mjs FOLDER`.

import { readFileSync, readdirSync } from "node:fs";
import { SENTENCES, TEXTS, WORDS } from "../../referee/page/translations.mjs";
import * as texts from "../../referee/page/texts.mjs";

/** The strings and templates in a source, in order; what a template fills in is `{}`. */
function literals(source) {
  const found = [];
  let at = 0;
  let before = "";
  const quoted = (mark) => {
    const start = ++at;
    while (source[at] !== mark) at += source[at] === "\\" ? 2 : 1;
    found.push(source.slice(start, at++));
  };
  const template = () => {
    let text = "";
    for (at++; source[at] !== "`"; ) {
      if (source.startsWith("${", at)) {
        at += 2;
        read("}");
        at++;
        text += "{}";
      } else if (source[at] === "\\") [text, at] = [text + source[at + 1], at + 2];
      else text += source[at++];
    }
    at++;
    found.push(text);
  };
  const pattern = () => {
    let set = false;
    for (at++; source[at] !== "/" || set; at++) {
      if (source[at] === "\\") at++;
      else if (source[at] === "[") set = true;
      else if (source[at] === "]") set = false;
    }
    at++;
  };
  const read = (end) => {
    let depth = 0;
    while (at < source.length && !(source[at] === end && depth === 0)) {
      const one = source[at];
      if (source.startsWith("//", at)) while (at < source.length && source[at] !== "\n") at++;
      else if (source.startsWith("/*", at)) at = source.indexOf("*/", at) + 2;
      else if (one === '"' || one === "'") quoted(one);
      else if (one === "`") template();
      else if (one === "/" && /[(,=>:[!&|?{};+]/.test(before)) pattern();
      else {
        if (one === "{") depth++;
        if (one === "}") depth--;
        if (!/\s/.test(one)) before = one;
        at++;
        continue;
      }
      before = '"';
    }
  };
  read("");
  return found;
}

const folder = process.argv[2];
const modules = readdirSync(folder).filter((name) => name.endsWith(".mjs") && name !== "translations.mjs");
const sources = Object.fromEntries(modules.map((name) => [name, literals(readFileSync(`${folder}/${name}`, "utf8"))]));
const spoken = Object.fromEntries(
  Object.keys(texts.LANGUAGES).map((language) => {
    texts.setLanguage(language);
    const said = {
      list: texts.joinedWords(["Anna", "Bert", "Carla"]),
      pair: texts.joinedWords(["Anna", "Bert"]),
      spans: [1, 60, 120, 1440, 4320, 90].map(texts.duration),
      times: ["2027-01-05T18:07Z", "2026-12-24T09:00Z", "no time"].map(texts.moment),
      figures: [7, 1234, 12345].map(texts.figure),
      sentences: [
        "round is unknown to the table", "nothing is left to draw in goods", "by the bags that the aid names, there are more red than there can be",
        "this is not valid JSON (character 12)", "goods/3 does not hold offer-7", "a token is not in bag", "the view has the wrong shape", "the move is not signed by its key",
      ].map(texts.sentence), // prettier-ignore
      move: texts.spoken({ do: "sell", shares: { red: 2, blue: 1 }, drop: null, hold: true }),
      term: texts.term("offer-12"),
    };
    return [language, said];
  }),
);
console.log(JSON.stringify({ texts: TEXTS, sentences: SENTENCES, words: WORDS, sources, spoken }));
