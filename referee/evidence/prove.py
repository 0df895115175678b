"""Making proofs: all that is known goes in, and everything that is not needed comes out again."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from referee.crypto.codec import encode
from referee.crypto.envelope import Envelope
from referee.engine import records as r
from referee.engine.rounds import Checkpoint
from referee.engine.table import Table
from referee.evidence import proofs as p
from referee.evidence.court import judge_proof
from referee.evidence.witness import Knowledge

P = TypeVar("P", p.BadRound, p.Refusal)


def bad_round(
    table: Table,
    before: Envelope | None,
    checkpoint: Checkpoint,
    entry: Envelope,
    known: Knowledge,
    privates: Iterable[Envelope] = (),
) -> p.BadRound | None:
    """The smallest proof that this entry does not follow from the one before; None if it does."""
    about = _about(before, checkpoint)
    played = {(one.round, one.seat) for one in checkpoint.state.held}
    sealed = tuple(
        r.SealedAnswer(number, seat, fields)
        for (number, seat), fields in sorted(known.sealed.items())
        if (number, seat) in played or number == checkpoint.state.round + 1
    )
    tokens = _face_down(checkpoint, known)
    full = p.BadRound(p.PROOF_FILE, table.envelope, *about, tokens, sealed, entry=entry, privates=tuple(privates))
    return _smallest(full)


def refusal(
    table: Table, before: Envelope | None, checkpoint: Checkpoint, move: Envelope, receipt: Envelope, known: Knowledge
) -> p.Refusal | None:
    """The smallest proof that a legal move was refused."""
    signed = msgspec.json.decode(move.body, type=r.Move)
    fields = known.sealed.get((signed.round, signed.seat))
    sealed = (r.SealedAnswer(signed.round, signed.seat, fields),) if fields and signed.commit else ()
    told = checkpoint.state.book.told
    tokens = tuple(one for one in _face_down(checkpoint, known) if signed.seat in told.get(one.slot, ()))
    about = _about(before, checkpoint)
    key = known.ephemerals.get((signed.round, signed.seat), "")
    full = p.Refusal(p.PROOF_FILE, table.envelope, *about, tokens, sealed, move=move, receipt=receipt, ephemeral=key)
    return _smallest(full)


def revealed(transcript: r.Transcript, step: int) -> p.Revealed:
    """The part of a transcript that shows its offence in this round."""
    sealed = tuple(one for one in transcript.sealed if one.round <= step)
    parts = transcript.entries[:step], transcript.secret, sealed, transcript.chance
    return p.Revealed(p.PROOF_FILE, transcript.genesis, *parts)


def _about(before: Envelope | None, checkpoint: Checkpoint) -> tuple[Envelope | None, r.Json, r.Json]:
    if before is None:
        return None, r.NOTHING, r.NOTHING
    return before, msgspec.Raw(encode(checkpoint.state)), msgspec.Raw(encode(checkpoint.public))


def _face_down(checkpoint: Checkpoint, known: Knowledge) -> tuple[r.Token, ...]:
    """The known tokens that lie in containers."""
    return tuple(token for slot, token in sorted(known.tokens.items()) if slot in checkpoint.state.book.leaves)


def _smallest(proof: P) -> P | None:
    """What is left of a proof when nothing more can be taken away."""
    wanted = judge_proof(proof)
    if wanted.verdict != p.PROVED:
        return None
    for less in _parts(proof):
        smaller = replace(proof, **{name: _without(getattr(proof, name), part) for name, part in less.items()})
        found = judge_proof(smaller)
        if (found.verdict, found.code, found.round) == (p.PROVED, wanted.code, wanted.round):
            proof = smaller
    return proof


_ALL = object()


def _parts(proof: p.BadRound | p.Refusal) -> Iterator[Mapping[str, object]]:
    """What to try to leave out: whole fields first, then single items."""
    yield {"before": _ALL, "state": _ALL, "public": _ALL, "tokens": _ALL, "sealed": _ALL}
    yield {"state": _ALL, "public": _ALL, "tokens": _ALL, "sealed": _ALL}
    if isinstance(proof, p.Refusal):
        yield {"ephemeral": _ALL}
    lists = [name for name in ("tokens", "sealed", "privates") if getattr(proof, name, ())]
    yield from ({name: _ALL} for name in lists)
    yield from ({name: item} for name in lists for item in getattr(proof, name))


def _without(value: object, part: object) -> object:
    if part is not _ALL:
        return tuple(item for item in value if item != part) if isinstance(value, tuple) else value
    if isinstance(value, str):
        return ""
    return () if isinstance(value, tuple) else None if isinstance(value, Envelope) or value is None else r.NOTHING
