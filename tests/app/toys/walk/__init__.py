"""Walk: everybody goes a step or rests, again and again. The longest game with the least in it."""

from typing import Annotated, Literal

import msgspec

from referee.forms import Choice
from referee.game import Answers, AnySeen, AnyTerms, Ask, Below, Draws, Game, Names, Paint, Step, note, ranked

ROUNDS = 2000
Count = Annotated[int, msgspec.Meta(ge=0, le=20_000)]


class Public(msgspec.Struct, frozen=True):
    round: Count
    places: tuple[Count, ...]


class Go(msgspec.Struct, frozen=True, tag="go", tag_field="do", forbid_unknown_fields=True):
    pace: Literal["walk", "rest"]


def setup(terms: AnyTerms, draws: Draws) -> Step:
    return Step(Public(1, (0,) * terms.seats), _ask(terms))


def _ask(terms: AnyTerms) -> tuple[Ask, ...]:
    return tuple(Ask(seat, "go") for seat in range(terms.seats))


def apply(terms: AnyTerms, public: Public, pending: tuple[Ask, ...], answers: Answers, draws: Draws) -> Step:
    steps = [draws.die(6) if move and move.pace == "walk" else 0 for _, move in sorted(answers.items())]
    places = tuple(place + step for place, step in zip(public.places, steps, strict=True))
    log = tuple(note("goes", seat=seat, steps=step) for seat, step in enumerate(steps) if step)
    if public.round == ROUNDS:
        return Step(public, (), log, ranked([(place,) for place in places]))
    return Step(Public(public.round + 1, places), _ask(terms), log)


def legal(terms: AnyTerms, seen: AnySeen) -> list[Choice]:
    return [Choice(pace, Go(pace)) for pace in ("walk", "rest")] if seen.ask else []


def random(terms: AnyTerms, seen: AnySeen, below: Below) -> Go:
    return Go("walk" if below(2) else "rest")


def render(terms: AnyTerms, seen: AnySeen, names: Names, paint: Paint, width: int) -> str:
    return " ".join(map(str, seen.public.places))


GAME = Game(
    title="Walk",
    seats=(2, 4),
    public=Public,
    move=Go,
    setup=setup,
    apply=apply,
    legal=legal,
    render=render,
    bots={"random": random},
)
