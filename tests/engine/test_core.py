"""Bytes, hashes, links, draws and slots against independent implementations."""

import hashlib
import hmac
import json
import math
from collections import Counter

import msgspec
import pytest
import rfc8785
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.crypto import links, slots
from referee.crypto.codec import BIGGEST, H, check_plain, decode, derive, encode, items
from referee.crypto.envelope import Envelope, ident, read_signed, sign, signed_bytes
from referee.crypto.keys import Key
from referee.crypto.stream import Stream
from referee.engine.records import Ask, Entry, Join, Move, Token
from referee.errors import BadSignature, Malformed
from tests.support.match import Sitting, chance

TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=30)
KEYS = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=8)
NUMBERS = st.integers(-BIGGEST, BIGGEST)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)
PARTS = st.lists(st.binary(max_size=40) | TEXT | st.integers(0, 2**64 - 1), max_size=6)


# --- canonical form


@pytest.mark.thorough
@given(VALUES)
@settings(max_examples=300, deadline=None)
def test_the_canonical_form_is_rfc_8785(value):
    assert encode(value) == rfc8785.dumps(value)


@pytest.mark.thorough
@given(VALUES)
@settings(max_examples=100, deadline=None)
def test_it_reads_what_it_writes(value):
    assert json.loads(encode(value)) == value
    assert check_plain(encode(value), "value") == value


@pytest.mark.parametrize("code", [*range(0x20), 0x22, 0x5C, 0x7F, 0x80, 0x2028, 0x2029, 0xFFFD, 0xFFFF, 0x1F3B2])
def test_every_awkward_character_is_spelt_as_rfc_8785_says(code):
    assert encode(chr(code)) == rfc8785.dumps(chr(code))


@pytest.mark.parametrize(
    "text",
    ["1.5", "1e400", "Infinity", "NaN", str(2**53), str(-(2**53)), '{"\u00e9":1}', '[[{"a":[0.0]}]]', '{"a":1,"a":1}'],
)
def test_values_that_readers_disagree_about(text):
    with pytest.raises(Malformed):
        check_plain(text.encode(), "value")


@pytest.mark.parametrize(
    "text",
    [
        '{"seat":1,"what":"x" }', ' {"seat":1,"what":"x"}', '{"what":"x","seat":1}', '{"seat":1,"seat":1,"what":"x"}',
        '{"seat":1.0,"what":"x"}', '{"seat":1e0,"what":"x"}', '{"seat":-0,"what":"x"}', '{"seat":01,"what":"x"}',
        '{"seat":1,"what":"\\u0078"}', '{"seat":1,"what":"\\/"}', '{"seat":1,"what":"x","sealed":[]}',
        '{"seat":1,"what":"x","more":0}', '{"seat":"1","what":"x"}', '{"seat":null,"what":"x"}', '{"seat":1}', "[1]",
        '{"seat":1,"what":"\ud800"}', '{"seat":1,"what":"x"}\n', '{"seat":1,"what":"x"}{}', "",
    ],
)  # fmt: skip
def test_second_spellings_are_refused(text):
    assert decode(b'{"seat":1,"what":"x"}', Ask, "ask") == Ask(1, "x")
    with pytest.raises(Malformed):
        decode(text.encode("utf-8", "surrogatepass"), Ask, "ask")


@pytest.mark.thorough
@given(st.binary(max_size=200))
@settings(max_examples=300, deadline=None)
def test_rubbish_is_malformed_and_nothing_worse(data):
    for kind in (Envelope, Move, Entry, Join):
        with pytest.raises(Malformed):
            decode(data, kind, "document")


# --- hash and derivation


def by_hand(label: str, parts: list) -> bytes:
    out = b""
    for part in [("pbem-referee/1/" + label), *parts]:
        data = part.encode() if isinstance(part, str) else part.to_bytes(8, "big") if isinstance(part, int) else part
        out += len(data).to_bytes(4, "big") + data
    return out


@given(st.sampled_from(["id", "link", "seed"]), PARTS)
@settings(max_examples=200, deadline=None)
def test_the_hash(label, parts):
    assert items(label, tuple(parts)) == by_hand(label, parts)
    assert H(label, *parts) == hashlib.sha256(by_hand(label, parts)).digest()


