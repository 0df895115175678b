"""The course of a half: playing a card, the trade round, its end, the end of a half and of the game (SM-5 to SM-12)."""

from referee.game import LINK, ranked

from .scratch import Scratch
from .tables import (
    EVENTS,
    NONE,
    STAYING,
    TASKS,
    at_end,
    can_carry_out,
    clockwise,
    faces_of,
    is_offer,
    most_steps,
    pays,
    price,
    sub,
    wants,
)
from .types import Play, Trade


def play_card(s: Scratch, move: Play | None) -> None:
    """SM-5, SM-10: the start player plays a card and draws a new one; then it is carried out or traded."""
    card = s.show("cards", move.card if move else None)
    s.draws.deal("cards", 1, f"cards/{s.seat}")
    s.recount()
    s.set(played=s.public.played + 1, idle=s.public.idle + 1)
    s.note("play", seat=s.seat, card=card)
    if is_offer(card):
        s.set(offer=card, wanted=wants(s.terms, card), spoiled="verdorbene-ware" in s.public.in_force)
        _ask_trader(s)
        return
    event = EVENTS[card]
    if event in STAYING:
        s.set(in_force=(*s.public.in_force, event))
        _go_on(s)
    elif can_carry_out(s.terms, s.public, s.seat, event):
        s.set(offer=card)
        s.asked = TASKS[event]
    else:
        s.note("no effect", card=card)
        s.cards_under([card])
        _go_on(s)


def carried_out(s: Scratch) -> None:
    """A text card is done: it goes under the pile and the next player starts (SM-10)."""
    if s.public.offer:
        s.cards_under([s.public.offer])
    s.set(offer=None)
    _go_on(s)


def traded_in(s: Scratch) -> bool:
    """Note that a goods card was traded in; True if it was that player's last, which ends the half (SM-11)."""
    s.set(idle=0)
    if s.me.goods:
        return False
    s.note("last goods", seat=s.seat)
    return True


def trade(s: Scratch, move: Trade | None) -> None:
    """One turn of the trade round (SM-6 to SM-8)."""
    last_turn = at_end(s.terms, s.public)
    goods, steps = (move.goods, move.steps or 1) if move else (NONE, 1)
    faces = faces_of(goods)
    if faces:
        paid = pays(s.terms, s.public, len(faces))
        s.draws.lay_out(f"goods/{s.seat}", faces)
        s.recount()
        s.pay(paid)
        s.set(wanted=sub(s.public.wanted, goods), traded=(*s.public.traded, *faces), spoiled=False)
        s.note("trade", seat=s.seat, goods=faces, paid=paid)
        if traded_in(s):
            end_half(s)
            return
    elif last_turn:
        s.note("no trade", seat=s.seat)
    if last_turn or s.public.wanted == NONE:
        _end_round(s)
    else:
        _move_marker(s, steps)
        _ask_trader(s)


def _move_marker(s: Scratch, steps: int) -> None:
    """The marker moves and the next player is up."""
    before = price(s.terms, s.public)
    s.set(marker=s.public.marker + steps)
    s.note("price", seat=s.seat, before=before, now=price(s.terms, s.public))
    s.set(turn=clockwise(s.public, s.seat)[0])


def _ask_trader(s: Scratch) -> None:
    """Ask who is up; an empty hand without a choice plays by itself (SM-23)."""
    s.asked = "trade"
    while not s.me.goods and most_steps(s.terms, s.public) <= 1:
        if at_end(s.terms, s.public):
            s.note("no goods", seat=s.seat)
            _end_round(s)
            return
        _move_marker(s, 1)


def _end_round(s: Scratch) -> None:
    """SM-8."""
    s.note("round over")
    _clear_table(s)
    _go_on(s)


def _clear_table(s: Scratch) -> None:
    """Everything that lies open goes under its pile (SM-8, SM-11)."""
    public = s.public
    s.goods_under(public.traded)
    s.cards_under([*public.in_force, public.offer] if public.offer else public.in_force)
    s.set(offer=None, wanted=NONE, in_force=(), spoiled=False, traded=())


def _go_on(s: Scratch) -> None:
    """A card has been dealt with: the next player starts (SM-9, SM-10), unless too many cards end the half (SM-12)."""
    if s.public.idle >= s.terms.edition.idle_cards:
        s.note("idle", cards=s.public.idle)
        end_half(s)
    elif s.public.played >= s.terms.edition.half_cards:
        s.note("played", cards=s.public.played)
        end_half(s)
    else:
        start_round(s, clockwise(s.public, s.public.start)[0])


def start_round(s: Scratch, seat: int) -> None:
    """SM-5: the marker goes back to 1 and the start player must play a card."""
    s.set(start=seat, turn=seat, marker=0)
    s.asked = "play"


def end_half(s: Scratch) -> None:
    """SM-11, SM-12: everything open lapses. The goods are shuffled for the second half, after which the game ends."""
    _clear_table(s)
    s.note("half over", half=s.public.half)
    if s.public.half == 2:
        _end_game(s)
        return
    s.shuffle_goods()
    s.set(half=2, played=0, idle=0)
    start_round(s, clockwise(s.public, s.public.start)[0])
    # Who shuffled must not know what is drawn: everybody's next link decides that.
    s.asked = LINK


def fill_hands(s: Scratch) -> None:
    """Everybody is dealt up to a full hand, from the new start player on, as far as the pile goes (SM-11)."""
    public, full = s.public, s.terms.edition.hand_goods
    for seat in (public.start, *clockwise(public, public.start)):
        number = min(full - public.players[seat].goods, s.draws.count("goods"))
        if number > 0:
            s.draws.deal("goods", number, f"goods/{seat}")
    s.note("filled", goods=full, start=public.start)
    s.asked = "play"


def _end_game(s: Scratch) -> None:
    """SM-12: most luxury wins, ties share."""
    s.result = ranked([(player.luxury,) for player in s.public.players])
    winners = [seat for seat, rank in enumerate(s.result.ranks) if rank == 1]
    s.note("won", seats=winners, luxury=s.public.players[winners[0]].luxury)
