"""What a player is told of mails that were not answered, in the next one that is written."""

from referee.mail import w
from referee.mail.parts import Lines, Part, Reader
from referee.mail.when import moment
from referee.show.text import clean


def unanswered(reader: Reader) -> list[Part]:
    """What came in the reader's name and was not answered."""
    held = reader.held
    if held is None:
        return []
    lines, when = [], moment(held.since, reader.zone)
    if held.turn:
        lines += [
            w.plural("Since {when}, {n} mail with your newest pass was not answered: too many came in one day.",
                     "Since {when}, {n} mails with your newest pass were not answered: too many came in one day.",
                     held.turn, when=when),
            w("If that was not you, somebody else has your pass: tell {host} at once.", host=clean(held.host)),
        ]  # fmt: skip
    if held.other:
        lines += [
            w.plural("Since {when}, {n} mail in your name was not answered: it had an old pass, or none at all.",
                     "Since {when}, {n} mails in your name were not answered: they had an old pass, or none at all.",
                     held.other, when=when),
            w("That has changed nothing. If it was not you, you need not do anything."),
        ]  # fmt: skip
    return [Lines(w("Not answered"), tuple(lines))]
