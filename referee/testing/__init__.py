"""For authors of games: the contract suite, the search for leaks, a sandbox to play in.

`pytest --pyargs referee.testing --game my-game` runs the suite on an installed game, with `--quick` in a few seconds;
`check("my-game")` does the same without pytest. `referee games my-game --leaks` searches for leaks for longer.
"""


def check(game_id: str, *, quick: bool = False) -> None:
    """Run the contract suite on a game, with small samples if `quick`; raises `AssertionError` with everything that is
    wrong."""
    from referee.testing import suite

    suite.check(game_id, quick=quick)
