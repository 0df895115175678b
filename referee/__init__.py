"""A play-by-email referee whose every draw can be checked by the players: what programs find in `import referee`.

| name | what it does |
|---|---|
| `list_games()` | every game that is installed, with seats, options and bots |
| `practice(game)` | a game in memory against bots, unsigned; `undo` takes a move back |
| `speaking(language)` | with it, words are said in `de`, `nl` or `en` |
| `identify(source)` | what a file is |
| `open_view(source)` | a player's view, verified and replayed: position, hand, moves, story, board, picture, answers |
| `verify(source)` | check one document: view, transcript, proof, claim, ruling, offer, join, move, receipt |
| `judge(sources)` | what several documents show together, with a proof of each offence |
| `new_key(name)` | a new key |
| `read_key(source)` | a key from its file, with its passphrase |
| `write_key(key)` | the bytes of a key file |
| `make_offer(game, key)` | offer a game, as its host |
| `join(offer, key)` | answer an offer, as a player |
| `start(offer, joins, key)` | start the game, as its host |
| `apply(game, moves, key)` | judge moves, as the host: new game, views and receipts |
| `reveal(game, key)` | the transcript of a finished game |
| `RefereeError` | the base of all errors: `code` is stable, `message` and `next` are texts |

A source is the bytes of a document, or the path of its file. Nothing is written and nothing is remembered: functions
take bytes and return bytes. Results and errors are data; `str(...)` makes words of them. `list_games` and `practice`
need msgspec alone; what reads or makes signatures needs `cryptography`, and says so.

A view, and an answer to it (a player's program):

    view = referee.open_view("be4f2750-r012-anna.view.json")
    for line in view.moves():
        print(line.number, line)
    signed = view.answer("sell 2 red, mark red", referee.read_key("key.json", "passphrase"))

Moves can be typed words in English, German or Dutch, `#3` for a line of the list, a line itself, or the move as data.

A whole file, checked:

    >>> import referee
    >>> found = referee.verify("examples/mark/transcript.json")
    >>> found.verdict, found.round, found.result.ranks
    ('consistent', 160, (2, 1, 3))

A game against bots, in German:

    >>> with referee.speaking("de"):
    ...     game = referee.practice("schwarzer-freitag", seats=2, seed=7)
    ...     print(game.asked, "|", game.moves()[0])
    ...     news = game.play("lege gelb")
    place | stelle gelb
    >>> game.undo()
    True
    >>> try:
    ...     game.play("fly to the moon")
    ... except referee.RefereeError as error:
    ...     print(error.code)
    illegal

`examples/library` has whole programs; `CONTRIBUTING.md` and `schemas/` say what lies behind.
"""

import os
import sys

__version__ = "0.1.0"
TYPE_CHECKING = False  # that of `typing` is the same to type checkers, and costs every command the import of it

_NAMES = {
    "RefereeError": "referee.errors",
    "speaking": "referee.language",
    **dict.fromkeys(
        (
            "apply", "identify", "join", "judge", "list_games", "make_offer", "new_key", "open_view", "practice",
            "read_key", "reveal", "start", "verify", "write_key",
        ),
        "referee.library.front",
    ),
}  # fmt: skip
"""Public name -> the module that has it; it is loaded when the name is first used."""

__all__ = [
    "RefereeError", "__version__", "apply", "identify", "join", "judge", "list_games", "make_offer", "new_key",
    "open_view", "practice", "read_key", "reveal", "speaking", "start", "verify", "write_key",
]  # fmt: skip

if TYPE_CHECKING:
    from referee.errors import RefereeError
    from referee.language import speaking
    from referee.library.front import (
        apply,
        identify,
        join,
        judge,
        list_games,
        make_offer,
        new_key,
        open_view,
        practice,
        read_key,
        reveal,
        start,
        verify,
        write_key,
    )
else:

    def __getattr__(name):
        if name not in _NAMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        found = globals()[name] = getattr(import_module(_NAMES[name]), name)
        return found


def __dir__() -> list[str]:
    return sorted(__all__)


def leave_here() -> None:
    """Import nothing from the working directory: it may be a stranger's. `python -m` puts it first, so does an empty
    word in PYTHONPATH; where the packages of this system lie stays."""
    try:
        here = os.path.realpath(os.curdir)
    except OSError:
        return
    stdlib = os.path.dirname(os.__file__)
    first = sys.path.index(stdlib) if stdlib in sys.path else len(sys.path)
    sys.path[:first] = [entry for entry in sys.path[:first] if os.path.realpath(entry) != here]
