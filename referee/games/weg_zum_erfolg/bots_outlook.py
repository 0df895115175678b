"""What the pieces of a player will bring: every field worked out from the goals down, for a piece that is moved in each
turn and takes the better way, while the others come home at their usual pace and the levels are swept behind them."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from referee.playout import add_up

from .bots import distances, odds
from .graph import Leg, Legs
from .lookups import SETTLED, SIX, pieces_each, swept
from .types import LEVELS, RESERVE, Deal, Edition, Field, Heading, Piece

HEADINGS: tuple[Heading, ...] = ("up", "left", "right")
PACE = 0.036
"""How many pieces each opponent brings home in a lap until four are home: a mean of games among `sensible` bots."""
MASTERED = (0.75, 0.6)
"""The chance to master a head, before and after four pieces are home."""
PRICE = 0.3
"""What mastering it costs, in points: cards are scarce."""
STAYS = 11 / 12
"""The chance to stay in a goal."""
SENT_BACK = 2 / 43
"""The chance that a star sends the piece back to the reserve; what else it does comes to about nothing."""
ENTERS = 1 - (5 / 6) ** 3
"""The chance of a 6 in three throws."""
SECOND = 0.8
"""What a piece counts that shares the throws with a better one before four are home."""
CLOSE = 0.01
"""Nothing changes any more if the mean of all places changes by less."""
ROUNDS = 60
Place = tuple[str, Heading, int]
"""A field, the heading of the piece, and the steps that are left to it there."""
LANDED = -1
"""In place of the steps left: on a star, before its card is drawn."""


class Link(NamedTuple):
    """Where a piece can go from a place."""

    place: int
    what: str
    """`throw`, `star`, `head`, or the level of a "?"."""
    ends: tuple[tuple[int, ...], ...]
    """The places to choose from: after each throw that can be used; after success and failure; after the card."""


class Places:
    """Every place of a piece has a number: a field with a heading, a star on landing, a decision with steps left, a
    goal. With it, where the piece can go from there, those nearest to a goal first."""

    def __init__(self, edition: Edition, settled: bool) -> None:
        board, far = edition.board, distances(edition)
        self.board, self.settled = board, settled
        self.number: dict[Place, int] = {}
        for field in sorted(edition.fields, key=lambda field: min(far[field.id])):
            for place in self._places_on(field):
                self.number[place] = len(self.number)
        self.goals = [self.number[at, "up", 0] for at in board.goals]
        self.entries = [self.number[board.start, "up", steps] for steps in range(1, SIX + 1)]
        self.links = [self._link(*place) for place in self.number if place[0] in board.in_play]

    def _places_on(self, field: Field) -> Iterator[Place]:
        at = field.id
        if at in self.board.goal_of:
            yield at, "up", 0
        elif at in self.board.decisions:
            yield from ((at, heading, steps) for steps, heading in product(range(SIX, -1, -1), HEADINGS))
        else:
            ways = [heading for heading in HEADINGS if at in self.board.junctions or getattr(field, heading)]
            yield from product((at,), ways, (0, LANDED) if field.kind == "star" else (0,))

    def _link(self, at: str, heading: Heading, steps: int) -> Link:
        number, field = self.number[at, heading, steps], self.board.fields[at]
        if steps == LANDED:
            return Link(number, "star", ((self.number[at, heading, 0],),))
        if not steps:
            throws = [self.board.first_legs(at, heading, throw, self.settled) for throw in range(1, SIX + 1)]
            return Link(number, "throw", tuple(self._ends(legs, at, heading) for legs in throws if legs))
        cases = self.board.cases(at, heading, steps, self.settled)
        what = "head" if field.kind == "head" else field.level
        return Link(number, what, tuple(self._ends(legs, at, heading) for legs in cases))

    def place(self, leg: Leg) -> int:
        """The number of the place where a leg ends."""
        if leg.at in self.board.goal_of:
            return self.number[leg.at, "up", 0]
        star = not leg.left and self.board.fields[leg.at].kind == "star"
        return self.number[leg.at, leg.rest, LANDED if star else leg.left]

    def _ends(self, legs: Legs, at: str, heading: Heading) -> tuple[int, ...]:
        """A piece that can go nowhere stays."""
        return tuple(map(self.place, legs.values())) or (self.number[at, heading, 0],)


@lru_cache(maxsize=4)
def places(edition: Edition, settled: bool) -> Places:
    return Places(edition, settled)


class Outlook:
    """Points to come, by how many pieces are home, how many of the player's wait in the reserve, and the place of the
    one that is moved; the best chip counts 9."""

    def __init__(self, terms: Deal, chips: Sequence[float]) -> None:
        self.board, self.chips = terms.edition.board, chips
        self.places = [places(terms.edition, home == SETTLED) for home in range(SETTLED + 1)]
        self.leaves = terms.options.reserve_leaves
        self.arrivals = min(0.5, PACE * (terms.seats - 1))
        thresholds = terms.edition.thresholds
        self.odds: dict[str, float] = {level: odds(getattr(thresholds, level)) for level in LEVELS}
        self.waiting: dict[tuple[int, int], float] = {(home, 0): 0.0 for home in range(SETTLED + 1)}
        """Pieces home and pieces in the reserve -> points to come of a player without a piece in play."""
        self.tables: dict[tuple[int, int], list[float]] = {}
        for home in range(SETTLED, -1, -1):
            for reserve in range(pieces_each(terms)):
                self._work_out(home, reserve)

    def pieces(self, home: int, pieces: Sequence[Piece], moving: Leg | None = None) -> float:
        """What these pieces will bring, and one that is being moved; the best of them is moved first."""
        home, reserve = min(home, SETTLED), sum(piece.at == RESERVE for piece in pieces)
        number, alone = self.places[home].number, self.tables[home, 0]
        found = [number[piece.at, piece.heading, 0] for piece in pieces if piece.at in self.board.in_play]
        if moving is not None:
            found.append(self.places[home].place(moving))
        if not found:
            return self.waiting[home, reserve]
        if home == SETTLED:
            return add_up(alone[place] for place in found) + self.waiting[home, reserve]
        whole = self.tables[home, reserve]
        both = add_up(alone[place] for place in found)
        return max(whole[place] + SECOND * (both - alone[place]) for place in found)

    def after(self, home: int, pieces: Sequence[Piece]) -> float:
        """What is left of that when one more piece has come home (LO-18)."""
        levels = swept(home + 1)
        left = [
            piece
            for piece in pieces
            if not (levels and self.leaves if piece.at == RESERVE else self._level(piece.at) in levels)
        ]
        return self.pieces(home + 1, left)

    def _level(self, at: str) -> str:
        return self.board.fields[at].level if at in self.board.in_play else ""

    def _work_out(self, home: int, reserve: int) -> None:
        """Go round until hardly anything changes."""
        if home == SETTLED:
            self._settle(reserve)
            return
        kept = 0 if self.leaves else reserve
        later, after = self._later(home, reserve), self.waiting[home + 1, kept]
        missed = self.waiting[home + 1, 0 if self.leaves else reserve + 1]
        table, again, stay = list(later), missed, (1 - self.arrivals) * (1 - ENTERS)
        for _ in range(ROUNDS):
            before = add_up(table)
            self._go_round(self.places[home], table, after, again, later)
            entry = add_up(table[place] for place in self.places[home].entries) / SIX
            again = ((1 - self.arrivals) * ENTERS * entry + self.arrivals * missed) / (1 - stay)
            if abs(add_up(table) - before) < CLOSE * len(table):
                break
        self.tables[home, reserve], self.waiting[home, reserve + 1] = table, again

    def _settle(self, reserve: int) -> None:
        """With four pieces home every piece goes its own way, and nothing is swept."""
        if not reserve:
            table, again = [0.0] * len(self.places[SETTLED].number), 0.0
            for _ in range(ROUNDS):
                before = again
                self._go_round(self.places[SETTLED], table, 0.0, again, None)
                again = add_up(table[place] for place in self.places[SETTLED].entries) / SIX
                if abs(again - before) < CLOSE:
                    break
            self.tables[SETTLED, 0], self.waiting[SETTLED, 1] = table, again
        self.waiting[SETTLED, reserve + 1] = self.waiting[SETTLED, 1] * (reserve + 1)

    def _go_round(
        self, found: Places, table: list[float], after: float, again: float, later: list[float] | None
    ) -> None:
        """Every place once. `after` is what the rest brings when a piece has come home, `again` what all bring when it
        is back in the reserve, `later` what each place is worth if somebody else comes home."""
        hazard, mastered = (0.0, MASTERED[1]) if later is None else (self.arrivals, MASTERED[0])
        for place, chip in zip(found.goals, self.chips, strict=True):
            table[place] = STAYS * (chip + after) + (1 - STAYS) * again
        for place, what, ends in found.links:
            best = [max([table[end] for end in choice]) for choice in ends]
            if what == "throw":
                stays = (1 - hazard) * (SIX - len(best)) / SIX
                swept_by = hazard * later[place] if later is not None else 0.0
                table[place] = ((1 - hazard) * add_up(best) / SIX + swept_by) / (1 - stays)
            elif what == "head":
                table[place] = best[1] + mastered * max(0.0, best[0] - PRICE - best[1])
            elif what == "star":
                table[place] = (1 - SENT_BACK) * best[0] + SENT_BACK * again
            else:
                table[place] = best[1] + self.odds[what] * (best[0] - best[1])

    def _later(self, home: int, reserve: int) -> list[float]:
        """What each place is worth if somebody else comes home now."""
        kept, levels = 0 if self.leaves else reserve, swept(home + 1)
        rest, number = self.waiting[home + 1, kept], self.places[home + 1].number
        apart = home + 1 == SETTLED
        table, added = self.tables[home + 1, 0 if apart else kept], rest if apart else 0.0
        return [
            rest if self._level(place[0]) in levels else table[number[place]] + added
            for place in self.places[home].number
        ]


@lru_cache(maxsize=16)
def outlook(terms: Deal, chips: tuple[float, ...]) -> Outlook:
    """Worked out once for a board and what is known of its chips."""
    return Outlook(terms, chips)
