"""Makes the toy game available where pytest does not run."""

import tests.conftest  # noqa: F401
