"""A sample of the campaign; `tests/campaign/README.md` has the result of the large run."""

import pytest

from tests.campaign.told_apart import decided


@pytest.mark.thorough
def test_a_weaker_copy_is_found_in_real_games() -> None:
    verdict, games = decided("schwarzer-freitag", "careless", "sample", 200)
    assert verdict == "one"
    assert 18 <= games < 400  # nine groups of two is the least that the bounds allow
