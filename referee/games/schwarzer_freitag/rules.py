"""The rules of Schwarzer Freitag: set-up and the course of a turn.

A `Turn` is played in the order `before`, action with its price change, `after`; within an extra the subsidies come
first, then the PASS card. A price change is never interrupted and its draws are never foreseen: what a player chooses
with new prices needs a new move, except an `after` that was legal without the price change.
"""

from collections.abc import Mapping, Sequence

from referee.errors import IllegalMove
from referee.game import Ask, Draws, Step, ask_of

from .actions import act, extras, take_subsidies
from .end import finish
from .missed import missed
from .scratch import Scratch
from .tables import (
    add,
    card_for,
    cases_of,
    count,
    each,
    faces_of,
    per_seats,
    room,
    subsidies_needed,
    total,
)
from .types import COLOURS, HAND, Card, Cases, Deal, Extra, Move, Pass, Place, Player, Public, Sight, Turn

NOTHING = Extra()


def bags(terms: Deal) -> Mapping[str, Sequence[str]]:
    """SF-10: what is in the bag before anybody draws."""
    return {"bag": [colour for colour in COLOURS for _ in range(terms.edition.bag_base + terms.seats)]}


def setup(terms: Deal, draws: Draws) -> Step:
    """SF-6 to SF-15. The hidden first cases stay in the care of the draws, one hand per seat."""
    e, seats = terms.edition, terms.seats
    for seat in range(seats):
        draws.deal("bag", e.hand, f"{HAND}/{seat}")
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
    s = Scratch(terms, public, draws=draws)
    s.note("set-up", hand=e.hand, drawn=faces_of(drawn))
    return s.close("place" if seats == 2 else "turn")


def _cards(terms: Deal, seat: int) -> tuple[tuple[Card, ...], ...]:
    """SF-13, SF-14."""
    if not terms.options.special_cards:
        return ()
    return (terms.edition.cards_for_two if terms.seats == 2 else terms.edition.cards)[seat]


def check(terms: Deal, seen: Sight, move: Move) -> None:
    """Play the move as a trial on what the seat may know; whatever is wrong raises `IllegalMove`."""
    ask = ask_of(seen.pending, seen.seat)
    if ask is None:
        raise IllegalMove("SF-16", "it is not your turn", "wait until you are asked")
    _play(Scratch(terms, seen.public, hand=cases_of(seen.hand(HAND))), ask.what, move)


def apply(
    terms: Deal, public: Public, pending: tuple[Ask, ...], answers: Mapping[int, Move | None], draws: Draws
) -> Step:
    """Play the one answer and run on to the next decision or the end."""
    (ask,) = pending
    move, s = answers[ask.seat], Scratch(terms, public, draws=draws)
    if move is None:
        move = missed(s, ask.what, draws)
    else:
        # A trial first: what comes after a price change must be legal without it, even if it is forfeited then.
        _play(Scratch(terms, public), ask.what, move)
    what = _play(s, ask.what, move)
    if s.over:
        finish(s, draws)
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
    s.note("places", seat=s.seat, mark=move.mark)
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
        s.note("all passed")
        s.raise_silver(1)
        passes = 0
    s.set(passes=passes)


def _optional_left(s: Scratch) -> bool:
    """Is there anything left that a player could add to the turn (SF-16)?"""
    card = card_for(s.me, "pass") is not None and total(s.public.market) > 0
    return card or room(s.terms, s.public, s.seat) > 0


def _next_turn(s: Scratch, seat: int) -> None:
    s.set(turn=seat, acted=False, in_debt=s.public.players[seat].debt > 0)
