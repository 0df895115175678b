"""What changes a game: answers that are taken, and deadlines that are over. Each new entry gets its deadline here."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TypeVar

from msgspec import structs

from referee.crypto.codec import decode
from referee.engine import records as r
from referee.engine.chain import Followed
from referee.engine.host import Judged, Match, take_move, time_out
from referee.engine.player import Draft, Opened, answer
from referee.engine.rounds import asked
from referee.io.desk import over_at
from referee.io.gamefile import dump_match, open_match
from referee.io.times import read_time
from referee.mail.deadlines import away_until, new_due, spelled
from referee.mail.office_tables import Desk

T = TypeVar("T")
Late = Callable[[int], int]


def take(desk: Desk, move: bytes, now: datetime, late: Late) -> Judged:
    """Judge a signed move; a good one counts. `late` tells by how many minutes the answer of a seat is too late."""
    return _closing(desk, now, lambda match: take_move(match, move, late))


def answer_kept(desk: Desk, opened: Opened, said: Draft, now: datetime, late: Late) -> Judged:
    """Sign what the player of a kept seat said, and take it."""
    return take(desk, answer(desk.kept_key(opened.seat), opened, said), now, late)


def opened_then(desk: Desk, seat: int, round: int) -> Opened:
    """What this seat saw when a round asked it that is over."""
    now = desk.opened(seat)
    then = Followed(now.table)
    for checked in now.chain.rounds[: round - 1]:
        then.rounds.append(checked)
        then.checkpoint = checked.checkpoint
    return structs.replace(now, chain=then)


def counts(desk: Desk, then: Opened, said: Draft) -> bool:
    """Whether this is what the player of a kept seat answered in a round that is over."""
    entry = desk.opened(then.seat).chain.rounds[then.round].entry
    file = decode(answer(desk.kept_key(then.seat), then, said), r.MoveFile, "move")
    move = decode(bytes(file.body), r.Move, "move")
    return any(r.rebuilt(entry.game, entry.round, entry.prev, one) == move for one in entry.answers)


def pass_over(desk: Desk, seats: Sequence[int], now: datetime) -> None:
    """The deadline of these seats is over: the round closes without them, once nobody else is waited for."""

    def work(match: Match) -> None:
        for seat in seats:
            time_out(match, seat)

    _closing(desk, now, work)


def _closing(desk: Desk, now: datetime, work: Callable[[Match], T]) -> T:
    """Do something that may close the round. Its entry states a deadline, which may depend on whom it asks: then the
    round is closed once more, with the right one."""
    match, deadline = desk.match, desk.terms.deadline
    round = match.state.round
    players = [desk.player(seat) for seat in range(len(desk.joined))]
    away = bool(deadline) and any(away_until(player.away, player.zone, now) for player in players)
    before = dump_match(match) if away else b""
    if match.late and match.state.due:
        # Somebody was timed out: should the clock have gone back since, the entry must not say that it was too early.
        now = max(now, *(read_time(over_at(match, seat)) for seat in match.late))
    match.due = new_due(now, deadline, ()) if deadline else ""
    result = work(match)
    if match.state.round == round:
        return result
    waited = [(players[seat].away, players[seat].zone) for seat in asked(match.state)]
    if away and (due := new_due(now, deadline, waited)) != match.due:
        played = match.played
        desk.match = match = open_match(before, desk.office.key)
        match.due, match.played = due, played
        result = work(match)
    # Not before: how late an answer is depends on when its question was handed over.
    desk.change(since=spelled(now), handed=())
    return result
