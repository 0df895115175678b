"""The table of texts: complete in three languages, the only place for texts, and written as each language writes."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec import inspect

from referee.games import load
from referee.language import LANGUAGES, Time, listed, localised_number, speaking
from referee.show.text import span
from tests.page import alike
from tests.page.node import PAGE
from tests.page.test_reading import GAMES
from tests.support.match import Sitting

HOLE = re.compile(r"\{\w+\}")
SEEMS_TEXT = re.compile(r"[a-z]{2,} [a-z{]|\} [a-z]|[a-z]{2,}[.:…]$")
NO_TEXT = {
    # classes, commands, codes and documents
    "card bar no-print", "row act", "row practice", "row steps", "row waiting", ".part button, .part input",
    "Bearer {}", "pbem-referee session",
    "button main", "card no-print", "answer no-print", "language no-print", "game alone", "zoom no-print",
    "unsure behind", "unsure question", "main keep", "board narrow",
    "line line{} {}", "key key{} {}",
    "seat seat{}", "line line{} edge",
    "referee verify TRANSCRIPT", "referee audit VIEW", "referee page {}", "die {}", "not checked", "as recorded",
    "malformed wrong-kind too-large bad-signature altered-chain mixed-view missing-private ",
    "bad-secret bad-sealed not-over bad-abandonment weak-key other-version undecided unknown-game ",
    "no-crypto mixed-proof no-offence needs-rules mixed-claim bad-ruling",
    "two-entries two-geneses taken-and-timed-out taken-and-dropped taken-and-refused two-taken ",
    "answered-and-timed-out extended-and-timed-out refused-though-legal",
    "join {}", "move {}", "pbem-referee language",
    "away until {}", "zone {}", "language {}", "address {}",
    "word {}", "proof {}",
    "Schwarzer Freitag", "Der Weg zum Erfolg",
    # names of signs, as they are typed
    "multiplied by", "divided by", "geteilt durch", "gedeeld door",
    # a word of a document, a column of a table
    "{} {}", "{}: {}", "mailto:{}?subject={}&body={}",
}  # fmt: skip
OF_NODE = {
    "{} rounds with {} are right", "{} signatures, {} draws and {} private openings", "{} (the host signed this)",
    " (the host signed this)", " (this blames nobody)", "; rules: not checked here, use `referee verify`",
    "cannot read a file: {}", "all together", "round {}: ", "verifier.mjs", "{}: {}{}{}", "no text: {}",
    "abandoned by the host in round {}, no result", "{} late rounds, {} protests",
    "{} claims: the players' word, not a proof",
    "what a part gives that gives nothing", "proved, by whoever has the key {}", "this blames nobody", "undecided here",
}  # fmt: skip
"""What only a programmer or a terminal sees."""


SPANS = (1, 60, 120, 1440, 4320, 90)
TIMES = ("2027-01-05T18:07Z", "2026-12-24T09:00Z")


@pytest.fixture(scope="module")
def tables() -> Any:
    return alike.tables()


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


def test_every_text_is_in_the_table_and_every_entry_is_used(tables: Any) -> None:
    sentences = {re.sub(r"\{\d\}", "{}", one) for one in tables["sentences"]}
    shaped = re.compile(r"(?:the|a) \w+ has the wrong shape")
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


def test_every_text_that_a_module_asks_for_is_in_the_table(tables: Any) -> None:
    asked = {key for path in PAGE.glob("*.mjs") for key in re.findall(r"\bt\(\"([^\"]*)\"", path.read_text("utf-8"))}
    assert len(asked) > 100
    assert asked - set(tables["texts"]) == set()


@pytest.mark.parametrize("game_id", GAMES)
def test_the_words_of_every_game_are_in_the_table(tables: Any, game_id: str) -> None:
    """Fields, faces and answers of moves, standing orders, options and positions."""
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
    """And as the tool writes them to the same reader."""
    en, de, nl = (tables["spoken"][language] for language in LANGUAGES)
    for language, one in tables["spoken"].items():
        with speaking(language):
            assert one["list"] == str(listed(["Anna", "Bert", "Carla"]))
            assert one["pair"] == str(listed(["Anna", "Bert"]))
            assert one["spans"] == [span(minutes) for minutes in SPANS]
            assert one["times"] == [str(Time(due)) for due in TIMES] + ["no time"]
            assert one["figures"][-1] == localised_number("12,345")
    assert [one["list"] for one in (en, de, nl)] == [
        "Anna, Bert and Carla",
        "Anna, Bert und Carla",
        "Anna, Bert en Carla",
    ]
    assert [one["pair"] for one in (en, de, nl)] == ["Anna and Bert", "Anna und Bert", "Anna en Bert"]
    assert en["spans"] == ["1 minute", "1 hour", "2 hours", "1 day", "3 days", "90 minutes"]
    assert de["spans"] == ["1 Minute", "1 Stunde", "2 Stunden", "1 Tag", "3 Tage", "90 Minuten"]
    assert nl["spans"] == ["1 minuut", "1 uur", "2 uur", "1 dag", "3 dagen", "90 minuten"]
    assert [one["figures"] for one in (en, de, nl)] == [["7", "1234", f"12{mark}345"] for mark in ",.."]


def test_texts_shared_with_the_tool_have_the_same_words(tables: Any) -> None:
    """Brought up to date with `python -m tests.page.alike`."""
    found = alike.shared(tables)
    assert [one for one in found if not one.alike] == []
    assert len(found) > 80


def test_sentences_of_the_verifier_are_translated_whole(tables: Any) -> None:
    en, de, nl = (tables["spoken"][language] for language in LANGUAGES)
    assert en["sentences"][1] == "nothing is left to draw in goods"
    unknown, drawn, bags, form, holds, token, shape, signed = de["sentences"]
    assert unknown == "round is unknown to the table"
    assert drawn == "in Waren ist nichts mehr zu ziehen"
    assert bags == "nach den Beuteln, die die Hilfsdatei nennt: es gibt mehr rot, als es geben kann"
    assert form == "das ist kein JSON (Zeichen 12)"
    assert holds == "in Waren/3 liegt nicht Angebot 7"
    assert token == "etwas davon ist nicht in Beutel"
    assert shape == "Ansicht: die Form stimmt nicht"
    assert signed == "Zug: nicht mit dem eigenen Schlüssel unterschrieben"
    assert nl["sentences"][3] == "dit is geen JSON (teken 12)"
    assert de["move"] == "Handlung verkaufen, Aktien (rot 2, blau 1), senken nichts, offen halten ja"
    assert en["move"] == "do sell, shares (red 2, blue 1), drop nothing, hold true"
    assert [de["term"], nl["term"]] == ["Angebot 12", "aanbod 12"]
