"""The clauses of the toy game, one test each."""

from collections.abc import Mapping
from typing import Any

import pytest

from referee import games
from referee.crypto.codec import read
from referee.engine import records as r
from referee.engine.table import make_terms
from referee.errors import IllegalMove
from referee.game import LINK, ranked
from referee.games import auction as toy  # type: ignore[attr-defined]
from referee.testing.sandbox import Sandbox

GAME = games.load("auction")
EDITION = read(games.edition_bytes("auction"), GAME.edition, "edition")


def sit(seats: int = 3, seed: str = "", **options: Any) -> Sandbox:
    return Sandbox(GAME, make_terms(GAME, seats, GAME.options(**options), EDITION), seed)


def hands(at: Sandbox) -> list[tuple[str, ...]]:
    return [at.seen(seat).hand("hand") for seat in range(at.seats)]


def usual(at: Sandbox) -> dict[int, Any]:
    """Nobody bids, the first raids the second, the lowest cards are played, everybody guesses even."""
    return {a.seat: GAME.legal(at.terms, at.seen(a.seat))[0].move for a in at.pending if a.what != LINK}


def until(at: Sandbox, what: str, times: int = 1) -> Sandbox:
    """Play on until this has been asked this many times."""
    while times := times - (at.pending[0].what == what):
        at.answer(usual(at))
    return at


def bids(*amounts: int) -> Mapping[int, Any]:
    return {seat: toy.Bid(amount) for seat, amount in enumerate(amounts)}


@pytest.mark.parametrize("seats", [2, 16])
def test_TA_1_material(seats: int) -> None:
    at = sit(seats)
    assert sorted(GAME.bags(at.terms)["pile"]) == [f"{n:02}" for n in range(1, 4 * seats + 2)]
    assert at.public.money == (10,) * seats
    assert at.public.points == (0,) * seats


def test_TA_2_prize_and_hands() -> None:
    at = sit(4)
    assert [len(cards) for cards in hands(at)] == [3] * 4
    assert len(at.book.bags["prize"].slots) == 1
    assert not any("prize" in at.seen(seat).tokens for seat in range(4))
    assert at.public.pile == 4 * 4 + 1 - 1 - 4 * 3


def test_TA_3_the_lot_and_the_order_of_a_round() -> None:
    at = sit()
    (die,) = (op for op in at.ops if isinstance(op, r.Die))
    assert (die.sides, die.values) == (6, (at.public.lot,))
    asked = []
    for _ in range(3):
        asked.append(at.pending[0].what)
        at.answer(usual(at))
    assert asked == ["bid", "raid", "play"]
    with pytest.raises(IllegalMove, match="TA-3"):
        sit().answer({seat: toy.Guess(True) for seat in range(3)})


@pytest.mark.parametrize(("amounts", "winner"), [((1, 5, 3), 1), ((4, 4, 2), 0), ((0, 0, 0), 0)])
def test_TA_4_the_highest_bid_wins(amounts: tuple[int, ...], winner: int) -> None:
    at = sit()
    lot = at.public.lot
    at.answer(bids(*amounts))
    assert at.public.bids == amounts
    assert at.public.money == tuple(10 - (amounts[seat] if seat == winner else 0) for seat in range(3))
    assert at.public.points == tuple(lot if seat == winner else 0 for seat in range(3))
    assert [ask.seat for ask in at.pending] == [winner]


@pytest.mark.parametrize("check", [True, False])
def test_TA_4_nobody_bids_more_than_they_have(check: bool) -> None:
    with pytest.raises(IllegalMove, match="TA-4"):
        sit().answer(bids(11, 0, 0), check=check)


