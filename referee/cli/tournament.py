"""Tournaments of bots that a stranger can re-check: `referee tournament ...`."""

import os
from typing import Annotated, NamedTuple

import typer

from referee.bots import confine
from referee.cli import common as c
from referee.cli import t, w
from referee.cli.organise import (
    DRY,
    FolderArgument,
    KeyOption,
    SeedOption,
    UnconfinedOption,
    opened,
    tournament_enter,
    tournament_next,
)
from referee.cli.progress import Bar
from referee.errors import CheckFailed, Usage
from referee.io import files
from referee.language import run, spoken
from referee.library import tournaments
from referee.library.values import placeholder
from referee.tournament import check, results, stage

__all__ = ["tournament_check", "tournament_enter", "tournament_extract", "tournament_next", "tournament_run"]


DaskOption = Annotated[
    str | None, c.option("--dask", "ADDRESS", "A dask scheduler to use instead, as tcp://host:8786.", default=...)
]


class How(NamedTuple):
    """How a tournament is played."""

    folder: str = c.option("-o", "DIR", "The folder of the tournament.", default="tournament")
    jobs: c.JobsOption = 1
    dask: DaskOption = None
    key: KeyOption = None
    seed: SeedOption = None
    decide: int = c.option(
        "--until-decided",
        "POINTS",
        "Stop once it is decided, for each pair of bots, which is stronger by this many points, or neither is.",
        default=0,
        min=0,
        max=1000,
    )
    unconfined: UnconfinedOption = False
    dry: c.DryOption = False
    json: c.JsonOption = False


def tournament_run(
    spec: str | None = c.argument("[SPEC.toml]", "Games, bots, schedule; only to begin with.", default=None),
    add: bool = c.flag(
        "--add",
        "Add a stage to a tournament that is over: more games, or more bots. The same games "
        "once more need another name.",
    ),
    *,
    how: How,
) -> None:
    """Play a tournament, or go on with it: commit, enter the bots, close, draw, play, and write the report.

    Example: referee tournament run cup.toml -o cup --jobs 4
    referee tournament run more.toml --add -o cup
    """
    c.refuse_without({"--add": add}, placeholder("SPEC.toml"), spec is not None)
    with opened(how.folder, how.key, how.seed, dry=how.dry, begin=spec is not None and not add) as desk:
        if spec is not None:
            tournaments.open_stage(desk, spec, how.seed, key=how.key, further=add, decide=how.decide)
        _play(desk, how)


def _play(desk: "stage.Desk", how: How) -> None:
    from referee.tournament.spec import count_games

    tournaments.make_ready(desk, how.unconfined)
    part = desk.part
    names = [one.name for _, one in part.players]
    total = count_games(part.stage.schedule, [one.seats for one in part.stage.games], names)
    if desk.dry:
        if how.json:
            c.report({"games": total, "bots": names})
        told = w("{most} games at most, by {n} bots: {names}.", most=total, n=len(names), names=", ".join(names))
        c.say(f"{told} {DRY}")
        return
    with Bar(total, names) as bar:
        done = tournaments.play(desk, how.jobs, how.dask, bar.tell, unconfined=how.unconfined)
    if how.json:
        c.report(done)
        return
    for line in done.standings:
        c.out(line)
    if any(one.bot.program or ":" in one.bot.run[0] for _, one in part.players):
        for note in confine.told(not how.unconfined):
            c.say(c.sentence(note))
    c.say(w("Keep this line, and give it to everybody who plays:\n{line}", line=done.commitment))
    made = os.path.join(desk.folder, results.report_name(spoken()))
    c.say(w("Next: look at {file}; anybody can check it with {command}.", file=made,
            command=run("tournament", "check", desk.folder)))  # fmt: skip


