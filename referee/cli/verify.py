"""The command that checks what anybody hands over: verify."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli import complete, w
from referee.cli.common import JsonOption, out, say, stdin_once
from referee.cli.reports import report
from referee.errors import CheckFailed, Malformed

if TYPE_CHECKING:
    from referee.library.checking import Bad, Checks


def verify(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...",
            help="Transcripts, views, moves, receipts, extensions, proofs, rulings, claims, or folders; - for standard "
            "input.",
            autocompletion=complete.files(
                "transcript", "view", "move", "receipt", "extension", "proof", "ruling", "claim"
            ),
        ),
    ],
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="Processes to use.")] = 1,
    dask: Annotated[
        str | None,
        typer.Option("--dask", metavar="ADDRESS", help="A dask scheduler whose workers see the same files."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Check files completely: finished games, views, proofs, rulings; files of one game are also compared."""
    from referee.library.checking import Bad, check_files

    stdin_once(paths)
    found = check_files(paths, jobs, dask, _progress)
    bad = [row for row in found.rows if isinstance(row, Bad)]
    proved = sum(row.verdict == "proved" for row in bad)
    claims = sum(row.verdict == "claim" for row in found.rows)
    good = len(found.rows) - len(bad)
    if json:
        for row in found.rows:
            report(row)
        counts = {"good": good, "bad": len(bad) - proved, "proved": proved, "skipped": found.skipped, "claims": claims}
        together = [{"code": error.code, "message": error.message, "step": error.step} for error in found.together]
        report({**counts, "aside": found.ignored, "together": together})
    else:
        for row in found.rows if len(found.rows) <= 20 else bad:
            out(_bad_line(row) if isinstance(row, Bad) else w("ok  {file}: {what}", file=row.file, what=row.message))
        for error in found.together:
            out(w("BAD together: {what} [{code}]", what=error.message, code=error.code))
        for note in found.ignored:
            out(w("left aside: {what}", what=note))
        counted = [w("{n} good", n=good), w("{n} bad", n=len(bad) - proved)]
        counted += [w("{n} proved", n=proved)] * bool(proved)
        counted += [w.plural("{n} claim", "{n} claims", claims)] * bool(claims)
        out(", ".join(counted + [w("{n} of other kinds skipped", n=found.skipped)] * bool(found.skipped)))
    _conclude(found, bad)


@contextmanager
def _progress(files: int) -> Iterator[Callable[[int], object]]:
    """A bar on a terminal that shows how far it is."""
    if not sys.stderr.isatty() or files == 1:
        yield lambda done: None
        return
    with typer.progressbar(length=files, label="verify", file=sys.stderr) as bar:
        yield bar.update


def _bad_line(row: "Bad") -> str:
    word = {"proved": w("PROVED"), "undecided": w("UNDECIDED")}.get(row.verdict or "", w("BAD"))
    told = f"{word} {row.file}: {row.message} [{row.code}]"
    return w("{told}, by whoever has the key {key}", told=told, key=row.key) if row.key else told


def _conclude(found: "Checks", bad: "list[Bad]") -> None:
    """What the verdicts mean for whoever asked, and the exit status."""
    if found.together:
        say(w("Next: keep the files as evidence against the host; `referee dispute` with them writes a proof."))
        raise typer.Exit(CheckFailed.exit)
    if bad:
        worst = next((row for row in bad if row.exit == CheckFailed.exit), bad[0])
        say(w("Next: {next}", next=worst.next))
        raise typer.Exit(worst.exit)
    if found.ignored:
        say(w("Next: give the view or transcript that the files left aside belong to."))
        raise typer.Exit(Malformed.exit)
    if all(row.verdict for row in found.rows):
        say(w("Next: nothing; what it says is its writer's word, and nothing else."))
    elif found.proof:
        say(w("Next: nothing; this is proof."))
    else:
        say(w("Next: ask for the transcript; views cannot prove everything."))
