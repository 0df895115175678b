"""The story: views and transcripts tell it alike, and the private news match what really happened to a hand."""

import re
from collections import Counter

import msgspec
import pytest
from referee.games.auction import Raid, Words

from referee import games
from referee.crypto.codec import decode
from referee.crypto.envelope import Envelope, ident
from referee.engine import host
from referee.engine import records as r
from referee.engine.player import open_view, sign_return
from referee.evidence.replay import open_transcript
from referee.show import story, typed
from tests.support.match import Sitting
from tests.support.short import short


def hand_of(sitting: Sitting, seat: int) -> Counter[str]:
    """What the host has in a player's hands."""
    found: Counter[str] = Counter()
    book = sitting.state.book
    for name, bag in book.bags.items():
        if name in {f"{hand}/{seat}" for hand in sitting.table.game.hands}:
            found.update(book.faces.get(slot) or sitting.match.faces[slot] for slot in (*bag.slots, *bag.tail))
    return found


@pytest.mark.parametrize("game_id", games.game_ids())
def test_private_news_are_the_change_of_a_hand(game_id: str) -> None:
    """Compared with all hands in the host's file before and after each round."""
    sitting = Sitting(game_id, seed="news")
    hands = [[Counter[str]() for _ in range(3)]]
    while not sitting.over and sitting.round < 25:
        sitting.step()
        hands.append([hand_of(sitting, seat) for seat in range(3)])
    changed = 0
    for seat in range(3):
        for one in story.story_of_view(sitting.opened(seat), range(1, len(hands))):
            before, after = hands[one.round - 1][seat], hands[one.round][seat]
            new, gone = after - before, before - after
            assert [news.seat for news in one.news if news.new or news.gone] == [seat + 1] * bool(new or gone)
            for news in one.news:
                assert (Counter(news.new), Counter(news.gone)) == (new, gone)
                changed += bool(new or gone)
    assert (changed > 0) == any(hand for row in hands for hand in row)


@pytest.mark.thorough
@pytest.mark.parametrize("game_id", ["auction", "schwarzmarkt"])
def test_a_transcript_has_the_news_of_all_views(game_id: str) -> None:
    edition = short(game_id, half_cards=30, idle_cards=15) if game_id == "schwarzmarkt" else None
    sitting = Sitting(game_id, seed="all", edition=edition).to_end()
    file = decode(sitting.transcript(), r.Transcript, "transcript")
    chain, every = open_transcript(sitting.transcript()), range(1, sitting.round + 1)
    views = [story.story_of_view(sitting.opened(seat), every) for seat in range(3)]
    whole = story.story_of_transcript(chain, file.sealed, every)
    for one, *told in zip(whole, *views, strict=True):
        assert {view.told for view in told} == {one.told}
        assert one.news == tuple(news for view in told for news in view.news)
    assert any(news.chose for one in whole for news in one.news)
    assert story.story_of_transcript(chain, file.sealed, range(3, 5)) == whole[2:4]


def test_news_in_words() -> None:
    news = story.PrivateNews(2, "bid 3", ("flour", "sugar", "sugar"), ("13",))
    table = Sitting("auction").table
    assert news.lines(table) == [
        "you chose in secret: bid 3",
        "new in your hand: flour, 2 sugar",
        "gone from your hand: 13",
    ]
    told = story.Round(1, ("Anna rolls",), (story.PrivateNews(2, "", (), ("13",)),))
    assert story.lines(told, table) == ["Anna rolls", "gone from your hand: 13"]
    assert story.lines(told, table, ("Anna", "Be\x1brt")) == ["Anna rolls", r"gone from Be\x1brt's hand: 13"]
    assert story.lines(story.Round(1, (), ()), table) == []


def test_a_secret_choice_is_shown_to_its_player() -> None:
    """A raid gives away a card in secret, and the player's program remembers which. Rounds show bids themselves."""
    sitting = Sitting(seed="secret").until("raid")
    seat = sitting.asked[0]
    hand = sitting.opened(seat).owner.faces
    target, card = (seat + 1) % 3, sorted(hand.values())[0]
    move = Raid(target, card, loud=True)
    sitting.give(sitting.signed(seat, move=move))
    number = range(sitting.round, sitting.round + 1)
    (mine,) = story.story_of_view(sitting.opened(seat), number)
    assert [news.chose for news in mine.news] == [f"raid {target + 1} {card} loudly"]
    (theirs,) = story.story_of_view(sitting.opened(target), number)
    assert [news.chose for news in theirs.news] == [""], "it got the card, and was not told more"
    forgotten = open_view(sitting.view(seat))
    assert [news.chose for news in story.story_of_view(forgotten, number)[0].news] == [""]
    other = {sitting.round: {"card": r.Secret("00" * 32, msgspec.Raw(b'"99"'))}}
    signed_twice = open_view(sitting.view(seat), other)
    assert [news.chose for news in story.story_of_view(signed_twice, number)[0].news] == [""]
    bids = story.story_of_view(sitting.opened(seat), range(1, sitting.round))
    assert not any(news.chose for one in bids for news in one.news)


