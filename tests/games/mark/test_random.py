"""Random games: every one ends, nothing gets lost on the way, and the fallback is legal at every decision."""

import itertools
import random
import re
from collections import Counter

import pytest

from referee.errors import IllegalMove
from referee.game import Ask, seen
from referee.games.mark import rules
from referee.games.mark.actions import actions, purchases
from referee.games.mark.tables import rolled_kinds
from referee.games.mark.types import FIELDS, KINDS, Bid, Buy, Deal, Move, Offer, Pos, Process, Public, Sell, Shift, Take
from tests.support.plain import Moment, play_out

from .build import EDITION, deal, random_move

GAMES = 43
SWITCHES = ("buy", "move", "offer", "liquidation")
COMBINATIONS = [dict(zip(SWITCHES, on, strict=True)) for on in itertools.product((True, False), repeat=4)]
NEAR = [field for field in FIELDS if field[1] <= "5"]
EVERY_MOVE: list[Move] = [
    *(move(kind, field) for move in (Buy, Take) for kind in KINDS for field in NEAR),
    *(move(source, target) for move in (Shift, Process) for source in NEAR for target in NEAR),
    *(Sell(source, row) for source in NEAR for row in (None, *range(6))),
]
"""Of those with a piece; one field and one row more than there are."""
BANK = -1
PAYS = [
    re.compile(r"@(?P<who>\d) buys \w+ for (?P<amount>\d+)"),
    re.compile(r"@(?P<who>\d) moves \w+ from \w+ to \w+ for (?P<amount>\d+)"),
    re.compile(r"@(?P<who>\d) pays (?P<amount>\d+) for storage"),
    re.compile(r"@(?P<who>\d) wins \w+ for (?P<amount>\d+) from (?:the bank|@(?P<other>\d))"),
]
EARNS = [
    re.compile(r"@(?P<who>\d) sells \w+ for (?P<amount>\d+) in row \d"),
    re.compile(r"nobody bids, the bank takes \w+ from @(?P<who>\d) for (?P<amount>\d+)"),
]
"""Lines that tell of money: who pays or earns how much; the other side is the bank if nobody is named."""


def name(options: dict[str, bool]) -> str:
    return "+".join(switch for switch in SWITCHES if options[switch]) or "base"


@pytest.mark.parametrize("options", COMBINATIONS, ids=name)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_random_games_end_and_lose_nothing(seats: int, options: dict[str, bool]) -> None:
    terms = deal(seats, **options)
    for seed in range(GAMES):
        before: Pos | None = None
        accounts = Counter({BANK: 0} | dict.fromkeys(range(seats), 30))
        for moment in play_out(rules, terms, random_move, random.Random(f"{seats}/{name(options)}/{seed}")):
            assert_pieces_are_all_there(moment.position.public)
            book(accounts, moment.log)
            assert [accounts[seat] for seat in range(seats)] == [p.money for p in moment.position.public.players]
            assert sum(accounts.values()) == 30 * seats
            assert_who_is_asked(terms, moment.position)
            assert_fallback_is_legal(terms, moment.position)
            if before is not None:
                assert_only_what_counts_is_shown(before, moment)
            moment.draws.shown.clear()
            before = moment.position
        assert before is not None
        assert_end(before, seats)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("options", [COMBINATIONS[0], COMBINATIONS[-1]], ids=name)
def test_games_of_fallbacks_only_end(seats: int, options: dict[str, bool]) -> None:
    """Everybody misses every deadline: nothing is ever sold, and MK-11 sees to the end."""
    for seed in range(5):
        moments = play_out(
            rules, deal(seats, **options), lambda t, view, _: rules.fallback(t, view), random.Random(seed)
        )
        last = list(moments)[-1].position
        assert last.result is not None
        assert last.result.ranks == (1,) * seats
        assert last.public.idle == 30 * seats


def test_most_games_end_with_full_rows() -> None:
    ends = [list(play_out(rules, deal(3), random_move, random.Random(seed)))[-1].position for seed in range(40)]
    assert sum(full_rows(end.public) == 4 for end in ends) > 20


@pytest.mark.parametrize("options", COMBINATIONS, ids=name)
def test_what_is_listed_is_what_is_allowed(options: dict[str, bool]) -> None:
    """Of all moves of one's own turn that can be written down, `check` accepts those that are listed."""
    terms = deal(3, **options)
    for moment in itertools.islice(play_out(rules, terms, random_move, random.Random(name(options))), 150):
        position = moment.position
        what = position.pending[0].what if position.pending else ""
        if what in ("turn", "act", "again"):
            allowed = {move for move in EVERY_MOVE if is_allowed(terms, position, move)}
            kinds = rolled_kinds(position.public.dice)
            listed = purchases(terms, position.public) if what == "turn" else actions(terms, position.public, kinds)
            assert len(listed) == len(set(listed))
            assert set(listed) == allowed