@given(st.binary(min_size=32, max_size=32), PARTS)
@settings(max_examples=100, deadline=None)
def test_the_derivation_is_hkdf(secret, parts):
    oracle = HKDF(hashes.SHA256(), 32, salt=bytes(32), info=by_hand("salts", parts)).derive(secret)
    assert derive(secret, "salts", *parts) == oracle
    assert oracle == HKDF(hashes.SHA256(), 32, salt=None, info=by_hand("salts", parts)).derive(secret)


@pytest.mark.thorough
@given(PARTS, PARTS)
@settings(max_examples=200, deadline=None)
def test_different_lists_have_different_bytes(one, two):
    same = [by_hand("", [p]) for p in one] == [by_hand("", [p]) for p in two]
    assert (items("id", tuple(one)) == items("id", tuple(two))) == same


def test_borders_between_parts_count():
    assert len({H("id", b"ab", b"c"), H("id", b"a", b"bc"), H("id", b"abc"), H("id", b"abc", b""), H("idabc")}) == 5


# --- envelopes


def test_what_is_signed():
    body = b'{"name":"\xc3\xa9"}'
    text = b"pbem-referee/1/join"
    assert signed_bytes("join", body) == b"DSSEv1 19 " + text + b" 13 " + body
    assert ident("join", body) == H("id", "pbem-referee/1/join", body).hex()


def test_an_envelope_opens_for_its_key_kind_and_bytes_only():
    key, ask = Key(chance("k")), Ask(1, "x")
    envelope = sign(key, "join", ask)
    assert read_signed(envelope, "join", key.public, Ask) == ask
    with pytest.raises(BadSignature):
        read_signed(envelope, "join", Key(chance("other")).public, Ask)
    with pytest.raises(Malformed):
        read_signed(envelope, "offer", key.public, Ask)
    retyped = msgspec.structs.replace(envelope, type="pbem-referee/1/offer")
    with pytest.raises(BadSignature):
        read_signed(retyped, "offer", key.public, Ask)


# --- links


def test_a_chain_against_the_definition():
    public, nonce, last = chance("public"), chance("nonce"), chance("last")
    chain = links.Chain(public, nonce)
    marks = chain.checkpoints(last)
    x = {links.LENGTH: last}
    for i in range(links.LENGTH, 0, -1):
        x[i - 1] = H("link", public, nonce, i, x[i])
    assert marks[0] == x[0]
    for index in (1, 2, links.EVERY - 1, links.EVERY, links.EVERY + 1, 1000, links.LENGTH - 1, links.LENGTH):
        assert chain.link(marks, index) == x[index]
        assert chain.back(index, x[index], 0) == x[0]
        assert chain.back(index, x[index], index - 1) == x[index - 1]
    assert chain.back(7, x[7], 7) == x[7]
    assert chain.back(7, x[8], 0) != x[0], "a link of another round does not pass"


def test_chains_of_other_owners_and_nonces_differ():
    last = chance("last")
    tips = {links.Chain(chance(key), chance(nonce)).checkpoints(last)[0] for key in ("a", "b") for nonce in ("a", "b")}
    assert len(tips) == 4


# --- draws


