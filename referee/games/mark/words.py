"""Moves as people type them (`parse`, `text`), and the list of what is legal (`legal`)."""

from collections.abc import Iterator, Sequence

from referee.errors import IllegalMove
from referee.forms import Choice
from referee.game import ask_of

from .actions import actions, purchases
from .tables import (
    free_fields,
    free_rows,
    held,
    in_bank,
    liquidation_value,
    lot_fields,
    lowest_bid,
    next_to,
    next_value,
    piece_at,
    rolled_kinds,
    row_of,
    storage_cost,
)
from .types import (
    FIELDS,
    KINDS,
    Bid,
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
    Roll,
    Sell,
    Shift,
    Sight,
    Take,
)

NAMES: dict[str, Kind] = {kind: kind for kind in KINDS}
NAMES |= {"glas": "glass", "kunststoff": "plastic", "plastik": "plastic", "papier": "paper", "metall": "metal"}
NAMES |= {"verbund": "composite"}
PLACES: dict[str, Field] = {field: field for field in FIELDS}
LONGEST = 200
CLAUSES = {"buy": "MK-12", "move": "MK-13", "name": "MK-8", "offer": "MK-14", "bid": "MK-10"}
"""Where a word is explained; MK-6 for all others."""
ACTING = "write for example `take glass d1`, `process d2 p3`, `sell p3`, `sell p3 row 2` or `pass`"
FORMS = {
    "turn": "write for example `roll`, `buy glass d2` or `move d3 p2`",
    "act": ACTING,
    "again": ACTING,
    "name": "write for example `name glass`",
    "offer": "write for example `offer d2` or `offer none`",
    "bid": "write for example `bid 7 d2` or `bid 0`",
}
"""What to type, by what is asked."""
PASSES: dict[str, Move] = {"offer": Offer(None), "bid": Bid(0, None)}


def text(move: Move) -> str:
    """The move in its short form."""
    match move:
        case Roll():
            return "roll"
        case Nothing():
            return "pass"
        case Buy(kind, field):
            return f"buy {kind} {field}"
        case Take(kind, field):
            return f"take {kind} {field}"
        case Shift(source, target):
            return f"move {source} {target}"
        case Process(source, target):
            return f"process {source} {target}"
        case Sell(source, row):
            return f"sell {source}" if row is None else f"sell {source} row {row + 1}"
        case Name(kind):
            return f"name {kind}"
        case Offer(field):
            return f"offer {field or 'none'}"
        case Bid(amount, field):
            return f"bid {amount} {field}" if field else f"bid {amount}"


# --- what people type ------------------------------------------------------------------------------------------------


class Reader:
    """The words of one typed move, and what is needed to fill in what they leave open."""

    __slots__ = ("asked", "me", "seen", "terms", "word", "words")

    def __init__(self, terms: Deal, seen: Sight, typed: str) -> None:
        ask = ask_of(seen.pending, seen.seat)
        self.terms, self.seen, self.word = terms, seen, ""
        self.asked = ask.what if ask else ""
        self.me: Player = seen.public.players[seen.seat]
        if len(typed) > LONGEST:
            raise self.unclear("the move is too long")
        self.words = typed.casefold().replace(",", " ").split()
        if not self.words:
            raise self.unclear("the move is empty")
        self.word = self.words.pop(0)

    def unclear(self, message: str, next: str = "") -> IllegalMove:
        return IllegalMove(CLAUSES.get(self.word, "MK-6"), message, next or FORMS.get(self.asked, ACTING))

    def kind(self) -> Kind:
        if not self.words or self.words[0] not in NAMES:
            raise self.unclear(f"{self.word} needs a kind: {', '.join(KINDS)}")
        return NAMES[self.words.pop(0)]

    def field(self, options: Sequence[Field] = ()) -> Field:
        """The field that comes next or, if none is given, the only one possible."""
        if self.words and self.words[0] in PLACES:
            return PLACES[self.words.pop(0)]
        if self.words or not options:
            raise self.unclear(f"{self.word} needs a field such as d2 or p3")
        if len(options) > 1:
            raise self.unclear(f"{self.word} leaves the field open", f"add one of {', '.join(options)}")
        return options[0]

    def number(self, most: int) -> int:
        """A number from 0 to `most`."""
        word = self.words.pop(0) if self.words else ""
        if not (word.isascii() and word.isdigit()) or len(word) > len(str(most)) or int(word) > most:
            raise self.unclear(f"{self.word} needs a number from 0 to {most}")
        return int(word)

    def move(self) -> Move:
        """The move that the words mean."""
        match self.word:
            case "roll":
                return Roll()
            case "pass":
                return PASSES.get(self.asked, Nothing())
            case "buy":
                return Buy(self.kind(), self.field(free_fields(self.terms, self.me)))
            case "take":
                return Take(self.kind(), self.field(free_fields(self.terms, self.me)))
            case "move":
                return Shift(source := self.field(), self.field(next_to(self.terms, self.me, source)))
            case "process":
                return Process(source := self.field(), self.field(next_to(self.terms, self.me, source)))
            case "sell":
                return self.sale()
            case "name":
                return Name(self.kind())
            case "offer":
                return self.offer()
            case "bid":
                return self.bid()
        raise self.unclear(f"the move cannot be read at {_quoted(self.word)}")

    def sale(self) -> Sell:
        source, public = self.field(), self.seen.public
        if self.words[:1] == ["row"]:
            self.words.pop(0)
            row = self.number(len(public.market))
            if not row:
                raise self.unclear("rows count from 1")
            return Sell(source, row - 1)
        kind, rows = piece_at(self.me, source), free_rows(public)
        first = kind is not None and row_of(public, kind) is None
        return Sell(source, rows[0] if first and len(rows) == 1 else None)

    def offer(self) -> Offer:
        if self.words == ["none"]:
            self.words.clear()
            return Offer(None)
        return Offer(self.field())

    def bid(self) -> Bid:
        amount, lot = self.number(10**9), self.seen.public.lot
        if not amount and not self.words:
            return Bid(0, None)
        return Bid(amount, self.field(lot_fields(self.terms, lot, self.me) if lot else ()))


