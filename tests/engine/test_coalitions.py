"""What the host and some of the players can do together, and what it costs them: the limits, measured."""

from collections.abc import Callable, Mapping

from referee.games.auction import Bid

from referee.crypto.codec import H, decode
from referee.crypto.links import Chain
from referee.crypto.stream import Stream
from referee.engine import host, lobby
from referee.engine import records as r
from referee.engine.chain import follow
from referee.evidence.replay import open_transcript
from referee.mail.passes import kept_join, kept_key
from referee.show.findings import declared
from tests.support.match import Sitting, entries_of


def entries(sitting: Sitting) -> list[r.Entry]:
    return entries_of(decode(sitting.view(0), r.View, "view"))


def lot(sitting: Sitting) -> int:
    return sitting.match.checkpoint.public.lot


def test_each_friend_of_the_host_is_worth_one_more_seed():
    """Seats 3 and 4 play with the host. They miss deadlines when they dislike the dice; no honest seat does."""
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
    assert open_transcript(sitting.transcript()).checkpoint == sitting.match.checkpoint


def test_without_a_timeout_there_is_one_seed_only():
    """The dice of a round are the same whatever the answers are."""
    found = set()
    for salt in map(str, range(6)):
        sitting = Sitting("auction", 3, "league").until("play")
        sitting.step(salt=salt)
        found.add((lot(sitting), sitting.state.acc))
    assert len(found) == 1


def test_the_mover_and_the_host_foresee_a_round_of_one():
    """Its seed needs the mover's link and the host's, nobody else's. Without either of them it is different."""
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


def test_the_last_to_answer_together_with_the_host_foresees_the_draws():
    """The links of the others are in their answers, and one's own link does not depend on the answer that it comes
    with."""
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


def test_a_late_player_knows_the_others_open_answers_but_nothing_sealed():
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
    assert follow(sitting.table, twins[0].match.entries).checkpoint == twins[1].match.checkpoint


# --- keys that the host keeps ----------------------------------------------------------------------------------------


def kept_link(sitting: Sitting, seat: int, number: int) -> bytes:
    """The link of a kept seat, computed from the host's key and the offer."""
    key = kept_key(sitting.host, sitting.table.offer_id, seat)
    nonce = bytes.fromhex(sitting.table.joins[seat].nonce)
    return Chain(key.public, nonce).link(lobby.player_marks(key, sitting.table.offer_id, nonce), number)


def foreseen(sitting: Sitting, number: int, acc: str, links: Mapping[int, bytes]) -> str:
    """The accumulator after a round in which these seats send these links; the host's is its own."""
    hosts = sitting.table.host_chain.link(sitting.match.marks, number)
    parts = [links.get(seat, b"") for seat in range(sitting.table.seats)]
    return H("acc", bytes.fromhex(sitting.table.id), number, bytes.fromhex(acc), hosts, *parts).hex()


def link_of(sitting: Sitting, seat: int) -> bytes:
    return bytes.fromhex(decode(bytes(sitting.match.waiting[seat].body), r.Move, "move").link)


def test_no_key_kept_and_the_last_answer_of_a_round_decides():
    sitting = Sitting("auction", 3, "kept").until("play")
    sitting.others(2)
    known = {seat: link_of(sitting, seat) for seat in (0, 1)}
    number, acc = sitting.round + 1, sitting.state.acc
    without, guessed = (
        foreseen(sitting, number, acc, known),
        foreseen(sitting, number, acc, known | {2: kept_link(sitting, 2, number)}),
    )
    sitting.others(0, 1)
    assert sitting.state.acc not in (without, guessed)
    assert declared(sitting.opened(0).chain) == ()


def test_some_keys_kept_and_a_seat_with_its_own_key_answers():
    """Before its answer the host does not know the seed, whatever it knows of the others; after it, it does."""
    sitting = Sitting("auction", 3, "kept", kept=[1, 2]).until("play")
    number, acc = sitting.round + 1, sitting.state.acc
    kept = {seat: kept_link(sitting, seat, number) for seat in (1, 2)}
    before = foreseen(sitting, number, acc, kept)
    sitting.others(1, 2)
    after = foreseen(sitting, number, acc, kept | {0: link_of(sitting, 0)})
    twin = sitting.fork()
    sitting.others(0)
    twin.others(0, salt="other answers of the kept seats")
    assert sitting.state.acc == twin.state.acc == after != before
    late = Sitting("auction", 3, "kept", kept=[1, 2]).until("play")
    late.step(2)
    assert late.state.acc not in (after, before), "and a missed deadline of a kept seat gives another seed"
    assert entries(late)[-1].timeouts == (2,)


