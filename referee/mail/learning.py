"""Lines that recur under a player's mails: signatures, notices, advertisements. They are learned and skipped.

A line is learned if it stood beside exactly one move in two different turns of this player, or if the player said that
the move beside it was meant. Only lines that nobody can read are skipped, and a line that begins with a word of the
game, or in which a person takes something back, is never learned. What is kept is a digest, not the line.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping

from referee.mail.beside import Speaks, is_question
from referee.mail.ours import words_of
from referee.mail.usual import hedges

KEPT_MOST = 60
"""How many lines are kept for a player; the oldest go first."""
_SHORT = 8
"""Words: notices are longer, and may say `not` and `only`."""


def mark_of(line: str) -> str:
    """What a line is known by: its words, whatever numbers are in it."""
    plain = re.sub(r"\d+", "0", " ".join(words_of(line)))
    return hashlib.sha256(plain.encode()).hexdigest()[:16]


def can_be_learned(line: str, speaks: Speaks) -> bool:
    """Whether a line is so unlike a move that it may be learned."""
    words = words_of(line)
    of_game = sum(map(speaks, words))
    if sum(map(len, words)) < 4 or is_question(line) or (words and speaks(words[0])) or 2 * of_game >= len(words):
        return False
    return len(words) > _SHORT or not (hedges(line) or of_game)


def known(kept: Mapping[str, str], turn: str) -> frozenset[str]:
    """The marks of the lines that are skipped in this turn: learned before, or seen in another one."""
    return frozenset(mark for mark, first in kept.items() if first != turn)


def learned(kept: Mapping[str, str], lines: Iterable[str], turn: str) -> dict[str, str]:
    """What is kept after these lines stood beside a move in this turn."""
    found = dict(kept)
    for mark in dict.fromkeys(map(mark_of, lines)):
        first = found.pop(mark, turn)
        found[mark] = first if first == turn else ""
    return dict(list(found.items())[-KEPT_MOST:])


def confirmed(kept: Mapping[str, str], turn: str) -> dict[str, str]:
    """The same after the player said that the move beside the lines of this turn was meant."""
    return {mark: "" if first == turn else first for mark, first in kept.items()}
