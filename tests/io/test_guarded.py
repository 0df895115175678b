"""What a guard keeps of a game, and every file that it refuses, round by round, without running commands."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from referee.games.auction import Bid

from referee.crypto.codec import decode, encode
from referee.crypto.envelope import ident
from referee.engine.host import Match, extend, take_move, time_out
from referee.errors import RefereeError
from referee.evidence.compare import compare
from referee.io import guard, keyfile
from referee.io.gamefile import dump_match, open_match
from tests.cli.world import World, check_refusal, run_here
from tests.support.match import Sitting, code_of, other_program


@pytest.fixture
def sitting() -> Sitting:
    """Three players who are all asked for a sealed bid."""
    return Sitting("auction", 3, "guarded").until("bid")


def kept(data: bytes) -> guard.Guard:
    return decode(data, guard.Guard, "guard")


def made(match: Match, known: bytes = b"", before: int | None = None) -> bytes:
    return guard.make(match, known, match.state.round if before is None else before, "game.json")


def closed(sitting: Sitting, *late: int, bid: int = 1) -> Match:
    """The same game with the open round closed: some bid, the others miss the deadline."""
    one = sitting.fork()
    for seat in range(3):
        if seat not in late:
            assert one.give(one.signed(seat, move=Bid(bid))).error is None
    one.pass_over(late)
    assert one.round == sitting.round + 1
    return one.match


def same(one: Match, other: Match) -> bool:
    return (one.state, one.entries, one.privates) == (other.state, other.entries, other.privates)


def refused(match: Match, known: bytes, source: guard.Source = "file") -> tuple[str, str, str]:
    with pytest.raises(RefereeError) as caught:
        guard.bring_up_to_date(match, known, source)
    return caught.value.code, str(caught.value.message), str(caught.value.next)


def test_a_guard_says_what_was_signed_last(sitting: Sitting) -> None:
    before = sitting.round
    match = closed(sitting, 1)
    found = kept(made(match, before=before))
    assert (found.game, found.round, found.waiting, found.revealed) == (match.table.id, before + 1, (), False)
    assert found.path == str(Path("game.json").absolute())
    (step,) = found.steps
    assert step.entry == match.entries[-1]
    assert {json.loads(bytes(move.body))["seat"] for move in step.moves} == {0, 2}
    assert step.privates == tuple(
        one for parts in match.privates for one in parts if json.loads(bytes(one.body))["round"] == before + 1
    )
    match.revealed = True
    assert kept(made(match)).revealed


def test_a_guard_continues_from_the_file_on_disk_and_always_has_the_last_round(sitting: Sitting) -> None:
    number = sitting.until(6).round
    match = sitting.match
    for before, rounds in ((number, [6]), (number - 1, [6]), (number - 3, [4, 5, 6]), (0, [1, 2, 3, 4, 5, 6])):
        steps = kept(made(match, before=before)).steps
        assert [step.entry for step in steps] == [match.entries[one - 1] for one in rounds]
        for step, one in zip(steps, rounds, strict=True):
            assert {json.loads(bytes(part.body))["round"] for part in step.privates} <= {one}
    assert any(step.privates for step in kept(made(match, before=0)).steps)
    fresh = Sitting("auction", 3, "guarded")
    assert kept(made(fresh.match)).steps == ()
    assert kept(made(fresh.match)).round == 0


def test_moves_that_memory_has_lost_come_from_the_guard_before(sitting: Sitting) -> None:
    """A game file does not keep the moves of closed rounds; a rewritten guard still does."""
    before = sitting.round
    match = closed(sitting)
    known = made(match, before=before)
    again = open_match(dump_match(match), sitting.host)
    assert kept(made(again)).steps[0].moves == ()
    assert len(kept(made(again, known)).steps[0].moves) == 3
    assert made(again, known) == known


def test_only_what_is_new_is_written(sitting: Sitting) -> None:
    known = made(sitting.match)
    assert guard.says_something_new(b"", known)
    assert not guard.says_something_new(known, known)
    assert not guard.says_something_new(known, encode(replace(kept(known), path="/elsewhere", steps=())))
    one = sitting.fork()
    take_move(one.match, one.signed(0, move=Bid(1)))
    assert guard.says_something_new(known, made(one.match)), "an answer waits"
    assert guard.says_something_new(known, made(closed(sitting)))
    assert guard.says_something_new(known, encode(replace(kept(known), revealed=True)))
    assert guard.says_something_new(known, encode(replace(kept(known), game="00" * 32)))


@pytest.mark.parametrize("late", [(), (1,), (0, 2)])
def test_a_file_one_command_behind_is_brought_up_to_date(sitting: Sitting, late: tuple[int, ...]) -> None:
    """Also where deadlines were missed: the very same entry is signed."""
    match = closed(sitting, *late)
    old = sitting.fork().match
    guard.bring_up_to_date(old, made(match, before=sitting.round))
    assert same(old, match)
    assert old.waiting == {}


def test_several_rounds_of_one_command_are_taken_from_where_the_file_is() -> None:
    sitting = Sitting("auction", 3, "guarded")
    files = []
    while sitting.round < 4:
        files.append(sitting.file())
        sitting.step()
    known = made(sitting.match, before=0)
    for data in (*files, sitting.file()):
        match = open_match(data, sitting.host)
        guard.bring_up_to_date(match, known)
        assert same(match, sitting.match)
    short = encode(replace(kept(known), steps=kept(known).steps[-2:]))
    for data in files[2:]:
        match = open_match(data, sitting.host)
        guard.bring_up_to_date(match, short)
        assert same(match, sitting.match)
    for number in (0, 1):
        code, why, _ = refused(open_match(files[number], sitting.host), short)
        assert code == "older-file"
        assert why == f"this game file is at round {number}, but you have signed more since, up to round 4"


def test_a_deadline_that_was_signed_is_signed_again() -> None:
    sitting = Sitting("auction", 3, "guarded", deadline=60).until("bid")
    match = closed(sitting, 2)
    assert match.state.due
    old = open_match(sitting.file(), sitting.host)
    old.due = "2999-01-01T00:00Z"
    guard.bring_up_to_date(old, made(match, before=sitting.round))
    assert same(old, match)


def test_answers_with_a_receipt_wait_again(sitting: Sitting) -> None:
    one, again = sitting.fork(), sitting.fork()
    first, second = one.signed(0, move=Bid(1)), one.signed(0, move=Bid(2))
    for move in (first, one.signed(2, move=Bid(3))):
        assert one.give(move).error is None
    known = made(one.match)
    assert [json.loads(bytes(move.body))["seat"] for move in kept(known).waiting] == [0, 2]
    guard.bring_up_to_date(again.match, known)
    assert again.match.waiting == one.match.waiting
    guard.bring_up_to_date(one.match, known)
    assert {seat: ident("move", bytes(move.body)) for seat, move in one.match.waiting.items()} == {
        json.loads(bytes(move.body))["seat"]: ident("move", bytes(move.body)) for move in kept(known).waiting
    }
    other = sitting.fork()
    assert other.give(second).error is None
    assert refused(other.match, known)[0] == "older-file", "another answer of the same player has a receipt"
    more = open_match(dump_match(closed(sitting)), sitting.host)
    guard.bring_up_to_date(more, known, "views")
    assert more.waiting == {}, "what waited in a round that is closed counts there"


def test_a_revealed_game_stays_revealed(sitting: Sitting) -> None:
    match = sitting.fork().match
    guard.bring_up_to_date(match, made(sitting.match))
    assert not match.revealed
    guard.bring_up_to_date(match, encode(replace(kept(made(sitting.match)), revealed=True)))
    assert match.revealed
    guard.bring_up_to_date(match, made(sitting.match))
    assert match.revealed


def test_every_step_is_taken_exactly_as_it_was_or_not_at_all(sitting: Sitting) -> None:
    match, other = closed(sitting), closed(sitting, bid=2)
    whole, another = (kept(made(one, before=sitting.round)) for one in (match, other))
    (step,), (strange,) = whole.steps, another.steps
    assert step.entry != strange.entry
    for bad in (
        replace(step, moves=step.moves[:2]),
        replace(step, moves=strange.moves),
        replace(step, entry=strange.entry),
        replace(step, moves=(*step.moves[:2], step.moves[0])),
    ):
        code, why, advice = refused(sitting.fork().match, encode(replace(whole, steps=(bad,))))
        assert code == "older-file"
        assert f"up to round {whole.round}" in why
        assert advice.startswith(f"use {whole.path}; if it is lost, build it again with `referee recover VIEW...`")
    taken = sitting.fork().match
    guard.bring_up_to_date(taken, encode(whole))
    assert same(taken, match)


def test_private_parts_are_those_that_were_signed() -> None:
    before = Sitting("auction", 3, "guarded").until("raid")
    after = before.fork()
    after.step()
    known = kept(made(after.match, before=before.round))
    (step,) = known.steps
    assert len(step.privates) > 1
    for privates in (step.privates[:-1], step.privates[1:], step.privates[::-1], ()):
        bad = replace(known, steps=(replace(step, privates=privates),))
        assert refused(before.fork().match, encode(bad))[0] == "older-file"
    taken = before.fork().match
    guard.bring_up_to_date(taken, encode(known))
    assert same(taken, after.match)


def test_a_step_that_follows_from_another_story_is_not_taken(sitting: Sitting) -> None:
    one, other = sitting.fork(), sitting.fork()
    one.match, other.match = closed(sitting, bid=1), closed(sitting, 0)
    before = other.round
    other.step()
    known = made(other.match, before=before)
    assert refused(one.match, known)[0] == "older-file"
    number, path = before, kept(known).path
    assert refused(one.match, made(other.match, before=before - 1))[0] == "older-file"
    one.step()
    code, why, advice = refused(one.match, known)
    assert code == "forked-file"
    assert why == f"round {number + 1} of this game file is not the one that you signed"
    assert advice.startswith(f"use {path}, and never send this one to players")


def test_a_file_that_this_machine_did_not_sign(sitting: Sitting) -> None:
    """A guard that is behind, or none: played on from players' views only. A new game needs neither."""
    match, number = closed(sitting), sitting.round
    told = "compare it with the players' newest views: `referee recover VIEW... --adopt GAME.json`"
    assert refused(match, made(sitting.match)) == (
        "no-guard",
        f"this game file is at round {number + 1}, but the last round that this machine signed is {number}",
        told,
    )
    assert refused(match, b"") == (
        "no-guard", f"this game file is at round {number + 1}, but this machine never signed for this game", told,
    )  # fmt: skip
    guard.bring_up_to_date(match, made(sitting.match), "views")
    guard.bring_up_to_date(match, b"", "views")
    guard.bring_up_to_date(Sitting("auction", 3, "guarded").match, b"")


