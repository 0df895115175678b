"""What may be answered: what everybody can judge, which `apply` asks again, and what only the own hand shows."""

from referee.errors import IllegalMove
from referee.game import LINK, Ask, ask_of

from .tables import (
    all_cards,
    amounts_of,
    at_end,
    count,
    described,
    faces_of,
    held,
    most_steps,
    most_traded,
    total,
    within,
)
from .types import GOODS, Collect, Deal, Find, Move, Play, Public, Quick, Raid, Sight, Spy, Swap, Trade

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
    mine = held(seen)
    hold = f"you hold: {described(mine) or 'none'}"
    match move:
        case Play(card):
            if card not in seen.hand("cards"):
                raise IllegalMove("SM-5", "you do not hold that card", f"play one of: {', '.join(seen.hand('cards'))}")
        case Trade(goods):
            if not within(goods, mine):
                raise IllegalMove("SM-6", "you do not hold all these goods", hold)
        case Quick(good):
            if not count(mine, good):
                raise IllegalMove("SM-15", f"you hold no {good}", hold)
        case Swap(_, number, give):
            given = amounts_of(give)
            if len(give) != number or faces_of(given) != give:
                raise IllegalMove(
                    "SM-16", f"{number} cards must be given", f"name them in the order {', '.join(GOODS)}"
                )
            if not within(given, mine):
                raise IllegalMove("SM-16", "you do not hold the cards given", hold)
        case Find(ranking):
            if sorted(ranking) != sorted(GOODS):
                raise IllegalMove("SM-18", "the ranking needs every good once", f"rank {', '.join(GOODS)}, best first")


def check_open(terms: Deal, public: Public, ask: Ask, move: Move) -> None:
    """Raise `IllegalMove` if everybody can tell that the move is none; sealed fields are not looked at."""
    kinds, clause, todo = ANSWERS[ask.what]
    if not isinstance(move, kinds):
        raise IllegalMove(clause, "that does not answer what is asked now", todo)
    match move:
        case Play(card):
            if card not in all_cards(terms):
                raise IllegalMove(clause, "there is no such card", todo)
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


def _check_trade(terms: Deal, public: Public, move: Trade) -> None:
    """SM-6, SM-7, SM-13."""
    number, far = total(move.goods), most_steps(terms, public)
    if not within(move.goods, public.wanted):
        raise IllegalMove("SM-6", "more than is still wanted", f"still wanted: {described(public.wanted)}")
    if number > most_traded(public):
        raise IllegalMove("SM-13", "with Waren knapp a turn trades at most one card", "trade one card or none")
    if number:
        if move.steps:
            raise IllegalMove("SM-7", "after a trade the marker moves by itself", "leave the steps out")
    elif at_end(terms, public):
        if move.steps:
            raise IllegalMove("SM-8", "the marker is at its end", "trade, or leave the steps out to trade nothing")
    elif not 1 <= move.steps <= far:
        fields = "1 field" if far == 1 else f"1 to {far} fields"
        raise IllegalMove("SM-7", "who trades nothing moves the marker", f"move it {fields}, or trade")


def _check_target(public: Public, seat: int, target: int, least: int, clause: str) -> None:
    if target >= len(public.players) or target == seat:
        raise IllegalMove(clause, "the target must be another player", "name another player")
    goods = public.players[target].goods
    if goods < least:
        raise IllegalMove(clause, f"the target holds {goods} of the {least} goods cards needed", "name another player")
