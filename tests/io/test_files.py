"""Files: planted links, modes, names chosen by others, locks, limits."""

import copy
import fcntl
import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from referee.crypto.envelope import ident
from referee.errors import FileTrouble, Malformed
from referee.io import files
from tests.cli.terminal import REFEREE
from tests.cli.world import GAME, World, changes, check_refusal, envelope, environment, run, run_here, tree
from tests.support import waiting


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> World:
    return World(tmp_path_factory.mktemp("files") / "desk", rounds=3)


@pytest.fixture
def world(made: World, tmp_path: Path) -> World:
    mine = copy.copy(made)
    mine.root = tmp_path / "desk"
    shutil.copytree(made.root, mine.root)
    return mine


def mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


# --- planted links ----------------------------------------------------------------------------------------------------

WRITES = {
    "play": ("anna", ["play", "anna.view.json", "--move", "pass red", "-o", "target"]),
    "view": ("hanna", ["show", "game.json", "--view", "Anna", "-o", "target"]),
    "apply": ("hanna", ["apply", "game.json", "move.json", "--out", "views"]),
}


@pytest.mark.parametrize("command", WRITES)
def test_a_link_in_the_place_of_a_result_is_not_followed(world: World, command: str) -> None:
    """The other file keeps its content; the link is replaced by the result."""
    root = world.root
    (root / "views").mkdir()
    precious = root / "precious.txt"
    precious.write_text("precious")
    sent = [world.view_name(name, 4) for name in ("anna", "bert")]
    id = ident("move", bytes(envelope((root / "move.json").read_bytes()).body))
    sent.append(world.view_name(f"anna-{id[:6]}", 4).replace("view", "receipt"))
    links = [root / "views" / name for name in sent] if command == "apply" else [root / "target"]
    for link in links:
        link.symlink_to(precious)
    who, args = WRITES[command]
    ran = run_here(*args, cwd=root, home=root / f"{who}-home")
    assert ran.exit == 0, ran.said
    assert precious.read_text() == "precious"
    assert all(not link.is_symlink() and link.read_bytes().startswith(b"{") for link in links)


@pytest.mark.parametrize("target", ["precious.txt", "nowhere", "/dev/full", "."])
def test_planted_temporary_file(tmp_path: Path, target: str) -> None:
    """A link under the name of the temporary file, planted by somebody who guessed it, is not followed either."""
    precious = tmp_path / "precious.txt"
    precious.write_text("precious")
    (tmp_path / f".game.json.{os.getpid()}.tmp").symlink_to(target if target[0] == "/" else tmp_path / target)
    files.write({str(tmp_path / "game.json"): b"new"}, secret=[str(tmp_path / "game.json")])
    assert (tmp_path / "game.json").read_bytes() == b"new"
    assert not (tmp_path / "game.json").is_symlink()
    assert precious.read_text() == "precious"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game.json", "precious.txt"]


def test_planted_temporary_folder(tmp_path: Path) -> None:
    """A folder in its place is reported; the old file stays."""
    (tmp_path / "game.json").write_bytes(b"old")
    (tmp_path / f".game.json.{os.getpid()}.tmp").mkdir()
    with pytest.raises(FileTrouble):
        files.write({str(tmp_path / "game.json"): b"new"})
    assert (tmp_path / "game.json").read_bytes() == b"old"


def test_planted_lock(world: World) -> None:
    """A link in place of the lock is refused; its target is neither created nor changed."""
    (world.root / "game.json.lock").symlink_to("elsewhere")
    before = tree(world.root)
    ran = run_here("apply", "game.json", "move.json", "--out", "views", cwd=world.root, home=world.host_home)
    check_refusal(ran, (8,))
    assert changes(before, tree(world.root)) == set()


