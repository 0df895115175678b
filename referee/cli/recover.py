"""The command for a host who lost the game file: recover."""

import os
from typing import Annotated, Any

import typer

from referee.cli import complete
from referee.cli.common import DryOption, KeyOption, command, load_key, read_document, say, stdin_once
from referee.errors import FileTrouble, Malformed, RefereeError, Usage


def recover(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="VIEW|MOVE...",
            help="The newest views that players have, and the moves in which they sealed something.",
            autocompletion=complete.files("view", "move", mail=True),
        ),
    ],
    output: Annotated[
        str, typer.Option("-o", metavar="FILE", help="The game file. It is for you alone.")
    ] = "game.json",
    chance: Annotated[
        str | None, typer.Option("--chance", metavar="HEX", help="The secret, if the game has common chance.")
    ] = None,
    incomplete: Annotated[
        bool,
        typer.Option("--incomplete", help="Go on without sealed answers that are lost; the transcript lacks them too."),
    ] = False,
    dry: DryOption = False,
    key: KeyOption = None,
) -> None:
    """Build a lost game file again from your key and the newest view that any player has."""
    from referee.evidence.recovery import recover as rebuild
    from referee.io import files, tickets
    from referee.io.gamefile import dump_match

    stdin_once(paths)
    mine = load_key(key)
    views, moves = _read(paths)
    newest = max(views, key=lambda view: view.round)
    found = rebuild(mine, newest.view.genesis, newest.view.entries, moves, _secret(chance))
    table, number = found.match.table, found.match.state.round
    if found.missing and (found.held or not incomplete):
        _ask_for(found, table)
    if files.exists(output):
        raise FileTrouble(f"{files.printable(output)} exists already", "choose another name with -o", code="exists")
    if dry:
        say("Everything is in order; nothing was written.")
        say("Next: run it again without --dry-run.")
        return
    record = tickets.start_record(table)
    made = [os.path.dirname(path) for path in record]
    files.write({output: dump_match(found.match), **record}, secret=[output], make=made)
    say(f"Game {table.id[:8]} is back as it was after round {number}. Keep {files.printable(output)} to yourself.")
    say("If anybody has a newer view than that, recover from it instead: two stories of one round can be proved.")
    say("An answer that you took before it was lost still counts: its player has your receipt.")
    again = command("apply", output, "MOVE...", key=key)
    say(f"Next: ask for the answers to round {number + 1} again, and take them with {again}.")


def _secret(text: str | None) -> bytes:
    try:
        secret = bytes.fromhex(text or "")
    except ValueError:
        secret = b"?"
    if len(secret) not in (0, 32):
        raise Usage("the secret of common chance has 64 hexadecimal digits", "give it as it was kept")
    return secret


def _read(paths: list[str]) -> tuple[list[Any], list[Any]]:
    """The views that pass every check, and the moves. What is bad is told and left aside; what contradicts stops."""
    from referee.crypto.codec import decode
    from referee.engine import records as r
    from referee.engine.player import open_view
    from referee.evidence.compare import compare
    from referee.evidence.files import kind_of
    from referee.io.files import printable

    views, moves = [], []
    for path in paths:
        try:
            data = read_document(path, "view", "move")
            if kind_of(data) == "view":
                views.append(open_view(data))
            else:
                moves.append(decode(data, r.MoveFile, "move"))
        except RefereeError as error:
            say(f"left aside: {printable(path)}: {error.message}")
    if not views:
        raise Malformed("there is no good view here", "ask the players for their newest views", code="alone")
    if len({view.table.id for view in views}) > 1:
        raise Usage("these views are of several games", "recover one game at a time")
    for found in compare(views)[0]:
        raise found
    return views, moves


def _ask_for(found: Any, table: Any) -> None:
    """Who must send what again."""
    from referee.show.text import clean

    for number, seat in found.missing:
        held = ", without which the game cannot go on" if (number, seat) in found.held else ""
        say(f"  {clean(table.names[seat])} sealed something in round {number}{held}: ask for that move again")
    advice = "give those moves, too" + ("" if found.held else ", or go on without them with --incomplete")
    raise Malformed("sealed answers are missing that only their players have", advice, code="missing-sealed")
