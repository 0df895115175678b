"""All commands of `referee`, in the order a game meets them."""

from typing import Annotated

import typer

from referee import __version__
from referee.cli import anyone, author, host, lobby, player
from referee.cli.common import out

app = typer.Typer(
    help="Referee for board games by mail: signed moves, draws that everybody can check, one view per player.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        out(f"referee {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    pass


keys = typer.Typer(help="Make and show your key.", no_args_is_help=True, rich_markup_mode=None)
keys.command("new")(lobby.key_new)
keys.command("show")(lobby.key_show)

app.command()(anyone.demo)
app.command()(anyone.games)
app.command()(anyone.rules)
app.add_typer(keys, name="key")
app.command()(lobby.offer)
app.command()(lobby.join)
app.command()(lobby.start)
app.command()(player.play)
app.command()(host.apply)
app.command()(host.status)
app.command()(host.view)
app.command()(host.timeout)
app.command()(player.show)
app.command()(player.moves)
app.command()(player.audit)
app.command()(host.reveal)
app.command()(anyone.verify)
app.command()(author.leaks)
app.command()(anyone.schema)
