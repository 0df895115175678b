"""Where nothing can be proved: a player's claim, and an arbiter's ruling, each signed and shown as what it is."""

from collections.abc import Sequence
from typing import Annotated

import msgspec

from referee.crypto.codec import H, Hex32, check_plain, decode, encode
from referee.crypto.document import check_body
from referee.crypto.envelope import Envelope, body_of, ident, sign
from referee.crypto.keys import Key
from referee.engine import records as r
from referee.engine.chain import follow, is_canonical, open_table, read_part, signed_body, signed_table
from referee.engine.promises import is_time, minutes
from referee.engine.table import Table, check_signed_offer, seat_joins
from referee.errors import Altered, BadSignature, CheckFailed, Malformed, RefereeError, Usage
from referee.evidence.court import decode_move, missing, read_move
from referee.language import t

LONGEST = 2_000
"""Most characters of a verdict."""
Text = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST)]
Rank = Annotated[int, msgspec.Meta(ge=1, le=r.MOST_SEATS)]


class Ruling(r.Record, frozen=True):
    """What an arbiter decides about a game, over evidence that it names."""

    genesis: Envelope
    key: Hex32
    """Who rules. It binds the players if their offer names this key."""
    evidence: tuple[Hex32, ...]
    """H("evidence", bytes) of every file that was looked at."""
    verdict: Text
    ranks: tuple[Rank, ...] = ()
    """The result as the arbiter decides it, a rank per seat; none: as the game has it."""


class Claim(r.Record, frozen=True):
    """A player says: I sent this move on that date."""

    genesis: Envelope
    move: Envelope
    sent: Annotated[str, msgspec.Meta(min_length=1), r.Due.__metadata__[0]]
    entry: Envelope | None = None
    """The entry that asked, which states when the answer was due; none in round 1."""
    state: r.Json = r.NOTHING
    """The state after it, which says who held the seat: if seats can be taken over, and not in round 1."""


class Ruled(msgspec.Struct, frozen=True):
    """A ruling that its arbiter signed. Standings take `ranks` of one that is binding, if it has any."""

    table: Table
    ruling: Ruling

    @property
    def binding(self) -> bool:
        """Whether all players joined an offer that names this arbiter."""
        return self.table.offer.arbiter == self.ruling.key


class Claimed(msgspec.Struct, frozen=True):
    """A claim that its player signed."""

    table: Table
    claim: Claim
    move: r.Move
    due: str
    """When the answer was due; empty where there was no deadline."""

    @property
    def late(self) -> bool:
        """Whether, by the claim itself, the move was sent after its deadline and grace, and all that a bank gives."""
        offer = self.table.offer
        return bool(self.due) and minutes(self.claim.sent) > minutes(self.due) + offer.bank + offer.grace


def evidence_id(data: bytes) -> str:
    """How a ruling names a file."""
    return H("evidence", data.rstrip(b"\r\n")).hex()


def make_ruling(key: Key, genesis: Envelope, files: Sequence[bytes], text: str, ranks: Sequence[int] = ()) -> bytes:
    """A ruling over these files."""
    table = _joined(genesis)
    if not 1 <= len(text) <= LONGEST:
        raise Usage(t("a verdict has 1 to {longest} characters", longest=LONGEST), t("say it in fewer words"))
    if ranks and (len(ranks) != table.seats or not all(1 <= rank <= table.seats for rank in ranks)):
        why = t("this game has {seats} seats", seats=table.seats)
        raise Usage(why, t("give one rank for each, in seat order: 1,2,2"))
    named = tuple(sorted({evidence_id(data) for data in files}))
    return encode(sign(key, "ruling", Ruling(genesis, key.public.hex(), named, text, tuple(ranks))))


def read_ruling(data: bytes) -> Ruled:
    """A ruling, signed by the key that it names, about a game that its host and players signed."""
    envelope, body = _opened(data, "ruling")
    ruling = decode(body, Ruling, "ruling")
    check_body(ruling.genesis, "ruling", 3)
    table = _joined(ruling.genesis)
    signed_body(bytes.fromhex(ruling.key), envelope, "ruling", new=True)
    if list(ruling.evidence) != sorted(set(ruling.evidence)):
        raise Altered("bad-ruling", t("the ruling does not name its files in order, or names one twice"))
    if ruling.ranks and (len(ruling.ranks) != table.seats or max(ruling.ranks) > table.seats):
        raise Altered("bad-ruling", t("the ruling does not rank the seats of the game"))
    return Ruled(table, ruling)


