"""The texts of the command line library in the reader's language; the library itself is in English only."""

import re
from typing import Any

import typer

from referee.cli import t, w
from referee.language import mark
from referee.library.values import placeholder

HELP = (
    mark("Arguments"), mark("Options"), mark("Commands"), mark("required"), mark("Show this message and exit."),
    mark("Example"),
)  # fmt: skip
FORMS = {
    "<int>": t("<number>"), "<int range>": t("<number>"), "<float>": t("<number>"),
    "<float range>": t("<number>"), "<str>": t("<text>"),
}  # fmt: skip
"""How the library calls values whose options give them no name."""


class Formatter(typer.Context.formatter_class):  # type: ignore[misc, valid-type]
    """Writes help as the library does."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        super().write_usage(prog, args, w("Usage: "))

    def write_heading(self, heading: str) -> None:
        super().write_heading(w(heading))

    def write_dl(self, rows: Any, *more: Any, **others: Any) -> None:
        super().write_dl([(_form(first), _help_text(second)) for first, second in rows], *more, **others)


def translate(command: Any) -> None:
    """Let a command show its help in the reader's language."""
    command.options_metavar = w("[OPTIONS]")
    if command.help:
        command.help = w(command.help)
    for one in command.params:
        if getattr(one, "help", None):
            one.help = w(one.help)
        if one.metavar:
            one.metavar = placeholder(one.metavar)
    if hasattr(command, "commands"):
        command.subcommand_metavar = w("COMMAND [ARGS]...")


def _form(name: str) -> str:
    """An option with what stands for its value."""
    return re.sub(r"<[a-z ]+>\Z", lambda found: str(FORMS.get(found[0], found[0])), name)


def _help_text(text: str) -> str:
    """What a line of help says, with what the library adds to it in brackets."""
    help, bracket, added = text.rpartition("[")
    if not bracket or not text.endswith("]"):
        return w(text)
    return f"{help}[{'; '.join(map(_extra, added[:-1].split('; ')))}]"


def _extra(text: str) -> str:
    default = text.removeprefix("default: ")
    return w("default: {default}", default=default) if default != text else w(text)
