"""`show --svg` and `show --png`: a position as a file."""

import struct
import sys
from pathlib import Path

import pytest

from referee.engine.player import open_view
from referee.evidence.replay import open_transcript
from referee.show import pictures
from referee.svg import NARROW
from tests.cli.terminal import Desk
from tests.cli.world import Ran, changes, check_refusal, run_here, tree
from tests.support.match import Sitting, other_program


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """A finished game of M.A.R.K. with its transcript, and Anna's view before anything was dealt."""
    sitting = Sitting("mark", seed="picture")
    root = tmp_path_factory.mktemp("picture") / "desk"
    new = sitting.view(0)
    desk = Desk(root, sitting.to_end())
    (root / "new.json").write_bytes(new)
    (root / "transcript.json").write_bytes(sitting.transcript())
    return desk


def draw(desk: Desk, *args: str, stdin: bytes = b"") -> Ran:
    return run_here("show", *args, cwd=desk.root, home=desk.home("Anna"), stdin=stdin)


def refused(desk: Desk, *args: str) -> Ran:
    """A refusal that wrote nothing."""
    before = tree(desk.root)
    ran = draw(desk, *args)
    check_refusal(ran)
    assert ran.out == b""
    assert {name for name in changes(before, tree(desk.root)) if "home" not in name} == set()
    return ran


def test_a_view_is_drawn_as_its_player_sees_it(desk: Desk) -> None:
    opened, path = desk.opened(0), desk.root / "board.svg"
    ran = draw(desk, desk.view(0), "--svg", path.name)
    assert (ran.exit, ran.out) == (0, b"")
    assert path.name in ran.said
    assert path.read_text() == pictures.svg(opened.chain, pictures.seen_in_view(opened))
    assert path.stat().st_mode & 0o777 == 0o600, "it can show a hand"


def test_an_earlier_round(desk: Desk) -> None:
    opened = desk.opened(1)
    first, last = (pictures.svg(opened.chain, pictures.seen_in_view(opened, number)) for number in (1, None))
    ran = draw(desk, desk.view(1), "--round", "1", "--svg", "first.svg")
    assert ran.exit == 0
    assert (desk.root / "first.svg").read_text() == first != last


def test_a_pipe(desk: Desk) -> None:
    data = (desk.root / desk.view(0)).read_bytes()
    opened = open_view(data)
    ran = draw(desk, "-", "--svg", "-", "--seat", "anna", stdin=data)
    assert ran.exit == 0
    assert ran.out.decode() == pictures.svg(opened.chain, pictures.seen_in_view(opened)) + "\n"


def test_a_transcript_is_drawn_for_a_player_or_for_everybody(desk: Desk) -> None:
    chain = open_transcript((desk.root / "transcript.json").read_bytes())
    wanted = {"carla.svg": (["--seat", "Carla"], 2), "all.svg": ([], None)}
    drawn = set()
    for name, (words, seat) in wanted.items():
        assert draw(desk, "transcript.json", "--svg", name, "--round", "7", *words).exit == 0
        text = (desk.root / name).read_text()
        assert text == pictures.svg(chain, pictures.seen_in_transcript(chain, 7, seat))
        drawn.add(text)
    assert len(drawn) == 2


@pytest.mark.parametrize(("words", "width"), [((), 600), (("--width", "360"), 360)])
def test_a_png(desk: Desk, words: tuple[str, ...], width: int) -> None:
    path = desk.root / "board.PNG"
    assert draw(desk, desk.view(0), "--png", path.name, *words).exit == 0
    made = path.read_bytes()
    assert struct.unpack(">I", made[16:20]) == (width,)
    opened = desk.opened(0)
    assert made == pictures.png(pictures.svg(opened.chain, pictures.seen_in_view(opened), width), width)


def test_a_board_for_a_phone(desk: Desk) -> None:
    """Everything narrower than 600 is."""
    opened = desk.opened(0)
    for width in (100, 599):
        assert draw(desk, desk.view(0), "--svg", "board.svg", "--width", str(width)).exit == 0
        assert (desk.root / "board.svg").read_text() == pictures.svg(
            opened.chain, pictures.seen_in_view(opened), NARROW
        )


def test_a_dry_run_writes_nothing(desk: Desk) -> None:
    ran = draw(desk, "transcript.json", "--png", "dry.png", "--dry-run")
    assert ran.exit == 0
    assert not (desk.root / "dry.png").exists()


@pytest.mark.parametrize(
    ("words", "exit", "said"),
    [
        ("{view} --svg a.svg --round 0", 2, "choose --round 1 to {last}"),
        ("{view} --svg a.svg --round {after}", 2, "choose --round 1 to {last}"),
        ("{view} --svg a.svg --round 2..3", 2, "after one round"),
        ("{view} --svg a.svg --seat Bert", 2, "its own player"),
        ("{view} --svg a.svg --seat Nobody", 2, "no player of that name"),
        ("{view} --svg a.svg --png a.png", 2, "--svg and --png exclude each other"),
        ("{view} --width 360", 2, "--width has no effect without --svg"),
        ("{view} --seat Anna", 2, "--seat has no effect without --svg"),
        ("{view} --round 3", 2, "--round has no effect without --story"),
        ("{view} --png a.png --width 99", 2, "--width"),
        ("{view} --png a.png --width 2001", 2, "--width"),
        ("{view} --svg no/such/folder/a.svg", 8, "cannot be written"),
        ("new.json --svg a.svg", 5, "nothing is dealt yet"),
        ("anna-home/key.json --svg a.svg", 7, "secret key"),
    ],
)
def test_refusals(desk: Desk, words: str, exit: int, said: str) -> None:
    last = desk.sitting.round
    ran = refused(desk, *words.format(view=desk.view(0), last=last, after=last + 1).split())
    assert ran.exit == exit
    assert said.format(last=last) in ran.said


def test_the_view_itself_is_not_overwritten(desk: Desk) -> None:
    Path(desk.root / "named.svg").write_bytes((desk.root / desk.view(0)).read_bytes())
    assert refused(desk, "named.svg", "--svg", "./named.svg").exit == 2


def test_a_game_without_a_picture(desk: Desk) -> None:
    with other_program("mark", same_code=True, picture=None):
        ran = refused(desk, desk.view(0), "--svg", "a.svg")
    assert (ran.exit, "M.A.R.K. has no picture" in ran.said, "referee show" in ran.said) == (2, True, True)


@pytest.mark.parametrize("package", ["resvg_py", "fontpkg_inter", "PIL.Image"])
def test_without_the_packages_for_pixels(desk: Desk, monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    ran = refused(desk, desk.view(0), "--png", "a.png")
    assert (ran.exit, "pip install resvg-py fontpkg-inter pillow" in ran.said) == (2, True)
    assert draw(desk, desk.view(0), "--svg", "-").exit == 0
