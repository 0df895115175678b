"""The rules of Der Weg zum Erfolg: set-up, what may be answered, and what an answer or a missed deadline does."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from referee.game import LINK, Ask, Draws, Note, Step, ask_of, note

from .cards import (
    check_loss,
    check_place,
    check_swap_chip,
    check_target,
    land,
    lay_rest,
    lose,
    place,
    swap_chip,
    swap_with,
)
from .contests import (
    ask_solution,
    check_attempt,
    check_intervention,
    check_opponent,
    check_solution,
    contest,
    decide,
    intervene,
    solve,
)
from .graph import ways
from .lookups import chance_cards, mover, opponents_on, pieces_each, success_cards, swap_targets, uses
from .moving import begin_turn, check_use, check_way, go_on, legs_after, next_turn, throw, use
from .scratch import Scratch, Stage
from .types import (
    GOALS,
    RESERVE,
    Chip,
    Deal,
    Enter,
    Go,
    Intervene,
    Lose,
    Move,
    Opponent,
    Piece,
    Place,
    Player,
    Public,
    Sight,
    Solve,
    SwapChip,
    Target,
    Try,
    Turn,
    Wait,
    Words,
    illegal,
)

ANSWERS: dict[str, tuple[tuple[type[Move], ...], str]] = {
    "piece": ((Go, Enter, Wait), "LO-8"),
    "way": ((Turn,), "LO-11"),
    "opponent": ((Opponent,), "LO-15"),
    "try": ((Try,), "LO-22"),
    "intervene": ((Intervene,), "LO-16"),
    "solve": ((Solve,), "LO-16"),
    "target": ((Target,), "LO-6"),
    "lose": ((Lose,), "LO-6"),
    "place": ((Place,), "LO-22"),
    "swap chip": ((SwapChip,), "LO-21"),
}
"""Decision -> the kinds of move that answer it, and its clause."""

STAGES: dict[Stage, Callable[[Scratch], Stage]] = {
    "next": next_turn,
    "turn": begin_turn,
    "throw": throw,
    "decide": decide,
    "land": land,
    "solve": ask_solution,
}


# --- before the game --------------------------------------------------------------------------------------------------


def bags(terms: Deal) -> Mapping[str, Sequence[str]]:
    """LO-4: both piles; LO-22, LO-23: the chips that are laid face down."""
    piles = {"chance": chance_cards(terms), "success": success_cards(terms)}
    chips = tuple(map(str, terms.edition.chips))
    if terms.options.neue_ziele:
        return piles | {"chips": chips}
    return piles | {"chips": chips[1:-1]} if terms.options.zufallsziele else piles


def setup(terms: Deal, draws: Draws, words: tuple[Words, ...]) -> Step:
    """LO-2 to LO-4; LO-22 and LO-23 lay the chips differently."""
    options, e = terms.options, terms.edition
    player = Player((Piece(RESERVE, "up"),) * pieces_each(terms), e.suit, points=0, misses=0)
    chips: list[Chip | None] = [Chip(value, goal, None) for goal, value in enumerate(e.chips)]
    if options.neue_ziele:
        chips = [None] * GOALS
    if options.zufallsziele:
        chips[1:-1] = [None] * (GOALS - 2)
    log: list[Note] = []
    start = _starter(terms, draws, log)
    public = Public(
        players=(player,) * terms.seats,
        standing=words,
        start=start,
        turn=start,
        turns=0,
        home=0,
        throw=0,
        task=None,
        chips=tuple(chips),
        chance_pile=len(chance_cards(terms)),
        chance_under=(),
        success_pile=len(success_cards(terms)),
        success_under=(),
    )
    s = Scratch(terms, public, draws)
    s.log = log
    if options.neue_ziele:
        for seat in range(terms.seats):
            draws.deal("chips", 1, f"chip/{seat}")
        s.ask("place")
        return s.close()
    lay_rest(s)
    return _run(s, "turn")


def _starter(terms: Deal, draws: Draws, log: list[Note]) -> int:
    """LO-3: the highest sum of both white dice starts; players who tie throw again."""
    tied = list(range(terms.seats))
    while len(tied) > 1:
        sums = [draws.die(6) + draws.die(6) for _ in tied]
        log.append(note("start", throws=list(zip(tied, sums, strict=True))))
        tied = [seat for seat, n in zip(tied, sums, strict=True) if n == max(sums)]
    log.append(note("starts", seat=tied[0]))
    return tied[0]


# --- moves ------------------------------------------------------------------------------------------------------------


def check(terms: Deal, seen: Sight, move: Move) -> None:
    """Raise `IllegalMove` unless the move answers the question and keeps to the rules, which public facts show."""
    ask = ask_of(seen.pending, seen.seat)
    if ask is None:
        raise illegal("LO-3", "not-asked")
    _check_kind(ask, move)
    _check(terms, seen.public, seen.seat, move)


def _check_kind(ask: Ask, move: Move) -> None:
    kinds, clause = ANSWERS[ask.what]
    if not isinstance(move, kinds):
        raise illegal(clause, "other-answer", asked=ask.what)


def _check(terms: Deal, public: Public, seat: int, move: Move) -> None:
    board = terms.edition.board
    match move:
        case Go() | Enter() | Wait():
            check_use(terms, public, seat, move)
        case Turn():
            check_way(board, public, move.way)
        case Opponent():
            check_opponent(board, public, move)
        case Try():
            check_attempt(board, public, move)
        case Intervene():
            check_intervention(public.players[seat], move)
        case Solve():
            check_solution(board, public, public.players[seat], move)
        case Target():
            check_target(board, public, seat, move)
        case Lose():
            check_loss(public.players[seat], move)
        case Place():
            check_place(public, move)
        case SwapChip():
            check_swap_chip(board, public, move)


def apply(
    terms: Deal, public: Public, pending: tuple[Ask, ...], answers: Mapping[int, Move | None], draws: Draws
) -> Step:
    """Judge and play the answers, and continue to the next decision or the end."""
    s = Scratch(terms, public, draws)
    for ask in pending:
        move = answers[ask.seat]
        if move is not None:
            _check_kind(ask, move)
            if not ask.sealed:
                _check(terms, public, ask.seat, move)
    what = pending[0].what
    if what == LINK:
        return _run(s, "turn")
    if what == "intervene":
        return _run(s, _together(s, public, pending, answers))
    return _run(s, _play(s, answers[s.turn] or missed(s.terms, public, what)))


def _together(s: Scratch, public: Public, pending: tuple[Ask, ...], answers: Mapping[int, Move | None]) -> Stage:
    """LO-16: the cards of the others are shown, and if there are none, the mover's answer; otherwise it is void."""

    def shown(ask: Ask) -> Any:
        move = s.draws.unseal(ask.seat, *ask.sealed)
        _check(s.terms, public, ask.seat, move)
        return move

    others = [ask for ask in pending if ask.what == "intervene" and answers[ask.seat] is not None]
    stage = intervene(s, {ask.seat: shown(ask) for ask in others})
    mine = ask_of(pending, s.turn)
    if mine is None or s.doing.table:
        return stage
    return solve(s, shown(mine) if answers[s.turn] is not None else Solve())


