"""The rules of Schwarzer Freitag: set-up, the course of a turn, and what a missed deadline plays.

A `Turn` is played in the order `before`, action with its price change, `after`; within an extra the subsidies come
first, then the PASS card. A price change is never interrupted and its draws are never foreseen: what a player chooses
with new prices needs a new move, except an `after` that was legal without the price change.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations_with_replacement, pairwise

from referee.errors import IllegalMove, Usage
from referee.game import Draws, Step, ask_of

from .actions import act, extras, take_subsidies
from .end import finish
from .scratch import Scratch
from .tables import (
    add,
    card_for,
    cases_of,
    colours_in,
    count,
    each,
    faces_of,
    most,
    per_seats,
    room,
    sub,
    subsidies_needed,
    total,
    unit_limit,
    within,
    worth,
)
from .types import COLOURS, Card, Cases, Deal, Extra, Move, Pass, Place, Player, Pos, Public, Sell, Turn, View

NOTHING = Extra()


def validate(terms: Deal) -> None:
    """Refuse an edition that no game can be played with."""
    for fault in _faults(terms):
        raise Usage(f"edition {terms.edition.name[:40]!a}: {fault}", "correct the edition file, or leave it out")


def _faults(terms: Deal) -> Iterator[str]:
    e, seats = terms.edition, terms.seats
    if not 2 <= seats <= 5:
        yield f"{seats} players cannot play, 2 to 5 can"
    if {len(e.market), len(e.strip_full), len(e.sale_left)} != {4}:
        yield "market, strip_full and sale_left need one number each for 2, 3, 4, 5 players"
    if (len(e.cards), len(e.cards_for_two), len(e.sale_black)) != (5, 2, 3):
        yield "cards needs 5 seats, cards_for_two 2, sale_black 3 strips"
    if len({len(row) for row in e.prices}) != 1 or not e.prices[0]:
        yield "all rows of prices need the same number of columns, at least 1"
    if e.start_field[0] >= len(e.prices) or e.start_field[1] >= len(e.prices[0]):
        yield "start_field is not on the price table"
    if len(e.silver_track) < 2 or not all(a < b for a, b in pairwise((0, *e.silver_track))):
        yield "silver_track needs two or more prices, rising, from 1 up"
    if not e.stages or not all(a.price < b.price for a, b in pairwise(e.stages)):
        yield "stages need rising prices"
    if any(a.subsidies > b.subsidies or a.limit > b.limit for a, b in pairwise(e.stages)) or e.stages[0].limit < 1:
        yield "the limits of the stages start at 1 or more and never fall"
    if len(e.sale_black) * e.sale_strip + per_seats(e.market, seats) + e.bag_base + seats > e.cases:
        yield "strips, market and bag need more cases than there are"
    if e.cases > 100 or sum(e.sale_black) + len(e.stages) > 400:
        yield "more than 100 cases of a colour or 400 black ones"
    if len(COLOURS) * (e.bag_base + seats) < seats * e.hand + e.market_draw:
        yield "the bag holds too few cases for hands and market"
    if min(e.strip_full) < 3 or max(e.sale_left) >= len(COLOURS) * e.sale_strip:
        yield "strip_full is less than 3, or sale_left as much as a sale strip holds"
    if not (e.three and e.subsidy_pays and e.silver_per_step and e.silver_per_gold):
        yield "three, subsidy_pays, silver_per_step and silver_per_gold are 1 or more"


def bags(terms: Deal) -> Mapping[str, Sequence[str]]:
    """SF-10: what is in the bag before anybody draws."""
    return {"bag": [colour for colour in COLOURS for _ in range(terms.edition.bag_base + terms.seats)]}


def setup(terms: Deal, draws: Draws) -> Step:
    """SF-6 to SF-15. The hidden first cases stay in the care of the draws, one hand per seat."""
    e, seats = terms.edition, terms.seats
    hands = [cases_of(draws.take("bag", e.hand, to=seat, into=f"hand/{seat}")) for seat in range(seats)]
    drawn = cases_of(draws.take("bag", e.market_draw))
    public = Public(
        prices=(e.start_field,) * len(COLOURS),
        silver=0,
        players=tuple(Player(unknown=e.hand, cards=_cards(terms, seat)) for seat in range(seats)),
        market=add(each(per_seats(e.market, seats)), drawn),
        purchase=Cases(),
        silver_strip=Cases(),
        sale=(each(e.sale_strip),) * len(e.sale_black),
        sale_black=e.sale_black,
        stage_black=len(e.stages) - 1,
        bag=len(COLOURS) * (e.bag_base + seats) - seats * e.hand - e.market_draw,
    )
    s = Scratch(terms, public, dict(enumerate(hands)), draws)
    told = ", ".join(f"{count(drawn, colour)} {colour}" for colour in colours_in(drawn))
    s.log.append(f"every player draws {e.hand} cases unseen; drawn into the market: {told}")
    return s.close("place" if seats == 2 else "turn")


def _cards(terms: Deal, seat: int) -> tuple[tuple[Card, ...], ...]:
    """SF-13, SF-14."""
    if not terms.options.special_cards:
        return ()
    return (terms.edition.cards_for_two if terms.seats == 2 else terms.edition.cards)[seat]


def holds(terms: Deal, seen: View) -> Mapping[str, Sequence[str]]:
    """The hand that a player's shares imply: what open play has not made known lies there (SF-15)."""
    known = seen.public.players[seen.seat].known
    return {f"hand/{seen.seat}": faces_of(sub(seen.own.shares, known)) if within(known, seen.own.shares) else ()}


