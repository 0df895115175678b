"""Keys that a host keeps for players who only write words."""

from referee.crypto.codec import derive
from referee.crypto.envelope import Envelope, ident
from referee.crypto.keys import Key
from referee.engine.lobby import make_join


def kept_key(host: Key, offer_id: str, number: int) -> Key:
    """The key that a host keeps for the player of this invitation. It follows from the host's, so it cannot be lost."""
    return Key(derive(host.seed, "kept", bytes.fromhex(offer_id), number))


def kept_join(host: Key, offer: Envelope, number: int, name: str) -> Envelope:
    """The join of a player whose key the host keeps, which says so. Made again, it is the same to the byte."""
    key = kept_key(host, ident("offer", bytes(offer.body)), number)
    return make_join(key, offer, name, derive(key.seed, "nonce"), kept=True)
