"""Signed games to their end by clicks in the page with rules, and a random game that the page and the program judge
alike: samples of the campaigns `paged` and `in_page`."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from referee.page.assemble import player_page
from tests.app.table import Table
from tests.campaign.clicked import Figures
from tests.campaign.in_page import Both
from tests.campaign.paged import PageWindow, practised, signed
from tests.page.browser import Browser, needs_browser
from tests.page.python import rules

pytestmark = [needs_browser, pytest.mark.thorough]


@pytest.mark.parametrize("game", ["mark", "schwarzmarkt"])
def test_a_signed_game_is_played_by_clicks_in_the_page(
    browser: Browser, tmp_path: Path, payloads: Mapping[str, bytes], game: str
) -> None:
    path = tmp_path / "player-rules.html"
    path.write_bytes(player_page(payloads))
    browser.requests()
    figures, table = Figures(), Table(tmp_path / "table", game, "sample")
    signed(PageWindow(browser, path), table, figures)
    assert table.sitting.over
    assert figures["signed answers"] >= 5
    assert browser.requests() == []
    assert browser.complaints() == []


def test_a_practice_game_is_played_by_clicks_in_the_page(
    browser: Browser, tmp_path: Path, payloads: Mapping[str, bytes]
) -> None:
    path = tmp_path / "player-rules.html"
    path.write_bytes(player_page(payloads))
    figures = Figures()
    practised(PageWindow(browser, path), "schwarzmarkt", "sample", figures)
    assert figures["practice games"] == 1


def test_a_random_game_is_the_same_in_the_page_and_in_the_program(
    tmp_path: Path, payloads: Mapping[str, bytes]
) -> None:
    with rules(payloads, tmp_path) as page:
        both = Both(page, tmp_path)
        both.game("weg-zum-erfolg", "sample")
    assert both.figures["games"] == 1
    assert both.figures["views"] >= 2
    assert both.figures["told and drawn"] == 3
