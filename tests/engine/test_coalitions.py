"""What the host and some of the players can do together, and what it costs them: the limits, measured."""

from referee.engine import turn
from referee.engine.audit import audit
from referee.engine.player import own_link
from referee.engine.records import Die
from referee.engine.replay import verify
from referee.engine.rounds import accumulate
from referee.games.schwarzer_freitag import types as sf
from tests.support.match import Sitting, fault

FINE = ("", None)


def lot(table: Sitting) -> int:
    return next(op.value for op in table.entry().ops if isinstance(op, Die))


def test_each_friend_of_the_host_is_worth_one_more_seed():
    """Seats 2 and 3 play with the host. They time themselves out when the dice do not please: no honest seat does."""
    table = Sitting(seats=4, seed="league").play(lambda s: s.what == "play")
    dice = []
    for friend in (3, 2, None):
        everybody = table.fork()
        everybody.others()
        dice.append(lot(everybody))
        if friend is not None:
            table.others(friend)
            turn.time_out(table.match, friend)
            assert table.entry().timeouts == (friend,)
    assert len(dice) == 3
    assert len(set(dice)) > 1, "the coalition chooses among several throws"
    table.others()
    assert all(entry.timeouts in ((), (2,), (3,)) for entry in map(table.entry, range(1, table.round + 1)))
    for seat in range(4):
        assert fault(audit, table.view(seat)) == FINE
    assert fault(verify, table.play().transcript()) == FINE


def test_without_a_timeout_there_is_one_seed_only():
    """Whatever the answers are, the dice of a round are the same."""
    found = set()
    for salt in map(str, range(6)):
        table = Sitting(seats=3, seed="league").play(lambda s: s.what == "play")
        table.others(salt=salt)
        found.add(lot(table))
    assert len(found) == 1


def test_a_mover_who_sends_the_same_turn_in_parts_gets_other_seeds():
    """Nobody foresees them but the host: a mover in league with it can choose how many rounds to use."""
    table = Sitting("schwarzer-freitag", seats=3, seed="league").play(lambda s: s.what not in ("ack", ""))
    (seat,) = table.asked
    market = table.state.position.public.market
    colour = next(name for name in sf.COLOURS if getattr(market, name))
    one, two = table.fork(), table.fork()
    whole = sf.Turn(sf.Pass(colour), before=sf.Extra(subsidies=1))
    assert one.give(one.signed(seat, move=whole)).code == "taken"
    assert two.give(two.signed(seat, move=sf.Turn(before=sf.Extra(subsidies=1)))).code == "taken"
    assert two.asked == [seat]
    assert two.give(two.signed(seat, move=sf.Turn(sf.Pass(colour)))).code == "taken"
    assert one.state.position == two.state.position, "the same turn"
    assert one.state.acc != two.state.acc, "but other seeds from here on"


def test_the_mover_and_the_host_foresee_a_round_of_one():
    """Its seed needs the mover's link and the host's, nobody else's. Without either of them it is another one."""
    table = Sitting(seats=3, seed="league").play(lambda s: s.what == "raid")
    (seat,) = table.asked
    board, number = table.match.table, table.round + 1
    mine = own_link(table.players[seat], board, seat, number)
    hosts = board.host_chain.link(table.match.marks, number).hex()
    foreseen = accumulate(board.id, number, table.state.acc, hosts, {seat: mine}, 3).hex()
    guessed = accumulate(board.id, number, table.state.acc, hosts, {}, 3).hex()
    alone = accumulate(board.id, number, table.state.acc, "00" * 32, {seat: mine}, 3).hex()
    table.others()
    assert table.state.acc == foreseen
    assert table.state.acc not in (guessed, alone)
