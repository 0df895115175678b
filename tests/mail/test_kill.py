"""`mail run` killed at any moment and started again ends where an undisturbed run does: nothing lost, nothing applied
twice, every mail of a player answered. Here at a sample of points; `tests/campaign/mail_kill.py` takes all of them."""

import json
import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from unittest import mock

import pytest

from referee.engine.player import open_view
from referee.mail.message import read_message
from tests.cli.world import environment, tree
from tests.io.test_crash import Saboteur
from tests.mail.offices import NOW, PEOPLE, Mail, World, own_join, own_move, plain, reply

REFEREE = str(Path(sys.executable).with_name("referee"))
ARGS = ["mail", "run", "office", "--now", NOW]
SENDMAIL = """#!/bin/sh
# Keeps what it is given under its Message-ID: a mail that is sent twice is the same mail.
cat > spool/new.$$
while read -r field id; do case $field in [Mm]essage-[Ii][Dd]:) break ;; esac; done < spool/new.$$
id=${id#<} id=${id%%@*}
mv spool/new.$$ "spool/$id"
"""
SETTINGS = """[fetch]
kind = "maildir"
path = "../Maildir"
[send]
kind = "sendmail"
program = "{program}"
"""


class Scene(NamedTuple):
    """An office with ten mails in its mailbox, and the same place after an undisturbed run."""

    before: Path
    after: dict[str, tuple[str, bytes]]
    number: int
    """How many mails are sent."""

    def again(self, to: Path) -> Path:
        shutil.rmtree(to, ignore_errors=True)
        shutil.copytree(self.before, to)
        return to


def words_of(mail: Mail) -> str:
    """What a bot would answer, in the game's words."""
    opened = open_view(mail.file("view.json"))
    move = opened.table.game.bots["sensible"](opened.table.terms, opened.seen, lambda n: n - 1)
    return str(opened.table.game.text(move))


def ten_mails(world: World) -> list[bytes]:
    """At one table a round is answered in every way, at the other the last two join."""
    people = [PEOPLE["anna"], "dora@x.example"]
    world.offer(*people)
    invitations = {mail.to: mail for mail in world.new()}
    bert, carla, anna = (world.turn(name) for name in ("bert", "carla", "anna"))
    return [
        reply(bert, words_of(bert)),
        own_move(anna, "Anna"),
        reply(invitations[people[1]], "join as Dora"),
        own_join(invitations[people[0]], "Anna"),
        reply(carla, "away until 2026-11-30"),
        reply(bert, words_of(bert), sender="bert@phone.example"),
        reply(carla, "I do not know what to do"),
        plain(PEOPLE["bert"], "Out of office", "I am away", Auto_Submitted="auto-replied"),
        b"\xff\xfe no mail at all \x00",
        reply(carla, words_of(carla)),
    ]


def bidding(folder: Path) -> World:
    """A game of M.A.R.K. that begins with a bid of all three, in secret; how it begins is drawn, each time alike."""
    with mock.patch.object(os, "urandom", random.Random("bidding").randbytes):
        return next(world for attempt in range(60) if (world := _begun(folder / f"{attempt}")))


def _begun(folder: Path) -> World | None:
    """A game that has begun, if it begins with a bid."""
    world = World(folder)
    world.offer(*PEOPLE.values(), game="mark", more=("--deadline", "3d"))
    mails = {mail.to.partition("@")[0]: mail for mail in world.new()}
    joins = (reply(mails[name], f"join as {name.title()}") for name in ("bert", "carla"))
    world.take(own_join(mails["anna"], "Anna"), *joins)
    world.take(own_move(world.turn("anna"), "Anna"), *(reply(world.turn(name), "ok") for name in ("bert", "carla")))
    return world if len(world.status()["awaited"]) == 3 else None


def make_scene(folder: Path) -> Scene:
    world = bidding(folder)
    before = world.folder
    for name in ("new", "cur", "tmp"):
        (before / "Maildir" / name).mkdir(parents=True)
    for number, mail in enumerate(ten_mails(world)):
        (before / "Maildir" / "new" / f"{number}.host").write_bytes(mail)
    (before / "spool").mkdir()
    program = folder / "sendmail"
    program.write_text(SENDMAIL)
    program.chmod(0o700)
    toml = before / "office" / "mail.toml"
    toml.write_text(toml.read_text().partition("[fetch]")[0] + SETTINGS.format(program=program))
    whole = folder / "whole"
    shutil.copytree(before, whole)
    ran = subprocess.run([REFEREE, *ARGS], cwd=whole, capture_output=True, text=True, env=environment(whole / "home"))
    assert ran.returncode == 0, ran.stderr
    return Scene(before, anywhere(whole), len(list((whole / "spool").iterdir())))


