"""What may be answered: what everybody can judge, which `apply` asks again, and what only the own hand shows."""

from referee.errors import IllegalMove
from referee.game import LINK, Ask, ask_of

from .scratch import SEALED
from .tables import (
    NONE,
    amounts_of,
    described,
    faces_of,
    follow_up,
    held,
    is_card,
    longest_step,
    most_steps,
    most_traded,
    opened,
    total,
    within,
)
from .types import GOODS, Collect, Deal, Find, FollowUp, Move, Play, Public, Quick, Raid, Sight, Spy, Swap, Trade

ANSWERS: dict[str, tuple[tuple[type[Move], ...], str, str]] = {
    "play": ((Play,), "SM-5", "play one of your black-market cards"),
    "trade": ((Trade,), "SM-6", "trade goods that are wanted, or move the marker"),
    "spy": ((Spy,), "SM-14", "name the player whose goods are shown"),
    "quick": ((Quick,), "SM-15", "name the good you trade"),
    "swap": ((Swap,), "SM-16", "name a player and the cards you give"),
    "raid": ((Raid,), "SM-17", "name a player and a good"),
    "find": ((Find,), "SM-18", "rank the goods, best first"),
    "collect": ((Collect,), "SM-20", "name the player you take a card from"),
    LINK: ((), "SM-11", "wait until the goods are dealt"),
}
"""Decision -> the kind of move that answers it, its clause, and what to do."""


def check(terms: Deal, seen: Sight, move: Move) -> None:
    """Raise `IllegalMove` unless the move answers the question and keeps to the rules."""
    ask = ask_of(seen.pending, seen.seat)
    if ask is None:
        raise IllegalMove("SM-5", "it is not your turn", "wait until you are asked")
    check_open(terms, seen.public, ask, move)
    _check_own(seen, move)


def _check_own(seen: Sight, move: Move) -> None:
    """What only the own hands show."""
    match move:
        case Play(card, then):
            if card not in seen.hand("cards"):
                raise IllegalMove("SM-5", "you do not hold that card", f"play one of: {', '.join(seen.hand('cards'))}")
            if then is not None:
                _check_own(seen, then)
        case Trade(goods):
            if goods != NONE and not within(goods, held(seen)):
                raise IllegalMove("SM-6", "you do not hold all these goods", _you_hold(seen))
        case Quick(good):
            if good not in seen.hand("goods"):
                raise IllegalMove("SM-15", f"you hold no {good}", _you_hold(seen))
        case Swap(_, number, give):
            given = amounts_of(give)
            if len(give) != number or faces_of(given) != give:
                raise IllegalMove(
                    "SM-16", f"{number} cards must be given", f"name them in the order {', '.join(GOODS)}"
                )
            if not within(given, held(seen)):
                raise IllegalMove("SM-16", "you do not hold the cards given", _you_hold(seen))
        case Find(ranking):
            if sorted(ranking) != sorted(GOODS):
                raise IllegalMove("SM-18", "the ranking needs every good once", f"rank {', '.join(GOODS)}, best first")


def _you_hold(seen: Sight) -> str:
    return f"you hold: {described(held(seen)) or 'none'}"


def check_open(terms: Deal, public: Public, ask: Ask, move: Move) -> None:
    """Raise `IllegalMove` if everybody can tell that the move is none; sealed fields are not looked at."""
    kinds, clause, todo = ANSWERS[ask.what]
    if not isinstance(move, kinds):
        raise IllegalMove(clause, "that does not answer what is asked now", todo)
    match move:
        case Play(card, then):
            if not is_card(terms, card):
                raise IllegalMove(clause, "there is no such card", todo)
            if then is not None:
                _check_follow_up(terms, public, ask.seat, card, then)
        case Trade():
            _check_trade(terms, public, move)
        case Spy(target) | Collect(target):
            _check_target(public, ask.seat, target, 1, clause)
        case Raid(target):
            _check_target(public, ask.seat, target, 0, clause)
        case Swap(target, number):
            most = terms.edition.swap_cards
            if not 1 <= number <= most:
                raise IllegalMove(clause, f"{number} cards cannot be swapped", f"swap 1 to {most} cards")
            _check_target(public, ask.seat, target, number, clause)


def _check_follow_up(terms: Deal, public: Public, seat: int, card: str, then: FollowUp) -> None:
    """SM-25: what is decided together with a card is judged as if it had been asked for after it."""
    what = follow_up(terms, public, seat, card)
    if not what:
        raise IllegalMove("SM-25", "nothing is to be decided after that card", "play the card alone")
    if what in SEALED:
        raise IllegalMove("SM-25", "what follows that card is secret and asked for apart", "play the card alone")
    check_open(terms, opened(terms, public, card), Ask(seat, what), then)


def _check_trade(terms: Deal, public: Public, move: Trade) -> None:
    """SM-6, SM-7, SM-13, SM-26."""
    number, far = total(move.goods), most_steps(terms, public)
    if number:
        if not within(move.goods, public.wanted):
            raise IllegalMove("SM-6", "more than is still wanted", f"still wanted: {described(public.wanted)}")
        if number > most_traded(public):
            raise IllegalMove("SM-13", "with Waren knapp a turn trades at most one card", "trade one card or none")
        if move.steps:
            raise IllegalMove("SM-7", "after a trade the marker moves by itself", "leave the steps out")
    elif not far:
        if move.steps:
            raise IllegalMove("SM-8", "the marker is at its end", "trade, or leave the steps out to trade nothing")
    elif not 1 <= move.steps <= far:
        fields = "1 field" if far == 1 else f"1 to {far} fields"
        raise IllegalMove("SM-7", "who trades nothing moves the marker", f"move it {fields}, or trade")
    if move.sit_out:
        if not far:
            raise IllegalMove("SM-26", "no turn is left to sit out", "leave `sit out` out")
        if move.sit_out > longest_step(terms):
            most = longest_step(terms)
            raise IllegalMove("SM-26", "no field lets the marker move so far", f"sit out with 1 to {most} fields")


def _check_target(public: Public, seat: int, target: int, least: int, clause: str) -> None:
    if target >= len(public.players) or target == seat:
        raise IllegalMove(clause, "the target must be another player", "name another player")
    goods = public.players[target].goods
    if goods < least:
        raise IllegalMove(clause, f"the target holds {goods} of the {least} goods cards needed", "name another player")
