"""The position as SVG: price track, offer, own hand below it in the same columns, players, piles."""

from collections.abc import Sequence

from referee.game import Seat
from referee.language import Wording
from referee.svg import COLOURS, FAINT, INK, LINE, PAPER, WIDTH, box, cut, on, sheet, stroke, words
from referee.svg import wide as space_of

from .board import COLOUR, half
from .board_told import asked, fitting, in_force, marks, moves, paying, told, trading
from .lookups import (
    EVENTS,
    amounts_of,
    at_most,
    count,
    end_field,
    held,
    is_offer,
    most_steps,
    price,
    total,
    wants,
)
from .story import TITLES, title
from .types import GOODS, Amounts, Deal, Good, Player, Public, Sight
from .words import effect, in_order

w = Wording("referee.games.schwarzmarkt")

LEFT, RIGHT = 16.0, WIDTH - 16.0
INSIDE, BACK, NAME = LEFT + 12, RIGHT - 12, LEFT + 36
"""Where words in a box begin and end, and where names behind a mark begin."""
QUIET = "#666666"
GOOD, STEP = 124.0, 76.0
"""Where the column of the first good begins, and how far it is to the next."""
PIP = 16
"""How wide a small goods card is; four of them fill a column."""
FIELDS = 14
"""Fields of the track in one line."""
EFFECT = 214.0
"""Where the words behind the name of a text card begin."""
LISTED = 3
"""Lines of cards under a pile that are shown."""
NEAR = 3
"""So many cards before the half may end its numbers are bold."""

Drawn = tuple[list[str], float]
"""Shapes, and where the next ones can begin."""


def picture(terms: Deal, seen: Sight, names: Sequence[str]) -> str:
    """The whole position as this seat sees it."""
    parts, top = _head(terms, seen, names)
    sections = (_prices, _market, _hand, _players, _piles, _ends) if seen.result is None else (_players,)
    for section in sections:
        drawn, top = section(terms, seen, names, top)
        parts += drawn
    return sheet(top, parts, f"Schwarzmarkt, {half(seen.public)}", told(terms, seen, names))


# --- words that fit --------------------------------------------------------------------------------------------------


def _wrapped(text: str, space: float, size: float, between: str = " ") -> list[str]:
    """Lines that fit, broken at blanks or at what else stands between two parts."""
    first, *others = text.split(between)
    lines = [first]
    for part in others:
        longer = f"{lines[-1]}{between}{part}"
        if len(longer) * 0.62 * size > space:
            lines[-1] += between.rstrip()
            lines.append(part)
        else:
            lines[-1] = longer
    return lines


def _size(text: str, space: float, size: float) -> float:
    """How large words can be written in a narrow place, so that they can still be read."""
    return max(13, min(size, int(space / space_of(text, 1))))


def _heading(text: str, aside: str, top: float) -> Drawn:
    parts = [words(LEFT, top + 16, text, 17, bold=True)]
    if aside:
        parts.append(words(RIGHT, top + 16, aside, 14, "end", QUIET))
    return parts, top + 26


# --- whose turn it is ------------------------------------------------------------------------------------------------


def _head(terms: Deal, seen: Sight, names: Sequence[str]) -> Drawn:
    mine = any(ask.seat == seen.seat for ask in seen.pending)
    fill, ink = (INK, PAPER) if mine else (FAINT, INK)
    who, what = _news(terms, seen, names)
    parts = [
        words(LEFT, 34, "Schwarzmarkt", 22, bold=True),
        words(RIGHT, 34, w("the game is over") if seen.result else half(seen.public), 15, "end", QUIET),
        box(LEFT, 46, RIGHT - LEFT, 58, fill, fill, 6),
        words(NAME, 70, cut(who, 390, 17), 17, fill=ink, bold=True),
        words(NAME, 93, what, 15, fill=ink),
    ]
    if seen.pending:
        parts.append(words(INSIDE, 70, "►", 17, fill=ink))
    if mine:
        parts.append(words(BACK, 70, w("your turn"), 15, "end", ink))
    return parts, 118


def _news(terms: Deal, seen: Sight, names: Sequence[str]) -> tuple[str, str]:
    """Who must decide or has won, and what there is to say about it."""
    seat, what = asked(terms, seen)
    if seen.result is not None:
        winners = [name for name, rank in zip(names, seen.result.ranks, strict=True) if rank == 1]
        return ", ".join(winners), what
    if seat is None:
        return w("Everybody") if seen.pending else w("The game is over"), what
    return names[seat], what


