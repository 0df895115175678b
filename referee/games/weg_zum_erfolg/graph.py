"""The board as a graph: how a piece walks, where it can choose, and which throws it can use."""

from collections.abc import Mapping
from typing import NamedTuple

from .types import Edition, Field, Heading, Way

BACK: dict[Heading, Heading] = {"left": "right", "right": "left", "up": "down", "down": "up"}


class Leg(NamedTuple):
    """Where a walk led: to its end, or to a decision field with steps left."""

    at: str
    heading: Heading
    left: int
    side: Heading | None = None
    """The lane heading with which the last junction was reached, if it was left upwards."""

    @property
    def rest(self) -> Heading:
        """The heading of a piece that stops here: who was going down goes up next (LO-11)."""
        return "up" if self.heading == "down" else self.heading


class Board:
    """The fields of an edition by id."""

    __slots__ = ("_walks", "decisions", "fields", "goals", "junctions", "order")

    def __init__(self, edition: Edition) -> None:
        self.fields: Mapping[str, Field] = edition.by_id
        self.goals = edition.goals
        self.decisions = edition.decisions
        self.junctions = edition.junctions
        self.order = edition.order
        self._walks = edition.walks

    @property
    def start(self) -> str:
        """The start field S."""
        return next(field.id for field in self.fields.values() if field.kind == "start")

    def is_decision(self, at: str) -> bool:
        """Is this a "?" or a head, or the start field?"""
        return at in self.decisions

    def is_junction(self, at: str) -> bool:
        """Does a connector leave a lane here?"""
        return at in self.junctions

    def run(self, at: str, heading: Heading, steps: int) -> Leg:
        """Walk so many steps, but not past a junction, a decision field or a goal."""
        while steps:
            at, steps = getattr(self.fields[at], heading), steps - 1
            if at in self.junctions or at in self.decisions or at in self.goals:
                break
            if not getattr(self.fields[at], heading):
                heading = "up"  # from the start field onto one of its ways
        return Leg(at, heading, steps)

    def choices(self, at: str, heading: Heading, settled: bool) -> tuple[Way, ...]:
        """Where a piece can go on from a junction (LO-11); with four pieces home always up (LO-19)."""
        field = self.fields[at]
        if heading == "down":
            lanes: tuple[tuple[Way, str], ...] = (("left", field.left), ("right", field.right))
            return tuple(way for way, lane in lanes if lane)
        if heading == "up" or settled or not getattr(field, heading):
            return ("up",)
        return ("up", heading)

    def legs(self, at: str, heading: Heading, steps: int, settled: bool) -> dict[Way | None, Leg]:
        """Every way of walking on in a heading (LO-11) that does not overshoot a goal (LO-17).

        The key is the way at the junction, or None if no step remains beyond one.
        """
        known = self._walks.get((at, heading, steps, settled))
        if known is None:
            known = self._walks[at, heading, steps, settled] = self._legs(at, heading, steps, settled)
        return known

    def _legs(self, at: str, heading: Heading, steps: int, settled: bool) -> dict[Way | None, Leg]:
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
        """The directions of success and of failure on a decision field (LO-10, LO-19)."""
        if arrived in ("up", "down") or settled or self.fields[at].kind == "start":
            return "right", "left"
        return arrived, "down"

    def cases(
        self, at: str, arrived: Heading, steps: int, settled: bool
    ) -> tuple[dict[Way | None, Leg], dict[Way | None, Leg]]:
        """The legs from a decision field after success and after failure."""
        good, bad = self.directions(at, arrived, settled)
        return self.legs(at, good, steps, settled), self.legs(at, bad, steps, settled)

    def first_legs(self, at: str, heading: Heading, steps: int, settled: bool) -> dict[Way | None, Leg]:
        """The legs with which a piece can use a throw; on a decision field it first stays there (LO-9, LO-17)."""
        if self.is_decision(at):
            leg = Leg(at, heading, steps)
            return {None: leg} if self._fits(leg, settled) else {}
        return self.legs(at, heading, steps, settled)

    def back(self, at: str, side: Heading | None, steps: int) -> Leg:
        """Down the connector, then along the side the piece came from, or no farther than the junction (LO-6)."""
        while steps and not self.is_decision(at):
            field = self.fields[at]
            if not field.down and side is None:
                break
            at, steps = field.down or getattr(field, BACK[side or "up"]), steps - 1
        return Leg(at, "up" if self.fields[at].down or side is None else side, steps)


def pick(legs: Mapping[Way | None, Leg], way: Way | None) -> Leg | None:
    """The leg of this way; without a way the only leg there is."""
    if way is None and len(legs) == 1:
        return next(iter(legs.values()))
    return legs.get(way)
