"""Bots of a tournament: the hash of what is run, and the players that it makes."""

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import cache

from referee import games
from referee.bots import players
from referee.bots.visible import named_files
from referee.crypto.codec import H
from referee.errors import FileTrouble, Malformed, Usage
from referee.game import Game
from referee.io import files
from referee.tournament.documents import Bot, Limits

_SHARED = ("forms.py", "game.py", "playout.py")
"""What the bots of the games are made of, beside the games."""


def make_bot(run: Sequence[str], *, program: bool, more: Sequence[str] = (), deterministic: bool = True) -> Bot:
    """A bot as it is entered: with the hash of what is run, now and here."""
    own = [word for word in named_files(run) if os.path.isfile(word)] if program else []
    named = tuple(dict.fromkeys((*own, *more)))
    bot = Bot(tuple(run), "0" * 64, program, named, deterministic)
    return Bot(bot.run, hash_of(bot), program, named, deterministic)


def hash_of(bot: Bot) -> str:
    """The hash of what is run here under this name (TOURNAMENT.md, section 2)."""
    if bot.program:
        parts = [(name, _content(name)) for name in bot.files]
        return H("tournament-program", len(bot.run), *bot.run, *_flat(parts)).hex()
    (name,) = bot.run
    modules = sorted(_module(name.partition(":")[0])) if ":" in name else list(_built_in())
    more = [(path, _content(path)) for path in bot.files]
    return H("tournament-module", name, *_flat((*modules, *more))).hex()


def _flat(parts: Iterable[tuple[str, bytes]]) -> list[str | bytes]:
    return [item for part in parts for item in part]


@cache
def _built_in() -> tuple[tuple[str, bytes], ...]:
    """All modules of all games of this program: whatever their bots may use of each other."""
    root = os.path.dirname(os.path.dirname(games.__file__))
    found = [(name, _source(os.path.join(root, name))) for name in _SHARED]
    return tuple(sorted((*found, *_below(os.path.join(root, "games"), "games/"))))


def _module(name: str) -> list[tuple[str, bytes]]:
    from importlib.util import find_spec

    look_here()
    try:
        spec = find_spec(name)
    except (ImportError, ValueError):
        spec = None
    if spec is None or not spec.origin or not os.path.isfile(spec.origin):
        raise Usage(f"there is no module {name[:80]!a} here", "run it in the folder of the module", code="no-bot")
    if spec.submodule_search_locations:
        return [part for folder in spec.submodule_search_locations for part in _below(folder, "")]
    return [(os.path.basename(spec.origin), _source(spec.origin))]


def _below(folder: str, path: str) -> list[tuple[str, bytes]]:
    found = []
    for name in sorted(os.listdir(folder)):
        full = os.path.join(folder, name)
        if os.path.isdir(full):
            found += _below(full, f"{path}{name}/")
        elif name.endswith(".py"):
            found.append((path + name, _source(full)))
    return found


def _source(path: str) -> bytes:
    return _content(path).replace(b"\r\n", b"\n")


def _content(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        why = f"{files.printable(path)} cannot be read: {files.reason(error)}"
        raise FileTrouble(why, "a bot is run, and hashed, from the folder of its files", code="missing") from None


def look_here() -> None:
    """Modules of bots are found in the folder where the command runs."""
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())


def refuse_other(name: str, bot: Bot) -> None:
    """Nothing is run but what was entered."""
    if hash_of(bot) != bot.hash:
        why = f"what lies here is not the bot that {name} entered"
        raise Malformed(why, "put the very files there that were entered", code="other-bot")


def limits_of(limits: Limits) -> players.Limits:
    return players.Limits(
        start=limits.start / 1000,
        answer=limits.answer / 1000,
        bank=limits.bank / 1000,
        memory=limits.memory * 2**20,
        faults=limits.faults,
    )


def maker(bot: Bot, game: Game, *, confined: bool, hidden: Sequence[str]) -> Callable[[], players.Player]:
    """What makes players of this bot in this game. It sees its files, and nothing in the hidden folders."""
    return players.find(bot.run if bot.program else bot.run[0], game, bot.files, hidden, confined=confined)
