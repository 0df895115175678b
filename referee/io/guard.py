"""What a host signed last in each game, kept outside the game file: an older copy of that file cannot fork the game.

One small file per key and offer in REFEREE_HOME, replaced at every step; it does not grow. It is written before the
game file, so after a crash in between the next command finds the step here and repeats it. It covers only this machine
and this REFEREE_HOME: a second machine, or a restored backup of REFEREE_HOME, goes unnoticed.
"""

import contextlib
import os
from collections.abc import Callable, Iterator
from typing import Literal

import msgspec

from referee.crypto.codec import PROJECT, Hex32, decode, encode
from referee.crypto.envelope import Envelope, ident
from referee.engine import records as r
from referee.engine.host import Match, promise, take_move, time_out
from referee.engine.seats import arrivals_of
from referee.errors import Malformed, WrongTurn
from referee.io import files
from referee.language import Text, t

FORMAT = PROJECT + "guard"
Source = Literal["file", "start", "views"]
"""Where a match comes from: the game file; a genesis made now; players' views, which may know more than the guard."""


class Step(r.Record, frozen=True):
    """A round that was closed: what was signed, and the moves that it was closed with."""

    entry: Envelope
    privates: tuple[Envelope, ...] = ()
    moves: tuple[r.MoveFile, ...] = ()


class Guard(r.Record, frozen=True):
    """What the host signed last in one game."""

    format: str
    game: Hex32
    path: str
    """The newest game file."""
    round: r.Round = 0
    steps: tuple[Step, ...] = ()
    """The rounds up to `round` that the last command closed; always the last one."""
    waiting: tuple[r.MoveFile, ...] = ()
    """The moves that were accepted in the open round: their players have receipts."""
    revealed: bool = False
    used: tuple[tuple[r.Seat, r.Minutes], ...] = ()
    """What the time banks of seats that have answered pay."""
    extensions: tuple[Envelope, ...] = ()
    """What was promised in the open round: the players have it in writing."""


def name_of(match: Match) -> str:
    """The path of a game's guard, relative to the folder of all guards."""
    return os.path.join(match.key.public.hex(), f"{match.table.offer_id}.json")


def path_of(name: str, where: str = "") -> str:
    return os.path.join(where or files.home(), "guard", name)


def read(path: str) -> bytes:
    """A guard as it is written; empty if there is none."""
    return files.read(path, files.LARGE, "guard") if os.path.lexists(path) else b""


@contextlib.contextmanager
def guard_lock(path: str) -> Iterator[None]:
    """Hold the lock of a guard: every command that signs for this key and offer waits here, whatever its game file."""
    files.make_folder(os.path.dirname(path))
    with files.exclusive_lock(path):
        yield


def clear(*paths: str) -> None:
    """Remove what a kill left beside these guards; their locks are held, so nobody is writing there now."""
    for folder in {os.path.dirname(path) for path in paths}:
        begun = tuple(f".{os.path.basename(path)}." for path in paths)
        for name in os.listdir(folder):
            if name.startswith(begun) and name.endswith(".tmp"):
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(os.path.join(folder, name))


@contextlib.contextmanager
def guarding(
    match: Match, file: str, *, source: Source = "file", where: str = "", dry: bool = False
) -> Iterator[Callable[[], dict[str, bytes]]]:
    """Bring a match up to what was signed last, and hold its lock. Yields what makes the guard as it must be written,
    before the game file `file`; empty if nothing is new. A dry run neither waits nor writes."""
    path, before = path_of(name_of(match), where), match.state.round
    with contextlib.nullcontext() if dry else guard_lock(path):
        if not dry:
            clear(path)
        known = read(path)
        bring_up_to_date(match, known, source)

        def made() -> dict[str, bytes]:
            new = make(match, known, before, file)
            return {path: new} if source == "views" or says_something_new(known, new) else {}

        yield made


def make(match: Match, known: bytes, before: int, file: str) -> bytes:
    """The guard for a match as it is now. `before`: the round of the game file on disk, from which the guard must
    continue."""
    old = _decode(known) if known else None
    steps = {old.round - at: step for at, step in enumerate(reversed(old.steps))} if old else {}
    number = match.state.round
    first = min(before, number - 1)
    new = Guard(
        format=FORMAT,
        game=match.table.id,
        path=os.path.abspath(file),
        round=number,
        steps=tuple(steps.get(one) or _step(match, one) for one in range(max(first, 0) + 1, number + 1)),
        waiting=tuple(match.waiting[seat] for seat in sorted(match.waiting)),
        revealed=match.revealed,
        used=tuple(sorted(match.used.items())),
        extensions=match.extensions,
    )
    return encode(new)


def says_something_new(known: bytes, new: bytes) -> bool:
    """Whether a guard says anything that the known one does not; a new path of the game file alone does not count."""
    if not known:
        return True
    one, other = _decode(known), _decode(new)
    return msgspec.structs.replace(one, path=other.path, steps=other.steps) != other


