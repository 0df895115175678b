"""Standing orders: which answers can carry them, when they are in the position, and what is refused."""

from contextlib import AbstractContextManager
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from referee.games.auction import Bid, Words

from referee.crypto.codec import decode, raw
from referee.crypto.envelope import sign
from referee.engine import records as r
from referee.engine.player import Draft, answer, open_view
from referee.errors import Malformed, Usage
from referee.evidence.replay import open_transcript
from referee.games import auction as toy
from referee.io.gamefile import open_match
from tests.support.match import Sitting, change_entry, code_of, entries_of, other_program, resigned

NONE = Words()


def said(sitting: Sitting) -> tuple[Words, ...]:
    """The standing orders in the position, which every seat reads in its view and the host in its file."""
    views = {sitting.opened(seat).chain.checkpoint.public.standing for seat in range(sitting.table.seats)}
    assert views == {sitting.match.checkpoint.public.standing}
    assert open_match(sitting.file(), sitting.host).checkpoint.public.standing in views
    return sitting.match.checkpoint.public.standing


def say(sitting: Sitting, seat: int, words: Words) -> None:
    """The seat answers as its bot does, with these standing orders."""
    assert sitting.give(sitting.saying(seat, words)).code == "taken"


def at(what: str, seed: str = "words") -> Sitting:
    return Sitting("auction", 3, seed).until(what)


# --- when they hold --------------------------------------------------------------------------------------------------


def test_words_of_the_ack_stand_in_the_first_position():
    sitting = Sitting("auction", 3, "words")
    say(sitting, 1, Words(4))
    sitting.others(1)
    assert said(sitting) == (NONE, Words(4), NONE)
    assert sitting.asked == [0, 2]


def test_words_hold_from_the_answer_that_says_them_until_others_are_said():
    sitting = at("bid")
    assert sitting.give(sitting.signed(0, move=Bid(0), standing=Words(2))).code == "taken"
    assert sitting.match.checkpoint.public.standing == (NONE,) * 3, "nothing holds before the round is closed"
    sitting.others(0)
    assert said(sitting) == (Words(2), NONE, NONE)
    sitting.until("bid")
    assert sitting.asked == [1, 2]
    assert said(sitting) == (Words(2), NONE, NONE)
    sitting.until("play")
    say(sitting, 0, Words(7))
    sitting.others(0)
    assert said(sitting) == (Words(7), NONE, NONE)


def test_words_are_taken_back():
    sitting = Sitting("auction", 3, "words")
    say(sitting, 0, Words(1))
    sitting.others(0)
    sitting.until("play")
    say(sitting, 0, NONE)
    sitting.others(0)
    assert said(sitting) == (NONE,) * 3
    assert sitting.until("bid").asked == [0, 1, 2]


def test_words_with_a_bare_link():
    sitting = at("link")
    say(sitting, 2, Words(3))
    sitting.others(2)
    assert said(sitting)[2] == Words(3)
    assert 2 not in sitting.asked


def test_words_in_a_round_that_a_timeout_closes():
    """The answer is held; the standing orders apply immediately, and nothing else in the position changes."""
    sitting = at("bid")
    before = sitting.match.checkpoint.public
    say(sitting, 0, Words(5))
    sitting.others(0, 2)
    sitting.miss(2)
    assert sitting.state.holding
    assert said(sitting) == (Words(5), NONE, NONE)
    assert sitting.match.checkpoint.public == replace(before, standing=(Words(5), NONE, NONE))


def test_standing_orders_of_a_late_seat_count_with_its_bare_link():
    """It was asked and missed the deadline; the orders that it gives now are in the position from which the round is
    played."""
    sitting = at("bid", "late")
    for seat in (0, 1):
        assert sitting.give(sitting.signed(seat, move=Bid(0))).code == "taken"
    sitting.miss(2)
    assert sitting.give(sitting.signed(2, standing=Words(3))).code == "taken"
    sitting.others(2)
    assert said(sitting) == (NONE, NONE, Words(3))
    assert sitting.match.checkpoint.public.bids == (0, 0, 3)


def test_words_of_a_seat_that_waits_while_others_are_late():
    sitting = at("bid", "late")
    sitting.step(2)
    say(sitting, 0, Words(6))
    sitting.others(0)
    assert said(sitting) == (Words(6), NONE, NONE)


def test_standing_orders_given_when_all_others_leave():
    sitting = at("bid")
    say(sitting, 0, Words(5))
    for seat in (1, 2):
        assert sitting.give(sitting.signed(seat, resign=True)).code == "taken"
    assert sitting.state.end == "left"
    assert said(sitting) == (Words(5), NONE, NONE)


def test_a_whole_game_with_words_verifies():
    sitting = Sitting("auction", 3, "whole")
    for seat in range(3):
        say(sitting, seat, Words(seat))
    assert sitting.what == "raid", "nobody is asked for a bid"
    sitting.to_end()
    assert said(sitting) == tuple(map(Words, range(3)))
    assert open_transcript(sitting.transcript()).checkpoint == sitting.match.checkpoint


def test_words_say_nothing_about_the_links():
    """The same answer with and without standing orders leads to the same seed."""
    one = at("bid")
    other = one.fork()
    one.step()
    say(other, 0, Words(0))
    other.others(0)
    assert one.state.acc == other.state.acc


# --- what is refused -------------------------------------------------------------------------------------------------


BAD = [b'{"raid":1}', b'{"bid":"much"}', b'{"bid":1001}', b'{"bid":-1}', b'{"bid":null}', b"{}}", b"null", b"[]", b"3"]
GOOD = [b"{}", b'{"bid":0}', b'{"bid":1000}']


