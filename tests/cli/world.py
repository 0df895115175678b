"""A small world of people with real files, and two ways to run the command in it: as a process of its own and in this
process."""

import contextlib
import hashlib
import io
import os
import shutil
import subprocess
import sys
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, TextIO
from unittest import mock

import msgspec

from referee import games
from referee.bots.playing import bot_signs
from referee.cli import main
from referee.crypto import keys
from referee.crypto.codec import decode, encode, read
from referee.crypto.envelope import Envelope
from referee.engine import lobby, table
from referee.engine.host import Match, make_view, new_match, reveal, take_move
from referee.engine.player import Draft, answer, open_view
from referee.engine.rounds import asked
from referee.game import AnyTerms, Game
from referee.io import guard, keyfile
from referee.io.gamefile import dump_match
from referee.io.times import DAY, undated_deadline
from tests.support import waiting
from tests.support.consult import consult
from tests.support.shown import check_ids

GAME = "schwarzer-freitag"
EXITS = range(2, 9)
"""Every exit status that bad input may have. 1 is for bugs."""


class Ran(NamedTuple):
    """What a run left behind."""

    exit: int
    out: bytes
    err: bytes

    @property
    def said(self) -> str:
        return self.err.decode()


def seed(label: str) -> bytes:
    return hashlib.sha256(label.encode()).digest()


def key(name: str) -> keys.Key:
    return keys.Key(seed(name), name)


def run_here(
    *args: str, cwd: Path, home: Path | None = None, stdin: bytes | TextIO = b"", env: Mapping[str, str] = {}
) -> Ran:
    """`referee ARGS` through `main()`, without the cost of a process. `stdin`: what can be read, or a terminal."""
    code = env.get("PYTHONIOENCODING", "utf-8")
    out, err = (io.TextIOWrapper(io.BytesIO(), code, newline="", write_through=True) for _ in range(2))
    read = io.TextIOWrapper(io.BytesIO(stdin)) if isinstance(stdin, bytes) else stdin
    streams = {"stdin": read, "stdout": out, "stderr": err}
    settings = {"REFEREE_HOME": str(home or cwd / "home"), "REFEREE_LANGUAGE": "en", **env}
    with contextlib.chdir(cwd), mock.patch.dict(os.environ, settings), contextlib.ExitStack() as stack:
        for name in {"REFEREE_DEBUG", "COLUMNS"} - env.keys():
            os.environ.pop(name, None)
        stack.enter_context(mock.patch.object(sys, "argv", ["referee", *args]))
        for name, stream in streams.items():
            stack.enter_context(mock.patch.object(sys, name, stream))
        status = 0
        try:
            main()
        except SystemExit as stop:
            status = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    ran = Ran(status, out.buffer.getvalue(), err.buffer.getvalue())  # type: ignore[attr-defined]
    for printed in (ran.out, ran.err):
        if not printed.startswith((b"{", b"<", b"\x89")):  # a text, no document and no picture
            check_ids(printed.decode(code, "replace"))
    return ran


def run(*args: str, cwd: Path, home: Path | None = None, stdin: bytes = b"", env: Mapping[str, str] = {}) -> Ran:
    """`referee ARGS` as a process of its own."""
    made = subprocess.run(
        [str(Path(sys.executable).with_name("referee")), *args],
        cwd=cwd, input=stdin, capture_output=True, timeout=waiting.LIMIT, check=False,
        env=environment(home or cwd / "home", env),
    )  # fmt: skip
    return Ran(made.returncode, made.stdout, made.stderr)


def run_shell(line: str, cwd: Path, home: Path) -> Ran:
    """A line of bash in which `referee` is the command under test."""
    path = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    made = subprocess.run(
        ["bash", "-c", line],
        cwd=cwd,
        capture_output=True,
        timeout=waiting.LIMIT,
        check=False,
        env=environment(home, path),
    )
    return Ran(made.returncode, made.stdout, made.stderr)


