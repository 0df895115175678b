"""What an organiser writes: a TOML file with games, bots, schedule and limits."""

import tomllib
from typing import Annotated, Any

import msgspec

from referee import games
from referee.crypto.codec import raw, read
from referee.engine.names import check_name
from referee.engine.records import Empty32
from referee.engine.table import code_hash, make_terms
from referee.errors import Malformed, Usage
from referee.io import files
from referee.io.toml import explain_error
from referee.language import Text, quoted, run
from referee.misfits import why as misfit
from referee.tournament import t
from referee.tournament.documents import Bot, Label, Limits, Played, Schedule
from referee.tournament.entrants import is_ours, make_bot
from referee.tournament.schedule import Tally, plans

USUAL = {"start": 10_000, "answer": 2_000, "bank": 30_000, "memory": 1_024, "faults": 3, "fallback": "random"}
"""Defaults of the limits."""


class Written(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of what people write: unknown fields are errors."""


class GameLine(Written, frozen=True):
    """`[[games]]`"""

    game: str
    seats: Annotated[int, msgspec.Meta(ge=2, le=8)]
    name: Label | None = None
    options: dict[str, Any] = {}
    edition: str = ""
    """A file. Default: the game's own edition."""


class BotLine(Written, frozen=True):
    """`[[bots]]`"""

    name: Label
    run: str | list[str] = ""
    """A built-in bot or `module:function`; a list is a program with its arguments. Default: the name."""
    files: list[str] = []
    deterministic: bool | None = None
    """Default: false for programs, true for others."""


class Spec(Written, frozen=True):
    """The whole file."""

    name: str
    games: Annotated[list[GameLine], msgspec.Meta(min_length=1)]
    schedule: Schedule
    limits: Limits
    bots: list[BotLine] = []
    arbiter: Empty32 = ""
    """A public key, as `referee key` prints it."""


def read_spec(path: str) -> Spec:
    """Read a spec file; only its form is checked."""
    data = files.read(path, files.SMALL, "tournament file")
    try:
        written = tomllib.loads(data.decode())
        for name, usual in (("schedule", {"kind": "round-robin"}), ("limits", USUAL)):
            if isinstance(written.setdefault(name, {}), dict):
                written[name] = {**usual, **written[name]}
        return msgspec.convert(written, Spec)
    except UnicodeDecodeError:
        raise _bad(t("{path} cannot be read: it is not UTF-8", path=files.printable(path))) from None
    except tomllib.TOMLDecodeError as error:
        where, what = explain_error(error)
        why = t("{path} cannot be read at {where}: {what}", path=files.printable(path), where=where, what=what)
        raise _bad(why) from None
    except msgspec.ValidationError as error:
        raise _bad(t("{path} cannot be read: {error}", path=files.printable(path), error=misfit(error))) from None


def _bad(message: Text) -> Malformed:
    return Malformed(
        message, t("correct the file; {run} has an example", run=run("manual", "tournaments")), code="bad-spec"
    )


def played(line: GameLine) -> Played:
    """A game with its terms, which are checked."""
    game = games.load(line.game)
    data = files.read(line.edition, files.SMALL, "edition") if line.edition else games.edition_bytes(line.game)
    edition = read(data, game.edition, "edition")
    try:
        options = msgspec.convert(line.options, game.options)
    except msgspec.ValidationError as error:
        advice = t("see {run} for the options and their values", run=run("games", line.game))
        raise Usage(t("options of {game}: {error}", game=line.game, error=misfit(error)), advice) from None
    make_terms(game, line.seats, options, edition)
    name = line.name or line.game
    return Played(name, line.game, game.rules, code_hash(line.game), line.seats, raw(options), raw(edition))


def all_played(spec: Spec) -> tuple[Played, ...]:
    """All games of a spec; their names must differ."""
    check_name(spec.name)
    if spec.schedule.decide and (not spec.schedule.games or spec.schedule.kind in ("swiss", "knockout")):
        why = t("playing until it is decided needs a round robin or a gauntlet, and a maximum number of games")
        raise Usage(why, t("for example, set kind = 'round-robin' and games = 1000"))
    found = tuple(played(line) for line in spec.games)
    names = [one.name for one in found]
    for name in names:
        if names.count(name) > 1:
            why = t("two games are called {name}", name=name)
            raise Usage(why, t("give one of them another `name`"), code="two-names")
    return found


def all_bots(spec: Spec) -> dict[str, Bot]:
    """The bots of a spec, with the hashes of their files as they are now."""
    found: dict[str, Bot] = {}
    for line in spec.bots:
        if line.name.lower() in map(str.lower, found):
            why = t("two bots are called {name}", name=line.name)
            raise Usage(why, t("give one of them another name"), code="two-names")
        program = isinstance(line.run, list)
        words = line.run if isinstance(line.run, list) else [line.run or line.name]
        fixed = not program if line.deterministic is None else line.deterministic
        found[line.name] = make_bot(words, program=program, more=line.files, deterministic=fixed)
    for name, bot in found.items():
        _refuse_unknown(spec, name, bot)
    return found


def _refuse_unknown(spec: Spec, name: str, bot: Bot) -> None:
    """A built-in bot must exist in every game of the spec."""
    for line in spec.games if is_ours(bot) else ():
        if bot.run[0] not in games.load(line.game).bots:
            word = quoted(bot.run[0][:40])
            why = t("{name} should be the bot {run}, which {game} does not have", game=line.game, run=word, name=name)
            raise Usage(why, t("name a bot of the game, module:function or a program"), code="no-bot")


def count_games(schedule: Schedule, seats: list[int], names: list[str]) -> int:
    """The most games that a schedule can have: this depends neither on the seed nor on who wins."""
    waves = plans(schedule, seats, names, bytes(32), Tally(len(names)))
    return sum(1 for wave in waves for _ in wave)
