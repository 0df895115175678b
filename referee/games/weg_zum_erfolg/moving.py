"""Turns, throws and walking (LO-7 to LO-9, LO-11, LO-20)."""

from referee.errors import IllegalMove
from referee.game import LINK, note, ranked

from .graph import Board, Leg, Legs, pick, ways
from .lookups import SIX, is_active, is_settled, legs_of, mover, opponents_on, uses
from .scratch import Scratch, Stage
from .types import RESERVE, Ahead, Deal, Enter, Go, Heading, Position, Task, Wait, Way, illegal

TRIES = 3
UNASKED = 12
"""This many turns in a row may pass without a question; then the next player sends a fresh link (LO-27)."""


def next_turn(s: Scratch) -> Stage:
    """LO-20: the next player who has a piece left; the game ends if nobody has."""
    s.task, s.throw, players, seats = None, 0, s.players, s.terms.seats
    waited = 0
    while waited < seats:
        s.turn, waited = (s.turn + 1) % seats, waited + 1
        if not is_active(s.board, players[s.turn]):
            continue
        if not players[s.turn].misses:
            break
        waited = 0
        s.set_player(s.turn, misses=players[s.turn].misses - 1)
        s.say("misses")
    else:
        finish(s)
        return None
    if s.unasked < UNASKED:
        return "turn"
    s.ask(LINK)
    return None


def finish(s: Scratch) -> None:
    """LO-20: the most points win; players who tie share the win."""
    s.result = ranked([(player.points,) for player in s.players])
    winners = [seat for seat, rank in enumerate(s.result.ranks) if rank == 1]
    s.log.append(note("end", winners=winners, points=s.players[winners[0]].points))


def begin_turn(s: Scratch) -> Stage:
    """LO-7: a player with no piece in play gets up to three throws for a 6; everybody else throws once."""
    s.turns += 1
    s.unasked += 1
    if not s.board.in_play.isdisjoint([piece.at for piece in s.me.pieces]):
        return throw(s)
    thrown: list[int] = []
    while len(thrown) < TRIES and SIX not in thrown:
        thrown.append(s.draws.die(6))
    s.say("throws for a 6", dice=thrown)
    if SIX not in thrown:
        return "next"
    s.throw = SIX
    return offer(s)


def throw(s: Scratch) -> Stage:
    """LO-8: the black die, for any piece that can use it."""
    s.task, s.throw = None, s.draws.die(6)
    if not uses(s.terms, s, s.turn):
        s.say("throws in vain", number=s.throw)
        return "next"
    s.say("throws", number=s.throw)
    return offer(s)


def offer(s: Scratch) -> Stage:
    """The only use of the throw, or the player's choice."""
    found = uses(s.terms, s, s.turn)
    if len(found) == 1:
        return use(s, found[0])
    s.ask("piece")
    return None


def use(s: Scratch, move: Go | Enter | Wait) -> Stage:
    """The throw is used for one piece."""
    if isinstance(move, Wait):
        s.say("waits")
        return "next"
    if isinstance(move, Enter):
        return enter(s, move)
    leg = pick(legs_of(s.board, s, s.me.pieces[move.piece]), move.way)
    assert leg is not None
    s.task = Task(move.piece, leg.left, move.success, move.failure, move.opponent, move.attempt)
    s.throw = 0
    return walk(s, leg)


def enter(s: Scratch, move: Enter) -> Stage:
    """LO-7, LO-8: a piece is put on the start field, and the black die is thrown again for it."""
    number = next(number for number, piece in enumerate(s.me.pieces) if piece.at == RESERVE)
    s.move(s.turn, number, s.board.start)
    steps = s.draws.die(6)
    s.task, s.throw = Task(number, steps, opponent=move.opponent, attempt=move.attempt), 0
    s.say("enters", at=s.board.start, number=steps)
    return "decide"


def walk(s: Scratch, leg: Leg) -> Stage:
    """LO-9: a leg leads to the end of the move, or to a decision field where it is interrupted."""
    origin = s.piece.at
    s.side = leg.side
    if origin != leg.at:
        s.say("moves", start=origin, end=leg.at)
        s.move_and_beat(leg.at, leg.rest)
    return "decide" if leg.left else "land"


