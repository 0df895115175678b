"""Both kinds of page on paper: what is to be read is there, and nothing that only a hand on a screen can use."""

from pathlib import Path

import pytest

from referee.crypto.codec import encode
from referee.page.aid import aid_of
from tests.page.browser import browsing, needs_browser
from tests.page.desk import Desk
from tests.page.test_reading import page
from tests.page.test_tampered import player_file
from tests.support.match import Sitting

CONTROLS = (
    "Choose files",
    "or drop them here",
    "paste",
    "Save your",
    "Make a key",
    "Sign",
    "Choose a move",
    "Nederlands",
)
SHOWN = "const drawn = document.querySelector('img.board'); return drawn.decode().then(() => drawn.naturalWidth > 0)"


@needs_browser
@pytest.mark.thorough
def test_what_is_on_paper(tmp_path: Path) -> None:
    with browsing() as browser:
        path, chain = page(tmp_path, "schwarzmarkt")
        browser.open(path, "#round=7")
        browser.verdict()
        assert browser.script(SHOWN)
        told = browser.text(".story li").splitlines()
        paper = browser.printed()
        assert "Schwarzmarkt" in paper
        assert "Draws, signatures, links, openings: checked" in paper
        assert "Rules: not checked here" in paper
        assert f"Round 7 of {len(chain.rounds)}" in paper
        assert told
        for line in told:
            assert " ".join(line.split()) in paper
        for text in (*CONTROLS, "‹", "»"):
            assert text not in paper
        table = Sitting("mark", 3, "paper").until(lambda one: one.round > 3 and one.opened(one.asked[0]).decides)
        seat, desk = table.asked[0], Desk(browser, tmp_path)
        files = desk.give("me.json", player_file(table, seat)), desk.give("view.json", table.view(seat))
        desk.open(*files, desk.give("aid.json", encode(aid_of(table.opened(seat)))))
        assert browser.verdict() == "ok"
        assert browser.script(SHOWN)
        told, paper = browser.text(".story li").splitlines(), browser.printed()
        assert "M.A.R.K." in paper
        assert "Draws, signatures, links, openings: checked" in paper
        assert "To act:" in paper
        for line in told:
            assert " ".join(line.split()) in paper
        for text in CONTROLS:
            assert text not in paper


@needs_browser
@pytest.mark.thorough
def test_the_board_is_on_paper(tmp_path: Path) -> None:
    """A board is a picture with texts in it: they are on the paper too, and on no paper of a page without it."""
    with browsing() as browser:
        path, chain = page(tmp_path, "schwarzer-freitag")
        browser.open(path, "#round=9")
        browser.verdict()
        assert browser.script(SHOWN)
        whole = browser.printed()
        browser.script("document.querySelector('img.board').remove()")
        without = browser.printed()
        assert len(whole) > len(without) + 100
        assert chain.table.names[0] in whole
