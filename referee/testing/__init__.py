"""For authors of games: the contract suite, the search for leaks, a sandbox to play in.

`pytest --pyargs referee.testing --game my-game` runs the suite over an installed game; `check("my-game")` does the same
without pytest, and `referee leaks my-game` looks for leaks for longer than the suite does.
"""


def check(game_id: str) -> None:
    """Run the whole contract suite over a game; raises `AssertionError` with all that is wrong."""
    from referee.testing.suite import check

    check(game_id)
