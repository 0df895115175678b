"""The conformance kit: three implementations pass it, and a faulty one is told where it fails."""

import json
import re
import sys
from functools import cache
from pathlib import Path

import pytest

from referee.testing.conform import Case, read_cases
from tests.cli.world import run_here
from tests.page.node import HERE, NODE, need_node

from . import wire
from .make_vectors import FOLDER
from .test_vectors import VECTORS, files_of
from .vector_games import KINDS

ROOT = FOLDER.parents[1]
OURS = (sys.executable, "-m", "tests.independent.conforming")


def conform(tmp_path: Path, *words: str) -> tuple[int, list[str]]:
    ran = run_here("conform", str(FOLDER), *words, cwd=ROOT, home=tmp_path)
    return ran.exit, (ran.out + ran.err).decode().splitlines()


@cache
def every_case() -> list[Case]:
    return read_cases(str(FOLDER))


def test_the_kit_is_large_and_mostly_faults() -> None:
    """Every vector is in it."""
    cases = every_case()
    bad = [case for case in cases if case.allowed != ("ok",)]
    assert {case.name for case in cases} == {path.stem for path in FOLDER.glob("*.json")}
    assert 3 * len(bad) >= 2 * len(cases)
    assert {len(case.files) > 1 for case in cases} == {False, True}
    assert {case.verb for case in cases} == {"verify", "step"}
    assert {case.verb for case in read_cases(str(FOLDER), "-links", steps=False)} == {"verify"}


@pytest.mark.parametrize("kind", KINDS)
def test_real_games_of_every_kind_are_in_it(kind: str) -> None:
    """With everything that can happen between players and host, and offences of many sorts."""
    cases = {case.name: case for case in every_case() if f"-{kind}" in case.name}
    for what in ("view", "transcript", "round", "several", "proof"):
        said = [case.allowed for name, case in cases.items() if name.startswith(f"{what}-{kind}")]
        assert any(codes == ("ok",) for codes in said) or what == "proof"
        assert any(codes != ("ok",) for codes in said)
    entries = [entry["body"] for entry in json.loads(cases[f"transcript-{kind}"].files[0])["entries"]]
    happened = {field for entry in entries for field in entry}
    assert happened >= {"timeouts", "used", "returns", "successions", "due", "end", "result"}
    answers = {field for entry in entries for answer in entry["answers"] for field in answer}
    assert answers >= {"protest", "handover"}
    codes = {code.split()[-1] for case in cases.values() for code in case.allowed}
    assert len(codes) >= 25


def test_its_readme_lists_every_kind_and_field() -> None:
    """An outside developer has the text and the kit, and nothing else."""
    text = (FOLDER / "README.md").read_text()
    told = set(re.findall(r"`([a-z- ]+)`", text)) | set(re.findall(r'"([a-z]+)"', text))
    vectors = [json.loads(path.read_text()) for path in FOLDER.glob("*.json")]
    assert {vector["kind"] for vector in vectors} <= told
    assert {field for vector in vectors for field in vector} - {"given", "value"} <= told
    parts = [vector["given"] for vector in vectors if "given" in vector and vector["kind"] != "asked"]
    assert {field for given in parts if isinstance(given, dict) for field in given} <= told


def test_proofs_are_in_it_with_every_offence_and_mostly_prove_nothing() -> None:
    proofs = [case for case in every_case() if case.words == 2]
    proved = [case for case in proofs if all(code.startswith("proved ") for code in case.allowed)]
    shown = {code.split()[1] for case in proved for code in case.allowed}
    wanted = {*PROVABLE, *(code for row in _parts_of_section_11() for code in row)} - {"illegal-move"}
    assert wanted - shown == set()
    assert 3 * len(proved) <= len(proofs)
    # Whoever has no rules says so, and nothing else, where only they can tell.
    ruled = [case for case in proofs if case.without]
    assert len(ruled) >= 30
    assert all("undecided needs-rules" in case.without and "ok" not in case.without for case in ruled)


PROVABLE = ("bad-link", "bad-host-link", "bad-die", "bad-pick", "bad-opening", "bad-shuffle", "bad-shown")
"""Links, draws, openings, seals: the table of section 11 has these words for them."""


def _parts_of_section_11() -> list[list[str]]:
    """The codes of each row of the table of proofs."""
    text = (FOLDER.parent / "PROTOCOL.md").read_text()
    section = text[text.index("## 11.") : text.index("**Judging.**")]
    rows = [line.split("|")[2] for line in section.splitlines() if line.startswith("| `")]
    return [re.findall(r"`([a-z-]+-[a-z-]+|minted|withheld)`", row) for row in rows]


def test_its_cases_are_what_the_tests_of_vectors_judge() -> None:
    """Byte for byte, with the same bags, secrets and codes: so all three implementations are right about each."""
    for case in every_case():
        vector = VECTORS[case.name]
        if "given" in vector:
            assert wire.parse(case.files[0]) == {"given": vector["given"], "kind": vector["kind"]}
            assert case.value == vector.get("value")
        elif case.verb == "step":
            assert case.files == (b'{"given":%b,"kind":"round"}' % files_of(vector)[0],)
        else:
            assert case.files == tuple(files_of(vector))
        allowed = ["ok"] if vector["expect"] == "ok" else vector["expect"]
        assert (case.bags, case.own, [*case.allowed]) == (vector.get("bags"), vector.get("own"), allowed)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["ours", "second", "javascript"])
def test_implementations_conform(name: str, tmp_path: Path) -> None:
    """Some cases of every kind, over the command line: the tests of vectors give each of them all."""
    only = "link"
    if name == "javascript":
        need_node()
        command = (str(NODE), str(HERE / "conforming.mjs"))
    else:
        command = (*OURS, name)
    cases, rules = read_cases(str(FOLDER), only), "--rules" if name == "ours" else "--no-rules"
    kinds = {case.name.partition("-")[0] for case in cases}
    assert kinds >= {"view", "round", "proof", "link"}
    status, said = conform(tmp_path, "--many", "--only", only, rules, "--", *command)
    assert (status, said) == (0, [f"{len(cases)} right, 0 wrong"])


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
def test_an_error_names_its_case(script: str, trouble: str, tmp_path: Path) -> None:
    status, said = conform(tmp_path, "--only", "view-op-die-big", "--", sys.executable, "-c", script)
    assert status == 6
    assert said[0].startswith("WRONG view-op-die-big:")
    assert trouble in said[0]


def test_a_step_with_another_result_is_reported(tmp_path: Path) -> None:
    value = json.loads((FOLDER / "hash-borders.json").read_text())["value"]
    for said, trouble in (
        (value, ""),
        (value | {"hash": "00" * 32}, "this step gives a different result"),
        (None, "this step gives a different result"),
    ):
        script = f"print('ok', {json.dumps(said)!r})"
        status, lines = conform(tmp_path, "--only", "hash-borders", "--", sys.executable, "-c", script)
        assert status == (6 if trouble else 0)
        assert trouble in lines[0]


@pytest.mark.thorough
def test_too_few_lines_and_no_command_at_all(tmp_path: Path) -> None:
    script = "print('ok')"
    status, said = conform(tmp_path, "--many", "--only", "transcript-", "--", sys.executable, "-c", script)
    assert status == 6
    assert sum("no line for this case" in line for line in said) == len(read_cases(str(FOLDER), "transcript-")) - 1
    status, said = conform(tmp_path, "--only", "transcript-", "--", str(tmp_path / "nothing"))
    assert status == 8
    assert "cannot be started" in said[0]
    assert run_here("conform", str(tmp_path), "--", "true", cwd=ROOT, home=tmp_path).exit == 2