def test_standing_orders_and_deadlines_are_in_the_story() -> None:
    sitting = Sitting(seed="words")
    for seat in range(3):
        sitting.give(sitting.signed(seat, standing=Words(seat) if seat else None))
    sitting.until("play")
    number = sitting.round + 1
    for seat in range(2):
        move = typed.choices(sitting.opened(seat))[0].move
        sitting.give(sitting.signed(seat, move=move, standing=Words(0) if seat else None))
    sitting.miss(2)
    for seat in range(3):
        told = story.story_of_view(sitting.opened(seat), range(1, number + 1))
        assert told[0].told[:2] == (
            "Bert gives a standing order: bid 1 always",
            "Carla gives a standing order: bid 2 always",
        )
        assert told[-1].told[:3] == (
            "Carla missed the deadline",
            "Bert gives a standing order: bid 0 always",
            "Bert cancels a standing order: bid 1 always",
        )


def test_since_your_last_turn() -> None:
    """From the round of the player's last answer on, with the private news of each round."""
    sitting = Sitting(seed="since").until("raid")
    seat = sitting.asked[0]
    other = (seat + 1) % 3
    sitting.step()
    for who, first in ((seat, sitting.round), (other, sitting.round - 1)):
        opened = sitting.opened(who)
        rounds = story.story_of_view(opened, range(first, sitting.round + 1))
        assert story.since_last_turn(opened) == [line for one in rounds for line in story.lines(one, sitting.table)]
    mine = story.since_last_turn(sitting.opened(seat))
    assert any(line.startswith("new in your hand: ") for line in mine), "the raid took a card"
    assert any(line.startswith("gone from your hand: ") for line in mine), "and gave one"


def test_tokens_are_called_as_players_call_them() -> None:
    """Schwarzmarkt's cards, one and several; a game that says nothing shows the faces."""
    called = games.load("schwarzmarkt").called
    assert [called("potatoes", 1), called("potatoes", 2), called("sugar", 1)] == ["potato", "2 potatoes", "sugar"]
    assert [called("offer-10", 1), called("alte-rechnung", 1)] == ["offer 10", "Alte Rechnung"]
    assert [games.load("mark").called("x", n) for n in (1, 2)] == ["x", "2 x"]
    sitting = Sitting("schwarzmarkt", seed="called").until(1)
    (line,) = [line for line in story.since_last_turn(sitting.opened(0)) if line.startswith("new in your hand: ")]
    assert not re.search(r"offer-|(?<!\d )potatoes", line)


def test_seats_that_change_hands_are_in_the_story() -> None:
    sitting = Sitting("auction", 3, "hands", deadline=60, takeovers=3, takeover=60).until(1)
    while not sitting.state.vacant:
        sitting.step(0)
    sitting.wait(10_000)
    back = decode(sign_return(sitting.players[0], sitting.opened(0)), Envelope, "return")
    one, other = sitting.fork(), sitting.fork()
    host.take_arrival(one.match, back)
    host.take_arrival(other.match, other.succession(0))
    for fork, said in ((one, "Anna comes back"), (other, "Zoe takes over Anna's seat")):
        before = fork.round
        fork.step()
        (told,) = story.story_of_view(fork.opened(1), [before + 1])
        assert told.told[-1] == said
        assert [line for line in told.told if "seat" in line or "comes" in line] == [said]


def test_who_may_take_over_a_seat_is_in_the_story_and_that_nobody_may_after_all() -> None:
    sitting = Sitting("auction", 3, "hands", deadline=60, takeovers=3, takeover=60).until("bid")
    named, own = sitting.newcomer("Yan").public.hex(), sitting.players[1].public.hex()
    for key, said in (
        (named, "Bert names somebody who may take over the seat"),
        (own, "Bert keeps the seat after all"),
    ):
        sitting.until("bid")
        before = sitting.round
        move = typed.choices(sitting.opened(1))[0].move
        assert sitting.give(sitting.signed(1, move=move, handover=key)).error is None
        sitting.others(1)
        (told,) = story.story_of_view(sitting.opened(0), [before + 1])
        assert [line for line in told.told if "the seat" in line] == [said]


def test_a_protest_is_in_the_story() -> None:
    sitting = Sitting("auction", 3, "protest").until("bid")
    late = ident("move", bytes(decode(sitting.signed(2), r.MoveFile, "move").body))
    sitting.step(2)
    before = sitting.round
    assert sitting.give(sitting.signed(2, protest=late)).code == "taken"
    sitting.others(2)
    (told,) = story.story_of_view(sitting.opened(0), [before + 1])
    assert "Carla protests, having signed an answer for the round of the missed deadline" in told.told
    assert not any("Anna protests" in line for line in told.told)


def test_a_hand_in_words() -> None:
    sitting = Sitting("auction", 3, "hand").until("play")
    cards = sorted(sitting.opened(0).seen.hand("hand"))
    said = story.hand_in_words(sitting.opened(0))
    assert said.startswith("Your hand: ")
    assert all(card in said for card in cards)
    assert story.hand_in_words(Sitting("mark", 3, "hand").until(2).opened(0)) == ""