def test_one_offer_is_one_game(sitting: Sitting) -> None:
    fresh = Sitting("auction", 3, "guarded")
    first = made(fresh.match)
    guard.bring_up_to_date(fresh.match, first, "start")
    strange = encode(replace(kept(first), game="00" * 32))
    for source in ("file", "start", "views"):
        code, why, advice = refused(fresh.match, strange, source)
        assert (code, why) == ("already-started", "you have already started another game from this offer")
        assert advice == "make a new offer"
    known = made(sitting.match)
    assert refused(fresh.match, known, "start") == (
        "already-started",
        f"this game has already started and is at round {sitting.round}",
        f"continue with {kept(known).path}",
    )


def test_other_rules_are_reported_as_such(sitting: Sitting) -> None:
    """A program with different rules says so, and does not call the file old."""
    known, old = made(closed(sitting), before=sitting.round), sitting.fork().match
    with other_program("auction"):
        assert refused(old, known)[0] == "other-rules"


@pytest.mark.parametrize("data", [b"{}", b"no json", b'{"format":"pbem-referee/1/guard"}'])
def test_files_that_are_not_guards_are_reported_as_damaged(sitting: Sitting, data: bytes) -> None:
    code, why, advice = refused(sitting.match, data)
    assert (code, "is damaged" in why) == ("bad-guard", True)
    assert advice.startswith("move that file away, then compare")
    other = encode(replace(kept(made(sitting.match)), format="pbem-referee/1/ticket"))
    assert code_of(lambda: guard.bring_up_to_date(sitting.match, other)) == "bad-guard"


