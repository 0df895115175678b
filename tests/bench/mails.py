"""How many mails a game takes: rounds, answers, and how many of these were a decision at all: an answer to a question
that is not nearly always answered in the same words.

    python -m tests.bench.mails [games of each kind] [game ...]

Bots that play sensibly and say standing orders wherever these cost them nothing; nothing is signed, so it is quick.
"""

import random
import statistics
import sys
from collections import Counter
from typing import Any

import msgspec

from referee import games
from referee.crypto.codec import read
from referee.engine.table import make_terms
from referee.game import LINK, Seen, Step, Terms
from tests.support.plain import PlainDraws, bared

FOREGONE = 0.95
"""A question that is answered alike so often is none that somebody thinks about."""


class Count:
    """Of one game: rounds, answers, answers with a bare link only, and to each question what was answered."""

    def __init__(self) -> None:
        self.rounds, self.answers, self.bare = 1, 0, 0
        self.said: dict[str, Counter[str]] = {}


def play(game_id: str, seats: int, seed: int, bot: str = "sensible") -> Count:
    """One whole game; the ack is round 1 and an answer of everybody."""
    game = games.load(game_id)
    terms: Terms[Any, Any] = make_terms(
        game, seats, game.options(), read(games.edition_bytes(game_id), game.edition, "edition")
    )
    rng, count = random.Random(f"{game_id} {seats} {seed}"), Count()
    count.answers = count.bare = seats
    draws = PlainDraws(game.bags(terms), rng, hands=game.hands)
    words = []
    if game.standing is not None:
        said = [game.standing.advise(terms, Seen(seat, None, (), {}), bot) for seat in range(seats)]
        words = [tuple(one or game.standing.words() for one in said)]
    step: Step = game.setup(terms, draws, *words)
    while step.pending:
        count.rounds += 1
        step = _round(game, terms, step, draws, rng, count, bot)
    return count


def _round(game: Any, terms: Any, step: Step, draws: PlainDraws, rng: random.Random, count: Count, bot: str) -> Step:
    answers: dict[int, Any] = {}
    public = step.public
    for ask in step.pending:
        seen = Seen(ask.seat, step.public, step.pending, draws.tokens(ask.seat))
        count.answers += 1
        if game.standing is not None:
            said = game.standing.advise(terms, seen, bot)
            if said is not None:
                public = _say(public, ask.seat, said)
        if ask.what == LINK:
            count.bare += 1
            answers[ask.seat] = None
            continue
        move = answers[ask.seat] = game.bots[bot](terms, seen, rng.randrange)
        count.said.setdefault(ask.what, Counter())[game.text(move)] += 1
    draws.next_step({seat: move for seat, move in answers.items() if move is not None})
    asks = {ask.seat: ask for ask in step.pending}
    given = {seat: bared(game, asks[seat], move) for seat, move in answers.items()}
    return game.apply(terms, public, step.pending, given, draws)  # type: ignore[no-any-return]


def _say(public: Any, seat: int, said: Any) -> Any:
    words = list(public.standing)
    words[seat] = said
    return msgspec.structs.replace(public, standing=tuple(words))


def _thought_about(found: list[Count]) -> int:
    """Answers to questions that are not nearly always answered alike."""
    said: dict[str, Counter[str]] = {}
    for one in found:
        for what, texts in one.said.items():
            said.setdefault(what, Counter()).update(texts)
    return sum(texts.total() for texts in said.values() if max(texts.values()) < FOREGONE * texts.total())


def main(number: int = 40, *only: str) -> None:
    print(f"{'game':20}{'players':>8}{'rounds':>9}{'p90':>6}{'answers':>9}{'each':>7}{'bare':>7}{'decided':>9}")
    for game_id in only or games.game_ids():
        low, high = games.load(game_id).seats
        for seats in range(low, high + 1):
            found = [play(game_id, seats, seed) for seed in range(number)]
            rounds = sorted(one.rounds for one in found)
            answers = statistics.mean(one.answers for one in found)
            bare = sum(one.bare for one in found) / sum(one.answers for one in found)
            chosen = _thought_about(found) / sum(one.answers for one in found)
            print(
                f"{game_id:20}{seats:8}{statistics.mean(rounds):9.1f}{rounds[len(rounds) * 9 // 10]:6}{answers:9.1f}"
                f"{answers / seats:7.1f}{bare:7.0%}{chosen:9.0%}"
            )


if __name__ == "__main__":
    main(*(int(text) if text.isdigit() else text for text in sys.argv[1:]))  # type: ignore[arg-type]
