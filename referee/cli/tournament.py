"""Tournaments of bots that anybody can check: `referee tournament ...`."""

import os
from typing import Annotated, NamedTuple

import typer

from referee.bots import confine
from referee.cli import common as c
from referee.cli import t, w
from referee.crypto import codec
from referee.errors import Usage, WrongTurn
from referee.io import files
from referee.io.progress import Bar
from referee.language import current_language, run
from referee.library import documents, extracting, tournaments
from referee.library.values import placeholder
from referee.show import documents as shown
from referee.tournament import check, results, stage
from referee.tournament import documents as signed
from referee.tournament import entrants as entering
from referee.tournament import ledger as book

FolderArgument = Annotated[str, c.argument("DIR", "The folder of the tournament.")]
KeyOption = Annotated[
    str | None, c.option("--key", "FILE", "The organiser's key. Default: kept in REFEREE_HOME.", default=...)
]
SeedOption = Annotated[
    str | None,
    c.option(
        "--seed",
        "",
        "Any text: key and secret are derived from it. For trials only, because others can derive them too.",
        default=...,
    ),
]
UnconfinedOption = Annotated[
    bool, c.flag("--unconfined", "Run bots without the sandbox, with all your permissions.", ...)
]

DaskOption = Annotated[
    str | None, c.option("--dask", "ADDRESS", "A dask scheduler to use instead, as tcp://host:8786.", default=...)
]


class RunOptions(NamedTuple):
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
    spec: str | None = c.argument("[SPEC.toml]", "Games, bots and schedule; only for a new tournament.", default=None),
    add: bool = c.flag(
        "--add",
        "Add a stage to a tournament that is over: more games, or more bots. The same games "
        "once more need another name.",
    ),
    *,
    how: RunOptions,
) -> None:
    """Play a tournament, or continue it: commit, enter the bots, close, draw, play, and write the report.

    Example: referee tournament run cup.toml -o cup --jobs 4
    referee tournament run more.toml --add -o cup
    """
    c.refuse_without({"--add": add}, placeholder("SPEC.toml"), spec is not None)
    begin = spec is not None and not add
    with tournaments.opened(how.folder, how.key, c.load_key, how.seed, dry=how.dry, begin=begin) as desk:
        if spec is not None:
            tournaments.open_stage(desk, spec, how.seed, key=how.key, further=add, decide=how.decide)
        _play(desk, how)


def _play(desk: "stage.Desk", how: RunOptions) -> None:
    tournaments.make_ready(desk, how.unconfined)
    plan = tournaments.plan(desk)
    if desk.dry:
        if how.json:
            c.report(plan)
        return c.say(plan.line())
    with Bar(plan.games, plan.bots) as bar:
        done = tournaments.play(desk, how.jobs, how.dask, bar.tell, unconfined=how.unconfined)
    if how.json:
        return c.report(done)
    return c.print_and_note(done.standings, done.notes(desk, not how.unconfined))


# --- the steps, if bots of several people play ---------------------------------------------------------------------


def tournament_next(
    spec: str = c.argument("SPEC.toml|DIR", "What to begin; or a tournament to continue."),
    sent: list[str] | None = c.argument("[FILE...]", "What the entrants sent: entries, disclosures.", default=None),
    folder: str = c.option("-o", "DIR", "With SPEC.toml: the folder to make.", default="tournament"),
    incomplete: bool = c.flag("--incomplete", "Start without the bots whose disclosures are missing."),
    withdraw: str | None = c.option(
        "--withdraw", "NAME", "Withdraw this bot: none of its games count. Nothing is deleted."
    ),
    reason: str = c.option("--reason", "", "With --withdraw: why; everybody can read it.", default=""),
    ruling: c.RulingOption = None,
    key: KeyOption = None,
    seed: SeedOption = None,
    unconfined: UnconfinedOption = False,
    dry: c.DryOption = False,
) -> None:
    """Do the next step of a tournament with other people's bots: commit to a SPEC; close the entries; start. Then
    `tournament run` plays.

    Example: referee tournament next cup.toml -o cup
    referee tournament next cup *.entrant.json
    referee tournament next cup *.disclosure.json
    """
    c.chosen({"--withdraw": withdraw, "--ruling": ruling})
    c.refuse_without({"--reason": reason or None}, "--withdraw", withdraw is not None)
    if os.path.isfile(spec) or spec.endswith(".toml"):
        with tournaments.opened(folder, key, c.load_key, seed, dry=dry, begin=True) as desk:
            return c.print_and_note(*tournaments.commit(desk, spec, seed, key))
    decided = None
    if ruling is not None:
        decided = documents.read_document(ruling, "ruling")
        c.print_and_note((), shown.ruling_lines(decided))
    with tournaments.opened(spec, key, c.load_key, dry=dry) as desk:
        if decided is not None:
            return c.print_and_note(*tournaments.amend(desk, decided))
        if withdraw is not None:
            return c.print_and_note(*tournaments.withdraw(desk, withdraw, reason))
        if desk.part.closing is None:
            return c.print_and_note(*tournaments.close(desk, sent or []))
        if desk.part.start is None:
            started = tournaments.start(desk, sent or [], incomplete=incomplete, unconfined=unconfined)
            return c.print_and_note(*started)
    raise WrongTurn(
        t("this tournament has started"), t("play it with {run}", run=run("tournament", "run", "-o", spec)),
        code="started",
    )  # fmt: skip


