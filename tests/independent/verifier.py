"""A verifier of views and transcripts, written from schemas/PROTOCOL.md (bounds: from the schemas beside it).

It uses the standard library only and knows no game's rules. Section numbers below are those of PROTOCOL.md.
What needs the rules stays unchecked here: sizes and content of bags, legality of moves, positions.
"""

import hashlib
import hmac
import json
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from . import ed25519

PREFIX = "pbem-referee/1/"
LINKS = 8192
MAX_INTEGER = 2**53 - 1
MAX_DEPTH = 64
MAX_BYTES = 64_000_000

# The faces a game may have (section 9, RULES.md): with M they are enough to see what lay in every slot.
FACES = {
    "schwarzer-freitag": ["black", "blue", "green", "orange", "red", "yellow"],
    "auction": [f"{card:02}" for card in range(1, 100)],
}


class Bad(Exception):
    """A failed check: its code, what is wrong, and the round it was found in (0: the genesis; None: elsewhere)."""

    def __init__(self, code: str, message: str, step: int | None = None) -> None:
        super().__init__(f"{code}: {message}" + ("" if step is None else f" (round {step})"))
        self.code = code
        self.message = message
        self.step = step


# --- Section 1: bytes, hash, derivation ---------------------------------------------------------------------------


def u32(number: int) -> bytes:
    return number.to_bytes(4, "big")


def u64(number: int) -> bytes:
    return number.to_bytes(8, "big")


def items(label: str, *parts: str | int | bytes) -> bytes:
    out = b""
    for part in (PREFIX + label, *parts):
        if isinstance(part, str):
            part = part.encode()
        elif isinstance(part, int):
            part = u64(part)
        out += u32(len(part)) + part
    return out


def H(label: str, *parts: str | int | bytes) -> bytes:
    return hashlib.sha256(items(label, *parts)).digest()


def mac(key: bytes, message: bytes) -> bytes:
    return hmac.digest(key, message, "sha256")


def derive(key: bytes, label: str, *parts: str | int | bytes) -> bytes:
    """HKDF-SHA256 with a salt of zeros; 32 bytes are its first block."""
    return mac(mac(bytes(32), key), items(label, *parts) + b"\x01")


# --- Section 2: canonical form ------------------------------------------------------------------------------------

ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}


def _quoted(text: str) -> str:
    return '"' + "".join(ESCAPES.get(c) or (f"\\u{ord(c):04x}" if c < " " else c) for c in text) + '"'


def _pieces(value: Any) -> Iterator[str]:
    if value is None or isinstance(value, bool):
        yield {None: "null", True: "true", False: "false"}[value]
    elif isinstance(value, int):
        if abs(value) > MAX_INTEGER:
            raise Bad("malformed", f"the integer {value} is too big")
        yield str(value)
    elif isinstance(value, str):
        yield _quoted(value)
    elif isinstance(value, list):
        yield "["
        for number, element in enumerate(value):
            if number:
                yield ","
            yield from _pieces(element)
        yield "]"
    elif isinstance(value, dict):
        yield "{"
        for number, key in enumerate(sorted(value)):
            if not key.isascii():
                raise Bad("malformed", "a key is not ASCII")
            yield ("," if number else "") + _quoted(key) + ":"
            yield from _pieces(value[key])
        yield "}"
    else:
        raise Bad("malformed", f"a {type(value).__name__} has no canonical form")


def canonical(value: Any) -> bytes:
    try:
        return "".join(_pieces(value)).encode()
    except UnicodeEncodeError:
        raise Bad("malformed", "a lone surrogate") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out = dict(pairs)
    if len(out) != len(pairs):
        raise Bad("malformed", "a key occurs twice")
    return out


def _refuse(text: str) -> Any:
    raise Bad("malformed", f"{text} is no integer")


def _depth(data: bytes) -> int:
    """How deeply objects and lists are nested."""
    depth = deepest = 0
    for mark in re.findall(rb"[\[{\]}]", re.sub(rb'"(?:[^"\\]|\\.)*"', b"", data)):
        depth += 1 if mark in b"[{" else -1
        deepest = max(deepest, depth)
    return deepest


def parse(data: bytes, limit: int = MAX_BYTES) -> Any:
    """The value of canonical bytes; line breaks at the end are no part of them."""
    data = data.rstrip(b"\r\n")
    if len(data) > limit:
        raise Bad("malformed", "the document is too long")
    if _depth(data) > MAX_DEPTH:
        raise Bad("malformed", "the document is nested too deeply")
    try:
        value = json.loads(
            data.decode(), object_pairs_hook=_object, parse_float=_refuse, parse_constant=_refuse, strict=True
        )
    except (ValueError, RecursionError) as error:
        raise Bad("malformed", f"not JSON: {error}") from None
    if canonical(value) != data:
        raise Bad("malformed", "not the canonical spelling")
    return value


