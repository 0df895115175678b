"""Every vector through the JavaScript verifier, under Node: the same verdicts and codes as for the others."""

import json
from typing import Any

import pytest
from msgspec.structs import replace

from referee.crypto.codec import decode, encode
from referee.crypto.envelope import sign
from referee.engine import host
from referee.engine import records as r
from tests.engine.test_seats import DAY, vacated
from tests.independent.make_vectors import FOLDER

from .node import HERE, run_node

DOCUMENTS = ("view", "transcript", "round", "several", "proof", "claim", "ruling")


def _said() -> dict[str, Any]:
    done = run_node(HERE / "vectors.mjs")
    assert done.returncode == 0, done.stderr
    return {one["name"]: one for one in map(json.loads, done.stdout.strip().split("\n"))}


@pytest.mark.thorough
def test_all_vectors() -> None:
    said = _said()
    vectors = {path.name: json.loads(path.read_text()) for path in FOLDER.glob("*.json")}
    assert said.keys() == vectors.keys()
    assert {name: said[name] for name, vector in vectors.items() if not _right(vector, said[name])} == {}
    ruled = [name for name, vector in vectors.items() if vector.get("needs") == "rules"]
    assert len(ruled) > 20
    assert {said[name]["rules"] for name in ruled if vectors[name]["kind"] in ("view", "transcript")} == {"not checked"}


def _right(vector: Any, said: Any) -> bool:
    code, wrong = said["code"], [] if vector["expect"] == "ok" else vector["expect"]
    if vector["kind"] not in DOCUMENTS and not wrong:
        return bool(code == "ok" and said["value"] == vector["value"])
    if code in wrong:
        return vector["kind"] == "round" or "blames" not in vector or said["blames"] == vector["blames"]
    usual = [] if vector["kind"] == "proof" else ["ok"]
    return code in ([*usual, *vector.get("without", [])] if vector.get("needs") == "rules" or not wrong else [])


def test_who_takes_over_a_seat_is_checked_in_a_round_by_itself() -> None:
    """A succession that nobody signed, in an entry that the host did sign."""
    sitting = vacated("alone")
    sitting.wait(2 * DAY)
    host.take_arrival(sitting.match, sitting.succession(1))
    before = sitting.match.checkpoint
    sitting.step()
    entry = sitting.match.entries[-1]
    body = decode(bytes(entry.body), r.Entry, "entry")
    (taken,) = body.successions
    forged = sign(sitting.host, "entry", replace(body, successions=(replace(taken, sig="00" * 64),)))
    document = {"genesis": sitting.table.envelope, "state": before.state, "prev": before.head, "known": {}}
    given = json.dumps([json.loads(encode(document | {"entry": one})) for one in (entry, forged)])
    bags = json.dumps({name: list(faces) for name, faces in sitting.table.bags.items()})
    script = f"""
      import {{ step }} from "{HERE / "steps.mjs"}";
      const told = [];
      for (const one of {given}) told.push((await step("round", one, {bags})).code);
      console.log(JSON.stringify(told));
    """
    done = run_node("--input-type=module", "-e", script)
    assert done.stderr == ""
    assert json.loads(done.stdout) == ["ok", "bad-succession"]
