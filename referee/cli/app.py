"""All commands of `referee`, by the role of whoever uses them."""

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, Signature, cleandoc, signature
from typing import Any, get_type_hints

import typer

from referee import __version__
from referee.cli import import_lazily
from referee.cli.common import language_option, out
from referee.cli.help import Group, Leaf, Root
from referee.language import mark

ROLES = {
    mark("Learn"): {
        "practice": ("practice", mark("play against bots")),
        "demo": ("anyone", mark("watch bots play a game")),
        "manual": ("anyone", mark("read the manual")),
        "games": ("anyone", mark("list or explain games")),
        "rules": ("anyone", mark("read the rules of a game")),
    },
    mark("Play"): {
        "key": ("lobby", mark("make or show your key")),
        "join": ("lobby", mark("join a game, take a seat")),
        "play": ("player", mark("answer: sign your move")),
        "open": ("window", mark("play in a browser window")),
        "inbox": ("look", mark("see which games wait")),
        "show": ("look", mark("look at any file")),
        "page": ("look", mark("play or read in a browser")),
    },
    mark("Host"): {
        "host": ("hosting", mark("start hosting by mail")),
        "offer": ("lobby", mark("offer a game")),
        "start": ("lobby", mark("seat the players")),
        "apply": ("host", mark("apply moves and timeouts")),
        "reveal": ("host", mark("end with a transcript")),
        "recover": ("host", mark("rebuild a game file")),
        "mail": ("mail", mark("run an office, see tables")),
    },
    mark("Check"): {
        "verify": ("evidence", mark("check any files")),
        "audit": ("look", mark("check a game from your view")),
        "dispute": ("evidence", mark("prove, claim, rule")),
    },
    mark("Write bots and games"): {
        "tournament": ("tournament", mark("let bots compete")),
        "bot": ("bot", mark("try or check a bot")),
        "new-game": ("author", mark("start a game of your own")),
        "conform": ("author", mark("test an implementation")),
    },
}
"""Role -> its commands: the module of each, and its line in the help."""
COMMANDS = {name: module for commands in ROLES.values() for name, (module, _) in commands.items()}
GROUPS = {
    "key": (
        "Print the public half of your key; `key new` makes one.\n\nExample: referee key --key player-key.json",
        ("new",),
    ),
    "mail": (
        "Host games by mail: an office reads mails, judges them, answers, reminds and sends.\n\n"
        "Example: referee mail run office",
        ("run", "status", "table"),
    ),
    "tournament": (
        "Tournaments of bots that anybody can check.\n\nExample: referee tournament run cup.toml -o cup",
        ("run", "next", "enter", "check", "extract"),
    ),
}
"""Command -> its help, and the commands below it."""


def build(only: str = "") -> typer.Typer:
    """The program with all its commands, or only with the one that is run: preparing the others takes longer than most
    of them run."""
    app = typer.Typer(
        help="Referee for board games by mail: signed moves, verifiable draws.",
        cls=Root,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_root)
    for name in [only] if only in COMMANDS else COMMANDS:
        module = import_lazily(f"referee.cli.{COMMANDS[name]}")
        if name not in GROUPS:
            _add(app, name, getattr(module, name.replace("-", "_")))
            continue
        text, commands = GROUPS[name]
        alone = getattr(module, name, None)
        help, _, example = text.partition("\n\nExample: ")
        group = typer.Typer(help=help, epilog=example, cls=Group, rich_markup_mode=None, no_args_is_help=not alone,
                            invoke_without_command=bool(alone), callback=alone)  # fmt: skip
        for word in commands:
            _add(group, word, getattr(module, f"{name}_{word}"))
        app.add_typer(group, name=name)
    return app


def _add(app: typer.Typer, name: str, command: Callable[..., None]) -> None:
    """Its docstring is its help, and ends with an example."""
    help, _, example = cleandoc(command.__doc__ or "").partition("\n\nExample: ")
    app.command(name, cls=Leaf, help=help, epilog=example)(spread(command))


def spread(command: Callable[..., None]) -> Callable[..., None]:
    """A command as the command line library takes it: each option of a group (a NamedTuple with a field for every
    option, which several commands share) is a parameter."""
    hints = get_type_hints(command, include_extras=True)
    groups = {name: kind for name, kind in hints.items() if hasattr(kind, "_fields")}
    if not groups:
        return command

    @wraps(command)
    def call(**given: object) -> None:
        for name, kind in groups.items():
            given[name] = kind(**{field: given.pop(field) for field in kind._fields})
        command(**given)

    parameters = list[Parameter]()
    for name, one in signature(command).parameters.items():
        if name not in groups:
            parameters.append(one.replace(annotation=hints[name]))
            continue
        defaults = groups[name]._field_defaults
        for field, hint in get_type_hints(groups[name], include_extras=True).items():
            default = defaults.get(field, Parameter.empty)
            parameters.append(Parameter(field, Parameter.KEYWORD_ONLY, default=default, annotation=hint))
    call.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    call.__annotations__ = {one.name: one.annotation for one in parameters}
    return call


def command(only: str = "") -> Any:
    """The program as the library runs it."""
    return typer.main.get_command(build(only))


def _version(wanted: bool) -> None:
    if wanted:
        out(f"referee {__version__}")
        raise typer.Exit


def _root(
    language: str | None = language_option("The language you read. Default: REFEREE_LANGUAGE, else your locale."),
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version and stop."
    ),
) -> None:
    """The language is already chosen; an unknown one is refused here."""
    from referee.io.language import choose

    choose(language)
