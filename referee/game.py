"""The contract: what a game is. Read this first.

A game is a package that exposes `GAME`, a record of plain functions over frozen structs, beside an `edition.json`
(numbers, tables, card lists) and a `RULES.md` (the clauses). It is found in a folder under `referee/games/` or through
the entry-point group `pbem_referee.games`. It imports `referee.game`, `referee.errors`, `referee.columns` and its own
modules: no clock, no files, no randomness of its own. `legal` describes moves with `referee.forms`.

One idea carries everything else: **a position is public. Whatever is secret is a token face down in a container, or a
sealed field of an answer.** `setup` and `apply` get the public position, the open fields of the answers and a `Draws`;
so everybody can run them, and everybody does: each player's audit plays every round again and compares every byte with
what the host signed. What the rules never get they cannot leak.

What an author must know:

* **A round is the set of decisions asked together.** `pending` says who decides; `apply` gets all answers at once and
  runs on, through every throw and draw that needs no decision, until somebody must decide again. `pending` is empty
  exactly when there is a `result`.
* **A missed deadline is the answer None.** `apply` says what happens then, from public facts and draws alone: a card
  that must be played is one that `take` picks, a choice that is due is a fixed one. Seats that are out stay in
  `pending` and answer None; so does everybody who is asked for a bare link, for which `legal`, `check` and bots are not
  called.
* **`apply` judges answers.** Whatever public facts forbid raises `IllegalMove` there (call the public part of `check`),
  because a host may pass anything that a player signed. It must be total: no answer of the right type may crash it or
  keep it busy. Possession is proved by `lay_out`. What only the owner can know is left to `check`.
* **`check`, `legal`, `parse`, `render` and bots get a `Seen`**: the public position and the tokens that one seat knows.
* **Hands.** A container `NAME/SEAT` with NAME in `hands` belongs to that seat, which is told every token in it. A hand
  that receives tokens face down is sealed anew at the end of the entry wherever somebody could tell them apart.
* **Standing orders** (`Game.standing`) are part of an answer, the ack included: public, for good until the seat says
  otherwise. The engine puts them into the position (its field `standing`) before `apply` sees the answers; the rules
  then do not ask what they decide. Any value of the type may come: ignore what makes no sense. Never let them lead to a
  draw for which nobody sent a fresh link: after a throw or a deal that asked nobody, ask for something, or for a
  `LINK`, before the next.
* **Names.** Containers: `[a-z]{1,20}`, or with a number behind it `[a-z]{1,20}/[0-9]{1,2}`. Faces: 1 to 40 printable
  characters. `what` of a question: `[a-z][a-z -]{0,39}`, but not the engine's own words `ack`, `link` (which asks for
  a bare link, see `shuffle`) and `resign`. Fields that can be sealed have a default, and hold 0 to 40 faces where
  `give` or `seek` reads them.
* **Bounds.** 16 seats, 1,000 tokens in a container, dice of up to 1,000,000 sides, integers within +-(2^53-1), a
  position of 200,000 bytes, 2,048 rounds. `validate` refuses an edition that could pass them.
* **Scores: higher is better**, most significant first; rank 1 is best, ties share.
* **Seal an answer** (`Ask.sealed`) wherever several answer together: open answers are shown with the entry, and who
  missed the deadline may still answer after it. Seal also what others never get to know. The host knows a sealed field;
  the other players see it when `unseal` shows it, and it costs `give` and `seek` that only the players concerned can
  check what became of it before the end.
* **Who answers last, in league with the host, foresees the draws of that round.** Where that must not be, ask for a
  `LINK` between the decision and the draw.
* **A hidden die** is a bag with its sides as faces: `deal` one into a container, `lay_out_all` it when it is shown,
  `put` it back and `shuffle` before the next throw.
* **What does not decide** stands in the modules `board`, `bots`, `story` and `words` (also `words_list` and the like):
  how a position looks, who plays by itself, what is told, what is typed. All other `*.py` files of the package are
  hashed into the offer, so that nobody sits down to rules that the own program does not have, and a host goes on only
  with the rules that it began with.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, Generic, Protocol, TypeVar

import msgspec

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
"""A source of chance for bots: `below(n)` is an integer from 0 to n-1."""


class Terms(msgspec.Struct, Generic[Opt, Ed], frozen=True):
    """What the offer fixed for the whole game."""

    seats: int
    options: Opt
    edition: Ed


AnyTerms = Terms[Any, Any]
"""Those of some game or other."""


class Ask(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """One decision that somebody must make now.

    `what` names the decision in a word or two. `sealed` names the fields of the move that stay secret: the player signs
    a commitment to each, and the rules get the move without them (with their defaults).
    """

    seat: Annotated[Seat, msgspec.Meta(ge=0, lt=16)]
    what: str
    sealed: tuple[str, ...] = ()


class Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """How the game ended: one rank per seat (1 is best, ties share) and what it rests on, most significant first.

    Rules return `ranked(scores)`. The engine ranks who resigned below all who stayed, and says who is `out`.
    """

    ranks: tuple[int, ...]
    scores: tuple[tuple[int, ...], ...]
    out: tuple[Annotated[Seat, msgspec.Meta(ge=0, lt=16)], ...] = ()
    """Seats that missed the last deadlines: they keep the place that their scores give."""


class Note(msgspec.Struct, frozen=True, gc=False):
    """One line of the story, as data: a word that says what happened, and values (numbers, texts, lists of them)."""

    what: str
    values: Mapping[str, Any] = {}


class Step(msgspec.Struct, frozen=True, gc=False):
    """What `setup` and `apply` return: the position after it, who decides next, what happened, how it ended."""

    public: Any
    pending: tuple[Ask, ...] = ()
    log: tuple[Note, ...] = ()
    result: Result | None = None


class Seen(msgspec.Struct, Generic[P], frozen=True, gc=False):
    """All that one seat may know. `tokens`: container -> the faces this seat knows in it, sorted; the own hands are
    always there, even if they are empty. `result` is the game's own: None where it ended because others left."""

    seat: Seat
    public: P
    pending: tuple[Ask, ...]
    tokens: Mapping[str, tuple[str, ...]]
    result: Result | None = None

    def hand(self, name: str) -> tuple[str, ...]:
        """The faces in the own hand of that name, sorted."""
        return self.tokens.get(f"{name}/{self.seat}", ())


