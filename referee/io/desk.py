"""The host's desk: one game file; moves come in, views and receipts go out. One rename is the commit point."""

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from referee.crypto.codec import decode, encode
from referee.crypto.envelope import Envelope
from referee.crypto.keys import Key
from referee.engine import records as r
from referee.engine.host import Judged, Match, extend, make_view, take_arrival, take_move, time_out
from referee.engine.host import reveal as make_transcript
from referee.engine.promises import extension_in, latest, minutes
from referee.errors import FileTrouble, Malformed, RefereeError, Usage, WrongTurn
from referee.evidence.identify import document_kind, peek
from referee.io import files, guard, kinds
from referee.io.gamefile import dump_match, open_match
from referee.language import run, t

if TYPE_CHECKING:
    from datetime import datetime


class Done(msgspec.Struct, frozen=True):
    """The result of a command at the desk: the current game, the verdicts, the files written."""

    match: Match
    judged: tuple[Judged, ...]
    written: tuple[str, ...]
    closed: int
    """Rounds that were completed."""


Until = Callable[[Match], str]
"""The time until which an extension runs, from the game as it is now."""
Aid = Callable[[Match, int], bytes]
"""What is written beside the view of a seat, for pages."""


def read_match(path: str, key: Key) -> Match:
    return open_match(kinds.read(path, "game"), key)


def view_path(match: Match, seat: int, out: str) -> str:
    """Where the view of a player goes."""
    table = match.table
    return os.path.join(out, files.file_name(table.id, match.state.round, seat, table.names, "view"))


def view_files(match: Match, out: str, aid: Aid | None = None) -> dict[str, bytes]:
    """A view per player, ready to be written, and its aid if wanted."""
    found = {view_path(match, seat, out): make_view(match, seat) for seat in range(match.table.seats)}
    if aid is not None:
        found |= {aid_path(view_path(match, seat, out)): aid(match, seat) for seat in range(match.table.seats)}
    return found


def aid_path(view: str) -> str:
    """Where the aid beside a view goes."""
    return f"{view.removesuffix('.json').removesuffix('.view')}.aid.json"


def apply_moves(
    path: str,
    moves: Sequence[bytes | RefereeError],
    key: Key,
    out: str,
    now: "datetime | None" = None,
    *,
    dry: bool = False,
    aid: Aid | None = None,
    home: str = "",
) -> Done:
    """Judge moves; write the game file, all views, all receipts, and aids if they are wanted. `home` is the host's
    REFEREE_HOME, if it is not ours."""
    with _changing(path, key, out, now, dry=dry, aid=aid, home=home) as change:
        change.judged = judge_all(change.match, moves, now)
        for verdict in change.judged:
            change.extra |= receipt_file(change.match, verdict, out)
    return change.done()


def judge_all(match: Match, moves: Sequence[bytes | RefereeError], now: "datetime | None") -> tuple[Judged, ...]:
    """Judge every move on its own, in the order of their rounds. What could not be read is refused like any other bad
    move. Deadlines count from `now`."""
    verdicts: dict[int, Judged] = {}
    late = partial(lateness, match, now)
    for number in sorted(range(len(moves)), key=lambda i: claimed_round(moves[i])):
        data = moves[number]
        if isinstance(data, RefereeError):
            verdicts[number] = Judged(data.code, error=data)
        elif document_kind(data) in ("succession", "return"):
            verdicts[number] = _take_arrival(match, data)
        else:
            verdicts[number] = take_move(match, data, late)
    return tuple(verdicts[number] for number in range(len(moves)))


def _take_arrival(match: Match, data: bytes) -> Judged:
    """Judge a succession or a return."""
    try:
        return Judged("arriving", take_arrival(match, decode(data, Envelope, "succession")))
    except RefereeError as error:
        return Judged(error.code, error=error)


def miss_deadline(
    path: str,
    seat: int,
    round: int,
    key: Key,
    out: str,
    now: "datetime | None" = None,
    *,
    dry: bool = False,
    aid: Aid | None = None,
) -> Done:
    """Time a seat out in this round; a closed round stays as it is."""
    with _changing(path, key, out, now, dry=dry, aid=aid) as change:
        number = change.match.state.round
        if round <= number:
            change.extra = view_files(change.match, out, aid)
        elif round > number + 1:
            why = t("that round is not open yet")
            raise WrongTurn(why, t("see {run} for the open round", run=run("show")), code="not-asked")
        else:
            time_out(change.match, seat)
    return change.done()


def extend_time(path: str, seat: int, until: Until, key: Key, out: str, *, dry: bool = False) -> Done:
    """Promise a seat more time in the open round, in writing."""
    with _changing(path, key, out, None, dry=dry, views=False) as change:
        change.extra = extension_file(change.match, extend(change.match, seat, until(change.match)), out)
    return change.done()


def reveal(path: str, key: Key, out: str | None, *, abandon: bool = False, dry: bool = False) -> tuple[str, bytes]:
    """The transcript, and where it was written: to `out` (`-`: nowhere), or beside the game file. This ends a game that
    only rests, or is abandoned, and the game file records that first."""
    real = files.resolved_path(path)
    with files.locked(real):
        match = read_match(path, key)
        round, known = match.state.round, match.revealed
        with guard.guarding(match, real, dry=dry) as guarded:
            new = round != match.state.round or not (match.state.end or known)
            data = make_transcript(match, abandon=abandon)
            if out is None:
                out = os.path.join(os.path.dirname(path), f"{match.table.id[:8]}.transcript.json")
            refuse_same(real, [out])
            wanted = {**guarded(), real: dump_match(match)} if new else {}
            secret = [*wanted]
            wanted |= {} if out == "-" else {out: data}
            if not dry and wanted:
                files.write(wanted, secret=secret)
        return out, data


