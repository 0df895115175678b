"""Every legal move as data (`referee.forms`).

The list that people get first has one line for each kind of action (passes one by one, with what each sets off), then
subsidies and the PASS card alone. Everything is in the order of COLOURS. The `minor` families add what a turn may have
besides: extras after the action, `hold`, and the PASS card before it (a family for each colour, since it can change
prices) or after it.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby

from referee.forms import Amounts, Choice, Limit, Number, Option, Part, Pick, Term, When
from referee.game import ask_of
from referee.games import as_typed
from referee.language import Wording

from .actions import is_free
from .lookups import (
    ONE,
    card_for,
    cases_of,
    colours_in,
    count,
    price,
    room,
    sale_left,
    silver_price,
    strip_full,
    sub,
    subsidies_needed,
    total,
    worth,
)
from .scratch import Scratch
from .story import called
from .types import HAND, Buy, Cases, Colour, Deal, More, Move, Pass, Place, Sell, Sight, Silver
from .words import markable, shares_text, text
from .words_forms import Family, Frame, around_card, card_pick, framed, frames, hold, subsidies
from .words_purse import Purse, baskets, best_sale, own_shares, purses

w = Wording("referee.games.schwarzer_freitag")

FEW = 8
"""At most this many sales are listed one by one."""


def legal(terms: Deal, seen: Sight) -> tuple[Choice, ...]:
    """Every move that the seat may make now."""
    ask = ask_of(seen.pending, seen.seat)
    if ask is None:
        return ()
    s = Scratch(terms, seen.public, cases_of(seen.hand(HAND)))
    if ask.what == "place":
        marks = colours_in(s.public.market)
        return tuple(_single(Place(mark), _sets_off(s, "purchase", mark), f"market:{mark}") for mark in marks)
    if ask.what == "finish":
        return (_single(More(), w("ends the turn")), *_extras_alone(s, (hold(),)))
    found = [choice for frame in frames(s) for choice in _actions(frame)]
    lines = [choice for choice in found if not choice.minor]
    return (*lines, *_passes(s), *_extras_alone(s), *(choice for choice in found if choice.minor))


def _actions(frame: Frame) -> Iterator[Choice]:
    """The families of all actions in this frame; the short list has passes one by one."""
    found = purses(frame.s)
    free = [purse for purse in found if purse.free]
    for family in (*_sales(frame, found), *((*_purchases(frame, free), *_bars(frame, free)) if free else ())):
        yield framed(frame, family)
    if frame.more and free:
        yield from (framed(frame, family) for family in _passing(frame, free))


def _sales(frame: Frame, found: list[Purse]) -> Iterator[Family]:
    """SF-18. The short list leaves out subsidies before a sale; a debtor's last one may leave a duty to cover."""
    if total(own_shares(frame.s)):
        for least, group in groupby(found if frame.more else found[:1], lambda purse: purse.least):
            same = list(group)
            yield from _covering(frame, least, same) if least else (_sale(frame, 0, same),)


def _covering(frame: Frame, least: int, group: list[Purse]) -> Iterator[Family]:
    """The sales that bring so much: one by one where there are few, which would be hard to hit."""
    units = frame.units("sell")
    enough = [sold for sold, brings in baskets(frame.s, own_shares(frame.s), units) if brings >= least]
    if len(enough) > FEW:
        yield _sale(frame, least, group)
        return
    for sold in enough:
        strip = frame.s.public.sale[frame.s.public.strip]
        drop = _drop([Option(one, one, at=f"price:{one}") for one in colours_in(sold)])
        marks = [Option(one, one, at=f"sale:{one}") for one in markable(strip, sold)]
        example = Sell(sold, colours_in(sold)[0], _first(markable(strip, sold)))
        words = w(
            "sell {shares}; drop a sold colour; mark one on the sale strip",
            shares=as_typed("schwarzer-freitag", shares_text(sold)),
        )
        note = _notes(w("brings {money}", money=worth(frame.s.terms, frame.s.public, sold)), _ends(frame.s))
        yield Family(example, (drop, *_taken(marks)), (), words, group, note=note, puts=True, fixed=sold)


