"""Common chance: the same deal at every table, comparable after play diverges, and proved after the end."""

from typing import Any

import pytest
from referee.games.auction import Options

from referee.crypto.codec import H, decode
from referee.crypto.stream import Stream
from referee.engine import lobby
from referee.engine import records as r
from referee.engine.answers import seen
from referee.evidence.replay import open_transcript
from referee.show.documents import agreed_in_words, terms_in_words
from referee.show.findings import declared, report
from referee.show.terminal import Painter, render
from tests.support.match import Sitting, chance, code_of, entries_of
from tests.support.short import short

GAMES = ("auction", "mark", "schwarzer-freitag", "schwarzmarkt", "weg-zum-erfolg")


def hands(sitting: Sitting) -> list[Any]:
    match = sitting.match
    return [
        seen(sitting.table.game, match.state, match.checkpoint.public, seat, match.faces).tokens
        for seat in range(sitting.table.seats)
    ]


@pytest.mark.parametrize("game", GAMES)
def test_the_same_deal_meets_other_players_at_another_table(game):
    one, two = (Sitting(game, 3, seed, common="deal") for seed in ("these", "others"))
    other = Sitting(game, 3, "these", common="another deal")
    for sitting in (one, two, other):
        sitting.step()
    assert one.table.id != two.table.id
    assert (hands(one), one.match.checkpoint.public) == (hands(two), two.match.checkpoint.public)
    assert (hands(one), one.match.checkpoint.public) != (hands(other), other.match.checkpoint.public) or game == "mark"
    assert one.state.acc != two.state.acc, "the links are others, and decide nothing"


@pytest.mark.thorough
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_read_by_everybody_and_proved_at_the_end(game):
    sitting = Sitting(game, 3, "common", edition=short(game), common="deal").to_end()
    for seat in range(3):
        assert sitting.opened(seat).chain.checkpoint == sitting.match.checkpoint
    chain = open_transcript(sitting.transcript())
    assert chain.checkpoint == sitting.match.checkpoint
    drawn = sum(chain.checkpoint.state.drawn.values())
    assert drawn == sum(one.draws for one in chain.rounds) > 0


def dice(sitting: Sitting) -> dict[tuple[str, int], int]:
    """Who acts, and how often they did before -> what a die shows; as the protocol says it, from the entries alone."""
    found: dict[tuple[str, int], int] = {}
    counts: dict[str, int] = {}
    pending: tuple[Any, ...] = ()
    for entry in entries_of(decode(sitting.view(0), r.View, "view")):
        actor = str(pending[0].seat) if len(pending) == 1 else "table"
        for op in entry.ops:
            for value in op.values if isinstance(op, r.Die) else ():
                place = f"{actor} {op.sides}"
                found[place, counts.get(place, 0)] = value
                counts[place] = counts.get(place, 0) + 1
        pending = entry.ask
    return found


def test_dice_stay_the_same_for_each_seat_after_play_diverges():
    """Whatever is answered, the k-th throw of a seat is the k-th throw of that seat."""
    games = [Sitting("weg-zum-erfolg", 3, "common", common="deal") for _ in range(2)]
    for salt, sitting in zip(("one way", "another way"), games, strict=True):
        while sitting.round < 40 and not sitting.over:
            sitting.step(salt=salt)
    one, two = map(dice, games)
    both = one.keys() & two.keys()
    assert len(both) > 20
    assert games[0].match.checkpoint.public != games[1].match.checkpoint.public
    assert {place: one[place] for place in both} == {place: two[place] for place in both}


def test_each_draw_is_the_one_that_the_protocol_names():
    sitting = Sitting("weg-zum-erfolg", 3, "common", common="deal").until(20)
    secret = chance("common", "deal")
    for (place, count), value in dice(sitting).items():
        actor, sides = place.split()
        made = Stream(H("common", secret, f"die {sides}", actor, count)).below(int(sides)) + 1
        assert value == made, place


def test_the_offer_binds_the_secret():
    sitting = Sitting("auction", 3, "common", common="deal")
    assert sitting.table.offer.chance == H("chance", chance("common", "deal")).hex()
    for wrong in (b"", bytes(32)):
        assert code_of(lambda wrong=wrong: lobby.make_genesis(sitting.host, sitting.offer, sitting.joins, wrong)) == (
            "bad-chance"
        )
    plain = Sitting("auction", 3, "common")
    made = code_of(lambda: lobby.make_genesis(plain.host, plain.offer, plain.joins, bytes(32)))
    assert made == "bad-chance"


def test_the_secret_is_in_the_file_and_the_transcript_and_in_no_view():
    sitting = Sitting("auction", 2, "common", common="deal").until("bid")
    secret = chance("common", "deal").hex().encode()
    assert secret in sitting.file()
    assert all(secret not in sitting.view(seat) for seat in range(2))
    twin = sitting.fork()
    assert twin.match.chance == sitting.match.chance
    assert twin.to_end().transcript() == sitting.to_end().transcript()
    assert secret in sitting.transcript()


def test_timeouts_and_leaving_work_as_usual():
    sitting = Sitting("auction", 3, "common", common="deal").until("play")
    before = dict(sitting.state.drawn)
    sitting.step(2)
    assert sitting.state.drawn == before, "a round with a timeout draws nothing"
    sitting.to_end()
    assert open_transcript(sitting.transcript()).checkpoint == sitting.match.checkpoint


def test_common_chance_is_declared_everywhere():
    sitting = Sitting("auction", 3, "common", Options(2), common="deal", kept=[1]).until(2)
    words = "common chance: proves rules and committed chance, not independence"
    opened = sitting.opened(0)
    assert f"  {words}\n" in terms_in_words(sitting.table.offer)
    assert f"  {words}\n" in agreed_in_words(sitting.table)
    assert declared(opened.chain) == (words, "the host declares that it keeps Bert's key")
    assert report(opened).unproved[0] == "that the draws are those of common chance"
    assert "Common chance: proves rules and committed chance, not independence." in render(
        opened, Painter(colour=False)
    )
    plain = Sitting("auction", 3, "common").until(2)
    assert "common chance" not in terms_in_words(plain.table.offer) + render(plain.opened(0), Painter(colour=False))
