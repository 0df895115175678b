"""Making a move in the window as a person does who knows what they want: by clicks on the board, and by the list and
the controls only where no mark stands for it. Which marks can be clicked is worked out here once more."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from referee.forms import Amounts, Choice, Number, Part, Pick, Ranking, find, open_options
from referee.language import with_names
from tests.app.person import Window

Clicks = dict[str, int]
"""Kind of step -> how often it was needed: board, list, control, typed."""


def offered(choices: Sequence[Choice]) -> set[str]:
    """The marks that can be clicked first, by the description of moves (schemas/MOVES.md)."""
    return {mark for choice in choices for mark in (choice.at or _of_parts(choice))}


def _of_parts(choice: Choice) -> Iterator[str]:
    values: dict[str, Any] = {}
    for part in choice.parts:
        match part:
            case Pick():
                found = open_options(part, values)
                if len(found) == 1:
                    values[part.name] = found[0].text
                    continue
                yield from (option.at for option in found if option.at)
                return
            case Amounts() | Ranking():
                values[part.name] = {} if isinstance(part, Amounts) else []
                yield from (mark for name, mark in part.at.items() if isinstance(part, Ranking) or part.most.get(name))
            case Number(low=low, high=high) if low == high:
                values[part.name] = low
            case _:
                return


def meant(choices: Sequence[Choice], move: Any) -> tuple[Choice, Mapping[str, Any]]:
    """The line of the list that a move (as JSON) belongs to, and the values of its parts."""
    for choice in choices:
        values = find(choice, move)
        if values is not None:
            return choice, values
    raise AssertionError(f"no line of the list makes {move}")


def make(window: Window, choices: Sequence[Choice], move: Any, words: str, names: Sequence[str]) -> Clicks:
    """Choose a move, which these words say, and stop before it is signed."""
    choice, values = meant(choices, msgspec.json.decode(msgspec.json.encode(move)))
    return _Maker(window, choice, values, names).make(words)


class _Maker:
    def __init__(self, window: Window, choice: Choice, values: Mapping[str, Any], names: Sequence[str]) -> None:
        self.window, self.choice, self.values, self.names = window, choice, values, names
        self.clicks: Clicks = {"board": 0, "list": 0, "control": 0, "typed": 0}

    def make(self, words: str) -> Clicks:
        for mark in self.choice.at:
            if not self.click(mark):
                self.line()
                break
        for part in self.choice.parts:
            self.set(part, self.values[part.name])
        if self.window.move != words:
            self.line()
        return self.clicks

    def click(self, mark: str) -> bool:
        """Click a mark, if it is lit."""
        if mark not in self.window.lit:
            return False
        self.window.mark(mark)
        self.clicks["board"] += 1
        return True

    def line(self) -> None:
        """Take the line of the list, if it is not taken yet."""
        if self.window.count("#moves .line") == 1 and self.window.has("#back"):
            return
        text = with_names(self.choice.text, self.names)
        if not self.window.script_line(text):
            self.window.press("#moves details:not([open]) > summary")
        self.window.press("#moves .line", text)
        self.clicks["list"] += 1

    def set(self, part: Part, value: Any) -> None:
        """Give a part its value."""
        match part:
            case Pick():
                self.pick(part, value)
            case Amounts():
                for name, count in value.items():
                    self.amount(part, name, count)
            case Ranking():
                for name in value:
                    if not (name in part.at and self.click(part.at[name])):
                        self.control(part, self.said(name))
            case _:
                self.typed(part, str(value))

    def pick(self, part: Pick, value: str) -> None:
        found = open_options(part, self.values)
        if len(found) == 1:
            return
        mark = next(option.at for option in found if option.text == value)
        counts_up = any(mark in one.at.values() for one in self.choice.parts if isinstance(one, Amounts | Ranking))
        if not mark or counts_up or not self.click(mark):
            self.line()
            self.control(part, with_names(value, self.names))

    def amount(self, part: Amounts, name: str, count: int) -> None:
        for _ in range(count):
            if not (name in part.at and self.click(part.at[name])):
                self.line()
                self.window.press(f"[data-part={part.name}] .amount button[aria-label='One {self.said(name)} more']")
                self.clicks["control"] += 1

    def typed(self, part: Part, value: str) -> None:
        self.line()
        if isinstance(part, Number) and part.low == part.high:
            return
        field = f"[data-part={part.name}] input"
        self.window.press(field)
        self.window.empty(field)
        self.window.type(value)
        self.window.press(f"[data-part={part.name}] form button")
        self.clicks["typed"] += 1

    def control(self, part: Part, text: str) -> None:
        """Press the button of a part, if it is not pressed."""
        self.line()
        if not self.window.pressed(part.name, text):
            self.window.press(f"[data-part={part.name}] button", text)
            self.clicks["control"] += 1

    def said(self, name: str) -> str:
        return with_names(name, self.names) if name.startswith("@") else name
