"""The steps of a tournament with several people: what the organiser signs, and what entrants send."""

import os
from typing import TYPE_CHECKING, Annotated

from referee.cli import common as c
from referee.cli import t, w
from referee.crypto import codec
from referee.errors import Usage, WrongTurn
from referee.io import files
from referee.language import run
from referee.library import tournaments
from referee.show import documents as shown
from referee.tournament import documents, results, stage

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

DRY = t("Nothing was written. Next: run it again without --dry-run.")
FolderArgument = Annotated[str, c.argument("DIR", "The folder of the tournament.")]
KeyOption = Annotated[
    str | None, c.option("--key", "FILE", "The organiser's key. Default: kept in REFEREE_HOME.", default=...)
]
SeedOption = Annotated[
    str | None,
    c.option("--seed", "", "Any text: key and secret come from it, for trials; then nothing is fair.", default=...),
]
UnconfinedOption = Annotated[
    bool, c.flag("--unconfined", "Run bots without the sandbox: they can do all that you can do.", ...)
]


def opened(
    folder: str, key: str | None, seed: str | None = None, *, dry: bool = False, begin: bool = False
) -> "AbstractContextManager[stage.Desk]":
    """The organiser's desk."""
    return tournaments.opened(folder, key, c.load_key, seed, dry=dry, begin=begin)


def tournament_next(
    spec: str = c.argument("SPEC.toml|DIR", "What to begin; or a tournament to continue."),
    sent: list[str] | None = c.argument("[FILE...]", "What the entrants sent: entries, disclosures.", default=None),
    folder: str = c.option("-o", "DIR", "With SPEC.toml: the folder to make.", default="tournament"),
    incomplete: bool = c.flag("--incomplete", "Start without the bots whose disclosures are missing."),
    withdraw: str | None = c.option(
        "--withdraw", "NAME", "Strike this bot out: no game counts in which it sat. Nothing is deleted."
    ),
    reason: str = c.option("--reason", "", "With --withdraw: why; everybody can read it.", default=""),
    ruling: c.RulingOption = None,
    key: KeyOption = None,
    seed: SeedOption = None,
    unconfined: UnconfinedOption = False,
    dry: c.DryOption = False,
) -> None:
    """Do the next step of a tournament with bots of others: commit to a SPEC; close the entries; start. Then
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
    with opened(spec, key, dry=dry) as desk:
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
    from referee.tournament.ledger import commitment

    with opened(folder, key, seed, dry=dry, begin=True) as desk:
        tournaments.open_stage(desk, spec, seed, key=key)
        if not dry:
            c.out(commitment(desk.ledger))
    if dry:
        return c.say(w("The spec is in order.") + f" {DRY}")
    ledger = files.printable(stage.ledger_path(folder))
    return c.say(w("Next: send {file} and this line to everyone who wants to enter a bot; then {command}", file=ledger,
                   command=run("tournament", "next", folder, "ENTRANT...")))  # fmt: skip


def _close(desk: "stage.Desk", entrants: list[str]) -> None:
    """Take what others entered, and close the entries."""
    desk.close(tournaments.sent(entrants, "entrant"))
    names = [one.name for one in desk.part.entrants.values()]
    c.out(w("{n} bots: {names}", n=len(names), names=", ".join(names)))
    if desk.dry:
        return c.say(DRY)
    if not tournaments.outsiders(desk.part):
        return c.say(w("Next: {next}", next=run("tournament", "run", "-o", desk.folder)))
    return c.say(w("Next: send {file} to the entrants, who answer with `referee tournament enter LEDGER --disclose`; "
                   "then {command}", file=files.printable(stage.ledger_path(desk.folder)),
                   command=run("tournament", "next", desk.folder, "DISCLOSURE...")))  # fmt: skip


def _start(desk: "stage.Desk", disclosures: list[str], incomplete: bool, unconfined: bool) -> None:
    """Take the nonces that the entrants opened: everything else follows from them and the secret."""
    from referee.tournament.ledger import commitment

    missing = tournaments.start(desk, disclosures, incomplete=incomplete, unconfined=unconfined)
    if not desk.dry:
        c.out(commitment(desk.ledger))
    for name in missing:
        c.say(w("{name} did not open the nonce, and does not play.", name=name))
    more = ["--unconfined"] if unconfined else []
    c.say(DRY if desk.dry else w("Next: {next}", next=run("tournament", "run", "-o", desk.folder, *more)))


def _withdraw(desk: "stage.Desk", name: str, reason: str) -> None:
    """Strike a bot out: it sits down no more, and no game counts in which it sat."""
    from referee.tournament.run import next_number

    desk.withdraw(name, next_number(desk), reason)
    if desk.part.ending is not None and not desk.dry:
        results.write_results(desk.folder, desk.ledger)
    on = w("Next: {command} continues without it.", command=run("tournament", "run", "-o", desk.folder))
    c.say(DRY if desk.dry else on)


def _amend(folder: str, path: str, key: str | None, dry: bool) -> None:
    """Take an arbiter's ruling on a game: standings go by it, if the spec named that arbiter."""
    from referee.tournament.run import amend as take

    data = c.read_document(path, "ruling")
    for line in shown.ruling_lines(data):
        c.say(line)
    with opened(folder, key, dry=dry) as desk:
        number = take(desk, data)
        name = desk.ledger.parts[0].stage.name
        if dry:
            c.say(w("It is game {number} of {name}.", number=number, name=name) + f" {DRY}")
            return
        standings = results.write_results(folder, desk.ledger) if desk.part.ending is not None else []
    for line in standings:
        c.out(line)
    c.say(w("It is game {number} of {name}, and counts as the ruling says.", number=number, name=name))
    c.say(w("Next: send {file} and the results to everybody.", file=os.path.join(folder, "ledger.jsonl")))


