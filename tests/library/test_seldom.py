"""What the library says in rare cases: public views, seats that are out, rules that fail, names that are taken."""

from pathlib import Path
from typing import Any

import pytest

from referee import games
from referee.crypto.codec import encode
from referee.engine import host
from referee.engine.player import Opened, open_view
from referee.errors import IllegalMove, RefereeError, RulesFault
from referee.library import answering, checking, disputes, editions, looking, practising, tables
from referee.library.data import ReadMove
from referee.library.editions import Change
from referee.library.views import View
from referee.tournament import work
from tests.support.match import Sitting, other_program


def refused(call: Any, *args: Any, **more: Any) -> tuple[str, str, str]:
    """Code, message and advice of the error that a call raises."""
    with pytest.raises(RefereeError) as caught:
        call(*args, **more)
    return caught.value.code, str(caught.value.message), str(caught.value.next)


@pytest.fixture(scope="module")
def sitting() -> Sitting:
    return Sitting("auction", 3, "seldom").until("play")


@pytest.fixture(scope="module")
def left() -> Sitting:
    """Two of three seats are out and can be taken over."""
    one = Sitting("auction", 4, "seldom", deadline=60, takeovers=3, takeover=60).until(1)
    while len(one.state.vacant) < 2:
        one.step(*[seat for seat in one.asked if seat < 2])
    return one


def public(sitting: Sitting) -> Opened:
    return open_view(host.make_view(sitting.match, None))


# --- a view ----------------------------------------------------------------------------------------------------------


def test_every_fact_of_a_view(sitting: Sitting) -> None:
    mine = View(sitting.opened(1))
    table = sitting.table
    assert repr(mine) == f"<View of auction {table.id[:8]}, round {sitting.round}, seat 1>"
    assert (mine.game, mine.id, mine.seat, mine.names) == ("auction", table.id, 1, ("Anna", "Bert", "Carla"))
    assert (mine.round, mine.asked, mine.decides, mine.due) == (sitting.round, "play", True, sitting.state.due)
    assert mine.due.endswith("Z")
    assert (mine.end, mine.result) == ("", None)
    assert tuple(mine.position["points"]) == tuple(sitting.match.checkpoint.public.points)
    hand = sorted(face for face in sitting.opened(1).seen.hand("hand"))
    assert sorted(mine.hand["hand/1"]) == hand
    assert [chapter.round for chapter in mine.story()] == list(range(1, sitting.round + 1))
    assert [chapter.round for chapter in mine.story(sitting.round)] == [sitting.round]
    assert [chapter.round for chapter in mine.story(-3)] == list(range(1, sitting.round + 1))
    assert max(map(len, mine.board(60).splitlines())) <= 60
    over = Sitting("auction", 3, "seldom").to_end()
    ended = View(over.opened(0))
    assert (ended.end, ended.asked, ended.decides, ended.due) == ("result", "", False, "")
    assert ended.result == over.state.result


def test_before_anything_is_dealt_there_is_no_hand_and_only_a_confirmation() -> None:
    first = View(Sitting("auction", 3, "seldom").opened(0))
    assert (first.round, first.hand, first.position, first.decides, first.asked) == (0, {}, None, False, "ack")
    assert first.read() == ReadMove("", None, None)
    assert (first.moves(), first.story()) == ((), ())


def test_a_public_view_belongs_to_no_seat(sitting: Sitting) -> None:
    nobody = View(public(sitting))
    assert (nobody.seat, nobody.asked, nobody.moves()) == (None, "", ())
    assert repr(nobody).endswith("seat None>")
    why = ("public-view", "this is a public view: it belongs to no seat", "ask the host for your own view")
    assert refused(nobody.standing) == why


def test_an_answer_without_a_move_where_one_is_asked_for(sitting: Sitting) -> None:
    mine = View(sitting.opened(0))
    assert refused(mine.read) == ("no-move", "this contains no move", "choose a move of the list")
    line = mine.moves()[0]
    assert mine.read(line).move is not None


# --- what comes next -------------------------------------------------------------------------------------------------


