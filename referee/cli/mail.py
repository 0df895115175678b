"""An office for games by mail: `referee mail ...`."""

import os
from collections.abc import Callable
from typing import Annotated, Any

import typer

from referee.cli import mail_tables, t, w
from referee.cli.common import DryOption, JsonOption, NowOption, clock, load_key, out, say
from referee.cli.office import OfficeArgument, fail, how_to_send, mails_in_words, opened
from referee.cli.reports import report
from referee.errors import FileTrouble, RefereeError, Usage
from referee.language import run
from referee.library.values import placeholder
from referee.show.text import clean

TRY_AGAIN = 75
"""What mail servers take for `later`: a mail that could not be kept is brought once more."""

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
    from referee.crypto import keys
    from referee.io import files, keyfile
    from referee.mail import office
    from referee.mail.settings import ADDRESS, template

    if address and not ADDRESS.fullmatch(address):
        raise Usage(t("this is no mail address"), t("write it as --address anna@example.org"))
    if files.exists(os.path.join(root, office.SETTINGS)):
        raise FileTrouble(
            t("{root} is an office already", root=files.printable(root)), t("choose another folder"), code="exists"
        )
    mine = load_key(key) if key is not None else keys.Key(os.urandom(32), name)
    if dry:
        say(w("Next: run it again without --dry-run."))
        return
    office.make_folders(root)
    made = office.init_files(
        root, template(name or mine.name or "The host", address or "you@example.org"), keyfile.dump(mine)
    )
    for path, data in made.items():
        if not files.exists(path):
            files.write({path: data}, secret=[path])
    say(w("The office is in {folder}. Keep a copy of host.key: no game goes on without it.",
          folder=files.printable(root)))  # fmt: skip
    toml = files.printable(os.path.join(root, office.SETTINGS))
    invite = run("mail", "offer", root, placeholder("GAME"), "--seats", "N", "--to", placeholder("ADDRESS"))
    say(w("Next: look through {file}, then {test}; invite with {offer}.", file=toml, offer=invite,
          test=run("mail", "test", root)))  # fmt: skip


def in_(
    root: OfficeArgument,
    mails: MailsArgument = None,
    now: NowOption = None,
    dry: DryOption = False,
    json: JsonOption = False,
) -> None:
    """Take mails in, and keep them to be judged."""
    new, known, trouble = _take_in(root, mails or [], dry, clock(now))
    if json:
        report({"new": new, "known": known, "trouble": trouble.message if trouble else ""})
    say(w("{mails} taken in, {known} known already.", mails=mails_in_words(new), known=known))
    fail(trouble)
    run_it = w("Next: {next}.", next=run("mail", "run", root))
    say(w("Next: run it again without --dry-run.") if dry else run_it)


def out_(root: OfficeArgument, now: NowOption = None, dry: DryOption = False, json: JsonOption = False) -> None:
    """Send what lies in outbox/."""
    from referee.mail.run import Sent, send_all

    clock(now)
    with opened(root) as office:
        sent = Sent() if dry else send_all(office, say, lambda: clock(now))
        waiting = office.names("outbox")
    if json:
        report({"sent": sent.sent, "failed": sent.failed, "outbox": waiting})
    say(w("{mails} sent, {waiting} in outbox/.", mails=mails_in_words(sent.sent), waiting=len(waiting)))
    fail(sent.trouble)
    say(w("Next: run it again without --dry-run.") if dry else w("Next: {next}.", next=how_to_send(root, office)))


def run_(
    root: OfficeArgument,
    mails: MailsArgument = None,
    now: NowOption = None,
    dry: DryOption = False,
    json: JsonOption = False,
) -> None:
    """Take mails in, judge them, answer, remind, play fallbacks for deadlines that are over, send.

    Safe at any time: by hand, from a mail filter, from cron; twice does nothing the second time."""
    moment, paths = clock(now), mails or []
    new, known, trouble = _take_in(root, paths, dry, moment)
    try:
        _run(root, paths, (new, known), trouble, lambda: clock(now), dry, json)
    except RefereeError as error:
        if paths != ["-"]:
            raise
        # The mail is kept: whoever brought it must not think that it is lost.
        say(f"referee: {error.message}")
        say(w("Next: {next}; the mail itself is kept, and the next run goes on from here.", next=error.next))


def _run(
    root: str,
    paths: list[str],
    counts: tuple[int, int],
    trouble: RefereeError | None,
    ticks: Any,
    dry: bool,
    json: bool,
) -> None:
    from referee.mail.catchup import catch_up
    from referee.mail.run import Sent, judge_all, send_all

    with opened(root) as office:
        now = ticks()
        verdicts = judge_all(office, now, dry=dry)
        # Who has answered is known only where all mails are in.
        whole = trouble is None and (not paths or office.settings.fetch.kind == "none")
        told, troubles = catch_up(office, now, strict=whole)
        written = len(office.mails)
        if not dry:
            office.save()
        sent = Sent() if dry else send_all(office, say, ticks)
        waiting = len(office.names("outbox"))
    if json:
        rows = [{"mail": name, "folder": one.folder, "told": one.told} for name, one in verdicts]
        numbers = {"new": counts[0], "known": counts[1], "sent": sent.sent, "failed": sent.failed, "outbox": waiting}
        report({"judged": rows, "events": told, "troubles": [one.message for one in troubles], **numbers})
    for name, one in verdicts:
        say(f"{name[:6]} {one.folder}: {clean(str(one.told))}")
    for line in (*told, *(one.message for one in troubles)):
        say(clean(str(line)))
    if dry:
        say(w("{mails} would be written.", mails=mails_in_words(written)))
        say(w("Next: run it again without --dry-run."))
        return
    say(w("{mails} in, {judged} judged, {sent} sent, {waiting} in outbox/.", mails=mails_in_words(counts[0]),
          judged=len(verdicts), sent=sent.sent, waiting=waiting))  # fmt: skip
    fail(next((one for one in (trouble, sent.trouble, *troubles) if one), None))
    send = w("Next: {next}.", next=how_to_send(root, office))
    say(send if waiting else w("Next: wait for mails, and run it again."))


def status(root: OfficeArgument, now: NowOption = None, json: JsonOption = False) -> None:
    """Where every table stands: who is awaited since when, what is due, who is away, what waits to be sent."""
    from referee.mail import status as module

    with opened(root) as office:
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


def _take_in(root: str, paths: list[str], dry: bool, now: Any) -> tuple[int, int, RefereeError | None]:
    """Mails from where they are named, or from where the settings say. A source that fails stops nothing else."""
    from referee.mail import intake, office
    from referee.mail.fetch import Fetched, fetch, read_eml, read_stdin

    if "-" in paths and len(paths) > 1:
        raise Usage(t("standard input has one mail"), t("give - alone"))
    try:
        office.make_ready(root)
        if paths == ["-"]:  # settings that are wrong must not lose a mail
            source: Any = [Fetched(read_stdin(), lambda: None)]
        else:
            source = read_eml(paths, say) if paths else fetch(office.settings_of(root), say)
        if dry:
            return sum(1 for _ in source) if paths else 0, 0, None
        return intake.take_in(root, source, now)
    except FileTrouble as error:
        if paths == ["-"]:
            error.exit = TRY_AGAIN
        raise


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
    app.command(_name)(_command)
