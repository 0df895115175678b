"""Completion for shells: games, options, players, files by kind. Each looks only when a shell asks."""

import os
from collections.abc import Callable
from typing import Any


def games(incomplete: str) -> list[str]:
    """Names of games."""
    from referee.games import game_ids

    return [name for name in game_ids() if name.startswith(incomplete)]


def languages(incomplete: str) -> list[str]:
    """Languages that people read."""
    from referee.language import LANGUAGES

    return [language for language in LANGUAGES if language.startswith(incomplete)]


def _first_argument() -> str:
    """What follows the command. The library that parses the line drops it while an option waits for its value."""
    line = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS") or ""
    return "".join(line.split()[2:3])


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
    """Players of the game file that was named."""
    from referee.crypto.codec import read
    from referee.engine.records import Genesis, Join
    from referee.errors import RefereeError
    from referee.evidence.files import about
    from referee.io.files import LARGE
    from referee.io.files import read as read_bytes

    try:
        genesis, _ = about(read_bytes(_first_argument(), LARGE, "game file"))
        joins = read(bytes(genesis.body), Genesis, "genesis").joins if genesis else ()
        names = [read(bytes(join.body), Join, "join").name for join in joins]
    except RefereeError:
        return []
    return [name for name in names if name.isprintable() and name.startswith(incomplete)]


def files(*kinds: str, mail: bool = False) -> Callable[..., Any]:
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
