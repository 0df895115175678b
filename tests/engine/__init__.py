"""The toy game is there also where no pytest runs."""

import tests.conftest  # noqa: F401
