"""Two scripted players: `random` tries everything the rules allow, `sensible` weighs what its plant is worth."""

from collections.abc import Container, Sequence
from typing import cast

from msgspec.structs import replace

from referee.game import Below, Draws, ask_of

from .actions import act, actions, purchase, purchases
from .scratch import Scratch
from .tables import (
    DELIVERY,
    face,
    fields,
    free_rows,
    held,
    in_bank,
    is_double,
    liquidation_value,
    lot_fields,
    lowest_bid,
    next_to,
    piece_at,
    put,
    rolled_kinds,
    row_of,
)
from .types import (
    KINDS,
    Action,
    Bid,
    Buy,
    Deal,
    Field,
    Kind,
    Lot,
    Move,
    Name,
    Nothing,
    Offer,
    Public,
    Roll,
    Shift,
    Sight,
)
from .words import options

DELIVERED = 0.3
"""What part of its market value a piece in the delivery area is worth."""
PROCESSED = 0.7
"""The same in the processing area."""
CROWDED = 2.0
"""For how many turns a well-filled area is expected to cost storage."""
LATE = 8
"""So many pieces before the end of the game, pieces in a plant begin to lose their worth."""
WASTE = 1.5
"""What each step costs that a worthless piece still has to go out of the plant."""
VICTORY, DEFEAT = 50, 10
"""How much it is worth to end the game with the most money, and to put it off without."""
SHADE = 0.75
"""What part of its gain a bidder offers."""
SECOND = 0.7
"""What the second action of a double is worth, measured by the first."""


