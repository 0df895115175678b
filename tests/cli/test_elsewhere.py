"""Other systems, terminals and shells: no POSIX-only part is needed, any letter can be shown, completion helps."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.world import GAME, World, environment, run, run_here
from tests.support import waiting

GONE = ("fcntl", "termios", "pwd", "grp", "resource", "pty", "tty", "readline", "syslog")
MISSING = ("O_NONBLOCK", "O_NOFOLLOW", "O_CLOEXEC", "O_DIRECTORY", "fchmod", "set_blocking", "mkfifo", "getuid")
ELSEWHERE = f"""
import json, os, sys
if "filelock" in sys.argv[2:]:
    import filelock  # it finds its own way to lock before that is taken away from everybody else

class Gone:
    def find_spec(self, name, path=None, target=None):
        if name in {GONE!r}:
            raise ImportError(name)

sys.meta_path.insert(0, Gone())
for name in {GONE!r}:
    sys.modules.pop(name, None)
for name in {MISSING!r}:
    delattr(os, name)
from referee.cli import main
for words in json.loads(sys.argv[1]):
    sys.argv = ["referee", *words]
    try:
        main()
    except SystemExit as done:
        if done.code:
            sys.exit(f"{{words}}: {{done.code}}")
"""


def elsewhere(root: Path, who: str, *commands: list[str], more: str = "") -> "subprocess.Popen[str]":
    """These commands in a Python without anything that only POSIX has."""
    return subprocess.Popen(
        [sys.executable, "-c", ELSEWHERE, json.dumps(commands), more], cwd=root, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(root / f"{who}-home"),
    )  # fmt: skip


@pytest.mark.thorough
def test_no_posix_part_is_needed_to_play(tmp_path: Path) -> None:
    """Every command of a player, from the key to the proof; what is written is what any other system writes."""
    root = World(tmp_path / "desk", rounds=3).root
    ran = elsewhere(
        root,
        "anna",
        ["key", "new", "--name", "Zoe", "-o", "zoe.json"],
        ["show", "offer.json"],
        ["join", "offer.json", "--key", "zoe.json", "-o", "zoe.join.json"],
        ["show", "anna.view.json"],
        ["show", "--moves", "anna.view.json"],
        ["show", "--story", "anna.view.json"],
        ["play", "anna.view.json", "--move", "pass red", "-o", "there.json"],
        ["audit", "anna.view.json", "there.json"],
        ["verify", "anna.view.json", "bert.view.json", "move.json"],
        ["games", GAME],
    )
    out, err = ran.communicate(timeout=waiting.LIMIT)
    assert ran.returncode == 0, err
    for words in ("you are Anna", "all checks passed", "3 good, 0 bad"):
        assert words in out
    here = run("play", "anna.view.json", "--move", "pass red", "-o", "here.json", cwd=root, home=root / "anna-home")
    assert here.exit == 0, here.said
    assert (root / "here.json").read_bytes() == (root / "there.json").read_bytes()


@pytest.mark.thorough
def test_locks_without_the_system_call(tmp_path: Path) -> None:
    """Where `fcntl` is missing the library locks; its locks and ours are the same, so one waits for the other."""
    fcntl = pytest.importorskip("fcntl")
    root = World(tmp_path / "desk", rounds=3).root
    with open(root / "game.json.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        ran = elsewhere(root, "hanna", ["apply", "game.json", "move.json", "--out", "v"], more="filelock")
        waiting.tries(ran, root / "game.json.lock")
        assert not (root / "v").exists()
        fcntl.flock(lock, fcntl.LOCK_UN)
        _, err = ran.communicate(timeout=waiting.LIMIT)
    assert ran.returncode == 0, err
    assert len(list((root / "v").glob("*-r004-*.view.json"))) == 2


# --- terminals without our letters ------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_an_output_that_has_no_such_letter(tmp_path: Path) -> None:
    """Names in any script, on a terminal that knows ASCII only: spelled out, and for programs the very same JSON."""
    people = {"host": "Hänsel", "one": "Jörg", "two": "李雷"}
    for narrow in (False, True):
        env = {"PYTHONIOENCODING": "ascii", "LC_ALL": "C"} if narrow else {"PYTHONIOENCODING": "utf-8"}
        root = tmp_path / ("narrow" if narrow else "wide") / "Spiele ü"
        root.mkdir(parents=True)

        def ran(who: str, *args: str, root: Path = root, env: dict[str, str] = env) -> tuple[str, str]:
            made = run_here(*args, cwd=root, home=root / who, env=env)
            assert made.exit == 0, made.said
            code = env["PYTHONIOENCODING"]
            return made.out.decode(code), made.err.decode(code)

        for who, name in people.items():
            ran(who, "key", "new", "--name", name)
        ran("host", "offer", GAME, "--seats", "2", "-o", "ö.offer")
        for who in ("one", "two"):
            ran(who, "join", "ö.offer", "-o", f"{who}.join")
        _, said = ran("host", "start", "ö.offer", "one.join", "two.join", "--out", "fächer")
        assert ("f\\xe4cher" if narrow else "fächer") in said
        views = sorted(str(path.relative_to(root)) for path in (root / "fächer").iterdir())
        assert [name.partition("-r000-")[2] for name in views] == ["joerg.view.json", "player-2.view.json"]
        for who, view in zip(("one", "two"), views, strict=True):
            ran(who, "play", view, "-o", f"{who}.move")
        ran("host", "apply", "game.json", "one.move", "two.move")
        (mine,) = (str(path.relative_to(root)) for path in root.glob("*-r001-joerg.view.json"))
        shown, _ = ran("one", "show", mine)
        assert ("J\\xf6rg" if narrow else "Jörg") in shown
        for command in (
            ["show", mine],
            ["show", "--moves", mine],
            ["audit", mine],
            ["show", "game.json"],
            ["verify", mine],
        ):
            told, _ = ran("host" if command[-1] == "game.json" else "one", *command, "--json")
            assert all(json.loads(line) for line in told.splitlines())
        status, _ = ran("host", "show", "game.json", "--json")
        assert json.loads(status)["players"] == ["Jörg", "李雷"]
        for command in (["show", "--story", mine], ["show", "--moves", mine], ["rules", GAME], ["games"]):
            ran("one", *command)


def test_an_error_that_has_no_such_letter(tmp_path: Path) -> None:
    """The same as a real process."""
    ran = run("show", "nichts/ö.json", "--json", cwd=tmp_path, env={"PYTHONIOENCODING": "ascii"})
    assert (ran.exit, json.loads(ran.out)["message"]) == (8, "nichts/ö.json does not exist")
    assert b"nichts/\\xf6.json does not exist" in ran.err


# --- shells -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return World(tmp_path_factory.mktemp("shell") / "desk", rounds=3)


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("offer schwarz", ["schwarzer-freitag", "schwarzmarkt"]),
        ("rules ma", ["mark"]),
        ("offer schwarzer-freitag --option ", ["special_cards=true", "special_cards=false"]),
        ("offer nothing --option ", []),
        ("show game.json --view ", ["Anna", "Bert"]),
        ("apply game.json --timeout B", ["Bert"]),
        ("apply offer.json --extend ", []),
        ("show b", ["bert.join.json", "bert.view.json"]),
        ("play ", ["anna.view.json", "bert.view.json"]),
        ("apply game.json ./", ["./move.json"]),
        ("join ", ["anna.view.json", "bert.view.json", "offer.json"]),
        ("play anna-home/", []),
        ("re", ["reveal", "recover"]),
        ("rules mark --language ", ["en", "de", "nl"]),
        ("rules mark --language n", ["nl"]),
    ],
)
def test_a_shell_is_told_what_fits(world: World, line: str, offered: list[str]) -> None:
    words = f"referee {line}"
    env = {"_REFEREE_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    ran = run(cwd=world.root, env=env)
    assert (ran.exit, ran.out.decode().split()) == (0, offered)
