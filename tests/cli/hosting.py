"""Somebody at a terminal who sets up an office with `referee host`, between real mail servers."""

import contextlib
import os
import re
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.cli.terminal import Terminal
from tests.mail.servers import PASSWORD, Imap, Post, imap_server, mail_folder, mailbox, smtp_server

HOST = "hanna@games.example"
PLAYERS = ("anna@x.example", "bert@y.example")
PROMPT = re.compile(r"(?:\A|\n)[^\n]+[\]:)?] \Z")
HIDDEN = "Password ("
"""How the question begins whose answer is not shown."""
CRONTAB = """#!/bin/sh
# Keeps a crontab in a file, as the real one does for each user.
case "$1" in -l) cat "$HOME/crontab" 2>/dev/null ;; -) cat > "$HOME/crontab" ;; esac
"""


class Servers:
    """An account at a provider of its own: IMAP and SMTP with TLS, and who logs in where."""

    def __init__(self, imap: Imap, post: Post, smtp: int) -> None:
        self.imap, self.post, self.smtp = imap, post, smtp

    def answers(self, **more: str) -> dict[str, str]:
        """Part of a question -> what its host answers."""
        return {
            "Your name": "Hanna",
            "Which game?": "2",
            "players' email addresses": ", ".join(PLAYERS),
            "Change that, or the options": "",
            "email address of the office": HOST,
            "Where is this account?": "",
            "IMAP server and port": f"localhost:{self.imap.tls}",
            "SMTP server and port": f"localhost:{self.smtp}",
            "Security of localhost": "",
            "User name there": "",
            "certificate of your own": str(self.imap.cert),
            "Where is the password kept?": "1",
            HIDDEN: PASSWORD,
            "Test it now": "",
            "What now?": "3",
            "Send the invitations": "",
            "Write the invitations": "",
            "Invite to a game?": "",
            "Change the account,": "",
            "Who runs the office": "",
            **{name.replace("_", " "): value for name, value in more.items()},
        }


@contextlib.contextmanager
def serving() -> Iterator[Servers]:
    with mail_folder() as boxes, imap_server(boxes) as imap, contextlib.ExitStack() as stack:
        post = Post(boxes)
        mailbox(boxes, HOST)
        port = stack.enter_context(smtp_server(post, "tls", imap.cert, logins=True))
        yield Servers(imap, post, port)


def programs(folder: Path) -> Path:
    """A folder of programs for PATH: a crontab of this test's own, and no systemd."""
    path = folder / "bin"
    path.mkdir(exist_ok=True)
    for name, text in {"crontab": CRONTAB, "systemctl": "#!/bin/sh\nexit 1\n"}.items():
        (path / name).write_text(text)
        (path / name).chmod(0o755)
    return path


def sit_down(folder: Path, *more: str, env: Mapping[str, str] = {}) -> Terminal:
    """A terminal at which `referee host office` runs."""
    home = {"HOME": str(folder), "PATH": f"{programs(folder)}:{os.environ['PATH']}"}
    return Terminal(["host", "office", *more], folder, folder / "home", {**home, **env})


def question(terminal: Terminal) -> str:
    """What has appeared since the last answer, once the program waits for one; empty if it has ended."""
    terminal.rest()
    while not PROMPT.search(terminal.text[terminal.seen :]):
        if not terminal.read():
            return ""
        terminal.rest()
    return terminal.text[terminal.seen :]


def reply(terminal: Terminal, asked: str, answers: Mapping[str, str]) -> str:
    """Answer a question; returns which it was: the one of these that is asked last on the screen."""
    found = max(answers, key=lambda part: asked.rfind(part))
    assert found in asked, f"nobody expected this:\n{asked}"
    type_in(terminal, answers[found], hidden=found == HIDDEN)
    return found


def type_in(terminal: Terminal, answer: str, *, hidden: bool) -> None:
    """Answer a question; a hidden answer as soon as the terminal does not show it."""
    if not hidden:
        terminal.answer(answer)
        return
    shown = len(terminal.text)
    terminal.type_hidden(answer + "\n")
    while "\n" not in terminal.text[shown:]:
        assert terminal.read(), terminal.text
    terminal.seen = terminal.text.index("\n", shown) + 1


def talk(terminal: Terminal, answers: Mapping[str, str], stop: str = "") -> list[str]:
    """Answer all questions, or those before `stop`; returns which were asked."""
    asked: list[str] = []
    while text := question(terminal):
        if stop and stop in text:
            break
        asked.append(reply(terminal, text, answers))
        assert len(asked) < 60, asked
    return asked


def check_secrets(folder: Path, screen: str, secret: str = PASSWORD) -> None:
    """The password was never shown, and stands in no file but its own; nobody else can read what is in the office."""
    assert secret not in screen
    for path in (one for one in folder.rglob("*") if one.is_file() and "bin" not in one.parts):
        if secret.encode() in path.read_bytes():
            assert path == folder / "office/password"
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
    for path in (folder / "office").rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path
