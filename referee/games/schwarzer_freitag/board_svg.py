"""The position as an SVG: prices, silver, strips, players, one below the other. Discs are price markers, squares are
cases; both carry the letter of their colour."""

from collections.abc import Sequence

from referee.language import Wording
from referee.svg import COLOURS as PAINT
from referee.svg import (
    FAINT,
    FINGER,
    GROUND,
    INK,
    LEFT,
    LINE,
    PAPER,
    QUIET,
    RIGHT,
    Picture,
    by_rank,
    cut,
    disc,
    on,
    sheet,
    wide,
)

from .board import asked, cards_text, changes, letter, sales_left, stage_name, wealth
from .board_text import news, sentences
from .lookups import cases_of, count, faces_of, held, price, silver_price, stage, strip_full, total
from .story import called
from .types import BLACK, COLOURS, HAND, Cases, Colour, Deal, Player, Public, Sight

w = Wording("referee.games.schwarzer_freitag")

CASE, STEP, MARKER = 20, FINGER, 18
"""How wide a case is, a case with the gap behind it, and a marker on the price table."""
TABLE, SIDE = 388.0, 416.0
"""How wide the price table is, and where the facts beside it begin."""
ROW = 28
"""How tall a row of the price table is, and one of the silver track."""
DIGIT = 10.4
"""A bold digit of a price."""
STRIP = 100
"""Where the cases of a strip begin."""


def picture(terms: Deal, seen: Sight, names: Sequence[str]) -> str:
    """The whole position as this seat sees it."""
    p = Picture()
    _head(p, seen, names)
    _prices(p, terms, seen.public)
    _silver(p, terms, seen.public)
    _strips(p, terms, seen.public)
    _players(p, terms, seen, names)
    title = f"Schwarzer Freitag, {stage_name(seen.public)}"
    return sheet(p.top + 4, p.parts, title, "\n".join(sentences(terms, seen, names)))


# --- whose turn it is ------------------------------------------------------------------------------------------------


def _head(p: Picture, seen: Sight, names: Sequence[str]) -> None:
    mine = any(ask.seat == seen.seat for ask in seen.pending)
    phrase = max((len(asked(ask.what, "").strip()) for ask in seen.pending), default=22)
    lines = news(seen, [cut(name, 432 - 10.2 * phrase, 17) for name in names])
    tall = 14 + 22 * len(lines)
    fill, ink = (INK, PAPER) if mine else (FAINT, INK)
    p.words(LEFT, 34, "Schwarzer Freitag", 22, bold=True)
    p.words(RIGHT, 34, changes(seen.public), 15, "end", QUIET)
    p.box(LEFT, 48, RIGHT - LEFT, tall, fill, fill, 6)
    for at, line in enumerate(lines):
        p.words(LEFT + (34 if seen.pending else 12), 72 + 22 * at, line, 17, fill=ink, bold=True)
    if seen.pending:
        p.words(LEFT + 12, 72, "►", 17, fill=ink)
    if mine:
        p.words(RIGHT - 12, 72, w("your turn"), 15, "end", ink)
    p.top += 48 + tall + 14


# --- prices, stage, bag ----------------------------------------------------------------------------------------------


def _prices(p: Picture, terms: Deal, public: Public) -> None:
    """The table, and beside it what belongs to it."""
    facts, table = Picture(p.top), Picture(p.top)
    _table(table, terms, public)
    _facts(facts, terms, public)
    p.parts += table.parts + facts.parts
    p.top = max(table.top, facts.top) + 20


def _table(p: Picture, terms: Deal, public: Public) -> None:
    """Highest prices on top. A row grows where more markers share a field than have room beside its price."""
    prices, marked = terms.edition.prices, Picture(p.top)
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
            q = marked if here else p
            q.box(x, 0, wide, tall, PAPER, INK if here else FAINT, 0)
            q.words(x + end, 20, value, 15, "end", INK if here else QUIET, bool(here))
            _markers(q, here, x, wide, len(here) if len(here) <= room else 0, across)
        p.top += tall
        marked.top += tall
    p.parts += marked.parts


