"""The rules of Schwarzer Freitag: set-up and the course of a turn.

A turn is played in the order in which it is written: what comes before the action, the action with its price change,
what comes after it. A price change is never interrupted, and its draws are never known in advance: everything is judged
before the first draw, as if no price change came in between. A choice that depends on the new prices needs a new move.
"""

from collections.abc import Mapping, Sequence

from referee.game import Ask, Draws, Step, ask_of

from .actions import act, do_extra, judge_action, judge_extras, take_subsidies
from .change import price_change
from .end import finish
from .lookups import add, card_for, cases_of, count, each, faces_of, per_seats, room, subsidies_needed, total
from .missed import missed
from .scratch import Scratch
from .types import (
    COLOURS,
    HAND,
    Action,
    Card,
    Cases,
    Deal,
    Extras,
    More,
    Move,
    Pass,
    Place,
    Player,
    Public,
    Sight,
    illegal,
)


def bags(terms: Deal) -> Mapping[str, Sequence[str]]:
    """SF-10: what is in the bag before anybody draws."""
    return {"bag": [colour for colour in COLOURS for _ in range(terms.edition.bag_base + terms.seats)]}


def setup(terms: Deal, draws: Draws) -> Step:
    """SF-6 to SF-15. The draws keep the first cases, which are hidden: one hand for each seat."""
    e, seats = terms.edition, terms.seats
    for seat in range(seats):
        draws.deal("bag", e.hand, f"{HAND}/{seat}")
    start = draws.die(seats) - 1
    drawn = cases_of(draws.take("bag", e.market_draw))
    public = Public(
        prices=(e.start_field,) * len(COLOURS),
        silver=0,
        players=tuple(Player(unknown=e.hand, cards=_cards(terms, (seat - start) % seats)) for seat in range(seats)),
        market=add(each(per_seats(e.market, seats)), drawn),
        purchase=Cases(),
        silver_strip=Cases(),
        sale=(each(e.sale_strip),) * len(e.sale_black),
        sale_black=e.sale_black,
        stage_black=len(e.stages) - 1,
        bag=len(COLOURS) * (e.bag_base + seats) - seats * e.hand - e.market_draw,
        start=start,
        turn=start,
    )
    s = Scratch(terms, public)
    s.note("starts", seat=start)
    s.note("set-up", hand=e.hand, drawn=faces_of(drawn))
    return s.close("place" if seats == 2 else "turn")


def _cards(terms: Deal, place: int) -> tuple[tuple[Card, ...], ...]:
    """SF-13, SF-14: the cards of the player at this place in the order of play."""
    if not terms.options.special_cards:
        return ()
    return (terms.edition.cards_for_two if terms.seats == 2 else terms.edition.cards)[place]


def check(terms: Deal, seen: Sight, move: Move) -> None:
    """Judge the move by what the seat may know; anything wrong raises `IllegalMove`."""
    ask = ask_of(seen.pending, seen.seat)
    if ask is None:
        raise illegal("SF-16", "not-asked")
    judge(Scratch(terms, seen.public, cases_of(seen.hand(HAND))), ask.what, move)


def apply(
    terms: Deal, public: Public, pending: tuple[Ask, ...], answers: Mapping[int, Move | None], draws: Draws
) -> Step:
    """Play the one answer and continue to the next decision or the end."""
    (ask,) = pending
    move, s = answers[ask.seat], Scratch(terms, public)
    if move is None:
        move = missed(s, ask.what, draws)
    judge(s, ask.what, move)
    what = _go_on(s, ask.what, move, draws)
    if s.over:
        finish(s, draws)
    return s.close(what)


def judge(s: Scratch, what: str, move: Move) -> None:
    """Refuse an illegal move. A legal one is played only as far as is needed to judge it, and nothing is drawn."""
    if what == "place":
        _place_first(s, move)
    elif isinstance(move, Place):
        raise illegal("SF-16", "placing-over")
    elif isinstance(move, More):
        if what == "turn" and not move.extras:
            raise illegal("SF-16", "no-action")
        if move.hold and (what == "turn" or not move.extras):
            raise illegal("SF-16", "open-anyway" if what == "turn" else "nothing-before-hold")
        judge_extras(s, move.extras)
    elif what == "finish":
        raise illegal("SF-16", "action-done")
    else:
        _judge_turn(s, move)


def _place_first(s: Scratch, move: Move) -> None:
    """SF-14: two players put one case each on the purchase strip before the first turn."""
    if not isinstance(move, Place):
        raise illegal("SF-14", "place-first")
    if not count(s.public.market, move.mark):
        raise illegal("SF-14", "no-case-to-place", mark=move.mark)
    s.note("places", seat=s.seat, mark=move.mark)
    s.place(move.mark, "purchase")


def _judge_turn(s: Scratch, move: Action) -> None:
    """Carry out what comes before the action, to judge the action; and the action, to judge what comes after it."""
    if move.before:
        judge_extras(s, move.before)
        for extra in move.before:
            do_extra(s, extra)
        if s.full:
            # The action is chosen with the new prices, which nobody knows yet.
            raise illegal("SF-22", "card-changes-prices")
    judge_action(s, move)
    if move.after:
        act(s, move)
        judge_extras(s, move.after)


def _go_on(s: Scratch, what: str, move: Move, draws: Draws) -> str:
    """Play the rest of a move that has been judged; returns what the seat to move is asked next."""
    if isinstance(move, Place):
        first = s.seat == s.public.start
        _next_turn(s, 1 - s.seat)
        return "place" if first else "turn"
    if isinstance(move, More):
        _extras(s, move.extras, draws)
        if what == "turn":
            return "turn"
    else:
        if not move.after:
            act(s, move)
        _finish_action(s, move, draws)
        _extras(s, move.after, draws)
    if s.over:
        return "turn"
    if move.hold and _optional_left(s):
        return "finish"
    if need := subsidies_needed(s.terms, s.public, s.seat):  # SF-29
        take_subsidies(s, need)
    _next_turn(s, (s.seat + 1) % s.terms.seats)
    return "turn"


def _finish_action(s: Scratch, move: Action, draws: Draws) -> None:
    """What an action sets off: hidden shares are shown, a full strip changes the prices."""
    if total(s.shown):
        draws.lay_out(f"{HAND}/{s.seat}", faces_of(s.shown))
    passed = isinstance(move, Pass)
    s.set(
        passes=s.public.passes + 1 if passed and move.mark is None else 0,
        since="passes" if passed and s.public.since != "trades" else "trades",
    )
    if s.full:
        price_change(s, s.full, draws)
    if s.public.passes == s.terms.seats:  # SF-42
        s.set(passes=0)
        s.note("all passed")
        s.raise_silver(1)


def _extras(s: Scratch, extras: Extras, draws: Draws) -> None:
    """Carry out extras in order, each with its price change; the end of the game forfeits the rest (SF-39)."""
    for extra in extras:
        if s.over:
            return
        do_extra(s, extra)
        if s.full:
            price_change(s, s.full, draws)


def _optional_left(s: Scratch) -> bool:
    """Is there anything left that a player could add to the turn (SF-16)?"""
    card = card_for(s.me, "pass") is not None and total(s.public.market) > 0
    return card or room(s.terms, s.public, s.seat) > 0


def _next_turn(s: Scratch, seat: int) -> None:
    s.set(turn=seat, due=s.public.players[seat].debt)
