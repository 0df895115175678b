"""A player that tries its moves out: it deals what it cannot know by chance, plays every candidate on for some laps of
the table with a quick policy, and takes the one after which it stands best against the best of the others."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import fsum, sqrt
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from referee.forms import build, sample
from referee.game import LINK, Ask, Below, Seat, Step, ask_of
from referee.playout import PlainDraws

from .arithmetic import fewest
from .bots import BEATEN, START_LATE, START_NOW, Mind, sensible_move
from .graph import Board, Leg, Legs, pick
from .moving import legs_after
from .rules import apply, missed
from .tables import chance_cards, is_settled, legs_of, mover, success_cards, swap_targets, uses
from .types import (
    LEVELS,
    RESERVE,
    Deal,
    Enter,
    Go,
    Heading,
    Intervene,
    Lose,
    Move,
    Player,
    Public,
    Sight,
    Solve,
    Target,
    Try,
    Turn,
    Words,
)
from .words_list import legal

HEADINGS: tuple[Heading, ...] = ("up", "left", "right")
LAPS = 1
"""So often every player has a turn before a position is judged."""
TURNS = 600
"""So many turns are played for one decision, all candidates and worlds together."""
CAUTION = 1.0
"""By so many standard errors another move must seem better than that of `sensible`."""
CANDIDATES = 10
SAMPLES = 2
"""Of each family of moves."""
BEST = 9
"""The best chip counts so much here, whatever an edition says."""
STEP = 0.2
"""What a step is worth, in points, ..."""
USUAL = (-8.0, -2.0, 3.0, 8.0, 14.0)
"""... against what a field of a level is worth as a rule."""
LEADING = (
    (4.2, 4.8, 4.7, 5.2, 5.3),
    (2.1, 3.3, 4.2, 4.5, 5.1),
    (1.8, 2.7, 3.3, 3.7, 4.4),
    (1.7, 1.9, 2.2, 2.5, 3.5),
)
"""What a player's foremost piece brings home in the end, by how many pieces are home and by its level, before four are
home: means of games of `sensible`."""
FOLLOWING = 1.0
"""What any other piece in play brings then: most are swept away."""
RESERVED = (2.4, 2.4, 2.5, 2.8)
"""What a piece in the reserve brings, by how many pieces are home."""
CARD = 0.3
"""What a card in hand is worth, in points, ..."""
HEADS = 3
"""... as long as there are no more than so many for each piece that is not home."""
MASTERED = 0.5
"""The chance to master a head, the card for it not counted."""
DEEP = 12
"""Decision fields on the way to a goal; there are fewer on any sensible board."""
QUIET = Words(decline=True)
UNTRIED = ("place", "swap chip", "intervene")
"""Questions that are not tried out: what comes of them shows only much later, or hardly at all."""


def strong_move(terms: Deal, seen: Sight, below: Below) -> Move:
    """The candidate that does best on the average of many worlds; of equals the one that `sensible` plays."""
    first = sensible_move(terms, seen, below)
    ask = ask_of(seen.pending, seen.seat)
    if ask is None or ask.what in UNTRIED:
        return first
    found = list(_candidates(terms, seen, first, below))
    if len(found) == 1:
        return first
    table = Table(terms, seen)
    worlds = max(2, TURNS // (len(found) * terms.seats * LAPS))
    gains: list[list[float]] = [[] for _ in found]
    for _ in range(worlds):
        seed = below(2**31)
        outcomes = [table.outcome(move, Chance(seed)) for move in found]
        for at, outcome in enumerate(outcomes):
            gains[at].append(outcome - outcomes[0])
    return found[max(range(len(found)), key=lambda at: (_surely(gains[at]), -at))]


def _surely(gains: Sequence[float]) -> float:
    """The mean gain, less what chance may have added to it."""
    number, mean = len(gains), fsum(gains) / len(gains)
    spread = fsum((gain - mean) ** 2 for gain in gains) / (number - 1)
    return mean - CAUTION * sqrt(spread / number)


def _candidates(terms: Deal, seen: Sight, first: Move, below: Below) -> Iterator[Move]:
    """What `sensible` plays, then every listed move, then some of each family by chance.

    Listed moves name no ways in advance: asked when the dice have fallen, it finds better ones than `sensible` names.
    """
    told, choices = {first}, legal(terms, seen)
    yield first
    moves = [choice.move for choice in choices]
    for choice in choices:
        for _ in range(SAMPLES if choice.parts else 0):
            values = sample(choice, below)
            if values is not None:
                moves.append(msgspec.convert(build(choice, values), Move))
    for move in moves:
        if move not in told and len(told) < CANDIDATES:
            told.add(move)
            yield move


class Chance:
    """A stream of chance, the same for every candidate in one world."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def __call__(self, number: int) -> int:
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % number


