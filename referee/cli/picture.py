"""The command that draws a position as a picture file."""

import os
from typing import Annotated, Any

import typer

from referee.cli import complete, t, w
from referee.cli.common import DryOption, read_document, refuse_same, say, sent, write_out
from referee.errors import Usage

NARROW, WIDE = 100, 2000


def picture(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="Your view, or a transcript; - for standard input.",
            autocompletion=complete.files("view", "transcript"),
        ),
    ],
    number: Annotated[
        int | None, typer.Option("--round", metavar="N", help="After this round. Default: the last.")
    ] = None,
    seat: Annotated[
        str | None,
        typer.Option(
            "--seat",
            metavar="NAME",
            help="Of a transcript: as this player saw it. Default: what everybody saw.",
            autocompletion=complete.seats,
        ),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE", help="A file that ends in .svg or .png; - prints the SVG."),
    ] = None,
    width: Annotated[
        int | None, typer.Option("--width", min=NARROW, max=WIDE, help="Of a PNG, in pixels. Default: 600.")
    ] = None,
    dry: DryOption = False,
) -> None:
    """Draw a position as a picture: of a view, what its player may see; of a transcript, also what a player saw."""
    from referee.show import pictures

    kind = _kind(output, width)
    chain, known = _looked_at(file, number, seat)
    drawn = pictures.svg(chain, known)
    data = pictures.png(drawn, width or pictures.WIDTH) if kind == ".png" else drawn.encode()
    path = output or _name(chain, known, number)
    refuse_same(path, file, None)
    # What a player sees shows a hand, as a view does.
    write_out(path, data, secret=known.seat < chain.table.seats, dry=dry)
    if path != "-" and not dry:
        say(w("Next: look at {file}.", file=sent(path)))


def _kind(output: str | None, width: int | None) -> str:
    """What is wanted, by the name of the file."""
    kind = ".svg" if output in (None, "-") else os.path.splitext(output or "")[1].lower()
    if kind not in (".svg", ".png"):
        raise Usage(t("a picture is an SVG or a PNG"), t("choose a name that ends in .svg or .png with -o"))
    if width is not None and kind == ".svg":
        raise Usage(t("an SVG fits any width"), t("leave --width out, or choose a name that ends in .png with -o"))
    return kind


def _looked_at(file: str, number: int | None, seat: str | None) -> tuple[Any, Any]:
    """The game in a file, and what is to be seen of it."""
    from referee.cli.look import see
    from referee.evidence.identify import document_kind
    from referee.evidence.replay import open_transcript
    from referee.io.desk import find_seat
    from referee.show import pictures

    data = read_document(file, "view", "transcript")
    if document_kind(data) == "view":
        opened = see(file, data)
        if seat is not None and find_seat(opened.table.names, seat) != opened.seat:
            raise Usage(t("a view shows what its own player sees"), t("leave --seat out, or give that player's view"))
        return opened.chain, pictures.seen_in_view(opened, number)
    chain: Any = open_transcript(data)
    who = None if seat is None else find_seat(chain.table.names, seat)
    return chain, pictures.seen_in_transcript(chain, number, who)


def _name(chain: Any, known: Any, number: int | None) -> str:
    """`be4f2750-r012-anna.svg`, or without the player if it shows what everybody sees."""
    from referee.io.files import slug

    table = chain.table
    whose = f"-{slug(known.seat, table.names)}" if known.seat < table.seats else ""
    return f"{table.id[:8]}-r{number or len(chain.rounds):03}{whose}.svg"
