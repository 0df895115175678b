"""A tournament from its spec to its report: the organiser's desk, the steps of a stage, single games of it."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from msgspec import Struct
from msgspec.structs import replace

from referee.bots.confine import confinement_notes
from referee.crypto.codec import H, encode
from referee.crypto.keys import Key
from referee.errors import CheckFailed, FileTrouble, Usage, WrongTurn
from referee.io import files, keyfile
from referee.language import current_language, run
from referee.library import t, w
from referee.library.values import sentence
from referee.tournament import documents, results, stage
from referee.tournament import spec as specs
from referee.tournament.check import Check, Checked, ReplayableBots
from referee.tournament.ledger import Ledger, Part, commitment
from referee.tournament.run import Tell, next_number, play_stage, refuse_unready
from referee.tournament.run import amend as amend_game
from referee.tournament.stage import Desk
from referee.tournament.work import Workers, make_workers

CHANGED = 11
"""The exit status of a check that found nothing wrong, but standings that were changed after the line that was kept."""
LoadKey = Callable[[str], Key]
"""Reads a key file; it may ask for a passphrase."""

# --- the desk --------------------------------------------------------------------------------------------------------


@contextmanager
def opened(
    folder: str, key: str | None, load: LoadKey, seed: str | None = None, *, dry: bool = False, begin: bool = False
) -> Iterator[Desk]:
    """The organiser's desk, for one process at a time. A new tournament, if it may begin here, gets its own key. A dry
    desk writes nothing."""
    path = stage.ledger_path(folder)
    if not begin and not os.path.lexists(path):
        raise stage.none_here()
    if dry:
        yield Desk(folder, organisers_key(folder, key, load, seed), dry=True)
        return
    files.make_folder(folder)
    if not os.path.lexists(path):
        with open(path, "ab"):
            pass
    with files.locked(path):
        yield Desk(folder, organisers_key(folder, key, load, seed))


def organisers_key(folder: str, named: str | None, load: LoadKey, seed: str | None) -> Key:
    """The key that was named, or the one that is kept for this tournament, or a new one for a new tournament."""
    if named is not None:
        return load(named)
    parts = stage.existing_ledger(folder).parts
    if not parts:
        return Key(_random_bytes(seed, "key"), "organiser")
    path = stage.key_path(parts[0].stage.key)
    if not os.path.lexists(path):
        advice = t("name it with --key, or set REFEREE_HOME to where the tournament was begun")
        raise FileTrouble(t("the organiser's key is not here"), advice, code="no-key")
    return load(path)


def _random_bytes(seed: str | None, what: str) -> bytes:
    return os.urandom(32) if seed is None else H("tournament-trial", what, seed)


def _save_key(desk: Desk) -> None:
    """Written before the first document: a kill between the two leaves an unused key, never a ledger without its
    key."""
    path = os.path.realpath(stage.key_path(desk.key.public.hex()))
    if path.startswith(os.path.join(os.path.realpath(desk.folder), "")):
        why = t("REFEREE_HOME is inside the folder of the tournament, which everybody can see")
        raise Usage(why, t("choose another folder with -o, or name a key elsewhere with --key"))
    if not os.path.lexists(path):
        files.write({path: keyfile.dump(desk.key)}, secret=[path], make=[os.path.dirname(path)])


# --- steps -----------------------------------------------------------------------------------------------------------


def open_stage(
    desk: Desk, path: str, seed: str | None, *, key: str | None = None, further: bool = False, decide: int = 0
) -> None:
    """Commit to this spec and enter its bots, unless the last stage is already this one; `further`: it may follow one
    that is over. `key` is its path, if the organiser already has one. `decide` overrides the spec."""
    spec = specs.read_spec(path)
    if decide:
        spec = replace(spec, schedule=replace(spec.schedule, decide=decide))
    games, bots = specs.all_played(spec), specs.all_bots(spec)
    number = len(desk.ledger.parts)
    if further and not number:
        raise stage.none_here()
    if not number or not stage.follows_spec(desk.part, spec, games, bots):
        if number and not (further and desk.part.ending):
            advice = t("continue without a SPEC, or add a stage with {run}", run=run("tournament", "run", "--add"))
            raise Usage(t("there is another tournament in that folder"), advice, code="other-spec")
        if not number and key is None and not desk.dry:
            _save_key(desk)
        desk.commit(spec.name, games, spec.schedule, spec.limits, _random_bytes(seed, f"stage {number}"), spec.arbiter)
    if desk.part.closing is None:
        desk.enter(bots)


def make_ready(desk: Desk, unconfined: bool) -> None:
    """Close the entries and start, unless that has been done."""
    if desk.part.closing is None:
        desk.close()
    refuse_unready(desk, unconfined)
    if desk.part.start is None:
        desk.start(unconfined=unconfined)


class Plan(Struct, frozen=True):
    """What a stage will play."""

    games: int
    """At most."""
    bots: list[str]

    def line(self) -> str:
        """The same for people, before anything is played."""
        many = {"most": self.games, "n": len(self.bots), "names": ", ".join(self.bots)}
        return w("{most} games at most, by {n} bots: {names}.", **many) + f" {DRY}"


def plan(desk: Desk) -> Plan:
    """What the last stage will play."""
    part = desk.part
    names = [one.name for _, one in part.players]
    return Plan(specs.count_games(part.stage.schedule, [one.seats for one in part.stage.games], names), names)


class Played(Struct, frozen=True):
    """A stage that was played."""

    games: int
    commitment: str
    standings: list[str]

    def notes(self, desk: Desk, confined: bool) -> list[str]:
        """How bots were kept apart, what to keep, and what comes next."""
        foreign = any(one.bot.program or ":" in one.bot.run[0] for _, one in desk.part.players)
        made = os.path.join(desk.folder, results.report_name(current_language()))
        return [
            *(sentence(note) for note in (confinement_notes(confined) if foreign else ())),
            w("Keep this line, and give it to everybody who plays:\n{line}", line=self.commitment),
            w("Next: look at {file}; anybody can check it with {command}.", file=made,
              command=run("tournament", "check", desk.folder)),
        ]  # fmt: skip


def play(desk: Desk, jobs: int, dask: str | None, tell: Tell, *, unconfined: bool) -> Played:
    """Play what is not played yet, and write the results."""
    with workers_for(jobs, dask) as workers:
        course = play_stage(desk, workers, tell, unconfined=unconfined)
    return Played(course.done, commitment(desk.ledger), results.write_results(desk.folder, desk.ledger))


@contextmanager
def workers_for(jobs: int, dask: str | None) -> Iterator[Workers]:
    """Who does the work, until it is done."""
    workers = make_workers(jobs, dask)
    try:
        yield workers
    finally:
        workers.close()


# --- steps in words --------------------------------------------------------------------------------------------------

DRY = t("Nothing was written. Next: run it again without --dry-run.")
Told = tuple[list[str], list[str]]
"""What a step gives: lines to keep, and what comes next."""


def commit(desk: Desk, spec: str, seed: str | None, key: str | None) -> Told:
    """Commit to a secret and the spec; gives the one line that entrants should keep."""
    open_stage(desk, spec, seed, key=key)
    if desk.dry:
        return [], [w("The spec is in order.") + f" {DRY}"]
    next = w("Next: send {file} and this line to everyone who wants to enter a bot; then {command}",
             file=files.printable(stage.ledger_path(desk.folder)),
             command=run("tournament", "next", desk.folder, "ENTRANT..."))  # fmt: skip
    return [commitment(desk.ledger)], [next]


def close(desk: Desk, entrants: Sequence[str]) -> Told:
    """Take what others entered, and close the entries."""
    desk.close(read_submissions(entrants, "entrant"))
    names = [one.name for one in desk.part.entrants.values()]
    lines = [w("{n} bots: {names}", n=len(names), names=", ".join(names))]
    if desk.dry:
        return lines, [str(DRY)]
    if not undisclosed_bots(desk.part):
        return lines, [w("Next: {next}", next=run("tournament", "run", "-o", desk.folder))]
    next = w("Next: send {file} to the entrants, who answer with `referee tournament enter LEDGER --disclose`; "
             "then {command}", file=files.printable(stage.ledger_path(desk.folder)),
             command=run("tournament", "next", desk.folder, "DISCLOSURE..."))  # fmt: skip
    return lines, [next]


def start(desk: Desk, disclosures: Sequence[str], *, incomplete: bool, unconfined: bool) -> Told:
    """Take the nonces that the entrants disclosed: everything else follows from them and the secret."""
    if len(undisclosed_bots(desk.part)) > len(disclosures) and not incomplete:
        advice = t("give them, or start without those bots with --incomplete")
        raise Usage(t("disclosures are missing"), advice, code="missing-disclosures")
    desk.start(read_submissions(disclosures, "disclosure"), unconfined=unconfined)
    missing = [w("{name} did not disclose its nonce and does not play.", name=name)
               for name in undisclosed_bots(desk.part)]  # fmt: skip
    if desk.dry:
        return [], [*missing, str(DRY)]
    more = ["--unconfined"] if unconfined else []
    next = w("Next: {next}", next=run("tournament", "run", "-o", desk.folder, *more))
    return [commitment(desk.ledger)], [*missing, next]


def withdraw(desk: Desk, name: str, reason: str) -> Told:
    """Withdraw a bot: it plays no more, and none of its games count."""
    desk.withdraw(name, next_number(desk), reason)
    if desk.part.ending is not None and not desk.dry:
        results.write_results(desk.folder, desk.ledger)
    on = w("Next: {command} continues without it.", command=run("tournament", "run", "-o", desk.folder))
    return [], [str(DRY) if desk.dry else on]


def amend(desk: Desk, ruling: bytes) -> Told:
    """Apply an arbiter's ruling on a game: standings follow it, if the spec named that arbiter."""
    number, name = amend_game(desk, ruling), desk.ledger.parts[0].stage.name
    if desk.dry:
        return [], [w("It is game {number} of {name}.", number=number, name=name) + f" {DRY}"]
    standings = results.write_results(desk.folder, desk.ledger) if desk.part.ending is not None else []
    return standings, [
        w("It is game {number} of {name}, and counts as the ruling says.", number=number, name=name),
        w("Next: send {file} and the results to everybody.", file=os.path.join(desk.folder, "ledger.jsonl")),
    ]


