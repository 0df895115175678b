"""Players of a seat, in this process or in another: what they are told, what they answer, what they use.

A `BotPlayer` plays one seat of a game: `begin`, then `answer` for every decision, then `close`. It never raises: a
bot's error is returned as a `Fault`, and the caller decides what happens to the seat then (`playing.Fallback`).
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import Any, Literal, Protocol

import msgspec
from msgspec.structs import replace

from referee.bots import t
from referee.bots.causes import Cause, cause, refused
from referee.crypto.codec import check_plain, encode
from referee.crypto.stream import Stream
from referee.errors import RefereeError, Usage
from referee.forms import Moves, StandingChoices
from referee.game import Ask, Below, Game, Note, Result, Seen, Terms
from referee.language import ENGLISH, Text, mark, quoted, speaking

PROTOCOL = 1
"""The version of `schemas/BOTS.md`."""
KEPT_LINES = 12
"""How many of the last lines are kept with a fault."""

Kind = Literal["illegal", "timeout", "crash", "nonsense"]
"""Kinds of faults: a move that the rules forbid, no answer in time, the bot has ended, an unreadable answer."""


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a bot in its own process may use. In this process only time is measured, and nothing is enforced."""

    start: float = 10.0
    """Seconds from its start until it is ready."""
    answer: float = 2.0
    """Seconds for each answer; more is taken from the bank."""
    bank: float = 30.0
    """Extra seconds for the whole game."""
    memory: int = 1024 * 2**20
    """Bytes of memory for all its processes together."""
    line: int = 2**20
    """Most bytes of one line."""
    output: int = 64 * 2**20
    """Most bytes that it writes to standard output in all, and to each file."""
    errors: int = 2**16
    """How many of the last bytes of its standard error are kept."""
    faults: int = 3
    """After this many faults it is ended, and not asked again."""


class Hello(msgspec.Struct, frozen=True):
    """What a player is told before the game: all of it is public except the seed of its own chance."""

    game_id: str
    game: Game
    terms: Terms[object, object]
    seat: int
    names: tuple[str, ...]
    seed: bytes
    """32 bytes; a bot that takes all its chance from them can repeat the same game."""
    limits: Limits = Limits()


class Question(msgspec.Struct, frozen=True, gc=False):
    """One decision. Whatever takes time to make, such as the list of moves, is made when it is needed."""

    number: int
    """Counted from 1, for this player in this game."""
    round: int
    """The round that the answer is for."""
    ask: Ask
    """What is asked, and which fields of the move are sealed."""
    seen: Seen[Any]
    """The position, and the tokens that this seat knows."""
    news: Sequence[tuple[int, Sequence[Note]]] = ()
    """What happened since the last question: rounds and their logs."""


_TOLD = {
    "illegal": mark("illegal: {why}"),
    "timeout": mark("timeout: {why}"),
    "crash": mark("crash: {why}"),
    "nonsense": mark("nonsense: {why}"),
}


class Fault(msgspec.Struct, frozen=True, omit_defaults=True):
    """An error of a bot: its kind, the cause, and the last lines that led to it."""

    kind: Kind
    why: Cause
    lines: tuple[str, ...] = ()
    gone: bool = False
    """It will not answer again in this game."""
    before: bool = False
    """It had ended before it was asked: this is the fault that ended it."""

    def text(self) -> Text:
        """As a sentence."""
        why = t("it had already ended: {why}", why=self.why.text()) if self.before else self.why.text()
        return t(_TOLD[self.kind], why=why)


def after_last_fault(last: Fault) -> Fault:
    """The fault of a bot that is asked again after its last fault."""
    return replace(last, gone=True, before=True)


class Reply(msgspec.Struct, frozen=True, gc=False):
    """A move in the game's own type and the standing orders from now on (None: unchanged), or a fault. The reply to
    `begin` has no move: its standing orders are sent along when the seat agrees to the game."""

    move: object = None
    standing: object = None
    fault: Fault | None = None


