"""What a move is sure to do, for its player to see before choosing or signing it: that a card is used, that prices
change, that the turn stays open."""

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from referee.errors import RefereeError, RulesFault
from referee.game import Note
from referee.games import has_module, module_of
from referee.language import w, with_names

if TYPE_CHECKING:
    from referee.engine.player import Draft, Opened


CARD = "card"
"""The note with which a game logs that a card is used up."""


class _Chance(Exception):
    """The rules want to know what nobody knows yet."""


class _Open:
    """Draws that only move what lies open; chance and secrets end the preview."""

    def put(self, bag: str, faces: object) -> None: ...

    def under(self, bag: str, faces: object) -> None: ...

    def lay_out(self, bag: str, faces: object) -> None: ...

    def __getattr__(self, name: str) -> Any:
        raise _Chance


def preview_lines(opened: "Opened", answer: "Draft") -> list[str]:
    """What this answer does at once, in words; nothing if others answer too, or something is sealed. Where chance
    decides the rest, what the game knows all the same (`ahead` in its module `story_ahead`)."""
    table, checkpoint = opened.table, opened.chain.checkpoint
    if answer.move is None or not opened.decides:
        return []
    pending = checkpoint.state.pending
    if [ask.seat for ask in pending] != [opened.seat] or pending[0].sealed:
        return []
    draws: Any = _Open()
    try:
        step = table.game.apply(table.terms, checkpoint.public, pending, {opened.seat: answer.move}, draws)
    except _Chance:
        return _told(opened, _ahead(opened, answer.move))
    except (RefereeError, RulesFault):
        return []
    lines = _told(opened, [note for note in step.log if note.what == CARD])
    if step.result is None and any(ask.seat == opened.seat for ask in step.pending):
        lines.append(w("your turn stays open: you will be asked again"))
    return lines


def _ahead(opened: "Opened", move: object) -> Sequence[Note]:
    table, module = opened.table, f"{module_of(opened.table.game_id)}.story_ahead"
    if not has_module(module):
        return ()
    found: Sequence[Note] = import_module(module).ahead(table.terms, opened.seen, move)
    return found


def _told(opened: "Opened", notes: Sequence[Note]) -> list[str]:
    table = opened.table
    return [with_names(table.game.tell(table.terms, note), table.names) for note in notes]
