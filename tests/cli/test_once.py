"""A file is opened and followed once: every signature in it is verified exactly once, whatever else is known."""

import json
from collections import Counter
from pathlib import Path

import pytest

from referee.crypto import envelope, keys
from tests.cli.world import run_here
from tests.support.match import Sitting


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> Counter[bytes]:
    """How often each signature was verified."""
    found: Counter[bytes] = Counter()
    real = keys.verify

    def counted(public: bytes, signature: bytes, message: bytes) -> bool:
        found[signature] += 1
        return real(public, signature, message)

    monkeypatch.setattr(envelope, "verify", counted)
    return found


def folder(tmp_path: Path) -> tuple[Path, int]:
    """A finished game of the toy: a view of the middle, the last one, the transcript; signatures of the chain."""
    sitting = Sitting("auction", 3, "once").until(6)
    (tmp_path / "old.json").write_bytes(sitting.view(0))
    sitting.to_end()
    (tmp_path / "view.json").write_bytes(sitting.view(0))
    (tmp_path / "transcript.json").write_bytes(sitting.transcript())
    entries = [json.loads(bytes(one.body)) for one in sitting.match.entries]
    # The genesis, the offer, a join per seat, an entry per round, and every answer in it.
    return tmp_path, 2 + 3 + sum(1 + len(entry["answers"]) for entry in entries)


def test_an_audit_verifies_every_signature_once(tmp_path: Path, checked: Counter[bytes]) -> None:
    where, chain = folder(tmp_path)
    checked.clear()
    privates = len(json.loads((where / "view.json").read_bytes())["privates"])
    for _ in range(2):  # the second time there is a ticket
        ran = run_here("audit", "view.json", "--json", cwd=where)
        assert json.loads(ran.out)["signatures"] == chain + privates
        assert len(checked) == sum(checked.values()) == chain + privates
        checked.clear()


def test_verify_reads_transcript_and_view_once_each(tmp_path: Path, checked: Counter[bytes]) -> None:
    where, chain = folder(tmp_path)
    checked.clear()
    ran = run_here("verify", "transcript.json", "view.json", "old.json", cwd=where)
    assert ran.exit == 0
    alone = Counter(checked)
    checked.clear()
    for name in ("transcript.json", "view.json", "old.json"):
        run_here("verify", name, cwd=where)
    spared = checked - alone
    assert not alone - checked
    # The genesis, the offer and the three joins, which both views have.
    assert (len(spared), {*spared.values()}) == (5, {1})
    assert sum(checked.values()) >= 2 * chain
