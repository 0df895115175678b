"""Moves as text, the list of legal moves, and the document of the rules."""

import random
import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from referee.errors import IllegalMove
from referee.forms import Choice
from referee.games import rules_text
from referee.games.schwarzmarkt import GAME
from referee.games.schwarzmarkt.bots import random_move
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
    Words,
)
from referee.games.schwarzmarkt.words import text
from referee.games.schwarzmarkt.words_list import legal
from referee.language import with_names
from referee.show.mentions import without_names
from tests.support.often import often
from tests.support.plain import play_out
from tests.support.typing import parsing

from .build import EDITION, Desk, deal

parse = parsing("schwarzmarkt")
RULES = rules_text("schwarzmarkt")
NAMES = ("Anna", "Bert", "Carla", "Dirk")


def by_bot(terms: Deal, view: Sight, rng: random.Random) -> Move:
    return random_move(terms, view, rng.randrange)


def decisions(seats: int, games: int, **edition: Any) -> Iterator[tuple[Deal, Sight, Move]]:
    """Every decision of some random games, with the move that was made."""
    for seed in range(games):
        terms, before = deal(seats, expert=seed % 2 > 0, **edition), None
        for moment in play_out(GAME, terms, by_bot, random.Random(f"{seats}/{seed}")):
            if len(moment.answers) == 1 and before is not None:
                (move,) = moment.answers.values()
                yield terms, before, move
            before = moment.seen(moment.step.pending[0].seat) if moment.step.pending else None


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.thorough
def test_every_move_survives_its_text_form(seats: int) -> None:
    kinds = set()
    for terms, view, move in decisions(seats, often(3)):
        assert parse(terms, view, text(move)) == move
        assert parse(terms, view, f"  {text(move).upper().replace(' ', ' , ')}, ") == move
        kinds.add(type(move))
    assert kinds == {Play, Trade, Spy, Quick, Swap, Raid, Find, Collect}


