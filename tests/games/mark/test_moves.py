"""Moves as text, the list of legal moves, and the rules document."""

import random
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from referee.errors import IllegalMove
from referee.games.mark import GAME, rules
from referee.games.mark.types import (
    KINDS,
    Bid,
    Both,
    Buy,
    Deal,
    Lot,
    Move,
    Name,
    Nothing,
    Offer,
    Process,
    Roll,
    Sell,
    Shift,
    Sight,
    Take,
    Words,
)
from referee.games.mark.words import text
from tests.support.plain import play_out
from tests.support.typing import parsing, saying

from .build import BOX, Desk, auction, deal, number_bounds, random_move

parse, standing_parse = parsing("mark"), saying("mark")
RULES = Path(rules.__file__).with_name("RULES.md").read_text("utf-8")


def decisions(seats: int, games: int, **options: bool) -> Iterator[tuple[Deal, Sight, Move]]:
    """Every decision of some random games, with the move that was made."""
    terms = deal(seats, **options)
    for seed in range(games):
        moments = play_out(GAME, terms, random_move, random.Random(f"{seats}/{seed}"))
        for before, after in pairwise(moments):
            yield from ((terms, before.seen(seat), move) for seat, move in after.answers.items() if move)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_move_survives_its_text_form(seats: int) -> None:
    kinds = set()
    for terms, view, move in decisions(seats, 3):
        assert parse(terms, view, text(move)) == move
        assert parse(terms, view, f"  {text(move).upper().replace(' ', ' , ')}, ") == move
        kinds.add(type(move))
    assert len(kinds) == 11


TYPED: dict[str, Move] = {
    "roll": Roll(),
    "ROLL": Roll(),
    "buy glass d2": Buy("glass", "d2"),
    "Buy, Glas, D2": Buy("glass", "d2"),
    "move d3 p2": Shift("d3", "p2"),
    "take kunststoff d1": Take("plastic", "d1"),
    "take PLASTIK d1": Take("plastic", "d1"),
    "take papier d1": Take("paper", "d1"),
    "take metall d4": Take("metal", "d4"),
    "take verbund d4": Take("composite", "d4"),
    "process d2 p3": Process("d2", "p3"),
    "sell p3": Sell("p3"),
    "sell p3 row 2": Sell("p3", 1),
    "sell p3, row 5": Sell("p3", 4),
    "pass": Nothing(),
    "name glass": Name("glass"),
    "offer d2": Offer("d2"),
    "offer none": Offer(None),
    "bid 7 d2": Bid(7, "d2"),
    "bid 007 d2": Bid(7, "d2"),
    "bid 0": Bid(0, None),
    "roll the dice": Roll(),
    "throw": Roll(),
    "buy a piece of glass for d2": Buy("glass", "d2"),
    "buy d2 glass": Buy("glass", "d2"),
    "move d3 -> p2": Shift("d3", "p2"),
    "process from d2 to p3": Process("d2", "p3"),
    "sell p3 in row 2": Sell("p3", 1),
    "nothing": Nothing(),
    "no": Nothing(),
    "offer no": Offer(None),
    "bid 7 Mark on d2": Bid(7, "d2"),
    "bid d2 7": Bid(7, "d2"),
    "take glass d1 then process d1 p1": Both(Take("glass", "d1"), Process("d1", "p1")),
    "take glass to d1 and take glass to d2": Both(Take("glass", "d1"), Take("glass", "d2")),
    "sell p1 row 2 and then nothing": Both(Sell("p1", 1), Nothing()),
    "1 glass buy and on d2": Buy("glass", "d2"),
    "glass for 5 Mark buy: d2": Buy("glass", "d2"),
    "d3 p2 move": Shift("d3", "p2"),
    "d3 -> p2": Shift("d3", "p2"),
    "glass d2": Buy("glass", "d2"),
}


@pytest.mark.parametrize("typed", TYPED)
def test_MK_6_what_people_type(typed: str) -> None:
    assert parse(deal(), Desk().seen(), typed) == TYPED[typed]