class Spent(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a player used, and its faults."""

    questions: int
    seconds: float
    """For all answers, without the start."""
    slowest: float = 0.0
    start: float = 0.0
    memory: int = 0
    """The most bytes seen in use; 0: not measured."""
    faults: Mapping[str, int] = {}
    """How many of each kind."""
    first: Fault | None = None
    ending: Cause | None = None
    """How it ended, unless it ended normally."""
    processes: int = 0
    """How many other processes it still had at the end."""
    walls: tuple[Text, ...] = ()
    """How it was confined."""
    errors: str = ""
    """The end of its standard error."""

    def notes(self) -> list[Cause]:
        """What else it did wrong."""
        left = cause("left-processes", processes=self.processes)
        return [*([self.ending] if self.ending else []), *([left] if self.processes else [])]


class BotPlayer(Protocol):
    """Plays one seat of one game."""

    def begin(self, hello: Hello) -> Reply:
        """Get ready. Called once, first."""

    def answer(self, question: Question) -> Reply:
        """Decide."""

    def close(self, result: Result | None = None) -> Spent:
        """The game is over, or was abandoned (no result). Nothing of the player is left afterwards. May be called any
        time, even twice."""


# --- legal answers ---------------------------------------------------------------------------------------------------


def moves(hello: Hello, question: Question) -> Moves:
    """Every legal answer as data, as `referee show --moves --json` gives it: always in English for programs."""
    game, terms, seen = hello.game, hello.terms, question.seen
    with speaking(ENGLISH):
        found = sorted(game.legal(terms, seen), key=lambda choice: choice.minor)
    orders = standing_choices(game, terms, seen.public.standing[seen.seat]) if game.standing is not None else None
    return Moves(question.round, question.ask.what, tuple(found), orders)


def standing_choices(game: Game, terms: Terms[object, object], words: object) -> StandingChoices:
    """Standing orders in force, and what can follow them, in a game that has standing orders."""
    assert game.standing is not None
    with speaking(ENGLISH):
        return StandingChoices(tuple(game.standing.text(words)), tuple(game.standing.legal(terms, words)))


def refusal(hello: Hello, question: Question, move: object, standing: object = None) -> Cause | None:
    """Why a move, or standing orders with it, cannot be signed; None if they can."""
    try:
        hello.game.check(hello.terms, question.seen, move)
        check_plain(encode(move), "the move")
        if standing is not None:
            check_plain(encode(standing), "the standing orders")
    except RefereeError as error:
        return refused(hello.game_id, error)
    except Exception as error:
        return cause("rules-failed", name=type(error).__name__)
    return None


# --- in this process -------------------------------------------------------------------------------------------------

Decide = Callable[[Terms[Any, Any], Seen[Any], Below], object]
"""A bot: takes terms, what its seat sees, its chance; returns a move, or a `Reply` with standing orders."""


def chance(seed: bytes, round: int) -> Below:
    """The chance of a bot for its answer in this round."""
    return Stream(hashlib.sha256(seed + (round - 1).to_bytes(8, "big")).digest()).below


class Accounting:
    """Counts questions, seconds and faults, for all players."""

    def __init__(self) -> None:
        self._questions, self._seconds, self._slowest = 0, 0.0, 0.0
        self._faults: list[Fault] = []

    def _took(self, seconds: float) -> None:
        self._seconds += seconds
        self._slowest = max(self._slowest, seconds)

    def _fault(self, kind: Kind, why: Cause, lines: Sequence[str], limits: Limits, *, fatal: bool) -> Fault:
        """Record a fault; after too many, or a fatal one, the bot is gone."""
        last = fatal or len(self._faults) + 1 >= limits.faults
        self._faults.append(Fault(kind, why, tuple(lines), gone=last))
        return self._faults[-1]

    def _spent(self) -> Spent:
        kinds = Counter[str](fault.kind for fault in self._faults)
        first = self._faults[0] if self._faults else None
        return Spent(self._questions, self._seconds, self._slowest, faults=dict(kinds), first=first)


class LocalPlayer(Accounting):
    """A bot in this process: a built-in one by its name, or any function of the same form. Its time is measured, but
    nothing can stop it. Its faults count like those of a bot in another process."""

    def __init__(self, bot: "str | Decide") -> None:
        super().__init__()
        self._bot = bot

    def begin(self, hello: Hello) -> Reply:
        self._hello = hello
        self._decide: Decide = hello.game.bots[self._bot] if isinstance(self._bot, str) else self._bot
        return Reply(standing=self._advice(Seen(hello.seat, None, (), {})))

    def answer(self, question: Question) -> Reply:
        hello, begin = self._hello, perf_counter()
        self._questions += 1
        if self._faults and self._faults[-1].gone:
            return Reply(fault=after_last_fault(self._faults[-1]))
        try:
            decision = self._decide(hello.terms, self._sight(question.seen), chance(hello.seed, question.round))
            if isinstance(self._bot, str):
                reply = Reply(decision, self._advice(question.seen))
            else:
                reply = self._judged(question, decision if isinstance(decision, Reply) else Reply(decision))
        except Exception as error:
            reply = self._failed("crash", cause("raised", name=type(error).__name__), _last_lines(error))
        self._took(perf_counter() - begin)
        return reply

    def _sight(self, seen: Seen[Any]) -> Seen[Any]:
        """Tokens sorted by name for third-party bots: the same order as in the lines of the protocol."""
        return seen if isinstance(self._bot, str) else replace(seen, tokens=dict(sorted(seen.tokens.items())))

    def close(self, result: Result | None = None) -> Spent:
        return self._spent()

    def _advice(self, seen: Seen[Any]) -> object:
        """The standing orders of a built-in bot, as far as they cost it nothing."""
        rule = self._hello.game.standing
        if rule is None or not isinstance(self._bot, str):
            return None
        return rule.advise(self._hello.terms, seen, self._bot)

    def _judged(self, question: Question, reply: Reply) -> Reply:
        why = refusal(self._hello, question, reply.move, reply.standing)
        rule = self._hello.game.standing
        if reply.standing is not None and (rule is None or not isinstance(reply.standing, rule.words)):
            why = cause("words-other")
        return self._failed("illegal", why, (repr(reply.move)[:200],)) if why else reply

    def _failed(self, kind: Kind, why: Cause, lines: Sequence[str]) -> Reply:
        return Reply(fault=self._fault(kind, why, lines, self._hello.limits, fatal=kind == "crash"))


def _last_lines(error: Exception) -> list[str]:
    from traceback import format_exception

    return "".join(format_exception(error)).splitlines()[-KEPT_LINES:]


# --- finding them ----------------------------------------------------------------------------------------------------


def find(
    bot: str | Sequence[str],
    game: Game,
    files: Sequence[str] = (),
    hidden: Sequence[str] = (),
    *,
    confined: bool = True,
) -> Callable[[], BotPlayer]:
    """A function that makes players of a bot: `sensible` (built-in, in this process), `module:function` or
    `file.py:function`, or a command as a list of words. The last two run in the sandbox, where they see `files` and the
    modules, and never the folders in `hidden`; or, if not `confined`, like any program, and modules in this process.
    Raises if the bot does not exist, or if there is no sandbox for it."""
    if isinstance(bot, str) and ":" not in bot:
        if bot not in game.bots:
            why = t("{title} has no bot {bot}", title=game.title, bot=quoted(bot[:40]))
            raise Usage(why, t("choose from {bots}", bots=tuple(game.bots)), code="no-bot")
        return lambda: LocalPlayer(bot)
    if isinstance(bot, str) and not confined:
        found = function(bot)
        return lambda: LocalPlayer(found)
    from referee.bots.process import ProcessPlayer, program_for

    program = program_for(bot, files, hidden, confined=confined)
    return lambda: ProcessPlayer(program)


def function(path: str, root: str = "") -> Decide:
    """A function of a module or file, below this folder or where it is found. This runs the module."""
    from referee.bots.modules import load

    place, _, name = path.rpartition(":")
    advice = t("write it as module:function or file.py:function")
    try:
        found = getattr(load(place, root), name)
    except Usage:
        raise
    except Exception as error:
        why = t("there is no bot {path} ({name})", path=quoted(path[:80]), name=type(error).__name__)
        raise Usage(why, advice, code="no-bot") from None
    if not callable(found):
        raise Usage(t("{path} is not a function", path=quoted(path[:80])), advice, code="no-bot")
    decide: Decide = found
    return decide
