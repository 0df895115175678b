"""Moves as data: what a prompt, a form or a bot in any language needs to build every legal move.

A `Choice` is one legal move, or a family of them. A family's `form` is the move as JSON with holes: `{"$": NAME}`
stands for what is chosen in the part NAME. The parts are filled in one by one, in order; then every limit must hold.
A hole whose part is left out (an option without a value) takes its member, or its place in a list, with it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice, product
from typing import Any

import msgspec

from referee.language import Value, t

MANY = 2**53 - 1

Values = Mapping[str, Any]
"""What was chosen: part -> an option's text, a number, name -> how many, a list of names, or a text."""


class _Data(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Base of everything here."""


class When(_Data, frozen=True):
    """A condition on an earlier part: its number (see `number`) lies between `low` and `high`."""

    part: str
    name: str = ""
    low: int = 1
    high: int = MANY


class Option(_Data, frozen=True):
    """A value that can be picked; without one, the hole vanishes. Open if all of `when` holds; one that is `otherwise`
    only if none of the plain options is open."""

    text: str
    value: Any = msgspec.UNSET
    when: tuple[When, ...] = ()
    otherwise: bool = False


class Pick(_Data, frozen=True, tag="pick"):
    """One of the options that are open. Those that can be open together have different texts."""

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
    """So many of each name: an object without zeros, or, if `listed` gives the names an order, a list of them in it."""

    name: str
    ask: str
    most: Mapping[str, int]
    listed: tuple[str, ...] = ()


class Ranking(_Data, frozen=True, tag="ranking"):
    """Different names, best first: at least so many, at most all."""

    name: str
    ask: str
    names: tuple[str, ...]
    least: int


class Free(_Data, frozen=True, tag="free"):
    """A text that cannot be listed; `how` says how it is judged. What is built with it may still be illegal."""

    name: str
    ask: str
    how: str
    longest: int


Part = Pick | Number | Amounts | Ranking | Free


class Term(_Data, frozen=True):
    """So many times a part's number."""

    part: str
    name: str = ""
    times: int = 1


class Limit(_Data, frozen=True):
    """The sum of all terms lies between `low` and `high`."""

    terms: tuple[Term, ...]
    low: int = -MANY
    high: int = MANY
    why: str = ""
    """In words: `costs at most 35`."""


class Choice(_Data, frozen=True):
    """One legal move, or a family: `text` is what a player types (for a family: what it is about), `move` a legal
    example. `minor` ones are left out of the short list that people get first."""

    text: str
    move: Any
    note: str = ""
    form: Any = None
    parts: tuple[Part, ...] = ()
    limits: tuple[Limit, ...] = ()
    minor: bool = False


class StandingChoices(_Data, frozen=True):
    """Standing orders: those in force, as phrases, and what can be said or taken back now."""

    now: tuple[str, ...]
    choices: tuple[Choice, ...]


class Moves(_Data, frozen=True):
    """What `show --moves --json` prints: the round that is asked, the word of the question (empty: this seat is asked
    nothing), every legal move, and the standing orders (None: the game has none)."""

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
) -> Choice:
    """The moves like an example, but with what is chosen in the parts, each of which fills the member of its name."""
    found = tuple(parts)
    form = msgspec.to_builtins(example) | {part.name: {"$": part.name} for part in found}
    return Choice(text, example, note, form, found, limits, minor)


def one_of(name: str, ask: str, values: Iterable[str]) -> Pick:
    """A pick of values that are called what they are."""
    return Pick(name, ask, tuple(Option(value, value) for value in values))


def number(values: Values, part: str, name: str = "") -> int:
    """A part as a number: the number; how many of a name, or of all; whether an option was picked, or a name listed
    (1 or 0), the length of a list or text. Without a name, an option left out is 0."""
    value = values.get(part, 0)
    if isinstance(value, int):
        return value
    if isinstance(value, Mapping):
        return int(value.get(name, 0)) if name else sum(value.values())
    if isinstance(value, list | tuple):
        return int(name in value) if name else len(value)
    return int(value == name) if name else len(value)


def open_options(part: Pick, values: Values) -> tuple[Option, ...]:
    """The options that can be picked after what was chosen before."""
    held = [one for one in part.options if all(_holds(when, values) for when in one.when)]
    plain = tuple(one for one in held if not one.otherwise)
    return plain or tuple(held)


def _holds(when: When, values: Values) -> bool:
    return when.low <= number(values, when.part, when.name) <= when.high


def fault(choice: Choice, values: Values) -> Value:
    """Why these values are none of the family's; empty if they are."""
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
    """Why the value of one part does not fit what was chosen before it."""
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
    """The values that build this move (as JSON), if the family has it."""
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
    """Values of a part that the move could come from."""
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
    """What stands in a move where the form has this hole; in a list, holes may have vanished before it."""
    if form == {"$": name}:
        yield move
    elif isinstance(form, dict) and isinstance(move, dict):
        for key in form.keys() & move.keys():
            yield from _under(form[key], name, move[key])
    elif isinstance(form, list | tuple) and isinstance(move, list):
        for inner, item in product(form, move):
            yield from _under(inner, name, item)


def sample(choice: Choice, below: Callable[[int], int], tries: int = 200) -> Values | None:
    """Values of a family picked by chance; None if none was found, or a part is free."""
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