def check(terms: Deal, seen: View, move: Move) -> None:
    """Play the move as a trial on what the seat may know; whatever is wrong raises `IllegalMove`."""
    ask = ask_of(seen.pending, seen.seat)
    if ask is None:
        raise IllegalMove("SF-16", "it is not your turn", "wait until you are asked")
    _play(Scratch(terms, seen.public, {seen.seat: seen.own.shares}, None), ask.what, move)


def apply(terms: Deal, position: Pos, answers: Mapping[int, Move], draws: Draws) -> Step:
    """Play the one answer and run on to the next decision or the end."""
    ask = position.pending[0]
    s = Scratch(terms, position.public, {seat: own.shares for seat, own in enumerate(position.own)}, draws)
    what = _play(s, ask.what, answers[ask.seat])
    if s.over:
        finish(s)
    return s.close(what)


def _play(s: Scratch, what: str, move: Move) -> str:
    """Play a move; returns what the seat to move is asked next. A finished game forfeits the rest (SF-39)."""
    if what == "place":
        return _place_first(s, move)
    if not isinstance(move, Turn):
        raise IllegalMove("SF-16", "placing a case is over, a turn is asked for", "choose buy, sell, silver or pass")
    if what == "finish":
        _finish_turn(s, move)
    elif not _take_turn(s, move):
        return "turn"
    if s.over:
        return "turn"
    # Only a sale leaves the duty open: what it did not cover, subsidies must (SF-29).
    if s.public.in_debt and (need := subsidies_needed(s.terms, s.public, s.seat)):
        take_subsidies(s, need)
    if move.hold and _optional_left(s):
        return "finish"
    _next_turn(s, (s.seat + 1) % s.terms.seats)
    return "turn"


def _place_first(s: Scratch, move: Move) -> str:
    """SF-14: two players put one case each on the purchase strip before the first turn."""
    if not isinstance(move, Place):
        raise IllegalMove("SF-14", "before the first turn one case is placed", "name the colour of a market case")
    if not count(s.public.market, move.mark):
        raise IllegalMove("SF-14", f"the market holds no {move.mark}", "place a colour that the market holds")
    s.log.append(f"@{s.seat} places {move.mark} on the purchase strip")
    s.place(move.mark, "purchase")
    first = s.seat == 0
    _next_turn(s, 1 - s.seat)
    return "place" if first else "turn"


