"""Both judges of a document: the program, and the second verifier. Each gives `ok` or the code of what is wrong."""

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any, NamedTuple

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from referee.crypto.codec import check_plain, decode
from referee.crypto.document import check_body, check_file
from referee.crypto.envelope import Envelope, body_of
from referee.engine import records as r
from referee.engine.chain import Followed, open_table, read_part
from referee.engine.dealer import Dealer
from referee.engine.player import Opened, open_view
from referee.engine.promises import Extension, is_time
from referee.engine.reader import Owner, Reader
from referee.engine.rounds import Checkpoint
from referee.engine.table import check_join, check_signed_offer
from referee.errors import Altered, CheckFailed, Malformed, RefereeError, Usage
from referee.evidence.compare import compare, refusals
from referee.evidence.court import decode_move, judge_proof, read_proof
from referee.evidence.files import read_file
from referee.evidence.identify import document_kind as kind_of_file
from referee.evidence.proofs import Verdict
from referee.evidence.rulings import read_claim, read_ruling
from referee.language import NOTHING
from tests.support.match import resumed

from . import claims, proofs, verifier, wire
from .wire import Json, canonical


@lru_cache(maxsize=8192)
def library(key: bytes, message: bytes, signature: bytes) -> bool:
    """The signature check of a library, which is a hundred times faster than plain Python."""
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except InvalidSignature:
        return False
    return True


def code_of(check: Callable[[], Any]) -> str:
    """`ok` or the error code."""
    try:
        check()
    except (RefereeError, wire.Bad) as error:
        return error.code
    return "ok"


def kind_of(check: Callable[[], Any]) -> str:
    """`ok`, `altered` (it blames nobody) or `offence` (it blames the host), as the program sees it."""
    return code_and_kind(check)[1]


def code_and_kind(check: Callable[[], Any]) -> tuple[str, str]:
    """Both results of the program at once."""
    try:
        check()
    except CheckFailed as error:
        return error.code, "offence"
    except (Altered, Malformed, Usage) as error:
        return error.code, "altered"
    return "ok", "ok"


class Said(NamedTuple):
    """What a judge says: `ok`, `altered` (it blames nobody), `offence` (it blames the host) or `undecided`; the code,
    and the round in which it is found (0: before all rounds, or in none)."""

    kind: str
    code: str
    round: int = 0
    key: str = ""
    """Of a proof: the key that is proved to have signed the offence. Of a ruling: `binding` or `opinion`."""


UNDECIDED = {"undecided", "needs-rules", "other-rules", "unknown-game"}
KINDS = {"proved": "offence"}
"""The equivalent for a proof of the verdict on other documents."""


def _own_word(kind: str, says: Callable[[], str]) -> str:
    """What a single file claims to be, if that is something that can be judged."""
    try:
        own = says() if kind != "several" else ""
    except wire.Bad:
        own = ""
    return own if own in ("view", "transcript", "proof", *claims.KINDS) else kind


def second_report(kind: str, files: Sequence[bytes], bags: wire.Bags) -> Said:
    """All that the second verifier says."""
    if kind_of_file(files[0].rstrip(b"\r\n")) != kind:  # at a glance: the verifier itself judges what the file is
        kind = _own_word(kind, lambda: wire.kind_of(wire.parse_file(files[0])))
    if kind == "proof":
        found = proofs.judge(files[0], bags, library)
        return Said(KINDS.get(found.verdict, found.verdict), found.code, 0, found.key)
    key = ""
    try:
        if kind in ("alone", *claims.KINDS):
            key = claims.judge(files[0], bags, library)
        else:
            _second(kind, list(files), bags, None, library)
    except wire.Bad as bad:
        return Said(bad.kind, bad.code, bad.step or 0)
    return Said("ok", "ok", 0, key)


def program_report(kind: str, files: Sequence[bytes]) -> Said:
    """All that the program says."""
    kind = _own_word(kind, lambda: kind_of_file(files[0].rstrip(b"\r\n")))
    if kind == "proof":
        found = _judged(files[0])
        return Said(KINDS.get(found.verdict, found.verdict), found.code, 0, found.key)
    key = ""
    try:
        if kind in ("alone", *claims.KINDS):
            key = _alone(kind, files[0].rstrip(b"\r\n"))
        else:
            program(kind, list(files))
    except RefereeError as error:
        blames = "offence" if isinstance(error, CheckFailed) else "altered"
        return Said("undecided" if error.code in UNDECIDED else blames, error.code, getattr(error, "step", 0) or 0)
    return Said("ok", "ok", 0, key)


# --- the second verifier ---------------------------------------------------------------------------------------------


def second_says(
    kind: str, files: list[bytes], bags: wire.Bags, own: Json = None, verify: wire.VerifySignature = library
) -> str:
    """Of a proof, the verdict and the code."""
    if kind == "proof":
        found = proofs.judge(files[0], bags, verify)
        return f"{found.verdict} {found.code}"
    return code_of(lambda: _second(kind, files, bags, own, verify))


def _second(kind: str, files: list[bytes], bags: wire.Bags, own: Json, verify: wire.VerifySignature) -> None:
    if kind == "view":
        verifier.check_view(files[0], bags, verify, {int(n): fields for n, fields in (own or {}).items()})
    elif kind == "transcript":
        verifier.check_transcript(files[0], bags, verify)
    elif kind == "round":
        verifier.check_round(wire.parse(files[0]), bags, verify)
    elif kind in claims.KINDS:
        claims.judge(files[0], bags, verify)
    else:
        verifier.check_files(files, bags, verify)


# --- the program -----------------------------------------------------------------------------------------------------


