"""Small games with known keys, and documents of them that are wrong in one place, for the vectors.

The project's engine plays the games, since somebody has to know the rules. Every change to a document is made and
signed by the independent code.
"""

import copy
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from referee import games
from referee.bots.seats import bot_answer
from referee.crypto.envelope import Envelope
from referee.crypto.keys import Key
from referee.crypto.links import Chain
from referee.engine import lobby, table, turn
from referee.engine.replay import reveal
from referee.engine.rounds import who_is_asked
from referee.engine.view import make_view

from . import ed25519, verifier
from .verifier import H, canonical, identity

TOYS = str(Path(__file__).parents[1] / "toys")
NAMES = ("Anna", "Bert")

Vector = dict[str, Any]
Json = Any


def secret(text: str) -> bytes:
    """32 bytes that everybody can make again: SHA-256 of a text."""
    return hashlib.sha256(text.encode()).digest()


HOST = secret("host")
PLAYERS = [secret(name) for name in NAMES]


def case(about: str, kind: str, given: Json, expect: Json = None, error: str = "") -> Vector:
    return {"about": about, "kind": kind, "given": given} | ({"error": error} if error else {"expect": expect})


# --- games ----------------------------------------------------------------------------------------------------------


class Game:
    """A game of Toy Auction for two, one round long. With `tip` (another chain) or `stacked` the host is a cheat."""

    def __init__(self, tip: bytes = b"", stacked: bool = False) -> None:
        if TOYS not in games.__path__:
            games.__path__.append(TOYS)
        auction = games.load("auction")
        edition = table.read_edition(auction, games.edition_bytes("auction"))
        terms = table.make_terms(auction, 2, auction.options(rounds=1), edition)
        self.host = Key(HOST, "Host")
        self.players = [Key(seed, name) for seed, name in zip(PLAYERS, NAMES, strict=True)]
        offer = lobby.make_offer(self.host, "auction", auction, terms, secret("nonce of the host"))
        if tip:
            first = Chain(self.host.public, secret("nonce of the host")).checkpoints(tip)[0]
            offer = native(signed(HOST, "offer", plain(offer)["body"] | {"tip": first.hex()}))
        joins = [lobby.make_join(key, offer, key.name, secret("nonce of " + key.name)) for key in self.players]
        genesis = lobby.make_genesis(self.host, offer, tuple(joins))
        self.match = turn.new_match(self.host, genesis)
        if tip:
            self.match.marks = genesis.host_chain.checkpoints(tip)
        if stacked:
            self._stack(genesis)

    def _stack(self, genesis: table.Table) -> None:
        """The host seals two cards of the pile the other way round than M says."""
        faces = dict(self.match.state.faces)
        faces["pile.0.0"], faces["pile.0.1"] = faces["pile.0.1"], faces["pile.0.0"]
        body = plain(genesis.envelope)["body"]
        for index in (0, 1):
            salt = verifier.salt_of(self.match.secret, genesis.hash, "pile", 0, index)
            leaf = verifier.leaf_of(genesis.hash, "pile", 0, index, salt, faces[f"pile.0.{index}"])
            body["leaves"]["pile"][index] = leaf.hex()
        self.match = turn.new_match(self.host, table.Table(native(signed(HOST, "genesis", body)), verify=False))
        self.match.state = msgspec.structs.replace(self.match.state, faces=faces)

    def answer(self, seat: int) -> bytes:
        return bot_answer(make_view(self.match, seat), self.players[seat], "random", secret("chance"))

    def round(self, *late: int) -> None:
        """One round: these seats miss the deadline, all others answer."""
        asked = sorted(who_is_asked(self.match.state))
        for data in [self.answer(seat) for seat in asked if seat not in late]:
            verdict = turn.take_move(self.match, data)
            assert verdict.code == "taken", verdict
        for seat in late:
            turn.time_out(self.match, seat)

    def play(self, rounds: int = 100) -> "Game":
        while not self.match.state.end and self.match.state.round < rounds:
            self.round()
        return self

    def view(self, seat: int = 1) -> Json:
        return verifier.parse(make_view(self.match, seat))

    def transcript(self) -> Json:
        return verifier.parse(reveal(self.match))


def plain(envelope: Envelope) -> Json:
    return verifier.parse(msgspec.json.encode(envelope, order="sorted"))


def native(envelope: Json) -> Envelope:
    return msgspec.json.decode(canonical(envelope), type=Envelope)


# --- changing documents and signing them again ----------------------------------------------------------------------


