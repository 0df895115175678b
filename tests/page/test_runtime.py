"""Python for pages: the same bytes everywhere, and the licences of all that is in it."""

import bz2
import hashlib
import io
import os
import re
import runpy
import shutil
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from referee.page import assemble, sources
from tests.page.python import RECIPE

pytestmark = pytest.mark.thorough

LICENCES = RECIPE / "licences"
WORDS = ("Permission", "Redistribution", "licensed", "License", "LICENSE", "disclaims copyright")


def test_what_is_made_is_pinned_to_the_byte(payloads: Mapping[str, bytes]) -> None:
    """The build itself compares these bytes, so that whoever builds has the same ones or none."""
    pins = dict(line.split()[::-1] for line in (RECIPE / "made.sha256").read_text().splitlines())
    made = {sources.RUNTIME[name]: data for name, data in payloads.items() if name in sources.RUNTIME}
    assert {*pins} == {*made} - {"licences.txt"}
    assert {name: hashlib.sha256(made[name]).hexdigest() for name in pins} == pins


def test_a_build_with_other_bytes_is_refused(payloads: Mapping[str, bytes], tmp_path: Path) -> None:
    checked = runpy.run_path(str(RECIPE / "build.py"))["check"]
    for name, file in sources.RUNTIME.items():
        (tmp_path / file).write_bytes(payloads[name])
    checked(tmp_path)
    (tmp_path / "stdlib.zip.gz").write_bytes(payloads["stdlib"] + b"\0")
    with pytest.raises(SystemExit, match=r"stdlib\.zip\.gz is not what this recipe makes elsewhere"):
        checked(tmp_path)


def test_the_page_is_the_same_whenever_and_wherever_it_is_made(
    payloads: Mapping[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From another folder, with other times, in another order of files."""
    import referee

    copy = tmp_path / "elsewhere"
    shutil.copytree(Path(referee.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
    for number, path in enumerate(copy.rglob("*")):
        os.utime(path, (number, number))
    monkeypatch.setattr(sources, "files", lambda name: copy)
    assert sources.packed() == payloads["sources"]
    assert assemble.player_page(payloads) == assemble.player_page({**payloads})
    with zipfile.ZipFile(io.BytesIO(bz2.decompress(payloads["sources"]))) as archive:
        assert {one.date_time for one in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert archive.namelist() == sorted(archive.namelist())


def test_every_part_has_the_text_of_its_licence(payloads: Mapping[str, bytes]) -> None:
    """Each part that is named has a file, each library its own text in it, and all of it is in the page."""
    contents = (LICENCES / "00-contents.txt").read_text("utf-8")
    files = {path.name for path in LICENCES.iterdir()} - {"00-contents.txt"}
    assert set(re.findall(r"[\w-]+(?:\.\d)*[\w-]*\.txt", contents)) == files
    for name in files:
        assert any(word in (LICENCES / name).read_text("utf-8") for word in WORDS), name
    named = re.search(r"^(.*) {4}libraries\.txt", contents, re.MULTILINE)
    assert named is not None
    libraries = set(re.split(r", | and (?=stack)", named[1]))
    texts = (LICENCES / "libraries.txt").read_text("utf-8")
    titles = re.findall(r"^(.+) \(.*\)\n=+\n", texts, re.MULTILINE)
    assert {part for title in titles for part in title.split(" and ")} == libraries
    for text in re.split(r"^.+ \(.*\)\n=+\n", texts, flags=re.MULTILINE)[1:]:
        assert any(word in text for word in ("Permission", "Redistribution", "disclaims copyright")), text[:80]
    together = payloads["licences"].decode()
    for name in files:
        assert (LICENCES / name).read_text("utf-8") in together
