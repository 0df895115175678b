"""The working copy on which a move is played."""

from collections.abc import Sequence
from typing import Any, Literal

from msgspec.structs import replace

from referee.game import Ask, Draws, Note, Result, Step, note

from .graph import Board
from .tables import on_field, without
from .types import RESERVE, Chip, Deal, Heading, Piece, Player, Public, Task

Stage = Literal["next", "turn", "throw", "decide", "leave", "land", "solve"] | None
"""What comes next without anybody's decision; None: somebody is asked, or the game is over."""

SEALED: dict[str, tuple[str, ...]] = {"intervene": ("card", "standing")}
"""Interveners do not know of each other (LO-16)."""


class Scratch:
    """A position in the making: who is asked what next, and what happened."""

    __slots__ = ("asks", "board", "draws", "log", "public", "result", "side", "terms")

    def __init__(self, terms: Deal, public: Public, draws: Draws) -> None:
        self.terms = terms
        self.board = Board(terms.edition)
        self.public = public
        self.draws = draws
        self.log: list[Note] = []
        self.asks: tuple[Ask, ...] = ()
        self.result: Result | None = None
        self.side: Heading | None = None
        """The lane heading with which the moving piece reached its last junction, if it went up there."""

    @property
    def seat(self) -> int:
        """Whose turn it is."""
        return self.public.turn

    @property
    def me(self) -> Player:
        """The player whose turn it is."""
        return self.public.players[self.public.turn]

    @property
    def task(self) -> Task:
        """The move that is being made."""
        assert self.public.task is not None
        return self.public.task

    @property
    def piece(self) -> Piece:
        """The piece that is moving."""
        return self.me.pieces[self.task.piece]

    def say(self, what: str, **values: Any) -> None:
        """Tell everybody what the player whose turn it is does."""
        self.log.append(note(what, seat=self.seat, **values))

    def set(self, **fields: Any) -> None:
        """Change public facts."""
        self.public = replace(self.public, **fields)

    def set_task(self, **fields: Any) -> None:
        """Change the move that is being made."""
        self.set(task=replace(self.task, **fields))

    def set_player(self, seat: int, **fields: Any) -> None:
        """Change what is known of one player."""
        players = list(self.public.players)
        players[seat] = replace(players[seat], **fields)
        self.set(players=tuple(players))

    def move(self, seat: int, number: int, at: str, heading: Heading = "up") -> None:
        """A piece is somewhere else from now on."""
        pieces = list(self.public.players[seat].pieces)
        pieces[number] = Piece(at, heading)
        self.set_player(seat, pieces=tuple(pieces))

    def move_and_beat(self, at: str, heading: Heading) -> None:
        """The moving piece ends on a field; whoever is there on a small field is beaten (LO-12, LO-13)."""
        there = () if self.board.is_decision(at) or at in self.board.goals else on_field(self.public, at)
        self.move(self.seat, self.task.piece, at, heading)
        for seat, number in there:
            if (seat, number) != (self.seat, self.task.piece):
                self.move(seat, number, RESERVE)
                self.say("beats", whose=seat, at=at)

    def play_cards(self, seat: int, cards: Sequence[int]) -> None:
        """Cards leave a hand and the game (LO-16)."""
        self.set_player(seat, hand=without(self.public.players[seat].hand, cards))

    def set_chip(self, goal: int, chip: Chip) -> None:
        """This chip lies below that goal from now on."""
        chips = list(self.public.chips)
        chips[goal] = chip
        self.set(chips=tuple(chips))

    def draw_card(self, pile: Literal["chance", "success"]) -> str:
        """The top card of a pile, which then goes under it (LO-4)."""
        (card,) = self.draws.take(pile, 1)
        self.draws.under(pile, [card])
        sealed = getattr(self.public, f"{pile}_pile")
        under = getattr(self.public, f"{pile}_under")
        if sealed:
            self.set(**{f"{pile}_pile": sealed - 1, f"{pile}_under": (*under, card)})
        else:
            self.set(**{f"{pile}_under": (*under[1:], card)})
        return card

    def white_dice(self) -> tuple[int, int]:
        """Both white dice."""
        return self.draws.die(6), self.draws.die(6)

    def ask(self, what: str, *seats: int) -> None:
        """Ask these seats, or else the player whose turn it is."""
        self.asks = tuple(Ask(seat, what, SEALED.get(what, ())) for seat in seats or (self.seat,))

    def close(self) -> Step:
        """The finished position."""
        return Step(self.public, self.asks, tuple(self.log), self.result)
