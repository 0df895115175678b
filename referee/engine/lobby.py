"""Before the first round: offer, join, genesis. Nonces come from outside; everything else follows from keys."""

from typing import Any

import msgspec

from referee.crypto import slots
from referee.crypto.codec import H, decode, derive, encode, raw
from referee.crypto.envelope import Envelope, ident, seal
from referee.crypto.keys import Key
from referee.crypto.links import Chain
from referee.engine.records import Genesis, Join, Offer
from referee.engine.table import Table, check_name, check_offer, seat_joins, table_hash
from referee.errors import BadSignature
from referee.game import Game, Terms


def host_secret(key: Key, nonce: bytes) -> bytes:
    """M: the host's only secret of a game, bound to its key and the offer's nonce."""
    return derive(key.seed, "secret", nonce)


def secret_commitment(nonce: bytes, secret: bytes) -> str:
    return H("secret", nonce, secret).hex()


def host_marks(key: bytes, nonce: bytes, secret: bytes) -> list[bytes]:
    """Checkpoints of the host's chain."""
    return Chain(key, nonce).checkpoints(derive(secret, "host-chain", nonce))


def player_marks(key: Key, offer_id: str, nonce: bytes) -> list[bytes]:
    """Checkpoints of a player's chain: from the key alone, so that nobody keeps extra files."""
    return Chain(key.public, nonce).checkpoints(derive(key.seed, "chain", bytes.fromhex(offer_id), nonce))


def make_offer(key: Key, game_id: str, game: Game, terms: Terms[Any, Any], nonce: bytes) -> Envelope:
    """Open a game. `nonce` is 32 fresh random bytes."""
    secret = host_secret(key, nonce)
    edition = encode(terms.edition)
    return seal(
        key,
        "offer",
        Offer(
            game=game_id,
            rules=game.rules,
            edition=msgspec.Raw(edition),
            edition_hash=H("edition", edition).hex(),
            options=raw(terms.options),
            seats=terms.seats,
            nonce=nonce.hex(),
            secret=secret_commitment(nonce, secret),
            key=key.public.hex(),
            tip=host_marks(key.public, nonce, secret)[0].hex(),
        ),
    )


def make_join(key: Key, offer: Envelope, name: str, nonce: bytes) -> Envelope:
    """Answer an offer. `nonce` is 32 fresh random bytes."""
    body, offer_id = check_offer(offer)
    if body.key == key.public.hex():
        raise BadSignature(
            "the host cannot take a seat with the same key", "make another key with `referee key new`", code="same-key"
        )
    tip = player_marks(key, offer_id, nonce)[0].hex()
    return seal(key, "join", Join(offer_id, check_name(name), key.public.hex(), nonce.hex(), tip))


def make_genesis(key: Key, offer: Envelope, joins: tuple[Envelope, ...]) -> Table:
    """Seat the players in this order and seal the bags."""
    body, offer_id = check_offer(offer)
    if body.key != key.public.hex():
        raise BadSignature(
            "this offer was made with another key", "use the key that made the offer (--key)", code="other-key"
        )
    seat_joins(body, offer_id, joins)
    leaves = sealed_leaves(offer, joins, host_secret(key, bytes.fromhex(body.nonce)))
    return Table(seal(key, "genesis", Genesis(offer, joins, leaves)), verify=False)


def sealed_leaves(offer: Envelope, joins: tuple[Envelope, ...], secret: bytes) -> dict[str, tuple[str, ...]]:
    """The leaves of every bag the game starts with, as M and the table fix them."""
    from referee.engine.table import open_terms

    game, terms = open_terms(decode(bytes(offer.body), Offer, "offer"))
    table = table_hash(ident("offer", bytes(offer.body)), joins)
    sealed = {}
    for bag, faces in game.bags(terms).items():
        order = slots.arrange(secret, table, bag, 0, faces)
        sealed[bag] = tuple(leaf.hex() for leaf in slots.leaves(secret, table, bag, 0, order))
    return sealed
