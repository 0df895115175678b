// The player's page: opens what comes by mail, checks it, and answers it. It keeps nothing but the
// language that was chosen.

import { choiceGroup, choicesGroup, fieldsOf, withNames } from "./answer.mjs";
import { checkAid, completed, readAid } from "./aid.mjs";
import { findBlocks, writeBlock } from "./blocks.mjs";
import { Bad, canonical, utf8 } from "./bytes.mjs";
import { details, download, el, fill, listed, marked } from "./dom.mjs";
import { gameView } from "./game.mjs";
import { keeping } from "./keep.mjs";
import { binary, isMail, readMail } from "./mail.mjs";
import { answerName, followView, joinName, makeJoin, nameFault, newPlayer, playerFile, questionOf } from "./player.mjs";
import { readPlayer, signAnswer, signWord, wordsAfter, wordsBefore } from "./player.mjs";
import { showProof } from "./proof_panel.mjs";
import { wordForm } from "./sayings.mjs";
import { languageSwitch, speakToReader } from "./switch.mjs";
import { duration, foreign, joinedWords, sentence, spoken, spokenNow, t, term, titleOf } from "./texts.mjs";
import { showVerdict, verdictPanel } from "./verdict.mjs";
import { kindOf, verify, verifyFiles } from "./verifier.mjs";

const OWN = ["player", "key"];
const COMPARED = ["view", "transcript", "move", "receipt"];
const random = () => crypto.getRandomValues(new Uint8Array(32));

let player = null;
/** The newest state of the player's file is not saved yet. */
let unsaved = false;
/** What was opened last: `{name, kind, bytes}` of a document, and the mail it came with. */
let opened = [];
let reply = { to: "", subject: "" };
/** What was wrong with it, as functions: each says it in the language of now. */
let wrong = [];
/** What was signed since then, or is to be signed again: the place on the page -> what stands there instead of a form. */
const done = new Map();

const page = document.getElementById("page");
const you = el("section", { class: "card no-print", "aria-labelledby": "you" });
const shown = el("section", { class: "card", "aria-labelledby": "shown" });
const troubles = el("div", { role: "alert" });

// --- opening ---------------------------------------------------------------------------------------------------------

function opener() {
  const input = el("input", { type: "file", multiple: true, id: "files", change: () => take([...input.files]).finally(() => (input.value = "")) });
  const pasted = el("textarea", { id: "pasted", rows: 3, spellcheck: "false", "aria-label": t("paste") });
  const read = () => openAll([["", utf8(pasted.value)]]).then(() => (pasted.value = ""));
  const zone = el(
    "div",
    {
      class: "drop",
      dragover: (event) => {
        event.preventDefault();
        zone.classList.add("over");
      },
      dragleave: () => zone.classList.remove("over"),
      drop: (event) => {
        event.preventDefault();
        zone.classList.remove("over");
        take([...event.dataTransfer.files]);
      },
    },
    input,
    el("label", { for: "files", class: "button" }, t("pick")),
    el("p", { class: "soft" }, t("drop")),
  );
  return el(
    "section",
    { class: "card no-print", "aria-labelledby": "open" },
    el("h2", { id: "open" }, t("open heading")),
    el("p", { class: "soft" }, t("open lead")),
    zone,
    details(t("paste"), pasted, el("div", { class: "row" }, el("button", { type: "button", id: "read", click: read }, t("paste open")))),
    troubles,
  );
}

async function take(files) {
  const read = files.map(async (file) => [file.name, new Uint8Array(await file.arrayBuffer())]);
  await openAll(await Promise.all(read));
}

/** Open files together: own ones are used, the others are shown; a view takes the aid beside it. */
async function openAll(files) {
  wrong = [];
  done.clear();
  const found = files.flatMap(([name, bytes]) => documents(name, bytes));
  for (const { name, bytes } of found.filter((one) => OWN.includes(one.kind))) {
    try {
      player = await readPlayer(bytes);
      unsaved = false;
    } catch (error) {
      if (!(error instanceof Bad)) throw error;
      wrong.push(() => t("file failed", { name: shownName(name), words: sentence(error.message) }));
    }
  }
  const others = found.filter((one) => !OWN.includes(one.kind));
  if (others.length) opened = others;
  const scroll = others.length ? () => shown.scrollIntoView() : () => {};
  showTroubles();
  await refresh();
  scroll();
  document.body.dataset.opened = String(Number(document.body.dataset.opened ?? 0) + 1);
}

