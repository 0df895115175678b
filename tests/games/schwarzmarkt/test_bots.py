"""The scripted players: `random` is fair to every legal move, `sensible` plays better than that."""

import random
from collections.abc import Callable

import msgspec
import pytest

from referee.forms import find
from referee.game import Seen
from referee.games.schwarzmarkt import GAME
from referee.games.schwarzmarkt.bots import advise, random_move, sensible_move
from referee.games.schwarzmarkt.bots_strong import strong_move
from referee.games.schwarzmarkt.types import (
    GOODS,
    Amounts,
    Collect,
    Deal,
    Find,
    Move,
    Play,
    Quick,
    Raid,
    Sight,
    Spy,
    Swap,
    Trade,
    Words,
)
from tests.support.plain import play_out

from .build import Desk, deal
from .policies import POLICIES

FEW = Amounts(potatoes=2, butter=1)

POSITIONS: dict[str, Callable[[], Desk]] = {
    "play": lambda: Desk(3).cards(0, "offer-3", "limit", "razzia"),
    "trade": lambda: Desk(3).play("offer-6").price(10),
    "trade all five": lambda: Desk(4).play("offer-21"),
    "trade with Waren knapp": lambda: Desk(3).play("waren-knapp", "offer-21"),
    "trade before the limit": lambda: Desk(3).play("limit", "offer-6").price(20),
    "trade on the end field": lambda: Desk(3).play("offer-6").price(50),
    "nothing to trade": lambda: Desk(3).goods(0, Amounts(sugar=1)).play("offer-6").price(25),
    "nothing on the end field": lambda: Desk(3).goods(0, Amounts(sugar=1)).play("offer-6").price(50),
    "spy": lambda: Desk(4).goods(2, Amounts()).play("spionage"),
    "quick": lambda: Desk(3).goods(0, FEW).play("schnelles-geschaeft"),
    "swap": lambda: Desk(3).play("zwangstausch"),
    "swap with few": lambda: Desk(4).goods(0, FEW).goods(1, Amounts(sugar=1)).goods(2, Amounts()).play("zwangstausch"),
    "swap the only card": lambda: Desk(3).goods(0, Amounts(flour=1)).play("zwangstausch"),
    "raid": lambda: Desk(3).goods(1, Amounts()).play("razzia"),
    "find": lambda: Desk(3).player(0, luxury=9).play("neue-ware"),
    "collect": lambda: Desk(5).goods(4, Amounts()).play("alte-rechnung"),
}


@pytest.mark.parametrize("name", POSITIONS)
def test_random_makes_legal_moves_of_every_choice(name: str) -> None:
    desk, rng, reached = POSITIONS[name](), random.Random(name), set()
    choices = GAME.legal(desk.terms, desk.sight())
    for _ in range(40 * len(choices)):
        move = random_move(desk.terms, desk.sight(), rng.randrange)
        GAME.check(desk.terms, desk.sight(), move)
        data = msgspec.json.decode(msgspec.json.encode(move))
        reached |= {at for at, choice in enumerate(choices) if find(choice, data) is not None}
    assert reached == set(range(len(choices)))


def sensible(desk: Desk) -> Move:
    """The move of the sensible bot, which must be legal."""
    move = sensible_move(desk.terms, desk.sight(), lambda _: 0)
    GAME.check(desk.terms, desk.sight(), move)
    return move


@pytest.mark.parametrize("name", POSITIONS)
def test_sensible_is_legal_and_leaves_nothing_to_chance(name: str) -> None:
    desk = POSITIONS[name]()
    moves = {sensible_move(desk.terms, desk.sight(), random.Random(seed).randrange) for seed in range(5)}
    assert moves == {sensible(desk)}


def test_SM_6_sensible_waits_while_the_price_is_low_and_sells_when_it_is_high() -> None:
    desk = Desk(3).play("offer-6")
    assert sensible(desk) == Trade(Amounts(), 1)
    assert sensible(desk.price(25)) == Trade(Amounts(potatoes=2, coffee=2))
    assert sensible(desk.price(50)) == Trade(Amounts(potatoes=2, coffee=2))


def lowest_price(desk: Desk) -> int:
    """The first price at which the sensible player trades something."""
    prices = desk.terms.edition.track
    return next(price for price in prices if sensible(desk.price(price)).goods != Amounts())  # type: ignore[union-attr]


