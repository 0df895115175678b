"""Another user of the same machine: sees that the program runs, and may connect to it, but gets nothing.

Root runs the program as itself and looks as nobody. Anybody else cannot become another user, and checks what keeps
others out: the modes of the files, and what stands on command lines, which everybody can read."""

import json
import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.app.window import App, Window, running
from tests.cli.world import World
from tests.support import waiting

NOBODY = 65534
ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
BECOME = f"os.setgroups([]), os.setgid({NOBODY}), os.setuid({NOBODY})" if ROOT else ""
LOOK = f"""
import json, os, sys
from pathlib import Path
{BECOME}
read = dict()
for path in sys.argv[1:]:
    try:
        read[path] = sorted(map(str, Path(path).iterdir())) if Path(path).is_dir() else Path(path).read_bytes().hex()
    except OSError as error:
        read[path] = None
print(json.dumps(read))
"""
CALL = f"""
import encodings.idna, json, os, socket, sys
{BECOME}
host, *asked = sys.argv[1:]
found = []
for data in asked:
    with socket.create_connection((host.partition(":")[0], int(host.partition(":")[2]))) as one:
        one.sendall(bytes.fromhex(data))
        found.append(b"".join(iter(lambda: one.recv(65536), b"")).decode())
print(json.dumps(found))
"""


class Machine(NamedTuple):
    """A program that runs, the window on it, the process of its browser, and where its owner's files are."""

    app: App
    mine: Window
    browser: int
    root: Path


@pytest.fixture(scope="module")
def machine() -> Iterator[Machine]:
    """In a folder that everybody may enter, so that nothing but our own modes protects a file."""
    with tempfile.TemporaryDirectory(prefix="referee-users-") as name:
        root = Path(name)
        root.chmod(0o755)
        world = World(root / "world", rounds=4)
        told = root / "told"
        browser = root / "chromium"
        note = f"open({str(told)!r}, 'w').write(str(os.getpid()))"
        browser.write_text(f"#!{sys.executable} -P\nimport os, signal\n{note}\nsignal.pause()")
        browser.chmod(0o755)
        env = {"BROWSER": str(browser)}
        with running(str(world.root / world.mover_view), cwd=root, home=world.mover_home, env=env) as app:
            waiting.until(lambda: told.exists() and told.read_text())
            mine, pid = Window(app), int(told.read_text())
            game = mine.start["with"]["game"]
            mine.call("open", game)
            mine.call("sign", game, move=mine.call("moves", game)["choices"][0]["move"])
            yield Machine(app, mine, pid, root)
            mine.close()
            os.kill(pid, 9)


def as_nobody(code: str, *args: str) -> Any:
    """What a program of another user prints, as JSON; without the right to become one, a program of ours."""
    made = subprocess.run([sys.executable, "-I", "-c", code, *args], capture_output=True, check=True, cwd="/")
    return json.loads(made.stdout)


def secrets_of(machine: Machine) -> list[bytes]:
    key = next(machine.root.glob("world/*-home/key.json")).read_bytes()
    return [machine.app.token.encode(), machine.mine.key.encode(), json.loads(key)["secret"].encode()]


def test_command_lines_that_everybody_can_read_hold_no_token_and_no_key(machine: Machine) -> None:
    lines = [
        f"/proc/{pid}/{name}" for pid in (machine.app.process.pid, machine.browser) for name in ("cmdline", "comm")
    ]
    read = as_nobody(LOOK, *lines)
    found = [bytes.fromhex(read[path] or "") for path in lines]
    assert b"open" in found[0]
    assert f"/open/{machine.app.port}.html".encode() in found[2]
    assert [one for one in secrets_of(machine) for text in found if one in text] == []


def test_files_with_a_token_a_key_or_an_answer_are_their_owner_s(machine: Machine) -> None:
    mine = next(path for path in machine.root.glob("world/*-home") if (path / "open").exists())
    leap = mine / "open" / f"{machine.app.port}.html"
    assert machine.app.token in leap.read_text()
    private = [path for path in mine.rglob("*") if path.is_file() and path.name != "key.json"]
    private += [*machine.root.rglob("*.move.json")]
    assert {leap} < {*private}
    assert len(private) >= 3
    assert {stat.S_IMODE(path.stat().st_mode) for path in private} == {0o600}
    if ROOT:
        assert {*as_nobody(LOOK, *map(str, private)).values()} == {None}


def test_memory_environment_and_open_files_of_the_program_are_its_owner_s(machine: Machine) -> None:
    parts = [f"/proc/{machine.app.process.pid}/{name}" for name in ("environ", "mem", "maps", "fd")]
    assert {os.stat(path).st_uid for path in parts} == {os.geteuid()}
    if ROOT:
        assert as_nobody(LOOK, *parts) == dict.fromkeys(parts)


def test_another_user_may_connect_and_gets_the_empty_page_or_a_refusal(machine: Machine) -> None:
    host = machine.app.host
    head = f"Host: {host}\r\nOrigin: http://{host}\r\nContent-Type: application/json\r\nConnection: close\r\n"
    asked = [f"GET / HTTP/1.1\r\n{head}\r\n"]
    for path, key in (("/session", ""), ("/call/games", ""), ("/call/games", machine.app.token), ("/call/wait", "x")):
        auth = f"Authorization: Bearer {key}\r\n" if key else ""
        asked.append(f"POST {path} HTTP/1.1\r\n{head}{auth}Content-Length: 2\r\n\r\n{{}}")
    asked.append(f'POST /session HTTP/1.1\r\n{head}Content-Length: 45\r\n\r\n"{machine.app.token}"')
    page, *refused = as_nobody(CALL, host, *(one.encode().hex() for one in asked))
    assert page.startswith("HTTP/1.1 200 ")
    assert [one for one in secrets_of(machine) if one.decode() in page] == []
    assert str(machine.root) not in page
    assert [(one.split()[1], one.rpartition("\r\n\r\n")[2]) for one in refused] == [("403", "Forbidden")] * 5
    assert machine.mine.call("games")["games"]
