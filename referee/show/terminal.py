"""A view as terminal text: the position, what happened since your last turn, who must act."""

import textwrap
from collections.abc import Sequence

import msgspec

from referee.columns import WIDE as WIDE
from referee.engine.player import Opened
from referee.engine.rounds import ACK, asked
from referee.engine.seats import open_seats, out_seats, rests
from referee.game import LINK, Ask
from referee.language import Time, listed, t, w
from referee.show.pictures import seen_in_view
from referee.show.story import since_last_turn
from referee.show.text import asked_for, banks_in_words, clean, declared_at, marked
from referee.show.wording import phrases

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


def render(opened: Opened, paint: Painter, width: int = WIDE) -> str:
    """Everything that one view shows."""
    table = opened.table
    names = [clean(name) for name in table.names]
    looks_on = opened.view.seat is None
    parts = [paint(wrapped(heading(opened), width), "bold")]
    if opened.chain.last is None:
        seats = w("Players in seat order: {names}. Nothing is dealt until everybody agrees.", names=", ".join(names))
        parts.append(wrapped(seats, width))
    else:
        news = [wrapped(line, width, 2) for line in since_last_turn(opened)]
        since = w("In the last round:") if looks_on else w("Since your last turn:")
        parts.append("\n".join((since, *news)) if news else w("Nothing happened."))
        parts.append(table.game.render(table.terms, seen_in_view(opened), names, paint, width))
        parts += filter(None, ["\n".join(wrapped(line, width) for line in standing_lines(opened, names))])
    parts += [wrapped(line[0].upper() + line[1:] + ".", width) for line in declared_at(table)]
    parts.append("\n".join(wrapped(line, width) for line in pending_summary(opened, names)))
    return "\n\n".join(parts)


def heading(opened: Opened) -> str:
    """Which game it is, and who is looking at it."""
    place = {"title": opened.table.game.title, "game": opened.table.id[:8], "round": opened.round}
    if opened.view.seat is None:
        return w("{title} - game {game} - round {round} - public view", **place)
    return w("{title} - game {game} - round {round} - you are {name}", name=clean(opened.name), **place)


def wrapped(line: str, width: int, indent: int = 0) -> str:
    """A sentence wrapped to the width; further lines are indented."""
    return textwrap.fill(
        line, max(width, 20), initial_indent=" " * indent, subsequent_indent=" " * (indent + 2), break_on_hyphens=False
    )


def standing_lines(opened: Opened, names: Sequence[str]) -> list[str]:
    """The players' standing orders; the reader's own come first, and equal ones share a line."""
    sayers: dict[tuple[str, ...], list[int]] = {}
    for seat in sorted(range(len(names)), key=lambda seat: seat != opened.seat):
        sayers.setdefault(tuple(phrases(opened.table, opened.orders(seat))), []).append(seat)
    called = [w("you") if seat == opened.seat else name for seat, name in enumerate(names)]
    return [
        w("Standing orders ({who}): {words}", who=listed(called[seat] for seat in who), words="; ".join(texts))
        for texts, who in sayers.items()
        if texts
    ]


def as_data(opened: Opened) -> dict[str, object]:
    """The same for programs: the position as the game defines it, the reader's tokens, the news, who is asked. Seats
    count from 1, except in the game's own data; 0 is a public view."""
    state, last = opened.chain.checkpoint.state, opened.chain.last
    seats = range(opened.table.seats)
    return {
        "game": opened.table.id,
        "title": opened.table.game.title,
        "round": opened.round,
        "players": opened.table.names,
        "you": 0 if opened.view.seat is None else opened.seat + 1,
        "public": opened.chain.checkpoint.public,
        "tokens": opened.seen.tokens if last else {},
        "since_last_turn": since_last_turn(opened) if last else [],
        "ask": _from_one(opened.ask) if opened.ask else None,
        "waiting_for": [_from_one(ask) for ask in asked(state).values()],
        "said": [phrases(opened.table, opened.orders(seat)) for seat in seats],
        "due": state.due,
        "bank": state.bank,
        "kept": [seat + 1 for seat in opened.table.kept],
        "end": state.end or ("rests" if rests(state) else ""),
        "result": state.result and msgspec.structs.replace(state.result, out=[seat + 1 for seat in state.result.out]),
    }


def _from_one(ask: Ask) -> Ask:
    return msgspec.structs.replace(ask, seat=ask.seat + 1)


_ENDS = {
    "result": t("The game is over."),
    "left": t("The game is over: the others have left."),
    "void": t("The game is void: it has run out of rounds."),
}


def pending_summary(opened: Opened, names: Sequence[str], *, due: bool = True) -> list[str]:
    """Whose answer the game waits for, and until when."""
    state, last = opened.chain.checkpoint.state, opened.chain.last
    if state.end == "left" and state.result is not None:
        order = sorted(zip(state.result.ranks, marked(state.result, names), strict=True))
        return [str(_ENDS[state.end]), *(f"  {rank}. {name}" for rank, name in order)]
    if state.end:
        gone = listed(names[seat] for seat in state.result.out) if state.result else ""
        return [
            str(_ENDS[state.end]),
            *([w("Out, because they missed deadlines: {names}.", names=gone)] if gone else []),
        ]
    waiting = asked(state)
    if state.round == 0:
        return [w("Everybody is asked to agree to the game.")]
    if rests(state):
        return [w("The game rests: nobody answers any more. Any answer wakes it up.")]
    bare = [names[seat] for seat, ask in waiting.items() if ask.what in (ACK, LINK)]
    game = opened.table.offer.game
    asks = {seat: ask.what for seat, ask in waiting.items() if ask.what not in (ACK, LINK)}
    decide = [f"{names[seat]} ({asked_for(what, game)})" for seat, what in asks.items()]
    lines = [w("To act: {names}", names=", ".join(decide))] if decide else []
    if bare:
        late = [names[seat] for seat in last.timeouts if seat in waiting] if last and state.holding else []
        if late:
            missed = ", ".join(late)
            lines.append(w("Missed the deadline: {names}. Late players may still answer.", names=missed))
        who = ", ".join(bare)
        lines.append(w("Waiting for a confirmation, with nothing to choose, before play goes on: {names}.", names=who))
    if state.due and due:
        lines.append(w("Deadline: {time}.", time=Time(state.due)))
        lines += banks_in_words(opened, names)
    out = [names[seat] for seat in sorted(out_seats(state))]
    if out:
        lines.append(w("No longer asked: {names}.", names=", ".join(out)))
    vacant = [_vacant(names[one.seat], one.seat in out_seats(state)) for one in open_seats(opened.table, state)]
    if vacant:
        lines.append(w("Can be taken over: {seats}.", seats=", ".join(vacant)))
    return lines


def _vacant(name: str, out: bool) -> str:
    """A seat that can be taken over: by anybody, or only by somebody its player named."""
    return w("{name}'s seat", name=name) if out else w("{name}'s seat (by the player whom {name} named)", name=name)
