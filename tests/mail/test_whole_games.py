"""Whole games by mail: a host with one command, players with all kinds of mail programs, real servers between them.

Some seats are kept by the host and answered in words, the others sign with keys of their own. Two games are played one
by one over Maildir and two at once over IMAP, by short editions; `python -m tests.mail.test_whole_games` plays all of
the boxes, over both.
"""

import contextlib
import datetime
import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from unittest import mock

import msgspec
import pytest

from referee.crypto.codec import decode
from referee.engine import records as r
from referee.engine.answers import decode_whole, read_words
from referee.evidence.replay import open_transcript
from referee.mail.case import identity
from referee.mail.message import read_message
from tests.cli.world import Ran, run_here
from tests.mail.people import HOST, Meant, Person, Programs
from tests.mail.programs import PROGRAMS
from tests.mail.servers import (
    PASSWORD,
    Imap,
    Post,
    deliver,
    imap_server,
    mail_folder,
    mailbox,
    needs_dovecot,
    smtp_server,
    taken_out,
)
from tests.support.ports import own_port
from tests.support.short import SHORT, short_json

AT_ONCE = ("mark", "schwarzmarkt")
"""These are played at one office, over IMAP: what brings the mails cannot tell one game from another."""
OPTIONS = {"weg-zum-erfolg": ["--option", "reserve_leaves=true"]}
WAYS = ("kept", "own", "kept", "own", "kept", "own")
NAMES = ("Anna", "Bert", "Carla", "Dirk", "Elsa", "Franz")
STEPS_MOST = 400


class Table:
    """An office with one game, and the people at it."""

    def __init__(self, folder: Path, boxes: Path, port: int, fetch: str, seats: int, seed: int) -> None:
        self.port = port
        self.folder, self.now = folder, datetime.datetime(2026, 11, 20, 8, 0, tzinfo=datetime.UTC)
        self.office = folder / "office"
        self.referee("host", "--name", "Host", "--address", HOST)
        settings = self.office / "mail.toml"
        plus = "true" if seed % 2 else "false"
        settings.write_text(
            f'name = "Host"\naddress = "{HOST}"\nplus = {plus}\npictures = false\n{fetch}\n'
            f'[send]\nkind = "smtp"\nserver = "127.0.0.1"\nport = {port}\nsecurity = "plain"\npassword = "none"\n'
        )
        names = NAMES[:seats]
        self.programs = Programs(seed)
        self.people = [
            Person(name, way, folder, boxes, port, seed, self.programs)
            for name, way in zip(names, WAYS, strict=False)
        ]  # fmt: skip

    def referee(self, command: str, *words: str, now: bool = False) -> Ran:
        clock = ("--now", f"{self.now:%Y-%m-%dT%H:%MZ}") if now else ()
        line = ("mail", command, str(self.office), *words)
        if command == "offer":
            line = ("offer", *words, "--office", str(self.office))
        if command == "host":
            line = ("host", str(self.office), *words)
        done = run_here(*line, *clock, cwd=self.folder)
        assert done.exit == 0, (command, done.said)
        return done

    def offer(self, game: str, people: list[Person], edition: Path | None, *more: str) -> None:
        to = [word for person in people for word in ("--to", person.address)]
        own = ["--edition", str(edition)] if edition else []
        self.referee("offer", game, "--seats", str(len(people)), *to, *own, *OPTIONS.get(game, []), *more, now=True)

    def waiting(self) -> list[str]:
        """Mails that are not sent yet."""
        return sorted(path.name for path in (self.office / "outbox").glob("*.eml"))

    def play(self) -> int:
        """Until the game is over and everybody has heard of it; returns the number of runs."""
        for step in range(STEPS_MOST):
            self.now += datetime.timedelta(hours=3)
            before = sum(len(person.sent) for person in self.people)
            self.referee("run", now=True)
            for person in self.people:
                person.read()
            if all(person.transcript for person in self.people):
                return step
            if sum(len(person.sent) for person in self.people) == before:
                self.ask_again()
        raise AssertionError("the game does not end")

    def ask_again(self) -> None:
        """Nobody had anything to answer, so somebody forgot to, or an answer was not understood and is sent again."""
        told = json.loads(self.referee("status", "--json", now=True).out)
        awaited = {row["name"] for one in told["tables"] for row in one["awaited"]}
        assert awaited, told
        for person in self.people:
            if person.name not in awaited or not person.has_answered:
                continue
            assert person.again < 30, person.name
            person.again += 1
            person.answer(plain=True)


def from_imap(imap: Imap, folder: Path) -> str:
    """The settings for an account on this server."""
    secret = folder / "secret"
    secret.write_text(PASSWORD)
    secret.chmod(0o600)
    return (
        f'[fetch]\nkind = "imap"\nserver = "localhost"\nport = {imap.tls}\ncertificate = "{imap.cert}"\n'
        f'password = "file {secret}"\n'
    )


