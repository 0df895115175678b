"""What `verify` concludes from any mixture of verdicts: every row and count, the next step, and the exit status."""

import json
from pathlib import Path

import pytest

from referee.crypto.codec import encode
from referee.crypto.keys import Key
from referee.evidence.rulings import make_ruling
from tests.cli.world import Ran, run_here
from tests.support.match import Sitting, chance

PROOF = "Next: nothing; this is proof."
MORE = "Next: ask for the transcript; views cannot prove everything."
ASIDE = "Next: give the view or transcript that the skipped files belong to."


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game that is over, with views of its middle and end, moves, and files of another game."""
    root = tmp_path_factory.mktemp("verdicts")
    arbiter = Key(chance("arbiter"), "Doris")
    sitting = Sitting(seed="verdicts", arbiter=arbiter.public).until("bid")
    other = Sitting(seed="another").until("bid")
    made = {
        "early.json": sitting.view(0), "move.json": sitting.signed(0), "foreign.json": other.signed(0),
        "foreign-view.json": other.view(0),
        "ruling.json": make_ruling(arbiter, sitting.table.envelope, [sitting.view(0)], "so it is", ()),
    }  # fmt: skip
    sitting.to_end()
    made |= {"last.json": sitting.view(0), "transcript.json": sitting.transcript(), "bad.json": b"{}"}
    for name, data in made.items():
        (root / name).write_bytes(data)
    (root / "rounds").write_text(str(sitting.round))
    return root


def verify(folder: Path, *names: str) -> Ran:
    return run_here("verify", *names, cwd=folder, home=folder / "home")


@pytest.mark.parametrize(
    ("names", "status", "next_", "count"),
    [
        ("transcript.json", 0, PROOF, "1 good, 0 bad"),
        ("transcript.json last.json", 0, PROOF, "2 good, 0 bad"),
        ("transcript.json early.json move.json", 0, PROOF, "3 good, 0 bad"),
        ("early.json", 0, MORE, "1 good, 0 bad"),
        ("last.json early.json", 0, MORE, "2 good, 0 bad"),
        ("transcript.json foreign-view.json", 0, MORE, "2 good, 0 bad"),
        ("transcript.json foreign.json", 7, ASIDE, "2 good, 0 bad"),
        ("ruling.json", 0, "Next: nothing; it is only a statement by its author.", "1 good, 0 bad"),
        ("ruling.json transcript.json", 0, PROOF, "2 good, 0 bad"),
    ],
)
def test_what_good_files_prove(folder: Path, names: str, status: int, next_: str, count: str) -> None:
    ran = verify(folder, *names.split())
    assert (ran.exit, ran.said.splitlines()[-1]) == (status, next_)
    lines = ran.out.decode().splitlines()
    assert lines[-1] == count
    assert [line.partition(":")[0] for line in lines if line.startswith("ok  ")] == [
        f"ok  {one}" for one in names.split()
    ]
    assert any(line.startswith("skipped: ") for line in lines) == (next_ == ASIDE)


def test_programs_are_told_in_english(folder: Path) -> None:
    """Whatever language the reader speaks, and whatever the verdict is."""
    names = "transcript.json", "early.json", "move.json", "ruling.json", "bad.json"
    german = run_here("--language", "de", "verify", *names, "--json", cwd=folder, home=folder / "home")
    assert german.out == verify(folder, *names, "--json").out


def test_rows_for_programs(folder: Path) -> None:
    rounds = int((folder / "rounds").read_text())
    ran = verify(folder, "transcript.json", "early.json", "move.json", "foreign.json", "bad.json", "--json")
    *rows, last = map(json.loads, ran.out.splitlines())
    assert [row["file"] for row in rows] == ["transcript.json", "early.json", "move.json", "foreign.json", "bad.json"]
    assert [row["exit"] for row in rows] == [0, 0, 0, 0, rows[-1]["exit"]]
    assert [(row["whole"], row["rounds"]) for row in rows[:3]] == [(True, rounds), (False, 1), (False, 0)]
    assert rows[0]["game"] == rows[1]["game"] != ""
    assert rows[2]["game"] == ""
    assert ran.exit == rows[-1]["exit"] == 7
    assert {"code", "message", "next", "step"} <= set(rows[-1])
    assert (last["good"], last["bad"], last["proved"], last["skipped"]) == (4, 1, 0, 0)
    assert (len(last["aside"]), last["together"]) == (1, [])
    assert ran.said.splitlines()[-1] == f"Next: {rows[-1]['next']}"


def test_the_worst_decides(folder: Path, tmp_path: Path) -> None:
    """A file that fails the checks outweighs one that cannot be read, wherever it comes in the list."""
    twin = Sitting(seed="verdicts", arbiter=Key(chance("arbiter"), "Doris").public).until("bid")
    data = json.loads(twin.view(0))
    sig = data["entries"][0]["sig"]
    data["entries"][0]["sig"] = ("0" if sig[0] != "0" else "1") + sig[1:]
    (tmp_path / "forged.json").write_bytes(json.dumps(data, separators=(",", ":"), sort_keys=True).encode())
    (tmp_path / "bad.json").write_bytes(b"{}")
    for names in (("bad.json", "forged.json"), ("forged.json", "bad.json")):
        ran = verify(tmp_path, *names)
        assert ran.out.decode().splitlines()[-1] == "0 good, 2 bad"
        rows = [json.loads(line) for line in verify(tmp_path, *names, "--json").out.splitlines()[:-1]]
        worst = next((row for row in rows if row["exit"] == 6), rows[0])
        assert (ran.exit, ran.said.splitlines()[-1]) == (worst["exit"], f"Next: {worst['next']}")


def test_more_than_twenty_files_are_counted(folder: Path, tmp_path: Path) -> None:
    for number in range(21):
        (tmp_path / f"{number:02}.json").write_bytes((folder / "move.json").read_bytes())
    (tmp_path / "note.txt").write_text("nothing of ours")
    names = [f"{number:02}.json" for number in range(21)]
    assert len(verify(tmp_path, *names[:20]).out.decode().splitlines()) >= 21
    lines = verify(tmp_path, *names).out.decode().splitlines()
    assert [line for line in lines if line.startswith("ok  ")] == []
    assert lines[-1] == "21 good, 0 bad"
    assert verify(tmp_path, ".").out.decode().splitlines()[-1] == "21 good, 0 bad, 1 of other kinds skipped"


def test_named_files_with_nothing_to_check_are_skipped(folder: Path, tmp_path: Path) -> None:
    """`verify *.json` in a host's folder: the offer and the game file are no failures, unless there is nothing else."""
    sitting = Sitting(seed="verdicts").until("bid")
    (tmp_path / "view.json").write_bytes(sitting.view(0))
    (tmp_path / "offer.json").write_bytes(encode(sitting.table.genesis.offer))
    ran = verify(tmp_path, "offer.json", "view.json")
    lines = ran.out.decode().splitlines()
    assert lines[0].startswith("ok  view.json: ")
    assert lines[1:] == ["skipped: offer.json is an offer", "1 good, 0 bad, 1 of other kinds skipped"]
    assert ran.exit == 0
    rows = [json.loads(line) for line in verify(tmp_path, "offer.json", "view.json", "--json").out.splitlines()]
    assert [(row["file"], row["exit"], row.get("verdict")) for row in rows[:-1]] == [
        ("view.json", 0, None), ("offer.json", 0, "skipped"),
    ]  # fmt: skip
    assert (rows[-1]["good"], rows[-1]["bad"], rows[-1]["skipped"]) == (1, 0, 1)
    alone = verify(tmp_path, "offer.json")
    assert alone.out.decode().splitlines()[-1] == "0 good, 1 bad"
    assert alone.exit == 7
