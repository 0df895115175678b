"""Both kinds of page in German and Dutch, in a browser: all that is read there, and what a change of language keeps."""

import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest

from referee import forms
from referee.crypto.codec import encode
from referee.engine.player import sign_word
from referee.evidence.replay import open_transcript
from referee.io.keyfile import dump
from referee.language import LANGUAGES, speaking
from referee.mail.block import write_block
from referee.page import reading
from referee.page.aid import aid_of
from referee.show import pictures
from tests.locale.left_over import english_in
from tests.locale.make import TARGETS
from tests.page.browser import Browser, browsing, needs_browser
from tests.page.desk import Desk
from tests.page.test_proofs import made_proofs
from tests.page.test_reading import AT, END, GAMES, page, transcript
from tests.page.test_tampered import player_file
from tests.support.match import NAMES, Sitting

ENGLISH = re.compile(
    r"\b(?:were|checked|signed|hidden|draws?|host|players?|answers?|away|until|save|sold?|buy|sell|red|blue|green|yellow|"
    r"money|seat|link|board|table|card|piece|price|shares?|goods|way|worth|bid)\b",
    re.IGNORECASE,
)
"""Words of the games and the page, beside those of every text."""
TYPED = re.compile(r"referee (?:page|verify|audit) \S+|\S+\.(?:json|eml)\b|pbem-referee|" + "|".join(NAMES))
READ = """
document.querySelectorAll('details').forEach((one) => one.open = true);
const gone = [...document.querySelectorAll('code, #language, #word-rest, textarea')].map((one) => {
  const place = document.createComment('');
  one.replaceWith(place);
  return [place, one];
});
const said = [document.title, document.querySelector('main').innerText];
for (const one of document.querySelectorAll('main *')) {
  for (const name of ['alt', 'title', 'aria-label', 'aria-valuetext']) said.push(one.getAttribute(name) ?? '');
  if (one.localName === 'option') said.push(one.textContent);
}
gone.reverse().forEach(([place, one]) => place.replaceWith(one));
return said.join('\\n');
"""
"""All that is to be seen or read out, what is folded or in a list too."""


AMONG = {
    "de": ("für eine Runde zwei Einträge unterschrieben", "Frist: 4.1.2027 um 00:00 UTC", "90 Minuten Nachfrist",
           "Bewiesen.", "mit einer Passphrase", "Hilfsdatei gehört nicht", "ist beschädigt"),
    "nl": ("twee notities ondertekend", "Termijn: 4-1-2027 om 00:00 UTC", "90 minuten respijt", "Bewezen.",
           "wachtwoordzin", "Het hulpbestand hoort niet bij", "blok daarin is beschadigd"),
}  # fmt: skip
AMONG_AIDS = {"de": ("versiegelt:", "steige endgültig aus"), "nl": ("verzegeld:", "stop voorgoed")}
"""Some of what must have been read."""


def read(browser: Browser, language: str) -> str:
    """What the page says; it is in this language."""
    assert browser.script("return document.documentElement.lang") == language
    told = str(browser.script(READ))
    for line in told.splitlines():
        plain = TYPED.sub(" ", line)
        assert ENGLISH.findall(plain) == english_in(plain, language) == [], line
    return told


@cache
def deciding(game: str, seed: str, *, sealed: bool = False, after: int = 5) -> tuple[Sitting, int]:
    """A game at a point where somebody decides something, and who. Nobody plays on there."""
    table = Sitting(game, 3, seed).until(
        lambda one: one.round > after and one.opened(one.asked[0]).decides
        and (not sealed or bool(one.opened(one.asked[0]).ask.sealed))
    )  # fmt: skip
    return table, table.asked[0]


def files_of(table: Sitting, seat: int, language: str) -> dict[str, bytes]:
    """What somebody opens to answer."""
    with speaking(language):
        aid = encode(aid_of(table.opened(seat)))
    return {"me.json": player_file(table, seat), "view.json": table.view(seat), "aid.json": aid}


