"""What somebody is asked at a terminal, and what each answer does. The terminal is real, its process is this one."""

import contextlib
import fcntl
import io
import os
import struct
import sys
import termios
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import msgspec
import pytest

from referee.cli import main
from referee.cli.common import colour, confirm
from referee.cli.progress import Bar, _time
from referee.engine.player import consult, open_view
from tests.cli.world import World, changes, tree


class Heard(NamedTuple):
    exit: int
    out: str
    err: str


@contextlib.contextmanager
def terminal(typed: str) -> Iterator[Any]:
    """Standard input from a terminal at which this was typed; its end is somebody who goes away."""
    master, slave = os.openpty()
    made = termios.tcgetattr(slave)
    made[3] &= ~termios.ECHO
    termios.tcsetattr(slave, termios.TCSANOW, made)
    os.write(master, typed.encode() + b"\x04")
    try:
        with open(slave, encoding="utf-8") as stdin:
            yield stdin
    finally:
        os.close(master)


def at_terminal(world: World, who: str, typed: str, *words: str) -> Heard:
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    settings = {"REFEREE_HOME": str(world.root / f"{who}-home"), "REFEREE_LANGUAGE": "en", "COLUMNS": "100"}
    status = 0
    with terminal(typed) as stdin, contextlib.chdir(world.root), contextlib.ExitStack() as stack:
        stack.enter_context(mock.patch.dict(os.environ, settings))
        for name, value in {"argv": ["referee", *words], "stdin": stdin, "stdout": out, "stderr": err}.items():
            stack.enter_context(mock.patch.object(sys, name, value))
        try:
            main()
        except SystemExit as done:
            status = done.code if isinstance(done.code, int) else 0
    told = [stream.buffer.getvalue().decode() for stream in (out, err)]  # type: ignore[attr-defined]
    return Heard(status, *told)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "world", rounds=3)


@pytest.mark.parametrize(
    ("typed", "taken", "said"),
    [
        ("y\n", True, True), ("\n", True, True), ("YES\n", True, True), ("maybe\nyes\n", True, True),
        ("n\n", False, True), ("No\n", False, True), ("", False, False),
    ],
)  # fmt: skip
def test_joining_is_asked_with_the_terms(world: World, typed: str, taken: bool, said: bool) -> None:
    ran = at_terminal(world, "bert", typed, "join", "offer.json", "-o", "new.join.json", "--name", "Berta")
    assert "Take part in this as Berta? [Y/n] " in ran.err
    assert (world.root / "new.join.json").exists() is taken
    assert ran.exit == (0 if taken else 130)
    assert ("Type yes or no.\n" in ran.err) is typed.startswith("maybe")
    assert ("Nothing was signed." in ran.err) is (said and not taken)
    assert ("Nothing was changed." in ran.err) is not said


@pytest.mark.parametrize("more", [("--yes",), ("--dry-run",)])
def test_who_agrees_beforehand_is_not_asked(world: World, more: tuple[str, ...]) -> None:
    ran = at_terminal(world, "bert", "", "join", "offer.json", "-o", "new.join.json", *more)
    assert (ran.exit, "Take part" in ran.err) == (0, False)
    assert (world.root / "new.join.json").exists() is (more == ("--yes",))


@pytest.mark.parametrize(("typed", "done"), [("yes\n", True), ("\n", False), ("n\n", False)])
def test_nobody_is_put_out_unawares(world: World, typed: str, done: bool) -> None:
    name, seat = world.names[world.mover], str(world.mover + 1)
    words = ("timeout", "game.json", "--seat", seat, "--now")
    first = at_terminal(world, "hanna", "", *words, "2000-02-01T00:00Z")
    assert first.exit == 0
    assert "Put " not in first.err
    before = tree(world.root)
    ran = at_terminal(world, "hanna", typed, *words, "2000-03-01T00:00Z")
    assert (
        f"This is the second deadline running that {name} misses: nobody asks a player any more after that." in ran.err
    )
    assert f"Put {name} out? [y/N] " in ran.err
    assert ran.exit == (0 if done else 130)
    assert bool(changes(before, tree(world.root))) is done
    assert ("Nothing was changed." in ran.err) is not done


