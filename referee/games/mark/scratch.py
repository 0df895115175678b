"""The working copy on which a round is played: the public facts, what is told, and who is asked next."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from referee.game import Ask, Draws, Note, Result, Step, note, ranked

from .tables import is_full, piece_at, put
from .types import KINDS, Deal, Field, Kind, Player, Public


class Scratch:
    """A position in the making. As long as nobody is asked and there is no result, the play runs on."""

    __slots__ = ("draws", "log", "pending", "public", "result", "terms")

    def __init__(self, terms: Deal, public: Public, draws: Draws) -> None:
        self.terms = terms
        self.public = public
        self.draws = draws
        self.log: list[Note] = []
        self.pending: tuple[Ask, ...] = ()
        self.result: Result | None = None

    @property
    def seat(self) -> int:
        """Whose turn it is."""
        return self.public.turn

    @property
    def me(self) -> Player:
        """The player whose turn it is."""
        return self.public.players[self.public.turn]

    def tell(self, what: str, **values: Any) -> None:
        """One more line of the story."""
        self.log.append(note(what, **values))

    def set(self, **fields: Any) -> None:
        """Change public facts."""
        self.public = replace(self.public, **fields)

    def set_player(self, seat: int, player: Player) -> None:
        players = list(self.public.players)
        players[seat] = player
        self.set(players=tuple(players))

    def earn(self, seat: int, amount: int) -> None:
        """A player gets money, or pays it if the amount is negative."""
        player = self.public.players[seat]
        self.set_player(seat, replace(player, money=player.money + amount))

    def place(self, seat: int, field: Field, kind: Kind) -> None:
        """Put a piece on a field of a plant."""
        self.set_player(seat, put(self.public.players[seat], field, kind))

    def lift(self, seat: int, field: Field) -> Kind:
        """Take the piece from a field of a plant."""
        player = self.public.players[seat]
        kind = piece_at(player, field)
        assert kind is not None, f"no piece on {field}"
        self.set_player(seat, put(player, field, None))
        return kind

    def bank(self, kind: Kind, by: int) -> None:
        """The bank gains or loses pieces of a kind."""
        bank = list(self.public.bank)
        bank[KINDS.index(kind)] += by
        self.set(bank=tuple(bank))

    def ask(self, seats: Sequence[int], what: str, *sealed: str) -> None:
        """These seats decide now, all together."""
        self.pending = tuple(Ask(seat, what, sealed) for seat in seats)

    def clockwise(self) -> list[int]:
        """All seats in order, whose turn it is first."""
        return [(self.seat + step) % self.terms.seats for step in range(self.terms.seats)]

    def end_if_full(self) -> None:
        """MK-11: enough full rows end the game at once."""
        rows = sum(is_full(self.terms, self.public, number) for number in range(len(self.public.market)))
        if rows >= self.terms.edition.full_rows:
            self.tell("full", rows=rows)
            self.finish()

    def finish(self) -> None:
        """MK-11: most money wins, equal money shares the rank."""
        self.result = ranked([(player.money,) for player in self.public.players])
        self.set(dice=())

    def close(self) -> Step:
        """The finished position."""
        return Step(self.public, self.pending, tuple(self.log), self.result)
