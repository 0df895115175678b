"""Rebuilds everything from the files alone: documents, tables, games, standings, and names what differs. Nothing that a
file names is run, or even looked up; only replaying games runs bots, in the sandbox (`ReplayableBots`)."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from random import SystemRandom
from shlex import quote
from shutil import which
from typing import NamedTuple

import msgspec

from referee.engine.book import Fault
from referee.errors import RefereeError
from referee.io import files
from referee.language import NOTHING, Message, Text
from referee.tournament import derivation, store, t
from referee.tournament import documents as d
from referee.tournament.documents import Bot
from referee.tournament.entrants import hash_of, is_ours, refuse_other
from referee.tournament.ledger import Ledger, Part
from referee.tournament.outcome import Outcome
from referee.tournament.playing import expand, play_again, play_game, read_setting, send_setting
from referee.tournament.records import Lapse
from referee.tournament.results import compare_results
from referee.tournament.run import Course
from referee.tournament.schedule import Plan
from referee.tournament.seating import Setting, chance_of, same_table
from referee.tournament.work import Workers, each

MOST = 100
"""Most differences that are listed; one is enough to fail."""
LONGEST_COMMAND = 500
"""Most characters of a command. A longer one is not shown, so it is not run."""
MOST_COMMANDS = 100
"""Most commands that are shown. Those beyond are not run."""
EXPANDED = 5
"""Games of a stage, chosen at random, that are played again with signatures."""
OPEN = t("the tournament is not over: its secret is not published yet, so seats and deals cannot be checked")


class Discrepancy(msgspec.Struct, frozen=True):
    """Something that is not as it must be."""

    code: str
    message: Message


class Checked(msgspec.Struct):
    """What was checked, and the result."""

    differs: list[Discrepancy] = []
    notes: list[Text] = []
    """What could not be checked, and why."""
    games: int = 0
    expanded: int = 0
    """How many of them were played again with signatures."""
    again: int = 0
    """How many games were replayed."""
    unchecked: int = 0
    """Games of a stage that is not over."""
    later: list[Text] = []
    """What changed standings after the commitment line that somebody kept."""
    ended: bool = True


class ReplayableBots(NamedTuple):
    """Which bots can replay games on this machine."""

    names: frozenset[str]
    """Entrants whose bots are deterministic, and here exactly as they were entered."""
    commands: tuple[str, ...]
    """The commands that would run for them and are not part of this program, safe to print."""
    notes: tuple[Text, ...]
    """Whose games are not replayed, and why."""


def ready(ledger: Ledger) -> ReplayableBots:
    """Which bots can replay. A name stands for the same bot in all stages. This runs nothing."""
    names, commands, notes = [], dict[str, None](), []
    for one in {one.name: one for part in ledger.parts for _, one in part.players}.values():
        text = "" if is_ours(one.bot) else " ".join(quote(files.printable(word)) for word in one.bot.run)
        if not one.bot.deterministic:
            notes.append(t("{name} is not declared deterministic: its games are not replayed", name=one.name))
        elif len(text) > LONGEST_COMMAND or len(commands.keys() | {text}) > MOST_COMMANDS:
            notes.append(t("the command of {name} is too long to show: its games are not replayed", name=one.name))
        elif why := _absent(one.name, one.bot):
            notes.append(why)
        else:
            names.append(one.name)
            commands |= {text: None} if text else {}
    return ReplayableBots(frozenset(names), tuple(commands), tuple(notes))


def _absent(name: str, bot: Bot) -> Text:
    """Why a bot cannot be replayed here; empty if it can."""
    try:
        here = hash_of(bot) if not bot.program or which(bot.run[0]) else ""
    except RefereeError:
        here = ""
    if here == bot.hash:
        return NOTHING
    if not here:
        return t("the bot of {name} is not on this machine: its games are not replayed", name=name)
    return t("the bot of {name} here differs from the one that was entered: its games are not replayed", name=name)


class Job(NamedTuple):
    """A game to check: the plan from the schedule, its record (empty if its pack is damaged), and the pack's index."""

    plan: Plan
    line: bytes
    pack: int


