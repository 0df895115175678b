"""All commands of `referee`, in the order a game meets them."""

import re
from importlib import import_module
from typing import Annotated, Any

import typer

from referee import __version__
from referee.cli.common import language_option, out
from referee.language import ENGLISH, spoken

COMMANDS = {
    "demo": "anyone", "manual": "anyone", "games": "anyone", "rules": "anyone", "key": "lobby", "offer": "lobby",
    "join": "lobby", "start": "lobby", "succeed": "player", "return": "player",
    "show": "anyone", "play": "player", "moves": "look", "log": "look", "audit": "look",
    "inbox": "look", "word": "player", "picture": "look", "page": "look", "apply": "host", "status": "host",
    "view": "host", "timeout": "host", "extend": "host", "reveal": "host", "recover": "host", "guard": "host",
    "mail": "mail", "verify": "evidence", "dispute": "evidence", "claim": "evidence", "rule": "evidence",
    "tournament": "tournament", "bot": "bot", "new-game": "newgame", "leaks": "author", "conform": "author",
    "schema": "author",
}  # fmt: skip
"""Command -> the module that has it."""
GROUPS = {
    "key": ("Make and show your key.", ("new", "show")),
    "guard": ("What this machine signed last in each game.", ("adopt",)),
}
"""Command -> its help, and the commands below it."""


def build(only: str = "") -> typer.Typer:
    """The program with all its commands, or with the one that is wanted: to prepare the others takes longer than most
    of them run."""
    app = typer.Typer(
        help="Referee for board games by mail: signed moves, draws that everybody can check, one view per player.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_root)
    for name in [only] if only in COMMANDS else COMMANDS:
        module = import_module(f"referee.cli.{COMMANDS[name]}")
        if name in GROUPS:
            told, commands = GROUPS[name]
            group = typer.Typer(help=told, no_args_is_help=True, rich_markup_mode=None)
            for word in commands:
                group.command(word)(getattr(module, f"{name}_{word}"))
            app.add_typer(group, name=name)
        elif name in ("mail", "tournament", "bot"):
            app.add_typer(module.app, name=name)
        else:
            app.command(name)(getattr(module, "come_back" if name == "return" else name.replace("-", "_")))
    return app


def command(only: str = "") -> Any:
    """The program as the library runs it, its help in the reader's language."""
    made = typer.main.get_command(build(only))
    if spoken() != ENGLISH:
        from referee.cli.library import translate

        translate(made)
    _summarise(made)
    return made


def _summarise(command: Any) -> None:
    """In a list a command is told by the first clause of its help; the library would cut it anywhere."""
    for one in getattr(command, "commands", {}).values():
        one.short_help = re.split(r"[.:;](?=\s|\Z)", one.help, maxsplit=1)[0]
        _summarise(one)


def _version(wanted: bool) -> None:
    if wanted:
        out(f"referee {__version__}")
        raise typer.Exit


def _root(
    language: Annotated[
        str | None, language_option("The language you read. Default: REFEREE_LANGUAGE, else your locale.")
    ] = None,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """The language is spoken already; here it is refused if it is none of ours."""
    from referee.io.language import choose

    choose(language)
