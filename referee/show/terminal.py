"""A view as terminal text: the position, what happened since your last turn, who must act."""

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from referee.crypto.codec import decode, read
from referee.crypto.envelope import Envelope
from referee.engine.player import Opened, consult
from referee.engine.records import Entry, asked, content
from referee.errors import IllegalMove
from referee.game import Choice
from referee.show.text import clean

_STYLES = {
    "yellow": "33",
    "blue": "34",
    "red": "31",
    "green": "32",
    "orange": "38;5;208",
    "black": "90",
    "bold": "1",
    "dim": "2",
}


class Painter:
    """ANSI colours, or none."""

    def __init__(self, *, colour: bool) -> None:
        self.colour = colour

    def __call__(self, text: str, style: str) -> str:
        code = _STYLES.get(style)
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and code else text


def with_names(line: str, names: Sequence[str]) -> str:
    """A log line with `@2` replaced by the player's name."""

    def name(found: re.Match[str]) -> str:
        seat = int(found[1])
        return clean(names[seat]) if seat < len(names) else found[0]

    return re.sub(r"@(\d{1,2})", name, clean(line))


def without_names(text: str, names: Sequence[str]) -> str:
    """A typed move with players' names replaced by `@2`; the longest name that fits is meant."""
    for seat in sorted(range(len(names)), key=lambda seat: -len(names[seat])):
        text = re.sub(rf"(?<!\w){re.escape(names[seat])}(?!\w)", f"@{seat}", text, flags=re.IGNORECASE)
    return text


def parse(opened: Opened, text: str) -> Any:
    """The move a person typed: a line of the list, the text as it stands, or with names read as players.

    A name may also be a word of the game; what the list shows means what it says.
    """
    rule = opened.table.game.parse
    typed = " ".join(text.split()).casefold()
    for choice in consult(opened, opened.table.game.legal):
        if with_names(choice.text, opened.table.names).casefold() == typed:
            return choice.move
    try:
        return consult(opened, rule, text)
    except IllegalMove:
        named = without_names(text, opened.table.names)
        if named == text:
            raise
        return consult(opened, rule, named)


def render(opened: Opened, paint: Painter) -> str:
    """The whole picture of one view."""
    table = opened.table
    names = [clean(name) for name in table.names]
    head = f"{table.game.title} - game {table.id[:8]} - round {opened.private.round} - you are {names[opened.seat]}"
    parts = [paint(head, "bold")]
    if opened.last is None:
        parts.append(f"Players in seat order: {', '.join(names)}. Nothing is dealt until everybody agrees.")
    else:
        news = since_last_turn(opened)
        parts.append(
            "Since your last turn:\n" + "\n".join(f"  {line}" for line in news) if news else "Nothing happened."
        )
        parts.append(consult(opened, table.game.draw, names, paint))
    parts.append(who_acts(opened, names))
    return "\n\n".join(parts)


def as_data(opened: Opened) -> dict[str, Any]:
    """The same for programs: positions as the game defines them, the news, who is asked."""
    last = opened.last
    return {
        "game": opened.table.id,
        "title": opened.table.game.title,
        "round": opened.private.round,
        "players": opened.table.names,
        "you": opened.seat,
        "public": msgspec.Raw(content(opened.view.public) or b"null"),
        "own": msgspec.Raw(content(opened.private.own) or b"null"),
        "since_last_turn": since_last_turn(opened) if last else [],
        "ask": opened.private.ask,
        "waiting_for": list(asked(last, last.out).values()) if last else [],
        "end": last.end if last else "",
        "result": last.result if last else None,
    }


def since_last_turn(opened: Opened) -> list[str]:
    """Log lines from the entry with this player's last answer on."""
    lines: list[str] = []
    for data in reversed(opened.view.entries):
        entry = decode(bytes(decode(bytes(data), Envelope, "entry").body), Entry, "entry")
        late = [f"@{seat} missed the deadline" for seat in entry.timeouts]
        lines[:0] = [*late, *entry.log]
        if any(answer.seat == opened.seat for answer in entry.answers):
            break
    return [with_names(line, opened.table.names) for line in lines]


def who_acts(opened: Opened, names: Sequence[str]) -> str:
    """One line: whose answer the game waits for."""
    last = opened.last
    if last is None:
        return "Everybody is asked to agree to the game (ack)."
    if last.end:
        return {"result": "The game is over.", "void": "The game is void.", "rests": "The game rests."}[last.end]
    waiting = asked(last, last.out)
    if last.witness:
        who = ", ".join(names[seat] for seat in waiting)
        return f"A deadline was missed: {who} must send a witness (a bare link) before play goes on."
    return "To act: " + ", ".join(f"{names[seat]} ({clean(ask.what)})" for seat, ask in waiting.items())


def choices(opened: Opened) -> list[Choice]:
    """The legal moves listed in the view."""
    data = content(opened.private.legal)
    return read(data, list[Choice], "list of legal moves") if data else []


def render_choices(opened: Opened) -> str:
    """Legal moves, numbered."""
    lines = []
    for number, choice in enumerate(choices(opened), 1):
        lines.append(f"{number:3}  {choice_line(opened, choice)}")
    return "\n".join(lines)


def choice_line(opened: Opened, choice: Choice) -> str:
    """One legal move as people read it."""
    names = opened.table.names
    return with_names(choice.text, names) + (f"   ({with_names(choice.note, names)})" if choice.note else "")
