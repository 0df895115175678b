"""`mail run` over ten mails, killed at every system call that changes anything, and started again.

python -m tests.campaign.mail_kill [--step N]

A kill between two of these calls is the same as one before the second. Each is a real kill by `strace`, of the real
program; after it the program runs once more, and every file must be as after an undisturbed run.
"""

import argparse
import subprocess
import sys
import tempfile
from collections import Counter
from contextlib import closing
from pathlib import Path

from tests.cli.world import environment
from tests.io.test_crash import Saboteur
from tests.mail.test_kill import ARGS, REFEREE, Scene, check, make_scene

CALLS = ("write", "fsync", "rename", "unlink", "mkdir", "fchmod", "flock", "vfork", "openat")


def traced(root: Path, *more: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        ["strace", "-o", str(root.parent / "trace"), *more, REFEREE, *ARGS],
        cwd=root, capture_output=True, env=environment(root / "home"), check=False,
    )  # fmt: skip


def points(scene: Scene, folder: Path) -> list[tuple[str, int]]:
    """Every call and its number among its kind; of those that open files, those that make one."""
    root = scene.again(folder / "count")
    done = traced(root, "-e", f"trace={','.join(CALLS)}")
    assert done.returncode == 0, done.stderr
    found, numbers = [], Counter[str]()
    for line in (folder / "trace").read_text(errors="replace").splitlines():
        call = line.partition("(")[0]
        if call not in CALLS:
            continue
        numbers[call] += 1
        if call != "openat" or "O_CREAT" in line:
            found.append((call, numbers[call]))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--step", type=int, default=1, help="take every so many points")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, closing(Saboteur()) as saboteur:
        folder = Path(name)
        scene = make_scene(folder / "scene")
        every = points(scene, folder)[:: wanted.step]
        kills, bad = Counter[str](), []
        for call, number in every:
            root = scene.again(folder / "office")
            done = traced(root, "-e", f"trace={call}", "-e", f"inject={call}:signal=KILL:when={number}")
            label = f"killed at {call} {number}"
            try:
                assert done.returncode == -9, f"{label}: was not killed: {done.stderr[-300:]!r}"
                check(scene, saboteur, root, label)
            except AssertionError as error:
                bad.append(str(error).splitlines()[0])
                sys.stdout.write(f"{bad[-1]}\n")
            kills[call] += 1
        told = ", ".join(f"{count} {call}" for call, count in kills.items())
        sys.stdout.write(f"{sum(kills.values())} kills ({told}), {len(bad)} bad\n")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
