"""What a host, a mail or an aid can do to somebody who has the player's page with rules: each that the manual lists is
tried here, under the same title. The page runs in a browser; the host is ours, and lies."""

import io
import json
import re
import zipfile
from collections.abc import Mapping
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from referee.crypto.codec import encode
from referee.engine import lobby, table
from referee.io import keyfile
from referee.io.desk import next_due
from referee.page.aid import aid_of
from referee.page.assemble import player_page
from tests.app import clicking
from tests.page.browser import Browser, needs_browser
from tests.page.rules_desk import Page, key_of
from tests.page.tampered import against_the_rules, changed
from tests.page.test_hostile import Named, unharmed
from tests.support.match import Sitting

pytestmark = [needs_browser, pytest.mark.thorough]

MANUAL = Path(__file__).parents[2] / "referee" / "manual"
EVIL = "<img src=x onerror=alert(1)><iframe src='https://evil.example'></iframe><script>a()</script>"


@pytest.fixture(scope="module")
def page(payloads: Mapping[str, bytes]) -> bytes:
    return player_page(payloads)


@pytest.fixture
def desk(browser: Browser, tmp_path: Path, page: bytes) -> Page:
    made = Page(browser, tmp_path, page)
    made.ready()
    browser.speak("en")
    return made


@pytest.fixture(scope="module")
def sitting() -> Sitting:
    return Sitting("mark", 3, "attacks").until("name")


def aid(sitting: Sitting, spoil: Any) -> bytes:
    return changed(encode(aid_of(sitting.opened(sitting.asked[0]))), spoil)


def sit(desk: Page, sitting: Sitting, *more: tuple[str, bytes]) -> None:
    """Open the view of whoever is asked, as that player, and what came with it."""
    seat = sitting.asked[0]
    paths = [desk.give(name, data) for name, data in (("turn.view.json", sitting.view(seat)), *more)]
    desk.open(*paths, mine=desk.give("me.json", key_of(sitting, seat)))


def mail(*attached: tuple[str, bytes], sender: str = "host@a.example", subject: str = "a turn") -> bytes:
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = sender, "anna@x.example", subject
    made.set_content("Hello")
    for name, data in attached:
        made.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    return bytes(made)


def sound(desk: Page, sitting: Sitting) -> None:
    """The table is what the rules say, whatever came with the view."""
    choices = list(aid_of(sitting.opened(sitting.asked[0])).moves.choices)
    assert desk.browser.verdict() == "ok"
    assert "Rules: checked" in desk.browser.text(".verdict")
    assert desk.person.lit == clicking.offered(choices) & desk.person.marks()
    assert desk.person.count("#moves .line") == len(choices)
    assert desk.browser.complaints() == []


def test_false_labels(desk: Page, sitting: Sitting) -> None:
    def lie(made: Any) -> None:
        made["title"] = "Chess"
        made["told"] = [{"round": sitting.round, "lines": ["Bert has won."], "own": []}]
        for choice in made["moves"]["choices"]:
            choice["text"] = "end the turn"

    sit(desk, sitting, ("turn.aid.json", aid(sitting, lie)))
    sound(desk, sitting)
    said = desk.browser.text()
    assert [words for words in ("Chess", "Bert has won", "end the turn") if words in said] == []


def test_missing_or_invented_moves(desk: Page, sitting: Sitting) -> None:
    def lie(made: Any) -> None:
        moves = made["moves"]
        moves["choices"] = [{**moves["choices"][0], "text": "win the game", "move": {"do": "win"}}]

    sit(desk, sitting, ("turn.aid.json", aid(sitting, lie)))
    sound(desk, sitting)
    assert "win the game" not in desk.browser.text()

    desk.browser.type(desk.browser.one("#typed"), "win the game\ue007")
    desk.settle()
    assert desk.person.move == ""
    assert desk.person.trouble


def test_a_huge_or_hostile_picture(desk: Page, sitting: Sitting) -> None:
    def lie(made: Any) -> None:
        inside = (
            f'<rect width="9" height="9" fill="url(https://evil.example/)"/><text>{EVIL.replace("<", "&lt;")}</text>'
        )
        made["picture"] = f'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">{inside * 4000}</svg>'

    sit(desk, sitting, ("turn.aid.json", aid(sitting, lie)))
    sound(desk, sitting)
    unharmed(desk.browser, "Player's page", scripts=10)


