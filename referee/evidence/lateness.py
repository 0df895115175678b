"""Late rounds and protests: what everybody can count. Neither blames anybody; many of them say something."""

from collections.abc import Iterable, Sequence

import msgspec

from referee.crypto.envelope import Envelope, ident
from referee.engine import records as r
from referee.engine.chain import Followed
from referee.engine.table import Table
from referee.errors import RefereeError
from referee.evidence.court import read_move, signed_move

Signed = r.MoveFile | Envelope
"""A move as it was sent, or what is signed of it."""


class Protest(msgspec.Struct, frozen=True):
    """A seat states that it had signed an answer for the round in which it was last timed out."""

    seat: int
    """From 1, as people count."""
    name: str
    round: int
    """In which it says so."""
    late: int
    """In which it was timed out."""
    move: str
    """The id of the move that it names."""
    shown: bool = False
    """Whether that move was presented, and fits."""


class LateSeat(msgspec.Struct, frozen=True):
    """The rounds in which a seat was timed out."""

    seat: int
    name: str
    rounds: tuple[int, ...]


class Lateness(msgspec.Struct, frozen=True):
    """What a game has of late rounds and protests."""

    late_rounds: int
    """Rounds with a timeout: each drew again, and took a deadline with its grace."""
    late: tuple[LateSeat, ...]
    protests: tuple[Protest, ...]


def lateness(chain: Followed, moves: Iterable[Signed] = ()) -> Lateness:
    """Count what a checked chain has; a protest whose move is among these is shown."""
    return counted(chain.table, [one.entry for one in chain.rounds], moves)


def counted(table: Table, entries: Sequence[r.Entry], moves: Iterable[Signed] = ()) -> Lateness:
    """The same of checked entries from the first one on."""
    presented: dict[str, list[Signed]] = {}
    for file in moves:
        presented.setdefault(ident("move", bytes(file.body)), []).append(file)
    late: dict[int, list[int]] = {}
    protests: list[Protest] = []
    asked_by = {entry.round: entry.prev for entry in entries}
    for entry in entries:
        for answer in (answer for answer in entry.answers if answer.protest):
            missed = late[answer.seat][-1]
            then = table.seated(tuple(one for one in table.holders if one.since < missed))
            place = answer.seat, missed, asked_by[missed]
            shown = any(_fits(then, file, *place) for file in presented.get(answer.protest, ()))
            name = then.names[answer.seat]
            protests.append(Protest(answer.seat + 1, name, entry.round, missed, answer.protest, shown))
        for seat in entry.timeouts:
            late.setdefault(seat, []).append(entry.round)
    seats = tuple(LateSeat(seat + 1, table.names[seat], tuple(found)) for seat, found in sorted(late.items()))
    return Lateness(sum(bool(entry.timeouts) for entry in entries), seats, tuple(protests))


def _fits(table: Table, file: Signed, seat: int, number: int, asked: str) -> bool:
    """Whether this is an answer that the seat signed for that round, to what it was asked then."""
    try:
        signed = Envelope(file.body, file.sig, file.type)
        move = read_move(table, signed)
        signed_move(table, signed, move)
    except RefereeError:
        return False
    return (move.seat, move.round, move.asked) == (seat, number, asked)
