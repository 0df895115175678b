"""What is derived from the host's key, so that it need not be stored: passes, and keys for players who only write
words.

A pass is the secret code of one seat and one turn. Only the mail to that seat contains it, and whoever answers with it
speaks for the seat.
"""

import re
from base64 import b32encode
from collections.abc import Iterable, Iterator
from itertools import islice

import msgspec

from referee.crypto.codec import derive
from referee.crypto.envelope import Envelope, ident
from referee.crypto.keys import Key
from referee.engine.lobby import make_join
from referee.mail.block import PLAIN
from referee.mail.message import Letter

INVITATION = 0
"""The round of a pass that came with an invitation; its seat is the number of the invitation."""
FOUND_MOST = 200
"""How many different passes in one mail are looked at."""

_PASS = re.compile(r"(?<![0-9a-z])([0-9a-f]{8})-([0-9]{1,3})-([0-9]{1,4})-([a-z2-7]{16})(?![0-9a-z])")


class Pass(msgspec.Struct, frozen=True, order=True):
    """A pass as it is written; `seat` counts from 1."""

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


def passes_in(texts: Iterable[str]) -> Iterator[Pass]:
    """Everything in these texts that looks like a pass, each once."""
    found: set[Pass] = set()
    for text in texts:
        for table, seat, round, code in _PASS.findall(text.translate(PLAIN).lower()):
            one = Pass(table, int(seat), int(round), code)
            if one not in found:
                yield one
            found.add(one)


def found_in(letter: Letter) -> list[Pass]:
    """Every pass in a mail, valid or not: in addresses, in the subject, and in the text, quoted or not."""
    headers = letter.headers
    texts = (*headers.recipients, headers.subject, *(line.text for line in letter.lines))
    return list(islice(passes_in(texts), FOUND_MOST))


def kept_key(host: Key, offer_id: str, number: int) -> Key:
    """The key that a host keeps for the player of this invitation."""
    return Key(derive(host.seed, "kept", bytes.fromhex(offer_id), number))


def kept_join(host: Key, offer: Envelope, number: int, name: str) -> Envelope:
    """The join of a player whose key the host keeps, which says so. Its bytes are always the same."""
    key = kept_key(host, ident("offer", bytes(offer.body)), number)
    return make_join(key, offer, name, derive(key.seed, "nonce"), kept=True)
