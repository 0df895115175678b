"""Loaded by every Python process that tests start on a machine with games of others: they are not seen there either.
Other environments that tests make are left alone."""

import importlib.metadata
import os
import sys
from importlib.metadata import EntryPoints
from typing import Any

_find = importlib.metadata.entry_points
_names = os.environ.get("HIDDEN_GAMES", "").split() if sys.prefix == os.environ.get("HIDDEN_IN") else []


def _entry_points(**wanted: Any) -> EntryPoints:
    found = _find(**wanted)
    return EntryPoints(one for one in found if (one.group, one.name) not in {("pbem_referee.games", n) for n in _names})


importlib.metadata.entry_points = _entry_points