def check_all(
    folder: str, ledger: Ledger, promised: Sequence[str], again: int, bots: ReplayableBots | None,
    tell: Callable[[int], None], jobs: int, dask: str | None,
) -> Checked:  # fmt: skip
    """Check a tournament completely, and against what was promised; `bots` play that many of its games again."""
    with workers_for(jobs, dask) as workers:
        one = Check(folder, ledger, workers)
        one.promise(promised)
        if bots:
            one.play_again(again, bots)
        one.stages(tell)
    one.results()
    return one.found


def lines_of(found: Checked) -> list[str]:
    """What a check of a tournament found, for people."""
    numbers = {"games": found.games, "expanded": found.expanded, "again": found.again}
    counted = w.plural("{games} games checked, {expanded} of them with signatures, {again} replayed, {n} difference",
                       "{games} games checked, {expanded} of them with signatures, {again} replayed, {n} differences",
                       len(found.differs), **numbers)  # fmt: skip
    waiting = w.plural("{n} game cannot be checked before its stage is over",
                       "{n} games cannot be checked before their stage is over", found.unchecked)  # fmt: skip
    return [
        *(w("BAD {what} [{code}]", what=one.message, code=one.code) for one in found.differs),
        *(w("CHANGED since your line: {what}", what=one) for one in found.later),
        *(w("note: {note}", note=note) for note in found.notes),
        *([counted] if found.games or found.ended or found.differs else []),
        *([] if found.ended else [waiting]),
    ]