# --- Section 4: the shape of documents ----------------------------------------------------------------------------

Shape = Callable[[Any, str], None]
CONTAINER = re.compile(r"[a-z]{1,20}(/[0-9]{1,2})?")
SLOT = re.compile(CONTAINER.pattern + r"(\.[0-9]{1,6}\.[0-9]{1,6}|\+[0-9]{1,6})")


def _need(good: bool, where: str, what: str) -> None:
    if not good:
        raise Bad("malformed", f"{where} is not {what}")


def number(low: int, high: int) -> Shape:
    return lambda value, where: _need(type(value) is int and low <= value <= high, where, "a number in its range")


def hexed(size: int) -> Shape:
    pattern = re.compile(f"[0-9a-f]{{{2 * size}}}")
    return lambda value, where: _need(
        isinstance(value, str) and bool(pattern.fullmatch(value)), where, f"{size} bytes in lowercase hex"
    )


def text(value: Any, where: str) -> None:
    _need(isinstance(value, str), where, "a text")


def face(value: Any, where: str) -> None:
    _need(isinstance(value, str) and 1 <= len(value) <= 40, where, "a face")


def slot_name(value: Any, where: str) -> None:
    _need(isinstance(value, str) and bool(SLOT.fullmatch(value)), where, "the name of a slot")


def flag(value: Any, where: str) -> None:
    _need(isinstance(value, bool), where, "true or false")


def anything(value: Any, where: str) -> None:
    pass


def mapping(value: Any, where: str) -> None:
    _need(isinstance(value, dict), where, "an object")


def container(value: Any, where: str) -> None:
    _need(isinstance(value, str) and bool(CONTAINER.fullmatch(value)), where, "the name of a container")


def one_of(*values: Any) -> Shape:
    return lambda value, where: _need(value in values, where, f"one of {values}")


def listed(shape: Shape) -> Shape:
    def check(value: Any, where: str) -> None:
        _need(isinstance(value, list), where, "a list")
        for index, element in enumerate(value):
            shape(element, f"{where}[{index}]")

    return check


ABSENT = object()
"""The default of a field that is there or not, whatever its value."""


def record(required: dict[str, Shape], optional: dict[str, tuple[Shape, Any]] | None = None) -> Shape:
    """An object with these fields; an optional one is left out when it has its default."""
    optional = optional or {}

    def check(value: Any, where: str) -> None:
        mapping(value, where)
        for name in required.keys() - value.keys():
            raise Bad("malformed", f"{where} has no {name}")
        for name, content in value.items():
            if name in required:
                required[name](content, f"{where}.{name}")
            elif name in optional:
                shape, default = optional[name]
                if content == default and type(content) is type(default):
                    raise Bad("malformed", f"{where}.{name} is spelt out although it has its default")
                shape(content, f"{where}.{name}")
            else:
                raise Bad("malformed", f"{where} has the unknown field {name}")

    return check


def envelope(body: Shape) -> Shape:
    return record({"body": body, "sig": hexed(64), "type": text})


def leaves(value: Any, where: str) -> None:
    mapping(value, where)
    for name, content in value.items():
        container(name, where)
        listed(hexed(32))(content, f"{where}.{name}")


BYTES = hexed(32)
SEAT = number(0, 63)
ROUND = number(0, LINKS)
SMALL = number(0, 1_000_000)
AUDIENCE = number(-2, 63)
SEATS = (listed(SEAT), [])
ASK = record({"seat": number(-MAX_INTEGER, MAX_INTEGER), "what": text}, {"sealed": (listed(text), [])})
SECRET = record({"fields": mapping, "salt": BYTES})
TOKEN = record({"slot": slot_name}, {"face": (face, ABSENT), "salt": (BYTES, ABSENT)})

OPS = {
    "die": record({"op": text, "sides": number(1, 1_000_000), "value": SMALL, "label": text}),
    "take": record(
        {"op": text, "bag": container, "tokens": listed(TOKEN)}, {"to": (AUDIENCE, -1), "into": (container, ABSENT)}
    ),
    "open": record({"op": text, "bag": container, "tokens": listed(TOKEN)}),
    "put": record({"op": text, "bag": container, "faces": listed(face)}, {"under": (flag, False)}),
    "seal": record(
        {"op": text, "bag": container, "generation": SMALL, "leaves": listed(BYTES)}, {"owner": (AUDIENCE, -2)}
    ),
    "show": record({"op": text, "round": ROUND, "seat": SEAT, "salt": BYTES, "fields": mapping}),
}


def operation(value: Any, where: str) -> None:
    mapping(value, where)
    name = value.get("op")
    _need(isinstance(name, str) and name in OPS, where, "a known operation")
    OPS[name](value, where)


