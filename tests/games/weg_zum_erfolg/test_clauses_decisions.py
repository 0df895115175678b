"""One test or more for each clause from LO-14 to LO-23."""

import pytest

from referee.errors import IllegalMove, Usage
from referee.games.weg_zum_erfolg import boards, rules
from referee.games.weg_zum_erfolg.lookups import own_chip
from referee.games.weg_zum_erfolg.types import (
    OUT,
    RESERVE,
    Chip,
    Go,
    Heading,
    Opponent,
    Piece,
    Place,
    SwapChip,
    Try,
    Turn,
)

from .build import Desk, deal

RIGHT: Heading = "right"


def all_out() -> tuple[Piece, ...]:
    return (Piece(OUT, "up"),) * 4


# --- "?" --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("at", "needed"), [("S", 9), ("O3", 9), ("G2", 8), ("R3", 7), ("B2", 8)])
def test_LO_14_thresholds(at: str, needed: int) -> None:
    for total, success in ((needed, True), (needed - 1, False)):
        desk = Desk().put(0, at).turn(1, 4, total - 4)
        assert desk.told(f"= {total} on {at} and needs {needed}")
        assert desk.told("succeeds and goes right") == success
        assert desk.told("fails and goes left") != success


def test_LO_14_own_pieces_do_not_contest() -> None:
    desk = Desk().put(0, "O3", "O3").turn(1, 6, 6)
    assert desk.told("needs 9")


def test_LO_15_contest_and_equal_throws() -> None:
    desk = Desk().put(0, "O3").put(1, "O3", "R6a", "R7a").turn(1, 3, 3, 2, 5)
    assert desk.told("@0 and @1 both throw 3 and throw again")
    assert desk.told("contests O3 with @1: 2 to 5")
    assert desk.at(0) == ["O3b"]
    assert desk.at(1)[0] == "O3"


def test_LO_15_the_mover_picks_among_several_colours() -> None:
    desk = Desk(4).put(0, "O3").put(1, "O3", "R6a", "R7a").put(3, "O3").put(2, "O1").turn(1)
    assert desk.asked() == (0, "opponent")
    desk.refuses(Opponent(2), "LO-15")
    desk.refuses(Opponent(0), "LO-15")
    desk.do(Opponent(3), dice=(5, 1))
    assert desk.told("contests O3 with @3: 5 to 1")
    assert desk.at(0) == ["O3c"]


def test_LO_15_the_opponent_may_be_named_with_the_piece() -> None:
    desk = Desk(4).put(0, ("O3a", RIGHT), "O1").put(1, "O3", "R6a", "R7a").put(3, "O3").turn(3)
    assert desk.asked() == (0, "piece")
    desk.refuses(Go(0, opponent=2), "LO-15")
    desk.refuses(Go(0, opponent=0), "LO-15")
    desk.refuses(Go(1, opponent=1), "LO-15")
    desk.refuses(Go(0, opponent=1, attempt=True), "LO-22")
    desk.do(Go(0, opponent=3), dice=(5, 1))
    assert desk.told("contests O3 with @3: 5 to 1")
    assert desk.at(0)[0] == "O3c"


# --- goals ------------------------------------------------------------------------------------------------------------


def test_LO_17_a_goal_must_be_hit_exactly() -> None:
    assert Desk().put(0, "C4", "O1a").turn(2).at(0) == ["C4", "O1"]  # there is only one use
    desk = Desk().put(0, "C4").turn(1, faces=("stay",))
    assert desk.at(0) == ["Z4"]
    assert desk.me().points == 4


def test_LO_17_a_way_that_overshoots_is_not_a_choice() -> None:
    desk = Desk().put(0, ("B4a", RIGHT), ("B5j", RIGHT), "O1a").turn(3)
    for way in ("up", "right"):
        desk.refuses(Go(1, way), "LO-11")
    assert desk.do(Go(1)).at(0)[1] == "B5"
    desk = Desk().put(0, "C4", "O1a", "G1a").turn(2)
    desk.refuses(Go(0), "LO-17")


