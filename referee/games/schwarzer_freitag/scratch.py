"""The working copy on which a move is played: by `apply` for good, before that and by `check` as a trial."""

from collections.abc import Sequence
from typing import Any, Literal

from msgspec.structs import replace

from referee.errors import IllegalMove
from referee.game import Ask, Draws, Note, Result, Step, note

from .change import price_change
from .tables import ONE, add, card_for, colours_in, count, moved, price, strip_full, sub, total
from .types import COLOURS, Card, Cases, Colour, Deal, Player, Public


class Scratch:
    """A position in the making.

    Without `draws` it is a trial. A trial notes that a price change would come (`changed`) and goes on without it,
    so nothing it finds out depends on a draw. `hand` has the hidden cases of the player to move if it is that
    player's own trial; without it only public facts count.
    """

    __slots__ = ("changed", "draws", "hand", "log", "public", "result", "terms")

    def __init__(self, terms: Deal, public: Public, *, hand: Cases | None = None, draws: Draws | None = None) -> None:
        self.terms = terms
        self.public = public
        self.hand = hand
        self.draws = draws
        self.log: list[Note] = []
        self.changed = False
        self.result: Result | None = None

    @property
    def seat(self) -> int:
        return self.public.turn

    @property
    def me(self) -> Player:
        """The player to move."""
        return self.public.players[self.public.turn]

    @property
    def over(self) -> bool:
        """Has the silver price reached the end of its track (SF-39)?"""
        return self.public.silver == len(self.terms.edition.silver_track) - 1

    def note(self, what: str, **values: Any) -> None:
        """Add a line to the story."""
        self.log.append(note(what, **values))

    def set(self, **fields: Any) -> None:
        """Change public facts."""
        self.public = replace(self.public, **fields)

    def set_player(self, seat: int, **fields: Any) -> None:
        """Change what is known of one player."""
        players = list(self.public.players)
        players[seat] = replace(players[seat], **fields)
        self.public = replace(self.public, players=tuple(players))

    def receive(self, amount: int) -> None:
        """The player to move gets money; a debt is paid by itself as soon as money covers it (SF-29)."""
        self.set_player(self.seat, money=self.me.money + amount)
        if 0 < self.me.debt <= self.me.money:
            self.note("debt paid", seat=self.seat, amount=self.me.debt)
            self.set_player(self.seat, money=self.me.money - self.me.debt, debt=0)
            self.set(in_debt=False)

    def spend_card(self, use: Card) -> None:
        """One use of one card, then it is gone (SF-13)."""
        spent = card_for(self.me, use)
        if spent is None:
            raise IllegalMove("SF-13", f"you have no card for {use} left", "play without the card")
        at = self.me.cards.index(spent)
        self.set_player(self.seat, cards=self.me.cards[:at] + self.me.cards[at + 1 :])
        self.note("card", seat=self.seat, use=use)

    def move_prices(self, why: str, moves: Sequence[tuple[Colour, int, int]]) -> None:
        """Move price markers so many fields up, then right; the story tells the prices before and after."""
        prices, told = list(self.public.prices), []
        for colour, up, right in moves:
            at, before = COLOURS.index(colour), price(self.terms, self.public, colour)
            row, column = prices[at] = moved(self.terms.edition, prices[at], up, right)
            told.append((colour, before, self.terms.edition.prices[row][column]))
        self.set(prices=tuple(prices))
        self.note("prices", why=why, moves=told)

    def raise_silver(self, steps: int) -> None:
        """Steps beyond the end of the track are ignored (SF-39)."""
        track = self.terms.edition.silver_track
        after = min(self.public.silver + steps, len(track) - 1)
        if after > self.public.silver:
            self.note("silver", before=track[self.public.silver], after=track[after])
            self.set(silver=after)

    def leave_market(self, cases: Cases) -> None:
        """Cases leave the market; where the last of a colour goes, its price moves right (SF-23)."""
        self.set(market=sub(self.public.market, cases))
        for colour in colours_in(cases):
            if not count(self.public.market, colour):
                self.move_prices("last", [(colour, 0, 1)])

    def place(self, colour: Colour, strip: Literal["purchase", "silver_strip"]) -> None:
        """One market case on a strip: the third of a colour moves its price (SF-24), a full strip all (SF-27)."""
        self.leave_market(ONE[colour])
        cases: Cases = add(getattr(self.public, strip), ONE[colour])
        self.set(**{strip: cases})
        if count(cases, colour) == self.terms.edition.three:
            self.move_prices("three", [(colour, 0, 1)])
        if total(cases) >= strip_full(self.terms):
            price_change(self, strip)

    def close(self, what: str) -> Step:
        """The finished position; the seat to move is asked for `what` unless the game is over."""
        pending = () if self.result else (Ask(self.seat, what),)
        return Step(self.public, pending, tuple(self.log), self.result)