@pytest.mark.parametrize("link", ["link.json", "elsewhere/link.json"])
def test_a_game_file_that_is_a_link(world: World, link: str) -> None:
    """The real file is locked and replaced, and the link stays what it is: there is one game, whatever its name."""
    root = world.root
    (root / "elsewhere").mkdir()
    (root / link).symlink_to(root / "game.json")
    old = (root / "game.json").read_bytes()
    with open(root / "game.json.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(files, "PATIENCE", 0)
            ran = run_here("apply", link, "move.json", "--out", "views", cwd=root, home=world.host_home)
        check_refusal(ran, (8,))
        assert (root / "game.json").read_bytes() == old
    ran = run_here("apply", link, "move.json", "--out", "views", cwd=root, home=world.host_home)
    assert ran.exit == 0, ran.said
    assert os.readlink(root / link) == str(root / "game.json")
    assert not (root / (link + ".lock")).exists()
    after = (root / "game.json").read_bytes()
    assert after != old
    assert run_here("apply", "game.json", "move.json", "--out", "views", cwd=root, home=world.host_home).exit == 0
    assert (root / "game.json").read_bytes() == after, "the same game under its own name: the move is there already"


@pytest.mark.parametrize(
    "command", [["apply", "other.json", "move.json"], ["apply", "other.json", "--timeout", "Anna"]]
)
def test_a_game_file_with_two_names(world: World, command: list[str]) -> None:
    """One of the two would stay behind and could be played on: refused under both names."""
    root = world.root
    os.link(root / "game.json", root / "other.json")
    before = tree(root)
    for name in ("other.json", "game.json"):
        args = [name if word == "other.json" else word for word in command]
        ran = run_here(*args, "--out", "views", "--json", cwd=root, home=world.host_home)
        check_refusal(ran, (8,))
        assert b'"code":"linked"' in ran.out
    assert changes(before, tree(root)) == set()
    (root / "other.json").unlink()
    ran = run_here("apply", "game.json", "move.json", "--out", "views", cwd=root, home=world.host_home)
    assert ran.exit == 0, ran.said


@pytest.mark.parametrize("round", [0, 3, 4])
def test_a_game_file_called_like_a_view(world: World, round: int) -> None:
    """What is sent out never takes the place of the game file."""
    root, name = world.root, world.view_name("anna", round)
    (root / name).write_bytes((root / "game.json").read_bytes())
    before = tree(root)
    commands = {
        4: ["apply", name, "move.json"],
        3: ["show", name, "--view", "Anna"],
        0: ["start", "offer.json", "anna.join.json", "bert.join.json", "-o", f"new/{name}", "--out", "./new"],
    }
    for args in (commands[round], ["show", name, "--view", "Anna", "-o", f"../desk/{name}"]):
        ran = run_here(*args, cwd=root, home=root / "elsewhere-home" if args[0] == "start" else world.host_home)
        check_refusal(ran, (2, 8))
        assert re.search("overwrite the game file|overwrite a file", ran.said)
        assert changes(before, tree(root)) == set()


def test_results_take_the_place_of_nothing_that_is_read(world: World) -> None:
    """Not of the view that is answered, nor of the key that signs."""
    root, home = world.root, world.root / "anna-home"
    before = tree(root)
    for args in (
        ["play", "anna.view.json", "--move", "pass red", "-o", "./anna.view.json"],
        ["play", "anna.view.json", "--move", "pass red", "-o", "anna-home/key.json"],
        ["play", "anna.view.json", "--move", "pass red", "--key", "key.json", "-o", "key.json"],
    ):
        check_refusal(run_here(*args, cwd=root, home=home), (2,))
    assert changes(before, tree(root)) == set()


# --- pipes ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "args",
    [["show", "pipe"], ["audit", "anna.view.json", "pipe"], ["apply", "game.json", "pipe"], ["verify", "pipe"],
     ["show", "pipe", "--moves"], ["play", "pipe", "-o", "out.json"], ["join", "pipe", "-o", "out.json"],
     ["apply", "pipe", "move.json"]],
    ids=" ".join,
)  # fmt: skip
def test_a_named_pipe_that_nobody_writes_to(world: World, args: list[str]) -> None:
    """It counts as empty, or as not a regular file: no command waits for it."""
    os.mkfifo(world.root / "pipe")
    with waiting.within():
        ran = run_here(*args, cwd=world.root, home=world.host_home)
    check_refusal(ran, (7, 8))


def test_a_named_pipe_in_a_folder_is_skipped(world: World) -> None:
    (world.root / "loot").mkdir()
    os.mkfifo(world.root / "loot" / "transcript.json")
    check_refusal(run_here("verify", "loot", cwd=world.root), (2,))


def test_a_pipe_with_a_writer_is_read(world: World) -> None:
    """As a shell makes them: `referee show <(cat view)`. What is not written yet is waited for."""
    pipe = world.root / "pipe"
    os.mkfifo(pipe)
    with open(os.open(pipe, os.O_RDWR), "wb") as writer:
        process = subprocess.Popen([REFEREE, "show", "pipe"], cwd=world.root, stdout=subprocess.PIPE,
                                   env=environment(world.root / "anna-home"))  # fmt: skip
        waiting.opened(process, pipe)
        waiting.until(lambda: waiting.asleep(process))
        writer.write((world.root / "anna.view.json").read_bytes())
    out, _ = process.communicate(timeout=waiting.LIMIT)
    assert process.returncode == 0
    assert b"you are Anna" in out


