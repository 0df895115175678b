"""Seats that change hands: vacancies, successions, hand-overs, returns; nobody can use them to choose a draw."""

from functools import partial

import msgspec
import pytest
from msgspec.structs import replace
from referee.games.auction import Words

from referee.crypto.codec import H, decode, encode
from referee.crypto.envelope import Envelope, sign
from referee.crypto.keys import Key
from referee.engine import host
from referee.engine import records as r
from referee.engine.book import Fault
from referee.engine.player import open_view, sign_return, sign_succession
from referee.engine.reader import Reader
from referee.engine.rounds import asked, close
from referee.engine.seats import check_arrivals, out_seats, vacancies
from referee.errors import WrongTurn
from referee.evidence.replay import open_transcript
from tests.support.match import Sitting, chance, change_entry, code_of, resigned

DAY = 1440


def table(seed: str = "seats", *, seats: int = 3, takeovers: int = 2, takeover: int = DAY) -> Sitting:
    return Sitting("auction", seats, seed, deadline=DAY, takeovers=takeovers, takeover=takeover).until("play")


def vacated(seed: str = "seats", **how: int) -> Sitting:
    """Seat 1 missed two deadlines."""
    sitting = table(seed, **how)
    sitting.step(1)
    sitting.step(1)
    assert out_seats(sitting.state) == {1}
    return sitting


def taken(seed: str = "seats", **how: int) -> Sitting:
    """Zoe has taken over seat 1."""
    sitting = vacated(seed, **how)
    sitting.wait(2 * DAY)
    host.take_arrival(sitting.match, sitting.succession(1))
    sitting.step()
    sitting.sit_down(1)
    return sitting


def newest(sitting: Sitting) -> r.Entry:
    return decode(bytes(sitting.match.entries[-1].body), r.Entry, "entry")


def checked(sitting: Sitting) -> None:
    """Every reader reaches the host's own state, whoever holds the seats; and so does the game file."""
    for seat in range(sitting.table.seats):
        opened = sitting.opened(seat)
        assert opened.chain.checkpoint == sitting.match.checkpoint
        assert opened.table.names == sitting.table.names
    assert sitting.fork().match.table.keys == sitting.table.keys


def refused(sitting: Sitting, *successions: Envelope, returns: tuple[r.Returned, ...] = (), due: str = "") -> str:
    """Why an entry with these is an offence; empty if it is not."""
    checkpoint = sitting.match.checkpoint
    try:
        check_arrivals(sitting.table, checkpoint.state, checkpoint.head, successions, returns, due or sitting.match.due)
    except Fault as fault:
        return f"{fault.code}: {fault}"
    return ""


# --- taking over a seat ----------------------------------------------------------------------------------------------


def test_a_seat_that_is_out_can_be_taken_over():
    sitting = taken()
    assert sitting.table.names == ("Anna", "Zoe", "Carla")
    assert sitting.table.keys[1] == sitting.newcomer().public
    assert (sitting.state.missed[1], sitting.state.vacant, out_seats(sitting.state)) == (0, (), set())
    assert [(one.seat, one.since, one.name) for one in sitting.state.holders] == [(1, sitting.round, "Zoe")]
    checked(sitting)
    sitting.to_end()
    checked(sitting)
    assert open_transcript(sitting.transcript()).checkpoint == sitting.match.checkpoint


def test_the_vacancy_is_the_entry_in_which_the_seat_went_out():
    sitting = vacated()
    head, number = sitting.match.checkpoint.head, sitting.round
    assert [(one.seat, one.round, one.entry) for one in sitting.state.vacant] == [(1, number, "")]
    sitting.step()
    assert [(one.seat, one.round, one.entry) for one in sitting.state.vacant] == [(1, number, head)]
    assert vacancies(sitting.state, "")[1].due == newest_due(sitting, number)


