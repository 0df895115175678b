"""Decision fields: which direction a piece takes (LO-10, LO-14 to LO-16, LO-22)."""

from collections.abc import Mapping

from referee.errors import IllegalMove
from referee.game import note

from .arithmetic import evaluate, hopeless
from .graph import Board
from .scratch import Scratch, Stage
from .tables import interveners, is_settled, opponents_on, without
from .types import Card, Intervene, Opponent, Player, Public, Solve


def decide(s: Scratch) -> Stage:
    """Find the direction; in Neue Ziele who does not try goes left or down without a test (LO-22)."""
    field = s.board.fields[s.piece.at]
    if field.kind == "head" and not s.me.hand:
        s.say("has no card", at=field.id)
        return settle(s, False)
    if s.terms.options.neue_ziele:
        if s.task.attempt is None:
            s.ask("try")
            return None
        if not s.task.attempt:
            s.say("leaves it", at=s.piece.at)
            return settle(s, False)
    return challenge(s) if field.kind == "head" else question(s)


def settle(s: Scratch, success: bool) -> Stage:
    """LO-10: success or failure gives the direction."""
    good, bad = s.board.directions(s.piece.at, s.piece.heading, is_settled(s.public))
    s.set_task(leaving=good if success else bad, opponent=None, attempt=None, target=0, table=())
    s.say("succeeds" if success else "fails", way=s.task.leaving)
    return "leave"


def question(s: Scratch) -> Stage:
    """LO-14, LO-15: alone against the level, otherwise a contest."""
    found = opponents_on(s.board, s.public, s.piece.at)
    opponent = s.task.opponent if len(found) > 1 else next(iter(found), None)
    if opponent is not None:
        return contest(s, opponent)
    if found:
        s.ask("opponent")
        return None
    first, second = s.white_dice()
    needed = int(getattr(s.terms.edition.thresholds, s.board.fields[s.piece.at].level))
    s.say("question", dice=(first, second), at=s.piece.at, needed=needed)
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
    """LO-16: both white dice give the target; then the others may intervene."""
    first, second = s.white_dice()
    s.set_task(target=first + second)
    s.say("head", dice=(first, second), at=s.piece.at)
    others = interveners(s.public)
    if not others:
        return "solve"
    s.ask("intervene", *others)
    return None


def intervene(s: Scratch, answers: Mapping[int, Intervene]) -> Stage:
    """LO-16: all cards are shown together, and lie on the table."""
    for seat, move in answers.items():
        if move.card is not None:
            s.play_cards(seat, [move.card])
            s.set_task(table=(*s.task.table, Card(seat, move.card)))
            s.log.append(note("intervenes", seat=seat, card=move.card))
    return "solve"


def ask_solution(s: Scratch) -> Stage:
    """LO-16: the mover plays cards or not, and is not asked where no card can help."""
    table = [card.value for card in s.task.table]
    if hopeless(s.me.hand, table, s.task.target):
        s.say("cannot", target=s.task.target)
        return settle(s, False)
    s.ask("solve")
    return None


def solve(s: Scratch, move: Solve) -> Stage:
    """LO-16: an expression that was checked makes the target; its cards leave the game."""
    if move.expression is None:
        s.say("gives up")
        return settle(s, False)
    worth = evaluate(move.expression)
    own = without(worth.cards, [card.value for card in s.task.table])
    s.play_cards(s.seat, own)
    s.say("solves", cards=own, target=s.task.target)
    return settle(s, True)


# --- what may be answered ---------------------------------------------------------------------------------------------


def check_opponent(board: Board, public: Public, at: str, move: Opponent) -> None:
    """LO-15: somebody else who has a piece there."""
    if move.seat not in opponents_on(board, public, at):
        raise IllegalMove("LO-15", "that player has no piece on the field", "name a player who has one there")


def check_intervention(player: Player, move: Intervene) -> None:
    """LO-16: a card of one's own, or none."""
    if move.card is not None and move.card not in player.hand:
        raise IllegalMove("LO-16", f"you have no card of value {move.card}", "name a card you have, or decline")


def check_solution(public: Public, player: Player, move: Solve) -> None:
    """LO-16: own cards, at least one, and all cards on the table make exactly the target."""
    task = public.task
    assert task is not None
    if move.expression is None:
        return
    worth, table = evaluate(move.expression), [card.value for card in task.table]
    own = list(worth.cards)
    for card in table:
        if card not in own:
            raise IllegalMove("LO-16", f"the {card} on the table is not used", "use every card on the table once")
        own.remove(card)
    if not own:
        raise IllegalMove("LO-16", "no card of your own is used", "use at least one, or give up")
    for card in set(own):
        if own.count(card) > player.hand.count(card):
            raise IllegalMove("LO-16", f"you have too few cards of value {card}", "use cards you have, or give up")
    if worth.value != task.target:
        raise IllegalMove("LO-16", f"that makes {worth.value}, not {task.target}", "mend the expression, or give up")