def test_SM_11_sensible_sells_cheaper_when_a_hand_is_nearly_empty() -> None:
    desk = Desk(3).play("offer-6").goods(1, Amounts(3, 3, 2, 2, 2)).goods(2, Amounts(3, 3, 2, 2, 2))
    early = lowest_price(desk)
    late = lowest_price(desk.goods(1, Amounts(sugar=1)))
    assert late < early


def test_sensible_waits_for_more_with_a_good_that_only_it_holds() -> None:
    desk = Desk(3).play("offer-4").goods(0, Amounts(butter=4, sugar=2))
    common = lowest_price(desk)
    gone = ("butter",) * 8
    desk.public(goods_under=gone, goods_pile=desk.now.goods_pile - len(gone))
    assert lowest_price(desk) > common, "all other butter lies under the pile, so the offer waits for this hand"


def test_SM_13_sensible_trades_one_card_with_waren_knapp() -> None:
    desk = Desk(3).play("waren-knapp", "offer-6").price(25)
    move = sensible(desk)
    assert isinstance(move, Trade)
    assert sum(getattr(move.goods, good) for good in GOODS) == 1


def test_SM_12_sensible_ends_the_game_only_if_that_wins_it() -> None:
    desk = Desk(3).play("offer-6").public(half=2).price(10).goods(0, Amounts(potatoes=2)).player(1, luxury=100)
    assert sensible(desk.player(0, luxury=81)) == Trade(Amounts(potatoes=2))
    assert sensible(desk.player(0, luxury=80)) != Trade(Amounts(potatoes=2)), "a tie is no win"
    assert sensible(desk.price(50).player(0, luxury=0)) == Trade(Amounts(potatoes=2)), "it would be lost anyway"
    assert sensible(desk.player(1, luxury=110).player(0, luxury=0)) == Trade(Amounts(potatoes=2)), (
        "lost with 50 each, too"
    )
    desk.player(0, luxury=70)
    assert sensible(desk.price(10)) != Trade(Amounts(potatoes=2)), "two cards can still bring what is missing"


def test_SM_5_sensible_plays_what_fits_its_hand() -> None:
    desk = Desk(3).goods(0, Amounts(butter=4, sugar=1)).cards(0, "offer-1", "offer-4", "spionage")
    assert sensible(desk) == Play("offer-4", Trade(Amounts(), 1)), "and waits"
    desk.goods(0, Amounts(flour=5))
    assert sensible(desk) == Play("spionage", Spy(1)), "neither offer is any use"
    desk.cards(0, "offer-1", "offer-4", "schnelles-geschaeft")
    assert sensible(desk) == Play("schnelles-geschaeft", Quick("flour"))


@pytest.mark.parametrize("card", ["zwangstausch", "neue-ware", "limit"])
def test_SM_25_sensible_plays_a_card_alone_where_nothing_can_be_sent_with_it(card: str) -> None:
    desk = Desk(3).player(0, luxury=9).goods(0, Amounts(flour=5)).cards(0, card, "offer-1", "offer-4")
    assert sensible(desk) == Play(card)


def test_SM_26_sensible_sits_out_when_it_has_nothing_more_to_trade() -> None:
    desk = Desk(3).play("offer-6").price(25).goods(0, Amounts(potatoes=1, sugar=8))
    assert sensible(desk) == Trade(Amounts(potatoes=1), 0, 1)
    desk.goods(0, Amounts(sugar=9))
    assert sensible(desk) == Trade(Amounts(), 1, 1)
    desk.goods(0, Amounts(potatoes=2, coffee=3))
    assert sensible(desk) == Trade(Amounts(potatoes=2, coffee=2)), "that completes the offer"
    desk.goods(0, Amounts(potatoes=1))
    assert sensible(desk) == Trade(Amounts(potatoes=1)), "that ends the half"
    desk.price(50).goods(0, Amounts(sugar=9))
    assert sensible(desk) == Trade(Amounts()), "no turn is left"


def test_SM_27_sensible_wants_to_be_asked_only_at_prices_at_which_it_would_sell() -> None:
    terms = deal(4)
    first = advise(terms, Seen(0, None, (), {}), "sensible")
    assert first is not None
    assert first.asked_from > 1
    desk = Desk(4).play("offer-6")
    said = advise(desk.terms, desk.sight(0), "sensible")
    assert said is not None
    for price in desk.terms.edition.track:
        if price < said.asked_from:
            move = sensible(desk.price(price))
            assert isinstance(move, Trade)
            assert move.goods == Amounts(), price
    assert advise(desk.terms, desk.public(standing=(said,) * 4).sight(0), "sensible") is None, "nothing new"
    near = advise(desk.terms, desk.goods(2, Amounts(sugar=1)).sight(0), "sensible")
    assert near is not None
    assert near.asked_from < said.asked_from, "somebody may soon end the half"
    assert advise(desk.terms, desk.goods(0, Amounts(sugar=3)).sight(0), "sensible") == Words(), (
        "it could end the half itself"
    )


