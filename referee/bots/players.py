"""Whoever answers for a seat, in this process or in another: what it is told, what it says, what it cost.

A `BotPlayer` plays one seat of a game: `begin`, then `answer` for every decision, then `close`. It raises nothing: what
a bot does wrong comes back as a `Fault`. What becomes of the seat then is the caller's to say (`playing.Fallback`).
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
"""So many lines of what was said last are kept with a fault."""

Kind = Literal["illegal", "timeout", "crash", "nonsense"]
"""What can be wrong: a move that the rules forbid, no answer in time, no bot any more, no answer that can be read."""


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a bot in its own process may use. In this process only the time is measured, and nothing enforced."""

    start: float = 10.0
    """Seconds from its start until it is ready."""
    answer: float = 2.0
    """Seconds for each answer; what it takes longer comes out of the bank."""
    bank: float = 30.0
    """Seconds for the whole game beyond those."""
    memory: int = 1024 * 2**20
    """Bytes of memory, for all its processes together."""
    line: int = 2**20
    """Bytes of one line."""
    output: int = 64 * 2**20
    """Bytes of all that it writes to standard output, and of each file."""
    errors: int = 2**16
    """Bytes of its standard error that are kept, the last ones."""
    faults: int = 3
    """With so many faults it is ended, and asked nothing more."""


class Hello(msgspec.Struct, frozen=True):
    """What a player is told before the game: all of it is public, but for the seed of its own chance."""

    game_id: str
    game: Game
    terms: Terms[object, object]
    seat: int
    names: tuple[str, ...]
    seed: bytes
    """32 bytes; a bot that takes all its chance from them plays the same game again."""
    limits: Limits = Limits()


class Question(msgspec.Struct, frozen=True, gc=False):
    """One decision. Whatever takes time, the list of moves above all, is made when somebody looks at it."""

    number: int
    """From 1, for this player in this game."""
    round: int
    """The round that the answer is for."""
    ask: Ask
    """What is asked, and which fields of the move are sealed."""
    seen: Seen[Any]
    """The position, and the tokens that this seat knows."""
    news: Sequence[tuple[int, Sequence[Note]]] = ()
    """What happened since the last question: rounds and their stories."""


_TOLD = {
    "illegal": mark("illegal: {why}"),
    "timeout": mark("timeout: {why}"),
    "crash": mark("crash: {why}"),
    "nonsense": mark("nonsense: {why}"),
}


