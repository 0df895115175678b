"""Kills, errors and crowds: the game file is the old one or the new one, and running again gives the same result."""

import errno
import json
import re
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from referee.crypto.codec import encode
from referee.engine import lobby
from tests.cli.world import (
    Ran,
    World,
    changes,
    envelope,
    environment,
    first_answer,
    key,
    run,
    run_here,
    seed,
    tree,
)
from tests.support import waiting

ERRORS = (errno.ENOSPC, errno.EACCES, errno.EMFILE, errno.EINTR)
"""In addition to EIO, which replaces every call or follows it."""
REFEREE = str(Path(sys.executable).with_name("referee"))
GUARD = "hanna-home/guard"


class Saboteur:
    """The server in `saboteur.py`."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("saboteur.py"))],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment(Path("/nonexistent")),
        )  # fmt: skip

    def together(self, jobs: Sequence[dict[str, Any]]) -> list[Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(list(jobs)) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())  # type: ignore[no-any-return]

    def run(self, root: Path, args: Sequence[str], **harm: Any) -> tuple[int, str, str, int]:
        return tuple(self.together([job(root, args, **harm)])[0])

    def calls(self, scene: "Scene", folder: Path) -> int:
        """How many calls a command makes. The server runs it itself before."""
        assert self.run(scene.again(folder), scene.args, here=True)[0] == 0
        return self.run(scene.again(folder), scene.args)[3]

    def close(self) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        assert waiting.ended(self.process) == 0
        self.process.stdout.close()


def job(root: Path, args: Sequence[str], **harm: Any) -> dict[str, Any]:
    return {"args": list(args), "cwd": str(root), "home": str(root / "hanna-home"), **harm}


@pytest.fixture(scope="module")
def saboteur() -> Iterator[Saboteur]:
    made = Saboteur()
    yield made
    made.close()


class Scene(NamedTuple):
    """A game file before and after one command, and everything else that the command writes."""

    label: str
    root: Path
    args: list[str]
    old: bytes
    new: bytes
    rest: dict[str, tuple[str, bytes]]

    @property
    def step(self) -> int:
        """What waits and what times out is written like a move that closes a round: there every third call will do."""
        return 1 if self.label == "closing" else 3

    @property
    def repeats(self) -> bool:
        """Whether the same command may come again: a second timeout is not due yet."""
        return "--timeout" not in self.args

    def again(self, to: Path) -> Path:
        if to.exists():
            shutil.rmtree(to)
        shutil.copytree(self.root, to)
        return to


def scene(folder: Path, rounds: int, args: Sequence[str]) -> Scene:
    """Run the command once, unharmed and as a real process, and keep what it did."""
    world = World(folder / "before", rounds=rounds)
    for path in (*world.root.glob("*.json"), *world.root.glob("[ab]*-home")):
        if path.is_dir():
            shutil.rmtree(path)
        elif path.name not in ("game.json", "move.json"):
            path.unlink()
    (world.root / "out").mkdir()
    after = folder / "after"
    shutil.copytree(world.root, after)
    ran = run(*args, cwd=after, home=after / "hanna-home")
    assert ran.exit == 0, ran.said
    found = tree(after)
    old, new = (world.root / "game.json").read_bytes(), (after / "game.json").read_bytes()
    assert old != new
    written = changes(tree(world.root), found) - {"game.json"}
    rest = {name: found[name] for name in written if not name.startswith(GUARD)}  # a guard names its folder
    return Scene(folder.name.rstrip("0123456789"), world.root, list(args), old, new, rest)


NOW = ("--now", "2027-02-01T12:00Z")
"""An entry states when the next answer is due, by the minute: a command that is run again must not depend on it."""
SCENES = {
    "closing": (3, ["apply", "game.json", "move.json", "--out", "out", *NOW]),
    "waiting": (0, ["apply", "game.json", "move.json", "--out", "out", *NOW]),
    "timeout": (3, ["apply", "game.json", "--timeout", "Anna", "--out", "out", *NOW]),
}


@pytest.fixture(scope="module", params=SCENES)
def scenery(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Scene:
    rounds, args = SCENES[request.param]
    made = scene(tmp_path_factory.mktemp(request.param), rounds, args)
    views = {name for name in made.rest if name.endswith(".view.json")}
    assert len(views) == 2
    return made


def check_point(scene: Scene, root: Path, status: int, out: str, err: str, label: str) -> bool:
    """After a failure: the file is old or new, and nothing was reported too early; returns whether it was the new
    one."""
    now = (root / "game.json").read_bytes()
    assert now in (scene.old, scene.new), f"{label}: the game file is neither the old nor the new one"
    done = now == scene.new
    said = out + err
    claims = any(word in said for word in ("is taken", "is accepted", "is recorded", "is closed"))
    assert done or not claims, f"{label}: said to be done, but is not"
    assert "Traceback" not in said, f"{label}: {said}"
    assert "internal error" not in said, f"{label}: {said}"
    if status == 0:
        assert done, f"{label}: success, but nothing happened"
        found = tree(root)
        assert {name: found.get(name) for name in scene.rest} == scene.rest, f"{label}: success, but views are missing"
    elif status != -9:
        assert status == 8, f"{label}: exit {status}: {said}"
        assert "Next: " in err, f"{label}: {said}"
        assert not (done and "nothing was changed" in err), f"{label}: the game file is new, but said is: {err}"
        changed = {name for name in changes(tree(scene.root), tree(root)) if not name.endswith(".tmp")}
        changed -= {name for name in changed if name.startswith(GUARD) and not name.endswith(".json")}  # a folder
        guards = {name for name in changed if name.startswith(GUARD)}
        assert done or not changed - guards, f"{label}: failed, but changed {changed}"
        assert not guards or "stays accepted" in err, f"{label}: the guard is new, but said is: {err}"
    return done


def left(root: Path) -> frozenset[tuple[str, bytes]]:
    """All that harm left, locks too, but for the number of the dead process in the names of what it did not finish.
    What a command does follows from that, so that it is run again once for each."""
    found = ((re.sub(r"\.\d+\.tmp\Z", ".tmp", str(path)), path) for path in root.rglob("*"))
    return frozenset((name, b"" if path.is_dir() else path.read_bytes()) for name, path in found)


def check_again(scene: Scene, root: Path, result: tuple[int, str, str, int], label: str) -> None:
    """Running the same command again ends with the same files, byte by byte."""
    status, _, err, _ = result
    if scene.repeats:
        assert status == 0, f"{label}: the second run ended with {status}: {err}"
        found = tree(root)
        assert {name: found.get(name) for name in scene.rest} == scene.rest, f"{label}: views differ after all"
    assert (root / "game.json").read_bytes() == scene.new, f"{label}: not the new file after all"


@pytest.mark.thorough
def test_kill_at_every_call(scenery: Scene, saboteur: Saboteur, tmp_path: Path, capsys: Any) -> None:
    """SIGKILL before every call that touches a file, and after the last."""
    calls = saboteur.calls(scenery, tmp_path / "count")
    assert calls >= 25, f"only {calls} calls seen: the harm would not reach the writing"
    seen, states = set(), set()
    for at in range(1, calls + 2, scenery.step):
        # After a call is before the next one.
        label = f"killed before call {at} of {calls}"
        root = scenery.again(tmp_path / "game")
        status, out, err, _ = saboteur.run(root, scenery.args, at=min(at, calls), after=at > calls)
        assert status == -9, f"{label}: was not killed"
        done = check_point(scenery, root, status, out, err, label)
        seen.add(done)
        if (scenery.repeats or not done) and (state := left(root)) not in states:
            states.add(state)
            check_again(scenery, root, saboteur.run(root, scenery.args), label)
    assert seen == {False, True}
    with capsys.disabled():
        print(f"\n{scenery.args[0]}: {len(range(1, calls + 2, scenery.step))} kills, 0 bad")  # noqa: T201


@pytest.mark.thorough
def test_error_at_every_call(scenery: Scene, saboteur: Saboteur, tmp_path: Path, capsys: Any) -> None:
    """EIO instead of every call that touches a file, and after it; instead of every second call also ENOSPC, EACCES,
    EMFILE and EINTR, in turn.
    """
    calls = saboteur.calls(scenery, tmp_path / "count")
    seen, states, bad, points = set(), set(), [], 0
    for at in range(1, calls + 1, scenery.step):
        for error in (errno.EIO,) if at % 2 else (errno.EIO, ERRORS[at // 2 % 4]):
            for after in (False, True) if error == errno.EIO else (False,):
                points += 1
                label = f"{errno.errorcode[error]} {'after' if after else 'instead of'} call {at} of {calls}"
                root = scenery.again(tmp_path / "game")
                status, out, err, _ = saboteur.run(root, scenery.args, at=at, after=after, error=error)
                assert status != -9
                try:
                    done = check_point(scenery, root, status, out, err, label)
                    seen.add((status, done))
                    if (scenery.repeats or not done) and (state := left(root)) not in states:
                        states.add(state)
                        check_again(scenery, root, saboteur.run(root, scenery.args), label)
                except AssertionError as problem:
                    bad.append(str(problem).splitlines()[0])
    assert not bad, f"{len(bad)} of {points} points bad:\n" + "\n".join(bad)
    assert {(8, False), (0, True)} <= seen if scenery.step == 1 else {done for _, done in seen} == {False, True}
    with capsys.disabled():
        print(f"\n{scenery.args[0]}: {points} errors, 0 bad")  # noqa: T201


@pytest.mark.thorough
def test_second_kill_during_the_repair(closing: Scene, saboteur: Saboteur, tmp_path: Path) -> None:
    """Killed in the run that repairs a kill: still old or new, and a third run gets there."""
    calls = saboteur.calls(closing, tmp_path / "count")
    states = set()
    for first in range(2, calls + 1, 7):
        for second in range(3, calls + 1, 11):
            label = f"killed at {first}, then at {second}"
            root = closing.again(tmp_path / "game")
            saboteur.run(root, closing.args, at=first)
            if (state := (second, left(root))) in states:
                continue
            states.add(state)
            status, out, err, _ = saboteur.run(root, closing.args, at=second)
            check_point(closing, root, status, out, err, label)
            check_again(closing, root, saboteur.run(root, closing.args), label)


@pytest.mark.thorough
def test_start_killed_anywhere_starts_one_game(saboteur: Saboteur, tmp_path: Path) -> None:
    """A start killed at any call: no half file, and once a game file is there no other game comes of this offer."""
    world = World(tmp_path / "world", rounds=0)
    offer = envelope((world.root / "offer.json").read_bytes())
    other = lobby.make_join(key("Mallory"), offer, "Mallory", seed("mallory"))
    (world.root / "other.json").write_bytes(encode(other))
    one = ["start", "offer.json", "anna.join.json", "bert.join.json", "-o", "one.json", "--out", "one"]
    two = ["start", "offer.json", "anna.join.json", "other.json", "-o", "two.json", "--out", "two"]
    whole = tmp_path / "whole"
    shutil.copytree(world.root, whole)
    status, _, err, calls = saboteur.run(whole, one)
    assert status == 0, err
    good, seen, states = (whole / "one.json").read_bytes(), set(), set()
    for at in range(1, calls + 1):
        root = tmp_path / "game"
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(world.root, root)
        assert saboteur.run(root, one, at=at)[0] == -9
        started = (root / "one.json").exists()
        seen.add(started)
        assert not started or (root / "one.json").read_bytes() == good
        if (state := left(root)) in states:
            continue
        states.add(state)
        status, _, err, _ = saboteur.run(root, two)
        assert status == 5 or not started, f"killed at {at} of {calls}: a second game was started: {err}"
        assert (root / "two.json").exists() == (status == 0)
    assert seen == {False, True}


# --- harm from outside the process ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def closing(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    rounds, args = SCENES["closing"]
    return scene(tmp_path_factory.mktemp("closing"), rounds, args)


@pytest.mark.thorough
def test_kernel_limits(closing: Scene, tmp_path: Path) -> None:
    """The kernel itself refuses to write more (file size) or to open more files: real errors, not simulated."""
    for kind, value in ((resource.RLIMIT_FSIZE, 0), (resource.RLIMIT_FSIZE, 4096), (resource.RLIMIT_NOFILE, 3)):
        root = closing.again(tmp_path / "game")

        code = (
            "import contextlib, io, resource, signal, sys; from referee.cli import main;"
            f"sys.argv = {['referee', *closing.args, '--dry-run']!r}; sys.stderr = io.StringIO();"
            "\nwith contextlib.suppress(SystemExit): main()\n"
            "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); sys.argv.pop(); sys.stderr = sys.__stderr__;"
            f"resource.setrlimit({kind}, ({value}, {value})); main()"
        )
        made = subprocess.run([sys.executable, "-B", "-c", code], cwd=root, capture_output=True, check=False,
                              env=environment(root / "hanna-home"))  # fmt: skip
        ran = Ran(made.returncode, made.stdout, made.stderr)
        assert not check_point(closing, root, ran.exit, ran.out.decode(), ran.said, f"limit {kind} {value}")
        assert ran.exit == 8, ran.said
        again = run(*closing.args, cwd=root, home=root / "hanna-home")
        check_again(closing, root, (again.exit, "", again.said, 0), f"limit {kind} {value}")


INJECTIONS = [
    *(f"fsync:signal=KILL:when={n}" for n in (1, 5)),
    *(f"rename,renameat,renameat2:signal=KILL:when={n}" for n in (1, 2)),
    *(f"fsync:error={e}:when={n}" for e, n in (("ENOSPC", 3), ("EIO", 5))),
    "rename,renameat,renameat2:error=EACCES:when=2",
    "flock:error=ENOLCK:when=1",
]


@pytest.mark.thorough
@pytest.mark.parametrize("what", INJECTIONS)
def test_injected_from_outside(closing: Scene, what: str, tmp_path: Path, saboteur: Saboteur) -> None:
    """The real program under `strace`, which kills it or fails its calls in the kernel; else the same from inside."""
    root = closing.again(tmp_path / "game")
    strace = shutil.which("strace")
    calls = what.split(":")[0]
    if strace:
        made = subprocess.run(
            [strace, "-f", "-o", str(tmp_path / "trace"), "-e", f"trace={calls}", "-e", f"inject={what}",
             REFEREE, *closing.args],
            cwd=root, capture_output=True, check=False, timeout=waiting.LIMIT, env=environment(root / "hanna-home"),
        )  # fmt: skip
        status, out, err = made.returncode, made.stdout.decode(), made.stderr.decode()
        assert "KILL" not in what or status == -9
        assert "KILL" in what or "INJECTED" in (tmp_path / "trace").read_text(), "nothing was injected"
    else:
        at = int(what.rpartition("=")[2])
        harm = {} if "KILL" in what else {"error": errno.EIO}
        status, out, err, _ = saboteur.run(root, closing.args, at=5 * at, **harm)
    check_point(closing, root, status, out, err, what)
    again = run(*closing.args, cwd=root, home=root / "hanna-home")
    check_again(closing, root, (again.exit, "", again.said, 0), what)


def test_durable_before_it_is_said(closing: Scene, tmp_path: Path) -> None:
    """The order of the calls: every file synced, the guard renamed first, its folder synced, then the game file, then
    what is sent, receipts last, and only then a message."""
    root = closing.again(tmp_path / "game")
    code = (
        "import os, sys; log = [];"
        "fsync, replace, say = os.fsync, os.replace, sys.stderr.write;"
        "os.fsync = lambda h: (log.append('sync ' + os.readlink(f'/proc/self/fd/{h}')), fsync(h))[1];"
        "os.replace = lambda a, b: (log.append('rename ' + b), replace(a, b))[1];"
        "sys.stderr.write = lambda t: (log.append('say ' + t), say(t))[1];"
        f"sys.argv = {['referee', *closing.args]!r};"
        "import atexit; atexit.register(lambda: print(chr(10).join(log)));"
        "from referee.cli import main; main()"
    )
    made = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, check=False, text=True,
                          env=environment(root / "hanna-home"))  # fmt: skip
    assert made.returncode == 0, made.stderr
    log = [line for line in made.stdout.splitlines() if line.startswith(("sync", "rename", "say"))]
    renames = [n for n, line in enumerate(log) if line.startswith("rename")]
    names = [log[n].removeprefix(f"rename {root}/") for n in renames]
    assert names[0].startswith(GUARD)
    assert names[1] == "game.json"
    assert [name.split(".")[-2] for name in names[2:]] == ["view", "view", "receipt"]
    staged = [line for line in log[: renames[0]] if line.startswith("sync")]
    assert len(staged) == len(renames) == 5
    assert renames[0] < log.index(f"sync {(root / names[0]).parent}") < renames[1]
    assert log.index(f"sync {root / 'out'}") > renames[-1]
    assert log.index(f"sync {root / 'out'}") < min(n for n, line in enumerate(log) if line.startswith("say"))


# --- crowds -----------------------------------------------------------------------------------------------------------

CROWD, TIMES = 8, 3


def rivals(root: Path, world: World) -> list[str]:
    """Two different signed answers of the same seat."""
    view = (root / world.mover_view).read_bytes()
    for number in range(2):
        (root / f"rival{number}.json").write_bytes(first_answer(world.keys[world.mover], view, pick=number + 1))
    return ["rival0.json", "rival1.json"]


def outcomes(results: Sequence[Sequence[Any]]) -> dict[str, int]:
    found = {"taken": 0, "repeated": 0, "refused": 0}
    for status, _, err, *_ in results:
        assert status in (0, 5), err
        kind = "refused" if status else "repeated" if "accepted before" in err else "taken"
        assert kind != "taken" or "move is accepted" in err
        found[kind] += 1
    return found


@pytest.mark.thorough
def test_crowd_with_one_move(closing: Scene, saboteur: Saboteur, tmp_path: Path) -> None:
    """8 processes apply the same move at once: one does, 7 find nothing to do."""
    for _ in range(TIMES):
        root = closing.again(tmp_path / "game")
        results = saboteur.together([job(root, closing.args)] * CROWD)
        assert outcomes(results) == {"taken": 1, "repeated": CROWD - 1, "refused": 0}
        check_again(closing, root, results[0], "crowd")


@pytest.mark.thorough
def test_crowd_with_rivals(saboteur: Saboteur, tmp_path: Path) -> None:
    """4 processes bring one answer and 4 another for the same seat: one wins, and all are told the same."""
    world = World(tmp_path / "world", rounds=3)
    names = rivals(world.root, world)
    expected = {}
    for name in names:
        alone = tmp_path / name
        shutil.copytree(world.root, alone)
        assert run("apply", "game.json", name, "--out", "out", *NOW, cwd=alone, home=alone / "hanna-home").exit == 0
        expected[(alone / "game.json").read_bytes()] = name
    assert len(expected) == 2
    won = set()
    for number in range(TIMES):
        root = tmp_path / "game"
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(world.root, root)
        jobs = [job(root, ["apply", "game.json", names[(n + number) % 2], "--out", "out", *NOW]) for n in range(CROWD)]
        results = saboteur.together(jobs)
        assert outcomes(results) == {"taken": 1, "repeated": CROWD // 2 - 1, "refused": CROWD // 2}
        winner = expected[(root / "game.json").read_bytes()]
        assert {one["args"][2] for one, result in zip(jobs, results, strict=True) if result[0] == 0} == {winner}
        won.add(winner)
    assert won, "nobody ever won"


@pytest.mark.thorough
def test_crowd_of_different_seats(saboteur: Saboteur, tmp_path: Path) -> None:
    """All acks at once, each brought by four processes: none is lost, and the round closes once."""
    world = World(tmp_path / "world", rounds=0)
    for number, ack in enumerate(world.answers()):
        (world.root / f"ack{number}.json").write_bytes(ack)
    finals = set()
    for _ in range(TIMES):
        root = tmp_path / "game"
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(world.root, root)
        jobs = [job(root, ["apply", "game.json", f"ack{n % 2}.json", "--out", "out", *NOW]) for n in range(CROWD)]
        assert outcomes(saboteur.together(jobs)) == {"taken": 2, "repeated": CROWD - 2, "refused": 0}
        finals.add((root / "game.json").read_bytes())
        found = json.loads(run_here("show", "--json", "game.json", cwd=root, home=root / "hanna-home").out)
        assert (found["round"], [row["name"] for row in found["waiting_for"]]) == (1, ["Anna"])
    assert len(finals) == 1, "the order of arrival must not matter"


@pytest.mark.thorough
def test_crowd_of_programs(closing: Scene, tmp_path: Path) -> None:
    """The same once more with separate programs."""
    root = closing.again(tmp_path / "game")
    crowd = [
        subprocess.Popen([REFEREE, *closing.args], cwd=root, env=environment(root / "hanna-home"), text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(CROWD)
    ]  # fmt: skip
    results = [(*one.communicate(timeout=waiting.LIMIT), one.returncode) for one in crowd]
    assert outcomes([(status, out, err) for out, err, status in results]) == {
        "taken": 1, "repeated": CROWD - 1, "refused": 0,
    }  # fmt: skip
    check_again(closing, root, (0, "", "", 0), "programs")


def test_the_same_move_at_every_later_position(tmp_path: Path) -> None:
    """A move that was applied never has to be applied again, and its round cannot be repeated."""
    world = World(tmp_path / "world", rounds=8)
    for number, move in enumerate(world.played):
        (world.root / f"old{number}.json").write_bytes(move)
    before = (world.root / "game.json").read_bytes()
    names = [f"old{number}.json" for number in range(len(world.played))]
    ran = run("apply", "game.json", *names, "--json", cwd=world.root, home=world.host_home)
    assert ran.exit == 0
    assert [row["code"] for row in json.loads(ran.out)["moves"]] == ["repeated"] * len(names)
    assert (world.root / "game.json").read_bytes() == before
