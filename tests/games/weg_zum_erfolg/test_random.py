"""Random games, dealt and read back by every seat: every one ends, and nothing gets lost on the way."""

import copy
import random
from collections import Counter
from collections.abc import Sequence
from typing import Any, get_args

import msgspec
import pytest

from referee.errors import IllegalMove
from referee.game import LINK, Note, Result
from referee.games.weg_zum_erfolg import GAME
from referee.games.weg_zum_erfolg.story import tell
from referee.games.weg_zum_erfolg.types import OUT, RESERVE, Intervene, Move, Public, Solve
from referee.testing.sandbox import Sandbox
from tests.support.plain import PlainDraws, bared, play_out, seen

from .build import BOARD, CHANCE, SMALL, SUCCESS, VARIANTS, assert_sound, deal, random_move, random_words

ROUNDS = 2048
LATE = 0.1
"""The share of deadlines that is missed."""
SAYS = 0.05
"""The share of answers that come with standing orders."""


def play_random(seed: object, seats: int, late: float = LATE, **options: bool) -> Result:
    """A whole game of random legal moves, looked at after every round; this share of deadlines is missed."""
    terms, rng = deal(seats, **options), random.Random(f"{seed}/{seats}/{options}")
    game = Sandbox(GAME, terms, str(seed), words={0: random_words(rng)})
    for _ in range(ROUNDS):
        assert_position(game)
        if game.result is not None:
            break
        before = game.public
        moves = {ask.seat: random_move(terms, game.seen(ask.seat), rng) for ask in game.pending if ask.what != LINK}
        given = {seat: move for seat, move in moves.items() if rng.random() >= late}
        log = game.answer(given, words={ask.seat: random_words(rng) for ask in game.pending if rng.random() < SAYS})
        assert_steps(before, game.public, log)
        assert_interventions(given, log)
        assert all(tell(terms, note).isprintable() for note in log)
    assert_end(game)
    return game.result


@pytest.mark.thorough
@pytest.mark.parametrize(("seats", "variant"), [*zip((8, 2, 4, 3, 4, 5, 6, 7), VARIANTS, strict=True)])
def test_random_games_end_and_lose_nothing(seats: int, variant: str) -> None:
    assert 1 in play_random(0, seats, **VARIANTS[variant]).ranks


@pytest.mark.parametrize(("seats", "variant"), [(2, "neue-hinterlistig"), (4, "zufall")])
def test_LO_24_games_in_which_everybody_misses_every_deadline_end(seats: int, variant: str) -> None:
    assert 1 in play_random(1, seats, 1.0, **VARIANTS[variant]).ranks


# --- what must hold after every step ----------------------------------------------------------------------------------


def contents(game: Sandbox) -> dict[str, list[str]]:
    """Every container: the faces in it, those of its tail last and in order."""
    faces = {**game.faces, **game.book.faces}
    return {name: [faces[slot] for slot in (*bag.slots, *bag.tail)] for name, bag in game.book.bags.items()}


def assert_position(game: Sandbox) -> None:
    public, inside = game.public, contents(game)
    for pile, kinds in (("chance", CHANCE), ("success", SUCCESS)):
        unseen, under = getattr(public, f"{pile}_pile"), getattr(public, f"{pile}_under")
        assert Counter(inside[pile]) == kinds
        assert len(inside[pile]) == unseen + len(under)
        assert inside[pile][unseen:] == list(under)
    assert_chips(game, inside)
    assert_questions(game)
    where = Counter(piece.at for player in public.players for piece in player.pieces)
    assert all(n == 1 for at, n in where.items() if at in BOARD.fields and BOARD.fields[at].kind in SMALL)


def assert_chips(game: Sandbox, inside: dict[str, list[str]]) -> None:
    """Every chip is in one place: open below a goal, face down in its container, in a hand, or still to be laid; a
    player knows their own one wherever it lies."""
    public = game.public
    faces = [str(chip.value) for chip in public.chips if chip and chip.value is not None]
    faces += [face for name, held in inside.items() if name not in ("chance", "success") for face in held]
    assert sorted(faces) == [*"123456789"]
    assert len({chip.slot for chip in public.chips if chip}) == sum(chip is not None for chip in public.chips)
    piles = {pile for pile in ("chance", "success") if getattr(public, f"{pile}_under")}
    for seat in range(game.seats):
        mine = {f"goal/{chip.slot}" for chip in public.chips if chip and chip.value is None and chip.by == seat}
        tokens = game.seen(seat).tokens
        assert {*tokens} == mine | {f"chip/{seat}"} | piles
        assert all(list(tokens[name]) == inside[name] for name in mine)


def assert_questions(game: Sandbox) -> None:
    """Only interventions are asked of others, and only of those who have a card; the mover is asked with them, last."""
    public = game.public
    *others, last = game.pending or (None,)
    for ask in game.pending:
        if ask.what == "intervene":
            assert ask.seat != public.turn
            assert public.players[ask.seat].hand
        else:
            assert ask.seat == public.turn
            assert ask is last
            assert not others or ask.what == "solve"
        assert bool(ask.sealed) == (game.pending[0].what == "intervene")
        assert (ask.what == "piece") == (public.throw > 0)


