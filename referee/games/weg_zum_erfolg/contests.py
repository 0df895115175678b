"""Decision fields: which direction a piece takes (LO-10, LO-14 to LO-16, LO-19, LO-22)."""

from collections.abc import Mapping

from referee.game import Ask, note

from .arithmetic import evaluate, fewest, hopeless
from .graph import Board, ways
from .lookups import interveners, is_settled, mover, opponents_on, without
from .moving import check_ahead, leave
from .scratch import Scratch, Stage
from .types import Card, Intervene, Opponent, Player, Position, Solve, Try, illegal

TOGETHER: dict[str, tuple[str, ...]] = {"intervene": ("card",), "solve": ("expression", "way")}
"""What is sealed when the others and the mover are asked at the same time (LO-16)."""


def decide(s: Scratch) -> Stage:
    """Find the direction; in Neue Ziele, a player who does not try goes left or down without a test (LO-22)."""
    here, task = s.piece, s.doing
    good, bad = s.board.directions(here.at, here.heading, is_settled(s))
    if good == bad:
        s.say("turns back", at=here.at, way=good)
        return leave(s, good, True)
    is_head = s.board.fields[here.at].kind == "head"
    if is_head and not s.me.hand:
        s.say("has no card", at=here.at)
        return settle(s, False)
    if s.terms.options.neue_ziele:
        attempt = task.attempt if task.attempt is not None else s.standing[s.turn].attempt
        if attempt is None:
            s.ask("try")
            return None
        if not attempt:
            s.say("leaves it", at=here.at)
            return settle(s, False)
    return challenge(s) if is_head else question(s)


def settle(s: Scratch, success: bool) -> Stage:
    """LO-10: success or failure gives the direction."""
    here = s.piece
    way = s.board.directions(here.at, here.heading, is_settled(s))[0 if success else 1]
    s.say("succeeds" if success else "fails", way=way)
    return leave(s, way, success)


def question(s: Scratch) -> Stage:
    """LO-14, LO-15: a test against the level if the piece is alone, otherwise a contest."""
    here = s.board.fields[s.piece.at]
    found = opponents_on(s.board, s, here.id)
    opponent = s.doing.opponent if len(found) > 1 else next(iter(found), None)
    if opponent is not None:
        return contest(s, opponent)
    if found:
        s.ask("opponent")
        return None
    first, second = s.white_dice()
    needed = int(getattr(s.terms.edition.thresholds, here.level))
    s.say("question", dice=(first, second), at=here.id, needed=needed)
    return settle(s, first + second >= needed)


def contest(s: Scratch, opponent: int) -> Stage:
    """LO-15: one white die each until they differ; the opponent is not affected."""
    mine, theirs = s.white_dice()
    while mine == theirs:
        s.say("ties", other=opponent, number=mine)
        mine, theirs = s.white_dice()
    s.say("contests", at=s.piece.at, other=opponent, mine=mine, theirs=theirs)
    return settle(s, mine > theirs)


def challenge(s: Scratch) -> Stage:
    """LO-16: both white dice give the target; then the others may intervene, and the mover is asked with them."""
    if s.standing[s.turn].heads == 0:
        s.say("gives up")
        return settle(s, False)
    first, second = s.white_dice()
    s.set_task(target=first + second)
    s.say("head", dice=(first, second), at=s.piece.at)
    others = interveners(s.board, s)
    if not others:
        return "solve"
    asked = [(seat, "intervene") for seat in others]
    if _by_words(s) is None and not _is_hopeless(s):
        asked.append((s.turn, "solve"))
    s.asks = tuple(Ask(seat, what, TOGETHER[what]) for seat, what in asked)
    return None


def _by_words(s: Scratch) -> tuple[int, ...] | None:
    """LO-26: the cards that standing orders play without a question, if nobody intervened."""
    most = s.standing[s.turn].heads
    return None if most is None or s.doing.table else fewest(s.me.hand, s.doing.target, most)


def _is_hopeless(s: Scratch) -> bool:
    return hopeless(s.me.hand, [card.value for card in s.doing.table], s.doing.target)


def intervene(s: Scratch, answers: Mapping[int, Intervene]) -> Stage:
    """LO-16: all cards are shown together, and lie on the table."""
    for seat, move in answers.items():
        if move.card is not None:
            s.play_cards(seat, [move.card])
            s.set_task(table=(*s.doing.table, Card(seat, move.card)))
            s.log.append(note("intervenes", seat=seat, card=move.card))
    return "solve"


def ask_solution(s: Scratch) -> Stage:
    """LO-16: the mover is asked for cards, unless standing orders say which, or none can help."""
    if (own := _by_words(s)) is not None:
        return master(s, own)
    if _is_hopeless(s):
        s.say("cannot", target=s.doing.target)
        return settle(s, False)
    s.ask("solve")
    return None


def solve(s: Scratch, move: Solve) -> Stage:
    """LO-16: the expression, which has been checked, makes the target; its cards leave the game."""
    if move.expression is None:
        s.say("gives up")
        s.set_task(failure=move.way or s.doing.failure)
        return settle(s, False)
    s.set_task(success=move.way or s.doing.success)
    return master(s, without(evaluate(move.expression).cards, [card.value for card in s.doing.table]))


def master(s: Scratch, own: tuple[int, ...]) -> Stage:
    """These of the mover's own cards, with all those on the table, make the target."""
    s.play_cards(s.turn, own)
    s.say("solves", cards=own, target=s.doing.target)
    return settle(s, True)


# --- what may be answered ---------------------------------------------------------------------------------------------


def check_opponent(board: Board, public: Position, move: Opponent) -> None:
    """LO-15: somebody else who has a piece there."""
    if move.seat not in opponents_on(board, public, mover(public).at):
        raise illegal("LO-15", "no-opponent-there")
    check_ahead(board, public, mover(public), move)


def check_attempt(board: Board, public: Position, move: Try) -> None:
    """LO-22: a player who does not try cannot succeed."""
    if not move.attempt and move.success is not None:
        raise illegal("LO-22", "success-untried")
    check_ahead(board, public, mover(public), move)


def check_intervention(player: Player, move: Intervene) -> None:
    """LO-16: a card of one's own, or none."""
    if move.card is not None and move.card not in player.hand:
        raise illegal("LO-16", "no-card-to-intervene", card=move.card)


def check_solution(board: Board, public: Position, player: Player, move: Solve) -> None:
    """LO-16: at least one of the mover's own cards and all cards on the table make exactly the target."""
    if move.way is not None:
        cases = board.cases(*mover(public)[:3], is_settled(public))
        if move.way not in ways(cases[move.expression is None]):
            raise illegal("LO-11", "no-way-then", way=move.way)
    if move.expression is not None:
        _check_expression(public, player, move.expression)


def _check_expression(public: Position, player: Player, expression: str) -> None:
    task = public.task
    assert task is not None
    worth = evaluate(expression)
    own = list(worth.cards)
    for card in task.table:
        if card.value not in own:
            raise illegal("LO-16", "table-unused", value=card.value)
        own.remove(card.value)
    if not own:
        raise illegal("LO-16", "no-own-card")
    for value in own:
        if own.count(value) > player.hand.count(value):
            raise illegal("LO-16", "too-few-cards", value=value)
    if worth.value != task.target:
        raise illegal("LO-16", "other-result", expression=expression, value=str(worth.value), target=str(task.target))
