"""Moves as text, the list of legal moves, and the rules document."""

import random
import re
from collections.abc import Iterator
from itertools import pairwise, product
from pathlib import Path

import msgspec
import pytest

from referee.errors import IllegalMove
from referee.forms import Choice
from referee.game import ask_of
from referee.games.mark import GAME, rules
from referee.games.mark.types import (
    FIELDS,
    KINDS,
    Bid,
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
)
from referee.games.mark.words import legal, parse, text
from tests.support.plain import play_out

from .build import BASE, Desk, auction, deal, number_bounds, random_move

RULES = Path(rules.__file__).with_name("RULES.md").read_text("utf-8")
FAMILY = re.compile(r"bid (\d+)(?: to (\d+))? on (?:one of: )?([dp1-9 ]+)")
NEAR = [field for field in FIELDS if field[1] <= "5"]
"""One more of each area than there are."""


def decisions(seats: int, games: int, **options: bool) -> Iterator[tuple[Deal, Sight, Move]]:
    """Every decision of some random games, with the move that was made."""
    terms = deal(seats, **options)
    for seed in range(games):
        moments = play_out(GAME, terms, random_move, random.Random(f"{seats}/{seed}"))
        for before, after in pairwise(moments):
            yield from ((terms, before.seen(seat), move) for seat, move in after.answers.items())


def ok(terms: Deal, view: Sight, move: Move) -> bool:
    try:
        rules.check(terms, view, move)
    except IllegalMove:
        return False
    return True


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_move_survives_its_text_form(seats: int) -> None:
    kinds = set()
    for terms, view, move in decisions(seats, 3):
        assert parse(terms, view, text(move)) == move
        assert parse(terms, view, f"  {text(move).upper().replace(' ', ' , ')}, ") == move
        kinds.add(type(move))
    assert len(kinds) == 10


def everything() -> Iterator[Move]:
    """Whatever can be written down, bids of up to 60 included."""
    yield from (Roll(), Nothing(), Offer(None), Bid(0, None))
    yield from (make(kind, field) for make in (Buy, Take) for kind, field in product(KINDS, NEAR))
    yield from (make(one, other) for make in (Shift, Process) for one, other in product(NEAR, NEAR))
    yield from (Sell(field, row) for field in NEAR for row in (None, 0, 1, 2, 3, 4, 5))
    yield from (Name(kind) for kind in KINDS)
    yield from (Offer(field) for field in NEAR)
    yield from (Bid(amount, field) for amount in range(60) for field in (None, *NEAR))


EVERYTHING = list(everything())


def listed(choices: tuple[Choice, ...]) -> set[Move]:
    """All moves that a list stands for."""
    found: set[Move] = set()
    for choice in choices:
        family = FAMILY.fullmatch(choice.text)
        if family is None:
            assert choice.text == text(choice.move)
            found.add(choice.move)
            continue
        low, high = int(family[1]), int(family[2] or family[1])
        fields = [field for field in FIELDS if field in family[3].split()]
        assert choice.move == Bid(low, fields[0])
        found |= {Bid(amount, field) for amount in range(low, min(high + 1, 60)) for field in fields}
    return found


@pytest.mark.parametrize(("seats", "options"), [(2, {}), (3, {}), (4, {}), (3, BASE), (3, {"liquidation": False})])
def test_the_list_is_exactly_what_the_rules_allow(seats: int, options: dict[str, bool]) -> None:
    asked = set()
    for number, (terms, view, _) in enumerate(decisions(seats, 2, **options)):
        choices = legal(terms, view)
        assert 0 < len(choices) <= 60
        assert len({choice.text for choice in choices}) == len(choices)
        ask = ask_of(view.pending, view.seat)
        assert ask is not None
        if number % 20 and ask.what in asked:
            continue
        asked.add(ask.what)
        assert listed(choices) == {move for move in EVERYTHING if ok(terms, view, move)}
    assert asked >= ({"act", "again", "name", "bid"} if options == BASE else {"turn", "act", "name", "offer", "bid"})


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
}


@pytest.mark.parametrize("typed", TYPED)
def test_MK_6_what_people_type(typed: str) -> None:
    assert parse(deal(), Desk().seen(), typed) == TYPED[typed]