BUTTER, NOTHING = Amounts(butter=2), Amounts()
RANKING: tuple[Any, ...] = ("sugar", "butter", "coffee", "flour", "potatoes")
TYPED: dict[str, dict[str, Move]] = {
    "offer-20": {
        "trade butter butter": Trade(BUTTER),
        "trade 2 butter": Trade(BUTTER),
        "2 butter": Trade(BUTTER),
        "sell 2 butter and then sit out": Trade(BUTTER, 0, 1),
        "TRADE 2BUTTER, zucker": Trade(Amounts(butter=2, sugar=1)),
        "trade kartoffeln kaffee mehl butter zucker": Trade(Amounts(1, 1, 1, 1, 1)),
        "trade 2 butter 1 sugar butter": Trade(Amounts(butter=3, sugar=1)),
        "trade 1 potato": Trade(Amounts(potatoes=1)),
        "1 potato, 2 flour": Trade(Amounts(potatoes=1, flour=2)),
        "trade 2 potatoes 1 potato": Trade(Amounts(potatoes=3)),
        "trade none, move 2": Trade(NOTHING, 2),
        "Trade nothing move 3": Trade(NOTHING, 3),
        "none, move 3": Trade(NOTHING, 3),
        "pass: move 3": Trade(NOTHING, 3),
        "move 2": Trade(NOTHING, 2),
        "trade, move 1": Trade(NOTHING, 1),
        "move 2, sit out": Trade(NOTHING, 2, 2),
        "move 2, sit out 1": Trade(NOTHING, 2, 1),
        "sit out 1, move 2": Trade(NOTHING, 2, 1),
        "trade none, move 1, ask again": Trade(NOTHING, 1),
        "sit out": Trade(NOTHING, 1, 1),
        "sit out 2": Trade(NOTHING, 2, 2),
        "trade all": Trade(Amounts(1, 1, 1, 1, 0)),
        "trade 2x butter": Trade(BUTTER),
        "trade butter, sit out 3": Trade(Amounts(butter=1), 0, 3),
    },
    "": {
        "play offer 12": Play("offer-12"),
        "play offer twelve": Play("offer-12"),
        "offer 12": Play("offer-12"),
        "play OFFER-12": Play("offer-12"),
        "play offer\u201012": Play("offer-12"),
        "play 3": Play("offer-3"),
        "play razzia": Play("razzia"),
        "razzia": Play("razzia"),
        "play Waren knapp": Play("waren-knapp"),
        "play waren-knapp": Play("waren-knapp"),
        "play Schnelles Geschäft": Play("schnelles-geschaeft"),
        "play schnelles gescha\u0308ft": Play("schnelles-geschaeft"),
        "play neue ware entdeckt": Play("neue-ware"),
        "play neue ware": Play("neue-ware"),
        "play verdorbene": Play("verdorbene-ware"),
        "play offer 12, trade 2 butter": Play("offer-12", Trade(BUTTER)),
        "play offer 12: 2 butter, sit out 1": Play("offer-12", Trade(BUTTER, 0, 1)),
        "play 12, then none, move 4": Play("offer-12", Trade(NOTHING, 4)),
        "play offer 12 and move 2 and sit out": Play("offer-12", Trade(NOTHING, 2, 2)),
        "play razzia, razzia @2 sugar": Play("razzia", Raid(2, "sugar")),
        "play razzia @2 sugar": Play("razzia", Raid(2, "sugar")),
        "razzia @2 sugar": Play("razzia", Raid(2, "sugar")),
        "play spionage, spy @1": Play("spionage", Spy(1)),
        "play spionage @1": Play("spionage", Spy(1)),
        "play schnelles geschäft: zucker": Play("schnelles-geschaeft", Quick("sugar")),
        "play schnelles quick sugar": Play("schnelles-geschaeft", Quick("sugar")),
        "play alte rechnung, collect @2": Play("alte-rechnung", Collect(2)),
        "alte rechnung @2": Play("alte-rechnung", Collect(2)),
        "spy @1": Spy(1),
    },
    "spionage": {"spy @1": Spy(1), "@1": Spy(1), "spionage @2": Spy(2)},
    "schnelles-geschaeft": {
        "quick zucker": Quick("sugar"),
        "sugar": Quick("sugar"),
        "schnelles geschäft: sugar": Quick("sugar"),
        "quick potato": Quick("potatoes"),
    },
    "zwangstausch": {
        "swap @1 sugar butter": Swap(1, 2, ("butter", "sugar")),
        "swap 2 butter @1": Swap(1, 2, ("butter", "butter")),
        "swap @2, mehl": Swap(2, 1, ("flour",)),
        "swap a sugar with @2": Swap(2, 1, ("sugar",)),
        "zwangstausch @2: 1 potato": Swap(2, 1, ("potatoes",)),
        "@2 sugar": Swap(2, 1, ("sugar",)),
    },
    "razzia": {
        "razzia @2 sugar": Raid(2, "sugar"),
        "raid on @2 for sugar": Raid(2, "sugar"),
        "raid sugar @2": Raid(2, "sugar"),
        "@2 sugar": Raid(2, "sugar"),
    },
    "neue-ware": {
        "find sugar, butter, coffee, flour, potatoes": Find(RANKING),
        "rank zucker butter kaffee mehl kartoffeln": Find(RANKING),
        "sugar butter coffee flour potato": Find(RANKING),
        "neue ware entdeckt: sugar butter coffee flour potato": Find(RANKING),
    },
    "alte-rechnung": {
        "collect @1": Collect(1),
        "take @1": Collect(1),
        "alte rechnung @1": Collect(1),
        "@1": Collect(1),
    },
}
"""After a card has been played (or none): what is typed, and what it means."""


@pytest.mark.parametrize(("card", "typed"), [(card, typed) for card, lines in TYPED.items() for typed in lines])
def test_SM_5_what_people_type(card: str, typed: str) -> None:
    desk = Desk(3).player(0, luxury=5)
    if card:
        desk.play(card)
    assert parse(desk.terms, desk.sight(), typed) == TYPED[card][typed]


@pytest.mark.parametrize("card", TYPED)
def test_SM_5_whole_moves_can_be_read_whatever_is_asked(card: str) -> None:
    desk = Desk(3)
    for move in TYPED[card].values():
        if not isinstance(move, Raid):
            assert parse(desk.terms, desk.sight(1), text(move)) == move


def test_SM_7_the_steps_are_filled_in_where_only_one_number_is_possible() -> None:
    desk = Desk(3).play("offer-1").price(35)
    assert parse(desk.terms, desk.sight(), "trade none") == Trade(Amounts(), 1)
    assert parse(desk.terms, desk.price(50).sight(), "trade nothing") == Trade(Amounts())
    with pytest.raises(IllegalMove, match="how far") as caught:
        parse(desk.terms, desk.price(10).sight(), "trade none")
    assert (caught.value.clause, str(caught.value.next)) == ("SM-7", "write for example `trade none, move 1`")
    desk.public(in_force=("limit",))
    assert parse(desk.terms, desk.price(20).sight(), "trade none") == Trade(Amounts(), 1), "one field to the limit"
    assert parse(desk.terms, desk.price(25).sight(), "trade none") == Trade(Amounts())


