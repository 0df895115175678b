"""Before the first round: offer, join, genesis. Nonces come from outside; everything else follows from keys."""

from referee.crypto.box import box_public
from referee.crypto.codec import H, derive, raw
from referee.crypto.envelope import Envelope, sign
from referee.crypto.keys import Key, refuse_weak
from referee.crypto.links import Chain
from referee.crypto.slots import seal_all
from referee.engine.names import check_name, check_names
from referee.engine.records import Genesis, Join, Offer
from referee.engine.table import Table, check_offer, code_hash, open_terms, refuse_other_code, seat_joins, seating
from referee.errors import BadSignature, RulesFault, Usage
from referee.game import AnyTerms, Game
from referee.language import run, t


def host_secret(key: Key, nonce: bytes) -> bytes:
    """M: the host's only secret of a game, bound to its key and the offer's nonce."""
    return derive(key.seed, "secret", nonce)


def box_secret(key: Key, nonce: bytes) -> bytes:
    """The private half of the key that an offer with this nonce names for sealed fields."""
    return derive(key.seed, "box", nonce)


def host_marks(key: bytes, nonce: bytes, secret: bytes) -> list[bytes]:
    """Checkpoints of the host's chain. Its tip, which the offer publishes, binds M."""
    return Chain(key, nonce).checkpoints(derive(secret, "host-chain", nonce))


def player_marks(key: Key, offer_id: str, nonce: bytes) -> list[bytes]:
    """Checkpoints of a player's chain: from the key alone, so that nobody must keep them."""
    return Chain(key.public, nonce).checkpoints(derive(key.seed, "chain", bytes.fromhex(offer_id), nonce))


def successor_marks(key: Key, game: str, nonce: bytes) -> list[bytes]:
    """Checkpoints of the chain of somebody who takes over a seat."""
    return Chain(key.public, nonce).checkpoints(derive(key.seed, "succession-chain", bytes.fromhex(game), nonce))


def chance_commitment(chance: bytes) -> str:
    """The commitment in an offer to the secret of common chance; empty if there is none."""
    return H("chance", chance).hex() if chance else ""


def make_offer(
    key: Key,
    game_id: str,
    game: Game,
    terms: AnyTerms,
    nonce: bytes,
    deadline: int = 0,
    grace: int = 0,
    bank: int = 0,
    *,
    chance: bytes = b"",
    arbiter: bytes = b"",
    stage: str = "",
    takeovers: int = 0,
    takeover: int = 0,
) -> Envelope:
    """Open a game. `nonce` is 32 fresh random bytes; `deadline`, `grace` and `bank` are minutes; `chance` is the
    secret, 32 bytes, of a game of common chance; `arbiter` the public key whose rulings bind the players; `stage` the
    id of a tournament's stage; `takeovers` how many seats can be taken over, `takeover` after how many minutes."""
    if arbiter:
        refuse_weak(arbiter)
    offer = Offer(
        game=game_id,
        rules=game.rules,
        code=code_hash(game_id),
        edition=raw(terms.edition),
        options=raw(terms.options),
        seats=terms.seats,
        nonce=nonce.hex(),
        key=key.public.hex(),
        tip=host_marks(key.public, nonce, host_secret(key, nonce))[0].hex(),
        box=box_public(box_secret(key, nonce)).hex(),
        deadline=deadline,
        grace=grace,
        bank=bank,
        chance=chance_commitment(chance),
        arbiter=arbiter.hex(),
        stage=stage,
        takeovers=takeovers,
        takeover=takeover,
    )
    signed = sign(key, "offer", offer)
    # An edition can be accepted and yet not be readable again (its own types bound it): better now than later.
    check_offer(signed)
    return signed


def make_join(key: Key, offer: Envelope, name: str, nonce: bytes, *, kept: bool = False) -> Envelope:
    """Answer an offer. `nonce` is 32 fresh random bytes."""
    body, offer_id = check_offer(offer)
    refuse_other_code(body)
    if body.key == key.public.hex():
        advice = t("make another key with {run}", run=run("key", "new"))
        raise BadSignature(t("the host cannot take a seat with the same key"), advice, code="same-key")
    tip = player_marks(key, offer_id, nonce)[0].hex()
    return sign(key, "join", Join(offer_id, check_name(name), key.public.hex(), nonce.hex(), tip, kept))


def make_genesis(key: Key, offer: Envelope, joins: tuple[Envelope, ...], chance: bytes = b"") -> Table:
    """Seat the players in this order and seal the bags."""
    body, offer_id = check_offer(offer)
    if body.key != key.public.hex():
        advice = t("use the key that made the offer (--key)")
        raise BadSignature(t("this offer was made with another key"), advice, code="other-key")
    if body.chance != chance_commitment(chance):
        why = t("this offer is bound to another common chance, or to none")
        raise Usage(why, t("give the one that it was made with"), code="bad-chance")
    check_names([join.name for join in seat_joins(body, offer_id, joins)])
    game, terms = open_terms(body)
    bags = game.bags(terms)
    if any(bag.partition("/")[0] in game.hands and "/" in bag and faces for bag, faces in bags.items()):
        raise RulesFault(t("a hand is filled before anything is dealt"))
    _, leaves = seal_all(host_secret(key, bytes.fromhex(body.nonce)), seating(offer_id, joins), bags, chance)
    return Table(sign(key, "genesis", Genesis(offer, joins, leaves, game.hands)))
