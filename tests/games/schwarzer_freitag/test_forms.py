"""Moves as data: every legal move can be built from the list, and nothing else."""

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from referee import forms
from referee.errors import IllegalMove
from referee.games.schwarzer_freitag import GAME, rules
from referee.games.schwarzer_freitag.types import COLOURS, Buy, Cases, Deal, Move, Pass, Public, Sell, Sight, Silver
from referee.games.schwarzer_freitag.words_legal import legal
from tests.support.plain import play_out

from .build import by_bot, deal
from .test_hostile import any_move

CARDS = [(("pass",),), (("pass", "sell"),), (("pass",), ("pass", "buy")), (("sell",), ("pass",)), (("pass", "silver"),)]


def stirred(public: Public, rng: random.Random) -> Public:
    """A position with less common facts: cards, debts, a small market, a short strip, much or little money."""
    me = public.players[public.turn]
    if rng.random() < 0.6:
        me = replace(me, cards=rng.choice(CARDS))
    if rng.random() < 0.5:
        me = replace(me, money=rng.choice((0, 5, 19, 40, 300)), debt=0)
    if rng.random() < 0.4:
        me = replace(me, debt=me.money + rng.choice((1, 10, 25, 70)))
    if rng.random() < 0.3:
        me = replace(me, subsidies=rng.randrange(me.subsidies + 1))
    players = tuple(me if seat == public.turn else player for seat, player in enumerate(public.players))
    changes: dict[str, Any] = {"players": players, "due": me.debt if rng.random() < 0.8 else 0}
    if rng.random() < 0.4:
        changes["market"] = Cases(*(rng.choice((0, 0, 1, 2)) for _ in COLOURS))
    if rng.random() < 0.3:
        changes["sale"] = tuple(Cases(*(rng.choice((0, 0, 1)) for _ in COLOURS)) for _ in public.sale)
    if rng.random() < 0.3:
        changes["stage"] = rng.randrange(10)
    stage = changes.get("stage", public.stage)
    limit = deal().edition.stages[stage].subsidies
    changes["players"] = tuple(replace(p, subsidies=min(p.subsidies, limit)) for p in players)
    return replace(public, **changes)


@cache
def positions(seats: int, games: int = 2, every: int = 4) -> list[tuple[Deal, Sight]]:
    """What the seat that is asked sees, in positions of random games and in positions made from them."""
    terms, found = deal(seats), []
    for seed in range(games):
        rng = random.Random(f"forms {seats} {seed}")
        for at, moment in enumerate(play_out(GAME, terms, by_bot, rng)):
            if moment.step.pending and (at % every == 0 or moment.step.pending[0].what != "turn"):
                view = moment.seen(moment.step.pending[0].seat)
                found.append((terms, view))
                if view.pending[0].what != "place":
                    found.append((terms, replace(view, public=stirred(view.public, rng))))
    return found


def as_json(move: Move) -> Any:
    return msgspec.json.decode(msgspec.json.encode(move))


def is_legal(terms: Deal, view: Sight, move: Move) -> bool:
    try:
        rules.check(terms, view, move)
    except IllegalMove:
        return False
    return True


@pytest.mark.thorough
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_whatever_is_built_is_legal_and_canonical(seats: int) -> None:
    rng, built = random.Random(seats), 0
    for terms, view in positions(seats):
        for choice in legal(terms, view):
            rules.check(terms, view, choice.move)
            assert forms.find(choice, as_json(choice.move)) is not None, choice.text
            for _ in range(3):
                values = forms.sample(choice, rng.randrange)
                assert values is not None, choice.text
                json = forms.build(choice, values)
                move = msgspec.convert(json, Move)
                assert as_json(move) == json
                rules.check(terms, view, move)
                built += 1
    assert built > 1000


def neighbours(move: Move, rng: random.Random) -> Iterator[Move]:
    """Moves that differ a little."""
    if not isinstance(move, Buy | Sell | Silver | Pass):
        return
    other = any_move(rng)
    for name in ("before", "after", "hold"):
        if hasattr(other, name):
            yield replace(move, **{name: getattr(other, name)})
    yield replace(move, mark=rng.choice((*COLOURS, None)))
    yield replace(move, before=rng.choice(EXTRAS), after=rng.choice(EXTRAS))
    if isinstance(move, Sell):
        yield replace(move, drop=rng.choice(COLOURS))
    if isinstance(move, Silver):
        yield replace(move, bars=rng.randrange(1, 7))
    if isinstance(move, Buy | Sell):
        numbers = {colour: rng.choice((0, 0, 0, 1, 1, 2, 3)) for colour in COLOURS}
        yield replace(move, shares=Cases(**numbers))
        yield replace(move, shares=replace(move.shares, **{rng.choice(COLOURS): rng.randrange(4)}))


EXTRAS: list[Any] = [(), (1,), (2,), (3,)]
EXTRAS += [extras for one in COLOURS for extras in ((one,), (1, one), (one, 1), (one, 2), (3, one))]


@pytest.mark.thorough
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_every_legal_move_that_a_search_finds_is_in_the_list(seats: int) -> None:
    rng, found = random.Random(f"search {seats}"), 0
    for terms, view in positions(seats):
        choices = legal(terms, view)
        seeds = [by_bot(terms, view, rng) for _ in range(3)] + [choice.move for choice in choices]
        tried = [near for move in seeds for near in neighbours(move, rng)] + [any_move(rng) for _ in range(20)] + seeds
        for move in {move for move in tried if is_legal(terms, view, move)}:
            json = as_json(move)
            assert any(forms.find(choice, json) is not None for choice in choices), move
            found += 1
    assert found > 1000


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_list_for_people_is_short_and_says_everything_once(seats: int) -> None:
    for terms, view in positions(seats):
        choices = legal(terms, view)
        assert 0 < sum(not choice.minor for choice in choices) <= 12
        assert len({choice.text for choice in choices}) == len(choices) <= 100
