"""The command that finds out what happened: dispute."""

import os
from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import typer

from referee.cli import complete, t, w
from referee.cli.common import JsonOption, out, say, stdin_once
from referee.cli.reports import report
from referee.errors import CheckFailed, Malformed, RefereeError
from referee.language import Text, listed

WORDS = {
    "proved": t("PROVED"), "altered": t("ALTERED"), "undecided": t("UNDECIDED"), "consistent": t("agrees"),
}  # fmt: skip


def dispute(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE|DIR...",
            help="Views of anybody, transcripts, moves, receipts, extensions, offers, joins, claims, proofs, saved "
            "mails; - for standard input.",
            autocompletion=complete.files("view", "transcript", "move", "receipt", "extension", "proof", mail=True),
        ),
    ],
    output: Annotated[
        str | None, typer.Option("-o", metavar="DIR", help="Folder for the proofs. Default: the one you are in.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Find out what happened from whatever files there are, and write a proof of each offence."""
    from referee.evidence.case import try_all
    from referee.evidence.pool import Pool
    from referee.io import tickets

    stdin_once(paths)
    pool, notes = Pool(), list[Text]()
    for path in paths:
        for name, data in _documents(path, notes):
            pool.add(name, data)
    for name, case in pool.cases.items():
        for one in tickets.sealed_of(name):
            case.sealed[one.round, one.seat] = one.fields
            case.ephemerals[one.round, one.seat] = one.ephemeral
    trials, others = try_all(pool)
    games = [_game(trial) for trial in trials]
    rows = [{"game": "", "title": "", "rounds": 0, "files": [], "notes": [], "shown": [*others]}] * bool(others)
    written = _write([one for game in (*games, *rows) for one in game["shown"]], output or ".")
    told = [{**game, "shown": [_row(one, written) for one in game["shown"]]} for game in (*games, *rows)]
    if json:
        told = [{name: value for name, value in game.items() if name != "counted"} for game in told]
        report({"games": told, "aside": notes, "proofs": sorted(set(written.values()))})
    else:
        for game in told:
            _print(game)
        for note in notes:
            out(w("left aside: {what}", what=note))
    _conclude([row for game in told for row in game["shown"]], sorted(set(written.values())))


def _documents(path: str, notes: list[Text]) -> Iterator[tuple[str, bytes]]:
    """Every document under a path, and what to call it. What is none of ours in a folder is skipped."""
    from referee.evidence.pool import DISPUTED
    from referee.io import files, kinds
    from referee.mail.folder import documents

    if path == "-":
        kind, data = kinds.find(path)
        found: Any = [(w("standard input"), kind, data)]
    else:
        found = ((source.place, kind, data) for source, kind, data in documents(path, notes))
    try:
        for place, kind, data in found:
            if kind in DISPUTED:
                yield place, data
            elif not os.path.isdir(path):
                notes.append(t("{place} is {what}: it cannot be compared", place=place, what=kinds.NAMES[kind][0]))
    except RefereeError as error:
        notes.append(t("{path}: {message}", path=files.printable(path), message=error.message))


def _game(trial: Any) -> dict[str, Any]:
    """What one game came to."""
    import msgspec

    from referee.evidence.pool import Shown
    from referee.evidence.proofs import Verdict
    from referee.show.findings import claims_in_words, late_in_words

    table, late = trial.table, trial.lateness
    shown = [*trial.shown]
    if trial.case.told and not any(one.verdict.verdict in ("proved", "undecided") for one in shown):
        message = t("all that these files say agrees, up to round {round}", round=trial.last)
        shown.append(Shown(Verdict("consistent", "ok", message, game=table.id, round=trial.last)))
    notes = [*dict.fromkeys(trial.notes)]
    if not trial.case.transcripts:
        notes.append(t("what only M shows (bags sealed anew, hidden choices of others) the transcript would decide"))
    names = dict.fromkeys(trial.case.files)
    return {
        "game": table.id, "title": table.offer.game, "host": table.offer.key, "names": table.names,
        "rounds": trial.last, "files": [*names], "notes": notes, "shown": shown, "claims": len(trial.case.claims),
        **msgspec.to_builtins(late), "counted": (*late_in_words(late), *claims_in_words(len(trial.case.claims))),
    }  # fmt: skip


def _write(shown: Sequence[Any], folder: str) -> dict[int, str]:
    """The proofs, each under a name that nothing else has; where one lies there already it is left alone."""
    from referee.crypto.codec import encode
    from referee.io import files

    made: dict[str, bytes] = {}
    written: dict[int, str] = {}
    for one in shown:
        if one.proof is None or one.verdict.verdict != "proved":
            continue
        data = encode(one.proof)
        path = _free(folder, f"{one.verdict.game[:8]}-r{one.verdict.round:03}-{one.verdict.code}", data, made)
        made[path], written[id(one)] = data, path
    new = {path: data for path, data in made.items() if not files.exists(path)}
    if new:
        files.write(new, secret=[*new], make=[folder] if folder != "." else [])
    return written


def _free(folder: str, stem: str, data: bytes, made: dict[str, bytes]) -> str:
    from referee.io import files

    for number in range(1, 10_000):
        more = f"-{number}" if number > 1 else ""
        path = os.path.join(folder if folder != "." else "", f"{stem}{more}.proof.json")
        if made.get(path) == data or (path not in made and not files.exists(path)):
            return path
        if path not in made and os.path.isfile(path) and files.read(path, files.LARGE, "proof") == data:
            return path
    raise Malformed(t("there are too many proofs in that folder"), t("choose another folder with -o"))


def _row(one: Any, written: dict[int, str]) -> dict[str, Any]:
    from referee.io.files import printable

    found = one.verdict
    row = {"verdict": found.verdict, "code": found.code, "message": found.message, "round": found.round}
    row |= {"files": [printable(name) for name in one.files], "key": found.key, "next": found.next}
    return row | {"proof": printable(written.get(id(one), ""))}


def _print(game: dict[str, Any]) -> None:
    from referee.show.text import clean

    if game["game"]:
        names = listed([clean(name) for name in game["names"]])
        out(w("game {game}, {title}, of {names}: {n} files", game=game["game"][:8], title=game["title"], names=names,
              n=len(game["files"])))  # fmt: skip
    for row in sorted(game["shown"], key=lambda row: list(WORDS).index(row["verdict"])):
        where = f"{', '.join(row['files'][:3])}: " if row["files"] else ""
        out(f"  {WORDS[row['verdict']]}  {where}{clean(str(row['message']))} [{row['code']}]")
        if row["key"] and row["proof"]:
            out(w("    by whoever has the key {key}; proof: {file}", key=row["key"], file=row["proof"]))
        elif row["key"]:
            out(w("    by whoever has the key {key}", key=row["key"]))
        elif row["verdict"] == "altered":
            out(w("    this blames nobody: whoever passed the file on can have changed it"))
        elif row["verdict"] == "undecided" and row["next"]:
            out(f"    {clean(str(row['next']))}")
    for line in game.get("counted", ()):
        out(f"  {line}")
    for note in game["notes"]:
        out(w("  not decided here: {what}", what=clean(str(note))))


def _conclude(rows: list[dict[str, Any]], proofs: list[str]) -> None:
    """What to do next, and the exit status."""
    verdicts = {row["verdict"] for row in rows}
    if "proved" in verdicts:
        shown = ", ".join(proofs[:3]) or w("the proof")
        say(w("Next: show {files} to the others; `referee verify` judges it alone.", files=shown))
        raise typer.Exit(CheckFailed.exit)
    if "altered" in verdicts:
        say(w("Next: ask for the altered files again."))
        raise typer.Exit(CheckFailed.exit)
    if "undecided" in verdicts:
        say(w("Next: ask for what is needed, and run it again with that."))
        raise typer.Exit(Malformed.exit)
    if not rows:
        raise Malformed(
            t("there is nothing here that could be in dispute"), t("give views, transcripts, moves, receipts")
        )
    say(w("Next: nothing; nobody can be blamed by these files."))