OFFER = record(
    {
        "game": text,
        "rules": text,
        "options": mapping,
        "edition": mapping,
        "edition_hash": BYTES,
        "seats": number(1, 63),
        "nonce": BYTES,
        "secret": BYTES,
        "key": BYTES,
        "tip": BYTES,
    }
)
JOIN = record({"offer": BYTES, "name": text, "key": BYTES, "nonce": BYTES, "tip": BYTES})
GENESIS = record({"offer": envelope(OFFER), "joins": listed(envelope(JOIN)), "leaves": leaves})
ANSWER = record(
    {"seat": SEAT, "link": BYTES, "sig": hexed(64)}, {"answer": (mapping, ABSENT), "commit": (BYTES, ABSENT)}
)
WHOLE = number(-MAX_INTEGER, MAX_INTEGER)
RESULT = record({"ranks": listed(WHOLE), "scores": listed(listed(WHOLE))})
ENTRY = record(
    {
        "game": BYTES,
        "round": ROUND,
        "prev": BYTES,
        "answers": listed(ANSWER),
        "link": BYTES,
        "public": BYTES,
        "full": BYTES,
    },
    {
        "timeouts": SEATS,
        "ops": (listed(operation), []),
        "log": (listed(text), []),
        "ask": (listed(ASK), []),
        "out": SEATS,
        "witness": SEATS,
        "result": (RESULT, ABSENT),
        "end": (text, ""),
    },
)
OPENING = record({"slot": slot_name, "face": face, "salt": BYTES})
PRIVATE = record(
    {"game": BYTES, "round": ROUND, "entry": BYTES, "seat": SEAT},
    {
        "own": (anything, ABSENT),
        "openings": (listed(OPENING), []),
        "ask": (ASK, ABSENT),
        "legal": (listed(mapping), ABSENT),
    },
)
RECEIPT = record({"game": BYTES, "round": ROUND, "seat": SEAT, "move": BYTES, "code": text})
ENTRIES = listed(envelope(ENTRY))
VIEW = record(
    {
        "format": one_of(PREFIX + "view"),
        "genesis": envelope(GENESIS),
        "private": envelope(PRIVATE),
        "entries": ENTRIES,
    },
    {"public": (anything, ABSENT)},
)
SEALED = record({"round": ROUND, "seat": SEAT, "secret": SECRET})
TRANSCRIPT = record(
    {"format": one_of(PREFIX + "transcript"), "genesis": envelope(GENESIS), "secret": BYTES, "entries": ENTRIES},
    {"sealed": (listed(SEALED), [])},
)


# --- Section 3: envelopes and keys --------------------------------------------------------------------------------

WEAK = {0, 1, 2**255 - 20} | {
    int.from_bytes(bytes.fromhex(y), "little")
    for y in (
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    )
}


def is_weak(key: bytes) -> bool:
    y = int.from_bytes(key, "little") & (2**255 - 1)
    return y >= 2**255 - 19 or y in WEAK


def encoding(kind: str, body: bytes) -> bytes:
    """What is signed: the pre-authentication encoding of DSSE."""
    name = (PREFIX + kind).encode()
    return b"DSSEv1 %d %b %d %b" % (len(name), name, len(body), body)


def identity(kind: str, body: Any) -> bytes:
    return H("id", PREFIX + kind, canonical(body))


def is_signed(kind: str, body: Any, signature: str, key: bytes) -> bool:
    return ed25519.verify(key, encoding(kind, canonical(body)), bytes.fromhex(signature))


INVISIBLE = (
    *(range(0xAD, 0xAE), range(0x34F, 0x350), range(0x115F, 0x1161), range(0x17B4, 0x17B6), range(0x180B, 0x1810)),
    *(range(0x2800, 0x2801), range(0x3164, 0x3165), range(0xFE00, 0xFE10), range(0xFFA0, 0xFFA1)),
    range(0xE0000, 0xE1000),
)


def is_good_name(name: str) -> bool:
    return (
        1 <= len(name) <= 40
        and unicodedata.is_normalized("NFC", name)
        and not any(unicodedata.category(end) == "Zs" for end in (name[0], name[-1]))
        and not any(unicodedata.category(c) in ("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp") for c in name)
        and not any(ord(c) in hidden for c in name for hidden in INVISIBLE)
        and bool(name_key(name).strip())
    )


