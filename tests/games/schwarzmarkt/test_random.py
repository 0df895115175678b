"""Random games, dealt and read back by every seat in every step: every one ends and loses nothing on its way.

`play_random` plays one game; the numbers here are small, a campaign can play as many as it likes.
"""

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from referee.engine.book import Fault
from referee.errors import IllegalMove
from referee.game import LINK, Note, ranked
from referee.games.schwarzmarkt import GAME
from referee.games.schwarzmarkt.types import (
    GOODS,
    Amounts,
    Collect,
    Deal,
    Find,
    Move,
    Play,
    Public,
    Quick,
    Raid,
    Sight,
    Spy,
    Swap,
    Trade,
    Words,
)
from referee.testing.sandbox import Sandbox
from tests.support.often import often

from .build import EDITION, deal, faces, random_move

MOST_ROUNDS = 2048
Choose = Callable[[Deal, Sight, random.Random], Move | None]


def play_random(
    seed: str,
    seats: int,
    expert: bool = False,
    *,
    late: float = 0.0,
    choose: Choose = random_move,
    **others: Any,
) -> Counter[str]:
    """Play a game to its end, checking every step; `late` is the chance to miss a deadline. Returns what was asked."""
    terms, rng = deal(seats, expert, **others), random.Random(seed)
    GAME.validate(terms)
    box, asked, letters = Sandbox(GAME, terms, seed), Counter[str](), 0
    assert_sound(box)
    while box.result is None:
        if rng.random() < 0.05:
            said = Words(rng.choice((0, 2, 7, 10, 25, 50, 1000)), rng.choice((0, 1, 1, 2, 4, 1000)))
            seat = box.pending[0].seat
            box.public = replace(
                box.public, standing=(*box.public.standing[:seat], said, *box.public.standing[seat + 1 :])
            )
        before, what = box.public, box.pending[0].what
        moves = {
            ask.seat: None if ask.what == LINK or rng.random() < late else choose(terms, box.seen(ask.seat), rng)
            for ask in box.pending
        }
        story = box.answer(moves)
        assert_sound(box)
        assert_bank_pays(terms, before, what, moves[before.turn], box.public, story)
        asked[what] += 1
        letters += len(moves)
    assert asked[LINK] == 1
    assert letters == asked.total() - 1 + seats, "only before the second deal is more than one seat asked"
    assert asked.total() < MOST_ROUNDS
    assert box.public.half == 2
    assert box.result == ranked([(player.luxury,) for player in box.public.players])
    return asked


def assert_sound(box: Sandbox) -> None:
    """Every card is in one place, everybody is told true numbers, the question makes sense, the story can be told."""
    public, terms = box.public, box.terms
    open_faces = box.book.faces
    lies = {
        name: [open_faces.get(slot) or box.faces[slot] for slot in (*bag.slots, *bag.tail)]
        for name, bag in box.book.bags.items()
    }
    table = [*public.traded, *public.in_force, *([public.offer] if public.offer else [])]
    assert Counter(face for lot in lies.values() for face in lot) + Counter(table) == Counter(
        face for lot in GAME.bags(terms).values() for face in lot
    )
    for pile, hidden, under in (
        ("goods", public.goods_pile, public.goods_under),
        ("cards", public.card_pile, public.card_under),
    ):
        assert (len(lies[pile]), lies[pile][hidden:]) == (hidden + len(under), list(under))
    for seat, player in enumerate(public.players):
        assert (player.goods, player.cards) == (len(lies.get(f"goods/{seat}", ())), len(lies[f"cards/{seat}"]))
        assert box.seen(seat).hand("goods") == tuple(sorted(lies.get(f"goods/{seat}", ())))
        assert box.seen(seat).tokens.keys() <= {"goods", "cards", f"goods/{seat}", f"cards/{seat}"}
    assert not lies.get("swap")
    assert len(msgspec.json.encode(public)) < 200_000
    assert_question_makes_sense(terms, public, box)
    for line in box.log:
        assert GAME.tell(terms, line) == GAME.tell(terms, msgspec.json.decode(msgspec.json.encode(line), type=Note))
    box.log.clear()


def assert_question_makes_sense(terms: Deal, public: Public, box: Sandbox) -> None:
    """Who is asked what fits the table; an empty hand is asked only if it has a choice (SM-23)."""
    e = terms.edition
    end = e.track.index(e.limit) if "limit" in public.in_force else len(e.track) - 1
    assert 0 <= public.marker <= end
    assert bool(box.pending) == (box.result is None)
    if box.pending and box.pending[0].what == LINK:
        assert [ask.seat for ask in box.pending] == list(range(terms.seats))
        assert (public.offer, public.traded, public.in_force, public.half, public.played) == (None, (), (), 2, 0)
    elif box.pending:
        (ask,) = box.pending
        assert ask.seat == public.turn
        if ask.what == "trade":
            choices = min(e.steps[public.marker], end - public.marker)
            assert public.players[ask.seat].goods or choices > 1
            assert not public.sitting_out[ask.seat]
            assert e.track[public.marker] >= public.standing[ask.seat].asked_from
        else:
            assert ask.seat == public.start
            assert not public.traded
            assert (ask.what == "play") == (public.offer is None)
            assert not any(public.sitting_out)


