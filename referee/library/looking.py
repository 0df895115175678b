"""Opening a view to look at it: it is checked, and remembered; what it asks, and the moves that are legal."""

import msgspec

from referee.engine import player
from referee.engine.player import Opened
from referee.engine.seats import open_seats
from referee.forms import Choice
from referee.io import tickets, times
from referee.io.tickets import Ticket
from referee.language import NOTHING, Run, Text, Time, run
from referee.library import t, w
from referee.library.documents import with_key
from referee.library.reports import escaped
from referee.library.values import placeholder
from referee.show.text import clean


def open_view(data: bytes) -> tuple[Opened, Ticket | None]:
    """A view that passed every check, and the ticket for its game."""
    view = player.read_view(data)
    ticket = tickets.find(view)
    return player.open_view(view, ticket.own_fields if ticket else None), ticket


def open_and_remember(data: bytes) -> tuple[Opened, bool]:
    """A view, opened and remembered, so that the host cannot deny it later; and whether it is older than one that was
    seen before."""
    opened, ticket = open_view(data)
    age = tickets.age(ticket, opened)
    if age == "new":
        tickets.remember(ticket, opened.view)
    return opened, age == "old"


def ownership_warning(opened: Opened, mine: str) -> Text:
    """Whose view this is, for somebody with another key; empty for its owner, or if there is no key."""
    keys = [key.hex() for key in opened.table.keys]
    if opened.view.seat is None or mine in ("", keys[opened.seat]):
        return NOTHING
    who = {"name": clean(opened.name), "key": keys[opened.seat][:8], "own": mine[:8]}
    if mine not in keys:
        return t("this is {name}'s view, for the key {key}; your key {own} does not play in this game", **who)
    you = clean(opened.table.names[keys.index(mine)])
    return t("this is {name}'s view, for the key {key}; your key {own} is {you}'s", **who, you=you)


def ahead_in_words(found: times.Ahead) -> str:
    """A timeout whose time is still to come by the reader's clock."""
    return w("Careful: in round {round} the host timed somebody out as if {time} were over. By your clock it is still "
             "to come: either a clock is wrong, or the host did not wait.",
             round=found.round, time=Time(found.time))  # fmt: skip


def what_next(opened: Opened, path: str, key: str | None) -> str:
    """What to do with a view that somebody has looked at."""
    state = opened.chain.checkpoint.state
    if opened.ask:
        return w("Next: answer with {play}; {moves} lists what is legal.", play=run("play", path, *with_key(key)),
                 moves=run("show", "--moves", path))  # fmt: skip
    if state.end:
        return w("Next: ask the host for the transcript.")
    if opened.view.seat is None and open_seats(opened.table, state):
        return w("Next: take over a seat with {command}, or wait for the next view.", command=run("join", path))
    return w("Next: {next}.", next=not_asked_yet(opened, run("play", "--return", path, *with_key(key))))


def not_asked_yet(opened: Opened, back: Run | Text) -> Text:
    """What a player can do whom the game does not ask now; `back`: how to come back."""
    if opened.chain.checkpoint.state.end:
        return t("ask the host for the transcript")
    if not player.may_return(opened):
        return t("wait for the next view")
    if opened.seat in opened.table.kept:
        back = t("answer the mail with `back`")
    return t("you missed two deadlines; to come back: {command}", command=back)


def moves_in_words(opened: Opened, view: str, key: str | None, width: int, *, every: bool) -> tuple[list[str], ...]:
    """The legal moves as a numbered list, and notes about it."""
    from referee.show import typed
    from referee.show.prompt import numbered
    from referee.show.wording import move_text

    def example(choice: Choice) -> str:
        """The move of a line as JSON; of a family, one of its moves also in words."""
        data = escaped(msgspec.json.encode(choice.move, order="sorted").decode())
        if not choice.parts:
            return data
        move = move_text(opened.table, typed.as_type(choice.move, opened.table.game.move))
        return w("for example: {move}   {data}", move=move, data=data)

    found, lines = typed.choices(opened), list[str]()
    if not found and opened.ask is None:
        back = not_asked_yet(opened, run("play", "--return", view, *with_key(key)))
        return lines, [w("You are not asked for a move."), w("Next: {next}.", next=back)]
    if not found:
        answer = run("play", view, *with_key(key))
        return lines, [w("You are asked for a confirmation."), w("Next: run {command}.", command=answer)]
    for number, choice in enumerate(found, 1):
        if every or not choice.minor:
            lines += [numbered(number, choice, opened.table, width), f"       {example(choice)}"]
    more = 0 if every else sum(choice.minor for choice in found)
    notes = [w("There are {n} more: {command}.", n=more, command=run("show", "--moves", "--all", view))] if more else []
    answer = run("play", view, "--move", placeholder("TEXT"), *with_key(key))
    return lines, [
        *notes,
        w("Next: answer with {command}; TEXT can be a line of this list: '#1', in quotes.", command=answer),
    ]
