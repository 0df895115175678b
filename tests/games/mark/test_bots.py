"""The scripted players: `random` does whatever is legal, `sensible` plays better than that, `strong` looks ahead."""

import random
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from referee.forms import find
from referee.game import Seen
from referee.games.mark import GAME, rules
from referee.games.mark.bots import advise, outlook, random_move, sensible_move
from referee.games.mark.bots_strong import strong_move
from referee.games.mark.types import (
    Bid,
    Both,
    Buy,
    Deal,
    Lot,
    Move,
    Name,
    Nothing,
    Offer,
    Process,
    Roll,
    Sell,
    Shift,
    Sight,
    Words,
)
from referee.games.mark.words_list import legal
from tests.games.selfplay import play as play_by_mail
from tests.support.plain import play_out

from .build import BASE, Desk, auction, deal

POSITIONS: dict[str, Callable[[], Desk]] = {
    "turn": lambda: Desk().plant(0, d1="glass", d2="paper"),
    "little money": lambda: Desk().plant(0, d1="glass", d2="paper").money(7, 0, 0),
    "act": lambda: Desk().plant(0, d1="glass", p2="glass", p3="paper").row(1, "paper", 2).roll("glass", "paper"),
    "star": lambda: Desk().plant(0, d1="glass", p2="glass", p3="paper").roll("glass", "star"),
    "again": lambda: Desk().plant(0, d1="glass").roll("glass", "glass").do(Process("d1", "p1")),
    "name": lambda: Desk().roll("hammer", "star"),
    "offer": lambda: Desk().plant(0, d1="glass", p2="glass").roll("hammer", "glass"),
    "bid": lambda: auction(Lot("glass")).row(2, "glass", 2).money(30, 9, 9),
    "bid for a processed piece": lambda: auction(Lot("glass", 1, "p1")).plant(0, d2="glass", p3="paper"),
    "one bid": lambda: auction(Lot("glass")).money(1, 1, 1).plant(0, d1="glass", d2="glass", d3="glass"),
}


@pytest.mark.parametrize("name", POSITIONS)
def test_random_is_legal_and_uses_every_line_of_the_list(name: str) -> None:
    desk, rng = POSITIONS[name](), random.Random(name)
    choices, seen = legal(desk.terms, desk.seen()), set()
    for _ in range(40 * len(choices)):
        move = random_move(desk.terms, desk.seen(), rng.randrange)
        rules.check(desk.terms, desk.seen(), move)
        seen |= {at for at, choice in enumerate(choices) if find(choice, msgspec.to_builtins(move)) is not None}
    assert seen == set(range(len(choices)))


def sensible(desk: Desk, seat: int | None = None) -> Move:
    """The move of the sensible bot, which must be legal."""
    move = sensible_move(desk.terms, desk.seen(seat), lambda _: 0)
    rules.check(desk.terms, desk.seen(seat), move)
    return move


@pytest.mark.parametrize("name", POSITIONS)
def test_sensible_is_legal_and_leaves_nothing_to_chance(name: str) -> None:
    desk = POSITIONS[name]()
    moves = {sensible_move(desk.terms, desk.seen(), random.Random(seed).randrange) for seed in range(5)}
    assert moves == {sensible(desk)}


def test_MK_6_sensible_moves_pieces_towards_the_market() -> None:
    desk = Desk().plant(0, d1="glass", p4="glass").row(2, "glass", 3).roll("glass", "paper")
    assert isinstance(sensible(desk), Process), "the next one will be worth 25"
    desk = Desk().plant(0, p4="glass").row(2, "glass", 3).roll("glass", "paper")
    assert isinstance(sensible(desk), Sell), "20 in the hand"


def test_MK_7_sensible_says_both_actions_of_a_double() -> None:
    assert isinstance(sensible(Desk().roll("glass", "glass")), Both)
    assert isinstance(sensible(Desk().plant(0, d1="glass").roll("glass", "glass")), Both)


def test_MK_9_sensible_chooses_a_row_for_what_it_holds() -> None:
    desk = Desk().plant(0, p1="glass").roll("glass", "paper")
    assert sensible(desk) == Sell("p1", 0), "one piece alone brings most in the first row"
    desk = Desk().plant(0, p1="glass", p2="glass", p3="glass", p4="glass", d1="glass").roll("glass", "paper")
    assert sensible(desk) == Sell("p1", 4), "five of a kind are for the row that ends highest"