def oracle(seed: bytes, draw: int, n: int) -> int:
    """Section 7, written by hand."""
    if n == 1:
        return 0
    bits = math.ceil(math.log2(n)) if n < 2**40 else (n - 1).bit_length()
    size = -(-bits // 8)
    blocks = b"".join(
        hmac.new(seed, draw.to_bytes(4, "big") + i.to_bytes(4, "big"), "sha256").digest() for i in range(40)
    )
    for at in range(0, len(blocks), size):
        value = int.from_bytes(blocks[at : at + size], "big") % 2**bits
        if value < n:
            return value
    raise AssertionError


@pytest.mark.thorough
@given(st.binary(min_size=32, max_size=32), st.lists(st.integers(1, 1_000_000), min_size=1, max_size=8))
@settings(max_examples=200, deadline=None)
def test_draws_against_the_definition(seed, sizes):
    stream = Stream(seed)
    assert [stream.below(n) for n in sizes] == [oracle(seed, k, n) for k, n in enumerate(sizes)]
    assert stream.count == len(sizes)


def test_numbers_that_do_not_fit_are_thrown_again():
    """n = 129 needs 8 bits and rejects half of them; the first byte alone would be wrong for some seeds."""
    rejected = 0
    for number in range(400):
        seed = chance("reject", number)
        first = hmac.new(seed, bytes(8), "sha256").digest()[0]
        value = Stream(seed).below(129)
        assert value < 129
        if first < 129:
            assert value == first
        else:
            rejected += 1
            assert value == next(b for b in hmac.new(seed, bytes(8), "sha256").digest() if b < 129)
    assert 120 < rejected < 280


def test_a_draw_may_need_a_second_block():
    """n = 65537 reads three bytes at a time: ten numbers and two bytes left over for the next block."""
    n = 2**16 + 1
    late = 0
    for number in range(8000):
        seed = number.to_bytes(32, "big")
        block = hmac.digest(seed, bytes(8), "sha256")
        if all(int.from_bytes(block[i : i + 3], "big") % 2**17 >= n for i in range(0, 30, 3)):
            late += 1
            assert Stream(seed).below(n) == oracle(seed, 0, n)
    assert late >= 3


@pytest.mark.parametrize("n", [2, 3, 5, 6, 7, 10, 52, 100])
def test_draws_are_uniform(n):
    """Chi-square with a bound far beyond chance (the seeds are fixed, so the result never varies)."""
    count = 400 * n
    stream = Stream(chance("uniform", n))
    found = Counter(stream.below(n) for _ in range(count))
    assert set(found) == set(range(n))
    chi = sum((found[i] - 400) ** 2 / 400 for i in range(n))
    assert chi < (n - 1) + 5 * math.sqrt(2 * n)


def test_one_draw_says_nothing_about_the_next():
    stream = Stream(chance("pairs"))
    pairs = Counter((stream.below(4), stream.below(4)) for _ in range(6400))
    assert len(pairs) == 16
    assert sum((seen - 400) ** 2 / 400 for seen in pairs.values()) < 50


def test_answers_do_not_change_a_draw():
    """Only links enter the seed, not answers."""
    one, two = (Sitting("auction", 3, "same").until("bid") for _ in range(2))
    one.step()
    two.step(salt="other moves")
    assert one.state.acc == two.state.acc
    assert one.match.checkpoint.head != two.match.checkpoint.head


# --- slots


@given(st.lists(st.sampled_from(["red", "blue", "green"]), max_size=30), st.integers(0, 9))
@settings(max_examples=100, deadline=None)
def test_an_arrangement_is_a_permutation_fixed_by_the_secret(faces, generation):
    secret, board = chance("M"), chance("table")
    order = slots.arrange(secret, board, "bag", generation, faces)
    assert sorted(order) == sorted(faces)
    assert order == slots.arrange(secret, board, "bag", generation, faces[::-1])


def test_an_arrangement_against_the_definition():
    secret, board = chance("M"), chance("table")
    faces = [f"{n:02}" for n in range(20)]
    key = derive(secret, "shuffle", board, "bag", 3)
    order = sorted(faces)
    for draw, i in enumerate(range(19, 0, -1)):
        j = oracle(key, draw, i + 1)
        order[i], order[j] = order[j], order[i]
    assert slots.arrange(secret, board, "bag", 3, faces) == order
    for other in (("bag", 2), ("pile", 3)):
        assert slots.arrange(secret, board, *other, faces) != order


def test_leaves_against_the_definition():
    secret, board, order = chance("M"), chance("table"), ["red", "blue", "red"]
    salts = derive(secret, "salts", board, "bag", 1)
    for index, leaf in enumerate(slots.leaves(secret, board, "bag", 1, order)):
        salt = hmac.new(salts, index.to_bytes(4, "big"), "sha256").digest()
        assert leaf == H("slot", board, "bag", 1, index, salt, order[index])


def test_equal_faces_have_different_leaves():
    leaves = slots.leaves(chance("M"), chance("table"), "bag", 0, ["red"] * 50)
    assert len(set(leaves)) == 50


def test_arrangements_are_uniform():
    found = Counter(tuple(slots.arrange(chance("M", n), chance("t"), "bag", 0, "abc")) for n in range(3000))
    assert len(found) == 6
    assert sum((seen - 500) ** 2 / 500 for seen in found.values()) < 25


NAMES = st.builds(str.__add__, st.text("abz", min_size=1, max_size=20), st.sampled_from(["", "/0", "/63"]))


@given(NAMES, st.integers(0, 999_999), st.integers(0, 999_999))
@settings(max_examples=100, deadline=None)
def test_slot_names_come_back(bag, generation, slot):
    name = slots.slot_id(bag, generation, slot)
    assert slots.parse_slot(name) == (bag, generation, slot)
    assert not slots.is_open(name)
    assert slots.is_open(f"{bag}+{slot}")
    assert decode(encode(Token(name, "red")), Token, "token").slot == name
