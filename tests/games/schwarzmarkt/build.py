"""What the tests of this game share: positions made to measure, what must hold in all of them, and random players."""

import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from referee.errors import IllegalMove
from referee.game import ALL, NOBODY, Ask, Step, seen
from referee.games.schwarzmarkt import rules
from referee.games.schwarzmarkt.types import (
    GOODS,
    Amounts,
    Collect,
    Deal,
    Edition,
    Find,
    Move,
    Options,
    Own,
    Play,
    Player,
    Pos,
    Quick,
    Raid,
    Spy,
    Swap,
    Trade,
    View,
)
from tests.support.plain import PlainDraws

EDITION = msgspec.json.decode(Path(rules.__file__).with_name("edition.json").read_bytes(), type=Edition)
TRACK = (1, 2, 3, 5, 7, 10, 13, 16, 20, 25, 30, 35, 40, 50)
SYMBOLS = (4, 4, 4, 4, 3, 3, 3, 3, 2, 2, 2, 1, 1, 0)
NINE = Amounts(2, 2, 2, 2, 1)
OFFER = {
    "4 potatoes": "offer-1",
    "4 butter": "offer-4",
    "2 potatoes 2 coffee": "offer-6",
    "all five": "offer-21",
}
"""The offers that most tests use."""


def deal(seats: int = 3, expert: bool = False, **edition: Any) -> Deal:
    return Deal(seats, Options(expert), replace(EDITION, **edition))


def goods(*names: str) -> Amounts:
    return Amounts(**{good: names.count(good) for good in GOODS if good in names})


def faces(held: Amounts) -> list[Any]:
    return [good for good in GOODS for _ in range(getattr(held, good))]