def test_TA_5_a_raid_exchanges_one_card_each_way() -> None:
    at = sit()
    at.answer(bids(3, 0, 0))
    before, given = hands(at), hands(at)[0][1]
    generations = {bag: at.book.bags[bag].generation for bag in ("hand/0", "hand/2")}
    at.answer({0: toy.Raid(2, given)})
    after = hands(at)
    assert after[1] == before[1]
    assert sorted(after[0] + after[2]) == sorted(before[0] + before[2])
    assert given in after[2]
    assert len(set(before[2]) - set(after[2])) == 1
    assert {bag: at.book.bags[bag].generation for bag in generations} == {
        bag: number + 1 for bag, number in generations.items()
    }


@pytest.mark.parametrize("target", [0, 3, 1000])
def test_TA_5_a_raid_needs_another_player(target: int) -> None:
    at = sit()
    at.answer(bids(3, 0, 0))
    with pytest.raises(IllegalMove, match="TA-5"):
        at.answer({0: toy.Raid(target, hands(at)[0][0])}, check=False)


def test_TA_5_a_loud_raid_is_heard() -> None:
    for loud, told in ((True, "shouts"), (False, "raids")):
        at = sit()
        at.answer(bids(3, 0, 0))
        (heard,) = at.answer({0: toy.Raid(2, hands(at)[0][0], loud)})
        assert (heard.what, heard.values) == (told, {"seat": 0, "target": 2})


def test_TA_6_the_highest_card_scores_and_all_go_under_the_pile() -> None:
    at = until(sit(), "play")
    points, cards = at.public.points, [hand[-1] for hand in hands(at)]
    at.answer({seat: toy.Play(card) for seat, card in enumerate(cards)})
    best = cards.index(max(cards))
    assert at.public.points == tuple(had + (seat == best) for seat, had in enumerate(points))
    (put,) = (op for op in at.ops if isinstance(op, r.Put))
    assert (put.bag, put.under, put.faces) == ("pile", True, tuple(cards[::-1]))
    assert [len(hand) for hand in hands(at)] == [3] * 3


def test_TA_7_the_pile_is_shuffled_after_the_second_round() -> None:
    at = until(sit(), "play", 2)
    at.answer(usual(at))
    assert [op.bag for op in at.ops if isinstance(op, r.Shuffle)] == ["pile"]
    assert not at.book.bags["pile"].tail
    assert [(ask.seat, ask.what) for ask in at.pending] == [(seat, LINK) for seat in range(3)]
    assert [len(hand) for hand in hands(at)] == [2] * 3
    at.answer({})
    assert [len(hand) for hand in hands(at)] == [3] * 3


@pytest.mark.parametrize("rounds", [1, 5])
def test_TA_8_a_right_guess_scores_three(rounds: int) -> None:
    at = until(sit(rounds=rounds), "guess")
    assert at.public.round == rounds + 1
    points = at.public.points
    at.answer({0: toy.Guess(True), 1: toy.Guess(False), 2: toy.Guess(True)})
    odd = int(at.public.prize) % 2 == 1
    assert at.public.points == tuple(had + 3 * (odd == (seat != 1)) for seat, had in enumerate(points))
    assert len([op for op in at.ops if isinstance(op, r.Unseal)]) == 3


def test_TA_9_points_then_money() -> None:
    at = until(sit(), "guess")
    at.answer(usual(at))
    scores = tuple(zip(at.public.points, at.public.money, strict=True))
    assert at.result == ranked(scores)
    assert at.result.ranks.count(1) >= 1


def test_TA_10_missed_deadlines() -> None:
    at = sit()
    at.answer({1: toy.Bid(2), 2: toy.Bid(1)})
    assert at.public.bids == (0, 2, 1)
    before = hands(at)
    at.answer({})
    after = hands(at)
    assert after[0] == before[0]
    assert sorted(after[1] + after[2]) == sorted(before[1] + before[2])
    at.answer({seat: toy.Play(after[seat][0]) for seat in (0, 2)})
    assert at.public.played[1] in after[1]
    until(at, "guess")
    points = at.public.points
    at.answer({})
    assert at.public.points == points


def guessed(at: Sandbox, right: bool, **more: Any) -> Any:
    """A guess that is right, or wrong: the prize lies face down, but the tests may look."""
    (slot,) = at.book.bags["prize"].slots
    return toy.Guess((int(at.faces[slot]) % 2 == 1) == right, **more)


