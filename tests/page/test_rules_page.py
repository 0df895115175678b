"""The player's page with rules, from disk, in Chromium: it asks nobody, and the rules judge what it shows."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from referee.evidence.replay import open_transcript
from referee.page.assemble import player_page
from tests.page.browser import Browser, needs_browser
from tests.page.rules_desk import KEEPS_WORKER, Page, key_of
from tests.page.tampered import against_the_rules
from tests.page.test_replay import LINES, told
from tests.support.match import Sitting

pytestmark = [needs_browser, pytest.mark.thorough]

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def page(payloads: Mapping[str, bytes]) -> bytes:
    return player_page(payloads)


def test_the_rules_are_checked_in_a_file_that_asks_nobody(browser: Browser, tmp_path: Path, page: bytes) -> None:
    desk = Page(browser, tmp_path, page)
    browser.requests()
    desk.open(EXAMPLES / "mark" / "view.json")
    desk.ready()
    assert browser.verdict() == "ok"
    assert "Rules: checked" in browser.text(".verdict")
    desk.open(desk.give("cheated.view.json", against_the_rules(Sitting("schwarzer-freitag", 3, "page").until(3))))
    assert browser.verdict() == "rule-broken"
    assert "Round 4 is the first that is not valid" in browser.text(".verdict")
    assert "it is a proof against the host" in browser.text(".verdict")
    assert browser.requests() == []
    assert browser.complaints() == []


def test_a_turn_needs_no_aid(browser: Browser, tmp_path: Path, page: bytes) -> None:
    """The board comes from the rules; a click on it is a move, and the program takes what the page signs."""
    sitting = Sitting("mark", 3, "rules in a page").until("name")
    seat = sitting.asked[0]
    desk = Page(browser, tmp_path, page)
    turn = desk.give("turn.view.json", sitting.view(seat))
    desk.open(turn, mine=desk.give("me.json", key_of(sitting, seat)))
    desk.ready()
    person = desk.person
    assert browser.verdict() == "ok"
    assert "Rules: checked" in person.text(".verdict")
    person.mark("kind:glass")
    assert person.move == "name glass"
    browser.speak("de")
    assert "Glas" in person.move
    browser.speak("en")
    desk.sign()
    before = sitting.round
    signed = desk.signed()
    desk.open(turn)
    assert "You have already signed" in person.text("#bar"), "the same view once more"
    assert person.trouble == ""
    assert sitting.give(signed).error is None
    sitting.others(seat)
    assert sitting.round == before + 1
    assert browser.complaints() == []


def test_somebody_practises_with_nothing_but_the_page(browser: Browser, tmp_path: Path, page: bytes) -> None:
    desk = Page(browser, tmp_path / "empty", page)
    desk.ready()
    person = desk.person
    person.press("[data-practice=mark] button", "First moves explained")
    assert "Practice against bots" in person.text("#rules")
    assert person.text("#bar .advice")
    rounds = []
    for _ in range(2):
        if not person.move:
            person.press("#hint")
        person.press("#sign")
        rounds.append(person.text("#step"))
    assert len({*rounds}) == 2
    person.press("#undo")
    assert person.text("#step") == rounds[0]
    person.press("#back-to-list")
    assert "Continue" in person.text("[data-practice=mark]")
    assert browser.requests() == []
    assert browser.complaints() == []


def test_rules_that_stop_can_be_started_again_or_done_without(browser: Browser, tmp_path: Path, page: bytes) -> None:
    """The worker is a real one; that it ends is its own last message."""
    browser.prepare(KEEPS_WORKER)
    sitting = Sitting("mark", 3, "rules in a page").until("name")
    seat = sitting.asked[0]
    desk = Page(browser, tmp_path, page)
    desk.open(desk.give("turn.view.json", sitting.view(seat)), mine=desk.give("me.json", key_of(sitting, seat)))
    desk.ready()
    browser.script("made.at(-1).onmessage({ data: { fatal: 'out of memory' } })")
    desk.ready("stopped")
    assert "The rules have stopped (out of memory)" in browser.text("article")
    assert browser.find("#board") == []
    desk.person.press("article [data-do=restart]")
    desk.ready()
    desk.person.mark("kind:glass")
    assert desk.person.move == "name glass"
    browser.script("made.at(-1).onmessage({ data: { fatal: 'out of memory' } })")
    desk.ready("stopped")
    desk.person.press("article [data-do=without]")
    desk.ready("without")
    assert "This view came without an aid" in browser.text("#bar")


def test_a_page_whose_python_was_changed_says_so_and_goes_on_without(
    browser: Browser, tmp_path: Path, page: bytes
) -> None:
    start = re.search(rb'id="payload-sources">', page)
    assert start is not None
    at = start.end() + 1000
    other = b"A" if page[at : at + 1] != b"A" else b"B"
    desk = Page(browser, tmp_path, page[:at] + other + page[at + 1 :])
    desk.open(EXAMPLES / "mark" / "view.json")
    desk.ready("stopped")
    assert browser.verdict() == "ok"
    assert "Rules: not checked here" in browser.text(".verdict")
    assert "sources is not what this page was made with" in browser.text(".verdict")


def test_a_transcript_is_read_with_its_boards_in_the_players_page(
    browser: Browser, tmp_path: Path, page: bytes
) -> None:
    desk = Page(browser, tmp_path, page)
    desk.ready()
    desk.open(EXAMPLES / "mark" / "transcript.json")
    data = (EXAMPLES / "mark" / "transcript.json").read_bytes()
    assert browser.verdict() == "ok"
    assert "Rules: checked" in browser.text(".verdict")
    last = len(open_transcript(data).rounds)
    assert browser.script(LINES) == told(data, last, "en")
    assert browser.find("article svg.board")
    assert browser.find("article figure")
