"""How a round closes: missed deadlines, seats that are out, leaving, resting, running out of links."""

import itertools
from functools import partial

import msgspec
import pytest
from msgspec.structs import replace
from referee.games.auction import Bid, Play

from referee.crypto.codec import H, decode, encode
from referee.crypto.links import LENGTH
from referee.engine import records as r
from referee.engine.chain import Followed
from referee.engine.player import open_view
from referee.engine.reader import Reader
from referee.engine.rounds import asked
from referee.engine.seats import OUT_AFTER, out_seats, rests
from referee.errors import WrongTurn
from referee.evidence.replay import open_transcript
from referee.io.gamefile import open_match
from tests.support.match import Sitting, change_entry, code_of, entries_of, resumed


def at(what: str, seed: str = "rounds", seats: int = 3) -> Sitting:
    return Sitting("auction", seats, seed).until(what)


def last_entry(sitting: Sitting) -> r.Entry:
    return decode(bytes(sitting.match.entries[-1].body), r.Entry, "entry")


def checked(sitting: Sitting) -> Sitting:
    """Checks that nobody finds anything wrong with it."""
    for seat in range(sitting.table.seats):
        assert sitting.opened(seat).chain.checkpoint == sitting.match.checkpoint
    if sitting.over or rests(sitting.state):
        assert open_transcript(sitting.fork().transcript()).checkpoint == sitting.match.checkpoint
    return sitting


# --- missed deadlines ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["bid", "play", "guess"])
def test_a_round_with_a_missed_deadline_plays_nothing(what):
    sitting = at(what)
    before = sitting.match.checkpoint
    sitting.step(1)
    entry = last_entry(sitting)
    assert (entry.timeouts, entry.ops, entry.ask) == ((1,), (), before.state.pending)
    assert sitting.match.checkpoint.public == before.public
    assert sitting.state.book == before.state.book
    assert [held.seat for held in sitting.state.held] == [0, 2]
    questions = asked(sitting.state)
    assert [questions[seat].what for seat in range(3)] == ["link", what, "link"]
    checked(sitting)


def test_a_late_answer_counts():
    sitting = at("play")
    sitting.step(1)
    held = {one.seat: r.content(one.answer) for one in sitting.state.held}
    late = sitting.signed(1)
    sitting.give(late)
    sitting.others(1)
    card = msgspec.json.decode(r.content(decode(bytes(decode(late, r.MoveFile, "m").body), r.Move, "m").answer))["card"]
    played = sitting.match.checkpoint.public.played
    assert played == tuple(card if seat == 1 else msgspec.json.decode(held[seat])["card"] for seat in range(3))
    assert sitting.state.held == ()
    checked(sitting)


def test_a_bare_link_in_place_of_a_decision_counts_as_missed():
    sitting = at("bid")
    sitting.step(1)
    assert sitting.give(sitting.signed(1, resign=False)).code == "taken"
    sitting.others(1)
    assert sitting.match.checkpoint.public.bids[1] == 0
    assert [type(op) for op in last_entry(sitting).ops] == [r.Unseal, r.Unseal]
    checked(sitting)


def test_another_missed_deadline_still_holds_the_answers():
    sitting = at("bid")
    sitting.step(1)
    held = sitting.state.held
    sitting.step(0)
    assert sitting.state.holding
    assert [one.seat for one in sitting.state.held] == [0, 1, 2]
    assert [one for one in sitting.state.held if one.seat != 1] == list(held)
    assert [ask.what for ask in asked(sitting.state).values()] == ["link"] * 3
    sitting.step()
    assert not sitting.state.holding
    assert len(sitting.match.checkpoint.public.bids) == 3
    checked(sitting.to_end())


def test_a_seat_is_out_after_two_timeouts_and_the_rules_play_it():
    sitting = at("bid")
    for _ in range(OUT_AFTER):
        assert 1 in asked(sitting.state)
        sitting.step(1)
    assert out_seats(sitting.state) == {1}
    sitting.to_end()
    later = [entry for entry in entries_of(decode(sitting.view(0), r.View, "view")) if entry.round > 4]
    assert all(answer.seat != 1 for entry in later for answer in entry.answers)
    assert sitting.state.end == "result"
    checked(sitting)


