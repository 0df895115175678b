"""Leaks to be planted in Schwarzmarkt: each is a mistake that its rules could have had."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from referee.engine import turn, view
from referee.engine.records import Take, Token
from referee.errors import IllegalMove
from referee.games.schwarzmarkt import events, rounds, scratch
from referee.games.schwarzmarkt.tables import (
    ONE,
    add,
    amounts_of,
    at_end,
    count,
    described,
    goods_in,
    sub,
    total,
    tradable,
)
from referee.games.schwarzmarkt.types import GOODS, Raid
from tests.noninterference import leaks as general

GENERAL = (
    "hand_order",
    "openings_of_another",
    "hidden_take_shows_the_face",
    "first_slot_is_opened",
    "full_hash_without_salt",
    "leaves_without_salt",
    "commitment_without_salt",
    "error_of_another_kind",
)
"""Leaks of the engine and of any game, planted here too."""
Leak = Callable[[ExitStack], None]
LEAKS: dict[str, Leak] = {name: general.LEAKS[name][1] for name in GENERAL}


@contextmanager
def planted(name: str) -> Iterator[None]:
    with ExitStack() as stack:
        LEAKS[name](stack)
        yield


def plant(leak: Leak) -> Leak:
    LEAKS[leak.__name__] = leak
    return leak


def change(stack: ExitStack, module: Any, name: str, other: Any) -> None:
    stack.enter_context(patch.object(module, name, other))


# --- cards that can be followed by their slots


@plant
def a_hand_that_gained_a_card_is_not_sealed_anew(stack: ExitStack) -> None:
    """Alte Rechnung: the card keeps its slot, so that everybody recognises it when it is traded."""

    def collect(s: Any, move: Any) -> None:
        taken = amounts_of(s.draws.take(f"goods/{move.target}", 1, to=s.seat, into=f"goods/{s.seat}"))
        s.hold(move.target, sub(s.goods[move.target], taken))
        s.hold(s.seat, add(s.goods[s.seat], taken))
        s.log.append(f"@{s.seat} takes a goods card from @{move.target}")

    change(stack, events, "_collect", collect)


@plant
def spied_cards_are_not_sealed_anew(stack: ExitStack) -> None:
    """Spionage: the cards shown go back as what they are."""

    def spy(s: Any, move: Any) -> None:
        number = min(s.terms.edition.spy_cards, s.public.players[move.target].goods)
        shown = s.draws.take(f"goods/{move.target}", number)
        s.draws.put(f"goods/{move.target}", shown)
        s.log.append(f"@{s.seat} spies on @{move.target}: {', '.join(shown)}")

    change(stack, events, "_spy", spy)


@plant
def neue_ware_leaves_a_gap_in_the_pile(stack: ExitStack) -> None:
    """The pile is not sealed anew: the empty slot tells what was found as soon as its neighbours are known."""
    real = events._find

    def find(s: Any, move: Any) -> None:
        dealer, pile = s.draws, s.draws.bags["goods"]
        wanted = next(good for good in move.ranking if good in dealer.contents("goods"))
        slot = next((slot for slot in pile.slots if dealer.faces[slot] == wanted), None)
        if slot is None:
            real(s, move)
            return
        dealer.bags["goods"] = replace(pile, slots=tuple(other for other in pile.slots if other != slot))
        dealer.ops.append(Take("goods", (Token(slot),), s.seat, ""))
        dealer._tell(s.seat, [slot])
        dealer._forget([slot])
        s.set(goods_pile=s.public.goods_pile - 1)
        s.hold(s.seat, add(s.goods[s.seat], ONE[wanted]))
        s.seal_goods(s.seat)
        s.set_player(s.seat, luxury=s.me.luxury - s.terms.edition.find_cost)
        s.log.append(f"@{s.seat} takes a goods card from the pile for {s.terms.edition.find_cost}")

    change(stack, events, "_find", find)


@plant
def swapped_cards_are_put_openly_into_the_other_hand(stack: ExitStack) -> None:
    real = events._swap

    def swap(s: Any, move: Any) -> None:
        real(s, move)
        bag = f"goods/{move.target}"
        s.draws.open(bag, move.give)
        s.draws.put(bag, move.give)

    change(stack, events, "_swap", swap)


# --- who is asked, what is listed, what is refused


@plant
def who_holds_nothing_wanted_is_passed_over(stack: ExitStack) -> None:
    """SM-23 with a hidden fact in place of a public one."""

    def ask_trader(s: Any) -> None:
        s.asked = "trade"
        while not total(tradable(s.public, s.goods[s.seat])):
            if at_end(s.terms, s.public):
                rounds._end_round(s)
                return
            rounds._move_marker(s, 1)

    change(stack, rounds, "_ask_trader", ask_trader)


@plant
def razzia_lists_only_goods_that_are_there(stack: ExitStack) -> None:
    last = general.peeking(stack, view)

    def there(move: Any) -> bool:
        return not isinstance(move, Raid) or bool(count(last[-1].own[move.target].goods, move.good))

    def wrap(real: Any) -> Any:
        return lambda terms, view: tuple(choice for choice in real(terms, view) if there(choice.move))

    general.change_game(stack, legal=wrap)


@plant
def an_error_tells_what_the_next_player_holds(stack: ExitStack) -> None:
    last = general.peeking(stack, turn)

    def wrap(real: Any) -> Any:
        def check(terms: Any, view: Any, move: Any) -> None:
            try:
                real(terms, view, move)
            except IllegalMove as error:
                held = described(last[-1].own[(view.seat + 1) % terms.seats].goods)
                raise IllegalMove(error.clause, error.message, f"@{view.seat + 1} holds {held}") from None

        return check

    general.change_game(stack, check=wrap)


# --- lines and sizes


@plant
def the_log_names_the_kind_found(stack: ExitStack) -> None:
    real = events._find

    def find(s: Any, move: Any) -> None:
        before = s.goods[s.seat]
        real(s, move)
        s.log[-1] += f": {described(sub(s.goods[s.seat], before))}"

    change(stack, events, "_find", find)


@plant
def a_line_is_longer_for_some_cards(stack: ExitStack) -> None:
    """Alte Rechnung: the card is not named, but there are as many blanks as its kind has before it."""
    real = events._collect

    def collect(s: Any, move: Any) -> None:
        before = s.goods[s.seat]
        real(s, move)
        s.log[-1] += " " * GOODS.index(goods_in(sub(s.goods[s.seat], before))[0])

    change(stack, events, "_collect", collect)


@plant
def more_is_sealed_for_some_cards(stack: ExitStack) -> None:
    """Alte Rechnung: the other hand is sealed anew too, but only if it lost certain goods."""
    real = events._collect

    def collect(s: Any, move: Any) -> None:
        before = s.goods[s.seat]
        real(s, move)
        if GOODS.index(goods_in(sub(s.goods[s.seat], before))[0]) % 2:
            s.seal_goods(move.target)

    change(stack, events, "_collect", collect)


@plant
def a_view_is_longer_for_some_hands(stack: ExitStack) -> None:
    real = view.make_view

    def make_view(match: Any, seat: int) -> bytes:
        position = match.state.position
        return real(match, seat) + b"\n" * (position.own[seat - 1].goods.sugar if position else 0)

    stack.enter_context(patch("tests.noninterference.worlds.make_view", make_view))


@plant
def the_pile_is_told_after_a_shuffle(stack: ExitStack) -> None:
    """A public count of what the pile holds tells what all other hands hold together."""
    real = scratch.Scratch.shuffle_goods

    def shuffle(s: Any, faces: Any) -> None:
        real(s, faces)
        s.log.append(f"in the pile: {described(amounts_of(faces))}")

    change(stack, scratch.Scratch, "shuffle_goods", shuffle)
