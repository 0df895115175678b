"""What help looks like: an example for each command, and all commands on one screen."""

import re
from itertools import zip_longest
from typing import Any

from typer.core import TyperCommand, TyperGroup

from referee.cli import w
from referee.language import ENGLISH, current_language, mark, run

OPTIONS = {
    "--language en|de|nl": mark("your language"),
    "--version": mark("print version"),
    "--install-completion": mark("for your shell"),
    "-h, --help": mark("for any command"),
}
"""Options of the program, as its help lists them."""
COLUMN = 39


class Translated:
    """Help in the reader's language, translated when somebody asks for it."""

    help: str | None

    def get_help(self, ctx: Any) -> Any:
        if current_language() != ENGLISH:
            from referee.cli.library import Formatter, translate

            translate(self)
            ctx.formatter_class = Formatter
        return super().get_help(ctx)  # type: ignore[misc]

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        if current_language() != ENGLISH:
            from referee.cli.library import translate

            translate(self)
        return super().shell_complete(ctx, incomplete)  # type: ignore[misc]

    def get_short_help_str(self, limit: int = 0) -> str:
        """A list shows the first clause of a command's help; the library would cut it anywhere."""
        return re.split(r"[.:;](?=\s|\Z)", w(self.help or ""), maxsplit=1)[0]


class Example(Translated):
    """Help that ends with commands to copy: their lines stay as they are."""

    epilog: str | None

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        with formatter.section("Example"):
            for line in (self.epilog or "").splitlines():
                formatter.write(f"  {line}\n")


class Leaf(Example, TyperCommand):
    """A command."""


class Group(Example, TyperGroup):
    """A group of commands."""


class Root(Translated, TyperGroup):
    """The program: its help shows all commands by role, in two columns that fit a terminal of 80 by 24."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        from referee.cli.app import ROLES

        roles = {name: {one: help for one, (_, help) in commands.items()} for name, commands in ROLES.items()}
        blocks = [_block(w(name), commands) for name, commands in (roles | {mark("Options"): OPTIONS}).items()]
        left, right = [*blocks[0], *blocks[1], *blocks[-1]], [line for block in blocks[2:-1] for line in block]
        formatter.write_paragraph()
        for one, other in zip_longest(left, right, fillvalue=""):
            formatter.write(f"{one:{COLUMN}} {other}".rstrip() + "\n")

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        formatter.write(w("Example: {run} explains a command.", run=run("show", "--help")) + "\n")


def _block(title: str, rows: dict[str, str]) -> list[str]:
    """A heading and its lines."""
    widest = max(map(len, rows))
    return [f"{title}:", *(f"  {name:{widest}}  {w(help)}" for name, help in rows.items())]
