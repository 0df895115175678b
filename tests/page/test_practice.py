"""Practice in the player's page with rules: what lasts, by choice, and what is said of what does not."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from referee.page.assemble import player_page
from tests.page.browser import Browser, needs_browser
from tests.page.rules_desk import KEEPS_WORKER, Page

pytestmark = [needs_browser, pytest.mark.thorough]

HOLDS_BACK = """
const event = new Event("beforeunload", { cancelable: true });
return [!dispatchEvent(event)];
"""
"""Whether the page asks before it is closed."""
ROWS = """
const asked = indexedDB.open("pbem-referee-practice");
return new Promise((done) => {
  asked.onsuccess = () => {
    const rows = asked.result.transaction("games").objectStore("games").getAll();
    rows.onsuccess = () => (asked.result.close(), done([rows.result.map((one) => one.game)]));
  };
});
"""
WRITE = """
const [rows] = arguments, asked = indexedDB.open("pbem-referee-practice", 1);
return new Promise((done) => {
  asked.onupgradeneeded = () => asked.result.createObjectStore("games", { keyPath: "game" });
  asked.onsuccess = () => {
    const work = asked.result.transaction("games", "readwrite");
    for (const row of rows) work.objectStore("games").put(row);
    work.oncomplete = () => (asked.result.close(), done([true]));
  };
});
"""


@pytest.fixture(scope="module")
def page(payloads: Mapping[str, bytes]) -> bytes:
    return player_page(payloads)


def play(desk: Page) -> str:
    """Begin the explained game and play two moves; the round in which that leads."""
    desk.ready()
    desk.person.press("[data-practice=mark] button", "First moves explained")
    for _ in range(2):
        if not desk.person.move:
            desk.person.press("#hint")
        desk.person.press("#sign")
    return desk.person.text("#step")


def test_practice_that_is_kept_goes_on_after_the_page_is_loaded_again(
    browser: Browser, tmp_path: Path, page: bytes
) -> None:
    desk = Page(browser, tmp_path, page)
    reached = play(desk)
    assert "Not kept: they are lost when the page is closed" in desk.person.text("#practice-kept")
    assert browser.wait(HOLDS_BACK) == [True]
    desk.person.press("#keep-practice")
    assert "Kept here" in desk.person.text("#practice-kept")
    assert browser.wait(HOLDS_BACK) == [False]
    desk.open_page()
    desk.ready()
    desk.person.press("[data-practice=mark] button", "Continue")
    assert desk.person.text("#step") == reached
    desk.person.press("#hint")
    desk.person.press("#sign")
    further = desk.person.text("#step")
    assert further != reached
    desk.open_page()
    desk.ready()
    desk.person.press("[data-practice=mark] button", "Continue")
    assert desk.person.text("#step") == further
    desk.person.press("#keep-practice")
    assert "Not kept" in desk.person.text("#practice-kept")
    desk.open_page()
    desk.ready()
    assert "Continue" not in desk.person.text("[data-practice=mark]")
    assert browser.complaints() == []


def test_practice_survives_the_end_of_its_worker(browser: Browser, tmp_path: Path, page: bytes) -> None:
    """Whether or not it is kept: only the page knows it then."""
    browser.prepare(KEEPS_WORKER)
    desk = Page(browser, tmp_path, page)
    reached = play(desk)
    browser.script("made.at(-1).onmessage({ data: { fatal: 'out of memory' } })")
    desk.ready("stopped")
    desk.person.press("#rules [data-do=restart]")
    desk.ready()
    desk.person.press("[data-practice=mark] button", "Continue")
    assert desk.person.text("#step") == reached


def test_what_another_page_put_among_kept_games_is_refused_or_harmless(
    browser: Browser, tmp_path: Path, page: bytes
) -> None:
    """All pages from a disk can write there: into no file, into no other game, and not into the way of this one."""
    blank = tmp_path / "blank.html"
    blank.touch()
    browser.open(blank)
    lies = ["{}", "", "[" * 100_000, '{"game":"../key","rules":"1"}']
    names = ["mark", "../../key", "__proto__", "schwarzmarkt"]
    assert browser.wait(WRITE, [{"game": name, "text": text} for name, text in zip(names, lies, strict=True)]) == [True]
    desk = Page(browser, tmp_path, page)
    desk.ready()
    assert "Continue" not in desk.person.text("#rules")
    desk.person.press("[data-practice=mark] button", "New game")
    assert desk.person.text("#bar")
    assert set(browser.wait(ROWS)[0]) >= {"mark"}
    assert browser.complaints() == []