@contextlib.contextmanager
def sitting(folder: Path, over: str, seats: int, seed: int) -> Iterator[Table]:
    """A table whose host fetches mails in this way."""
    with mail_folder() as boxes, contextlib.ExitStack() as stack:
        port = stack.enter_context(smtp_server(Post(boxes)))
        box = mailbox(boxes, HOST)
        fetch = f'[fetch]\nkind = "maildir"\npath = "{box}"\n'
        if over == "imap":
            fetch = from_imap(stack.enter_context(imap_server(boxes)), folder)
        yield Table(folder, boxes, port, fetch, seats, seed)


def taken(transcript: bytes) -> dict[tuple[int, int], Meant]:
    """Round and seat -> the answer that the host accepted, from the published game alone."""
    file = decode(transcript, r.Transcript, "transcript")
    game = open_transcript(transcript).table.game
    sealed = {(one.round, one.seat): one.fields for one in file.sealed}
    found = {}
    for envelope in file.entries:
        entry = msgspec.json.decode(envelope.body, type=r.Entry)
        for one in entry.answers:
            move, words = r.content(one.answer), r.content(one.standing)
            fields = sealed.get((entry.round, one.seat), {})
            found[entry.round, one.seat] = Meant(
                decode_whole(game, move, fields) if move else None, read_words(game, words) if words else None
            )
    return found


def short_edition(game: str, folder: Path, more: Mapping[str, Any] = {}) -> Path:
    path = folder / "edition.json"
    path.write_text(short_json(game, more))
    return path


def play(folder: Path, game: str, over: str, seats: int, seed: int, *, short: bool = True) -> Table:
    """A whole game, and all that must hold of it. Keys and nonces come from the seed, so it goes the same way again."""
    chance = mock.patch.object(os, "urandom", random.Random(f"{game} {seed}").randbytes)
    with chance, sitting(folder, over, seats, seed) as table:
        table.offer(game, table.people, short_edition(game, folder) if short else None)
        table.play()
    check_the_game(table.people)
    check_the_office(table.office)
    return table


def check_the_game(people: list[Person]) -> None:
    """The published game is valid, and every accepted answer is what its player meant."""
    transcript = people[0].folder / "transcript.json"
    transcript.write_bytes(people[0].transcript)
    assert len({person.transcript for person in people}) == 1
    assert run_here("verify", str(transcript), cwd=transcript.parent).exit == 0
    meant = {
        (number, person.opened.seat): one
        for person in people
        if person.opened is not None
        for number, one in person.meant.items()
    }
    found = taken(people[0].transcript)
    assert {place: meant.get(place) for place in found} == found
    for person in people:
        person.tool("audit", "newest.eml")


def check_the_office(office: Path) -> None:
    """Every mail of a player was answered, no other was, and nothing is left over."""
    for folder, wanted in (("archive", 1), ("quarantine", 0)):
        for name in os.listdir(office / folder):
            digest = identity(read_message((office / folder / name).read_bytes()), "")[:16]
            assert len(list((office / "sent").glob(f"*-answer-{digest}.eml"))) == wanted, (folder, name)
    assert os.listdir(office / "in") == []
    assert os.listdir(office / "outbox") == ["failed"]
    assert os.listdir(office / "outbox/failed") == []


@pytest.mark.thorough
@pytest.mark.parametrize("game", sorted(SHORT.keys() - set(AT_ONCE)))
def test_a_whole_game_by_mail(tmp_path: Path, game: str) -> None:
    table = play(tmp_path, game, "maildir", 3, sorted(SHORT).index(game))
    assert {person.way for person in table.people} == {"kept", "own"}
    written = sum(len(person.sent) for person in table.people)
    assert sum(person.again for person in table.people) < written / 3
    assert table.programs.used == set(PROGRAMS)


@needs_dovecot
@pytest.mark.thorough
def test_two_games_at_once_with_deadlines_and_people_who_forget_them(tmp_path: Path) -> None:
    chance = mock.patch.object(os, "urandom", random.Random("deadlines").randbytes)
    with chance, sitting(tmp_path, "imap", 6, 10) as table:
        games_of = dict(zip(AT_ONCE, (table.people[:3], table.people[3:]), strict=True))
        for game, people in games_of.items():
            table.offer(game, people, short_edition(game, tmp_path), "--deadline", "6h", "--grace", "1h")
        for person in table.people:
            person.silence = 0.15
        table.play()
    assert table.programs.used == set(PROGRAMS)
    for people in games_of.values():
        check_the_game(people)
        file = decode(people[0].transcript, r.Transcript, "transcript")
        entries = [msgspec.json.decode(one.body, type=r.Entry) for one in file.entries]
        missed = {(entry.round, seat) for entry in entries for seat in entry.timeouts}
        forgotten = {
            (number, person.opened.seat)
            for person in people
            if person.opened is not None
            for number in person.forgotten
        }
        assert missed
        assert missed <= forgotten
    check_the_office(table.office)


