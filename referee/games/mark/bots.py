"""Two scripted players: `random` tries everything the rules allow, `sensible` weighs what its plant is worth."""

from collections.abc import Container, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from referee.forms import any_move
from referee.game import Below, ask_of
from referee.playout import add_up

from .actions import after, purchases
from .lookups import (
    DELIVERY,
    PROCESSING,
    adjacent,
    face,
    free_fields,
    free_rows,
    held,
    in_bank,
    is_double,
    is_full,
    liquidation_value,
    lot_areas,
    lot_fields,
    lowest_bid,
    next_to,
    next_value,
    piece_at,
    pieces,
    put,
    rolled_kinds,
    row_of,
)
from .types import (
    KINDS,
    Action,
    Bid,
    Both,
    Buy,
    Deal,
    Field,
    Kind,
    Lot,
    Move,
    Name,
    Nothing,
    Offer,
    Player,
    Position,
    Process,
    Public,
    Roll,
    Row,
    Sell,
    Shift,
    Sight,
    Take,
    Words,
)
from .words_list import legal

DELIVERED = 0.2
"""What part of its market value a piece in the delivery area is worth."""
PROCESSED = 0.6
"""The same in the processing area."""
CROWDED = 2.0
"""For how many turns a crowded area is expected to cost storage."""
LATE = 8
"""Pieces in a plant begin to lose value this many pieces before the end of the game."""
WASTE = 1.5
"""What each step costs that a worthless piece still has to go out of the plant."""
VICTORY, DEFEAT = 50, 10
"""How much it is worth to end the game in the lead, and to delay the end when behind."""
SHADE = 0.75
"""The part of its gain that a bidder offers."""
SECOND = 0.7
"""What the second action of a double is worth, measured by the first."""
RACE = 2
"""A piece is moved for money when its row has so many free fields left: before, it hardly ever pays to be quick."""
TEMPTED = 6.0
"""How much less than a roll a purchase may seem to bring for `strong` to look closer."""


def random_move(terms: Deal, seen: Sight, below: Below) -> Move:
    """Any line of the list of legal moves, and any move of its family."""
    move: Move = any_move(legal(terms, seen), Move, below)
    return move


def sensible_move(terms: Deal, seen: Sight, below: Below) -> Move:
    """The move after which money and plant are worth most; it leaves nothing to chance."""
    ask, public, seat = ask_of(seen.pending, seen.seat), seen.public, seen.seat
    assert ask is not None, "only who is asked moves"
    if ask.what == "turn":
        return turn(terms, public)
    if ask.what == "name":
        return Name(max(KINDS, key=lambda kind: interest(terms, public, seat, kind)))
    if public.lot is None:
        return acting(terms, public, first=ask.what == "act")
    if ask.what == "offer":
        gain, field = _offer(terms, public, seat, public.lot.kind)
        return Offer(field if gain > 0 else None)
    return _bid(terms, public, seat, public.lot)


# --- what things are worth -------------------------------------------------------------------------------------------


class Outlook(NamedTuple):
    """What the market promises. `plant` has what so many processed and so many delivered pieces of a kind can be hoped
    to bring; `missing` pieces at least must still be sold until the game ends (MK-11)."""

    plant: dict[Kind, list[list[float]]]
    missing: int


def outlook(terms: Deal, position: Position) -> Outlook:
    e = terms.edition
    return _outlook(e.market, e.full_rows, e.area, tuple(position.market))


@lru_cache(maxsize=512)
def _outlook(market: Sequence[tuple[int, ...]], full_rows: int, area: int, rows: Sequence[Row]) -> Outlook:
    free = [values for values, row in zip(market, rows, strict=True) if row.kind is None]
    average = tuple(sum(values) / len(values) for values in zip(*free, strict=False))
    values: dict[Kind, tuple[float, ...]] = dict.fromkeys(KINDS, average)
    values |= {row.kind: rest[row.pieces :] for rest, row in zip(market, rows, strict=True) if row.kind}
    missing = sum(sorted(len(values) - row.pieces for values, row in zip(market, rows, strict=True))[:full_rows])
    hope = min(1.0, missing / LATE)
    return Outlook({kind: _plant(values[kind], hope, area) for kind in KINDS}, missing)