# --- the price track -------------------------------------------------------------------------------------------------


def _prices(terms: Deal, seen: Sight, names: Sequence[str], top: float) -> Drawn:
    public, track = seen.public, terms.edition.track
    value, end = price(terms, public), end_field(terms, public)
    first = w("A goods card pays {price}", price=value)
    now = first if trading(public) else w("The price begins at {price}", price=value)
    ends = w("the round ends at {price}", price=track[end])
    parts, top = _heading(now, w("the next one half: {price}", price=value // 2) if public.spoiled else ends, top)
    lines = -(-len(track) // FIELDS)
    across = -(-len(track) // lines)
    wide = (RIGHT - LEFT) / across
    for at in range(len(track)):
        line, place = divmod(at, across)
        parts += _field(terms, public, at, LEFT + wide * place, top + 8 + 62 * line, wide)
    top += 62 * lines
    if not trading(public):
        return parts, top + 10
    parts.append(words(LEFT, top + 16, moves(terms, public), 15))
    return parts, top + 36


def _field(terms: Deal, public: Public, at: int, x: float, y: float, wide: float) -> list[str]:
    """Its value above how far the marker may go from it. The marker stands on a dark field, and a bar lies below the
    fields that it can reach; what lies behind the end of the round is crossed out."""
    end, here = end_field(terms, public), at == public.marker
    gone = at < public.marker or at > end
    fill, ink = (INK, PAPER) if here else (FAINT, QUIET) if gone else (PAPER, INK)
    middle, far = x + wide / 2, terms.edition.steps[at]
    die = w("end") if at == end else "1" if far == 1 else f"1–{far}"
    parts = [
        box(x, y, wide, 44, fill, LINE, 0),
        words(middle, y + 20, str(terms.edition.track[at]), 17, "middle", ink, not gone),
        words(middle, y + 38, die, 13, "middle", ink) if at <= end else "",
    ]
    if here:
        parts.append(words(middle, y, "▼", 15, "middle"))
    elif at > end:
        parts.append(stroke([(x + 6, y + 38), (x + wide - 6, y + 6)], QUIET))
    elif trading(public) and 0 < at - public.marker <= most_steps(terms, public):
        parts.append(stroke([(x + 3, y + 49), (x + wide - 3, y + 49)], INK, 4))
    return parts


# --- goods cards -----------------------------------------------------------------------------------------------------


def _card(x: float, y: float, good: Good, wide: float, tall: float, *, full: bool = True) -> list[str]:
    """A goods card with its letter; one that is not there is only an outline."""
    colour = COLOUR[good]
    return [
        box(x, y, wide, tall, COLOURS[colour] if full else PAPER, INK if full else LINE),
        words(x + wide / 2, y + tall / 2 + 5, _letter(good), 14, "middle", on(colour) if full else QUIET, full),
    ]


def _letter(good: Good) -> str:
    match good:
        case "potatoes":
            return w.sense("the letter of potatoes", "P")
        case "coffee":
            return w.sense("the letter of coffee", "C")
        case "flour":
            return w.sense("the letter of flour", "F")
        case "butter":
            return w.sense("the letter of butter", "B")
        case "sugar":
            return w.sense("the letter of sugar", "S")


def _wanted(wanted: Amounts, left: Amounts, yours: Amounts, top: float) -> list[str]:
    """What an offer wants, in the columns of the goods, card by card: what has been traded is crossed out, what the
    player holds is filled. Of too many cards for that only the number is shown."""
    parts: list[str] = []
    few = max(count(wanted, good) for good in GOODS) <= STEP // (PIP + 2)
    for column, good in enumerate(GOODS):
        x, number = GOOD + STEP * column, count(wanted, good)
        gone, filled = number - count(left, good), min(count(left, good), count(yours, good))
        for at in range(number if few else 0):
            place = x + (PIP + 2) * at
            parts += _card(place, top, good, PIP, 24, full=gone <= at < gone + filled)
            if at < gone:
                parts.append(stroke([(place, top + 24), (place + PIP, top)], INK, 2))
        if number and not few:
            parts += _card(x, top, good, PIP, 24, full=filled > 0)
            parts.append(words(x + PIP + 4, top + 17, str(count(left, good)), 14, bold=True))
    return parts


def _amounts(amounts: Amounts, top: float) -> list[str]:
    """How many cards of each good, in the columns of the goods."""
    parts: list[str] = []
    for column, good in enumerate(GOODS):
        x, number = GOOD + STEP * column, count(amounts, good)
        parts += _card(x, top, good, 24, 30, full=number > 0)
        parts.append(words(x + 30, top + 22, str(number), 19, bold=number > 0, fill=INK if number else QUIET))
    return parts


# --- the table and the own hand --------------------------------------------------------------------------------------


def _market(terms: Deal, seen: Sight, names: Sequence[str], top: float) -> Drawn:
    """The card on the table with what is still wanted, and the text cards that wait or are in force."""
    public, card = seen.public, seen.public.offer
    parts, begin = _heading(w("On the table"), w("crossed out: traded") if public.traded else "", top)
    inside, top = list[str](), begin + 10
    if card is not None and trading(public):
        inside.append(words(INSIDE, top + 18, title(card), _size(title(card), GOOD - INSIDE, 16), bold=True))
        inside += _wanted(wants(terms, card), public.wanted, held(seen), top)
        top += 30
        inside.append(words(INSIDE, top + 16, _still(terms, seen), 15))
        top += 28
    elif card is not None:
        drawn, top = _text_card(title(card), effect(terms, EVENTS[card]), top)
        inside += drawn
    elif not public.in_force:
        inside.append(words(INSIDE, top + 16, w("no card yet"), 15, fill=QUIET))
        top += 24
    for event in public.in_force:
        drawn, top = _text_card(TITLES[event], in_force(terms, public, event), top)
        inside += drawn
    return [*parts, box(LEFT, begin, RIGHT - LEFT, top + 4 - begin, PAPER, LINE, 6), *inside], top + 18


def _still(terms: Deal, seen: Sight) -> str:
    """How many cards the offer still wants; who only looks on has none of them."""
    wanted = total(seen.public.wanted)
    if seen.seat >= terms.seats:
        return w("{number} still wanted", number=wanted)
    return paying(terms, seen, w("{number} still wanted, you hold {mine}", number=wanted, mine=fitting(seen)))


def _text_card(name: str, does: str, top: float) -> Drawn:
    lines = _wrapped(does, BACK - EFFECT, 14)
    parts = [words(INSIDE, top + 16, name, 15, bold=True)]
    parts += [words(EFFECT, top + 16 + 18 * at, line, 14) for at, line in enumerate(lines)]
    return parts, top + 8 + 18 * len(lines)


def _hand(terms: Deal, seen: Sight, names: Sequence[str], top: float) -> Drawn:
    """What only this seat knows: its goods, and its black-market cards, offers in the same columns."""
    if seen.seat >= terms.seats:  # who only looks on has none
        return [], top
    own = held(seen)
    parts, begin = _heading(w("Your hand"), w("filled: you hold it"), top)
    top = begin + 10
    inside = [
        words(INSIDE, top + 21, w("your goods"), 15),
        words(BACK, top + 22, str(total(own)), 19, "end", bold=True),
    ]
    inside += _amounts(own, top)
    heads = (w.sense("a column", "potatoes"), *map(w, GOODS[1:]))
    inside += [words(GOOD + STEP * at, top + 46, head, 13, fill=QUIET) for at, head in enumerate(heads)]
    top += 58
    inside.append(stroke([(LEFT, top), (RIGHT, top)], FAINT))
    top += 8
    for card in in_order(terms, seen.hand("cards")):
        if is_offer(card):
            wanted = wants(terms, card)
            mine = w("{number} of {all}", number=total(at_most(wanted, own)), all=total(wanted))
            size = _size(title(card), GOOD - INSIDE, 15)
            inside += [words(INSIDE, top + 17, title(card), size, bold=True), *_wanted(wanted, wanted, own, top)]
            inside.append(words(BACK, top + 17, mine, 15 if len(mine) < 8 else 13, "end"))
            top += 32
        else:
            drawn, top = _text_card(title(card), effect(terms, EVENTS[card]), top)
            inside += drawn
    return [*parts, box(LEFT, begin, RIGHT - LEFT, top + 4 - begin, PAPER, INK, 6), *inside], top + 18


# --- players ---------------------------------------------------------------------------------------------------------

ENDS = (444.0, 512.0, BACK)
"""Where the numbers of a player end."""
TAGS = 352.0
"""Where the tags behind a name end."""
FEW = 2
"""With so few goods cards in a hand the half may soon be over."""


def _players(terms: Deal, seen: Sight, names: Sequence[str], top: float) -> Drawn:
    parts, bottom = _heading(w("Players"), "", top)
    heads = (w("luxury"), w("goods"), w("cards"))
    for head, end in zip(heads, ENDS, strict=True):
        parts.append(words(end, top + 16, head, _size(head, 58, 14), "end", QUIET))
    ranks = seen.result.ranks if seen.result else (0,) * len(names)
    for seat in sorted(range(len(names)), key=lambda seat: ranks[seat]):
        drawn, bottom = _player(seen, seat, names[seat], bottom)
        parts += drawn
    return parts, bottom + 12


def _player(seen: Sight, seat: Seat, name: str, top: float) -> Drawn:
    mine, over = seat == seen.seat, seen.result is not None
    turn = any(ask.seat == seat for ask in seen.pending)
    mark = f"{seen.result.ranks[seat]}." if seen.result else "►" if turn else ""
    said = [] if over else list(marks(seen, seat))
    tags, end = _tags(start=seat == seen.public.start and not over, you=mine, y=top + 7)
    tall = 34 + 18 * len(said)
    parts = [
        box(LEFT, top, RIGHT - LEFT, tall, PAPER, INK if mine else FAINT, 6),
        *([words(INSIDE - 4, top + 23, mark, 16, bold=True)] if mark else []),
        words(NAME, top + 23, cut(name, end - 4 - NAME, 16), 16, bold=mine or turn),
        *tags,
        *_numbers(seen.public.players[seat], top + 23),
        *(words(NAME, top + 42 + 18 * at, line, 14, fill=QUIET) for at, line in enumerate(said)),
    ]
    return parts, top + tall + 4


def _tags(*, start: bool, you: bool, y: float) -> Drawn:
    """Who this is in the round; and where the first tag begins."""
    parts, x = list[str](), TAGS
    for text, fill, ink in [(w("start"), FAINT, INK)] * start + [(w("you"), INK, PAPER)] * you:
        wide = 16 + 8 * len(text)
        x -= wide + 6
        parts += [box(x, y, wide, 20, fill, fill, 10), words(x + wide / 2, y + 15, text, 13, "middle", ink)]
    return parts, x


def _numbers(player: Player, y: float) -> list[str]:
    """The numbers under their heads; long ones are written smaller."""
    numbers, bold = (player.luxury, player.goods, player.cards), (True, player.goods <= FEW, False)
    return [
        words(end, y, str(number), 17 if number < 10**5 else 13, "end", bold=strong)
        for end, number, strong in zip(ENDS, numbers, bold, strict=True)
    ]


# --- piles, and what ends the half -----------------------------------------------------------------------------------


def _piles(terms: Deal, seen: Sight, names: Sequence[str], top: float) -> Drawn:
    public = seen.public
    parts, top = _heading(w("Piles"), "", top)
    goods = w("goods: {number} face down", number=public.goods_pile)
    if under := len(public.goods_under):
        goods = w("goods: {number} face down, under them openly {under}:", number=public.goods_pile, under=under)
    parts.append(words(LEFT, top + 14, goods, 15))
    top += 24
    if public.goods_under:
        parts += _amounts(amounts_of(public.goods_under), top)
        top += 40
    cards = w("black market: {number} face down", number=public.card_pile)
    if under := len(public.card_under):
        cards = w("black market: {number} face down, under them openly {under}:", number=public.card_pile, under=under)
    parts.append(words(LEFT, top + 14, cards, 15))
    top += 24
    lines = _wrapped(", ".join(map(title, public.card_under)), RIGHT - LEFT, 14, ", ") if public.card_under else []
    for line in [*lines[:LISTED], *([w("and more")] if len(lines) > LISTED else [])]:
        parts.append(words(LEFT, top + 12, line, 14, fill=QUIET))
        top += 19
    return parts, top + 14


def _ends(terms: Deal, seen: Sight, names: Sequence[str], top: float) -> Drawn:
    """What ends the half, and how near that is."""
    public, e = seen.public, terms.edition
    parts, top = _heading(w("The half ends") if public.half == 1 else w("The game ends"), "", top)
    parts.append(words(LEFT, top + 14, w("when somebody trades in a last goods card, or with"), 15))
    for text, number, most in (
        (w("black-market cards played"), public.played, e.half_cards),
        (w("of them in a row without a trade"), public.idle, e.idle_cards),
    ):
        top += 23
        parts.append(words(LEFT, top + 14, text, 15))
        near = w("{number} of {all}", number=number, all=most)
        parts.append(words(RIGHT, top + 14, near, 16, "end", bold=number + NEAR >= most))
    return parts, top + 28