def test_SM_6_all_means_what_is_wanted_and_held() -> None:
    desk = Desk(3).play("offer-6").goods(0, Amounts(potatoes=1, coffee=3, sugar=2))
    assert parse(desk.terms, desk.sight(), "trade all") == Trade(Amounts(potatoes=1, coffee=2))
    with pytest.raises(IllegalMove, match="nothing that is wanted"):
        parse(desk.terms, desk.goods(0, Amounts(sugar=2)).sight(), "trade all")


UNCLEAR = {
    "": ("SM-5", "empty: write for example `play"),
    " , ,": ("SM-5", "empty"),
    "hello": ("SM-5", "'hello'"),
    "play": ("SM-5", "play needs a card"),
    "play offer": ("SM-5", "an offer is named by its number"),
    "play neue ware, sugar": ("SM-25", "nothing is decided together"),
    "play offer 22": ("SM-5", "there is no offer 22"),
    "play offer 0": ("SM-5", "there is no offer 0"),
    "play offer 1 2": ("SM-6", "cannot be read"),
    "play raziza": ("SM-5", "'raziza' is unknown, did you mean razzia?"),
    "plya offer 3": ("SM-5", "'plya' is unknown, did you mean play?"),
    "play limit, razzia @1 sugar": ("SM-25", "nothing is decided together with that card"),
    "play zwangstausch, swap @1 sugar": ("SM-25", "nothing is decided together with that card"),
    "play neue ware, find sugar butter coffee flour potatoes": ("SM-25", "nothing is decided together"),
    "play razzia @1": ("SM-17", "one good is needed"),
    "play one": ("SM-5", "cannot be read at 'one'"),
    "1 move trade": ("SM-6", "move needs one number from 1 to 999"),
    "play offer 3, trade none": ("SM-7", "must say how far the marker moves"),
    "trade": ("SM-6", "trade needs goods: write for example `play offer "),
    "trade sit out 2": ("SM-6", "the goods to trade cannot be read"),
    "trade 2": ("SM-6", "cannot be read"),
    "trade 0 butter": ("SM-6", "the goods to trade cannot be read"),
    "trade 1000 butter": ("SM-6", "the goods to trade cannot be read"),
    "trade 999 butter 1 sugar": ("SM-6", "cannot be read"),
    "trade -2 butter": ("SM-6", "the goods to trade cannot be read"),
    "trade 1 2 butter": ("SM-6", "the goods to trade cannot be read"),
    "trade none butter": ("SM-6", "the goods to trade cannot be read"),
    "trade buter": ("SM-6", "'buter' is unknown, did you mean butter?"),
    "trade 2 suger": ("SM-6", "'suger' is unknown, did you mean sugar?"),
    "trade 2 iron": ("SM-6", "'iron'"),
    "trade butter, move 1": ("SM-7", "after a trade the marker moves by itself"),
    "trade none, move": ("SM-6", "move needs one number"),
    "trade none, move 1, move 2": ("SM-6", "move is said twice"),
    "trade butter, sit out for weeks": ("SM-6", "'weeks' is unknown"),
    "trade butter, ask somebody": ("SM-6", "'somebody' is unknown"),
    "move twice": ("SM-6", "'twice' is unknown"),
    "move \u0662": ("SM-6", "move needs one number"),
    "spy": ("SM-14", "one player is needed"),
    "spy @1 @2": ("SM-14", "one player"),
    "spy @7": ("SM-14", "there are @0, @1, @2"),
    "spy @99999999999999999999": ("SM-14", "there are @0, @1, @2"),
    "spy anna": ("SM-14", "'anna' is unknown"),
    "quick": ("SM-15", "potatoes, coffee, flour, butter, sugar"),
    "quick butter sugar": ("SM-15", "one good"),
    "quick cofee": ("SM-15", "'cofee' is unknown, did you mean coffee?"),
    "swap butter": ("SM-16", "one player"),
    "swap @1": ("SM-16", "goods to swap"),
    "swap @1 buter": ("SM-16", "'buter' is unknown, did you mean butter?"),
    "raid @1": ("SM-17", "one good"),
    "raid @1 2 sugar": ("SM-17", "one good"),
    "raid sugar": ("SM-17", "one player"),
    "find sugar": ("SM-18", "all five"),
    "find sugar sugar butter coffee flour": ("SM-18", "each once"),
    "find sugar butter coffe flour potatoes": ("SM-18", "did you mean coffee?"),
    "collect": ("SM-20", "one player is needed"),
    "butter": ("SM-5", "'butter'"),
}


