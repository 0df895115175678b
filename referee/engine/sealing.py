"""The encrypted part of a move: made by its player, opened by the host, made again by a judge of a refusal."""

from msgspec.structs import replace

from referee.crypto import box
from referee.crypto.codec import decode, encode
from referee.engine import records as r
from referee.errors import BadSignature, Malformed
from referee.language import t


def ephemeral_key(seed: bytes, game: str, round: int, seat: int, sealed: r.Secrets) -> bytes:
    """The key with which the owner of this seed encrypts the sealed fields of an answer."""
    return box.ephemeral_key(seed, bytes.fromhex(game), round, seat, encode(sealed))


def encrypted(offer: r.Offer, ephemeral: bytes, move: r.Move, sealed: r.Secrets) -> bytes:
    """The encrypted part of a move with these sealed fields."""
    return box.seal(ephemeral, bytes.fromhex(offer.box), _associated_data(move), encode(sealed))


def refuse_damaged(move: r.Move, sealed: str) -> None:
    """Check that the encrypted part beside a move is the one that its player signed. If not, nothing is known of the
    move, so this is not a refusal of it."""
    data = box.from_text(sealed)
    if data is None or (box.box_hash(data) if data else "") != move.box:
        why = t("the encrypted part of this move is missing, or was damaged in transit")
        raise BadSignature(why, t("send the move file again, exactly as it was written"), code="damaged")


def read_sealed(private: bytes, move: r.Move, sealed: str) -> r.Secrets:
    """The sealed fields that came with a move, opened with the private box key."""
    data = box.from_text(sealed)
    if not data:
        return {}
    text = box.open_box(private, _associated_data(move), data)
    try:
        return decode(text, r.Secrets, "the sealed part")
    except Malformed as error:
        raise BadSignature(error.message, t("sign the move again"), code="bad-commitment") from None


def _associated_data(move: r.Move) -> bytes:
    return encode(replace(move, box=""))
