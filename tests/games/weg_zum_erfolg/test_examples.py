"""The worked examples LO-E1 to LO-E5, with exact figures."""

from referee.games.weg_zum_erfolg.types import OUT, Go, Intervene, Solve

from .build import Desk


def test_LO_E1_from_the_start_field_to_the_left() -> None:
    desk = Desk().turn(1, 6, 4, 2, 5)  # the second throw is a 6, then 4, then 2 + 5
    assert desk.told("@0 throws 1, 6 for a 6")
    assert desk.told("2 + 5 = 7 on S and needs 9")
    assert desk.piece() == ("SA4", "up")
    assert desk.now.turn == 1


def test_LO_E2_a_contest_won_and_a_piece_beaten() -> None:
    desk = Desk(3).put(0, "O3").put(1, "O3", "R6a", "R7a").put(2, ("O4j", "right"))
    desk.turn(3, 4, 2)
    assert desk.told("contests O3 with @1: 4 to 2")
    assert desk.piece() == ("O4j", "right")
    assert desk.at(2) == []
    assert desk.at(1)[0] == "O3"


def test_LO_E2_the_beaten_piece_needs_a_6_to_return() -> None:
    desk = Desk(3).put(0, "O3").put(2, ("O4j", "right")).turn(3, 6, 6)
    assert desk.at(2) == []
    desk.put(0, ("O3a", "right"), ("O5a", "left")).turn(5, 4, 1, seat=2)
    assert desk.told("@2 throws 5, 4, 1 for a 6")
    assert desk.at(2) == []


def test_LO_E3_over_an_orange_question() -> None:
    desk = Desk().put(0, ("Y1j", "left")).turn(5, 5, 6)
    assert desk.told("moves from Y1j to O1")
    assert desk.told("5 + 6 = 11 on O1 and needs 9")
    assert desk.piece() == ("O1d", "right")


def test_LO_E4_over_a_head_with_an_intervention() -> None:
    desk = Desk(3).put(0, "Y2u").put(2, "O2").turn(3, 4, 4)
    assert desk.told("moves from Y2u to O2")
    assert desk.now.task is not None
    assert (desk.now.task.target, desk.now.task.steps) == (8, 1)
    assert [ask.seat for ask in desk.asks()] == [1, 2, 0]
    desk.do(Intervene(None), Intervene(9), Solve("8"))
    desk.do(Solve("9 x 2 - 10"))
    assert desk.piece() == ("O2c", "right")
    assert desk.me(0).hand == (3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 11)
    assert desk.me(2).hand == (2, 3, 4, 5, 6, 7, 8, 10, 10, 10, 10, 11)
    assert len(desk.me(1).hand) == 13


def test_LO_E5_the_first_piece_home() -> None:
    desk = Desk(3).put(0, "B8", "Y3").put(1, "B8", "R6a", "R7a", "SA2").put(2, "O1c", "Y4a")
    desk.turn(5, 4, 6, faces=("stay",)).do(Go(0, failure="up"))
    assert desk.told("contests B8 with @1: 4 to 6")
    assert desk.told("Nobody objects")
    assert desk.piece() == ("Z8", "up")
    assert [player.points for player in desk.now.players] == [8, 0, 0]
    assert desk.at(0) == ["Z8", OUT]
    assert desk.at(1) == ["B8", "R6a", "R7a", OUT]
    assert desk.at(2) == ["O1c", OUT]
    assert desk.now.home == 1
