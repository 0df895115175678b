"""Vectors of real games: one of each of the four kinds, played to its end with all that can happen between players and
host, and the documents of it in which all is right. `vector_games_faults` has what a host can do to them.

A kind is played with a small box (an edition of our own, which any host may use), so that a whole game is short.
"""

import json
from dataclasses import dataclass, field

import msgspec

from referee import games
from referee.crypto.codec import decode
from referee.crypto.envelope import Envelope
from referee.engine import records as r
from referee.engine.player import sign_return
from referee.engine.seats import out_seats
from tests.support.match import Sitting, resigned

from . import wire
from .vector_seats import arrive, sit_down
from .vector_time import answered_late
from .vector_tools import Played, Vectors, difference, one_round, own_fields, signed, with_secret
from .wire import Json, canonical, identity

BOXES: dict[str, Json] = {
    "mark": {"market": [[8, 10], [7, 10], [5, 10], [4, 10], [3, 10]], "full_rows": 1, "pieces": 4},
    "schwarzer-freitag": {"silver_track": [20, 60, 100], "silver_per_step": 1},
    "schwarzmarkt": {"hand_goods": 3, "hand_cards": 2, "idle_cards": 3, "half_cards": 6,
                     "track": [1, 5, 25, 50], "steps": [2, 1, 1, 0],
                     "offers": [{"coffee": 2, "flour": 2}, {"butter": 2, "sugar": 2}, {"potatoes": 4}]},
    "weg-zum-erfolg": {"pieces": 1, "pieces_many": 1},
}  # fmt: skip
"""How the edition of each kind differs from the one that comes with the program."""
OPTIONS: dict[str, Json] = {"weg-zum-erfolg": {"neue_ziele": True, "reserve_leaves": True}}
WORDS: dict[str, Json] = {
    "mark": {"bid": "nothing"}, "schwarzmarkt": {"asked_from": 5}, "weg-zum-erfolg": {"decline": True}
}  # fmt: skip
"""The standing orders that one player gives with the ack; Schwarzer Freitag has no standing orders."""
KINDS = tuple(BOXES)
SHOWN: dict[str, str] = {
    "mark": "die unseal",
    "schwarzer-freitag": "deal lay-out lay-out-all put take",
    "schwarzmarkt": "deal give lay-out lay-out-all put seek shuffle take",
    "weg-zum-erfolg": "deal die lay-out-all put take unseal",
}
"""Operations that a game of each kind must have."""
FIRST = {"mark": 6, "schwarzmarkt": 138, "weg-zum-erfolg": 3}
"""Earlier games do not have everything."""
MOST = 50
"""Rounds of a game: all files together stay small."""
DEADLINE, GRACE, BANK, TAKEOVER = 60, 10, 30, 120
SEATS = 3


@dataclass
class Real:
    """A whole game of one kind."""

    kind: str
    game: Played
    rounds: dict[str, int] = field(default_factory=dict)
    """What happened, and in which round."""
    seats: dict[str, int] = field(default_factory=dict)
    """To which seat it happened."""
    keys: list[list[bytes]] = field(default_factory=list)
    """The seeds of those who hold the seats in each round, from round 0 on."""
    twin: Sitting | None = None
    """The same game before somebody hands over a seat, to be continued in another way."""

    def at(self, what: str) -> tuple[int, int]:
        return self.rounds[what], self.seats[what]

    def view(self, what: str, seat: int | None = None) -> Json:
        """The view of the seat to which this happened, or of another, after that round."""
        number, own = self.at(what)
        return self.game.view(number, own if seat is None else seat)

    def own(self, seat: int) -> Json:
        return {str(n): fields for n, fields in own_fields(self.game, seat).items()}


def public(view: Json) -> Json:
    """What is public of a view."""
    return {name: value for name, value in view.items() if name not in ("seat", "privates")}


# --- how it is played ------------------------------------------------------------------------------------------------


def sitting(kind: str, number: int) -> Sitting:
    game = games.load(kind)
    printed = json.loads(games.edition_bytes(kind))
    edition = msgspec.convert(printed | BOXES[kind], game.edition)
    times = {"deadline": DEADLINE, "grace": GRACE, "bank": BANK, "takeovers": 2, "takeover": TAKEOVER}
    return Sitting(kind, SEATS, f"vectors {kind} {number}", game.options(**OPTIONS.get(kind, {})), edition, **times)


def played(kind: str) -> Real:
    """The first game in which everything happens before the end."""
    every = (Real(kind, Played(sitting(kind, number))) for number in range(FIRST.get(kind, 0), 1000))
    return next(real for real in every if _eventful(real))


