"""Faults planted in the program, one at a time, to see whether the tests notice: see README.md.

python -m tests.campaign.mutants [--seed 1] [--count 20] [--package cli ...] [--thorough] [--jobs 1]
"""

import argparse
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.campaign.mutations import Mutant, mutants_of

ROOT = Path(__file__).resolve().parents[2]
EQUIVALENT = Path(__file__).with_name("mutants.toml")
"""Faults that change nothing anybody could notice: file, line as it reads with the fault, reason."""
TESTS = {
    "app": "app locale",
    "cli": "cli scripts locale show test_architecture.py test_readme.py page/test_command.py tournament mail io",
    "mail": "mail cli/test_mail_files.py cli/test_inbox.py locale page",
    "tournament": "tournament locale cli",
    "page": "page locale/test_mail.py",
    "javascript": "page app",
    "show": "show cli locale mail contract",
    "io": "io cli mail evidence locale",
    "bots": "bots cli tournament locale scripts",
    "testing": "contract cli locale/test_catalogues.py",
    "engine": "engine independent evidence cli contract locale/test_catalogues.py",
    "light": "contract tournament bots",
    "evidence": "evidence engine cli independent locale/test_catalogues.py",
    "crypto": "engine independent corpus cli io locale/test_catalogues.py",
    "games": "contract engine page locale/test_catalogues.py",
    "library": "library cli scripts locale tournament mail app",
    "core": "locale contract engine show cli mail",
}
"""Under `tests/`, what runs for a fault in each package: what is likely to notice, and quick to, comes first."""
EVERYWHERE = "test_limits.py test_frozen.py test_schemas.py test_errors.py"
"""Before that, whatever the package is."""
HASHES = "tests/page/test_pages.py::test_the_hashes_are_in_the_manual"
"""It notices every change of the page and understands none, so it does not count."""
CPU = 900
"""Seconds that any one process may use: a fault that makes the program loop is noticed by that."""
NOT_RUN = (pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.NO_TESTS_COLLECTED)
"""What pytest ends with when the call is wrong: that notices no fault, but one that keeps a conftest from loading."""
WALL = 3600
"""Seconds after which tests wait for something that will not come."""


def package_of(path: str) -> str:
    parts = path.split("/")
    if path.endswith(".mjs"):
        return "javascript"
    return parts[1] if len(parts) > 2 else "core"


def sources() -> list[str]:
    found = [*(ROOT / "referee").rglob("*.py"), *(ROOT / "referee" / "page").glob("*.mjs")]
    return sorted(str(path.relative_to(ROOT)) for path in found)


def equivalent() -> set[tuple[str, str]]:
    listed = tomllib.loads(EQUIVALENT.read_text("utf-8"))["equivalent"]
    return {(one["file"], one["line"]) for one in listed}


def line_of(mutant: Mutant) -> str:
    """The line as it reads with the fault."""
    return mutant.applied((ROOT / mutant.path).read_bytes()).splitlines()[mutant.line - 1].decode().strip()


def sampled(seed: str, count: int, package: str) -> list[Mutant]:
    """This many faults in one package: every kind of fault is as likely as any other, however often it could stand."""
    kinds = defaultdict[str, list[Mutant]](list)
    for path in sources():
        if package_of(path) == package:
            for mutant in mutants_of(path, (ROOT / path).read_bytes()):
                kinds[mutant.kind].append(mutant)
    rng, chosen, known = random.Random(f"{seed} {package}"), list[Mutant](), equivalent()
    while len(chosen) < count and any(kinds.values()):
        pool = kinds[rng.choice(sorted(kind for kind, there in kinds.items() if there))]
        mutant = pool.pop(rng.randrange(len(pool)))
        if (mutant.path, line_of(mutant)) not in known and readable(mutant):
            chosen.append(mutant)
    return chosen


def readable(mutant: Mutant) -> bool:
    """Whether the source with the fault can be parsed: what any start would notice is left out."""
    changed = mutant.applied((ROOT / mutant.path).read_bytes())
    if mutant.path.endswith(".mjs"):
        command = ["node", "--input-type=module", "--check"]
        return subprocess.run(command, input=changed, capture_output=True, check=False).returncode == 0
    try:
        compile(changed, mutant.path, "exec")
    except SyntaxError:
        return False
    return True


def likely_tests(path: str) -> list[str]:
    """The tests to run for a fault in this source."""
    parts = path.split("/")
    names = TESTS[package_of(path)].split()
    if parts[1] == "games" and len(parts) > 3:
        names.insert(0, f"games/{parts[2]}")
    return [f"tests/{name}" for name in (*EVERYWHERE.split(), *names) if (ROOT / "tests" / name).exists()]


