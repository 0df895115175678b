"""The command that checks finished games: verify."""

import sys
from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import typer

from referee.cli import complete
from referee.cli.common import JsonOption, out, read_document, report, say, stdin_once
from referee.errors import CheckFailed, Malformed, RefereeError, Usage

CHECKED = ("transcript", "view", "move", "receipt")
"""Kinds of files that can be checked."""


def verify(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...",
            help="Transcripts, views, moves, receipts, or folders.",
            autocompletion=complete.files(*CHECKED),
        ),
    ],
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="Processes to use.")] = 1,
    json: JsonOption = False,
) -> None:
    """Check finished games completely; files of one game are also compared with each other."""
    from referee.evidence.compare import compare
    from referee.io import files

    stdin_once(paths)
    names, passed = _expand(paths)
    checked = list(_check_all(names, jobs))
    found, ignored = compare(fact for _, fact in checked if fact is not None)
    rows = [{"file": files.printable(name), **row} for name, (row, _) in zip(names, checked, strict=True)]
    bad = [row for row in rows if row["code"] != "ok"]
    if json:
        told = {"files": rows, "good": len(rows) - len(bad), "bad": len(bad), "aside": ignored, "passed_over": passed}
        report({**told, "together": [{"code": error.code, "message": error.message} for error in found]})
    else:
        for row in rows if len(rows) <= 20 else bad:
            out(f"ok  {row['file']}: {row['message']}" if row["code"] == "ok" else _bad_line(row))
        for error in found:
            out(f"BAD together: {error.message} [{error.code}]")
        for note in ignored:
            out(f"left aside: {note}")
        out(f"{len(rows) - len(bad)} good, {len(bad)} bad" + (f", {passed} of other kinds passed over" * bool(passed)))
    _conclude(rows, bad, bool(found), bool(ignored))


def _conclude(rows: list[dict[str, Any]], bad: list[dict[str, Any]], found: bool, ignored: bool) -> None:
    """What the verdicts mean for whoever asked, and the exit status."""
    if found:
        say("Next: keep the files as evidence against the host and show them to the other players.")
        raise typer.Exit(CheckFailed.exit)
    if bad:
        worst = next((row for row in bad if row["exit"] == CheckFailed.exit), bad[0])
        say(f"Next: {worst['next']}")
        raise typer.Exit(worst["exit"])
    if ignored:
        say("Next: give the view or transcript that the files left aside belong to.")
        raise typer.Exit(Malformed.exit)
    proved: dict[str, int] = {}
    for row in rows:
        if row["whole"]:
            proved[row["game"]] = max(proved.get(row["game"], 0), row["rounds"])
    whole = proved and all(row["rounds"] <= proved.get(row["game"], -1) for row in rows if row["game"])
    say("Next: nothing; this is proof." if whole else "Next: ask for the transcript; views cannot prove everything.")


def _bad_line(row: dict[str, Any]) -> str:
    return f"BAD {row['file']}: {row['message']} [{row['code']}]"


def _expand(paths: list[str]) -> tuple[list[str], int]:
    """Folders stand for everything in them that can be checked; how many other files they have is told."""
    import os

    from referee.io.kinds import either

    names: list[str] = []
    passed = 0
    for path in paths:
        if path == "-" or not os.path.isdir(path):
            names.append(path)
            continue
        inside = [os.path.join(folder, name) for folder, _, found in os.walk(path) for name in found]
        checked = sorted(name for name in inside if os.path.isfile(name) and _can_be_checked(name))
        names += checked
        passed += len(inside) - len(checked)
    if not names:
        raise Usage("there is nothing in that folder that can be checked", f"give {either(CHECKED)} files")
    return names, passed


def _can_be_checked(name: str) -> bool:
    """A file that is called like one that can be checked is, whatever is in it; others are if they are one."""
    if name.endswith(tuple(f"{kind}.json" for kind in CHECKED)):
        return True
    if not name.endswith(".json"):
        return False
    from referee.io.kinds import find

    try:
        return find(name)[0] in CHECKED
    except RefereeError:
        return False


def check_some(names: Sequence[str]) -> Iterator[tuple[dict[str, Any], Any]]:
    """The verdict on each file, and what it tells beside others: both small enough to cross a process.

    A view that goes on from the last one of its game and seat is checked from there: a folder with every view of a
    game costs little more than the newest one.
    """
    seen: dict[tuple[str, int], Any] = {}
    for name in names:
        yield _check(name, seen)
        if len(seen) > MOST_SEEN:
            seen.clear()


MOST_SEEN = 32
"""So many views are kept open, to go on from."""


def _read(name: str, seen: dict[tuple[str, int], Any]) -> Any:
    """A file that can be compared, checked completely."""
    from referee.crypto.envelope import ident
    from referee.engine.player import open_view, read_view
    from referee.evidence.files import kind_of, read_file

    data = read_document(name, *CHECKED)
    if kind_of(data) != "view":
        return read_file(data)
    view = read_view(data)
    place = ident("genesis", bytes(view.genesis.body)), view.seat
    seen[place] = open_view(view, since=seen.get(place))
    return seen[place]


def _check(name: str, seen: dict[tuple[str, int], Any]) -> tuple[dict[str, Any], Any]:
    from referee.engine.player import Opened
    from referee.evidence.compare import story_of
    from referee.show.findings import declared, verified
    from referee.show.text import clean, joined

    try:
        file = _read(name, seen)
    except RefereeError as error:
        step = getattr(error, "step", None)
        row = {"code": error.code, "exit": error.exit, "message": error.message, "next": error.next, "step": step}
        return row, None
    row = {"code": "ok", "exit": 0, "game": "", "whole": False, "rounds": 0}
    if isinstance(file, Opened):
        told = f"{clean(file.name)}'s view, round {file.round}: audited, not everything is provable from a view"
        return row | {"message": told, "game": file.table.id, "rounds": file.round}, story_of(file)
    if hasattr(file, "sig"):
        return row | {"message": "a move or receipt, to be read beside a view or transcript"}, file
    found = verified(file)
    winners = [clean(n) for n, rank in zip(found.names, found.ranks, strict=False) if rank == 1]
    end = f"won by {joined(winners)}" if winners else found.end
    told = f"{found.title}, {found.rounds} rounds, {found.signatures} signatures, {found.draws} draws, {end}"
    told = "; ".join((told, *declared(file)))
    return row | {"message": told, "game": found.game, "whole": True, "rounds": found.rounds}, story_of(file)


def _check_all(names: list[str], jobs: int) -> Any:
    if jobs == 1 or len(names) == 1 or "-" in names:
        results: Any = check_some(names)
    else:
        from concurrent.futures import ProcessPoolExecutor
        from itertools import chain

        size = max(1, len(names) // (jobs * 8))
        parts = [names[at : at + size] for at in range(0, len(names), size)]
        results = chain.from_iterable(ProcessPoolExecutor(min(jobs, len(parts))).map(_list, parts))
    if sys.stderr.isatty() and len(names) > 1:
        with typer.progressbar(results, length=len(names), label="verify", file=sys.stderr) as bar:
            yield from bar
    else:
        yield from results


def _list(names: Sequence[str]) -> list[tuple[dict[str, Any], Any]]:
    return list(check_some(names))
