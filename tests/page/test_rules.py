"""The rules in a page: the same answers as the program's, to the byte, for good files and bad ones."""

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee import games
from referee.app import calls
from referee.app.calls import Calls
from referee.crypto.codec import encode
from referee.errors import RefereeError
from referee.io import keyfile
from referee.library import checks
from tests.page.node import Ask
from tests.page.python import built, rules
from tests.page.tampered import all_files

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*/*.json"))
GAMES = [one for one in games.game_ids() if (ROOT / "referee" / "games" / one.replace("-", "_")).is_dir()]


@pytest.fixture(scope="module")
def page(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    runtime = built(request.config.cache.mkdir("runtime"))  # type: ignore[union-attr]
    with rules(runtime, tmp_path_factory.mktemp("rules")) as ask:
        yield ask


class Program:
    """The same calls to the program itself, in a folder of its own."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("REFEREE_HOME", str(folder / "home"))
        self.folder = folder / "desk"
        self.folder.mkdir()
        self.calls = Calls(str(self.folder), None, lambda path: keyfile.load(b""))

    def put(self, name: str, data: bytes) -> str:
        (self.folder / name).write_bytes(data)
        return self.calls.handle_of(str(self.folder / name))

    def call(self, name: str, **body: Any) -> Any:
        good, data = calls.answer(self.calls, name, encode(body))
        return {"ok" if good else "error": json.loads(data)}


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    return Program(tmp_path, monkeypatch)


def put(page: Ask, name: str, data: bytes, language: str = "en") -> Any:
    return page("put", name=name, data=base64.b64encode(data).decode(), language=language)["ok"]


def verdict(data: bytes) -> tuple[str, str, Any]:
    """What the program says of a document: its code, what was checked or is wrong, and what was found out."""
    try:
        found = checks.verify(data)
    except RefereeError as error:
        return error.code, str(error.message), None
    return "ok", str(found.what), json.loads(encode([found.verdict, found.game, found.round, found.facts]))


def page_verdict(found: Any) -> tuple[str, str, Any]:
    if found["error"]:
        return found["code"], found["error"]["message"], None
    one = found["checked"]
    return found["code"], one["what"], [one["verdict"], one["game"], one["round"], one["facts"]]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_an_example_gets_the_same_verdict(page: Ask, path: Path) -> None:
    data = path.read_bytes()
    assert page_verdict(put(page, path.name, data)) == verdict(data)
    assert verdict(data)[0] == "ok"


def test_files_that_were_changed_or_signed_wrongly_get_the_same_verdict(page: Ask) -> None:
    """Where both say why, in the same words; a signature of which the verifier heard nothing makes its word count."""
    differing = []
    for number, (kind, what, code, data) in enumerate(all_files()):
        found = put(page, f"{number}.{kind}.json", data)
        if found["code"] != code or verdict(data)[0] != code:
            differing.append((what, code, found["code"], verdict(data)[0]))
        assert not (found["checked"] and found["game"])
    assert differing == []
