"""An account of a game kept from its story alone, and whole random games that are checked against it."""

import random
from collections import Counter
from typing import Any

from msgspec.structs import astuple

from referee.engine.book import Book
from referee.game import Note
from referee.games.schwarzer_freitag import GAME
from referee.games.schwarzer_freitag.types import COLOURS, Deal, Public
from referee.testing.sandbox import Sandbox

from .build import by_bot


class Ledger:
    """Prices, money, subsidies, debts and bars, calculated independently."""

    def __init__(self, terms: Deal) -> None:
        edition = self.edition = terms.edition
        row, column = edition.start_field
        self.prices = dict.fromkeys(COLOURS, edition.prices[row][column])
        self.silver = edition.silver_track[0]
        self.money, self.subsidies, self.debt, self.bars = ([0] * terms.seats for _ in range(4))

    def read(self, note: Note) -> None:
        """Enter one line of the story."""
        v, seat = note.values, note.values.get("seat", 0)
        match note.what:
            case "prices":
                for colour, before, after in v["moves"]:
                    assert self.prices[colour] == before
                    self.prices[colour] = after
            case "silver":
                assert self.silver == v["before"] < v["after"]
                self.silver = v["after"]
            case "buys" | "sells":
                assert v["amount"] == self.worth(v["shares"])
                self.money[seat] += v["amount"] if note.what == "sells" else -v["amount"]
            case "bars":
                assert v["amount"] == v["bars"] * self.silver
                self.money[seat] -= v["amount"]
                self.bars[seat] += v["bars"]
            case "subsidies":
                assert v["amount"] == v["number"] * self.edition.subsidy_pays
                self.subsidies[seat] += v["number"]
                self.money[seat] += v["amount"]
            case "debt paid":
                # The part that is due is paid alone if the money does not cover what was added in the turn.
                assert v["amount"] == self.debt[seat] or v["amount"] < self.debt[seat] > self.money[seat]
                self.money[seat] -= v["amount"]
                self.debt[seat] -= v["amount"]
            case "interest paid" | "interest owed":
                self.interest(seat, v["amount"], note.what == "interest paid")
            case "cash up":
                self.cash_up(seat, v)
        assert min(self.money) >= 0

    def worth(self, shares: list[str]) -> int:
        return sum(self.prices[colour] for colour in shares)

    def interest(self, seat: int, amount: int, paid: bool) -> None:
        assert amount == self.debt[seat] + self.subsidies[seat] * self.edition.interest
        assert paid == (amount <= self.money[seat])
        self.debt[seat] = 0 if paid else amount
        self.money[seat] -= amount if paid else 0

    def cash_up(self, seat: int, v: Any) -> None:
        self.subsidies[seat] += v["subsidies"]
        money = self.money[seat] + self.worth(v["shares"]) + v["subsidies"] * self.edition.subsidy_pays
        paid = min(self.debt[seat], money)
        self.debt[seat] -= paid
        self.money[seat] = money - paid - v["bars"] * self.silver
        assert self.money[seat] < self.silver
        self.bars[seat] += v["bars"]

    def assert_agrees(self, public: Public) -> None:
        table = self.edition.prices
        assert [table[row][column] for row, column in public.prices] == list(self.prices.values())
        assert self.edition.silver_track[public.silver] == self.silver
        for seat, player in enumerate(public.players):
            mine = (self.money[seat], self.subsidies[seat], self.debt[seat])
            assert (player.money, player.subsidies, player.debt) == mine
            assert (player.gold, player.silver) == divmod(self.bars[seat], self.edition.silver_per_gold)
            assert player.subsidies <= self.edition.stages[public.stage].subsidies


def content(box: Sandbox, bag: str) -> list[str]:
    """What is really in a container."""
    return [box.book.faces.get(slot) or box.faces[slot] for slot in Book(box.book, GAME.hands, box.seats).content(bag)]


def assert_cases_are_all_there(box: Sandbox) -> None:
    """Every case is in one place, and what is public about hidden ones is true."""
    public: Public = box.public
    e = box.terms.edition
    bag = content(box, "bag")
    hands = [content(box, f"hand/{seat}") for seat in range(box.seats)]
    places = [public.market, public.purchase, public.silver_strip, *public.sale, *(p.known for p in public.players)]
    hidden = Counter(face for hand in hands for face in hand) + Counter(bag)
    found = [sum(numbers) + hidden[c] for c, *numbers in zip(COLOURS, *map(astuple, places), strict=True)]
    assert found == [3 * e.sale_strip + e.market[box.seats - 2] + e.bag_base + box.seats] * 5
    assert (public.bag, public.bag_black) == (len(bag), bag.count("black"))
    black = public.bag_black + public.supply_black + public.stage_black + sum(public.sale_black)
    assert black == sum(e.sale_black) + len(e.stages) - 1
    assert [player.unknown for player in public.players] == [len(hand) for hand in hands]
    mover = public.players[public.turn]
    assert not public.due or mover.debt >= public.due > mover.money


def play_random(seed: str, terms: Deal, missed: float = 0.0, *, read: bool = True) -> Sandbox:
    """A whole random game, dealt and read back by every seat; `missed` is the share of deadlines that is missed."""
    rng, box, ledger = random.Random(seed), Sandbox(GAME, terms, seed, read=read), Ledger(terms)
    while True:
        assert_cases_are_all_there(box)
        ledger.assert_agrees(box.public)
        if not box.pending:
            return box
        (ask,) = box.pending
        move = None if rng.random() < missed else by_bot(terms, box.seen(ask.seat), rng)
        for note in box.answer({ask.seat: move}):
            ledger.read(note)
        assert box.number <= 2048
