"""Legal answers: what everybody can judge, which `apply` checks again, and what only the player's own hand shows."""

from referee.game import LINK, Ask, ask_of

from .lookups import (
    NONE,
    amounts_of,
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
from .scratch import SEALED
from .types import (
    GOODS,
    Collect,
    Deal,
    Find,
    FollowUp,
    Move,
    Play,
    Public,
    Quick,
    Raid,
    Sight,
    Spy,
    Swap,
    Trade,
    illegal,
)

ANSWERS: dict[str, tuple[tuple[type[Move], ...], str]] = {
    "play": ((Play,), "SM-5"),
    "trade": ((Trade,), "SM-6"),
    "spy": ((Spy,), "SM-14"),
    "quick": ((Quick,), "SM-15"),
    "swap": ((Swap,), "SM-16"),
    "raid": ((Raid,), "SM-17"),
    "find": ((Find,), "SM-18"),
    "collect": ((Collect,), "SM-20"),
    LINK: ((), "SM-11"),
}
"""Decision -> the kind of move that answers it, and its clause."""


def check(terms: Deal, seen: Sight, move: Move) -> None:
    """Raise `IllegalMove` unless the move answers the question and keeps to the rules."""
    ask = ask_of(seen.pending, seen.seat)
    if ask is None:
        raise illegal("SM-5", "not-asked")
    check_open(terms, seen.public, ask, move)
    _check_own(seen, move)


def _check_own(seen: Sight, move: Move) -> None:
    """What only the player's own hands show."""
    match move:
        case Play(card, then):
            if card not in seen.hand("cards"):
                raise illegal("SM-5", "card-not-held", cards=tuple(dict.fromkeys(seen.hand("cards"))))
            if then is not None:
                _check_own(seen, then)
        case Trade(goods):
            if goods != NONE and not within(goods, held(seen)):
                raise illegal("SM-6", "goods-not-held", held=seen.hand("goods"))
        case Quick(good):
            if good not in seen.hand("goods"):
                raise illegal("SM-15", "good-not-held", good=good, held=seen.hand("goods"))
        case Swap(_, number, give):
            given = amounts_of(give)
            if len(give) != number or faces_of(given) != give:
                raise illegal("SM-16", "other-number-given", number=number, goods=GOODS)
            if not within(given, held(seen)):
                raise illegal("SM-16", "gift-not-held", held=seen.hand("goods"))
        case Find(ranking):
            if sorted(ranking) != sorted(GOODS):
                raise illegal("SM-18", "not-every-good", goods=GOODS)


def check_open(terms: Deal, public: Public, ask: Ask, move: Move) -> None:
    """Raise `IllegalMove` if everybody can tell that the move is illegal; sealed fields are not looked at."""
    kinds, clause = ANSWERS[ask.what]
    if not isinstance(move, kinds):
        raise illegal(clause, "no-answer", asked=ask.what)
    match move:
        case Play(card, then):
            if not is_card(terms, card):
                raise illegal(clause, "no-such-card")
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
                raise illegal(clause, "cannot-swap-so-many", number=number, most=most)
            _check_target(public, ask.seat, target, number, clause)


def _check_follow_up(terms: Deal, public: Public, seat: int, card: str, then: FollowUp) -> None:
    """SM-25: what is decided together with a card is judged as if it had been asked for after it."""
    what = follow_up(terms, public, seat, card)
    if not what:
        raise illegal("SM-25", "nothing-follows")
    if what in SEALED:
        raise illegal("SM-25", "secret-follows")
    check_open(terms, opened(terms, public, card), Ask(seat, what), then)


def _check_trade(terms: Deal, public: Public, move: Trade) -> None:
    """SM-6, SM-7, SM-13, SM-26."""
    number, far = total(move.goods), most_steps(terms, public)
    if number:
        if not within(move.goods, public.wanted):
            raise illegal("SM-6", "not-wanted", wanted=faces_of(public.wanted))
        if number > most_traded(public):
            raise illegal("SM-13", "goods-are-scarce")
        if move.steps:
            raise illegal("SM-7", "steps-after-trade")
    elif not far:
        if move.steps:
            raise illegal("SM-8", "marker-at-end")
    elif not 1 <= move.steps <= far:
        raise illegal("SM-7", "marker-must-move", fields=far)
    if move.sit_out:
        if not far:
            raise illegal("SM-26", "no-turn-left")
        if move.sit_out > longest_step(terms):
            raise illegal("SM-26", "no-field-so-far", most=longest_step(terms))


def _check_target(public: Public, seat: int, target: int, least: int, clause: str) -> None:
    if target >= len(public.players) or target == seat:
        raise illegal(clause, "no-other-player")
    goods = public.players[target].goods
    if goods < least:
        raise illegal(clause, "target-has-too-few", goods=goods, least=least)
