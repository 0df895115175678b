"""An office for games by mail: `referee mail ...`."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from referee.cli import common as c
from referee.cli import w
from referee.cli.groups import spread
from referee.errors import RefereeError
from referee.language import Text, run
from referee.library.values import placeholder
from referee.show.text import clean

if TYPE_CHECKING:
    from datetime import datetime

    from referee.library.offices import Intake, Ran
    from referee.mail.office import Office

MailsArgument = Annotated[
    list[str] | None, c.argument("[FILE...]", "Mails as files or folders; - for one on standard input.")
]
OfficeArgument = Annotated[str, c.argument("DIR", "The office's folder.")]
TableArgument = Annotated[str, c.argument("TABLE", "The table; the first characters are enough.")]
WhoArgument = Annotated[str, c.argument("NAME", "The player: name, address or number.")]


class How(NamedTuple):
    """How a command changes an office."""

    now: c.NowOption = None
    dry: c.DryOption = False
    json: c.JsonOption = False


@contextmanager
def changing(root: str, how: How) -> "Iterator[tuple[Office, datetime]]":
    """The office, held for a command that changes it, and the time: all of it is saved, or nothing."""
    from referee.library import offices

    moment = c.clock(how.now)
    with offices.opened(root, c.load_key, save=not how.dry) as office:
        yield office, moment


def tell(office: "Office", how: How, line: Text, **more: str) -> None:
    """What a command did, and what comes next."""
    if how.json:
        c.report({"told": [line], **more})
    c.say(clean(str(line)))
    send_next(office, how)


def send_next(office: "Office", how: How) -> None:
    """What comes next where mails lie in outbox/."""
    c.say(w("Next: run it again without --dry-run.") if how.dry else w("Next: {next}.", next=how_to_send(office)))


def how_to_send(office: "Office") -> str:
    """What the host does with what lies in outbox/."""
    from referee.io.files import printable

    if office.settings.send.kind == "files":
        folder = printable(os.path.join(office.root, "outbox"))
        return w("send the mails in {folder}, and move them to sent/", folder=folder)
    return w("{command} sends them", command=run("mail", "out", office.root))


def init(
    root: Annotated[str, c.argument("DIR", "The folder to make.")],
    name: Annotated[str, typer.Option("--name", help="Your name as players read it.")] = "",
    address: Annotated[str, typer.Option("--address", help="The mail address of the office.")] = "",
    key: Annotated[str | None, c.option("--key", "FILE", "A key of yours; else a new one.")] = None,
    dry: c.DryOption = False,
) -> None:
    """Make an office: a folder with settings, key, address book, and places for mails."""
    from referee.io.files import printable
    from referee.library import offices
    from referee.mail.office import SETTINGS

    offices.make_office(root, name, address, lambda: c.load_key(key) if key is not None else None, dry=dry)
    if dry:
        c.say(w("Next: run it again without --dry-run."))
        return
    c.say(w("The office is in {folder}. Keep a copy of host.key: no game goes on without it.",
            folder=printable(root)))  # fmt: skip
    invite = run("mail", "offer", root, placeholder("GAME"), "--seats", "N", "--to", placeholder("ADDRESS"))
    toml = printable(os.path.join(root, SETTINGS))
    c.say(w("Next: look through {file}, then {test}; invite with {offer}.", file=toml, offer=invite,
            test=run("mail", "test", root)))  # fmt: skip


def in_(root: OfficeArgument, mails: MailsArgument = None, *, how: How) -> None:
    """Take mails in, and keep them to be judged."""
    from referee.library import offices

    found = offices.take_in(root, mails or [], c.clock(how.now), c.say, dry=how.dry)
    if how.json:
        c.report({"new": found.new, "known": found.known, "trouble": found.trouble.message if found.trouble else ""})
    c.say(w("{mails} taken in, {known} known already.", mails=_mails(found.new), known=found.known))
    if found.trouble:
        raise found.trouble
    run_it = w("Next: {next}.", next=run("mail", "run", root))
    c.say(w("Next: run it again without --dry-run.") if how.dry else run_it)


def out_(root: OfficeArgument, *, how: How) -> None:
    """Send what lies in outbox/."""
    from referee.library import offices
    from referee.mail.run import Sent, send_all

    c.clock(how.now)
    with offices.opened(root, c.load_key) as office:
        sent = Sent() if how.dry else send_all(office, c.say, lambda: c.clock(how.now))
        waiting = office.names("outbox")
    if how.json:
        c.report({"sent": sent.sent, "failed": sent.failed, "outbox": waiting})
    c.say(w("{mails} sent, {waiting} in outbox/.", mails=_mails(sent.sent), waiting=len(waiting)))
    if sent.trouble:
        raise sent.trouble
    send_next(office, how)


def _mails(number: int) -> str:
    return w.plural("{n} mail", "{n} mails", number)


def run_(root: OfficeArgument, mails: MailsArgument = None, *, how: How) -> None:
    """Take mails in, judge them, answer, remind, play fallbacks for deadlines that are over, send.

    Safe at any time: by hand, from a mail filter, from cron; twice does nothing the second time."""
    from referee.library import offices

    moment, paths = c.clock(how.now), mails or []
    taken = offices.take_in(root, paths, moment, c.say, dry=how.dry)
    try:
        whole, named = taken.trouble is None, bool(paths)
        done = offices.run_office(
            root, c.load_key, lambda: c.clock(how.now), c.say, whole=whole, named=named, dry=how.dry
        )
        _conclude(taken, done, how)
    except RefereeError as error:
        if paths != ["-"]:
            raise
        # The mail is kept: whoever brought it must not think that it is lost.
        c.say(f"referee: {error.message}")
        c.say(w("Next: {next}; the mail itself is kept, and the next run goes on from here.", next=error.next))


def _conclude(taken: "Intake", done: "Ran", how: How) -> None:
    if how.json:
        rows = [{"mail": name, "folder": one.folder, "told": one.told} for name, one in done.judged]
        numbers = {"new": taken.new, "known": taken.known, "sent": done.sent.sent, "failed": done.sent.failed}
        troubles = [one.message for one in done.troubles]
        c.report({"judged": rows, "events": done.told, "troubles": troubles, "outbox": done.outbox, **numbers})
    for name, one in done.judged:
        c.say(f"{name[:6]} {one.folder}: {clean(str(one.told))}")
    for line in (*done.told, *(one.message for one in done.troubles)):
        c.say(clean(str(line)))
    if how.dry:
        c.say(w("{mails} would be written.", mails=_mails(done.written)))
        c.say(w("Next: run it again without --dry-run."))
        return
    c.say(w("{mails} in, {judged} judged, {sent} sent, {waiting} in outbox/.", mails=_mails(taken.new),
            judged=len(done.judged), sent=done.sent.sent, waiting=done.outbox))  # fmt: skip
    for trouble in filter(None, (taken.trouble, done.sent.trouble, *done.troubles)):
        raise trouble
    if done.outbox:
        send_next(done.office, how)
    else:
        c.say(w("Next: wait for mails, and run it again."))


def status(root: OfficeArgument, now: c.NowOption = None, json: c.JsonOption = False) -> None:
    """Where every table stands: who is awaited since when, what is due, who is away, what waits to be sent."""
    from referee.library import offices
    from referee.mail import status as module

    with offices.opened(root, c.load_key) as office:
        found = module.status_of(office, c.clock(now))
    if json:
        c.report(found)
        return
    for line in module.status_lines(found, root):
        c.out(clean(line))
    c.say(w("Next: {command} brings everything up to date.", command=run("mail", "run", root)))


def try_(
    root: OfficeArgument,
    send: Annotated[bool, typer.Option("--send", help="Also send a mail, to the office itself.")] = False,
    json: c.JsonOption = False,
) -> None:
    """Check the settings: connect, log in, look; say in words what is wrong."""
    from referee.mail import office
    from referee.mail.trial import trial

    with office.locked(root):
        found = trial(office.settings_of(root), send=send)
    if json:
        c.report({"good": all(one.good for one in found), "tried": found})
    for one in found:
        word = w("ok") if one.good else w("BAD")
        c.say(f"{word}: {clean(str(one.what))}")
    bad = [one for one in found if not one.good]
    if bad:
        c.say(w("Next: {next}", next=clean(str(bad[0].next))))
        raise typer.Exit(9)
    c.say(w("Next: {next}.", next=run("mail", "run", root)))


# --- tables -----------------------------------------------------------------------------------------------------------


def offer(
    root: OfficeArgument,
    game: c.GameName,
    seats: c.SeatsOption,
    to: Annotated[list[str], c.option("--to", "ADDRESS", "Whom to invite, once each, in seat order.")],
    option: c.ChoiceOption = None,
    edition: c.EditionOption = None,
    deadline: c.DeadlineOption = None,
    no_deadline: c.NoDeadlineOption = False,
    grace: c.GraceOption = None,
    bank: c.BankOption = None,
    arbiter: c.ArbiterOption = None,
    start: Annotated[str, typer.Option("--start", help="when-full, or by-hand.")] = "when-full",
    *,
    how: How,
) -> None:
    """Open a game and invite to it."""
    from referee.engine.lobby import make_offer
    from referee.library import offices, tables
    from referee.show.documents import terms_in_words

    with changing(root, how) as (office, now):
        spans = tables.time_limits(deadline, grace, bank, never=no_deadline)
        terms = tables.terms_of(game, seats, option or [], edition)
        made = make_offer(office.key, *terms, *spans, arbiter=tables.arbiter_key(arbiter))
        desk, players = offices.open_table(office, made, to, start, now)
        c.say(terms_in_words(desk.terms))
        offices.settle(office, desk, now)
    if how.json:
        c.report({"table": desk.name, "offer": desk.offer_id, "players": players})
    if how.dry:
        c.say(w("Next: run it again without --dry-run."))
        return
    c.say(w("Table {table}: {n} invitations are in outbox/.", table=desk.name, n=len(players)))
    c.say(w("Next: {send}; players answer with `join as NAME`, or with a signed join.", send=how_to_send(office)))


def start(root: OfficeArgument, table: TableArgument, *, how: How) -> None:
    """Start a game whose players have all joined."""
    from referee.library import offices

    with changing(root, how) as (office, now):
        told = offices.start_game(office, table, now)
    tell(office, how, told)


def drop(
    root: OfficeArgument,
    table: TableArgument,
    who: WhoArgument,
    to: Annotated[str | None, c.option("--to", "ADDRESS", "Whom to invite instead.")] = None,
    *,
    how: How,
) -> None:
    """Go on without somebody who never joins, or never agrees to the game: the others are invited, and a substitute."""
    from referee.library import offices

    with changing(root, how) as (office, now):
        told, new = offices.drop(office, table, who, to, now)
    tell(office, how, told, table=new)


def amend(root: OfficeArgument, path: c.RulingArgument, *, how: How) -> None:
    """Take an arbiter's ruling on a game, if its offer names that arbiter: players get it, `status` tells it."""
    from referee.mail.hosting import ruled, ruled_in_words, take_ruling

    data = c.read_document(path, "ruling")
    with changing(root, how) as (office, now):
        desk = take_ruling(office, data, now)
    found = ruled(desk.note)
    if how.json:
        c.report({"table": desk.name, "rulings": found})
    c.say(f"{desk.name}: {ruled_in_words(found)}")
    send_next(office, how)


