"""The picture as SVG: whole, inside its sheet, nothing on top of another, true, and blind to what is hidden."""

import random
import re
from collections.abc import Iterator
from itertools import combinations, islice
from typing import NamedTuple
from xml.etree import ElementTree

import msgspec
import pytest
from msgspec.structs import astuple, replace

from referee import svg
from referee.columns import columns
from referee.game import Result
from referee.games.schwarzer_freitag import GAME
from referee.games.schwarzer_freitag.board import cards_text
from referee.games.schwarzer_freitag.board_svg_players import _card_lines
from referee.games.schwarzer_freitag.types import COLOURS, Cases, Deal, Edition, Options, Player, Sight
from referee.language import LANGUAGES, speaking
from tests.support.plain import play_out

from .build import EDITION, Desk, by_bot, cases, deal

NAMES = ["Anna", "Benedikt der Lange von und zu Musterstad", "株式会社" * 5, "W" * 40, '<Eva> & "Söhne"']
LETTERS = dict(zip("YBRGO", COLOURS, strict=True))
SPACE = "{http://www.w3.org/2000/svg}"
PALETTE = {*svg.COLOURS.values(), svg.INK, svg.GROUND, svg.PAPER, svg.LINE, svg.FAINT, "none"}
FULL = ("pass", "sell", "silver", "buy")
LARGE = {
    "prices": [[700 + 8 * row + 20 * column for column in range(8)] for row in range(20)],
    "start_field": [10, 5],
    "silver_track": list(range(100, 958, 22)),
    "stages": [{"price": 840 + 5 * at if at else 0, "subsidies": 20, "limit": 10, "draw": 20} for at in range(15)],
    "cases": 60,
    "sale_strip": 5,
    "sale_black": [5, 5, 5],
    "strip_full": [10] * 4,
    "hand": 10,
    "cards": [[FULL] * 4] * 5,
    "cards_for_two": [[FULL] * 4] * 2,
}
SMALL = {
    "prices": [[1 + 4 * row + column for column in range(3)] for row in range(5)],
    "start_field": [0, 0],
    "silver_track": [1, 2],
    "stages": [{"price": at, "subsidies": 1, "limit": 1, "draw": 3} for at in range(5)],
    "sale_strip": 1,
    "sale_left": [1] * 4,
    "sale_black": [1, 1, 1],
    "strip_full": [3] * 4,
    "hand": 0,
}


class Box(NamedTuple):
    """Something drawn, and the space that it takes."""

    text: str
    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: "Box") -> bool:
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom

    def holds(self, other: "Box") -> bool:
        across = self.left <= other.left and other.right <= self.right
        return across and self.top <= other.top and other.bottom <= self.bottom


class Sheet:
    """A picture taken apart."""

    def __init__(self, view: Sight, terms: Deal, width: int = svg.WIDTH) -> None:
        self.width = width
        self.source = GAME.picture(terms, view, NAMES[: terms.seats], width) if GAME.picture else ""
        self.root = ElementTree.fromstring(self.source)
        self.size = Box("", *(float(number) for number in (self.root.get("viewBox") or "").split()))
        self.texts = [text_box(one) for one in self.root.iter(f"{SPACE}text")]
        self.rects = [
            Box("", x, y, x + wide, y + tall)
            for one in self.root.iter(f"{SPACE}rect")
            for x, y, wide, tall in [[float(one.get(name) or 0) for name in ("x", "y", "width", "height")]]
        ]
        self.told = (self.root.findtext(f"{SPACE}desc") or "").split("\n")

    def line(self, start: str, after: str = "") -> str:
        """What is written to the right of a text, the first below another."""
        begin = self.named(after).bottom if after else 0.0
        first = next(one for one in self.texts if one.text == start and one.top > begin)
        right = Box("", first.right, first.top, svg.WIDTH, first.bottom)
        beside = [one for one in self.texts if one.left > first.right and one.meets(right)]
        return " ".join(one.text for one in sorted(beside, key=lambda one: one.left))

    def named(self, text: str) -> Box:
        return next(one for one in self.texts if one.text == text)


