"""Whole games between scripted players who use standing orders, and what is counted in them: for measuring by hand."""

import random
from collections import Counter
from collections.abc import Sequence
from time import process_time
from typing import Any, NamedTuple

from msgspec.structs import replace

from referee.game import LINK, Seen, Step
from referee.games.weg_zum_erfolg import GAME
from referee.games.weg_zum_erfolg.types import Deal, Words
from tests.support.plain import PlainDraws, bared, seen


class Game(NamedTuple):
    """How a game ended, and what was counted on the way."""

    step: Step
    counts: Counter[str]

    def share(self, seat: int) -> float:
        """Of the win: ties share it."""
        assert self.step.result is not None
        ranks = self.step.result.ranks
        return (ranks[seat] == 1) / ranks.count(1)


def play(terms: Deal, bots: Sequence[str], seed: object, words: bool = True) -> Game:
    """From the ack to the end; every bot says what it can for good, if `words`."""
    rng = random.Random(str(seed))
    draws = PlainDraws(GAME.bags(terms), rng, hands=GAME.hands)
    said = [_advice(terms, Seen(seat, None, (), {}), bots[seat], Words(), words) for seat in range(terms.seats)]
    step = GAME.setup(terms, draws, tuple(said))
    counts = Counter[str]()
    while step.pending:
        counts["rounds"] += 1
        answers: dict[int, Any] = {}
        for ask in step.pending:
            counts["answers"] += 1
            counts[f"asked {ask.what}"] += 1
            if ask.what != LINK:
                view = seen(step, draws, ask.seat)
                before = process_time()
                answers[ask.seat] = GAME.bots[bots[ask.seat]](terms, view, rng.randrange)
                counts[f"microseconds of {bots[ask.seat]}"] += round(1e6 * (process_time() - before))
                counts[f"decisions of {bots[ask.seat]}"] += 1
                said[ask.seat] = _advice(terms, view, bots[ask.seat], said[ask.seat], words)
        draws.next_step(answers)
        given = {ask.seat: bared(GAME, ask, answers.get(ask.seat)) for ask in step.pending}
        step = GAME.apply(terms, replace(step.public, standing=tuple(said)), step.pending, given, draws)
        counts.update(note.what for note in step.log)
        counts.update(f"card {note.values['card']}" for note in step.log if note.what in ("chance", "success"))
    return Game(step, counts)


def _advice(terms: Deal, view: Any, bot: str, said: Words, words: bool) -> Words:
    assert GAME.standing is not None
    found: Words | None = GAME.standing.advise(terms, view, bot) if words else None
    return found if found is not None else said
