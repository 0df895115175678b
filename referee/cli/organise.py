"""The steps of a tournament with several people: commit, enter, close, disclose, start, withdraw."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer

from referee.cli import t, w
from referee.cli.common import DryOption, RulingArgument, load_key, out, read_document, say, write_new
from referee.errors import FileTrouble, Usage, WrongTurn
from referee.language import run

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


def _fresh(seed: str | None, what: str) -> bytes:
    from referee.crypto.codec import H

    return os.urandom(32) if seed is None else H("tournament-trial", what, seed)


@contextmanager
def opened(
    folder: str, key: str | None, seed: str | None = None, *, dry: bool = False, begin: bool = False
) -> Iterator[Any]:
    """The organiser's desk, for one process at a time. A new tournament, where one may begin, gets its own key. A dry
    desk writes nothing."""
    from referee.io import files
    from referee.tournament.stage import Desk, ledger_path, none_here

    path = ledger_path(folder)
    if not begin and not files.exists(path):
        raise none_here()
    if dry:
        yield Desk(folder, _organisers_key(folder, key, seed), dry=True)
        return
    files.make_folder(folder)
    if not files.exists(path):
        with open(path, "ab"):
            pass
    with files.locked(path):
        yield Desk(folder, _organisers_key(folder, key, seed))


def _organisers_key(folder: str, named: str | None, seed: str | None) -> Any:
    """The key that was named, or the one that is kept for this tournament, or a new one for a new tournament."""
    from referee.crypto.keys import Key
    from referee.io import files
    from referee.tournament.stage import begun, key_path

    if named is not None:
        return load_key(named)
    parts = begun(folder).parts
    if not parts:
        return Key(_fresh(seed, "key"), "organiser")
    path = key_path(parts[0].stage.key)
    if not files.exists(path):
        advice = t("name it with --key, or set REFEREE_HOME to where the tournament was begun")
        raise FileTrouble(t("the organiser's key is not here"), advice, code="no-key")
    return load_key(path)


def _keep_key(desk: Any) -> None:
    """Before the first document: a kill between the two leaves a key that nothing needs, never a ledger without one."""
    from referee.io import files, keyfile
    from referee.tournament.stage import key_path

    path = os.path.realpath(key_path(desk.key.public.hex()))
    if path.startswith(os.path.join(os.path.realpath(desk.folder), "")):
        why = t("REFEREE_HOME lies in the folder of the tournament, which everybody gets to see")
        raise Usage(why, t("choose another folder with -o, or name a key elsewhere with --key"))
    if not files.exists(path):
        files.write({path: keyfile.dump(desk.key)}, secret=[path], make=[os.path.dirname(path)])


def open_stage(
    desk: Any, path: str, seed: str | None, *, key: str | None = None, further: bool = False, decide: int = 0
) -> None:
    """Commit to this spec and enter its bots, unless the last stage is this very one; `further`: it may follow one that
    is over. `key` is where the organiser keeps it, if it has a place already. `decide` goes before what the spec says
    of it."""
    from msgspec.structs import replace

    from referee.tournament import spec as specs
    from referee.tournament.stage import fits, none_here

    spec = specs.read_spec(path)
    if decide:
        spec = replace(spec, schedule=replace(spec.schedule, decide=decide))
    games, bots = specs.all_played(spec), specs.all_bots(spec)
    stage = len(desk.ledger.parts)
    if further and not stage:
        raise none_here()
    if not stage or not fits(desk.part, spec, games, bots):
        if stage and not (further and desk.part.ending):
            advice = t("go on without a SPEC, or add a stage with {run}", run=run("tournament", "add"))
            raise Usage(t("there is another tournament in that folder"), advice, code="other-spec")
        if not stage and key is None and not desk.dry:
            _keep_key(desk)
        desk.commit(spec.name, games, spec.schedule, spec.limits, _fresh(seed, f"stage {stage}"), spec.arbiter)
    if desk.part.closing is None:
        desk.enter(bots)


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
    from referee.tournament.ledger import commitment
    from referee.tournament.stage import ledger_path, load

    if os.path.isdir(spec):
        out(commitment(load(spec)))
        say(w("Next: keep this line; `referee tournament check DIR --commit LINE` compares."))
        return
    with opened(folder, key, seed, dry=dry, begin=True) as desk:
        open_stage(desk, spec, seed, key=key)
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
    from referee.tournament.documents import make_entrant
    from referee.tournament.entrants import make_bot
    from referee.tournament.stage import load

    part = load(ledger).last
    if part.closing is not None:
        raise WrongTurn(t("entries are closed"), t("wait for the next stage"), code="closed")
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
    from referee.tournament.stage import ledger_path

    with opened(folder, key, dry=dry) as desk:
        desk.close(files.read(path, files.SMALL, "entrant").rstrip(b"\r\n") for path in entrants or [])
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
    from referee.crypto.codec import encode
    from referee.tournament.documents import disclose as open_nonce
    from referee.tournament.stage import load, own_entrant

    mine, part = load_key(key), load(ledger).last
    name, entrant = own_entrant(part, mine)
    if part.closing is None or part.start is not None:
        why = t("entries are not closed yet") if part.closing is None else t("the tournament has started")
        raise WrongTurn(why, t("wait for the ledger in which they are closed"), code="not-closed")
    path = output or f"{entrant.name}.disclosure.json"
    write_new(path, encode(open_nonce(mine, part.id, part.ids["closing"], name)), dry=dry)
    say(DRY if dry else w("Next: send {file} to the organiser.", file=path))


def start(
    folder: FolderArgument,
    disclosures: FilesArgument = None,
    key: KeyOption = None,
    unconfined: UnconfinedOption = False,
    dry: DryOption = False,
) -> None:
    """Take the nonces that the entrants opened: everything else follows from them and the secret."""
    from referee.io import files
    from referee.tournament.ledger import commitment

    with opened(folder, key, dry=dry) as desk:
        sent = (files.read(path, files.SMALL, "disclosure").rstrip(b"\r\n") for path in disclosures or [])
        desk.start(sent, unconfined=unconfined)
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
    from referee.tournament.results import write_results
    from referee.tournament.run import amend as take

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
