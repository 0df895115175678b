"""Writes schemas/vectors: `python -m tests.independent.make_vectors`. The same files come out every time.

Every hash, id, signature and expected value in a vector comes from the independent code beside this file, or was worked
out by hand (who is asked, which codes are right).
"""

import base64
import copy
import json
import string
from collections.abc import Iterator
from pathlib import Path

from . import ed25519, hpke, wire
from .vector_documents import documents
from .vector_tools import Vector, flipped, secret, signed, small_r
from .wire import H, Json, canonical, derive, identity

FOLDER = Path(__file__).parents[2] / "schemas" / "vectors"
HOST, PLAYERS = secret("host"), [secret("Anna"), secret("Bert")]


def case(name: str, section: int, kind: str, about: str, given: Json, value: Json = None, codes: str = "") -> Vector:
    vector = {"name": name, "section": section, "kind": kind, "about": about, "given": given}
    return vector | ({"expect": codes.split()} if codes else {"expect": "ok", "value": value})


# --- sections 1 and 2 -----------------------------------------------------------------------------------------------


def hashes() -> Iterator[Vector]:
    parts: list[tuple[str, str, list[Json]]] = [
        ("hash-label-only", "no parts at all", []),
        (
            "hash-parts",
            "a text, an integer, bytes, nothing",
            [{"text": "Bücher"}, {"int": 258}, {"hex": "00ff"}, {"hex": ""}],
        ),
        ("hash-borders", "the border between parts matters: a, bc is not ab, c", [{"text": "a"}, {"text": "bc"}]),
    ]
    for name, about, given in parts:
        values = [part_value(part) for part in given]
        value = {"items": wire.items("id", *values).hex(), "hash": H("id", *values).hex()}
        yield case(name, 1, "hash", about, {"label": "id", "parts": given}, value)
    nonce, game = secret("nonce of the host"), secret("a game")
    m = derive(HOST, "secret", nonce)
    for name, about, key, label, values in (
        ("derive-secret", "M from the seed of the host's key and the nonce of its offer", HOST, "secret", [nonce]),
        ("derive-host-chain", "the last link r[N] of the host from M", m, "host-chain", [nonce]),
        ("derive-salt", "the salt of a sealed field", PLAYERS[0], "salt", [game, 7, "amount", "3"]),
        ("derive-box", "the private half of the key in an offer, from its nonce", HOST, "box", [nonce]),
        ("derive-kept", "a key that the host keeps: for the second invitation to an offer", HOST, "kept", [game, 2]),
        ("derive-chain", "the last link x[N] of who took over a seat", PLAYERS[0], "succession-chain", [game, nonce]),
        (
            "derive-kept-successor",
            "a key that the host keeps for who takes over the third seat",
            HOST,
            "kept-successor",
            [game, 2, secret("an entry")],
        ),
        ("derive-kept-nonce", "the nonce of a join that the host makes", PLAYERS[0], "nonce", []),
    ):
        spelled = [
            {"hex": v.hex()} if isinstance(v, bytes) else {"int": v} if isinstance(v, int) else {"text": v}
            for v in values
        ]
        given = {"key": key.hex(), "label": label, "parts": spelled}
        yield case(name, 1, "derive", about, given, derive(key, label, *values).hex())


def part_value(part: Json) -> Json:
    return bytes.fromhex(part["hex"]) if "hex" in part else part.get("text", part.get("int"))


