"""The worked examples LO-E1 to LO-E5, with exact figures, on our board."""

from referee.games.weg_zum_erfolg.types import OUT, Go, Intervene, Solve, Turn

from .build import OURS, Desk


def test_LO_E1_from_the_start_field_to_the_left() -> None:
    desk = Desk(edition=OURS).turn(1, 6, 4, 2, 5)  # the second throw is a 6, then 4, then 2 + 5
    assert desk.told("@0 throws 1, 6 for a 6")
    assert desk.told("2 + 5 = 7 on S and needs 9")
    assert desk.piece() == ("SB4", "up")
    assert desk.now.turn == 1


def test_LO_E2_a_contest_won_and_a_piece_beaten() -> None:
    desk = Desk(3, edition=OURS).put(0, "O3").put(1, "O3", "R6a", "R7a").put(2, ("O4a", "right"))
    desk.turn(3, 4, 2)
    assert desk.told("contests O3 with @1: 4 to 2")
    desk.do(Turn("right"))
    assert desk.piece() == ("O4a", "right")
    assert desk.at(2) == []
    assert desk.at(1)[0] == "O3"
    desk.turn(5, 4, 1, seat=2)
    assert desk.told("@2 throws 5, 4, 1 for a 6")
    assert desk.at(2) == [], "it needs a 6 to return"


def test_LO_E3_over_an_orange_question() -> None:
    desk = Desk(edition=OURS).put(0, ("Y1b", "right")).turn(5).do(Go(0, "up"), dice=(5, 6))
    assert desk.told("moves from Y1b to O2")
    assert desk.told("5 + 6 = 11 on O2 and needs 9")
    assert desk.piece() == ("O3j", "right")


def test_LO_E4_over_a_head_with_an_intervention() -> None:
    desk = Desk(3, edition=OURS).put(0, ("O3j", "up")).put(1, "G3", "R6a").put(2, "G3").turn(3, 4, 4)
    assert desk.told("moves from O3j to G3")
    assert desk.now.task is not None
    assert (desk.now.task.target, desk.now.task.steps) == (8, 1)
    assert [ask.seat for ask in desk.asks()] == [1, 2, 0]
    desk.do(Intervene(None), Intervene(9), Solve("8"))
    desk.do(Solve("9 x 2 = 18 - 10 = 8"))
    assert desk.piece() == ("G3b", "right")
    assert desk.me(0).hand == (3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 11)
    assert desk.me(2).hand == (2, 3, 4, 5, 6, 7, 8, 10, 10, 10, 10, 11)
    assert len(desk.me(1).hand) == 13


def test_LO_E5_the_first_piece_home() -> None:
    desk = Desk(3, edition=OURS).put(0, "B8", "Y3").put(1, "B8", "R6a", "R7a", "SB2").put(2, "O1b", "Y4a", "Y4u")
    desk.turn(5, 4, 6, faces=("stay",)).do(Go(0, failure="up"))
    assert desk.told("contests B8 with @1: 4 to 6")
    assert desk.told("Nobody objects")
    assert desk.piece() == ("Z8", "up")
    assert [player.points for player in desk.now.players] == [8, 0, 0]
    assert desk.at(0) == ["Z8", OUT]
    assert desk.at(1) == ["B8", "R6a", "R7a", OUT]
    assert desk.at(2) == ["O1b", OUT, "Y4u"], "what leads up to orange is orange"
    assert desk.now.home == 1


def test_LO_28_a_piece_that_comes_down_onto_the_start_field_ends_its_turn_there() -> None:
    """Down from a yellow head it is four fields and S; one that is put on S moves on (LO-E1)."""
    desk = Desk(edition=OURS).put(0, ("Y2", "right")).hand(0).turn(5)
    assert desk.told("fails and goes down")
    assert desk.piece() == ("S", "up")
    assert desk.now.turn == 1


def test_LO_6_back_over_a_junction_to_a_decision_field_is_as_if_from_below() -> None:
    desk = Desk(edition=OURS).put(0, ("G2b", "right"), ("R5a", "right")).turn(2).do(Go(0, "up"), faces=("back-3",))
    assert desk.piece() == ("G2", "up"), "down, along, and onto it"
    desk = Desk(edition=OURS).put(0, ("G2b", "right"), ("R5a", "right")).turn(2).do(Go(0, "up"), faces=("back-2",))
    assert desk.piece() == ("G2b", "right")
