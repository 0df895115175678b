"""Pictures as SVG, for games: a few shapes as text, so that all games draw in the same way.

A sheet is 600 units wide, or 360 for a phone, on a light ground, with fixed colours and a letter or pattern beside
every colour. Numbers are written short, and equal pictures are equal bytes.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from html import escape
from typing import Self, TypeVar
from unicodedata import combining

from referee.game import Result, Seat
from referee.language import current_language

WIDTH, NARROW = 600, 360
"""The widths that pictures are drawn for: the second is that of a phone."""
WIDTHS = (WIDTH, NARROW)
LEFT = 16.0
"""Left edge of most lines on a wide sheet."""
INK, GROUND, PAPER, LINE, FAINT = "#222222", "#fbfaf6", "#ffffff", "#8a8a86", "#e4e2da"
QUIET = "#666666"
"""The colour of less important words."""
PLAIN = 0.62
"""How wide a plain letter is on average, as a fraction of its size."""
SPOT = 6.0
"""How large the colour of a player is beside the name."""
STRONG = 2.5
"""How wide the edge of a frame is around those who are asked."""
LONGEST = 4000
"""The most characters of a description: it is the alternative text of a mail."""
COLOURS = {
    "yellow": "#f2c230",
    "blue": "#3f73c9",
    "red": "#d2453b",
    "green": "#4c9a4a",
    "orange": "#e98a2b",
    "black": "#222222",
    "white": "#f4f4f0",
    "gold": "#c9a227",
    "brown": "#8a5a3a",
    "grey": "#9a9a96",
    "violet": "#7b4fa3",
    "turquoise": "#5cc4c4",
    "pink": "#ee9fc0",
    "sand": "#e0cba0",
}
"""Fixed colours; on each of them INK or PAPER is readable (see `on`)."""
FINGER = 25
"""The least room of what can be clicked, for each thing: 24 pixels, with some to spare for the edges of a screen."""
SEATS = ("violet", "turquoise", "brown", "pink", "grey", "sand", "black", "white")
"""The colours of the players by seat, in every picture and chart; no level, good or lane of their game has one."""


def on(colour: str) -> str:
    """The colour of letters on one of `COLOURS`."""
    return PAPER if colour in ("blue", "red", "green", "black", "brown", "violet") else INK


def number(value: float) -> str:
    """At most two decimals, without trailing zeros."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if value != int(value) else str(int(value))


def element(name: str, inside: str = "", **attributes: "str | float") -> str:
    """One element; `_` in the name of an attribute is `-`."""
    said = []
    for key, value in attributes.items():
        text = escape(value) if isinstance(value, str) else number(value)
        said.append(f' {key.replace("_", "-")}="{text}"')
    start = f"<{name}{''.join(said)}"
    return f"{start}>{inside}</{name}>" if inside else f"{start}/>"


def box(x: float, y: float, w: float, h: float, fill: str = PAPER, edge: str = LINE, round: float = 3) -> str:
    """A rectangle."""
    return element("rect", x=x, y=y, width=w, height=h, rx=round, fill=fill, stroke=edge)


def disc(x: float, y: float, r: float, fill: str = PAPER, edge: str = INK) -> str:
    """A circle."""
    return element("circle", cx=x, cy=y, r=r, fill=fill, stroke=edge)


def stroke(points: Iterable[tuple[float, float]], colour: str = LINE, width: float = 1.5) -> str:
    """A line through these points."""
    path = " ".join(f"{number(x)},{number(y)}" for x, y in points)
    return element("polyline", points=path, fill="none", stroke=colour, stroke_width=width)


def words(
    x: float, y: float, text: str, size: float = 13, at: str = "start", fill: str = INK, bold: bool = False
) -> str:
    """A line of text; `at` is start, middle or end."""
    weight = {"font_weight": "bold"} if bold else {}
    return element("text", escape(text), x=x, y=y, font_size=size, text_anchor=at, fill=fill, **weight)


def marked(at: str, *shapes: str) -> str:
    """These shapes as one thing that can be clicked: `at` is the name of its mark, `colour:red`. One of them should be
    a box or disc, big enough for a finger. It looks the same; without a name, nothing is marked."""
    inside = "".join(shapes)
    return element("g", inside, data_at=at) if at and inside else inside


def wide(text: str, size: float) -> float:
    """The most that a text can be wide, even in bold."""
    return size * sum(map(_letter, text))


def cut(text: str, space: float, size: float) -> str:
    """As much of a text as fits; a cut text ends in an ellipsis."""
    if wide(text, size) <= space:
        return text
    while text and wide(text + "…", size) > space:
        text = text[:-1]
    return text.rstrip() + "…"


def wrapped(parts: Iterable[str], between: str, fits: Callable[[str], bool]) -> Iterator[str]:
    """Side by side, on as many lines as they need."""
    line = ""
    for part in parts:
        longer = f"{line}{between}{part}" if line else part
        if line and not fits(longer):
            yield line
            longer = part
        line = longer
    if line:
        yield line


def flowing(text: str, room: float, size: float) -> list[str]:
    """The lines of a text that fit, where it has ordinary words; a word that is too long for a line is cut."""
    lines = wrapped(text.split(), " ", lambda line: size * sum(map(_usual, line)) <= room)
    return [line if " " in line else cut(line, room, size) for line in lines]


def _usual(sign: str) -> float:
    """The same as `_letter` on average; signs that are far wider count as such."""
    return max(PLAIN, letter) if (letter := _letter(sign)) > 1 else PLAIN


