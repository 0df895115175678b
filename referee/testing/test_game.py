"""The contract suite as pytest runs it: `pytest --pyargs referee.testing --game my-game`."""

import pytest

from referee.errors import Usage
from referee.testing.subject import Subject
from referee.testing.suite import CHECKS, Check


@pytest.fixture(scope="module")
def subject(pytestconfig: pytest.Config) -> Subject:
    game_id = pytestconfig.getoption("--game")
    if not game_id:
        pytest.exit("which game? name it with --game ID", pytest.ExitCode.USAGE_ERROR)
    try:
        return Subject(game_id, quick=pytestconfig.getoption("--quick"))
    except Usage as error:
        pytest.exit(f"{error.message}; {error.next}", pytest.ExitCode.USAGE_ERROR)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_game(subject: Subject, check: Check) -> None:
    check(subject)
