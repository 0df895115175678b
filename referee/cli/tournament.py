"""Tournaments of bots that anybody can check: `referee tournament ...`."""

import os
from typing import Annotated, NamedTuple

import typer

from referee.bots import confine
from referee.cli import common as c
from referee.cli import t, w
from referee.cli.progress import Bar
from referee.crypto import codec
from referee.errors import CheckFailed, Usage, WrongTurn
from referee.io import files
from referee.language import current_language, run
from referee.library import documents, tournaments
from referee.library.values import placeholder
from referee.show import documents as shown
from referee.tournament import check, results, stage
from referee.tournament import documents as signed
from referee.tournament import entrants as entering
from referee.tournament import ledger as book
from referee.tournament import run as playing
from referee.tournament import spec as specs

DRY = t("Nothing was written. Next: run it again without --dry-run.")
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
    part = desk.part
    names = [one.name for _, one in part.players]
    total = specs.count_games(part.stage.schedule, [one.seats for one in part.stage.games], names)
    if desk.dry:
        if how.json:
            c.report({"games": total, "bots": names})
        question = w("{most} games at most, by {n} bots: {names}.", most=total, n=len(names), names=", ".join(names))
        c.say(f"{question} {DRY}")
        return
    with Bar(total, names) as bar:
        done = tournaments.play(desk, how.jobs, how.dask, bar.tell, unconfined=how.unconfined)
    if how.json:
        c.report(done)
        return
    c.print_and_note(done.standings, ())
    if any(one.bot.program or ":" in one.bot.run[0] for _, one in part.players):
        for note in confine.confinement_notes(not how.unconfined):
            c.say(c.sentence(note))
    c.say(w("Keep this line, and give it to everybody who plays:\n{line}", line=done.commitment))
    made = os.path.join(desk.folder, results.report_name(current_language()))
    c.say(w("Next: look at {file}; anybody can check it with {command}.", file=made,
            command=run("tournament", "check", desk.folder)))  # fmt: skip


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
        return _commit(spec, folder, key, seed, dry)
    if ruling is not None:
        return _amend(spec, ruling, key, dry)
    with tournaments.opened(spec, key, c.load_key, dry=dry) as desk:
        if withdraw is not None:
            return _withdraw(desk, withdraw, reason)
        if desk.part.closing is None:
            return _close(desk, sent or [])
        if desk.part.start is None:
            return _start(desk, sent or [], incomplete, unconfined)
    raise WrongTurn(
        t("this tournament has started"), t("play it with {run}", run=run("tournament", "run", "-o", spec)),
        code="started",
    )  # fmt: skip


def _commit(spec: str, folder: str, key: str | None, seed: str | None, dry: bool) -> None:
    """Commit to a secret and the spec; prints the one line that entrants should keep."""
    with tournaments.opened(folder, key, c.load_key, seed, dry=dry, begin=True) as desk:
        tournaments.open_stage(desk, spec, seed, key=key)
        if not dry:
            c.out(book.commitment(desk.ledger))
    if dry:
        return c.say(w("The spec is in order.") + f" {DRY}")
    ledger = files.printable(stage.ledger_path(folder))
    return c.say(w("Next: send {file} and this line to everyone who wants to enter a bot; then {command}", file=ledger,
                   command=run("tournament", "next", folder, "ENTRANT...")))  # fmt: skip


def _close(desk: "stage.Desk", entrants: list[str]) -> None:
    """Take what others entered, and close the entries."""
    desk.close(tournaments.read_submissions(entrants, "entrant"))
    names = [one.name for one in desk.part.entrants.values()]
    c.out(w("{n} bots: {names}", n=len(names), names=", ".join(names)))
    if desk.dry:
        return c.say(DRY)
    if not tournaments.undisclosed_bots(desk.part):
        return c.say(w("Next: {next}", next=run("tournament", "run", "-o", desk.folder)))
    return c.say(w("Next: send {file} to the entrants, who answer with `referee tournament enter LEDGER --disclose`; "
                   "then {command}", file=files.printable(stage.ledger_path(desk.folder)),
                   command=run("tournament", "next", desk.folder, "DISCLOSURE...")))  # fmt: skip


