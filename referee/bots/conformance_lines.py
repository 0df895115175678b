"""Conformance steps about single lines: the bot is started, greeted and asked once, in many ways."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from time import monotonic

import msgspec

from referee.bots import t, wire
from referee.bots.conformance import StepResults
from referee.bots.pipes import PipeError, Pipes
from referee.bots.players import PROTOCOL, BotPlayer, Hello, LocalPlayer, Question, Reply
from referee.bots.trial import Rules, trial
from referee.bots.visible import Program
from referee.crypto.codec import encode
from referee.game import Note
from referee.language import Text

QUIET = 0.3
"""Seconds during which nothing may arrive."""
STARTING = 1.0
"""The same before the first line: interpreters take a while to start."""
LONG = 300_000
NAMES = ("Zo\u00eb \u201eQ\u201c", 'O"Neil\\', "\u0416\u65e5\U0001f600", "{", "]", "$(x)", "'", "\u00df")
_MORE = {"later": {"type": "question", "id": "0-0", "list": [None, True, -1.5e3]}}

More = Mapping[str, object] | None
"""Extra members of a line."""


class StepFailed(Exception):
    """A step failed; the last lines of these pipes led to it."""

    def __init__(self, step: str, why: Text, pipes: Pipes) -> None:
        super().__init__(why)
        self.step, self.why, self.lines = step, why, pipes.last_lines()


class FirstQuestions(msgspec.Struct, frozen=True):
    """Two questions of a real game to one seat, with everything that happened before each."""

    hello: Hello
    first: Question
    middle: Question


def first_questions(rules: Rules) -> FirstQuestions:
    """Taken from a game between built-in bots."""
    kept: list[Question] = []
    hellos: list[Hello] = []

    class Recorder(LocalPlayer):
        def begin(self, hello: Hello) -> Reply:
            hellos.append(hello)
            return super().begin(hello)

        def answer(self, question: Question) -> Reply:
            kept.append(question)
            return super().answer(question)

    others: list[Callable[[], BotPlayer]] = [lambda: LocalPlayer("random")] * (rules.terms.seats - 1)
    trial(rules, [lambda: Recorder("random"), *others])
    at = len(kept) // 2
    story: list[tuple[int, Sequence[Note]]] = [news for question in kept[: at + 1] for news in question.news]
    return FirstQuestions(hellos[0], kept[0], msgspec.structs.replace(kept[at], news=story))


def check_lines(sheet: StepResults, program: Program, rules: Rules) -> None:
    """Run all of them; the later ones only if a plain question is answered."""
    lines = _Lines(sheet, program, first_questions(rules))
    try:
        lines.greeted()
        if sheet.good("ready-form", "ready-protocol"):
            lines.asked()
        if sheet.good("answer-legal"):
            lines.spelled()
            lines.repeated()
    except OSError:
        sheet.failed("starts", t("the command cannot be started"))


class _Lines:
    """The steps, and what they share."""

    def __init__(self, sheet: StepResults, program: Program, found: FirstQuestions) -> None:
        self.sheet, self.program, self.found, self.hello = sheet, program, found, found.hello
        self.limits = found.hello.limits
        self.move: object = None
        """The answer to the first question."""
        self.stateless = False

    # --- the normal way

    def greeted(self) -> None:
        """Start, `hello`, `ready`, and the end of the input."""
        with self.talk() as pipes:
            early = pipes.pending(STARTING)
            if pipes.ended():
                raise StepFailed("starts", t("it ended at once"), pipes)
            self.sheet.passed("starts")
            if early:
                raise StepFailed("waits", t("it wrote something before the first line arrived"), _after_reading(pipes))
            self.sheet.passed("waits")
            self.greet(pipes, self.hello)
            self.once(pipes, "ready-once")
            why = pipes.finish(b"")
            if why is not None and why.reason == "killed":
                raise StepFailed("input-closed", why.text(), pipes)
            self.sheet.passed("input-closed")
            if why is not None:
                raise StepFailed("input-closed-status", why.text(), pipes)
            self.sheet.passed("input-closed-status")

    def asked(self) -> None:
        """The first question of a game."""
        with self.talk() as pipes:
            self.stateless = self.greet(pipes, self.hello).stateless
            self.move = self.ask(pipes, self.found.first)
            self.once(pipes, "answer-once")

    # --- the same in other ways

    def spelled(self) -> None:
        """Lines that arrive in unusual ways."""
        with self.talk("pieces") as pipes:
            pipes.drip(wire.line_of(wire.greeting(self.hello)))
            self.ready(pipes, self.hello)
            pipes.drip(wire.line_of(self.question(self.found.first)))
            self.answered(pipes, self.found.first)
        for name, more in (("long-lines", {"later": "x" * LONG}), ("more-members", _MORE)):
            with self.talk(name) as pipes:
                self.greet(pipes, self.hello, more=more)
                self.ask(pipes, self.found.first, more=more)
        with self.talk("other-lines") as pipes:
            self.greet(pipes, self.hello)
            pipes.send(b'{"type":"weather","wind":[3,4]}\n')
            self.once(pipes, "other-lines")
            self.ask(pipes, self.found.first)
        with self.talk("names") as pipes:
            self.greet(pipes, msgspec.structs.replace(self.hello, names=NAMES[: self.hello.terms.seats]))
            self.ask(pipes, self.found.first)

    def repeated(self) -> None:
        """The same again, in two processes at once; then a question from the middle of a game."""
        with self.talk("two-at-once") as one, self.talk("two-at-once") as two:
            for pipes in (one, two):
                pipes.send(wire.line_of(wire.greeting(self.hello)))
            for pipes in (one, two):
                self.ready(pipes, self.hello)
                pipes.send(wire.line_of(self.question(self.found.first)))
            moves = [self.answered(pipes, self.found.first) for pipes in (one, two)]
            if moves != [self.move, self.move]:
                shown = tuple(sorted({encode(move).decode()[:150] for move in (self.move, *moves)}))
                self.sheet.failed(
                    "same-again",
                    t("its answers differ ({shown}): a tournament cannot replay its games", shown=shown),
                )
            self.sheet.passed("same-again")
        if not self.stateless:
            self.sheet.skipped("stateless", t("it does not declare that it is stateless"))
            return
        with self.talk("stateless") as pipes:
            self.greet(pipes, self.hello)
            self.ask(pipes, self.found.middle)

    # --- parts

    @contextmanager
    def talk(self, name: str = "") -> Iterator[Pipes]:
        """Start a bot to talk to. With a name, whatever goes wrong fails that step."""
        pipes = Pipes(self.program, self.limits)
        try:
            yield pipes
            if name:
                self.sheet.passed(name)
        except StepFailed as wrong:
            self.sheet.failed(name or wrong.step, wrong.why, wrong.lines)
        finally:
            pipes.end()

    def greet(self, pipes: Pipes, hello: Hello, more: More = None) -> wire.Ready:
        pipes.send(_with(wire.line_of(wire.greeting(hello)), more))
        return self.ready(pipes, hello)

    def ready(self, pipes: Pipes, hello: Hello) -> wire.Ready:
        """Check the answer to `hello`, part by part."""
        line = self.line(pipes, "ready", self.limits.start)
        step = "ready-form"
        try:
            ready = wire.read(line, wire.Ready)
            self.sheet.passed("ready-form")
            if ready.protocol != PROTOCOL:
                why = t(
                    "it names version {protocol}, but this is {protocol2}", protocol=ready.protocol, protocol2=PROTOCOL
                )
                raise StepFailed("ready-protocol", why, pipes)
            self.sheet.passed("ready-protocol")
            step = "ready-words"
            wire.words(hello, ready.standing)
            self.sheet.passed("ready-words")
        except wire.Unreadable as error:
            raise StepFailed(step, error.why.text(), pipes) from None
        return ready

    def question(self, question: Question) -> wire.Asked:
        return wire.asked(self.hello, question, question.news, self.limits.bank, whole=self.stateless)

    def ask(self, pipes: Pipes, question: Question, more: More = None) -> object:
        pipes.send(_with(wire.line_of(self.question(question)), more))
        return self.answered(pipes, question)

    def answered(self, pipes: Pipes, question: Question) -> object:
        """Check the answer to this question, part by part; returns its move."""
        line = self.line(pipes, "answer", self.limits.answer + self.limits.bank)
        try:
            answer = wire.read(line, wire.AnswerLine)
            self.sheet.passed("answer-form")
            if answer.id != wire.name_of(self.hello, question):
                raise StepFailed("answer-id", t("its `id` is not that of the question"), pipes)
            self.sheet.passed("answer-id")
            reply, why = wire.reply(self.hello, question, answer)
        except wire.Unreadable as error:
            raise StepFailed("answer-form", error.why.text(), pipes) from None
        if why is not None and reply.move is None:
            raise StepFailed("answer-move", why.text(), pipes)
        self.sheet.passed("answer-move")
        if why is not None:
            raise StepFailed("answer-legal", why.text(), pipes)
        self.sheet.passed("answer-legal")
        return reply.move

    def line(self, pipes: Pipes, what: str, seconds: float) -> bytes:
        """Wait for a line that is due; it must be JSON."""
        first = "answers" if what == "answer" else what
        try:
            line = pipes.line(monotonic() + seconds)
        except PipeError as trouble:
            why = trouble.why.text()
            if trouble.kind == "timeout":
                why = t("{why} (does it flush its output after every line?)", why=why)
            raise StepFailed(first, why, pipes) from None
        self.sheet.passed(first)
        try:
            msgspec.json.decode(line)
        except wire.UNREAD:
            raise StepFailed(f"{what}-json", t("this is not JSON in UTF-8"), pipes) from None
        self.sheet.passed(f"{what}-json")
        return line

    def once(self, pipes: Pipes, name: str) -> None:
        """Make sure that nothing more arrives."""
        if pipes.pending(QUIET):
            raise StepFailed(name, t("it wrote more than was asked for"), _after_reading(pipes))
        self.sheet.passed(name)


def _after_reading(pipes: Pipes) -> Pipes:
    """The same pipes, after reading the unexpected line."""
    with suppress(PipeError):
        pipes.line(monotonic() + QUIET)
    return pipes


def _with(line: bytes, more: More) -> bytes:
    """The same line with extra members."""
    return encode(msgspec.json.decode(line) | more) + b"\n" if more else line
