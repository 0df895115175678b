// The board of a table: its marks are lit, pressed and named.

import { outline } from "./board.mjs";
import { chosenMarks, targets } from "./choosing.mjs";
import { plainLabel } from "./labels.mjs";
import { shortened } from "./quote.mjs";
import { t } from "./texts.mjs";
import { begun, isNow } from "./turn.mjs";

/** Keys have come to a mark: not every browser scrolls to a part of a picture. Above, the bar may cover the board. */
export function bring(node, frame) {
  if (node === frame || !node.matches(":focus-visible")) return;
  const { left, right, top, bottom } = node.getBoundingClientRect();
  const room = frame.getBoundingClientRect();
  const outside = (from, to, low, high) => (from < low ? from - low - 8 : to > high ? to - high + 8 : 0);
  frame.scrollBy(outside(left, right, room.left, room.right), 0);
  scrollBy(0, outside(top, bottom, innerHeight * 0.4, innerHeight));
}

/** Light what can be pressed now, and show what was chosen; `press` gets what a mark leaves, and the mark. */
export function showMarks(one, press) {
  if (!one.board) return;
  const offered = isNow(one) && !one.sent ? targets(one.candidates) : new Map();
  const chosen = chosenMarks(one.candidates);
  for (const [mark, { nodes }] of one.board.marks) {
    const next = offered.get(mark);
    for (const node of nodes) {
      node.classList.toggle("legal", Boolean(next));
      node.classList.toggle("chosen", begun(one) && chosen.has(mark));
      outline(node, node.matches(".legal, .chosen"));
      node.onclick = next ? (event) => (event.stopPropagation(), press(next, mark)) : null;
    }
    const [node] = nodes;
    if (next) {
      for (const [name, value] of Object.entries({ role: "button", tabindex: 0, "aria-label": markLabel(one, mark, next) })) node.setAttribute(name, value);
      node.onkeydown = (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        event.stopPropagation();
        press(next, mark);
      };
    } else {
      for (const name of ["role", "tabindex", "aria-label"]) node.removeAttribute(name);
      node.onkeydown = null;
    }
  }
}

/** What a click on a mark says: its own words, and the lines that it leaves. */
function markLabel(one, mark, next) {
  const words = [...one.board.marks.get(mark).nodes[0].querySelectorAll("text")].map((text) => text.textContent).join(" ").trim();
  const lines = [...new Set(next.map(({ choice }) => plainLabel(choice.text, one.look)))];
  const name = shortened(words) || mark.replace(":", " ");
  return lines.length > 2 ? t("table mark many", { name, n: lines.length }) : t("table mark", { name, moves: lines.join("; ") });
}