@pytest.mark.parametrize("right", [True, False])
def test_TA_11_stakes_are_won_or_lost(right: bool) -> None:
    at = until(sit(), "guess")
    money, points = at.public.money, at.public.points
    at.answer({0: guessed(at, right, stake={"white": 2, "black": 1}, side="black"), 1: guessed(at, right)})
    assert at.public.money[0] - money[0] == (5 if right else -5)
    assert at.public.points[0] - points[0] == (4 if right else 0)
    assert at.public.money[1] == money[1]
    assert at.public.points[1] - points[1] == (3 if right else 0)


@pytest.mark.parametrize(
    "bet",
    [
        {"stake": {"white": 11}, "side": "white"},
        {"stake": {"white": 2, "black": 3}, "side": "white"},
        {"stake": {"white": 1}},
        {"stake": {"white": 1}, "side": "black"},
        {"side": "white"},
    ],
)
@pytest.mark.parametrize("check", [True, False])
def test_TA_11_what_cannot_be_staked(bet: dict[str, Any], check: bool) -> None:
    at = until(sit(), "guess")
    assert at.public.money[1] == 10
    with pytest.raises(IllegalMove, match="TA-11"):
        at.answer({1: toy.Guess(**bet)}, check=check)


def test_TA_12_trophies_by_rank_and_wish() -> None:
    at = until(sit(4), "guess")
    at.answer(
        {0: guessed(at, False, want=("medal",)), 1: guessed(at, True, want=("ribbon", "cup")), 2: guessed(at, False)}
    )
    order = sorted(range(4), key=lambda seat: at.result.ranks[seat] if at.result else 0)
    wishes = {0: ["medal"], 1: ["ribbon", "cup"], 2: [], 3: []}
    left, wanted = ["cup", "medal", "ribbon"], [""] * 4
    for seat in order:
        found = [one for one in wishes[seat] if one in left] or left
        wanted[seat] = found[0] if found else ""
        left = [one for one in left if one != wanted[seat]]
    assert at.public.trophies == tuple(wanted)
    assert sorted(at.public.trophies) == ["", "cup", "medal", "ribbon"]


def test_TA_12_each_trophy_once_and_no_trophy_in_a_motto() -> None:
    at = until(sit(), "guess")
    for wrong in ({"want": ("cup", "cup")}, {"motto": "my cup"}):
        with pytest.raises(IllegalMove, match="TA-12"):
            at.fork().answer({1: toy.Guess(**wrong)}, check=False)
    told = at.answer({1: toy.Guess(motto="may it rain")})
    assert [note.values for note in told if note.what == "says"] == [{"seat": 1, "words": "may it rain"}]


def test_TA_13_standing_bids() -> None:
    terms = sit().terms
    at = Sandbox(GAME, terms, words={0: toy.Words(3), 1: toy.Words(1000)})
    assert [ask.seat for ask in at.pending] == [2]
    at.answer({2: toy.Bid(2)})
    assert at.public.bids == (3, 10, 2)
    assert at.public.money == (10, 0, 10)


def test_TA_13_nobody_is_asked_and_the_lot_is_sold_at_once() -> None:
    at = Sandbox(GAME, sit().terms, words=dict.fromkeys(range(3), toy.Words(1)))
    assert [(ask.seat, ask.what) for ask in at.pending] == [(0, "raid")]
    assert at.public.bids == (1, 1, 1)


def test_TA_13_words_are_taken_back_and_stand_in_for_a_missed_deadline() -> None:
    at = until(Sandbox(GAME, sit().terms, words={0: toy.Words(1)}), "play")
    at.answer(usual(at), words={0: toy.Words()})
    assert [ask.seat for ask in at.pending] == [0, 1, 2]
    at.answer({0: toy.Bid(0), 1: toy.Bid(0)}, words={2: toy.Words(4)})
    assert at.public.bids == (0, 0, 4)
