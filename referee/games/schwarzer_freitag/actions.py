"""What a player does in a turn: the four actions (SF-17 to SF-20), subsidies and the PASS card."""

from referee.errors import IllegalMove

from .change import price_change
from .scratch import Scratch
from .tables import (
    ONE,
    add,
    at_most,
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
    subsidies_needed,
    total,
    unit_limit,
    within,
    worth,
)
from .types import HAND, Buy, Card, Cases, Colour, Extra, Pass, Sell, Silver


def extras(s: Scratch, extra: Extra) -> None:
    """Subsidies first, then the PASS card."""
    if extra.subsidies:
        take_subsidies(s, extra.subsidies)
    if extra.card is None:
        return
    if not count(s.public.market, extra.card):
        if s.changed and s.draws is not None:
            # The refill of SF-35 may have taken the last case of the colour; nobody could have known.
            s.note("card kept", seat=s.seat, colour=extra.card)
            return
        raise IllegalMove("SF-22", f"the market holds no {extra.card} for the PASS card", "choose a colour it holds")
    s.spend_card("pass")
    s.note("marks", seat=s.seat, mark=extra.card)
    s.place(extra.card, "silver_strip")


def take_subsidies(s: Scratch, number: int) -> None:
    """SF-26: never more than the stage allows."""
    left = room(s.terms, s.public, s.seat)
    if number > left:
        limit = stage(s.terms, s.public).subsidies
        raise IllegalMove("SF-26", f"the stage allows {limit} subsidies in all", f"take {left} or fewer")
    s.set_player(s.seat, subsidies=s.me.subsidies + number)
    amount = number * s.terms.edition.subsidy_pays
    s.note("subsidies", seat=s.seat, number=number, amount=amount)
    s.receive(amount)


def act(s: Scratch, action: Buy | Sell | Silver | Pass) -> None:
    """The one action of the turn, with the price change it triggers."""
    if not isinstance(action, Sell):
        _check_debtor(s)
    match action:
        case Buy():
            _buy(s, action)
        case Sell():
            _sell(s, action)
        case Silver():
            _silver(s, action)
        case Pass():
            _check_mark(action.mark, s.public.market, s.public.market, "SF-20")
            s.note("passes", seat=s.seat, mark=action.mark or "")
            if action.mark is not None:
                s.place(action.mark, "silver_strip")


def _buy(s: Scratch, action: Buy) -> None:
    """SF-17: pay current prices, then one more case of a bought colour goes on the purchase strip."""
    bought = action.shares
    if not within(bought, s.public.market):
        raise IllegalMove("SF-17", "the market does not hold all these shares", "buy only what lies in the market")
    _check_mark(action.mark, sub(s.public.market, bought), bought, "SF-17")
    cost = worth(s.terms, s.public, bought)
    _trade_units(s, total(bought), "buy", "SF-17")
    _pay(s, cost, "SF-17")
    s.set_player(s.seat, known=add(s.me.known, bought))
    s.note("buys", seat=s.seat, shares=faces_of(bought), amount=cost, mark=action.mark or "")
    s.leave_market(bought)
    if action.mark is not None:
        s.place(action.mark, "purchase")


def _sell(s: Scratch, action: Sell) -> None:
    """SF-18: all shares at the price before the drop; one colour drops, one case leaves the sale strip."""
    sold, at = action.shares, s.public.strip
    hidden = sub(sold, at_most(sold, s.me.known))
    if total(hidden) > s.me.unknown or (s.hand is not None and not within(hidden, s.hand)):
        raise IllegalMove("SF-18", "you do not hold all these shares", "sell only what you hold")
    if not count(sold, action.drop):
        raise IllegalMove("SF-18", f"{action.drop} is not sold and cannot drop", "drop one of the colours you sell")
    _check_mark(action.mark, s.public.sale[at], sold, "SF-18")
    proceeds = worth(s.terms, s.public, sold)
    _check_cover(s, proceeds, hidden)
    _trade_units(s, total(sold), "sell", "SF-18")
    s.note("sells", seat=s.seat, shares=faces_of(sold), amount=proceeds, mark=action.mark or "")
    _give_up(s, sold, hidden)
    s.receive(proceeds)
    s.move_prices("sold", [(action.drop, 0, -1)])
    if action.mark is not None:
        sale = list(s.public.sale)
        sale[at] = sub(sale[at], ONE[action.mark])
        s.set(sale=tuple(sale), market=add(s.public.market, ONE[action.mark]))
    if total(s.public.sale[at]) <= sale_left(s.terms):
        price_change(s, "sale")


