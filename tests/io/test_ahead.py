"""A host who does not wait times players out too early. Only a player's own clock shows it, not a verifier's."""

import json
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from referee.engine import host
from referee.io import keyfile
from referee.io.desk import next_due
from referee.io.times import TOLERANCE, Ahead, after, ahead, later, read_time
from tests.cli.world import run_here
from tests.support.match import Sitting

DEADLINE, GRACE, TIMES = 90, 30, 12


def in_one_minute(first: str = "") -> Sitting:
    """Drawn again 12 times with times that are to come, or that follow from one long over; then a usual one again."""
    sitting = Sitting("auction", 3, "no wait", deadline=DEADLINE, grace=GRACE).until("play")
    sitting.match.due = first or sitting.match.due
    sitting.others()
    usual = next_due(sitting.match, sitting.now)
    for number in range(TIMES):
        sitting.others(number % 2)
        sitting.match.due = later(sitting.state.due, DEADLINE + GRACE)
        assert host.time_out(sitting.match, number % 2)
    sitting.match.due = usual
    sitting.others()
    return sitting


def found(sitting: Sitting, now: datetime) -> Ahead | None:
    return ahead(sitting.opened(0).chain, now)


def test_a_host_who_waits_is_never_suspected() -> None:
    sitting = Sitting("auction", 3, "redraws", deadline=DEADLINE, grace=GRACE, bank=45).until("play")
    for number in range(4):
        sitting.step(number % 2)
        assert found(sitting, sitting.now) is None
        assert found(sitting, sitting.now - timedelta(minutes=TOLERANCE)) is None
    early = found(sitting, sitting.now - timedelta(minutes=TOLERANCE + 1))
    assert early == Ahead(sitting.round, after(sitting.now, 0)), "the deadline with its bank and grace, to the minute"


def test_future_times_are_reported_until_they_have_passed() -> None:
    sitting = in_one_minute()
    start = later(after(sitting.now, 0), DEADLINE)
    last = later(start, (TIMES - 1) * (DEADLINE + GRACE) + GRACE)
    expected = Ahead(sitting.round - 1, last)
    for now, seen in ((sitting.now, True), (read_time(last) - timedelta(minutes=TOLERANCE), False)):
        assert found(sitting, now) == (expected if seen else None)


def test_times_already_past_when_signed_are_not_reported() -> None:
    """As section 10 says: no program judges a deadline that is stated too early."""
    sitting = in_one_minute("2001-01-01T00:00Z")
    assert found(sitting, sitting.now) is None


NOWS = ("2027-01-01T00:00Z", "2027-01-03T00:00Z")
SAID = {
    "en": "timed somebody out as if 2027-01-02 00:00 UTC were over. By your clock it is still to come",
    "de": "als wäre 2.1.2027 um 00:00 UTC schon vorbei",
    "nl": "alsof 2-1-2027 om 00:00 UTC al voorbij was",
}


@pytest.mark.parametrize("language", SAID)
def test_the_players_tool_warns_and_changes_no_verdict(language: str, tmp_path: Path) -> None:
    """The game begins as 2027 does: 90 minutes, then eleven times two hours, then half an hour of grace."""
    sitting = in_one_minute()
    seat, spoken = sitting.asked[0], {"REFEREE_LANGUAGE": language}
    (tmp_path / "view.json").write_bytes(sitting.view(seat))
    (tmp_path / "key.json").write_bytes(keyfile.dump(sitting.players[seat]))
    answer = ("play", "view.json", "--key", "key.json", "--resign", "--yes", "--dry-run")
    for words in (("audit", "view.json"), ("show", "view.json"), answer):
        ran = [
            [run_here(*words, *more, "--now", now, cwd=tmp_path, home=tmp_path / now, env=spoken) for now in NOWS]
            for more in ((), ("--json",))
        ]
        assert [[one.exit for one in row] for row in ran] == [[0, 0], [0, 0]]
        assert [SAID[language] in one.said for one in ran[0]] == [True, False], ran[0][0].said
        assert ran[0][0].out == ran[0][1].out
        data = {"round": sitting.round - 1, "time": "2027-01-02T00:00Z"}
        assert [json.loads(one.out)["ahead"] for one in ran[1]] == [data, None]
    assert "ahead" not in run_here("verify", "view.json", "--json", cwd=tmp_path).out.decode()
