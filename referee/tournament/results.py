"""Results from the games that are kept: written at the end of a run, and rebuilt by a check."""

import os
from collections.abc import Iterator
from itertools import islice

from msgspec.structs import replace

from referee.errors import RefereeError
from referee.io import files
from referee.language import ENGLISH, LANGUAGES, Text, speaking, written
from referee.tournament import store, t, w
from referee.tournament.behaviour import Failure
from referee.tournament.ledger import Ledger
from referee.tournament.report import MOST_ROWS, page, page_name, signed
from referee.tournament.sprt import bounds_of
from referee.tournament.summary import Results, Ruling, as_csv, as_json, summarise, taken

NEEDED = ("results.json", "results.csv", "report.html")
"""Other languages can be left out."""
RULED = "ruling"
"""How a game ended whose places an arbiter gave."""


def counted(folder: str, ledger: Ledger) -> Iterator[store.Kept]:
    """The games that count: those in which nobody sat who was withdrawn."""
    gone = {ledger.names.index(name) for name in ledger.withdrawn()}
    return (_ruled(kept, ledger) for kept in store.lines(folder) if not gone & set(kept.outcome.entrants))


def _ruled(kept: store.Kept, ledger: Ledger) -> store.Kept:
    """A game as it counts: with the places that its arbiter gave it."""
    found = ledger.rulings.get(kept.outcome.number)
    if found is None or not found.ruling.ranks:
        return kept
    return replace(kept, outcome=replace(kept.outcome, ranks=found.ruling.ranks, end=RULED))


def results(folder: str, ledger: Ledger) -> Results:
    """All numbers."""
    return summarise(
        (kept.outcome for kept in counted(folder, ledger)),
        ledger.names,
        name=ledger.parts[0].stage.name,
        withdrawn=sorted(ledger.withdrawn()),
        unconfined=any(part.start is not None and part.start.unconfined for part in ledger.parts),
        limits=tuple(sorted({part.start.limits for part in ledger.parts if part.start and part.start.limits})),
        bounds=bounds_of(ledger.last.stage.schedule),
        rulings=[
            Ruling(number, one.ruling.ranks, one.ruling.verdict) for number, one in sorted(ledger.rulings.items())
        ],
    )


def make_results(folder: str, ledger: Ledger, found: Results) -> dict[str, bytes]:
    """File name -> content."""
    listed = [kept.outcome for kept in listed_games(folder, ledger)]
    failures, made = _failures(folder, ledger), {"results.json": as_json(found), "results.csv": as_csv(found)}
    for language in LANGUAGES:
        with speaking(language):
            made[report_name(language)] = page(found, listed, page_name, failures).encode()
    return made


def report_name(language: str) -> str:
    """`report.html`, and beside it one in each other language: so it is the same whoever writes it."""
    return "report.html" if language == ENGLISH else f"report.{language}.html"


def listed_games(folder: str, ledger: Ledger) -> Iterator[store.Kept]:
    """Those that the report lists, each with a link to its page."""
    return islice(counted(folder, ledger), MOST_ROWS)


def _failures(folder: str, ledger: Ledger) -> dict[int, Failure]:
    """What each bot did wrong first."""
    found: dict[int, Failure] = {}
    for kept in counted(folder, ledger):
        for lapse in kept.lapses:
            found.setdefault(kept.outcome.entrants[lapse.seat], Failure(kept.outcome.number, lapse))
    return found


def write_results(folder: str, ledger: Ledger) -> list[str]:
    """Write them; returns the standings in words."""
    found = results(folder, ledger)
    made = make_results(folder, ledger, found)
    files.write({os.path.join(folder, name): data for name, data in made.items()})
    points, of = taken(found.total, len(found.entrants))
    return [
        w(
            "{place}. {name} {rating} ({low} to {high}), {points} of {of} points in {games} games",
            place=f"{place:3}", name=f"{found.entrants[row.entrant]:24}", rating=f"{signed(row.elo):>6}",
            low=signed(row.low), high=signed(row.high), points=written(f"{points[row.entrant]:.10g}"),
            of=of[row.entrant], games=row.games,
        )
        for place, row in enumerate(found.total.ratings.rows, 1)
    ]  # fmt: skip


def compare_results(folder: str, ledger: Ledger) -> list[Text]:
    """What of the results differs from what the games give."""
    differs: list[Text] = []
    for name, data in make_results(folder, ledger, results(folder, ledger)).items():
        path = os.path.join(folder, name)
        if not files.exists(path):
            differs += [t("{name} is missing", name=name)] if name in NEEDED else []
        elif _there(path) != data:
            differs.append(t("{name} is not what the games give", name=name))
    return differs


def _there(path: str) -> bytes:
    try:
        return files.read(path, files.LARGE, "results")
    except RefereeError:  # empty, too large, no file at all
        return b""
