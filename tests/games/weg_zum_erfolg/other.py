"""Boards of other shapes, made by code, and games on any board: nothing runs on without an end inside one round, and
every position can be drawn, stored and answered."""

import random
import unicodedata
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import msgspec

from referee.crypto import codec
from referee.game import LINK, Step
from referee.games.weg_zum_erfolg import GAME
from referee.games.weg_zum_erfolg.types import LEVELS, Deal, Edition, Options, Public, Sight, Words
from tests.support.plain import Choose, PlainDraws, bared, seen

from .build import EDITION

Data = dict[str, Any]
"""An edition as a host may have written it: nothing is checked yet."""
NAMES = ["Anna", "Benedikt der Lange", "株式会社大黒天一二三", "Dörte", "E", "Franz", "Greta", "Hugo"]
ROUNDS = 2048
"""The most rounds that a game can have."""
DRAWS = 5_000
"""This many throws and cards in one round are not an accident."""
OPPOSITE = {"left": "right", "right": "left", "up": "down", "down": "up"}
MINE: Data = msgspec.to_builtins(EDITION)


def read(data: Data) -> Edition:
    """What the program makes of an edition file."""
    return codec.read(msgspec.json.encode(data), Edition, "edition")


def accepted(data: Data, seats: int = 2, **options: bool) -> Deal:
    terms = Deal(seats, Options(**options), read(data))
    GAME.validate(terms)
    return terms


def copy(data: Data) -> Data:
    """A deep copy."""
    found: Data = msgspec.json.decode(msgspec.json.encode(data))
    return found


# --- boards made by code ----------------------------------------------------------------------------------------------


class Maker:
    """Fields, and both ends of the ways between them."""

    def __init__(self, start: str = "S") -> None:
        self.start = start
        self.fields: dict[str, dict[str, str]] = {}
        self.add(start, "start", "yellow")

    def add(self, name: str, kind: str, level: str) -> str:
        assert name not in self.fields
        self.fields[name] = {"id": name, "kind": kind, "level": level}
        return name

    def join(self, way: str, *names: str) -> None:
        """From each field a way to the next, and back."""
        for first, second in pairwise(names):
            self.fields[first][way] = second
            self.fields[second][OPPOSITE[way]] = first

    def row(self, name: str, kinds: str, gaps: Sequence[int], level: str) -> list[str]:
        """A lane; `j` is a junction, `h` a head, `q` a "?", and between them are this many small fields, in turn."""
        letters = {"j": "small", "h": "head", "q": "question"}
        marks = [self.add(f"{name}{at}{kind}", letters[kind], level) for at, kind in enumerate(kinds)]
        lane = marks[:1]
        for at, mark in enumerate(marks[1:]):
            lane += [self.add(f"{name}{at}x{n}", "small", level) for n in range(gaps[at % len(gaps)])]
            lane.append(mark)
        self.join("right", *lane)
        return marks

    def connector(self, low: str, high: str, number: int, stars: Sequence[int] = (0,)) -> None:
        """From a junction up to a decision field, with this many small fields; some are stars."""
        level = self.fields[low]["level"]
        kinds = ["star" if n in stars else "small" for n in range(number)]
        self.join("up", low, *(self.add(f"{low}u{n}", kind, level) for n, kind in enumerate(kinds)), high)

    def way_down(self, high: str, number: int, exit_: str = "") -> None:
        """From a decision field down to the start field; `exit_` is left or right if it can be climbed."""
        names = [self.add(f"{high}d{n}", "star" if n == 1 else "small", "yellow") for n in range(number)]
        self.join("down", high, *names)
        self.fields[[high, *names][-1]]["down"] = self.start
        if exit_:
            self.fields[self.start][exit_] = [high, *names][-1]

    def goals(self, junctions: Sequence[str]) -> None:
        for n, junction in enumerate(junctions):
            self.join("up", junction, self.add(f"chip{n}", "chip", "blue"))
            self.fields[f"chip{n}"]["up"] = self.add(f"goal{n}", "goal", "blue")

    def edition(self, name: str, **more: Any) -> Data:
        return copy(MINE) | {"name": name, "fields": list(self.fields.values())} | more


