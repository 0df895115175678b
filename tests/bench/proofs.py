"""Proofs and games verified a second, beside the bare signature checks of the same files; `verify` with two processes.

python -m tests.bench.proofs [rounds [games]]
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from referee.crypto import keys
from referee.crypto.codec import decode, encode
from referee.crypto.envelope import Envelope, signed_bytes
from referee.engine import records as r
from referee.engine.table import Table
from referee.evidence import proofs as p
from referee.evidence.court import judge_proof, read_proof
from referee.evidence.replay import open_transcript
from tests.bench.common import interleave
from tests.evidence.caught import shown_by
from tests.evidence.ways import WAYS
from tests.support.match import Sitting

GAMES = ("mark", "schwarzer-freitag", "schwarzmarkt", "weg-zum-erfolg")
Check = tuple[bytes, bytes, bytes]


def bare(key: bytes, kind: str, envelope: Envelope) -> Check:
    return key, bytes.fromhex(envelope.sig), signed_bytes(kind, bytes(envelope.body))


def checks_of(genesis: Envelope, entries: list[Envelope]) -> list[Check]:
    """Every signature of a genesis and of these entries, ready to be verified."""
    table = Table(genesis)
    found = [bare(table.host, "genesis", genesis), bare(table.host, "offer", table.genesis.offer)]
    found += [bare(key, "join", join) for key, join in zip(table.keys, table.genesis.joins, strict=True)]
    for envelope in entries:
        found.append(bare(table.host, "entry", envelope))
        entry = msgspec.json.decode(envelope.body, type=r.Entry)
        for one in entry.answers:
            move = encode(r.move_of(entry.game, entry.round, entry.prev, one))
            found.append((table.keys[one.seat], bytes.fromhex(one.sig), signed_bytes("move", move)))
    return found


def offences(game: str) -> list[p.BadRound]:
    """Proofs of broken rounds, as the catalogue makes them."""
    found = []
    for way in WAYS:
        if way.codes == ("rule-broken",) and way.attempt.endswith("in an entry"):
            shown = shown_by(way.run(game) or {})
            found += [one.proof for one in shown if isinstance(one.proof, p.BadRound) and one.proof.before is not None]
    return found


def by_turns(jobs: dict[str, Callable[[], object]], rounds: int) -> dict[str, list[float]]:
    """Processor time of all jobs in turn: a figure for one core, whatever else runs beside."""
    times: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(rounds):
        for name, job in jobs.items():
            start = time.process_time()
            job()
            times[name].append(time.process_time() - start)
    return times


def proofs(game: str, rounds: int) -> None:
    """Judging a proof alone, beside the signatures in it."""
    found = offences(game)
    files = [encode(one) for one in found]
    checks = [check for one in found for check in checks_of(one.genesis, [one.entry])]
    checks += [bare(Table(one.genesis).host, "entry", one.before) for one in found if one.before is not None]
    times = by_turns(
        {
            "bare": lambda: [keys.verify(*check) for check in checks],
            "judge": lambda: [judge_proof(read_proof(data)) for data in files],
        },
        rounds,
    )
    told("proofs", game, len(files), times["judge"], times["bare"], len(checks), statistics.mean(map(len, files)))


def games(game: str, rounds: int) -> None:
    """Verifying a whole game, beside the signatures in it."""
    data = Sitting(game, 3, "bench").to_end().transcript()
    whole = decode(data, r.Transcript, "transcript")
    checks = checks_of(whole.genesis, list(whole.entries))
    times = by_turns(
        {"bare": lambda: [keys.verify(*check) for check in checks], "verify": lambda: open_transcript(data)}, rounds
    )
    told("games", game, 1, times["verify"], times["bare"], len(checks), len(data))


def told(what: str, game: str, count: int, over: list[float], under: list[float], checks: int, size: float) -> None:
    top, base = statistics.median(over), statistics.median(under)
    print(
        f"  {what:7} {game:18} {count / top:8.1f} a second, {size / 1000:6.1f} kB each, {top / base:5.2f} times their "
        f"{checks // count} bare signature checks"
    )


def side_by_side(folder: Path, rounds: int) -> None:
    """`verify FOLDER --jobs 2` against `--jobs 1`: transcript and two views of each game."""
    times = interleave({jobs: lambda jobs=jobs: verify(folder, jobs) for jobs in ("1", "2")}, rounds)
    one, two = (statistics.median(times[jobs]) for jobs in ("1", "2"))
    print(f"  verify --jobs 1: {one:.2f} s, --jobs 2: {two:.2f} s: {one / two:.2f} times the throughput (goal >= 1.8)")


def verify(folder: Path, jobs: str) -> None:
    subprocess.run(
        [sys.executable, "-m", "referee", "verify", str(folder), "--jobs", jobs], check=True, capture_output=True
    )


def main(rounds: int = 7, count: int = 6) -> None:
    print(f"proofs and games, CPython {sys.version.split()[0]}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    for game in GAMES:
        proofs(game, rounds)
        games(game, rounds)
    with tempfile.TemporaryDirectory() as name:
        for number in range(count * len(GAMES)):
            sitting = Sitting(GAMES[number % len(GAMES)], 3, f"bench {number}").to_end()
            (Path(name) / f"{number}.transcript.json").write_bytes(sitting.transcript())
            for seat in (0, 1):
                (Path(name) / f"{number}-{seat}.view.json").write_bytes(sitting.view(seat))
        side_by_side(Path(name), max(3, rounds // 2))
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        size = sum(path.stat().st_size for path in Path(name).iterdir()) / 1e6
        print(f"  peak memory of one process that verifies {count * 12} files of {size:.1f} MB together: {peak:.0f} MB")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
