"""What is sealed in a move is for the host alone: who finds the file learns nothing and can use it nowhere else."""

import base64
import re

import msgspec
import pytest
from msgspec.structs import replace
from referee.games.auction import Bid

from referee.crypto import box
from referee.crypto.codec import decode, encode
from referee.crypto.envelope import ident, sign
from referee.engine import host, lobby
from referee.engine import records as r
from referee.io.gamefile import open_match
from tests.independent import hpke
from tests.support.match import Sitting, code_of, with_secrets

MOVE = "ab" * 32


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


def test_the_same_move_signed_again_is_the_same_but_for_the_box():
    sitting, (one, two) = bids(3, 3)
    assert read(one) != read(two)
    assert replace(read(one), sealed="") == replace(read(two), sealed="")
    assert [sitting.give(one).code, sitting.give(two).code] == ["taken", "repeated"]


@pytest.mark.thorough
@pytest.mark.parametrize("game", ["auction", "mark", "schwarzmarkt", "weg-zum-erfolg"])
def test_no_answer_of_a_game_tells_by_its_length_what_is_sealed(game):
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


def test_a_box_moved_to_another_move_seat_round_or_game_is_refused():
    sitting, (mine, other) = bids(1, 2)
    elsewhere, (foreign,) = bids(1, seed="another box")
    neighbour = sitting.signed(1, move=Bid(1))
    before = sitting.file()
    for data in (other, foreign, neighbour):
        assert sitting.give(encode(replace(read(mine), sealed=read(data).sealed))).code == "bad-commitment"
    assert sitting.file() == before
    assert elsewhere.give(encode(replace(read(foreign), sealed=read(mine).sealed))).code == "bad-commitment"
    assert sitting.give(mine).code == "taken"


def test_a_damaged_box_is_refused_in_words():
    sitting, (data,) = bids(1)
    file, before = read(data), sitting.file()
    good = base64.b64decode(file.sealed)

    def spelt(raw: bytes) -> str:
        return base64.b64encode(raw).decode()

    flipped = [spelt(good[:at] + bytes((good[at] ^ 1,)) + good[at + 1 :]) for at in range(0, len(good), 37)]
    cut = [spelt(good[:size]) for size in (1, 31, 32, 47, 48, len(good) - 1)]
    odd = [
        file.sealed[:-1],
        f"{file.sealed}=",
        "!",
        "ä",
        " ",
        file.sealed.replace("=", ""),
        f" {file.sealed}",
        "A" * 900_000,
    ]
    for sealed in [*flipped, *cut, *odd, spelt(good + b"\0"), spelt(bytes(len(good)))]:
        judged = sitting.give(encode(replace(file, sealed=sealed)))
        assert judged.code == "bad-commitment", sealed[:40]
        assert judged.error is not None
        assert judged.error.message == "the sealed part of this move cannot be opened"
    assert sitting.file() == before
    assert sitting.give(data).code == "taken"


def test_a_box_with_other_things_in_it_is_refused():
    sitting, (data,) = bids(1)
    file = read(data)
    name, public = ident("move", bytes(file.body)), bytes.fromhex(sitting.table.offer.box)
    for text in (b"", b"{}", b"[]", b"null", b"{", b'{"amount":1}', b"\xff" * 9, b"[" * 5000, b" " * 512):
        sealed = box.seal(public, name, text)
        assert sitting.give(encode(replace(file, sealed=sealed))).code == "bad-commitment", text[:9]


def test_a_box_where_nothing_is_sealed_is_refused():
    sitting = Sitting("auction", 3, "box").until("play")
    data = sitting.signed(0)
    assert read(data).sealed == ""
    stuffed = with_secrets(sitting, read(data), {"card": r.Secret("00" * 32, msgspec.Raw(b"1"))})
    assert sitting.give(stuffed).code == "bad-commitment"
    assert sitting.give(data).code == "taken"


def test_what_waits_is_opened_once_and_survives_the_file():
    """The host's file has it; after the round it is in the transcript, and what never was played is not."""
    sitting, (data,) = bids(4)
    assert sitting.give(data).code == "taken"
    sitting.match = open_match(sitting.file(), sitting.host)
    assert {place: encode(fields["amount"].value) for place, fields in sitting.match.sealed.items()} == {(2, 0): b"4"}
    sitting.others(0)
    sitting.to_end()
    assert (2, 0) in {(one.round, one.seat) for one in decode(sitting.transcript(), r.Transcript, "t").sealed}


def test_an_answer_that_waits_when_a_game_rests_is_in_no_transcript():
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


@pytest.mark.parametrize("point", SMALL_ORDER)
def test_nobody_joins_an_offer_with_a_box_that_everybody_can_open(point):
    sitting = Sitting("auction", 3, "box")
    offer = decode(bytes(sitting.offer.body), r.Offer, "offer")
    other = sign(sitting.host, "offer", replace(offer, box=point.to_bytes(32, "little").hex()))
    assert code_of(lambda: lobby.make_join(sitting.players[0], other, "Anna", bytes(32))) == "weak-key"


def test_the_box_key_follows_from_the_hosts_key_and_the_offer():
    sitting = Sitting("auction", 3, "box")
    private = lobby.box_secret(sitting.host, bytes.fromhex(sitting.table.offer.nonce))
    assert sitting.table.offer.box == hpke.public_key(private).hex()


def test_the_second_make_opens_what_the_first_sealed_and_the_other_way_round():
    sitting, (data,) = bids(5)
    name = ident("move", bytes(read(data).body))
    info = b"\0\0\0\x12pbem-referee/1/box\0\0\0\x20" + bytes.fromhex(name)
    private = lobby.box_secret(sitting.host, bytes.fromhex(sitting.table.offer.nonce))
    text = hpke.open_box(private, info, base64.b64decode(read(data).sealed))
    assert len(text) == 512
    assert msgspec.json.decode(text)["amount"]["value"] == 5
    again = hpke.seal(bytes(range(32)), bytes.fromhex(sitting.table.offer.box), info, text)
    assert sitting.give(encode(replace(read(data), sealed=base64.b64encode(again).decode()))).code == "taken"


def test_the_second_make_has_the_key_schedule_of_the_rfc():
    """RFC 9180, A.1.1: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-128-GCM, base setup."""
    private = bytes.fromhex("4612c550263fc8ad58375df3f557aac531d26850903e55a9f23f21d8534e8ac8")
    public = bytes.fromhex("3948cfe0ad1ddb695d780e59077195da6c56506b027329794ab02bca80815c4d")
    enc = bytes.fromhex("37fda3567bdbd628e88668c3c8d7e97d1d1253b6d4ea6d44c150f741f1bf4431")
    assert hpke.public_key(private) == public
    key, nonce = hpke._schedule(hpke.x25519(private, enc), enc, public, b"Ode on a Grecian Urn")
    assert (key.hex(), nonce.hex()) == ("4531685d41d65f03dc48f6b8302c05b0", "56d890e5accaaf011cff4b7d")