AnySeen = Seen[Any]
"""Of some game or other."""


class Draws(Protocol):
    """The only randomness, and the only way to secrets. What a call returns is public; every call is recorded.

    Tokens are strings (faces). A bag, a pile or a hand is a named container: slots that the seed picks from, and a
    tail that is used in order once all slots are gone. Misuse raises `RulesFault`, whoever runs the rules.
    """

    def die(self, sides: int) -> int:
        """Throw a die: 1 to `sides`."""

    def take(self, bag: str, count: int) -> tuple[str, ...]:
        """Tokens picked by the seed leave a container openly."""

    def deal(self, bag: str, count: int, into: str) -> None:
        """Tokens picked by the seed go face down into another container; its owner, if it is a hand, is told them.

        Refused, like `give` and `seek`, while a token that somebody else could recognise lies among the slots (unless
        all of them are dealt): `shuffle` first.
        """

    def lay_out(self, bag: str, faces: Sequence[str]) -> None:
        """These tokens leave a container openly, which proves that they were there."""

    def lay_out_all(self, bag: str, face: str | None = None) -> tuple[str, ...]:
        """All tokens of a container, or all of one face, leave it openly; returns what there was, sorted."""

    def give(self, seat: Seat, field: str, count: int, bag: str, into: str) -> None:
        """The `count` tokens that the sealed `field` of a seat's answer names (a face, or a tuple of faces) go face
        down from `bag` into `into`; who gave them goes on knowing them there. The answer must be there, with as many
        tokens as are due and held: `check` sees to it."""

    def seek(self, seat: Seat, field: str, bag: str, into: str, fixed: Sequence[str]) -> None:
        """The first face of the sealed ranking in `field` that `bag` holds goes face down into `into`; if it holds none
        of them, nothing does. The ranking of a seat that missed its deadline is `fixed`. Refused while a token of `bag`
        is openly known: `shuffle` first."""

    def put(self, bag: str, faces: Sequence[str]) -> None:
        """Put tokens openly into a container, where they are as likely to be picked as any other."""

    def under(self, bag: str, faces: Sequence[str]) -> None:
        """Put tokens openly under a pile, in this order."""

    def shuffle(self, bag: str) -> None:
        """Seal a container anew: the same content, tail included, and nobody knows where.

        Nothing can be drawn from it in the same entry. Ask the seats for a `LINK`, then draw.
        """

    def count(self, bag: str) -> int:
        """How many tokens a container holds (0 if it does not exist)."""

    def unseal(self, seat: Seat, *fields: str) -> Any:
        """Show everybody these sealed fields of this seat's answer; returns the answer with them filled in."""


class Paint(Protocol):
    """How `render` colours text: returns `text` with the named style (bold, dim, or a colour: yellow, blue, red, green,
    orange, black), or unchanged where colour is off."""

    def __call__(self, text: str, style: str) -> str: ...


class Standing(msgspec.Struct, frozen=True):
    """A game's standing orders: what a player can say once, so that the rules need not ask. `words` is a struct whose
    fields all have defaults (nothing said); the functions get what the seat has said so far."""

    words: type[Any]
    legal: Callable[[AnyTerms, Any], Sequence[Choice]]
    """What can be said, or taken back, now; the `move` of a choice is the words after it."""
    parse: Callable[[AnyTerms, Any, str], Any]
    """The words after one typed phrase (`roll always`); raises `IllegalMove` if it is none."""
    text: Callable[[Any], Sequence[str]]
    """The phrases that are in force; each can be typed. `@2` stands for the name of seat 2."""
    advise: Callable[[AnyTerms, AnySeen, str], Any]
    """What the bot of this name says now, because it costs it nothing, or None: nothing new. At the ack there is no
    position yet (`seen.public` is None)."""