def test_an_answer_resets_the_timeout_count():
    sitting = at("bid")
    sitting.step(1)
    assert sitting.state.missed == (0, 1, 0)
    sitting.step()
    assert sitting.state.missed == (0, 0, 0)


def test_the_first_round_has_no_deadline():
    sitting = Sitting("auction", 3, "first")
    with pytest.raises(WrongTurn) as error:
        sitting.miss(0)
    assert error.value.code == "no-timeout"


def test_only_a_seat_that_owes_an_answer_can_be_late():
    sitting = at("bid")
    sitting.give(sitting.signed(0))
    for seat in (0, 5):
        with pytest.raises(WrongTurn) as error:
            sitting.miss(seat)
        assert error.value.code == "not-asked"


def test_an_answer_before_the_round_closes_takes_the_timeout_back():
    sitting = at("bid")
    assert not sitting.miss(1)
    sitting.give(sitting.signed(1))
    sitting.others(1)
    assert last_entry(sitting).timeouts == ()


# --- links -----------------------------------------------------------------------------------------------------------


def test_a_question_for_a_bare_link():
    sitting = at("link")
    assert [type(op) for op in last_entry(sitting).ops][-1] is r.Shuffle
    generation = sitting.state.book.bags["pile"].generation
    assert code_of(lambda: sitting.signed(0, move=Play("01"))) == "usage"
    sitting.step()
    entry = last_entry(sitting)
    assert all(answer.answer is r.NOTHING for answer in entry.answers)
    dealt = [op for op in entry.ops if isinstance(op, r.Deal)]
    assert dealt
    assert all(f".{generation}." in slot for op in dealt for slot in op.slots)
    checked(sitting)


def test_a_missed_link_is_asked_for_again():
    sitting = at("link")
    sitting.step(2)
    assert last_entry(sitting).ops == ()
    assert [ask.what for ask in asked(sitting.state).values()] == ["link"] * 3
    checked(sitting.to_end())


@pytest.mark.thorough
def test_after_a_seal_everybody_else_is_asked_for_a_link():
    """A hand is resealed in the entry after which only a seat that is out would decide."""
    for seed in range(20):
        sitting = Sitting("schwarzmarkt", 3, f"alone {seed}").until(lambda one: 1 in one.asked and one.round)
        for _ in range(OUT_AFTER):
            sitting.step(1)
        while not sitting.over and not _only_out_pending(sitting):
            sitting.step()
        if not sitting.over:
            break
    assert not sitting.over, "it never came to that"
    sitting.step()
    assert not any(answer.seat == 1 for answer in last_entry(sitting).answers)
    checked(sitting)


def _only_out_pending(sitting: Sitting) -> bool:
    state = sitting.state
    if state.holding or not state.pending or not {ask.seat for ask in state.pending} <= out_seats(state):
        return False
    assert any(isinstance(op, r.Shuffle) for op in last_entry(sitting).ops)
    assert {seat: ask.what for seat, ask in asked(state).items()} == dict.fromkeys(
        sorted({0, 1, 2} - out_seats(state)), "link"
    )
    return True


# --- leaving ---------------------------------------------------------------------------------------------------------


def test_a_player_who_resigns_is_out_and_the_others_continue():
    sitting = at("bid")
    sitting.give(sitting.signed(2, resign=True))
    sitting.others(2)
    assert sitting.state.left == ((2, sitting.round),)
    assert sitting.match.checkpoint.public.bids[2] == 0
    assert 2 not in asked(sitting.state)
    checked(sitting.to_end())
    assert sitting.state.end == "result"


def test_the_last_one_left_is_first():
    sitting = at("bid", seats=4)
    sitting.give(sitting.signed(2, resign=True))
    sitting.others(2)
    while 0 not in asked(sitting.state) or len(asked(sitting.state)) < 3:
        sitting.step()
    for seat in (0, 3):
        sitting.give(sitting.signed(seat, resign=True))
    sitting.others(0, 3)
    assert (sitting.state.end, sitting.state.pending) == ("left", ())
    assert sitting.state.result.ranks == (2, 1, 4, 2)
    assert asked(sitting.state) == {}
    checked(sitting)


