"""What an edition must have before a game is played with it: a host may bring another board (LO-5)."""

from collections.abc import Iterator
from itertools import chain

from msgspec.structs import replace

from referee.errors import Usage
from referee.game import refuse
from referee.language import Reason

from .graph import BACK, Board
from .length import throws_home
from .lookups import pieces_each
from .types import GOALS, OUT, RESERVE, Deal, Field, Heading, illegal

MOST_THROWS = 1000
"""By all pieces together, as far as can be foreseen; twice as many would do no harm."""
WAYS: tuple[Heading, ...] = ("left", "right", "up", "down")


def validate(terms: Deal) -> None:
    """Refuse an edition or options with which no game can be played."""
    if terms.options.neue_ziele and terms.options.zufallsziele:
        fault = illegal.fault("two-kinds-of-goals")
        raise Usage(fault, replace(fault, next=True))
    refuse(terms.edition.name, chain(_material(terms), _board(terms)))


def _material(terms: Deal) -> Iterator[Reason]:
    e = terms.edition
    if list(e.suit) != sorted(e.suit):
        yield illegal.fault("suit")
    for pile in (e.chance, e.success):
        if len({card.id for card in pile}) != len(pile) or not 1 <= sum(card.count for card in pile) <= 400:
            yield illegal.fault("pile")
    if 10 * sum(card.count for card in e.success if not card.again) < sum(card.count for card in e.success):
        yield illegal.fault("success-cards")
    if all(card.effect in ("reserve", "back", "swap") for card in e.chance if card.count):
        yield illegal.fault("chance-cards")


def _board(terms: Deal) -> Iterator[Reason]:
    """The faults of a board. Only the first is used, so that every check can rely on those before it."""
    fields, board = terms.edition.fields, terms.edition.board
    if len({*board.fields, RESERVE, OUT}) != len(fields) + 2:
        yield illegal.fault("field-ids", reserve=RESERVE, out=OUT)
    for f in fields:
        for way, to in _ways(f).items():
            if to not in board.fields:
                yield illegal.fault("way-to-nowhere", id=f.id, way=way, to=to)
    if [f.kind for f in fields].count("start") != 1:
        yield illegal.fault("start-field")
    if len(board.goals) != GOALS or sorted(f.up for f in fields if f.kind == "chip") != sorted(board.goals):
        yield illegal.fault("goals", goals=GOALS)
    for f in fields:
        if not _goes_on(f):
            yield illegal.fault("decision-field-ways" if board.is_decision(f.id) else "field-ways", id=f.id)
    for f in fields:
        yield from _one_way(board, f)
    for f in fields:
        for way in ("left", "right", "up") if board.is_junction(f.id) else ():
            if getattr(f, way) and board.is_junction(to := board.run(f.id, way, len(fields)).at):
                yield illegal.fault("no-decision-field", id=f.id, to=to)
    for f in fields:
        if f.kind == "star" and not board.is_decision(board.run(f.id, "up", len(fields)).at):
            yield illegal.fault("star-field", id=f.id)
    lost = len(fields) - len(_reached(board))
    if lost:
        yield illegal.fault("unreachable", lost=lost, start=board.start)
    for settled in (False, True):
        if throws_home(terms, settled) * pieces_each(terms) * terms.seats > MOST_THROWS:
            yield illegal.fault("too-many-turns")


def _goes_on(f: Field) -> bool:
    """Can a piece go on from this field, wherever it came from?"""
    match f.kind:
        case "start":
            return bool(f.left and f.right and not f.up and not f.down)
        case "question" | "head":
            return bool(f.left and f.right and f.down and not f.up)
        case "goal":
            return not _ways(f)
        case "star" | "chip":
            return bool(f.up and f.down and not f.left and not f.right)
        case _:
            lane = f.left or f.right
            return bool(lane) != bool(f.down) if f.up else bool(f.left and f.right and not f.down)


def _one_way(board: Board, f: Field) -> Iterator[Reason]:
    """Every way leads back too, except those from a chip field to its goal and those down to the start field."""
    for way, to in _ways(f).items():
        there = board.fields[to]
        if f.kind == "start":
            fine = there.down == f.id and not board.is_decision(to)
        elif to == board.start:
            fine = way == "down"
        elif there.kind == "goal":
            fine = f.kind == "chip" and way == "up"
        else:
            fine = getattr(there, BACK[way]) == f.id
        if not fine:
            yield illegal.fault("one-way", id=f.id, way=way, to=to)


def _reached(board: Board) -> set[str]:
    """All fields to which ways lead from the start field."""
    reached, found = {board.start}, [board.start]
    while found:
        new = {to for at in found for to in _ways(board.fields[at]).values()} - reached
        reached |= new
        found = sorted(new)
    return reached


def _ways(field: Field) -> dict[Heading, str]:
    return {way: to for way in WAYS if (to := getattr(field, way))}
