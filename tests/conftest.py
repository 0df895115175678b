"""Puts the toy games beside the real ones (`referee.games.auction` lives in tests/toys), gives every test the same
chance in every run, and marks what is quick."""

import gc
import os
import random
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from unittest import mock

import pytest

import referee.games
from tests.support.remembered import remember

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Started in the background of a script: the programs under test would inherit it and could not be interrupted.
    signal.signal(signal.SIGINT, signal.default_int_handler)

for name in [name for name in os.environ if name in ("LANG", "LANGUAGE") or name.startswith("LC_")]:
    del os.environ[name]  # bash complains of a locale that this machine lacks
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # hundreds of programs would compile the same modules
sys.dont_write_bytecode = False  # and each worker all tests, which takes longer than most of them
os.environ["REFEREE_LANGUAGE"] = "en"

MEMORY = Path("/dev/shm")
"""Where files are kept in memory. Tests write and sync tens of thousands, and on a disk would mostly wait for it."""
if os.access(MEMORY, os.W_OK | os.X_OK) and shutil.disk_usage(MEMORY).free > 4 * 2**30:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))

TOYS = str(Path(__file__).parent / "toys")
if TOYS not in referee.games.__path__:
    referee.games.__path__.append(TOYS)

remember()

LARGE = {
    "app",
    "bots",
    "locale",
    "mail",
    "page",
    "tournament",
    "test_agreement.py",
    "test_attacks.py",
    "test_bots.py",
    "test_catches.py",
    "test_conform.py",
    "test_crash.py",
    "test_editions.py",
    "test_hostile.py",
    "test_picture.py",
    "test_random.py",
    "test_simulator.py",
    "test_vectors.py",
}
"""Folders and modules that start bots, servers and browsers, or look at whole games or hundreds of files: run what
you work on."""


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: browsers, servers and bots are waited for half of the time."""
    return len(os.sched_getaffinity(0)) + 1


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if not LARGE & set(item.nodeid.partition("::")[0].split("/")) and item.get_closest_marker("thorough") is None:
            item.add_marker(pytest.mark.quick)


def pytest_collection_finish() -> None:
    """Modules and tests stay to the end: to look through all of them for garbage again and again takes a twentieth of
    the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(7_000)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """What is drawn in this process: fresh chance would find a rare fault in somebody else's run, once."""
    with _chance(item.nodeid):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[object], request: pytest.FixtureRequest) -> Iterator[object]:
    """What several tests share is the same whichever of them comes first."""
    if fixturedef.scope == "function":
        return (yield)
    with _chance(f"{fixturedef.baseid} {fixturedef.argname}"):
        return (yield)


def pytest_sessionfinish() -> None:
    """What tests share outlives them, and ends here."""
    if "tests.page.browser" in sys.modules:
        sys.modules["tests.page.browser"].close_all()


def _chance(seed: str) -> AbstractContextManager[object]:
    return mock.patch.object(os, "urandom", random.Random(seed).randbytes)
