"""One test or more for each clause from LO-1 to LO-13."""

import random
from collections import Counter

import msgspec
import pytest
from msgspec.structs import replace

from referee.errors import Usage
from referee.games.weg_zum_erfolg import boards, rules
from referee.games.weg_zum_erfolg.story import tell
from referee.games.weg_zum_erfolg.types import (
    RESERVE,
    Chip,
    Deal,
    Enter,
    Field,
    Go,
    Heading,
    Lose,
    Opponent,
    Options,
    Solve,
    Turn,
    Wait,
    Words,
)
from tests.support.plain import PlainDraws

from .build import CHANCE, EDITION, OURS, PARKED, SUCCESS, SUIT, Desk, deal

LEFT: Heading = "left"
RIGHT: Heading = "right"


# --- material and set-up ----------------------------------------------------------------------------------------------


def test_LO_1_material() -> None:
    bags = rules.bags(deal())
    assert Counter(bags["chance"]) == CHANCE
    assert sum(CHANCE.values()) == 43
    assert Counter(bags["success"]) == SUCCESS
    assert sum(SUCCESS.values()) == 12
    assert EDITION.chips == (1, 2, 3, 4, 5, 6, 7, 8, 9)
    assert EDITION.suit == SUIT


@pytest.mark.parametrize(("seats", "pieces"), [(2, 4), (4, 4), (5, 3), (8, 3)])
def test_LO_2_pieces_and_suits(seats: int, pieces: int) -> None:
    players = Desk(seats, neue_ziele=True).now.players
    assert [len(player.pieces) for player in players] == [pieces] * seats
    assert {piece.at for player in players for piece in player.pieces} == {RESERVE}
    assert {player.hand for player in players} == {SUIT}


def test_LO_3_highest_sum_starts_and_ties_throw_again() -> None:
    terms = deal(3, neue_ziele=True)
    draws = PlainDraws(rules.bags(terms), random.Random(0), dice=[5, 5, 1, 2, 4, 6, 3, 3, 2, 5])
    step = rules.setup(terms, draws, (Words(),) * 3)
    assert tuple(tell(terms, note) for note in step.log[:3]) == (
        "to decide who starts, @0 throws 10, @1 throws 3, @2 throws 10",
        "to decide who starts, @0 throws 6, @2 throws 7",
        "@2 starts",
    )
    assert step.public.start == step.pending[0].seat == 2


def test_LO_3_clockwise() -> None:
    desk = Desk(3).put(1).turn(1, 1, 1, 2, 2, 2, 3, 3, 3, 6, 1, 1, 1, seat=2)
    assert [line[:11] for line in desk.log[:4]] == ["@2 throws 1", "@0 throws 2", "@1 throws 3", "@2 throws 6"]


def test_LO_4_chips_ascend_and_used_cards_go_under_the_pile() -> None:
    desk = Desk().put(0, ("Y2j", RIGHT))
    assert desk.now.chips == tuple(Chip(value, value - 1, None) for value in range(1, 10))
    desk.turn(1, faces=("nothing",)).do(Go(0, "up"))
    assert list(desk.now.chance_under) == ["nothing"]
    assert desk.now.chance_pile == 42
    desk.draws.bags["chance"] = []
    desk.draws.tails["chance"] = [*(CHANCE - Counter(["miss"])).elements()]
    desk.draws.tails["chance"].insert(0, "miss")
    desk.public(chance_pile=0, chance_under=tuple(desk.draws.tails["chance"]))
    desk.put(0, ("Y3j", RIGHT)).turn(1).do(Go(0, "up"))
    assert desk.me().misses == 1
    assert list(desk.now.chance_under)[42:] == ["miss"]


def test_LO_5_fields() -> None:
    kinds = Counter(field.kind for field in OURS.fields)
    assert len(OURS.fields) == 195
    assert (kinds["star"], kinds["goal"], kinds["chip"], kinds["start"]) == (30, 9, 9, 1)
    rows = {"Y": "HHHH", "O": "?????", "G": "H?H?H?", "R": "?H?H?H?", "B": "H?H?H?H?"}
    for row, expected in rows.items():
        kinds_of = [OURS.board.fields[f"{row}{n}"].kind for n in range(1, len(expected) + 1)]
        assert "".join("?" if kind == "question" else "H" for kind in kinds_of) == expected
        assert f"{row}{len(expected) + 1}" not in OURS.board.fields
        junctions = [at for at in OURS.board.fields if OURS.board.is_junction(at) and at[0] == row]
        assert junctions == [f"{row}{n}j" for n in range(1, len(expected) + 2)]


