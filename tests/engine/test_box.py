"""What is sealed in a move is for the host alone: whoever finds the file learns nothing and can use it nowhere else."""

import base64
import re

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hpke import AEAD, KDF, KEM, Suite
from msgspec.structs import replace
from referee.games.auction import Bid, Words

from referee.crypto import box
from referee.crypto.codec import H, decode, encode
from referee.crypto.envelope import sign
from referee.engine import host, lobby
from referee.engine import records as r
from referee.errors import BadSignature
from referee.evidence import proofs as p
from referee.evidence.court import judge_proof
from referee.io.gamefile import open_match
from tests.independent import hpke, wire
from tests.support.match import Sitting, chance, code_of, signed_beside, with_secrets


def read(data: bytes) -> r.MoveFile:
    return decode(data, r.MoveFile, "move")


def bids(*amounts: int, seed: str = "box") -> tuple[Sitting, list[bytes]]:
    sitting = Sitting("auction", 3, seed).until("bid")
    return sitting, [sitting.signed(0, move=Bid(amount)) for amount in amounts]


# --- what a finder sees ----------------------------------------------------------------------------------------------


def test_moves_that_differ_in_what_is_sealed_have_one_length_and_show_nothing_of_it():
    sitting, files = bids(0, 7, 10)
    assert len({len(data) for data in files}) == 1
    for data, amount in zip(files, (0, 7, 10), strict=True):
        secret = host.open_sealed(sitting.match, read(data))["amount"]
        assert secret.value == msgspec.Raw(encode(amount))
        raw = base64.b64decode(read(data).sealed)
        for shown in (data, raw):
            assert secret.salt.encode() not in shown
            assert bytes.fromhex(secret.salt) not in shown
            assert b"amount" not in shown.replace(b'"commit":{"amount"', b"")
    assert re.sub(rb'"[A-Za-z0-9+/=]{700,}"|"[0-9a-f]{64,}"', b"", files[0]) == re.sub(
        rb'"[A-Za-z0-9+/=]{700,}"|"[0-9a-f]{64,}"', b"", files[1]
    ), "all that differs is a commitment, a signature and what is encrypted"


def test_signing_a_move_again_gives_the_same_bytes():
    sitting, (one, two) = bids(3, 3)
    assert one == two
    assert [sitting.give(one).code, sitting.give(two).code] == ["taken", "repeated"]


def test_two_answers_of_one_round_share_neither_salts_nor_keys():
    """Disclosing one of them, should that ever be necessary, does not open the other."""
    sitting, files = bids(1, 2)
    salts = {host.open_sealed(sitting.match, read(data))["amount"].salt for data in files}
    assert len(salts) == 2
    assert len({base64.b64decode(read(data).sealed)[:32] for data in files}) == 2


def test_the_same_fields_in_two_moves_are_encrypted_differently():
    """Only the standing orders differ, so the ephemeral key is the same, but the message key is not."""
    sitting = Sitting("auction", 3, "box").until("bid")
    one, two = (read(sitting.signed(0, move=Bid(1), **how)) for how in ({}, {"standing": Words(2)}))
    first, second = (base64.b64decode(file.sealed) for file in (one, two))
    assert first[:32] == second[:32]
    assert sum(a == b for a, b in zip(first[32:], second[32:], strict=True)) < 30
    assert sitting.give(encode(two)).code == "taken"


@pytest.mark.thorough
@pytest.mark.parametrize("game", ["auction", "mark", "schwarzmarkt", "weg-zum-erfolg"])
def test_the_length_of_an_answer_does_not_reveal_what_is_sealed(game):
    """Whatever a seat seals in answer to one kind of question fills the same number of blocks."""
    lengths: dict[str, set[int]] = {}
    for seed in range(3):
        sitting = Sitting(game, 3, f"lengths {seed}")
        while not sitting.over and sitting.round < 150:
            for ask in sitting.state.pending:
                if ask.sealed and ask.seat in sitting.asked:
                    for salt in ("a", "b", "c"):
                        file = read(sitting.signed(ask.seat, salt))
                        lengths.setdefault(ask.what, set()).add(len(file.sealed))
            sitting.step()
    assert lengths
    assert {what: len(found) for what, found in lengths.items()} == dict.fromkeys(lengths, 1)


# --- what can be done with it ----------------------------------------------------------------------------------------


