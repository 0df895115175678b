"""Players at a table in memory: every answer is signed, accepted and judged exactly as files from people are."""

import hashlib
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Literal

from referee.bots.players import BotPlayer, Fault, Hello, Limits, Question, Reply, Spent, chance
from referee.crypto.keys import Key
from referee.crypto.stream import Stream
from referee.engine.answers import seen
from referee.engine.host import Match, take_move, time_out
from referee.engine.player import Draft, Marks, Place, sign_answer
from referee.engine.rounds import ACK, asked
from referee.game import LINK, Ask, Note
from referee.io.times import DAY, undated_deadline

Fallback = Literal["random", "miss", "resign"]
"""What happens to a seat after a fault of its bot: the bot `random` moves for it, it misses the deadline, or it leaves
the game."""


def deadline_for(fallback: Fallback) -> int:
    """The deadline of an offer: a seat can only be timed out if the game has one."""
    return DAY if fallback == "miss" else 0


class SeatedPlayer:
    """A seat at a table: its player, its key, and how much of the story the player has been told."""

    def __init__(self, player: BotPlayer, key: Key, marks: Marks = (), fallback: Fallback = "random") -> None:
        self.player, self.key, self.marks, self.fallback = player, key, marks, fallback
        self.faults: list[tuple[int, Fault]] = []
        """Each fault, with its round."""
        self._told = self._questions = 0
        self._words: object = None

    def begin(self, match: Match, seat: int, seed: bytes, limits: Limits) -> None:
        """Greet the player. Its standing orders are sent along when it agrees to the game."""
        table = match.table
        self._hello = Hello(table.offer.game, table.game, table.terms, seat, table.names, seed, limits)
        reply = self.player.begin(self._hello)
        self._words = reply.standing
        if reply.fault is not None:
            self.faults.append((1, reply.fault))

    def answer(self, match: Match, seat: int, story: Sequence[tuple[int, Sequence[Note]]]) -> bytes | None:
        """The signed answer to the current question; None if the seat misses the deadline. `story` has all rounds."""
        place, ask = Place(match.table, match.checkpoint, seat, match.faces), asked(match.state)[seat]
        if ask.what == ACK:
            return sign_answer(self.key, place, Draft(standing=self._words), self.marks)
        if ask.what == LINK or match.state.holding:
            return sign_answer(self.key, place, marks=self.marks)
        question = self._question(match, ask, story)
        reply = self.player.answer(question)
        if reply.fault is not None:
            self.faults.append((question.round, reply.fault))
            if self.fallback == "miss":
                return None
            if self.fallback == "resign":
                return sign_answer(self.key, place, Draft(resign=True), self.marks)
            reply = self._random(question)
        return sign_answer(self.key, place, Draft(reply.move, reply.standing), self.marks)

    def _question(self, match: Match, ask: Ask, story: Sequence[tuple[int, Sequence[Note]]]) -> Question:
        state = match.state
        sight = seen(match.table.game, state, match.checkpoint.public, ask.seat, match.faces)
        news, self._told = story[self._told :], len(story)
        self._questions += 1
        return Question(self._questions, state.round + 1, ask, sight, news)

    def _random(self, question: Question) -> Reply:
        """A move of the bot `random`, with its own chance."""
        hello = self._hello
        seed = hashlib.sha256(b"instead" + hello.seed + question.round.to_bytes(8, "big")).digest()
        return Reply(hello.game.bots["random"](hello.terms, question.seen, Stream(seed).below))


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


def play(match: Match, chairs: Sequence[SeatedPlayer]) -> Iterator[int]:
    """Play a game to its end; yields the number of closed rounds after each. If bots can miss deadlines, the offer has
    one (`deadline_for`); time is counted in rounds, so a missed deadline passes at once."""
    story: list[tuple[int, Sequence[Note]]] = []
    while not match.state.end:
        match.due = undated_deadline(match.state.round + 1)
        for seat in sorted(asked(match.state)):
            data = chairs[seat].answer(match, seat, story)
            if data is None:
                time_out(match, seat)
            elif (error := take_move(match, data).error) is not None:
                raise error
        story.append((match.state.round, match.log))
        yield match.state.round


def play_out(
    match: Match, chairs: Sequence[SeatedPlayer], seeds: Sequence[bytes], limits: Limits, rounds: int | None = None
) -> list[Spent]:
    """Greet all players, play to the end or for this many rounds, and close all players, whatever happens."""
    try:
        for seat, (chair, seed) in enumerate(zip(chairs, seeds, strict=True)):
            chair.begin(match, seat, seed, limits)
        for _ in islice(play(match, chairs), rounds):
            pass
    finally:
        spent = close(match, chairs)
    return spent


def close(match: Match, chairs: Sequence[SeatedPlayer]) -> list[Spent]:
    """Close all players; nothing of them is left running."""
    result = match.state.result if match.state.end else None
    return [chair.player.close(result) for chair in chairs]