def test_LO_5_every_lane_has_a_small_field_on_each_side_of_a_junction() -> None:
    for field in OURS.fields:
        if field.kind in ("question", "head"):
            for side in (LEFT, RIGHT):
                leg = OURS.board.run(field.id, side, 6)
                assert OURS.board.is_junction(leg.at)
                assert leg.left == 4
                beyond = getattr(OURS.board.fields[leg.at], side)
                assert not beyond or OURS.board.is_decision(OURS.board.run(leg.at, side, 2).at)


def test_LO_5_connectors() -> None:
    fields = OURS.board.fields
    for row, above, number in (("Y", "O", 5), ("O", "G", 6), ("G", "R", 7), ("R", "B", 8)):
        for n in range(1, number + 1):
            assert (fields[f"{row}{n}j"].up, fields[f"{row}{n}u"].up) == (f"{row}{n}u", f"{above}{n}")
            assert (fields[f"{above}{n}"].down, fields[f"{row}{n}u"].down) == (f"{row}{n}u", f"{row}{n}j")
            assert fields[f"{row}{n}u"].kind == "star"
            assert fields[f"{row}{n}u"].level == fields[f"{above}{n}"].level
    for n in range(1, 10):
        assert OURS.board.run(f"B{n}j", "up", 6) == (f"Z{n}", "up", 3, None)
        assert (fields[f"B{n}u"].kind, fields[f"B{n}u"].up) == ("small", f"C{n}")


def test_LO_5_ways_of_the_start_field() -> None:
    start = OURS.board.fields["S"]
    assert (start.left, start.right, start.level) == ("SB1", "SC1", "yellow")
    assert OURS.board.run("S", LEFT, 6) == ("Y2", "up", 1, None)
    assert OURS.board.run("S", RIGHT, 6) == ("Y3", "up", 1, None)
    for n in range(1, 5):
        assert OURS.board.run(f"Y{n}", "down", 6) == ("S", "down", 1, None)
    stars = [field.id for field in OURS.fields if field.kind == "star" and field.id[0] == "S"]
    assert stars == ["SB1", "SB3", "SC1", "SC3"]


TWO_JUNCTIONS = {
    "G3a": {"up": "X"},
    "X": {"up": "R5", "down": "G3a"},
    "R5": {"down": "X"},
    "G5j": {"up": ""},
    "G5u": None,
    "G5v": None,
}
"""The connector below the fifth red field begins in the middle of a lane; None: left out."""


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"S": {"left": ""}}, "lacks a way out"),
        ({"O3": {"down": ""}}, "lacks a way out"),
        ({"O3a": {"left": "nowhere"}}, "does not exist"),
        ({"O3a": {"id": "O3b"}}, "same id"),
        ({"C4": {"up": "Z5"}}, "each with one chip field"),
        ({"Z4": {"kind": "chip", "up": "Z5", "down": "C4"}}, "9 goals"),
        ({"O3a": {"kind": "star"}}, "lacks a way out"),
        (
            {"B4j": {"up": "X"}, "C4": {"down": "X"}, "X": {"kind": "star", "up": "C4", "down": "B4j"}},
            "below a decision",
        ),
        ({"X": {"left": "X2", "right": "X2"}, "X2": {"left": "X", "right": "X"}}, "2 fields cannot be reached"),
        ({"Y1": {"kind": "start"}}, "one start field"),
        ({"O3a": {"id": "reserve"}, "O3": {"right": "reserve"}}, "called reserve"),
        ({"Y1": {"down": "SB5"}, "SA5": {"up": "SA1"}, "SA1": {"down": "SA5"}}, "does not lead back"),
        ({"C4": {"down": ""}}, "lacks a way out"),
        ({"O3a": {"right": ""}}, "lacks a way out"),
        ({"O3": {"up": "C4"}}, "has too many"),
        ({"Y3v": {"up": "O4"}}, "does not lead back"),
        ({"G3b": {"up": "X"}, "X": {"kind": "small", "up": "R1", "down": "G3b"}}, "does not lead back"),
        ({"G3b": {"up": "X"}, "X": {"up": "Z1", "down": "G3b"}}, "must not lead there"),
        ({"Y2j": {"down": "S"}}, "has too many"),
        ({"S": {"left": "S"}}, "must not lead there"),
        (TWO_JUNCTIONS, "no decision field lies between the junctions G3j and G3a"),
        ({"C4": {"up": ""}}, "each with one chip"),
    ],
)
def test_LO_5_validate_refuses_a_broken_board(change: dict[str, dict[str, str] | None], fault: str) -> None:
    given = [(field, change.get(field.id, {})) for field in EDITION.fields]
    fields = tuple(_changed(field, new) for field, new in given if new is not None)
    fields += tuple(_changed(Field(name, "small", "blue"), change[name]) for name in change if name[0] == "X")
    with pytest.raises(Usage, match=fault):
        boards.validate(Deal(3, Options(), replace(EDITION, fields=fields)))


