"""The position as an SVG: prices, silver, strips, players, one below the other. Discs are price markers, squares are
cases; both carry the letter of their colour. On a narrow sheet what stands side by side stands one below the other."""

from collections.abc import Iterator, Sequence

from referee.language import Wording
from referee.svg import COLOURS as PAINT
from referee.svg import (
    FAINT,
    FINGER,
    GROUND,
    INK,
    LINE,
    PAPER,
    QUIET,
    Picture,
    cut,
    disc,
    flowing,
    on,
    sheet,
    wide,
)

from .board import asked, changes, letter, sales_left, stage_name
from .board_svg_players import CASE, STEP, case, show_players
from .board_text import news, sentences
from .lookups import count, faces_of, price, silver_price, stage, strip_full, total
from .story import called
from .types import BLACK, COLOURS, Cases, Colour, Deal, Public, Sight

w = Wording("referee.games.schwarzer_freitag")

MARKER = 18
"""How wide a marker on the price table is."""
TABLE, SIDE = 388.0, 416.0
"""How wide the price table is on a wide sheet, and where the facts beside it begin."""
ROW, LOW = 28, 24
"""How tall a row of the silver track is, and one of the price table; it is lower on a narrow sheet."""
DIGIT = 10.4
"""A bold digit of a price."""
STRIP = 100
"""Where the cases of a strip begin on a wide sheet, beside its name."""


def picture(terms: Deal, seen: Sight, names: Sequence[str], width: int) -> str:
    """The whole position as this seat sees it."""
    p = Picture(width)
    _head(p, seen, names)
    _prices(p, terms, seen.public)
    _silver(p, terms, seen.public)
    _strips(p, terms, seen.public)
    show_players(p, terms, seen, names)
    title = f"Schwarzer Freitag, {stage_name(seen.public)}"
    return sheet(p.top + 4, p.parts, title, "\n".join(sentences(terms, seen, names)), width)


# --- whose turn it is ------------------------------------------------------------------------------------------------


def _head(p: Picture, seen: Sight, names: Sequence[str]) -> None:
    mine = any(ask.seat == seen.seat for ask in seen.pending)
    fill, ink = (INK, PAPER) if mine else (FAINT, INK)
    p.words(p.left, 34, "Schwarzer Freitag", 22, bold=True)
    if p.narrow:
        p.top += 20
    p.words(p.left if p.narrow else p.right, 34, changes(seen.public), 15, "start" if p.narrow else "end", QUIET)
    size, inside = (16, p.left + 30) if p.narrow else (17, p.left + 34)
    lines = [*_news(p, seen, names, size)]
    tall = 14 + 22 * len(lines)
    p.box(p.left, 48, p.right - p.left, tall, fill, fill, 6)
    for at, line in enumerate(lines):
        p.words(inside if seen.pending else p.left + 12, 72 + 22 * at, line, size, fill=ink, bold=True)
    if seen.pending:
        p.words(p.left + (8 if p.narrow else 12), 72, "►", size, fill=ink)
    if mine:
        x, y, colour = (p.right, 34, INK) if p.narrow else (p.right - 12, 72, ink)
        p.words(x, y, w("your turn"), 15, "end", colour)
    p.top += 48 + tall + 14


def _news(p: Picture, seen: Sight, names: Sequence[str], size: float) -> Iterator[str]:
    """Who is asked for what, or who has won; in several lines where one has no room."""
    if p.narrow:
        room = p.right - p.left - 38
        for line in news(seen, [cut(name, room, size) for name in names]):
            yield from flowing(line, room, size)
    else:
        phrase = max((len(asked(ask.what, "").strip()) for ask in seen.pending), default=22)
        yield from news(seen, [cut(name, 432 - 10.2 * phrase, size) for name in names])


# --- prices, stage, bag ----------------------------------------------------------------------------------------------


def _prices(p: Picture, terms: Deal, public: Public) -> None:
    """The table, and beside or below it what belongs to it."""
    facts, table = p.part(), p.part()
    _table(table, terms, public, p.right - p.left if p.narrow else TABLE)
    if p.narrow:
        facts.top = table.top + 16
    _market(facts, terms, public)
    _limits(facts, terms, public)
    p.parts += table.parts + facts.parts
    p.top = max(table.top, facts.top) + 20


