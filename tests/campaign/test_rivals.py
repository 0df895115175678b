"""A sample of `tests.campaign.rivals`: pairs that made an honest host guilty, stopped in the middle of their work."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.campaign.rivals import SCENES, check, interleaved, points
from tests.io.test_crash import Saboteur

PAIRS = {
    "desk": [("apply", "apply to a copy"), ("timeout", "apply to a copy")],
    "starts": [("start", "start another")],
    "office": [("mail run", "apply"), ("apply", "mail run")],
}
STOPS = 3
"""In every pair, spread evenly over the calls of the first command."""


@pytest.fixture(scope="module")
def saboteur() -> Iterator[Saboteur]:
    made = Saboteur()
    yield made
    made.process.stdin.close()  # type: ignore[union-attr]
    assert made.process.wait() == 0
    made.process.stdout.close()  # type: ignore[union-attr]


@pytest.mark.thorough
@pytest.mark.parametrize("label", SCENES)
def test_no_pair_of_commands_makes_an_honest_host_guilty(label: str, saboteur: Saboteur, tmp_path: Path) -> None:
    scene = SCENES[label](tmp_path)
    for pair in PAIRS[label]:
        every = points(saboteur, scene, pair[0], tmp_path, 1)
        assert len(every) > STOPS
        for at in every[:: len(every) // STOPS]:
            check(saboteur, scene, pair, at, tmp_path)


@pytest.mark.thorough
@pytest.mark.parametrize("label", SCENES)
def test_every_command_does_its_work_when_it_is_alone(label: str, saboteur: Saboteur, tmp_path: Path) -> None:
    scene = SCENES[label](tmp_path)
    for name in scene.commands.keys() - {"apply to what was recovered"}:
        root = scene.again(tmp_path / "alone")
        status, _, err, _ = saboteur.together([scene.job(root, name)])[0]
        assert status == 0, f"{name}: {err}"


@pytest.mark.thorough
def test_the_first_command_is_really_stopped_while_the_other_works(saboteur: Saboteur, tmp_path: Path) -> None:
    """Stopped before its first call, a command comes second: the other one has done its work."""
    scene = SCENES["starts"](tmp_path)
    root, (status, _, err, _) = interleaved(saboteur, scene, ("start", "start another"), 1, tmp_path)
    assert status == 5, err
    assert "already started another game" in err
    assert (root / "three.json").exists()
    assert not (root / "one.json").exists()
