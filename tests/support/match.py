"""A whole game in memory, with known keys: honest play, and the tools of a host who cheats.

Everything follows from a seed text, so that a test meets the same game every time it runs.
"""

import hashlib
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from referee import games
from referee.bots.seats import bot_answer
from referee.crypto.codec import decode, encode
from referee.crypto.envelope import Envelope, ident, seal
from referee.crypto.keys import Key
from referee.engine import lobby, table, turn
from referee.engine.player import answer, open_view, seen_in
from referee.engine.records import Entry, Move, MoveFile, Private, State, Transcript, View
from referee.engine.replay import reveal
from referee.engine.rounds import full_hash, who_is_asked
from referee.engine.turn import Judged
from referee.engine.view import make_view
from referee.errors import CheckFailed

NAMES = ("Anna", "Bert", "Carla", "Dirk", "Elsa")


def chance(*words: object) -> bytes:
    """32 bytes that depend on these words only."""
    return hashlib.sha256("\0".join(map(str, words)).encode()).digest()


class Sitting:
    """A host and players at one table, all keys known."""

    def __init__(self, game_id: str = "auction", seats: int = 3, seed: str = "", options: Any = None) -> None:
        self.seed = seed
        self.game_id = game_id
        self.host = Key(chance(seed, "host"), "Host")
        self.players = [Key(chance(seed, name), name) for name in NAMES[:seats]]
        self.offer = self.make_offer(options)
        self.joins = tuple(self.make_join(seat) for seat in range(seats))
        self.match = turn.new_match(self.host, lobby.make_genesis(self.host, self.offer, self.joins))

    def make_offer(self, options: Any = None) -> Envelope:
        game = games.load(self.game_id)
        edition = table.read_edition(game, games.edition_bytes(self.game_id))
        chosen = options if options is not None else game.options()
        terms = table.make_terms(game, len(self.players), chosen, edition)
        return lobby.make_offer(self.host, self.game_id, game, terms, chance(self.seed, "offer"))

    def make_join(self, seat: int) -> Envelope:
        key = self.players[seat]
        return lobby.make_join(key, self.offer, key.name, chance(self.seed, "join", seat))

    def begin(self, genesis: Envelope, faces: dict[str, str] | None = None) -> None:
        """Start over from a genesis of the host's own making, with these faces in the slots."""
        self.match = turn.new_match(self.host, table.Table(genesis, verify=False))
        if faces is not None:
            self.state = msgspec.structs.replace(self.state, faces=faces)

    def fork(self) -> "Sitting":
        """The same game once more, to be continued in another way."""
        twin = object.__new__(Sitting)
        twin.__dict__ = dict(self.__dict__)
        twin.match = turn.open_match(self.file(), self.host)
        return twin

    # --- honest play

    @property
    def state(self) -> State[Any]:
        return self.match.state

    @state.setter
    def state(self, state: State[Any]) -> None:
        self.match.state = state

    @property
    def round(self) -> int:
        return self.match.state.round

    @property
    def asked(self) -> list[int]:
        return sorted(who_is_asked(self.state))

    @property
    def what(self) -> str:
        return next((ask.what for ask in who_is_asked(self.state).values()), "")

    def view(self, seat: int) -> bytes:
        return make_view(self.match, seat)

    def file(self) -> bytes:
        return turn.dump_match(self.match)

    def signed(self, seat: int, salt: str = "", move: Any = None) -> bytes:
        """The answer of a seat: this move, or what its bot likes."""
        if move is not None:
            return answer(self.players[seat], open_view(self.view(seat)), move)
        return bot_answer(self.view(seat), self.players[seat], "random", chance(self.seed, "bot", seat, salt))

    def forced(self, seat: int, move: Any, **changes: Any) -> bytes:
        """An answer signed without asking the rules; `changes` replace fields of the signed body."""
        real = open_view(self.view(seat))
        free = msgspec.structs.replace(real.table.game, check=lambda *_: None)
        real.table.game = free
        file = decode(answer(self.players[seat], real, move), MoveFile, "move")
        return resign(self.players[seat], file, **changes)

    def give(self, data: bytes) -> Judged:
        return turn.take_move(self.match, data)

    def take(self, data: bytes, seat: int) -> None:
        """What only a cheating host does: take an answer without judging it."""
        self.match.waiting[seat] = decode(data, MoveFile, "move")
        turn._close_if_complete(self.match)

    def others(self, *late: int, salt: str = "") -> None:
        """Everybody who is asked answers, except these seats."""
        for data, seat in [(self.signed(seat, salt), seat) for seat in self.asked if seat not in late]:
            verdict = self.give(data)
            assert verdict.code == "taken", (seat, verdict)

    def miss(self, *seats: int) -> None:
        """Everybody else answers, these seats miss the deadline."""
        self.others(*seats)
        for seat in seats:
            turn.time_out(self.match, seat)

    def play(self, until: "int | Callable[[Sitting], bool]" = 10**6, salt: str = "") -> "Sitting":
        """Play on with bots up to a round, a condition, or the end."""
        stop = until if callable(until) else lambda sitting: sitting.round >= until
        while not self.state.end and not stop(self):
            self.others(salt=salt)
        return self

    def transcript(self) -> bytes:
        return reveal(self.match)

    def entry(self, number: int = 0) -> Entry:
        """One entry, by default the newest."""
        return open_entry(self.match.entries[number - 1])

    def seen(self, seat: int) -> Any:
        return seen_in(open_view(self.view(seat)))

    # --- what a cheating host can sign

    def rewrite(self, alter: Callable[[Entry], Entry], position: Any = None) -> None:
        """Sign the newest entry anew, altered; the game goes on from there as if it were true."""
        entry = self.entry()
        if position is not None:
            board = self.match.table
            public = board.public_hash(self.round, encode(position.public))
            full = full_hash(board, self.match.secret, self.round, position)
            entry = msgspec.structs.replace(entry, public=public, full=full, ask=position.pending)
            self.state = msgspec.structs.replace(self.state, position=position)
        envelope = seal(self.host, "entry", alter(entry))
        self.match.entries[-1] = msgspec.Raw(encode(envelope))
        self.state = msgspec.structs.replace(
            self.state, entry=ident("entry", bytes(envelope.body)), ask=alter(entry).ask, witness=alter(entry).witness
        )

    def false_view(self, seat: int, **changes: Any) -> bytes:
        """A view whose private part was signed with other fields."""
        view = decode(self.view(seat), View, "view")
        private = decode(bytes(view.private.body), Private, "private")
        changed = seal(self.host, "private", msgspec.structs.replace(private, **changes))
        return encode(msgspec.structs.replace(view, private=changed))


