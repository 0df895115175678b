"""A game under test: the ways to play it, and the random games that the checks inspect."""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import msgspec
from msgspec import inspect

from referee import games
from referee.crypto.codec import encode, read
from referee.engine.table import make_terms
from referee.errors import IllegalMove
from referee.forms import Choice, any_move, drawn
from referee.game import LINK, Ask, Game, Seen, Terms
from referee.testing.sandbox import Sandbox
from referee.testing.values import WORDS, some_value, texts_in

NAMES = ("Anna", "W" * 40, "漢" * 40, "é ß", "Ö", "i", "J", "K", "Lena", "M", "N", "O", "P", "Q", "R", "Zoë")
MOST = 2_048
"""Steps of a game; 2,048 rounds can hold more, because steps of seats that are out share an entry."""
MOST_FLIPS = 6


class Setup(NamedTuple):
    """One way to play: seats, options other than the default, and how the seats behave."""

    seats: int
    options: tuple[tuple[str, object], ...] = ()
    bot: str = "random"
    late: float = 0.0
    """How often a seat misses a deadline."""
    out: tuple[int, ...] = ()
    """Seats that are out for good after the first questions."""
    words: bool = False
    """Whether seats give standing orders, both sensible and random ones."""

    def __str__(self) -> str:
        chosen = "".join(f", {name}={value}" for name, value in self.options)
        behave = f", {self.late:.0%} late" if self.late else ""
        said = ", standing orders" if self.words else ""
        gone = f", out for good: {', '.join(f'seat {seat + 1}' for seat in self.out)}" if self.out else ""
        return f"{self.seats} seats{chosen}, {self.bot} bots{behave}{said}{gone}"


class Snapshot(NamedTuple):
    """A point of a random game, and the answers that were given there (None: a missed deadline)."""

    way: Setup
    at: Sandbox
    answers: dict[int, object]
    words: dict[int, object]
    """Standing orders that came with the answers."""

    @property
    def asks(self) -> list[Ask]:
        """The decisions that are asked for."""
        return [ask for ask in self.at.pending if ask.what != LINK]

    def __str__(self) -> str:
        return f"{self.way}, round {self.at.number}"


class Question(NamedTuple):
    """A decision at a moment of a random game, and what the seat that is asked sees."""

    game: Game
    moment: Snapshot
    ask: Ask
    view: Seen[Any]

    def __str__(self) -> str:
        return str(self.moment)

    def legal(self) -> list[Choice]:
        return list(self.game.legal(self.moment.at.terms, self.view))

    def check(self, move: object) -> None:
        self.game.check(self.moment.at.terms, self.view, move)

    def apply(self, move: object) -> None:
        """Close the round with this answer and those of the other seats, in a copy of the game."""
        self.moment.at.fork().answer(self.moment.answers | {self.ask.seat: move}, check=False)

    def some_move(self, rng: random.Random) -> Any:
        """A random legal move."""
        return any_move(self.legal(), self.game.move, rng.randrange)


class Play(NamedTuple):
    """A random game as far as it went; `failure` says why it stopped before its end."""

    way: Setup
    moments: list[Snapshot]
    failure: str


