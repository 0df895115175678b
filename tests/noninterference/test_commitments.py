"""What the search for leaks leaves out of its comparison says nothing: hashes are salted, and of equal tokens no rule
that somebody could know picks the one that is opened."""

import hashlib

import msgspec
import pytest

from referee import games
from referee.crypto import slots
from referee.engine import records as r
from referee.engine.book import Book
from referee.engine.dealer import Dealer
from referee.engine.draws import Source, commitment
from referee.engine.host import open_sealed
from tests.support.match import Sitting

SECRETS = 400
GAME = games.load("auction")


def entropy(*parts: object) -> bytes:
    return hashlib.sha256("/".join(map(str, parts)).encode()).digest()


def opened(hand: list[str], number: int) -> r.Token:
    """The red token that is laid out of this hand, in one of many games."""
    names = tuple(slots.slot_id("bag", 0, i) for i in range(len(hand)))
    record = r.BookRecord({"hand/0": r.Bag(-1, names)}, dict.fromkeys(names, "00" * 32), {}, {}, {"red": 5})
    faces = dict(zip(names, hand, strict=True))
    secret = entropy("secret", number)
    made = Dealer(Source(GAME, "", bytes(32), Book(record, ("hand",), 2), bytes(32), {}), secret, faces, {})
    made.lay_out("hand/0", ["red"])
    (op,) = made.ops
    assert isinstance(op, r.LayOut)
    return op.tokens[0]


@pytest.mark.parametrize("reds", [1, 2, 3, 5])
def test_the_salt_of_an_opened_token_does_not_tell_how_many_equal_ones_there_are(reds: int) -> None:
    """A salt is published with its token. If it was chosen for being small, it tells how many it was chosen from.

    The mean of the smallest of k even numbers from 0 to 1 is 1/(k+1). One that was not chosen by size has 1/2, and the
    mean of 400 of them strays by less than 0.075 (5 sigma).
    """
    hand = ["red"] * reds + ["blue"] * (5 - reds)
    salts = [int(opened(hand, number).salt[:8], 16) / 2**32 for number in range(SECRETS)]
    assert abs(sum(salts) / SECRETS - 0.5) < 0.075


def test_the_place_of_an_opened_token_does_not_tell_what_lies_before_it() -> None:
    """Of five equal tokens each is opened about equally often."""
    places = [0] * 5
    for number in range(SECRETS):
        places[slots.parse_slot(opened(["red"] * 5, number).slot)[2]] += 1
    assert all(abs(times - SECRETS / 5) < 40 for times in places), places


def test_no_two_slots_share_a_salt() -> None:
    """Equal faces have different leaves, in every container, generation and game."""
    found = {
        leaf
        for secret in (b"a" * 32, b"b" * 32)
        for bag in ("bag", "pile")
        for generation in (0, 1)
        for leaf in slots.leaves(secret, bytes(32), bag, generation, ["red"] * 5)
    }
    assert len(found) == 2 * 2 * 2 * 5


def test_the_same_sealed_answer_never_looks_the_same() -> None:
    """Each seat, round, field and game has a salt of its own."""
    secrets = {}
    for seed in ("one", "two"):
        sitting = Sitting("auction", 3, seed).until("bid")
        for _ in range(2):
            for seat in sitting.asked:
                bid = msgspec.convert({"do": "bid", "amount": 0}, GAME.move)
                secrets[seed, sitting.round, seat] = sealed(sitting, sitting.signed(seat, move=bid))
            sitting.step()
            sitting.until("bid")
    assert len(secrets) == 12
    assert len({salt for salt, _ in secrets.values()}) == 12
    assert len({commit for _, commit in secrets.values()}) == 12


def sealed(sitting: Sitting, file: bytes) -> tuple[str, str]:
    """Salt and commitment of the field `amount`."""
    move = msgspec.json.decode(file, type=r.MoveFile)
    body = msgspec.json.decode(bytes(move.body), type=r.Move)
    secret = open_sealed(sitting.match, move)["amount"]
    assert commitment(body.game, body.round, body.seat, "amount", secret) == body.commit["amount"]
    return secret.salt, body.commit["amount"]