def test_what_to_do_with_a_view(sitting: Sitting, left: Sitting) -> None:
    asked = sitting.opened(0)
    assert looking.what_next(asked, "a.json", None) == (
        "Next: answer with `referee play a.json`; `referee show --moves a.json` lists what is legal."
    )
    assert "`referee play a.json --key k.json`" in looking.what_next(asked, "a.json", "k.json")
    assert looking.what_next(public(sitting), "a.json", None) == "Next: wait for the next view."
    assert looking.what_next(public(left), "a.json", None) == (
        "Next: take over a seat with `referee join a.json`, or wait for the next view."
    )
    over = Sitting("auction", 3, "seldom").to_end()
    assert looking.what_next(over.opened(0), "a.json", None) == "Next: ask the host for the transcript."
    assert looking.what_next(left.opened(0), "a.json", None) == (
        "Next: you missed two deadlines; to come back: `referee play --return a.json`."
    )


def test_what_somebody_does_who_is_not_asked(left: Sitting) -> None:
    back = "send the host a return"
    assert str(looking.not_asked_yet(left.opened(0), back)) == f"you missed two deadlines; to come back: {back}"
    over = Sitting("auction", 3, "seldom").to_end()
    assert str(looking.not_asked_yet(over.opened(0), back)) == "ask the host for the transcript"
    kept = Sitting("auction", 4, "seldom", deadline=60, takeovers=3, takeover=60, kept=(0,)).until(1)
    while not kept.state.vacant:
        kept.step(0)
    assert str(looking.not_asked_yet(kept.opened(0), back)) == (
        "you missed two deadlines; to come back: answer the mail with `back`"
    )


def test_of_several_seats_one_is_named(sitting: Sitting, left: Sitting) -> None:
    stranger = left.newcomer().public.hex()
    assert refused(answering.vacant_seat, left.opened(2), None, stranger) == (
        "usage", "say which seat you take over", "name one of these with --seat: Anna, Bert",
    )  # fmt: skip
    assert answering.vacant_seat(left.opened(2), "Bert", stranger) == 1
    code, message, next = refused(answering.vacant_seat, sitting.opened(0), None, stranger)
    assert (code, message) == ("not-vacant", "in this game no seat can be taken over")
    assert next == "a new offer can allow it: `referee offer --takeovers`"
    early = Sitting("auction", 4, "seldom", deadline=60, takeovers=3, takeover=60).until(1)
    code, message, next = refused(answering.vacant_seat, early.opened(2), None, stranger)
    assert (code, message) == ("not-vacant", "you cannot take over a seat of this game now")
    assert next == "`referee show` shows who plays, and whose seat is vacant"


# --- editions --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("own", "usual", "found"),
    [
        (1, 2, [Change("x", 1, 2)]),
        ({"a": 1, "b": 2}, {"a": 1, "b": 3}, [Change("x.b", 2, 3)]),
        ({"b": 2, "c": 4}, {"a": 1, "b": 2}, [Change("x.a", None, 1), Change("x.c", 4, None)]),
        ({"a": {"b": 1}}, {"a": {"b": 2}}, [Change("x.a.b", 1, 2)]),
        (("r", "r", "s"), ("r", "t"), [Change("x", "r", None), Change("x", "s", None), Change("x", None, "t")]),
        (("r", "s"), ("s", "r"), [Change("x", ("r", "s"), ("s", "r"))]),
        (((1, 2), (3,)), ((1, 2), (4,), (5,)), [Change("x[1]", (3,), (4,)), Change("x[2]", None, (5,))]),
        (((1,), (2,)), ((1,),), [Change("x[1]", (2,), None)]),
        ((1, 2), (1, 3), [Change("x", (1, 2), (1, 3))]),
        ((1,), "no list", [Change("x", (1,), "no list")]),
    ],
)
def test_what_differs_between_editions(own: Any, usual: Any, found: list[Change]) -> None:
    assert list(editions._changes("x", own, usual)) == found


# --- practice --------------------------------------------------------------------------------------------------------


def failing(error: BaseException) -> Any:
    def apply(*how: Any) -> Any:
        raise error

    return apply


