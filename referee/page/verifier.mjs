// A verifier of offers, views, transcripts and what belongs to them: section 8 of schemas/PROTOCOL.md.
//
// It is the third implementation of that document, beside the program and tests/independent, and shares no code with
// them. It has no rules, and says so.
//
//     node verifier.mjs FILE...        prints `ok` or the code of what is wrong; see `main` below

import { Bad, H, MAX_BODY, MAX_FILE, PREFIX, canonical, derive, fromHex, hexOf, need, parse, textOf } from "./bytes.mjs";
import { LINKS, SHAPES, bodyText, commitment, envelope, idOf, isMoveFile, isSigned, linkBack } from "./wire.mjs";
import { opened, readBody, sealedLeaves } from "./wire.mjs";
import { allSeats, asked, checkJoin, checkOffer, content, firstState, isOut, ownerOf } from "./table.mjs";
import { readGenesis, readState } from "./table.mjs";
import { rests, reveals, same } from "./table.mjs";
import { checkArrivals, present } from "./seats.mjs";
import { checkPlace, checkRound, knowing, mayProtest, placeOf, playRound } from "./round.mjs";
import { checkClaim, checkRuling, claimsIn } from "./claims.mjs";
import { NOT_OF_THE_MOVE, checkBeside, checkBoth, checkPromise, judgeProof, verdictOf } from "./proofs.mjs";

// --- whole documents -------------------------------------------------------------------------------------------------

/** Codes that blame nobody: whoever passed the file on may have changed it. */
const ALTERED = new Set(
  (
    "malformed wrong-kind too-large bad-signature altered-chain mixed-view missing-private " +
    "bad-secret bad-sealed not-over bad-abandonment weak-key other-version undecided unknown-game " +
    "no-crypto mixed-proof no-offence needs-rules mixed-claim bad-ruling"
  ).split(" "),
);

/** What a page needs to explain one round. */
function stepOf(table, before, state, entry, id, play) {
  const answering = entry.answers.map((answer) => answer.seat);
  const faces = (name) => content(state.bags.get(name)).map((slot) => play.faceOf(slot));
  const names = [...state.bags.keys()];
  return {
    round: state.round,
    id,
    entry,
    links: entry.answers.map((answer) => ({
      seat: answer.seat,
      link: answer.link,
      since: before.links[answer.seat][0],
    })),
    hostLink: { link: entry.link, since: before.host_link[0] },
    accBefore: before.acc,
    acc: state.acc,
    seed: hexOf(play.seed),
    common: table.chance ? play.actor : "",
    ops: play.told,
    openings: play.openings,
    draws: play.draws,
    timeouts: entry.timeouts ?? [],
    missed: [...state.missed],
    holding: state.holding,
    out: allSeats(state).filter((seat) => isOut(state, seat)),
    left: state.left.map(([seat]) => seat),
    keptOnly: answering.length > 0 && answering.every((seat) => before.players[seat].kept),
    players: before.players,
    next: present(table, state),
    ask: state.pending,
    asked: Object.fromEntries(asked(state)),
    due: state.due,
    used: entry.used ?? [],
    bank: [...state.bank],
    result: state.result,
    end: state.end,
    public: entry.public,
    hands: Object.fromEntries(names.filter((name) => ownerOf(table, name) !== null).map((name) => [name, faces(name)])),
    bags: Object.fromEntries(names.map((name) => [name, content(state.bags.get(name)).length])),
  };
}

/** All entries of a document, one after the other; `placed` is called for each once its signature and place are checked,
 * `answered` once its answers are those that were asked for. */
