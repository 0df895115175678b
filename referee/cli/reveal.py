"""The command with which a game ends."""

from typing import Annotated

import typer

from referee.cli import w
from referee.cli.common import (
    DryOption,
    GameArgument,
    KeyOption,
    YesOption,
    game_path,
    go_on,
    hints,
    load_key,
    refuse_same,
    say,
    sent,
    with_key,
    write_out,
)
from referee.cli.values import placeholder
from referee.language import run


def reveal(
    game: GameArgument,
    output: Annotated[
        str | None, typer.Option("-o", metavar="FILE", help="The transcript. Default: beside the game file.")
    ] = None,
    abandon: Annotated[
        bool, typer.Option("--abandon", help="End a game that cannot go on: without a result, and for good.")
    ] = False,
    yes: YesOption = False,
    dry: DryOption = False,
    key: KeyOption = None,
) -> None:
    """Write the transcript after the end: all secrets, for everybody to verify.

    --abandon ends a game that cannot go on. The transcript says so, signed, and blames nobody.
    """
    from referee.io import desk

    if output is not None:
        refuse_same(output, game, key)
    mine = load_key(key)
    with hints(run("status", game, *with_key(key))):
        if abandon and not (yes or dry):
            desk.reveal(game_path(game), mine, output, abandon=True, dry=True)
            sure_to_abandon()
        path, data = desk.reveal(game_path(game), mine, output, abandon=abandon, dry=dry)
    if path == "-" or dry:
        write_out(path, data, dry=dry)
    if dry:
        say(w("Next: run it again without --dry-run."))
        return
    say(w("Next: send {file} to everybody; {command} checks it.", file=sent(path),
          command=run("verify", sent(path, placeholder("FILE")))))  # fmt: skip


def sure_to_abandon() -> None:
    """Ask whoever sits at a terminal: nothing brings an abandoned game back."""
    say(w("All secrets of the game come out, and nobody can play on: this cannot be undone."))
    go_on(w("Abandon the game, without a result?"), w("Nothing was changed."), default=False)