def test_MK_6_a_field_is_filled_in_where_only_one_is_possible() -> None:
    desk = Desk().plant(0, d1="glass", d2="glass", d4="paper", p1="metal", p2="metal", p4="metal")
    terms, view = desk.terms, desk.seen()
    assert parse(terms, view, "take glass") == Take("glass", "d3")
    assert parse(terms, view, "buy paper") == Buy("paper", "d3")
    assert parse(terms, view, "process d2") == Process("d2", "p3")
    assert parse(terms, view, "move d4") == Shift("d4", "p3")
    for typed in ("process d1", "move p1", "move d9"):
        with pytest.raises(IllegalMove):
            parse(terms, view, typed)


def test_MK_9_the_last_free_row_is_filled_in() -> None:
    desk = Desk().plant(0, p1="composite")
    assert parse(desk.terms, desk.seen(), "sell p1") == Sell("p1"), "which the rules then refuse: the row is open"
    for number, kind in enumerate(KINDS[:4]):
        desk.row(number, kind, 1)
    assert parse(desk.terms, desk.seen(), "sell p1") == Sell("p1", 4)
    assert parse(desk.terms, desk.seen(), "sell p2") == Sell("p2")


def test_MK_10_a_bid_names_its_field_unless_there_is_only_one() -> None:
    desk = auction(Lot("glass")).plant(1, d1="paper", d2="paper", d4="paper")
    assert parse(desk.terms, desk.seen(1), "bid 7") == Bid(7, "d3")
    with pytest.raises(IllegalMove) as caught:
        parse(desk.terms, desk.seen(0), "bid 7")
    assert caught.value.next == "add one of d1, d2, d3, d4"
    assert parse(desk.terms, desk.seen(0), "pass") == Bid(0, None)