async function followEntries(report, document, known, { placed, answered }) {
  const { table, state } = report;
  for (const signed of document.entries) {
    const round = state.round + 1;
    try {
      const text = await opened(signed, "entry", hexOf(table.host.key));
      const [entry, id] = [readBody(text, "entry", "bad-entry"), idOf("entry", text)];
      await checkPlace(table, state, entry);
      placed?.(entry, id);
      const { host_link, acc } = state;
      const old = { links: [...state.links], host_link, acc, players: present(table, state) };
      checkRound(table, state, entry);
      await checkArrivals(table, state, entry);
      answered?.(entry);
      const play = playRound(table, state, entry, id, known);
      report.steps.push(stepOf(table, old, state, entry, id, play));
      report.counts.draws += play.draws;
      const arrived = (entry.successions ?? []).length + (entry.returns ?? []).length;
      report.counts.signatures += 1 + entry.answers.length + arrived;
      report.counts.openings += play.openings.length;
    } catch (error) {
      if (error instanceof Bad) error.step = round;
      throw error;
    }
  }
}

/** Step 2: round -> this seat's private part. */
async function readPrivates(document, table) {
  need((document.seat ?? 0) < table.seats, "mixed-view", "this view is for a seat that does not exist");
  need("seat" in document || !document.privates, "mixed-view", "a public view has private parts");
  const found = new Map();
  let last = 0;
  for (const signed of document.privates ?? []) {
    const text = await opened(signed, "private", hexOf(table.host.key));
    const told = readBody(text, "private", "bad-private");
    const { game, seat, round } = told;
    need(game === table.game && seat === document.seat, "mixed-view", "a private part is for another game or seat");
    need(
      last < round && round <= document.entries.length,
      "mixed-view",
      "private parts are not in the order of rounds",
    );
    found.set((last = round), told);
  }
  return found;
}

async function checkView(report, document, options) {
  need(SHAPES.view(document), "malformed", "the view has the wrong shape");
  report.table = await readGenesis(document.genesis, options);
  report.seat = document.seat ?? null;
  report.state = firstState(report.table);
  const privates = await readPrivates(document, report.table);
  report.counts.signatures = 2 + report.table.seats + privates.size;
  const kept = typeof options.own === "function" ? options.own(report.table) : (options.own ?? {});
  const own = Object.entries(kept).map(([round, fields]) => [placeOf(round, report.seat), fields]);
  const known = knowing({ seat: report.seat, sealed: new Map(own) });
  const placed = (entry, id) => {
    const told = privates.get(entry.round);
    if (told === undefined) return;
    need(told.entry === id, "false-private", "the host told this seat something about a different entry");
    known.openings.set(entry.round, [...told.openings]);
    known.left.set(placeOf(entry.round, document.seat), told.sealed ?? []);
  };
  await followEntries(report, document, known, { placed });
  checkPosition(report, document);
  report.faces = known.faces;
}

export function positionHash(game, round, position) {
  return hexOf(H("public", fromHex(game), round, canonical(position)));
}

const takenIn = (entry) => (entry.successions ?? []).map(({ body }) => body.seat);

/** Seat -> the standing orders that its player gave last. */
function wordsAfter(steps) {
  const said = new Map();
  for (const { entry } of steps) {
    for (const answer of entry.answers) if ("standing" in answer) said.set(answer.seat, answer.standing);
    for (const seat of takenIn(entry)) said.delete(seat);
  }
  return said;
}

/** Step 4: the position has the standing orders given, and a round that plays nothing changes nothing else. */
function checkPosition(report, document) {
  const { steps, table } = report;
  need("public" in document === steps.length > 0, "mixed-view", "there must be a position if, and only if, there is an entry");
  let position = document.public;
  for (let round = steps.length; round > 0; round--) {
    const { entry } = steps[round - 1];
    const fits = positionHash(table.game, round, position) === entry.public;
    const last = round === steps.length;
    need(
      fits,
      last ? "mixed-view" : "rule-broken",
      last ? "this is not the position" : "a round that plays nothing changed it",
    );
    const [said, before] = [wordsAfter(steps.slice(0, round)), wordsAfter(steps.slice(0, round - 1))];
    const standing = position?.standing;
    const whole = !said.size || (Array.isArray(standing) && standing.length === table.seats);
    const stand = whole && [...said].every(([seat, words]) => same(standing[seat], words));
    need(stand, "rule-broken", "the standing orders in the position are not those that were given");
    if (!entry.timeouts && entry.end !== "left") return;
    if (!Array.isArray(standing)) continue;
    const now = new Set([...wordsAfter([steps[round - 1]]).keys(), ...takenIn(entry)]);
    // Only the rules know what having no standing orders looks like.
    if ([...now].some((seat) => !before.has(seat))) return;
    if (now.size)
      position = { ...position, standing: standing.map((words, seat) => (now.has(seat) ? before.get(seat) : words)) };
  }
}

