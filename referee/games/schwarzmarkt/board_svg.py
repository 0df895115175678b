"""The position as SVG: price track, offer, the reader's hand below it in the same columns, players, piles."""

from collections.abc import Sequence

from referee.game import Seat
from referee.language import Wording, mark
from referee.svg import (
    COLOURS,
    FAINT,
    INK,
    LINE,
    PAPER,
    QUIET,
    box,
    by_rank,
    cut,
    flowing,
    on,
    sheet,
)
from referee.svg import wide as space_of

from .board import COLOUR, half, in_force, trading
from .board_svg_sheet import Sheet, fitted, heading, said_below, wrapped
from .board_text import asked, fitting, marks, moves, paying, sentences
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
from .types import GOODS, Amounts, Deal, Good, Public, Sight
from .words import effect, in_order

w = Wording("referee.games.schwarzmarkt")

LETTERS: dict[Good, str] = {
    "potatoes": mark("P", "the letter of potatoes"),
    "coffee": mark("C", "the letter of coffee"),
    "flour": mark("F", "the letter of flour"),
    "butter": mark("B", "the letter of butter"),
    "sugar": mark("S", "the letter of sugar"),
}
"""On the goods cards."""
FIELDS = 14
"""Fields of the track in one line; on a narrow sheet half as many."""
EFFECT = 186.0
"""How wide the names of text cards are, on a wide sheet."""
LISTED = 3
"""Lines of cards under a pile that are shown; twice as many on a narrow sheet."""
NEAR = 3
"""Numbers are bold from this many cards before the half may end."""


def picture(terms: Deal, seen: Sight, names: Sequence[str], width: int) -> str:
    """The whole position as this seat sees it."""
    p = Sheet(width)
    _head(p, terms, seen, names)
    if seen.result is None:
        _prices(p, terms, seen.public)
        _market(p, terms, seen)
        if seen.seat < terms.seats:  # somebody who only watches has no hand
            _hand(p, terms, seen)
    _players(p, terms, seen, names)
    if seen.result is None:
        _piles(p, seen.public)
        _ends(p, terms, seen.public)
    return sheet(p.top, p.parts, f"Schwarzmarkt, {half(seen.public)}", sentences(terms, seen, names), width)


# --- whose turn it is ------------------------------------------------------------------------------------------------


def _head(p: Sheet, terms: Deal, seen: Sight, names: Sequence[str]) -> None:
    """Who must decide or has won, and what."""
    mine = any(ask.seat == seen.seat for ask in seen.pending)
    fill, ink = (INK, PAPER) if mine else (FAINT, INK)
    seat, what = asked(terms, seen)
    who = w("Everybody") if seen.pending else w("The game is over")
    if seen.result is not None:
        who = ", ".join(name for name, rank in zip(names, seen.result.ranks, strict=True) if rank == 1)
    elif seat is not None:
        who = names[seat]
    p.words(p.left, 34, "Schwarzmarkt", 22, bold=True)
    p.words(p.right, 34, w("the game is over") if seen.result else half(seen.public), 15, "end", QUIET)
    yours = w("your turn") if mine else ""
    lines = flowing(what, p.back - p.name, 15) if p.narrow else [what]
    tall = 58 + 20 * (len(lines) - 1)
    p.box(p.left, 46, p.right - p.left, tall, fill, fill, 6)
    room = p.back - p.name - 10 - space_of(yours, 15) if p.narrow else 390
    p.words(p.name, 70, cut(who, room, 17), 17, fill=ink, bold=True)
    for at, line in enumerate(lines):
        p.words(p.name, 93 + 20 * at, line, 15, fill=ink)
    if seen.pending:
        p.words(p.inside, 70, "►", 17, fill=ink)
    if mine:
        p.words(p.back, 70, yours, 15, "end", ink)
    p.top += tall + 60


# --- the price track -------------------------------------------------------------------------------------------------