def desks() -> Iterator[dict[str, bytes]]:
    """Whatever a player can open: good, bad and secret files of every kind."""
    table = Sitting("schwarzer-freitag", 3, "english").until(lambda one: one.round > 3)
    seat, offer = table.asked[0], msgspec.json.encode(table.offer)
    me, view = player_file(table, seat), table.view(seat)
    good = transcript("mark")
    yield {}
    yield {"offer.json": offer}
    yield {"me.json": me, "view.json": view}
    yield {"me.json": me, "offer.json": offer}
    yield {"me.json": me, "first.json": Sitting("schwarzer-freitag", 3, "english").view(seat)}
    yield from ({"t.json": transcript(game)} for game in GAMES)
    yield {"t.json": good.replace(b'"round":3', b'"round":4', 1)}
    yield {"half.json": good[:-9], "nothing.json": b"{}", "text.json": b"hi"}
    yield {"move.json": table.signed(seat), "game.json": table.file(), "view.json": view}
    one, *others = (table.fork() for _ in range(20))
    for number, fork in enumerate((one, *others)):
        fork.step(salt=f"salt {number}")
    other = next(fork for fork in others if fork.view(seat) != one.view(seat))
    yield {"one.json": one.view(seat), "other.json": other.view(seat)}
    late = Sitting("schwarzer-freitag", 3, "late", deadline=4320, grace=90).until(4)
    receipt = late.fork().give(late.signed(late.asked[0])).receipt
    yield {"offer.json": encode(late.offer), "join.json": encode(late.make_join(0)), "receipt.json": encode(receipt)}
    yield {"word.json": sign_word(late.players[1], late.opened(1), "back"), "late.json": late.view(1)}
    yield {"me.json": dump(table.players[0])[:-9]}
    yield {"me.json": dump(table.players[0], "a passphrase", bytes(32))}
    yield {"me.json": me, "key.json": dump(table.players[0]), "player.json": me}
    yield {"mail.eml": b"From: a@x.example\nTo: b@x.example\nContent-Type: application/json\n\n" + me}
    yield {"mail.eml": b"From: a@x.example\nTo: b@x.example\nSubject: x\n\n" + write_block("view", view)[:-90].encode()}
    yield {"mail.eml": b"From: a@x.example\nTo: b@x.example\nSubject: x\n\nHallo\n"}
    yield from ({"proof.json": encode(proof)} for proof in made_proofs().values())
    another = files_of(*deciding("mark", "another aid"), "en")["aid.json"]
    yield {"me.json": me, "view.json": view, "aid.json": another}


@needs_browser
@pytest.mark.thorough
def test_no_english_is_left_over(tmp_path: Path) -> None:
    """On the player's page, empty and with whatever can be opened. Each page comes up in the language that was chosen
    last, and is read in the other as well."""
    told: dict[str, list[str]] = {language: [] for language in TARGETS}
    with browsing(language="de-AT,en") as browser:
        desk, order = Desk(browser, tmp_path), TARGETS
        for files in desks():
            desk.open_page()
            if files:
                desk.open_all(files)
            first, second = order
            told[first].append(read(browser, first))
            browser.speak(second)
            told[second].append(read(browser, second))
            order = second, first
        assert {one: [text for text in AMONG[one] if text not in "\n".join(told[one])] for one in TARGETS} == {
            one: [] for one in TARGETS
        }
        assert browser.complaints() == []


