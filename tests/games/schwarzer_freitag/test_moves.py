"""Moves as text, and the list of legal moves."""

import random
import re
from functools import cache
from pathlib import Path

import msgspec
import pytest

from referee.errors import IllegalMove
from referee.forms import Choice
from referee.games.schwarzer_freitag import GAME, rules
from referee.games.schwarzer_freitag.types import (
    Buy,
    Cases,
    Deal,
    More,
    Move,
    Pass,
    Place,
    Sell,
    Sight,
    Silver,
)
from referee.games.schwarzer_freitag.words import text
from referee.games.schwarzer_freitag.words_legal import legal
from tests.support.often import often
from tests.support.plain import play_out
from tests.support.typing import parsing

from .build import Desk, by_bot, cases, deal

parse = parsing("schwarzer-freitag")
RULES = Path(rules.__file__).with_name("RULES.md").read_text("utf-8")


@cache
def decisions(seats: int) -> list[tuple[Deal, Sight, Move]]:
    """Every decision of some random games, with the move that was made."""
    terms, made = deal(seats), []
    for seed in range(often(2)):
        view = None
        for moment in play_out(GAME, terms, by_bot, random.Random(f"{seats}/{seed}")):
            if view is not None:
                made.append((terms, view, moment.answers[view.seat]))
            view = moment.seen(moment.step.pending[0].seat) if moment.step.pending else None
    return made


@pytest.mark.thorough
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_every_move_survives_its_text_form(seats: int) -> None:
    seen_kinds = set()
    for terms, view, move in decisions(seats):
        assert parse(terms, view, text(move)) == move
        assert parse(terms, view, f"  {text(move).upper().replace(', ', ' ,')}, ") == move
        seen_kinds |= {type(move).__name__, *(["hold"] if getattr(move, "hold", False) else [])}
        around = (*getattr(move, "before", ()), *getattr(move, "after", ()))
        seen_kinds |= {"card"} if any(isinstance(extra, str) for extra in around) else set()
    assert seen_kinds >= {"Buy", "Sell", "Silver", "Pass", "More", "hold", "card"}
    assert ("Place" in seen_kinds) == (seats == 2)


@pytest.mark.thorough
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_single_moves_of_the_list_can_be_typed_back(seats: int) -> None:
    for terms, view, _ in decisions(seats):
        singles = [choice for choice in legal(terms, view) if not choice.parts]
        assert [choice.text for choice in singles] == [text(choice.move) for choice in singles]
        assert [choice.move for choice in singles] == [parse(terms, view, choice.text) for choice in singles]


TYPED = {
    "buy red red blue, mark red": Buy(Cases(red=2, blue=1), "red"),
    "buy 2 red 1 blue, mark red": Buy(Cases(red=2, blue=1), "red"),
    "buy 2red blue mark ROT": Buy(Cases(red=2, blue=1), "red"),
    "buy red": Buy(Cases(red=1), "red"),
    "sell red blue, drop blue, mark red": Sell(Cases(red=1, blue=1), "blue", "red"),
    "sell gelb": Sell(Cases(yellow=1), "yellow", "yellow"),
    "silver 2, mark green": Silver(2, "green"),
    "pass green": Pass("green"),
    "pass, mark grün": Pass("green"),
    "PASS gru\u0308n": Pass("green"),
    "pass gruen": Pass("green"),
    "place blau": Place("blue"),
    "subsidy 2": More((2,)),
    "subsidy 1, subsidies 1": More((2,)),
    "subsidy 1, hold": More((1,)),
    "card orange": More(("orange",)),
    "end": More(),
    "subsidy 1, buy red, mark red, subsidy 1": Buy(Cases(red=1), "red", before=(1,), after=(1,)),
    "card red, subsidy 1, pass green, card blue, hold": Pass("green", before=("red", 1), after=("blue",), hold=True),
    "pass green, card red, take two subsidies": Pass("green", after=("red", 2)),
    "take 1 subsidy, then buy a red share and 2 blue shares, mark blue": Buy(Cases(red=1, blue=2), "blue", before=(1,)),
    "2 subsidies": More((2,)),
    "silver 2, mark red, 1 subsidy": Silver(2, "red", after=(1,)),
    "buy 2 silver bars mark red": Silver(2, "red"),
    "buy r r b, mark r": Buy(Cases(red=2, blue=1), "red"),
    "sell 2 greens": Sell(Cases(green=2), "green", "green"),
    "use the pass card on red": More(("red",)),
    "pass blue, pass card red": Pass("blue", after=("red",)),
    "1 subsidy take, 2 red 1 blue buy, then blue mark": Buy(Cases(red=2, blue=1), "blue", before=(1,)),
    "2 red 1 blue sell. The price of red: drop. Take a blue case from the strip.": Sell(
        Cases(red=2, blue=1), "red", "blue"
    ),
    "2 silver bars buy, place a red case on the strip": Silver(2, "red"),
    "pass and red on the strip": Pass("red"),
    "pass, red on the strip": Pass("red"),
}


