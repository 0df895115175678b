"""The contract: what a game is. Read this first.

A game is a package that exposes `GAME`, a record of plain functions over frozen structs, beside a `RULES.md` (the
clauses) and, if it has numbers, tables or card lists that a host may change, an `edition.json`. It is found as a
package under `referee/games/` or through the entry-point group `pbem_referee.games`. It imports `referee.game`,
`referee.errors`, `referee.columns` and its own modules: no clock, no files, no randomness of its own. `legal` describes
moves with `referee.forms`.

Everything else rests on one idea: **a position is public. Whatever is secret is a token face down in a container, or a
sealed field of an answer.** `setup` and `apply` get the public position, the open fields of the answers and a `Draws`.
So everybody can run them, and everybody does: each player's audit replays every round and compares every byte with what
the host signed. The rules cannot leak what they never get.

`setup`, `apply`, `legal`, `render` and a `sensible` bot are all that every game must write; the rest has defaults
(`referee.defaults`). What an author must know:

* **A round is the set of decisions asked together.** `pending` says who decides; `apply` gets all answers at once and
  goes on, through every throw and draw that needs no decision, until somebody must decide again. `pending` is empty
  exactly when there is a `result`.
* **A missed deadline is the answer None.** `apply` says what happens then, from public facts and draws alone: it lets
  `take` pick a card that must be played, and makes a fixed choice where a choice is due. Seats that are out stay in
  `pending` and answer None.
* **A confirmation is the answer None, too.** A seat that is asked for a `LINK` decides nothing: `legal`, `check`,
  `parse` and bots are not called for it. A seat that is not asked at all has no legal moves, and `check` refuses
  whatever comes from it.
* **`apply` judges answers.** It raises `IllegalMove` for whatever public facts forbid (call the public part of
  `check`), because a host may pass anything that a player signed. It must be total: no answer of the right type may
  crash it or keep it busy. `lay_out` proves possession. What only the owner can know is left to `check`.
* **`check`, `legal`, `parse`, `render` and bots get a `Seen`**: the public position and the tokens that one seat knows.
* **Hands.** A container `NAME/SEAT` with NAME in `hands` belongs to that seat, which is told every token in it. A hand
  that receives tokens face down is sealed again at the end of the entry wherever somebody could recognise them.
* **Standing orders** (`Game.standing`) are part of an answer, the ack included: public, and in force until the seat
  changes them. The engine puts them into the position (its field `standing`) before `apply` sees the answers; the rules
  then do not ask what they decide. Any value of the type may come: ignore what makes no sense. Never let them lead to a
  draw for which nobody sent a fresh link: after a throw or a deal that asked nobody, ask for something, or for a
  `LINK`, before the next.
* **Names.** Containers: `[a-z]{1,20}`, or followed by a number `[a-z]{1,20}/[0-9]{1,2}`. Faces: 1 to 40 printable
  characters. `what` of a question: `[a-z][a-z -]{0,39}`, but not the engine's own words `ack`, `link` (which asks for
  a confirmation, see `shuffle`) and `resign`. Fields that can be sealed have a default, and hold 0 to 40 faces where
  `give` or `seek` reads them.
* **Bounds.** 16 seats, 1,000 tokens in a container, dice of up to 1,000,000 sides, integers within +-(2^53-1), a
  position of 200,000 bytes, 2,048 rounds. `validate` refuses an edition that could exceed them.
* **Scores: higher is better**, most significant first; rank 1 is best, ties share.
* **Seal an answer** (`Ask.sealed`) wherever several seats answer together: open answers are shown with the entry, and
  late players may still answer after it. Also seal what others must never know. The host knows a sealed field; the
  other players see it when `unseal` shows it. After `give` and `seek` only the players concerned can check what became
  of it before the game ends.
* **Whoever answers last, in league with the host, can foresee the draws of that round.** Where that matters, ask for a
  `LINK` between the decision and the draw.
* **A hidden die** is a bag with its sides as faces: `deal` one into a container, `lay_out_all` to show it, `put` it
  back and `shuffle` before the next throw.
* **What does not decide** goes into the modules `board`, `bots`, `story` and `words` (also `words_list` and so on): how
  a position looks, bots, sentences, typed moves. All other `*.py` files of the package are hashed into the offer, so
  that nobody joins a game whose rules their program does not have, and a host continues only with the rules that it
  began with.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, Generic, Protocol, TypeVar, cast

import msgspec

from referee import defaults
from referee.defaults import not_legal as not_legal
from referee.errors import IllegalMove, Usage
from referee.forms import Choice
from referee.language import NOTHING, Reason, Text, Value, quoted, t

P = TypeVar("P")
Opt = TypeVar("Opt")
Ed = TypeVar("Ed")

Seat = int
"""Seats count from 0 in the order of play."""

LINK = "link"
"""Asked for `link`, a seat decides nothing, but its next envelope enters the seed: ask for it after `shuffle`."""

Below = Callable[[int], int]
"""A source of randomness for bots: `below(n)` is an integer from 0 to n-1."""


class Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a game without options, and the edition of a game without `edition.json`."""