def swapping() -> Sitting:
    """A game of Schwarzmarkt in which one seat, which holds several kinds of goods, is asked for some to give."""
    every = (sitting("schwarzmarkt", n).until(lambda now: now.over or now.what == "swap") for n in range(200))
    alone = (one for one in every if not one.over and len(one.asked) == 1)
    return next(one for one in alone if len({*one.opened(one.asked[0]).seen.hand("goods")}) > 1)


def _eventful(real: Real) -> bool:
    """Whether the game lasted until everything had happened; it is played to its end then."""
    for event in (_dealt, _late, _protested, _returned, _taken, _handed):
        event(real)
        if real.game.sitting.over:
            return False
    real.game.to_end()
    _note(real, "end", 0)
    entries = [entry["body"] for entry in real.game.view()["entries"]]
    shown = {op["op"] for entry in entries for op in entry.get("ops", []) if op.get("tokens") != []}
    # Beside a protest somebody is asked for a bare link, which a host can refuse too; the protest itself seals nothing.
    beside = entries[real.rounds["protest"] - 1]["answers"]
    links = any(answer.keys() == {"link", "seat", "sig"} for answer in beside)
    links = links and not any("commit" in answer for answer in beside if answer["seat"] == real.seats["protest"])
    whole = entries[-1]["end"] == "result" and len(entries) <= MOST
    return whole and links and set(SHOWN[real.kind].split()) <= shown


def _note(real: Real, what: str, seat: int) -> None:
    real.rounds[what], real.seats[what] = real.game.sitting.round, seat
    real.keys += [list(real.game.players)] * (real.game.sitting.round + 1 - len(real.keys))


def _dealt(real: Real) -> None:
    game = real.game
    standing = game.sitting.table.game.standing
    game.step(words={1: msgspec.convert(WORDS[real.kind], standing.words)} if standing else None)
    _note(real, "dealt", 1)


def _late(real: Real) -> None:
    """An answer comes ten minutes too late, and the bank of its seat pays."""
    seat = real.game.sitting.asked[0]
    answered_late(real.game, seat, 10)
    _note(real, "bank", seat)


def _protested(real: Real) -> None:
    """A seat is timed out, and protests with the answer that it gives then."""
    game = real.game
    table, seat = game.sitting, game.sitting.asked[-1]
    before = wire.parse(table.signed(seat))
    game.step(seat)
    _note(real, "timeout", seat)
    answer = decode(table.signed(seat), r.MoveFile, "move")
    _answers(real, seat, resigned(table, seat, answer, protest=identity("move", before["body"]).hex()))
    _note(real, "protest", seat)


def _out(real: Real, seat: int, what: str) -> None:
    """This seat misses deadlines until it is out."""
    while not real.game.sitting.over and seat not in out_seats(real.game.sitting.state):
        real.game.step(seat)
    _note(real, what, seat)


def _returned(real: Real) -> None:
    game, seat = real.game, real.game.sitting.asked[0]
    _out(real, seat, "out")
    if game.sitting.over:
        return
    arrive(game, decode(sign_return(game.sitting.players[seat], game.sitting.opened(seat)), Envelope, "return"))
    game.step()
    _note(real, "return", seat)


def _taken(real: Real) -> None:
    """Somebody takes over a seat that is out."""
    game, seat = real.game, (real.seats["return"] + 1) % SEATS
    _out(real, seat, "vacant")
    if not game.sitting.over:
        game.sitting.wait(DEADLINE + TAKEOVER)
        _takes(real, seat, "Zoe", "taken")


def _takes(real: Real, seat: int, name: str, what: str) -> None:
    game = real.game
    arrive(game, game.sitting.succession(seat, name))
    game.step()
    _note(real, what, seat)
    if not game.sitting.over:
        sit_down(game, seat, name)
        game.step()
        _note(real, f"{what}-after", seat)


def _handed(real: Real) -> None:
    """A player hands over the seat to somebody, who takes it over at once."""
    game, table = real.game, real.game.sitting
    while not table.over and table.asked[0] == real.seats["taken"]:
        game.step()
    if table.over:
        return
    real.twin, seat = table.fork(), table.asked[0]
    answer = decode(table.signed(seat), r.MoveFile, "move")
    _answers(real, seat, resigned(table, seat, answer, handover=table.newcomer("Yves").public.hex()))
    _note(real, "named", seat)
    if not table.over:
        _takes(real, seat, "Yves", "handed")


def _answers(real: Real, seat: int, file: bytes) -> None:
    """One round in which a seat sends this answer, and the others any."""
    table, number = real.game.sitting, real.game.sitting.round
    judged = table.give(table.kept(seat, file))
    assert judged.error is None, judged.error
    if table.round == number:
        table.others(seat)
    real.game._note()


