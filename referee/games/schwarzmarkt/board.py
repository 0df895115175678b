"""The position as terminal text."""

from collections.abc import Iterator, Sequence
from itertools import chain

from referee.game import LINK, Paint, Result, Seat
from referee.picture import WIDTH, Line, columns, fitted, heading, painted, width

from .tables import (
    EVENTS,
    TITLES,
    amounts_of,
    at_end,
    at_most,
    count,
    end_field,
    goods_in,
    held,
    is_offer,
    most_steps,
    most_traded,
    price,
    total,
    wants,
)
from .types import GOODS, Amounts, Deal, Good, Public, Sight
from .words import effect, in_order

LEFT = 7
"""Columns left of the track."""
NAME = 12
CARD = 20
"""Columns of a card's name."""
COLOUR: dict[Good, str] = {"potatoes": "orange", "coffee": "red", "flour": "blue", "butter": "yellow", "sugar": "green"}
"""No good is a colour; these only help the eye."""
HALVES = ("", "first half", "second half")
ASKED = {
    "play": "plays a black-market card",
    "trade": "may trade, then the marker moves",
    "spy": "names the player whose goods are shown (Spionage)",
    "quick": "trades in one goods card (Schnelles Geschäft)",
    "swap": "chooses player and cards to swap (Zwangstausch)",
    "raid": "names a player and a good (Razzia)",
    "find": "ranks the goods, best first (Neue Ware entdeckt)",
    "collect": "names the player who gives a card (Alte Rechnung)",
}


def draw(terms: Deal, seen: Sight, names: Sequence[str], paint: Paint, width: int = 100) -> str:
    """The whole position as this seat sees it."""
    public, short = seen.public, [fitted(name, NAME) for name in names]
    if seen.result is None:
        table = [heading("Price"), *_track(terms, public), heading("Black market"), *_market(terms, seen)]
    else:
        table = [heading("Result"), *_result(seen.result, short)]
    blocks: list[list[Line]] = [
        [heading(f"Schwarzmarkt · {HALVES[public.half]}"), *_half(terms, seen)],
        table,
        [heading("Players"), *_players(seen, short)],
        [heading("You"), *_goods(seen), *_cards(terms, seen)],
        [heading("Piles"), *_piles(public)],
        list(_asked(terms, seen, short)),
    ]
    return painted(chain.from_iterable(blocks), paint)


def _half(terms: Deal, seen: Sight) -> Iterator[Line]:
    public, e = seen.public, terms.edition
    near = public.idle + 3 >= e.idle_cards
    what = "half" if public.half == 1 else "game"
    ends = "the game is over" if seen.result else f"the {what} ends when somebody trades in a last goods card"
    yield [
        (f"{ends}; cards played ", ""),
        (f"{public.played}/{e.half_cards}", "bold"),
        (", without a trade ", ""),
        (f"{public.idle}/{e.idle_cards}", "red" if near else "bold"),
    ]


def _track(terms: Deal, public: Public) -> Iterator[Line]:
    """Values, the marker below them, and how far it may go from each field; a long track takes several rows."""
    track, end = terms.edition.track, end_field(terms, public)
    cell = max(map(len, map(str, track))) + 4
    per_row = (WIDTH - LEFT) // cell
    for first in range(0, len(track), per_row):
        fields = range(first, min(first + per_row, len(track)))
        yield [("value".ljust(LEFT), "dim"), *(_value(track[at], at, public.marker, end, cell) for at in fields)]
        yield [(" " * LEFT, ""), *(_rail(at, public.marker, end, cell) for at in fields)]
        yield [
            ("die".ljust(LEFT), "dim"),
            *(_die(terms.edition.steps[at], at, public.marker, end, cell) for at in fields),
        ]
    far = _to(most_steps(terms, public))
    moves = "it is the last turn" if at_end(terms, public) else f"the marker moves 1 after a trade, otherwise {far}"
    half = f" (the next one half, {price(terms, public) // 2})" if public.spoiled else ""
    yield [(f"a goods card pays {price(terms, public)}", "bold"), (half, "red"), (f"; {moves}", "")]


def _value(value: int, at: int, marker: int, end: int, cell: int) -> tuple[str, str]:
    words = f"[{value}]" if at == marker else str(value)
    return f"{words:^{cell}}", "bold" if at == marker else "dim" if at < marker or at > end else ""


def _rail(at: int, marker: int, end: int, cell: int) -> tuple[str, str]:
    if at > end:
        return " " * cell, ""
    sign = "●" if at == marker else "┤" if at == end else "┼"
    rail = f"{sign:─^{cell}}"
    middle = rail.index(sign)
    return rail if at < end else rail[: middle + 1] + " " * (cell - middle - 1), "bold" if at == marker else "dim"


def _die(symbol: int, at: int, marker: int, end: int, cell: int) -> tuple[str, str]:
    words = "end" if at == end else _to(symbol, "-") if at < end else ""
    return f"{words:^{cell}}", "bold" if at == marker else "dim"


def _to(far: int, between: str = " to ") -> str:
    return "1" if far == 1 else f"1{between}{far}"


def _market(terms: Deal, seen: Sight) -> Iterator[Line]:
    """The card on the table, what is still wanted of it, and the text cards that wait or are in force."""
    public = seen.public
    card, trading = public.offer, public.offer is not None and is_offer(public.offer)
    if card is None:
        yield [("no card on the table", "dim")]
    elif trading:
        yield from _offer(terms, seen, card)
    else:
        yield [(f"{_title(card):<{CARD}}", "bold"), (effect(terms, EVENTS[card]), "")]
    for event in public.in_force:
        words = effect(terms, event).replace("next", "this") if trading else effect(terms, event)
        done = " (done)" if event == "verdorbene-ware" and trading and not public.spoiled else ""
        yield [(f"{TITLES[event]:<{CARD}}", "bold"), (words + done, "dim" if done else "")]