# --- servers that fail ------------------------------------------------------------------------------------------------


@pytest.fixture
def invited(tmp_path: Path) -> Iterator[tuple[Table, Post]]:
    """An office whose three invitations wait in the outbox."""
    with mail_folder() as boxes:
        post = Post(boxes)
        table = Table(
            tmp_path, boxes, own_port(), f'[fetch]\nkind = "maildir"\npath = "{mailbox(boxes, HOST)}"\n', 3, 1
        )
        table.offer("schwarzmarkt", table.people, None)
        yield table, post


def test_a_server_that_is_down_delays_everything_and_loses_nothing(invited: tuple[Table, Post]) -> None:
    table, post = invited
    down = run_here("mail", "run", str(table.office), cwd=table.folder)
    assert (down.exit, "nothing is listening" in down.said) == (9, True)
    assert len(table.waiting()) == 3
    with smtp_server(post, port=table.port):
        table.referee("run")
    assert table.waiting() == []
    assert all(len(taken_out(post.root, person.address)) == 1 for person in table.people)


def test_whoever_cannot_be_reached_does_not_keep_the_others_waiting(invited: tuple[Table, Post]) -> None:
    table, post = invited
    gone, full, fine = (person.address for person in table.people)
    post.answers = {gone: "550 no such user", full: "452 mailbox full"}
    with smtp_server(post, port=table.port):
        done = run_here("mail", "run", str(table.office), cwd=table.folder)
        assert (done.exit, "no such user" in done.said, "mailbox full" in done.said) == (10, True, True)
        assert len(table.waiting()) == 1
        assert len(os.listdir(table.office / "outbox/failed")) == 1
        assert "1 mail could not be sent" in table.referee("status").out.decode()
        post.answers = {}
        table.referee("run", "--retry")
    assert table.waiting() == []
    assert [len(taken_out(post.root, one)) for one in (gone, full, fine)] == [1, 1, 1]


def test_a_mailbox_that_cannot_be_reached_keeps_nothing_from_being_sent(invited: tuple[Table, Post]) -> None:
    table, post = invited
    settings = table.office / "mail.toml"
    settings.write_text(settings.read_text().replace('host@games.example"\n\n', 'gone"\n\n'))
    with smtp_server(post, port=table.port):
        done = run_here("mail", "run", str(table.office), cwd=table.folder)
    assert (done.exit, "gone/cur cannot be read" in done.said) == (9, True)
    assert table.waiting() == []


@needs_dovecot
@pytest.mark.thorough
@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_a_run_over_imap_that_is_killed_keeps_every_mail_once(tmp_path: Path) -> None:
    """Killed at a call of `fsync`: before a mail is durable it stays unread, and afterwards it is not fetched again."""
    with mail_folder() as boxes, imap_server(boxes) as imap:
        table = Table(tmp_path, boxes, own_port(), from_imap(imap, tmp_path), 3, 1)
        command = [str(Path(sys.executable).with_name("referee")), "mail", "run", str(table.office)]
        sent = 0
        for point in (1, 2, 3, 6, 8, 10):
            for _ in range(4):
                deliver(boxes, HOST, f"From: a@b.example\nSubject: {sent}\n\nbuy red\n".encode())
                sent += 1
            kill = ["strace", "-f", "-o", str(tmp_path / "trace"), "-e", "trace=fsync"]
            kill += ["-e", f"inject=fsync:signal=KILL:when={point}", *command]
            assert subprocess.run(kill, capture_output=True, cwd=tmp_path).returncode == -9
            assert subprocess.run(command, capture_output=True, cwd=tmp_path).returncode == 0
            kept = [path.read_bytes() for path in (table.office / "quarantine").glob("*.eml")]
            subjects = sorted(int(raw.partition(b"Subject: ")[2].split()[0]) for raw in kept)
            assert subjects == list(range(sent)), point
        assert os.listdir(mailbox(boxes, HOST) / "new") == []


def main(*only: str) -> None:
    """Play the games of the boxes, and say what happened."""
    import tempfile

    for game in only or sorted(SHORT):
        for over in ("maildir", "imap"):
            with tempfile.TemporaryDirectory() as name:
                table = play(Path(name), game, over, 4, 1, short=False)
                sent = sum(len(person.sent) for person in table.people)
                again = sum(person.again for person in table.people)
                rounds = max(max(person.meant) for person in table.people)
                print(  # noqa: T201
                    f"{game:20} {over:8} {rounds:4} rounds, {sent:4} mails of players, {again:3} sent again"
                )


if __name__ == "__main__":
    main(*sys.argv[1:])
