"""False timeouts with which a host draws again: their cost, and the public count; protests; abandoned games."""

import pytest
from referee.games.auction import Bid

from referee.crypto.codec import decode, encode
from referee.crypto.envelope import Envelope, ident
from referee.engine import host
from referee.engine import records as r
from referee.engine.player import open_view, timed_out
from referee.engine.promises import minutes
from referee.errors import Altered, Usage, WrongTurn
from referee.evidence.case import try_all
from referee.evidence.compare import compare
from referee.evidence.lateness import lateness
from referee.evidence.pool import Pool
from referee.evidence.replay import open_transcript
from referee.io.desk import next_due
from referee.io.times import later
from referee.show.findings import late_in_words, verified
from tests.engine.test_seats import asks_the_newcomer, vacated
from tests.independent import verifier
from tests.support.match import Sitting, code_of

DEADLINE, GRACE, TIMES = 90, 30, 12


def redrawn() -> tuple[Sitting, int]:
    """The host has every answer of a round, dislikes the seed, and times out two seats in turn to draw again."""
    sitting = Sitting("auction", 3, "redraws", deadline=DEADLINE, grace=GRACE).until("play")
    start = minutes(sitting.state.due)
    for number in range(TIMES):
        sitting.step(number % 2)
    return sitting, start


