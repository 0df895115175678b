"""The auction that a hammer brings: who may offer a piece, who may bid, and what becomes of the piece."""

from collections.abc import Collection, Mapping

from .actions import check_free
from .lookups import (
    free_fields,
    in_bank,
    is_processed,
    liquidation_value,
    lot_areas,
    lowest_bid,
    piece_at,
)
from .scratch import Scratch
from .types import Bid, Deal, Field, Kind, Lot, Offer, Player, Position, illegal


def call(s: Scratch, kind: Kind) -> None:
    """MK-8, MK-14, MK-22: a piece of this kind is to be auctioned; everybody who holds one may offer it."""
    s.lot = Lot(kind)
    holders = [seat for seat, player in enumerate(s.players) if kind in player.delivery + player.processing]
    asked = [seat for seat in holders if s.standing[seat].offer == "ask"]
    if not s.terms.options.offer or not holders:
        _from_bank(s, kind)
    elif asked:
        s.ask(asked, "offer", "field")
    else:
        _nobody_offers(s, kind)


def check_offer(p: Position, seat: int, move: Offer) -> None:
    """MK-14: the piece is the player's own, and of the kind that the dice show."""
    assert p.lot is not None
    kind = p.lot.kind
    if move.field is not None and piece_at(p.players[seat], move.field) != kind:
        raise illegal("MK-14", "not-that-kind", kind=kind, field=move.field)


def offers(s: Scratch, answered: Collection[int]) -> None:
    """MK-14: the first offer clockwise from the roller counts; the answers after it stay sealed."""
    lot = s.lot
    assert lot is not None
    for seat in s.clockwise():
        offer = s.draws.unseal(seat, "field") if seat in answered else Offer()
        check_offer(s, seat, offer)
        if offer.field is not None:
            s.tell("offers", seat=seat, kind=lot.kind, field=offer.field)
            _put_up(s, Lot(lot.kind, seat, offer.field))
            return
    _nobody_offers(s, lot.kind)


def _nobody_offers(s: Scratch, kind: Kind) -> None:
    s.tell("no offer")
    _from_bank(s, kind)


def _from_bank(s: Scratch, kind: Kind) -> None:
    """MK-8: without a piece there is no auction."""
    if in_bank(s, kind):
        _put_up(s, Lot(kind))
    else:
        s.tell("no auction", kind=kind)
        s.lot = None


def can_bid(t: Deal, p: Position, seat: int, lot: Lot) -> bool:
    """MK-10: not the player's own piece, money for the lowest bid, and room for the piece."""
    player: Player = p.players[seat]
    enough = player.money >= lowest_bid(t, p, lot.kind)
    return seat != lot.owner and enough and bool(free_fields(player, lot_areas(lot)))


def _put_up(s: Scratch, lot: Lot) -> None:
    """MK-10, MK-21: all who can bid and have not declined are asked together; if nobody can, it is settled at once."""
    s.lot = lot
    bidders = [seat for seat, words in enumerate(s.standing) if words.bid == "ask" and can_bid(s.terms, s, seat, lot)]
    if bidders:
        s.ask(bidders, "bid", "amount", "field")
    else:
        _settle(s, lot, {})


def check_bid(t: Deal, p: Position, seat: int, move: Bid) -> None:
    """MK-10, MK-15, MK-17: a pass, or a bid that is high enough and can be paid, with a free field for the piece."""
    if move.amount:
        _check_amount(t, p, seat, move.amount)
        _check_field(p, seat, move.field)
    elif move.field is not None:
        raise illegal("MK-10", "pass-with-field")


def _check_amount(t: Deal, p: Position, seat: int, amount: int) -> None:
    lot, money = p.lot, p.players[seat].money
    assert lot is not None
    lowest = lowest_bid(t, p, lot.kind)
    if 0 < amount < lowest:
        clause = "MK-15" if t.options.liquidation else "MK-10"
        raise illegal(clause, "bid-too-low", lowest=lowest)
    if amount > money:
        raise illegal("MK-10", "bid-too-high", lowest=lowest, money=money)


def _check_field(p: Position, seat: int, field: Field | None) -> Field:
    """The field that a bid names, if the piece can go there."""
    lot = p.lot
    assert lot is not None
    if field is None:
        raise illegal("MK-10", "bid-without-field")
    check_free(p.players[seat], field, lot_areas(lot), "MK-17" if is_processed(lot) else "MK-10")
    return field


def bids(s: Scratch, asked: Collection[int], answered: Collection[int]) -> None:
    """MK-10: all amounts are opened together; the winner's field is the only one ever shown."""
    lot = s.lot
    assert lot is not None
    amounts = {seat: s.draws.unseal(seat, "amount").amount if seat in answered else 0 for seat in sorted(asked)}
    for seat, amount in amounts.items():
        if amount:
            _check_amount(s.terms, s, seat, amount)
    s.tell("bids", kind=lot.kind, bids=tuple(amounts.items()))
    _settle(s, lot, amounts)


def _settle(s: Scratch, lot: Lot, amounts: Mapping[int, int]) -> None:
    """The highest bid wins; among equal ones, the first clockwise from the roller (MK-10)."""
    price = max(amounts.values(), default=0)
    if not price:
        _unsold(s, lot)
        return
    winner = next(seat for seat in s.clockwise() if amounts.get(seat) == price)
    field = _check_field(s, winner, s.draws.unseal(winner, "field").field)
    s.earn(winner, -price)
    if lot.owner is None or lot.field is None:
        s.stock(lot.kind, -1)
        s.tell("wins", seat=winner, kind=lot.kind, price=price)
    else:
        s.lift(lot.owner, lot.field)
        s.earn(lot.owner, price)
        s.tell("wins from", seat=winner, kind=lot.kind, price=price, owner=lot.owner)
    s.place(winner, field, lot.kind)
    s.lot = None


def _unsold(s: Scratch, lot: Lot) -> None:
    """MK-16: the bank buys a player's piece for its liquidation value; if it does not bid, nothing changes."""
    s.lot = None
    if lot.owner is None or lot.field is None:
        s.tell("unsold", kind=lot.kind)
    elif not s.terms.options.liquidation:
        s.tell("kept", kind=lot.kind, owner=lot.owner)
    else:
        value = liquidation_value(s.terms, s, lot.kind)
        s.lift(lot.owner, lot.field)
        s.stock(lot.kind, 1)
        s.earn(lot.owner, value)
        s.tell("liquidated", kind=lot.kind, owner=lot.owner, price=value)