class Terms(msgspec.Struct, Generic[Opt, Ed], frozen=True):
    """What the offer fixes for the whole game."""

    seats: int
    options: Opt
    edition: Ed


AnyTerms = Terms[Any, Any]
"""Terms of any game."""


class Ask(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """One decision that somebody must make now.

    `what` names the decision in a word or two. `sealed` names the fields of the move that stay secret: the player signs
    a commitment to each, and the rules get the move without them (with their defaults).
    """

    seat: Annotated[Seat, msgspec.Meta(ge=0, lt=16)]
    what: str
    sealed: tuple[str, ...] = ()


class Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """How the game ended: one rank per seat (1 is best, ties share) and the scores behind it, most significant first.

    Rules return `ranked(scores)`. The engine ranks players who resigned below all who stayed, and adds who is `out`.
    """

    ranks: tuple[int, ...]
    scores: tuple[tuple[int, ...], ...]
    out: tuple[Annotated[Seat, msgspec.Meta(ge=0, lt=16)], ...] = ()
    """Seats that missed the last deadlines: they keep the rank that their scores give."""


class Note(msgspec.Struct, frozen=True, gc=False):
    """One line of the story, as data: a word that says what happened, and values (numbers, texts, lists of them)."""

    what: str
    values: Mapping[str, Any] = {}


Answers = Mapping[Seat, Any]
"""Seat -> its move; None for a missed deadline and for a confirmation."""
Names = Sequence[str]
"""The names of the players, in the order of their seats."""


class Step(msgspec.Struct, frozen=True, gc=False):
    """What `setup` and `apply` return: the position after it, who decides next, what happened, how it ended."""

    public: Any
    pending: tuple[Ask, ...] = ()
    log: tuple[Note, ...] = ()
    result: Result | None = None


class Seen(msgspec.Struct, Generic[P], frozen=True, gc=False):
    """All that one seat may know. `tokens`: container -> the faces this seat knows in it, sorted; its own hands are
    always there, even if empty. `result` is that of the rules: None if the game ended because others left."""

    seat: Seat
    public: P
    pending: tuple[Ask, ...]
    tokens: Mapping[str, tuple[str, ...]]
    result: Result | None = None

    @property
    def ask(self) -> Ask | None:
        """The decision that this seat is asked for, if any."""
        return ask_of(self.pending, self.seat)

    def hand(self, name: str) -> tuple[str, ...]:
        """The faces in this seat's hand of that name, sorted."""
        return self.tokens.get(f"{name}/{self.seat}", ())


AnySeen = Seen[Any]
"""What a seat sees in any game."""


class Draws(Protocol):
    """The only randomness, and the only access to secrets. What a call returns is public; every call is recorded.

    Tokens are strings (faces). A bag, a pile or a hand is a named container: slots that the seed picks from, and a
    tail that is used in order once all slots are gone. Misuse raises `RulesFault` for everybody who runs the rules.
    """

    def die(self, sides: int) -> int:
        """Throw a die: 1 to `sides`."""

    def take(self, bag: str, count: int) -> tuple[str, ...]:
        """Draw tokens from a container openly: the seed picks them."""

    def deal(self, bag: str, count: int, into: str) -> None:
        """Deal tokens face down into another container: the seed picks them. If it is a hand, its owner is told them.

        Refused, like `give` and `seek`, while a token that somebody else could recognise is among the slots (unless
        all of them are dealt): `shuffle` first.
        """

    def lay_out(self, bag: str, faces: Sequence[str]) -> None:
        """Take these tokens out of a container openly, which proves that they were there."""

    def lay_out_all(self, bag: str, face: str | None = None) -> tuple[str, ...]:
        """Take all tokens, or all of one face, out of a container openly; returns them, sorted."""

    def give(self, seat: Seat, field: str, count: int, bag: str, into: str) -> None:
        """Move the `count` tokens that the sealed `field` of a seat's answer names (a face, or a tuple of faces) face
        down from `bag` into `into`; the giver still knows them there. The answer must exist and name exactly `count`
        tokens that the bag holds: `check` must ensure this."""

    def seek(self, seat: Seat, field: str, bag: str, into: str, fixed: Sequence[str]) -> None:
        """Move the first face of the sealed ranking in `field` that `bag` holds face down into `into`; nothing if it
        holds none of them. `fixed` is the ranking of a seat that missed its deadline. Refused while a token of `bag` is
        publicly known: `shuffle` first."""

    def put(self, bag: str, faces: Sequence[str]) -> None:
        """Put tokens openly into a container, where each is as likely to be picked as any other."""

    def under(self, bag: str, faces: Sequence[str]) -> None:
        """Put tokens openly under a pile, in this order."""

    def shuffle(self, bag: str) -> None:
        """Seal a container again: the same tokens, tail included, in an order that nobody knows.

        Nothing can be drawn from it in the same entry. Ask the seats for a `LINK`, then draw.
        """

    def count(self, bag: str) -> int:
        """How many tokens a container holds (0 if it does not exist)."""

    def unseal(self, seat: Seat, *fields: str) -> Any:
        """Show everybody these sealed fields of a seat's answer; returns the answer with them filled in."""


class Paint(Protocol):
    """How `render` colours text: returns `text` with the named style (bold, dim, or a colour: yellow, blue, red, green,
    orange, black), or unchanged where colour is off."""

    def __call__(self, text: str, style: str) -> str: ...


class Standing(msgspec.Struct, frozen=True):
    """A game's standing orders: what a player can say once, so that the rules need not ask. `words` is a struct whose
    fields all have defaults (no orders); the functions get the orders of the seat so far."""

    words: type[Any]
    legal: Callable[[AnyTerms, Any], Sequence[Choice]]
    """The orders that can be given or taken back now; the `move` of a choice is the orders after it."""
    parse: Callable[[AnyTerms, Any, str], Any]
    """The orders after one typed phrase (`roll always`); raises `IllegalMove` if it is not one."""
    text: Callable[[Any], Sequence[str]]
    """The phrases that are in force; each can be typed. `@2` stands for the name of seat 2."""
    advise: Callable[[AnyTerms, AnySeen, str], Any]
    """The orders that the bot of this name gives now, because they cost it nothing; None for no change. At the ack
    there is no position yet (`seen.public` is None)."""


Setup = Callable[[AnyTerms, Draws], Step]
SetupWithOrders = Callable[[AnyTerms, Draws, tuple[Any, ...]], Step]
_DEFAULT: Any = None
"""Stands for a function that follows from others: `Game.__post_init__` puts it there."""


class Game(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """One game. The types of the fields come first, then the functions; all functions are pure."""

    title: str
    rules: str = "1"
    """Version of the rules: changes whenever the same moves could lead to another position."""
    seats: tuple[int, int]
    """Fewest and most."""
    options: type[Any] = Nothing
    """Struct whose fields all have defaults."""
    edition: type[Any] = Nothing
    """Struct that `edition.json` decodes into."""
    public: type[Any]
    """The position."""
    move: Any
    """Struct type or tagged union of struct types; unknown fields are forbidden."""
    hands: tuple[str, ...] = ()
    """Names of the containers that belong to seats."""
    standing: Standing | None = None
    """With it, the position has a field `standing`: the orders of each seat, in force from the answer that gives them.
    The rules read it and pass it on unchanged."""

    validate: Callable[[AnyTerms], None] = lambda terms: None
    """Raise `Usage` for an edition or options with which a game cannot be played to its end within the bounds."""
    bags: Callable[[AnyTerms], Mapping[str, Sequence[str]]] = lambda terms: {}
    """What is sealed before the first draw: container name -> tokens."""
    setup: Setup | SetupWithOrders
    """The first step. With standing orders, the third argument has those that each seat gave with its ack."""
    apply: Callable[[AnyTerms, Any, tuple[Ask, ...], Answers, Draws], Step]
    """The step from a position, what was asked, and the answers of all seats asked."""
    legal: Callable[[AnyTerms, AnySeen], Sequence[Choice]]
    """Every legal move, as moves and families of moves (`referee.forms`)."""
    check: Callable[[AnyTerms, AnySeen, Any], None] = _DEFAULT
    """Raise `IllegalMove` unless the asked seat may answer with this move (here with its sealed fields). Default: a
    move is legal if `legal` describes it, which is right unless a part is `Free`."""
    parse: Callable[[AnyTerms, AnySeen, str], Any] = _DEFAULT
    """Read a typed move; raises `IllegalMove` if the text is not a move. Default: see `referee.defaults`."""
    text: Callable[[Any], str] = _DEFAULT
    """The inverse of `parse`."""
    sentences: Mapping[str, str] = {}
    """Sentences for `tell`: word of a note -> `@{seat} plays {card}`."""
    tell: Callable[[AnyTerms, Note], str] = _DEFAULT
    """A line of the story as a sentence; `@2` stands for the name of seat 2. Default: from `sentences`."""
    called: Callable[[str, int], str] = lambda face, number: face if number == 1 else f"{number} {face}"
    """A number of tokens of one face, as players say it: `potato`, `2 potatoes`."""
    render: Callable[[AnyTerms, AnySeen, Names, Paint, int], str]
    """The position as terminal text; names are already safe to print. The last value is the width to keep to: 100 or
    more, 80 or more, or less for a compact table (60 is always enough). For a spectator `seen.seat` is the number of
    seats: no hand, and nobody is `you`."""
    picture: Callable[[AnyTerms, AnySeen, Names, int], str] | None = None
    """The same as an SVG (`referee.svg`), colours with letters beside them, and the position in words as its
    description. The last value is the width to draw for: 600, or 360 for a phone, with the same marks and words of at
    least 12 units."""
    bots: Mapping[str, Callable[[AnyTerms, AnySeen, Below], Any]]
    """At least `sensible`, which plays in demos and practice. `random` picks from `legal` unless a game has its own."""

    def __post_init__(self) -> None:
        found = {
            "check": partial(defaults.check, self.legal),
            "parse": partial(defaults.parse, self.legal, self.move),
            "text": defaults.text,
            "tell": partial(defaults.tell, self.sentences),
        }
        for name, function in found.items():
            if getattr(self, name) is None:
                msgspec.structs.force_setattr(self, name, function)
        bots = {"random": partial(defaults.random_move, self.legal, self.move), **self.bots}
        msgspec.structs.force_setattr(self, "bots", bots)

    def start(self, terms: AnyTerms, draws: Draws, orders: tuple[Any, ...]) -> Step:
        """The first step: `setup`, with the standing orders of all seats if the game has any."""
        if self.standing is None:
            return cast(Setup, self.setup)(terms, draws)
        return cast(SetupWithOrders, self.setup)(terms, draws, orders)


def note(what: str, **values: Any) -> Note:
    """One line of the story."""
    return Note(what, values)


def ask_of(pending: Sequence[Ask], seat: Seat) -> Ask | None:
    """The decision this seat is asked for, if any."""
    return next((ask for ask in pending if ask.seat == seat), None)


def ranked(scores: Sequence[tuple[int, ...]]) -> Result:
    """The result of these scores: higher is better, equal scores share a rank."""
    return Result(tuple(1 + sum(other > mine for other in scores) for mine in scores), tuple(scores))


class Refusals:
    """The refusals of a game's rules, as data: `illegal = Refusals(__package__)`, then `raise illegal("SF-16",
    "not-held", card=card)`. The sentences are in the game's module `story_refusals`, so that a corrected sentence does
    not change the rules (see `Reason` in `referee.language`)."""

    def __init__(self, package: str) -> None:
        self._package = package

    def __call__(self, clause: str, reason: str, /, **values: Value) -> IllegalMove:
        """An illegal move."""
        told = tuple(values.items())
        return IllegalMove(clause, Reason(self._package, reason, told), Reason(self._package, reason, told, next=True))

    def fault(self, reason: str, /, **values: Value) -> Reason:
        """A fault of an edition."""
        return Reason(self._package, reason, tuple(values.items()))


def refuse(name: str, faults: Iterable[Reason | Text]) -> None:
    """Refuse an edition for its first fault, if there is one."""
    for fault in faults:
        why = t("edition {name}: {fault}", name=quoted(name[:40]), fault=fault)
        raise Usage(why, t("correct the edition file, or leave it out"), code="bad-edition")


def nearest(word: str, words: Iterable[str]) -> Text:
    """`, did you mean sugar?` for a word that is not one of these; nothing if none is close."""
    from difflib import get_close_matches

    found = get_close_matches(word.casefold(), list(words), 1)
    return t(", did you mean {found}?", found=found[0]) if found else NOTHING


class Later:
    """The function `module.name` of a game's package, imported when it is called: most commands never render."""

    def __init__(self, package: str, path: str) -> None:
        self.package, self.path = package, path

    def find(self) -> Callable[..., Any]:
        """The function itself."""
        from importlib import import_module

        module, name = self.path.split(".")
        found: Callable[..., Any] = getattr(import_module(f"{self.package}.{module}"), name)
        return found

    def __call__(self, *args: Any) -> Any:
        return self.find()(*args)


later = Later