class Table:
    """One decision: what is known of the position, and what fields are worth."""

    def __init__(self, terms: Deal, seen: Sight) -> None:
        self.terms, self.seen, self.board = terms, seen, terms.edition.board
        mind = Mind(terms, seen)
        self.steps = {at: mind.value(at) for at in self.board.in_play}
        self.home = {at: mind.value(at) for at in self.board.goals}
        self.chips = chips_ahead(terms, mind.chips)
        self.point = BEST / max(terms.edition.chips)
        self.public = replace(seen.public, standing=(QUIET,) * terms.seats)
        self.hidden = _hidden(terms, seen)

    def outcome(self, move: Move, below: Chance) -> float:
        """How far ahead of the best other player this seat is some laps after a move, in points to come."""
        draws = PlainDraws(self.hidden.world(below), below, tails=self.hidden.tails)
        step, end = Step(self.public, self.seen.pending), self.public.turns + LAPS * self.terms.seats
        first: Move | None = move
        while step.pending and (first is not None or step.public.turns < end):
            answers: dict[Seat, Move | None] = {ask.seat: self.quick(step.public, ask) for ask in step.pending}
            if first is not None:
                answers[self.seen.seat], first = first, None
            draws.next_step({seat: answer for seat, answer in answers.items() if answer is not None})
            step = apply(self.terms, step.public, step.pending, answers, draws)
        worth = [self.worth(step.public, player) for player in step.public.players]
        return worth[self.seen.seat] - max(other for seat, other in enumerate(worth) if seat != self.seen.seat)

    def worth(self, public: Public, player: Player) -> float:
        """Points, what the pieces will bring, and what cards may add to it."""
        ahead = [piece for piece in player.pieces if piece.at == RESERVE or piece.at in self.steps]
        found = self.point * player.points + CARD * min(len(player.hand), HEADS * len(ahead))
        if is_settled(public):
            start = self.board.start
            return found + fsum(self.chips[start if p.at == RESERVE else p.at, p.heading] for p in ahead)
        playing = sorted((self.steps[piece.at], piece.at) for piece in ahead if piece.at != RESERVE)
        found += RESERVED[public.home] * (len(ahead) - len(playing)) + FOLLOWING * max(0, len(playing) - 1)
        for steps, at in playing[-1:]:
            level = LEVELS.index(self.board.fields[at].level)
            found += LEADING[public.home][level] + STEP * (steps - USUAL[level])
        return found

    # --- a quick policy, for everybody

    def quick(self, public: Public, ask: Ask) -> Move | None:
        """About what `sensible` would do, at a small part of its effort."""
        match ask.what:
            case "piece":
                return self._use(public, ask.seat)
            case "way":
                legs = legs_after(self.board, public)
                return Turn(max((way for way in legs if way), key=lambda way: self._leg(legs[way])))
            case "try":
                return Try(self._pays(public))
            case "intervene":
                return Intervene()
            case "solve":
                return Solve(_expression(public) if self._pays(public) else None)
            case "target":
                return self._target(public, ask.seat)
            case "lose":
                return Lose(max(public.players[ask.seat].hand))
            case what:
                return None if what == LINK else missed(self.board, public, what)

    def _use(self, public: Public, seat: Seat) -> Move:
        pieces = public.players[seat].pieces
        taken = {p.at: other for other, player in enumerate(public.players) for p in player.pieces}
        late = START_NOW if is_settled(public) else START_LATE

        def gain(move: Go | Enter) -> float:
            if isinstance(move, Enter):
                return late
            leg = pick(legs_of(self.board, public, pieces[move.piece]), move.way)
            assert leg is not None
            found = self._leg(leg) - self.steps[pieces[move.piece].at]
            if not leg.left and leg.at in taken and leg.at in self.board.single:
                lost = self.steps[leg.at] - self.steps[self.board.start]
                found += lost * (BEATEN if taken[leg.at] != seat else -1.0)
            return found

        return max(uses(self.board, public, seat), key=gain)

    def _leg(self, leg: Leg) -> float:
        return self.home[leg.at] if leg.at in self.home else self.steps[leg.at] + leg.left / 2

    def _best(self, legs: Legs, stay: str) -> float:
        return max((self._leg(leg) for leg in legs.values()), default=self.steps[stay])

    def _pays(self, public: Public) -> bool:
        """Is success better than failure for the piece that is being moved?"""
        here = mover(public)
        good, bad = self.board.cases(*here[:3], is_settled(public))
        return self._best(good, here.at) >= self._best(bad, here.at)

    def _target(self, public: Public, seat: Seat) -> Move:
        found = swap_targets(self.board, public, seat)
        return Target(*max(found, key=lambda one: self.steps[public.players[one[0]].pieces[one[1]].at]))


