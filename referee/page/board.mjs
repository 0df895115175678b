// A board that can be clicked: the picture that a game makes, rebuilt from a few plain shapes, so that nothing in it can
// run or reach out. Groups with `data-at` are its marks.

import { shape } from "./dom.mjs";
import { shortened } from "./quote.mjs";

const TAG = /<(\/?)([a-zA-Z]+)((?:\s+[\w:-]+="[^"]*")*)\s*(\/?)>|([^<]+)/g;
const ATTRIBUTE = /([\w:-]+)="([^"]*)"/g;
const SHAPES = new Set(["svg", "g", "title", "desc", "rect", "circle", "ellipse", "line", "polyline", "polygon", "path", "text", "tspan"]);
const PLAIN = /^(?:x|y|x1|y1|x2|y2|dx|dy|width|height|rx|ry|cx|cy|r|d|points|fill|fill-opacity|opacity|stroke|stroke-width|stroke-dasharray|stroke-linejoin|stroke-linecap|font-size|font-weight|font-style|font-family|text-anchor|dominant-baseline|transform|viewBox|lang|data-at)$/;
const ENTITIES = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'", "#x27": "'", "#39": "'" };
const MOST = 20000;
const TOLD_MOST = 5000;

const plain = (text) => text.replace(/&(lt|gt|amp|quot|apos|#x27|#39);/g, (whole, name) => ENTITIES[name]);

/** `{node, title, told, marks}`: the picture, its title, the position in words, and mark -> `{nodes, look}`, of which `look`
 * is how it is drawn, and where. A thing on a field can have the mark of the field too. Null for a picture of other shapes. */
export function drawn(svg) {
  const open = [];
  let root = null;
  let count = 0;
  const marks = new Map();
  const texts = { title: "", desc: "" };
  const note = (part) => open.forEach(({ mark }) => mark?.look.push(part));
  for (const [whole, end, name, given, alone, text] of svg.matchAll(TAG)) {
    const above = open.at(-1);
    if (text !== undefined) {
      if (!above) return null;
      if (above.name in texts) texts[above.name] += plain(text);
      else above.node?.append(plain(text));
      note(text);
      continue;
    }
    if (end) {
      if (!above || above.name !== name) return null;
      note(whole);
      open.pop();
      if (name === "text") open.at(-1).node?.append(" "); // readers of the page would say two words as one
      continue;
    }
    if (!SHAPES.has(name) || ++count > MOST || (root && !above) || (!root && name !== "svg")) return null;
    const node = name in texts ? null : shape(name, attributesOf(given));
    const at = node?.getAttribute("data-at");
    const mark = at ? (marks.get(at) ?? { nodes: [], look: [] }) : null;
    if (mark) {
      marks.set(at, mark);
      mark.nodes.push(node);
    }
    if (node && above) above.node.append(node);
    root ??= node;
    open.push({ name, node, mark });
    note(whole);
    if (alone) open.pop();
  }
  if (!root || open.length) return null;
  for (const mark of marks.values()) mark.look = placed(mark.look.join(""));
  return { node: root, title: texts.title, told: shortened(texts.desc, TOLD_MOST), marks };
}

const PLACES = / (?:(c?x|x[12])|(c?y|y[12])|d|points)="([^"]*)"/g;
const POINTS = /(?<![a-z\d.-])(-?[\d.]+)[ ,](-?[\d.]+)|H(-?[\d.]+)|V(-?[\d.]+)/g;

/** `{look, x, y}`: how something is drawn, counted from its own first point, and where that is. A line more at the top of a
 * picture pushes everything else down, and changes none of it. */
function placed(tags) {
  const from = {};
  const count = (axis, number) => String(Math.round((number - (from[axis] ??= Number(number))) * 100) / 100);
  const point = (whole, x, y, across, down) => (x ? `${count("x", x)} ${count("y", y)}` : across ? `H${count("x", across)}` : `V${count("y", down)}`);
  const place = (whole, across, down, value) => ` ${across ?? down ?? "at"}="${across ? count("x", value) : down ? count("y", value) : value.replace(POINTS, point)}"`;
  return { look: tags.replace(PLACES, place), x: from.x ?? 0, y: from.y ?? 0 };
}

function attributesOf(given) {
  const found = {};
  for (const [, name, value] of given.matchAll(ATTRIBUTE)) if (PLAIN.test(name) && !/url\s*\(/i.test(value)) found[name] = plain(value);
  return found;
}

const FINGER = 28; // where the edges of a screen take something, still 24 pixels
const OUTLINED = ":scope > :is(rect, circle, ellipse, path, polygon)";

/** Outline a mark in two tones, which show on every colour, and give it room for a finger; or take both away. */
export function outline(node, wanted) {
  for (const one of node.querySelectorAll(":scope > :is(.ring, .room)")) one.remove();
  if (!wanted) return;
  const shown = node.querySelector(OUTLINED);
  const { x, y, width, height } = node.getBBox();
  const more = (size) => Math.max(0, FINGER - size) / 2;
  const room = { x: x - more(width), y: y - more(height), width: Math.max(FINGER, width), height: Math.max(FINGER, height) };
  if (Math.min(width, height) < FINGER) node.prepend(shape("rect", { class: "room", ...room }));
  if (!shown) return;
  for (const tone of ["dark", "light"]) {
    const ring = shown.cloneNode(false);
    ring.classList.add("ring", tone);
    node.append(ring);
  }
}

/** The marks that look otherwise than before. */
export function changed(now, before) {
  return [...now.marks].filter(([mark, { look }]) => before && before.marks.get(mark)?.look.look !== look.look).map(([mark]) => mark);
}

/** Mark -> `[right, down]`, how far it has come, if it is drawn as before elsewhere. What three marks share is no move: the
 * picture is laid out in another way. */
export function moved(now, before) {
  const found = new Map();
  for (const [mark, { look }] of now.marks) {
    const old = before?.marks.get(mark)?.look;
    if (old?.look === look.look) found.set(mark, [look.x - old.x, look.y - old.y]);
  }
  const ways = [...found.values()].map(String);
  const shared = (way) => ways.filter((one) => one === String(way)).length;
  return new Map([...found].filter(([, way]) => way.some(Boolean) && shared(way) < 3));
}

// --- showing it ------------------------------------------------------------------------------------------------------

const SLIDE = { duration: 900, easing: "ease-in-out" };

/** The picture as things to press; or as one image, if there is a name for it. */
export function pictureOf({ node, told }, name = "") {
  const narrow = Number(node.getAttribute("width") ?? 600) < 600;
  for (const size of ["width", "height"]) node.removeAttribute(size);
  const more = name ? { role: "img", "aria-label": told || name } : { role: "none" };
  for (const [name, value] of Object.entries({ class: narrow ? "board narrow" : "board", ...more })) node.setAttribute(name, value);
  return node;
}

/** Mark what is not as it was a round before, and let what has moved come from where it was. */
export function showChanges(board, before) {
  const each = (mark, act) => board.marks.get(mark).nodes.forEach(act);
  for (const mark of changed(board, before)) each(mark, (node) => node.classList.add("changed"));
  const ways = moved(board, before);
  for (const mark of ways.keys()) each(mark, (node) => node.classList.add("changed"));
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  for (const [mark, [right, down]] of ways) each(mark, (node) => node.animate([{ transform: `translate(${-right}px, ${-down}px)` }, { transform: "none" }], SLIDE)); // prettier-ignore
}
