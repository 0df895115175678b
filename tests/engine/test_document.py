"""Where a raw body ends, in files of any shape: as the standard library's reader says."""

import json
import random
from json.decoder import scanstring

import pytest

from referee.crypto.raw_bodies import _end, set_aside
from referee.errors import Malformed

ATOMS = ("0", "-1", "1.5e+3", '"a"', '"[{"', '"\\ud800"', '"\\"\\\\"', "true", "null", "[]", "{}", "[ ]")
WRONG = ("-", "tru", "01", '"\\x"', '"\x01"', ".5", "+1", "'a'", "]", ",")
AROUND = ("", "", "", "", " ", "\n")


def some_value(rng: random.Random, depth: int) -> str:
    """A JSON value, sometimes with an error in it."""
    kind = rng.randrange(9) if depth else 0
    if kind < 4:
        return rng.choice(WRONG if rng.random() < 0.02 else ATOMS)
    ends, name = ("[]", "") if kind < 7 else ("{}", '"k" :')
    values = [some_value(rng, depth - 1) for _ in range(rng.randrange(5))]
    spaced = [rng.choice(AROUND) + name + rng.choice(AROUND) + one + rng.choice(AROUND) for one in values]
    return ends[0] + ",".join(spaced) + ends[1]


def end_by_library(text: str) -> int:
    try:
        return json.JSONDecoder(parse_constant=lambda name: scanstring(name, 0)).raw_decode(text)[1]
    except ValueError:
        return -1


def our_end(text: str) -> int:
    try:
        return _end(text.encode(), 0)
    except Malformed:
        return -1


def test_a_value_ends_where_the_standard_library_says() -> None:
    rng = random.Random("ends")
    wrong = 0
    for _ in range(4000):
        text = some_value(rng, rng.randrange(6))
        if rng.random() < 0.3:
            place = rng.randrange(len(text))
            text = text[:place] + rng.choice(("", "[", "]", "{", "}", ",", ":", '"')) + text[place + 1 :]
        text = text.lstrip() + rng.choice(("", ",", "]", "}", " ", "x"))
        expected = end_by_library(text)
        wrong += expected < 0
        assert our_end(text) == expected, text
    assert 400 < wrong < 3600


@pytest.mark.parametrize("deep", [3, 1_000, 50_000])
@pytest.mark.parametrize("level", ["[]", "[0,]", '{"a":}', '[{"b":0,"a":[0,]}]'])
def test_any_depth_is_set_aside(deep: int, level: str) -> None:
    """Beside, before and after other fields, alone or in a list."""
    inner = level.replace(",]", ",|]").replace(":}", ":|}").replace("[]", "[|]")
    start, end = inner.split("|")
    body = (start * deep + '"]"' + end * deep).encode()
    envelope = b'{"body":' + body + b',"sig":"","type":""}'
    bare = b'{"body":0,"sig":"","type":""}'
    for form in (b'{"a":[{"b":0}],"entries":[%b,%b],"z":"}"}', b'{"entry":%b,"privates":[%b],"z":[[]]}'):
        found, bodies = set_aside(form % (envelope, envelope))
        assert found == form % (bare, bare)
        assert [one for some in bodies.values() for one in some] == [body, body]
