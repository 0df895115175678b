"""The position as an SVG: prices, silver, strips, players, one below the other. Discs are price markers, squares are
cases; both carry the letter of their colour."""

from collections.abc import Sequence

from referee.language import Wording
from referee.svg import COLOURS as PAINT
from referee.svg import FAINT, GROUND, INK, LINE, PAPER, WIDTH, box, cut, disc, on, sheet, stroke, words

from .board_compact import asked, cards_text, changes, letter, stage_name
from .board_told import news, sales_left, told, wealth
from .lookups import cases_of, count, faces_of, held, price, silver_price, stage, strip_full, total
from .story import called
from .types import BLACK, COLOURS, HAND, Cases, Colour, Deal, Player, Public, Sight

w = Wording("referee.games.schwarzer_freitag")

LEFT, RIGHT = 16.0, WIDTH - 16.0
QUIET = "#666666"
CASE, STEP, MARKER = 20, 22, 18
"""How wide a case is, a case with the gap behind it, and a marker on the price table."""
TABLE, SIDE = 388.0, 416.0
"""How wide the price table is, and where the facts beside it begin."""
ROW = 28
"""How tall a row of the price table is, and one of the silver track."""
DIGIT = 10.4
"""A bold digit of a price."""
BESIDE = 13
"""Cases in one line of a strip."""

Drawn = tuple[list[str], float]
"""Shapes, and where the next ones can begin."""


def picture(terms: Deal, seen: Sight, names: Sequence[str]) -> str:
    """The whole position as this seat sees it."""
    parts: list[str] = []
    top = 0.0
    for section in (_head, _prices, _silver, _strips, _players):
        drawn, top = section(terms, seen, names, top)
        parts += drawn
    title = f"Schwarzer Freitag, {stage_name(seen.public)}"
    return sheet(top + 4, parts, title, "\n".join(told(terms, seen, names)))


# --- whose turn it is ------------------------------------------------------------------------------------------------


def _head(terms: Deal, seen: Sight, names: Sequence[str], top: float) -> Drawn:
    mine = any(ask.seat == seen.seat for ask in seen.pending)
    phrase = max((len(asked(ask.what, "").strip()) for ask in seen.pending), default=22)
    lines = news(seen, [cut(name, 432 - 10.2 * phrase, 17) for name in names])
    tall = 14 + 22 * len(lines)
    fill, ink = (INK, PAPER) if mine else (FAINT, INK)
    begin = LEFT + (34 if seen.pending else 12)
    parts = [
        words(LEFT, top + 34, "Schwarzer Freitag", 22, bold=True),
        words(RIGHT, top + 34, changes(seen.public), 15, "end", QUIET),
        box(LEFT, top + 48, RIGHT - LEFT, tall, fill, fill, 6),
        *(words(begin, top + 71 + 22 * at, line, 17, fill=ink, bold=True) for at, line in enumerate(lines)),
    ]
    if seen.pending:
        parts.append(words(LEFT + 12, top + 71, "►", 17, fill=ink))
    if mine:
        parts.append(words(RIGHT - 12, top + 71, w("your turn"), 15, "end", ink))
    return parts, top + 48 + tall + 14


# --- prices, stage, bag ----------------------------------------------------------------------------------------------


def _prices(terms: Deal, seen: Sight, names: Sequence[str], top: float) -> Drawn:
    table, bottom = _table(terms, seen.public, top)
    facts, end = _facts(terms, seen.public, top)
    return table + facts, max(bottom, end) + 20


