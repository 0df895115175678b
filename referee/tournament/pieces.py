"""Pieces of the report: numbers, names, tables, and plots. Plots are SVG that stretches to any width; all text is
outside of them.

Marks are drawn on a field of 1000 by 20 (or 100) units. Lines keep their width when the field is stretched; colours are
classes of the page's style sheet.
"""

from collections.abc import Callable, Iterable, Sequence
from html import escape
from math import ceil, floor

from referee.language import localised_number
from referee.svg import element
from referee.tournament.summary import Results

FIELD = 1000


def number(value: int) -> str:
    return localised_number(f"{value:,}")


def percent(share: float, digits: int = 0) -> str:
    return localised_number(f"{share:.{digits}%}")


def named(results: Results, entrant: int) -> str:
    return f"<bdi>{escape(results.entrants[entrant])}</bdi>"


def table(head: str, rows: Iterable[str]) -> str:
    """A table that scrolls sideways if it is too wide."""
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'


def table_row(name: str, *cells: str) -> str:
    """A row that begins with a name."""
    return f'<tr><td class="name">{name}</td>' + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


class Scale:
    """Maps values to positions on the field, with marks at round values."""

    def __init__(self, low: float, high: float, step: float) -> None:
        self.low, self.high, self.step = low, high, step

    def __call__(self, value: float) -> float:
        return round(FIELD * (min(max(value, self.low), self.high) - self.low) / (self.high - self.low), 1)

    def marks(self) -> list[float]:
        """Round values from one end to the other."""
        return [self.low + self.step * at for at in range(round((self.high - self.low) / self.step) + 1)]


def scale_of(values: Sequence[float], least: float = 100) -> Scale:
    """A scale for all of these values and 0, with at most seven marks."""
    low, high = min(0.0, *values), max(0.0, *values)
    step = least
    while (high - low) / step > 5:
        step *= 2 if str(step)[0] in "15" else 2.5
    low, high = floor(low / step) * step, ceil(high / step) * step
    return Scale(low, max(high, low + step), step)


def _field(height: int, inside: str, title: str) -> str:
    kind: dict[str, str | float] = {"class": "plot" if height == 20 else "plot tall"}
    return element(
        "svg",
        element("title", escape(title)) + inside,
        **kind,
        viewBox=f"0 0 {FIELD} {height}",
        preserveAspectRatio="none",
        role="img",
    )


def _line(x: float, y: float, to_x: float, to_y: float, kind: str) -> str:
    return f'<path class="{kind}" d="M{x:g} {y:g}L{to_x:g} {to_y:g}"/>'


def interval(scale: Scale, middle: float, low: float, high: float, fair: float, title: str) -> str:
    """A value with its interval, and a line at `fair`. A bar that leaves the field has no end mark there."""
    grid = "".join(_line(scale(mark), 0, scale(mark), 20, "grid") for mark in scale.marks())
    ends = "".join(_line(scale(end), 6, scale(end), 14, "bar") for end in (low, high) if scale.low <= end <= scale.high)
    dot = _line(scale(middle), 10, scale(middle), 10, "dot")
    return _field(
        20,
        grid
        + _line(scale(fair), 0, scale(fair), 20, "fair")
        + _line(scale(low), 10, scale(high), 10, "bar")
        + ends
        + dot,
        title,
    )


def axis(scale: Scale, shown: Callable[[float], str]) -> str:
    """The labels under a column of intervals."""
    labels = "".join(f"<span>{escape(shown(mark))}</span>" for mark in scale.marks())
    return f'<div class="axis">{labels}</div>'


def histogram(bars: Sequence[int], titles: Sequence[str], title: str) -> str:
    """A bar chart; each bar has a title."""
    width, most = FIELD / len(bars), max(bars)
    made = "".join(
        f'<rect class="fill" x="{width * at + width * 0.06:.1f}" y="{100 - 100 * bar / most:.1f}" '
        f'width="{width * 0.88:.1f}" height="{100 * bar / most:.1f}"><title>{escape(said)}</title></rect>'
        for at, (bar, said) in enumerate(zip(bars, titles, strict=True))
    )
    return _field(100, made, title)
