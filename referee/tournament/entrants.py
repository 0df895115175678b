"""Bots of a tournament: the hash of what is run, and the players made from it."""

import os
from collections.abc import Callable, Iterable, Sequence
from functools import cache

from msgspec.structs import replace

from referee import games
from referee.bots import players
from referee.bots.modules import locate
from referee.bots.visible import named_files
from referee.crypto.codec import H
from referee.errors import FileTrouble, Malformed
from referee.game import Game
from referee.io import files
from referee.tournament import t
from referee.tournament.documents import Bot, Limits

_SHARED = ("forms.py", "game.py", "playout.py")
"""Modules outside the games that the built-in bots use."""
LARGEST = 2**30
"""Most bytes of all files of a bot together."""
_ADVICE = t("run the command in the folder of the bot's files")


def make_bot(run: Sequence[str], *, program: bool, more: Sequence[str] = (), deterministic: bool = True) -> Bot:
    """A bot as it is entered, with the hash of its files as they are now."""
    own = [word for word in named_files(run) if os.path.isfile(word)] if program else []
    named = tuple(dict.fromkeys((*own, *more)))
    bot = Bot(tuple(run), "0" * 64, program, named, deterministic)
    return replace(bot, hash=hash_of(bot))


def hash_of(bot: Bot) -> str:
    """The hash of what would run here for this bot (TOURNAMENT.md, section 2). Nothing is imported for it."""
    if bot.program:
        return H("tournament-program", len(bot.run), *bot.run, *_as_list(_contents(bot.files))).hex()
    (name,) = bot.run
    modules = _built_in() if is_ours(bot) else _sources(*locate(name.rpartition(":")[0]))
    return H("tournament-module", name, *_as_list((*modules, *_contents(bot.files)))).hex()


def _as_list(parts: Iterable[tuple[str, bytes]]) -> list[str | bytes]:
    return [item for part in parts for item in part]


@cache
def _built_in() -> list[tuple[str, bytes]]:
    """All modules of all built-in games: their bots may use any of them."""
    root = os.path.dirname(os.path.dirname(games.__file__))
    inside = (os.path.join(at, name) for at, _, names in os.walk(os.path.join(root, "games")) for name in names)
    found = [os.path.relpath(path, root).replace(os.sep, "/") for path in inside if path.endswith(".py")]
    return _sources(root, sorted((*_SHARED, *found)))


def _sources(root: str, names: Iterable[str]) -> list[tuple[str, bytes]]:
    return [(name, data.replace(b"\r\n", b"\n")) for name, data in _contents(names, root)]


def _contents(names: Iterable[str], root: str = "") -> list[tuple[str, bytes]]:
    """Name and bytes of each file. A stranger may have chosen the names: read no pipe or device, and not too much."""
    found, left = [], LARGEST
    for name in names:
        path = os.path.join(root, name)
        try:
            if os.path.lexists(path) and not os.path.isfile(path):
                raise FileTrouble(t("{path} is not a regular file", path=files.printable(path)), _ADVICE)
            with open(path, "rb") as file:
                data = file.read(left + 1)
        except (OSError, ValueError) as error:
            why = t("{path} cannot be read: {error}", path=files.printable(path), error=files.reason(error))
            raise FileTrouble(why, _ADVICE, code="missing") from None
        left -= len(data)
        if left < 0:
            why = t("the files of a bot are larger than {largest} MiB", largest=LARGEST >> 20)
            raise Malformed(why, t("leave out files that it does not need"), code="too-large")
        found.append((name, data))
    return found


def is_ours(bot: Bot) -> bool:
    """Whether a bot belongs to a game: to this program, or to an installed game."""
    return not bot.program and ":" not in bot.run[0]


def refuse_other(name: str, bot: Bot) -> None:
    """Refuse to run anything but what was entered."""
    if hash_of(bot) != bot.hash:
        why = t("the files here are not those of the bot that {name} entered", name=name)
        raise Malformed(why, t("restore exactly the files that were entered"), code="other-bot")


def limits_of(limits: Limits) -> players.Limits:
    return players.Limits(
        start=limits.start / 1000,
        answer=limits.answer / 1000,
        bank=limits.bank / 1000,
        memory=limits.memory * 2**20,
        faults=limits.faults,
    )


def player_factory(bot: Bot, game: Game, *, confined: bool, hidden: Sequence[str]) -> Callable[[], players.BotPlayer]:
    """A function that makes players of this bot. They see the bot's files, and nothing in the hidden folders."""
    return players.find(bot.run if bot.program else bot.run[0], game, bot.files, hidden, confined=confined)