# --- modes ------------------------------------------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize("umask", [0o000, 0o022, 0o777])
def test_secret_files_are_readable_by_their_owner_only(world: World, umask: int) -> None:
    """Keys, game files, views and receipts have mode 0600, whatever the umask; a game file that was open to all is
    closed again."""
    root = world.root
    (root / "game.json").chmod(0o666)
    commands = [
        ("hanna", ["key", "new", "--name", "Zoe", "-o", "zoe.json"]),
        ("new", ["key", "new", "--name", "Zoe"]),
        ("elsewhere", ["start", "offer.json", "anna.join.json", "bert.join.json", "-o", "new.json", "--out", "."]),
        ("hanna", ["apply", "game.json", "move.json", "--out", "."]),
    ]
    code = f"import os; os.umask({umask}); from referee.cli import main; main()"
    for who, args in commands:
        made = subprocess.run([sys.executable, "-c", code, *args], cwd=root, capture_output=True, text=True,
                              check=False, env=environment(root / f"{who}-home"))  # fmt: skip
        assert made.returncode == 0, made.stderr
    secrets = [root / "zoe.json", root / "new-home" / "key.json", root / "new.json", root / "game.json"]
    sent = [*root.glob("*-r00[04]-*.view.json"), *root.glob("*-r004-*.receipt.json")]
    assert len(sent) == 5, "two views of each game, one receipt"
    assert {oct(mode(path)) for path in (*secrets, *sent)} == {"0o600"}