CANONICAL = {
    "good": ("all kinds of values", b'{"a":[1,-2,true,false,null,{}],"b":"","c":[]}'),
    "escapes": ("the only escapes there are", rb'"\"\\\b\t\n\f\r\u0000\u001f"' + b""),
    "utf8": ("everything else is UTF-8: DEL, a slash, an umlaut, line separator, emoji", '"\x7f/ü\u2028😀"'.encode()),
    "depth-64": ("an embedded value nested 64 deep", b"[" * 64 + b"]" * 64),
    "integers": ("the smallest and the biggest integer", b"[-9007199254740991,9007199254740991,0]"),
}
MALFORMED = {
    "duplicate-key": ("a key occurs twice", b'{"a":1,"a":1}'),
    "unsorted-keys": ("keys are not sorted", b'{"b":1,"a":1}'),
    "space": ("a space after the colon", b'{"a": 1}'),
    "leading-line-break": ("a line break before the document", b'\n{"a":1}'),
    "escaped-slash": ("an escape that is not needed", rb'"\/"'),
    "escaped-letter": ("a letter as an escape", rb'"\u0041"'),
    "upper-case-escape": ("upper-case digits in an escape", rb'"\u001F"'),
    "long-escape": ("an escape that has a short form", rb'"\u000a"'),
    "raw-control": ("a control character as it is", b'"\x01"'),
    "lone-surrogate": ("half of a pair", rb'"\ud800"'),
    "minus-zero": ("minus zero", b"-0"),
    "float": ("a fraction", b"1.5"),
    "float-whole": ("a whole number written as a fraction", b"1.0"),
    "exponent": ("an exponent", b"1e3"),
    "leading-zero": ("a leading zero", b"01"),
    "big-integer": ("2^53", b"9007199254740992"),
    "small-integer": ("-2^53", b"-9007199254740992"),
    "not-a-number": ("not JSON at all", b"NaN"),
    "key-not-ascii": ("a key outside ASCII", '{"ä":1}'.encode()),
    "byte-order-mark": ("a byte order mark", b"\xef\xbb\xbf{}"),
    "bad-utf8": ("a byte that is not UTF-8", b'"\xff"'),
    "long-utf8": ("a slash in two bytes", b'"\xc0\xaf"'),
    "two-documents": ("something follows", b"{}{}"),
    "trailing-comma": ("a comma too many", b"[1,]"),
    "depth-65": ("an embedded value nested 65 deep", b"[" * 65 + b"]" * 65),
    "deep": ("nested 5000 deep", b"[" * 5000 + b"]" * 5000),
    "empty": ("nothing", b""),
}


def canonicals() -> Iterator[Vector]:
    for name, (about, data) in CANONICAL.items():
        yield case(f"canonical-{name}", 2, "canonical", about, {"hex": data.hex()}, wire.parse(data))
    for name, (about, data) in MALFORMED.items():
        yield case(f"canonical-{name}", 2, "canonical", about, {"hex": data.hex()}, codes="malformed")


# --- section 3 ------------------------------------------------------------------------------------------------------


