"""Writes `seats.json` of our games: which seats won games among `sensible` bots, which `referee games GAME` sums up.

python -m tests.games.seats [GAME ...] --games 200

Run it after a change of a game's rules or of its bot `sensible`: `tests/games/test_seats.py` replays some of the games.
"""

import argparse
import json
import sys
from pathlib import Path

from referee import games
from tests.games.selfplay import play, terms_of

BOT = "sensible"
FOLDER = Path(games.__file__).parent


def won(game_id: str, seats: int, number: int) -> str:
    """Who won the game of this number: a seat, or several with `+` between them."""
    game = play(games.load(game_id), terms_of(game_id, seats), [BOT] * seats, f"{game_id} {seats} {number}")
    return "+".join(map(str, game.winners))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    ours = [game_id for game_id in games.game_ids() if (FOLDER / game_id.replace("-", "_")).is_dir()]
    parser.add_argument("game", nargs="*", default=ours)
    parser.add_argument("--games", type=int, default=200)
    given = parser.parse_args()
    for game_id in given.game:
        low, high = games.load(game_id).seats
        found = {}
        for seats in range(low, high + 1):
            found[str(seats)] = " ".join(won(game_id, seats, number) for number in range(given.games))
            sys.stderr.write(f"{game_id}, {seats} players: {given.games} games\n")
        data = {"rules": games.load(game_id).rules, "bot": BOT, "won": found}
        (FOLDER / game_id.replace("-", "_") / "seats.json").write_text(json.dumps(data, indent=1) + "\n")


if __name__ == "__main__":
    main()
