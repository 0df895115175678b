"""Running our JavaScript under Node."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from referee.crypto.codec import encode

PAGE = Path(__file__).parents[2] / "referee" / "page"
HERE = Path(__file__).parent
NODE = shutil.which("node")


def need_node() -> None:
    """Skip where there is no Node, and say so; where tests must not be skipped, fail."""
    if NODE is None:
        missing = "node is not installed: the JavaScript modules are not tested"
        if os.environ.get("REFEREE_TEST_NODE"):
            pytest.fail(missing)
        pytest.skip(missing)


def run_node(*command: "str | Path", given: str = "") -> "subprocess.CompletedProcess[str]":
    """Run a script to its end."""
    need_node()
    words = [str(NODE), *map(str, command)]
    return subprocess.run(words, input=given, capture_output=True, encoding="utf-8", timeout=600, check=False)


Ask = Callable[..., Any]


@contextmanager
def asking(script: str, *args: str) -> Iterator[Ask]:
    """A script that answers line by line; it is asked `do`, and what that needs."""
    with asking_lines(script, *args) as ask:
        yield lambda do, **given: ask({"do": do, **given})


@contextmanager
def asking_lines(script: str, *args: str) -> Iterator[Ask]:
    """A script that answers each line of JSON with another."""
    need_node()
    command = [str(NODE), str(HERE / script), *args]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        stdin, stdout = process.stdin, process.stdout

        def ask(given: Any) -> Any:
            stdin.write(encode(given).decode() + "\n")
            stdin.flush()
            line = stdout.readline()
            assert line, f"{script} has died"
            return json.loads(line)

        yield ask
        stdin.close()