function checkSecrets(table, document) {
  const chance = document.chance ? fromHex(document.chance) : null;
  const bound = chance ? hexOf(H("chance", chance)) : "";
  need(bound === table.chance, "bad-secret", "the common chance is not the one that the offer is bound to");
  const secret = fromHex(document.secret);
  const last = derive(secret, "host-chain", table.host.nonce);
  const tip = hexOf(linkBack(table.host.key, table.host.nonce, LINKS, 0, last));
  need(tip === table.host.tip, "bad-secret", "the secret M is not the one that the offer is bound to");
  const known = knowing({ secret, chance });
  for (const [name, faces] of Object.entries(table.bags)) {
    const made = sealedLeaves(secret, table.seating, name, 0, faces, chance);
    need(
      same(
        table.leaves[name],
        made.map(([, , leaf]) => leaf),
      ),
      "bad-bag",
      `${name} was not filled as M says`,
    );
    for (const [slot, face] of made) known.faces.set(slot, face);
  }
  return known;
}

async function checkTranscript(report, document, options) {
  need(SHAPES.transcript(document), "malformed", "the transcript has the wrong shape");
  const { state } = await replay(report, document, options);
  if (document.abandoned) return checkAbandoned(report, document.abandoned);
  need(state.round && (state.end || rests(state)), "not-over", "the game in this transcript is not over");
}

/** The host abandoned the game after the last entry: nobody else can cut a transcript short. */
async function checkAbandoned(report, signed) {
  const { table, state } = report;
  const text = await opened(signed, "abandonment", hexOf(table.host.key));
  const body = readBody(text, "abandonment", "malformed");
  const here = { game: table.game, round: state.round, entry: state.newest };
  need(!state.end && same(body, here), "bad-abandonment", "the host did not abandon the game after this round");
  report.abandoned = true;
}

/** The rounds of a transcript, checked with M; whether they are the whole game is not checked. */
async function replay(report, document, options) {
  report.table = await readGenesis(document.genesis, options);
  report.state = firstState(report.table);
  report.counts.signatures = 2 + report.table.seats;
  const { table } = report;
  const known = checkSecrets(table, document);
  const parts = new Map();
  for (const { round, seat, fields } of document.sealed ?? []) {
    need(!parts.has(placeOf(round, seat)), "bad-sealed", "there are two sealed parts of one answer");
    parts.set(placeOf(round, seat), fields);
  }
  const answered = (entry) => {
    for (const { seat, commit } of entry.answers.filter((answer) => answer.commit)) {
      const place = placeOf(entry.round, seat);
      const fields = parts.get(place) ?? {};
      const made = Object.entries(fields).map(([name, secret]) => [
        name,
        commitment(table.game, entry.round, seat, name, secret),
      ]);
      need(
        same(Object.fromEntries(made), commit),
        "bad-sealed",
        "the sealed part of an answer is missing, or does not fit",
      );
      parts.delete(place);
      known.sealed.set(place, fields);
    }
  };
  await followEntries(report, document, known, { answered });
  need(!parts.size, "bad-sealed", "there is a sealed part of an answer that was never given");
  report.faces = known.faces;
  return report;
}