def parse(terms: Deal, seen: Sight, text: str) -> Move:
    """Read a typed move; a field or row left out is filled in where only one is possible."""
    reader = Reader(terms, seen, text)
    move = reader.move()
    if reader.words:
        raise reader.unclear(f"the move cannot be read at {_quoted(reader.words[0])}")
    return move


def _quoted(token: str) -> str:
    """What may be echoed of a stranger's text."""
    clean = "".join(letter for letter in token if letter.isascii() and letter.isalnum())[:20]
    return f"'{clean}'" if clean else "a sign that is no letter"


# --- what is legal ---------------------------------------------------------------------------------------------------


def options(terms: Deal, seen: Sight) -> list[Move]:
    """Every legal move, one by one; of bids only the pass and the lowest bid for each field."""
    ask, public = ask_of(seen.pending, seen.seat), seen.public
    if ask is None:
        return []
    if ask.what == "turn":
        return [Roll(), *purchases(terms, public)]
    if ask.what == "name":
        return [Name(kind) for kind in KINDS]
    lot, me = public.lot, public.players[seen.seat]
    if lot is None:
        return [*actions(terms, public, rolled_kinds(public.dice)), Nothing()]
    if ask.what == "offer":
        return [*(Offer(field) for field in held(terms, me, lot.kind)), Offer(None)]
    lowest = lowest_bid(terms, public, lot.kind)
    return [*(Bid(lowest, field) for field in lot_fields(terms, lot, me)), Bid(0, None)]


def legal(terms: Deal, seen: Sight) -> tuple[Choice, ...]:
    """What the seat may do: single moves, and all bids above 0 as one family."""
    ask = ask_of(seen.pending, seen.seat)
    if ask is not None and ask.what == "bid":
        return tuple(_bids(terms, seen))
    return tuple(Choice(text(move), move, _note(terms, seen, move)) for move in options(terms, seen))


def _bids(terms: Deal, seen: Sight) -> Iterator[Choice]:
    *lowest, nothing = options(terms, seen)
    lot, money = seen.public.lot, seen.public.players[seen.seat].money
    assert lot is not None, "there is a piece to bid for"
    places = [move.field for move in lowest if isinstance(move, Bid) and move.field]
    least = lowest_bid(terms, seen.public, lot.kind)
    amounts = f"{least}" if money == least else f"{least} to {money}"
    where = f"on one of: {' '.join(places)}" if len(places) > 1 else f"on {places[0]}"
    single = money == least and len(places) == 1
    whose = f"{lot.kind} from the {'bank' if lot.owner is None else 'plant of another player'}"
    yield Choice(text(lowest[0]) if single else f"bid {amounts} {where}", lowest[0], whose)
    yield Choice(text(nothing), nothing, "no bid")


def _note(terms: Deal, seen: Sight, move: Move) -> str:
    """What a move costs, brings or leads to."""
    public, me = seen.public, seen.public.players[seen.seat]
    match move:
        case Buy(kind, _) | Take(kind, _):
            cost = f"costs {terms.edition.buy_price}; " if isinstance(move, Buy) else ""
            return f"{cost}the bank has {in_bank(public, kind)}"
        case Shift(source, _) | Process(source, _):
            cost = f"costs {terms.edition.move_price}; " if isinstance(move, Shift) else ""
            return f"{cost}{piece_at(me, source)}"
        case Sell(source, row):
            kind = piece_at(me, source) or KINDS[0]
            number = row_of(public, kind) if row is None else row
            return f"{kind}; brings {0 if number is None else next_value(terms, public, number)}"
        case Name(kind):
            return f"the bank has {in_bank(public, kind)}; lowest bid {lowest_bid(terms, public, kind)}"
        case Offer(field):
            return _offer_note(terms, seen) if field else ""
        case Roll():
            stored = storage_cost(terms, me)
            return f"storage costs {stored} at the start of every turn" if stored else ""
    return ""


def _offer_note(terms: Deal, seen: Sight) -> str:
    lot = seen.public.lot
    if lot is None or not terms.options.liquidation:
        return "if nobody before you is willing"
    value = liquidation_value(terms, seen.public, lot.kind)
    return f"if nobody before you is willing; brings at least {value}"
