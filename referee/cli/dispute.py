"""The command that finds out what happened: dispute."""

from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli import complete, t, w
from referee.cli.common import JsonOption, out, say, stdin_once
from referee.cli.reports import report
from referee.errors import CheckFailed, Malformed
from referee.language import listed

if TYPE_CHECKING:
    from referee.library.disputes import Tried

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
    from referee.library import disputes

    stdin_once(paths)
    found, aside = disputes.dispute(paths, "" if output in (None, ".") else output)
    shown = [one for game in found for one in game.shown]
    proofs = sorted({path for _, path in shown if path})
    if json:
        report({"games": [_data(game) for game in found], "aside": aside, "proofs": proofs})
    else:
        for game in found:
            _print(game)
        for note in aside:
            out(w("left aside: {what}", what=note))
    _conclude({one.verdict for one, _ in shown}, proofs)


def _data(game: "Tried") -> dict[str, object]:
    """What a game came to, for programs."""
    from msgspec import to_builtins

    from referee.io.files import printable

    shown = [
        {"verdict": one.verdict, "code": one.code, "message": one.message, "round": one.round, "key": one.key,
         "next": one.next, "files": [printable(name) for name in one.files], "proof": printable(path)}
        for one, path in game.shown
    ]  # fmt: skip
    if (trial := game.trial) is None:
        return {"game": "", "title": "", "rounds": 0, "files": [], "notes": [], "shown": shown}
    offer = trial.table.offer
    return {
        "game": trial.table.id, "title": offer.game, "host": offer.key, "names": trial.table.names,
        "rounds": trial.last, "files": [*dict.fromkeys(trial.case.files)], "notes": game.notes, "shown": shown,
        "claims": len(trial.case.claims), **to_builtins(trial.lateness),
    }  # fmt: skip


def _print(game: "Tried") -> None:
    from referee.io.files import printable
    from referee.show.findings import claims_in_words, late_in_words
    from referee.show.text import clean

    trial = game.trial
    if trial is not None:
        names, files = listed([clean(name) for name in trial.table.names]), dict.fromkeys(trial.case.files)
        out(w("game {game}, {title}, of {names}: {n} files", game=trial.table.id[:8], title=trial.table.offer.game,
              names=names, n=len(files)))  # fmt: skip
    for one, path in sorted(game.shown, key=lambda row: list(WORDS).index(row[0].verdict)):
        where = f"{', '.join(map(printable, one.files[:3]))}: " if one.files else ""
        out(f"  {WORDS[one.verdict]}  {where}{clean(str(one.message))} [{one.code}]")
        if one.key and path:
            out(w("    by whoever has the key {key}; proof: {file}", key=one.key, file=printable(path)))
        elif one.key:
            out(w("    by whoever has the key {key}", key=one.key))
        elif one.verdict == "altered":
            out(w("    this blames nobody: whoever passed the file on can have changed it"))
        elif one.verdict == "undecided" and one.next:
            out(f"    {clean(str(one.next))}")
    for line in (*late_in_words(trial.lateness), *claims_in_words(len(trial.case.claims))) if trial else ():
        out(f"  {line}")
    for note in game.notes:
        out(w("  not decided here: {what}", what=clean(str(note))))


def _conclude(verdicts: set[str], proofs: list[str]) -> None:
    """What to do next, and the exit status."""
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
    if not verdicts:
        raise Malformed(
            t("there is nothing here that could be in dispute"), t("give views, transcripts, moves, receipts")
        )
    say(w("Next: nothing; nobody can be blamed by these files."))
