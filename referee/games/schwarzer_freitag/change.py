"""The price change, in the order of its clauses SF-28 to SF-38."""

from referee.game import Draws

from .lookups import add, at_most, cases_of, count, each, faces_of, price, stage, sub, total
from .scratch import Scratch, Strip
from .types import BLACK, COLOURS, Cases


def price_change(s: Scratch, strip: Strip, draws: Draws) -> None:
    """Run a whole price change, triggered by the player to move on this strip."""
    s.full = None
    s.set(price_changes=s.public.price_changes + 1)
    _interest(s)
    _draw(s, draws)
    _empty(s, strip, draws)
    missing = [colour for colour in COLOURS if not count(s.public.market, colour)]
    if missing:  # SF-36
        s.move_prices("missing", [(colour, 1, 0) for colour in missing])
    s.raise_silver(s.public.counter // s.terms.edition.silver_per_step)  # SF-37
    s.set(counter=0, since="nothing")
    _reach_stage(s, draws)


def price_move(number: int) -> tuple[int, int]:
    """Steps up and right for this many cases of a colour (SF-33)."""
    if number == 0:
        return 0, -1
    sign = 1 if number > 0 else -1
    return sign * ((abs(number) + 1) // 2), sign if number % 2 == 0 else 0


def _interest(s: Scratch) -> None:
    """SF-28: everybody pays interest together with old debt, in full or not at all.

    A debt that is due stays due here: money that covers it would already have paid it (SF-29).
    """
    for seat, player in enumerate(s.public.players):
        owed = player.debt + player.subsidies * s.terms.edition.interest
        if not owed:
            continue
        if player.money >= owed:
            s.set_player(seat, money=player.money - owed, debt=0)
            s.note("interest paid", seat=seat, amount=owed)
        else:
            s.set_player(seat, debt=owed)
            s.note("interest owed", seat=seat, amount=owed)


def _draw(s: Scratch, draws: Draws) -> None:
    """SF-30 to SF-34: draw, move silver and prices, and put the coloured cases into the market."""
    faces = draws.take("bag", min(stage(s.terms, s.public).draw, s.public.bag))
    drawn, black = cases_of(faces), faces.count(BLACK)
    s.note("price change", drawn=faces_of(drawn) + [BLACK] * black)
    if s.public.since == "passes" and not s.public.bag_black:  # SF-42
        s.note("all passed")
        s.raise_silver(1)
    s.set(bag=s.public.bag - len(faces), bag_black=s.public.bag_black - black)
    if black == 1:  # SF-31
        _into_bag(s, Cases(), 1, draws)
    elif black:  # SF-32
        s.set(supply_black=s.public.supply_black + black)
    s.raise_silver(black)
    less = black if black > 1 else 0
    s.move_prices("drawn", [(colour, *price_move(count(drawn, colour) - less)) for colour in COLOURS])
    s.set(market=add(s.public.market, drawn))


def _empty(s: Scratch, strip: Strip, draws: Draws) -> None:
    """SF-34: empty the strip that triggered the change into the bag; a sale strip together with its black cases."""
    if strip != "sale":
        cases: Cases = getattr(s.public, strip)
        s.set(**{strip: Cases()})
        _into_bag(s, cases, 0, draws)
        return
    at = s.public.strip
    cases, black = s.public.sale[at], s.public.sale_black[at]
    _set_sale(s, at, Cases(), 0)
    _into_bag(s, cases, black, draws)
    if at + 1 < len(s.public.sale) and total(s.public.sale[at + 1]):
        s.set(strip=at + 1)
        s.note("next strip", number=at + 2)
    else:
        _refill(s)


def _refill(s: Scratch) -> None:
    """SF-35: from now on there is only sale strip 2, refilled from the market; this moves no price (SF-23)."""
    cases = at_most(s.public.market, each(s.terms.edition.sale_strip))
    black = min(s.public.supply_black, s.terms.edition.refill_black)
    _set_sale(s, 1, cases, black)
    s.set(strip=1, market=sub(s.public.market, cases), supply_black=s.public.supply_black - black)
    s.note("refill", cases=faces_of(cases) + [BLACK] * black)


def _reach_stage(s: Scratch, draws: Draws) -> None:
    """SF-38: the highest price decides; each stage reached or skipped puts its black case into the bag."""
    highest = max(price(s.terms, s.public, colour) for colour in COLOURS)
    reached = max(at for at, card in enumerate(s.terms.edition.stages) if card.price <= highest or at == 0)
    new = reached - s.public.stage
    if new > 0:
        s.note("stage", number=reached)
        s.set(stage=reached, stage_black=s.public.stage_black - new)
        _into_bag(s, Cases(), new, draws)


def _into_bag(s: Scratch, cases: Cases, black: int, draws: Draws) -> None:
    faces = faces_of(cases) + [BLACK] * black
    if faces:
        draws.put("bag", faces)
        s.set(bag=s.public.bag + len(faces), bag_black=s.public.bag_black + black)


def _set_sale(s: Scratch, at: int, cases: Cases, black: int) -> None:
    sale, sale_black = list(s.public.sale), list(s.public.sale_black)
    sale[at], sale_black[at] = cases, black
    s.set(sale=tuple(sale), sale_black=tuple(sale_black))
