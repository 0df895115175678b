"""Which editions can be played to the end."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from referee.game import refuse
from referee.language import Reason

from .lookups import per_seats
from .types import COLOURS, Deal, illegal

LONGEST = 5000
"""More than the limit of 2,048 rounds, because there is rarely only one black case, and players buy silver."""


def validate(terms: Deal) -> None:
    """Refuse an edition with which no game can be played."""
    refuse(terms.edition.name, _faults(terms))


def _faults(terms: Deal) -> Iterator[Reason]:
    e, seats = terms.edition, terms.seats
    if not 2 <= seats <= 5:
        yield illegal.fault("seats", seats=seats)
    if len({len(row) for row in e.prices}) != 1 or not all(map(_rises, (*e.prices, *zip(*e.prices, strict=True)))):
        yield illegal.fault("prices")
    if e.start_field[0] >= len(e.prices) or e.start_field[1] >= len(e.prices[0]):
        yield illegal.fault("start-field")
    if not _rises(e.silver_track):
        yield illegal.fault("silver-track")
    if not _rises([stage.price for stage in e.stages]) or e.stages[-1].price > e.prices[-1][-1]:
        yield illegal.fault("stage-prices")
    if any(a.subsidies > b.subsidies or a.limit > b.limit for a, b in pairwise(e.stages)):
        yield illegal.fault("stage-limits")
    if e.stages[0].subsidies * e.subsidy_pays < e.silver_track[0]:
        yield illegal.fault("first-subsidies")
    if len(e.sale_black) * e.sale_strip + per_seats(e.market, seats) + e.bag_base + seats > e.cases:
        yield illegal.fault("too-few-cases")
    if len(COLOURS) * (e.bag_base + seats) < seats * e.hand + e.market_draw:
        yield illegal.fault("small-bag")
    if len(COLOURS) * per_seats(e.market, seats) + e.market_draw < seats:
        yield illegal.fault("small-market")
    if max(e.sale_left) >= len(COLOURS) * e.sale_strip:
        yield illegal.fault("sale-left")
    if sum(e.sale_black) < 3:
        yield illegal.fault("too-few-black")
    if _length(terms) > LONGEST:
        yield illegal.fault("too-long")


def _length(terms: Deal) -> float:
    """Rounds until silver reaches the end of its track if everybody passes and one black case is in the bag (SF-31)."""
    e = terms.edition
    bag, drawn = len(COLOURS) * (e.bag_base + terms.seats), min(stage.draw for stage in e.stages)
    return (len(e.silver_track) - 1) * per_seats(e.strip_full, terms.seats) * bag / drawn


def _rises(numbers: Sequence[int]) -> bool:
    return all(a < b for a, b in pairwise(numbers))
