"""Tournaments of bots that a stranger can re-check: `referee tournament ...`."""

import os
from typing import Annotated, Any

import typer

from referee.cli import organise, t, w
from referee.cli.common import DryOption, JsonOption, YesOption, at_terminal, confirm, out, say, sentence
from referee.cli.organise import DRY, FolderArgument, KeyOption, SeedOption, UnconfinedOption, open_stage, opened
from referee.cli.progress import Bar
from referee.cli.reports import report
from referee.errors import CheckFailed, FileTrouble, Usage
from referee.language import run, spoken

JobsOption = Annotated[int, typer.Option("--jobs", min=1, help="Processes to use.")]
DaskOption = Annotated[
    str | None,
    typer.Option("--dask", metavar="ADDRESS", help="A dask scheduler to use instead, as tcp://host:8786."),
]
DecideOption = Annotated[
    int,
    typer.Option(
        "--until-decided",
        metavar="POINTS",
        min=0,
        max=1000,
        help="Stop once it is decided, for every two bots, who is stronger by so many points or that neither is.",
    ),
]
FolderOption = Annotated[str, typer.Option("-o", metavar="DIR", help="The folder of the tournament.")]


def run_(
    spec: Annotated[
        str | None, typer.Argument(metavar="[SPEC.toml]", help="Games, bots, schedule; only to begin with.")
    ] = None,
    folder: FolderOption = "tournament",
    jobs: JobsOption = 1,
    dask: DaskOption = None,
    key: KeyOption = None,
    seed: SeedOption = None,
    decide: DecideOption = 0,
    unconfined: UnconfinedOption = False,
    dry: DryOption = False,
    json: JsonOption = False,
) -> None:
    """Play a tournament, or go on with it: commits, enters the bots, closes, draws, plays, and writes the report."""
    from referee.tournament.run import refuse_unready

    with opened(folder, key, seed, dry=dry, begin=spec is not None) as desk:
        if spec is not None:
            open_stage(desk, spec, seed, key=key, decide=decide)
        if desk.part.closing is None:
            desk.close()
        refuse_unready(desk, unconfined)
        if desk.part.start is None:
            desk.start(unconfined=unconfined)
        _play(desk, jobs, dask, unconfined, json)


def add(
    spec: Annotated[str, typer.Argument(metavar="SPEC.toml", help="Games, bots and schedule of the new stage.")],
    folder: FolderOption = "tournament",
    jobs: JobsOption = 1,
    dask: DaskOption = None,
    key: KeyOption = None,
    seed: SeedOption = None,
    decide: DecideOption = 0,
    unconfined: UnconfinedOption = False,
    dry: DryOption = False,
    json: JsonOption = False,
) -> None:
    """More games, or more bots: a new stage, with a secret of its own, bound to the end of the last one. Run again with
    the same SPEC it goes on; the same games once more need another name."""
    from referee.tournament.run import refuse_unready

    with opened(folder, key, seed, dry=dry) as desk:
        open_stage(desk, spec, seed, key=key, further=True, decide=decide)
        if desk.part.closing is None:
            desk.close()
        refuse_unready(desk, unconfined)
        if desk.part.start is None:
            desk.start(unconfined=unconfined)
        _play(desk, jobs, dask, unconfined, json)