def _sale(frame: Frame, least: int, group: list[Purse]) -> Family:
    s, units = frame.s, frame.units("sell")
    shares, strip, best = own_shares(s), s.public.sale[s.public.strip], best_sale(s, units)
    sold = best if least else ONE[colours_in(shares)[0]]
    drop = _drop([Option(one, one, _traded(one), at=f"price:{one}") for one in colours_in(shares)])
    marks = [Option(one, one, _traded(one), at=f"sale:{one}") for one in colours_in(strip)]
    marks += [Option(one, one, otherwise=True, at=f"sale:{one}") for one in colours_in(strip)]
    most = worth(s.terms, s.public, best)
    brings = w("must bring {money} or more", money=least) if least else w("brings up to {money}", money=most)
    prices = tuple(Term("shares", one, price(s.terms, s.public, one)) for one in colours_in(shares))
    return Family(
        Sell(sold, colours_in(sold)[0], _first(markable(strip, sold))),
        (_amounts(shares, units, "share"), drop, *_taken(marks)),
        (_units(units), *([Limit(prices, least, why=brings)] if least else [])),
        w.plural(
            "sell one of: {shares}; drop a sold colour; mark one on the sale strip",
            "sell up to {n} of: {shares}; drop a sold colour; mark one on the sale strip",
            units,
            shares=_priced(s, shares),
        ),
        group,
        note=_notes(brings, _ends(s)),
        puts=True,
    )


def _ends(s: Scratch) -> str:
    """Whether any sale empties the strip far enough (SF-27)."""
    return w("price change") if total(s.public.sale[s.public.strip]) <= sale_left(s.terms) + 1 else ""


def _traded(colour: Colour) -> tuple[When, ...]:
    return (When("shares", colour),)