def signed(seed: bytes, kind: str, body: Json) -> Json:
    signature = ed25519.sign(seed, verifier.encoding(kind, canonical(body)))
    return {"body": body, "sig": signature.hex(), "type": verifier.PREFIX + kind}


def with_private(view: Json, **changes: Any) -> Json:
    """The private part with other fields (None: without that field), signed by the host."""
    view = copy.deepcopy(view)
    body = {k: v for k, v in (view["private"]["body"] | changes).items() if v is not None}
    view["private"] = signed(HOST, "private", body)
    return view


def with_entry(document: Json, alter: Callable[[Json], None], number: int = 0) -> Json:
    """One entry altered (by default the newest) and signed by the host; a view's private part then follows it."""
    document = copy.deepcopy(document)
    body = document["entries"][number - 1]["body"]
    alter(body)
    document["entries"][number - 1] = signed(HOST, "entry", body)
    if "private" in document and number == 0:
        return with_private(document, entry=identity("entry", body).hex(), round=body["round"])
    return document


def with_move(document: Json, seat: int, **changes: Any) -> Json:
    """An answer of the newest entry altered and signed by its player."""

    def alter(entry: Json) -> None:
        index = next(i for i, answer in enumerate(entry["answers"]) if answer["seat"] == seat)
        answer = {k: v for k, v in (entry["answers"][index] | changes).items() if v is not None}
        move = verifier.encoding("move", canonical(verifier.rebuilt_move(entry, answer)))
        entry["answers"][index] = answer | {"sig": ed25519.sign(PLAYERS[seat], move).hex()}

    return with_entry(document, alter)


def with_genesis(view: Json, alter: Callable[[Json], None]) -> Json:
    """The genesis altered and signed by the host; the private part of a view without entries follows it."""
    view = copy.deepcopy(view)
    body = view["genesis"]["body"]
    alter(body)
    view["genesis"] = signed(HOST, "genesis", body)
    game = identity("genesis", body).hex()
    return with_private(view, game=game, entry=game) if not view["entries"] else view


def with_join(view: Json, seat: int, seed: bytes = b"", **changes: Any) -> Json:
    def alter(genesis: Json) -> None:
        body = genesis["joins"][seat]["body"] | changes
        genesis["joins"][seat] = signed(seed or PLAYERS[seat], "join", body)

    return with_genesis(view, alter)


def with_offer(view: Json, **changes: Any) -> Json:
    """Another offer, joined by the same players; for a view without entries."""

    def alter(genesis: Json) -> None:
        genesis["offer"] = signed(HOST, "offer", genesis["offer"]["body"] | changes)
        name = identity("offer", genesis["offer"]["body"]).hex()
        for seat, join in enumerate(genesis["joins"]):
            genesis["joins"][seat] = signed(PLAYERS[seat], "join", join["body"] | {"offer": name})

    return with_genesis(view, alter)


def at(document: Json, *path: str | int) -> Json:
    for step in path:
        document = document[step]
    return document


def put(*path: Any) -> Callable[[Json], None]:
    """A change: the last element of the path is the new value of the field that the others lead to."""
    *way, name, value = path

    def alter(document: Json) -> None:
        at(document, *way)[name] = value

    return alter


def changed(document: Json, *path: Any) -> Json:
    document = copy.deepcopy(document)
    put(*path)(document)
    return document


def flipped(text: str) -> str:
    """The same hex text with another last digit."""
    return text[:-1] + ("0" if text[-1] != "0" else "1")


def op_index(entry: Json, name: str) -> int:
    return next(i for i, op in enumerate(entry["ops"]) if op["op"] == name)


def with_op(document: Json, name: str, *path: Any) -> Json:
    """The newest entry with its first operation of this name altered."""
    return with_entry(document, lambda entry: put(*path)(entry["ops"][op_index(entry, name)]))


# --- patches --------------------------------------------------------------------------------------------------------


def difference(old: Json, new: Json, path: tuple[str | int, ...] = ()) -> list[Json]:
    """The changes that lead from one document to another."""
    if isinstance(old, dict) and isinstance(new, dict):
        out = [{"at": [*path, key], "remove": True} for key in sorted(old.keys() - new.keys())]
        for key in sorted(new):
            if key in old:
                out += difference(old[key], new[key], (*path, key))
            else:
                out.append({"at": [*path, key], "value": new[key]})
        return out
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return [d for i, (a, b) in enumerate(zip(old, new, strict=True)) for d in difference(a, b, (*path, i))]
    return [] if old == new and type(old) is type(new) else [{"at": list(path), "value": new}]