def test_LO_17_a_piece_on_a_decision_field_needs_one_direction_that_fits() -> None:
    """Six from the rightmost blue field: left is a lane that goes on, right overshoots."""
    desk = Desk().put(0, "B8", "Z1", "Z1", "Z1").turn(6, 6, 6)
    assert desk.told("cannot go right so far and stays on B8")
    assert desk.at(0)[0] == "B8"
    assert desk.now.turn == 1
    desk = Desk().put(0, "B8", "Z1", "Z1", "Z1").turn(6, 1, 1)
    assert desk.at(0)[0] == "B7"
    desk = Desk().put(0, "B8", "Z1", "Z1", "Z1").public(home=4).turn(6)
    assert desk.told("which no piece can use")


def test_LO_17_begin_again() -> None:
    desk = Desk().put(0, "C4").turn(1, faces=("begin-again",))
    assert desk.at(0) == []
    assert (desk.me().points, desk.now.home) == (0, 0)
    assert desk.now.success_under == ("begin-again",)


def test_LO_17_every_piece_on_a_goal_scores_the_full_chip() -> None:
    desk = Desk().put(0, "C9").put(1, "R6a", "R7a", "Z9").player(1, points=9).turn(1, faces=("stay",))
    assert [player.points for player in desk.now.players] == [9, 9]


@pytest.mark.parametrize("reserve_leaves", [False, True])
@pytest.mark.parametrize("home", range(5))
def test_LO_18_pieces_on_low_levels_leave_the_game(home: int, reserve_leaves: bool) -> None:
    places = [("C1", "B1c", "Y4u"), ("B6a", "B7a", "SA1", "O1"), ("G1u", "R1a", "R1", "C2")]
    desk = Desk(3, reserve_leaves=reserve_leaves).public(home=home)
    for seat, at in enumerate(places):
        desk.put(seat, *at)
    desk.turn(1, faces=("stay",)).do(Go(0))
    gone = "SYOGR"[: home + 2] if home < 4 else ""
    for seat in (1, 2):
        assert desk.at(seat) == [OUT if at[0] in gone else at for at in places[seat]]
    waits = OUT if reserve_leaves and gone else RESERVE
    assert [piece.at for piece in desk.me().pieces] == ["Z1", "B1c", OUT if gone else "Y4u", waits]
    assert desk.now.home == home + 1


def test_LO_18_pieces_beaten_later_start_again() -> None:
    desk = Desk().public(home=2).put(0, "G1a").put(1, "G1b", "R6a", "R7a").turn(1)
    assert [piece.at for piece in desk.me(1).pieces] == [RESERVE, "R6a", "R7a", RESERVE]


def test_LO_19_at_a_junction_always_up() -> None:
    assert Desk().public(home=4).put(0, ("G2b", "left")).turn(3, faces=("nothing",)).at(0) == ["G2u"]
    assert Desk().public(home=3).put(0, ("G2b", "left")).turn(3).asked() == (0, "piece")


@pytest.mark.parametrize(
    ("at", "throw", "to"),
    [
        (("O3", "right"), 1, ("O3b", "left")),
        (("O3", "left"), 1, ("O3c", "right")),
        (("O3", "right"), 3, ("O3j", "left")),
        (("O3", "right"), 5, ("O3v", "up")),
        (("O2", "right"), 2, ("O2a", "left")),  # a head asks for no cards
        (("O2b", "right"), 2, ("O2b", "left")),
        (("O2b", "right"), 1, ("O2", "right")),
    ],
)
def test_LO_19_nobody_crosses_a_decision_field_along_a_lane(
    at: tuple[str, Heading], throw: int, to: tuple[str, str]
) -> None:
    """No white die is thrown: the piece leaves on the side it came from and goes up at the junction there."""
    desk = Desk(3).public(home=4).put(0, at).put(2, "O3", "O2").turn(throw)
    assert desk.piece() == to
    assert desk.told("turns back on") == (to[0] != "O2")
    assert desk.asked() == (1, "piece")
    desk = laid().public(home=4).put(0, at).turn(throw)
    assert desk.piece() == to, "in Neue Ziele nobody asks whether to try"


def test_LO_19_a_piece_that_comes_from_below_is_tested_as_before() -> None:
    for dice, to in (((6, 6), "O3c"), ((1, 1), "O3b")):
        assert Desk().public(home=4).put(0, ("O3", "up")).turn(1, *dice).at(0) == [to]
    assert Desk().public(home=4).put(0, "S").turn(1, 1, 1).at(0) == ["SA1"]


