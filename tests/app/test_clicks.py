"""The local app as people use it: the board is clicked, the list is read, a move is typed, or nothing but keys is at
hand. Whole games of this kind are played by tests/campaign/clicked.py."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee import games
from referee.crypto.codec import encode
from referee.page.aid import moves_of
from tests.app import clicking
from tests.app.person import DOWN, ENTER, Window, serving
from tests.app.states import GAMES, turn_of_anna
from tests.app.table import Table
from tests.mail.offices import Mail, World, own_join
from tests.page.browser import Browser, browsing, needs_browser
from tests.support.match import Sitting

pytestmark = needs_browser

QUESTION = {"de": "Deine Entscheidung", "nl": "Jouw beslissing", "en": "Your decision"}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing() as one:
        one.size(1280)
        yield one


class Seat:
    """Anna's table, and her window."""

    def __init__(self, table: Table, window: Window) -> None:
        self.table, self.window = table, window


@pytest.fixture(scope="module")
def seat(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Seat]:
    """For the tests that sign nothing."""
    table = Table(tmp_path_factory.mktemp("table"), "mark", "clicks", turn_of_anna)
    with serving("open", "--no-browser", cwd=table.files, home=table.anna / "home") as link:
        yield Seat(table, Window(browser, link))


@pytest.fixture
def turn(seat: Seat) -> Seat:
    """Nothing is chosen yet."""
    if seat.window.has("#lobby"):
        seat.window.press("#lobby")
    seat.window.press(".games .waiting button")
    return seat


TYPED = ("#typed", "#word-rest")


def words_of(table: Table, mark: str) -> str:
    """The move that a click on this mark alone says."""
    (choice,) = (one for one in moves_of(table.opened()).choices if one.at == (mark,) and not one.parts)
    return table.words(choice.move)


# --- choosing


def test_what_can_be_clicked_is_what_moves_name(turn: Seat) -> None:
    window, choices = turn.window, moves_of(turn.table.opened()).choices
    assert window.lit == clicking.offered(choices)
    assert "do:roll" in window.lit < window.marks()
    assert window.browser.script("return document.querySelector('#sign').disabled")


def test_a_move_is_chosen_on_the_board_and_taken_back(turn: Seat) -> None:
    window = turn.window
    before = window.lit
    window.mark("do:roll")
    assert window.move == words_of(turn.table, "do:roll")
    assert window.chosen == {"do:roll"}
    window.press("#back")
    assert (window.move, window.chosen, window.lit) == ("", set(), before)
    window.mark("kind:paper")
    assert window.move == ""
    assert window.lit == {one for one in before if one.startswith("kind:")} | {f"field:d{one}" for one in range(1, 5)}
    window.mark("field:d3")
    assert window.move == turn.table.words({"do": "buy", "kind": "paper", "field": "d3"})
    window.press("#back")
    assert window.text("#so-far")
    window.press("#clear")
    assert (window.move, window.chosen, window.lit) == ("", set(), before)


def test_a_click_while_another_is_being_done_does_nothing(turn: Seat) -> None:
    window = turn.window
    twice = """const one = document.querySelector('#board [data-at="do:roll"]');
    for (let at = 0; at < 2; at++) one.dispatchEvent(new MouseEvent('click', { bubbles: true }));"""
    window.browser.script(twice)
    window.settle()
    assert window.move == "roll"
    window.press("#back")
    assert (window.move, window.has("#back")) == ("", False)


def test_every_kind_of_line_is_taken_from_the_list(turn: Seat) -> None:
    window, table = turn.window, turn.table
    move = {"do": "buy", "kind": "metal", "field": "d4"}
    lines = window.browser.script(
        "return [...document.querySelectorAll('#moves .line span')].map((one) => one.innerText)"
    )
    assert lines == [choice.text for choice in moves_of(table.opened()).choices]
    window.press("#moves .line", "roll")
    assert window.move == "roll"
    window.press("#clear")
    (line,) = (one for one in lines if one.startswith("buy "))
    window.press("#moves .line", line)
    window.press(".part button", "metal")
    window.press(".part button", "d4")
    assert window.move == table.words(move)
    window.press(".part button", "glass")
    assert window.move == table.words({**move, "kind": "glass"})


