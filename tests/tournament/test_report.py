"""The page: one file that asks for nothing, whatever names say, and shows the numbers of the results."""

import base64
import hashlib
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from random import Random

import msgspec
import pytest

from referee.bots.causes import cause
from referee.tournament.behaviour import Failure
from referee.tournament.outcome import Outcome
from referee.tournament.pieces import FIELD, Scale, histogram, interval, scale_of
from referee.tournament.records import Lapse
from referee.tournament.report import MOST_ROWS, page
from referee.tournament.summary import Results, summarise
from tests.tournament.games import table

NAMES = ("strong", "</td><script>alert(1)</script>", '" onclick="x', "quiet")
EMPTY = {"meta", "br", "rect", "path"}


class Reader(HTMLParser):
    """Every tag with its attributes, all text, and that everything opened is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if tag not in EMPTY:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


@pytest.fixture(scope="module")
def games() -> list[Outcome]:
    chance = Random(1)
    made = []
    for at in range(400):
        seats = [0, 1, 2, 3][at // 4 % 2 : 3 + at // 4 % 2]
        outcome = table(at, at // 4, [1.0, 0.0, 0.5, -1.0], seats, chance)
        faults = tuple("crash" if who == 1 and at % 3 == 0 else "" for who in seats)
        made.append(msgspec.structs.replace(outcome, faults=faults, game="<toy>"))
    return made


@pytest.fixture(scope="module")
def found(games: list[Outcome]) -> Results:
    return summarise(games, NAMES, name="Cup <b>", repetitions=50)


@pytest.fixture(scope="module")
def text(found: Results, games: list[Outcome]) -> str:
    lapse = Lapse(0, 3, "<crash>", (cause("given", words="it ended & <died>"),), 1, ("<i>last", "words & more"))
    return page(found, games, {1: Failure(7, lapse)})


def test_it_is_self_contained(text: str) -> None:
    read = Reader(text)
    assert read.open == []
    kinds = {tag for tag, _ in read.tags}
    assert not kinds & {"script", "link", "img", "iframe", "object", "embed", "form", "base", "image", "use"}
    for tag, attributes in read.tags:
        assert not [name for name in attributes if name.startswith("on") or name in ("style", "src")], tag
        if "href" in attributes:
            assert tag == "a"
            assert re.match(r"#|pages/\d+\.html", attributes["href"] or "")
    assert "url(" not in text
    assert "@import" not in text


def test_the_policy_allows_the_one_style_and_nothing_else(text: str) -> None:
    (style,) = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    (policy,) = [
        each["content"] for tag, each in Reader(text).tags if each.get("http-equiv") == "Content-Security-Policy"
    ]
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def test_names_and_lines_are_text(text: str) -> None:
    read = Reader(text)
    words = "".join(read.text)
    for said in (*NAMES, "Cup <b>", "<toy>", "<i>last\nwords & more", "<crash>: it ended & <died>"):
        assert said in words
    assert "<script" not in text
    assert "<toy>" not in text


def test_every_rating_and_share_of_the_results_is_there(text: str, found: Results) -> None:
    words = "".join(Reader(text).text)
    for section in (found.total, *found.games.values()):
        for row in section.ratings.rows:
            assert f"{row.elo:+.0f}".replace("-", "−") in words
        for met in section.meetings:
            assert f"{met.points / met.of:.0%}of {met.of}" in words
            assert f"{(met.of - met.points) / met.of:.0%}of {met.of}" in words
    assert "Seats are not balanced" in words  # nobody changes seats here
    assert f"The first {MOST_ROWS} games" in words
    assert f"{400 - MOST_ROWS} more games" in words
    assert "referee tournament extract DIR --pages" in words  # whoever meets a link that leads nowhere yet


def test_a_page_without_games() -> None:
    assert "No game was decided" in page(summarise([], NAMES))


def path_of(drawn: str, kind: str) -> list[list[float]]:
    return [
        [float(number) for number in re.findall(r"[\d.]+", each.get("d", ""))]
        for each in ET.fromstring(drawn).iter("path")
        if each.get("class") == kind
    ]


def test_an_interval_is_drawn_to_scale() -> None:
    drawn = interval(Scale(-100, 300, 100), 100, 0, 900, 0, "a & b")
    assert path_of(drawn, "dot") == [[FIELD / 2, 10, FIELD / 2, 10]]
    assert path_of(drawn, "fair") == [[FIELD / 4, 0, FIELD / 4, 20]]
    # From 0 to the edge, with an end at 0 only: 900 is outside.
    assert path_of(drawn, "bar") == [[FIELD / 4, 10, FIELD, 10], [FIELD / 4, 6, FIELD / 4, 14]]
    assert ET.fromstring(drawn)[0].text == "a & b"


def test_bars_are_as_high_as_they_count() -> None:
    bars = list(ET.fromstring(histogram((1, 4, 2), ("a", "b", "c"), "t")).iter("rect"))
    assert [float(bar.get("height", "")) for bar in bars] == [25, 100, 50]
    assert [float(bar.get("y", "")) for bar in bars] == [75, 0, 50]


@pytest.mark.parametrize("values", [[0.0], [5.0], [-3000.0, 20.0], [12.0, 900.0], [-1.0, -420.0]])
def test_a_scale_holds_everything_with_round_marks(values: list[float]) -> None:
    scale = scale_of(values)
    assert scale.low <= min(0, *values, 0) <= max(0, *values, 0) <= scale.high
    marks = scale.marks()
    assert 2 <= len(marks) <= 8
    assert 0 in marks
    assert (marks[0], marks[-1]) == (scale.low, scale.high)