class GameCheck(NamedTuple):
    """The check of one game: what differs, how it really ended, and its leaf in the tree of its pack."""

    differs: Discrepancy | None
    outcome: Outcome | None = None
    leaf: bytes = b""


def check_batch(shared: bytes, batch: Sequence[Job]) -> list[GameCheck]:
    """The work of a worker."""
    setting = read_setting(shared)
    return [_check(setting, job) for job in batch]


def _check(setting: Setting, job: Job) -> GameCheck:
    """One game: that its table is the one the seed gives, every rule and draw, that every answer was legal for its
    seat; and how its record says that it ended."""
    plan, number = job.plan, job.plan.number
    if not job.line:
        return GameCheck(None)
    leaf = derivation.leaf(setting.start, number, chance_of(setting, plan), job.line)
    try:
        record = store.stored(job.line)
        if not _same_table(setting, plan, record.outcome):
            why = t(
                "game {number} was not played at the table that the seed determines: seats or group differ",
                number=number,
            )
            return GameCheck(Discrepancy("bad-table", why), None, leaf)
        made = play_again(setting, plan, record)
    except RefereeError as error:
        return GameCheck(Discrepancy(error.code, _failed(number, error.message)), None, leaf)
    differs = None
    if made != record.outcome or not all(_concerns_game(setting, plan, one) for one in record.lapses):
        why = t("game {number}: its record does not match the game", number=number)
        differs = Discrepancy("bad-games", why)
    return GameCheck(differs, made, leaf)


def _same_table(setting: Setting, plan: Plan, told: Outcome) -> bool:
    """Whether a record is about the game of this plan."""
    game, entrants = setting.stage.games[plan.game].name, tuple(setting.numbers[player] for player in plan.seats)
    return (told.number, told.group, told.game, told.entrants) == (plan.number, plan.group, game, entrants)


def _failed(number: int, message: Message) -> Text:
    return t("game {number}: {message}", number=number, message=message)


def _concerns_game(setting: Setting, plan: Plan, lapse: Lapse) -> bool:
    """Whether a fault is about a seat and the rules of this game."""
    rules = setting.stage.games[plan.game].game
    return lapse.seat < len(plan.seats) and all(one.game in ("", rules) for one in lapse.why)


Sampled = tuple[Plan, bytes]


def expand_batch(shared: bytes, batch: Sequence[Sampled]) -> list[Discrepancy | None]:
    """Play games with the full engine, every answer signed, and name those that end differently."""
    setting = read_setting(shared)
    return [_expanded(setting, *one) for one in batch]


def _expanded(setting: Setting, plan: Plan, line: bytes) -> Discrepancy | None:
    try:
        expand(setting, plan, store.stored(line))
    except (RefereeError, Fault) as error:
        return Discrepancy("bad-games", _failed(plan.number, error.message))
    return None


def replay_batch(shared: bytes, batch: Sequence[Plan]) -> list[bytes]:
    """Replay games: their records. A worker may be on another machine, with other files, so it makes sure that it runs
    only what was entered."""
    setting = read_setting(shared)
    for player in sorted({player for plan in batch for player in plan.seats}):
        entrant = setting.players[player][1]
        refuse_other(entrant.name, entrant.bot)
    return [play_game(setting, plan) for plan in batch]


def _told(change: d.Withdrawal | d.Amendment) -> Text:
    """What a later document changed."""
    if isinstance(change, d.Withdrawal):
        return t("{name} was withdrawn: none of its games count", name=change.name)
    return t("game {number} counts as an arbiter ruled", number=change.number)