def environment(home: Path, more: Mapping[str, str] = {}) -> dict[str, str]:
    # What runs the tests in several processes sets the width of a terminal that nobody has.
    ours = ("REFEREE_", "COV", "COLUMNS", "LINES")
    plain = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return {**plain, "REFEREE_HOME": str(home), "REFEREE_LANGUAGE": "en", **more}


def tree(root: Path) -> dict[str, tuple[str, bytes]]:
    """Everything under a folder: kind and content of each thing. Locks, and folders of nothing else, do not count."""
    found: dict[str, tuple[str, bytes]] = {}
    _look(str(root), "", found)
    return dict(sorted(found.items()))


def _look(folder: str, prefix: str, found: dict[str, tuple[str, bytes]]) -> set[bool]:
    """Note what is in a folder; returns which kinds of files are below it: locks (True), others (False)."""
    files: set[bool] = set()
    with os.scandir(folder) as entries:
        for one in entries:
            name, lock = prefix + one.name, os.path.splitext(one.name)[1] == ".lock"
            if one.is_symlink():
                found[name] = "link", os.readlink(one.path).encode()
                files |= set() if os.path.isdir(one.path) else {lock}
            elif one.is_dir():
                inside = _look(one.path, f"{name}/", found)
                if inside != {True}:
                    found[name] = "folder", b""
                files |= inside
            else:
                files.add(lock)
                if not lock:
                    with open(one.path, "rb") as file:
                        found[name] = "file", file.read()
    return files


def changes(before: Mapping[str, object], after: Mapping[str, object]) -> set[str]:
    return {name for name in {*before, *after} if before.get(name) != after.get(name)}


def raw_controls(data: bytes) -> list[str]:
    """Characters that can mislead a terminal, or bytes that are not UTF-8."""
    text = data.decode("utf-8", "surrogateescape")
    bad = ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")
    return [f"U+{ord(c):04X}" for c in text if c != "\n" and unicodedata.category(c) in bad]


def check_refusal(ran: Ran, allowed: range | tuple[int, ...] = EXITS) -> None:
    """A refusal as it should be: documented status, one message, one next step, nothing raw, no traceback."""
    assert ran.exit in allowed, f"exit {ran.exit}: {ran.said[-600:]}"
    assert b"Traceback" not in ran.err, ran.said
    assert b"internal error" not in ran.err, ran.said
    assert raw_controls(ran.out + ran.err) == []
    lines = ran.said.splitlines()
    assert len(ran.err) < 1000, f"a message of {len(ran.err)} bytes"
    nexts = [line for line in lines if line.startswith("Next: ")]
    assert len(nexts) == 1, f"not exactly one next step: {lines}"
    assert len(nexts[0]) > len("Next: ")
    told = any(mark in ran.out for mark in (b"BAD ", b"UNDECIDED ", b"skipped: ", b'"message"'))
    assert len(lines) > len(nexts) or told, f"no message: {lines}"


