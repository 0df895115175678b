"""A tournament of all four games with bots in three languages: finished, checked, checked again; and the same one,
killed at random moments and started again, which must end with the same bytes.

python -m tests.campaign.tournament [--games 2000] [--kills 50] [--jobs 1] [--seed 1] [--folder DIR]
python -m tests.campaign.tournament --strength [--games 60] [--folder DIR]

Each game is a stage of the tournament; run it in the folder of the project, where the example bots lie.
"""

import argparse
import gzip
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.cli.world import environment

ROOT = Path(__file__).resolve().parents[2]
REFEREE = str(Path(sys.executable).with_name("referee"))
OURS = {"sensible": "", "random": "", "careful": "tests.campaign.bots:careful", "hasty": "tests.campaign.bots:hasty"}
STAGES = (
    ("schwarzer-freitag", 2, {"freitag-js": ["node", "examples/bots/freitag.js"]}),
    ("mark", 2, {"mark-py": [sys.executable, "examples/bots/mark.py"]}),
    ("schwarzmarkt", 3, {"markt-py": "examples.bots.schwarzmarkt:decide"}),
    ("weg-zum-erfolg", 2, {"weg-sh": ["sh", "examples/bots/weg.sh"]}),
)
PARTS = (
    "ledger.jsonl",
    "games",
    "results.json",
    "results.csv",
    "report.html",
    "report.de.html",
    "report.nl.html",
)


def spec(game: str, seats: int, bots: dict[str, object], games: int, more: str = "") -> str:
    """A stage as an organiser writes it."""
    lines = ['name = "Campaign"', "[[games]]", f'game = "{game}"', f"seats = {seats}"]
    for name, run in bots.items():
        lines += ["[[bots]]", f'name = "{name}"', *([f"run = {json.dumps(run)}"] if run else [])]
        lines += ["deterministic = true"] if isinstance(run, list) else []
    # Nobody should lose a game because others use this machine.
    return "\n".join(
        [*lines, "[schedule]", f"games = {games}", more, "[limits]", "answer = 60000", "start = 60000", ""]
    )


def call(folder: Path, *words: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [REFEREE, "tournament", *words], cwd=ROOT, env=environment(folder / "home"),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def done(folder: Path, *words: str) -> str:
    out, err = (process := call(folder, *words)).communicate()
    assert process.returncode == 0, (words, out.decode(), err.decode())
    return out.decode()


def stages(folder: Path, games: int, ours: dict[str, str]) -> list[Path]:
    """One spec a game."""
    found = []
    for number, (game, seats, theirs) in enumerate(STAGES):
        found.append(folder / f"stage{number}.toml")
        found[-1].write_text(spec(game, seats, {**ours, **theirs}, games // len(STAGES)))
    return found


def play(folder: Path, cup: str, specs: list[Path], jobs: int, kills: list[float]) -> int:
    """All stages; killed after this many seconds each, as long as there are any: those that a stage did not live to see
    are for the next one. Returns how often that was."""
    killed, left = 0, [kills[number :: len(specs)] for number in range(len(specs))]
    for number, path in enumerate(specs):
        out = str(folder / cup)
        words = ("run", str(path), *["--add"] * bool(number), "-o", out, "--seed", "campaign", "--jobs", str(jobs))
        share = left[number]
        while share:
            process = call(folder, *words)
            try:
                _, err = process.communicate(timeout=share[-1])
                assert process.returncode == 0, err.decode()
                break
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                share.pop()
                killed += 1
        else:
            done(folder, *words)
        if number + 1 < len(specs):
            left[number + 1] += share
    return killed


def content(cup: Path) -> dict[str, bytes]:
    return {str(path.relative_to(cup)): path.read_bytes() for part in PARTS
            for path in ([cup / part] if (cup / part).is_file() else sorted((cup / part).iterdir()))}  # fmt: skip


def run(
    folder: Path,
    games: int,
    kills: int,
    jobs: int,
    seed: int,
    ours: dict[str, str] = OURS,
    checks: int = 2,
    again: int = 10,
) -> dict[str, float]:
    """The campaign; raises at the first thing that is not as it should be."""
    specs, chance = stages(folder, games, ours), random.Random(seed)
    begin = time.monotonic()
    assert play(folder, "whole", specs, jobs, []) == 0
    figures = {"seconds to play": round(time.monotonic() - begin)}
    line = done(folder, "check", str(folder / "whole"), "--line").strip()
    for turn in ("check", "check again")[:checks]:
        begin = time.monotonic()
        words = ("check", str(folder / "whole"), "--commit", line, "--jobs", str(jobs))
        found = json.loads(done(folder, *words, "--again", str(again), "--yes", "--json"))
        assert found["differs"] == [], found
        figures |= {"games": found["games"], "played again": found["again"]}
        figures[f"seconds to {turn}"] = round(time.monotonic() - begin)
    # A kill so often that all of them find something to kill; what a kill takes away is played again.
    if not kills:
        return figures
    between = figures["seconds to play"] / max(1, kills)
    pauses = [1.0 + 1.4 * between * chance.random() for _ in range(kills)]
    figures |= {"kills asked": kills}
    figures["kills"] = play(folder, "torn", specs, jobs, pauses)
    whole, torn = content(folder / "whole"), content(folder / "torn")
    assert [name for name in whole if whole[name] != torn.get(name)] == []
    assert whole.keys() == torn.keys()
    lines = (
        line for name, data in whole.items() if name.endswith(".gz") for line in gzip.decompress(data).splitlines()
    )
    faults = sum(len(json.loads(line).get("lapses", ())) for line in lines)
    figures |= {"bytes": sum(map(len, whole.values())), "faults": faults}
    return figures


def strength(folder: Path, games: int) -> None:
    """`strong` beats `sensible` beats `random`, by the report's own tests, game by game."""
    for game, seats, _ in STAGES:
        for better, worse in (("sensible", "random"), ("strong", "sensible")):
            cup, path = folder / f"{game}-{better}", folder / f"{game}-{better}.toml"
            path.write_text(spec(game, seats, {better: "", worse: ""}, games))
            done(folder, "run", str(path), "-o", str(cup), "--seed", "strength")
            results = json.loads((cup / "results.json").read_text())
            (test,) = results["total"]["verdicts"]
            rows = {results["entrants"][row["entrant"]]: row for row in results["total"]["ratings"]["rows"]}
            row, found = rows[better], results["entrants"][test[test["stronger"]]] if test["stronger"] else "undecided"
            sys.stdout.write(
                f"{game:18} {better} against {worse}: {results['total']['games']} games, rating {row['elo']:+.0f} "
                f"({row['low']:+.0f} to {row['high']:+.0f}), stronger: {found}, after {test['groups']} groups\n"
            )
            sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--strength", action="store_true")
    parser.add_argument("--folder", type=Path)
    wanted = parser.parse_args()
    folder = wanted.folder or Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    if wanted.strength:
        strength(folder, wanted.games)
    else:
        sys.stdout.write(f"{run(folder, wanted.games, wanted.kills, wanted.jobs, wanted.seed)}\n")
    if wanted.folder is None:
        shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
