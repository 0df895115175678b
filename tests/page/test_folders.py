"""A folder of mails, dropped on the page or chosen, from disk: real folders, and the browser's own events."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.page.browser import Browser, needs_browser
from tests.page.desk import Desk
from tests.page.test_rules_page import EXAMPLES
from tests.support import waiting
from tests.support.match import Sitting

pytestmark = needs_browser

PICKS = "globalThis.showDirectoryPicker = async () => globalThis.given;"
"""In a browser without a screen nobody could choose a folder: the picker gives the handle that was dropped before."""
KEEPS = """
const asked = DataTransferItem.prototype.getAsFileSystemHandle;
DataTransferItem.prototype.getAsFileSystemHandle = function () {
  const handle = asked.call(this);
  handle.then((one) => (globalThis.given = one));
  return handle;
};
"""
NO_HANDLES = "delete DataTransferItem.prototype.getAsFileSystemHandle; delete window.showDirectoryPicker;"
"""As Firefox is."""


@pytest.fixture
def place() -> Iterator[Path]:
    """Where people keep mails: browsers hand out no folder below `/dev`, where temporary files may be."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:
        yield Path(name)


def mailbox(folder: Path) -> tuple[Path, Sitting]:
    """A folder as somebody keeps it: old views and the newest, a folder in it, and things that are no mails."""
    sitting = Sitting("mark", 3, "folder").until(3)
    (folder / "old").mkdir(parents=True)
    for number in range(1, 4):
        older = Sitting("mark", 3, "folder").until(number)
        (folder / ("old" if number < 3 else ".") / f"r{number}.view.json").write_bytes(older.view(0))
    (folder / "holiday.jpg").write_bytes(bytes(100))
    (folder / "transcript.json").write_bytes((EXAMPLES / "mark" / "transcript.json").read_bytes())
    return folder, sitting


def drop(browser: Browser, *paths: Path) -> None:
    """Let go of these over the place for mails, as with a mouse, and wait until the page has done with them."""
    before = int(browser.script("return document.body.dataset.opened ?? 0"))
    x, y = browser.script("""
        const zone = document.getElementById('files').closest('.drop');
        zone.scrollIntoView({ block: 'center' });
        const { left, top, width, height } = zone.getBoundingClientRect();
        return [left + width / 2, top + height / 2];
    """)
    data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}

    def drag(kind: str) -> None:
        browser.devtools("Input.dispatchDragEvent", {"type": kind, "x": x, "y": y, "data": data})

    def held_over() -> bool:
        """Only then is it known that something can be let go there."""
        drag("dragOver")
        return bool(browser.script("return Boolean(document.querySelector('.drop.over'))"))

    drag("dragEnter")
    waiting.until(held_over, lambda: "nothing can be dropped there")
    drag("drop")
    browser.wait("return Number(document.body.dataset.opened ?? 0) > arguments[0]", before)


def shown(browser: Browser) -> list[str]:
    """What each document says of itself."""
    return [
        str(one)
        for one in browser.script("return [...document.querySelectorAll('article > h3')].map((one) => one.innerText)")
    ]


def test_a_folder_is_dropped_and_looked_at_again(browser: Browser, place: Path) -> None:
    """Of each seat the newest view is opened, once; nothing else in the folder is looked at."""
    browser.prepare(KEEPS + PICKS)
    folder, _ = mailbox(place / "mails")
    desk = Desk(browser, place / "desk")
    drop(browser, folder)
    assert sorted(shown(browser)) == ["A finished game: M.A.R.K.", "M.A.R.K.", "Side by side"]
    assert "Round 3 of 3" in browser.text("article .place")
    assert browser.text("#troubles") == ""
    (folder / "r4.view.json").write_bytes(Sitting("mark", 3, "folder").until(4).view(0))
    browser.click(browser.one("#again"))
    browser.wait("return document.querySelector('article .place')?.innerText.includes('Round 4 of 4')")
    assert len(shown(browser)) == 3
    desk.open_page()
    assert browser.find("#again") == []
    drop(browser, folder)
    browser.script("document.getElementById('again').remove()")
    browser.click(browser.one("#folder"))
    browser.wait("return document.getElementById('again')")
    assert len(shown(browser)) == 3
    assert browser.requests() == []


def test_files_and_a_folder_are_dropped_together(browser: Browser, place: Path) -> None:
    folder, sitting = mailbox(place / "mails")
    desk = Desk(browser, place / "desk")
    offer = desk.give("more.view.json", sitting.view(1))
    (place / "other").mkdir()
    drop(browser, offer, place / "other", folder)
    assert len(shown(browser)) >= 3


def test_a_folder_of_too_much_or_nothing_says_so(browser: Browser, place: Path) -> None:
    Desk(browser, place / "desk")
    (place / "empty").mkdir()
    drop(browser, place / "empty")
    assert "empty: there is no mail and no document in it" in browser.text("#troubles")
    full = place / "full"
    full.mkdir()
    view = Sitting("mark", 3, "folder").until(2).view(0)
    for number in range(60):
        (full / f"{number}.view.json").write_bytes(b"{}" if number else view)
        os.utime(full / f"{number}.view.json", (1_000_000 + number * (1 if number else 0),) * 2)
    os.utime(full / "0.view.json", (2_000_000, 2_000_000))
    drop(browser, full)
    assert "full: only the newest 40 files in it were read" in browser.text("#troubles")
    assert "M.A.R.K." in shown(browser)


@pytest.mark.parametrize("name", ["me.player.json", "key.json"])
def test_a_key_in_a_folder_stays_there(browser: Browser, place: Path, name: str) -> None:
    desk = Desk(browser, place / "desk")
    desk.make_key("Anna")
    mails = place / "mails"
    mails.mkdir()
    (mails / name).write_bytes(desk.mine.read_bytes())
    desk.open_page()
    drop(browser, mails)
    assert name in browser.text("#troubles")
    assert browser.find("#save") == []


def test_a_folder_is_chosen_where_the_browser_gives_no_handle(browser: Browser, place: Path) -> None:
    browser.prepare(NO_HANDLES)
    folder, _ = mailbox(place / "mails")
    Desk(browser, place / "desk")
    browser.type(browser.one("#folder"), str(folder))
    browser.wait("return document.body.dataset.opened")
    assert sorted(shown(browser)) == ["A finished game: M.A.R.K.", "M.A.R.K.", "Side by side"]
    assert browser.find("#again") == []
