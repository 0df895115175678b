"""Which of several equal tokens of a hand is opened, and with which salt, must not tell how many there are."""

import pytest

from referee.crypto import slots
from referee.engine.dealer import Dealer
from referee.engine.records import Bag, Open

from .worlds import entropy

SECRETS = 400


def opened_salts(hand: list[str]) -> list[float]:
    """The published salt of one red token opened out of this hand, as a number from 0 to 1, for many games."""
    found = []
    for number in range(SECRETS):
        names = tuple(slots.slot_id("bag", 0, i) for i in range(len(hand)))
        faces = dict(zip(names, hand, strict=True))
        dealer = Dealer(entropy("secret", number), bytes(32), {"hand/0": Bag(0, names)}, faces, 2, None)
        dealer.open("hand/0", ["red"])
        (op,) = dealer.ops
        assert isinstance(op, Open)
        found.append(int(op.tokens[0].salt[:8], 16) / 2**32)
    return found


@pytest.mark.parametrize("reds", [1, 2, 3, 5])
def test_the_salt_of_an_opened_token_does_not_tell_how_many_equal_ones_there_are(reds: int) -> None:
    """A salt is published with its token. If it was chosen for being small, it tells how many it was chosen from.

    The mean of the smallest of k even numbers from 0 to 1 is 1/(k+1). One that was not chosen by size has 1/2, and the
    mean of 400 of them strays by less than 0.075 (5 sigma).
    """
    salts = opened_salts(["red"] * reds + ["blue"] * (5 - reds))
    assert abs(sum(salts) / SECRETS - 0.5) < 0.075


def test_the_place_of_an_opened_token_does_not_tell_what_lies_before_it() -> None:
    """Of five equal tokens each is opened about equally often."""
    places = [0] * 5
    for number in range(SECRETS):
        names = tuple(slots.slot_id("bag", 0, i) for i in range(5))
        dealer = Dealer(
            entropy("place", number), bytes(32), {"hand/0": Bag(0, names)}, dict.fromkeys(names, "red"), 2, None
        )
        dealer.open("hand/0", ["red"])
        places[slots.parse_slot(dealer.ops[0].tokens[0].slot)[2]] += 1
    assert all(abs(times - SECRETS / 5) < 40 for times in places), places
