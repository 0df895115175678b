"""How a player answers, as our mails tell it: in words, in the player's page, or with the program. Replies say which of
them made them, in a last line below the mark of a signature: nobody signs it, and all that depends on it is what our
mails explain and whether they bring the file that a page without the rules needs."""

import re
from collections.abc import Iterator
from typing import Literal

from referee.engine.player import Opened
from referee.language import current_language
from referee.mail import listing, w
from referee.mail.body import Reader
from referee.mail.message import Letter
from referee.mail.office_tables import Desk
from referee.mail.timing import way_back
from referee.show.terminal import pending_summary
from referee.show.text import clean

IN_OTHERS = {
    "en": "In English: reply `English`.",
    "de": "Auf Deutsch: antworte `Deutsch`.",
    "nl": "In het Nederlands: antwoord `Nederlands`.",
}
"""How to get our mails in another language, for readers who do not know this one."""
_MADE: dict[str, Literal["program", "page", "rules"]] = {"program": "program", "page": "page", "page+rules": "rules"}
_MADE_WITH = re.compile(r"pbem-referee/(program|page(?:\+rules)?)")
"""The last line of a reply. It is the same in every language."""


def note_way(desk: Desk, number: int, letter: Letter) -> None:
    """Note with what a player's signed document was made, if the mail that brought it says so."""
    found = [_MADE_WITH.fullmatch(line.text.strip()) for line in letter.lines if not line.depth]
    way = next((_MADE[one[1]] for one in reversed(found) if one), "")
    if way and way != desk.note.invitations[number - 1].way:
        desk.change_invitation(number, way=way)


def in_short(opened: Opened, reader: Reader) -> tuple[str, ...]:
    """How to answer, briefly."""
    if opened.ask is None:
        return (*way_back(opened, reader.way), *waiting(opened))
    if reader.way == "program":
        return (w("To answer, save this mail and run `referee play` on it; then send the reply that it writes."),)
    if reader.way in ("page", "rules"):
        return (
            w("To answer, save this mail and open it in the player's page; then send the reply that the page makes."),
        )
    if reader.way == "own":
        return (w("To answer, save this mail, open it in the player's page or run `referee play` on it, and send the "
                  "reply that you get."),)  # fmt: skip
    found = listing.answers(opened)
    if not opened.decides:
        return (w("To answer, reply to this mail and write `{answer}`.", answer=listing.BARE),)
    how = w("To answer, reply to this mail and write a move in words.")
    if single := next((row.mark for row in found.usual if row.order), ""):
        how = w(
            "To answer, reply to this mail and write a number such as `{number}`, or a move in words.", number=single
        )
    elif example := next((row.order for row in found.likely), ""):
        how = w("To answer, reply to this mail and write a move in words, such as `{example}`.", example=example)
    return (how,)


def in_full(opened: Opened, reader: Reader, file: str) -> Iterator[str]:
    """How to answer, in the way that this player does. `file` is the name of the view in the mail."""
    if opened.ask is None:
        return
    if reader.way == "kept":
        yield from _in_words(opened)
        return
    if reader.way != "program":
        yield w("In a browser: open player.html, and in it your player's file and this mail (saved as a file).")
        yield w("Choose, check what you sign, and send the reply that the page makes.")
        yield where_is_the_page(reader)
    if reader.way in ("own", "program"):
        yield w("`referee play` reads this mail (saved as a file) or the attached {file}.", file=file)
        yield w(
            "It shows the board and the moves, asks before it signs, and writes a reply for you to send to the host."
        )
        yield w("`referee play --tell` signs what is not a move, such as `away until 2027-01-05`.")


def _in_words(opened: Opened) -> Iterator[str]:
    if opened.decides:
        yield w(
            "Write one answer, above the line at the top or anywhere else. You can quote as much of this "
            "mail as you like."
        )
        yield w("If a line covers many moves, write the move in words: copy its example and change it.")
    yield w("If something is unclear I will ask; I never guess.")
    if opened.round == 0:
        yield w("You can write moves in English, German or Dutch, whatever language I write in.")
        yield from in_other_languages()
    yield w(
        "Going away? Write `away until 2027-01-05`, and `back` when you return. To leave the game for good, "
        "write `resign`."
    )


def where_is_the_page(reader: Reader, host: str = "") -> str:
    """Where to get player.html."""
    if reader.page:
        return w("You find player.html here: {page}", page=reader.page)
    if host:
        return w("If you do not have player.html, ask {host} for it.", host=clean(host))
    return w("If you do not have player.html, ask your host for it.")


def in_other_languages() -> Iterator[str]:
    """How to get our mails in another language."""
    return (line for language, line in IN_OTHERS.items() if language != current_language())


def waiting(opened: Opened) -> tuple[str, ...]:
    """Whose answer the game waits for; the deadline is given elsewhere, in the reader's zone."""
    names = [clean(name) for name in opened.table.names]
    return tuple(line.strip() for line in pending_summary(opened, names, due=False))
