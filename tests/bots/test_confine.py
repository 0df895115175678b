"""The parts of the sandbox: it is tested, not assumed; what would open it is refused; its limits are reported."""

import errno
import os
import signal
import socket
import struct
import sys
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee import games
from referee.bots import cgroup, confine, seccomp, visible
from referee.bots.players import Limits, LocalPlayer, find
from referee.bots.visible import command, named_files
from referee.errors import Usage
from tests.support import waiting

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="there is no bubblewrap elsewhere")
MARK = games.load("mark")


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that alone is on PATH; what was found out about bubblewrap is forgotten."""
    (tmp_path / "tools").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "tools"))
    confine.working_sandbox.cache_clear()
    yield tmp_path / "tools"
    confine.working_sandbox.cache_clear()


def script(path: Path, text: str) -> str:
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize("broken", [False, True], ids=["missing", "broken"])
def test_without_a_working_sandbox_third_party_bots_are_refused(tools: Path, broken: bool) -> None:
    if broken:
        script(tools / "bwrap", "echo 'No permissions to create new namespace' >&2; exit 1")
    bot = script(tools / "bot", "cat")
    for refused in ([bot], f"{__file__}:MARK"):
        with pytest.raises(Usage) as error:
            find(refused, MARK)
        assert error.value.code == "no-sandbox"
        assert ("No permissions" if broken else "not installed") in str(error.value.message)
        assert "--unconfined" in str(error.value.next)
    assert find([bot], MARK, confined=False)() is not None
    assert isinstance(find("random", MARK)(), LocalPlayer)


@pytest.mark.parametrize("what", ["cup", "home", "user", "home/my.key", "."])
def test_a_folder_that_contains_secrets_is_never_shown(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("cup", "home", "user", "bot"):
        (tmp_path / name).mkdir()
    (tmp_path / "home/my.key").write_text("secret")
    monkeypatch.setenv("REFEREE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    monkeypatch.chdir(tmp_path)
    words = [sys.executable, "bot", what]
    hidden = [str(tmp_path / "cup")]
    with pytest.raises(Usage) as error:
        command(words, named_files(words), hidden)
    assert error.value.code == "exposed"
    assert str(tmp_path / "bot") in command(words[:2], named_files(words[:2]), hidden).shown


def test_only_named_files_are_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    own = script(tmp_path / "bot", "cat")
    (tmp_path / "data").write_text("1")
    found = command(["./bot", "data", "word"], ["bot", "data"])
    assert found.words == (own, str(tmp_path / "data"), "word")
    assert found.shown == (own, str(tmp_path / "data"))


def test_an_interpreter_in_a_home_is_shown_and_its_home_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tool/lib").mkdir(parents=True)
    script(tmp_path / "tool/bin/runs", "cat")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/runs").symlink_to(tmp_path / "tool/bin/runs")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    found = command(["runs"], [])
    assert found.shown == tuple(str(tmp_path / path) for path in ("bin/runs", "tool/bin", "tool/lib"))
    assert found.path[0] == str(tmp_path / "bin")


def test_a_tool_that_the_system_only_links_to_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(tmp_path / "tool/runs", "cat")
    (tmp_path / "usr").mkdir()
    (tmp_path / "usr/runs").symlink_to(tmp_path / "tool/runs")
    monkeypatch.setattr(visible, "SYSTEM", (*visible.SYSTEM, str(tmp_path / "usr")))
    assert command([str(tmp_path / "usr/runs")], []).shown[0] == str(tmp_path / "tool/runs")


def test_a_shim_of_a_version_manager_is_resolved(tools: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shims = tools.parent / "shims"
    monkeypatch.setenv("PATH", f"{shims}:{os.defpath}")
    for name in ("python3", "node"):
        script(shims / name, "exit 1")
    assert command(["python3"], []).words[0] == os.path.abspath(sys.executable)
    with pytest.raises(Usage, match="looks up the program"):
        command(["node"], [])


def test_a_bots_own_program_is_one_of_its_files_and_a_tool_is_not(tmp_path: Path) -> None:
    own = script(tmp_path / "bot", "cat")
    assert named_files([own, own, "word"]) == [own, own]
    assert named_files([sys.executable, own, "/usr/bin/env"]) == [own]


def test_the_kind_of_confinement_is_reported() -> None:
    (limits,) = (note for note in confine.confinement_notes(True) if "limited by" in str(note))
    assert ("no control group" in str(limits)) == (cgroup.delegated_folder() == "")
    assert confine.confinement_notes(False) == confine.Unconfined.walls


def test_filters_are_known_for_two_machines() -> None:
    made = [seccomp.program(machine) for machine in ("x86_64", "aarch64")]
    assert made[0] != made[1]
    assert [len(one) % 8 for one in made] == [0, 0]
    assert seccomp.program("pdp11") == b""


def filtered(program: bytes, machine: int, call: int, first: int = 0, second: int = 0) -> int:
    """What the kernel would do with a system call: the filter, step by step, as seccomp(2) describes it."""
    seen = struct.pack("=IIQQQ", call, machine, 0, first, second)
    steps, at, value = list(struct.iter_unpack("=HBBI", program)), 0, 0
    tests = {0x15: lambda one: value == one, 0x35: lambda one: value >= one, 0x45: lambda one: value & one != 0}
    while True:
        code, yes, no, operand = steps[at]
        at += 1
        if code == 0x06:  # return
            return int(operand)
        if code == 0x20:  # load a word
            (value,) = struct.unpack_from("=I", seen, operand)
        else:
            at += yes if tests[code](operand) else no


@pytest.mark.parametrize(
    ("machine", "mark", "calls"),
    [
        ("x86_64", 0xC000003E, {"read": 0, "ioctl": 16, "socket": 41, "clone": 56, "ptrace": 101, "clone3": 435}),
        ("aarch64", 0xC00000B7, {"read": 63, "ioctl": 29, "socket": 198, "clone": 220, "ptrace": 117, "clone3": 435}),
    ],
)
def test_the_filter_refuses_what_no_bot_needs(machine: str, mark: int, calls: dict[str, int]) -> None:
    def asked(name: str, *arguments: int) -> int:
        return filtered(seccomp.program(machine), mark, calls[name], *arguments)

    allowed, killed, refused = 0x7FFF0000, 0x80000000, 0x00050000
    assert asked("read") == asked("socket", socket.AF_INET) == asked("socket", socket.AF_UNIX) == allowed
    assert asked("socket", socket.AF_PACKET) == refused | errno.EAFNOSUPPORT
    assert asked("clone", signal.SIGCHLD) == asked("ioctl", 0, termios.TCGETS) == allowed
    for namespace in (0x10000000, 0x20000000, 0x40000000, 0x02000000):  # user, processes, network, control groups
        assert asked("clone", namespace | signal.SIGCHLD) == refused | errno.EPERM
    assert asked("ioctl", 0, termios.TIOCSTI) == asked("ptrace") == refused | errno.EPERM
    assert asked("clone3") == refused | errno.ENOSYS
    assert filtered(seccomp.program(machine), mark + 1, calls["read"]) == killed
    # x86_64 has a second table of calls, from this number on.
    assert filtered(seccomp.program(machine), mark, 0x40000000) == refused | errno.EPERM


# A stand-in for the files of a control group: where the tests run none is delegated.


@pytest.fixture
def group(tmp_path: Path) -> Path:
    folder = tmp_path / "group"
    folder.mkdir()
    (folder / "cgroup.procs").write_text("")
    (folder / "cgroup.controllers").write_text("cpu memory pids")
    (folder / "cgroup.subtree_control").write_text("")
    if os.geteuid() == 0:
        os.setxattr(folder, "user.delegate", b"1")
    return folder


def test_a_group_is_prepared_once(group: Path) -> None:
    assert cgroup.delegated(str(group)) == str(group)
    assert (group / "referee/cgroup.procs").read_text() == "0"
    assert (group / "cgroup.subtree_control").read_text() == "+memory +pids"
    (group / "cgroup.subtree_control").write_text("memory pids")
    assert cgroup.delegated(str(group / "referee")) == str(group), "a worker finds it as it is"


def test_a_group_without_the_needed_controllers_is_left_alone(group: Path) -> None:
    (group / "cgroup.controllers").write_text("cpu memory")
    assert cgroup.delegated(str(group)) == ""
    assert not (group / "referee").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="other users may write only to what is theirs")
def test_root_uses_only_delegated_groups(group: Path) -> None:
    os.removexattr(group, "user.delegate")
    assert cgroup.delegated(str(group)) == ""


def test_a_group_has_limits_and_reports_which_was_exceeded(group: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cgroup, "delegated_folder", lambda: str(group))
    made = Path(cgroup.make(1000, 7))
    assert [(made / name).read_text() for name in ("memory.max", "pids.max")] == ["1000", "7"]
    cgroup.enter(str(made), 42)
    assert (made / "cgroup.procs").read_text() == "42"
    (made / "memory.events").write_text("oom 0\noom_kill 0\n")
    (made / "pids.events").write_text("max 0\n")
    assert cgroup.over(str(made)) is None
    (made / "memory.events").write_text("oom 3\noom_kill 1\n")
    assert str(cgroup.over(str(made))) == "it used more memory than allowed"


def test_other_processes_do_not_count_before_a_bot_has_its_own_root() -> None:
    """As long as bubblewrap still prepares, its process sees our own `/proc`: on a busy machine, more processes than
    any bot may start."""
    bot = object.__new__(confine.Confined)
    bot._first = os.getpid()
    assert len([name for name in os.listdir(f"/proc/{os.getpid()}/root/proc") if name.isdigit()]) > 2
    assert bot.crowd() == 0
    assert bot.use() == confine.Resources()


def test_a_bot_runs_in_the_group_that_was_made_for_it(group: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its first process, a child of the one that makes the sandbox."""
    monkeypatch.setattr(cgroup, "delegated_folder", lambda: str(group))
    bot = confine.Confined(command(["sleep", "60"], []), Limits())
    with bot.process:
        try:
            (made,) = group.glob("bot-*")
            inside = (made / "cgroup.procs").read_text()
            told = Path(f"/proc/{inside}/status").read_text()
        finally:
            bot.end()
    assert f"\nPPid:\t{bot.process.pid}\n" in told


def test_a_bot_without_a_sandbox_has_its_limits_and_a_folder_of_its_own() -> None:
    """The size of each file, its memory, no core dumps; its folder goes with it."""
    limits = "r.RLIMIT_FSIZE, r.RLIMIT_DATA, r.RLIMIT_CORE"
    asks = f"import os, resource as r; print(*(r.getrlimit(one)[0] for one in ({limits})), os.getcwd())"
    bot = confine.Unconfined(visible.Program((sys.executable, "-c", asks), confined=False), Limits(output=3 * 2**20))
    told, _ = bot.process.communicate(timeout=waiting.LIMIT)
    output, memory, core, folder = told.decode().split()
    assert (int(output), int(memory), int(core)) == (3 * 2**20, Limits().memory, 0)
    assert Path(folder).name.startswith("referee-bot-")
    bot.end()
    assert not Path(folder).exists()
