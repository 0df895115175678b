"""Moves and standing orders, printed in every language and read back in any spelling, also with a wrong letter: see
README.md."""

import argparse
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any
from unicodedata import normalize

from referee import games
from referee.engine.player import Draft, Opened
from referee.errors import RefereeError
from referee.language import LANGUAGES, speaking
from referee.lexicon import long_and_bare, read_words
from referee.show.typed import choices, read_answer
from referee.show.wording import move_text
from referee.testing.spoken import moves_of, read_back, words_mean_one_thing
from referee.testing.subject import Subject
from tests.support.consult import consult
from tests.support.match import Sitting

SLIPS = 8
"""This many texts with a wrong letter are typed for each move in each language."""


def run(game_id: str, moments: int, seed: str) -> int:
    """How many texts were read back as the very same move or words, by the game and its words alone."""
    subject, rng = Subject(game_id), random.Random(seed)
    words_mean_one_thing(subject)
    lexicon = read_words(games.words_bytes(game_id))
    return sum(read_back(subject, moment, lexicon, rng) for moment in subject.moments(moments, seed))


def people(game_id: str, moves: int, seed: str) -> Counter[str]:
    """What became of texts as people type them, while any language is spoken: each is the move or, with a wrong letter,
    refused."""
    rng, found, number = random.Random(seed), Counter[str](), 0
    while True:
        number += 1
        sitting = Sitting(game_id, seed=f"{seed} {number}")
        while not sitting.over:
            for opened in filter(lambda one: one.decides, map(sitting.opened, sitting.asked)):
                for move in moves_of(choices(opened), opened.table.game.move, rng):
                    check_move(opened, move, rng, found)
                    if found["moves"] == moves:
                        return found
            for _ in range(rng.randint(1, 4)):
                if not sitting.over:
                    sitting.step()


def check_move(opened: Opened, move: Any, rng: random.Random, found: Counter[str]) -> None:
    meant = Draft(move, None)
    found["moves"] += 1
    for language in LANGUAGES:
        with speaking(language):
            text = move_text(opened.table, move)
        for typed in spelled(text):
            assert read(opened, typed, rng) == meant, (
                f"{typed!r} is read as {read(opened, typed, rng)}, not as {text!r}"
            )
            found["texts"] += 1
        for typed in slips(text, rng):
            again = read(opened, typed, rng)
            found["refused" if isinstance(again, str) else "same" if again == meant else "illegal"] += 1
            assert isinstance(again, str) or again == meant or not is_legal(opened, again), f"{typed!r}: {again}"


def read(opened: Opened, typed: str, rng: random.Random) -> Draft | str:
    with speaking(rng.choice(sorted(LANGUAGES))):
        try:
            return read_answer(opened, typed)
        except RefereeError as error:
            return str(error)


def is_legal(opened: Opened, answer: Draft) -> bool:
    try:
        consult(opened, opened.table.game.check, answer.move)
    except RefereeError:
        return False
    return True


def spelled(text: str) -> Iterator[str]:
    """A line as programs, keyboards and people write it."""
    yield from (text, text.upper(), text.title(), *long_and_bare(text), normalize("NFD", text), text.replace("ij", "ĳ"))
    yield from (
        f"{text}.",
        f"„{text}“",
        f"`{text}`.",
        f"  {text}!",
        text.replace(" ", "\u00a0"),
        text.replace(" ", "  "),
    )
    yield from (text.replace("ß", "ẞ"), text.replace("i", "ı"), text.replace(", ", ","), text.replace(", ", " , "))


def slips(text: str, rng: random.Random) -> Iterator[str]:
    """The same with one letter lost, doubled with another, exchanged, or in the wrong place."""
    places = [found.start() + n for found in re.finditer(r"[^\W\d_]{2,}", text) for n in range(len(found[0]))]
    for at in rng.choices(places, k=SLIPS) if places else ():
        other = rng.choice("abcdefghijklmnopqrstuvwxyzäöü")
        yield text[:at] + rng.choice(("", other, other + text[at], text[at + 1 : at + 2] + text[at])) + text[at + 1 :]


if __name__ == "__main__":
    asked = argparse.ArgumentParser()
    asked.add_argument("--moments", type=int, default=1000)
    asked.add_argument("--moves", type=int, default=1000)
    asked.add_argument("--seed", default="1")
    given = asked.parse_args()
    for name in games.game_ids():
        if games.words_bytes(name) != b"{}":
            told = people(name, given.moves, given.seed)
            sys.stdout.write(f"{name}: {run(name, given.moments, given.seed)} texts read back; {dict(told)}\n")
            sys.stdout.flush()
