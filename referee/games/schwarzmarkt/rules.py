"""The rules of Schwarzmarkt: which editions can be played, the set-up, and what an answer does."""

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import pairwise
from typing import Any

import msgspec

from referee.game import LINK, Ask, Draws, Step, refuse
from referee.language import Reason

from .checks import check_open
from .events import carry_out
from .lookups import NONE, STAYING, add, all_cards, count, faces_of, goods_in_play, total
from .rounds import fill_hands, pass_over, play_card, trade
from .scratch import Scratch
from .types import GOODS, Amounts, Deal, Edition, Play, Player, Public, Words, illegal

MOST_CARDS = 400
SAFE_TURNS = 1022
"""In one half: the game then ends within the limit of 2,048 rounds, whatever happens in it."""
MOST_TURNS = 1500
"""In one half, if all cards are played and hardly anybody trades: possible only where there is a lot to trade."""


def validate(terms: Deal) -> None:
    """Refuse an edition with which no game can be played."""
    refuse(terms.edition.name, _faults(terms))


def _faults(terms: Deal) -> Iterator[Reason]:
    e, seats = terms.edition, terms.seats
    if not 3 <= seats <= 5:
        yield illegal.fault("other-seats", seats=seats)
    try:
        msgspec.convert(msgspec.to_builtins(e), Edition)
    except msgspec.ValidationError as error:
        yield illegal.fault("other-types", error=str(error))
        return
    if (e.track[0], e.track[-1]) != (1, 50) or not all(a < b for a, b in pairwise(e.track)):
        yield illegal.fault("track-must-rise")
    if e.limit not in e.track[1:]:
        yield illegal.fault("limit-off-track")
    if len(e.steps) != len(e.track) or 0 in e.steps[:-1] or e.steps[-1]:
        yield illegal.fault("steps-unlike-track")
    if NONE in e.offers:
        yield illegal.fault("empty-offer")
    if not seats * e.hand_goods <= total(goods_in_play(terms)) <= MOST_CARDS:
        yield illegal.fault("number-of-goods", most_cards=MOST_CARDS)
    # Every text card that stays open may lie there while a card is drawn.
    staying = sum(event in STAYING for event in e.events)
    if not seats * e.hand_cards + staying < len(all_cards(terms)) <= MOST_CARDS:
        yield illegal.fault("number-of-cards", most_cards=MOST_CARDS)
    # A card is played, and then somebody is asked at most once on every field.
    turns = SAFE_TURNS if _lopsided(goods_in_play(terms)) or _lopsided(reduce(add, e.offers)) else MOST_TURNS
    if e.half_cards > turns // (1 + len(e.track)):
        yield illegal.fault("half-cards-too-many", turns=turns // (1 + len(e.track)))


def _lopsided(amounts: Amounts) -> bool:
    """Whether there is more than one and a half times as much of one good as of another."""
    numbers = [count(amounts, good) for good in GOODS]
    return 2 * max(numbers) > 3 * min(numbers)


def bags(terms: Deal) -> Mapping[str, Sequence[str]]:
    """SM-1, SM-2: both piles before anybody is dealt a card."""
    return {"goods": faces_of(goods_in_play(terms)), "cards": all_cards(terms)}


def setup(terms: Deal, draws: Draws, words: tuple[Words, ...]) -> Step:
    """SM-4: the seed draws a dealer, and the player to the left starts; two hidden hands for each seat."""
    e, start = terms.edition, draws.die(terms.seats) - 1
    for hand, number in (("cards", e.hand_cards), ("goods", e.hand_goods)):
        for seat in range(terms.seats):
            draws.deal(hand, number, f"{hand}/{seat}")
    public = Public(
        players=(Player(luxury=0, goods=e.hand_goods, cards=e.hand_cards, traded_in=0),) * terms.seats,
        half=1,
        start=start,
        turn=start,
        marker=0,
        offer=None,
        wanted=NONE,
        in_force=(),
        spoiled=False,
        traded=(),
        sitting_out=(0,) * terms.seats,
        standing=words,
        goods_pile=draws.count("goods"),
        goods_under=(),
        card_pile=draws.count("cards"),
        card_under=(),
        played=0,
        idle=0,
        finisher=None,
    )
    s = Scratch(terms, public, draws)
    s.note("dealt", cards=e.hand_cards, goods=e.hand_goods, start=start)
    s.asked = "play"
    return s.close()


def apply(terms: Deal, public: Public, pending: tuple[Ask, ...], answers: Mapping[int, Any], draws: Draws) -> Step:
    """Play the one answer, or what SM-24 puts in its place, and continue to the next decision or the end."""
    for ask in pending:
        answer = answers[ask.seat]
        if answer is not None:
            check_open(terms, public, ask, answer)
    s, move = Scratch(terms, public, draws), answers[pending[0].seat]
    _act(s, pending[0].what, move)
    if isinstance(move, Play) and move.then is not None:
        _act(s, s.asked, move.then)
    pass_over(s)
    return s.close()


def _act(s: Scratch, what: str, move: Any) -> None:
    """Carry out what was asked as this move decides, or without a decision."""
    s.asked = what
    if what == LINK:
        fill_hands(s)
    elif what == "play":
        play_card(s, move)
    elif what == "trade":
        trade(s, move)
    else:
        carry_out(s, what, move)
