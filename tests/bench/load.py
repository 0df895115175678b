"""A busy office, and one that has nothing to do, as processes: processor time for each mail, beside the bare parse of
the same mails, and beside another tree.

    python -m tests.bench.load busy [tables [game]] [--against FOLDER]
    python -m tests.bench.load idle [finished games [old mails]] [--against FOLDER]

FOLDER has another version of this project (`git worktree add FOLDER COMMIT`); both work in turn, each in an office of
its own. `busy`: five players at each table join, agree and move, all in words; each wave is one `mail run`. `idle`: a
run of an office in which all games are over, beside a run of an empty one.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.bench.mail import HOST, SETTINGS, bare, replies, timed

HERE = Path(__file__).resolve().parents[2]
SEATS = 5
ROUNDS = 9
CODE = """
import json, sys
from referee.cli import main
for words in json.loads(sys.argv[1]):
    sys.argv = ["referee", *words]
    try:
        main()
    except SystemExit as stop:
        if stop.code:
            raise
"""
END = """
from datetime import UTC, datetime
from referee.engine.host import reveal
from referee.io import keyfile
from referee.library import offices
from referee.mail.catchup import catch_up
with offices.opened("office", lambda path: keyfile.load(open(path, "rb").read()), save=True) as office:
    for desk in office.desks.values():
        reveal(desk.match, abandon=True)
    catch_up(office, datetime.now(UTC))
"""
OLD = b"From: bert@example.org\r\nTo: host@games.example\r\nSubject: old\r\n\r\nIt was nice.\r\n"


class Tree:
    """A version of the project, with an office."""

    def __init__(self, tree: Path, folder: Path) -> None:
        self.tree, self.folder, self.known = tree, folder, set[str]()
        folder.mkdir()
        self.run("mail", "init", "office", "--name", "Host", "--address", HOST)
        (folder / "office/mail.toml").write_text(SETTINGS.format(pictures="false"))
        (folder / "office/post").mkdir()

    def run(self, *words: str) -> float:
        """Run a command as a process; returns its processor time in seconds."""
        return self.all_of([[*words]])

    def all_of(self, commands: list[list[str]], code: str = CODE) -> float:
        """The same for several commands in one process."""
        env = {**os.environ, "PYTHONPATH": str(self.tree), "REFEREE_HOME": str(self.folder / "home")}
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            [sys.executable, "-c", code, json.dumps(commands)],
            cwd=self.folder,
            env=env,
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr.decode()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def offer(self, game: str, tables: int, seats: int = SEATS) -> None:
        """So many tables, for players whom no other table has."""
        commands = []
        for number in range(tables):
            to = [word for seat in range(seats) for word in ("--to", f"player{number}x{seat}@players.example")]
            commands.append(["offer", game, "--seats", str(seats), "--office", "office", *to])
        self.all_of(commands)

    def wave(self, name: str) -> tuple[list[bytes], float]:
        """Everybody answers what they were asked; returns the answers, and what it took to judge them."""
        mails = replies(self.folder, self.known)
        for number, raw in enumerate(mails):
            (self.folder / "office/post" / f"{name}-{number:05}.eml").write_bytes(raw)
        spent = self.run("mail", "run", "office")
        for path in (self.folder / "office/post").iterdir():
            path.unlink()
        return mails, spent


def busy(trees: list[Tree], tables: int, game: str) -> None:
    for one in trees:
        one.offer(game, tables)
    print(f"{game}, {tables} tables, {SEATS} players each")
    print(f"  {'wave':8}{'mails':>7}{'bare':>10}" + "".join(f"{'a mail':>10}{'ratio':>7}" for _ in trees))
    for wave in ("join", "ack", "move 1", "move 2", "move 3"):
        told, floor, count = "", 0.0, 0
        for one in trees:
            mails, spent = one.wave(wave)
            floor, count = statistics.median(timed(bare, mails)[1] for _ in range(ROUNDS)) / len(mails), len(mails)
            told += f"{1000 * spent / count:7.2f} ms{spent / count / floor:7.0f}"
        print(f"  {wave:8}{count:7}{1000 * floor:7.3f} ms{told}", flush=True)


def finished(one: Tree, games: int, mails: int) -> None:
    """Fill an office with games that are over, and with old mails."""
    one.offer("schwarzer-freitag", games, 3)
    one.wave("join")
    one.wave("ack")
    root = one.folder / "office"
    one.all_of([], END)
    for path in (root / "outbox").glob("*.eml"):
        path.rename(root / "sent" / path.name)
    names = sorted(path.name for path in (root / "tables").iterdir())
    here = len(list((root / "sent").iterdir())) + len(list((root / "archive").iterdir()))
    for number in range(max(0, mails - here)):
        if number % 2:
            name = f"sent/{names[number % len(names)]}-r{number // len(names) % 90 + 3:03}-player{number}-turn.eml"
        else:
            name = f"archive/{number:064x}.eml"
        (root / name).write_bytes(OLD)


def idle(trees: list[Tree], games: int, mails: int, folder: Path) -> None:
    print(f"a run with nothing to do: {games} finished games, {mails} old mails")
    for number, one in enumerate(trees):
        empty = Tree(one.tree, folder / f"empty-{number}")
        finished(one, games, mails)
        times: dict[Tree, list[float]] = {one: [], empty: []}
        for at in range(ROUNDS + 1):
            for office, found in times.items():
                found += [office.run("mail", "run", "office")][: int(at > 0)]
        full, least = (statistics.median(found) for found in times.values())
        print(f"  {one.tree}: {1000 * full:.0f} ms, an empty office {1000 * least:.0f} ms: {full / least:.2f}")


def main(what: str, *words: str) -> None:
    given, other = [*words], []
    if "--against" in given:
        at = given.index("--against")
        other = [Path(given[at + 1]).resolve()]
        del given[at : at + 2]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        trees = [Tree(tree, folder / f"tree-{number}") for number, tree in enumerate((*other, HERE))]
        numbers = [int(one) for one in given if one.isdigit()]
        if what == "busy":
            busy(trees, *(numbers or [200]), *([one for one in given if not one.isdigit()] or ["schwarzer-freitag"]))
        else:
            idle(trees, *(numbers + [500, 20_000][len(numbers) :]), folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