def chips_ahead(terms: Deal, chips: Sequence[float]) -> dict[tuple[str, Heading], float]:
    """Field and heading -> the chip that a piece can expect from there once everybody takes the shortest way."""
    board = terms.edition.board
    odds = {level: _odds(getattr(terms.edition.thresholds, level)) for level in LEVELS}
    known: dict[tuple[str, Heading], float] = {}

    def expected(at: str, heading: Heading, depth: int) -> float:
        if at in board.goal_of:
            return chips[board.goal_of[at]]
        if (at, heading) in known or depth == DEEP:
            return known.get((at, heading), fsum(chips) / len(chips))
        if at in board.decisions:
            field = board.fields[at]
            chance = MASTERED if field.kind == "head" else odds[field.level]
            good, bad = (expected(*_leave(board, at, way), depth + 1) for way in board.directions(at, heading, True))
            known[at, heading] = chance * good + (1 - chance) * bad
        else:
            known[at, heading] = expected(*_leave(board, at, heading), depth)
        return known[at, heading]

    for field in terms.edition.fields:
        for heading in HEADINGS:
            if field.id in board.decisions or field.id in board.junctions or getattr(field, heading):
                expected(field.id, heading, 0)
    return known


def _leave(board: Board, at: str, heading: Heading) -> tuple[str, Heading]:
    """The next decision field or goal, and how a piece comes there."""
    leg = board.run(at, heading, len(board.fields)) if at not in board.junctions else Leg(at, heading, 1)
    if leg.at in board.junctions:
        leg = board.run(leg.at, "up", len(board.fields))
    return leg.at, leg.rest


def _odds(needed: int) -> float:
    """The chance to throw so much with two dice."""
    return sum(a + b >= needed for a in range(1, 7) for b in range(1, 7)) / 36


def _expression(public: Public) -> str | None:
    """One or two cards that make the target, if nobody intervened."""
    task = public.task
    cards = fewest(public.players[public.turn].hand, task.target, 2) if task is not None and not task.table else None
    if task is None or cards is None:
        return None
    if len(cards) == 1:
        return str(cards[0])
    a, b = cards
    made = {a + b: "+", b - a: "-", a * b: "*"}
    return f"{b} {made.get(task.target, '/')} {a}"


class Hidden(NamedTuple):
    """What lies face down: piles without what was seen, and chips that nobody told this seat."""

    known: Mapping[str, Sequence[str]]
    tails: Mapping[str, Sequence[str]]
    slots: Sequence[str]
    chips: Sequence[str]

    def world(self, below: Chance) -> dict[str, Sequence[str]]:
        """All containers, with the unknown chips dealt by chance."""
        left = list(self.chips)
        return {**self.known, **{slot: [left.pop(below(len(left)))] for slot in self.slots}}


def _hidden(terms: Deal, seen: Sight) -> Hidden:
    public = seen.public
    unders = {"chance": public.chance_under, "success": public.success_under}
    piles = {"chance": chance_cards(terms), "success": success_cards(terms)}
    known: dict[str, Sequence[str]] = {
        name: list((Counter(cards) - Counter(unders[name])).elements()) for name, cards in piles.items()
    }
    chips = [chip for chip in public.chips if chip is not None]
    out = Counter(str(chip.value) for chip in chips if chip.value is not None)
    slots = [f"goal/{chip.slot}" for chip in chips if chip.value is None]
    for name in slots:
        if name in seen.tokens:
            known[name] = seen.tokens[name]
            out.update(seen.tokens[name])
    left = list((Counter(map(str, terms.edition.chips)) - out).elements())
    return Hidden(known, unders, [slot for slot in slots if slot not in known], left)
