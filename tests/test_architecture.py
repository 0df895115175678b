"""The shape of the project: layers, sizes, what a command loads, and that lists in documents are complete."""

import ast
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tokenize
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from referee import errors
from referee.cli.app import COMMANDS, build
from referee.io import files, keyfile
from tests.cli.world import keep_guard, run_here
from tests.support import waiting
from tests.support.match import Sitting

ROOT = Path(__file__).resolve().parents[1]
SOURCES = sorted((ROOT / "referee").rglob("*.py"))
HEAVY = {"pydantic", "rich", "typing_extensions", "jinja2", "email", "asyncio"}
"""Each of these would cost a command more time than its own work."""


# --- layers and sizes ------------------------------------------------------------------------------------------------


def test_import_layers() -> None:
    tool = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([tool, "--no-cache"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Contracts: 2 kept, 0 broken" in done.stdout


def test_sources_are_found() -> None:
    assert len(SOURCES) > 30


class Source(NamedTuple):
    """What tests ask of a source file, which is read and parsed once for all of them."""

    text: str
    docstring: str | None
    long: list[str]
    """Functions that are."""
    imported: set[str]
    """Packages other than ours."""
    prose: list[range]
    """The lines of its docstrings."""
    codes: set[tuple[str, str]]


@cache
def source(path: Path) -> Source:
    text = path.read_text("utf-8")
    tree = ast.parse(text)
    found = Source(text, ast.get_docstring(tree), [], set(), [], codes_in(tree))
    for node in ast.walk(tree):
        lines = range(getattr(node, "lineno", 0), (getattr(node, "end_lineno", 0) or 0) + 1)
        match node:
            case ast.FunctionDef() if len(lines) > 50:
                found.long.append(node.name)
            case ast.Expr(value=ast.Constant(value=str())):
                found.prose.append(lines)
            case ast.Import():
                found.imported.update(alias.name.split(".")[0] for alias in node.names)
            case ast.ImportFrom(level=0):
                found.imported.add((node.module or "").split(".")[0])
    return found


def test_no_file_and_no_function_is_long() -> None:
    assert [path.name for path in SOURCES if len(source(path).text.splitlines()) > 400] == []
    assert [(path.name, source(path).long) for path in SOURCES if source(path).long] == []


def code_lines(path: Path) -> int:
    """Lines that are neither blank nor comment nor docstring."""
    text = source(path).text
    blank = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    used = {
        number
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type not in blank
        for number in range(token.start[0], token.end[0] + 1)
    }
    return len(used.difference(*source(path).prose))


def test_the_core_can_be_read_in_one_sitting() -> None:
    rooms = ("game.py", "errors.py", "crypto", "engine")
    core = [path for path in SOURCES if path.relative_to(ROOT / "referee").parts[0] in rooms]
    assert sum(map(code_lines, core)) <= 3250


def test_every_module_says_what_it_is() -> None:
    assert [path for path in SOURCES if not source(path).docstring] == []


def test_the_engine_has_no_clock_and_no_chance_of_its_own() -> None:
    """Whatever decides outcomes is pure: what comes from outside is handed in."""
    for path in SOURCES:
        pure = "engine", "light", "crypto", "games", "game.py", "errors.py"
        if path.relative_to(ROOT / "referee").parts[0] not in pure:
            continue
        imported = source(path).imported.copy()
        if path.name == "promises.py" and "engine" in path.parts:
            # The calendar, to reckon with deadlines that others state.
            assert "from datetime import date\n" in source(path).text
            assert "today" not in source(path).text
            imported.discard("datetime")
        banned = {"random", "secrets", "time", "datetime", "uuid", "locale", "socket", "subprocess", "tempfile"}
        assert not imported & banned, path.name
        if path != ROOT / "referee/games/__init__.py":
            assert not imported & {"os", "pathlib", "sys", "io", "shutil"}, path.name


# --- what a command loads --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a game in its second round: keys, game file, views, and a move that can be applied."""
    folder = tmp_path_factory.mktemp("game")
    sitting = Sitting("schwarzer-freitag", 3, "architecture").until(1)
    (seat,) = sitting.asked
    contents = {
        "host.json": keyfile.dump(sitting.host),
        "player.json": keyfile.dump(sitting.players[seat]),
        "game.json": sitting.file(),
        "view.json": sitting.view(seat),
        "move.json": sitting.signed(seat),
        "mover": ("anna", "bert", "carla")[seat].encode(),
    }
    for name, data in contents.items():
        (folder / name).write_bytes(data)
    keep_guard(sitting.match, folder / "game.json", folder / "home")
    return folder


LOADED = """
import sys, json
sys.modules["typing_extensions"] = None  # our users have none; msgspec would load it where test tools brought it
sys.argv = ["referee", *sys.argv[1:]]
from referee.cli import main
try:
    main()
except SystemExit as error:
    code = error.code or 0
else:
    code = 0
sys.stderr.write("\\n" + json.dumps([code, sorted(name for name in sys.modules if sys.modules[name])]))
"""


def run(folder: Path, *command: str) -> tuple[int, set[str]]:
    """The exit status of a command, and all modules it had loaded at its end."""
    env = os.environ | {"REFEREE_HOME": str(folder / "home"), "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *command], cwd=folder, env=env, capture_output=True, stdin=subprocess.DEVNULL
    )
    code, modules = json.loads(done.stderr.splitlines()[-1])
    return code, set(modules)


@pytest.mark.parametrize(
    "command",
    [
        "apply game.json move.json --key host.json --out {out} --dry-run",
        "apply game.json move.json --key host.json --out {out}",
        "show game.json --key host.json",
        "show game.json --view 1 --key host.json -o {out}.json",
        "play view.json --key player.json --move pass -o {out}.json --dry-run",
        "show view.json",
        "show --moves view.json",
        "audit view.json",
        "apply --help",
    ],
)
def test_a_hot_command_loads_nothing_heavy(game: Path, tmp_path: Path, command: str) -> None:
    shutil.copytree(game, tmp_path, dirs_exist_ok=True)
    words = command.format(out=tmp_path / "out").split()
    code, modules = run(tmp_path, *words)
    # `pass` alone is refused where a mark must be named: that is a hot path too.
    assert code in ((0, 3) if words[0] == "play" else (0,))
    assert "referee.cli.app" in modules
    assert sorted(HEAVY & {name.split(".")[0] for name in modules}) == []
    # In English only what is typed is looked up, since it may be in any language.
    assert ("referee.lexicon" in modules) == (words[0] == "play")
    if command.startswith("apply game"):
        assert {"referee.engine.host", "referee.games.schwarzer_freitag.rules"} <= modules
        assert not {"referee.games.schwarzer_freitag.bots", "referee.bots"} & modules


def test_the_version_is_said_before_anything_is_loaded(tmp_path: Path) -> None:
    for words in (["--version"], ["--language", "de", "--version"], ["--language=xx", "--version"]):
        code, modules = run(tmp_path, *words)
        assert code == 0
        assert not {"msgspec", "typer", "referee.cli.app", "referee.language"} & modules
    assert run(tmp_path, "--version", "--nonsense")[0] == 2


def test_an_applied_move_is_written(game: Path, tmp_path: Path) -> None:
    """The command above really does its work."""
    shutil.copytree(game, tmp_path, dirs_exist_ok=True)
    code, _ = run(tmp_path, "apply", "game.json", "move.json", "--key", "host.json", "--out", "out")
    assert code == 0
    assert (tmp_path / "game.json").read_bytes() != (game / "game.json").read_bytes()
    names = [re.sub(r"^[0-9a-f]{8}|(?<=-)[0-9a-f]{6}(?=\.)", "ID", name) for name in os.listdir(tmp_path / "out")]
    views = [f"ID-r002-{name}.view.json" for name in ("anna", "bert", "carla")]
    assert sorted(names) == sorted([f"ID-r002-{(game / 'mover').read_text()}-ID.receipt.json", *views])


# --- commands --------------------------------------------------------------------------------------------------------


def commands() -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = [()]
    app = build()
    for command in app.registered_commands:
        found.append((command.name or command.callback.__name__,))  # type: ignore[union-attr]
    for group in app.registered_groups:
        found.append((str(group.name),))
        inner = group.typer_instance
        assert inner is not None
        found += [(str(group.name), str(command.name)) for command in inner.registered_commands]
    return found


def test_all_commands_are_there() -> None:
    assert {words[0] for words in commands() if words} == set(COMMANDS)
    assert len(COMMANDS) > 20


def test_no_command_asks_for_its_help_in_words_of_its_own() -> None:
    """All have them from the program as a whole."""
    waiting = [build()]
    while waiting:
        app = waiting.pop()
        inner = [group.typer_instance for group in app.registered_groups]
        own = [
            one.context_settings for one in (*app.registered_commands, *app.registered_groups, *(x.info for x in inner))
        ]
        assert not any("help_option_names" in settings for settings in own if isinstance(settings, dict))
        waiting += inner


EXPLAINED = [(words, "--help") for words in commands()]
EXPLAINED += [(words, "-h") for words in ((), ("apply",), ("mail",), ("mail", "run"))]
"""The short word as well: for the program, a command, a group and a command of a group."""


@pytest.mark.thorough
@pytest.mark.parametrize(("words", "flag"), EXPLAINED, ids=lambda one: one if isinstance(one, str) else " ".join(one))
def test_every_command_explains_itself(tmp_path: Path, words: tuple[str, ...], flag: str) -> None:
    """Here, and not each in a process of its own: that programs start is seen above."""
    done = run_here(*words, flag, cwd=tmp_path, env={"NO_COLOR": "1", "COLUMNS": "100", "TERM": "dumb"})
    assert done.exit == 0
    out = done.out.decode()
    assert out.startswith(" ".join(("Usage: referee", *words)) + " [OPTIONS]")
    assert done.err == b""
    options = re.findall(r"^  (-[^ ].*)$", out, re.MULTILINE)
    assert options
    assert "Traceback" not in out


# --- time in tests --------------------------------------------------------------------------------------------------

TESTS = sorted((ROOT / "tests").rglob("*.py"))
MEASURED = re.compile(r"bench/|campaign/(?!test_)|games/\w+/balance\.py")
"""What measures how long something takes, and is run by hand."""
CLOCKS = re.compile(
    r"(^|\.)(time\.(time|monotonic|perf_counter|process_time)(_ns)?|(date|datetime)\.(now|today|utcnow))$"
)
WAITING = re.compile(
    r"(^|\.)(time|monotonic|perf_counter|process_time)(_ns)?$|(^|\.)(now|today|utcnow|wait|join|communicate|sleep)$|Timer$"
)
"""How the names of those end, and of all others that depend on time."""
SLEEP = re.compile(r"\bsleep[ (]\s*([\d.]+)")


def timed(source: str) -> list[str]:
    """Where a test depends on time: it looks at a clock, sleeps, or gives something less time than a busy machine may
    need. To sleep for longer than the limit of all waiting is to hang, as some programs must that tests start."""
    nodes = list(ast.walk(ast.parse(source)))
    own = {
        alias.asname or alias.name: f"{node.module}.{alias.name}" if node.module == "time" else alias.name
        for node in nodes
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    found = []
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found += [(node, one[0]) for one in SLEEP.finditer(node.value) if float(one[1]) < waiting.LIMIT]
        if not isinstance(node, ast.Call) or not _may_wait(node, own):
            continue
        head, dot, tail = ast.unparse(node.func).partition(".")
        name = own.get(head, head) + dot + tail
        first = node.args[0] if node.args else None
        late = [more.value for more in node.keywords if (more.arg or "").endswith("timeout")]
        if re.search(r"\.(wait|join|communicate)$", name) and head not in ("sitting", "game", "self"):
            late += node.args[:1]
        short = [one for one in late if isinstance(one, ast.Constant) and _number(one) < waiting.LIMIT]
        sleeps = re.search(r"(^|\.)sleep$", name) and not (
            isinstance(first, ast.Constant) and _number(first) >= waiting.LIMIT
        )
        if CLOCKS.search(name) or sleeps or short or name.endswith("Timer"):
            found.append((node, ast.unparse(node)))
    return [f"{node.lineno}: {what}" for node, what in found]


def _may_wait(node: ast.Call, own: Mapping[str, str]) -> bool:
    """Whether it is worth while to write the call out, which takes long."""
    called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    timed = any((more.arg or "").endswith("timeout") for more in node.keywords)
    return timed or bool(WAITING.search(own.get(called, called)))


def _number(node: ast.Constant) -> float:
    return node.value if isinstance(node.value, int | float) else waiting.LIMIT


def test_no_test_depends_on_time() -> None:
    names = {str(path.relative_to(ROOT / "tests")): path for path in TESTS}
    assert len(names) > 200
    for own in ("support/waiting.py", "test_architecture.py"):  # what waits, and what is planted below
        del names[own]
    found = {name: timed(path.read_text("utf-8")) for name, path in names.items() if not MEASURED.match(name)}
    assert {name: where for name, where in found.items() if where} == {}


@pytest.mark.parametrize(
    "source",
    [
        "import time; time.sleep(1.5)",
        "from time import sleep; sleep(PAUSE)",
        "from time import monotonic as clock; assert clock() - began < 5",
        "import time; began = time.monotonic()",
        "import time; name = time.time_ns()",
        "from datetime import datetime; today = datetime.now(UTC).date()",
        "import datetime; today = datetime.date.today()",
        "subprocess.run(command, timeout=60)",
        "process.wait(10)",
        "process.communicate(timeout=0.3)",
        "thread.join(3)",
        "threading.Timer(0.5, stop).start()",
        "Controller(post, ready_timeout=5)",
        "run('bash', '-c', 'sleep 0.2; cat view.json')",
        "LATE = 'import time; time.sleep(9)'",
    ],
)
def test_what_depends_on_time_is_found(source: str) -> None:
    assert len(timed(source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        "import time; time.sleep(1000)",
        "run('sh', '-c', 'sleep 1000')",
        "subprocess.run(command, timeout=waiting.LIMIT)",
        "subprocess.run(command, timeout=600)",
        "sitting.wait(30)",
        "', '.join(names)",
        "process.wait()",
        "today = datetime(2026, 12, 31, tzinfo=UTC)",
        "today(late, 'Europe/Berlin')",
    ],
)
def test_what_does_not_depend_on_time_is_not_found(source: str) -> None:
    assert timed(source) == []


# --- documents -------------------------------------------------------------------------------------------------------


KEBAB = re.compile(r"[a-z]+(-[a-z]+)+")
CLASSES = {
    name: kind
    for name, kind in vars(errors).items()
    if isinstance(kind, type) and issubclass(kind, errors.RefereeError)
}


class Codes(ast.NodeVisitor):
    """Finds every stable error code in a source file, with the class that carries it where that can be told."""

    def __init__(self) -> None:
        self.found: set[tuple[str, str]] = set()

    def _add(self, node: ast.AST | None, kind: str = "") -> None:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            self.found.add((node.value, kind))

    def visit_Call(self, node: ast.Call) -> None:
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        for keyword in node.keywords:
            if keyword.arg == "code":
                self._add(keyword.value, name if name in CLASSES else "")
        if name in ("CheckFailed", "Fault", "Altered", "Finding", "offence", "differs", "Discrepancy") and node.args:
            self._add(node.args[0], "CheckFailed")
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        """`code = "bad-pick"`."""
        if [getattr(target, "id", "") for target in node.targets] == ["code"]:
            for inner in ast.walk(node.value):
                if isinstance(inner, ast.Constant) and KEBAB.fullmatch(str(inner.value)):
                    self._add(inner)
        self.generic_visit(node)

    def visit_Dict(self, node: ast.Dict) -> None:
        """`{"code": "alone", ...}`: a row of a report."""
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant) and key.value == "code" and getattr(value, "value", "ok") != "ok":
                self._add(value)
        self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        for argument, default in zip(node.args.args[::-1], node.args.defaults[::-1], strict=False):
            if argument.arg == "code":
                self._add(default)
        self.generic_visit(node)


def codes_in(tree: ast.Module) -> set[tuple[str, str]]:
    visitor = Codes()
    visitor.visit(tree)
    return visitor.found


@cache
def codes() -> set[tuple[str, str]]:
    found = {(kind.code, name) for name, kind in CLASSES.items()}
    for path in SOURCES:
        found |= source(path).codes
    return found


@cache
def listed() -> dict[int, set[str]]:
    """Exit status -> codes, as the manual's table and section 8 of the protocol list them."""
    table = {
        int(found[1]): set(re.findall(r"`([a-z-]+)`", found[2]))
        for found in re.finditer(
            r"^\| (\d+) \|[^|\n]*\|([^\n]*)\|$",
            (ROOT / "referee/manual/en/reference.md").read_text("utf-8"),
            re.MULTILINE,
        )
    }
    protocol = (ROOT / "schemas/PROTOCOL.md").read_text("utf-8")
    section = protocol.split("\n## 8.")[1].split("\n## 9.")[0]
    bracketed = " ".join(re.findall(r"\[([^\]]*)\]", section))
    words = set(re.findall(r"[a-z]+(?:-[a-z]+)*", bracketed))
    used = {code for code, _ in codes()}
    table[6] = table.get(6, set()) | {word for word in words if "-" in word or word in used}
    return table


def test_codes_are_found() -> None:
    found = {code for code, _ in codes()}
    assert {"usage", "illegal", "bad-die", "bad-pick", "two-entries", "not-asked", "locked", "rule-broken"} <= found
    assert len(found) > 60


def test_every_stable_code_is_documented() -> None:
    table = listed()
    missing = [
        (code, kind)
        for code, kind in sorted(codes())
        if not (code in table[CLASSES[kind].exit] if kind else any(code in row for row in table.values()))
    ]
    assert missing == []


def test_no_documented_code_is_dead() -> None:
    used = {code for code, _ in codes()}
    assert {code for row in listed().values() for code in row} - used == set()


def test_exit_statuses_are_distinct() -> None:
    """Two classes may share one only where readers need not tell them apart: whose fault it is stands in the code."""
    shared = {("Altered", "CheckFailed", "Finding"), ("RefereeError", "RulesFailed")}
    by_status: dict[int, list[str]] = {}
    for name, kind in CLASSES.items():
        by_status.setdefault(kind.exit, []).append(name)
    assert sorted(by_status) == list(range(1, 10))
    assert {tuple(sorted(names)) for names in by_status.values() if len(names) > 1} == shared


def test_limits_of_the_protocol_are_those_of_the_program() -> None:
    text = (ROOT / "schemas/PROTOCOL.md").read_text("utf-8")
    assert f"{files.SMALL:,} bytes for an offer" in text
    assert f"{files.LARGE:,} for a view" in text