/** One entry after a state that is taken for granted, as in the vectors of kind `round`. */
export async function verifyRound(document, bags) {
  const table = await readGenesis(document.genesis, { bags });
  const state = readState(document.state, document.prev);
  const sealed = (document.sealed ?? []).map((part) => [placeOf(part.round, part.seat), part.fields]);
  const own = Object.entries(document.own ?? {}).map(([round, fields]) => [placeOf(round, document.seat), fields]);
  const known = knowing({
    seat: document.seat ?? null,
    faces: new Map(Object.entries(document.known)),
    secret: document.secret ? fromHex(document.secret) : null,
    sealed: new Map([...sealed, ...own]),
  });
  const text = await opened(document.entry, "entry", hexOf(table.host.key));
  const [entry, id] = [readBody(text, "entry", "bad-entry"), idOf("entry", text)];
  await checkPlace(table, state, entry);
  if (document.private) {
    const told = readBody(await opened(document.private, "private", hexOf(table.host.key)), "private", "bad-private");
    need(told.entry === id, "false-private", "the host told this seat something about a different entry");
    known.openings.set(told.round, [...told.openings]);
    known.left.set(placeOf(told.round, told.seat), told.sealed ?? []);
  }
  checkRound(table, state, entry);
  await checkArrivals(table, state, entry);
  playRound(table, state, entry, id, known);
}

// --- single documents ------------------------------------------------------------------------------------------------

function shaped(document, kind) {
  need(kind === "move" ? isMoveFile(document) : envelope(document), "malformed", `the ${kind} has the wrong shape`);
  need(SHAPES[kind](document.body), "malformed", `the ${kind} has the wrong shape`);
}

/** Moves, statements, receipts and extensions name a game whose keys are elsewhere: alone, only their form can be checked. */
function checkLoose(report, document) {
  shaped(document, report.kind);
}

/** Kinds that never show an offence, whatever is wrong with them. */
function blameless(check) {
  return async (report, document) => {
    try {
      shaped(document, report.kind);
      await check(report, document);
    } catch (error) {
      if (error instanceof Bad) error.blames = "nobody";
      throw error;
    }
  };
}

const CHECKS = {
  view: checkView,
  transcript: checkTranscript,
  offer: blameless(async (report, document) => {
    report.id = await checkOffer(document);
  }),
  join: blameless(async (report, document) => {
    report.id = await checkJoin(document);
  }),
  claim: blameless(checkClaim),
  ruling: blameless(checkRuling),
  async genesis(report, document, options) {
    need(envelope(document), "malformed", "the genesis has the wrong shape");
    report.table = await readGenesis(document, options);
  },
  proof: (report, document, options) =>
    judgeProof(report, document, options, (parts, how) => replay({ ...report, steps: [] }, parts, how)),
  move: checkLoose,
  word: checkLoose,
  receipt: checkLoose,
  extension: checkLoose,
  succession: checkLoose,
  return: checkLoose,
};

const OTHERS = {
  game: "this is a host's game file, which knows every hidden card: do not show it to anyone",
  key: "this is a secret key: never send it to anyone",
  player: "this is a player's file with a secret key: never send it to anyone",
  ticket: "this is a ticket: what a player's program remembers of a game",
};

const NAMED = /^pbem-referee\/([0-9]{1,9})\/([a-z-]{1,30})$/;

/** The declared kind of a document: its `format`, or its `type` if it has none. */
function nameOf(document) {
  if (document === null || typeof document !== "object") return "";
  const name = Object.hasOwn(document, "format") ? document.format : document.type;
  return typeof name === "string" ? name : "";
}

/** The kind that a document declares: `view`, `offer`... */
export function kindOf(document) {
  const [, version, kind] = NAMED.exec(nameOf(document)) ?? [];
  return version === "1" ? kind : "";
}

/** The kind that a document would have, if it were in canonical form. */
function guessed(bytes) {
  try {
    return kindOf(JSON.parse(textOf(bytes)));
  } catch {
    return "";
  }
}

