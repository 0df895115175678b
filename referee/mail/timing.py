"""Deadlines in the words of our mails."""

from collections.abc import Iterator

from referee.mail import t
from referee.mail.when import moment
from referee.show.text import span


def deadline_in_words(due: str, zone: str, grace: int, bank: int) -> Iterator[str]:
    """Until when to answer; nothing where there is no deadline."""
    if not due:
        return
    when = moment(due, zone)
    if grace:
        yield t("Please answer by {when}, with {span} of grace.", when=when, span=span(grace))
    else:
        yield t("Please answer by {when}.", when=when)
    if bank:
        yield t("Your time bank has {span} more: it pays for what comes later.", span=span(bank))