def newest_due(sitting: Sitting, number: int) -> str:
    return decode(bytes(sitting.match.entries[number - 1].body), r.Entry, "entry").due


def test_the_round_is_played_as_if_nobody_had_taken_the_seat():
    waiting, taking = vacated(), vacated()
    for sitting in waiting, taking:
        sitting.wait(2 * DAY)
    host.take_arrival(taking.match, taking.succession(1))
    waiting.step()
    taking.step()
    assert newest(taking).ops == newest(waiting).ops
    assert newest(taking).ask == newest(waiting).ask
    assert newest(taking).successions
    assert not newest(waiting).successions
    assert (taking.state.linking, waiting.state.linking) == (True, False)


def test_after_a_takeover_a_round_is_played_with_a_link_of_everybody():
    sitting = taken()
    assert set(asked(sitting.state)) == {0, 1, 2}
    pending = {ask.seat: ask.what for ask in sitting.state.pending}
    assert {seat: ask.what for seat, ask in asked(sitting.state).items()} == {
        seat: pending.get(seat, "link") for seat in range(3)
    }
    number = sitting.round
    sitting.step(2)
    assert not newest(sitting).ops
    assert sitting.state.holding
    assert set(asked(sitting.state)) == {0, 1, 2}
    sitting.step()
    assert sitting.round == number + 2
    assert not sitting.state.holding
    assert not sitting.state.linking
    checked(sitting)


def test_standing_orders_do_not_outlive_their_speaker():
    sitting = table("words")
    for seat in sitting.asked:
        words = Words(bid=3) if seat == 1 else None
        sitting.give(sitting.saying(seat, words) if words else sitting.signed(seat))
    assert sitting.match.checkpoint.public.standing[1] == Words(bid=3)
    for _ in range(2):
        sitting.until(lambda one: 1 in one.asked).step(1)
    sitting.wait(2 * DAY)
    host.take_arrival(sitting.match, sitting.succession(1))
    sitting.step()
    assert sitting.match.checkpoint.public.standing[1] == Words()
    checked(sitting)


def test_the_next_holder_learns_what_the_last_one_sealed():
    """Anna answers in secret, hands her seat over in the same answer, and Bert is late: her answer is still held."""
    sitting = Sitting("auction", 3, "held", deadline=DAY, takeovers=1)
    sitting.until(lambda one: one.what == "bid" and one.asked == [0, 1, 2])
    named = sitting.newcomer()
    for seat in (0, 2):
        how = {"handover": named.public.hex()} if seat == 0 else {}
        move = decode(sitting.signed(seat), r.MoveFile, "move")
        sitting.give(resigned(sitting, seat, move, **how))
    sitting.pass_over([1])
    assert [one.seat for one in sitting.state.held] == [0, 2]
    host.take_arrival(sitting.match, sitting.succession(0))
    sitting.step(1)
    held = next(one for one in sitting.state.held if one.seat == 0)
    part = decode(bytes(sitting.match.privates[0][-1].body), r.Private, "private")
    assert [(one.round, one.seat, sorted(one.fields)) for one in part.sealed] == [(held.round, 0, sorted(held.commit))]
    sitting.sit_down(0)
    opened = open_view(sitting.view(0))
    assert opened.owner.sealed[held.round] == part.sealed[0].fields
    checked(sitting)
    lie = replace(part, sealed=part.sealed * 2)
    assert code_of(lambda: open_view(_with_part(sitting, lie))) == "missing-opening"
    lie = replace(part, sealed=())
    assert code_of(lambda: open_view(_with_part(sitting, lie))) == "bad-private"
    other = {name: replace(one, salt="00" * 32) for name, one in part.sealed[0].fields.items()}
    lie = replace(part, sealed=(replace(part.sealed[0], fields=other),))
    assert code_of(lambda: open_view(_with_part(sitting, lie))) == "bad-opening"