def test_MK_6_a_field_is_filled_in_where_only_one_is_possible() -> None:
    desk = Desk().plant(0, d1="glass", d2="glass", d4="paper", p1="metal", p2="metal", p4="metal")
    terms, view = desk.terms, desk.seen()
    assert parse(terms, view, "buy paper") == Buy("paper", "d3")
    assert parse(terms, view, "move d4") == Shift("d4", "p3")
    desk.roll("glass", "star")
    view = desk.seen()
    assert parse(terms, view, "take glass") == Take("glass", "d3")
    assert parse(terms, view, "process d2") == Process("d2", "p3")
    for typed in ("process d1", "move p1", "move d9"):
        with pytest.raises(IllegalMove):
            parse(terms, view, typed)


def test_MK_6_a_kind_names_its_piece_where_only_one_is_there() -> None:
    desk = Desk().plant(0, d1="glass", d2="paper", d3="paper", p1="metal", p3="glass").roll("glass", "metal")
    terms, view = desk.terms, desk.seen()
    assert parse(terms, view, "process glass") == Process("d1", "p2"), "p1 is taken"
    assert parse(terms, view, "process glass p2") == Process("d1", "p2")
    assert parse(terms, view, "move glass d1 p2") == Process("d1", "p2")
    assert parse(terms, view, "sell metals row 3") == Sell("p1", 2)
    for typed, hint in {
        "sell paper": "cannot be read as a move",
        "sell glass p1": "metal lies on p1, not glass",
    }.items():
        with pytest.raises(IllegalMove) as caught:
            parse(terms, view, typed)
        assert hint in f"{caught.value.message}: {caught.value.next}"
    desk = Desk().plant(0, d1="glass").roll("hammer", "glass")
    assert parse(desk.terms, desk.seen(), "offer glass") == Offer("d1")
    for typed in ("offer", "offer a"):  # `versteigere einen` is one letter away from `versteigere keinen`
        with pytest.raises(IllegalMove, match="offer needs a field"):
            parse(desk.terms, desk.seen(), typed)


def test_MK_7_the_second_action_is_read_after_the_first() -> None:
    desk = Desk().plant(0, d2="glass", p1="paper", p2="paper", p4="metal").roll("glass", "glass")
    both = parse(desk.terms, desk.seen(), "process d2 then sell p3 row 1")
    assert both == Both(Process("d2", "p3"), Sell("p3", 0))
    assert parse(desk.terms, desk.seen(), "take glass d3 then process glass d3") == Both(
        Take("glass", "d3"), Process("d3", "p3")
    )
    for typed in ("roll then pass", "pass then take glass d1", "take glass d1 then", "take glass d1 then roll"):
        with pytest.raises(IllegalMove):
            parse(desk.terms, desk.seen(), typed)


@pytest.mark.parametrize(
    ("asked", "typed", "move"),
    [
        (Desk().roll("hammer", "star"), "glass", Name("glass")),
        (Desk().plant(0, d2="glass").roll("hammer", "glass"), "d2", Offer("d2")),
        (Desk().plant(0, d2="glass").roll("hammer", "glass"), "none", Offer(None)),
        (auction(Lot("glass")), "7 d2", Bid(7, "d2")),
        (auction(Lot("glass")), "no bid", Bid(0, None)),
    ],
)
def test_MK_8_MK_10_MK_14_what_is_asked_need_not_be_repeated(asked: Desk, typed: str, move: Move) -> None:
    assert parse(asked.terms, asked.seen(), typed) == move


def test_MK_9_the_last_free_row_is_filled_in() -> None:
    desk = Desk().plant(0, p1="composite")
    assert parse(desk.terms, desk.seen(), "sell p1") == Sell("p1"), "whatever is asked"
    desk.roll("composite", "star")
    with pytest.raises(IllegalMove, match="fits more than one move"):
        parse(desk.terms, desk.seen(), "sell p1")
    for number, kind in enumerate(KINDS[:4]):
        desk.row(number, kind, 1)
    assert parse(desk.terms, desk.seen(), "sell p1") == Sell("p1", 4)
    assert parse(desk.terms, desk.seen(), "sell p2") == Sell("p2")


