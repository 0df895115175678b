"""Play by mail: reading mails, writing them, and the office that plays games with them."""

from collections.abc import Iterable, Sequence

from referee.language import NOTHING, Catalogue, Told, Wording

t, w = Catalogue("referee.mail"), Wording("referee.mail")

Saying = Sequence[Told | str]
"""Sentences, rendered later in the language of whoever reads them; a `str` is what somebody wrote."""


def combined(texts: Iterable[Told]) -> Told:
    """Several texts as one: `a; b; c`."""
    found: Told = NOTHING
    for text in texts:
        found = t("{first}; {more}", first=found, more=text) if found else text
    return found
