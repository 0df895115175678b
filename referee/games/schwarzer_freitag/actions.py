"""What a player does in a turn: the four actions (SF-17 to SF-20), subsidies and the PASS card."""

from .lookups import (
    NO_CASES,
    ONE,
    add,
    at_most,
    card_for,
    colours_in,
    count,
    dearest,
    faces_of,
    held,
    room,
    sale_left,
    silver_price,
    stage,
    sub,
    total,
    uncovered,
    unit_limit,
    within,
    worth,
)
from .scratch import Scratch
from .types import Action, Buy, Card, Cases, Colour, Extra, Extras, Pass, Sell, Silver, illegal


def judge_extras(s: Scratch, extras: Extras) -> None:
    """Refuse extras that could not be carried out now, one after the other (SF-16), whatever a price change brings."""
    numbers = [extra for extra in extras if isinstance(extra, int)]
    cards = [extra for extra in extras if not isinstance(extra, int)]
    if len(cards) > 1:
        raise illegal("SF-16", "two-pass-cards")
    if len(numbers) > 1:
        raise illegal("SF-16", "subsidies-apart")
    left = room(s.terms, s.public, s.seat)
    if sum(numbers) > left:
        raise illegal("SF-26", "too-many-subsidies", limit=stage(s.terms, s.public).subsidies, left=left)
    for colour in cards:
        if not count(s.public.market, colour):
            raise illegal("SF-22", "no-case-for-card", colour=colour)
        if card_for(s.me, "pass") is None:
            raise illegal("SF-13", "no-pass-card")


def do_extra(s: Scratch, extra: Extra) -> None:
    """Carry out one extra that has been judged; the price change that it triggers is still to come."""
    if isinstance(extra, int):
        take_subsidies(s, extra)
    elif count(s.public.market, extra):
        s.spend_card("pass")
        s.note("marks", seat=s.seat, mark=extra)
        s.place(extra, "silver_strip")
    else:
        # The refill of SF-35 may have taken the last case of the colour; nobody could have known.
        s.note("card kept", seat=s.seat, colour=extra)


def take_subsidies(s: Scratch, number: int) -> None:
    """SF-26: each subsidy pays the same."""
    s.set_player(s.seat, subsidies=s.me.subsidies + number)
    amount = number * s.terms.edition.subsidy_pays
    s.note("subsidies", seat=s.seat, number=number, amount=amount)
    s.receive(amount)


def judge_action(s: Scratch, action: Action) -> None:
    """Refuse an action that could not be carried out now."""
    if isinstance(action, Sell):
        _judge_sale(s, action)
        return
    _check_debtor(s)
    market = s.public.market
    match action:
        case Buy(bought, mark):
            if not within(bought, market):
                raise illegal("SF-17", "not-in-market")
            _check_mark(mark, sub(market, bought), bought, "SF-17")
            _check_units(s, total(bought), "buy", "SF-17")
            _check_money(s, worth(s.terms, s.public, bought), "SF-17")
        case Silver(bars, mark):
            _check_mark(mark, market, market, "SF-19")
            _check_units(s, bars, "silver", "SF-19")
            _check_money(s, bars * silver_price(s.terms, s.public), "SF-19")
        case Pass(mark):
            _check_mark(mark, market, market, "SF-20")


def _judge_sale(s: Scratch, action: Sell) -> None:
    sold, hidden = action.shares, _hidden(s, action.shares)
    if total(hidden) > s.me.unknown or (s.hand is not None and not within(hidden, s.hand)):
        raise illegal("SF-18", "not-held")
    if not count(sold, action.drop):
        raise illegal("SF-18", "drop-not-sold", drop=action.drop)
    _check_mark(action.mark, s.public.sale[s.public.strip], sold, "SF-18")
    _check_cover(s, worth(s.terms, s.public, sold), hidden)
    _check_units(s, total(sold), "sell", "SF-18")


def _hidden(s: Scratch, sold: Cases) -> Cases:
    """SF-15: shares known to everybody go first; only the rest comes from the hidden ones."""
    return NO_CASES if within(sold, s.me.known) else sub(sold, at_most(sold, s.me.known))


def act(s: Scratch, action: Action) -> None:
    """Carry out the action of the turn, which has been judged; the price change that it triggers is still to come."""
    match action:
        case Buy():
            _buy(s, action)
        case Sell():
            _sell(s, action)
        case Silver():
            _silver(s, action)
        case Pass():
            s.note("passes", seat=s.seat, mark=action.mark or "")
            if action.mark is not None:
                s.place(action.mark, "silver_strip")


def _buy(s: Scratch, action: Buy) -> None:
    """SF-17: pay the current prices; then one more case of a bought colour goes on the purchase strip."""
    bought, cost = action.shares, worth(s.terms, s.public, action.shares)
    _spend_card(s, total(bought), "buy")
    s.set_player(s.seat, money=s.me.money - cost, known=add(s.me.known, bought))
    s.note("buys", seat=s.seat, shares=faces_of(bought), amount=cost, mark=action.mark or "")
    s.leave_market(bought)
    if action.mark is not None:
        s.place(action.mark, "purchase")


