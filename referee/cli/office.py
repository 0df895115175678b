"""What the commands of `referee mail` share: the office, how it is opened, what is said."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from referee.cli import w
from referee.cli.common import load_key, say
from referee.cli.reports import report
from referee.errors import RefereeError
from referee.language import Text, run
from referee.show.text import clean

if TYPE_CHECKING:
    from referee.mail.catchup import TableTrouble

OfficeArgument = Annotated[str, typer.Argument(metavar="DIR", help="The office's folder.")]


@contextmanager
def opened(root: str) -> Iterator[Any]:
    """The office, held for this command alone."""
    from referee.mail import office

    with office.locked(root):
        settings = office.settings_of(root)
        yield office.Office(root, settings, load_key(os.path.join(root, office.KEY)))


@contextmanager
def changing(root: str, dry: bool) -> Iterator[Any]:
    """The same for a command that changes it: all of it is saved, or nothing."""
    with opened(root) as office:
        yield office
        if not dry:
            office.save()


def settle(office: Any, desk: Any, now: Any) -> None:
    """What a change at a table brings about, mails above all, is done with it."""
    from referee.mail.catchup import catch_up

    no_trouble(catch_up(office, now, strict=False)[1], desk)


def tell(root: str, office: Any, dry: bool, json: bool, lines: list[Text], **more: Any) -> None:
    """What a command did, and what comes next."""
    if json:
        report({"told": lines, **more})
    for line in lines:
        say(clean(str(line)))
    say(w("Next: run it again without --dry-run.") if dry else w("Next: {next}.", next=how_to_send(root, office)))


def how_to_send(root: str, office: Any) -> str:
    """What the host does with what lies in outbox/."""
    from referee.io.files import printable

    if office.settings.send.kind == "files":
        folder = printable(os.path.join(root, "outbox"))
        return w("send the mails in {folder}, and move them to sent/", folder=folder)
    return w("{command} sends them", command=run("mail", "out", root))


def no_trouble(troubles: "list[TableTrouble]", desk: Any) -> None:
    """What is wrong with the table that a command is about ends it; that of others shows in the next run."""
    for trouble in troubles:
        if trouble.table == desk.name:
            raise trouble


def mails_in_words(number: int) -> str:
    """`1 mail`, `2 mails`."""
    return w.plural("{n} mail", "{n} mails", number)


def fail(trouble: RefereeError | None) -> None:
    """Say what did not work at last: the rest was done."""
    if trouble is not None:
        raise trouble
