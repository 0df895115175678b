"""This machine never contradicts what a host signed: copies, backups, kills, two commands at once."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.crypto.codec import decode, encode
from referee.engine import lobby
from referee.engine.host import new_match, take_move, time_out
from referee.engine.rounds import asked
from referee.engine.seats import rests
from referee.io import guard, keyfile
from referee.io.desk import next_due
from referee.io.gamefile import dump_match, open_match
from referee.io.times import read_time
from tests.cli.world import Ran, World, check_refusal, envelope, keep_guard, key, run_here, seed
from tests.io.test_crash import NOW, Saboteur, job
from tests.support.match import Sitting

LATER = "2028-01-01T00:00Z"
"""All deadlines of these games are over."""


@pytest.fixture(scope="module")
def saboteur() -> Iterator[Saboteur]:
    made = Saboteur()
    yield made
    made.process.stdin.close()  # type: ignore[union-attr]
    assert made.process.wait() == 0
    made.process.stdout.close()  # type: ignore[union-attr]


class Host:
    """A host with a home, and a game file in which three players are asked for a bid."""

    def __init__(self, root: Path) -> None:
        self.root, self.home = root, root / "home"
        self.sitting = Sitting("auction", 3, "guard").until("bid")
        self.home.mkdir(parents=True)
        (self.home / "key.json").write_bytes(keyfile.dump(self.sitting.host))
        (root / "game.json").write_bytes(self.sitting.file())
        for seat in range(3):
            (root / f"view{seat}.json").write_bytes(self.sitting.view(seat))
            (root / f"move{seat}.json").write_bytes(self.sitting.signed(seat))
        keep_guard(self.sitting.match, root / "game.json", self.home)

    def run(self, *args: str) -> Ran:
        if "--timeout" in args:
            args = (*args, "--now", LATER)
        return run_here(*args, cwd=self.root, home=self.home)

    def good(self, *args: str) -> Ran:
        ran = self.run(*args)
        assert ran.exit == 0, ran.said
        return ran

    def code(self, *args: str) -> str:
        """The error code that a command ends with."""
        ran = self.run(*args)
        check_refusal(ran)
        found = {
            "is not asked for an answer": "not-asked",
            "you have signed more since": "older-file", "never signed": "no-guard",
            "the last round that this machine signed": "no-guard", "is not the one that you signed": "forked-file",
            "views are missing": "missing-views", "another story": "forked-file", "has seen round": "older-file",
            "is damaged": "bad-guard", "secrets of this game are out": "revealed",
        }  # fmt: skip
        (code,) = {code for text, code in found.items() if text in ran.said} or {ran.said}
        return code

    def proofs(self) -> list[str]:
        """What all files of all folders together prove."""
        folders = [str(path) for path in self.root.iterdir() if path.is_dir() and path.name not in ("home", "proofs")]
        ran = self.run("dispute", "--json", "-o", "proofs", *folders, "view0.json", "view1.json", "view2.json")
        found = json.loads(ran.out)
        assert found["games"], "nothing was looked at"
        return list(found["proofs"])


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return Host(tmp_path / "host")


def test_an_answer_with_a_receipt_outlives_a_restored_backup(host: Host) -> None:
    """The backup knows nothing of the answer: without a guard its player is timed out, and can prove it."""
    shutil.copy(host.root / "game.json", host.root / "backup.json")
    host.good("apply", "game.json", "move0.json", "--out", "a")
    shutil.copy(host.root / "backup.json", host.root / "game.json")
    assert host.code("apply", "game.json", "--timeout", "1", "--out", "b") == "not-asked"
    host.good("apply", "game.json", "move1.json", "--out", "b")
    host.good("apply", "game.json", "--timeout", "3", "--out", "b")
    assert host.proofs() == []
    status = json.loads(host.good("show", "game.json", "--json").out)
    assert status["round"] == host.sitting.match.state.round + 1


def test_the_same_backup_without_a_guard_would_be_a_proof(host: Host) -> None:
    """What the guard prevents is real: the same steps on a machine that has forgotten, and dispute proves it."""
    shutil.copytree(host.root, host.root.parent / "other")
    host.good("apply", "game.json", "move0.json", "--out", "a")
    other = host.root.parent / "other"
    ran = run_here("apply", "game.json", "--timeout", "1", "--out", "b", "--now", LATER, cwd=other, home=other / "home")
    assert ran.exit == 0, ran.said
    for move in ("move1.json", "move2.json"):
        ran = run_here("apply", "game.json", move, "--out", "b", "--now", LATER, cwd=other, home=other / "home")
        assert ran.exit == 0, ran.said
    shutil.copytree(other / "b", host.root / "b")
    assert [name.rpartition("-")[0] for name in host.proofs()] != []


def test_a_copy_that_is_one_command_behind_is_brought_up_to_date(host: Host) -> None:
    shutil.copy(host.root / "game.json", host.root / "copy.json")
    host.good("apply", "game.json", "move0.json", "move1.json", "move2.json", "--out", "a")
    ran = host.run("apply", "copy.json", "move1.json", "--out", "b")
    assert ran.exit == 0, ran.said
    assert "accepted before" in ran.said
    assert (host.root / "copy.json").read_bytes() == (host.root / "game.json").read_bytes()
    assert {path.name for path in (host.root / "b").glob("*.view.json")} == {
        path.name for path in (host.root / "a").glob("*.view.json")
    }
    assert host.proofs() == []


def test_a_file_that_is_further_behind_names_the_newest_one(tmp_path: Path) -> None:
    world = World(tmp_path / "world", rounds=3)
    root = world.root
    shutil.copy(root / "game.json", root / "old.json")
    match = open_match((root / "game.json").read_bytes(), world.host)
    for number in range(2):
        world.match = match
        (root / "next.json").write_bytes(world.answers()[0])
        assert run_here("apply", "game.json", "next.json", cwd=root, home=world.host_home).exit == 0, number
        match = open_match((root / "game.json").read_bytes(), world.host)
    assert match.state.round >= 5
    before = (root / "old.json").read_bytes()
    for args in (["apply", "old.json", "next.json"], ["apply", "old.json", "--timeout", "1"]):
        ran = run_here(*args, cwd=root, home=world.host_home)
        check_refusal(ran, (5,))
        assert "round 3" in ran.said
        assert f"use {root / 'game.json'}" in ran.said
        assert "referee recover" in ran.said
    assert (root / "old.json").read_bytes() == before


def test_a_game_from_elsewhere_is_adopted_with_everybodys_views(host: Host) -> None:
    """A machine that has never signed for a game does so only after looking at what players have seen."""
    views = ["view0.json", "view1.json", "view2.json"]
    shutil.rmtree(host.home / "guard")
    assert host.code("apply", "game.json", "move0.json") == "no-guard"
    assert host.code("apply", "game.json", "--timeout", "1") == "no-guard"
    assert host.code("recover", "--adopt", "game.json", *views[:2]) == "missing-views"
    host.good("recover", "--adopt", "game.json", *views, "--dry-run")
    assert host.code("apply", "game.json", "move0.json") == "no-guard"
    host.good("recover", "--adopt", "game.json", *views)
    host.good("apply", "game.json", "move0.json")
    shutil.rmtree(host.home / "guard")
    host.good("recover", "--adopt", "game.json", views[0], "--incomplete")
    host.good("apply", "game.json", "move1.json")


def test_a_file_behind_the_players_views_is_not_adopted_but_recovered(host: Host) -> None:
    shutil.copy(host.root / "game.json", host.root / "old.json")
    host.good("apply", "game.json", "move0.json", "move1.json", "move2.json", "--out", "a")
    shutil.rmtree(host.home / "guard")
    views = [str(path) for path in sorted((host.root / "a").glob("*.view.json"))]
    assert len(views) == 3
    assert host.code("recover", "--adopt", "old.json", *views) == "older-file"
    moves = ["move0.json", "move1.json", "move2.json"]
    host.good("recover", *views, *moves, "-o", "back.json", "--incomplete")
    new, old = (open_match((host.root / name).read_bytes(), host.sitting.host) for name in ("back.json", "game.json"))
    assert (new.state, new.entries) == (old.state, old.entries)
    assert host.code("apply", "old.json", "move0.json") != "no-guard"


def test_what_waits_is_there_again_after_a_recovery(host: Host) -> None:
    """A lost game file takes no answer with it that has a receipt."""
    host.good("apply", "game.json", "move0.json", "--out", "a")
    (host.root / "game.json").unlink()
    host.good("recover", "view0.json", "-o", "game.json", "--incomplete")
    status = json.loads(host.good("show", "game.json", "--json").out)
    assert status["answered"] == [host.sitting.table.names[0]]
    assert host.code("apply", "game.json", "--timeout", "1") == "not-asked"


def test_a_file_with_another_round_is_refused(host: Host) -> None:
    """Two machines have continued a game: the version that this machine did not sign cannot be continued here."""
    other = host.sitting
    fork = open_match((host.root / "game.json").read_bytes(), other.host)
    for seat in (0, 1):
        take_move(fork, (host.root / f"move{seat}.json").read_bytes())
    fork.due = LATER
    time_out(fork, 2)
    host.good("apply", "game.json", "move0.json", "move1.json", "move2.json")
    (host.root / "fork.json").write_bytes(dump_match(fork))
    assert host.code("apply", "fork.json", "move0.json") == "forked-file"
    views = ["view0.json", "view1.json", "view2.json"]
    assert host.code("recover", "--adopt", "fork.json", *views) == "forked-file"


def test_a_revealed_game_is_not_continued_from_a_copy(tmp_path: Path) -> None:
    host = Host(tmp_path / "host")
    match = host.sitting.match
    while not rests(match.state):
        host.sitting.pass_over([*asked(match.state)])
    (host.root / "game.json").write_bytes(dump_match(match))
    (host.root / "copy.json").write_bytes(dump_match(match))
    shutil.rmtree(host.home / "guard")
    keep_guard(match, host.root / "game.json", host.home)
    (host.root / "late.json").write_bytes(host.sitting.signed(0))
    host.good("reveal", "game.json")
    assert host.code("apply", "copy.json", "late.json") == "revealed"


def test_a_damaged_guard_says_what_to_do(host: Host) -> None:
    (path,) = (host.home / "guard").glob("*/*.json")
    path.write_bytes(path.read_bytes()[:-9])
    assert host.code("apply", "game.json", "move0.json") == "bad-guard"
    assert host.code("apply", "game.json", "--timeout", "1") == "bad-guard"


def test_a_guard_is_for_its_owner_alone_and_does_not_grow(tmp_path: Path) -> None:
    world = World(tmp_path / "world", rounds=1)
    (path,) = (world.host_home / "guard").glob("*/*.json")
    assert path.parent.name == world.host.public.hex()
    assert path.stem == world.match.table.offer_id
    sizes = []
    for _ in range(8):
        world.match = open_match((world.root / "game.json").read_bytes(), world.host)
        for number, move in enumerate(world.answers()):
            (world.root / f"m{number}.json").write_bytes(move)
        names = [f"m{number}.json" for number in range(len(asked(world.match.state)))]
        assert run_here("apply", "game.json", *names, "--out", "v", cwd=world.root, home=world.host_home).exit == 0
        kept = decode(path.read_bytes(), guard.Guard, "guard")
        assert (len(kept.steps), kept.round) == (1, world.match.state.round + 1)
        sizes.append(path.stat().st_size)
    assert path.stat().st_mode & 0o777 == 0o600
    assert max(sizes) < 4 * sizes[0]


@pytest.mark.thorough
def test_many_starts_of_one_offer_at_once_start_one_game(saboteur: Saboteur, tmp_path: Path) -> None:
    world = World(tmp_path / "world", rounds=0)
    other = lobby.make_join(key("Mallory"), envelope((world.root / "offer.json").read_bytes()), "Mallory", seed("m"))
    (world.root / "other.json").write_bytes(encode(other))
    (world.root / "game.json").unlink()
    for turn in range(6):
        root = tmp_path / f"turn{turn}"
        shutil.copytree(world.root, root)
        jobs = []
        for number in range(8):
            joins = ["anna.join.json", ("bert.join.json", "other.json")[(number + turn) % 2]]
            jobs.append(job(root, ["start", "offer.json", *joins, "-o", f"g{number}.json", "--out", f"o{number}"]))
        statuses = [result[0] for result in saboteur.together(jobs)]
        games = {open_match(path.read_bytes(), world.host).table.id for path in root.glob("g*.json")}
        assert len(games) == 1
        assert sorted(statuses) == [0] * 4 + [5] * 4


@pytest.mark.thorough
def test_a_command_that_closes_several_rounds_is_killed_anywhere(saboteur: Saboteur, tmp_path: Path) -> None:
    """The guard has all rounds of one command: whatever the kill left behind is brought up to date."""
    world = World(tmp_path / "world", rounds=0)
    before, names = (world.root / "game.json").read_bytes(), []
    world.match.due = next_due(world.match, read_time(NOW[1]))
    while len(world.match.entries) < 3:
        for move in world.answers():
            names.append(f"m{len(names)}.json")
            (world.root / names[-1]).write_bytes(move)
            assert take_move(world.match, move).error is None
    args = ["apply", "game.json", *names, "--out", "v", *NOW]
    whole = tmp_path / "whole"
    shutil.copytree(world.root, whole)
    calls = saboteur.run(whole, args)[3]
    new, seen = (whole / "game.json").read_bytes(), set()
    assert open_match(new, world.host).state.round == 3
    for at in range(calls // 3, calls + 1, 3):
        root = tmp_path / "killed"
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(world.root, root)
        assert saboteur.run(root, args, at=at)[0] == -9
        kept = [
            decode(path.read_bytes(), guard.Guard, "guard").round for path in root.glob("hanna-home/guard/*/*.json")
        ]
        now = (root / "game.json").read_bytes()
        seen.add((now == new, *kept))
        assert now in (before, new)
        status, _, err, _ = saboteur.run(root, args)
        assert status == 0, f"killed at {at}: {err}"
        assert (root / "game.json").read_bytes() == new
    assert {(False,), (False, 3), (True, 3)} <= seen


def test_bringing_up_to_date_changes_nothing_where_nothing_is_new() -> None:
    sitting = Sitting("auction", 3, "guard").until("bid")
    match = sitting.match
    known = guard.make(match, b"", match.state.round, "game.json")
    guard.bring_up_to_date(match, known)
    assert guard.make(match, known, match.state.round, "game.json") == known
    assert not guard.says_something_new(known, guard.make(match, known, match.state.round, "elsewhere.json"))
    fresh = new_match(sitting.host, sitting.table)
    guard.bring_up_to_date(fresh, known)
    assert (fresh.state, fresh.entries, fresh.privates) == (match.state, match.entries, match.privates)
