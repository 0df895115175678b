"""Answers as people type them, written before anybody knows whether they are read: see README.md."""

import argparse
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from referee import games
from referee.bots.playing import bot_signs
from referee.engine.player import Draft, Opened, open_view
from referee.errors import RefereeError
from referee.language import speaking
from referee.show.typed import check, choices, read_answer
from referee.show.wording import move_text
from referee.testing.spoken import moves_of
from tests.support.match import Sitting, chance

GAMES = ("schwarzer-freitag", "mark", "schwarzmarkt", "weg-zum-erfolg")
POSITIONS = 25


class Place(NamedTuple):
    view: bytes
    kept: dict[int, Any] | None
    """What the seat's own tool kept of its sealed answers."""
    what: str
    text: str
    """A legal move, in English."""


def places(game_id: str, seed: str) -> Iterator[Place]:
    """Decisions in games among `sensible` bots, each with a legal move: every other time the one that is played. No
    question comes twice with the same move."""
    rng, had, number = random.Random(f"said {game_id} {seed}"), set[tuple[str, str]](), 0
    while True:
        number += 1
        sitting = Sitting(game_id, rng.randint(3, games.load(game_id).seats[1]), f"said {seed} {number}")
        wait = rng.randrange(12)
        while not sitting.over:
            played = {}
            for seat in sitting.asked:
                file = bot_signs(
                    sitting.place(seat), sitting.players[seat], "sensible",
                    chance(seed, "bot", number, sitting.round, seat), sitting.marks[seat],
                )  # fmt: skip
                played[seat] = sitting.kept(seat, file)
            opened = [one for one in map(sitting.opened, sitting.asked) if one.decides]
            if wait <= 0 and opened:
                one = rng.choice(opened)
                text = move_text(one.table, some_move(one, rng))
                what = one.ask.what if one.ask else ""
                if (what, text) not in had:
                    had.add((what, text))
                    yield Place(sitting.view(one.seat), sitting.own.get(one.seat), what, text)
                    wait = rng.randint(2, 12)
            wait -= 1
            for file in played.values():
                sitting.give(file)


def some_move(opened: Opened, rng: random.Random) -> object:
    """A legal move: of each line of the list, as people get it, as likely as another."""
    return rng.choice(list(moves_of(choices(opened), opened.table.game.move, rng)))


def reading(opened: Opened, language: str, line: str) -> Draft | str:
    with speaking(language):
        try:
            answer = read_answer(opened, line)
            check(opened, line, answer.move)
        except RefereeError as error:
            return f"{error.message} / {error.next}"
    return answer


def measure(sheet: Path, language: str, seed: str) -> None:
    """How many lines of a sheet are taken as what they mean, refused, and taken as anything else."""
    total = [0, 0, 0]
    for game_id in GAMES:
        _, _, lines = sheet.read_text("utf-8").partition(f"# {game_id}\n")
        said = re.findall(r"^(\d+): (.+?)(?: => (.+))?$", lines.partition("\n# ")[0], re.MULTILINE)
        found = list(zip(range(POSITIONS), places(game_id, seed), strict=False))
        counts = [0, 0, 0]
        for number, line, free in said:
            place = found[int(number) - 1][1]
            opened = open_view(place.view, place.kept)
            meant, read = reading(opened, "en", free or place.text), reading(opened, language, line)
            kind = 0 if read == meant else 1 if isinstance(read, str) else 2
            counts[kind] += 1
            if kind:
                read = read if isinstance(read, str) else f"READ AS {move_text(opened.table, read.move)}"
                sys.stdout.write(f"  {game_id} {number}: {line!r} (means {place.text!r}): {read}\n")
        sys.stdout.write(f"{game_id}: {counts[0]} read, {counts[1]} refused, {counts[2]} misread\n")
        total = [one + other for one, other in zip(total, counts, strict=True)]
    sys.stdout.write(f"{language}: {total[0]} of {sum(total)} read, {total[1]} refused, {total[2]} misread\n")


if __name__ == "__main__":
    asked = argparse.ArgumentParser()
    asked.add_argument("seed")
    asked.add_argument("--sheet", type=Path)
    asked.add_argument("--language", default="en")
    given = asked.parse_args()
    if given.sheet:
        measure(given.sheet, given.language, given.seed)
    else:
        for name in GAMES:
            sys.stdout.write(f"# {name}\n")
            for at, place in zip(range(1, POSITIONS + 1), places(name, given.seed), strict=False):
                sys.stdout.write(f"{at} {place.what}: {place.text}\n")