@lru_cache(maxsize=4096)
def _plant(values: tuple[float, ...], hope: float, area: int) -> list[list[float]]:
    """By the number of processed, then of delivered pieces; those that find no field in the market are in the way."""

    def worth(number: int, processed: int) -> float:
        done = number < processed
        if number < len(values):
            return hope * values[number] * (PROCESSED if done else DELIVERED)
        return -WASTE if done else -2 * WASTE

    sizes = range(area + 1)
    return [[add_up(worth(number, done) for number in range(done + more)) for more in sizes] for done in sizes]


def worth(terms: Deal, look: Outlook, player: Player) -> float:
    """Money, and what the pieces in the plant can be hoped to bring, less the storage they are about to cost."""
    processed, delivered = player.processing, player.delivery
    total = float(player.money)
    for kind, table in look.plant.items():
        total += table[processed.count(kind)][delivered.count(kind)]
    least = terms.edition.storage_from
    crowded = (len(delivered) - delivered.count(None) >= least) + (len(processed) - processed.count(None) >= least)
    return total - CROWDED * terms.edition.storage * crowded


def roomiest(player: Player, fields: Sequence[Field]) -> Field:
    """The field from which a new piece has most ways on; of processing fields the first."""
    return max(fields, key=lambda field: len(next_to(player, field)))


def in_the_way(player: Player, field: Field) -> int:
    """How many delivered pieces could go to this processing field."""
    return sum(kind is not None and adjacent(source, field) for source, kind in pieces(player, DELIVERY))


# --- a turn of its own -----------------------------------------------------------------------------------------------


def turn(terms: Deal, public: Public) -> Move:
    """Roll, unless something that can be bought is better than what a roll can be hoped to bring."""
    return next(iter(tempting(terms, public)), Roll())


def tempting(terms: Deal, public: Public, short: float = 0.0) -> list[Buy | Shift]:
    """What can be bought that gains more than a roll can be hoped to bring, or falls short of it by less than this; the
    best first."""
    look = outlook(terms, public)
    now = worth(terms, look, public.players[public.turn])
    gains = {move: worth(terms, look, after(terms, public, move).me) - now for move in bargains(terms, public)}
    if max(gains.values(), default=-short) <= -short:
        return []  # no roll brings less than nothing, and what it brings takes long to reckon
    least = _hope(terms, public) - short
    return sorted((move for move in gains if gains[move] > least), key=lambda move: -gains[move])


def bargains(terms: Deal, public: Public) -> list[Buy | Shift]:
    """What can be bought, each kind where it has most ways on, and moved in a race, to where it is least in the way."""
    me = public.players[public.turn]
    free = free_fields(me)
    field = roomiest(me, free) if free else None
    found = [
        move
        for move in purchases(terms, public)
        if (_is_race(terms, public, piece_at(me, move.source)) if isinstance(move, Shift) else move.field == field)
    ]
    return sorted(found, key=lambda move: in_the_way(me, move.target) if isinstance(move, Shift) else 0)


def _is_race(terms: Deal, public: Public, kind: Kind | None) -> bool:
    """Are the last fields of a row next, for which it matters to be ready first?"""
    left = {row.kind: len(values) - row.pieces for row, values in zip(public.market, terms.edition.market, strict=True)}
    return kind is not None and 0 < left.get(kind, 0) <= RACE


def acting(terms: Deal, public: Public, *, first: bool) -> Move:
    """What is best with the dice, and after a double what is best then."""
    _, action = best_action(terms, public, rolled_kinds(public.dice))
    if action is None or not (first and is_double(public.dice)):
        return action or Nothing()
    position = after(terms, public, action)
    second = None if position.result else best_action(terms, position, rolled_kinds(public.dice))[1]
    return Both(action, second or Nothing())


def best_action(terms: Deal, position: Position, kinds: Sequence[Kind]) -> tuple[float, Action | None]:
    """The most that an action with one of these kinds gains, and the action; 0 and None for doing nothing."""
    best = max(candidates(terms, position, kinds), key=lambda candidate: candidate.gain, default=None)
    return (best.gain, carried_out(position, best)) if best and best.gain > 0 else (0.0, None)


