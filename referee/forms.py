"""Moves as data: what a prompt, a form or a bot in any language needs to build every legal move.

A `Choice` is one legal move, or a family of moves. A family's `form` is the move as JSON with holes: `{"$": NAME}` is
replaced by what is chosen in the part NAME. Parts are filled in one by one, in order; then every limit must hold. An
option without a value removes its hole: the member, or the item of the list.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, product
from typing import Annotated, Any

import msgspec

from referee.language import Value, t

MANY = 2**53 - 1

Values = Mapping[str, Any]
"""What was chosen: part -> the text of an option, a number, amounts by name, a list of names, or a text."""


Mark = Annotated[str, msgspec.Meta(pattern=r"\A([A-Za-z0-9_.-]+:[A-Za-z0-9:_.-]+)?\Z", max_length=60)]
"""The name of a mark in the game's picture, `KIND:WHAT`: `colour:red`, `field:17`, `card:coffee`. A click on what has
this mark (`marked` in `referee.svg`) chooses what names it."""


class _Data(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The base of all structs here."""


class When(_Data, frozen=True):
    """A condition on an earlier part: its number (see `number`) lies between `low` and `high`."""

    part: str
    name: str = ""
    low: int = 1
    high: int = MANY


class Option(_Data, frozen=True):
    """A value that can be picked; without a value, the hole is removed. An option is open if all of `when` holds; an
    `otherwise` option only if no other option is open."""

    text: str
    value: Any = msgspec.UNSET
    when: tuple[When, ...] = ()
    otherwise: bool = False
    at: Mark = ""
    """Where it is in the picture. Options that can be open together have different marks, or none."""


class Pick(_Data, frozen=True, tag="pick"):
    """One of the open options. Options that can be open together have different texts."""

    name: str
    ask: str
    options: tuple[Option, ...]


class Number(_Data, frozen=True, tag="number"):
    """A number."""

    name: str
    ask: str
    low: int
    high: int


class Amounts(_Data, frozen=True, tag="amounts"):
    """An amount of each name: an object without zeros or, if `listed` orders the names, a list in that order."""

    name: str
    ask: str
    most: Mapping[str, int]
    listed: tuple[str, ...] = ()
    at: Mapping[str, Mark] = {}
    """Where names are in the picture; each click is one more."""


class Ranking(_Data, frozen=True, tag="ranking"):
    """Different names, best first: at least `least`, at most all."""

    name: str
    ask: str
    names: tuple[str, ...]
    least: int
    at: Mapping[str, Mark] = {}
    """Where names are in the picture; each click adds one."""


class Free(_Data, frozen=True, tag="free"):
    """A text that cannot be listed; `how` says how it is judged. A move with it may still be illegal."""

    name: str
    ask: str
    how: str
    longest: int


Part = Pick | Number | Amounts | Ranking | Free


class Term(_Data, frozen=True):
    """The number of a part, times a factor."""

    part: str
    name: str = ""
    times: int = 1


class Limit(_Data, frozen=True):
    """The sum of all terms must be between `low` and `high`."""

    terms: tuple[Term, ...]
    low: int = -MANY
    high: int = MANY
    why: str = ""
    """In words: `costs at most 35`."""


class Choice(_Data, frozen=True):
    """One legal move, or a family: `text` is what a player types (for a family, a description), `move` a legal example.
    `minor` choices are not in the short list that people see first."""

    text: str
    move: Any
    note: str = ""
    form: Any = None
    parts: tuple[Part, ...] = ()
    limits: tuple[Limit, ...] = ()
    minor: bool = False
    at: tuple[Mark, ...] = ()
    """The marks that say this line: all of them are clicked, in any order; then come the parts of a family."""


class StandingChoices(_Data, frozen=True):
    """Standing orders: those in force, as phrases, and those that can be given or taken back now."""

    now: tuple[str, ...]
    choices: tuple[Choice, ...]


