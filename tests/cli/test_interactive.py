"""People at a terminal: `play` on a pseudo-terminal, passphrases, colours, Ctrl-C. And no terminal, no question."""

import copy
import fcntl
import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.cli.world import World, changes, check_refusal, environment, key, run, run_here, tree

pytestmark = pytest.mark.thorough
REFEREE = str(Path(sys.executable).with_name("referee"))
PROMPT = "Your move"


class Terminal:
    """A person at a terminal: reads what is on it, types lines."""

    def __init__(self, args: Sequence[str], cwd: Path, home: Path, env: Mapping[str, str] = {}) -> None:
        self.screen = b""
        ours, theirs = pty.openpty()
        self.handle = ours
        settings = {"TERM": "xterm-256color", **environment(home, env)}
        settings = {name: value for name, value in settings.items() if value != "(unset)"}
        self.process = subprocess.Popen([REFEREE, *args], cwd=cwd, env=settings, stdin=theirs, stdout=theirs,
                                        stderr=theirs, start_new_session=True, preexec_fn=own_terminal)  # fmt: skip
        os.close(theirs)

    def wait_for(self, text: str, seconds: float = 20) -> str:
        """The screen, as soon as this is on it (once more than before)."""
        until = time.monotonic() + seconds
        start = getattr(self, "seen", 0)
        while (at := self.screen.find(text.encode(), start)) < 0:
            assert time.monotonic() < until, f"never saw {text!r} on:\n{self.text}"
            assert self.read(), f"it ended without {text!r}:\n{self.text}"
        self.seen = at + len(text.encode())
        return self.text

    def read(self) -> bool:
        ready, _, _ = select.select([self.handle], [], [], 0.5)
        if not ready:
            return True
        try:
            data = os.read(self.handle, 65536)
        except OSError:
            return False
        self.screen += data
        return bool(data)

    def type(self, text: str) -> None:
        os.write(self.handle, text.encode())

    def type_hidden(self, text: str) -> None:
        """Type as soon as the terminal shows no more what is typed."""
        until = time.monotonic() + 20
        while termios.tcgetattr(self.handle)[3] & termios.ECHO:
            assert time.monotonic() < until, "what is typed would be seen"
            time.sleep(0.01)
        self.type(text)

    def leave(self, keys: str) -> tuple[int, str]:
        """Go away in the middle. A prompt that is just being set up can miss it, so an impatient person insists."""
        self.type(keys)
        since = time.monotonic()
        until = since + 20
        while self.read():
            assert time.monotonic() < until, f"it does not end:\n{self.text}"
            if time.monotonic() - since > 3:
                self.type(keys[-1])
                since = time.monotonic()
        return self.end()

    def end(self) -> tuple[int, str]:
        until = time.monotonic() + 20
        while self.read():
            assert time.monotonic() < until, f"it does not end:\n{self.text}"
        os.close(self.handle)
        return self.process.wait(10), self.text

    @property
    def text(self) -> str:
        return self.screen.decode(errors="replace").replace("\r\n", "\n")


def own_terminal() -> None:
    """Make standard input the controlling terminal, so that Ctrl-C reaches the process as a signal."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> World:
    return World(tmp_path_factory.mktemp("interactive") / "desk", rounds=3)


@pytest.fixture
def world(made: World, tmp_path: Path) -> World:
    """It is Anna's turn."""
    mine = copy.copy(made)
    mine.root = tmp_path / "desk"
    shutil.copytree(made.root, mine.root)
    return mine


def listed(world: World) -> list[dict[str, Any]]:
    ran = run_here("moves", "--json", "anna.view.json", cwd=world.root, home=world.mover_home)
    return json.loads(ran.out)  # type: ignore[no-any-return]


def signed(world: World, name: str = "move.new") -> dict[str, Any]:
    return json.loads((world.root / name).read_bytes())["body"]["answer"]  # type: ignore[no-any-return]


def at_terminal(world: World, *args: str, env: Mapping[str, str] = {}) -> Terminal:
    return Terminal(["play", "anna.view.json", "-o", "move.new", *args], world.root, world.mover_home, env)


