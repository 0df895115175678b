"""A bot in its own process, in any language: JSON lines, limits, and a log of the last lines."""

import errno
import os
from collections.abc import Sequence
from time import monotonic

from msgspec.structs import replace

from referee.bots import t, wire
from referee.bots.causes import Cause, cause
from referee.bots.confine import working_sandbox
from referee.bots.pipes import PipeError, Pipes
from referee.bots.players import PROTOCOL, Accounting, Hello, Kind, Limits, Question, Reply, Spent, after_last_fault
from referee.bots.visible import Program, command
from referee.errors import Usage
from referee.game import Note, Result


def program_for(
    bot: str | Sequence[str], files: Sequence[str] = (), hidden: Sequence[str] = (), *, confined: bool = True
) -> Program:
    """What to run for a command, or for `module:function`; see `players.find`."""
    if os.name != "posix":
        why = t("bots in other processes need Linux or macOS")
        raise Usage(why, t("use one of the game's built-in bots"), code="no-bot")
    if confined:
        working_sandbox()
    if not isinstance(bot, str):
        return command(bot, files, hidden, confined=confined)
    from referee.bots import adapter

    return adapter.program(bot, files, hidden, confined=confined)


class ProcessPlayer(Accounting):
    """A bot in another process, started by `begin` and ended by `close`, with everything that it started."""

    def __init__(self, program: Program) -> None:
        super().__init__()
        self._program = program
        self._pipes: Pipes | None = None
        """While the process runs."""
        self._ended: Pipes | None = None
        """Afterwards, for what it wrote and used."""
        self._ending: Cause | None = None
        self._limits = Limits()
        self._bank = self._start = 0.0
        self._stateless = False
        self._story: list[tuple[int, Sequence[Note]]] = []
        self._late: set[str] = set()
        """Questions whose answers were late: they may still arrive."""

    def begin(self, hello: Hello) -> Reply:
        self._hello, self._limits, self._bank = hello, hello.limits, hello.limits.bank
        begin = monotonic()
        try:
            self._pipes = Pipes(self._program, self._limits)
        except OSError as error:
            name = errno.errorcode.get(error.errno or 0, type(error).__name__)
            return self._failed("crash", cause("not-started", error=name), fatal=True)
        try:
            reply = self._ready(self._pipes, begin + self._limits.start)
        except PipeError as trouble:
            late = cause("not-ready", start=f"{self._limits.start:g}")
            return self._failed(trouble.kind, late if trouble.kind == "timeout" else trouble.why, fatal=True)
        except wire.Unreadable as error:
            return self._failed("nonsense", error.why, fatal=True)
        finally:
            self._start = monotonic() - begin
        return reply

    def _ready(self, pipes: Pipes, until: float) -> Reply:
        pipes.send(wire.line_of(wire.greeting(self._hello)))
        ready = wire.read(pipes.line(until), wire.Ready)
        if ready.protocol != PROTOCOL:
            raise wire.Unreadable(cause("protocol", protocol=ready.protocol, protocol2=PROTOCOL))
        self._stateless = ready.stateless
        return Reply(standing=wire.words(self._hello, ready.standing))

    def answer(self, question: Question) -> Reply:
        self._questions += 1
        if self._pipes is None:
            return Reply(fault=after_last_fault(self._faults[-1]))
        self._story = [*self._story, *question.news] if self._stateless else list(question.news)
        asked = wire.asked(self._hello, question, self._story, self._bank, whole=self._stateless)
        begin = monotonic()
        try:
            reply, why = self._exchange(self._pipes, question, asked, begin)
        except PipeError as trouble:
            return self._failed(trouble.kind, trouble.why, fatal=trouble.fatal)
        except wire.Unreadable as error:
            return self._failed("nonsense", error.why)
        finally:
            self._took(monotonic() - begin)
        return self._failed("illegal", why) if why else reply

    def _exchange(
        self, pipes: Pipes, question: Question, asked: wire.Asked, begin: float
    ) -> tuple[Reply, Cause | None]:
        """Ask, and wait for the answer to exactly this question. Late answers to earlier ones are ignored."""
        early = self._spoke(pipes)
        pipes.send(wire.line_of(asked))
        if early:
            raise wire.Unreadable(cause("unasked"))
        while True:
            try:
                line = pipes.line(begin + self._limits.answer + self._bank)
            except PipeError as trouble:
                self._late.update([asked.id] if trouble.kind == "timeout" else [])
                raise
            answer = wire.read(line, wire.AnswerLine)
            if answer.id == asked.id:
                return wire.reply(self._hello, question, answer)
            if answer.id not in self._late:
                raise wire.Unreadable(cause("answers-another"))
            self._late.remove(answer.id)

    def _spoke(self, pipes: Pipes) -> bool:
        """Whether it wrote something unasked; late answers do not count."""
        while pipes.pending():
            line = pipes.line(monotonic() + self._limits.answer)
            try:
                name = wire.read(line, wire.AnswerLine).id
            except wire.Unreadable:
                return True
            if name not in self._late:
                return True
            self._late.remove(name)
        return False

    def _took(self, seconds: float) -> None:
        super()._took(seconds)
        self._bank = max(0.0, self._bank - max(0.0, seconds - self._limits.answer))

    def _failed(self, kind: Kind, why: Cause, *, fatal: bool = False) -> Reply:
        lines = self._pipes.last_lines() if self._pipes is not None else ()
        fault = self._fault(kind, why, lines, self._limits, fatal=fatal)
        if self._pipes is not None and fault.gone:
            self._end(self._pipes)
        return Reply(fault=fault)

    def _end(self, pipes: Pipes) -> None:
        """End the process and everything it started."""
        self._pipes, self._ended = None, pipes
        pipes.end()

    def close(self, result: Result | None = None) -> Spent:
        if self._pipes is not None:
            last = wire.line_of(wire.Over(result.ranks, result.scores)) if result is not None else b""
            self._ending = self._pipes.finish(last)
            self._end(self._pipes)
        spent, used = self._spent(), self._ended
        spent = replace(spent, faults=dict(sorted(spent.faults.items())), start=self._start, ending=self._ending)
        if used is None:
            return spent
        return replace(spent, memory=used.memory, processes=used.others, walls=used.walls, errors=used.errors_text())
