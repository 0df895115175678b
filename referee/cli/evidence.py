"""Commands about evidence: what files prove (verify, dispute), and where they cannot, what players and arbiters say."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer

from referee.cli import common as c
from referee.cli import w
from referee.crypto import keys
from referee.language import mark
from referee.library import checking, completion, disputes


def verify(
    paths: list[str] = c.argument(
        "FILE...",
        "Transcripts, views, moves, receipts, extensions, proofs, rulings, claims, or folders; - for standard input.",
        completion.files("transcript", "view", "move", "receipt", "extension", "proof", "ruling", "claim"),
    ),
    jobs: c.JobsOption = 1,
    dask: str | None = c.option("--dask", "ADDRESS", "A dask scheduler whose workers see the same files."),
    json: c.JsonOption = False,
) -> None:
    """Check files completely: finished games, views, proofs, rulings; files of one game are also compared. Everybody
    gets the same answer.

    Example: referee verify transcript.json
    """
    c.refuse_stdin_twice(paths)
    found = checking.check_files(paths, jobs, dask, _progress)
    if json:
        for row in checking.rows_of(found):
            c.report(row)
    else:
        c.print_and_note(checking.lines_of(found), ())
    c.conclude(*checking.conclusion(found))


@contextmanager
def _progress(number: int) -> Iterator[Callable[[int], object]]:
    """A progress bar on a terminal."""
    if not sys.stderr.isatty() or number == 1:
        yield lambda done: None
        return
    with typer.progressbar(length=number, label="verify", file=sys.stderr) as bar:
        yield bar.update


# --- disputes ---------------------------------------------------------------------------------------------------------


def dispute(
    paths: list[str] = c.argument(
        "FILE|DIR...",
        "Views of anybody, transcripts, moves, receipts, extensions, offers, joins, claims, proofs, saved "
        "mails; - for standard input.",
        completion.files("view", "transcript", "move", "receipt", "extension", "proof", "claim", mail=True),
    ),
    date: str | None = c.option(
        "--sent",
        "TIME",
        "Sign a claim instead, for an arbiter: that you sent this move then. Give your view and the move.",
    ),
    verdict: str | None = c.option(
        "--verdict", "TEXT", "Sign a ruling instead, as the arbiter, over these files: what you decide."
    ),
    ranks: str | None = c.option("--ranks", "1,2,2", "With --verdict: the result, a rank per seat, in seat order."),
    output: str | None = c.option(
        "-o", "FILE|DIR", "Folder for the proofs, or file for the claim or ruling; - prints it."
    ),
    dry: bool = c.flag("--dry-run", "Check everything, sign and write nothing."),
    json: c.JsonOption = False,
    key: c.KeyOption = None,
) -> None:
    """Find out what happened from whatever files there are, and write a proof of each offence. Where nothing can be
    proved: sign a claim, or rule as an arbiter.

    Example: referee dispute evidence/ -o proofs
    referee dispute anna.view.json anna.move.json --sent 2026-12-24T18:00Z
    referee dispute evidence/*.json --verdict "The move counts." --ranks 1,2
    """
    c.chosen({"--sent": date, "--verdict": verdict})
    c.refuse_without({"--ranks": ranks}, "--verdict", verdict is not None)
    c.refuse_stdin_twice(paths)
    if date is None and verdict is None:
        return _run_dispute(paths, output, dry, json)

    def mine() -> keys.Key:
        return c.load_key(key)

    send = mark("Next: send {file} to everybody at that table.")
    if date is not None:
        send = mark("Next: send {file} to the arbiter; a mail office that hosts the game counts it too.")
        made = disputes.claim(paths, date, mine)
    else:
        made = disputes.rule(paths, verdict or "", ranks, mine)
    path = output or made.file
    c.write_out(path, made.data, new=True, dry=dry)
    c.print_and_note((), made.lines)
    return c.next_step(w(send, file=c.sent(path)), dry)


def _run_dispute(paths: list[str], output: str | None, dry: bool, json: bool) -> None:
    found, aside = disputes.dispute(paths, "" if output in (None, ".") else output, dry=dry)
    if json:
        proofs = sorted({path for game in found for _, path in game.shown if path})
        c.report({"games": [disputes.data_of(game) for game in found], "aside": aside, "proofs": proofs})
    else:
        c.print_and_note((line for game in found for line in disputes.lines_of(game)), ())
        c.print_and_note((w("skipped: {what}", what=note) for note in aside), ())
    c.conclude(*disputes.conclusion(found))
