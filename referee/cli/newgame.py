"""The command for authors of a new game."""

from referee.cli import common as c
from referee.cli import w
from referee.language import run


def new_game(
    name: str = c.argument("NAME", "The id of the new game: my-game."),
    output: str | None = c.option("-o", "DIR", "The folder to create. Default: NAME."),
) -> None:
    """Start a game of your own: write a package with a small playable game for you to change.

    Example: referee new-game my-game
    """
    from referee.io.files import printable
    from referee.library.starting import new_game

    folder = output or name
    for path in new_game(name, folder):
        c.out(printable(path))
    c.say(w("Next: install it with `pip install -e {folder}`, play it with {run}, test it with `pytest {folder}`.",
            folder=printable(folder), run=run("demo", name)))  # fmt: skip
