"""Whatever reads what others made runs and imports nothing of it: every such command, in a folder full of traps."""

import json
import shutil
import subprocess
import sys
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.cli.world import World, environment
from tests.tournament.test_strangers import Stranger, trap

ROOT = Path(__file__).parents[2]
REFEREE = str(Path(sys.executable).with_name("referee"))
OUTSIDE = (
    "babel", "bcrypt", "click", "cryptography", "dask", "distributed", "filelock", "fontpkg_inter", "imap_tools",
    "keyring", "msgspec", "PIL", "platformdirs", "resvg_py", "rich", "shellingham", "tornado", "typer",
    "typing_extensions", "sitecustomize", "usercustomize", "conftest", "high_card",
)  # fmt: skip
"""What we import of others, where it is installed, and what Python looks for by itself."""

COMMANDS: dict[tuple[str, ...], int] = {
    ("games",): 0,
    ("rules", "mark"): 0,
    ("conform", "--schemas", "OUT/schemas"): 0,
    ("show", "anna.view.json"): 0,
    ("show", "offer.json"): 0,
    ("show", "turn.eml"): 0,
    ("show", "--story", "anna.view.json"): 0,
    ("show", "--moves", "MOVER", "--json"): 0,
    ("audit", "anna.view.json"): 0,
    ("audit", "turn.eml"): 0,
    ("inbox", "."): 0,
    ("show", "anna.view.json", "--svg", "OUT/anna.svg"): 0,
    ("page", "transcript.json", "-o", "OUT/game.html"): 0,
    ("page", "--player", "-o", "OUT/player.html"): 0,
    ("show", "game.json", "--key", "hanna-home/key.json"): 0,
    ("recover", "anna.view.json", "bert.view.json", "-o", "OUT/again.json", "--key", "hanna-home/key.json"): 0,
    ("verify", "transcript.json", "anna.view.json"): 0,
    ("verify", "."): 0,
    ("dispute", "."): 0,
    ("join", "offer.json", "--name", "Carl", "--key", "key.json", "-o", "OUT/carl.json", "--yes"): 0,
    ("offer", "schwarzer-freitag", "--seats", "2", "--edition", "edition.json", "--key", "key.json", "-o", "OUT/o"): 0,
    ("tournament", "check", "cup"): 0,
    ("tournament", "check", "cup", "--again", "1"): 2,
    ("tournament", "check", "cup", "--line"): 0,
    ("tournament", "extract", "cup", "0", "-o", "OUT"): 0,
    ("tournament", "extract", "cup", "--pages"): 0,
    ("tournament", "enter", "cup/ledger.jsonl", "--disclose", "--key", "key.json", "-o", "OUT/disclosure.json"): 4,
    ("tournament", "enter", "open/ledger.jsonl", "--name", "mine", "--key", "key.json", "-o", "OUT/mine.json",
     "--", "nice.bot:decide"): 0,
    ("tournament", "next", "open", "--key", "organiser.json", "OUT/mine.json"): 0,
}  # fmt: skip
"""Command -> its exit status. MOVER is the view of whoever is asked, OUT a folder elsewhere."""

DRIVER = """
import json, os, sys
from pathlib import Path
hostile, out, words, ran = os.path.realpath(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3]), []
STARTS = ("subprocess.Popen", "os.exec", "os.posix_spawn", "os.spawn", "os.system", "os.fork", "os.forkpty",
          "pickle.find_class", "ctypes.dlopen")

def hook(event, args):
    if event in STARTS and not (event == "ctypes.dlopen" and hostile not in str(args)):
        ran.append(event)
    elif event == "exec" and getattr(args[0], "co_filename", "").startswith(hostile):
        ran.append("exec " + args[0].co_filename)
    elif event == "import" and any(os.path.realpath(one).startswith(hostile) for one in args[2] or ()):
        ran.append("path " + args[0])

os.chdir(hostile)
sys.path.insert(0, hostile)  # as `python -m` does
from referee import leave_here
leave_here()
sys.addaudithook(hook)
from tests.cli.world import run_here
told = []
for line in words:
    made = run_here(*line, cwd=Path(hostile), home=Path(out, "home"))
    told.append([made.exit, [*ran], made.said[-300:]])
    ran.clear()
sys.path.insert(0, hostile)
import nice
del sys.path[0]
import subprocess
subprocess.run(["true"])
print(json.dumps([told, ran]))
"""