class Subject:
    """A game under test, by its id."""

    def __init__(self, game_id: str, *, most: int = 12, quick: bool = False) -> None:
        self.game_id = game_id
        self.most = min(most, 4) if quick else most
        """Random games to play."""
        self.quick = quick
        """Whether the checks take small samples, for an answer within seconds."""
        self.game: Game = games.load(game_id)

    def sample(self, most: int) -> int:
        """The size of a sample: a fifth of it is enough for a quick answer."""
        return max(most // 5, 1) if self.quick else most

    @cached_property
    def edition(self) -> object:
        return read(games.edition_bytes(self.game_id), self.game.edition, "edition")

    def terms(self, way: Setup) -> Terms[object, object]:
        return make_terms(self.game, way.seats, self.game.options(**dict(way.options)), self.edition)

    @cached_property
    def ways(self) -> list[Setup]:
        """Fewest and most seats, bots of both kinds, missed deadlines, seats that are out, each option once."""
        low, high = self.game.seats
        middle = (low + high + 1) // 2
        gone = tuple(range(1, low)) or (0,)
        said = self.game.standing is not None
        found = [
            Setup(low, late=0.1, words=said),
            Setup(high),
            Setup(middle, bot="sensible"),
            Setup(low, out=gone, words=said),
        ]
        found += [Setup((low, middle)[n % 2], one, late=0.05, words=said) for n, one in enumerate(self._flips())]
        return [*found, Setup(low, out=tuple(range(low)))][: self.most]

    def _flips(self) -> list[tuple[tuple[str, object], ...]]:
        """Each option with a value other than its default."""
        found: list[tuple[tuple[str, object], ...]] = []
        for field in inspect.type_info(self.game.options).fields:  # type: ignore[attr-defined]
            kind = field.type.type if isinstance(field.type, inspect.Metadata) else field.type
            if isinstance(kind, inspect.BoolType):
                found.append(((field.name, not field.default),))
            elif isinstance(kind, inspect.LiteralType):
                found += [((field.name, value),) for value in kind.values if value != field.default]
        return found[:MOST_FLIPS]

    @cached_property
    def words(self) -> list[str]:
        """Texts that could mean something in this game: faces, and the texts in legal moves and standing orders."""
        terms = self.terms(Setup(self.game.seats[0]))
        found = {face for faces in self.game.bags(terms).values() for face in faces}
        if self.game.standing is not None:
            found.update(texts_in(msgspec.to_builtins(self.game.standing.legal(terms, self.game.standing.words()))))
        moments = play(self, Setup(self.game.seats[0])).moments
        for moment in moments[:: 1 + len(moments) // 40]:
            for ask in moment.asks:
                for choice in self.game.legal(moment.at.terms, moment.at.seen(ask.seat)):
                    found.update(texts_in(msgspec.to_builtins(choice.move)))
        return [*WORDS, *sorted(found)]

    @cached_property
    def plays(self) -> list[Play]:
        """One random game for each way."""
        return [play(self, way) for way in self.ways]

    @property
    def all_moments(self) -> list[Snapshot]:
        """Every moment of the random games."""
        return [moment for game in self.plays for moment in game.moments]

    def questions(self, most: int, salt: str, each: int = 16) -> Iterator[Question]:
        """The decisions at some moments of the random games, at most `each` of a moment."""
        for moment in self.moments(most, salt):
            for ask in moment.asks[:each]:
                yield Question(self.game, moment, ask, moment.at.seen(ask.seat))

    def moments(self, most: int, salt: str = "", *, asked: bool = True) -> Iterator[Snapshot]:
        """Some moments of the random games, the last of each game among them; with `asked` those with decisions, and
        one at least for every question, however seldom it is asked."""
        rng = random.Random(f"{self.game_id} {salt}")
        found = [one for one in self.all_moments if one.asks or not asked]
        chosen = rng.sample(found, min(self.sample(most), len(found)))
        yield from [] if asked else [game.moments[-1] for game in self.plays if game.moments]
        yield from chosen
        there = {ask.what for one in chosen for ask in one.asks}
        for one in found if asked else ():
            if new := {ask.what for ask in one.asks} - there:
                there |= new
                yield one


def play(subject: Subject, way: Setup, most: int = MOST) -> Play:
    """Play one random game to its end, or say what went wrong."""
    game, rng = watched(subject.game), random.Random(f"{subject.game_id} {way}")
    moments: list[Snapshot] = []
    what = "setup"
    try:
        terms = subject.terms(way)
        fixed = encode(terms)
        at = Sandbox(game, terms, str(way), words=sample_orders(subject, way, terms, before_the_deal(way.seats), rng))
        for _ in range(most):
            here = Snapshot(way, at.fork(), {}, {})
            moments.append(here)
            if not at.pending:
                assert encode(terms) == fixed, "the rules changed their terms"
                return Play(way, moments, "")
            for ask in here.asks:
                what = f"bot `{way.bot}`"
                here.answers[ask.seat] = _answer(game, terms, at, ask, way, rng)
            missed = any(answer is None for answer in here.answers.values())
            what = "apply, with the answer None of a missed deadline," if missed else "apply"
            here.words.update(sample_orders(subject, way, terms, [at.seen(ask.seat) for ask in at.pending], rng))
            at.answer(here.answers, words=here.words)
    except AssertionError as error:
        return Play(way, moments, f"{way}, round {len(moments) + 1}: {error}")
    except Exception as error:
        return Play(way, moments, f"{way}, round {len(moments) + 1}: {what} failed: {type(error).__name__}: {error}")
    return Play(way, moments, f"{way}: no end after {most} rounds")


def _answer(game: Game, terms: Terms[object, object], at: Sandbox, ask: Ask, way: Setup, rng: random.Random) -> object:
    if rng.random() < way.late or (ask.seat in way.out and at.number > 2):
        return None
    move = game.bots[way.bot](terms, at.seen(ask.seat), rng.randrange)
    try:
        game.check(terms, at.seen(ask.seat), move)
    except IllegalMove as error:
        raise AssertionError(f"bot `{way.bot}` makes an illegal move, {move}: {error.message}") from None
    return move


def sample_orders(
    subject: Subject, way: Setup, terms: Terms[object, object], views: Iterable[Seen[object]], rng: random.Random
) -> dict[int, object]:
    """Standing orders that some seats give with their answers, from what they see; at the ack they see no position."""
    if not way.words:
        return {}
    orders = {view.seat: some_words(subject.game, terms, view, subject.words, rng) for view in views}
    return {seat: words for seat, words in orders.items() if words is not None}


def some_words(
    game: Game, terms: Terms[object, object], view: Seen[Any], texts: Sequence[str], rng: random.Random
) -> object:
    """Standing orders that a seat could give now: random, sensible, or as a bot is advised; mostly None."""
    standing = game.standing
    assert standing is not None
    match rng.randrange(16):
        case 0:
            return some_value(standing.words, rng, texts)
        case 1 | 2:
            orders = view.public.standing[view.seat] if view.public is not None else standing.words()
            choices = [*standing.legal(terms, orders), Choice("", orders)]
            return drawn(rng.choice(choices), standing.words, rng.randrange)
        case 3:
            return standing.advise(terms, view, "sensible")
    return None


def before_the_deal(seats: int) -> list[Seen[object]]:
    """What seats see when they send their acks."""
    return [Seen(seat, None, (), {}) for seat in range(seats)]


# --- functions change nothing that they are given --------------------------------------------------------------------

_WATCHED = ("validate", "bags", "setup", "apply", "check", "legal", "parse", "text", "tell", "render")


def watched(game: Game) -> Game:
    """The same game with functions that fail if they change their arguments."""
    changes: dict[str, object] = {name: _watch(name, getattr(game, name)) for name in _WATCHED}
    changes["bots"] = {name: _watch(f"bot {name}", bot) for name, bot in game.bots.items()}
    return msgspec.structs.replace(game, **changes)


def _watch(name: str, function: Callable[..., object]) -> Callable[..., object]:
    def call(*args: object) -> object:
        before = _written(args)
        try:
            return function(*args)
        finally:
            assert _written(args) == before, f"`{name}` changed what it was given"

    return call


def _written(args: Sequence[object]) -> list[bytes]:
    # Terms are long and the same in every call: `play` compares them once for each game.
    given = (one for one in args if not isinstance(one, Terms) and not callable(one) and not hasattr(one, "lay_out"))
    return [msgspec.json.encode(one) for one in given]