UNCLEAR = {
    "": ("MK-6", "empty"),
    " , ,": ("MK-6", "empty"),
    "hello": ("MK-6", "'hello'"),
    "roll twice": ("MK-6", "'twice'"),
    "roll; rm -rf": ("MK-6", "'roll'"),
    "buy": ("MK-12", "needs a kind: glass, plastic"),
    "buy d1 glass": ("MK-12", "needs a kind"),
    "buy glass": ("MK-12", "add one of d1, d2, d3, d4"),
    "buy glass d0": ("MK-12", "needs a field such as d2"),
    "buy glass d10": ("MK-12", "needs a field such as d2"),
    "buy glass d٢": ("MK-12", "needs a field such as d2"),
    "move d3": ("MK-13", "leaves the field open"),
    "move": ("MK-13", "needs a field"),
    "sell p3 row": ("MK-6", "needs a number from 0 to 5"),
    "sell p3 row 0": ("MK-6", "rows count from 1"),
    "sell p3 row 6": ("MK-6", "needs a number"),
    "sell p3 row ٢": ("MK-6", "needs a number"),
    "sell p3 2": ("MK-6", "'2'"),
    "name": ("MK-8", "needs a kind"),
    "offer": ("MK-14", "needs a field"),
    "offer none d2": ("MK-14", "needs a field"),
    "bid": ("MK-10", "needs a number"),
    "bid -1 d2": ("MK-10", "needs a number"),
    "bid d2 7": ("MK-10", "needs a number"),
    "bid 99999999999 d2": ("MK-10", "needs a number"),
    "bid 1000000001 d2": ("MK-10", "needs a number"),
    "bid ² d2": ("MK-10", "needs a number"),
    "x" * 201: ("MK-6", "too long"),
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
    assert told.isascii()
    assert told.isprintable()
    assert "a" * 21 not in told


def lines(desk: Desk, seat: int | None = None) -> dict[str, str]:
    return {choice.text: choice.note for choice in legal(desk.terms, desk.seen(seat))}


def test_MK_12_MK_13_the_list_tells_costs() -> None:
    desk = Desk().plant(0, d1="glass", d2="glass", d3="paper")
    found = lines(desk)
    assert found["roll"] == "storage costs 5 at the start of every turn"
    assert found["buy metal d4"] == "costs 5; the bank has 8"
    assert found["move d1 p2"] == "costs 10; glass"
    assert lines(desk.money(7, 30, 30)).keys() == {"roll", *(f"buy {kind} d4" for kind in KINDS)}


def test_MK_6_MK_9_the_list_tells_what_a_sale_brings() -> None:
    desk = Desk().plant(0, d1="glass", p1="glass", p2="paper").row(2, "glass", 2).roll("glass", "paper")
    found = lines(desk)
    assert found["sell p1"] == "glass; brings 15"
    assert found["sell p2 row 2"] == "paper; brings 7"
    assert "sell p2 row 3" not in found
    assert found["take paper d2"] == "the bank has 7"
    assert "process d1 p1" not in found, "something lies there"
    assert list(found)[-1] == "pass"


def test_MK_15_the_family_of_bids_has_its_limits() -> None:
    desk = auction(Lot("glass", 0, "d1")).row(2, "glass", 2).plant(1, d2="paper", d4="paper").money(30, 25, 7)
    assert lines(desk, 1) == {
        "bid 7 to 25 on one of: d1 d3": "glass from the plant of another player",
        "bid 0": "no bid",
    }
    desk.plant(2, d1="paper", d2="paper", d3="paper")
    assert list(lines(desk, 2)) == ["bid 7 d4", "bid 0"], "one bid is possible, and it can be typed as it stands"
    assert list(lines(desk.money(30, 7, 9), 2)) == ["bid 7 to 9 on d4", "bid 0"]
    assert list(lines(desk, 1)) == ["bid 7 on one of: d1 d3", "bid 0"]
    assert lines(auction(Lot("glass")), 1)["bid 1 to 30 on one of: d1 d2 d3 d4"] == "glass from the bank"


def test_MK_17_a_processed_piece_can_go_anywhere() -> None:
    desk = auction(Lot("glass", 0, "p1"))
    assert "bid 1 to 30 on one of: d1 d2 d3 d4 p1 p2 p3 p4" in lines(desk, 1)


def test_MK_14_an_offer_tells_what_the_bank_pays() -> None:
    desk = Desk().plant(0, d1="glass", p2="glass").plant(1, d1="glass").row(2, "glass", 2).roll("hammer", "glass")
    note = "if nobody before you is willing; brings at least 7"
    assert lines(desk, 0) == {"offer d1": note, "offer p2": note, "offer none": ""}
    assert set(lines(desk, 1)) == {"offer d1", "offer none"}
    assert legal(desk.terms, desk.seen(2)) == ()
    assert parse(desk.terms, desk.seen(1), "pass") == Offer(None)


def test_MK_8_naming_tells_what_can_be_auctioned() -> None:
    desk = Desk().row(2, "glass", 2).roll("hammer", "star")
    assert lines(desk)["name glass"] == "the bank has 6; lowest bid 7"
    assert set(lines(desk)) == {f"name {kind}" for kind in KINDS}


# --- the rules document ----------------------------------------------------------------------------------------------


def test_the_rules_hold_every_clause_once_with_its_mark() -> None:
    found = re.findall(r"^\*\*MK-(\d+)\*\* \(([SDFR](?:, [SDFR])*)\) \S", RULES, re.MULTILINE)
    assert [int(number) for number, _ in found] == list(range(1, 20))
    assert RULES.count("**MK-") == 19
    assert all(f"| {mark} |" in RULES for mark in "SDFR")


def test_the_numbers_of_the_rules_are_those_of_the_edition() -> None:
    edition = deal().edition
    rows = re.findall(r"^\| (\d) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", RULES, re.MULTILINE)
    assert [tuple(map(int, row)) for row in rows] == [(at, *row) for at, row in enumerate(edition.market, 1)]
    for words in (
        f"{edition.pieces} pieces of each kind",
        f"delivery area of {edition.area} fields",
        f"begins with {edition.money} Mark",
        f"{edition.storage} Mark if {edition.storage_from} pieces or more",
        f"pay {edition.buy_price} Mark and take",
        f"pay {edition.move_price} Mark and move",
        f"after {edition.idle_rounds} whole rounds",
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


def test_the_rules_say_what_a_missed_deadline_plays() -> None:
    part = RULES.split("## Missed deadlines")[1].split("\n## ")[0]
    asked = [word for words in re.findall(r"^\| ([a-z, ]+) \|", part, re.MULTILINE) for word in words.split(", ")]
    assert sorted(asked) == sorted(["asked for", "asked for", *rules.ANSWERS])


def test_the_rules_say_the_bounds_of_an_edition() -> None:
    rows = re.findall(r"^\| [^|]+ \| (\d) \| (\d+) \|$", RULES.split("## Material")[0], re.MULTILINE)
    assert sorted({(int(low), int(high)) for low, high in rows}) == sorted({*number_bounds().values(), (1, 12)})
