"""A view as terminal text: the position, what happened since your last turn, who must act."""

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from referee.engine.player import Opened, consult, sees
from referee.engine.rounds import ACK, asked, out_seats, rests
from referee.errors import IllegalMove
from referee.forms import Choice
from referee.game import LINK, Seen
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
    """A typed move with players' names replaced by `@2`, in one pass; the longest name that fits is meant."""
    seats = {name.casefold(): seat for seat, name in enumerate(names)}
    longest = sorted(names, key=len, reverse=True)
    pattern = "|".join(re.escape(name) for name in longest)
    return re.sub(
        rf"(?<!\w)(?:{pattern})(?!\w)",
        lambda found: f"@{seats[found[0].casefold()]}" if found[0].casefold() in seats else found[0],
        text,
        flags=re.IGNORECASE,
    )


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
    head = f"{table.game.title} - game {table.id[:8]} - round {opened.round} - you are {names[opened.seat]}"
    parts = [paint(head, "bold")]
    if opened.chain.last is None:
        parts.append(f"Players in seat order: {', '.join(names)}. Nothing is dealt until everybody agrees.")
    else:
        news = since_last_turn(opened)
        parts.append(
            "Since your last turn:\n" + "\n".join(f"  {line}" for line in news) if news else "Nothing happened."
        )
        parts.append(table.game.draw(table.terms, _drawn(opened), names, paint, 100))
    parts.append(who_acts(opened, names))
    return "\n\n".join(parts)


def _drawn(opened: Opened) -> Seen[Any]:
    """What the game draws: a result that others made by leaving is not one of its own."""
    known = sees(opened)
    return msgspec.structs.replace(known, result=None) if opened.chain.moment.state.end == "left" else known


def as_data(opened: Opened) -> dict[str, Any]:
    """The same for programs: the position as the game defines it, the own tokens, the news, who is asked."""
    state, last = opened.chain.moment.state, opened.chain.last
    return {
        "game": opened.table.id,
        "title": opened.table.game.title,
        "round": opened.round,
        "players": opened.table.names,
        "you": opened.seat,
        "public": opened.chain.moment.public,
        "tokens": sees(opened).tokens if last else {},
        "since_last_turn": since_last_turn(opened),
        "ask": opened.ask,
        "waiting_for": list(asked(state).values()),
        "due": last.due if last else "",
        "end": state.end or ("rests" if rests(state) else ""),
        "result": state.result,
    }


def since_last_turn(opened: Opened) -> list[str]:
    """The story from the entry with this player's last answer on."""
    lines: list[str] = []
    for one in reversed(opened.chain.rounds):
        late = [f"@{seat} missed the deadline" for seat in one.entry.timeouts]
        gone = [f"@{answer.seat} leaves the game" for answer in one.entry.answers if answer.resign]
        told = [opened.table.game.tell(opened.table.terms, note) for note in one.log]
        lines[:0] = [*late, *gone, *told]
        if any(answer.seat == opened.seat for answer in one.entry.answers):
            break
    return [with_names(line, opened.table.names) for line in lines]


_ENDS = {
    "result": "The game is over.",
    "left": "The game is over: the others have left.",
    "void": "The game is void: it has run out of rounds.",
}


def who_acts(opened: Opened, names: Sequence[str]) -> str:
    """One line: whose answer the game waits for."""
    state = opened.chain.moment.state
    if state.end == "left" and state.result is not None:
        order = sorted(zip(state.result.ranks, names, strict=True))
        return "\n".join((_ENDS["left"], *(f"  {rank}. {name}" for rank, name in order)))
    if state.end:
        return _ENDS[state.end]
    waiting = asked(state)
    bare = [names[seat] for seat, ask in waiting.items() if ask.what in (ACK, LINK)]
    decide = [f"{names[seat]} ({clean(ask.what)})" for seat, ask in waiting.items() if ask.what not in (ACK, LINK)]
    if state.round == 0:
        return "Everybody is asked to agree to the game (ack)."
    if rests(state):
        return "The game rests: nobody answers any more. Whoever does wakes it up."
    due = opened.chain.last.due if opened.chain.last else ""
    lines = ["To act: " + ", ".join(decide)] if decide else []
    if bare:
        last = opened.chain.last
        late = [names[seat] for seat in last.timeouts] if last and state.holding else []
        if late:
            lines.append(f"The deadline was missed by: {', '.join(late)}. Who was late may still answer.")
        lines.append(f"To send a bare link (`referee play`), before play goes on: {', '.join(bare)}.")
    if due:
        lines.append(f"Deadline: {due.replace('T', ' ').removesuffix('Z')} UTC.")
    out = [names[seat] for seat in sorted(out_seats(state))]
    if out:
        lines.append(f"No longer asked: {', '.join(out)}.")
    return "\n".join(lines)


def choices(opened: Opened) -> list[Choice]:
    """The legal moves, if this seat is asked for a decision."""
    return list(consult(opened, opened.table.game.legal)) if opened.decides else []


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