# --- documents in which all is right ---------------------------------------------------------------------------------

GOOD: dict[str, tuple[str, str]] = {
    "dealt": ("seat", "the acks and the first deal"),
    "bank": ("public", "an answer came ten minutes too late, and the bank of its seat pays"),
    "timeout": ("public", "a seat is timed out: nothing is played"),
    "protest": ("public", "it answers then, and protests"),
    "return": ("public", "a seat missed two deadlines running and was out; it comes back"),
    "taken": ("seat", "somebody takes over another seat that was out; the view of who does"),
    "taken-after": ("public", "the round after it, with a link of everybody"),
    "handed": ("public", "a player named who may take over the seat, and that one takes it over"),
    "handed-after": ("seat", "the round after it; the view of who took the seat over"),
    "end": ("seat", "the whole game"),
}
"""Views: whose, and what has just happened."""


class Documents:
    """Vectors of one game: each is stored as changes to another one, in the end to its transcript or that of its first
    rounds, whatever kind of document it is."""

    def __init__(self, out: Vectors, real: Real) -> None:
        self.out, self.real, self.whole = out, real, real.game.transcript()
        self.early = abandoned(real, "handed-after")
        self.bases: dict[str, Json] = {}
        about = f"{real.kind}: a whole game with timeouts, a bank, a protest, a return, a takeover and a hand-over"
        out.base(self.name("transcript", ""), 8, about, real.game, self.whole)
        self.bases[self.name("transcript", "")] = self.whole
        self.add("transcript", "abandoned", 8, "", "the host abandons it after some rounds", self.early)

    def name(self, kind: str, what: str) -> str:
        return f"{kind}-{self.real.kind}-{what}".rstrip("-").replace("--", "-")

    def add(
        self, kind: str, what: str, section: int, codes: str | list[str], about: str, document: Json, **more: Json
    ) -> None:
        """`codes`: any of these is right; empty if the document is good. A good one serves as a base for others."""
        name = self.name(kind, what)
        files = [self.file(one) for one in document] if kind == "several" else self.file(document)
        expect = (codes.split() if isinstance(codes, str) else codes) or "ok"
        self.out.add(name, section, about, kind, files, expect, self.real.game, **more)
        if kind == "proof" or (expect == "ok" and kind != "several"):
            self.bases[name] = document

    def file(self, document: Json) -> Json:
        if "genesis" not in document:
            return {"document": document}
        alike = [base for base, other in self.bases.items() if _size(other) == _size(document)]
        patches = [(base, difference(self.bases[base], document)) for base in [*self.bases][:2] + alike]
        base, patch = min(patches, key=lambda one: len(canonical(one[1])))
        return {"base": base + ".json", "patch": patch}


def _size(document: Json) -> Json:
    """The same for documents that differ in little: with as many entries, or about the same round."""
    alone = document.get("entry", document.get("move", {})).get("body", {}).get("round")
    return len(document.get("entries", [])), alone


def good(kit: Documents) -> None:
    real = kit.real
    for what, (whose, words) in GOOD.items():
        view = public(real.view(what)) if whose == "public" else real.view(what)
        own = {} if what != "end" else {"own": real.own(real.seats["end"])}
        kit.add("view", what, 8, "", words, view, **{name: part for name, part in own.items() if part})
    kit.add("view", "end-public", 8, "", "the whole game, without a seat", public(real.view("end")))
    files = [kit.early, real.view("return", 1), public(real.view("taken"))]
    kit.add("several", "good", 8, "", "a transcript, a view and a public one", files)
    for what in ("protest", "taken", "end"):
        number, seat = real.at(what)
        document = one_round(real.game, seat, number)
        kit.add("round", what, 8, "", GOOD[what][1], document)
        if what != "protest":
            document = with_secret(real.game, document, number)
            kit.add("round", f"{what}-secret", 8, "", f"{GOOD[what][1]}; by who has M", document)


def abandoned(real: Real, what: str) -> Json:
    """The transcript of a game that its host gave up after this round."""
    whole, number = real.game.transcript(), real.rounds[what]
    body = {"game": identity("genesis", whole["genesis"]["body"]).hex(), "round": number}
    body["entry"] = identity("entry", whole["entries"][number - 1]["body"]).hex()
    sealed = [one for one in whole.get("sealed", []) if one["round"] <= number]
    cut = {name: part for name, part in whole.items() if name != "sealed"} | {"entries": whole["entries"][:number]}
    return cut | {"abandoned": signed(real.game.host, "abandonment", body)} | ({"sealed": sealed} if sealed else {})
