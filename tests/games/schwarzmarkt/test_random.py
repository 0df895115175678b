"""Random games: every one ends, nothing gets lost on the way, and the fallback is legal at every decision."""

import random
import re
from collections import Counter

import pytest
from msgspec.structs import replace

from referee.game import seen
from referee.games.schwarzmarkt import rules
from referee.games.schwarzmarkt.types import GOODS, Deal, Find, Move, Own, Pos, Quick, Raid, Spy, Swap, Trade
from tests.support.plain import Moment, PlainDraws, play_out

from .build import SYMBOLS, TRACK, assert_containers_agree, deal, faces, goods, random_move

GAMES = 90
BASE = Counter(potatoes=12, coffee=12, flour=12, butter=12, sugar=12)
EXPERT = Counter(potatoes=16, coffee=12, flour=14, butter=12, sugar=12)
EVENTS = [
    "waren-knapp",
    "spionage",
    "schnelles-geschaeft",
    "zwangstausch",
    "razzia",
    "neue-ware",
    "limit",
    "alte-rechnung",
    "verdorbene-ware",
]
CARDS = sorted([f"offer-{number}" for number in range(1, 22)] + EVENTS)
AMOUNT = re.compile(r"@(\d) (?:trades|takes) .* for (\d+)")


@pytest.mark.parametrize("chunk", range(4))
@pytest.mark.parametrize("expert", [False, True], ids=["base", "expert"])
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_random_games_end_and_lose_nothing(seats: int, expert: bool, chunk: int) -> None:
    terms = deal(seats, expert)
    for seed in range(GAMES):
        before, bank = None, 0
        for moment in play_out(rules, terms, random_move, random.Random(f"{seats}/{expert}/{chunk}/{seed}")):
            position: Pos = moment.position
            assert_containers_agree(position, moment.draws)
            assert_no_card_is_lost(moment, expert)
            if before is not None:
                bank += assert_bank_pays(before, moment)
            assert bank == sum(player.luxury for player in position.public.players)
            assert_question_makes_sense(position)
            assert_fallback_is_legal(terms, position)
            before = position
        assert before is not None
        assert before.public.half == 2
        assert_ranks(before)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_games_of_fallbacks_only_end(seats: int) -> None:
    """Everybody misses every deadline: nobody trades in a trade round, so SM-12 sees to the end."""
    for seed in range(10):
        moments = play_out(rules, deal(seats), lambda t, view, _: rules.fallback(t, view), random.Random(seed))
        assert list(moments)[-1].position.result is not None


@pytest.mark.parametrize("seats", [3, 5])
def test_SM_22_nothing_public_depends_on_what_is_hidden(seats: int) -> None:
    """In a twin world others hold other cards: the same answer makes the same draws and looks the same to all."""
    terms = deal(seats)
    compared: Counter[str] = Counter()
    for seed in range(40):
        rng = random.Random(f"twins/{seats}/{seed}")
        game = play_out(rules, terms, random_move, rng)
        position = next(game).position
        while position.pending:
            (ask,) = position.pending
            move = random_move(terms, seen(position, ask.seat), rng)
            worlds = [twin(position, ask.seat, rng) for _ in range(2)]
            answers = [move, _other_secret(terms, position, move, rng)]
            steps = [rules.apply(terms, p, {ask.seat: m}, d) for (p, d), m in zip(worlds, answers, strict=True)]
            if not isinstance(move, Raid | Spy):
                assert worlds[0][1].calls == worlds[1][1].calls
                assert steps[0].position.public == steps[1].position.public
                assert steps[0].position.pending == steps[1].position.pending
                assert steps[0].log == steps[1].log
                compared[ask.what] += 1
            position = steps[0].position
    assert set(compared) == {"play", "trade", "quick", "swap", "find", "collect"}


