"""The course of a half: playing a card, the trade round, its end, the end of a half and of the game (SM-5 to SM-12)."""

from referee.errors import IllegalMove
from referee.game import Result

from .scratch import Scratch
from .tables import (
    EVENTS,
    STAYING,
    TASKS,
    at_end,
    can_carry_out,
    clockwise,
    described,
    faces_of,
    is_offer,
    most_steps,
    most_traded,
    pays,
    price,
    sub,
    title,
    total,
    wants,
    within,
)
from .types import Amounts, Deal, Play, Trade, View

NONE = Amounts()
HALVES = ("", "first", "second")


def check_play(seen: View, move: Play) -> None:
    """SM-5."""
    if move.card not in seen.own.cards:
        raise IllegalMove("SM-5", "you do not hold that card", f"play one of: {', '.join(seen.own.cards)}")


def play_card(s: Scratch, move: Play) -> None:
    """SM-5, SM-10: the start player plays a card and draws a new one; then it is carried out or traded."""
    card = move.card
    s.exchange_card(s.seat, card)
    s.set(played=s.public.played + 1, idle=s.public.idle + 1)
    s.log.append(f"@{s.seat} plays {title(s.terms, card)}")
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
        s.log.append(f"{title(s.terms, card)} has no effect")
        s.cards_under([card])
        _go_on(s)


def carried_out(s: Scratch) -> None:
    """A text card is done: it goes under the pile and the next player starts (SM-10)."""
    card = s.public.offer
    assert card is not None
    s.set(offer=None)
    s.cards_under([card])
    _go_on(s)


def traded_in(s: Scratch) -> bool:
    """Note that a goods card was traded in; True if it was that player's last, which ends the half (SM-11)."""
    s.set(idle=0)
    if s.me.goods:
        return False
    s.log.append(f"@{s.seat} has traded in the last goods card")
    return True


def check_trade(terms: Deal, seen: View, move: Trade) -> None:
    """SM-6, SM-7, SM-13."""
    public, number = seen.public, total(move.goods)
    if not within(move.goods, public.wanted):
        raise IllegalMove("SM-6", "more than is still wanted", f"still wanted: {described(public.wanted)}")
    if not within(move.goods, seen.own.goods):
        raise IllegalMove("SM-6", "you do not hold all these goods", f"you hold: {described(seen.own.goods) or 'none'}")
    if number > most_traded(public):
        raise IllegalMove("SM-13", "with Waren knapp a turn trades at most one card", "trade one card or none")
    if number:
        if move.steps:
            raise IllegalMove("SM-7", "after a trade the marker moves by itself", "leave the steps out")
    elif at_end(terms, public):
        if move.steps:
            raise IllegalMove("SM-8", "the marker is at its end", "trade, or leave the steps out to trade nothing")
    elif not 1 <= move.steps <= most_steps(terms, public):
        far = most_steps(terms, public)
        raise IllegalMove("SM-7", "who trades nothing moves the marker", f"move it {_range(far)}, or trade")


def _range(far: int) -> str:
    return "1 field" if far == 1 else f"1 to {far} fields"


def trade(s: Scratch, move: Trade) -> None:
    """One turn of the trade round (SM-6 to SM-8)."""
    last_turn = at_end(s.terms, s.public)
    faces = faces_of(move.goods)
    if faces:
        paid = pays(s.terms, s.public, len(faces))
        s.lay_out(s.seat, faces)
        s.set_player(s.seat, luxury=s.me.luxury + paid)
        s.set(wanted=sub(s.public.wanted, move.goods), traded=(*s.public.traded, *faces), spoiled=False)
        s.log.append(f"@{s.seat} trades {', '.join(faces)} for {paid}")
        if traded_in(s):
            end_half(s)
            return
    elif last_turn:
        s.log.append(f"@{s.seat} trades nothing")
    if last_turn or s.public.wanted == NONE:
        _end_round(s)
    else:
        _move_marker(s, move.steps or 1)
        _ask_trader(s)


def _move_marker(s: Scratch, steps: int) -> None:
    """The marker moves and the next player is up."""
    before = price(s.terms, s.public)
    s.set(marker=s.public.marker + steps)
    s.log.append(f"@{s.seat} moves the price: {before} -> {price(s.terms, s.public)}")
    s.set(turn=clockwise(s.public, s.seat)[0])


def _ask_trader(s: Scratch) -> None:
    """Ask who is up; an empty hand without a choice plays by itself (SM-23)."""
    s.asked = "trade"
    while not s.me.goods and most_steps(s.terms, s.public) <= 1:
        if at_end(s.terms, s.public):
            s.log.append(f"@{s.seat} has no goods to trade")
            _end_round(s)
            return
        _move_marker(s, 1)


def _end_round(s: Scratch) -> None:
    """SM-8."""
    s.log.append("the trade round is over")
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
        s.log.append(f"{s.public.idle} cards in a row were played without a goods card traded in")
        end_half(s)
    elif s.public.played >= s.terms.edition.half_cards:
        s.log.append(f"{s.public.played} cards were played in this half")
        end_half(s)
    else:
        start_round(s, clockwise(s.public, s.public.start)[0])


def start_round(s: Scratch, seat: int) -> None:
    """SM-5: the marker goes back to 1 and the start player must play a card."""
    s.set(start=seat, turn=seat, marker=0)
    s.asked = "play"


def end_half(s: Scratch) -> None:
    """SM-11, SM-12: everything open lapses; hands are filled up for the second half, after which the game ends."""
    _clear_table(s)
    s.log.append(f"the {HALVES[s.public.half]} half is over")
    if s.public.half == 2:
        _end_game(s)
        return
    start = clockwise(s.public, s.public.start)[0]
    s.shuffle_goods(s.draws.contents("goods"))
    _fill_hands(s, start)
    s.set(half=2, played=0, idle=0)
    start_round(s, start)


def _fill_hands(s: Scratch, start: int) -> None:
    """Everybody is dealt up to a full hand, from the new start player on, as far as the pile goes (SM-11)."""
    filled = []
    for seat in (start, *clockwise(s.public, start)):
        missing = s.terms.edition.hand_goods - s.public.players[seat].goods
        number = min(missing, s.public.goods_pile)
        if number > 0:
            s.deal_goods(seat, number)
            filled.append(seat)
    for seat in filled:
        s.seal_goods(seat)
    s.log.append(f"the goods are shuffled, hands filled up to {s.terms.edition.hand_goods}; @{start} starts")


def _end_game(s: Scratch) -> None:
    """SM-12: most luxury wins, ties share."""
    luxury = [player.luxury for player in s.public.players]
    s.result = Result(tuple(1 + sum(other > mine for other in luxury) for mine in luxury), tuple((n,) for n in luxury))
    winners = " and ".join(f"@{seat}" for seat, rank in enumerate(s.result.ranks) if rank == 1)
    s.log.append(f"the game is over, won by {winners} with {max(luxury)}")
