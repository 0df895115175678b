"""What the tests of this game share: positions made to measure, and a random player."""

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from referee.errors import IllegalMove
from referee.game import Ask, Result, Step
from referee.games.mark import GAME, rules
from referee.games.mark.actions import actions, after, purchases
from referee.games.mark.lookups import held, is_double, lot_fields, lowest_bid, put, rolled_kinds
from referee.games.mark.story import tell
from referee.games.mark.types import (
    FIELDS,
    KINDS,
    Bid,
    Both,
    Deal,
    Edition,
    Kind,
    Lot,
    Move,
    Name,
    Nothing,
    Offer,
    Options,
    Player,
    Public,
    Roll,
    Row,
    Sight,
    Words,
)
from tests.support.plain import PlainDraws, bared, seen

BOX = msgspec.json.decode(Path(rules.__file__).with_name("edition.json").read_bytes(), type=Edition)
"""What is played unless the host replaces it."""
MARKET = ((8, 10, 12, 14, 16), (7, 10, 13, 16, 19), (5, 10, 15, 20, 25), (4, 10, 16, 22, 28), (3, 10, 17, 24, 31))
EDITION = replace(BOX, market=MARKET)
"""The same with small values in the market: what follows from a clause can be calculated with any values."""
EMPTY = (None,) * 4
BASE = {"buy": False, "move": False, "offer": False, "liquidation": False}
"""The game of 1997, without the four additions."""


def deal(seats: int = 3, **options: bool) -> Deal:
    return Deal(seats, Options(**options), EDITION)


def number_bounds() -> dict[str, tuple[int, int]]:
    """Every single number of an edition, with the lowest and the highest value that is accepted."""
    info = msgspec.inspect.type_info(Edition)
    assert isinstance(info, msgspec.inspect.StructType)
    return {
        field.name: (field.type.ge, field.type.le)
        for field in info.fields
        if isinstance(field.type, msgspec.inspect.IntType) and field.type.ge is not None and field.type.le is not None
    }


def faces(*names: str) -> list[int]:
    """The numbers that dice with these faces show."""
    return [KINDS.index(name) + 1 if name in KINDS else 6 for name in names]


class Draws(PlainDraws):
    """An answer that is unsealed has its other sealed fields at their defaults."""

    def unseal(self, seat: int, *fields: str) -> Any:
        whole = super().unseal(seat, *fields)
        return type(whole)(**{field: getattr(whole, field) for field in fields})


class Desk:
    """One game under test: seat 0 is asked for the turn, plants and market are empty, everybody has 30."""

    def __init__(self, seats: int = 3, **options: bool) -> None:
        self.terms = deal(seats, **options)
        self.draws = Draws({}, random.Random(1))
        public = Public((Row(),) * 5, (8,) * 5, (Player(30, EMPTY, EMPTY),) * seats, (Words(),) * seats)
        self.step = Step(public, (Ask(0, "turn"),))
        self.log: tuple[str, ...] = ()

    # --- arranging ---------------------------------------------------------------------------------------------------

    def public(self, **fields: Any) -> "Desk":
        self.step = replace(self.step, public=replace(self.now, **fields))
        return self

    def edition(self, **fields: Any) -> "Desk":
        self.terms = replace(self.terms, edition=replace(EDITION, **fields))
        return self

    def turn(self, seat: int) -> "Desk":
        """This seat is asked for the turn."""
        self.step = replace(self.step, pending=(Ask(seat, "turn"),))
        return self.public(turn=seat)

    def says(self, seat: int, **words: Any) -> "Desk":
        """This seat has given these standing orders: `roll="always"`."""
        standing = list(self.now.standing)
        standing[seat] = Words(**words)
        return self.public(standing=tuple(standing))

    def money(self, *amounts: int) -> "Desk":
        pairs = zip(self.now.players, amounts, strict=True)
        return self.public(players=tuple(replace(player, money=amount) for player, amount in pairs))

    def plant(self, seat: int = 0, **pieces: Any) -> "Desk":
        """Put pieces from the bank on fields: `d1="glass"`."""
        players = list(self.now.players)
        for field in FIELDS:
            if kind := pieces.get(field):
                players[seat] = put(players[seat], field, kind)
                self._use(kind, 1)
        return self.public(players=tuple(players))

    def row(self, number: int, kind: Kind, pieces: int) -> "Desk":
        """This many pieces of this kind are in this market row (from 0)."""
        market = list(self.now.market)
        market[number] = Row(kind, pieces)
        self._use(kind, pieces)
        return self.public(market=tuple(market))

    def _use(self, kind: Kind, number: int) -> None:
        bank = list(self.now.bank)
        bank[KINDS.index(kind)] -= number
        self.public(bank=tuple(bank))

    # --- playing -----------------------------------------------------------------------------------------------------

    def roll(self, *names: str) -> "Desk":
        """The asked seat rolls these faces; further names are the dice of what follows by itself."""
        self.draws.dice = faces(*names)
        return self.do(Roll())

    def do(self, move: Move | None, *dice: str) -> "Desk":
        """The one seat that is asked does this, or misses the deadline; dice for what follows by itself."""
        (ask,) = self.pending
        return self.all({ask.seat: move}, *dice)

    def all(self, moves: Mapping[int, Move | None], *dice: str) -> "Desk":
        """Everybody who is asked answers, or misses the deadline."""
        self.draws.dice += faces(*dice)
        assert {ask.seat for ask in self.pending} == set(moves)
        for seat, move in moves.items():
            if move is not None:
                rules.check(self.terms, self.seen(seat), move)
        self.draws.next_step(moves)
        answers = {ask.seat: bared(GAME, ask, moves[ask.seat]) for ask in self.pending}
        self.step = rules.apply(self.terms, self.now, self.pending, answers, self.draws)
        self.log = tuple(tell(self.terms, note) for note in self.step.log)
        assert not self.draws.dice, "not all dice were thrown"
        return self

    def refuses(self, move: Move, clause: str, seat: int | None = None) -> str:
        """The move is illegal for this clause; returns what the player is told."""
        if seat is None:
            seat = self.pending[0].seat
        with pytest.raises(IllegalMove) as caught:
            rules.check(self.terms, self.seen(seat), move)
        assert caught.value.clause == clause
        assert str(caught.value.next)
        return f"{caught.value.message}: {caught.value.next}"

    # --- looking -----------------------------------------------------------------------------------------------------

    @property
    def now(self) -> Public:
        public: Public = self.step.public
        return public

    @property
    def pending(self) -> tuple[Ask, ...]:
        return self.step.pending

    @property
    def result(self) -> Result | None:
        return self.step.result

    def seen(self, seat: int | None = None) -> Sight:
        """What a seat sees, the first one that is asked if none is named."""
        return seen(self.step, self.draws, self.pending[0].seat if seat is None else seat)

    def at(self, seat: int = 0) -> Player:
        return self.now.players[seat]

    def purse(self) -> list[int]:
        return [player.money for player in self.now.players]

    def bank(self, kind: Kind) -> int:
        return self.now.bank[KINDS.index(kind)]

    def asked(self) -> tuple[list[int], str]:
        """Who is asked, and for what."""
        (what,) = {ask.what for ask in self.pending}
        return [ask.seat for ask in self.pending], what


