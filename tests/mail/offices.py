"""An office with real files, and people who answer its mails."""

import copy
import email.policy
import json
import re
import shutil
from email.message import EmailMessage
from email.parser import BytesParser
from pathlib import Path
from typing import Any

from referee.bots.playing import bot_signs
from referee.cli.app import COMMANDS, GROUPS
from referee.crypto.codec import decode, encode
from referee.crypto.envelope import Envelope
from referee.engine.lobby import make_join
from referee.engine.player import open_view
from referee.io import keyfile
from referee.mail.block import write_block
from tests.cli.world import Ran, key, run_here, seed, tree
from tests.support.shown import check_ids

NOW = "2026-11-20T08:00Z"
HOST = "host@games.example"
GAME = "schwarzer-freitag"


class Mail:
    """A mail of ours, as its reader's program shows it."""

    def __init__(self, name: str, raw: bytes) -> None:
        self.name, self.raw = name, raw
        self.message = BytesParser(policy=email.policy.default).parsebytes(raw)

    @property
    def to(self) -> str:
        return str(self.message["To"].addresses[0].addr_spec)

    @property
    def text(self) -> str:
        body = self.message.get_body(("plain",))
        assert body is not None
        return str(body.get_content()).replace("\r\n", "\n")

    @property
    def subject(self) -> str:
        return str(self.message["Subject"])

    def file(self, ending: str) -> bytes:
        """The document that is attached under a name that ends so."""
        parts = [part for part in self.message.iter_attachments() if str(part.get_filename()).endswith(ending)]
        assert len(parts) == 1, [part.get_filename() for part in parts]
        return bytes(parts[0].get_content())


def reply(
    mail: Mail, words: str, *, sender: str = "", quote: bool = True, files: dict[str, bytes] | None = None
) -> bytes:
    """An answer above the quoted mail, as most people write it."""
    made = EmailMessage(policy=email.policy.SMTP)
    made["From"] = sender or mail.to
    made["To"] = str(mail.message["Reply-To"] or mail.message["From"])
    made["Subject"] = f"Re: {mail.subject}"
    made["Message-ID"] = f"<{seed(mail.name + words + sender).hex()[:20]}@people.example>"
    made["In-Reply-To"] = str(mail.message["Message-ID"])
    lines = [words, ""]
    if quote:
        lines += [f"On Fri, 20 Nov 2026, {HOST} wrote:", *(f"> {line}" for line in mail.text.splitlines())]
    made.set_content("\n".join(lines))
    for name, data in (files or {}).items():
        made.add_attachment(data, "application", "json", filename=name)
    return bytes(made)


def plain(sender: str, subject: str, words: str, **headers: str) -> bytes:
    """A mail that answers nothing."""
    made = EmailMessage(policy=email.policy.SMTP)
    made["From"], made["To"], made["Subject"] = sender, HOST, subject
    for name, value in headers.items():
        made[name.replace("_", "-")] = value
    made.set_content(words)
    return bytes(made)