@pytest.mark.parametrize("words", BAD)
def test_words_that_are_none_are_refused_by_the_host(words: bytes):
    sitting = at("play")
    file, before = decode(sitting.signed(0), r.MoveFile, "move"), sitting.file()
    judged = sitting.give(resigned(sitting, 0, file, standing=msgspec.Raw(words)))
    assert judged.code in ("bad-words", "malformed")
    assert sitting.file() == before
    assert sitting.give(sitting.signed(0)).code == "taken", "the turn is not used up"


@pytest.mark.parametrize("words", GOOD)
def test_words_of_any_value_are_taken(words: bytes):
    sitting = at("play")
    file = decode(sitting.signed(0), r.MoveFile, "move")
    assert sitting.give(resigned(sitting, 0, file, standing=msgspec.Raw(words))).code == "taken"


def signed_in(sitting: Sitting, words: bytes, **more: Any) -> bytes:
    """A view of seat 2, in which the host accepted these standing orders with the last answer of seat 1, who signed
    them."""
    sitting.step()
    entry = entries_of(decode(sitting.view(1), r.View, "view"))[-1]
    first, *others = entry.answers
    move = r.move_of(sitting.table.id, sitting.round, entry.prev, first)
    other = sign(sitting.players[0], "move", replace(move, standing=msgspec.Raw(words), **more))
    answer = replace(first, sig=other.sig, standing=msgspec.Raw(words), **more)
    return change_entry(sitting.host, sitting.view(1), sitting.round, answers=(answer, *others))


@pytest.mark.parametrize("words", [b'{"raid":1}', b'{"bid":1001}', b'{"bid":null}', b"[]"])
def test_words_that_are_none_in_a_signed_entry_are_an_offence(words: bytes):
    assert code_of(lambda: open_view(signed_in(at("play"), words))) == "rule-broken"


@pytest.mark.parametrize("words", [b'{"bid": 1}', b'{"bid":1.5}', b"[" * 65 + b"]" * 65])
def test_standing_orders_not_in_canonical_form_make_an_entry_unreadable(words: bytes):
    assert code_of(lambda: open_view(signed_in(at("play"), words))) == "bad-entry"


def test_words_while_leaving():
    sitting = at("play")
    move = decode(sitting.signed(0, resign=True), r.MoveFile, "move")
    before = sitting.file()
    assert sitting.give(resigned(sitting, 0, move, standing=raw(Words(1)))).code == "wrong-answer"
    assert sitting.file() == before
    assert code_of(lambda: open_view(signed_in(at("play"), b'{"bid":1}', resign=True, answer=r.NOTHING))) == "bad-round"
    opened = sitting.opened(0)
    with pytest.raises(Usage):
        answer(sitting.players[0], opened, Draft(standing=Words(1), resign=True))


def test_a_player_does_not_sign_standing_orders_that_the_host_would_refuse():
    opened = at("link").opened(0)
    key = at("link").players[0]
    for words in ({"bid": 1}, Bid(1), 3):
        with pytest.raises((Usage, Malformed)):
            answer(key, opened, Draft(standing=words))
    assert answer(key, opened, Draft(standing=Words(1)))


# --- a game without words --------------------------------------------------------------------------------------------


def silent() -> AbstractContextManager[None]:
    """A program whose toy game has no standing orders."""

    def setup(terms: Any, draws: Any) -> Any:
        return toy.setup(terms, draws, (NONE,) * terms.seats)

    return other_program("auction", same_code=True, standing=None, setup=setup)


def test_words_in_a_game_without_words():
    with silent():
        sitting = Sitting("auction", 3, "silent").until("play")
        file, before = decode(sitting.signed(0), r.MoveFile, "move"), sitting.file()
        assert sitting.give(resigned(sitting, 0, file, standing=msgspec.Raw(b"{}"))).code == "bad-words"
        assert sitting.file() == before
        assert code_of(lambda: open_view(signed_in(sitting, b"{}"))) == "rule-broken"
        with pytest.raises((Usage, Malformed)):
            answer(sitting.players[0], sitting.opened(sitting.asked[0]), Draft(standing=NONE))


def test_rules_that_change_standing_orders_commit_nothing():
    """Somebody without the rules reads the standing orders from the answers: the position must have them."""

    def apply(*how: Any) -> Any:
        step = toy.apply(*how)
        return replace(step, public=replace(step.public, standing=(NONE,) * 3))

    sitting = Sitting("auction", 3, "words")
    say(sitting, 0, Words(1))
    sitting.others(0)
    sitting.until("play")
    sitting.match.table.game = replace(sitting.table.game, apply=apply)
    sitting.others(0)
    before = sitting.file()
    assert sitting.give(sitting.signed(0)).code == "rules-failed"
    assert sitting.file() == before


# --- bots ------------------------------------------------------------------------------------------------------------


def test_bots_say_what_costs_them_nothing():
    """A bot without money may as well always bid nothing; one with money gives no order."""
    sitting = at("bid")
    assert sitting.give(sitting.signed(0, move=Bid(10))).code == "taken"
    for seat in (1, 2):
        assert sitting.give(sitting.signed(seat, move=Bid(1))).code == "taken"
    assert sitting.asked == [0]
    sitting.step()
    assert said(sitting) == (Words(0), NONE, NONE)
    sitting.step()
    assert said(sitting) == (Words(0), NONE, NONE), "it is said once"