class World:
    """A game of Anna and Bert hosted by Hanna, with one file of every kind in `root`. `rounds` rounds are played."""

    def __init__(self, root: Path, *, rounds: int = 3) -> None:
        self.root = root
        root.mkdir(parents=True, exist_ok=True)
        self.names = ("Anna", "Bert")
        self.host, self.keys = key("Hanna"), [key(name) for name in self.names]
        for person in (self.host, *self.keys):
            home = root / f"{person.name.lower()}-home"
            home.mkdir()
            (home / "key.json").write_bytes(keyfile.dump(person))
        # The same key on a machine that has never signed for this game.
        shutil.copytree(self.host_home, root / "elsewhere-home")
        game = games.load(GAME)
        edition = games.edition_bytes(GAME)
        terms = table.make_terms(game, 2, game.options(), read(edition, game.edition, "edition"))
        offer = self._begin(game, terms)
        self.played: list[bytes] = []
        receipts = []
        for number in range(rounds):
            self.match.due = undated_deadline(number)
            for move in self.answers():
                self.played.append(move)
                receipts.append(take_move(self.match, move).receipt)
        files = {
            "offer.json": encode(offer),
            "anna.join.json": encode(self.joins[0]),
            "bert.join.json": encode(self.joins[1]),
            "game.json": dump_match(self.match),
            "anna.view.json": make_view(self.match, 0),
            "bert.view.json": make_view(self.match, 1),
            "key.json": keyfile.dump(self.keys[0]),
            "locked.json": keyfile.dump(self.keys[0], "open sesame", seed("salt")),
            "edition.json": edition,
            "move.json": self.answers()[0],
        }
        if receipts:
            files["receipt.json"] = encode(receipts[-1])
        for name, data in files.items():
            (root / name).write_bytes(data)
        if rounds:
            keep_guard(self.match, root / "game.json", self.host_home)
        self.mover = min(asked(self.match.state))

    def _begin(self, game: Game, terms: AnyTerms) -> Envelope:
        """The first offer of a few with which Anna starts: chance follows from the hash of the rules too."""
        for number in range(50):
            offer = lobby.make_offer(self.host, GAME, game, terms, seed(f"offer {number}"), DAY)
            self.joins = [lobby.make_join(k, offer, k.name, seed("join" + k.name)) for k in self.keys]
            genesis = lobby.make_genesis(self.host, offer, tuple(self.joins))
            self.match = new_match(self.host, genesis)
            self.match.due = undated_deadline(0)
            for move in self.answers():
                take_move(self.match, move)
            if list(asked(self.match.state)) == [0]:
                self.match = new_match(self.host, genesis)
                return offer
        raise AssertionError("Anna never starts")

    def answers(self, pick: int = 0) -> list[bytes]:
        """A signed answer of everybody who is asked: the listed move of this number, or the ack."""
        return [first_answer(self.keys[seat], make_view(self.match, seat), pick) for seat in asked(self.match.state)]

    def view_name(self, name: str, round: int) -> str:
        """What the view of a player after this round is called."""
        return f"{self.match.table.id[:8]}-r{round:03}-{name}.view.json"

    @property
    def mover_view(self) -> str:
        return f"{self.names[self.mover].lower()}.view.json"

    @property
    def mover_home(self) -> Path:
        return self.root / f"{self.names[self.mover].lower()}-home"

    @property
    def host_home(self) -> Path:
        return self.root / "hanna-home"


def keep_guard(match: Match, game: Path, home: Path) -> None:
    """What the machine of a host who has signed this match knows."""
    path = Path(guard.path_of(guard.name_of(match), str(home)))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(guard.make(match, b"", match.state.round, str(game)))


def first_answer(person: keys.Key, view: bytes, pick: int = 0) -> bytes:
    """The signed answer of a person who chooses the listed move with this number."""
    opened = open_view(view)
    if not opened.decides:
        return answer(person, opened)
    listed = consult(opened, opened.table.game.legal)
    move = msgspec.convert(msgspec.to_builtins(listed[pick % len(listed)].move), opened.table.game.move)
    return answer(person, opened, Draft(move))


def finish(world: World) -> bytes:
    """Play the world's game to its end with the sensible bots, and reveal it."""
    while not world.match.state.end:
        world.match.due = undated_deadline(world.match.state.round)
        for seat in asked(world.match.state):
            opened = open_view(make_view(world.match, seat))
            move = bot_signs(opened.place, world.keys[seat], "sensible", seed("chance"))
            assert take_move(world.match, move).error is None
    return reveal(world.match)


@contextlib.contextmanager
def copied(root: Path, to: Path) -> Iterator[Path]:
    """A fresh copy of a folder, gone afterwards."""
    shutil.copytree(root, to, symlinks=True)
    try:
        yield to
    finally:
        shutil.rmtree(to, ignore_errors=True)


def envelope(data: bytes) -> Envelope:
    return decode(data, Envelope, "envelope")
