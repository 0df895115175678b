"""Two scripted players: `random` tries everything the rules allow, `sensible` plays for the most bars at the end."""

from collections.abc import Iterator, Sequence
from math import exp

from msgspec.structs import astuple, replace

from referee.game import Below, ask_of

from .actions import act, extras
from .scratch import Scratch
from .tables import (
    ONE,
    add,
    card_for,
    cases_of,
    colours_in,
    count,
    moved,
    per_seats,
    price,
    room,
    shares_of,
    silver_price,
    stage,
    sub,
    total,
    unit_limit,
    worth,
)
from .types import COLOURS, HAND, Buy, Cases, Colour, Deal, Extra, Move, Pass, Place, Sell, Sight, Silver, Turn
from .words import best_sale, least_sale, markable, purse

Action = Buy | Sell | Silver | Pass
Basket = tuple[int, ...]
"""So many units of each colour, in the order of COLOURS."""
Plan = tuple[float, Action, int]
"""What it is worth, in money at the end; the action; the subsidies to take first."""
NOTHING = Extra()

PATIENCE = 0.35
"""How much of the gain of later buying silver money is already worth now: 0 nothing, 1 all."""
DRIFT = 0.6
"""How much of the average rise per price change is counted on after the next one."""


def random_move(terms: Deal, seen: Sight, below: Below) -> Move:
    """An action drawn with equal chance from all legal ones, now and then with extras around it."""
    ask = ask_of(seen.pending, seen.seat)
    if ask is not None and ask.what == "place":
        return Place(_one_of(colours_in(seen.public.market), below))
    s = Scratch(terms, seen.public, hand=cases_of(seen.hand(HAND)))
    before = _random_extra(s, below)
    extras(s, before)
    if seen.public.acted or (before != NOTHING and (s.changed or not below(4))):
        return Turn(before=before)
    action = random_action(terms, replace(seen, public=s.public), below)
    if action is None:
        # A debtor without shares has to take subsidies first.
        return Turn(before=before if before != NOTHING else Extra(1))
    after = NOTHING
    if not below(4):
        act(s, action)
        after = _random_extra(s, below)
    return Turn(action, before, after, hold=not below(8))


def _one_of(colours: Sequence[Colour], below: Below) -> Colour:
    return colours[below(len(colours))]


def _random_extra(s: Scratch, below: Below) -> Extra:
    left, colours = room(s.terms, s.public, s.seat), colours_in(s.public.market)
    subsidies = 1 + below(left) if left > 0 and not below(4) else 0
    card = _one_of(colours, below) if colours and card_for(s.me, "pass") and not below(8) else None
    return Extra(subsidies, card)


