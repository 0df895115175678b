"""Rebuild a lost game file from the newest view of any player and the host's key: M comes from the key, the rest from
the public chain. What players sealed is in their own move files, in a box that the host's key opens."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec

from referee.crypto.envelope import Envelope, body_of, ident, sign
from referee.crypto.keys import Key
from referee.crypto.slots import seal_all
from referee.engine import records as r
from referee.engine.chain import Followed
from referee.engine.dealer import Dealer, dealt, private_parts
from referee.engine.draws import Source, commitment, commitments
from referee.engine.host import Match, new_match
from referee.engine.lobby import box_secret, chance_commitment
from referee.engine.sealing import read_sealed
from referee.engine.table import Table
from referee.errors import BadSignature, RefereeError, Usage
from referee.evidence.court import moves_of
from referee.language import t

Place = tuple[int, int]
"""Round and seat of an answer."""


class Redealer(Dealer):
    """A dealer that reads from the entry what players chose in secret: which slots these were is public."""

    def __init__(self, source: Source, given: Sequence[r.Op], **how: Any) -> None:
        super().__init__(source, **how)
        self._script = given

    def _given(self, seat: int, field: str, bag: str, count: int) -> tuple[str, ...]:
        return self._chosen(r.Give)

    def _sought(self, seat: int, field: str, bag: str, fixed: tuple[str, ...] | None) -> tuple[str, ...]:
        return self._chosen(r.Seek)

    def _chosen(self, kind: type[r.Give | r.Seek]) -> tuple[str, ...]:
        op = self._script[len(self.ops)]
        return tuple(op.slots) if isinstance(op, kind) else ()

    def _secrets(self, seat: int, fields: Sequence[str]) -> r.Secrets:
        op = self._script[len(self.ops)]
        return op.fields if isinstance(op, r.Unseal) else {}


class Recovered(msgspec.Struct, frozen=True):
    """The game as it was, and the answers whose sealed fields are missing."""

    match: Match
    missing: tuple[Place, ...]
    """For the transcript."""
    held: tuple[Place, ...]
    """Of these, those without which the next round cannot be played."""


def recover(
    key: Key, genesis: Envelope, entries: Sequence[Envelope], moves: Iterable[r.MoveFile], chance: bytes = b""
) -> Recovered:
    """Rebuild the game from a checked chain."""
    table = Table(genesis)
    if table.host != key.public:
        why = t("this game belongs to another host's key")
        raise BadSignature(why, t("use the key that made the offer"), code="other-key")
    if table.offer.chance != chance_commitment(chance):
        raise Usage(t("this game uses common chance"), t("give its secret with --chance"), code="bad-chance")
    match = new_match(key, table, chance)
    if seal_all(match.secret, table.seating, table.bags, chance)[1] != table.genesis.leaves:
        raise BadSignature(t("this key does not seal the bags of the genesis"), t("use the key that started the game"))
    given = _boxes(key, table, moves)
    chain = Followed(table)
    sealed: dict[Place, r.Secrets] = {}
    wanted: dict[Place, r.Commit] = {}
    for envelope in entries:
        entry, name = chain.place(envelope)
        draws = partial(Redealer, given=entry.ops, secret=match.secret, faces=match.faces, secrets={}, chance=chance)
        closed = chain.play(entry, name, draws)
        chain.accept(closed)
        for answer, move in zip(entry.answers, moves_of(entry), strict=True):
            if answer.commit:
                wanted[entry.round, answer.seat] = answer.commit
                sealed[entry.round, answer.seat] = given.get(move, {})
        _add_revealed(table, entry, wanted, sealed)
        match.entries.append(envelope)
        match.faces, openings = dealt(closed.calls, match.faces)
        for seat, part in private_parts(closed, openings, _complete_answers(sealed, wanted)):
            match.privates[seat].append(sign(key, "private", part))
    match.checkpoint, match.table = chain.checkpoint, chain.table
    match.sealed = _complete_answers(sealed, wanted)
    missing = tuple(sorted(set(wanted) - set(match.sealed)))
    waits = {(one.round, one.seat) for one in chain.checkpoint.state.held}
    return Recovered(match, missing, tuple(place for place in missing if place in waits))


def _complete_answers(sealed: Mapping[Place, r.Secrets], wanted: Mapping[Place, r.Commit]) -> dict[Place, r.Secrets]:
    """The answers of which every sealed field is known."""
    return {place: fields for place, fields in sealed.items() if set(fields) == set(wanted[place])}


def _boxes(key: Key, table: Table, moves: Iterable[r.MoveFile]) -> Mapping[str, r.Secrets]:
    """Id of a move -> what is sealed in it, as far as it fits what the player signed."""
    box, found = box_secret(key, bytes.fromhex(table.offer.nonce)), {}
    for file in moves:
        name = ident("move", body_of(Envelope(file.body, file.sig, file.type), "move"))
        try:
            move = msgspec.json.decode(file.body, type=r.Move)
            fields = read_sealed(box, move, file.sealed)
            if commitments(table.id, move.round, move.seat, fields) == move.commit:
                found[name] = fields
        except (RefereeError, msgspec.MsgspecError):
            continue
    return found


def _add_revealed(
    table: Table, entry: r.Entry, wanted: Mapping[Place, r.Commit], sealed: dict[Place, r.Secrets]
) -> None:
    """What the entries themselves show of sealed answers."""
    for op in entry.ops:
        if isinstance(op, r.Unseal):
            place = op.round, op.seat
            fits = {
                name: secret
                for name, secret in op.fields.items()
                if commitment(table.id, op.round, op.seat, name, secret) == wanted.get(place, {}).get(name)
            }
            sealed[place] = {**sealed.get(place, {}), **fits}
