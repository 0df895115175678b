"""The end of the game: SF-39 and SF-40."""

from referee.game import Result

from .scratch import Scratch
from .tables import add, faces_of, room, silver_price, sub, total, worth
from .types import Cases


def finish(s: Scratch) -> None:
    """Everybody turns all they have into bars; then the bars are compared."""
    s.log.append("the silver price has reached the end of its track: the game is over")
    s.set(acted=False, in_debt=False)
    for seat in range(s.terms.seats):
        _cash_up(s, seat)
    scores = tuple((player.gold, player.silver, player.money) for player in s.public.players)
    s.result = Result(tuple(1 + sum(other > score for other in scores) for score in scores), scores)


def _cash_up(s: Scratch, seat: int) -> None:
    """SF-39 for one player: sell all, take all subsidies, pay what can be paid, buy bars."""
    edition, shares, player = s.terms.edition, s.shares[seat], s.public.players[seat]
    hidden = sub(shares, player.known)
    if total(hidden) and s.draws:
        s.draws.open(f"hand/{seat}", faces_of(hidden))
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
    s.shares[seat] = Cases()
    sold = ", ".join(faces_of(shares)) or "nothing"
    s.log.append(
        f"@{seat} sells {sold}, takes subsidies: {subsidies}, buys silver: {bars}, has gold: {player.gold + gold}"
    )
