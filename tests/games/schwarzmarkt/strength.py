"""How much better `strong` plays than `sensible`: one strong seat, which goes round the table, against sensible ones.

python -m tests.games.schwarzmarkt.strength --seats 4 --games 100 --seed 1
"""

import argparse
import random
import sys
import time
from collections.abc import Mapping
from math import erfc, sqrt
from typing import Any

from msgspec.structs import replace

from referee.game import LINK, Note, Seen, Step
from referee.games.schwarzmarkt import GAME
from referee.games.schwarzmarkt.types import Deal
from referee.playout import PlainDraws

from .build import deal


def played(terms: Deal, bots: Mapping[int, str], rng: random.Random) -> tuple[Step, list[Note], int]:
    """A game between bots, who say what they are advised to say; the last step, the story, the number of rounds."""
    assert GAME.standing is not None
    draws, seats = PlainDraws(GAME.bags(terms), rng.randrange), range(terms.seats)
    advise, nothing = GAME.standing.advise, GAME.standing.words()
    first = tuple(advise(terms, Seen(seat, None, (), {}), bots[seat]) or nothing for seat in seats)
    step, rounds = GAME.setup(terms, draws, first), 1
    story = [*step.log]
    while step.pending:
        moves: dict[int, Any] = {}
        said = list(step.public.standing)
        for ask in step.pending:
            tokens = {f"{hand}/{ask.seat}": draws.content(f"{hand}/{ask.seat}") for hand in GAME.hands}
            seen = Seen(ask.seat, step.public, step.pending, tokens)
            if ask.what != LINK:
                moves[ask.seat] = GAME.bots[bots[ask.seat]](terms, seen, rng.randrange)
                GAME.check(terms, seen, moves[ask.seat])
            said[ask.seat] = advise(terms, seen, bots[ask.seat]) or said[ask.seat]
        draws.next_step(moves)
        answers = {ask.seat: moves.get(ask.seat) for ask in step.pending}
        step = GAME.apply(terms, replace(step.public, standing=tuple(said)), step.pending, answers, draws)
        story += step.log
        rounds += 1
    return step, story, rounds


def share(step: Step, seat: int) -> float:
    """What a seat has won of a game: ties are shared."""
    assert step.result is not None
    winners = step.result.ranks.count(1)
    return (step.result.ranks[seat] == 1) / winners


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seats", type=int, default=4)
    options.add_argument("--games", type=int, default=100)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--bot", default="strong")
    chosen = options.parse_args()
    won, lead, begin = 0.0, 0, time.process_time()
    for number in range(chosen.games):
        seat = number % chosen.seats
        bots = {at: chosen.bot if at == seat else "sensible" for at in range(chosen.seats)}
        step, _, _ = played(deal(chosen.seats), bots, random.Random(f"{chosen.seed} {number}"))
        luxury = [player.luxury for player in step.public.players]
        won += share(step, seat)
        lead += luxury[seat] - max(luxury[at] for at in range(chosen.seats) if at != seat)
        sys.stderr.write(f"{number + 1} games, {won:.1f} won\n")
    even, games = 1 / chosen.seats, chosen.games
    z = (won - games * even) / sqrt(games * even * (1 - even))
    told = (
        f"{chosen.seats} seats, {games} games: {chosen.bot} won {won:.1f}",
        f"{won / games:.0%} where {even:.0%} would be even",
        f"z = {z:.1f}, p = {erfc(z / sqrt(2)) / 2:.2g}",
        f"mean lead {lead / games:.0f}",
        f"{(time.process_time() - begin) / games:.1f} s a game",
    )
    sys.stdout.write("; ".join(told) + "\n")


if __name__ == "__main__":
    main()