# --- the commands -----------------------------------------------------------------------------------------------------


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "world", rounds=2)


def run(world: World, *words: str, **how: Any) -> Any:
    return run_here(*words, cwd=world.root, home=world.host_home, **how)


def test_starting_again_names_the_game_that_is_played(world: World) -> None:
    before = (world.root / "game.json").read_bytes()
    for output in ("again.json", "game.json"):
        ran = run(world, "start", "offer.json", "anna.join.json", "bert.join.json", "-o", output, "--out", "sent")
        check_refusal(ran, (5, 8))
    assert "game.json" in ran.said
    again = run(world, "start", "offer.json", "anna.join.json", "bert.join.json", "-o", "again.json", "--dry-run")
    check_refusal(again, (5,))
    assert "this game has already started and is at round 2" in again.said
    assert f"Next: continue with {world.root / 'game.json'}" in again.said
    assert not (world.root / "again.json").exists()
    assert (world.root / "game.json").read_bytes() == before


def test_a_recovery_takes_the_place_of_nothing(world: World) -> None:
    before = (world.root / "game.json").read_bytes()
    ran = run(world, "recover", "anna.view.json", "--incomplete")
    check_refusal(ran, (8,))
    assert "game.json already exists" in ran.said
    assert "Next: choose another name with -o" in ran.said
    assert (world.root / "game.json").read_bytes() == before
    dry = run(world, "recover", "anna.view.json", "--incomplete", "-o", "back.json", "--dry-run")
    assert (dry.exit, (world.root / "back.json").exists()) == (0, False), dry.said
    assert "nothing was written" in dry.said


