"""Commands for authors of games: leaks."""

from typing import Annotated

import typer

from referee.cli.common import JsonOption, out, report, say


def leaks(
    game: Annotated[str, typer.Argument(metavar="GAME", help="Which game.")],
    worlds: Annotated[int, typer.Option("--worlds", min=1, max=100_000, help="So many worlds that differ.")] = 200,
    seed: Annotated[str, typer.Option("--seed", help="Any text: the same text gives the same search.")] = "",
    json: JsonOption = False,
) -> None:
    """Look for leaks: does anything that a player gets depend on what that player may not know?"""
    from referee.testing.leaks import Leak, search

    found = search(game, worlds, seed)
    if json:
        report(found)
        raise typer.Exit(Leak.exit if found.leak else 0)
    ways = f"{found.parted} went another way lawfully, {found.impossible} were impossible"
    out(f"{game}: {found.differed} worlds that really differed ({found.worlds} compared, {ways})")
    out(f"{found.comparisons} comparisons in {found.games} games")
    if found.leak:
        raise Leak(found.leak)
    if not found.differed:
        say("Next: nothing; no hidden token and no sealed field of this game was found that could differ.")
        return
    say("Next: nothing; no leak was found. More worlds find more: --worlds N.")
