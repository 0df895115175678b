"""What PROTOCOL.md says of bytes: hashes, canonical form, shapes, envelopes, links, draws, slots (sections 1 to 5, 7).

It follows that document, and the schemas beside it for types and bounds; it uses the standard library only and shares
no code with the program.
"""

import base64
import hashlib
import hmac
import json
import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from . import ed25519, hpke

PREFIX = "pbem-referee/1/"
LINKS = 2048
MAX_INTEGER = 2**53 - 1
MAX_DEPTH = 64
MAX_BYTES = 64_000_000
MAX_BODY = 1_000_000

Json = Any
Bags = dict[str, list[str]]
VerifySignature = Callable[[bytes, bytes, bytes], bool]


class Bad(Exception):
    """A failed check: its code, what is wrong, and the round it was found in (None: outside all rounds)."""

    def __init__(self, code: str, message: str, step: int | None = None) -> None:
        super().__init__(f"{code}: {message}" + ("" if step is None else f" (round {step})"))
        self.code = code
        self.step = step


def need(good: object, code: str, message: str) -> None:
    if not good:
        raise Bad(code, message)


# --- Section 1: bytes, hash, derivation -----------------------------------------------------------------------------


def u32(number: int) -> bytes:
    return number.to_bytes(4, "big")


def items(label: str, *parts: str | int | bytes) -> bytes:
    out = b""
    for part in (PREFIX + label, *parts):
        data = part.encode() if isinstance(part, str) else part.to_bytes(8, "big") if isinstance(part, int) else part
        out += u32(len(data)) + data
    return out


def H(label: str, *parts: str | int | bytes) -> bytes:
    return hashlib.sha256(items(label, *parts)).digest()


def mac(key: bytes, message: bytes) -> bytes:
    return hmac.digest(key, message, "sha256")


def derive(key: bytes, label: str, *parts: str | int | bytes) -> bytes:
    """HKDF-SHA256 with a salt of zeros; 32 bytes are its first block."""
    return mac(mac(bytes(32), key), items(label, *parts) + b"\x01")


# --- Section 2: canonical form --------------------------------------------------------------------------------------


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    out = dict(pairs)
    need(len(out) == len(pairs), "malformed", "a key occurs twice")
    need(all(key.isascii() for key in out), "malformed", "a key is not ASCII")
    return out


def _integer(text: str) -> int:
    need(len(text) < 20 and abs(int(text)) <= MAX_INTEGER, "malformed", "an integer is too big")
    return int(text)


def _refuse(text: str) -> Json:
    raise Bad("malformed", f"{text} is no integer")


def canonical(value: Json) -> bytes:
    """The one spelling of a value that came out of `parse` or is made of text, integers, lists and objects."""
    try:
        return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        raise Bad("malformed", "half of a surrogate pair") from None


def depth(value: Json) -> int:
    """0 for a scalar, one more for each list or object around it."""
    deepest, level = -1, [value]
    while level:
        deepest += 1
        level = [
            x for v in level if isinstance(v, dict | list) for x in [0, *(v.values() if isinstance(v, dict) else v)]
        ]
    return deepest


def parse(data: bytes, limit: int = MAX_BYTES) -> Json:
    """The value of canonical bytes; line breaks at the end are no part of them."""
    data = data.rstrip(b"\r\n")
    need(len(data) <= limit, "too-large", "the document is too long")
    try:
        value = json.loads(
            data.decode(),
            object_pairs_hook=_object,
            parse_int=_integer,
            parse_float=_refuse,
            parse_constant=_refuse,
        )
        need(canonical(value) == data, "malformed", "not the canonical spelling")
    except (ValueError, RecursionError) as error:
        raise Bad("malformed", f"not JSON: {error}") from None
    return value


# --- Section 4: the shape of documents ------------------------------------------------------------------------------

Shape = Callable[[Json], bool]
ABSENT = object()
"""The default of a field that is there or not, whatever its value."""


def number(low: int, high: int) -> Shape:
    return lambda value: type(value) is int and low <= value <= high


def matching(pattern: str) -> Shape:
    whole = re.compile(pattern)
    return lambda value: isinstance(value, str) and whole.fullmatch(value) is not None


def text(value: Json) -> bool:
    return isinstance(value, str)


def embedded(value: Json) -> bool:
    """A value of the game."""
    return depth(value) <= MAX_DEPTH


def embedded_object(value: Json) -> bool:
    return isinstance(value, dict) and embedded(value)


def listed(shape: Shape) -> Shape:
    return lambda value: isinstance(value, list) and all(map(shape, value))