function praise(report) {
  const { kind, steps, counts, table } = report;
  if (kind === "offer" || kind === "join") return `this ${kind} is signed by the key that it names`;
  if (kind === "genesis") return "offer, joins and genesis are signed by their keys";
  if (kind === "claim") return "this claim is signed by the player whose move it is about; only the player says when it was sent";
  if (kind === "ruling" && report.binding) return "this ruling binds: the offer that all joined names its key";
  if (kind === "ruling") return "this ruling is an opinion: no player agreed to it";
  if (!table) return `this is a ${kind}; its signature shows only beside a view of its game`;
  const what = `${counts.signatures} signatures, ${counts.draws} draws and ${counts.openings} private openings`;
  const given = report.abandoned ? [`abandoned by the host in round ${steps.length}, no result`] : [];
  const { rounds, protests, claims } = lateness(report);
  const late = rounds ? [`${rounds} late rounds, ${protests} protests`] : [];
  if (claims) late.push(`${claims} claims: the players' word, not a proof`);
  return [`${steps.length} rounds with ${what} are right`, ...given, ...late, ...reserves(report)].join("; ");
}

/** Rounds with a timeout, how often each player was timed out, protests, and the claims beside the file:
 * counted, without blaming anybody. */
export function lateness({ steps, claims }) {
  const times = new Map();
  const missed = steps.flatMap(({ timeouts, players }) => timeouts.map((seat) => [seat, players[seat].name]));
  for (const [, name] of missed.sort(([one], [other]) => one - other)) times.set(name, (times.get(name) ?? 0) + 1);
  const protests = steps.flatMap((step) => step.entry.answers).filter((answer) => answer.protest).length;
  return { rounds: steps.filter((step) => step.timeouts.length).length, players: [...times], protests, claims };
}

/** Reservations about a file that is right. */
export function reserves({ kind, steps, table, state }) {
  const kept = present(table, state).filter((player) => player.kept).length;
  if (table.chance) {
    const recorded = kind === "view" ? ["draws are as recorded until the transcript proves them"] : [];
    const open = table.terms.stage ? ["its keys are public when its tournament is over: only the ledger binds it"] : [];
    return ["this game uses common chance: the host knew every draw in advance", ...recorded, ...open];
  }
  if (kept === table.seats) return ["the host keeps every key: draws are not protected"];
  const foreseen = steps.filter((step) => step.keptOnly && step.draws).length;
  return foreseen ? [`the host could foresee the draws of ${foreseen} rounds, in which only kept seats answered`] : [];
}

/** Faults that wrong bags can cause, if the bags come from somebody who is not trusted. */
const OF_BAGS = ["rule-broken", "minted", "bad-bag"];

function failed(report, error) {
  if (!(error instanceof Bad)) throw error;
  if (report.table && report.table.bags === report.hint && OF_BAGS.includes(error.code)) {
    error = new Bad("undecided", `by the bags that the aid names, ${error.message}`, error.step);
  }
  report.code = error.code;
  report.round = error.step;
  report.words = error.message;
  report.blames = error.blames ?? (ALTERED.has(error.code) ? "nobody" : "host");
  if (report.table?.terms.stage) report.blames = "nobody"; // everybody has its keys when its tournament is over
  if (report.kind === "proof") report.verdict = verdictOf(report.code, report.blames);
  if (report.verdict === "proved") report.key = report.table.terms.key;
  return report;
}

/**
 * Check one file. `options` may have
 *
 *   bags: container -> faces before the first draw, from somebody who knows the rules;
 *   hint: the same from somebody who is not trusted, for games that are not known here; it accuses nobody;
 *   own: round -> the fields that the owner of a view sealed, as their program kept them; or a function table -> that.
 *
 * The report has
 *
 *   kind, ok, code (`ok` or what is wrong), blames (`host`, `nobody` or empty), round (the first bad one, or null),
 *   words, draws (`checked` where signatures, links, draws and openings of all rounds are right, `as recorded` in a view
 *   of a game of common chance, whose draws the transcript proves, else `not checked`), rules (always `not checked`), document, table, seat, state, steps (one for each round that is right; see `stepOf`),
 *   faces (slot -> face, as far as known), counts, abandoned (true: the host gave the game up here, without a result);
 *   claims (how many claims about this game lie beside the file: 0 until somebody who has them says so, see `verifyFiles`);
 *   of a ruling binding (whether the offer names its key); of a claim that is right about (`game`, `seat`, `round`, and the claim's `id`); of a proof, which is never `ok`, verdict (`proved`, `altered` or
 *   `undecided`) and key (the one that is proved to have signed the offence).
 */
