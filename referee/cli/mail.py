"""An office for games by mail: `referee mail ...`."""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli import mail_tables, w
from referee.cli.common import DryOption, JsonOption, NowOption, clock, load_key, out, say
from referee.cli.groups import spread
from referee.cli.mail_tables import How, OfficeArgument, send_next
from referee.cli.reports import report
from referee.errors import RefereeError
from referee.language import run
from referee.library.values import placeholder
from referee.show.text import clean

if TYPE_CHECKING:
    from referee.library.offices import Intake, Ran

MailsArgument = Annotated[
    list[str] | None,
    typer.Argument(metavar="[FILE...]", help="Mails as files or folders; - for one on standard input."),
]


def init(
    root: Annotated[str, typer.Argument(metavar="DIR", help="The folder to make.")],
    name: Annotated[str, typer.Option("--name", help="Your name as players read it.")] = "",
    address: Annotated[str, typer.Option("--address", help="The mail address of the office.")] = "",
    key: Annotated[str | None, typer.Option("--key", metavar="FILE", help="A key of yours; else a new one.")] = None,
    dry: DryOption = False,
) -> None:
    """Make an office: a folder with settings, key, address book, and places for mails."""
    from referee.io.files import printable
    from referee.library import offices
    from referee.mail.office import SETTINGS

    offices.make_office(root, name, address, lambda: load_key(key) if key is not None else None, dry=dry)
    if dry:
        say(w("Next: run it again without --dry-run."))
        return
    say(w("The office is in {folder}. Keep a copy of host.key: no game goes on without it.",
          folder=printable(root)))  # fmt: skip
    invite = run("mail", "offer", root, placeholder("GAME"), "--seats", "N", "--to", placeholder("ADDRESS"))
    say(w("Next: look through {file}, then {test}; invite with {offer}.", file=printable(os.path.join(root, SETTINGS)),
          offer=invite, test=run("mail", "test", root)))  # fmt: skip


def in_(root: OfficeArgument, mails: MailsArgument = None, *, how: How) -> None:
    """Take mails in, and keep them to be judged."""
    from referee.library import offices

    found = offices.take_in(root, mails or [], clock(how.now), say, dry=how.dry)
    if how.json:
        report({"new": found.new, "known": found.known, "trouble": found.trouble.message if found.trouble else ""})
    say(w("{mails} taken in, {known} known already.", mails=_mails(found.new), known=found.known))
    if found.trouble:
        raise found.trouble
    run_it = w("Next: {next}.", next=run("mail", "run", root))
    say(w("Next: run it again without --dry-run.") if how.dry else run_it)


def out_(root: OfficeArgument, *, how: How) -> None:
    """Send what lies in outbox/."""
    from referee.library import offices
    from referee.mail.run import Sent, send_all

    clock(how.now)
    with offices.opened(root, load_key) as office:
        sent = Sent() if how.dry else send_all(office, say, lambda: clock(how.now))
        waiting = office.names("outbox")
    if how.json:
        report({"sent": sent.sent, "failed": sent.failed, "outbox": waiting})
    say(w("{mails} sent, {waiting} in outbox/.", mails=_mails(sent.sent), waiting=len(waiting)))
    if sent.trouble:
        raise sent.trouble
    send_next(office, how)


def _mails(number: int) -> str:
    return w.plural("{n} mail", "{n} mails", number)


def run_(root: OfficeArgument, mails: MailsArgument = None, *, how: How) -> None:
    """Take mails in, judge them, answer, remind, play fallbacks for deadlines that are over, send.

    Safe at any time: by hand, from a mail filter, from cron; twice does nothing the second time."""
    from referee.library import offices

    moment, paths = clock(how.now), mails or []
    taken = offices.take_in(root, paths, moment, say, dry=how.dry)
    try:
        whole, named = taken.trouble is None, bool(paths)
        done = offices.run_office(root, load_key, lambda: clock(how.now), say, whole=whole, named=named, dry=how.dry)
        _conclude(taken, done, how)
    except RefereeError as error:
        if paths != ["-"]:
            raise
        # The mail is kept: whoever brought it must not think that it is lost.
        say(f"referee: {error.message}")
        say(w("Next: {next}; the mail itself is kept, and the next run goes on from here.", next=error.next))


def _conclude(taken: "Intake", done: "Ran", how: How) -> None:
    if how.json:
        rows = [{"mail": name, "folder": one.folder, "told": one.told} for name, one in done.judged]
        numbers = {"new": taken.new, "known": taken.known, "sent": done.sent.sent, "failed": done.sent.failed}
        troubles = [one.message for one in done.troubles]
        report({"judged": rows, "events": done.told, "troubles": troubles, "outbox": done.outbox, **numbers})
    for name, one in done.judged:
        say(f"{name[:6]} {one.folder}: {clean(str(one.told))}")
    for line in (*done.told, *(one.message for one in done.troubles)):
        say(clean(str(line)))
    if how.dry:
        say(w("{mails} would be written.", mails=_mails(done.written)))
        say(w("Next: run it again without --dry-run."))
        return
    say(w("{mails} in, {judged} judged, {sent} sent, {waiting} in outbox/.", mails=_mails(taken.new),
          judged=len(done.judged), sent=done.sent.sent, waiting=done.outbox))  # fmt: skip
    for trouble in filter(None, (taken.trouble, done.sent.trouble, *done.troubles)):
        raise trouble
    if done.outbox:
        send_next(done.office, how)
    else:
        say(w("Next: wait for mails, and run it again."))


def status(root: OfficeArgument, now: NowOption = None, json: JsonOption = False) -> None:
    """Where every table stands: who is awaited since when, what is due, who is away, what waits to be sent."""
    from referee.library import offices
    from referee.mail import status as module

    with offices.opened(root, load_key) as office:
        found = module.status_of(office, clock(now))
    if json:
        report(found)
        return
    for line in module.status_lines(found, root):
        out(clean(line))
    say(w("Next: {command} brings everything up to date.", command=run("mail", "run", root)))


def try_(
    root: OfficeArgument,
    send: Annotated[bool, typer.Option("--send", help="Also send a mail, to the office itself.")] = False,
    json: JsonOption = False,
) -> None:
    """Check the settings: connect, log in, look; say in words what is wrong."""
    from referee.mail import office
    from referee.mail.trial import trial

    with office.locked(root):
        found = trial(office.settings_of(root), send=send)
    if json:
        report({"good": all(one.good for one in found), "tried": found})
    for one in found:
        word = w("ok") if one.good else w("BAD")
        say(f"{word}: {clean(str(one.what))}")
    bad = [one for one in found if not one.good]
    if bad:
        say(w("Next: {next}", next=clean(str(bad[0].next))))
        raise typer.Exit(9)
    say(w("Next: {next}.", next=run("mail", "run", root)))


COMMANDS: dict[str, Callable[..., None]] = {
    "init": init, "offer": mail_tables.offer, "start": mail_tables.start, "run": run_, "in": in_, "out": out_,
    "status": status, "test": try_, "drop": mail_tables.drop, "resign": mail_tables.resign,
    "abandon": mail_tables.abandon, "extend": mail_tables.extend,
    "amend": mail_tables.amend,
}  # fmt: skip
app = typer.Typer(
    help="Play by mail: an office takes mails in, judges them, answers, reminds, sends.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
for _name, _command in COMMANDS.items():
    app.command(_name)(spread(_command))
