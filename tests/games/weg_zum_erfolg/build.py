"""What the tests of this game share: positions made to measure, what must hold in all of them, and random players."""

import random
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from referee.engine.book import Fault
from referee.errors import IllegalMove
from referee.game import Ask, Step
from referee.games.weg_zum_erfolg import GAME, rules
from referee.games.weg_zum_erfolg.arithmetic import solve
from referee.games.weg_zum_erfolg.graph import Leg, pick, ways
from referee.games.weg_zum_erfolg.lookups import mover, opponents_on, swap_targets, uses
from referee.games.weg_zum_erfolg.moving import legs_after, ways_after
from referee.games.weg_zum_erfolg.scratch import Scratch
from referee.games.weg_zum_erfolg.types import (
    LEVELS,
    RESERVE,
    Deal,
    Edition,
    Go,
    Heading,
    Intervene,
    Lose,
    Move,
    Opponent,
    Options,
    Piece,
    Place,
    Player,
    Public,
    Sight,
    Solve,
    SwapChip,
    Target,
    Try,
    Turn,
    Way,
    Words,
)
from tests.support.plain import PlainDraws, bared, seen

OURS = msgspec.json.decode(Path(rules.__file__).with_name("edition.json").read_bytes(), type=Edition)
EDITION = msgspec.json.decode(Path(__file__).with_name("wide.json").read_bytes(), type=Edition)
"""Most clauses are tested on a board with longer lanes than ours, as a host may use it: its rows have room for pieces
before, between and behind decision fields."""
BOARD = EDITION.board
SUIT = (2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 11)
CHANCE = Counter(
    {
        "forward-1": 3,
        "forward-2": 3,
        "forward-3": 2,
        "back-1": 3,
        "back-2": 3,
        "back-3": 2,
        "again": 4,
        "miss": 4,
        "reserve": 4,
        "decision": 4,
        "swap": 4,
        "lose": 4,
        "nothing": 3,
    }
)
SUCCESS = Counter({"stay": 10, "begin-again": 2})
OUR_CHANCE = Counter({card.id: card.count for card in OURS.chance})
OUR_SUCCESS = Counter({card.id: card.count for card in OURS.success})
VARIANTS: dict[str, dict[str, bool]] = {
    "base": {},
    "reserve": {"reserve_leaves": True},
    "may-enter": {"may_enter": True},
    "hinterlistig": {"hinterlistig": True},
    "neue": {"neue_ziele": True},
    "neue-hinterlistig": {"neue_ziele": True, "hinterlistig": True},
    "zufall": {"zufallsziele": True},
    "zufall-hinterlistig": {"zufallsziele": True, "hinterlistig": True, "reserve_leaves": True},
}
PARKED: tuple[tuple[str, Heading], ...] = (("R6a", "right"), ("R7a", "right"))


def deal(seats: int = 2, edition: Edition = EDITION, **options: bool) -> Deal:
    return Deal(seats, Options(**options), edition)


def our_deal(seats: int = 2, **options: bool) -> Deal:
    return deal(seats, OURS, **options)


class Below6(PlainDraws):
    """Throws that no test has chosen bring in no piece."""

    def die(self, sides: int) -> int:
        return super().die(sides) if self.dice else super().die(sides - 1)


