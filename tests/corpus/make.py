"""Finished games that every later version must read as this one does. Run once for a version of the protocol:

python -m tests.corpus.make

One file per game, one transcript a line, compressed; `index.json` says what each is and how it ended. Games that are
here stay as they are: a new version of rules or protocol adds a folder of its own.
"""

import json
import lzma
import random
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from msgspec.structs import fields

from referee import games
from referee.bots.playing import bot_signs
from referee.errors import Usage
from referee.evidence.replay import open_transcript
from tests.support.match import Sitting, chance

FOLDER = Path(__file__).parent / "v1"
GAMES = ("mark", "schwarzer-freitag", "schwarzmarkt", "weg-zum-erfolg")
AT_LEAST = 25


def option_sets(game_id: str) -> list[Any]:
    """The defaults, and each option at each of its other values; then all of them at once."""
    form = games.load(game_id).options
    hints = get_type_hints(form)
    values = {
        one.name: (False, True) if hints[one.name] is bool else get_args(hints[one.name])
        for one in fields(form)
        if hints[one.name] is bool or get_origin(hints[one.name]) is Literal
    }
    plain = form()
    others = {name: [value for value in all_ if value != getattr(plain, name)] for name, all_ in values.items()}
    single = [form(**{name: value}) for name, left in others.items() for value in left]
    return [plain, *single, form(**{name: left[-1] for name, left in others.items()})]


def ways(game_id: str) -> Iterator[tuple[int, Any, int]]:
    """Seats, options and a number: every number of seats with every set of options, until there are enough."""
    low, high = games.load(game_id).seats
    every = list(product(range(low, high + 1), option_sets(game_id)))
    for number in range(max(AT_LEAST, len(every))):
        yield (*every[number % len(every)], number)


def play(game_id: str, seats: int, options: Any, number: int) -> Sitting:
    """A game in which deadlines are missed, standing orders are given, and in some of them somebody leaves."""
    rng = random.Random(f"{game_id} {number}")
    deadlines = {"deadline": 4320, "grace": 720} if number % 3 == 0 else {}
    sitting = Sitting(game_id, seats, f"corpus {number}", options, **deadlines)
    while not sitting.over:
        asked = sitting.asked
        there = sitting.match.waiting
        late = [seat for seat in asked if sitting.round and rng.random() < 0.02 and seat not in there]
        if len(late) == len(asked) == seats:
            late.pop()
        if number % 6 == 5 and sitting.round == 12 and not sitting.match.waiting:
            assert sitting.give(sitting.signed(asked[0], resign=True)).error is None
            continue
        for seat in asked:
            if seat in late or seat in sitting.match.waiting:
                continue
            words = sitting.some_words(seat, rng) if rng.random() < 0.05 else None
            bot = "random" if number % 4 == 1 and seat == 0 else "sensible"
            answer = bot_signs(
                sitting.place(seat), sitting.players[seat], bot, chance(number, seat), sitting.marks[seat]
            )
            judged = sitting.give(answer if words is None else sitting.saying(seat, words))
            assert judged.error is None, judged.error
        sitting.pass_over(late)
    return sitting


def about(sitting: Sitting) -> dict[str, Any]:
    """What a game of the corpus is, and what every later reader must find in it."""
    last = sitting.match.entries[-1]
    entries = [json.loads(bytes(one.body)) for one in sitting.match.entries]
    result = sitting.state.result
    return {
        "seats": sitting.table.seats,
        "options": json.loads(bytes(sitting.table.offer.options)),
        "rules": sitting.table.offer.rules,
        "rounds": sitting.round,
        "end": sitting.state.end,
        "timeouts": sum(len(entry.get("timeouts", ())) for entry in entries),
        "words": sum("standing" in answer for entry in entries for answer in entry["answers"]),
        "sealed": sum("commit" in answer for entry in entries for answer in entry["answers"]),
        "left": sum("resign" in answer for entry in entries for answer in entry["answers"]),
        "ranks": list(result.ranks) if result else [],
        "scores": [list(score) for score in result.scores] if result else [],
        "state": json.loads(bytes(last.body))["state"],
    }


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    index: dict[str, list[dict[str, Any]]] = {}
    for game_id in GAMES:
        lines = []
        for seats, options, number in ways(game_id):
            try:
                sitting = play(game_id, seats, options, number)
            except Usage:  # these options are not for so many players
                sitting = play(game_id, seats, games.load(game_id).options(), number)
            data = sitting.transcript()
            open_transcript(data)
            lines.append(data)
            index.setdefault(game_id, []).append(about(sitting))
        packed = lzma.compress(b"\n".join(lines) + b"\n", preset=9 | lzma.PRESET_EXTREME)
        (FOLDER / f"{game_id}.jsonl.xz").write_bytes(packed)
    text = json.dumps(index, indent=1, sort_keys=True)
    (FOLDER / "index.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
