"""The sheet of the picture, wide or narrow: where its columns are, and words that fit them."""

from referee.svg import QUIET, Picture, flowing
from referee.svg import wide as space_of
from referee.svg import wrapped as parted

TITLED = 96.0
"""How wide the titles of offers beside the columns of the goods are, on a wide sheet."""


class Sheet(Picture):
    """Where things stand: `inside` and `back` are where words in a box begin and end, `name` is where names behind a
    mark begin. The goods have columns, the same for every card: the first begins at `good`, the next `step` further. On
    a narrow sheet the titles of cards stand above them."""

    def __init__(self, width: int, top: float = 0.0) -> None:
        super().__init__(width, top)
        self.inside, self.back = self.left + (8 if self.narrow else 12), self.right - (8 if self.narrow else 12)
        self.name = self.left + (30 if self.narrow else 36)
        self.good, self.step, self.pip = (16.0, 66.0, 14) if self.narrow else (self.inside + TITLED, 76.0, 16)
        self.below = 24.0 if self.narrow else 0.0
        """How far what belongs to a title is below it."""


def wrapped(text: str, space: float, size: float, between: str = " ") -> list[str]:
    """Lines that fit, broken at blanks or at what else stands between two parts."""
    *lines, last = parted(text.split(between), between, lambda line: len(line) * 0.62 * size <= space)
    return [*(line + between.rstrip() for line in lines), last]


def fitted(p: Sheet, text: str, size: float, space: float = TITLED) -> float:
    """The largest size, still readable, at which words fit a narrow place."""
    return size if p.narrow else max(13, min(size, int(space / space_of(text, 1))))


def heading(p: Sheet, text: str, aside: str = "") -> None:
    p.words(p.left, 16, text, 17, bold=True)
    if aside:
        p.top += 20 * p.narrow
        p.words(p.left if p.narrow else p.right, 16, aside, 14, "start" if p.narrow else "end", QUIET)
    p.top += 26


def said_below(p: Sheet, text: str) -> None:
    """A sentence, which may take several lines of a narrow sheet."""
    p.top -= 6
    p.lines(p.left, 20, flowing(text, p.right - p.left, 15) if p.narrow else [text], 15)
    p.top += 10
