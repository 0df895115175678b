"""A game's page with rules: they judge the game, and tell and draw it, whatever its maker put there."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee.engine import records as r
from referee.engine.chain import Followed
from referee.engine.player import open_view
from referee.evidence.replay import open_transcript
from referee.language import speaking
from referee.page import reading
from referee.show import pictures
from referee.show.story import story_of_transcript, story_of_view
from referee.show.wording import language_of
from tests.page.browser import Browser, needs_browser
from tests.page.rules_desk import KEEPS_WORKER
from tests.page.tampered import against_the_rules
from tests.page.test_reading import GAMES
from tests.support.match import Sitting

pytestmark = [needs_browser, pytest.mark.thorough]

EXAMPLES = Path(__file__).parents[2] / "examples"
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
