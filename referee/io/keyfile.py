"""Keys on disk: our own file, plain or locked with a passphrase; OpenSSH's; and the player's file of the page, which
contains one."""

import hashlib
from base64 import b64decode

import msgspec

from referee.crypto.codec import PROJECT, Hex32, decode, encode
from referee.crypto.keys import Key
from referee.engine import records as r
from referee.errors import BadSignature, Malformed
from referee.language import run, t

FORMAT = PROJECT + "key"
PLAYER_FILE = PROJECT + "player"
_SCRYPT = {"n": 2**15, "r": 8, "p": 1, "maxmem": 2**26, "dklen": 32}


class Box(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A key locked with a passphrase: scrypt (n=32768, r=8, p=1), ChaCha20-Poly1305 with a zero nonce."""

    salt: Hex32
    text: str


class KeyFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A key on disk: the secret itself, or the secret in a box."""

    format: str
    name: str
    public: Hex32
    secret: Hex32 | None = None
    box: Box | None = None


def _lock(passphrase: str, salt: bytes) -> "object":
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    return ChaCha20Poly1305(hashlib.scrypt(passphrase.encode(), salt=salt, **_SCRYPT))


def dump(key: Key, passphrase: str = "", salt: bytes = b"") -> bytes:
    """The key file. With a passphrase the secret is boxed; `salt` is 32 fresh random bytes."""
    if not passphrase:
        return encode(KeyFile(FORMAT, key.name, key.public.hex(), secret=key.seed.hex()))
    text = _lock(passphrase, salt).encrypt(bytes(12), key.seed, key.public)  # type: ignore[attr-defined]
    return encode(KeyFile(FORMAT, key.name, key.public.hex(), box=Box(salt.hex(), text.hex())))


def is_locked(data: bytes) -> bool:
    """Whether loading this key file needs a passphrase."""
    if not data.startswith(b"-----BEGIN"):
        return decode(data, KeyFile, "key file").box is not None
    try:
        inside = b64decode(b"".join(data.splitlines()[1:-1]))
    except ValueError:
        return False
    magic = b"openssh-key-v1\0"
    return inside.startswith(magic) and not inside.startswith(magic + b"\0\0\0\4none")


def load(data: bytes, passphrase: str = "") -> Key:
    """Read a key file, or an OpenSSH Ed25519 private key."""
    if data.startswith(b"-----BEGIN"):
        return _load_ssh(data, passphrase)
    file = decode(data, KeyFile, "key file")
    if file.format != FORMAT or (file.secret is None) == (file.box is None):
        raise Malformed(t("this is not a key file of this program"), t("make one with {run}", run=run("key", "new")))
    if file.box is None:
        key = Key(bytes.fromhex(file.secret or ""), file.name)
    else:
        key = Key(_unlock(file, file.box, passphrase), file.name)
    if key.public.hex() != file.public:
        why = t("the two halves of this key file do not belong together")
        raise BadSignature(why, t("restore it from a backup"), code="bad-key")
    return key


def _unlock(file: KeyFile, box: Box, passphrase: str) -> bytes:
    from cryptography.exceptions import InvalidTag

    try:
        lock = _lock(passphrase, bytes.fromhex(box.salt))
        seed: bytes = lock.decrypt(bytes(12), bytes.fromhex(box.text), bytes.fromhex(file.public))  # type: ignore[attr-defined]
        if len(seed) != 32:
            raise ValueError
    except (InvalidTag, ValueError):
        raise BadSignature(
            t("the passphrase does not unlock this key"), t("try again"), code="bad-passphrase"
        ) from None
    return seed


def _load_ssh(data: bytes, passphrase: str) -> Key:
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_ssh_private_key

    try:
        key = load_ssh_private_key(data, passphrase.encode() or None)
    except UnsupportedAlgorithm:
        advice = t("install `bcrypt`, use an Ed25519 key without a passphrase, or {run}", run=run("key", "new"))
        raise Malformed(t("an OpenSSH key with a passphrase needs one more package"), advice) from None
    except (ValueError, TypeError):
        advice = t("check the passphrase, and that it is an Ed25519 key")
        raise Malformed(t("this OpenSSH key cannot be read"), advice) from None
    if not isinstance(key, Ed25519PrivateKey):
        raise Malformed(t("this OpenSSH key is not an Ed25519 key"), t("make one with {run}", run=run("key", "new")))
    return Key(key.private_bytes_raw())


# --- the player's file -----------------------------------------------------------------------------------------------


class Head(r.Record, frozen=True):
    """An entry that was seen, by its round and id; in round 0 the genesis."""

    round: r.Round
    newest: Hex32


class SeenGame(r.Record, frozen=True):
    """A ticket: the newest entry seen of a game, what its player sealed, and the answers signed last."""

    offer: Hex32
    game: Hex32
    round: r.Round
    newest: Hex32
    others: tuple[Head, ...] = ()
    """Entries that another file of this player has seen, until a view shows that they belong to the same chain."""
    sealed: tuple[r.SealedAnswer, ...] = ()
    signed: tuple[r.MoveFile, ...] = ()
    """More than one for a round if its player signed again."""


class PlayerFile(r.Record, frozen=True):
    """One file for everything that a player must keep, and keep secret."""

    format: str
    key: KeyFile
    number: r.Small = 0
    """The file with the lower number is the older one."""
    tickets: tuple[SeenGame, ...] = ()


def key_in(data: bytes) -> bytes:
    """The key file inside a player's file; other data unchanged."""
    if not data.startswith(b'{"format":"%b"' % PLAYER_FILE.encode()):
        return data
    file = decode(data, PlayerFile, "player's file")
    if file.format != PLAYER_FILE:
        raise Malformed(t("this is not a player's file"), t("give the file that the page wrote"))
    return encode(file.key)
