"""Everything in an honest game that somebody could use to frame its host."""

from collections.abc import Iterator
from typing import Any

import msgspec

from referee.crypto.codec import encode
from referee.crypto.envelope import Envelope
from referee.engine import records as r
from referee.engine.player import Opened
from referee.evidence import proofs as p
from referee.evidence.court import judge_proof, read_proof
from tests.support.match import Own, Sitting, decode


def told_to(view: r.View) -> dict[int, r.Private]:
    """Round -> what the player of a view was told."""
    parts = [decode(bytes(one.body), r.Private, "private") for one in view.privates]
    return {part.round: part for part in parts}


def checkpoint_before(opened: Opened, number: int) -> dict[str, Any]:
    """The parts of a proof that say where the game stood before this round."""
    if number == 1:
        return {}
    checkpoint = opened.chain.rounds[number - 2].checkpoint
    return {
        "before": opened.view.entries[number - 2],
        "state": msgspec.Raw(encode(checkpoint.state)),
        "public": msgspec.Raw(encode(checkpoint.public)),
    }


def tokens_before(opened: Opened, number: int) -> tuple[r.Token, ...]:
    """What the player of a view knew of hidden tokens before this round, as far as they lay in containers."""
    if number == 1:
        return ()
    leaves = opened.chain.rounds[number - 2].checkpoint.state.book.leaves
    told = [token for round, part in told_to(opened.view).items() if round < number for token in part.openings]
    return tuple(token for token in told if token.slot in leaves)


def round_proof(opened: Opened, number: int) -> p.BadRound:
    """A proof of nothing: a round of an honest game with all that its player knows."""
    view = opened.view
    parts = [one for one in view.privates if decode(bytes(one.body), r.Private, "private").round == number]
    sealed = [r.SealedAnswer(at, opened.seat, fields) for at, fields in opened.owner.sealed.items() if at <= number]
    return p.BadRound(
        p.PROOF_FILE,
        view.genesis,
        **checkpoint_before(opened, number),
        tokens=tokens_before(opened, number),
        sealed=tuple(sealed),
        entry=view.entries[number - 1],
        privates=tuple(parts),
    )


def refusal_proof(opened: Opened, move: Envelope, receipt: Envelope) -> p.Refusal:
    """The same for a receipt that refuses a move."""
    signed = decode(bytes(move.body), r.Move, "move")
    fields = opened.owner.sealed.get(signed.round)
    sealed = (r.SealedAnswer(signed.round, signed.seat, fields),) if fields and signed.commit else ()
    number = min(max(signed.round, 1), opened.round + 1)
    where = checkpoint_before(opened, number)
    tokens = tokens_before(opened, number)
    return p.Refusal(
        p.PROOF_FILE,
        opened.view.genesis,
        **where,
        tokens=tokens,
        sealed=sealed,
        move=move,
        receipt=receipt,
        ephemeral=fields.ephemeral if isinstance(fields, Own) and sealed else "",
    )


def transcript_proof(data: bytes) -> p.Revealed:
    whole = decode(data, r.Transcript, "transcript")
    return p.Revealed(p.PROOF_FILE, whole.genesis, whole.entries, whole.secret, whole.sealed, whole.chance)


def rounds_of(sitting: Sitting) -> Iterator[p.BadRound]:
    """Every round, as every seat could present it."""
    for seat in range(sitting.table.seats):
        opened = sitting.opened(seat)
        yield from (round_proof(opened, number) for number in range(1, opened.round + 1))


def judged(proof: p.AnyProof) -> p.Verdict:
    """Judged like a file."""
    return judge_proof(read_proof(encode(proof)))
