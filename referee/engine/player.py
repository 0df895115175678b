"""The player's side: open a view, answer what it asks."""

from collections.abc import Callable
from typing import Any

import msgspec

from referee.crypto.codec import decode, derive, encode
from referee.crypto.envelope import Envelope, ident, open_signed, seal
from referee.crypto.keys import Key
from referee.crypto.links import Chain
from referee.engine.lobby import player_marks
from referee.engine.records import NOTHING, VIEW, Entry, Move, MoveFile, Private, Secret, View, content
from referee.engine.rounds import split_move
from referee.engine.table import Table
from referee.engine.turn import commitment
from referee.errors import BadSignature, CheckFailed, Malformed, RefereeError, WrongTurn
from referee.game import Seen


class Opened(msgspec.Struct, frozen=True):
    """A view, read: the table, the newest entry (None before the deal), the private part."""

    view: View
    table: Table
    last: Entry | None
    private: Private

    @property
    def seat(self) -> int:
        return self.private.seat

    @property
    def name(self) -> str:
        return self.table.names[self.private.seat]


def open_view(data: bytes) -> Opened:
    """Read a view and check that its newest entry, its positions and its private part belong together."""
    view = decode(data, View, "view")
    if view.format != VIEW:
        raise Malformed("this is not a view", "give a player's view file here")
    table = Table(view.genesis, verify=True)
    private = open_signed(view.private, "private", table.host, Private)
    last = None
    newest = table.id
    if view.entries:
        envelope = decode(bytes(view.entries[-1]), Envelope, "entry")
        last = open_signed(envelope, "entry", table.host, Entry)
        newest = ident("entry", bytes(envelope.body))
    round = last.round if last else 0
    if (private.game, private.entry, private.round) != (table.id, newest, round) or private.seat >= table.seats:
        raise CheckFailed("mixed-view", "the private part of this view belongs to another position", step=round)
    if bool(content(view.public)) != bool(last):
        raise CheckFailed("mixed-view", "this view has no position", step=round)
    if last and table.public_hash(round, content(view.public)) != last.public:
        raise CheckFailed("false-public", "the position in this view is not the one the host signed", step=round)
    return Opened(view, table, last, private)


def seen_in(opened: Opened) -> Seen[Any, Any]:
    """The position as this player may see it."""
    if opened.last is None:
        raise WrongTurn("nothing is dealt yet", "sign the ack with `referee play`", code="not-dealt")
    table = opened.table
    public = decode(content(opened.view.public), table.game.public, "public position")
    own = decode(content(opened.private.own), table.game.own, "own position")
    return Seen(opened.seat, public, own, opened.last.ask, opened.last.result)


def consult(opened: Opened, rule: Callable[..., Any], *more: Any) -> Any:
    """Ask the rules about a view. A position that they cannot even read is one that the host made up."""
    try:
        return rule(opened.table.terms, seen_in(opened), *more)
    except RefereeError:
        raise
    except Exception:
        step = opened.private.round
        message = f"round {step}: the rules cannot lead to the position in this view"
        raise CheckFailed("false-position", message, step=step) from None


def answer(key: Key, opened: Opened, move: Any = None) -> bytes:
    """Sign an answer to what the view asks; None for an ack or a witness."""
    ask = opened.private.ask
    table, private = opened.table, opened.private
    if key.public != table.keys[private.seat]:
        raise BadSignature(
            "this view is for another player's key", "use the key you joined with (--key)", code="other-key"
        )
    if ask is None:
        raise WrongTurn("this view asks you nothing", "wait for the next view", code="not-asked")
    number = private.round + 1
    fields, secret = b"", None
    if ask.what not in ("ack", "witness"):
        consult(opened, table.game.check, move)
        fields, hidden = split_move(move, ask.sealed)
        if ask.sealed:
            salt = derive(key.seed, "salt", bytes.fromhex(table.id), number)
            secret = Secret(salt.hex(), msgspec.Raw(hidden))
    body = Move(
        game=table.id,
        round=number,
        asked=private.entry,
        seat=private.seat,
        link=own_link(key, table, private.seat, number),
        answer=msgspec.Raw(fields) if fields else NOTHING,
        commit=commitment(table.id, number, private.seat, secret) if secret else "",
    )
    envelope = seal(key, "move", body)
    return encode(MoveFile(envelope.body, envelope.sig, envelope.type, secret))


def own_link(key: Key, table: Table, seat: int, number: int) -> str:
    """This player's link of a round."""
    nonce = bytes.fromhex(table.joins[seat].nonce)
    return Chain(key.public, nonce).link(player_marks(key, table.offer_id, nonce), number).hex()
