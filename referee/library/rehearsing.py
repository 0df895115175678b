"""A practice game on disk, so that its player can leave and continue it; and the guided opening of a game."""

import os
from collections.abc import Sequence

import msgspec

from referee import games
from referee.crypto.codec import encode
from referee.errors import Malformed, RefereeError, Usage
from referee.io import files
from referee.language import ENGLISH, current_language, run
from referee.library import t
from referee.library.data import Json, ReadMove
from referee.library.practising import Answered, Practice, start_practice
from referee.library.tables import pairs, read_options

USUAL = 3
"""The number of players, if the game can be played with it."""


class Kept(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game as it is stored: how it began, and every answer."""

    game: str
    rules: str
    seats: int
    seat: int
    level: str
    seed: str
    options: dict[str, Json]
    edition: str = ""
    """As JSON; empty: the default one."""
    guided: bool = False
    """Whether it is the game of the guided opening."""
    answers: tuple[Answered, ...] = ()


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One step of a guided opening."""

    ask: str
    """What is asked then."""
    move: Json
    """The move that is proposed."""
    say: dict[str, str]
    """Language -> what you see, what you can do, and why this move."""


class Guide(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`guide.json` of a game: a fixed deal, and its first moves explained."""

    seats: int
    seed: str
    steps: tuple[Step, ...]


def guide_of(game_id: str) -> Guide | None:
    """The guided opening of a game, if it has one."""
    data = games.guide_bytes(game_id)
    return msgspec.json.decode(data, type=Guide) if data else None


def opening(game_id: str, wanted: bool | None, given: str) -> Guide | None:
    """The guided opening, unless it is not `wanted`. It is a game of its own, so no option can be `given`."""
    if wanted and given:
        raise Usage(t("the guided opening is a game of its own: {option} cannot be chosen", option=given),
                    t("leave --guide or {option} out", option=given))  # fmt: skip
    found = None if wanted is False or given else guide_of(game_id)
    if wanted and found is None:
        raise Usage(t("this game has no guided opening"), t("leave --guide out"))
    return found


def step_of(guide: Guide | None, answers: Sequence[Answered]) -> Step | None:
    """What the guide says next; nothing once the player has answered otherwise."""
    if guide is None or len(answers) >= len(guide.steps):
        return None
    done, proposed = [*answers], [Answered(step.move) for step in guide.steps[: len(answers)]]
    return guide.steps[len(answers)] if encode(done) == encode(proposed) else None


def explained(step: Step) -> list[str]:
    """What a step says, by paragraph."""
    return (step.say.get(current_language()) or step.say[ENGLISH]).split("\n")


def path_of(game_id: str) -> str:
    """Where practice games are stored: one for each game."""
    return os.path.join(files.home(), "practice", f"{game_id}.json")


def find(game_id: str) -> Kept | None:
    """The game that was left, if there is one."""
    path = path_of(game_id)
    if not os.path.exists(path):
        return None
    try:
        return msgspec.json.decode(files.read(path, files.LARGE, "file"), type=Kept)
    except msgspec.MsgspecError:
        advice = t("begin another game with {run}", run=run("practice", game_id, "--new"))
        raise Malformed(t("{file} is not a practice game", file=files.printable(path)), advice) from None


def keep(kept: Kept) -> None:
    """Write the current state of a game."""
    path = path_of(kept.game)
    files.write({path: encode(kept)}, secret=[path], make=[os.path.dirname(path)])


def forget(game_id: str) -> None:
    """A game that is over is not kept."""
    if os.path.exists(path := path_of(game_id)):
        os.remove(path)


def resume(kept: Kept) -> Practice:
    """The game where it was left, replayed from its answers."""
    edition = kept.edition.encode() or None
    game = start_practice(kept.game, kept.seats, kept.seat, kept.level, kept.seed, kept.options, edition)
    try:
        if games.load(kept.game).rules != kept.rules:
            raise Usage(t("the rules of the game have changed"))
        for answer in kept.answers:
            game.play(ReadMove("", answer.move, answer.standing))
    except RefereeError as error:
        why = t("the game that you left cannot be continued: {why}", why=error.message)
        raise Usage(why, t("begin another one with {run}", run=run("practice", kept.game, "--new"))) from None
    return game


def begun(
    game_id: str, seats: int | None, seat: int, level: str, seed: str, options: Sequence[str], edition: str | None
) -> Kept:
    """A new game, before the first move."""
    game = games.load(game_id)
    low, high = game.seats
    return Kept(
        game=game_id,
        rules=game.rules,
        seats=min(high, max(low, USUAL)) if seats is None else seats,
        seat=seat,
        level=level,
        seed=seed,
        options=msgspec.to_builtins(read_options(game.options, pairs(options))),
        edition="" if edition is None else files.read(edition, files.LARGE, "edition").decode("utf-8", "replace"),
    )


def explained_game(game_id: str, guide: Guide) -> Kept:
    """A new game, the one that the guided opening explains."""
    return Kept(game_id, games.load(game_id).rules, guide.seats, 0, "sensible", guide.seed, {}, guided=True)
