"""Turns, throws and walking (LO-7 to LO-9, LO-11, LO-20)."""

from referee.errors import IllegalMove
from referee.game import note, ranked

from .graph import Board, Leg, pick
from .scratch import Scratch, Stage
from .tables import SIX, everybody_home, in_play, is_active, is_settled, legs_of, mover, opponents_on, uses
from .types import RESERVE, Ahead, Enter, Go, Public, Task, Way

TRIES = 3


def next_turn(s: Scratch) -> Stage:
    """LO-20: the next player who has a piece left; the end if nobody has."""
    s.set(task=None, throw=0)
    if everybody_home(s.board, s.public):
        finish(s)
        return None
    while True:
        s.set(turn=(s.seat + 1) % s.terms.seats)
        if not is_active(s.board, s.me):
            continue
        if not s.me.misses:
            return "turn"
        s.set_player(s.seat, misses=s.me.misses - 1)
        s.say("misses")


def finish(s: Scratch) -> None:
    """LO-20: most points win, ties share."""
    s.result = ranked([(player.points,) for player in s.public.players])
    winners = [seat for seat, rank in enumerate(s.result.ranks) if rank == 1]
    s.log.append(note("end", winners=winners, points=s.public.players[winners[0]].points))


def begin_turn(s: Scratch) -> Stage:
    """LO-7: who has no piece in play gets up to three throws for a 6; everybody else throws once."""
    s.set(turns=s.public.turns + 1)
    if any(in_play(s.board, piece) for piece in s.me.pieces):
        return "throw"
    thrown: list[int] = []
    while len(thrown) < TRIES and SIX not in thrown:
        thrown.append(s.draws.die(6))
    s.say("throws for a 6", dice=thrown)
    return enter(s, Enter()) if SIX in thrown else "next"


def throw(s: Scratch) -> Stage:
    """LO-8: the black die, for any piece that can use it."""
    s.set(task=None, throw=s.draws.die(6))
    found = uses(s.board, s.public, s.seat)
    if not found:
        s.say("throws in vain", number=s.public.throw)
        return "next"
    s.say("throws", number=s.public.throw)
    if len(found) == 1:
        return use(s, found[0])
    s.ask("piece")
    return None


def use(s: Scratch, move: Go | Enter) -> Stage:
    """The throw is used for one piece."""
    if isinstance(move, Enter):
        return enter(s, move)
    steps, leg = s.public.throw, pick(legs_of(s.board, s.public, s.me.pieces[move.piece]), move.way)
    assert leg is not None
    s.set(task=Task(move.piece, steps, move.success, move.failure, move.opponent, move.attempt), throw=0)
    return walk(s, leg)


def enter(s: Scratch, move: Enter) -> Stage:
    """LO-7, LO-8: a piece is set on the start field, and the black die is thrown again for it."""
    number = next(number for number, piece in enumerate(s.me.pieces) if piece.at == RESERVE)
    s.move(s.seat, number, s.board.start)
    steps = s.draws.die(6)
    s.set(task=Task(number, steps, opponent=move.opponent, attempt=move.attempt), throw=0)
    s.say("enters", at=s.board.start, number=steps)
    return "decide"


def walk(s: Scratch, leg: Leg) -> Stage:
    """LO-9: a leg leads to the end of the move, or to a decision field where it is interrupted."""
    origin = s.piece.at
    s.side = leg.side
    if origin != leg.at:
        s.say("moves", start=origin, end=leg.at)
    s.move_and_beat(leg.at, leg.rest)
    s.set_task(steps=leg.left, leaving=None)
    return "decide" if leg.left else "land"


def leave(s: Scratch) -> Stage:
    """LO-11: the direction is found; choose at the junction, unless the way was named or there is only one."""
    legs = legs_after(s.board, s.public)
    if not legs:
        s.say("stays", way=s.task.leaving, at=s.piece.at)
        return "next"
    good, _ = s.board.directions(s.piece.at, s.piece.heading, is_settled(s.public))
    leg = pick(legs, s.task.success if s.task.leaving == good else s.task.failure) or pick(legs, None)
    if leg is None:
        s.ask("way")
        return None
    return go_on(s, leg)


def go_on(s: Scratch, leg: Leg) -> Stage:
    """Leave a decision field; what was said in advance holds only for this one."""
    s.set_task(success=None, failure=None)
    return walk(s, leg)


def legs_after(board: Board, public: Public) -> dict[Way | None, Leg]:
    """The legs from the decision field in the direction that was found."""
    task = public.task
    assert task is not None
    assert task.leaving is not None
    return board.legs(public.players[public.turn].pieces[task.piece].at, task.leaving, task.steps, is_settled(public))


# --- what may be answered ---------------------------------------------------------------------------------------------


def check_use(board: Board, public: Public, seat: int, move: Go | Enter, asks_attempt: bool) -> None:
    """LO-8, LO-11, LO-17: the piece can use the throw, and what is said in advance makes sense."""
    if isinstance(move, Enter):
        if not any(isinstance(found, Enter) for found in uses(board, public, seat)):
            raise IllegalMove("LO-8", "only a 6 brings in a piece from the reserve", "move a piece in play")
        _check_said(board, public, board.start, move, asks_attempt)
        return
    pieces = public.players[seat].pieces
    if move.piece >= len(pieces) or not in_play(board, pieces[move.piece]):
        raise IllegalMove("LO-8", "you have no such piece in play", "name one of your pieces in play")
    legs = legs_of(board, public, pieces[move.piece])
    if not legs:
        raise IllegalMove("LO-17", "that piece would overshoot its goal", "use the throw for another piece")
    leg = pick(legs, move.way)
    if leg is None:
        raise _no_such_way(legs)
    _check_ahead(board, public, leg, move)
    _check_said(board, public, leg.at if leg.left else "", move, asks_attempt)


def _check_said(board: Board, public: Public, at: str, move: Go | Enter, asks_attempt: bool) -> None:
    """What is said in advance about the decision field to which the move leads, if there is one."""
    if move.opponent is not None and not (at and move.opponent in opponents_on(board, public, at)):
        raise IllegalMove("LO-15", "that player is no opponent of this piece", "name no opponent")
    if move.attempt is not None and not (at and asks_attempt):
        raise IllegalMove("LO-22", "nobody asks whether this piece tries for success", "leave that out")


def check_next(board: Board, public: Public, move: Ahead) -> None:
    """The ways named on a decision field are ways that the piece can take from there."""
    _check_ahead(board, public, mover(public), move)


def _check_ahead(board: Board, public: Public, leg: Leg, move: Ahead) -> None:
    """The ways named in advance are ways that the piece can take after the decision to which a leg leads."""
    good: dict[Way | None, Leg] = {}
    bad: dict[Way | None, Leg] = {}
    if leg.left:
        good, bad = board.cases(*leg[:3], is_settled(public))
    for case, named, legs in (("success", move.success, good), ("failure", move.failure, bad)):
        if named is not None and named not in legs:
            raise IllegalMove("LO-11", f"after {case} that piece cannot go {named}", f"name no way for {case}")


def check_way(board: Board, public: Public, way: Way) -> None:
    """LO-11: a way that the junction offers."""
    legs = legs_after(board, public)
    if way not in legs:
        raise _no_such_way(legs)


def _no_such_way(legs: dict[Way | None, Leg]) -> IllegalMove:
    ways = [way for way in legs if way]
    if not ways:
        return IllegalMove("LO-11", "no junction lies on the way of that piece", "name no way")
    return IllegalMove("LO-11", f"at the junction that piece can go {' or '.join(ways)}", "name one of these ways")