def _offer(terms: Deal, seen: Sight, card: str) -> Iterator[Line]:
    """What an offer wants, what of it is left, what the player could trade of that, and what has been traded."""
    public, left = seen.public, (" " * CARD, "")
    yours = at_most(public.wanted, held(seen))
    yield [(f"{_title(card):<{CARD}}", "bold"), ("wants   ", "dim"), *_boxes(terms, public, card)]
    yield [left, ("still   ", "dim"), *_amounts(public.wanted)]
    only = "   (one card a turn)" if total(yours) > 1 == most_traded(public) else ""
    yield [left, ("yours   ", "dim"), *_amounts(yours), (only, "dim")]
    yield [left, ("traded  ", "dim"), *_amounts(amounts_of(public.traded))]


def _boxes(terms: Deal, public: Public, card: str) -> Line:
    """One box for every wanted card: crossed once it has been traded."""
    line: Line = []
    for good in GOODS:
        number, left = count(wants(terms, card), good), count(public.wanted, good)
        line += [("[x]" * (number - left), "dim"), ("[ ]" * left, COLOUR[good])]
        line.append((f" {good}   ", COLOUR[good] if left else "dim") if number else ("", ""))
    return line if width(line) <= WIDTH - CARD - 8 else _amounts(wants(terms, card))


def _amounts(amounts: Amounts) -> Line:
    """`2 butter  1 sugar`, each in its colour."""
    line: Line = []
    for good in goods_in(amounts):
        line += [("  " if line else "", ""), (f"{count(amounts, good)} {good}", COLOUR[good])]
    return line or [("nothing", "dim")]


def _players(seen: Sight, names: Sequence[str]) -> Iterator[Line]:
    yield [(f"  {'player':<{NAME}}  luxury  goods  cards", "dim")]
    for seat, player in enumerate(seen.public.players):
        asked = any(ask.seat == seat for ask in seen.pending)
        marks = ", ".join(_marks(seen, seat))
        yield [
            ("► " if asked else "  ", "bold"),
            (names[seat], "bold" if seat == seen.seat else ""),
            (f"{player.luxury:>8}", "bold"),
            (f"{player.goods:>7}", "red" if player.goods <= 2 else ""),
            (f"{player.cards:>7}", ""),
            (f"  {marks}", "dim"),
        ]


def _marks(seen: Sight, seat: Seat) -> Iterator[str]:
    if seat == seen.seat:
        yield "you"
    if seat == seen.public.start and not seen.result:
        yield "start player"


def _goods(seen: Sight) -> Iterator[Line]:
    line: Line = [(f"{'goods':<{CARD}}", "dim")]
    for good in GOODS:
        number = count(held(seen), good)
        line.append((f"{number} {good}   ", COLOUR[good] if number else "dim"))
    yield line


def _cards(terms: Deal, seen: Sight) -> Iterator[Line]:
    """Own black-market cards: what an offer wants and how much of it is in hand, what a text card does."""
    for card in in_order(terms, seen.hand("cards")):
        name = (f"{_title(card):<{CARD}}", "bold")
        if is_offer(card):
            wanted = wants(terms, card)
            fitting = total(at_most(wanted, held(seen)))
            yield [name, ("wants ", "dim"), *_amounts(wanted), (f"   you hold {fitting} of {total(wanted)}", "dim")]
        else:
            yield [name, (effect(terms, EVENTS[card]), "")]


def _title(card: str) -> str:
    return card.replace("-", " ") if is_offer(card) else TITLES[EVENTS[card]]


def _piles(public: Public) -> Iterator[Line]:
    yield [
        (f"goods {public.goods_pile} face down", ""),
        (f", under them openly {len(public.goods_under)}: ", "dim"),
        *_amounts(amounts_of(public.goods_under)),
    ]
    cards = [_title(card) for card in public.card_under]
    yield from _wrapped(f"cards {public.card_pile} face down, under them openly {len(cards)}: ", cards or ["nothing"])


def _wrapped(head: str, words: Sequence[str]) -> Iterator[Line]:
    line = head
    for at, word in enumerate(words):
        part = word + (", " if at < len(words) - 1 else "")
        if columns(line + part.rstrip()) > WIDTH:
            yield [(line, "dim")]
            line = "  "
        line += part
    yield [(line, "dim")]


def _result(result: Result, names: Sequence[str]) -> Iterator[Line]:
    for rank, seat in sorted(zip(result.ranks, range(len(names)), strict=True)):
        (luxury,) = result.scores[seat]
        yield [(f"{rank}. {names[seat]}", "bold" if rank == 1 else ""), (f"  luxury {luxury}", "")]


def _asked(terms: Deal, seen: Sight, names: Sequence[str]) -> Iterator[Line]:
    for ask in seen.pending:
        if ask.what == LINK:
            yield [("► nothing is to be decided: the goods are dealt when everybody has answered", "bold")]
            return
        last = ask.what == "trade" and at_end(terms, seen.public)
        doing = "may trade; it is the last turn of the round" if last else ASKED[ask.what]
        yield [(f"► {names[ask.seat].rstrip()} {doing}", "bold")]
