"""Where the fields and the pieces of the board are in its picture, on a wide and on a narrow sheet."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from referee.columns import columns
from referee.game import Seat
from referee.svg import NARROW, WIDTH

from .board_map import APART, BLUE, INWARDS, ROOM, row_of

Here = Sequence[tuple[Seat, int]]
"""Seats and numbers of the pieces on one field."""
EM = 0.62
"""How wide a letter is, in its size."""
ZIG, UP, WAY = 38, 22, 20
"""Lanes go up to junctions and down to decision fields, so that pieces on neighbouring fields have room. Then the
distance between fields above each other, and between those of the ways of S."""
ROW = ZIG + 3 * UP
HALF, R, LINES = 10.5, 9.5, 21
"""Half the width and the height of a piece, and from one line of pieces to the next."""
BAND = 36
"""How wide the letters of the levels are on a wide sheet."""


def wide(text: str, size: float) -> float:
    """How much room a text needs."""
    return columns(text) * EM * size


class Spot(NamedTuple):
    """Where a piece is drawn, and whether it has a heading. Without a seat, `which` is the number of further pieces."""

    x: float
    y: float
    seat: Seat | None
    which: int
    turned: bool = True
    field: str = ""


class Group(NamedTuple):
    """How the pieces of one field are arranged: side by side on several lines, upwards (-1) or downwards."""

    across: int
    lines: int
    pitch: float
    down: int
    turned: bool = True

    def height(self, here: Here) -> int:
        return LINES * min(-(-len(here) // self.across), self.lines)

    def spots(self, x: float, y: float, here: Here, field: str) -> Iterator[Spot]:
        """All of them, or the first and how many more there are."""
        most = self.across * self.lines
        shown: list[tuple[Seat | None, int]] = [*here]
        if len(here) > most:
            shown[most - 1 :] = [(None, len(here) - most + 1)]
        for at, (seat, which) in enumerate(shown):
            row, column = divmod(at, self.across)
            beside = min(self.across, len(shown) - row * self.across)
            along = (column - (beside - 1) / 2) * self.pitch
            yield Spot(x + along, y + self.down * row * LINES, seat, which, self.turned, field)


START = Group(12, ROOM["start"] // 12, 24, 1)


class Plan(NamedTuple):
    """The measures of a sheet: on a narrow one fields are closer, and pieces on a decision field stand in one column,
    for which rows are further apart and goals higher."""

    width: int
    left: float
    """Where the first field of the blue row is."""
    step: float
    """From one field to the next."""
    row: int
    band: int
    goals: int
    """How far the goals are above the blue row, beyond three lines."""
    home: Group
    decision: Group
    listed: Group
    """The pieces in a goal of a board that is listed."""
    apart: float
    """From one goal of a board that is listed to the next."""


_HOME = Group(2, ROOM["goal"] // 2, 22, -1, turned=False)
WIDE = Plan(WIDTH, 62, 16, ROW, BAND, 8, _HOME, Group(2, ROOM["head"] // 2, 24, -1), _HOME, 62)
SLIM = Plan(
    NARROW, 20, 10, ROW + LINES, 34, 40,
    Group(2, ROOM["goal"] // 2, 19, -1, turned=False), Group(1, ROOM["head"], 24, -1),
    Group(1, ROOM["goal"], 22, -1, turned=False), 34,
)  # fmt: skip


class MapLayout(NamedTuple):
    """Where every field is: lines and steps of the terminal's picture, and where the blue row is on the sheet."""

    places: Mapping[str, tuple[int, int]]
    top: float
    plan: Plan = WIDE

    def at(self, name: str) -> tuple[float, float]:
        line, step = self.places[name]
        row, plan = row_of(line), self.plan
        x, y, above = plan.left + plan.step * step, self.top + row * plan.row, 3 * row - (line - BLUE)
        if above < 0:
            return x, y + ZIG - above * WAY
        if above:
            return x, y - above * UP - (plan.goals if above == 3 else 0) if not row else y - 1.5 * UP
        from_junction = (step - INWARDS * row) % APART
        return x, y + ZIG / 2 * min(from_junction, APART - from_junction)
