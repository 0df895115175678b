"""The course of a half: playing a card, the trade round, its end, the end of a half and of the game (SM-5 to SM-12)."""

from msgspec.structs import replace

from referee.game import LINK, ranked

from .lookups import (
    EVENTS,
    NONE,
    STAYING,
    at_end,
    clockwise,
    faces_of,
    follow_up,
    is_offer,
    most_steps,
    new_goods,
    pays,
    price,
    sub,
    wants,
)
from .scratch import Scratch
from .types import Play, Trade


def play_card(s: Scratch, move: Play | None) -> None:
    """SM-5, SM-10: the start player plays a card and draws a new one; then it is carried out or traded."""
    hand = f"cards/{s.turn}"
    if move:
        card = move.card
        s.draws.lay_out(hand, (card,))
    else:
        (card,) = s.draws.take(hand, 1)
    s.change(s.turn, cards=-1)
    s.draw_card()
    s.played += 1
    s.idle += 1
    s.note("play", seat=s.turn, card=card)
    s.asked = follow_up(s.terms, s, s.turn, card)
    if s.asked:
        s.offer = card
        if is_offer(card):
            s.wanted, s.spoiled = wants(s.terms, card), "verdorbene-ware" in s.in_force
        return
    event = EVENTS[card]
    if event in STAYING:
        s.in_force = (*s.in_force, event)
    else:
        s.note("no effect", card=card)
        s.put_cards_under((card,))
    _go_on(s)


def carried_out(s: Scratch) -> None:
    """A text card has been carried out: it goes under the pile and the next player starts (SM-10)."""
    if s.offer:
        s.put_cards_under((s.offer,))
    s.offer = None
    _go_on(s)


def traded_in(s: Scratch) -> bool:
    """Note that a goods card was traded in; True if it was that player's last, which ends the half (SM-11)."""
    s.idle = 0
    if s.me.goods:
        return False
    s.note("last goods", seat=s.turn)
    s.finisher = s.turn if s.half == 1 else s.finisher
    return True


def trade(s: Scratch, move: Trade | None) -> None:
    """One turn of the trade round (SM-6 to SM-8)."""
    goods, steps, sit_out = (move.goods, move.steps or 1, move.sit_out) if move else (NONE, 1, 0)
    seat, faces = s.turn, () if goods == NONE else faces_of(goods)
    if faces:
        paid = pays(s.terms, s, len(faces))
        s.draws.lay_out(f"goods/{seat}", faces)
        s.trade_in(len(faces), paid)
        s.wanted, s.traded, s.spoiled = sub(s.wanted, goods), (*s.traded, *faces), False
        s.note("trade", seat=seat, goods=faces, paid=paid)
        if traded_in(s):
            end_half(s)
            return
    if sit_out:
        s.sitting_out = (*s.sitting_out[:seat], sit_out, *s.sitting_out[seat + 1 :])
    if s.wanted == NONE or at_end(s.terms, s):
        if not faces:
            s.note("no trade", seat=seat)
        _end_round(s)
        return
    _move_marker(s, steps)
    if sit_out:
        s.note("sits out", seat=seat, steps=sit_out)


def pass_over(s: Scratch) -> None:
    """Play the turns for which nobody is asked (SM-23)."""
    while s.asked == "trade":
        far = most_steps(s.terms, s)
        steps = s.sitting_out[s.turn] or _ordered(s) or int(far <= 1 and not s.me.goods)
        if not steps:
            return
        if far:
            _move_marker(s, min(steps, far))
        else:
            s.note("no trade" if s.me.goods else "no goods", seat=s.turn)
            _end_round(s)


def _ordered(s: Scratch) -> int:
    """How far standing orders move the marker now; 0 if they do not (SM-27)."""
    words = s.standing[s.turn]
    return max(words.steps, 1) if price(s.terms, s) < words.asked_from else 0


def _move_marker(s: Scratch, steps: int) -> None:
    """The marker moves, and it is the next player's turn."""
    before = price(s.terms, s)
    s.marker += steps
    s.note("price", seat=s.turn, before=before, now=price(s.terms, s))
    s.turn = (s.turn + 1) % s.terms.seats


def _end_round(s: Scratch) -> None:
    """SM-8."""
    s.note("round over")
    _clear_table(s)
    _go_on(s)


def _clear_table(s: Scratch) -> None:
    """Everything that lies open goes under its pile, and nobody sits out any more (SM-8, SM-11, SM-26)."""
    if s.traded:
        s.put_goods_under(s.traded)
    s.put_cards_under((*s.in_force, s.offer) if s.offer else s.in_force)
    s.offer, s.wanted, s.in_force, s.spoiled, s.traded = None, NONE, (), False, ()
    s.sitting_out = (0,) * s.terms.seats


def _go_on(s: Scratch) -> None:
    """A card has been dealt with: the next player starts (SM-9, SM-10), unless too many cards end the half (SM-12)."""
    if s.idle >= s.terms.edition.idle_cards:
        s.note("idle", cards=s.idle)
        end_half(s)
    elif s.played >= s.terms.edition.half_cards:
        s.note("played", cards=s.played)
        end_half(s)
    else:
        _start_round(s)


def _start_round(s: Scratch) -> None:
    """SM-5, SM-9: the marker goes back to 1, and the player to the left of the last start player must play a card."""
    s.start = s.turn = (s.start + 1) % s.terms.seats
    s.marker = 0
    s.asked = "play"


def end_half(s: Scratch) -> None:
    """SM-11, SM-12: the table is cleared. The goods are shuffled for the second half, after which the game ends."""
    _clear_table(s)
    s.note("half over", half=s.half)
    if s.half == 2:
        _end_game(s)
        return
    s.shuffle_goods()
    s.half, s.played, s.idle = 2, 0, 0
    _start_round(s)
    # Whoever shuffled must not know what is drawn: everybody's next link decides that.
    s.asked = LINK


def fill_hands(s: Scratch) -> None:
    """Everybody is dealt new goods cards, beginning with the new start player, as long as the pile lasts (SM-11)."""
    for seat in (s.start, *clockwise(s, s.start)):
        number = min(new_goods(s.terms, s, seat), s.goods_pile)
        if number > 0:
            s.draws.deal("goods", number, f"goods/{seat}")
            s.change(seat, goods=number)
            s.goods_pile -= number
    s.players = [replace(player, traded_in=0) for player in s.players]
    if s.terms.options.refill == "full":
        s.note("filled", goods=s.terms.edition.hand_goods, start=s.start)
    else:
        s.note("replaced", goods=[player.goods for player in s.players], start=s.start)
    s.asked = "play"


def _end_game(s: Scratch) -> None:
    """SM-12: the most luxury wins; players who tie share the win."""
    s.asked = ""
    s.result = ranked([(player.luxury,) for player in s.players])
    winners = [seat for seat, rank in enumerate(s.result.ranks) if rank == 1]
    s.note("won", seats=winners, luxury=s.players[winners[0]].luxury)
