"""Every pair of commands that sign for one host, the first stopped at every file operation while the other runs.

    python -m tests.campaign.rivals [--step N] [--only TEXT]

Then the first goes on, and all commands of the scene run once more, so that whatever was left behind gets its chance to
do harm. Then a dispute looks at everything that anybody could have got: views, receipts, mails. Nothing may be proved,
and every answer with a receipt must be in the game.
"""

import argparse
import itertools
import json
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from referee.crypto.codec import decode, encode
from referee.crypto.envelope import ident
from referee.engine import lobby
from referee.engine import records as r
from referee.evidence.court import moves_of
from referee.io.gamefile import open_match
from referee.io.guard import Guard
from tests.cli.world import World, envelope, first_answer, key, run_here, seed
from tests.io.test_crash import Saboteur
from tests.mail.offices import PEOPLE, Mail, own_join, own_move, sign
from tests.mail.offices import World as Office

HOST = key("Hanna")
LATER = ("--now", "2099-01-01T00:00Z")
"""All deadlines are over."""


class Scene(NamedTuple):
    """A folder in which a host works, and the commands that sign something there."""

    root: Path
    home: str
    commands: dict[str, list[str]]

    def again(self, to: Path) -> Path:
        shutil.rmtree(to, ignore_errors=True)
        shutil.copytree(self.root, to)
        return to

    def job(self, root: Path, name: str, **more: Any) -> dict[str, Any]:
        return {
            "args": self.commands[name], "cwd": str(root), "home": str(root / self.home), "patience": 0, **more
        }  # fmt: skip


def desk(folder: Path) -> Scene:
    """A game file, a copy of it, two different answers of the player who is asked, and deadlines that are called."""
    world = World(folder / "desk", rounds=3)
    root, mover = world.root, world.names[world.mover]
    view = (root / world.mover_view).read_bytes()
    for number in (0, 1):
        (root / f"answer{number}.json").write_bytes(first_answer(world.keys[world.mover], view, pick=number))
    shutil.copy(root / "game.json", root / "copy.json")
    for name in ("receipt.json", "move.json", "locked.json", "edition.json", "key.json"):
        (root / name).unlink()
    views = ["anna.view.json", "bert.view.json"]
    return Scene(root, "hanna-home", {
        "apply": ["apply", "game.json", "answer0.json", "--out", "a", *LATER],
        "apply to a copy": ["apply", "copy.json", "answer1.json", "--out", "b", *LATER],
        "timeout": ["apply", "game.json", "--timeout", mover, "--out", "c", *LATER],
        "timeout on a copy": ["apply", "copy.json", "--timeout", mover, "--out", "d", *LATER],
        "recover": ["recover", *views, "-o", "back.json"],
        "apply to what was recovered": ["apply", "back.json", "answer1.json", "--out", "e", *LATER],
        "adopt": ["recover", "--adopt", "copy.json", *views],
    })  # fmt: skip


def starts(folder: Path) -> Scene:
    """One offer, three joins, two seats."""
    world = World(folder / "starts", rounds=0)
    root = world.root
    other = lobby.make_join(key("Mallory"), envelope((root / "offer.json").read_bytes()), "Mallory", seed("mallory"))
    (root / "other.json").write_bytes(encode(other))
    for name in ("game.json", "anna.view.json", "bert.view.json", "move.json"):
        (root / name).unlink()
    return Scene(root, "elsewhere-home", {
        "start": ["start", "offer.json", "anna.join.json", "bert.join.json", "-o", "one.json", "--out", "a"],
        "start the same": ["start", "offer.json", "anna.join.json", "bert.join.json", "-o", "two.json", "--out", "b"],
        "start another": ["start", "offer.json", "anna.join.json", "other.json", "-o", "three.json", "--out", "c"],
    })  # fmt: skip


def office(folder: Path) -> Scene:
    """An office with an answer of the player who is asked in its mailbox, and a host who works on its game by hand."""
    world = Office(folder / "office")
    world.offer(PEOPLE["anna"], PEOPLE["bert"])
    world.take(*(own_join(mail, mail.to.partition("@")[0].title()) for mail in world.new()))
    world.take(*(own_move(world.turn(name), name.title()) for name in ("anna", "bert")))
    (mover,) = (row["name"] for row in world.status()["awaited"])
    turn = world.turn(mover.lower())
    world.put(own_move(turn, mover))
    (world.folder / "rival.json").write_bytes(sign(turn, mover, "random"))
    game, key_file = f"office/tables/{world.table()}/game.json", "office/host.key"
    shutil.copy(world.folder / game, world.folder / "copy.json")
    run = ["mail", "run", "office", "--now", "2026-11-20T09:00Z"]
    return Scene(world.folder, "home", {
        "mail run": run,
        "apply": ["apply", game, "rival.json", "--out", "a", "--key", key_file, *LATER],
        "apply to a copy": ["apply", "copy.json", "rival.json", "--out", "b", "--key", key_file, *LATER],
        "timeout": ["apply", game, "--timeout", mover, "--out", "c", "--key", key_file, *LATER],
    })  # fmt: skip


