"""People who play by mail, each in their own way, through real servers: they read what arrives, choose as bots do, and
answer with whatever mail program they have. What they meant is kept, to be compared with what was taken."""

import random
import re
import smtplib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from referee.engine.answers import seen
from referee.engine.player import Opened, open_view
from referee.errors import RefereeError
from referee.language import with_names
from referee.mail.block import write_block
from referee.mail.saved import Document, documents, read_mail
from referee.show import typed, wording
from tests.cli.world import Ran, run_here
from tests.mail.programs import PROGRAMS, TONGUES, Reply, Sent, mail, sent_by
from tests.mail.servers import taken_out

HOST = "host@games.example"
LINE_MOST = 700
"""Servers refuse lines of 1,000 bytes, so mail programs encode them."""
QUESTION = re.compile(r"^.*What do you do\?.*$", re.MULTILINE)


class Meant(msgspec.Struct, frozen=True):
    """What somebody decided for one round."""

    move: Any
    standing: Any


class Programs:
    """All mail programs in random order, over and over."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.left: list[str] = []
        self.used: set[str] = set()

    def next(self) -> str:
        if not self.left:
            self.left = self.chance.sample(sorted(PROGRAMS), len(PROGRAMS))
        self.used.add(self.left[-1])
        return self.left.pop()


class Person:
    """Somebody at a table. `way` is `kept` (answers in words) or `own` (signs with the tool)."""

    def __init__(self, name: str, way: str, root: Path, boxes: Path, port: int, seed: int, programs: Programs) -> None:
        self.name, self.way, self.boxes, self.port, self.programs = name, way, boxes, port, programs
        self.address = f"{name.lower()}@players.example"
        self.folder = root / name.lower()
        self.folder.mkdir()
        self.chance = random.Random(f"{name} {seed}")
        self.opened: Opened | None = None
        self.asked: bytes = b""
        """The mail that asks for an answer now."""
        self.meant: dict[int, Meant] = {}
        """Round -> what was decided."""
        self.silence = 0.0
        self.forgotten: set[int] = set()
        """The share of rounds that are not answered, once the game has begun."""
        self.sent: list[bytes] = []
        self.transcript = b""
        self.again = 0
        """How often an answer had to be sent in a plainer way."""
        if way == "own":
            self.tool("key", "new", "--name", name, "-o", "key.json")

    def tool(self, *words: str) -> Ran:
        """The `referee` command in this person's folder."""
        done = run_here(*words, cwd=self.folder)
        assert done.exit == 0, (words, done.said)
        return done

    @property
    def has_answered(self) -> bool:
        """Whether an answer to the newest question is on its way, or should be."""
        return self.opened is None or self.opened.round + 1 in self.meant

    # --- reading -----------------------------------------------------------------------------------------------------

    def read(self) -> None:
        """Look at all that is new, and answer it."""
        for raw in taken_out(self.boxes, self.address):
            for document in documents(read_mail(raw)):
                self.take(raw, document)

    def take(self, raw: bytes, document: Document) -> None:
        if document.kind == "offer":
            if not self.sent:  # it may come twice
                self.join(raw)
        elif document.kind == "transcript":
            self.transcript = document.data
        elif document.kind == "view":
            opened = open_view(document.data, since=self.opened)
            assert opened.name == self.name
            if self.opened is None or opened.round >= self.opened.round:
                self.opened = opened
                (self.folder / "newest.eml").write_bytes(raw)
            number = opened.round + 1
            if opened.round and number not in self.meant and self.chance.random() < self.silence:
                self.forgotten.add(number)
            if opened.ask is not None and number not in self.meant and number not in self.forgotten:
                self.asked, self.meant[number] = raw, self.decide(opened)
                if self.chance.random() < 0.1:
                    self.be_away(raw)
                self.answer()

    def be_away(self, raw: bytes) -> None:
        """A program answers first. It has the pass, and what it says could be a move: it must not be taken for one."""
        letter = read_mail(raw)
        head = f"Subject: Re: {letter.headers.subject}\nAuto-Submitted: auto-replied"
        self.deliver(self.headed(f"To: {letter.headers.reply_to or HOST}\n{head}\n\n#1\n".encode()))

    def join(self, raw: bytes) -> None:
        self.asked = raw
        if self.way == "kept":
            self.write(f"join as {self.name}", places=("top", "bottom"))
            return
        (self.folder / "invitation.eml").write_bytes(raw)
        self.tool("join", "invitation.eml", "--key", "key.json", "--yes", "-o", "join.eml")
        self.post(self.headed((self.folder / "join.eml").read_bytes()))

    # --- deciding ----------------------------------------------------------------------------------------------------

    def decide(self, opened: Opened) -> Meant:
        """The move of a sensible bot, and standing orders wherever they cost nothing and can be said in one phrase."""
        table, checkpoint = opened.table, opened.chain.checkpoint
        known = seen(table.game, checkpoint.state, checkpoint.public, opened.seat, opened.owner.faces)
        move = table.game.bots["sensible"](table.terms, known, self.chance.randrange) if opened.decides else None
        advice = table.game.standing.advise(table.terms, known, "sensible") if table.game.standing else None
        try:
            said = typed.read_answer(opened, "; ".join(self.said(opened, Meant(move, advice))))
        except RefereeError:
            return Meant(move, None)
        return Meant(move, advice if said.standing == advice else None)

    def said(self, opened: Opened, meant: Meant) -> list[str]:
        """The clauses of an answer: the move in words or as a line of the list, then standing orders."""
        clauses = []
        if meant.move is not None:
            text = with_names(str(opened.table.game.text(meant.move)), opened.table.names)
            lines = [
                f"#{number}"
                for number, choice in enumerate(typed.choices(opened), 1)
                if not choice.parts and typed.as_type(choice.move, opened.table.game.move) == meant.move
            ]
            clauses.append(self.chance.choice([text, *lines]))
        if meant.standing is not None:
            old = wording.phrases(opened.table, opened.orders(opened.seat))
            clauses += [text for text in wording.phrases(opened.table, meant.standing) if text not in old]
        return clauses

    # --- answering ---------------------------------------------------------------------------------------------------

    def answer(self, *, plain: bool = False) -> None:
        """Answer the mail that asks; `plain`: in the way that everybody understands."""
        assert self.opened is not None
        meant = self.meant[self.opened.round + 1]
        if self.way == "own":
            self.sign(meant, plain)
            return
        clauses = self.said(self.opened, meant)
        words = "; ".join(clauses if meant.move is not None else ["ok", *clauses])
        self.write(words, places=("top",) if plain else ("top", "bottom", "inline"), plain=plain)

    def sign(self, meant: Meant, plain: bool) -> None:
        """An answer signed by the tool, sent as the tool wrote it, as a block in the text, or as a file."""
        assert self.opened is not None
        (self.folder / "turn.eml").write_bytes(self.asked)
        clauses = self.said(self.opened, meant)
        words = ["--move", clauses.pop(0)] if meant.move is not None else []
        for clause in clauses:
            words += ["--say", clause]
        self.tool("play", "turn.eml", "--key", "key.json", "--yes", *words, "-o", "move.json")
        signed = (self.folder / "move.json").read_bytes()
        way = "reply" if plain else self.chance.choice(("reply", "block", "file"))
        if way == "reply":
            self.post(self.headed((self.folder / "move.reply.eml").read_bytes()))
        elif way == "block":
            self.write(write_block("move", signed), places=("top", "bottom"))
        else:
            attached = (("move.json", self.chance.choice(("application/json", "application/octet-stream")), signed),)
            self.write("my move is in the file", places=("top",), files=attached)

    def write(
        self,
        words: str,
        places: Sequence[str],
        *,
        plain: bool = False,
        files: tuple[tuple[str, str, bytes], ...] = (),
    ) -> None:
        """Answer with one of the mail programs, chosen by chance, in one of the languages."""
        question = QUESTION.search(sent_by(self.asked, "").text)
        asked: Sent = sent_by(self.asked, question[0].strip() if question else "")
        place = self.chance.choice(places if question else places[:2])
        name = "apple" if plain else self.programs.next()
        tongue = TONGUES[self.chance.choice(sorted(TONGUES))]
        if not plain and not files and "\n" not in words:
            words = self.chance.choice((words, f"{tongue.hello}\n\n{words}", f"{words}\n\n{tongue.bye}"))
        reply: Reply = PROGRAMS[name](words, tongue, place, asked)
        if max(map(len, f"{reply.text}\n{reply.html}".split("\n"))) > LINE_MOST:
            reply = msgspec.structs.replace(reply, encoding="quoted-printable")
        to = read_mail(self.asked).headers.reply_to or HOST
        headers = (f"From: {self.name} <{self.address}>", f"To: {to}", self.message_id(), *reply.headers)
        self.post(mail(msgspec.structs.replace(reply, subject=f"Re: {asked.subject}", headers=headers, files=files)))

    def message_id(self) -> str:
        return f"Message-ID: <{self.chance.getrandbits(64):x}@players.example>"

    def headed(self, raw: bytes) -> bytes:
        """A reply of the tool as a mail program sends it."""
        return f"From: {self.name} <{self.address}>\r\n{self.message_id()}\r\n".encode() + raw

    def post(self, raw: bytes) -> None:
        """Send a mail; some arrive twice, and some arrive again much later."""
        self.deliver(raw)
        if self.chance.random() < 0.1:
            self.deliver(raw)
        if self.sent and self.chance.random() < 0.15:
            late = self.chance.choice(self.sent)
            self.deliver(f"Received: late {self.chance.random()}\n".encode() + late)
        self.sent.append(raw)

    def deliver(self, raw: bytes) -> None:
        found = re.search(rb"^To:.*?([^\s<>]+@[^\s<>]+)", raw, re.MULTILINE)
        assert found is not None
        with smtplib.SMTP("127.0.0.1", self.port, "players.example") as client:
            client.sendmail(self.address, [found[1].decode()], raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
