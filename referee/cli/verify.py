"""The command that checks what anybody hands over: verify."""

import os
import sys
from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import typer

from referee.cli import complete, t, w
from referee.cli.common import JsonOption, ended, out, read_document, say, stdin_once
from referee.cli.reports import report
from referee.errors import CheckFailed, Malformed, RefereeError, Usage
from referee.language import listed, speaking, spoken

CHECKED = ("transcript", "view", "move", "receipt", "extension", "proof", "ruling", "claim")
"""Kinds of files that can be checked."""
PACK = ".jsonl.gz"
"""How a pack of a tournament's games is called."""
Fact = Any
"""What a file tells beside others: a story, a move, a receipt; None if nothing."""


def verify(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...",
            help="Transcripts, views, moves, receipts, extensions, proofs, rulings, claims, or folders; - for standard "
            "input.",
            autocompletion=complete.files(*CHECKED),
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
    from referee.evidence.compare import compare
    from referee.io import files

    stdin_once(paths)
    names, skipped = _expand(paths)
    checked = _check_all(names, jobs, dask)
    found, ignored = compare(fact for _, fact in checked if fact is not None)
    rows = [{"file": files.printable(name), **row} for name, (row, _) in zip(names, checked, strict=True)]
    bad = [row for row in rows if row["exit"]]
    proved = sum(row.get("verdict") == "proved" for row in bad)
    claims = sum(row.get("verdict") == "claim" for row in rows)
    if json:
        for row in rows:
            report(row)
        counts = {"good": len(rows) - len(bad), "bad": len(bad) - proved, "proved": proved, "skipped": skipped}
        counts |= {"claims": claims}
        together = [{"code": error.code, "message": error.message, "step": error.step} for error in found]
        report({**counts, "aside": ignored, "together": together})
    else:
        for row in rows if len(rows) <= 20 else bad:
            out(_line(row))
        for error in found:
            out(w("BAD together: {what} [{code}]", what=error.message, code=error.code))
        for note in ignored:
            out(w("left aside: {what}", what=note))
        counted = [w("{n} good", n=len(rows) - len(bad)), w("{n} bad", n=len(bad) - proved)]
        counted += [w("{n} proved", n=proved)] * bool(proved)
        counted += [w.plural("{n} claim", "{n} claims", claims)] * bool(claims)
        out(", ".join(counted + [w("{n} of other kinds skipped", n=skipped)] * bool(skipped)))
    _conclude(rows, bad, bool(found), bool(ignored))


def _line(row: dict[str, Any]) -> str:
    if not row["exit"]:
        return w("ok  {file}: {what}", file=row["file"], what=row["message"])
    word = {"proved": w("PROVED"), "undecided": w("UNDECIDED")}.get(row.get("verdict", ""), w("BAD"))
    told = f"{word} {row['file']}: {row['message']} [{row['code']}]"
    return w("{told}, by whoever has the key {key}", told=told, key=row["key"]) if row.get("key") else told


def _conclude(rows: list[dict[str, Any]], bad: list[dict[str, Any]], found: bool, ignored: bool) -> None:
    """What the verdicts mean for whoever asked, and the exit status."""
    if found:
        say(w("Next: keep the files as evidence against the host; `referee dispute` with them writes a proof."))
        raise typer.Exit(CheckFailed.exit)
    if bad:
        worst = next((row for row in bad if row["exit"] == CheckFailed.exit), bad[0])
        say(w("Next: {next}", next=worst["next"]))
        raise typer.Exit(worst["exit"])
    if ignored:
        say(w("Next: give the view or transcript that the files left aside belong to."))
        raise typer.Exit(Malformed.exit)
    proved: dict[str, int] = {}
    for row in rows:
        if row["whole"]:
            proved[row["game"]] = max(proved.get(row["game"], 0), row["rounds"])
    if rows and all("verdict" in row for row in rows):
        say(w("Next: nothing; what it says is its writer's word, and nothing else."))
        return
    whole = proved and all(row["rounds"] <= proved.get(row["game"], -1) for row in rows if row["game"])
    more = w("Next: ask for the transcript; views cannot prove everything.")
    say(w("Next: nothing; this is proof.") if whole else more)


# --- which files -----------------------------------------------------------------------------------------------------


def _expand(paths: list[str]) -> tuple[list[str], int]:
    """Folders stand for everything in them that can be checked; how many other files they have is told."""
    from referee.io.kinds import either

    names: list[str] = []
    skipped = 0
    for path in paths:
        if path == "-" or not os.path.isdir(path):
            names += _members(path) if path.endswith(PACK) else [path]
            continue
        inside = [os.path.join(folder, name) for folder, _, found in os.walk(path) for name in found]
        checked = sorted(name for name in inside if os.path.isfile(name) and _can_be_checked(name))
        packs = sorted(name for name in inside if name.endswith(PACK) and os.path.isfile(name))
        names += checked
        skipped += len(inside) - len(checked) - len(packs)
        for pack in packs:
            names += _members(pack)
    if not names:
        raise Usage(
            t("there is nothing in that folder that can be checked"), t("give {checked} files", checked=either(CHECKED))
        )
    return names, skipped


def _members(pack: str) -> list[str]:
    """The games in a pack of a tournament."""
    from referee.tournament.store import members

    return list(members(pack))


def _in_pack(name: str) -> bool:
    return f"{PACK}@" in name


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


# --- checking --------------------------------------------------------------------------------------------------------


def check_some(names: Sequence[str]) -> Iterator[tuple[dict[str, Any], Fact]]:
    """The verdict on each file, and what it tells beside others: both small enough to cross a process.

    A view that goes on from the last one of its game and seat is checked from there: a folder with every view of a
    game costs little more than the newest one.
    """
    seen: dict[tuple[str, int | None], Any] = {}
    for name in names:
        yield _check(name, seen)
        if len(seen) > MOST_SEEN:
            seen.clear()


MOST_SEEN = 32
"""So many views are kept open, to go on from."""


def _check(name: str, seen: dict[tuple[str, int | None], Any]) -> tuple[dict[str, Any], Fact]:
    from referee.evidence.files import read_file
    from referee.evidence.identify import document_kind

    try:
        if _in_pack(name):
            from referee.tournament.store import member

            # It is there once: what it tells beside others is not kept, for there can be a million.
            return _transcript(member(name))[0], None
        data = read_document(name, *CHECKED)
        kind = document_kind(data)
        if kind in _WORDS:
            return _WORDS[kind](data), None
        if kind == "view":
            return _view(data, seen)
        if kind == "transcript":
            return _transcript(data)
        file = read_file(data)
        return _good(w("a move, receipt or extension, to be read beside a view or transcript")), file
    except RefereeError as error:
        step = getattr(error, "step", None)
        row = {"code": error.code, "exit": error.exit, "message": error.message, "next": error.next, "step": step}
        return row, None


def _good(message: str, **more: Any) -> dict[str, Any]:
    return {"code": "ok", "exit": 0, "game": "", "whole": False, "rounds": 0, "message": message, **more}


def _view(data: bytes, seen: dict[tuple[str, int | None], Any]) -> tuple[dict[str, Any], Fact]:
    from referee.crypto.envelope import ident
    from referee.engine.player import open_view, read_view
    from referee.evidence.compare import story_of
    from referee.evidence.lateness import lateness
    from referee.show.findings import late_in_words
    from referee.show.text import clean

    view = read_view(data)
    place = ident("genesis", bytes(view.genesis.body)), view.seat
    file = seen[place] = open_view(view, since=seen.get(place))
    told = w("{name}'s view, round {round}: audited, not everything is provable from a view",
             name=clean(file.name), round=file.round)  # fmt: skip
    if view.seat is None:
        told = w("a public view, round {round}: audited, not everything is provable from a view", round=file.round)
    late = lateness(file.chain)
    told = "; ".join(map(str, (told, *late_in_words(late))))
    return _good(told, game=file.table.id, rounds=file.round, **_late(late)), story_of(file)


def _late(found: Any) -> dict[str, Any]:
    """Late rounds and protests, for programs."""
    import msgspec

    return {name: msgspec.to_builtins(getattr(found, name)) for name in ("late_rounds", "late", "protests")}


def _transcript(data: bytes) -> tuple[dict[str, Any], Fact]:
    from referee.evidence.compare import story_of
    from referee.evidence.replay import open_transcript
    from referee.show.findings import declared, late_in_words, verified
    from referee.show.text import clean

    file = open_transcript(data)
    found = verified(file)
    winners = [clean(n) for n, rank in zip(found.names, found.ranks, strict=False) if rank == 1]
    end = w("won by {names}", names=listed(winners)) if winners else ended(found.end)
    if found.out:
        end = w("{end}, out because they missed deadlines: {names}", end=end, names=listed(map(clean, found.out)))
    if file.abandoned:
        end = w("abandoned by the host in round {round}, no result", round=found.rounds)
    told = w("{title}, {rounds} rounds, {signatures} signatures, {draws} draws, {end}", title=found.title,
             rounds=found.rounds, signatures=found.signatures, draws=found.draws, end=end)  # fmt: skip
    told = "; ".join(map(str, (told, *declared(file), *late_in_words(found))))
    more = {"abandoned": file.abandoned, **_late(found)}
    return _good(told, game=found.game, whole=True, rounds=found.rounds, **more), story_of(file)


def _proof(data: bytes) -> dict[str, Any]:
    """A proof is judged alone. One that holds is no good news, so it is no success."""
    from referee.evidence.court import judge_proof, read_proof

    found = judge_proof(read_proof(data))
    status = Malformed.exit if found.verdict == "undecided" else CheckFailed.exit
    row = {"code": found.code, "exit": status, "message": found.message, "next": found.next, "step": found.round}
    return row | {"verdict": found.verdict, "key": found.key, "game": found.game}


def _ruling(data: bytes) -> dict[str, Any]:
    from referee.show.documents import ruling_lines

    return _good("; ".join(line.strip() for line in ruling_lines(data)), verdict="ruling")


def _claim(data: bytes) -> dict[str, Any]:
    from referee.show.documents import claim_lines

    return _good("; ".join(line.strip() for line in claim_lines(data)), verdict="claim")


_WORDS = {"proof": _proof, "ruling": _ruling, "claim": _claim}


# --- many at once ----------------------------------------------------------------------------------------------------


def _check_all(names: list[str], jobs: int, dask: str | None) -> list[tuple[dict[str, Any], Fact]]:
    """The verdicts in the order of the names; a bar on a terminal shows how far it is."""
    if "-" in names or (dask is None and (jobs == 1 or len(names) == 1)):
        parts: Any = ([(at, one)] for at, one in enumerate(check_some(names)))
    else:
        parts = _side_by_side(names, jobs, dask)
    found: dict[int, Any] = {}
    if sys.stderr.isatty() and len(names) > 1:
        with typer.progressbar(length=len(names), label="verify", file=sys.stderr) as bar:
            for part in parts:
                found.update(part)
                bar.update(len(part))
    else:
        for part in parts:
            found.update(part)
    return [found[at] for at in range(len(names))]


def _side_by_side(names: list[str], jobs: int, dask: str | None) -> Iterator[list[tuple[int, Any]]]:
    """By several workers. Views of one seat stay together, since each goes on from the one before; what takes long
    comes first."""
    # What every worker needs is loaded before they are made, so that they need not load it each.
    from referee.evidence import compare, court, replay  # noqa: F401
    from referee.show import findings  # noqa: F401
    from referee.tournament.work import each, hire

    groups: dict[str, list[int]] = {}
    for at, name in enumerate(names):
        groups.setdefault(_seat_of(name) or str(at), []).append(at)
    sizes = [os.path.getsize(name) if os.path.isfile(name) else 0 for name in names]
    ordered = sorted(groups.values(), key=lambda group: -max(sizes[at] for at in group))
    workers, waiting = hire(min(jobs, len(ordered)), dask), iter(ordered)
    try:
        for found in each(workers, check_parts, spoken().encode(), ([names[at] for at in group] for group in ordered)):
            for part in found:
                yield list(zip(next(waiting), part, strict=True))
    finally:
        workers.close()


def _seat_of(name: str) -> str:
    """Game and seat of a view, at a glance; empty for all else."""
    if _in_pack(name):
        return ""
    from referee.evidence.files import seat_of
    from referee.io import files

    try:
        return seat_of(files.read(name, files.LARGE, "file"))
    except RefereeError:
        return ""


def check_parts(shared: bytes, parts: Sequence[Sequence[str]]) -> list[list[tuple[dict[str, Any], Fact]]]:
    """What a worker does, in the language of whoever asked."""
    with speaking(shared.decode()):
        return [list(check_some(part)) for part in parts]
