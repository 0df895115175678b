"""The host's game file: the same game has the same bytes, however it was reached."""

from referee.io.gamefile import dump_match
from tests.support.match import Sitting


def test_waiting_successions_are_kept_in_seat_order() -> None:
    sitting = Sitting("auction", 3, "arrivals", takeovers=2).until("play")
    waiting = dict(enumerate(sitting.joins))  # any documents: a file keeps what it is given
    files = []
    for order in ((0, 1, 2), (2, 0, 1)):
        sitting.match.arrivals = {seat: waiting[seat] for seat in order}
        files.append(dump_match(sitting.match))
    assert files[0] == files[1]
    assert all(one.sig.encode() in files[0] for one in waiting.values())