def test_LO_19_nothing_is_said_in_advance_about_a_field_without_a_test() -> None:
    desk = laid().public(home=4).put(0, ("O3", RIGHT), ("R1a", RIGHT)).turn(4)
    desk.refuses(Go(0, success="up"), "LO-11")
    desk.refuses(Go(0, failure="up"), "LO-11")
    desk.refuses(Go(0, attempt=True), "LO-22")
    assert desk.do(Go(0), faces=("nothing",)).at(0)[0] == "O3u"


def test_LO_20_the_end() -> None:
    desk = Desk(3).player(2, pieces=all_out(), points=7).put(0, "C7", "Z1", "Z1", "Z1")
    desk.player(1, pieces=all_out()).turn(1, faces=("stay",))
    result = desk.step.result
    assert result is not None
    assert (result.ranks, result.scores) == ((1, 3, 1), ((7,), (0,), (7,)))
    assert desk.told("the game is over; the most points: @0 and @2 with 7 points")
    assert desk.step.pending == ()


def test_LO_20_players_without_pieces_are_skipped() -> None:
    desk = Desk(3).player(1, pieces=all_out()).put(2, "G1a", "G2a").turn(1, 1, 1)
    assert desk.asked() == (2, "piece")


# --- variants ---------------------------------------------------------------------------------------------------------


def test_LO_21_hinterlistig() -> None:
    desk = Desk(hinterlistig=True).put(0, "C2", "B1c", "B2c").turn(1, faces=("stay",)).do(Go(0))
    assert desk.asked() == (0, "swap chip")
    assert desk.me().points == 2
    desk.refuses(SwapChip(1), "LO-21")
    desk.refuses(SwapChip(9), "LO-21")
    desk.do(SwapChip(8))
    assert [chip and chip.value for chip in desk.now.chips] == [1, 9, 3, 4, 5, 6, 7, 8, 2]
    assert desk.me().points == 2
    desk = Desk(hinterlistig=True).put(0, "C2", "B1c", "B2c").turn(1, faces=("stay",)).do(Go(0)).do(SwapChip())
    assert [chip and chip.value for chip in desk.now.chips] == [*range(1, 10)]


def test_LO_21_no_question_after_the_end() -> None:
    desk = Desk(hinterlistig=True).player(1, pieces=all_out()).put(0, "C7", "Z1", "Z1", "Z1")
    assert desk.turn(1, faces=("stay",)).step.result is not None


def neue(*goals: int, **options: bool) -> Desk:
    """Seats 0 and 1 hold the chips 9 and 1 and lay them."""
    desk = Desk(faces=("9", "1"), neue_ziele=True, **options)
    for goal in goals:
        desk.do(Place(goal), dice=(1,) if goal != goals[-1] else (1, 1, 1, 1, 1, 1))
    return desk


def test_LO_22_chips_are_dealt_hidden_and_laid_in_turn() -> None:
    desk = neue()
    assert [own_chip(desk.sight(seat)) for seat in (0, 1)] == [9, 1]
    assert desk.sight(0).tokens == {"chip/0": ("9",)}
    assert desk.now.chips == (None,) * 9
    assert desk.asked() == (0, "place")
    desk.refuses(Place(9), "LO-22")
    desk.do(Place(3))
    assert desk.now.chips[3] == Chip(None, 3, 0)
    assert desk.sight(0).tokens == {"chip/0": (), "goal/3": ("9",)}
    assert desk.sight(1).tokens == {"chip/1": ("1",)}
    assert own_chip(desk.sight(0)) == 9
    assert desk.asked() == (1, "place")
    desk.refuses(Place(3), "LO-22")
    desk.draws.dice = [6, 1]
    desk.do(Place(0))
    assert [desk.draws.count(f"goal/{goal}") for goal in range(9)] == [1] * 9
    assert desk.draws.count("chips") == 0
    assert [chip and (chip.value, chip.slot) for chip in desk.now.chips] == [(None, goal) for goal in range(9)]
    assert desk.asked() == (0, "try")


def laid(**options: bool) -> Desk:
    desk = neue(**options).do(Place(3))
    desk.draws.dice = [6, 1]
    desk.do(Place(0)).reset()
    return desk


def test_LO_22_chips_are_turned_up_when_scored() -> None:
    desk = laid().put(0, "C4").turn(1, faces=("stay", "9"))
    assert desk.me().points == 9
    assert desk.now.chips[3] == Chip(9, 3, 0)
    assert ("lay_out", "goal/3", 1) in desk.draws.calls
    assert desk.sight(0).tokens == {"chip/0": ()}
    assert desk.sight(1).tokens == {"chip/1": (), "goal/0": ("1",)}
    assert [own_chip(desk.sight(seat)) for seat in (0, 1)] == [9, 1]


