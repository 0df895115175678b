"""Every legal move as data (`legal`), with a word on where each choice leads."""

from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec

from referee.forms import Choice, Free, Option, Pick, family
from referee.game import Seat, ask_of
from referee.games import as_typed
from referee.language import Catalogue, Wording, mark

from .arithmetic import LONGEST, evaluate, solve
from .board_map import drawn, map_places, piece_name
from .graph import Board, Leg, pick, ways
from .lookups import legs_of, mover, on_field, opponents_on, swap_targets, uses
from .moving import decides, legs_after, opponents_for, ways_after
from .types import (
    Deal,
    Enter,
    Go,
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
    Wait,
    Way,
)
from .words import text

t, w = Catalogue("referee.games.weg_zum_erfolg"), Wording("referee.games.weg_zum_erfolg")

SHORT = 12
"""The number of lines listed at first; the rest is minor."""
SOLUTIONS = 8
"""The number of expressions found at a head, for players who ask for a hint."""
EFFORT = 400
"""The effort of that search: a few thousandths of a second."""
KINDS = {
    mark("start"): t("start"),
    mark("small"): t("field"),
    mark("star"): t("star"),
    mark("question"): t('"?"'),
    mark("head"): t("head"),
    mark("chip"): t("chip field"),
    mark("goal"): t("goal"),
    "junction": t("junction"),
}
LATER = Option("say it later")


def legal(terms: Deal, seen: Sight) -> tuple[Choice, ...]:
    """What the seat may do. Pieces in the order of their numbers, opponents and pieces to swap with by seat, cards from
    the lowest, goals from the left; expressions with the fewest cards of the player's own first."""
    ask = ask_of(seen.pending, seen.seat)
    if ask is None or ask.what not in LISTS:
        return ()
    found = list(LISTS[ask.what](terms, seen))
    return tuple(msgspec.structs.replace(one, minor=True) if at >= SHORT else one for at, one in enumerate(found))


def field_called(level: str, kind: str) -> str:
    """`red head`."""
    return w("{level} {kind}", level=t(level), kind=KINDS[kind])


# --- the move that is being made --------------------------------------------------------------------------------------


def _pieces(terms: Deal, seen: Sight) -> Iterator[Choice]:
    board, public = terms.edition.board, seen.public
    found = uses(terms, public, seen.seat)
    for move in sorted((move for move in found if isinstance(move, Go)), key=lambda move: move.piece):
        leg = pick(legs_of(board, public, public.players[seen.seat].pieces[move.piece]), move.way)
        assert leg is not None
        parts = [*_said_parts(terms, public, leg), *_way_parts(board, public, leg)]
        at = (*_piece(terms, public, seen.seat, move.piece), *_field(terms, leg.at))
        yield _family(move, _leads(board, seen, leg), parts, at if len(at) > 1 else ())
    if Enter() in found:
        note = w("set a piece on {at} and throw again for it", at=board.start)
        yield _family(Enter(), note, _said_parts(terms, public, Leg(board.start, "up", 1)), _field(terms, board.start))
    if Wait() in found:
        yield _family(Wait(), w("the piece stays in the reserve"))


def _said_parts(terms: Deal, public: Public, leg: Leg) -> Iterator[Pick]:
    """What may be said in advance about the decision field to which a leg leads."""
    board = terms.edition.board
    if found := opponents_for(board, public, leg):
        options = (LATER, *(Option(f"against @{seat}", seat, at=f"player:{seat}") for seat in found))
        yield Pick("opponent", w("whom will you contest with?"), options)
    if terms.options.neue_ziele and decides(board, public, leg):
        yield Pick("attempt", w("will you try for success?"), (LATER, Option("try", True), Option("leave it", False)))


def _way_parts(board: Board, public: Public, leg: Leg) -> Iterator[Pick]:
    good, bad = ways_after(board, public, leg)
    yield from _way_part("success", w("which way at the junction after success?"), good)
    yield from _way_part("failure", w("which way at the junction after failure?"), bad)


def _way_part(name: str, ask: str, found: Sequence[Way]) -> Iterator[Pick]:
    if found:
        yield Pick(name, ask, (LATER, *(Option(way, way) for way in found)))


def _leads(board: Board, seen: Sight, leg: Leg) -> str:
    """Where a leg leads, and which pieces it beats."""
    field = board.fields[leg.at]
    values = {"at": leg.at, "field": field_called(field.level, field.kind)}
    if leg.left and decides(board, seen.public, leg):
        return w("to {at}, {field}, then {steps} more", steps=leg.left, **values)
    if leg.left:
        return w("to {at}, {field}, then {steps} more back the way it came", steps=leg.left, **values)
    here = on_field(seen.public, leg.at) if leg.at in board.single else ()
    if not here:
        return w("to {at}, {field}", **values)
    pieces = (
        w("your piece {number}", number=n + 1)
        if seat == seen.seat
        else w("@{seat}'s piece {number}", seat=seat, number=n + 1)
        for seat, n in here
    )
    return w("to {at}, {field}; beats {pieces}", pieces=", ".join(pieces), **values)


def _ways(terms: Deal, seen: Sight) -> Iterator[Choice]:
    board = terms.edition.board
    legs = legs_after(board, seen.public)
    return (_family(Turn(way), _leads(board, seen, legs[way]), (), _field(terms, legs[way].at)) for way in ways(legs))


def _opponents(terms: Deal, seen: Sight) -> Iterator[Choice]:
    board, public, here = terms.edition.board, seen.public, mover(seen.public)
    parts = [*_way_parts(board, public, here)]
    found = opponents_on(board, public, here.at)
    return (_family(Opponent(seat), w("one die each"), parts, (f"player:{seat}",)) for seat in found)