@pytest.mark.parametrize("typed", TYPED)
def test_SF_16_what_people_type(typed: str) -> None:
    desk = Desk(4)
    assert parse(desk.terms, desk.view(), typed) == TYPED[typed]


def test_SF_17_the_mark_is_filled_in_when_only_one_colour_is_possible() -> None:
    desk = Desk(4).public(market=Cases(red=2, blue=1))
    for typed, mark in {
        "buy red": "red",
        "buy 2 red": "blue",
        "buy blue red": "red",
        "card red, buy red": "blue",
    }.items():
        move = parse(desk.terms, desk.view(), typed)
        assert isinstance(move, Buy)
        assert move.mark == mark
    assert parse(desk.terms, desk.view(), "buy 2 red blue") == Buy(Cases(red=2, blue=1), None)
    desk.public(market=Cases())
    assert parse(desk.terms, desk.view(), "pass") == Pass(None)


def test_SF_18_a_sale_is_filled_in_from_the_strip() -> None:
    desk = Desk(4).public(sale=(Cases(blue=1), Cases(), Cases()))
    assert parse(desk.terms, desk.view(), "sell 2 red") == Sell(Cases(red=2), "red", "blue")
    desk.public(sale=(Cases(), Cases(), Cases()))
    assert parse(desk.terms, desk.view(), "sell red") == Sell(Cases(red=1), "red", None)


UNCLEAR = {
    "": "empty",
    " , ,": "empty",
    "hello": "'hello'",
    "buy": "the shares to buy cannot be read",
    "buy 2": "the shares to buy cannot be read",
    "buy 0 red": "the shares to buy cannot be read",
    "buy 1000 red": "the shares to buy cannot be read",
    "buy red blue": "add `mark blue` or `mark red`",
    "sell red blue, mark red": "add `drop blue` or `drop red`",
    "pass": "add `mark yellow`, `mark blue`, `mark red`, `mark green` or `mark orange`",
    "pass red, mark blue": "mark is given twice",
    "2 silver 2, mark red": "cannot be read at '2'",
    "buy gren, mark green": "'gren' is unknown, did you mean green?",
    "sel red": "'sel' is unknown, did you mean sell?",
    "2 subsidys": "did you mean subsid",
    "2": "cannot be read at '2'",
    "1 subsidy, card red, 2 subsidies, pass green": "subsidies stand before and after the PASS card",
    "buy red, drop red": "drop does not belong to buy",
    "buy red, sell blue": "one action",
    "mark red": "no action",
    "hold": "no action",
    "card red, pass red, card": "card needs one colour",
    "card red, card blue, pass red": "twice",
    "hold, pass red": "hold cannot stand there",
    "place": "place needs one colour",
    "place red, end": "place cannot stand there",
    "buy \u0662 red": "cannot be read as a move",
    "red, buy blue": "cannot be read at 'red'",
    "pass red; rm -rf": "'rm' is unknown",
}


@pytest.mark.parametrize("typed", UNCLEAR)
def test_SF_16_what_means_nothing_is_refused_with_a_hint(typed: str) -> None:
    desk = Desk(4)
    with pytest.raises(IllegalMove) as caught:
        parse(desk.terms, desk.view(), typed)
    assert caught.value.clause == "SF-16"
    assert UNCLEAR[typed] in f"{caught.value.message}: {caught.value.next}"


@pytest.mark.parametrize("typed", ["\x1b[31mred", "buy \x07", "\u202egreen", "a" * 300, "buy red\x00", "пасс red"])
def test_errors_never_echo_a_strangers_signs(typed: str) -> None:
    desk = Desk(4)
    with pytest.raises(IllegalMove) as caught:
        parse(desk.terms, desk.view(), typed)
    told = f"{caught.value.message} {caught.value.next}"
    assert told.isprintable()
    assert "a" * 21 not in told


def lines(desk: Desk) -> dict[str, Choice]:
    """What people are shown first."""
    return {choice.text: choice for choice in legal(desk.terms, desk.view()) if not choice.minor}


def test_the_list_tells_costs_and_what_a_move_sets_off() -> None:
    desk = Desk(4).public(silver_strip=cases("red", "red", "blue", "green"), market=Cases(red=2, blue=1))
    desk.hold(0, Cases(green=1)).player(0, money=7)
    listed = lines(desk)
    assert listed["pass red"].note == "red rises; fills the silver strip: price change"
    assert listed["pass blue"].note == "blue rises; fills the silver strip: price change"
    buy = listed["buy one of: blue x1 (7), red x2 (7 each); mark a bought colour"]
    assert (buy.move, buy.note) == (Buy(Cases(blue=1), "red"), "you can spend up to 47, subsidies included")
    silver = listed["1 to 2 subsidies, then silver 1; mark a colour of the market"]
    assert silver.move == Silver(1, "blue", before=(1,))
    assert silver.note.startswith("20 each; ")
    sale = "sell one of: green x1 (7); drop a sold colour; mark one on the sale strip"
    assert (listed[sale].move, listed[sale].note) == (Sell(Cases(green=1), "green", "green"), "brings up to 7")
    assert "1 to 2 subsidies" in listed
    desk.public(sale=(Cases(red=3, blue=3), Cases(), Cases()))
    assert lines(desk)[sale].note == "brings up to 7; price change"