def _letter(sign: str) -> float:
    """The width of a letter as a fraction of its size."""
    if combining(sign):
        return 0
    if sign > "\u024f" and sign != "…":  # other scripts: nobody knows the font
        return 1.25
    if sign in "WMwm@%&ÆŒæœ…":
        return 1.1
    return 0.48 if sign in "fijlrtI.,:;'|!() " else 0.82 if sign.isupper() else 0.72


class Picture:
    """A picture in the making: y counts from `top`, which moves down as the picture grows. `left` and `right` are the
    edges of most lines."""

    def __init__(self, width: int = WIDTH, top: float = 0.0) -> None:
        self.parts: list[str] = []
        self.width, self.top = width, top
        self.narrow = width < WIDTH
        self.left = LEFT / 2 if self.narrow else LEFT
        self.right = width - self.left

    def part(self) -> Self:
        """A part of it that begins here, to be added later."""
        return type(self)(self.width, self.top)

    def box(
        self, x: float, y: float, w: float, h: float, fill: str = PAPER, edge: str = LINE, round: float = 3
    ) -> None:
        self.parts.append(box(x, self.top + y, w, h, fill, edge, round))

    def seat(self, x: float, y: float, seat: Seat) -> None:
        """The colour of a player."""
        self.parts.append(disc(x, self.top + y, SPOT, COLOURS[SEATS[seat]]))

    def words(
        self, x: float, y: float, text: str, size: float = 13, at: str = "start", fill: str = INK, bold: bool = False
    ) -> None:
        self.parts.append(words(x, self.top + y, text, size, at, fill, bold))

    def stroke(self, points: Iterable[tuple[float, float]], colour: str = LINE, width: float = 1.5) -> None:
        self.parts.append(stroke(((x, self.top + y) for x, y in points), colour, width))

    def lines(self, x: float, tall: float, texts: Iterable[str], size: float, bold: bool = False) -> None:
        """Lines of text one below the other, each this tall."""
        for text in texts:
            self.top += tall
            self.words(x, 0, text, size, bold=bold)

    def flow(self, x: float, tall: float, text: str, size: float, room: float = 0, fill: str = INK) -> None:
        """A text on as many lines as it needs, each this tall; without `room`, up to the right edge."""
        for line in flowing(text, room or self.right - x, size):
            self.top += tall
            self.words(x, 0, line, size, fill=fill)

    def frame(
        self, x: float, y: float, w: float, h: float, fill: str = PAPER, strong: float = 0, round: float = 6
    ) -> None:
        """A box that holds other things, with a strong edge of this width where something stands out."""
        at, edge = self.top + y, INK if strong else LINE
        look = element("rect", x=x, y=at, width=w, height=h, rx=round, fill=fill, stroke=edge, stroke_width=strong or 1)
        self.parts.append(look)

    @contextmanager
    def at(self, mark: str) -> Iterator[None]:
        """Give what is drawn meanwhile a mark (see `marked`)."""
        begin = len(self.parts)
        yield
        self.parts[begin:] = [marked(mark, *self.parts[begin:])]

    @contextmanager
    def framed(self, below: float, edge: str) -> Iterator[None]:
        """A rounded box around what is drawn meanwhile, down to this far below `top`."""
        at, begin = len(self.parts), self.top
        yield
        self.parts.insert(at, box(self.left, begin, self.right - self.left, self.top + below - begin, PAPER, edge, 6))


P = TypeVar("P", bound=Picture)


def panels(
    p: P,
    seats: int,
    lefts: Sequence[float],
    span: float,
    gap: float,
    turn: Container[Seat],
    draw: Callable[[P, Seat, float], None],
    round: float = 6,
    at: str = "",
) -> None:
    """A framed panel for each seat, one at each left edge, all as tall as the tallest in their row. `draw` draws one at
    its left edge; those of the seats on turn stand out. `at` is the kind of their marks: `player` for `player:0`."""
    for first in range(0, seats, len(lefts)):
        row = [(seat, x, p.part()) for seat, x in zip(range(first, seats), lefts, strict=False)]
        for seat, x, part in row:
            draw(part, seat, x)
        bottom = max(part.top for _, _, part in row)
        for seat, x, part in row:
            with p.at(f"{at}:{seat}" if at else ""):
                p.frame(x, 0, span, bottom - p.top, strong=STRONG * (seat in turn), round=round)
                p.parts += part.parts
        p.top = bottom + gap


def description(lines: Iterable[str], rest: str = "") -> str:
    """The position in words, a line for every fact; `rest` replaces the last ones if there is no room for them."""
    found, more = list(lines), list[str]()
    while len("\n".join((*found, *more))) > LONGEST:
        found.pop()
        more = [rest] if rest else []
    return "\n".join((*found, *more))


def by_rank(result: Result | None, seats: int) -> list[Seat]:
    """The seats from top to bottom: in order of rank once there is a result."""
    return sorted(range(seats), key=lambda seat: result.ranks[seat] if result else 0)


def sheet(height: float, parts: Iterable[str], title: str, description: str, width: int = WIDTH) -> str:
    """The whole picture, in the language of its words. `description` is the position in words, as alternative text."""
    inside = element("title", escape(title)) + element("desc", escape(description))
    ground = box(0, 0, width, height, GROUND, GROUND, 0)
    return element(
        "svg",
        inside + ground + "".join(parts),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {number(height)}",
        width=width,
        height=height,
        font_family="DejaVu Sans, Verdana, sans-serif",
        role="img",
        lang=current_language(),
        **{"xml:lang": current_language()},
    )