def test_a_secret_file_is_never_readable_by_others_even_briefly(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The temporary file has the mode from the start."""
    seen = []
    opened = os.open

    def spy(path: str, flags: int, mode: int = 0o777, **more: int) -> int:
        handle = opened(path, flags, mode, **more)
        if flags & os.O_CREAT and os.path.basename(path).startswith(".game.json"):
            seen.append(stat.S_IMODE(os.fstat(handle).st_mode))
        return handle

    monkeypatch.setattr(os, "open", spy)
    assert run_here("apply", "game.json", "move.json", "--out", "v", cwd=world.root, home=world.host_home).exit == 0
    assert seen == [0o600]


# --- names ------------------------------------------------------------------------------------------------------------

WILD = [
    "../../etc/passwd", "/etc/passwd", "..", ".", "", "~", "a/b", "a\\b", "con", "NUL", "C:evil", "$(reboot)", "`id`",
    "-rf", "--out", "*", "名前", "Ünïcödé", "\u202e", "x" * 500, ".hidden", "a\0b", "a\nb", "İ", "ß", "ﬀ", "１２", "²",
]  # fmt: skip


@pytest.mark.parametrize("name", WILD)
def test_slug_never_yields_a_path(name: str) -> None:
    """Letters, digits and a number: nothing in a name chooses where a file goes."""
    for names in ((name,), (name, name), ("anna", name), (name, "player-1"), ("player", name)):
        made = [files.slug(seat, names) for seat in range(len(names))]
        assert len(set(made)) == len(made), f"two players share a file: {made}"
        for slug in made:
            assert slug == os.path.basename(slug)
            assert slug.isascii()
            assert slug.replace("-", "").isalnum()
            assert slug[0] != "-"
            assert 1 <= len(slug) <= 30


def test_slugs_of_all_players_differ() -> None:
    """Even where one player's plain name is what another's is turned into."""
    for names in (
        ("Anna", "Änna", "nna"),
        ("Bo", "B o", "bo-2", "Bo2"),
        ("名", "前", "Player 1", "player2"),
        ("a", "A "),
        ("李", "player1", "player-1", "Player 1"),
        ("Jörg", "Joerg", "joerg 1"),
    ):
        made = [files.slug(seat, names) for seat in range(len(names))]
        assert len(set(made)) == len(names), made


@pytest.mark.parametrize(
    ("name", "plain"),
    [("Jörg", "joerg"), ("Ärzte", "aerzte"), ("Müller", "mueller"), ("Weiß", "weiss"), ("ÖÄÜ", "oeaeue"),
     ("Zoë", "zoe"), ("Łukasz", "lukasz"), ("Søren", "soeren"), ("María José", "mariajose"), ("Þór", "thor"),
     ("Çelik", "celik"), ("R2D2", "r2d2"), ("İpek", "ipek"), ("Jo\u0308rg", "joerg"), ("李雷", "player-2")],
)  # fmt: skip
def test_file_names_say_game_round_player_and_kind(name: str, plain: str) -> None:
    """Letters with marks are spelled as people would without them, not left out."""
    made = files.file_name("be4f2750" + 56 * "0", 12, 1, ("Anna", name), "view")
    assert made == f"be4f2750-r012-{plain}.view.json"
    known = plain if "player" not in plain else "player-0123ab"
    assert files.join_name("0c9fb6a1" + 56 * "f", name, "0123abcd" * 8) == f"0c9fb6a1-{known}.join.json"


def test_receipts_do_not_overwrite_each_other(world: World) -> None:
    """A move in time, and another one of that player and round: a receipt for each."""
    root = world.root
    moves = {"one.json": world.answers()[0], "two.json": world.answers(pick=-1)[0]}
    for name, data in moves.items():
        (root / name).write_bytes(data)
    one, two = (ident("move", bytes(envelope(data).body))[:6] for data in moves.values())
    assert one != two
    for game, move, status in (
        ("game.json", "one.json", 0),
        ("game.json", "two.json", 5),
        ("game.json", "one.json", 0),
    ):
        assert run_here("apply", game, move, "--out", "v", cwd=root, home=world.host_home).exit == status
    base = world.view_name("anna", 4).removesuffix(".view.json")
    found = {path.name for path in (root / "v").glob("*.receipt.json")}
    assert found == {f"{base}-{end}.receipt.json" for end in (one, f"{two}-stale")}


def test_shown_paths_are_printable() -> None:
    for path in (*WILD, "\x1b]0;x\x07", "\udcff", "\x9b", "a" * 5000):
        assert files.printable(path).isprintable()
    for path in ("Jörg/ß.view.json", "名前.json", "a b"):
        assert files.printable(path) == path, "a plain name is shown as it was typed"
    assert files.printable("\u202eö\x1b[2J\udcff") == "\\u202eö\\x1b[2J\\udcff"


# --- locks ------------------------------------------------------------------------------------------------------------


def test_a_locked_game_says_so(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process holds the lock for too long: nothing happens, and the message says why."""
    monkeypatch.setattr(files, "PATIENCE", 0)
    with open(world.root / "game.json.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        before = tree(world.root)
        for args in (["apply", "game.json", "move.json"], ["apply", "game.json", "--timeout", "Anna"]):
            ran = run_here(*args, "--out", "views", "--json", cwd=world.root, home=world.host_home)
            check_refusal(ran, (8,))
            assert b'"code":"locked"' in ran.out
            assert "in use by another" in ran.said
        assert changes(before, tree(world.root)) == set()
        assert run_here("show", "game.json", cwd=world.root, home=world.host_home).exit == 0, "reading needs no lock"


def test_a_lock_that_is_let_go_is_taken(world: World) -> None:
    """A short wait is not an error."""
    with open(world.root / "game.json.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        process = subprocess.Popen([REFEREE, "apply", "game.json", "move.json", "--out", "views"], cwd=world.root,
                                   env=environment(world.host_home), stderr=subprocess.DEVNULL)  # fmt: skip
        waiting.tries(process, world.root / "game.json.lock")
        assert not (world.root / "views").exists()
        fcntl.flock(lock, fcntl.LOCK_UN)
        assert waiting.ended(process) == 0
        assert (world.root / "views").exists()


def test_a_lock_file_left_behind_locks_nobody_out(world: World) -> None:
    (world.root / "game.json.lock").write_bytes(b"")
    assert run_here("apply", "game.json", "move.json", "--out", "v", cwd=world.root, home=world.host_home).exit == 0


# --- limits -----------------------------------------------------------------------------------------------------------


def test_limits(tmp_path: Path) -> None:
    """Exactly the limit is read, one byte more is not, and no more than that is ever taken into memory."""
    path = tmp_path / "file"
    path.write_bytes(b"x" * 1000)
    assert files.read(str(path), 1000, "move") == b"x" * 1000
    with pytest.raises(Malformed) as caught:
        files.read(str(path), 999, "move")
    assert caught.value.code == "too-large"
    path.write_bytes(b"")
    with pytest.raises(Malformed) as caught:
        files.read(str(path), 999, "move")
    assert caught.value.code == "empty"


@pytest.mark.thorough
def test_a_file_without_end_costs_bounded_memory(world: World) -> None:
    """/dev/zero has no end; with 300 MB of address space the refusal still comes."""
    code = (
        "import resource; from referee.cli import main; import referee.cli.app;"
        "resource.setrlimit(resource.RLIMIT_AS, (400_000_000, 400_000_000)); main()"
    )
    for args in (["show", "/dev/zero"], ["apply", "game.json", "/dev/zero"], ["join", "/dev/zero"]):
        made = subprocess.run([sys.executable, "-c", code, *args], cwd=world.root, capture_output=True, text=True,
                              check=False, timeout=waiting.LIMIT, env=environment(world.host_home))  # fmt: skip
        assert made.returncode == 7, made.stderr
        assert "is larger than any" in made.stderr


def test_documented_limits(world: World) -> None:
    """1,000,000 bytes for small documents, 64,000,000 for large ones: met exactly they are read, one more is not."""
    for limit, args in ((1_000_000, ["apply", "game.json", "big"]), (64_000_000, ["show", "big"])):
        for size, said in ((limit, "a damaged one"), (limit + 1, "is larger than any")):
            with open(world.root / "big", "wb") as file:
                file.truncate(size)
            ran = run_here(*args, cwd=world.root, home=world.host_home)
            check_refusal(ran, (7,))
            assert said in ran.said


@pytest.mark.thorough
def test_a_document_of_exactly_the_limit_is_good(world: World) -> None:
    """Newlines that a mailer added count as bytes of the file, and are no part of the document."""
    for limit, args, name, who in (
        (1_000_000, ["apply", "game.json", "big"], "move.json", "hanna-home"),
        (64_000_000, ["show", "big"], "anna.view.json", "anna-home"),
    ):
        data = (world.root / name).read_bytes()
        for size, expected in ((limit, 0), (limit + 1, 7)):
            (world.root / "big").write_bytes(data.ljust(size, b"\n"))
            ran = run_here(*args, cwd=world.root, home=world.root / who)
            assert ran.exit == expected, ran.said


def test_write_is_all_or_nothing(tmp_path: Path) -> None:
    """Where one of several files cannot be written, none is, and nothing is left lying about: no temporary file, and
    none of the folders that were made for them."""
    (tmp_path / "a").write_bytes(b"old")
    (tmp_path / "folder").mkdir()
    for bad in ("folder", "missing/x", "a/x", "n" * 300):
        made = [str(tmp_path / "new" / "deep" / "er"), str(tmp_path / "folder" / "inner")]
        with pytest.raises(FileTrouble):
            files.write(
                {str(tmp_path / "a"): b"new", str(tmp_path / "new/deep/er/b"): b"new", str(tmp_path / bad): b"new"},
                make=made,
            )
        assert (tmp_path / "a").read_bytes() == b"old"
        assert sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*")) == ["a", "folder"]
    with pytest.raises(FileTrouble):
        files.write({str(tmp_path / "b"): b"new"}, make=[str(tmp_path / "new"), str(tmp_path / "a" / "under")])
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["a", "folder"]
    files.write({str(tmp_path / "new/deep/er/b"): b"new"}, make=[str(tmp_path / "new/deep/er")])
    assert (tmp_path / "new/deep/er/b").read_bytes() == b"new"


@pytest.mark.thorough
def test_the_same_everywhere(tmp_path: Path) -> None:
    """Locale, hash seed, time zone and umask change nothing in what is written."""
    found = []
    for number, env in enumerate(
        ({"LC_ALL": "C", "TZ": "UTC", "PYTHONHASHSEED": "1"},
         {"LC_ALL": "C.UTF-8", "TZ": "Pacific/Kiritimati", "PYTHONHASHSEED": "2", "PYTHONUTF8": "1", "COLUMNS": "40"})
    ):  # fmt: skip
        world = World(tmp_path / f"desk{number}", rounds=3)
        ran = run("apply", "game.json", "move.json", "--out", "v", cwd=world.root, home=world.host_home, env=env)
        assert ran.exit == 0, ran.said
        shown = run("show", f"v/{world.view_name('anna', 4)}", cwd=world.root, env=env)
        assert shown.exit == 0, shown.said
        # A guard names its game file.
        told = {name: data.replace(bytes(world.root), b"") for name, (_, data) in tree(world.root).items()}
        found.append((told, ran.err))
    assert found[0] == found[1]


def test_results_go_where_they_were_asked_to_go(tmp_path: Path, world: World) -> None:
    """And nowhere else."""
    before = tree(world.root)
    ran = run_here("offer", GAME, "--seats", "2", "-o", str(tmp_path / "o.json"), cwd=world.root, home=world.host_home)
    assert ran.exit == 0
    assert changes(before, tree(world.root)) == set()
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["o.json"]
