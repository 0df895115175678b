"""Checks of pictures: one for each width, with the same marks and words, of which nothing is cut off; and what legal
moves name with `at` can be clicked in them."""

import random
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from xml.etree import ElementTree as ET

from referee.columns import columns
from referee.forms import Amounts, Choice, Part, Pick, Ranking, open_options, sample
from referee.svg import NARROW, WIDTHS
from referee.testing.subject import NAMES, Question, Subject

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
MARK = re.compile(r"[A-Za-z0-9_.-]+:[A-Za-z0-9:_.-]+")
LONGEST = 60
SAMPLES = 4
"""Moves of a family whose open options are looked at."""
SMALLEST = 11
"""The size of words on a narrow sheet, at least."""
LETTER = 0.5
"""How wide a letter is at least, on average, as a fraction of its size."""
EDGE = 1
"""How far the edge of a shape may be outside."""


def marks_are_in_the_picture(subject: Subject) -> None:
    """The pictures for a screen and for a phone have the same marks, and nothing is cut off. Every mark that a legal
    move names is in them for that seat. No two options that can be open together have the same, and no two single moves
    are said by the same ones. Standing orders name none."""
    rng = random.Random(f"marks {subject.game_id}")
    for asked in subject.questions(60, "marks"):
        wide, *others = pictures = [_picture(asked, width) for width in WIDTHS]
        for width, picture in zip(WIDTHS, pictures, strict=True):
            check_sheet(f"{asked}: the picture for {width}", picture, width)
        marks = marks_of(wide)
        for other in others:
            lacks = ", ".join(sorted(marks ^ marks_of(other)))
            assert not lacks, f"{asked}: only one of the pictures has the marks {lacks}"
            assert described(wide) == described(other), f"{asked}: the pictures have other descriptions"
        check_marks(str(asked), asked.legal(), marks, rng.randrange)
    standing = subject.game.standing
    for choice in standing.legal(subject.terms(subject.ways[0]), standing.words()) if standing else ():
        assert not {*marks_named(choice)}, f"the standing order `{choice.text}` names a mark: only moves do"


def _picture(asked: Question, width: int) -> str:
    picture, moment = asked.game.picture, asked.moment
    return picture(moment.at.terms, asked.view, NAMES[: moment.way.seats], width) if picture else ""


def check_sheet(where: str, picture: str, width: int) -> None:
    """A picture is as wide as it should be, nothing is cut off at its edges, and on a phone its words can be read. What
    a `transform` moves is not measured."""
    root = ET.fromstring(picture) if picture else None
    if root is None:
        return
    _, _, across, tall = map(float, root.attrib["viewBox"].split())
    assert across == width, f"{where} is {across:g} wide"
    for part in _plain(root):
        if part.tag.endswith("}text") and width == NARROW:
            size = float(part.get("font-size") or 0)
            assert size >= SMALLEST, f"{where}: {part.text!r} is {size:g} tall, at least {SMALLEST} can be read"
        for x, y in _corners(part):
            inside = -EDGE <= x <= width + EDGE and -EDGE <= y <= tall + EDGE
            assert inside, f"{where}: {part.text or part.tag.split('}')[1]!r} goes beyond its edge, at {x:g} {y:g}"


def _plain(root: ET.Element) -> Iterator[ET.Element]:
    """All parts that are drawn where they say."""
    yield root
    for part in root:
        if part.get("transform") is None:
            yield from _plain(part)


def _corners(part: ET.Element) -> Iterator[tuple[float, float]]:
    """What a part covers at least."""
    at = {name: float(value) for name, value in part.attrib.items() if _NUMBER.fullmatch(value)}
    x, y = at.get("x", 0), at.get("y", 0)
    match part.tag.rpartition("}")[2]:
        case "text":
            long = columns(part.text or "") * LETTER * at.get("font-size", 0)
            first = x - {"middle": long / 2, "end": long}.get(part.get("text-anchor") or "", 0)
            yield from ((first, y), (first + long, y))
        case "rect":
            yield from ((x, y), (x + at["width"], y + at["height"]))
        case "circle" | "ellipse":
            across, down = at.get("rx", at.get("r", 0)), at.get("ry", at.get("r", 0))
            yield from ((at["cx"] - across, at["cy"] - down), (at["cx"] + across, at["cy"] + down))
        case "polygon" | "polyline":
            numbers = [*map(float, _NUMBER.findall(part.get("points") or ""))]
            yield from zip(numbers[::2], numbers[1::2], strict=True)


def described(picture: str) -> str:
    """The position in words; nothing in an empty picture."""
    found = ET.fromstring(picture).find("{*}desc") if picture else None
    return "" if found is None else found.text or ""


def marks_of(picture: str) -> set[str]:
    """The marks in a picture; an empty one has none."""
    parts = ET.fromstring(picture).iter() if picture else ()
    return {name for part in parts if (name := part.get("data-at")) is not None}


def check_marks(where: str, choices: Sequence[Choice], marks: Collection[str], below: Callable[[int], int]) -> None:
    """What these legal moves name are these marks, and they can be told apart."""
    for name in marks:
        _is_in_form(f"{where}: the picture", name)
    said: dict[frozenset[str], str] = {}
    for choice in choices:
        here = f"{where}: `{choice.text}`"
        for name in marks_named(choice):
            _is_in_form(here, name)
            assert name in marks, f"{here}: the picture has no mark {name!r}"
        if choice.at and not choice.parts:
            other = said.setdefault(frozenset(choice.at), choice.text)
            assert other is choice.text, f"{here} has the same marks as `{other}`"
        _are_told_apart(here, choice, below)


def marks_named(choice: Choice) -> Iterator[str]:
    """All marks that a choice names."""
    yield from choice.at
    for part in choice.parts:
        yield from _marked(part).values()


def _marked(part: Part) -> Mapping[str, str]:
    """What can be chosen in a part, and its mark."""
    if isinstance(part, Pick):
        return {option.text: option.at for option in part.options if option.at}
    return part.at if isinstance(part, Amounts | Ranking) else {}


def _is_in_form(where: str, name: str) -> None:
    fits = MARK.fullmatch(name) and len(name) <= LONGEST
    assert fits, f"{where}: the mark {name!r} is not KIND:WHAT in at most {LONGEST} ASCII letters, digits and `:-_.`"


def _are_told_apart(where: str, choice: Choice, below: Callable[[int], int]) -> None:
    _differ(f"{where}: the move", choice.at)
    for part in choice.parts:
        if isinstance(part, Amounts | Ranking):
            _differ(f"{where}: {part.name}", [*part.at.values()])
            strange = part.at.keys() - {*(part.most if isinstance(part, Amounts) else part.names)}
            assert not strange, f"{where}: {part.name} marks what it does not have: {', '.join(sorted(strange))}"
    for _ in range(SAMPLES if choice.parts else 0):
        values = sample(choice, below) or {}
        for part in choice.parts if values else ():
            if isinstance(part, Pick):
                marks = {option.text: option.at for option in open_options(part, values)}
                _differ(f"{where}: {part.name}", [name for name in marks.values() if name])


def _differ(where: str, marks: Sequence[str]) -> None:
    twice = ", ".join(sorted({name for name in marks if marks.count(name) > 1}))
    assert not twice, f"{where} has the same mark twice: {twice}"
