"""The numbered list of possible answers, as mails show it and as players copy it."""

import re

from referee.engine.player import Opened
from referee.engine.rounds import ACK
from referee.forms import Choice
from referee.language import LANGUAGES, current_language, speaking, with_names
from referee.mail import w
from referee.mail.body import Row
from referee.mail.ours import words_of
from referee.show import typed
from referee.show.wording import line_text, move_text, phrases

BARE = "ok"
"""What a kept seat writes where there is nothing to choose: it agrees to the game, or lets the game go on."""

_BULLET = re.compile(r"^[-*]\s+")
_COPY = re.compile(r"#\s*([0-9]{1,6})\b(.+)")


def moves(opened: Opened) -> tuple[list[Row], list[Row]]:
    """What this seat can answer, numbered: the usual answers, and those that are rarely useful."""
    if opened.ask is not None and not opened.decides:
        agrees = opened.ask.what == ACK
        note = w("you agree to play this game") if agrees else w("there is nothing to choose; the game goes on")
        return [Row(BARE, note=note, order=BARE)], []
    found = typed.choices(opened)
    rows = [_row(opened, choice, f"#{number}") for number, choice in enumerate(found, 1)]
    first = sum(not choice.minor for choice in found)
    return rows[:first], rows[first:]


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
    first, seldom = moves(opened)
    rows = (*first, *seldom)
    ends = tuple(name.casefold() for name in opened.table.names)
    if not (line.casefold().endswith(ends) or any(row.order.casefold() == line.casefold() for row in rows)):
        line = stripped(line)
    found = _COPY.fullmatch(line)
    if found is None:
        return line
    mark, rest = f"#{int(found[1])}", words_of(found[2])
    return mark if any(_line_has_words(opened, mark, rest, one) for one in (current_language(), *LANGUAGES)) else line


def _line_has_words(opened: Opened, mark: str, wanted: tuple[str, ...], language: str) -> bool:
    """Whether the line with this number has these words, in a mail in this language."""
    with speaking(language):
        first, seldom = moves(opened)
        row = next((row for row in (*first, *seldom) if row.mark == mark), None)
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
