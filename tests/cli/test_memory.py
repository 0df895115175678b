"""Files made to cost memory: a sample of `tests/bench/memory.py` at a small size."""

import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.evidence import files, identify
from referee.games import edition_bytes
from tests.bench.memory import People, cases, cost, keys, unsigned_files

SIZE = 4_000_000
MOST = 8
"""Most bytes of memory for each byte of a file."""
SPARE = 4_000_000
"""How much more memory a process may take in one run than in another."""
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
    "object: keys": "show",
    "view: keys": "dispute",
    "name: wide, ours": "verify",
    "short lines": "tournament",
    "move: sealed": "verify",
    "game file: marks": "status",
    "offer: edition, numbers": "join",
    "offer: edition, keys": "start",
    "move: answer, nested": "apply",
}


@pytest.mark.thorough
def test_no_file_takes_much_more_memory_than_its_size(tmp_path: Path) -> None:
    """A documented status, and at most eight times the file's size."""
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
    assert not bad, "\n".join(bad)
    assert tried == len(SAMPLE)


def peak(work: Callable[[bytes], object], data: bytes) -> int:
    """The most memory that is held at once besides the data."""
    work(b"{}")  # whatever is loaded and made once
    tracemalloc.start()
    try:
        work(data)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_to_tell_what_an_unsigned_file_is_costs_little_memory() -> None:
    """Nothing is kept of a file that only pretends to be one of ours, whatever fills it; an error may name a field."""
    size = 100_000
    bombs = dict(unsigned_files(size))
    assert len(bombs) > 12
    glances = {
        "kind": identify.kind_of,
        "name": identify.name_of,
        "seat": files.seat_of,
        "edition": identify.edition_of,
    }
    costs = {(bomb, name): peak(work, data) for bomb, data in bombs.items() for name, work in glances.items()}
    assert {which: found for which, found in costs.items() if found > 3 * size} == {}
    # The measure sees what it is meant to see.
    assert peak(json.loads, keys(size)) > MOST * size


def test_kinds_are_told_apart_whatever_stands_around() -> None:
    """The glance that costs nothing sees the same as reading everything."""
    many = keys(5_000)[1:]
    assert identify.kind_of(b'{"format":"pbem-referee/1/view",' + many) == "view"
    assert identify.kind_of(b'{"z":[],"format":"pbem-referee/1/view",' + many) == "view"
    assert identify.kind_of(b'{"$schema":0,' + many) == "schema"
    assert identify.kind_of(b"{" + many) == identify.kind_of(b"[0]") == identify.kind_of(b'"text"') == "json"
    assert identify.kind_of(b'{"format":7,"type":"pbem-referee/1/move"}') == "json"
    assert identify.kind_of(b'{"format":"pbem-referee/1/view","type":7}') == "view"
    assert identify.kind_of(b'{"format":"pbem-referee/1/' + b"x" * 100 + b'"}') == "json"
    assert identify.kind_of(b'{"a":0') == identify.kind_of(b"{,}") == identify.kind_of(b'{"$schema":') == ""
    edition = edition_bytes("mark")
    assert (identify.kind_of(edition), identify.edition_of(edition)) == ("edition", "mark")
    assert identify.kind_of(b'{"other":0,' + edition[1:]) == identify.kind_of(b"{}") == "json"
