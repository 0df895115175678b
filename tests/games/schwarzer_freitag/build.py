"""What the tests of this game share: positions made to measure."""

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from referee.errors import IllegalMove
from referee.game import Step
from referee.games.schwarzer_freitag import GAME, rules
from referee.games.schwarzer_freitag.lookups import add, cases_of, faces_of
from referee.games.schwarzer_freitag.story import tell
from referee.games.schwarzer_freitag.types import (
    COLOURS,
    Cases,
    Deal,
    Edition,
    Move,
    Options,
    Pass,
    Place,
    Player,
    Sight,
    Stage,
)
from tests.support import plain

EDITION = msgspec.json.decode(Path(rules.__file__).with_name("edition.json").read_bytes(), type=Edition)
STEADY = replace(
    EDITION,
    stages=tuple(
        map(
            Stage,
            (0, 10, 18, 37, 50, 65, 80, 113, 140, 180),
            (2, 2, 3, 4, 4, 5, 6, 6, 7, 8),
            (1, 2, 2, 3, 3, 4, 4, 4, 5, 5),
            (5, 5, 6, 7, 7, 8, 9, 9, 10, 11),
        )
    ),
)
"""The edition of a desk: its stages stay as they are when the rebuilt figures change (SF-5)."""
NONE = Cases()
PLENTY = Cases(8, 8, 8, 8, 8)
BAG = dict.fromkeys(COLOURS, 10)


def deal(seats: int = 4, cards: bool = True) -> Deal:
    return Deal(seats, Options(cards), EDITION)


def plain_draws(terms: Deal, seed: int = 1, **script: Any) -> plain.PlainDraws:
    return plain.PlainDraws(rules.bags(terms), random.Random(seed), hands=GAME.hands, **script)


def by_bot(terms: Deal, seen: Sight, rng: random.Random) -> Move:
    """A random legal move."""
    move: Move = GAME.bots["random"](terms, seen, rng.randrange)
    return move


def field(price: int) -> tuple[int, int]:
    """The lowest field with this price."""
    return next((r, c) for r, row in enumerate(EDITION.prices) for c, value in enumerate(row) if value == price)


def cases(*colours: str) -> Cases:
    return Cases(**{colour: colours.count(colour) for colour in COLOURS if colour in colours})


class Desk:
    """One game under test. Seat 0 starts and is to move; the market holds 8 of each colour, nobody has anything, but
    somebody has traded (SF-42)."""

    def __init__(self, seats: int = 4, cards: bool = True) -> None:
        self.terms = Deal(seats, Options(cards), STEADY)
        self.draws = plain_draws(self.terms, dice=[1])
        self.step = rules.setup(self.terms, self.draws)
        while self.asked()[1] == "place":
            self.do(Place("yellow"))
        self.public(market=PLENTY, purchase=Cases(), prices=((0, 3),) * 5, since="trades")
        self.bag(**BAG)
        for seat in range(seats):
            self.hold(seat)

    def public(self, **fields: Any) -> "Desk":
        self.step = replace(self.step, public=replace(self.step.public, **fields))
        return self

    def prices(self, **prices: int) -> "Desk":
        """Put price markers on fields with these prices."""
        now = list(self.now.prices)
        for colour, price in prices.items():
            now[COLOURS.index(colour)] = field(price)
        return self.public(prices=tuple(now))

    def player(self, seat: int = 0, **fields: Any) -> "Desk":
        """Set facts about a player; a debt is due for the player to move."""
        players = list(self.now.players)
        players[seat] = replace(players[seat], **fields)
        return self.public(players=tuple(players), due=players[self.now.turn].debt)

    def hold(self, seat: int = 0, known: Cases = NONE, hidden: Cases = NONE) -> "Desk":
        """Give a player these shares and no others."""
        self.draws.bags[f"hand/{seat}"] = faces_of(hidden)
        return self.player(seat, known=known, unknown=len(faces_of(hidden)))

    def shares(self, seat: int = 0) -> Cases:
        """Everything that a player holds."""
        return add(self.at(seat).known, cases_of(self.draws.content(f"hand/{seat}")))

    def bag(self, black: int = 0, **colours: int) -> "Desk":
        """Fill the bag again."""
        faces = [colour for colour, number in colours.items() for _ in range(number)] + ["black"] * black
        self.draws.bags["bag"] = faces
        return self.public(bag=len(faces), bag_black=black)

    def next_drawn(self, *faces: str) -> "Desk":
        self.draws.faces = list(faces)
        return self

    def view(self, seat: int | None = None) -> Sight:
        """What a seat sees; without a number, the seat that is asked."""
        return plain.seen(self.step, self.draws, self.asked()[0] if seat is None else seat)

    def do(self, move: Move | None) -> Step:
        """Check and play the move of the asked seat; None is a missed deadline."""
        seat = self.asked()[0]
        if move is not None:
            rules.check(self.terms, self.view(), move)
        self.draws.next_step()
        self.step = rules.apply(self.terms, self.now, self.step.pending, {seat: move}, self.draws)
        return self.step

    def refuses(self, move: Move, clause: str, *, hidden: bool = False) -> str:
        """The move is illegal for this clause, for its player and (unless it rests on hidden cases) for everybody;
        returns what the player is told."""
        with pytest.raises(IllegalMove) as caught:
            rules.check(self.terms, self.view(), move)
        assert caught.value.clause == clause
        assert str(caught.value.next)
        if not hidden:
            calls = list(self.draws.calls)
            with pytest.raises(IllegalMove) as public:
                rules.apply(self.terms, self.now, self.step.pending, {self.asked()[0]: move}, self.draws)
            assert public.value.clause == clause
            assert self.draws.calls == calls, "it was judged before anything was drawn"
        return f"{caught.value.message}: {caught.value.next}"

    def change(self, *drawn: str) -> Step:
        """The player to move passes with orange, which triggers a price change with these cases drawn."""
        fifth = ["yellow"] if self.terms.seats == 5 else []
        self.public(silver_strip=cases("yellow", "blue", "red", "green", *fifth)).next_drawn(*drawn)
        changes = self.now.price_changes
        step = self.do(Pass("orange"))
        assert (self.now.price_changes, self.draws.faces) == (changes + 1, [])
        return step

    @property
    def now(self) -> Any:
        return self.step.public

    def price(self, colour: str) -> int:
        row, column = self.now.prices[COLOURS.index(colour)]
        return EDITION.prices[row][column]

    def all_prices(self) -> dict[str, int]:
        return {colour: self.price(colour) for colour in COLOURS}

    def at(self, seat: int = 0) -> Player:
        return self.now.players[seat]

    def asked(self) -> tuple[int, str]:
        (ask,) = self.step.pending
        return ask.seat, ask.what

    def told(self) -> list[str]:
        """The story of the last step."""
        return [tell(self.terms, note) for note in self.step.log]
