"""Hoard: whoever keeps coins to the end wins, which `sensible` does not know. For `tests.campaign.exploits`.

In each round everybody gets a coin and may spend coins for as many points each as a die shows. In the end a coin that
is left is worth five points or, without interest, what a die shows: then it makes no difference when coins are spent.
"""

from typing import Annotated

import msgspec

from referee.forms import Choice, Number, family
from referee.game import (
    Answers,
    AnySeen,
    AnyTerms,
    Ask,
    Below,
    Draws,
    Game,
    Names,
    Paint,
    Step,
    not_legal,
    note,
    ranked,
)

ROUNDS = 6
WORTH = 5
EAGER = 1.0
"""What part of its coins `sensible` spends at once."""
Count = Annotated[int, msgspec.Meta(ge=0, le=1000)]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    interest: bool = True


class Public(msgspec.Struct, frozen=True):
    turn: Count
    round: Count
    coins: tuple[Count, ...]
    points: tuple[Count, ...]


class Spend(msgspec.Struct, frozen=True, tag="spend", tag_field="do", forbid_unknown_fields=True):
    amount: Count


def setup(terms: AnyTerms, draws: Draws) -> Step:
    none = (0,) * terms.seats
    return Step(Public(draws.die(terms.seats) - 1, 1, (1,) * terms.seats, none), _ask(terms))


def _ask(terms: AnyTerms) -> tuple[Ask, ...]:
    return tuple(Ask(seat, "spend") for seat in range(terms.seats))


def apply(terms: AnyTerms, public: Public, pending: tuple[Ask, ...], answers: Answers, draws: Draws) -> Step:
    coins, points, log = list(public.coins), list(public.points), []
    for seat, move in answers.items():
        amount = move.amount if move else 0
        if amount > coins[seat]:
            raise not_legal()
        points[seat] += sum(draws.die(6) for _ in range(amount))
        coins[seat] -= amount
        if not amount:
            log.append(note("keeps", seat=seat))
    if public.round == ROUNDS:
        for seat, left in enumerate(coins):
            points[seat] += sum(WORTH if terms.options.interest else draws.die(6) for _ in range(left))
        return Step(public, (), tuple(log), ranked([(one,) for one in points]))
    coins = [one + 1 for one in coins]
    return Step(Public(public.turn, public.round + 1, tuple(coins), tuple(points)), _ask(terms), tuple(log))


def legal(terms: AnyTerms, seen: AnySeen) -> list[Choice]:
    most = seen.public.coins[seen.seat]
    return [family("spend coins", Spend(most), [Number("amount", "how many?", 0, most)])] if seen.ask else []


def sensible(terms: AnyTerms, seen: AnySeen, below: Below) -> Spend:
    return Spend(min(seen.public.coins[seen.seat], round(EAGER * seen.public.coins[seen.seat])))


def render(terms: AnyTerms, seen: AnySeen, names: Names, paint: Paint, width: int) -> str:
    return str(seen.public.coins)


GAME = Game(
    title="Hoard",
    seats=(2, 4),
    options=Options,
    public=Public,
    move=Spend,
    setup=setup,
    apply=apply,
    legal=legal,
    render=render,
    bots={"sensible": sensible},
)
