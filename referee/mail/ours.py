"""Which lines of a mail are lines that we sent, however they were quoted, wrapped or joined.

Both texts are compared word by word. A run is a sequence of whole lines of the mail with the same words as a sequence
of whole lines of ours. So wrapped and joined lines are found, but never a part of a line, which a player may have
copied from the list of moves.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence

import msgspec

from referee.mail.block import PLAIN

_INSERTED = re.compile(
    r"<(?:(?:mailto|https?|tel|cid):|[\w.+%-]{1,100}@)[^<>]{0,2000}>|\[(?:cid|image|bild|afbeelding|inline)[^\[\]]{0,200}\]",
    re.IGNORECASE,
)
_WORD = re.compile(r"#?\w+")
STEPS_MOST = 300_000
CHOICES_MOST = 60


class Run(msgspec.Struct, frozen=True):
    """Lines `first` to `last` (exclusive) of the mail are our words `begin` to `end`, which are `count` lines of
    ours."""

    first: int
    last: int
    begin: int
    end: int
    count: int


def words_of(text: str) -> tuple[str, ...]:
    """The words of a line without punctuation, case, and what mail programs insert."""
    text = _INSERTED.sub(" ", text.translate(PLAIN))
    return tuple(_WORD.findall(unicodedata.normalize("NFKC", text).casefold().replace("_", " ")))


class Ours:
    """The words that we sent, one text after another, and where lines and texts end."""

    def __init__(self, texts: Sequence[Sequence[str]]) -> None:
        self.words: list[str] = []
        self.lines: list[tuple[str, ...]] = []
        self.line_at: dict[int, int] = {0: 0}
        """Position of a word that begins a line, or of the end -> how many lines are before it."""
        self.ends: list[int] = []
        """Where each text ends."""
        self.steps = 0
        """How many steps the last search took."""
        self._starts: dict[str, list[int]] = {}
        for text in texts:
            for words in filter(None, map(words_of, text)):
                self._starts.setdefault(words[0], []).append(len(self.words))
                self.words += words
                self.lines.append(words)
                self.line_at[len(self.words)] = len(self.lines)
            self.ends.append(len(self.words))
        self.known = frozenset(self.words)

    def lines_of(self, run: Run) -> list[tuple[str, ...]]:
        """Our lines in a run."""
        return self.lines[self.line_at[run.begin] : self.line_at[run.end]]

    def has_tail(self, words: tuple[str, ...]) -> bool:
        """Whether a longer line of ours ends with these words; the number of a line in a list does not make it
        longer."""
        return any(
            line[-len(words) :] == words and len(line) > len(words) + line[0].startswith("#") for line in self.lines
        )

    def begin_alike(self, one: int, other: int) -> bool:
        """Whether the same two lines begin at two places: a mail has most lines as plain text and in its page."""
        at, by = self.line_at[one], self.line_at[other]
        return self.lines[at : at + 2] == self.lines[by : by + 2]

    def moved(self, run: Run, begin: int) -> Run:
        """The same run at this place, if the same words are there too."""
        end = begin + run.end - run.begin
        same = self.words[begin:end] == self.words[run.begin : run.end] and end in self.line_at
        return msgspec.structs.replace(run, begin=begin, end=end) if same else run

    def between(self, before: Run | None, after: Run | None) -> frozenset[str]:
        """Our words that are missing between two runs: what follows the first and precedes the second in their
        texts."""
        begin, end = before.end if before else None, after.begin if after else None
        if begin is not None and end is not None and self._text(begin - 1) == self._text(end):
            return frozenset(self.words[begin:end] if begin <= end else self.words)
        rest = self.words[begin : self.ends[self._text(begin - 1)]] if begin is not None else []
        start = self.words[([0, *self.ends])[self._text(end)] : end] if end is not None else []
        return frozenset((*rest, *start))

    def _text(self, place: int) -> int:
        """The number of the text that contains this word."""
        return bisect_right(self.ends, place)

    def runs(self, lines: Sequence[tuple[str, ...]]) -> list[Run] | None:
        """The runs in a mail, given as the words of its lines, in order; None if finding them would take too long."""
        found: list[Run] = []
        at = self.steps = solid = 0
        while at < len(lines):
            run = self._longest(lines, at, found[-1].end if found else 0, solid) if lines[at] else None
            if self.steps > STEPS_MOST:
                return None
            if run:
                found.append(run)
                solid = run.end if run.count > 1 else solid
            at = run.last if run else at + 1
        return found

    def _longest(self, lines: Sequence[tuple[str, ...]], at: int, after: int, solid: int) -> Run | None:
        """The longest run from this line on; of equal ones, the one that continues where the last one of several lines
        ended, because a single line between the two may be a copy, or the next one after the last one."""
        runs = [
            run
            for begin in self._starts.get(lines[at][0], [])[:CHOICES_MOST]
            if (run := self._run(lines, at, begin)) is not None
        ]
        return max(runs, key=lambda run: (run.last, run.begin == solid, run.begin >= after, -run.begin), default=None)

    def _run(self, lines: Sequence[tuple[str, ...]], first: int, begin: int) -> Run | None:
        best, place, line = None, begin, first
        while line < len(lines) and place < len(self.words):
            self.steps += 1
            words = lines[line]
            if tuple(self.words[place : place + len(words)]) != words:
                break
            place += len(words)
            line += 1
            if words and place in self.line_at:
                best = Run(first, line, begin, place, self.line_at[place] - self.line_at[begin])
        return best
