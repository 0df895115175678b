"""Another board in place of the printed one (LO-5): what `validate` accepts can be played to the end, everything else
is refused."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from referee.errors import Malformed, Usage
from referee.game import Seen
from referee.games.weg_zum_erfolg import GAME
from referee.games.weg_zum_erfolg.board_map import layout
from referee.games.weg_zum_erfolg.types import Words

from .build import VARIANTS
from .other import (
    BOARDS,
    MINE,
    NAMES,
    PLAYERS,
    ROUNDS,
    Data,
    Impatient,
    Maker,
    accepted,
    by_random,
    by_sense,
    copy,
    play,
    random_tower,
    ring,
)


@pytest.mark.parametrize("board", BOARDS)
def test_LO_5_another_board_is_drawn_as_a_list(board: str) -> None:
    terms = accepted(BOARDS[board](), 3)
    assert not layout(terms.edition.fields)
    step = play(terms, by_random, random.Random(board), 40)
    shown = GAME.render(terms, Seen(0, step.public, step.pending, {}), NAMES[:3], lambda text, style: text, 100)
    fields = terms.edition.board.fields
    found = [piece for player in step.public.players for piece in player.pieces if piece.at in fields]
    assert found
    for piece in found:
        assert any(line.startswith(f"{piece.at:<12} ") for line in shown.split("\n"))


@pytest.mark.thorough
@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("board", BOARDS)
def test_LO_5_whole_games_on_another_board_end(board: str, player: str) -> None:
    for seats, options in zip((2, 3, 4, 5, 8), VARIANTS.values(), strict=False):
        terms = accepted(BOARDS[board](), seats, **options)
        assert play(terms, PLAYERS[player], random.Random(f"{board}/{player}/{seats}"), ROUNDS, 50).result is not None


@pytest.mark.thorough
@pytest.mark.parametrize("rows", range(1, 6))
def test_LO_5_whole_games_on_towers_of_any_size_end(rows: int) -> None:
    rng = random.Random(rows)
    for choose in PLAYERS.values():
        terms = accepted(random_tower(rng, rows), rng.randint(2, 8), **VARIANTS[rng.choice(list(VARIANTS))])
        assert play(terms, choose, rng, ROUNDS, 40).result is not None


# --- what must be refused ---------------------------------------------------------------------------------------------


def with_fields(changes: dict[str, dict[str, str]], drop: str = "", **more: Any) -> Data:
    """The printed edition with some fields changed, some dropped, and other material."""
    data = copy(MINE) | more
    data["fields"] = [
        field | changes.get(field["id"], {}) for field in data["fields"] if field["id"] not in drop.split()
    ]
    return data


def cards(effect: str, steps: int = 0) -> list[Data]:
    return [{"id": effect, "effect": effect, "count": 9, "text": effect, "steps": steps}]


def needed(**levels: int) -> dict[str, int]:
    return copy(MINE)["thresholds"] | levels


def start_leads_to_itself() -> Data:
    return with_fields({"S": {"left": "S"}}, thresholds=needed(yellow=12))


def heads_lead_back_to_the_start() -> Data:
    """A player with no cards left fails on both heads that S leads to, and is on S again."""
    both = {"Y1": {"left": "S"}, "Y1b": {"right": "S"}, "Y4": {"left": "S"}, "Y4b": {"right": "S"}}
    return with_fields(both)


def up_leads_back_to_the_start() -> Data:
    """Whoever must go up at every junction (LO-19) comes back to S from the three on the left."""
    maker = Maker()
    marks = maker.row("r", "jqjqj" + "qj" * 9, (1,), "green")
    for at, decision in enumerate(marks[1::2]):
        maker.way_down(decision, 2, {0: "left", 1: "right"}.get(at, ""))
    for junction in marks[:6:2]:
        maker.fields[junction]["up"] = "S"
    maker.goals(marks[6::2])
    return maker.edition("traps")


def a_question_that_never_fails_left_of_a_head() -> Data:
    """Once four are home, a player without cards is sent to and fro between the two forever."""
    return ring() | {"thresholds": needed(orange=2)}


def nothing_but_stars_and_bad_cards() -> Data:
    """On every way up are seven stars, and every card leads to the reserve."""
    maker = Maker()
    low, high = maker.row("l", "j" + "qj" * 7, (1,), "green"), maker.row("u", "j" + "qj" * 8, (1,), "blue")
    for junction, above in zip(low[::2], high[1::2], strict=True):
        maker.connector(junction, above, 7, range(7))
    for at, decision in enumerate(low[1::2]):
        maker.way_down(decision, 3, {0: "left", 6: "right"}.get(at, ""))
    maker.goals(high[::2])
    return maker.edition("stars", pieces=1, chance=cards("reserve"))


def hardly_anybody_may_stay() -> Data:
    success = [{"id": "go", "again": True, "count": 399}, {"id": "stay", "again": False, "count": 1}]
    return with_fields({}, success=[card | {"text": ""} for card in success])


def up_leads_round_in_circles() -> Data:
    """Two rows lead up to each other, and only a piece that fails comes down to the goals; once four are home, nobody
    does."""
    maker = Maker()
    one, two = maker.row("a", "jqqqqqj", (1,), "green"), maker.row("b", "jqqj", (1,), "red")
    last = maker.row("c", "j" + "qj" * 9, (1,), "blue")
    maker.way_down(one[1], 2, "left")
    maker.way_down(one[5], 2, "right")
    ends = (one[0], one[-1], two[0], two[-1], last[0])
    for junction, above in zip(ends, (two[1], two[2], one[2], one[4], one[3]), strict=True):
        maker.connector(junction, above, 1, ())
    for decision in last[1::2]:
        maker.way_down(decision, 1)
    maker.goals(last[2::2])
    return maker.edition("circles")


BROKEN: tuple[tuple[Callable[[], Data], str], ...] = (
    (start_leads_to_itself, "must not lead there"),
    (heads_lead_back_to_the_start, "does not lead back"),
    (up_leads_back_to_the_start, "must not lead there"),
    (a_question_that_never_fails_left_of_a_head, "thresholds.orange"),
    (nothing_but_stars_and_bad_cards, "at least one chance card must let a piece stay"),
    (hardly_anybody_may_stay, "one success card in ten"),
    (up_leads_round_in_circles, "too many turns"),
)


@pytest.mark.parametrize(("make", "fault"), BROKEN, ids=lambda value: getattr(value, "__name__", ""))
def test_LO_5_a_board_on_which_a_game_has_no_end_is_refused(make: Callable[[], Data], fault: str) -> None:
    with pytest.raises((Malformed, Usage), match=fault):
        accepted(make())


@pytest.mark.parametrize(
    ("fields", "drop", "fault"),
    [
        ({"Y1j": {"kind": "star", "down": "S"}}, "", "field Y1j lacks a way out, or has too many"),
        ({"SB5": {"kind": "star", "down": "Z5"}}, "SB1 SB2 SB3 SB4", "from SB5 to Z5 does not lead back, or must not"),
        ({"Y2j": {"down": "Z1"}}, "", "field Y2j lacks a way out, or has too many"),
        ({"Y2j": {"down": "S"}}, "", "field Y2j lacks a way out, or has too many"),
        ({"S": {"left": "Y1"}, "Y1": {"down": "S"}}, "SA1 SA2 SA3 SA4 SA5", "from S to Y1 does not lead back"),
    ],
    ids=[
        "star at the end of a lane",
        "goal below a star",
        "goal below a lane",
        "start below a lane",
        "no way from start",
    ],
)
def test_LO_5_a_board_whose_ways_contradict_the_clauses_is_refused(
    fields: dict[str, dict[str, str]], drop: str, fault: str
) -> None:
    with pytest.raises(Usage, match=fault):
        accepted(with_fields(fields, drop))


def nearly_always() -> Data:
    """The question that hardly ever fails left of a head."""
    return ring() | {"thresholds": needed(orange=3), "pieces": 1}


def few_may_stay() -> Data:
    success = [{"id": "go", "again": True, "count": 9}, {"id": "stay", "again": False, "count": 1}]
    return ring() | {"success": [card | {"text": ""} for card in success], "pieces": 2}


@pytest.mark.thorough
@pytest.mark.parametrize("make", [nearly_always, few_may_stay])
@pytest.mark.parametrize("player", ["sensible", "random"])
def test_LO_5_a_board_that_is_just_good_enough_has_an_end(make: Callable[[], Data], player: str) -> None:
    for seed in range(3):
        assert play(accepted(make()), PLAYERS[player], random.Random(seed), ROUNDS, ROUNDS).result is not None


@pytest.mark.parametrize(("way", "name"), [("\x1b[31mred", "x"), ("x" * 10_000, "x"), ("x", "x" * 10_000)])
def test_LO_5_a_refusal_is_short_and_fit_for_a_terminal(way: str, name: str) -> None:
    with pytest.raises((Malformed, Usage)) as caught:
        accepted(with_fields({"S": {"left": way}}, name=name))
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 400


@pytest.mark.thorough
def test_sensible_players_come_home_whatever_a_chip_is_worth() -> None:
    terms = accepted(ring() | {"chips": [9, 9, 99, 1, 1, 2, 50, 7, 8]}, 2, neue_ziele=True, hinterlistig=True)
    for seed in range(3):
        assert play(terms, by_sense, random.Random(seed), ROUNDS, ROUNDS).result is not None


def test_LO_2_the_picture_shows_all_cards_in_hand() -> None:
    terms = accepted(with_fields({}, suit=list(range(80, 100)), pieces=9))
    step = GAME.setup(terms, Impatient(terms, random.Random(1)), (Words(),) * 2)
    shown = GAME.render(terms, Seen(0, step.public, step.pending, {}), NAMES[:2], lambda text, style: text, 100)
    assert all(str(card) in shown.split("── Players")[1] for card in terms.edition.suit)