function showTroubles() {
  fill(troubles, wrong.map((say) => el("p", { class: "bad" }, say())));
}

/** What was pasted has no name. */
const shownName = (name) => name || t("pasted");

/** The documents in a file: one, or all that a mail or a pasted text brings. */
function documents(name, bytes) {
  const raw = binary(bytes);
  if (isMail(raw)) {
    const mail = readMail(raw);
    reply = mail.reply;
    const inside = mail.documents.map((one) => document_(one.name, one.bytes)).filter((one) => one.kind);
    const blocks = mail.texts.flatMap((text) => fromBlocks(name, text));
    // The same document can be attached and stand in the text; a view is only ever shown once.
    const all = [...inside, ...blocks.filter((one) => !inside.some((other) => other.kind === one.kind))];
    if (!all.length) wrong.push(() => t("mail nothing", { name: shownName(name) }));
    return all;
  }
  const text = new TextDecoder().decode(bytes);
  const blocks = fromBlocks(name, text);
  return blocks.length ? blocks : [document_(name, bytes)];
}

function fromBlocks(name, text) {
  const found = findBlocks(text);
  for (const block of found.filter((one) => !one.bytes)) wrong.push(() => t("block damaged", { name: shownName(name), words: sentence(block.why) }));
  return found.filter((one) => one.bytes).map((one) => document_(name, one.bytes));
}

