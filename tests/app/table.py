"""A signed game with one seat in the window: the host is `referee apply`, the others are bots over files."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from referee.bots.playing import bot_signs
from referee.crypto.codec import encode
from referee.engine.player import Draft, Opened, open_view
from referee.io import keyfile
from referee.io.gamefile import open_match
from referee.library.data import Json
from referee.show import typed
from tests.cli.world import Ran, keep_guard, run
from tests.support.match import NAMES, Sitting, chance
from tests.support.short import short


class Table:
    """Anna's folder, which her window shows, and the host's, with a game of three."""

    def __init__(
        self, root: Path, game: str, seed: str, until: Callable[[Sitting], bool] | None = None, most: int = 6
    ) -> None:
        """A short game, or one in which this holds after a few rounds."""
        self.sitting = come_to(game, seed, until, most) if until else Sitting(game, 3, seed, edition=short(game))
        self.anna, self.host = root / "anna", root / "host"
        for folder, key in ((self.anna, self.sitting.players[0]), (self.host, self.sitting.host)):
            (folder / "home").mkdir(parents=True)
            (folder / "home" / "key.json").write_bytes(keyfile.dump(key))
        (self.host / "game.json").write_bytes(self.sitting.file())
        if self.sitting.round:
            keep_guard(self.sitting.match, self.host / "game.json", self.host / "home")
        self.own: dict[int, Any] = {}
        self.bring()

    @property
    def files(self) -> Path:
        """What Anna's window looks at."""
        folder = self.anna / "files"
        folder.mkdir(exist_ok=True)
        return folder

    def bring(self) -> Path:
        """Anna gets her newest view."""
        made, path = self.anna / "arriving", self.files / f"r{self.sitting.round:03}.view.json"
        made.write_bytes(self.sitting.view(0))
        return made.rename(path)

    def others(self) -> list[Path]:
        """The bots answer, over files."""
        made = []
        for seat in self.sitting.asked:
            if seat:
                signs = self.sitting.place(seat), self.sitting.players[seat]
                data = bot_signs(*signs, "sensible", chance(self.sitting.seed, "bot"), self.sitting.marks[seat])
                path = self.host / f"{NAMES[seat]}-{self.sitting.round + 1}.move.json"
                path.write_bytes(data)
                made.append(path)
        return made

    def apply(self, *moves: Path) -> Ran:
        """The host takes these in, as a process of its own."""
        ran = run("apply", "game.json", *map(str, moves), cwd=self.host, home=self.host / "home")
        self.sitting.match = open_match((self.host / "game.json").read_bytes(), self.sitting.host)
        return ran

    def signed(self) -> list[Path]:
        """What Anna's window has signed, oldest first."""
        return sorted(self.files.glob("*.move.json"), key=lambda path: path.stat().st_mtime_ns)

    def opened(self) -> Opened:
        """Anna's view, as she is asked."""
        return open_view(self.sitting.view(0))

    def bot_move(self) -> Json:
        """What a sensible bot would play in her place."""
        opened = self.opened()
        game = opened.table.game
        move = game.bots["sensible"](opened.table.terms, opened.seen, lambda most: 0)
        return msgspec.json.decode(encode(move))

    def words(self, move: Json) -> str:
        """How a move is said before it is signed."""
        opened = self.opened()
        read = typed.as_type(move, opened.table.game.move)
        return "; ".join(typed.in_words(opened, Draft(read, None)))


def come_to(game: str, seed: str, wanted: Callable[[Sitting], bool], most: int) -> Sitting:
    """The first game of many in which this holds after so few rounds, and Anna has given no standing orders: chance
    follows from the rules too."""
    for number in range(200):
        sitting = Sitting(game, 3, f"{seed} {number}")
        sitting.give(sitting.signed(0, standing=None))
        sitting.others(0)
        for _ in range(most):
            if wanted(sitting):
                return sitting
            sitting.step()
    raise AssertionError("it never came to that")