def text_box(one: ElementTree.Element) -> Box:
    text, size = one.text or "", float(one.get("font-size") or 0)
    assert size >= 13
    # 0.62 is what letters take on average; W and Chinese signs take more, and a name may have nothing else.
    wide = size * sum(1.1 if sign == "W" or columns(sign) > 1 else 0.62 for sign in text)
    x, y = float(one.get("x") or 0), float(one.get("y") or 0)
    left = x - {"start": 0.0, "middle": wide / 2, "end": wide}[one.get("text-anchor") or "start"]
    return Box(text, left, y - 0.75 * size, left + wide, y)


def assert_form(sheet: Sheet) -> None:
    """Well-formed, as wide as wanted, small, in known colours; all text inside, and none on top of another."""
    assert (sheet.root.get("width"), sheet.size.bottom) == (str(sheet.width), float(sheet.root.get("height") or 0))
    assert len(sheet.source.encode()) < 100_000
    assert len("\n".join(sheet.told)) <= 4000
    for part in sheet.root.iter():
        for colour in filter(None, (part.get("fill"), part.get("stroke"))):
            assert colour in PALETTE or re.fullmatch(r"#(..)\1\1", colour), colour
    whole = Box("", 0, 0, sheet.size.right, sheet.size.bottom)
    for one in (*sheet.texts, *sheet.rects):
        assert whole.holds(one), one
    for one, other in combinations(sorted(sheet.texts, key=lambda one: one.top), 2):
        assert other.top > one.bottom or not one.meets(other), (one, other)


def faces(strip: Cases) -> str:
    return "".join(letter * number for letter, number in zip(LETTERS, astuple(strip), strict=True))


def assert_facts(sheet: Sheet, view: Sight, terms: Deal) -> None:
    """What is drawn is what the position says."""
    public, prices = view.public, terms.edition.prices
    assert markers(sheet, terms) == {
        colour: (prices[row][column], column) for colour, (row, column) in zip(COLOURS, public.prices, strict=True)
    }
    for colour, (row, column) in zip(COLOURS, public.prices, strict=True):
        assert sheet.line(colour) == f"{prices[row][column]} {getattr(public.market, colour)}"
    strips = {"Purchase": public.purchase, "Silver": public.silver_strip}
    for name, strip in strips.items():
        left = EDITION.strip_full[terms.seats - 2] - len(faces(strip))
        assert sheet.line(name).replace(" ", "") == f"{faces(strip)}{left}more:pricechange"
    for at, strip in enumerate(public.sale):
        shown = sheet.line(f"Sale {at + 1}").replace(" ", "")
        assert shown.split("•")[0].startswith(faces(strip) or "cleared" if at != public.strip else faces(strip))
        assert shown.count("•") == public.sale_black[at]
        assert shown.endswith("more:pricechange") == (at == public.strip)
    stage = terms.edition.stages[public.stage]
    facts = {
        "trade up to": stage.limit,
        "subsidies up to": stage.subsidies,
        "cases drawn": stage.draw,
        "cases": public.bag,
        "of them black": public.bag_black,
        "in the supply": public.supply_black,
        "on the stages": public.stage_black,
    }
    if public.stage + 1 < len(terms.edition.stages):
        facts["next at price"] = terms.edition.stages[public.stage + 1].price
    assert {name: sheet.line(name) for name in facts} == {name: str(number) for name, number in facts.items()}