def tournament_enter(
    ledger: str = c.argument("LEDGER", "The ledger that the organiser sent, or DIR."),
    words: list[str] | None = c.argument(
        "-- BOT...", "A bot of the games, module:function, or a program with arguments.", default=None
    ),
    name: str | None = c.option("--name", "", "What the bot is called."),
    disclose: bool = c.flag("--disclose", "Disclose your nonce instead, once entries are closed."),
    key: str | None = c.option("--key", "FILE", "Your key file."),
    more: list[str] | None = c.option("--file", "", "A file that belongs to the bot."),
    deterministic: bool = c.flag("--deterministic", "The same questions always get the same answers."),
    program: bool = c.flag("--program", "Treat a single word as a program."),
    output: str | None = c.option("-o", "FILE", "Where to write the entry."),
    dry: c.DryOption = False,
) -> None:
    """Enter a bot: commit to what is run, and to a nonce that nobody else knows. When entries are closed, disclose it.

    Example: referee tournament enter ledger.jsonl --name mine -- python3 mybot.py
    referee tournament enter ledger.jsonl --disclose
    """
    if disclose:
        return _disclose(ledger, key, output, dry)
    if not words or name is None:
        raise Usage(t("say which bot you enter"), t("give --name NAME, and the bot after --"))
    part = tournaments.stage_to_enter(ledger)
    program = program or len(words) > 1
    bot = entering.make_bot(words, program=program, more=more or [], deterministic=deterministic or not program)
    path = output or f"{name}.entrant.json"
    c.write_out(path, codec.encode(signed.make_entrant(c.load_key(key), part.id, name, bot)), new=True, dry=dry)
    send = w("Next: send {file} and the files of the bot to the organiser, and keep the commitment line.", file=path)
    return c.say(tournaments.DRY if dry else send)


def _disclose(ledger: str, key: str | None, output: str | None, dry: bool) -> None:
    name, data = tournaments.disclosure(ledger, c.load_key(key))
    path = output or f"{name}.disclosure.json"
    c.write_out(path, data, new=True, dry=dry)
    c.say(tournaments.DRY if dry else w("Next: send {file} to the organiser.", file=path))


# --- what was played --------------------------------------------------------------------------------------------------


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
    if line:
        return c.print_and_note(
            [book.commitment(stage.load(folder))], [w("Next: keep this line; --commit LINE compares.")]
        )
    kept = () if commit is None else book.promised(commit)
    ledger = stage.load(folder)
    found = check.ready(ledger) if again else None
    if found and found.commands:
        _confirm_foreign_bots(found.commands, yes)
    games = sum(part.ending.games for part in ledger.parts if part.ending)
    with Bar(games, ()) as bar:
        checked = tournaments.check_all(folder, ledger, kept, again, found, bar.count, jobs, dask)
    if json:
        c.report(checked)
    else:
        c.print_and_note(tournaments.lines_of(checked), ())
    return c.conclude(*tournaments.conclusion(checked, commit is not None))


def _confirm_foreign_bots(commands: tuple[str, ...], yes: bool) -> None:
    """Bots of others run only if the user agrees, and only in a sandbox."""
    c.say(w("To play games again, this runs, in a sandbox:"))
    for line in commands:
        c.say(f"  {line}")
    if not yes and not c.is_interactive():
        why = t("to play games again runs programs that others chose")
        raise Usage(why, t("look at them and add --yes, or leave out --again: then nothing runs"), code="runs-programs")
    try:
        confine.working_sandbox()
    except Usage as error:
        advice = t("install bubblewrap 0.8 or later, or leave out --again: then nothing runs")
        raise Usage(error.message, advice, code=error.code) from None
    if not yes and not c.confirm(w("Run them?"), default=False):
        c.say(w("Nothing was changed."))
        raise typer.Exit(130)


def tournament_extract(
    folder: FolderArgument,
    numbers: list[int] | None = c.argument(
        "NUMBER...", "Numbers of games. With --pages, default: those in the report.", default=None
    ),
    pages: bool = c.flag("--pages", "Pages for a browser, where the report links to them: DIR/pages."),
    proof: bool = c.flag("--proof", "What shows to others, beside the ledger, that a game belongs to the tournament."),
    key: KeyOption = None,
    output: str | None = c.option("-o", "DIR", "Where to write the files. Default: here."),
    dry: c.DryOption = False,
) -> None:
    """Write single games with all their signatures, for `referee verify` and `referee show`; or pages of games; or
    proofs.

    Example: referee tournament extract cup 17 18
    """
    if not numbers and not pages:
        raise Usage(t("this needs numbers of games, or --pages"), t("the numbers are in the report"))
    c.chosen({"--pages": pages or None, "--proof": proof or None})
    if pages and output is not None:
        raise Usage(t("pages go into the folder of the report, which links to them"), t("leave out -o"))
    ledger = extracting.load_ledger(folder)
    found = extracting.find_games(folder, ledger, numbers or [], key, c.load_key)
    if pages:
        with Bar(len(found), ()) as bar:
            written = extracting.write_pages(folder, found, dry, bar.count)
        report_file = files.printable(os.path.join(folder, results.report_name(current_language())))
        next_step = w("Next: open {file}; its game numbers link to the pages.", file=report_file)
    elif proof:
        written = extracting.write_proofs(folder, ledger, found, output or ".", dry)
        next_step = w("Next: {next}", next=run("verify", *written[:1], stage.ledger_path(folder)))
    else:
        written = extracting.write_transcripts(found, output or ".", dry)
        next_step = w("Next: {next}", next=run("verify", *written[:1]))
    for path in written:
        c.out(files.printable(path))
    c.say(tournaments.DRY if dry else next_step)
