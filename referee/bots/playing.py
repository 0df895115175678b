"""Players at a table in memory: every answer is signed, taken and judged as the files of people are."""

import hashlib
from collections.abc import Iterator, Sequence
from typing import Literal

from referee.bots.players import BotPlayer, Fault, Hello, Limits, Question, Reply, Spent, chance
from referee.crypto.keys import Key
from referee.crypto.stream import Stream
from referee.engine.answers import seen
from referee.engine.host import Match, take_move, time_out
from referee.engine.player import Draft, Marks, Place, sign_answer
from referee.engine.rounds import ACK, asked
from referee.game import LINK, Ask, Note
from referee.io.times import DAY, counted

Fallback = Literal["random", "miss", "resign"]
"""What becomes of a seat whose bot is at fault: it gets a move of the bot `random`, it misses the deadline, or it
leaves the game."""


def deadline_for(fallback: Fallback) -> int:
    """The deadline of an offer: only in a game with one can a seat be timed out."""
    return DAY if fallback == "miss" else 0


class Chair:
    """A seat of a table: who plays it, with which key, and how far the story was told there."""

    def __init__(self, player: BotPlayer, key: Key, marks: Marks = (), fallback: Fallback = "random") -> None:
        self.player, self.key, self.marks, self.fallback = player, key, marks, fallback
        self.faults: list[tuple[int, Fault]] = []
        """Round -> what went wrong in it."""
        self._told = self._questions = 0
        self._words: object = None

    def begin(self, match: Match, seat: int, seed: bytes, limits: Limits) -> None:
        """Say hello. What the player says for good goes with the agreement to the game."""
        table = match.table
        self._hello = Hello(table.offer.game, table.game, table.terms, seat, table.names, seed, limits)
        reply = self.player.begin(self._hello)
        self._words = reply.standing
        if reply.fault is not None:
            self.faults.append((1, reply.fault))

    def answer(self, match: Match, seat: int, story: Sequence[tuple[int, Sequence[Note]]]) -> bytes | None:
        """The signed answer to what this seat is asked now; None if it misses the deadline. `story` has all rounds."""
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
        """What `random` answers, by a chance of its own."""
        hello = self._hello
        seed = hashlib.sha256(b"instead" + hello.seed + question.round.to_bytes(8, "big")).digest()
        return Reply(hello.game.bots["random"](hello.terms, question.seen, Stream(seed).below))


def bot_signs(place: Place, key: Key, bot: str, seed: bytes, marks: Marks = ()) -> bytes:
    """The signed answer of a game's own bot, which also says what costs it nothing; `seed` is its own chance."""
    table, checkpoint, seat, faces = place
    ask, game = asked(checkpoint.state).get(seat), table.game
    known = seen(game, checkpoint.state, checkpoint.public, seat, faces)
    move = None
    if ask is not None and ask.what not in (ACK, LINK):
        move = game.bots[bot](table.terms, known, chance(seed, checkpoint.state.round + 1))
    words = game.standing.advise(table.terms, known, bot) if game.standing else None
    return sign_answer(key, place, Draft(move, words), marks)


def play(match: Match, chairs: Sequence[Chair]) -> Iterator[int]:
    """Play a game to its end; yields after each round how many are closed. Where bots can miss deadlines the offer has
    one (`deadline_for`); time is counted in rounds, so what is missed is missed at once."""
    story: list[tuple[int, Sequence[Note]]] = []
    while not match.state.end:
        match.due = counted(match.state.round + 1)
        for seat in sorted(asked(match.state)):
            data = chairs[seat].answer(match, seat, story)
            if data is None:
                time_out(match, seat)
            elif (error := take_move(match, data).error) is not None:
                raise error
        story.append((match.state.round, match.log))
        yield match.state.round


def close(match: Match, chairs: Sequence[Chair]) -> list[Spent]:
    """Everybody goes home; nothing of any player is left."""
    result = match.state.result if match.state.end else None
    return [chair.player.close(result) for chair in chairs]
