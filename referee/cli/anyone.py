"""Commands for anyone: demo, games, rules, verify, schema."""

import sys
from typing import Annotated, Any

import typer

from referee.cli.common import JsonOption, out, read_document, report, say
from referee.errors import RefereeError, Usage


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
        game = found.load(game_id)
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
    say(f"Next: see {files.show(output)} for {len(made)} schemas.")


def verify(
    paths: Annotated[list[str], typer.Argument(metavar="FILE...", help="Transcripts, views, receipts, or folders.")],
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="Processes to use.")] = 1,
    json: JsonOption = False,
) -> None:
    """Check finished games completely; files of one game are also compared with each other."""
    names = _expand(paths)
    rows = []
    worst = 0
    for name, found in zip(names, _check_all(names, jobs), strict=True):
        rows.append({"file": name, **found})
        if found["code"] != "ok":
            worst = worst or found["exit"]
            out(f"BAD {name}: {found['message']} [{found['code']}]") if not json else None
    across = _compare(names) if not worst and len(names) > 1 else None
    if across is not None:
        worst = across.exit
        if not json:
            out(f"BAD {across.message} [{across.code}]")
    good = [row for row in rows if row["code"] == "ok"]
    if json:
        trouble = {"code": across.code, "message": across.message, "next": across.next} if across else None
        report({"files": rows, "good": len(good), "bad": len(rows) - len(good), "across": trouble})
    else:
        for row in good if len(good) <= 20 else []:
            out(f"ok  {row['file']}: {row['message']}")
        out(
            f"{len(good)} good, {len(rows) - len(good)} bad"
            + (", and the files contradict each other" if across else "")
        )
    say(
        "Next: nothing; this is proof."
        if not worst
        else "Next: keep the bad files as evidence; ask the host to explain."
    )
    if worst:
        raise typer.Exit(worst)


def _expand(paths: list[str]) -> list[str]:
    import os

    from referee.io import files

    names: list[str] = []
    for path in paths:
        if path != "-" and os.path.isdir(path):
            inside = [os.path.join(folder, name) for folder, _, found in os.walk(path) for name in sorted(found)]
            names += sorted(name for name in inside if name.endswith("transcript.json"))
        else:
            names.append(path)
    if not names:
        raise Usage("there is no transcript in that folder", "give files that `referee reveal` wrote")
    return [files.show(name) if name == "-" else name for name in names]


def check_one(name: str) -> dict[str, Any]:
    """The verdict on one file, as plain data (so that it can cross a process)."""
    from referee.engine.compare import check_file
    from referee.io import files
    from referee.show.text import clean

    try:
        found = check_file(read_document(name, "transcript", large=True))
    except RefereeError as error:
        step = getattr(error, "step", None)
        return {"code": error.code, "exit": error.exit, "message": error.message, "next": error.next, "step": step}
    if hasattr(found, "ranks"):
        winners = [clean(n) for n, rank in zip(found.names, found.ranks, strict=False) if rank == 1]
        end = f"won by {' and '.join(winners)}" if winners else found.end
        message = f"{found.title}, {found.rounds} rounds, {found.signatures} signatures, {found.draws} draws, {end}"
    elif hasattr(found, "unproved"):
        message = f"{clean(found.name)}'s view, {found.rounds} rounds: audited, not everything is provable from a view"
    else:
        message = f"receipt for round {found.round}: {clean(found.code)}"
    return {"code": "ok", "exit": 0, "message": message, "name": files.show(name)}


def _check_all(names: list[str], jobs: int) -> Any:
    if jobs == 1 or len(names) == 1:
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


def _compare(names: list[str]) -> RefereeError | None:
    from referee.engine.compare import compare

    try:
        compare(read_document(name, "transcript", large=True) for name in names)
    except RefereeError as error:
        return error
    return None
