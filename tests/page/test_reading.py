"""A game's page in a browser: checked, stepped through, and compared with what the program itself says of the game."""

import json
import re
from functools import cache
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from referee.engine import records as r
from referee.engine.chain import Followed
from referee.engine.player import open_view
from referee.evidence.replay import open_transcript
from referee.language import current_language
from referee.page import reading
from referee.show import story
from referee.show.text import scored
from tests.page.browser import Browser, needs_browser
from tests.page.tampered import short_pile
from tests.support.match import Sitting

EXAMPLES = Path(__file__).parents[2] / "examples"
GAMES = ("mark", "schwarzer-freitag", "schwarzmarkt", "weg-zum-erfolg")
LEFT, RIGHT, HOME, END = "\ue012", "\ue014", "\ue011", "\ue010"
FIGURE = "return [...document.querySelectorAll('figure')].map((one) => one.innerText)"
SHOWN = """
const drawn = document.querySelector('svg.board'), lines = (some) => [...document.querySelectorAll(some)];
return [
  Number(document.querySelector('input[type=range]').value), lines('.story li').map((one) => one.innerText),
  lines('.hands li').map((one) => one.innerText), drawn.viewBox.baseVal.width,
];
"""
"""The round, its story, the hands and how wide the board is: all in one question, of which each takes its time."""
STRIDE = 6
AT = "return Number(document.querySelector('input[type=range]').value)"


def transcript(game: str) -> bytes:
    return (EXAMPLES / game / "transcript.json").read_bytes().rstrip()


def page(folder: Path, game: str) -> tuple[Path, Followed]:
    data, chain = made(game, current_language())
    path = folder / f"{game}.html"
    path.write_bytes(data)
    return path, chain


@cache
def made(game: str, language: str) -> tuple[bytes, Followed]:
    """The page of an example in the current language, and the game, which nobody changes."""
    assert language == current_language()
    data = transcript(game)
    chain = checked(game)
    return reading.page_of(reading.reading_of_transcript(data, chain)), chain


@cache
def checked(game: str) -> Followed:
    return open_transcript(transcript(game))


def hands(chain: Followed, number: int) -> dict[str, list[str]]:
    """The contents of each hand after a round, from what the program told each player."""
    faces = {token.slot: token.face for one in chain.rounds for told in one.openings.values() for token in told}
    book = chain.rounds[number - 1].checkpoint.state.book
    found = {}
    for name, bag in book.bags.items():
        hand, _, seat = name.partition("/")
        if hand in chain.table.game.hands and seat:
            slots = (*bag.slots, *bag.tail)
            found[name] = sorted(faces.get(slot) or book.faces[slot] for slot in slots)
    return found


def shown_hands(lines: list[str], names: tuple[str, ...]) -> dict[str, list[str]]:
    found = {}
    for line in lines:
        name, hand, content = line.split(": ")
        faces = [] if content == "empty" else content.split(", ")
        spread = (re.fullmatch(r"(?:(\d+) )?(.+)", face) for face in faces)
        found[f"{hand}/{names.index(name)}"] = sorted(one[2] for one in spread if one for _ in range(int(one[1] or 1)))
    return found


@needs_browser
@pytest.mark.thorough
@pytest.mark.parametrize("game", GAMES)
def test_a_good_transcript_is_checked_and_read_to_its_end(browser: Browser, tmp_path: Path, game: str) -> None:
    path, chain = page(tmp_path, game)
    last, names = len(chain.rounds), chain.table.names
    told = story.story_of_transcript(
        chain, msgspec.json.decode(transcript(game), type=r.Transcript).sealed, range(1, last + 1)
    )
    browser.open(path)
    assert browser.verdict() == "ok"
    verdict = browser.text(".verdict")
    assert "Draws, signatures, links, openings: checked" in verdict
    assert "Rules: not checked here" in verdict
    assert browser.script(AT) == last
    browser.press(HOME)
    for number in [*range(1, last, STRIDE), last]:
        if number > 1:
            browser.script("location.hash = `#round-${arguments[0]}`", number - 1)
            browser.wait(f"{AT} === arguments[0]", number - 1)
            browser.press(RIGHT)
        at, lines, held, width = browser.script(SHOWN)
        assert at == number
        assert lines == list(told[number - 1].told or ("There is no story for this round.",))
        assert shown_hands(held, names) == hands(chain, number)
        assert width >= 600
    assert browser.script(AT) == last
    assert browser.script("return location.hash") == f"#round-{last}"
    result = chain.checkpoint.state.result
    assert result is not None
    first = result.ranks.index(1)
    assert f"1. {names[first]} ({scored(game, result.scores[first])})" in browser.text(".standing")
    assert browser.requests() == []
    assert browser.complaints() == []


