"""A scripted player: `sensible` plays for the most bars at the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import exp

from msgspec.structs import astuple, replace

from referee.game import Below, ask_of
from referee.playout import add_up

from .actions import act, do_extra
from .lookups import (
    AT,
    card_for,
    cases_of,
    colours_in,
    count,
    moved,
    per_seats,
    shares_of,
    silver_price,
    stage,
    subsidies_needed,
    total,
    worth,
)
from .scratch import Scratch
from .types import (
    COLOURS,
    HAND,
    Action,
    Buy,
    Card,
    Cases,
    Colour,
    Deal,
    Extras,
    More,
    Move,
    Pass,
    Place,
    Sell,
    Sight,
    Silver,
)
from .words_purse import Purse, best_sale, own_shares, purses

Basket = Sequence[int]
"""A number for each colour, in the order of COLOURS."""
ValuedMove = tuple[float, Action]
"""What it is worth, in money at the end; and the move."""

USES: tuple[Card, ...] = ("sell", "buy", "silver")

CARD = 0.4
"""What a card for one unit more is worth, in bars: it pays to keep it for a good moment."""
PASS = 0.1
"""The same of a card for PASS alone."""
PATIENCE = 0.35
"""How much of the gain of later buying silver money is already worth now: 0 nothing, 1 all."""
DRIFT = 0.6
"""How much of the average rise per price change is counted on after the next one."""


def sensible_move(terms: Deal, seen: Sight, below: Below) -> Move:
    """The move that promises the most bars at the end; no chance in it."""
    ask = ask_of(seen.pending, seen.seat)
    if ask is not None and ask.what == "place":
        return Place(max(colours_in(seen.public.market), key=lambda colour: count(shares_of(seen), colour)))
    if ask is not None and ask.what == "finish":
        return More()
    return sensible_turn(Scratch(terms, seen.public, cases_of(seen.hand(HAND))))


def sensible_turn(s: Scratch) -> Action:
    """The best turn of the player to move; the working copy stays as it is."""
    outlook = Outlook(s)
    _, move = max(_all_plans(outlook), key=lambda plan: plan[0])
    return _with_card(outlook, move)


def ranked_turns(s: Scratch) -> list[Action]:
    """The best turn of each kind after each number of subsidies, best first."""
    outlook = Outlook(s)
    plans = sorted(_all_plans(outlook), key=lambda plan: -plan[0])
    return [_with_card(outlook, move) for _, move in plans]


def _all_plans(outlook: Outlook) -> list[ValuedMove]:
    """Every plan that may be the best: more money than can be spent, or a pass with more subsidies, never is."""
    plans: list[ValuedMove] = []
    for purse in purses(outlook.s):
        plans += _plans(outlook, purse)
        if purse.free and purse.money >= outlook.spend:
            break
    return plans


def _with_card(outlook: Outlook, move: Action) -> Action:
    after = _card_after(outlook, move) if card_for(outlook.s.me, "pass") else ()
    return replace(move, after=after) if after else move


class Outlook:
    """What a player expects of the rest of the game. Lists go by colour, in the order of COLOURS."""

    def __init__(self, s: Scratch) -> None:
        public, edition = s.public, s.terms.edition
        self.s, self.shares, self.market = s, astuple(own_shares(s)), astuple(public.market)
        self.costs = [edition.prices[row][column] for row, column in public.prices]
        self.silver, self.bar = silver_price(s.terms, public), edition.silver_track[-1]
        steps = len(edition.silver_track) - 1 - public.silver
        drawn = min(stage(s.terms, public).draw, public.bag)
        black = drawn * public.bag_black / max(public.bag, 1)
        self.changes = max(1.0, min(steps / (black + 0.8), steps * 0.7))
        self.money = 1 + PATIENCE * (self.bar / self.silver - 1)
        self.limit = stage(s.terms, public).limit
        self.spend = (self.limit + 1) * max(self.silver, *self.costs)
        self.lifts = [have and have * self.step(at, 1) for at, have in enumerate(self.shares)]
        self.mark = _lift(self, self.market, self.market)
        # Without a market only sales move prices: who waits for more waits for the end.
        idle = not any(self.market)
        self.ends: Sequence[float] = self.costs if idle else self._ends(drawn - black, black * (1 - exp(-black)))
        gains = (end - self.money * cost for end, cost in zip(self.ends, self.costs, strict=True))
        self.gains = sorted(((gain, at) for at, gain in enumerate(gains)), reverse=True)
        """What a share of each colour gains over money, best first."""

    def _ends(self, drawn: float, less: float) -> list[float]:
        """What a share of each colour should bring in the end; `less` is what black cases take off every count."""
        later = (self.changes - 1) * DRIFT * _rows(drawn / len(COLOURS) - less)
        places = zip(self.s.public.prices, self._chances(), strict=True)
        return [self._price(row + _rows(drawn * chance - less) + later, column) for (row, column), chance in places]

    def _chances(self) -> list[float]:
        """How likely a case drawn from the bag is of each colour, by what is not seen elsewhere."""
        public, seats, e = self.s.public, self.s.terms.seats, self.s.terms.edition
        start = len(public.sale) * e.sale_strip + per_seats(e.market, seats) + e.bag_base + seats
        known = [player.known for at, player in enumerate(public.players) if at != public.turn]
        out = zip(*map(astuple, (public.purchase, public.silver_strip, *public.sale, *known)), strict=True)
        unseen = [
            max(start - have - here - sum(there), 0)
            for have, here, there in zip(self.shares, self.market, out, strict=True)
        ]
        return [number / max(sum(unseen), 1) for number in unseen]

    def step(self, at: int, right: int) -> int:
        """How much the price changes by one field to the right or left."""
        edition = self.s.terms.edition
        row, column = moved(edition, self.s.public.prices[at], 0, right)
        return abs(edition.prices[row][column] - self.costs[at])

    def later(self, card: tuple[Card, ...]) -> float:
        """What a special card should still bring at a better moment, in money at the end."""
        return (PASS if card == ("pass",) else CARD) * self.bar

    def _price(self, row: float, column: int) -> float:
        """The price between two rows of the table."""
        prices = self.s.terms.edition.prices
        row = min(max(row, 0.0), len(prices) - 1.0)
        low = min(int(row), len(prices) - 2)
        return prices[low][column] + (row - low) * (prices[low + 1][column] - prices[low][column])


def _rows(number: float) -> float:
    """About how many rows a price rises for this number of cases drawn (SF-33); a column is less than half a row."""
    return 0.7 * number - 0.1


def _plans(outlook: Outlook, purse: Purse) -> Iterator[ValuedMove]:
    """The best action of each kind with this purse, without and with a card for one unit more."""
    s, plans = outlook.s, list[ValuedMove]()
    for use in USES:
        # Subsidies before a sale only help who owes.
        if use == "sell" and purse.number and not s.public.due:
            continue
        if use == "sell" or purse.free:
            plans += _trade(outlook, purse, use, outlook.limit)
            if card := card_for(s.me, use):
                later = outlook.later(card)
                plans += [(value - later, move) for value, move in _trade(outlook, purse, use, outlook.limit + 1)]
    if purse.free and not purse.number:
        plans.append((0.0, Pass(outlook.mark)))
    before = (purse.number,) if purse.number else ()
    # After anything but a sale the subsidies that a debt needs follow by themselves (SF-29).
    needed = max(purse.number, subsidies_needed(s.terms, s.public, s.seat))
    each = s.terms.edition.interest * outlook.changes
    for value, action in plans:
        interest = each * (purse.number if isinstance(action, Sell) else needed)
        yield value + _marking(outlook, action) - interest, replace(action, before=before) if before else action


def _trade(outlook: Outlook, purse: Purse, use: Card, units: int) -> Iterator[ValuedMove]:
    """The best trade of at most `units` units, if there is one."""
    if use == "sell":
        yield from _sale(outlook, purse.least, units)
    elif use == "buy":
        yield from _purchase(outlook, purse.money, units)
    elif bars := min(units, purse.money // outlook.silver):
        yield bars * (outlook.bar - outlook.money * outlook.silver), Silver(bars, outlook.mark)


def _purchase(outlook: Outlook, money: int, units: int) -> Iterator[ValuedMove]:
    """The shares that should gain most, one after another."""
    left, value, bought = list(outlook.market), 0.0, [0] * len(COLOURS)
    for gain, at in outlook.gains:
        while gain > 0 and units and left[at] and outlook.costs[at] <= money:
            bought[at], left[at], units = bought[at] + 1, left[at] - 1, units - 1
            value, money = value + gain, money - outlook.costs[at]
    if any(bought):
        yield value, Buy(Cases(*bought), _lift(outlook, left, bought))


def _sale(outlook: Outlook, least: int, units: int) -> Iterator[ValuedMove]:
    """The shares that are worth more as money, at least one; the dearest if a debt demands it."""
    s, have, sold, left = outlook.s, outlook.shares, [0] * len(COLOURS), units
    order = [(-gain, at) for gain, at in reversed(outlook.gains) if have[at]]
    for gain, at in order:
        if gain > 0:
            sold[at] = min(left, have[at])
            left -= sold[at]
    if order and not any(sold):
        sold[order[0][1]] = 1
    if least > sum(number * cost for number, cost in zip(sold, outlook.costs, strict=True)):
        best = best_sale(s, units)
        sold = list(astuple(best)) if worth(s.terms, s.public, best) >= least else [0]
    if not any(sold):
        return
    kept = [number - gone for number, gone in zip(have, sold, strict=True)]
    drop = min((at for _, at in order if sold[at]), key=lambda at: (kept[at] * outlook.step(at, -1), at))
    value = add_up(gain * sold[at] for gain, at in order) - kept[drop] * outlook.step(drop, -1)
    # A case more in the market is a chance less in the bag.
    marks = _markable(astuple(s.public.sale[s.public.strip]), sold)
    mark = COLOURS[min(marks, key=lambda at: kept[at])] if marks else None
    yield value, Sell(Cases(*sold), COLOURS[drop], mark)


def _markable(where: Basket, preferred: Basket) -> list[int]:
    """The colours that may move to or from a strip (SF-17, SF-18): a preferred one if there is any."""
    there = [at for at in range(len(COLOURS)) if where[at]]
    return [at for at in there if preferred[at]] or there


def _lift(outlook: Outlook, market: Basket, preferred: Basket) -> Colour | None:
    """The case to place: of the colour whose rise would help most."""
    marks = _markable(market, preferred)
    return COLOURS[max(marks, key=outlook.lifts.__getitem__)] if marks else None


def _marking(outlook: Outlook, action: Action) -> float:
    """What the seat's shares gain at once from the case that is placed."""
    public, mark = outlook.s.public, action.mark
    if mark is None or isinstance(action, Sell):
        return 0.0
    strip = public.purchase if isinstance(action, Buy) else public.silver_strip
    return _gain(outlook, mark, strip, public.market, outlook.shares[AT[mark]])


def _gain(outlook: Outlook, mark: Colour, strip: Cases, market: Cases, shares: int) -> int:
    """What a number of shares gains when the case goes from the market to the strip (SF-23, SF-24)."""
    rises = (count(strip, mark) + 1 == outlook.s.terms.edition.three) + (count(market, mark) == 1)
    return rises * shares * outlook.step(AT[mark], 1) if rises else 0


def _card_after(outlook: Outlook, move: Action) -> Extras:
    """The PASS card, once it raises the seat's shares by a good part of a bar."""
    s = Scratch(outlook.s.terms, outlook.s.public, outlook.s.hand)
    for extra in move.before:
        do_extra(s, extra)
    act(s, move)
    market, strip = s.public.market, s.public.silver_strip
    card = card_for(s.me, "pass")
    if not card or not total(market):
        return ()
    shares = own_shares(s)
    gain, mark = max((_gain(outlook, mark, strip, market, count(shares, mark)), mark) for mark in colours_in(market))
    return (mark,) if gain > outlook.later(card) else ()