def patched(old: Json, changes: list[Json]) -> Json:
    """The document after these changes."""
    new = copy.deepcopy(old)
    for change in changes:
        *way, name = change["at"]
        if change.get("remove"):
            del at(new, *way)[name]
        else:
            at(new, *way)[name] = copy.deepcopy(change["value"])
    return new


# --- documents ------------------------------------------------------------------------------------------------------

WITHOUT_RULES = {
    "unknown-game",
    "other-rules",
    "bad-bags",
    "false-own",
    "false-position",
    "false-legal",
    "illegal-move",
    "bad-ops",
    "rule-broken",
    "false-view",
}
CHECKS = {"view": verifier.check_view, "transcript": verifier.check_transcript}


class Documents:
    """Good documents, and bad ones as changes to them."""

    def __init__(self) -> None:
        self.bases: dict[str, Json] = {}
        self.vectors: dict[str, Vector] = {}

    def good(self, name: str, about: str, document: Json) -> Json:
        kind = document["format"].removeprefix(verifier.PREFIX)
        expect = CHECKS[kind](canonical(document))
        self.bases[name] = document
        self.vectors[name] = case(about, kind, {"document": document}, expect)
        return document

    def also(self, name: str, base: str, about: str, document: Json) -> None:
        """Another good view, stored as changes."""
        kind = self.vectors[base]["kind"]
        self.vectors[name] = case(about, kind, self.given(base, document), CHECKS[kind](canonical(document)))

    def given(self, base: str, document: Json) -> Json:
        return {"base": base + ".json", "patch": difference(self.bases[base], document)}

    def bad(self, base: str, code: str, about: str, document: Json, tag: str = "") -> None:
        kind = self.vectors[base]["kind"]
        name = f"{kind}-{code}" + (f"-{tag}" if tag else "")
        assert name not in self.vectors
        self.vectors[name] = self.marked(case(about, kind, self.given(base, document), error=code))

    def files(self, code: str, about: str, *documents: tuple[str, Json]) -> None:
        given = [self.given(base, document) if base else {"document": document} for base, document in documents]
        vector = case(about, "files", given, error=code) if code else case(about, "files", given, "one story")
        self.vectors["files-" + (code or "good")] = self.marked(vector)

    def marked(self, vector: Vector) -> Vector:
        """Mark a fault that nobody sees without the rules; make sure that every other one is seen."""
        code = ""
        try:
            if vector["kind"] == "files":
                verifier.check_files([self.data(given) for given in vector["given"]])
            else:
                CHECKS[vector["kind"]](self.data(vector["given"]))
        except verifier.Bad as error:
            code = error.code
        wanted = vector.get("error", "")
        assert code == wanted or (not code and wanted in WITHOUT_RULES), (vector["about"], code, wanted)
        return vector | {"needs": "rules"} if code != wanted else vector

    def data(self, given: Json) -> bytes:
        if "text" in given:
            return str(given["text"]).encode()
        if "document" in given:
            return canonical(given["document"])
        return canonical(patched(self.bases[given["base"].removesuffix(".json")], given["patch"]))


def documents() -> dict[str, Vector]:
    docs = Documents()
    views = []
    game = Game()
    for number in range(6):
        views.append(game.view())
        if number < 5:
            game.round()
    start = docs.good("view-start", "before the first entry: the private part asks for the ack", views[0])
    deal = docs.good("view-deal", "round 1: takes, seals and a die; the private part opens the own hand", views[1])
    bids = docs.good("view-bids", "round 2: sealed answers, shown at once", views[2])
    play = docs.good("view-play", "round 4: open, put under the pile, take from slots and from the tail", views[4])
    end = docs.good("view-end", "the game is over", views[5])
    transcript = docs.good("transcript-good", "a whole game with its secrets", game.transcript())
    held = Game().play(2)
    raider = next(iter(who_is_asked(held.match.state)))
    held.round(raider)
    witness = docs.good(
        "view-witness", "a timeout in a round that must draw: all is held, a witness is asked", held.view(1 - raider)
    )
    held.round(1 - raider)
    resting = docs.good("view-rests", "nobody is left to witness what is held", held.view(1 - raider))
    docs.good("transcript-rests", "everybody missed a deadline while something was held", held.transcript())
    late = Game().play(1)
    taken = late.answer(0)
    late.round(0)
    timeout = docs.good("view-timeout", "a timeout where sealed answers were due: all is held", late.view())
    _bad_tables(docs, start)
    _bad_privates(docs, start, deal)
    _bad_chains(docs, bids, end)
    _bad_rounds(docs, deal, bids, witness, timeout)
    _bad_ops(docs, deal, bids, play, timeout)
    _bad_ends(docs, bids, end, resting)
    _odd_ops(docs, deal)
    _bad_transcripts(docs, transcript)
    _bad_files(docs, transcript, start, bids, timeout, verifier.parse(taken))
    return docs.vectors