def start(terms: Deal, *dice: str, first: int = 0, words: Mapping[int, Words] | None = None) -> Step:
    """The set-up: this seat is drawn to start; dice for what follows by itself, and the standing orders that seats gave
    with their acks."""
    said = tuple((words or {}).get(seat, Words()) for seat in range(terms.seats))
    return rules.setup(terms, PlainDraws({}, random.Random(1), dice=[first + 1, *faces(*dice)]), said)


def auction(lot: Lot, seats: int = 3, **options: bool) -> Desk:
    """A desk at which everybody but the owner of this piece is asked for a bid; the roller is seat 0."""
    desk = Desk(seats, **options)
    if lot.owner is not None and lot.field is not None:
        desk.plant(lot.owner, **{lot.field: lot.kind})
    asks = tuple(Ask(seat, "bid", ("amount", "field")) for seat in range(seats) if seat != lot.owner)
    desk.step = replace(desk.step, pending=asks)
    return desk.public(lot=lot, dice=("hammer", lot.kind))


def random_move(terms: Deal, view: Sight, rng: random.Random) -> Move:
    """Any legal move; every kind of it has its chance."""
    public, me = view.public, view.public.players[view.seat]
    what = next(ask.what for ask in view.pending if ask.seat == view.seat)
    if what == "turn":
        return rng.choice([*purchases(terms, public)]) if rng.random() < 0.2 else Roll()
    if what in ("act", "again"):
        return random_action(terms, public, what == "act" and rng.random() < 0.5, rng)
    if what == "name":
        return Name(rng.choice(KINDS))
    assert public.lot is not None
    if what == "offer":
        return Offer(rng.choice([None, *held(me, public.lot.kind)]))
    if rng.random() < 0.3:
        return Bid(0, None)
    lowest = lowest_bid(terms, public, public.lot.kind)
    most = me.money if rng.random() < 0.1 else min(me.money, lowest + 8)
    return Bid(rng.randint(lowest, most), rng.choice(lot_fields(public.lot, me)))


def random_action(terms: Deal, public: Public, both: bool, rng: random.Random) -> Move:
    """Any action, or both of a double at once."""
    kinds = rolled_kinds(public.dice)
    first = rng.choice([*actions(public, kinds)])
    if not both or not is_double(public.dice):
        return rng.choice([first, first, Nothing()])
    position = after(terms, public, first)
    return Both(first, rng.choice([Nothing(), *(() if position.result else actions(position, kinds))]))


def random_words(rng: random.Random) -> Words:
    """Any standing orders."""
    return Words(rng.choice(["ask", "always"]), rng.choice(["ask", "nothing"]), rng.choice(["ask", "nothing"]))
