"""What an edition must have before a game is played with it: a host may bring another board (LO-5)."""

from collections.abc import Iterator
from itertools import chain

from referee.errors import Usage
from referee.game import refuse

from .graph import BACK, Board
from .length import throws_home
from .tables import pieces_each
from .types import GOALS, OUT, RESERVE, Deal, Field, Heading

MOST_THROWS = 1000
"""By all pieces together, as far as that can be foreseen; twice as many do no harm."""
WAYS: tuple[Heading, ...] = ("left", "right", "up", "down")


def validate(terms: Deal) -> None:
    """Refuse an edition or options that no game can be played with."""
    if terms.options.neue_ziele and terms.options.zufallsziele:
        raise Usage("neue_ziele and zufallsziele exclude each other", "choose one of them")
    refuse(terms.edition.name, chain(_material(terms), _board(terms)))


def _material(terms: Deal) -> Iterator[str]:
    e = terms.edition
    if list(e.suit) != sorted(e.suit):
        yield "the cards of a suit ascend"
    for pile in (e.chance, e.success):
        if len({card.id for card in pile}) != len(pile) or not 1 <= sum(card.count for card in pile) <= 400:
            yield "a pile needs 1 to 400 cards, and every kind its own id"
    if 10 * sum(card.count for card in e.success if not card.again) < sum(card.count for card in e.success):
        yield "one success card in ten at least must let a piece stay"
    if all(card.effect in ("reserve", "back", "swap") for card in e.chance if card.count):
        yield "some chance card must let a piece stay or go on"


def _board(terms: Deal) -> Iterator[str]:
    """The faults of a board. Only the first is asked for, so that every check can rely on those before it."""
    fields, board = terms.edition.fields, terms.edition.board
    if len({*board.fields, RESERVE, OUT}) != len(fields) + 2:
        yield f"two fields have the same id, or one is called {RESERVE} or {OUT}"
    for f in fields:
        for way, to in _ways(f).items():
            if to not in board.fields:
                yield f"{f.id} leads {way} to {to}, which does not exist"
    if [f.kind for f in fields].count("start") != 1:
        yield "there must be one start field"
    if len(board.goals) != GOALS or sorted(f.up for f in fields if f.kind == "chip") != sorted(board.goals):
        yield f"there must be {GOALS} goals, each with one chip field below it"
    for f in fields:
        if not _goes_on(f):
            yield f"the {'decision ' if board.is_decision(f.id) else ''}field {f.id} lacks a way out, or has too many"
    for f in fields:
        yield from _one_way(board, f)
    for f in fields:
        for way in ("left", "right", "up") if board.is_junction(f.id) else ():
            if getattr(f, way) and board.is_junction(to := board.run(f.id, way, len(fields)).at):
                yield f"no decision field lies between the junctions {f.id} and {to}"
    for f in fields:
        if f.kind == "star" and not board.is_decision(board.run(f.id, "up", len(fields)).at):
            yield f"the star field {f.id} must lie below a decision field"
    lost = len(fields) - len(_reached(board))
    if lost:
        yield f"{lost} fields cannot be reached from {board.start}"
    for settled in (False, True):
        if throws_home(terms, settled) * pieces_each(terms) * terms.seats > MOST_THROWS:
            yield "a game would have too many turns: bring the goals nearer, or take fewer pieces or better cards"


def _goes_on(f: Field) -> bool:
    """Can whoever comes to this field go on, from wherever?"""
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


def _one_way(board: Board, f: Field) -> Iterator[str]:
    """Ways lead back, but for those from a chip field to its goal and those down to the start field."""
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
            yield f"the way {way} from {f.id} to {to} does not lead back, or must not lead there"


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
