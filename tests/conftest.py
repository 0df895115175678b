"""Puts the toy games beside the real ones (`referee.games.auction` lives in tests/toys), and marks what is quick."""

import os
import signal
from pathlib import Path

import pytest

import referee.games

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Started in the background of a script: the programs under test would inherit it and could not be interrupted.
    signal.signal(signal.SIGINT, signal.default_int_handler)

os.environ["REFEREE_LANGUAGE"] = "en"  # whatever the locale of this machine is

TOYS = str(Path(__file__).parent / "toys")
if TOYS not in referee.games.__path__:
    referee.games.__path__.append(TOYS)

LARGE = {
    "bots",
    "locale",
    "mail",
    "page",
    "tournament",
    "test_attacks.py",
    "test_bots.py",
    "test_catches.py",
    "test_picture.py",
}
"""Folders and modules that start bots, servers and browsers, or look at whole games: run the ones you work on."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if not LARGE & set(item.nodeid.partition("::")[0].split("/")) and item.get_closest_marker("thorough") is None:
            item.add_marker(pytest.mark.quick)