def _changed(field: Field, change: dict[str, str]) -> Field:
    return msgspec.convert(msgspec.to_builtins(field) | change, Field)


@pytest.mark.parametrize("name", ["", "a b", "\x1b[31m", "@1", "ä", "x" * 13])
def test_LO_5_ids_are_plain(name: str) -> None:
    """They appear in log lines and pictures."""
    with pytest.raises(msgspec.ValidationError, match="id"):
        _changed(EDITION.fields[0], {"id": name})


@pytest.mark.parametrize("seats", range(2, 9))
def test_LO_5_validate_accepts_the_edition(seats: int) -> None:
    boards.validate(deal(seats))
    boards.validate(Deal(seats, Options(), OURS))


# --- a turn -----------------------------------------------------------------------------------------------------------


def test_LO_7_three_throws_for_a_6() -> None:
    desk = Desk().turn(1, 2, 3)
    assert desk.told("@0 throws 1, 2, 3 for a 6")
    assert desk.at(0) == []
    desk = Desk().turn(1, 2, 6, 5, 6, 6)
    assert desk.told("sets a piece on S and throws 5")
    assert desk.piece() == ("SD5", "up")


def test_LO_7_pieces_at_home_are_not_in_play() -> None:
    assert Desk().put(0, "Z1").turn(1, 2, 3).told("@0 throws 1, 2, 3 for a 6")


def test_LO_8_choose_a_piece() -> None:
    desk = Desk().put(0, ("O1a", RIGHT), ("G1a", RIGHT)).turn(1)
    assert desk.asked() == (0, "piece")
    desk.refuses(Go(2), "LO-8")
    desk.refuses(Go(9), "LO-8")
    desk.refuses(Enter(), "LO-8")
    desk.refuses(Lose(3), "LO-8")
    assert desk.do(Go(1)).at(0) == ["O1a", "G1b"]


def test_LO_8_a_6_may_bring_in_a_piece() -> None:
    desk = Desk(may_enter=True).put(0, "SA1").turn(6)
    assert desk.asked() == (0, "piece")
    desk.refuses(Wait(), "LO-8")
    assert desk.do(Enter(), dice=(2, 1, 1)).at(0) == ["SA1", "SA2"]


def test_LO_8_a_6_brings_in_a_piece_while_there_is_one() -> None:
    desk = Desk().put(0, "SA1", ("G1a", RIGHT)).turn(6, 2, 1, 1)
    assert desk.at(0) == ["SA1", "G1a", "SA2"]
    desk = Desk().put(0, "SA1", "Z1", "Z2", "Z3").turn(6, 1, 1)
    assert desk.told("moves from SA1 to Y1"), "nothing waits in the reserve"


def test_LO_7_a_6_need_not_bring_in_a_piece_if_the_offer_says_so() -> None:
    desk = Desk(may_enter=True).turn(2, 6)
    assert desk.asked() == (0, "piece")
    desk.refuses(Go(0), "LO-8")
    assert desk.do(Wait()).at(0) == []
    assert desk.told("@0 brings in no piece")
    assert Desk(may_enter=True).turn(6).do(None, dice=(2, 1, 1)).at(0) == ["SA2"], "LO-24: a missed deadline enters"
    assert Desk().turn(6, 2, 1, 1).at(0) == ["SA2"], "nobody is asked otherwise"


def test_LO_8_what_the_start_field_asks_may_be_said_with_entering() -> None:
    desk = Desk(4, may_enter=True).put(0, "SA1").put(1, "S", *PARKED).put(2, "S").turn(6)
    desk.refuses(Enter(opponent=3), "LO-15")
    desk.refuses(Enter(attempt=True), "LO-22")
    desk.do(Enter(opponent=2), dice=(2, 5, 1))
    assert desk.told("contests S with @2: 5 to 1")
    assert desk.at(0) == ["SA1", "SD2"]