def plant(folder: Path, mark: Path) -> None:
    """Traps under every name that a Python program may import, some as packages, and everything else that leads to
    code."""
    for number, name in enumerate(sorted({*sys.stdlib_module_names, *OUTSIDE} - {"__main__"})):
        if number % 2:
            (folder / f"{name}.py").write_text(trap(mark, name))
        else:
            (folder / name).mkdir(exist_ok=True)
            (folder / name / "__init__.py").write_text(trap(mark, name))
    (folder / "nice").mkdir()
    (folder / "nice/__init__.py").write_text(trap(mark, "nice"))
    (folder / "nice/bot.py").write_text(trap(mark, "nice.bot"))
    (folder / "games/evil").mkdir(parents=True, exist_ok=True)
    (folder / "games/evil/__init__.py").write_text(trap(mark, "games.evil"))
    (folder / "games/evil/edition.json").write_text("{}")
    (folder / "evil.pth").write_text("import " + trap(mark, "pth"))
    (folder / "evil-1.dist-info").mkdir()
    (folder / "evil-1.dist-info/METADATA").write_text("Metadata-Version: 2.1\nName: evil\nVersion: 1\n")
    points = "[pbem_referee.games]\nmark = nice\nevil = nice\n[pytest11]\nevil = nice\n"
    (folder / "evil-1.dist-info/entry_points.txt").write_text(points)
    (folder / "locale").mkdir(exist_ok=True)
    (folder / "locale/de.mo").write_bytes(b"\xde\x12\x04\x95")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, str]:
    """A folder with a file of every kind, full of traps; the mark that these leave; whose view is asked."""
    root = tmp_path_factory.mktemp("hostile")
    made = World(root / "here", rounds=3)
    shutil.copy(ROOT / "examples/mark/transcript.json", made.root)
    stranger = Stranger(root / "stranger")
    shutil.copytree(stranger.cup, made.root / "cup")
    (made.root / "organiser.json").write_bytes((made.root / "hanna-home/key.json").read_bytes())
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "host@example.org", "anna@example.org", "your turn"
    mail.set_content("see below")
    view = (made.root / "anna.view.json").read_bytes()
    mail.add_attachment(view, maintype="application", subtype="json", filename="anna.view.json")
    (made.root / "turn.eml").write_bytes(mail.as_bytes())
    spec = 'name = "X"\n[[games]]\ngame = "mark"\nseats = 2\n[[bots]]\nname = "a"\nrun = "nice.bot:decide"\n'
    (made.root / "cup.toml").write_text(spec + '[[bots]]\nname = "b"\nrun = ["python3", "-c", "0"]\n')
    plant(made.root, stranger.mark)
    return made.root, stranger.mark, made.mover_view


@pytest.mark.thorough
def test_no_command_that_reads_runs_or_imports_what_it_reads(place: tuple[Path, Path, str], tmp_path: Path) -> None:
    hostile, mark, mover = place
    mark.unlink(missing_ok=True)
    begin = ("tournament", "next", "cup.toml", "-o", "open", "--key", "organiser.json")
    commands = {begin: 0, **COMMANDS}
    given = [[word.replace("OUT", str(tmp_path)).replace("MOVER", mover) for word in one] for one in commands]
    done = subprocess.run(
        [sys.executable, "-P", "-c", DRIVER, str(hostile), str(tmp_path), json.dumps(given)],
        env=environment(tmp_path / "home", {"PYTHONPATH": str(ROOT)}), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    told, presence = json.loads(done.stdout)
    found = {one: (status, ran, said) for one, (status, ran, said) in zip(commands, told, strict=True)}
    assert [(one, ran) for one, (_, ran, _) in found.items() if ran] == []
    assert [(one, *rest) for one, rest in found.items() if rest[0] != commands[one]] == []
    assert mark.read_text() == "nice ", "it would be seen: this one was imported on purpose"
    assert any(one.startswith("exec ") for one in presence)
    assert "path nice" in presence
    assert "subprocess.Popen" in presence


SPAWNING = """
if __name__ == "__main__":
    import multiprocessing
    from referee.cli import run
    multiprocessing.set_start_method("spawn")
    run()
"""


@pytest.mark.thorough
@pytest.mark.parametrize("way", ["program", "module", "spawn"])
def test_neither_a_command_nor_its_workers_look_into_the_working_directory(
    place: tuple[Path, Path, str], tmp_path: Path, way: str
) -> None:
    """Whatever starts the processes. `python -m` itself looks there before we can say anything: not for these."""
    hostile, mark, _ = place
    mark.unlink(missing_ok=True)
    (tmp_path / "spawning.py").write_text(SPAWNING)
    start = {
        "program": [REFEREE],
        "module": [sys.executable, "-m", "referee"],
        "spawn": [sys.executable, str(tmp_path / "spawning.py")],
    }[way]
    if way == "module":
        hostile = Path(shutil.copytree(hostile / "cup", tmp_path / "cup"))
        for name in (*OUTSIDE[:-4], "json", "hashlib", "tomllib", "zlib", "gzip", "concurrent", "multiprocessing"):
            (hostile / f"{name}.py").write_text(trap(mark, name))
    check = ["tournament", "check", "." if way == "module" else "cup", "--jobs", "2"]
    env = environment(tmp_path / "home")
    done = subprocess.run([*start, *check], cwd=hostile, env=env, capture_output=True, text=True, check=False)
    assert not mark.exists(), mark.read_text()
    assert (done.returncode, "2 games checked" in done.stdout) == (0, True), done.stderr
    subprocess.run(
        [sys.executable, "-c", "import multiprocessing.spawn"], cwd=hostile, capture_output=True, check=False
    )
    assert "multiprocessing" in mark.read_text(), "the traps are there"
