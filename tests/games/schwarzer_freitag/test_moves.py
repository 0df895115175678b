"""Moves as text, and the list of legal moves."""

import random
import re
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path

import msgspec
import pytest

from referee.errors import IllegalMove
from referee.forms import Choice
from referee.games.schwarzer_freitag import GAME, rules
from referee.games.schwarzer_freitag.types import (
    COLOURS,
    Buy,
    Cases,
    Deal,
    Extra,
    Move,
    Pass,
    Place,
    Sell,
    Sight,
    Silver,
    Turn,
)
from referee.games.schwarzer_freitag.words import legal, parse, text
from tests.support.plain import play_out

from .build import Desk, by_bot, cases, deal

RULES = Path(rules.__file__).with_name("RULES.md").read_text("utf-8")
FAMILY = re.compile(r"(sell up to|buy up to|silver 1 to|subsidy 1 to) \d")


@cache
def decisions(seats: int) -> list[tuple[Deal, Sight, Move]]:
    """Every decision of some random games, with the move that was made."""
    terms, made = deal(seats), []
    for seed in range(4):
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
        seen_kinds.add(type(move.action).__name__ if isinstance(move, Turn) else "Place")
        seen_kinds |= {"hold"} if isinstance(move, Turn) and move.hold else set()
        seen_kinds |= {"card"} if isinstance(move, Turn) and (move.before.card or move.after.card) else set()
    assert seen_kinds >= {"Buy", "Sell", "Silver", "Pass", "NoneType", "hold", "card"}
    assert ("Place" in seen_kinds) == (seats == 2)


@pytest.mark.thorough
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_every_choice_is_legal_and_single_moves_can_be_typed_back(seats: int) -> None:
    for terms, view, _ in decisions(seats):
        choices = legal(terms, view)
        assert 0 < len(choices) <= 60
        for choice in choices:
            rules.check(terms, view, choice.move)
            if not FAMILY.match(choice.text):
                assert choice.text == text(choice.move)
        assert len({choice.text for choice in choices}) == len(choices)


@pytest.mark.thorough
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_kind_of_move_is_listed_exactly_when_it_is_possible(seats: int) -> None:
    """One unit of everything, with every number of subsidies, is tried out against the list."""
    for terms, view, _ in decisions(seats)[::4]:
        if view.pending[0].what != "turn":
            continue
        listed = {word for choice in legal(terms, view) for word in choice.text.split() if word in WORDS}
        room = terms.edition.stages[view.public.stage].subsidies - view.public.players[view.seat].subsidies
        tried = (Turn(action, Extra(number)) for action in one_unit_each() for number in range(room + 1))
        possible = {
            text(move).split(", ")[bool(move.before.subsidies)].split()[0] for move in tried if ok(terms, view, move)
        }
        possible |= {"subsidy"} if room else set()
        possible |= {"card"} if any(ok(terms, view, Turn(before=Extra(0, colour))) for colour in COLOURS) else set()
        # A debt that one share cannot cover leaves only larger sales.
        assert listed - {"subsidy", "sell"} == possible - {"subsidy", "sell"}
        assert {"subsidy", "sell"} & possible <= listed


WORDS = {"buy", "sell", "silver", "pass", "card", "subsidy"}


def one_unit_each() -> Iterator[Buy | Sell | Silver | Pass]:
    marks = (*COLOURS, None)
    for colour, mark in product(COLOURS, marks):
        yield Buy(cases(colour), mark)
        yield Sell(cases(colour), colour, mark)
    for mark in marks:
        yield Silver(1, mark)
        yield Pass(mark)


def ok(terms: Deal, view: Sight, move: Move) -> bool:
    try:
        rules.check(terms, view, move)
    except IllegalMove:
        return False
    return True