def test_some_keys_kept_and_kept_seats_alone_answer():
    """Everything that is drawn until a seat with its own key answers follows from the host's key."""
    sitting = Sitting("auction", 3, "kept", kept=[1, 2]).until(lambda one: one.asked in ([1], [2]))
    start, acc, said = sitting.round, sitting.state.acc, []
    told = sitting.fork()
    while 0 not in told.asked:
        number = told.round + 1
        acc = foreseen(sitting, number, acc, {seat: kept_link(sitting, seat, number) for seat in told.asked})
        said.append(acc)
        told.step(salt="whatever is answered")
    sitting.step()
    assert said
    assert sitting.state.acc == said[0]
    assert told.state.acc == said[-1]
    assert all(0 not in [answer.seat for answer in entry.answers] for entry in entries(told)[start:])


def drawn_by_kept_seats(sitting: Sitting) -> list[int]:
    """Worked out from what was drawn: dice, and tokens that were picked."""
    found = []
    for entry in entries(sitting):
        drawn = any(isinstance(op, r.Die | r.Take | r.Deal) for op in entry.ops)
        if drawn and {answer.seat for answer in entry.answers} <= {*sitting.keeps}:
            found.append(entry.round)
    return found


def test_audit_counts_the_rounds_that_the_host_could_foresee():
    def drawn(rounds: int) -> Callable[[Sitting], bool]:
        return lambda one: len(drawn_by_kept_seats(one)) == rounds

    first = "the host declares that it keeps Bert's key"
    sitting = Sitting("weg-zum-erfolg", 3, "kept", kept=[1]).until(drawn(1))
    (one,) = drawn_by_kept_seats(sitting)
    assert declared(sitting.opened(0).chain) == (first, f"the host could foresee the draws of round {one}")
    one, two, third = drawn_by_kept_seats(sitting.until(drawn(3)))
    assert 1 < one < two < third
    told = f"the host could foresee the draws of rounds {one}, {two} and {third}"
    assert declared(sitting.opened(1).chain) == (first, told)
    both = Sitting("schwarzer-freitag", 3, "kept", kept=[0, 2]).until(1)
    assert declared(both.opened(1).chain) == (
        "the host declares that it keeps the keys of Anna and Carla",
        "so far the host could not foresee the draws of any round",
    )


def test_all_keys_kept_and_the_host_chooses_the_whole_game():
    """The seed of the first round is known before anybody joins; the host makes offers until it likes one."""

    def first_pick(seed: str) -> tuple[int, Sitting]:
        sitting = Sitting("auction", 3, seed, kept=[0, 1, 2])
        acc = foreseen(sitting, 1, sitting.state.acc, {seat: kept_link(sitting, seat, 1) for seat in range(3)})
        stream = Stream(H("seed", bytes.fromhex(sitting.table.id), 1, bytes.fromhex(acc)))
        return stream.below(len(sitting.table.bags["pile"])), sitting

    picks = dict(first_pick(f"pleases {number}") for number in range(12))
    assert len(picks) > 3, "it can choose"
    for pick, sitting in picks.items():
        sitting.step()
        deal = next(op for op in entries(sitting)[0].ops if isinstance(op, r.Deal))
        assert deal.slots[0] == f"pile.0.{pick}"
        assert declared(sitting.opened(0).chain) == (
            "the host declares that it keeps the keys of Anna, Bert and Carla",
            "draws are not protected",
        )


def test_a_kept_join_is_the_same_to_the_byte_and_says_so():
    sitting = Sitting("auction", 3, "kept")
    one, again, other = (kept_join(sitting.host, sitting.offer, number, "Bert") for number in (1, 1, 2))
    assert one == again != other
    join = decode(bytes(one.body), r.Join, "join")
    assert join.kept
    assert join.key == kept_key(sitting.host, sitting.table.offer_id, 1).public.hex() not in bytes(other.body).decode()
    assert all(b"kept" not in bytes(join.body) for join in sitting.joins)