class Moves(_Data, frozen=True):
    """What `referee show --moves --json` prints: the round, the question (empty if this seat is not asked), every legal
    move, and the standing orders (None if the game has none)."""

    round: int
    asked: str
    choices: tuple[Choice, ...]
    standing: StandingChoices | None


def family(
    text: str,
    example: msgspec.Struct,
    parts: Iterable[Part],
    note: str = "",
    limits: tuple[Limit, ...] = (),
    *,
    minor: bool = False,
    at: tuple[str, ...] = (),
) -> Choice:
    """Moves like an example; each part fills the member of its name."""
    found = tuple(parts)
    form = msgspec.to_builtins(example) | {part.name: {"$": part.name} for part in found}
    return Choice(text, example, note, form, found, limits, minor, at)


def one_of(name: str, ask: str, values: Iterable[str], at: str = "") -> Pick:
    """A pick of values whose texts are the values themselves; `at` is the kind of their marks: `card` for `card:07`."""
    return Pick(name, ask, tuple(Option(value, value, at=f"{at}:{value}" if at else "") for value in values))


def number(values: Values, part: str, name: str = "") -> int:
    """A part as a number: the number; the amount of a name, or of all; whether an option was picked or a name listed (1
    or 0); the length of a list or text. Without a name, an option without a value is 0."""
    value = values.get(part, 0)
    if isinstance(value, int):
        return value
    if isinstance(value, Mapping):
        return int(value.get(name, 0)) if name else sum(value.values())
    if isinstance(value, list | tuple):
        return int(name in value) if name else len(value)
    return int(value == name) if name else len(value)


def open_options(part: Pick, values: Values) -> tuple[Option, ...]:
    """The options that can be picked after earlier choices."""
    held = [one for one in part.options if all(_is_met(when, values) for when in one.when)]
    plain = tuple(one for one in held if not one.otherwise)
    return plain or tuple(held)


def _is_met(when: When, values: Values) -> bool:
    return when.low <= number(values, when.part, when.name) <= when.high


def fault(choice: Choice, values: Values) -> Value:
    """Why these values do not fit the family; empty if they do."""
    for part in choice.parts:
        wrong = part.name not in values or part_fault(part, values)
        if wrong:
            return wrong if wrong is not True else t("{name} is missing", name=part.name)
    for limit in choice.limits:
        total = sum(term.times * number(values, term.part, term.name) for term in limit.terms)
        if not limit.low <= total <= limit.high:
            terms = " + ".join(term.part for term in limit.terms)
            return limit.why or t("{terms} is out of range", terms=terms)
    return ""


def part_fault(part: Part, values: Values) -> Value:
    """Why the value of a part does not fit; empty if it does."""
    value = values[part.name]
    match part:
        case Pick():
            fits = any(one.text == value for one in open_options(part, values))
        case Number(low=low, high=high):
            fits = type(value) is int and low <= value <= high
        case Amounts(most=most):
            fits = isinstance(value, Mapping) and all(
                type(n) is int and 0 <= n <= most.get(name, 0) for name, n in value.items()
            )
        case Ranking(names=names, least=least):
            fits = isinstance(value, list | tuple) and all(one in names for one in value)
            fits = fits and len(set(value)) == len(value) >= least
        case Free(longest=longest):
            fits = isinstance(value, str) and 0 < len(value) <= longest
    return "" if fits else t("{ask}: that is not possible", ask=part.ask)


def build(choice: Choice, values: Values) -> Any:
    """The move as JSON."""
    if not choice.parts:
        return msgspec.json.decode(msgspec.json.encode(choice.move))
    return _fill(choice.form, {part.name: _json(part, values[part.name]) for part in choice.parts})


def _json(part: Part, value: Any) -> Any:
    if isinstance(part, Pick):
        return next(one.value for one in part.options if one.text == value)
    if isinstance(part, Amounts):
        if part.listed:
            return [name for name in part.listed for _ in range(value.get(name, 0))]
        return {name: n for name, n in value.items() if n}
    return list(value) if isinstance(part, Ranking) else value


