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