def _play(desk: Any, jobs: int, dask: str | None, unconfined: bool, json: bool) -> None:
    from referee.bots import confine
    from referee.tournament.ledger import commitment
    from referee.tournament.results import report_name, write_results
    from referee.tournament.run import play_stage
    from referee.tournament.spec import count_games
    from referee.tournament.work import hire

    part = desk.part
    names = [one.name for _, one in part.players]
    total = count_games(part.stage.schedule, [one.seats for one in part.stage.games], names)
    if desk.dry:
        if json:
            report({"games": total, "bots": names})
        told = w("{most} games at most, by {n} bots: {names}.", most=total, n=len(names), names=", ".join(names))
        say(f"{told} {DRY}")
        return
    workers = hire(jobs, dask)
    try:
        with Bar(total, names) as bar:
            course = play_stage(desk, workers, bar.tell, unconfined=unconfined)
    finally:
        workers.close()
    found = write_results(desk.folder, desk.ledger)
    if json:
        report({"games": course.done, "commitment": commitment(desk.ledger), "standings": found})
        return
    for line in found:
        out(line)
    if any(one.bot.program or ":" in one.bot.run[0] for _, one in part.players):
        for note in confine.told(not unconfined):
            say(sentence(note))
    say(w("Keep this line, and give it to everybody who plays:\n{line}", line=commitment(desk.ledger)))
    made = os.path.join(desk.folder, report_name(spoken()))
    say(w("Next: look at {file}; anybody can check it with {command}.", file=made,
          command=run("tournament", "check", desk.folder)))  # fmt: skip


def check(
    folder: FolderArgument,
    commit: Annotated[
        str | None, typer.Option("--commit", metavar="LINE", help="The line that you kept: it must be this tournament.")
    ] = None,
    jobs: JobsOption = 1,
    dask: DaskOption = None,
    again: Annotated[
        int,
        typer.Option("--again", metavar="N", min=0, help="Play N games of deterministic bots again: this runs them."),
    ] = 0,
    yes: YesOption = False,
    json: JsonOption = False,
) -> None:
    """Rebuild everything from the files alone: documents, tables, games, standings; name what differs. Nothing that
    the files name is run, unless you ask for it with --again."""
    from referee.tournament.check import Check, ready
    from referee.tournament.ledger import promised
    from referee.tournament.stage import load
    from referee.tournament.work import hire

    kept = () if commit is None else promised(commit)
    ledger = load(folder)
    found = ready(ledger) if again else None
    if found and found.commands:
        _agree(found.commands, yes)
    workers = hire(jobs, dask)
    try:
        one = Check(folder, ledger, workers)
        one.promise(kept)
        if found:
            one.play_again(again, found)
        total = sum(part.ending.games for part in ledger.parts if part.ending)
        with Bar(total, ()) as bar:
            one.stages(bar.count)
    finally:
        workers.close()
    one.results()
    _conclude(one.found, json, commit is not None)


def _agree(commands: tuple[str, ...], yes: bool) -> None:
    """Bots that strangers made run only if whoever checks wants that, and only in a sandbox."""
    from referee.bots.confine import walls

    say(w("To play games again, this runs, in a sandbox:"))
    for line in commands:
        say(f"  {line}")
    if not yes and not at_terminal():
        why = t("to play games again runs programs that others chose")
        raise Usage(why, t("look at them and add --yes, or leave out --again: then nothing runs"), code="runs-programs")
    try:
        walls()
    except Usage as error:
        advice = t("install bubblewrap 0.8 or later, or leave out --again: then nothing runs")
        raise Usage(error.message, advice, code=error.code) from None
    if not yes and not confirm(w("Run them?"), default=False):
        say(w("Nothing was changed."))
        raise typer.Exit(130)


def _conclude(found: Any, json: bool, held: bool) -> None:
    if json:
        report(found)
    else:
        for one in found.differs:
            out(w("BAD {what} [{code}]", what=one.message, code=one.code))
        for note in found.notes:
            out(w("note: {note}", note=note))
        out(w("{games} games checked, {again} played again, {n} things differ", games=found.games, again=found.again,
              n=len(found.differs)))  # fmt: skip
    if found.differs:
        say(w("Next: keep the folder, and ask the organiser; what differs was changed after it was signed or played."))
        raise typer.Exit(CheckFailed.exit)
    if not found.ended:
        say(w("Next: check it again when it is over."))
    elif not held:
        say(w("Next: compare it with the line that you kept: --commit LINE."))
    else:
        say(w("Next: nothing; this is the tournament that you were promised."))