def random_action(terms: Deal, seen: Sight, below: Below) -> Action | None:
    """Every legal action, with all its quantities and choices, is equally likely; None if there is none."""
    market, strip = seen.public.market, seen.public.sale[seen.public.strip]
    money, free = purse(terms, seen, 0)
    marks: Sequence[Colour | None] = colours_in(market) or (None,)
    buys = list(_buys(terms, seen, money)) if free else []
    sells = list(_sells(terms, seen))
    bars = min(unit_limit(terms, seen.public, seen.seat, "silver"), money // silver_price(terms, seen.public)) * free
    at = sum(ways for _, ways in buys) + sum(ways for _, ways in sells) + (bars + free) * len(marks)
    if not at:
        return None
    at = below(at)
    for basket, ways in buys:
        if at < ways:
            bought = Cases(*basket)
            return Buy(bought, (markable(sub(market, bought), bought) or (None,))[at])
        at -= ways
    for basket, ways in sells:
        if at < ways:
            sold = Cases(*basket)
            drops = colours_in(sold)
            taken = markable(strip, sold) or (None,)
            return Sell(sold, drops[at % len(drops)], taken[at // len(drops)])
        at -= ways
    number, mark = divmod(at, len(marks))
    return Silver(number, marks[mark]) if number else Pass(marks[mark])


def _buys(terms: Deal, seen: Sight, money: int) -> Iterator[tuple[Basket, int]]:
    """All that can be bought, and in how many ways a case can then be marked."""
    market, units = astuple(seen.public.market), unit_limit(terms, seen.public, seen.seat, "buy")
    for basket, _ in _baskets(terms, seen, market, units, money):
        left = [have - number for have, number in zip(market, basket, strict=True)]
        ways = sum(1 for number, rest in zip(basket, left, strict=True) if number and rest)
        yield basket, ways or sum(map(bool, left)) or 1


def _sells(terms: Deal, seen: Sight) -> Iterator[tuple[Basket, int]]:
    """All that can be sold, and in how many ways a colour drops and a case is taken."""
    shares, units = astuple(shares_of(seen)), unit_limit(terms, seen.public, seen.seat, "sell")
    strip, least = astuple(seen.public.sale[seen.public.strip]), least_sale(terms, seen)
    others = sum(map(bool, strip)) or 1
    for basket, brings in _baskets(terms, seen, shares, units):
        if brings >= least:
            ways = sum(1 for number, rest in zip(basket, strip, strict=True) if number and rest)
            yield basket, (ways or others) * sum(map(bool, basket))


def _baskets(
    terms: Deal, seen: Sight, have: Basket, units: int, money: int | None = None
) -> Iterator[tuple[Basket, int]]:
    """Every choice of 1 to `units` cases out of `have` that costs at most `money`, and what it costs."""
    partial: list[tuple[Basket, int, int]] = [((), 0, 0)]
    for most, colour in zip(have, COLOURS, strict=True):
        cost = price(terms, seen.public, colour)
        partial = [
            ((*basket, number), taken + number, spent + number * cost)
            for basket, taken, spent in partial
            for number in range(min(most, units - taken) + 1)
            if money is None or spent + number * cost <= money
        ]
    return ((basket, spent) for basket, taken, spent in partial if taken)


def sensible_move(terms: Deal, seen: Sight, below: Below) -> Move:
    """The move that promises the most bars at the end; no chance in it."""
    ask = ask_of(seen.pending, seen.seat)
    if ask is not None and ask.what == "place":
        return Place(max(colours_in(seen.public.market), key=lambda colour: count(shares_of(seen), colour)))
    if seen.public.acted:
        return Turn()
    outlook = Outlook(terms, seen)
    plans = [plan for number in range(room(terms, seen.public, seen.seat) + 1) for plan in _plans(outlook, number)]
    _, action, subsidies = max(plans, key=lambda plan: plan[0])
    before = Extra(subsidies)
    return Turn(action, before, _card_after(outlook, before, action))


class Outlook:
    """What a player expects of the rest of the game."""

    def __init__(self, terms: Deal, seen: Sight) -> None:
        public, edition = seen.public, terms.edition
        self.terms, self.seen, self.shares = terms, seen, shares_of(seen)
        steps = len(edition.silver_track) - 1 - public.silver
        drawn = min(stage(terms, public).draw, public.bag)
        black = drawn * public.bag_black / max(public.bag, 1)
        self.changes = max(1.0, min(steps / (black + 0.8), steps * 0.7))
        self.bar = edition.silver_track[-1]
        self.money = 1 + PATIENCE * (self.bar / silver_price(terms, public) - 1)
        self.ends = dict(zip(COLOURS, self._ends(drawn - black, black * (1 - exp(-black))), strict=True))
        self.costs = {colour: price(terms, public, colour) for colour in COLOURS}

    def _ends(self, drawn: float, less: float) -> Iterator[float]:
        """What a share of each colour should bring in the end; `less` is what black cases take off every count."""
        chances = self._chances()
        later = (self.changes - 1) * DRIFT * _rows(drawn / len(COLOURS) - less)
        for (row, column), chance in zip(self.seen.public.prices, chances, strict=True):
            yield self._price(row + _rows(drawn * chance - less) + later, column)

    def _chances(self) -> list[float]:
        """How likely a case drawn from the bag is of each colour, by what is not seen elsewhere."""
        public, seat, e = self.seen.public, self.seen.seat, self.terms.edition
        start = len(public.sale) * e.sale_strip + per_seats(e.market, self.terms.seats) + e.bag_base + self.terms.seats
        out = add(add(public.market, public.purchase), add(public.silver_strip, self.shares))
        for cases in (*public.sale, *(player.known for at, player in enumerate(public.players) if at != seat)):
            out = add(out, cases)
        unseen = [max(start - number, 0) for number in astuple(out)]
        return [number / max(sum(unseen), 1) for number in unseen]

    def step(self, colour: Colour, right: int) -> int:
        """How much the price changes by one field to the right or left."""
        row, column = moved(self.terms.edition, self.seen.public.prices[COLOURS.index(colour)], 0, right)
        return abs(self.terms.edition.prices[row][column] - self.costs[colour])

    def _price(self, row: float, column: int) -> float:
        """The price table between two rows."""
        prices = self.terms.edition.prices
        row = min(max(row, 0.0), len(prices) - 1.0)
        low = min(int(row), len(prices) - 2)
        return prices[low][column] + (row - low) * (prices[low + 1][column] - prices[low][column])


def _rows(number: float) -> float:
    """About how many rows a price climbs for so many cases drawn (SF-33), a column counting as less than half a row."""
    return 0.7 * number - 0.1


def _plans(outlook: Outlook, subsidies: int) -> Iterator[Plan]:
    """The best action of each kind after so many subsidies."""
    terms, seen = outlook.terms, outlook.seen
    money, free = purse(terms, seen, subsidies)
    interest = subsidies * terms.edition.interest * outlook.changes
    actions = [*_sale(outlook, least_sale(terms, seen, subsidies))]
    if free:
        actions += [*_purchase(outlook, money), *_bars(outlook, money), (0.0, Pass(_lift(outlook, seen.public.market)))]
    for value, action in actions:
        yield value + _marking(outlook, action) - interest, action, subsidies


def _purchase(outlook: Outlook, money: int) -> Iterator[tuple[float, Action]]:
    """The shares that should gain most, one after another."""
    public, market = outlook.seen.public, outlook.seen.public.market
    bought, value = Cases(), 0.0
    for _ in range(unit_limit(outlook.terms, public, outlook.seen.seat, "buy")):
        gains = [
            (outlook.ends[colour] - outlook.money * outlook.costs[colour], colour)
            for colour in colours_in(sub(market, bought))
            if outlook.costs[colour] <= money
        ]
        gain, colour = max(gains, default=(0.0, COLOURS[0]))
        if gain <= 0:
            break
        bought, value, money = add(bought, ONE[colour]), value + gain, money - outlook.costs[colour]
    if total(bought):
        left = sub(market, bought)
        yield value, Buy(bought, _lift(outlook, left, bought))


def _bars(outlook: Outlook, money: int) -> Iterator[tuple[float, Action]]:
    """As many bars as can be bought."""
    seen, cost = outlook.seen, silver_price(outlook.terms, outlook.seen.public)
    bars = min(unit_limit(outlook.terms, seen.public, seen.seat, "silver"), money // cost)
    if bars:
        yield bars * (outlook.bar - outlook.money * cost), Silver(bars, _lift(outlook, seen.public.market))


def _sale(outlook: Outlook, least: int) -> Iterator[tuple[float, Action]]:
    """The shares that are worth more as money, at least one; the dearest if a debt demands it."""
    seen, public = outlook.seen, outlook.seen.public
    gains = sorted(
        (
            (outlook.money * outlook.costs[colour] - outlook.ends[colour], colour)
            for colour in colours_in(outlook.shares)
        ),
        reverse=True,
    )
    sold, left = Cases(), unit_limit(outlook.terms, public, seen.seat, "sell")
    for gain, colour in gains:
        number = min(left, count(outlook.shares, colour))
        if gain > 0 or not total(sold):
            sold, left = add(sold, Cases(**{colour: number if gain > 0 else 1})), left - number
    if least > worth(outlook.terms, public, sold):
        sold = best_sale(outlook.terms, seen)
    if not total(sold):
        return
    kept = sub(outlook.shares, sold)
    drop = min(colours_in(sold), key=lambda colour: count(kept, colour) * outlook.step(colour, -1))
    value = sum(gain * count(sold, colour) for gain, colour in gains) - count(kept, drop) * outlook.step(drop, -1)
    # A case more in the market is a chance less in the bag.
    marks = sorted(markable(public.sale[public.strip], sold), key=lambda colour: count(kept, colour))
    yield value, Sell(sold, drop, marks[0] if marks else None)


def _lift(outlook: Outlook, market: Cases, preferred: Cases | None = None) -> Colour | None:
    """The case to place: of the colour whose rise would help most."""
    shares = outlook.shares
    colours = markable(market, market if preferred is None else preferred)
    ranked = sorted(colours, key=lambda colour: -count(shares, colour) * outlook.step(colour, 1))
    return ranked[0] if ranked else None


def _marking(outlook: Outlook, action: Action) -> float:
    """What the own shares gain at once by the case that is placed."""
    public, mark = outlook.seen.public, action.mark
    if mark is None or isinstance(action, Sell):
        return 0.0
    strip = public.purchase if isinstance(action, Buy) else public.silver_strip
    return _gain(outlook, mark, strip, public.market, outlook.shares)


def _gain(outlook: Outlook, mark: Colour, strip: Cases, market: Cases, shares: Cases) -> int:
    """What these shares gain when the case goes from the market to the strip (SF-23, SF-24)."""
    rises = (count(strip, mark) + 1 == outlook.terms.edition.three) + (count(market, mark) == 1)
    return rises * count(shares, mark) * outlook.step(mark, 1)


def _card_after(outlook: Outlook, before: Extra, action: Action) -> Extra:
    """The PASS card, once it lifts the own shares by a good part of a bar."""
    terms, seen = outlook.terms, outlook.seen
    if not card_for(seen.public.players[seen.seat], "pass"):
        return NOTHING
    s = Scratch(terms, seen.public, hand=cases_of(seen.hand(HAND)))
    extras(s, before)
    act(s, action)
    if not card_for(s.me, "pass"):
        return NOTHING
    market, shares = s.public.market, add(s.me.known, s.hand or Cases())
    gains = [(_gain(outlook, mark, s.public.silver_strip, market, shares), mark) for mark in colours_in(market)]
    gain, mark = max(gains, default=(0, COLOURS[0]))
    return Extra(card=mark) if gain * 10 > outlook.bar else NOTHING
