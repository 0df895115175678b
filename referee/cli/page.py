"""The command that makes pages for a browser."""

from typing import Annotated, Any

import typer

from referee.cli import complete, t, w
from referee.cli.common import DryOption, out, read_document, refuse_same, say, sent, write_out
from referee.errors import Usage

_OF_A_GAME = "Of a game's page, instead of your own."
LanguageOption = Annotated[
    str | None,
    typer.Option("--language", metavar="en|de|nl", help=_OF_A_GAME, autocompletion=complete.languages),
]


def page(
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="[FILE]",
            help="Of this game: your view, or a transcript; - for standard input.",
            autocompletion=complete.files("view", "transcript"),
        ),
    ] = None,
    player: Annotated[
        bool, typer.Option("--player", help="The page with which players check and answer; the same for everybody.")
    ] = False,
    hashes: Annotated[
        bool, typer.Option("--hash", help="Print the SHA-256 of the player's page and of its verifier.")
    ] = False,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE", help="The page; - prints it. Default: a telling name."),
    ] = None,
    language: LanguageOption = None,
    dry: DryOption = False,
) -> None:
    """Make a page for a browser: of one game, to step through it, or for players, to check and answer any game."""
    from referee.page import assemble

    if (file is not None) + player + hashes != 1:
        raise Usage(
            t("this needs one of three: a view or transcript, --player, or --hash"), t("give exactly one of them")
        )
    if language is not None and file is None:
        raise Usage(t("the player's page speaks all languages"), t("leave --language out: the page has a switch"))
    if hashes:
        for name, digest in assemble.hashes().items():
            out(f"{digest}  {name}")
        return
    if file is None:
        path = output or "player.html"
        write_out(path, assemble.player_page(), dry=dry)
        told = w(
            "Next: open {file} in a browser; `referee page --hash` says what its SHA-256 must be.", file=sent(path)
        )
    else:
        path, data, secret = _in_language(language, file, output)
        refuse_same(path, file, None)
        write_out(path, data, secret=secret, dry=dry)
        told = w("Next: open {file} in a browser.", file=sent(path))
        if secret:
            told = w("Next: open {file} in a browser; it shows a hand: send it to nobody.", file=sent(path))
    if output != "-" and not dry:
        say(told)


def _in_language(language: str | None, file: str, output: str | None) -> tuple[str, bytes, bool]:
    from referee.io.language import choose
    from referee.language import speaking, spoken

    with speaking(choose(language) if language else spoken()):
        return _reading(file, output)


def _reading(file: str, output: str | None) -> tuple[str, bytes, bool]:
    """The page of a game, its name, and whether it shows a hand."""
    from referee.cli.look import see
    from referee.evidence.identify import document_kind
    from referee.evidence.replay import open_transcript
    from referee.io.files import file_name
    from referee.page import reading

    data = read_document(file, "view", "transcript")
    if document_kind(data) == "transcript":
        chain: Any = open_transcript(data)
        return (
            output or f"{chain.table.id[:8]}.html",
            reading.page_of(reading.reading_of_transcript(data, chain)),
            False,
        )
    opened = see(file, data)
    table = opened.table
    name = file_name(table.id, opened.round, opened.seat, table.names, "view").replace(".view.json", ".html")
    return output or name, reading.page_of(reading.reading_of_view(opened)), opened.view.seat is not None
