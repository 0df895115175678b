"""The host's game file: the game with all its secrets, signed by the host so that it need not be checked again."""

import msgspec

from referee.crypto.codec import PROJECT, H, Hex32, decode, encode
from referee.crypto.envelope import Envelope, read_signed, sign
from referee.crypto.keys import Key
from referee.engine import records as r
from referee.engine.host import Match, position, sealed_answers
from referee.engine.rounds import Checkpoint
from referee.engine.seats import arrival
from referee.engine.table import Table
from referee.errors import BadSignature, Malformed
from referee.language import t

GAME_FILE = PROJECT + "game"
KEEP_SECRET = "host only: this file knows every hidden card; send players their view files instead"
_UNSIGNED = Envelope(msgspec.Raw(b"{}"), "", "")


class Vault(r.Record, frozen=True):
    """What only the host knows: the faces of all sealed slots, and sealed answers."""

    faces: dict[r.Slot, r.Face] = {}
    sealed: tuple[r.SealedAnswer, ...] = ()


class Head(r.Record, frozen=True):
    """What the host signs in its own game file."""

    game: Hex32
    round: r.Round
    entry: Hex32
    file: Hex32


class GameFile(r.Record, frozen=True):
    """The host's file. It holds secrets: players get views, never this."""

    format: str
    keep_secret: str
    """A warning to the host who is about to mail it."""
    genesis: Envelope
    entries: tuple[Envelope, ...]
    privates: tuple[tuple[Envelope, ...], ...]
    """Per seat."""
    state: msgspec.Raw
    vault: msgspec.Raw
    head: Envelope
    marks: tuple[Hex32, ...]
    """Checkpoints of the host's chain."""
    public: r.Json = r.NOTHING
    waiting: tuple[r.MoveFile, ...] = ()
    late: r.Json = r.NOTHING
    """Seats whose deadline passed in the open round."""
    chance: r.Empty32 = ""
    """The secret of common chance."""
    revealed: bool = False
    """The transcript was written: the game cannot continue."""
    arrivals: tuple[Envelope, ...] = ()
    """Who takes a seat or comes back as soon as that can be."""
    used: tuple[tuple[r.Seat, r.Minutes], ...] = ()
    """What the time banks of seats that have answered pay."""
    extensions: tuple[Envelope, ...] = ()
    """What was promised in the open round."""


def open_match(data: bytes, key: Key) -> Match:
    """Read a game file: the head is signed, so the history need not be checked again."""
    file = decode(data, GameFile, "game file")
    if file.format != GAME_FILE:
        raise Malformed(t("this is not a game file"), t("give the host's game file here"), code="wrong-kind")
    table = Table(file.genesis)
    if key.public != table.host:
        why = t("this game belongs to another host's key")
        raise BadSignature(why, t("use the key that made the offer (--key)"), code="other-key")
    head = read_signed(file.head, "head", table.host, Head)
    if head.game != table.id or head.file != _file_hash(file):
        why = t("this game file was altered after it was signed")
        raise BadSignature(why, t("restore it from a backup"), code="altered-file")
    state, vault = decode(bytes(file.state), r.State, "game file"), decode(bytes(file.vault), Vault, "game file")
    public = r.content(file.public)
    checkpoint = Checkpoint(state, decode(public, table.game.public, "position") if public else None, head.entry)
    marks, chance = [bytes.fromhex(mark) for mark in file.marks], bytes.fromhex(file.chance)
    match = Match(table.seated(state.holders), key, checkpoint, vault.faces, marks, chance)
    match.entries = list(file.entries)
    match.privates = [list(parts) for parts in file.privates]
    match.waiting = {decode(bytes(one.body), r.Move, "move").seat: one for one in file.waiting}
    match.late = set(decode(r.content(file.late) or b"[]", tuple[int, ...], "game file"))
    match.revealed, match.used, match.extensions = file.revealed, dict(file.used), file.extensions
    match.arrivals = {arrival(one)[0]: one for one in file.arrivals}
    match.sealed = {(one.round, one.seat): one.fields for one in vault.sealed}
    return match


def dump_match(match: Match) -> bytes:
    """The game file, signed again."""
    sealed = sealed_answers(match, match.state.round + 1)
    file = GameFile(
        format=GAME_FILE,
        keep_secret=KEEP_SECRET,
        genesis=match.table.envelope,
        entries=match.chain,  # type: ignore[arg-type]
        privates=tuple(tuple(parts) for parts in match.privates),
        state=msgspec.Raw(encode(match.state)),
        vault=msgspec.Raw(encode(Vault(dict(match.faces), sealed))),
        head=_UNSIGNED,
        marks=tuple(mark.hex() for mark in match.marks),
        public=position(match),
        waiting=tuple(match.waiting[seat] for seat in sorted(match.waiting)),
        late=msgspec.Raw(encode(sorted(match.late))) if match.late else r.NOTHING,
        chance=match.chance.hex(),
        revealed=match.revealed,
        arrivals=tuple(match.arrivals[seat] for seat in sorted(match.arrivals)),
        used=tuple(sorted(match.used.items())),
        extensions=match.extensions,
    )
    head = Head(match.table.id, match.state.round, match.checkpoint.head, _file_hash(file))
    return encode(msgspec.structs.replace(file, head=sign(match.key, "head", head)))


def _file_hash(file: GameFile) -> str:
    """What the host signs: the whole file except the head itself."""
    return H("file", encode(msgspec.structs.replace(file, head=_UNSIGNED))).hex()