def conclusion(found: Checked, promised: bool) -> tuple[str, int]:
    """What comes next, and the exit status; `promised`: it was compared with the line that somebody kept."""
    if found.differs:
        kept = w(
            "Next: keep the folder, and ask the organiser; what differs was changed after it was signed or played."
        )
        return kept, CheckFailed.exit
    if found.later:
        return w("Next: ask the organiser why standings changed after your line."), CHANGED
    if not found.ended:
        return w("Next: check it again when it is over."), 0
    if not promised:
        return w("Next: compare it with the line that you kept: --commit LINE."), 0
    return w("Next: nothing; this is the tournament that you were promised."), 0


def read_submissions(paths: Iterable[str] | None, what: str) -> Iterator[bytes]:
    """What entrants sent as files."""
    return (files.read(path, files.SMALL, what).rstrip(b"\r\n") for path in paths or ())


def undisclosed_bots(part: Part) -> list[str]:
    """Other people's bots whose nonces have not been disclosed yet."""
    opened = {one.entrant for one in part.disclosed.values()}
    return [one.name for name, one in part.entrants.items() if not one.kept and name not in opened]


def stage_to_enter(ledger: str) -> Part:
    """The stage that bots can be entered for."""
    part = stage.load(ledger).last
    if part.closing is not None:
        raise WrongTurn(t("entries are closed"), t("wait for the next stage"), code="closed")
    return part


def disclosure(ledger: str, key: Key) -> tuple[str, bytes]:
    """The name of the bot that this key entered, and its nonce, opened."""
    part = stage.load(ledger).last
    name, entrant = stage.own_entrant(part, key)
    if part.closing is None or part.start is not None:
        why = t("entries are not closed yet") if part.closing is None else t("the tournament has started")
        raise WrongTurn(why, t("wait for the ledger in which they are closed"), code="not-closed")
    return entrant.name, encode(documents.disclose(key, part.id, part.ids["closing"], name))