def test_a_box_moved_to_another_move_seat_round_or_game_is_not_that_move():
    sitting, (mine, other) = bids(1, 2)
    elsewhere, (foreign,) = bids(1, seed="another box")
    neighbour = sitting.signed(1, move=Bid(1))
    before = sitting.file()
    for data in (other, foreign, neighbour):
        judged = sitting.give(encode(replace(read(mine), sealed=read(data).sealed)))
        assert (judged.code, judged.receipt) == ("damaged", None)
    assert sitting.file() == before
    assert elsewhere.give(encode(replace(read(foreign), sealed=read(mine).sealed))).code == "damaged"
    assert sitting.give(mine).code == "taken"


def test_a_box_of_another_move_cannot_be_opened_beside_a_move_that_names_its_hash():
    """Its player has signed that: it is refused, with a receipt."""
    sitting, (mine, other) = bids(1, 2)
    neighbour = sitting.signed(1, move=Bid(1))
    body = decode(bytes(read(mine).body), r.Move, "move")
    for data in (other, neighbour):
        judged = sitting.give(signed_beside(sitting, 0, body, base64.b64decode(read(data).sealed)))
        assert judged.code == "bad-commitment"
        assert judged.receipt is not None
        assert judged.error is not None
        assert str(judged.error) == "the sealed part of this move cannot be opened"
    assert sitting.give(mine).code == "taken"


def test_a_damaged_box_is_reported_and_nothing_is_signed():
    sitting, (data,) = bids(1)
    file, before = read(data), sitting.file()
    good = base64.b64decode(file.sealed)

    def spelt(raw: bytes) -> str:
        return base64.b64encode(raw).decode()

    flipped = [spelt(good[:at] + bytes((good[at] ^ 1,)) + good[at + 1 :]) for at in range(0, len(good), 37)]
    cut = [spelt(good[:size]) for size in (1, 31, 32, 47, 48, len(good) - 1)]
    odd = [
        "",
        file.sealed[:-1],
        f"{file.sealed}=",
        "!",
        "ä",
        " ",
        file.sealed.replace("=", ""),
        f" {file.sealed}",
        "A" * 900_000,
    ]
    tried = [*flipped, *cut, *odd, spelt(good + b"\0"), spelt(bytes(len(good)))]

    def refused(sealed: str) -> None:
        judged = sitting.give(encode(replace(file, sealed=sealed)))
        assert (judged.code, judged.receipt) == ("damaged", None), sealed[:40]
        assert judged.error is not None
        assert str(judged.error) == "the encrypted part of this move is missing, or was damaged in transit"
        assert judged.error.exit == BadSignature.exit

    for sealed in tried:
        refused(sealed)
    assert sitting.file() == before
    assert sitting.give(data).code == "taken"
    for sealed in tried[:3]:
        refused(sealed)
    sitting.others(0)
    refused("")


def test_a_signed_box_with_other_things_in_it_is_refused():
    sitting, (data,) = bids(1)
    body = decode(bytes(read(data).body), r.Move, "move")
    public, beside = bytes.fromhex(sitting.table.offer.box), encode(replace(body, box=""))
    info = b"\0\0\0\x12pbem-referee/1/box\0\0\0\x20" + H("boxed", beside)
    good = box.seal(bytes(range(32)), public, beside, encode(host.open_sealed(sitting.match, read(data))))
    texts = (b"", b"{}", b"[]", b"null", b"{", b'{"amount":1}', b"\xff" * 9, b"[" * 5000, b" " * 512)
    parts = [box.seal(bytes(range(32)), public, beside, text) for text in texts]
    parts += [hpke.seal(bytes(range(32)), public, info, text) for text in (b"{}", b" " * 1024, b"{}".ljust(512, b"\t"))]
    parts += [good[:32], good[:47], good[:-1], bytes(len(good)), b"\0"]
    for part in parts:
        judged = sitting.give(signed_beside(sitting, 0, body, part))
        assert (judged.code, judged.receipt is None) == ("bad-commitment", False), part[:40]
    assert sitting.give(signed_beside(sitting, 0, body, good)).code == "taken", "whatever the ephemeral key was"


