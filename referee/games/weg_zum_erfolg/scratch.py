"""The working copy on which a move is played."""

from collections.abc import Sequence
from typing import Any, Literal

from msgspec.structs import replace

from referee.game import Ask, Draws, Note, Result, Step

from .lookups import on_field, without
from .types import RESERVE, Chip, Deal, Heading, Piece, Player, Public, Task

Stage = Literal["next", "turn", "throw", "decide", "land", "solve"] | None
"""What comes next without a decision; None: somebody is asked, or the game is over."""


class Scratch:
    """A position in the making: the fields of `Public`, who is asked what next, and what happened."""

    __slots__ = (
        "asks", "board", "chance_pile", "chance_under", "chips", "draws", "home", "log", "players", "result", "side",
        "standing", "start", "success_pile", "success_under", "task", "terms", "throw", "turn", "turns", "unasked",
    )  # fmt: skip

    def __init__(self, terms: Deal, public: Public, draws: Draws) -> None:
        self.terms, self.board, self.draws = terms, terms.edition.board, draws
        self.players: list[Player] = list(public.players)
        self.chips: list[Chip | None] = list(public.chips)
        self.standing, self.start, self.turn, self.turns = public.standing, public.start, public.turn, public.turns
        self.home, self.throw = public.home, public.throw
        self.task: Task | None = public.task
        self.chance_pile, self.chance_under = public.chance_pile, public.chance_under
        self.success_pile, self.success_under = public.success_pile, public.success_under
        self.log: list[Note] = []
        self.asks: tuple[Ask, ...] = ()
        self.result: Result | None = None
        self.side: Heading | None = None
        """The lane heading with which the moving piece reached its last junction, if it went up there."""
        self.unasked = 0
        """Turns begun in this step; nobody was asked in any of them except the last."""

    @property
    def me(self) -> Player:
        """The player whose turn it is."""
        return self.players[self.turn]

    @property
    def doing(self) -> Task:
        """The move that is being made."""
        assert self.task is not None
        return self.task

    @property
    def piece(self) -> Piece:
        """The piece that is moving."""
        assert self.task is not None
        return self.players[self.turn].pieces[self.task.piece]

    def say(self, what: str, **values: Any) -> None:
        """Tell everybody what the player does whose turn it is."""
        values["seat"] = self.turn
        self.log.append(Note(what, values))

    def set_task(self, **fields: Any) -> None:
        """Change the move that is being made."""
        self.task = replace(self.doing, **fields)

    def set_player(self, seat: int, **fields: Any) -> None:
        """Change what is known about one player."""
        self.players[seat] = replace(self.players[seat], **fields)

    def move(self, seat: int, number: int, at: str, heading: Heading = "up") -> None:
        """Put a piece somewhere else."""
        old = self.players[seat]
        pieces = (*old.pieces[:number], Piece(at, heading), *old.pieces[number + 1 :])
        self.players[seat] = Player(pieces, old.hand, old.points, old.misses)

    def move_and_beat(self, at: str, heading: Heading) -> None:
        """The moving piece ends on a field; whoever is there on a small field is beaten (LO-12, LO-13)."""
        seat, number = self.turn, self.doing.piece
        there = on_field(self, at) if at in self.board.single else ()
        self.move(seat, number, at, heading)
        for beaten in there:
            if beaten != (seat, number):
                self.move(*beaten, RESERVE)
                self.say("beats", whose=beaten[0], at=at)

    def play_cards(self, seat: int, cards: Sequence[int]) -> None:
        """Cards leave a hand, and the game (LO-16)."""
        self.set_player(seat, hand=without(self.players[seat].hand, cards))

    def draw_card(self, pile: Literal["chance", "success"]) -> str:
        """The top card of a pile, which then goes under it (LO-4)."""
        (card,) = self.draws.take(pile, 1)
        self.draws.under(pile, [card])
        unseen, under = getattr(self, f"{pile}_pile"), getattr(self, f"{pile}_under")
        setattr(self, f"{pile}_pile", max(unseen - 1, 0))
        setattr(self, f"{pile}_under", (*(under if unseen else under[1:]), card))
        return card

    def white_dice(self) -> tuple[int, int]:
        """Both white dice."""
        return self.draws.die(6), self.draws.die(6)

    def ask(self, what: str) -> None:
        """Ask the player whose turn it is."""
        self.asks = (Ask(self.turn, what),)

    def close(self) -> Step:
        """The finished position."""
        public = Public(
            players=tuple(self.players),
            standing=self.standing,
            start=self.start,
            turn=self.turn,
            turns=self.turns,
            home=self.home,
            throw=self.throw,
            task=self.task,
            chips=tuple(self.chips),
            chance_pile=self.chance_pile,
            chance_under=self.chance_under,
            success_pile=self.success_pile,
            success_under=self.success_under,
        )
        return Step(public, self.asks, tuple(self.log), self.result)
