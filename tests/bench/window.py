"""How long it takes from the command to a board that can be clicked: `referee open VIEW`, beside the player's page that
`referee page --player` writes, with the same view and its aid picked in it.

    python -m tests.bench.window [ROUNDS [GAME...]]

The floor is `referee --version` and an empty page. The browser is running already, in all three."""

import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import tests.conftest
from referee.crypto.codec import encode
from referee.page.aid import aid_of, moves_of
from tests.app import clicking
from tests.app.person import serving
from tests.app.table import Table
from tests.bench.common import interleave, table
from tests.cli.world import run
from tests.page.browser import Browser, browsing
from tests.page.desk import Desk
from tests.page.screens import knowing_file
from tests.support.match import Sitting

GAMES = ("mark", "schwarzer-freitag", "schwarzmarkt", "weg-zum-erfolg")
ROUNDS = 12
"""Of the game, before the view."""
LIT = "return document.querySelector('#board .legal')"
EMPTY = "<!doctype html><title>empty</title><p>nothing"
assert tests.conftest.TOYS


def lights(sitting: Sitting) -> bool:
    """Whether Anna is asked for something that can be clicked."""
    if 0 not in sitting.asked:
        return False
    opened = sitting.opened(0)
    return opened.decides and bool(clicking.offered(moves_of(opened).choices))


def floor(browser: Browser, seats: Table) -> None:
    assert run("--version", cwd=seats.files).exit == 0
    page = seats.anna / "empty.html"
    page.write_text(EMPTY)
    browser.open(page)


def window(browser: Browser, seats: Table, view: Path, close: ExitStack) -> None:
    browser.go(
        close.enter_context(serving("open", view.name, "--no-browser", cwd=seats.files, home=seats.anna / "home"))
    )
    browser.wait(LIT)


def page(browser: Browser, desk: Desk, seats: Table, files: list[Path]) -> None:
    assert run("page", "--player", "-o", str(desk.page), cwd=seats.files, home=seats.anna / "home").exit == 0
    desk.open_page()
    desk.use(desk.folder / "me.json")
    desk.open(*files)
    browser.wait("return document.querySelector('.answer .choice')")
    desk.page.unlink()


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    with browsing() as browser, tempfile.TemporaryDirectory() as name:
        for game in sys.argv[2:] or GAMES:
            folder = Path(name) / game
            seats = Table(folder, game, "bench", lambda one: one.round >= ROUNDS and lights(one), most=80)
            view, aid = next(seats.files.iterdir()), folder / "aid.json"
            aid.write_bytes(encode(aid_of(seats.opened())))
            desk = Desk(browser, folder / "desk")
            desk.page.unlink()
            desk.give("me.json", knowing_file(seats.sitting, 0))
            close = ExitStack()
            jobs: dict[str, Callable[[], object]] = {
                "floor: --version, an empty page": partial(floor, browser, seats),
                "referee open VIEW: a lit board": partial(window, browser, seats, view, close),
                "(to close it)": close.close,
                "referee page --player, both picked: the form": partial(page, browser, desk, seats, [view, aid]),
            }
            for job in jobs.values():
                job()
            table(f"{game}, after round {seats.sitting.round}", interleave(jobs, rounds), next(iter(jobs)), {})


if __name__ == "__main__":
    main()
