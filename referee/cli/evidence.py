"""Commands about evidence: what files prove (verify, dispute), and where they cannot, what players and arbiters say."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer

from referee.cli import common as c
from referee.cli import t, w
from referee.crypto import codec
from referee.engine import player, records
from referee.errors import CheckFailed, Malformed, Usage
from referee.evidence import rulings
from referee.io import files, times
from referee.language import listed
from referee.library import checking, completion, disputes, documents
from referee.show import documents as shown
from referee.show import findings, text

WORDS = {
    "proved": t("PROVED"), "altered": t("ALTERED"), "undecided": t("UNDECIDED"), "consistent": t("agrees"),
}  # fmt: skip


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
    bad = [row for row in found.rows if isinstance(row, checking.Bad)]
    proved = sum(row.verdict == "proved" for row in bad)
    claims = sum(row.verdict == "claim" for row in found.rows)
    good = len(found.rows) - len(bad)
    if json:
        for row in (*found.rows, *found.others):
            c.report(row)
        counts = {"good": good, "bad": len(bad) - proved, "proved": proved, "skipped": found.skipped, "claims": claims}
        together = [{"code": error.code, "message": error.message, "step": error.step} for error in found.together]
        c.report({**counts, "aside": found.ignored, "together": together})
    else:
        for row in found.rows if len(found.rows) <= 20 else bad:
            c.out(_line(row))
        for error in found.together:
            c.out(w("BAD together: {what} [{code}]", what=error.message, code=error.code))
        for note in (*found.ignored, *(row.message for row in found.others)):
            c.out(w("skipped: {what}", what=note))
        counted = [w("{n} good", n=good), w("{n} bad", n=len(bad) - proved)]
        counted += [w("{n} proved", n=proved)] * bool(proved)
        counted += [w.plural("{n} claim", "{n} claims", claims)] * bool(claims)
        c.out(", ".join(counted + [w("{n} of other kinds skipped", n=found.skipped)] * bool(found.skipped)))
    _conclude_checks(found, bad)


@contextmanager
def _progress(number: int) -> Iterator[Callable[[int], object]]:
    """A progress bar on a terminal."""
    if not sys.stderr.isatty() or number == 1:
        yield lambda done: None
        return
    with typer.progressbar(length=number, label="verify", file=sys.stderr) as bar:
        yield bar.update


def _line(row: "checking.Good | checking.Bad") -> str:
    if not isinstance(row, checking.Bad):
        return w("ok  {file}: {what}", file=row.file, what=row.message)
    word = {"proved": w("PROVED"), "undecided": w("UNDECIDED")}.get(row.verdict or "", w("BAD"))
    line = f"{word} {row.file}: {row.message} [{row.code}]"
    return w("{told}, signed with the key {key}", told=line, key=row.key) if row.key else line


def _conclude_checks(found: "checking.Checks", bad: "list[checking.Bad]") -> None:
    """What the verdicts mean for whoever asked, and the exit status."""
    if found.together:
        c.say(w("Next: keep the files as evidence against the host; `referee dispute` with them writes a proof."))
        raise typer.Exit(CheckFailed.exit)
    if bad:
        worst = next((row for row in bad if row.exit == CheckFailed.exit), bad[0])
        c.say(w("Next: {next}", next=worst.next))
        raise typer.Exit(worst.exit)
    if found.ignored:
        c.say(w("Next: give the view or transcript that the skipped files belong to."))
        raise typer.Exit(Malformed.exit)
    if all(row.verdict for row in found.rows):
        c.say(w("Next: nothing; it is only a statement by its author."))
    elif found.proof:
        c.say(w("Next: nothing; this is proof."))
    else:
        c.say(w("Next: ask for the transcript; views cannot prove everything."))


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
    if date is not None:
        return _claim(paths, date, output, dry, key)
    if verdict is not None:
        return _rule(paths, verdict, ranks, output, dry, key)
    return _run_dispute(paths, output, dry, json)


def _run_dispute(paths: list[str], output: str | None, dry: bool, json: bool) -> None:
    found, aside = disputes.dispute(paths, "" if output in (None, ".") else output, dry=dry)
    all_found = [one for game in found for one in game.shown]
    proofs = sorted({path for _, path in all_found if path})
    if json:
        c.report({"games": [_data(game) for game in found], "aside": aside, "proofs": proofs})
    else:
        for game in found:
            _print(game)
        for note in aside:
            c.out(w("skipped: {what}", what=note))
    _conclude_dispute({one.verdict for one, _ in all_found}, proofs)


def _data(game: "disputes.Tried") -> dict[str, object]:
    """The outcome of a game, for programs."""
    from msgspec import to_builtins

    rows = [
        {"verdict": one.verdict, "code": one.code, "message": one.message, "round": one.round, "key": one.key,
         "next": one.next, "files": [files.printable(name) for name in one.files], "proof": files.printable(path)}
        for one, path in game.shown
    ]  # fmt: skip
    if (trial := game.trial) is None:
        return {"game": "", "title": "", "rounds": 0, "files": [], "notes": [], "shown": rows}
    offer = trial.table.offer
    return {
        "game": trial.table.id, "title": offer.game, "host": offer.key, "names": trial.table.names,
        "rounds": trial.last, "files": [*dict.fromkeys(trial.case.files)], "notes": game.notes, "shown": rows,
        "claims": len(trial.case.claims), **to_builtins(trial.lateness),
    }  # fmt: skip


def _print(game: "disputes.Tried") -> None:
    trial = game.trial
    if trial is not None:
        names, named = listed([text.clean(name) for name in trial.table.names]), dict.fromkeys(trial.case.files)
        c.out(w("game {game}, {title}, of {names}: {n} files", game=trial.table.id[:8], title=trial.table.offer.game,
                names=names, n=len(named)))  # fmt: skip
    for one, path in sorted(game.shown, key=lambda row: list(WORDS).index(row[0].verdict)):
        where = f"{', '.join(map(files.printable, one.files[:3]))}: " if one.files else ""
        c.out(f"  {WORDS[one.verdict]}  {where}{text.clean(str(one.message))} [{one.code}]")
        if one.key and path:
            c.out(w("    signed with the key {key}; proof: {file}", key=one.key, file=files.printable(path)))
        elif one.key:
            c.out(w("    signed with the key {key}", key=one.key))
        elif one.verdict == "altered":
            c.out(w("    this blames nobody: anyone who passed the file on may have changed it"))
        elif one.verdict == "undecided" and one.next:
            c.out(f"    {text.clean(str(one.next))}")
    if trial is not None:
        for line in (*findings.late_in_words(trial.lateness), *findings.claims_in_words(len(trial.case.claims))):
            c.out(f"  {line}")
    for note in game.notes:
        c.out(w("  not decided here: {what}", what=text.clean(str(note))))


def _conclude_dispute(verdicts: set[str], proofs: list[str]) -> None:
    """What to do next, and the exit status."""
    if "proved" in verdicts:
        some = ", ".join(proofs[:3]) or w("the proof")
        c.say(w("Next: show {files} to the others; anyone can check it with `referee verify`.", files=some))
        raise typer.Exit(CheckFailed.exit)
    if "altered" in verdicts:
        c.say(w("Next: ask for the altered files again."))
        raise typer.Exit(CheckFailed.exit)
    if "undecided" in verdicts:
        c.say(w("Next: ask for what is needed, and run it again with that."))
        raise typer.Exit(Malformed.exit)
    if not verdicts:
        raise Malformed(
            t("there is nothing here that could be in dispute"), t("give views, transcripts, moves, receipts")
        )
    c.say(w("Next: nothing; these files show no offence."))


# --- claims and rulings -----------------------------------------------------------------------------------------------


def _rule(paths: list[str], verdict: str, ranks: str | None, output: str | None, dry: bool, key: str | None) -> None:
    """Decide as an arbiter: a signed ruling over the evidence."""
    given = {path: documents.find_document(path)[1] for path in paths}
    genesis = disputes.evidence(given)
    made = rulings.make_ruling(c.load_key(key), genesis, [*given.values()], verdict, _parse_ranks(ranks))
    found = rulings.read_ruling(made)
    path = output or f"{found.table.id[:8]}-{found.ruling.key[:6]}.ruling.json"
    c.write_new(path, made, dry=dry)
    c.print_and_note((), shown.ruling_lines(made))
    c.next_step(w("Next: send {file} to everybody at that table.", file=c.sent(path)), dry)


def _parse_ranks(ranks: str | None) -> tuple[int, ...]:
    parts = ranks.split(",") if ranks is not None else []
    if not all(part.strip().isdecimal() and len(part) < 4 for part in parts):
        raise Usage(t("ranks are numbers"), t("give one for each seat, in seat order: 1,2,2"))
    return tuple(int(part) for part in parts)


def _claim(paths: list[str], date: str, output: str | None, dry: bool, key: str | None) -> None:
    """State, signed, that you sent a move on that date: something for an arbiter to weigh."""
    if len(paths) != 2:
        raise Usage(t("a claim is about one view and one move"), t("give your view, then the move that you sent"))
    seen = player.read_view(documents.read_document(paths[0], "view"))
    file = codec.decode(documents.read_document(paths[1], "move"), records.MoveFile, "move")
    times.read_time(date)
    made = rulings.make_claim(c.load_key(key), seen, file, date)
    found = rulings.read_claim(made)
    path = output or files.file_name(found.table.id, found.move.round, found.move.seat, found.table.names, "claim")
    c.write_new(path, made, dry=dry)
    send = w("Next: send {file} to the arbiter; a mail office that hosts the game counts it too.", file=c.sent(path))
    c.print_and_note((), shown.claim_lines(made))
    c.next_step(send, dry)
