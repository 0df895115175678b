"""Python for pages, built once from what `page/runtime/` pins, and the rules in it under Node."""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from referee.page import sources
from tests.page.node import Ask, asking, need_node

ROOT = Path(__file__).parents[2]
RECIPE = ROOT / "referee" / "page" / "runtime"
MUST_RUN = "REFEREE_TEST_NPM"
"""With this variable set, what cannot be built fails the tests instead of skipping them."""


def built(cache: Path) -> Path:
    """The folder with the files of the runtime. They are made once for each version of their recipe, by one process."""
    need_node()
    recipe = hashlib.sha256()
    for path in sorted(path for path in RECIPE.rglob("*") if path.is_file() and "__pycache__" not in path.parts):
        recipe.update(path.name.encode() + path.read_bytes())
    folder = cache / recipe.hexdigest()[:16]
    with (cache / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            _build(folder)
    return folder


def _build(folder: Path) -> None:
    made = folder.with_suffix(".new")
    shutil.rmtree(made, ignore_errors=True)
    made.mkdir(parents=True)
    done = subprocess.run([sys.executable, RECIPE / "build.py", made], capture_output=True, text=True, check=False)
    if done.returncode:
        why = f"Python for pages cannot be built here: {done.stderr[-500:]}"
        if os.environ.get(MUST_RUN):
            pytest.fail(why)
        pytest.skip(why)
    made.rename(folder)


def installed(runtime: Path, folder: Path) -> Path:
    """The runtime as somebody has it who installed the package: a folder for `sys.path`."""
    package = folder / sources.PACKAGE
    shutil.copytree(RECIPE / sources.PACKAGE, package)
    for file in runtime.iterdir():
        shutil.copy(file, package)
    return folder


@contextmanager
def rules(payloads: Mapping[str, bytes], folder: Path) -> Iterator[Ask]:
    """The rules as a page with these payloads runs them, asked through `rules.mjs`."""
    for name, data in payloads.items():
        (folder / name).write_bytes(data)
    with asking("rules.mjs", str(folder)) as ask:
        yield ask