def test_a_move_is_typed_and_what_is_wrong_is_told(turn: Seat) -> None:
    window = turn.window
    window.press("#typed")
    window.type("roll the dice on Bert" + ENTER)
    assert window.trouble
    assert window.move == ""
    window.empty("#typed")
    window.type("roll" + ENTER)
    assert (window.move, window.trouble) == ("roll", "")


def test_what_somebody_types_stays_when_the_board_is_clicked(turn: Seat) -> None:
    window = turn.window
    window.press("#typed")
    window.type("roll th")
    window.press("#more > details:not(#orders) > summary")
    window.browser.script("const kind = document.querySelector('#word-kind'); kind.value = 'address'")
    window.browser.script("document.querySelector('#word-kind').dispatchEvent(new Event('change'))")
    window.press("#word-rest")
    window.type("anna@x.example")
    window.mark("kind:paper")
    values = [window.browser.script("return document.querySelector(arguments[0])?.value", one) for one in TYPED]
    assert values == ["roll th", "anna@x.example"]
    assert window.browser.script("return document.querySelector('#word-rest').checkVisibility()")
    assert window.browser.script("return !document.querySelector('#sign-word').disabled")
    window.press("#typed")
    window.empty("#typed")
    window.type("roll" + ENTER)
    assert (window.move, window.browser.script("return document.querySelector('#typed').value")) == ("roll", "")


def test_the_rules_are_beside_the_table_in_the_language_of_the_window(turn: Seat) -> None:
    window = turn.window
    window.speak("de")
    window.press("#rulebook > summary")
    window.browser.wait("return document.querySelector('#rulebook .rules')?.innerText.includes('MK-11')")
    window.press("#clause")
    window.type("mk-7")
    clause = games.rules_text("mark", "de").partition("**MK-7** ")[2].split("\n")[0][:40]
    assert window.text("#rulebook h3") == "MK-7"
    assert clause in window.text("#rulebook .rules")
    window.empty("#clause")
    window.type("nothing says this")
    assert window.count("#rulebook h3") == 0
    window.speak("en")


def test_a_board_for_a_phone_is_not_shrunk_and_needs_no_scrolling_sideways(turn: Seat, phone: None) -> None:
    """The same marks, words of at least 11 pixels, and whatever is lit has 24 pixels for a finger."""
    window = turn.window
    if window.has("#clear"):
        window.press("#clear")
    window.mark("kind:paper")
    lit, chosen = window.lit, window.chosen
    measured = """
    const frame = document.querySelector('#board'), svg = frame.firstElementChild;
    const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
    const sizes = [...svg.querySelectorAll('text')].map((one) => one.getAttribute('font-size') * scale);
    const fingers = [...svg.querySelectorAll('.legal')].map((one) => one.getBoundingClientRect());
    return [frame.scrollWidth <= frame.clientWidth, Math.min(...sizes),
        Math.min(...fingers.flatMap((one) => [one.width, one.height]))];
    """
    whole, smallest, finger = window.browser.script(measured)
    assert (whole, smallest >= 11, finger >= 24) == (True, True, True), (whole, smallest, finger)
    window.browser.size(1280)
    window.settle()
    assert not window.has("#board .narrow")
    assert (window.lit, window.chosen) == (lit, chosen)


@pytest.fixture
def phone(browser: Browser) -> Iterator[None]:
    """A window as small as a phone."""
    browser.size(360, 640)
    yield
    browser.size(1280)


def test_keys_are_enough(turn: Seat, phone: None) -> None:
    window, table = turn.window, turn.table
    window.press("#lobby")
    presses = window.presses
    window.tab_to(".games .waiting button")
    window.type(ENTER)
    window.tab_to("#board [data-at='kind:glass']", "glass")
    window.type(ENTER)
    assert window.move == ""
    window.tab_to("#board .legal[data-at='field:d2']")
    window.type(ENTER)
    assert window.move == table.words({"do": "buy", "kind": "glass", "field": "d2"})
    window.type(ENTER)  # a key that is held down signs nothing
    assert table.signed() == []
    window.tab_to("#clear")
    window.type(ENTER)
    window.tab_to("#moves .line", "roll")
    window.type(ENTER)
    assert window.move == "roll"
    window.tab_to("#sign")
    window.press("#clear")
    assert window.presses == presses + 1


