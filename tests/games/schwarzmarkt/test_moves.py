"""Moves as text, the list of legal moves, and the document of the rules."""

import random
import re
from collections.abc import Iterator
from itertools import combinations, permutations, product

import msgspec
import pytest

from referee.errors import IllegalMove
from referee.forms import Choice
from referee.games import rules_text
from referee.games.schwarzmarkt import GAME
from referee.games.schwarzmarkt.bots import random_move
from referee.games.schwarzmarkt.tables import all_cards
from referee.games.schwarzmarkt.types import (
    GOODS,
    Amounts,
    Collect,
    Deal,
    Find,
    Move,
    Play,
    Quick,
    Raid,
    Sight,
    Spy,
    Swap,
    Trade,
)
from referee.games.schwarzmarkt.words import legal, parse, text
from tests.support.plain import play_out

from .build import EDITION, Desk, deal

RULES = rules_text("schwarzmarkt")
FAMILY = re.compile(r"swap with one of @|find and all five goods")


def by_bot(terms: Deal, view: Sight, rng: random.Random) -> Move:
    return random_move(terms, view, rng.randrange)


def decisions(seats: int, games: int) -> Iterator[tuple[Deal, Sight, Move]]:
    """Every decision of some random games, with the move that was made."""
    for seed in range(games):
        terms, before = deal(seats, expert=seed % 2 > 0), None
        for moment in play_out(GAME, terms, by_bot, random.Random(f"{seats}/{seed}")):
            if len(moment.answers) == 1 and before is not None:
                (move,) = moment.answers.values()
                yield terms, before, move
            before = moment.seen(moment.step.pending[0].seat) if moment.step.pending else None


def every_move(terms: Deal, view: Sight) -> Iterator[Move]:
    """All answers to the question asked that can be written down with the goods in hand, legal or not."""
    others, hand = range(terms.seats), view.hand("goods")
    match view.pending[0].what:
        case "play":
            yield from (Play(card) for card in all_cards(terms))
        case "trade":
            numbers = product(*(range(min(hand.count(good), 4) + 1) for good in GOODS))
            yield from (
                Trade(Amounts(*some), steps) for some in numbers for steps in range(6) if any(some) <= (not steps)
            )
        case "spy":
            yield from (Spy(other) for other in others)
        case "collect":
            yield from (Collect(other) for other in others)
        case "quick":
            yield from (Quick(good) for good in GOODS)
        case "raid":
            yield from (Raid(other, good) for other in others for good in GOODS)
        case "find":
            yield from (Find(ranking) for ranking in permutations(GOODS))
        case "swap":
            gifts = {gift for number in (1, 2) for gift in combinations(sorted(hand, key=GOODS.index), number)}
            yield from (Swap(other, len(gift), gift) for other in others for gift in gifts)


def ok(terms: Deal, view: Sight, move: Move) -> bool:
    try:
        GAME.check(terms, view, move)
    except IllegalMove:
        return False
    return True


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.thorough
def test_every_move_survives_its_text_form(seats: int) -> None:
    kinds = set()
    for terms, view, move in decisions(seats, 20):
        assert parse(terms, view, text(move)) == move
        assert parse(terms, view, f"  {text(move).upper().replace(' ', ' , ')}, ") == move
        kinds.add(type(move))
    assert kinds == {Play, Trade, Spy, Quick, Swap, Raid, Find, Collect}


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.thorough
def test_the_list_has_every_legal_move_and_no_other(seats: int) -> None:
    """Everything that can be written down is tried out against the list."""
    for terms, view, _ in decisions(seats, 8):
        choices = legal(terms, view)
        possible = [move for move in every_move(terms, view) if ok(terms, view, move)]
        if FAMILY.match(choices[0].text):
            assert len(choices) == 1
            assert len(possible) > 12
            assert choices[0].move in possible
            assert f"`{text(choices[0].move)}`" in choices[0].note
        else:
            assert sorted(map(repr, possible)) == sorted(repr(choice.move) for choice in choices)
            assert all(choice.text == text(choice.move) for choice in choices)
        assert len({choice.text for choice in choices}) == len(choices) <= 35
        assert all(parse(terms, view, text(move)) == move for move in possible)


