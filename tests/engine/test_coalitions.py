"""What the host and some of the players can do together, and what it costs them: the limits, measured."""

from referee.games.auction import Bid

from referee.crypto.codec import H, decode
from referee.engine import host
from referee.engine import records as r
from referee.engine.chain import follow
from referee.engine.replay import open_transcript
from tests.support.match import Sitting, entries_of


def entries(sitting: Sitting) -> list[r.Entry]:
    return entries_of(decode(sitting.view(0), r.View, "view"))


def lot(sitting: Sitting) -> int:
    return sitting.match.moment.public.lot


def test_each_friend_of_the_host_is_worth_one_more_seed():
    """Seats 3 and 4 play with the host. They miss deadlines when the dice do not please: no honest seat does."""
    sitting = Sitting("auction", 4, "league").until("play")
    dice = []
    for friend in (3, 2, None):
        everybody = sitting.fork()
        everybody.step()
        dice.append(lot(everybody))
        if friend is not None:
            sitting.step(friend)
    assert len(set(dice)) > 1, "the coalition chooses among several throws"
    sitting.to_end()
    late = [entry.timeouts for entry in entries(sitting) if entry.timeouts]
    assert late == [(3,), (2,)], "and everybody sees how often"
    for seat in range(4):
        sitting.opened(seat)
    assert open_transcript(sitting.transcript()).moment == sitting.match.moment


def test_without_a_timeout_there_is_one_seed_only():
    """Whatever the answers are, the dice of a round are the same."""
    found = set()
    for salt in map(str, range(6)):
        sitting = Sitting("auction", 3, "league").until("play")
        sitting.step(salt=salt)
        found.add((lot(sitting), sitting.state.acc))
    assert len(found) == 1


def test_the_mover_and_the_host_foresee_a_round_of_one():
    """Its seed needs the mover's link and the host's, nobody else's. Without either of them it is another one."""
    sitting = Sitting("auction", 3, "league").until("raid")
    (seat,) = sitting.asked
    table, number, acc = sitting.table, sitting.round + 1, sitting.state.acc

    def made(hosts: bytes, mine: bytes) -> str:
        parts = [mine if one == seat else b"" for one in range(3)]
        return H("acc", bytes.fromhex(table.id), number, bytes.fromhex(acc), hosts, *parts).hex()

    mine = table.chains[seat].link(sitting.marks[seat], number)
    hosts = table.host_chain.link(sitting.match.marks, number)
    foreseen, others = made(hosts, mine), {made(hosts, b""), made(bytes(32), mine)}
    sitting.step()
    assert sitting.state.acc == foreseen
    assert foreseen not in others


def test_who_answers_last_with_the_host_foresees_the_draws():
    """The links of the others are in their answers, and an own link does not depend on what is answered with it."""
    sitting = Sitting("auction", 3, "league").until("bid")
    sitting.others(2)
    table, number, acc = sitting.table, sitting.round + 1, sitting.state.acc
    known = [decode(bytes(sitting.match.waiting[seat].body), r.Move, "move").link for seat in (0, 1)]
    mine = table.chains[2].link(sitting.marks[2], number)
    hosts = table.host_chain.link(sitting.match.marks, number)
    parts = [*map(bytes.fromhex, known), mine]
    foreseen = H("acc", bytes.fromhex(table.id), number, bytes.fromhex(acc), hosts, *parts).hex()
    for amount in (0, 7):
        twin = sitting.fork()
        assert twin.give(twin.signed(2, move=Bid(amount))).code == "taken"
        assert twin.state.acc == foreseen


def test_who_is_late_knows_the_open_answers_of_the_others_but_nothing_sealed():
    sitting = Sitting("auction", 3, "league").until("bid")
    sitting.step(2)
    answers = entries(sitting)[-1].answers
    assert [r.content(answer.answer) for answer in answers] == [b'{"do":"bid"}'] * 2
    sitting.until("play")
    sitting.step(2)
    cards = [decode(r.content(answer.answer), dict, "answer")["card"] for answer in entries(sitting)[-1].answers]
    assert len(cards) == 2


def test_a_host_who_gives_a_friend_the_same_entry_twice_gains_nothing():
    """Closing a round again with the same answers gives the same entry."""
    sitting = Sitting("auction", 3, "league").until("play")
    moves = [sitting.signed(seat) for seat in range(3)]
    twins = [sitting.fork(), sitting.fork()]
    for twin in twins:
        for move in moves:
            host.take_move(twin.match, move)
    assert twins[0].file() == twins[1].file()
    assert follow(sitting.table, twins[0].match.entries).moment == twins[1].match.moment
