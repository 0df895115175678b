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
from typing import Any, NamedTuple

from . import ed25519, hpke

PREFIX = "pbem-referee/1/"
LINKS = 2048
MAX_INTEGER = 2**53 - 1
MAX_DEPTH = 64
MAX_NESTED = 100
MAX_BYTES = 64_000_000
MAX_BODY = 1_000_000

Json = Any
Bags = dict[str, list[str]]
VerifySignature = Callable[[bytes, bytes, bytes], bool]


ALTERED = {"malformed", "wrong-kind", "too-large", "other-version", "bad-signature", "weak-key", "altered-chain"}
ALTERED |= {"mixed-view", "missing-private", "bad-secret", "bad-sealed", "not-over", "mixed-proof", "no-offence"}
ALTERED |= {"bad-abandonment"}
"""What anybody can have done who passed a file on; in a genesis that its host signed all is the host's word."""
UNDECIDED = {"undecided", "needs-rules"}


class Bad(Exception):
    """A failed check: its code, what is wrong, and the round it was found in (None: outside all rounds)."""

    def __init__(self, code: str, message: str, step: int | None = None) -> None:
        super().__init__(f"{code}: {message}" + ("" if step is None else f" (round {step})"))
        self.code = code
        self.step = step

    @property
    def kind(self) -> str:
        return "altered" if self.code in ALTERED else "undecided" if self.code in UNDECIDED else "offence"


class Hosts(Bad):
    """An offence, whatever its code says elsewhere: the host signed that it is all right."""

    kind = "offence"


def need(good: object, code: str, message: str) -> None:
    if not good:
        raise Bad(code, message)


# --- Section 1: bytes, hash, derivation -----------------------------------------------------------------------------


def u32(number: int) -> bytes:
    return number.to_bytes(4, "big")


def items(label: str, *parts: str | int | bytes) -> bytes:
    out = []
    for part in (PREFIX + label, *parts):
        data = part.encode() if isinstance(part, str) else part.to_bytes(8, "big") if isinstance(part, int) else part
        out += len(data).to_bytes(4, "big"), data
    return b"".join(out)


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


def parse(data: bytes) -> Json:
    """The value of canonical bytes; line breaks at the end are no part of them."""
    data = data.rstrip(b"\r\n")
    need(len(data) <= MAX_BYTES, "too-large", "the document is too long")
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


class Unread(NamedTuple):
    """A raw body: any JSON value, exactly as it stands in its file."""

    data: bytes


RAW = ("before", "entries", "entry", "privates")
"""Fields of a file whose envelopes have raw bodies."""
_TOKEN = re.compile(
    r'[{}\[\],:]|"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?'
    r"|true|false|null|[ \t\r\n]+"
)


_END = json.JSONDecoder(object_pairs_hook=len, parse_int=len, parse_float=len, parse_constant=_refuse)
"""Of what it reads only the end counts: no number is too long for it."""


def value_end(text: str, start: int) -> int:
    """Where the JSON value ends that begins here (RFC 8259), however deep it is."""
    try:
        return _END.raw_decode(text, start)[1]
    except RecursionError:
        return _deep_end(text, start)
    except ValueError as error:
        raise Bad("malformed", f"this is not JSON: {error}") from None


def _deep_end(text: str, start: int) -> int:
    """The same, token by token, for what the library finds too deep."""
    expected, closers, place = "value", [], start
    while True:
        token = _TOKEN.match(text, place)
        need(token, "malformed", "this is not JSON")
        assert token is not None
        place, mark = token.end(), token[0]
        if mark[0] in " \t\r\n":
            continue
        expected = _after(mark, expected, closers)
        if not closers:
            return place


