"""What people say, as the words of a game's own grammar: numbers, order, and words that mean nothing."""

import pytest

from referee import games
from referee.grammar import is_for_once, out_of_order, readings
from referee.phrasing import tidied


@pytest.mark.parametrize(
    ("game_id", "line", "read"),
    [
        ("schwarzer-freitag", "sell all three reds", "sell 3 red"),
        ("schwarzer-freitag", "sell all three reds and 2 blues", "sell 3 red 2 blue"),
        ("schwarzer-freitag", "sell all 2 reds and one blue", "sell 2 red 1 blue"),
        ("schwarzer-freitag", "sell both reds", "sell 2 red"),
        ("schwarzer-freitag", "2 red sell", "sell 2 red"),
        ("schwarzer-freitag", "I'd like to sell twelve reds, please", "sell 12 red"),
        ("schwarzer-freitag", "sell 2 of the reds", "sell 2 red"),
        ("schwarzer-freitag", "sell yellow drop then yellow", "sell yellow drop yellow"),
        ("schwarzer-freitag", "buy 3rd row", "buy row 3"),
        ("schwarzer-freitag", "buy row one", "buy row 1"),
        ("schwarzer-freitag", "buy 1st row", "buy row 1"),
        ("schwarzer-freitag", "buy 9th row", "buy row 9"),
        ("weg-zum-erfolg", "move third piece", "move piece 3"),
        ("weg-zum-erfolg", "move piece one 3 steps", "move piece 1 3 steps"),
        ("schwarzer-freitag", "„sell“ 2 «reds»!", "sell 2 red"),
        ("schwarzer-freitag", "verkaufe zwei rote", "sell 2 red"),
        ("schwarzer-freitag", "twee rood verkoop", "sell 2 red"),
    ],
)
def test_a_line_is_read_in_the_words_of_the_game(game_id: str, line: str, read: str) -> None:
    assert read in list(readings(games.lexicon(game_id), line))


@pytest.mark.parametrize(
    ("line", "never"),
    [
        ("sell both red and blue", "sell 2 red blue"),  # may be one of each
        ("sell all and drop", "sell 2 drop"),
        ("do not sell red", "sell red"),
        ("sell red or blue", "sell red blue"),
    ],
)
def test_what_could_change_the_meaning_is_not_dropped(line: str, never: str) -> None:
    assert never not in list(readings(games.lexicon("schwarzer-freitag"), line))


@pytest.mark.parametrize(
    ("line", "same"),
    [
        (" sell red. ", "sell red"), ("sell red!!", "sell red"), ("sell red …", "sell red"),
        ("sell red :)", "sell red"),
        ("sell red :-)", "sell red"), ("sell — red", "sell, red"), ("sell 2 - 1", "sell 2 - 1"), ("ｓｅｌｌ", "sell"),
        ("ĳs", "ijs"), ("2 & 3", "2 and 3"), ("a&b", "a&b"), ("‘x’", "x"),
    ],
)  # fmt: skip
def test_signs_that_mean_nothing(line: str, same: str) -> None:
    assert tidied(line) == same


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("sell red, then buy blue", False),
        ("first sell red, then buy blue", False),
        ("sell red, first buy blue", True),
        ("buy blue, sell red before", True),
        ("finally sell red, buy blue", True),
        ("sell red, finally buy blue", False),
        ("sell red", False),
        ("zuletzt verkaufe rot, kaufe blau", True),
        ("verkaufe rot, zuerst kaufe blau", True),
        ("verkoop rood, eerst koop blauw", True),
    ],
)
def test_games_read_a_line_in_its_order(line: str, wrong: bool) -> None:
    assert out_of_order(line) is wrong


@pytest.mark.parametrize(
    ("line", "good", "once"),
    [
        ("bid nothing now", False, True), ("bid nothing", False, False), ("I bid nothing", False, True),
        ("I always bid nothing", False, False), ("I bid nothing", True, False), ("I bid nothing today", True, True),
        ("always bid 3", False, False), ("ich biete nichts", False, True), ("ich biete nie", False, False),
    ],
)  # fmt: skip
def test_what_is_said_for_once_is_no_standing_order(line: str, good: bool, once: bool) -> None:
    assert is_for_once(line, for_good=good) is once
