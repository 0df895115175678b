// A board that can be clicked: the picture that a game makes, rebuilt from a few plain shapes, so that nothing in it can
// run or reach out. Groups with `data-at` are its marks.

import { shape } from "./dom.mjs";

const TAG = /<(\/?)([a-zA-Z]+)((?:\s+[\w:-]+="[^"]*")*)\s*(\/?)>|([^<]+)/g;
const ATTRIBUTE = /([\w:-]+)="([^"]*)"/g;
const SHAPES = new Set(["svg", "g", "title", "desc", "rect", "circle", "ellipse", "line", "polyline", "polygon", "path", "text", "tspan"]);
const PLAIN = /^(?:x|y|x1|y1|x2|y2|dx|dy|width|height|rx|ry|cx|cy|r|d|points|fill|fill-opacity|opacity|stroke|stroke-width|stroke-dasharray|stroke-linejoin|stroke-linecap|font-size|font-weight|font-style|font-family|text-anchor|dominant-baseline|transform|viewBox|lang|data-at)$/;
const ENTITIES = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'", "#x27": "'", "#39": "'" };
const MOST = 20000;

const plain = (text) => text.replace(/&(lt|gt|amp|quot|apos|#x27|#39);/g, (whole, name) => ENTITIES[name]);

/** `{node, title, told, marks}`: the picture, its title, the position in words, and mark -> `{node, look}`, of which `look`
 * is how it is drawn. Null for a picture of other shapes. */
export function drawn(svg) {
  const open = [];
  let root = null;
  let count = 0;
  const marks = new Map();
  const texts = { title: "", desc: "" };
  for (const [whole, end, name, given, alone, text] of svg.matchAll(TAG)) {
    const above = open.at(-1);
    if (text !== undefined) {
      if (!above) return null;
      if (above.name in texts) texts[above.name] += plain(text);
      else above.node?.append(plain(text));
      continue;
    }
    if (end) {
      if (!above || above.name !== name) return null;
      open.pop();
      for (const { look } of open) if (look) look.push(whole);
      continue;
    }
    if (!SHAPES.has(name) || ++count > MOST || (root && !above) || (!root && name !== "svg")) return null;
    const node = name in texts ? null : shape(name, attributesOf(given));
    const mark = node?.getAttribute("data-at");
    const one = { name, node, look: mark ? [] : null };
    if (mark && !marks.has(mark)) marks.set(mark, { node, look: one.look });
    if (node && above) above.node.append(node);
    root ??= node;
    for (const { look } of [...open, one]) if (look) look.push(whole);
    if (!alone) open.push(one);
  }
  if (!root || open.length) return null;
  for (const mark of marks.values()) mark.look = mark.look.join("");
  return { node: root, title: texts.title, told: texts.desc, marks };
}

function attributesOf(given) {
  const found = {};
  for (const [, name, value] of given.matchAll(ATTRIBUTE)) if (PLAIN.test(name) && !/url\s*\(/i.test(value)) found[name] = plain(value);
  return found;
}

/** The marks that look otherwise than before. */
export function changed(now, before) {
  return new Set([...now.marks].filter(([mark, { look }]) => before && before.marks.get(mark)?.look !== look).map(([mark]) => mark));
}
