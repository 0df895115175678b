"""The record of a game: how it ended, and every answer, in as few bytes as say it (TOURNAMENT.md, section 4)."""

from collections.abc import Sequence
from functools import lru_cache
from sys import intern
from typing import Annotated, Any, Literal

import msgspec
from msgspec.structs import replace

from referee.bots.causes import Cause
from referee.bots.playing import Round
from referee.crypto.codec import check_plain, decode, encode, raw
from referee.engine.parts import MOST_SEATS, Record, Seat, Small, State
from referee.engine.rounds import ACK, asked
from referee.errors import Altered
from referee.game import LINK, Game
from referee.light.game import Answer
from referee.tournament import t
from referee.tournament.outcome import Outcome

MISSED, LEFT, NOTHING = b"0", b"1", b"null"
MOST_ANSWERS = 1_000_000


class Lapse(Record, frozen=True):
    """A bot's first fault in a game. Only the organiser can attest it: no game shows it."""

    seat: Seat
    round: Small
    kind: Literal["illegal", "timeout", "crash", "nonsense", "untidy"]
    why: Annotated[tuple[Cause, ...], msgspec.Meta(min_length=1, max_length=4)]
    """The first fault, how the bot ended, and what it left behind."""
    count: Small
    lines: Annotated[tuple[Annotated[str, msgspec.Meta(max_length=200)], ...], msgspec.Meta(max_length=12)] = ()


class GameRecord(Record, frozen=True):
    """A game that was played. With its chance and its terms, everything else follows from it."""

    outcome: Outcome
    answers: Annotated[tuple[msgspec.Raw, ...], msgspec.Meta(max_length=MOST_ANSWERS)] = ()
    """What the seats that had something to decide answered, round after round, in the order of the seats: 0: it missed
    the deadline; 1: it left the game; a move, complete; or a list of the move and new standing orders."""
    begin: Annotated[tuple[msgspec.Raw, ...], msgspec.Meta(max_length=MOST_SEATS)] = ()
    """The standing orders that each seat gave when it agreed to the game, or null; left out if nobody gave any."""
    lapses: Annotated[tuple[Lapse, ...], msgspec.Meta(max_length=MOST_SEATS)] = ()


def record_of(outcome: Outcome, played: Sequence[Round], lapses: tuple[Lapse, ...]) -> bytes:
    """The record of a game that was played, as it is stored."""
    first, *rest = played
    said = [one.standing if one else None for one in first.values()]
    begin = tuple(raw(one) for one in said) if any(one is not None for one in said) else ()
    answers = tuple(msgspec.Raw(found) for given in rest for found in map(_written, given.values()) if found)
    # A default string is left out only if it is the same object.
    outcome = replace(outcome, end=intern(outcome.end))
    return encode(GameRecord(outcome, answers, begin, lapses))


def _written(answer: Answer | None) -> bytes:
    """An answer in a record; nothing for a confirmation, which follows from the question."""
    if answer is None:
        return MISSED
    if answer.resign:
        return LEFT
    if answer.move is None:
        return b""
    return encode(answer.move if answer.standing is None else (answer.move, answer.standing))


def read_record(data: bytes) -> GameRecord:
    """A record; only its form is checked."""
    return decode(data, GameRecord, "line")


class Script:
    """The answers of a record, round after round."""

    def __init__(self, game: Game, record: GameRecord) -> None:
        self._game, self._begin = game, record.begin
        self._left = iter(record.answers)

    def answers(self, state: State) -> Round:
        """What is answered to the questions of this state."""
        return {seat: self._answer(seat, ask.what, state) for seat, ask in sorted(asked(state).items())}

    def _answer(self, seat: int, what: str, state: State) -> Answer | None:
        if what == ACK:
            said = bytes(self._begin[seat]) if seat < len(self._begin) else NOTHING
            return Answer(standing=None if said == NOTHING else self._words(said))
        if what == LINK or state.holding:
            return Answer()
        data = next(self._left, None)
        if data is None:
            raise altered()
        return self._read(bytes(data))

    def _read(self, data: bytes) -> Answer | None:
        if data in (MISSED, LEFT):
            return None if data == MISSED else Answer(resign=True)
        if not data.startswith(b"["):
            return Answer(_typed(self._game.move, data))
        move, words = decode(data, tuple[msgspec.Raw, msgspec.Raw], "answer")
        return Answer(_typed(self._game.move, bytes(move)), self._words(bytes(words)))

    def _words(self, data: bytes) -> Any:
        if self._game.standing is None:
            raise altered()
        words: Any = self._game.standing.words
        return _typed(words, data)

    def end(self) -> None:
        """All answers must have been used."""
        if next(self._left, None) is not None:
            raise altered()


@lru_cache(maxsize=4096)
def _typed(form: Any, data: bytes) -> Any:
    """A move or standing orders, in canonical form. Bots repeat themselves."""
    check_plain(data, "answer")
    return decode(data, form, "answer")


def altered() -> Altered:
    """A record that no game gives."""
    return Altered("bad-games", t("the answers in the record are not those that the game asks for"))
