"""Plain answers as people and their programs send them: a move, and around it what nobody means as a move.

`replies/` has them as text. Each begins with `@@ NAME | PROGRAM LANGUAGE PLACE | MOVE`: how it is called, the program
of `programs` that sends it, where the answer stands, and the move that is meant. Below is what was written, with what
program and server put right under it, and below `@@@` what stands at the very end of the mail. Those in `fresh.txt`
were written before any of them was read, and those in `tuned.txt` to build with; of those in `doubtful.txt` none is an
answer, whatever line looks like one.
"""

import re
from pathlib import Path
from typing import NamedTuple

import msgspec

from tests.mail.programs import PROGRAMS, TONGUES, mail

FOLDER = Path(__file__).with_name("replies")
_HEAD = re.compile(r"^@@ (\S+) \| (\S+) (\S+) (\S+) \| (.*)\n", re.MULTILINE)


class Plain(NamedTuple):
    """One of them."""

    name: str
    program: str
    language: str
    where: str
    move: str
    answer: str
    foot: str = ""

    @property
    def raw(self) -> bytes:
        """The mail."""
        made = PROGRAMS[self.program](self.answer, TONGUES[self.language], self.where)
        below, lines = f"\n{self.foot}\n", "<br>".join(self.foot.splitlines())
        text = f"{made.text}{below}" if made.text is not None and self.foot else made.text
        html = f"{made.html}<div><br></div><div>{lines}</div>" if made.html is not None and self.foot else made.html
        return mail(msgspec.structs.replace(made, text=text, html=html))


def plain_replies(kind: str) -> list[Plain]:
    """All of one file."""
    _, *parts = _HEAD.split((FOLDER / f"{kind}.txt").read_text("utf-8"))
    found = []
    for at in range(0, len(parts), 6):
        answer, _, foot = parts[at + 5].partition("\n@@@\n")
        found.append(Plain(*parts[at : at + 5], answer.strip("\n"), foot.strip("\n")))
    return found
