"""Whole games among bots who give the standing orders that cost them nothing, as they do in games by mail."""

import random
from collections import Counter
from collections.abc import Sequence
from time import process_time
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from referee import games
from referee.game import LINK, AnyTerms, Game, Note, Seat, Seen, Step, Terms
from tests.support.plain import PlainDraws, bared, seen


class Played(NamedTuple):
    """How a game ended, what was told, and what was counted on the way."""

    step: Step
    story: list[Note]
    counts: Counter[str]
    """`rounds`, `answers`, `asked WHAT`, `decisions of BOT`, `microseconds of BOT`, and every word of the story."""

    @property
    def winners(self) -> list[Seat]:
        """The seats that share the first place."""
        assert self.step.result is not None
        return [seat for seat, rank in enumerate(self.step.result.ranks) if rank == 1]

    def share(self, seat: Seat) -> float:
        """What part of the win a seat has."""
        return (seat in self.winners) / len(self.winners)


def terms_of(game_id: str, seats: int) -> AnyTerms:
    """A game with its default options, for this number of players."""
    game = games.load(game_id)
    return Terms(seats, game.options(), msgspec.json.decode(games.edition_bytes(game_id), type=game.edition))


def play(game: Game, terms: AnyTerms, bots: Sequence[str], seed: str, *, words: bool = True) -> Played:
    """A game with one bot for each seat; without `words` nobody gives standing orders."""
    rng, counts = random.Random(seed), Counter[str]()
    draws = PlainDraws(game.bags(terms), rng, hands=game.hands)
    said: list[Any] = []
    if game.standing:
        nothing = game.standing.words()
        said = [_said(game, terms, Seen(seat, None, (), {}), bot, nothing, words) for seat, bot in enumerate(bots)]
    step = game.setup(terms, draws, *((tuple(said),) if said else ()))
    story = [*step.log]
    while step.pending:
        counts["rounds"] += 1
        moves: dict[Seat, Any] = {}
        for ask in step.pending:
            view, bot = seen(step, draws, ask.seat), bots[ask.seat]
            counts.update(("answers", f"asked {ask.what}"))
            if ask.what != LINK:
                before = process_time()
                moves[ask.seat] = game.bots[bot](terms, view, rng.randrange)
                counts[f"microseconds of {bot}"] += round(1e6 * (process_time() - before))
                counts[f"decisions of {bot}"] += 1
            if said:
                said[ask.seat] = _said(game, terms, view, bot, said[ask.seat], words)
        draws.next_step(moves)
        answers = {ask.seat: bared(game, ask, moves.get(ask.seat)) for ask in step.pending}
        public = replace(step.public, standing=tuple(said)) if said else step.public
        step = game.apply(terms, public, step.pending, answers, draws)
        story += step.log
    counts.update(note.what for note in story)
    return Played(step, story, counts)


def _said(game: Game, terms: AnyTerms, view: Seen[Any], bot: str, before: Any, words: bool) -> Any:
    """The standing orders of a seat after an answer."""
    assert game.standing is not None
    return (game.standing.advise(terms, view, bot) if words else None) or before