def test_LO_8_entering_is_compulsory_if_it_is_the_only_use() -> None:
    assert Desk().put(0, "C1").turn(6, 1, 6, 6).at(0) == ["C1", "SD1"]


def test_LO_8_a_throw_that_nobody_can_use() -> None:
    desk = Desk().put(0, "C1").turn(5)
    assert desk.told("which no piece can use")
    assert desk.now.turn == 1


def test_LO_9_a_move_that_ends_on_a_decision_field_ends_the_turn() -> None:
    desk = Desk().put(0, ("O1j", RIGHT)).turn(3)
    assert desk.asked() == (0, "piece")  # up or along
    desk.do(Go(0, "right"))
    assert desk.piece() == ("O1", "right")
    assert desk.now.turn == 1
    assert desk.now.task is None


def test_LO_9_a_move_over_one_is_interrupted_there() -> None:
    desk = Desk().put(0, ("O1b", RIGHT)).turn(2, 4, 5)
    assert desk.told("moves from O1b to O1")
    assert desk.told("needs 9")
    assert desk.piece() == ("O1c", "right")


def test_LO_9_two_decision_fields_in_one_move() -> None:
    """Six steps: three to the junction, two up the short connector, and one beyond."""
    desk = Desk(may_enter=True).put(0, "O1").turn(6, 6, 6, 1, 1).do(Go(0, success="up"))
    assert [line for line in desk.log if "@0 moves" in line] == ["@0 moves from O1 to G2", "@0 moves from G2 to G2b"]
    assert desk.piece() == ("G2b", "left")


@pytest.mark.parametrize(
    ("at", "dice", "to"),
    [
        (("O3", "up"), (6, 6), ("O3c", "right")),
        (("O3", "up"), (1, 1), ("O3b", "left")),
        (("O3", "right"), (6, 6), ("O3c", "right")),
        (("O3", "right"), (1, 1), ("Y3v", "up")),
        (("O3", "left"), (6, 6), ("O3b", "left")),
        (("O3", "left"), (1, 1), ("Y3v", "up")),
        (("S", "up"), (6, 6), ("SD1", "up")),
        (("S", "up"), (1, 1), ("SA1", "up")),
    ],
)
def test_LO_10_direction(at: tuple[str, Heading], dice: tuple[int, int], to: tuple[str, str]) -> None:
    assert Desk().put(0, at).turn(1, *dice).piece() == to


def test_LO_11_headings_are_kept() -> None:
    assert Desk().put(0, ("G2c", LEFT)).turn(1).piece() == ("G2", "left")
    assert Desk().put(0, ("G2a", LEFT)).turn(1).piece() == ("G2j", "left")
    assert Desk().put(0, "G2v").turn(1).piece() == ("R2", "up")


def test_LO_11_at_a_junction_up_or_along() -> None:
    desk = Desk().put(0, ("G2a", LEFT)).turn(2)
    assert desk.asked() == (0, "piece")
    desk.refuses(Go(0), "LO-11")
    desk.refuses(Go(0, "right"), "LO-11")
    desk.refuses(Go(0, "up", success="up"), "LO-11")
    assert desk.do(Go(0, "left")).piece() == ("G1d", "left")


def test_LO_11_a_way_where_no_junction_is_met_is_refused() -> None:
    desk = Desk().put(0, ("G1a", RIGHT), ("R1a", RIGHT)).turn(1)
    assert "no choice at a junction" in desk.refuses(Go(0, "up"), "LO-11")


def test_LO_11_no_choice_without_steps_beyond_the_junction_or_at_an_outer_one() -> None:
    assert Desk().put(0, ("G2b", LEFT)).turn(2).piece() == ("G2j", "left")
    assert Desk().put(0, ("G1a", LEFT)).turn(3).piece() == ("G1v", "up")
    assert Desk().put(0, ("G7j", RIGHT)).turn(2).piece() == ("G7v", "up")


def test_LO_11_going_down_turns_left_or_right() -> None:
    desk = Desk().put(0, ("R2", RIGHT)).hand(0).turn(4)
    assert desk.asked() == (0, "way")
    desk.refuses(Turn("up"), "LO-11")
    assert desk.do(Turn("left")).piece() == ("G1d", "left")
    assert Desk().put(0, ("O5", RIGHT)).turn(5, 1, 1).piece() == ("Y4c", "left")  # the outer junction: one lane


