"""The options `--game` and `--quick` for pytest. A plugin, because pytest parses options before it imports the package
that `--pyargs` names."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("pbem-referee")
    group.addoption("--game", metavar="ID", help="The game that `referee.testing` checks.")
    group.addoption("--quick", action="store_true", help="Check small samples, for an answer within seconds.")
