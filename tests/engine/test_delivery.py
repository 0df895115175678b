"""Mail comes late, twice, in any order, or never: what the host does with it, and what a player's tool notices."""

import itertools
import os

import msgspec
import pytest
from referee.games.auction import Bid, Options

from referee.crypto.codec import decode, encode
from referee.crypto.draws import Stream
from referee.crypto.envelope import seal
from referee.crypto.keys import Key
from referee.engine import audit as audit_module
from referee.engine import lobby, rounds, turn
from referee.engine.audit import Watch, audit
from referee.engine.player import open_view
from referee.engine.records import Die, GameFile, Head, Receipt, Take
from referee.engine.replay import verify
from referee.errors import BadSignature, CheckFailed, RefereeError, WrongTurn
from referee.io import files, tickets
from tests.support.match import Sitting, chance, fault

FINE = ("", None)
replace = msgspec.structs.replace


def at(what: str, seats: int = 3, seed: str = "delivery", **more) -> Sitting:
    return Sitting(seats=seats, seed=seed, **more).play(lambda s: s.what == what)


def all_fine(table: Sitting) -> None:
    for seat in range(len(table.players)):
        assert fault(audit, table.view(seat)) == FINE


# --- order and repetition


def test_any_order_gives_the_same_bytes():
    table = at("play", seats=4)
    answers = [table.signed(seat) for seat in range(4)]
    results = set()
    for order in itertools.permutations(range(4)):
        other = table.fork()
        for seat in order:
            assert other.give(answers[seat]).code == "taken"
        results.add((other.file(), *(other.view(seat) for seat in range(4))))
    assert len(results) == 1


def test_any_order_with_files_in_between_gives_the_same_bytes():
    """The game file is written and read again after every single answer."""
    table = at("bid")
    answers = [table.signed(seat) for seat in range(3)]
    ends = set()
    for order in itertools.permutations(range(3)):
        other = table.fork()
        for seat in order:
            other.give(answers[seat])
            other = other.fork()
        ends.add(other.file())
    assert len(ends) == 1


def test_a_waiting_answer_depends_on_no_order():
    table = at("play")
    first, second = table.fork(), table.fork()
    answers = [table.signed(seat) for seat in range(3)]
    for seat in (0, 2):
        first.give(answers[seat])
    for seat in (2, 0):
        second.give(answers[seat])
    assert first.file() == second.file()
    assert first.round == table.round


def test_the_same_answer_five_times():
    table = at("play")
    data = table.signed(1)
    first = table.give(data)
    assert first.code == "taken"
    once = table.file()
    for _ in range(5):
        again = table.give(data)
        assert again.code == "repeated"
        assert encode(again.receipt) == encode(first.receipt)
    assert table.file() == once
    table.others(1)
    after = table.file()
    for _ in range(5):
        again = table.give(data)
        assert (again.code, encode(again.receipt)) == ("repeated", encode(first.receipt))
    assert table.file() == after


def test_an_answer_for_a_round_that_is_over():
    table = at("play")
    same, other = table.signed(1), table.signed(1, move=second_choice(table, 1))
    assert same != other
    table.give(same)
    table.others(1)
    before = table.file()
    assert table.give(same).code == "repeated"
    late = table.give(other)
    assert late.code == "stale"
    assert decode(bytes(late.receipt.body), Receipt, "receipt").code == "stale"
    assert table.file() == before


def second_choice(table: Sitting, seat: int):
    board = table.match.table
    used = table.signed(seat)
    moves = [choice.move for choice in board.game.legal(board.terms, table.seen(seat))]
    return next(move for move in moves if table.signed(seat, move=move) != used)


def test_two_different_answers_for_one_round():
    table = at("play")
    first, second = table.signed(1), table.signed(1, move=second_choice(table, 1))
    other = table.fork()
    assert [table.give(first).code, table.give(second).code] == ["taken", "answered"]
    assert [other.give(second).code, other.give(first).code] == ["taken", "answered"]
    table.others(1)
    other.others(1)
    assert table.entry().answers[1] != other.entry().answers[1]


def test_a_refused_answer_does_not_use_the_turn_up():
    table = at("bid")
    assert table.give(table.forced(0, second_choice(table, 0), link="00" * 32)).code == "bad-link"
    assert table.give(table.signed(0)).code == "taken"