def two_rows() -> Data:
    """Two rows; junctions beside decision fields, no small fields on some connectors, several stars on others."""
    maker = Maker("Anfang")
    low = maker.row("l", "jhjqjhjqjhjqjqj", (0, 1, 2), "green")
    high = maker.row("u", "jqjhjhjqjqjhjqjqj", (1, 0, 4, 0), "blue")
    for at, (junction, above) in enumerate(zip(low[::2], high[1::2], strict=True)):
        maker.connector(junction, above, at % 4, stars=(0, 2))
    for at, decision in enumerate(low[1::2]):
        maker.way_down(decision, 1 + at % 4, {0: "left", 6: "right"}.get(at, ""))
    maker.goals(high[::2])
    return maker.edition("two rows", pieces=2, pieces_many=1)


def ring() -> Data:
    """One row closed to a ring without ends; decision fields are neighbours; the way to S is long."""
    maker = Maker("O")
    marks = maker.row("r", "jqhjqhjhjqjqqjhjhjqhjq", (0, 0, 1), "orange")
    maker.join("right", marks[-1], maker.add("last", "small", "red"), marks[0])
    decisions = [mark for mark in marks if mark[-1] != "j"]
    for at, decision in enumerate(decisions):
        maker.way_down(decision, 7 if at in (0, 8) else 2, {0: "right", 8: "left"}.get(at, ""))
    maker.goals([mark for mark in marks if mark[-1] == "j"])
    return maker.edition("ring", pieces=3, pieces_many=2, suit=[1, 7, 13, 99], chips=[9, 9, 12, 1, 1, 2, 10, 7, 8])


def strange_names() -> Data:
    """The printed board with the longest ids, words of the game and names of pieces as ids, and few cards."""
    data = copy(MINE)
    odd = ["piece", "2", "up", "Up", "b2", "B2", "try", "0", "00", "x", "success", "Z9"]
    ids = [field["id"] for field in data["fields"]]
    names = {name: f"{at:012}" for at, name in enumerate(ids)} | dict(zip(ids[::7], odd, strict=False))
    data["fields"] = [renamed(field, names) for field in reversed(data["fields"])]
    for card in data["chance"]:
        card["count"] = 1
    return data | {"name": "strange names", "pieces": 2, "pieces_many": 1}


def renamed(field: dict[str, str], names: dict[str, str]) -> dict[str, str]:
    return {key: value if key in ("kind", "level") else names.get(value, value) for key, value in field.items()}


def random_tower(rng: random.Random, number: int) -> Data:
    """This many rows, each with one decision field more than the row below; all lengths are random."""
    maker = Maker(rng.choice(["S", "start", "Y1", "Z"]))
    below: list[str] = []
    for row in range(number):
        middle = "".join(rng.choice(["h", "q", "h", "q", "hq", "qq"]) + "j" for _ in range(9 - number + row))
        level = LEVELS[rng.randint(0, 4)]
        marks = maker.row(f"t{row}", "j" + middle, [rng.randint(0, 3) for _ in range(7)], level)
        decisions = [mark for mark in marks if mark[-1] != "j"]
        firsts = [mark for mark, before in zip(marks[1:], marks, strict=False) if before[-1] == "j"]
        for junction, above in zip(below, firsts, strict=False):
            maker.connector(junction, above, rng.randint(0, 3), rng.choice([(), (0,), (1,), (0, 1, 2)]))
        exits = {decisions[0]: "left", decisions[-1]: "right"} if not row else {}
        for decision in decisions:
            if not below or decision not in firsts:
                maker.way_down(decision, rng.randint(1, 6), exits.get(decision, ""))
        below = [mark for mark in marks if mark[-1] == "j"]
    maker.goals(below)
    return maker.edition("tower", pieces=rng.randint(1, 4), pieces_many=rng.randint(1, 3))


