"""Checks of marks: what legal moves name with `at` can be clicked in the picture."""

import random
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from xml.etree import ElementTree as ET

from referee.forms import Amounts, Choice, Part, Pick, Ranking, open_options, sample
from referee.testing.subject import NAMES, Question, Subject

MARK = re.compile(r"[A-Za-z0-9_.-]+:[A-Za-z0-9:_.-]+")
LONGEST = 60
SAMPLES = 4
"""Moves of a family whose open options are looked at."""


def marks_are_in_the_picture(subject: Subject) -> None:
    """Every mark that a legal move names is in the picture for that seat. No two options that can be open together have
    the same, and no two single moves are said by the same ones. Standing orders name none."""
    rng = random.Random(f"marks {subject.game_id}")
    for asked in subject.questions(60, "marks"):
        check_marks(str(asked), asked.legal(), marks_of(_picture(asked)), rng.randrange)
    standing = subject.game.standing
    for choice in standing.legal(subject.terms(subject.ways[0]), standing.words()) if standing else ():
        assert not {*marks_named(choice)}, f"the standing order `{choice.text}` names a mark: only moves do"


def _picture(asked: Question) -> str:
    picture, moment = asked.game.picture, asked.moment
    return picture(moment.at.terms, asked.view, NAMES[: moment.way.seats]) if picture else ""


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
