"""What authors of games and of other programs read in German and Dutch: leaks that are found, cases that fail."""

import re
import sys
from pathlib import Path

import pytest

from referee.testing import conform
from tests.cli.world import run_here
from tests.contract.planted import planted
from tests.contract.test_leaks import LEAKS

from .left_over import english_in
from .make import ROOT, TARGETS

VECTORS = str(ROOT / "schemas" / "vectors")
LATE = "import time; time.sleep(1000)"
FAILURES = {
    "another code": ("view-op-die-big", "print('ok')"),
    "a code and a wrong status": ("view-op-die-big", "print('bad-die')"),
    "nothing": ("view-op-die-big", "raise SystemExit(6)"),
    "nothing, and the status of success": ("view-op-die-big", ""),
    "too late": ("view-op-die-big", LATE),
    "too late with many": ("transcript-end", LATE, "--many"),
    "too few lines": ("transcript-", "print('ok')", "--many"),
    "too many lines": ("transcript-end", "print('ok\\n' * 99)", "--many"),
}
"""Cases by their names, and an implementation that errs."""
FOUND = {
    "de": r"referee: ein Leck: Platz \d+, Runde \d+: (die|der|das|was) [^:]+: .* in der einen Welt, .* in der anderen",
    "nl": r"referee: een lek: plaats \d+, ronde \d+: (de|het|wat) [^:]+: .* in de ene wereld, .* in de andere",
}


def said(folder: Path, language: str, *words: str) -> tuple[int, str]:
    """Everything that a command says, without what it quotes."""
    ran = run_here(*words, cwd=folder, env={"REFEREE_LANGUAGE": language})
    return ran.exit, re.sub("„[^“]*“|‘[^’]*’", "", ran.out.decode() + ran.said)


@pytest.mark.parametrize("language", TARGETS)
@pytest.mark.parametrize("how", FAILURES)
def test_an_error_names_its_case(how: str, language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conform, "SECONDS", 0.2 if "late" in how else 60)
    only, script, *many = FAILURES[how]
    command = ("--", sys.executable, "-c", script)
    status, told = said(tmp_path, language, "conform", VECTORS, "--only", only, *many, *command)
    assert status == 6
    assert told.startswith({"de": "FALSCH", "nl": "FOUT"}[language])
    assert english_in(re.sub(r"\b(ok|bad-[a-z]+)\b", "", told), language) == [], told


@pytest.mark.parametrize("language", TARGETS)
def test_why_nothing_was_tried(language: str, tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "a.json").write_text("[]")
    ways = [["--only", "no such case", "--", "true"], ["--", str(tmp_path / "nothing")]]
    folders = [str(tmp_path / name) for name in ("none", "other", "missing")]
    for words in (*([VECTORS, *way] for way in ways), *([folder, "--", "true"] for folder in folders)):
        status, told = said(tmp_path, language, "conform", *words)
        assert status
        assert english_in(told, language) == [], told


@pytest.mark.thorough
@pytest.mark.parametrize("language", TARGETS)
@pytest.mark.parametrize("name", ["a refusal names a hand", "a seat's lowest card in the log"])
def test_a_leak_is_reported(name: str, language: str, tmp_path: Path) -> None:
    with planted(tmp_path, LEAKS[name][0]) as game:
        status, told = said(tmp_path, language, "games", game, "--leaks", "--worlds", "120")
    assert status == 6
    *_, found, next = told.splitlines()
    assert re.fullmatch(FOUND[language], found), found
    assert english_in(next, language) == []
