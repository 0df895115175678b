"""The auction that a hammer brings: who may offer a piece, who may bid, and what becomes of the piece."""

from collections.abc import Collection, Mapping

from referee.errors import IllegalMove

from .actions import check_free
from .scratch import Scratch
from .tables import held, in_bank, is_processed, liquidation_value, lot_fields, lowest_bid, piece_at
from .types import Bid, Deal, Field, Kind, Lot, Offer, Public


def call(s: Scratch, kind: Kind) -> None:
    """MK-8, MK-14: a piece of this kind is to be auctioned; whoever holds one may offer it."""
    s.set(lot=Lot(kind))
    holders = [seat for seat in range(s.terms.seats) if held(s.terms, s.public.players[seat], kind)]
    if s.terms.options.offer and holders:
        s.ask(holders, "offer", "field")
    else:
        _from_bank(s, kind)


def check_offer(public: Public, seat: int, move: Offer) -> None:
    """MK-14: the piece is an own one of the kind that the dice show."""
    assert public.lot is not None
    kind = public.lot.kind
    if move.field is not None and piece_at(public.players[seat], move.field) != kind:
        raise IllegalMove(
            "MK-14", f"no {kind} lies on {move.field} of your plant", f"name a field with {kind}, or none"
        )


def offers(s: Scratch, answered: Collection[int]) -> None:
    """MK-14: the first willing one clockwise from the roller counts; the answers after it stay sealed."""
    lot = s.public.lot
    assert lot is not None
    for seat in s.clockwise():
        offer = s.draws.unseal(seat, "field") if seat in answered else Offer()
        check_offer(s.public, seat, offer)
        if offer.field is not None:
            s.tell("offers", seat=seat, kind=lot.kind, field=offer.field)
            _put_up(s, Lot(lot.kind, seat, offer.field))
            return
    s.tell("no offer")
    _from_bank(s, lot.kind)


def _from_bank(s: Scratch, kind: Kind) -> None:
    """MK-8: without a piece there is no auction."""
    if in_bank(s.public, kind):
        _put_up(s, Lot(kind))
    else:
        s.tell("no auction", kind=kind)
        s.set(lot=None)


def _put_up(s: Scratch, lot: Lot) -> None:
    """MK-10: whoever could pay and place the piece bids, all together; if nobody can, it is settled at once."""
    s.set(lot=lot)
    lowest = lowest_bid(s.terms, s.public, lot.kind)
    bidders = [
        seat
        for seat, player in enumerate(s.public.players)
        if seat != lot.owner and player.money >= lowest and lot_fields(s.terms, lot, player)
    ]
    if bidders:
        s.ask(bidders, "bid", "amount", "field")
    else:
        _settle(s, lot, {})


def check_bid(t: Deal, public: Public, seat: int, move: Bid) -> None:
    """MK-10, MK-15, MK-17: a pass, or enough money that is there and a free field for the piece."""
    _check_amount(t, public, seat, move.amount)
    if move.amount:
        _check_field(t, public, seat, move.field)
    elif move.field is not None:
        raise IllegalMove("MK-10", "who passes needs no field", "name no field, or bid")


def _check_amount(t: Deal, public: Public, seat: int, amount: int) -> None:
    lot, money = public.lot, public.players[seat].money
    assert lot is not None
    lowest = lowest_bid(t, public, lot.kind)
    if 0 < amount < lowest:
        clause = "MK-15" if t.options.liquidation else "MK-10"
        raise IllegalMove(clause, f"the lowest bid is {lowest}", f"bid {lowest} or more, or 0 to pass")
    if amount > money:
        raise IllegalMove("MK-10", f"you have only {money}", f"bid from {lowest} to {money}, or 0 to pass")


def _check_field(t: Deal, public: Public, seat: int, field: Field | None) -> Field:
    """The field that a bid names, if the piece can go there."""
    lot = public.lot
    assert lot is not None
    if field is None:
        raise IllegalMove("MK-10", "a bid needs a field for the piece", "name a free field of your plant")
    check_free(field, lot_fields(t, lot, public.players[seat]), "MK-17" if is_processed(lot) else "MK-10")
    return field


def bids(s: Scratch, asked: Collection[int], answered: Collection[int]) -> None:
    """MK-10: all amounts are opened together; of the fields only the winner's is ever shown."""
    lot = s.public.lot
    assert lot is not None
    amounts = {seat: s.draws.unseal(seat, "amount").amount if seat in answered else 0 for seat in sorted(asked)}
    for seat, amount in amounts.items():
        _check_amount(s.terms, s.public, seat, amount)
    s.tell("bids", kind=lot.kind, bids=tuple(amounts.items()))
    _settle(s, lot, amounts)


def _settle(s: Scratch, lot: Lot, amounts: Mapping[int, int]) -> None:
    """The highest bid wins; of equal ones the first clockwise from the roller (MK-10)."""
    winner = max(s.clockwise(), key=lambda seat: amounts.get(seat, 0))
    price = amounts.get(winner, 0)
    if not price:
        _unsold(s, lot)
        return
    field = _check_field(s.terms, s.public, winner, s.draws.unseal(winner, "field").field)
    s.earn(winner, -price)
    if lot.owner is None or lot.field is None:
        s.bank(lot.kind, -1)
        s.tell("wins", seat=winner, kind=lot.kind, price=price)
    else:
        s.lift(lot.owner, lot.field)
        s.earn(lot.owner, price)
        s.tell("wins from", seat=winner, kind=lot.kind, price=price, owner=lot.owner)
    s.place(winner, field, lot.kind)
    s.set(lot=None)


def _unsold(s: Scratch, lot: Lot) -> None:
    """MK-16: the bank buys an own piece for its liquidation value; where it does not bid, all stays as it was."""
    s.set(lot=None)
    if lot.owner is None or lot.field is None:
        s.tell("unsold", kind=lot.kind)
    elif not s.terms.options.liquidation:
        s.tell("kept", kind=lot.kind, owner=lot.owner)
    else:
        value = liquidation_value(s.terms, s.public, lot.kind)
        s.lift(lot.owner, lot.field)
        s.bank(lot.kind, 1)
        s.earn(lot.owner, value)
        s.tell("liquidated", kind=lot.kind, owner=lot.owner, price=value)
