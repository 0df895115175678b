"""A tournament's report in German and Dutch: the same numbers, and not an English word; it knows no reader."""

import re
from html import unescape
from random import Random

import msgspec
import pytest

from referee.bots.causes import Cause, cause
from referee.errors import Usage
from referee.language import LANGUAGES, localised_number, speaking
from referee.tournament.behaviour import Failure
from referee.tournament.records import Lapse
from referee.tournament.report import page
from referee.tournament.results import report_name
from referee.tournament.schedule import tables
from referee.tournament.summary import Results, Ruling, summarise
from tests.tournament.games import table

from .left_over import english_in
from .make import TARGETS

BOTS = ("strong", "middle", "weak", "quiet")
KINDS = ("illegal", "timeout", "crash", "nonsense", "untidy")
WORDS = "Traceback: these are the words of the bot, and they stay"
WHY = cause("status", status=1), cause("left-processes", processes=2)
FORBIDDEN = Cause("no-double", {}, "mark", "MK-7")
FAILURES = {
    1: Failure(1_234, Lapse(0, 3, "crash", WHY, 1, (WORDS,))),
    2: Failure(2, Lapse(0, 4, "illegal", (FORBIDDEN,), 1)),
}


@pytest.fixture(scope="module")
def results() -> Results:
    chance, made = Random(1), []
    for at in range(400):
        seats = [0, 1, 2, 3][at // 4 % 2 : 3 + at // 4 % 2]
        outcome = table(at, at // 4, [1.0, 0.0, 0.5, -1.0], seats, chance)
        faults = tuple(KINDS[at % 5] if who in FAILURES else "" for who in seats)
        made.append(msgspec.structs.replace(outcome, faults=faults))
    rulings = [Ruling(4, (1, 2, 3), "So sei es"), Ruling(5, (), "So sei es")]
    return summarise(made, BOTS, name="Pokal", repetitions=50, withdrawn=["gone"], rulings=rulings, unconfined=True)


def shown(results: Results, language: str) -> str:
    """What a reader sees, and what is told when something is pointed at; without the names of bots."""
    with speaking(language):
        text = re.sub(r"<style>.*?</style>", "", page(results, failures=FAILURES), flags=re.DOTALL)
    said = re.sub(r"<pre[^>]*>.*?</pre>|<code>.*?</code>|<[^>]*>", " ", text, flags=re.DOTALL)
    told = " ".join(re.findall(r'title="([^"]*)"', text)) + said
    return re.sub("|".join((*BOTS, "gone", "toy")), " ", unescape(told))


@pytest.mark.parametrize("language", TARGETS)
def test_a_report_has_no_english_in_it(results: Results, language: str) -> None:
    told = shown(results, language)
    assert english_in(told, language) == []
    assert english_in(shown(results, "en"), language), "nothing is looked for"
    numbers = [sorted(re.findall(r"\d+", text)) for text in (told, shown(results, "en"))]
    assert numbers[0] == numbers[1]


@pytest.mark.parametrize("language", TARGETS)
def test_a_bot_is_quoted_and_what_it_did_is_reported(results: Results, language: str) -> None:
    with speaking(language):
        text = unescape(page(results, failures=FAILURES))
    told = {
        "de": ("Spiel 1.234, Runde 3, abgestürzt: er endete mit Status 1",
               "am Ende liefen noch andere Prozesse von ihm (2)",
               "Die letzten Zeilen davor:", "Spiel 2, Runde 4, nicht erlaubt: "),
        "nl": ("gecrasht: hij eindigde met status 1; aan het eind liepen er nog andere processen van hem (2)",
               "De laatste regels ervoor:", "Spel 2, ronde 4, niet toegestaan: "),
    }[language]  # fmt: skip
    assert [sentence for sentence in told if sentence not in text] == []
    assert f'<pre lang="" dir="auto" translate="no">{WORDS}</pre>' in text
    assert str(FORBIDDEN) not in text


def test_numbers_are_written_as_in_the_language() -> None:
    told = {language: [] for language in LANGUAGES}  # type: dict[str, list[str]]
    for language, said in told.items():
        with speaking(language):
            said += map(localised_number, ("1,234.5", "12.5%", "+17"))
    assert told == {
        "en": ["1,234.5", "12.5%", "+17"],
        "de": ["1.234,5", "12,5\N{NO-BREAK SPACE}%", "+17"],
        "nl": ["1.234,5", "12,5%", "+17"],
    }
    with pytest.raises(Usage) as caught:
        tables(range(99), 5)
    with speaking("de"):
        assert str(caught.value).endswith("mehr als 20.000 Tische")


def test_every_language_has_a_file_of_its_own(results: Results) -> None:
    assert sorted(map(report_name, LANGUAGES)) == ["report.de.html", "report.html", "report.nl.html"]
    for language in LANGUAGES:
        with speaking(language):
            assert f'<html lang="{language}">' in page(results)