def test_what_was_answered_before_leaving_still_counts():
    sitting = at("play")
    sitting.step(1)
    mine = next(one for one in sitting.state.held if one.seat == 0)
    sitting.give(sitting.signed(0, resign=True))
    sitting.others(0)
    assert sitting.match.checkpoint.public.played[0] == msgspec.json.decode(r.content(mine.answer))["card"]
    checked(sitting)


def test_nobody_resigns_before_the_game_has_begun():
    sitting = Sitting("auction", 3, "first")
    assert code_of(lambda: sitting.signed(0, resign=True)) == "usage"
    ack = decode(sitting.signed(0), r.MoveFile, "move")
    from tests.support.match import resigned

    assert sitting.give(resigned(sitting, 0, ack, resign=True)).code == "wrong-answer"


# --- resting ---------------------------------------------------------------------------------------------------------


def resting(what: str = "play") -> Sitting:
    sitting = at(what)
    for _ in range(OUT_AFTER):
        sitting.step(*sitting.asked)
    return sitting


def test_a_game_without_players_rests_until_a_player_returns():
    sitting = resting("bid")
    assert rests(sitting.state)
    assert not sitting.over
    checked(sitting)
    number = sitting.round
    for seat in (1, 2):
        assert not sitting.miss(seat)
    assert sitting.round == number, "nothing closes before somebody answers"
    assert sitting.give(sitting.signed(0, move=Bid(3))).code == "taken"
    assert sitting.round == number + 1
    assert out_seats(sitting.state) == {1, 2}
    sitting.step()
    assert sitting.match.checkpoint.public.bids == (3, 0, 0)
    checked(sitting.to_end())


def test_seats_answer_in_their_order_at_a_table_of_many():
    sitting = Sitting("auction", 10, "many").until("bid")
    sitting.step(*(seat for seat in range(10) if seat not in (1, 8)))
    assert [answer.seat for answer in last_entry(sitting).answers] == [1, 8]
    assert sitting.opened(0).chain.checkpoint == sitting.match.checkpoint
    turned = last_entry(sitting).answers[::-1]
    bad = change_entry(sitting.host, sitting.view(0), sitting.round, answers=turned)
    assert code_of(lambda: open_view(bad)) == "bad-round"


def test_a_game_that_rests_can_be_revealed():
    chain = open_transcript(resting().transcript())
    assert chain.checkpoint.state.end == ""


def test_a_host_cannot_close_a_round_of_a_game_that_rests():
    sitting = resting()
    link = sitting.table.host_chain.link(sitting.match.marks, sitting.round + 1).hex()
    last = last_entry(sitting)
    more = replace(last, round=last.round + 1, prev=sitting.match.checkpoint.head, link=link, timeouts=(0, 1, 2))
    from referee.crypto.envelope import sign

    sitting.match.entries.append(sign(sitting.host, "entry", more))
    assert code_of(lambda: sitting.opened(0)) == "bad-round"


# --- the end of the links --------------------------------------------------------------------------------------------


def near_the_end(number: int) -> Sitting:
    """A game made to look as if it had reached this round, with all links in place."""
    sitting = at("bid", seed="void")
    match, chains = sitting.match, sitting.table.chains
    links = tuple((number, chains[seat].link(sitting.marks[seat], number).hex()) for seat in range(3))
    link = sitting.table.host_chain.link(match.marks, number).hex()
    state = replace(match.state, round=number, links=links, host_link=(number, link))
    match.checkpoint = replace(match.checkpoint, state=state)
    return sitting


@pytest.mark.parametrize("late", [False, True])
def test_when_the_links_run_out_the_game_is_void(late):
    sitting = near_the_end(LENGTH - 2)
    sitting.step()
    before = sitting.match.checkpoint
    sitting.step(*(sitting.asked if late else ()))
    assert sitting.round == LENGTH == 2048
    assert (sitting.state.end, sitting.state.result, asked(sitting.state)) == ("void", None, {})
    follower = resumed(sitting.table, before)
    entry, name = follower.place(sitting.match.entries[-1])
    assert follower.play(entry, name, partial(Reader, given=entry.ops)).checkpoint == sitting.match.checkpoint


def test_a_result_in_the_last_round_counts():
    sitting = near_the_end(LENGTH - 1)
    sitting.give(sitting.signed(0, resign=True))
    sitting.give(sitting.signed(1, resign=True))
    sitting.others(0, 1)
    assert (sitting.round, sitting.state.end) == (LENGTH, "left")


