"""The comparison of paired worlds (`tests/noninterference/worlds.py`), taught what Schwarzmarkt lawfully shows.

Two things are added. A Razzia tells everybody how many cards of one good a hand has (SM-17): where that number differs,
the comparison ends. And a *close* comparison has no excuse for which slot is opened: wherever a hand or pile is sealed
anew, world B is arranged so that the slots which world A opens hold the same faces. Whoever can still tell the worlds
apart has followed a card by its slot: it was not sealed anew.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from itertools import permutations
from typing import Any, NamedTuple
from unittest.mock import patch

from msgspec.structs import replace

from referee.crypto import slots
from referee.engine import dealer
from referee.engine.records import Open, Seal, Take
from referee.game import ALL, ask_of, seen
from referee.games.schwarzmarkt.moves import gifts
from referee.games.schwarzmarkt.tables import count
from referee.games.schwarzmarkt.types import GOODS, Find, Raid, Swap
from tests.noninterference import worlds
from tests.noninterference.worlds import Record, World, choose_swaps, compare

GAME = "schwarzmarkt"
TASKS = ("spy", "quick", "swap", "raid", "find", "collect")
"""What is asked after a text card: rare, so that many worlds are to differ just then."""


class Market(World):
    """A world that notes what every Razzia found, and in which only seals from round `since` on are blurred."""

    since = 0
    record: Record | None = None
    """The other world, if the comparison is a close one."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.raids: list[tuple[int, int, int]] = []
        """Round, target, and the number of cards found."""
        game = self.match.table.game
        self.match.table.game = replace(game, apply=self._noting(game.apply))

    def _noting(self, real: Any) -> Any:
        def apply(terms: Any, position: Any, answers: Any, draws: Any) -> Any:
            step = real(terms, position, answers, draws)
            for move in answers.values():
                if isinstance(move, Raid):
                    found = count(position.own[move.target].goods, move.good)
                    self.raids.append((self.match.state.round, move.target, found))
            return step

        return apply

    def _arrange(self, bag: str, generation: int, faces: Sequence[str], order: list[str]) -> list[str]:
        if self.record is None or self.twin is None:
            blur = self.blur
            if generation and self.match.state.round < self.since:
                self.blur = -1
            order = super()._arrange(bag, generation, faces, order)
            self.blur = blur
            return order
        model = self.twin.orders.get((bag, generation), [])
        if len(model) == len(faces):
            order = self._close_to(bag, generation, model, faces)
        for one, other in self.swaps:
            i, j = slots.parse_slot(one)[2], slots.parse_slot(other)[2]
            if slots.parse_slot(one)[:2] == (bag, generation):
                order[i], order[j] = order[j], order[i]
        self.orders[bag, generation] = list(order)
        return order

    def _close_to(self, bag: str, generation: int, model: Sequence[str], faces: Sequence[str]) -> list[str]:
        """`faces` in an order that shows the watching player, as long as it can, the slots that world A shows."""
        assert self.record is not None
        names = [slots.slot_id(bag, generation, i) for i in range(len(model))]
        later = [names.index(slot) for slot in shown_slots(self.record, self.blur) if slot in names]
        left, order = Counter(faces), [""] * len(model)
        for i in (*later, *(i for i in range(len(model)) if i not in later)):
            if left[model[i]]:
                order[i] = model[i]
                left[model[i]] -= 1
        rest = left.elements()
        return [face or next(rest) for face in order]

    @contextmanager
    def active(self) -> Iterator[None]:
        """Within, slots are arranged as in this world; close to A, equal faces are opened in the order of A, too.

        That order is a secret of its own: `test_opening_order.py` tests that it tells nothing.
        """
        with ExitStack() as stack:
            stack.enter_context(super().active())
            if self.record is not None and self.twin is not None:
                real, first = dealer.Dealer._place, opened_slots(self.record)

                def place(me: Any, slot: str) -> bytes:
                    return first[slot].to_bytes(4, "big") if slot in first else b"\xff" * 4 + real(me, slot)

                stack.enter_context(patch.object(dealer.Dealer, "_place", place))
            yield


