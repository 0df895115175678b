"""A line that is too long is not searched for words: that would take long, and could not be a move."""

import pytest

from referee import games, grammar
from referee.errors import Usage
from referee.lexicon import read_words


@pytest.mark.parametrize("game_id", ["mark", "weg-zum-erfolg"])
def test_a_line_is_read_up_to_its_longest_and_not_beyond(game_id: str) -> None:
    lexicon, given = read_words(games.words_bytes(game_id)), list[str]()

    def rule(line: str) -> int:
        given.append(line)
        return 1

    assert grammar.read(rule, lexicon, "x" * grammar.LONGEST) == 1
    assert given
    given.clear()
    with pytest.raises(Usage) as caught:
        grammar.read(rule, lexicon, "x" * (grammar.LONGEST + 1))
    assert str(caught.value.message) == "that is too long for a move"
    assert str(caught.value.next) == f"type at most {grammar.LONGEST} characters"
    assert given == []
