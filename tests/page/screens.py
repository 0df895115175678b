"""Screenshots of every kind of page, to be looked at, and the small ones of the README.

python -m tests.page.screens FOLDER [dark]
"""

import sys
from pathlib import Path

import tests.conftest
from referee.crypto.codec import encode
from referee.page.aid import aid_of
from tests.page.browser import Browser, browsing
from tests.page.desk import Desk
from tests.page.test_reading import GAMES, page
from tests.page.test_tampered import player_file
from tests.support.match import Sitting

WIDTHS = (360, 600, 1200)
README = Path(__file__).parents[2] / "examples" / "pages"
assert tests.conftest.TOYS


def at_all_widths(browser: Browser, folder: Path, name: str) -> None:
    for width in WIDTHS:
        browser.size(width)
        browser.script("scrollTo(0, 0)")
        browser.picture(folder / f"{name}-{width}.png")
    browser.size(1200)


def choosing(browser: Browser, folder: Path, game: str, at: int = -1) -> None:
    """The player's page with a move chosen: the line of this number."""
    table = Sitting(game, 3, "screens").until(lambda one: one.round > 5 and one.opened(one.asked[0]).decides)
    seat, desk = table.asked[0], Desk(browser, folder)
    files = desk.give("me.json", player_file(table, seat)), desk.give("view.json", table.view(seat))
    desk.open(*files, desk.give("aid.json", encode(aid_of(table.opened(seat)))))
    lines = "const all = [...document.querySelectorAll('.answer > fieldset .choice > label > input')];"
    browser.script(f"{lines} all.at(arguments[0]).click()", at)


def main() -> None:
    folder, dark = Path(sys.argv[1]), "dark" in sys.argv
    (folder / "files").mkdir(parents=True, exist_ok=True)
    with browsing(dark) as browser:
        for game in GAMES:
            path, chain = page(folder / "files", game)
            browser.open(path, f"#round={len(chain.rounds) // 2}")
            browser.verdict()
            at_all_widths(browser, folder, f"game-{game}")
            choosing(browser, folder / "files" / game, game)
            at_all_widths(browser, folder, f"player-{game}")
        if not dark:
            for_the_readme(browser, folder / "files")


def for_the_readme(browser: Browser, folder: Path) -> None:
    README.mkdir(exist_ok=True)
    path, chain = page(folder, "schwarzer-freitag")
    browser.size(1200, 1000)
    browser.open(path, f"#round={len(chain.rounds) * 2 // 3}")
    browser.verdict()
    browser.picture(README / "game.png", clip=(0, 0, 1200, 1000), scale=0.6)
    browser.size(500, 900)
    choosing(browser, folder / "readme", "schwarzmarkt", 1)
    top, end = browser.script("const { top, bottom } = document.querySelector('.answer').getBoundingClientRect(); "
                              "return [top + scrollY, bottom + scrollY]")  # fmt: skip
    browser.picture(README / "answer.png", clip=(0, int(top) - 10, 500, int(end - top) + 20), scale=0.72)


if __name__ == "__main__":
    main()