def is_allowed(terms: Deal, position: Pos, move: Move) -> bool:
    try:
        rules.check(terms, seen(position, position.public.turn), move)
    except IllegalMove:
        return False
    return True


def assert_pieces_are_all_there(public: Public) -> None:
    for number, kind in enumerate(KINDS):
        in_plants = sum((*player.delivery, *player.processing).count(kind) for player in public.players)
        in_market = sum(row.pieces for row in public.market if row.kind == kind)
        assert public.bank[number] >= 0
        assert public.bank[number] + in_plants + in_market == 8
    reserved = [row.kind for row in public.market if row.kind is not None]
    assert len(reserved) == len(set(reserved))
    assert all(row.pieces <= 5 and (row.pieces > 0) == (row.kind is not None) for row in public.market)
    assert {len(area) for player in public.players for area in (player.delivery, player.processing)} == {4}


def book(accounts: Counter[int], log: tuple[str, ...]) -> None:
    """Keep accounts by what is told to everybody: each amount comes from somebody and goes to somebody."""
    for line, (sign, patterns) in itertools.product(log, ((-1, PAYS), (1, EARNS))):
        for found in filter(None, (pattern.fullmatch(line) for pattern in patterns)):
            who, amount, other = int(found["who"]), int(found["amount"]), found.groupdict().get("other")
            accounts[who] += sign * amount
            accounts[BANK if other is None else int(other)] -= sign * amount


def assert_who_is_asked(terms: Deal, position: Pos) -> None:
    public, asked = position.public, {ask.seat for ask in position.pending}
    assert len({ask.what for ask in position.pending}) <= 1
    assert len(asked) == len(position.pending)
    assert bool(position.pending) == (position.result is None)
    what = position.pending[0].what if position.pending else ""
    assert (public.lot is not None) == (what in ("offer", "bid"))
    if what == "offer":
        assert public.lot is not None
        kind = public.lot.kind
        assert position.pending == tuple(
            Ask(seat, "offer", ("field",))
            for seat, player in enumerate(public.players)
            if kind in player.delivery + player.processing
        )
    elif what == "bid":
        assert {ask.sealed for ask in position.pending} == {("amount", "field")}
        assert asked == {seat for seat in range(terms.seats) if could_bid(terms, public, seat)}
    elif what:
        assert asked == {public.turn}
        assert bool(public.dice) == (what != "turn")


def could_bid(terms: Deal, public: Public, seat: int) -> bool:
    lot, player = public.lot, public.players[seat]
    assert lot is not None
    lowest = 1
    for row, values in zip(public.market, EDITION.market, strict=True):
        if row.kind == lot.kind and row.pieces < 5 and terms.options.liquidation:
            lowest = values[row.pieces] // 2
    room = None in player.delivery or (None in player.processing and (lot.field or "d")[0] == "p")
    return seat != lot.owner and player.money >= lowest and room


def assert_fallback_is_legal(terms: Deal, position: Pos) -> None:
    for ask in position.pending:
        view = seen(position, ask.seat)
        rules.check(terms, view, rules.fallback(terms, view))


def assert_only_what_counts_is_shown(before: Pos, moment: Moment) -> None:
    """Of the offers at most the one that counts, of the bids all."""
    what, shown = before.pending[0].what, moment.draws.shown
    if what == "bid":
        assert shown == sorted(moment.answers)
        assert all(isinstance(move, Bid) for move in moment.answers.values())
    elif what == "offer":
        seats = len(before.public.players)
        order = [(before.public.turn + step) % seats for step in range(seats)]
        willing = [seat for seat in order if moment.answers.get(seat, Offer(None)).field is not None]
        assert shown == willing[:1]
    else:
        assert not shown


def full_rows(public: Public) -> int:
    return sum(row.pieces == 5 for row in public.market)


def assert_end(position: Pos, seats: int) -> None:
    public, result = position.public, position.result
    assert result is not None
    assert full_rows(public) == 4 or public.idle == 30 * seats
    money = [player.money for player in public.players]
    assert result.scores == tuple((amount,) for amount in money)
    assert result.ranks == tuple(sorted(money, reverse=True).index(amount) + 1 for amount in money)