@needs_browser
def test_every_way_to_a_round(browser: Browser, tmp_path: Path) -> None:
    path, chain = page(tmp_path, "mark")
    last = len(chain.rounds)
    assert last > 60
    browser.open(path, "#round-57")
    browser.verdict()
    assert browser.script("return document.title") == browser.text("h1")
    assert browser.wait(AT) == 57
    first, back, on, end = browser.find(".steps button")
    for button, wanted in ((back, 56), (on, 57), (end, last), (on, last), (first, 1), (back, 1)):
        browser.click(button)
        assert browser.script(AT) == wanted
    browser.press(RIGHT, RIGHT, LEFT)
    assert browser.script(AT) == 2
    browser.press(END)
    assert browser.script(AT) == last
    browser.script("location.hash = '#round-12'")
    assert browser.wait("return document.querySelector('.place').textContent.startsWith('Round 12 of')")
    slider = browser.one("input[type=range]")
    browser.type(slider, RIGHT)
    assert browser.script(AT) == 13
    for nonsense in ("#round-0", "#round-99999", "#round--1", "#<b>", ""):
        browser.open(path, nonsense)
        browser.verdict()
        assert browser.wait(AT) == last


@needs_browser
def test_draws_are_explained_in_words_and_expand_to_their_numbers(browser: Browser, tmp_path: Path) -> None:
    path, chain = page(tmp_path, "schwarzer-freitag")
    browser.open(path, "#round-1")
    browser.verdict()
    first = chain.rounds[0].entry
    words = browser.text(".why")
    assert "Anna, Bert and Carla each opened their next sealed envelope" in words
    assert "Dealt face down from bag to hand of Anna: 5." in words
    browser.script("document.querySelectorAll('.why details').forEach((one) => one.open = true)")
    numbers = browser.text(".why")
    state = chain.rounds[0].checkpoint.state
    leaves = chain.table.genesis.leaves["bag"]
    taken = [token for op in first.ops if isinstance(op, r.Take) for token in op.tokens]
    links = {first.link, *(answer.link for answer in first.answers)}
    assert links | {state.acc} <= set(re.findall(r"[0-9a-f]{64}", numbers))
    assert taken
    for token in taken:
        assert f"slot {token.slot}: {token.face}" in numbers
        assert leaves[int(token.slot.split(".")[2])] in numbers


@needs_browser
def test_a_token_on_top_is_shown_to_come_without_a_draw(browser: Browser, tmp_path: Path) -> None:
    """When the shuffled part of a pile is used up, the next token is the one put under it first."""
    opened = short_pile().opened(0)
    path = tmp_path / "page.html"
    path.write_bytes(reading.page_of(reading.reading_of_view(opened)))
    found = [
        (before.entry.round + 1, slot)
        for before, now in pairwise(opened.chain.rounds)
        for op in now.entry.ops
        if isinstance(op, r.Deal) and (bag := before.checkpoint.state.book.bags.get(op.bag)) and not bag.slots
        for slot in op.slots
        if slot == bag.tail[0]
    ]
    number, slot = found[0]
    browser.open(path, f"#round-{number}")
    assert browser.verdict() == "ok"
    browser.script("document.querySelectorAll('.why details').forEach((one) => one.open = true)")
    assert f"the next token of the tail: no draw; slot {slot}" in browser.text(".why")
    assert "page has failed" not in browser.text()


def figure(browser: Browser, label: str) -> str:
    return str(next(one for one in browser.script(FIGURE) if one.startswith(label)))


@needs_browser
def test_figures_come_from_positions_that_the_page_has_checked(browser: Browser, tmp_path: Path) -> None:
    data = transcript("schwarzer-freitag")
    chain = open_transcript(data)
    good = reading.reading_of_transcript(data, chain)
    path = tmp_path / "page.html"
    path.write_bytes(reading.page_of(good))
    browser.open(path, "#round-40")
    browser.verdict()
    money = [player.money for player in chain.rounds[39].checkpoint.public.players]
    legend = [f"{name} {one}" for name, one in zip(chain.table.names, money, strict=True)]
    shown = figure(browser, "money")
    assert all(line in shown for line in legend), (legend, shown)
    table, places = json.loads(bytes(chain.table.offer.edition))["prices"], chain.rounds[39].checkpoint.public.prices
    prices = [table[row][column] for row, column in places]
    colours = ("yellow", "blue", "red", "green", "orange")
    legend = [f"{colour} {price}" for colour, price in zip(colours, prices, strict=True)]
    shown = figure(browser, "prices")
    assert all(line in shown for line in legend), (legend, shown)
    # Whoever makes the page can write any number; one that the host did not sign is not believed, nor any other then.
    public = json.loads(bytes(good.rounds[39].public))
    public["players"][0]["money"] += 1000
    lie = msgspec.structs.replace(good.rounds[39], public=msgspec.Raw(json.dumps(public).encode()))
    rounds = (*good.rounds[:39], lie, *good.rounds[40:])
    path.write_bytes(reading.page_of(msgspec.structs.replace(good, rounds=rounds)))
    browser.open(path)
    assert browser.verdict() == "ok"
    assert "The position of round 40 on this page is not the one that the host signed" in browser.text(".verdict .bad")
    assert browser.find("figure") == []


