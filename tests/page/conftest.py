"""A browser, and somebody who sits at it."""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from referee.page import sources
from tests.page.browser import Browser, browsing
from tests.page.desk import Desk
from tests.page.python import built, installed


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """For one module; the next gets the same, emptied."""
    with browsing() as one:
        yield one


@pytest.fixture
def desk(browser: Browser, tmp_path: Path) -> Desk:
    return Desk(browser, tmp_path)


@pytest.fixture(scope="session")
def payloads(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, bytes]]:
    """All that a page with rules carries, as for somebody who has installed Python for pages."""
    assert request.config.cache is not None
    runtime = built(Path(request.config.cache.mkdir("runtime")))
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(installed(runtime, tmp_path_factory.mktemp("installed")))
        yield sources.payloads()
        sys.modules.pop(sources.PACKAGE, None)
