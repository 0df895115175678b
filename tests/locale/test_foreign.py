"""What the system, Python and the readers of JSON and TOML say, in German and Dutch: in sentences of
ours, or quoted."""

import ast
import errno
import inspect
import json
import os
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta

from referee import games
from referee.bots import wire
from referee.crypto.codec import read
from referee.errors import RefereeError, Usage
from referee.io import files
from referee.io.toml import explain_error
from referee.language import ENGLISH, speaking, t
from referee.mail import settings
from referee.misfits import why
from referee.tournament import spec
from tests.contract.planted import Plant, planted

from .left_over import english_in
from .make import TARGETS


class Point(msgspec.Struct, forbid_unknown_fields=True):
    """Something that JSON may not be."""

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
    b"[" * 9_000, b'"\xff"',
)  # fmt: skip
"""Lines that are not JSON."""


def in_english(text: object) -> str:
    with speaking(ENGLISH):
        return str(text)


def misfits() -> Iterator[msgspec.ValidationError]:
    """What is said of each, alone and within something else."""
    for kind, value in MISFITS:
        for shape, inner in ((kind, value), (list[kind], [value])):
            with pytest.raises(msgspec.ValidationError) as caught:
                msgspec.json.decode(json.dumps(inner), type=shape)
            yield caught.value
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.json.decode(b"1" * 5_000, type=int)
    yield caught.value


@pytest.mark.parametrize("language", TARGETS)
def test_why_json_does_not_fit(language: str) -> None:
    with speaking(language):
        for error in misfits():
            told = str(t("{what} cannot be read: {reason}", what=t("view"), reason=why(error)))
            assert str(error) not in told
            assert english_in(told, language) == [], told


@pytest.mark.parametrize("language", TARGETS)
def test_why_a_line_is_not_json(language: str) -> None:
    with speaking(language):
        for line in BROKEN:
            with pytest.raises(wire.Unreadable) as caught:
                wire.read(line, Any)
            told = str(caught.value.why)
            assert english_in(told, language) == [], told
            assert in_english(caught.value.why).partition(": ")[2] not in told


def said_by_toml() -> Iterator[str]:
    """Everything that this Python's reader of TOML can say, with values in it."""
    tree = ast.parse(inspect.getsource(inspect.getmodule(tomllib.loads)))  # type: ignore[arg-type]
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="suffixed_err" | "TOMLDecodeError"), args=[*_, message]):
                yield "".join(
                    str(part.value) if isinstance(part, ast.Constant) else "'a'"
                    for part in (message.values if isinstance(message, ast.JoinedStr) else [message])
                )


@pytest.mark.parametrize("language", TARGETS)
def test_why_a_file_is_not_toml(language: str) -> None:
    sentences = {text for text in said_by_toml() if not text.startswith("'a'")}
    assert len(sentences) >= 15
    with speaking(language):
        for text in sentences:
            for place in ("line 3, column 7", "end of document"):
                where, what = explain_error(tomllib.TOMLDecodeError(f"{text} (at {place})"))
                assert str(where) != in_english(where)
                assert str(what) != in_english(what), what
        where, what = explain_error(tomllib.TOMLDecodeError("Something new"))
        assert {"de": "„Something new“", "nl": "‘Something new’"}[language] in str(what)
        assert str(what) != in_english(what)


@pytest.mark.parametrize("language", TARGETS)
def test_what_the_system_says(language: str) -> None:
    with speaking(language):
        for number in errno.errorcode:
            reason = files.reason(OSError(number, "x"))
            told = str(t("{path} cannot be read: {error}", path="a/game.json", error=reason))
            assert str(reason) != in_english(reason)
            assert english_in(told, language) == [], told
        assert "'" not in str(files.reason(FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))))


@pytest.mark.parametrize("language", TARGETS)
def test_files_written_by_hand(language: str, tmp_path: Path) -> None:
    """Specs, settings, editions."""
    said: list[RefereeError] = []
    for text in ("a = ", "a = 1\na = 2", 'name = "x', "name = 3", "[[bots]\n", "é = 1", "x = 1"):
        for name, opened in (("spec.toml", spec.read_spec), ("mail.toml", settings.read_settings)):
            (tmp_path / name).write_text(text)
            with pytest.raises(RefereeError) as caught:
                opened(str(tmp_path / name))  # type: ignore[operator]
            said.append(caught.value)
    for data in (b"{}", b"[]", b"{"):
        with pytest.raises(RefereeError) as caught:
            read(data, games.load("mark").edition, "edition")
        said.append(caught.value)
    with speaking(language):
        told = [str(text) for error in said for text in (error.message, error.next)]
    told = [text.replace(", name: ", ": ") for text in told]  # a setting is called as the file calls it
    settings_named = ("es gibt: ", "er zijn: ")
    assert {text for text in told if english_in(text, language) and not text.startswith(settings_named)} == set()


@pytest.mark.parametrize("language", TARGETS)
def test_what_python_says_of_a_broken_game_is_quoted(language: str, tmp_path: Path) -> None:
    said = "ModuleNotFoundError: No module named 'nothing_of_that_name'"
    quoted = {"de": f"Python sagt „{said}“", "nl": f"Python zegt ‘{said}’"}[language]
    plant = Plant(("GAME = Game(", "import nothing_of_that_name\nGAME = Game("))
    with planted(tmp_path, plant) as game, speaking(language):
        with pytest.raises(Usage) as caught:
            games.load(game)
        told = str(caught.value.message)
    assert quoted in told
    assert english_in(told.replace(quoted, ""), language) == []
