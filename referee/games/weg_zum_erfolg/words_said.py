"""A typed move made ready to be read: without words that only help the reader, and with what it does in front."""

import re

from referee.grammar import folded
from referee.grammar import words_in as all_words_in

FILLERS = (",", ":", "and", "then", "it", "the", "with", "to", "on", "goal", "card", "cards")
SAME = {"move": "piece", "go": "piece", "contest": "against", "pass": "decline", "new": "enter", "exchange": "swap"}
"""Words that are read as well."""
ALONE = {
    "piece": "piece",
    "intervene": "intervene",
    "solve": "solve",
    "target": "swap",
    "lose": "lose",
    "place": "place",
    "swap chip": "chip",
    "opponent": "against",
}
"""What a number, a player or a bracket means that begins an answer: the piece, the card, the goal that is asked for."""
NO = {"intervene": "decline", "solve": "give up", "swap chip": "keep", "try": "leave"}
"""What `no` and `none` mean."""
REFUSING = {"no", "none", "play", "try", "swap", "intervene"}
"""What `no` and `none` may stand beside: `play no card`."""
LAST = ("intervene", "lose", "place", "swap", "play")
"""What can end a line whose words stand before it: `9 play`, as Germans say it."""
LEADING = re.compile(rf"(?:(?:{'|'.join(word for word in FILLERS if word.isalpha())})\b[\s,:]*)+")


def words_in(text: str) -> list[str]:
    """The words that mean something. A number in letters is none: `intervene with one card` does not say which."""
    return all_words_in(text, FILLERS, numbers={})


def arranged(what: str, text: str) -> str:
    """The line that answers this question, with the word that it begins with."""
    line = " ".join(folded(text).split()).strip(" ,.!")
    line = line[found.end() :] if (found := LEADING.match(line)) else line
    words = words_in(line)
    said = {SAME.get(word, word) for word in words}
    if what in NO and (words == ["pass"] or (said & {"no", "none"} and said <= REFUSING)):
        return NO[what]
    if len(words) > 1 and words[-1] in ("move", "go"):
        line = line.removesuffix(words[-1]).rstrip(" ,")
    elif len(words) > 1 and words[-1] in LAST and (words[0] == "piece" or words[0][0] in "0123456789@"):
        line = f"{words[-1]} {line.removesuffix(words[-1])}".strip(" ,")
    if what == "way" and len(words) > 1 and words[0] in ("move", "go"):
        line = line.removeprefix(words[0]).lstrip()
        line = line[found.end() :] if (found := LEADING.match(line)) else line
    return f"{ALONE[what]} {line}" if line and line[0] in "0123456789([@" and what in ALONE else line