def _sell(s: Scratch, action: Sell) -> None:
    """SF-18: all shares sell at the price before the drop; one colour drops, and one case leaves the sale strip."""
    sold, at, hidden = action.shares, s.public.strip, _hidden(s, action.shares)
    proceeds = worth(s.terms, s.public, sold)
    _spend_card(s, total(sold), "sell")
    s.note("sells", seat=s.seat, shares=faces_of(sold), amount=proceeds, mark=action.mark or "")
    s.shown = hidden
    if s.hand is not None:
        s.hand = sub(s.hand, hidden)
    known = sub(s.me.known, sub(sold, hidden))
    s.set_player(s.seat, known=known, unknown=s.me.unknown - total(hidden))
    s.receive(proceeds)
    s.move_prices("sold", [(action.drop, 0, -1)])
    market, sale = add(s.public.market, sold), list(s.public.sale)
    if action.mark is not None:
        market, sale[at] = add(market, ONE[action.mark]), sub(sale[at], ONE[action.mark])
    s.set(sale=tuple(sale), market=market)
    if total(sale[at]) <= sale_left(s.terms):
        s.full = "sale"


def _silver(s: Scratch, action: Silver) -> None:
    """SF-19: five bars become one gold bar at once."""
    cost = action.bars * silver_price(s.terms, s.public)
    _spend_card(s, action.bars, "silver")
    gold, silver = divmod(s.me.silver + action.bars, s.terms.edition.silver_per_gold)
    s.set_player(s.seat, money=s.me.money - cost, silver=silver, gold=s.me.gold + gold)
    s.set(counter=s.public.counter + action.bars)
    s.note("bars", seat=s.seat, bars=action.bars, amount=cost, mark=action.mark or "")
    if action.mark is not None:
        s.place(action.mark, "silver_strip")


def _check_units(s: Scratch, units: int, use: Card, clause: str) -> None:
    """From 1 up to the limit, or one more with a +1 card (SF-22)."""
    if units < 1:
        raise illegal(clause, "no-units", use=use)
    if units > stage(s.terms, s.public).limit and units > (most := unit_limit(s.terms, s.public, s.seat, use)):
        raise illegal(clause, "too-many-units", units=units, most=most, use=use)


def _spend_card(s: Scratch, units: int, use: Card) -> None:
    if units > stage(s.terms, s.public).limit:
        s.spend_card(use)


def _check_money(s: Scratch, cost: int, clause: str) -> None:
    if cost > s.me.money:
        raise illegal(clause, "too-expensive", cost=cost, money=s.me.money, short=cost - s.me.money)
    if cost > (most := spendable(s)):
        raise illegal("SF-29", "needed-for-debt", cost=cost, most=most, debt=s.public.due)


def _check_mark(mark: Colour | None, where: Cases, preferred: Cases, clause: str) -> None:
    """The one case that moves (SF-21): of a preferred colour if possible, otherwise of any colour, otherwise none."""
    if mark is not None and count(where, mark) and count(preferred, mark):
        return
    allowed = colours_in(at_most(where, preferred)) or colours_in(where)
    if mark in allowed or (mark is None and not allowed):
        return
    if mark is None:
        raise illegal(clause, "nothing-marked", allowed=allowed)
    if not allowed:
        raise illegal(clause, "none-to-mark", mark=mark)
    raise illegal(clause, "not-markable", mark=mark, allowed=allowed)


def is_free(s: Scratch) -> bool:
    """SF-29: a debtor must sell if subsidies cannot cover the debt; without shares, any action is allowed."""
    return uncovered(s.terms, s.public, s.seat) <= 0 or not held(s.me)


def spendable(s: Scratch) -> int:
    """SF-29: the money that the debt does not need, if the subsidies that cover it are taken after the action."""
    left = -uncovered(s.terms, s.public, s.seat)
    return min(s.me.money, left) if left >= 0 else s.me.money


def _check_debtor(s: Scratch) -> None:
    """Refuse an action other than SELL to a debtor who is not free to act."""
    if not is_free(s):
        raise illegal("SF-29", "must-sell", debt=s.public.due)


def least_sale(s: Scratch, shares: Cases) -> int:
    """SF-29: what a sale must bring in: the part of the debt that subsidies cannot cover; 0 if no legal sale of these
    shares brings in that much."""
    need, limit = uncovered(s.terms, s.public, s.seat), unit_limit(s.terms, s.public, s.seat, "sell")
    return need if 0 < need <= sum(dearest(s.terms, s.public, shares)[:limit]) else 0


def _check_cover(s: Scratch, proceeds: int, hidden: Cases) -> None:
    """Everybody but the seller can count only those hidden shares that this sale shows."""
    need = least_sale(s, add(s.me.known, hidden if s.hand is None else s.hand))
    if proceeds < need:
        raise illegal("SF-29", "sale-too-small", proceeds=proceeds, need=need)