def _after(mark: str, expected: str, closers: list[str]) -> str:
    """What a token lets follow; `closers` are the brackets that are open."""
    scalar = mark[0] not in "{}[],:"
    if mark in "}]" and expected in ("first", "first name", "more"):
        need(closers and closers.pop() == mark, "malformed", "brackets do not fit")
        return "more"
    if expected in ("name", "first name"):
        need(mark[0] == '"', "malformed", "a name is missing")
        return "colon"
    if expected in ("colon", "more"):
        wanted = ":" if expected == "colon" else ","
        need(mark == wanted, "malformed", f"{wanted} is missing")
        return "value" if expected == "colon" or closers[-1] == "]" else "name"
    need(scalar or mark in "{[", "malformed", "a value is missing")
    if scalar:
        return "more"
    closers.append("}" if mark == "{" else "]")
    return "first name" if mark == "{" else "first"


class _Reader:
    """Canonical JSON but for raw bodies."""

    def __init__(self, whole: str) -> None:
        self.whole, self.at = whole, 0

    def literal(self, wanted: str) -> bool:
        found = self.whole.startswith(wanted, self.at)
        self.at += len(wanted) if found else 0
        return found

    def skip(self) -> str:
        """The text of one JSON value."""
        start, self.at = self.at, value_end(self.whole, self.at)
        return self.whole[start : self.at]

    def value(self) -> Json:
        return parse(self.skip().encode())

    def raw(self, depth: int) -> Json:
        """An envelope, or a list of some; what is none is left to the check of shapes."""
        if depth < 3 and self.literal("["):
            out: list[Json] = []
            while not self.literal("]"):
                need(not out or self.literal(","), "malformed", "a comma is missing")
                out.append(self.raw(depth + 1))
            return out
        if self.whole.startswith("{", self.at):
            return self.object(lambda name: Unread(self.skip().encode()) if name == "body" else self.value())
        return self.value()

    def object(self, read: Callable[[str], Json]) -> dict[str, Json]:
        need(self.literal("{"), "malformed", "this is not an object")
        out: dict[str, Json] = {}
        while not self.literal("}"):
            need(not out or self.literal(","), "malformed", "a comma is missing")
            name = self.value()
            good = isinstance(name, str) and name.isascii() and (not out or name > max(out))
            need(good and self.literal(":"), "malformed", "names are not in order")
            out[name] = read(name)
        return out


def parse_file(data: bytes) -> Json:
    """The document of a file, its raw bodies unread."""
    data = data.rstrip(b"\r\n")
    need(len(data) <= MAX_BYTES, "too-large", "the document is too long")
    try:
        reader = _Reader(data.decode())
    except ValueError:
        raise Bad("malformed", "not UTF-8") from None
    if not reader.whole.startswith("{"):
        return parse(data)
    document = reader.object(lambda name: reader.raw(2) if name in RAW else reader.value())
    need(reader.at == len(reader.whole), "malformed", "something follows")
    need(depth(document) <= MAX_NESTED, "malformed", "nested too deep")
    return document


def kind_of(document: Json) -> str:
    """What a document says it is."""
    name = document.get("format", document.get("type")) if isinstance(document, dict) else None
    named = re.fullmatch(r"pbem-referee/([0-9]{1,9})/([a-z-]{1,30})", name) if isinstance(name, str) else None
    need(named is None or named[1] == "1", "other-version", "a document of another version")
    need(named, "wrong-kind", "this is no document of ours")
    assert named is not None
    return named[2]


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


def unread(value: Json) -> bool:
    """An envelope with a raw body."""
    return UNREAD(value) and len(value["body"].data) <= MAX_BODY


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
DUE = matching("[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]Z")
FLAG: Shape = lambda value: isinstance(value, bool)  # noqa: E731
ENVELOPE = record({"body": lambda body: isinstance(body, dict), "sig": SIGNATURE, "type": text})
UNREAD = record({"body": lambda body: isinstance(body, Unread), "sig": SIGNATURE, "type": text})
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


MINUTES = number(0, 525_600)


