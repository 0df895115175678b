"""Builds what a page needs to run Python, into a folder: `python build.py FOLDER`.

Needs Node, npm and pip. What is downloaded is pinned, and checked before anything is made of it; the same pins give the
same bytes on every machine.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
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
    licences = [path.read_text("utf-8") for path in sorted((HERE / "licences").iterdir())]
    (out / "licences.txt").write_text("\n\n".join(licences), "utf-8", newline="\n")


def _pyodide(work: Path) -> Path:
    """The npm package: its lock file pins all of it, `pyodide.sha256` each file that is used."""
    for name in ("package.json", "package-lock.json", ".npmrc"):
        shutil.copy(HERE / name, work / name)
    npm = shutil.which("npm") or "npm"
    subprocess.run([npm, "ci", "--ignore-scripts", "--omit=dev"], cwd=work, check=True, stdout=subprocess.DEVNULL)
    folder = work / "node_modules" / "pyodide"
    for line in (HERE / "pyodide.sha256").read_text("ascii").splitlines():
        digest, name = line.split()
        if hashlib.sha256((folder / name).read_bytes()).hexdigest() != digest:
            raise SystemExit(f"{name} is not the pinned one")
    return folder


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
