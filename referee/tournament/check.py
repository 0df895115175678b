"""Rebuilds everything from the files alone: documents, tables, games, standings, and names what differs. Nothing that a
file names is run, or even looked up; only replaying games runs bots, in the sandbox (`ReplayableBots`)."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from random import SystemRandom
from shlex import quote
from shutil import which
from typing import NamedTuple

import msgspec

from referee.crypto.codec import decode
from referee.engine.records import Transcript
from referee.errors import RefereeError
from referee.evidence.replay import open_transcript
from referee.io import files
from referee.language import NOTHING, Message, Text
from referee.tournament import store, t
from referee.tournament.documents import Bot
from referee.tournament.entrants import hash_of, is_ours, refuse_other
from referee.tournament.ledger import Ledger, Part
from referee.tournament.outcome import Outcome
from referee.tournament.playing import Lapse, outcome, play_game, read_setting, send_setting, unpack
from referee.tournament.results import compare_results
from referee.tournament.run import Course, first_number
from referee.tournament.schedule import Plan
from referee.tournament.seating import Setting, same_table
from referee.tournament.work import Workers, each

MOST = 100
"""Most differences that are listed; one is enough to fail."""
LONGEST_COMMAND = 500
"""Most characters of a command. A longer one is not shown, so it is not run."""
MOST_COMMANDS = 100
"""Most commands that are shown. Those beyond are not run."""
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
    again: int = 0
    """How many games were replayed."""
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
    """A game to check: the plan from the schedule, the line about it, the compressed transcript."""

    plan: Plan
    kept: store.StoredGame
    packed: bytes


class GameCheck(NamedTuple):
    """The check of one game: what differs, and how it really ended."""

    differs: Discrepancy | None
    hash: str = ""
    outcome: Outcome | None = None
    game: str = ""
    """The id of the game that was found."""


def check_batch(shared: bytes, batch: Sequence[Job]) -> list[GameCheck]:
    """The work of a worker."""
    setting = read_setting(shared)
    return [_check(setting, job) for job in batch]


def _check(setting: Setting, job: Job) -> GameCheck:
    """One game: that its table is the one the seed gives; every signature, draw and rule; and the line about it."""
    plan, kept, number = job.plan, job.kept, job.plan.number
    try:
        data = unpack(job.packed, files.LARGE)
    except ValueError:
        why = t("game {number}: the transcript is missing or damaged", number=number)
        return GameCheck(Discrepancy("bad-games", why))
    found = hashlib.sha256(data).hexdigest()
    try:
        genesis = decode(data, Transcript, "transcript").genesis
        if not same_table(setting, plan, genesis):
            why = t(
                "game {number} was not played at the table that the seed determines: "
                "seats, terms, names, keys or deal differ",
                number=number,
            )
            return GameCheck(Discrepancy("bad-table", why), found)
        opened = open_transcript(data)
    except RefereeError as error:
        return GameCheck(Discrepancy(error.code, _failed(number, error)), found)
    made, differs = outcome(setting, plan, opened.checkpoint.state, kept.lapses), None
    if found != kept.hash or made != kept.outcome or not all(_concerns_game(setting, plan, one) for one in kept.lapses):
        why = t("game {number}: its line in games.jsonl does not match the game", number=number)
        differs = Discrepancy("bad-games", why)
    return GameCheck(differs, found, made, opened.table.id)


def _failed(number: int, error: RefereeError) -> Text:
    return t("game {number}: {message}", number=number, message=error.message)


def _concerns_game(setting: Setting, plan: Plan, lapse: Lapse) -> bool:
    """Whether a fault is about a seat and the rules of this game."""
    rules = setting.stage.games[plan.game].game
    return lapse.seat < len(plan.seats) and all(one.game in ("", rules) for one in lapse.why)


def replay_batch(shared: bytes, batch: Sequence[Plan]) -> list[tuple[str, tuple[str, ...]]]:
    """Replay games: the hashes of their transcripts, and the faults of their bots. A worker may be on another machine,
    with other files, so it makes sure that it runs only what was entered."""
    setting = read_setting(shared)
    for player in sorted({player for plan in batch for player in plan.seats}):
        entrant = setting.players[player][1]
        refuse_other(entrant.name, entrant.bot)
    return [(made.hash, made.outcome.faults) for made in (play_game(setting, plan) for plan in batch)]


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
        ids = self.ledger.ids()
        for name in kept:
            if name not in ids:
                why = t(
                    "this is not the tournament of that commitment line, or it was changed afterwards "
                    "({name} is missing)",
                    name=name[:8],
                )
                self.differs("other-tournament", why)

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
        if doubtful or not self.found.ended:
            self.found.notes.append(t("the standings were not rebuilt"))
            return
        for message in compare_results(self.folder, self.ledger):
            self.differs("bad-results", message)

    def _stage(self, part: Part, secret: bytes, tell: Callable[[int], None]) -> None:
        course = Course(self.ledger, part, secret)
        picked: list[tuple[Plan, store.StoredGame]] = []
        seen = 0
        before = store.lines(self.folder, course.tally.number)
        shared = send_setting(course.setting)
        for wave in course.waves():
            for batch in each(self.workers, check_batch, shared, self._jobs(wave, before)):
                for job, verdict in batch:
                    self._judge(course, job, verdict)
                    if self.sample and all(part.players[one][1].name in self.names for one in job.plan.seats):
                        seen += 1
                        self._pick(picked, (job.plan, job.kept), seen)
                tell(self.found.games)
        ending, more = part.ending, next(before, None)
        assert ending is not None
        if more is not None and (part is self.ledger.last or more.outcome.number < ending.numbers):
            self.differs("bad-schedule", t("game {number} is not in the schedule", number=more.outcome.number))
        if (course.done, course.tally.number, course.tally.group) != (ending.games, ending.numbers, ending.groups):
            self.differs("bad-schedule", t("the number of games does not match the schedule"))
        if course.digest.hex() != ending.digest:
            self.differs("bad-ending", t("the games are not those that the organiser signed at the end"))
        self._again(course, picked)

    def _jobs(self, wave: Iterator[Plan], before: Iterator[store.StoredGame]) -> Iterator[Job]:
        for plan in wave:
            kept = next(before, None)
            if kept is None:
                self.differs("bad-schedule", t("game {number} of the schedule is missing", number=plan.number))
                return
            yield Job(plan, kept, store.packed(self.folder, kept))

    def _judge(self, course: Course, job: Job, verdict: GameCheck) -> None:
        if verdict.differs is not None:
            self.differs(verdict.differs.code, verdict.differs.message)
        # Pairings follow from the game itself, whatever its line says; an invalid game decides nothing.
        ended = verdict.outcome or msgspec.structs.replace(job.kept.outcome, ranks=())
        course.add(job.plan, msgspec.structs.replace(job.kept, hash=verdict.hash or job.kept.hash, outcome=ended))
        self._ruled(job.plan.number, verdict.game)
        self.found.games += 1

    def _ruled(self, number: int, game: str) -> None:
        """A ruling in the ledger must be about the game with that number; an invalid game cannot be compared."""
        ruled = self.unruled.pop(number, None)
        if ruled is not None and game and ruled.table.id != game:
            why = t("game {number}: the ruling in the ledger is about another game", number=number)
            self.differs("bad-ruling", why)

    def _pick(self, picked: list[tuple[Plan, store.StoredGame]], one: tuple[Plan, store.StoredGame], seen: int) -> None:
        """Reservoir sampling: the stream has unknown length, and every game is equally likely."""
        if len(picked) < self.sample:
            picked.append(one)
        elif (at := self.below(seen)) < self.sample:
            picked[at] = one

    def _again(self, course: Course, picked: list[tuple[Plan, store.StoredGame]]) -> None:
        """Replay the sample: deterministic bots must do the same. A bot that fails may have lacked time or memory, here
        or there; then there is nothing to compare."""
        picked.sort(key=lambda one: one[0].number)
        shared = send_setting(msgspec.structs.replace(course.setting, confined=True))
        played = each(self.workers, replay_batch, shared, [plan for plan, _ in picked])
        again = (one for batch in played for _, one in batch)
        for (plan, kept), (made, faults) in zip(picked, again, strict=True):
            self.found.again += 1
            if made != kept.hash and faults != kept.outcome.faults:
                number = plan.number
                self.found.notes.append(
                    t("game {number} cannot be compared: a bot failed in the tournament, or failed now", number=number)
                )
            elif made != kept.hash:
                self.differs(
                    "played-otherwise",
                    t("game {number}: its bots played differently when it was replayed", number=plan.number),
                )

    def _unfinished(self, part: Part, tell: Callable[[int], None]) -> None:
        """Without the secret, each game can only be checked on its own."""
        self.found.notes.append(OPEN)
        for kept in store.lines(self.folder, first_number(self.ledger, part)[0]):
            number = kept.outcome.number
            try:
                self._ruled(number, open_transcript(store.transcript(self.folder, kept)).table.id)
            except RefereeError as error:
                self.differs(error.code, _failed(number, error))
            self.found.games += 1
            tell(self.found.games)
