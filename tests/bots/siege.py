"""A table in memory with a hostile bot at it, and around it everything that the bot would like to get: keys, another
bot, sockets, shared memory. `python -m tests.bots.siege FOLDER HOW` prints what came of it, for runs as another
user."""

import ctypes
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Thread
from typing import Any
from unittest import mock

import msgspec

from referee.bots.players import Limits, LocalPlayer, Spent
from referee.bots.process import ProcessPlayer, program_for
from referee.bots.trial import Rules, trial
from tests.bots.examples import rules_of
from tests.bots.hostile import NAMESPACES

HOSTILE = Path(__file__).with_name("hostile.py")
SHORT = Limits(start=60, answer=60, bank=0, memory=256 * 2**20, output=16 * 2**20, faults=1)
ROUNDS = 12
OTHER = 40
"""Sockets of a virtual machine to what runs it: they belong to no network namespace."""
NUMBER = 0x7E57 ^ os.getpid()
libc = ctypes.CDLL(None, use_errno=True)


def rules(limits: Limits = SHORT) -> Rules:
    return msgspec.structs.replace(rules_of("mark", "siege", 2), limits=limits)


@contextmanager
def surroundings(folder: Path) -> Iterator[dict[str, Any]]:
    """Puts everything that a bot must not get in place; yields where it is."""
    tag = f"siege-{os.getpid()}-{folder.name}"
    for name in ("cup", "home", "user", "rival", "own", "outside"):
        (folder / name).mkdir()
    secrets = {"key": "cup/organiser.key", "home": "home/my.key", "user": "user/diary", "rival": "rival/bot.py"}
    for name in secrets.values():
        (folder / name).write_text("secret")
    program = Path(shutil.copy(HOSTILE, folder / "own/bot.py"))
    program.chmod(0o600)
    (folder / "own/beside").write_text("secret")
    (folder / "own/link").symlink_to(folder / "cup/organiser.key")
    os.mkfifo(folder / "pipe")
    with ExitStack() as stack:
        stack.enter_context(mock.patch.dict(os.environ, {
            "A_SECRET": "of the referee's", "REFEREE_HOME": str(folder / "home"), "HOME": str(folder / "user"),
        }))  # fmt: skip
        other = stack.enter_context(_rival(tag))
        held = os.open(folder / "pipe", os.O_RDONLY | os.O_NONBLOCK)
        stack.callback(os.close, held)
        shared = Path("/dev/shm", tag)
        shared.write_text("secret")
        stack.callback(shared.unlink)
        temporary = stack.enter_context(tempfile.NamedTemporaryFile("w", prefix="hsperfdata", dir="/tmp"))
        temporary.write("secret")
        temporary.flush()
        memory = libc.shmget(NUMBER, 4096, 0o1600)
        stack.callback(libc.shmctl, memory, 0, None)
        libc.syscall(_add_key(), b"user", tag.encode(), b"secret", 6, -3)
        yield {
            **{name: str(folder / path) for name, path in secrets.items()},
            "outside": str(folder / "outside"), "pipe": str(folder / "pipe"), "temporary": temporary.name,
            "referee": os.getpid(), "other": other, "tag": tag, "shared": tag, "number": NUMBER,
            "namespaces": {name: os.stat(f"/proc/self/ns/{name}").st_ino for name in NAMESPACES},
            "machine": socket.gethostname(), "family": OTHER, **stack.enter_context(_servers(folder, tag)),
        }  # fmt: skip


def _add_key() -> int:
    return 217 if os.uname().machine == "aarch64" else 248


@contextmanager
def _rival(tag: str) -> Iterator[int]:
    """Another bot: it waits for a line on its pipe."""
    with subprocess.Popen(["sh", "-c", f"read line; : {tag}"], stdin=subprocess.PIPE) as process:
        yield process.pid
        assert process.poll() is None, "the rival was ended, or written to"
        process.kill()


@contextmanager
def _servers(folder: Path, tag: str) -> Iterator[dict[str, Any]]:
    """Accepts every connection and answers it."""
    with ExitStack() as stack:
        tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        plain, abstract = (stack.enter_context(socket.socket(socket.AF_UNIX)) for _ in range(2))
        plain.bind(str(folder / "unix"))
        abstract.bind("\0" + tag)
        for one in (plain, abstract):
            one.listen()
        udp = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        udp.bind(("127.0.0.1", 0))
        echo = Thread(target=_answer, args=(udp,), daemon=True)
        echo.start()
        address = udp.getsockname()
        yield {"tcp": tcp.getsockname()[1], "udp": address[1], "unix": str(folder / "unix"), "abstract": tag}
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as last:
            last.sendto(b"stop", address)
        echo.join()


def _answer(udp: socket.socket) -> None:
    while True:
        data, address = udp.recvfrom(10)
        udp.sendto(b"hello", address)
        if data == b"stop":
            return


def besiege(folder: Path, how: str, limits: Limits = SHORT, *, confined: bool = True) -> Spent:
    """Some rounds of a game with the hostile bot, which sees its own program only."""
    with surroundings(folder) as told:
        own = str(folder / "own/bot.py")
        program = program_for([sys.executable, own, how, json.dumps(told)], [own], confined=confined)
        spent = trial(rules(limits), [lambda: ProcessPlayer(program), lambda: LocalPlayer("random")], ROUNDS).spent[0]
    assert (folder / "own/bot.py").read_bytes() == HOSTILE.read_bytes() or not confined
    assert not confined or (not list((folder / "outside").iterdir()) and not (folder / "own/more").exists())
    return spent


if __name__ == "__main__":
    done = besiege(Path(sys.argv[1]), sys.argv[2])
    why = str(done.first.why) if done.first else None
    sys.stdout.write(json.dumps({"faults": done.faults, "errors": done.errors, "why": why}))
