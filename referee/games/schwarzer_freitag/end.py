"""The end of the game: SF-39 and SF-40."""

from referee.game import Draws, ranked

from .lookups import add, cases_of, faces_of, room, silver_price, worth
from .scratch import Scratch
from .types import HAND, Cases


def finish(s: Scratch, draws: Draws) -> None:
    """Everybody turns everything they have into bars; then the bars are compared."""
    s.note("end")
    s.set(due=0)
    for seat in range(s.terms.seats):
        _cash_up(s, seat, draws)
    s.result = ranked([(player.gold, player.silver, player.money) for player in s.public.players])


def _cash_up(s: Scratch, seat: int, draws: Draws) -> None:
    """SF-39 for one player: sell everything, take all subsidies, pay what can be paid, buy bars."""
    edition, player = s.terms.edition, s.public.players[seat]
    shares = add(player.known, cases_of(draws.lay_out_all(f"{HAND}/{seat}")))
    subsidies = room(s.terms, s.public, seat)
    money = player.money + worth(s.terms, s.public, shares) + subsidies * edition.subsidy_pays
    paid = min(player.debt, money)
    bars, money = divmod(money - paid, silver_price(s.terms, s.public))
    gold, silver = divmod(player.silver + bars, edition.silver_per_gold)
    s.set_player(
        seat,
        known=Cases(),
        unknown=0,
        money=money,
        subsidies=player.subsidies + subsidies,
        debt=player.debt - paid,
        silver=silver,
        gold=player.gold + gold,
    )
    s.set(market=add(s.public.market, shares))
    s.note("cash up", seat=seat, shares=faces_of(shares), subsidies=subsidies, bars=bars, gold=player.gold + gold)