@lru_cache(maxsize=4)
def ops_of(record: Record) -> list[Any]:
    return [op for number in range(1, len(record.rounds) + 1) for op in record.entry(number).ops]


@lru_cache(maxsize=20)
def shown_slots(record: Record, seat: int) -> list[str]:
    """Slots whose faces everybody or this seat is shown after they were sealed, in order."""
    shown = [op for op in ops_of(record) if isinstance(op, Open) or (isinstance(op, Take) and op.to in (ALL, seat))]
    return list(dict.fromkeys(token.slot for op in shown for token in op.tokens if not token.leafless))


@lru_cache(maxsize=4)
def opened_slots(record: Record) -> dict[str, int]:
    """Slots that are opened out of a hand, numbered in order."""
    opened = [token.slot for op in ops_of(record) if isinstance(op, Open) for token in op.tokens]
    return {slot: at for at, slot in enumerate(opened)}


_lawfully_shown = worlds.lawfully_shown


def lawfully_shown(record: Record, b: World, number: int, seat: int, other_move: Any = None) -> str:
    """Why the player may know from this round on that the worlds differ: the general reasons, and those of the game."""
    a = record.world
    assert isinstance(a, Market)
    assert isinstance(b, Market)
    if [one for one in a.raids if one[0] == number - 1] != [one for one in b.raids if one[0] == number - 1]:
        return "a raid found another number of cards"
    if not b.faces().keys() <= a.faces().keys():
        return ""
    if b.record is None:
        return _lawfully_shown(record, b, number, seat, other_move)
    return _other_cards_shown(record, b, number, seat)


def _other_cards_shown(record: Record, b: Market, number: int, seat: int) -> str:
    """In a close comparison only other faces count, and only where chance or the rules show them to this player."""
    mine = [[one for one in w.fallbacks if one[0] == number - 1 and one[1] != seat] for w in (record.world, b)]
    if mine[0] != mine[1]:
        return "a missed deadline played another move"
    in_a, in_b = record.world.faces(), b.faces()
    for op in record.entry(number).ops:
        names: list[str] = []
        if isinstance(op, Take) and op.to in (ALL, seat):
            names = [token.slot for token in op.tokens if not token.leafless]
        elif isinstance(op, Seal) and op.owner == seat:
            names = [slots.slot_id(op.bag, op.generation, i) for i in range(len(op.leaves))]
        if any(in_a[name] != in_b[name] for name in names):
            return "the player was shown another card"
    return ""


@contextmanager
def market() -> Iterator[None]:
    """Within, the general comparison plays in worlds of this kind."""
    with patch.object(worlds, "World", Market), patch.object(worlds, "lawfully_shown", lawfully_shown):
        yield


# --- which worlds to compare -----------------------------------------------------------------------------------------


class Found(NamedTuple):
    """Moments compared, differences, and why the comparisons ended."""

    pairs: int
    wrong: tuple[str, ...]
    ends: Counter[str]

    def plus(self, other: "Found") -> "Found":
        return Found(self.pairs + other.pairs, self.wrong + other.wrong, self.ends + other.ends)


NOTHING = Found(0, (), Counter())


def other_hands(record: Record, seed: str, number: int, *, every: int = 5) -> Found:
    """Other hands and piles from the start, seat by seat; what others seal is blurred at once or from some round on."""
    rng, found = random.Random(seed), NOTHING
    for one in range(number):
        seat = one % len(record.seated.keys)
        special = [
            at for at, state in enumerate(record.states) if (ask := ask_of(state.ask, seat)) and ask.what in TASKS
        ]
        if special and rng.random() < 0.4:
            target = rng.choice(special)
        else:
            target = rng.randrange(1, len(record.rounds) + 1)
        swaps = choose_swaps(record, seat, target, rng, rng.choice((1, 1, 2, 5, 20)))
        mine = (f"goods/{seat}", f"cards/{seat}")
        swaps = [pair for pair in swaps if slots.parse_slot(pair[0])[0] not in mine]
        with patch.object(Market, "since", rng.choice((0, target))):
            found = found.plus(_told(f"seat {seat}, {swaps}", compare(record, seat, swaps, every=every)))
        if found.wrong:
            break
    return found


