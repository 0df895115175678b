"""Puts the toy games beside the real ones: `referee.games.auction` lives in tests/toys."""

from pathlib import Path

import referee.games

TOYS = str(Path(__file__).parent / "toys")
if TOYS not in referee.games.__path__:
    referee.games.__path__.append(TOYS)
