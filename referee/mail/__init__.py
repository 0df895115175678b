"""Play by mail: reading mails, writing them, and the office that plays games with them."""

from collections.abc import Iterable, Sequence

from referee.language import NOTHING, Catalogue, Message, Wording

t, w = Catalogue("referee.mail"), Wording("referee.mail")

Saying = Sequence[Message | str]
"""Sentences, rendered later in the language of whoever reads them; a `str` is what somebody wrote."""


def combined(texts: Iterable[Message]) -> Message:
    """Several texts as one: `a; b; c`."""
    found: Message = NOTHING
    for text in texts:
        found = t("{first}; {more}", first=found, more=text) if found else text
    return found