def assert_steps(old: Public, new: Public, log: Sequence[Note]) -> None:
    """Suit cards only leave, and only those that were played; pieces that are home or out stay so; home pieces
    count."""
    gone = cards_played(log)
    scored = Counter[int]()
    for note in log:
        scored[note.values.get("seat", 0)] += note.values["points"] if note.what == "home" else 0
    for seat, (was, now) in enumerate(zip(old.players, new.players, strict=True)):
        assert len(now.pieces) == len(was.pieces)
        assert now.points == was.points + scored[seat]
        for piece, moved in zip(was.pieces, now.pieces, strict=True):
            assert moved.at in BOARD.fields or moved.at in (RESERVE, OUT)
            if piece.at == OUT or (piece.at in BOARD.goals):
                assert moved == piece
        assert list(was.hand) == sorted([*now.hand, *gone.get(seat, ())])
    assert new.home == sum(piece.at in BOARD.goals for player in new.players for piece in player.pieces)


def cards_played(log: Sequence[Note]) -> dict[int, list[int]]:
    """Seat -> the cards that left its hand, as everybody is told."""
    found: dict[int, list[int]] = {}
    for note in log:
        cards = {"intervenes": "card", "loses": "card", "solves": "cards"}.get(note.what)
        if cards:
            played = note.values[cards]
            found.setdefault(note.values["seat"], []).extend([played] if isinstance(played, int) else played)
    return found


def assert_interventions(given: dict[int, Move], log: Sequence[Note]) -> None:
    """Every card that was given is shown, and none that was not."""
    cards = [(seat, move.card) for seat, move in given.items() if isinstance(move, Intervene) and move.card is not None]
    assert [(note.values["seat"], note.values["card"]) for note in log if note.what == "intervenes"] == cards


def assert_end(game: Sandbox) -> None:
    result, players = game.result, game.public.players
    assert result is not None, "no end"
    assert not game.pending
    assert {piece.at for player in players for piece in player.pieces} <= {OUT, *BOARD.goals}
    assert result.scores == tuple((player.points,) for player in players)
    best_first = sorted(result.scores, reverse=True)
    assert result.ranks == tuple(best_first.index(score) + 1 for score in result.scores)


# --- answers that nobody would give -----------------------------------------------------------------------------------

NUMBERS = (0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 99, 100, 1000)
WORDS = (
    "",
    "8",
    "9*2-10",
    "(((2",
    "2/(3-3)",
    "1" * 200,
    "+".join(["99"] * 67),
    "(" * 200,
    "\u0662 + \x00",
    "9" + "*99" * 66,
)
VALUES: dict[str, Sequence[Any]] = {
    "attempt": (None, True, False),
    "expression": (None, *WORDS),
    **dict.fromkeys(("success", "failure", "way"), (None, "up", "left", "right")),
}


def any_move(rng: random.Random, legal: Move) -> Move:
    """Any move that can be decoded, of any kind, or a legal one with one field changed."""
    while True:
        kind: Any = rng.choice([type(legal), *get_args(Move)] if rng.random() < 0.5 else [type(legal)])
        fields = {name: rng.choice(VALUES.get(name, (None, *NUMBERS))) for name in kind.__struct_fields__}
        if kind is type(legal) and rng.random() < 0.7:
            fields = msgspec.structs.asdict(legal) | dict(rng.sample(sorted(fields.items()), 1))
        try:
            return msgspec.convert({"kind": kind.__struct_config__.tag} | fields, Move)
        except msgspec.ValidationError:
            continue


@pytest.mark.thorough
@pytest.mark.parametrize("variant", ["base", "neue-hinterlistig"])
def test_any_answer_is_refused_or_played(variant: str) -> None:
    rng, terms = random.Random(variant), deal(3, **VARIANTS[variant])
    outcomes = Counter[bool]()
    for moment in play_out(GAME, terms, random_move, rng):
        asked = [ask.what for ask in moment.step.pending]
        for _ in range(4 if asked and asked != [LINK] else 0):
            legal = {ask.seat: random_move(terms, moment.seen(ask.seat), rng) for ask in moment.step.pending}
            moves = {seat: any_move(rng, move) for seat, move in legal.items()}
            outcomes[assert_judged(terms, moment.step, moment.draws, moves)] += 1
    assert outcomes[True] > 50
    assert outcomes[False] > 100


def assert_judged(terms: Any, step: Any, draws: PlainDraws, moves: dict[int, Move]) -> bool:
    """The rules refuse the moves or play them; returns which. Where a check would refuse one, they do."""
    fine = True
    played = any(isinstance(moves[ask.seat], Intervene) and moves[ask.seat].card for ask in step.pending[:-1])
    for ask in step.pending:
        move = moves[ask.seat]
        if ask.what == "solve" and played and isinstance(move, Solve):
            continue  # what the mover said is void, whatever it was
        try:
            GAME.check(terms, seen(step, draws, ask.seat), move)
        except IllegalMove:
            fine = False
    world = copy.deepcopy(draws)
    world.next_step(moves)
    kinds = {"intervene": Intervene, "solve": Solve}
    answers = {
        ask.seat: bared(GAME, ask, move) if type(move := moves[ask.seat]) is kinds.get(ask.what) else move
        for ask in step.pending
    }
    try:
        after = GAME.apply(terms, step.public, step.pending, answers, world)
    except IllegalMove:
        assert not fine
        return False
    assert fine
    assert_sound(after, world)
    return True
