// Seats that change hands: section 6 of schemas/PROTOCOL.md. Who holds a seat, who takes one over or comes back, and what
// the state says of it.

import { PREFIX, canonical, hexOf, need } from "./bytes.mjs";
import { SHAPES, bodyText, commitment, isName, isSigned, isWeak, minutesOf } from "./wire.mjs";
import { isOut, owner, rests, same } from "./table.mjs";

const ascending = (seats) => seats.every((seat, at) => at === 0 || seats[at - 1] < seat);
const refuse = (good, why) => need(good, "bad-succession", why);

/** For each seat, who answers for it in the round after this state. */
export function present(table, state) {
  const players = [...table.players];
  for (const one of state?.holders ?? []) players[one.seat] = { ...owner(one), since: one.since };
  return players;
}

/** The names of the players who hold the seats, as far as a file was followed. */
export function namesOf({ table, state }) {
  return present(table, state).map((player) => player.name);
}

/** Seat -> its vacancy, with the id of the entry in which it began; `head` is the newest one. */
function vacancies(state, head) {
  return new Map(state.vacant.map((one) => [one.seat, { ...one, entry: one.entry ?? head }]));
}

// --- who comes -------------------------------------------------------------------------------------------------------

/** The state before an entry allows its successions and returns. */
export async function checkArrivals(table, state, entry) {
  const [taken, back] = [entry.successions ?? [], entry.returns ?? []];
  if (!taken.length && !back.length) return;
  const open = state.round > 0 && !rests(state) && !("end" in entry);
  refuse(open, "nobody can take over a seat or come back in the first round, at the end, or while a game rests");
  const before = [...table.players, ...state.holders.map(owner)];
  const known = {
    vacant: vacancies(state, entry.prev),
    players: present(table, state),
    left: new Set(state.left.map(([seat]) => seat)),
    keys: new Set([table.terms.key, ...before.map((player) => hexOf(player.key))]),
    names: new Set(before.map((player) => player.name)),
  };
  for (const signed of taken) await checkSuccession(table, state, entry, signed, known);
  for (const one of back) await checkReturn(state, entry, one, known);
  const [seats, others] = [taken.map(({ body }) => body.seat), back.map(({ seat }) => seat)];
  refuse(ascending(seats) && ascending(others), "those who take over a seat or come back are not in seat order");
  refuse(!others.some((seat) => seats.includes(seat)), "a seat is taken over, and its player comes back");
  refuse(state.holders.length + taken.length <= table.takeovers, "more seats are taken over than the offer allows");
}

async function checkSuccession(table, state, entry, signed, { vacant, keys, names }) {
  const { body } = signed;
  refuse(signed.type === PREFIX + "succession" && SHAPES.succession(body), "this is not a succession");
  const good = !isWeak(body.key) && (await isSigned("succession", bodyText(signed), signed.sig, body.key));
  refuse(good, "a succession is not signed by its own key");
  refuse(isName(body.name), "a new player has a name that is not allowed");
  const vacancy = vacant.get(body.seat);
  const here = body.game === table.game && vacancy?.entry === body.vacancy;
  refuse(here, "the seat is not vacant, or became vacant in another entry");
  const fresh = !keys.has(body.key) && !names.has(body.name);
  refuse(fresh, "a new player has a key or a name that somebody had in this game");
  keys.add(body.key);
  names.add(body.name);
  if (body.key === vacancy.key) return;
  refuse(isOut(state, body.seat), "the seat is not out, and its player named somebody else");
  const waited = !table.deadline || minutesOf(entry.due) >= minutesOf(vacancy.due ?? "") + table.takeover;
  refuse(waited, "the seat has not been vacant for long enough");
}

async function checkReturn(state, entry, { seat, sig }, { vacant, players, left }) {
  const vacancy = vacant.get(seat);
  refuse(vacancy && state.missed[seat] >= 2 && !left.has(seat), "the player who comes back is not out because of missed deadlines");
  const body = { game: entry.game, seat, vacancy: vacancy.entry };
  refuse(await isSigned("return", canonical(body), sig, hexOf(players[seat].key)), "the player who comes back did not sign that");
}

// --- the state after a round -----------------------------------------------------------------------------------------

/** Vacancies and holders after an entry whose round was played; `players` held the seats in it. */
export function settle(state, entry, players) {
  const [taken, back] = [(entry.successions ?? []).map(({ body }) => body), (entry.returns ?? []).map(({ seat }) => seat)];
  const vacant = vacancies(state, entry.prev);
  const begins = new Map();
  const isThere = (seat) => vacant.get(seat)?.key === undefined && vacant.delete(seat);
  for (const { seat, handover = "", resign } of entry.answers) {
    const named = handover && handover === hexOf(players[seat].key) ? "" : handover;
    if (handover && !named) vacant.delete(seat);
    if (named || resign) begins.set(seat, named);
    else isThere(seat);
  }
  for (const seat of entry.timeouts ?? []) if (state.missed[seat] === 2) begins.set(seat, "");
  for (const [seat, named] of begins) {
    const key = named || vacant.get(seat)?.key;
    vacant.set(seat, { seat, round: state.round, ...(state.due && { due: state.due }), ...(key && { key }) });
  }
  back.forEach(isThere);
  for (const { seat, name, key, nonce, tip, kept } of taken) {
    vacant.delete(seat);
    state.holders.push({ seat, since: state.round, name, key, nonce, tip, ...(kept && { kept }) });
    state.links[seat] = [0, tip];
    state.left = state.left.filter(([gone]) => gone !== seat);
    state.missed[seat] = 0;
  }
  for (const seat of back) state.missed[seat] = 0;
  state.linking = taken.length + back.length > 0;
  state.vacant = state.end ? [] : [...vacant.values()].sort((one, other) => one.seat - other.seat);
}

/** What a private part says about sealed answers (`told`; null: there is none) is exactly what the player who took over
 * the seat in this round should be told. Returns round -> fields. */
export function inherited(table, state, seat, told) {
  const took = state.holders.some((one) => one.seat === seat && one.since === state.round);
  const owed = state.held.filter((one) => took && one.seat === seat && one.commit);
  need(told || !owed.length, "missing-private", "what this seat was told in this round is not in the view");
  const places = (list) => list.map((one) => [one.round, one.seat]);
  need(same(places(told ?? []), places(owed)), "missing-opening", "a seat was told too little or too much of what it has sealed");
  for (const [at, { round, fields }] of (told ?? []).entries()) {
    const made = Object.entries(fields).map(([name, secret]) => [name, commitment(table.game, round, seat, name, secret)]);
    need(same(Object.fromEntries(made), owed[at].commit), "bad-opening", "what a seat was told is not what it had sealed");
  }
  return (told ?? []).map(({ round, fields }) => [round, fields]);
}