def test_a_box_for_a_move_without_sealed_fields_is_refused():
    sitting = Sitting("auction", 3, "box").until("play")
    data = sitting.signed(0)
    assert read(data).sealed == ""
    body = decode(bytes(read(data).body), r.Move, "move")
    fields = {"card": r.Secret("00" * 32, msgspec.Raw(b"1"))}
    assert sitting.give(with_secrets(sitting, read(data), fields)).code == "damaged"
    assert sitting.give(signed_beside(sitting, 0, body, b"x")).code == "wrong-answer"
    assert sitting.give(data).code == "taken"


def test_an_answer_with_sealed_fields_and_no_box_is_a_wrong_answer():
    sitting, (data,) = bids(1)
    body = decode(bytes(read(data).body), r.Move, "move")
    judged = sitting.give(signed_beside(sitting, 0, body, b""))
    assert judged.code == "wrong-answer"
    assert judged.receipt is not None


def test_waiting_answers_are_opened_once_and_survive_reloading():
    """They are in the host's file and, after the round, in the transcript; what was never played is not."""
    sitting, (data,) = bids(4)
    assert sitting.give(data).code == "taken"
    sitting.match = open_match(sitting.file(), sitting.host)
    assert {place: encode(fields["amount"].value) for place, fields in sitting.match.sealed.items()} == {(2, 0): b"4"}
    sitting.others(0)
    sitting.to_end()
    assert (2, 0) in {(one.round, one.seat) for one in decode(sitting.transcript(), r.Transcript, "t").sealed}


def test_answers_waiting_in_a_resting_game_are_not_in_the_transcript():
    sitting = Sitting("auction", 3, "box rests").until("bid")
    sitting.step(0, 1, 2)
    sitting.step(0, 1, 2)
    assert sitting.give(sitting.signed(0, move=Bid(1))).code == "taken"
    assert (sitting.round + 1, 0) in sitting.match.sealed
    transcript = decode(sitting.transcript(), r.Transcript, "transcript")
    assert transcript.sealed == ()


# --- the keys --------------------------------------------------------------------------------------------------------

SMALL_ORDER = (
    0,
    1,
    hpke.P - 1,
    hpke.P,
    hpke.P + 1,
    325606250916557431795983626356110631294008115727848805560023387167927233504,
    39382357235489614581723060781553021112529911719440698176882885853963445705823,
)


@pytest.mark.parametrize("point", [*SMALL_ORDER, 2**255 + 9, 2**255 - 1])
def test_a_box_key_that_anyone_can_open_is_refused_and_is_the_hosts_offence(point):
    """Nobody can join such an offer; if somebody did, the genesis alone shows it."""
    sitting = Sitting("auction", 3, "box")
    offer = decode(bytes(sitting.offer.body), r.Offer, "offer")
    other = sign(sitting.host, "offer", replace(offer, box=point.to_bytes(32, "little").hex()))
    assert code_of(lambda: lobby.make_join(sitting.players[0], other, "Anna", bytes(32))) == "weak-box"
    genesis = replace(sitting.table.genesis, offer=other)
    found = judge_proof(p.BadGenesis(p.PROOF_FILE, sign(sitting.host, "genesis", genesis)))
    assert (found.verdict, found.code) == (p.PROVED, "weak-box")


@pytest.mark.parametrize("point", SMALL_ORDER)
def test_a_box_of_small_order_gives_every_sender_the_same_nothing(point):
    """These are all that the second implementation cannot seal for either, and an ordinary key is not among them."""
    public = point.to_bytes(32, "little")
    assert {hpke.x25519(private, public) for private in (bytes(range(32)), b"\x55" * 32)} == {bytes(32)}
    with pytest.raises(ValueError, match=r"[Ee]rror|weak|key"):
        box.hpke_seal(bytes(range(32)), public, b"", b"text")


@pytest.mark.parametrize("point", SMALL_ORDER)
@pytest.mark.parametrize("sign_bit", [0, 2**255])
def test_an_ephemeral_key_of_small_order_opens_nothing(point, sign_bit):
    """Anybody could read such a part, for the secret that both ends share is 0: it is refused, with a receipt."""
    sitting, (data,) = bids(1)
    body = decode(bytes(read(data).body), r.Move, "move")
    enc, public = (point + sign_bit).to_bytes(32, "little"), bytes.fromhex(sitting.table.offer.box)
    info = b"\0\0\0\x12pbem-referee/1/box\0\0\0\x20" + H("boxed", encode(replace(body, box="")))
    key, nonce = hpke._schedule(bytes(32), enc, public, info)
    text = box.filled(encode(host.open_sealed(sitting.match, read(data))))
    judged = sitting.give(signed_beside(sitting, 0, body, enc + AESGCM(key).encrypt(nonce, text, b"")))
    assert (judged.code, judged.receipt is None) == ("bad-commitment", False)


