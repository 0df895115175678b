"""What must happen in games of Der Weg zum Erfolg, and policies to try, for `tests.campaign`: each differs from
`sensible` in one habit."""

from collections.abc import Sequence

from referee.game import Below, ask_of
from referee.games.weg_zum_erfolg.bots import Mind, sensible_move
from referee.games.weg_zum_erfolg.lookups import uses
from referee.games.weg_zum_erfolg.types import LEVELS, Deal, Enter, Go, Intervene, Move, Sight, Solve, Wait
from tests.games.selfplay import Bot

CHANCE = (
    *("again", "back-1", "back-2", "back-3", "decision", "forward-1", "forward-2", "forward-3"),
    *("lose", "miss", "nothing", "reserve", "swap"),
)


def _found(terms: Deal, seen: Sight) -> Sequence[Move]:
    """What a throw can be used for; nothing, if something else is asked."""
    ask = ask_of(seen.pending, seen.seat)
    return uses(terms, seen.public, seen.seat) if ask is not None and ask.what == "piece" else ()


def holds_back(terms: Deal, seen: Sight, below: Below) -> Move:
    """Brings in no piece before four are home, if the offer gives it the choice."""
    found = _found(terms, seen)
    if Enter() not in found or Mind(terms, seen).settled:
        return sensible_move(terms, seen, below)
    return next((move for move in found if isinstance(move, Go | Wait)), Enter())


def enters_eagerly(terms: Deal, seen: Sight, below: Below) -> Move:
    """Brings in a piece whenever it can."""
    return Enter() if Enter() in _found(terms, seen) else sensible_move(terms, seen, below)


def _by_level(order: int) -> Bot:
    def bot(terms: Deal, seen: Sight, below: Below) -> Move:
        moves = [move for move in _found(terms, seen) if isinstance(move, Go)]
        if not moves:
            return sensible_move(terms, seen, below)
        mind, pieces = Mind(terms, seen), seen.public.players[seen.seat].pieces
        levels = [LEVELS.index(terms.edition.board.fields[pieces[move.piece].at].level) * order for move in moves]
        return mind.complete(moves[levels.index(max(levels))])

    return bot


def never_intervenes(terms: Deal, seen: Sight, below: Below) -> Move:
    """Keeps its cards for its own heads."""
    ask = ask_of(seen.pending, seen.seat)
    return Intervene() if ask is not None and ask.what == "intervene" else sensible_move(terms, seen, below)


def always_intervenes(terms: Deal, seen: Sight, below: Below) -> Move:
    """Plays its highest card against everybody."""
    ask = ask_of(seen.pending, seen.seat)
    if ask is None or ask.what != "intervene":
        return sensible_move(terms, seen, below)
    return Intervene(max(seen.public.players[seen.seat].hand))


def never_solves(terms: Deal, seen: Sight, below: Below) -> Move:
    """Gives up at every head, and has all cards for others."""
    ask = ask_of(seen.pending, seen.seat)
    return Solve() if ask is not None and ask.what == "solve" else sensible_move(terms, seen, below)


POLICIES: dict[str, Bot] = {
    "holds back": holds_back,
    "enters eagerly": enters_eagerly,
    "moves the first piece": _by_level(1),
    "moves the last piece": _by_level(-1),
    "never intervenes": never_intervenes,
    "always intervenes": always_intervenes,
    "never solves": never_solves,
}
EXPECTED: dict[str, float] = {
    "asked piece": 30,
    "asked way": 1,
    "asked solve": 5,
    "asked intervene": 40,
    "asked lose": 0.7,
    "asked target": 1,
    "move go": 30,
    "enters": 25,
    "beats": 8,
    "question": 40,
    "contests": 8,
    "ties": 1,
    "head": 30,
    "solves": 20,
    "cannot": 1,
    "intervenes": 10,
    "goes": 10,
    "misses": 1,
    "loses": 1,
    "swaps": 1,
    "home": 8,
    "out": 8,
    "throws for a 6": 30,
    "throws in vain": 5,
    "succeeds": 25,
    "fails down": 0.5,
    "fails left": 25,
    "success stay": 6,
    "success begin-again": 0.4,
    **{f"chance {card}": 0.4 for card in CHANCE},
}
"""Counter -> least mean number in a game with the most players."""

EXPECTED_WITH: dict[str, dict[str, float]] = {
    "reserve_leaves=true": {"out reserve": 4},
    "may_enter=true": {"asked piece": 40, "move enter": 2},
    "hinterlistig=true": {"asked swap chip": 3, "swaps chips": 2},
    "neue_ziele=true": {"asked place": 5, "lays": 5, "asked try": 8, "leaves it": 15, "move try.attempt false": 1},
    "zufallsziele=true": {"home": 6},
}
"""The same with another option."""

CLAUSES: dict[str, tuple[str, ...]] = {
    "LO-1": ("solves",),
    "LO-2": ("enters",),
    "LO-3": ("start",),
    "LO-4": ("success",),
    "LO-5": ("moves",),
    "LO-6": ("chance",),
    "LO-7": ("throws for a 6",),
    "LO-8": ("throws",),
    "LO-9": ("move way", "asked way"),
    "LO-10": ("fails down",),
    "LO-11": ("asked way",),
    "LO-12": ("beats",),
    "LO-13": ("contests",),
    "LO-14": ("question",),
    "LO-15": ("contests",),
    "LO-16": ("solves",),
    "LO-17": ("home",),
    "LO-18": ("out",),
    "LO-20": ("end",),
    "LO-27": ("asked link",),
}
"""Clause -> counters, each of which shows that it comes up."""

UNCOUNTED: dict[str, str] = {
    "LO-19": "a piece turns back once in a hundred games; the shortest way up is a move like any other",
    "LO-21": "an option: see EXPECTED_WITH",
    "LO-22": "an option: see EXPECTED_WITH",
    "LO-23": "an option: see EXPECTED_WITH",
    "LO-24": "bots miss no deadline",
    "LO-25": "standing orders ask nothing, and are not told",
    "LO-26": "standing orders ask nothing, and are not told",
    "LO-28": "a piece on S is told like one on any other field",
}
"""The other clauses, and why no counter shows them in games among bots."""
