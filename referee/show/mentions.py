"""Players in sentences: `@2` stands for the name of a seat, in output and in typed moves."""

import re
from collections.abc import Iterator, Sequence
from itertools import combinations

_FEW = 4
"""With up to this many names in a text, each may instead be a word of the game."""


def without_names(text: str, names: Sequence[str]) -> str:
    """Typed text with players' names replaced by `@2`, in one pass; the longest matching name wins."""
    text, found = _found(text, names)
    return _replaced(text, found)


def namings(text: str, names: Sequence[str]) -> Iterator[list[str]]:
    """The same with any one of the names replaced; then with two, and so on, at last with all: a name can also be a
    word of the game."""
    text, found = _found(text, names)
    for number in range(1 if len(found) <= _FEW else len(found), len(found) + 1):
        yield [_replaced(text, chosen) for chosen in combinations(found, number)]


def _found(text: str, names: Sequence[str]) -> tuple[str, list[tuple[re.Match[str], int]]]:
    """A text with its letters in one piece, where names stand in it, and whose. Umlauts may be spelled in any way that
    is not another player's name."""
    from referee.engine.names import fold
    from referee.lexicon import spellings, with_composed_umlauts

    seats = {_plain(name): seat for seat, name in enumerate(names)}
    loose = [(spelling, seat) for seat, name in enumerate(names) for spelling in {*spellings(name), fold(name)}]
    for spelling, seat in loose:
        if all(other == seat for same, other in loose if same == spelling):
            seats.setdefault(_plain(spelling), seat)
    longest = sorted({*names, *seats}, key=len, reverse=True)
    pattern = "|".join(r"\s+".join(map(re.escape, name.split())) for name in longest)
    text = with_composed_umlauts(text)
    found = re.finditer(rf"(?<!\w)({pattern})s?(?!\w)", text, re.IGNORECASE)
    return text, [(one, seats[_plain(one[1])]) for one in found if _plain(one[1]) in seats]


def _plain(name: str) -> str:
    return " ".join(name.split()).casefold()


def _replaced(text: str, found: Sequence[tuple[re.Match[str], int]]) -> str:
    for one, seat in reversed(found):
        text = f"{text[: one.start()]}@{seat}{text[one.end() :]}"
    return text