def assert_players(sheet: Sheet, view: Sight, terms: Deal) -> None:
    """Every card has its player's numbers under their heads, the open shares, and only the reader's own the hidden
    ones."""
    ranks = view.result.ranks if view.result else (0,) * terms.seats
    cards = [one for one in sheet.rects if one.left == 16 and one.top > sheet.named("Players").top]
    limit = terms.edition.stages[view.public.stage].subsidies
    for seat, card in zip(sorted(range(terms.seats), key=ranks.__getitem__), cards, strict=True):
        player = view.public.players[seat]
        inside = sorted((one for one in sheet.texts if card.holds(one)), key=lambda one: (one.bottom, one.left))
        ends = [sheet.named(head).right for head in ("gold", "silver", "money", "subsidies", "debt")]
        numbers = [next(one.text for one in inside if abs(one.right - end) < 0.01) for end in ends]
        facts = (player.gold, player.silver, player.money, f"{player.subsidies}/{limit}", player.debt or "-")
        assert numbers == [str(fact) for fact in facts]
        words = " ".join(one.text for one in inside)
        hidden = Cases(**{colour: view.hand("hand").count(colour) for colour in COLOURS})
        shares = [*amounts(player.known), *([("?", player.unknown)] if player.unknown else [])]
        shares += amounts(hidden) if seat == view.seat and view.result is None else []
        found = re.findall(r"(?<!\S)([YBRGO?]) (\d+)(?!\S)", words)
        assert [(letter, int(number)) for letter, number in found] == shares
        assert len(re.findall(r"PASS|SELL\+1|SILVER\+1|BUY\+1", words)) == sum(map(len, player.cards))


def amounts(shares: Cases) -> list[tuple[str, int]]:
    return [(letter, number) for letter, number in zip(LETTERS, astuple(shares), strict=True) if number]


def markers(sheet: Sheet, terms: Deal) -> dict[str, tuple[int, int]]:
    """The price that each marker stands on, and its column, read off the drawing."""
    found: dict[str, tuple[int, int]] = {}
    discs = [disc for disc in sheet.root.iter(f"{SPACE}circle") if float(disc.get("r") or 0) > svg.SPOT]
    for disc in discs:
        x, y = float(disc.get("cx") or 0), float(disc.get("cy") or 0)
        point = Box("", x, y, x, y)
        field = min((one for one in sheet.rects if one.holds(point)), key=lambda one: one.bottom - one.top)
        inside = [one for one in sheet.texts if field.left < one.right <= field.right and field.meets(one)]
        letter = next(one.text for one in inside if one.holds(point))
        (value,) = [int(one.text) for one in inside if one.text.isdigit()]
        found[LETTERS[letter]] = (value, round((field.left - 16) / (field.right - field.left)))
    assert len(discs) == len(found)
    return found


def assert_told(sheet: Sheet, view: Sight, terms: Deal) -> None:
    """The words name every player and every figure."""
    public, names, told = view.public, NAMES[: terms.seats], "\n".join(sheet.told)
    assert all(line.endswith(".") for line in sheet.told)
    for colour, (row, column) in zip(COLOURS, public.prices, strict=True):
        costs = f"{colour.capitalize()} costs {terms.edition.prices[row][column]} (row {row + 1}, column {column + 1})"
        assert f"{costs}; the market has {getattr(public.market, colour)}." in sheet.told
    assert f"A silver bar costs {terms.edition.silver_track[public.silver]}, field {public.silver + 1} of " in told
    assert f"Cases in the bag: {public.bag}, {public.bag_black} of them black." in sheet.told
    assert f"Black cases in the supply: {public.supply_black}, on the stages: {public.stage_black}." in sheet.told
    opens = [f"The next stage opens at a price of {one.price}." for one in terms.edition.stages[public.stage + 1 :]]
    assert [line for line in sheet.told if line.startswith("The next stage")] == opens[:1]
    limit = terms.edition.stages[public.stage].subsidies
    for name, player in zip(names, public.players, strict=True):
        bars = f"{player.gold} gold, {player.silver} silver, {player.money} money"
        debt = f" and a debt of {player.debt}." if player.debt else "."
        assert f"{name} has {bars}, {player.subsidies} of {limit} subsidies{debt}" in told
        assert f"Open shares of {name}: {listed(player.known)}; hidden ones: {player.unknown}." in told
    if view.result is None:
        hidden = Cases(**{colour: view.hand("hand").count(colour) for colour in COLOURS})
        assert f"Your hidden shares are {listed(hidden)}." in sheet.told
        assert f"{names[public.turn]} is to move." in told or view.pending[0].what != "turn"
    else:
        assert [line for line in sheet.told if line.endswith((" wins.", " shares the first place."))]