class Game(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """One game. The types of the fields come first, then the functions; all functions are pure."""

    title: str
    rules: str
    """Version of the rules: changes whenever the same moves could lead to another position."""
    seats: tuple[int, int]
    """Fewest and most."""
    options: type[Any]
    """Struct whose fields all have defaults."""
    edition: type[Any]
    """Struct that `edition.json` decodes into."""
    public: type[Any]
    """The position."""
    move: Any
    """Struct type or tagged union of struct types; unknown fields are forbidden."""
    hands: tuple[str, ...] = ()
    """Names of the containers that belong to seats."""
    standing: Standing | None = None
    """With it, the position has a field `standing`: the words of each seat, in force from the answer that says them.
    The rules read it and pass it on as it is."""

    validate: Callable[[AnyTerms], None]
    """Raise `Usage` for an edition or options with which a game cannot be played to its end within the bounds."""
    bags: Callable[[AnyTerms], Mapping[str, Sequence[str]]]
    """What is sealed before the first draw: container name -> tokens."""
    setup: Callable[..., Step]
    """From terms and draws; with standing orders, third, those that each seat said with its ack."""
    apply: Callable[[AnyTerms, Any, tuple[Ask, ...], Mapping[Seat, Any], Draws], Step]
    """From the position, what was asked, and the answers: one for each seat asked, None where none came."""
    check: Callable[[AnyTerms, AnySeen, Any], None]
    """Raise `IllegalMove` unless the asked seat may answer with this move (here with its sealed fields)."""
    legal: Callable[[AnyTerms, AnySeen], Sequence[Choice]]
    """Every legal move, as moves and families of moves (`referee.forms`)."""
    parse: Callable[[AnyTerms, AnySeen, str], Any]
    """The short text form of a move, as typed in a mail; raises `IllegalMove` if it means nothing."""
    text: Callable[[Any], str]
    """The inverse of `parse`."""
    tell: Callable[[AnyTerms, Note], str]
    """A line of the story as a sentence; `@2` stands for the name of seat 2."""
    called: Callable[[str, int], str] = lambda face, number: face if number == 1 else f"{number} {face}"
    """So many tokens of a face, as players call them: `potato`, `2 potatoes`."""
    render: Callable[[AnyTerms, AnySeen, Sequence[str], Paint, int], str]
    """The position as terminal text; names are already safe to print. The last value is the width to keep to: 100 or
    more, 80 or more, or less for a compact table (60 is always enough). For somebody who only looks on `seen.seat` is
    the number of seats: no hand, and nobody is `you`."""
    picture: Callable[[AnyTerms, AnySeen, Sequence[str]], str] | None = None
    """The same as an SVG (`referee.svg`): 600 units wide, readable at 360, colours with letters beside them, and the
    position in words as its description."""
    bots: Mapping[str, Callable[[AnyTerms, AnySeen, Below], Any]]
    """At least `random` and `sensible`."""


def note(what: str, **values: Any) -> Note:
    """One line of the story."""
    return Note(what, values)


def ask_of(pending: Sequence[Ask], seat: Seat) -> Ask | None:
    """The decision this seat is asked for, if any."""
    return next((ask for ask in pending if ask.seat == seat), None)


def ranked(scores: Sequence[tuple[int, ...]]) -> Result:
    """The result that these scores give: higher is better, equal ones share a rank."""
    return Result(tuple(1 + sum(other > mine for other in scores) for mine in scores), tuple(scores))


class Refusals:
    """What the rules of a game refuse, as data: `illegal = Refusals(__package__)`, then `raise illegal("SF-16",
    "not-held", card=card)`. The sentences stand in the game's module `story_refusals`, so that a corrected one changes
    no rules (see `Reason` in `referee.language`)."""

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
    """Refuse an edition for the first of its faults, if it has one."""
    for fault in faults:
        why = t("edition {name}: {fault}", name=quoted(name[:40]), fault=fault)
        raise Usage(why, t("correct the edition file, or leave it out"), code="bad-edition")


def nearest(word: str, words: Iterable[str]) -> Text:
    """`, did you mean sugar?` after a word that is none of these; nothing if none is near."""
    from difflib import get_close_matches

    found = get_close_matches(word.casefold(), list(words), 1)
    return t(", did you mean {found}?", found=found[0]) if found else NOTHING


def later(package: str, path: str) -> Callable[..., Any]:
    """A function of a sibling module, `module.name`, imported when it is first called: most commands never render."""
    module, name = path.split(".")

    def call(*args: Any) -> Any:
        from importlib import import_module

        return getattr(import_module(f"{package}.{module}"), name)(*args)

    return call
