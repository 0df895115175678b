"""Whole games through the library, beside the same games by the engine alone."""

import random
from typing import Any

import referee
from referee import games
from referee.forms import build, sample
from referee.library.data import Json
from referee.library.hosting import Hosted
from referee.library.views import View
from referee.show.typed import as_type
from tests.support.match import NAMES, Sitting, chance

FEWEST = {game_id: games.load(game_id).seats[0] for game_id in games.game_ids()}


def start(sitting: Sitting, **more: Any) -> Hosted:
    """The same table, set up by the library."""
    nonce, deadline = chance(sitting.seed, "offer"), sitting.table.offer.deadline
    seats = sitting.table.seats
    offer = referee.make_offer(sitting.game_id, sitting.host, seats=seats, deadline=deadline, nonce=nonce, **more)
    joins = [
        referee.join(offer, key, NAMES[seat], nonce=chance(sitting.seed, "join", seat))
        for seat, key in enumerate(sitting.players)
    ]
    return referee.start(offer, joins, sitting.host)


def some_move(view: View, rng: random.Random) -> Json:
    """A legal move as data, built from the list; None where there is nothing to choose."""
    if not view.decides:
        return None
    choice = rng.choice(view.moves()).choice
    values = sample(choice, rng.randrange)
    return build(choice, values) if values is not None else rng.choice(view.moves()).move


def own_type(view: View, move: Json) -> Any:
    return None if move is None else as_type(move, games.load(view.game).move)
