"""The scripted players: `random` is fair to every listed move, `sensible` plays better than that."""

import random
from collections import Counter
from collections.abc import Callable
from math import sqrt

import msgspec
import pytest
from msgspec.structs import replace

from referee.forms import find
from referee.game import Ask, Seen
from referee.games.weg_zum_erfolg import GAME, bots_strong, rules
from referee.games.weg_zum_erfolg.bots import distances, random_move, sensible_move
from referee.games.weg_zum_erfolg.bots_outlook import outlook
from referee.games.weg_zum_erfolg.graph import Leg
from referee.games.weg_zum_erfolg.types import (
    RESERVE,
    Card,
    Chip,
    Deal,
    Enter,
    Go,
    Intervene,
    Lose,
    Move,
    Piece,
    Place,
    Sight,
    Solve,
    SwapChip,
    Target,
    Task,
    Try,
    Turn,
    Words,
)
from referee.games.weg_zum_erfolg.words_list import legal
from tests.support.plain import play_out

from .build import EDITION, Desk, deal
from .other import BOARDS, accepted
from .other import play as play_some
from .test_moves import VARIANTS, view_of

SWAP_CHIP = next(what for what, answer in rules.ANSWERS.items() if SwapChip in answer[0])


def asking(desk: Desk, what: str, seat: int = 0, **task: object) -> Desk:
    """The same position, with another question."""
    if task:
        desk.public(task=Task(**task), throw=0)  # type: ignore[arg-type]
    desk.step = replace(desk.step, pending=(Ask(seat, what),))
    return desk


POSITIONS: dict[str, Callable[[], Desk]] = {
    "piece": lambda: Desk(3).put(0, ("R1c", "right"), ("R5j", "right")).turn(3),
    "piece or enter": lambda: Desk(3).put(0, ("R1c", "right")).turn(6),
    "way": lambda: asking(Desk(3).put(0, ("R3", "up")), "way", piece=0, steps=5, leaving="right"),
    "opponent": lambda: asking(Desk(3).put(0, "R3").put(1, "R3").put(2, "R3"), "opponent", piece=0, steps=2),
    "try": lambda: asking(Desk(3).put(0, "R3"), "try", piece=0, steps=2),
    "intervene": lambda: asking(Desk(3).put(0, "R2"), "intervene", 1, piece=0, steps=2, target=8),
    "solve": lambda: asking(Desk(3).put(0, "R2"), "solve", piece=0, steps=2, target=8, table=(Card(1, 9),)),
    "target": lambda: asking(Desk(3).put(0, "Y2u").put(1, "Y1v").put(2, ("B3a", "left")), "target", piece=0, steps=0),
    "lose": lambda: asking(Desk(3).put(0, "Y2u"), "lose", piece=0, steps=0),
    "place": lambda: Desk(3, neue_ziele=True),
    "swap chip": lambda: asking(Desk(3).put(0, "Z3"), SWAP_CHIP, piece=0, steps=0),
}


@pytest.mark.parametrize("name", POSITIONS)
def test_random_gives_every_line_of_the_list_the_same_chance(name: str) -> None:
    desk = POSITIONS[name]()
    choices = legal(desk.terms, view_of(desk))
    for at, choice in enumerate(choices):
        asked: list[int] = []

        def below(number: int, at: int = at, asked: list[int] = asked) -> int:
            asked.append(number)
            return at if len(asked) == 1 else 0

        move = random_move(desk.terms, view_of(desk), below)
        rules.check(desk.terms, view_of(desk), move)
        assert asked[0] == len(choices)
        assert find(choice, msgspec.to_builtins(move)) is not None


def test_random_is_uniform_with_real_chance() -> None:
    desk, rng = POSITIONS["intervene"](), random.Random(1)
    found = Counter(random_move(desk.terms, view_of(desk), rng.randrange) for _ in range(2000))
    assert 0.45 < found[Intervene()] / 2000 < 0.55, "one of two lines; the other is a card, each with the same chance"
    cards = [found[Intervene(card)] for card in range(2, 12)]
    assert sum((number - 100) ** 2 / 100 for number in cards) < 9 + 4 * sqrt(2 * 9) + 1


def sensible(desk: Desk) -> Move:
    """The move of the sensible bot, which must be legal."""
    move = sensible_move(desk.terms, view_of(desk), lambda _: 0)
    rules.check(desk.terms, view_of(desk), move)
    return move


