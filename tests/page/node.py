"""Running our JavaScript under Node."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

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
