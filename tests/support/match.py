"""A whole game in memory, with known keys: honest play, and the tools of a host who cheats.

Everything follows from a seed text, so that a test meets the same game every time it runs.
"""

import hashlib
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import msgspec

from referee import games
from referee.bots.playing import bot_signs
from referee.crypto.box import box_hash, to_text
from referee.crypto.codec import H, decode, encode, raw, read
from referee.crypto.envelope import Envelope, ident, sign
from referee.crypto.keys import Key
from referee.engine import host, lobby, table
from referee.engine import records as r
from referee.engine.answers import seen
from referee.engine.chain import Followed
from referee.engine.dealer import Dealer
from referee.engine.host import Judged
from referee.engine.player import Draft, Opened, Place, open_view, sign_answer, sign_succession
from referee.engine.rounds import Checkpoint, Closed, asked, close
from referee.engine.sealing import encrypted, ephemeral_key
from referee.errors import RefereeError
from referee.io.desk import lateness, next_due, protected_until
from referee.io.gamefile import dump_match, open_match
from referee.io.times import DAY, read_time
from referee.mail.passes import kept_join, kept_key
from referee.testing.subject import some_words
from referee.testing.values import WORDS

NAMES = (
    "Anna", "Bert", "Carla", "Dirk", "Elsa", "Franz", "Greta", "Hugo",
    "Inge", "Jonas", "Klara", "Ludwig", "Maria", "Nora", "Oskar", "Paula",
)  # fmt: skip

_SEATED: dict[tuple[str, tuple[int, ...]], tuple[tuple[Envelope, ...], list[list[bytes]]]] = {}


def chance(*words: object) -> bytes:
    """32 bytes that depend on these words only."""
    return hashlib.sha256("\0".join(map(str, words)).encode()).digest()


class Own(dict[str, r.Secret]):
    """The sealed fields of an answer as its player's tool keeps them: with the key that they were encrypted with."""

    def __init__(self, fields: r.Secrets, ephemeral: str) -> None:
        super().__init__(fields)
        self.ephemeral = ephemeral


