"""Malicious mails: each is read within 2 seconds of CPU time and 128 MiB, by a process that has no more."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.mail.hostile import MAILS

ROOT = Path(__file__).resolve().parents[2]
READ = (
    "long-from", "brackets-from", "words-from", "parameters", "many-recipients", "references", "charset-zip",
    "injection",
)  # fmt: skip
"""These say `pass green` and nothing else."""
CUT = (
    "nested", "nested-same", "nested-mails", "many-parts", "many-headers", "body", "lines", "marks", "nothing",
    "our-lines", "comments", "open-tags", "paragraphs", "quotes", "number", "blocks", "large-files", "charset-punycode",
    "charset-utf7", "soft-breaks", "boundary", "sheets", "rules-of-sheets", "crossed", "boxes", "decorations",
)  # fmt: skip
"""These are not read to their end, so whatever they say is not an order."""


Read = Callable[[str], dict[str, Any]]


@pytest.fixture(scope="module")
def read() -> Iterator[Read]:
    """What a process with limited resources reads of a mail."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.mail.hostile"], cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as server:
        asked, answers = server.stdin, server.stdout
        assert asked is not None
        assert answers is not None

        def ask(name: str) -> dict[str, Any]:
            asked.write(f"{name}\n")
            asked.flush()
            told = answers.readline()
            assert told.endswith("}\n"), f"{name}: the process that read it died: {told}"
            return json.loads(told)  # type: ignore[no-any-return]

        yield ask


@pytest.mark.thorough
@pytest.mark.parametrize("name", MAILS)
def test_each_is_read_within_bounds(read: Read, name: str) -> None:
    told = read(name)
    if name in READ:
        assert (told["orders"], told["whole"]) == (["pass green"], True)
    if name in CUT:
        assert (told["sure"], told["orders"], told["whole"]) == (False, [], False)
        assert told["troubles"]
    assert told["recipients"] <= 100
    assert told["references"] <= 50
    assert told["lines"] <= 20_000
    assert told["blocks"] <= 50


def test_a_name_is_not_a_path(read: Read) -> None:
    assert read("path")["files"] == ["passwd"]


def test_an_archive_is_left_alone(read: Read) -> None:
    told = read("zip")
    assert (told["files"], told["troubles"]) == ([], ["archives are not read; send the file itself"])


def test_headers_cannot_be_smuggled_in(read: Read) -> None:
    told = read("injection")
    assert told["sender"] == "eve@example.org"
    for value in (told["subject"], told["id"]):
        assert value.isprintable(), value
