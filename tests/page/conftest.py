"""A browser, and somebody who sits at it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.page.browser import Browser, browsing
from tests.page.desk import Desk


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """For one module; the next gets the same, emptied."""
    with browsing() as one:
        yield one


@pytest.fixture
def desk(browser: Browser, tmp_path: Path) -> Desk:
    return Desk(browser, tmp_path)
