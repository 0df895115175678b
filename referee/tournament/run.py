"""A stage from its first game to its last: games on disk are kept, the rest are played, in the order of the schedule. A
run that was killed at any point can be started again, and continues."""

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from msgspec.structs import replace

from referee.crypto.codec import decode
from referee.crypto.envelope import Envelope
from referee.engine.table import Table
from referee.errors import Altered, Usage, WrongTurn
from referee.evidence.rulings import binding_ruling
from referee.language import run
from referee.tournament import derivation, store, t
from referee.tournament.entrants import player_factory
from referee.tournament.ledger import Ledger, Part, organisers_secret
from referee.tournament.outcome import Outcome
from referee.tournament.packing import Packing
from referee.tournament.playing import play_game, read_setting, send_setting
from referee.tournament.records import GameRecord
from referee.tournament.schedule import Plan, Tally, plans
from referee.tournament.seating import Setting, load_terms, plan_of, same_table, setting_of
from referee.tournament.sprt import Deciding, bounds_of
from referee.tournament.stage import Desk
from referee.tournament.work import Workers, each

Tell = Callable[[int, Tally], None]
"""How many games are done, and the standings."""


def play_batch(shared: bytes, batch: Sequence[Plan]) -> list[bytes]:
    """The work of a worker: the records of the games."""
    setting = read_setting(shared)
    return [play_game(setting, plan) for plan in batch]


class Course:
    """The course of a stage: its setting, its waves of plans, and the games so far."""

    def __init__(self, ledger: Ledger, part: Part, secret: bytes) -> None:
        self.part, self.secret = part, secret
        self.setting: Setting = setting_of(part, part.seed(secret), ledger.names)
        schedule = part.stage.schedule
        deciding = Deciding(bounds_of(schedule), len(part.stage.games)) if schedule.decide else None
        self.tally = Tally(len(part.players), deciding, first_number(ledger, part), part.struck())
        self.done = 0

    def waves(self) -> Iterator[Iterator[Plan]]:
        """Wave after wave of plans. Ask for the next one when all games of the last were added."""
        stage, names = self.part.stage, [one.name for _, one in self.part.players]
        seats = [one.seats for one in stage.games]
        return plans(stage.schedule, seats, names, self.setting.seed, self.tally)

    def add(self, plan: Plan, outcome: Outcome) -> None:
        """Add the next game, in order."""
        self.tally.add(plan, outcome)
        self.done += 1


def first_number(ledger: Ledger, part: Part) -> tuple[int, int]:
    """The first game number and group number of a stage: they continue those of the stage before."""
    at = ledger.parts.index(part)
    ending = ledger.parts[at - 1].ending if at else None
    return (ending.numbers, ending.groups) if ending else (0, 0)


def next_number(desk: Desk) -> int:
    """The first number after all games so far."""
    if desk.part.ending is not None:
        return desk.part.ending.numbers
    last = deque(store.part_lines(desk.folder, desk.ledger, desk.part), 1)
    return max(first_number(desk.ledger, desk.part)[0], store.stored(last[0]).outcome.number + 1 if last else 0)


def amend(desk: Desk, data: bytes) -> int:
    """Add an arbiter's ruling to the ledger; returns the number of its game."""
    found, ruling = binding_ruling(data), decode(data, Envelope, "ruling")
    if desk.ledger.taken(ruling):
        raise WrongTurn(
            t("this ruling is already recorded"), t("nothing to do: the standings already include it"), code="ruled"
        )
    if desk.part.start is None:
        advice = t("start it with {run}, then add the ruling", run=run("tournament", "next"))
        raise WrongTurn(t("a stage is being prepared"), advice, code="not-started")
    number = _number_of(desk, found.table)
    desk.amend(number, ruling)
    return number