TYPED: dict[str, Move] = {
    "trade butter butter": Trade(Amounts(butter=2)),
    "trade 2 butter": Trade(Amounts(butter=2)),
    "TRADE 2BUTTER, zucker": Trade(Amounts(butter=2, sugar=1)),
    "trade kartoffeln kaffee mehl butter zucker": Trade(Amounts(1, 1, 1, 1, 1)),
    "trade 2 butter 1 sugar butter": Trade(Amounts(butter=3, sugar=1)),
    "trade none, move 2": Trade(Amounts(), 2),
    "Trade nothing move 3": Trade(Amounts(), 3),
    "move 2": Trade(Amounts(), 2),
    "trade, move 1": Trade(Amounts(), 1),
    "play offer 12": Play("offer-12"),
    "play OFFER-12": Play("offer-12"),
    "play offer\u201012": Play("offer-12"),
    "play 3": Play("offer-3"),
    "play razzia": Play("razzia"),
    "play Waren knapp": Play("waren-knapp"),
    "play waren-knapp": Play("waren-knapp"),
    "play Schnelles Geschäft": Play("schnelles-geschaeft"),
    "play schnelles gescha\u0308ft": Play("schnelles-geschaeft"),
    "play neue ware entdeckt": Play("neue-ware"),
    "play neue ware": Play("neue-ware"),
    "play verdorbene": Play("verdorbene-ware"),
    "spy @1": Spy(1),
    "quick zucker": Quick("sugar"),
    "swap @1 sugar butter": Swap(1, 2, ("butter", "sugar")),
    "swap 2 butter @1": Swap(1, 2, ("butter", "butter")),
    "swap @2, mehl": Swap(2, 1, ("flour",)),
    "razzia @2 sugar": Raid(2, "sugar"),
    "raid sugar @2": Raid(2, "sugar"),
    "find sugar, butter, coffee, flour, potatoes": Find(("sugar", "butter", "coffee", "flour", "potatoes")),
    "collect @0": Collect(0),
}


@pytest.mark.parametrize("typed", TYPED)
def test_SM_5_what_people_type(typed: str) -> None:
    desk = Desk(3)
    assert parse(desk.terms, desk.sight(), typed) == TYPED[typed]
    assert parse(desk.terms, desk.sight(1), typed) == TYPED[typed], "also out of turn"


def test_SM_7_the_steps_are_filled_in_where_only_one_number_is_possible() -> None:
    desk = Desk(3).play("offer-1").price(35)
    assert parse(desk.terms, desk.sight(), "trade none") == Trade(Amounts(), 1)
    assert parse(desk.terms, desk.price(50).sight(), "trade nothing") == Trade(Amounts())
    with pytest.raises(IllegalMove, match="how far") as caught:
        parse(desk.terms, desk.price(10).sight(), "trade none")
    assert (caught.value.clause, caught.value.next) == ("SM-7", "add `move 1` to `move 3`")
    desk.public(in_force=("limit",))
    assert parse(desk.terms, desk.price(20).sight(), "trade none") == Trade(Amounts(), 1), "one field to the limit"
    assert parse(desk.terms, desk.price(25).sight(), "trade none") == Trade(Amounts())


UNCLEAR = {
    "": ("SM-5", "empty: write for example `play"),
    " , ,": ("SM-5", "empty"),
    "hello": ("SM-5", "'hello'"),
    "play": ("SM-5", "play needs a card"),
    "play offer": ("SM-5", "'offer'"),
    "play offer 22": ("SM-5", "there is no offer 22"),
    "play offer 0": ("SM-5", "there is no offer 0"),
    "play offer 1 2": ("SM-5", "no card 'offer12'"),
    "play razzia @1 sugar": ("SM-5", "no card 'razzia1sugar'"),
    "trade": ("SM-6", "trade needs goods: write for example `trade butter`"),
    "trade 2": ("SM-6", "cannot be read"),
    "trade 0 butter": ("SM-6", "from 1 to 999"),
    "trade 1000 butter": ("SM-6", "'1000'"),
    "trade 999 butter 1 sugar": ("SM-6", "cannot be read"),
    "trade -2 butter": ("SM-6", "no letter"),
    "trade 1 2 butter": ("SM-6", "'2'"),
    "trade none butter": ("SM-6", "'none'"),
    "trade buter": ("SM-6", "'buter'"),
    "trade butter, move 1": ("SM-7", "leave `move` out"),
    "trade none, move": ("SM-6", "move needs one number"),
    "move two": ("SM-6", "move needs one number"),
    "move \u0662": ("SM-6", "move needs one number"),
    "spy": ("SM-14", "one player is needed: write for example `spy @1`"),
    "spy @1 @2": ("SM-14", "one player"),
    "spy @7": ("SM-14", "seats are @0 to @2"),
    "spy @99999999999999999999": ("SM-14", "seats are @0 to @2"),
    "spy anna": ("SM-14", "there is no player 'anna'"),
    "quick": ("SM-15", "potatoes, coffee, flour, butter, sugar"),
    "quick butter sugar": ("SM-15", "one good"),
    "swap butter": ("SM-16", "one player"),
    "swap @1": ("SM-16", "goods to swap"),
    "swap @1 buter": ("SM-16", "cannot be read at 'buter'"),
    "razzia @1": ("SM-17", "one good"),
    "razzia @1 2 sugar": ("SM-17", "one good"),
    "razzia sugar": ("SM-17", "one player"),
    "find sugar": ("SM-18", "all five"),
    "find sugar sugar butter coffee flour": ("SM-18", "each once"),
    "find sugar butter coffee flour potatoes now": ("SM-18", "all five"),
    "collect": ("SM-20", "`collect @1`"),
    "butter": ("SM-5", "'butter'"),
    "x" * 401: ("SM-5", "too long"),
}