class Candidate(NamedTuple):
    """An action, without the fields: how much more the position is worth after it."""

    gain: float
    sort: type[Take] | type[Process] | type[Sell]
    kind: Kind
    row: int | None = None


def candidates(terms: Deal, position: Position, kinds: Sequence[Kind]) -> Iterator[Candidate]:
    """One candidate of each sort for each kind; for a new row, one for each row."""
    me, look = position.players[position.turn], outlook(terms, position)
    least, fee = terms.edition.storage_from, CROWDED * terms.edition.storage
    delivered, processed = (len(area) - area.count(None) for area in (me.delivery, me.processing))
    room = terms.edition.area
    for kind in kinds:
        table, done, waiting = look.plant[kind], me.processing.count(kind), me.delivery.count(kind)
        now = table[done][waiting]
        if delivered < room and in_bank(position, kind):
            yield Candidate(table[done][waiting + 1] - now - fee * (delivered + 1 == least), Take, kind)
        if waiting and processed < room and any(next_to(me, source) for source in held(me, kind, DELIVERY)):
            saved = fee * ((delivered == least) - (processed + 1 == least))
            yield Candidate(table[done + 1][waiting - 1] - now + saved, Process, kind)
        if done:
            before = worth(terms, look, me)
            rows: Sequence[int | None] = free_rows(position) if row_of(position, kind) is None else (None,)
            yield from [Candidate(_sold(terms, position, kind, row) - before, Sell, kind, row) for row in rows]


def carried_out(position: Position, candidate: Candidate) -> Action:
    """The action; of equal pieces and fields those that leave most ways open."""
    me, kind = position.players[position.turn], candidate.kind
    if candidate.sort is Take:
        return Take(kind, roomiest(me, free_fields(me)))
    if candidate.sort is Sell:
        return Sell(max(held(me, kind, PROCESSING), key=lambda field: in_the_way(me, field)), candidate.row)
    steps = [(source, target) for source in held(me, kind, DELIVERY) for target in next_to(me, source)]
    return Process(*min(steps, key=lambda step: in_the_way(me, step[1])))


def _sold(terms: Deal, position: Position, kind: Kind, row: int | None) -> float:
    """What the position is worth after a sale."""
    me, e = position.players[position.turn], terms.edition
    number = row_of(position, kind) if row is None else row
    assert number is not None, "a kind without a row chooses one"
    value, market = next_value(terms, position, number), list(position.market)
    if not is_full(terms, position, number):
        market[number] = Row(kind, market[number].pieces + 1)
    look = _outlook(e.market, e.full_rows, e.area, tuple(market))
    if look.missing:
        return value + worth(terms, look, put(me, held(me, kind, PROCESSING)[0], None))
    leads = me.money + value >= max(other.money for other in position.players)
    return me.money + value + (VICTORY if leads else -DEFEAT)


def _hope(terms: Deal, public: Public) -> float:
    """What a roll gains on average; a hammer is followed by another one."""
    gains = {kind: best_action(terms, public, (kind,))[0] for kind in KINDS}
    sides = range(1, len(KINDS) + 2)
    total = 0.0
    for first in KINDS:
        for second in (face(number, "star") for number in sides):
            gain = max(gains[kind] for kind in rolled_kinds((first, second)))
            total += gain * (1 + SECOND * is_double((first, second)))
    return total / (len(KINDS) * len(sides))


# --- auctions --------------------------------------------------------------------------------------------------------


def limit(terms: Deal, public: Public, seat: int, lot: Lot) -> float:
    """The most this seat should pay: what a rival earns with it costs too."""
    look, player = outlook(terms, public), public.players[seat]
    fields = [free[0] for area in lot_areas(lot) if (free := free_fields(player, area))]
    gains = [worth(terms, look, put(player, field, lot.kind)) for field in fields]
    if not gains:
        return 0.0
    value = max(gains) - worth(terms, look, player)
    if lot.owner is not None:
        value *= (terms.seats - 1) / terms.seats
    return min(value, player.money)


