"""The table of texts: complete in three languages, the only place for texts, and written as each language writes."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import inspect

from referee.games import load
from referee.language import LANGUAGES
from tests.page.browser import browsing, needs_browser
from tests.page.desk import Desk
from tests.page.node import HERE, PAGE, run_node
from tests.page.test_reading import GAMES, transcript
from tests.page.test_tampered import player_file
from tests.support.match import Sitting

HOLE = re.compile(r"\{\w+\}")
SEEMS_TEXT = re.compile(r"[a-z]{2,} [a-z{]|\} [a-z]|[a-z]{2,}[.:…]$")
NO_TEXT = {
    # classes, commands, codes and documents
    "button main", "card no-print", "answer no-print", "language no-print", "game alone", "zoom no-print",
    "line line{} {}", "key key{} {}",
    "referee verify TRANSCRIPT", "referee audit VIEW", "referee page {}", "die {}", "not checked", "as recorded",
    "malformed wrong-kind too-large bad-signature altered-chain mixed-view missing-private bad-secret bad-sealed ",
    "not-over weak-key undecided unknown-game no-crypto mixed-proof no-offence needs-rules",
    "away until {}", "zone {}", "language {}", "address {}",
    "word {}", "proof {}",
    "Schwarzer Freitag", "Der Weg zum Erfolg",
    # a word of a document, a column of a table
    "{} {}", "{}: {}", "mailto:{}?subject={}&body={}",
}  # fmt: skip
OF_NODE = {
    "{} rounds with {} are right", "{} signatures, {} draws and {} private openings", "{} (the host signed this)",
    " (the host signed this)", " (this blames nobody)", "; rules: not checked here, use `referee verify`",
    "cannot read a file: {}", "all together", "round {}: ", "verifier.mjs", "{}: {}{}{}", "no text: {}",
    "what a part gives that gives nothing", "proved, by whoever has the key {}", "this blames nobody", "undecided here",
}  # fmt: skip
"""What only a programmer or a terminal sees."""


@pytest.fixture(scope="module")
def tables() -> Any:
    done = run_node(HERE / "texts.mjs", PAGE)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def holes(text: str) -> list[str]:
    return sorted(HOLE.findall(text))


def test_every_text_is_there_in_three_languages_with_the_same_places_to_fill(tables: Any) -> None:
    for key, row in tables["texts"].items():
        assert len(row) == len(LANGUAGES), key
        assert all(text.strip() == text != "" for text in row), key
        assert len({tuple(holes(text)) for text in row}) == 1, key
    for english, row in (tables["sentences"] | tables["words"]).items():
        assert len(row) == len(LANGUAGES) - 1, english
        assert all(text.strip() == text != "" for text in row), english
        assert {tuple(holes(text)) for text in row} == {tuple(holes(english))}, english
    same = [
        key
        for key, row in tables["texts"].items()
        if row[0] in row[1:] and re.search(r"[a-z]{3}", HOLE.sub("", row[0]))
    ]
    assert same == ["code"]


def test_there_is_no_text_outside_the_table_and_none_too_many(tables: Any) -> None:
    sentences = {re.sub(r"\{\d\}", "{}", one) for one in tables["sentences"]}
    shaped = re.compile(r"(?:the|a) \w+ has another shape")
    found = {(name, text) for name, all_of in tables["sources"].items() for text in all_of}
    strange = [
        (name, text)
        for name, text in sorted(found)
        if SEEMS_TEXT.search(text) and not text.startswith(("usage: ", "./"))
        and text not in {*tables["texts"], *sentences, *NO_TEXT, *OF_NODE} and not shaped.fullmatch(text)
    ]  # fmt: skip
    assert strange == []
    texts = {text for _, text in found}
    kinds = {f"word {kind}" for kind in ("away", "back", "zone", "language", "address")}
    kinds |= {f"proof {verdict}" for verdict in ("proved", "altered", "undecided")}
    assert {*tables["texts"]} - texts - kinds == set()
    assert sentences - texts == set()


def words_in(kind: inspect.Type) -> Iterator[str]:
    """Names of fields, tags, and literals that values of this type are made of."""
    match kind:
        case inspect.StructType(fields=fields, tag=tag, tag_field=tagged):
            yield from (str(one) for one in (tag, tagged) if one)
            for field in fields:
                yield field.encode_name
                yield from words_in(field.type)
        case inspect.UnionType(types=types):
            for one in types:
                yield from words_in(one)
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
            yield from words_in(item)
        case inspect.TupleType(item_types=items):
            for one in items:
                yield from words_in(one)
        case inspect.LiteralType(values=values):
            yield from (value for value in values if isinstance(value, str))


@pytest.mark.parametrize("game_id", GAMES)
def test_the_words_of_every_game_are_in_the_table(tables: Any, game_id: str) -> None:
    """Fields, faces and answers of moves, standing words, options and positions."""
    game = load(game_id)
    kinds = [game.move, game.options, game.public, *([game.standing.words] if game.standing else [])]
    wanted = {word for kind in kinds for word in words_in(inspect.type_info(kind))}
    for name, faces in Sitting(game_id, 3, "words").table.bags.items():
        wanted |= {name.split("/")[0], *(re.sub(r"-\d+$", "", face) for face in faces)}
    places = re.compile(r"[dp]\d|[A-Z]\w*|\d+")
    assert {word for word in wanted if not places.fullmatch(word)} - {*tables["words"]} == set()


def test_what_is_shown_tells_what_is_signed(tables: Any) -> None:
    """No two words of documents have the same translation."""
    for at in range(len(LANGUAGES) - 1):
        shown = [row[at] for row in tables["words"].values()]
        assert len(shown) == len({*shown})


def test_lists_spans_times_and_numbers_are_as_the_language_writes_them(tables: Any) -> None:
    en, de, nl = (tables["spoken"][language] for language in LANGUAGES)
    assert [one["list"] for one in (en, de, nl)] == [
        "Anna, Bert and Carla",
        "Anna, Bert und Carla",
        "Anna, Bert en Carla",
    ]
    assert [one["pair"] for one in (en, de, nl)] == ["Anna and Bert", "Anna und Bert", "Anna en Bert"]
    assert en["spans"] == ["1 minute", "1 hour", "2 hours", "1 day", "3 days"]
    assert de["spans"] == ["1 Minute", "1 Stunde", "2 Stunden", "1 Tag", "3 Tage"]
    assert nl["spans"] == ["1 minuut", "1 uur", "2 uur", "1 dag", "3 dagen"]
    assert [one["time"] for one in (en, de, nl)] == ["5 Jan 2027, 18:07", "05.01.2027, 18:07", "5 jan 2027, 18:07"]
    assert [one["figures"] for one in (en, de, nl)] == [["7", "1234", f"12{mark}345"] for mark in ",.."]


def test_sentences_of_the_verifier_are_exchanged_whole(tables: Any) -> None:
    en, de, nl = (tables["spoken"][language] for language in LANGUAGES)
    assert en["sentences"][1] == "nothing is left to draw in goods"
    unknown, drawn, bags, form, holds, token, shape = de["sentences"]
    assert unknown == "round is unknown to the table"
    assert drawn == "in Waren ist nichts mehr zu ziehen"
    assert bags == "nach den Beuteln, die das Beiblatt nennt: es gibt mehr rot, als es geben kann"
    assert form == "das ist kein JSON (Zeichen 12)"
    assert holds == "in Waren/3 liegt nicht Angebot 7"
    assert token == "etwas davon ist nicht in Beutel"
    assert shape == "die Form stimmt nicht: Ansicht"
    assert nl["sentences"][3] == "dit is geen JSON (teken 12)"
    assert de["move"] == "Handlung verkaufen, Aktien (rot 2, blau 1), senken nichts, offen halten ja"
    assert en["move"] == "do sell, shares (red 2, blue 1), drop nothing, hold true"
    assert [de["term"], nl["term"]] == ["Angebot 12", "aanbod 12"]


# --- in the page -----------------------------------------------------------------------------------------------------

ENGLISH = re.compile(
    r"\b(?:the|and|your|you|this|that|with|from|what|which|were|checked|nothing|signed|round|hidden|draws?|file|"
    r"host|players?|answers?|key|away|until|save|choose|sold?|buy|red|blue|money|seat|link)\b",
    re.IGNORECASE,
)
READ = """
document.querySelectorAll('details').forEach((one) => one.open = true);
const skipped = 'code, #language, #word-rest, textarea';
document.querySelectorAll(skipped).forEach((one) => one.remove());
return document.querySelector('main').innerText;
"""


@needs_browser
@pytest.mark.thorough
@pytest.mark.parametrize("language", ["de", "nl"])
def test_no_english_is_left_over(language: str, tmp_path: Path) -> None:
    """What the page itself says of an empty desk, an offer, views, transcripts and bad files; the aid is the host's."""
    with browsing(language=f"{language}-AT,en") as browser:
        desk = Desk(browser, tmp_path)
        assert browser.script("return document.documentElement.lang") == language
        table = Sitting("schwarzer-freitag", 3, "english").until(lambda one: one.round > 3)
        seat = table.asked[0]
        bad = transcript("mark").replace(b'"round":3', b'"round":4', 1)
        offer = msgspec.json.encode(table.offer)
        for files in (
            {},
            {"offer.json": offer},
            {"me.json": player_file(table, seat), "view.json": table.view(seat)},
            {"me.json": player_file(table, seat), "offer.json": offer},
            *({"t.json": transcript(game)} for game in GAMES),
            {"t.json": bad},
            {"half.json": transcript("mark")[:-9]},
            {"move.json": table.signed(seat), "game.json": table.file()},
        ):
            desk.open_page()
            if files:
                desk.open(*(desk.give(name, data) for name, data in files.items()))
            told = re.sub(r"`[^`]*`|referee (?:page|verify|audit) \S+|\S+\.json|pbem-referee", "", browser.script(READ))
            assert ENGLISH.findall(told) == [], (files.keys(), told)


@needs_browser
def test_the_switch_speaks_at_once_and_is_kept_nowhere(tmp_path: Path) -> None:
    with browsing(language="fr,nl-BE,de") as browser:
        desk = Desk(browser, tmp_path)
        assert "Spelerspagina" in browser.text("h1")
        desk.open(desk.give("t.json", transcript("mark")))
        browser.speak("de")
        assert browser.verdict() == "ok"
        assert "Ziehungen, Signaturen" in browser.text(".verdict")
        assert browser.script("return [document.documentElement.lang, document.title]") == ["de", "Spielerseite"]
        browser.speak("en")
        assert "Draws, signatures" in browser.text(".verdict")
        desk.open_page()
        assert "Spelerspagina" in browser.text("h1")
        assert browser.complaints() == []
