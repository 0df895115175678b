"""The JavaScript verifier beside the second one: `python -m tests.campaign.javascript --games 40 --seed 1`."""

import argparse
import sys
from collections import Counter

from tests.independent.test_agreement import GAMES
from tests.page.test_agreement import honest, same_codes, transcripts, views


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    files, codes = 0, Counter[str]()
    for number in range(given.games):
        game_id, seed = GAMES[number % len(GAMES)], given.seed * 1_000_000 + number
        files += honest(game_id, seed, 150)
        codes += same_codes(views(game_id, seed))
        if game_id == "auction":
            codes += same_codes(transcripts(seed, 1))
        sys.stdout.write(f"{number + 1} games, {files} honest files, {codes.total()} tampered with\n")
        sys.stdout.flush()
    sys.stdout.write(", ".join(f"{code} {count}" for code, count in codes.most_common()) + "\n")


if __name__ == "__main__":
    main()
