"""Taking over a seat, and coming back to one."""

import os
from typing import Annotated, Any

import typer

from referee.cli import complete, t
from referee.cli.common import (
    DryOption,
    KeyOption,
    SignedOption,
    YesOption,
    at_terminal,
    command,
    confirm,
    load_key,
    read_mailed,
    say,
    sent,
    write_new,
)
from referee.cli.lobby import NameOption
from referee.cli.look import open_view
from referee.cli.parcel import parcel_for
from referee.cli.values import placeholder
from referee.errors import Usage, WrongTurn
from referee.show.text import clean


def succeed(
    view: Annotated[
        str,
        typer.Argument(
            metavar="VIEW",
            help="The newest public view of the game, or the saved mail that brought it.",
            autocompletion=complete.files("view", mail=True),
        ),
    ],
    seat: Annotated[
        str | None,
        typer.Option("--seat", metavar="NAME", help="Whose seat, by name or number; needed if there are several."),
    ] = None,
    output: SignedOption = None,
    name: NameOption = None,
    yes: YesOption = False,
    dry: DryOption = False,
    key: KeyOption = None,
) -> None:
    """Take over a vacant seat: check the game so far, read its terms, then sign that you play on."""
    from referee.engine.player import succeed as sign_succession
    from referee.io.desk import find_seat
    from referee.io.names import choose_name, refuse_alike
    from referee.show.documents import terms_in_words

    data, mail = read_mailed(view, "view")
    opened, _ = open_view(view, data)
    table, moment = opened.table, opened.chain.moment
    mine = load_key(key)
    wanted = name if name is not None else mine.name
    if not wanted:
        raise Usage("your key has no name", "say who you are with --name", code="no-name")
    vacant = [one.seat for one in moment.state.vacant if table.offer.takeovers]
    if seat is None and len(vacant) != 1:
        there = ", ".join(clean(table.names[one]) for one in vacant)
        if not vacant:
            advice = "`referee show VIEW` tells which seats can be taken over"
            raise WrongTurn("no seat of this game is vacant", advice, code="not-vacant")
        raise Usage("say which seat you take over", f"name one of these with --seat: {there}")
    number = vacant[0] if seat is None else find_seat(table.names, seat)
    refuse_alike([*table.names, choose_name(wanted)])
    signed = sign_succession(mine, table, moment, number, choose_name(wanted), os.urandom(32))
    say(terms_in_words(table.offer))
    holder = clean(table.names[number])
    if at_terminal() and not (yes or dry) and not confirm(t("Take over {name}'s seat?", name=holder)):
        say(t("Nothing was signed."))
        raise typer.Exit(130)
    _write(opened, mail, output, number, "succession", signed, dry)


def come_back(
    view: Annotated[
        str,
        typer.Argument(
            metavar="VIEW",
            help="Your newest view, or the saved mail that brought it.",
            autocompletion=complete.files("view", mail=True),
        ),
    ],
    output: SignedOption = None,
    dry: DryOption = False,
    key: KeyOption = None,
) -> None:
    """Come back to a game whose deadlines you missed: you are asked again from the next round on."""
    from referee.engine.player import come_back as sign_return

    data, mail = read_mailed(view, "view")
    opened, _ = open_view(view, data)
    signed = sign_return(load_key(key), opened)
    _write(opened, mail, output, opened.seat, "return", signed, dry)


def _write(opened: Any, mail: Any, output: str | None, seat: int, kind: str, signed: bytes, dry: bool) -> None:
    from referee.io.files import file_name

    table = opened.table
    place = parcel_for(mail, output, file_name(table.id, opened.round + 1, seat, table.names, kind))
    words = (
        t("I take over a seat: my signed word to the host.")
        if kind == "succession"
        else t("I come back: my signed word to the host.")
    )
    write_new(place.path, signed, dry=dry, beside=place.files(kind, signed, words))
    if dry:
        say(t("Next: run it again without --dry-run."))
        return
    say(place.next())
    apply = command("apply", placeholder("GAME.json"), sent(place.path, "FILE"))
    say(t("The host takes it with {command}; then wait for your view.", command=apply))


def arriving(match: Any, seat: int, holder: str) -> str:
    """Who takes this seat, or comes back to it, and when."""
    import msgspec

    from referee.engine.records import Succession
    from referee.engine.seats import arrival

    waiting = match.arrivals.get(seat)
    if waiting is None:
        return t("{name} has the seat now, and answers from the next round on", name=holder)
    if arrival(waiting)[1]:
        return t("{name} comes back when this round is closed", name=holder)
    new = clean(msgspec.json.decode(waiting.body, type=Succession).name)
    return t("{name} takes over {holder}'s seat with the first round that may have it", name=new, holder=holder)
