"""What players do in their own turns: buy or move for money instead of rolling, and actions with the dice."""

from collections.abc import Iterator, Sequence

from .lookups import (
    DELIVERY,
    PROCESSING,
    adjacent,
    free_fields,
    free_rows,
    held,
    in_bank,
    is_double,
    is_free,
    is_full,
    next_to,
    next_value,
    piece_at,
    pieces,
    rolled_kinds,
    row_of,
)
from .scratch import Scratch, trial
from .types import (
    KINDS,
    Action,
    Both,
    Buy,
    Deal,
    Field,
    Kind,
    Nothing,
    Player,
    Position,
    Process,
    Public,
    Row,
    Sell,
    Shift,
    Take,
    illegal,
)

# --- what can be done ------------------------------------------------------------------------------------------------


def purchases(t: Deal, p: Position) -> Iterator[Buy | Shift]:
    """Everything that can be done instead of rolling (MK-12, MK-13)."""
    me = p.players[p.turn]
    if t.options.buy and me.money >= t.edition.buy_price:
        free = free_fields(me)
        for kind in KINDS if free else ():
            if in_bank(p, kind):
                for field in free:
                    yield Buy(kind, field)
    if t.options.move and me.money >= t.edition.move_price:
        for source, piece in pieces(me, DELIVERY):
            if piece:
                for target in next_to(me, source):
                    yield Shift(source, target)


def actions(p: Position, kinds: Sequence[Kind]) -> Iterator[Action]:
    """Every action with a piece of one of these kinds (MK-6)."""
    me = p.players[p.turn]
    free = free_fields(me)
    for kind in kinds:
        if free and in_bank(p, kind):
            for field in free:
                yield Take(kind, field)
        for source in held(me, kind, DELIVERY):
            for target in next_to(me, source):
                yield Process(source, target)
        sources = held(me, kind, PROCESSING)
        rows: Sequence[int | None] = free_rows(p) if sources and row_of(p, kind) is None else (None,)
        yield from [Sell(source, row) for source in sources for row in rows]


# --- what is allowed -------------------------------------------------------------------------------------------------


def check_purchase(t: Deal, p: Position, move: Buy | Shift) -> None:
    """MK-12, MK-13."""
    me = p.players[p.turn]
    clause, allowed, cost = (
        ("MK-12", t.options.buy, t.edition.buy_price)
        if isinstance(move, Buy)
        else ("MK-13", t.options.move, t.edition.move_price)
    )
    if not allowed:
        raise illegal(clause, "without-option")
    if me.money < cost:
        raise illegal(clause, "too-dear", cost=cost, money=me.money)
    if isinstance(move, Buy):
        _check_take(p, move.kind, move.field, clause)
    else:
        _check_process(me, move.source, move.target, clause)


def check_action(p: Position, move: Action) -> None:
    """MK-6, MK-9: the piece is of a rolled kind, and can go where the move puts it."""
    me = p.players[p.turn]
    kind = move.kind if isinstance(move, Take) else _piece(me, move.source)
    if kind not in p.dice and "star" not in p.dice:
        raise illegal("MK-6", "not-rolled", kind=kind, dice=rolled_kinds(p.dice))
    if isinstance(move, Take):
        _check_take(p, move.kind, move.field, "MK-6")
    elif isinstance(move, Process):
        _check_process(me, move.source, move.target, "MK-6")
    else:
        _check_sell(p, kind, move)


def check_first(p: Position, move: Both) -> None:
    """MK-7: a double, and the first of two actions."""
    if not is_double(p.dice):
        raise illegal("MK-7", "no-double")
    check_action(p, move.first)


def after(t: Deal, public: Public, *moves: Action | Buy | Shift) -> Scratch:
    """The position to which these moves lead; they draw nothing."""
    s = trial(t, public)
    for move in moves:
        if isinstance(move, Buy | Shift):
            purchase(s, move)
        else:
            act(s, move)
    return s


