"""The tables of an office: `referee mail offer`, `start`, `drop`, `resign`, `abandon`; and what all commands of `mail`
share."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from referee.cli import w
from referee.cli.common import (
    ArbiterOption,
    BankOption,
    ByOption,
    ChoiceOption,
    DeadlineOption,
    DryOption,
    EditionOption,
    GameName,
    GraceOption,
    JsonOption,
    NoDeadlineOption,
    NowOption,
    RulingArgument,
    SeatsOption,
    UntilOption,
    YesOption,
    clock,
    load_key,
    read_document,
    say,
)
from referee.cli.reports import report
from referee.language import Text, run
from referee.show.text import clean

if TYPE_CHECKING:
    from datetime import datetime

    from referee.mail.office import Office

OfficeArgument = Annotated[str, typer.Argument(metavar="DIR", help="The office's folder.")]
TableArgument = Annotated[str, typer.Argument(metavar="TABLE", help="The table; the first characters are enough.")]
WhoArgument = Annotated[str, typer.Argument(metavar="NAME", help="The player: name, address or number.")]


class How(NamedTuple):
    """How a command changes an office."""

    now: NowOption = None
    dry: DryOption = False
    json: JsonOption = False


@contextmanager
def changing(root: str, how: How) -> "Iterator[tuple[Office, datetime]]":
    """The office, held for a command that changes it, and the time: all of it is saved, or nothing."""
    from referee.library import offices

    moment = clock(how.now)
    with offices.opened(root, load_key, save=not how.dry) as office:
        yield office, moment


def tell(office: "Office", how: How, line: Text, **more: str) -> None:
    """What a command did, and what comes next."""
    if how.json:
        report({"told": [line], **more})
    say(clean(str(line)))
    send_next(office, how)


def send_next(office: "Office", how: How) -> None:
    """What comes next where mails lie in outbox/."""
    say(w("Next: run it again without --dry-run.") if how.dry else w("Next: {next}.", next=how_to_send(office)))


def how_to_send(office: "Office") -> str:
    """What the host does with what lies in outbox/."""
    from referee.io.files import printable

    if office.settings.send.kind == "files":
        folder = printable(os.path.join(office.root, "outbox"))
        return w("send the mails in {folder}, and move them to sent/", folder=folder)
    return w("{command} sends them", command=run("mail", "out", office.root))


def offer(
    root: OfficeArgument,
    game: GameName,
    seats: SeatsOption,
    to: Annotated[list[str], typer.Option("--to", metavar="ADDRESS", help="Whom to invite, once each, in seat order.")],
    option: ChoiceOption = None,
    edition: EditionOption = None,
    deadline: DeadlineOption = None,
    no_deadline: NoDeadlineOption = False,
    grace: GraceOption = None,
    bank: BankOption = None,
    arbiter: ArbiterOption = None,
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
        say(terms_in_words(desk.terms))
        offices.settle(office, desk, now)
    if how.json:
        report({"table": desk.name, "offer": desk.offer_id, "players": players})
    if how.dry:
        say(w("Next: run it again without --dry-run."))
        return
    say(w("Table {table}: {n} invitations are in outbox/.", table=desk.name, n=len(players)))
    say(w("Next: {send}; players answer with `join as NAME`, or with a signed join.", send=how_to_send(office)))


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
    to: Annotated[str | None, typer.Option("--to", metavar="ADDRESS", help="Whom to invite instead.")] = None,
    *,
    how: How,
) -> None:
    """Go on without somebody who never joins, or never agrees to the game: the others are invited, and a substitute."""
    from referee.library import offices

    with changing(root, how) as (office, now):
        told, new = offices.drop(office, table, who, to, now)
    tell(office, how, told, table=new)


def amend(root: OfficeArgument, path: RulingArgument, *, how: How) -> None:
    """Take an arbiter's ruling on a game, if its offer names that arbiter: players get it, `status` tells it."""
    from referee.mail.rulings import ruled, ruled_in_words, take_ruling

    data = read_document(path, "ruling")
    with changing(root, how) as (office, now):
        desk = take_ruling(office, data, now)
    found = ruled(desk.note)
    if how.json:
        report({"table": desk.name, "rulings": found})
    say(f"{desk.name}: {ruled_in_words(found)}")
    send_next(office, how)


def resign(root: OfficeArgument, table: TableArgument, who: WhoArgument, *, how: How) -> None:
    """Let a player leave whose key is kept here, and who said so elsewhere."""
    from referee.library import offices

    with changing(root, how) as (office, now):
        told = offices.resign(office, table, who, now)
    tell(office, how, told)


def abandon(root: OfficeArgument, table: TableArgument, yes: YesOption = False, *, how: How) -> None:
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
    until: UntilOption = None,
    by: ByOption = None,
    *,
    how: How,
) -> None:
    """Give a player more time in the open round, in writing; the player gets it by mail."""
    from referee.library import offices
    from referee.library.running import new_due

    with changing(root, how) as (office, now):
        told, given = offices.extend(office, table, who, lambda match, seat: new_due(match, seat, until, by, now), now)
    tell(office, how, told, until=given)