def keyed(key: Shape, shape: Shape) -> Shape:
    return lambda value: isinstance(value, dict) and all(map(key, value)) and all(map(shape, value.values()))


def record(required: dict[str, Shape], optional: dict[str, tuple[Shape, Json]] | None = None) -> Shape:
    """An object with these fields; an optional one is left out when it has its default."""
    more = optional or {}

    def check(value: Json) -> bool:
        if not isinstance(value, dict) or required.keys() - value.keys():
            return False
        for name, content in value.items():
            if name in more:
                shape, default = more[name]
                if (type(content), content) == (type(default), default) or not shape(content):
                    return False
            elif name not in required or not required[name](content):
                return False
        return True

    return check


def envelope(value: Json) -> bool:
    return ENVELOPE(value) and len(canonical(value["body"])) <= MAX_BODY


HEX = matching("[0-9a-f]{64}")
SIGNATURE = matching("[0-9a-f]{128}")
CONTAINER = matching("[a-z]{1,20}(/[0-9]{1,2})?")
FACE = matching("(?s).{1,40}")
FIELD = matching("[a-z_]{1,40}")
SLOT = matching(r"[a-z]{1,20}(/[0-9]{1,2})?(\.[0-9]{1,6}\.[0-9]{1,6}|\+[0-9]{1,6})")
SEAT = number(0, 15)
ROUND = number(0, LINKS)
COUNT = number(0, 1_000_000)
WHOLE = number(-MAX_INTEGER, MAX_INTEGER)
FLAG: Shape = lambda value: isinstance(value, bool)  # noqa: E731
ENVELOPE = record({"body": lambda body: isinstance(body, dict), "sig": SIGNATURE, "type": text})
SECRET = record({"salt": HEX, "value": embedded})
SECRETS = keyed(FIELD, SECRET)
COMMIT: tuple[Shape, Json] = (keyed(FIELD, HEX), {})
ASK = record({"seat": SEAT, "what": text}, {"sealed": (listed(text), [])})
TOKEN = record({"slot": SLOT, "face": FACE}, {"salt": (HEX, "")})
OPENING = record({"slot": SLOT, "face": FACE, "salt": HEX})
MOVED = {"bag": CONTAINER, "into": CONTAINER}
CHOSEN = {"seat": SEAT, "field": FIELD, **MOVED}
OPS: dict[str, tuple[dict[str, Shape], dict[str, tuple[Shape, Json]]]] = {
    "die": ({"sides": number(1, 1_000_000), "values": listed(COUNT)}, {}),
    "take": ({"bag": CONTAINER, "tokens": listed(TOKEN)}, {}),
    "deal": ({**MOVED, "slots": listed(SLOT)}, {}),
    "lay-out": ({"bag": CONTAINER, "tokens": listed(TOKEN)}, {}),
    "lay-out-all": ({"bag": CONTAINER, "tokens": listed(TOKEN)}, {"face": (FACE, "")}),
    "give": ({**CHOSEN, "slots": listed(SLOT)}, {}),
    "seek": (CHOSEN, {"slots": (listed(SLOT), [])}),
    "put": ({"bag": CONTAINER, "faces": listed(FACE)}, {"under": (FLAG, False)}),
    "shuffle": ({"bag": CONTAINER, "generation": COUNT, "leaves": listed(HEX)}, {}),
    "unseal": ({"round": ROUND, "seat": SEAT, "fields": SECRETS}, {}),
}
OP_SHAPES = {name: record({"op": text, **required}, optional) for name, (required, optional) in OPS.items()}


def operation(value: Json) -> bool:
    name = value.get("op") if isinstance(value, dict) else None
    return isinstance(name, str) and name in OP_SHAPES and OP_SHAPES[name](value)


