"""The steps of a tournament with several people: commit, enter, close, disclose, start, withdraw."""

import os
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli import t, w
from referee.cli.common import DryOption, RulingArgument, load_key, out, read_document, say, write_new
from referee.language import run

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from referee.tournament.stage import Desk

DRY = t("Nothing was written. Next: run it again without --dry-run.")
FolderArgument = Annotated[str, typer.Argument(metavar="DIR", help="The folder of the tournament.")]
LedgerArgument = Annotated[str, typer.Argument(metavar="LEDGER", help="The ledger that the organiser sent, or DIR.")]
KeyOption = Annotated[
    str | None, typer.Option("--key", metavar="FILE", help="The organiser's key. Default: kept in REFEREE_HOME.")
]
OwnKeyOption = Annotated[str | None, typer.Option("--key", metavar="FILE", help="Your key file.")]
SeedOption = Annotated[
    str | None, typer.Option("--seed", help="Any text: key and secret come from it, for trials; then nothing is fair.")
]
UnconfinedOption = Annotated[
    bool,
    typer.Option("--unconfined", help="Run bots without the sandbox: they can do all that you can do."),
]
FilesArgument = Annotated[list[str] | None, typer.Argument(metavar="[FILE...]", help="What the entrants sent.")]


def opened(
    folder: str, key: str | None, seed: str | None = None, *, dry: bool = False, begin: bool = False
) -> "AbstractContextManager[Desk]":
    """The organiser's desk."""
    from referee.library import tournaments

    return tournaments.opened(folder, key, load_key, seed, dry=dry, begin=begin)


def commit(
    spec: Annotated[
        str, typer.Argument(metavar="SPEC.toml|DIR", help="Games, bots, schedule; or a tournament that is there.")
    ],
    folder: Annotated[str, typer.Option("-o", metavar="DIR", help="The folder to make.")] = "tournament",
    key: KeyOption = None,
    seed: SeedOption = None,
    dry: DryOption = False,
) -> None:
    """Commit to a secret and the spec; prints the one line that entrants should keep."""
    from referee.io import files
    from referee.library import tournaments
    from referee.tournament.ledger import commitment
    from referee.tournament.stage import ledger_path, load

    if os.path.isdir(spec):
        out(commitment(load(spec)))
        say(w("Next: keep this line; `referee tournament check DIR --commit LINE` compares."))
        return
    with opened(folder, key, seed, dry=dry, begin=True) as desk:
        tournaments.open_stage(desk, spec, seed, key=key)
        if not dry:
            out(commitment(desk.ledger))
    if dry:
        say(w("The spec is in order.") + f" {DRY}")
        return
    ledger = files.printable(ledger_path(folder))
    say(w("Next: send {file} and this line to whoever wants to enter a bot; then {command}", file=ledger,
          command=run("tournament", "close", folder, "ENTRANT...")))  # fmt: skip


def enter(
    ledger: LedgerArgument,
    words: Annotated[
        list[str],
        typer.Argument(metavar="-- BOT...", help="A bot of the games, module:function, or a program with arguments."),
    ],
    name: Annotated[str, typer.Option("--name", help="What the bot is called.")],
    key: OwnKeyOption = None,
    more: Annotated[list[str] | None, typer.Option("--file", help="A file that belongs to the bot.")] = None,
    deterministic: Annotated[
        bool, typer.Option("--deterministic", help="The same questions always get the same answers.")
    ] = False,
    program: Annotated[bool, typer.Option("--program", help="It is a program, though it is one word.")] = False,
    output: Annotated[str | None, typer.Option("-o", metavar="FILE", help="Where to write the entry.")] = None,
    dry: DryOption = False,
) -> None:
    """Enter a bot: commits to what is run, and to a nonce that nobody else knows."""
    from referee.crypto.codec import encode
    from referee.library.tournaments import stage_to_enter
    from referee.tournament.documents import make_entrant
    from referee.tournament.entrants import make_bot

    part = stage_to_enter(ledger)
    program = program or len(words) > 1
    bot = make_bot(words, program=program, more=more or [], deterministic=deterministic or not program)
    path = output or f"{name}.entrant.json"
    write_new(path, encode(make_entrant(load_key(key), part.id, name, bot)), dry=dry)
    send = w("Next: send {file} and the files of the bot to the organiser, and keep the commitment line.", file=path)
    say(DRY if dry else send)


