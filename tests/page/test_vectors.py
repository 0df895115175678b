"""Every vector through the JavaScript verifier, under Node: the same verdicts and codes as for the others."""

import json
from typing import Any

import pytest

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