def test_words_in_another_language(desk: Page, sitting: Sitting) -> None:
    def lie(made: Any) -> None:
        made["language"] = "de"
        made["title"] = "Zug um Zug"

    sit(desk, sitting, ("turn.aid.json", aid(sitting, lie)))
    sound(desk, sitting)
    assert "Zug um Zug" not in desk.browser.text()
    desk.browser.speak("nl")
    assert desk.person.text("#moves h2") == "Zetten"
    assert "Zug um Zug" not in desk.browser.text()


def test_somebody_elses_seat(desk: Page, sitting: Sitting) -> None:
    """The view is good, but its seat has another key than yours."""
    seat = sitting.asked[0]
    desk.open(desk.give("turn.view.json", sitting.view(seat)), mine=desk.give("me.json", key_of(sitting, 1 - seat)))
    assert desk.browser.verdict() == "ok"
    assert "the open player's file has another one. You can read it but not answer it." in desk.browser.text("#bar")
    assert not desk.person.has("#sign")


def test_an_old_view(desk: Page) -> None:
    sitting = Sitting("mark", 3, "attacks").until("name")
    seat = sitting.asked[0]
    older = sitting.fork()
    sitting.step()
    sit_as = desk.give("me.json", key_of(sitting, seat))
    desk.open(desk.give("new.view.json", sitting.view(seat)), mine=sit_as)
    assert desk.browser.verdict() == "ok"
    desk.open(desk.give("old.view.json", older.view(seat)))
    assert "newer view of this game" in desk.browser.text("#bar")
    assert not desk.person.has("#sign")


def test_two_stories(desk: Page) -> None:
    """The host plays the game on in two ways, and tells each player another one."""
    sitting = Sitting("schwarzer-freitag", 3, "attacks")
    sitting.step()
    forks = [sitting.fork() for _ in range(2)]
    for number, fork in enumerate(forks):
        fork.step(salt=str(number))
    assert forks[0].view(0) != forks[1].view(0)
    desk.open(desk.give("one.view.json", forks[0].view(0)), mine=desk.give("me.json", key_of(sitting, 0)))
    assert desk.browser.verdict() == "ok"
    desk.open(desk.give("two.view.json", forks[1].view(0)))
    assert desk.browser.verdict() == "two-entries"
    assert not desk.person.has("#sign")


def test_a_broken_rule(desk: Page) -> None:
    sitting = Sitting("schwarzer-freitag", 3, "attacks").until(3)
    desk.open(desk.give("turn.view.json", against_the_rules(sitting)), mine=desk.give("me.json", key_of(sitting, 0)))
    assert desk.browser.verdict() == "rule-broken"
    assert "it is a proof against the host" in desk.browser.text(".verdict")
    assert not desk.person.has("#sign")


def test_a_clock_that_is_wrong(desk: Page) -> None:
    """The host says that a deadline has passed which, by your clock, is still to come."""
    sitting = Sitting("mark", 3, "attacks", deadline=60)
    sitting.now = datetime(2999, 1, 1, tzinfo=UTC)
    sitting.match.due = next_due(sitting.match, sitting.now)
    sitting.until(lambda one: one.round > 1 and len(one.asked) > 1)
    late = sitting.asked[-1]
    sitting.step(late)
    while sitting.asked[0] == late or not sitting.opened(sitting.asked[0]).decides:
        sitting.step()
    sit(desk, sitting)
    assert desk.browser.verdict() == "ok"
    assert "By your clock it is still to come" in desk.browser.text("article")


def test_rules_that_the_page_lacks(desk: Page) -> None:
    sitting = Sitting("auction", 3, "attacks").until(2)
    desk.open(desk.give("other.view.json", sitting.view(0)))
    assert desk.browser.verdict() == "unknown-game"
    assert "Rules: checked" not in desk.browser.text(".verdict")
    assert not desk.person.has("#sign")
    with pytest.MonkeyPatch.context() as patch:
        for module in (lobby, table):
            patch.setattr(module, "code_hash", lambda game: "00" * 32)
        changed_rules = Sitting("mark", 3, "other code").until("name")
    sit(desk, changed_rules)
    assert desk.browser.verdict() == "ok"
    desk.person.mark("kind:glass")
    desk.person.press("#sign")
    assert "different rules of mark from those of this program" in desk.person.trouble
    assert not desk.person.has("#block")