@pytest.mark.parametrize("typed", UNCLEAR)
def test_what_means_nothing_is_refused_with_clause_and_hint(typed: str) -> None:
    desk = Desk(3)
    with pytest.raises(IllegalMove) as caught:
        parse(desk.terms, desk.sight(), typed)
    clause, words = UNCLEAR[typed]
    assert caught.value.clause == clause
    assert words in f"{str(caught.value.message).removesuffix(f' ({clause})')}: {caught.value.next}"


def test_the_hint_fits_the_question() -> None:
    desk = Desk(3).play("razzia")
    for typed in ("", "hello"):
        with pytest.raises(IllegalMove) as caught:
            parse(desk.terms, desk.sight(), typed)
        assert (caught.value.clause, str(caught.value.next)) == ("SM-17", "write for example `razzia @1 potatoes`")


STRANGE = ["\x1b[31mred", "trade \x07", "\u202ebutter", "a" * 300, "play " + "a b " * 80, "spy \x1b]0;x", "прочь @1"]


@pytest.mark.parametrize("typed", STRANGE)
def test_errors_never_echo_a_strangers_signs(typed: str) -> None:
    desk = Desk(3)
    with pytest.raises(IllegalMove) as caught:
        parse(desk.terms, desk.sight(), typed)
    told = f"{caught.value.message} {caught.value.next}"
    assert told.isprintable()
    assert "a" * 21 not in told
    assert "ab" * 11 not in told


def lines(desk: Desk) -> dict[str, Choice]:
    return {choice.text: choice for choice in legal(desk.terms, desk.sight())}


def test_SM_5_cards_are_listed_in_order_with_what_they_want_or_do() -> None:
    desk = Desk(3).cards(0, "offer-12", "offer-3", "neue-ware").goods(0, Amounts(coffee=3, sugar=1))
    listed = lines(desk)
    assert [words for words in listed if "at once" not in words] == ["play offer 3", "play offer 12", "play neue ware"]
    assert listed["play offer 3"].note == "wants 4 flour; you hold none of it"
    assert listed["play offer 12"].note == "wants 2 coffee, 2 sugar; you hold 2 coffee, 1 sugar"
    assert listed["play neue ware"].note == "has no effect now", "it costs 5 and nobody has luxury yet"
    assert lines(desk.player(0, luxury=5))["play neue ware"].note.endswith("from the pile, for 5")


def test_SM_6_trades_tell_what_they_pay_and_end() -> None:
    desk = Desk(3).play("offer-6").price(13).goods(0, Amounts(potatoes=3, coffee=1))
    listed = {words: choice.note for words, choice in lines(desk).items()}
    sitting_out = "trade none, move, and sit out the rest of this trade round"
    assert listed.pop(sitting_out) == "you are not asked again before its end"
    assert listed == {
        "trade up to 3 of: 2 potatoes, 1 coffee (13 each)": "`trade 2 potatoes 1 coffee` pays 39",
        "trade none, move 1": "to 16",
        "trade none, move 2": "to 20",
        "trade none, move 3": "to 25",
    }
    desk.public(spoiled=True, wanted=Amounts(potatoes=2))
    words = "trade up to 2 of: 2 potatoes (13 each, the first 6)"
    assert lines(desk)[words].note == "`trade 2 potatoes` pays 19; completes the offer", "6 and 13"
    desk.goods(0, Amounts(potatoes=1))
    words = "trade one of: 1 potato (13 each, the first 6)"
    assert lines(desk)[words].note == "`trade potato` pays 6; your last goods: ends the half"
    assert lines(desk.public(half=2))[words].note == "`trade potato` pays 6; your last goods: ends the game"


def test_SM_13_SM_19_cards_in_force_shorten_the_list() -> None:
    desk = Desk(3).play("offer-6").price(20).public(in_force=("waren-knapp", "limit"))
    family, move, _ = legal(desk.terms, desk.sight())
    assert family.text == "trade one of: 2 potatoes, 2 coffee (20 each)"
    assert (move.text, move.note) == ("trade none, move 1", "to 25, the last turn of the round")
    desk.price(25)
    assert list(lines(desk)) == ["trade one of: 2 potatoes, 2 coffee (25 each)", "trade none"]