OFFER = record(
    {
        "game": matching("[a-z0-9-]{1,40}"),
        "rules": matching("(?s).{1,40}"),
        "code": HEX,
        "options": embedded,
        "edition": embedded,
        "seats": number(1, 16),
    }
    | {"nonce": HEX, "key": HEX, "tip": HEX, "box": HEX},
    {"deadline": (number(0, 525_600), 0), "grace": (number(0, 525_600), 0), "chance": (HEX, ""), "arbiter": (HEX, "")},
)
JOIN = record({"offer": HEX, "name": text, "key": HEX, "nonce": HEX, "tip": HEX}, {"kept": (FLAG, False)})
GENESIS = record(
    {"offer": envelope, "joins": listed(envelope), "leaves": keyed(CONTAINER, listed(HEX))},
    {"hands": (listed(matching("[a-z]{1,20}")), [])},
)
CONTENT = {
    "answer": (embedded_object, ABSENT),
    "commit": COMMIT,
    "standing": (embedded, ABSENT),
    "resign": (FLAG, False),
}
ANSWER = record({"seat": SEAT, "link": HEX, "sig": SIGNATURE}, CONTENT)
MOVE = record({"game": HEX, "round": ROUND, "asked": HEX, "seat": SEAT, "link": HEX}, CONTENT)
RESULT = record({"ranks": listed(WHOLE), "scores": listed(listed(WHOLE))})
ENTRY = record(
    {"game": HEX, "round": ROUND, "prev": HEX, "answers": listed(ANSWER), "link": HEX, "public": HEX, "state": HEX},
    {
        "timeouts": (listed(SEAT), []),
        "ops": (listed(operation), []),
        "ask": (listed(ASK), []),
        "result": (RESULT, ABSENT),
        "end": (matching("result|left|void"), ""),
        "due": (matching("[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]Z"), ""),
    },
)
PRIVATE = record(
    {
        "game": HEX,
        "round": ROUND,
        "entry": HEX,
        "seat": SEAT,
        "openings": lambda value: bool(value) and listed(OPENING)(value),
    }
)
RECEIPT = record({"game": HEX, "round": ROUND, "seat": SEAT, "move": HEX, "code": matching("[a-z-]{1,40}")})
VIEW = record(
    {"format": matching(PREFIX + "view"), "genesis": envelope, "entries": listed(envelope), "seat": SEAT},
    {"privates": (listed(envelope), []), "public": (embedded, ABSENT)},
)
SEALED = record({"round": ROUND, "seat": SEAT, "fields": SECRETS})
TRANSCRIPT = record(
    {"format": matching(PREFIX + "transcript"), "genesis": envelope, "entries": listed(envelope), "secret": HEX},
    {"sealed": (listed(SEALED), []), "chance": (HEX, "")},
)
MOVE_FILE = record(
    {"body": lambda body: isinstance(body, dict), "sig": SIGNATURE, "type": text}, {"sealed": (text, "")}
)


# --- Section 3: envelopes and keys ----------------------------------------------------------------------------------


def is_weak(key: bytes) -> bool:
    """Whether 32 bytes are no canonical y, or the y of a point of small order."""
    y = int.from_bytes(key, "little") & (2**255 - 1)
    return y >= ed25519.P or y in ed25519.SMALL


def encoding(kind: str, body: bytes) -> bytes:
    """What is signed: the pre-authentication encoding of DSSE."""
    name = (PREFIX + kind).encode()
    return b"DSSEv1 %d %b %d %b" % (len(name), name, len(body), body)


def identity(kind: str, body: Json) -> bytes:
    return H("id", PREFIX + kind, canonical(body))


@dataclass
class Signatures:
    """Checks signatures with a function of (key, message, signature), which may leave R and s to this class."""

    verify: VerifySignature = ed25519.verify
    checked: int = 0

    def good(self, kind: str, body: Json, signature: str, key: bytes) -> bool:
        return self.good_bytes(kind, canonical(body), signature, key)

    def good_bytes(self, kind: str, body: bytes, signature: str, key: bytes) -> bool:
        self.checked += 1
        raw = bytes.fromhex(signature)
        small = int.from_bytes(raw[:32], "little") & (2**255 - 1) in ed25519.SMALL
        if small or int.from_bytes(raw[32:], "little") >= ed25519.L:
            return False
        return self.verify(key, encoding(kind, body), raw)

    def opened(self, sealed: Json, kind: str, key: bytes) -> Json:
        """The body of an envelope of this kind, signed by this key."""
        need(sealed["type"] == PREFIX + kind, "wrong-kind", f"this is no {kind}")
        need(
            self.good(kind, sealed["body"], sealed["sig"], key), "bad-signature", f"the {kind} is not signed by its key"
        )
        return sealed["body"]


INVISIBLE = (
    *(range(0xAD, 0xAE), range(0x34F, 0x350), range(0x115F, 0x1161), range(0x17B4, 0x17B6), range(0x180B, 0x1810)),
    *(range(0x2800, 0x2801), range(0x3164, 0x3165), range(0xFE00, 0xFE10), range(0xFFA0, 0xFFA1)),
    range(0xE0000, 0xE1000),
)


