"""Whole games in the player's page with rules, clicked as a person does, in Chromium or Firefox: signed games, of which
the page signs every answer and `referee apply` takes it, and practice.

    python -m tests.campaign.paged [GAME ...] [--practice N] [--signed N] [--seed TEXT] [--firefox] [--runtime FOLDER]

See README.md."""
# ruff: noqa: T201

import argparse
import random
import sys
import tempfile
from pathlib import Path

import msgspec

from referee.io import keyfile
from referee.language import speaking
from referee.library import rehearsing
from referee.library.data import ReadMove
from referee.mail.block import find_blocks
from referee.page import sources
from referee.page.aid import moves_of
from referee.page.assemble import player_page
from tests.app import clicking
from tests.app.person import Driven, Window
from tests.app.table import Table
from tests.campaign.clicked import GAMES, Figures, browser_of, listed, some_move
from tests.page.python import built, installed

DROP = """
const [zone, name, text] = arguments;
const files = new DataTransfer();
files.items.add(new File([text], name));
const drop = new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true });
document.getElementById(zone).closest('.drop').dispatchEvent(drop);
"""
COUNTED = {"files": "opened", "own": "own"}
READY = "return document.querySelector('#rules')?.dataset.state === 'runs'"
KEPT = """
const asked = indexedDB.open('pbem-referee-practice');
return new Promise((done) => {
  asked.onsuccess = () => {
    const row = asked.result.transaction('games').objectStore('games').get(arguments[0]);
    row.onsuccess = () => (asked.result.close(), done(row.result?.text ?? null));
  };
});
"""
FORGET = """
return indexedDB.databases().then((all) => (all.forEach(({ name }) => indexedDB.deleteDatabase(name)), true));
"""
RELOADED = 7
"""The number of answers after which the page is closed, and opened again with what it has kept."""


class PageWindow(Window):
    """The page, from disk."""

    def __init__(self, browser: Driven, page: Path) -> None:
        self.address = page.resolve().as_uri()
        super().__init__(browser, self.address)
        browser.wait(READY)

    def again(self) -> None:
        self.browser.go(self.address)
        self.settle()
        self.browser.wait(READY)
        self.settle()

    def drop(self, zone: str, name: str, data: bytes) -> None:
        """Let go of a file over a place of the page, and wait until it has done with it."""
        count = f"return Number(document.body.dataset.{COUNTED[zone]} ?? 0)"
        before = int(self.browser.script(count))
        self.browser.script(DROP, zone, name, data.decode())
        self.browser.wait(f"{count} > arguments[0]", before)
        self.settle()


def signed(window: PageWindow, table: Table, figures: Figures) -> None:
    """One signed game to its end: every answer of the first seat is written by the page and accepted by the host."""
    window.drop("own", "me.json", keyfile.dump(table.sitting.players[0]))
    window.press("#keep")
    while not table.sitting.over:
        moves = table.others()
        if 0 in table.sitting.asked:
            moves.append(answered(window, table, figures))
        ran = table.apply(*moves)
        assert ran.exit == 0, ran.said
    window.drop("files", "over.view.json", table.sitting.view(0))
    assert "Rules: checked" in window.text(".verdict")
    window.drop("files", "transcript.json", table.sitting.transcript())
    assert "Rules: checked" in window.text(".verdict")
    assert window.has("article svg.board")
    figures["signed games"] += 1


def answered(window: PageWindow, table: Table, figures: Figures) -> Path:
    """The page's answer to what its player is asked now, as a file."""
    if figures["signed answers"] % RELOADED == RELOADED - 1:
        window.again()
    window.drop("files", f"{table.sitting.round}.view.json", table.sitting.view(0))
    assert "Rules: checked" in window.text(".verdict"), window.text(".verdict")
    opened, before = table.opened(), window.presses
    if opened.decides:
        choices = list(moves_of(opened).choices)
        assert window.lit == clicking.offered(choices) & window.marks(), window.lit
        move = table.bot_move()
        figures.add(clicking.make(window, choices, move, table.words(move), opened.table.names))
        assert window.move == table.words(move), (window.move, table.words(move))
    window.press("#sign")
    assert not window.trouble, window.trouble
    (block,) = find_blocks(str(window.browser.wait("return document.getElementById('block')?.value")))
    assert block.data is not None
    path = table.host / f"anna-{table.sitting.round + 1}.move.json"
    path.write_bytes(block.data)
    figures["signed answers"] += 1
    figures["answers of one or two clicks"] += int(window.presses - before <= 2)
    return path


def practised(window: PageWindow, game_id: str, seed: str, figures: Figures) -> None:
    """One practice game to its end."""
    if not window.browser.script("return document.getElementById('keep-practice').checked"):
        window.press("#keep-practice")
    window.press(f"[data-practice={game_id}] button:last-of-type")
    kept = msgspec.json.decode(str(window.browser.wait(KEPT, game_id)), type=rehearsing.Kept)
    game, rng = rehearsing.resume(kept), random.Random(seed)
    while game.asked:
        choices = listed(game)
        assert window.lit == clicking.offered(choices) & window.marks()
        move = some_move(game, choices, rng)
        read = game.read(move)
        figures.add(clicking.make(window, choices, move, read.text, game.names))
        assert window.move == read.text, (window.move, read.text)
        window.press("#sign")
        game.play(ReadMove("", read.move, read.standing))
        figures["rounds"] += 1
        assert not window.trouble, window.trouble
    told = window.text("#bar").split("\n")
    order = sorted(zip(game.result.ranks, game.names, strict=True)) if game.result else []
    assert [line for line in told if line[:1].isdigit()] == [f"{rank}. {name}" for rank, name in order], told
    figures["practice games"] += 1
    window.press("#back-to-list")


def page_in(folder: Path, runtime: Path) -> Path:
    """The page as a file, made with Python for pages from this folder, which is built if it is not there."""
    runtime.mkdir(parents=True, exist_ok=True)
    sys.path.insert(0, str(installed(built(runtime), folder / "installed")))
    page = folder / "player-rules.html"
    page.write_bytes(player_page(sources.payloads()))
    return page


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--practice", type=int, default=1)
    parser.add_argument("--signed", type=int, default=1)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--firefox", action="store_true")
    parser.add_argument("--runtime", type=Path, default=Path(".pytest_cache/d/runtime"))
    asked = parser.parse_args()
    with browser_of(asked.firefox) as browser, tempfile.TemporaryDirectory() as name, speaking("en"):
        page = page_in(Path(name), asked.runtime)
        for game in asked.games:
            figures, presses = Figures(), 0
            for number in range(asked.practice):
                window = PageWindow(browser, page)
                practised(window, game, f"{asked.seed} {game} {number}", figures)
                presses += window.presses
            for number in range(asked.signed):
                table = Table(Path(name) / f"{game} {number}", game, f"{asked.seed} {number}")
                window = PageWindow(browser, page)
                signed(window, table, figures)
                presses += window.presses
                browser.script(FORGET)
            figures["clicks"] = presses
            print(game, dict(figures), flush=True)


if __name__ == "__main__":
    sys.exit(main())