def _take_turn(s: Scratch, move: Turn) -> bool:
    """Everything up to `after`; False if only `before` was played and the turn goes on (SF-16)."""
    if move.action is None:
        if move.before == NOTHING:
            raise IllegalMove("SF-16", "a turn needs an action", "choose buy, sell, silver or pass")
        if move.after != NOTHING or move.hold:
            raise IllegalMove("SF-16", "nothing comes after an action that is not there", "add the action")
        extras(s, move.before)
        return False
    extras(s, move.before)
    if s.changed:
        # The action is chosen with the new prices, which nobody knows yet.
        raise IllegalMove("SF-22", "the PASS card triggers a price change", "send the card alone, then the action")
    act(s, move.action)
    s.set(acted=True)
    _count_passes(s, isinstance(move.action, Pass))
    if not s.over:
        extras(s, move.after)
    return True


def _finish_turn(s: Scratch, move: Turn) -> None:
    """The rest of a turn that was held open: extras or nothing."""
    if move.action is not None or move.after != NOTHING or move.hold:
        raise IllegalMove(
            "SF-16", "the action of this turn is done", "only subsidies or the PASS card can follow, or nothing"
        )
    extras(s, move.before)


def _count_passes(s: Scratch, passed: bool) -> None:
    """SF-42: when all pass and nothing can raise the silver price any more, it rises by itself."""
    passes = min(s.public.passes + 1, s.terms.seats) if passed else 0
    # A trial cannot know the bag after a price change.
    if s.draws and passes == s.terms.seats and not s.over and not (s.public.bag_black and total(s.public.market)):
        s.log.append("all have passed")
        s.raise_silver(1)
        passes = 0
    s.set(passes=passes)


def _optional_left(s: Scratch) -> bool:
    """Is there anything left that a player could add to the turn (SF-16)?"""
    card = card_for(s.me, "pass") is not None and total(s.public.market) > 0
    return card or room(s.terms, s.public, s.seat) > 0


def _next_turn(s: Scratch, seat: int) -> None:
    s.set(turn=seat, acted=False, in_debt=s.public.players[seat].debt > 0)


def fallback(terms: Deal, seen: View) -> Move:
    """PASS; a debtor first takes the subsidies that cover the debt, or else sells as little as SF-29 demands."""
    public, shares = seen.public, seen.own.shares
    ask = ask_of(seen.pending, seen.seat)
    colour = most(public.market)
    if ask is not None and ask.what == "place" and colour is not None:
        return Place(colour)
    if public.acted:
        return Turn()
    if not public.in_debt:
        return Turn(Pass(colour))
    me, subsidies = public.players[seen.seat], subsidies_needed(terms, public, seen.seat)
    need = me.debt - me.money - subsidies * terms.edition.subsidy_pays
    if need <= 0 or not total(shares):
        return Turn(Pass(colour), Extra(subsidies))
    sold = _smallest_sale(terms, public, shares, need, unit_limit(terms, public, seen.seat, "sell"))
    strip = public.sale[public.strip]
    marks = [mark for mark in colours_in(sold) if count(strip, mark)]
    return Turn(Sell(sold, colours_in(sold)[0], marks[0] if marks else most(strip)), Extra(subsidies))


def _smallest_sale(terms: Deal, public: Public, shares: Cases, need: int, limit: int) -> Cases:
    """The fewest, then cheapest shares that bring `need`; the cheapest single share if none do."""
    for number in range(1, limit + 1):
        sales = [
            sale
            for colours in combinations_with_replacement(COLOURS, number)
            if within(sale := cases_of(colours), shares) and worth(terms, public, sale) >= need
        ]
        if sales:
            return min(sales, key=lambda sale: worth(terms, public, sale))
    return _smallest_sale(terms, public, shares, 0, 1)