def program_says(kind: str, files: list[bytes], own: Json = None) -> str:
    """Of a proof, the verdict and the code."""
    if kind == "proof":
        found = _judged(files[0])
        return f"{found.verdict} {found.code}"
    return code_of(lambda: program(kind, files, own))


def _judged(data: bytes) -> Verdict:
    """The program's verdict on a proof."""
    data = data.rstrip(b"\r\n")
    try:
        if kind_of_file(data) != "proof":
            read_file(data)
            raise Malformed(NOTHING, code="wrong-kind")
        return judge_proof(read_proof(data))
    except Malformed as error:
        return Verdict("altered", error.code, error.message)


def program(kind: str, files: list[bytes], own: Json = None) -> None:
    """Raises what the program finds in a document."""
    files = [data.rstrip(b"\r\n") for data in files]
    if kind == "view" and kind_of_file(files[0]) == "view":
        open_view(files[0], _secrets(own or {}))
    elif kind in ("view", "transcript"):
        read = read_file(files[0])
        if (kind, type(read)) != ("transcript", Followed):
            raise Malformed(NOTHING, code="wrong-kind")
    elif kind == "round":
        _round(wire.parse(files[0]))
    elif kind in claims.KINDS:
        _alone(kind, files[0])
    else:
        _several(files, _secrets(own or {}))


def _several(files: list[bytes], own: dict[int, r.Secrets]) -> None:
    read = [one for data in files if (one := _one_of_several(data, own)) is not None]
    found, _ = compare(read)
    loose = [file for file in read if isinstance(file, r.MoveFile | Envelope)]
    for file in read:
        if isinstance(file, Opened):
            found += refusals(file, loose)
    if found:
        raise min(found, key=lambda error: verifier.SIDE_BY_SIDE.index(error.code))


def _one_of_several(data: bytes, own: dict[int, r.Secrets]) -> Any:
    """What a file contributes to comparisons; None if nothing."""
    kind = kind_of_file(data)
    if kind == "view":
        return open_view(data, own)
    try:
        return read_file(data)
    except Malformed:
        if kind in ("", "transcript"):
            raise
    # What cannot be read, or is of another kind, is nobody's statement.
    check_file(data, "this file")
    return None


LOOSE: dict[str, Any] = {
    "word": r.Word,
    "receipt": r.Receipt,
    "extension": Extension,
    "succession": r.Succession,
    "return": r.Return,
}


def _alone(kind: str, data: bytes) -> str:
    """A document of another kind by itself; of a ruling, whether it binds."""
    if kind_of_file(data) != kind:
        read_file(data)  # it says why: it is none of ours
    if kind == "ruling":
        return "binding" if read_ruling(data).binding else "opinion"
    if kind == "claim":
        read_claim(data)
        return ""
    signed: Any = decode(data, r.MoveFile if kind == "move" else Envelope, kind)
    envelope = Envelope(signed.body, signed.sig, signed.type)
    check_body(envelope, kind, 1)
    if kind == "genesis":
        open_table(envelope)
    elif kind == "offer":
        check_signed_offer(_terms(envelope), envelope)
    elif kind == "join":
        check_join(decode(body_of(envelope, kind), r.Join, kind).offer, envelope)
    elif kind == "move":
        decode_move(body_of(envelope, kind))
    else:
        found = decode(body_of(envelope, kind), LOOSE[kind], kind)
        if kind == "extension" and not is_time(found.until):
            raise Malformed(NOTHING)
    return ""


def _terms(envelope: Envelope) -> r.Offer:
    offer = decode(body_of(envelope, "offer"), r.Offer, "offer")
    for value in (offer.options, offer.edition):
        check_plain(bytes(value), "offer")
    return offer


def _round(document: Json) -> None:
    """One entry after a state that is taken for granted."""
    table = open_table(_envelope(document["genesis"]))
    state = decode(canonical(document["state"]), r.State, "state")
    public = decode(canonical(document["public"]), table.game.public, "position")
    follower = resumed(table, Checkpoint(state, public, document["prev"]))
    entry, name = follower.place(_envelope(document["entry"]))
    if "secret" in document:
        _round_with_secret(follower, entry, name, document)
        return
    owner, told = Owner(document["seat"], _secrets(document.get("own", {}))), None
    owner.faces = dict(document["known"])
    if "private" in document:
        told, _ = read_part(_envelope(document["private"]), "private", table, r.Private, entry.round)
        owner.openings = list(told.openings)
        if told.entry != name:
            raise CheckFailed("false-private", NOTHING, entry.round)
    try:
        follower.play(entry, name, partial(Reader, given=entry.ops, owner=owner))
    except CheckFailed as error:
        if error.code == "missing-opening" and told is None:
            raise Altered("missing-private", error.message, entry.round) from None
        raise


def _round_with_secret(follower: Followed, entry: r.Entry, name: str, document: Json) -> None:
    """The same with M: what any player could see has its own code, anything else the dealer's."""
    sealed = {(one["round"], one["seat"]): _fields(one["fields"]) for one in document.get("sealed", [])}
    try:
        secret = bytes.fromhex(document["secret"])
        follower.play(entry, name, partial(Dealer, secret=secret, faces=document["known"], secrets=sealed))
    except CheckFailed:
        follower.play(entry, name, partial(Reader, given=entry.ops))
        raise


def _envelope(value: Json) -> Envelope:
    return msgspec.json.decode(canonical(value), type=Envelope)


def _secrets(own: Json) -> dict[int, r.Secrets]:
    return {int(n): _fields(fields) for n, fields in own.items()}


def _fields(value: Json) -> r.Secrets:
    return msgspec.json.decode(canonical(value), type=r.Secrets)