def envelopes() -> Iterator[Vector]:
    body = {"game": "00" * 32, "text": "Grüße"}
    good = signed(PLAYERS[0], "move", body)
    key = ed25519.public_key(PLAYERS[0]).hex()
    given = {"key": key, "kind": "move", "envelope": good}
    value = {"signed bytes": wire.encoding("move", canonical(body)).hex(), "id": identity("move", body).hex()}
    about = "a signed move (its body is made up); `seed` is that of the key"
    yield case("envelope-good", 3, "envelope", about, given | {"seed": PLAYERS[0].hex()}, value)
    s = int.from_bytes(bytes.fromhex(good["sig"])[32:], "little") + ed25519.L
    neutral = small_r(PLAYERS[0], "move", body)["sig"]
    odd_r = (ed25519.P + 1).to_bytes(32, "little").hex() + neutral[64:]
    other = ed25519.public_key(PLAYERS[1]).hex()
    for name, about, changes, more, codes in (
        (
            "wrong-type",
            "signed as a move, given as an entry",
            {"type": wire.PREFIX + "entry"},
            {"kind": "entry"},
            "bad-signature",
        ),
        ("other-kind", "a move where an entry is due", {}, {"kind": "entry"}, "wrong-kind"),
        ("altered-body", "one letter changed", {"body": body | {"text": "Grüsse"}}, {}, "bad-signature"),
        ("altered-signature", "one digit changed", {"sig": flipped(good["sig"])}, {}, "bad-signature"),
        ("wrong-key", "the key of another player", {}, {"key": other}, "bad-signature"),
        (
            "big-s",
            "s + L in place of s",
            {"sig": good["sig"][:64] + s.to_bytes(32, "little").hex()},
            {},
            "bad-signature",
        ),
        ("small-r", "R is the neutral point, and fits the equation", {"sig": neutral}, {}, "bad-signature"),
        ("odd-r", "R is the neutral point with y = p + 1", {"sig": odd_r}, {}, "bad-signature"),
        ("not-on-the-curve", "a key that is no point", {}, {"key": (2).to_bytes(32, "little").hex()}, "bad-signature"),
    ):
        yield case(f"envelope-{name}", 3, "envelope", about, given | {"envelope": good | changes} | more, codes=codes)
    yield from mixed_order()
    small = sorted(ed25519.SMALL)
    weak = [y.to_bytes(32, "little").hex() for y in small]
    weak += [(y | 1 << 255).to_bytes(32, "little").hex() for y in small]
    weak += [y.to_bytes(32, "little").hex() for y in (ed25519.P, ed25519.P + 1, 2**255 - 1)]
    strong = [ed25519.public_key(seed).hex() for seed in (HOST, *PLAYERS)]
    for number, one in enumerate(weak):
        about = "a key that vouches for anything, or is not canonical"
        yield case(f"weak-key-{number:02}", 3, "weak-key", about, one, codes="weak-key")
    for number, one in enumerate(strong):
        yield case(f"strong-key-{number}", 3, "weak-key", "an ordinary key", one, "strong")