def test_script_frames_and_forms_in_names(browser: Browser, desk: Page) -> None:
    sitting = Named("mark", 3, "hostile attacks").until("name")
    sit(desk, sitting)
    assert desk.browser.verdict() == "ok"
    assert "<img src=x onerror=" in browser.text("article")
    unharmed(browser, "Player's page", scripts=10)


def test_names_that_mean_something_in_javascript(desk: Page, sitting: Sitting) -> None:
    view = json.loads(sitting.view(sitting.asked[0]))
    text = json.dumps(view)
    for name in ("__proto__", "constructor", "toString", "hasOwnProperty"):
        spoiled = f'{{"{name}": {{"ok": true, "game": "mark"}}, {text[1:]}'
        desk.open(
            desk.give("turn.view.json", spoiled.encode()), mine=desk.give("me.json", key_of(sitting, sitting.asked[0]))
        )
        assert desk.browser.verdict() != "ok", name
        assert not desk.person.has("#sign")
    assert desk.browser.script("return [({}).ok ?? null, ({}).game ?? null]") == [None, None]
    assert desk.browser.complaints() == []


def test_packed_files(desk: Page) -> None:
    """Nothing that somebody sends is unpacked, and nothing too large is read."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("turn.view.json", bytes(50_000_000))
    desk.open(desk.give("turn.eml", mail(("turn.zip", packed.getvalue()), ("turn.view.json.gz", packed.getvalue()))))
    assert "turn.eml" in desk.browser.text("#troubles")
    assert desk.browser.find("article") == []


def test_an_address_with_more_in_it(desk: Page, sitting: Sitting) -> None:
    seat = sitting.asked[0]
    nasty = "host&bcc=evil%40y.example?cc=evil@a.example"
    letter = mail(("turn.view.json", sitting.view(seat)), sender=nasty, subject="a turn&bcc=evil@y.example")
    desk.open(desk.give("turn.eml", letter), mine=desk.give("me.json", key_of(sitting, seat)))
    desk.person.mark("kind:glass")
    desk.person.press("#sign")
    link = urlsplit(str(desk.browser.wait("return document.getElementById('mail')?.href")))
    assert unquote(link.path) == nasty
    assert [part.partition("=")[0] for part in link.query.split("&")] in (["subject"], ["subject", "body"])


def test_a_key_in_a_mail(desk: Page, sitting: Sitting) -> None:
    evil = keyfile.dump(sitting.host)
    desk.open(desk.give("turn.eml", mail(("key.json", evil), ("turn.view.json", sitting.view(0)))))
    assert "a key" in desk.browser.text("#troubles").lower()
    assert desk.browser.text("#you") != ""
    assert desk.browser.find("#save") == []


def test_a_page_that_was_changed(browser: Browser, tmp_path: Path, page: bytes) -> None:
    """Who changes the script of your page stops it; who makes another page can do anything: compare its hash."""
    path = tmp_path / "player-rules.html"
    path.write_bytes(page.replace(b"openPage(ruledBy)", b"openPage(ruledBy) "))
    assert path.read_bytes() != page
    browser.open(path)
    assert browser.text() == ""
    assert any("Content Security Policy" in line for line in browser.complaints())


def test_every_attack_of_the_manual_is_tried() -> None:
    """In each language the list has as many lines, and each of the English ones names its test."""
    found: dict[str, list[str]] = {}
    for language in ("en", "de", "nl"):
        text = (MANUAL / language / "browser.md").read_text("utf-8")
        section = text.partition("<!-- attacks -->")[2].partition("<!-- end of attacks -->")[0]
        found[language] = re.findall(r"^- \*\*(.+?)\.\*\*", section, re.MULTILINE)
    tests = [name.removeprefix("test_") for name in globals() if name.startswith("test_")][:-1]
    assert sorted(re.sub("[^a-z]+", "_", one.lower().replace("'", "")) for one in found["en"]) == sorted(tests)
    assert {len(lines) for lines in found.values()} == {len(tests)}
