"""After the end: play the whole game again from the transcript and compare every byte with what the host signed."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from referee.crypto.codec import decode, encode
from referee.engine.audit import Ledger, Watch, as_check
from referee.engine.lobby import host_marks, sealed_leaves, secret_commitment
from referee.engine.records import TRANSCRIPT, Entry, Move, Sealed, Secret, State, Transcript
from referee.engine.rounds import close_round, first_state, who_is_asked
from referee.engine.table import Table
from referee.engine.turn import Match, check_answer
from referee.errors import BadSignature, CheckFailed, Malformed, RefereeError, WrongTurn


class Verified(msgspec.Struct, frozen=True):
    """What a transcript was found to be."""

    game: str
    offer: str
    title: str
    names: tuple[str, ...]
    rounds: int
    signatures: int
    draws: int
    openings: int
    end: str
    ranks: tuple[int, ...] = ()
    scores: tuple[tuple[int, ...], ...] = ()


def reveal(match: Match) -> bytes:
    """The transcript of a game that is over, with all its secrets."""
    if not match.state.end:
        raise WrongTurn(
            "the game is not over: its secrets stay closed", "play on; see `referee status`", code="not-over"
        )
    return encode(
        Transcript(TRANSCRIPT, match.table.envelope, tuple(match.entries), match.secret.hex(), tuple(match.sealed))
    )


def open_transcript(data: bytes) -> tuple[Transcript, Table]:
    transcript = decode(data, Transcript, "transcript")
    if transcript.format != TRANSCRIPT:
        raise Malformed("this is not a transcript", "give the file that `referee reveal` wrote")
    return transcript, Table(transcript.genesis, verify=True)


def verify(data: bytes) -> Verified:
    """Check everything in a transcript; raises `CheckFailed` naming the first bad step."""
    transcript, table = as_check(open_transcript, data)
    try:
        return _verify(transcript, table)
    except RefereeError:
        raise
    except Exception:
        raise CheckFailed("rule-broken", "the rules cannot be applied to this game", step=0) from None


def _verify(transcript: Transcript, table: Table) -> Verified:
    state: State[Any] = first_state(table, bytes.fromhex(transcript.secret))
    ledger, signatures = Ledger(table), 2 + table.seats
    for entry, after in replay(transcript, table, ledger):
        state = after
        signatures += 1 + len(entry.answers)
    if not state.end:
        raise CheckFailed("not-over", "the game in this transcript is not over", step=state.round)
    result = state.position.result if state.position else None
    return Verified(
        game=table.id,
        offer=table.offer_id,
        title=table.game.title,
        names=table.names,
        rounds=state.round,
        signatures=signatures,
        draws=ledger.draws,
        openings=ledger.opened,
        end=state.end,
        ranks=result.ranks if result else (),
        scores=result.scores if result else (),
    )


def replay(transcript: Transcript, table: Table, ledger: Ledger) -> Iterator[tuple[Entry, State[Any]]]:
    """Yield every entry with the state it leads to, each checked; a fresh `ledger` follows the bags."""
    secret = bytes.fromhex(transcript.secret)
    _check_secret(transcript, table, secret)
    sealed = _sealed(transcript)
    watch = Watch(table)
    state = first_state(table, secret)
    for data in transcript.entries:
        entry = watch.enter(bytes(data))
        ledger.enter(watch, entry)
        secrets = _judge_again(watch, table, state, entry, sealed)
        again, new = close_round(table, secret, state, entry.answers, secrets, entry.timeouts, entry.link)
        if new.entry != watch.prev:
            raise _diagnose(watch, entry, again)
        state = new
        yield entry, state
    if sealed:
        number, seat = min(sealed)
        raise CheckFailed(
            "bad-sealed", f"round {number}: a sealed answer of seat {seat + 1} that was never given", step=number
        )


def _check_secret(transcript: Transcript, table: Table, secret: bytes) -> None:
    """M is the one committed to in the offer, and everything derived from it is what the host published."""
    nonce = bytes.fromhex(table.offer.nonce)
    if secret_commitment(nonce, secret) != table.offer.secret:
        raise CheckFailed("bad-secret", "the secret M does not fit the commitment in the offer")
    if host_marks(table.host, nonce, secret)[0].hex() != table.offer.tip:
        raise CheckFailed("bad-host-chain", "the host's chain does not come from M")
    for bag, leaves in sealed_leaves(table.genesis.offer, table.genesis.joins, secret).items():
        for slot, (leaf, given) in enumerate(zip(leaves, table.genesis.leaves[bag], strict=True)):
            if leaf != given:
                raise CheckFailed(
                    "bad-bag", f"genesis: slot {slot} of {bag} was not sealed with what M puts there", step=0
                )


def _sealed(transcript: Transcript) -> dict[tuple[int, int], Secret]:
    known = {}
    for data in transcript.sealed:
        one = decode(bytes(data), Sealed, "sealed answer")
        if (one.round, one.seat) in known:
            raise CheckFailed("bad-sealed", f"round {one.round}: two sealed parts for one answer", step=one.round)
        known[one.round, one.seat] = one.secret
    return known


def _judge_again(
    watch: Watch, table: Table, state: State[Any], entry: Entry, sealed: dict[tuple[int, int], Secret]
) -> Mapping[int, Secret]:
    """Every answer was legal when it was taken, and every sealed one is what was committed to."""
    secrets = {}
    asked = who_is_asked(state)
    for answer in entry.answers:
        secret = sealed.pop((entry.round, answer.seat), None)
        if (secret is not None) != bool(answer.commit):
            raise watch.fail("bad-sealed", f"the sealed part of seat {answer.seat + 1} is missing, or was never given")
        if secret is not None:
            secrets[answer.seat] = secret
        move = Move(table.id, entry.round, entry.prev, answer.seat, answer.link, answer.answer, answer.commit)
        try:
            check_answer(table, state, asked[answer.seat], move, secret)
        except BadSignature as error:
            raise watch.fail("bad-sealed", error.message) from None
        except RefereeError as error:
            raise watch.fail("illegal-move", f"the move of seat {answer.seat + 1}: {error.message}") from None
    return secrets


def _diagnose(watch: Watch, entry: Entry, again: Entry) -> CheckFailed:
    """Name the first thing that is wrong in an entry that cannot be reproduced."""
    if entry.ops != again.ops:
        return watch.fail("bad-ops", "the draws, openings or seals are not those that the rules and M lead to")
    names = (field.name for field in msgspec.structs.fields(Entry))
    wrong = next(name for name in names if getattr(entry, name) != getattr(again, name))
    return watch.fail("rule-broken", f"the rules lead to something else (`{wrong}` differs)")