def tournament_check(
    folder: FolderArgument,
    commit: str | None = c.option("--commit", "LINE", "The line that you kept: it must be this tournament."),
    line: bool = c.flag("--line", "Print the line that everybody should keep, and check nothing."),
    jobs: c.JobsOption = 1,
    dask: DaskOption = None,
    again: int = c.option(
        "--again", "N", "Play N games of deterministic bots again: this runs them.", default=0, min=0
    ),
    yes: c.YesOption = False,
    json: c.JsonOption = False,
) -> None:
    """Check a tournament: rebuild documents, tables, games and standings from the files alone; name what differs.

    Nothing that the files name is run, unless you ask for it with --again.

    Example: referee tournament check cup --commit "$(cat promise)"
    """
    from referee.tournament.ledger import commitment, promised

    if line:
        return c.tell([commitment(stage.load(folder))], [w("Next: keep this line; --commit LINE compares.")])
    kept = () if commit is None else promised(commit)
    ledger = stage.load(folder)
    found = check.ready(ledger) if again else None
    if found and found.commands:
        _agree(found.commands, yes)
    games = sum(part.ending.games for part in ledger.parts if part.ending)
    with tournaments.hired(jobs, dask) as workers, Bar(games, ()) as bar:
        one = check.Check(folder, ledger, workers)
        one.promise(kept)
        if found:
            one.play_again(again, found)
        one.stages(bar.count)
    one.results()
    return _conclude(one.found, json, commit is not None)


def _agree(commands: tuple[str, ...], yes: bool) -> None:
    """Bots that strangers made run only if whoever checks wants that, and only in a sandbox."""
    c.say(w("To play games again, this runs, in a sandbox:"))
    for line in commands:
        c.say(f"  {line}")
    if not yes and not c.at_terminal():
        why = t("to play games again runs programs that others chose")
        raise Usage(why, t("look at them and add --yes, or leave out --again: then nothing runs"), code="runs-programs")
    try:
        confine.walls()
    except Usage as error:
        advice = t("install bubblewrap 0.8 or later, or leave out --again: then nothing runs")
        raise Usage(error.message, advice, code=error.code) from None
    if not yes and not c.confirm(w("Run them?"), default=False):
        c.say(w("Nothing was changed."))
        raise typer.Exit(130)


def _conclude(found: "check.Checked", json: bool, held: bool) -> None:
    if json:
        c.report(found)
    else:
        for one in found.differs:
            c.out(w("BAD {what} [{code}]", what=one.message, code=one.code))
        for note in found.notes:
            c.out(w("note: {note}", note=note))
        c.out(w("{games} games checked, {again} played again, {n} things differ", games=found.games, again=found.again,
                n=len(found.differs)))  # fmt: skip
    if found.differs:
        c.say(
            w("Next: keep the folder, and ask the organiser; what differs was changed after it was signed or played.")
        )
        raise typer.Exit(CheckFailed.exit)
    if not found.ended:
        c.say(w("Next: check it again when it is over."))
    elif not held:
        c.say(w("Next: compare it with the line that you kept: --commit LINE."))
    else:
        c.say(w("Next: nothing; this is the tournament that you were promised."))


def tournament_extract(
    folder: FolderArgument,
    numbers: list[int] | None = c.argument(
        "NUMBER...", "Numbers of games. With --pages, default: those in the report.", default=None
    ),
    pages: bool = c.flag("--pages", "Pages for a browser, where the report links to them: DIR/pages."),
    output: str | None = c.option("-o", "DIR", "Where to write transcripts. Default: here."),
    dry: c.DryOption = False,
) -> None:
    """Write transcripts of single games, for `referee verify` and `referee show`; or pages of games.

    Example: referee tournament extract cup 17 18
    """
    if not numbers and not pages:
        raise Usage(
            t("this needs numbers of games, or --pages"), t("the numbers stand in games.jsonl and in the report")
        )
    if pages and output is not None:
        raise Usage(t("pages go into the folder of the report, which links to them"), t("leave out -o"))
    found = tournaments.find_games(folder, numbers or [])
    if pages:
        with Bar(len(found), ()) as bar:
            written = tournaments.write_pages(folder, found, dry, bar.count)
        report_file = files.printable(os.path.join(folder, results.report_name(spoken())))
        next_step = w("Next: open {file}, whose numbers of games lead to them.", file=report_file)
    else:
        written = tournaments.write_transcripts(folder, found, output or ".", dry)
        next_step = w("Next: {next}", next=run("verify", *written[:1]))
    for path in written:
        c.out(files.printable(path))
    c.say(DRY if dry else next_step)
