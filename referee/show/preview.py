"""What a move is sure to do, for its player to see before signing it: that the turn stays open, that a card is used."""

from typing import TYPE_CHECKING, Any

from referee.errors import RefereeError, RulesFault
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

    def __getattr__(self, name: str) -> Any:
        raise _Chance


def preview_lines(opened: "Opened", answer: "Draft") -> list[str]:
    """What this answer does at once, in words; nothing if others answer too, something is sealed, or chance decides."""
    table, checkpoint = opened.table, opened.chain.checkpoint
    if answer.move is None or not opened.decides:
        return []
    pending = checkpoint.state.pending
    if [ask.seat for ask in pending] != [opened.seat] or pending[0].sealed:
        return []
    draws: Any = _Open()
    try:
        step = table.game.apply(table.terms, checkpoint.public, pending, {opened.seat: answer.move}, draws)
    except (_Chance, RefereeError, RulesFault):
        return []
    used = [table.game.tell(table.terms, note) for note in step.log if note.what == CARD]
    lines = [with_names(line, table.names) for line in used]
    if step.result is None and any(ask.seat == opened.seat for ask in step.pending):
        lines.append(w("your turn stays open: you will be asked again"))
    return lines
