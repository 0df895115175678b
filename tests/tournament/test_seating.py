"""A table of a tournament is identical to the byte to one that the commands make, and passes every check."""

import pytest

from referee.crypto.codec import H
from referee.crypto.keys import Key
from referee.engine.lobby import make_genesis, make_join, make_offer
from referee.tournament import derivation
from referee.tournament.entrants import make_bot
from referee.tournament.schedule import Plan
from referee.tournament.seating import load_terms, seat_names, sit_down
from referee.tournament.spec import GameLine, played
from tests.tournament.world import setting_for

GAMES = ("auction", "schwarzer-freitag", "mark", "schwarzmarkt", "weg-zum-erfolg")
ARBITER = Key(H("id", "arbiter"))


@pytest.mark.parametrize("duplicate", [True, False])
@pytest.mark.parametrize("game", GAMES)
def test_offer_joins_and_genesis_are_those_of_the_lobby(game: str, duplicate: bool) -> None:
    one, seed = played(GameLine(game, 3)), H("id", "seed")
    arbiter = ARBITER.public.hex() if duplicate else ""
    bot = make_bot(["random"], program=False)
    setting = setting_for([one], {"a": bot, "b": bot}, seed, duplicate=duplicate, arbiter=arbiter)
    plan = Plan(7, 2, 0, (1, 0, 1))
    sat = sit_down(setting, plan)
    rules, terms = load_terms(one)
    host, nonce = derivation.host_key(seed), derivation.offer_nonce(seed, 7)
    chance = derivation.deal(seed, 2) if duplicate else derivation.single(seed, 7)
    named = ARBITER.public if duplicate else b""
    offer = make_offer(host, game, rules, terms, nonce, chance=chance, arbiter=named)
    names = ["b", "a", "b (2)"]
    assert seat_names(setting, plan) == names
    joins = tuple(
        make_join(key, offer, name, derivation.join_nonce(seed, 7, seat), kept=True)
        for seat, (key, name) in enumerate(zip(sat.keys, names, strict=True))
    )
    table = make_genesis(host, offer, joins, chance)
    assert sat.match.table.envelope == table.envelope
    sat.match.table.check_lobby()
    sat.match.table.check_rules()
