"""Extensions of a seat's time: reading one that stands beside an entry, and what the two show."""

from collections.abc import Collection

from referee.crypto.codec import decode
from referee.crypto.envelope import Envelope, body_of, check
from referee.engine.promises import Extension, breaks
from referee.engine.records import Offer
from referee.engine.times import minutes
from referee.errors import CheckFailed, Malformed
from referee.language import Time, t


def read_extension(host: bytes, envelope: Envelope) -> Extension:
    """An extension that this host signed; `BadSignature` or `Malformed` if it is none."""
    body = body_of(envelope, "extension")
    check(host, envelope.sig, "extension", body)
    found = decode(body, Extension, "extension")
    if not is_time(found.until):
        raise Malformed(t("the time in this extension is not a valid time"), t("ask the host for another one"))
    return found


def is_time(text: str) -> bool:
    """Whether there is such a day and minute."""
    try:
        return minutes(text) > 0
    except ValueError:
        return False


def against_promise(offer: Offer, extension: Extension, due: str, timeouts: Collection[int]) -> CheckFailed | None:
    """What an extension shows beside the entry of its round: when that says the next answer is due, and who was
    late."""
    if not breaks(offer, extension.until, extension.seat, due, timeouts):
        return None
    message = t(
        "the host gave seat {seat} time until {until} and passed it over before",
        seat=extension.seat + 1,
        until=Time(extension.until),
    )
    return CheckFailed("extended-and-timed-out", message, extension.round)
