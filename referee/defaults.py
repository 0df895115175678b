"""What a game does where its author writes nothing. All of it follows from the moves that `legal` describes.

The text of a move is its tag, the values of its required fields in order, then name and value of each optional field
that differs from its default: `raid 2 07, loud yes`. Values are words, numbers, `yes` and `no`, `none`, lists of them,
and amounts (`2 red 1 blue`). A move of another shape needs its own `text` and `parse`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from referee.errors import IllegalMove
from referee.forms import Choice, any_move, find
from referee.language import t

if TYPE_CHECKING:
    from msgspec.inspect import Field, StructType, Type

Legal = Callable[[Any, Any], Sequence[Choice]]
"""A game's `legal`: from terms and what a seat sees."""


def random_move(legal: Legal, form: object, terms: object, seen: object, below: Callable[[int], int]) -> Any:
    """A bot: any line of the list, and any move of its family."""
    return any_move(legal(terms, seen), form, below)


def check(legal: Legal, terms: object, seen: object, move: object) -> None:
    """A move is legal if `legal` describes it."""
    plain = msgspec.json.decode(msgspec.json.encode(move))
    if not any(find(choice, plain) is not None for choice in legal(terms, seen)):
        raise not_legal()


def not_legal(clause: str = "") -> IllegalMove:
    """The refusal of a move that `legal` does not describe."""
    return IllegalMove(clause, t("this move is not legal now"))


def tell(sentences: Mapping[str, str], terms: object, note: Any) -> str:
    """The sentence for a note; without one, its word and its values."""
    if note.what in sentences:
        return sentences[note.what].format(**note.values)
    values = (f"@{value}" if name == "seat" else f"{name} {value}" for name, value in note.values.items())
    return f"{note.what}: {', '.join(values)}" if note.values else str(note.what)


# --- moves as people type them ---------------------------------------------------------------------------------------


def text(move: msgspec.Struct) -> str:
    """A move in words."""
    tag, optional = move.__struct_config__.tag, []
    words = [] if tag is None else [str(tag)]
    for field in msgspec.structs.fields(move):
        value = getattr(move, field.name)
        if field.required:
            words.append(_value_text(value))
        elif value != (field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()):
            optional.append(f"{field.name} {_value_text(value)}".rstrip())
    return ", ".join(filter(None, (" ".join(words), *optional)))


def _value_text(value: object) -> str:
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    if isinstance(value, Mapping):
        return " ".join(f"{number} {name}" for name, number in value.items())
    return " ".join(map(_value_text, value)) if isinstance(value, tuple | list) else str(value)


def parse(legal: Legal, form: Any, terms: object, seen: object, line: str) -> Any:
    """The move that a person typed: a line of the list, or the text of a move."""
    choices, words, folded = legal(terms, seen), _words(line), _words(line.casefold())
    for choice in choices:
        if not choice.parts and folded == _words(choice.text.casefold()):
            return choice.move
    for kind in kinds(form):
        tag = [] if kind.tag is None else [str(kind.tag)]
        if folded[: len(tag)] == tag:
            try:
                return msgspec.convert(_json(kind, words[len(tag) :]), form, strict=False)
            except (msgspec.ValidationError, ValueError):
                continue
    example = text(choices[0].move) if choices else ""
    advice = t("write for example `{example}`", example=example) if example else t("nothing is asked of you now")
    raise IllegalMove("", t("these words are not a move"), advice)


def _words(line: str) -> list[str]:
    return line.replace(",", " ").split()


def kinds(form: Any) -> "list[StructType]":
    """The structs that a move can be."""
    from msgspec.inspect import StructType, UnionType, type_info

    info = type_info(form)
    kinds = info.types if isinstance(info, UnionType) else (info,)
    return [kind for kind in kinds if isinstance(kind, StructType)]


def _json(kind: "StructType", words: Sequence[str]) -> dict[str, object]:
    """The fields that these words give. The last required field takes all words before the first optional one; the
    names of required fields may be left out."""
    required = [field for field in kind.fields if field.required]
    for field in required:
        if field.name in words and len(words) > len(required):
            words = [*words[: words.index(field.name)], *words[words.index(field.name) + 1 :]]
    optional = {field.name: field for field in kind.fields if not field.required}
    given: dict[str, list[str]] = {}
    here: list[str] = []
    for at, word in enumerate(words):
        if at >= len(required) and word.casefold() in optional and word.casefold() not in given:
            here = given.setdefault(word.casefold(), [])
        elif at < len(required):
            here = given.setdefault(required[at].name, [word])
        elif given:
            here.append(word)
        else:
            raise ValueError(word)
    fields: dict[str, Field] = {field.name: field for field in required} | optional
    found: dict[str, object] = {name: _value(fields[name].type, said) for name, said in given.items()}
    return found | ({kind.tag_field: kind.tag} if kind.tag_field else {})


def _value(kind: "Type", words: list[str]) -> object:
    """Words as JSON of a type; texts that are numbers are converted with the move."""
    from msgspec import inspect

    kinds = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
    plain = [one.type if isinstance(one, inspect.Metadata) else one for one in kinds]
    if any(isinstance(one, inspect.NoneType) for one in plain) and words == ["none"]:
        return None
    for one in plain:
        if isinstance(one, inspect.BoolType) and words in (["yes"], ["no"]):
            return words == ["yes"]
        if isinstance(one, inspect.DictType):
            amounts = dict(zip(words[1::2], words[::2], strict=True))
            return amounts if 2 * len(amounts) == len(words) else None  # None: a name twice
        if isinstance(one, inspect.ListType | inspect.VarTupleType | inspect.TupleType):
            return words
    return " ".join(words)