def close(
    folder: FolderArgument, entrants: FilesArgument = None, key: KeyOption = None, dry: DryOption = False
) -> None:
    """Take what others entered, and close the entries."""
    from referee.io import files
    from referee.library.tournaments import sent
    from referee.tournament.stage import ledger_path

    with opened(folder, key, dry=dry) as desk:
        desk.close(sent(entrants, "entrant"))
        names = [one.name for one in desk.part.entrants.values()]
        others = sum(not one.kept for one in desk.part.entrants.values())
    out(w("{n} bots: {names}", n=len(names), names=", ".join(names)))
    ledger = files.printable(ledger_path(folder))
    if dry:
        say(DRY)
    elif others:
        say(w("Next: send {file} to the entrants, who answer with `referee tournament disclose LEDGER`; then {command}",
              file=ledger, command=run("tournament", "start", folder, "DISCLOSURE...")))  # fmt: skip
    else:
        say(w("Next: {next}", next=run("tournament", "run", "-o", folder)))


def disclose(
    ledger: LedgerArgument,
    key: OwnKeyOption = None,
    output: Annotated[str | None, typer.Option("-o", metavar="FILE", help="Where to write it.")] = None,
    dry: DryOption = False,
) -> None:
    """Open the nonce that you committed to, now that entries are closed."""
    from referee.library.tournaments import disclosure

    name, data = disclosure(ledger, load_key(key))
    path = output or f"{name}.disclosure.json"
    write_new(path, data, dry=dry)
    say(DRY if dry else w("Next: send {file} to the organiser.", file=path))


def start(
    folder: FolderArgument,
    disclosures: FilesArgument = None,
    key: KeyOption = None,
    unconfined: UnconfinedOption = False,
    dry: DryOption = False,
) -> None:
    """Take the nonces that the entrants opened: everything else follows from them and the secret."""
    from referee.library.tournaments import sent
    from referee.tournament.ledger import commitment

    with opened(folder, key, dry=dry) as desk:
        desk.start(sent(disclosures, "disclosure"), unconfined=unconfined)
        if not dry:
            out(commitment(desk.ledger))
        playing = {name for name, _ in desk.part.players}
        for name, entrant in desk.part.entrants.items():
            if name not in playing:
                say(w("{name} did not open the nonce, and does not play.", name=entrant.name))
    more = ["--unconfined"] if unconfined else []
    say(DRY if dry else w("Next: {next}", next=run("tournament", "run", "-o", folder, *more)))


def withdraw(
    folder: FolderArgument,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The bot that is struck out.")],
    reason: Annotated[str, typer.Option("--reason", help="Why: everybody can read it.")] = "",
    key: KeyOption = None,
    dry: DryOption = False,
) -> None:
    """Strike a bot out: it sits down no more, and no game counts in which it sat. Nothing is deleted."""
    from referee.tournament.results import write_results
    from referee.tournament.run import next_number

    with opened(folder, key, dry=dry) as desk:
        desk.withdraw(name, next_number(desk), reason)
        if desk.part.ending is not None and not dry:
            write_results(folder, desk.ledger)
    on = w("Next: {command} goes on without it.", command=run("tournament", "run", "-o", folder))
    say(DRY if dry else on)


def amend(
    folder: FolderArgument,
    path: RulingArgument,
    key: KeyOption = None,
    dry: DryOption = False,
) -> None:
    """Take an arbiter's ruling on a game: standings go by it, if the spec named that arbiter. Nothing is deleted."""
    from referee.show.documents import ruling_lines
    from referee.tournament.amending import amend as take
    from referee.tournament.results import write_results

    data = read_document(path, "ruling")
    for line in ruling_lines(data):
        say(line)
    with opened(folder, key, dry=dry) as desk:
        number = take(desk, data)
        name = desk.ledger.parts[0].stage.name
        if dry:
            say(w("It is game {number} of {name}.", number=number, name=name) + f" {DRY}")
            return
        standings = write_results(folder, desk.ledger) if desk.part.ending is not None else []
    for line in standings:
        out(line)
    say(w("It is game {number} of {name}, and counts as the ruling says.", number=number, name=name))
    say(w("Next: send {file} and the results to everybody.", file=os.path.join(folder, "ledger.jsonl")))
