"""The lines between the referee and a bot in another process, as types; `schemas/BOTS.md` explains them."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypeVar

import msgspec

from referee.bots.causes import Cause, cause
from referee.bots.players import PROTOCOL, Hello, Question, Reply, moves, refusal, standing_choices
from referee.crypto.codec import H, decoder, encode
from referee.forms import Moves, StandingChoices
from referee.game import Ask, Note

Name = Annotated[str, msgspec.Meta(max_length=100)]


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="type"):
    """Base of all lines."""


L = TypeVar("L", bound=_Line)


class Allowed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the bot may use: seconds and bytes."""

    start: float
    answer: float
    bank: float
    memory: int
    line: int
    output: int
    faults: int


class Greeting(_Line, frozen=True, tag="hello"):
    """The first line to a bot."""

    protocol: int
    game: str
    rules: str
    options: Any
    edition: Any
    seats: int
    seat: int
    names: tuple[str, ...]
    seed: str
    limits: Allowed
    standing: StandingChoices | None


class Ready(_Line, frozen=True, tag="ready"):
    """The first line from a bot."""

    protocol: int
    name: Name = ""
    stateless: bool = False
    standing: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


class News(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One event: its round, a word for what happened, and its values."""

    round: int
    what: str
    values: Mapping[str, Any]


class Asked(_Line, frozen=True, tag="question"):
    """A decision."""

    id: str
    round: int
    asked: str
    public: Any
    tokens: Mapping[str, tuple[str, ...]]
    news: tuple[News, ...]
    moves: Moves
    bank: float
    pending: tuple[Ask, ...]
    """All decisions that are due now."""
    sealed: tuple[str, ...] = ()
    hello: Greeting | None = None
    """To a stateless bot."""


class AnswerLine(_Line, frozen=True, tag="answer"):
    """What the bot decides."""

    id: Annotated[str, msgspec.Meta(max_length=40)]
    move: msgspec.Raw
    standing: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


class Over(_Line, frozen=True, tag="over"):
    """The last line to a bot."""

    ranks: tuple[int, ...]
    scores: tuple[tuple[int, ...], ...]


LINES = {"hello": Greeting, "ready": Ready, "question": Asked, "answer": AnswerLine, "over": Over}
"""`referee conform --schemas` writes each as `bot.NAME.schema.json`."""


class Unreadable(Exception):
    """A line from a bot that is not part of the protocol."""

    def __init__(self, why: Cause) -> None:
        super().__init__(why)
        self.why = why


# --- to a bot --------------------------------------------------------------------------------------------------------


def greeting(hello: Hello) -> Greeting:
    """All that is fixed before the game."""
    terms, limits, rule = hello.terms, hello.limits, hello.game.standing
    return Greeting(
        protocol=PROTOCOL,
        game=hello.game_id,
        rules=hello.game.rules,
        options=terms.options,
        edition=terms.edition,
        seats=terms.seats,
        seat=hello.seat,
        names=hello.names,
        seed=hello.seed.hex(),
        limits=Allowed(**{name: getattr(limits, name) for name in Allowed.__struct_fields__}),
        standing=standing_choices(hello.game, terms, rule.words()) if rule is not None else None,
    )


def asked(
    hello: Hello, question: Question, story: Sequence[tuple[int, Sequence[Note]]], bank: float, *, whole: bool
) -> Asked:
    """A question with this part of the story; for a stateless bot (`whole`), with the greeting too."""
    seen = question.seen
    return Asked(
        id=name_of(hello, question),
        round=question.round,
        asked=question.ask.what,
        sealed=question.ask.sealed,
        public=seen.public,
        tokens=seen.tokens,
        news=tuple(News(number, note.what, note.values) for number, log in story for note in log),
        moves=moves(hello, question),
        bank=round(bank, 3),
        pending=seen.pending,
        hello=greeting(hello) if whole else None,
    )


def name_of(hello: Hello, question: Question) -> str:
    """The id that an answer must repeat: it cannot be guessed, and is the same if the game is replayed."""
    return f"{question.number}-{H('bot question', hello.seed, question.number).hex()[:8]}"


def line_of(line: _Line) -> bytes:
    """The bytes that are sent: members in alphabetical order, no spaces, one line."""
    return encode(line) + b"\n"


# --- from a bot ------------------------------------------------------------------------------------------------------

UNREAD = (msgspec.MsgspecError, RecursionError, UnicodeDecodeError)
"""What reading JSON can raise."""


def read(line: bytes, kind: type[L]) -> L:
    """A line of this kind."""
    try:
        found: L = decoder(kind).decode(line)
    except UNREAD as error:
        raise Unreadable(cause("line-unread", error=_why(error))) from None
    return found


def words(hello: Hello, standing: msgspec.Raw | msgspec.UnsetType) -> object:
    """Standing orders in the game's type; None if there are none."""
    if standing is msgspec.UNSET:
        return None
    if hello.game.standing is None:
        raise Unreadable(cause("words-none"))
    try:
        return decoder(hello.game.standing.words).decode(standing)  # type: ignore[arg-type]
    except UNREAD as error:
        raise Unreadable(cause("words-unread", error=_why(error))) from None


def reply(hello: Hello, question: Question, answer: AnswerLine) -> tuple[Reply, Cause | None]:
    """The answer, and why it is illegal, if it is."""
    orders = words(hello, answer.standing)
    try:
        move = decoder(hello.game.move).decode(answer.move)
    except UNREAD as error:
        return Reply(), cause("move-unread", error=_why(error))
    return Reply(move, orders), refusal(hello, question, move, orders)


def _why(error: Exception) -> str:
    """The message of the JSON library. It quotes its input: keep only printable characters, and few of them."""
    if isinstance(error, RecursionError):
        return "deep"
    if isinstance(error, UnicodeDecodeError):
        return "utf-8"
    return "".join(c for c in str(error) if " " <= c <= "~")[:160]