def leave(s: Scratch, way: Heading, success: bool) -> Stage:
    """LO-11: the direction is known; choose at the junction, unless the way was named or there is only one."""
    task, at = s.doing, s.piece.at
    legs = s.board.legs(at, way, task.steps, is_settled(s))
    if not legs:
        s.say("stays", way=way, at=at)
        return "next"
    leg = pick(legs, task.success if success else task.failure) or pick(legs, None)
    if leg is None:
        s.task = Task(task.piece, task.steps, leaving=way)
        s.ask("way")
        return None
    return go_on(s, leg)


def go_on(s: Scratch, leg: Leg) -> Stage:
    """Leave a decision field; what was said in advance applies only to this one."""
    s.task = Task(s.doing.piece, leg.left)
    return walk(s, leg)


def legs_after(board: Board, public: Position) -> Legs:
    """The legs from the decision field in the direction it gave."""
    task = public.task
    assert task is not None
    assert task.leaving is not None
    return board.legs(mover(public).at, task.leaving, task.steps, is_settled(public))


# --- what may be answered ---------------------------------------------------------------------------------------------


def check_use(terms: Deal, public: Position, seat: int, move: Go | Enter | Wait) -> None:
    """LO-8, LO-11, LO-17: the piece can use the throw, and what is said in advance makes sense."""
    board, found = terms.edition.board, uses(terms, public, seat)
    if isinstance(move, Wait):
        if move not in found:
            raise illegal("LO-8", "no-wait")
        return
    if isinstance(move, Enter):
        if not any(isinstance(use, Enter) for use in found):
            raise illegal("LO-8", "no-six")
        leg = Leg(board.start, "up", 1)
    else:
        leg = _leg(board, public, seat, move)
        check_ahead(board, public, leg, move)
    if move.opponent is not None and move.opponent not in opponents_for(board, public, leg):
        raise illegal("LO-15", "no-choice-of-opponents")
    if move.attempt is not None and not (terms.options.neue_ziele and decides(board, public, leg)):
        raise illegal("LO-22", "no-attempt")


def _leg(board: Board, public: Position, seat: int, move: Go) -> Leg:
    """Where the piece goes first."""
    pieces = public.players[seat].pieces
    if move.piece >= len(pieces) or pieces[move.piece].at not in board.in_play:
        raise illegal("LO-8", "no-such-piece")
    if (first := pieces.index(pieces[move.piece])) != move.piece:
        raise illegal("LO-8", "same-piece", first=first + 1)
    legs = legs_of(board, public, pieces[move.piece])
    if not legs:
        raise illegal("LO-17", "overshoots")
    leg = legs.get(move.way) if len(legs) > 1 else pick(legs, None) if move.way is None else None
    if leg is None:
        raise _no_such_way(legs)
    return leg


def decides(board: Board, public: Position, leg: Leg) -> bool:
    """Does a leg lead to a decision field where something is to be decided?"""
    return bool(leg.left) and not board.turns_back(leg.at, leg.heading, is_settled(public))


def opponents_for(board: Board, public: Position, leg: Leg) -> tuple[int, ...]:
    """Whom a player can pick for a contest at the end of a leg: nobody unless there is a choice (LO-15)."""
    found = opponents_on(board, public, leg.at) if decides(board, public, leg) else ()
    return found if len(found) > 1 else ()


def ways_after(board: Board, public: Position, leg: Leg) -> tuple[tuple[Way, ...], tuple[Way, ...]]:
    """What can be named in advance: the ways at the junction after success, and after failure (LO-11)."""
    if not decides(board, public, leg):
        return (), ()
    good, bad = board.cases(*leg[:3], is_settled(public))
    return ways(good), ways(bad)


def check_ahead(board: Board, public: Position, leg: Leg, move: Ahead) -> None:
    """The ways named in advance are choices that the piece has after the decision to which a leg leads."""
    good, bad = ways_after(board, public, leg)
    for case, named, found in (("success", move.success, good), ("failure", move.failure, bad)):
        if named is not None and named not in found:
            raise illegal("LO-11", "no-way-after", case=case, named=named)


def check_way(board: Board, public: Position, way: Way) -> None:
    """LO-11: a way that the junction offers."""
    legs = legs_after(board, public)
    if way not in legs:
        raise _no_such_way(legs)


def _no_such_way(legs: Legs) -> IllegalMove:
    found = ways(legs)
    if not found:
        return illegal("LO-11", "no-choice-of-ways")
    return illegal("LO-11", "other-ways", found=found)
