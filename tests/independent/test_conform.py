"""The conformance kit: three implementations pass it, and one that errs is told where."""

import json
import sys
from pathlib import Path

import pytest

from referee.testing.conform import read_cases
from tests.cli.world import run_here
from tests.page.node import HERE, NODE, need_node

from .make_vectors import FOLDER

ROOT = FOLDER.parents[1]
OURS = (sys.executable, "-m", "tests.independent.conforming")


def conform(tmp_path: Path, *words: str) -> tuple[int, list[str]]:
    ran = run_here("conform", str(FOLDER), *words, cwd=ROOT, home=tmp_path)
    return ran.exit, (ran.out + ran.err).decode().splitlines()


def test_the_kit_is_large_and_mostly_faults() -> None:
    cases = read_cases(str(FOLDER))
    bad = [case for case in cases if case.allowed != ("ok",)]
    assert len(cases) >= 250
    assert 3 * len(bad) >= 2 * len(cases)
    assert {len(case.files) > 1 for case in cases} == {False, True}


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["ours", "second", "javascript"])
def test_implementations_conform(name: str, tmp_path: Path) -> None:
    if name == "javascript":
        need_node()
        command = (str(NODE), str(HERE / "conforming.mjs"))
    else:
        command = (*OURS, name)
    status, said = conform(tmp_path, "--many", "--rules" if name == "ours" else "--no-rules", "--", *command)
    assert (status, said) == (0, [f"{len(read_cases(str(FOLDER)))} right, 0 wrong"])


def test_one_case_at_a_time(tmp_path: Path) -> None:
    status, said = conform(tmp_path, "--only", "transcript-end", "--json", "--", *OURS, "ours")
    verdicts = [json.loads(line) for line in said[:-1]]
    assert status == 0
    assert [(one["said"], one["right"]) for one in verdicts] == [("ok", True)] * len(verdicts)


@pytest.mark.parametrize(
    ("script", "trouble"),
    [
        ("print('ok')", "it says ok"),
        ("print('bad-die'); raise SystemExit(0)", "it printed 'bad-die' and exited with 0"),
        ("raise SystemExit(6)", "it says nothing"),
        ("import os; os.abort()", "it says nothing"),
    ],
)
def test_who_errs_is_told_where(script: str, trouble: str, tmp_path: Path) -> None:
    status, said = conform(tmp_path, "--only", "view-op-die-big", "--", sys.executable, "-c", script)
    assert status == 6
    assert said[0].startswith("WRONG view-op-die-big:")
    assert trouble in said[0]


def test_too_few_lines_and_no_command_at_all(tmp_path: Path) -> None:
    script = "print('ok')"
    status, said = conform(tmp_path, "--many", "--only", "transcript-", "--", sys.executable, "-c", script)
    assert status == 6
    assert sum("no line for this case" in line for line in said) == len(read_cases(str(FOLDER), "transcript-")) - 1
    status, said = conform(tmp_path, "--", str(tmp_path / "nothing"))
    assert status == 8
    assert "cannot be started" in said[0]
    assert run_here("conform", str(tmp_path), "--", "true", cwd=ROOT, home=tmp_path).exit == 2