def name_key(name: str) -> str:
    """Names that look the same have the same key."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", name).casefold())
    return "".join(c for c in plain if not unicodedata.combining(c))


# --- Sections 5 to 7: links, accumulator, draws, slots ------------------------------------------------------------


def link_before(key: bytes, nonce: bytes, index: int, link: bytes) -> bytes:
    """x[index - 1] from x[index]."""
    return H("link", key, nonce, index, link)


def link_back(key: bytes, nonce: bytes, high: int, low: int, link: bytes) -> bytes:
    """x[low] from x[high]."""
    for index in range(high, low, -1):
        link = link_before(key, nonce, index, link)
    return link


def acc_start(game: bytes) -> bytes:
    return H("acc0", game)


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


def arrange(secret: bytes, table: bytes, bag: str, generation: int, faces: list[str]) -> list[str]:
    """Which face lies in which slot."""
    seed = derive(secret, "shuffle", table, bag, generation)
    out = sorted(faces)
    for draw, i in enumerate(range(len(out) - 1, 0, -1)):
        j = below(seed, draw, i + 1)
        out[i], out[j] = out[j], out[i]
    return out


def salt_of(secret: bytes, table: bytes, bag: str, generation: int, index: int) -> bytes:
    return mac(derive(secret, "salts", table, bag, generation), u32(index))


def leaf_of(table: bytes, bag: str, generation: int, index: int, salt: bytes, face: str) -> bytes:
    return H("slot", table, bag, generation, index, salt, face)


def commitment(game: bytes, round_: int, seat: int, salt: bytes, fields: dict[str, Any]) -> bytes:
    return H("sealed", game, round_, seat, salt, canonical(fields))


# --- Section 8, step 1: the table -----------------------------------------------------------------------------------


@dataclass
class Chain:
    """The links of one owner that were seen."""

    key: bytes
    nonce: bytes
    last: bytes
    index: int = 0

    def accept(self, index: int, link: bytes) -> bool:
        if not self.index < index <= LINKS or link_back(self.key, self.nonce, index, self.index, link) != self.last:
            return False
        self.index, self.last = index, link
        return True


@dataclass
class Bag:
    slots: list[str] = field(default_factory=list)
    tail: list[str] = field(default_factory=list)
    generation: int = -1
    opened: int = 0


@dataclass
class Sealing:
    bag: str
    generation: int
    leaves: list[bytes]


@dataclass
class Table:
    """All that is known after the genesis and some entries."""

    game: bytes
    offer: bytes
    table: bytes
    title: str
    seats: int
    host: Chain
    players: list[Chain]
    secret_hash: bytes
    tip: bytes
    bags: dict[str, Bag] = field(default_factory=dict)
    sealings: list[Sealing] = field(default_factory=list)
    leaves: dict[str, tuple[str, int, int, bytes]] = field(default_factory=dict)
    faces: dict[str, str] = field(default_factory=dict)
    told: list[list[str]] = field(default_factory=list)
    commits: dict[tuple[int, int], bytes] = field(default_factory=dict)
    round: int = 0
    newest: bytes = b""
    acc: bytes = b""
    asked: dict[int, str] = field(default_factory=dict)
    ended: str = ""
    late: list[int] = field(default_factory=list)
    out: set[int] = field(default_factory=set)
    holding: bool = False
    sealed: bool = False
    late_since_held: set[int] = field(default_factory=set)
    questions: dict[int, Any] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)

    def count(self, what: str, by: int = 1) -> None:
        self.counts[what] = self.counts.get(what, 0) + by

    def bag(self, name: str) -> Bag:
        return self.bags.setdefault(name, Bag())


def _signed(envelope_: Any, kind: str, key: bytes, step: int | None, codes: tuple[str, str] = ("", "")) -> Any:
    """The body of an envelope of this kind, signed by this key; else one of two codes."""
    wrong_type, wrong_key = codes[0] or "malformed", codes[1] or "bad-signature"
    if envelope_["type"] != PREFIX + kind:
        raise Bad(wrong_type, f"this is no {kind}", step)
    if not is_signed(kind, envelope_["body"], envelope_["sig"], key):
        raise Bad(wrong_key, f"the {kind} is not signed by the right key", step)
    return envelope_["body"]


def _strong(key: str) -> bytes:
    if is_weak(bytes.fromhex(key)):
        raise Bad("weak-key", "this key vouches for anything", 0)
    return bytes.fromhex(key)


def read_genesis(genesis: Any) -> Table:
    body = genesis["body"]
    offer, joins = body["offer"], body["joins"]
    terms = offer["body"]
    if H("edition", canonical(terms["edition"])).hex() != terms["edition_hash"]:
        raise Bad("bad-edition", "the edition is not the one of its hash", 0)
    host_key = _strong(terms["key"])
    _signed(genesis, "genesis", host_key, 0)
    _signed(offer, "offer", host_key, 0)
    offer_id = identity("offer", terms)
    keys = []
    for join in joins:
        keys.append(_strong(join["body"]["key"]))
        _signed(join, "join", keys[-1], 0)
        if join["body"]["offer"] != offer_id.hex():
            raise Bad("other-offer", "a join is for another offer", 0)
        if not is_good_name(join["body"]["name"]):
            raise Bad("bad-name", "a name that is not allowed", 0)
    if len(joins) != terms["seats"]:
        raise Bad("bad-seats", "not one join per seat", 0)
    if len({host_key, *keys}) < len(keys) + 1:
        raise Bad("same-key", "two have one key", 0)
    if len({name_key(join["body"]["name"]) for join in joins}) < len(joins):
        raise Bad("bad-name", "two names look the same", 0)
    table = Table(
        game=identity("genesis", body),
        offer=offer_id,
        table=H("table", offer_id, *(identity("join", join["body"]) for join in joins)),
        title=terms["game"],
        seats=terms["seats"],
        host=Chain(host_key, bytes.fromhex(terms["nonce"]), bytes.fromhex(terms["tip"])),
        players=[
            Chain(key, bytes.fromhex(join["body"]["nonce"]), bytes.fromhex(join["body"]["tip"]))
            for key, join in zip(keys, joins, strict=True)
        ],
        secret_hash=bytes.fromhex(terms["secret"]),
        tip=bytes.fromhex(terms["tip"]),
        told=[[] for _ in joins],
        late=[0 for _ in joins],
    )
    table.count("signatures", 2 + len(joins))
    for name, hashes in sorted(body["leaves"].items()):
        _seal(table, name, 0, [bytes.fromhex(leaf) for leaf in hashes])
    table.newest = table.game
    table.acc = acc_start(table.game)
    table.asked = dict.fromkeys(range(table.seats), "link")
    table.questions = {seat: {"seat": seat, "what": "ack"} for seat in range(table.seats)}
    return table


def _seal(table: Table, name: str, generation: int, hashes: list[bytes]) -> list[str]:
    slots = [f"{name}.{generation}.{index}" for index in range(len(hashes))]
    for index, (slot, leaf) in enumerate(zip(slots, hashes, strict=True)):
        table.leaves[slot] = (name, generation, index, leaf)
    bag = table.bag(name)
    bag.slots, bag.tail, bag.generation = list(slots), [], generation
    table.sealings.append(Sealing(name, generation, hashes))
    return slots


def fits(table: Table, slot: str, face: str, salt: str) -> bool:
    bag, generation, index, leaf = table.leaves[slot]
    return leaf_of(table.table, bag, generation, index, bytes.fromhex(salt), face) == leaf


# --- Section 8, step 3: entries ------------------------------------------------------------------------------------


def rebuilt_move(entry: Any, answer: Any) -> Any:
    """The move that a player signed, from what the entry keeps of it."""
    move = {name: answer[name] for name in ("answer", "commit", "link", "seat") if name in answer}
    return move | {"asked": entry["prev"], "game": entry["game"], "round": entry["round"]}


def read_entry(table: Table, envelope_: Any) -> None:
    n = table.round + 1
    step = n
    if table.ended:
        raise Bad("after-end", f"the game had ended ({table.ended})", step)
    body = _signed(envelope_, "entry", table.host.key, step, ("bad-entry", "bad-entry"))
    table.count("signatures")
    if (body["game"], body["round"], body["prev"]) != (table.game.hex(), n, table.newest.hex()):
        raise Bad("broken-chain", "it does not continue the entry before", step)
    answers, timeouts = body["answers"], body.get("timeouts", [])
    _check_asked(table, answers, timeouts, step)
    links = [b""] * table.seats
    for answer in answers:
        seat = answer["seat"]
        if not is_signed("move", rebuilt_move(body, answer), answer["sig"], table.players[seat].key):
            raise Bad("bad-move", f"the move of seat {seat} is not signed by it", step)
        table.count("signatures")
        links[seat] = bytes.fromhex(answer["link"])
        if "commit" in answer:
            table.commits[n, seat] = bytes.fromhex(answer["commit"])
    for answer in answers:
        seat = answer["seat"]
        if not table.players[seat].accept(n, links[seat]):
            raise Bad("bad-link", f"the link of seat {seat} is not in its chain", step)
        table.count("links")
    host_link = bytes.fromhex(body["link"])
    if not table.host.accept(n, host_link):
        raise Bad("bad-host-link", "the host's link is not in its chain", step)
    table.count("links")
    _check_course(table, body, [answer["seat"] for answer in answers], timeouts, step)
    table.acc = acc_next(table.game, n, table.acc, host_link, links)
    table.round = n
    _operations(table, body.get("ops", []), seed_of(table.game, n, table.acc), bool(timeouts), step)
    table.newest = identity("entry", body)
    table.count("rounds")


def _check_asked(table: Table, answers: list[Any], timeouts: list[int], step: int) -> None:
    """Answers and timeouts together are exactly the seats asked, each answer of the kind that is due."""
    seats = [answer["seat"] for answer in answers]
    if seats != sorted(set(seats)) or timeouts != sorted(set(timeouts)) or set(seats) & set(timeouts):
        raise Bad("bad-round", "seats are not in order or occur twice", step)
    if set(seats) | set(timeouts) != set(table.asked):
        raise Bad("bad-round", "answers and timeouts are not those of the seats asked", step)
    if step == 1 and timeouts:
        raise Bad("bad-round", "round 1 cannot time out", step)
    for answer in answers:
        kind = table.asked[answer["seat"]]
        if ("answer" in answer) != (kind != "link") or ("commit" in answer) != (kind == "sealed"):
            raise Bad("bad-round", f"seat {answer['seat']} gave an answer of the wrong kind", step)


def _check_course(table: Table, body: Any, answered: list[int], timeouts: list[int], step: int) -> None:
    """`out`, `witness` and `end`, and who is asked next (section 6)."""

    def need(good: bool, message: str) -> None:
        if not good:
            raise Bad("bad-round", message, step)

    for seat in answered:
        table.late[seat] = 0
    for seat in timeouts:
        table.late[seat] += 1
        if table.late[seat] >= 2:
            table.out.add(seat)
    need(body.get("out", []) == sorted(table.out), "`out` is not right")
    end, witness, asks = body.get("end", ""), body.get("witness", []), body.get("ask", [])
    need(end in ("", "result", "void", "rests"), "there is no such end")
    all_seats = set(range(table.seats))
    was_holding = table.holding
    must_hold = bool(timeouts) and (was_holding or table.sealed)
    table.late_since_held = (table.late_since_held if was_holding else set()) | set(timeouts)
    left = sorted(all_seats - table.out - table.late_since_held)
    if witness:
        need(bool(timeouts) and not end, "a witness without need")
        need(witness == left, "`witness` is not right")
        table.holding = True
    else:
        # A witness round with a timeout holds on, as long as anybody is left; sealed answers are held in any case.
        need(not must_hold or end == "rests", "what is held is not held on")
        table.holding = False
    played = any(op["op"] not in ("die", "take") for op in body.get("ops", []))  # draws are found with the operations
    need(not (must_hold and played), "what is held is played without its witnesses")
    if end == "rests":
        need(bool(timeouts) and not left, "the game does not rest yet")
    if table.out == all_seats:
        need(bool(end), "all are out and the game does not rest")
    need(step < LINKS or bool(end), "after the last round the game is void")
    need(end != "void" or step == LINKS, "the game is not void yet")
    need((end == "result") == ("result" in body), "`result` and `end` do not agree")
    seats = [ask["seat"] for ask in asks]
    need(len(set(seats)) == len(seats) and set(seats) <= all_seats, "`ask` is not right")
    table.ended = end
    table.sealed = any("sealed" in ask for ask in asks)
    table.asked, table.questions = {}, {}
    if end:
        return
    if witness:
        table.asked = dict.fromkeys(witness, "link")
        table.questions = {seat: {"seat": seat, "what": "witness"} for seat in witness}
    else:
        due = [ask for ask in asks if ask["seat"] not in table.out]
        table.asked = {ask["seat"]: "sealed" if "sealed" in ask else "open" for ask in due}
        table.questions = {ask["seat"]: ask for ask in due}
    need(bool(table.asked), "nobody is asked and the game has not ended")


# --- Section 8, step 4: operations ----------------------------------------------------------------------------------


def _operations(table: Table, ops: list[Any], seed: bytes, late: bool, step: int) -> None:
    draws = 0
    for op in ops:
        if op["op"] in ("die", "take") and late:
            raise Bad("draw-without-seed", "a round with a timeout draws nothing", step)
        if op["op"] == "die":
            if op["value"] != 1 + below(seed, draws, op["sides"]):
                raise Bad("bad-die", "the seed gives another value", step)
            draws += 1
        elif op["op"] == "take":
            draws = _take(table, op, seed, draws, step)
        elif op["op"] == "open":
            bag = table.bag(op["bag"])
            for token in op["tokens"]:
                if token["slot"] not in bag.slots:
                    raise Bad("bad-opening", f"{token['slot']} is not in {op['bag']}", step)
                bag.slots.remove(token["slot"])
                _opened(table, token, step)
        elif op["op"] == "put":
            bag = table.bag(op["bag"])
            for face in op["faces"]:
                slot = f"{op['bag']}+{bag.opened}"
                bag.opened += 1
                table.faces[slot] = face
                (bag.tail if op.get("under", False) else bag.slots).append(slot)
        elif op["op"] == "seal":
            if op["generation"] != table.bag(op["bag"]).generation + 1 or op.get("owner", -2) >= table.seats:
                raise Bad("bad-seal", "the generation is not the next one", step)
            slots = _seal(table, op["bag"], op["generation"], [bytes.fromhex(x) for x in op["leaves"]])
            if op.get("owner", -2) >= 0:
                table.told[op["owner"]] += slots
        else:
            commit = table.commits.get((op["round"], op["seat"]))
            salt = bytes.fromhex(op["salt"])
            if commit is None or commitment(table.game, op["round"], op["seat"], salt, op["fields"]) != commit:
                raise Bad("bad-shown", "what is shown is not what was sealed", step)
            table.count("shown")
    table.count("draws", draws)


def _take(table: Table, op: Any, seed: bytes, draws: int, step: int) -> int:
    bag, to = table.bag(op["bag"]), op.get("to", -1)
    if to >= table.seats:
        raise Bad("bad-pick", f"there is no seat {to}", step)
    for token in op["tokens"]:
        if bag.slots:
            slot = bag.slots.pop(below(seed, draws, len(bag.slots)))
            draws += 1
        elif bag.tail:
            slot = bag.tail.pop(0)
        else:
            raise Bad("bad-pick", f"{op['bag']} is empty", step)
        if slot != token["slot"]:
            raise Bad("bad-pick", f"the seed picks {slot}, not {token['slot']}", step)
        if to == -1:
            _opened(table, token, step)
        elif "face" in token or "salt" in token:
            raise Bad("bad-opening", f"{slot} is hidden and yet opened", step)
        elif to >= 0 and slot in table.leaves:
            table.told[to].append(slot)
    if "into" in op:
        table.bag(op["into"]).slots += [token["slot"] for token in op["tokens"]]
    return draws


def _opened(table: Table, token: Any, step: int) -> None:
    slot = token["slot"]
    if slot in table.leaves:
        good = "face" in token and "salt" in token and fits(table, slot, token["face"], token["salt"])
    else:
        good = "salt" not in token and token.get("face") == table.faces[slot]
    if not good:
        raise Bad("bad-opening", f"{slot} does not hold what is shown", step)
    table.faces[slot] = token["face"]
    table.count("openings")


# --- Section 8: whole documents -------------------------------------------------------------------------------------


def _counts(table: Table) -> dict[str, int]:
    names = ("signatures", "links", "rounds", "draws", "openings", "shown", "own_openings", "slots", "sealed")
    return {name: table.counts.get(name, 0) for name in names}


def open_view(data: bytes) -> tuple[Any, Table, Any]:
    """Steps 1 and 2: the document, its table and its private part."""
    document = parse(data)
    VIEW(document, "view")
    table = read_genesis(document["genesis"])
    private = _signed(document["private"], "private", table.host.key, None)
    table.count("signatures")
    round_, newest = 0, table.game
    if document["entries"]:
        last = _signed(document["entries"][-1], "entry", table.host.key, None)
        round_, newest = last["round"], identity("entry", last)
    named = private["game"], private["round"], private["entry"]
    if named != (table.game.hex(), round_, newest.hex()) or private["seat"] >= table.seats:
        raise Bad("mixed-view", "the private part is not for this game, entry and table")
    if ("public" in document) != bool(document["entries"]):
        raise Bad("mixed-view", "there is a public position exactly if there is an entry")
    if document["entries"] and H("public", table.game, round_, canonical(document["public"])).hex() != last["public"]:
        raise Bad("false-public", "the public position is not the one of the newest entry")
    return document, table, private


def check_view(data: bytes) -> dict[str, int]:
    """All of section 8 that a view and no rules allow; returns how much of what was checked."""
    document, table, private = open_view(data)
    for entry in document["entries"]:
        read_entry(table, entry)
    seat, openings = private["seat"], private.get("openings", [])
    if [opening["slot"] for opening in openings] != table.told[seat]:
        raise Bad("missing-opening", "the openings are not those of the slots told to this seat", table.round)
    for opening in openings:
        if not fits(table, opening["slot"], opening["face"], opening["salt"]):
            raise Bad("bad-opening", f"{opening['slot']} does not hold what its owner is told", table.round)
        table.count("own_openings")
    if private.get("ask") != table.questions.get(seat):
        raise Bad("false-question", "the question is not the one of the newest entry", table.round)
    if ("legal" in private) != (table.asked.get(seat, "link") != "link"):
        raise Bad("false-legal", "legal moves are listed exactly for a decision", table.round)
    return _counts(table)


def open_transcript(data: bytes) -> tuple[Any, Table]:
    document = parse(data)
    TRANSCRIPT(document, "transcript")
    return document, read_genesis(document["genesis"])


def check_transcript(data: bytes) -> dict[str, int]:
    """All of section 8 that a transcript and no rules allow; returns how much of what was checked."""
    document, table = open_transcript(data)
    secret = bytes.fromhex(document["secret"])
    if H("secret", table.host.nonce, secret) != table.secret_hash:
        raise Bad("bad-secret", "M is not the one of the offer")
    last = derive(secret, "host-chain", table.host.nonce)
    if link_back(table.host.key, table.host.nonce, LINKS, 0, last) != table.tip:
        raise Bad("bad-host-chain", "the host's links do not come from M")
    known = set(FACES.get(table.title, ())) | set(_faces_shown(document["entries"]))
    for sealing in table.sealings:
        _check_sealing(table, sealing, secret, known, "bad-bag", 0)
    genesis_only = len(table.sealings)
    sealed: dict[tuple[int, int], Any] = {}
    for part in document.get("sealed", []):
        if (part["round"], part["seat"]) in sealed:
            raise Bad("bad-sealed", "two sealed parts of one answer", part["round"])
        sealed[part["round"], part["seat"]] = part["secret"]
    for entry in document["entries"]:
        read_entry(table, entry)
        _check_sealed(table, sealed)
    for sealing in table.sealings[genesis_only:]:
        _check_sealing(table, sealing, secret, known, "bad-ops", None)
    if sealed:
        raise Bad("bad-sealed", "a sealed part of an answer that was never given", min(sealed)[0])
    if not table.ended:
        raise Bad("not-over", "the game has not ended", table.round)
    return _counts(table)


def _faces_shown(entries: list[Any]) -> Iterator[str]:
    for entry in entries:
        for op in entry["body"].get("ops", []):
            yield from op.get("faces", [])
            yield from (token["face"] for token in op.get("tokens", []) if "face" in token)


def _check_sealing(table: Table, sealing: Sealing, secret: bytes, known: set[str], code: str, step: int | None) -> None:
    """Find the face of every slot with the salts that M gives; the shuffle of these faces must lay them so."""
    bag, generation = sealing.bag, sealing.generation
    found = []
    for index, leaf in enumerate(sealing.leaves):
        salt = salt_of(secret, table.table, bag, generation, index)
        fitting = next((f for f in known if leaf_of(table.table, bag, generation, index, salt, f) == leaf), None)
        if fitting is None:
            if table.title in FACES:
                raise Bad(code, f"{bag}.{generation}.{index} holds no face of this game", step)
            return  # A face that was never shown, in a game that is not known here: only the rules can tell.
        found.append(fitting)
    if arrange(secret, table.table, bag, generation, found) != found:
        raise Bad(code, f"{bag} was not shuffled by M", step)
    table.count("slots", len(found))


def _check_sealed(table: Table, sealed: dict[tuple[int, int], Any]) -> None:
    """The sealed parts of the answers of the round just read; they are taken out of `sealed`."""
    for seat in range(table.seats):
        commit = table.commits.get((table.round, seat))
        if commit is None:
            continue
        part = sealed.pop((table.round, seat), None)
        if part is None:
            raise Bad("bad-sealed", f"the sealed part of seat {seat} is missing", table.round)
        if commitment(table.game, table.round, seat, bytes.fromhex(part["salt"]), part["fields"]) != commit:
            raise Bad("bad-sealed", f"the sealed part of seat {seat} does not fit its commitment", table.round)
        table.count("sealed")


# --- Section 8: several files ---------------------------------------------------------------------------------------


def check_files(files: list[bytes]) -> None:
    """Views, transcripts and receipts side by side: the host must have told one story."""
    tables: dict[bytes, Table] = {}
    geneses: dict[bytes, bytes] = {}
    entries: dict[tuple[bytes, int], Any] = {}
    privates: dict[tuple[bytes, int, int], Any] = {}
    receipts = []
    for data in files:
        document = parse(data)
        if document.get("type") == PREFIX + "receipt":
            envelope(RECEIPT)(document, "receipt")
            receipts.append(document)
            continue
        private = None
        if document.get("format") == PREFIX + "view":
            document, table, private = open_view(data)
        else:
            document, table = open_transcript(data)
        tables[table.game] = table
        if geneses.setdefault(table.offer, table.game) != table.game:
            raise Bad("two-geneses", "two games from one offer", 0)
        for envelope_ in document["entries"]:
            body = _signed(envelope_, "entry", table.host.key, None, ("bad-entry", "bad-entry"))
            if entries.setdefault((table.game, body["round"]), body) != body:
                raise Bad("two-entries", "two entries of one round", body["round"])
        if private and privates.setdefault((table.game, private["round"], private["seat"]), private) != private:
            raise Bad("two-privates", "one seat was told two different things", private["round"])
    for document in receipts:
        game = bytes.fromhex(document["body"]["game"])
        if game in tables:
            receipt = _signed(document, "receipt", tables[game].host.key, None)
            _check_receipt(receipt, entries.get((game, receipt["round"])))


def _check_receipt(receipt: Any, entry: Any) -> None:
    if entry is None or receipt["code"] != "taken":
        return
    if receipt["seat"] in entry.get("timeouts", []):
        raise Bad("taken-and-timed-out", "the host took this answer and then said it never came", entry["round"])
    moves = [identity("move", rebuilt_move(entry, answer)).hex() for answer in entry["answers"]]
    if receipt["move"] not in moves:
        raise Bad("taken-and-dropped", "the host took an answer that the entry does not have", entry["round"])