TYPED = {
    "buy red red blue, mark red": Turn(Buy(Cases(red=2, blue=1), "red")),
    "buy 2 red 1 blue, mark red": Turn(Buy(Cases(red=2, blue=1), "red")),
    "buy 2red blue mark ROT": Turn(Buy(Cases(red=2, blue=1), "red")),
    "buy red": Turn(Buy(Cases(red=1), "red")),
    "sell red blue, drop blue, mark red": Turn(Sell(Cases(red=1, blue=1), "blue", "red")),
    "sell gelb": Turn(Sell(Cases(yellow=1), "yellow", "yellow")),
    "silver 2, mark green": Turn(Silver(2, "green")),
    "pass green": Turn(Pass("green")),
    "pass, mark grün": Turn(Pass("green")),
    "PASS gru\u0308n": Turn(Pass("green")),
    "pass gruen": Turn(Pass("green")),
    "place blau": Place("blue"),
    "subsidy 2": Turn(before=Extra(2)),
    "subsidy 1, subsidies 1": Turn(before=Extra(2)),
    "card orange": Turn(before=Extra(0, "orange")),
    "end": Turn(),
    "subsidy 1, buy red, mark red, subsidy 1": Turn(Buy(Cases(red=1), "red"), Extra(1), Extra(1)),
    "card red, subsidy 1, pass green, card blue, hold": Turn(Pass("green"), Extra(1, "red"), Extra(0, "blue"), True),
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
        assert isinstance(move, Turn)
        assert move.action is not None
        assert move.action.mark == mark
    assert parse(desk.terms, desk.view(), "buy 2 red blue") == Turn(Buy(Cases(red=2, blue=1), None))
    desk.public(market=Cases())
    assert parse(desk.terms, desk.view(), "pass") == Turn(Pass(None))


def test_SF_18_a_sale_is_filled_in_from_the_strip() -> None:
    desk = Desk(4).public(sale=(Cases(blue=1), Cases(), Cases()))
    assert parse(desk.terms, desk.view(), "sell 2 red") == Turn(Sell(Cases(red=2), "red", "blue"))
    desk.public(sale=(Cases(), Cases(), Cases()))
    assert parse(desk.terms, desk.view(), "sell red") == Turn(Sell(Cases(red=1), "red", None))


UNCLEAR = {
    "": "empty",
    " , ,": "empty",
    "hello": "'hello'",
    "buy": "`buy 2 red 1 blue`",
    "buy 2": "`buy 2 red 1 blue`",
    "buy 0 red": "from 1 to 999",
    "buy 1000 red": "from 1 to 999",
    "buy red blue": "add `mark blue` or `mark red`",
    "sell red blue, mark red": "add `drop blue` or `drop red`",
    "pass": "add `mark yellow` or",
    "pass red, mark blue": "mark is given twice",
    "silver, mark red": "`silver 2`",
    "silver two, mark red": "'two'",
    "buy red, drop red": "leave drop out",
    "buy red, sell blue": "one action",
    "mark red": "no action",
    "subsidy 1, hold": "no action",
    "card red, pass red, card": "card needs one colour",
    "card red, card blue, pass red": "twice",
    "hold, pass red": "hold cannot stand there",
    "place": "place needs one colour",
    "place red, end": "place cannot stand there",
    "buy \u0662 red": "no letter",
    "red buy": "'red'",
    "pass red; rm -rf": "no letter",
    "x" * 401: "too long",
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
    assert told.isascii()
    assert told.isprintable()
    assert "a" * 21 not in told


def lines(desk: Desk) -> dict[str, Choice]:
    return {choice.text: choice for choice in legal(desk.terms, desk.view())}


def test_the_list_tells_costs_and_what_a_move_sets_off() -> None:
    desk = Desk(4).public(silver_strip=cases("red", "red", "blue", "green"), market=Cases(red=2, blue=1))
    desk.hold(0, Cases(green=1)).player(0, money=7)
    listed = lines(desk)
    assert listed["pass red"].note == "red rises; fills the silver strip: price change"
    assert listed["pass blue"].note == "blue rises; fills the silver strip: price change"
    assert listed["buy red, mark red"].note == "costs 7; red rises"
    assert listed["buy blue, mark red"].note == "costs 7; blue rises"
    assert listed["subsidy 1, silver 1, mark red"].note.startswith("costs 20; ")
    assert listed["sell green, drop green, mark green"].note == "brings 7"
    assert "subsidy 1 to 2" in listed
    desk.public(sale=(Cases(red=3, blue=3), Cases(), Cases()))
    assert lines(desk)["sell green, drop green, mark blue"].note == "brings 7; price change"


def test_SF_22_cards_widen_the_limit_and_say_so() -> None:
    desk = Desk(2).hold(0, Cases(green=3)).player(0, money=20)
    listed = lines(desk)
    assert any(words.startswith("sell up to 2 of: green x3 (7 each)") for words in listed)
    assert listed["sell 2 green, drop green, mark green"].note == "brings 14; uses the card SELL+1"
    assert listed["buy 2 red, mark red"].note == "costs 14; uses the card BUY+1"
    assert "card red" not in listed
    desk.player(0, cards=(("pass",),))
    assert lines(desk)["card red"].move == Turn(before=Extra(0, "red"))
    assert lines(desk)["card red"].note == "also before or after an action, or later with `hold`"
    desk.public(silver_strip=cases("red", "blue", "green", "orange"))
    assert lines(desk)["card red"].note == "fills the silver strip: price change", "which must be sent alone"


def test_SF_29_a_debtor_is_shown_what_is_demanded() -> None:
    desk = Desk(4).hold(0, Cases(red=1, blue=2)).prices(blue=5).player(0, money=1, debt=8, subsidies=1)
    listed = lines(desk)
    assert listed["subsidy 1, pass red"].note == "the debt of 8 comes first"
    assert "pass red" not in listed
    assert "subsidy 1, buy red, mark red" in listed
    desk.player(0, subsidies=2)
    listed = lines(desk)
    assert set(listed) == {"sell red, drop red, mark red"}, "only red brings the 7 that are missing"
    desk.player(0, debt=30)
    assert "sell blue, drop blue, mark blue" in lines(desk), "no sale is enough, so any will do"
    desk.hold(0)
    assert "pass red" in lines(desk), "neither room nor shares: free to play"


def test_SF_16_a_turn_kept_open_lists_what_is_left() -> None:
    desk = Desk(4)
    desk.do(Turn(Pass("red"), hold=True))
    listed = lines(desk)
    assert set(listed) == {"end", "subsidy 1 to 2"}
    assert listed["end"].move == Turn()


def test_nobody_else_is_shown_moves() -> None:
    desk = Desk(4)
    assert legal(desk.terms, desk.view(1)) == ()


def test_the_rules_hold_every_clause_once_with_its_mark() -> None:
    found = re.findall(r"^\*\*SF-(\d+)\*\* \(([SDFR](?:, [SDFR])*)\) \S", RULES, re.MULTILINE)
    assert [int(number) for number, _ in found] == list(range(1, 46))
    assert RULES.count("**SF-") == 45
    assert all(f"| {mark} |" in RULES for mark in "SDFR")


def test_the_tables_of_the_rules_are_those_of_the_edition() -> None:
    edition = deal().edition
    rows = [
        [int(cell) for cell in re.findall(r"\d+", line)] for line in RULES.splitlines() if re.match(r"\| \d+ \|", line)
    ]
    assert {row: tuple(prices) for row, *prices in rows} == dict(enumerate(edition.prices, 1))
    assert " ".join(map(str, edition.silver_track)) in " ".join(RULES.split())
    for words, field in {"subsidies": "subsidies", "units an action": "limit", "cases drawn": "draw"}.items():
        assert f"| {words} | {' | '.join(str(getattr(card, field)) for card in edition.stages)} |" in RULES
    assert f"from | - | {' | '.join(str(card.price) for card in edition.stages[1:])} |" in RULES


def test_the_examples_of_the_rules_mean_the_same_in_both_forms() -> None:
    examples = re.findall(r"^\| `([^`]+)` \| `(\{[^`]+\})` \|$", RULES, re.MULTILINE)
    assert len(examples) == 8
    desk = Desk(4)
    for typed, json in examples:
        move = msgspec.json.decode(json, type=Move)
        assert parse(desk.terms, desk.view(), typed) == move
        assert text(move) == typed