def twin(position: Pos, seat: int, rng: random.Random) -> tuple[Pos, PlainDraws]:
    """The same for this seat, but all that it does not know is dealt anew."""
    public, own = position.public, list(position.own)
    others = [other for other in range(len(own)) if other != seat]
    whole = Counter(BASE)
    whole.subtract([*public.goods_under, *public.traded, *faces(own[seat].goods)])
    known = {*public.card_under, *public.in_force, *own[seat].cards, public.offer}
    goods_left, cards_left = [*whole.elements()], [card for card in CARDS if card not in known]
    rng.shuffle(goods_left)
    rng.shuffle(cards_left)
    for other in others:
        held = [goods_left.pop() for _ in range(public.players[other].goods)]
        own[other] = Own(goods(*held), tuple(sorted(cards_left.pop() for _ in own[other].cards)))
    hands = {f"goods/{number}": faces(hand.goods) for number, hand in enumerate(own)}
    hands |= {f"cards/{number}": list(hand.cards) for number, hand in enumerate(own)}
    draws = PlainDraws({"goods": goods_left, "cards": cards_left} | hands, rng)
    draws.tails = {"goods": list(public.goods_under), "cards": list(public.card_under)}
    return replace(position, own=tuple(own)), draws


def _other_secret(terms: Deal, position: Pos, move: Move, rng: random.Random) -> Move:
    """The same in public, but perhaps with other sealed fields."""
    if isinstance(move, Find):
        return Find(move.ranking[::-1])
    if isinstance(move, Swap):
        held = faces(position.own[position.public.turn].goods)
        return replace(move, give=tuple(sorted(rng.sample(held, move.number), key=GOODS.index)))
    return move


def assert_no_card_is_lost(moment: Moment, expert: bool) -> None:
    """Every card of the box is in one place: in a pile, in a hand or open on the table."""
    public, own = moment.position.public, moment.position.own
    bags = moment.draws.bags
    held = [face for hand in own for face in faces(hand.goods)]
    assert Counter([*bags["goods"], *public.goods_under, *held, *public.traded]) == (EXPERT if expert else BASE)
    held = [card for hand in own for card in hand.cards]
    in_use = [public.offer] if public.offer else []
    assert sorted([*bags["cards"], *public.card_under, *held, *public.in_force, *in_use]) == CARDS


def assert_bank_pays(before: Pos, moment: Moment) -> int:
    """Only the mover's luxury changes, by what the move is worth and what everybody is told; returns the change."""
    ((mover, move),) = moment.answers.items()
    public = before.public
    expected = 0
    if isinstance(move, Trade):
        value, number = TRACK[public.marker], len(faces(move.goods))
        first_of_round = "verdorbene-ware" in public.in_force and not public.traded
        expected = value * number
        if first_of_round and number:
            expected = value // 2 + value * (number - 1)
    elif isinstance(move, Quick):
        expected = 20
    elif isinstance(move, Find):
        expected = -5
    after = moment.position.public
    gains = [new.luxury - old.luxury for old, new in zip(public.players, after.players, strict=True)]
    assert gains == [expected if seat == mover else 0 for seat in range(len(gains))]
    told = [found.groups() for line in moment.log if (found := AMOUNT.match(line))]
    paid = isinstance(move, Quick | Find) or (isinstance(move, Trade) and move.goods != type(move.goods)())
    assert told == ([(str(mover), str(abs(expected)))] if paid else [])
    return expected


def assert_question_makes_sense(position: Pos) -> None:
    """Who is asked what fits the table; an empty hand is asked only if it has a choice (SM-23)."""
    public = position.public
    end = 9 if "limit" in public.in_force else 13
    assert 0 <= public.marker <= end
    for ask in position.pending:
        assert ask.seat == public.turn
        if ask.what == "trade":
            choices = min(SYMBOLS[public.marker], end - public.marker)
            assert public.players[ask.seat].goods or choices > 1
        else:
            assert ask.seat == public.start
            assert not public.traded
            assert (ask.what == "play") == (public.offer is None)


def assert_fallback_is_legal(terms: Deal, position: Pos) -> None:
    for ask in position.pending:
        view = seen(position, ask.seat)
        rules.check(terms, view, rules.fallback(terms, view))


def assert_ranks(position: Pos) -> None:
    result = position.result
    assert result is not None
    assert not position.pending
    assert result.scores == tuple((player.luxury,) for player in position.public.players)
    best_first = sorted(result.scores, reverse=True)
    assert result.ranks == tuple(best_first.index(score) + 1 for score in result.scores)