def _with_part(sitting: Sitting, part: r.Private) -> bytes:
    view = decode(sitting.view(part.seat), r.View, "view")
    return encode(replace(view, privates=(*view.privates[:-1], sign(sitting.host, "private", part))))


# --- whom the holder names, and who comes back -----------------------------------------------------------------------


def test_a_holder_can_name_a_successor_for_at_once():
    sitting = table("named")
    named = sitting.newcomer()
    sitting.give(_handing(sitting, 0, named))
    sitting.others(0)
    assert [(one.seat, one.key) for one in sitting.state.vacant] == [(0, named.public.hex())]
    assert 0 not in out_seats(sitting.state)
    stranger = sitting.newcomer("Yves")
    assert "named somebody else" in refused(sitting, sitting_succession(sitting, 0, stranger, "Yves"))
    host.take_arrival(sitting.match, sitting.succession(0))
    sitting.step()
    assert sitting.table.names[0] == "Zoe"
    checked(sitting)


def test_a_handover_cannot_be_withdrawn_once_the_successor_has_come():
    sitting = table("regret")
    sitting.give(_handing(sitting, 0, sitting.newcomer()))
    sitting.others(0)
    host.take_arrival(sitting.match, sitting.succession(0))
    sitting.give(_handing(sitting, 0, sitting.players[0]))
    sitting.others(0)
    assert (sitting.table.names[0], sitting.state.vacant) == ("Zoe", ())
    checked(sitting)


def _handing(sitting: Sitting, seat: int, key: Key) -> bytes:
    file = decode(sitting.signed(seat), r.MoveFile, "move")
    return resigned(sitting, seat, file, handover=key.public.hex())


def sitting_succession(sitting: Sitting, seat: int, key: Key, name: str, /, **changes: object) -> Envelope:
    """A succession that nobody checked before it was signed."""
    vacancy = vacancies(sitting.state, sitting.match.checkpoint.head).get(seat)
    nonce, entry = chance(name), vacancy.entry if vacancy else "00" * 32
    body = r.Succession(sitting.table.id, seat, entry, name, key.public.hex(), nonce.hex(), "11" * 32)
    return sign(key, "succession", replace(body, **changes))


def test_naming_your_own_key_withdraws_the_handover():
    sitting = table("back")
    sitting.give(_handing(sitting, 0, sitting.newcomer()))
    sitting.others(0)
    assert sitting.state.vacant
    sitting.until(lambda one: 0 in one.asked)
    sitting.give(_handing(sitting, 0, sitting.players[0]))
    sitting.others(0)
    assert not sitting.state.vacant


def test_a_player_who_resigns_can_name_a_successor():
    sitting = table("leaving")
    sitting.give(sitting.signed(0, resign=True, handover=sitting.newcomer().public.hex()))
    sitting.others(0)
    assert sitting.state.left == ((0, sitting.round),)
    host.take_arrival(sitting.match, sitting.succession(0))
    sitting.step()
    assert (sitting.table.names[0], sitting.state.left) == ("Zoe", ())
    sitting.sit_down(0)
    sitting.to_end()
    checked(sitting)


def test_a_seat_is_not_handed_over_where_nobody_agreed_to_that():
    sitting = table("never", takeovers=0, takeover=0)
    assert sitting.give(_handing(sitting, 0, sitting.newcomer())).code == "wrong-answer"
    sitting = Sitting("auction", 3, "first", takeovers=1)
    assert sitting.give(_handing(sitting, 0, sitting.newcomer())).code == "wrong-answer"


