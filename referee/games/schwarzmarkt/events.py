"""The text cards that are carried out at once (SM-14 to SM-18, SM-20); the other three only change a trade round.

Each is carried out as its player decided, or as SM-24 says if no decision came (None).
"""

from collections.abc import Callable
from typing import Any

from .lookups import clockwise, targets
from .rounds import carried_out, end_half, traded_in
from .scratch import Scratch
from .types import GOODS, Collect, Find, Good, Quick, Raid, Spy, Swap


def carry_out(s: Scratch, what: str, move: Any) -> None:
    """Do what the text card says; then the next player starts, or the half is over."""
    CARRY_OUT[what](s, move)
    if what == "quick" and traded_in(s):
        end_half(s)
    else:
        carried_out(s)


def _aim(s: Scratch, move: Spy | Swap | Collect | None) -> int:
    return move.target if move else targets(s, s.turn)[0]


def _spy(s: Scratch, move: Spy | None) -> None:
    """SM-14: the cards shown go back into a hand in which nobody can tell them from the others."""
    target = _aim(s, move)
    hand = f"goods/{target}"
    shown = s.draws.take(hand, min(s.terms.edition.spy_cards, s.players[target].goods))
    s.draws.put(hand, shown)
    s.draws.shuffle(hand)
    s.note("spy", seat=s.turn, target=target, goods=shown)


def _quick(s: Scratch, move: Quick | None) -> None:
    """SM-15."""
    hand, pay = f"goods/{s.turn}", s.terms.edition.quick_deal
    if move:
        good = move.good
        s.draws.lay_out(hand, (good,))
    else:
        good = _good(s.draws.take(hand, 1)[0])
    s.put_goods_under((good,))
    s.trade_in(1, pay)
    s.note("trade", seat=s.turn, goods=(good,), paid=pay)


def _good(face: str) -> Good:
    return next(good for good in GOODS if good == face)


def _swap(s: Scratch, move: Swap | None) -> None:
    """SM-16: the gift is set aside while cards are taken, so that only cards held before can be taken."""
    me, target, number = s.turn, _aim(s, move), move.number if move else 1
    mine, theirs = f"goods/{me}", f"goods/{target}"
    if move:
        s.draws.give(me, "give", number, mine, "swap")
    else:
        s.draws.deal(mine, number, "swap")
    s.draws.deal(theirs, number, mine)
    s.draws.deal("swap", number, theirs)
    s.note("swap", seat=me, target=target, number=number)


def _raid(s: Scratch, move: Raid | None) -> None:
    """SM-17."""
    target, good = (move.target, move.good) if move else (clockwise(s, s.turn)[0], GOODS[0])
    found = len(s.draws.lay_out_all(f"goods/{target}", good))
    s.put_goods_under((good,) * found)
    s.change(target, goods=-found)
    s.note("raid", seat=s.turn, target=target, good=good, found=found)


def _find(s: Scratch, move: Find | None) -> None:
    """SM-18: the first good of the ranking that the pile holds; the pile is shuffled, so that no gap shows which."""
    cost = s.terms.edition.find_cost
    s.shuffle_goods()
    s.draws.seek(s.turn, "ranking", "goods", f"goods/{s.turn}", fixed=GOODS)
    # Sealed rankings are not judged before the end: they may name nothing that the pile holds.
    found = s.goods_pile - s.draws.count("goods")
    s.goods_pile -= found
    s.change(s.turn, luxury=-cost, goods=found)
    s.note("find", seat=s.turn, cost=cost)


def _collect(s: Scratch, move: Collect | None) -> None:
    """SM-20."""
    target = _aim(s, move)
    s.draws.deal(f"goods/{target}", 1, f"goods/{s.turn}")
    s.change(target, goods=-1)
    s.change(s.turn, goods=1)
    s.note("collect", seat=s.turn, target=target)


CARRY_OUT: dict[str, Callable[[Scratch, Any], None]] = {
    "spy": _spy,
    "quick": _quick,
    "swap": _swap,
    "raid": _raid,
    "find": _find,
    "collect": _collect,
}
