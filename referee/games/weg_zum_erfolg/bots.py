"""Scripted players. `random` plays any listed move; `sensible` climbs, aims at good chips and keeps its cards."""

from collections import deque
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TypeVar

from msgspec.structs import replace

from referee.game import Below, Seat, ask_of

from .arithmetic import EXACT, solve
from .graph import Board, Leg, pick
from .moving import legs_after
from .tables import (
    colours_on,
    in_play,
    is_settled,
    legs_of,
    mover,
    on_field,
    opponents_on,
    own_chip,
    swap_targets,
    uses,
)
from .types import (
    Ahead,
    Chip,
    Deal,
    Edition,
    Enter,
    Go,
    Heading,
    Intervene,
    Lose,
    Move,
    Opponent,
    Piece,
    Place,
    Sight,
    Solve,
    SwapChip,
    Target,
    Try,
    Turn,
    Way,
)
from .words_list import ahead, hand, legal, solutions, swaps

A = TypeVar("A", Go, Opponent, Try, Solve)

POINT = 3.0
"""How many steps on the board a point is worth."""
UNKNOWN = 5.0
"""What a chip that lies face down may be worth, if the best is worth 9."""
HOME = 30.0
"""What coming home is worth beside the chip, in steps."""
BEATEN = 0.5
"""What a step lost by one opponent is worth."""
CARD = 1.5
"""What a card in hand is worth, in steps."""
CARDS_TO_SPARE = 5
"""With fewer in hand no card is spent against others, ever again."""
WITH_CARDS = 0.8
"""The chance to master a head with a full hand."""
AHEAD = 0.05
"""Of equal gains the one of the piece that is farther is better."""
START_LATE = -4.0
"""Entering a piece while the lower levels will still be swept."""
START_NOW = 12.0


def random_move(terms: Deal, seen: Sight, below: Below) -> Move:
    """Every listed move is equally likely; what may be added to it is added half the time."""
    choices = legal(terms, seen)
    move: Move = choices[below(len(choices))].move
    if not isinstance(move, Ahead):
        return move
    mind = Mind(terms, seen)
    leg = mind.leg(move)
    named = {case: ways[below(len(ways))] for case, ways in mind.ways_after(leg).items() if below(2)}
    if isinstance(move, Go) and leg.left:
        found = opponents_on(mind.board, seen.public, leg.at)
        if len(found) > 1 and below(2):
            move = replace(move, opponent=found[below(len(found))])
        if terms.options.neue_ziele and below(2):
            move = replace(move, attempt=below(2) == 0)
    return replace(move, **named)


def sensible_move(terms: Deal, seen: Sight, below: Below) -> Move:
    """Climb where it pays; no chance in it."""
    ask = ask_of(seen.pending, seen.seat)
    mind = Mind(terms, seen)
    match ask.what if ask else "":
        case "piece":
            return mind.best_use()
        case "way":
            return Turn(mind.best_way(legs_after(mind.board, seen.public)) or "up")
        case "opponent":
            here = mover(seen.public)
            return mind.with_ways(Opponent(opponents_on(mind.board, seen.public, here.at)[0]))
        case "try":
            return mind.with_ways(Try(mind.success_pays(mover(seen.public))))
        case "intervene":
            return Intervene(mind.spoiler(), standing=True if len(mind.cards) < CARDS_TO_SPARE else None)
        case "solve":
            found = solutions(seen, 1) if mind.success_pays(mover(seen.public), CARD) else []
            return mind.with_ways(Solve(found[0] if found else None))
        case "target":
            return mind.best_target()
        case "lose":
            return Lose(max(hand(seen), key=lambda card: (mind.cards.count(card), card)))
        case "place":
            return Place(mind.best_place())
        case _:
            return SwapChip(mind.best_chip())


