"""Both kinds of page on paper, in every language: what is to be read is there, and nothing that only a hand on a screen
can use."""

from pathlib import Path

import pytest

from referee.crypto.codec import encode
from referee.language import LANGUAGES, speaking
from referee.page.aid import aid_of
from tests.page.browser import Browser, browsing, needs_browser
from tests.page.desk import Desk
from tests.page.test_reading import page
from tests.page.test_tampered import player_file
from tests.support.match import Sitting

READ = {
    "en": ("Draws, signatures, links, openings: checked", "Rules: not checked here", "Round 7 of", "To act:"),
    "de": ("Ziehungen, Unterschriften, Kettenglieder, Aufdeckungen: geprüft", "Spielregeln: hier nicht geprüft",
           "Runde 7 von", "Gefragt:"),
    "nl": ("Trekkingen, handtekeningen, schakels, onthullingen: gecontroleerd", "Spelregels: hier niet gecontroleerd",
           "Ronde 7 van", "Aan de beurt:"),
}  # fmt: skip
CONTROLS = {
    "en": ("Choose files", "or drop them here", "paste", "Save your", "Make a key", "Sign", "Less common"),
    "de": ("Dateien wählen", "hierher ziehen", "einfügen", "Spielerdatei", "Schlüssel machen", "Selten gebraucht"),
    "nl": ("Bestanden kiezen", "sleep ze", "plak", "Spelersbestand", "Sleutel maken", "Zelden nodig"),
}
SHOWN = "return document.querySelector('svg.board').getBoundingClientRect().width > 0"


def printed(browser: Browser, language: str) -> str:
    """The paper: it has the story and the board, and no controls."""
    assert browser.verdict() == "ok"
    assert browser.script(SHOWN)
    told, paper = browser.text(".story li").splitlines(), browser.printed()
    assert told
    assert [line for line in told if " ".join(line.split()) not in paper] == []
    assert [text for text in (*CONTROLS[language], "‹", "»", *LANGUAGES.values()) if text in paper] == []
    # A board is a picture with texts in it: they are on the paper too, and on no paper of a page without it.
    browser.script("document.querySelector('svg.board').remove()")
    assert len(paper) > len(browser.printed()) + 100
    return paper


@needs_browser
@pytest.mark.thorough
@pytest.mark.parametrize("language", LANGUAGES)
def test_printed_pages(tmp_path: Path, language: str) -> None:
    draws, rules, round, to_act = READ[language]
    table = Sitting("mark", 3, "paper").until(lambda one: one.round > 3 and one.opened(one.asked[0]).decides)
    seat = table.asked[0]
    with browsing(language=language) as browser:
        with speaking(language):
            path, chain = page(tmp_path, "schwarzmarkt")
            aid = encode(aid_of(table.opened(seat)))
        browser.open(path, "#round-7")
        paper = printed(browser, language)
        for text in ("Schwarzmarkt", draws, rules, f"{round} {len(chain.rounds)}", *chain.table.names):
            assert text in paper
        desk = Desk(browser, tmp_path)
        files = {"me.json": player_file(table, seat), "view.json": table.view(seat), "aid.json": aid}
        desk.open_all(files)
        paper = printed(browser, language)
        for text in ("M.A.R.K.", draws, to_act):
            assert text in paper