def make_claim(key: Key, view: r.View, move: r.MoveFile, sent: str) -> bytes:
    """State that a move was sent at this time, beside the entry of this view that asked for it."""
    table = signed_table(view.genesis)
    signed = Envelope(move.body, move.sig, move.type)
    found = read_move(table, signed)
    asked = [one for one in view.entries if ident("entry", bytes(one.body)) == found.asked]
    if found.round > 1 and not asked:
        why = t("this view does not have the entry that the move answers")
        raise Malformed(why, t("give a newer view"), code="alone")
    state: r.Json = r.NOTHING
    if table.offer.takeovers and found.round > 1:
        then = follow(open_table(view.genesis), view.entries[: found.round - 1]).checkpoint.state
        table, state = table.seated(then.holders), msgspec.Raw(encode(then))
    if table.keys[found.seat] != key.public:
        why = t("this move was signed with another key")
        raise BadSignature(why, t("use the key it was signed with"), code="other-key")
    claim = Claim(view.genesis, signed, sent, asked[0] if asked else None, state)
    made = encode(sign(key, "claim", claim))
    read_claim(made)
    return made


def read_claim(data: bytes) -> Claimed:
    """A claim, signed by the player of the seat whose move it is about."""
    envelope, body = _opened(data, "claim")
    claim = decode(body, Claim, "claim")
    for part in filter(None, (claim.genesis, claim.move, claim.entry)):
        check_body(part, "claim", 3)
    if state := r.content(claim.state):
        check_plain(state, "claim")
    table = _joined(claim.genesis)
    move = decode_move(body_of(claim.move, "move"))
    if move.game != table.id or move.seat >= table.seats:
        raise Altered("mixed-claim", t("the move in this claim belongs to another game"), move.round)
    due = ""
    if claim.entry is not None:
        entry, name = _asking(table, claim.entry)
        if (entry.game, name, entry.round + 1) != (table.id, move.asked, move.round) or not entry.round:
            raise Altered("mixed-claim", t("the entry of this claim is not the one that the move answers"), move.round)
        due = entry.due
        if table.offer.takeovers:
            table = table.seated(_holders(table, state, entry))
    elif move.round != 1 or move.asked != table.id:
        raise Altered("mixed-claim", t("the entry that the move answers is not in this claim"), move.round)
    if state and (claim.entry is None or not table.offer.takeovers):
        raise Altered("mixed-claim", t("this claim has a state that it does not need"), move.round)
    signed_body(table.keys[move.seat], claim.move, "move", new=True)
    signed_body(table.keys[move.seat], envelope, "claim", new=True)
    if not all(is_time(time) for time in (claim.sent, due or claim.sent)):
        raise Altered("mixed-claim", t("the date in this claim is not a valid time"), move.round)
    return Claimed(table, claim, move, due)


def _asking(table: Table, envelope: Envelope) -> tuple[r.Entry, str]:
    """The entry of a claim and its id. A claim is not a proof: an unreadable entry accuses nobody."""
    try:
        entry, name = read_part(envelope, "entry", table, r.Entry, 0)
    except CheckFailed as error:
        raise Malformed(error.message, t("use the file exactly as it was sent")) from None
    if not is_canonical(entry, name):
        raise Malformed(t("the entry is not in canonical form"), t("use the file exactly as it was sent"))
    return entry, name


def _holders(table: Table, state: bytes, entry: r.Entry) -> tuple[r.Holder, ...]:
    """Who held seats after the entry of a claim, by the state that it has the hash of."""
    if not state:
        raise missing(t("who held the seat then: the state after the entry"), entry.round + 1)
    if H("state", bytes.fromhex(table.id), state).hex() != entry.state:
        raise Altered("mixed-claim", t("the state in this claim does not belong to its entry"), entry.round + 1)
    try:
        return decode(state, r.State, "state").holders
    except Malformed:
        raise missing(t("who held the seat then: the state after the entry"), entry.round + 1) from None


def _opened(data: bytes, kind: str) -> tuple[Envelope, bytes]:
    """A claim or a ruling in canonical form, and its body; no signature is verified."""
    envelope = decode(data, Envelope, kind)
    check_body(envelope, kind, 1)
    return envelope, body_of(envelope, kind)


def _joined(genesis: Envelope) -> Table:
    """The table of a game whose offer and joins are signed: all players agreed to what the offer says."""
    table = signed_table(genesis)
    try:
        check_signed_offer(table.offer, table.genesis.offer)
        seat_joins(table.offer, table.offer_id, table.genesis.joins)
    except RefereeError as error:
        raise Altered(error.code, t("the genesis is not valid: {message}", message=error.message)) from None
    return table


def binding_ruling(data: bytes) -> Ruled:
    """A ruling that counts for standings: one that binds the players. Raises what `read_ruling` does."""
    found = read_ruling(data)
    if not found.binding:
        why = t("this ruling binds nobody: the offer of the game does not name this arbiter")
        raise BadSignature(why, t("only the arbiter named in the offer can change a standing"), code="not-binding")
    return found
