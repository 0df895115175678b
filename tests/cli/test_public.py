"""A public view on the command line: who writes it, what reads it, and where it is called a view of no seat."""

import json
import shutil
from pathlib import Path

import pytest

from referee.engine.host import make_view
from tests.cli.world import World, finish, run_here


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    made = World(tmp_path_factory.mktemp("public") / "world")
    home = made.host_home
    written = run_here("show", "game.json", "--public", cwd=made.root, home=home)
    assert written.exit == 0, written.said
    return made


@pytest.fixture(scope="module")
def path(world: World) -> str:
    name = f"{world.match.table.id[:8]}-r003.public.view.json"
    assert (world.root / name).read_bytes().rstrip(b"\n") == make_view(world.match, None)
    return name


def test_everybody_may_read_the_file(world: World, path: str) -> None:
    assert (world.root / path).stat().st_mode & 0o044


@pytest.mark.parametrize(
    "words",
    [
        ("show",),
        ("show", "--story"),
        ("audit",),
        ("verify",),
        ("show", "--svg", "-"),
        ("page", "-o", "-"),
        ("dispute",),
    ],
    ids=lambda words: words[0],
)
def test_what_looks_reads_it(world: World, path: str, tmp_path: Path, words: tuple[str, ...]) -> None:
    command, *more = words
    shutil.copy(world.root / path, tmp_path)
    for home in (world.mover_home, tmp_path / "nobody"):
        ran = run_here(command, path, *more, cwd=tmp_path, home=home)
        assert ran.exit == 0, ran.said
        assert ran.out


def test_what_it_says_of_itself(world: World, path: str) -> None:
    told = {
        "show": " - round 3 - public view",
        "audit": f"the public view of game {world.match.table.id[:8]}, round 3: all checks passed",
        "verify": "a public view, round 3: audited",
    }
    for command, words in told.items():
        assert words in run_here(command, path, cwd=world.root, home=world.mover_home).out.decode()
    found = json.loads(run_here("show", path, "--json", cwd=world.root, home=world.mover_home).out)
    assert (found["you"], found["ask"], found["round"]) == (0, None, 3)
    assert not [face for faces in found["tokens"].values() for face in faces]


@pytest.mark.parametrize(
    "words", [("play",), ("play", "--yes"), ("show", "--moves"), ("play", "--tell", "back")], ids=" ".join
)
def test_what_needs_a_seat_says_so(world: World, path: str, words: tuple[str, ...]) -> None:
    command, *more = words
    ran = run_here(command, path, *more, cwd=world.root, home=world.mover_home)
    assert ran.exit == 2
    assert "this is a public view: it belongs to no seat" in ran.said
    assert "ask the host for your own view" in ran.said


def test_it_stands_beside_a_seats_view_and_for_it_in_a_recovery(world: World, path: str, tmp_path: Path) -> None:
    (tmp_path / "seat.view.json").write_bytes(make_view(world.match, 0))
    shutil.copy(world.root / path, tmp_path)
    both = run_here("verify", "seat.view.json", path, cwd=tmp_path, home=tmp_path / "nobody")
    assert both.exit == 0, both.said
    game = "again.json"
    ran = run_here("recover", path, "-o", game, cwd=tmp_path, home=world.host_home)
    assert ran.exit == 0, ran.said
    assert (tmp_path / game).exists()


@pytest.mark.parametrize("words", [("--view", "Anna", "--public"), ("--public", "--aid"), ("--aid",)], ids=" ".join)
def test_one_of_seat_and_public(world: World, words: tuple[str, ...]) -> None:
    ran = run_here("show", "game.json", *words, cwd=world.root, home=world.host_home)
    assert ran.exit == 2
    told = {2: "only a player's view has an aid", 3: "--view and --public exclude each other", 1: "without --view"}
    assert told[len(words)] in ran.said


def test_a_finished_game(tmp_path: Path) -> None:
    over = World(tmp_path / "over")
    finish(over)
    (over.root / "end.view.json").write_bytes(make_view(over.match, None))
    ran = run_here("show", "end.view.json", cwd=over.root, home=tmp_path / "nobody")
    assert ran.exit == 0, ran.said
    assert "The game is over." in ran.out.decode()