@pytest.mark.parametrize("name", POSITIONS)
def test_sensible_is_legal_and_leaves_nothing_to_chance(name: str) -> None:
    desk = POSITIONS[name]()
    moves = {sensible_move(desk.terms, view_of(desk), random.Random(seed).randrange) for seed in range(5)}
    assert moves == {sensible(desk)}


@pytest.mark.parametrize("name", POSITIONS)
def test_strong_is_legal_and_the_same_with_the_same_chance(name: str) -> None:
    desk = POSITIONS[name]()
    moves = {GAME.bots["strong"](desk.terms, view_of(desk), random.Random(7).randrange) for _ in range(2)}
    assert len(moves) == 1
    rules.check(desk.terms, view_of(desk), *moves)


@pytest.mark.parametrize("board", BOARDS)
def test_strong_plays_on_any_board(board: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots_strong, "TURNS", 60)
    terms = accepted(BOARDS[board](), 3, zufallsziele=True, hinterlistig=True)

    def choose(terms: Deal, view: Sight, rng: random.Random) -> Move:
        move: Move = GAME.bots["strong"](terms, view, rng.randrange)
        return move

    assert play_some(terms, choose, random.Random(board), 25).public.turns > 10


def test_strong_goes_home_for_the_9_rather_than_on() -> None:
    desk = Desk(2).put(0, ("B9j", "right"), ("B4d", "right"), ("B3d", "left")).turn(2)
    assert GAME.bots["strong"](desk.terms, desk.sight(), random.Random(1).randrange) == Go(0)


def test_LO_6_a_swap_is_worth_what_it_brings_and_what_one_of_the_others_loses() -> None:
    """The second of three pieces changes places with the second of another player."""
    near, far, home = Piece("B9j", "right"), Piece("R1c", "right"), Piece("R5j", "right")
    desk = Desk(3).put(0, ("R5j", "right"), ("R1c", "right"), "R2").put(1, "Y2u", ("B9j", "right"), "R3")
    desk = asking(desk, "target", piece=1, steps=0)
    table = bots_strong.Table(desk.terms, desk.sight())
    mine, theirs = desk.now.players[0].pieces, desk.now.players[1].pieces
    assert (mine[:2], theirs[1]) == ((home, far), near)
    before = table.outlook.pieces(desk.now.home, theirs)
    after = table.outlook.pieces(desk.now.home, (theirs[0], far, *theirs[2:]))
    assert before > after
    brings = table.outlook.pieces(desk.now.home, (home, near, *mine[2:]))
    assert table.target_worth(table.public, Target(1, 1)) == pytest.approx(brings + (before - after) / 2)


CHIPS = tuple(float(value) for value in range(1, 10))


def test_LO_17_outlook_of_a_piece_below_its_goal() -> None:
    """It waits for a 1; one success card in twelve sends it back to the reserve."""
    found = outlook(deal(4), CHIPS)
    again = found.waiting[4, 1]
    assert found.pieces(4, [Piece("C9", "up")]) == pytest.approx(11 / 12 * 9 + 1 / 12 * again, abs=0.01)
    assert found.pieces(4, [Piece("C9", "up")], Leg("Z3", "up", 0)) == pytest.approx(
        11 / 12 * (9 + 3) + 2 / 12 * again, abs=0.02
    )


def test_LO_19_outlook_of_a_decision_once_four_are_home() -> None:
    """Success is one goal to the right: B8 is a "?" on which 15 throws in 36 succeed, and leads to the 9 or to the
    8."""
    found = outlook(deal(4), CHIPS)
    nine, eight = (found.pieces(4, [Piece(at, "up")]) for at in ("B9j", "B8j"))
    assert found.pieces(4, [], Leg("B8", "up", 3)) == pytest.approx(eight + 15 / 36 * (nine - eight))
    assert found.pieces(4, [], Leg("B8", "right", 3)) == pytest.approx(eight), "it turns back"


def test_LO_18_outlook_knows_what_is_swept() -> None:
    found, low, high = outlook(deal(4), CHIPS), Piece("Y1", "up"), Piece("B4", "up")
    assert found.after(0, [low, high]) == pytest.approx(found.pieces(1, [high]))
    assert found.after(4, [low, high]) == pytest.approx(found.pieces(5, [low, high])), "no more"
    waits = Piece(RESERVE, "up")
    assert found.after(0, [waits, high]) == pytest.approx(found.pieces(1, [waits, high]))
    leaves = outlook(deal(4, reserve_leaves=True), CHIPS)
    assert leaves.after(0, [waits, high]) == pytest.approx(leaves.pieces(1, [high]))


