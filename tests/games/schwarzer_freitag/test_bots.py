"""The scripted players: `random` is fair to every legal action, `sensible` plays better than that."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from math import sqrt

import pytest

from referee.errors import IllegalMove
from referee.games.schwarzer_freitag import GAME, rules
from referee.games.schwarzer_freitag.bots import random_action, random_move
from referee.games.schwarzer_freitag.bots_sensible import sensible_move
from referee.games.schwarzer_freitag.bots_strong import strong_move
from referee.games.schwarzer_freitag.lookups import cases_of
from referee.games.schwarzer_freitag.scratch import Scratch
from referee.games.schwarzer_freitag.types import (
    COLOURS,
    Action,
    Buy,
    Cases,
    Deal,
    More,
    Move,
    Pass,
    Sell,
    Sight,
    Silver,
)
from tests.support.plain import play_out

from .build import Desk, cases, deal, plain_draws


def every_action(units: int) -> Iterator[Action]:
    """Everything that can be written down with at most this many units, legal or not."""
    marks = (*COLOURS, None)
    for mark in marks:
        yield Pass(mark)
        for bars in range(1, units + 1):
            yield Silver(bars, mark)
    for numbers in product(range(units + 1), repeat=len(COLOURS)):
        if sum(numbers) <= units:
            for mark in marks:
                yield Buy(Cases(*numbers), mark)
                for drop in COLOURS:
                    yield Sell(Cases(*numbers), drop, mark)


def legal_actions(desk: Desk, units: int = 3) -> set[Action]:
    """Found by trying out everything."""

    def is_legal(action: Action) -> bool:
        try:
            rules.check(desk.terms, desk.view(), action)
        except IllegalMove:
            return False
        return True

    return {action for action in every_action(units) if is_legal(action)}


def working(desk: Desk) -> Scratch:
    """The working copy of the player who is asked."""
    return Scratch(desk.terms, desk.now, cases_of(desk.view().hand("hand")))


def trader() -> Desk:
    """Few of everything, money for some of it; buying can empty a colour, and one sold colour is not on the strip."""
    desk = Desk(4).public(stage=2, market=Cases(red=2, blue=1, green=1), sale=(Cases(red=3, blue=3), Cases(), Cases()))
    return desk.prices(red=16, blue=10, green=28).hold(0, Cases(green=1, red=2)).player(0, money=42)


def debtor() -> Desk:
    """No room for subsidies: the sale must bring 10, which takes two shares or a green one."""
    desk = Desk(4).public(stage=2).prices(red=6, green=12).hold(0, Cases(green=1, red=2, blue=1))
    return desk.player(0, debt=10, subsidies=3)


POSITIONS: dict[str, Callable[[], Desk]] = {
    "trader": trader,
    "debtor": debtor,
    "empty market": lambda: Desk(4).public(market=Cases()).player(0, money=25).hold(0, Cases(red=1)),
    "last of all": lambda: Desk(2).public(market=Cases(red=1, blue=1)).player(0, money=30).hold(0),
    "+1 cards": lambda: Desk(2).public(market=Cases(red=3)).player(0, money=30).hold(0, Cases(red=1, blue=3)),
    "empty strip": lambda: Desk(3).public(sale=(Cases(), Cases(), Cases())).hold(0, Cases(red=1, blue=1)),
    "helpless debtor": lambda: Desk(4).player(0, debt=10, subsidies=2, money=7),
}


@pytest.mark.parametrize("name", POSITIONS)
def test_random_is_uniform_over_all_legal_actions(name: str) -> None:
    desk = POSITIONS[name]()
    legal = legal_actions(desk)
    rng = random.Random(name)
    samples = 100 * len(legal)
    found = Counter(random_action(working(desk), rng.randrange) for _ in range(samples))
    assert set(found) == legal
    chi_square = sum((number - 100) ** 2 / 100 for number in found.values())
    freedom = len(legal) - 1
    assert chi_square < freedom + 4 * sqrt(2 * freedom) + 1


def test_random_uses_one_equally_likely_number_for_each_action() -> None:
    desk = trader()
    asked: list[int] = []
    actions = set()
    for at in range(len(legal_actions(desk))):

        def below(number: int, at: int = at) -> int:
            asked.append(number)
            return at

        actions.add(random_action(working(desk), below))
    assert set(asked) == {len(legal_actions(desk))}
    assert actions == legal_actions(desk)


@pytest.mark.parametrize("debt", [25, 45])
def test_SF_29_a_debtor_without_shares_plays_freely(debt: int) -> None:
    desk, kinds = Desk(4).player(0, debt=debt, money=20), set()
    for seed in range(40):
        move = random_move(desk.terms, desk.view(), random.Random(seed).randrange)
        rules.check(desk.terms, desk.view(), move)
        kinds.add(type(move))
    assert kinds >= {Pass, Buy}


def sensible(desk: Desk) -> Action:
    """The move of the sensible bot, which must be legal."""
    move = sensible_move(desk.terms, desk.view(), lambda _: 0)
    rules.check(desk.terms, desk.view(), move)
    assert isinstance(move, Action)
    return move


@pytest.mark.parametrize("name", POSITIONS)
def test_sensible_is_legal_and_leaves_nothing_to_chance(name: str) -> None:
    desk = POSITIONS[name]()
    moves = {sensible_move(desk.terms, desk.view(), random.Random(seed).randrange) for seed in range(5)}
    assert moves == {sensible(desk)}


def test_sensible_takes_a_subsidy_to_buy_the_cheap_colour_the_bag_is_full_of() -> None:
    desk = Desk(4).public(market=Cases(8, 8, 2, 8, 8)).hold(0)
    assert sensible(desk) == Buy(Cases(red=1), "red", before=(1,))


def test_sensible_turns_money_into_silver_when_shares_are_dear() -> None:
    desk = Desk(4).public(silver=8, stage=8).prices(**dict.fromkeys(COLOURS, 238)).hold(0).player(0, money=120)
    assert isinstance(sensible(desk), Silver)
    desk.hold(0, Cases(red=5)).player(0, money=0, subsidies=7)
    assert isinstance(sensible(desk), Sell), "a share buys more bars now than at the end"


def test_SF_24_sensible_keeps_the_PASS_card_for_a_rise_that_pays() -> None:
    desk = Desk(4).prices(red=44).hold(0, Cases(red=4)).player(0, money=7, subsidies=2, cards=(("pass",),))
    assert isinstance(sensible(desk), Buy)
    assert sensible(desk).after == ()
    desk.public(silver_strip=cases("red", "red"))
    assert isinstance(sensible(desk), Buy)
    assert sensible(desk).after == ("red",)
    desk.hold(0, Cases(red=1))
    assert sensible(desk).after == (), "so little is not worth the card"


@pytest.mark.parametrize("name", ["trader", "debtor", "empty market", "+1 cards"])
def test_strong_is_legal_and_the_same_for_the_same_chance(name: str) -> None:
    desk = POSITIONS[name]()
    moves = [strong_move(desk.terms, desk.view(), random.Random(7).randrange) for _ in range(2)]
    rules.check(desk.terms, desk.view(), moves[0])
    assert moves[0] == moves[1]


def test_strong_answers_whatever_is_asked() -> None:
    desk = Desk(2)
    desk.step = rules.setup(desk.terms, plain_draws(desk.terms, dice=[1]))
    desk.do(strong_move(desk.terms, desk.view(), random.Random(1).randrange))
    assert desk.asked() == (1, "place")
    held = Desk(4)
    held.do(Pass("red", hold=True))
    assert strong_move(held.terms, held.view(), random.Random(1).randrange) == More()


def test_strong_knows_nothing_but_what_it_sees() -> None:
    """Two worlds that look the same to a seat: the same move."""
    moves = set()
    for other in (cases("red", "blue"), cases("green", "orange")):
        desk = trader().hold(1, hidden=other)
        moves.add(strong_move(desk.terms, desk.view(), random.Random(3).randrange))
    assert len(moves) == 1


def play(terms: Deal, bots: list[str], seed: int) -> tuple[int, ...]:
    """The ranks of a game between these bots."""

    def choose(deal: Deal, view: Sight, rng: random.Random) -> Move:
        move: Move = GAME.bots[bots[view.seat]](deal, view, rng.randrange)
        return move

    *_, last = play_out(GAME, terms, choose, random.Random(seed))
    assert last.step.result is not None
    ranks: tuple[int, ...] = last.step.result.ranks
    return ranks


@pytest.mark.thorough
@pytest.mark.parametrize(("seats", "games"), [(2, 12), (3, 12), (4, 12), (5, 10)])
def test_sensible_beats_random_from_every_seat(seats: int, games: int) -> None:
    wins = 0
    for seed in range(games):
        seat = seed % seats
        bots = ["sensible" if at == seat else "random" for at in range(seats)]
        wins += play(deal(seats, cards=seed % 3 > 0), bots, seed)[seat] == 1
    assert wins > 0.8 * games


def test_SF_42_sensible_players_do_not_sit_out_an_empty_market() -> None:
    desk = Desk(4).public(market=Cases(), stage=4, stage_black=5).prices(red=60, blue=60)
    for seat in range(4):
        desk.hold(seat, Cases(red=3, blue=3))
    assert isinstance(sensible(desk), Sell)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_games_among_sensible_players_end(seats: int) -> None:
    for seed in range(3):
        assert sorted(play(deal(seats), ["sensible"] * seats, seed))[0] == 1
