"""Two equal copies, and a planted weaker one, in real tournaments that run until it is decided who is stronger."""

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

import msgspec

from referee.crypto.codec import H
from referee.tournament import documents as d
from referee.tournament.entrants import make_bot
from referee.tournament.spec import GameLine, played
from referee.tournament.summary import Results
from tests.tournament import world

GAMES = {"schwarzer-freitag": 2, "mark": 2, "weg-zum-erfolg": 2, "schwarzmarkt": 3}
"""Each with the fewest seats that it can have; whoever has two seats of three has one of them in the next deal."""
OTHERS = ("steady", "careless")
MOST = 400


def decided(game: str, other: str, seed: str, decide: int) -> tuple[str, int]:
    """One tournament of `steady` against another bot: the verdict, and how many games it took."""
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home) / "cup"
        desk = world.desk_in(folder)
        schedule = d.Schedule("round-robin", games=MOST, decide=decide)
        terms = (played(GameLine(game, GAMES[game])),)
        desk.commit("Copies", terms, schedule, world.USUAL_LIMITS, H("tournament-trial", "copies", seed))
        bots = {"one": "steady", "two": other}
        desk.enter({name: make_bot([f"tests.campaign.copies:{bot}"], program=False) for name, bot in bots.items()})
        desk.close()
        desk.start(unconfined=True)
        world.finish(desk)
        results = msgspec.json.decode((folder / "results.json").read_bytes(), type=Results)
    (verdict,) = results.total.verdicts
    return {"first": results.entrants[verdict.first], "second": results.entrants[verdict.second]}.get(
        verdict.stronger, verdict.stronger or "open"
    ), results.total.games


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--decide", type=int, default=200)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--game", action="append", choices=GAMES)
    parser.add_argument("--against", action="append", choices=OTHERS)
    asked = parser.parse_args()
    for game in asked.game or GAMES:
        for other in asked.against or OTHERS:
            found = [
                decided(game, other, f"{asked.seed} {at} {game} {other}", asked.decide) for at in range(asked.times)
            ]
            counts, games = Counter(name for name, _ in found), sorted(count for _, count in found)
            said = ", ".join(f"{name} {often}" for name, often in sorted(counts.items()))
            middle = games[len(games) // 2]
            sys.stdout.write(f"{game:18} steady against {other:9} {said}; games: median {middle}, most {games[-1]}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
