"""What somebody is asked at a terminal, and what each answer does. The terminal is real, its process is this one."""

import contextlib
import copy
import fcntl
import io
import json
import os
import shutil
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
from referee.cli.common import confirm
from referee.crypto.codec import decode
from referee.crypto.envelope import ident
from referee.engine.player import open_view
from referee.engine.records import MoveFile
from referee.io.progress import Bar, _time
from referee.io.screen import colour
from tests.cli.world import World, changes, run_here, tree
from tests.mail.offices import NOW, playing
from tests.support.consult import consult


class Heard(NamedTuple):
    exit: int
    out: str
    err: str


@contextlib.contextmanager
def terminal(typed: str) -> Iterator[Any]:
    """Standard input from a terminal at which this was typed; when it ends, the user has left."""
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
    return typing(world.root, world.root / f"{who}-home", typed, *words)


def typing(folder: Path, home: Path, typed: str, *words: str) -> Heard:
    """A command in this folder, and what its user types."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    settings = {"REFEREE_HOME": str(home), "REFEREE_LANGUAGE": "en", "COLUMNS": "100"}
    status = 0
    with terminal(typed) as stdin, contextlib.chdir(folder), contextlib.ExitStack() as stack:
        stack.enter_context(mock.patch.dict(os.environ, settings))
        for name, value in {"argv": ["referee", *words], "stdin": stdin, "stdout": out, "stderr": err}.items():
            stack.enter_context(mock.patch.object(sys, name, value))
        try:
            main()
        except SystemExit as done:
            status = done.code if isinstance(done.code, int) else 0
    told = [stream.buffer.getvalue().decode() for stream in (out, err)]  # type: ignore[attr-defined]
    return Heard(status, *told)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> World:
    return World(tmp_path_factory.mktemp("asked") / "world", rounds=3)


@pytest.fixture
def world(made: World, tmp_path: Path) -> World:
    return moved(made, tmp_path / "world")


def moved(made: World, root: Path) -> World:
    """The same files in another folder."""
    mine = copy.copy(made)
    mine.root = root
    shutil.copytree(made.root, root)
    return mine


@pytest.mark.parametrize(
    ("typed", "taken", "said"),
    [
        ("y\n", True, True), ("\n", True, True), ("YES\n", True, True), ("maybe\nyes\n", True, True),
        ("n\n", False, True), ("No\n", False, True), ("", False, False),
    ],
)  # fmt: skip
def test_joining_is_asked_with_the_terms(world: World, typed: str, taken: bool, said: bool) -> None:
    ran = at_terminal(world, "bert", typed, "join", "offer.json", "-o", "new.join.json", "--name", "Berta")
    assert "Join this game as Berta? [Y/n] " in ran.err
    assert (world.root / "new.join.json").exists() is taken
    assert ran.exit == (0 if taken else 130)
    assert ("Type yes or no.\n" in ran.err) is typed.startswith("maybe")
    assert ("Nothing was signed." in ran.err) is (said and not taken)
    assert ("Nothing was changed." in ran.err) is not said


@pytest.mark.parametrize("more", [("--yes",), ("--dry-run",)])
def test_whoever_agrees_beforehand_is_not_asked(world: World, more: tuple[str, ...]) -> None:
    ran = at_terminal(world, "bert", "", "join", "offer.json", "-o", "new.join.json", *more)
    assert (ran.exit, "Take part" in ran.err) == (0, False)
    assert (world.root / "new.join.json").exists() is (more == ("--yes",))


@pytest.mark.parametrize(("typed", "done"), [("yes\n", True), ("\n", False), ("n\n", False)])
def test_nobody_is_dropped_without_a_question(world: World, typed: str, done: bool) -> None:
    name, seat = world.names[world.mover], str(world.mover + 1)
    words = ("apply", "game.json", "--timeout", seat, "--now")
    first = at_terminal(world, "hanna", "", *words, "2000-02-01T00:00Z")
    assert first.exit == 0
    assert "Drop " not in first.err
    before = tree(world.root)
    ran = at_terminal(world, "hanna", typed, *words, "2000-03-01T00:00Z")
    assert f"This is the second deadline in a row that {name} misses: the player will be dropped." in ran.err
    assert f"Drop {name}? [y/N] " in ran.err
    assert ran.exit == (0 if done else 130)
    assert bool(changes(before, tree(world.root))) is done
    assert ("Nothing was changed." in ran.err) is not done


@pytest.mark.parametrize(("typed", "signed"), [("y\n", True), ("\n", False)])
def test_a_second_answer_is_asked_about(world: World, typed: str, signed: bool) -> None:
    who = world.names[world.mover].lower()
    opened = open_view((world.root / world.mover_view).read_bytes())
    plain = [choice.move for choice in consult(opened, opened.table.game.legal) if not choice.parts]
    one, two = (msgspec.json.encode(move).decode() for move in plain[:2])
    assert (
        at_terminal(world, who, "", "play", world.mover_view, "--yes", "--move-json", one, "-o", "one.json").exit == 0
    )
    ran = at_terminal(world, who, typed, "play", world.mover_view, "--yes", "--move-json", two, "-o", "two.json")
    assert "Careful: you have already signed another answer for round 4: " in ran.err
    assert "The host accepts the one that arrives first." in ran.err
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


# --- protests ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def late(timed_out: World, tmp_path: Path) -> World:
    return moved(timed_out, tmp_path / "late")


@pytest.fixture(scope="module")
def timed_out(made: World, tmp_path_factory: pytest.TempPathFactory) -> World:
    """The player whose turn it is has signed `signed.json`, which never arrived, and was timed out in round 4."""
    world = moved(made, tmp_path_factory.mktemp("late") / "world")
    who, first = world.names[world.mover].lower(), move_json(world)
    assert (
        at_terminal(world, who, "", "play", world.mover_view, "--yes", "--move-json", first, "-o", "signed.json").exit
        == 0
    )
    past = ("apply", "game.json", "--timeout", str(world.mover + 1), "--now", "2000-02-01T00:00Z")
    assert at_terminal(world, "hanna", "", *past).exit == 0
    return world


def move_json(world: World) -> str:
    opened = open_view((world.root / world.mover_view).read_bytes())
    plain = [choice.move for choice in consult(opened, opened.table.game.legal) if not choice.parts]
    return msgspec.json.encode(plain[0]).decode()


def answer_late(world: World, typed: str, *more: str) -> tuple[Heard, str]:
    """Answer in round 5: what was heard, and the protest in the answer, as far as one was written."""
    who = world.names[world.mover].lower()
    view = world.view_name(who, 4)
    ran = at_terminal(world, who, f"\n{typed}", "play", view, "--move-json", move_json(world), "-o", "late.json", *more)
    made = world.root / "late.json"
    return ran, json.loads(made.read_bytes())["body"].get("protest", "") if made.exists() else "nothing"


def signed_before(world: World) -> str:
    return ident("move", bytes(decode((world.root / "signed.json").read_bytes(), MoveFile, "move").body))


@pytest.mark.parametrize(("typed", "added"), [("y\n", True), ("\n", False), ("n\n", False), ("what?\nyes\n", True)])
def test_a_protest_is_asked_about_and_never_the_default(late: World, typed: str, added: bool) -> None:
    ran, protest = answer_late(late, typed)
    assert ran.exit == 0
    assert "You were timed out in round 4, and had signed an answer for it." in ran.err
    assert "it does not say that the host lied" in ran.err
    assert "Add a protest? [y/N] " in ran.err
    assert protest == (signed_before(late) if added else "")
    assert ("you protest: you had signed an answer" in ran.err) is added


def test_whoever_leaves_at_the_question_has_signed_nothing(late: World) -> None:
    ran, protest = answer_late(late, "")
    assert (ran.exit, protest) == (130, "nothing")
    assert "Nothing was changed." in ran.err


@pytest.mark.parametrize(
    ("more", "protest", "told"),
    [
        (("--protest",), True, False), (("--protest", "--yes"), True, False), (("--no-protest",), False, False),
        (("--yes",), False, True),
    ],
)  # fmt: skip
def test_whoever_says_it_beforehand_is_not_asked(late: World, more: tuple[str, ...], protest: bool, told: bool) -> None:
    ran, made = answer_late(late, "", *more)
    assert (ran.exit, "Add a protest?" in ran.err) == (0, False)
    assert made == (signed_before(late) if protest else "")
    assert ("No protest was added; --protest adds one." in ran.err) is told


def test_a_script_is_informed_and_adds_none(late: World) -> None:
    who = late.names[late.mover].lower()
    words = ("play", late.view_name(who, 4), "--move-json", move_json(late), "-o", "late.json")
    ran = run_here(*words, cwd=late.root, home=late.mover_home)
    assert ran.exit == 0
    assert "No protest was added; --protest adds one." in ran.said
    assert "protest" not in json.loads((late.root / "late.json").read_bytes())["body"]


def test_a_protest_is_taken_and_counted_by_everybody(late: World) -> None:
    assert answer_late(late, "y\n")[0].exit == 0
    other = late.names[1 - late.mover].lower()
    name, view = late.names[late.mover], late.view_name(other, 4)
    assert "with a protest" in run_here("show", "late.json", cwd=late.root, home=late.mover_home).out.decode()
    assert at_terminal(late, other, "", "play", view, "-o", "link.json").exit == 0
    assert at_terminal(late, "hanna", "", "apply", "game.json", "late.json", "link.json").exit == 0
    view = late.view_name(other, 5)
    for files, how in (((view,), "only stated"), ((view, "signed.json"), "shown")):
        told = run_here("audit", *files, cwd=late.root, home=late.root / f"{other}-home").out.decode()
        assert f"1 late round ({name} 1)" in told
        assert f"protest in round 5: {name} had signed an answer for round 4 ({how})" in told


def test_nobody_protests_without_a_reason(world: World) -> None:
    """Neither a player who was not late, nor one whose tool knows of no answer for that round."""
    who, view = world.names[world.mover].lower(), world.mover_view
    words = ("--move-json", move_json(world), "-o", "new.json")
    calm = at_terminal(world, who, "\n", "play", view, *words)
    assert (calm.exit, "protest" in calm.err) == (0, False)
    (world.root / "new.json").unlink()
    shutil.rmtree(world.mover_home / "tickets")
    ran = at_terminal(world, who, "\n", "play", view, "--protest", *words)
    assert ran.exit == 2
    assert "you were not timed out since your last answer: there is nothing to protest against" in ran.err
    past = ("apply", "game.json", "--timeout", str(world.mover + 1), "--now", "2000-02-01T00:00Z")
    assert at_terminal(world, "hanna", "", *past).exit == 0
    late = world.view_name(who, 4)
    ran = at_terminal(world, who, "\n", "play", late, "--protest", *words)
    assert ran.exit == 2
    assert "there is no answer here that you signed for round 4" in ran.err
    assert not (world.root / "new.json").exists()
    quiet = at_terminal(world, who, "\n", "play", late, *words)
    assert (quiet.exit, "protest" in quiet.err) == (0, False)


# --- abandoning -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("typed", "done"), [("yes\n", True), ("\n", False), ("n\n", False), ("", False)])
def test_abandoning_is_asked_about(world: World, typed: str, done: bool) -> None:
    before = tree(world.root)
    ran = at_terminal(world, "hanna", typed, "reveal", "game.json", "--abandon", "-o", "end.json")
    assert "This publishes all secrets of the game and ends it for good; it cannot be undone." in ran.err
    assert "Abandon the game, without a result? [y/N] " in ran.err
    assert ran.exit == (0 if done else 130)
    assert bool(changes(before, tree(world.root))) is done
    assert ("Nothing was changed." in ran.err) is not done


@pytest.mark.parametrize("more", [("--yes",), ("--dry-run",)])
def test_whoever_is_sure_to_abandon_is_not_asked(world: World, more: tuple[str, ...]) -> None:
    before, words = tree(world.root), ("reveal", "game.json", "--abandon", "-o", "end.json")
    ran = at_terminal(world, "hanna", "", *words, *more)
    assert (ran.exit, "Abandon" in ran.err) == (0, False)
    assert bool(changes(before, tree(world.root))) is (more == ("--yes",))


def test_what_cannot_be_abandoned_is_not_asked_about(world: World) -> None:
    """One of two has left, and the game is over."""
    who = world.names[world.mover].lower()
    assert at_terminal(world, who, "", "play", world.mover_view, "--resign", "--yes", "-o", "leave.json").exit == 0
    assert at_terminal(world, "hanna", "", "apply", "game.json", "leave.json").exit == 0
    before = tree(world.root)
    ran = at_terminal(world, "hanna", "", "reveal", "game.json", "--abandon")
    assert (ran.exit, "Abandon the game" in ran.err) == (5, False)
    assert "the game is over: there is nothing to abandon" in ran.err
    assert changes(before, tree(world.root)) == set()


@pytest.mark.thorough
def test_an_office_asks_before_it_abandons(tmp_path: Path) -> None:
    office = playing(tmp_path)
    words = ("mail", "table", str(office.root), office.table(), "--abandon", "--now", NOW)
    for typed, done in (("\n", False), ("y\n", True)):
        before = tree(tmp_path)
        ran = typing(tmp_path, tmp_path / "home", typed, *words)
        assert "Abandon the game, without a result? [y/N] " in ran.err
        assert ran.exit == (0 if done else 130)
        assert bool(changes(before, tree(tmp_path))) is done


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


def test_no_bar_where_nobody_watches(capsys: pytest.CaptureFixture[str]) -> None:
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
