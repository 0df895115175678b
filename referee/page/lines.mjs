// The moves as a list: for those who do not click, and for what cannot be seen on the board; and what else an answer can say.

import { besidesParts } from "./besides.mjs";
import { begin, openParts, pickLine, withValue } from "./choosing.mjs";
import { details, el, fill } from "./dom.mjs";
import { beside, label } from "./labels.mjs";
import { controls } from "./parts.mjs";
import { button, guarded, heading, quiet } from "./room.mjs";
import { t } from "./texts.mjs";
import { begun, choose, chooseOrder, decides, isNow } from "./turn.mjs";

export function showList(one) {
  const title = heading("moves-heading", t("table moves"));
  if (!isNow(one) || one.sent || !decides(one)) return fill(one.list, title, el("p", { class: "soft" }, t("table nothing")));
  const lines = begun(one) ? one.candidates : begin(one.moves.choices);
  return fill(one.list, title, linesOf(one, one.moves.choices, lines, (candidate) => choose(one, pickLine(candidate))), one.typing(one));
}

/** These lines of `all`, those that are seldom needed folded away; `pick` gets one. */
function linesOf(one, all, lines, pick) {
  const { look } = one;
  const act = (candidate) => () => (quiet(), pick(candidate).finally(one.refresh));
  const line = (candidate) => {
    const { text, note } = candidate.choice;
    return button([el("span", { class: "label" }, label(text, look)), note ? el("small", {}, label(note, look)) : null, beside(candidate.choice, look)], act(candidate), { class: "line", "data-line": all.indexOf(candidate.choice) });
  };
  const rows = (minor) => lines.filter(({ choice }) => Boolean(choice.minor) === minor).map(line);
  const seldom = rows(true);
  return el("div", { class: "lines" }, rows(false), seldom.length ? details(t("more moves"), seldom) : null);
}

/** What else can be signed: standing orders, what goes beside a move, or that somebody leaves. */
export function showMore(one) {
  const { asked, signs, before } = one.look;
  const now = isNow(one) && !one.sent;
  const open = now && asked && (one.again || !before?.length);
  const leave = () => {
    one.leaving = true;
    one.refresh();
    one.bar.focus();
  };
  fill(one.more, open && one.orders ? ordersOf(one) : null, now ? besidesParts(one, open) : null, open && signs && asked !== "ack" ? button(t("resign"), leave, { id: "resign", class: "quiet" }) : null);
  one.more.hidden = !one.more.childElementCount;
}

/** What holds, and what can be given or taken back with this answer. */
function ordersOf(one) {
  const { orders, ordering, look } = one;
  const inside = el("div", {});
  const pick = (candidate) => chooseOrder(one, candidate);
  if (ordering) controls(inside, ordering, openParts(ordering), look, (name, value) => guarded(() => (quiet(), pick(withValue(ordering, name, value)).finally(one.refresh))));
  const held = orders.now.length ? [el("p", { class: "soft" }, t("in force")), el("ul", { id: "held" }, orders.now.map((text) => el("li", {}, label(text, look))))] : null;
  const fold = details(t("standing orders"), held, inside, linesOf(one, orders.choices, begin(orders.choices), (candidate) => pick(pickLine(candidate)[0])));
  fold.id = "orders";
  fold.open = one.unfolded;
  fold.addEventListener("toggle", () => (one.unfolded = fold.open));
  return fold;
}
