"""Conformance steps about whole games, played by the rules of the game."""

import msgspec

from referee.bots import t
from referee.bots.conformance import StepResults
from referee.bots.players import Decide, LocalPlayer, Question, Reply, Spent
from referee.bots.process import ProcessPlayer
from referee.bots.trial import Making, Rules, trial
from referee.bots.visible import Program
from referee.engine.table import check_terms
from referee.errors import Usage

SOME = 24
"""How many rounds of a game are played if it is not played to its end."""


class _CountingPlayer(ProcessPlayer):
    """A bot whose questions are counted by kind."""

    def __init__(self, program: Program, kinds: dict[str, list[bool]], sealed: list[bool]) -> None:
        super().__init__(program)
        self._kinds, self._sealed = kinds, sealed

    def answer(self, question: Question) -> Reply:
        reply = super().answer(question)
        self._kinds.setdefault(question.ask.what, []).append(reply.fault is None)
        if question.ask.sealed:
            self._sealed.append(reply.fault is None)
        return reply


def check_games(sheet: StepResults, program: Program, rules: Rules) -> None:
    """Run all of them."""
    games = _Games(sheet, program, rules)
    low, high = rules.game.seats
    for seat in range(low):
        games.play("fewest-seats" if seat == 0 else "every-seat", games.among(seat, low))
    sheet.passed("every-seat")
    games.play("most-seats", games.among(high - 1, high))
    games.play("against-itself", [games.bot] * low)
    games.play("given-up", games.among(0, low), rounds=SOME)
    games.play("others-miss", games.among(0, low, absent), fallback="miss")
    games.play("others-leave", games.among(0, low, absent), fallback="resign")
    games.options(low)
    games.totals()


def absent(terms: object, seen: object, below: object) -> object:
    """A bot that never answers."""
    raise TimeoutError


class _Games:
    """The games, and what they showed."""

    def __init__(self, sheet: StepResults, program: Program, rules: Rules) -> None:
        self.sheet, self.program, self.rules = sheet, program, rules
        self.kinds: dict[str, list[bool]] = {}
        self.sealed: list[bool] = []

    def bot(self) -> _CountingPlayer:
        return _CountingPlayer(self.program, self.kinds, self.sealed)

    def among(self, seat: int, seats: int, others: str | Decide = "random") -> list[Making]:
        """The bot at this seat, and other players at the rest."""
        players: list[Making] = [lambda: LocalPlayer(others)] * seats
        players[seat] = self.bot
        return players

    def play(self, name: str, players: list[Making], rounds: int | None = None, **changes: object) -> None:
        """Play a game for this step; the bot must finish it without a fault."""
        terms = msgspec.structs.replace(self.rules.terms, seats=len(players))
        rules = msgspec.structs.replace(self.rules, **{"terms": terms, "seed": f"check {name}", **changes})
        done = trial(rules, players, rounds)
        for seat, make in enumerate(players):
            if make == self.bot:
                self.judge(name, done.spent[seat], rules, over=done.result is not None)
        self.sheet.passed(name)

    def judge(self, name: str, spent: Spent, rules: Rules, *, over: bool) -> None:
        """Record the bot's faults in a game, and what it left behind."""
        sheet, limits, fault = self.sheet, rules.limits, spent.first
        if fault is not None:
            sheet.failed(name, fault.text(), fault.lines)
        if spent.ending:
            sheet.failed("after-over" if over else name, spent.ending.text())
        if spent.slowest > limits.answer:
            slowest, free = round(1000 * spent.slowest), round(1000 * limits.answer)
            sheet.failed(
                "time",
                t("an answer took {slowest} ms; only {free} ms do not use the time bank", slowest=slowest, free=free),
            )
        if spent.memory > limits.memory // 2:
            used, most = spent.memory >> 20, limits.memory >> 20
            sheet.failed("memory", t("it used {memory} of {memory2} MiB", memory=used, memory2=most))
        if spent.processes:
            why = t("it still had {processes} other processes when a game was over", processes=spent.processes)
            sheet.failed("processes", why)
        if len(spent.errors.encode()) >= limits.errors:
            why = t("it wrote {errors} bytes or more", errors=limits.errors)
            sheet.failed("errors", why, spent.errors.splitlines()[-3:])

    def options(self, seats: int) -> None:
        """Play part of a game with each boolean option inverted."""
        options = self.rules.terms.options
        for field in msgspec.structs.fields(options):
            value = getattr(options, field.name)
            if not isinstance(value, bool):
                continue
            other = msgspec.structs.replace(options, **{field.name: not value})
            terms = msgspec.structs.replace(self.rules.terms, options=other)
            try:
                check_terms(self.rules.game, terms)
            except Usage:
                continue
            self.play("options", self.among(seats - 1, seats), rounds=SOME, terms=terms)
        self.sheet.skipped("options", t("this game has no yes/no option"))

    def totals(self) -> None:
        """Record what only all games together show."""
        never = [what for what, answers in self.kinds.items() if not any(answers)]
        if never:
            self.sheet.failed("every-question", t("it gave no good answer to: {never}", never=tuple(never)))
        if not self.sealed:
            self.sheet.skipped("sealed", t("no question had sealed parts"))
        elif not any(self.sealed):
            self.sheet.failed("sealed", t("it gave no good answer to a question with sealed parts"))
        for name in ("every-question", "sealed", "after-over", "time", "memory", "processes", "errors"):
            self.sheet.passed(name)