def pair(first: Shape, second: Shape) -> Shape:
    return lambda value: isinstance(value, list) and len(value) == 2 and first(value[0]) and second(value[1])


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
    dict.fromkeys(("deadline", "grace", "bank", "takeover"), (MINUTES, 0))
    | {"chance": (HEX, ""), "arbiter": (HEX, ""), "stage": (HEX, ""), "takeovers": (number(0, 100), 0)},
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
    "box": (HEX, ""),
    "protest": (HEX, ""),
    "handover": (HEX, ""),
}
ANSWER = record({"seat": SEAT, "link": HEX, "sig": SIGNATURE}, CONTENT)
MOVE = record({"game": HEX, "round": ROUND, "asked": HEX, "seat": SEAT, "link": HEX}, CONTENT)
TAKEN = {"name": FACE, "key": HEX, "nonce": HEX, "tip": HEX}
SUCCESSION = record({"game": HEX, "seat": SEAT, "vacancy": HEX, **TAKEN}, {"kept": (FLAG, False)})
RETURNED = record({"seat": SEAT, "sig": SIGNATURE})
RESULT = record({"ranks": listed(WHOLE), "scores": listed(listed(WHOLE))}, {"out": (listed(SEAT), [])})
ENTRY = record(
    {"game": HEX, "round": ROUND, "prev": HEX, "answers": listed(ANSWER), "link": HEX, "public": HEX, "state": HEX},
    {
        "timeouts": (listed(SEAT), []),
        "ops": (listed(operation), []),
        "ask": (listed(ASK), []),
        "result": (RESULT, ABSENT),
        "end": (matching("result|left|void"), ""),
        "due": (DUE, ""),
        "successions": (listed(lambda one: envelope(one) and embedded(one["body"])), []),
        "returns": (listed(RETURNED), []),
        "used": (listed(pair(SEAT, MINUTES)), []),
    },
)
SEALED = record({"round": ROUND, "seat": SEAT, "fields": SECRETS})
_PRIVATE = record(
    {"game": HEX, "round": ROUND, "entry": HEX, "seat": SEAT, "openings": listed(OPENING)},
    {"sealed": (listed(SEALED), [])},
)
PRIVATE: Shape = lambda value: _PRIVATE(value) and bool(value["openings"] or value.get("sealed"))  # noqa: E731
RECEIPT = record({"game": HEX, "round": ROUND, "seat": SEAT, "move": HEX, "code": matching("[a-z-]{1,40}")})
EXTENSION = record({"game": HEX, "round": ROUND, "seat": SEAT, "until": DUE})
VIEW = record(
    {"format": matching(PREFIX + "view"), "genesis": envelope, "entries": listed(unread)},
    {"seat": (SEAT, ABSENT), "privates": (listed(unread), []), "public": (embedded, ABSENT)},
)
TRANSCRIPT = record(
    {"format": matching(PREFIX + "transcript"), "genesis": envelope, "entries": listed(unread), "secret": HEX},
    {"sealed": (listed(SEALED), []), "chance": (HEX, ""), "abandoned": (envelope, ABSENT)},
)
ABANDONMENT = record({"game": HEX, "round": ROUND, "entry": HEX})
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

    def read(self, sealed: Json, kind: str, key: bytes, shape: Shape) -> Json:
        """The raw body of an envelope that the host signed, and that must be readable then."""
        need(sealed["type"] == PREFIX + kind, "wrong-kind", f"this is no {kind}")
        data = sealed["body"].data
        good = self.good_bytes(kind, data, sealed["sig"], key)
        need(good, "bad-signature", f"the {kind} is not signed by its key")
        try:
            body = parse(data) if not data.endswith((b"\r", b"\n")) else None
        except Bad:
            body = None
        need(shape(body), f"bad-{kind}", f"the {kind} cannot be read")
        return body