def test_MK_10_a_bid_names_its_field_unless_there_is_only_one() -> None:
    desk = auction(Lot("glass")).plant(1, d1="paper", d2="paper", d4="paper")
    assert parse(desk.terms, desk.seen(1), "bid 7") == Bid(7, "d3")
    with pytest.raises(IllegalMove) as caught:
        parse(desk.terms, desk.seen(0), "bid 7")
    assert str(caught.value.next) == "write for example `bid 7 d1`"
    assert parse(desk.terms, desk.seen(0), "pass") == Bid(0, None)


UNCLEAR = {
    "": ("MK-6", "empty"),
    " , ,": ("MK-6", "empty"),
    "to the": ("MK-6", "empty"),
    "hello": ("MK-6", "'hello'"),
    "rolll": ("MK-6", "'rolll' is unknown, did you mean roll?"),
    "roll twice": ("MK-6", "'twice'"),
    "roll; rm -rf": ("MK-6", "'rm' is unknown"),
    "roll and buy": ("MK-7", "between the two actions"),
    "bid none 7 d2": ("MK-10", "cannot be read as a move"),
    "buy": ("MK-12", "fits more than one move (MK-12): write for example `buy glass d1`"),
    "buy glsas d1": ("MK-12", "'glsas' is unknown, did you mean glass?"),
    "buy glass": ("MK-12", "write for example `buy glass d1`"),
    "buy glass glass d1": ("MK-12", "cannot be read as a move"),
    "buy glass d0": ("MK-12", "'d0'"),
    "buy glass d10": ("MK-12", "'d10'"),
    "buy glass d٢": ("MK-12", "'d'"),
    "move d3": ("MK-13", "write for example `move d3 p2`"),
    "move": ("MK-13", "fits more than one move"),
    "sell p3 row": ("MK-6", "rows are numbered from 1 to 5"),
    "sell p3 row 0": ("MK-6", "rows are numbered from 1 to 5"),
    "sell p3 row 6": ("MK-6", "rows are numbered from 1 to 5"),
    "sell p3 row ٢": ("MK-6", "rows are numbered from 1 to 5"),
    "sell p3 rwo 2": ("MK-6", "'rwo' is unknown"),
    "sell p3 2": ("MK-6", "cannot be read as a move"),
    "name": ("MK-8", "cannot be read as a move"),
    "offer": ("MK-14", "offer needs a field such as d2 or p3"),
    "offer none d2": ("MK-14", "cannot be read as a move"),
    "offer nothing": ("MK-14", "holds until you take it back"),
    "bid": ("MK-10", "cannot be read as a move"),
    "bid nothing": ("MK-10", "holds until you take it back"),
    "bid -1 d2": ("MK-10", "cannot be read at"),
    "bid 7 8 d2": ("MK-10", "cannot be read as a move"),
    "bid 99999999999 d2": ("MK-10", "cannot be read as a move"),
    "bid 1000000001 d2": ("MK-10", "cannot be read as a move"),
    "bid ² d2": ("MK-10", "cannot be read as a move"),
    "roll " * 30: ("MK-6", "too long"),
    "x" * 201: ("MK-6", "is unknown"),
}


@pytest.mark.parametrize("typed", UNCLEAR)
def test_MK_6_what_means_nothing_is_refused_with_a_hint(typed: str) -> None:
    desk = Desk().plant(0, d3="glass")
    if "glass" in typed:
        desk = Desk()
    with pytest.raises(IllegalMove) as caught:
        parse(desk.terms, desk.seen(), typed)
    clause, words = UNCLEAR[typed]
    assert caught.value.clause == clause
    assert words in f"{caught.value.message}: {caught.value.next}"


