"""`--dry-run` of every step of a tournament with several people: it says what would be, and writes nothing."""

from pathlib import Path

import pytest

from tests.cli.world import run_here
from tests.tournament import world

SPEC = """name = "Dry"
[[games]]
game = "auction"
seats = 2
[[bots]]
name = "sensible"
[[bots]]
name = "random"
[schedule]
games = 2
"""
ENTER = ("enter", "cup/ledger.jsonl", "--name", "annas", "--key", "anna.json")
STEPS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("next", "cup.toml", "-o", "cup"), "in order"),
    ((*ENTER, "--", "sensible"), "in order"),
    (("next", "cup", "annas.entrant.json"), ""),
    (("enter", "cup/ledger.jsonl", "--disclose", "--key", "anna.json"), "in order"),
    (("next", "cup", "annas.disclosure.json"), ""),
    (("run", "-o", "cup"), "6 games at most, by 3 bots: sensible, random, annas"),
    (("next", "cup", "--withdraw", "random"), ""),
    (("run", "--add", "more.toml", "-o", "cup"), "2 games at most, by 2 bots: sensible, other"),
)


@pytest.mark.thorough
def test_every_step_writes_nothing_when_dry_and_goes_on_after_it(tmp_path: Path) -> None:
    (tmp_path / "cup.toml").write_text(SPEC.replace("games = 2", ""))
    (tmp_path / "more.toml").write_text(SPEC.replace('"random"', '"other"\nrun = "random"').replace("Dry", "More"))
    assert run_here("key", "new", "--name", "Anna", "-o", "anna.json", cwd=tmp_path).exit == 0
    for words, said in STEPS:
        before = world.tree(tmp_path)
        dry = run_here("tournament", words[0], "--dry-run", *words[1:], cwd=tmp_path)
        assert dry.exit == 0, dry.said
        assert world.tree(tmp_path) == before, words
        assert not (tmp_path / "cup").exists() or before
        assert said in dry.said
        assert "without --dry-run" in dry.said
        ran = run_here("tournament", *words, cwd=tmp_path)
        assert ran.exit == 0, ran.said
        assert world.tree(tmp_path) != before, words
    whole = run_here("tournament", "run", "more.toml", "-o", "new", "--dry-run", "--json", cwd=tmp_path)
    assert whole.out == b'{"bots":["sensible","other"],"games":2}\n'
    assert not (tmp_path / "new").exists()
    # What a dry run refuses is what the real one refuses.
    for words in (("next", "cup", "--withdraw", "random"), ("next", "new", "--withdraw", "random"), ("next", "cup")):
        dry, ran = (run_here("tournament", *words, *more, cwd=tmp_path) for more in (("--dry-run",), ()))
        assert (dry.exit, dry.err) == (ran.exit, ran.err)
        assert dry.exit in (2, 5, 7)
    assert not (tmp_path / "new").exists()