class Watched(PlainDraws):
    """Notes who gets to see what: container and audience of every take and every seal."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.told: list[tuple[str, int]] = []

    def take(self, bag: str, count: int, to: int = ALL, into: str = "") -> tuple[str, ...]:
        self.told.append((bag, to))
        return super().take(bag, count, to, into)

    def seal(self, bag: str, faces: Sequence[str], owner: int = NOBODY) -> None:
        self.told.append((bag, owner))
        super().seal(bag, faces, owner)


class Desk:
    """One game under test. Seat 0 is to play a card; everybody holds 9 goods cards (2 of each, 1 sugar).

    Seat 0 holds offer-1 to offer-3, seat 1 offer-4 to offer-6, and so on.
    """

    def __init__(self, seats: int = 3, expert: bool = False, **edition: Any) -> None:
        self.terms = deal(seats, expert, **edition)
        offers = [f"offer-{number}" for number in range(1, 3 * seats + 1)]
        self.draws = Watched(rules.bags(self.terms), random.Random(1), faces=offers)
        self.position: Pos = rules.setup(self.terms, self.draws).position
        self.log: tuple[str, ...] = ()
        for seat in range(seats):
            self.goods(seat, NINE)

    # --- making a position

    def public(self, **fields: Any) -> "Desk":
        self.position = replace(self.position, public=replace(self.position.public, **fields))
        return self

    def player(self, seat: int, **fields: Any) -> "Desk":
        players = list(self.now.players)
        players[seat] = replace(players[seat], **fields)
        return self.public(players=tuple(players))

    def price(self, value: int) -> "Desk":
        """Put the marker on the field with this value."""
        return self.public(marker=TRACK.index(value))

    def goods(self, seat: int, held: Amounts) -> "Desk":
        """Give a seat these goods cards; all that nobody holds are in the pile, shuffled."""
        own = list(self.position.own)
        own[seat] = replace(own[seat], goods=held)
        self.position = replace(self.position, own=tuple(own))
        self.draws.bags[f"goods/{seat}"] = faces(held)
        self.player(seat, goods=len(faces(held)))
        pile = Counter(rules.bags(self.terms)["goods"])
        pile.subtract(self.now.traded)
        for hand in own:
            pile.subtract(faces(hand.goods))
        if min(pile.values()) >= 0:
            self.pile(*pile.elements())
        return self

    def pile(self, *left: str) -> "Desk":
        """Make this the goods pile."""
        self.draws.bags["goods"], self.draws.tails["goods"] = list(left), []
        return self.public(goods_pile=len(left), goods_under=())

    def cards(self, seat: int, *names: str) -> "Desk":
        """See to it that a seat holds these black-market cards, by exchanging them for others that it holds."""
        hands = [list(own.cards) for own in self.position.own]
        pile, tail = self.draws.bags["cards"], self.draws.tails.get("cards", [])
        for name in (name for name in names if name not in hands[seat]):
            away = next(card for card in hands[seat] if card not in names)
            place = next(place for place in (*hands, pile, tail) if name in place)
            place[place.index(name)] = away
            hands[seat][hands[seat].index(away)] = name
        own = zip(self.position.own, hands, strict=True)
        self.position = replace(self.position, own=tuple(Own(o.goods, tuple(sorted(h))) for o, h in own))
        for number, hand in enumerate(hands):
            self.draws.bags[f"cards/{number}"] = hand
        return self.public(card_under=tuple(tail))

    def next_drawn(self, *script: str) -> "Desk":
        self.draws.faces = list(script)
        return self

    # --- playing

    def do(self, move: Move) -> Step:
        """Check and play the move of the asked seat."""
        seat = self.position.pending[0].seat
        rules.check(self.terms, seen(self.position, seat), move)
        self.draws.told.clear()
        step = rules.apply(self.terms, self.position, {seat: move}, self.draws)
        self.position, self.log = step.position, step.log
        assert_containers_agree(self.position, self.draws)
        return step

    def play(self, *cards: str) -> "Desk":
        """The start players in turn play these cards."""
        for card in cards:
            self.cards(self.now.start, card).do(Play(card))
        return self

    def trade(self, *names: str) -> "Desk":
        self.do(Trade(goods(*names)))
        return self

    def move(self, *steps: int) -> "Desk":
        """Players in turn trade nothing and move the marker; 0 at its end."""
        for number in steps:
            self.do(Trade(Amounts(), number))
        return self

    def round(self, card: str = "offer-1") -> "Desk":
        """A whole trade round of this offer in which nobody trades anything."""
        self.play(card)
        while self.asked()[1] == "trade":
            self.move(0 if TRACK[self.now.marker] == (25 if "limit" in self.now.in_force else 50) else 1)
        return self

    def refuses(self, move: Move, clause: str) -> str:
        """The move is illegal for this clause; returns what the player is told."""
        seat = self.position.pending[0].seat
        with pytest.raises(IllegalMove) as caught:
            rules.check(self.terms, seen(self.position, seat), move)
        assert caught.value.clause == clause
        assert caught.value.next
        return f"{caught.value.message}: {caught.value.next}"

    # --- looking

    @property
    def now(self) -> Any:
        return self.position.public

    @property
    def value(self) -> int:
        return TRACK[self.now.marker]

    def at(self, seat: int) -> Player:
        return self.position.public.players[seat]

    def held(self, seat: int) -> Amounts:
        return self.position.own[seat].goods

    def luxury(self) -> list[int]:
        return [player.luxury for player in self.now.players]

    def asked(self) -> tuple[int, str]:
        (ask,) = self.position.pending
        return ask.seat, ask.what

    def ask(self) -> Ask:
        return self.position.pending[0]


def assert_containers_agree(position: Pos, draws: PlainDraws) -> None:
    """What everybody sees, and what each player holds, is what lies in the containers."""
    public = position.public
    assert public.goods_pile == len(draws.bags["goods"])
    assert list(public.goods_under) == draws.tails.get("goods", [])
    assert public.card_pile == len(draws.bags["cards"])
    assert list(public.card_under) == draws.tails.get("cards", [])
    for seat, (own, player) in enumerate(zip(position.own, public.players, strict=True)):
        in_hand = draws.bags[f"goods/{seat}"]
        assert [in_hand.count(good) for good in GOODS] == [getattr(own.goods, good) for good in GOODS]
        assert list(own.cards) == sorted(draws.bags[f"cards/{seat}"])
        assert (player.goods, player.cards) == (len(in_hand), len(own.cards))


def random_move(terms: Deal, view: View, rng: random.Random) -> Move:
    """A random legal move; trading is somewhat more likely than moving the marker."""
    public, own, seat = view.public, view.own, view.seat
    seats = range(terms.seats)
    others = [other for other in seats if other != seat and public.players[other].goods]
    what = view.pending[0].what
    if what == "play":
        return Play(rng.choice(own.cards))
    if what == "trade":
        return _random_trade(view, rng)
    if what == "raid":
        return Raid(rng.choice([other for other in seats if other != seat]), rng.choice(GOODS))
    if what == "find":
        return Find(tuple(rng.sample(GOODS, 5)))
    if what == "quick":
        return Quick(rng.choice(faces(own.goods)))
    if what == "swap":
        target = rng.choice(others)
        number = rng.randint(1, min(2, public.players[seat].goods, public.players[target].goods))
        return Swap(target, number, tuple(sorted(rng.sample(faces(own.goods), number), key=GOODS.index)))
    return (Spy if what == "spy" else Collect)(rng.choice(others))


def _random_trade(view: View, rng: random.Random) -> Trade:
    public, own = view.public, view.own
    fitting = [g for g in GOODS for _ in range(min(getattr(own.goods, g), getattr(public.wanted, g)))]
    if fitting and rng.random() < 0.7:
        most = 1 if "waren-knapp" in public.in_force else len(fitting)
        return Trade(goods(*rng.sample(fitting, rng.randint(1, most))))
    end = 9 if "limit" in public.in_force else 13
    most = min(SYMBOLS[public.marker], end - public.marker)
    return Trade(Amounts(), rng.randint(1, most) if most else 0)
