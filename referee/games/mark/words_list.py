"""What is legal, as data: single moves, and families of moves with their parts.

Kinds stand in the order of the rules, fields in that of the plant, sales by what they bring, the best first.
"""

from collections.abc import Collection, Iterator, Sequence

import msgspec
from msgspec.structs import replace

from referee.forms import Choice, Number, Option, Pick, When, family, one_of
from referee.game import LINK, ask_of
from referee.games import as_typed
from referee.language import Wording, either, listed

from .actions import actions, after, purchases
from .lookups import (
    free_rows,
    held,
    in_bank,
    is_double,
    liquidation_value,
    lot_fields,
    lowest_bid,
    next_value,
    piece_at,
    rolled_kinds,
    row_of,
    storage_cost,
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
    Move,
    Name,
    Nothing,
    Offer,
    Player,
    Process,
    Public,
    Roll,
    Sell,
    Shift,
    Sight,
    Take,
)
from .words import text

w = Wording("referee.games.mark")

Pairs = Sequence[tuple[Option, Option]]


def legal(terms: Deal, seen: Sight) -> tuple[Choice, ...]:
    """What the seat may do."""
    ask = ask_of(seen.pending, seen.seat)
    if ask is None or ask.what == LINK:
        return ()
    lists = {"turn": _turn, "act": _act, "again": _act, "name": _names, "offer": _offers, "bid": _bids}
    return tuple(lists[ask.what](terms, seen.public, seen.seat, ask.what))


# --- families --------------------------------------------------------------------------------------------------------


def _family(move: Move, about: str, note: str, asks: dict[str, str], pairs: Pairs) -> Choice:
    """The moves like this one, but with any of these pairs of values in the two members that are asked for."""
    if len(pairs) == 1:
        return Choice(text(move), move, note, at=tuple(option.at for option in pairs[0] if option.at))
    first, second = asks
    firsts = {option.text: option for option, _ in pairs}
    after: dict[str, set[str]] = {}
    for option, then in pairs:
        after.setdefault(then.text, set()).add(option.text)
    seconds = {then.text: replace(then, when=_only(first, after[then.text], firsts)) for _, then in pairs}
    options = {first: tuple(firsts.values()), second: tuple(seconds.values())}
    parts = [Pick(name, asks[name], some) for name, some in options.items() if len(some) > 1]
    # Where the first is not asked for, it is clicked all the same: a piece, and then where it goes.
    (only, *more) = firsts.values()
    return family(about, move, parts, note, at=() if more or not only.at else (only.at,))


def _only(part: str, names: Collection[str], known: Collection[str]) -> tuple[When, ...]:
    """One of these names was picked, of all that are known."""
    if len(names) == 1 < len(known):
        return tuple(When(part, name) for name in names)
    return tuple(When(part, name, 0, 0) for name in known if name not in names)


def _kind(value: Kind) -> Option:
    return Option(value, value, at=f"kind:{value}")


def _field(value: Field) -> Option:
    return Option(value, value, at=f"field:{value}")


def _with_kind(me: Player, field: Field) -> str:
    """`d1 (glass)`."""
    kind = piece_at(me, field)
    return f"{field} ({w(kind)})" if kind else field


def _fetching(moves: Sequence[Buy] | Sequence[Take], note: str) -> Iterator[Choice]:
    """Pieces from the bank to the delivery area."""
    if moves:
        which = {
            "kinds": either(dict.fromkeys(w(move.kind) for move in moves)),
            "fields": either(dict.fromkeys(move.field for move in moves)),
        }
        about = (
            w("buy {kinds} to {fields}", **which)
            if isinstance(moves[0], Buy)
            else w("take {kinds} to {fields}", **which)
        )
        pairs = [(_kind(move.kind), _field(move.field)) for move in moves]
        yield _family(moves[0], about, note, {"kind": w("which kind?"), "field": w("onto which field?")}, pairs)


def _shifting(me: Player, moves: Sequence[Shift] | Sequence[Process], note: str) -> Iterator[Choice]:
    """Pieces from the delivery area to the processing area."""
    if moves:
        which = {
            "pieces": either(dict.fromkeys(_with_kind(me, move.source) for move in moves)),
            "fields": either(sorted({move.target for move in moves})),
        }
        shifts = isinstance(moves[0], Shift)
        about = w("move {pieces} to {fields}", **which) if shifts else w("process {pieces} to {fields}", **which)
        pairs = [(_field(move.source), _field(move.target)) for move in moves]
        yield _family(moves[0], about, note, {"source": w("from which field?"), "target": w("to which field?")}, pairs)


# --- your own turn ---------------------------------------------------------------------------------------------------


def _turn(terms: Deal, public: Public, seat: int, what: str) -> Iterator[Choice]:
    me, e = public.players[seat], terms.edition
    stored = storage_cost(terms, me)
    note = w("storage costs {cost} at the start of every turn", cost=stored) if stored else ""
    yield Choice("roll", Roll(), note, at=("do:roll",))
    found = list(purchases(terms, public))
    yield from _fetching([move for move in found if isinstance(move, Buy)], w("costs {price}", price=e.buy_price))
    yield from _shifting(
        me, [move for move in found if isinstance(move, Shift)], w("costs {price}", price=e.move_price)
    )


