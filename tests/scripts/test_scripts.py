"""Whole sessions, written down as people would type them; see the `.txt` files beside this one.

`anna$ referee ...` runs in Anna's folder, with Anna's own home; `< FILE` and `> FILE` as in a shell. In one script each
command runs once as a real process; all else runs in this one. The lines below a command say what must have come of it;
without `! exit N` it must have succeeded. A command that fails must leave every file of everybody as it was (a refused
move leaves its receipt, a lock file does not count).

    ! exit N             it ended with this status        ! partly             ... but something was done
    stdout contains T    stderr contains T                stdout lacks T       stderr lacks T
    changed FILE         unchanged FILE                   missing FILE         same FILE FILE
    json PATH = VALUE    the JSON on stdout has this value there (`json waiting_for.0.name = "Anna"`)

In a file name `*` stands for anything; of several files that fit, a command gets the last in order, which is the newest
view or move of a game.

Other commands: `copy A B`, `replace FILE OLD NEW` for tampering; `edition FILE GAME` writes a game's own edition;
`garbage FILE TEXT` writes any text; `first VIEW OUT` is `moves --json` and `play --move-json` with the first move
listed; `auto ROUNDS` plays on that way, and `until NAME` until only this player is asked: the start player is drawn.
`starts NAME` begins the whole script again until the seed draws this player to start.
In what is looked for `{round}` stands for the number of the host's newest view.
"""

import glob
import json
import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.cli.app import COMMANDS
from referee.games import edition_bytes
from tests.cli.world import GAME, Ran, changes, raw_controls, run, run_here, tree

SCRIPTS = sorted(Path(__file__).parent.glob("*.txt"))


AS_PROCESSES = "three_players"
LONG = {AS_PROCESSES, "whole_game", "hidden_chips", "deadlines", "seats", "time"}
"""They take longer than a second."""


def newest(folder: Path, word: str) -> str:
    """The file that a name with `*` stands for."""
    return max(glob.glob(word, root_dir=folder), default=word) if "*" in word and '"' not in word else word


def once_a_process() -> Callable[..., Ran]:
    """Runs each command the first time as a process of its own."""
    seen: set[str] = set()

    def runner(*args: str, **more: Any) -> Ran:
        own = args[0] not in seen
        seen.add(args[0])
        return (run if own else run_here)(*args, **more)

    return runner


class Again(Exception):
    """Somebody else starts than the script wants."""