# --- order of arrival ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["bid", "play", "link"])
def test_the_order_of_arrival_does_not_matter(what):
    sitting = at(what)
    moves = {seat: sitting.signed(seat) for seat in range(3)}
    files = set()
    for order in itertools.permutations(range(3)):
        twin = sitting.fork()
        for seat in order:
            assert twin.give(moves[seat]).error is None
            assert twin.give(moves[seat]).code == "repeated"
            twin.match = open_match(twin.file(), twin.host)
        files.add(twin.file())
    assert len(files) == 1


def test_the_order_of_deadlines_and_answers_does_not_matter():
    sitting = at("play")
    moves = {seat: sitting.signed(seat) for seat in (0, 2)}
    files = set()
    for order in itertools.permutations(range(3)):
        twin = sitting.fork()
        for seat in order:
            twin.give(moves[seat]) if seat in moves else twin.miss(seat)
        files.add(twin.file())
    assert len(files) == 1


# --- the state -------------------------------------------------------------------------------------------------------


def test_the_state_before_it_and_an_entry_stand_alone():
    """The hash in entry n-1 vouches for the state; with it entry n is replayed, and nothing else is needed."""
    sitting = at("play")
    sitting.step(1)
    sitting.to_end()
    chain = sitting.opened(0).chain
    for before, one in itertools.pairwise(chain.rounds):
        made = H("state", bytes.fromhex(sitting.table.id), encode(before.checkpoint.state)).hex()
        assert made == before.entry.state
        state = decode(encode(before.checkpoint.state), r.State, "state")
        position = encode(before.checkpoint.public)
        assert sitting.table.public_hash(before.entry.round, position) == before.entry.public == state.public
        public = decode(position, sitting.table.game.public, "position")
        follower = resumed(sitting.table, replace(before.checkpoint, state=state, public=public))
        entry, name = follower.place(sitting.match.entries[one.entry.round - 1])
        assert follower.play(entry, name, partial(Reader, given=entry.ops)).checkpoint == one.checkpoint


def test_every_part_of_the_state_is_in_its_hash():
    sitting = at("play")
    sitting.step(1)
    state = sitting.state
    others = {
        "round": state.round + 1,
        "acc": "00" * 32,
        "book": r.BookRecord(),
        "public": "00" * 32,
        "pending": (),
        "result": r.Result((1, 1, 1), ((0,), (0,), (0,))),
        "links": (),
        "host_link": (0, "00" * 32),
        "missed": (0, 0, 0),
        "left": ((0, 1),),
        "held": (),
        "holding": False,
        "end": "void",
        "due": "2027-01-01T00:00Z",
        "drawn": {"pile table": 1},
        "holders": (r.Holder(0, 1, "Zoe", "00" * 32, "00" * 32, "00" * 32),),
        "vacant": (r.Vacancy(0, 1),),
        "linking": True,
        "bank": (1, 1, 1),
    }
    assert {*others} == {field.name for field in msgspec.structs.fields(r.State)}
    assert all(encode(replace(state, **{name: value})) != encode(state) for name, value in others.items())


def test_an_entry_of_a_shorter_view_is_the_same_game():
    sitting = at("guess")
    view = decode(sitting.view(0), r.View, "view")
    whole = open_view(view)
    for number in range(len(view.entries)):
        checkpoint = Followed(sitting.table).checkpoint if not number else whole.chain.rounds[number - 1].checkpoint
        public = msgspec.Raw(encode(checkpoint.public)) if number else r.NOTHING
        privates = tuple(one for one in view.privates if decode(bytes(one.body), r.Private, "p").round <= number)
        early = replace(view, entries=view.entries[:number], privates=privates, public=public)
        opened = open_view(early)
        assert opened.chain.checkpoint == checkpoint
        assert open_view(view, None, opened).chain.checkpoint == whole.chain.checkpoint
    assert change_entry(sitting.host, sitting.view(0), 1) == sitting.view(0)


def test_a_match_has_the_story_of_its_newest_round():
    sitting = at("play")
    assert sitting.match.log == sitting.opened(0).chain.rounds[-1].log != ()
    sitting.step(1)
    assert sitting.match.log == (), "a round with a timeout plays nothing"
