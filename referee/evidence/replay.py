"""After the end: the dealer replays the whole game from the transcript, and every byte is compared."""

from collections.abc import Mapping, Sequence
from functools import partial

from referee.crypto.codec import decode
from referee.crypto.document import check_body, read_file
from referee.crypto.envelope import Envelope
from referee.crypto.slots import seal_all
from referee.engine import records as r
from referee.engine.chain import Followed, check_sealed, open_table, signed_body, undecided
from referee.engine.dealer import Dealer, dealt
from referee.engine.judging import judge
from referee.engine.lobby import chance_commitment, host_marks
from referee.engine.reader import Reader
from referee.engine.seats import rests
from referee.engine.table import Table, same_code
from referee.errors import Altered, BadSignature, CheckFailed, IllegalMove, Malformed
from referee.language import Text, run, t


def open_transcript(data: bytes) -> Followed:
    """Check everything in a transcript; raises `CheckFailed` naming the first offence, `Altered` if the file is not
    complete."""
    return check_transcript(read_transcript(data))


def check_transcript(transcript: r.Transcript) -> Followed:
    """Its rounds, and that the game ended, rests or was abandoned with the last of them."""
    parts = transcript.genesis, transcript.entries, transcript.secret, transcript.sealed, transcript.chance
    chain = replay(*parts)
    state = chain.checkpoint.state
    if transcript.abandoned is not None:
        _check_abandoned(chain, transcript.abandoned)
    elif not state.end and not rests(state):
        raise Altered("not-over", t("the game in this transcript is not over"), state.round)
    return chain


def _check_abandoned(chain: Followed, envelope: Envelope) -> None:
    """The host itself abandoned the game at exactly this point: nobody else can cut a transcript short."""
    checkpoint = chain.checkpoint
    body = signed_body(chain.table.host, envelope, "abandonment", checkpoint.state.round)
    given = decode(body, r.Abandonment, "abandonment")
    if checkpoint.state.end or given != r.Abandonment(chain.table.id, checkpoint.state.round, checkpoint.head):
        message = t("the host did not abandon this game after this round")
        raise Altered("bad-abandonment", message, checkpoint.state.round)
    chain.abandoned = True


def read_transcript(data: bytes) -> r.Transcript:
    """A transcript; only its form is checked."""
    transcript = read_file(data, r.Transcript, "transcript")
    check_sealed(transcript.sealed)
    if transcript.abandoned is not None:
        check_body(transcript.abandoned, "transcript")
    if transcript.format != r.TRANSCRIPT_FILE:
        why = t("this is not a transcript")
        raise Malformed(why, t("give the file that {run} wrote", run=run("reveal")), code="wrong-kind")
    return transcript


def replay(
    genesis: Envelope, entries: Sequence[Envelope], secret: str, given: Sequence[r.SealedAnswer], chance: str
) -> Followed:
    """Replay the rounds of a transcript as the dealer; does not check that they are the whole game."""
    table, m, common = open_table(genesis), bytes.fromhex(secret), bytes.fromhex(chance)
    if chance_commitment(common) != table.offer.chance:
        raise Altered("bad-secret", t("the common chance is not the one that the offer is bound to"))
    faces: Mapping[str, str] = _check_secret(table, m, common)
    sealed = {(one.round, one.seat): one.fields for one in given}
    if len(sealed) != len(given):
        raise Altered("bad-sealed", t("there are two sealed parts for one answer"))
    chain, unused = Followed(table), set(sealed)
    for envelope in entries:
        entry, name = chain.place(envelope)
        chain.check(entry, name)
        try:
            _rejudge(chain, entry, sealed, faces)
            closed = chain.play(entry, name, partial(Dealer, secret=m, faces=faces, secrets=sealed, chance=common))
        except CheckFailed:
            # What any player could see has its own code; only what M shows keeps the dealer's.
            chain.play(entry, name, partial(Reader, given=entry.ops))
            raise
        faces, openings = dealt(closed.calls, faces)
        chain.accept(closed, openings)
        unused -= {(entry.round, answer.seat) for answer in entry.answers if answer.commit}
    if unused:
        number, seat = min(unused)
        raise Altered(
            "bad-sealed",
            t("there is a sealed answer of {who} that was never given", who=player_in(chain.table, seat)),
            number,
        )
    return chain


def player_in(table: Table, seat: int) -> Text:
    """A seat with its player's name, as far as the table has such a seat: `Anna (seat 1)`."""
    if seat >= len(table.names):
        return t("seat {seat}", seat=seat + 1)
    return t("{name} (seat {seat})", name=table.names[seat], seat=seat + 1)


def _check_secret(table: Table, secret: bytes, chance: bytes) -> dict[str, str]:
    """M is the one that the host's tip binds, and the genesis sealed what M puts into the bags: that, by slot."""
    if host_marks(table.host, bytes.fromhex(table.offer.nonce), secret)[0].hex() != table.offer.tip:
        raise Altered("bad-secret", t("the secret M is not the one that the offer is bound to"))
    faces, sealed = seal_all(secret, table.seating, table.bags, chance)
    for bag, leaves in sealed.items():
        if leaves != table.genesis.leaves[bag]:
            message = t("the genesis did not seal {bag} with what M puts there", bag=bag)
            raise CheckFailed("bad-bag", message) if same_code(table.offer) else undecided(table.offer, message, 0)
    return faces


def _rejudge(
    chain: Followed, entry: r.Entry, sealed: Mapping[tuple[int, int], r.Secrets], faces: Mapping[str, str]
) -> None:
    """Every answer was legal when it was accepted, and every sealed one is what was committed to."""
    table, checkpoint, number = chain.table, chain.checkpoint, entry.round
    for answer in entry.answers:
        secrets = sealed.get((number, answer.seat), {})
        if set(secrets) != set(answer.commit):
            message = t("the sealed part of {who} is missing, or is a different one", who=player_in(table, answer.seat))
            raise Altered("bad-sealed", message, number)
        move = r.move_of(table.id, number, entry.prev, answer)
        try:
            judge(table, checkpoint, move, secrets, faces)
        except BadSignature as error:
            raise Altered("bad-sealed", error.message, number) from None
        except (IllegalMove, Malformed) as error:
            message = t("the move of {who}: {message}", who=player_in(table, answer.seat), message=error.message)
            raise chain.offence("illegal-move", message, number) from None
