"""People at a prompt: one types given lines, one reads the screen and answers at random."""

import re
from collections.abc import Callable

from referee.engine.player import Draft, Opened
from referee.show import prompt, rules, terminal

PLAIN = terminal.Painter(colour=False)


class Typist:
    """Types these lines one by one, and keeps what is on the screen."""

    def __init__(self, *lines: str) -> None:
        self.left, self.width, self.room = list(lines), 100, 0
        self.screen: list[str] = []

    def ask(self, question: str) -> str:
        line = self.left.pop(0)
        self.screen.append(f"{question} {line}")
        return line

    def say(self, text: str) -> None:
        self.screen.append(text)

    @property
    def text(self) -> str:
        return "\n".join(self.screen)


class Guest:
    """Knows nothing but what the prompt shows: picks a line, answers each question within its range, says yes."""

    def __init__(self, below: Callable[[int], int], most: int = 300) -> None:
        self.below, self.most, self.width, self.room = below, most, 80, 0
        self.lines, self.screen = 1, ""

    def ask(self, question: str) -> str:
        self.most -= 1
        assert self.most, f"the talk never ends:\n{self.screen[-3000:]}"
        typed = self.answer(question)
        self.screen += f"{question} {typed}\n"
        return typed

    def say(self, text: str) -> None:
        self.screen += text + "\n"
        self.lines = max([self.lines, *map(int, re.findall(r"^ *#(\d+)  ", text, re.MULTILINE))])

    def answer(self, text: str) -> str:
        flat = " ".join(text.split())
        if "Your move (" in flat:
            return f"#{1 + self.below(self.lines)}"
        if flat.endswith("[Y/n]"):
            return "y"
        if found := re.search(r"(\d+) to (\d+):$", flat):
            low, high = int(found[1]), int(found[2])
            return str(low + self.below(high - low + 1))
        if flat.endswith("yes or no:"):
            return ("yes", "no")[self.below(2)]
        if options := re.findall(r"(?:^|\s)(#\d+) \S", text):
            return str(options[self.below(len(options))])
        if found := re.search(r"\? (none, or any|all|at least \d+) of (.*):$", flat):
            names = found[2].split(", ")
            least = {"none, or any": "0", "all": str(len(names))}.get(found[1], found[1].removeprefix("at least "))
            return ", ".join(names[: int(least)]) or "none"
        return "back"


def choose(opened: Opened, person: prompt.Person, *, sure: bool = False) -> Draft:
    """This person's answer to a view at the prompt."""
    return prompt.choose(opened, person, board(opened), clause(opened), opened.orders(opened.seat), sure=sure)


def agree(opened: Opened, person: prompt.Person) -> Draft:
    """Whether this person agrees to the game."""
    return prompt.agree(opened, person, board(opened), clause(opened), opened.orders(opened.seat))


def board(opened: Opened) -> Callable[[], str]:
    return lambda: terminal.render(opened, PLAIN)


def clause(opened: Opened) -> Callable[[str], str]:
    return lambda name: rules.clause(opened.table.offer.game, name)
