"""The position as terminal text, with the track as a picture; below 80 columns as a short table."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from referee.columns import Line, columns, fitted, in_columns, painted, ranking, seat_name, sections, width, widths
from referee.game import LINK, Paint, Seat
from referee.language import Wording, mark

from .lookups import (
    EVENTS,
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
from .story import TITLES, named, one_of, title
from .types import GOODS, Amounts, Deal, Event, Good, Public, Sight
from .words import effect, in_order

w = Wording("referee.games.schwarzmarkt")

PICTURE = 80
"""From this width on there is room for a picture of the track and for columns of words."""
NAME = 12
WHOLE = 30
"""Columns of a part of a line that is not broken."""
CARD = 20
"""Columns of a card's name."""
COLOUR: dict[Good, str] = {"potatoes": "orange", "coffee": "red", "flour": "blue", "butter": "yellow", "sugar": "green"}
"""Goods have no colours of their own; these only help the eye."""
ASKED = {
    mark("play", "asked"): mark("plays a black-market card"),
    mark("trade", "asked"): mark("may trade, then the marker moves"),
    mark("spy", "asked"): mark("names the player whose goods are shown (Spionage)"),
    mark("quick", "asked"): mark("trades in one goods card (Schnelles Geschäft)"),
    mark("swap", "asked"): mark("chooses a player and cards to swap (Zwangstausch)"),
    mark("raid", "asked"): mark("names a player and a good (Razzia)"),
    mark("find", "asked"): mark("ranks the goods, best first (Neue Ware entdeckt)"),
    mark("collect", "asked"): mark("names the player who gives a card (Alte Rechnung)"),
}


def half(public: Public) -> str:
    return w("first half") if public.half == 1 else w("second half")


def does(terms: Deal, public: Public, what: str) -> str:
    """What a player is asked for; it follows a name."""
    if what == "trade" and at_end(terms, public):
        return w("may trade; it is the last turn of the round")
    return w(ASKED[what])


def render(terms: Deal, seen: Sight, names: Sequence[str], paint: Paint, width: int) -> str:
    """The whole position as this seat sees it."""
    public, short, wide = seen.public, [fitted(name, NAME) for name in names], width >= PICTURE
    blocks: dict[str, Iterable[Line]] = {f"Schwarzmarkt · {half(public)}": _half(terms, seen)}
    if seen.result is None:
        blocks[w("Price")] = chain(_track(terms, public, width), _pays(terms, public))
        blocks[w("Black market")] = _market(terms, seen, width)
    else:
        blocks[w("Result")] = ranking(seen.result, short, score)
    blocks[w("Players")] = _players(terms, seen, short, wide)
    if seen.seat < len(names):
        goods: Line = [(f"{w('goods')}  ", "dim"), *_amounts(held(seen))]
        blocks[w("You")] = (goods, *_cards(terms, seen, wide))
    blocks[w("Piles")] = _piles(public)
    lines = chain(sections(blocks, width), _asked(terms, seen, short))
    return painted((part for line in lines for part in _folded(line, width, wide)), paint, width)


def score(luxury: int) -> str:
    """What a player has at the end."""
    return f"  {w('luxury {number}', number=luxury)}"


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
    if seen.result:
        ends = w("the game is over")
    elif public.half == 1:
        ends = w("the half ends when a player's last goods card is traded")
    else:
        ends = w("the game ends when a player's last goods card is traded")
    yield [
        (f"{w('{ends}; cards played', ends=ends)} ", ""),
        (f"{public.played}/{e.half_cards}, ", "bold"),
        (f"{w('without a trade')} ", ""),
        (f"{public.idle}/{e.idle_cards}", "red" if near else "bold"),
    ]


