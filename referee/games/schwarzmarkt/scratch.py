"""The working copy on which a move is played. It keeps what everybody sees in step with the containers of the draws."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from referee.game import NOBODY, Ask, Draws, Position, Result, Step

from .tables import add, amounts_of, faces_of, sub, total
from .types import Amounts, Deal, Good, Hidden, Own, Player, Public

SEALED: dict[str, tuple[str, ...]] = {"swap": ("give",), "find": ("ranking",)}
"""The parts of an answer that nobody else gets to know (SM-16, SM-18)."""


class Scratch:
    """A position in the making: every public fact, all hands, and who is asked what next."""

    __slots__ = ("asked", "cards", "draws", "goods", "log", "public", "result", "terms")

    def __init__(self, terms: Deal, public: Public, own: Sequence[Own], draws: Draws) -> None:
        self.terms = terms
        self.public = public
        self.goods = [hand.goods for hand in own]
        self.cards = [hand.cards for hand in own]
        self.draws = draws
        self.log: list[str] = []
        self.asked = ""
        self.result: Result | None = None

    @property
    def seat(self) -> int:
        """Who decides now."""
        return self.public.turn

    @property
    def me(self) -> Player:
        """The player who decides now."""
        return self.public.players[self.public.turn]

    def set(self, **fields: Any) -> None:
        """Change public facts."""
        self.public = replace(self.public, **fields)

    def set_player(self, seat: int, **fields: Any) -> None:
        """Change what is known of one player."""
        players = list(self.public.players)
        players[seat] = replace(players[seat], **fields)
        self.public = replace(self.public, players=tuple(players))

    def hold(self, seat: int, goods: Amounts) -> None:
        """From now on this seat holds these goods."""
        self.goods[seat] = goods
        self.set_player(seat, goods=total(goods))

    def seal_goods(self, seat: int) -> None:
        """Seal a hand of goods anew, so that nobody else can tell its cards apart."""
        self.draws.seal(f"goods/{seat}", faces_of(self.goods[seat]), owner=seat)

    def lay_out(self, seat: int, faces: Sequence[Good]) -> None:
        """Goods cards leave a hand openly."""
        self.draws.open(f"goods/{seat}", faces)
        self.hold(seat, sub(self.goods[seat], amounts_of(faces)))

    def goods_under(self, faces: Sequence[Good]) -> None:
        """Goods cards go openly under the pile."""
        if faces:
            self.draws.under("goods", faces)
            self.set(goods_under=(*self.public.goods_under, *faces))

    def shuffle_goods(self, faces: Sequence[str]) -> None:
        """The goods pile holds these cards from now on, and nobody knows where."""
        self.draws.seal("goods", faces, NOBODY)
        self.set(goods_pile=len(faces), goods_under=())

    def deal_goods(self, seat: int, number: int) -> None:
        """Goods cards from the pile, which was just shuffled."""
        faces = self.draws.take("goods", number, to=seat, into=f"goods/{seat}")
        self.set(goods_pile=self.public.goods_pile - number)
        self.hold(seat, add(self.goods[seat], amounts_of(faces)))

    def exchange_card(self, seat: int, card: str) -> None:
        """A black-market card is played openly and a new one drawn, which nobody can tell from the old ones (SM-5)."""
        hand = f"cards/{seat}"
        self.draws.open(hand, [card])
        (drawn,) = self.draws.take("cards", 1, to=seat, into=hand)
        left = [held for held in self.cards[seat] if held != card]
        self.cards[seat] = tuple(sorted([*left, drawn]))
        self.draws.seal(hand, self.cards[seat], owner=seat)
        if self.public.card_pile:
            self.set(card_pile=self.public.card_pile - 1)
        else:
            self.set(card_under=self.public.card_under[1:])

    def cards_under(self, cards: Sequence[str]) -> None:
        """Black-market cards go openly under their pile."""
        if cards:
            self.draws.under("cards", cards)
            self.set(card_under=(*self.public.card_under, *cards))

    def close(self) -> Step:
        """The finished position."""
        pending = () if self.result else (Ask(self.seat, self.asked, SEALED.get(self.asked, ())),)
        own = tuple(map(Own, self.goods, self.cards))
        return Step(Position(self.public, own, Hidden(), pending, self.result), tuple(self.log))