def test_MK_9_sensible_clears_worthless_pieces_when_nothing_else_pays() -> None:
    desk = Desk().row(0, "glass", 5).plant(0, p1="glass", d1="glass").roll("glass", "glass")
    assert sensible(desk) == Both(Process("d1", "p2"), Sell("p1"))


def test_MK_5_sensible_avoids_storage() -> None:
    desk = Desk().plant(0, d1="glass", d2="glass", p1="paper", p2="paper").row(0, "glass", 1).row(1, "paper", 5)
    desk.roll("metal", "metal")
    assert sensible(desk) == Nothing(), "a third piece would cost 5 every turn"
    desk = Desk().plant(0, d1="glass").row(2, "metal", 3).roll("metal", "metal")
    assert "metal" in str(sensible(desk))


def test_MK_12_MK_13_sensible_pays_only_for_what_pays_back() -> None:
    assert sensible(Desk().plant(0, d1="glass", d2="paper")) == Roll()
    assert sensible(Desk().row(4, "glass", 5).plant(0, d2="glass", d3="glass")) == Roll()
    dear = Desk().edition(market=(*deal().edition.market[:4], (99,) * 5)).row(4, "glass", 1)
    assert sensible(dear) == Buy("glass", "d2")
    assert sensible(dear.plant(0, d2="glass").money(10, 0, 0)) == Roll(), "others will not be ready soon"
    assert isinstance(sensible(dear.row(4, "glass", 4).plant(0, d2="glass")), Shift), "one field is left"


def test_MK_10_sensible_bids_by_what_the_piece_is_worth() -> None:
    lot = Lot("glass", 1, "p1")
    low = sensible(auction(lot, 4, liquidation=False).row(2, "glass", 1), 0)
    high = sensible(auction(lot, 4, liquidation=False).row(4, "glass", 4), 0)
    assert isinstance(low, Bid)
    assert isinstance(high, Bid)
    assert 0 < low.amount < 10
    assert low.amount < high.amount < 31
    assert high.field in ("p1", "p2", "p3", "p4"), "it comes processed"
    assert sensible(auction(Lot("glass")), 0) == Bid(1, "d2"), "where most processing fields are near"
    assert sensible(auction(Lot("glass")).row(0, "glass", 5), 0) == Bid(0, None)
    assert sensible(auction(lot, 4).row(2, "glass", 1), 0) == Bid(0, None), "half of 10 is too much for work to come"
    full = (
        auction(lot, 4, liquidation=False).row(2, "glass", 1).plant(0, d1="paper", d2="paper", p1="paper", p2="paper")
    )
    assert sensible(full, 0) == Bid(0, None), "storage would cost more"


def test_MK_14_MK_16_sensible_offers_what_it_cannot_use() -> None:
    desk = Desk().plant(0, d1="glass", d2="glass", d3="glass", d4="glass").row(2, "glass", 2).roll("hammer", "glass")
    assert isinstance(move := sensible(desk), Offer)
    assert move.field, "storage is dear, and the bank pays 7"
    desk = Desk().plant(0, p1="glass").row(4, "glass", 4).money(30, 0, 0).roll("hammer", "glass")
    assert sensible(desk) == Offer(None), "31 are near"


def test_MK_8_sensible_names_what_serves_it() -> None:
    desk = Desk().plant(0, d1="metal", d2="metal", d3="metal").row(4, "metal", 2).roll("hammer", "star")
    assert sensible(desk) == Name("metal"), "it holds too many, and the bank pays 8"


def test_MK_11_sensible_ends_the_game_when_it_leads_and_not_for_a_trifle_when_it_does_not() -> None:
    desk = Desk().row(0, "glass", 4).row(1, "paper", 5).row(2, "metal", 5).row(3, "plastic", 5).plant(0, p1="glass")
    assert outlook(desk.terms, desk.now).missing == 1
    desk.money(90, 50, 50).roll("glass", "paper")
    assert sensible(desk) == Sell("p1")
    desk.edition(market=(*((1, 1, 1, 1, 1),), *desk.terms.edition.market[1:])).money(30, 99, 99)
    assert sensible(desk) == Nothing()


# --- standing orders -------------------------------------------------------------------------------------------------


