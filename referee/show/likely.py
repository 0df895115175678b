"""The moves that somebody most likely wants to make: concrete ones, to be taken with one tap. All of it comes from what
the seat may see, and there is no chance in it: the same position always gives the same moves.

First comes what the game's bot `sensible` would do, then what else it weighs, the best first, as far as the game says
it (`likely` in its module `bots_likely`); then a move of each line of the list, and more moves of lines that have
several, until there are enough.
"""

from collections.abc import Iterator
from importlib import import_module
from itertools import chain, islice, permutations, zip_longest
from typing import Any

from referee.errors import IllegalMove
from referee.forms import Choice, Ranking, fault
from referee.games import has_module, module_of
from referee.show import family
from referee.show.typed import as_type, build_move, choices
from referee.show.wording import Place

MOST = 8
STEPS_MOST = 60
"""How many questions about a family of moves are answered in search of another move of it."""


def likely_moves(place: Place, most: int = MOST) -> list[Any]:
    """The likeliest moves, the best first; all legal moves if there are not more than this."""
    if not place.decides:
        return []
    found: list[Any] = []
    for move in _candidates(place):
        if move not in found and _is_legal(place, move):
            found.append(move)
        if len(found) == most:
            break
    return found


def _candidates(place: Place) -> Iterator[Any]:
    game, terms, seen = place.table.game, place.table.terms, place.seen
    yield game.bots["sensible"](terms, seen, lambda sides: 0)
    yield from _weighed(place)
    listed = choices(place)
    usual = [choice for choice in listed if not choice.minor]
    for lines in (usual, listed):
        yield from (as_type(choice.move, game.move) for choice in lines)
        yield from chain.from_iterable(zip_longest(*(_moves(choice, game.move) for choice in lines)))


def _weighed(place: Place) -> Iterator[Any]:
    """What else the game's bots look at, if the game says it."""
    name = f"{module_of(place.table.game_id)}.bots_likely"
    if has_module(name):
        yield from import_module(name).likely(place.table.terms, place.seen)


def _is_legal(place: Place, move: Any) -> bool:
    if move is None:
        return False
    try:
        place.table.game.check(place.table.terms, place.seen, move)
    except IllegalMove:
        return False
    return True


def _moves(choice: Choice, form: Any) -> Iterator[Any]:
    """Moves of a family, in the order in which its questions would be answered; a text that is typed freely is none."""
    if not choice.parts:
        return
    steps = iter(range(STEPS_MOST))
    for values in _answered(choice, {}, steps):
        yield build_move(choice, values, form)


def _answered(choice: Choice, given: dict[tuple[str, str], family.Reply], steps: Iterator[int]) -> Iterator[Any]:
    """The values of a family, one after the other."""
    question = family.next_question(choice, given)
    if question is None:
        values = family.values_of(choice, given)
        if not fault(choice, values):
            yield values
        return
    for reply in _replies(question):
        if next(steps, None) is None:
            return
        yield from _answered(choice, {**given, question.key: reply}, steps)


def _replies(question: family.Question) -> Iterator[family.Reply]:
    if isinstance(question.part, Ranking):
        names = question.words
        for size in range(question.part.least, len(names) + 1):
            yield from map(list, permutations(names, size))
        return
    yield from question.words
    yield from islice(question.numbers, MOST + 1)
