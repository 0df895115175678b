"""A play-by-email referee whose every draw can be checked by the players."""

import os
import sys

__version__ = "0.1.0"


def leave_here() -> None:
    """Import nothing from the working directory: it may be a stranger's. `python -m` puts it first, so does an empty
    word in PYTHONPATH; where the packages of this system lie stays."""
    try:
        here = os.path.realpath(os.curdir)
    except OSError:
        return
    stdlib = os.path.dirname(os.__file__)
    first = sys.path.index(stdlib) if stdlib in sys.path else len(sys.path)
    sys.path[:first] = [entry for entry in sys.path[:first] if os.path.realpath(entry) != here]