class Desk:
    """One game under test. Seat 0 starts; seat 1 has two pieces parked, so that it is asked whatever it throws.

    All other pieces are in the reserve until a test puts them somewhere.
    """

    def __init__(
        self, seats: int = 2, faces: tuple[str, ...] = (), edition: Edition = EDITION, **options: bool
    ) -> None:
        self.terms = deal(seats, edition, **options)
        dice = [6, 6, *[1, 1] * (seats - 1), 6, 1, 1, 1]
        self.draws = Below6(rules.bags(self.terms), random.Random(1), hands=GAME.hands, dice=dice, faces=faces)
        self.step = rules.setup(self.terms, self.draws, (Words(),) * seats)
        if not options.get("neue_ziele"):
            self.reset()

    def reset(self) -> None:
        players = tuple(
            replace(player, pieces=(Piece(RESERVE, "up"),) * len(player.pieces)) for player in self.now.players
        )
        self.draws.dice = []
        self.public(players=players, turn=0, task=None, throw=0).put(1, *PARKED)

    # --- making a position

    def public(self, **fields: Any) -> "Desk":
        self.step = replace(self.step, public=replace(self.now, **fields))
        return self

    def player(self, seat: int, **fields: Any) -> "Desk":
        players = list(self.now.players)
        players[seat] = replace(players[seat], **fields)
        return self.public(players=tuple(players))

    def put(self, seat: int, *places: str | tuple[str, Heading]) -> "Desk":
        """The pieces of a seat: a field and a heading (up, or right on a lane); the others are in the reserve."""
        pieces = [Piece(place, _usual(place)) if isinstance(place, str) else Piece(*place) for place in places]
        pieces += [Piece(RESERVE, "up")] * (len(self.now.players[seat].pieces) - len(pieces))
        return self.player(seat, pieces=tuple(pieces))

    def hand(self, seat: int, *cards: int) -> "Desk":
        return self.player(seat, hand=tuple(sorted(cards)))

    def says(self, seat: int, **words: Any) -> "Desk":
        """The standing orders of a seat from now on."""
        said = list(self.now.standing)
        said[seat] = Words(**words)
        return self.public(standing=tuple(said))

    # --- playing

    def turn(self, *dice: int, faces: tuple[str, ...] = (), seat: int = 0) -> "Desk":
        """It is this seat's turn, and these are the throws and the cards to come."""
        self.draws.dice, self.draws.faces = [*dice], [*faces]
        before = (seat - 1) % self.terms.seats
        self.draws.next_step()
        s = Scratch(self.terms, replace(self.now, turn=before), self.draws)
        return self._took(rules._run(s, "next"))

    def do(self, *moves: Move | None, dice: tuple[int, ...] = (), faces: tuple[str, ...] = ()) -> "Desk":
        """Check and play the answers of the asked seats, in the order in which they are asked; None: no answer came."""
        self.draws.dice += dice
        self.draws.faces += faces
        asked = list(zip(self.asks(), moves, strict=True))
        for ask, move in asked:
            if move is not None:
                rules.check(self.terms, self.sight(ask.seat), move)
        return self._took(self.apply({ask.seat: move for ask, move in asked}))

    def apply(self, answers: Mapping[int, Move | None]) -> Step:
        """What the rules make of the answers, without a check before."""
        self.draws.next_step({seat: move for seat, move in answers.items() if move is not None})
        given = {ask.seat: bared(GAME, ask, answers[ask.seat]) for ask in self.asks()}
        return rules.apply(self.terms, self.now, self.asks(), given, self.draws)

    def _took(self, step: Step) -> "Desk":
        self.step = step
        assert_sound(step, self.draws)
        return self

    def refuses(self, move: Move, clause: str) -> str:
        """The move is illegal for this clause; returns what the player is told."""
        seat = self.asks()[0].seat
        with pytest.raises(IllegalMove) as caught:
            rules.check(self.terms, self.sight(seat), move)
        assert caught.value.clause == clause
        assert str(caught.value.next)
        answers: dict[int, Move | None] = dict.fromkeys([ask.seat for ask in self.asks()])
        with pytest.raises((IllegalMove, Fault)):
            self.apply(answers | {seat: move})
        return f"{caught.value.message}: {caught.value.next}"

    # --- looking

    @property
    def now(self) -> Public:
        public: Public = self.step.public
        return public

    @property
    def log(self) -> list[str]:
        """What happened in the last step, in words."""
        return [GAME.tell(self.terms, note) for note in self.step.log]

    def sight(self, seat: int = 0) -> Sight:
        """What a seat sees."""
        return seen(self.step, self.draws, seat)

    def at(self, seat: int) -> list[str]:
        """Where the pieces of a seat are, except those in the reserve."""
        return [piece.at for piece in self.now.players[seat].pieces if piece.at != RESERVE]

    def piece(self, seat: int = 0, number: int = 0) -> tuple[str, str]:
        piece = self.now.players[seat].pieces[number]
        return piece.at, piece.heading

    def me(self, seat: int = 0) -> Player:
        return self.now.players[seat]

    def asked(self) -> tuple[int, str]:
        (ask,) = self.asks()
        return ask.seat, ask.what

    def all_asked(self) -> list[tuple[int, str]]:
        return [(ask.seat, ask.what) for ask in self.asks()]

    def asks(self) -> tuple[Ask, ...]:
        return self.step.pending

    def told(self, words: str) -> bool:
        return any(words in line for line in self.log)


