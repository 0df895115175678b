"""Commands for authors of games and of programs that read our files: new-game, conform."""

import typer

from referee.cli import common as c
from referee.cli import t, w
from referee.errors import Usage
from referee.io import files
from referee.language import run
from referee.library import starting


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


def conform(
    vectors: str = c.argument("[VECTORS]", "The folder of test vectors: schemas/vectors.", default=""),
    command: list[str] | None = c.argument("[-- COMMAND...]", "The implementation to test.", default=None),
    schemas: str | None = c.option("--schemas", "DIR", "Write the JSON Schemas of all documents and games instead."),
    many: bool = c.flag("--many", "All cases in one call: COMMAND verify -"),
    rules: bool = c.option("--rules/--no-rules", "", "Whether it knows the rules of games.", default=True),
    whole: bool = c.flag("--files", "Only whole files: never call COMMAND step FILE."),
    only: str = c.option("--only", "TEXT", "Only cases whose names contain this text.", default=""),
    json: c.JsonOption = False,
) -> None:
    """Test an implementation of the protocol: COMMAND verify FILE... must print `ok` or the right code. Or write the
    JSON Schemas of everything that it reads.

    Example: referee conform schemas/vectors -- node verifier.js
    referee conform --schemas my-schemas
    """
    if schemas is not None:
        _write_schemas(schemas)
        return
    if not vectors or not command:
        example = run("conform", "schemas/vectors", "--", "node", "verifier.js")
        raise Usage(t("there is nothing to test"), t("name the test vectors and a command: {example}", example=example))
    from referee.testing.conform import conform as judged
    from referee.testing.conform import read_cases

    cases, wrong = read_cases(vectors, only, steps=not whole), 0
    for verdict in judged(cases, command, rules=rules, many=many):
        wrong += not verdict.right
        if json:
            c.report(verdict)
        elif not verdict.right:
            c.out(verdict.wrong())
    c.say(w("{right} right, {wrong} wrong", right=len(cases) - wrong, wrong=wrong))
    if wrong:
        raise typer.Exit(6)


def _write_schemas(folder: str) -> None:
    from referee.library.schemas import write_schemas

    written = write_schemas(folder)
    c.say(w("Next: see {folder} for {n} schemas.", folder=files.printable(folder), n=written))
