"""LO-6: what the chance cards do. In most tests a piece steps from a junction onto the star of a connector."""

import pytest

from referee.games.weg_zum_erfolg.types import Go, Heading, Lose, Target

from .build import Desk

LEFT: Heading = "left"
RIGHT: Heading = "right"


def star(*faces: str, at: str = "G2j", heading: Heading = RIGHT, seats: int = 2) -> Desk:
    return Desk(seats).put(0, (at, heading)).turn(1, faces=faces).do(Go(0, "up"))


@pytest.mark.parametrize(
    ("card", "place"),
    [
        ("forward-1", ("G2v", "up")),
        ("forward-2", ("R2", "up")),
        ("forward-3", ("R2", "up")),  # no farther than the decision field
        ("back-1", ("G2j", "right")),
        ("back-2", ("G1d", "right")),
        ("back-3", ("G1c", "right")),
        ("decision", ("R2", "up")),
        ("nothing", ("G2u", "up")),
        ("reserve", ("reserve", "up")),
    ],
)
def test_LO_6_cards_that_move(card: str, place: tuple[str, str]) -> None:
    desk = star(card)
    assert desk.piece() == place
    assert desk.now.turn == 1


def test_LO_6_back_leads_to_the_side_the_piece_came_from() -> None:
    assert star("back-3", heading=LEFT).piece() == ("G2b", "left")


@pytest.mark.parametrize("card", ["back-1", "back-2", "back-3"])
def test_LO_6_back_stops_at_the_junction_if_the_piece_came_down(card: str) -> None:
    desk = Desk().put(0, ("R2", RIGHT)).hand(0).hand(1).turn(2, faces=(card,))
    assert desk.told("goes down")
    assert desk.piece() == ("G2j", "up")


@pytest.mark.parametrize(("card", "at"), [("back-2", "SA1"), ("back-3", "S"), ("forward-2", "SA5"), ("decision", "Y1")])
def test_LO_6_on_a_way_of_the_start_field(card: str, at: str) -> None:
    assert Desk().put(0, "S").turn(3, 1, 1, faces=(card,)).piece() == (at, "up")


def test_LO_6_moves_by_card_beat_and_draw_no_further_card() -> None:
    desk = Desk().put(0, ("G2j", RIGHT)).put(1, "G2v", "R6a", "R7a")
    desk.turn(1, faces=("forward-1",)).do(Go(0, "up"))
    assert desk.at(1) == ["R6a", "R7a"]
    desk = Desk().put(0, "SA1").put(1, "SA2", "R6a", "R7a").turn(2, faces=("back-1",))
    assert desk.piece() == ("SA2", "up")
    assert len(desk.at(1)) == 2
    assert len(desk.now.chance_under) == 1


def test_LO_6_roll_again_is_a_new_throw_for_any_piece() -> None:
    desk = Desk().put(0, ("G2j", RIGHT), ("O1a", RIGHT)).turn(1, 4, faces=("again",)).do(Go(0, "up"))
    assert desk.asked() == (0, "piece")
    assert desk.now.throw == 4
    desk.do(Go(0), dice=(1, 1))
    assert desk.at(0)[1] == "O1a"


def test_LO_6_miss_a_turn() -> None:
    desk = star("miss")
    assert desk.me().misses == 1
    desk.do(Go(0), dice=(1,))
    assert desk.told("@0 misses a turn")
    assert desk.me().misses == 0
    assert desk.asked() == (1, "piece")


def test_LO_6_swap_exchanges_places_and_headings() -> None:
    desk = star("swap")
    assert desk.asked() == (0, "target")
    desk.refuses(Target(1, 2), "LO-6")
    desk.refuses(Target(0, 0), "LO-6")
    desk.do(Target(1, 1))
    assert desk.piece() == ("R7a", "right")
    assert desk.piece(1, 1) == ("G2u", "up")


def test_LO_6_swap_is_compulsory_only_if_there_is_a_target() -> None:
    desk = Desk().put(0, ("G2j", RIGHT)).put(1, "C3", "B1", "S").turn(1, faces=("swap",)).do(Go(0, "up"))
    assert desk.piece() == ("G2u", "up")
    assert desk.told("@0 finds nobody to swap places with")
    desk = Desk().put(0, ("G2j", RIGHT)).put(1, "R1u", "C4", "B1", "B3").turn(1, faces=("swap",)).do(Go(0, "up"))
    assert desk.piece() == ("R1u", "up")  # the only one: nobody is asked
    assert len(desk.now.chance_under) == 1


def test_LO_6_lose_a_card() -> None:
    desk = star("lose")
    assert desk.asked() == (0, "lose")
    desk.refuses(Lose(12), "LO-6")
    desk.do(Lose(10))
    assert desk.me().hand == (2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 11)
    for hand in ((), (5, 5)):
        desk = Desk().put(0, ("G2j", RIGHT)).hand(0, *hand).turn(1, faces=("lose",)).do(Go(0, "up"))
        assert desk.me().hand == hand[1:]
        assert desk.told("@0 has no card to lose") == (not hand)