def mixed_order() -> Iterator[Vector]:
    """A key with a part of order 8: only a check that clears the cofactor takes every signature under it."""
    point = ed25519._decode(bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"))
    assert point is not None
    x, y = point
    ready = ed25519._ready([(x, y, 1, x * y % ed25519.P)])[0]
    scalar, prefix = ed25519._expand(PLAYERS[0])
    key = ed25519._encode(ed25519._add(ed25519._times(scalar, ed25519._base()), ready))
    wanted = {True: "envelope-mixed-good", False: "envelope-mixed-cofactor"}
    for number in range(100):
        body = {"number": number}
        message = wire.encoding("move", canonical(body))
        r = ed25519._hash(prefix, message) % ed25519.L
        start = ed25519._encode(ed25519._times(r, ed25519._base()))
        k = ed25519._hash(start, key, message) % ed25519.L
        name = wanted.pop(k % 8 == 0, "")
        if name:
            sig = start + ((r + k * scalar) % ed25519.L).to_bytes(32, "little")
            envelope = {"body": body, "sig": sig.hex(), "type": wire.PREFIX + "move"}
            given = {"key": key.hex(), "kind": "move", "envelope": envelope}
            value = {"signed bytes": message.hex(), "id": identity("move", body).hex()}
            if k % 8 == 0:
                yield case(
                    name,
                    3,
                    "envelope",
                    "a key of mixed order, and the equation holds without the cofactor",
                    given,
                    value,
                )
            else:
                yield case(
                    name, 3, "envelope", "the equation holds only with the cofactor", given, codes="bad-signature"
                )
    assert not wanted


# --- section 4 ------------------------------------------------------------------------------------------------------


def names() -> Iterator[Vector]:
    chosen = ["A", "Anna-Lena", "Jörg", "李小龙", "x" * 40, "Anna B", "R2D2", "אבי"]
    odd = [
        " Anna",
        "A\u200bB",
        "Jo\u0308rg",
        "\ue000",
        "\u0378",
        "\u0301",
        "\u3164",
        "\u2027",
        "\u206a",
        "\ufdcf",
        "\U0001f600" * 40,
    ]
    refused = [
        "",
        "x" * 41,
        "\x00",
        "A\x1f",
        "A\x7f",
        "A\x9f",
        "\u061c",
        "\u200e",
        "\u200f",
        "\u2028",
        "\u202e",
        "\u2066",
        "\u2069",
    ]
    refused += ["\ufdd0", "\ufdef", "\ufffe", "\uffff", "\U0001fffe", "\U0010ffff", "\U0001f600" * 41]
    for number, name in enumerate((*chosen, *odd)):
        yield case(f"name-good-{number:02}", 4, "name", f"a verifier lets it pass: {name!a}", name, "good")
    for number, name in enumerate(refused):
        yield case(f"name-bad-{number:02}", 4, "name", f"an offence: {name!a}", name, codes="bad-name")
    bad = ["", "x" * 41, " Anna", "Anna ", "A\nB", "A\x1b[31m", "A\u200bB", "A\u202eB", "A\u2028B", "Jo\u0308rg"]
    bad += ["\ue000", "\u00a0A", "A\u3000", "\u0301", "\ufeffA", "\u3164", "A\u2800B", "A\ufe0f", "A\U000e0100"]
    for number, name in enumerate(chosen):
        yield case(f"tool-name-good-{number}", 4, "tool-name", f"a tool lets it pass: {name!a}", name, "good")
    for number, name in enumerate(bad):
        yield case(f"tool-name-bad-{number:02}", 4, "tool-name", f"a tool refuses it: {name!a}", name, codes="bad-name")
    alike = [
        ["Anna", "ANNA"],
        ["Straße", "STRASSE"],
        ["ﬁne", "fine"],
        ["Ａnna", "anna"],
        ["x\u0323\u0301", "x"],
        ["Jörg", "Jorg"],
    ]
    for number, pair in enumerate(alike):
        yield case(
            f"tool-names-alike-{number}",
            4,
            "tool-names",
            "a pair that no tool seats at one table",
            pair,
            codes="bad-name",
        )
    for number, pair in enumerate([["Anna", "Bert"], ["Anna", "Аnna"]]):
        yield case(f"tool-names-different-{number}", 4, "tool-names", "a pair that folds to two", pair, "different")


def commitments() -> Iterator[Vector]:
    game = secret("a game")
    for name, field, value in (("number", "amount", 3), ("list", "cards", ["ä", "b"]), ("nothing", "note", None)):
        salt = derive(PLAYERS[0], "salt", game, 7, field, canonical(value))
        given = {"game": game.hex(), "round": 7, "seat": 0, "field": field, "value": value, "seed": PLAYERS[0].hex()}
        commit = wire.commitment(game, 7, 0, field, {"salt": salt.hex(), "value": value})
        yield case(
            f"commitment-{name}", 4, "commitment", "salt and commitment", given, {"salt": salt.hex(), "commit": commit}
        )


def boxes() -> Iterator[Vector]:
    """`private` is the host's: a reader of another make can open what is sealed, and its player seals the same again
    with `seed`, whose key for it is `ephemeral`."""
    private, game = derive(HOST, "box", secret("nonce of the host")), secret("a game")
    public = hpke.public_key(private)
    fields = {"amount": {"salt": derive(PLAYERS[0], "salt", game, 7, "amount", b"3").hex(), "value": 3}}
    two = {name: {"salt": "00" * 32, "value": "ü" * 300} for name in ("other", "note")}

    def moved(fields: Json) -> Json:
        commit = {name: wire.commitment(game, 7, 0, name, one) for name, one in fields.items()}
        place = {"game": game.hex(), "round": 7, "seat": 0, "asked": secret("an entry").hex()}
        return place | {"link": secret("a link").hex(), "answer": {"do": "bid"}, "commit": commit}

    def sealed(move: Json, data: bytes) -> Json:
        named = move | {"box": wire.box_hash(data)}
        return {"private": private.hex(), "move": named, "sealed": base64.b64encode(data).decode()}

    def made(move: Json, fields: Json, ephemeral: bytes) -> Json:
        more = {"public": public.hex(), "seed": PLAYERS[0].hex(), "ephemeral": ephemeral.hex()}
        return sealed(move, wire.boxed(ephemeral, public, move, fields)) | more | {"info": wire.box_info(move).hex()}

    move = moved(fields)
    ephemeral = wire.own_ephemeral(PLAYERS[0], move, fields)
    good = made(move, fields, ephemeral)
    yield case("box-good", 4, "box", "a sealed field, for the host alone", good, fields)
    both = made(moved(two), two, wire.own_ephemeral(PLAYERS[0], moved(two), two))
    yield case("box-two-blocks", 4, "box", "two fields that fill more than 512 bytes", both, two)
    given = {name: good[name] for name in ("private", "move", "sealed")}
    spelt, data = given["sealed"], base64.b64decode(given["sealed"])
    # 560 bytes: of the last character two bits count for nothing.
    alphabet = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"
    loose = alphabet[alphabet.index(spelt[-2]) + 1]
    assert (len(data), base64.b64decode(spelt[:-2] + loose + "=")) == (560, data)
    flipped = data[:40] + bytes((data[40] ^ 1,)) + data[41:]
    for name, about, changes in (
        ("missing", "no encrypted part", {"sealed": ""}),
        ("exchanged", "the encrypted part of another move", {"sealed": both["sealed"]}),
        ("flipped", "a bit changed", {"sealed": base64.b64encode(flipped).decode()}),
        ("no-base64", "a character that is not in base64", {"sealed": spelt[:-4] + "!!=="}),
        ("loose-base64", "bits that base64 has to leave empty", {"sealed": spelt[:-2] + loose + "="}),
        ("break", "a line break in it", {"sealed": spelt[:64] + "\n" + spelt[64:]}),
        ("no-hash", "a move that names no encrypted part", {"move": move}),
    ):
        yield case(f"box-{name}", 4, "box", about, given | changes, codes="damaged")

    def filled(text: bytes) -> Json:
        return sealed(move, hpke.seal(ephemeral, public, wire.box_info(move), text))

    text, other = canonical(fields), move | {"round": 8}
    for name, about, changed in (
        ("other-move", "beside another move, which names its hash", sealed(other, data)),
        ("other-host", "for another host", given | {"private": secret("another host").hex()}),
        ("flipped-signed", "a bit changed before it was signed", sealed(move, flipped)),
        ("cut", "a byte is missing, and was when it was signed", sealed(move, data[:-1])),
        ("short", "shorter than any", sealed(move, data[:40])),
        ("not-filled", "not filled up to 512 bytes", filled(text)),
        ("filled-twice", "filled up with a block too many", filled(text.ljust(1024))),
        ("tabs", "filled up with tabs", filled(text.ljust(512, b"\t"))),
        ("spelling", "another spelling of the fields", filled(text.replace(b":", b": ").ljust(512))),
        ("no-salt", "a field without its salt", filled(b'{"amount":{"value":3}}'.ljust(512))),
    ):
        yield case(f"box-{name}", 4, "box", about, changed, codes="bad-commitment")


BOX_ORDER_8 = (
    "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
    "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
)


def weak_boxes() -> Iterator[Vector]:
    low = [0, 1, hpke.P - 1, *(int.from_bytes(bytes.fromhex(one), "little") for one in BOX_ORDER_8)]
    points = [*low, *(point | 1 << 255 for point in low), hpke.P, hpke.P + 1, hpke.P + 9, 2**255 - 1]
    for number, point in enumerate(points):
        about = "a box key of small order, or not canonical"
        yield case(f"weak-box-{number:02}", 3, "weak-box", about, point.to_bytes(32, "little").hex(), codes="weak-box")
    for number, seed in enumerate((HOST, *PLAYERS)):
        yield case(f"strong-box-{number}", 3, "weak-box", "an ordinary key", hpke.public_key(seed).hex(), "strong")


# --- sections 5 and 6 -----------------------------------------------------------------------------------------------


def links() -> Iterator[Vector]:
    key, nonce, offer = ed25519.public_key(PLAYERS[0]), secret("nonce of Anna"), secret("an offer")
    chain = {wire.LINKS: derive(PLAYERS[0], "chain", offer, nonce)}
    for index in range(wire.LINKS, 0, -1):
        chain[index - 1] = H("link", key, nonce, index, chain[index])
    owner = {"key": key.hex(), "nonce": nonce.hex()}
    whole = {"seed": PLAYERS[0].hex(), "offer": offer.hex()} | owner
    value = {str(i): chain[i].hex() for i in (0, 1, 2, 3, 1024, 2047, 2048)}
    yield case("link-chain-whole", 5, "links", "all links of a player's chain; some of them", whole, value)

    def check(low: int, high: int, link: bytes) -> Json:
        return owner | {"seen": [low, chain[low].hex()], "round": high, "link": link.hex()}

    altered = bytes([chain[1][0] ^ 1]) + chain[1][1:]
    for name, about, given in (
        ("first", "x[1] under the tip", check(0, 1, chain[1])),
        ("skipped", "x[9] when x[4] was seen last", check(4, 9, chain[9])),
        ("last", "x[2048] when x[2047] was seen last", check(2047, 2048, chain[2048])),
        ("far", "x[2048] under the tip", check(0, 2048, chain[2048])),
    ):
        yield case(f"link-{name}", 5, "link", about, given, "good")
    for name, about, given in (
        ("index", "x[2] given as x[3]", check(1, 3, chain[2])),
        ("altered", "one bit off", check(0, 1, altered)),
        ("again", "x[4] once more in round 5", check(4, 5, chain[4])),
        ("early", "x[6] in round 5", check(4, 5, chain[6])),
    ):
        yield case(f"link-{name}", 5, "link", about, given, codes="bad-link")


def accumulators() -> Iterator[Vector]:
    game = secret("a game")
    for name, about, rounds in (
        ("all", "two seats, both answer in both rounds", [("r1", ["a1", "b1"]), ("r2", ["a2", "b2"])]),
        ("missing", "a seat without a link is an empty part", [("r1", ["a1", "b1", "c1"]), ("r2", ["", "b2", ""])]),
        ("none", "nobody answers in round 2", [("r1", ["a1", "b1"]), ("r2", ["", ""])]),
    ):
        given, value = [], []
        acc = H("acc0", game)
        for number, (host, seats) in enumerate(rounds, 1):
            parts = [secret(seat) if seat else b"" for seat in seats]
            acc = wire.acc_next(game, number, acc, secret(host), parts)
            given.append({"host": secret(host).hex(), "links": [part.hex() for part in parts]})
            value.append({"acc": acc.hex(), "seed": wire.seed_of(game, number, acc).hex()})
        start = {"acc0": H("acc0", game).hex(), "rounds": value}
        yield case(f"accumulator-{name}", 6, "accumulator", about, {"game": game.hex(), "rounds": given}, start)


BIDS = [{"sealed": ["amount"], "seat": seat, "what": "bid"} for seat in range(3)]
RAID = [{"sealed": ["card"], "seat": 1, "what": "raid"}]
WAIT = [{"seat": seat, "what": "link"} for seat in range(3)]


def held(*seats: int) -> list[Json]:
    return [{"answer": {}, "commit": {"amount": "00" * 32}, "round": 4, "seat": seat} for seat in seats]


ASKED: list[tuple[str, str, Json, str]] = [
    ("start", "before round 1: everybody, for an ack", {"round": 0}, "link link link"),
    ("all", "all are asked together", {"pending": BIDS}, "bid bid bid"),
    ("one", "one is asked", {"pending": RAID}, "- raid -"),
    ("links", "a link of everybody is asked for", {"pending": WAIT}, "link link link"),
    ("late-once", "one timeout puts nobody out", {"pending": BIDS, "missed": [1, 0, 0]}, "bid bid bid"),
    ("out", "a seat that is out is not asked", {"pending": BIDS, "missed": [2, 0, 0]}, "- bid bid"),
    ("left", "nor is one that resigned", {"pending": BIDS, "left": [[2, 3]]}, "bid bid -"),
    (
        "only-out",
        "only a seat that is out would decide: the others for a link",
        {"pending": RAID, "missed": [0, 2, 0]},
        "link - link",
    ),
    ("only-left", "the same with one that resigned", {"pending": RAID, "left": [[1, 3]]}, "link - link"),
    (
        "holding",
        "held answers: a link of each, and the decision of who was late",
        {"pending": BIDS, "holding": True, "held": held(0, 2), "missed": [0, 1, 0]},
        "link bid link",
    ),
    (
        "holding-none",
        "nothing is held: all decide again",
        {"pending": BIDS, "holding": True, "missed": [1, 1, 1]},
        "bid bid bid",
    ),
    (
        "holding-out",
        "who is out by now is not asked again",
        {"pending": BIDS, "holding": True, "held": held(0), "missed": [0, 2, 1]},
        "link - bid",
    ),
    (
        "holding-others",
        "seats that were not asked before give a link too",
        {"pending": RAID, "holding": True, "missed": [0, 1, 0]},
        "link raid link",
    ),
    (
        "holding-links",
        "a round of links is held: links again",
        {"pending": WAIT, "holding": True, "missed": [0, 1, 0]},
        "link link link",
    ),
    (
        "linking",
        "somebody took a seat or came back: a link of each, and the decision of who has one",
        {"pending": RAID, "linking": True},
        "link raid link",
    ),
    ("linking-all", "the same where all decide", {"pending": BIDS, "linking": True}, "bid bid bid"),
    (
        "linking-out",
        "who is still out is not asked",
        {"pending": RAID, "linking": True, "missed": [2, 0, 0]},
        "- raid link",
    ),
    (
        "linking-held",
        "who has decided before gives a link",
        {"pending": BIDS, "linking": True, "holding": True, "held": held(0)},
        "link bid bid",
    ),
    (
        "rests",
        "all are out: who is in question is asked again",
        {"pending": BIDS, "holding": True, "missed": [2, 2, 3]},
        "bid bid bid",
    ),
    ("rests-one", "all are out, one decides", {"pending": RAID, "missed": [2, 2, 2]}, "- raid -"),
    (
        "rests-held",
        "all are out, something is held",
        {"pending": BIDS, "holding": True, "held": held(1), "missed": [2, 2, 2]},
        "bid link bid",
    ),
    (
        "rests-left",
        "all are out, one of them resigned",
        {"pending": BIDS, "missed": [2, 0, 4], "left": [[1, 3]]},
        "bid - bid",
    ),
    (
        "rests-decider-left",
        "all are out, and who would decide resigned",
        {"pending": RAID, "missed": [2, 0, 2], "left": [[1, 3]]},
        "link - link",
    ),
    (
        "end",
        "nobody after an end",
        {"pending": [], "end": "result", "result": {"ranks": [1, 1, 1], "scores": [[0], [0], [0]]}},
        "- - -",
    ),
    ("void", "nobody after the last round", {"pending": BIDS, "round": 2048, "end": "void"}, "- - -"),
    ("last", "round 2,048 is asked for like any other", {"pending": BIDS, "round": 2047}, "bid bid bid"),
]
"""Name, in words, what the state says beside the defaults, and what seats 0, 1 and 2 are asked."""


def asked() -> Iterator[Vector]:
    tip = "00" * 32
    for name, about, changes, value in ASKED:
        state = {
            "acc": tip,
            "book": {},
            "host_link": [0, tip],
            "links": [[0, tip]] * 3,
            "missed": [0, 0, 0],
            "round": 4,
        }
        given = {key: part for key, part in (state | copy.deepcopy(changes)).items() if part != []}
        seats = {str(seat): what for seat, what in enumerate(value.split()) if what != "-"}
        yield case(f"asked-{name}", 6, "asked", about, given, seats)


# --- section 7 ------------------------------------------------------------------------------------------------------


def draws() -> Iterator[Vector]:
    seed = secret("a seed")
    for n in (1, 2, 6, 255, 256, 257, 1000, 65537):
        values = [wire.below(seed, k, n) for k in range(40)]
        yield case(f"below-{n:05}", 7, "below", f"draws 0 to 39 below {n}", {"seed": seed.hex(), "n": n}, values)
    # Seven bytes a try, four tries a block, and four bytes are left over for the fifth.
    n = 2**48 + 1
    values = [wire.below(seed, k, n) for k in range(40)]
    assert any(tries(seed, k, n) > 4 for k in range(40))
    about = f"draws 0 to 39 below {n}: some need the next block, after the bytes left over from the one before"
    yield case("below-next-block", 7, "below", about, {"seed": seed.hex(), "n": n}, values)


def tries(seed: bytes, k: int, n: int) -> int:
    """How many seven-byte numbers a draw reads."""
    stream = b"".join(wire.mac(seed, wire.u32(k) + wire.u32(block)) for block in range(7))
    numbers = [int.from_bytes(stream[i : i + 7], "big") % 2**49 for i in range(0, 224, 7)]
    return 1 + next(i for i, number in enumerate(numbers) if number < n)


def slots() -> Iterator[Vector]:
    m, seating = secret("M"), secret("a seating")
    faces = ["red"] * 3 + ["black"] * 2 + ["ärmel", "Zed"]
    for bag, generation in (("bag", 0), ("hand/1", 3)):
        order = wire.arrange(m, seating, bag, generation, faces)
        given = {"secret": m.hex(), "seating": seating.hex(), "bag": bag, "generation": generation}
        tag = bag.replace("/", "-")
        yield case(f"shuffle-{tag}", 7, "shuffle", "faces in slot order", given | {"faces": faces}, order)
        sealed = wire.sealed_leaves(m, seating, bag, generation, faces)
        value = [
            {
                "salt": wire.salt_of(m, seating, bag, generation, i).hex(),
                "leaf": leaf,
                "order": wire.order_of(m, seating, bag, generation, i).hex(),
            }
            for i, (_, leaf) in enumerate(sealed.values())
        ]
        about = "salt and leaf of all slots, and their place in the order of equal faces"
        yield case(f"slot-{tag}", 7, "slot", about, given | {"order": order}, value)
    many = [f"{n:03}" for n in range(300)]
    given = {"secret": m.hex(), "seating": seating.hex(), "bag": "deck", "generation": 0, "faces": many}
    yield case("shuffle-300", 7, "shuffle", "more than 256 faces", given, wire.arrange(m, seating, "deck", 0, many))
    yield case("shuffle-one", 7, "shuffle", "a single face", given | {"faces": ["x"]}, ["x"])


# --- files ----------------------------------------------------------------------------------------------------------

PRIMITIVES = (
    hashes,
    canonicals,
    envelopes,
    names,
    commitments,
    boxes,
    weak_boxes,
    links,
    accumulators,
    asked,
    draws,
    slots,
)


def all_vectors() -> dict[str, Vector]:
    return {vector["name"]: vector for make in PRIMITIVES for vector in make()} | documents()


def spelled(vector: Vector) -> str:
    return json.dumps(vector, indent=1, sort_keys=True, ensure_ascii=True) + "\n"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    wanted = {name + ".json": spelled(vector) for name, vector in all_vectors().items()}
    for path in FOLDER.glob("*.json"):
        if path.name not in wanted:
            path.unlink()
    for name, text in wanted.items():
        (FOLDER / name).write_text(text)


if __name__ == "__main__":
    main()