def test_a_player_late_twice_can_come_back():
    sitting = vacated("return", takeovers=0, takeover=0)
    held = sitting.match.checkpoint
    file = decode(sign_return(sitting.players[1], sitting.opened(1)), Envelope, "return")
    host.take_arrival(sitting.match, file)
    sitting.step()
    assert (out_seats(sitting.state), sitting.state.vacant, sitting.state.holders) == (set(), (), ())
    assert [one.seat for one in newest(sitting).returns] == [1]
    assert 1 in asked(sitting.state)
    checked(sitting)
    assert refused(sitting, returns=newest(sitting).returns)  # it serves once
    again = vacated("return", takeovers=0, takeover=0)
    assert again.match.checkpoint == held
    other = sign(sitting.players[0], "return", r.Return(again.table.id, 1, again.match.checkpoint.head))
    with pytest.raises(WrongTurn):
        host.take_arrival(again.match, other)
    sitting.to_end()
    checked(sitting)


def test_its_own_player_goes_first():
    sitting = vacated("first")
    sitting.wait(2 * DAY)
    host.take_arrival(sitting.match, sitting.succession(1))
    host.take_arrival(sitting.match, decode(sign_return(sitting.players[1], sitting.opened(1)), Envelope, "return"))
    with pytest.raises(WrongTurn):
        host.take_arrival(sitting.match, sitting.succession(1))
    sitting.step()
    assert newest(sitting).returns
    assert not newest(sitting).successions
    assert sitting.table.names == ("Anna", "Bert", "Carla")


def test_a_named_successor_has_priority_over_an_earlier_stranger():
    sitting = table("stranger")
    sitting.give(sitting.signed(0, resign=True, handover=sitting.newcomer().public.hex()))
    sitting.others(0)
    sitting.wait(2 * DAY)
    stranger = sitting_succession(sitting, 0, sitting.newcomer("Yves"), "Yves")
    host.take_arrival(sitting.match, stranger)
    host.take_arrival(sitting.match, sitting.succession(0))
    with pytest.raises(WrongTurn):
        host.take_arrival(sitting.match, stranger)
    sitting.step()
    assert sitting.table.names[0] == "Zoe"


def test_nobody_chooses_a_draw_with_the_chain_of_a_successor():
    """A host and the one that a player named try chains until they like the next draw. Were the new holder alone asked
    then, host and successor would know its seed for every chain; but a link of everybody goes into it."""
    sitting = asks_the_newcomer()
    seeds = set()
    for attempt in range(4):
        one, key = sitting.fork(), sitting.newcomer()
        nonce = chance("tried", attempt)
        signed = sign_succession(key, one.table, one.match.checkpoint, 1, "Zoe", nonce)
        host.take_arrival(one.match, decode(signed, Envelope, "succession"))
        one.step()
        one.sit_down(1)
        number = one.round + 1
        assert [ask.seat for ask in one.state.pending] == [1]
        assert one.asked == [0, 1, 2]
        mine = one.table.chains[1].link(one.marks[1], number).hex()
        hosts = one.table.host_chain.link(one.match.marks, number).hex()
        foreseen = _acc(one, number, hosts, ["", mine, ""])
        known = one.state.links
        one.step()
        entry = newest(one)
        links = [answer.link for answer in entry.answers]
        assert (len(links), links[1], entry.link) == (3, mine, hosts)
        assert not {links[0], links[2]} & {link for _, link in known}, "links that nobody has seen before"
        assert one.state.acc == _acc(one, number, hosts, links) != foreseen
        seeds.add(foreseen)
    assert len(seeds) == 4, "the chains that were tried would have given different draws"


def _acc(sitting: Sitting, number: int, hosts: str, links: list[str]) -> str:
    """The accumulator after a round with these links, from the one before."""
    before = sitting.opened(0).chain.rounds
    acc = before[number - 2].checkpoint.state.acc
    parts = [bytes.fromhex(text) for text in (acc, hosts, *links)]
    return H("acc", bytes.fromhex(sitting.table.id), number, *parts).hex()


def asks_the_newcomer() -> Sitting:
    """A game whose second seat has named somebody, before a round after which it alone has to decide."""
    for seed in range(40):
        sitting = Sitting("auction", 3, f"tried {seed}", takeovers=1).until("bid")
        sitting.give(_handing(sitting, 1, sitting.newcomer()))
        sitting.others(1)
        while not sitting.over:
            after = sitting.fork()
            after.step()
            if [ask.seat for ask in after.state.pending] == [1]:
                return sitting
            sitting = after
    raise AssertionError("no game asks that seat alone")