class World:
    """A host with an office. `send = "files"`: the host sends by hand, which is moving the mails to sent/."""

    def __init__(self, folder: Path, name: str = "office", settings: str = "") -> None:
        self.folder, self.root = folder, folder / name
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{name}-key.json"
        path.write_bytes(keyfile.dump(key("Hanna")))
        self.good("host", "--name", "Hanna", "--address", HOST, "--key", str(path))
        path.unlink()
        self.settings(f"pictures = false\n{settings}")

    def settings(self, text: str) -> None:
        """Put these lines before the sections of mail.toml, in place of what says the same."""
        path = self.root / "mail.toml"
        head, section, rest = path.read_text().partition("[fetch]")
        keys = [line.partition(" ")[0] for line in text.splitlines()]
        lines = [line for line in head.splitlines() if line.partition(" ")[0] not in keys]
        path.write_text("\n".join((*lines, text, section)) + rest)

    def run(self, *args: str, now: str = NOW, stdin: bytes = b"") -> Ran:
        command, *rest = args
        words = ("mail", command, str(self.root), *rest)
        if command == "host":
            words = ("host", str(self.root), *rest)
        if command == "offer":
            words = ("offer", *rest, "--office", str(self.root))
        return run_here(*words, "--now", now, cwd=self.folder, stdin=stdin)

    def good(self, *args: str, now: str = NOW, stdin: bytes = b"") -> Ran:
        ran = self.run(*args, now=now, stdin=stdin)
        assert ran.exit == 0, ran.said
        assert "Next: " in ran.said or "--json" in args, ran.said
        for hint in re.findall(r"`referee ([^`]+)`", ran.said):
            first, second, *_ = (*hint.split(), "")
            assert first in COMMANDS, f"no such command: {hint}"
            assert first != "mail" or second in GROUPS["mail"][1], f"no such command: {hint}"
        return ran

    def offer(self, *to: str, game: str = GAME, more: tuple[str, ...] = (), now: str = NOW) -> None:
        addresses = [word for address in to for word in ("--to", address)]
        self.good("offer", game, "--seats", str(len(to)), *addresses, *more, now=now)

    def put(self, *mails: bytes) -> None:
        """Mails come in."""
        for mail in mails:
            self.good("run", "--only", "in", "-", stdin=mail)

    def take(self, *mails: bytes, now: str = NOW) -> list[Mail]:
        """Mails come in and are judged; returns what the office writes."""
        self.put(*mails)
        self.good("run", now=now)
        return self.new(now)

    def new(self, now: str = NOW) -> list[Mail]:
        """What the office wrote since the last look; it is sent, and the office finds it in sent/."""
        found = [Mail(path.stem, path.read_bytes()) for path in sorted((self.root / "outbox").glob("*.eml"))]
        for mail in found:
            check_ids(f"{mail.subject}\n{mail.text.partition('-----BEGIN')[0]}")
            (self.root / "outbox" / f"{mail.name}.eml").rename(self.root / "sent" / f"{mail.name}.eml")
        if any(mail.name.endswith("-turn") for mail in found):
            self.good("run", now=now)
        return found

    def turn(self, name: str, what: str = "turn") -> Mail:
        """The newest mail of this kind to a player, by the name in file names."""
        found = [path for folder in ("outbox", "sent") for path in (self.root / folder).glob(f"*-{name}-{what}.eml")]
        path = max(found, key=lambda path: path.name)
        return Mail(path.stem, path.read_bytes())

    def answers(self, *mails: bytes, now: str = NOW) -> list[Mail]:
        """What the office answers to these mails, and nothing else that it writes."""
        return [mail for mail in self.take(*mails, now=now) if "answer" in mail.name]

    def status(self, now: str = NOW) -> dict[str, Any]:
        """The only table, as `status` tells it."""
        found = json.loads(self.run("status", "--json", now=now).out)
        (table,) = found["tables"]
        return {**found, **table}

    def again(self, folder: Path) -> "World":
        """A copy to play on with."""
        made = copy.copy(self)
        made.folder, made.root = folder, folder / self.root.name
        shutil.copytree(self.root, made.root)
        shutil.copytree(self.folder / "home", folder / "home", dirs_exist_ok=True)
        return made

    def files(self) -> dict[str, tuple[str, bytes]]:
        return tree(self.root)

    def game(self) -> bytes:
        """The game file of the only table."""
        return (self.root / "tables" / self.table() / "game.json").read_bytes()

    def table(self) -> str:
        (name,) = (path.name for path in (self.root / "tables").iterdir())
        return name

    def kept(self, folder: str) -> int:
        return len(list((self.root / folder).glob("*.eml")))


def own_join(mail: Mail, name: str, **words: str) -> bytes:
    """Answer an invitation with the player's own key: the join is attached."""
    offer = decode(mail.file("offer.json"), Envelope, "offer")
    join = encode(make_join(key(name), offer, name, seed(f"nonce of {name}")))
    return reply(mail, words.get("words", ""), files={"join.json": join})


def own_move(mail: Mail, name: str, *, block: bool = True, bot: str = "sensible") -> bytes:
    """Answer a turn with the player's own key, as a block in the text or as a file."""
    move = sign(mail, name, bot)
    return reply(mail, write_block("move", move)) if block else reply(mail, "", files={"move.json": move})


def sign(mail: Mail, name: str, bot: str = "sensible") -> bytes:
    opened = open_view(mail.file("view.json"))
    return bot_signs(opened.place, key(name), bot, seed(f"bot {name}"))


PEOPLE = {"anna": "anna@x.example", "bert": "bert@y.example", "carla": "carla@z.example"}
"""At the table that `playing` sets up, Anna has her own key; the keys of Bert and Carla are kept."""


DEADLINES = ("--deadline", "3d", "--grace", "12h")


def invited(folder: Path, more: tuple[str, ...] = DEADLINES) -> tuple[World, dict[str, Mail]]:
    """An office that has invited three people to the toy auction, and their invitations."""
    world = World(folder)
    world.offer(*PEOPLE.values(), game="auction", more=("--option", "rounds=1", *more))
    return world, {mail.to.partition("@")[0]: mail for mail in world.new()}


def playing(folder: Path, more: tuple[str, ...] = DEADLINES) -> World:
    """All three have joined and agreed: everybody is asked for a bid, in secret, in round 2."""
    world, mails = invited(folder, more)
    world.take(own_join(mails["anna"], "Anna"), *(reply(mails[n], f"join as {n.title()}") for n in ("bert", "carla")))
    world.take(own_move(world.turn("anna"), "Anna"), *(reply(world.turn(name), "ok") for name in ("bert", "carla")))
    assert world.status()["round"] == 1
    return world