class Session:
    """The people of one script, their folders, and the last command with what it left behind."""

    def __init__(self, root: Path, runner: Callable[..., Ran]) -> None:
        self.root, self.runner = root, runner
        self.folder, self.line, self.words = root, "", [""]
        self.ran, self.expected, self.partly = Ran(0, b"", b""), 0, True
        self.before = self.after = tree(root)

    def command(self, who: str, line: str) -> None:
        self.settle()
        folder = self.root / who
        folder.mkdir(exist_ok=True)
        self.folder, self.line, self.words = folder, line, [newest(folder, word) for word in shlex.split(line)]
        self.expected, self.partly, self.before = 0, False, tree(self.root)
        self.ran = self.do(folder, self.words)
        self.after = tree(self.root)

    def do(self, folder: Path, words: list[str]) -> Ran:
        match words:
            case ["referee", *args]:
                stdin = b""
                if "<" in args:
                    at = args.index("<")
                    stdin, args = (folder / args[at + 1]).read_bytes(), args[:at] + args[at + 2 :]
                target = args[args.index(">") + 1] if ">" in args else ""
                ran = self.runner(*(args[: args.index(">")] if target else args), cwd=folder, stdin=stdin)
                if target and ran.exit == 0:
                    (folder / target).write_bytes(ran.out)
                return ran
            case ["copy", old, new]:
                shutil.copy(folder / old, folder / new)
            case ["clone", old, new]:
                shutil.copytree(folder / old, folder / new)
            case ["garbage", name, text]:
                (folder / name).write_text(text)
            case ["replace", name, old, new]:
                data = (folder / name).read_bytes()
                assert old.encode() in data, f"{name} has no {old}"
                (folder / name).write_bytes(data.replace(old.encode(), new.encode()))
            case ["edition", name, *game]:
                (folder / name).write_bytes(edition_bytes(game[0] if game else GAME))
            case ["first", view, out]:
                listed = json.loads(self.do(folder, ["referee", "show", "--moves", "--json", view]).out)["choices"]
                chosen = ["--move-json", json.dumps(listed[0]["move"])] if listed else []
                return self.do(folder, ["referee", "play", view, "-o", out, *chosen])
            case ["auto", rounds]:
                return self.auto(folder, int(rounds))
            case ["until", name]:
                return self.until(folder, name)
            case ["starts", name]:
                shown = self.do(folder, ["referee", "show", "--json", "game.json"])
                if [player["name"] for player in json.loads(shown.out)["waiting_for"]] != [name]:
                    raise Again
                return shown
            case _:
                raise AssertionError(f"no such command: {words}")
        return Ran(0, b"", b"")

    def auto(self, host: Path, rounds: int) -> Ran:
        ran = Ran(0, b"", b"")
        found = {"waiting_for": True}
        while rounds and found["waiting_for"]:
            rounds -= 1
            found = json.loads(self.do(host, ["referee", "show", "--json", "game.json"]).out)
            for player in found["waiting_for"]:
                name = player["name"].lower()
                view = newest(host.parent / name, f"../host/*-{name}.view.json")
                played = self.do(host.parent / name, ["first", view, "auto.json"])
                ran = self.do(host, ["referee", "apply", "../host/game.json", f"../{name}/auto.json"])
                assert (played.exit, ran.exit) == (0, 0), played.said + ran.said
        return ran

    def until(self, host: Path, name: str) -> Ran:
        for _ in range(9):
            ran = self.do(host, ["referee", "show", "--json", "game.json"])
            if [player["name"] for player in json.loads(ran.out)["waiting_for"]] == [name]:
                return ran
            self.auto(host, 1)
        raise AssertionError(f"{name} is never asked alone")

    def newest_round(self) -> str:
        found = re.search(r"-r0*([0-9]+)-", newest(self.root / "host", "*.view.json"))
        assert found, "the host has no view"
        return found[1]

    def check(self, line: str) -> None:
        line = line.replace("{round}", self.newest_round()) if "{round}" in line else line
        ran, after, both = self.ran, self.after, self.ran.out + self.ran.err
        if found := re.fullmatch(r"! exit (\d)", line):
            self.expected = int(found[1])
        elif line == "! partly":
            self.partly = True
        elif found := re.fullmatch(r"(stdout|stderr) (contains|lacks) (.+)", line):
            text = (ran.out if found[1] == "stdout" else ran.err).decode()
            assert (found[3] in text) == (found[2] == "contains"), f"{self.line}\n{line}\n{both.decode()}"
        elif found := re.fullmatch(r"(changed|unchanged|missing) (\S+)", line):
            form = re.escape(found[2]).replace(r"\*", "[^/]*")
            was, now = ({n: d for n, d in all.items() if re.fullmatch(form, n)} for all in (self.before, after))
            fine = {"changed": now and now != was, "unchanged": now and now == was, "missing": not now}
            assert fine[found[1]], f"{self.line}\n{line}"
        elif found := re.fullmatch(r"same (\S+) (\S+)", line):
            one, other = (newest(self.root, name) for name in found.groups())
            assert after[one] == after[other], f"{self.line}\n{line}"
        elif found := re.fullmatch(r"json (\S+) = (.+)", line):
            value = json.loads(ran.out)
            for step in found[1].split("."):
                value = value[int(step) if step.isdigit() else step]
            assert value == json.loads(found[2]), f"{self.line}\n{line}\n{both.decode()}"
        else:
            raise AssertionError(f"cannot read the line: {line}")

    def settle(self) -> None:
        """Before the next command: the status is the expected one, and a failure has changed nothing."""
        both = self.ran.out + self.ran.err
        assert self.ran.exit == self.expected, f"{self.line}\nexit {self.ran.exit}\n{both.decode()}"
        assert b"Traceback" not in both
        assert raw_controls(both) == []
        assert not [name for name in self.after if name.endswith(".tmp")]
        if self.words[0] in ("referee", "first") and self.words[1] not in ("key", "rules"):
            assert b"Next: " in self.ran.err or "--json" in self.words, f"{self.line}\nsays no next step"
        self.check_hints()
        if self.expected and not self.partly:
            receipts = r".*\.receipt\.json" if self.words[1] == "apply" else r"\Z."
            changed = {name for name in changes(self.before, self.after) if not re.fullmatch(receipts, name)}
            assert not changed, f"{self.line}\nfailed, but changed {changed}"

    def check_hints(self) -> None:
        """A command that is printed can be copied: it is one, and the files that it names are there."""
        for hint in re.findall(r"`referee ([^`]+)`", self.ran.err.decode()):
            name, *words = shlex.split(hint)
            assert name in COMMANDS or name.isupper(), f"{self.line}\nno such command: {hint}"
            assert words or name in ("games", "demo", "key", "apply", "play", "start"), (
                f"{self.line}\nnot the whole command: {hint}"
            )
            files = [word for word in words if word.endswith(".json") and not word.partition(".")[0].isupper()]
            for file in files:
                there = (self.folder / file).exists() or file == "player-key.json"  # which the hint before it makes
                assert there, f"{self.line}\nno such file: {hint}"


@pytest.mark.parametrize(
    "script",
    [pytest.param(path, id=path.stem, marks=[pytest.mark.thorough] * (path.stem in LONG)) for path in SCRIPTS],
)
def test_script(script: Path, tmp_path: Path) -> None:
    for number in range(200):
        try:
            (root := tmp_path / str(number)).mkdir()
            return follow(script, root)
        except Again:
            continue
    raise AssertionError("the player who should start is never drawn")


def follow(script: Path, root: Path) -> None:
    session = Session(root, once_a_process() if script.stem == AS_PROCESSES else run_here)
    for line in script.read_text(encoding="utf-8").splitlines():
        if found := re.fullmatch(r"(\w+)\$ (.+)", line):
            session.command(found[1], found[2])
        elif line.strip() and not line.startswith("#"):
            session.check(line.strip())
    session.settle()
