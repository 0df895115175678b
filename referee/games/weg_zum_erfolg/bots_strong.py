"""A player that knows what fields are worth in the long run (`bots_outlook`) and tries its moves out: it deals what it
cannot know by chance, plays candidates on for a lap of the table, and leaves the one that looks best only for one that
does clearly better against what the others then have."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import fsum, sqrt
from typing import NamedTuple

from msgspec.structs import replace

from referee.game import LINK, Ask, Below, Seat, Step, ask_of
from referee.playout import Chance, PlainDraws

from .arithmetic import evaluate, fewest
from .bots import Mind, sensible_move
from .bots_outlook import STAYS, outlook
from .graph import Leg, pick
from .lookups import chance_cards, is_settled, legs_of, mover, on_field, success_cards, swap_targets, uses
from .moving import decides, legs_after, opponents_for, ways_after
from .rules import apply, missed
from .types import (
    LEVELS,
    RESERVE,
    Deal,
    Enter,
    Go,
    Intervene,
    Lose,
    Move,
    Piece,
    Public,
    Sight,
    Solve,
    Target,
    Try,
    Turn,
    Wait,
    Way,
    Words,
)
from .words_list import solutions

LAPS = 1
"""The turns that every player has before a position is judged."""
TURNS = 160
"""How many turns are played for one decision, all candidates and worlds together."""
CAUTION = 2.0
"""How many standard errors another move must be ahead of the one that looks best."""
NEAR = 0.6
"""Moves that look worse by more points than this are not tried out."""
BEST = 9
"""The best chip counts so much here, whatever an edition says."""
CARD = 0.8
"""What the last card is worth, in points; ..."""
HEADS = 3
"""... a piece meets this many heads on its whole way, ..."""
PLENTY = 2.0
"""... and with this many cards for each of them another one is worth nothing."""
BEATEN = Piece(RESERVE, "up")
QUIET = Words(decline=True)
UNTOUCHED = ("opponent", "intervene", "lose", "place", "swap chip")
"""Questions that are left to `sensible`: what comes of them shows only much later, or hardly at all."""


def strong_move(terms: Deal, seen: Sight, below: Below) -> Move:
    """What looks best, unless another move does clearly better in many worlds."""
    ask = ask_of(seen.pending, seen.seat)
    if ask is None or ask.what in UNTOUCHED:
        return sensible_move(terms, seen, below)
    table = Table(terms, seen)
    if ask.what in ("solve", "try"):
        return table.solution() if ask.what == "solve" else table.attempt()
    found = table.candidates(ask.what)
    if len(found) == 1:
        return found[0]
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


class Table:
    """One decision: what is known of the position, and what it is worth."""

    def __init__(self, terms: Deal, seen: Sight) -> None:
        self.terms, self.seen, self.board = terms, seen, terms.edition.board
        chips = Mind(terms, seen).chips
        self.chips, self.outlook = chips, outlook(terms, tuple(chips))
        self.point = BEST / max(terms.edition.chips)
        self.public = replace(seen.public, standing=(QUIET,) * terms.seats)
        self.hidden = _hidden(terms, seen)

    # --- worlds

    def outcome(self, move: Move, below: Chance) -> float:
        """How far ahead of the others this seat is some laps after a move, in points to come."""
        draws = PlainDraws(self.hidden.world(below), below, tails=self.hidden.tails)
        step, end = Step(self.public, self.seen.pending), self.public.turns + LAPS * self.terms.seats
        first: Move | None = move
        while step.pending and (first is not None or step.public.turns < end):
            answers: dict[Seat, Move | None] = {ask.seat: self.quick(step.public, ask) for ask in step.pending}
            if first is not None:
                answers[self.seen.seat], first = first, None
            draws.next_step({seat: answer for seat, answer in answers.items() if answer is not None})
            step = apply(self.terms, step.public, step.pending, answers, draws)
        worth = [self.worth(step.public, seat) for seat in range(self.terms.seats)]
        mine = worth[self.seen.seat]
        return mine - (fsum(worth) - mine) / (self.terms.seats - 1)

    def worth(self, public: Public, seat: Seat) -> float:
        """Points, what the pieces will bring, and what cards may add to it."""
        player = public.players[seat]
        cards, plenty = len(player.hand), PLENTY * self.heads(player.pieces)
        held = CARD * (cards - cards * cards / plenty / 2 if cards < plenty else plenty / 2)
        return self.point * player.points + self.outlook.pieces(public.home, player.pieces) + held

    def heads(self, pieces: Sequence[Piece]) -> float:
        """About how many heads these pieces will meet."""
        levels = [LEVELS.index(self.board.fields[p.at].level) for p in pieces if p.at in self.board.in_play]
        ahead = sum(len(LEVELS) - level for level in levels) / len(LEVELS)
        return HEADS * (ahead + sum(piece.at == RESERVE for piece in pieces))

    def price(self, public: Public) -> float:
        """What a card is worth to the player whose turn it is."""
        player = public.players[public.turn]
        plenty = PLENTY * self.heads(player.pieces)
        return CARD * max(0.0, 1 - len(player.hand) / plenty) if plenty else 0.0

    def quick(self, public: Public, ask: Ask) -> Move | None:
        """What everybody does in the worlds that are played out."""
        match ask.what:
            case "piece" | "way" | "target":
                return max(self.looks(public, ask.what), key=lambda look: look[0])[1]
            case "try":
                return Try(self.gain(public, mover(public)) >= 0)
            case "solve":
                return self.quick_solution(public)
            case "intervene":
                return Intervene()
            case "lose":
                return Lose(max(public.players[ask.seat].hand))
            case what:
                return None if what == LINK else missed(self.terms, public, what)

    # --- what looks best to the player whose turn it is

    def leg(self, public: Public, number: int, leg: Leg) -> float:
        """What the mover's pieces are worth once one has gone there, and what the others lose by it."""
        seat, home = public.turn, public.home
        pieces = public.players[seat].pieces
        rest = (*pieces[:number], *pieces[number + 1 :])
        if leg.at in self.board.goal_of:
            return self.arrival(public, leg.at, rest)
        found = on_field(public, leg.at) if not leg.left and leg.at in self.board.single else ()
        lost = 0.0
        for other, beaten in found:
            theirs = public.players[other].pieces
            if other != seat:
                left = (*theirs[:beaten], BEATEN, *theirs[beaten + 1 :])
                lost += self.outlook.pieces(home, theirs) - self.outlook.pieces(home, left)
        if found:
            rest = tuple(BEATEN if piece.at == leg.at else piece for piece in rest)
        return self.outlook.pieces(home, rest, leg) + lost / (self.terms.seats - 1)

    def arrival(self, public: Public, goal: str, rest: Sequence[Piece]) -> float:
        """A piece in a goal: the chip, and what the sweep takes from everybody."""
        seat, home, outlook = public.turn, public.home, self.outlook
        stays = self.chips[self.board.goal_of[goal]] + outlook.after(home, rest)
        for other, player in enumerate(public.players):
            if other != seat:
                lost = outlook.pieces(home, player.pieces) - outlook.after(home, player.pieces)
                stays += lost / (self.terms.seats - 1)
        return STAYS * stays + (1 - STAYS) * outlook.pieces(home, (*rest, BEATEN))

    def looks(self, public: Public, what: str) -> list[tuple[float, Move]]:
        """Everything that can be answered, with what it looks worth."""
        if what == "piece":
            return [(self.use_worth(public, move), move) for move in uses(self.terms, public, public.turn)]
        if what == "target":
            targets = [Target(*target) for target in swap_targets(self.board, public, public.turn)]
            return [(self.target_worth(public, target), target) for target in targets]
        assert public.task is not None
        legs, number = legs_after(self.board, public), public.task.piece
        return [(self.leg(public, number, leg), Turn(way)) for way, leg in legs.items() if way]

    def use_worth(self, public: Public, move: Go | Enter | Wait) -> float:
        pieces = public.players[public.turn].pieces
        if isinstance(move, Wait):
            return self.outlook.pieces(public.home, pieces)
        if isinstance(move, Go):
            leg = pick(legs_of(self.board, public, pieces[move.piece]), move.way)
            assert leg is not None
            return self.leg(public, move.piece, leg)
        rest = list(pieces)
        rest.remove(BEATEN)
        legs = [Leg(self.board.start, "up", steps) for steps in range(1, 7)]
        return fsum(self.outlook.pieces(public.home, rest, leg) for leg in legs) / len(legs)

    def gain(self, public: Public, here: Leg, number: int | None = None) -> float:
        """How much better success is than failure on a decision field."""
        if number is None:
            assert public.task is not None
            number = public.task.piece
        stay = Leg(here.at, here.heading, 0)
        good, bad = (
            max(self.leg(public, number, leg) for leg in (legs.values() or (stay,)))
            for legs in self.board.cases(*here[:3], is_settled(public))
        )
        return good - bad

    def target_worth(self, public: Public, target: Target) -> float:
        """Both pieces in each other's place."""
        assert public.task is not None
        number, home, other = public.task.piece, public.home, target.piece
        pieces, theirs = public.players[public.turn].pieces, public.players[target.seat].pieces
        mine = (*pieces[:number], theirs[other], *pieces[number + 1 :])
        left = (*theirs[:other], pieces[number], *theirs[other + 1 :])
        lost = self.outlook.pieces(home, theirs) - self.outlook.pieces(home, left)
        return self.outlook.pieces(home, mine) + lost / (self.terms.seats - 1)

    def quick_solution(self, public: Public) -> Solve:
        gain = self.gain(public, mover(public))
        expression = _expression(public) if gain > 0 else None
        if expression is None or gain < self.price(public) * len(evaluate(expression).cards):
            return Solve()
        return Solve(expression)

    # --- answers

    def candidates(self, what: str) -> list[Move]:
        """What looks best, then what looks nearly as good."""
        looks = sorted(self.looks(self.public, what), key=lambda look: -look[0])
        near = [move for worth, move in looks if worth >= looks[0][0] - NEAR]
        return [self.complete(move) if isinstance(move, Go) else move for move in near]

    def attempt(self) -> Try:
        here, task = mover(self.public), self.public.task
        assert task is not None
        attempt = self.gain(self.public, here) >= 0
        good, bad = self.ways(task.piece, here)
        return Try(attempt, success=good if attempt else None, failure=bad)

    def complete(self, move: Go) -> Go:
        """The move, with everything that can be said in advance."""
        public = self.public
        leg = pick(legs_of(self.board, public, public.players[public.turn].pieces[move.piece]), move.way)
        assert leg is not None
        found = opponents_for(self.board, public, leg)
        asks = self.terms.options.neue_ziele and decides(self.board, public, leg)
        attempt = self.gain(public, leg, move.piece) >= 0 if asks else None
        good, bad = self.ways(move.piece, leg)
        opponent = found[0] if found else None
        return replace(
            move, opponent=opponent, attempt=attempt, success=None if attempt is False else good, failure=bad
        )

    def ways(self, number: int, leg: Leg) -> tuple[Way | None, Way | None]:
        """After success and after failure, where there is a choice."""
        found = ways_after(self.board, self.public, leg)
        if not any(found):
            return None, None
        cases = self.board.cases(*leg[:3], is_settled(self.public))
        good, bad = (
            max(legs, key=lambda way: self.leg(self.public, number, legs[way])) if choice else None
            for legs, choice in zip(cases, found, strict=True)
        )
        return good, bad

    def solution(self) -> Solve:
        """The fewest cards that make the target, if success is worth that many."""
        public, here, task = self.public, mover(self.public), self.public.task
        assert task is not None
        gain, price = self.gain(public, here), self.price(public)
        good, bad = self.ways(task.piece, here)
        for expression in solutions(self.seen, 1) if gain > 0 else ():
            if gain >= price * (len(evaluate(expression).cards) - len(task.table)):
                return Solve(expression, good)
        return Solve(None, bad)


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
    """What lies face down: piles without what was seen, and chips that this seat does not know."""

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