def _table(p: Picture, terms: Deal, public: Public, span: float) -> None:
    """Highest prices on top. A row grows where more markers share a field than have room beside its price."""
    prices, marked, low = terms.edition.prices, p.part(), LOW if p.narrow else ROW
    wide, digits = span / len(prices[0]), max(len(str(value)) for row in prices for value in row)
    end = 2 + DIGIT * digits
    room, across = int((wide - end) // (MARKER + 2)), int(wide // MARKER)
    for row in range(len(prices) - 1, -1, -1):
        fields = [
            [colour for colour, at in zip(COLOURS, public.prices, strict=True) if at == (row, column)]
            for column in range(len(prices[row]))
        ]
        most = max(map(len, fields))
        tall = low + ((MARKER + 2) * -(-most // across) if most > room else 0)
        for column, here in enumerate(fields):
            x, value = p.left + column * wide, str(prices[row][column])
            # Fields with markers come last, so that their edges lie above those of their neighbours.
            q = marked if here else p
            q.box(x, 0, wide, tall, PAPER, INK if here else FAINT, 0)
            q.words(x + end, low * 5 // 7, value, 15, "end", INK if here else QUIET, bool(here))
            _markers(q, here, x, wide, low, len(here) if len(here) <= room else 0, across)
        p.top += tall
        marked.top += tall
    p.parts += marked.parts


def _markers(p: Picture, here: Sequence[Colour], x: float, wide: float, low: float, beside: int, across: int) -> None:
    """The markers on a field: `beside` of them next to its price, the others below it, `across` in a line."""
    for at, colour in enumerate(here):
        line, place = (0, at) if at < beside else (1 + at // across, at % across)
        in_line = beside if at < beside else min(across, len(here) - at + place)
        left = x + wide - (MARKER + 2) * in_line if line == 0 else x + (wide - MARKER * in_line) / 2
        middle, y = left + MARKER * (place + 0.5), low / 2 + (MARKER + 2) * line
        with p.at(f"price:{colour}"):
            p.parts.append(disc(middle, p.top + y, MARKER / 2, PAINT[colour]))
            p.words(middle, y + 5, letter(colour), 13, "middle", on(colour), True)


def _market(p: Picture, terms: Deal, public: Public) -> None:
    """Each colour with its price, and what the market has of it."""
    side = p.left if p.narrow else SIDE
    costs = p.right - 96 if p.narrow else SIDE + 110
    p.words(costs, 13, w("price"), 13, "end", QUIET)
    p.words(p.right, 13, w("market"), 13, "end", QUIET)
    for colour in COLOURS:
        p.top += FINGER
        with p.at(f"market:{colour}"):
            case(p, side, -5, colour)
            p.words(side + 26, 10, called(colour), 13)
            p.words(costs, 10, str(price(terms, public, colour)), 16, "end", bold=True)
            p.words(p.right, 10, str(count(public.market, colour)), 16, "end")
    p.top += 46


def _limits(p: Picture, terms: Deal, public: Public) -> None:
    """What the stage allows and the next price change brings; in two columns on a narrow sheet."""
    card, stages = stage(terms, public), terms.edition.stages
    following = [(w("next at price"), stages[public.stage + 1].price)] if public.stage + 1 < len(stages) else []
    limits = [(w("trade up to"), card.limit), (w("subsidies up to"), card.subsidies), (w("cases drawn"), card.draw)]
    first = (w("Stage {number}", number=public.stage) if public.stage else w("Stage Start"), [*limits, *following])
    others = (
        (w("Bag"), [(w("cases"), public.bag), (w("of them black"), public.bag_black)]),
        (w("Black cases"), [(w("in the supply"), public.supply_black), (w("on the stages"), public.stage_black)]),
    )
    begin, middle = p.top, p.width / 2
    if p.narrow:
        _listed(p, [first], p.left, middle - 8)
        below, p.top = p.top, begin
        _listed(p, others, middle + 8, p.right)
        p.top = max(p.top, below)
    else:
        _listed(p, [first, *others], SIDE, p.right)


def _listed(p: Picture, lists: Sequence[tuple[str, Sequence[tuple[str, int]]]], left: float, right: float) -> None:
    """Numbers with what they count, below their headings."""
    for title, rows in lists:
        p.words(left, 0, title, 16, bold=True)
        for label, number in rows:
            p.top += 20
            p.words(left, 0, label, 14)
            p.words(right, 0, str(number), 15, "end", bold=True)
        p.top += 28
    p.top -= 24


# --- silver ----------------------------------------------------------------------------------------------------------


def _silver(p: Picture, terms: Deal, public: Public) -> None:
    track = terms.edition.silver_track
    costs = w("Silver: a bar costs {price}", price=silver_price(terms, public))
    _heading(p, costs, w("the game ends at {price}", price=track[-1]))
    lines = -(-len(track) // (9 if p.narrow else 16))
    across = -(-len(track) // lines)
    wide = min((p.right - p.left) / across, 48)
    with p.at("silver:bars"):
        p.box(p.left, 0, wide * across, ROW * lines, PAPER, LINE, 0)
        for at, value in enumerate(track):
            x, y = p.left + wide * (at % across), ROW * (at // across)
            here = at == public.silver
            fill, ink = (INK, PAPER) if here else (FAINT, QUIET) if at < public.silver else (PAPER, INK)
            p.box(x, y, wide, ROW, fill, LINE, 0)
            p.words(x + wide / 2, y + 19, str(value), 15, "middle", ink, here or at == len(track) - 1)
    p.top += ROW * lines + 20
    bought = w.plural(
        "bought since the last price change: {bought}, good for {n} step",
        "bought since the last price change: {bought}, good for {n} steps",
        public.counter // terms.edition.silver_per_step,
        bought=public.counter,
    )
    p.top -= 18
    p.flow(p.left, 18, bought, 14 if p.narrow else 15)
    p.top += 22


def _heading(p: Picture, title: str, aside: str) -> None:
    p.words(p.left, 17, title, 17, bold=True)
    if p.narrow and aside:
        p.top += 20
    p.words(p.left if p.narrow else p.right, 17, aside, 15, "start" if p.narrow else "end")
    p.stroke([(p.left, 24), (p.right, 24)], LINE, 1)
    p.top += 32


# --- strips ----------------------------------------------------------------------------------------------------------


def _strips(p: Picture, terms: Deal, public: Public) -> None:
    full, whole = strip_full(terms), terms.edition.sale_strip * len(COLOURS)
    _heading(p, w("Strips"), "")
    _strip(p, w("Purchase"), _places(public.purchase, full), full - total(public.purchase))
    with p.at("strip:silver"):
        x, y = _begin(p)
        p.box(x - 4, y - 3, min(STEP * full + 2, p.right - x), FINGER, GROUND, GROUND)
        _strip(p, w("Silver"), _places(public.silver_strip, full), full - total(public.silver_strip))
    for at, (cases, black) in enumerate(zip(public.sale, public.sale_black, strict=True)):
        now = at == public.strip
        places = [*_places(cases, whole), *[BLACK] * black] if now or total(cases) else []
        left = sales_left(terms, public) if now else 0
        _strip(p, w("Sale {number}", number=at + 1), places, left, "sale" if now else "")
    p.top += 8


def _begin(p: Picture) -> tuple[float, float]:
    """Where the cases of a strip begin: beside its name, or below it on a narrow sheet."""
    return (p.left + 4, 22) if p.narrow else (STRIP, 0)


def _places(cases: Cases, size: int) -> list[str]:
    """The cases on a strip, then its free places."""
    return [*faces_of(cases), *[""] * (size - total(cases))]


def _strip(p: Picture, name: str, places: Sequence[str], left: int, kind: str = "") -> None:
    """One strip; `left` more cases trigger a price change, 0: it does not count now. `kind`: of the cases' marks."""
    p.words(p.left, 15, name, 15, bold=left > 0, fill=INK if left else QUIET)
    said = w("{number} more: price change", number=left) if left else ""
    if said:
        p.words(p.right, 15, said, 13, "end", bold=left == 1)
    begin, below = _begin(p)
    x, end = begin, p.right - wide(said, 13) * (not p.narrow)
    if not places:
        p.words(STRIP, 15, w("cleared"), 14, fill=QUIET)
    else:
        p.top += below
    for face in places:
        if x + CASE > end:
            x, p.top = begin, p.top + FINGER
        if face:
            with p.at(f"{kind}:{face}" if kind and face != BLACK else ""):
                case(p, x, 0, face)
        else:
            p.box(x, 0, CASE, CASE, GROUND, LINE, 3)
        x += CASE if face == BLACK else STEP
    p.top += FINGER
