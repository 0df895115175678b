"""Random games: every one ends, nothing gets lost on the way, and the fallback is legal at every decision."""

import random
import re

import pytest
from msgspec.structs import astuple

from referee.game import seen
from referee.games.schwarzer_freitag import rules
from referee.games.schwarzer_freitag.types import COLOURS, Buy, Cases, Deal, Pass, Pos, Public, Sell, Silver, Turn
from tests.support.plain import Moment, play_out

from .build import EDITION, deal, random_move

BOX = {2: 5, 3: 2, 4: 1, 5: 0}
"""Cases of each colour that set-up leaves in the box."""
GAMES = 64
AMOUNT = re.compile(r"@\d (?:buys|sells) .* for (\d+)")


@pytest.mark.parametrize("chunk", range(4))
@pytest.mark.parametrize("cards", [True, False], ids=["cards", "plain"])
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_random_games_end_and_lose_nothing(seats: int, cards: bool, chunk: int) -> None:
    terms = deal(seats, cards)
    for seed in range(GAMES):
        before = None
        for moment in play_out(rules, terms, random_move, random.Random(f"{seats}/{cards}/{chunk}/{seed}")):
            assert_cases_are_all_there(moment, seats)
            if before is not None:
                assert_bars_and_money_add_up(terms, before, moment)
            assert_fallback_is_legal(terms, moment.position)
            before = moment.position
        assert before is not None
        assert before.public.silver == len(EDITION.silver_track) - 1
        assert_ranks(before)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_games_of_fallbacks_only_end(seats: int) -> None:
    """Everybody misses every deadline: SF-42 sees to the end."""
    for seed in range(10):
        moments = play_out(rules, deal(seats), lambda t, view, _: rules.fallback(t, view), random.Random(seed))
        assert list(moments)[-1].position.result is not None


def assert_cases_are_all_there(moment: Moment, seats: int) -> None:
    position, draws = moment.position, moment.draws
    public: Public = position.public
    bag = draws.bags["bag"]
    places = [public.market, public.purchase, public.silver_strip, *public.sale, *(own.shares for own in position.own)]
    on_table = [sum(numbers) for numbers in zip(*map(astuple, places), strict=True)]
    assert [n + bag.count(c) + BOX[seats] for n, c in zip(on_table, COLOURS, strict=True)] == [25] * 5
    assert (public.bag, public.bag_black) == (len(bag), bag.count("black"))
    mover = public.players[public.turn]
    assert not public.in_debt or mover.debt > mover.money
    assert public.bag_black + public.supply_black + public.stage_black + sum(public.sale_black) == 15
    for seat, (player, own) in enumerate(zip(public.players, position.own, strict=True)):
        hidden = [a - b for a, b in zip(astuple(own.shares), astuple(player.known), strict=True)]
        hand = draws.bags[f"hand/{seat}"]
        assert hidden == [hand.count(colour) for colour in COLOURS]
        assert player.unknown == len(hand)


def assert_bars_and_money_add_up(terms: Deal, before: Pos, moment: Moment) -> None:
    """Money less debt changes only by subsidies, trade and interest; bars only by buying them."""
    after: Pos = moment.position
    ((mover, move),) = moment.answers.items()
    if not isinstance(move, Turn):
        assert [p.money for p in after.public.players] == [0, 0]
        return
    trade = traded(terms, before.public, move, moment.log)
    for seat, (old, new) in enumerate(zip(before.public.players, after.public.players, strict=True)):
        interest = interest_due(before.public, after.public, move, old.subsidies, seat == mover)
        bars = 5 * (new.gold - old.gold) + new.silver - old.silver
        bought = move.action.bars if seat == mover and isinstance(move.action, Silver) else 0
        gain = 20 * (new.subsidies - old.subsidies) - interest + trade * (seat == mover)
        if after.result:
            held = astuple(before.own[seat].shares)
            if seat == mover:
                held = held_after(held, move)
            gain += sum(n * EDITION.prices[r][c] for n, (r, c) in zip(held, after.public.prices, strict=True))
            gain -= 100 * (bars - bought)
            assert new.money < 100
        else:
            assert bars == bought
        assert new.money - new.debt == old.money - old.debt + gain
        assert 0 <= new.silver < 5
        assert new.money >= 0
        assert new.subsidies <= terms.edition.stages[after.public.stage].subsidies


def traded(terms: Deal, public: Public, move: Turn, log: tuple[str, ...]) -> int:
    """What the action brought in (or cost, negative), as told to everybody and as the price table has it."""
    if move.action is None or isinstance(move.action, Pass):
        return 0
    (told,) = [int(found[1]) for line in log if (found := AMOUNT.match(line)) and "subsid" not in line][:1]
    if move.before.card is None:
        if isinstance(move.action, Silver):
            assert told == move.action.bars * EDITION.silver_track[public.silver]
        else:
            fields = zip(astuple(move.action.shares), public.prices, strict=True)
            assert told == sum(number * EDITION.prices[row][column] for number, (row, column) in fields)
    return told if isinstance(move.action, Sell) else -told


def interest_due(before: Public, after: Public, move: Turn, held: int, moves: bool) -> int:
    """1 for each subsidy held at each price change; the mover takes some before and some between them."""
    changes = after.price_changes - before.price_changes
    if not moves:
        return held * changes
    first = held + move.before.subsidies
    if changes == 1 and move.action is not None and not triggers(before, move, len(before.players)):
        return first + move.after.subsidies
    return first * changes + (move.after.subsidies if changes == 2 else 0)


def triggers(public: Public, move: Turn, seats: int) -> bool:
    """Does the action of this move set off a price change?"""
    full, left = (6, 4) if seats == 5 else (5, 5)
    if isinstance(move.action, Sell):
        strip = sum(astuple(public.sale[public.strip]))
        return strip - (move.action.mark is not None) <= left
    strip = public.purchase if isinstance(move.action, Buy) else public.silver_strip
    card = move.before.card is not None and not isinstance(move.action, Buy)
    return move.action.mark is not None and sum(astuple(strip)) + card + 1 == full


def held_after(held: tuple[int, ...], move: Turn) -> tuple[int, ...]:
    sign = {Buy: 1, Sell: -1}.get(type(move.action), 0)
    shares = astuple(move.action.shares) if sign else astuple(Cases())
    return tuple(a + sign * b for a, b in zip(held, shares, strict=True))


def assert_fallback_is_legal(terms: Deal, position: Pos) -> None:
    for ask in position.pending:
        view = seen(position, ask.seat)
        rules.check(terms, view, rules.fallback(terms, view))


def assert_ranks(position: Pos) -> None:
    result = position.result
    assert result is not None
    assert not position.pending
    assert result.scores == tuple((p.gold, p.silver, p.money) for p in position.public.players)
    best_first = sorted(result.scores, reverse=True)
    assert result.ranks == tuple(best_first.index(score) + 1 for score in result.scores)
