"""A person at a pseudo-terminal, and a desk with the files of any game."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
from collections.abc import Mapping, Sequence
from pathlib import Path

from referee.engine.player import Opened, open_view
from referee.engine.rounds import asked
from referee.game import LINK
from referee.io import files, keyfile
from tests.cli.world import environment
from tests.support import waiting
from tests.support.match import Sitting

REFEREE = str(Path(sys.executable).with_name("referee"))


class Terminal:
    """A person at a terminal: reads what is on it, types lines."""

    def __init__(
        self,
        args: Sequence[str],
        cwd: Path,
        home: Path,
        env: Mapping[str, str] = {},
        columns: int = 0,
        into: Path | None = None,
    ) -> None:
        """`into`: where standard output goes, if not to the terminal."""
        self.screen = b""
        self.seen = 0
        ours, theirs = pty.openpty()
        if columns:
            fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.handle = ours
        settings = {"TERM": "xterm-256color", "COLUMNS": "(unset)", **environment(home, env)}
        settings = {name: value for name, value in settings.items() if value != "(unset)"}
        with open(into or os.devnull, "wb") as file:
            self.process = subprocess.Popen(
                [REFEREE, *args], cwd=cwd, env=settings, stdin=theirs, stdout=file if into else theirs, stderr=theirs,
                start_new_session=True, preexec_fn=own_terminal,
            )  # fmt: skip
        os.close(theirs)

    def wait_for(self, text: str) -> str:
        """The screen, as soon as this has appeared on it (once more than before)."""
        while (at := self.text.find(text, self.seen)) < 0:
            assert self.read(), f"it ended without {text!r}:\n{self.text}"
        self.seen = at + len(text)
        return self.text

    def question(self) -> str:
        """What has appeared on the screen since the last answer, as soon as it stops at a question."""
        self.rest()
        while not re.search(r"(\A|\n)[^\n]+[\]:)?] \Z", self.text[self.seen :]):
            assert self.read(), f"it ended without a question:\n{self.text}"
            self.rest()
        return self.text[self.seen :]

    def rest(self) -> None:
        """Return once the program waits for somebody: it sleeps, and everything it wrote has been read."""

        def look() -> bool:
            asleep = waiting.asleep(self.process)
            return not (select.select([self.handle], [], [], 0)[0] and self.read()) and asleep

        waiting.until(look, lambda: f"it does not rest:\n{self.text}")

    def answer(self, text: str) -> None:
        """Type an answer to the question that is on the screen."""
        shown = len(self.text)
        self.type(text + "\n")
        while "\n" not in self.text[shown:]:
            assert self.read(), f"it ended while somebody typed:\n{self.text}"
        self.seen = self.text.index("\n", shown) + 1

    def says(self, text: str) -> str:
        """Answer a question, and wait for the next one; returns everything that appeared on the screen in between."""
        self.answer(text)
        return self.question()

    def read(self) -> bool:
        """Read what comes next; whether there was something before the end."""
        waiting.arrives(self.handle, lambda: f"nothing more came on:\n{self.text}")
        try:
            data = os.read(self.handle, 65536)
        except OSError:
            return False
        self.screen += data
        return bool(data)

    def type(self, text: str) -> None:
        """Type once the program waits for it: a prompt that is being set up can drop what was typed before."""
        self.rest()
        os.write(self.handle, text.encode())

    def type_hidden(self, text: str) -> None:
        """Type as soon as the terminal no longer shows what is typed."""
        waiting.until(lambda: not termios.tcgetattr(self.handle)[3] & termios.ECHO, lambda: "it would be seen")
        self.type(text)

    def leave(self, keys: str) -> tuple[int, str]:
        """Go away in the middle."""
        self.type(keys)
        return self.end()

    def end(self) -> tuple[int, str]:
        while self.read():
            pass
        os.close(self.handle)
        return waiting.ended(self.process), self.text

    @property
    def text(self) -> str:
        return self.screen.decode(errors="replace").replace("\r\n", "\n")


def own_terminal() -> None:
    """Make standard input the controlling terminal, so that Ctrl-C reaches the process as a signal."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


class Desk:
    """The folder of everybody at a table: a home with a key for each player, and their newest views."""

    def __init__(self, root: Path, sitting: Sitting) -> None:
        self.root, self.sitting = root, sitting
        for person in sitting.players:
            home = self.home(person.name)
            home.mkdir(parents=True)
            (home / "key.json").write_bytes(keyfile.dump(person))
        self.views()

    def home(self, name: str) -> Path:
        return self.root / f"{name.lower()}-home"

    def views(self) -> None:
        """Write everybody's newest view."""
        for seat in range(len(self.sitting.players)):
            (self.root / self.view(seat)).write_bytes(self.sitting.view(seat))

    def view(self, seat: int) -> str:
        return f"{self.sitting.players[seat].name.lower()}.view.json"

    def opened(self, seat: int) -> Opened:
        return open_view((self.root / self.view(seat)).read_bytes())

    def move(self, seat: int) -> Path:
        """Where `play` puts an answer to the newest view, unless it is told otherwise."""
        table, number = self.sitting.table, self.sitting.round + 1
        return self.root / files.file_name(table.id, number, seat, table.names, "move")

    def play(self, seat: int, *args: str, **how: object) -> Terminal:
        """A player answers at a terminal."""
        name = self.sitting.players[seat].name
        return Terminal(["play", self.view(seat), *args], self.root, self.home(name), **how)  # type: ignore[arg-type]


def questions(game_id: str, rounds: int = 40) -> dict[str, Sitting]:
    """Every kind of decision that a game asks for in its first rounds, with the game as it is then."""
    sitting = Sitting(game_id, seed="desk")
    found: dict[str, Sitting] = {}
    while not sitting.over and sitting.round < rounds:
        sitting.step()
        for ask in asked(sitting.state).values():
            if ask.what not in (*found, LINK):
                found[ask.what] = sitting.fork()
    return found
