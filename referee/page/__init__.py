"""Pages for a browser: one for players, the same for everybody, and one of each game, for reading. Plain JavaScript."""