def _bid(terms: Deal, public: Public, seat: int, lot: Lot) -> Bid:
    """One more than the others are likely to bid, but within reason."""
    most, lowest = limit(terms, public, seat, lot), lowest_bid(terms, public, lot.kind)
    if most < lowest:
        return Bid(0, None)
    likely = int(SHADE * _highest(terms, public, lot, {seat, lot.owner})) + 1
    amount = max(lowest, int(SHADE * most), min(int(0.95 * most), likely))
    look, player = outlook(terms, public), public.players[seat]
    worths = {field: worth(terms, look, put(player, field, lot.kind)) for field in lot_fields(lot, player)}
    return Bid(amount, roomiest(player, [field for field in worths if worths[field] == max(worths.values())]))


def _highest(terms: Deal, public: Public, lot: Lot, without: Container[int | None]) -> float:
    """The most that anybody should pay, except these and those whose standing orders say `bid nothing`."""
    others = [seat for seat, words in enumerate(public.standing) if seat not in without and words.bid == "ask"]
    return max((limit(terms, public, other, lot) for other in others), default=0)


def _offer(terms: Deal, public: Public, seat: int, kind: Kind) -> tuple[float, Field | None]:
    """The seat's piece of a kind that gains most in an auction, and how much."""
    best: tuple[float, Field | None] = 0.0, None
    look, player = outlook(terms, public), public.players[seat]
    now = worth(terms, look, player)
    bank = liquidation_value(terms, public, kind) if terms.options.liquidation else 0
    for field in held(player, kind):
        left = worth(terms, look, put(player, field, None)) - now
        price = max(bank, int(SHADE * _highest(terms, public, Lot(kind, seat, field), {seat})))
        if price + left > best[0]:
            best = price + left, field
    return best


def interest(terms: Deal, public: Public, seat: int, kind: Kind) -> float:
    """How much this seat can hope to gain if this kind is auctioned."""
    gain, field = _offer(terms, public, seat, kind)
    if field is not None or not in_bank(public, kind):
        return gain
    lot = Lot(kind)
    lowest = lowest_bid(terms, public, kind)
    return limit(terms, public, seat, lot) - max(lowest, SHADE * _highest(terms, public, lot, {seat}))


# --- standing orders -------------------------------------------------------------------------------------------------


def advise(terms: Deal, seen: Sight, bot: str) -> Words | None:
    """MK-20 to MK-22: what `sensible` would answer anyway until it is asked again, or None if that is said already.
    `strong` also wants to be asked where it has to look closer."""
    seat = seen.seat
    if seen.public is None:
        return Words(roll="always")
    mine = replace(_expected(terms, seen), turn=seat, dice=(), lot=None)
    words = Words(
        roll="ask" if tempting(terms, mine, TEMPTED if bot == "strong" else 0.0) else "always",
        bid="ask" if any(_wants(terms, mine, seat, kind) for kind in KINDS) else "nothing",
        offer="ask" if any(_offer(terms, mine, seat, kind)[0] > 0 for kind in KINDS) else "nothing",
    )
    return None if words == seen.public.standing[seat] else words


def _expected(terms: Deal, seen: Sight) -> Public:
    """The position after what `sensible` answers now, as far as that depends on nobody else."""
    ask, public = ask_of(seen.pending, seen.seat), seen.public
    if ask is None or ask.what not in ("act", "again"):
        return public
    move = acting(terms, public, first=ask.what == "act")
    both = (move.first, move.second) if isinstance(move, Both) else (move,)
    done = [one for one in both if isinstance(one, Take | Process | Sell)]
    expected: Public = after(terms, public, *done).close().public
    return expected


def _wants(terms: Deal, public: Public, seat: int, kind: Kind) -> bool:
    """Would this seat bid for a piece of this kind, wherever it came from?"""
    others = [other for other in range(terms.seats) if other != seat]
    lots = [Lot(kind), *(Lot(kind, other, "p1") for other in others if kind in public.players[other].processing)]
    lowest = lowest_bid(terms, public, kind)
    return any(limit(terms, public, seat, lot) >= lowest for lot in lots)
