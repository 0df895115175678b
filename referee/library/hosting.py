"""The host's side, from bytes to bytes: an offer, a game, moves, a transcript."""

import os
from collections.abc import Iterable, Mapping
from datetime import datetime

import msgspec

from referee import games
from referee.crypto.codec import decode, encode
from referee.crypto.envelope import Envelope
from referee.crypto.keys import Key
from referee.engine import host, lobby
from referee.engine.host import Match
from referee.engine.names import choose_name
from referee.engine.rounds import asked
from referee.errors import Malformed, RefereeError, Usage
from referee.game import Result
from referee.io import files
from referee.io.desk import judge_all, next_due
from referee.io.gamefile import dump_match, open_match
from referee.library import t
from referee.library.data import Json
from referee.library.practising import terms_of
from referee.library.sources import Source, load, read_bytes, several
from referee.library.tables import seat_players

MOVES = ("move", "succession", "return")


class Judged(msgspec.Struct, frozen=True):
    """What became of one move: `taken`, `repeated` (the one that counts already), `arriving` (somebody who takes over a
    seat), or the code of the error."""

    code: str
    seat: int | None = None
    receipt: bytes = b""
    """For the player who sent it; empty where nothing can be signed about it."""
    error: RefereeError | None = None

    @property
    def ok(self) -> bool:
        return self.error is None


class Hosted(msgspec.Struct, frozen=True):
    """A game after a step of its host."""

    game: bytes
    """The host's game file, for nobody else: it knows every hidden card. The next step starts from these bytes."""
    views: tuple[bytes, ...]
    """For each seat its own view, to be sent to that player only."""
    public: bytes
    """The view for everybody who only watches."""
    round: int
    asked: Mapping[int, str]
    """Seat -> what it is asked for, for seats that have not answered yet."""
    end: str
    result: Result | None
    judged: tuple[Judged, ...] = ()
    """What became of the moves, in their order."""
    closed: int = 0
    """Rounds that were completed."""


def make_offer(
    game_id: str,
    key: Key,
    seats: int | None,
    options: Mapping[str, Json] | None,
    edition: Source | None,
    spans: tuple[int, int, int],
    nonce: bytes | None,
) -> bytes:
    """Open a game."""
    game = games.load(game_id)
    chosen = None if edition is None else load(edition, "edition")
    terms = terms_of(game_id, game, seats, options, chosen)
    deadline, grace, bank = spans
    if min(spans) < 0 or max(spans) > 365 * 1440:
        raise Usage(t("deadline, grace and bank are minutes, at most 365 days"), t("give numbers from 0 on"))
    return encode(lobby.make_offer(key, game_id, game, terms, fresh(nonce), deadline, grace, bank))


def fresh(nonce: bytes | None) -> bytes:
    """32 random bytes, or those that were given."""
    if nonce is None:
        return os.urandom(32)
    if not isinstance(nonce, bytes) or len(nonce) != 32:
        raise Usage(t("a nonce is 32 bytes"), t("leave it out: then it is drawn at random"))
    return nonce


def join(offer: Source, key: Key, name: str, nonce: bytes | None) -> bytes:
    """Answer an offer."""
    wanted = name or key.name
    if not wanted:
        raise Usage(t("your key has no name"), t("give a name"), code="no-name")
    opened = decode(load(offer, "offer"), Envelope, "offer")
    return encode(lobby.make_join(key, opened, choose_name(wanted), fresh(nonce)))


def start(offer: Source, joins: Iterable[Source], key: Key) -> Hosted:
    """Seat the players in the order of the joins, and seal every bag."""
    return _hosted(seat_players(key, load(offer, "offer"), (load(one, "join") for one in several(joins))))


def apply(
    game: bytes, moves: Source | Iterable[Source], key: Key, now: datetime | None, missed: Iterable[int]
) -> Hosted:
    """Judge moves in the order of their rounds, then record missed deadlines."""
    match = open_match(read_bytes(game, "game"), key)
    match.due = _due(match, now)
    before, found = match.state.round, judge_all(match, [_read(one) for one in several(moves)], now)
    for seat in missed:
        host.time_out(match, seat)
    judged = tuple(Judged(one.code, one.seat, encode(one.receipt) if one.receipt else b"", one.error) for one in found)
    return _hosted(match, judged, match.state.round - before)


def _due(match: Match, now: datetime | None) -> str:
    """The deadline of the next round, where there are deadlines."""
    if match.table.offer.deadline and (now is None or now.tzinfo is None):
        why = t("this game has deadlines: they count from the time of the host's clock")
        raise Usage(why, t("give `now`, a datetime with its time zone"))
    return next_due(match, now)


def _read(source: Source) -> bytes | RefereeError:
    """A move, or why it cannot be read: one bad move must not stop the others."""
    try:
        return load(source, *MOVES)
    except RefereeError as error:
        return error


def _hosted(match: Match, judged: tuple[Judged, ...] = (), closed: int = 0) -> Hosted:
    data, state = dump_match(match), match.state
    if len(data) > files.LARGE:
        why = t("the game would be larger than any that can be read")
        raise Malformed(why, t("end this game"), code="too-large")
    waits = {seat: ask.what for seat, ask in asked(state).items() if seat not in match.waiting}
    views = tuple(host.make_view(match, seat) for seat in range(match.table.seats))
    public = host.make_view(match, None)
    return Hosted(data, views, public, state.round, waits, state.end, state.result, judged, closed)


def reveal(game: bytes, key: Key, *, abandon: bool) -> tuple[bytes, bytes]:
    """The transcript, and the game file after it."""
    match = open_match(read_bytes(game, "game"), key)
    made = host.reveal(match, abandon=abandon)
    return made, dump_match(match)