export async function verify(bytes, options = {}) {
  const report = {
    kind: "",
    ok: false,
    code: "",
    blames: "",
    verdict: "",
    key: "",
    round: null,
    words: "",
    draws: "not checked",
    rules: "not checked",
    document: null,
    table: null,
    seat: null,
    state: null,
    steps: [],
    faces: new Map(),
    hint: options.hint,
    abandoned: false,
    claims: 0,
    counts: { signatures: 0, draws: 0, openings: 0 },
  };
  try {
    const document = parse(bytes, MAX_FILE, ["entries", "privates", "entry", "before"]);
    report.document = document;
    report.kind = kindOf(document);
    const [, version] = NAMED.exec(nameOf(document)) ?? [];
    need(
      version === undefined || version === "1",
      "other-version",
      `this is a file of protocol version ${version}: use a newer program`,
    );
    need(
      Object.hasOwn(CHECKS, report.kind),
      "wrong-kind",
      OTHERS[report.kind] ?? "this kind of file cannot be checked",
    );
    const large = ["view", "transcript", "proof"].includes(report.kind);
    need(large || bytes.length <= MAX_BODY, "too-large", "the file is too large for its kind");
    await CHECKS[report.kind](report, document, options);
  } catch (error) {
    report.kind ||= guessed(bytes) === "proof" ? "proof" : "";
    return failed(report, error);
  }
  if (report.steps.length) report.draws = report.kind === "view" && report.table.chance ? "as recorded" : "checked";
  return Object.assign(report, { ok: true, code: "ok", words: praise(report) });
}

// --- several files ---------------------------------------------------------------------------------------------------

/** Check each file, and then all of one game side by side: the host must have told one story. Returns reports,
 * the last of them about all files together. */
export async function verifyFiles(files, options = {}) {
  const reports = [];
  for (const bytes of files) reports.push(await verify(bytes, options));
  const claims = claimsIn(reports);
  for (const report of reports.filter(({ ok, table }) => ok && claims.has(table?.game))) {
    report.claims = claims.get(report.table.game);
    report.words = praise(report);
  }
  const all = { ...(await verify(new Uint8Array(0))), kind: "several", words: "" };
  // Moves, receipts and extensions that cannot be read, and files of other kinds, prove nothing here.
  const told = (report) => report.document === null || ["", "view", "transcript"].includes(report.kind);
  const bad = reports.find((report) => !report.ok && told(report));
  if (bad)
    return [...reports, Object.assign(all, { code: bad.code, blames: bad.blames, round: bad.round, words: bad.words })];
  try {
    await compareFiles(reports);
  } catch (error) {
    return [...reports, failed(all, error)];
  }
  const draws = reports.some((report) => report.draws === "checked") ? "checked" : "not checked";
  return [
    ...reports,
    Object.assign(all, { ok: true, code: "ok", blames: "", draws, words: "the files agree with each other" }),
  ];
}

/** What files show together, the most important first. */
const SIDE_BY_SIDE = [
  "two-entries",
  "two-geneses",
  "taken-and-timed-out",
  "taken-and-dropped",
  "taken-and-refused",
  "two-taken",
  "answered-and-timed-out",
  "extended-and-timed-out",
  "refused-though-legal",
];

