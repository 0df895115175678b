"""Standings from the games that are kept: written at the end of a run, and rebuilt by a check."""

import os
from collections.abc import Iterator

import msgspec

from referee.crypto.codec import encode
from referee.io import files
from referee.tournament import store
from referee.tournament.ledger import Ledger
from referee.tournament.outcome import Outcome, points

RESULTS = "results.json"


def counted(folder: str, ledger: Ledger) -> Iterator[Outcome]:
    """The games that count: those in which nobody sat who was withdrawn."""
    gone = {ledger.names.index(name) for name in ledger.withdrawn()}
    return (kept.outcome for kept in store.lines(folder) if not gone & set(kept.outcome.entrants))


def make_results(folder: str, ledger: Ledger) -> dict[str, bytes]:
    """File name -> content."""
    names = ledger.names
    sums: list[list[float]] = [[0, 0.0] for _ in names]
    for outcome in counted(folder, ledger):
        for entrant, share in zip(outcome.entrants, points(outcome.ranks) if outcome.ranks else (), strict=False):
            sums[entrant][0] += 1
            sums[entrant][1] += share
    rows = [{"name": name, "games": int(n), "points": round(p, 6)} for name, (n, p) in zip(names, sums, strict=True)]
    return {RESULTS: encode({"standings": rows, "withdrawn": sorted(ledger.withdrawn())})}


def write_results(folder: str, ledger: Ledger) -> list[str]:
    """Write them; returns the standings in words."""
    made = make_results(folder, ledger)
    files.write({os.path.join(folder, name): data for name, data in made.items()})
    found = msgspec.json.decode(made[RESULTS])["standings"]
    ranked = sorted(found, key=lambda row: -row["points"] / max(1, row["games"]))
    return [f"{row['name']:24} {row['games']:6} games  {row['points'] / max(1, row['games']):.3f}" for row in ranked]


def compare_results(folder: str, ledger: Ledger) -> list[str]:
    """What of the results differs from what the games give."""
    differs = []
    for name, data in make_results(folder, ledger).items():
        path = os.path.join(folder, name)
        if not files.exists(path):
            differs.append(f"{name} is missing")
        elif files.read(path, files.LARGE, "results") != data:
            differs.append(f"{name} is not what the games give")
    return differs