def resign(root: OfficeArgument, table: TableArgument, who: WhoArgument, *, how: How) -> None:
    """Let a player leave whose key is kept here, and who said so elsewhere."""
    from referee.library import offices

    with changing(root, how) as (office, now):
        told = offices.resign(office, table, who, now)
    tell(office, how, told)


def abandon(root: OfficeArgument, table: TableArgument, yes: c.YesOption = False, *, how: How) -> None:
    """End a game that cannot go on, without a result: everybody gets the transcript, which blames nobody."""
    from referee.cli.host import sure_to_abandon
    from referee.library import offices

    with changing(root, how) as (office, now):
        told = offices.abandon(office, table, (lambda: None) if yes or how.dry else sure_to_abandon, now)
    tell(office, how, told)


def extend(
    root: OfficeArgument,
    table: TableArgument,
    who: WhoArgument,
    until: c.UntilOption = None,
    by: c.ByOption = None,
    *,
    how: How,
) -> None:
    """Give a player more time in the open round, in writing; the player gets it by mail."""
    from referee.library import offices
    from referee.library.running import new_due

    with changing(root, how) as (office, now):
        told, given = offices.extend(office, table, who, lambda match, seat: new_due(match, seat, until, by, now), now)
    tell(office, how, told, until=given)


COMMANDS: dict[str, Callable[..., None]] = {
    "init": init, "offer": offer, "start": start, "run": run_, "in": in_, "out": out_,
    "status": status, "test": try_, "drop": drop, "resign": resign,
    "abandon": abandon, "extend": extend,
    "amend": amend,
}  # fmt: skip
app = typer.Typer(
    help="Play by mail: an office takes mails in, judges them, answers, reminds, sends.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
for _name, _command in COMMANDS.items():
    app.command(_name)(spread(_command))