class Check:
    """A check of a tournament, stage by stage."""

    def __init__(self, folder: str, ledger: Ledger, workers: Workers) -> None:
        self.folder, self.ledger, self.workers = folder, ledger, workers
        self.found = Checked()
        self.sample, self.names, self.below = 0, frozenset[str](), SystemRandom().randrange
        self.unruled = dict(ledger.rulings)
        """Rulings on games that have not been reached yet."""

    def differs(self, code: str, message: Message) -> None:
        if len(self.found.differs) < MOST:
            self.found.differs.append(Discrepancy(code, message))

    def play_again(self, sample: int, ready: ReplayableBots) -> None:
        """Replay N games of these bots. This runs them, so ask the user first."""
        self.sample, self.names = sample, ready.names
        self.found.notes += ready.notes

    def promise(self, kept: Iterable[str]) -> None:
        """The ledger must have all documents of a commitment line that somebody kept."""
        ids, kept = self.ledger.ids(), list(kept)
        for name in kept:
            if name not in ids:
                why = t(
                    "this is not the tournament of that commitment line, or it was changed afterwards "
                    "({name} is missing)",
                    name=name[:8],
                )
                self.differs("other-tournament", why)
        last = max((ids.index(name) for name in kept if name in ids), default=len(ids))
        for after, change in self.ledger.changes:
            if ids.index(after) >= last:
                self.found.later.append(_told(change))

    def stages(self, tell: Callable[[int], None]) -> None:
        """Check every stage, as far as it has been played."""
        for part in self.ledger.parts:
            if part.ending is None:
                self.found.ended = False
                self._unfinished(part, tell)
            else:
                self._stage(part, bytes.fromhex(part.ending.secret), tell)
        for number in self.unruled:
            self.differs("bad-ruling", t("there is a ruling on game {number}, which was not played", number=number))

    def results(self) -> None:
        """Rebuild the results, once the lines are known to match the games."""
        doubtful = [one for one in self.found.differs if one.code not in ("other-tournament", "played-otherwise")]
        if doubtful or not any(part.ending for part in self.ledger.parts):
            self.found.notes.append(t("the standings were not rebuilt"))
            return
        for message in compare_results(self.folder, self.ledger.ended()):
            self.differs("bad-results", message)

    def _stage(self, part: Part, secret: bytes, tell: Callable[[int], None]) -> None:
        course = Course(self.ledger, part, secret)
        replayed, expanded = Sample(self.sample, self.below), Sample(EXPANDED, self.below)
        stored = self._stored(part)
        shared, leaves = send_setting(course.setting), Leaves(part, self.differs)
        for wave in course.waves():
            for batch in each(self.workers, check_batch, shared, self._jobs(wave, stored)):
                for job, verdict in batch:
                    self._judge(course, job, verdict)
                    leaves.add(job.pack, verdict.leaf)
                    if verdict.outcome and all(part.players[one][1].name in self.names for one in job.plan.seats):
                        replayed.add((job.plan, job.line))
                    if verdict.outcome and not verdict.differs:
                        expanded.add((job.plan, job.line))
                tell(self.found.games)
        if part.packs:
            leaves.end()
        ending, more = part.ending, next(stored, None)
        assert ending is not None
        if more is not None:
            self.differs("bad-schedule", t("there are more games than the schedule has"))
        if (course.done, course.tally.number, course.tally.group) != (ending.games, ending.numbers, ending.groups):
            self.differs("bad-schedule", t("the number of games does not match the schedule"))
        for some in each(self.workers, expand_batch, shared, expanded.taken):
            for _, wrong in some:
                self.found.expanded += 1
                if wrong is not None:
                    self.differs(wrong.code, wrong.message)
        self._again(course, replayed.taken)

    def _stored(self, part: Part) -> Iterator[tuple[int, bytes]]:
        """Every record of a stage with the index of its pack. Those of a pack that is damaged are empty."""
        first = store.first_pack(self.ledger, part)
        for at, pack in enumerate(part.packs):
            try:
                lines = store.pack_lines(self.folder, first + at, pack)
            except RefereeError as error:
                self.differs(error.code, error.message)
                lines = [b""] * pack.count
            yield from ((at, line) for line in lines)

    def _jobs(self, wave: Iterator[Plan], stored: Iterator[tuple[int, bytes]]) -> Iterator[Job]:
        for plan in wave:
            found = next(stored, None)
            if found is None:
                self.differs("bad-schedule", t("game {number} of the schedule is missing", number=plan.number))
                return
            yield Job(plan, found[1], found[0])

    def _judge(self, course: Course, job: Job, verdict: GameCheck) -> None:
        if verdict.differs is not None:
            self.differs(verdict.differs.code, verdict.differs.message)
        # Pairings follow from the game itself, whatever its record says; an invalid game decides nothing.
        course.add(job.plan, verdict.outcome or Outcome(job.plan.number, job.plan.group, "", (), ()))
        self._ruled(course, job.plan)
        self.found.games += 1

    def _ruled(self, course: Course, plan: Plan) -> None:
        """A ruling in the ledger must be about the game with that number."""
        ruled = self.unruled.pop(plan.number, None)
        if ruled is not None and not same_table(course.setting, plan, ruled.table.envelope):
            why = t("game {number}: the ruling in the ledger is about another game", number=plan.number)
            self.differs("bad-ruling", why)

    def _again(self, course: Course, picked: list[Sampled]) -> None:
        """Replay the sample: deterministic bots must do the same. A bot that fails may have lacked time or memory, here
        or there; then there is nothing to compare."""
        shared = send_setting(msgspec.structs.replace(course.setting, confined=True))
        played = each(self.workers, replay_batch, shared, [plan for plan, _ in picked])
        again = (one for batch in played for _, one in batch)
        for (plan, line), made in zip(picked, again, strict=True):
            self.found.again += 1
            one, other = store.stored(line), store.stored(made)
            if (one.answers, one.begin) == (other.answers, other.begin):
                continue
            if one.outcome.faults != other.outcome.faults:
                why = t("game {number} cannot be compared: a bot failed in the tournament, or failed now",
                        number=plan.number)  # fmt: skip
                self.found.notes.append(why)
            else:
                why = t("game {number}: its bots played differently when it was replayed", number=plan.number)
                self.differs("played-otherwise", why)

    def _unfinished(self, part: Part, tell: Callable[[int], None]) -> None:
        """Without the secret, nobody can tell what was dealt: packs can be read, not checked."""
        self.found.notes.append(OPEN)
        for _, line in self._stored(part):
            if line:
                try:
                    self.unruled.pop(store.stored(line).outcome.number, None)
                except RefereeError as error:
                    self.differs(error.code, error.message)
            self.found.unchecked += 1
            tell(self.found.games + self.found.unchecked)