@needs_browser
@pytest.mark.thorough
@pytest.mark.parametrize("language", TARGETS)
def test_no_english_is_left_over_where_a_host_helps(language: str, tmp_path: Path) -> None:
    """With files that are made in the reader's language: each line of a form picked, and on a game's page."""
    told = []
    tables = {game: deciding(game, "english") for game in GAMES}
    with browsing(language=f"{language}-AT,en") as browser:
        desk = Desk(browser, tmp_path)
        for table, seat in (*tables.values(), deciding("mark", "english", sealed=True)):
            desk.open_page()
            desk.open_all(files_of(table, seat, language))
            for at in range(len(aid_of(table.opened(seat)).moves.choices)):
                desk.choose(at, {})
                told.append(read(browser, language))
            browser.click(browser.one("#resign"))
            desk.settle()
            told.append(read(browser, language))
        assert [one for one in AMONG_AIDS[language] if one not in "\n".join(told)] == []
        # Several files of the player's own: one of another key, and two that make one.
        desk.open_page()
        table, seat = tables["mark"]
        desk.open_all(files_of(table, seat, language))
        desk.save()
        desk.use(desk.give("again.json", player_file(table, seat)), desk.mine)
        desk.use(desk.give("other.json", player_file(table, (seat + 1) % 3)))
        assert browser.find(".question")
        read(browser, language)
        desk.open_page()
        browser.type(browser.one("#name"), "@")
        browser.click(browser.one("#make"))
        assert "@" in read(browser, language)
        for game in GAMES[TARGETS.index(language) :: len(TARGETS)]:  # what games say: tests/locale/test_games.py
            with speaking(language):
                path, chain = page(tmp_path, game)
            browser.open(path)
            assert browser.verdict() == "ok"
            for number in (1, len(chain.rounds) // 2, len(chain.rounds)):
                browser.script("location.hash = `#round-${arguments[0]}`", number)
                browser.wait(f"{AT} === arguments[0]", number)
                read(browser, language)
        assert browser.complaints() == []


# --- another language in the midst of it ------------------------------------------------------------------------------

MOST = 5
SIGNING = "return document.querySelector('.signing').innerText"
BLOCK = "return document.getElementById('block').value"
TYPED_IN = "return ['name', 'pasted'].map((id) => document.getElementById(id).value)"
UNFOLD = "document.querySelectorAll('details').forEach((one) => one.open = true)"
FOLDED = "return document.querySelectorAll('details:not([open])').length"
LANGS = "return [...document.querySelectorAll(arguments[0])].map((one) => one.getAttribute('lang') ?? '')"
STATE = """
const all = document.querySelectorAll('main :is(input:not([type=file]), select, textarea, details)');
return [...all].map(({ localName, open, checked, value }) => JSON.stringify([localName, open, checked, value]));
"""


@needs_browser
@pytest.mark.thorough
@pytest.mark.parametrize("game", ["schwarzer-freitag", "schwarzmarkt", "weg-zum-erfolg"])
def test_another_language_keeps_what_was_chosen(game: str, tmp_path: Path) -> None:
    """Lines with parts chosen at random: what would be signed is the same after a change there and back."""
    table, seat = deciding(game, "kept")
    aid, chance = aid_of(table.opened(seat)).moves, random.Random(game)
    said = aid.standing.choices if aid.standing else ()
    with browsing() as browser:
        desk = Desk(browser, tmp_path)
        desk.open_all(files_of(table, seat, "en"))
        for group, choices in (("#orders", said), ("#moves", aid.choices)):
            for at, choice in enumerate(choices[:MOST]):
                if any(isinstance(part, forms.Free) for part in choice.parts):
                    continue  # what is typed there is tested in test_whole_games
                values = forms.sample(choice, chance.randrange)
                assert values is not None
                told = desk.choose(at, {part.name: values[part.name] for part in choice.parts}, group)
                state = browser.script(STATE)
                browser.speak("de")
                assert browser.script(STATE) == state
                browser.speak("en")
                assert browser.script(SIGNING) == told
                if choices is said:  # one at a time
                    browser.click(browser.one("#clear"))
                    desk.settle()
        desk.sign()
        block = browser.script(BLOCK)
        browser.speak("nl")
        assert browser.script(BLOCK) == block
        assert "Ondertekend." in browser.text("#bar .good")
        assert browser.complaints() == []


@needs_browser
def test_another_language_keeps_typed_texts_open_parts_the_round_and_errors(tmp_path: Path) -> None:
    table, seat = deciding("mark", "typed")
    with browsing() as browser:
        desk = Desk(browser, tmp_path)
        browser.type(browser.one("#name"), "Änn")
        browser.script(UNFOLD)
        browser.type(browser.one("#pasted"), "half a mail")
        browser.speak("nl")
        assert browser.script(TYPED_IN) == ["Änn", "half a mail"]
        assert browser.script(FOLDED) == 0
        desk.open(desk.give("mail.eml", b"From: a@x.example\nTo: b@x.example\n\nx\n"))
        assert "mail.eml: geen stuk van pbem-referee" in browser.text("[role=alert]")
        browser.speak("de")
        assert "mail.eml: kein Schriftstück von pbem-referee" in browser.text("[role=alert]")
        desk.open_all(files_of(table, seat, "de"))
        browser.script(UNFOLD)
        browser.type(browser.one("#word-kind"), "Schreibe mir an")
        browser.type(browser.one("#word-rest"), "neu@x.example")
        browser.script("document.querySelectorAll('.steps button')[1].click()")
        browser.script("scrollTo(0, 700); document.querySelector('#language [lang=en]').click()")
        browser.wait("return document.querySelector('h1').innerText === arguments[0]", "Player's page")
        assert browser.script("return [scrollY, document.activeElement.lang]") == [700, "en"]
        assert browser.text(".place") == f"Round {table.round - 1} of {table.round}"
        assert "You will sign: address neu@x.example" in browser.text("#more")
        browser.script("document.getElementById('sign-word').click()")
        desk.settle()
        browser.speak("nl")
        assert "Ondertekend." in browser.text("#bar")
        browser.press(END)
        # What the host said stays as it was said, and says so.
        assert {*browser.script(LANGS, ".label .host, .story ul, svg.board")} == {"de"}


@needs_browser
def test_the_page_of_a_game_keeps_its_place(tmp_path: Path) -> None:
    with speaking("de"):
        path, chain = page(tmp_path, "mark")
    with browsing(language="en") as browser:
        browser.open(path, "#round-20")
        browser.verdict()
        assert browser.text(".place") == f"Runde 20 von {len(chain.rounds)}"
        assert browser.script(LANGS, ".story ul") == [""]
        browser.script(UNFOLD)
        browser.speak("nl")
        assert browser.text(".place") == f"Ronde 20 van {len(chain.rounds)}"
        assert browser.script(FOLDED) == 0
        assert browser.script(LANGS, ".story ul") == ["de"]


# --- which language ---------------------------------------------------------------------------------------------------


@needs_browser
def test_the_browser_s_language_first_then_the_chosen_one(tmp_path: Path) -> None:
    with browsing(language="fr,nl-BE,de") as browser:
        desk = Desk(browser, tmp_path)
        assert browser.text("h1") == "Spelerspagina"
        desk.open(desk.give("t.json", transcript("mark")))
        browser.speak("de")
        assert browser.verdict() == "ok"
        assert "Ziehungen, Unterschriften" in browser.text(".verdict")
        assert browser.script("return [document.documentElement.lang, document.title]") == ["de", "Spielerseite"]
        desk.open_page()
        assert browser.text("h1") == "Spielerseite"
        assert browser.script("return Object.entries(localStorage)") == [["pbem-referee language", "de"]]
        # A game's page speaks as it was made, to who has chosen nothing.
        path, _ = page(tmp_path, "mark")
        browser.open(path)
        browser.verdict()
        assert "Ziehungen, Unterschriften" in browser.text(".verdict")
        browser.script("localStorage.setItem('pbem-referee language', '<b>')")
        browser.open(path)
        browser.verdict()
        assert "Draws, signatures" in browser.text(".verdict")
        assert browser.complaints() == []


@needs_browser
def test_a_browser_without_storage_still_uses_the_chosen_language(tmp_path: Path) -> None:
    nothing = "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException(); } })"
    with browsing(language="de") as browser:
        browser.prepare(nothing)
        desk = Desk(browser, tmp_path)
        browser.speak("nl")
        assert browser.text("h1") == "Spelerspagina"
        desk.open_page()
        assert browser.text("h1") == "Spielerseite"
        assert browser.complaints() == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_pictures_and_aids_name_their_language(game: str, language: str) -> None:
    opened = Sitting(game, 3, "lang").until(3).opened(0)
    with speaking(language):
        picture = ElementTree.fromstring(pictures.svg(opened.chain, pictures.seen_in_view(opened)))
        aid = msgspec.json.decode(encode(aid_of(opened)))
    assert picture.get("lang") == picture.get("{http://www.w3.org/XML/1998/namespace}lang") == language
    assert aid.get("language", "en") == language
    told = [one.text or "" for one in picture if one.tag.endswith(("}title", "}desc"))]
    assert len(told) == 2
    if language != "en":
        assert english_in(TYPED.sub(" ", " ".join(told)), language) == []


@needs_browser
def test_a_game_without_our_languages_stays_english(tmp_path: Path) -> None:
    """A third-party game: its own words are in English and marked so, everything else is German."""
    table, seat = deciding("auction", "stranger", after=1)
    whole = Sitting("auction", 3, "stranger's end").to_end().transcript()
    path = tmp_path / "game.html"
    with speaking("de"):
        path.write_bytes(reading.page_of(reading.reading_of_transcript(whole, open_transcript(whole))))
    with browsing(language="de") as browser:
        desk = Desk(browser, tmp_path)
        desk.open_all(files_of(table, seat, "de"))
        assert browser.verdict() == "ok"
        assert "Ziehungen, Unterschriften" in browser.text(".verdict")
        assert {*browser.script(LANGS, ".label .host")} == {"en"}
        assert browser.text("#moves h2") == "Züge"
        browser.open(path)
        assert browser.verdict() == "ok"
        assert browser.script(LANGS, ".story ul") == ["en"]
        assert "Was geschah" in browser.text(".story")
        assert browser.complaints() == []