def tournament_enter(
    ledger: str = c.argument("LEDGER", "The ledger that the organiser sent, or DIR."),
    words: list[str] | None = c.argument(
        "-- BOT...", "A bot of the games, module:function, or a program with arguments.", default=None
    ),
    name: str | None = c.option("--name", "", "What the bot is called."),
    disclose: bool = c.flag("--disclose", "Instead: open your nonce, now that entries are closed."),
    key: str | None = c.option("--key", "FILE", "Your key file."),
    more: list[str] | None = c.option("--file", "", "A file that belongs to the bot."),
    deterministic: bool = c.flag("--deterministic", "The same questions always get the same answers."),
    program: bool = c.flag("--program", "It is a program, though it is one word."),
    output: str | None = c.option("-o", "FILE", "Where to write the entry."),
    dry: c.DryOption = False,
) -> None:
    """Enter a bot: commit to what is run, and to a nonce that nobody else knows. When entries are closed, disclose it.

    Example: referee tournament enter ledger.jsonl --name mine -- python3 mybot.py
    referee tournament enter ledger.jsonl --disclose
    """
    from referee.tournament.entrants import make_bot

    if disclose:
        return _disclose(ledger, key, output, dry)
    if not words or name is None:
        raise Usage(t("say which bot you enter"), t("give --name NAME, and the bot after --"))
    part = tournaments.stage_to_enter(ledger)
    program = program or len(words) > 1
    bot = make_bot(words, program=program, more=more or [], deterministic=deterministic or not program)
    path = output or f"{name}.entrant.json"
    c.write_new(path, codec.encode(documents.make_entrant(c.load_key(key), part.id, name, bot)), dry=dry)
    send = w("Next: send {file} and the files of the bot to the organiser, and keep the commitment line.", file=path)
    return c.say(DRY if dry else send)


def _disclose(ledger: str, key: str | None, output: str | None, dry: bool) -> None:
    name, data = tournaments.disclosure(ledger, c.load_key(key))
    path = output or f"{name}.disclosure.json"
    c.write_new(path, data, dry=dry)
    c.say(DRY if dry else w("Next: send {file} to the organiser.", file=path))
