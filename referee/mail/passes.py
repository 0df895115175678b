"""Passes: the secret code of one seat and one turn. It stands in the mail of that seat alone, and whoever answers with
it speaks for the seat. It follows from the host's key, so nothing has to be kept."""

import re
from base64 import b32encode
from collections.abc import Iterable, Iterator

import msgspec

from referee.crypto.codec import derive
from referee.crypto.keys import Key
from referee.mail.block import PLAIN
from referee.mail.message import Letter

INVITATION = 0
"""The round of a pass that came with an invitation; its seat is the number of the invitation."""
FOUND_MOST = 200
"""So many different passes in one mail are looked at."""

_PASS = re.compile(r"(?<![0-9a-z])([0-9a-f]{8})-([0-9]{1,3})-([0-9]{1,4})-([a-z2-7]{16})(?![0-9a-z])")


class Pass(msgspec.Struct, frozen=True, order=True):
    """What a pass claims; `seat` counts from 1."""

    table: str
    seat: int
    round: int
    code: str

    def __str__(self) -> str:
        return f"{self.table}-{self.seat}-{self.round}-{self.code}"


def make_pass(key: Key, offer_id: str, seat: int, round: int) -> Pass:
    """The pass of a seat, counted from 1, for a round; or of an invitation."""
    secret = derive(key.seed, "pass", bytes.fromhex(offer_id), seat, round)
    return Pass(offer_id[:8], seat, round, b32encode(secret[:10]).decode().lower())


def is_true(one: Pass, key: Key, offer_id: str) -> bool:
    """Whether the office made this pass."""
    from hmac import compare_digest

    return compare_digest(str(one), str(make_pass(key, offer_id, one.seat, one.round)))


def found_in(letter: Letter) -> list[Pass]:
    """Every pass that a mail has, true or not: in addresses, in the subject, in its text, quoted or not."""
    envelope = letter.envelope
    texts = (*envelope.recipients, envelope.subject, *(line.text for line in letter.lines))
    found: dict[Pass, None] = {}
    for one in _passes(texts):
        found.setdefault(one)
        if len(found) == FOUND_MOST:
            break
    return list(found)


def looks_like_one(text: str) -> bool:
    """Whether somebody's words have the form of a pass, true or not."""
    return any(_passes([text]))


def passes_in(texts: Iterable[str]) -> set[Pass]:
    """Every pass in these texts."""
    return set(_passes(texts))


def _passes(texts: Iterable[str]) -> Iterator[Pass]:
    for text in texts:
        for table, seat, round, code in _PASS.findall(text.translate(PLAIN).lower()):
            yield Pass(table, int(seat), int(round), code)