def test_a_late_answer_counts_while_the_round_is_open():
    table = at("play")
    assert turn.time_out(table.match, 1) is False
    assert table.match.late == {1}
    table.others(0, 1)
    assert table.give(table.signed(1)).code == "taken"
    assert table.match.late == set()
    assert table.give(table.signed(0)).code == "taken"
    assert table.entry().timeouts == ()
    all_fine(table)


# --- timeouts


def test_a_fallback_that_needs_no_draw_is_played_at_once():
    table = Sitting("schwarzer-freitag", seed="delivery").play(3)
    (seat,) = table.asked
    table.miss(seat)
    entry = table.entry()
    assert (entry.timeouts, entry.witness, entry.out, entry.ops) == ((seat,), (), (), ())
    assert any(line.startswith(f"@{seat} passes") for line in entry.log)
    assert table.asked == [(seat + 1) % 3]
    all_fine(table)
    assert fault(verify, table.play().transcript()) == FINE


def test_sealed_answers_are_held_whether_they_need_a_draw_or_not():
    """Otherwise "held" would tell something about bids that nobody has seen yet."""
    table = at("bid")
    table.miss(1)
    entry = table.entry()
    assert (entry.timeouts, entry.witness, entry.ops, entry.log) == ((1,), (0, 2), (), ())
    assert table.what == "witness"
    all_fine(table)
    table.others()
    assert table.state.position.public.bids[1] == 0
    assert table.what == "raid"
    all_fine(table)
    assert fault(verify, table.play().transcript()) == FINE


def test_sealed_answers_played_at_once_after_a_timeout():
    """A host who does not hold them is found out by everybody."""
    table = at("bid")
    table.miss(1)
    table.rewrite(lambda e: replace(e, witness=()))
    table.state = replace(table.state, witness=(), held=())
    assert fault(audit, table.view(0)) == ("bad-round", table.round)


def test_a_fallback_that_needs_a_draw_waits_for_witnesses():
    table = at("play")
    before = table.state.position
    table.miss(1)
    entry = table.entry()
    assert (entry.timeouts, entry.witness, entry.ops) == ((1,), (0, 2), ())
    assert table.state.position == before
    assert table.what == "witness"
    all_fine(table)
    step = table.round + 1
    table.others()
    entry = table.entry()
    assert [answer.seat for answer in entry.answers] == [0, 2]
    assert any(isinstance(op, Take) for op in entry.ops)
    watch = Watch(table.match.table)
    for data in table.match.entries:
        watch.enter(bytes(data))
    die = next(op for op in entry.ops if isinstance(op, Die))
    stream = Stream(watch.seed)
    assert table.round == step
    assert die.value in range(1, 7)
    assert die.value == replayed_die(entry, stream)
    assert table.state.position.public.played[1] == min(before.own[1].hand)
    all_fine(table)
    assert fault(verify, table.play().transcript()) == FINE


def replayed_die(entry, stream) -> int:
    """The die as this round's seed throws it, after the draws before it (the pile of a fresh toy game is sealed)."""
    sizes = []
    for op in entry.ops:
        if isinstance(op, Take):
            sizes += [len(op.tokens)]
    pile = 3
    for _ in sizes:
        stream.below(pile)
        pile -= 1
    return stream.below(6) + 1


def test_a_single_mover_who_never_answers():
    table = at("raid")
    (seat,) = table.asked
    table.miss(seat)
    assert table.entry().witness == tuple(other for other in range(3) if other != seat)
    table.others()
    assert table.what == "play"
    all_fine(table)


def test_a_witness_who_times_out_too():
    table = at("play", seats=4)
    table.miss(1)
    assert table.entry().witness == (0, 2, 3)
    held = table.state.held
    table.miss(3)
    assert table.entry().witness == (0, 2)
    assert table.entry().ops == ()
    assert table.state.held == held
    table.miss(0)
    assert table.entry().witness == (2,)
    table.others()
    assert not table.state.held
    assert table.what == "bid"
    assert table.asked == [0, 1, 2, 3], "one timeout puts nobody out"
    all_fine(table)
    assert fault(verify, table.play().transcript()) == FINE


def test_no_witness_left_and_the_game_rests():
    table = at("play", seats=2)
    table.miss(0)
    table.miss(1)
    assert (table.entry().end, table.asked) == ("rests", [])
    all_fine(table)
    found = verify(table.transcript())
    assert (found.end, found.ranks) == ("rests", ())


