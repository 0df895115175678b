"""Results from the games on disk: written at the end of a run, and rebuilt by a check."""

import os
from collections.abc import Iterator
from itertools import islice

from msgspec.structs import replace

from referee.errors import RefereeError
from referee.io import files
from referee.language import ENGLISH, LANGUAGES, Text, localised_number, speaking
from referee.tournament import store, t, w
from referee.tournament.behaviour import Failure
from referee.tournament.ledger import Ledger
from referee.tournament.outcome import Outcome
from referee.tournament.records import GameRecord
from referee.tournament.report import MOST_ROWS, page, signed
from referee.tournament.sprt import bounds_of
from referee.tournament.summary import Results, Ruling, as_csv, as_json, summarise, taken

NEEDED = ("results.json", "results.csv", "report.html")
"""Reports in other languages may be missing."""
RULED = "ruling"
"""The end of a game whose ranks come from an arbiter."""


def counted_games(folder: str, ledger: Ledger) -> Iterator[GameRecord]:
    """The games that count: those without a withdrawn bot."""
    gone = {ledger.names.index(name) for name in ledger.withdrawn()}
    return (_ruled(kept, ledger) for kept in store.games(folder, ledger) if not gone & set(kept.outcome.entrants))


def _ruled(kept: GameRecord, ledger: Ledger) -> GameRecord:
    """A game with the ranks that an arbiter gave it, if any."""
    found = ledger.rulings.get(kept.outcome.number)
    if found is None or not found.ruling.ranks:
        return kept
    return replace(kept, outcome=replace(kept.outcome, ranks=found.ruling.ranks, end=RULED))


def make_results(folder: str, ledger: Ledger) -> tuple[Results, dict[str, bytes]]:
    """All numbers, and the files that contain them: name -> content. One pass over the games."""
    listed: list[Outcome] = []
    failures: dict[int, Failure] = {}

    def outcomes() -> Iterator[Outcome]:
        for kept in counted_games(folder, ledger):
            for lapse in kept.lapses:
                failures.setdefault(kept.outcome.entrants[lapse.seat], Failure(kept.outcome.number, lapse))
            listed.extend([kept.outcome] if len(listed) < MOST_ROWS else [])
            yield kept.outcome

    found = summarise(
        outcomes(),
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
    made = {"results.json": as_json(found), "results.csv": as_csv(found)}
    for language in LANGUAGES:
        with speaking(language):
            made[report_name(language)] = page(found, listed, failures).encode()
    return found, made


def report_name(language: str) -> str:
    """`report.html`, or `report.LANGUAGE.html`: all are written, so the folder does not depend on who writes it."""
    return "report.html" if language == ENGLISH else f"report.{language}.html"


def listed_games(folder: str, ledger: Ledger) -> Iterator[GameRecord]:
    """The games that the report lists, with links to their pages."""
    return islice(counted_games(folder, ledger), MOST_ROWS)


def write_results(folder: str, ledger: Ledger) -> list[str]:
    """Write the result files; returns the standings as lines of text."""
    found, made = make_results(folder, ledger)
    files.write({os.path.join(folder, name): data for name, data in made.items()})
    points, of = taken(found.total, len(found.entrants))
    return [
        w(
            "{place}. {name} {rating} ({low} to {high}), {points} of {of} points in {games} games",
            place=f"{place:3}", name=f"{found.entrants[row.entrant]:24}", rating=f"{signed(row.elo):>6}",
            low=signed(row.low), high=signed(row.high), points=localised_number(f"{points[row.entrant]:.10g}"),
            of=of[row.entrant], games=row.games,
        )
        for place, row in enumerate(found.total.ratings.rows, 1)
    ]  # fmt: skip


def compare_results(folder: str, ledger: Ledger) -> list[Text]:
    """Which result files differ from what the games give."""
    differs: list[Text] = []
    for name, data in make_results(folder, ledger)[1].items():
        path = os.path.join(folder, name)
        if not os.path.lexists(path):
            differs += [t("{name} is missing", name=name)] if name in NEEDED else []
            continue
        try:
            there = files.read(path, files.LARGE, "results")
        except RefereeError:  # empty, too large, not a file
            there = b""
        if there != data:
            differs.append(t("{name} does not match the games", name=name))
    return differs