def is_good_name(name: str) -> bool:
    return (
        1 <= len(name) <= 40
        and unicodedata.is_normalized("NFC", name)
        and name == name.strip()
        and not any(unicodedata.category(c) in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp") for c in name)
        and not any(ord(c) in hidden for c in name for hidden in INVISIBLE)
        and bool(folded(name).strip())
    )


def folded(name: str) -> str:
    """Names of one game differ in this."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", name).casefold())
    return "".join(c for c in plain if not unicodedata.combining(c))


# --- Sections 5 to 7: links, accumulator, draws, slots --------------------------------------------------------------


def link_back(key: bytes, nonce: bytes, high: int, low: int, link: bytes) -> bytes:
    """x[low] from x[high]."""
    for index in range(high, low, -1):
        link = H("link", key, nonce, index, link)
    return link


def acc_next(game: bytes, round_: int, acc: bytes, host_link: bytes, links: list[bytes]) -> bytes:
    return H("acc", game, round_, acc, host_link, *links)


def seed_of(game: bytes, round_: int, acc: bytes) -> bytes:
    return H("seed", game, round_, acc)


def below(seed: bytes, draw: int, n: int) -> int:
    """Draw number `draw` from a seed: an integer below n."""
    bits = (n - 1).bit_length()
    size = (bits + 7) // 8
    if not size:
        return 0
    stream, block = b"", 0
    while True:
        while len(stream) < size:
            stream += mac(seed, u32(draw) + u32(block))
            block += 1
        value = int.from_bytes(stream[:size], "big") & ((1 << bits) - 1)
        if value < n:
            return value
        stream = stream[size:]


def arrange(secret: bytes, seating: bytes, bag: str, generation: int, faces: Iterable[str]) -> list[str]:
    """Which face lies in which slot."""
    seed = derive(secret, "shuffle", seating, bag, generation)
    out = sorted(faces)
    for draw, i in enumerate(range(len(out) - 1, 0, -1)):
        j = below(seed, draw, i + 1)
        out[i], out[j] = out[j], out[i]
    return out


@lru_cache(maxsize=4096)
def _slot_key(secret: bytes, label: str, seating: bytes, bag: str, generation: int) -> bytes:
    return derive(secret, label, seating, bag, generation)


def salt_of(secret: bytes, seating: bytes, bag: str, generation: int, index: int) -> bytes:
    return mac(_slot_key(secret, "salts", seating, bag, generation), u32(index))


def order_of(secret: bytes, seating: bytes, bag: str, generation: int, index: int) -> bytes:
    return mac(_slot_key(secret, "order", seating, bag, generation), u32(index))


def leaf_of(seating: bytes, bag: str, generation: int, index: int, salt: bytes, face: str) -> bytes:
    return H("slot", seating, bag, generation, index, salt, face)


def sealed_leaves(
    secret: bytes, seating: bytes, bag: str, generation: int, faces: Iterable[str], chance: bytes = b""
) -> dict[str, tuple[str, str]]:
    """Slot -> (face, leaf) of one generation of a container; common chance arranges it, if there is any."""
    mixed = (chance, b"") if chance else (secret, seating)
    return {
        f"{bag}.{generation}.{i}": (
            face,
            leaf_of(seating, bag, generation, i, salt_of(secret, seating, bag, generation, i), face).hex(),
        )
        for i, face in enumerate(arrange(*mixed, bag, generation, faces))
    }


def slot_parts(slot: str) -> tuple[str, int, int]:
    name, generation, index = slot.split(".")
    return name, int(generation), int(index)


def commitment(game: bytes, round_: int, seat: int, name: str, secret: Json) -> str:
    return H("sealed", game, round_, seat, name, bytes.fromhex(secret["salt"]), canonical(secret["value"])).hex()


# --- Section 4: what is for the host alone --------------------------------------------------------------------------


def boxed(ephemeral: bytes, public: bytes, move: bytes, fields: Json) -> str:
    """The sealed fields of the move with this id, for the owner of a box key."""
    text = canonical(fields)
    text += b" " * (-len(text) % 512)
    return base64.b64encode(hpke.seal(ephemeral, public, items("box", move), text)).decode()


def unboxed(private: bytes, move: bytes, sealed: str) -> Json:
    try:
        data = base64.b64decode(sealed, validate=True)
        text = hpke.open_box(private, items("box", move), data)
        fields = parse(text.rstrip(b" "))
    except (ValueError, hpke.BadBox, Bad):
        raise Bad("bad-commitment", "this cannot be opened") from None
    filled = len(text) % 512 == 0 and len(text) - len(text.rstrip(b" ")) < 512
    need(filled and SECRETS(fields), "bad-commitment", "this is no sealed part")
    need(base64.b64encode(data).decode() == sealed, "bad-commitment", "not the one spelling of base64")
    return fields