@needs_browser
def test_a_page_of_a_view_shows_what_its_player_knew(browser: Browser, tmp_path: Path) -> None:
    opened = open_view((EXAMPLES / "schwarzmarkt" / "view.json").read_bytes().rstrip())
    path = tmp_path / "view.html"
    path.write_bytes(reading.page_of(reading.reading_of_view(opened)))
    browser.open(path, "#round-5")
    assert browser.verdict() == "ok"
    known = browser.text(".hands li")
    assert known.count(f"{opened.name}: ") == len(opened.table.game.hands)
    assert all(name == opened.name or f"{name}: " not in known for name in opened.table.names)


@needs_browser
def test_a_page_that_was_tampered_with_says_so(browser: Browser, tmp_path: Path) -> None:
    data = transcript("mark")
    good = reading.reading_of_transcript(data, open_transcript(data))
    value = json.loads(data)
    value["entries"][20]["body"]["ops"] = []
    file = json.dumps(value, sort_keys=True, separators=(",", ":"))
    path = tmp_path / "page.html"
    path.write_bytes(reading.page_of(msgspec.structs.replace(good, file=file)))
    browser.open(path)
    assert browser.verdict() == "bad-signature"
    assert "Round 21 is the first that is not valid" in browser.text(".verdict .bad")
    # The rounds before it are certain, the others are not shown.
    assert browser.script(AT) == 20
    # A script that was changed does not run at all.
    path.write_bytes(reading.page_of(good).replace(b"async function openReading(", b"async  function openReading("))
    browser.open(path)
    assert browser.text() == ""
    assert any("Content Security Policy" in line for line in browser.complaints())


def test_a_long_game_stays_small() -> None:
    """300 rounds of the game with the largest pictures, below 3 MB; scaled up from what there is."""
    sizes = {}
    for game in GAMES:
        data = transcript(game)
        chain = open_transcript(data)
        size = len(reading.page_of(reading.reading_of_transcript(data, chain)))
        sizes[game] = size * 300 / len(chain.rounds)
    assert max(sizes.values()) < 3_000_000, sizes


@needs_browser
@pytest.mark.thorough
def test_an_unknown_game_is_checked_too(browser: Browser, tmp_path: Path) -> None:
    """The maker of the page says what is in its bags; it must lead to every state that the host signed."""
    sitting = Sitting("auction", 3, "a game of somebody else's").to_end()
    data = sitting.transcript()
    good = reading.reading_of_transcript(data, open_transcript(data))
    path = tmp_path / "page.html"
    path.write_bytes(reading.page_of(good))
    browser.open(path)
    assert browser.verdict() == "ok"
    bags = {name: (*faces[1:], faces[1]) for name, faces in good.bags.items()}
    path.write_bytes(reading.page_of(msgspec.structs.replace(good, bags=bags)))
    browser.open(path)
    assert browser.verdict() == "undecided"


MOVED = "return [...document.querySelectorAll('svg.board .changed')].map((one) => one.dataset.at)"


@needs_browser
def test_what_a_round_changed_is_marked_on_its_board_once_somebody_steps_there(
    browser: Browser, tmp_path: Path
) -> None:
    """As on the table; whoever opens the page at a round sees it at rest."""
    path, _ = page(tmp_path, "schwarzer-freitag")
    browser.open(path, "#round-49")
    browser.verdict()
    assert browser.script(MOVED) == []
    browser.press(RIGHT)
    assert browser.script(AT) == 50
    changed, marks = set(browser.script(MOVED)), browser.script("return document.querySelectorAll('[data-at]').length")
    assert changed
    assert len(changed) < marks
    told = browser.text(".story")
    assert "yellow 53 -> 34, blue 67 -> 52, red 4 -> 4" in told
    assert {"price:yellow", "price:blue"} <= changed
    assert "price:red" not in changed
