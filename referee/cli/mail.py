"""An office for games by mail: `referee mail ...`."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

from referee.cli import common as c
from referee.cli import t, w
from referee.crypto import envelope, keys
from referee.errors import MailTrouble, RefereeError, Usage
from referee.language import listed, run
from referee.library import documents, offices, running
from referee.mail import hosting, status
from referee.show import documents as shown
from referee.show.text import clean

if TYPE_CHECKING:
    from datetime import datetime

    from referee.mail.office import Office

OfficeArgument = Annotated[str, c.argument("DIR", "The office's folder.")]


class OfficeOptions(NamedTuple):
    """How a command changes an office."""

    now: c.NowOption = None
    dry: c.DryOption = False
    json: c.JsonOption = False


@contextmanager
def changing(root: str, how: OfficeOptions) -> "Iterator[tuple[Office, datetime]]":
    """The office, held for a command that changes it, and the time: all of it is saved, or nothing."""
    moment = c.clock(how.now)
    with offices.opened(root, c.load_key, save=not how.dry) as office:
        yield office, moment


def send_next(office: "Office", how: OfficeOptions) -> None:
    """What comes next when there are mails in outbox/."""
    c.next_step(w("Next: {next}.", next=offices.how_to_send(office)), how.dry)


def mail_run(
    root: OfficeArgument,
    mails: list[str] | None = c.argument(
        "[FILE...]", "Mails as files or folders; - for one on standard input.", default=None
    ),
    only: Literal["in", "out"] | None = c.option(
        "--only", "", "Only take in mails, to be judged later; or only send what is in outbox/."
    ),
    *,
    retry: bool = c.flag(
        "--retry", "Send again what was refused, came back or was set aside, to the addresses that players have now."
    ),
    stay: bool = c.flag("--stay", "Do not end: run again as soon as the IMAP server reports a new mail."),
    how: OfficeOptions,
) -> None:
    """Read mails, judge them, answer, remind, act on deadlines that are over, send.

    Safe at any time: by hand, from a mail filter, from cron; a second run changes nothing.

    Example: referee mail run office
    referee mail run office saved/*.eml --only in
    """
    paths = mails or []
    if stay:
        others = {
            w("mails"): paths,
            "--only": only,
            "--retry": retry,
            "--now": how.now,
            "--dry-run": how.dry,
            "--json": how.json,
        }
        for other, given in others.items():
            c.chosen({"--stay": stay, other: given})
        return offices.keep_running(root, lambda: _run(root, [], None, False, how), c.say)
    return _run(root, paths, only, retry, how)


def _run(root: str, paths: list[str], only: str | None, retry: bool, how: OfficeOptions) -> None:
    moment = c.clock(how.now)
    if only == "out":
        c.chosen({"--only out": only, w("mails"): paths})
        return _send(root, how, retry)
    taken = offices.receive(root, paths, moment, c.say, dry=how.dry)
    if only == "in":
        c.chosen({"--only in": only, "--retry": retry})
        return _report_intake(root, taken, how)
    try:
        whole, named = taken.trouble is None, bool(paths)
        done = offices.run_office(
            root,
            c.load_key,
            lambda: c.clock(how.now),
            c.say,
            whole=whole,
            named=named,
            dry=how.dry,
            retry=retry,
            sure=how.now is not None,
        )
        return _conclude(taken, done, how)
    except RefereeError as error:
        if paths != ["-"]:
            raise
        # The mail is kept: whoever brought it must not think that it is lost.
        c.say(f"referee: {error.message}")
        return c.say(w("Next: {next}; the mail itself is kept, and the next run continues from here.", next=error.next))


def _report_intake(root: str, found: "offices.Intake", how: OfficeOptions) -> None:
    if how.json:
        c.report(found.data())
    c.say(w("{mails} taken in, {known} known already.", mails=offices.mails(found.new), known=found.known))
    if found.trouble:
        raise found.trouble
    c.next_step(w("Next: {next}.", next=run("mail", "run", root)), how.dry)


def _send(root: str, how: OfficeOptions, retry: bool) -> None:
    from referee.mail.delivery import send_again
    from referee.mail.run import Sent, send_all

    with offices.opened(root, c.load_key) as office:
        if retry and not how.dry:
            send_again(office)
            office.save()
        sent = Sent() if how.dry else send_all(office, c.say, lambda: c.clock(how.now))
        waiting = office.names("outbox")
    if how.json:
        c.report({"sent": sent.sent, "failed": sent.failed, "outbox": waiting})
    c.say(w("{mails} sent, {waiting} in outbox/.", mails=offices.mails(sent.sent), waiting=len(waiting)))
    if sent.trouble:
        raise sent.trouble
    send_next(office, how)


def _conclude(taken: "offices.Intake", done: "offices.Ran", how: OfficeOptions) -> None:
    if how.json:
        c.report(done.data(taken))
    c.print_and_note((), done.lines(taken, dry=how.dry))
    for trouble in filter(None, (taken.trouble, done.sent.trouble)) if not how.dry else ():
        raise trouble  # nothing is wrong with a single game: the mail servers do not let this office work
    for trouble in done.troubles if not how.dry else ():
        if offices.is_of_one_table(trouble):
            trouble.exit = offices.NEEDS_HOST
        raise trouble
    c.next_step(done.next(), how.dry)


def mail_status(
    root: OfficeArgument,
    test: bool = c.flag("--test", "Check the settings instead: connect, log in, say what is wrong."),
    send: bool = c.flag("--send", "With --test: also send a mail, to the office itself."),
    now: c.NowOption = None,
    json: c.JsonOption = False,
) -> None:
    """Where every table stands: who must answer, what is due, who is away, what waits to be sent.

    Example: referee mail status office
    referee mail status office --test
    """
    c.refuse_without({"--send": send}, "--test", test)
    if test:
        return _test(root, send, json)
    with offices.opened(root, c.load_key) as office:
        found = status.status_of(office, c.clock(now))
    if json:
        return c.report(found)
    advice = w("Next: {command} brings everything up to date.", command=run("mail", "run", root))
    return c.print_and_note(map(clean, status.status_lines(found, root)), [advice])


def _test(root: str, send: bool, json: bool) -> None:
    found = offices.tested(root, send=send)
    if json:
        c.report({"good": all(one.good for one in found), "tried": found})
    c.print_and_note((), (f"{w('ok') if one.good else w('BAD')}: {clean(str(one.what))}" for one in found))
    bad = [w("Next: {next}", next=clean(str(one.next))) for one in found if not one.good]
    c.conclude(*((bad[0], MailTrouble.exit) if bad else (w("Next: {next}.", next=run("mail", "run", root)), 0)))


# --- tables -----------------------------------------------------------------------------------------------------------


def invite(
    root: str, make: "Callable[[keys.Key], envelope.Envelope]", to: list[str], by_hand: bool, how: OfficeOptions
) -> None:
    """Open a table, and invite to it."""
    with changing(root, how) as (office, now):
        desk, players = offices.open_table(office, make(office.key), to, "by-hand" if by_hand else "when-full", now)
        c.say(shown.terms_in_words(desk.terms))
        offices.settle(office, desk, now)
    if how.json:
        c.report({"table": desk.name, "offer": desk.offer_id, "players": players})
    if how.dry:
        return c.next_step("", dry=True)
    c.say(w("Table {table}: {n} invitations are in outbox/.", table=desk.name, n=len(players)))
    send = offices.how_to_send(office)
    return c.say(w("Next: {send}; players answer with `join as NAME`, or with a signed join.", send=send))


class TableOptions(NamedTuple):
    """What to do at a table."""

    start: bool = c.flag("--start", "Start the game: all players have joined.")
    drop: str | None = c.option(
        "--drop",
        "NAME",
        "Go on without somebody who never joins, never agrees (the others are invited to a new table), or whom no mail "
        "reaches.",
    )
    to: str | None = c.option("--to", "ADDRESS", "With --drop: whom to invite instead.")
    extend: str | None = c.option("--extend", "NAME", "Give this player more time in the open round.")
    until: c.UntilOption = None
    by: c.ByOption = None
    resign: str | None = c.option(
        "--resign", "NAME", "Resign for a player whose key is kept here and who asked for it."
    )
    abandon: bool = c.flag("--abandon", "End a game that cannot go on, without a result: nobody is blamed.")
    ruling: c.RulingOption = None

    def chosen(self) -> str:
        """The one option that says what to do; the others must belong to it."""
        acts = {"--start": self.start, "--drop": self.drop, "--extend": self.extend, "--resign": self.resign,
                "--abandon": self.abandon, "--ruling": self.ruling}  # fmt: skip
        c.refuse_without({"--to": self.to}, "--drop", self.drop)
        c.refuse_without({"--until": self.until, "--by": self.by}, "--extend", self.extend)
        if not (found := c.chosen(acts)):
            raise Usage(t("say what to do at this table"), t("give one of {options}", options=listed(acts)))
        return found


def mail_table(
    root: OfficeArgument,
    table: str | None = c.argument("[TABLE]", "The table; the first characters are enough.", default=None),
    *,
    act: TableOptions,
    yes: c.YesOption = False,
    how: OfficeOptions,
) -> None:
    """Decide something at a table: start it, drop or replace a player, give more time, end the game, apply a ruling.

    A player is named by name, address or number.

    Example: referee mail table office be4f --extend Anna --by 3d
    referee mail table office be4f --drop Bert --to carla@example.org
    """
    act.chosen()
    if act.ruling is not None:
        return _take_ruling(root, act.ruling, how)
    if table is None:
        raise Usage(t("say which table"), t("name it; {run} lists them", run=run("mail", "status", root)))
    more = {}
    with changing(root, how) as (office, now):
        if act.drop is not None:
            message, more["table"] = offices.drop(office, table, act.drop, act.to, now)
        elif act.extend is not None:
            message, more["until"] = offices.extend(
                office, table, act.extend, lambda match, seat: running.new_due(match, seat, act.until, act.by, now), now
            )
        elif act.resign is not None:
            message = offices.resign(office, table, act.resign, now)
        elif act.abandon:
            message = offices.abandon(office, table, (lambda: None) if yes or how.dry else c.confirm_abandon, now)
        else:
            message = offices.start_game(office, table, now)
    if how.json:
        c.report({"told": [message], **more})
    c.say(clean(str(message)))
    return send_next(office, how)


def _take_ruling(root: str, path: str, how: OfficeOptions) -> None:
    """Apply an arbiter's ruling on a game, if its offer names that arbiter: players get it, `status` shows it."""
    data = documents.read_document(path, "ruling")
    with changing(root, how) as (office, now):
        desk = hosting.take_ruling(office, data, now)
    found = hosting.ruled(desk.note)
    if how.json:
        c.report({"table": desk.name, "rulings": found})
    c.say(f"{desk.name}: {hosting.ruled_in_words(found)}")
    send_next(office, how)