def test_out_after_two_timeouts_running():
    table = at("bid")
    table.miss(1)
    table.play(lambda s: 1 in s.asked and s.what != "witness")
    table.miss(1)
    assert table.entry().out == (1,)
    while not table.state.end:
        assert 1 not in table.asked
        table.others()
        assert table.entry().out == (1,)
        assert not table.entry().timeouts
    assert table.state.end == "result"
    assert len(table.entry().result.ranks) == 3
    all_fine(table)
    assert fault(verify, table.transcript()) == FINE


def test_a_seat_that_is_out_wins_and_raids_without_being_asked():
    """All others bid 0 and the seat that is out sits first: it wins, and its raid is played in the same entry."""
    table = at("bid", seats=3)
    table.miss(0)
    table.play(lambda s: 0 in s.asked and s.what != "witness")
    table.miss(0)
    table.play(lambda s: s.what == "bid" and not s.state.held)
    for seat in table.asked:
        assert table.give(table.signed(seat, move=Bid(0))).code == "taken"
    log = table.entry().log
    assert [line.split()[1] for line in log] == ["wins", "raids"]
    assert table.what == "play"
    all_fine(table)
    assert fault(verify, table.play().transcript()) == FINE


def test_an_answer_sets_the_count_back():
    table = at("bid", options=Options(rounds=4))
    table.miss(1)
    assert table.state.missed == (0, 1, 0)
    table.play(lambda s: 1 in s.asked and s.what != "witness")
    table.others()
    assert table.state.missed == (0, 0, 0)
    table.play(lambda s: 1 in s.asked and s.what == "bid")
    table.miss(1)
    assert table.entry().out == ()
    assert table.state.missed == (0, 1, 0)


def test_a_witness_link_sets_the_count_back():
    table = at("bid", seats=4)
    table.miss(1)
    table.others()
    (winner,) = table.asked
    assert winner != 1
    table.miss(winner)
    assert 1 in table.entry().witness
    assert table.state.missed[1] == 1
    table.others()
    assert table.state.missed[1] == 0
    assert table.state.missed[winner] == 1


def test_all_out_and_the_game_rests():
    table = at("bid", seats=2)
    for _ in range(6):
        if table.state.end:
            break
        table.miss(*table.asked)
    assert table.entry().end == "rests"
    assert table.asked == []
    all_fine(table)
    assert verify(table.transcript()).end == "rests"


def test_the_first_round_has_no_timeout():
    table = Sitting(seed="delivery")
    before = table.file()
    with pytest.raises(WrongTurn) as error:
        turn.time_out(table.match, 0)
    assert error.value.code == "no-timeout"
    assert table.file() == before


def test_only_who_owes_an_answer_can_time_out():
    table = at("raid")
    (seat,) = table.asked
    with pytest.raises(WrongTurn):
        turn.time_out(table.match, (seat + 1) % 3)
    table = at("play")
    table.give(table.signed(0))
    with pytest.raises(WrongTurn):
        turn.time_out(table.match, 0)
    assert not table.match.late


def test_when_the_links_run_out_the_game_is_void(monkeypatch):
    monkeypatch.setattr(rounds, "LENGTH", 5)
    if hasattr(audit_module, "LENGTH"):
        monkeypatch.setattr(audit_module, "LENGTH", 5)
    table = Sitting(seed="delivery").play()
    assert (table.round, table.state.end, table.asked) == (5, "void", [])
    all_fine(table)
    found = verify(table.transcript())
    assert (found.end, found.rounds, found.ranks) == ("void", 5, ())


def test_one_more_seed_costs_one_visible_timeout():
    """What a host gains by dropping answers: each time one seat less, in everybody's view, and never a free try."""
    table = at("play", seats=4)
    seeds = []
    for seat in (0, 1, 2):
        table.others(seat)
        assert table.entry().round == table.round
        turn.time_out(table.match, seat)
        seeds.append((table.entry().timeouts, table.entry().witness))
    assert seeds == [((0,), (1, 2, 3)), ((1,), (2, 3)), ((2,), (3,))]
    table.miss(3)
    assert table.entry().end == "rests"
    assert not any(entry.ops for entry in (table.entry(n) for n in range(4, table.round + 1)))


