"""The program behind a window as a process of its own, and somebody who speaks to it as its page does."""

import json
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any, NamedTuple

from tests.cli.world import environment
from tests.support import waiting

TOYS = (Path(__file__).parents[1] / "toys", Path(__file__).parent / "toys")
PROGRAM = """
import sys
import referee.games
from referee.app import server
referee.games.__path__.extend(sys.argv.pop(1).split(":"))
for setting in sys.argv.pop(1).split():
    name, _, value = setting.partition("=")
    assert hasattr(server, name)
    setattr(server, name, float(value))
if sys.argv.pop(1) == "usual":
    server.fresh_address = lambda: server.USUAL
server.Handler.timeout = server.PATIENCE
from referee.cli import run
run()
"""
"""`referee` with the toy games, and with other times: what only waits takes no time, and what must not end stays. If
wanted on a system that has no address of its own but the usual one."""
PATIENT = {"GONE": waiting.LIMIT, "PATIENCE": waiting.LIMIT}
"""However busy the machine is, nothing ends because a test is slow."""


class App(NamedTuple):
    """A running program, and the link that it gave."""

    process: "subprocess.Popen[bytes]"
    host: str
    token: str

    @property
    def link(self) -> str:
        return f"http://{self.host}/#{self.token}"

    @property
    def address(self) -> str:
        return self.host.partition(":")[0]

    @property
    def port(self) -> int:
        return int(self.host.partition(":")[2])

    def interrupted(self) -> tuple[int, str]:
        """Its exit status after Ctrl-C, and what it says last."""
        self.process.send_signal(signal.SIGINT)
        return self.end()

    def end(self) -> tuple[int, str]:
        """Its exit status once it ends by itself, and what it says last."""
        assert self.process.stderr
        said = self.process.stderr.read()
        return waiting.ended(self.process), said.decode()


def command(*args: str, verb: str, settings: Mapping[str, float], usual: bool = False) -> list[str]:
    told = " ".join(f"{name}={value}" for name, value in (PATIENT | dict(settings)).items())
    return [sys.executable, "-P", "-c", PROGRAM, ":".join(map(str, TOYS)), told, "usual" if usual else "", verb, *args]


@contextmanager
def running(
    *args: str,
    cwd: Path,
    home: Path,
    settings: Mapping[str, float] = {},
    env: Mapping[str, str] = {},
    before: Sequence[str] = (),
    verb: str = "open",
    usual: bool = False,
) -> Iterator[App]:
    """`referee open ARGS` for a while, or another command that has a window; `before`: what starts it."""
    process = subprocess.Popen(
        [*before, *command(*args, verb=verb, settings=settings, usual=usual)],
        cwd=cwd, env=environment(home, env), stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
        # Whoever runs the tests may ignore it, as `nohup` does, and what is ignored is inherited.
        preexec_fn=partial(signal.signal, signal.SIGHUP, signal.SIG_DFL),
    )  # fmt: skip
    try:
        assert process.stderr
        waiting.arrives(process.stderr)
        said = process.stderr.readline().decode()
        found = re.search(r"http://(127\.\d+\.\d+\.\d+:\d+)/#([\w-]{43})$", said.rstrip())
        assert found, said
        yield App(process, found[1], found[2])
    finally:
        process.kill()
        process.wait()
        if process.stderr:
            process.stderr.close()


class Answer(NamedTuple):
    """An answer over HTTP."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes

    @property
    def said(self) -> Any:
        return json.loads(self.body)


class Window:
    """What the page does: it trades the token for the key, and calls. All that it hears is kept."""

    def __init__(self, app: App) -> None:
        self.app, self.key, self.heard, self.wires = app, "", list[bytes](), list[HTTPConnection]()
        self.wire = self.connect()
        answer = self.post("/session", app.token)
        assert answer.status == 200, answer
        self.key, self.start = answer.said["key"], answer.said["start"]

    def connect(self) -> HTTPConnection:
        self.wires.append(HTTPConnection(self.app.host, timeout=waiting.LIMIT))
        return self.wires[-1]

    def ask(self, path: str, body: Any) -> None:
        headers = {"Origin": f"http://{self.app.host}", "Content-Type": "application/json"}
        headers |= {"Authorization": f"Bearer {self.key}"} if self.key else {}
        self.wire.request("POST", path, body if isinstance(body, bytes) else json.dumps(body), headers)

    def hear(self) -> Answer:
        found = answer_of(self.wire.getresponse())
        self.heard.append(found.body)
        return found

    def post(self, path: str, body: Any) -> Answer:
        self.ask(path, body)
        return self.hear()

    def call(self, name: str, game: str = "", /, **given: Any) -> Any:
        """What a call returns that goes well."""
        answer = self.post(f"/call/{name}", {"game": game, **given})
        assert answer.status == 200, (name, given, answer.body)
        return answer.said

    def refused(self, name: str, game: str = "", /, **given: Any) -> dict[str, str]:
        """What a call says that goes wrong."""
        answer = self.post(f"/call/{name}", {"game": game, **given})
        assert answer.status == 400, (name, given, answer.body)
        said = dict(answer.said)
        assert said["code"] != "internal", said
        return said

    def wait(self) -> HTTPResponse:
        """What comes once the folder changes, or the program ends; from now on the window waits, which needs a
        connection of its own."""
        twin = self.second()
        twin.ask("/call/wait", {})
        return twin.wire.getresponse()

    def second(self) -> "Window":
        """The same window on another connection."""
        twin = object.__new__(Window)
        twin.__dict__ = self.__dict__ | {"wire": self.connect()}
        return twin

    def close(self) -> None:
        for one in self.wires:
            one.close()


@contextmanager
def window(*args: str, cwd: Path, home: Path, **more: Any) -> Iterator[Window]:
    """A window on a program that runs for a while."""
    with running("--no-browser", *args, cwd=cwd, home=home, **more) as app:
        one = Window(app)
        with closing(one):
            yield one


def answer_of(response: HTTPResponse) -> Answer:
    return Answer(response.status, response.getheaders(), response.read())


def connected(app: App) -> socket.socket:
    return socket.create_connection((app.address, app.port), waiting.LIMIT)


def sent(app: App, data: bytes, *, end: bool = False) -> bytes:
    """What comes back for these bytes until the other side ends; `end`: ours says that nothing follows."""
    with connected(app) as one:
        one.sendall(data)
        if end:
            one.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: one.recv(65_536), b""))
