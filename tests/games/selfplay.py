"""Whole games among bots who give the standing orders that cost them nothing, as they do in games by mail."""

import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from referee import games
from referee.game import LINK, AnySeen, AnyTerms, Below, Game, Note, Seat, Seen, Step, Terms
from tests.support.plain import PlainDraws, bared, seen

Bot = Callable[[AnyTerms, AnySeen, Below], Any]

WORD = re.compile(r"[a-z]+(-[a-z0-9]+)*")
"""What a text in the story must look like to be counted: the name of a card or a kind, not that of a field."""
FEW = 9
"""A field of a move with more values than this is not counted by its values."""


class Played(NamedTuple):
    """How a game ended, its story, and what was counted on the way."""

    step: Step
    story: list[Note]
    counts: Counter[str]
    """`rounds`, `answers`, `asked WHAT`, `move TYPE`, `move TYPE.FIELD VALUE` where a field has few values, every word
    of the story, and `NOTE VALUE` for the names in it."""
    start: Seat
    """Who begins."""

    @property
    def winners(self) -> list[Seat]:
        """The seats that share the first place."""
        assert self.step.result is not None
        return [seat for seat, rank in enumerate(self.step.result.ranks) if rank == 1]

    def share(self, seat: Seat) -> float:
        """What part of the win a seat has."""
        return (seat in self.winners) / len(self.winners)


def load(game_id: str) -> Game:
    """A game by its id, or by the module that has it."""
    game = import_module(game_id).GAME if "." in game_id else games.load(game_id)
    assert isinstance(game, Game)
    return game


def terms_of(game_id: str, seats: int, **options: object) -> AnyTerms:
    """A game with its default options, except for these, for this number of players."""
    game = load(game_id)
    edition = b"{}" if "." in game_id else games.edition_bytes(game_id)
    return Terms(seats, game.options(**options), msgspec.json.decode(edition, type=game.edition))


def play(game: Game, terms: AnyTerms, bots: Sequence[str | Bot], seed: str, *, words: bool = True) -> Played:
    """A game with one bot for each seat: a name, or a function, which gives no standing orders. Without `words`, nobody
    gives any."""
    rng, counts = random.Random(seed), Counter[str]()
    draws = PlainDraws(game.bags(terms), rng, hands=game.hands)
    moved = [game.bots[bot] if isinstance(bot, str) else bot for bot in bots]
    told = [bot if words and isinstance(bot, str) else None for bot in bots]
    said: list[Any] = []
    if game.standing:
        nothing = game.standing.words()
        said = [_said(game, terms, Seen(seat, None, (), {}), bot, nothing) for seat, bot in enumerate(told)]
    step = game.setup(terms, draws, *((tuple(said),) if said else ()))
    start, story = _starter(step), [*step.log]
    while step.pending:
        counts["rounds"] += 1
        moves: dict[Seat, Any] = {}
        for ask in step.pending:
            view = seen(step, draws, ask.seat)
            counts.update(("answers", f"asked {ask.what}"))
            if ask.what != LINK:
                moves[ask.seat] = moved[ask.seat](terms, view, rng.randrange)
                counts.update(_of_move(moves[ask.seat]))
            if said:
                said[ask.seat] = _said(game, terms, view, told[ask.seat], said[ask.seat])
        draws.next_step(moves)
        answers = {ask.seat: bared(game, ask, moves.get(ask.seat)) for ask in step.pending}
        public = replace(step.public, standing=tuple(said)) if said else step.public
        step = game.apply(terms, public, step.pending, answers, draws)
        story += step.log
    counts.update(_of_story(story))
    return Played(step, story, counts, start)


def _said(game: Game, terms: AnyTerms, view: Seen[Any], bot: str | None, before: Any) -> Any:
    """The standing orders of a seat after an answer."""
    assert game.standing is not None
    return (game.standing.advise(terms, view, bot) if bot else None) or before


def _starter(step: Step) -> Seat:
    """Who begins: the position says it, or whoever is asked first."""
    found = getattr(step.public, "start", getattr(step.public, "turn", None))
    return found if isinstance(found, int) else step.pending[0].seat


# --- what is counted --------------------------------------------------------------------------------------------------


def _of_story(story: Iterable[Note]) -> Iterator[str]:
    for note in story:
        yield note.what
        names = dict.fromkeys(value for value in note.values.values() if isinstance(value, str))
        yield from (f"{note.what} {name}" for name in names if WORD.fullmatch(name))


def _of_move(move: Any) -> Iterator[str]:
    """The move, the values of its fields that have few, and the moves in it."""
    kind = type(move)
    tag = kind.__struct_config__.tag or kind.__name__.lower()
    yield f"move {tag}"
    for field in kind.__struct_fields__:
        value = getattr(move, field)
        if isinstance(value, msgspec.Struct):
            if value.__struct_config__.tag:
                yield from _of_move(value)
        elif value is None or isinstance(value, bool):
            yield f"move {tag}.{field} {str(value).lower()}"
        elif field in _listed(kind):
            yield f"move {tag}.{field} {value}"


@cache
def _listed(kind: type) -> dict[str, tuple[str, ...]]:
    """The fields of a move whose values are a short list, with that list."""
    found = {}
    for field in msgspec.structs.fields(kind):
        types = getattr(one := msgspec.inspect.type_info(field.type), "types", (one,))
        values = next((one.values for one in types if isinstance(one, msgspec.inspect.LiteralType)), ())
        if 0 < len(values) <= FEW:
            found[field.name] = tuple(map(str, values))
    return found


def possible(game: Game) -> list[str]:
    """The counters of all moves that the game has, and of their values."""
    info = msgspec.inspect.type_info(game.move)
    found = []
    for one in getattr(info, "types", (info,)):
        name = f"move {one.tag or one.cls.__name__.lower()}"
        found.append(name)
        for field in one.fields:
            values = _listed(one.cls).get(field.name, ())
            if isinstance(field.type, msgspec.inspect.BoolType):
                values = ("true", "false")
            found += [f"{name}.{field.encode_name} {value}" for value in values]
    return found
