"""An office in the middle of a game, made once and copied for each test."""

from pathlib import Path

import pytest

from tests.mail.offices import World, playing


@pytest.fixture(scope="session")
def _played(tmp_path_factory: pytest.TempPathFactory) -> World:
    return playing(tmp_path_factory.mktemp("office"))


@pytest.fixture
def world(_played: World, tmp_path: Path) -> World:
    """Anna (own key), Bert and Carla (kept keys) are asked for a bid, in round 2 of the toy auction."""
    return _played.again(tmp_path)
