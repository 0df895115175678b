"""A sample of the campaign over words in every language."""

import pytest

from .words import people


@pytest.mark.thorough
@pytest.mark.parametrize("game_id", ["mark", "schwarzer-freitag", "schwarzmarkt", "weg-zum-erfolg"])
def test_what_is_printed_is_read_as_people_type_it(game_id: str) -> None:
    found = people(game_id, 3, "sample")
    assert found["texts"] > 3 * 3 * 15
    assert found["refused"] > found["same"], "a letter that is wrong is noticed"
