"""Commands for authors of games and of programs that read our files: new-game, leaks, conform, schema."""

from typing import TYPE_CHECKING

import typer

from referee.cli import common as c
from referee.cli import w
from referee.io import files
from referee.language import Value, either, run
from referee.library import schemas, starting

if TYPE_CHECKING:
    from referee.testing.conform import CaseResult


def new_game(
    name: str = c.argument("NAME", "The id of the new game: my-game."),
    output: str | None = c.option("-o", "DIR", "The folder to create. Default: named like the game."),
) -> None:
    """Start a game of your own: write a package with a small playable game for you to change.

    Example: referee new-game my-game
    """
    folder = output or name
    for path in starting.new_game(name, folder):
        c.out(files.printable(path))
    c.say(w("Next: install it with `pip install -e {folder}`, play it with {run}, test it with `pytest {folder}`.",
            folder=files.printable(folder), run=run("demo", name)))  # fmt: skip


def leaks(
    game: c.GameName,
    worlds: int = c.option("--worlds", "", "How many worlds to compare.", default=200, min=1, max=100_000),
    seed: str = c.option("--seed", "", "Any text: the same text gives the same search.", default=""),
    json: c.JsonOption = False,
) -> None:
    """Search a game for leaks: does anything that a player gets depend on what that player may not know?

    Example: referee leaks mark --worlds 500
    """
    from referee.testing.leaks import Leak, search

    found = search(game, worlds, seed)
    if json:
        c.report(found)
        raise typer.Exit(Leak.exit if found.leak else 0)
    c.out(w("{game}: {differed} worlds that really differed ({worlds} compared, {parted} went another way lawfully, "
            "{impossible} were impossible)", game=game, differed=found.differed, worlds=found.worlds,
            parted=found.parted, impossible=found.impossible))  # fmt: skip
    c.out(w("{comparisons} comparisons in {games} games", comparisons=found.comparisons, games=found.games))
    if found.leak:
        raise Leak(found.leak)
    if not found.differed:
        c.say(w("Next: nothing; no hidden token and no sealed field of this game was found that could differ."))
        return
    c.say(w("Next: nothing; no leak was found. More worlds find more: --worlds N."))


def conform(
    vectors: str = c.argument("VECTORS", "The folder of test vectors: schemas/vectors."),
    command: list[str] = c.argument("-- COMMAND...", "The implementation to be tested."),
    many: bool = c.flag("--many", "All cases in one call: COMMAND verify -"),
    rules: bool = c.option("--rules/--no-rules", "", "Whether it knows the rules of games.", default=True),
    whole: bool = c.flag("--files", "Whole files alone: without COMMAND step FILE."),
    only: str = c.option("--only", "TEXT", "Only cases whose names contain this text.", default=""),
    json: c.JsonOption = False,
) -> None:
    """Test an implementation of the protocol: COMMAND verify FILE... must print `ok` or the right code.

    Example: referee conform schemas/vectors -- node verifier.js
    """
    from referee.testing.conform import conform as judged
    from referee.testing.conform import read_cases

    cases, wrong = read_cases(vectors, only, steps=not whole), 0
    for verdict in judged(cases, command, rules=rules, many=many):
        wrong += not verdict.right
        if json:
            c.report(verdict)
        elif not verdict.right:
            c.out(_wrong(verdict))
    c.say(w("{right} right, {wrong} wrong", right=len(cases) - wrong, wrong=wrong))
    if wrong:
        raise typer.Exit(6)


def _wrong(verdict: "CaseResult") -> str:
    values: dict[str, Value] = {"case": verdict.case, "codes": either(verdict.allowed), "about": verdict.about}
    if verdict.trouble:
        return w("WRONG {case}: {trouble}; right is {codes} ({about})", trouble=verdict.trouble, **values)
    if verdict.said:
        return w("WRONG {case}: it says {code}; right is {codes} ({about})", code=verdict.said, **values)
    return w("WRONG {case}: it says nothing; right is {codes} ({about})", **values)


def schema(
    output: str | None = c.option("-o", "DIR", "Where to write the schemas."),
) -> None:
    """Write the JSON Schemas of all documents; without -o, list them.

    Example: referee schema -o schemas
    """
    if output is None:
        return c.print_and_note(sorted(schemas.all_schemas()), [w("Next: write them with -o DIR.")])
    written = schemas.write_schemas(output)
    return c.say(w("Next: see {folder} for {n} schemas.", folder=files.printable(output), n=written))
