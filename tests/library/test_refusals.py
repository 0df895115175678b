"""What the use cases refuse, and up to where they do not: as functions, with their reasons."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from referee import games
from referee.errors import RefereeError
from referee.io import files
from referee.library import practising, rehearsing, replaying, running, sitting, sources, tables
from referee.library.practising import Answered
from tests.support.match import Sitting


def refused(call: Callable[[], Any]) -> str:
    """Why a call is refused; empty if it is not."""
    try:
        call()
    except RefereeError as error:
        return str(error.message)
    return ""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1", [1]), ("9", [9]), ("1..9", range(1, 10)), ("..3", [1, 2, 3]), ("8..", [8, 9]), ("..", range(1, 10)),
        ("0..2", [1, 2]), ("8..20", [8, 9]), ("", None), ("10", None), ("0", None), ("5..4", None),
        ("x", None), ("1..x", None), ("-1", None), ("1...3", None), ("100000", None), ("²", None),
    ],
)  # fmt: skip
def test_rounds_are_a_span_of_those_that_there_are(text: str, found: Any) -> None:
    if found is None:
        why = refused(lambda: replaying.rounds_of(text, 9))
        assert why in ("there are no such rounds in this file", "these are not valid rounds")
        assert (why[:5] == "there") == (text in ("10", "0", "5..4"))
    else:
        assert [*replaying.rounds_of(text, 9)] == [*found]
    assert not replaying.rounds_of("..", 0)


def test_a_picture_is_of_one_round_and_of_the_seat_whose_view_it_is() -> None:
    one = Sitting("mark", 2, "pictured").until(3)
    game = replaying.Game(one.view(1), one.opened(1).chain, one.opened(1))
    for seat in (None, "2", "Bert"):
        assert replaying.picture_of(game, "1", seat, "svg", None).secret
    assert (
        refused(lambda: replaying.picture_of(game, "1", "Anna", "svg", None)) == "a view shows what its own player sees"
    )
    for after in ("x", "1..2", "-1", "100000", ""):
        assert refused(lambda a=after: replaying.picture_of(game, a, None, "svg", None)).startswith(
            "a picture shows the board"
        )


@pytest.mark.parametrize(("deadline", "seats"), [(60, 3), (0, 3)])
def test_a_new_deadline_is_later_than_now_and_than_the_one_before(deadline: int, seats: int) -> None:
    one = Sitting("auction", seats, "later", deadline=deadline).until("play")
    seat, now = one.asked[0], datetime(2027, 1, 1, 12, tzinfo=UTC)
    for until, by in ((None, None), ("2027-01-05T00:00Z", "2d")):
        assert (
            refused(lambda u=until, b=by: running.new_due(one.match, seat, u, b, now))
            == "the new deadline is not clear"
        )
    if not deadline:
        assert running.new_due(one.match, seat, "2027-01-05T00:00Z", None, now) == "2027-01-05T00:00Z"
        return
    known = datetime.fromisoformat(running.desk.due_at(one.match, seat))

    def until(minutes: int, at: datetime) -> str:
        return refused(
            lambda: running.new_due(one.match, seat, f"{at + timedelta(minutes=minutes):%Y-%m-%dT%H:%MZ}", None, now)
        )

    start = max(known, now)
    assert [bool(until(minutes, start)) for minutes in (-1, 0, 1)] == [True, True, False]
    if known >= now:
        assert running.new_due(one.match, seat, None, "90m", now) == f"{known + timedelta(minutes=90):%Y-%m-%dT%H:%MZ}"


@pytest.mark.parametrize(
    ("takeover", "takeovers", "never", "found"),
    [
        (None, None, False, (0, 0)), (None, None, True, (0, 0)), ("2d", None, False, (3, 2880)),
        ("2d", 1, False, (1, 2880)), (None, 1, True, (1, 0)),
        (None, tables.MOST_TAKEOVERS, False, (tables.MOST_TAKEOVERS, 0)),
        (None, tables.MOST_TAKEOVERS + 1, False, None), (None, 0, False, None), (None, -1, False, None),
        ("2d", None, True, None), ("0d", None, False, None),
    ],
)  # fmt: skip
def test_how_many_seats_can_be_taken_over(takeover: str | None, takeovers: int | None, never: bool, found: Any) -> None:
    if found is None:
        assert refused(lambda: tables.takeovers_of(3, takeover, takeovers, never=never))
    else:
        assert tables.takeovers_of(3, takeover, takeovers, never=never) == found


def test_bytes_are_those_of_a_document_of_its_size(tmp_path: Path) -> None:
    view = Sitting("auction", 2, "sized").view(0)
    assert sources.read_bytes(view + b"\r\n", "view") == view
    assert "given as bytes" in refused(lambda: sources.read_bytes(str(tmp_path), "game"))  # type: ignore[arg-type]
    small, large = (b"{" + b" " * (most - 1) for most in (files.SMALL, files.LARGE))
    for data, kinds, size in (
        (small, ("receipt",), False), (small + b" ", ("receipt",), True), (small + b" ", ("view",), False),
        (large, (), False), (large + b" ", (), True),
    ):  # fmt: skip
        why = refused(lambda d=data, k=kinds: sources.read_bytes(d, *k))
        assert (why == "this is larger than any document of its kind") == size, (kinds, len(data))


@pytest.mark.parametrize(("number", "found"), [(0, 4), (1, 1), (4, 4), (5, None), (-1, None)])
def test_the_round_that_is_looked_at(number: int, found: int | None) -> None:
    if found is None:
        assert refused(lambda: sitting._shown(number, 4)) == "there is no such round in this game"
    else:
        assert sitting._shown(number, 4) == found


def test_bots_that_never_end_are_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many rounds as any game may have; here after the first."""
    game = rehearsing.resume(rehearsing.begun("mark", 2, 1, "sensible", "no end", (), None))
    monkeypatch.setattr(practising, "MOST_STEPS", game.round)
    for _ in range(10):
        if why := refused(lambda: game.play(game.hint())):
            break
    assert why == f"the game had not ended after {practising.MOST_STEPS} rounds"