def installed(root: Path, venv: Path) -> Path:
    """An interpreter for which this copy of the project is installed, with the libraries of this one. `PYTHONPATH`
    would not do: the program starts interpreters that ignore it, and they would run the project without the fault."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True)
    programs = venv / "bin"
    (site,) = venv.glob("lib/python*/site-packages")
    libraries = [path for path in sys.path if path.endswith("site-packages")]
    (site / "copy.pth").write_text("\n".join((str(root), *libraries, "")))
    for script in Path(sys.executable).parent.iterdir():
        if not (programs / script.name).exists() and (text := script.read_bytes()).startswith(b"#!"):
            (programs / script.name).write_bytes(text.replace(sys.executable.encode(), bytes(programs / "python"), 1))
            (programs / script.name).chmod(0o755)
    return programs / "python"


class Scratch:
    """A copy of the project in which one fault at a time is planted."""

    def __init__(self, folder: Path, root: Path = ROOT, *, thorough: bool = False, cpu: int = CPU) -> None:
        self.root, self.thorough, self.cpu = folder / "project", thorough, cpu
        shutil.copytree(root, self.root, ignore=shutil.ignore_patterns(".git", ".venv*", "__pycache__", ".*_cache"))
        self.python = installed(self.root, folder / "venv")

    def noticed(self, mutant: Mutant | None, tests: Sequence[str]) -> bool:
        """Whether the tests fail, or do not end, with the fault in place."""
        if mutant is None:
            return self.fail(tests)
        path = self.root / mutant.path
        source = path.read_bytes()
        try:
            self.write(path, mutant.applied(source))
            return self.fail(tests)
        finally:
            self.write(path, source)

    def write(self, path: Path, source: bytes) -> None:
        path.write_bytes(source)
        for compiled in path.parent.glob(f"__pycache__/{path.stem}.*"):
            compiled.unlink()  # a second is too coarse to tell two sources of one length apart

    def fail(self, tests: Sequence[str]) -> bool:
        limits = (self.cpu, self.cpu)
        chosen = [] if self.thorough else ["-m", "not thorough"]
        command = [self.python, "-m", "pytest", "-x", "-n", "0", "-p", "no:cacheprovider", "--deselect", HASHES]
        command += [*chosen, *tests]
        with tempfile.TemporaryDirectory() as temporary, tempfile.TemporaryFile() as said:
            left_out = ("PYTHONDONTWRITEBYTECODE", "PYTHONPATH")
            kept = {name: value for name, value in os.environ.items() if name not in left_out}
            process = subprocess.Popen(
                command, cwd=self.root, env={**kept, "TMPDIR": temporary}, stdout=said, stderr=said,
                start_new_session=True, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, limits),
            )  # fmt: skip
            try:
                status = process.wait(WALL)
            except subprocess.TimeoutExpired:
                status = 1
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
            said.seek(0)
            text = said.read().decode(errors="replace")
        if status in NOT_RUN and "while loading conftest" not in text:
            raise ValueError(f"no test has run: {' '.join(tests)}\n{text}")
        return status != 0


def judged(mutants: Sequence[Mutant], jobs: int, thorough: bool) -> Iterator[tuple[Mutant, bool]]:
    """Each fault with whether the tests noticed it. Without a fault they must pass."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as home, ThreadPoolExecutor(jobs) as pool:
        free = [Scratch(Path(home) / str(number), thorough=thorough) for number in range(jobs)]
        needed = list(dict.fromkeys(test for mutant in mutants for test in likely_tests(mutant.path)))
        if free[0].noticed(None, needed):
            raise SystemExit("the tests fail without any fault")

        def one(mutant: Mutant) -> tuple[Mutant, bool]:
            scratch = free.pop()
            try:
                return mutant, scratch.noticed(mutant, likely_tests(mutant.path))
            finally:
                free.append(scratch)

        yield from pool.map(one, mutants)


def told(mutant: Mutant) -> str:
    source = (ROOT / mutant.path).read_bytes()
    before = source.splitlines()[mutant.line - 1].decode().strip()
    return f"{mutant.path}:{mutant.line} ({mutant.kind})\n  - {before}\n  + {line_of(mutant)}\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--count", type=int, default=20, help="faults in each package")
    parser.add_argument("--package", action="append", choices=TESTS)
    parser.add_argument("--thorough", action="store_true", help="with the thorough tests")
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args()
    for package in asked.package or TESTS:
        mutants = sampled(asked.seed, asked.count, package)
        survivors = list[Mutant]()
        for mutant, noticed in judged(mutants, asked.jobs, asked.thorough):
            if not noticed:
                survivors.append(mutant)
                sys.stdout.write(told(mutant))
        sys.stdout.write(f"{package}: {len(mutants) - len(survivors)} of {len(mutants)} noticed\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
