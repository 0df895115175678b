"""Nine bots that misbehave in different ways: the tournament goes on, and its report says what each did."""

import sys
from html import escape
from pathlib import Path

import pytest

from referee.bots import pipes
from referee.crypto.codec import H
from referee.tournament import documents as d
from referee.tournament.entrants import make_bot
from referee.tournament.spec import GameLine, played
from tests.bots.test_misbehaving import NAUGHTY

from .world import USUAL_LIMITS, codes, desk_in, enter, finish, games_of

EXPECTED = {
    "children": ("untidy", "other processes"),
    "endless": ("nonsense", ""),
    "closes": ("crash", "closed its standard output"),
    "early": ("nonsense", ""),
    "long": ("nonsense", ""),
    "sleeps": ("timeout", ""),
    "utf8": ("nonsense", ""),
    "wrong": ("nonsense", ""),
    "stubborn": ("untidy", "killed"),
}
"""How -> the kind of its lapse, and a word of what the report says."""
SHORT = {"answer": 300_000, "bank": 0, "faults": 1}


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="process groups and folders are not what they are here")
@pytest.mark.parametrize(
    ("hows", "start", "grace"),
    [
        (EXPECTED.keys() - {"sleeps", "stubborn"}, 300_000, 300),
        ({"sleeps"}, 500, 300),
        ({"stubborn"}, 300_000, 0.5),
    ],
    ids=["others", "sleeps", "stubborn"],
)
def test_a_tournament_of_bots_that_misbehave(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hows: set[str], start: int, grace: float
) -> None:
    """The bot that must be late gets no time; all others get as much as a busy machine may need."""
    monkeypatch.setattr(pipes, "GRACE", grace)
    desk, limits = desk_in(tmp_path / "cup"), d.Limits(**{**_fields(USUAL_LIMITS), **SHORT, "start": start})
    schedule = d.Schedule("gauntlet", champion="sensible")
    desk.commit("Trial", (played(GameLine("auction", 2)),), schedule, limits, H("tournament-trial", "naughty"))
    bots = {
        how: make_bot([sys.executable, NAUGHTY, how, "cup"], program=True, deterministic=False) for how in sorted(hows)
    }
    enter(desk, ("sensible",), **bots)
    desk.close()
    desk.start()
    finish(desk, unconfined=False)
    found = games_of(Path(desk.folder))
    assert len(found) == 2 * len(hows)
    names, report = desk.ledger.names, (tmp_path / "cup" / "report.html").read_text()
    # The report shows the first one: which of two causes it is may depend on the time, and differ between games.
    said = {names[one.outcome.entrants[lapse.seat]]: lapse for one in reversed(found) for lapse in one.lapses}
    assert set(said) == set(hows)
    for how in hows:
        kind, word = EXPECTED[how]
        assert said[how].kind == kind, (how, said[how])
        why = "; ".join(map(str, said[how].why))
        assert word in why, how
        assert escape(why) in report, how
    assert codes(tmp_path / "cup") == []


def _fields(limits: d.Limits) -> dict[str, object]:
    return {name: getattr(limits, name) for name in limits.__struct_fields__}