function document_(name, bytes) {
  let kind = "";
  try {
    kind = kindOf(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    // The verifier says what is wrong with it.
  }
  return { name, kind, bytes };
}

function wordsOf(error) {
  if (error instanceof Bad) return sentence(error.message);
  throw error;
}

// --- you -------------------------------------------------------------------------------------------------------------

function showYou() {
  const heading = el("h2", { id: "you" }, t("you heading"));
  if (!player) {
    const name = el("input", { type: "text", id: "name", maxlength: 40, autocomplete: "off" });
    const trouble = el("p", { role: "alert" });
    const make = async () => {
      const why = nameFault(name.value.trim());
      if (why) return fill(trouble, sentence(why));
      player = await newPlayer(random(), name.value.trim());
      unsaved = true;
      return refresh();
    };
    const row = el("div", { class: "row" }, el("label", { for: "name" }, t("your name")), name, el("button", { type: "button", id: "make", click: make }, t("make key")));
    return fill(you, heading, el("p", {}, t("you none")), row, trouble);
  }
  const games = player.tickets.map((ticket) => t("you game", { game: ticket.game.slice(0, 8), round: ticket.round }));
  const lines = [
    el("p", {}, t("you are", { name: player.name, key: player.key.slice(0, 16) })),
    el("p", { class: "soft" }, games.length ? t("you games", { games: joinedWords(games) }) : t("you no games")),
  ];
  if (unsaved) lines.push(el("p", { class: "unsure" }, t("save now")));
  const saving = () => {
    unsaved = false;
    // The link must still be there while the browser follows it.
    setTimeout(showYou, 0);
  };
  const name = `${player.name.replace(/[^\p{L}\p{N}]+/gu, "-").toLowerCase() || "player"}.player.json`;
  const attributes = { id: "save", click: saving, class: unsaved ? "button main" : "button" };
  return fill(you, heading, lines, el("div", { class: "row" }, download(name, playerFile(player), t("save player"), attributes)), el("p", { class: "soft" }, t("saved")));
}

function remember(next) {
  if (next === player) return;
  player = next;
  unsaved = true;
  showYou();
}

// --- what was opened -------------------------------------------------------------------------------------------------

let newest = 0;
/** In which the page stands there. */
let language = "";

/** Everything that depends on what was opened, checked again; all of the page, if another language is spoken now. What a
 * later call has overtaken is left out. */
async function refresh() {
  const number = ++newest;
  const parts = await shownParts();
  if (number !== newest) return;
  if (language === spokenNow()) return showAll(parts);
  language = spokenNow();
  keeping(page, () => {
    frame();
    showAll(parts);
  });
}

function showAll(parts) {
  showYou();
  fill(shown, parts);
}

async function shownParts() {
  const heading = el("h2", { id: "shown" }, t("opened heading"));
  if (!opened.length) return [heading, el("p", { class: "soft" }, t("opened nothing"))];
  const aids = opened.filter((one) => one.kind === "aid");
  const views = opened.filter((one) => one.kind === "view");
  const others = opened.filter((one) => !["aid", "view"].includes(one.kind));
  const parts = [];
  for (const view of views) parts.push(await showView(view, aids));
  for (const one of others) parts.push(await showOther(one));
  const together = opened.filter((one) => COMPARED.includes(one.kind));
  if (together.length > 1) parts.push(await sideBySide(together));
  if (!parts.length) for (const aid of aids) parts.push(el("p", { class: "unsure" }, t("aid alone", { name: shownName(aid.name) })));
  return [heading, parts];
}

async function showOther(one) {
  const panel = verdictPanel();
  const report = await verify(one.bytes);
  const node = el("article", {}, panel);
  if (report.kind === "proof") return showProof(panel, report), node;
  showVerdict(panel, report, t("verify"), !report.ok && report.steps.length ? [["unsure", t("after bad")]] : []);
  if (report.kind === "offer" && report.ok) node.append(offerPart(report));
  else if (report.table && report.steps.length) {
    const names = report.table.players.map((each) => each.name);
    node.prepend(el("h3", {}, t("transcript title", { game: titleOf(report.table.terms.game) })));
    node.append(el("p", { class: "soft" }, t("players", { names: joinedWords(names) })), el("p", { class: "unsure" }, marked(t("transcript bare", { command: `referee page ${one.name || "TRANSCRIPT"}` }))), gameView(report, []));
  } else if (report.ok) node.append(el("p", {}, looseWords(report)));
  return node;
}

/** Files that are good by themselves can contradict each other: that proves something against the host. */
async function sideBySide(files) {
  const panel = verdictPanel();
  const report = (await verifyFiles(files.map((one) => one.bytes))).at(-1);
  return el("article", {}, el("h3", {}, t("together")), showVerdict(panel, report, ""));
}

function looseWords(report) {
  const { body } = report.document;
  const game = body.game?.slice(0, 8);
  if (report.kind === "join") return t("other join", { name: body.name, offer: body.offer.slice(0, 8) });
  const place = { seat: body.seat + 1, round: body.round, game };
  if (report.kind === "receipt") return t("other receipt", { ...place, code: body.code });
  if (report.kind === "word") return t("other word", { ...place, text: body.text });
  const said = body.resign ? t("resigns") : body.answer ? spoken(body.answer) : t("bare");
  return t("other move", { ...place, fields: said });
}

// --- offers ----------------------------------------------------------------------------------------------------------

function offerPart(report) {
  const terms = report.document.body;
  const lines = [
    t("offer seats", { seats: terms.seats, rules: terms.rules }),
    t("offer signed", { key: terms.key.slice(0, 16) }),
    terms.deadline ? t("offer deadline", { deadline: duration(terms.deadline), grace: duration(terms.grace ?? 0) }) : t("offer no deadline"),
    ...Object.entries(terms.options).map(([name, value]) => t("offer option", { name: term(name), value: spoken(value) })),
    ...(typeof terms.edition?.name === "string" ? [t("offer edition", { name: terms.edition.name })] : []),
    ...(terms.chance ? [t("offer common")] : []),
  ];
  const out = el("div", {});
  const node = el("div", {}, listed(t("offer title", { game: titleOf(terms.game) }), lines), out);
  const place = `join ${report.id}`;
  if (done.has(place)) return fill(out, done.get(place)()), node;
  if (!player) return fill(out, el("p", { class: "unsure" }, t("need player"))), node;
  const name = el("input", { type: "text", id: "seat-name", maxlength: 40, value: player.name });
  const trouble = el("p", { role: "alert" });
  const join = async () => {
    try {
      const bytes = await makeJoin(player, report, name.value.trim(), random());
      const file = joinName(report, name.value.trim(), player.key);
      const subject = () => reply.subject || t("subject join", { id: report.id.slice(0, 8) });
      done.set(place, () => sending("join", file, bytes, subject(), t("joined")));
      fill(out, done.get(place)());
      out.querySelector("#mail").focus();
    } catch (error) {
      fill(trouble, wordsOf(error));
    }
  };
  fill(
    out,
    el("p", {}, t("join lead")),
    el("div", { class: "row" }, el("label", { for: "seat-name" }, t("your name")), name, el("button", { type: "button", id: "join", class: "main", click: join }, t("join"))),
    trouble,
  );
  return node;
}

// --- views -----------------------------------------------------------------------------------------------------------

async function showView(view, aids) {
  const panel = verdictPanel();
  const read = aids.map((one) => readAid(one));
  const hint = read.find((one) => one.aid)?.aid.bags;
  const followed = player ? await followView(player, view.bytes, { hint }) : { report: await verify(view.bytes, { hint }), mine: false, age: "new" };
  const { report } = followed;
  const checks = read.map((one) => (one.aid ? { aid: one.aid, why: report.table ? checkAid(one.aid, report) : "" } : one));
  const aid = checks.find((one) => one.aid && !one.why)?.aid ?? null;
  const notes = checks.filter((one) => one.why).map((one) => ["bad", t("aid foreign", { why: one.why })]);
  if (aid) notes.push(["unsure", t("maker aid")]);
  if (!report.ok && report.steps.length) notes.push(["unsure", t("after bad")]);
  showVerdict(panel, report, t("audit"), notes);
  const node = el("article", {}, panel);
  if (!report.table) return node;
  const names = report.table.players.map((one) => one.name);
  node.prepend(
    el("h3", { lang: aid && foreign(aid.language) }, aid ? aid.title : titleOf(report.table.terms.game)),
    el("p", { class: "soft" }, t("game", { id: report.table.game.slice(0, 8) }), " · ", t("players", { names: joinedWords(names) })),
  );
  if (report.steps.length) node.append(gameView(report, roundsOf(report, aid), { folded: true, language: aid?.language }));
  if (report.ok) node.append(answerPart(followed, aid, names));
  if (player && followed.mine && followed.age !== "old" && !report.state.end) node.append(wordPart(report));
  return node;
}

/** What is said of each round: the words of the aid, and the newest position, which the verifier has compared. */
function roundsOf(report, aid) {
  const rounds = report.steps.map(() => ({}));
  for (const { round, lines = [], own = [] } of aid?.told ?? []) if (rounds[round - 1]) rounds[round - 1] = { told: lines, own };
  const last = rounds.at(-1);
  if (report.ok && report.document.public) last.public = report.document.public;
  if (aid?.picture) last.picture = () => aid.picture;
  return rounds;
}

// --- answers ---------------------------------------------------------------------------------------------------------

function answerPart(followed, aid, names) {
  const { report, mine, age } = followed;
  const out = el("section", { class: "answer no-print", "aria-label": t("your turn") });
  const say = (kind, text) => fill(out, el("p", { class: kind }, text));
  if (!player) return say("unsure", t("need player"));
  if (!mine) return say("unsure", t("other key", { name: names[report.seat] }));
  remember(followed.player);
  if (age === "old") return say("unsure", t("old view"));
  const question = questionOf(report);
  if (!question) return say("soft", t("rests"));
  const place = `move ${report.state.newest}`;
  if (done.has(place)) return fill(out, done.get(place)(out));
  const before = player.tickets.find((ticket) => ticket.offer === report.table.offer)?.signed;
  if (before?.body.round !== report.state.round + 1) return fill(out, asking(report, question, aid, names, out, false));
  const again = () => {
    done.set(place, (node) => asking(report, question, aid, names, node, true));
    fill(out, done.get(place)(out));
  };
  return fill(out, signedBefore(report, before, again));
}

function signedBefore(report, file, again) {
  const bytes = utf8(canonical(file));
  return [
    el("p", { class: "unsure" }, t("signed before")),
    details(t("send again"), sending("move", answerName(report, "move"), bytes, subjectOf(report), "")),
    el("div", { class: "row" }, el("button", { type: "button", id: "again", click: again }, t("sign again"))),
  ];
}

function subjectOf(report) {
  return reply.subject || t("subject", { id: report.table.game.slice(0, 8), round: report.state.round + 1 });
}

/** The form: what is asked, what can be chosen, and the fields that will be signed. */
function asking(report, question, aid, names, out, again) {
  const bare = ["ack", "link"].includes(question.what);
  const chosen = { move: null, standing: [], resign: false };
  const before = wordsBefore(report);
  const complete = () => chosen.standing.every((one) => one.move);
  const fit = () => chosen.standing.every((one) => chosen.standing.every((other) => one.at >= other.at || together(aid, one, other)));
  const after = () => (complete() && fit() ? wordsAfter(before, chosen.standing.map((one) => one.move)) : null);
  const lines = el("ul", { class: "fields" });
  const trouble = el("p", { role: "alert" });
  const sign = el("button", { type: "button", id: "sign", class: "main" }, t("sign"));
  const tell = () => {
    const told = fieldsToSign();
    fill(lines, told.map((line) => el("li", {}, line)));
    sign.disabled = !told.length;
    document.body.dataset.signing = told.length ? "yes" : "";
  };
  sign.addEventListener("click", async () => {
    try {
      const answer = { again };
      if (chosen.resign) answer.resign = true;
      else if (chosen.move?.move) answer.move = chosen.move.move;
      if (!chosen.resign && after() !== before) answer.standing = after();
      const made = await signAnswer(player, report, answer, random());
      remember(made.player);
      done.set(`move ${report.state.newest}`, () => sending("move", answerName(report, "move"), made.bytes, subjectOf(report), t("signed")));
      fill(out, done.get(`move ${report.state.newest}`)());
      out.querySelector("#mail").focus();
    } catch (error) {
      fill(trouble, wordsOf(error));
    }
  });
  const parts = [el("h3", {}, t("your turn"))];
  parts.push(el("p", {}, bare ? t(question.what === "ack" ? "asked ack" : "asked bare") : t("asked for", { what: term(question.what) })));
  if (aid?.terms?.length && question.what === "ack") parts.push(listed(t("terms"), aid.terms, {}, foreign(aid.language)));
  if (!bare && !aid) parts.push(el("p", { class: "unsure" }, marked(t("no aid"))));
  if (!bare && aid) parts.push(choiceGroup(t("choose"), aid.moves.choices, { names, language: aid.language }, set("move"), report.state.holding ? t("field bare") : ""));
  if (aid?.moves.standing) parts.push(sayings(aid.moves.standing, { names, language: aid.language }, set("standing")));
  if (question.what !== "ack") parts.push(details(t("resign"), el("label", { class: "option" }, resigning(chosen, tell), t("resign sure"))));
  function set(name) {
    return (value) => {
      const whole = name === "move" && value?.move;
      chosen[name] = whole ? { ...value, move: completed(value.move, aid, question.sealed) } : value;
      tell();
    };
  }
  tell();
  return [parts, el("div", { class: "signing" }, el("h3", {}, t("you sign")), lines, trouble, el("div", { class: "row" }, sign))];

  function fieldsToSign() {
    if (chosen.resign) return [t("field resign")];
    const told = [];
    if (chosen.move?.move) {
      for (const [path, value, sealed] of fieldsOf(chosen.move.move, question.sealed)) told.push(t(sealed ? "field sealed" : "field", { path, value }));
      told.push(t("label beside", { label: chosen.move.label }));
    } else if (bare || (report.state.holding && !chosen.move)) told.push(t("field bare"));
    else return [];
    const words = after();
    fill(trouble, words === null && complete() ? t("say clash") : "");
    if (words === null) return [];
    if (words !== before) told.push(t("field words", { value: spoken(words) }), ...chosen.standing.map(({ label }) => t("label beside", { label })));
    return told;
  }
}

/** Whether the host's program says that two phrases can be said with one answer. */
function together(aid, one, other) {
  return (aid.together ?? []).some(([first, second]) => first === one.at && second === other.at);
}

function sayings(standing, host, changed) {
  const now = standing.now.length ? el("p", { class: "soft" }, t("in force", { phrases: standing.now.map((one) => withNames(one, host.names)).join("; ") })) : null;
  return details(t("say for good"), now, choicesGroup(t("say for good"), standing.choices, host, changed));
}

/** What the player says of himself goes to the host by itself. */
function wordPart(report) {
  const out = el("div", { class: "word" });
  const place = `word ${report.table.game}`;
  const sign = async (text) => {
    const bytes = await signWord(player, report, text);
    const subject = () => reply.subject || t("subject word", { id: report.table.game.slice(0, 8) });
    done.set(place, () => sending("word", answerName(report, "word"), bytes, subject(), t("signed")));
    fill(out, done.get(place)());
    out.querySelector("#word-mail").focus();
  };
  return el("section", { class: "no-print", "aria-label": t("word heading") }, details(t("word heading"), fill(out, done.has(place) ? done.get(place)() : wordForm(sign))));
}

function resigning(chosen, tell) {
  const box = el("input", {
    type: "checkbox", id: "resign",
    change: () => {
      chosen.resign = box.checked;
      tell();
    },
  }); // prettier-ignore
  return box;
}

/** A signed document on its way: as a reply, as a file, as a block. */
function sending(kind, name, bytes, subject, title) {
  const block = writeBlock(kind, bytes);
  const id = (name) => (kind === "word" ? `word-${name}` : name);
  const told = el("span", { role: "status" });
  const area = el("textarea", { id: id("block"), readonly: true, rows: 8, focus: () => area.select() });
  area.value = block;
  const copy = async () => {
    area.select();
    try {
      await navigator.clipboard.writeText(block);
    } catch {
      document.execCommand("copy");
    }
    fill(told, t("copied"));
  };
  const head = /^(?:re|aw|antw)\s?:/i.test(subject) ? subject : `Re: ${subject}`;
  const mail = `mailto:${encodeURIComponent(reply.to).replace("%40", "@")}?subject=${encodeURIComponent(head)}&body=${encodeURIComponent(block.replace(/\n/g, "\r\n"))}`;
  return el(
    "div",
    { class: "sending" },
    title ? el("p", { class: "good", role: "status" }, title) : null,
    el("div", { class: "row" },
      el("a", { class: "button main", id: id("mail"), href: mail }, reply.to ? t("send mail") : t("send mail no address")),
      download(name, bytes, t("send file"), { id: id("file") })),
    el("label", { for: id("block") }, t("send block")),
    area,
    el("div", { class: "row" }, el("button", { type: "button", id: id("copy"), click: copy }, t("copy")), told),
  ); // prettier-ignore
}

// --- the page --------------------------------------------------------------------------------------------------------

addEventListener("beforeunload", (event) => {
  if (unsaved) event.preventDefault();
});
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => event.preventDefault());
const failed = (what) => fill(troubles, el("p", { class: "bad" }, t("fault", { what })));
addEventListener("error", (event) => failed(event.message));
addEventListener("unhandledrejection", (event) => failed(event.reason?.message ?? event.reason));

/** What is there whatever was opened. */
function frame() {
  document.title = t("player title");
  const title = el("div", { class: "title" }, el("h1", {}, t("player title")), languageSwitch(refresh));
  fill(page, el("header", {}, title, el("p", {}, t("player lead"))), opener(), you, shown);
  showTroubles();
}

speakToReader();
refresh();
