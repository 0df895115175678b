"""Commands for anyone: demo, games, rules, verify, schema."""

import sys
from typing import Annotated, Any

import typer

from referee.cli.common import JsonOption, out, read_document, report, say, stdin_once
from referee.errors import CheckFailed, Malformed, RefereeError, Usage


def demo(
    game: Annotated[str, typer.Argument(metavar="[GAME]", help="Which game.")] = "schwarzer-freitag",
    seats: Annotated[int, typer.Option("--seats", help="Number of players.")] = 3,
    output: Annotated[str, typer.Option("-o", metavar="DIR", help="A new folder for all files.")] = "referee-demo",
    seed: Annotated[str | None, typer.Option("--seed", help="Any text: the same text gives the same game.")] = None,
    json: JsonOption = False,
) -> None:
    """Bots play a whole game over files; a forged move is refused; everything is audited and verified."""
    from referee.bots.demo import run

    found = run(game, seats, output, seed, say)
    if json:
        report(found)
        return
    for line in found.lines():
        out(line)
    say(
        f"Next: look at a position with `referee show {found.example_view}`, check the game with "
        f"`referee verify {found.transcript}`."
    )


def games(json: JsonOption = False) -> None:
    """The games this referee knows, with their seats and options."""
    import msgspec

    from referee import games as found

    rows: list[dict[str, Any]] = []
    for game_id in found.game_ids():
        try:
            game = found.load(game_id)
        except Usage as error:
            say(f"referee: {error.message}")
            continue
        options = {field.name: field.default for field in msgspec.structs.fields(game.options)}
        rows.append({"id": game_id, "title": game.title, "seats": game.seats, "rules": game.rules, "options": options})
    if json:
        report(rows)
        return
    for row in rows:
        low, high = row["seats"]
        out(f"{row['id']:20} {row['title']}, {low} to {high} players, rules {row['rules']}")
        for name, default in row["options"].items():
            value = str(default).lower() if isinstance(default, bool) else default
            out(f"{'':20}   --option {name}={value}  (default)")
    say("Next: `referee rules GAME` prints the rules, `referee offer GAME --seats N` opens a game.")


def rules(game: Annotated[str, typer.Argument(metavar="GAME", help="Which game.")]) -> None:
    """The clauses the referee enforces, each marked with where it comes from."""
    from referee import games as found

    found.load(game)
    out(found.rules_text(game).rstrip())


def schema(
    output: Annotated[str | None, typer.Option("-o", metavar="DIR", help="Where to write the schemas.")] = None,
) -> None:
    """Write the JSON Schemas of all documents (without -o: list them)."""
    import os

    from referee.io import files
    from referee.io.schemas import all_schemas

    made = all_schemas()
    if output is None:
        for name in sorted(made):
            out(name)
        say("Next: write them with -o DIR.")
        return
    files.make_folder(output)
    files.write({os.path.join(output, name): data for name, data in made.items()})
    say(f"Next: see {files.printable(output)} for {len(made)} schemas.")


def verify(
    paths: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="Transcripts, views, moves, receipts, or folders.")
    ],
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="Processes to use.")] = 1,
    json: JsonOption = False,
) -> None:
    """Check finished games completely; files of one game are also compared with each other."""
    from referee.engine.compare import compare
    from referee.io import files

    stdin_once(paths)
    names = _expand(paths)
    checked = list(_check_all(names, jobs))
    found, ignored = compare(fact for _, fact in checked if fact is not None)
    rows = [{"file": files.printable(name), **row} for name, (row, _) in zip(names, checked, strict=True)]
    bad = [row for row in rows if row["code"] != "ok"]
    if json:
        together = [{"code": error.code, "message": error.message} for error in found]
        report({"files": rows, "good": len(rows) - len(bad), "bad": len(bad), "together": together, "aside": ignored})
    else:
        for row in rows if len(rows) <= 20 else bad:
            out(f"ok  {row['file']}: {row['message']}" if row["code"] == "ok" else _bad_line(row))
        for error in found:
            out(f"BAD together: {error.message} [{error.code}]")
        for note in ignored:
            out(f"left aside: {note}")
        out(f"{len(rows) - len(bad)} good, {len(bad)} bad")
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


def _expand(paths: list[str]) -> list[str]:
    """Folders stand for the transcripts in them; what is no ordinary file there is passed over."""
    import os

    names: list[str] = []
    for path in paths:
        if path != "-" and os.path.isdir(path):
            inside = [os.path.join(folder, name) for folder, _, found in os.walk(path) for name in sorted(found)]
            names += sorted(name for name in inside if name.endswith("transcript.json") and os.path.isfile(name))
        else:
            names.append(path)
    if not names:
        raise Usage("there is no transcript in that folder", "give files that `referee reveal` wrote")
    return names


def check_one(name: str) -> tuple[dict[str, Any], Any]:
    """The verdict on one file, and what it tells beside others: both small enough to cross a process."""
    from referee.engine.compare import read_file, story_of
    from referee.engine.player import Opened
    from referee.show.findings import verified
    from referee.show.text import clean

    try:
        file = read_file(read_document(name, "transcript", large=True))
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
    end = f"won by {' and '.join(winners)}" if winners else found.end
    told = f"{found.title}, {found.rounds} rounds, {found.signatures} signatures, {found.draws} draws, {end}"
    return row | {"message": told, "game": found.game, "whole": True, "rounds": found.rounds}, story_of(file)


def _check_all(names: list[str], jobs: int) -> Any:
    if jobs == 1 or len(names) == 1 or "-" in names:
        results: Any = map(check_one, names)
    else:
        from concurrent.futures import ProcessPoolExecutor

        pool = ProcessPoolExecutor(min(jobs, len(names)))
        results = pool.map(check_one, names, chunksize=max(1, len(names) // (jobs * 8)))
    if sys.stderr.isatty() and len(names) > 1:
        with typer.progressbar(results, length=len(names), label="verify", file=sys.stderr) as bar:
            yield from bar
    else:
        yield from results
