"""What an answer says besides a move, in the window: standing orders, which the host carries out, and leaving."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.app.person import Window, serving
from tests.app.states import turn_of_anna
from tests.app.table import Table
from tests.page.browser import Browser, browsing, needs_browser

pytestmark = needs_browser

UNFOLD = "#orders > summary"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing() as one:
        one.size(1280)
        yield one


def brought(table: Table, browser: Browser) -> None:
    """The host takes in what Anna has signed last, and what the others answer; she gets the next view."""
    ran = table.apply(table.signed()[-1], *table.others())
    assert ran.exit == 0, ran.said
    table.bring()


def test_an_order_goes_with_the_move_and_holds(browser: Browser, tmp_path: Path) -> None:
    table = Table(tmp_path, "mark", "clicks", turn_of_anna)
    with serving("open", "--no-browser", cwd=table.files, home=table.anna / "home") as link:
        window = Window(browser, link)
        window.press(".games button")
        assert not window.has("#held")
        window.press(UNFOLD)
        window.press("#orders .line", "bid nothing")
        assert window.text("#ordered") == "from now on: bid nothing"
        assert window.browser.script("return document.querySelector('#sign').disabled")
        window.press("#orders .line", "roll always")
        window.press("#back")
        assert window.text("#ordered") == "from now on: bid nothing"
        window.press("#orders .line", "bid ask")
        assert not window.has("#ordered")
        window.press("#back")
        window.mark("do:roll")
        assert window.move == "roll; from now on: bid nothing"
        window.speak("de")
        assert window.move == "würfle; von jetzt an: biete nie"
        window.speak("en")
        window.press("#clear")
        assert (window.move, window.has("#ordered")) == ("", False)
        window.mark("do:roll")
        window.press("#orders .line", "bid nothing")
        assert window.move == "roll; from now on: bid nothing"
        window.press("#sign")
        before = table.opened().orders(0)
        brought(table, browser)
        assert (before.bid, table.opened().orders(0).bid) == ("ask", "nothing")
        while 0 not in table.sitting.asked:
            table.apply(*table.others())
        for old in table.files.iterdir():
            old.unlink()
        table.bring()
        window.press("#sent ~ .row button")
        window.press(".games button")
        assert window.text("#held") == ""  # folded
        window.press(UNFOLD)
        assert window.text("#held") == "bid nothing"
        window.press("#orders .line", "bid ask")
        assert window.text("#ordered") == "no longer: bid nothing"


def test_orders_come_with_the_agreement(browser: Browser, tmp_path: Path) -> None:
    table = Table(tmp_path, "weg-zum-erfolg", "agreed")
    with serving("open", "--no-browser", cwd=table.files, home=table.anna / "home") as link:
        window = Window(browser, link)
        window.press(".games button")
        assert not window.has("#resign")
        window.press(UNFOLD)
        window.press("#orders .line", "decline except on some levels")
        assert not window.has("#ordered")
        window.press("[data-part=colours] button[aria-label='One red more']")
        assert window.text("#ordered") == "from now on: decline except on red"
        window.press("[data-part=colours] button[aria-label='One blue more']")
        assert window.text("#ordered") == "from now on: decline except on red or blue"
        window.press("#orders .line", "no card always")
        assert window.text("#ordered") == "from now on: decline except on red or blue; no card always"
        window.press("#sign")
        brought(table, browser)
    words = table.opened().orders(0)
    assert (words.decline, words.colours, words.heads) == (True, ("red", "blue"), 0)


def test_orders_are_given_in_practice(browser: Browser, tmp_path: Path) -> None:
    with serving("practice", "schwarzmarkt", "--browser", cwd=tmp_path, home=tmp_path / "home") as link:
        window = Window(browser, link)
        window.press(UNFOLD)
        window.press("#orders .line")
        window.press("[data-part=price] button", "from 10")
        proposed = window.move
        window.press("[data-part=steps] button", "move 2")
        assert window.move == f"{proposed}; from now on: from 10, move 2"
        window.press("#clear")
        window.press("#orders .line")
        window.press("[data-part=price] button", "from 15")
        window.press("[data-part=steps] button", "move 1")
        window.press("#hint")
        assert window.move.endswith("; from now on: from 15, move 1")
        window.press("#sign")
        assert window.text("#held") == "from 15, move 1"
        window.press("#orders .line", "always ask")
        window.press("#hint")
        assert window.move.endswith("; no longer: from 15, move 1")
        assert not window.has("#resign")


def test_practice_without_a_game_shows_them_all(browser: Browser, tmp_path: Path) -> None:
    with serving("practice", "--browser", cwd=tmp_path, home=tmp_path / "home") as link:
        shown = Window(browser, link).text("#page")
    assert [
        title for title in ("M.A.R.K.", "Schwarzer Freitag", "Schwarzmarkt", "Weg zum Erfolg") if title not in shown
    ] == []


def test_somebody_leaves_only_after_being_asked(browser: Browser, tmp_path: Path) -> None:
    table = Table(tmp_path, "mark", "clicks", turn_of_anna)
    with serving("open", "--no-browser", cwd=table.files, home=table.anna / "home") as link:
        window = Window(browser, link)
        window.press(".games button")
        window.mark("do:roll")
        window.press("#resign")
        assert not window.has("#sign")
        window.press("#bar .main")
        assert (window.move, table.signed()) == ("roll", [])
        window.press("#resign")
        window.press("#leave")
        assert window.has("#sent"), window.trouble
        ran = table.apply(*table.signed())
        assert ran.exit == 0, ran.said
        assert 0 not in table.sitting.asked
        assert [seat for seat, _ in table.opened().chain.checkpoint.state.left] == [0]
