"""What the command line library says by itself, in the reader's language; it speaks only English."""

import re
from ast import literal_eval
from typing import Any

import typer

from referee.cli import t, w
from referee.language import Text, Value, mark, printable, quoted
from referee.library.values import placeholder

HELP = (
    mark("Arguments"), mark("Options"), mark("Commands"), mark("required"), mark("Show this message and exit."),
)  # fmt: skip
FORMS = {
    "<int>": t("<number>"), "<int range>": t("<number>"), "<float>": t("<number>"),
    "<float range>": t("<number>"), "<str>": t("<text>"),
}  # fmt: skip
"""How the library calls values whose options give them no name."""
_NUMBERS = {
    "int": mark("{value} is not a valid int."), "float": mark("{value} is not a valid float."),
    "int range": mark("{value} is not a valid int range."), "float range": mark("{value} is not a valid float range."),
}  # fmt: skip


class Formatter(typer.Context.formatter_class):  # type: ignore[misc, valid-type]
    """Writes help as the library does."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        super().write_usage(prog, args, w("Usage: "))

    def write_heading(self, heading: str) -> None:
        super().write_heading(w(heading))

    def write_dl(self, rows: Any, *more: Any, **others: Any) -> None:
        super().write_dl([(_form(first), _told(second)) for first, second in rows], *more, **others)


class Context(typer.Context):
    formatter_class = Formatter


def translate(command: Any) -> None:
    """Let a command, and all below it, show its help in the reader's language."""
    command.context_class = Context
    command.options_metavar = w("[OPTIONS]")
    if command.help:
        command.help = w(command.help)
    for one in command.params:
        if getattr(one, "help", None):
            one.help = w(one.help)
        if one.metavar:
            one.metavar = placeholder(one.metavar)
    for other in getattr(command, "commands", {}).values():
        command.subcommand_metavar = w("COMMAND [ARGS]...")
        translate(other)


def _form(name: str) -> str:
    """An option with what stands for its value."""
    return re.sub(r"<[a-z ]+>\Z", lambda found: str(FORMS.get(found[0], found[0])), name)


def _told(text: str) -> str:
    """What a line of help says, with what the library adds to it in brackets."""
    told, bracket, added = text.rpartition("[")
    if not bracket or not text.endswith("]"):
        return w(text)
    return f"{told}[{'; '.join(map(_extra, added[:-1].split('; ')))}]"


def _extra(text: str) -> str:
    default = text.removeprefix("default: ")
    return w("default: {default}", default=default) if default != text else w(text)


# --- complaints ------------------------------------------------------------------------------------------------------


def complaint(error: Any) -> Text:
    """What the library says of a command line. It tells its kinds of errors apart, and some of what they are about;
    the rest stands only in its sentences. One that is not known here is quoted."""
    said = error.format_message()
    match type(error).__name__:
        case "NoSuchOption":
            name, possible = printable(error.option_name), tuple(sorted(error.possibilities or ()))
            if possible:
                return t("No such option: {name} (Possible options: {others})", name=name, others=possible)
            return t("No such option: {name}", name=name)
        case "BadOptionUsage" if said.endswith(" requires an argument."):
            return t("Option {name} requires an argument.", name=quoted(error.option_name))
        case "BadOptionUsage" if said.endswith(" does not take a value."):
            return t("Option {name} does not take a value.", name=quoted(error.option_name))
        case "MissingParameter" if error.param.param_type_name == "argument":
            return t("Missing argument {name}.", name=_name(error.param))
        case "MissingParameter":
            return t("Missing option {name}.", name=_name(error.param))
        case "BadParameter" if error.param:
            return t("Invalid value for {name}: {why}", name=_name(error.param), why=_why(error))
        case "UsageError" if said == "Missing command.":
            return t("Missing command.")
        case "UsageError" if found := re.fullmatch(r"Got unexpected extra argument\(s\) \((.*)\)", said, re.DOTALL):
            return t("Got unexpected extra argument(s) ({words})", words=found[1])
        case "UsageError" if found := re.fullmatch(r"No such command (.+?)\.(?: Did you mean (.+)\?)?", said):
            if found[2]:
                values = {"name": _read(found[1]), "others": _read(found[2])}
                return t("No such command {name}. Did you mean {others}?", **values)
            return t("No such command {name}.", name=_read(found[1]))
    return t("the command line cannot be understood: {said}", said=quoted(said))


def _name(param: Any) -> Text:
    """An option or argument, as help calls it."""
    return quoted(param.opts[0] if param.param_type_name == "option" else param.human_readable_name)


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
