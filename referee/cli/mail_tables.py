"""The tables of an office: `referee mail offer`, `start`, `drop`, `resign`, `abandon`."""

import os
from typing import Annotated, Any

import typer

from referee.cli import t, w
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
    read_document,
    say,
)
from referee.cli.office import OfficeArgument, changing, how_to_send, settle, tell
from referee.cli.reports import report
from referee.errors import WrongTurn
from referee.language import Time, run

TableArgument = Annotated[str, typer.Argument(metavar="TABLE", help="The table; the first characters are enough.")]
WhoArgument = Annotated[str, typer.Argument(metavar="NAME", help="The player: name, address or number.")]


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
    now: NowOption = None,
    dry: DryOption = False,
    json: JsonOption = False,
) -> None:
    """Open a game and invite to it."""
    from referee.engine.lobby import make_offer
    from referee.library import tables
    from referee.mail import lobby
    from referee.mail.office_tables import Invitation
    from referee.show.documents import terms_in_words

    moment = clock(now)
    with changing(root, dry) as office:
        spans = tables.time_limits(deadline, grace, bank, never=no_deadline)
        terms = tables.terms_of(game, seats, option or [], edition)
        made = make_offer(office.key, *terms, *spans, arbiter=tables.arbiter_key(arbiter))
        players = [lobby.find_player(office, one) for one in to]
        desk = lobby.open_table(office, made, [Invitation(one) for one in players], start, moment)
        say(terms_in_words(desk.terms))
        settle(office, desk, moment)
    if json:
        report({"table": desk.name, "offer": desk.offer_id, "players": players})
    if dry:
        say(w("Next: run it again without --dry-run."))
        return
    say(w("Table {table}: {n} invitations are in outbox/.", table=desk.name, n=len(players)))
    say(w("Next: {send}; players answer with `join as NAME`, or with a signed join.", send=how_to_send(root, office)))


def start(
    root: OfficeArgument, table: TableArgument, now: NowOption = None, dry: DryOption = False, json: JsonOption = False
) -> None:
    """Start a game whose players have all joined."""
    from referee.mail import lobby

    moment = clock(now)
    with changing(root, dry) as office:
        desk = office.find_desk(table)
        if desk.note.game or desk.note.end:
            raise WrongTurn(
                t("this game has started already"),
                t("see {value}", value=run("mail", "status", root)),
                code="already-started",
            )
        lobby.start_game(desk, moment)
        settle(office, desk, moment)
    tell(root, office, dry, json, [t("{table}: the game has started", table=desk.name)])


def drop(
    root: OfficeArgument,
    table: TableArgument,
    who: WhoArgument,
    to: Annotated[str | None, typer.Option("--to", metavar="ADDRESS", help="Whom to invite instead.")] = None,
    now: NowOption = None,
    dry: DryOption = False,
    json: JsonOption = False,
) -> None:
    """Go on without somebody who never joins, or never agrees to the game: the others are invited, and a substitute."""
    from referee.mail import lobby

    moment = clock(now)
    with changing(root, dry) as office:
        desk = office.find_desk(table)
        substitute = lobby.find_player(office, to) if to is not None else ""
        new = lobby.drop(office, desk, lobby.find_invited(desk, who), substitute, os.urandom(32), moment)
        settle(office, desk, moment)
    if new is desk:
        instead = t("the invitation is withdrawn")
    else:
        instead = t("{table} is given up; everybody else is invited to {other}", table=desk.name, other=new.name)
    tell(root, office, dry, json, [instead], table=new.name)


def amend(
    root: OfficeArgument,
    path: RulingArgument,
    now: NowOption = None,
    dry: DryOption = False,
    json: JsonOption = False,
) -> None:
    """Take an arbiter's ruling on a game, if its offer names that arbiter: players get it, `status` tells it."""
    from referee.mail.rulings import ruled, ruled_in_words, take_ruling

    data, moment = read_document(path, "ruling"), clock(now)
    with changing(root, dry) as office:
        desk = take_ruling(office, data, moment)
    found = ruled(desk.note)
    if json:
        report({"table": desk.name, "rulings": found})
    say(f"{desk.name}: {ruled_in_words(found)}")
    say(w("Next: run it again without --dry-run.") if dry else w("Next: {next}.", next=how_to_send(root, office)))


def resign(
    root: OfficeArgument,
    table: TableArgument,
    who: WhoArgument,
    now: NowOption = None,
    dry: DryOption = False,
    json: JsonOption = False,
) -> None:
    """Let a player leave whose key is kept here, and who said so elsewhere."""
    from referee.mail import sayings
    from referee.mail.case import nobody

    moment = clock(now)
    with changing(root, dry) as office:
        desk, seat = _seat(root, office, table, who)
        if not desk.kept(seat):
            raise WrongTurn(
                t("this player has an own key: nobody else can sign for it"),
                (
                    t("wait: after two missed deadlines nobody is asked any more")
                    if desk.terms.deadline
                    else t("wait, or end the game with {value}", value=run("mail", "abandon", root, desk.name))
                ),
                code="own-key",
            )
        told = sayings.let_leave(nobody(office, moment), desk, seat)
        settle(office, desk, moment)
    tell(root, office, dry, json, [t("{name} is told: {line}", name=desk.names[seat], line=told)])


def abandon(
    root: OfficeArgument,
    table: TableArgument,
    yes: YesOption = False,
    now: NowOption = None,
    dry: DryOption = False,
    json: JsonOption = False,
) -> None:
    """End a game that cannot go on, without a result: everybody gets the transcript, which blames nobody."""
    from referee.cli.host import sure_to_abandon
    from referee.engine.host import reveal

    moment = clock(now)
    with changing(root, dry) as office:
        desk = office.find_desk(table)
        if not desk.runs:
            raise _idle()
        reveal(desk.match, abandon=True)
        if not (yes or dry):
            sure_to_abandon()
        settle(office, desk, moment)
    tell(root, office, dry, json, [t("{table}: the game is abandoned, without a result", table=desk.name)])


def extend(
    root: OfficeArgument,
    table: TableArgument,
    who: WhoArgument,
    until: UntilOption = None,
    by: ByOption = None,
    now: NowOption = None,
    dry: DryOption = False,
    json: JsonOption = False,
) -> None:
    """Give a player more time in the open round, in writing; the player gets it by mail."""
    from referee.library.running import new_due
    from referee.mail.extending import extend_time

    moment = clock(now)
    with changing(root, dry) as office:
        desk, seat = _seat(root, office, table, who)
        given = extend_time(desk, seat, new_due(desk.match, seat, until, by, moment), moment)
    told = t("{name} has time until {time}", name=desk.names[seat], time=Time(given))
    tell(root, office, dry, json, [told], until=given)


def _idle() -> WrongTurn:
    why = t("nobody plays here yet, or any more")
    return WrongTurn(why, t("see {value}", value=run("mail", "drop", "--help")), code="not-asked")


def _seat(root: str, office: Any, table: str, who: str) -> tuple[Any, int]:
    """A player of a game that runs."""
    from referee.mail import lobby

    desk = office.find_desk(table)
    number = lobby.find_invited(desk, who)
    if not desk.runs or number not in desk.joined or not desk.match.state.round:
        raise _idle()
    return desk, desk.joined.index(number)
