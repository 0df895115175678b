"""The position as terminal text, with the track as a picture; below 80 columns as a short table."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from referee.game import LINK, Paint, Result, Seat
from referee.picture import Line, fitted, heading, painted, width

from .tables import (
    EVENTS,
    SINGULAR,
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
    named,
    price,
    title,
    total,
    wants,
)
from .types import GOODS, Amounts, Deal, Good, Public, Sight
from .words import effect, in_order

PICTURE = 80
"""From so many columns on there is room for a picture of the track and for columns of words."""
LEFT = 7
"""Columns left of the track."""
NAME = 12
WHOLE = 30
"""Columns of a part of a line that is not broken."""
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


def draw(terms: Deal, seen: Sight, names: Sequence[str], paint: Paint, width: int) -> str:
    """The whole position as this seat sees it."""
    public, short, wide = seen.public, [fitted(name, NAME) for name in names], width >= PICTURE
    blocks: dict[str, Iterator[Line]] = {f"Schwarzmarkt · {HALVES[public.half]}": _half(terms, seen)}
    if seen.result is None:
        blocks["Price"] = chain(_track(terms, public, width) if wide else _values(terms, public), _pays(terms, public))
        blocks["Black market"] = _market(terms, seen, width)
    else:
        blocks["Result"] = _result(seen.result, short)
    blocks["Players"] = _players(seen, short, wide)
    blocks["You"] = chain(_goods(seen), _cards(terms, seen, wide))
    blocks["Piles"] = _piles(public)
    lines = [line for title, block in blocks.items() for line in (heading(title, width), *block)]
    folded = (part for line in (*lines, *_asked(terms, seen, short)) for part in _folded(line, width, wide))
    return painted(folded, paint, width)


def _folded(line: Line, most: int, wide: bool) -> Iterator[Line]:
    """A line too long for the picture goes on below, behind a margin; only long parts of it are broken, at blanks."""
    if width(line) <= most:
        yield line
        return
    margin = " " * (CARD if wide and line[0][0].startswith(" ") else 2)
    here: Line = []
    for words, style in line:
        for part in re.findall(r" *[^ ]+ *$| *[^ ]+", words) if width([(words, "")]) > WHOLE else (words,):
            if here and width([*here, (part.rstrip(), "")]) > most:
                yield here
                here, part = [(margin, "")], part.lstrip()
            here.append((part, style))
    yield here


def _half(terms: Deal, seen: Sight) -> Iterator[Line]:
    public, e = seen.public, terms.edition
    near = public.idle + 3 >= e.idle_cards
    what = "half" if public.half == 1 else "game"
    ends = "the game is over" if seen.result else f"the {what} ends when somebody trades in a last goods card"
    yield [
        (f"{ends}; cards played ", ""),
        (f"{public.played}/{e.half_cards}, ", "bold"),
        ("without a trade ", ""),
        (f"{public.idle}/{e.idle_cards}", "red" if near else "bold"),
    ]


def _track(terms: Deal, public: Public, most: int) -> Iterator[Line]:
    """Values, the marker below them, and how far it may go from each field; a long track takes several rows."""
    track, end = terms.edition.track, end_field(terms, public)
    widest = max(len(str(number)) for number in (*track, *terms.edition.steps))
    cell = min(widest + 4, max(widest + 3, (most - LEFT) // len(track)))
    per_row = (most - LEFT) // cell
    for first in range(0, len(track), per_row):
        fields = range(first, min(first + per_row, len(track)))
        yield [("value".ljust(LEFT), "dim"), *(_value(track[at], at, public.marker, end, cell) for at in fields)]
        yield [(" " * LEFT, ""), *(_rail(at, public.marker, end, cell) for at in fields)]
        yield [
            ("die".ljust(LEFT), "dim"),
            *(_die(terms.edition.steps[at], at, public.marker, end, cell) for at in fields),
        ]


def _values(terms: Deal, public: Public) -> Iterator[Line]:
    """The value under the marker and those ahead."""
    first, *ahead = terms.edition.track[public.marker : end_field(terms, public) + 1]
    yield [(f"[{first}]", "bold"), *((f" {value}", "") for value in ahead), (" end", "dim")]


def _pays(terms: Deal, public: Public) -> Iterator[Line]:
    far = _to(most_steps(terms, public))
    moves = "it is the last turn" if at_end(terms, public) else f"the marker moves 1 after a trade, otherwise {far}"
    half = f" (the next one half, {price(terms, public) // 2});" if public.spoiled else ";"
    yield [
        (f"a goods card pays {price(terms, public)}", "bold"),
        (half, "red" if public.spoiled else ""),
        (f" {moves}", ""),
    ]


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


def _card(title: str, wide: bool) -> tuple[str, str]:
    return (f"{title:<{CARD}}" if wide else f"{title}  "), "bold"


def _market(terms: Deal, seen: Sight, most: int) -> Iterator[Line]:
    """The card on the table, what is still wanted of it, and the text cards that wait or are in force."""
    public, wide = seen.public, most >= PICTURE
    card, trading = public.offer, public.offer is not None and is_offer(public.offer)
    if card is None:
        yield [("no card on the table", "dim")]
    elif trading:
        yield from _offer(terms, seen, card, most)
    else:
        yield [_card(title(card), wide), (effect(terms, EVENTS[card]), "")]
    for event in public.in_force:
        words = effect(terms, event).replace("next", "this") if trading else effect(terms, event)
        done = " (done)" if event == "verdorbene-ware" and trading and not public.spoiled else ""
        yield [_card(TITLES[event], wide), (words + done, "dim" if done else "")]


def _offer(terms: Deal, seen: Sight, card: str, most: int) -> Iterator[Line]:
    """What an offer wants, what of it is left, what the player could trade of that, and what has been traded."""
    public, wide = seen.public, most >= PICTURE
    left, yours = (" " * (CARD if wide else 2), ""), at_most(public.wanted, held(seen))
    yield [_card(title(card), wide), ("wants   ", "dim"), *_boxes(terms, public, card, most - CARD - 8)]
    yield [left, ("still   ", "dim"), *_amounts(public.wanted)]
    only = "   (one card a turn)" if total(yours) > 1 == most_traded(public) else ""
    yield [left, ("yours   ", "dim"), *_amounts(yours), (only, "dim")]
    yield [left, ("traded  ", "dim"), *_amounts(amounts_of(public.traded))]


def _boxes(terms: Deal, public: Public, card: str, most: int) -> Line:
    """One box for every wanted card: crossed once it has been traded."""
    line: Line = []
    for good in GOODS:
        number, left = count(wants(terms, card), good), count(public.wanted, good)
        if number:
            line += [("[x]" * (number - left), "dim"), ("[ ]" * left, COLOUR[good])]
            line.append((f" {SINGULAR[good] if number == 1 else good}   ", COLOUR[good] if left else "dim"))
    return line if width(line) <= most + 3 else _amounts(wants(terms, card))


def _amounts(amounts: Amounts) -> Line:
    """`2 butter  1 sugar`, each in its colour."""
    line: Line = []
    for good in goods_in(amounts):
        line += [("  " if line else "", ""), (named(good, count(amounts, good)), COLOUR[good])]
    return line or [("nothing", "dim")]


def _players(seen: Sight, names: Sequence[str], wide: bool) -> Iterator[Line]:
    yield [(f"  {'player':<{NAME}}  luxury  goods  cards", "dim")]
    for seat, player in enumerate(seen.public.players):
        asked = any(ask.seat == seat for ask in seen.pending)
        first, *more = (*_marks(seen, seat, wide), "")
        yield [
            ("► " if asked else "  ", "bold"),
            (names[seat], "bold" if seat == seen.seat else ""),
            (f"{player.luxury:>8}", "bold"),
            (f"{player.goods:>7}", "red" if player.goods <= 2 else ""),
            (f"{player.cards:>7}", ""),
            (f"  {first}", "dim"),
            *((f", {mark}", "dim") for mark in more if mark),
        ]


def _marks(seen: Sight, seat: Seat, wide: bool) -> Iterator[str]:
    """Who this is in the round, and who is not asked in it any more."""
    public = seen.public
    if seat == seen.seat:
        yield "you"
    if seat == public.start and not seen.result:
        yield "start player" if wide else "start"
    if public.sitting_out[seat]:
        yield f"sits out {public.sitting_out[seat]}"


def _goods(seen: Sight) -> Iterator[Line]:
    yield [("goods  ", "dim"), *_amounts(held(seen))]


def _cards(terms: Deal, seen: Sight, wide: bool) -> Iterator[Line]:
    """Own black-market cards: what an offer wants and how much of it is in hand, what a text card does."""
    for card in in_order(terms, seen.hand("cards")):
        name = _card(title(card), wide)
        if is_offer(card):
            wanted = wants(terms, card)
            fitting = total(at_most(wanted, held(seen)))
            yield [name, ("wants ", "dim"), *_amounts(wanted), (f"   you hold {fitting} of {total(wanted)}", "dim")]
        else:
            yield [name, (effect(terms, EVENTS[card]), "")]


def _piles(public: Public) -> Iterator[Line]:
    yield [
        (f"goods {public.goods_pile} face down", ""),
        (f", under them openly {len(public.goods_under)}: ", "dim"),
        *_amounts(amounts_of(public.goods_under)),
    ]
    under = [*(f"{title(card)}, " for card in public.card_under[:-1]), *map(title, public.card_under[-1:])]
    yield [
        (f"cards {public.card_pile} face down", ""),
        (f", under them openly {len(under)}: ", "dim"),
        *((words, "dim") for words in under or ["nothing"]),
    ]


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
