// Figures over time, found in the positions themselves: numbers that every player has, and tables of numbers.

import { el, shape, fill } from "./dom.mjs";
import { figure as written, t, term } from "./texts.mjs";

const WIDE = 320;
const HIGH = 120;
const EDGE = 6;
const SERIES_MOST = 8;
const FIRST = 4;
/** Series with these names are drawn in their colour, those of players in that of their seat. */
const COLOURS = ["yellow", "blue", "red", "green", "orange"];

/** Every figure in these positions: `{label, series: [{name, values}]}`, one value (or null) for each position. Those of
 * the players come first, and of these the ones that change most. A position lists its players in `players`. A list of
 * places is shown as what stands there in the table of the same name in the edition, which is signed into the offer;
 * `listed` names the entries of some lists. */
export function figures(positions, names, edition = {}, listed = {}) {
  const found = new Map();
  positions.forEach((position, at) => {
    for (const [label, series, value, own, seat] of numbers(position, names, edition, listed)) {
      const key = `${own} ${label}`;
      if (!found.has(key)) found.set(key, { label: named(label), own, series: new Map() });
      const lines = found.get(key).series;
      if (!lines.has(series)) lines.set(series, { name: named(series), colour: colourOf(series, seat), values: new Array(positions.length).fill(null) });
      lines.get(series).values[at] = value;
    }
  });
  const all = [...found.values()].map((one) => ({ ...one, series: [...one.series.values()] }));
  const lively = all.filter((one) => one.series.length <= SERIES_MOST && changes(one));
  return lively.sort((one, other) => other.own - one.own || changes(other) - changes(one));
}

function colourOf(series, seat) {
  return seat !== undefined ? `seat seat${seat}` : COLOURS.includes(series) ? series : "";
}

/** A label of a position: `price_changes, money`. */
function named(label) {
  return label.split(", ").map((one) => term(one).replaceAll("_", " ")).join(", ");
}

function changes(figure) {
  return figure.series.reduce((sum, { values }) => sum + new Set(values.filter((one) => one !== null)).size - 1, 0);
}

function* numbers(position, names, edition, listed) {
  if (position === null || typeof position !== "object") return;
  for (const [label, value] of Object.entries(position)) {
    if (Number.isInteger(value)) yield [label, label, value, false];
    else if (label === "players" && Array.isArray(value)) yield* ofPlayers(value, names);
    else if (Array.isArray(value)) yield* ofList(label, value, edition[label], Object.hasOwn(listed, label) ? listed[label] : null);
    else if (value !== null && typeof value === "object") yield* ofTable(label, value);
  }
}

function* ofPlayers(players, names) {
  for (const [seat, player] of players.entries()) {
    if (player === null || typeof player !== "object") continue;
    for (const [label, value] of Object.entries(player)) {
      if (Number.isInteger(value)) yield [label, names[seat] ?? String(seat + 1), value, true, seat];
    }
  }
}

function* ofTable(label, table) {
  for (const [name, value] of Object.entries(table)) if (Number.isInteger(value)) yield [label, name, value, false];
}

/** A list of numbers, of places in a table, or of things that have a name and a number. */
function* ofList(label, list, table, listed) {
  for (const [at, one] of list.entries()) {
    const [number, series] = [numberOf(one, table), listed?.[at] ?? String(at + 1)];
    if (number !== null) yield [label, series, number, !!listed];
    else if (one !== null && typeof one === "object" && !Array.isArray(one)) {
      const name = Object.values(one).find((value) => typeof value === "string");
      const counted = Object.entries(one).find(([, value]) => Number.isInteger(value));
      if (name !== undefined && counted) yield [`${label}, ${counted[0]}`, name, counted[1], false];
    }
  }
}

/** A number, or what stands in a table at a place; null if it is neither. */
function numberOf(one, table) {
  if (Number.isInteger(one)) return one;
  if (!Array.isArray(one) || !Array.isArray(table) || !one.every(Number.isInteger)) return null;
  const found = one.reduce((inner, at) => inner?.[at], table);
  return Number.isInteger(found) ? found : null;
}

/** Charts of these figures, and a function that marks a round in all of them and shows the figures of that round. */
export function charts(found, rounds) {
  const made = found.map((figure) => chart(figure, rounds));
  const rest = made.slice(FIRST).map(([node]) => node);
  const more = rest.length ? el("details", {}, el("summary", {}, t("more figures")), el("div", { class: "charts" }, rest)) : null;
  const node = el("div", {}, el("div", { class: "charts" }, made.slice(0, FIRST).map(([one]) => one)), more);
  return [node, (at) => made.forEach(([, mark]) => mark(at))];
}

function chart(figure, rounds) {
  const all = figure.series.flatMap(({ values }) => values.filter((one) => one !== null));
  const low = Math.min(0, ...all);
  const high = Math.max(low + 1, ...all);
  const x = (at) => EDGE + ((WIDE - 2 * EDGE) * at) / Math.max(1, rounds - 1);
  const y = (value) => HIGH - EDGE - ((HIGH - 2 * EDGE) * (value - low)) / (high - low);
  const lines = figure.series.flatMap(({ values, colour }, number) => {
    const found = values.map((value, at) => (value === null ? "" : `${x(at).toFixed(1)},${y(value).toFixed(1)}`));
    const points = found.filter(Boolean).join(" ");
    const line = shape("polyline", { points, class: `line line${number} ${colour}` });
    return colour.startsWith("seat") ? [shape("polyline", { points, class: `line line${number} edge` }), line] : [line];
  });
  const mark = shape("line", { y1: 0, y2: HIGH, class: "mark" });
  const drawn = shape(
    "svg",
    { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": t("figure over time", { label: figure.label }) },
    shape("line", { x1: EDGE, x2: WIDE - EDGE, y1: y(0), y2: y(0), class: "axis" }),
    lines,
    mark,
  );
  const legend = el("ul", { class: "legend" });
  const node = el("figure", {}, el("figcaption", {}, t("figure range", { label: figure.label, low, high })), drawn, legend);
  return [
    node,
    (at) => {
      mark.setAttribute("x1", x(at));
      mark.setAttribute("x2", x(at));
      const keys = figure.series.map(({ name, values, colour }, number) =>
        el("li", {}, el("span", { class: `key key${number} ${colour}`, "aria-hidden": "true" }), `${name} ${values[at] === null ? "–" : written(values[at])}`),
      );
      fill(legend, keys);
    },
  ];
}
