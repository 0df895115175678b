"""Every link of the report leads to a page once they are made, and `extract` writes nothing that it should not."""

import re
from pathlib import Path

import pytest

from referee.tournament import documents as d
from referee.tournament.spec import GameLine
from tests.cli.world import run_here
from tests.tournament import world


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    world.make(tmp_path / "cup", (GameLine("auction", 2),), d.Schedule("round-robin", games=4))
    return tmp_path / "cup"


@pytest.mark.thorough
def test_links_lead_to_the_pages_of_the_games(cup: Path) -> None:
    before = world.tree(cup)
    links = re.findall(r'href="(pages/[^"]*)"', (cup / "report.html").read_text())
    assert links == [f"pages/{number:06}.html" for number in range(4)]
    dry = run_here("tournament", "extract", "cup", "--pages", "--dry-run", cwd=cup.parent)
    assert dry.exit == 0
    assert world.tree(cup) == before
    ran = run_here("tournament", "extract", "cup", "--pages", cwd=cup.parent)
    assert ran.out == dry.out == "".join(f"cup/{link}\n" for link in links).encode()
    assert {*world.tree(cup)} - {*before} == {*links}
    # The page is the very one that `referee page` makes of the transcript.
    assert run_here("tournament", "extract", "cup", "2", "-o", "out", cwd=cup.parent).exit == 0
    path = "out/game-000002.transcript.json"
    assert run_here("page", path, "-o", "two.html", cwd=cup.parent).exit == 0
    assert (cup / links[2]).read_bytes() == (cup.parent / "two.html").read_bytes()
    assert world.codes(cup) == []


@pytest.mark.parametrize("words", [(), ("9",), ("0", "9", "--pages"), ("--pages", "-o", "x"), ("--pages", "8", "9")])
def test_missing_games_and_no_games_are_refused(cup: Path, words: tuple[str, ...]) -> None:
    before = world.tree(cup.parent)
    assert run_here("tournament", "extract", "cup", *words, cwd=cup.parent).exit == 2
    assert world.tree(cup.parent) == before


def test_a_damaged_game_has_no_page(cup: Path) -> None:
    pack = cup / "games/000000.jsonl.gz"
    pack.write_bytes(pack.read_bytes()[:-3])
    ran = run_here("tournament", "extract", "cup", "--pages", "3", cwd=cup.parent)
    assert ran.exit == 6
    assert not (cup / "pages").exists() or not [*(cup / "pages").iterdir()]
