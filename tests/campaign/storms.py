"""Whole games by mail while the mail server fails and runs of the office are killed.

python -m tests.campaign.storms [--seeds N] [--whole]

Two games at one office, over dovecot and an SMTP server that refuses, puts off, drops and dawdles as a seed says; `mail
run` is killed at a random call; players' mails arrive twice, late and in any order. At the end nothing may be lost,
nobody timed out who was not silent, and no mail taken twice except where SMTP leaves no choice: the server dropped the
connection before it said that it had taken the mail, or the run was killed before it could note that.
"""

import argparse
import asyncio
import datetime
import random
import re
import select
import sys
import tempfile
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import msgspec
from aiosmtpd.smtp import SMTP, Envelope, Session

from referee.crypto.codec import decode
from referee.engine import records as r
from tests.campaign.running import conclude, say
from tests.io.test_crash import Saboteur
from tests.mail.people import HOST, Person
from tests.mail.servers import Post, imap_server, mail_folder, mailbox, smtp_server
from tests.mail.test_whole_games import AT_ONCE, Table, check_the_game, check_the_office, from_imap, short_edition
from tests.support import waiting

FAULTS = ("later", "full", "refused", "quota", "hang up", "lose", "drop", "slow")
"""What the server does: puts a mail off (451), says that a mailbox is full (452), refuses one address (550), lets the
account send no more (550 5.4.5), disconnects before a mail, after it without keeping it, after it and keeps it, answers
slowly."""
LULL = 3
"""In every step whose number this divides nothing fails, and the host sends again what was refused."""
MOST = 400
TRUTHS = ("--deadline", "6h", "--grace", "1h")


class Taken(NamedTuple):
    """A mail of the office that the server took."""

    run: int
    id: str
    to: str
    told: bool
    """Whether it said so."""


class Storm(Post):
    """A server that fails for one player, or for all."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.fault, self.target = "", ""
        self.run = 0
        self.taken: list[Taken] = []
        self.met: Counter[str] = Counter()

    def strikes(self, envelope: Envelope, address: str) -> str:
        """The fault that this mail meets, if any; players' own mails meet none."""
        if envelope.mail_from != HOST or self.target not in ("", address):
            return ""
        return self.fault

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        fault = self.strikes(envelope, address)
        replies = {"later": "451 4.3.0 try later", "full": "452 4.2.2 mailbox full",
                   "refused": "550 5.1.1 no such user", "quota": "550 5.4.5 daily limit exceeded"}  # fmt: skip
        if fault in replies:
            self.met[fault] += 1
            return replies[fault]
        if fault == "hang up":
            self.met[fault] += 1
            server.transport.abort()
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        assert isinstance(envelope.content, bytes)
        (to,) = envelope.rcpt_tos
        fault = self.strikes(envelope, to)
        if fault in ("lose", "drop", "slow"):
            self.met[fault] += 1
        if fault == "lose":
            server.transport.abort()
            return "451 nobody hears this"
        answer = await super().handle_DATA(server, session, envelope)
        if envelope.mail_from == HOST:
            found = re.search(rb"^Message-ID:\s*(\S+)", envelope.content, re.MULTILINE | re.IGNORECASE)
            assert found is not None
            self.taken.append(Taken(self.run, found[1].decode(), to, fault != "drop"))
        if fault == "drop":
            server.transport.abort()
        for _ in range(20 if fault == "slow" else 0):
            await server.push("250-wait")
            await asyncio.to_thread(select.select, [], [], [], waiting.PAUSE)
        return answer