def test_views_that_do_not_belong_together(world: World, tmp_path: Path) -> None:
    other = Sitting("schwarzer-freitag", 2, "other").until(1)
    (world.root / "other.json").write_bytes(other.view(0))
    ran = run(world, "recover", "anna.view.json", "other.json", "-o", "back.json")
    check_refusal(ran, (2,))
    assert "these views belong to several games" in ran.said
    ran = run(world, "recover", "--adopt", "game.json", "other.json", "--incomplete")
    check_refusal(ran, (5,))
    assert "these views belong to another game" in ran.said
    ran = run(world, "recover", "move.json", "-o", "back.json")
    check_refusal(ran, (7,))
    assert "none of these files is a valid view" in ran.said
    (world.root / "bad.json").write_bytes((world.root / "anna.view.json").read_bytes()[:-5])
    ran = run(world, "recover", "bad.json", "anna.view.json", "-o", "back.json", "--incomplete")
    assert ran.exit == 0, ran.said
    assert ran.said.splitlines()[0].startswith("skipped: bad.json: ")


def test_two_stories_are_neither_recovered_nor_adopted(tmp_path: Path) -> None:
    """A host who signed two rounds is told so by the views, before anything is built on one of them."""
    sitting = Sitting("auction", 3, "guarded").until("bid")
    one, other = sitting.fork(), sitting.fork()
    one.match, other.match = closed(sitting), closed(sitting, 1)
    home = tmp_path / "home"
    home.mkdir()
    (home / "key.json").write_bytes(keyfile.dump(sitting.host))
    (tmp_path / "game.json").write_bytes(dump_match(one.match))
    for seat in range(3):
        (tmp_path / f"v{seat}.json").write_bytes(one.view(seat))
    (tmp_path / "w1.json").write_bytes(other.view(1))
    for words in (["recover", "-o", "b.json"], ["recover", "--adopt", "game.json"]):
        words += ["v0.json", "w1.json"]
        check_refusal(run_here(*words, cwd=tmp_path, home=home), (6,))
    ran = run_here("recover", "--adopt", "game.json", "w1.json", "--incomplete", cwd=tmp_path, home=home)
    check_refusal(ran, (5,))
    assert "this game file contradicts the view of Bert" in ran.said
    ran = run_here("recover", "--adopt", "game.json", "v0.json", "v2.json", cwd=tmp_path, home=home)
    check_refusal(ran, (2,))
    assert "views are missing: Bert" in ran.said
    assert not (home / "guard").exists() or not list((home / "guard").glob("*/*.json"))
    shutil.copy(tmp_path / "game.json", tmp_path / "before.json")
    ran = run_here("recover", "--adopt", "game.json", "v0.json", "v1.json", "v2.json", cwd=tmp_path, home=home)
    assert ran.exit == 0, ran.said
    assert ran.said.splitlines() == [
        f"This machine signs for game {sitting.table.id[:8]} from round {one.round + 1} on.",
        "Use the game on no other machine: two machines that sign for one game will contradict each other.",
        "Next: `referee show game.json`",
    ]
    (path,) = (home / "guard").glob("*/*.json")
    assert kept(path.read_bytes()).round == one.round
    assert path.stat().st_mode & 0o77 == 0
    assert (tmp_path / "game.json").stat().st_mode & 0o77 == 0


def test_an_extension_outlives_a_game_file_from_a_backup() -> None:
    """An honest host who went back to an older file would otherwise break a promise that it has forgotten."""
    sitting = Sitting("auction", 3, "promise", deadline=60, grace=10).until("play")
    backup = sitting.fork()
    backup.miss(1)
    extension = extend(sitting.match, 1, "2027-01-01T05:00Z")
    known = made(sitting.match)
    assert kept(known).extensions == (extension,)
    assert guard.says_something_new(made(backup.match), known)
    guard.bring_up_to_date(backup.match, known)
    assert (backup.match.extensions, backup.match.late) == ((extension,), set())
    backup.others(1)
    assert backup.round == sitting.round, "the player is waited for"
    with pytest.raises(RefereeError) as refused:
        time_out(backup.match, 1)
    assert refused.value.code == "not-due"
    assert backup.miss(1), "the extension is over, with the grace"
    assert compare([backup.opened(0), extension])[0] == []


def test_what_a_bank_paid_outlives_a_game_file_from_a_backup() -> None:
    sitting = Sitting("auction", 3, "promise", deadline=60, bank=30).until("play")
    backup = sitting.fork()
    sitting.wait(65)
    sitting.give(sitting.signed(1))
    waits = made(sitting.match)
    guard.bring_up_to_date(backup.match, waits)
    assert (backup.match.used, kept(waits).used) == ({1: 5}, ((1, 5),))
    before = sitting.fork()
    sitting.others(1)
    guard.bring_up_to_date(before.match, made(sitting.match, waits, sitting.round - 1))
    assert same(before.match, sitting.match)
    assert json.loads(bytes(sitting.match.entries[-1].body))["used"] == [[0, 5], [1, 5], [2, 5]]
