"""Faults that were found by attacking the core; each test says what must hold."""

import msgspec
import pytest
from referee.games.auction import Options

from referee.crypto.codec import decode, encode
from referee.crypto.envelope import ident, seal
from referee.engine import lobby, turn
from referee.engine.audit import Ledger, Watch, audit
from referee.engine.compare import compare
from referee.engine.dealer import Dealer
from referee.engine.records import Die, GameFile, Private, Sealed, Take, View
from referee.engine.replay import verify
from referee.errors import BadSignature, CheckFailed, RefereeError
from referee.game import Ask
from tests.support.match import Sitting, chance, fault, open_entry, with_op

replace = msgspec.structs.replace
FINE = ("", None)


def at(what: str, **more) -> Sitting:
    return Sitting(seed="found", **more).play(lambda s: s.what == what)


@pytest.mark.parametrize("first", ["take", "put", "under"])
def test_a_container_filled_before_it_is_ever_sealed(first):
    """Its first seal is generation 0, for the host as for everybody who checks."""
    table = Sitting(seed="found")
    board, state = table.match.table, table.state
    dealer = Dealer(table.match.secret, board.hash, state.bags, state.faces, 3, bytes(32))
    if first == "take":
        dealer.take("pile", 2, to=0, into="box")
    else:
        getattr(dealer, first)("box", ("01", "02"))
    dealer.seal("box", ("01", "02"), owner=0)
    ledger = Ledger(board)
    table.play(1)
    entry = replace(table.entry(), ops=tuple(dealer.ops))
    watch = Watch(board)
    watch.round, watch.seed = 1, bytes(32)
    ledger.enter(watch, entry)
    assert dealer.ops[-1].generation == 0


def test_cards_from_under_the_pile_in_a_round_with_a_timeout():
    """An honest host takes from the tail, which needs no seed, and is then called a cheat."""
    table = at("play", seats=2, options=Options(rounds=2))
    table.others()
    table.play(lambda s: s.what == "play")
    assert not table.state.bags["pile"].slots
    table.miss(0)
    for seat in range(2):
        assert fault(audit, table.view(seat)) == FINE
    assert fault(verify, table.play().transcript()) == FINE


def test_nobody_can_frame_the_host_with_an_entry_it_never_signed():
    table = at("play")
    view = decode(table.view(1), View, "view")
    entries = list(view.entries)
    forged = seal(table.players[1], "entry", replace(open_entry(entries[1]), log=("a lie",)))
    entries[1] = msgspec.Raw(encode(forged))
    with pytest.raises(RefereeError) as error:
        compare([table.view(0), encode(replace(view, entries=tuple(entries)))])
    assert error.value.code in ("bad-entry", "bad-signature"), error.value.message


@pytest.mark.parametrize("end", ["void", "rests"])
def test_a_game_ended_before_its_time(end):
    table = at("play")
    table.rewrite(lambda e: replace(e, end=end))
    table.state = replace(table.state, end=end)
    assert fault(audit, table.view(0)) == ("bad-round", table.round)


def test_what_is_held_cannot_be_dropped():
    """A witness round with a timeout holds on; here the host lets go."""
    table = at("play", seats=4)
    table.miss(1)
    table.miss(0)
    assert table.entry().witness == (2, 3)
    table.rewrite(lambda e: replace(e, witness=()))
    table.state = replace(table.state, held=())
    assert fault(audit, table.view(2)) == ("bad-round", table.round)


def test_what_is_held_cannot_be_dropped_when_nobody_is_left():
    """The last witness timed out: the game rests. Here the host lets go of what is held and asks on."""
    table = at("play", seats=2)
    table.miss(0)
    table.miss(1)
    assert table.entry().end == "rests"
    table.rewrite(lambda e: replace(e, end=""))
    table.state = replace(table.state, end="", held=())
    assert table.asked == [0, 1]
    assert fault(audit, table.view(0)) == ("bad-round", table.round)


def test_moves_listed_for_somebody_who_is_not_asked():
    table = at("raid")
    seat = (table.asked[0] + 1) % 3
    legal = msgspec.Raw(b'[{"move":null,"text":"send me your key"}]')
    assert fault(audit, table.false_view(seat, legal=legal)) == ("false-legal", table.round)


def test_moves_listed_for_a_witness():
    table = at("play")
    table.miss(1)
    legal = msgspec.Raw(b'[{"move":null,"text":"send me your key"}]')
    assert fault(audit, table.false_view(0, legal=legal)) == ("false-legal", table.round)


@pytest.mark.parametrize("ask", [None, Ask(1, "ack"), Ask(0, "bid", ("amount",))])
def test_a_false_question_before_the_deal(ask):
    table = Sitting(seed="found")
    assert fault(audit, table.view(0)) == FINE
    assert fault(audit, table.false_view(0, ask=ask)) == ("false-question", 0)


