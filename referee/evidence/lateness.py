"""Late rounds and protests, which everybody can count. A single one blames nobody; many of them say something."""

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
    """The round of the protest."""
    late: int
    """The round of the timeout."""
    move: str
    """The id of the move that it names."""
    shown: bool = False
    """Whether that move was presented and is valid."""


class LateSeat(msgspec.Struct, frozen=True):
    """The rounds in which a seat was timed out while this player held it."""

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
    return count_lateness(chain.table, [one.entry for one in chain.rounds], moves)


def count_lateness(table: Table, entries: Sequence[r.Entry], moves: Iterable[Signed] = ()) -> Lateness:
    """The same for checked entries from the first one on; `table` has the holders after the last. A timeout counts only
    against the player who held the seat then."""
    presented: dict[str, list[Signed]] = {}
    for one in moves:
        presented.setdefault(ident("move", bytes(one.body)), []).append(one)
    names, new = [join.name for join in table.joins], {(one.since, one.seat): one.name for one in table.holders}
    late: dict[tuple[int, str], list[int]] = {}
    protests: list[Protest] = []
    asked_by = {entry.round: entry.prev for entry in entries}
    for entry in entries:
        for answer in (answer for answer in entry.answers if answer.protest):
            seat, name = answer.seat, names[answer.seat]
            missed = late[seat, name][-1]
            then = table.at(missed)
            files = presented.get(answer.protest, ())
            shown = any(_answers_question(then, file, seat, missed, asked_by[missed]) for file in files)
            protests.append(Protest(seat + 1, name, entry.round, missed, answer.protest, shown))
        for seat in entry.timeouts:
            late.setdefault((seat, names[seat]), []).append(entry.round)
        names = [new.get((entry.round, seat), name) for seat, name in enumerate(names)]
    rows = sorted((seat, rounds, name) for (seat, name), rounds in late.items())
    seats = tuple(LateSeat(seat + 1, name, tuple(rounds)) for seat, rounds, name in rows)
    return Lateness(sum(bool(entry.timeouts) for entry in entries), seats, tuple(protests))


def _answers_question(table: Table, file: Signed, seat: int, number: int, asked: str) -> bool:
    """Whether this is an answer that the seat signed for that round, to what it was asked then."""
    try:
        signed = Envelope(file.body, file.sig, file.type)
        move = read_move(table, signed)
        signed_move(table, signed, move)
    except RefereeError:
        return False
    return (move.seat, move.round, move.asked) == (seat, number, asked)
