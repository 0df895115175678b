"""The working copy on which a move is played: by `apply` for real, by `check` only as far as is needed to judge it."""

from collections.abc import Sequence
from typing import Any, Literal

from msgspec.structs import replace

from referee.game import Ask, Note, Result, Step

from .lookups import AT, NO_CASES, ONE, add, card_for, colours_in, count, moved, strip_full, sub, total
from .types import Card, Cases, Colour, Deal, Player, Public, illegal

Strip = Literal["purchase", "silver_strip", "sale"]


class Scratch:
    """A position in the making.

    `full` names the strip that triggers a price change. The change waits until everything that the player wrote has
    been judged, so that nothing is judged by what is drawn. `hand` holds the hidden cases of the player to move, if
    it is that player who looks; without it, only public facts count. `shown` holds those that the move reveals.
    """

    __slots__ = ("full", "hand", "log", "public", "result", "shown", "terms")

    def __init__(self, terms: Deal, public: Public, hand: Cases | None = None) -> None:
        self.terms = terms
        self.public = public
        self.hand = hand
        self.shown = NO_CASES
        self.full: Strip | None = None
        self.log: list[Note] = []
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
        self.log.append(Note(what, values))

    def set(self, **fields: Any) -> None:
        """Change public facts."""
        self.public = replace(self.public, **fields)

    def set_player(self, seat: int, **fields: Any) -> None:
        """Change what is known about one player."""
        players = list(self.public.players)
        players[seat] = replace(players[seat], **fields)
        self.public = replace(self.public, players=tuple(players))

    def receive(self, amount: int) -> None:
        """The player to move gets money; a debt, or the part of it that is due, is paid from it at once (SF-29)."""
        money, debt = self.me.money + amount, self.me.debt
        paid = debt if debt <= money else self.public.due if self.public.due <= money else 0
        self.set_player(self.seat, money=money - paid, debt=debt - paid)
        if paid:
            self.note("debt paid", seat=self.seat, amount=paid)
            self.set(due=0)

    def spend_card(self, use: Card) -> None:
        """Use a card once; it is then gone (SF-13)."""
        spent = card_for(self.me, use)
        if spent is None:
            raise illegal("SF-13", "no-card", use=use)
        at = self.me.cards.index(spent)
        self.set_player(self.seat, cards=self.me.cards[:at] + self.me.cards[at + 1 :])
        self.note("card", seat=self.seat, use=use)

    def move_prices(self, why: str, moves: Sequence[tuple[Colour, int, int]]) -> None:
        """Move price markers this many fields up, then right; the story gives the prices before and after."""
        prices, told, table = list(self.public.prices), [], self.terms.edition.prices
        for colour, up, right in moves:
            at = AT[colour]
            row, column = before = prices[at]
            prices[at] = after = moved(self.terms.edition, before, up, right)
            told.append((colour, table[row][column], table[after[0]][after[1]]))
        self.set(prices=tuple(prices))
        self.note("prices", why=why, moves=told)

    def raise_silver(self, steps: int) -> None:
        """Raise the silver price; steps beyond the end of the track are ignored (SF-39)."""
        track = self.terms.edition.silver_track
        after = min(self.public.silver + steps, len(track) - 1)
        if after > self.public.silver:
            self.note("silver", before=track[self.public.silver], after=track[after])
            self.set(silver=after)

    def leave_market(self, cases: Cases) -> None:
        """Cases leave the market; where the last of a colour goes, its price moves right (SF-23)."""
        market = sub(self.public.market, cases)
        self.set(market=market)
        for colour in colours_in(cases):
            if not count(market, colour):
                self.move_prices("last", [(colour, 0, 1)])

    def place(self, colour: Colour, strip: Literal["purchase", "silver_strip"]) -> None:
        """Put a market case on a strip: the third of a colour moves its price (SF-24), a full strip all (SF-27)."""
        self.leave_market(ONE[colour])
        cases: Cases = add(getattr(self.public, strip), ONE[colour])
        self.set(**{strip: cases})
        if count(cases, colour) == self.terms.edition.three:
            self.move_prices("three", [(colour, 0, 1)])
        if total(cases) >= strip_full(self.terms):
            self.full = strip

    def close(self, what: str) -> Step:
        """The finished position; the seat to move is asked for `what` unless the game is over."""
        pending = () if self.result else (Ask(self.seat, what),)
        return Step(self.public, pending, tuple(self.log), self.result)