def _bad_tables(docs: Documents, start: Json) -> None:
    def bad(code: str, about: str, document: Json, tag: str = "") -> None:
        docs.bad("view-start", code, about, document, tag)

    bad("malformed", "a field that no view has", start | {"more": 1}, "unknown-field")
    bad("malformed", "another format", start | {"format": verifier.PREFIX + "game"}, "format")
    bad("malformed", "an empty list that has to be left out", with_private(start, openings=[]), "default")
    bad("malformed", "upper-case hex", changed(start, "genesis", "sig", start["genesis"]["sig"].upper()), "hex")
    bad(
        "malformed",
        "the private part says it is an entry",
        changed(start, "private", "type", verifier.PREFIX + "entry"),
        "type",
    )
    bad(
        "bad-edition",
        "the edition was changed, its hash not",
        with_genesis(start, put("offer", "body", "edition", "money", 99)),
    )
    bad("bad-signature", "the genesis", changed(start, "genesis", "sig", flipped(start["genesis"]["sig"])), "genesis")
    join = start["genesis"]["body"]["joins"][1]
    bad("bad-signature", "a join", with_genesis(start, put("joins", 1, "sig", flipped(join["sig"]))), "join")
    bad("bad-signature", "a join, signed by another player", with_join(start, 1, PLAYERS[0]), "other-player")
    offer = start["genesis"]["body"]["offer"]
    bad("bad-signature", "the offer", with_genesis(start, put("offer", "sig", flipped(offer["sig"]))), "offer")
    bad("unknown-game", "a game that the reader does not have", with_offer(start, game="nine-mens-morris"))
    bad("other-rules", "another version of the rules", with_offer(start, rules="0"))
    # The key is the neutral element, so this signature fits every message.
    weak, fits_all = (1).to_bytes(32, "little").hex(), (1).to_bytes(32, "little").hex() + "00" * 32
    body = join["body"] | {"key": weak}
    envelope = {"body": body, "sig": fits_all, "type": join["type"]}
    assert ed25519.verify(bytes.fromhex(weak), b"anything", bytes.fromhex(fits_all))
    bad(
        "weak-key", "seat 1 joined with a key that vouches for anything", with_genesis(start, put("joins", 1, envelope))
    )
    anna = start["genesis"]["body"]["joins"][0]["body"]["key"]
    bad("same-key", "one player sits on both seats", with_join(start, 1, PLAYERS[0], key=anna), "players")
    bad("same-key", "the host plays with its own key", with_join(start, 1, HOST, key=offer["body"]["key"]), "host")
    bad("other-offer", "the join of seat 1 is for another offer", with_join(start, 1, offer=secret("other").hex()))
    bad("bad-name", "a name that begins with a space", with_join(start, 1, name=" Bert"), "space")
    bad("bad-name", "two names that look alike", with_join(start, 1, name="ANNA"), "alike")
    bad("bad-seats", "a seat is empty", with_genesis(start, lambda genesis: genesis["joins"].pop()))
    bad("bad-bags", "the pile has a card less", with_genesis(start, lambda genesis: genesis["leaves"]["pile"].pop()))