def check_second(s: Scratch, move: Action | Nothing) -> None:
    """MK-7: the second of two actions, after the first."""
    if isinstance(move, Nothing):
        return
    if s.result is not None:
        raise illegal("MK-7", "over-after-first")
    check_action(s, move)


def _piece(player: Player, field: Field) -> Kind:
    kind = piece_at(player, field)
    if kind is None:
        raise illegal("MK-6", "no-piece", field=field)
    return kind


def check_free(player: Player, field: Field, areas: str, clause: str) -> None:
    """Refuse a field that is not a free one in these areas."""
    if not is_free(player, field, areas):
        free = free_fields(player, areas)
        if free:
            raise illegal(clause, "field-not-free", field=field, free=tuple(free))
        raise illegal(clause, "no-room", field=field)


def _check_take(p: Position, kind: Kind, field: Field, clause: str) -> None:
    if not in_bank(p, kind):
        raise illegal(clause, "bank-empty", kind=kind)
    check_free(p.players[p.turn], field, DELIVERY, clause)


def _check_process(me: Player, source: Field, target: Field, clause: str) -> None:
    if source[0] != DELIVERY or piece_at(me, source) is None:
        raise illegal(clause, "no-delivered-piece", source=source)
    check_free(me, target, PROCESSING, clause)
    if not adjacent(source, target):
        raise illegal("MK-2", "not-adjacent", target=target, source=source)


def _check_sell(p: Position, kind: Kind, move: Sell) -> None:
    if move.source[0] != PROCESSING:
        raise illegal("MK-6", "not-processed")
    if row_of(p, kind) is not None:
        if move.row is not None:
            raise illegal("MK-9", "row-reserved", kind=kind)
        return
    free = free_rows(p)
    if move.row not in free:
        raise illegal("MK-9", "row-not-free", kind=kind, rows=tuple(number + 1 for number in free))


# --- doing it --------------------------------------------------------------------------------------------------------


def purchase(s: Scratch, move: Buy | Shift) -> None:
    """MK-12, MK-13: pay, then buy or move."""
    price = s.terms.edition.buy_price if isinstance(move, Buy) else s.terms.edition.move_price
    s.earn(s.turn, -price)
    if isinstance(move, Buy):
        _take(s, move.kind, move.field)
        s.tell("buys", seat=s.turn, kind=move.kind, price=price)
    else:
        kind = _process(s, move.source, move.target)
        s.tell("moves", seat=s.turn, kind=kind, source=move.source, target=move.target, price=price)


def act(s: Scratch, move: Action) -> None:
    """MK-6: one action with a piece."""
    if isinstance(move, Take):
        _take(s, move.kind, move.field)
        s.tell("takes", seat=s.turn, kind=move.kind)
    elif isinstance(move, Process):
        kind = _process(s, move.source, move.target)
        s.tell("processes", seat=s.turn, kind=kind, source=move.source, target=move.target)
    else:
        _sell(s, s.lift(s.turn, move.source), move.row)


def _take(s: Scratch, kind: Kind, field: Field) -> None:
    s.stock(kind, -1)
    s.place(s.turn, field, kind)


def _process(s: Scratch, source: Field, target: Field) -> Kind:
    kind = s.lift(s.turn, source)
    s.place(s.turn, target, kind)
    return kind


def _sell(s: Scratch, kind: Kind, chosen: int | None) -> None:
    """MK-9: a piece goes on the next field of its row, or back to the bank when the row is full."""
    reserved = row_of(s, kind)
    number = chosen if reserved is None else reserved
    assert number is not None  # the first piece of a kind chooses its row
    if is_full(s.terms, s, number):
        s.stock(kind, 1)
        s.tell("gives back", seat=s.turn, kind=kind)
        return
    value = next_value(s.terms, s, number)
    s.market[number] = Row(kind, s.market[number].pieces + 1)
    s.idle = 0
    s.earn(s.turn, value)
    s.tell("sells", seat=s.turn, kind=kind, price=value, row=number + 1)
    s.end_if_full()