def _number_of(desk: Desk, table: Table) -> int:
    """The number of the game that was played at this table, found by its nonce, which follows from the seed."""
    for part in desk.ledger.parts:
        if part.start is None:
            continue
        setting = organisers_setting(desk, part)
        for line in store.part_lines(desk.folder, desk.ledger, part):
            outcome = store.stored(line).outcome
            if derivation.offer_nonce(setting.seed, outcome.number).hex() == table.offer.nonce:
                if same_table(setting, plan_of(setting, outcome), table.envelope):
                    return outcome.number
                break
    why = t("this ruling is about a game that does not belong to this tournament")
    advice = t("give a ruling on one of its games; {run} extracts them", run=run("tournament", "extract"))
    raise WrongTurn(why, advice, code="other-game")


def organisers_setting(desk: Desk, part: Part) -> Setting:
    """The setting of a stage that may still be open."""
    return setting_of(part, part.seed(organisers_secret(part, desk.key)), desk.ledger.names)


def refuse_unready(desk: Desk, unconfined: bool) -> None:
    """Refuse to begin what cannot be played, or not in the way that the ledger says."""
    part = desk.part
    if part.ending is not None:
        return
    if part.start is not None and part.start.unconfined != unconfined:
        why = t("this stage was started without the sandbox")
        advice = t("add --unconfined again if you trust all its bots with your account")
        if unconfined:
            why = t("this stage was started with the sandbox, as the ledger records")
            advice = t("leave out --unconfined")
        raise Usage(why, advice, code="unconfined")
    game, _ = load_terms(part.stage.games[0])
    for one in part.entrants.values():
        player_factory(one.bot, game, confined=not unconfined, hidden=[os.path.abspath(desk.folder)])


def play_stage(desk: Desk, workers: Workers, tell: Tell, *, unconfined: bool = False) -> Course:
    """Play the remaining games, and end the stage. `unconfined`: third-party bots run without the sandbox."""
    part = desk.part
    if part.start is None:
        advice = t("start it with {run}", run=run("tournament", "next"))
        raise WrongTurn(t("the tournament has not started"), advice, code="not-started")
    course = Course(desk.ledger, part, organisers_secret(part, desk.key))
    course.setting = replace(course.setting, confined=not unconfined, hidden=(os.path.abspath(desk.folder),))
    before = store.part_lines(desk.folder, desk.ledger, part)
    if part.ending is not None:
        for wave in course.waves():
            for plan in wave:
                course.add(plan, _next(before, plan).outcome)
            tell(course.done, course.tally)
        return course
    signed, packing = sum(pack.count for pack in part.packs), Packing(desk, course.setting)
    try:
        for wave in course.waves():
            for plan in wave:
                if course.done < signed:
                    course.add(plan, _next(before, plan).outcome)
                    continue
                line = next(before, None)
                if line is None:
                    _play_rest(course, chain([plan], wave), packing, workers, tell)
                    break
                _same(plan, store.stored(line))
                course.add(plan, packing.add(plan, line))
            tell(course.done, course.tally)
        if next(before, None) is not None:
            raise _more()
        packing.end()
    finally:
        packing.spool.close()
    desk.end(course.secret, course.done, course.tally.number, course.tally.group)
    return course


def _same(plan: Plan, kept: GameRecord) -> GameRecord:
    """A stored game, which must be the next one of the schedule."""
    if kept.outcome.number != plan.number:
        numbers = {"number": kept.outcome.number, "number2": plan.number}
        why = t("the files have game {number} where the schedule has game {number2}", **numbers)
        raise Altered("bad-games", why)
    return kept


def _next(before: Iterator[bytes], plan: Plan) -> GameRecord:
    """The next stored game."""
    line = next(before, None)
    if line is None:
        raise Altered("bad-games", t("game {number} of the schedule is missing", number=plan.number))
    return _same(plan, store.stored(line))


def _more() -> Altered:
    return Altered("bad-games", t("there are more games than the schedule has"))


def _play_rest(course: Course, rest: Iterator[Plan], packing: Packing, workers: Workers, tell: Tell) -> None:
    """Play the games of a wave that are not on disk yet."""
    for batch in each(workers, play_batch, send_setting(course.setting), rest):
        for plan, line in batch:
            course.add(plan, packing.add(plan, line))
        packing.spool.save()
        tell(course.done, course.tally)