# --- what is an offence ----------------------------------------------------------------------------------------------


def test_nobody_takes_a_seat_early():
    sitting = vacated()
    vacancy = vacancies(sitting.state, sitting.match.checkpoint.head)[1]
    first = sitting.succession(1)
    assert "long enough" in refused(sitting, first, due=vacancy.due)
    day, rest = vacancy.due[:10], vacancy.due[10:]
    later = f"{day[:8]}{int(day[8:]) + 1:02}{rest}"
    assert refused(sitting, first, due=later) == ""
    hour = int(rest[1:3])
    minute = f"{day[:8]}{int(day[8:]) + (hour > 0):02}T{(hour - 1) % 24:02}:59Z"
    assert "long enough" in refused(sitting, first, due=minute)
    host.take_arrival(sitting.match, first)
    sitting.step()
    assert not newest(sitting).successions, "it waits until its time has come"
    assert sitting.match.arrivals == {1: first}
    sitting.wait(DAY)
    sitting.step()
    assert newest(sitting).successions == (first,)


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("Zoe", {"game": "22" * 32}),
        ("Zoe", {"vacancy": "22" * 32}),
        ("Zoe", {"seat": 0}),
        ("Anna", {}),
        ("Bert", {}),
        ("Zoe\u202e", {}),
    ],
)
def test_a_succession_that_does_not_fit(name: str, changes: dict[str, object]):
    sitting = vacated()
    sitting.wait(2 * DAY)
    assert refused(sitting, sitting_succession(sitting, 1, sitting.newcomer(), "Zoe")) == ""
    assert refused(sitting, sitting_succession(sitting, 1, sitting.newcomer(), name, **changes))


@pytest.mark.parametrize("name", ["ANNA", "bert", "Zoe "])
def test_tools_refuse_names_that_no_verifier_does(name: str):
    sitting = vacated()
    sitting.wait(2 * DAY)
    confusing = sitting_succession(sitting, 1, sitting.newcomer(), name)
    assert refused(sitting, confusing) == ""
    with pytest.raises(WrongTurn) as error:
        host.take_arrival(sitting.match, confusing)
    assert error.value.code == "bad-succession"


def test_a_key_takes_no_second_seat():
    sitting = vacated()
    sitting.wait(2 * DAY)
    for key in (*sitting.players, sitting.host):
        assert "a key that nobody had" in refused(sitting, sitting_succession(sitting, 1, key, "Zoe"))
    other = sitting_succession(sitting, 1, sitting.newcomer(), "Zoe")
    forged = Envelope(other.body, sitting.succession(1, "Yves").sig, other.type)
    assert refused(sitting, forged)
    assert refused(sitting, other, other)


def test_a_succession_serves_once():
    sitting = taken("once")
    first = newest(sitting).successions[0]
    assert refused(sitting, first)
    sitting.step(1)
    sitting.step(1)
    assert 1 in out_seats(sitting.state)
    sitting.wait(2 * DAY)
    assert refused(sitting, first), "the seat became vacant in another entry"
    again = sitting_succession(sitting, 1, sitting.newcomer(), "Xara")
    assert "a key that nobody had" in refused(sitting, again), "keys of past holders count"
    third = sitting_succession(sitting, 1, sitting.newcomer("Yves"), "Yves")
    assert refused(sitting, third) == ""
    host.take_arrival(sitting.match, third)
    sitting.step()
    assert sitting.table.names[1] == "Yves"
    sitting.step(1)
    sitting.step(1)
    sitting.wait(2 * DAY)
    fourth = sitting_succession(sitting, 1, sitting.newcomer("Xara"), "Xara")
    assert "more seats" in refused(sitting, fourth), "the offer allows two"


