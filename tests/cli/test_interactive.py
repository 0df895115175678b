"""People at a terminal: going away, colours, passphrases, keys of other programs. And no terminal, no question."""

import copy
import fcntl
import json
import re
import shutil
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.cli.terminal import REFEREE, Terminal
from tests.cli.world import World, changes, check_refusal, environment, key, run, run_here, tree
from tests.support import waiting

pytestmark = pytest.mark.thorough
PROMPT = "Your move"


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


def at_terminal(world: World, *args: str, env: Mapping[str, str] = {}) -> Terminal:
    return Terminal(["play", "anna.view.json", "-o", "move.new", *args], world.root, world.mover_home, env)


def test_what_cannot_be_read_is_not_signed(world: World) -> None:
    """Nothing is signed; the program says what to write and asks again, until somebody gives up."""
    before = tree(world.root)
    terminal = at_terminal(world)
    terminal.wait_for(PROMPT)
    for typed in ("0", "999", "9" * 3000, "dance", "-1", "pass pink", "²", "#0", "#999", "pass red; pass blue", ";"):
        for at in range(0, len(typed), 1000):
            terminal.type(typed[at : at + 1000])
        terminal.type("\n")
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
    """SIGINT while the program waits for something other than a key: 130 too, without a traceback."""
    with open(world.root / "game.json.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        before = tree(world.root)
        process = subprocess.Popen([REFEREE, "apply", "game.json", "move.json", "--out", "v"], cwd=world.root,
                                   env=environment(world.host_home), stderr=subprocess.PIPE)  # fmt: skip
        waiting.tries(process, world.root / "game.json.lock")
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=waiting.LIMIT)
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
        terminal.wait_for("Sign this?")
        terminal.type("\n")
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
    ran = run_here("key", "--key", "zoe.json", cwd=world.root, env=env)
    assert (ran.exit, ran.out.decode().strip()) == (0, data["public"])
    check_refusal(run_here("key", "--key", "zoe.json", cwd=world.root, env={"REFEREE_PASSPHRASE": "wrong"}), (4,))
    check_refusal(run_here("key", "--key", "zoe.json", cwd=world.root), (4,))
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
        terminal = Terminal(["key", "--key", "locked.json"], world.root, world.mover_home)
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
    assert run("key", "--key", "zoe.json", cwd=world.root, env=env).exit == 0


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
    ran = run_here("key", "--key", "id_ed25519", cwd=world.root)
    assert ran.out.decode().strip() == private.public_key().public_bytes_raw().hex()
    check_refusal(run_here("join", "offer.json", "--key", "id_ed25519", "-o", "j.json", cwd=world.root), (2,))
    ran = run_here("join", "offer.json", "--key", "id_ed25519", "--name", "Zoe", "-o", "j.json", cwd=world.root)
    assert ran.exit == 0, ran.said
    (world.root / "truncated").write_bytes(data[: len(data) // 2])
    check_refusal(run_here("key", "--key", "truncated", cwd=world.root), (7,))


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
    args = ["key", "--key", "id_locked"]
    for env, exit in (({}, 4), ({"REFEREE_PASSPHRASE": "wrong"}, 7)):
        ran = run_here(*args, cwd=world.root, env=env)
        check_refusal(ran, (exit,))
        assert "passphrase" in ran.said
    ran = run_here(*args, cwd=world.root, env={"REFEREE_PASSPHRASE": "open sesame"})
    assert (ran.exit, ran.out.decode().strip()) == (0, LOCKED_PUBLIC)
    assert changes(before, tree(world.root)) == set()
