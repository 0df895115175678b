"""Making proofs: start with all that is known, and remove everything that is not needed."""

from collections.abc import Iterable
from typing import TypeVar

import msgspec
from msgspec.structs import fields, replace

from referee.crypto.codec import encode
from referee.crypto.envelope import Envelope
from referee.engine import records as r
from referee.engine.rounds import Checkpoint
from referee.engine.table import Table
from referee.evidence import proofs as p
from referee.evidence.court import judge_proof
from referee.evidence.witness import Knowledge

P = TypeVar("P", p.BadRound, p.Refusal)
_HIDDEN: tuple[str, ...] = ("state", "public", "tokens", "sealed")


def bad_round(
    table: Table,
    before: Envelope | None,
    checkpoint: Checkpoint,
    entry: Envelope,
    known: Knowledge,
    privates: Iterable[Envelope] = (),
) -> p.BadRound | None:
    """The smallest proof that this entry does not follow from the one before; None if it does."""
    about = _subject(before, checkpoint)
    played = {(one.round, one.seat) for one in checkpoint.state.held}
    sealed = tuple(
        r.SealedAnswer(number, seat, fields)
        for (number, seat), fields in sorted(known.sealed.items())
        if (number, seat) in played or number == checkpoint.state.round + 1
    )
    tokens = _face_down(checkpoint, known)
    full = p.BadRound(p.PROOF_FILE, table.envelope, *about, tokens, sealed, entry=entry, privates=tuple(privates))
    return _minimised(full)


def refusal(
    table: Table, before: Envelope | None, checkpoint: Checkpoint, move: Envelope, receipt: Envelope, known: Knowledge
) -> p.Refusal | None:
    """The smallest proof that a legal move was refused."""
    signed = msgspec.json.decode(move.body, type=r.Move)
    fields = known.sealed.get((signed.round, signed.seat))
    sealed = (r.SealedAnswer(signed.round, signed.seat, fields),) if fields and signed.commit else ()
    owners = checkpoint.state.book.told
    tokens = tuple(one for one in _face_down(checkpoint, known) if signed.seat in owners.get(one.slot, ()))
    about = _subject(before, checkpoint)
    key = known.ephemerals.get((signed.round, signed.seat), "")
    full = p.Refusal(p.PROOF_FILE, table.envelope, *about, tokens, sealed, move=move, receipt=receipt, ephemeral=key)
    return _minimised(full)


def revealed(transcript: r.Transcript, step: int) -> p.Revealed:
    """The part of a transcript that shows its offence in this round."""
    sealed = tuple(one for one in transcript.sealed if one.round <= step)
    parts = transcript.entries[:step], transcript.secret, sealed, transcript.chance
    return p.Revealed(p.PROOF_FILE, transcript.genesis, *parts)


def _subject(before: Envelope | None, checkpoint: Checkpoint) -> tuple[Envelope | None, r.Json, r.Json]:
    if before is None:
        return None, r.NOTHING, r.NOTHING
    return before, msgspec.Raw(encode(checkpoint.state)), msgspec.Raw(encode(checkpoint.public))


def _face_down(checkpoint: Checkpoint, known: Knowledge) -> tuple[r.Token, ...]:
    """The known tokens that lie in containers."""
    return tuple(token for slot, token in sorted(known.tokens.items()) if slot in checkpoint.state.book.leaves)


def _minimised(proof: P) -> P | None:
    """What is left of a proof when nothing more can be taken away: whole fields first, then single items."""
    wanted = judge_proof(proof)
    if wanted.verdict != p.PROVED:
        return None

    def without(proof: P, **less: object) -> P:
        """The smaller proof if it still shows the same, else the one given."""
        smaller = replace(proof, **less)
        found = judge_proof(smaller)
        return smaller if (found.verdict, found.code, found.round) == (p.PROVED, wanted.code, wanted.round) else proof

    empty = {field.name: field.default for field in fields(proof)}
    for names in (("before", *_HIDDEN), _HIDDEN, ("ephemeral",), ("tokens",), ("sealed",), ("privates",)):
        if any(getattr(proof, name, None) for name in names):
            proof = without(proof, **{name: empty[name] for name in names})
    for name in ("tokens", "sealed", "privates"):
        for item in getattr(proof, name, ()):
            proof = without(proof, **{name: tuple(one for one in getattr(proof, name) if one != item)})
    return proof
