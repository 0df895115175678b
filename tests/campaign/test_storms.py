"""A sample of `tests.campaign.storms`, and what it must notice."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.campaign.storms import FAULTS, Storm, Taken, Voyage, voyage
from tests.io.test_crash import Saboteur
from tests.mail.servers import needs_dovecot


@pytest.fixture(scope="module")
def saboteur() -> Iterator[Saboteur]:
    made = Saboteur()
    yield made
    made.close()


@needs_dovecot
@pytest.mark.thorough
def test_two_whole_games_through_a_storm(tmp_path: Path, saboteur: Saboteur) -> None:
    found = voyage(tmp_path, 1, saboteur)
    assert found["games"] == 2
    assert found["runs killed"] > 3
    assert sum(found[f"fault: {fault}"] > 0 for fault in FAULTS) > 4


A, B = Taken(1, "<a@x>", "anna@x.example", True), Taken(1, "<b@x>", "bert@y.example", True)


@pytest.mark.parametrize(
    ("taken", "killed", "excused"),
    [
        ((A, B), (), True),
        ((A, B, A._replace(run=2)), (), False),
        ((A._replace(told=False), B, A._replace(run=2)), (), True),
        ((B, A, A._replace(run=2)), (1,), True),
        ((A, B, A._replace(run=2)), (1,), False),
        ((B, A, A._replace(run=2), A._replace(run=3)), (1,), False),
    ],
)
def test_a_copy_needs_a_reason(
    tmp_path: Path, taken: tuple[Taken, ...], killed: tuple[int, ...], excused: bool
) -> None:
    """The server did not say that it had the mail, or it was the last one before a kill."""
    trip = Voyage.__new__(Voyage)
    trip.storm, trip.killed = Storm(tmp_path), set(killed)
    trip.storm.taken = list(taken)
    if excused:
        assert trip.copies() == len(taken) - len({one.id for one in taken})
        return
    with pytest.raises(AssertionError, match="came again without need"):
        trip.copies()
