"""A stranger's folder is checked from its files alone: nothing that it names or holds is run, imported or asked for."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from referee.tournament import documents as d
from referee.tournament.check import ready
from referee.tournament.entrants import make_bot
from referee.tournament.spec import GameLine
from tests.cli.terminal import Terminal
from tests.cli.world import Ran, check_refusal, raw_controls, run, run_here
from tests.tournament import world

REFEREE = str(Path(sys.executable).with_name("referee"))
DECIDE = """
def decide(terms, seen, below):
    from referee.games.mark import GAME
    return GAME.bots["random"](terms, seen, below)
"""


def trap(mark: Path, name: str) -> str:
    """Python that leaves a mark wherever it runs."""
    return f"open({str(mark)!r}, 'a').write({name + ' '!r})\n"


class Stranger:
    """A finished tournament in `cup`, in which every rule was kept. Its ledger names a command, and a module that lies
    beside it; both leave a mark when they run."""

    def __init__(self, root: Path) -> None:
        self.root, self.cup, self.mark = root, root / "cup", root / "mark"
        code = trap(self.mark, "command")
        self.words = (os.path.realpath(sys.executable), "-c", code)
        (self.cup / "nice").mkdir(parents=True)
        (self.cup / "nice/__init__.py").write_text(trap(self.mark, "package"))
        (self.cup / "nice/bot.py").write_text(trap(self.mark, "module") + DECIDE)
        before = os.getcwd()
        os.chdir(self.cup)
        try:
            bots = {
                "command": make_bot(self.words, program=True),
                "module": make_bot(["nice.bot:decide"], program=False),
            }
            desk = world.desk_in(self.cup)
            games = (world.played(GameLine("mark", 2)),)
            desk.commit("Nice", games, d.Schedule("round-robin"), world.USUAL_LIMITS, bytes(32))
            desk.enter(bots)
            desk.close()
            desk.start(unconfined=True)
            world.pretend(desk, ("random", "random"))
        finally:
            os.chdir(before)

    @property
    def ran(self) -> str:
        return self.mark.read_text() if self.mark.exists() else ""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Stranger:
    made = Stranger(tmp_path_factory.mktemp("stranger"))
    assert made.ran == "", "to enter bots, and to take them in, runs none"
    return made


@pytest.fixture
def stranger(made: Stranger) -> Stranger:
    made.mark.unlink(missing_ok=True)
    return made


def test_the_traps_work(stranger: Stranger) -> None:
    subprocess.run(stranger.words, check=True)
    subprocess.run([sys.executable, "-c", "import nice.bot"], cwd=stranger.cup, check=True)
    assert stranger.ran == "command package module "


@pytest.mark.parametrize("again", [(), ("--again", "0")])
@pytest.mark.parametrize("cwd", [".", "cup", "cup/nice"])
def test_a_check_runs_and_imports_nothing(stranger: Stranger, cwd: str, again: tuple[str, ...]) -> None:
    here = stranger.root / cwd
    before, path, modules = world.tree(stranger.cup), [*sys.path], {*sys.modules}
    ran = run_here(
        "tournament", "check", os.path.relpath(stranger.cup, here), *again, cwd=here, home=stranger.root / "home"
    )
    assert ran.exit == 0, ran.said
    assert b"2 games checked, 2 of them with signatures, 0 replayed, 0 differences" in ran.out
    assert stranger.ran == ""
    assert world.tree(stranger.cup) == before
    assert sys.path == path
    assert "nice" not in {*sys.modules} - modules


def check_again(stranger: Stranger, *more: str) -> Ran:
    return run_here("tournament", "check", ".", "--again", "2", *more, cwd=stranger.cup, home=stranger.root / "home")


def test_without_anybody_to_ask_nothing_is_played_again(stranger: Stranger) -> None:
    ran = check_again(stranger, "--json")
    check_refusal(ran, (2,))
    assert "in a sandbox" in ran.said
    assert b'"runs-programs"' in ran.out
    assert stranger.ran == ""
    assert "  nice.bot:decide\n" in ran.said
    assert " -c " in ran.said


def test_at_a_terminal_it_asks_and_no_means_no(stranger: Stranger) -> None:
    words = ["tournament", "check", ".", "--again", "2"]
    person = Terminal(words, cwd=stranger.cup, home=stranger.root / "home")
    shown = person.wait_for("Run them? [y/N]")
    assert "  nice.bot:decide\n" in shown
    person.answer("")
    status, text = person.end()
    assert (status, "Nothing was changed" in text) == (130, True)
    assert stranger.ran == ""


@pytest.mark.thorough
def test_whoever_agrees_runs_them_behind_walls_whatever_the_ledger_says(stranger: Stranger) -> None:
    """The ledger says that bots ran without a sandbox; here their traps cannot write, so they fail."""
    ran = check_again(stranger, "--yes", "--json")
    assert ran.exit == 0, ran.said
    found = json.loads(ran.out)
    assert (found["games"], found["again"], found["differs"]) == (2, 2, [])
    assert sum("a bot failed" in note for note in found["notes"]) == 2
    assert stranger.ran == ""


def test_where_no_sandbox_works_nothing_is_played_again(stranger: Stranger) -> None:
    words = ("tournament", "check", ".", "--again", "2", "--yes", "--json")
    ran = run(*words, cwd=stranger.cup, home=stranger.root / "home", env={"PATH": str(stranger.root)})
    check_refusal(ran, (2,))
    assert b'"no-sandbox"' in ran.out
    assert "--unconfined" not in ran.said, "there is no such thing here"
    assert stranger.ran == ""


NASTY = ("sh", "-c", "\x1b]0;owned\x07\x1b[2J\nreboot\u202e; $(x)")


def test_what_would_run_is_shown_without_tricks_and_what_is_too_long_does_not_run(tmp_path: Path) -> None:
    pipe, long = tmp_path / "pipe", ("sh", "-c", "x" * 400, "y" * 400)
    os.mkfifo(pipe)
    bots = {
        "nasty": make_bot(NASTY, program=True),
        "long": make_bot(long, program=True),
        "piped": d.Bot(("sh",), "0" * 64, True, (str(pipe), "/dev/zero")),
        "gone": d.Bot(("no-such-program",), "0" * 64, True),
        "late": make_bot(["sh", "-c", "exit"], program=True, deterministic=False),
    }
    desk = world.desk_in(tmp_path / "more")
    desk.commit(
        "More", (world.played(GameLine("auction", 2)),), d.Schedule("round-robin"), world.USUAL_LIMITS, bytes(32)
    )
    desk.enter(bots)
    desk.close()
    for name, entrant in desk.part.entrants.items():  # who starts a tournament would notice the pipe
        key = d.kept_key(world.KEY, desk.part.id, entrant.name)
        desk.add(d.disclose(key, desk.part.id, desk.part.ids["closing"], name))
    found = ready(desk.ledger)
    assert found.names == {"nasty"}
    (shown,) = found.commands
    assert raw_controls(shown.encode()) == []
    assert "\n" not in shown
    assert "reboot" in shown
    assert r"\x1b]0;owned\x07" in shown
    assert len(found.notes) == 4
    assert "long is too long to show" in " ".join(map(str, found.notes))


@pytest.mark.parametrize("name", ["games/000000.jsonl.gz", "results.json", "ledger.jsonl"])
def test_nothing_is_waited_for_where_a_pipe_lies_instead_of_a_file(
    stranger: Stranger, tmp_path: Path, name: str
) -> None:
    cup = Path(shutil.copytree(stranger.cup, tmp_path / "cup"))
    (cup / name).unlink()
    os.mkfifo(cup / name)
    check_refusal(run_here("tournament", "check", "cup", cwd=tmp_path), (6, 7, 8))
    check_refusal(run_here("verify", "cup", cwd=tmp_path), (2,))


def test_pages_are_not_written_through_a_link(stranger: Stranger, tmp_path: Path) -> None:
    cup = Path(shutil.copytree(stranger.cup, tmp_path / "cup"))
    (tmp_path / "mine").mkdir()
    (cup / "pages").symlink_to(tmp_path / "mine")
    check_refusal(run_here("tournament", "extract", "cup", "--pages", cwd=tmp_path), (8,))
    assert list((tmp_path / "mine").iterdir()) == []
    (cup / "pages").unlink()
    assert run_here("tournament", "extract", "cup", "--pages", cwd=tmp_path).exit == 0
    assert len(list((cup / "pages").iterdir())) == 2
