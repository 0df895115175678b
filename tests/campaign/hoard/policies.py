"""A policy of its own: it hoards until the last round."""

from referee.game import AnySeen, AnyTerms, Below
from tests.games.selfplay import Bot

from . import ROUNDS, Spend


def late(terms: AnyTerms, seen: AnySeen, below: Below) -> Spend:
    return Spend(seen.public.coins[seen.seat] if seen.public.round == ROUNDS else 0)


POLICIES: dict[str, Bot] = {"spends late": late}
EXPECTED: dict[str, float] = {"asked spend": 12}