class Sitting:
    """A host and players at one table, all keys known."""

    chance: bytes = b""
    """The secret of common chance."""
    keeps: tuple[int, ...] = ()
    """Seats whose keys the host keeps."""
    arbiter: bytes = b""
    """The public key that the offer names as the arbiter's."""
    takeovers: int = 0
    takeover: int = 0

    def __init__(
        self,
        game_id: str = "auction",
        seats: int = 3,
        seed: str = "",
        options: Any = None,
        edition: Any = None,
        *,
        deadline: int = DAY,
        grace: int = 0,
        bank: int = 0,
        kept: Sequence[int] = (),
        common: str = "",
        arbiter: bytes = b"",
        takeovers: int = 0,
        takeover: int = 0,
    ) -> None:
        self.takeovers, self.takeover = takeovers, takeover
        self.seed = seed
        self.game_id = game_id
        self.host = Key(chance(seed, "host"), "Host")
        self.players = [Key(chance(seed, seat), NAMES[seat]) for seat in range(seats)]
        self.keeps, self.arbiter = tuple(kept), arbiter
        self.chance = chance("common", common) if common else b""
        self.offer = self.make_offer(options, edition, deadline, grace, bank)
        for seat in self.keeps:
            self.players[seat] = kept_key(self.host, ident("offer", bytes(self.offer.body)), seat)
        self.joins, self.marks = self.seated()
        seats = lobby.make_genesis(self.host, self.offer, self.joins, self.chance)
        self.match = host.new_match(self.host, seats, self.chance)
        self.own: dict[int, dict[int, Own]] = {}
        self.now = datetime(2027, 1, 1, tzinfo=UTC)
        self.match.due = next_due(self.match, self.now)

    def seated(self) -> tuple[tuple[Envelope, ...], list[list[bytes]]]:
        """The joins, and the checkpoints of the players' chains: they follow from the offer, and cost the most."""
        name = ident("offer", bytes(self.offer.body))
        place = name, self.keeps
        if place not in _SEATED:
            if len(_SEATED) == 512:  # a campaign plays thousands of games
                _SEATED.clear()
            joins = tuple(self.make_join(seat) for seat in range(len(self.players)))
            nonces = [bytes.fromhex(decode(bytes(join.body), r.Join, "join").nonce) for join in joins]
            marks = [lobby.player_marks(key, name, nonces[seat]) for seat, key in enumerate(self.players)]
            _SEATED[place] = joins, marks
        return _SEATED[place]

    def make_offer(
        self, options: Any = None, edition: Any = None, deadline: int = 0, grace: int = 0, bank: int = 0
    ) -> Envelope:
        game = games.load(self.game_id)
        if edition is None:
            edition = read(games.edition_bytes(self.game_id), game.edition, "edition")
        chosen = options if options is not None else game.options()
        terms = table.make_terms(game, len(self.players), chosen, edition)
        nonce = chance(self.seed, "offer")
        more = {"chance": self.chance, "arbiter": self.arbiter}
        more |= {"takeovers": self.takeovers, "takeover": self.takeover}
        return lobby.make_offer(self.host, self.game_id, game, terms, nonce, deadline, grace, bank, **more)

    def make_join(self, seat: int) -> Envelope:
        if seat in self.keeps:
            return kept_join(self.host, self.offer, seat, NAMES[seat])
        return lobby.make_join(self.players[seat], self.offer, NAMES[seat], chance(self.seed, "join", seat))

    def fork(self) -> "Sitting":
        """The same game again, to be continued in another way."""
        twin = object.__new__(Sitting)
        twin.__dict__ = dict(self.__dict__)
        twin.match = open_match(self.file(), self.host)
        twin.match.due = self.match.due
        twin.own = {seat: dict(kept) for seat, kept in self.own.items()}
        return twin

    # --- honest play

    def succession(self, seat: int, name: str = "Zoe", key: Key | None = None) -> Envelope:
        """What a player who takes over this seat signs."""
        nonce = chance(self.seed, "succession", seat, name)
        return decode(
            sign_succession(key or self.newcomer(name), self.table, self.match.checkpoint, seat, name, nonce),
            Envelope,
            "",
        )

    def newcomer(self, name: str = "Zoe") -> Key:
        return Key(chance(self.seed, "newcomer", name), name)

    def sit_down(self, seat: int, name: str = "Zoe") -> None:
        """From now on this player answers for the seat, which was taken over."""
        key, present = self.newcomer(name), self.table.present[seat]
        marks = lobby.successor_marks(key, self.table.id, bytes.fromhex(present.nonce))
        self.players = [key if one == seat else old for one, old in enumerate(self.players)]
        self.marks = [marks if one == seat else old for one, old in enumerate(self.marks)]

    @property
    def table(self) -> table.Table:
        return self.match.table

    @property
    def state(self) -> r.State:
        return self.match.state

    @property
    def round(self) -> int:
        return self.match.state.round

    @property
    def asked(self) -> list[int]:
        return sorted(asked(self.state))

    @property
    def what(self) -> str:
        return next((ask.what for ask in asked(self.state).values()), "")

    @property
    def over(self) -> bool:
        return bool(self.state.end)

    def view(self, seat: int) -> bytes:
        return host.make_view(self.match, seat)

    def opened(self, seat: int, since: Opened | None = None) -> Opened:
        """The view of a seat, checked with what that seat's own tool kept of its sealed answers."""
        return open_view(self.view(seat), self.own.get(seat), since)

    def file(self) -> bytes:
        return dump_match(self.match)

    def transcript(self) -> bytes:
        return host.reveal(self.match)

    def signed(self, seat: int, salt: str = "", move: Any = None, **how: Any) -> bytes:
        """The answer of a seat: this move, what its bot likes, or (`resign=True`) its leaving."""
        key = self.players[seat]
        if move is not None or how:
            marks = self.marks[seat]
            return self.kept(seat, sign_answer(key, self.place(seat), Draft(move, **how), marks))
        seed = chance(self.seed, "bot", seat, salt)
        return self.kept(seat, bot_signs(self.place(seat), key, "random", seed, self.marks[seat]))

    def place(self, seat: int) -> Place:
        return Place(self.table, self.match.checkpoint, seat, self.match.faces)

    def saying(self, seat: int, words: Any, salt: str = "") -> bytes:
        """What the seat's bot likes, with these standing orders."""
        file = decode(self.signed(seat, salt), r.MoveFile, "move")
        return resigned(self, seat, file, standing=raw(words))

    def some_words(self, seat: int, rng: random.Random) -> Any:
        """Standing orders that the seat could say now; often None."""
        game, match = self.table.game, self.match
        if game.standing is None:
            return None
        known = seen(game, match.state, match.checkpoint.public, seat, match.faces)
        return some_words(game, self.table.terms, known, WORDS, rng)

    def kept(self, seat: int, file: bytes) -> bytes:
        """The same file, after its sealed fields were noted as a player's tool notes them."""
        sealed = host.open_sealed(self.match, decode(file, r.MoveFile, "move"))
        if sealed:
            number = self.round + 1
            key = ephemeral_key(self.players[seat].seed, self.table.id, number, seat, sealed)
            self.own.setdefault(seat, {})[number] = Own(sealed, key.hex())
        return file

    def forced(self, seat: int, move: Any, **changes: Any) -> bytes:
        """An answer signed without asking the rules; `changes` replace fields of the signed body."""
        free = table.Table(self.table.envelope)
        free.game = msgspec.structs.replace(free.game, check=lambda *_: None)
        place = self.place(seat)._replace(table=free)
        file = sign_answer(self.players[seat], place, Draft(move), self.marks[seat])
        return resigned(self, seat, decode(file, r.MoveFile, "move"), **changes)

    def give(self, data: bytes) -> Judged:
        """Hand a move to the host, whose clock runs on if the game file was just opened again."""
        self.match.due = self.match.due or next_due(self.match, self.now)
        return host.take_move(self.match, data, partial(lateness, self.match, self.now))

    def others(self, *late: int, salt: str = "") -> None:
        """Everybody who is asked answers, except these seats."""
        for seat in self.asked:
            if seat not in late:
                judged = self.give(self.signed(seat, salt))
                assert judged.error is None, judged.error

    def step(self, *late: int, salt: str = "") -> None:
        """One round: these seats miss the deadline, the others answer."""
        number = self.round
        self.others(*late, salt=salt)
        self.pass_over(late)
        assert self.round == number + 1, "the round did not close"

    def pass_over(self, late: Sequence[int]) -> None:
        """These seats miss the deadline, and have nothing left in their banks."""
        for seat in late:
            self.miss(seat)

    def miss(self, seat: int) -> bool:
        """The deadline passes, with its grace, and this seat has not answered: what the host notes. Every game in which
        somebody is timed out has one."""
        if self.state.due:
            self.now = max(self.now, read_time(protected_until(self.match, seat)))
            self.match.due = next_due(self.match, self.now)
        return host.time_out(self.match, seat)

    def wait(self, minutes: int) -> None:
        """This much time goes by."""
        self.now += timedelta(minutes=minutes)
        self.match.due = next_due(self.match, self.now)

    def until(self, wanted: "Callable[[Sitting], bool] | str | int", most: int = 2048) -> "Sitting":
        """Play on until this holds, this is asked, or this many rounds are closed."""
        for _ in range(most):
            if wanted(self) if callable(wanted) else wanted in (self.round, self.what):
                return self
            assert not self.over, f"the game ended in round {self.round}"
            self.step()
        raise AssertionError("it never came to that")

    def to_end(self) -> "Sitting":
        return self.until(lambda one: one.over)


