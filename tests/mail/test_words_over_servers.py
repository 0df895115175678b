"""Words, questions and learned lines over real servers: SMTP brings the mails, IMAP hands them to the office."""

from collections.abc import Iterator
from contextlib import ExitStack
from email import message_from_bytes
from pathlib import Path

import pytest

from tests.mail.offices import HOST, Mail, World, reply
from tests.mail.servers import (
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
from tests.mail.test_meant import flat, tap

PEOPLE = {"bert": "bert@y.example", "carla": "carla@z.example"}
FOOT = "\n\nThe early bird catches the worm"


class Served:
    """An office with real servers."""

    def __init__(self, world: World, boxes: Path) -> None:
        self.world, self.boxes = world, boxes

    def send(self, *mails: bytes) -> dict[str, list[Mail]]:
        """Deliver mails, run the office, and take out what arrives: player -> mails."""
        for mail in mails:
            deliver(self.boxes, HOST, mail)
        self.world.good("run")
        found = {name: taken_out(self.boxes, address) for name, address in PEOPLE.items()}
        return {name: [Mail(name, raw) for raw in raws] for name, raws in found.items()}

    def answer(self, mail: bytes, name: str = "bert") -> Mail:
        (found,) = (one for one in self.send(mail)[name] if message_from_bytes(mail)["Message-ID"] in str(one.raw))
        return found


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with ExitStack() as stack:
        boxes = stack.enter_context(mail_folder())
        imap = stack.enter_context(imap_server(boxes))
        port = stack.enter_context(smtp_server(Post(boxes)))
        world = World(tmp_path)
        for address in (HOST, *PEOPLE.values()):
            mailbox(boxes, address)
        use_servers(world.root / "mail.toml", tmp_path / "secret", imap, port)
        world.offer(*PEOPLE.values(), more=("--no-deadline",))
        yield Served(world, boxes)


@needs_dovecot
def test_a_beginner_gets_along_with_words(served: Served) -> None:
    invitations = {name: mails[0] for name, mails in served.send().items()}
    assert "join as NAME" in flat(served.answer(reply(invitations["bert"], "help")))
    joined = served.send(*(reply(mail, f"join as {name.title()}\n\nVon meinem Galaxy gesendet")
                           for name, mail in invitations.items()))  # fmt: skip
    acks = {name: next(mail for mail in mails if "round 1" in mail.subject) for name, mails in joined.items()}
    begun = served.send(*(reply(mail, f"ok\n\nGruß\n{name.title()}") for name, mail in acks.items()))
    asked = {name: mail for name, mails in begun.items() for mail in mails if "round 2: your turn" in mail.subject}
    (name, turn), *others = asked.items()
    assert not others, "one player begins"

    told = flat(served.answer(reply(turn, "Hallo!\n\nwie geht es dir?"), name))
    assert "I found no answer in your mail" in told
    told = flat(served.answer(reply(turn, "Regel 1\nBrett"), name))
    assert "You asked for: rules 1 and board." in told

    question = served.answer(reply(turn, f"place yellow{FOOT}"), name)
    assert "Did you mean: place yellow" in flat(question)
    after = served.send(tap(question))
    assert any("Your answer has been accepted" in flat(mail) for mail in after[name])
    other = next(one for one in PEOPLE if one != name)
    turn = next(mail for mail in after[other] if "round 3: your turn" in mail.subject)
    after = served.send(reply(turn, "place red\n\nstatus"))
    subjects = [flat(mail) for mail in after[other]]
    assert any("Your answer has been accepted" in text for text in subjects)
    assert any("You asked for: status." in text for text in subjects)
    turn = next(mail for mail in after[name] if "round 4: your turn" in mail.subject)
    told = flat(served.answer(reply(turn, f"pass red{FOOT}"), name))
    assert "Your answer has been accepted" in told, "the line was confirmed before"
    served.world.good("run")
    assert all(not taken_out(served.boxes, address) for address in PEOPLE.values())
