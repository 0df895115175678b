// Words that others chose, made safe to show: nothing in them is invisible, reorders other words, or is too long. They
// stay text, and are shown in a separate box.

const LONGEST = 240;
const SPACE = /[\p{Zs}\p{Zl}\p{Zp}\t\n\r]+/gu;
/** Characters that show nothing, or change how others are shown; some letters look like blanks. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u115f\u1160\u2800\u3164\uffa0]/gu;
/** Between letters and in emoji, joiners are spelling. */
const JOINERS = /^[\u200c\u200d]$/;
const JOINED = /[\p{L}\p{M}\p{Extended_Pictographic}]$/u;
const JOINS = /^[\p{L}\p{Extended_Pictographic}]/u;
const PILED = /(\p{M}{3})\p{M}+/gu;

/** A text with everything visible: `⟨202E⟩` for the character that reverses the order of others. */
export function visible(text) {
  const plain = text.replace(SPACE, " ").replace(PILED, "$1");
  return plain.replace(HIDDEN, (one, at) => {
    const spelled = JOINERS.test(one) && JOINED.test(plain.slice(Math.max(0, at - 2), at)) && JOINS.test(plain.slice(at + 1, at + 3));
    return spelled ? one : `⟨${one.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
}

/** At most this many characters of it, all visible. */
export function shortened(text, longest = LONGEST) {
  const some = [...text.slice(0, 4 * longest)];
  const cut = some.length > longest || text.length > 4 * longest;
  return visible(cut ? `${some.slice(0, longest).join("")}…` : text);
}

const WORD = /^(?:…|[\p{L}\p{N}@(-][\p{L}\p{M}\p{N} ._+*/()@'-]*)$/u;

/** Whether a text stands for itself among fields and commas: nothing in it looks like another field. */
export function isPlain(text) {
  return WORD.test(text) && !text.includes("  ") && visible(text) === text;
}

/** `1–3, 5` for ascending numbers. */
export function ranges(numbers) {
  const runs = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([low, high]) => (low === high ? `${low}` : `${low}–${high}`)).join(", ");
}
