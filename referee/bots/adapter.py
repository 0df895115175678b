"""A bot that is a Python function, in its own process: this module runs there and speaks the protocol of BOTS.md.

It calls the function with the values and the chance that `players.LocalPlayer` has in the referee's process."""

import os
import sys
from collections.abc import Callable, Sequence
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

import msgspec

import referee
from referee import games
from referee.bots.modules import locate
from referee.bots.players import PROTOCOL, Decide, Reply, chance, function
from referee.crypto.codec import encode
from referee.errors import RefereeError
from referee.game import Ask, Game, Seen, Terms

if TYPE_CHECKING:
    from referee.bots.visible import Program

_START = "import sys; sys.path[:0] = sys.argv[3].split(':'); from referee.bots.adapter import main; main(*sys.argv[1:])"


# --- in the referee's process ----------------------------------------------------------------------------------------


def program(bot: str, files: Sequence[str], hidden: Sequence[str], *, confined: bool) -> "Program":
    """The command that runs `module:function`: this interpreter, which sees this package, the games and its files."""
    from referee.bots.visible import program_of

    root, own = locate(bot.rpartition(":")[0])
    path = [os.path.abspath(entry) for entry in sys.path if entry and os.path.abspath(entry) != os.getcwd()]
    words = [sys.executable, "-I", "-c", _START, bot, root, os.pathsep.join(path), os.pathsep.join(games.__path__)]
    shown = [
        *_packages(tuple(path), tuple(games.__path__)),
        *(os.path.join(root, name) for name in own),
        *map(os.path.abspath, files),
    ]
    return program_of(words, shown, hidden, confined=confined)


@cache
def _packages(path: tuple[str, ...], found: tuple[str, ...]) -> tuple[str, ...]:
    """Where the code is that the adapter needs: never a whole working directory."""
    needed = [entry for entry in path if os.path.basename(entry) in ("site-packages", "dist-packages")]
    needed += [os.path.dirname(os.path.abspath(referee.__file__)), *found]
    for top in {games.module_of(name).partition(".")[0] for name in games.game_ids()} - {"referee"}:
        spec = find_spec(top)
        if spec is not None:
            needed += spec.submodule_search_locations or filter(None, [spec.origin])
    return tuple(needed)


# --- in the bot's ----------------------------------------------------------------------------------------------------


class _Kind(msgspec.Struct, frozen=True):
    type: str


class _Hello(msgspec.Struct, frozen=True):
    game: str
    seats: int
    seat: int
    seed: str
    options: msgspec.Raw
    edition: msgspec.Raw


class _Asked(msgspec.Struct, frozen=True):
    id: str
    round: int
    public: msgspec.Raw
    pending: tuple[Ask, ...]
    tokens: dict[str, tuple[str, ...]]


class _Seat:
    """The function, playing a seat."""

    def __init__(self, hello: _Hello, decide: Decide) -> None:
        self.game: Game = games.load(hello.game)
        options = msgspec.json.decode(hello.options, type=self.game.options)
        edition = msgspec.json.decode(hello.edition, type=self.game.edition)
        self.terms: Terms[object, object] = Terms(hello.seats, options, edition)
        self.seat, self.seed, self.decide = hello.seat, bytes.fromhex(hello.seed), decide

    def answer(self, asked: _Asked) -> dict[str, object]:
        public = msgspec.json.decode(asked.public, type=self.game.public)
        seen = Seen(self.seat, public, asked.pending, asked.tokens)
        decision = self.decide(self.terms, seen, chance(self.seed, asked.round))
        reply = decision if isinstance(decision, Reply) else Reply(decision)
        more = {} if reply.standing is None else {"standing": reply.standing}
        return {"type": "answer", "id": asked.id, "move": reply.move, **more}


def main(bot: str, root: str, _path: str, found: str) -> None:
    """Play one game. Whatever the function prints goes to standard error; an exception ends the process."""
    out = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    games.__path__[:] = found.split(os.pathsep)
    try:
        _play(bot, root, out.write)
    except RefereeError as error:
        sys.exit(f"{error.message}; {error.next}")


def _play(bot: str, root: str, write: Callable[[bytes], object]) -> None:
    seat = None
    for line in sys.stdin.buffer:
        match msgspec.json.decode(line, type=_Kind).type:
            case "hello":
                seat = _Seat(msgspec.json.decode(line, type=_Hello), function(bot, root))
                write(encode({"type": "ready", "protocol": PROTOCOL}) + b"\n")
            case "question" if seat is not None:
                write(encode(seat.answer(msgspec.json.decode(line, type=_Asked))) + b"\n")
            case "over":
                return
