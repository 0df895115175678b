"""Screenshots of every kind of page, to be looked at, and the small ones of the first pages.

python -m tests.page.screens FOLDER [dark] [en|de|nl]
"""

import sys
from pathlib import Path

from msgspec.structs import replace

import tests.conftest
from referee.crypto.codec import decode, encode
from referee.crypto.envelope import ident
from referee.io.keyfile import PlayerFile, SeenGame, dump
from referee.language import LANGUAGES, speaking
from referee.page.aid import aid_of
from tests.page.browser import Browser, browsing
from tests.page.desk import Desk
from tests.page.test_proofs import made_proofs
from tests.page.test_reading import GAMES, page, transcript
from tests.page.test_tampered import player_file
from tests.support.match import Sitting

WIDTHS = (360, 600, 1200)
FIRST_PAGES = Path(__file__).parents[2] / "examples" / "pages"
TALL = 6000
CUT = """
const wide = document.documentElement.scrollWidth > innerWidth;
const boxes = [...document.querySelectorAll('main *')].filter((one) => one.scrollWidth > one.clientWidth + 1 &&
  one.clientWidth > 1 && getComputedStyle(one).overflowX !== 'visible' && !one.matches('textarea, [type=file]'));
return [wide, ...boxes.map((one) => one.className || one.localName)];
"""
assert tests.conftest.TOYS


def knowing_file(table: Sitting, seat: int) -> bytes:
    """The player's file of somebody who has followed the game."""
    newest = ident("entry", bytes(table.match.entries[-1].body))
    seen = SeenGame(table.table.offer_id, table.table.id, table.round, newest)
    file = decode(player_file(table, seat), PlayerFile, "player's file")
    return encode(replace(file, number=table.round, tickets=(seen,)))


class Screens:
    """A browser whose pages are photographed, at all widths."""

    def __init__(self, browser: Browser, folder: Path) -> None:
        self.browser, self.folder = browser, folder
        self.files = folder / "files"
        self.files.mkdir(parents=True, exist_ok=True)

    def take(self, name: str) -> None:
        for width in WIDTHS:
            self.browser.size(width)
            self.browser.script("scrollTo(0, 0)")
            wide, *cut = self.browser.script(CUT)
            if wide or cut:
                sys.stderr.write(f"{name} at {width}: {'wider than the screen' if wide else ''} {cut}\n")
            height = int(self.browser.script("return document.documentElement.scrollHeight"))
            self.browser.picture(self.folder / f"{name}-{width}.png", (0, 0, width, min(height, TALL)))
        self.browser.size(1200)

    def games(self, language: str) -> None:
        for game in GAMES:
            with speaking(language):
                path, chain = page(self.files, game)
            last = len(chain.rounds)
            for name, number in (("start", 1), ("middle", last // 2), ("end", last)):
                self.browser.open(path, f"#round-{number}")
                self.browser.verdict()
                self.take(f"game-{game}-{name}")

    def player(self, language: str) -> None:
        """The player's page, from an empty one to an answer that is signed."""
        browser, desk = self.browser, Desk(self.browser, self.files / "desk")
        self.take("player-1-empty")
        table = Sitting("schwarzmarkt", 3, "screens").until(2)
        desk.open(desk.give("offer.json", encode(table.offer)))
        self.take("player-2-offer")
        browser.type(browser.one("#name"), "Änne")
        browser.click(browser.one("#make"))
        self.take("player-3-key")
        browser.click(browser.one("#join"))
        browser.wait("return document.getElementById('mail')")
        self.take("player-4-join")
        for game in GAMES:
            self.choosing(game, language)
            self.take(f"player-5-view-{game}")
        self.choosing("mark", language, sealed=True)
        self.take("player-6-sealed")
        browser.click(browser.one("#sign"))
        browser.wait("return document.getElementById('mail')")
        self.take("player-7-answered")
        self.unfolded()
        self.take("player-7-unfolded")
        for name, data in (
            ("8-transcript", transcript("mark")),
            ("9-bad", transcript("mark").replace(b'"round":3', b'"round":4', 1)),
            ("9-key", dump(table.players[0])[:-9]),
            *((f"9-proof-{code}", encode(proof)) for code, proof in made_proofs().items()),
        ):
            desk = Desk(browser, self.files / "desk")
            desk.open(desk.give("file.json", data))
            self.take(f"player-{name}")

    def choosing(self, game: str, language: str, at: int = -1, *, sealed: bool = False) -> None:
        """A view with a move chosen: the line of this number."""
        table = Sitting(game, 3, "screens").until(
            lambda one: one.round > 5 and one.opened(one.asked[0]).decides
            and (not sealed or bool(one.opened(one.asked[0]).ask.sealed))
        )  # fmt: skip
        seat, desk = table.asked[0], Desk(self.browser, self.files / game)
        with speaking(language):
            aid = encode(aid_of(table.opened(seat)))
        desk.open_all({"me.json": knowing_file(table, seat), "view.json": table.view(seat), "aid.json": aid})
        desk.choose(at % len(aid_of(table.opened(seat)).moves.choices), {})

    def unfolded(self) -> None:
        self.browser.script("document.querySelectorAll('details').forEach((one) => one.open = true)")

    def for_the_first_pages(self, language: str) -> None:
        """Pictures of README.md, and of its beginnings in other languages."""
        FIRST_PAGES.mkdir(exist_ok=True)
        browser, ending = self.browser, "" if language == "en" else f".{language}"
        if not ending:
            path, chain = page(self.files, "schwarzer-freitag")
            browser.size(1200, 1000)
            browser.open(path, f"#round-{len(chain.rounds) * 2 // 3}")
            browser.verdict()
            browser.picture(FIRST_PAGES / "game.png", clip=(0, 0, 1200, 1000), scale=0.6)
        browser.size(640, 900)
        self.choosing("schwarzmarkt", language, 1)
        top = browser.script("return document.querySelector('.table').getBoundingClientRect().top + scrollY")
        clip = (0, int(top) - 10, 640, 960)
        browser.picture(FIRST_PAGES / f"answer{ending}.png", clip, scale=0.6)


def main() -> None:
    folder, dark = Path(sys.argv[1]), "dark" in sys.argv
    language = next((word for word in sys.argv[2:] if word in LANGUAGES), "en")
    with browsing(dark, language) as browser:
        screens = Screens(browser, folder)
        screens.player(language)
        screens.games(language)
        if not dark:
            screens.for_the_first_pages(language)


if __name__ == "__main__":
    main()
