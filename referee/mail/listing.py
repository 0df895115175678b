"""The possible answers as mails show them, the likeliest alone and all of them in a numbered list, and as players copy
them."""

import re
from collections.abc import Sequence

import msgspec

from referee.engine.player import Draft, Opened
from referee.engine.rounds import ACK
from referee.forms import Choice
from referee.language import LANGUAGES, current_language, speaking, with_names
from referee.mail import w
from referee.mail.body import Row
from referee.mail.ours import words_of
from referee.show import likely, preview, typed
from referee.show.wording import line_text, move_text, phrases

BARE = "ok"
"""What a kept seat writes where there is nothing to choose: it agrees to the game, or lets the game go on."""

_BULLET = re.compile(r"^[-*]\s+")
_COPY = re.compile(r"#\s*([0-9]{1,6})\b(.+)")


class Answers(msgspec.Struct, frozen=True):
    """What a seat can answer. In the list each line has its number."""

    likely: Sequence[Row] = ()
    """The likeliest moves, each with what it costs."""
    usual: Sequence[Row] = ()
    """The list."""
    seldom: Sequence[Row] = ()
    """Lines of the list that are rarely useful."""

    @property
    def listed(self) -> tuple[Row, ...]:
        return (*self.usual, *self.seldom)


KEPT_MOST = 64
_kept: dict[tuple[str, int, str], Answers] = {}
"""Head of a game, seat and language -> the answers: one mail needs them several times."""


def answers(opened: Opened) -> Answers:
    """What this seat can answer now."""
    key = (opened.chain.checkpoint.head, opened.seat, current_language())
    if key not in _kept:
        if len(_kept) >= KEPT_MOST:
            _kept.clear()
        _kept[key] = _answers(opened)
    return _kept[key]


def _answers(opened: Opened) -> Answers:
    if opened.ask is not None and not opened.decides:
        agrees = opened.ask.what == ACK
        note = w("you agree to play this game") if agrees else w("there is nothing to choose; the game goes on")
        return Answers([Row(BARE, note=note, order=BARE)])
    found = typed.choices(opened)
    rows = [_row(opened, choice, f"#{number}") for number, choice in enumerate(found, 1)]
    first = sum(not choice.minor for choice in found)
    return Answers([_button(opened, move) for move in likely.likely_moves(opened)], rows[:first], rows[first:])


def _button(opened: Opened, move: object) -> Row:
    words = move_text(opened.table, move)
    return Row(words, note="; ".join(preview.preview_lines(opened, Draft(move))), order=words)


def standing(opened: Opened) -> list[Row]:
    """The standing orders that can be given or taken back."""
    names, rule, before = opened.table.names, opened.table.game.standing, opened.orders(opened.seat)
    if opened.ask is None or rule is None:
        return []
    rows, orders = [], phrases(opened.table, before)
    for one in typed.standing_choices(opened, before):
        new = [text for text in phrases(opened.table, typed.as_type(one.move, rule.words)) if text not in orders]
        example = "; ".join(new) if one.parts else ""
        rows.append(Row(line_text(opened.table, one), note=with_names(one.note, names), example=example))
    return rows


def copied(opened: Opened, line: str) -> str:
    """A line without what people add to it: `#3` for a copied line of the list with its number; no bullet, no quotes,
    and no full stop at the end unless a player's name ends with one."""
    bare = stripped(line)
    if bare != line:
        ends = tuple(name.casefold() for name in opened.table.names)
        rows = answers(opened).listed
        if not (line.casefold().endswith(ends) or any(row.order.casefold() == line.casefold() for row in rows)):
            line = bare
    found = _COPY.fullmatch(line)
    if found is None:
        return _without_cost(opened, line)
    mark, rest = f"#{int(found[1])}", words_of(found[2])
    return mark if any(_line_has_words(opened, mark, rest, one) for one in (current_language(), *LANGUAGES)) else line


def _without_cost(opened: Opened, line: str) -> str:
    """A copied button without what it costs, which stands in brackets behind the move."""
    for language in (current_language(), *LANGUAGES) if line.endswith(")") else ():
        with speaking(language):
            for row in answers(opened).likely:
                if row.note and words_of(line) == (*words_of(row.words), *words_of(row.note)):
                    return row.order
    return line


def _line_has_words(opened: Opened, mark: str, wanted: tuple[str, ...], language: str) -> bool:
    """Whether the line with this number has these words, in a mail in this language."""
    with speaking(language):
        row = next((row for row in answers(opened).listed if row.mark == mark), None)
        if row is None:
            return False
        example = w("for example {move}", move=row.example) if row.example else ""
    least = words_of(row.words)
    return len(wanted) >= len(least) and (*least, *words_of(row.note), *words_of(example))[: len(wanted)] == wanted


def stripped(line: str) -> str:
    """A line without a bullet, a pair of quotes or backquotes, and a full stop or exclamation mark."""
    line = _BULLET.sub("", line.strip())
    line = line[:-1].rstrip() if line.endswith((".", "!")) and not line.endswith(("..", "!!")) else line
    return line[1:-1].strip() if len(line) > 2 and line[0] == line[-1] and line[0] in "\"'`" else line


def _row(opened: Opened, choice: Choice, mark: str) -> Row:
    names, game = opened.table.names, opened.table.game
    words, note = line_text(opened.table, choice), with_names(choice.note, names)
    move = move_text(opened.table, typed.as_type(choice.move, game.move))
    if not choice.parts or words == move:
        return Row(words, mark, note, order=words)
    shown = f"`{move}`" in note or w("for example {move}", move="").strip() in words
    return Row(words, mark, note, example="" if shown else move)
