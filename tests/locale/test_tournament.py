"""A tournament's report in German and Dutch: the same numbers, and not an English word; it knows no reader."""

import re
from html import unescape
from random import Random

import msgspec
import pytest

from referee.language import LANGUAGES, speaking
from referee.tournament.report import page
from referee.tournament.results import report_name
from referee.tournament.summary import Results, Ruling, summarise
from tests.tournament.games import table

from .left_over import english_in
from .make import TARGETS

BOTS = ("strong", "middle", "weak", "quiet")


@pytest.fixture(scope="module")
def results() -> Results:
    chance, made = Random(1), []
    for at in range(400):
        seats = [0, 1, 2, 3][at // 4 % 2 : 3 + at // 4 % 2]
        outcome = table(at, at // 4, [1.0, 0.0, 0.5, -1.0], seats, chance)
        made.append(msgspec.structs.replace(outcome, faults=tuple("crash" if who == 1 else "" for who in seats)))
    rulings = [Ruling(4, (1, 2, 3), "So sei es"), Ruling(5, (), "So sei es")]
    return summarise(made, BOTS, name="Pokal", repetitions=50, withdrawn=["gone"], rulings=rulings)


def shown(results: Results, language: str) -> str:
    """What a reader sees, and what is told when something is pointed at; without the names of bots."""
    with speaking(language):
        text = re.sub(r"<style>.*?</style>", "", page(results, lines={1: ["..."]}), flags=re.DOTALL)
    told = " ".join(re.findall(r'title="([^"]*)"', text)) + re.sub(r"<code>.*?</code>|<[^>]*>", " ", text)
    return re.sub("|".join((*BOTS, "gone", "crash", "toy")), " ", unescape(told))


@pytest.mark.parametrize("language", TARGETS)
def test_a_report_has_no_english_in_it(results: Results, language: str) -> None:
    told = shown(results, language)
    assert english_in(told, language) == []
    assert english_in(shown(results, "en"), language), "nothing is looked for"
    numbers = [sorted(re.findall(r"\d+", text)) for text in (told, shown(results, "en"))]
    assert numbers[0] == numbers[1]


def test_every_language_has_a_file_of_its_own(results: Results) -> None:
    assert sorted(map(report_name, LANGUAGES)) == ["report.de.html", "report.html", "report.nl.html"]
    for language in LANGUAGES:
        with speaking(language):
            assert f'<html lang="{language}">' in page(results)