def _fill(form: Any, holes: Mapping[str, Any]) -> Any:
    if isinstance(form, dict):
        if form.keys() == {"$"}:
            return holes[form["$"]]
        filled = {key: _fill(value, holes) for key, value in form.items()}
        return {key: value for key, value in filled.items() if value is not msgspec.UNSET}
    if isinstance(form, list | tuple):
        return [value for item in form if (value := _fill(item, holes)) is not msgspec.UNSET]
    return form


def find(choice: Choice, move: Any) -> Values | None:
    """The values that build this move (as JSON); None if it is not in the family."""
    if not choice.parts:
        return {} if build(choice, {}) == move else None
    for values in islice(_read(choice, {}, choice.parts, move), 1):
        return values
    return None


def _read(choice: Choice, values: dict[str, Any], left: tuple[Part, ...], move: Any) -> Iterator[Values]:
    if not left:
        if not fault(choice, values) and build(choice, values) == move:
            yield values
        return
    part, *more = left
    for value in _candidates(part, choice.form, move):
        chosen = values | {part.name: value}
        if not part_fault(part, chosen):
            yield from _read(choice, chosen, tuple(more), move)


def _candidates(part: Part, form: Any, move: Any) -> Iterator[Any]:
    """Values of a part that could build the move."""
    if isinstance(part, Pick):
        there = [*_under(form, part.name, move)]
        fits = (one.text for one in part.options if one.value is msgspec.UNSET or one.value in there)
        yield from dict.fromkeys(fits)
        return
    for value in _under(form, part.name, move):
        if isinstance(part, Amounts) and part.listed and isinstance(value, list):
            yield {name: value.count(name) for name in part.most if name in value}
        elif isinstance(value, {Number: int, Free: str, Ranking: list, Amounts: dict}[type(part)]):
            yield value


def _under(form: Any, name: str, move: Any) -> Iterator[Any]:
    """What the move has where the form has this hole; in a list, holes before it may have been removed."""
    if form == {"$": name}:
        yield move
    elif isinstance(form, dict) and isinstance(move, dict):
        for key in form.keys() & move.keys():
            yield from _under(form[key], name, move[key])
    elif isinstance(form, list | tuple) and isinstance(move, list):
        for inner, item in product(form, move):
            yield from _under(inner, name, item)


def sample(choice: Choice, below: Callable[[int], int], tries: int = 200) -> Values | None:
    """Random values of a family; None if none were found, or a part is free."""
    for _ in range(tries):
        values: dict[str, Any] = {}
        for part in choice.parts:
            value = _chance(part, values, below)
            if value is None:
                break
            values[part.name] = value
        if not fault(choice, values):
            return values
    return None


def _chance(part: Part, values: Values, below: Callable[[int], int]) -> Any:
    match part:
        case Pick():
            found = open_options(part, values)
            return found[below(len(found))].text if found else None
        case Number(low=low, high=high):
            return low + below(high - low + 1) if high >= low else None
        case Amounts(most=most):
            few = below(2)
            return {
                name: n for name in most if (n := below(min(most[name], 1 if few else MANY) + 1) if not below(3) else 0)
            }
        case Ranking(names=names, least=least):
            left, size = list(names), least + below(len(names) - least + 1)
            return [left.pop(below(len(left))) for _ in range(size)]
        case Free():
            return None


def drawn(choice: Choice, moves: object, below: Callable[[int], int]) -> Any:
    """A random move of one line of the list, of the type `moves`; None if none was found."""
    values = sample(choice, below)
    return None if values is None else msgspec.convert(build(choice, values), moves)


def any_move(choices: Sequence[Choice], moves: object, below: Callable[[int], int]) -> Any:
    """Any line of the list of legal moves, and any move of its family."""
    choice = choices[below(len(choices))]
    return drawn(choice, moves, below) or choice.move
