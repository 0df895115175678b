"""The contract: what a game is. Read this first.

A game is a folder under `referee/games/` whose package exposes `GAME`, a record of plain functions over frozen
structs, beside an `edition.json` (numbers, tables, card lists) and a `RULES.md` (the clauses). It imports nothing
but `referee.game`, `referee.errors` and its own folder: no clock, no files, no randomness of its own.

Two ideas carry everything else:

* **Privacy is decided by where a field is declared.** A `Position` has a public part, one own part per seat and a
  hidden part. Whatever concerns one player's choice (`check`, `legal`, `fallback`, `parse`, `draw`, bots) is given a
  `Seen`: the public part and that seat's own part, nothing else. It cannot leak what it never gets.
* **A round is the set of decisions asked together.** `pending` says who decides; `apply` receives all answers of the
  round at once and runs on, through every throw and draw that needs no decision, until somebody must decide again.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

import msgspec

P = TypeVar("P")
O = TypeVar("O")  # noqa: E741
H = TypeVar("H")
Opt = TypeVar("Opt")
Ed = TypeVar("Ed")

Seat = int
"""Seats count from 0 in the order of play."""

ALL = -1
"""Audience of a draw: everybody sees the face."""
NOBODY = -2
"""Audience of a draw: the token stays face down for everybody."""

Below = Callable[[int], int]
"""A source of chance for bots: `below(n)` is an integer from 0 to n-1."""


class Terms(msgspec.Struct, Generic[Opt, Ed], frozen=True):
    """What the offer fixed for the whole game."""

    seats: int
    options: Opt
    edition: Ed


class Ask(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One decision that somebody must make now. Public: it must not depend on anything hidden.

    `what` names the decision in a word or two. `sealed` names the fields of the move that stay secret: the player signs
    a commitment to them, and they are shown only if the game says so (`Draws.show`).
    """

    seat: Seat
    what: str
    sealed: tuple[str, ...] = ()


class Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the game ended: one rank per seat (1 is best, ties share) and what it rests on, most significant first."""

    ranks: tuple[int, ...]
    scores: tuple[tuple[int, ...], ...]


class Position(msgspec.Struct, Generic[P, O, H], frozen=True):
    """A whole position. `pending` is empty exactly when there is a `result`."""

    public: P
    own: tuple[O, ...]
    hidden: H
    pending: tuple[Ask, ...]
    result: Result | None = None


class Seen(msgspec.Struct, Generic[P, O], frozen=True):
    """All that one seat may know of a position."""

    seat: Seat
    public: P
    own: O
    pending: tuple[Ask, ...]
    result: Result | None = None


class Step(msgspec.Struct, frozen=True):
    """What `setup` and `apply` return: the new position, and public lines telling what happened (`@2` is seat 2)."""

    position: Position[Any, Any, Any]
    log: tuple[str, ...] = ()


class Choice(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One legal move, or a family of them: `text` as a player would type it, `move` a legal example of it."""

    text: str
    move: Any
    note: str = ""


class Draws(Protocol):
    """The only randomness, and the only keeper of hidden tokens. Every call is recorded and can be audited.

    Tokens are strings (faces). A bag, a pile or a hidden hand is a named container. How many tokens are where is
    public; so number, kind and range of all calls must follow from public facts.
    """

    def die(self, sides: int, label: str) -> int:
        """Throw a die: 1 to `sides`."""

    def take(self, bag: str, count: int, to: int = ALL, into: str = "") -> tuple[str, ...]:
        """Take `count` random tokens out of `bag`; `to` (ALL, NOBODY or a seat) sees the faces.

        Named `into`, the tokens stay committed in that container; otherwise they leave the draws' care. A pile's tail
        (see `under`) is used, in order, when everything sealed is gone.
        """

    def put(self, bag: str, faces: Sequence[str]) -> None:
        """Put tokens openly into a bag, where they are as likely to be drawn as any other."""

    def under(self, bag: str, faces: Sequence[str]) -> None:
        """Put tokens openly under a pile, in this order."""

    def open(self, bag: str, faces: Sequence[str]) -> None:
        """Show these tokens of a hand to everybody and take them out of it."""

    def seal(self, bag: str, faces: Sequence[str], owner: int = NOBODY) -> None:
        """Replace the whole content of a container by these tokens, freshly shuffled; `owner` sees which is which."""

    def count(self, bag: str) -> int:
        """How many tokens a container holds (0 if it does not exist)."""

    def contents(self, bag: str) -> tuple[str, ...]:
        """The hidden content of a container, sorted: for rules that depend on it, never for anything public."""

    def show(self, seat: Seat) -> None:
        """Show everybody the sealed fields of this seat's answer in this round."""


