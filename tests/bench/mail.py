"""How fast an office is: mails in and answered, against the bare parse of the same mails.

    python -m tests.bench.mail [tables] [game]

Players of as many tables join, agree to the game and move, all in words, each wave in one `mail run` without sending.
The bare parse is that of the standard library, with all parts decoded; both are measured in this run, on the same
mails. A move that closes a round makes two mails: the answer, and the next turn with the view of whoever is asked.
"""

import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from email import message_from_bytes, policy
from email.parser import BytesParser
from pathlib import Path

from referee.engine.player import open_view
from referee.mail.message import read_message
from referee.mail.saved import documents, read_mail
from tests.cli.world import run_here

HOST = "host@games.example"
SETTINGS = f'name = "Host"\naddress = "{HOST}"\npictures = {{pictures}}\n[fetch]\nkind = "folder"\npath = "post"\n'
SEATS = 3


def office(folder: Path, *words: str) -> None:
    command, *rest = words
    others = {"host": ("host", "office", *rest), "offer": ("offer", *rest, "--office", "office")}
    done = run_here(*others.get(command, ("mail", command, "office", *rest)), cwd=folder)
    assert done.exit == 0, done.said


def offer(folder: Path, game: str, number: int) -> None:
    """A table for players whom nobody else has."""
    to = [word for seat in range(SEATS) for word in ("--to", f"player{number}x{seat}@players.example")]
    done = run_here("offer", game, "--seats", str(SEATS), "--office", "office", *to, cwd=folder)
    assert done.exit == 0, done.said


def bare(mails: list[bytes]) -> None:
    """What any program must do that reads mails."""
    for raw in mails:
        for part in message_from_bytes(raw).walk():
            part.get_payload(decode=True)


def timed(job: Callable[..., None], *given: object) -> tuple[float, float]:
    """Seconds that passed, and seconds of work: the first have the disk in them, the second no other program."""
    start, work = time.perf_counter(), time.process_time()
    job(*given)
    return time.perf_counter() - start, time.process_time() - work


def replies(folder: Path, known: set[str]) -> list[bytes]:
    """An answer in words to every mail of the outbox that asks for one and was not answered yet."""
    found = []
    for name in sorted(os.listdir(folder / "office/outbox")):
        path = folder / "office/outbox" / name
        if name in known or not path.is_file():
            continue
        known.add(name)
        words = answer(path.read_bytes())
        if words:
            found.append(reply(path.read_bytes(), words, len(known)))
    return found


def answer(raw: bytes) -> str:
    for document in documents(read_mail(raw)):
        if document.kind == "offer":
            return "join as " + read_message(raw).headers.recipients[0].partition("@")[0]
        if document.kind == "view":
            opened = open_view(document.data)
            if opened.ask is None:
                continue
            if not opened.decides:
                return "ok"

            game, chance = opened.table.game, random.Random(opened.table.id)
            return str(game.text(game.bots["sensible"](opened.table.terms, opened.seen, chance.randrange)))
    return ""


def reply(raw: bytes, words: str, number: int) -> bytes:
    """The answer above the whole quoted text."""
    mail = BytesParser(policy=policy.default).parsebytes(raw)
    body = mail.get_body(("plain",))
    assert body is not None
    quoted = "".join(f"> {line}\n" for line in body.get_content().splitlines())
    head = f"From: {mail['To']}\nTo: {HOST}\nSubject: Re: {mail['Subject']}\nMessage-ID: <{number}@players.example>\n"
    text = f"{words}\n\nOn 3 Jan 2027, at 10:00, Host <{HOST}> wrote:\n\n{quoted}"
    return f"{head}Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n{text}".encode()


def main(tables: int = 30, game: str = "schwarzer-freitag", pictures: str = "false") -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        office(folder, "host", "--name", "Host", "--address", HOST)
        (folder / "office/mail.toml").write_text(SETTINGS.format(pictures=pictures))
        (folder / "office/post").mkdir()
        for number in range(tables):
            offer(folder, game, number)
        known: set[str] = set()
        print(f"{game}, {tables} tables, {SEATS} players each, pictures = {pictures}")
        print(
            f"  {'wave':8} {'mails':>6} {'written':>8} {'answered':>17} {'bare parse':>13} {'ratio':>7} {'of work':>8}"
        )
        for wave in ("join", "ack", "move 1", "move 2"):
            mails = replies(folder, known)
            for number, raw in enumerate(mails):
                (folder / "office/post" / f"{wave}-{number:04}.eml").write_bytes(raw)
            before = len(os.listdir(folder / "office/outbox"))
            floors = [timed(bare, mails) for _ in range(9)]
            spent, work = timed(office, folder, "run")
            floors += [timed(bare, mails) for _ in range(9)]
            written = len(os.listdir(folder / "office/outbox")) - before
            floor, least = (statistics.median(column) for column in zip(*floors, strict=True))
            print(
                f"  {wave:8} {len(mails):6} {written:8} {len(mails) / spent:11.0f} /s   {len(mails) / floor:8.0f} /s"
                f" {spent / floor:7.0f} {work / least:8.0f}"
            )
            for path in (folder / "office/post").iterdir():
                path.unlink()


if __name__ == "__main__":
    main(*(int(text) if text.isdigit() else text for text in sys.argv[1:]))  # type: ignore[arg-type]
