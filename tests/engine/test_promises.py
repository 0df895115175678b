"""Time banks and extensions, which the host's own program grants exactly up to their limits."""

import pytest

from referee.crypto.codec import decode
from referee.engine import host
from referee.engine import records as r
from referee.engine.promises import breaks_extension
from referee.errors import WrongTurn
from referee.io.desk import due_at, lateness, protected_until
from referee.io.gamefile import open_match
from tests.engine.attacks import banked
from tests.support.match import Sitting, entries_of


def deadlined(**terms: int) -> Sitting:
    """All three are asked, until one o'clock, with ten minutes of grace."""
    sitting = Sitting("auction", 3, "time", **{"deadline": 60, "grace": 10, **terms}).until("play")
    assert (sitting.asked, sitting.state.due) == ([0, 1, 2], "2027-01-01T01:00Z")
    return sitting


def last(sitting: Sitting) -> r.Entry:
    return entries_of(decode(sitting.view(0), r.View, "view"))[-1]


# --- banks -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("late", "paid"), [(-60, 0), (0, 0), (1, 1), (29, 29), (30, 30), (31, 30), (500, 30)])
def test_a_bank_pays_for_whole_minutes_after_the_deadline_and_no_more_than_it_has(late: int, paid: int) -> None:
    sitting = deadlined(bank=30)
    sitting.others(1)
    sitting.wait(60 + late)
    assert sitting.give(sitting.signed(1)).error is None
    assert last(sitting).used == (((1, paid),) if paid else ())
    assert sitting.opened(1).chain.checkpoint.state.bank == (30, 30 - paid, 30)


def test_whoever_answers_first_pays_only_for_their_own_time() -> None:
    sitting = deadlined(bank=30)
    sitting.wait(65)
    sitting.give(sitting.signed(0))
    file = sitting.file()
    sitting.match = open_match(file, sitting.host)
    sitting.wait(15)
    sitting.others(1)
    sitting.wait(100)
    sitting.pass_over([1])
    assert last(sitting).used == ((0, 5), (2, 20)), "the file has kept what the first one pays"
    assert sitting.state.bank == (25, 0, 10), "who is timed out has nothing left"


def test_two_timed_out_players_wait_for_the_larger_bank() -> None:
    sitting = banked()
    due = sitting.state.due
    sitting.others(0, 1)
    assert [protected_until(sitting.match, seat) for seat in (0, 1)] == ["2027-01-01T02:50Z", "2027-01-01T02:40Z"]
    assert due == "2027-01-01T02:10Z"
    host.time_out(sitting.match, 1)
    sitting.match.due = "2027-01-01T03:49Z"
    with pytest.raises(WrongTurn, match="cannot be closed yet"):
        host.time_out(sitting.match, 0)
    sitting.match.due = "2027-01-01T03:50Z"
    assert host.time_out(sitting.match, 0)
    assert sitting.opened(2).chain.checkpoint.state.bank == (0, 0, 30)


def test_a_game_without_banks_keeps_its_bytes() -> None:
    sitting = deadlined()
    sitting.wait(100)
    sitting.step()
    assert b'"used"' not in bytes(sitting.match.entries[-1].body)
    assert (sitting.state.bank, sitting.match.used) == ((), {})


# --- extensions ------------------------------------------------------------------------------------------------------


def test_an_extension_holds_to_the_minute() -> None:
    sitting = deadlined()
    host.extend(sitting.match, 1, "2027-01-01T05:00Z")
    host.extend(sitting.match, 1, "2027-01-01T04:00Z")
    assert due_at(sitting.match, 1) == "2027-01-01T05:00Z", "an earlier one takes nothing back"
    sitting.others(1)
    sitting.match.due = "2027-01-01T06:09Z"
    with pytest.raises(WrongTurn, match="2027-01-01 05:00 UTC") as refused:
        host.time_out(sitting.match, 1)
    assert refused.value.code == "not-due"
    sitting.match.due = "2027-01-01T06:10Z"
    assert host.time_out(sitting.match, 1)
    assert sitting.match.extensions == (), "the next round starts from zero"


def test_an_extension_holds_in_the_round_that_ends_the_game() -> None:
    """Its entry states no time, so nobody could prove a breach."""
    sitting = deadlined()
    host.extend(sitting.match, 1, "2027-01-01T05:00Z")
    for seat in (0, 2):
        sitting.give(sitting.signed(seat, resign=True))
    sitting.match.due = "2027-01-01T06:09Z"
    with pytest.raises(WrongTurn) as refused:
        host.time_out(sitting.match, 1)
    assert (refused.value.code, sitting.over) == ("not-due", False)
    sitting.match.due = "2027-01-01T06:10Z"
    assert host.time_out(sitting.match, 1)
    assert (sitting.state.end, last(sitting).due) == ("left", "")


def test_a_bank_begins_where_an_extension_ends() -> None:
    sitting = deadlined(bank=30)
    host.extend(sitting.match, 1, "2027-01-01T05:00Z")
    assert protected_until(sitting.match, 1) == "2027-01-01T05:40Z"
    sitting.wait(5 * 60 + 7)
    assert [lateness(sitting.match, sitting.now, seat) for seat in range(3)] == [4 * 60 + 7, 7, 4 * 60 + 7]


def test_a_player_with_an_extension_is_no_longer_late() -> None:
    sitting = deadlined()
    sitting.wait(70)
    host.time_out(sitting.match, 1)
    host.extend(sitting.match, 1, "2027-01-01T05:00Z")
    sitting.others(1)
    assert (sitting.match.late, sitting.asked) == (set(), [0, 1, 2]), "the round still waits"
    assert open_match(sitting.file(), sitting.host).extensions == sitting.match.extensions


def test_an_extension_to_the_last_representable_time_never_ends() -> None:
    sitting = deadlined()
    host.extend(sitting.match, 1, "9999-12-31T23:59Z")
    assert protected_until(sitting.match, 1) == "9999-12-31T23:59Z"
    sitting.others(1)
    sitting.match.due = "9999-12-31T23:59Z"
    with pytest.raises(WrongTurn):
        host.time_out(sitting.match, 1)
    assert sitting.give(sitting.signed(1)).error is None


def test_only_seats_that_owe_an_answer_get_an_extension() -> None:
    sitting, abandoned = deadlined(), deadlined()
    sitting.give(sitting.signed(1))
    host.reveal(abandoned.match, abandon=True)
    for one, seat, code in (
        (sitting, 1, "not-asked"),
        (abandoned, 1, "revealed"),
        (Sitting("auction", 3, "time", deadline=0).until("play"), 1, "no-deadline"),
        (Sitting("auction", 3, "time", deadline=60), 1, "no-deadline"),
    ):
        with pytest.raises(WrongTurn) as refused:
            host.extend(one.match, seat, "2027-01-01T05:00Z")
        assert refused.value.code == code


def test_what_breaks_an_extension() -> None:
    offer = deadlined().table.offer
    kept, broken = "2027-01-01T06:10Z", "2027-01-01T06:09Z"

    def found(due: str, *late: int) -> bool:
        return breaks_extension(offer, "2027-01-01T05:00Z", 1, due, late)

    assert (found(broken, 0, 1), found(kept, 0, 1), found(broken, 0, 2), found("", 1)) == (True, False, False, False)
    assert not found("2027-02-30T00:00Z", 1), "what is not a time shows elsewhere"