def test_each_redraw_costs_a_deadline_with_its_grace_and_is_counted():
    sitting, start = redrawn()
    assert minutes(sitting.state.due) - start >= TIMES * (DEADLINE + GRACE)
    for seat in range(3):
        opened = sitting.opened(seat)
        found = lateness(opened.chain)
        assert found.late_rounds == TIMES
        assert [(one.seat, len(one.rounds)) for one in found.late] == [(1, TIMES // 2), (2, TIMES // 2)]
        assert late_in_words(found)[0] == "12 late rounds (Anna 6 and Bert 6)"
        again = verifier.check_view(sitting.view(seat), {name: [*faces] for name, faces in sitting.table.bags.items()})
        entries = [one["body"] for one in again.document["entries"]]
        assert sum("timeouts" in one for one in entries) == TIMES


def test_redrawing_sooner_is_an_offence():
    sitting = Sitting("auction", 3, "redraws", deadline=DEADLINE, grace=GRACE).until("play")
    sitting.others(0)
    with pytest.raises(WrongTurn) as error:
        host.time_out(sitting.match, 0)
    assert error.value.code == "not-due"


@pytest.mark.parametrize("first", ["2001-01-01T00:00Z", ""])
def test_an_impatient_host_signs_times_that_are_past_or_in_the_future(first):
    """No verifier has a clock: section 10 says that the signed times add up, and that readers must look at theirs."""
    sitting = Sitting("auction", 3, "no wait", deadline=DEADLINE, grace=GRACE).until("play")
    sitting.match.due = first or sitting.match.due
    sitting.others()
    start, usual = sitting.state.due, next_due(sitting.match, sitting.now)
    for number in range(TIMES):
        sitting.others(number % 2)
        sitting.match.due = later(sitting.state.due, DEADLINE + GRACE)
        assert host.time_out(sitting.match, number % 2)
    assert sitting.state.due == later(start, TIMES * (DEADLINE + GRACE))
    sitting.match.due = usual
    sitting.others()
    for seat in range(3):
        opened = sitting.opened(seat)
        assert lateness(opened.chain).late_rounds == TIMES
        assert opened.chain.checkpoint.state.due == usual, "all of it within one minute"


def test_an_impatient_host_gives_a_seat_away_at_once():
    sitting = vacated("no wait")
    usual = next_due(sitting.match, sitting.now)
    sitting.match.due = later(sitting.state.due, sitting.table.offer.takeover)
    host.take_arrival(sitting.match, sitting.succession(1))
    sitting.others()
    sitting.sit_down(1)
    sitting.match.due = usual
    sitting.others()
    assert [len(one.entry.successions) for one in sitting.opened(0).chain.rounds[-2:]] == [1, 0]


def test_an_impatient_host_breaks_an_extension_without_an_offence():
    sitting = Sitting("auction", 3, "no wait", deadline=DEADLINE, grace=GRACE).until("play")
    more = later(sitting.state.due, 999)
    extension = host.extend(sitting.match, 0, more)
    sitting.others(0)
    sitting.match.due = later(more, DEADLINE + GRACE)
    assert host.time_out(sitting.match, 0)
    assert compare([sitting.opened(0), extension]) == ([], [])


def test_a_handover_allows_one_redraw_that_costs_a_takeover_but_no_time():
    """The host and a player who alone decides next foresee that draw. If they dislike it, somebody that the player
    named takes the seat; then a link of everybody goes into the draw, which they cannot foresee, once."""
    sitting = asks_the_newcomer()
    foreseen, drawn = sitting.fork(), sitting.fork()
    host.take_arrival(drawn.match, drawn.succession(1))
    for one in (foreseen, drawn):
        one.step()
        assert one.state.due == sitting.state.due, "no deadline goes by"
        assert [ask.seat for ask in one.state.pending] == [1]
    assert (foreseen.asked, drawn.asked) == ([1], [0, 1, 2])
    drawn.sit_down(1)
    for one in (foreseen, drawn):
        one.step()
    assert foreseen.state.acc != drawn.state.acc
    assert len(drawn.state.holders) == drawn.table.offer.takeovers
    for seat in range(3):
        assert [len(one.entry.successions) for one in drawn.opened(seat).chain.rounds[-2:]] == [1, 0]
        assert foreseen.opened(seat).round == drawn.round


def test_without_a_deadline_nobody_is_timed_out():
    sitting = Sitting("auction", 3, "none", deadline=0).until("play")
    sitting.others(0)
    before = sitting.file()
    with pytest.raises(WrongTurn) as error:
        host.time_out(sitting.match, 0)
    assert (error.value.code, "--abandon" in str(error.value.next)) == ("no-timeout", True)
    assert sitting.file() == before


# --- protests ---------------------------------------------------------------------------------------------------------


def protesting(how: str = "bare") -> tuple[Sitting, bytes, int]:
    """Seat 2 had signed an answer, and was timed out all the same; it protests in its next answer."""
    sitting = Sitting("auction", 3, "protest").until("bid")
    earlier, late = sitting.signed(1), sitting.round + 1
    sitting.step(1)
    assert timed_out(sitting.opened(1)) == late
    name = ident("move", bytes(decode(earlier, r.MoveFile, "move").body))
    more = {"bare": {}, "decision": {"move": Bid(0)}, "resign": {"resign": True}}[how]
    assert sitting.give(sitting.signed(1, protest=name, **more)).code == "taken"
    sitting.others(1)
    return sitting, earlier, late


@pytest.mark.parametrize("how", ["bare", "decision", "resign"])
def test_a_protest_goes_with_any_answer_and_is_stated(how):
    sitting, _, late = protesting(how)
    for seat in range(3):
        (found,) = lateness(sitting.opened(seat).chain).protests
        assert (found.name, found.round, found.late, found.shown) == ("Bert", late + 1, late, False)


def test_a_protest_is_shown_by_the_move_that_it_names_and_by_no_other():
    sitting, earlier, _ = protesting()
    other = sitting.until("bid").signed(1)
    for moves, shown in (([], False), ([other], False), ([earlier], True), ([other, earlier], True)):
        pool = Pool()
        pool.add("view", sitting.view(0))
        for number, move in enumerate(moves):
            pool.add(f"move {number}", move)
        (trial,), _ = try_all(pool)
        assert [one.shown for one in trial.lateness.protests] == [shown]


def test_a_protest_that_names_an_answer_for_another_round_stays_stated():
    sitting = Sitting("auction", 3, "protest").until("bid")
    old = sitting.signed(1)
    sitting.step()
    sitting.until("bid").step(1)
    name = ident("move", bytes(decode(old, r.MoveFile, "move").body))
    assert sitting.give(sitting.signed(1, protest=name)).code == "taken"
    sitting.others(1)
    (found,) = lateness(sitting.opened(0).chain, [decode(old, r.MoveFile, "move")]).protests
    assert not found.shown


def test_a_protest_is_made_once_and_only_after_a_timeout():
    sitting, _, _ = protesting()
    assert timed_out(sitting.opened(1)) == 0
    sitting.until("bid")
    with pytest.raises(Usage) as error:
        sitting.signed(1, move=Bid(0), protest="00" * 32)
    assert error.value.code == "no-protest"


# --- abandoned games --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rounds", [0, 3])
def test_an_abandoned_game_is_checked_up_to_its_last_round_and_blames_nobody(rounds):
    sitting = Sitting("auction", 3, "abandoned").until(rounds)
    assert code_of(sitting.transcript) == "not-over"
    data = host.reveal(sitting.match, abandon=True)
    chain = open_transcript(data)
    found = verified(chain)
    assert (chain.abandoned, found.end, found.rounds, found.ranks) == (True, "abandoned", rounds, ())
    assert host.reveal(sitting.match) == data, "it can be written again"


def test_an_abandoned_game_cannot_continue():
    sitting = Sitting("auction", 3, "abandoned").until("bid")
    move = sitting.signed(0)
    host.reveal(sitting.match, abandon=True)
    assert sitting.give(move).code == "revealed"
    with pytest.raises(WrongTurn) as error:
        sitting.miss(0)
    assert error.value.code == "revealed"


def test_a_finished_game_cannot_be_abandoned():
    sitting = Sitting("auction", 3, "abandoned").to_end()
    with pytest.raises(WrongTurn) as error:
        host.reveal(sitting.match, abandon=True)
    assert error.value.code == "over"


def test_without_an_abandonment_the_game_continues():
    sitting = Sitting("auction", 3, "abandoned").until(3)
    whole = decode(host.reveal(sitting.match, abandon=True), r.Transcript, "transcript")
    with pytest.raises(Altered) as error:
        open_transcript(encode(r.Transcript(whole.format, whole.genesis, whole.entries, whole.secret, whole.sealed)))
    assert error.value.code == "not-over"
    assert isinstance(whole.abandoned, Envelope)
    assert open_view(sitting.view(0)).round == 3