def game_with(asked: str, game_id: str, seed: str) -> Sitting:
    """The first game of a few at which this is asked, there: chance follows from the hash of the rules too, so no seed
    is sure to lead to it."""
    for number in range(50):
        sitting = Sitting(game_id, seed=f"{seed} {number}")
        while not sitting.over:
            if sitting.what == asked:
                return sitting
            sitting.step()
    raise AssertionError(f"nobody is asked for {asked}")


# --- the tools of a cheat


def resigned(
    sitting: Sitting, seat: int, file: r.MoveFile, secrets: r.Secrets | None = None, /, **changes: Any
) -> bytes:
    """A move file re-signed by this seat after some fields of its body were replaced; with the same sealed fields
    beside it, or with these."""
    move = msgspec.structs.replace(decode(bytes(file.body), r.Move, "move"), **changes)
    kept = host.open_sealed(sitting.match, file) if secrets is None else secrets
    data = boxed(sitting, seat, move, kept) if kept else b""
    return signed_beside(sitting, seat, move, data)


def boxed(sitting: Sitting, seat: int, move: r.Move, secrets: r.Secrets) -> bytes:
    """The encrypted part that the player of this seat makes of these sealed fields."""
    key = ephemeral_key(sitting.players[seat].seed, move.game, move.round, move.seat, secrets)
    return encrypted(sitting.table.offer, key, move, secrets)