BOARDS: dict[str, Callable[[], Data]] = {"two rows": two_rows, "ring": ring, "strange names": strange_names}


# --- playing ----------------------------------------------------------------------------------------------------------


class Impatient(PlainDraws):
    """Refuses to go on if one round has no end."""

    def __init__(self, terms: Deal, rng: random.Random) -> None:
        super().__init__(GAME.bags(terms), rng, hands=GAME.hands)

    def die(self, sides: int) -> int:
        assert len(self.calls) < DRAWS, "one round has no end"
        return super().die(sides)


def by_random(terms: Deal, view: Sight, rng: random.Random) -> Any:
    return GAME.bots["random"](terms, view, rng.randrange)


def by_sense(terms: Deal, view: Sight, rng: random.Random) -> Any:
    return GAME.bots["sensible"](terms, view, rng.randrange)


def never(terms: Deal, view: Sight, _: random.Random) -> Any:
    """Misses every deadline."""


PLAYERS: dict[str, Choose] = {"random": by_random, "sensible": by_sense, "late": never}


def play(terms: Deal, choose: Choose, rng: random.Random, most: int, every: int = 1) -> Step:
    """Play at most `most` rounds, and look closely at one position in `every`; returns the last step."""
    draws = Impatient(terms, rng)
    step = GAME.setup(terms, draws, (Words(),) * terms.seats)
    for number in range(most):
        assert_sound(terms, step)
        if number % every == 0:
            assert_answerable(terms, step, draws)
        if not step.pending:
            break
        answers = {}
        for ask in step.pending:
            view = seen(step, draws, ask.seat)
            answers[ask.seat] = choose(terms, view, rng) if ask.what != LINK else None
            if answers[ask.seat] is not None:
                GAME.check(terms, view, answers[ask.seat])
        draws.calls.clear()
        draws.next_step({seat: move for seat, move in answers.items() if move is not None})
        given = {ask.seat: bared(GAME, ask, answers[ask.seat]) for ask in step.pending}
        step = GAME.apply(terms, step.public, step.pending, given, draws)
    return step


def assert_sound(terms: Deal, step: Step) -> None:
    """Every piece is somewhere from where it can go on, alone on a small field; a piece in a goal is home."""
    board, public = terms.edition.board, step.public
    places = [piece for player in public.players for piece in player.pieces if piece.at in board.fields]
    small = [p.at for p in places if not board.is_decision(p.at) and p.at not in board.goals]
    assert len(small) == len(set(small)), "two pieces on a small field"
    assert public.home == sum(piece.at in board.goals for piece in places), "in a goal, but not home"
    for piece in places:
        if not board.is_decision(piece.at) and not board.is_junction(piece.at) and piece.at not in board.goals:
            assert getattr(board.fields[piece.at], piece.heading), f"no way {piece.heading} from {piece.at}"
    assert (step.result is None) == bool(step.pending)


def assert_answerable(terms: Deal, step: Step, draws: PlainDraws) -> None:
    """The position can be stored and drawn; every choice is legal, and can be typed."""
    stored = codec.encode(step.public)
    assert len(stored) < 200_000
    assert codec.decode(stored, Public, "position") == step.public
    for ask in step.pending[-2:]:
        view = seen(step, draws, ask.seat)
        moves = [choice.move for choice in GAME.legal(terms, view)]
        assert bool(moves) == (ask.what != LINK)
        for move in moves:
            GAME.check(terms, view, move)
            assert GAME.parse(terms, view, GAME.text(move)) == move
    for width in (100, 80, 60):
        assert_drawn(terms, seen(step, draws, step.public.turn), width)


def assert_drawn(terms: Deal, view: Sight, width: int) -> None:
    shown = GAME.render(terms, view, NAMES[: terms.seats], lambda text, style: text, width)
    for line in shown.split("\n"):
        assert line.isprintable(), f"not fit for a terminal: {line!r}"
        assert sum(1 + (unicodedata.east_asian_width(sign) in "WF") for sign in line) <= width