def listed(shares: Cases) -> str:
    some = [f"{number} {colour}" for colour, number in zip(COLOURS, astuple(shares), strict=True) if number]
    return ", ".join(some) or "nothing"


@pytest.mark.parametrize("cards", [True, False], ids=["cards", "plain"])
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_whole_games(seats: int, cards: bool) -> None:
    terms, last = deal(seats, cards), None
    for at, last in enumerate(play_out(GAME, terms, by_bot, random.Random(f"{seats} {cards}"))):
        if at % 8 == 0 or last.step.result is not None:
            view = last.seen(at % seats)
            sheet = Sheet(view, terms)
            assert_form(sheet)
            assert_form(Sheet(view, terms, svg.NARROW))
            assert_facts(sheet, view, terms)
            assert_players(sheet, view, terms)
            assert_told(sheet, view, terms)
    assert last is not None
    assert last.step.result is not None


@pytest.mark.parametrize("seats", [2, 5])
@pytest.mark.parametrize("change", [LARGE, SMALL], ids=["large", "small"])
def test_other_editions(change: dict[str, object], seats: int) -> None:
    terms = Deal(seats, Options(), msgspec.convert(msgspec.to_builtins(EDITION) | change, Edition))
    GAME.validate(terms)
    views = [moment.seen(0) for moment in islice(play_out(GAME, terms, by_bot, random.Random(seats)), 0, 80, 16)]
    for view in views:
        sheet = Sheet(view, terms)
        assert_form(sheet)
        assert_form(Sheet(view, terms, svg.NARROW))
        assert_players(sheet, view, terms)
        assert_told(sheet, view, terms)
        assert markers(sheet, terms).keys() == set(COLOURS)


def test_long_numbers_have_room() -> None:
    desk = Desk(5).public(counter=20_000, price_changes=1000)
    for seat in range(5):
        desk.player(seat, money=22_000_000, gold=22_000_000, silver=19, debt=99_999, subsidies=20)
        desk.hold(seat, Cases(60, 60, 60, 60, 60), Cases(4, 4, 4, 4, 4))
    for seat in range(5):
        sheet = Sheet(desk.view(seat), desk.terms)
        assert_form(sheet)
        assert_form(Sheet(desk.view(seat), desk.terms, svg.NARROW))
        assert_players(sheet, desk.view(seat), desk.terms)


def worlds() -> Iterator[tuple[Sight, Sight]]:
    """What seat 0 sees, and what seat 1 sees, where seat 1 holds one thing or another."""
    for hidden in (Cases(red=2, blue=1), Cases(green=3)):
        desk = Desk(3).hold(0, Cases(red=1), Cases(yellow=2)).hold(1, Cases(orange=1), hidden)
        yield desk.view(0), desk.view(1)


def test_hidden_shares_are_drawn_for_their_owner_only() -> None:
    (one, first), (other, second) = worlds()
    terms = deal(3)
    assert Sheet(one, terms).source == Sheet(other, terms).source
    assert Sheet(first, terms).source != Sheet(second, terms).source
    assert Sheet(one, terms).line("Y", after="Players") == "2 hidden, only you know"
    assert "Your hidden shares are 1 blue, 2 red." in Sheet(first, terms).told
    assert "Your hidden shares are 3 green." in Sheet(second, terms).told


def test_a_player_has_everything_in_two_lines() -> None:
    desk = Desk(3).prices(red=19, blue=32).hold(0, Cases(red=1), Cases(red=1, blue=1)).player(0, money=15)
    desk.player(1, money=7, gold=2, silver=3, subsidies=1, debt=4).hold(1, Cases(green=2), Cases(red=3))
    sheet = Sheet(desk.view(0), desk.terms)
    assert_form(sheet)
    assert_form(Sheet(desk.view(0), desk.terms, svg.NARROW))
    assert sheet.line("►", after="Players") == "Anna you 0 0 15 0/2 -"
    (name,) = [one.text for one in sheet.texts if one.text.startswith("Benedikt")]
    assert sheet.line(name) == "2 3 7 1/2 4"
    assert sheet.line("G", after=name) == "2 ? 3 PASS"
    assert f"Open shares of {NAMES[1]}: 2 green; hidden ones: 3. Special cards: PASS." in sheet.told
    assert "shares worth 70, with money 85: 4 bars at 20" in [one.text for one in sheet.texts], "2 x 19 + 32, and 15"


