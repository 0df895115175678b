"""Random games through the real dealer, read back by every seat in every round; nothing may get lost on the way."""

import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.engine.records import Die, Unseal
from referee.game import LINK, Ask, Note, Result, Step
from referee.games.mark import GAME
from referee.games.mark.story import tell
from referee.games.mark.types import KINDS, Bid, Deal, Edition, Move, Offer, Options, Public
from referee.testing.sandbox import Sandbox

from .build import EDITION, random_move, random_words

BANK = -1
PAYS = {"stores", "buys", "moves", "wins", "wins from"}
EARNS = {"sells", "liquidated"}
"""Lines about money: somebody pays or earns `price`; the other side is the bank unless an owner sells."""


def play_random(
    seed: object,
    seats: int,
    options: Mapping[str, bool],
    *,
    edition: Edition = EDITION,
    missed: float = 0.05,
    talk: float = 0.2,
) -> Sandbox:
    """Play a game to its end and check every step of it; each answer is missing with the chance `missed`, and with the
    chance `talk` it gives standing orders."""
    rng = random.Random(f"{seats}/{sorted(options.items())}/{seed}")
    terms = Deal(seats, Options(**options), edition)
    box = Sandbox(GAME, terms, str(rng.random()))
    accounts = Counter({BANK: 0} | dict.fromkeys(range(seats), edition.money))
    keep_accounts(accounts, box.log)
    while box.pending:
        before = Step(box.public, box.pending)
        asked = [ask.seat for ask in box.pending]
        missing = {ask.seat for ask in box.pending if ask.what == LINK or rng.random() < missed}
        answers = {seat: None if seat in missing else random_move(terms, box.seen(seat), rng) for seat in asked}
        said = {seat: random_words(rng) for seat, move in answers.items() if move and rng.random() < talk}
        standing = tuple(said.get(seat, words) for seat, words in enumerate(box.public.standing))
        box.public = replace(box.public, standing=standing)
        keep_accounts(accounts, box.answer(answers))
        assert_step(terms, box.public, box.pending, box.result)
        assert box.public.standing == standing
        assert sum(isinstance(op, Die) for op in box.ops) <= 2, "one throw of two dice (MK-23)"
        assert_only_what_counts_is_shown(before, answers, box.ops)
        assert [accounts[seat] for seat in range(seats)] == [player.money for player in box.public.players]
        assert sum(accounts.values()) == edition.money * seats
    assert_end(terms, box)
    assert_story(terms, box.log)
    return box


def assert_story(terms: Deal, log: Sequence[Note]) -> None:
    """Every line is data that can be written and read, and then gives the same sentence."""
    for note in log:
        sentence = tell(terms, note)
        assert re.fullmatch(r"[a-z0-9@,: ]+", sentence.replace("Mark", "mark"))
        assert tell(terms, msgspec.json.decode(msgspec.json.encode(note), type=Note)) == sentence


def assert_step(terms: Deal, public: Public, pending: Sequence[Ask], result: Result | None) -> None:
    """What must hold after every step."""
    assert_pieces_are_all_there(terms, public)
    assert all(player.money >= 0 for player in public.players)
    assert msgspec.json.decode(msgspec.json.encode(public), type=Public) == public
    assert bool(pending) == (result is None)
    assert_who_is_asked(terms, public, pending)


def assert_pieces_are_all_there(terms: Deal, public: Public) -> None:
    for number, kind in enumerate(KINDS):
        in_plants = sum((*player.delivery, *player.processing).count(kind) for player in public.players)
        in_market = sum(row.pieces for row in public.market if row.kind == kind)
        assert public.bank[number] >= 0
        assert public.bank[number] + in_plants + in_market == terms.edition.pieces
    reserved = [row.kind for row in public.market if row.kind is not None]
    assert len(reserved) == len(set(reserved))
    for row, values in zip(public.market, terms.edition.market, strict=True):
        assert row.pieces <= len(values)
        assert (row.pieces > 0) == (row.kind is not None)
    areas = {len(area) for player in public.players for area in (player.delivery, player.processing)}
    assert areas == {terms.edition.area}