AIMED: dict[str, Move] = {
    "schnelles-geschaeft": Quick("coffee"),
    "zwangstausch": Swap(2, 2, ("coffee", "sugar")),
    "razzia": Raid(2, "potatoes"),
    "neue-ware": Find(("butter", "potatoes", "flour", "coffee", "sugar")),
    "alte-rechnung": Collect(3),
    "spionage": Spy(2),
}


@pytest.mark.parametrize("card", AIMED)
def test_SM_14_to_SM_20_sensible_aims_its_text_cards(card: str) -> None:
    """Its offers want butter most, then sugar; seat 2 has the biggest hand, seat 3 the most luxury."""
    desk = Desk(4).goods(0, Amounts(butter=2, coffee=1, sugar=2)).goods(1, Amounts(sugar=2)).goods(3, Amounts(flour=2))
    desk.player(0, luxury=9).player(3, luxury=70).cards(0, card).do(Play(card))
    desk.cards(0, "offer-4", "offer-15", "offer-20")
    assert sensible(desk) == AIMED[card]


def play(terms: Deal, bots: list[str], seed: int) -> tuple[int, ...]:
    """The ranks of a game between these bots."""

    def choose(terms: Deal, view: Sight, rng: random.Random) -> Move:
        move: Move = GAME.bots[bots[view.seat]](terms, view, rng.randrange)
        return move

    *_, last = play_out(GAME, terms, choose, random.Random(seed))
    assert last.step.result is not None
    return last.step.result.ranks


@pytest.mark.parametrize(("seats", "games"), [(3, 15), (4, 16), (5, 15)])
@pytest.mark.thorough
def test_sensible_beats_random_from_every_seat(seats: int, games: int) -> None:
    wins = 0
    for seed in range(games):
        seat = seed % seats
        bots = ["sensible" if at == seat else "random" for at in range(seats)]
        wins += play(deal(seats, expert=seed % 3 == 0), bots, seed)[seat] == 1
    assert wins > 0.8 * games


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_games_among_sensible_players_end(seats: int) -> None:
    for seed in range(8):
        assert sorted(play(deal(seats), ["sensible"] * seats, seed))[0] == 1


@pytest.mark.parametrize("name", POLICIES)
def test_a_policy_keeps_to_the_rules(name: str) -> None:
    """`play_out` checks every move; the policy has seat 0."""

    def choose(terms: Deal, view: Sight, rng: random.Random) -> Move:
        return (POLICIES[name] if view.seat == 0 else sensible_move)(terms, view, rng.randrange)

    *_, last = play_out(GAME, deal(3), choose, random.Random(name))
    assert last.step.result is not None


def test_sensible_leaves_an_opening_to_its_standing_orders() -> None:
    """A card alone, if the orders move the marker as it would; with the first turn, if they do not."""
    desk = Desk(3).cards(0, "offer-1", "offer-2", "offer-3")
    move = sensible(desk)
    assert isinstance(move, Play)
    assert move.then == Trade(Amounts(), 1)
    quiet = desk.public(standing=(Words(10), Words(), Words()))
    assert sensible(quiet) == Play(move.card)
    assert sensible(desk.public(standing=(Words(10, 2), Words(), Words()))) == move


@pytest.mark.parametrize("name", POSITIONS)
def test_strong_is_legal_and_the_same_chance_gives_the_same_move(name: str) -> None:
    desk = POSITIONS[name]().public(played=99)
    moves = {strong_move(desk.terms, desk.sight(), random.Random(seed).randrange) for seed in (1, 1)}
    (move,) = moves
    GAME.check(desk.terms, desk.sight(), move)


def test_SM_12_strong_ends_a_game_that_it_wins() -> None:
    desk = Desk(3).play("offer-6").public(half=2).price(10).goods(0, Amounts(potatoes=2)).player(1, luxury=100)
    desk.player(0, luxury=81)
    assert strong_move(desk.terms, desk.sight(), random.Random(1).randrange) == Trade(Amounts(potatoes=2))
