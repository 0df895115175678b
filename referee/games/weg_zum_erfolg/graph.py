"""The board as a graph: how a piece walks, where it can choose, and which throws it can use."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from .types import RESERVE, Field, Heading, Way

BACK: dict[Heading, Heading] = {"left": "right", "right": "left", "up": "down", "down": "up"}


class Leg(NamedTuple):
    """Where a walk leads: to its end, or to a decision field with steps left."""

    at: str
    heading: Heading
    left: int
    side: Heading | None = None
    """The lane heading with which the last junction was reached, if it was left upwards."""

    @property
    def rest(self) -> Heading:
        """The heading of a piece that stops here: one that was going down goes up next (LO-11)."""
        return "up" if self.heading == "down" else self.heading


Legs = Mapping[Way | None, Leg]
"""The way at a junction -> where it leads; the only key is None if the walk does not go past a junction."""


class Board:
    """The fields by id, and the walks already worked out, which depend on the board alone."""

    def __init__(self, fields: Sequence[Field]) -> None:
        self.fields: Mapping[str, Field] = {field.id: field for field in fields}
        self.order = {field.id: number for number, field in enumerate(fields)}
        self.goals = tuple(field.id for field in fields if field.kind == "goal")
        self.goal_of = {goal: number for number, goal in enumerate(self.goals)}
        self.decisions = frozenset(f.id for f in fields if f.kind in ("start", "question", "head"))
        self.junctions = frozenset(f.id for f in fields if f.up and (f.left or f.right))
        self.single = frozenset(f.id for f in fields if f.kind in ("small", "star", "chip"))
        """Fields that hold one piece (LO-12)."""
        self.in_play = frozenset(f.id for f in fields if f.kind != "goal")
        self.active = self.in_play | {RESERVE}
        """The places from which a piece can still get home."""
        self.start = next((f.id for f in fields if f.kind == "start"), "")
        self._ends = self.junctions | self.decisions | frozenset(self.goals)
        self._legs: dict[tuple[str, Heading, int, bool], Legs] = {}
        self._first: dict[tuple[str, Heading, int, bool], Legs] = {}
        self._directions: dict[tuple[str, Heading, bool], tuple[Heading, Heading]] = {}

    def is_decision(self, at: str) -> bool:
        """Is this a "?" or a head, or the start field?"""
        return at in self.decisions

    def is_junction(self, at: str) -> bool:
        """Does a connector leave a lane here?"""
        return at in self.junctions

    def run(self, at: str, heading: Heading, steps: int) -> Leg:
        """Walk this many steps, but not past a junction, a decision field or a goal."""
        while steps:
            at, steps = getattr(self.fields[at], heading), steps - 1
            if at in self._ends:
                break
            if not getattr(self.fields[at], heading):
                heading = "up"  # from the start field onto one of its ways
        return Leg(at, heading, steps)

    def choices(self, at: str, heading: Heading, settled: bool) -> tuple[Way, ...]:
        """Where a piece can go on from a junction (LO-11); with four pieces home, always up (LO-19)."""
        field = self.fields[at]
        if heading == "down":
            lanes: tuple[tuple[Way, str], ...] = (("left", field.left), ("right", field.right))
            return tuple(way for way, lane in lanes if lane)
        if heading == "up" or settled or not getattr(field, heading):
            return ("up",)
        return ("up", heading)

    def legs(self, at: str, heading: Heading, steps: int, settled: bool) -> Legs:
        """Every way of walking on in a heading (LO-11) that does not overshoot a goal (LO-17)."""
        key = at, heading, steps, settled
        known = self._legs.get(key)
        if known is None:
            known = self._legs[key] = self._walk(*key)
        return known

    def _walk(self, at: str, heading: Heading, steps: int, settled: bool) -> Legs:
        leg = Leg(at, heading, steps) if self.is_junction(at) else self.run(at, heading, steps)
        found: dict[Way | None, Leg] = {None: leg}
        if leg.left and self.is_junction(leg.at):
            side = leg.heading if leg.heading in ("left", "right") else None
            ways = self.choices(leg.at, leg.heading, settled)
            found = {way: self.run(leg.at, way, leg.left)._replace(side=side) for way in ways}
        return {way: leg for way, leg in found.items() if self._fits(leg, settled)}

    def _fits(self, leg: Leg, settled: bool) -> bool:
        return not leg.left or (self.is_decision(leg.at) and any(self.cases(*leg[:3], settled)))

    def directions(self, at: str, arrived: Heading, settled: bool) -> tuple[Heading, Heading]:
        """The directions of success and of failure on a decision field (LO-10); both are the same if a piece turns
        back without a test (LO-19)."""
        key = at, arrived, settled
        known = self._directions.get(key)
        if known is None:
            known = self._directions[key] = self._find_directions(*key)
        return known

    def _find_directions(self, at: str, arrived: Heading, settled: bool) -> tuple[Heading, Heading]:
        if arrived in ("up", "down") or at == self.start:
            return "right", "left"
        if not settled:
            return arrived, "down"
        back = BACK[arrived]
        # On boards with neighbouring decision fields there may be no junction to go back to.
        leads_up = self.run(at, back, len(self.fields)).at in self.junctions
        return (back, back) if leads_up else ("right", "left")

    def turns_back(self, at: str, arrived: Heading, settled: bool) -> bool:
        """Does a piece leave this decision field without a test, on the side it came from (LO-19)?"""
        good, bad = self.directions(at, arrived, settled)
        return good == bad

    def cases(self, at: str, arrived: Heading, steps: int, settled: bool) -> tuple[Legs, Legs]:
        """The legs from a decision field after success and after failure."""
        good, bad = self.directions(at, arrived, settled)
        return self.legs(at, good, steps, settled), self.legs(at, bad, steps, settled)

    def first_legs(self, at: str, heading: Heading, steps: int, settled: bool) -> Legs:
        """The legs with which a piece can use a throw; on a decision field, it stays there first (LO-9, LO-17)."""
        if at not in self.decisions:
            return self.legs(at, heading, steps, settled)
        key = at, heading, steps, settled
        known = self._first.get(key)
        if known is None:
            leg = Leg(at, heading, steps)
            known = self._first[key] = {None: leg} if self._fits(leg, settled) else {}
        return known

    def back(self, at: str, side: Heading | None, steps: int) -> Leg:
        """Down the connector, then along the side the piece came from, or no farther than the junction (LO-6)."""
        while steps and not self.is_decision(at):
            field = self.fields[at]
            if not field.down and side is None:
                break
            at, steps = field.down or getattr(field, BACK[side or "up"]), steps - 1
        return Leg(at, "up" if self.fields[at].down or side is None else side, steps)


def pick(legs: Legs, way: Way | None) -> Leg | None:
    """The leg of this way; without a way, the only leg there is."""
    if way is None and len(legs) == 1:
        return next(iter(legs.values()))
    return legs.get(way)


def ways(legs: Legs) -> tuple[Way, ...]:
    """What can be named at a junction: nothing, unless there is a choice (LO-11)."""
    return tuple(way for way in legs if way) if len(legs) > 1 else ()
