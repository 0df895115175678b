"""`mail run --stay`: the office answers as soon as a mail arrives."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cli.world import check_refusal, environment, run_here
from tests.mail.offices import HOST, Mail, World, reply
from tests.mail.servers import (
    Imap,
    Post,
    deliver,
    imap_server,
    mail_folder,
    mailbox,
    needs_dovecot,
    smtp_server,
    taken_out,
    use_servers,
)
from tests.support import waiting

BERT = "bert@y.example"


class Staying(NamedTuple):
    """An office that stays, its process, and where its mail server delivers."""

    office: World
    process: "subprocess.Popen[bytes]"
    boxes: Path
    imap: Imap

    def next_mail(self) -> Mail:
        """The next mail to Bert, as soon as it is there."""
        found = waiting.until(lambda: taken_out(self.boxes, BERT), lambda: self.process.poll())
        assert len(found) == 1
        return Mail("mail", found[0])


@pytest.fixture
def staying(tmp_path: Path) -> Iterator[Staying]:
    with ExitStack() as stack:
        boxes = stack.enter_context(mail_folder())
        imap = stack.enter_context(imap_server(boxes))
        port = stack.enter_context(smtp_server(Post(boxes)))
        world = World(tmp_path)
        world.offer(BERT, "carla@z.example", more=("--no-deadline",))
        mailbox(boxes, HOST)
        use_servers(world.root / "mail.toml", tmp_path / "secret", imap, port)
        command = [str(Path(sys.executable).with_name("referee")), "mail", "run", str(world.root), "--stay"]
        process = subprocess.Popen(command, cwd=tmp_path, env=environment(tmp_path / "home"), stderr=subprocess.DEVNULL)
        try:
            yield Staying(world, process, boxes, imap)
        finally:
            process.send_signal(signal.SIGTERM)
            waiting.ended(process)


@needs_dovecot
def test_each_mail_is_answered_when_it_arrives(staying: Staying) -> None:
    """What is due every five minutes would come too late for this test."""
    invitation = staying.next_mail()
    for words in ("perhaps", "what?", "join as Bert"):
        deliver(staying.boxes, HOST, reply(invitation, words))
        answer = staying.next_mail()
        assert answer.subject.startswith("Re: ")
    assert "Bert" in answer.text
    assert staying.process.poll() is None


def test_only_imap_says_when_a_mail_arrives(tmp_path: Path) -> None:
    world = World(tmp_path)
    ran = world.run("run", "--stay")
    check_refusal(ran, (2,))
    assert "exclude each other" in ran.said, "a given time, and whenever a mail arrives"
    ran = run_here("mail", "run", str(world.root), "--stay", cwd=tmp_path)
    assert (ran.exit, "only an IMAP server says when a mail arrives" in ran.said) == (2, True)