def test_SF_27_how_far_the_next_price_change_is() -> None:
    desk = Desk(5).public(purchase=cases("red", "red", "blue"), silver_strip=cases(*COLOURS))
    desk.public(strip=1, sale=(Cases(), Cases(green=5), Cases(red=2)), sale_black=(0, 2, 1))
    sheet = Sheet(desk.view(), desk.terms)
    assert sheet.line("Purchase") == "B R R 3 more: price change"
    assert sheet.line("Silver") == "Y B R G O 1 more: price change"
    assert sheet.line("Sale 1") == "cleared"
    assert sheet.line("Sale 2") == "G G G G G • • 1 more: price change"
    assert sheet.line("Sale 3") == "R R •"
    assert "The purchase strip holds 1 blue, 2 red; 3 more cases trigger a price change." in sheet.told
    silver = "The silver strip holds 1 yellow, 1 blue, 1 red, 1 green, 1 orange"
    assert f"{silver}; 1 more case triggers a price change." in sheet.told


def test_whose_turn_it_is_and_how_it_ended() -> None:
    desk = Desk(3).player(0, debt=3)
    mine, theirs = (Sheet(desk.view(seat), desk.terms) for seat in (0, 1))
    assert mine.line("►") == "Anna is to move your turn"
    assert theirs.line("►") == "Anna is to move"
    assert "A debt of 3 must be settled (SF-29)." in mine.told
    over = replace(desk.view(1), pending=())
    assert "The game is over." in Sheet(over, desk.terms).told
    shared = replace(over, result=Result((2, 1, 1), ((1, 0, 0), (2, 0, 0), (2, 0, 0))))
    sheet = Sheet(shared, desk.terms)
    assert_form(sheet)
    assert_form(Sheet(shared, desk.terms, svg.NARROW))
    assert f"{NAMES[1]} shares the first place." in sheet.told
    assert [line[-8:] for line in sheet.told if " gold, " in line] == ["Place 2.", "Place 1.", "Place 1."]
    ranks = [one.text for one in sorted(sheet.texts, key=lambda one: one.top) if re.fullmatch(r"\d\.", one.text)]
    assert ranks == ["1.", "1.", "2."]


def test_the_silver_price_stands_out_on_its_track() -> None:
    desk = Desk(4).public(silver=9, counter=7)
    sheet = Sheet(desk.view(), desk.terms)
    light = [one.text or "" for one in sheet.root.iter(f"{SPACE}text") if one.get("fill") == svg.PAPER]
    assert [text for text in light if text.isdigit()] == ["38"], "the tenth field of SF-3"
    texts = [one.text for one in sheet.texts]
    assert "bought since the last price change: 7, good for 2 steps" in texts, "3 bars are a step"
    assert [text for text in texts if text.isdigit()].count("100") == 2, "once on the track, once on the table"


@pytest.mark.parametrize("language", LANGUAGES)
def test_SF_13_a_card_of_any_length_is_written_once_and_whole(language: str) -> None:
    """On as many lines as it needs: in German a card of four uses is broken behind a stroke."""
    with speaking(language):
        for held in ((FULL,), (("pass",), FULL), (("pass", "sell"), ("silver",), ("buy", "sell")), (FULL[:3],) * 2):
            lines = _card_lines(Player(cards=held))
            whole = "".join(cards_text(Player(cards=(card,))) for card in held)
            assert "".join(lines).replace(" ", "") == whole
            assert all(len(line) < 30 for line in lines)
        lines = _card_lines(Player(cards=(FULL,)))
        assert len(lines) == 1 + (language != "en")
        assert all(line.endswith("/") for line in lines[:-1])
