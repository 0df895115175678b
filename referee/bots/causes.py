"""Why a bot is at fault, as it is stored in files: a word and values. The sentence is made when somebody reads it."""

from typing import Annotated

import msgspec

from referee import games
from referee.bots import t
from referee.crypto.codec import BIGGEST, decoder, encode
from referee.engine.records import Record
from referee.errors import IllegalMove, RefereeError, Usage
from referee.io.reasons import REASONS
from referee.language import (
    ENGLISH,
    Figures,
    Reason,
    Text,
    Value,
    mark,
    names_in,
    printable,
    speaking,
    value_text,
)
from referee.language import t as core
from referee.misfits import why

LONGEST = 200
"""Most characters of a value."""
MOST = 20
"""Most values, and most items in one of them."""
GIVEN = "given"
"""The reason whose sentence comes from elsewhere: it is the value."""
SENTENCES = {
    GIVEN: "{words}",
    "answers-another": mark("it answered a different question"),
    "input-closed": mark("it closed its standard input"),
    "killed": mark("it did not end by itself within {grace} s of the last line: it was killed"),
    "left-processes": mark("it still had {processes} other processes at the end; they were killed"),
    "line-over": mark("it wrote a line of more than {line} bytes"),
    "line-unread": mark("this is not the expected kind of line: {error}"),
    "memory-over": mark("it used more than {memory} bytes of memory"),
    "memory-refused": mark("it used more memory than allowed"),
    "move-unread": mark("this is not a move of the game: {error}"),
    "files-over": mark("it made more than {most_files} files"),
    "no-answer": mark("no answer came in time"),
    "not-ready": mark("it was not ready within {start} s"),
    "not-started": mark("it cannot be started: {error}"),
    "output-closed": mark("it closed its standard output"),
    "output-over": mark("it wrote more than {output} bytes"),
    "processes-over": mark("it started more than {most_processes} processes"),
    "processes-refused": mark("it started more processes than allowed"),
    "protocol": mark("it uses protocol version {protocol}, but this is {protocol2}"),
    "raised": mark("it raised {name}"),
    "rules-failed": mark("the rules cannot judge this move ({name})"),
    "signal": mark("it ended with signal {signal}"),
    "status": mark("it ended with status {status}"),
    "unasked": mark("it wrote a line before it was asked"),
    "words-none": mark("this game has no standing orders"),
    "words-other": mark("these are not standing orders of this game"),
    "words-unread": mark("these are not standing orders of this game: {error}"),
}
"""Reason -> the sentence."""
_UNREAD = {"deep": t("it is nested too deeply"), "utf-8": t("it is not UTF-8")}
"""Why bytes are not JSON, where the JSON library has no message for it."""


def _of_json(error: str) -> Text:
    return _UNREAD.get(error) or why(msgspec.ValidationError(error))


def _of_system(error: str) -> Text | str:
    return REASONS.get(error) or error


_VALUES = {
    "killed": Figures, "not-ready": Figures, "not-started": _of_system, "line-unread": _of_json,
    "move-unread": _of_json, "words-unread": _of_json,
}  # fmt: skip
"""Reason -> how its value is rendered, where that is a code or a decimal number."""

Plain = Annotated[int, msgspec.Meta(ge=-BIGGEST, le=BIGGEST)] | Annotated[str, msgspec.Meta(max_length=LONGEST)]
Name = Annotated[str, msgspec.Meta(pattern=r"\A[A-Za-z_][A-Za-z0-9_]{0,39}\Z")]


class Cause(Record, frozen=True):
    """Why a bot is at fault, or what it left behind."""

    reason: Annotated[str, msgspec.Meta(pattern=r"\A[a-z0-9-]{1,60}\Z")]
    """A key of `SENTENCES`; with a game, a reason of its rules."""
    values: Annotated[
        dict[Name, Plain | Annotated[tuple[Plain, ...], msgspec.Meta(max_length=MOST)]], msgspec.Meta(max_length=MOST)
    ] = {}
    game: Annotated[str, msgspec.Meta(pattern=r"\A[a-z0-9-]{0,40}\Z")] = ""
    """The id of the game whose rules gave this reason."""
    clause: Annotated[str, msgspec.Meta(pattern=r"\A[A-Za-z0-9.-]{0,20}\Z")] = ""
    """The clause of the rules."""

    def text(self) -> Text:
        """The sentence. The cause may come from a stranger's file, so there is a sentence for any content."""
        found = self._ruled() if self.game else self._ours()
        text = found or t("for a reason unknown to this program: {reason}", reason=self.reason)
        return core("{why} ({clause})", why=text, clause=self.clause) if self.clause else text

    def _ours(self) -> Text | None:
        sentence, names = SENTENCES.get(self.reason, ""), _VALUES.get(self.reason)
        if not sentence or names_in(sentence) != self.values.keys():
            return None
        return t(sentence, **{name: names(str(one)) if names else one for name, one in self.values.items()})

    def _ruled(self) -> Text | None:
        try:
            found = Reason(games.module_of(self.game), self.reason, tuple(self.values.items())).text()
            str(found)  # if it fails, it fails here
        except Exception:  # no such game, or its sentence has other values
            return None
        return found

    def __str__(self) -> str:
        return str(self.text())


def cause(reason: str, /, **values: int | str) -> Cause:
    """A cause from `SENTENCES`."""
    return Cause(reason, {name: _plain(value) for name, value in values.items()})


def refused(game_id: str, error: RefereeError) -> Cause:
    """Why a move cannot be accepted: the reason of the rules if they give one, otherwise their message."""
    clause, message = (error.clause, error.why) if isinstance(error, IllegalMove) else ("", error.message)
    if isinstance(message, Reason) and message.package == _package(game_id):
        made = Cause(message.reason, {name: _plain(value) for name, value in message.values}, game_id, clause)
    else:
        made = Cause(GIVEN, {"words": _plain(message)}, clause=clause)
    try:
        return decoder(Cause).decode(encode(made))  # type: ignore[no-any-return]
    except msgspec.ValidationError:  # the author of a game may choose any reason
        return cause(GIVEN, words=str(_plain(error.message)))


def _package(game_id: str) -> str:
    try:
        return games.module_of(game_id)
    except Usage:
        return ""


def _plain(value: Value) -> int | str | tuple[int | str, ...]:
    """A value as it is stored. Bots choose part of it."""
    if isinstance(value, tuple):
        return tuple(_flat(one) for one in value[:MOST])
    return _flat(value)


def _flat(value: Value) -> int | str:
    if isinstance(value, int) and abs(value) <= BIGGEST:
        return int(value)
    with speaking(ENGLISH):
        return printable(str(value_text(value)))[:LONGEST]