@pytest.mark.parametrize("typed", ["\x1b[31mred", "buy \x07", "\u202egreen", "a" * 190, "roll \x00", "пасс", "\ud800"])
def test_errors_never_echo_a_strangers_signs(typed: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        parse(deal(), Desk().seen(), typed)
    told = f"{caught.value.message} {caught.value.next}"
    assert told.isprintable()
    assert "a" * 21 not in told


# --- the rules document ----------------------------------------------------------------------------------------------


def test_the_rules_hold_every_clause_once() -> None:
    found = re.findall(r"^\*\*MK-(\d+)\*\* \S", RULES, re.MULTILINE)
    assert [int(number) for number in found] == list(range(1, 24))
    assert RULES.count("**MK-") == 23
    assert all(f"| {mark} |" in RULES for mark in "SDFR")


def test_the_numbers_of_the_rules_are_those_of_the_edition() -> None:
    edition = BOX
    rows = re.findall(r"^\| (\d) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", RULES, re.MULTILINE)
    assert [tuple(map(int, row)) for row in rows] == [(at, *row) for at, row in enumerate(edition.market, 1)]
    for words in (
        f"{edition.pieces} pieces of each kind",
        f"delivery area of {edition.area} fields",
        f"starts with {edition.money} Mark",
        f"{edition.storage} Mark if {edition.storage_from} or more pieces",
        f"pay the bank {edition.buy_price} Mark and take",
        f"pay the bank {edition.move_price} Mark and move",
        f"after {edition.idle_rounds} full rounds",
        "when four of the five rows are full",
    ):
        assert words in " ".join(RULES.split()), words
    assert edition.full_rows == 4
    for field in GAME.options.__struct_fields__:
        assert f"`{field}` (MK-1" in " ".join(RULES.split())


def test_MK_2_the_table_of_neighbours() -> None:
    for number in range(1, 5):
        near = " ".join(f"p{at}" for at in range(1, 5) if abs(at - number) <= 1)
        assert f"| d{number} | {near} |" in RULES


def test_the_examples_of_the_rules_mean_the_same_in_both_forms() -> None:
    examples = re.findall(r"^\| `([^`]+)` \| `(\{[^`]+\})` \|$", RULES, re.MULTILINE)
    assert {type(msgspec.json.decode(json, type=Move)) for _, json in examples} == set(Move.__args__)
    for typed, json in examples:
        move = msgspec.json.decode(json, type=Move)
        assert parse(deal(), Desk().seen(), typed) == move
        assert text(move) == typed


def test_the_commands_of_the_first_page_can_be_typed() -> None:
    commands = re.findall(r'^referee play \S+ --move "([^"]+)"$', RULES, re.MULTILINE)
    moves, words = [], []
    for clause in ";".join(commands).split(";"):
        try:
            words.append(standing_parse(deal(), Words(), clause))
        except IllegalMove:
            moves.append(parse(deal(), Desk().seen(), clause))
    assert {type(move) for move in moves} == {Roll, Process, Both, Bid}
    assert words == [Words(roll="always")]


def test_the_rules_say_what_a_missed_deadline_plays() -> None:
    part = RULES.split("## Missed deadlines")[1].split("\n## ")[0]
    asked = [word for words in re.findall(r"^\| ([a-z, ]+) \|", part, re.MULTILINE) for word in words.split(", ")]
    assert sorted(asked) == sorted(["asked for", "asked for", *rules.ANSWERS])


def test_the_rules_say_the_bounds_of_an_edition() -> None:
    rows = re.findall(r"^\| [^|]+ \| (\d) \| (\d+) \|$", RULES.split("## Material")[0], re.MULTILINE)
    assert sorted({(int(low), int(high)) for low, high in rows}) == sorted({*number_bounds().values(), (1, 12)})


def test_MK_10_the_verb_follows_from_the_question() -> None:
    bidding = auction(Lot("glass")).money(30, 30, 30)
    assert parse(bidding.terms, bidding.seen(), "5 d1") == Bid(5, "d1")
    naming = Desk().roll("hammer", "star")
    assert parse(naming.terms, naming.seen(), "metal") == Name("metal")
    offering = Desk().plant(0, d1="glass", d2="glass").roll("hammer", "glass")
    assert parse(offering.terms, offering.seen(), "d2") == Offer("d2")
    turn = Desk().plant(0, d1="glass")
    assert parse(turn.terms, turn.seen(), "d1 d2") == Shift("d1", "d2")
    assert parse(turn.terms, turn.seen(), "glass d2") == Buy("glass", "d2")