@pytest.mark.parametrize("typed", UNCLEAR)
def test_what_means_nothing_is_refused_with_clause_and_hint(typed: str) -> None:
    desk = Desk(3)
    with pytest.raises(IllegalMove) as caught:
        parse(desk.terms, desk.sight(), typed)
    clause, words = UNCLEAR[typed]
    assert caught.value.clause == clause
    assert words in f"{caught.value.message.removesuffix(f' ({clause})')}: {caught.value.next}"


def test_the_hint_fits_the_question() -> None:
    desk = Desk(3).play("razzia")
    for typed in ("", "sugar"):
        with pytest.raises(IllegalMove) as caught:
            parse(desk.terms, desk.sight(), typed)
        assert (caught.value.clause, caught.value.next) == ("SM-17", "write for example `razzia @2 sugar`")


STRANGE = ["\x1b[31mred", "trade \x07", "\u202ebutter", "a" * 300, "play " + "a b " * 90, "spy \x1b]0;x", "прочь @1"]


@pytest.mark.parametrize("typed", STRANGE)
def test_errors_never_echo_a_strangers_signs(typed: str) -> None:
    desk = Desk(3)
    with pytest.raises(IllegalMove) as caught:
        parse(desk.terms, desk.sight(), typed)
    told = f"{caught.value.message} {caught.value.next}"
    assert told.isascii()
    assert told.isprintable()
    assert "a" * 21 not in told
    assert "ab" * 11 not in told


def lines(desk: Desk) -> dict[str, Choice]:
    return {choice.text: choice for choice in legal(desk.terms, desk.sight())}


def test_SM_5_cards_are_listed_in_order_with_what_they_want_or_do() -> None:
    desk = Desk(3).cards(0, "offer-12", "offer-3", "neue-ware").goods(0, Amounts(coffee=3, sugar=1))
    listed = lines(desk)
    assert list(listed) == ["play offer 3", "play offer 12", "play neue ware"]
    assert listed["play offer 3"].note == "wants 4 flour; you hold none of it"
    assert listed["play offer 12"].note == "wants 2 coffee, 2 sugar; you hold 2 coffee, 1 sugar"
    assert listed["play neue ware"].note == "has no effect now", "it costs 5 and nobody has luxury yet"
    assert lines(desk.player(0, luxury=5))["play neue ware"].note.endswith("from the pile, for 5")


def test_SM_6_trades_tell_what_they_pay_and_end() -> None:
    desk = Desk(3).play("offer-6").price(13).goods(0, Amounts(potatoes=3, coffee=1))
    listed = lines(desk)
    assert {words: choice.note for words, choice in listed.items()} == {
        "trade 2 potatoes 1 coffee": "pays 39",
        "trade 2 potatoes": "pays 26",
        "trade potatoes coffee": "pays 26",
        "trade potatoes": "pays 13",
        "trade coffee": "pays 13",
        "trade none, move 1": "to 16",
        "trade none, move 2": "to 20",
        "trade none, move 3": "to 25",
    }
    desk.public(spoiled=True, wanted=Amounts(potatoes=2))
    assert lines(desk)["trade 2 potatoes"].note == "pays 19; completes the offer", "6 and 13"
    desk.goods(0, Amounts(potatoes=1))
    assert lines(desk)["trade potatoes"].note == "pays 6; your last goods: ends the half"
    assert lines(desk.public(half=2))["trade potatoes"].note == "pays 6; your last goods: ends the game"


def test_SM_13_SM_19_cards_in_force_shorten_the_list() -> None:
    desk = Desk(3).play("offer-6").price(20).public(in_force=("waren-knapp", "limit"))
    listed = lines(desk)
    assert list(listed) == ["trade potatoes", "trade coffee", "trade none, move 1"]
    assert listed["trade none, move 1"].note == "to 25, the last turn of the round"
    assert list(lines(desk.price(25))) == ["trade potatoes", "trade coffee", "trade none"]