def test_choosing_by_number(world: World) -> None:
    """The position and the numbered moves are shown; the number signs exactly the move that is listed."""
    moves = listed(world)
    number = next(n for n, move in enumerate(moves, 1) if move["text"].startswith("pass"))
    terminal = at_terminal(world)
    screen = terminal.wait_for(PROMPT)
    assert "you are Anna" in screen
    assert "To act: Anna (turn)" in screen
    for n, move in enumerate(moves, 1):
        assert re.search(rf"^ *{n} +{re.escape(move['text'])}", screen, re.M), f"{n} {move['text']} is not listed"
    terminal.type(f"{number}\n")
    status, screen = terminal.end()
    assert status == 0, screen
    assert signed(world)["action"] == moves[number - 1]["move"]["action"]
    assert f"Your answer: {moves[number - 1]['text']}" in screen
    assert "Next: " in screen
    ran = run("apply", "game.json", "move.new", "--out", "v", cwd=world.root, home=world.host_home)
    assert ran.exit == 0, ran.said


def test_choosing_by_text(world: World) -> None:
    terminal = at_terminal(world)
    terminal.wait_for(PROMPT)
    terminal.type("PASS  blue\n")
    status, screen = terminal.end()
    assert status == 0, screen
    assert signed(world)["action"] == {"do": "pass", "mark": "blue"}


def test_a_line_that_stands_for_many_moves_is_not_signed_unseen(world: World) -> None:
    """`sell up to 2 of ...` is a family: the person is asked which one, and the example is only a proposal."""
    moves = listed(world)
    assert moves[0]["text"].startswith("sell up to")
    terminal = at_terminal(world)
    terminal.wait_for(PROMPT)
    terminal.type("1\n")
    terminal.wait_for("several moves")
    assert not (world.root / "move.new").exists()
    terminal.type("pass green\n")
    status, screen = terminal.end()
    assert status == 0, screen
    assert signed(world)["action"] == {"do": "pass", "mark": "green"}


def test_what_cannot_be_read_is_not_signed(world: World) -> None:
    """Nothing is signed; the program says what to write and asks again, until somebody gives up."""
    before = tree(world.root)
    terminal = at_terminal(world)
    terminal.wait_for(PROMPT)
    for typed in ("0", "999", "9" * 3000, "dance", "-1", "pass pink", "²"):
        for at in range(0, len(typed), 1000):
            terminal.type(typed[at : at + 1000])
        terminal.type("\n")
        terminal.wait_for("write for example")
        terminal.wait_for(PROMPT)
    status, screen = terminal.leave("\x03")
    assert status == 130, screen
    assert "Traceback" not in screen
    assert changes(before, tree(world.root)) == set()


@pytest.mark.parametrize("keys", ["\x03", "\x04", "pass r\x03"], ids=["ctrl-c", "ctrl-d", "half-typed"])
def test_going_away(world: World, keys: str) -> None:
    """Ctrl-C ends with 130, the end of input with a documented status; nothing is signed."""
    before = tree(world.root)
    terminal = at_terminal(world)
    terminal.wait_for(PROMPT)
    status, screen = terminal.leave(keys)
    assert status == 130 if "\x03" in keys else status in (2, 130), f"{status}: {screen}"
    assert "Traceback" not in screen
    assert changes(before, tree(world.root)) == set()


