"""Every example under `examples/` is what it claims to be: a frozen corpus that later versions must still replay."""

import json
from pathlib import Path

import pytest

from referee import games
from referee.engine.audit import audit
from referee.engine.compare import compare
from referee.engine.replay import verify

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
TRANSCRIPTS = sorted(EXAMPLES.glob("*/transcript.json"))
VIEWS = sorted(EXAMPLES.glob("*/*.view.json"))


def test_every_released_game_has_an_example() -> None:
    own = {
        path.name.replace("_", "-")
        for path in Path(games.__file__).parent.iterdir()
        if (path / "edition.json").exists()
    }
    assert {path.parent.name for path in TRANSCRIPTS} == own


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.parent.name)
def test_transcripts_verify(path: Path) -> None:
    data = path.read_bytes()
    found = verify(data)
    assert found.end == "result"
    assert found.rounds == len(json.loads(data)["entries"])
    assert min(found.ranks) == 1


@pytest.mark.parametrize("path", VIEWS, ids=lambda path: path.name)
def test_views_audit_and_agree_with_the_transcript(path: Path) -> None:
    data = path.read_bytes()
    assert audit(data).rounds == len(json.loads(data)["entries"])
    compare([data, (path.parent / "transcript.json").read_bytes()])


def test_the_first_example_ended_as_it_did() -> None:
    """P12: the result of the game played under rules version 1, checked by hand against its last log lines."""
    transcript = json.loads((EXAMPLES / "schwarzer-freitag/transcript.json").read_bytes())
    last = transcript["entries"][-1]["body"]
    assert last["result"] == {"ranks": [1, 2, 3], "scores": [[3, 2, 0], [3, 1, 18], [0, 4, 46]]}
    assert any(line.startswith("@0 sells") and line.endswith("has gold: 3") for line in last["log"])
