// The draws of a round, explained in words, with the numbers behind them.

import { details, el } from "./dom.mjs";
import { container, counted, joinedWords, spoken, t, term } from "./texts.mjs";
import { ownerOf } from "./table.mjs";
import { leafOf, slotParts } from "./wire.mjs";
import { fromHex } from "./bytes.mjs";

/** What happened to dice and containers in a round that was checked; `names` are the players'. */
export function whyDraws(report, step, names) {
  const { table } = report;
  const lines = step.ops.map((op) => el("li", {}, inWords(op, names, table), numbersOf(op, table)));
  const drew = step.ops.some((op) => op.draws.length);
  const who = step.links.map(({ seat }) => names[seat]);
  const told = [];
  if (step.timeouts.length && step.holding) told.push(t("played nothing"));
  else if (!step.ops.length) told.push(t("no draws"));
  if (drew) {
    told.push(who.length ? t(who.length > 1 ? "why envelopes many" : "why envelopes", { who: joinedWords(who) }) : t("why nobody"));
    told.push(step.common ? t("why common") : t("why shaken"));
    if (step.keptOnly) told.push(t("why kept"));
  }
  return [
    el("ul", { class: "ops" }, lines),
    told.map((line) => el("p", {}, line)),
    details(t("numbers"), el("dl", { class: "numbers" }, roundNumbers(step, names))),
  ];
}

/** The name of a container, or of a player's hand. */
function containerOf(name, names, table) {
  const seat = ownerOf(table, name);
  return seat === null ? container(name) : t("hand named", { hand: term(name.split("/")[0]), name: names[seat] });
}

function inWords(op, names, table) {
  const faces = op.tokens ? counted(op.tokens.map((token) => token.face)) || t("nothing") : "";
  const name = names[op.seat] ?? "";
  const [bag, into] = [op.bag, op.into].map((one) => containerOf(one ?? "", names, table));
  switch (op.op) {
    case "die":
      return t("die", { sides: op.sides, values: joinedWords(op.values.map(String)) });
    case "take":
    case "lay-out":
      return t(op.op, { bag, faces });
    case "lay-out-all":
      return t(op.face ? "lay-out-all face" : op.op, { bag, faces, face: term(op.face ?? "") });
    case "deal":
      return t("deal", { count: op.slots.length, bag, into });
    case "give":
    case "seek":
      return t(op.op, { name, count: op.slots?.length ?? 0, bag, into });
    case "put":
      return t(op.under ? "put under" : "put", { bag, faces: counted(op.faces) });
    case "shuffle":
      return t("shuffle", { bag, count: op.leaves.length });
    default: {
      const fields = Object.entries(op.fields ?? {}).map(([field, secret]) => `${term(field)} ${spoken(secret.value)}`);
      return t("unseal", { name, fields: fields.join(", ") });
    }
  }
}

/** The numbers behind one operation: which draw picked which slot, and what proves the token in it. */
function numbersOf(op, table) {
  const slots = op.tokens ?? (op.slots ?? []).map((slot) => ({ slot }));
  const rows = op.draws.map((draw, at) => [drawWords(draw), slots[at]]);
  for (const token of slots.slice(op.draws.length)) rows.push(["", token]);
  if (!rows.length) return null;
  const items = rows.map(([draw, token]) => el("li", {}, draw, token ? tokenWords(token, table, draw) : ""));
  return details(t("numbers"), el("ul", { class: "numbers" }, items));
}

function drawWords(draw) {
  if (draw === null) return t("number top");
  const value = draw.value ?? t("number unknown");
  return draw.what ? t("number common", { ...draw, what: container(draw.what), value }) : t("number draw", { ...draw, value });
}

function tokenWords(token, table, draw) {
  const between = draw ? "; " : "";
  const slot = container(token.slot);
  if (token.face === undefined) return between + t("number down", { slot });
  const told = between + t("number slot", { slot, face: term(token.face) });
  if (!token.salt) return `${told} (${t("number open")})`;
  const leaf = leafOf(table.seating, ...slotParts(token.slot), fromHex(token.salt), token.face);
  return [told, "; ", t("number leaf"), " ", el("code", {}, leaf)];
}

function roundNumbers(step, names) {
  const rows = step.links.map(({ seat, link, since }) => [
    t("number link", { name: names[seat], since, steps: step.round - since }),
    link,
  ]);
  const { link, since } = step.hostLink;
  rows.push([t("number host", { since, steps: step.round - since }), link]);
  rows.push([t("number acc before"), step.accBefore], [t("number acc"), step.acc], [t("number seed"), step.seed]);
  rows.push([t("number entry"), step.id]);
  return rows.flatMap(([what, value]) => [el("dt", {}, what), el("dd", {}, el("code", {}, value))]);
}
