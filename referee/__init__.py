"""A play-by-email referee whose every draw can be checked by the players."""

__version__ = "0.1.0"