def played(game: Any) -> None:
    while game.asked:
        game.play(game.hint())


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (RulesFault("a fault"), "a fault"),
        (ZeroDivisionError("no"), "the rules cannot be applied (ZeroDivisionError)"),
    ],
)
def test_rules_that_fail_in_practice_are_an_error_of_ours(error: BaseException, message: str) -> None:
    with other_program("auction", same_code=True, apply=failing(error)):
        game = practising.start_practice("auction", 3, 0, "random", "seldom", None, None)
        assert refused(played, game)[:2] == ("rules-failed", message)


def test_a_move_that_the_rules_refuse_in_practice_stays_a_refusal() -> None:
    with other_program("auction", same_code=True, apply=failing(IllegalMove("TA-4", "not so"))):
        game = practising.start_practice("auction", 3, 0, "random", "seldom", None, None)
        assert refused(played, game)[:2] == ("illegal", "not so (TA-4)")


# --- files -----------------------------------------------------------------------------------------------------------


def test_one_offer_is_started_with_its_joins(tmp_path: Path, sitting: Sitting) -> None:
    paths = []
    for name, data in (("a", sitting.offer), ("b", sitting.joins[0]), ("c", sitting.joins[1])):
        (tmp_path / name).write_bytes(encode(data))
        paths.append(str(tmp_path / name))
    offers, joins = tables.read_start(paths)
    assert offers == [(paths[0], encode(sitting.offer))]
    assert joins == [encode(sitting.joins[0]), encode(sitting.joins[1])]
    assert tables.read_start(paths[1:])[0] == []
    (tmp_path / "d").write_bytes(encode(Sitting("auction", 3, "another").offer))
    assert refused(tables.read_start, [*paths, str(tmp_path / "d")]) == (
        "usage", "these are 2 offers", "give one, and the joins for it",
    )  # fmt: skip
    code, *_ = refused(tables.read_start, paths[1:2])
    assert code != "usage"


def test_a_proof_gets_a_name_that_is_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, made = str(tmp_path), dict[str, bytes]()
    first, second = tmp_path / "x.proof.json", tmp_path / "x-2.proof.json"
    assert disputes._free(folder, "x", b"one", made) == str(first)
    first.write_bytes(b"one")
    assert disputes._free(folder, "x", b"one", made) == str(first), "it is there already"
    assert disputes._free(folder, "x", b"two", made) == str(second)
    made[str(second)] = b"two"
    assert disputes._free(folder, "x", b"two", made) == str(second), "it is about to be written"
    assert disputes._free(folder, "x", b"three", made) == str(tmp_path / "x-3.proof.json")
    made |= {str(tmp_path / f"x-{number}.proof.json"): b"" for number in range(2, 9_999)}
    assert disputes._free(folder, "x", b"three", made) == str(tmp_path / "x-9999.proof.json")
    made[str(tmp_path / "x-9999.proof.json")] = b""
    many = ("there are too many proofs in that folder", "choose another folder with -o")
    assert refused(disputes._free, folder, "x", b"three", made)[1:] == many


def test_an_edition_says_whose_it_is(tmp_path: Path) -> None:
    for name in games.game_ids():
        path = tmp_path / f"{name}.json"
        path.write_bytes(games.edition_bytes(name))
        found = editions.check(str(path))
        assert (found.game, found.changes) == (name, {})


@pytest.mark.parametrize(("jobs", "count"), [(1, 1), (2, 2), (3, 3), (8, 3)])
def test_there_are_no_more_workers_than_there_is_work(
    jobs: int, count: int, tmp_path: Path, sitting: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Views of one seat are one task."""
    for name, data in (("a", sitting.view(0)), ("b", sitting.view(0)), ("c", sitting.view(1)), ("d", sitting.view(2))):
        (tmp_path / f"{name}.view.json").write_bytes(data)
    asked = list[int]()

    def make(number: int, dask: str | None) -> Any:
        asked.append(number)
        return real(1, None)

    real = work.make_workers
    monkeypatch.setattr(work, "make_workers", make)
    names = sorted(map(str, tmp_path.iterdir()))
    list(checking._side_by_side(names, [], jobs, None))
    assert asked == [count]