def _tries(terms: Deal, seen: Sight) -> Iterator[Choice]:
    parts = [*_way_parts(terms.edition.board, seen.public, mover(seen.public))]
    yield _family(Try(True), w("the usual test"), parts)
    yield _family(Try(False), w("as after a failure, without a test"), [one for one in parts if one.name == "failure"])


# --- cards ------------------------------------------------------------------------------------------------------------


def hand(seen: Sight) -> list[int]:
    """The values in hand, each once."""
    return sorted(set(seen.public.players[seen.seat].hand))


def _cards(seen: Sight, about: str, use: type[Intervene] | type[Lose], note: str = "") -> Choice:
    """One card of one's own."""
    found = hand(seen)
    part = Pick("card", w("which card?"), tuple(Option(str(card), card, at=f"card:{card}") for card in found))
    return family(w(about, cards=" | ".join(map(str, found))), use(card=found[0]), [part], note)


def _interventions(terms: Deal, seen: Sight) -> Iterator[Choice]:
    yield _family(Intervene(), w("you keep your cards"))
    yield _cards(seen, mark("intervene {cards}"), Intervene, w("the card leaves the game"))


def _losses(terms: Deal, seen: Sight) -> Iterator[Choice]:
    yield _cards(seen, mark("lose {cards}"), Lose)


def solutions(seen: Sight, limit: int = SOLUTIONS, effort: int = EFFORT) -> list[str]:
    """Some ways to make the target, those with the fewest cards of the player's own first."""
    task = seen.public.task
    if task is None:
        return []
    table = tuple(card.value for card in task.table)
    return solve(seen.public.players[seen.seat].hand, table, task.target, limit, effort)


def _solutions(terms: Deal, seen: Sight) -> Iterator[Choice]:
    task = seen.public.task
    assert task is not None
    found = solutions(seen)
    good, bad = ways_after(terms.edition.board, seen.public, mover(seen.public))
    table = ", ".join(str(card.value) for card in task.table)
    words = w("solve an expression that makes {target}", target=task.target)
    how = w("+ - * / and brackets; at least one card of yours, each used once")
    if table:
        hint = mark("+ - * / and brackets; at least one card of yours and all on the table ({table}), each used once")
        how = w(hint, table=table)
    free = Free("expression", w("an expression that makes {target}?", target=task.target), how, LONGEST)
    turn = w("which way at the junction then?")
    note = w("counts if nobody intervenes; {how}", how=how) if len(seen.pending) > 1 else how
    yield family(words, Solve(found[0] if found else None), (free, *_way_part("way", turn, good)), note)
    yield _family(Solve(), w("a failure, and you keep your cards"), _way_part("way", turn, bad))
    for expression in found:
        own = len(evaluate(expression).cards) - len(task.table)
        note = w("one card of yours") if own == 1 else w("{number} cards of yours", number=own)
        yield Choice(text(Solve(expression)), Solve(expression), note, minor=True)


# --- pieces and chips -------------------------------------------------------------------------------------------------


def _targets(terms: Deal, seen: Sight) -> Iterator[Choice]:
    board = terms.edition.board
    for seat, number in swap_targets(board, seen.public, seen.seat):
        field = board.fields[seen.public.players[seat].pieces[number].at]
        note = w("on {at}, {level}", at=field.id, level=w(field.level))
        yield _family(Target(seat, number), note, (), _piece(terms, seen.public, seat, number))


def _places(terms: Deal, seen: Sight) -> Iterator[Choice]:
    goals = terms.edition.board.goals
    found = [goal for goal, chip in enumerate(seen.public.chips) if chip is None]
    return (_family(Place(goal), at=_field(terms, goals[goal])) for goal in found)


def swaps(terms: Deal, seen: Sight) -> list[int | None]:
    """The goals whose chip can be exchanged for the one just scored; None: no exchange."""
    at = mover(seen.public).at
    return [None, *(number for number, goal in enumerate(terms.edition.board.goals) if goal != at)]


def _swaps(terms: Deal, seen: Sight) -> Iterator[Choice]:
    for goal in swaps(terms, seen):
        chip = seen.public.chips[goal] if goal is not None else None
        note = ""
        if chip is not None:
            note = w("face down") if chip.value is None else w("worth {value}", value=chip.value)
        at = () if goal is None else _field(terms, terms.edition.board.goals[goal])
        yield _family(SwapChip(goal), note, (), at)


# --- one line ---------------------------------------------------------------------------------------------------------


def _family(move: Move, note: str = "", parts: Iterable[Pick] = (), at: tuple[str, ...] = ()) -> Choice:
    """The move, and all that differ from it in what these parts add; `at`: what is clicked for it."""
    found = tuple(parts)
    if not found:
        return Choice(text(move), move, note, at=at)
    more = "".join(f"; {w('you may add `{words}`', words=_typed(part))}" for part in found)
    return family(text(move), move, found, note + more, at=at)


def _piece(terms: Deal, public: Public, seat: Seat, number: int) -> tuple[str, ...]:
    """The mark of a piece, if it can be told from others in the picture."""
    name = piece_name(seat, number)
    return (f"piece:{name}",) if name in drawn(terms, public) else ()


def _field(terms: Deal, at: str) -> tuple[str, ...]:
    """The mark of a field; of a board that the picture only lists, it has the goals alone."""
    return (f"field:{at}",) if at in terms.edition.board.goal_of or map_places(terms.edition.fields) else ()


def _typed(part: Pick) -> str:
    words = " | ".join(one.text for one in part.options if one is not LATER)
    return as_typed("weg-zum-erfolg", f"{part.name}: {words}" if part.name in ("success", "failure") else words)


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