def our_desk(seats: int = 2, **options: bool) -> Desk:
    """A game on our board."""
    return Desk(seats, edition=OURS, **options)


def _usual(at: str) -> Heading:
    field = BOARD.fields.get(at)
    return "right" if field and field.kind == "small" and field.right else "up"


# --- what must always hold --------------------------------------------------------------------------------------------


def assert_sound(step: Step, draws: PlainDraws) -> None:
    """What everybody sees is what lies in the containers, small fields hold one piece, questions make sense."""
    public = step.public
    assert public.chance_pile == len(draws.bags["chance"])
    assert list(public.chance_under) == draws.tails.get("chance", [])
    assert Counter([*draws.bags["chance"], *public.chance_under]) in (CHANCE, OUR_CHANCE)
    assert public.success_pile == len(draws.bags["success"])
    assert list(public.success_under) == draws.tails.get("success", [])
    assert Counter([*draws.bags["success"], *public.success_under]) in (SUCCESS, OUR_SUCCESS)
    where = Counter(piece.at for player in public.players for piece in player.pieces)
    assert all(n == 1 for at, n in where.items() if at in BOARD.fields and BOARD.fields[at].kind in SMALL)
    assert all(piece.heading != "down" for player in public.players for piece in player.pieces)
    assert bool(step.pending) == (step.result is None)


SMALL = ("small", "star", "chip")


# --- random players ---------------------------------------------------------------------------------------------------


def random_move(terms: Deal, view: Sight, rng: random.Random) -> Move:
    """A random legal move; a player who can make the target mostly does."""
    public, seat = view.public, view.seat
    me = public.players[seat]
    what = next(ask.what for ask in view.pending if ask.seat == seat)
    if what == "piece":
        return _random_use(terms, public, seat, rng)
    if what == "way":
        return Turn(rng.choice(ways(legs_after(BOARD, public))))
    if what == "opponent":
        return Opponent(rng.choice(opponents_on(BOARD, public, mover(public).at)))
    if what == "try":
        return Try(rng.random() < 0.7)
    if what == "intervene":
        return Intervene(rng.choice(me.hand) if rng.random() < 0.2 else None)
    if what == "solve":
        return _random_solution(public, seat, rng)
    if what == "target":
        return Target(*rng.choice(swap_targets(BOARD, public, seat)))
    if what == "lose":
        return Lose(rng.choice(me.hand))
    if what == "place":
        return Place(rng.choice([goal for goal, chip in enumerate(public.chips) if chip is None]))
    mine = BOARD.goals.index(mover(public).at)
    return SwapChip(rng.choice([None, *(goal for goal in range(9) if goal != mine)]))


def _random_solution(public: Public, seat: int, rng: random.Random) -> Solve:
    assert public.task is not None
    table = [card.value for card in public.task.table]
    found = solve(public.players[seat].hand, table, public.task.target, 2, 200)
    expression = rng.choice(found) if found and rng.random() < 0.8 else None
    good, bad = ways_after(BOARD, public, mover(public))
    return Solve(expression, rng.choice([None, *(bad if expression is None else good)]))


def _random_use(terms: Deal, public: Public, seat: int, rng: random.Random) -> Move:
    use = rng.choice(uses(terms, public, seat))
    if not isinstance(use, Go):
        return use
    piece = public.players[seat].pieces[use.piece]
    leg = pick(BOARD.first_legs(piece.at, piece.heading, public.throw, public.home >= 4), use.way)
    assert leg is not None
    return replace(use, **_random_ahead(public, leg, rng))


def _random_ahead(public: Public, leg: Leg, rng: random.Random) -> dict[str, Way | None]:
    """Sometimes the ways after the next decision are named in advance."""
    cases = zip(("success", "failure"), ways_after(BOARD, public, leg), strict=True)
    return {case: rng.choice([None, *found]) for case, found in cases}


def random_words(rng: random.Random) -> Words:
    """Any standing orders, some of which make no sense."""
    return Words(
        decline=rng.random() < 0.7,
        colours=tuple(rng.sample(LEVELS, rng.choice([0, 0, 1, 3]))),
        players=tuple(rng.sample(range(9), rng.choice([0, 0, 1, 4]))),
        cards=rng.choice([None, None, 0, 3, 6, 13]),
        heads=rng.choice([None, 0, 1, 2, 2]),
        attempt=rng.choice([None, True, True, False]),
    )