def _give_up(s: Scratch, sold: Cases, hidden: Cases) -> None:
    """SF-15: shares known to everybody go first; only the excess comes out of the hidden ones and is shown."""
    if total(hidden) and s.draws is not None:
        s.draws.lay_out(f"{HAND}/{s.seat}", faces_of(hidden))
    if s.hand is not None:
        s.hand = sub(s.hand, hidden)
    known = sub(s.me.known, sub(sold, hidden))
    s.set_player(s.seat, known=known, unknown=s.me.unknown - total(hidden))
    s.set(market=add(s.public.market, sold))


def _silver(s: Scratch, action: Silver) -> None:
    """SF-19: five bars become one gold bar at once."""
    _check_mark(action.mark, s.public.market, s.public.market, "SF-19")
    cost = action.bars * silver_price(s.terms, s.public)
    _trade_units(s, action.bars, "silver", "SF-19")
    _pay(s, cost, "SF-19")
    gold, silver = divmod(s.me.silver + action.bars, s.terms.edition.silver_per_gold)
    s.set_player(s.seat, silver=silver, gold=s.me.gold + gold)
    s.set(counter=s.public.counter + action.bars)
    s.note("bars", seat=s.seat, bars=action.bars, amount=cost, mark=action.mark or "")
    if action.mark is not None:
        s.place(action.mark, "silver_strip")


def _trade_units(s: Scratch, units: int, use: Card, clause: str) -> None:
    """1 up to the limit; one more spends a +1 card (SF-22)."""
    limit = stage(s.terms, s.public).limit
    if units < 1:
        raise IllegalMove(clause, f"{use} trades at least one unit", "name what you trade, or pass")
    if units > unit_limit(s.terms, s.public, s.seat, use):
        most = unit_limit(s.terms, s.public, s.seat, use)
        raise IllegalMove(clause, f"{units} units are more than the {most} you may {use}", f"trade {most} or fewer")
    if units > limit:
        s.spend_card(use)


def _pay(s: Scratch, cost: int, clause: str) -> None:
    if cost > s.me.money:
        short = cost - s.me.money
        raise IllegalMove(clause, f"it costs {cost}, you have {s.me.money}", f"find {short} more or buy less")
    s.set_player(s.seat, money=s.me.money - cost)


def _check_mark(mark: Colour | None, where: Cases, preferred: Cases, clause: str) -> None:
    """The one case that moves (SF-21): of a preferred colour if there is any, else of any colour, else none."""
    allowed = colours_in(at_most(where, preferred)) or colours_in(where)
    if mark in allowed or (mark is None and not allowed):
        return
    if not allowed:
        raise IllegalMove(clause, f"no case is left to mark, so {mark} cannot be", "leave the mark out")
    what = "no case is marked" if mark is None else f"{mark} cannot be marked here"
    raise IllegalMove(clause, what, f"mark {' or '.join(allowed)}")


def _check_debtor(s: Scratch) -> None:
    """SF-29: until the debt is paid no action but SELL; with neither room nor share any action, and the debt stays."""
    if not s.public.in_debt:
        return
    holds = held(s.me)
    if room(s.terms, s.public, s.seat):
        need = subsidies_needed(s.terms, s.public, s.seat)
        advice = f"take {need} more subsidies before the action" + ", or sell" * bool(holds)
        raise IllegalMove("SF-29", f"you owe {s.me.debt} interest, which must be settled first", advice)
    if holds:
        raise IllegalMove("SF-29", f"you owe {s.me.debt} interest and may take no more subsidies", "sell shares")
    s.set(in_debt=False)


def _check_cover(s: Scratch, proceeds: int, hidden: Cases) -> None:
    """SF-29: a debtor without subsidy room sells enough to cover the debt, if any legal sale is enough.

    Of the hidden shares everybody but the seller can only count on those that this sale shows.
    """
    need = s.me.debt - s.me.money
    if not s.public.in_debt or room(s.terms, s.public, s.seat) or proceeds >= need:
        return
    shares = add(s.me.known, hidden if s.hand is None else s.hand)
    limit = unit_limit(s.terms, s.public, s.seat, "sell")
    if need <= sum(dearest(s.terms, s.public, shares)[:limit]):
        raise IllegalMove("SF-29", f"the sale brings {proceeds}, but the debt needs {need}", f"sell for {need} or more")
