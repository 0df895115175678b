"""Moves and standing words, printed in every language and read back in any spelling: see README.md."""

import argparse
import random
import sys

from referee import games
from referee.lexicon import read_words
from referee.testing.spoken import read_back, words_mean_one_thing
from referee.testing.subject import Subject


def run(game_id: str, moments: int, seed: str) -> int:
    """How many texts were read back as the very same move or words."""
    subject, rng = Subject(game_id), random.Random(seed)
    words_mean_one_thing(subject)
    lexicon = read_words(games.words_bytes(game_id))
    return sum(read_back(subject, moment, lexicon, rng) for moment in subject.moments(moments, seed))


if __name__ == "__main__":
    asked = argparse.ArgumentParser()
    asked.add_argument("--moments", type=int, default=1000)
    asked.add_argument("--seed", default="1")
    given = asked.parse_args()
    for name in games.game_ids():
        if games.words_bytes(name) != b"{}":
            sys.stdout.write(f"{name}: {run(name, given.moments, given.seed)} texts read back\n")
            sys.stdout.flush()