def test_SM_14_SM_20_targets_come_clockwise_with_their_hands() -> None:
    desk = Desk(5).goods(2, Amounts()).goods(3, Amounts(sugar=4)).play("alte-rechnung")
    assert {words: choice.note for words, choice in lines(desk).items()} == {
        "collect @1": "holds 9",
        "collect @3": "holds 4",
        "collect @4": "holds 9",
    }
    assert list(lines(Desk(3).play("spionage"))) == ["spy @1", "spy @2"]


def test_SM_17_a_raid_is_one_line_and_may_be_aimed_at_an_empty_hand() -> None:
    desk = Desk(3).goods(1, Amounts()).play("razzia")
    (choice,) = legal(desk.terms, desk.sight())
    assert choice.text == "razzia at one player for one good"
    assert choice.note == "@1 holds 0, @2 holds 9"


def test_large_offers_and_steps_of_other_editions_are_one_line_each() -> None:
    offers, steps = (Amounts(4, 4, 4, 4, 4), *EDITION.offers[1:]), (*[9] * 13, 0)
    desk = Desk(3, offers=offers, steps=steps).goods(0, Amounts(3, 3, 3, 3, 3)).play("offer-1")
    assert list(lines(desk)) == [
        "trade up to 15 of: 3 potatoes, 3 coffee, 3 flour, 3 butter, 3 sugar (1 each)",
        "trade none, move 1 to 9",
        "trade none, move, and sit out the rest of this trade round",
    ]


def test_nobody_else_is_shown_moves() -> None:
    desk = Desk(4)
    assert legal(desk.terms, desk.sight(1)) == ()


def test_the_rules_hold_every_clause_once_and_explain_every_mark() -> None:
    found = re.findall(r"^\*\*SM-(\d+)\*\* \S", RULES, re.MULTILINE)
    assert [int(number) for number in found] == list(range(1, 28))
    assert RULES.count("**SM-") == 27
    used = set(re.findall(r"\[([A-Z])(?::[^]]+)?\]", RULES))
    assert used == set(re.findall(r"^\| ([A-Z]) \|", RULES, re.MULTILINE)) == set("SDAFR")


def test_the_tables_of_the_rules_are_those_of_the_edition() -> None:
    cards = re.findall(r"^\| ([a-z]+) \| (\d+) \| (\d+) \|$", RULES, re.MULTILINE)
    assert cards == [(g, str(getattr(EDITION.goods, g)), str(getattr(EDITION.goods_expert, g))) for g in GOODS]
    assert f"| value | {' | '.join(map(str, EDITION.track))} |" in RULES
    assert f"| symbol | {' | '.join(str(steps or '-') for steps in EDITION.steps)} |" in RULES
    shapes = ["".join(sorted(str(getattr(offer, good)) for good in GOODS)) for offer in EDITION.offers]
    assert "| 1 to 5 | two of one good and two of another |" in RULES
    assert shapes[:5] == ["00022"] * 5
    assert "| 6 to 15 | two of one good and one each of two others |" in RULES
    assert shapes[5:15] == ["00112"] * 10
    assert len(set(EDITION.offers)) == 21
    assert "| 16 to 20 | one each of four goods |" in RULES
    assert shapes[15:20] == ["01111"] * 5
    assert "| 21 | one of every good |" in RULES
    assert shapes[20:] == ["11111"]


def test_the_examples_of_the_rules_mean_the_same_in_both_forms() -> None:
    examples = re.findall(r"^\| `([^`]+)` \| `(\{[^`]+\})` \|$", RULES, re.MULTILINE)
    assert len(examples) == 15
    desk, kinds = Desk(3), set()
    for typed, json in examples:
        move = msgspec.json.decode(json, type=Move)
        sight = (Desk(3).play("razzia") if isinstance(move, Raid) else desk).sight()
        assert parse(desk.terms, sight, typed) == move
        assert text(move) == typed
        kinds.add(type(move))
    assert kinds == {Play, Trade, Spy, Quick, Swap, Raid, Find, Collect}


def test_the_commands_of_the_rules_say_moves_and_standing_orders() -> None:
    assert GAME.standing is not None
    desk, said = Desk(3), []
    for typed in re.findall(r'referee play view.json --move "(.+)"', RULES):
        move, *words = typed.split("; ")
        assert with_names(text(parse(desk.terms, desk.sight(), without_names(move, NAMES))), NAMES) == move
        said += [GAME.standing.parse(desk.terms, Words(), phrase) for phrase in words]
    assert said == [Words(10), Words()]
