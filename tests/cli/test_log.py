"""`log`: the whole story of a view or a transcript; and what `audit` says it compared."""

import json
import re
from pathlib import Path

import pytest

from referee.crypto.codec import decode
from referee.engine import records as r
from referee.evidence.replay import open_transcript
from referee.show import story
from tests.cli.terminal import Desk
from tests.cli.world import Ran, changes, check_refusal, run_here, tree
from tests.support.match import Sitting


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """A finished game of Schwarzmarkt; Anna's view of the middle of it is kept as `old.json`."""
    sitting = Sitting("schwarzmarkt", seed="log").until(8)
    root = tmp_path_factory.mktemp("log") / "desk"
    old = sitting.view(0)
    sitting.to_end()
    desk = Desk(root, sitting)
    (root / "old.json").write_bytes(old)
    (root / "transcript.json").write_bytes(sitting.transcript())
    (root / "game.json").write_bytes(sitting.file())
    return desk


def log(desk: Desk, *args: str, name: str = "Anna") -> Ran:
    return run_here("show", "--story", *args, cwd=desk.root, home=desk.home(name))


def rounds_of(ran: Ran) -> dict[int, str]:
    """Round -> its story, without line breaks."""
    assert ran.exit == 0, ran.said
    _, *parts = re.split(r"^Round (\d+)$", ran.out.decode(), flags=re.MULTILINE)
    return {int(number): " ".join(text.split()) for number, text in zip(parts[::2], parts[1::2], strict=True)}


def test_the_whole_story_of_a_view(desk: Desk) -> None:
    """Every round from the first, with the private news of this seat and of no other."""
    for seat, player in enumerate(desk.sitting.players[:2]):
        told = rounds_of(log(desk, desk.view(seat), name=player.name))
        assert [*told] == [*range(1, desk.sitting.round + 1)]
        for one in story.story_of_view(desk.opened(seat), told):
            for line in story.lines(one, desk.sitting.table):
                assert " ".join(line.split()) in told[one.round]
        assert "new in your hand: " in told[1]
        assert not any(f"{other}'s hand" in text for other in ("Anna", "Bert", "Carla") for text in told.values())


def test_a_transcript_tells_everybodys_news(desk: Desk) -> None:
    told = rounds_of(log(desk, "transcript.json"))
    assert all(f"new in {name}'s hand: " in told[1] for name in ("Anna", "Bert", "Carla"))
    assert "your hand" not in " ".join(told.values())
    data = json.loads(log(desk, "transcript.json", "--json").out)
    assert data["players"] == ["Anna", "Bert", "Carla"]
    transcript = (desk.root / "transcript.json").read_bytes()
    sealed = decode(transcript, r.Transcript, "transcript").sealed
    found = story.story_of_transcript(open_transcript(transcript), sealed, range(1, len(told) + 1))
    for one, row in zip(found, data["rounds"], strict=True):
        assert (row["round"], tuple(row["told"])) == (one.round, one.told)
        assert [(news["seat"], tuple(news["new"])) for news in row["news"]] == [(n.seat, n.new) for n in one.news]
    assert {news["seat"] for news in data["rounds"][0]["news"]} == {1, 2, 3}


@pytest.mark.parametrize(
    ("wanted", "first", "last"),
    [("4..6", 4, 6), ("4", 4, 4), ("..2", 1, 2), ("7..", 7, 8), ("..", 1, 8), ("8..99", 8, 8)],
)
def test_some_rounds(desk: Desk, wanted: str, first: int, last: int) -> None:
    ran = run_here("show", "--story", "old.json", "--round", wanted, cwd=desk.root, home=desk.root / "nobody")
    assert [*rounds_of(ran)] == [*range(first, last + 1)]


@pytest.mark.parametrize("wanted", ["9..99", "0", "6..5"])
def test_rounds_that_are_not_there(desk: Desk, wanted: str) -> None:
    ran = run_here("show", "--story", "old.json", "--round", wanted, cwd=desk.root, home=desk.root / "nobody")
    check_refusal(ran, (2,))
    assert "--round 1..8" in ran.said


@pytest.mark.parametrize("wanted", ["", "x", "1...2", "-1", "1..2..3", "²", "1e3", "9" * 50])
def test_what_is_not_a_round(desk: Desk, wanted: str) -> None:
    ran = log(desk, desk.view(0), "--round", wanted)
    check_refusal(ran, (2,))
    assert "4..9" in ran.said


def test_other_files_are_named(desk: Desk) -> None:
    for name in ("game.json", "anna-home/key.json"):
        before = tree(desk.root)
        check_refusal(log(desk, name), (7,))
        assert changes(before, tree(desk.root)) == set()


def test_audit_says_what_it_compared(desk: Desk, tmp_path: Path) -> None:
    """First nothing; then what was seen before, older views, transcripts."""
    view, home = desk.view(0), tmp_path / "home"
    first = run_here("audit", view, cwd=desk.root, home=home)
    assert first.exit == 0, first.said
    assert b"compared with" not in first.out
    again = run_here("audit", view, "old.json", "transcript.json", cwd=desk.root, home=home)
    assert "compared with what you have seen of this game before, 1 view and 1 transcript: no contradiction" in (
        again.out.decode()
    )
    data = json.loads(run_here("audit", view, "old.json", "old.json", "--json", cwd=desk.root, home=home).out)
    assert data["compared"] == {"view": 2}
