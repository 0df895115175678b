"""What the tests of this game share: positions made to measure, what must hold in all of them, and random players."""

import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any, Literal

import msgspec
import pytest
from msgspec.structs import replace

from referee.errors import IllegalMove
from referee.game import LINK, Ask, Step
from referee.games import edition_bytes
from referee.games.schwarzmarkt import GAME
from referee.games.schwarzmarkt.lookups import after_play
from referee.games.schwarzmarkt.types import (
    GOODS,
    Amounts,
    Collect,
    Deal,
    Edition,
    Find,
    Move,
    Options,
    Play,
    Player,
    Public,
    Quick,
    Raid,
    Sight,
    Spy,
    Swap,
    Trade,
    Words,
)
from tests.support.plain import PlainDraws, bared, seen

EDITION = msgspec.json.decode(edition_bytes("schwarzmarkt"), type=Edition)
TRACK = (1, 2, 3, 5, 7, 10, 13, 16, 20, 25, 30, 35, 40, 50)
SYMBOLS = (4, 4, 4, 4, 3, 3, 3, 3, 2, 2, 2, 1, 1, 0)
NINE = Amounts(2, 2, 2, 2, 1)
OFFERS = (
    *(Amounts(**{good: 4}) for good in GOODS),
    *(Amounts(**{one: 2, other: 2}) for one, other in combinations(GOODS, 2)),
    *(Amounts(**dict.fromkeys(four, 1)) for four in reversed([*combinations(GOODS, 4)])),
    Amounts(1, 1, 1, 1, 1),
)
DESK = {"track": TRACK, "steps": SYMBOLS, "offers": OFFERS}
"""Plain numbers for positions made to measure; those of `edition.json` are rebuilt, and may be rebuilt again."""
OFFER = {
    "4 potatoes": "offer-1",
    "4 butter": "offer-4",
    "2 potatoes 2 coffee": "offer-6",
    "all five": "offer-21",
}
"""The offers of a desk that most tests use."""


def deal(seats: int = 3, expert: bool = False, refill: Literal["full", "traded"] = "full", **edition: Any) -> Deal:
    return Deal(seats, Options(expert, refill), replace(EDITION, **edition))


def goods(*names: str) -> Amounts:
    return Amounts(**{good: names.count(good) for good in GOODS if good in names})


def faces(held: Amounts) -> list[Any]:
    return [good for good in GOODS for _ in range(getattr(held, good))]


class Desk:
    """One game under test. Seat 0 is to play a card; everybody holds 9 goods cards (2 of each, 1 sugar).

    Seat 0 holds offer-1 to offer-3, seat 1 offer-4 to offer-6, and so on.
    """

    def __init__(self, seats: int = 3, **terms: Any) -> None:
        self.terms = deal(seats, **(DESK | terms))
        offers = [f"offer-{number}" for number in range(1, 3 * seats + 1)]
        self.draws = PlainDraws(GAME.bags(self.terms), random.Random(1), hands=GAME.hands, faces=offers, dice=[1])
        self.step: Step = GAME.setup(self.terms, self.draws, (Words(),) * seats)
        self.log: tuple[str, ...] = ()
        for seat in range(seats):
            self.goods(seat, NINE)

    # --- making a position

    def public(self, **fields: Any) -> "Desk":
        self.step = replace(self.step, public=replace(self.now, **fields))
        return self

    def player(self, seat: int, **fields: Any) -> "Desk":
        players = list(self.now.players)
        players[seat] = replace(players[seat], **fields)
        return self.public(players=tuple(players))

    def price(self, value: int) -> "Desk":
        """Put the marker on the field with this value."""
        return self.public(marker=TRACK.index(value))

    def goods(self, seat: int, held: Amounts) -> "Desk":
        """Give a seat these goods cards; those that nobody holds are in the pile, shuffled."""
        self.draws.bags[f"goods/{seat}"] = faces(held)
        self.player(seat, goods=len(faces(held)))
        pile = Counter(GAME.bags(self.terms)["goods"])
        pile.subtract(self.now.traded)
        for number in range(self.terms.seats):
            pile.subtract(self.draws.content(f"goods/{number}"))
        if min(pile.values()) >= 0:
            self.pile(*pile.elements())
        return self

    def pile(self, *left: str, under: Sequence[str] = ()) -> "Desk":
        """Make this the goods pile."""
        self.draws.bags["goods"], self.draws.tails["goods"] = list(left), list(under)
        return self.public(goods_pile=len(left), goods_under=tuple(under))

    def cards(self, seat: int, *names: str) -> "Desk":
        """Make a seat hold these black-market cards, by exchanging them for others that it holds."""
        bags, tail = self.draws.bags, self.draws.tails.get("cards", [])
        hand = bags[f"cards/{seat}"]
        for name in (name for name in names if name not in hand):
            away = next(card for card in hand if card not in names)
            places = (*(bags[f"cards/{number}"] for number in range(self.terms.seats)), bags["cards"], tail)
            place = next(place for place in places if name in place)
            place[place.index(name)] = away
            hand[hand.index(away)] = name
        return self.public(card_under=tuple(tail))

    def next_drawn(self, *script: str) -> "Desk":
        self.draws.faces = list(script)
        return self

    # --- playing

    def do(self, move: Move) -> "Desk":
        """Check and play the move of the asked seat."""
        ask = self.ask()
        GAME.check(self.terms, self.sight(ask.seat), move)
        return self._apply({ask.seat: move})

    def miss(self) -> "Desk":
        """The asked seat misses its deadline."""
        return self._apply({})

    def link(self) -> "Desk":
        """Everybody is asked for a link alone and sends it."""
        assert self.step.pending == tuple(Ask(seat, LINK) for seat in range(self.terms.seats))
        return self._apply({})

    def _apply(self, moves: dict[int, Move]) -> "Desk":
        self.draws.next_step(moves)
        self.draws.calls.clear()
        answers = {ask.seat: bared(GAME, ask, moves.get(ask.seat)) for ask in self.step.pending}
        self.step = GAME.apply(self.terms, self.now, self.step.pending, answers, self.draws)
        self.log = tuple(GAME.tell(self.terms, note) for note in self.step.log)
        assert_containers_agree(self.now, self.draws)
        return self

    def play(self, *cards: str) -> "Desk":
        """The start players in turn play these cards."""
        for card in cards:
            self.cards(self.now.start, card).do(Play(card))
        return self

    def trade(self, *names: str) -> "Desk":
        return self.do(Trade(goods(*names)))

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

    def refuses(self, move: Move, clause: str, *, hidden: bool = False) -> str:
        """The move is illegal for this clause, for the rules too unless the reason is hidden; returns what the player
        is told."""
        ask = self.ask()
        with pytest.raises(IllegalMove) as caught:
            GAME.check(self.terms, self.sight(ask.seat), move)
        assert caught.value.clause == clause
        assert str(caught.value.next)
        if not hidden:
            with pytest.raises(IllegalMove) as again:
                GAME.apply(self.terms, self.now, self.step.pending, {ask.seat: move}, self.draws)
            assert str(again.value) == str(caught.value)
        return f"{caught.value.message}: {caught.value.next}"

    # --- looking

    @property
    def now(self) -> Any:
        return self.step.public

    @property
    def value(self) -> int:
        return TRACK[self.now.marker]

    def sight(self, seat: int | None = None) -> Sight:
        """What a seat sees; without a number, the one that is asked."""
        return seen(self.step, self.draws, self.ask().seat if seat is None else seat)

    def at(self, seat: int) -> Player:
        player: Player = self.now.players[seat]
        return player

    def held(self, seat: int) -> Amounts:
        return goods(*self.draws.content(f"goods/{seat}"))

    def cards_of(self, seat: int) -> tuple[str, ...]:
        return self.draws.content(f"cards/{seat}")

    def luxury(self) -> list[int]:
        return [player.luxury for player in self.now.players]

    def asked(self) -> tuple[int, str]:
        return self.ask().seat, self.ask().what

    def ask(self) -> Ask:
        (ask,) = self.step.pending
        return ask