def _prices(p: Sheet, terms: Deal, public: Public) -> None:
    track, value, end = terms.edition.track, price(terms, public), end_field(terms, public)
    first = w("A goods card pays {price}", price=value)
    now = first if trading(public) else w("The price begins at {price}", price=value)
    ends = w("the round ends at {price}", price=track[end])
    heading(p, now, w("the next one pays half: {price}", price=value // 2) if public.spoiled else ends)
    lines = -(-len(track) // (FIELDS // 2 if p.narrow else FIELDS))
    across = -(-len(track) // lines)
    wide = (p.right - p.left) / across
    for at in range(len(track)):
        line, place = divmod(at, across)
        with p.at(f"field:{at}"):
            _field(p, terms, public, at, p.left + wide * place, 8 + 62 * line, wide)
    p.top += 62 * lines + 10
    if trading(public):
        p.top -= 14
        p.flow(p.left, 20, moves(terms, public), 15) if p.narrow else p.lines(p.left, 20, [moves(terms, public)], 15)
        p.top += 20


def _field(p: Sheet, terms: Deal, public: Public, at: int, x: float, y: float, wide: float) -> None:
    """Its value above how far the marker may go from it. The marker stands on a dark field, and a bar lies below the
    fields that it can reach; what lies behind the end of the round is crossed out."""
    end, here = end_field(terms, public), at == public.marker
    gone = at < public.marker or at > end
    fill, ink = (INK, PAPER) if here else (FAINT, QUIET) if gone else (PAPER, INK)
    middle, far = x + wide / 2, terms.edition.steps[at]
    p.box(x, y, wide, 44, fill, LINE, 0)
    p.words(middle, y + 19, str(terms.edition.track[at]), 17, "middle", ink, not gone)
    if at <= end:
        p.words(middle, y + 37, w("end") if at == end else "1" if far == 1 else f"1–{far}", 13, "middle", ink)
    if here:
        p.words(middle, y, "▼", 15, "middle")
    elif at > end:
        p.stroke([(x + 6, y + 38), (x + wide - 6, y + 6)], QUIET)
    elif trading(public) and 0 < at - public.marker <= most_steps(terms, public):
        p.stroke([(x + 3, y + 49), (x + wide - 3, y + 49)], INK, 4)


# --- goods cards -----------------------------------------------------------------------------------------------------


def _card(p: Sheet, x: float, y: float, good: Good, wide: float, tall: float, *, full: bool) -> None:
    """A goods card with its letter; one that is not there is only an outline."""
    colour, sense = COLOUR[good], f"the letter of {good}"
    sign = w.sense(sense, LETTERS[good])
    p.box(x, y, wide, tall, COLOURS[colour] if full else PAPER, INK if full else LINE)
    p.words(x + wide / 2, y + tall / 2 + 5, sign, 14, "middle", on(colour) if full else QUIET, full)


def _wanted(p: Sheet, wanted: Amounts, left: Amounts, yours: Amounts) -> None:
    """What an offer wants, in the columns of the goods, card by card: what has been traded is crossed out, what the
    player holds is filled. Of too many cards for that only the number is shown."""
    few = max(count(wanted, good) for good in GOODS) <= p.step // (p.pip + 2)
    for column, good in enumerate(GOODS):
        x, number = p.good + p.step * column, count(wanted, good)
        gone, filled = number - count(left, good), min(count(left, good), count(yours, good))
        for at in range(number if few else 0):
            place = x + (p.pip + 2) * at
            _card(p, place, 0, good, p.pip, 24, full=gone <= at < gone + filled)
            if at < gone:
                p.stroke([(place, 24), (place + p.pip, 0)], INK, 2)
        if number and not few:
            _card(p, x, 0, good, p.pip, 24, full=filled > 0)
            p.words(x + p.pip + 4, 17, str(count(left, good)), 14, bold=True)


def _amounts(p: Sheet, amounts: Amounts, kind: str = "") -> None:
    """How many cards of each good, in the columns of the goods; `kind`: of their marks."""
    for column, good in enumerate(GOODS):
        x, number = p.good + p.step * column, count(amounts, good)
        with p.at(f"{kind}:{good}" if kind else ""):
            _card(p, x, 0, good, 24, 30, full=number > 0)
            p.words(x + 30, 22, str(number), 19, bold=number > 0, fill=INK if number else QUIET)


# --- the table and the reader's hand ----------------------------------------------------------------------------------


def _market(p: Sheet, terms: Deal, seen: Sight) -> None:
    """The card on the table with what is still wanted, and the text cards that wait or are in force."""
    public, card = seen.public, seen.public.offer
    heading(p, w("On the table"), w("crossed out: traded") if public.traded else "")
    with p.framed(4, LINE):
        p.top += 10
        if card is not None and trading(public):
            p.words(p.inside, 17, title(card), fitted(p, title(card), 16), bold=True)
            p.top += p.below
            _wanted(p, wants(terms, card), public.wanted, held(seen))
            still = w("{number} still wanted", number=total(public.wanted))
            if seen.seat < terms.seats:
                mine = {"number": total(public.wanted), "mine": fitting(seen)}
                still = paying(terms, seen, w("{number} still wanted, you hold {mine}", **mine))
            p.top += 26
            p.lines(p.inside, 20, flowing(still, p.back - p.inside, 15) if p.narrow else [still], 15)
            p.top += 12
        elif card is not None:
            _text_card(p, title(card), effect(terms, EVENTS[card]))
        elif not public.in_force:
            p.words(p.inside, 15, w("no card yet"), 15, fill=QUIET)
            p.top += 24
        for event in public.in_force:
            _text_card(p, TITLES[event], in_force(terms, public, event))
    p.top += 18


def _text_card(p: Sheet, name: str, does: str) -> None:
    begin = p.inside + (0 if p.narrow else EFFECT)
    lines = wrapped(does, p.back - begin, 14)
    p.words(p.inside, 15, name, 15, bold=True)
    p.top += 18 * p.narrow
    for at, line in enumerate(lines):
        p.words(begin, 15 + 18 * at, line, 14)
    p.top += 8 + 18 * len(lines)


def _hand(p: Sheet, terms: Deal, seen: Sight) -> None:
    """What only this seat knows: its goods, and its black-market cards, offers in the same columns."""
    own = held(seen)
    heading(p, w("Your hand"), w("filled: you hold it"))
    with p.framed(4, INK):
        p.top += 10
        p.words(p.inside, 21, w("your goods"), 15)
        p.words(p.back, 22, str(total(own)), 19, "end", bold=True)
        p.top += 6 + p.below if p.narrow else 0
        _amounts(p, own, "good")
        for at, head in enumerate((w.sense("a column", "potatoes"), *map(w, GOODS[1:]))):
            p.words(p.good + p.step * at, 46, head, 13, fill=QUIET)
        p.stroke([(p.left, 58), (p.right, 58)], FAINT)
        p.top += 66
        for card in in_order(terms, seen.hand("cards")):
            first, top = len(p.parts), p.top
            with p.at(f"card:{card}"):
                _in_hand(p, terms, card, own)
                whole = box(p.left + 4, top - 3, p.right - p.left - 8, p.top - top - 1, PAPER, PAPER, 0)
                p.parts.insert(first, whole)  # it can be clicked anywhere on its line
    p.top += 18


def _in_hand(p: Sheet, terms: Deal, card: str, own: Amounts) -> None:
    """A card that only this seat knows."""
    if not is_offer(card):
        _text_card(p, title(card), effect(terms, EVENTS[card]))
        return
    wanted = wants(terms, card)
    mine = w("{number} of {all}", number=total(at_most(wanted, own)), all=total(wanted))
    p.words(p.inside, 18, title(card), fitted(p, title(card), 15), bold=True)
    p.words(p.back, 18, mine, 15 if len(mine) < 8 else 13, "end")
    p.top += p.below
    _wanted(p, wanted, wanted, own)
    p.top += 32


# --- players ---------------------------------------------------------------------------------------------------------

ENDS = (444.0, 512.0, 572.0)
"""Where the numbers of a player end."""
TAGS = 352.0
"""Where the tags behind a name end, on a wide sheet."""
FEW = 2
"""With so few goods cards in a hand the half may soon be over."""


def _heads() -> tuple[str, ...]:
    return w("luxury"), w("goods"), w("cards")


def _players(p: Sheet, terms: Deal, seen: Sight, names: Sequence[str]) -> None:
    p.words(p.left, 16, w("Players"), 17, bold=True)
    for head, end in zip(() if p.narrow else _heads(), ENDS, strict=False):
        p.words(end, 16, head, fitted(p, head, 14, 58), "end", QUIET)
    p.top += 26
    for seat in by_rank(seen.result, len(names)):
        with p.at(f"player:{seat}"):
            _player(p, terms, seen, seat, names[seat])
    p.top += 12


def _player(p: Sheet, terms: Deal, seen: Sight, seat: Seat, name: str) -> None:
    mine, over, player = seat == seen.seat, seen.result is not None, seen.public.players[seat]
    turn = any(ask.seat == seat for ask in seen.pending)
    sign = f"{seen.result.ranks[seat]}." if seen.result else "►" if turn else ""
    said = [] if over else list(marks(terms, seen, seat))
    numbers = (player.luxury, player.goods, player.cards)
    if p.narrow:
        counts = " · ".join(f"{head} {number}" for head, number in zip(_heads(), numbers, strict=True))
        said = [part for line in (counts, *said) for part in flowing(line, p.back - p.name, 14)]
    tall = 34 + 18 * len(said)
    p.box(p.left, 0, p.right - p.left, tall, PAPER, INK if mine else FAINT, 6)
    if sign:
        p.words(p.inside - 4, 23, sign, 16, bold=True)
    tags = [(w("start"), FAINT, INK)] if seat == seen.public.start and not over else []
    tags += [(w("you"), INK, PAPER)] * mine
    x = end = p.back if p.narrow else TAGS
    x -= sum(22 + 8 * len(text) for text, *_ in tags)
    p.seat(p.name + 6, 17, seat)
    p.words(p.name + 18, 23, cut(name, x - 22 - p.name, 16), 16, bold=mine or turn)
    x = end
    for text, fill, ink in tags:
        wide = 16 + 8 * len(text)
        x -= wide + 6
        p.box(x, 7, wide, 20, fill, fill, 10)
        p.words(x + wide / 2, 22, text, 13, "middle", ink)
    bold = (True, player.goods <= FEW, False)
    for end, number, strong in zip(() if p.narrow else ENDS, numbers, bold, strict=False):
        # Long numbers are written smaller.
        p.words(end, 23, str(number), 17 if number < 10**5 else 13, "end", bold=strong)
    for at, line in enumerate(said):
        p.words(p.name, (41 if p.narrow else 42) + 18 * at, line, 14, fill=INK if p.narrow and not at else QUIET)
    p.top += tall + 4


# --- piles, and what ends the half -----------------------------------------------------------------------------------


def _piles(p: Sheet, public: Public) -> None:
    heading(p, w("Piles"))
    goods = w("goods: {number} face down", number=public.goods_pile)
    if under := len(public.goods_under):
        goods = w("goods: {number} face down, face up under them {under}:", number=public.goods_pile, under=under)
    said_below(p, goods)
    if public.goods_under:
        _amounts(p, amounts_of(public.goods_under))
        p.top += 40
    cards = w("black market: {number} face down", number=public.card_pile)
    if under := len(public.card_under):
        cards = w("black market: {number} face down, face up under them {under}:", number=public.card_pile, under=under)
    said_below(p, cards)
    lines = wrapped(", ".join(map(title, public.card_under)), p.right - p.left, 14, ", ") if public.card_under else []
    most = LISTED * (2 if p.narrow else 1)
    for line in [*lines[:most], *([w("and more")] if len(lines) > most else [])]:
        p.words(p.left, 12, line, 14, fill=QUIET)
        p.top += 19
    p.top += 14


def _ends(p: Sheet, terms: Deal, public: Public) -> None:
    """What ends the half, and how near that is."""
    heading(p, w("The half ends") if public.half == 1 else w("The game ends"))
    said_below(p, w("when somebody trades in their last goods card, or with"))
    p.top -= 24
    for text, number, most in (
        (w("black-market cards played"), public.played, terms.edition.half_cards),
        (w("of them in a row without a trade"), public.idle, terms.edition.idle_cards),
    ):
        p.top += 23
        count = w("{number} of {all}", number=number, all=most)
        lines = flowing(text, p.right - p.left - 10 - space_of(count, 16), 15) if p.narrow else [text]
        p.words(p.right, 14, count, 16, "end", bold=number + NEAR >= most)
        for at, line in enumerate(lines):
            p.top += 20 * (at > 0)
            p.words(p.left, 14, line, 15)
    p.top += 28