def extract(
    folder: FolderArgument,
    numbers: Annotated[
        list[int] | None,
        typer.Argument(metavar="NUMBER...", help="Numbers of games. With --pages, default: those in the report."),
    ] = None,
    pages: Annotated[
        bool, typer.Option("--pages", help="Pages for a browser, where the report links to them: DIR/pages.")
    ] = False,
    output: Annotated[
        str | None, typer.Option("-o", metavar="DIR", help="Where to write transcripts. Default: here.")
    ] = None,
    dry: DryOption = False,
) -> None:
    """Write transcripts of single games, for `referee verify`, `show` and `picture`; or pages of games."""
    from referee.io import files
    from referee.tournament import results, stage, store

    if not numbers and not pages:
        raise Usage(
            t("this needs numbers of games, or --pages"), t("the numbers stand in games.jsonl and in the report")
        )
    if pages and output is not None:
        raise Usage(t("pages lie in the folder of the report, which links to them"), t("leave out -o"))
    wanted = set(numbers or [])
    listed = store.lines(folder) if wanted else results.listed_games(folder, stage.load(folder))
    found = [kept for kept in listed if not wanted or kept.outcome.number in wanted]
    if len(found) < len(wanted):
        why = t("{wanted} of these games are not in that tournament", wanted=len(wanted) - len(found))
        raise Usage(why, t("the numbers stand in games.jsonl and in the report"), code="no-game")
    written = _write_pages(folder, found, dry) if pages else _write_transcripts(folder, found, output or ".", dry)
    for path in written:
        out(files.printable(path))
    if dry:
        say(DRY)
    elif pages:
        say(w("Next: open {file}, whose numbers of games lead to them.",
              file=files.printable(os.path.join(folder, results.report_name(spoken())))))  # fmt: skip
    else:
        say(w("Next: {next}", next=run("verify", *written[:1])))


def _write_transcripts(folder: str, found: list[Any], output: str, dry: bool) -> list[str]:
    from referee.io import files
    from referee.tournament import store

    paths = [os.path.join(output, f"game-{kept.outcome.number:06}.transcript.json") for kept in found]
    for path in paths:
        if files.exists(path):
            raise FileTrouble(
                t("{path} exists already", path=files.printable(path)), t("choose another folder"), code="exists"
            )
    for path, kept in zip(paths, found, strict=True):
        data = store.transcript(folder, kept)
        if not dry:
            files.make_folder(output)
            files.write({path: data})
    return paths


def _write_pages(folder: str, found: list[Any], dry: bool) -> list[str]:
    """One after the other: a page is larger than its game."""
    from referee.evidence.replay import open_transcript
    from referee.io import files
    from referee.page.reading import page_of, reading_of_transcript
    from referee.tournament import store
    from referee.tournament.report import page_name

    paths = [os.path.join(folder, page_name(kept.outcome.number)) for kept in found]
    for place in {os.path.dirname(path) for path in paths}:
        if os.path.islink(place):  # a stranger's folder could lead anywhere
            raise FileTrouble(
                t("{place} is a link", place=files.printable(place)), t("remove it: pages are written below the folder")
            )
    with Bar(len(found), ()) as bar:
        for done, (path, kept) in enumerate(zip(paths, found, strict=True), 1):
            if not dry:
                files.make_folder(os.path.dirname(path))
                data = store.transcript(folder, kept)
                files.write({path: page_of(reading_of_transcript(data, open_transcript(data)))})
            bar.count(done)
    return paths


app = typer.Typer(help="Tournaments of bots that a stranger can re-check.", no_args_is_help=True, rich_markup_mode=None)
for _name, _function in (
    ("run", run_), ("commit", organise.commit), ("enter", organise.enter), ("close", organise.close),
    ("disclose", organise.disclose), ("start", organise.start), ("add", add), ("withdraw", organise.withdraw),
    ("amend", organise.amend),
    ("check", check), ("extract", extract),
):  # fmt: skip
    app.command(_name)(_function)
