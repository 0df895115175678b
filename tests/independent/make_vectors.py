"""Writes schemas/vectors: `python -m tests.independent.make_vectors`. The same files come out every time.

Every hash, id, signature and expected value in a vector comes from the independent code beside this file.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from . import ed25519, verifier
from .vector_documents import HOST, PLAYERS, Game, Json, Vector, case, documents, flipped, secret, signed
from .verifier import H, canonical, derive, identity

FOLDER = Path(__file__).parents[2] / "schemas" / "vectors"


# --- primitives -----------------------------------------------------------------------------------------------------


def hashes() -> Iterator[tuple[str, Vector]]:
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
        expect = {"items": verifier.items("id", *values).hex(), "hash": H("id", *values).hex()}
        yield name, case(about, "hash", {"label": "id", "parts": given}, expect)
    nonce = secret("nonce of the host")
    for name, about, key, label, given in (
        ("derive-secret", "M from the seed of the host's key and the nonce of its offer", HOST, "secret", nonce),
        (
            "derive-host-chain",
            "the last link r[N] of the host from M",
            derive(HOST, "secret", nonce),
            "host-chain",
            nonce,
        ),
    ):
        value = derive(key, label, given).hex()
        yield name, case(about, "derive", {"key": key.hex(), "label": label, "parts": [{"hex": given.hex()}]}, value)


def part_value(part: Json) -> Any:
    return bytes.fromhex(part["hex"]) if "hex" in part else part.get("text", part.get("int"))


CANONICAL = {
    "good": ("all kinds of values", b'{"a":[1,-2,true,false,null,{}],"b":"","c":[]}'),
    "escapes": ("the only escapes there are", rb'"\"\\\b\t\n\f\r\u0000\u001f"' + b""),
    "utf8": ("everything else is UTF-8: DEL, a slash, an umlaut, line separator, emoji", '"\x7f/ü\u2028😀"'.encode()),
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
    "deep": ("nested 5000 deep", b"[" * 5000 + b"]" * 5000),
    "empty": ("nothing", b""),
}


def canonicals() -> Iterator[tuple[str, Vector]]:
    for name, (about, data) in CANONICAL.items():
        given = {"hex": data.hex()}
        yield f"canonical-{name}", case(about, "canonical", given, {"value": verifier.parse(data)})
    for name, (about, data) in MALFORMED.items():
        yield f"canonical-{name}", case(about, "canonical", {"hex": data.hex()}, error="malformed")


def envelopes() -> Iterator[tuple[str, Vector]]:
    body = {"game": "00" * 32, "text": "Grüße"}
    good = signed(PLAYERS[0], "move", body)
    key = ed25519.public_key(PLAYERS[0]).hex()
    given = {"key": key, "kind": "move", "envelope": good, "seed": PLAYERS[0].hex()}
    expect = {"signed bytes": verifier.encoding("move", canonical(body)).hex(), "id": identity("move", body).hex()}
    yield "envelope-good", case("a signed move (its body is made up)", "envelope", given, expect)
    s = int.from_bytes(bytes.fromhex(good["sig"])[32:], "little") + ed25519.L
    small = [*verifier.WEAK]
    for name, about, changes, other in (
        ("wrong-type", "signed as a move, given as an entry", {"type": verifier.PREFIX + "entry"}, {"kind": "entry"}),
        ("altered-body", "one letter changed", {"body": body | {"text": "Grüsse"}}, {}),
        ("altered-signature", "one digit changed", {"sig": flipped(good["sig"])}, {}),
        ("wrong-key", "the key of another player", {}, {"key": ed25519.public_key(PLAYERS[1]).hex()}),
        ("big-s", "s + L in place of s", {"sig": good["sig"][:64] + s.to_bytes(32, "little").hex()}, {}),
        ("not-on-the-curve", "a key that is no point", {}, {"key": (2).to_bytes(32, "little").hex()}),
    ):
        changed_given = {k: v for k, v in given.items() if k != "seed"} | {"envelope": good | changes} | other
        yield f"envelope-{name}", case(about, "envelope", changed_given, error="bad-signature")
    weak = [y.to_bytes(32, "little").hex() for y in sorted(small)]
    weak += [(y | 1 << 255).to_bytes(32, "little").hex() for y in sorted(small)]
    weak += [y.to_bytes(32, "little").hex() for y in (ed25519.P, ed25519.P + 1, 2**255 - 1)]
    strong = [ed25519.public_key(seed).hex() for seed in (HOST, *PLAYERS)]
    yield (
        "weak-key-refused",
        case("keys that vouch for anything or are not canonical", "weak-key", weak, error="weak-key"),
    )
    yield "weak-key-strong", case("ordinary keys", "weak-key", strong, "strong")


def names() -> Iterator[tuple[str, Vector]]:
    good = ["A", "Anna-Lena", "Jörg", "李小龙", "x" * 40, "Anna B", "R2D2", "אבי"]
    bad = [
        "",
        "x" * 41,
        " Anna",
        "Anna ",
        "A\nB",
        "A\x1b[31m",
        "A\u200bB",
        "A\u202eB",
        "A\u2028B",
        "Jo\u0308rg",
        "\ue000",
    ]
    bad += ["\u00a0A", "A\u3000", "\u0301", "\ud7a4", "\ufeffA", "\u3164", "A\u2800B", "A\ufe0f", "A\U000e0100"]
    yield "name-good", case("good names", "name", good, "good")
    yield "name-bad", case("names that are refused, each for itself", "name", bad, error="bad-name")
    alike = [
        ["Anna", "ANNA"],
        ["Straße", "STRASSE"],
        ["ﬁne", "fine"],
        ["Ａnna", "anna"],
        ["x\u0323\u0301", "x"],
        ["Jörg", "Jorg"],
    ]
    different = [["Anna", "Bert"], ["Anna", "Аnna"]]
    yield "name-alike", case("pairs that may not sit at one table", "names", alike, error="bad-name")
    yield "name-different", case("pairs that may", "names", different, "different")


def links() -> Iterator[tuple[str, Vector]]:
    key, nonce = ed25519.public_key(PLAYERS[0]), secret("nonce of Anna")
    offer = identity("offer", Game().view()["genesis"]["body"]["offer"]["body"])
    last = derive(PLAYERS[0], "chain", offer, nonce)
    chain = {verifier.LINKS: last}
    for index in range(verifier.LINKS, 0, -1):
        chain[index - 1] = verifier.link_before(key, nonce, index, chain[index])
    owner = {"key": key.hex(), "nonce": nonce.hex()}
    whole = {"seed": PLAYERS[0].hex(), "offer": offer.hex()} | owner
    expect = {str(i): chain[i].hex() for i in (0, 1, 2, 3, 4096, 8191, 8192)}
    yield "link-chain-whole", case("all links of a player's chain; some of them", "links", whole, expect)

    def check(low: int, high: int, link: bytes) -> Json:
        return owner | {"seen": {"round": low, "link": chain[low].hex()}, "round": high, "link": link.hex()}

    yield "link-chain-first", case("x[1] under the tip", "link-chain", check(0, 1, chain[1]), "good")
    yield "link-chain-skipped", case("x[9] when x[4] was seen last", "link-chain", check(4, 9, chain[9]), "good")
    yield "link-chain-index", case("x[2] given as x[3]", "link-chain", check(1, 3, chain[2]), error="bad-link")
    yield "link-chain-altered", case("one bit off", "link-chain", check(0, 1, xor(chain[1])), error="bad-link")
    yield "link-chain-again", case("x[4] once more in round 5", "link-chain", check(4, 5, chain[4]), error="bad-link")


def xor(data: bytes) -> bytes:
    return bytes([data[0] ^ 1]) + data[1:]


def accumulators() -> Iterator[tuple[str, Vector]]:
    game = secret("a game")
    for name, about, rounds in (
        ("all", "two seats, both answer in both rounds", [("r1", ["a1", "b1"]), ("r2", ["a2", "b2"])]),
        (
            "missing",
            "three seats; a seat without a link is an empty part",
            [("r1", ["a1", "b1", "c1"]), ("r2", ["", "b2", ""])],
        ),
        ("none", "nobody answers in round 2", [("r1", ["a1", "b1"]), ("r2", ["", ""])]),
    ):
        given, expect = [], []
        acc = verifier.acc_start(game)
        for number, (host, seats) in enumerate(rounds, 1):
            parts = [secret(seat) if seat else b"" for seat in seats]
            acc = verifier.acc_next(game, number, acc, secret(host), parts)
            given.append({"host": secret(host).hex(), "links": [part.hex() for part in parts]})
            expect.append({"acc": acc.hex(), "seed": verifier.seed_of(game, number, acc).hex()})
        start = verifier.acc_start(game).hex()
        about_all = {"game": game.hex(), "rounds": given}
        yield f"accumulator-{name}", case(about, "accumulator", about_all, {"acc0": start, "rounds": expect})


def draws() -> Iterator[tuple[str, Vector]]:
    seed = secret("a seed")
    for n in (1, 2, 6, 255, 256, 257, 1000, 65537):
        values = [verifier.below(seed, k, n) for k in range(40)]
        yield f"below-{n:05}", case(f"draws 0 to 39 below {n}", "below", {"seed": seed.hex(), "n": n}, values)
    # Seven bytes a try, four tries a block, and four bytes are left over for the fifth.
    n = 2**48 + 1
    values = [verifier.below(seed, k, n) for k in range(40)]
    assert any(tries(seed, k, n) > 4 for k in range(40))
    about = f"draws 0 to 39 below {n}: some need the next block, after the bytes left over from the one before"
    yield "below-next-block", case(about, "below", {"seed": seed.hex(), "n": n}, values)


def tries(seed: bytes, k: int, n: int) -> int:
    """How many numbers of seven bytes a draw reads."""
    stream = b"".join(verifier.mac(seed, verifier.u32(k) + verifier.u32(block)) for block in range(7))
    numbers = [int.from_bytes(stream[i : i + 7], "big") % 2**49 for i in range(0, 224, 7)]
    return 1 + next(i for i, number in enumerate(numbers) if number < n)


def slots() -> Iterator[tuple[str, Vector]]:
    m, place = secret("M"), secret("a table")
    faces = ["red"] * 3 + ["black"] * 2 + ["ärmel", "Zed"]
    for bag, generation in (("bag", 0), ("hand/1", 3)):
        order = verifier.arrange(m, place, bag, generation, faces)
        salts = [verifier.salt_of(m, place, bag, generation, i) for i in range(len(order))]
        leaves = [
            verifier.leaf_of(place, bag, generation, i, salt, face)
            for i, (salt, face) in enumerate(zip(salts, order, strict=True))
        ]
        given = {"secret": m.hex(), "table": place.hex(), "bag": bag, "generation": generation}
        tag = bag.replace("/", "-")
        yield f"shuffle-{tag}", case("faces in slot order", "shuffle", given | {"faces": faces}, order)
        expect = [{"salt": s.hex(), "leaf": x.hex()} for s, x in zip(salts, leaves, strict=True)]
        yield f"slot-{tag}", case("salts and leaves of all slots", "slot", given | {"order": order}, expect)
    many = [f"{n:03}" for n in range(300)]
    given = {"secret": m.hex(), "table": place.hex(), "bag": "deck", "generation": 0, "faces": many}
    yield "shuffle-300", case("more than 256 faces", "shuffle", given, verifier.arrange(m, place, "deck", 0, many))
    yield "shuffle-one", case("a single face", "shuffle", given | {"faces": ["x"]}, ["x"])


def commitments() -> Iterator[tuple[str, Vector]]:
    game = secret("a game")
    salt = derive(PLAYERS[0], "salt", game, 7)
    given = {"game": game.hex(), "round": 7, "seat": 0, "fields": {"amount": 3, "note": "ä"}, "seed": PLAYERS[0].hex()}
    commit = verifier.commitment(game, 7, 0, salt, given["fields"])
    yield (
        "commitment-good",
        case("salt and commitment", "commitment", given, {"salt": salt.hex(), "commit": commit.hex()}),
    )
    m, position = secret("M"), {"hidden": {}, "own": [{}], "pending": [], "public": {"a": 1}, "result": None}
    full = H("full", game, 7, derive(m, "full", game, 7), canonical(position))
    public = H("public", game, 7, canonical(position["public"]))
    given = {"game": game.hex(), "round": 7, "secret": m.hex(), "position": position}
    expect = {"full": full.hex(), "public": public.hex()}
    yield "position-hashes", case("`public` and `full` of an entry, of a made-up position", "position", given, expect)


# --- files ----------------------------------------------------------------------------------------------------------


def all_vectors() -> dict[str, Vector]:
    out: dict[str, Vector] = {}
    for make in (hashes, canonicals, envelopes, names, links, accumulators, draws, slots, commitments):
        out |= dict(make())
    return out | documents()


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
