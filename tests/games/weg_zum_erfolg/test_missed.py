"""LO-24: what a missed deadline does, for every question the game asks."""

from referee.games.weg_zum_erfolg.types import Card, Chip, Go, Heading, Intervene, Place, Solve

from .build import PARKED, SUIT, Desk
from .test_clauses_decisions import laid, neue
from .test_clauses_heads import head

RIGHT: Heading = "right"


def test_LO_24_the_lowest_piece_moves_and_goes_up() -> None:
    desk = Desk().put(0, ("G1a", RIGHT), ("O2j", RIGHT), "O1a").turn(2).do(None)
    assert desk.at(0) == ["G1a", "O2j", "O1"], "in the order of the fields, not of the pieces"
    desk = Desk().put(0, ("G1a", RIGHT), ("O2j", RIGHT)).turn(1).do(None, faces=("nothing",))
    assert desk.at(0) == ["G1a", "O2u"], "up rather than along"


def test_LO_24_a_piece_in_play_moves_rather_than_that_one_enters() -> None:
    desk = Desk(may_enter=True).put(0, ("B5", "up")).turn(6)
    assert desk.asked() == (0, "piece")
    assert desk.do(None, dice=(4, 4)).all_asked() == [(1, "intervene"), (0, "solve")]
    assert desk.at(0) == ["B5"]


def test_LO_24_the_way_is_up_or_else_left() -> None:
    desk = Desk().put(0, "O2u", ("Y1a", RIGHT)).turn(5, 6, 6).do(Go(0))
    assert desk.asked() == (0, "way")
    assert desk.do(None, faces=("nothing",)).at(0)[0] == "G3u"
    desk = Desk().put(0, ("R2", RIGHT)).hand(0).turn(4)
    assert desk.asked() == (0, "way")
    assert desk.do(None).piece() == ("G1d", "left")


def test_LO_24_the_opponent_is_the_lowest_seat() -> None:
    desk = Desk(4).put(0, "O3").put(1, "O3", *PARKED).put(3, "O3").turn(1)
    assert desk.asked() == (0, "opponent")
    assert desk.do(None, dice=(5, 1)).told("contests O3 with @1: 5 to 1")


def test_LO_24_success_is_tried_for() -> None:
    desk = laid().put(0, "O3").turn(1)
    assert desk.asked() == (0, "try")
    assert desk.do(None, dice=(6, 6)).at(0) == ["O3c"]


def test_LO_24_no_card_is_played_against_others() -> None:
    desk = head().do(None, Intervene(9), Solve("8"))
    assert desk.draws.shown == [(2, ("card",))]
    assert desk.now.task is not None
    assert desk.now.task.table == (Card(2, 9),)
    assert [len(player.hand) for player in desk.now.players] == [13, 13, 12]


def test_LO_24_no_expression_is_a_failure() -> None:
    for desk in (head().do(None, None, None), head().do(Intervene(2), None, None).do(None)):
        assert desk.told("@0 plays no card")
        assert desk.at(0) == ["O2b"]
        assert desk.me().hand == SUIT


def test_LO_24_places_are_changed_with_the_first_piece_of_the_lowest_seat() -> None:
    desk = Desk(3).put(0, ("G2j", RIGHT)).put(1, "B1", "R6a", "R7a").put(2, "O1u")
    desk.turn(1, faces=("swap",)).do(Go(0, "up"))
    assert desk.asked() == (0, "target")
    assert desk.do(None).piece() == ("R6a", "right")
    assert desk.piece(1, 1) == ("G2u", "up")


def test_LO_24_the_lowest_card_is_lost() -> None:
    desk = Desk().put(0, ("G2j", RIGHT)).hand(0, 3, 7, 11).turn(1, faces=("lose",)).do(Go(0, "up"))
    assert desk.asked() == (0, "lose")
    assert desk.do(None).me().hand == (7, 11)


def test_LO_24_the_chip_is_laid_below_the_leftmost_free_goal() -> None:
    desk = neue().do(Place(0))
    desk.draws.dice = [6, 1]
    desk.do(None)
    assert desk.now.chips[:2] == (Chip(None, 0, 0), Chip(None, 1, 1))
    assert desk.sight(1).tokens == {"chip/1": (), "goal/1": ("1",)}, "its owner knows it, and nobody else"
    assert desk.sight(0).tokens == {"chip/0": (), "goal/0": ("9",)}


def test_LO_24_no_chips_are_exchanged() -> None:
    desk = Desk(hinterlistig=True).put(0, "C2", "B1c", "B2c").turn(1, faces=("stay",)).do(Go(0))
    assert desk.asked() == (0, "swap chip")
    before = desk.now.chips
    assert desk.do(None).now.chips == before
    assert desk.asked() != (0, "swap chip")
