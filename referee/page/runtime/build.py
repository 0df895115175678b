"""Builds what a page needs to run Python, into a folder: `python build.py FOLDER`.

Needs Node, npm and pip. What is downloaded is pinned, and checked before anything is made of it. So is what is made of
it (`made.sha256`): a machine on which other bytes come out builds nothing.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
PYTHON, PLATFORM = "3.14", "pyemscripten_2026_0_wasm32"
"""What the pinned release of Pyodide is, and runs."""


def build(out: Path) -> None:
    """Download, check, pack."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        pyodide = _pyodide(work)
        subprocess.run(["node", HERE / "pack.mjs", pyodide, _wheels(work), out], check=True)
    check(out)
    files = sorted((HERE / "licences").iterdir())
    licences = [f"--- {path.name}\n\n{path.read_text('utf-8')}" for path in files]
    (out / "licences.txt").write_text("\n\n".join(licences), "utf-8", newline="\n")


def check(out: Path) -> None:
    """What was made is what the same pins made elsewhere."""
    for name, digest in pinned("made.sha256"):
        if sha256(out / name) != digest:
            raise SystemExit(f"{name} is not what this recipe makes elsewhere: {sha256(out / name)}")


def _pyodide(work: Path) -> Path:
    """The npm package: its lock file pins all of it, `pyodide.sha256` each file that is used."""
    for name in ("package.json", "package-lock.json", ".npmrc"):
        shutil.copy(HERE / name, work / name)
    npm = shutil.which("npm") or "npm"
    subprocess.run([npm, "ci", "--ignore-scripts", "--omit=dev"], cwd=work, check=True, stdout=subprocess.DEVNULL)
    folder = work / "node_modules" / "pyodide"
    for name, digest in pinned("pyodide.sha256"):
        if sha256(folder / name) != digest:
            raise SystemExit(f"{name} is not the pinned one")
    return folder


def pinned(file: str) -> Iterator[tuple[str, str]]:
    """The names in a list of hashes, and what is pinned."""
    for line in (HERE / file).read_text("ascii").splitlines():
        digest, name = line.split()
        yield name, digest


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _wheels(work: Path) -> Path:
    """The wheels of `wheels.txt`, which has their hashes."""
    wanted = ["--only-binary", ":all:", "--platform", PLATFORM, "--python-version", PYTHON, "--no-deps"]
    pinned = ["--require-hashes", "-r", str(HERE / "wheels.txt"), "-d", str(work / "wheels")]
    command = [sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check", *wanted, *pinned]
    subprocess.run(command, check=True, env={**os.environ, "PIP_NO_INPUT": "1"})
    return work / "wheels"


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    build(target)
