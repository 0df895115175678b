"""Random games: every one ends, nothing gets lost on the way, and the fallback is legal at every decision."""

import random
import re
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from referee.game import seen
from referee.games.weg_zum_erfolg import rules
from referee.games.weg_zum_erfolg.types import OUT, RESERVE, Deal, Intervene, Own, Pos, Public
from tests.support.plain import Moment, PlainDraws, play_out

from .build import BOARD, assert_sound, deal, random_move

VARIANTS: dict[str, dict[str, bool]] = {
    "base": {},
    "reserve": {"reserve_leaves": True},
    "hinterlistig": {"hinterlistig": True},
    "neue": {"neue_ziele": True},
    "neue-hinterlistig": {"neue_ziele": True, "hinterlistig": True},
    "zufall": {"zufallsziele": True},
    "zufall-hinterlistig": {"zufallsziele": True, "hinterlistig": True, "reserve_leaves": True},
}
PLAYED = re.compile(r"@(\d) (?:intervenes with|loses a|plays) (\d+(?:, \d+)*)")
GAMES = 42
TURNS = 1500
"""A sane number of turns."""


@pytest.mark.parametrize("seats", range(2, 9))
@pytest.mark.parametrize("variant", VARIANTS)
def test_random_games_end_and_lose_nothing(variant: str, seats: int) -> None:
    terms = deal(seats, **VARIANTS[variant])
    for seed in range(GAMES):
        before: Pos | None = None
        for moment in play_out(rules, terms, random_move, random.Random(f"{variant}/{seats}/{seed}")):
            assert_sound(terms, moment.position, moment.draws)
            assert_chips(terms, moment)
            assert_questions(terms, moment.position)
            if before is not None:
                assert_steps(before, moment)
            before = moment.position
        assert before is not None
        assert before.public.turns < TURNS
        assert_end(before)


@pytest.mark.parametrize("seats", [2, 5, 8])
@pytest.mark.parametrize("variant", VARIANTS)
def test_games_of_fallbacks_only_end(variant: str, seats: int) -> None:
    """Everybody misses every deadline."""
    for seed in range(3):
        terms = deal(seats, **VARIANTS[variant])
        moments = play_out(rules, terms, lambda t, view, _: rules.fallback(t, view), random.Random(seed))
        assert list(moments)[-1].position.result is not None


@pytest.mark.parametrize("variant", ["neue", "neue-hinterlistig", "zufall"])
def test_LO_22_nothing_public_depends_on_what_is_hidden(variant: str) -> None:
    """In a twin world the chips that nobody has seen are others: the same answers look the same until one is scored."""
    terms = deal(4, **VARIANTS[variant])
    compared = 0
    for seed in range(12):
        rng = random.Random(f"twins/{variant}/{seed}")
        step = rules.setup(terms, draws := PlainDraws(rules.bags(terms), rng))
        while step.position.pending:
            position = step.position
            answers = {a.seat: random_move(terms, seen(position, a.seat), rng) for a in position.pending}
            other, twin_draws = twin(position, draws, rng)
            state, before = rng.getstate(), len(draws.calls)
            step = rules.apply(terms, position, answers, draws)
            twin_draws.rng.setstate(state)
            again = rules.apply(terms, other, answers, twin_draws)
            if known(step.position.public) == known(position.public):
                assert draws.calls[before:] == twin_draws.calls
                assert step.position.public == again.position.public
                assert step.position.pending == again.position.pending
                assert step.log == again.log
                compared += 1
    assert compared > 500


def known(public: Public) -> int:
    return sum(chip is not None and chip.value is not None for chip in public.chips)


def twin(position: Pos, draws: PlainDraws, rng: random.Random) -> tuple[Pos, PlainDraws]:
    """The same for everybody, but all face-down chips are dealt anew."""
    other = PlainDraws(draws.bags, random.Random(0))
    other.tails = {name: list(faces) for name, faces in draws.tails.items()}
    names = [name for name in other.bags if name == "chips" or name[:5] in ("chip/", "goal/")]
    faces = [face for name in names for face in other.bags[name]]
    rng.shuffle(faces)
    for name in names:
        other.bags[name] = [faces.pop() for _ in other.bags[name]]
    own = []
    for seat, mine in enumerate(position.own):
        laid = [chip.slot for chip in position.public.chips if chip and chip.by == seat and chip.value is None]
        held = other.bags.get(f"goal/{laid[0]}" if laid else f"chip/{seat}", [])
        own.append(Own(int(held[0])) if held else mine)
    return replace(position, own=tuple(own)), other


# --- what must hold after every step ----------------------------------------------------------------------------------


def assert_chips(terms: Deal, moment: Moment) -> None:
    """Every chip is in one place: open below a goal, face down in its container, or still to be laid."""
    public, bags = moment.position.public, moment.draws.bags
    faces = [*map(str, (chip.value for chip in public.chips if chip and chip.value is not None))]
    faces += bags.get("chips", [])
    for number in range(9):
        faces += bags.get(f"chip/{number}", []) + bags.get(f"goal/{number}", [])
    assert sorted(faces) == [*"123456789"]
    assert len({chip.slot for chip in public.chips if chip}) == sum(chip is not None for chip in public.chips)
    for seat in range(terms.seats):
        for container, held in rules.holds(terms, seen(moment.position, seat)).items():
            assert bags[container] == held


def assert_questions(terms: Deal, position: Pos) -> None:
    """Fallbacks are legal; only interventions are asked of others, and only of those who have a card."""
    public = position.public
    for ask in position.pending:
        view = seen(position, ask.seat)
        rules.check(terms, view, rules.fallback(terms, view))
        if ask.what == "intervene":
            player = public.players[ask.seat]
            assert ask.seat != public.turn
            assert player.hand
            assert not player.standing
        else:
            assert ask.seat == public.turn
            assert len(position.pending) == 1
        assert (ask.what == "piece") == (public.throw > 0)


def assert_steps(before: Pos, moment: Moment) -> None:
    """Suit cards only leave, and only those that were played; whoever is home or out stays so; home pieces count."""
    old, new, gone = before.public, moment.position.public, played(moment.log)
    for seat, (was, now) in enumerate(zip(old.players, new.players, strict=True)):
        assert len(now.pieces) == len(was.pieces)
        assert now.points >= was.points
        for piece, moved in zip(was.pieces, now.pieces, strict=True):
            assert moved.at in BOARD.fields or moved.at in (RESERVE, OUT)
            if piece.at == OUT or (piece.at in BOARD.goals):
                assert moved == piece
        assert list(was.hand) == sorted([*now.hand, *gone.get(seat, ())])
        move = moment.answers.get(seat)
        if isinstance(move, Intervene) and move.card is not None:
            assert f"@{seat} intervenes with {move.card}" in moment.log
    assert new.home == sum(piece.at in BOARD.goals for player in new.players for piece in player.pieces)
    assert old.home <= new.home


def played(log: Sequence[str]) -> dict[int, list[int]]:
    """Seat -> the cards that left its hand, as everybody is told."""
    found: dict[int, list[int]] = {}
    for line in log:
        if match := PLAYED.match(line):
            found.setdefault(int(match[1]), []).extend(map(int, match[2].split(", ")))
    return found


def assert_end(position: Pos) -> None:
    result, players = position.result, position.public.players
    assert result is not None
    assert not position.pending
    assert {piece.at for player in players for piece in player.pieces} <= {OUT, *BOARD.goals}
    assert result.scores == tuple((player.points,) for player in players)
    best_first = sorted(result.scores, reverse=True)
    assert result.ranks == tuple(best_first.index(score) + 1 for score in result.scores)