def test_LO_18_outlook_prefers_the_reserve_to_a_level_that_is_swept_next() -> None:
    found, waits = outlook(deal(4), CHIPS), Piece(RESERVE, "up")
    lead = Piece("B4", "up")
    assert found.pieces(3, [lead, waits]) > found.pieces(3, [lead, Piece("Y1", "up")])
    assert found.pieces(4, [lead, waits]) < found.pieces(4, [lead, Piece("Y4", "up")])


def test_LO_16_strong_saves_its_cards_where_success_brings_little() -> None:
    """Two cards for a goal one farther to the right are too many if three more pieces need them; one card is not."""
    desk = asking(Desk(2).put(0, ("B5", "up")).hand(0, 3, 5, 7), "solve", piece=0, steps=3, target=8).public(home=4)
    assert GAME.bots["strong"](desk.terms, desk.sight(), random.Random(1).randrange) == Solve()
    desk.hand(0, 3, 5, 8)
    assert GAME.bots["strong"](desk.terms, desk.sight(), random.Random(1).randrange) == Solve("8")


def test_distances_lead_to_every_goal() -> None:
    far = distances(EDITION)
    assert far["Z4"][3] == 0
    assert far["C4"][3] == 1
    assert far["B9j"] == (50, 44, 38, 32, 26, 20, 14, 8, 2)
    assert min(far["S"]) < 60


def test_LO_17_sensible_goes_home_for_many_points() -> None:
    desk = Desk(2).put(0, ("B9j", "right"), ("B4d", "right"), ("B3d", "left")).turn(2)
    assert sensible(desk) == Go(0)
    desk = Desk(2).put(0, ("B9j", "right"), ("B2j", "left")).turn(2)
    assert sensible(desk) == Go(0), "9 is more than 2"


def test_LO_18_sensible_keeps_pieces_in_the_reserve_until_four_are_home() -> None:
    desk = Desk(2, may_enter=True).put(0, ("G3a", "right")).turn(6)
    assert isinstance(sensible(desk), Go)
    assert sensible(desk.public(home=4)) == Enter()
    assert sensible(Desk(2, may_enter=True).turn(6)) == Enter(), "with nothing in play it comes in"


def test_LO_12_sensible_spares_its_own_pieces() -> None:
    desk = Desk(2).put(0, ("R2a", "right"), "R3u").turn(4)
    assert sensible(desk) != Go(0, "up")


def test_LO_16_sensible_solves_with_few_cards_if_success_helps() -> None:
    desk = POSITIONS["solve"]().hand(0, 2, 7, 10)
    assert sensible(desk) == Solve("(7 + 9) / 2")
    desk = asking(Desk(2).put(0, ("B7", "up")), "solve", piece=0, steps=5, target=7)
    assert sensible(desk) == Solve("7", "up"), "to the 8"
    chips = tuple(Chip(9 - at, at, None) for at in range(9))
    assert sensible(desk.public(chips=chips)) == Solve(None, "up"), "failure leads to the 3, success to the 2"


def test_LO_16_sensible_spoils_only_where_it_is_certain_and_cheap() -> None:
    desk = POSITIONS["intervene"]()
    assert sensible(desk) == Intervene(), "a full hand will find a way"
    desk.hand(0, 8)
    move = sensible(desk)
    assert isinstance(move, Intervene)
    assert move.card is not None
    assert sensible(desk.hand(0, 3)) == Intervene(), "the mover fails anyway"


def test_LO_16_sensible_spends_even_its_last_cards() -> None:
    desk = asking(Desk(2).put(0, ("R6", "right")).hand(0, 2, 5), "solve", piece=0, steps=2, target=7)
    assert sensible(desk) == Solve("2 + 5"), "straight on instead of down"


# --- standing orders --------------------------------------------------------------------------------------------------


def advice(desk: Desk, bot: str = "sensible") -> Words | None:
    assert GAME.standing is not None
    words: Words | None = GAME.standing.advise(desk.terms, desk.sight(0), bot)
    return words


def test_LO_25_sensible_declines_wherever_it_would_play_no_card() -> None:
    assert GAME.standing is not None
    assert GAME.standing.advise(deal(3), Seen(0, None, (), {}), "sensible") is None
    desk = Desk(3).put(0)
    assert advice(desk) is None, "there are cards to spare"
    scarce = Words(decline=True, cards=5)
    assert advice(desk.hand(0, 10, 11)) == scarce
    assert advice(desk.says(0, decline=True, cards=5)) is None, "nothing new"
    assert advice(desk.put(0, "Z1", "Z2", "Z3", "Z4").says(0, decline=True, cards=5)) == Words(), "nothing to save for"