def test_LO_22_with_hinterlistig_a_hidden_chip_stays_hidden() -> None:
    desk = laid(hinterlistig=True).put(0, "C4", "B1c").turn(1, faces=("stay", "9")).do(Go(0)).do(SwapChip(0))
    assert desk.now.chips[0] == Chip(9, 3, 0)
    assert desk.now.chips[3] == Chip(None, 0, 1)
    assert own_chip(desk.sight(1)) == 1
    assert desk.put(0, "C4").turn(1, faces=("stay", "1")).me().points == 10


@pytest.mark.parametrize("at", ["O3", "O2", "S"])
def test_LO_22_whoever_does_not_try_fails_without_a_test(at: str) -> None:
    desk = laid().put(0, at).turn(1)
    assert desk.asked() == (0, "try")
    before = len(desk.draws.calls)
    desk.draws.dice = [1]
    desk.do(Try(False))
    assert desk.told("fails and goes left")
    assert desk.draws.calls[before:] == [("die", "", 6)]  # the next player's throw


def test_LO_22_whoever_tries_takes_the_usual_test() -> None:
    desk = laid().put(0, "O3").turn(1).do(Try(True), dice=(6, 6))
    assert desk.at(0) == ["O3c"]
    asked = laid().put(0, "O2").turn(1).do(Try(True), dice=(4, 4)).all_asked()
    assert asked == [(1, "intervene"), (0, "solve")]
    assert laid().put(0, "O2").hand(0).turn(1).at(0) == ["O2b"]  # without cards there is no question


def test_LO_22_whether_to_try_may_be_said_with_the_piece() -> None:
    for attempt, dice, to in ((True, (6, 6), "O3c"), (False, (), "O3b")):
        desk = laid().put(0, "O3", ("R1a", RIGHT)).turn(1)
        desk.refuses(Go(1, attempt=attempt), "LO-22")
        assert desk.do(Go(0, attempt=attempt), dice=dice).at(0) == [to, "R1a"]
        assert desk.asked()[0] == 1


def test_LO_22_what_was_said_applies_to_one_decision() -> None:
    desk = laid(may_enter=True).put(0, "O1", ("R1a", RIGHT)).turn(6).do(Go(0, success="up", attempt=True), dice=(6, 6))
    assert desk.at(0)[0] == "G2"
    assert desk.asked() == (0, "try")


def test_LO_22_both_decisions_of_a_move_are_asked() -> None:
    desk = laid(may_enter=True).put(0, "O1").turn(6).do(Go(0, success="up")).do(Try(True), dice=(6, 6))
    assert desk.told("moves from O1 to G2")
    assert desk.asked() == (0, "try")
    assert desk.do(Try(False)).at(0) == ["G2b"]


def test_LO_23_zufallsziele() -> None:
    desk = Desk(zufallsziele=True)
    assert sorted(rules.bags(desk.terms)["chips"]) == [*"2345678"]
    assert [desk.draws.count(f"goal/{goal}") for goal in range(9)] == [0, *[1] * 7, 0]
    assert desk.sight(0).tokens == {"chip/0": ()}
    assert [chip and chip.value for chip in desk.now.chips] == [1, *[None] * 7, 9]
    desk.draws.bags["goal/4"], desk.draws.bags["goal/5"] = ["8"], ["2"]
    desk.put(0, "C5").turn(1, faces=("stay", "8"))
    assert desk.me().points == 8
    assert desk.now.chips[4] == Chip(8, 4, None)


def test_LO_23_excludes_neue_ziele() -> None:
    with pytest.raises(Usage, match="cannot be combined"):
        boards.validate(deal(3, neue_ziele=True, zufallsziele=True))
    for one in ("neue_ziele", "zufallsziele"):
        boards.validate(deal(3, hinterlistig=True, **{one: True}))


def test_nobody_answers_what_is_not_asked() -> None:
    desk = Desk().put(0, "O1a", "G1a").turn(1)
    desk.refuses(Turn("up"), "LO-8")
    with pytest.raises(IllegalMove, match="not your turn"):
        rules.check(desk.terms, desk.sight(1), Go(0))