def _purchases(frame: Frame, free: list[Purse]) -> Iterator[Family]:
    """SF-17."""
    s, market, units = frame.s, frame.s.public.market, frame.units("buy")
    richest = max(purse.money for purse in free)
    costs = {colour: cost for colour in colours_in(market) if (cost := price(s.terms, s.public, colour)) <= richest}
    if not costs or total(market) < 1 + 2 * frame.card_after:
        return
    cheapest = min(costs, key=lambda colour: costs[colour])
    mark = _first(markable(sub(market, ONE[cheapest]), ONE[cheapest]))
    offers = Cases(**{colour: count(market, colour) for colour in costs})
    most = Cases(**{colour: min(count(market, colour), richest // cost) for colour, cost in costs.items()})
    full = w("fills the purchase strip: price change") if total(s.public.purchase) + 1 >= strip_full(s.terms) else ""
    spend = w("you can spend up to {money}", money=richest)
    if free[-1].number:
        spend = w("you can spend up to {money}, subsidies included", money=richest)
    yield Family(
        Buy(ONE[cheapest], mark),
        (
            _amounts(most, units, "market"),
            *_mark(w("which case goes on the purchase strip?"), _bought(market, offers, units)),
        ),
        (_units(units),),
        w.plural(
            "buy one of: {shares}; mark a bought colour",
            "buy up to {n} of: {shares}; mark a bought colour",
            units,
            shares=_priced(s, offers),
        ),
        _from(free, costs[cheapest]),
        costs[cheapest],
        _notes(spend, full),
        tuple(Term("shares", colour, cost) for colour, cost in costs.items()),
    )


def _from(free: list[Purse], cost: int) -> list[Purse]:
    """From the fewest subsidies that pay so much, which some do."""
    return free[next(at for at, purse in enumerate(free) if purse.money >= cost) :]


def _bought(market: Cases, offers: Cases, units: int) -> list[Option]:
    """The case to place: of a bought colour that is left, otherwise of any that is; nothing if all is bought."""
    few = {colour: (When("shares", colour, 1, count(market, colour) - 1),) for colour in colours_in(offers)}
    marks = [_case(colour, when) for colour, when in few.items() if count(market, colour) > 1]
    none = {colour: (When("shares", colour, 0, 0),) for colour in colours_in(market)}
    marks += [_case(colour, when, otherwise=True) for colour, when in none.items()]
    if total(market) <= units:
        marks.append(Option(w("nothing"), when=(When("shares", low=total(market)),), otherwise=True))
    return marks


def _bars(frame: Frame, free: list[Purse]) -> Iterator[Family]:
    """SF-19."""
    s, cost, market = frame.s, silver_price(frame.s.terms, frame.s.public), frame.s.public.market
    most = min(frame.units("silver"), max(purse.money for purse in free) // cost)
    if not most or total(market) < 2 * frame.card_after:
        return
    yield Family(
        Silver(1, _first(colours_in(market))),
        (Number("bars", w("how many bars?"), 1, most), *_placed(market)),
        (),
        _marking(w.plural("silver {n}", "silver 1 to {n}", most), market),
        _from(free, cost),
        cost,
        _notes(w("{money} each", money=cost), *(_sets_off(s, "silver_strip", colour) for colour in colours_in(market))),
        (Term("bars", times=cost),),
        at=("silver:bars",),
    )


def _passing(frame: Frame, free: list[Purse]) -> Iterator[Family]:
    """SF-20."""
    market = frame.s.public.market
    if total(market) >= 2 * frame.card_after:
        words = _marking(w("pass"), market)
        yield Family(Pass(_first(colours_in(market))), _placed(market), (), words, free, at=("strip:silver",))


def _marking(action: str, market: Cases) -> str:
    """An action, after which a case of the market is marked if there is one."""
    return w("{action}; mark a colour of the market", action=action) if total(market) else action


def _passes(s: Scratch) -> Iterator[Choice]:
    """One by one; the subsidies that a debt demands follow by themselves."""
    if not is_free(s):
        return
    need = subsidies_needed(s.terms, s.public, s.seat)
    debt = w.plural("{n} subsidy for the debt follows", "{n} subsidies for the debt follow", need) if need else ""
    for mark in colours_in(s.public.market) or (None,):
        note = _notes(_sets_off(s, "silver_strip", mark), debt)
        yield _single(Pass(mark), note, "strip:silver", *([f"market:{mark}"] if mark else []))


def _extras_alone(s: Scratch, more: tuple[Part, ...] = ()) -> Iterator[Choice]:
    """Subsidies, or the PASS card with subsidies before and after it, and more parts; the rest of the turn follows."""
    left, colours = room(s.terms, s.public, s.seat), colours_in(s.public.market)
    form: dict[str, object] = {"do": "more"} | {part.name: {"$": part.name} for part in more}
    if left:
        words = w.plural("{n} subsidy", "1 to {n} subsidies", left)
        note = w("{money} each", money=s.terms.edition.subsidy_pays)
        part = subsidies("extras", w("how many?"), 1, left, listed=True)
        yield Choice(words, More((1,)), note, {**form, "extras": {"$": "extras"}}, (part, *more))
    if card_for(s.me, "pass") and colours:
        around, extras = around_card(0, left, {"$": "card"}, "before", w("subsidies before the card?"), "behind")
        note = _notes(*(_sets_off(s, "silver_strip", colour) for colour in colours))
        parts = (card_pick("card", colours), *around, *more)
        yield Choice(
            w("card; mark a colour of the market"), More((colours[0],)), note, {**form, "extras": extras}, parts
        )


def _sets_off(s: Scratch, strip: str, colour: Colour | None) -> str:
    """What putting this case on a strip triggers."""
    if colour is None:
        return ""
    cases: Cases = getattr(s.public, strip)
    rises = (count(cases, colour) + 1 == s.terms.edition.three) + (count(s.public.market, colour) == 1)
    rising, full = "", ""
    if rises:
        name = called(colour)
        rising = w("{colour} rises", colour=name) if rises == 1 else w("{colour} rises twice", colour=name)
    if total(cases) + 1 >= strip_full(s.terms):
        bought = strip == "purchase"
        full = w("fills the purchase strip: price change") if bought else w("fills the silver strip: price change")
    return _notes(rising, full)


def _placed(market: Cases) -> tuple[Pick, ...]:
    return _mark(w("which case goes on the silver strip?"), [_case(colour) for colour in colours_in(market)])


def _case(colour: Colour, when: tuple[When, ...] = (), *, otherwise: bool = False) -> Option:
    """A case of the market."""
    return Option(colour, colour, when, otherwise, f"market:{colour}")


def _taken(options: Sequence[Option]) -> tuple[Pick, ...]:
    return _mark(w("which case leaves the sale strip?"), options)


def _drop(options: Sequence[Option]) -> Pick:
    return Pick("drop", w("which price falls?"), tuple(options))


def _mark(ask: str, options: Sequence[Option]) -> tuple[Pick, ...]:
    """The case that moves; no question where there is none."""
    return (Pick("mark", ask, tuple(options)),) if options else ()


def _amounts(cases: Cases, units: int, kind: str) -> Amounts:
    """So many shares; `kind`: of the marks of their colours."""
    most: dict[str, int] = {colour: min(units, count(cases, colour)) for colour in colours_in(cases)}
    return Amounts("shares", w("how many of each?"), most, at={colour: f"{kind}:{colour}" for colour in most})


def _units(units: int) -> Limit:
    why = w.plural("one, and at least one", "up to {n}, and at least one", units)
    return Limit((Term("shares"),), 1, units, why)


def _priced(s: Scratch, cases: Cases) -> str:
    """`red x2 (19 each), blue x1 (32)`."""
    parts = []
    for colour in colours_in(cases):
        number, cost = count(cases, colour), price(s.terms, s.public, colour)
        parts.append(
            w("{colour} x{number} ({money} each)", colour=called(colour), number=number, money=cost)
            if number > 1
            else w("{colour} x1 ({money})", colour=called(colour), money=cost)
        )
    return ", ".join(parts)


def _first(colours: Sequence[Colour]) -> Colour | None:
    return colours[0] if colours else None


def _notes(*notes: str) -> str:
    return "; ".join(dict.fromkeys(note for note in notes if note))


def _single(move: Move, note: str, *at: str) -> Choice:
    return Choice(text(move), move, note, at=at)