def with_secrets(sitting: Sitting, file: r.MoveFile, secrets: r.Secrets) -> bytes:
    """The same signed move with these sealed fields beside it, instead of those that its player signed."""
    move = decode(bytes(file.body), r.Move, "move")
    return encode(msgspec.structs.replace(file, sealed=to_text(boxed(sitting, move.seat, move, secrets))))


def signed_beside(sitting: Sitting, seat: int, move: r.Move, data: bytes) -> bytes:
    """A move file signed by this seat with these bytes as its encrypted part."""
    body = msgspec.structs.replace(move, box=box_hash(data) if data else "")
    envelope = sign(sitting.players[seat], "move", body)
    return encode(r.MoveFile(envelope.body, envelope.sig, envelope.type, to_text(data)))


def entries_of(view: r.View) -> list[r.Entry]:
    return [decode(bytes(one.body), r.Entry, "entry") for one in view.entries]


def with_entries(key: Key, view: r.View, entries: Iterable[r.Entry]) -> r.View:
    """A view with these entries, signed by the host, each following the one before it; private parts follow them."""
    prev, signed, ids = ident("genesis", bytes(view.genesis.body)), [], [""]
    for entry in entries:
        envelope = sign(key, "entry", msgspec.structs.replace(entry, prev=prev))
        prev = ident("entry", bytes(envelope.body))
        signed.append(envelope)
        ids.append(prev)
    privates = []
    for envelope in view.privates:
        part = decode(bytes(envelope.body), r.Private, "private")
        if part.round < len(ids):
            privates.append(sign(key, "private", msgspec.structs.replace(part, entry=ids[part.round])))
    return msgspec.structs.replace(view, entries=tuple(signed), privates=tuple(privates))


def change_entry(key: Key, data: bytes, number: int, **changes: Any) -> bytes:
    """A view whose entry of this round was changed and re-signed by the host, with the chain mended after it."""
    view = decode(data, r.View, "view")
    entries = entries_of(view)
    entries[number - 1] = msgspec.structs.replace(entries[number - 1], **changes)
    return encode(with_entries(key, view, entries))


def code_of(check: Callable[[], Any]) -> str:
    """The code of the error that a check raises; `ok` if it raises none."""
    try:
        check()
    except RefereeError as error:
        return error.code
    return "ok"


def lied(table: table.Table, closed: Closed, public: Any = None, **changes: Any) -> Closed:
    """A closed round with another position, question, result or end (`pending`, `result`, `end`): all hashes fit it."""
    position = closed.checkpoint.public if public is None else public
    if public is not None:
        changes["public"] = table.public_hash(closed.entry.round, encode(public))
    state = msgspec.structs.replace(closed.checkpoint.state, **changes)
    state = msgspec.structs.replace(state, due="" if state.end else state.due)
    entry = msgspec.structs.replace(
        closed.entry,
        public=state.public,
        state=H("state", bytes.fromhex(table.id), encode(state)).hex(),
        ask=state.pending,
        result=state.result,
        end=state.end,
        due=state.due,
    )
    return Closed(entry, Checkpoint(state, position, ident("entry", encode(entry))), closed.log, closed.calls)


@contextmanager
def cheating(
    dealer: type[Dealer] = Dealer, lie: Callable[[table.Table, Closed], Closed] | None = None
) -> Iterator[None]:
    """The host's program deals with this dealer, signs what `lie` makes of a round, and reads nothing back."""

    def closing(seats: table.Table, *how: Any) -> Closed:
        closed = close(seats, *how)
        return lie(seats, closed) if lie else closed

    honest = host.Dealer, host.close, host._check_readable, host._keep_promises
    host.Dealer, host.close = dealer, closing
    host._check_readable = host._keep_promises = lambda *_: None
    try:
        yield
    finally:
        host.Dealer, host.close, host._check_readable, host._keep_promises = honest


def resumed(seats: table.Table, checkpoint: Checkpoint) -> Followed:
    """Somebody who follows the chain from this checkpoint on."""
    follower = Followed(seats)
    follower.go_to(checkpoint)
    return follower


@contextmanager
def other_program(game_id: str, *, same_code: bool = False, **changes: Any) -> Iterator[None]:
    """A program whose game has these fields changed; its rules modules have another hash unless `same_code`."""
    load, code_hash = games.load, table.code_hash
    changed = msgspec.structs.replace(load(game_id), **changes)
    games.load = lambda _: changed
    table.code_hash = code_hash if same_code else lambda _: "00" * 32
    try:
        yield
    finally:
        games.load, table.code_hash = load, code_hash
