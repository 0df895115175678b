"""How long a game may take: about how many throws bring one piece home, if players simply go on whenever they can."""

from collections.abc import Iterator
from typing import NamedTuple

from .graph import Board
from .lookups import success_cards
from .types import Deal, Heading

PER_THROW = 3.5
"""Fields."""
EXACT = 6.0
"""Throws to hit a goal exactly."""
SWEEPS = 250
CLOSE = 0.01
ENDLESS = 10**6
"""More throws than any game has."""

State = tuple[str, Heading]
"""A decision field, and how a piece arrived there."""


class Walk(NamedTuple):
    """The way from one decision field to the next, or to a goal."""

    throws: float
    safe: float
    """The chance of not being sent back to the reserve by a card."""
    to: State


class Odds(NamedTuple):
    """What chance cards do to a piece on a star field."""

    reserve: float
    back: float


Outcomes = list[tuple[float, list[Walk]]]
"""The chances of success and of failure, and the walks between which a player can then choose."""


def throws_home(terms: Deal, settled: bool) -> float:
    """Throws from the worst decision field to a goal where the piece may stay, failing at every head (LO-16); with
    four pieces home (LO-19) or before that."""
    board, odds = terms.edition.board, _odds(terms)
    start: State = (board.start, "up")
    moves: dict[State, Outcomes] = {}
    found: list[State] = [start, *((at, "up") for at in sorted(board.decisions))]
    while found:
        state = found.pop()
        if state not in moves and state[0] not in board.goals:
            moves[state] = list(_outcomes(terms, board, state, settled, odds))
            found += [walk.to for _, walks in moves[state] for walk in walks]
    stay = sum(card.count for card in terms.edition.success if not card.again) / len(success_cards(terms))
    return (_expected(moves, start) + EXACT) / stay


def _expected(moves: dict[State, Outcomes], start: State) -> float:
    """The most throws from any state: each costs the throws of its walks and of what comes after them."""
    throws = dict.fromkeys(moves, 0.0)
    for _ in range(SWEEPS):
        changed = 0.0
        for state, outcomes in moves.items():
            new = 0.0
            for chance, walks in outcomes:
                after = [w.throws + w.safe * throws.get(w.to, 0.0) + (1 - w.safe) * throws[start] for w in walks]
                new += chance * min(after)
            changed = max(changed, new - throws[state])
            throws[state] = new
        if changed < CLOSE:
            return max(throws.values())
    return ENDLESS


def _odds(terms: Deal) -> Odds:
    effects = [card.effect for card in terms.edition.chance for _ in range(card.count)]
    return Odds(effects.count("reserve") / len(effects), effects.count("back") / len(effects))


def _outcomes(terms: Deal, board: Board, state: State, settled: bool, odds: Odds) -> Iterator[tuple[float, list[Walk]]]:
    at, arrived = state
    field = board.fields[at]
    needed: int = getattr(terms.edition.thresholds, field.level)
    success = sum(a + b >= needed for a in range(1, 7) for b in range(1, 7)) / 36 if field.kind != "head" else 0.0
    good, bad = board.directions(at, arrived, settled)
    for chance, way in ((success, good), (1 - success, bad)):
        if chance:
            yield chance, list(_walks(board, at, way, settled, odds))


def _walks(board: Board, at: str, way: Heading, settled: bool, odds: Odds) -> Iterator[Walk]:
    """Leave a decision field; at a junction every way is tried."""
    to, heading, steps, stars = _run(board, at, way)
    if not board.is_junction(to):
        yield _walk(to, heading, steps, stars, odds)
        return
    for choice in board.choices(to, heading, settled):
        end, turned, more, others = _run(board, to, choice)
        yield _walk(end, turned, steps + more, stars + others, odds)


def _walk(to: str, heading: Heading, steps: int, stars: int, odds: Odds) -> Walk:
    hits = stars / PER_THROW
    stays = (1 - odds.back) ** hits
    throws = steps / PER_THROW / stays if stays else float(ENDLESS)
    return Walk(throws, (1 - odds.reserve) ** hits, (to, "up" if heading == "down" else heading))


def _run(board: Board, at: str, heading: Heading) -> tuple[str, Heading, int, int]:
    """Up to the next junction, decision field or goal: where, heading, steps, star fields on the way."""
    steps = stars = 0
    while not steps or not (board.is_junction(at) or board.is_decision(at) or at in board.goals):
        at, heading, _, _ = board.run(at, heading, 1)
        steps, stars = steps + 1, stars + (board.fields[at].kind == "star")
    return at, heading, steps, stars
