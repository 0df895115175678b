"""A bot that tries to get at what is not its own. It needs nothing but Python; the last word is JSON: whatever the
test knows and a bot must not. It answers well, and says on standard error what each trick got (null: nothing)."""

import ctypes
import fcntl
import json
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

how, told = (sys.argv[1], json.loads(sys.argv[2])) if __name__ == "__main__" else ("", {})
libc = ctypes.CDLL(None, use_errno=True)
TRICKS: dict[str, Callable[[], Any]] = {}
NAMESPACES = ("net", "pid", "mnt", "ipc", "uts", "user")
PLAIN = {"null", "zero", "full", "random", "urandom", "tty", "pts", "ptmx", "shm", "fd", "stdin", "stdout", "stderr",
         "core", "console"}  # fmt: skip


def trick(do: Callable[[], Any]) -> Callable[[], Any]:
    TRICKS[do.__name__] = do
    return do


def call(name: str, *words: Any) -> int:
    """A system call; an error is raised as one."""
    found = getattr(libc, name)(*words)
    if found == -1:
        raise OSError(ctypes.get_errno(), name)
    return int(found)


def in_a_child(do: Callable[[], int]) -> bool:
    """Whether a call works that would change this process."""
    if (child := os.fork()) == 0:
        os._exit(do() & 1)
    return os.waitpid(child, 0)[1] == 0


def status(name: str) -> int:
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(f"{name}:"))
    return int(line.split()[1], 16)


# --- files


@trick
def the_organisers_key() -> str:
    return Path(told["key"]).read_text()


@trick
def the_folder_of_the_tournament() -> list[str]:
    return os.listdir(os.path.dirname(told["key"]))


@trick
def the_key_by_the_way_up() -> str:
    return Path(__file__, "../../cup/organiser.key").resolve().read_text()


@trick
def the_key_through_a_link_in_its_own_folder() -> str:
    return Path(__file__).with_name("link").read_text()


@trick
def the_keys_of_the_referee() -> str:
    return Path(told["home"]).read_text()


@trick
def the_home_of_its_user() -> str:
    return Path(told["user"]).read_text()


@trick
def the_files_of_another_bot() -> str:
    return Path(told["rival"]).read_text()


@trick
def files_beside_its_own() -> str:
    return Path(__file__).with_name("beside").read_text()


@trick
def temporary_files() -> str:
    return Path(told["temporary"]).read_text()


@trick
def the_rest_of_the_system() -> list[str]:
    return [path for path in ("/etc/passwd", "/var", "/run", "/sys", "/boot") if os.path.exists(path)]


@trick
def writing_outside() -> int:
    return Path(told["outside"], "new").write_text("x")


@trick
def writing_to_its_own_program() -> int:
    with open(__file__, "a") as file:
        return file.write("\n")


@trick
def a_new_file_beside_its_own() -> bool:
    Path(__file__).with_name("more").write_text("x")
    return os.path.exists(told["outside"])  # there it is real, elsewhere in memory


@trick
def writing_to_the_system() -> bool:
    return os.access("/usr/bin", os.W_OK)


@trick
def what_the_kernel_runs_after_a_crash() -> bool:
    os.close(os.open("/proc/sys/kernel/core_pattern", os.O_WRONLY))
    return True


@trick
def programs_of_other_users() -> bool:
    return not os.statvfs("/usr").f_flag & os.ST_NOSUID


@trick
def mounting() -> bool:
    call("mount", b"none", os.fsencode(os.getcwd()), b"tmpfs", 0, None)
    return call("umount2", os.fsencode(os.getcwd()), 2) == 0


# --- processes


@trick
def environment() -> str:
    return os.environ["A_SECRET"]


@trick
def the_environment_of_the_referee() -> bool:
    return b"PATH=" in Path(f"/proc/{told['referee']}/environ").read_bytes()


@trick
def the_key_through_the_referees_root() -> str:
    return Path(f"/proc/{told['referee']}/root{told['key']}").read_text()


@trick
def the_open_files_of_the_referee() -> list[str]:
    return os.listdir(f"/proc/{told['referee']}/fd")


@trick
def the_pipes_of_its_rival() -> int:
    return os.open(f"/proc/{told['other']}/fd/0", os.O_WRONLY | os.O_NONBLOCK)


@trick
def a_named_pipe() -> int:
    return os.open(told["pipe"], os.O_WRONLY | os.O_NONBLOCK)


@trick
def the_memory_of_its_rival() -> int:
    return os.open(f"/proc/{told['other']}/mem", os.O_RDONLY)


@trick
def other_processes() -> bool:
    return any(os.path.exists(f"/proc/{pid}") for pid in (told["referee"], told["other"]))


@trick
def signals_to_its_rival() -> bool:
    os.kill(told["other"], 0)
    return True


@trick
def signals_to_everybody() -> bool:
    os.kill(-1, 0)
    return True


@trick
def tracing() -> bool:
    return in_a_child(lambda: libc.ptrace(0, 0, 0, 0))


@trick
def open_files_that_it_did_not_open() -> list[str]:
    listed = [name for name in os.listdir("/proc/self/fd") if int(name) > 2]
    return [name for name in listed if os.path.exists(f"/proc/self/fd/{name}")]


@trick
def capabilities() -> int:
    return status("CapBnd") | status("CapEff")


@trick
def more_rights() -> bool:
    return status("NoNewPrivs") == 0


