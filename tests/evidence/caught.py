"""What an attack of the table leaves behind: the files held by those who noticed it."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from referee.crypto.codec import encode
from referee.crypto.envelope import Envelope
from referee.engine import records as r
from referee.engine.table import Table
from referee.errors import Malformed
from referee.evidence import proofs as p
from referee.evidence.case import try_all
from referee.evidence.court import judge_proof, read_proof
from referee.evidence.pool import Pool, PoolFinding
from tests.cli.world import run_here
from tests.engine import attacks, plots
from tests.support import match

Kept = dict[bytes, dict[tuple[int, int], match.Own]]
"""Files, each with what its player's own program kept of sealed answers."""


@contextmanager
def recording() -> Iterator[Kept]:
    """Records every file that is opened or compared meanwhile."""
    kept: Kept = {}

    def note(data: Any, own: Any = None) -> None:
        file = data if isinstance(data, bytes) else encode(data)
        seat = match.decode(file, r.View, "view").seat if own else 0
        kept[file] = {(number, seat): fields for number, fields in (own or {}).items()}

    def view(data: Any, sealed: Any = None, since: Any = None) -> Any:
        note(data, sealed)
        return opens(data, sealed, since)

    def transcript(data: bytes) -> Any:
        note(data)
        return ends(data)

    def compared(files: Any) -> Any:
        for file in files:
            if isinstance(file, r.MoveFile | Envelope):
                note(file)
        return compares(files)

    opens, ends, compares = attacks.open_view, attacks.open_transcript, attacks.compare
    attacks.open_view = match.open_view = view
    attacks.open_transcript = plots.open_transcript = transcript
    attacks.compare = compared
    try:
        yield kept
    finally:
        attacks.open_view = match.open_view = opens
        attacks.open_transcript = plots.open_transcript = ends
        attacks.compare = compares


def shown_by(kept: Kept) -> list[PoolFinding]:
    """What a dispute finds in these files."""
    pool = Pool()
    for number, data in enumerate(kept):
        pool.add(str(number), data)
    for name, case in pool.cases.items():
        for data, sealed in kept.items():
            if name in match.ident("genesis", _genesis(data)):
                case.sealed.update(sealed)
                case.ephemerals.update((place, own.ephemeral) for place, own in sealed.items())
    trials, others = try_all(pool)
    return [*others, *(one for trial in trials for one in trial.shown)]


def assert_alone(proof: p.AnyProof, code: str, folder: Path) -> None:
    """The command finds the same with this file alone. `test_ways` asks a fresh process."""
    (folder / "proof.json").write_bytes(encode(proof))
    done = run_here("verify", "proof.json", "--json", cwd=folder)
    row = json.loads(done.out.splitlines()[0])
    key = Table(proof.genesis).offer.key
    assert (done.exit, row["verdict"], row["code"], row["key"]) == (6, p.PROVED, code, key)


def assert_minimal(proof: p.AnyProof) -> None:
    """Without any one of its parts it no longer proves this."""
    tried, code = 0, judge_proof(proof).code
    for less in without_a_part(proof):
        tried += 1
        try:
            found = judge_proof(read_proof(encode(less)))
        except Malformed:
            continue
        assert (found.verdict, found.code) != (p.PROVED, code)
    assert tried >= len(
        [field for field in msgspec.structs.fields(proof) if getattr(proof, field.name) != field.default]
    )


def without_a_part(proof: p.AnyProof) -> Iterator[Any]:
    """A proof with one part removed, for each part; of a long chain, the ends and the middle."""
    parts = msgspec.json.decode(encode(proof), type=dict[str, Any])
    for name, value in parts.items():
        yield {other: part for other, part in parts.items() if other != name}
        if value and isinstance(value, list):
            for at in {0, len(value) // 2, len(value) - 1}:
                yield parts | {name: [*value[:at], *value[at + 1 :]]}


def _genesis(data: bytes) -> bytes:
    try:
        return bytes(match.decode(data, r.View, "view").genesis.body)
    except Exception:
        return b""