def test_a_move_is_kept_when_the_language_changes(turn: Seat) -> None:
    window = turn.window
    window.mark("kind:metal")
    lit, chosen = window.lit, window.chosen
    for language, question in QUESTION.items():
        window.speak(language)
        assert window.text("#bar .asked").startswith(question)
        assert (window.lit, window.chosen, window.move) == (lit, chosen, "")
    window.mark("field:d1")
    english, verdict = window.move, window.text(".verdict")
    window.speak("de")
    assert window.move not in ("", english)
    assert window.text(".verdict") != verdict
    window.press("#clear")
    window.press("#moves .line", "würfle")
    window.speak("en")
    assert window.move == "roll"


def sells_one(sitting: Sitting) -> bool:
    """When Anna has shares of several colours and can sell one of them, whatever else she does."""
    if sitting.what != "turn" or 0 not in sitting.asked:
        return False
    sales = [one.text for one in moves_of(sitting.opened(0)).choices if "sell " in one.text]
    return any(text.startswith("sell one of: ") for text in sales) and not any("sell up to" in text for text in sales)


def test_what_a_limit_no_longer_allows_goes_out(browser: Browser, tmp_path: Path) -> None:
    table = Table(tmp_path, "schwarzer-freitag", "limits", sells_one, 12)
    with serving("open", "--no-browser", cwd=table.files, home=table.anna / "home") as link:
        window = Window(browser, link)
        window.press(".games .waiting button")
        shares = {one for one in window.lit if one.startswith("share:")}
        assert len(shares) > 1
        window.mark(min(shares))
        assert (window.chosen & shares, window.lit & shares) == ({min(shares)}, set())
        window.press("#back")
        assert window.lit >= shares


# --- signing


def test_a_simple_move_takes_two_clicks_and_no_dialog_and_the_host_takes_it(browser: Browser, tmp_path: Path) -> None:
    table = Table(tmp_path, "mark", "clicks", turn_of_anna)
    browser.requests()
    (view,) = table.files.iterdir()
    with serving("open", view.name, "--no-browser", cwd=table.files, home=table.anna / "home") as link:
        window = Window(browser, link)
        window.mark("do:roll")
        window.press("#sign")
        assert (window.presses, window.keys) == (2, 0)
        assert not window.has("input[type=file], dialog, a[download]")
        (first,) = table.signed()
        assert first.name in window.text("#sent")
        assert window.lit == set()
        signed = first.read_bytes()

        # Whether a second answer is meant is asked, and the first stays if it is not.
        window.press("#lobby")
        window.press("[data-game]")
        assert "roll" in window.text("#bar")
        window.mark("kind:paper")
        window.mark("field:d1")
        window.press("#sign")
        window.press("#bar .main")
        assert first.read_bytes() == signed
        window.mark("kind:paper")
        window.mark("field:d1")
        window.press("#sign")
        window.press("#again")
        assert first.read_bytes() != signed

        before = table.sitting.round
        ran = table.apply(first)
        assert (ran.exit, table.sitting.round) == (0, before + 1), ran.said
        while 0 not in table.sitting.asked:
            table.apply(*table.others())
        table.bring()
        browser.wait("return document.querySelector('[role=status] button')")  # what arrives is told
        assert all(url.startswith(link.partition("#")[0]) for url in browser.requests())


def test_the_other_games_are_listed_when_a_file_cannot_be_opened(browser: Browser, tmp_path: Path) -> None:
    table = Table(tmp_path, "mark", "clicks", turn_of_anna)
    (table.files / "cut.json").write_bytes(table.sitting.view(0)[:-1])
    with serving("open", "cut.json", "--no-browser", cwd=table.files, home=table.anna / "home") as link:
        window = Window(browser, link)
        assert "cannot be read" in window.trouble
        window.press(".games .waiting button")
        assert (window.trouble, window.lit) == ("", clicking.offered(moves_of(table.opened()).choices))


