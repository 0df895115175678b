"""After the end: the dealer plays the whole game again from the transcript, and every byte is compared."""

from collections.abc import Mapping

from referee.crypto.codec import decode
from referee.engine import records as r
from referee.engine.chain import Followed, Follower, open_table, reading, undecided
from referee.engine.dealer import Dealer, dealing, first_faces
from referee.engine.judging import judge
from referee.engine.lobby import host_marks, sealed_leaves
from referee.engine.rounds import rests
from referee.engine.table import Table, same_code
from referee.errors import Altered, BadSignature, CheckFailed, IllegalMove, Malformed


def open_transcript(data: bytes) -> Followed:
    """Check everything in a transcript; raises `CheckFailed` naming the first offence, `Altered` where the file is
    not whole."""
    transcript = decode(data, r.Transcript, "transcript")
    if transcript.format != r.TRANSCRIPT_FILE:
        raise Malformed("this is not a transcript", "give the file that `referee reveal` wrote", code="wrong-kind")
    table = open_table(transcript.genesis)
    secret = bytes.fromhex(transcript.secret)
    _check_secret(table, secret)
    chain = _replay(transcript, table, secret)
    state = chain.moment.state
    if not state.end and not rests(state):
        raise Altered("not-over", "the game in this transcript is not over", state.round)
    return chain


def _check_secret(table: Table, secret: bytes) -> None:
    """M is the one that the host's tip binds, and the genesis sealed what M puts into the bags."""
    if host_marks(table.host, bytes.fromhex(table.offer.nonce), secret)[0].hex() != table.offer.tip:
        raise Altered("bad-secret", "the secret M is not the one that the offer binds")
    for bag, leaves in sealed_leaves(table.bags, table.seating, secret).items():
        if leaves != table.genesis.leaves[bag]:
            message = f"the genesis did not seal {bag} with what M puts there"
            raise CheckFailed("bad-bag", message) if same_code(table.offer) else undecided(table.offer, message, 0)


def _replay(transcript: r.Transcript, table: Table, secret: bytes) -> Followed:
    sealed = {(one.round, one.seat): one.fields for one in transcript.sealed}
    if len(sealed) != len(transcript.sealed):
        raise Altered("bad-sealed", "two sealed parts for one answer")
    follower, unused = Follower(table), set(sealed)
    faces: Mapping[str, str] = first_faces(secret, table.seating, table.bags)
    for envelope in transcript.entries:
        entry, name = follower.place(envelope)
        try:
            _judge_again(follower, entry, sealed, faces)
            closed = follower.play(entry, name, dealing(table, secret, faces, sealed))
        except CheckFailed:
            # What any player could see has a name of its own; only what M shows keeps the dealer's.
            follower.play(entry, name, reading(table, entry, None))
            raise
        openings: dict[int, list[r.Token]] = {}
        if isinstance(closed.calls, Dealer):
            faces, openings = closed.calls.faces, closed.calls.openings
        follower.accept(entry, name, closed, openings)
        unused -= {(entry.round, answer.seat) for answer in entry.answers if answer.commit}
    if unused:
        number, seat = min(unused)
        raise Altered("bad-sealed", f"a sealed answer of seat {seat + 1} that was never given", number)
    return follower.done()


def _judge_again(
    follower: Follower, entry: r.Entry, sealed: Mapping[tuple[int, int], r.Secrets], faces: Mapping[str, str]
) -> None:
    """Every answer was legal when it was taken, and every sealed one is what was committed to."""
    table, moment, number = follower.table, follower.moment, entry.round
    for answer in entry.answers:
        secrets = sealed.get((number, answer.seat), {})
        if set(secrets) != set(answer.commit):
            raise Altered("bad-sealed", f"the sealed part of seat {answer.seat + 1} is missing, or is another", number)
        move = r.rebuilt(table.id, number, entry.prev, answer)
        try:
            judge(table, moment, move, secrets, faces)
        except BadSignature as error:
            raise Altered("bad-sealed", error.message, number) from None
        except (IllegalMove, Malformed) as error:
            message = f"the move of seat {answer.seat + 1}: {error.message}"
            raise follower.offence("illegal-move", message, number) from None
