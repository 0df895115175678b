"""Why something is not what was expected: the errors of the JSON library, as data; and what is read, in words."""

import ast
import json
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta

import referee
from referee.crypto.codec import WORDS, check_plain, decode, read
from referee.crypto.envelope import KINDS, Envelope, body_of
from referee.errors import Malformed
from referee.language import LANGUAGES, speaking
from referee.misfits import misfit, why


class Point(msgspec.Struct, forbid_unknown_fields=True):
    """Something that is not valid JSON."""

    x: int


MISFITS: list[tuple[Any, Any]] = [
    (int, "a"), (Point, []), (Point, {}), (Point, {"x": 1, "y": 2}), (Literal["a", "b"], "c"), (Literal[1, 2], 3),
    (Annotated[int, Meta(ge=1)], 0), (Annotated[int, Meta(le=1)], 2), (Annotated[int, Meta(multiple_of=4)], 2),
    (Annotated[str, Meta(min_length=2)], "a"), (Annotated[str, Meta(pattern="^b$")], "a"),
    (Annotated[list[int], Meta(max_length=1)], [1, 2]), (Annotated[dict[str, int], Meta(min_length=1)], {}),
    (tuple[int, int], [1]), (tuple[int, int], [1, 2, 3]), (int | None, "a"), (float, 10**400), (int, 1.5),
]  # fmt: skip
"""A type, and JSON that does not fit."""
BROKEN = (
    b'{"x": ', b'{"x" 1}', b'{"x": 1,}', b"[1,]", b"[1 2]", b"{x: 1}", b'{"x": 1 "y": 2}', b'"\\q"', b'"\\u12"',
    b'"\\u12zz"', b'"\\ud800\\u0000"', b'"\\ud800', b'"\\ud800"', b"01", b"1.", b"1e", b"?", b"1 1", b'"\x01"',
)  # fmt: skip
"""Not JSON."""
INNER = "the library msgspec says"


def failed(data: bytes, kind: Any) -> msgspec.MsgspecError:
    with pytest.raises(msgspec.MsgspecError) as caught:
        msgspec.json.decode(data, type=kind)
    return caught.value


@pytest.mark.parametrize(("kind", "value"), MISFITS)
def test_what_does_not_fit(kind: Any, value: Any) -> None:
    for shape, inner, place in (
        (kind, value, ""),
        (list[kind], [value], "$[0]"),
        (dict[str, kind], {"a": value}, "$[...]"),
    ):
        error = failed(json.dumps(inner).encode(), shape)
        assert str(why(error)) == str(error)
        assert misfit(error)[1].startswith(place)
        assert INNER not in str(why(error))
        for language in LANGUAGES:
            with speaking(language):
                assert (str(why(error)) == str(error)) == (language == "en")
                assert "the" not in str(why(error)).split()


@pytest.mark.parametrize("data", BROKEN)
def test_invalid_json(data: bytes) -> None:
    error = failed(data, Any)
    assert str(why(error)) == str(error)
    with speaking("de"):
        assert INNER not in str(why(error))
        assert str(why(error)) != str(error)


def test_what_is_unknown_is_quoted() -> None:
    with speaking("de"):
        assert str(why(msgspec.ValidationError("Something new"))) == "die Bibliothek msgspec sagt „Something new“"


def test_quoted_input_is_not_translated() -> None:
    """Not mistaken for a path, for one of our texts, or for the name of a value."""
    for field in ("{wanted}", "a move", "x` - at `y", "Expected `int`", "{0.__class__}"):
        error = failed(json.dumps({"x": 1, field: 2}).encode(), Point)
        with speaking("de"):
            assert field in str(why(error))
            assert misfit(error)[1] == ""


def test_what_is_read_has_a_name_in_every_language() -> None:
    with speaking("de"):
        for call, told in (
            (lambda: read(b'{"x":"a"}', Point, "edition"), "Ausgabe"),
            (lambda: decode(b'{"x": 1}', Point, "offer"), "Angebot"),
            (lambda: check_plain(b"1.5", "the position"), "die Stellung"),
            (lambda: body_of(Envelope(msgspec.Raw(b"{}"), "", "pbem-referee/1/join"), "offer"), "ein Angebot"),
        ):
            with pytest.raises(Malformed) as caught:
                call()
            assert told in str(caught.value)


def test_whatever_is_decoded_is_named() -> None:
    """The words passed to readers are those in the catalogues."""
    known, found = {*WORDS, *KINDS}, set()
    for path in Path(referee.__file__).parent.rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        ours = {
            (name.asname or name.name, 1 if name.name.startswith("check_") else 2)
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module in ("referee.crypto.codec", "referee.crypto.document")
            for name in node.names
            if name.name in ("decode", "read", "read_file", "check_plain", "check_file", "check_body")
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                for place in (place for name, place in ours if name == node.func.id):
                    if len(node.args) > place and isinstance(what := node.args[place], ast.Constant):
                        found.add(what.value)
    assert found - known == {"a note"}  # which only authors of games see
    assert {*WORDS} <= found
