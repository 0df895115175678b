"""The working copy on which a round is played: the public facts, the story, and who is asked next."""

from collections.abc import Sequence
from typing import Any, cast

from referee.game import Ask, Draws, Note, Result, Step, ranked

from .lookups import is_full, piece_at, put
from .types import KINDS, Deal, Field, Kind, Player, Public


class Scratch:
    """A position in the making. As long as nobody is asked and there is no result, play goes on."""

    __slots__ = (
        "bank", "dice", "draws", "idle", "log", "lot", "market", "pending", "players", "result", "standing", "terms",
        "thrown", "turn",
    )  # fmt: skip

    def __init__(self, terms: Deal, public: Public, draws: Draws) -> None:
        self.terms = terms
        self.market, self.bank, self.players = list(public.market), list(public.bank), list(public.players)
        self.standing, self.turn, self.dice = public.standing, public.turn, public.dice
        self.lot, self.idle = public.lot, public.idle
        self.draws = draws
        self.log: list[Note] = []
        self.pending: tuple[Ask, ...] = ()
        self.result: Result | None = None
        self.thrown = False
        """Whether dice have been thrown since the last answers."""

    @property
    def me(self) -> Player:
        """The player whose turn it is."""
        return self.players[self.turn]

    def tell(self, what: str, **values: Any) -> None:
        """Add a line to the story."""
        self.log.append(Note(what, values))

    def earn(self, seat: int, amount: int) -> None:
        """A player receives money, or pays it if the amount is negative."""
        player = self.players[seat]
        self.players[seat] = Player(player.money + amount, player.delivery, player.processing)

    def place(self, seat: int, field: Field, kind: Kind) -> None:
        """Put a piece on a field of a plant."""
        self.players[seat] = put(self.players[seat], field, kind)

    def lift(self, seat: int, field: Field) -> Kind:
        """Take the piece from a field of a plant."""
        kind = piece_at(self.players[seat], field)
        assert kind is not None, field
        self.players[seat] = put(self.players[seat], field, None)
        return kind

    def stock(self, kind: Kind, by: int) -> None:
        """The bank gains or loses pieces of a kind."""
        self.bank[KINDS.index(kind)] += by

    def ask(self, seats: Sequence[int], what: str, *sealed: str) -> None:
        """These seats decide now, all at the same time."""
        self.pending = tuple([Ask(seat, what, sealed) for seat in seats])

    def clockwise(self) -> list[int]:
        """All seats in order, beginning with the one whose turn it is."""
        return [*range(self.turn, self.terms.seats), *range(self.turn)]

    def end_if_full(self) -> None:
        """MK-11: enough full rows end the game at once."""
        rows = sum(is_full(self.terms, self, number) for number in range(len(self.market)))
        if rows >= self.terms.edition.full_rows:
            self.tell("full", rows=rows)
            self.finish()

    def finish(self) -> None:
        """MK-11: the most money wins; players with equal money share a rank."""
        self.result = ranked([(player.money,) for player in self.players])
        self.dice = ()

    def close(self) -> Step:
        """The finished position."""
        facts = tuple(self.market), tuple(self.bank), tuple(self.players), self.standing
        public = Public(*facts, self.turn, self.dice, self.lot, self.idle)
        return Step(public, self.pending, tuple(self.log), self.result)


def trial(terms: Deal, public: Public) -> Scratch:
    """A working copy on which to try moves that draw nothing."""
    return Scratch(terms, public, cast(Draws, None))
