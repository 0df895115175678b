"""What the tests of this game share: positions made to measure, and random players."""

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from referee.errors import IllegalMove
from referee.game import Step, seen
from referee.games.schwarzer_freitag import rules
from referee.games.schwarzer_freitag.types import (
    COLOURS,
    Buy,
    Cases,
    Colour,
    Deal,
    Edition,
    Extra,
    Move,
    Options,
    Own,
    Pass,
    Place,
    Player,
    Sell,
    Silver,
    Turn,
    View,
)
from tests.support.plain import PlainDraws

EDITION = msgspec.json.decode(Path(rules.__file__).with_name("edition.json").read_bytes(), type=Edition)
NONE = Cases()
PLENTY = Cases(8, 8, 8, 8, 8)
BAG = dict.fromkeys(COLOURS, 10)


def deal(seats: int = 4, cards: bool = True, **edition: Any) -> Deal:
    return Deal(seats, Options(cards), replace(EDITION, **edition))


def field(price: int) -> tuple[int, int]:
    """The lowest field with this price."""
    return next((r, c) for r, row in enumerate(EDITION.prices) for c, value in enumerate(row) if value == price)


def cases(*colours: str) -> Cases:
    return Cases(**{colour: colours.count(colour) for colour in COLOURS if colour in colours})


class Desk:
    """One game under test. Seat 0 is to move; the market holds 8 of each colour, nobody has anything."""

    def __init__(self, seats: int = 4, cards: bool = True) -> None:
        self.terms = deal(seats, cards)
        self.draws = PlainDraws(rules.bags(self.terms), random.Random(1))
        self.position = rules.setup(self.terms, self.draws).position
        while self.position.pending[0].what == "place":
            self.do(Place("yellow"))
        self.public(market=PLENTY, purchase=Cases(), prices=((0, 3),) * 5)
        self.bag(**BAG)
        for seat in range(seats):
            self.hold(seat)
        self.log: tuple[str, ...] = ()

    def public(self, **fields: Any) -> "Desk":
        self.position = replace(self.position, public=replace(self.position.public, **fields))
        return self

    def prices(self, **prices: int) -> "Desk":
        """Put price markers on fields with these prices."""
        now = list(self.position.public.prices)
        for colour, price in prices.items():
            now[COLOURS.index(colour)] = field(price)
        return self.public(prices=tuple(now))

    def player(self, seat: int = 0, **fields: Any) -> "Desk":
        """Set facts of a player; a debt is due for the player to move."""
        players = list(self.position.public.players)
        players[seat] = replace(players[seat], **fields)
        turn = self.position.public.turn
        return self.public(players=tuple(players), in_debt=players[turn].debt > 0)

    def hold(self, seat: int = 0, known: Cases = NONE, hidden: Cases = NONE) -> "Desk":
        """Give a player these shares and no others."""
        own = list(self.position.own)
        own[seat] = Own(Cases(*(getattr(known, c) + getattr(hidden, c) for c in COLOURS)))
        faces = [c for c in COLOURS for _ in range(getattr(hidden, c))]
        self.draws.bags[f"hand/{seat}"] = faces
        self.position = replace(self.position, own=tuple(own))
        return self.player(seat, known=known, unknown=len(faces))

    def bag(self, black: int = 0, **colours: int) -> "Desk":
        """Fill the bag anew."""
        faces = [colour for colour, number in colours.items() for _ in range(number)] + ["black"] * black
        self.draws.bags["bag"] = faces
        return self.public(bag=len(faces), bag_black=black)

    def next_drawn(self, *faces: str) -> "Desk":
        self.draws.faces = list(faces)
        return self

    def do(self, move: Move) -> Step:
        """Check and play the move of the asked seat."""
        seat = self.position.pending[0].seat
        rules.check(self.terms, seen(self.position, seat), move)
        step = rules.apply(self.terms, self.position, {seat: move}, self.draws)
        self.position, self.log = step.position, step.log
        return step

    def refuses(self, move: Move, clause: str) -> str:
        """The move is illegal for this clause; returns what the player is told."""
        seat = self.position.pending[0].seat
        with pytest.raises(IllegalMove) as caught:
            rules.check(self.terms, seen(self.position, seat), move)
        assert caught.value.clause == clause
        assert caught.value.next
        return f"{caught.value.message}: {caught.value.next}"

    def change(self, *drawn: str) -> Step:
        """The player to move passes with orange, which triggers a price change with these cases drawn."""
        fifth = ["yellow"] if self.terms.seats == 5 else []
        self.public(silver_strip=cases("yellow", "blue", "red", "green", *fifth)).next_drawn(*drawn)
        changes = self.now.price_changes
        step = self.do(Turn(Pass("orange")))
        assert (self.now.price_changes, self.draws.faces) == (changes + 1, [])
        return step

    @property
    def now(self) -> Any:
        return self.position.public

    def price(self, colour: str) -> int:
        row, column = self.now.prices[COLOURS.index(colour)]
        return EDITION.prices[row][column]

    def all_prices(self) -> dict[str, int]:
        return {colour: self.price(colour) for colour in COLOURS}

    def at(self, seat: int = 0) -> Player:
        return self.now.players[seat]

    def asked(self) -> tuple[int, str]:
        (ask,) = self.position.pending
        return ask.seat, ask.what


