"""`seats.json` fits its game, and its games come out as it says when they are played again."""

import msgspec
import pytest

from referee import games
from referee.show.rules import Record, shares
from tests.games.seats import BOT, won

SAMPLE = 2
"""Games of each number of players that are played again."""
OURS = ("mark", "schwarzer-freitag", "schwarzmarkt", "weg-zum-erfolg")


def record(game_id: str) -> Record:
    return msgspec.json.decode(games.seats_bytes(game_id), type=Record)


@pytest.mark.parametrize("game_id", OURS)
def test_the_record_fits_the_game(game_id: str) -> None:
    game, found = games.load(game_id), record(game_id)
    assert (found.rules, found.bot) == (game.rules, BOT)
    assert list(found.won) == [str(seats) for seats in range(game.seats[0], game.seats[1] + 1)]
    for seats, winners in found.won.items():
        assert len(winners.split()) >= 200
        assert {int(seat) for seat in winners.replace("+", " ").split()} == set(range(int(seats)))


@pytest.mark.parametrize("game_id", OURS)
def test_a_sample_comes_out_as_recorded(game_id: str) -> None:
    for seats, winners in record(game_id).won.items():
        sample = winners.split()[:SAMPLE]
        assert [won(game_id, int(seats), number) for number in range(len(sample))] == sample, f"{seats} players"


def test_a_shared_win_counts_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "seats_bytes", lambda game_id: b'{"bot":"sensible","won":{"3":"0 0+2 1 0+1+2"}}')
    thirds = [round(share, 4) for share in ((1 + 1 / 2 + 1 / 3) / 4, (1 + 1 / 3) / 4, (1 / 2 + 1 / 3) / 4)]
    assert shares("mark") == [{"players": 3, "bot": "sensible", "games": 4, "shares": thirds}]
    monkeypatch.setattr(games, "seats_bytes", lambda game_id: b"{}")
    assert shares("mark") == []