def _table(terms: Deal, public: Public, top: float) -> Drawn:
    """Highest prices on top. A row grows where more markers share a field than have room beside its price."""
    prices, plain, marked = terms.edition.prices, list[str](), list[str]()
    wide, digits = TABLE / len(prices[0]), max(len(str(value)) for row in prices for value in row)
    end = 2 + DIGIT * digits
    room, across = int((wide - end) // (MARKER + 2)), int(wide // MARKER)
    for row in range(len(prices) - 1, -1, -1):
        fields = [
            [colour for colour, at in zip(COLOURS, public.prices, strict=True) if at == (row, column)]
            for column in range(len(prices[row]))
        ]
        most = max(map(len, fields))
        tall = ROW + ((MARKER + 2) * -(-most // across) if most > room else 0)
        for column, here in enumerate(fields):
            x, value = LEFT + column * wide, str(prices[row][column])
            # Fields with markers come last, so that their edges lie above those of their neighbours.
            parts = marked if here else plain
            parts.append(box(x, top, wide, tall, PAPER, INK if here else FAINT, 0))
            parts.append(words(x + end, top + 20, value, 15, "end", INK if here else QUIET, bool(here)))
            parts += _markers(here, x, wide, top, len(here) if len(here) <= room else 0, across)
        top += tall
    return plain + marked, top


def _markers(here: Sequence[Colour], x: float, wide: float, top: float, beside: int, across: int) -> list[str]:
    """The markers on a field: so many beside its price, the others below it, so many in a line."""
    parts = []
    for at, colour in enumerate(here):
        line, place = (0, at) if at < beside else (1 + at // across, at % across)
        in_line = beside if at < beside else min(across, len(here) - at + place)
        left = x + wide - (MARKER + 2) * in_line if line == 0 else x + (wide - MARKER * in_line) / 2
        middle, y = left + MARKER * (place + 0.5), top + 14 + (MARKER + 2) * line
        parts.append(disc(middle, y, MARKER / 2, PAINT[colour]))
        parts.append(words(middle, y + 5, letter(colour), 13, "middle", on(colour), True))
    return parts


def _facts(terms: Deal, public: Public, top: float) -> Drawn:
    """What belongs to prices and to the next price change."""
    card, stages = stage(terms, public), terms.edition.stages
    parts = [
        words(SIDE + 110, top + 13, w("price"), 13, "end", QUIET),
        words(RIGHT, top + 13, w("market"), 13, "end", QUIET),
    ]
    for colour in COLOURS:
        top += 24
        parts += [
            *_case(SIDE, top - 5, colour),
            words(SIDE + 25, top + 10, called(colour), 13),
            words(SIDE + 110, top + 10, str(price(terms, public, colour)), 16, "end", bold=True),
            words(RIGHT, top + 10, str(count(public.market, colour)), 16, "end"),
        ]
    following = [(w("next at price"), stages[public.stage + 1].price)] if public.stage + 1 < len(stages) else []
    limits = [(w("trade up to"), card.limit), (w("subsidies up to"), card.subsidies), (w("cases drawn"), card.draw)]
    top += 46
    for title, rows in (
        (w("Stage {number}", number=public.stage) if public.stage else w("Stage Start"), [*limits, *following]),
        (w("Bag"), [(w("cases"), public.bag), (w("of them black"), public.bag_black)]),
        (w("Black cases"), [(w("in the supply"), public.supply_black), (w("on the stages"), public.stage_black)]),
    ):
        parts.append(words(SIDE, top, title, 16, bold=True))
        for label, number in rows:
            top += 20
            parts += [words(SIDE, top, label, 14), words(RIGHT, top, str(number), 15, "end", bold=True)]
        top += 28
    return parts, top - 24


# --- silver ----------------------------------------------------------------------------------------------------------


def _silver(terms: Deal, seen: Sight, names: Sequence[str], top: float) -> Drawn:
    public, track, every = seen.public, terms.edition.silver_track, terms.edition.silver_per_step
    costs = w("Silver: a bar costs {price}", price=silver_price(terms, public))
    parts, top = _heading(costs, w("the game ends at {price}", price=track[-1]), top)
    lines = -(-len(track) // 16)
    across = -(-len(track) // lines)
    wide = min((RIGHT - LEFT) / across, 48)
    for at, value in enumerate(track):
        x, y = LEFT + wide * (at % across), top + ROW * (at // across)
        here = at == public.silver
        fill, ink = (INK, PAPER) if here else (FAINT, QUIET) if at < public.silver else (PAPER, INK)
        parts += [
            box(x, y, wide, ROW, fill, LINE, 0),
            words(x + wide / 2, y + 19, str(value), 15, "middle", ink, here or at == len(track) - 1),
        ]
    top += ROW * lines + 20
    bought = w.plural(
        "bought since the last price change: {bought}, good for {n} step",
        "bought since the last price change: {bought}, good for {n} steps",
        public.counter // every,
        bought=public.counter,
    )
    parts.append(words(LEFT, top, bought, 15))
    return parts, top + 22


def _heading(title: str, aside: str, top: float) -> Drawn:
    line = stroke([(LEFT, top + 24), (RIGHT, top + 24)], LINE, 1)
    return [words(LEFT, top + 17, title, 17, bold=True), words(RIGHT, top + 17, aside, 15, "end"), line], top + 32


# --- strips ----------------------------------------------------------------------------------------------------------


def _strips(terms: Deal, seen: Sight, names: Sequence[str], top: float) -> Drawn:
    public, full, whole = seen.public, strip_full(terms), terms.edition.sale_strip * len(COLOURS)
    parts, top = _heading(w("Strips"), "", top)
    for name, cases in ((w("Purchase"), public.purchase), (w("Silver"), public.silver_strip)):
        drawn, top = _strip(name, _places(cases, full), full - total(cases), top)
        parts += drawn
    for at, (cases, black) in enumerate(zip(public.sale, public.sale_black, strict=True)):
        now = at == public.strip
        places = [*_places(cases, whole), *[BLACK] * black] if now or total(cases) else []
        drawn, top = _strip(w("Sale {number}", number=at + 1), places, sales_left(terms, public) if now else 0, top)
        parts += drawn
    return parts, top + 8


def _places(cases: Cases, size: int) -> list[str]:
    """The cases on a strip, then its free places."""
    return [*faces_of(cases), *[""] * (size - total(cases))]


def _strip(name: str, places: Sequence[str], left: int, top: float) -> Drawn:
    """One strip; `left`: so many cases more set off a price change, 0: it does not count now."""
    parts = [words(LEFT, top + 15, name, 15, bold=left > 0, fill=INK if left else QUIET)]
    for at, face in enumerate(places):
        x, y = 108 + STEP * (at % BESIDE) + 6 * (face == BLACK), top + 24 * (at // BESIDE)
        parts += _case(x, y, face) if face else [box(x, y, CASE, CASE, GROUND, LINE, 3)]
    if not places:
        parts.append(words(108, top + 15, w("cleared"), 14, fill=QUIET))
    if left:
        more = w("{number} more: price change", number=left)
        parts.append(words(RIGHT, top + 15, more, 15, "end", bold=left == 1))
    return parts, top + 24 * max(1, -(-len(places) // BESIDE)) + 3


def _case(x: float, y: float, face: str) -> list[str]:
    """A case with its letter; black ones have a dot, because B is blue."""
    sign = next((letter(colour) for colour in COLOURS if colour == face), "•" if face == BLACK else "?")
    return [
        box(x, y, CASE, CASE, PAINT.get(face, PAPER), INK, 3),
        words(x + CASE / 2, y + 15, sign, 14, "middle", on(face), True),
    ]


# --- players ---------------------------------------------------------------------------------------------------------

ENDS = (304.0, 364.0, 436.0, 516.0, 576.0)
"""Where the numbers of a player end."""
SHARES, SHARE = 42.0, 50.0
"""Where the first colour of a player's shares stands, and how far it is to the next."""


def _players(terms: Deal, seen: Sight, names: Sequence[str], top: float) -> Drawn:
    heads = (w("gold"), w("silver"), w("money"), w("subsidies"), w("debt"))
    parts = [words(LEFT, top + 17, w("Players"), 17, bold=True)]
    parts += [words(end, top + 17, head, 13, "end", QUIET) for head, end in zip(heads, ENDS, strict=True)]
    top += 24
    ranks = seen.result.ranks if seen.result else (0,) * len(names)
    for seat in sorted(range(len(names)), key=lambda seat: ranks[seat]):
        drawn, top = _player(terms, seen, seat, names[seat], top)
        parts += drawn
    return parts, top


def _player(terms: Deal, seen: Sight, seat: int, name: str, top: float) -> Drawn:
    """A card: the name with the numbers, then the shares that everybody knows, and for the owner the hidden ones."""
    player, mine = seen.public.players[seat], seat == seen.seat
    asked = any(ask.seat == seat for ask in seen.pending)
    cards = _card_lines(player)
    base = top + (40 + 18 * max(1, len(cards)) if held(player) or cards else 34)
    own, bottom = _own(terms, seen, base) if mine and seen.result is None else ([], base)
    end = ENDS[0] - 22 - 12 * len(str(player.gold))
    mark = "►" if asked else f"{seen.result.ranks[seat]}." if seen.result else ""
    parts = [
        box(LEFT, top, RIGHT - LEFT, bottom - top, PAPER, INK if mine else FAINT, 6),
        words(SHARES, top + 22, cut(name, end - SHARES - (34 if mine else 0), 16), 16, bold=True),
        *([words(LEFT + 4, top + 22, mark, 16, bold=True)] if mark else []),
        *([words(end, top + 22, w("you"), 14, "end", QUIET)] if mine else []),
        *_numbers(player, stage(terms, seen.public).subsidies, top + 22),
        *_shares(player.known, top + 32),
        *(_amount(SHARES + SHARE * len(COLOURS), top + 32, "?", player.unknown) if player.unknown else []),
        *(words(RIGHT - 8, top + 46 + 18 * at, line, 13, "end") for at, line in enumerate(cards)),
        *own,
    ]
    return parts, bottom + 6


def _numbers(player: Player, most: int, y: float) -> list[str]:
    """The numbers under their heads; long ones are written smaller."""
    numbers = (player.gold, player.silver, player.money, f"{player.subsidies}/{most}", player.debt or "-")
    bold = (True, False, False, False, player.debt > 0)
    return [
        words(end, y, str(number), 16 if len(str(number)) < 6 else 13, "end", bold=strong)
        for end, number, strong in zip(ENDS, numbers, bold, strict=True)
    ]


def _card_lines(player: Player) -> list[str]:
    """The special cards, in as many lines as they need."""
    lines: list[str] = []
    for card in player.cards:
        said = cards_text(Player(cards=(card,)))
        if lines and len(lines[-1]) + len(said) < 28:
            lines[-1] += f" {said}"
        elif len(said) < 30:
            lines.append(said)
        else:
            middle = said.index("/", len(said) // 3) + 1
            lines += [said[:middle], said[middle:]]
    return lines


def _shares(cases: Cases, top: float) -> list[str]:
    """Each colour in its own column."""
    parts = []
    for at, colour in enumerate(COLOURS):
        if count(cases, colour):
            parts += _amount(SHARES + SHARE * at, top, colour, count(cases, colour))
    return parts


def _amount(x: float, y: float, face: str, number: int) -> list[str]:
    return [*_case(x, y, face), words(x + CASE + 4, y + 15, str(number), 15, bold=True)]


def _own(terms: Deal, seen: Sight, top: float) -> Drawn:
    """What only this seat knows: its hidden shares, and what all of it is worth."""
    hidden, parts = cases_of(seen.hand(HAND)), list[str]()
    if total(hidden):
        parts += _shares(hidden, top)
        parts.append(words(RIGHT - 8, top + 14, w("hidden, only you know"), 14, "end", QUIET))
        top += 26
    shares, money, cost = wealth(terms, seen)
    value = w.plural(
        "shares worth {shares}, with money {all}: {n} bar at {cost}",
        "shares worth {shares}, with money {all}: {n} bars at {cost}",
        (shares + money) // cost,
        shares=shares,
        all=shares + money,
        cost=cost,
    )
    parts.append(words(SHARES, top + 14, value, 15 if len(value) < 56 else 13))
    return parts, top + 26
