"""One whole signed game for every game and number of seats: every check that a player can make passes."""

import pytest

from referee.crypto.codec import decode, encode
from referee.crypto.envelope import Envelope
from referee.engine.audit import audit
from referee.engine.player import answer, open_view
from referee.engine.replay import reveal, verify
from referee.engine.rounds import who_is_asked
from referee.engine.turn import dump_match, new_match, open_match, take_move
from referee.engine.view import make_view
from referee.errors import WrongTurn
from tests.noninterference.worlds import Record, compare_many, ideal, sit_down

from .cases import CASES, Case


@pytest.fixture(params=CASES, ids=str, scope="module")
def record(request: pytest.FixtureRequest) -> Record:
    case: Case = request.param
    return Record(sit_down(case.game_id, case.seats, str(case), **dict(case.options)), str(case), most=2000)


def test_every_view_audits(record: Record) -> None:
    seats, last = range(len(record.seated.keys)), len(record.rounds)
    draws = 0
    for number in sorted({0, 1, 2, last, *range(3, last, max(9, last // 6))}):
        found = [audit(make_view(record.at(number), seat)) for seat in seats]
        assert {report.rounds for report in found} == {number}
        assert len({report.draws for report in found}) == 1
        draws = found[0].draws
    assert draws
    assert {report.end for report in found} == {"result"}


def test_the_transcript_verifies(record: Record) -> None:
    match = record.world.match
    found = verify(reveal(match))
    assert found.rounds == len(record.rounds)
    assert (found.ranks, found.scores) == (match.state.position.result.ranks, match.state.position.result.scores)
    with pytest.raises(WrongTurn):
        reveal(record.at(len(record.rounds) - 1))


def test_views_and_game_files_come_out_the_same_again(record: Record) -> None:
    seats = range(len(record.seated.keys))
    for number in range(0, len(record.states), max(11, len(record.states) // 6)):
        match = record.at(number)
        views = [make_view(match, seat) for seat in seats]
        assert [make_view(match, seat) for seat in seats] == views
        file = dump_match(match)
        again = open_match(file, record.seated.host)
        assert dump_match(again) == file
        assert [make_view(again, seat) for seat in seats] == views
        assert encode(again.state) == encode(match.state)


def test_the_players_tool_signs_what_was_played_here(record: Record) -> None:
    """These games were signed by a shorter way; the one that players use gives the same bytes and the same game."""
    match = new_match(record.seated.host, record.seated.table())
    for number, played in enumerate(record.rounds[:6]):
        views = {seat: make_view(match, seat) for seat in who_is_asked(match.state)}
        for seat, move, data in played.answers:
            signed = answer(record.seated.keys[seat], open_view(views[seat]), move)
            assert signed == data
            verdict = take_move(match, signed)
            assert verdict.code == "taken"
            assert verdict.receipt is not None
            decode(encode(verdict.receipt), Envelope, "receipt")
        assert match.state.round == number + 1
    assert match.entries == record.world.match.entries[: len(match.entries)]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_draws_do_not_depend_on_hidden_facts(case: Case) -> None:
    """Number, kind and range of all draws stand in the entries, which must be the same whatever others hold."""
    seated = sit_down(case.game_id, case.seats, str(case), **dict(case.options))
    with ideal(seated):
        pairs, wrong, _ = compare_many(Record(seated, str(case), most=150), str(case), 10, every=40)
    assert not wrong
    hides_tokens = any(case.game.bags(case.terms).values())
    assert pairs > 5 if hides_tokens else pairs == 0
