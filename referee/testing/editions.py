"""Checks of editions with other numbers: what `validate` accepts can be played to its end within all bounds."""

import random
from collections.abc import Iterator
from typing import Any

import msgspec

from referee.engine.table import make_terms
from referee.errors import Usage
from referee.testing.playing import steps_are_in_form
from referee.testing.subject import Subject, Way, play
from referee.testing.values import at_a_bound, type_info

WANTED = 10
"""Editions to be played."""
TRIES = 300


def extreme_editions_play(subject: Subject) -> None:
    """Editions whose numbers lie at their bounds are refused as `Usage`, or a random game reaches its end."""
    low, high = subject.game.seats
    for number, edition in enumerate(accepted(subject)):
        twin = Subject(subject.game_id)
        twin.edition = edition
        way = Way((low, high)[number % 2], late=0.05)
        twin.plays = [play(twin, way)]
        changes = ", ".join(_changes(msgspec.to_builtins(subject.edition), msgspec.to_builtins(edition)))
        assert not twin.plays[0].failure, f"an edition with {changes[:300]}: {twin.plays[0].failure}"
        try:
            steps_are_in_form(twin)
        except AssertionError as error:
            raise AssertionError(f"an edition with {changes[:300]}: {error}") from None


def accepted(subject: Subject) -> list[Any]:
    """Some editions that the game accepts for every number of seats, with a few numbers at their bounds."""
    game, rng = subject.game, random.Random(f"editions {subject.game_id}")
    form: Any = game.edition
    kind, base, found = type_info(form), msgspec.to_builtins(subject.edition), []
    for number in range(TRIES):
        share = (0.004, 0.01, 0.02, 0.1, 0.4, 1.0)[number % 6]
        try:
            edition = msgspec.convert(at_a_bound(kind, base, share, rng), form)
            if edition == subject.edition or edition in found:
                continue
            for seats in game.seats:
                make_terms(game, seats, game.options(), edition)
        except (msgspec.ValidationError, Usage):
            continue
        except Exception as error:
            raise AssertionError(f"`validate` fails on an edition with numbers at their bounds: {error!r}") from error
        found.append(edition)
    return rng.sample(found, min(WANTED, len(found)))


def _changes(old: Any, new: Any, path: str = "") -> Iterator[str]:
    if isinstance(old, dict) and isinstance(new, dict):
        for name in new:
            yield from _changes(old.get(name), new[name], f"{path}.{name}" if path else name)
    elif isinstance(old, list | tuple) and isinstance(new, list | tuple) and len(old) == len(new):
        for at, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from _changes(one, other, f"{path}[{at}]")
    elif old != new:
        yield f"{path}={new}"
