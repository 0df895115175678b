"""Malicious mails, processed by a real `mail run` that may use 128 MiB. Each has the true pass of a kept
seat, so it is read as far as any mail can be; it is answered, and the game stays as it is."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from referee.mail.message import MESSAGE_MOST, read_message
from referee.mail.passes import found_in
from tests.mail.hostile import MAILS
from tests.mail.offices import NOW, World, reply

LONGEST = (
    "nested", "many-parts", "many-headers", "lines", "our-words", "attributions", "paragraphs", "open-tags",
    "block-of-marks", "large-files", "boundary",
)  # fmt: skip
"""Those that take the most time or memory."""
MIB = 1 << 20
LAUNCHER = """
import json, os, resource, sys
child = os.fork()
if not child:
    resource.setrlimit(resource.RLIMIT_CPU, (3, 3))  # 2 seconds, and what every command takes to start
    os.execv(sys.argv[1], sys.argv[1:])
_, status, used = os.wait4(child, 0)
print(json.dumps([os.waitstatus_to_exitcode(status), used.ru_maxrss]))
"""
"""A process as small as possible: the peak memory reported for a child includes what its parent had."""


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> World:
    """A game that asks three kept seats whether they agree."""
    world = World(tmp_path_factory.mktemp("office") / "base")
    world.offer("anna@x.example", "bert@y.example", "carla@z.example")
    world.take(*(reply(mail, f"join as {mail.to.partition('@')[0].title()}") for mail in world.new()))
    return world


@pytest.mark.thorough
@pytest.mark.parametrize("name", LONGEST)
def test_a_hostile_mail_with_a_true_pass_costs_little_and_changes_nothing(
    begun: World, tmp_path: Path, name: str
) -> None:
    (code,) = {str(one) for one in found_in(read_message(begun.turn("bert").raw))}
    world = begun.again(tmp_path)
    before = world.game()
    path = tmp_path / "hostile.eml"
    path.write_bytes((f"Subject: {code}\r\n".encode() + MAILS[name]())[:MESSAGE_MOST])
    done = subprocess.run(
        [sys.executable, "-S", "-c", LAUNCHER, str(Path(sys.executable).with_name("referee")), "mail", "run",
         str(world.root), str(path), "--now", NOW, "--json"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    told, (status, most) = map(json.loads, done.stdout.splitlines())
    assert status == 0, done.stderr
    assert most * 1024 < 128 * MIB
    assert [row["folder"] for row in told["judged"]] == ["archive"]
    assert "Bert: refused" in told["judged"][0]["told"]
    assert world.game() == before