def _track(terms: Deal, public: Public, most: int) -> Iterator[Line]:
    """Values, the marker below them, and how far it may go from each field; a long track takes several rows. Where
    there is no room for a picture, the value under the marker and those ahead."""
    track, end, labels = terms.edition.track, end_field(terms, public), [w("value"), w("die")]
    if most < PICTURE:
        first, *ahead = track[public.marker : end + 1]
        yield [(f"[{first}]", "bold"), *((f" {value}", "") for value in ahead), (f" {w('end')}", "dim")]
        return
    left = max(map(columns, labels)) + 2
    widest = max(len(str(number)) for number in (*track, *terms.edition.steps))
    cell = min(widest + 4, max(widest + 3, (most - left) // len(track)))
    per_row = (most - left) // cell
    for first in range(0, len(track), per_row):
        fields = range(first, min(first + per_row, len(track)))
        cells = [_field(track[at], terms.edition.steps[at], at - public.marker, end - at, cell) for at in fields]
        values, rails, dice = zip(*cells, strict=True)
        yield [(labels[0].ljust(left), "dim"), *values]
        yield [(" " * left, ""), *rails]
        yield [(labels[1].ljust(left), "dim"), *dice]


def _pays(terms: Deal, public: Public) -> Iterator[Line]:
    far, value = most_steps(terms, public), price(terms, public)
    if at_end(terms, public):
        moves = w("it is the last turn")
    else:
        moves = w.plural(
            "the marker moves 1 after a trade, otherwise 1", "the marker moves 1 after a trade, otherwise 1 to {n}", far
        )
    spoiled = f" ({w('the next one pays half, {price}', price=value // 2)});" if public.spoiled else ";"
    yield [
        (w("a goods card pays {price}", price=value), "bold"),
        (spoiled, "red" if public.spoiled else ""),
        (f" {moves}", ""),
    ]


def _field(value: int, most: int, ahead: int, left: int, cell: int) -> tuple[tuple[str, str], ...]:
    """A field `ahead` of the marker and `left` before the end: its value, the rail below it, how far one may go."""
    here = "bold" if not ahead else ""
    words = f"[{value}]" if here else str(value)
    shown = f"{words:^{cell}}", here or ("dim" if ahead < 0 or left < 0 else "")
    if left < 0:
        return shown, (" " * cell, ""), (" " * cell, "dim")
    sign = "●" if here else "┼" if left else "┤"
    rail = f"{sign:─^{cell}}"
    if not left:
        rail = f"{rail.partition(sign)[0]}{sign}".ljust(cell)
    far = ("1" if most == 1 else f"1-{most}") if left else w("end")
    return shown, (rail, here or "dim"), (f"{far:^{cell}}", here or "dim")


def _card(title: str, wide: bool) -> tuple[str, str]:
    return (f"{title:<{CARD}}" if wide else f"{title}  "), "bold"


def _market(terms: Deal, seen: Sight, most: int) -> Iterator[Line]:
    """The card on the table, what is still wanted of it, and the text cards that wait or are in force."""
    public, wide = seen.public, most >= PICTURE
    card = public.offer
    if card is None:
        yield [(w("no card on the table"), "dim")]
    elif is_offer(card):
        yield from _offer(terms, seen, card, most)
    else:
        yield [_card(title(card), wide), (effect(terms, EVENTS[card]), "")]
    for event in public.in_force:
        yield [_card(TITLES[event], wide), (in_force(terms, public, event), "dim" if _is_done(public, event) else "")]


def trading(public: Public) -> bool:
    """Is there an offer on the table?"""
    return public.offer is not None and is_offer(public.offer)


def _is_done(public: Public, event: Event) -> bool:
    return event == "verdorbene-ware" and trading(public) and not public.spoiled


def in_force(terms: Deal, public: Public, event: Event) -> str:
    """What a text card that waits or is in force does."""
    words = effect(terms, event, now=trading(public))
    return w("{effect} (done)", effect=words) if _is_done(public, event) else words


def _offer(terms: Deal, seen: Sight, card: str, most: int) -> Iterator[Line]:
    """What an offer wants, what of it is left, what the player could trade of that, and what has been traded."""
    public, wide = seen.public, most >= PICTURE
    left, mine = (" " * (CARD if wide else 2), ""), at_most(public.wanted, held(seen))
    labels = [w("wants"), w("still"), w("yours"), w("traded")]
    space = max(map(columns, labels)) + 2
    wanted, still, yours, traded = ((f"{label:<{space}}", "dim") for label in labels)
    yield [_card(title(card), wide), wanted, *_boxes(terms, public, card, most - CARD - space)]
    yield [left, still, *_amounts(public.wanted)]
    only = f"   ({w('one card a turn')})" if total(mine) > 1 == most_traded(public) else ""
    if seen.seat < len(public.players):
        yield [left, yours, *_amounts(mine), (only, "dim")]
    yield [left, traded, *_amounts(amounts_of(public.traded))]


def _boxes(terms: Deal, public: Public, card: str, most: int) -> Line:
    """One box for every wanted card: crossed once it has been traded."""
    line: Line = []
    for good in GOODS:
        number, left = count(wants(terms, card), good), count(public.wanted, good)
        if number:
            line += [("[x]" * (number - left), "dim"), ("[ ]" * left, COLOUR[good])]
            line.append((f" {one_of(good) if number == 1 else w(good)}   ", COLOUR[good] if left else "dim"))
    return line if width(line) <= most + 3 else _amounts(wants(terms, card))


def _amounts(amounts: Amounts) -> Line:
    """`2 butter  1 sugar`, each in its colour."""
    line: Line = []
    for good in goods_in(amounts):
        line += [("  " if line else "", ""), (named(good, count(amounts, good)), COLOUR[good])]
    return line or [(w("nothing"), "dim")]


def _players(terms: Deal, seen: Sight, names: Sequence[str], wide: bool) -> Iterator[Line]:
    heads = [w("luxury"), w("goods"), w("cards")]
    luxury, goods, cards = places = [max(7, 1 + most) for most in widths(heads, (0, 0, 0))]
    yield [(f"  {w('player'):<{NAME}}{in_columns(heads, places)}", "dim")]
    for seat, player in enumerate(seen.public.players):
        first, *more = (*_marks(terms, seen, seat, wide), "")
        yield [
            *seat_name(seen, seat, names[seat]),
            (f"{player.luxury:>{luxury}}", "bold"),
            (f"{player.goods:>{goods}}", "red" if player.goods <= 2 else ""),
            (f"{player.cards:>{cards}}", ""),
            (f"  {first}", "dim"),
            *((f", {mark}", "dim") for mark in more if mark),
        ]


def _marks(terms: Deal, seen: Sight, seat: Seat, wide: bool) -> Iterator[str]:
    """What a player is in this round: you, start player, sitting out; and what the second half will bring."""
    public = seen.public
    if seat == seen.seat:
        yield w("you")
    if seat == public.start and not seen.result:
        yield w("start player") if wide else w("start")
    if public.sitting_out[seat]:
        yield w("sits out {steps}", steps=public.sitting_out[seat])
    if traded_in_counts(terms, public):
        yield w("traded in {number}", number=public.players[seat].traded_in)


def traded_in_counts(terms: Deal, public: Public) -> bool:
    """Whether what players have traded in decides how many goods cards they will be dealt (SM-11)."""
    return terms.options.refill == "traded" and public.half == 1


def _cards(terms: Deal, seen: Sight, wide: bool) -> Iterator[Line]:
    """The reader's black-market cards: what an offer wants and how much of it is in hand, what a text card does."""
    for card in in_order(terms, seen.hand("cards")):
        name = _card(title(card), wide)
        if is_offer(card):
            wanted = wants(terms, card)
            fitting = total(at_most(wanted, held(seen)))
            hold = w("you hold {number} of {all}", number=fitting, all=total(wanted))
            yield [name, (f"{w('wants')} ", "dim"), *_amounts(wanted), (f"   {hold}", "dim")]
        else:
            yield [name, (effect(terms, EVENTS[card]), "")]


def _piles(public: Public) -> Iterator[Line]:
    yield [
        (w("goods {number} face down", number=public.goods_pile), ""),
        (_openly(len(public.goods_under)), "dim"),
        *_amounts(amounts_of(public.goods_under)),
    ]
    under = [*(f"{title(card)}, " for card in public.card_under[:-1]), *map(title, public.card_under[-1:])]
    yield [
        (w("cards {number} face down", number=public.card_pile), ""),
        (_openly(len(under)), "dim"),
        *((words, "dim") for words in under or [w("nothing")]),
    ]


def _openly(number: int) -> str:
    return f", {w('face up under them {number}:', number=number)} "


def _asked(terms: Deal, seen: Sight, names: Sequence[str]) -> Iterator[Line]:
    for ask in seen.pending:
        if ask.what == LINK:
            waits = w("there is nothing to decide: the goods are dealt when everybody has answered")
            yield [(f"► {waits}", "bold")]
            return
        yield [(f"► {names[ask.seat].rstrip()} {does(terms, seen.public, ask.what)}", "bold")]