async function compareFiles(reports) {
  const stories = reports.filter((report) => report.steps.length || (report.kind === "view" && report.table));
  const found = [];
  /** Collects what fails, as a fault of this round. */
  const note = (round, check) => {
    try {
      check();
    } catch (error) {
      if (!(error instanceof Bad)) throw error;
      error.step ??= round;
      found.push(error);
    }
  };
  const entries = oneStory(stories, note);
  const bodies = (kind) =>
    reports.filter((report) => report.ok && report.kind === kind).map((report) => report.document);
  const moves = new Map(); // id -> its copies: a copy with a bad signature must not hide a good one
  for (const move of bodies("move")) {
    const id = idOf("move", bodyText(move));
    moves.set(id, [...(moves.get(id) ?? []), move]);
  }
  for (const story of stories) {
    const key = hexOf(story.table.host.key);
    const mine = [];
    for (const { body, sig } of bodies("receipt")) {
      if (body.game === story.table.game && (await isSigned("receipt", canonical(body), sig, key))) mine.push(body);
    }
    checkReceipts(mine, entries, note);
    for (const { body, sig } of bodies("extension")) {
      const told = body.game === story.table.game && entries.get(placeOf(body.round, body.game));
      if (!told || !(await isSigned("extension", canonical(body), sig, key))) continue;
      note(body.round, () => checkPromise(story.table, body, told.entry));
    }
    for (const receipt of mine) {
      const refused = NOT_OF_THE_MOVE.includes(receipt.code) ? [] : (moves.get(receipt.move) ?? []);
      for (const move of refused) {
        const own = story.seat === move.body.seat && receipt.seat === move.body.seat;
        const legal = own && receipt.round === move.body.round && (await isGoodWithoutRules(story, move));
        note(receipt.round, () => need(!legal, "refused-though-legal", "the host refused a valid answer"));
      }
    }
  }
  const [first] = SIDE_BY_SIDE.flatMap((code) => found.filter((error) => error.code === code));
  if (first) throw first;
}

/** The entries of all files, and where they contradict each other. */
function oneStory(stories, note) {
  const [geneses, entries] = [new Map(), new Map()];
  for (const { table, steps } of stories) {
    const game = geneses.get(table.offer) ?? table.game;
    geneses.set(table.offer, game);
    note(null, () => need(game === table.game, "two-geneses", "the host started two games from one offer"));
    for (const { round, id, entry } of steps) {
      const place = placeOf(round, table.game);
      const before = entries.get(place) ?? { id, entry };
      entries.set(place, before);
      note(round, () => need(before.id === id, "two-entries", "the host signed two entries for one round"));
    }
  }
  return entries;
}

/** The host's receipts of one game, against each other and against the entries. */
function checkReceipts(receipts, entries, note) {
  receipts.forEach((one, at) => {
    const rivals = receipts.slice(at + 1).filter(({ round, seat }) => round === one.round && seat === one.seat);
    for (const other of rivals) note(one.round, () => checkBoth(one, other));
    const told = entries.get(placeOf(one.round, one.game));
    if (told) note(one.round, () => checkBeside(one, told.entry));
  });
}

/** Whether a confirmation or a resignation was right, according to the seat's own view. */
async function isGoodWithoutRules(story, move) {
  const { table, steps } = story;
  const { body, sig } = move;
  const at = steps.findIndex((step) => step.id === body.asked);
  if (at < 0 && body.asked !== table.game) return false;
  const questions =
    at < 0
      ? new Map(table.players.map((_, seat) => [seat, null]))
      : new Map(Object.entries(steps[at].asked).map(([seat, ask]) => [Number(seat), ask]));
  if (body.round !== at + 2 || !questions.has(body.seat) || body.game !== table.game) return false;
  if ("answer" in body || "standing" in body || "commit" in body) return false;
  if ("handover" in body && !(table.takeovers && at >= 0)) return false;
  const player = (at < 0 ? table.players : steps[at].next)[body.seat];
  if (body.protest && !(at >= 0 && mayProtest(player, steps[at].missed[body.seat]))) return false;
  const form = body.resign ? at >= 0 : questions.get(body.seat) === null;
  const linked = reveals(player, [0, player.tip], body.round, body.link);
  return form && linked && isSigned("move", canonical(body), sig, hexOf(player.key));
}