@pytest.mark.parametrize("tail", ["\ufe0f", "\u034f", "\u3164", "\u115f", "\u2800", "\u17b5", "\U000e0100"])
def test_names_that_differ_by_nothing_anybody_can_see(tail):
    """Either such a name is refused, or the two are called alike."""
    table = Sitting(seed="found", seats=2)
    key = table.players[1]
    with pytest.raises(RefereeError) as error:
        lobby.make_genesis(
            table.host,
            table.offer,
            (table.joins[0], lobby.make_join(key, table.offer, "Anna" + tail, chance("nonce"))),
        )
    assert error.value.code == "bad-name"


def test_sealed_answers_cannot_be_taken_out_of_the_game_file():
    """Without them the host could never prove its game."""
    table = at("raid")
    file = decode(table.file(), GameFile, "game file")
    assert file.sealed
    with pytest.raises(BadSignature):
        turn.open_match(encode(replace(file, sealed=())), table.host)


def test_nothing_in_the_game_file_changes_unnoticed():
    """A damaged older entry or sealed answer would go out in every view, under the host's name."""
    table = at("play")
    file = decode(table.file(), GameFile, "game file")
    first = open_entry(file.entries[0])
    entry = msgspec.Raw(encode(seal(table.players[0], "entry", replace(first, log=("another",)))))
    with pytest.raises(BadSignature):
        turn.open_match(encode(replace(file, entries=(entry, *file.entries[1:]))), table.host)
    sealed = decode(bytes(file.sealed[0]), Sealed, "sealed")
    other = msgspec.Raw(encode(replace(sealed, secret=replace(sealed.secret, salt="00" * 32))))
    with pytest.raises(BadSignature):
        turn.open_match(encode(replace(file, sealed=(other, *file.sealed[1:]))), table.host)


def nonsense_view(table: Sitting, seat: int, *, public=None, ask=None) -> bytes:
    """A view whose newest entry the host signed over a position that cannot be."""
    view = decode(table.view(seat), View, "view")
    entry = table.entry()
    private = decode(bytes(view.private.body), Private, "private")
    if public is not None:
        entry = replace(entry, public=table.match.table.public_hash(table.round, encode(public)))
        view = replace(view, public=msgspec.Raw(encode(public)))
    if ask is not None:
        entry = replace(entry, ask=(ask,))
        private = replace(private, ask=ask)
    envelope = seal(table.host, "entry", entry)
    private = replace(private, entry=ident("entry", bytes(envelope.body)))
    entries = (*view.entries[:-1], msgspec.Raw(encode(envelope)))
    return encode(replace(view, entries=entries, private=seal(table.host, "private", private)))


def test_a_position_that_cannot_be_is_a_finding_and_no_crash():
    table = at("bid")
    public = table.state.position.public
    with pytest.raises(CheckFailed):
        audit(nonsense_view(table, 1, public=replace(public, money=(1,))))
    with pytest.raises(CheckFailed):
        audit(nonsense_view(table, 1, ask=Ask(1, "nonsense")))


def test_a_position_that_cannot_be_in_schwarzer_freitag():
    table = Sitting("schwarzer-freitag", seed="found").play(3)
    (seat,) = table.asked
    public = table.state.position.public
    with pytest.raises(CheckFailed):
        audit(nonsense_view(table, seat, public=replace(public, stage=500)))
    with pytest.raises(CheckFailed):
        audit(nonsense_view(table, seat, public=replace(public, players=())))


def test_a_seat_that_cannot_be_is_not_asked():
    table = at("bid")
    table.others()
    table.rewrite(lambda e: replace(e, ask=(Ask(-1, "raid", ("card",)),)))
    assert fault(audit, table.view(0)) == ("bad-round", table.round)


def test_nobody_is_asked_twice():
    table = at("bid")
    table.others()
    other = (table.asked[0] + 1) % 3
    table.rewrite(lambda e: replace(e, ask=(*e.ask, Ask(e.ask[0].seat, "play"))))
    assert fault(audit, table.view(other)) == ("bad-round", table.round)


def test_a_container_has_a_plain_name():
    table = at("raid")
    table.others()
    table.rewrite(lambda e: with_op(e, Take, lambda op: replace(op, into="\u202egnp.\x1b[31m")))
    with pytest.raises(RefereeError):
        audit(table.view(0))


def test_a_die_shows_only_what_it_can():
    """Sanity of the tool above: what is checked here is seen by the audit at all."""
    table = at("play")
    table.others()
    table.rewrite(lambda e: with_op(e, Die, lambda op: replace(op, value=op.sides + 1)))
    assert fault(audit, table.view(0)) == ("bad-die", table.round)
