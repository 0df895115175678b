"""What a player wrote in reply to a mail of ours.

Lines that we sent are removed, and lines that mail programs add. What is left at depth 0 is the player's, wherever it
is, if that is certain: because it is above everything quoted, because the program marks quotations, or because none of
our lines is missing there, so that it cannot be a mangled one. Otherwise it is in doubt, and doubt never becomes an
order.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

import msgspec

from referee.language import NOTHING, Text
from referee.mail import frame, t
from referee.mail.block import PLAIN, block_lines
from referee.mail.lines import Line, unescaped
from referee.mail.message import Letter
from referee.mail.ours import Ours, Run, words_of

_ASCII = {
    **PLAIN,
    **dict.fromkeys(map(ord, "‘’‚‛′`´"), "'"),
    **dict.fromkeys(map(ord, "“”„‟″«»"), '"'),
    ord("…"): "...",
}
_TURNS = re.compile("[\u202a-\u202e\u2066-\u2069]")
_RULE = re.compile(r"[-_=*~#+]{3,}")
LINES_MOST = 5_000
"""Nobody answers with more lines, and each of them is compared with ours."""


class Said(msgspec.Struct, frozen=True):
    """A line of the player's own in plain characters, the number of its paragraph, and whether a rule (`-----`) stands
    above it."""

    text: str
    part: int
    ruled: bool = False


class Written(msgspec.Struct, frozen=True):
    """The player's own lines. If they are not `sure`, ask, and say `why`: then the lines are just a hint."""

    lines: tuple[str, ...]
    parts: tuple[int, ...] = ()
    """The number of each line's paragraph."""
    ruled: tuple[int, ...] = ()
    """Lines with a rule right above them, by their numbers."""
    sure: bool = True
    why: Text = NOTHING


class _Sheet(msgspec.Struct):
    """The lines of a mail while they are sorted: a line that is `taken` is neither in doubt nor the player's."""

    lines: Sequence[Line]
    ours: Ours
    runs: list[Run]
    taken: list[bool]
    heads: list[int]
    """The lines that announce quoted mails."""
    marker: int
    """The number of our marker line, or the number of lines."""
    mark: int
    """The first line that is marked as quoted, or the number of lines."""
    missing: dict[int, frozenset[str]] = {}
    """Number of a run -> what is missing before it; a cache."""

    def top(self) -> int:
        """The first line that was certainly not written for this answer, or the number of lines."""
        known = [run.first for run in self.runs if run.count > 1 and run.begin == 0]
        return min((self.mark, *known, *self.heads[:1], self.marker))


def written(letter: Letter, *ours: Sequence[str]) -> Written:
    """The player's own words. `ours` are the texts of our mails as lines, plain and as `html_lines` reads their HTML:
    mail programs quote either."""
    if not letter.whole or len(letter.lines) > LINES_MOST:
        return Written((), sure=False, why=t("the mail could not be read to its end"))
    sheet = _sheet(letter.lines, ours)
    if sheet is None:
        return Written((), sure=False, why=t("the mail is too long to tell your words from ours"))
    own, doubts = _sorted(sheet)
    texts = tuple(sheet.lines[at].text.strip() for at in own)
    parts = tuple(accumulate((at != before + 1 for at, before in zip(own[1:], own, strict=False)), initial=0))[
        : len(own)
    ]
    ruled = tuple(number for number, at in enumerate(own) if _is_ruled(sheet.lines, at))
    if any(line.struck and not line.depth for line in sheet.lines):
        return Written(texts, parts, ruled, False, t("something is crossed out, and it is not clear what counts"))
    if any(_TURNS.search(text) for text in texts):
        return Written(
            texts,
            parts,
            ruled,
            False,
            t("there are characters that reverse the direction of writing, so it can be read in two ways"),
        )
    words = [at for at in own if not frame.is_courtesy(sheet.lines[at].text)]
    if doubts and not (words and words[0] < sheet.top() < len(sheet.lines)):
        return Written(texts, parts, ruled, False, t("it is not clear which words are yours and which were quoted"))
    if not words and _written_into_quotes(sheet):
        return Written(
            texts, parts, ruled, False, t("there are words among the quoted lines, and it is not clear whose they are")
        )
    return Written(texts, parts, ruled)


def sayings(found: Written) -> list[Said]:
    """The lines with words in them, in plain characters."""
    lines = (" ".join(line.translate(_ASCII).split()) for line in found.lines)
    parts = found.parts or range(len(found.lines))
    said = (Said(line, parts[at], at in found.ruled) for at, line in enumerate(lines))
    return [one for one in said if words_of(one.text)]


