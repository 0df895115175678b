"""Games of other packages in a page with rules: built from CONTRIBUTING.md, installed, put into it and played there."""

import os
import subprocess
import sys
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

import pytest

from referee.page import sources
from tests.contract.test_package import FILES, GAMES
from tests.page.browser import Browser, needs_browser
from tests.page.rules_desk import Page

pytestmark = [needs_browser, pytest.mark.thorough]

REFEREE = Path(sys.executable).with_name("referee")


class Packages:
    """The two games of CONTRIBUTING.md, installed beside Python for pages in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name, text in FILES.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        where = ["--no-deps", "--no-compile", "--target", str(folder / "site")]
        self.done([sys.executable, "-m", "pip", "install", "-q", *where, *(str(folder / name) for name in GAMES)])

    def done(self, words: list[str]) -> str:
        runtime = str(Path(str(files(sources.PACKAGE))).parent)
        path = os.pathsep.join([str(self.folder / "site"), runtime])
        env = {**os.environ, "PYTHONPATH": path, "REFEREE_HOME": str(self.folder / "home"), "REFEREE_LANGUAGE": "en"}
        ran = subprocess.run(words, cwd=self.folder, env=env, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    def referee(self, *words: str) -> str:
        return self.done([str(REFEREE), *words])


@pytest.fixture(scope="module")
def packages(payloads: Mapping[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> Packages:
    assert payloads
    return Packages(tmp_path_factory.mktemp("packages"))


def test_a_game_of_another_package_is_practised_in_the_page(browser: Browser, packages: Packages) -> None:
    """To its end, each move by a hint; a game that was not named is not there."""
    packages.referee("page", "--player", "--rules", "--game", "high-card", "-o", "cards.html")
    desk = Page(browser, packages.folder / "desk", (packages.folder / "cards.html").read_bytes())
    desk.ready()
    listed = browser.script(
        "return [...document.querySelectorAll('[data-practice]')].map((one) => one.dataset.practice)"
    )
    assert listed == ["high-card", "mark", "schwarzer-freitag", "schwarzmarkt", "weg-zum-erfolg"]
    person = desk.person
    person.press("[data-practice=high-card] button", "New game")
    for _ in range(3):  # a hand of three cards
        person.press("#hint")
        assert person.move.startswith("card ")
        person.press("#sign")
        assert person.trouble == ""
    assert "1. " in person.text("#bar")
    assert browser.complaints() == []


def test_a_signed_game_of_another_package_is_checked_in_the_page(
    browser: Browser, packages: Packages, tmp_path: Path
) -> None:
    """The verifier, which knows only our games, learns from the rules what its bags hold."""
    packages.referee("page", "--player", "--rules", "--game", "high-card", "-o", "cards.html")
    packages.referee("demo", "high-card", "--seats", "3", "-o", "cards", "--seed", "page")
    desk = Page(browser, tmp_path / "desk", (packages.folder / "cards.html").read_bytes())
    desk.ready()
    for kind in ("transcript", "view"):
        file = next((packages.folder / "cards").rglob(f"*{kind}.json"))
        desk.open(file)
        assert browser.verdict() == "ok"
        assert "Rules: checked" in browser.text(".verdict")
    assert browser.complaints() == []


def test_the_page_of_such_a_game_has_its_rules_unasked(browser: Browser, packages: Packages) -> None:
    packages.referee("demo", "hex", "--seats", "2", "-o", "played", "--seed", "page")
    (transcript,) = (packages.folder / "played").rglob("transcript.json")
    packages.referee("page", str(transcript), "--rules", "-o", "hex.html")
    browser.open(packages.folder / "hex.html")
    browser.wait("return document.querySelector('#rules')?.dataset.state === 'runs'")
    assert browser.verdict() == "ok"
    assert "Rules: checked" in browser.text(".verdict")
    assert "places a stone on" in browser.text(".story")


def test_a_view_of_a_game_that_the_page_lacks_is_checked_without_rules(
    browser: Browser, packages: Packages, tmp_path: Path
) -> None:
    (packages.folder / "other").mkdir()
    packages.referee("demo", "hex", "--seats", "2", "-o", "other/played", "--seed", "page")
    packages.referee("page", "--player", "--rules", "-o", "ours.html")
    desk = Page(browser, tmp_path / "desk", (packages.folder / "ours.html").read_bytes())
    desk.ready()
    (transcript,) = (packages.folder / "other").rglob("transcript.json")
    desk.open(transcript)
    assert browser.verdict() == "ok"
    assert "Draws, signatures, links, openings: checked" in browser.text(".verdict")
    assert "Rules: not checked here" in browser.text(".verdict")
    assert "does not have the rules of this game" in browser.text(".verdict")
    view = next(path for path in (packages.folder / "other").rglob("*.view.json"))
    desk.open(view)
    assert browser.verdict() == "ok"
    assert browser.find("#board") == []
    assert browser.text("#troubles") == ""
