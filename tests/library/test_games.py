"""Whole games of every kind: the library makes the same bytes as the engine from the same input."""

import random

import pytest

import referee
from referee.crypto.codec import encode
from referee.engine import host
from tests.library.play import FEWEST, own_type, some_move, start
from tests.support.match import Sitting
from tests.support.short import short, short_json

GAMES = ("mark", "schwarzer-freitag", "schwarzmarkt", "weg-zum-erfolg")


@pytest.mark.thorough
@pytest.mark.parametrize("game_id", GAMES)
def test_a_whole_game_is_the_engines_to_the_byte(game_id: str) -> None:
    sitting, rng = Sitting(game_id, FEWEST[game_id], "library", edition=short(game_id)), random.Random(game_id)
    table = start(sitting, edition=short_json(game_id).encode())
    assert table.game == sitting.file()
    views = [referee.open_view(view) for view in table.views]
    while not table.end:
        assert sorted(table.asked) == sitting.asked
        moves = []
        for seat in table.asked:
            view = views[seat] = referee.open_view(table.views[seat], since=views[seat])
            move = some_move(view, rng)
            signed = view.answer(move, sitting.players[seat])
            assert signed == sitting.signed(seat, move=own_type(view, move), resign=False)
            moves.append(signed)
        judged = [sitting.give(signed) for signed in moves]
        table = referee.apply(table.game, moves, sitting.host, now=sitting.now)
        assert table.game == sitting.file()
        assert table.views == tuple(sitting.view(seat) for seat in range(len(views)))
        assert table.public == host.make_view(sitting.match, None)
        receipts = [encode(one.receipt) for one in judged if one.receipt is not None]
        assert [one.receipt for one in table.judged] == receipts
        assert {one.code for one in table.judged} == {"taken"}
        assert (table.round, table.closed) == (sitting.round, 1)
    assert table.result == sitting.state.result
    transcript, _ = referee.reveal(table.game, sitting.host)
    assert transcript == sitting.transcript()
    found = referee.verify(transcript)
    assert (found.result, found.round, found.whole) == (sitting.state.result, sitting.round, True)
    assert referee.judge([*table.views, transcript]).consistent
    assert {referee.open_view(view).result for view in table.views} == {sitting.state.result}


@pytest.fixture(scope="module", params=GAMES)
def sitting(request: pytest.FixtureRequest) -> Sitting:
    """A game in which somebody must decide."""
    return Sitting(request.param, FEWEST[request.param], "looking").until(3)


def test_a_view_shows_what_the_engine_knows(sitting: Sitting) -> None:
    for seat in range(sitting.table.seats):
        view, opened = referee.open_view(sitting.view(seat)), sitting.opened(seat)
        assert (view.game, view.id, view.seat) == (sitting.game_id, sitting.table.id, seat)
        assert (view.names, view.round, view.decides) == (sitting.table.names, 3, opened.decides)
        assert view.position == referee.open_view(sitting.view((seat + 1) % 2)).position
        assert view.hand == host_knows(sitting, seat)
        assert view.picture().startswith("<svg")
        assert max(map(len, view.board(60).splitlines())) <= 60
        assert [one.round for one in view.story()] == [1, 2, 3]
        assert view.data()["you"] == seat + 1
        assert (view.end, view.result) == ("", None)


def host_knows(sitting: Sitting, seat: int) -> dict[str, tuple[str, ...]]:
    """What a seat knows, from the host's own faces."""
    from referee.engine.answers import seen

    match = sitting.match
    return dict(seen(sitting.table.game, match.state, match.checkpoint.public, seat, match.faces).tokens)


def test_moves_are_read_in_every_language(sitting: Sitting) -> None:
    seat = sitting.asked[0]
    view, key = referee.open_view(sitting.view(seat)), sitting.players[seat]
    if not view.decides:
        pytest.skip("a confirmation is asked for")
    for language in ("en", "de", "nl"):
        with referee.speaking(language):
            for line in view.moves():
                said = view.read(line if line.single else line.move)
                assert said.move == line.move
                assert view.read(str(said)).move == line.move
                assert view.answer(str(said), key) == view.answer(said, key) == view.answer(line.move, key)
                if line.single:
                    assert view.read(f"#{line.number}") == said
                else:
                    with pytest.raises(referee.RefereeError) as caught:
                        view.answer(line, key)
                    assert caught.value.code == "many-moves"


def test_whoever_resigns_signs_that(sitting: Sitting) -> None:
    seat = sitting.asked[0]
    view = referee.open_view(sitting.view(seat))
    assert view.resign(sitting.players[seat]) == sitting.signed(seat, resign=True)


def test_a_missed_deadline_is_noted() -> None:
    sitting = Sitting("mark", 2, "late").until(2)
    game, late = sitting.file(), sitting.asked[0]
    assert sitting.miss(late)
    table = referee.apply(game, [], sitting.host, now=sitting.now, missed=[late])
    assert table.game == sitting.file()
    assert table.closed == 1


def test_a_bad_move_among_good_ones_spoils_nothing() -> None:
    sitting = Sitting("mark", 2, "mixed")
    good, bad = sitting.signed(0), sitting.signed(1)[:-40]
    table = referee.apply(sitting.file(), [bad, good, good], sitting.host, now=sitting.now)
    assert [one.ok for one in table.judged] == [False, True, True]
    assert [one.code for one in table.judged][1:] == ["taken", "repeated"]
    assert (table.judged[0].receipt, table.closed) == (b"", 0)
    assert list(table.asked) == [1]
    with pytest.raises(referee.RefereeError) as caught:
        referee.apply(sitting.file(), [good], sitting.host)
    assert "now" in str(caught.value.next)


def test_two_stories_are_judged_and_proved() -> None:
    """What the documentation of `apply` warns of: nothing keeps a host from it, and everybody can prove it."""
    sitting = Sitting("schwarzer-freitag", 2, "fork", deadline=0).until(1)
    seat = sitting.asked[0]
    view = referee.open_view(sitting.view(seat))
    one, other, *_ = (line for line in view.moves() if line.single)
    stories = [
        referee.apply(sitting.file(), [view.answer(move, sitting.players[seat])], sitting.host)
        for move in (one.move, other.move)
    ]
    found = referee.judge({f"{number}.json": story.views[0] for number, story in enumerate(stories)})
    assert [finding.code for finding in found.proved] == ["two-entries"]
    proof = found.proved[0].proof
    checked = referee.verify(proof)
    assert (checked.kind, checked.verdict, checked.code) == ("proof", "proved", "two-entries")
    assert checked.facts["key"] == sitting.host.public.hex()
