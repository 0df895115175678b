"""Which editions can be played to the end."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from referee.game import refuse

from .tables import per_seats
from .types import COLOURS, Deal

LONGEST = 5000
"""More than the 2,048 rounds there are, because there is seldom only one black case, and players buy silver."""


def validate(terms: Deal) -> None:
    """Refuse an edition that no game can be played with."""
    refuse(terms.edition.name, _faults(terms))


def _faults(terms: Deal) -> Iterator[str]:
    e, seats = terms.edition, terms.seats
    if not 2 <= seats <= 5:
        yield f"{seats} players cannot play, 2 to 5 can"
    if len({len(row) for row in e.prices}) != 1 or not all(map(_rises, (*e.prices, *zip(*e.prices, strict=True)))):
        yield "all rows of prices need the same number of columns, and prices rise to the right and upwards"
    if e.start_field[0] >= len(e.prices) or e.start_field[1] >= len(e.prices[0]):
        yield "start_field is not on the price table"
    if not _rises(e.silver_track):
        yield "the prices on silver_track must rise"
    if not _rises([stage.price for stage in e.stages]) or e.stages[-1].price > e.prices[-1][-1]:
        yield "the prices of the stages must rise, up to the highest price at most"
    if any(a.subsidies > b.subsidies or a.limit > b.limit for a, b in pairwise(e.stages)):
        yield "the subsidies and limits of the stages must not fall"
    if e.stages[0].subsidies * e.subsidy_pays < e.silver_track[0]:
        yield "the first subsidies do not pay for a silver bar"
    if len(e.sale_black) * e.sale_strip + per_seats(e.market, seats) + e.bag_base + seats > e.cases:
        yield "strips, market and bag need more cases than there are"
    if len(COLOURS) * (e.bag_base + seats) < seats * e.hand + e.market_draw:
        yield "the bag holds too few cases for hands and market"
    if len(COLOURS) * per_seats(e.market, seats) + e.market_draw < seats:
        yield "the market starts with fewer cases than there are players"
    if max(e.sale_left) >= len(COLOURS) * e.sale_strip:
        yield "sale_left is as much as a sale strip holds"
    if sum(e.sale_black) < 3:
        yield "fewer than three black cases lie beside the sale strips"
    if _length(terms) > LONGEST:
        yield "a game takes too long: the silver track is too long, or too few cases are drawn from too full a bag"


def _length(terms: Deal) -> float:
    """Rounds until silver is at the end of its track if all pass and there is one black case in the bag (SF-31)."""
    e = terms.edition
    bag, drawn = len(COLOURS) * (e.bag_base + terms.seats), min(stage.draw for stage in e.stages)
    return (len(e.silver_track) - 1) * per_seats(e.strip_full, terms.seats) * bag / drawn


def _rises(numbers: Sequence[int]) -> bool:
    return all(a < b for a, b in pairwise(numbers))
