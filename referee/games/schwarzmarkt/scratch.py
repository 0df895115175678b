"""The working copy on which a move is played: the public position, the draws, and who is asked what next."""

from collections.abc import Sequence
from typing import Any

from referee.game import LINK, Ask, Draws, Note, Result, Step

from .types import Deal, Good, Player, Public

SEALED: dict[str, tuple[str, ...]] = {"swap": ("give",), "find": ("ranking",)}
"""The parts of an answer that nobody else learns (SM-16, SM-18)."""


class Scratch:
    """A position in the making, with the same fields as `Public`, but they can be set.

    Hands are the containers `goods/SEAT` and `cards/SEAT`, piles `goods` and `cards`.
    """

    __slots__ = (*Public.__struct_fields__, "asked", "draws", "log", "result", "terms")

    def __init__(self, terms: Deal, public: Public, draws: Draws) -> None:
        self.terms = terms
        self.draws = draws
        self.log: list[Note] = []
        self.asked = ""
        self.result: Result | None = None
        self.players = list(public.players)
        self.half = public.half
        self.start = public.start
        self.turn = public.turn
        self.marker = public.marker
        self.offer = public.offer
        self.wanted = public.wanted
        self.in_force = public.in_force
        self.spoiled = public.spoiled
        self.traded = public.traded
        self.sitting_out = public.sitting_out
        self.standing = public.standing
        self.goods_pile = public.goods_pile
        self.goods_under = public.goods_under
        self.card_pile = public.card_pile
        self.card_under = public.card_under
        self.played = public.played
        self.idle = public.idle
        self.finisher = public.finisher

    @property
    def me(self) -> Player:
        """The player who decides now."""
        return self.players[self.turn]

    def note(self, what: str, **values: Any) -> None:
        """Add a line to the story."""
        self.log.append(Note(what, values))

    def change(self, seat: int, *, luxury: int = 0, goods: int = 0, cards: int = 0) -> None:
        """A player gains this much, or loses it if a number is negative."""
        old = self.players[seat]
        self.players[seat] = Player(old.luxury + luxury, old.goods + goods, old.cards + cards, old.traded_in)

    def trade_in(self, number: int, paid: int) -> None:
        """The player who decides now has traded in goods cards for this much luxury."""
        me = self.me
        self.players[self.turn] = Player(me.luxury + paid, me.goods - number, me.cards, me.traded_in + number)

    def put_goods_under(self, faces: Sequence[Good]) -> None:
        """Goods cards go openly under the pile."""
        self.draws.under("goods", faces)
        self.goods_under = (*self.goods_under, *faces)

    def put_cards_under(self, cards: Sequence[str]) -> None:
        """Black-market cards go openly under their pile."""
        self.draws.under("cards", cards)
        self.card_under = (*self.card_under, *cards)

    def draw_card(self) -> None:
        """The player who decides now draws a black-market card; those under the pile come last, in order."""
        self.draws.deal("cards", 1, f"cards/{self.turn}")
        self.change(self.turn, cards=1)
        if self.card_pile:
            self.card_pile -= 1
        else:
            self.card_under = self.card_under[1:]

    def shuffle_goods(self) -> None:
        """From now on, nobody knows where in the pile any goods card lies."""
        self.draws.shuffle("goods")
        self.goods_pile += len(self.goods_under)
        self.goods_under = ()

    def close(self) -> Step:
        """The finished step."""
        if self.result:
            pending: tuple[Ask, ...] = ()
        elif self.asked == LINK:
            pending = tuple(Ask(seat, LINK) for seat in range(self.terms.seats))
        else:
            pending = (Ask(self.turn, self.asked, SEALED.get(self.asked, ())),)
        public = Public(
            tuple(self.players),
            self.half,
            self.start,
            self.turn,
            self.marker,
            self.offer,
            self.wanted,
            self.in_force,
            self.spoiled,
            self.traded,
            self.sitting_out,
            self.standing,
            self.goods_pile,
            self.goods_under,
            self.card_pile,
            self.card_under,
            self.played,
            self.idle,
            self.finisher,
        )
        return Step(public, pending, tuple(self.log), self.result)