def _bad_privates(docs: Documents, start: Json, deal: Json) -> None:
    bad = docs.bad
    private = deal["private"]
    bad(
        "view-deal",
        "bad-signature",
        "the private part",
        changed(deal, "private", "sig", flipped(private["sig"])),
        "private",
    )
    last = flipped(deal["entries"][-1]["sig"])
    bad("view-deal", "bad-signature", "the newest entry", changed(deal, "entries", -1, "sig", last), "newest")
    bad("view-deal", "mixed-view", "a private part for another round", with_private(deal, round=2), "round")
    bad("view-deal", "mixed-view", "for another game", with_private(deal, game=secret("other").hex()), "game")
    bad("view-deal", "mixed-view", "for a seat that does not exist", with_private(deal, seat=2), "seat")
    bad("view-start", "mixed-view", "a position before the first entry", start | {"public": {}}, "early")
    nothing = {name: value for name, value in deal.items() if name != "public"}
    bad("view-deal", "mixed-view", "an entry without a position", nothing, "none")
    bad("view-deal", "false-public", "more money than the host signed", changed(deal, "public", "money", 0, 11))
    openings = private["body"]["openings"]
    bad("view-deal", "missing-opening", "one opening is kept back", with_private(deal, openings=openings[1:]))
    swapped = [openings[1], openings[0], *openings[2:]]
    bad("view-deal", "missing-opening", "in another order", with_private(deal, openings=swapped), "order")
    other = [openings[0] | {"face": openings[1]["face"]}, *openings[1:]]
    bad(
        "view-deal",
        "bad-opening",
        "a hidden card that is not the one drawn",
        with_private(deal, openings=other),
        "private",
    )
    salted = [openings[0] | {"salt": flipped(openings[0]["salt"])}, *openings[1:]]
    bad("view-deal", "bad-opening", "a wrong salt", with_private(deal, openings=salted), "salt")
    hand = [*private["body"]["own"]["hand"][1:], "99"]
    bad("view-deal", "false-own", "another hand than was drawn", with_private(deal, own={"hand": hand}))
    question = private["body"]["ask"]
    bad("view-deal", "false-question", "another question", with_private(deal, ask=question | {"what": "play"}))
    bad("view-deal", "false-question", "no question", with_private(deal, ask=None), "none")
    early = with_private(start, ask={"seat": 1, "what": "bid"})
    bad("view-start", "false-question", "a question before round 1", early, "start")
    legal = private["body"]["legal"]
    bad("view-deal", "false-legal", "a legal move is not listed", with_private(deal, legal=legal[1:]))
    poor = deal["public"] | {"money": []}
    body = private["body"]
    digest = verifier.H("public", bytes.fromhex(body["game"]), body["round"], canonical(poor)).hex()
    signed_so = with_entry(deal, lambda entry: entry.update(public=digest))
    bad("view-deal", "false-position", "a position without the players' money", signed_so | {"public": poor})


def _bad_chains(docs: Documents, bids: Json, end: Json) -> None:
    def bad(code: str, about: str, document: Json, tag: str = "") -> None:
        docs.bad("view-bids", code, about, document, tag)

    first = bids["entries"][0]
    bad("bad-entry", "the signature of entry 1", changed(bids, "entries", 0, "sig", flipped(first["sig"])))
    typed = changed(bids, "entries", 0, "type", verifier.PREFIX + "move")
    bad("bad-entry", "entry 1 says it is a move", typed, "type")
    bad("broken-chain", "entry 2 follows another entry", with_entry(bids, put("prev", secret("other").hex())), "prev")
    bad("broken-chain", "entry 2 is of another game", with_entry(bids, put("game", secret("other").hex())), "game")
    third = with_entry(bids, put("round", 3))
    wanted = H("public", bytes.fromhex(third["private"]["body"]["game"]), 3, canonical(third["public"])).hex()
    bad("broken-chain", "the second entry calls itself entry 3", with_entry(third, put("public", wanted)), "round")
    other = with_entry(bids, put("answers", 1, "commit", secret("other").hex()))
    bad("bad-move", "the host puts in another commitment than seat 1 signed", other)
    swapped = with_entry(bids, lambda entry: _swap_signatures(entry["answers"]))
    bad("bad-move", "the signatures of two answers change places", swapped, "swapped")
    link = first["body"]["answers"][1]["link"]
    bad("bad-link", "seat 1 gives the link of round 1 again", with_move(bids, 1, link=link))
    bad(
        "bad-host-link",
        "the host gives the link of round 1 again",
        with_entry(bids, put("link", first["body"]["link"])),
    )
    last = end["entries"][-1]["body"]
    more = {name: last[name] for name in ("game", "public", "full", "link")} | {
        "answers": [],
        "round": last["round"] + 1,
    }
    more["prev"] = identity("entry", last).hex()
    longer = copy.deepcopy(end)
    longer["entries"].append({"body": more, "sig": "00" * 64, "type": verifier.PREFIX + "entry"})
    position = H("public", bytes.fromhex(more["game"]), more["round"], canonical(end["public"])).hex()
    docs.bad("view-end", "after-end", "an entry after the end", with_entry(longer, put("public", position)))


def _swap_signatures(answers: list[Json]) -> None:
    answers[0]["sig"], answers[1]["sig"] = answers[1]["sig"], answers[0]["sig"]