def bring_up_to_date(match: Match, known: bytes, source: Source = "file") -> None:
    """Bring a match up to its guard, or refuse it."""
    number = match.state.round
    if not known:
        if number and source == "file":
            why = t("this game file is at round {number}, but this machine never signed for this game", number=number)
            raise _not_signed_here(why)
        return
    guard = _decode(known)
    if guard.game != match.table.id:
        why = t("you have already started another game from this offer")
        raise WrongTurn(why, t("make a new offer"), code="already-started")
    if source == "start" and guard.round:
        why = t("this game has already started and is at round {round}", round=guard.round)
        raise WrongTurn(why, t("continue with {path}", path=files.printable(guard.path)), code="already-started")
    if number > guard.round and source == "file":
        rounds = {"number": number, "last": guard.round}
        why = t("this game file is at round {number}, but the last round that this machine signed is {last}", **rounds)
        raise _not_signed_here(why)
    missing = guard.round - number
    if missing > len(guard.steps):
        raise _outdated(match, guard)
    for step in guard.steps[len(guard.steps) - missing :] if missing > 0 else ():
        _take(match, guard, step)
    _refuse_fork(match, guard)
    if match.state.round == guard.round:
        for extension in guard.extensions:  # first: a seat with an extension must not count as late
            promise(match, extension)
        _restore_waiting(match, guard)
        match.revealed = match.revealed or guard.revealed


def _not_signed_here(why: Text) -> WrongTurn:
    advice = t("compare it with the players' newest views: `referee recover VIEW... --adopt GAME.json`")
    return WrongTurn(why, advice, code="no-guard")


def _refuse_fork(match: Match, guard: Guard) -> None:
    """The entries that the guard has must be those of the match."""
    for number, step in enumerate(guard.steps, guard.round - len(guard.steps) + 1):
        if match.entries[number - 1] != step.entry:
            why = t("round {number} of this game file is not the one that you signed", number=number)
            path = files.printable(guard.path)
            advice = t("use {path}, and never send this one to players: both together would prove a fork", path=path)
            raise WrongTurn(why, advice, code="forked-file")


def _restore_waiting(match: Match, guard: Guard) -> None:
    """Answers that were accepted in the open round still count: their players have receipts."""
    for file in guard.waiting:
        seat = msgspec.json.decode(file.body, type=r.Move).seat
        if seat not in match.waiting:
            _play(match, guard, file, guard.used)
        elif ident("move", bytes(match.waiting[seat].body)) != ident("move", bytes(file.body)):
            raise _outdated(match, guard)


def _take(match: Match, guard: Guard, step: Step) -> None:
    """Close one round again, exactly as it was closed."""
    entry = msgspec.json.decode(step.entry.body, type=r.Entry)
    number = match.state.round + 1
    if entry.prev != match.checkpoint.head:
        raise _outdated(match, guard)
    match.waiting, match.late, match.due, match.used = {}, set(), entry.due, {}
    match.arrivals = arrivals_of(match.table, match.state, match.checkpoint.head, entry)
    for file in step.moves:
        _play(match, guard, file, entry.used)
    for seat in entry.timeouts:
        time_out(match, seat)
    if match.state.round != number or match.entries[-1] != step.entry or _privates(match, number) != step.privates:
        raise _outdated(match, guard)


def _play(match: Match, guard: Guard, file: r.MoveFile, used: tuple[tuple[int, int], ...]) -> None:
    judged = take_move(match, encode(file), lambda seat: dict(used).get(seat, 0))
    if judged.error is not None:
        raise judged.error if judged.code == "other-rules" else _outdated(match, guard)


def _outdated(match: Match, guard: Guard) -> WrongTurn:
    rounds = {"round": match.state.round, "round2": guard.round}
    why = t("this game file is at round {round}, but you have signed more since, up to round {round2}", **rounds)
    advice = t("use {path}; if it is lost, build it again with `referee recover VIEW...` from the players' newest "
               "views", path=files.printable(guard.path))  # fmt: skip
    return WrongTurn(why, advice, code="older-file")


def _step(match: Match, number: int) -> Step:
    return Step(match.entries[number - 1], _privates(match, number), match.played.get(number, ()))


def _privates(match: Match, number: int) -> tuple[Envelope, ...]:
    """The private parts of one of the last rounds, in seat order."""
    found = []
    for parts in match.privates:
        for one in reversed(parts):
            round = msgspec.json.decode(one.body, type=r.Private).round
            if round == number:
                found.append(one)
            if round <= number:
                break
    return tuple(found)


def _decode(data: bytes) -> Guard:
    try:
        guard = decode(data, Guard, "guard")
        if guard.format == FORMAT:
            return guard
    except Malformed:
        pass
    why = t("this machine's guard for this game (in `guard` in REFEREE_HOME) is damaged")
    advice = t("move that file away, then compare the game file with the players' newest views: `referee "
               "recover VIEW... --adopt GAME.json`")  # fmt: skip
    raise Malformed(why, advice, code="bad-guard")
