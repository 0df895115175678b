"""The option `--game` for pytest. Registered as a plugin: the options of a package named with `--pyargs` are read
before the package is."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("pbem-referee")
    group.addoption("--game", metavar="ID", help="The game that `referee.testing` checks.")