def _markers(p: Picture, here: Sequence[Colour], x: float, wide: float, beside: int, across: int) -> None:
    """The markers on a field: `beside` of them next to its price, the others below it, `across` in a line."""
    for at, colour in enumerate(here):
        line, place = (0, at) if at < beside else (1 + at // across, at % across)
        in_line = beside if at < beside else min(across, len(here) - at + place)
        left = x + wide - (MARKER + 2) * in_line if line == 0 else x + (wide - MARKER * in_line) / 2
        middle, y = left + MARKER * (place + 0.5), 14 + (MARKER + 2) * line
        with p.at(f"price:{colour}"):
            p.parts.append(disc(middle, p.top + y, MARKER / 2, PAINT[colour]))
            p.words(middle, y + 5, letter(colour), 13, "middle", on(colour), True)


def _facts(p: Picture, terms: Deal, public: Public) -> None:
    """What belongs to prices and to the next price change."""
    card, stages = stage(terms, public), terms.edition.stages
    p.words(SIDE + 110, 13, w("price"), 13, "end", QUIET)
    p.words(RIGHT, 13, w("market"), 13, "end", QUIET)
    for colour in COLOURS:
        p.top += FINGER
        with p.at(f"market:{colour}"):
            _case(p, SIDE, -5, colour)
            p.words(SIDE + 26, 10, called(colour), 13)
            p.words(SIDE + 110, 10, str(price(terms, public, colour)), 16, "end", bold=True)
            p.words(RIGHT, 10, str(count(public.market, colour)), 16, "end")
    following = [(w("next at price"), stages[public.stage + 1].price)] if public.stage + 1 < len(stages) else []
    limits = [(w("trade up to"), card.limit), (w("subsidies up to"), card.subsidies), (w("cases drawn"), card.draw)]
    p.top += 46
    for title, rows in (
        (w("Stage {number}", number=public.stage) if public.stage else w("Stage Start"), [*limits, *following]),
        (w("Bag"), [(w("cases"), public.bag), (w("of them black"), public.bag_black)]),
        (w("Black cases"), [(w("in the supply"), public.supply_black), (w("on the stages"), public.stage_black)]),
    ):
        p.words(SIDE, 0, title, 16, bold=True)
        for label, number in rows:
            p.top += 20
            p.words(SIDE, 0, label, 14)
            p.words(RIGHT, 0, str(number), 15, "end", bold=True)
        p.top += 28
    p.top -= 24


# --- silver ----------------------------------------------------------------------------------------------------------


def _silver(p: Picture, terms: Deal, public: Public) -> None:
    track = terms.edition.silver_track
    costs = w("Silver: a bar costs {price}", price=silver_price(terms, public))
    _heading(p, costs, w("the game ends at {price}", price=track[-1]))
    lines = -(-len(track) // 16)
    across = -(-len(track) // lines)
    wide = min((RIGHT - LEFT) / across, 48)
    with p.at("silver:bars"):
        p.box(LEFT, 0, wide * across, ROW * lines, PAPER, LINE, 0)
        for at, value in enumerate(track):
            x, y = LEFT + wide * (at % across), ROW * (at // across)
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
    p.words(LEFT, 0, bought, 15)
    p.top += 22


def _heading(p: Picture, title: str, aside: str) -> None:
    p.words(LEFT, 17, title, 17, bold=True)
    p.words(RIGHT, 17, aside, 15, "end")
    p.stroke([(LEFT, 24), (RIGHT, 24)], LINE, 1)
    p.top += 32


# --- strips ----------------------------------------------------------------------------------------------------------


def _strips(p: Picture, terms: Deal, public: Public) -> None:
    full, whole = strip_full(terms), terms.edition.sale_strip * len(COLOURS)
    _heading(p, w("Strips"), "")
    _strip(p, w("Purchase"), _places(public.purchase, full), full - total(public.purchase))
    with p.at("strip:silver"):
        p.box(STRIP - 4, -3, min(STEP * full + 2, RIGHT - STRIP), FINGER, GROUND, GROUND)
        _strip(p, w("Silver"), _places(public.silver_strip, full), full - total(public.silver_strip))
    for at, (cases, black) in enumerate(zip(public.sale, public.sale_black, strict=True)):
        now = at == public.strip
        places = [*_places(cases, whole), *[BLACK] * black] if now or total(cases) else []
        left = sales_left(terms, public) if now else 0
        _strip(p, w("Sale {number}", number=at + 1), places, left, "sale" if now else "")
    p.top += 8


def _places(cases: Cases, size: int) -> list[str]:
    """The cases on a strip, then its free places."""
    return [*faces_of(cases), *[""] * (size - total(cases))]


def _strip(p: Picture, name: str, places: Sequence[str], left: int, kind: str = "") -> None:
    """One strip; `left` more cases trigger a price change, 0: it does not count now. `kind`: of the cases' marks."""
    p.words(LEFT, 15, name, 15, bold=left > 0, fill=INK if left else QUIET)
    said = w("{number} more: price change", number=left) if left else ""
    if said:
        p.words(RIGHT, 15, said, 13, "end", bold=left == 1)
    x, end = float(STRIP), RIGHT - wide(said, 13)
    for face in places:
        if x + CASE > end:
            x, p.top = STRIP, p.top + FINGER
        if face:
            with p.at(f"{kind}:{face}" if kind and face != BLACK else ""):
                _case(p, x, 0, face)
        else:
            p.box(x, 0, CASE, CASE, GROUND, LINE, 3)
        x += CASE if face == BLACK else STEP
    if not places:
        p.words(STRIP, 15, w("cleared"), 14, fill=QUIET)
    p.top += FINGER


def _case(p: Picture, x: float, y: float, face: str) -> None:
    """A case with its letter; black ones have a dot, because B is blue."""
    sign = next((letter(colour) for colour in COLOURS if colour == face), "•" if face == BLACK else "?")
    p.box(x, y, CASE, CASE, PAINT.get(face, PAPER), INK, 3)
    p.words(x + CASE / 2, y + 15, sign, 14, "middle", on(face), True)


# --- players ---------------------------------------------------------------------------------------------------------

ENDS = (304.0, 364.0, 436.0, 516.0, 576.0)
"""Where the numbers of a player end."""
SHARES, SHARE = 42.0, 50.0
"""Where the first colour of a player's shares is, and the distance to the next."""


def _players(p: Picture, terms: Deal, seen: Sight, names: Sequence[str]) -> None:
    p.words(LEFT, 17, w("Players"), 17, bold=True)
    heads = (w("gold"), w("silver"), w("money"), w("subsidies"), w("debt"))
    for head, end in zip(heads, ENDS, strict=True):
        p.words(end, 17, head, 13, "end", QUIET)
    p.top += 24
    for seat in by_rank(seen.result, len(names)):
        with p.framed(0, INK if seat == seen.seat else FAINT):
            _player(p, terms, seen, seat, names[seat])
        p.top += 6


def _player(p: Picture, terms: Deal, seen: Sight, seat: int, name: str) -> None:
    """The name with the numbers, then the shares that everybody knows, and for the owner the hidden ones."""
    player, mine = seen.public.players[seat], seat == seen.seat
    asked = any(ask.seat == seat for ask in seen.pending)
    cards = _card_lines(player)
    last = ENDS[0] - 22 - 12 * len(str(player.gold))
    p.seat(SHARES + 6, 17, seat)
    p.words(SHARES + 18, 23, cut(name, last - SHARES - 18 - (34 if mine else 0), 16), 16, bold=True)
    if sign := "►" if asked else f"{seen.result.ranks[seat]}." if seen.result else "":
        p.words(LEFT + 4, 23, sign, 16, bold=True)
    if mine:
        p.words(last, 23, w("you"), 14, "end", QUIET)
    subsidies = f"{player.subsidies}/{stage(terms, seen.public).subsidies}"
    numbers = (player.gold, player.silver, player.money, subsidies, player.debt or "-")
    bold = (True, False, False, False, player.debt > 0)
    for end, number, strong in zip(ENDS, numbers, bold, strict=True):
        # Long numbers are written smaller.
        p.words(end, 23, str(number), 16 if len(str(number)) < 6 else 13, "end", bold=strong)
    _shares(p, player.known, 32, "share" if mine else "")
    if player.unknown:
        _amount(p, SHARES + SHARE * len(COLOURS), 32, "?", player.unknown)
    for at, line in enumerate(cards):
        p.words(RIGHT - 8, 46 + 18 * at, line, 13, "end")
    p.top += 40 + 18 * max(1, len(cards)) if held(player) or cards else 34
    if mine and seen.result is None:
        _own(p, terms, seen)


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


def _shares(p: Picture, cases: Cases, y: float, kind: str) -> None:
    """Each colour in its own column; `kind`: of their marks."""
    for at, colour in enumerate(COLOURS):
        if count(cases, colour):
            with p.at(f"{kind}:{colour}" if kind else ""):
                _amount(p, SHARES + SHARE * at, y, colour, count(cases, colour))


def _amount(p: Picture, x: float, y: float, face: str, number: int) -> None:
    _case(p, x, y, face)
    p.words(x + CASE + 4, y + 15, str(number), 15, bold=True)


def _own(p: Picture, terms: Deal, seen: Sight) -> None:
    """What only this seat knows: its hidden shares, and what all of it is worth."""
    hidden = cases_of(seen.hand(HAND))
    if total(hidden):
        _shares(p, hidden, 0, "share")
        p.words(RIGHT - 8, 14, w("hidden, only you know"), 14, "end", QUIET)
        p.top += 26
    shares, money, cost = wealth(terms, seen)
    value = w.plural(
        "shares worth {shares}, with money {all}: {n} bar at {cost}",
        "shares worth {shares}, with money {all}: {n} bars at {cost}",
        (shares + money) // cost,
        shares=shares,
        all=shares + money,
        cost=cost,
    )
    p.words(SHARES, 14, value, 15 if len(value) < 56 else 13)
    p.top += 26
