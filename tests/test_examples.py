"""Every example under `examples/` is what it claims to be: a frozen corpus that later versions must still replay."""

import json
from pathlib import Path
from typing import Any

import pytest

from referee import games
from referee.engine import table
from referee.engine.chain import Followed
from referee.engine.player import open_view
from referee.evidence.compare import compare
from referee.evidence.replay import open_transcript
from referee.show.findings import verified
from tests.independent import judges, verifier
from tests.make_examples import EXAMPLES, NAMES, example

TRANSCRIPTS = sorted(EXAMPLES.glob("*/transcript.json"))
VIEWS = sorted(EXAMPLES.glob("*/view.json"))


def folder_of(path: Path) -> str:
    return path.parent.name


def bags_of(chain: Followed) -> dict[str, list[str]]:
    return {name: list(faces) for name, faces in chain.table.bags.items()}


def test_every_game_has_an_example_with_a_view() -> None:
    own = {
        path.name.replace("_", "-")
        for path in Path(games.__file__).parent.iterdir()
        if (path / "edition.json").exists()
    }
    assert {folder_of(path) for path in TRANSCRIPTS} == own | {"deadlines"} == set(NAMES)
    assert [folder_of(path) for path in VIEWS] == [folder_of(path) for path in TRANSCRIPTS]


@pytest.mark.thorough
@pytest.mark.parametrize("path", TRANSCRIPTS, ids=folder_of)
def test_transcripts_verify_twice(path: Path) -> None:
    data = path.read_bytes()
    chain = open_transcript(data)
    state = chain.checkpoint.state
    assert state.end == "result"
    assert state.result is not None
    assert min(state.result.ranks) == 1
    told = verified(chain)
    second = verifier.check_transcript(data, bags_of(chain), judges.library)
    assert (second.rounds, second.draws, second.signatures) == (state.round, told.draws, told.signatures)


@pytest.mark.thorough
@pytest.mark.parametrize("path", VIEWS, ids=folder_of)
def test_views_verify_twice_and_agree_with_the_transcript(path: Path) -> None:
    data = path.read_bytes()
    view = open_view(data)
    assert view.chain.checkpoint.state.end == "result"
    assert verifier.check_view(data, bags_of(view.chain), judges.library).rounds == view.round
    assert compare([view, open_transcript((path.parent / "transcript.json").read_bytes())]) == ([], [])


def entries_of(name: str) -> list[Any]:
    transcript = json.loads((EXAMPLES / name / "transcript.json").read_bytes())
    return [entry["body"] for entry in transcript["entries"]]


def test_the_example_with_deadlines_has_what_it_promises() -> None:
    bert, carla, dirk = 1, 2, 3
    entries = entries_of("deadlines")
    late = [(number, seat) for number, entry in enumerate(entries) for seat in entry.get("timeouts", [])]
    assert len(late) >= 5
    first = next(number for number, seat in late if seat == bert)
    assert bert in [answer["seat"] for answer in entries[first + 1]["answers"] if "answer" in answer], "a late answer"
    twice = [n for n, _ in late if entries[n + 1].get("timeouts", []) and not entries[n + 2].get("timeouts", [])]
    assert len(twice) >= 2, "held on twice: once for another seat, once until a seat is out"
    assert all("ops" not in entry for entry in entries if "timeouts" in entry)
    out = max(number for number, seat in late if seat == dirk)
    assert (out - 1, dirk) in late
    assert not any(answer["seat"] == dirk for entry in entries[out:] for answer in entry["answers"])
    left = [n for n, entry in enumerate(entries) for a in entry["answers"] if a.get("resign") and a["seat"] == carla]
    assert len(left) == 1
    assert not any(answer["seat"] == carla for entry in entries[left[0] + 1 :] for answer in entry["answers"])


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["deadlines", "schwarzer-freitag"])
def test_examples_are_made_again_to_the_byte(name: str) -> None:
    kept = {path.name: path.read_bytes() for path in (EXAMPLES / name).iterdir()}
    offer = json.loads(kept["transcript.json"])["genesis"]["body"]["offer"]["body"]
    if table.code_hash(offer["game"]) != offer["code"]:
        pytest.skip("the rules are worded differently since then: another game would come out")
    assert example(name) == kept
