"""Where nothing can be proved: a player's claim, an arbiter's ruling."""

from typing import Annotated

import typer

from referee.cli import complete, t, w
from referee.cli.common import (
    DryOption,
    KeyOption,
    ViewArgument,
    find_document,
    load_key,
    read_document,
    say,
    sent,
    stdin_once,
    write_new,
)
from referee.errors import Usage


def rule(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...",
            help="The evidence: proofs, views, transcripts, claims, moves, receipts of one game, or mails with them.",
            autocompletion=complete.files("proof", "view", "transcript", "claim", "receipt", "move", mail=True),
        ),
    ],
    verdict: Annotated[str, typer.Option("--verdict", metavar="TEXT", help="What you decide, in your words.")],
    ranks: Annotated[
        str | None,
        typer.Option("--ranks", metavar="1,2,2", help="The result as you decide it: a rank per seat, in seat order."),
    ] = None,
    output: Annotated[str | None, typer.Option("-o", metavar="FILE", help="The ruling; - to print it.")] = None,
    dry: DryOption = False,
    key: KeyOption = None,
) -> None:
    """Decide as an arbiter: a signed ruling over the evidence that you name."""
    from referee.evidence.rulings import make_ruling, read_ruling
    from referee.library.disputes import evidence
    from referee.show.documents import ruling_lines

    stdin_once(paths)
    files = {path: find_document(path)[1] for path in paths}
    genesis = evidence(files)
    made = make_ruling(load_key(key), genesis, [*files.values()], verdict, _places(ranks))
    found = read_ruling(made)
    path = output or f"{found.table.id[:8]}-{found.ruling.key[:6]}.ruling.json"
    write_new(path, made, dry=dry)
    _tell(ruling_lines(made), w("Next: send {file} to everybody at that table.", file=sent(path)), dry)


def _tell(lines: list[str], send: str, dry: bool) -> None:
    for line in lines:
        say(line)
    say(w("Next: run it again without --dry-run.") if dry else send)


def _places(text: str | None) -> tuple[int, ...]:
    parts = text.split(",") if text is not None else []
    if not all(part.strip().isdecimal() and len(part) < 4 for part in parts):
        raise Usage(t("ranks are numbers"), t("give one for each seat, in seat order: 1,2,2"))
    return tuple(int(part) for part in parts)


def claim(
    view: ViewArgument,
    move: Annotated[
        str, typer.Argument(metavar="MOVE", help="The move that you sent.", autocompletion=complete.files("move"))
    ],
    date: Annotated[str, typer.Option("--sent", metavar="TIME", help="When you sent it: 2026-12-24T18:00Z.")],
    output: Annotated[str | None, typer.Option("-o", metavar="FILE", help="The claim; - to print it.")] = None,
    dry: DryOption = False,
    key: KeyOption = None,
) -> None:
    """State, signed, that you sent a move on that date: something for an arbiter to weigh."""
    from referee.crypto.codec import decode
    from referee.engine import records as r
    from referee.engine.player import read_view
    from referee.evidence.rulings import make_claim, read_claim
    from referee.io.files import file_name
    from referee.io.times import read_time
    from referee.show.documents import claim_lines

    stdin_once([view, move])
    seen = read_view(read_document(view, "view"))
    file = decode(read_document(move, "move"), r.MoveFile, "move")
    read_time(date)
    made = make_claim(load_key(key), seen, file, date)
    found = read_claim(made)
    path = output or file_name(found.table.id, found.move.round, found.move.seat, found.table.names, "claim")
    write_new(path, made, dry=dry)
    send = w("Next: send {file} to the arbiter; a mail office that hosts the game counts it too.", file=sent(path))
    _tell(claim_lines(made), send, dry)