def _bad_rounds(docs: Documents, deal: Json, bids: Json, witness: Json, timeout: Json) -> None:
    def bad(base: str, about: str, tag: str, document: Json) -> None:
        docs.bad(base, "bad-round", about, document, tag)

    def drop(entry: Json) -> None:
        entry["answers"].pop()

    bad("view-bids", "the answer of seat 1 is missing", "missing", with_entry(bids, drop))
    bad("view-bids", "answers not in seat order", "order", with_entry(bids, lambda entry: entry["answers"].reverse()))
    bad("view-bids", "a seat answered and timed out", "both", with_entry(bids, put("timeouts", [1])))
    bad("view-deal", "an ack with an answer", "ack", with_move(deal, 1, answer={}))
    bad("view-bids", "an answer without the commitment that is due", "commit", with_move(bids, 1, commit=None))
    bad("view-bids", "a bare link where an answer is due", "bare", with_move(bids, 1, answer=None, commit=None))
    bad("view-bids", "a seat is out without a timeout", "out", with_entry(bids, put("out", [1])))

    def first_timeout(entry: Json) -> None:
        entry["answers"].pop()
        entry["timeouts"] = [1]
        del entry["ops"]

    told = with_private(with_entry(deal, first_timeout), openings=None)
    bad("view-deal", "a timeout in round 1", "first", told)
    bad("view-bids", "a witness without a timeout", "witness", with_entry(bids, put("witness", [0, 1])))
    bad("view-witness", "the seat that timed out is a witness", "silent", with_entry(witness, put("witness", [0, 1])))
    unheld = with_entry(timeout, lambda entry: entry.pop("witness"))
    bad("view-timeout", "sealed answers are not held after a timeout", "unheld", with_private(unheld, ask=None))
    bad("view-bids", "an end by result without a result", "result", with_entry(bids, put("end", "result")))

    def ask_nobody(entry: Json) -> None:
        del entry["ask"]

    nobody = with_private(with_entry(bids, ask_nobody), ask=None, legal=None)
    bad("view-bids", "nobody is asked and the game goes on", "nobody", nobody)
    stranger = with_entry(bids, put("ask", 0, "seat", 2))
    bad("view-bids", "a seat is asked that does not exist", "stranger", with_private(stranger, ask=None, legal=None))
    nobody = with_entry(bids, put("ask", 0, "seat", -1))
    bad("view-bids", "an end of another kind", "end", with_entry(bids, put("end", "draw")))
    bad("view-bids", "a seat below 0 is asked", "negative", with_private(nobody, ask=None, legal=None))


def _bad_ends(docs: Documents, bids: Json, end: Json, resting: Json) -> None:
    for name, about in (("void", "void long before the links run out"), ("rests", "the game rests too early")):
        over = with_private(with_entry(bids, put("end", name)), ask=None, legal=None)
        docs.bad("view-bids", "bad-round", about, over, name)
    going_on = with_entry(resting, lambda entry: entry.pop("end"))
    docs.bad("view-rests", "bad-round", "a witness round with a timeout drops what is held", going_on, "dropped")
    legal = with_private(end, legal=[{"move": {"do": "bid"}, "text": "bid 1"}])
    docs.bad("view-end", "false-legal", "legal moves for a seat that is not asked", legal, "unasked")
    docs.bad("view-bids", "malformed", "an answer that is no object", with_move(bids, 1, answer="bid"), "text")
    spaced = _spaced(bids)
    about = "a space inside the answer of seat 1, which seat 1 and the host signed as it is"
    docs.vectors["view-malformed-answer"] = docs.marked(case(about, "view", {"text": spaced}, error="malformed"))


def _spaced(bids: Json) -> str:
    """The view with a space inside an answer; every signature covers the bytes with the space."""
    old, new = b'"answer":{"do":"bid"}', b'"answer":{"do": "bid"}'

    def sign(seed: bytes, kind: str, body: bytes) -> bytes:
        return ed25519.sign(seed, verifier.encoding(kind, body)).hex().encode()

    entry = copy.deepcopy(bids["entries"][-1])
    answer = entry["body"]["answers"][1]
    move = canonical(verifier.rebuilt_move(entry["body"], answer)).replace(old, new)
    answer["sig"] = sign(PLAYERS[1], "move", move).decode()
    first, *rest = canonical(entry["body"]).rpartition(old)
    body = first + new + rest[1]
    whole = b'{"body":%b,"sig":"%b","type":"%b"}' % (body, sign(HOST, "entry", body), entry["type"].encode())
    view = with_private(bids, entry=H("id", entry["type"], body).hex())
    return canonical(view).replace(canonical(bids["entries"][-1]), whole).decode()


