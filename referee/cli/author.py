"""Commands for authors of games and of programs that read our files: leaks, schema."""

from typing import Annotated

import typer

from referee.cli.common import GameName, JsonOption, out, report, say


def leaks(
    game: GameName,
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


def schema(
    output: Annotated[str | None, typer.Option("-o", metavar="DIR", help="Where to write the schemas.")] = None,
) -> None:
    """Write the JSON Schemas of all documents (without -o: list them)."""
    import os

    from referee.cli.schemas import all_schemas
    from referee.io import files

    made = all_schemas()
    if output is None:
        for name in sorted(made):
            out(name)
        say("Next: write them with -o DIR.")
        return
    files.make_folder(output)
    files.write({os.path.join(output, name): data for name, data in made.items()})
    say(f"Next: see {files.printable(output)} for {len(made)} schemas.")