def test_LO_26_sensible_says_what_it_does_at_the_next_heads() -> None:
    desk = Desk(2).put(0, ("R6", "right")).hand(0, 2)
    assert advice(desk) == Words(decline=True, cards=5, heads=2), "straight on instead of down"
    assert advice(desk, "strong") == Words(decline=True, cards=5), "nothing before four are home"
    desk = Desk(2).put(0, ("R6", "up")).hand(0, 2).public(home=4)
    assert advice(desk, "strong") == advice(desk) == Words(decline=True, cards=5, heads=2), "to the right"
    chips = tuple(Chip(9 - at, at, None) for at in range(9))
    desk = Desk(2).put(0, ("B7", "up")).hand(0, 2).public(chips=chips, home=4)
    assert advice(desk) == Words(decline=True, cards=5, heads=0), "the good chips lie on the left"
    desk.public(chips=tuple(Chip(value, at, None) for at, value in enumerate((1, 2, 3, 4, 5, 6, 9, 8, 7))))
    assert advice(desk.put(0, ("B7", "up"), ("B1", "up"))) == Words(decline=True, cards=5), "it depends"


def test_LO_26_sensible_says_whether_it_tries() -> None:
    desk = Desk(2, neue_ziele=True).put(0, ("R7", "right")).hand(0, 2)
    desk.public(chips=tuple(Chip(at + 1, at, None) for at in range(9)))
    said = advice(desk)
    assert said is not None
    assert said.attempt is True


def test_LO_6_sensible_swaps_with_the_best_and_loses_what_it_has_often() -> None:
    assert sensible(POSITIONS["target"]()) == Target(2, 0)
    assert sensible(POSITIONS["lose"]()) == Lose(10)


def test_LO_22_sensible_lays_a_good_chip_in_the_middle() -> None:
    desk = POSITIONS["place"]()
    seat = desk.step.pending[0].seat
    for chip, goal in ((9, 4), (1, 0)):
        desk.draws.bags[f"chip/{seat}"] = [str(chip)]
        assert sensible(desk) == Place(goal)


def test_LO_22_sensible_tries_where_success_is_better() -> None:
    desk = asking(Desk(2).put(0, ("B8", "up")), "try", piece=0, steps=3)
    assert sensible(desk) == Try(True), "to the 9"
    chips = tuple(Chip(9 - at, at, None) for at in range(9))
    assert sensible(desk.public(chips=chips)) == Try(False)


def test_LO_21_sensible_moves_a_chip_only_for_its_own_good() -> None:
    desk = asking(Desk(2).put(0, "Z9", ("B2j", "left")).put(1), SWAP_CHIP, piece=0, steps=0)
    move = sensible(desk)
    assert isinstance(move, SwapChip)
    assert move.goal == 1, "the 9 now lies where the next piece arrives"


def test_LO_11_sensible_turns_towards_the_goal() -> None:
    desk = asking(Desk(2).put(0, ("B8", "up")), "way", piece=0, steps=5, leaving="left")
    assert sensible(desk) == Turn("up")


def play(terms: Deal, bots: list[str], seed: int) -> tuple[int, ...]:
    """The ranks of a game between these bots."""

    def choose(terms: Deal, view: Sight, rng: random.Random) -> Move:
        move: Move = GAME.bots[bots[view.seat]](terms, view, rng.randrange)
        return move

    *_, last = play_out(GAME, terms, choose, random.Random(seed))
    assert last.step.result is not None
    return last.step.result.ranks


@pytest.mark.thorough
@pytest.mark.parametrize(("seats", "games", "share"), [(2, 24, 0.6), (5, 10, 0.4)])
def test_sensible_beats_random_from_every_seat(seats: int, games: int, share: float) -> None:
    """By chance it would win about one game in as many as there are seats."""
    wins = 0
    for seed in range(games):
        seat = seed % seats
        bots = ["sensible" if at == seat else "random" for at in range(seats)]
        wins += play(deal(seats, **VARIANTS[seed % len(VARIANTS)]), bots, seed)[seat] == 1
    assert wins > share * games


@pytest.mark.thorough
def test_games_among_sensible_players_end() -> None:
    for seed, options in enumerate(VARIANTS):
        seats = (2, 3, 4, 5, 8, 6)[seed]
        assert sorted(play(deal(seats, **options), ["sensible"] * seats, seed))[0] == 1
