"""The command for authors of a new game."""

from referee.cli import common as c
from referee.cli import w
from referee.io import files
from referee.language import run
from referee.library import starting


def new_game(
    name: str = c.argument("NAME", "The id of the new game: my-game."),
    output: str | None = c.option("-o", "DIR", "The folder to create. Default: NAME."),
) -> None:
    """Start a game of your own: write a package with a small playable game for you to change.

    Example: referee new-game my-game
    """
    folder = output or name
    for path in starting.new_game(name, folder):
        c.out(files.printable(path))
    c.say(w("Next: install it with `pip install -e {folder}`, play it with {run}, test it with `pytest {folder}`.",
            folder=files.printable(folder), run=run("demo", name)))  # fmt: skip
