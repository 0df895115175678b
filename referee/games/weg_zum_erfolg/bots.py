"""Scripted players. `random` plays any legal move; `sensible` climbs, aims at good chips and spends its cards."""

from collections import deque
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import TypeVar

from msgspec.structs import replace

from referee.forms import any_move
from referee.game import Below, Seat, ask_of
from referee.playout import add_up

from .arithmetic import EXACT, evaluate, solve
from .graph import Leg, Legs, pick
from .lookups import SIX, is_settled, legs_of, mover, on_field, opponents_on, own_chip, swap_targets, uses
from .moving import decides, legs_after, opponents_for, ways_after
from .types import (
    LEVELS,
    RESERVE,
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
    Place,
    Sight,
    Solve,
    SwapChip,
    Target,
    Try,
    Turn,
    Wait,
    Way,
    Words,
)
from .words_list import hand, legal, solutions, swaps

A = TypeVar("A", Go, Opponent, Try)

POINT = 3.0
"""How many steps on the board a point is worth."""
UNKNOWN = 5.0
"""What a chip that lies face down may be worth, if the best is worth 9."""
HOME = 30.0
"""What coming home is worth beside the chip, in steps."""
BEATEN = 0.5
"""What a step that an opponent loses is worth."""
CARD = 0.2
"""What a card in hand is worth, in steps: there are more cards than heads to meet."""
FOR_A_HEAD = 1.3
"""How many cards a player needs for each head that the pieces will meet."""
COMES_SO_FAR = (0.7, 1.0)
"""What part of these heads is met in the end: before four pieces are home, and after."""
TO_SPARE = 2.0
"""With so many cards more than that, one more is worth nothing, and may be spent against others."""
SPENT = 2.0
"""What success must be worth to others for a card to be spent against them that is needed later."""
HURTS = 4.0
"""... and for one to spare that makes it dearer, but not impossible."""
WITH_CARDS = 0.8
"""The chance to master a head with a full hand."""
AHEAD = 0.05
"""Of equal gains, that of the piece farther ahead is better; ..."""
HURRY = 0.25
"""... the more so until a piece is on blue or home, and four are not home yet."""
SAFE = 4.0
"""What it is worth, until four pieces are home, to move a piece below blue, where the levels are swept."""
START_LATE = -4.0
"""Entering a piece while the lower levels will still be swept."""
START_NOW = 12.0


def random_move(terms: Deal, seen: Sight, below: Below) -> Move:
    """Every line of the list is equally likely; what may be added to it is added by chance."""
    move: Move = any_move(legal(terms, seen), Move, below)
    return move


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
            return mind.with_ways(Opponent(opponents_on(mind.board, seen.public, here.at)[0]), here)
        case "try":
            here = mover(seen.public)
            return mind.with_ways(Try(mind.success_pays(here)), here)
        case "intervene":
            return Intervene(mind.spoiler())
        case "solve":
            return mind.solution()
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
    board = edition.board
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


def odds(needed: int) -> float:
    """The chance to throw so much with two dice."""
    return sum(a + b >= needed for a, b in product(range(1, SIX + 1), repeat=2)) / SIX**2


@lru_cache(maxsize=4)
def heads(edition: Edition) -> tuple[float, ...]:
    """What part of the decision fields of each level are heads, from the lowest level."""
    kinds = [[field.kind for field in edition.fields if field.level == level] for level in LEVELS]
    return tuple(found.count("head") / max(1, found.count("head") + found.count("question")) for found in kinds)


def _needed(own: Sequence[int], table: Sequence[int], target: int) -> int | None:
    """How many of the player's own cards make the target, if any do."""
    found = solve(own, table, target)
    return len(evaluate(found[0]).cards) - len(table) if found else None


