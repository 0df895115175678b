"""Deadlines in the words of our mails: until when, who was late how often, how to come back."""

from collections.abc import Iterator

from referee.engine.player import Opened, may_return
from referee.evidence.lateness import lateness
from referee.mail import w
from referee.mail.when import moment
from referee.show.findings import claims_in_words, late_in_words
from referee.show.text import span


def deadline_in_words(due: str, zone: str, grace: int, bank: int) -> Iterator[str]:
    """Until when to answer; nothing where there is no deadline."""
    if not due:
        return
    when = moment(due, zone)
    if grace:
        yield w("Please answer by {when}, with {span} of grace.", when=when, span=span(grace))
    else:
        yield w("Please answer by {when}.", when=when)
    if bank:
        yield w("Your time bank has {span} left for an answer that comes later.", span=span(bank))


def late_so_far(opened: Opened, claims: int) -> list[str]:
    """How many rounds were late, who protested, and how many claims came in, for everybody to see; nothing where there
    is nothing of it."""
    told = (*late_in_words(lateness(opened.chain)), *claims_in_words(claims))
    return [f"{line[:1].upper()}{line[1:]}." for line in told]


def way_back(opened: Opened, way: str) -> Iterator[str]:
    """For somebody who missed too many deadlines: that the game goes on, and how to come back."""
    if not may_return(opened):
        return
    yield w("You missed two deadlines running: the game goes on without you.")
    if way == "kept":
        yield w("To come back, reply to this mail and write `back`.")
    else:
        yield w("To come back, save this mail and run `referee return` on it; then send the reply that it writes.")