def random_move(terms: Deal, view: View, rng: random.Random) -> Move:
    """A random legal move found by trying; the fallback if nothing was found."""
    ask = view.pending[0]
    if ask.what == "place":
        return Place(rng.choice([colour for colour in COLOURS if getattr(view.public.market, colour)]))
    for _ in range(8):
        move = _any_turn(terms, view, rng, ask.what == "finish")
        try:
            rules.check(terms, view, move)
        except IllegalMove:
            continue
        return move
    return rules.fallback(terms, view)


def _any_turn(terms: Deal, view: View, rng: random.Random, finish: bool) -> Turn:
    chance = rng.random()
    before = _any_extra(terms, view, rng)
    if finish or chance < 0.05:
        return Turn(before=before)
    after = _any_extra(terms, view, rng) if chance > 0.8 else Extra()
    return Turn(_any_action(terms, view, rng), before, after, hold=chance > 0.9)


def _any_extra(terms: Deal, view: View, rng: random.Random) -> Extra:
    public = view.public
    room = terms.edition.stages[public.stage].subsidies - public.players[view.seat].subsidies
    subsidies = rng.randint(1, room) if room > 0 and rng.random() < 0.3 else 0
    card = rng.choice(COLOURS) if public.players[view.seat].cards and rng.random() < 0.1 else None
    return Extra(subsidies, card)


def _any_action(terms: Deal, view: View, rng: random.Random) -> Buy | Sell | Silver | Pass:
    public, me = view.public, view.public.players[view.seat]
    units = rng.randint(1, terms.edition.stages[public.stage].limit + (rng.random() < 0.2))
    market = _present(public.market)
    mark = rng.choice(market) if market else None
    kind = rng.random()
    if kind < 0.3 and (held := _faces(view.own.shares)):
        sold = rng.sample(held, min(units, len(held)))
        strip = _present(public.sale[public.strip])
        marks = [colour for colour in sold if colour in strip] or strip or [None]
        return Sell(cases(*sold), rng.choice(sold), rng.choice(marks))
    if kind < 0.6 and me.money >= 4 and market:
        bought = [rng.choice(market) for _ in range(units)]
        return Buy(cases(*bought), rng.choice(bought) if rng.random() < 0.9 else mark)
    if kind < 0.9 and (bars := min(units, me.money // terms.edition.silver_track[public.silver])):
        return Silver(bars, mark)
    return Pass(mark)


def _present(held: Cases) -> list[Colour]:
    return [colour for colour in COLOURS if getattr(held, colour)]


def _faces(held: Cases) -> list[Colour]:
    return [colour for colour in COLOURS for _ in range(getattr(held, colour))]
