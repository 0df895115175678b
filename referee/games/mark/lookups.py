"""Small lookups on the types: fields and pieces of a plant, rows and values of the market, and what the dice mean."""

from collections.abc import Iterable
from functools import cache
from itertools import chain

from .types import FIELDS, KINDS, Deal, Face, Field, Kind, Lot, Player, Position

DELIVERY, PROCESSING = "d", "p"
BOTH_AREAS = DELIVERY + PROCESSING
_ON = {area: tuple(field for field in FIELDS if field[0] in area) for area in (DELIVERY, PROCESSING)}
_AT = {field: int(field[1]) - 1 for field in FIELDS}
_BEHIND: dict[Field, tuple[Field, ...]] = {
    source: tuple(target for target in _ON[PROCESSING] if abs(_AT[source] - _AT[target]) <= 1)
    for source in _ON[DELIVERY]
}
"""MK-2: the processing fields next to a delivery field, straight or diagonal."""
_NUMBER = {kind: number for number, kind in enumerate(KINDS)}


def pieces(player: Player, areas: str = BOTH_AREAS) -> Iterable[tuple[Field, Kind | None]]:
    """The fields of these areas of this plant in order, and what lies on each."""
    # An edition may have fewer fields than there are names: `zip` stops at the shorter one.
    if areas == DELIVERY:
        return zip(_ON[DELIVERY], player.delivery, strict=False)
    if areas == PROCESSING:
        return zip(_ON[PROCESSING], player.processing, strict=False)
    return chain(pieces(player, DELIVERY), pieces(player, PROCESSING))


def _area(player: Player, field: Field) -> tuple[Kind | None, ...]:
    return player.delivery if field[0] == DELIVERY else player.processing


def piece_at(player: Player, field: Field) -> Kind | None:
    """What lies on a field of this plant; None if it is free, or if the plant has no such field."""
    area, at = _area(player, field), _AT[field]
    return area[at] if at < len(area) else None


def is_free(player: Player, field: Field, areas: str = BOTH_AREAS) -> bool:
    """Is this a field of these areas of this plant, with nothing on it?"""
    area, at = _area(player, field), _AT[field]
    return field[0] in areas and at < len(area) and area[at] is None


def put(player: Player, field: Field, kind: Kind | None) -> Player:
    """The player with this piece on a field; None clears it."""
    at = _AT[field]
    if field[0] == DELIVERY:
        return Player(player.money, (*player.delivery[:at], kind, *player.delivery[at + 1 :]), player.processing)
    return Player(player.money, player.delivery, (*player.processing[:at], kind, *player.processing[at + 1 :]))


def free_fields(player: Player, areas: str = DELIVERY) -> list[Field]:
    """The free fields of these areas of this plant."""
    return [field for field, kind in pieces(player, areas) if kind is None]


def held(player: Player, kind: Kind, areas: str = BOTH_AREAS) -> list[Field]:
    """The fields of these areas on which a piece of this kind lies."""
    return [field for field, piece in pieces(player, areas) if piece == kind]


def adjacent(source: Field, target: Field) -> bool:
    """MK-2: is this processing field next to this delivery field?"""
    return target in _BEHIND.get(source, ())


def next_to(player: Player, source: Field) -> list[Field]:
    """The free processing fields to which a piece on this delivery field could go."""
    return [target for target in _BEHIND.get(source, ()) if is_free(player, target)]


def storage_cost(t: Deal, player: Player) -> int:
    """MK-5: what storage costs in areas with many pieces, as far as the player can pay it."""
    least, delivery, processing = t.edition.storage_from, player.delivery, player.processing
    crowded = (len(delivery) - delivery.count(None) >= least) + (len(processing) - processing.count(None) >= least)
    return min(crowded * t.edition.storage, player.money)


def in_bank(p: Position, kind: Kind) -> int:
    """How many pieces of a kind the bank holds."""
    return p.bank[_NUMBER[kind]]


def row_of(p: Position, kind: Kind) -> int | None:
    """The market row reserved for a kind, None before its first piece is placed."""
    for number, row in enumerate(p.market):
        if row.kind == kind:
            return number
    return None


def free_rows(p: Position) -> list[int]:
    """The market rows not yet reserved for a kind."""
    return [number for number, row in enumerate(p.market) if row.kind is None]


def is_full(t: Deal, p: Position, number: int) -> bool:
    """Are all fields of this market row covered?"""
    return p.market[number].pieces == len(t.edition.market[number])


def next_value(t: Deal, p: Position, number: int) -> int:
    """MK-9: what the next piece in this row brings; 0 when it is full."""
    return 0 if is_full(t, p, number) else t.edition.market[number][p.market[number].pieces]


def liquidation_value(t: Deal, p: Position, kind: Kind) -> int:
    """MK-15: half of what the next piece of this kind brings."""
    number = row_of(p, kind)
    return t.edition.unplaced_value if number is None else next_value(t, p, number) // 2


def lowest_bid(t: Deal, p: Position, kind: Kind) -> int:
    """MK-15: the lowest bid allowed for a piece of this kind."""
    value = liquidation_value(t, p, kind) if t.options.liquidation else 0
    return value or t.edition.lowest_bid


def is_processed(lot: Lot) -> bool:
    """Does the piece that is auctioned come from a processing area?"""
    return lot.field is not None and lot.field[0] == PROCESSING


def lot_areas(lot: Lot) -> str:
    """MK-10, MK-17: where the piece that is auctioned may go."""
    return BOTH_AREAS if is_processed(lot) else DELIVERY


def lot_fields(lot: Lot, bidder: Player) -> list[Field]:
    """The fields on which this bidder could put the piece that is auctioned."""
    return free_fields(bidder, lot_areas(lot))


def face(number: int, sixth: Face) -> Face:
    """What a die shows; the sixth face differs between the two dice."""
    return KINDS[number - 1] if number <= len(KINDS) else sixth


@cache
def rolled_kinds(dice: tuple[Face, ...]) -> tuple[Kind, ...]:
    """MK-6, MK-7: the kinds with which this roll allows an action."""
    return KINDS if "star" in dice else tuple(kind for kind in KINDS if kind in dice)


def is_double(dice: tuple[Face, ...]) -> bool:
    """MK-7: does this roll allow two actions? The two dice have only the kinds in common."""
    return len(dice) == 2 and dice[0] == dice[1]