class Sample:
    """Reservoir sampling: the stream has unknown length, and every game is equally likely."""

    def __init__(self, most: int, below: Callable[[int], int]) -> None:
        self.most, self.below, self.seen = most, below, 0
        self._taken: list[Sampled] = []

    def add(self, one: Sampled) -> None:
        self.seen += 1
        if len(self._taken) < self.most:
            self._taken.append(one)
        elif self.most and (at := self.below(self.seen)) < self.most:
            self._taken[at] = one

    @property
    def taken(self) -> list[Sampled]:
        """In the order of the games."""
        return sorted(self._taken, key=lambda one: one[0].number)


class Leaves:
    """Compares the games of each pack with its root in the ledger."""

    def __init__(self, part: Part, differs: Callable[[str, Message], None]) -> None:
        self._part, self._differs = part, differs
        self._at, self._leaves = 0, list[bytes]()

    def add(self, pack: int, leaf: bytes) -> None:
        if pack != self._at:
            self.end()
            self._at, self._leaves = pack, []
        self._leaves.append(leaf)

    def end(self) -> None:
        """All games of a pack were added. A pack that cannot be read, or has other games than the schedule, has been
        named already."""
        if not all(self._leaves) or len(self._leaves) != self._part.packs[self._at].count:
            return
        if derivation.root(self._leaves).hex() != self._part.packs[self._at].root:
            why = t("the games of pack {number} are not those that the organiser signed", number=self._at)
            self._differs("bad-pack", why)