@lru_cache(maxsize=4)
def distances(edition: Edition) -> Mapping[str, tuple[int, ...]]:
    """The fewest steps from every field to every goal, whatever the headings."""
    board = Board(edition)
    before: dict[str, list[str]] = {name: [] for name in board.fields}
    for field in edition.fields:
        for to in (field.left, field.right, field.up):
            if to:
                before[to].append(field.id)
    found: dict[str, list[int]] = {name: [] for name in board.fields}
    for goal in board.goals:
        far, queue = {goal: 0}, deque([goal])
        while queue:
            at = queue.popleft()
            for other in before[at]:
                if other not in far:
                    far[other] = far[at] + 1
                    queue.append(other)
        for name in board.fields:
            found[name].append(far.get(name, 999))
    return {name: tuple(numbers) for name, numbers in found.items()}


class Mind:
    """What a position is worth to one player, in steps."""

    def __init__(self, terms: Deal, seen: Sight) -> None:
        self.terms, self.seen, self.public = terms, seen, seen.public
        self.board = Board(terms.edition)
        self.far = distances(terms.edition)
        self.settled = is_settled(seen.public)
        self.cards = seen.public.players[seen.seat].hand
        self.chips = [self._worth(chip) for chip in seen.public.chips]

    def _worth(self, chip: Chip | None) -> float:
        if chip is None or (chip.value is None and chip.by != self.seen.seat):
            return UNKNOWN
        return 9 * (chip.value or own_chip(self.seen) or UNKNOWN) / max(self.terms.edition.chips)

    # --- fields and legs

    def value(self, at: str, chips: Sequence[float] = ()) -> float:
        """The best goal from here, counted in steps; more is better, and the start field is near 0."""
        if at not in self.far:
            return 0.0
        if self.board.fields[at].kind == "goal":
            return HOME + POINT * (chips or self.chips)[self.board.goals.index(at)]
        return max(POINT * chip - far for chip, far in zip(chips or self.chips, self.far[at], strict=True))

    def leg_value(self, leg: Leg) -> float:
        """Where a leg leads: a field, with what it beats there, or a decision."""
        if leg.left:
            return self.decision_value(leg.at, leg.heading, leg.left)
        value = self.value(leg.at)
        if self.board.fields[leg.at].kind in ("small", "star", "chip"):
            for seat, _ in on_field(self.public, leg.at):
                lost = self.value(leg.at) - self.value(self.board.start)
                value += lost * (-1.0 if seat == self.seen.seat else BEATEN)
        return value

    def decision_value(self, at: str, arrived: Heading, steps: int) -> float:
        """Success and failure, each by its chance."""
        good, bad = self.outcomes(at, arrived, steps)
        chance = self.chance(at)
        return chance * good + (1 - chance) * bad

    def outcomes(self, at: str, arrived: Heading, steps: int) -> tuple[float, float]:
        """What success and failure are worth; a direction that overshoots leaves the piece where it is."""
        cases = self.board.cases(at, arrived, steps, self.settled)
        here = self.value(at)
        good, bad = (max((self._plain(leg) for leg in legs.values()), default=here) for legs in cases)
        return good, bad

    def _plain(self, leg: Leg) -> float:
        """Without looking beyond the next decision."""
        return self.value(leg.at) if leg.left else self.leg_value(leg)

    def chance(self, at: str) -> float:
        """The chance of success on a decision field."""
        field = self.board.fields[at]
        if field.kind == "head":
            return min(1.0, len(self.cards) / 4) * WITH_CARDS
        if colours_on(self.public, at, self.seen.seat):
            return 0.5
        needed: int = getattr(self.terms.edition.thresholds, field.level)
        return sum(a + b >= needed for a in range(1, 7) for b in range(1, 7)) / 36

    # --- decisions

    def best_use(self) -> Move:
        """The move that gains most against where its piece stands now."""
        pieces = self.public.players[self.seen.seat].pieces

        def gain(move: Go | Enter) -> float:
            if isinstance(move, Enter):
                safe = self.settled or self.terms.options.reserve_leaves
                return START_NOW if safe else START_LATE
            piece = pieces[move.piece]
            leg = pick(legs_of(self.board, self.public, piece), move.way)
            return (1 + AHEAD) * (self.leg_value(leg) if leg else 0.0) - self.value(piece.at)

        move = max(uses(self.board, self.public, self.seen.seat), key=gain)
        return self.with_ways(move) if isinstance(move, Go) else move

    def leg(self, move: Ahead) -> Leg:
        """The leg to the decision before which a move is made."""
        if not isinstance(move, Go):
            return mover(self.public)
        leg = pick(legs_of(self.board, self.public, self.public.players[self.seen.seat].pieces[move.piece]), move.way)
        assert leg is not None
        return leg

    def ways_after(self, leg: Leg) -> Mapping[str, Sequence[Way]]:
        """What may be named in advance, if the leg leads to a decision."""
        return ahead(self.board, self.public, leg) if leg.left else {}

    def with_ways(self, move: A) -> A:
        """The move, with everything that can be said in advance."""
        leg = self.leg(move)
        if not leg.left:
            return move
        cases = self.board.cases(leg.at, leg.heading, leg.left, self.settled)
        best = {case: self.best_way(legs) for case, legs in zip(("success", "failure"), cases, strict=True)}
        failed = (isinstance(move, Solve) and move.expression is None) or (isinstance(move, Try) and not move.attempt)
        sure = "failure" if failed else "success" if isinstance(move, Solve) else ""
        move = replace(move, **{case: best[case] for case in self.ways_after(leg) if sure in ("", case)})
        if isinstance(move, Go):
            found = opponents_on(self.board, self.public, leg.at)
            attempt = self.success_pays(leg) if self.terms.options.neue_ziele else None
            return replace(move, opponent=found[0] if len(found) > 1 else None, attempt=attempt)
        return move

    def best_way(self, legs: Mapping[Way | None, Leg]) -> Way | None:
        return max(legs, key=lambda way: self.leg_value(legs[way]), default=None)

    def success_pays(self, leg: Leg, price: float = 0.0) -> bool:
        """Is success worth more than failure, and its price, to the piece that is being moved?"""
        good, bad = self.outcomes(leg.at, leg.heading, leg.left)
        return good >= bad + price

    def spoiler(self) -> int | None:
        """A card that makes the target impossible for a mover with few cards; the most dispensable one."""
        task, mover = self.public.task, self.public.players[self.public.turn].hand
        if task is None or len(self.cards) < CARDS_TO_SPARE or len(mover) + 1 > EXACT:
            return None
        if not solve(mover, (), task.target):
            return None
        cards = sorted(set(self.cards), key=lambda card: (-self.cards.count(card), -card))
        return next((card for card in cards if not solve(mover, (card,), task.target)), None)

    def best_target(self) -> Target:
        mine = mover(self.public).at

        def gain(target: tuple[Seat, int]) -> float:
            return self.value(self._piece(target).at) - self.value(mine)

        seat, piece = max(swap_targets(self.board, self.public, self.seen.seat), key=gain)
        return Target(seat, piece)

    def _piece(self, target: tuple[Seat, int]) -> Piece:
        return self.public.players[target[0]].pieces[target[1]]

    def best_place(self) -> int:
        """A good chip in the middle, which most ways reach; a bad one at an edge."""
        free = [goal for goal, chip in enumerate(self.public.chips) if chip is None]
        middle = (len(self.public.chips) - 1) / 2
        good = (own_chip(self.seen) or 0) >= UNKNOWN
        return min(free, key=lambda goal: abs(goal - middle) * (1 if good else -1))

    def outlook(self, chips: Sequence[float]) -> float:
        """All pieces in play with the chips laid like this: the own ones count, the others' against them."""
        found = 0.0
        for seat, player in enumerate(self.public.players):
            weight = 1.0 if seat == self.seen.seat else -1 / (self.terms.seats - 1)
            found += sum(weight * self.value(p.at, chips) for p in player.pieces if in_play(self.board, p))
        return found

    def best_chip(self) -> int | None:
        """The exchange after which the outlook is best; none if it is not better."""
        mine = self.board.goals.index(mover(self.public).at)

        def after(goal: int | None) -> float:
            chips = list(self.chips)
            if goal is not None:
                chips[mine], chips[goal] = chips[goal], chips[mine]
            return self.outlook(chips)

        return max(swaps(self.terms, self.seen), key=after)
