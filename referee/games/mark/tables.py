"""Small lookups on the types: fields and pieces of a plant, rows and values of the market, what dice mean."""

from functools import cache

from .types import FIELDS, KINDS, Deal, Face, Field, Kind, Lot, Player, Public

DELIVERY, PROCESSING = "d", "p"


def fields(t: Deal, areas: str = DELIVERY + PROCESSING) -> tuple[Field, ...]:
    """The fields of these areas of a plant, in order."""
    return _fields(t.edition.area, areas)


@cache
def _fields(area: int, areas: str) -> tuple[Field, ...]:
    return tuple(field for field in FIELDS if field[0] in areas and int(field[1]) <= area)


def piece_at(player: Player, field: Field) -> Kind | None:
    """What lies on a field of this plant; there is nothing where there is no such field."""
    area = player.delivery if field[0] == DELIVERY else player.processing
    number = int(field[1])
    return area[number - 1] if number <= len(area) else None


def put(player: Player, field: Field, kind: Kind | None) -> Player:
    """The player with this on a field, None to clear it."""
    at = int(field[1]) - 1
    if field[0] == DELIVERY:
        return Player(player.money, (*player.delivery[:at], kind, *player.delivery[at + 1 :]), player.processing)
    return Player(player.money, player.delivery, (*player.processing[:at], kind, *player.processing[at + 1 :]))


def free_fields(t: Deal, player: Player, areas: str = DELIVERY) -> list[Field]:
    """The free fields of these areas of this plant."""
    return [field for field in fields(t, areas) if piece_at(player, field) is None]


def held(t: Deal, player: Player, kind: Kind, areas: str = DELIVERY + PROCESSING) -> list[Field]:
    """The fields of these areas on which a piece of this kind lies."""
    return [field for field in fields(t, areas) if piece_at(player, field) == kind]


def adjacent(source: Field, target: Field) -> bool:
    """MK-2: is this processing field next to this delivery field, straight or diagonal?"""
    return source[0] == DELIVERY and target[0] == PROCESSING and abs(int(source[1]) - int(target[1])) <= 1


def next_to(t: Deal, player: Player, source: Field) -> list[Field]:
    """The free processing fields to which a piece on this delivery field could go."""
    return [target for target in free_fields(t, player, PROCESSING) if adjacent(source, target)]


def storage_cost(t: Deal, player: Player) -> int:
    """MK-5: what the areas cost that hold many pieces, as far as the player can pay it."""
    counts = [len(area) - area.count(None) for area in (player.delivery, player.processing)]
    cost = sum(t.edition.storage for count in counts if count >= t.edition.storage_from)
    return min(cost, player.money)


def in_bank(public: Public, kind: Kind) -> int:
    """How many pieces of a kind the bank holds."""
    return public.bank[KINDS.index(kind)]


def row_of(public: Public, kind: Kind) -> int | None:
    """The market row reserved for a kind, None before its first piece is placed."""
    return next((number for number, row in enumerate(public.market) if row.kind == kind), None)


def free_rows(public: Public) -> list[int]:
    """The market rows that no kind has yet."""
    return [number for number, row in enumerate(public.market) if row.kind is None]


def is_full(t: Deal, public: Public, number: int) -> bool:
    """Are all fields of this market row covered?"""
    return public.market[number].pieces == len(t.edition.market[number])


def next_value(t: Deal, public: Public, number: int) -> int:
    """MK-9: what the next piece in this row brings; 0 when it is full."""
    return 0 if is_full(t, public, number) else t.edition.market[number][public.market[number].pieces]


def liquidation_value(t: Deal, public: Public, kind: Kind) -> int:
    """MK-15: half of what the next piece of this kind brings."""
    number = row_of(public, kind)
    return t.edition.unplaced_value if number is None else next_value(t, public, number) // 2


def lowest_bid(t: Deal, public: Public, kind: Kind) -> int:
    """MK-15: what must be bid at least for a piece of this kind."""
    value = liquidation_value(t, public, kind) if t.options.liquidation else 0
    return value or t.edition.lowest_bid


def is_processed(lot: Lot) -> bool:
    """Does the piece that is auctioned come from a processing area?"""
    return lot.field is not None and lot.field[0] == PROCESSING


def lot_fields(t: Deal, lot: Lot, bidder: Player) -> list[Field]:
    """MK-10, MK-17: where this bidder could put the piece that is auctioned."""
    return free_fields(t, bidder, DELIVERY + PROCESSING if is_processed(lot) else DELIVERY)


def face(number: int, sixth: Face) -> Face:
    """What a die shows; the sixth face differs between the two."""
    return KINDS[number - 1] if number <= len(KINDS) else sixth


def rolled_kinds(dice: tuple[Face, ...]) -> tuple[Kind, ...]:
    """MK-6, MK-7: the kinds with which this roll allows an action."""
    return KINDS if "star" in dice else tuple(kind for kind in KINDS if kind in dice)


def is_double(dice: tuple[Face, ...]) -> bool:
    """MK-7: does this roll allow two actions? The two dice share no face but the kinds."""
    return len(set(dice)) == 1
