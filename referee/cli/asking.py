"""The person at the terminal: asked for a name, a file, a move."""

import sys
from collections.abc import Callable, Sequence

from referee.cli import common as c
from referee.cli import t, w
from referee.errors import RefereeError, Usage
from referee.io import files, screen
from referee.language import Message, run
from referee.library import finding
from referee.library.values import sentence
from referee.show import terminal, text

LISTED_MOST = 20
"""If a command could mean several files, a script gets a list of this many."""
NOTES_MOST = 3
"""The number of notes about files that could not be read while a command looked for its files."""


def ask_name() -> str:
    """Ask for it: a key without a name would ask for it in every game."""
    if not c.is_interactive():
        raise Usage(t("your key needs a name"), t("say who you are with --name"), code="no-name")
    return c.ask_line(w("Your name, as other players will see it:")).strip()


class Somebody:
    """The person at the terminal, for the dialogue at the prompt; `above`: how many lines were printed since the last
    question."""

    def __init__(self, above: int = 0) -> None:
        self.width, self.height, self.above = screen.width(sys.stderr), screen.height(sys.stderr), above

    @property
    def room(self) -> int:
        """The lines that are left above the next question, and below what was typed last; 0: nobody knows."""
        return max(self.height - 2 - self.above, 1) if self.height else 0

    def ask(self, question: str) -> str:
        self.above = 0
        return c.ask_line(question)

    def say(self, text: str) -> None:
        self.above += len(f"{text}\n".splitlines())
        c.say(text)


def find(
    look: "Callable[[finding.Notes], Sequence[finding.Candidate]]",
    nothing: "Callable[[], RefereeError]",
    several: Callable[[int], Message],
) -> "tuple[finding.Candidate, int]":
    """The file in this folder that a command means, and how many lines were printed about it."""
    notes = finding.Notes()
    found = look(notes)
    above = say_notes(notes)
    if not found:
        raise nothing()
    one = pick(found, several(len(found)))
    note = w("Found {file}: {what}.", file=files.printable(one.file), what=one.line)
    note = terminal.wrapped(note, screen.width(sys.stderr))
    c.say(note)
    return one, above + len(note.splitlines())


def pick(found: "Sequence[finding.Candidate]", several: Message) -> "finding.Candidate":
    """The only one of these; of several the one that somebody at the terminal chooses. A script must name it."""
    if len(found) == 1:
        return found[0]
    if not c.is_interactive():
        for one in found[:LISTED_MOST]:
            c.say(f"  {one.line}: {one.command}")
        raise Usage(several, t("name the one that you mean: {run}", run=found[0].command), code="many-games")
    c.say(sentence(several))
    for number, one in enumerate(found, 1):
        c.say(f"{number:>3}  {files.printable(one.file)}: {one.line}")
    while True:
        typed = c.ask_line(w("Which one? Type its number:")).strip()
        if typed.isdecimal() and 0 < int(typed) <= len(found):
            return found[int(typed) - 1]
        c.say(w("Type a number from 1 to {most}.", most=len(found)))


def say_notes(notes: "finding.Notes") -> int:
    """What could not be read on the way; returns how many lines that are."""
    lines = [text.clean(str(note)) for note in notes[:NOTES_MOST]]
    if len(notes) > NOTES_MOST:
        more, every = len(notes) - NOTES_MOST, run("inbox", finding.HERE)
        lines.append(w.plural("... and {n} more note: {run}", "... and {n} more notes: {run}", more, run=every))
    c.print_and_note((), lines)
    return len(lines)
