"""A third scripted player, `strong`: it deals the unknown cards in many ways and plays some moves out in each.

What it knows is what its seat has seen. The work of a decision is counted, never timed.
"""

from collections.abc import Iterator, Sequence

from referee.game import LINK, Below, Seat, Seen, Step, ask_of
from referee.playout import Chance, PlainDraws

from .bots import others_hold, sensible_move, sensible_play
from .lookups import (
    NONE,
    after_play,
    all_cards,
    amounts_of,
    at_end,
    clockwise,
    count,
    faces_of,
    goods_in,
    goods_in_play,
    held,
    most_steps,
    most_traded,
    sub,
    targets,
    total,
    tradable,
)
from .rules import apply
from .types import (
    GOODS,
    Amounts,
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
    Swap,
    Trade,
)
from .words import in_order

ROUNDS = ((10, 4), (30, 1))
"""Worlds for each move that is still considered, and how many moves are left after that."""
MOST = 12
"""Moves that are considered at first."""
TURNS = 120
"""The most turns for which a world is played on; nearly all halves are over by then."""
CLOSE = 40.0
"""A lead of so much luxury is worth half as much as one that cannot be lost."""
Tokens = dict[str, list[str]]


def strong_move(terms: Deal, seen: Sight, below: Below) -> Move:
    """The move with the best mean result; a card is chosen first, then what is sent with it."""
    first = sensible_move(terms, seen, below)
    best = _best(terms, seen, _distinct(first, candidates(terms, seen)), below)
    if not isinstance(best, Play) or best.then is None:
        return best
    after = after_play(terms, seen, best.card)
    others = (Play(best.card, then) for then in candidates(terms, after) if isinstance(then, FollowUp))
    return _best(terms, seen, _distinct(best, others), below)


def _distinct(first: Move, others: Iterator[Move]) -> list[Move]:
    return list(dict.fromkeys((first, *others)))[:MOST]


# --- which moves


def candidates(terms: Deal, seen: Sight) -> Iterator[Move]:
    """Moves worth a try, the most promising first."""
    public, seat = seen.public, seen.seat
    ask = ask_of(seen.pending, seat)
    match ask.what if ask else "":
        case "play":
            yield from (sensible_play(terms, seen, card) for card in in_order(terms, seen.hand("cards")))
        case "trade":
            yield from _trades(terms, seen)
        case "quick":
            yield from map(Quick, goods_in(held(seen)))
        case "raid":
            others = others_hold(terms, seen)
            goods = sorted(GOODS, key=lambda good: -others[good])
            yield from (Raid(target, good) for good in goods for target in clockwise(public, seat))
        case "swap":
            yield from _swaps(terms, seen)
        case "find":
            yield from (Find((good, *(other for other in GOODS if other != good))) for good in GOODS)
        case "collect":
            yield from map(Collect, targets(public, seat))


def _trades(terms: Deal, seen: Sight) -> Iterator[Trade]:
    """All of what is wanted, all of one good, one card, all but one card; or nothing, with every step."""
    public = seen.public
    able = tradable(public, held(seen))
    some = [Amounts(**{good: 1}) for good in goods_in(able)]
    if most_traded(public) > 1:
        whole = [Amounts(**{good: count(able, good)}) for good in goods_in(able)]
        some = [able, *whole, *some, *(sub(able, one) for one in some)]
    if at_end(terms, public):
        yield from (Trade(goods) for goods in (*some, NONE))
        return
    nothing_left = able == NONE
    for steps in range(1, most_steps(terms, public) + 1):
        yield Trade(NONE, steps, steps if nothing_left else 0)
    yield from (Trade(goods, 0, int(goods == able)) for goods in some if goods != NONE)


def _swaps(terms: Deal, seen: Sight) -> Iterator[Swap]:
    """One card of each good, and two of the first and the last in hand."""
    hand = held(seen)
    for target in targets(seen.public, seen.seat):
        yield from (Swap(target, 1, (good,)) for good in goods_in(hand))
        if total(hand) > 1 and seen.public.players[target].goods > 1 and terms.edition.swap_cards > 1:
            cards = faces_of(hand)
            yield from (Swap(target, 2, pair) for pair in (cards[:2], cards[-2:]))