INVISIBLE = (
    *(range(0xAD, 0xAE), range(0x34F, 0x350), range(0x115F, 0x1161), range(0x17B4, 0x17B6), range(0x180B, 0x1810)),
    *(range(0x2800, 0x2801), range(0x3164, 0x3165), range(0xFE00, 0xFE10), range(0xFFA0, 0xFFA1)),
    range(0xE0000, 0xE1000),
)


REFUSED = (
    *(range(0x20), range(0x7F, 0xA0), range(0x61C, 0x61D), range(0x200E, 0x2010), range(0x2028, 0x202F)),
    *(range(0x2066, 0x206A), range(0xD800, 0xE000), range(0xFDD0, 0xFDF0)),
)


def is_name(name: str) -> bool:
    """Whether a verifier accepts a name."""
    points = [ord(c) for c in name]
    bad = any(point & 0xFFFE == 0xFFFE or any(point in some for some in REFUSED) for point in points)
    return 1 <= len(points) <= 40 and not bad


def is_good_name(name: str) -> bool:
    """Whether a tool lets somebody join under this name."""
    return (
        1 <= len(name) <= 40
        and unicodedata.is_normalized("NFC", name)
        and name == name.strip()
        and not any(unicodedata.category(c) in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp") for c in name)
        and not any(ord(c) in hidden for c in name for hidden in INVISIBLE)
        and bool(folded(name).strip())
    )


def folded(name: str) -> str:
    """A tool lets names of one game pass that differ in this."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", name).casefold())
    return "".join(c for c in plain if not unicodedata.combining(c))


# --- Sections 5 to 7: links, accumulator, draws, slots --------------------------------------------------------------


@lru_cache(maxsize=16384)
def link_back(key: bytes, nonce: bytes, high: int, low: int, link: bytes) -> bytes:
    """x[low] from x[high]: H("link", key, nonce, index, link) for each index between them, with their common beginning
    hashed once."""
    begun = hashlib.sha256(items("link", key, nonce))
    for index in range(high, low, -1):
        one = begun.copy()
        one.update(u32(8) + index.to_bytes(8, "big") + u32(len(link)) + link)
        link = one.digest()
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


@lru_cache(maxsize=1024)
def is_weak_box(box: bytes) -> bool:
    """Whether no honest host has this key: it is not canonical, or of small order."""
    point = int.from_bytes(box, "little")
    return point >= hpke.P or hpke.x25519(bytes(32), box) == bytes(32)


def filled(fields: Json) -> bytes:
    text = canonical(fields)
    return text + b" " * (-len(text) % 512)


def box_info(move: Json) -> bytes:
    """What binds an encrypted part to a move."""
    return items("box", H("boxed", canonical({name: part for name, part in move.items() if name != "box"})))


def own_ephemeral(seed: bytes, move: Json, fields: Json) -> bytes:
    return derive(seed, "ephemeral", bytes.fromhex(move["game"]), move["round"], move["seat"], filled(fields))


def boxed(ephemeral: bytes, public: bytes, move: Json, fields: Json) -> bytes:
    """The encrypted part of a move with these sealed fields, for the owner of a box key."""
    return hpke.seal(ephemeral, public, box_info(move), filled(fields))


def box_hash(data: bytes) -> str:
    return H("box-hash", data).hex()


def unboxed(private: bytes, move: Json, sealed: str) -> Json:
    """The sealed fields of a move file: what its player did not sign is damaged, what cannot be read does not fit."""
    try:
        data = base64.b64decode(sealed, validate=True)
    except ValueError:
        data = b""
    right = base64.b64encode(data).decode() == sealed and box_hash(data) == move.get("box")
    need(right, "damaged", "this is not what the player signed")
    try:
        text = hpke.open_box(private, box_info(move), data)
        fields = parse(text.rstrip(b" "))
    except (ValueError, hpke.BadBox, Bad):
        raise Bad("bad-commitment", "this cannot be opened") from None
    need(SECRETS(fields) and filled(fields) == text, "bad-commitment", "this is no sealed part")
    return fields
