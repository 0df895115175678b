"""Speaking a language: catalogues are found, texts filled in, and what is missing is said in English."""

import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from referee import language
from referee.language import Catalogue, retold, speaking, spoken

from .make import spelled


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A package with a few texts in German."""
    folder = tmp_path / "spoken_here"
    (folder / "locale").mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    made = Catalog("de", charset="utf-8")
    made.add("{name} waits", "{name} wartet")
    made.add(("{n} card", "{n} cards"), ("{n} Karte", "{n} Karten"))
    made.add("open", "aufgedeckt", context="a card")
    made.add("open", "offen", context="a game")
    made.add("it is too late", "es ist zu spät")
    made.add("nobody", "niemand")
    made.add("{name} said: {why}", "von {name} kam: {why}")
    made.add("{name} said: {why} (rule {clause})", "{clause}, meinte {name}: {why}")
    (folder / "locale" / "de.mo").write_bytes(
        spelled(made, ("{name} said: {why}", "{name} said: {why} (rule {clause})"))[1]
    )
    monkeypatch.syspath_prepend(tmp_path)
    yield folder.name
    sys.modules.pop(folder.name, None)


def test_texts_in_the_language_that_is_spoken(package: str) -> None:
    t = Catalogue(package)
    assert (t("{name} waits", name="Jörg"), t.plural("{n} card", "{n} cards", 1)) == ("Jörg waits", "1 card")
    with speaking("de"):
        assert t("{name} waits", name="{n}") == "{n} wartet"
        assert [t.plural("{n} card", "{n} cards", n) for n in (0, 1, 2)] == ["0 Karten", "1 Karte", "2 Karten"]
        assert [t.sense(what, "open") for what in ("a card", "a game")] == ["aufgedeckt", "offen"]
        with speaking("nl"):
            assert t("{name} waits", name="Jörg") == "Jörg waits", "there is no Dutch catalogue"
        assert t("never {seen} before") == "never {seen} before"
    with speaking("tlh"):
        assert spoken() == "en"
    assert (spoken(), t.sense("a card", "open")) == ("en", "open")


def test_errors_are_told_again(package: str) -> None:
    """The sentences that account for most letters count; what stands in them is told again too; the rest is left."""
    Catalogue(package)
    assert retold("it is too late") == "it is too late"
    with speaking("de"):
        assert retold("it is too late") == "es ist zu spät"
        assert retold("Ann said: it is too late") == "von Ann kam: es ist zu spät"
        assert (retold("nobody"), retold("nobody said: no")) == ("niemand", "von nobody kam: no"), "somebody's name"
        assert retold("Ann said: Bob said: no (rule 7)") == "7, meinte Ann: von Bob kam: no"
        assert retold("Ann said: {0.__class__}\n") == "von Ann kam: {0.__class__}\n"
        assert retold("said: nothing") == "said: nothing"
        assert retold("Ann said: ") == "von Ann kam: ", "a value may be empty, as what is near to a misspelled word"
        assert retold("Ann said: " + "x" * 5000) == "Ann said: " + "x" * 5000
        assert retold("it is too late (SF-17)") == "es ist zu spät (SF-17)", "the clause of an illegal move"
        assert retold("round 3: Ann said: no") == "Runde 3: von Ann kam: no", "not somebody called `round 3: Ann`"
        assert (
            retold("give the move, view or receipt here")
            == "gib hier die richtige Datei an (Zug, Ansicht oder Quittung)"
        )
        assert retold("this card is not in the hand") == "this card is not in the hand", (
            "`{path} is {kind}` says too little"
        )


def test_what_stands_in_an_error_is_told_as_people_write_it() -> None:
    """Quotes, letters and times; names of fields as files have them."""
    error = "the deadline that you signed, 2027-01-05T18:00Z, is not over yet"
    language.known("referee.cli")
    for reader, told in (("de", "5.1.2027 um 18:00 UTC"), ("nl", "5-1-2027 om 18:00 UTC")):
        with speaking(reader):
            assert told in retold(error)
    for reader, told in (("de", "„größe“"), ("nl", "‘größe’")):
        with speaking(reader):
            assert retold(f"this game has no option {'größe'!a}").endswith(told)
            assert "`game`" in retold("edition cannot be read: Object missing required field `game`")
            assert retold("see `referee timeout --help`").endswith("`referee timeout --help`")
            assert "\x1b" not in retold(f"this game has no option {chr(27)!a}")


def test_no_game_speaks_for_another() -> None:
    """`left` is a way in one game; elsewhere it is what somebody did. And `'{word}': did you mean {near}?` is a
    sentence of another game."""
    for name in ("mark", "weg_zum_erfolg"):
        language.known(f"referee.games.{name}")
    text = "the move cannot be read at 'leftt': did you mean left? (LO-15)"
    told = {"de": ": meinst du links? (LO-15)", "nl": ": bedoel je links? (LO-15)"}
    for reader, end in told.items():
        with speaking(reader):
            assert retold(text).endswith(end)


def test_no_text_keeps_it_busy(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names and files can say what they like, our own sentences again and again too: within a text a bounded number of
    others is looked at, each once."""
    for one in (
        package,
        *(f"referee.{name}" for name in ("cli", "mail", "bots", "tournament", "games.weg_zum_erfolg")),
    ):
        language.known(one)
    looked: list[str] = []
    best = language._Retelling._best
    monkeypatch.setattr(
        language._Retelling, "_best", lambda self, text, within: looked.append(text) or best(self, text, within)
    )
    with speaking("de"):
        ours = ["".join(language._parts(one[1])[0]) for one in language._templates("de", tuple(language._packages))]
        for text in ("is ", "said: ", "round 1: ", "(", ", or ", "Ann said: ", ", or ?", *ours[::20]):
            looked.clear()
            assert isinstance(retold((text * 2000)[:2000]), str)
            assert len(looked) <= language._MOST, text