def random_move(terms: Deal, seen: Sight, below: Below) -> Move:
    """Every legal move is equally likely, every amount of a bid on every field included."""
    moves = options(terms, seen)
    lot = seen.public.lot
    if lot is None or not isinstance(moves[-1], Bid):
        return moves[below(len(moves))]
    fields = lot_fields(terms, lot, seen.public.players[seen.seat])
    lowest = lowest_bid(terms, seen.public, lot.kind)
    amounts = seen.public.players[seen.seat].money - lowest + 1
    number = below(1 + amounts * len(fields))
    return (
        Bid(lowest + number // len(fields), fields[number % len(fields)])
        if number < amounts * len(fields)
        else moves[-1]
    )


def sensible_move(terms: Deal, seen: Sight, below: Below) -> Move:
    """The move after which money and plant are worth most; it leaves nothing to chance."""
    ask, public, seat = ask_of(seen.pending, seen.seat), seen.public, seen.seat
    assert ask is not None, "only who is asked moves"
    if ask.what == "turn":
        return _turn(terms, public)
    if ask.what == "name":
        return Name(max(KINDS, key=lambda kind: _interest(terms, public, seat, kind)))
    if public.lot is None:
        gain, action = _best(terms, public, rolled_kinds(public.dice))
        return action if action and gain > 0 else Nothing()
    if ask.what == "offer":
        gain, field = _offer(terms, public, seat, public.lot.kind)
        return Offer(field if gain > 0 else None)
    return _bid(terms, public, seat, public.lot)


# --- what things are worth -------------------------------------------------------------------------------------------


def worth(terms: Deal, public: Public, seat: int, hope: float) -> float:
    """Money, and what the pieces in the plant can be hoped to bring, less the storage they are about to cost."""
    player = public.players[seat]
    if not missing(terms, public):
        leads = player.money >= max(other.money for other in public.players)
        return player.money + (VICTORY if leads else -DEFEAT)
    total = float(player.money)
    for kind in KINDS:
        values = prospects(terms, public, kind)
        processed, delivered = player.processing.count(kind), player.delivery.count(kind)
        for number in range(processed + delivered):
            done = number < processed
            if number < len(values):
                total += hope * values[number] * (PROCESSED if done else DELIVERED)
            else:
                total -= WASTE if done else 2 * WASTE
    for area in (player.delivery, player.processing):
        if len(area) - area.count(None) >= terms.edition.storage_from:
            total -= CROWDED * terms.edition.storage
    reach = sum(len(next_to(terms, player, field)) for field in fields(terms, DELIVERY) if piece_at(player, field))
    return total + 0.01 * reach


def outlook(terms: Deal, public: Public) -> float:
    """How likely it is that pieces in a plant can still be sold: 1 until the end comes near."""
    return min(1.0, missing(terms, public) / LATE)


def missing(terms: Deal, public: Public) -> int:
    """How many pieces at least must still be sold until the game ends (MK-11)."""
    open_fields = sorted(
        len(values) - row.pieces for values, row in zip(terms.edition.market, public.market, strict=True)
    )
    return sum(open_fields[: terms.edition.full_rows])


def prospects(terms: Deal, public: Public, kind: Kind) -> Sequence[float]:
    """What the next pieces of a kind bring, one after the other; the average of the free rows before the first."""
    number = row_of(public, kind)
    if number is not None:
        return terms.edition.market[number][public.market[number].pieces :]
    rows = [terms.edition.market[row] for row in free_rows(public)]
    return [sum(values) / len(values) for values in zip(*rows, strict=False)]


def _after(terms: Deal, public: Public, move: Action | Buy | Shift) -> Public:
    """The position after a move of the player whose turn it is; none of these moves draws."""
    scratch = Scratch(terms, public, cast(Draws, None))
    if isinstance(move, Buy | Shift):
        purchase(scratch, move)
    else:
        act(scratch, move)
    return scratch.public


def _best(terms: Deal, public: Public, kinds: Sequence[Kind]) -> tuple[float, Action | None]:
    """The most that an action with one of these kinds gains, and the action; 0 and None for doing nothing."""
    hope = outlook(terms, public)
    now = worth(terms, public, public.turn, hope)
    best: tuple[float, Action | None] = 0.0, None
    for action in actions(terms, public, kinds):
        gain = worth(terms, _after(terms, public, action), public.turn, hope) - now
        if gain > best[0]:
            best = gain, action
    return best


# --- decisions -------------------------------------------------------------------------------------------------------


def _turn(terms: Deal, public: Public) -> Move:
    """Roll, unless something that can be bought is better than what a roll can be hoped to bring."""
    hope = outlook(terms, public)
    now = worth(terms, public, public.turn, hope)
    best: tuple[float, Move] = _hope(terms, public), Roll()
    for move in purchases(terms, public):
        gain = worth(terms, _after(terms, public, move), public.turn, hope) - now
        if gain > best[0]:
            best = gain, move
    return best[1]


def _hope(terms: Deal, public: Public) -> float:
    """What a roll gains on average; a hammer is followed by another one."""
    gains = {kind: _best(terms, public, (kind,))[0] for kind in KINDS}
    sides = range(1, len(KINDS) + 2)
    total = 0.0
    for first in KINDS:
        for second in (face(number, "star") for number in sides):
            gain = max(gains[kind] for kind in rolled_kinds((first, second)))
            total += gain * (1 + SECOND * is_double((first, second)))
    return total / (len(KINDS) * len(sides))


def _value(terms: Deal, public: Public, seat: int, lot: Lot) -> tuple[float, Field | None]:
    """What the piece is worth to a bidder, and the best field for it."""
    player, hope = public.players[seat], outlook(terms, public)
    now = worth(terms, public, seat, hope)
    found: list[tuple[float, Field | None]] = [
        (worth(terms, _with(public, seat, field, lot.kind), seat, hope) - now, field)
        for field in lot_fields(terms, lot, player)
    ]
    return max(found, key=lambda one: one[0], default=(0.0, None))


def _with(public: Public, seat: int, field: Field, kind: Kind | None) -> Public:
    """The position with another piece, or none, on a field of a plant."""
    players = list(public.players)
    players[seat] = put(players[seat], field, kind)
    return replace(public, players=tuple(players))


def _limit(terms: Deal, public: Public, seat: int, lot: Lot) -> tuple[float, Field | None]:
    """The most this seat should pay, and where the piece would go: what a rival earns with it costs too."""
    value, field = _value(terms, public, seat, lot)
    if lot.owner is not None:
        value *= (terms.seats - 1) / terms.seats
    return min(value, public.players[seat].money), field


def _bid(terms: Deal, public: Public, seat: int, lot: Lot) -> Bid:
    """One more than the others are likely to bid, but within reason."""
    limit, field = _limit(terms, public, seat, lot)
    lowest = lowest_bid(terms, public, lot.kind)
    if limit < lowest or field is None:
        return Bid(0, None)
    likely = int(SHADE * _highest(terms, public, lot, {seat, lot.owner})) + 1
    amount = max(lowest, int(SHADE * limit), min(int(0.95 * limit), likely))
    return Bid(amount, field)


def _highest(terms: Deal, public: Public, lot: Lot, without: Container[int | None]) -> float:
    """The most that anybody but these should pay."""
    return max(
        (_limit(terms, public, other, lot)[0] for other in range(terms.seats) if other not in without), default=0
    )


def _offer(terms: Deal, public: Public, seat: int, kind: Kind) -> tuple[float, Field | None]:
    """The own piece of a kind with which an auction gains most, and how much."""
    best: tuple[float, Field | None] = 0.0, None
    hope = outlook(terms, public)
    now = worth(terms, public, seat, hope)
    bank = liquidation_value(terms, public, kind) if terms.options.liquidation else 0
    for field in held(terms, public.players[seat], kind):
        left = worth(terms, _with(public, seat, field, None), seat, hope) - now
        price = max(bank, int(SHADE * _highest(terms, public, Lot(kind, seat, field), {seat})))
        if price + left > best[0]:
            best = price + left, field
    return best


def _interest(terms: Deal, public: Public, seat: int, kind: Kind) -> float:
    """How much this seat can hope to gain if this kind is auctioned."""
    gain, field = _offer(terms, public, seat, kind)
    if field is not None or not in_bank(public, kind):
        return gain
    lot = Lot(kind)
    lowest = lowest_bid(terms, public, kind)
    return _limit(terms, public, seat, lot)[0] - max(lowest, SHADE * _highest(terms, public, lot, {seat}))
