"""The working copy on which a move is played: the public position, the draws, and who is asked what next."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from referee.game import LINK, Ask, Draws, Note, Result, Step, note

from .types import Deal, Player, Public

SEALED: dict[str, tuple[str, ...]] = {"swap": ("give",), "find": ("ranking",)}
"""The parts of an answer that nobody else gets to know (SM-16, SM-18)."""


class Scratch:
    """A position in the making. Hands are the containers `goods/SEAT` and `cards/SEAT`, piles `goods` and `cards`."""

    __slots__ = ("asked", "draws", "log", "public", "result", "terms")

    def __init__(self, terms: Deal, public: Public, draws: Draws) -> None:
        self.terms = terms
        self.public = public
        self.draws = draws
        self.log: list[Note] = []
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

    def note(self, what: str, **values: Any) -> None:
        """Add a line to the story."""
        self.log.append(note(what, **values))

    def set(self, **fields: Any) -> None:
        """Change public facts."""
        self.public = replace(self.public, **fields)

    def pay(self, luxury: int) -> None:
        """The player who decides now gets luxury, or loses some."""
        players = list(self.public.players)
        players[self.seat] = replace(self.me, luxury=self.me.luxury + luxury)
        self.set(players=tuple(players))

    def recount(self) -> None:
        """Say how many cards lie in hands and piles; what is drawn from under a pile leaves it in order."""
        public, count = self.public, self.draws.count
        goods, cards = count("goods"), count("cards")
        under = public.card_under[max(0, len(public.card_under) - cards) :]
        self.set(
            players=tuple(
                replace(player, goods=count(f"goods/{seat}"), cards=count(f"cards/{seat}"))
                for seat, player in enumerate(public.players)
            ),
            goods_pile=goods - len(public.goods_under),
            card_pile=cards - len(under),
            card_under=under,
        )

    def show(self, hand: str, face: str | None) -> str:
        """A card leaves a hand of the player who decides now openly: this one, or if None one that the seed picks."""
        bag = f"{hand}/{self.seat}"
        if face is None:
            (face,) = self.draws.take(bag, 1)
        else:
            self.draws.lay_out(bag, [face])
        return face

    def goods_under(self, faces: Sequence[str]) -> None:
        """Goods cards go openly under the pile."""
        self.draws.under("goods", faces)
        self.set(goods_under=(*self.public.goods_under, *faces))

    def cards_under(self, cards: Sequence[str]) -> None:
        """Black-market cards go openly under their pile."""
        self.draws.under("cards", cards)
        self.set(card_under=(*self.public.card_under, *cards))

    def shuffle_goods(self) -> None:
        """From now on nobody knows where a card of the goods pile lies."""
        self.draws.shuffle("goods")
        self.set(goods_under=())

    def close(self) -> Step:
        """The finished step."""
        self.recount()
        if self.result:
            pending: tuple[Ask, ...] = ()
        elif self.asked == LINK:
            pending = tuple(Ask(seat, LINK) for seat in range(self.terms.seats))
        else:
            pending = (Ask(self.seat, self.asked, SEALED.get(self.asked, ())),)
        return Step(self.public, pending, tuple(self.log), self.result)
