"""Deadlines that an offer promises, as the host's own program keeps them; statements of players to the host."""

import pytest

from referee.crypto.codec import decode, encode
from referee.crypto.envelope import Envelope, sign
from referee.engine import host
from referee.engine import records as r
from referee.engine.player import sign_word
from referee.engine.promises import minutes
from referee.errors import Usage, WrongTurn
from referee.evidence.replay import open_transcript
from tests.support.match import Sitting, code_of, entries_of


def test_minutes_count_days_of_the_calendar():
    assert minutes("2027-01-01T00:01Z") - minutes("2027-01-01T00:00Z") == 1
    assert minutes("2028-03-01T00:00Z") - minutes("2028-02-28T00:00Z") == 2 * 1440, "2028 has a 29 February"
    assert minutes("2100-03-01T00:00Z") - minutes("2100-02-28T00:00Z") == 1440, "2100 has none"
    for wrong in ("2027-02-29T00:00Z", "2027-00-01T00:00Z", "0000-01-01T00:00Z", ""):
        with pytest.raises(ValueError):
            minutes(wrong)


def test_every_entry_of_a_game_with_deadlines_states_one_until_the_end():
    sitting = Sitting("auction", 2, "due", deadline=60, grace=10).to_end()
    entries = entries_of(decode(sitting.view(0), r.View, "view"))
    assert [entry.due for entry in entries] == ["2027-01-01T01:00Z"] * (len(entries) - 1) + [""]
    assert open_transcript(sitting.transcript()).checkpoint.state.due == ""


def test_a_game_without_deadlines_states_none_whatever_the_host_wants():
    sitting = Sitting("auction", 2, "due", deadline=0)
    sitting.match.due = "2027-01-01T01:00Z"
    sitting.step()
    assert sitting.state.due == ""
    assert sitting.opened(0).chain.checkpoint.state.due == ""


@pytest.mark.parametrize("due", ["", "2027-01-01T02:09Z", "2027-02-29T00:00Z"])
def test_the_hosts_program_signs_no_deadline_that_is_an_offence(due):
    sitting = Sitting("auction", 3, "due", deadline=60, grace=10).until("play")
    sitting.others(2)
    before = sitting.file()
    sitting.match.due = due
    with pytest.raises(WrongTurn) as refused:
        host.time_out(sitting.match, 2)
    assert refused.value.code == "not-due"
    assert sitting.file() == before
    sitting.match.due = "2027-01-01T02:10Z"
    assert host.time_out(sitting.match, 2)
    for seat in range(3):
        assert sitting.opened(seat).chain.checkpoint.state.due == "2027-01-01T02:10Z"


def test_a_late_round_may_be_closed_later_and_is_due_later():
    sitting = Sitting("auction", 3, "due", deadline=60).until("play")
    sitting.step(1)
    sitting.wait(30)
    sitting.step()
    dues = [entry.due for entry in entries_of(decode(sitting.view(0), r.View, "view"))[-3:]]
    assert dues == ["2027-01-01T01:00Z", "2027-01-01T02:00Z", "2027-01-01T02:30Z"]


# --- words -----------------------------------------------------------------------------------------------------------


def test_a_word_is_from_the_player_of_its_seat_and_for_the_open_round():
    sitting = Sitting("auction", 3, "word").until(3)
    data = sign_word(sitting.players[1], sitting.opened(1), "away until 2027-01-05")
    word = host.open_word(sitting.table, data)
    assert (word.game, word.round, word.seat, word.text) == (sitting.table.id, 4, 1, "away until 2027-01-05")


def test_a_word_of_somebody_else_is_refused():
    sitting = Sitting("auction", 3, "word").until(3)
    other = Sitting("auction", 3, "another word").until(3)
    data = sign_word(sitting.players[1], sitting.opened(1), "back")
    body = host.open_word(sitting.table, data)
    forged = {
        "other-game": sign_word(other.players[1], other.opened(1), "back"),
        "bad-signature": encode(sign(sitting.players[0], "word", body)),
        "malformed": data.replace(b"back", b"ba\\u0063k"),
    }
    found = {code: code_of(lambda one=one: host.open_word(sitting.table, one)) for code, one in forged.items()}
    assert found == {code: code for code in forged}
    assert code_of(lambda: host.open_word(sitting.table, data.replace(b"back", b"gone"))) == "bad-signature"
    no_seat = encode(sign(sitting.players[1], "word", r.Word(body.game, body.round, 7, "back")))
    assert code_of(lambda: host.open_word(sitting.table, no_seat)) == "bad-signature"
    assert code_of(lambda: sign_word(sitting.players[0], sitting.opened(1), "back")) == "other-key"


def test_a_word_is_never_taken_for_a_move_nor_a_move_for_a_word():
    sitting = Sitting("auction", 3, "word").until("link")
    data = sign_word(sitting.players[0], sitting.opened(0), "back")
    assert sitting.give(data).code == "wrong-kind"
    assert code_of(lambda: host.open_word(sitting.table, sitting.signed(0))) == "wrong-kind"
    assert decode(data, Envelope, "word").type.endswith("/word")


@pytest.mark.parametrize("text", ["", "x" * 201])
def test_a_word_is_short(text):
    sitting = Sitting("auction", 3, "word").until(1)
    with pytest.raises(Usage):
        sign_word(sitting.players[0], sitting.opened(0), text)
    long = encode(sign(sitting.players[0], "word", r.Word(sitting.table.id, 2, 0, text)))
    assert code_of(lambda: host.open_word(sitting.table, long)) == "malformed"