@trick
def a_user_namespace() -> bool:
    return in_a_child(lambda: libc.unshare(0x10000000))


@trick
def the_network_of_the_referee() -> bool:
    number = os.open(f"/proc/{told['referee']}/ns/net", os.O_RDONLY)
    return in_a_child(lambda: libc.setns(number, 0))


def _namespace(name: str) -> Callable[[], bool]:
    return lambda: os.stat(f"/proc/self/ns/{name}").st_ino == told["namespaces"][name]


for _name in NAMESPACES:
    TRICKS[f"the_{_name}_namespace"] = _namespace(_name)


# --- talking to others


@trick
def a_connection() -> bool:
    socket.create_connection(("127.0.0.1", told["tcp"]), 2).close()
    return True


@trick
def a_datagram() -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.connect(("127.0.0.1", told["udp"]))
        one.settimeout(2)
        one.send(b"hello")
        return one.recv(10).decode()


@trick
def a_unix_socket() -> bool:
    with socket.socket(socket.AF_UNIX) as one:
        one.connect(told["unix"])
    return True


@trick
def an_abstract_unix_socket() -> bool:
    with socket.socket(socket.AF_UNIX) as one:
        one.connect("\0" + told["abstract"])
    return True


@trick
def sockets_that_no_namespace_holds() -> bool:
    socket.socket(told["family"], socket.SOCK_STREAM).close()
    return True


@trick
def shared_memory() -> bytes:
    return Path("/dev/shm", told["shared"]).read_bytes().decode()


@trick
def system_v_memory() -> int:
    return call("shmget", told["number"], 0, 0)


@trick
def keys_of_the_kernel() -> str:
    libc.syscall.restype = ctypes.c_long
    number = libc.syscall(219 if os.uname().machine == "aarch64" else 250, 10, -3, b"user", told["tag"].encode(), 0)
    if number == -1:
        raise OSError(ctypes.get_errno(), "keyctl")
    return str(number)


@trick
def the_input_of_a_terminal() -> bool:
    """The kernel says that this is not a terminal, and does not refuse the call."""
    try:
        fcntl.ioctl(0, 0x5412, b"x")
    except OSError as error:
        return error.errno == 25
    return True


@trick
def devices() -> list[str]:
    return sorted(set(os.listdir("/dev")) - PLAIN)


@trick
def the_name_of_the_machine() -> bool:
    return socket.gethostname() == told["machine"]


# --- taking too much


def fork_bomb() -> None:
    """As many processes as it gets, but no more than a machine can take if nobody stops it. It never answers."""
    for _ in range(600):
        if os.fork() == 0:
            os.setsid()
            libc.pause()
            os._exit(0)
    while True:
        libc.pause()


def daemons() -> None:
    """Twice forked, in a session of their own, deaf to everything that can be ignored."""
    for _ in range(3):
        if os.fork() == 0:
            os.setsid()
            if os.fork() != 0:
                os._exit(0)
            sys.stdout.close()
            for number in (0, 1, 2):
                os.close(number)
            libc.prctl(15, b"quiet", 0, 0, 0)
            while True:
                libc.pause()
        os.wait()


def memory() -> None:
    """Shared among children, each of which keeps below the limit of one process."""
    for _ in range(8):
        if os.fork() == 0:
            hoard = bytearray(os.urandom(1) * (60 * 2**20))
            while hoard:
                libc.pause()
    while True:
        libc.pause()


def disk() -> int:
    """How many bytes can be written, everywhere."""
    total = 0
    for folder in (os.getcwd(), "/tmp", "/dev/shm", "/dev", "/", "/var/tmp", "/run"):
        for number in range(100):
            try:
                with open(os.path.join(folder, f"fill{number}"), "wb") as file:
                    total += sum(file.write(bytes(2**20)) for _ in range(16))
            except OSError:
                break
    return total


def disk_for_long() -> None:
    """Never answers: whoever waits for it must notice what it holds."""
    disk()
    libc.pause()


def small_files() -> None:
    for number in range(200_000):
        Path(str(number)).touch()
    while True:
        libc.pause()


def errors() -> None:
    for _ in range(2**10):
        sys.stderr.write("x" * 2**16)


def everybody() -> str:
    if (child := os.fork()) == 0:
        libc.pause()
    os.kill(-1, 9)
    return "alone" if os.waitpid(child, 0)[1] == 9 else "nothing"


# --- the game


def got(do: Callable[[], Any]) -> Any:
    try:
        return do() or None
    except Exception:
        return None


def say(line: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def main() -> None:
    first = True
    for line in sys.stdin:
        said = json.loads(line)
        if said["type"] == "hello":
            if how == "early":
                daemons()
            say({"type": "ready", "protocol": 1})
        if said["type"] == "question":
            if first and how == "tricks":
                found = {name: got(do) for name, do in TRICKS.items()}
                with open(os.devnull):
                    found["(one more open file)"] = got(open_files_that_it_did_not_open)
                sys.stderr.write(json.dumps(found) + "\n")
            elif first:
                # Without walls this would be the end of the machine.
                assert not os.path.exists(f"/proc/{told['referee']}"), "there are others"
                sys.stderr.write(f"{globals()[how]()}\n")
            first = False
            say({"type": "answer", "id": said["id"], "move": said["moves"]["choices"][0]["move"]})


if __name__ == "__main__":
    main()