@pytest.mark.parametrize(("typed", "signed"), [("y\n", True), ("\n", False)])
def test_a_second_answer_is_asked_about(world: World, typed: str, signed: bool) -> None:
    who = world.names[world.mover].lower()
    opened = open_view((world.root / world.mover_view).read_bytes())
    plain = [choice.move for choice in consult(opened, opened.table.game.legal) if not choice.parts]
    one, two = (msgspec.json.encode(move).decode() for move in plain[:2])
    assert at_terminal(world, who, "", "play", world.mover_view, "--move-json", one, "-o", "one.json").exit == 0
    ran = at_terminal(world, who, typed, "play", world.mover_view, "--move-json", two, "-o", "two.json")
    assert "Careful: you have already signed another answer for round 4: " in ran.err
    assert "The host takes the one that comes first." in ran.err
    assert "Sign a second one? [y/N] " in ran.err
    assert (world.root / "two.json").exists() is signed
    assert ran.exit == (0 if signed else 130)


@pytest.mark.parametrize(("typed", "left"), [("yes\n", True), ("\n", False), ("n\n", False)])
def test_leaving_for_good_is_asked_about(world: World, typed: str, left: bool) -> None:
    who = world.names[world.mover].lower()
    ran = at_terminal(world, who, typed, "play", world.mover_view, "--resign", "-o", "leave.json")
    assert "Leave the game for good? [y/N] " in ran.err
    assert (world.root / "leave.json").exists() is left
    assert ran.exit == (0 if left else 130)
    assert ("Nothing is signed." in ran.err) is not left
    assert ("Your answer: you leave the game for good" in ran.err) is left


def test_a_turn_is_talked_through(world: World) -> None:
    """The board first, then the list; going away in the middle signs nothing."""
    who = world.names[world.mover].lower()
    before = tree(world.root)
    gone = at_terminal(world, who, "", "play", world.mover_view, "-o", "turn.json")
    assert gone.exit == 130
    assert f"you are {world.names[world.mover]}" in gone.err
    assert "#1" in gone.err
    assert gone.out == "", "what is piped on stays clean"
    assert not (world.root / "turn.json").exists()
    assert {name for name in changes(before, tree(world.root)) if "home" not in name} == set()


def test_questions_have_a_default(capsys: pytest.CaptureFixture[str]) -> None:
    for default, typed, answer in (
        (True, "\n", True),
        (False, "\n", False),
        (False, "y\n", True),
        (True, "n\n", False),
    ):
        with terminal(typed) as stdin, mock.patch.object(sys, "stdin", stdin):
            assert confirm("Sure?", default=default) is answer
        assert capsys.readouterr().err.startswith(f"Sure? [{'Y/n' if default else 'y/N'}] ")


# --- what is shown on a terminal --------------------------------------------------------------------------------------


@contextlib.contextmanager
def screen(columns: int = 80) -> Iterator[tuple[Any, Any]]:
    """A terminal to write to, and what can be read on it so far."""
    master, slave = os.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    try:
        with open(slave, "w", encoding="utf-8") as shown:
            yield shown, lambda: os.read(master, 100_000).decode()
    finally:
        os.close(master)


class Tally:
    def mean(self, at: int) -> float:
        return [0.25, 0.75][at]


def test_a_bar_shows_games_and_standings_and_is_gone_afterwards() -> None:
    with (
        screen() as (shown, read),
        mock.patch.object(sys, "stderr", shown),
        mock.patch.dict(os.environ, {"COLUMNS": "40"}),
    ):
        with Bar(10, ("one", "two")) as bar:
            bar.tell(4, Tally())
            first = read()
            bar.count(5)
            bar.tell(10, Tally())
            last = read()
        gone = read()
    assert first == "\r4/10 games; 0.0 a second; two 0.75, one "[:40]
    assert last.startswith("\r10/10 games; "), "what comes at once is not shown before it is the last"
    assert "left" not in last
    assert gone == "\r" + " " * 39 + "\r"


def test_no_bar_where_nobody_looks(capsys: pytest.CaptureFixture[str]) -> None:
    with Bar(1, ()) as bar:
        bar.count(1)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("seconds", "told"), [(0.4, "0 s"), (89, "89 s"), (90, "2 min"), (5369, "89 min"), (5400, "1.5 h"), (9000, "2.5 h")]
)
def test_how_long_it_takes(seconds: float, told: str) -> None:
    assert _time(seconds) == told


@pytest.mark.parametrize(
    ("settings", "coloured"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False), ({"NO_COLOR": ""}, True)],
)
def test_colours_are_for_terminals_that_want_them(settings: dict[str, str], coloured: bool) -> None:
    with screen() as (shown, _), mock.patch.dict(os.environ, {"TERM": "xterm", **settings}):
        if "NO_COLOR" not in settings:
            os.environ.pop("NO_COLOR", None)
        assert colour(shown) is coloured
    assert colour(io.StringIO()) is False