def anywhere(root: Path) -> dict[str, tuple[str, bytes]]:
    """Everything below a folder, except what differs from run to run in guards: where the folder is, and how what the
    office signed for kept seats is encrypted."""
    found = {}
    for name, (kind, data) in tree(root).items():
        if name.startswith("home/guard"):
            data = re.sub(rb'"sealed":"[^"]*"', b"", data.replace(bytes(root), b""))
        found[name] = kind, data
    return found


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    return make_scene(tmp_path_factory.mktemp("kill"))


@pytest.fixture(scope="module")
def saboteur() -> Iterator[Saboteur]:
    made = Saboteur()
    yield made
    made.close()


def check(scene: Scene, saboteur: Saboteur, root: Path, label: str) -> None:
    """After another, undisturbed run everything is as if nothing had happened."""
    status, _, err, _ = saboteur.run(root, ARGS, home=str(root / "home"))
    assert status == 0, f"{label}: {err}"
    found = {name: kind for name, kind in anywhere(root).items() if not name.startswith("spool/new.")}
    different = sorted(name for name in {*found, *scene.after} if found.get(name) != scene.after.get(name))
    assert different == [], f"{label}: {different}"


@pytest.mark.thorough
def test_the_undisturbed_run_does_what_the_mails_say(scene: Scene) -> None:
    archived = [name for name in scene.after if name.startswith("office/archive/0")]
    quarantined = [data for name, (_, data) in scene.after.items() if name.startswith("office/quarantine/0")]
    assert (len(archived), len(quarantined)) == (6 + 8, 2)
    sent = [read_message(data).headers for name, (_, data) in scene.after.items() if name.startswith("spool/")]
    answers = sorted(one.recipients[0] for one in sent if one.subject.startswith("Re: "))
    assert answers == sorted(
        [PEOPLE["anna"]] * 2 + [PEOPLE["bert"]] * 2 + [PEOPLE["carla"]] * 3 + ["dora@x.example"]
    ), "every mail of a player has its answer"
    assert not [name for name in scene.after if name.startswith(("office/in/", "office/outbox/0", "office/commit/"))]
    games = [json.loads(data) for name, (_, data) in scene.after.items() if name.endswith("game.json")]
    assert sorted(len(game["entries"]) for game in games) == [0, 2], (
        "one table has started, at the other a round is over"
    )


@pytest.mark.thorough
def test_killed_and_started_again(scene: Scene, saboteur: Saboteur, tmp_path: Path) -> None:
    root = scene.again(tmp_path / "count")
    status, _, err, calls = saboteur.run(root, ARGS, home=str(root / "home"))
    assert status == 0, err
    assert calls > 200, f"only {calls} calls seen"
    check(scene, saboteur, root, "undisturbed")
    for at in range(5, calls, max(1, calls // 8)):
        root = scene.again(tmp_path / "office")
        assert saboteur.run(root, ARGS, home=str(root / "home"), at=at)[0] == -9
        check(scene, saboteur, root, f"killed at call {at} of {calls}")


@pytest.mark.thorough
def test_killed_twice_on_the_way(scene: Scene, saboteur: Saboteur, tmp_path: Path) -> None:
    calls = saboteur.run(scene.again(tmp_path / "count"), ARGS, home=str(tmp_path / "count" / "home"))[3]
    for first, second in ((calls // 2, 12), (calls // 3, calls // 3), (3 * calls // 4, 4)):
        root = scene.again(tmp_path / "office")
        assert saboteur.run(root, ARGS, home=str(root / "home"), at=first)[0] == -9
        assert saboteur.run(root, ARGS, home=str(root / "home"), at=second)[0] == -9
        check(scene, saboteur, root, f"killed at call {first}, then at {second}")


@pytest.mark.thorough
@pytest.mark.parametrize(("call", "when"), [("rename", 20), ("fsync", 31), ("unlink", 1)])
def test_killed_from_outside(scene: Scene, saboteur: Saboteur, call: str, when: int, tmp_path: Path) -> None:
    strace = shutil.which("strace")
    if strace is None:
        pytest.skip("strace is not installed")
    root = scene.again(tmp_path / "office")
    made = subprocess.run(
        [strace, "-o", "/dev/null", "-e", f"trace={call}", "-e", f"inject={call}:signal=KILL:when={when}",
         REFEREE, *ARGS],
        cwd=root, capture_output=True, env=environment(root / "home"), check=False,
    )  # fmt: skip
    assert made.returncode == -9, made.stderr
    check(scene, saboteur, root, f"killed at {call} {when}")