@pytest.mark.parametrize(("steps", "at"), [(1, "G4v"), (3, "G4j")])
def test_LO_11_a_piece_that_stopped_while_going_down_goes_up(steps: int, at: str) -> None:
    desk = Desk().put(0, ("R4", LEFT)).hand(0).turn(steps)
    assert desk.piece() == (at, "up")
    assert desk.turn(1 if steps == 1 else 2).at(0) == ["R4" if steps == 1 else "G4v"]


def test_LO_11_ways_named_in_advance() -> None:
    for dice, to in (((6, 6), ("G3u", "up")), ((1, 1), ("G1d", "left"))):
        desk = Desk().put(0, "O2u", ("Y1a", RIGHT)).turn(5, *dice)
        desk.refuses(Go(0, success="left"), "LO-11")
        desk.refuses(Go(0, failure="right"), "LO-11")
        desk.do(Go(0, success="up", failure="left"), faces=("nothing",))
        assert desk.piece() == to


def test_LO_11_answers_on_a_decision_field_may_name_the_ways_too() -> None:
    """Nobody else is asked in between: one mail for the answer and the way after it."""
    here = Desk(3).put(0, "O3").put(1, "O3", *PARKED).put(2, "O3").turn(4)
    assert here.asked() == (0, "opponent")
    here.refuses(Opponent(1, success="left"), "LO-11")
    assert here.do(Opponent(1, success="up", failure="left"), dice=(6, 1), faces=("nothing",)).at(0) == ["O4u"]
    for move, to in (
        (Solve("8", "right"), "O3a"),
        (Solve(None, "up"), "O2u"),
        (Solve(None, "left"), "O1d"),
    ):
        head = Desk().put(0, "O2").hand(1).turn(4, 4, 4)
        assert head.asked() == (0, "solve")
        head.refuses(Solve("8", "left"), "LO-11")
        assert head.do(move, faces=("nothing",)).at(0) == [to]


def test_LO_11_the_later_of_two_ways_named_counts() -> None:
    desk = Desk().put(0, "O2", ("Y1a", RIGHT)).hand(1).turn(4, 4, 4).do(Go(0, success="up", failure="left"))
    assert desk.do(Solve("8", "right")).at(0) == ["O3a", "Y1a"]


def test_LO_11_what_is_named_applies_to_the_next_decision_only() -> None:
    desk = Desk(may_enter=True).put(0, "O1", ("Y1a", RIGHT)).turn(6, 6, 6, 1, 1)
    desk.refuses(Go(0, failure="up"), "LO-11")
    desk.do(Go(0, success="up"))
    assert desk.at(0) == ["G2b", "Y1a"]
    assert desk.now.task is None


def test_LO_11_otherwise_the_way_is_asked_after_the_result() -> None:
    desk = Desk().put(0, "O2u", ("Y1a", RIGHT)).turn(5, 6, 6).do(Go(0))
    assert desk.asked() == (0, "way")
    assert desk.now.task is not None
    assert desk.now.task.leaving == "right"
    assert desk.do(Turn("right")).piece() == ("G3a", "right")


def test_LO_12_own_pieces_are_beaten_too() -> None:
    desk = Desk().put(0, ("O1a", RIGHT), ("O1b", RIGHT)).turn(1).do(Go(0))
    assert desk.at(0) == ["O1b"]
    assert desk.told("@0 beats a piece of their own on O1b")


def test_LO_12_a_star_field_draws_a_card_after_beating() -> None:
    desk = Desk().put(0, ("G2j", RIGHT)).put(1, "G2u", "R6a", "R7a")
    desk.turn(1, faces=("nothing",)).do(Go(0, "up"))
    assert desk.at(1) == ["R6a", "R7a"]
    assert desk.told("Nothing happens")


def test_LO_13_nobody_is_beaten_on_decision_fields_and_goals() -> None:
    desk = Desk().put(0, ("O1b", RIGHT), "C4").put(1, "O1", "Z4", "R6a", "R7a")
    desk.turn(1).do(Go(0)).turn(1, faces=("stay",)).do(Go(1))
    assert desk.at(0) == ["O1", "Z4"]
    assert desk.at(1) == ["O1", "Z4", "R6a", "R7a"]
