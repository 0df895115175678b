"""The command that shows which games wait for you: inbox."""

from typing import Annotated

from referee.cli import common as c
from referee.cli import w
from referee.cli.reports import report
from referee.language import Text

NOTES_MOST = 20


def inbox(
    folder: Annotated[str, c.argument("DIR", "A folder with views, saved mails, a Maildir, an mbox.")],
    json: c.JsonOption = False,
    key: c.KeyOption = None,
    now: c.NowOption = None,
) -> None:
    """Which games wait for you, by the views and mails in a folder: what is asked, until when, and what to type."""
    from referee.library import inbox
    from referee.library.documents import own_keys
    from referee.show.text import clean

    notes = list[Text]()
    rows = inbox.rows_of(folder, own_keys(key), c.clock(now), notes)
    if json:
        told = [{name: value for name, value in row._asdict().items() if name != "source"} for row in rows]
        report({"games": told, "notes": notes})
        return
    said = [clean(str(note)) for note in notes[:NOTES_MOST]]
    if len(notes) > NOTES_MOST:
        said.append(w("... and {n} more notes; --json has them all.", n=len(notes) - NOTES_MOST))
    wanted = [row.next for row in rows if row.wanted]
    said.append(w("Next: {next}", next=clean(str(wanted[0]))) if wanted else w("Next: nothing here waits for you."))
    c.tell([line for row in rows for line in inbox.lines(row)], said)
