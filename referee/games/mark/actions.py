"""What one player does in the own turn: buy or move for money instead of rolling, and actions with the dice."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from referee.errors import IllegalMove

from .scratch import Scratch
from .tables import (
    DELIVERY,
    PROCESSING,
    adjacent,
    fields,
    free_fields,
    free_rows,
    held,
    in_bank,
    is_full,
    next_to,
    next_value,
    piece_at,
    row_of,
)
from .types import KINDS, Action, Buy, Deal, Field, Kind, Player, Process, Public, Sell, Shift, Take

# --- what can be done ------------------------------------------------------------------------------------------------


def purchases(t: Deal, public: Public) -> Iterator[Buy | Shift]:
    """Everything that can be done instead of rolling (MK-12, MK-13)."""
    me = public.players[public.turn]
    if t.options.buy and me.money >= t.edition.buy_price:
        free = free_fields(t, me)
        yield from (Buy(kind, field) for kind in KINDS if in_bank(public, kind) for field in free)
    if t.options.move and me.money >= t.edition.move_price:
        sources = [field for field in fields(t, DELIVERY) if piece_at(me, field)]
        yield from (Shift(source, target) for source in sources for target in next_to(t, me, source))


def actions(t: Deal, public: Public, kinds: Sequence[Kind]) -> Iterator[Action]:
    """Every action with a piece of one of these kinds (MK-6)."""
    me = public.players[public.turn]
    for kind in kinds:
        if in_bank(public, kind):
            yield from (Take(kind, field) for field in free_fields(t, me))
        for source in held(t, me, kind, DELIVERY):
            yield from (Process(source, target) for target in next_to(t, me, source))
        rows: list[int] | list[None] = free_rows(public) if row_of(public, kind) is None else [None]
        yield from (Sell(source, row) for source in held(t, me, kind, PROCESSING) for row in rows)


# --- what is allowed -------------------------------------------------------------------------------------------------


def check_purchase(t: Deal, public: Public, move: Buy | Shift) -> None:
    """MK-12, MK-13."""
    me = public.players[public.turn]
    clause, allowed, cost = (
        ("MK-12", t.options.buy, t.edition.buy_price)
        if isinstance(move, Buy)
        else ("MK-13", t.options.move, t.edition.move_price)
    )
    if not allowed:
        raise IllegalMove(clause, "this game is played without that option", "roll the dice")
    if me.money < cost:
        raise IllegalMove(clause, f"that costs {cost} and you have {me.money}", "roll the dice")
    if isinstance(move, Buy):
        _check_take(t, public, move.kind, move.field, clause)
    else:
        _check_process(t, me, move.source, move.target, clause)


def check_action(t: Deal, public: Public, kinds: Sequence[Kind], move: Action) -> None:
    """MK-6, MK-9: the piece is of a rolled kind, and it can go where it should."""
    me = public.players[public.turn]
    kind = move.kind if isinstance(move, Take) else _piece(me, move.source)
    if kind not in kinds:
        raise IllegalMove("MK-6", f"{kind} was not rolled", f"choose a piece of {' or '.join(kinds)}")
    if isinstance(move, Take):
        _check_take(t, public, move.kind, move.field, "MK-6")
    elif isinstance(move, Process):
        _check_process(t, me, move.source, move.target, "MK-6")
    else:
        _check_sell(public, kind, move)


def _piece(player: Player, field: Field) -> Kind:
    kind = piece_at(player, field)
    if kind is None:
        raise IllegalMove("MK-6", f"there is no piece on {field} of your plant", "name a field on which a piece lies")
    return kind


def check_free(field: Field, free: Sequence[Field], clause: str) -> None:
    """The field is one of those that are free for the piece."""
    if field not in free:
        choice = f"choose one of {', '.join(free)}" if free else "choose something else: you have no room"
        raise IllegalMove(clause, f"{field} is not a free field for that piece", choice)


def _check_take(t: Deal, public: Public, kind: Kind, field: Field, clause: str) -> None:
    if not in_bank(public, kind):
        raise IllegalMove(clause, f"the bank has no {kind} left", "choose a kind that the bank holds")
    check_free(field, free_fields(t, public.players[public.turn]), clause)


def _check_process(t: Deal, me: Player, source: Field, target: Field, clause: str) -> None:
    if source[0] != DELIVERY or piece_at(me, source) is None:
        raise IllegalMove(clause, f"{source} is not a delivery field with a piece", "name one with a piece on it")
    check_free(target, free_fields(t, me, PROCESSING), clause)
    if not adjacent(source, target):
        raise IllegalMove("MK-2", f"{target} is not next to {source}", "choose a field straight or diagonally behind")


def _check_sell(public: Public, kind: Kind, move: Sell) -> None:
    if move.source[0] != PROCESSING:
        raise IllegalMove("MK-6", "only a processed piece can be sold", "process it first")
    if row_of(public, kind) is not None:
        if move.row is not None:
            raise IllegalMove("MK-9", f"{kind} has its row already", "name no row")
        return
    free = free_rows(public)
    if move.row not in free:
        rows = ", ".join(str(number + 1) for number in free)
        raise IllegalMove("MK-9", f"the first piece of {kind} needs a free row", f"choose one of the rows {rows}")


# --- doing it --------------------------------------------------------------------------------------------------------


def purchase(s: Scratch, move: Buy | Shift) -> None:
    """MK-12, MK-13: pay and do it."""
    price = s.terms.edition.buy_price if isinstance(move, Buy) else s.terms.edition.move_price
    s.earn(s.seat, -price)
    if isinstance(move, Buy):
        _take(s, move.kind, move.field)
        s.tell("buys", seat=s.seat, kind=move.kind, price=price)
    else:
        kind = _process(s, move.source, move.target)
        s.tell("moves", seat=s.seat, kind=kind, source=move.source, target=move.target, price=price)


def act(s: Scratch, move: Action) -> None:
    """MK-6: one action with a piece."""
    if isinstance(move, Take):
        _take(s, move.kind, move.field)
        s.tell("takes", seat=s.seat, kind=move.kind)
    elif isinstance(move, Process):
        kind = _process(s, move.source, move.target)
        s.tell("processes", seat=s.seat, kind=kind, source=move.source, target=move.target)
    else:
        _sell(s, s.lift(s.seat, move.source), move.row)


def _take(s: Scratch, kind: Kind, field: Field) -> None:
    s.bank(kind, -1)
    s.place(s.seat, field, kind)


def _process(s: Scratch, source: Field, target: Field) -> Kind:
    kind = s.lift(s.seat, source)
    s.place(s.seat, target, kind)
    return kind


def _sell(s: Scratch, kind: Kind, chosen: int | None) -> None:
    """MK-9: a piece goes on the next field of its row, or back to the bank when the row is full."""
    reserved = row_of(s.public, kind)
    number = chosen if reserved is None else reserved
    assert number is not None, "the first piece of a kind chooses its row"
    if is_full(s.terms, s.public, number):
        s.bank(kind, 1)
        s.tell("gives back", seat=s.seat, kind=kind)
        return
    value = next_value(s.terms, s.public, number)
    market = list(s.public.market)
    market[number] = replace(market[number], kind=kind, pieces=market[number].pieces + 1)
    s.set(market=tuple(market), idle=0)
    s.earn(s.seat, value)
    s.tell("sells", seat=s.seat, kind=kind, price=value, row=number + 1)
    s.end_if_full()