class Mind:
    """What a position is worth to one player, in steps."""

    def __init__(self, terms: Deal, seen: Sight) -> None:
        self.terms, self.seen, self.public = terms, seen, seen.public
        self.board = terms.edition.board
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
        if at in self.board.goal_of:
            return HOME + POINT * (chips or self.chips)[self.board.goal_of[at]]
        return max(POINT * chip - far for chip, far in zip(chips or self.chips, self.far[at], strict=True))

    def leg_value(self, leg: Leg) -> float:
        """Where a leg leads: a field, with what it beats there, or a decision: success and failure, each by its
        chance."""
        if leg.left:
            good, bad = self.outcomes(leg.at, leg.heading, leg.left)
            chance = self.chance(leg.at)
            return chance * good + (1 - chance) * bad
        value = self.value(leg.at)
        if leg.at in self.board.single:
            for seat, _ in on_field(self.public, leg.at):
                lost = self.value(leg.at) - self.value(self.board.start)
                value += lost * (-1.0 if seat == self.seen.seat else BEATEN)
        return value

    def outcomes(self, at: str, arrived: Heading, steps: int) -> tuple[float, float]:
        """What success and failure are worth; a direction that overshoots leaves the piece where it is."""
        cases = self.board.cases(at, arrived, steps, self.settled)
        here = self.value(at)
        # Nobody looks beyond the next decision.
        worths = ([self.value(leg.at) if leg.left else self.leg_value(leg) for leg in legs.values()] for legs in cases)
        good, bad = (max(found, default=here) for found in worths)
        return good, bad

    def chance(self, at: str) -> float:
        """The chance of success on a decision field."""
        field = self.board.fields[at]
        if field.kind == "head":
            return min(1.0, len(self.cards) / 4) * WITH_CARDS
        if any(seat != self.seen.seat for seat, _ in on_field(self.public, at)):
            return 0.5
        return odds(getattr(self.terms.edition.thresholds, field.level))

    def is_safe(self, at: str) -> bool:
        """Is this a field of the highest level, which is never swept, or a goal?"""
        return at in self.board.fields and self.board.fields[at].level == LEVELS[-1]

    # --- decisions

    def best_use(self) -> Move:
        return self.ranked_uses()[0]

    def ranked_uses(self) -> list[Move]:
        """The moves, those first that gain most against where their piece stands now."""
        pieces = self.public.players[self.seen.seat].pieces
        ahead = AHEAD if self.settled or any(self.is_safe(piece.at) for piece in pieces) else HURRY

        def gain(move: Go | Enter | Wait) -> float:
            if isinstance(move, Wait):
                return -START_NOW
            if isinstance(move, Enter):
                safe = self.settled or self.terms.options.reserve_leaves
                return START_NOW if safe else START_LATE
            piece = pieces[move.piece]
            leg = pick(legs_of(self.board, self.public, piece), move.way)
            escapes = SAFE if not (self.settled or self.is_safe(piece.at)) else 0.0
            return (1 + ahead) * (self.leg_value(leg) if leg else 0.0) - self.value(piece.at) + escapes

        found = sorted(uses(self.terms, self.public, self.seen.seat), key=gain, reverse=True)
        return [self.complete(move) if isinstance(move, Go) else move for move in found]

    def complete(self, move: Go) -> Go:
        """The move, with everything that can be said in advance."""
        piece = self.public.players[self.seen.seat].pieces[move.piece]
        leg = pick(legs_of(self.board, self.public, piece), move.way)
        assert leg is not None
        found = opponents_for(self.board, self.public, leg)
        asks = self.terms.options.neue_ziele and decides(self.board, self.public, leg)
        attempt = self.success_pays(leg) if asks else None
        return self.with_ways(replace(move, opponent=found[0] if found else None, attempt=attempt), leg)

    def with_ways(self, move: A, leg: Leg) -> A:
        """The move, with the ways after the decision to which it leads."""
        good, bad = self.best_ways(leg)
        sure = isinstance(move, Try) and not move.attempt
        return replace(move, success=None if sure else good, failure=bad)

    def best_ways(self, leg: Leg) -> tuple[Way | None, Way | None]:
        """After success and after failure, where there is a choice."""
        found = ways_after(self.board, self.public, leg)
        if not any(found):
            return None, None
        cases = self.board.cases(leg.at, leg.heading, leg.left, self.settled)
        good, bad = (self.best_way(legs) if choice else None for legs, choice in zip(cases, found, strict=True))
        return good, bad

    def best_way(self, legs: Legs) -> Way | None:
        return max(legs, key=lambda way: self.leg_value(legs[way]), default=None)

    def success_pays(self, leg: Leg, price: float = 0.0) -> bool:
        """Is success worth more than failure, and its price, to the piece that is being moved?"""
        good, bad = self.outcomes(leg.at, leg.heading, leg.left)
        return good >= bad + price

    def solution(self) -> Solve:
        """The fewest cards that make the target, if success is worth that many."""
        here = mover(self.public)
        good, bad = self.best_ways(here)
        if self.success_pays(here):
            for expression in solutions(self.seen, 1):
                own = len(evaluate(expression).cards) - len(self.public.task.table if self.public.task else ())
                if self.success_pays(here, CARD * own):
                    return Solve(expression, good)
        return Solve(None, bad)

    def coming(self) -> set[tuple[str, Heading]]:
        """The decision fields that the seat's pieces come to next, and how they arrive there."""
        found: set[tuple[str, Heading]] = set()
        for piece in self.public.players[self.seen.seat].pieces:
            if self.board.is_decision(piece.at):
                found.add((piece.at, piece.heading))
                for way in self.board.directions(piece.at, piece.heading, self.settled):
                    found |= self._ahead(piece.at, way)
            elif piece.at in self.board.in_play:
                found |= self._ahead(piece.at, piece.heading)
        return found

    def _ahead(self, at: str, heading: Heading) -> set[tuple[str, Heading]]:
        board = self.board
        leg = Leg(at, heading, 0) if board.is_junction(at) else board.run(at, heading, len(board.fields))
        if board.is_junction(leg.at):
            ways = board.choices(leg.at, leg.heading, self.settled)
            legs = [board.run(leg.at, way, len(board.fields)) for way in ways]
        else:
            legs = [leg]
        return {(leg.at, leg.rest) for leg in legs if board.is_decision(leg.at)}

    def on_average(self, at: str, arrived: Heading) -> float:
        """What success is worth more than failure on a decision field, whatever steps are left."""
        cases = [self.outcomes(at, arrived, steps) for steps in range(1, 7)]
        return add_up(good - bad for good, bad in cases)

    def spare(self) -> float:
        """How many cards there are beyond those that the heads ahead will need."""
        shares, ahead = heads(self.terms.edition), 0.0
        for piece in self.public.players[self.seen.seat].pieces:
            at = self.board.start if piece.at == RESERVE else piece.at
            if at in self.board.in_play:
                ahead += add_up(shares[LEVELS.index(self.board.fields[at].level) :])
        return len(self.cards) - FOR_A_HEAD * COMES_SO_FAR[self.settled] * ahead

    def spoiler(self) -> int | None:
        """A card that makes the target impossible for a mover with few cards, or else one to spare that makes it
        dearer; of several the one that the seat has most of."""
        task, held = self.public.task, self.public.players[self.public.turn].hand
        if task is None:
            return None
        good, bad = Mind(self.terms, replace(self.seen, seat=self.public.turn)).outcomes(*mover(self.public)[:3])
        gain, spare = good - bad, self.spare()
        cards = sorted(set(self.cards), key=lambda card: (-self.cards.count(card), -card))
        needed = _needed(held, (), task.target)
        if len(held) <= EXACT and gain > SPENT * min(1.0, 2 - spare / TO_SPARE):
            stops = (card for card in cards if _needed(held, (card,), task.target) is None)
            if needed is not None and (card := next(stops, None)) is not None:
                return card
        if spare < TO_SPARE or gain < HURTS or needed is None:
            return None
        dearest = max(cards, key=lambda card: _needed(held, (card,), task.target) or 0)
        return dearest if (_needed(held, (dearest,), task.target) or 0) > needed else None

    def best_target(self) -> Target:
        return self.ranked_targets()[0]

    def ranked_targets(self) -> list[Target]:
        """The pieces to change places with, those first that stand best."""

        def stands(target: tuple[Seat, int]) -> float:
            seat, piece = target
            return self.value(self.public.players[seat].pieces[piece].at)

        found = sorted(swap_targets(self.board, self.public, self.seen.seat), key=stands, reverse=True)
        return [Target(*target) for target in found]

    def best_place(self) -> int:
        """A good chip in the middle, which most ways reach; a bad one at an edge."""
        free = [goal for goal, chip in enumerate(self.public.chips) if chip is None]
        middle = (len(self.public.chips) - 1) / 2
        good = (own_chip(self.seen) or 0) >= UNKNOWN
        return min(free, key=lambda goal: abs(goal - middle) * (1 if good else -1))

    def outlook(self, chips: Sequence[float]) -> float:
        """The value of all pieces in play with the chips laid like this; those of the others count against it."""
        found = 0.0
        for seat, player in enumerate(self.public.players):
            weight = 1.0 if seat == self.seen.seat else -1 / (self.terms.seats - 1)
            found += add_up(weight * self.value(p.at, chips) for p in player.pieces if p.at in self.board.in_play)
        return found

    def best_chip(self) -> int | None:
        """The exchange after which the outlook is best; none if it is not better."""
        mine = self.board.goal_of[mover(self.public).at]

        def after(goal: int | None) -> float:
            chips = list(self.chips)
            if goal is not None:
                chips[mine], chips[goal] = chips[goal], chips[mine]
            return self.outlook(chips)

        return max(swaps(self.terms, self.seen), key=after)


# --- standing orders --------------------------------------------------------------------------------------------------


def advise(terms: Deal, seen: Sight, bot: str) -> Words | None:
    """What `sensible` says so that nobody need ask it: to play no card against others while it has none to spare,
    unless it can stop them, and what it does on the decision fields that its pieces come to next, if that is the same
    on all of them. About heads `strong` says nothing before four pieces are home: until then it often saves the cards,
    or wants to fail."""
    if seen.public is None:
        return None
    said, mind = seen.public.standing[seen.seat], Mind(terms, seen)
    words = Words() if mind.spare() >= TO_SPARE else Words(decline=True, cards=EXACT)
    pays = {at: mind.on_average(at, arrived) > 0 for at, arrived in sorted(mind.coming())}
    heads = {gain for at, gain in pays.items() if mind.board.fields[at].kind == "head"}
    if len(heads) == 1 and (mind.settled or bot != "strong"):
        words = replace(words, heads=2 if heads == {True} else 0)
    if terms.options.neue_ziele and len(set(pays.values())) == 1:
        words = replace(words, attempt=True in pays.values())
    return words if words != said else None
