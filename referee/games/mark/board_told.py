"""The position in words, a sentence for every fact: the description of the picture."""

from collections.abc import Iterator, Sequence

from referee.game import Seat

from .board import ASKED
from .tables import (
    DELIVERY,
    PROCESSING,
    in_bank,
    is_full,
    liquidation_value,
    lowest_bid,
    next_value,
    pieces,
    row_of,
    storage_cost,
)
from .types import KINDS, Deal, Kind, Player, Public, Sight
from .words import standing_text


def told(terms: Deal, seen: Sight, names: Sequence[str]) -> Iterator[str]:
    """One line for each fact, those first that matter most."""
    yield f"M.A.R.K. without {', '.join(off(terms))}." if off(terms) else "M.A.R.K. with all optional rules."
    if seen.pending:
        yield from _asked(terms, seen, names)
    else:
        yield from _over(seen, names)
    for seat, player in enumerate(seen.public.players):
        yield _player(terms, seen, names[seat], seat, player)
    yield from _market(terms, seen.public)
    yield from (_kind(terms, seen.public, kind) for kind in KINDS)
    if seen.pending:
        yield f"The game also ends after {many(turns_left(terms, seen.public), 'more turn')} without a sale."
    yield f"Prices: {', '.join(prices(terms))} in an area."
    for name, words in zip(names, seen.public.standing, strict=True):
        if phrases := standing_text(words):
            yield f"{name} has said: {', '.join(phrases)}."


def many(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def off(terms: Deal) -> list[str]:
    """The options that are switched off."""
    return [name for name in terms.options.__struct_fields__ if not getattr(terms.options, name)]


def prices(terms: Deal) -> list[str]:
    """What a player can pay for instead of rolling, and what storage costs."""
    e = terms.edition
    paid = [f"buy {e.buy_price}"] * terms.options.buy + [f"move {e.move_price}"] * terms.options.move
    return [*paid, f"storage {e.storage} from {many(e.storage_from, 'piece')}"]


def turns_left(terms: Deal, public: Public) -> int:
    """MK-11: turns without a sale after which the game ends, the running one included."""
    return terms.edition.idle_rounds * terms.seats - max(public.idle, 1) + 1


def lot_told(terms: Deal, seen: Sight, names: Sequence[str]) -> Iterator[str]:
    """Whose piece is auctioned, and where bids begin."""
    lot = seen.public.lot
    if lot is None:
        return
    if any(ask.what == "offer" for ask in seen.pending):
        yield "from whoever offers a piece"
    elif lot.owner is None:
        yield "from the bank"
    else:
        yield f"from {names[lot.owner]}, {lot.field}"
    lowest = f"bids from {lowest_bid(terms, seen.public, lot.kind)}"
    value = liquidation_value(terms, seen.public, lot.kind)
    yield f"{lowest}; the bank bids {value}" if terms.options.liquidation else lowest


def _asked(terms: Deal, seen: Sight, names: Sequence[str]) -> Iterator[str]:
    public = seen.public
    yield f"It is the turn of {names[public.turn]}."
    for ask in seen.pending:
        yield f"{names[ask.seat]} {ASKED[ask.what]}."
    if public.dice:
        yield f"The dice show {' and '.join(public.dice)}."
    if public.lot is not None:
        yield f"A piece of {public.lot.kind} is auctioned: {', '.join(lot_told(terms, seen, names))}."


def _over(seen: Sight, names: Sequence[str]) -> Iterator[str]:
    yield "The game is over."
    if seen.result is not None:
        for rank, seat in sorted(zip(seen.result.ranks, range(len(names)), strict=True)):
            yield f"{names[seat]} has rank {rank}."


def _player(terms: Deal, seen: Sight, name: str, seat: Seat, player: Player) -> str:
    you = " (you)" if seat == seen.seat else ""
    areas = f"processing: {_held(player, PROCESSING)}; delivery: {_held(player, DELIVERY)}"
    cost = storage_cost(terms, player)
    storage = f"; storage costs {cost} a turn" if cost and seen.pending else ""
    return f"{name}{you} has {player.money} Mark; {areas}{storage}."


def _held(player: Player, area: str) -> str:
    return ", ".join(f"{kind} on {field}" for field, kind in pieces(player, area) if kind) or "nothing"


def _market(terms: Deal, public: Public) -> Iterator[str]:
    full = sum(is_full(terms, public, at) for at in range(len(public.market)))
    yield f"Full rows of the market: {full}; {terms.edition.full_rows} end the game."
    for at, (row, values) in enumerate(zip(public.market, terms.edition.market, strict=True)):
        whose = f"holds {row.kind} on {row.pieces} of {many(len(values), 'field')}" if row.kind else "is free"
        left = ", ".join(map(str, values[row.pieces :]))
        yield f"Row {at + 1} {whose}; {f'what comes next brings {left}' if left else 'it is full'}."


def _kind(terms: Deal, public: Public, kind: Kind) -> str:
    at = row_of(public, kind)
    brings = "opens a row" if at is None else f"brings {next_value(terms, public, at)}"
    liquid = f"; its liquidation value is {liquidation_value(terms, public, kind)}" if terms.options.liquidation else ""
    bids = f"bids begin at {lowest_bid(terms, public, kind)}"
    return f"Of {kind} the bank has {in_bank(public, kind)}; the next piece sold {brings}; {bids}{liquid}."