def orders(found: Written) -> list[str]:
    """The lines that can be orders, each once, without greetings and thanks."""
    return list(dict.fromkeys(one.text for one in sayings(found) if not frame.is_courtesy(one.text)))


def _is_ruled(lines: Sequence[Line], at: int) -> bool:
    """Whether a rule stands right above a line."""
    above = next((lines[near].text.strip() for near in range(at - 1, -1, -1) if lines[near].text.strip()), "")
    return bool(_RULE.fullmatch(above))


# --- what is certainly not the player's ------------------------------------------------------------------------------


def _sheet(lines: Sequence[Line], sent: Sequence[Sequence[str]]) -> _Sheet | None:
    ours = Ours(sent)
    texts = [unescaped(line.text).translate(PLAIN) for line in lines]
    words = [words_of(text) for text in texts]
    runs = ours.runs(words)
    if runs is None:
        return None
    runs = _without_copies(lines, words, ours, runs)
    taken = [not word for word in words]
    marker = next((at for at, text in enumerate(texts) if frame.is_marker(text)), len(lines))
    mark = next((at for at, line in enumerate(lines) if line.depth), len(lines))
    sheet = _Sheet(lines, ours, runs, taken, [], marker, mark)
    for run in runs:
        taken[run.first : run.last] = [True] * (run.last - run.first)
    for at in block_lines(texts):
        taken[at] = True
    _strike_heads(sheet, texts)
    _strike_footers(sheet, texts)
    return sheet


def _without_copies(
    lines: Sequence[Line], words: Sequence[tuple[str, ...]], ours: Ours, runs: Sequence[Run]
) -> list[Run]:
    """The runs without a line that the player copied right above the place where it is quoted: the run before would
    take it for that line, which then comes again."""
    found: list[Run] = []
    for run in runs:
        if found and not lines[last := _last(words, found[-1])].depth:
            before, copy = found[-1], ours.lines_of(found[-1])[-1]
            begin = before.end - len(copy)
            marked = lines[run.first].depth and copy in ours.lines_of(run)[:2]
            if words[last] == copy and (marked or ours.begin_alike(run.begin, begin)):
                found[-1:] = [Run(before.first, last, before.begin, begin, before.count - 1)][: before.count - 1]
                run = ours.moved(run, begin)
        found.append(run)
    return found


def _last(words: Sequence[tuple[str, ...]], run: Run) -> int:
    """The last line of a run that has words."""
    return next(at for at in range(run.last - 1, run.first - 1, -1) if words[at])


def _strike_heads(sheet: _Sheet, texts: Sequence[str]) -> None:
    """Mark lines that announce a quoted mail as taken. Unmarked text below a second one, or a forwarded mail, is
    older."""
    at, older = 0, False
    while at < len(texts):
        if frame.is_marker(texts[at]):
            sheet.taken[at] = True
        count = 0 if sheet.lines[at].depth else frame.quote_head(texts, at)
        if count:
            older = older or frame.is_forward(texts[at]) or bool(sheet.heads and sheet.heads[0] < at - 3)
            sheet.heads.append(at)
            sheet.taken[at : at + count] = [True] * count
        if older:
            sheet.taken[at] = True
        at += max(1, count)


def _strike_footers(sheet: _Sheet, texts: Sequence[str]) -> None:
    """Mark signatures and footers as taken. A signature ends at the next line that is known not to be the player's;
    list footers come after all of those."""
    known = [
        bool(line.depth) or (took and bool(words_of(line.text)))
        for line, took in zip(sheet.lines, sheet.taken, strict=True)
    ]
    below = max((at + 1 for at, is_known in enumerate(known) if is_known), default=0)
    signed = False
    for at, text in enumerate(texts):
        if known[at]:
            signed = False
        elif at >= below and frame.list_footer(texts, at):
            sheet.taken[at:] = [True] * (len(texts) - at)
            return
        elif signed or frame.is_signature(text):
            signed = sheet.taken[at] = True
        elif frame.is_footer(text):
            sheet.taken[at] = True


# --- what is the player's, and what is in doubt -----------------------------------------------------------------------