# --- rehearsals ------------------------------------------------------------------------------------------------------


def guided() -> Iterator[str]:
    yield from (game for game in games.game_ids() if rehearsing.guide_of(game))


def test_a_guided_opening_is_chosen_or_there_is_none() -> None:
    with_guide, without = next(guided()), next(one for one in games.game_ids() if not rehearsing.guide_of(one))
    for wanted, given, guide in (
        (None, "", True),
        (True, "", True),
        (False, "", False),
        (None, "--seats", False),
        (False, "--seats", False),
    ):
        assert bool(rehearsing.opening(with_guide, wanted, given)) == guide, (wanted, given)
    assert (
        refused(lambda: rehearsing.opening(with_guide, True, "--seats"))
        == "the guided opening is a game of its own: --seats cannot be chosen"
    )
    assert rehearsing.opening(without, None, "") is None
    assert refused(lambda: rehearsing.opening(without, True, "")) == "this game has no guided opening"


def test_a_guide_speaks_until_somebody_answers_otherwise() -> None:
    guide = rehearsing.guide_of(next(guided()))
    assert guide is not None
    answers = [Answered(step.move) for step in guide.steps]
    assert [rehearsing.step_of(guide, answers[:at]) for at in range(len(answers))] == [*guide.steps]
    assert rehearsing.step_of(guide, answers) is None
    assert rehearsing.step_of(None, []) is None
    assert rehearsing.step_of(guide, [Answered({"strange": 1})]) is None


def test_a_game_that_was_left_is_found_kept_and_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_HOME", str(tmp_path))
    assert rehearsing.find("mark") is None
    rehearsing.forget("mark")
    kept = rehearsing.begun("mark", 2, 1, "sensible", "kept", (), None)
    rehearsing.keep(kept)
    path = Path(rehearsing.path_of("mark"))
    assert path.is_relative_to(tmp_path)
    assert path.stat().st_mode & 0o77 == 0
    assert rehearsing.find("mark") == kept
    path.write_bytes(b'{"strange": 1}')
    assert refused(lambda: rehearsing.find("mark")).endswith("is not a practice game")
    rehearsing.forget("mark")
    assert not path.exists()


def test_a_game_that_was_left_goes_on_by_the_same_rules_alone() -> None:
    kept = rehearsing.begun("mark", 2, 1, "sensible", "kept", (), None)
    assert rehearsing.resume(kept).answers == ()
    other = replace(kept, rules=str(int(kept.rules) + 1))
    assert (
        refused(lambda: rehearsing.resume(other))
        == "the game that you left cannot be continued: the rules of the game have changed"
    )
    wrong = replace(kept, answers=(Answered({"do": "sell", "source": "p1"}),))
    assert refused(lambda: rehearsing.resume(wrong)).startswith("the game that you left cannot be continued: ")