def _start(desk: "stage.Desk", disclosures: list[str], incomplete: bool, unconfined: bool) -> None:
    """Take the nonces that the entrants opened: everything else follows from them and the secret."""
    missing = tournaments.start(desk, disclosures, incomplete=incomplete, unconfined=unconfined)
    if not desk.dry:
        c.out(book.commitment(desk.ledger))
    for name in missing:
        c.say(w("{name} did not disclose its nonce and does not play.", name=name))
    more = ["--unconfined"] if unconfined else []
    c.say(DRY if desk.dry else w("Next: {next}", next=run("tournament", "run", "-o", desk.folder, *more)))


def _withdraw(desk: "stage.Desk", name: str, reason: str) -> None:
    """Withdraw a bot: it plays no more, and none of its games count."""
    desk.withdraw(name, playing.next_number(desk), reason)
    if desk.part.ending is not None and not desk.dry:
        results.write_results(desk.folder, desk.ledger)
    on = w("Next: {command} continues without it.", command=run("tournament", "run", "-o", desk.folder))
    c.say(DRY if desk.dry else on)


def _amend(folder: str, path: str, key: str | None, dry: bool) -> None:
    """Apply an arbiter's ruling on a game: standings follow it, if the spec named that arbiter."""
    data = documents.read_document(path, "ruling")
    c.print_and_note((), shown.ruling_lines(data))
    with tournaments.opened(folder, key, c.load_key, dry=dry) as desk:
        number = playing.amend(desk, data)
        name = desk.ledger.parts[0].stage.name
        if dry:
            c.say(w("It is game {number} of {name}.", number=number, name=name) + f" {DRY}")
            return
        standings = results.write_results(folder, desk.ledger) if desk.part.ending is not None else []
    c.print_and_note(standings, ())
    c.say(w("It is game {number} of {name}, and counts as the ruling says.", number=number, name=name))
    c.say(w("Next: send {file} and the results to everybody.", file=os.path.join(folder, "ledger.jsonl")))


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
    c.write_new(path, codec.encode(signed.make_entrant(c.load_key(key), part.id, name, bot)), dry=dry)
    send = w("Next: send {file} and the files of the bot to the organiser, and keep the commitment line.", file=path)
    return c.say(DRY if dry else send)


def _disclose(ledger: str, key: str | None, output: str | None, dry: bool) -> None:
    name, data = tournaments.disclosure(ledger, c.load_key(key))
    path = output or f"{name}.disclosure.json"
    c.write_new(path, data, dry=dry)
    c.say(DRY if dry else w("Next: send {file} to the organiser.", file=path))


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
    with tournaments.workers_for(jobs, dask) as workers, Bar(games, ()) as bar:
        one = check.Check(folder, ledger, workers)
        one.promise(kept)
        if found:
            one.play_again(again, found)
        one.stages(bar.count)
    one.results()
    return _conclude(one.found, json, commit is not None)


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


def _conclude(found: "check.Checked", json: bool, held: bool) -> None:
    if json:
        c.report(found)
    else:
        for one in found.differs:
            c.out(w("BAD {what} [{code}]", what=one.message, code=one.code))
        for note in found.notes:
            c.out(w("note: {note}", note=note))
        c.out(w.plural("{games} games checked, {again} replayed, {n} difference",
                       "{games} games checked, {again} replayed, {n} differences",
                       len(found.differs), games=found.games, again=found.again))  # fmt: skip
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
        raise Usage(t("this needs numbers of games, or --pages"), t("the numbers are in games.jsonl and in the report"))
    if pages and output is not None:
        raise Usage(t("pages go into the folder of the report, which links to them"), t("leave out -o"))
    found = tournaments.find_games(folder, numbers or [])
    if pages:
        with Bar(len(found), ()) as bar:
            written = tournaments.write_pages(folder, found, dry, bar.count)
        report_file = files.printable(os.path.join(folder, results.report_name(current_language())))
        next_step = w("Next: open {file}; its game numbers link to the pages.", file=report_file)
    else:
        written = tournaments.write_transcripts(folder, found, output or ".", dry)
        next_step = w("Next: {next}", next=run("verify", *written[:1]))
    for path in written:
        c.out(files.printable(path))
    c.say(DRY if dry else next_step)
