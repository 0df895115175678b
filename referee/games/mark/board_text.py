"""The position in words, a sentence for every fact: the description of the picture."""

from collections.abc import Iterator, Sequence

from referee.game import Seat
from referee.games import as_typed
from referee.language import Wording, listed

from .board import ASKED, idle_end, turns_left
from .lookups import (
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
from .types import KINDS, Deal, Kind, Player, Public, Sight, Words
from .words import standing_text

w = Wording("referee.games.mark")


def sentences(terms: Deal, seen: Sight, names: Sequence[str]) -> Iterator[str]:
    """One line for each fact, those first that matter most."""
    without = ", ".join(off(terms))
    yield w("M.A.R.K. without {options}.", options=without) if without else w("M.A.R.K. with all optional rules.")
    if seen.pending:
        yield from _asked(terms, seen, names)
    else:
        yield from _over(seen, names)
    for seat, player in enumerate(seen.public.players):
        yield _player(terms, seen, names[seat], seat, player)
    yield from _market(terms, seen.public)
    yield from (_kind(terms, seen.public, kind) for kind in KINDS)
    if seen.pending:
        yield f"{capital(idle_end(turns_left(terms, seen.public)))}."
    yield w("Prices: {prices} in an area.", prices=", ".join(prices(terms)))
    for name, words in zip(names, seen.public.standing, strict=True):
        if phrases := said(words):
            yield w("Standing orders of {name}: {phrases}.", name=name, phrases=", ".join(phrases))


def capital(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]


def said(words: Words) -> list[str]:
    """Standing orders, as the reader types them."""
    return [as_typed("mark", phrase) for phrase in standing_text(words)]


def off(terms: Deal) -> list[str]:
    """The options that are switched off."""
    called = {
        "buy": w.sense("an option", "buy"),
        "move": w.sense("an option", "move"),
        "offer": w.sense("an option", "offer"),
        "liquidation": w.sense("an option", "liquidation"),
    }
    return [words for name, words in called.items() if not getattr(terms.options, name)]


def prices(terms: Deal) -> list[str]:
    """What a player can pay for instead of rolling, and what storage costs."""
    e = terms.edition
    paid = [w("buy {price}", price=e.buy_price)] * terms.options.buy
    paid += [w("move {price}", price=e.move_price)] * terms.options.move
    storage = w.plural(
        "storage {price} from {n} piece", "storage {price} from {n} pieces", e.storage_from, price=e.storage
    )
    return [*paid, storage]


def lot_text(terms: Deal, seen: Sight, names: Sequence[str]) -> Iterator[str]:
    """Whose piece is auctioned, and where bids begin."""
    lot = seen.public.lot
    if lot is None:
        return
    if any(ask.what == "offer" for ask in seen.pending):
        yield w("from whoever offers a piece")
    elif lot.owner is None:
        yield w("from the bank")
    else:
        yield w("from {name}, {field}", name=names[lot.owner], field=lot.field)
    lowest, value = lowest_bid(terms, seen.public, lot.kind), liquidation_value(terms, seen.public, lot.kind)
    if terms.options.liquidation:
        yield w("bids from {lowest}; the bank bids {value}", lowest=lowest, value=value)
    else:
        yield w("bids from {lowest}", lowest=lowest)


def _asked(terms: Deal, seen: Sight, names: Sequence[str]) -> Iterator[str]:
    public = seen.public
    yield w("It is the turn of {name}.", name=names[public.turn])
    for ask in seen.pending:
        yield f"{w(ASKED[ask.what], name=names[ask.seat])}."
    if public.dice:
        yield w("The dice show {faces}.", faces=listed(map(w, public.dice)))
    if public.lot is not None:
        about = ", ".join(lot_text(terms, seen, names))
        yield w("A piece of {kind} is auctioned: {about}.", kind=w(public.lot.kind), about=about)


def _over(seen: Sight, names: Sequence[str]) -> Iterator[str]:
    yield w("The game is over.")
    if seen.result is not None:
        for rank, seat in sorted(zip(seen.result.ranks, range(len(names)), strict=True)):
            yield w("{name} has rank {rank}.", name=names[seat], rank=rank)


def _player(terms: Deal, seen: Sight, name: str, seat: Seat, player: Player) -> str:
    cost = storage_cost(terms, player) if seen.pending else 0
    facts = {
        "name": w("{name} (you)", name=name) if seat == seen.seat else name,
        "money": player.money,
        "processing": _held(player, PROCESSING),
        "delivery": _held(player, DELIVERY),
    }
    if not cost:
        return w("{name} has {money} Mark; processing: {processing}; delivery: {delivery}.", **facts)
    return w(
        "{name} has {money} Mark; processing: {processing}; delivery: {delivery}; storage costs {cost} a turn.",
        cost=cost,
        **facts,
    )


def _held(player: Player, area: str) -> str:
    held = [w("{kind} on {field}", kind=w(kind), field=field) for field, kind in pieces(player, area) if kind]
    return ", ".join(held) or w("nothing")


def _market(terms: Deal, public: Public) -> Iterator[str]:
    full, most = sum(is_full(terms, public, at) for at in range(len(public.market))), terms.edition.full_rows
    yield w("Full rows of the market: {full}; {most} end the game.", full=full, most=most)
    for at, (row, values) in enumerate(zip(public.market, terms.edition.market, strict=True)):
        left = ", ".join(map(str, values[row.pieces :]))
        if not row.kind:
            yield w("Row {row} is free; its pieces will earn {left}.", row=at + 1, left=left)
            continue
        facts = {"row": at + 1, "kind": w(row.kind), "pieces": row.pieces}
        if left:
            yield w(
                "Row {row} holds {kind} on {pieces} of {fields} fields; the next pieces earn {left}.",
                fields=len(values), left=left, **facts,
            )  # fmt: skip
        else:
            yield w.plural(
                "Row {row} holds {kind} on {pieces} of {n} field; it is full.",
                "Row {row} holds {kind} on {pieces} of {n} fields; it is full.",
                len(values), **facts,
            )  # fmt: skip


def _kind(terms: Deal, public: Public, kind: Kind) -> str:
    at = row_of(public, kind)
    facts = [w("pieces of {kind} in the bank: {number}", kind=w(kind), number=in_bank(public, kind))]
    if at is None:
        facts.append(w("the next piece sold opens a row"))
    else:
        facts.append(w("the next piece sold earns {value}", value=next_value(terms, public, at)))
    facts.append(w("bids start at {lowest}", lowest=lowest_bid(terms, public, kind)))
    if terms.options.liquidation:
        facts.append(w("its liquidation value is {value}", value=liquidation_value(terms, public, kind)))
    return f"{capital('; '.join(facts))}."