def _odd_ops(docs: Documents, deal: Json) -> None:
    """Operations that the rules of this game never lead to; nobody sees that without the rules."""
    seed = _seed_of_deal(deal["entries"][-1]["body"])

    def only(*ops: Json) -> Json:
        view = with_entry(deal, put("ops", list(ops)))
        return with_private(view, openings=None, own={"hand": []})

    pile = [f"pile.0.{index}" for index in range(9)]
    tokens = [{"slot": pile.pop(verifier.below(seed, draw, len(pile)))} for draw in range(5)]
    take = {"bag": "pile", "into": "pile", "op": "take", "to": -2, "tokens": tokens}
    rest = [*pile, *(token["slot"] for token in tokens)]
    last = {"slot": rest[verifier.below(seed, 5, 9)]}
    again = {"bag": "pile", "op": "take", "to": -2, "tokens": [last]}
    docs.also(
        "view-take-back", "view-deal", "five slots of the pile go back into it, then one is taken", only(take, again)
    )
    leaf = verifier.leaf_of(secret("any table"), "heap", 0, 0, secret("salt"), "01").hex()
    filled = {"bag": "heap", "faces": ["01"], "op": "put"}
    seal = {"bag": "heap", "generation": 0, "leaves": [leaf], "op": "seal"}
    one = {"bag": "heap", "op": "take", "to": -2, "tokens": [{"slot": "heap.0.0"}]}
    sealed = only(filled, seal, one)
    docs.also("view-seal-first", "view-deal", "a container that was filled before is sealed: generation 0", sealed)
    unknown = with_op(deal, "take", "into", "No Name")
    docs.bad("view-deal", "malformed", "a container with a name that is not allowed", unknown, "container")


def _bad_ops(docs: Documents, deal: Json, bids: Json, play: Json, timeout: Json) -> None:
    bad = docs.bad
    entry = deal["entries"][-1]["body"]
    value = entry["ops"][op_index(entry, "die")]["value"]
    bad("view-deal", "bad-die", "the die shows something else", with_op(deal, "die", "value", value % 6 + 1))
    bad("view-deal", "bad-die", "a die with more sides", with_op(deal, "die", "sides", 1000), "sides")
    slots_ = [token["slot"] for op in entry["ops"] if op["op"] == "take" for token in op["tokens"]]
    other = next(f"pile.0.{i}" for i in range(9) if f"pile.0.{i}" not in slots_)
    bad("view-deal", "bad-pick", "the host picks another slot", with_op(deal, "take", "tokens", 0, "slot", other))
    bad("view-deal", "bad-pick", "a draw too many before it", with_entry(deal, _die_first), "shifted")
    bad("view-deal", "bad-pick", "a draw from an empty bag", with_op(deal, "take", "bag", "nothing"), "empty")
    opened = play["entries"][-1]["body"]
    token = opened["ops"][op_index(opened, "open")]["tokens"][0]
    face = "01" if token["face"] != "01" else "02"
    bad("view-play", "bad-opening", "another card than was sealed", with_op(play, "open", "tokens", 0, "face", face))
    bad("view-play", "bad-opening", "a card of another hand", with_op(play, "open", "bag", "hand/1"), "hand")
    bare = with_entry(play, lambda entry: entry["ops"][op_index(entry, "open")]["tokens"][0].pop("salt"))
    bad("view-play", "bad-opening", "a sealed card without its salt", bare, "bare")
    hidden = with_op(deal, "take", "tokens", 0, "face", "01")
    bad("view-deal", "bad-opening", "a hidden card is shown to all", hidden, "shown")
    bad("view-deal", "bad-seal", "a generation is left out", with_op(deal, "seal", "generation", 2))
    bad("view-deal", "bad-seal", "the same generation again", with_op(deal, "seal", "generation", 0), "again")
    bad(
        "view-bids",
        "bad-shown",
        "another bid is shown than was sealed",
        with_op(bids, "show", "fields", "amount", 10**6),
    )
    bad("view-bids", "bad-shown", "an answer that was never sealed", with_op(bids, "show", "round", 1), "round")

    def throw(entry: Json) -> None:
        entry.setdefault("ops", []).append({"op": "die", "sides": 6, "value": 1, "label": "lot"})

    bad("view-timeout", "draw-without-seed", "a die in a round with a timeout", with_entry(timeout, throw))


def _seed_of_deal(entry: Json) -> bytes:
    acc = verifier.acc_next(
        bytes.fromhex(entry["game"]),
        1,
        verifier.acc_start(bytes.fromhex(entry["game"])),
        bytes.fromhex(entry["link"]),
        [bytes.fromhex(answer["link"]) for answer in entry["answers"]],
    )
    return verifier.seed_of(bytes.fromhex(entry["game"]), 1, acc)


def _die_first(entry: Json) -> None:
    value = 1 + verifier.below(_seed_of_deal(entry), 0, 6)
    entry["ops"].insert(0, {"op": "die", "sides": 6, "value": value, "label": "extra"})