@pytest.mark.parametrize(("price", "cheapest"), [(6, "red"), (8, "blue")])
def test_the_example_of_a_purchase_is_the_cheapest_case(price: int, cheapest: str) -> None:
    desk = Desk(4).public(market=Cases(red=2, blue=2)).prices(red=price, blue=7).player(0, money=30)
    (bought,) = [choice.move for choice in lines(desk).values() if isinstance(choice.move, Buy)]
    assert bought.shares == Cases(**{cheapest: 1})


def test_SF_22_cards_widen_the_limit() -> None:
    desk = Desk(2).hold(0, Cases(green=3)).player(0, money=20)
    listed = lines(desk)
    assert any(words.startswith("sell up to 2 of: green x3 (7 each)") for words in listed)
    assert any(words.startswith("buy up to 2 of: yellow x8 (7 each)") for words in listed)
    card = "card; mark a colour of the market"
    assert card not in listed
    desk.player(0, cards=(("pass",),))
    assert (lines(desk)[card].move, lines(desk)[card].note) == (More(("yellow",)), "")
    desk.public(silver_strip=cases("red", "blue", "green", "orange"))
    assert lines(desk)[card].note == "fills the silver strip: price change"


def test_SF_29_a_debtor_is_shown_what_is_demanded() -> None:
    desk = Desk(4).hold(0, Cases(red=1, blue=2)).prices(blue=5).player(0, money=1, debt=8, subsidies=1)
    listed = lines(desk)
    assert listed["pass red"].note == "1 subsidy for the debt follows"
    assert any(words.startswith("1 subsidy, then buy one of") for words in listed)
    desk.player(0, subsidies=2)
    (sale,) = lines(desk).values()
    assert (sale.move, sale.note) == (Sell(Cases(red=1), "red", "red"), "brings 7"), "the others do not cover the debt"
    desk.player(0, debt=30)
    (sale,) = lines(desk).values()
    assert sale.note == "brings up to 7", "no sale is enough, so any will do"
    desk.hold(0)
    assert "pass red" in lines(desk), "neither room nor shares: free to play"


def test_SF_16_a_turn_kept_open_lists_what_is_left() -> None:
    desk = Desk(4)
    desk.do(Pass("red", hold=True))
    listed = lines(desk)
    assert set(listed) == {"end", "1 to 2 subsidies"}
    assert listed["end"].move == More()
    assert parse(desk.terms, desk.view(), "1 subsidy, hold") == More((1,), hold=True)
    assert text(More((1,), hold=True)) == "1 subsidy, hold"


def test_nobody_else_is_shown_moves() -> None:
    desk = Desk(4)
    assert legal(desk.terms, desk.view(1)) == ()


def test_the_rules_hold_every_clause_once_with_its_marks() -> None:
    found = re.findall(r"^\*\*SF-(\d+)\*\* \S", RULES, re.MULTILINE)
    assert [int(number) for number in found] == list(range(1, 46))
    assert RULES.count("**SF-") == 45
    assert {mark[0] for mark in re.findall(r"\[([A-Z](?:: [^]]+)?)\]", RULES)} == set("SDFR")
    assert all(f"| {mark} |" in RULES for mark in "SDFR")


def test_the_tables_of_the_rules_are_those_of_the_edition() -> None:
    edition = deal().edition
    rows = [
        [int(cell) for cell in re.findall(r"\d+", line)] for line in RULES.splitlines() if re.match(r"\| \d+ \|", line)
    ]
    assert {row: tuple(prices) for row, *prices in rows if len(prices) == 7} == dict(enumerate(edition.prices, 1))
    assert " ".join(map(str, edition.silver_track)) in " ".join(RULES.split())
    for words, field in {"subsidies": "subsidies", "units an action": "limit", "cases drawn": "draw"}.items():
        assert f"| {words} | {' | '.join(str(getattr(card, field)) for card in edition.stages)} |" in RULES
    assert f"from | - | {' | '.join(str(card.price) for card in edition.stages[1:])} |" in RULES


def test_the_examples_of_the_rules_mean_the_same_in_both_forms() -> None:
    examples = re.findall(r"^\| `([^`]+)` \| `(\{[^`]+\})` \|$", RULES, re.MULTILINE)
    assert len(examples) == 9
    desk, held = Desk(4), Desk(4)
    held.do(Pass("red", hold=True))
    for typed, json in examples:
        move = msgspec.json.decode(json, type=Move)
        view = held.view() if isinstance(move, More) and move.hold else desk.view()
        assert parse(desk.terms, view, typed) == move
        assert text(move) == typed


def test_the_commands_of_the_first_page_are_moves() -> None:
    typed = re.findall(r'^referee play view.json --move "(.*)"$', RULES, re.MULTILINE)
    assert len(typed) >= 5
    desk = Desk(4)
    assert all(text(parse(desk.terms, desk.view(), words)) for words in typed)