SCENES = {"desk": desk, "starts": starts, "office": office}


def points(saboteur: Saboteur, scene: Scene, name: str, folder: Path, step: int) -> range:
    """The calls of a command that nobody disturbs."""
    root = scene.again(folder / "count")
    return range(1, int(saboteur.together([scene.job(root, name)])[0][3]) + 1, step)


def interleaved(
    saboteur: Saboteur, scene: Scene, pair: tuple[str, str], at: int, folder: Path
) -> tuple[Path, tuple[int, str, str, int]]:
    """Stop the first of two commands at a call, run the other, then let the first go on."""
    first, second = pair
    root = scene.again(folder / "work")
    (result,) = saboteur.together([scene.job(root, first, at=at, meanwhile=[scene.job(root, second)])])
    return root, tuple(result)


def check(saboteur: Saboteur, scene: Scene, pair: tuple[str, str], at: int, folder: Path) -> None:
    """Nothing is proved and nothing is lost, whatever runs afterwards."""
    root, (status, _, err, _) = interleaved(saboteur, scene, pair, at, folder)
    label = f"{pair[0]}, stopped at {at} for {pair[1]}"
    assert status in (0, 2, 5, 8), f"{label}: exit {status}: {err}"
    assert "Traceback" not in err, f"{label}: {err}"
    done = [saboteur.together([scene.job(root, name)])[0] for name in scene.commands]
    assert {one[0] for one in done} <= {0, 2, 5, 8}, f"{label}: then exits {[one[0] for one in done]}"
    judge(root, scene.home, label)


def judge(root: Path, home: str, label: str) -> None:
    """What everybody together could show, and whether every receipt was kept."""
    got = [str(path) for path in sorted(root.glob("*/*.json")) if path.parent.name in "abcde"]
    mails = [str(path) for name in ("outbox", "sent") for path in sorted((root / "office" / name).glob("*.eml"))]
    shown = [str(path) for path in sorted(root.glob("*.view.json"))]
    assert got or mails, f"{label}: nobody got anything"
    ran = run_here("dispute", *got, *mails, *shown, "--json", "-o", str(root / "proofs"), cwd=root)
    found = json.loads(ran.out)
    assert found["proofs"] == [], f"{label}: {[row['code'] for game in found['games'] for row in game['shown']]}"
    assert found["games"], f"{label}: nothing was looked at"
    taken = [one for one in receipts((*got, *mails)) if one.code == "taken"]
    known = in_the_game(root / home)
    lost = [one for one in taken if one.move not in known]
    assert not lost, f"{label}: {len(lost)} of {len(taken)} answers with a receipt are lost"


def receipts(paths: Sequence[str]) -> Iterator[r.Receipt]:
    for path in map(Path, paths):
        data = path.read_bytes()
        if path.suffix == ".eml":
            parts = Mail(path.stem, data).message.iter_attachments()
            found = [bytes(one.get_content()) for one in parts if "receipt" in str(one.get_filename())]
        else:
            found = [data] if path.name.endswith(".receipt.json") else []
        for one in found:
            yield msgspec.json.decode(envelope(one).body, type=r.Receipt)


def in_the_game(home: Path) -> set[str]:
    """The ids of all moves in the newest game file, which the guard names."""
    (path,) = home.glob("guard/*/*.json")
    guard = decode(path.read_bytes(), Guard, "guard")
    match = open_match(Path(guard.path).read_bytes(), HOST)
    assert match.state.round == guard.round
    entries = (msgspec.json.decode(one.body, type=r.Entry) for one in match.entries)
    played = {move for entry in entries for move in moves_of(entry)}
    return played | {ident("move", bytes(file.body)) for file in match.waiting.values()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--step", type=int, default=1, help="stop at every Nth call")
    parser.add_argument("--only", default="", help="scenes whose name has this text")
    wanted = parser.parse_args()
    saboteur, tried, bad = Saboteur(), Counter[str](), []
    with tempfile.TemporaryDirectory() as name:
        for label, make in SCENES.items():
            if wanted.only not in label:
                continue
            folder = Path(name) / label
            scene = make(folder)
            for pair in itertools.product(scene.commands, repeat=2):
                for at in points(saboteur, scene, pair[0], folder, wanted.step):
                    tried[label] += 1
                    try:
                        check(saboteur, scene, pair, at, folder)
                    except AssertionError as error:
                        bad.append(f"{label}: {str(error).splitlines()[0]}")
                        sys.stdout.write(f"{bad[-1]}\n")
            sys.stdout.write(f"{label}: {tried[label]} stops in {len(scene.commands) ** 2} pairs, {len(bad)} bad\n")
            sys.stdout.flush()
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