# --- the player's tool


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("REFEREE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def see(data: bytes) -> str:
    opened = open_view(data)
    age = tickets.compare(opened, data)
    if age == "new":
        tickets.remember(opened, data)
    return age


def test_a_ticket_tells_new_same_and_old(home):
    table = at("play")
    old = table.view(0)
    assert [see(old), see(old)] == ["new", "same"]
    table.others()
    new = table.view(0)
    assert [see(new), see(old), see(new)] == ["new", "old", "same"]
    with pytest.raises(WrongTurn) as error:
        tickets.refuse_old(open_view(old), old)
    assert error.value.code == "old-view"
    tickets.refuse_old(open_view(new), new)


def evidence(home) -> list[str]:
    return sorted(name.split(".", 1)[1] for name in os.listdir(home / "tickets") if "evidence" in name)


def complaint(data: bytes) -> tuple[str, int | None]:
    with pytest.raises(CheckFailed) as error:
        see(data)
    return error.value.code, error.value.step


def test_a_ticket_notices_a_fork(home):
    table = at("play")
    other = table.fork()
    table.others()
    other.others(salt="another story")
    step = table.round
    assert see(table.view(0)) == "new"
    assert complaint(other.view(0)) == ("two-entries", step)
    assert evidence(home) == ["evidence-1.view.json", "evidence-2.view.json"]
    other.others()
    assert complaint(other.view(0)) == ("two-entries", step)
    assert see(table.view(0)) == "same", "the ticket itself is not touched"


def test_a_ticket_notices_a_rollback_as_soon_as_it_tells_another_story(home):
    table = at("play")
    restored = table.fork()
    table.play(table.round + 2)
    assert see(table.view(0)) == "new"
    assert see(restored.view(0)) == "old", "late mail is no offence"
    with pytest.raises(WrongTurn):
        tickets.refuse_old(open_view(restored.view(0)), restored.view(0))
    restored.others(salt="another story")
    assert complaint(restored.view(0)) == ("two-entries", restored.round)
    assert evidence(home)


def test_a_ticket_notices_two_private_parts(home):
    table = at("play")
    assert see(table.view(0)) == "new"
    own = msgspec.Raw(encode(replace(table.state.position.own[0], hand=("01", "02", "03"))))
    assert complaint(table.false_view(0, own=own)) == ("two-privates", table.round)
    assert evidence(home) == ["evidence-1.view.json", "evidence-2.view.json"]


def test_a_ticket_notices_a_second_game_with_the_same_join(home):
    table = Sitting(seed="delivery")
    assert see(table.view(0)) == "new"
    swapped = (table.joins[0], table.joins[2], table.joins[1])
    table.match = turn.new_match(table.host, lobby.make_genesis(table.host, table.offer, swapped))
    assert complaint(table.view(0)) == ("two-geneses", 0)


def test_the_host_cannot_start_an_offer_twice_by_mistake(home):
    table = Sitting(seed="delivery")
    tickets.start_once(table.match.table)
    record = tickets.start_record(table.match.table)
    files.write(record, make=[str(home / "started")])
    tickets.start_once(table.match.table)
    swapped = (table.joins[0], table.joins[2], table.joins[1])
    other = lobby.make_genesis(table.host, table.offer, swapped)
    with pytest.raises(WrongTurn) as error:
        tickets.start_once(other)
    assert error.value.code == "already-started"


# --- the host's file


def test_a_game_file_that_somebody_else_changed_is_refused():
    table = at("play")
    table.give(table.signed(0))
    data = table.file()
    assert turn.dump_match(turn.open_match(data, table.host)) == data
    codes = set()
    for old, new in ((b'"points":[', b'"points":[1'), (b'"missed":[0', b'"missed":[1'), (b'"odd":', b'"odd": ')):
        changed = data.replace(old, new, 1)
        assert changed != data
        with pytest.raises(RefereeError) as error:
            turn.open_match(changed, table.host)
        codes.add(error.value.code)
    late = encode(replace(decode(data, GameFile, "game file"), late=(1,)))
    with pytest.raises(BadSignature):
        turn.open_match(late, table.host)
    assert codes <= {"altered-file", "malformed"}


def test_a_game_file_of_another_host_is_refused():
    table = at("play")
    with pytest.raises(BadSignature) as error:
        turn.open_match(table.file(), Key(chance("somebody else")))
    assert error.value.code == "other-key"


def test_a_head_of_another_moment_is_refused():
    table = at("play")
    old = decode(table.file(), GameFile, "game file")
    table.others()
    new = decode(table.file(), GameFile, "game file")
    with pytest.raises(BadSignature):
        turn.open_match(encode(replace(new, head=old.head)), table.host)
    forged = seal(table.players[0], "head", decode(bytes(new.head.body), Head, "head"))
    with pytest.raises(BadSignature):
        turn.open_match(encode(replace(new, head=forged)), table.host)