def _bad_transcripts(docs: Documents, transcript: Json) -> None:
    def bad(code: str, about: str, document: Json, tag: str = "") -> None:
        docs.bad("transcript-good", code, about, document, tag)

    bad("malformed", "a view called a transcript", transcript | {"format": verifier.PREFIX + "view"})
    bad("bad-secret", "another M", transcript | {"secret": flipped(transcript["secret"])})
    other_chain = Game(tip=secret("another chain")).play().transcript()
    docs.bad("transcript-good", "bad-host-chain", "the host's links do not come from M", other_chain)
    stacked = Game(stacked=True).play().transcript()
    docs.bad("transcript-good", "bad-bag", "two cards of the pile changed places before the game", stacked)
    sealed = transcript["sealed"]
    bad("bad-sealed", "a sealed part is missing", transcript | {"sealed": sealed[1:]}, "missing")
    fields = changed(transcript, "sealed", 0, "secret", "fields", "amount", 10**3)
    bad("bad-sealed", "another bid than was committed to", fields, "altered")
    never = sealed[0] | {"round": 4}
    bad("bad-sealed", "a sealed part of an answer that had none", transcript | {"sealed": [*sealed, never]}, "never")
    asked = transcript["entries"][2]["body"]["answers"][0]["seat"]
    left = sealed[0] | {"round": 3, "seat": 1 - asked}
    bad("bad-sealed", "a sealed part of a seat that was not asked", transcript | {"sealed": [*sealed, left]}, "left")
    bad("bad-sealed", "the same sealed part twice", transcript | {"sealed": [*sealed, sealed[-1]]}, "twice")
    bad(
        "not-over",
        "the last entry is missing",
        transcript | {"entries": transcript["entries"][:-1], "sealed": sealed[:3]},
    )
    bad("bad-entry", "the signature of entry 2", changed(transcript, "entries", 1, "sig", "00" * 64))
    value = transcript["entries"][0]["body"]
    die = op_index(value, "die")
    other = value["ops"][die]["value"] % 6 + 1
    bad("bad-die", "the first die", with_entry(transcript, put("ops", die, "value", other), 1))
    bad("rule-broken", "a line of the log that the rules do not give", with_entry(transcript, put("log", ["nothing"])))
    more = {"bag": "hand/0", "faces": ["01"], "op": "put"}
    bad("bad-ops", "a card out of nowhere", with_entry(transcript, lambda entry: entry["ops"].append(more)))
    bad("illegal-move", "a card is played when a guess was asked", _illegal(transcript))


def _illegal(transcript: Json) -> Json:
    """Seat 1 plays a card in the last round, all properly signed."""
    entry = transcript["entries"][-1]["body"]
    salt, fields = secret("salt"), {}
    commit = verifier.commitment(bytes.fromhex(entry["game"]), entry["round"], 1, salt, fields)
    transcript = with_move(transcript, 1, answer={"card": "01", "do": "play"}, commit=commit.hex())
    index = next(i for i, s in enumerate(transcript["sealed"]) if (s["round"], s["seat"]) == (entry["round"], 1))
    transcript["sealed"][index]["secret"] = {"fields": fields, "salt": salt.hex()}
    return transcript


def _bad_files(docs: Documents, transcript: Json, start: Json, bids: Json, timeout: Json, move: Json) -> None:
    files = docs.files
    entry = bids["entries"][-1]["body"]
    receipts = [
        {"code": "taken", "game": entry["game"], "move": identity("move", body).hex(), "round": 2, "seat": 0}
        for body in (verifier.rebuilt_move(entry, entry["answers"][0]), move["body"])
    ]
    good, late = (signed(HOST, "receipt", body) for body in receipts)
    files(
        "",
        "two views, a transcript and a receipt",
        ("view-start", start),
        ("view-bids", bids),
        ("transcript-good", transcript),
        ("", good),
    )
    other = with_entry(bids, put("log", ["something else"]))
    files("two-entries", "two entries of round 2", ("view-bids", bids), ("view-bids", other))
    again = with_genesis(start, lambda genesis: genesis["joins"].reverse())
    files("two-geneses", "two games from one offer", ("view-start", start), ("view-start", again))
    richer = with_private(bids, own={"hand": ["01", "02", "03"]})
    files("two-privates", "two hands in one round", ("view-bids", bids), ("view-bids", richer))
    files("false-view", "a hand that the replay contradicts", ("transcript-good", transcript), ("view-bids", richer))
    files("taken-and-timed-out", "the host took the answer of seat 0", ("view-timeout", timeout), ("", late))
    fake = signed(HOST, "receipt", receipts[0] | {"move": secret("other").hex()})
    files("taken-and-dropped", "the host took an answer that is nowhere", ("view-bids", bids), ("", fake))