def _play(s: Scratch, move: Move) -> Stage:
    """The one answer of the player whose turn it is; the ways it names replace those named before."""
    if isinstance(move, Opponent | Try):
        s.set_task(success=move.success or s.doing.success, failure=move.failure or s.doing.failure)
    match move:
        case Go() | Enter() | Wait():
            return use(s, move)
        case Turn():
            return go_on(s, legs_after(s.board, s)[move.way])
        case Opponent():
            return contest(s, move.seat)
        case Try():
            s.set_task(attempt=move.attempt)
            return "decide"
        case Solve():
            return solve(s, move)
        case Target():
            return swap_with(s, move)
        case Lose():
            return lose(s, move)
        case Place():
            return place(s, move)
        case SwapChip():
            return swap_chip(s, move)
        case Intervene():
            raise AssertionError("interventions are answered together")


def _run(s: Scratch, stage: Stage) -> Step:
    """From one stage to the next until somebody must decide or the game is over."""
    while stage is not None:
        stage = STAGES[stage](s)
    return s.close()


def missed(terms: Deal, public: Public, what: str) -> Move:
    """LO-24: what is played for a missed deadline: the first piece and way, no card, and a try for success."""
    board, seat = terms.edition.board, public.turn
    match what:
        case "piece":
            return uses(terms, public, seat)[0]
        case "way":
            return Turn(ways(legs_after(board, public))[0])
        case "opponent":
            return Opponent(opponents_on(board, public, mover(public).at)[0])
        case "try":
            return Try(True)
        case "solve":
            return Solve()
        case "target":
            return Target(*swap_targets(board, public, seat)[0])
        case "lose":
            return Lose(min(public.players[seat].hand))
        case "place":
            return Place(public.chips.index(None))
        case _:
            return SwapChip()