def resign(key: Key, file: MoveFile, **changes: Any) -> bytes:
    """The same move with other fields, signed with this key."""
    changed = msgspec.structs.replace(decode(bytes(file.body), Move, "move"), **changes)
    envelope = seal(key, "move", changed)
    return encode(MoveFile(envelope.body, envelope.sig, envelope.type, file.secret))


def open_entry(data: msgspec.Raw) -> Entry:
    return decode(bytes(decode(bytes(data), Envelope, "entry").body), Entry, "entry")


def with_op(entry: Entry, kind: type[Any], alter: Callable[[Any], Any]) -> Entry:
    """The entry with its first operation of a kind altered."""
    ops = list(entry.ops)
    index = next(i for i, op in enumerate(ops) if isinstance(op, kind))
    ops[index] = alter(ops[index])
    return msgspec.structs.replace(entry, ops=tuple(ops))


def with_answer(entry: Entry, seat: int, **changes: Any) -> Entry:
    """The entry with one answer altered."""
    answers = tuple(msgspec.structs.replace(a, **changes) if a.seat == seat else a for a in entry.answers)
    return msgspec.structs.replace(entry, answers=answers)


def change_transcript(data: bytes, **changes: Any) -> bytes:
    return encode(msgspec.structs.replace(decode(data, Transcript, "transcript"), **changes))


def fault(check: Callable[[Any], object], data: bytes | Iterable[bytes]) -> tuple[str, int | None]:
    """Code and first bad step of what a check finds; `("", None)` if all is well."""
    try:
        check(data)
    except CheckFailed as error:
        return error.code, error.step
    return "", None
