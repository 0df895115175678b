"""The player's page with rules, from disk, in Chromium: it asks nobody, and the rules judge what it shows."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee.engine import records as r
from referee.engine.chain import Followed
from referee.engine.player import open_view
from referee.evidence.replay import open_transcript
from referee.io import keyfile
from referee.language import speaking
from referee.page import reading
from referee.page.assemble import player_page
from referee.show import pictures
from referee.show.story import story_of_transcript, story_of_view
from referee.show.wording import language_of
from tests.app.person import Window
from tests.page.browser import Browser, needs_browser
from tests.page.desk import Desk
from tests.page.tampered import against_the_rules
from tests.page.test_reading import GAMES
from tests.support.match import Sitting

pytestmark = [needs_browser, pytest.mark.thorough]

EXAMPLES = Path(__file__).parents[2] / "examples"


KEEPS_WORKER = """
globalThis.made = [];
globalThis.Worker = class extends Worker { constructor(address) { super(address); made.push(this); } };
"""
"""Every page lets a test reach the workers that it makes."""


def _key(sitting: Sitting, seat: int) -> bytes:
    return keyfile.dump(sitting.players[seat])


class Page(Desk):
    """The same desk with the larger page."""

    def __init__(self, browser: Browser, folder: Path, page: bytes) -> None:
        super().__init__(browser, folder)
        self.page = folder / "player-rules.html"
        self.page.write_bytes(page)
        self.person = Window(browser, self.page.resolve().as_uri())

    def ready(self, state: str = "runs") -> None:
        """Until the page shows that the rules are there, or what else became of them."""
        self.browser.wait("return document.querySelector('#rules')?.dataset.state === arguments[0]", state)


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
    desk.open(turn, mine=desk.give("me.json", _key(sitting, seat)))
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
    desk.open(desk.give("turn.view.json", sitting.view(seat)), mine=desk.give("me.json", _key(sitting, seat)))
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


# --- a game's page ---------------------------------------------------------------------------------------------------

AT = "return Number(document.querySelector('input[type=range]').value)"
LINES = "return [...document.querySelectorAll('.story li')].map((one) => one.innerText)"


def replay(folder: Path, game: str, payloads: Mapping[str, bytes], **changes: Any) -> tuple[Path, Followed]:
    """The page of an example with rules; `changes` are what its maker says instead."""
    data = (EXAMPLES / game / "transcript.json").read_bytes().rstrip()
    chain = open_transcript(data)
    made = msgspec.structs.replace(reading.reading_of_transcript(data, chain), **changes)
    path = folder / "replay.html"
    path.write_bytes(reading.page_of(made, payloads))
    return path, chain


def told(data: bytes, number: int, language: str) -> list[str]:
    """What the program tells everybody of a round."""
    with speaking(language):
        sealed = msgspec.json.decode(data, type=r.Transcript).sealed
        (one,) = story_of_transcript(open_transcript(data), sealed, [number])
        return list(one.told)


def ready(browser: Browser, state: str = "runs") -> None:
    browser.wait("return document.querySelector('#rules')?.dataset.state === arguments[0]", state)


@pytest.mark.parametrize("game", GAMES)
def test_a_games_page_is_judged_and_told_by_its_own_rules(
    browser: Browser, tmp_path: Path, game: str, payloads: Mapping[str, bytes]
) -> None:
    """Whoever made the page can say what they like: the rules tell and draw it again."""
    data = (EXAMPLES / game / "transcript.json").read_bytes().rstrip()
    lie = reading.Round(("Anna wins.",), (), msgspec.Raw(b"{}"), (0,))
    rounds = (lie,) * len(open_transcript(data).rounds)
    path, chain = replay(tmp_path, game, payloads, rounds=rounds, pieces=("<svg/>",), title="Chess")
    last = len(chain.rounds)
    browser.requests()
    browser.open(path, f"#round-{last - 1}")
    ready(browser)
    assert browser.verdict() == "ok"
    said = browser.text(".verdict")
    assert "Rules: checked" in said
    assert "Stories and pictures: made here, by the rules" in said
    assert browser.text("h1") == chain.table.game.title
    assert browser.script(AT) == last - 1
    assert browser.script(LINES) == told(data, last - 1, "en") or ["There is no story for this round."]
    assert "Anna wins." not in browser.text()
    with speaking(language_of(chain.table)):
        drawn = pictures.svg(chain, pictures.seen_in_transcript(chain, last - 1))
    assert browser.script("return document.querySelectorAll('svg.board text').length") == drawn.count("<text")
    assert browser.find("figure")
    assert browser.text(".why")
    assert browser.requests() == []
    assert browser.complaints() == []


def test_a_games_page_speaks_the_language_of_its_reader(
    browser: Browser, tmp_path: Path, payloads: Mapping[str, bytes]
) -> None:
    data = (EXAMPLES / "mark" / "transcript.json").read_bytes().rstrip()
    path, _ = replay(tmp_path, "mark", payloads)
    browser.open(path, "#round-12")
    ready(browser)
    for language in ("de", "nl", "en"):
        browser.speak(language)
        browser.wait(
            "return document.querySelector('.story li')?.innerText === arguments[0]", told(data, 12, language)[0]
        )
        assert browser.script(LINES) == told(data, 12, language)
        assert browser.script(AT) == 12


def test_a_link_leads_to_a_round_of_a_games_page(
    browser: Browser, tmp_path: Path, payloads: Mapping[str, bytes]
) -> None:
    """As it is opened, by the address and by the button that goes back."""
    path, _ = replay(tmp_path, "mark", payloads)
    browser.open(path, "#round-17")
    browser.verdict()
    assert browser.script(AT) == 17
    ready(browser)
    assert browser.script(AT) == 17
    browser.script("location.hash = '#round-4'")
    browser.wait(f"{AT} === 4")
    browser.script("history.back()")
    browser.wait(f"{AT} === 17")


def test_a_games_page_goes_on_if_its_rules_stop(
    browser: Browser, tmp_path: Path, payloads: Mapping[str, bytes]
) -> None:
    browser.prepare(KEEPS_WORKER)
    path, _ = replay(tmp_path, "mark", payloads)
    browser.open(path, "#round-17")
    ready(browser)
    browser.script("made.at(-1).onmessage({ data: { fatal: 'out of memory' } })")
    ready(browser, "stopped")
    assert "Rules: not checked here The rules have stopped (out of memory)." in browser.text(".verdict")
    assert "from whoever made this page" in browser.text(".verdict")
    assert browser.script(AT) == 17
    browser.click(browser.one("[data-do=restart]"))
    ready(browser)
    assert "Rules: checked" in browser.text(".verdict")


def test_a_game_that_breaks_the_rules_is_found_out_on_its_page(
    browser: Browser, tmp_path: Path, payloads: Mapping[str, bytes]
) -> None:
    """The maker of the page works with the host, and says that all is well."""
    sitting = Sitting("schwarzer-freitag", 3, "page")
    good = reading.reading_of_view(open_view(sitting.until(3).view(0)))
    bad = msgspec.structs.replace(good, file=against_the_rules(sitting).decode())
    path = tmp_path / "replay.html"
    path.write_bytes(reading.page_of(bad, payloads))
    browser.open(path)
    ready(browser)
    assert browser.verdict() == "rule-broken"
    assert "Round 4 is the first that is not valid" in browser.text(".verdict")


def test_the_page_of_a_view_with_rules_knows_what_its_owner_sealed(
    browser: Browser, tmp_path: Path, payloads: Mapping[str, bytes]
) -> None:
    sitting = Sitting("mark", 3, "rules in a page")

    def secrets() -> list[tuple[int, str]]:
        """Rounds, and what the player of the first seat alone chose in them."""
        opened = sitting.opened(0)
        found = story_of_view(opened, range(1, opened.round + 1))
        return [(one.round, news.chose) for one in found for news in one.news if news.chose]

    sitting.until(lambda _: bool(secrets()))
    number, chose = secrets()[0]
    path = tmp_path / "replay.html"
    path.write_bytes(reading.page_of(reading.reading_of_view(sitting.opened(0)), payloads))
    browser.open(path, f"#round-{number}")
    ready(browser)
    assert "made here, by the rules" in browser.text(".verdict")
    assert f"Anna chose in secret: {chose}" in browser.text()


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
