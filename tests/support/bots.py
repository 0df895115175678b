"""Players of bots at a table of `Sitting`: what they answer is signed, accepted and judged."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from referee.bots.players import BotPlayer, Hello, Limits, Question
from referee.bots.playing import Fallback, SeatedPlayer, sign_round
from referee.engine.answers import seen
from referee.engine.rounds import asked
from referee.game import AnySeen
from tests.support.match import Sitting


def seated(
    sitting: Sitting, players: Sequence[BotPlayer], seeds: Sequence[bytes], limits: Limits | None = None,
    fallback: Fallback = "random",
) -> list[SeatedPlayer]:  # fmt: skip
    """These players at the first seats of this table, greeted."""
    table, chairs = sitting.match.table, []
    for seat, (player, seed) in enumerate(zip(players, seeds, strict=True)):
        chairs.append(SeatedPlayer(player, fallback))
        told = table.offer.game, table.game, table.terms, seat, table.names, seed
        chairs[-1].begin(Hello(*told, limits or Limits()))
    return chairs


def sight(sitting: Sitting) -> Callable[[int], AnySeen]:
    """What each seat knows."""
    match = sitting.match
    return lambda seat: seen(match.table.game, match.state, match.checkpoint.public, seat, match.faces)


def question(sitting: Sitting, chair: SeatedPlayer, seat: int, story: Any = ()) -> Question:
    """What this seat is asked now."""
    return chair._question(sitting.state, asked(sitting.state)[seat], sight(sitting)(seat), story)


def play(sitting: Sitting, chairs: Sequence[SeatedPlayer]) -> Iterator[int]:
    """Play a signed game to its end; yields the number of closed rounds after each."""
    match, story = sitting.match, list[Any]()
    while not match.state.end:
        told = match.state, sight(sitting), story
        given = {seat: chairs[seat].answer(*told) for seat in sorted(asked(match.state))}
        sign_round(match, sitting.players, sitting.marks, given)
        story.append((match.state.round, match.log))
        yield match.state.round