class Fault(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a bot did wrong: its kind, why, and the last lines that led to it, as they came."""

    kind: Kind
    why: Cause
    lines: tuple[str, ...] = ()
    gone: bool = False
    """It will not answer again in this game."""
    before: bool = False
    """It was gone before it was asked: this is why."""

    def told(self) -> Text:
        """All of it."""
        why = t("it is gone: {why}", why=self.why.text()) if self.before else self.why.text()
        return t(_TOLD[self.kind], why=why)


def gone(last: Fault) -> Fault:
    """What a bot is found to be when it is asked again after a fault that was its last."""
    return replace(last, gone=True, before=True)


class Reply(msgspec.Struct, frozen=True, gc=False):
    """A move in the game's own type and the standing orders from now on (None: as before), or a fault. To `begin`, no
    move: the words go with the agreement to the game."""

    move: object = None
    standing: object = None
    fault: Fault | None = None


class Spent(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a player used, and what it did that it should not."""

    questions: int
    seconds: float
    """For all answers; the start is not in it."""
    slowest: float = 0.0
    start: float = 0.0
    memory: int = 0
    """The most bytes that were seen in use; 0: nobody looked."""
    faults: Mapping[str, int] = {}
    """How many of each kind."""
    first: Fault | None = None
    ending: Cause | None = None
    """How it ended, if not by itself and well."""
    processes: int = 0
    """How many more processes it had at the end."""
    walls: tuple[Text, ...] = ()
    """How it was confined."""
    errors: str = ""
    """The end of its standard error."""

    def notes(self) -> list[Cause]:
        """What it did beside its faults."""
        left = cause("left-processes", processes=self.processes)
        return [*([self.ending] if self.ending else []), *([left] if self.processes else [])]


class BotPlayer(Protocol):
    """One seat of one game."""

    def begin(self, hello: Hello) -> Reply:
        """Get ready. Called once, first."""

    def answer(self, question: Question) -> Reply:
        """Decide."""

    def close(self, result: Result | None = None) -> Spent:
        """The game is over, or is given up (no result). Nothing of the player is left afterwards. Can be called at any
        time, also twice."""


# --- what can be answered --------------------------------------------------------------------------------------------


def moves(hello: Hello, question: Question) -> Moves:
    """All that builds every answer, as `referee show --moves --json` gives it: programs are spoken to in English."""
    game, terms, seen = hello.game, hello.terms, question.seen
    with speaking(ENGLISH):
        found = sorted(game.legal(terms, seen), key=lambda choice: choice.minor)
    said = standing_choices(game, terms, seen.public.standing[seen.seat]) if game.standing is not None else None
    return Moves(question.round, question.ask.what, tuple(found), said)


def standing_choices(game: Game, terms: Terms[object, object], words: object) -> StandingChoices:
    """Standing orders in force, and what can be said after them, in a game that has such."""
    assert game.standing is not None
    with speaking(ENGLISH):
        return StandingChoices(tuple(game.standing.text(words)), tuple(game.standing.legal(terms, words)))


def refusal(hello: Hello, question: Question, move: object, standing: object = None) -> Cause | None:
    """Why a move, or words with it, cannot be signed; None if they can."""
    try:
        hello.game.check(hello.terms, question.seen, move)
        check_plain(encode(move), "the move")
        if standing is not None:
            check_plain(encode(standing), "what is said for good")
    except RefereeError as error:
        return refused(hello.game_id, error)
    except Exception as error:
        return cause("rules-failed", name=type(error).__name__)
    return None


# --- in this process -------------------------------------------------------------------------------------------------

Decide = Callable[[Terms[Any, Any], Seen[Any], Below], object]
"""A bot: terms, what its seat sees, its chance; returns a move, or a `Reply` if it also has something to say."""


def chance(seed: bytes, round: int) -> Below:
    """The chance of a bot for its answer in this round."""
    return Stream(hashlib.sha256(seed + (round - 1).to_bytes(8, "big")).digest()).below


class Reckoning:
    """What every player keeps count of: questions, seconds, faults."""

    def __init__(self) -> None:
        self._questions, self._seconds, self._slowest = 0, 0.0, 0.0
        self._faults: list[Fault] = []

    def _took(self, seconds: float) -> None:
        self._seconds += seconds
        self._slowest = max(self._slowest, seconds)

    def _fault(self, kind: Kind, why: Cause, lines: Sequence[str], limits: Limits, *, fatal: bool) -> Fault:
        """One fault more; with too many of them, or a fatal one, the bot is gone."""
        last = fatal or len(self._faults) + 1 >= limits.faults
        self._faults.append(Fault(kind, why, tuple(lines), gone=last))
        return self._faults[-1]

    def _spent(self) -> Spent:
        kinds = Counter[str](fault.kind for fault in self._faults)
        first = self._faults[0] if self._faults else None
        return Spent(self._questions, self._seconds, self._slowest, faults=dict(kinds), first=first)


class Here(Reckoning):
    """A bot in this process: one of the game's own by its name, or any function of the same form. Its time is measured,
    but nobody can stop it. What it does wrong counts as it does for a bot in another process."""

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
            return Reply(fault=gone(self._faults[-1]))
        try:
            said = self._decide(hello.terms, self._sight(question.seen), chance(hello.seed, question.round))
            if isinstance(self._bot, str):
                reply = Reply(said, self._advice(question.seen))
            else:
                reply = self._judged(question, said if isinstance(said, Reply) else Reply(said))
        except Exception as error:
            reply = self._failed("crash", cause("raised", name=type(error).__name__), _last_lines(error))
        self._took(perf_counter() - begin)
        return reply

    def _sight(self, seen: Seen[Any]) -> Seen[Any]:
        """In the order of names for bots of others: the same for those that are told it in lines."""
        return seen if isinstance(self._bot, str) else replace(seen, tokens=dict(sorted(seen.tokens.items())))

    def close(self, result: Result | None = None) -> Spent:
        return self._spent()

    def _advice(self, seen: Seen[Any]) -> object:
        """What one of the game's own bots says for good, because it costs it nothing."""
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
    """What makes players of a bot: `sensible` (one of the game's own, in this process), `module:function` or
    `file.py:function`, or a command as a list of words. The last two run within walls, where they see `files` and the
    modules, and never the folders in `hidden`; or, if not `confined`, like any program, and modules in this process.
    Refuses what does not exist, and to confine where that cannot be done."""
    if isinstance(bot, str) and ":" not in bot:
        if bot not in game.bots:
            why = t("{title} has no bot {bot}", title=game.title, bot=quoted(bot[:40]))
            raise Usage(why, t("choose from {bots}", bots=tuple(game.bots)), code="no-bot")
        return lambda: Here(bot)
    if isinstance(bot, str) and not confined:
        found = function(bot)
        return lambda: Here(found)
    from referee.bots.process import Elsewhere, prepared

    program = prepared(bot, files, hidden, confined=confined)
    return lambda: Elsewhere(program)


def function(path: str, root: str = "") -> Decide:
    """A function of a module or of a file, below this folder or where it is found. This runs the module."""
    from referee.bots.modules import load

    place, _, name = path.rpartition(":")
    advice = t("name it module:function or file.py:function")
    try:
        found = getattr(load(place, root), name)
    except Usage:
        raise
    except Exception as error:
        why = t("there is no bot {path} ({name})", path=quoted(path[:80]), name=type(error).__name__)
        raise Usage(why, advice, code="no-bot") from None
    if not callable(found):
        raise Usage(t("{path} is no function", path=quoted(path[:80])), advice, code="no-bot")
    decide: Decide = found
    return decide
