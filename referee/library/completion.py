"""Completion for shells: games, options, players, files by kind. Each looks only when a shell asks."""

import os
from collections.abc import Callable

Offered = Callable[[str], list[str]]
"""What a shell offers for the beginning of a word."""


def games(incomplete: str) -> list[str]:
    """Names of games."""
    from referee.games import game_ids

    return [name for name in game_ids() if name.startswith(incomplete)]


def topics(incomplete: str) -> list[str]:
    """Pages of the manual."""
    from referee.library.manual import TOPICS

    return [topic for topic in TOPICS if topic.startswith(incomplete)]


def languages(incomplete: str) -> list[str]:
    """Languages that people read."""
    from referee.language import LANGUAGES

    return [language for language in LANGUAGES if language.startswith(incomplete)]


def _line() -> str:
    """The command line in a shell that asks."""
    return os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS") or ""


def typed_words() -> list[str]:
    """The words before the one that is completed, without the program."""
    words = _line().split(" ")
    return words[1 : int(os.environ.get("COMP_CWORD") or len(words) - 1)]


def _first_argument() -> str:
    """What follows the command. The library that parses the line drops it while an option waits for its value."""
    return "".join(_line().split()[2:3])


def options(incomplete: str) -> list[str]:
    """`NAME=VALUE` for the game that was named."""
    from referee.errors import Usage
    from referee.show.rules import choices

    try:
        listed = choices(_first_argument())
    except Usage:
        return []
    return [pair for pair in listed if pair.startswith(incomplete)]


def seats(incomplete: str) -> list[str]:
    """Players of the game that was named, by any file that has its genesis; nothing of it is checked."""
    from referee.crypto.codec import read
    from referee.engine.records import Genesis, Join
    from referee.errors import RefereeError
    from referee.evidence.files import game_reference
    from referee.io.files import LARGE
    from referee.io.files import read as read_path

    try:
        genesis, _ = game_reference(read_path(_first_argument(), LARGE, "game file"))
        joins = read(bytes(genesis.body), Genesis, "genesis").joins if genesis else ()
        names = [read(bytes(join.body), Join, "join").name for join in joins]
    except RefereeError:
        return []
    return [name for name in names if name.isprintable() and name.startswith(incomplete)]


def files(*kinds: str, mail: bool = False) -> Offered:
    """Files of these kinds in the folder that is being typed, and saved mails if they do; a shell that gets none offers
    all files."""

    def found(incomplete: str) -> list[str]:
        folder, start = os.path.split(incomplete)
        try:
            names = sorted(os.listdir(folder or "."))
        except OSError:
            return []
        ends = (*(f"{kind}.json" for kind in kinds), *[".eml"][: int(mail)])
        return [os.path.join(folder, name) for name in names if name.startswith(start) and name.endswith(ends)]

    return found
