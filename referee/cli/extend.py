"""The command that gives one player more time, so that it binds: extend."""

import os
from datetime import datetime
from typing import Annotated, Any

import typer

from referee.cli import complete, t, w
from referee.cli.common import (
    DryOption,
    GameArgument,
    JsonOption,
    KeyOption,
    NowOption,
    clock,
    game_path,
    hints,
    load_key,
    say,
    sent,
    with_key,
)
from referee.cli.reports import report
from referee.errors import Usage
from referee.language import Time, run
from referee.show.text import clean

UntilOption = Annotated[
    str | None, typer.Option("--until", metavar="TIME", help="The new deadline: 2026-12-24T18:00Z.")
]
ByOption = Annotated[
    str | None, typer.Option("--by", metavar="SPAN", help="How much later than the deadline so far: 90m, 12h or 3d.")
]


def extend(
    game: GameArgument,
    seat: Annotated[
        str,
        typer.Argument(metavar="NAME", help="The player, by name or seat number.", autocompletion=complete.seats),
    ],
    until: UntilOption = None,
    by: ByOption = None,
    out: Annotated[
        str | None,
        typer.Option("--out", metavar="DIR", help="Folder for the extension. Default: beside the game file."),
    ] = None,
    now: NowOption = None,
    dry: DryOption = False,
    json: JsonOption = False,
    key: KeyOption = None,
) -> None:
    """Give a player more time in the open round, in writing: if you do not wait, the player can prove it.

    Of several extensions the latest counts; none can be taken back.
    """
    from referee.io import desk

    mine, moment = load_key(key), clock(now)
    match = desk.read_match(game_path(game), mine)
    number = desk.find_seat(match.table.names, seat)
    folder = out if out is not None else os.path.dirname(game)
    with hints(run("status", game, *with_key(key))):
        done = desk.extend_time(
            game, number, lambda match: new_due(match, number, until, by, moment), mine, folder, dry=dry
        )
    name, given = clean(match.table.names[number]), desk.due_at(done.match, number)
    if json:
        row = {"name": name, "seat": number + 1, "round": done.match.state.round + 1, "until": given}
        report(row | {"written": [] if dry else done.written})
    if dry:
        say(w("Next: run it again without --dry-run."))
        return
    say(w("{name} has time until {time} for round {round}.", name=name, time=Time(given),
          round=done.match.state.round + 1))  # fmt: skip
    say(w("Next: send {file} to {name}, who keeps it.", file=sent(done.written[0]), name=name))


def new_due(match: Any, seat: int, until: str | None, by: str | None, now: datetime) -> str:
    """The time that these options name: later than what was agreed so far, and than now."""
    from referee.io import desk
    from referee.io.times import after, read_span, read_time

    if (until is None) == (by is None):
        raise Usage(t("the new deadline is not clear"), t("give either --until or --by"))
    known = desk.due_at(match, seat)
    wanted = read_time(until) if until is not None else None
    new = after(wanted, 0) if wanted else after(read_time(known), read_span(by or "")) if known else known
    if known and new <= max(known, after(now, 0, up=False)):
        raise Usage(
            t("the time must be later than now and than {known}", known=Time(known)),
            t("give a later one: nobody gets less time"),
        )
    return new
