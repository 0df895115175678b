"""Small lookups on the types: cases, prices, stages and the numbers that depend on the number of players."""

from collections.abc import Sequence

from msgspec.structs import astuple

from .types import COLOURS, HAND, Card, Cases, Colour, Deal, Edition, Player, Public, Sight, Stage

Field = tuple[int, int]
"""Row and column on the price table, from 0 at the bottom left."""

AT: dict[Colour, int] = {colour: at for at, colour in enumerate(COLOURS)}
"""The index of a colour in COLOURS."""
NO_CASES = Cases()
ONE: dict[Colour, Cases] = {colour: Cases(**{colour: 1}) for colour in COLOURS}


def count(cases: Cases, colour: Colour) -> int:
    """How many cases of one colour."""
    return int(getattr(cases, colour))


def total(cases: Cases) -> int:
    """How many cases of all colours."""
    return cases.yellow + cases.blue + cases.red + cases.green + cases.orange


def add(a: Cases, b: Cases) -> Cases:
    """Both together."""
    return Cases(a.yellow + b.yellow, a.blue + b.blue, a.red + b.red, a.green + b.green, a.orange + b.orange)


def sub(a: Cases, b: Cases) -> Cases:
    """`a` without `b`, which must be part of it."""
    return Cases(a.yellow - b.yellow, a.blue - b.blue, a.red - b.red, a.green - b.green, a.orange - b.orange)


def at_most(a: Cases, b: Cases) -> Cases:
    """The smaller number of each colour."""
    return Cases(
        a.yellow if a.yellow < b.yellow else b.yellow,
        a.blue if a.blue < b.blue else b.blue,
        a.red if a.red < b.red else b.red,
        a.green if a.green < b.green else b.green,
        a.orange if a.orange < b.orange else b.orange,
    )


def within(a: Cases, b: Cases) -> bool:
    """Is `a` part of `b`?"""
    return a.yellow <= b.yellow and a.blue <= b.blue and a.red <= b.red and a.green <= b.green and a.orange <= b.orange


def each(number: int) -> Cases:
    """This many of every colour."""
    return Cases(number, number, number, number, number)


def cases_of(faces: Sequence[str]) -> Cases:
    """Count drawn faces; black ones are ignored."""
    if not faces:
        return NO_CASES
    number = faces.count
    return Cases(number("yellow"), number("blue"), number("red"), number("green"), number("orange"))


def faces_of(cases: Cases) -> list[str]:
    """The cases one by one, in the order of COLOURS."""
    return (
        ["yellow"] * cases.yellow
        + ["blue"] * cases.blue
        + ["red"] * cases.red
        + ["green"] * cases.green
        + ["orange"] * cases.orange
    )


def colours_in(cases: Cases) -> tuple[Colour, ...]:
    """The colours of which there is at least one, in the order of COLOURS."""
    return tuple([colour for colour, number in zip(COLOURS, astuple(cases), strict=True) if number])


def most(cases: Cases) -> Colour | None:
    """The colour with the most cases (ties: the first in COLOURS); None if there are no cases."""
    if not total(cases):
        return None
    return max(COLOURS, key=lambda colour: count(cases, colour))


def shares_of(seen: Sight) -> Cases:
    """Everything the seat holds: what everybody knows, and its hidden cases (SF-15)."""
    return add(seen.public.players[seen.seat].known, cases_of(seen.hand(HAND)))


def held(player: Player) -> int:
    """How many shares a player holds, which everybody knows."""
    return total(player.known) + player.unknown


def price(t: Deal, public: Public, colour: Colour) -> int:
    """What one share costs now."""
    row, column = public.prices[AT[colour]]
    return t.edition.prices[row][column]


def worth(t: Deal, public: Public, shares: Cases) -> int:
    """What these shares cost together now."""
    table = t.edition.prices
    return sum(
        number * table[row][column]
        for number, (row, column) in zip(astuple(shares), public.prices, strict=True)
        if number
    )


def dearest(t: Deal, public: Public, shares: Cases) -> list[int]:
    """What each of these shares costs now, the most expensive first."""
    return sorted((price(t, public, colour) for colour in COLOURS for _ in range(count(shares, colour))), reverse=True)


def silver_price(t: Deal, public: Public) -> int:
    """What one silver bar costs now."""
    return t.edition.silver_track[public.silver]


def stage(t: Deal, public: Public) -> Stage:
    """The active stage card."""
    return t.edition.stages[public.stage]


def room(t: Deal, public: Public, seat: int) -> int:
    """How many more subsidies this seat may take now (SF-26)."""
    return stage(t, public).subsidies - public.players[seat].subsidies


def subsidies_needed(t: Deal, public: Public, seat: int) -> int:
    """How many more subsidies it takes to cover the debt due for the seat to move, as far as there is room (SF-29)."""
    if not public.due:
        return 0
    return min(room(t, public, seat), -(-(public.due - public.players[seat].money) // t.edition.subsidy_pays))


def uncovered(t: Deal, public: Public, seat: int) -> int:
    """How much of the debt due for the seat to move is left after its money and all possible subsidies; if negative,
    that much is left to spend (SF-29)."""
    return public.due - public.players[seat].money - room(t, public, seat) * t.edition.subsidy_pays


def card_for(player: Player, use: Card) -> tuple[Card, ...] | None:
    """The special card this use would spend: the one with the fewest uses, the first if several have as few (SF-13)."""
    return min((card for card in player.cards if use in card), key=len, default=None)


def unit_limit(t: Deal, public: Public, seat: int, use: Card) -> int:
    """How many units one action may trade, with a +1 card if the seat holds one."""
    return stage(t, public).limit + (card_for(public.players[seat], use) is not None)


def per_seats(row: Sequence[int], seats: int) -> int:
    """The entry of a table for 2, 3, 4, 5 players."""
    return row[seats - 2]


def strip_full(t: Deal) -> int:
    """The number of cases on the purchase or silver strip that triggers a price change (SF-27)."""
    return per_seats(t.edition.strip_full, t.seats)


def sale_left(t: Deal) -> int:
    """The number of cases left on the sale strip that triggers a price change (SF-27)."""
    return per_seats(t.edition.sale_left, t.seats)


def moved(edition: Edition, field: Field, up: int, right: int) -> Field:
    """The field this many steps up (negative: down), then right (negative: left), with the edges of SF-25."""
    top, last = len(edition.prices) - 1, len(edition.prices[0]) - 1
    row, column = field
    for _ in range(abs(up)):
        row, column = _step(row, column, top, last, 1 if up > 0 else -1)
    for _ in range(abs(right)):
        column, row = _step(column, row, last, top, 1 if right > 0 else -1)
    return row, column


def _step(along: int, across: int, end: int, other_end: int, by: int) -> Field:
    """One step along an axis; at its end the step goes the same way across; in the last corner it is lost."""
    if 0 <= along + by <= end:
        return along + by, across
    return along, min(max(across + by, 0), other_end)