def test_SM_16_few_swaps_are_listed_and_many_are_one_line() -> None:
    desk = Desk(3).play("zwangstausch").goods(0, Amounts(butter=2)).goods(2, Amounts(sugar=1))
    assert list(lines(desk)) == ["swap @1 butter", "swap @1 butter butter", "swap @2 butter"]
    (choice,) = legal(desk.terms, desk.goods(0, Amounts(2, 2, 2, 2, 1)).sight())
    assert choice.text.startswith("swap with one of @1, @2; give 1 to 2 of: 2 potatoes, 2 coffee")
    assert choice.move == Swap(1, 1, ("potatoes",))


def test_SM_14_SM_20_targets_come_clockwise_with_their_hands() -> None:
    desk = Desk(5).goods(2, Amounts()).goods(3, Amounts(sugar=4)).play("alte-rechnung")
    assert {words: choice.note for words, choice in lines(desk).items()} == {
        "collect @1": "holds 9",
        "collect @3": "holds 4",
        "collect @4": "holds 9",
    }
    assert list(lines(Desk(3).play("spionage"))) == ["spy @1", "spy @2"]


def test_SM_17_a_raid_may_be_aimed_at_an_empty_hand() -> None:
    desk = Desk(3).goods(1, Amounts()).play("razzia")
    listed = lines(desk)
    assert len(listed) == 10
    assert listed["razzia @1 potatoes"].note == "holds 0"


def test_large_offers_of_other_editions_are_one_line() -> None:
    desk = Desk(3, offers=(Amounts(4, 4, 4, 4, 4), *EDITION.offers[1:])).goods(0, Amounts(3, 3, 3, 3, 3))
    desk.play("offer-1")
    family, *moves = legal(desk.terms, desk.sight())
    assert family.text == "trade any of: 3 potatoes, 3 coffee, 3 flour, 3 butter, 3 sugar"
    assert ok(desk.terms, desk.sight(), family.move)
    assert [choice.text for choice in moves] == [f"trade none, move {steps}" for steps in (1, 2, 3, 4)]


def test_nobody_else_is_shown_moves() -> None:
    desk = Desk(4)
    assert legal(desk.terms, desk.sight(1)) == ()


def test_the_rules_hold_every_clause_once_with_its_mark() -> None:
    found = re.findall(r"^\*\*SM-(\d+)\*\* \(([SDFR](?:, [SDFR])*)\) \S", RULES, re.MULTILINE)
    assert [int(number) for number, _ in found] == list(range(1, 25))
    assert RULES.count("**SM-") == 24
    assert all(f"| {mark} |" in RULES for mark in "SDFR")


def test_the_tables_of_the_rules_are_those_of_the_edition() -> None:
    cards = re.findall(r"^\| (\w+) \| (\d+) \| (\d+) \|$", RULES, re.MULTILINE)
    assert cards == [(g, str(getattr(EDITION.goods, g)), str(getattr(EDITION.goods_expert, g))) for g in GOODS]
    assert f"| value | {' | '.join(map(str, EDITION.track))} |" in RULES
    assert f"| symbol | {' | '.join(str(steps or '-') for steps in EDITION.steps)} |" in RULES
    shapes = ["".join(sorted(str(getattr(offer, good)) for good in GOODS)) for offer in EDITION.offers]
    assert "| 1 to 5 | four of one good |" in RULES
    assert shapes[:5] == ["00004"] * 5
    assert "| 6 to 15 | two of one good and two of another, every pair once |" in RULES
    assert shapes[5:15] == ["00022"] * 10
    assert len(set(EDITION.offers)) == 21
    assert "| 16 to 20 | one each of four goods |" in RULES
    assert shapes[15:20] == ["01111"] * 5
    assert "| 21 | one of every good |" in RULES
    assert shapes[20:] == ["11111"]


def test_the_examples_of_the_rules_mean_the_same_in_both_forms() -> None:
    examples = re.findall(r"^\| `([^`]+)` \| `(\{[^`]+\})` \|$", RULES, re.MULTILINE)
    assert len(examples) == 11
    desk, kinds = Desk(3), set()
    for typed, json in examples:
        move = msgspec.json.decode(json, type=Move)
        assert parse(desk.terms, desk.sight(), typed) == move
        assert text(move) == typed
        kinds.add(type(move))
    assert kinds == {Play, Trade, Spy, Quick, Swap, Raid, Find, Collect}
