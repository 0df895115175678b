"""Play by mail: what comes out of a mail, and what goes into one. Only the commands `referee mail ...` load it."""

from collections.abc import Iterable, Sequence

from referee.language import NOTHING, Catalogue, Told, Wording

t, w = Catalogue("referee.mail"), Wording("referee.mail")

Saying = Sequence[Told | str]
"""Sentences that are rendered in the reader's language when there is one; a `str` is somebody's own words."""


def in_one(texts: Iterable[Told]) -> Told:
    """`a; b; c`."""
    found: Told = NOTHING
    for text in texts:
        found = t("{first}; {more}", first=found, more=text) if found else text
    return found