# --- how good they are


def _best(terms: Deal, seen: Sight, moves: Sequence[Move], below: Below) -> Move:
    """The best of these, after rounds in which the worse ones drop out; each round has worlds of its own."""
    left, sums = list(moves), dict.fromkeys(moves, 0.0)
    tails = {"goods": seen.public.goods_under, "cards": seen.public.card_under}
    for worlds, keep in ROUNDS:
        for _ in range(worlds if len(left) > 1 else 0):
            tokens, seed = _world(terms, seen, below), below(2**32)
            for move in left:
                sums[move] += _result(terms, seen, move, PlainDraws(tokens, Chance(seed), tails=tails))
        left = sorted(left, key=lambda move: -sums[move])[:keep]
    return left[0]


def _result(terms: Deal, seen: Sight, move: Move, draws: PlainDraws) -> float:
    """How the half ends for this seat in one world, from -1 to 1."""
    half, step = seen.public.half, _played(terms, Step(seen.public, seen.pending), seen.seat, move, draws)
    for _ in range(TURNS):
        if not step.pending or step.public.half != half or step.pending[0].what == LINK:
            break
        seat = step.pending[0].seat
        tokens = {f"{hand}/{seat}": tuple(draws.bags.get(f"{hand}/{seat}", ())) for hand in ("goods", "cards")}
        choice = sensible_move(terms, Seen(seat, step.public, step.pending, tokens), draws.below)
        step = _played(terms, step, seat, choice, draws)
    return _worth(step.public, seen.seat)


def _played(terms: Deal, step: Step, seat: Seat, move: Move, draws: PlainDraws) -> Step:
    draws.next_step({seat: move})
    return apply(terms, step.public, step.pending, {seat: move}, draws)


def _worth(public: Public, seat: Seat) -> float:
    """The lead over the best of the others, in which the first step counts most."""
    luxury = [player.luxury for player in public.players]
    lead = luxury[seat] - max(luxury[other] for other in clockwise(public, seat))
    return lead / (CLOSE + abs(lead))


# --- where the unknown cards may lie


def _world(terms: Deal, seen: Sight, below: Below) -> Tokens:
    """All containers as they may be: what this seat has not seen lies anywhere."""
    public, me = seen.public, seen.seat
    cards = [*all_cards(terms)]
    for card in (*seen.hand("cards"), *public.in_force, *public.card_under, *((public.offer,) if public.offer else ())):
        cards.remove(card)
    known = (*public.traded, *public.goods_under, *seen.hand("goods"))
    goods: list[str] = [*faces_of(sub(goods_in_play(terms), amounts_of(known)))]
    bags: Tokens = {f"goods/{me}": [*seen.hand("goods")], f"cards/{me}": [*seen.hand("cards")]}
    _shuffle(cards, below)
    _shuffle(goods, below)
    out = [seat for seat in clockwise(public, me) if public.sitting_out[seat]]
    if out:
        # Who sits out holds nothing that is wanted, if it can be helped: those cards are dealt last.
        wanted = goods_in(public.wanted)
        goods.sort(key=lambda good: good not in wanted)
    for seat in out:
        bags[f"goods/{seat}"] = _dealt(goods, public.players[seat].goods)
    if out:
        _shuffle(goods, below)
    for seat in clockwise(public, me):
        bags.setdefault(f"goods/{seat}", []).extend(_dealt(goods, 0 if seat in out else public.players[seat].goods))
        bags[f"cards/{seat}"] = _dealt(cards, public.players[seat].cards)
    return bags | {"goods": goods, "cards": cards}


def _dealt(pile: list[str], number: int) -> list[str]:
    return [pile.pop() for _ in range(number)]


def _shuffle(tokens: list[str], below: Below) -> None:
    for at in range(len(tokens) - 1, 0, -1):
        other = below(at + 1)
        tokens[at], tokens[other] = tokens[other], tokens[at]