class _Change(msgspec.Struct):
    """A change to a game at the desk, as far as it has come."""

    match: Match
    before: int
    """How many rounds were over."""
    judged: tuple[Judged, ...] = ()
    extra: dict[str, bytes] = {}
    """Files to write beside the views."""

    def done(self) -> Done:
        return Done(self.match, self.judged, tuple(self.extra), self.match.state.round - self.before)


@contextlib.contextmanager
def _changing(
    path: str,
    key: Key,
    out: str,
    now: "datetime | None",
    *,
    dry: bool,
    aid: Aid | None = None,
    home: str = "",
    views: bool = True,
) -> Iterator[_Change]:
    """Read a game and bring it up to date; after the change write the guard, the game file, the views, the receipts, in
    this order."""
    real = files.resolved_path(path)
    with files.locked(real):
        before = kinds.read(path, "game")
        match = open_match(before, key)
        change = _Change(match, match.state.round)
        with guard.guarding(match, real, where=home, dry=dry) as guarded:
            match.due = next_due(match, now)
            yield change
            after = dump_match(match)
            taken = after != before or any(verdict.code == "repeated" for verdict in change.judged)
            wanted = {**guarded(), real: after} if after != before else {}
            change.extra = (view_files(match, out, aid) if taken and views else {}) | change.extra
            refuse_same(real, change.extra)
            wanted |= change.extra
            if len(after) > files.LARGE:
                why = t("the game file would become too large to be read again")
                raise Malformed(why, t("end this game"), code="too-large")
            if not dry and wanted:
                files.write(wanted, secret=[*wanted], make=[out])


def next_due(match: Match, now: "datetime | None") -> str:
    """The deadline that an entry made now states; empty in a game without deadlines."""
    from referee.io.times import after

    deadline = match.table.offer.deadline
    return after(now, deadline) if deadline and now else ""


def due_at(match: Match, seat: int) -> str:
    """When the answer of a seat is due: as the open round says, or later by an extension; empty without deadlines."""
    return max(match.state.due, latest(match.extensions, seat)) if match.state.due else ""


def bank_of(match: Match, seat: int) -> int:
    """The minutes left in the bank of a seat."""
    return match.state.bank[seat] if match.state.bank else 0


def protected_until(match: Match, seat: int) -> str:
    """The last minute in which a seat cannot be timed out: its deadline plus the rest of its bank plus the grace."""
    from referee.io.times import later

    due = due_at(match, seat)
    return later(due, bank_of(match, seat) + match.table.offer.grace) if due else ""


def lateness(match: Match, now: "datetime | None", seat: int) -> int:
    """How many whole minutes late an answer of a seat would be now."""
    from referee.io.times import after

    due = due_at(match, seat)
    return max(0, minutes(after(now, 0, up=False)) - minutes(due)) if due and now else 0


def other_folder(path: str, game: str) -> str:
    """A folder below that of the game file which has views of this game, if there is exactly one."""
    home, found = os.path.dirname(path), []
    with contextlib.suppress(OSError):
        for entry in sorted(os.scandir(home or "."), key=lambda entry: entry.name):
            if entry.is_dir() and any(name.startswith(f"{game[:8]}-r") for name in os.listdir(entry.path)):
                found.append(os.path.join(home, entry.name))
    return found[0] if len(found) == 1 else ""


def refuse_same(game: str, others: Iterable[str]) -> None:
    """Nothing that is sent out may overwrite the game file, whatever that is called."""
    for path in others:
        if os.path.realpath(path) == os.path.realpath(game):
            why = t("{path} would overwrite the game file", path=files.printable(path))
            raise FileTrouble(why, t("give the game file another name, or the views another folder"), code="exists")


def claimed_round(data: bytes | RefereeError) -> int:
    """The round that a move names; what cannot be read comes first and is refused later."""
    claim = None if isinstance(data, RefereeError) else peek(data, _Claim)
    found = peek(claim.body, _Round) if claim else None
    return found.round if found else -1


class _Claim(msgspec.Struct, frozen=True):
    body: msgspec.Raw


class _Round(msgspec.Struct, frozen=True):
    round: int


def receipt_file(match: Match, verdict: Judged, out: str) -> dict[str, bytes]:
    """The receipt for a move, if it got one. Its name has the move's id and the verdict, so that no other receipt
    overwrites it."""
    if verdict.receipt is None:
        return {}
    receipt = msgspec.json.decode(verdict.receipt.body, type=r.Receipt)
    names, refused = match.table.at(receipt.round).names, "" if receipt.code == "taken" else f"-{receipt.code}"
    mark = f"-{receipt.move[:6]}{refused}"
    name = files.file_name(match.table.id, receipt.round, receipt.seat, names, "receipt", mark)
    return {os.path.join(out, name): encode(verdict.receipt)}


def extension_file(match: Match, extension: Envelope, out: str) -> dict[str, bytes]:
    """An extension for its player. Its name has the time, so that no other extension overwrites it."""
    said = extension_in(extension)
    mark = "-" + said.until.replace(":", "").replace("-", "").lower()
    name = files.file_name(match.table.id, said.round, said.seat, match.table.names, "extension", mark)
    return {os.path.join(out, name): encode(extension)}


def find_seat(names: Sequence[str], text: str) -> int:
    """A seat by the player's name, or by its number from 1."""
    fits = [seat for seat, name in enumerate(names) if name.casefold() == text.casefold()]
    if not fits and text in (str(number) for number in range(1, len(names) + 1)):
        fits = [int(text) - 1]
    if not fits:
        there = tuple(map(files.printable, names))
        advice = t("give one of {there}, or a number from 1 to {names}", there=there, names=len(names))
        raise Usage(t("there is no player of that name in this game"), advice, code="no-such-seat")
    return fits[0]
