"""How many random cases a test tries: few in every run, many times as many in a campaign (tests/campaign/README.md)."""

import os

TIMES = int(os.environ.get("REFEREE_TEST_TIMES", "1"))


def often(few: int) -> int:
    """This many, times what `REFEREE_TEST_TIMES` says."""
    return few * TIMES
