"""The text cards that are carried out at once (SM-14 to SM-18, SM-20); the other three only change a trade round."""

from referee.errors import IllegalMove
from referee.game import ALL

from .rounds import carried_out, end_half, traded_in
from .scratch import Scratch
from .tables import ONE, add, amounts_of, count, described, faces_of, sub, within
from .types import GOODS, Collect, Deal, Find, Quick, Raid, Spy, Swap, View

Task = Spy | Quick | Swap | Raid | Find | Collect


def check_task(terms: Deal, seen: View, move: Task) -> None:
    """Raise `IllegalMove` unless the text card may be carried out like this."""
    match move:
        case Spy():
            _check_target(seen, move.target, 1, "SM-14")
        case Quick():
            _check_quick(seen, move)
        case Swap():
            _check_swap(terms, seen, move)
        case Raid():
            _check_target(seen, move.target, 0, "SM-17")
        case Find():
            if sorted(move.ranking) != sorted(GOODS):
                raise IllegalMove("SM-18", "the ranking needs every good once", f"rank {', '.join(GOODS)}, best first")
        case Collect():
            _check_target(seen, move.target, 1, "SM-20")


def _check_target(seen: View, target: int, least: int, clause: str) -> None:
    players = seen.public.players
    if target >= len(players) or target == seen.seat:
        raise IllegalMove(clause, "the target must be another player", "name another player")
    held = players[target].goods
    if held < least:
        raise IllegalMove(clause, f"the target holds {held} of the {least} goods cards needed", "name another player")


def _check_quick(seen: View, move: Quick) -> None:
    if not count(seen.own.goods, move.good):
        raise IllegalMove("SM-15", f"you hold no {move.good}", f"you hold: {described(seen.own.goods)}")


def _check_swap(terms: Deal, seen: View, move: Swap) -> None:
    most = terms.edition.swap_cards
    if not 1 <= move.number <= most:
        raise IllegalMove("SM-16", f"{move.number} cards cannot be swapped", f"swap 1 to {most} cards")
    _check_target(seen, move.target, move.number, "SM-16")
    given = amounts_of(move.give)
    if len(move.give) != move.number or faces_of(given) != move.give:
        raise IllegalMove("SM-16", f"{move.number} cards must be given", f"name them in the order {', '.join(GOODS)}")
    if not within(given, seen.own.goods):
        raise IllegalMove("SM-16", "you do not hold the cards given", f"you hold: {described(seen.own.goods)}")


def carry_out(s: Scratch, move: Task) -> None:
    """Do what the text card says; then the next player starts, or the half is over."""
    match move:
        case Spy():
            _spy(s, move)
        case Quick():
            _quick(s, move)
        case Swap():
            _swap(s, move)
        case Raid():
            _raid(s, move)
        case Find():
            _find(s, move)
        case Collect():
            _collect(s, move)
    if isinstance(move, Quick) and traded_in(s):
        end_half(s)
    else:
        carried_out(s)


def _spy(s: Scratch, move: Spy) -> None:
    """SM-14: the shown cards go back into a hand in which nobody can tell them apart any more."""
    number = min(s.terms.edition.spy_cards, s.public.players[move.target].goods)
    shown = s.draws.take(f"goods/{move.target}", number, to=ALL)
    s.seal_goods(move.target)
    s.log.append(f"@{s.seat} spies on @{move.target}: {', '.join(shown)}")


def _quick(s: Scratch, move: Quick) -> None:
    """SM-15."""
    pay = s.terms.edition.quick_deal
    s.lay_out(s.seat, (move.good,))
    s.goods_under((move.good,))
    s.set_player(s.seat, luxury=s.me.luxury + pay)
    s.log.append(f"@{s.seat} trades {move.good} for {pay}")


def _swap(s: Scratch, move: Swap) -> None:
    """SM-16: what is taken comes from the cards held before the gift."""
    me, target = s.seat, move.target
    given = amounts_of(move.give)
    taken = amounts_of(s.draws.take(f"goods/{target}", move.number, to=me))
    s.hold(me, add(sub(s.goods[me], given), taken))
    s.hold(target, add(sub(s.goods[target], taken), given))
    s.seal_goods(me)
    s.seal_goods(target)
    s.log.append(f"@{me} swaps {move.number} goods card{'s' * (move.number > 1)} with @{target}")


def _raid(s: Scratch, move: Raid) -> None:
    """SM-17."""
    found = (move.good,) * count(s.goods[move.target], move.good)
    if found:
        s.lay_out(move.target, found)
        s.goods_under(found)
    s.log.append(f"@{s.seat} raids @{move.target} for {move.good}: {len(found) or 'none'} found")


def _find(s: Scratch, move: Find) -> None:
    """SM-18: the first of the ranking that the pile holds; the pile is shuffled, so that no gap shows which."""
    cost, pile = s.terms.edition.find_cost, list(s.draws.contents("goods"))
    found = next(good for good in move.ranking if good in pile)
    pile.remove(found)
    s.shuffle_goods(pile)
    s.hold(s.seat, add(s.goods[s.seat], ONE[found]))
    s.seal_goods(s.seat)
    s.set_player(s.seat, luxury=s.me.luxury - cost)
    s.log.append(f"@{s.seat} takes a goods card from the pile for {cost}")


def _collect(s: Scratch, move: Collect) -> None:
    """SM-20."""
    taken = amounts_of(s.draws.take(f"goods/{move.target}", 1, to=s.seat))
    s.hold(move.target, sub(s.goods[move.target], taken))
    s.hold(s.seat, add(s.goods[s.seat], taken))
    s.seal_goods(s.seat)
    s.log.append(f"@{s.seat} takes a goods card from @{move.target}")