class Paint(Protocol):
    """How `draw` colours text: returns `text` with the named style, or unchanged where colour is off."""

    def __call__(self, text: str, style: str) -> str: ...


class Game(msgspec.Struct, frozen=True, kw_only=True):
    """One game. The types of the fields come first, then the functions; all functions are pure."""

    title: str
    rules: str
    """Version of the rules: changes whenever the same moves could lead to another position."""
    seats: tuple[int, int]
    options: type[Any]
    """Struct whose fields all have defaults."""
    edition: type[Any]
    """Struct that `edition.json` decodes into."""
    public: type[Any]
    own: type[Any]
    hidden: type[Any]
    move: Any
    """Struct type or tagged union of struct types."""

    validate: Callable[[Terms[Any, Any]], None]
    """Raise `Usage` for an edition or options that no game can be played with."""
    bags: Callable[[Terms[Any, Any]], Mapping[str, Sequence[str]]]
    """What is sealed before the first draw: container name -> tokens."""
    setup: Callable[[Terms[Any, Any], Draws], Step]
    check: Callable[[Terms[Any, Any], Seen[Any, Any], Any], None]
    """Raise `IllegalMove` unless the asked seat may answer with this move."""
    apply: Callable[[Terms[Any, Any], Position[Any, Any, Any], Mapping[Seat, Any], Draws], Step]
    """Answers have passed `check`; there is one for each pending seat."""
    legal: Callable[[Terms[Any, Any], Seen[Any, Any]], Sequence[Choice]]
    fallback: Callable[[Terms[Any, Any], Seen[Any, Any]], Any]
    """The move that a missed deadline plays."""
    parse: Callable[[Terms[Any, Any], Seen[Any, Any], str], Any]
    """The short text form of a move, as typed in a mail; raises `IllegalMove` if it means nothing."""
    text: Callable[[Any], str]
    """The inverse of `parse`."""
    draw: Callable[[Terms[Any, Any], Seen[Any, Any], Sequence[str], Paint], str]
    """The position as terminal text of at most 100 columns; names are already safe to print."""
    bots: Mapping[str, Callable[[Terms[Any, Any], Seen[Any, Any], Below], Any]]
    """At least `random` and `sensible`."""
    holds: Callable[[Terms[Any, Any], Seen[Any, Any]], Mapping[str, Sequence[str]]] = lambda terms, seen: {}
    """Container -> faces, for the hidden containers whose content the seat's own part implies: the player's audit
    compares it with the tokens that were really drawn."""


def seen(position: Position[Any, Any, Any], seat: Seat) -> Seen[Any, Any]:
    """What `seat` may know of a position: built from what is permitted, never by taking away."""
    return Seen(seat, position.public, position.own[seat], position.pending, position.result)


def later(package: str, path: str) -> Callable[..., Any]:
    """A function of a sibling module, `module.name`, imported when it is first called: most commands never draw."""
    module, name = path.split(".")

    def call(*args: Any) -> Any:
        from importlib import import_module

        return getattr(import_module(f"{package}.{module}"), name)(*args)

    return call


def ask_of(pending: Sequence[Ask], seat: Seat) -> Ask | None:
    """The decision this seat is asked for, if any."""
    return next((ask for ask in pending if ask.seat == seat), None)