def test_an_invitation_is_read_and_accepted_with_a_new_key(browser: Browser, tmp_path: Path) -> None:
    offer = Sitting("schwarzmarkt", 3, "invited").offer
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "a.offer.json").write_bytes(encode(offer))
    with serving("open", "--no-browser", cwd=tmp_path / "files", home=tmp_path / "home") as link:
        window = Window(browser, link)
        window.press(".games .waiting button")
        assert "Schwarzmarkt" in window.text("#terms")
        window.type("Zoë" + ENTER)
        assert window.has("#sent"), window.trouble
        (join,) = (tmp_path / "files").glob("*.join.json")
        assert join.name in window.text("#sent")
        assert b'"name":"Zo\xc3\xab"' in join.read_bytes()
        assert (tmp_path / "home" / "key.json").stat().st_mode & 0o077 == 0
        window.press("#sent ~ .row button")
        assert not window.has(".games .waiting")


def test_an_office_is_run_by_one_button(browser: Browser, tmp_path: Path) -> None:
    world = World(tmp_path)
    world.offer("anna@x.example", "bert@y.example", game="mark", more=("--no-deadline",))
    mails = {mail.to.partition("@")[0].title(): mail for mail in world.new()}
    for name, mail in mails.items():
        (world.root / "in" / f"{name}.eml").write_bytes(own_join(Mail(mail.name, mail.raw), name))
    with serving("open", "office", "--no-browser", cwd=tmp_path, home=tmp_path / "home") as link:
        window = Window(browser, link)
        before = window.text("#page ul")
        window.press("#run")
        assert window.presses == 1
        assert "2 judged" in window.text("#done")
        assert window.text("#page ul") != before
        assert len(list((world.root / "outbox").glob("*-turn.eml"))) == 2
        window.press("#run")
        assert "0 mails in, 0 judged" in window.text("#done")


# --- practice


@pytest.mark.parametrize("game", GAMES)
def test_the_first_move_takes_one_command_and_one_click(browser: Browser, tmp_path: Path, game: str) -> None:
    with serving("practice", game, "--browser", cwd=tmp_path, home=tmp_path / "home") as link:
        window = Window(browser, link)
        assert len(window.text(".advice")) > 80
        assert window.move
        assert not window.has("#undo")
        window.press("#sign")
        assert (window.presses, window.keys, window.trouble) == (1, 0, "")
        assert window.has("#undo")
        assert window.text(".advice")


def test_a_guided_opening_holds_its_move_ready(browser: Browser, tmp_path: Path) -> None:
    with serving("open", "--no-browser", cwd=tmp_path, home=tmp_path / "home") as link:
        window = Window(browser, link)
        window.press("[data-practice=mark] button", "First moves explained")
        assert "recycling plant" in window.text(".advice")
        assert window.move == "roll"
        window.speak("nl")
        assert "recyclingbedrijf" in window.text(".advice")
        window.speak("en")
        window.press("#sign")
        second = window.text(".advice")
        assert "A double" in second
        proposed = window.move
        window.press("#moves .line", "pass")
        assert window.move == "pass" != proposed
        window.press("#lobby")
        window.press("[data-practice=mark] button", "Continue")
        assert window.text(".advice") == second


def test_a_hint_is_taken_and_a_move_taken_back(browser: Browser, tmp_path: Path) -> None:
    with serving("practice", "schwarzer-freitag", "--browser", cwd=tmp_path, home=tmp_path / "home") as link:
        window = Window(browser, link)
        begun, lit = window.text("#step"), window.lit
        window.press("#hint")
        hinted = window.move
        assert hinted
        assert window.lit == set()
        window.press("#back")
        assert window.lit == lit
        window.press("#hint")
        assert window.move == hinted
        window.press("#sign")
        assert window.text("#step") != begun
        window.press("#undo")
        assert (window.text("#step"), window.lit) == (begun, lit)
        assert not window.has("#undo")


def test_players_and_bots_are_chosen_by_keys(browser: Browser, tmp_path: Path) -> None:
    with serving("open", "--no-browser", cwd=tmp_path, home=tmp_path / "home") as link:
        window = Window(browser, link)
        window.tab_to("[data-practice=weg-zum-erfolg] select")
        window.type(DOWN + DOWN)
        window.browser.script("document.querySelector('[data-practice=weg-zum-erfolg] button:last-of-type').focus()")
        window.type(ENTER)
        assert window.text(".titles .soft") == "Players: Anna, Bert, Carla, Dirk and Elsa"
