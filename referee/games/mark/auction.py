"""The auction that a hammer brings: who may offer a piece, who may bid, and what becomes of the piece."""

from collections.abc import Mapping

from referee.errors import IllegalMove

from .actions import check_free
from .scratch import Scratch
from .tables import held, in_bank, is_processed, liquidation_value, lot_fields, lowest_bid, piece_at
from .types import Bid, Deal, Kind, Lot, Offer, Public


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


def offers(s: Scratch, answers: Mapping[int, Offer]) -> None:
    """MK-14: the first willing one clockwise from the roller counts; the others' answers stay sealed."""
    lot = s.public.lot
    assert lot is not None
    for seat in s.clockwise():
        field = answers[seat].field if seat in answers else None
        if field is not None:
            s.draws.show(seat)
            s.log.append(f"@{seat} offers {lot.kind} from {field}")
            _put_up(s, Lot(lot.kind, seat, field))
            return
    s.log.append("nobody offers a piece")
    _from_bank(s, lot.kind)


def _from_bank(s: Scratch, kind: Kind) -> None:
    """MK-8: without a piece there is no auction."""
    if in_bank(s.public, kind):
        _put_up(s, Lot(kind))
    else:
        s.log.append(f"the bank has no {kind}, there is no auction")
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
    lot, me = public.lot, public.players[seat]
    assert lot is not None
    if not move.amount:
        if move.field is not None:
            raise IllegalMove("MK-10", "who passes needs no field", "name no field, or bid")
        return
    lowest = lowest_bid(t, public, lot.kind)
    if move.amount < lowest:
        clause = "MK-15" if t.options.liquidation else "MK-10"
        raise IllegalMove(clause, f"the lowest bid is {lowest}", f"bid {lowest} or more, or 0 to pass")
    if move.amount > me.money:
        raise IllegalMove("MK-10", f"you have only {me.money}", f"bid from {lowest} to {me.money}, or 0 to pass")
    if move.field is None:
        raise IllegalMove("MK-10", "a bid needs a field for the piece", "name a free field of your plant")
    check_free(move.field, lot_fields(t, lot, me), "MK-17" if is_processed(lot) else "MK-10")


def bids(s: Scratch, answers: Mapping[int, Bid]) -> None:
    """MK-10: all bids are opened together."""
    assert s.public.lot is not None
    for seat in sorted(answers):
        s.draws.show(seat)
    told = ", ".join(f"@{seat} {answers[seat].amount or 'passes'}" for seat in sorted(answers))
    s.log.append(f"bids for {s.public.lot.kind}: {told}")
    _settle(s, s.public.lot, answers)


def _settle(s: Scratch, lot: Lot, answers: Mapping[int, Bid]) -> None:
    """The highest bid wins; of equal ones the first clockwise from the roller (MK-10)."""
    s.set(lot=None)
    bidders = [seat for seat in s.clockwise() if seat in answers and answers[seat].field is not None]
    if not bidders:
        _unsold(s, lot)
        return
    winner = max(bidders, key=lambda seat: answers[seat].amount)
    amount, field = answers[winner].amount, answers[winner].field
    assert field is not None
    s.earn(winner, -amount)
    if lot.owner is None or lot.field is None:
        s.bank(lot.kind, -1)
        s.log.append(f"@{winner} wins {lot.kind} for {amount} from the bank")
    else:
        s.lift(lot.owner, lot.field)
        s.earn(lot.owner, amount)
        s.log.append(f"@{winner} wins {lot.kind} for {amount} from @{lot.owner}")
    s.place(winner, field, lot.kind)


def _unsold(s: Scratch, lot: Lot) -> None:
    """MK-16: the bank buys an own piece for its liquidation value; where it does not bid, all stays as it was."""
    if lot.owner is None or lot.field is None:
        s.log.append(f"nobody bids, {lot.kind} stays with the bank")
    elif not s.terms.options.liquidation:
        s.log.append(f"nobody bids, {lot.kind} stays with @{lot.owner}")
    else:
        value = liquidation_value(s.terms, s.public, lot.kind)
        s.lift(lot.owner, lot.field)
        s.bank(lot.kind, 1)
        s.earn(lot.owner, value)
        s.log.append(f"nobody bids, the bank takes {lot.kind} from @{lot.owner} for {value}")