// --- the command line ------------------------------------------------------------------------------------------------

const STATUS = {
  ok: 0,
  malformed: 7,
  "too-large": 7,
  "wrong-kind": 7,
  "other-version": 7,
  "unknown-game": 7,
  undecided: 7,
  "needs-rules": 7,
  "no-crypto": 8,
};
const HELP = `usage: node verifier.mjs [--json] [--bags FILE] FILE...

Checks offers, joins, views, transcripts, moves, words, receipts, extensions, proofs, claims and rulings; several files of one game also side by side.
Standard output has one line for each file, and one for all together if there are several: the code, \`ok\` or what is
wrong; for a proof \`proved\`, \`altered\` or \`undecided\`, and the code. Standard error says it in words. With --json each line is an object. --bags names a JSON file with what lies in
the containers before the first draw, for games that are not known here: {"bag": ["red", "red", "blue"]}.

Exit status: 0 all is right (the rules were not checked), 2 usage, 6 a check failed, or a proof proves something, 7 a file
is no good document of its kind, or one of a game that is not known here, or a proof that needs the rules, 8 a file cannot be read, or this Node is too old.`;

function inWords(report, name) {
  const where = report.round ? `round ${report.round}: ` : "";
  if (report.verdict) {
    const means = { proved: `proved, by whoever has the key ${report.key}`, altered: "this blames nobody" };
    return `${name}: ${where}${report.words} (${means[report.verdict] ?? "undecided here"})`;
  }
  if (!report.ok) {
    const blame = { host: " (the host signed this)", nobody: " (this blames nobody)" }[report.blames];
    return `${name}: ${where}${report.words}${blame}`;
  }
  const rules = report.draws !== "not checked" ? "; rules: not checked here, use `referee verify`" : "";
  return `${name}: ${report.words}${rules}`;
}

async function main(process) {
  const { readFileSync } = await import("node:fs");
  const given = process.argv.slice(2);
  const at = given.indexOf("--bags");
  const [bagsFile] = at < 0 ? [] : given.splice(at, 2).slice(1);
  const json = given.includes("--json");
  const names = given.filter((name) => name !== "--json");
  if (!names.length || names.some((name) => name.startsWith("--")) || (at >= 0 && !bagsFile)) {
    console.error(HELP);
    return names.includes("--help") ? 0 : 2;
  }
  let files, options;
  try {
    files = names.map((name) => new Uint8Array(readFileSync(name)));
    options = bagsFile ? { bags: JSON.parse(readFileSync(bagsFile, "utf8")) } : {};
  } catch (error) {
    console.error(`cannot read a file: ${error.message}`);
    return 8;
  }
  const reports = files.length > 1 ? await verifyFiles(files, options) : [await verify(files[0], options)];
  reports.forEach((report, place) => {
    const { kind, ok, code, blames, verdict, key, round, words, draws, rules, counts, abandoned } = report;
    const judged = verdict ? { verdict, key } : kind === "ruling" && ok ? { binding: report.binding } : {};
    const late = report.table && ["view", "transcript"].includes(kind) ? { late: lateness(report) } : {};
    const row = { kind, ok, code, blames, ...judged, round, words, draws, rules, counts, abandoned, ...late };
    console.log(json ? JSON.stringify(row) : [verdict, code].filter(Boolean).join(" "));
    console.error(inWords(report, names[place] ?? "all together"));
  });
  const { code } = [...reports].reverse().find((report) => !report.ok) ?? reports[0];
  return STATUS[code] ?? 6;
}

if (globalThis.process?.argv?.[1]?.endsWith("verifier.mjs")) {
  main(globalThis.process).then((status) => (globalThis.process.exitCode = status));
}