def test_the_box_key_follows_from_the_hosts_key_and_the_offer():
    sitting = Sitting("auction", 3, "box")
    private = lobby.box_secret(sitting.host, bytes.fromhex(sitting.table.offer.nonce))
    assert sitting.table.offer.box == hpke.public_key(private).hex()


def test_the_second_implementation_seals_identically_and_opens_it():
    """It works from the player's seed, the key in the offer and the text of the protocol alone."""
    sitting, (data,) = bids(5)
    body = msgspec.json.decode(bytes(read(data).body))
    named = body.pop("box")
    beside = wire.canonical(body)
    info = b"\0\0\0\x12pbem-referee/1/box\0\0\0\x20" + wire.H("boxed", beside)
    private = lobby.box_secret(sitting.host, bytes.fromhex(sitting.table.offer.nonce))
    raw = base64.b64decode(read(data).sealed)
    text = hpke.open_box(private, info, raw)
    assert len(text) == 512
    assert msgspec.json.decode(text)["amount"]["value"] == 5
    place = bytes.fromhex(body["game"]), body["round"], body["seat"]
    ephemeral = wire.derive(sitting.players[0].seed, "ephemeral", *place, text)
    assert hpke.seal(ephemeral, bytes.fromhex(sitting.table.offer.box), info, text) == raw
    assert wire.H("box-hash", raw).hex() == named
    salt = wire.derive(sitting.players[0].seed, "salt", *place[:2], "amount", b"5")
    assert msgspec.json.decode(text)["amount"]["salt"] == salt.hex()


# --- RFC 9180, A.1.1: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-128-GCM, base setup --------------------------
# The tests of PyCryptodome and of Tink have the same numbers, and cite this appendix for them.

RECEIVER = bytes.fromhex("4612c550263fc8ad58375df3f557aac531d26850903e55a9f23f21d8534e8ac8")
PUBLIC = bytes.fromhex("3948cfe0ad1ddb695d780e59077195da6c56506b027329794ab02bca80815c4d")
EPHEMERAL = bytes.fromhex("52c4a758a802cd8b936eceea314432798d5baf2d7e9235dc084ab1b9cfa2f736")
ENC = bytes.fromhex("37fda3567bdbd628e88668c3c8d7e97d1d1253b6d4ea6d44c150f741f1bf4431")
URN = b"Ode on a Grecian Urn"
FIRST = bytes.fromhex("f938558b5d72f1a23810b4be2ab4f84331acc02fc97babc53a52ae8218a355a96d8770ac83d07bea87e13c512a")


def test_both_implementations_follow_the_key_schedule_of_the_rfc():
    assert hpke.public_key(RECEIVER) == PUBLIC
    assert hpke.public_key(EPHEMERAL) == ENC
    key, nonce = hpke._schedule(hpke.x25519(RECEIVER, ENC), ENC, PUBLIC, URN)
    assert (key.hex(), nonce.hex()) == ("4531685d41d65f03dc48f6b8302c05b0", "56d890e5accaaf011cff4b7d")


def test_our_sender_makes_the_first_message_of_the_rfc():
    assert box.hpke_seal(EPHEMERAL, PUBLIC, URN, b"Beauty is truth, truth beauty", b"Count-0") == ENC + FIRST


@pytest.mark.parametrize("size", [0, 1, 16, 512, 5000])
def test_the_library_opens_our_boxes_and_the_second_implementation_makes_the_same(size):
    suite = Suite(KEM.X25519, KDF.HKDF_SHA256, AEAD.AES_128_GCM)
    private, ephemeral, text = chance("receiver", size), chance("ephemeral", size), chance("text", size) * 200
    public = box.box_public(private)
    sealed = box.hpke_seal(ephemeral, public, b"info", text[:size])
    assert suite.decrypt(sealed, X25519PrivateKey.from_private_bytes(private), b"info") == text[:size]
    assert sealed == hpke.seal(ephemeral, public, b"info", text[:size])
