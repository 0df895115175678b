"""Every number of a signed document has the bounds of its schema in the page, too."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from referee.crypto.codec import decode
from referee.engine import records as r
from referee.evidence.rulings import make_ruling
from tests.page.node import PAGE, run_node
from tests.support.match import Sitting

SCHEMAS = Path(__file__).parents[2] / "schemas"
ASK = f"""
const {{ SHAPES }} = await import("file://{PAGE}/wire.mjs");
let given = "";
for await (const part of process.stdin) given += part;
console.log(JSON.stringify(JSON.parse(given).map(([kind, one]) => SHAPES[kind](one))));
"""


def bodies() -> dict[str, Any]:
    """A body of each kind, from a game with deadlines and all else that has a number."""
    one = Sitting("auction", 3, "bounds", deadline=60, grace=5, bank=30, takeovers=2, takeover=60).until("play")
    receipt = one.fork().give(one.signed(one.asked[0])).receipt
    assert receipt is not None
    view = decode(one.view(0), r.View, "view")
    envelopes = {
        "offer": one.offer, "entry": view.entries[-1], "private": view.privates[0], "receipt": receipt,
        "move": decode(one.signed(one.asked[0]), r.MoveFile, "move"),
    }  # fmt: skip
    found = {kind: json.loads(bytes(one.body)) for kind, one in envelopes.items()}
    ruling = json.loads(make_ruling(one.host, view.genesis, (), "so be it", (1, 2, 3)))
    return {**found, "ruling": json.loads(ruling["body"]) if isinstance(ruling["body"], str) else ruling["body"]}


def changes(schema: dict[str, Any], place: dict[str, Any], value: Any) -> Iterator[Any]:
    """The same value with one number at a bound of its schema, or just beyond it."""
    place = place if "$ref" not in place else schema["$defs"][place["$ref"].rpartition("/")[2]]
    if place.get("type") == "integer":
        low, high = place["minimum"], place.get("maximum", place.get("exclusiveMaximum", 0) - 1)
        yield from (low - 1, low, high, high + 1)
    elif isinstance(value, dict):
        for name, inner in place.get("properties", {}).items():
            optional = inner.get("default")
            if name in value or isinstance(optional, int | list):
                for new in changes(schema, inner, value.get(name, optional)):
                    if new != optional:  # what is usual is left out
                        yield {**value, name: new}
    elif isinstance(value, list) and "items" in place:
        for new in changes(schema, place["items"], value[0] if value else None):
            yield [new, *value[1:]]


@pytest.mark.parametrize("kind", bodies())
def test_every_number_has_the_bounds_of_its_schema(kind: str) -> None:
    body = bodies()[kind]
    schema = json.loads((SCHEMAS / f"{kind}.body.schema.json").read_text())
    tried = [body, *changes(schema, schema, body)]
    right = [jsonschema.Draft202012Validator(schema).is_valid(one) for one in tried]
    assert right[0]
    assert {*right} == {True, False}
    done = run_node("--input-type=module", "-e", ASK, given=json.dumps([[kind, one] for one in tried]))
    assert done.stderr == ""
    assert [one for one, fits, other in zip(tried, right, json.loads(done.stdout), strict=True) if fits != other] == []


NAMED = {"name": "n", "ask": "n?"}
WHEN = {"part": "n", "name": "x", "low": 1, "high": 2}
PARTS = [
    {"type": "pick", **NAMED, "options": [{"text": "o", "value": 1, "when": [WHEN], "otherwise": True, "at": "a:1"}]},
    {"type": "number", **NAMED, "low": 0, "high": 1},
    {"type": "amounts", **NAMED, "most": {"x": 1}, "listed": ["x"], "at": {"x": "a:1"}},
    {"type": "ranking", **NAMED, "names": ["x"], "least": 1, "at": {"x": "a:1"}},
    {"type": "free", **NAMED, "how": "any", "longest": 9},
]
LIMIT = {"terms": [{"part": "n", "name": "x", "times": 2}], "low": 0, "high": 9, "why": "so"}
CHOICE = {
    "text": "t", "move": {"a": 1}, "note": "LO-1", "form": {"a": {"$": "n"}}, "limits": [LIMIT], "minor": True,
    "at": ["a:1"],
}  # fmt: skip
STRANGE: list[Any] = [
    None, True, 0, -1, 1.5, "", "x", "a:1", "a:", "a b:1", "a:" + "1" * 58, "a:" + "1" * 59, [], {}, [1], ["x"],
    {"x": 1}, {"x": "a:1"}, {"x": "a"}, {"more": 1},
]  # fmt: skip
READS = f"""
const {{ readMoves }} = await import("file://{PAGE}/forms.mjs");
let given = "";
for await (const part of process.stdin) given += part;
const told = (one) => {{
  try {{
    return readMoves(one) === one ? "" : "it returns another";
  }} catch (error) {{
    return error.message;
  }}
}};
console.log(JSON.stringify(JSON.parse(given).map(told)));
"""


def bent(value: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """The same with one thing in it replaced by something strange, or left out, and what that was called. What a move
    is only the game knows; that amounts are not negative, and names not given twice, no schema says."""
    if place in ("move", "form", "value"):
        return
    yield from ((place, strange) for strange in STRANGE if not (place == "x" and strange == -1))
    if isinstance(value, dict):
        for name, inner in value.items():
            yield name, {one: other for one, other in value.items() if one != name}
            yield from ((name, {**value, name: new}) for _, new in bent(inner, name))
        yield place, {**value, "more": 1}
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from ((place, [*value[:at], new, *value[at + 1 :]]) for _, new in bent(inner, place))


def test_moves_as_data_have_the_form_of_their_schema() -> None:
    schema = json.loads((SCHEMAS / "moves.schema.json").read_text())
    judge = jsonschema.Draft202012Validator(schema)
    moves: dict[str, Any] = {"round": 1, "asked": "x", "choices": [], "standing": None}
    parts = [new for part in PARTS for _, new in bent(part)]
    tried = [{**moves, "choices": [{"text": "t", "move": {}, "form": {}, "parts": [new]}]} for new in parts]
    tried += [{**moves, "choices": [new]} for _, new in bent(CHOICE)]
    tried += [new for _, new in bent({**moves, "standing": {"now": ["x"], "choices": []}})]
    right = [judge.is_valid(one) for one in tried]
    assert min(right.count(True), right.count(False)) > 100
    done = run_node("--input-type=module", "-e", READS, given=json.dumps(tried))
    assert done.stderr == ""
    told = json.loads(done.stdout)
    fits = [why != "this does not describe moves" for why in told]
    assert [one for one, good, other in zip(tried, right, fits, strict=True) if good != other] == []
    assert {*told} == {"", "this does not describe moves", "a choice refers to parts that it does not have"}
