"""The errors of the command line library, as texts; the library itself has them only in English."""

import re
from ast import literal_eval
from typing import Any

from referee.language import Text, Value, mark, printable, quoted
from referee.library import t
from referee.library.values import placeholder

_NUMBERS = {
    "int": mark("{value} is not a valid int."), "float": mark("{value} is not a valid float."),
    "int range": mark("{value} is not a valid int range."), "float range": mark("{value} is not a valid float range."),
}  # fmt: skip


def complaint(error: Any) -> Text:
    """The errors of the library about a command line. Their classes and some of their values are data; the rest is only
    in their sentences. One that is not known here is quoted."""
    message = error.format_message()
    match type(error).__name__:
        case "NoSuchOption":
            name, possible = printable(error.option_name), tuple(sorted(error.possibilities or ()))
            if possible:
                return t("No such option: {name} (Possible options: {others})", name=name, others=possible)
            return t("No such option: {name}", name=name)
        case "BadOptionUsage" if message.endswith(" requires an argument."):
            return t("Option {name} requires an argument.", name=quoted(error.option_name))
        case "BadOptionUsage" if message.endswith(" does not take a value."):
            return t("Option {name} does not take a value.", name=quoted(error.option_name))
        case "MissingParameter" if error.param.param_type_name == "argument":
            return t("Missing argument {name}.", name=_name(error.param))
        case "MissingParameter":
            return t("Missing option {name}.", name=_name(error.param))
        case "BadParameter" if error.param:
            return t("Invalid value for {name}: {why}", name=_name(error.param), why=_why(error))
        case "UsageError" if message == "Missing command.":
            return t("Missing command.")
        case "UsageError" if found := re.fullmatch(r"Got unexpected extra argument\(s\) \((.*)\)", message, re.DOTALL):
            return t("Got unexpected extra argument(s) ({words})", words=found[1])
        case "UsageError" if found := re.fullmatch(r"No such command (.+?)\.(?: Did you mean (.+)\?)?", message):
            if found[2]:
                values = {"name": _read(found[1]), "others": _read(found[2])}
                return t("No such command {name}. Did you mean {others}?", **values)
            return t("No such command {name}.", name=_read(found[1]))
    return t("the command line cannot be understood: {said}", said=quoted(message))


def _name(param: Any) -> Text:
    """An option or argument, as help calls it."""
    return quoted(param.opts[0] if param.param_type_name == "option" else placeholder(param.human_readable_name))


def _why(error: Any) -> Text:
    """What is wrong with a value."""
    if found := re.fullmatch(r"(.+) is not a valid (int|float)( range)?\.", error.message):
        return t(_NUMBERS[error.param.type.name], value=_read(found[1]))
    if found := re.fullmatch(r"(\S+) is not in the range (.+)\.", error.message):
        return t("{value} is not in the range {range}.", value=found[1], range=found[2])
    if found := re.fullmatch(r"(.+) is not one of (.+)\.", error.message):
        return t("{value} is not one of {words}.", value=_read(found[1]), words=_read(found[2]))
    return quoted(error.message)


def _read(words: str) -> Value:
    """`'a', 'b'`, as Python writes it, in the quotes of the reader."""
    try:
        read = tuple(quoted(word) for word in literal_eval(f"[{words}]"))
    except (ValueError, SyntaxError):
        return quoted(words)
    return read[0] if len(read) == 1 else read
