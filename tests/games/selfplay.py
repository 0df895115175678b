"""Whole games among bots who give the standing orders that cost them nothing, as they do in games by mail."""

import random
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from referee import games
from referee.game import LINK, AnyTerms, Game, Note, Result, Seat, Seen, Step, Terms
from tests.support.plain import PlainDraws, bared, seen


def terms_of(game_id: str, seats: int) -> AnyTerms:
    """A game as it is without options, for so many players."""
    game = games.load(game_id)
    return Terms(seats, game.options(), msgspec.json.decode(games.edition_bytes(game_id), type=game.edition))


def play(game: Game, terms: AnyTerms, bots: Sequence[str], seed: str) -> tuple[Step, list[Note], int]:
    """The last step, the story and the number of rounds of a game, with one bot for each seat."""
    rng = random.Random(seed)
    draws = PlainDraws(game.bags(terms), rng, hands=game.hands)
    said: list[Any] = []
    if game.standing:
        nothing = game.standing.words()
        said = [_said(game, terms, Seen(seat, None, (), {}), bot, nothing) for seat, bot in enumerate(bots)]
    step = game.setup(terms, draws, *((tuple(said),) if said else ()))
    story, rounds = [*step.log], 1
    while step.pending:
        moves: dict[Seat, Any] = {}
        for ask in step.pending:
            view, bot = seen(step, draws, ask.seat), bots[ask.seat]
            if ask.what != LINK:
                moves[ask.seat] = game.bots[bot](terms, view, rng.randrange)
            if said:
                said[ask.seat] = _said(game, terms, view, bot, said[ask.seat])
        draws.next_step(moves)
        answers = {ask.seat: bared(game, ask, moves.get(ask.seat)) for ask in step.pending}
        public = replace(step.public, standing=tuple(said)) if said else step.public
        step = game.apply(terms, public, step.pending, answers, draws)
        story += step.log
        rounds += 1
    return step, story, rounds


def _said(game: Game, terms: AnyTerms, view: Seen[Any], bot: str, before: Any) -> Any:
    """The standing orders of a seat after an answer."""
    assert game.standing is not None
    return game.standing.advise(terms, view, bot) or before


def winners(result: Result | None) -> list[Seat]:
    """The seats that share the first place."""
    assert result is not None
    return [seat for seat, rank in enumerate(result.ranks) if rank == 1]