def _release_copies(sheet: _Sheet) -> set[int]:
    """Give back unmarked lines of ours that the player copied as an answer: any above everything quoted; a single one
    next to a quotation that contains the same line, unless that line is missing at this place; or a single one in a
    mail without any other trace of ours. Returns the lines of the last kind."""
    top, end, marked = sheet.top(), len(sheet.lines), _marks_quotes(sheet)
    runs, quotes = sheet.runs, [run for run in sheet.runs if run.count > 1 or sheet.lines[run.first].depth]
    quoted = {line for run in quotes for line in sheet.ours.lines_of(run)}
    alone = top == end and not quotes
    sheet.runs = quotes
    copies = [
        run
        for run in runs
        if not sheet.lines[run.first].depth
        if (run.last <= top < end) or (run.count == 1 and (alone
            or (sheet.ours.lines_of(run)[0] in quoted and (marked or not _missing(sheet, run.first)))))
    ]  # fmt: skip
    copied = {at for run in copies for at in range(run.first, run.last)}
    for at in copied:
        sheet.taken[at] = not words_of(sheet.lines[at].text)
    sheet.runs = [run for run in runs if run.first not in copied]
    sheet.missing.clear()
    return copied if alone else set()


def _sorted(sheet: _Sheet) -> tuple[list[int], list[int]]:
    """The lines that are the player's, and those that are in doubt."""
    loose = _release_copies(sheet)
    top, marked = sheet.top(), _marks_quotes(sheet)
    own: list[int] = []
    doubts: list[int] = []
    left = [at for at, line in enumerate(sheet.lines) if not line.depth and not sheet.taken[at]]
    words = [at for at in left if not frame.is_courtesy(sheet.lines[at].text)]
    for at in left:
        if at in loose:
            certain = words == [at]
        elif at < top < len(sheet.lines):
            certain = True
        else:
            before = _touching(sheet, at, -1)
            # This may be the rest of a quoted line that is not ours.
            strange = before is not None and not sheet.taken[before]
            certain = not strange and (_is_separate(sheet, at) if marked else _is_not_our_line(sheet, at))
        (own if certain else doubts).append(at)
    return own, doubts


def _marks_quotes(sheet: _Sheet) -> bool:
    """Whether the program that wrote this mail marks quotations, so that unmarked lines are not quoted."""
    for run in sheet.runs:
        # Unmarked lines of ours, or marked ones that continue on unmarked ones.
        depths = {bool(line.depth) for line in sheet.lines[run.first : run.last] if line.text.strip()}
        if False in depths and (run.count > 1 or True in depths):
            return False
    if sheet.marker < len(sheet.lines) and not sheet.lines[sheet.marker].depth:
        return False
    rest = range(sheet.heads[0] if sheet.heads else 0, len(sheet.lines))
    if sheet.heads:
        below = next((at for at in rest if not (sheet.taken[at] and not sheet.lines[at].depth)), None)
        return below is not None and sheet.lines[below].depth > 0
    return any(sheet.lines[at].depth for at in rest)


def _is_separate(sheet: _Sheet, at: int) -> bool:
    """Whether this cannot be the rest of a quoted line that was wrapped without a mark: that would touch a quoted line
    before it, and another one after it, or be the end of a line of ours."""
    if _touching(sheet, at, -1) is None or _is_not_our_line(sheet, at):
        return True
    return _touching(sheet, at, 1) is None and not sheet.ours.has_tail(words_of(sheet.lines[at].text))


def _touching(sheet: _Sheet, at: int, step: int) -> int | None:
    """The quoted line that this paragraph touches at one end; None if it ends with a blank line, or is long."""
    for near in range(at + step, at + 20 * step, step):
        if not 0 <= near < len(sheet.lines) or not (sheet.lines[near].depth or sheet.lines[near].text.strip()):
            return None
        if sheet.lines[near].depth:
            return near
    return None


def _is_not_our_line(sheet: _Sheet, at: int) -> bool:
    """Whether this cannot be a mangled line of ours: none of our words is missing here, or none that resembles it."""
    if not sheet.runs:
        return sheet.top() == len(sheet.lines)
    missing = _missing(sheet, at)
    words = words_of(sheet.lines[at].text)
    # The lines around it may come from one of our texts and this one from another.
    return not missing or 2 * sum(word in sheet.ours.known for word in words) < len(words)


def _missing(sheet: _Sheet, at: int) -> frozenset[str]:
    """Our words that could belong at this line, because the lines around it are ours and these words are missing."""
    after = bisect_right(sheet.runs, at, key=lambda run: run.first)
    if after not in sheet.missing:
        before = sheet.runs[after - 1] if after else None
        sheet.missing[after] = sheet.ours.between(before, sheet.runs[after] if after < len(sheet.runs) else None)
    return sheet.missing[after]


def _written_into_quotes(sheet: _Sheet) -> bool:
    """Whether there is something among the quoted lines of our mail that we did not send."""
    depths = {sheet.lines[run.first].depth for run in sheet.runs} - {0}
    return any(
        line.depth in depths and not sheet.taken[at] and not _missing(sheet, at).issuperset(words_of(line.text))
        for at, line in enumerate(sheet.lines)
    )
