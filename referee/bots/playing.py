"""Players at a table in memory: what they answer, round after round, in a game without signatures."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Literal

from referee.bots.players import BotPlayer, Fault, Hello, Limits, Question, Reply, Spent, chance
from referee.crypto.keys import Key
from referee.crypto.stream import Stream
from referee.engine.answers import seen
from referee.engine.host import Match, take_move, time_out
from referee.engine.parts import State
from referee.engine.player import Draft, Marks, Place, sign_answer
from referee.engine.rounds import ACK, asked
from referee.game import LINK, AnySeen, Ask, Note, Result, Seat
from referee.io.times import DAY, undated_deadline
from referee.light.game import Answer, LightGame

Fallback = Literal["random", "miss", "resign"]
"""What happens to a seat after a fault of its bot: the bot `random` moves for it, it misses the deadline, or it leaves
the game."""
Round = Mapping[Seat, Answer | None]
"""What the seats that were asked answered in a round; None: the seat missed the deadline."""
Story = Sequence[tuple[int, Sequence[Note]]]
"""Each closed round with what happened in it."""


def deadline_for(fallback: Fallback) -> int:
    """The deadline of an offer: a seat can only be timed out if the game has one."""
    return DAY if fallback == "miss" else 0


class SeatedPlayer:
    """A seat at a table: its player, and how much of the story the player has been told."""

    def __init__(self, player: BotPlayer, fallback: Fallback = "random") -> None:
        self.player, self.fallback = player, fallback
        self.faults: list[tuple[int, Fault]] = []
        """Each fault, with its round."""
        self._told = self._questions = 0
        self._words: object = None

    def begin(self, hello: Hello) -> None:
        """Greet the player. Its standing orders are given along when it agrees to the game."""
        self._hello = hello
        reply = self.player.begin(hello)
        self._words = reply.standing
        if reply.fault is not None:
            self.faults.append((1, reply.fault))

    def answer(self, state: State, sight: Callable[[Seat], AnySeen], story: Story) -> Answer | None:
        """The answer to the current question; None if the seat misses the deadline. `sight` tells what a seat knows,
        `story` has all rounds."""
        seat = self._hello.seat
        ask = asked(state)[seat]
        if ask.what == ACK:
            return Answer(standing=self._words)
        if ask.what == LINK or state.holding:
            return Answer()
        question = self._question(state, ask, sight(seat), story)
        reply = self.player.answer(question)
        if reply.fault is not None:
            self.faults.append((question.round, reply.fault))
            if self.fallback == "miss":
                return None
            if self.fallback == "resign":
                return Answer(resign=True)
            reply = self._random(question)
        return Answer(reply.move, reply.standing)

    def _question(self, state: State, ask: Ask, sight: AnySeen, story: Story) -> Question:
        news, self._told = story[self._told :], len(story)
        self._questions += 1
        return Question(self._questions, state.round + 1, ask, sight, news)

    def _random(self, question: Question) -> Reply:
        """A move of the bot `random`, with its own chance."""
        hello = self._hello
        seed = hashlib.sha256(b"instead" + hello.seed + question.round.to_bytes(8, "big")).digest()
        return Reply(hello.game.bots["random"](hello.terms, question.seen, Stream(seed).below))


def greet(
    game_id: str, game: LightGame, names: Sequence[str], chairs: Sequence[SeatedPlayer], seeds: Sequence[bytes],
    limits: Limits,
) -> None:  # fmt: skip
    """Greet all players of a game."""
    for seat, (chair, seed) in enumerate(zip(chairs, seeds, strict=True)):
        chair.begin(Hello(game_id, game.game, game.terms, seat, tuple(names), seed, limits))


def play(game: LightGame, chairs: Sequence[SeatedPlayer]) -> Iterator[Round]:
    """Play a game to its end; yields what was answered in each round. Time is counted in rounds, so a missed deadline
    passes at once."""
    story: list[tuple[int, Sequence[Note]]] = []
    while not game.state.end:
        given = {seat: chairs[seat].answer(game.state, game.seen, story) for seat in sorted(asked(game.state))}
        game.close(given)
        story.append((game.state.round, game.log))
        yield given


def play_out(
    game_id: str, game: LightGame, names: Sequence[str], chairs: Sequence[SeatedPlayer], seeds: Sequence[bytes],
    limits: Limits, rounds: int | None = None,
) -> tuple[list[Round], list[Spent]]:  # fmt: skip
    """Greet all players, play to the end or for this many rounds, and close all players, whatever happens."""
    try:
        greet(game_id, game, names, chairs, seeds, limits)
        played = list(islice(play(game, chairs), rounds))
    finally:
        spent = close(game.state.result if game.state.end else None, chairs)
    return played, spent


def close(result: Result | None, chairs: Sequence[SeatedPlayer]) -> list[Spent]:
    """Close all players; nothing of them is left running."""
    return [chair.player.close(result) for chair in chairs]


# --- with signatures --------------------------------------------------------------------------------------------------


def sign_round(match: Match, keys: Sequence[Key], marks: Sequence[Marks], given: Round) -> None:
    """Play a round of a signed game: every answer is signed, accepted and judged exactly as files from people are."""
    match.due = undated_deadline(match.state.round + 1)
    for seat, answer in given.items():
        if answer is None:
            time_out(match, seat)
            continue
        place = Place(match.table, match.checkpoint, seat, match.faces)
        data = sign_answer(keys[seat], place, Draft(*answer), marks[seat])
        if (error := take_move(match, data).error) is not None:
            raise error


def bot_signs(place: Place, key: Key, bot: str, seed: bytes, marks: Marks = ()) -> bytes:
    """The signed answer of a built-in bot, with standing orders if they cost it nothing; `seed` is its chance."""
    table, checkpoint, seat, faces = place
    ask, game = asked(checkpoint.state).get(seat), table.game
    known = seen(game, checkpoint.state, checkpoint.public, seat, faces)
    move = None
    if ask is not None and ask.what not in (ACK, LINK):
        move = game.bots[bot](table.terms, known, chance(seed, checkpoint.state.round + 1))
    words = game.standing.advise(table.terms, known, bot) if game.standing else None
    return sign_answer(key, place, Draft(move, words), marks)