def assert_containers_agree(public: Public, draws: PlainDraws) -> None:
    """What everybody sees of hands and piles is what the containers hold."""
    assert public.goods_pile == len(draws.bags["goods"])
    assert list(public.goods_under) == draws.tails.get("goods", [])
    assert public.card_pile == len(draws.bags["cards"])
    assert list(public.card_under) == draws.tails.get("cards", [])
    for seat, player in enumerate(public.players):
        assert (player.goods, player.cards) == (draws.count(f"goods/{seat}"), draws.count(f"cards/{seat}"))


def random_move(terms: Deal, sight: Sight, rng: random.Random) -> Move:
    """A random legal move; trading is somewhat more likely than moving the marker."""
    public, held, seat = sight.public, sight.hand("goods"), sight.seat
    seats = range(terms.seats)
    others = [other for other in seats if other != seat and public.players[other].goods]
    what = sight.pending[0].what
    if what == "play":
        return _random_play(terms, sight, rng)
    if what == "trade":
        return _random_trade(terms, sight, rng)
    if what == "raid":
        return Raid(rng.choice([other for other in seats if other != seat]), rng.choice(GOODS))
    if what == "find":
        return Find(tuple(rng.sample(GOODS, 5)))
    if what == "quick":
        return Quick(rng.choice(held))
    if what == "swap":
        target = rng.choice(others)
        number = rng.randint(1, min(terms.edition.swap_cards, len(held), public.players[target].goods))
        return Swap(target, number, tuple(sorted(rng.sample(held, number), key=GOODS.index)))
    return (Spy if what == "spy" else Collect)(rng.choice(others))


def _random_play(terms: Deal, sight: Sight, rng: random.Random) -> Play:
    """A card, sometimes with what follows from it."""
    card = rng.choice(sight.hand("cards"))
    after = after_play(terms, sight, card)
    if after.pending[0].what in ("", "swap", "find") or rng.random() < 0.5:
        return Play(card)
    return Play(card, random_move(terms, after, rng))  # type: ignore[arg-type]


def _random_trade(terms: Deal, sight: Sight, rng: random.Random) -> Trade:
    public, e, held = sight.public, terms.edition, sight.hand("goods")
    fitting = [g for g in GOODS for _ in range(min(held.count(g), getattr(public.wanted, g)))]
    end = e.track.index(e.limit) if "limit" in public.in_force else len(e.track) - 1
    sit_out = rng.randint(1, max(e.steps)) if public.marker < end and rng.random() < 0.2 else 0
    if fitting and rng.random() < 0.7:
        most = 1 if "waren-knapp" in public.in_force else len(fitting)
        return Trade(goods(*rng.sample(fitting, rng.randint(1, most))), 0, sit_out)
    most = min(e.steps[public.marker], end - public.marker)
    return Trade(Amounts(), rng.randint(1, most) if most else 0, sit_out)
