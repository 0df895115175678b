"""A stage from its first game to its last: what is kept is taken as it is, the rest is played, in the order of the
schedule. Killed at any byte and started again, it goes on."""

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from msgspec.structs import replace

from referee.crypto.codec import decode
from referee.crypto.envelope import Envelope
from referee.engine.records import Transcript
from referee.engine.table import Table
from referee.errors import Altered, Usage, WrongTurn
from referee.evidence.rulings import binding_ruling
from referee.language import run
from referee.tournament import derivation, store, t
from referee.tournament.entrants import maker
from referee.tournament.ledger import Ledger, Part, organisers_secret
from referee.tournament.playing import Finished, play_game, read_setting, send_setting
from referee.tournament.schedule import Count, Plan, Tally, plans
from referee.tournament.seating import Setting, load_terms, setting_of
from referee.tournament.sprt import Deciding, bounds_of
from referee.tournament.stage import Desk
from referee.tournament.work import Workers, each

Tell = Callable[[int, Tally], None]
"""How many games are done, and how everybody stands."""


def play_some(shared: bytes, batch: Sequence[Plan]) -> list[Finished]:
    """What a worker does."""
    setting = read_setting(shared)
    return [play_game(setting, plan) for plan in batch]


class Course:
    """The course of a stage: its setting, its waves of plans, and what was played so far."""

    def __init__(self, ledger: Ledger, part: Part, secret: bytes) -> None:
        self.part, self.secret = part, secret
        self.setting: Setting = setting_of(part, part.seed(secret), ledger.names)
        schedule = part.stage.schedule
        deciding = Deciding(bounds_of(schedule), len(self.setting.games)) if schedule.decide else None
        self.tally = Tally(len(self.setting.names), deciding)
        self.count = Count(*first_number(ledger, part), part.struck())
        self.digest = derivation.digest_start(part.ids["start"])
        self.done = 0

    def waves(self) -> Iterator[Iterator[Plan]]:
        """The next wave may be asked for when all games of the last were added."""
        schedule, games = self.part.stage.schedule, self.setting.games
        seats = [one.seats for one in games]
        return plans(schedule, seats, self.setting.names, self.setting.seed, self.tally, self.count)

    def add(self, plan: Plan, kept: store.Kept) -> None:
        """One game more, in order."""
        self.digest = derivation.digest_next(self.digest, plan.number, bytes.fromhex(kept.hash))
        self.tally.add(plan, kept.outcome)
        self.done += 1


def first_number(ledger: Ledger, part: Part) -> tuple[int, int]:
    """Where the numbers of games and groups of a stage begin: where those of the stage before end."""
    at = ledger.parts.index(part)
    ending = ledger.parts[at - 1].ending if at else None
    return (ending.numbers, ending.groups) if ending else (0, 0)


def kept_of(folder: str, first: int) -> Iterator[store.Kept]:
    """The games that are kept, from this number on."""
    return (kept for kept in store.lines(folder) if kept.outcome.number >= first)


def next_number(desk: Desk) -> int:
    """The first number after all games that are kept."""
    if desk.part.ending is not None:
        return desk.part.ending.numbers
    last = deque(store.lines(desk.folder), 1)
    return max(first_number(desk.ledger, desk.part)[0], last[0].outcome.number + 1 if last else 0)


def amend(desk: Desk, data: bytes) -> int:
    """Take an arbiter's ruling into the ledger; returns the number of its game."""
    found, ruling = binding_ruling(data), decode(data, Envelope, "ruling")
    if desk.ledger.taken(ruling):
        raise WrongTurn(t("this ruling is taken already"), t("nothing to do: the standings have it"), code="ruled")
    if desk.part.start is None:
        advice = t("start it with {run}, then take the ruling", run=run("tournament", "next"))
        raise WrongTurn(t("a stage is being prepared"), advice, code="not-started")
    number = _number_of(desk, found.table)
    desk.amend(number, ruling)
    return number


def _number_of(desk: Desk, table: Table) -> int:
    """The game of the tournament that was played at this table. The nonces of offers follow from the seed."""
    started = [part for part in desk.ledger.parts if part.start is not None]
    seeds = [(first_number(desk.ledger, part)[0], part.seed(organisers_secret(part, desk.key))) for part in started]
    for kept in store.lines(desk.folder):
        number = kept.outcome.number
        seed = next(seed for first, seed in reversed(seeds) if number >= first)
        if derivation.offer_nonce(seed, number).hex() == table.offer.nonce:
            if decode(store.transcript(desk.folder, kept), Transcript, "transcript").genesis == table.envelope:
                return number
            break
    why = t("this ruling is about a game that is none of this tournament's")
    advice = t("give a ruling on one of its games: {run} takes them out", run=run("tournament", "extract"))
    raise WrongTurn(why, advice, code="other-game")


def refuse_unready(desk: Desk, unconfined: bool) -> None:
    """Nothing begins that cannot be played, or not in the way that the ledger says."""
    part = desk.part
    if part.ending is not None:
        return
    if part.start is not None and part.start.unconfined != unconfined:
        why = t("this stage was started without the sandbox")
        advice = t("give --unconfined again if you trust all its bots as you trust yourself")
        if unconfined:
            why = t("this stage was started with the sandbox, and the ledger says so")
            advice = t("leave out --unconfined")
        raise Usage(why, advice, code="unconfined")
    game, _ = load_terms(part.stage.games[0])
    for one in part.entrants.values():
        maker(one.bot, game, confined=not unconfined, hidden=[os.path.abspath(desk.folder)])


def play_stage(desk: Desk, workers: Workers, tell: Tell, *, unconfined: bool = False) -> Course:
    """Play what is not played yet, and end the stage. `unconfined`: bots of others run without the sandbox."""
    part = desk.part
    if part.start is None:
        advice = t("start it with {run}", run=run("tournament", "next"))
        raise WrongTurn(t("the tournament has not started"), advice, code="not-started")
    course = Course(desk.ledger, part, organisers_secret(part, desk.key))
    course.setting = replace(course.setting, confined=not unconfined, hidden=(os.path.abspath(desk.folder),))
    games = store.Store(desk.folder)
    try:
        before = kept_of(desk.folder, course.count.number)
        for wave in course.waves():
            _play_wave(course, wave, before, games, workers, tell)
        if next(before, None) is not None:
            raise Altered("bad-games", t("there are more games than the schedule has"))
    finally:
        games.close()
    if part.ending is None:
        desk.end(course.secret, course.done, course.count.number, course.count.group, course.digest)
    return course


def _play_wave(
    course: Course, wave: Iterator[Plan], before: Iterator[store.Kept], games: store.Store, workers: Workers, tell: Tell
) -> None:
    """Those games of a wave that are kept, then the others."""
    for plan in wave:
        kept = next(before, None)
        if kept is None:
            _play_rest(course, chain([plan], wave), games, workers, tell)
            return
        if kept.outcome.number != plan.number:
            numbers = {"number": kept.outcome.number, "number2": plan.number}
            raise Altered("bad-games", t("game {number} is kept where the schedule has game {number2}", **numbers))
        course.add(plan, kept)
    tell(course.done, course.tally)


def _play_rest(course: Course, rest: Iterator[Plan], games: store.Store, workers: Workers, tell: Tell) -> None:
    under_way: list[Plan] = []

    def noted() -> Iterator[Plan]:
        for plan in rest:
            under_way.append(plan)
            yield plan

    for found in each(workers, play_some, send_setting(course.setting), noted()):
        for kept in games.add(found):
            course.add(under_way.pop(0), kept)
        tell(course.done, course.tally)