def assert_bank_pays(
    terms: Deal, before: Public, what: str, move: Move | None, after: Public, story: tuple[Note, ...]
) -> None:
    """Only the mover's luxury changes, by what the move is worth and what everybody is told."""
    if isinstance(move, Play) and move.then is not None:
        what, move = {Quick: "quick"}.get(type(move.then), ""), move.then
    expected = {"quick": terms.edition.quick_deal, "find": -terms.edition.find_cost}.get(what, 0)
    number = len(faces(move.goods)) if isinstance(move, Trade) else 0
    if number:
        value = terms.edition.track[before.marker]
        expected = value * number
        if "verdorbene-ware" in before.in_force and not before.traded:
            expected = value // 2 + value * (number - 1)
    gains = [new.luxury - old.luxury for old, new in zip(before.players, after.players, strict=True)]
    assert gains == [expected if seat == before.turn else 0 for seat in range(terms.seats)]
    told = [line.values.get("paid", -line.values.get("cost", 0)) for line in story if line.what in ("trade", "find")]
    assert told == ([expected] if number or what in ("quick", "find") else [])


@pytest.mark.parametrize("expert", [False, True], ids=["base", "expert"])
@pytest.mark.thorough
def test_random_games_end_and_lose_nothing(expert: bool) -> None:
    asked = Counter[str]()
    for number in range(often(8)):
        seats = 3 + number // 2 % 3
        refill = ("full", "traded")[number // 3 % 2]
        asked += play_random(f"{seats} {expert} {number}", seats, expert, late=0.1 * (number % 2), refill=refill)
    assert asked.keys() == {"play", "trade", "spy", "quick", "swap", "raid", "find", "collect", LINK}


def test_a_line_that_is_not_one_cannot_be_told() -> None:
    with pytest.raises(KeyError):
        GAME.tell(deal(), Note("nonsense"))


def test_one_random_game() -> None:
    assert play_random("one", 3, late=0.1)["play"] > 10


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_SM_24_a_game_in_which_everybody_misses_every_deadline_ends(seats: int) -> None:
    asked = play_random("late", seats, late=1.0)
    assert 2 * 15 <= asked["play"] <= 2 * 100


def any_move(rng: random.Random) -> Move:
    """Any move that can be decoded, whether it makes sense or not."""

    def number() -> int:
        return rng.choice((0, 0, 1, 1, 2, 2, 3, 4, 5, 6, 999, 1000))

    def some() -> tuple[Any, ...]:
        return tuple(rng.choices(GOODS, k=rng.randrange(6)))

    card = rng.choice(("", "offer-", "offer-0", "offer-1000", "offer-x", "Razzia", "\n", "link")) or f"offer-{number()}"
    then = rng.choice((Trade(Amounts(), number()), Spy(number()), Quick("sugar"), Raid(number(), "flour"), None))
    move = rng.choice(
        (
            Play(rng.choice((card, f"offer-{rng.randint(1, 21)}", "razzia", "limit")), then),
            Trade(Amounts(), number(), number()),
            Trade(Amounts(**dict.fromkeys(rng.choices(GOODS, k=rng.randrange(3)), number())), number() % 1001),
            Trade(Amounts(**{rng.choice(GOODS): 1}), 0),
            Spy(number()),
            Quick(rng.choice(GOODS)),
            Swap(number(), number(), some()),
            Swap(rng.randrange(3), 1, some()[:1]),
            Raid(number(), rng.choice(GOODS)),
            Find(some()),
            Collect(number()),
        )
    )
    return msgspec.json.decode(msgspec.json.encode(move), type=Move)


@pytest.mark.thorough
def test_any_answer_is_refused_or_leads_to_a_sound_position() -> None:
    """What public facts forbid is illegal, what only the hand forbids cannot be laid out; nothing else goes wrong."""
    rng, ends = random.Random("hostile"), Counter[str]()
    terms = deal(3, offers=EDITION.offers[15:])
    while ends["games"] < 8:
        box = Sandbox(GAME, terms, f"hostile {ends['games']}", read=False)
        while box.result is None:
            (ask, *_) = box.pending
            for _ in range(12 if ask.what != LINK else 0):
                move = any_move(rng)
                if not all(hasattr(move, name) for name in ask.sealed):
                    with pytest.raises(IllegalMove):
                        GAME.apply(terms, box.public, box.pending, {ask.seat: move}, None)  # type: ignore[arg-type]
                    continue
                try:
                    box.answer({ask.seat: move}, check=False)
                except (IllegalMove, Fault) as error:
                    ends[type(error).__name__] += 1
                else:
                    ends[ask.what] += 1
                    break
            else:
                box.answer({} if ask.what == LINK else {ask.seat: random_move(terms, box.seen(ask.seat), rng)})
            assert_sound(box)
        ends["games"] += 1
    assert ends["IllegalMove"] > 1000
    assert ends["Fault"] > 100
    assert min(ends[what] for what in ("play", "trade", "spy", "quick", "swap", "raid", "find", "collect")) > 0


def test_SM_18_wishes_that_name_nothing_in_the_pile_bring_no_card() -> None:
    """Sealed rankings are not judged before the end: a list that is not a ranking must not stop the game."""
    terms = deal(3, find_cost=0)
    for seed in range(200):
        box = Sandbox(GAME, terms, f"empty wishes {seed}", read=True)
        start = box.public.start
        if "neue-ware" in box.seen(start).hand("cards"):
            break
    box.answer({start: Play("neue-ware")})
    assert box.pending[0].what == "find"
    with pytest.raises(IllegalMove):
        box.answer({start: Find(())})
    before = box.public
    box.answer({start: Find(())}, check=False)
    assert_sound(box)
    assert [player.goods for player in box.public.players] == [player.goods for player in before.players]
    assert box.pending[0].what == "play"
