"""The player's page with rules, from disk, in Chromium: it asks nobody, and the rules judge what it shows."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from referee.page.assemble import player_page
from tests.page.browser import Browser, needs_browser
from tests.page.desk import Desk
from tests.page.tampered import against_the_rules
from tests.support.match import Sitting

pytestmark = [needs_browser, pytest.mark.thorough]

EXAMPLES = Path(__file__).parents[2] / "examples"


class Page(Desk):
    """The same desk with the larger page."""

    def __init__(self, browser: Browser, folder: Path, page: bytes) -> None:
        super().__init__(browser, folder)
        self.page.write_bytes(page)
        self.open_page()


def test_the_rules_are_checked_in_a_file_that_asks_nobody(
    browser: Browser, tmp_path: Path, payloads: Mapping[str, bytes]
) -> None:
    desk = Page(browser, tmp_path, player_page(payloads))
    browser.requests()
    desk.open(EXAMPLES / "mark" / "view.json")
    assert browser.verdict() == "ok"
    assert "Rules: checked" in browser.text(".verdict")
    desk.open(desk.give("cheated.view.json", against_the_rules(Sitting("schwarzer-freitag", 3, "page").until(3))))
    assert browser.verdict() == "rule-broken"
    assert "Round 4 is the first that is not valid" in browser.text(".verdict")
    assert "it is a proof against the host" in browser.text(".verdict")
    assert browser.requests() == []
    assert browser.complaints() == []


def test_a_page_whose_python_was_changed_says_so_and_goes_on_without(
    browser: Browser, tmp_path: Path, payloads: Mapping[str, bytes]
) -> None:
    page = player_page(payloads)
    start = re.search(rb'id="payload-sources">', page)
    assert start is not None
    at = start.end() + 1000
    other = b"A" if page[at : at + 1] != b"A" else b"B"
    desk = Page(browser, tmp_path, page[:at] + other + page[at + 1 :])
    desk.open(EXAMPLES / "mark" / "view.json")
    assert browser.verdict() == "ok"
    assert "Rules: not checked here" in browser.text(".verdict")
    assert "sources is not what this page was made with" in browser.text(".verdict")