def test_interrupted_in_the_middle(world: World) -> None:
    """SIGINT while the program waits for something else than a key: 130 as well, without a traceback."""
    with open(world.root / "game.json.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        before = tree(world.root)
        process = subprocess.Popen([REFEREE, "apply", "game.json", "move.json", "--out", "v"], cwd=world.root,
                                   env=environment(world.host_home), stderr=subprocess.PIPE)  # fmt: skip
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
    assert process.returncode == 130, err
    assert b"Traceback" not in err
    assert changes(before, tree(world.root)) == set()


def test_without_a_terminal_nothing_is_asked(world: World) -> None:
    """No terminal, no --move: an error, and nothing is signed, whatever comes through the pipe."""
    before = tree(world.root)
    for stdin in (b"", b"1\n", b"pass red\n"):
        ran = (run if stdin else run_here)(
            "play", "anna.view.json", "-o", "move.new", cwd=world.root, home=world.mover_home, stdin=stdin
        )
        check_refusal(ran, (2,))
        assert "--move" in ran.said
    ran = run("play", "-", "-o", "-", cwd=world.root, home=world.mover_home,
              stdin=(world.root / "anna.view.json").read_bytes())  # fmt: skip
    check_refusal(ran, (2,))
    assert ran.out == b""
    assert changes(before, tree(world.root)) == set()


def test_an_ack_needs_no_choice(tmp_path: Path) -> None:
    """Where there is nothing to choose, a terminal is asked nothing."""
    world = World(tmp_path / "ack", rounds=0)
    status, screen = at_terminal(world).end()
    assert status == 0, screen
    assert PROMPT not in screen
    assert "Your answer: ack" in screen


@pytest.mark.parametrize(
    ("command", "env", "coloured"),
    [
        ("show", {"NO_COLOR": "(unset)"}, True),
        ("show", {"NO_COLOR": "1"}, False),
        ("show", {"TERM": "dumb", "NO_COLOR": "(unset)"}, False),
        ("play", {"NO_COLOR": "(unset)"}, True),
        ("play", {"NO_COLOR": "1"}, False),
    ],
    ids=["show", "show-no-color", "show-dumb", "play", "play-no-color"],
)
def test_colours(world: World, command: str, env: dict[str, str], coloured: bool) -> None:
    """Colours on a terminal only, and not where they are not wanted; without them the text is the same."""
    args = [command, "anna.view.json", *(["-o", "move.new"] if command == "play" else [])]
    terminal = Terminal(args, world.root, world.mover_home, env)
    if command == "play":
        terminal.wait_for(PROMPT)
        terminal.type("pass red\n")
    status, screen = terminal.end()
    assert status == 0, screen
    assert ("\x1b[" in screen) == coloured
    piped = run("show", "anna.view.json", cwd=world.root, home=world.mover_home)
    assert b"\x1b" not in piped.out + piped.err
    plain = re.sub(r"\x1b\[[0-9;]*m", "", screen)
    assert piped.out.decode().strip() in plain


# --- passphrases ------------------------------------------------------------------------------------------------------


def test_passphrase_from_the_environment(world: World) -> None:
    env = {"REFEREE_PASSPHRASE": "correct horse"}
    args = ["key", "new", "--name", "Zoe", "--passphrase", "-o", "zoe.json"]
    assert run_here(*args, cwd=world.root, env=env).exit == 0
    data = json.loads((world.root / "zoe.json").read_bytes())
    assert "secret" not in data
    assert b"correct horse" not in (world.root / "zoe.json").read_bytes()
    ran = run_here("key", "show", "--key", "zoe.json", cwd=world.root, env=env)
    assert (ran.exit, ran.out.decode().strip()) == (0, data["public"])
    check_refusal(
        run_here("key", "show", "--key", "zoe.json", cwd=world.root, env={"REFEREE_PASSPHRASE": "wrong"}), (4,)
    )
    check_refusal(run_here("key", "show", "--key", "zoe.json", cwd=world.root), (4,))
    ran = run_here("play", "anna.view.json", "-o", "m", "--move", "pass red", "--key", "locked.json", cwd=world.root,
              home=world.root / "empty", env={"REFEREE_PASSPHRASE": "open sesame"})  # fmt: skip
    assert ran.exit == 0, ran.said


def test_no_passphrase_without_a_terminal(world: World) -> None:
    """Never a key that only seems to be locked."""
    before = tree(world.root)
    args = ["key", "new", "--name", "Zoe", "--passphrase", "-o", "zoe.json"]
    check_refusal(run_here(*args, cwd=world.root, stdin=b"secret\nsecret\n"), (2, 4))
    check_refusal(run_here(*args, cwd=world.root, env={"REFEREE_PASSPHRASE": ""}), (2,))
    assert changes(before, tree(world.root)) == set()


def test_passphrase_typed_at_a_terminal(world: World) -> None:
    """Asked for without echo; the right one opens the key, the wrong one does not."""
    for typed, expected in (("open sesame", 0), ("wrong", 4)):
        terminal = Terminal(["key", "show", "--key", "locked.json"], world.root, world.mover_home)
        terminal.wait_for("assphrase")
        terminal.type_hidden(typed + "\n")
        status, screen = terminal.end()
        assert status == expected, screen
        assert typed not in screen.replace("Passphrase", "")
        assert (key("Anna").public.hex() in screen) == (expected == 0)


def test_new_passphrase_is_asked_twice(world: World) -> None:
    terminal = Terminal(["key", "new", "--name", "Zoe", "--passphrase", "-o", "zoe.json"], world.root, world.mover_home)
    for prompt in ("Passphrase:", "confirmation:"):
        terminal.wait_for(prompt)
        terminal.type_hidden("typed twice\n")
    status, screen = terminal.end()
    assert status == 0, screen
    assert "typed twice" not in screen
    env = {"REFEREE_PASSPHRASE": "typed twice"}
    assert run("key", "show", "--key", "zoe.json", cwd=world.root, env=env).exit == 0


def test_interrupted_passphrase(world: World) -> None:
    before = tree(world.root)
    terminal = Terminal(["key", "new", "--name", "Zoe", "--passphrase", "-o", "zoe.json"], world.root, world.mover_home)
    terminal.wait_for("assphrase")
    terminal.type_hidden("half\x03")
    status, screen = terminal.end()
    assert status == 130, f"{status}: {screen}"
    assert "Traceback" not in screen
    assert changes(before, tree(world.root)) == set()


# --- OpenSSH keys -----------------------------------------------------------------------------------------------------


def test_an_openssh_key_works_wherever_a_key_is_asked_for(world: World) -> None:
    """`ssh-keygen -t ed25519` makes a key one can join with; the name is then given on the command line."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    private = Ed25519PrivateKey.generate()
    data = private.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption())
    (world.root / "id_ed25519").write_bytes(data)
    ran = run_here("key", "show", "--key", "id_ed25519", cwd=world.root)
    assert ran.out.decode().strip() == private.public_key().public_bytes_raw().hex()
    check_refusal(run_here("join", "offer.json", "--key", "id_ed25519", "-o", "j.json", cwd=world.root), (2,))
    ran = run_here("join", "offer.json", "--key", "id_ed25519", "--name", "Zoe", "-o", "j.json", cwd=world.root)
    assert ran.exit == 0, ran.said
    (world.root / "truncated").write_bytes(data[: len(data) // 2])
    check_refusal(run_here("key", "show", "--key", "truncated", cwd=world.root), (7,))


LOCKED_SSH = b"""\
-----BEGIN OPENSSH PRIVATE KEY-----
b3BlbnNzaC1rZXktdjEAAAAACmFlczI1Ni1jdHIAAAAGYmNyeXB0AAAAGAAAABDkjFiTzn
oo/RyenKSg6869AAAAAQAAAAEAAAAzAAAAC3NzaC1lZDI1NTE5AAAAIO7Vx0NNoCQGaymq
aeR254Y4g9OWaxBAVEv1j1tp3Aj+AAAAkGIoc66dyFn4ypvBbTbycMyYHA7w5rfbP3rQfu
UcLKPazLDg0FtmAMToW8ySdt94TrSIM2rQ3Nmu56qyEg8FiF5oMH7W57CS/BSzIHeGMTKO
beHKWJSGuprOqMfVmmDo2EoL5VjgFMFc0wk4wFnYu8peTzl5thn0b8sqZhEg1ik0Pg4oOJ
jmhu4BGOeh8iCcyA==
-----END OPENSSH PRIVATE KEY-----
"""
"""Made by `ssh-keygen -t ed25519 -a 1 -N "open sesame"`."""
LOCKED_PUBLIC = "eed5c7434da024066b29aa69e476e7863883d3966b1040544bf58f5b69dc08fe"


def test_a_locked_openssh_key(world: World) -> None:
    """An OpenSSH key with a passphrase is opened by it, and by nothing else."""
    (world.root / "id_locked").write_bytes(LOCKED_SSH)
    before = tree(world.root)
    args = ["key", "show", "--key", "id_locked"]
    for env, exit in (({}, 4), ({"REFEREE_PASSPHRASE": "wrong"}, 7)):
        ran = run_here(*args, cwd=world.root, env=env)
        check_refusal(ran, (exit,))
        assert "passphrase" in ran.said
    ran = run_here(*args, cwd=world.root, env={"REFEREE_PASSPHRASE": "open sesame"})
    assert (ran.exit, ran.out.decode().strip()) == (0, LOCKED_PUBLIC)
    assert changes(before, tree(world.root)) == set()