class Voyage:
    """Two games at one office, from the invitations to the transcripts."""

    def __init__(self, table: Table, storm: Storm, saboteur: Saboteur, seed: int) -> None:
        self.table, self.storm, self.saboteur = table, storm, saboteur
        self.chance = random.Random(f"storm {seed}")
        self.killed: set[int] = set()

    def run(self, *more: str, at: int = 0) -> int:
        """One `mail run`, killed at this call; 0: not at all."""
        self.storm.run += 1
        now = f"{self.table.now:%Y-%m-%dT%H:%MZ}"
        args = ["mail", "run", str(self.table.office), "--now", now, *more]
        home = str(self.table.folder / "home")
        status, _, err, _ = self.saboteur.run(self.table.folder, args, home=home, at=at)
        assert status in (0, 9, 10, -9), err
        if status == -9:
            self.killed.add(self.storm.run)
        return status

    def step(self, number: int) -> bool:
        """Three hours; returns whether somebody wrote something."""
        table, storm = self.table, self.storm
        table.now += datetime.timedelta(hours=3)
        calm = number % LULL == 0
        storm.fault = "" if calm else self.chance.choice(FAULTS)
        alone = storm.fault in ("full", "refused") or self.chance.random() < 0.5
        storm.target = self.chance.choice(table.people).address if alone else ""
        before = sum(len(person.sent) for person in table.people)
        if not calm and self.chance.random() < 0.6:
            self.run(at=self.chance.randrange(5, 160))
        if calm or self.chance.random() < 0.7:
            self.run(*(["--retry"] if calm else []))
        for person in self.chance.sample(table.people, len(table.people)):
            person.read()
        return sum(len(person.sent) for person in table.people) > before

    def sail(self) -> int:
        """Until everybody has heard of the end and nothing is left to send; returns the number of steps."""
        idle = 0
        for number in range(1, MOST):
            idle = 0 if self.step(number) else idle + 1
            if number % LULL == 0 and all(person.transcript for person in self.table.people):
                return number
            if idle > LULL and number % LULL == 0:
                self.table.ask_again()
        raise AssertionError("the games do not end")

    def copies(self) -> int:
        """How many mails were taken more than once. Each of the earlier times the office could not know of it."""
        last = {taken.run: at for at, taken in enumerate(self.storm.taken)}
        again = 0
        for id in {taken.id for taken in self.storm.taken}:
            times = [at for at, taken in enumerate(self.storm.taken) if taken.id == id]
            again += len(times) > 1
            for at in times[:-1]:
                taken = self.storm.taken[at]
                excused = not taken.told or (taken.run in self.killed and last[taken.run] == at)
                assert excused, f"{taken} came again without need"
        return again


def voyage(folder: Path, seed: int, saboteur: Saboteur, *, short: bool = True) -> Counter[str]:
    """Play two games through a storm, and check all that must hold."""
    with mail_folder() as boxes, ExitStack() as stack:
        storm = Storm(boxes)
        port = stack.enter_context(smtp_server(storm))
        mailbox(boxes, HOST)
        imap = stack.enter_context(imap_server(boxes))
        table = Table(folder, boxes, port, from_imap(imap, folder), 6, seed)
        games_of = dict(zip(AT_ONCE, (table.people[:3], table.people[3:]), strict=True))
        for game, people in games_of.items():
            table.offer(game, people, short_edition(game, folder) if short else None, *TRUTHS)
        for person in table.people:
            person.silence = 0.1
        trip = Voyage(table, storm, saboteur, seed)
        steps = trip.sail()
        missed = sum(check_deadlines(people) for people in games_of.values())
        check_the_office(table.office)
        figures = Counter({"games": len(games_of), "steps": steps, "runs": storm.run, "runs killed": len(trip.killed)})
        figures.update({"mails of the office": len(storm.taken), "taken twice": trip.copies()})
        figures.update({"mails of players": sum(len(person.sent) for person in table.people), "missed": missed})
        figures.update({f"fault: {fault}": met for fault, met in storm.met.items()})
        return figures


def check_deadlines(people: list[Person]) -> int:
    """The game is valid, and only those were timed out who were silent; returns how often."""
    check_the_game(people)
    file = decode(people[0].transcript, r.Transcript, "transcript")
    entries = [msgspec.json.decode(one.body, type=r.Entry) for one in file.entries]
    missed = {(entry.round, seat) for entry in entries for seat in entry.timeouts}
    forgotten = {(number, one.opened.seat) for one in people if one.opened is not None for number in one.forgotten}
    assert missed <= forgotten, missed - forgotten
    return len(missed)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--whole", action="store_true", help="the games of the boxes, not short editions")
    wanted = parser.parse_args()
    figures: Counter[str] = Counter()
    saboteur = Saboteur()
    for seed in range(wanted.seeds):
        with tempfile.TemporaryDirectory() as name:
            found = voyage(Path(name), seed, saboteur, short=not wanted.whole)
        say(f"seed {seed}: {dict(found)}")
        figures.update(found)
    saboteur.close()
    conclude(figures, "nothing lost, nobody timed out wrongly, no copy without need")
    return 0


if __name__ == "__main__":
    sys.exit(main())