def test_MK_20_sensible_says_at_once_that_it_rolls() -> None:
    at_the_ack: Seen[Any] = Seen(0, None, (), {})
    words = advise(deal(), at_the_ack, "sensible")
    assert words == Words(roll="always")
    assert advise(Desk().terms, Desk().seen(), "sensible") == Words(roll="always", offer="nothing"), (
        "it has nothing to put up"
    )
    assert advise(Desk().terms, Desk().says(0, roll="always", offer="nothing").seen(), "sensible") is None, (
        "that is said already"
    )


def test_MK_20_sensible_wants_to_be_asked_where_it_would_buy() -> None:
    dear = Desk().edition(market=(*deal().edition.market[:4], (99,) * 5)).row(4, "glass", 1)
    words = advise(dear.terms, dear.seen(), "sensible")
    assert words is not None
    assert words.roll == "ask"


def test_MK_21_sensible_bids_nothing_while_storage_is_dear() -> None:
    desk = Desk().plant(0, d1="glass", d2="paper", p1="glass", p2="glass")
    words = advise(desk.terms, desk.seen(), "sensible")
    assert words is not None
    assert words.bid == "nothing"


def test_MK_22_sensible_wants_to_be_asked_where_it_would_offer() -> None:
    desk = Desk().plant(0, d1="glass", d2="glass", d3="glass", d4="glass").row(2, "glass", 2)
    words = advise(desk.terms, desk.seen(), "sensible")
    assert words is not None
    assert words.offer == "ask"


@pytest.mark.thorough
def test_MK_20_MK_21_MK_22_the_words_halve_the_mails_of_a_game() -> None:
    games = range(2)
    talking = [play_by_mail(GAME, deal(4), ["sensible"] * 4, str(seed)).counts for seed in games]
    asked = [play_by_mail(GAME, deal(4), ["sensible"] * 4, str(seed), words=False).counts for seed in games]
    assert sum(game["rounds"] for game in talking) < 150 * len(games)
    assert sum(game["answers"] for game in talking) < 0.6 * sum(game["answers"] for game in asked)


# --- strong ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["turn", "act", "offer", "bid for a processed piece"])
def test_strong_is_legal_and_plays_alike_with_the_same_chance(name: str) -> None:
    desk = POSITIONS[name]()
    moves = [strong_move(desk.terms, desk.seen(), random.Random(7).randrange) for _ in range(2)]
    rules.check(desk.terms, desk.seen(), moves[0])
    assert moves[0] == moves[1]


def test_MK_11_strong_sees_the_end() -> None:
    desk = Desk().row(0, "glass", 4).row(1, "paper", 5).row(2, "metal", 5).row(3, "plastic", 5).plant(0, p1="glass")
    desk.money(90, 50, 50).roll("glass", "paper")
    assert strong_move(desk.terms, desk.seen(), random.Random(1).randrange) == Sell("p1")


# --- games -----------------------------------------------------------------------------------------------------------


def play(terms: Deal, bots: list[str], seed: int) -> tuple[int, ...]:
    """The ranks of a game between these bots."""

    def choose(deal: Deal, view: Sight, rng: random.Random) -> Move:
        move: Move = GAME.bots[bots[view.seat]](deal, view, rng.randrange)
        return move

    *_, last = play_out(GAME, terms, choose, random.Random(seed))
    assert last.step.result is not None
    return last.step.result.ranks


@pytest.mark.thorough
@pytest.mark.parametrize(("seats", "options"), [(2, {}), (3, {}), (4, {}), (3, BASE), (3, {"liquidation": False})])
def test_sensible_beats_random_from_every_seat(seats: int, options: dict[str, bool]) -> None:
    games, wins = 6, 0
    for seed in range(games):
        bots = ["sensible" if at == seed % seats else "random" for at in range(seats)]
        wins += play(deal(seats, **options), bots, seed)[seed % seats] == 1
    assert wins > 0.8 * games


@pytest.mark.thorough
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_games_among_sensible_players_end_with_full_rows(seats: int) -> None:
    terms = deal(seats)
    for seed in range(2):
        rng = random.Random(seed)
        *_, last = play_out(GAME, terms, lambda t, view, r: sensible_move(t, view, r.randrange), rng)
        assert outlook(terms, last.step.public).missing == 0


def test_MK_21_sensible_wants_to_be_asked_where_it_would_bid_for_one_kind_alone() -> None:
    desk = Desk().row(0, "paper", 5).row(4, "glass", 2)
    words = advise(desk.terms, desk.seen(), "sensible")
    assert words is not None
    assert words.bid == "ask", "nobody pays for paper any more, but glass sells"