def test_nobody_takes_a_seat_while_a_game_rests():
    sitting = table("rest")
    for _ in range(2):
        sitting.step(0, 1, 2)
    sitting.wait(9 * DAY)
    assert "rests" in refused(sitting, sitting_succession(sitting, 1, sitting.newcomer(), "Zoe"))


def test_a_succession_waits_for_nothing_when_the_game_ends():
    sitting = table("end")
    sitting.give(sitting.signed(0, resign=True))
    sitting.others(0)
    sitting.wait(9 * DAY)
    host.take_arrival(sitting.match, sitting.succession(0))
    last = sitting.asked[0]
    sitting.give(sitting.signed(last, resign=True))
    sitting.others(last)
    assert sitting.state.end == "left"
    assert not newest(sitting).successions
    checked(sitting)


def test_nobody_takes_a_seat_in_the_last_round_of_a_chain():
    """That round ends every game. Its host signs no succession, even if somebody waits; a host who does commits an
    offence."""
    sitting = vacated("last round")
    sitting.wait(2 * DAY)
    first, match = sitting.succession(1), sitting.match
    before = match.checkpoint = replace(match.checkpoint, state=replace(match.state, round=2047))
    host.take_arrival(match, first)
    sitting.others()
    assert (sitting.state.end, newest(sitting).successions, match.arrivals) == ("void", (), {})
    for end in ("void", ""):
        false = replace(newest(sitting), successions=(first,), end=end, due="" if end else "2027-12-01T00:00Z")
        with pytest.raises(Fault) as fault:
            close(sitting.table, before, false, partial(Reader, given=false.ops))
        assert fault.value.code == "bad-succession"


def test_a_false_succession_signed_by_the_host_shows_at_once():
    sitting = taken("false")
    number, view = sitting.round, sitting.view(0)
    entry = newest(sitting)
    body = decode(bytes(entry.successions[0].body), r.Succession, "succession")
    for key, changes in (
        (sitting.newcomer(), {"vacancy": "22" * 32}),
        (sitting.players[0], {"key": sitting.players[0].public.hex()}),
        (sitting.newcomer("Yves"), {}),
    ):
        false = sign(key, "succession", replace(body, **changes))
        assert code_of(lambda: open_view(change_entry(sitting.host, view, number, successions=(false,)))) == (  # noqa: B023
            "bad-succession"
        )
    assert code_of(lambda: open_view(change_entry(sitting.host, view, number, successions=()))) == "rule-broken"
    loose = bytes(entry.successions[0].body)[:-1] + b" }"
    spelled = Envelope(msgspec.Raw(loose), entry.successions[0].sig, entry.successions[0].type)
    assert code_of(lambda: open_view(change_entry(sitting.host, view, number, successions=(spelled,)))) == "bad-entry"
    back = (r.Returned(1, entry.successions[0].sig),)
    assert code_of(lambda: open_view(change_entry(sitting.host, view, number, successions=(), returns=back))) == (
        "bad-succession"
    )


def test_answers_of_the_old_holder_are_no_longer_accepted():
    sitting = vacated("old")
    old = sitting.players[1]
    sitting.wait(2 * DAY)
    host.take_arrival(sitting.match, sitting.succession(1))
    sitting.step()
    with pytest.raises(AssertionError):
        sitting.others()  # signed by the old holder
    sitting.sit_down(1)
    assert sitting.table.keys[1] != old.public
    sitting.step()
    view = sitting.view(0)
    entry = newest(sitting)
    move = next(one for one in entry.answers if one.seat == 1)
    signed = sign(old, "move", r.move_of(entry.game, entry.round, entry.prev, move))
    answers = tuple(replace(one, sig=signed.sig) if one.seat == 1 else one for one in entry.answers)
    assert code_of(lambda: open_view(change_entry(sitting.host, view, sitting.round, answers=answers))) == "bad-move"