def _act(terms: Deal, public: Public, seat: int, what: str) -> Iterator[Choice]:
    me = public.players[seat]
    found = list(actions(public, rolled_kinds(public.dice)))
    sales = [move for move in found if isinstance(move, Sell)]
    yield from _sales(terms, public, me, [move for move in sales if move.row is None])
    yield from _openings(terms, public, me, [move for move in sales if move.row is not None])
    yield from _shifting(me, [move for move in found if isinstance(move, Process)], "")
    takes = [move for move in found if isinstance(move, Take)]
    left = listed(dict.fromkeys(f"{in_bank(public, move.kind)} {w(move.kind)}" for move in takes))
    yield from _fetching(takes, w("the bank has {pieces}", pieces=left))
    if what == "act" and is_double(public.dice):
        # After a sale other things are possible than after the rest: two families say so more shortly than one.
        for firsts in (sales, [move for move in found if not isinstance(move, Sell)]):
            if firsts:
                yield _double(terms, public, firsts)
    yield Choice("pass", Nothing(), w("no action") if what == "act" else w("no second action"))


def _sales(terms: Deal, public: Public, me: Player, sales: Sequence[Sell]) -> Iterator[Choice]:
    """What goes to the row of its kind, the dearest first."""

    def brings(move: Sell) -> tuple[Kind, int]:
        kind = piece_at(me, move.source) or KINDS[0]
        return kind, next_value(terms, public, row_of(public, kind) or 0)

    for move in sorted(sales, key=lambda move: -brings(move)[1]):
        kind, value = brings(move)
        note = w("{kind}; brings {value}", kind=w(kind), value=value)
        yield Choice(text(move), move, note, at=(f"field:{move.source}",))


def _openings(terms: Deal, public: Public, me: Player, sales: Sequence[Sell]) -> Iterator[Choice]:
    """What is the first of its kind, and chooses a row."""
    if sales:
        sources = dict.fromkeys(move.source for move in sales)
        about = w("sell {pieces} and open a row", pieces=either(_with_kind(me, one) for one in sources))
        values = {row: next_value(terms, public, row) for row in free_rows(public)}
        note = ", ".join(w("row {row} brings {value}", row=row + 1, value=value) for row, value in values.items())
        pairs = [(_field(move.source), _row(move.row or 0)) for move in sales]
        yield _family(sales[0], about, note, {"source": w("which piece?"), "row": w("which row?")}, pairs)


def _row(row: int) -> Option:
    return Option(f"row {row + 1}", row, at=f"row:{row + 1}")


def _double(terms: Deal, public: Public, firsts: Sequence[Action]) -> Choice:
    """MK-7: both actions in one answer."""
    pairs = []
    options: dict[Action | Nothing, Option] = {}
    for first in firsts:
        position = after(terms, public, first)
        seconds = [] if position.result else [*actions(position, rolled_kinds(public.dice))]
        for second in (*seconds, Nothing()):
            for move in (first, second):
                if move not in options:
                    options[move] = Option(text(move), msgspec.to_builtins(move))
            pairs.append((options[first], options[second]))
    example = as_typed("mark", f"{pairs[0][0].text} then {pairs[0][1].text}")
    about = w("two actions in one answer, for example: {example}", example=example)
    asks = {"first": w("which action first?"), "second": w("which action then?")}
    return _family(Both(firsts[0], Nothing()), about, w("double"), asks, pairs)


# --- auctions --------------------------------------------------------------------------------------------------------


def _names(terms: Deal, public: Public, seat: int, what: str) -> Iterator[Choice]:
    for kind in KINDS:
        lowest = lowest_bid(terms, public, kind)
        note = w("the bank has {number}; lowest bid {lowest}", number=in_bank(public, kind), lowest=lowest)
        yield Choice(f"name {kind}", Name(kind), note, at=(f"kind:{kind}",))


def _offers(terms: Deal, public: Public, seat: int, what: str) -> Iterator[Choice]:
    lot = public.lot
    assert lot is not None, "a kind is called for"
    note = w("if nobody before you is willing")
    if terms.options.liquidation:
        least = liquidation_value(terms, public, lot.kind)
        note = w("if nobody before you is willing; brings at least {least}", least=least)
    own = held(public.players[seat], lot.kind)
    if len(own) == 1:
        yield Choice(f"offer {own[0]}", Offer(own[0]), note, at=(f"field:{own[0]}",))
    else:
        about = w("offer the {kind} on {fields}", kind=w(lot.kind), fields=either(own))
        yield family(about, Offer(own[0]), [one_of("field", w("which piece?"), own, "field")], note)
    yield Choice("offer none", Offer(None), w("no offer"))


def _bids(terms: Deal, public: Public, seat: int, what: str) -> Iterator[Choice]:
    lot, me = public.lot, public.players[seat]
    assert lot is not None, "there is a piece to bid for"
    places, least = lot_fields(lot, me), lowest_bid(terms, public, lot.kind)
    whose = w("{kind} from the bank", kind=w(lot.kind))
    if lot.owner is not None:
        whose = w("{kind} from the plant of another player", kind=w(lot.kind))
    lowest = Bid(least, places[0])
    if me.money == least and len(places) == 1:
        yield Choice(text(lowest), lowest, whose, at=(f"field:{places[0]}",))
    else:
        parts = (
            Number("amount", w("how many Mark?"), least, me.money),
            one_of("field", w("onto which field?"), places, "field"),
        )
        about = w("bid {least}, the piece goes to {fields}", least=least, fields=either(places))
        if me.money != least:
            most = {"least": least, "most": me.money, "fields": either(places)}
            about = w("bid {least} to {most}, the piece goes to {fields}", **most)
        yield family(about, lowest, parts, whose)
    yield Choice("bid 0", Bid(0, None), w("no bid"))
