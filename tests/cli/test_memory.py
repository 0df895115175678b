"""Files made to cost memory: a sample of `tests/bench/memory.py` at a small size."""

from pathlib import Path

import pytest

from tests.bench.memory import People, cases, cost

SIZE = 4_000_000
MOST = 8
"""Most bytes of memory for each byte of a file."""
SPARE = 4_000_000
"""What a process may take more from run to run."""
SAMPLE = {
    "view: entries, numbers": "audit",
    "view: entries, envelopes": "audit",
    "view: privates, empty lists": "play",
    "transcript: sealed, envelopes": "verify",
    "view: public, numbers": "show",
    "view: public, nested": "show",
    "view: signed privates": "audit",
    "view: signed entries": "verify",
    "nested lists": "verify",
    "move: sealed": "verify",
    "game file: marks": "status",
    "offer: edition, numbers": "join",
    "offer: edition, keys": "start",
    "move: answer, nested": "apply",
}


@pytest.mark.thorough
def test_no_file_takes_much_more_memory_than_its_size(tmp_path: Path) -> None:
    """A documented status, at most eight times the file's size, and no more than a second beyond a tiny file."""
    People().settle(tmp_path)
    (tmp_path / "tiny.json").write_bytes(b"{}")
    base = {reader: cost(tmp_path, reader, "tiny.json") for reader in set(SAMPLE.values())}
    bad, tried = [], 0
    for case in cases(SIZE):
        if case.name in SAMPLE:
            reader = SAMPLE[case.name]
            (tmp_path / "evil.json").write_bytes(case.data)
            found = cost(tmp_path, reader, "evil.json")
            tried += 1
            taken = found.peak - base[reader].peak
            if found.exit not in range(2, 9) or b"Traceback" in found.said:
                bad.append(f"{case.name}, {reader}: exit {found.exit}: {found.said[-200:]!r}")
            if taken > MOST * len(case.data) + SPARE:
                bad.append(f"{case.name}, {reader}: {taken / len(case.data):.1f} times its size")
            if found.seconds - base[reader].seconds > 1:
                bad.append(f"{case.name}, {reader}: {found.seconds:.1f} s")
    assert not bad, "\n".join(bad)
    assert tried == len(SAMPLE)