def other_sealed(record: Record, most: int = 6, *, every: int = 8, kinds: Any = (Swap, Find)) -> Found:
    """Worlds in which a sealed answer was another one: the cards given in a Zwangstausch, the wishes of Neue Ware."""
    cases, found = [case for case in _other_answers(record) if isinstance(case[2], kinds)], NOTHING
    for number, who, move, seat in random.Random(len(cases)).sample(cases, min(most, len(cases))):
        with patch.object(Market, "record", record):
            outcome = compare(record, seat, (), other_move=(number, who, move), every=every)
        found = found.plus(_told(f"seat {seat}, {move}", outcome))
    return found


def _other_answers(record: Record) -> Iterator[tuple[int, int, Any, int]]:
    """Round, who answers, another sealed answer, and a player who must not notice."""
    for number, played in enumerate(record.rounds, 1):
        before = record.states[number - 1]
        for who, move, _ in played.answers:
            if move is None or before.witness or not (ask := ask_of(before.ask, who)) or not ask.sealed:
                continue
            knowing = {who, move.target} if isinstance(move, Swap) else {who}
            others = [seat for seat in range(len(record.seated.keys)) if seat not in knowing]
            for other in _others(move, seen(before.position, who)):
                yield from ((number, who, other, seat) for seat in others)


def _others(move: Any, mine: Any) -> Iterator[Any]:
    if isinstance(move, Swap):
        yield from (replace(move, give=give) for give in gifts(mine.own.goods, move.number) if give != move.give)
    elif isinstance(move, Find):
        rankings = [ranking for ranking in permutations(GOODS) if ranking[0] != move.ranking[0]]
        yield from map(Find, random.Random(0).sample(rankings, 6))


def other_takes(record: Record, most: int = 6, *, every: int = 8) -> Found:
    """Worlds in which a card that went unseen from hand to hand was of another kind."""
    cases, found = list(_other_taken(record)), NOTHING
    for seat, pair, why in random.Random(len(cases)).sample(cases, min(most, len(cases))):
        if why:
            found = found.plus(Found(0, (why,), Counter()))
            continue
        with patch.object(Market, "record", record):
            found = found.plus(_told(f"seat {seat}, {pair}", compare(record, seat, [pair], every=every)))
    return found


def _other_taken(record: Record) -> Iterator[tuple[int, tuple[str, str], str]]:
    """A player who must not notice, and two slots of the hand that was taken from; or why they cannot be exchanged."""
    face = record.world.faces()
    for number in range(1, len(record.rounds) + 1):
        for op in record.entry(number).ops:
            if not isinstance(op, Take) or op.to < 0 or not op.bag.startswith("goods/"):
                continue
            hand = worlds.hold(record.states[number - 1], op.bag)
            taken = [token.slot for token in op.tokens if token.slot in hand]
            known = [slot for slot in hand if slots.is_open(slot)]
            why = f"round {number}: everybody knows whether {known} left {op.bag}" if known else ""
            pairs = [(one, other) for one in taken for other in hand if other not in (*taken, *known)]
            for seat in range(len(record.seated.keys)):
                if seat in (op.to, int(op.bag.split("/")[1])):
                    continue
                if why:
                    yield seat, ("", ""), why
                for one, other in pairs:
                    if one not in known and face[one] != face[other] and _free(record, one, other, seat):
                        yield seat, (one, other), ""


def _free(record: Record, one: str, other: str, seat: int) -> bool:
    """Exchanging these two slots of a hand changes nothing but which card is taken from it unseen."""
    return other not in shown_slots(record, seat) and slots.parse_slot(one)[:2] == slots.parse_slot(other)[:2]


def _told(what: str, outcome: worlds.Outcome) -> Found:
    return Found(outcome.pairs, tuple(f"{what}: {one}" for one in outcome.differences), Counter([outcome.stopped]))
