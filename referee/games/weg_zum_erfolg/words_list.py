"""The list of what is legal (`legal`), with a word on where each choice leads."""

from collections.abc import Callable, Iterator

from referee.forms import Choice
from referee.game import ask_of

from .arithmetic import evaluate, solve
from .graph import Board, Leg, pick
from .moving import legs_after
from .tables import is_settled, legs_of, mover, on_field, opponents_on, swap_targets, uses
from .types import (
    Deal,
    Enter,
    Intervene,
    Lose,
    Move,
    Opponent,
    Place,
    Public,
    Sight,
    Solve,
    SwapChip,
    Target,
    Try,
    Turn,
    Way,
)
from .words import asked, text

SOLUTIONS = 8
"""So many expressions are listed at a head."""
KINDS = {"start": "start", "small": "field", "star": "star", "question": '"?"', "head": "head"}
KINDS |= {"chip": "chip field", "goal": "goal"}


def legal(terms: Deal, seen: Sight) -> tuple[Choice, ...]:
    """What the seat may do. Not listed: what can be added to a move, and expressions beyond the first few."""
    ask = ask_of(seen.pending, seen.seat)
    return tuple(LISTS[asked(seen)](terms, seen)) if ask else ()


def _pieces(terms: Deal, seen: Sight) -> Iterator[Choice]:
    board, public = Board(terms.edition), seen.public
    for move in uses(board, public, seen.seat):
        if isinstance(move, Enter):
            note = f"set a piece on {board.start} and throw again for it"
            yield _choice(move, note + _may_say(terms, board, public, board.start))
            continue
        leg = pick(legs_of(board, public, public.players[seen.seat].pieces[move.piece]), move.way)
        assert leg is not None
        note = _leads(board, seen, leg)
        if leg.left:
            note += _may_say(terms, board, public, leg.at) + _ways_after(board, public, leg, "success", "failure")
        yield _choice(move, note)


def _may_say(terms: Deal, board: Board, public: Public, at: str) -> str:
    """What may be said in advance about a decision field."""
    found = opponents_on(board, public, at)
    note = _add(f"against {' | '.join(f'@{seat}' for seat in found)}") if len(found) > 1 else ""
    return note + (_add("try | leave it") if terms.options.neue_ziele else "")


def _leads(board: Board, seen: Sight, leg: Leg) -> str:
    """Where a leg leads, and whom it beats."""
    field = board.fields[leg.at]
    note = f"to {leg.at}, {field.level} {KINDS[field.kind]}"
    if leg.left:
        return f"{note}, then {leg.left} more"
    here = on_field(seen.public, leg.at) if field.kind in ("small", "star", "chip") else ()
    beaten = ", ".join(("your" if seat == seen.seat else f"@{seat}'s") + f" piece {n + 1}" for seat, n in here)
    return note + (f"; beats {beaten}" if beaten else "")


def ahead(board: Board, public: Public, leg: Leg) -> dict[str, list[Way]]:
    """Result of a decision -> the ways at the junction after it, where there is a choice (LO-11)."""
    good, bad = board.cases(leg.at, leg.heading, leg.left, is_settled(public))
    return {case: [way for way in legs if way] for case, legs in (("success", good), ("failure", bad)) if len(legs) > 1}


def _ways_after(board: Board, public: Public, leg: Leg, *cases: str) -> str:
    found = ahead(board, public, leg)
    return "".join(_add(f"{case}: {' | '.join(found[case])}") for case in cases if case in found)


def _add(words: str) -> str:
    return f"; you may add `{words}`"


def _ways(terms: Deal, seen: Sight) -> Iterator[Choice]:
    board = Board(terms.edition)
    for way, leg in legs_after(board, seen.public).items():
        if way is not None:
            yield _choice(Turn(way), _leads(board, seen, leg))


def _opponents(terms: Deal, seen: Sight) -> Iterator[Choice]:
    board, public, here = Board(terms.edition), seen.public, mover(seen.public)
    more = _ways_after(board, public, here, "success", "failure")
    return (_choice(Opponent(seat), "one die each" + more) for seat in opponents_on(board, public, here.at))


def _tries(terms: Deal, seen: Sight) -> Iterator[Choice]:
    board, public, here = Board(terms.edition), seen.public, mover(seen.public)
    yield _choice(Try(True), "the usual test" + _ways_after(board, public, here, "success", "failure"))
    yield _choice(Try(False), "as after a failure, without a test" + _ways_after(board, public, here, "failure"))


def hand(seen: Sight) -> list[int]:
    """The values in hand, each once."""
    return sorted(set(seen.public.players[seen.seat].hand))


def _interventions(terms: Deal, seen: Sight) -> Iterator[Choice]:
    yield _choice(Intervene())
    yield _choice(Intervene(standing=True), "until you say `ask me again` with another answer")
    for card in hand(seen):
        yield _choice(Intervene(card), "the card leaves the game")


def solutions(seen: Sight, limit: int = SOLUTIONS) -> list[str]:
    """Some ways to make the target, those with the fewest own cards first."""
    task = seen.public.task
    if task is None:
        return []
    table = tuple(card.value for card in task.table)
    return solve(seen.public.players[seen.seat].hand, table, task.target, limit)


def _solutions(terms: Deal, seen: Sight) -> Iterator[Choice]:
    board, public, here = Board(terms.edition), seen.public, mover(seen.public)
    table = len(public.task.table) if public.task else 0
    more = _ways_after(board, public, here, "success")
    for expression in solutions(seen):
        own = len(evaluate(expression).cards) - table
        yield _choice(Solve(expression), ("one card of yours" if own == 1 else f"{own} cards of yours") + more)
    yield _choice(
        Solve(),
        "counts as a failure, and you keep your cards; other right expressions are legal too"
        + _ways_after(board, public, here, "failure"),
    )


def _targets(terms: Deal, seen: Sight) -> Iterator[Choice]:
    board = Board(terms.edition)
    for seat, number in swap_targets(board, seen.public, seen.seat):
        field = board.fields[seen.public.players[seat].pieces[number].at]
        yield _choice(Target(seat, number), f"on {field.id}, {field.level}")


def _losses(terms: Deal, seen: Sight) -> Iterator[Choice]:
    return (_choice(Lose(card)) for card in hand(seen))


def _places(terms: Deal, seen: Sight) -> Iterator[Choice]:
    return (_choice(Place(goal)) for goal, chip in enumerate(seen.public.chips) if chip is None)


def swaps(terms: Deal, seen: Sight) -> list[int | None]:
    """The goals whose chip can be exchanged for the one just scored; None: no exchange."""
    at = mover(seen.public).at
    return [None, *(number for number, goal in enumerate(Board(terms.edition).goals) if goal != at)]


def _swaps(terms: Deal, seen: Sight) -> Iterator[Choice]:
    for goal in swaps(terms, seen):
        chip = seen.public.chips[goal] if goal is not None else None
        note = "" if chip is None else "face down" if chip.value is None else f"worth {chip.value}"
        yield _choice(SwapChip(goal), note)


def _choice(move: Move, note: str = "") -> Choice:
    return Choice(text(move), move, note)


LISTS: dict[str, Callable[[Deal, Sight], Iterator[Choice]]] = {
    "piece": _pieces,
    "way": _ways,
    "opponent": _opponents,
    "try": _tries,
    "intervene": _interventions,
    "solve": _solutions,
    "target": _targets,
    "lose": _losses,
    "place": _places,
    "swap chip": _swaps,
}