def test_a_list_of_nothing_is_none() -> None:
    """A catalogue calls its own head by the empty text."""
    with speaking("de"):
        assert "Content-Type" not in retold(", move or view")


def test_errors_of_a_package_that_other_tools_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody else's game: `pybabel compile` lists no texts of errors, so all with plain values are tried."""
    folder = tmp_path / "compiled_elsewhere"
    (folder / "locale").mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    made = Catalog("de", charset="utf-8")
    made.add("you do not hold {card}", "die Karte {card} hast du nicht")
    made.add("{n:4} points", "{n:4} Punkte")
    made.add("a brace { alone", "eine Klammer { allein")
    made.add(("{n} card left", "{n} cards left"), ("noch {n} Karte", "noch {n} Karten"))
    with (folder / "locale" / "de.mo").open("wb") as file:
        write_mo(file, made)
    monkeypatch.syspath_prepend(tmp_path)
    with speaking("de"):
        known = (folder.name,)
        assert retold("you do not hold 07 (HC-3)", known) == "die Karte 07 hast du nicht (HC-3)"
        assert retold("a brace { alone", known) == "eine Klammer { allein"
        assert retold("  12 points", known) == "  12 points"
    sys.modules.pop(folder.name, None)


def compiled(**translations: str) -> bytes:
    """A German catalogue, made by any tool."""
    made, file = Catalog("de", charset="utf-8"), BytesIO()
    for text in ("it is {n}", "{n} waits for {other}", "late"):
        made.add(text, translations.get(text[:2].strip("{ "), text.replace("it is", "es ist")))
    made.add(("{n} card", "{n} cards"), ("{n} Karte", translations.get("cards", "{n} Karten")))
    write_mo(file, made)
    return file.getvalue()


SPOILT = {
    "nothing": b"",
    "no catalogue": b"<html>" * 99,
    "cut off": compiled()[:-40],
    "cut off early": compiled()[:60],
    "another charset": compiled(la="sp\u00e4t").replace("\u00e4".encode(), b"\xe4\xe4"),
    "a charset that nobody knows": compiled().replace(b"utf-8", b"klng8"),
    "plural forms that are none": compiled().replace(b"(n != 1)", b"(n ?? 1)"),
    "plural forms that divide by nothing": compiled().replace(b"(n != 1)", b"(n / 0) "),
    "plural forms that divide by nothing later": compiled().replace(b"(n != 1)", b"1/(n-7) "),
    "another value": compiled(it="es ist {m}", cards="{k} Karten"),
    "a number for a value": compiled(it="es ist {0}", cards="{0} Karten"),
    "what a value consists of": compiled(it="es ist {n.real}", cards="{n.nothing} Karten"),
    "a value in a form": compiled(it="es ist {n:q}", cards="{n:q} Karten"),
    "a brace": compiled(it="es ist {", cards="{ Karten"),
}


@pytest.mark.parametrize("how", SPOILT)
def test_catalogues_that_others_spoilt(how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then they are English, and those beside them are not spoilt."""
    name = f"spoilt_{[*SPOILT].index(how)}"
    (tmp_path / name / "locale").mkdir(parents=True)
    (tmp_path / name / "__init__.py").write_text("")
    (tmp_path / name / "locale" / "de.mo").write_bytes(SPOILT[how])
    monkeypatch.syspath_prepend(tmp_path)
    t, known = Catalogue(name), (name, "referee")
    with speaking("de"):
        assert t.plural("{n} card", "{n} cards", 7) in ("7 cards", "7 Karten")
        assert (t.plural("{n} card", "{n} cards", 7), t("it is {n}", n=3)) != ("7 Karten", "es ist 3")
        assert t("it is {n}", n=3) in ("it is 3", "es ist 3")
        assert (t("late"), t.sense("a", "b")) == ("late", "b")
        assert retold("it is x", known) in ("it is x", "es ist x")
        assert retold("round 7: it is x", known).startswith("Runde 7: ")
        assert language.spoken_by(name) in ("de", "en")
    language._packages.pop(name)


def test_no_value_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a translation that does not say it, or by a sentence that says one thing twice."""
    (tmp_path / "losing" / "locale").mkdir(parents=True)
    (tmp_path / "losing" / "__init__.py").write_text("")
    (tmp_path / "losing" / "locale" / "de.mo").write_bytes(compiled(it="so ist es"))
    monkeypatch.syspath_prepend(tmp_path)
    with speaking("de"):
        assert retold("it is x", ("losing",)) == "it is x"
        twice = "look at it with `referee show {}`, answer with `referee play {}`"
        assert "`referee show a`" in retold(twice.format("a", "a")) != twice.format("a", "a")
        assert retold(twice.format("a", "b")) == twice.format("a", "b")