def keep_accounts(accounts: Counter[int], log: Sequence[Note]) -> None:
    """Keep accounts of what everybody is told: each amount comes from somebody and goes to somebody."""
    for note in log:
        sign = -1 if note.what in PAYS else 1 if note.what in EARNS else 0
        if sign:
            sides = [note.values[who] for who in ("seat", "owner") if who in note.values]
            who, other = [*sides, BANK][:2]
            accounts[who] += sign * note.values["price"]
            accounts[other] -= sign * note.values["price"]


def assert_who_is_asked(terms: Deal, public: Public, pending: Sequence[Ask]) -> None:
    asked = {ask.seat for ask in pending}
    assert len({ask.what for ask in pending}) <= 1
    assert len(asked) == len(pending)
    what = pending[0].what if pending else ""
    assert (public.lot is not None) == (what in ("offer", "bid"))
    if what == "offer":
        assert public.lot is not None
        holders = [n for n, p in enumerate(public.players) if public.lot.kind in p.delivery + p.processing]
        holders = [seat for seat in holders if public.standing[seat].offer == "ask"]
        assert list(pending) == [Ask(seat, "offer", ("field",)) for seat in holders]
    elif what == "bid":
        assert {ask.sealed for ask in pending} == {("amount", "field")}
        able = {seat for seat in range(terms.seats) if could_bid(terms, public, seat)}
        assert asked == {seat for seat in able if public.standing[seat].bid == "ask"}
    elif what:
        assert asked == {public.turn}
        assert bool(public.dice) == (what not in ("turn", LINK))


def could_bid(terms: Deal, public: Public, seat: int) -> bool:
    lot, player = public.lot, public.players[seat]
    assert lot is not None
    lowest = terms.edition.unplaced_value if terms.options.liquidation else 0
    for row, values in zip(public.market, terms.edition.market, strict=True):
        if row.kind == lot.kind and terms.options.liquidation:
            lowest = (*values, 0)[row.pieces] // 2
    room = None in player.delivery or (None in player.processing and (lot.field or "d")[0] == "p")
    return seat != lot.owner and player.money >= (lowest or terms.edition.lowest_bid) and room


def assert_only_what_counts_is_shown(before: Step, answers: Mapping[int, Move | None], ops: Sequence[Any]) -> None:
    """Offers up to the one that counts; all amounts that were bid, in seat order, and the winner's field."""
    what, seats = before.pending[0].what, len(before.public.players)
    order = [(before.public.turn + step) % seats for step in range(seats)]
    expected: list[tuple[int, str]] = []
    if what == "bid":
        amounts = {seat: bid.amount for seat, bid in sorted(answers.items()) if isinstance(bid, Bid)}
        expected = [(seat, "amount") for seat in amounts]
        highest = max(amounts.values(), default=0)
        expected += [(seat, "field") for seat in order if highest and amounts.get(seat) == highest][:1]
    elif what == "offer":
        for seat in order:
            offer = answers.get(seat)
            if isinstance(offer, Offer):
                expected.append((seat, "field"))
                if offer.field is not None:
                    break
    assert [(op.seat, *op.fields) for op in ops if isinstance(op, Unseal)] == expected


def full_rows(terms: Deal, public: Public) -> int:
    return sum(row.pieces == len(values) for row, values in zip(public.market, terms.edition.market, strict=True))


def assert_end(terms: Deal, box: Sandbox) -> None:
    edition = terms.edition
    idle = box.public.idle == edition.idle_rounds * terms.seats
    assert full_rows(terms, box.public) == edition.full_rows or idle
    money = [player.money for player in box.public.players]
    assert box.result is not None
    assert box.result.scores == tuple((amount,) for amount in money)
    assert box.result.ranks == tuple(sorted(money, reverse=True).index(amount) + 1 for amount in money)
