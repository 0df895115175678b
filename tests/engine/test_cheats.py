"""Every cheat of a host or a player is made here on purpose, with the real keys, and must be caught by its name.

The host signs all that follows consistently and honest players play on, so that nothing but the named fault is wrong.
"""

import msgspec
import pytest
from referee.games.auction import Bid, Play, Raid

from referee.crypto import slots
from referee.crypto.codec import decode, encode
from referee.crypto.envelope import seal
from referee.engine import dealer, lobby, rounds, turn
from referee.engine.audit import audit
from referee.engine.compare import compare
from referee.engine.dealer import Dealer
from referee.engine.player import open_view
from referee.engine.records import (
    Die,
    Genesis,
    Move,
    MoveFile,
    Offer,
    Private,
    Receipt,
    Seal,
    Sealed,
    Secret,
    Show,
    Take,
    View,
)
from referee.engine.replay import verify
from referee.engine.rounds import close_round, first_state
from referee.errors import BadSignature, RefereeError
from referee.game import Ask
from tests.support.match import Sitting, chance, change_transcript, fault, open_entry, resign, with_answer, with_op

replace = msgspec.structs.replace
FINE = ("", None)


def sit(seed: str = "cheats", **more) -> Sitting:
    return Sitting(seed=seed, **more)


def at(what: str, turn_of: int = 1, **more) -> Sitting:
    """A game that is about to decide something for the n-th time."""
    table = sit(**more).play(1)
    for _ in range(turn_of - 1):
        table.play(lambda s: s.what == what).others()
    return table.play(lambda s: s.what == what)


def caught(table: Sitting, code: str, *, later: str = "", who: tuple[int, ...] = ()) -> None:
    """The newest round is bad: these players (all, if none is named) see it at once, and everybody after the end."""
    step = table.round
    seats = range(len(table.players))
    for seat in seats:
        assert fault(audit, table.view(seat)) == ((code, step) if not who or seat in who else FINE)
    table.play()
    assert fault(verify, table.transcript()) == (later or code, step)
    for seat in who or seats:
        found, where = fault(audit, table.view(seat))
        assert found == code
        assert where == step or who


def only_after_the_end(table: Sitting, code: str, step: int) -> None:
    """No view can show it; the transcript does."""
    for seat in range(len(table.players)):
        assert fault(audit, table.view(seat)) == FINE
    table.play()
    assert fault(verify, table.transcript()) == (code, step)


def test_an_honest_game_passes_everything():
    table = sit()
    views = []
    while not table.state.end:
        views += [table.view(seat) for seat in range(3)]
        table.others()
    views += [table.view(seat) for seat in range(3)]
    for view in views:
        assert fault(audit, view) == FINE
    assert fault(verify, table.transcript()) == FINE
    assert fault(compare, [*views, table.transcript()]) == FINE


# --- draws


@pytest.mark.parametrize("game", ["auction", "schwarzer-freitag"])
def test_a_changed_die_or_open_draw(game, monkeypatch):
    table = at("play") if game == "auction" else sit(game_id=game)
    honest = Dealer.die

    def lie(self, sides, label):
        value = honest(self, sides, label) % sides + 1
        self.ops[-1] = Die(sides, value, label)
        return value

    with monkeypatch.context() as patch:
        if game == "auction":
            patch.setattr(Dealer, "die", lie)
        else:
            patch.setattr(Dealer, "_below", lambda self, n: (self._stream.below(n) + 1) % n)
        table.others()
    assert table.entry().ops
    if game == "auction":
        caught(table, "bad-die")
    else:
        caught_in_view = {fault(audit, table.view(seat)) for seat in range(3)}
        assert caught_in_view == {("bad-pick", 1)}


def test_a_changed_pick(monkeypatch):
    table = at("raid")
    with monkeypatch.context() as patch:
        patch.setattr(Dealer, "_below", lambda self, n: (self._stream.below(n) + 1) % n)
        table.others()
    caught(table, "bad-pick")


def test_a_pick_that_is_only_written_wrong():
    table = at("raid")
    other = next(slot for slot in table.state.bags["pile"].slots)
    table.others()
    table.rewrite(lambda e: with_op(e, Take, lambda op: replace(op, tokens=(replace(op.tokens[0], slot=other),))))
    caught(table, "bad-pick")


def test_a_hidden_face_swapped_in_its_slot():
    table = at("play")
    before = table.state
    pile = before.bags["pile"].slots
    faces = [before.faces[slot] for slot in pile]
    table.state = replace(before, faces=before.faces | dict(zip(pile, faces[1:] + faces[:1], strict=True)))
    table.others()
    caught(table, "bad-opening", later="rule-broken", who=(0, 1, 2))


def test_an_open_face_swapped_in_its_slot():
    table = at("guess")
    (prize,) = table.state.bags["prize"].slots
    wrong = next(face for face in table.state.faces.values() if face != table.state.faces[prize])
    table.state = replace(table.state, faces=table.state.faces | {prize: wrong})
    table.others()
    caught(table, "bad-opening")


def test_an_opened_salt_changed():
    table = at("guess")
    table.others()
    table.rewrite(
        lambda e: replace(
            e, ops=tuple(replace(op, tokens=(replace(op.tokens[0], salt="00" * 32),)) for op in e.ops[:1]) + e.ops[1:]
        )
    )
    caught(table, "bad-opening")


def test_an_opening_of_a_slot_that_is_not_there():
    table = at("play")
    table.others()
    opened = next(op for op in table.entry().ops if op.__class__.__name__ == "Open")
    table.rewrite(lambda e: replace(e, ops=(opened, *e.ops)))
    caught(table, "bad-opening")


def test_a_hidden_draw_shown_to_all():
    table = at("raid")
    table.others()
    told = next(token for seat in range(3) for token in table.state.openings[seat][-4:])
    table.rewrite(
        lambda e: with_op(
            e, Take, lambda op: replace(op, tokens=(replace(op.tokens[0], face=told.face, salt=told.salt),))
        )
    )
    caught(table, "bad-opening")


def test_a_draw_out_of_thin_air():
    table = at("bid")
    table.others()
    assert not any(isinstance(op, Die | Take) for op in table.entry().ops)
    take = Take("cellar", (decode(b'{"slot":"cellar.0.0"}', type(table.state.openings[0][0]), "token"),), to=0)
    table.rewrite(lambda e: replace(e, ops=(*e.ops, take)))
    caught(table, "bad-pick")


def test_a_draw_in_a_round_with_a_timeout(monkeypatch):
    table = at("play")
    secret_seed = chance("the host's own")

    def generous(secret, board, bags, faces, seats, seed):
        return Dealer(secret, board, bags, faces, seats, seed or secret_seed)

    with monkeypatch.context() as patch:
        patch.setattr(rounds, "Dealer", generous)
        table.miss(0)
    assert table.entry().timeouts == (0,)
    caught(table, "draw-without-seed")


# --- bags, seals, M


def false_genesis(table: Sitting, bag: str, faces: list[str]) -> None:
    """Begin again with a bag sealed by the host's own arrangement, leaves and openings consistent."""
    secret, board = table.match.secret, table.match.table
    leaves = slots.leaves(secret, board.hash, bag, 0, faces)
    sealed = dict(board.genesis.leaves) | {bag: tuple(leaf.hex() for leaf in leaves)}
    genesis = seal(table.host, "genesis", Genesis(table.offer, table.joins, sealed))
    names = [slots.slot_id(bag, 0, index) for index in range(len(faces))]
    table.begin(genesis, first_state(board, secret).faces | dict(zip(names, faces, strict=True)))


def arranged(table: Sitting, bag: str) -> list[str]:
    state = first_state(table.match.table, table.match.secret)
    return [state.faces[slot] for slot in state.bags[bag].slots]


def test_genesis_leaves_that_do_not_match_m():
    table = sit()
    faces = arranged(table, "pile")
    faces[2], faces[5] = faces[5], faces[2]
    false_genesis(table, "pile", faces)
    table.play(3)
    only_after_the_end(table, "bad-bag", 0)


def test_one_red_more_one_blue_less():
    table = sit(game_id="schwarzer-freitag", seats=2)
    faces = arranged(table, "bag")
    faces[faces.index("blue")] = "red"
    false_genesis(table, "bag", faces)
    table.play(8)
    for seat in range(2):
        assert fault(audit, table.view(seat)) == FINE
    table.match.state = replace(table.state, end="rests")
    assert fault(verify, table.transcript()) == ("bad-bag", 0)


def test_a_bag_of_the_wrong_size():
    table = sit()
    false_genesis(table, "pile", [*arranged(table, "pile"), "99"])
    with pytest.raises(RefereeError) as error:
        audit(table.view(0))
    assert error.value.code == "bad-bags"


def test_leaves_that_fit_nothing_are_noticed_by_whoever_draws():
    table = sit()
    leaves = dict(table.match.table.genesis.leaves)
    leaves["pile"] = leaves["pile"][::-1]
    table.begin(seal(table.host, "genesis", Genesis(table.offer, table.joins, leaves)))
    table.play(1)
    for seat in range(3):
        assert fault(audit, table.view(seat)) == ("bad-opening", 1)
    table.play()
    assert fault(verify, table.transcript()) == ("bad-bag", 0)


def test_a_secret_that_does_not_fit():
    data = sit().play().transcript()
    assert fault(verify, change_transcript(data, secret="11" * 32)) == ("bad-secret", None)


def test_a_host_chain_that_does_not_come_from_m():
    table = sit()
    offer = decode(bytes(table.offer.body), Offer, "offer")
    nonce = bytes.fromhex(offer.nonce)
    other = lobby.host_marks(table.host.public, nonce, chance("another M"))
    table.offer = seal(table.host, "offer", replace(offer, tip=other[0].hex()))
    table.joins = tuple(table.make_join(seat) for seat in range(3))
    table.match = turn.new_match(table.host, lobby.make_genesis(table.host, table.offer, table.joins))
    table.match.marks = other
    table.play(4)
    only_after_the_end(table, "bad-host-chain", None)


def test_a_hand_sealed_with_leaves_of_something_else():
    table = at("raid")
    table.others()
    bad = "ab" * 32
    owner = next(op.owner for op in table.entry().ops if isinstance(op, Seal))
    table.rewrite(lambda e: with_op(e, Seal, lambda op: replace(op, leaves=(bad, *op.leaves[1:]))))
    caught(table, "bad-opening", later="bad-ops", who=(owner,))


def test_a_pile_reshuffled_as_the_host_likes(monkeypatch):
    table = at("play", 2)
    honest = slots.arrange
    with monkeypatch.context() as patch:
        patch.setattr(dealer.slots, "arrange", lambda *args: honest(*args)[::-1])
        table.others()
    assert any(isinstance(op, Seal) and op.bag == "pile" for op in table.entry().ops)
    only_after_the_end(table, "bad-ops", table.round)


def test_a_pile_reshuffled_with_other_cards(monkeypatch):
    table = at("play", 2)
    honest = Dealer.seal
    with monkeypatch.context() as patch:
        patch.setattr(
            Dealer, "seal", lambda self, bag, faces, owner=-2: honest(self, bag, ["01" for _ in faces], owner)
        )
        table.others()
    only_after_the_end(table, "bad-ops", table.round)


def test_a_seal_out_of_order():
    table = at("raid")
    table.others()
    table.rewrite(lambda e: with_op(e, Seal, lambda op: replace(op, generation=op.generation + 1)))
    caught(table, "bad-seal")


# --- links


def test_a_players_link_out_of_chain():
    table = at("raid")
    (seat,) = table.asked
    bad = table.forced(seat, legal_move(table, seat), link="77" * 32)
    assert table.give(bad).code == "bad-link"
    table.take(bad, seat)
    step = table.round
    for other in range(3):
        assert fault(audit, table.view(other)) == ("bad-link", step)
    table.match.state = replace(table.state, end="rests")
    assert fault(verify, table.transcript()) == ("bad-link", step)


def test_a_link_of_another_round():
    table = at("bid")
    early = decode(table.signed(0), MoveFile, "move")
    before = decode(bytes(early.body), Move, "move").link
    table.others()
    table.play(lambda s: s.what == "play")
    bad = table.forced(0, legal_move(table, 0), link=before)
    assert table.give(bad).code == "bad-link"


def test_a_hosts_link_out_of_chain():
    table = at("raid")
    marks = table.match.marks
    table.match.marks = [chance(mark.hex()) for mark in marks]
    table.others()
    table.match.marks = marks
    step = table.round
    for seat in range(3):
        assert fault(audit, table.view(seat)) == ("bad-host-link", step)
    table.play()
    assert fault(verify, table.transcript()) == ("bad-host-link", step)


# --- answers


def legal_move(table: Sitting, seat: int, which: int = 0):
    board = table.match.table
    return board.game.legal(board.terms, table.seen(seat))[which].move


def test_an_answer_dropped_by_a_false_timeout():
    table = at("play")
    receipt = encode(table.give(table.signed(1)).receipt)
    del table.match.waiting[1]
    table.miss(1)
    step = table.round
    for seat in range(3):
        assert fault(compare, [table.view(seat), receipt]) == ("taken-and-timed-out", step)
    table.play()
    assert fault(compare, [receipt, table.transcript()]) == ("taken-and-timed-out", step)
    assert fault(verify, table.transcript()) == FINE


def test_an_answer_taken_and_replaced_by_another():
    table = at("play")
    receipt = encode(table.give(table.signed(1, move=legal_move(table, 1, 0))).receipt)
    del table.match.waiting[1]
    assert table.give(table.signed(1, move=legal_move(table, 1, 1))).code == "taken"
    table.others(1)
    step = table.round
    assert fault(compare, [table.view(0), receipt]) == ("taken-and-dropped", step)
    table.play()
    assert fault(compare, [table.transcript(), receipt]) == ("taken-and-dropped", step)


def test_a_receipt_that_the_host_did_not_sign_proves_nothing():
    table = at("play")
    receipt = table.give(table.signed(1)).receipt
    forged = encode(seal(table.players[0], "receipt", decode(bytes(receipt.body), Receipt, "receipt")))
    del table.match.waiting[1]
    table.miss(1)
    with pytest.raises(BadSignature):
        compare([table.view(0), forged])


def test_a_refused_answer_is_no_proof():
    table = at("bid")
    refusal = table.give(table.forced(1, Bid(999)))
    assert refusal.code == "illegal"
    table.miss(1)
    assert fault(compare, [table.view(0), encode(refusal.receipt)]) == FINE


def test_a_move_altered_after_signing():
    table = at("play")
    table.others()
    changed = msgspec.Raw(encode(Play("01" if b'"01"' not in bytes(table.entry().answers[1].answer) else "02")))
    table.rewrite(lambda e: with_answer(e, 1, answer=changed))
    caught(table, "bad-move")


def test_a_commitment_altered_after_signing():
    table = at("bid")
    table.others()
    table.rewrite(lambda e: with_answer(e, 2, commit="00" * 32))
    caught(table, "bad-move")


def test_a_move_from_another_seat_round_or_game():
    rival = at("play", seed="rival")
    rival.others()
    for source in ("seat", "round", "game"):
        table = at("play", 2)
        earlier = open_entry(table.match.entries[3]) if source == "round" else None
        table.others()
        assert table.what != "play"
        wanted = {
            "seat": lambda e: e.answers[0],
            "round": lambda e, old=earlier: old.answers[1],
            "game": lambda e: rival.entry().answers[1],
        }[source](table.entry())
        table.rewrite(lambda e, w=wanted: with_answer(e, 1, link=w.link, sig=w.sig, answer=w.answer, commit=w.commit))
        caught(table, "bad-move")


def test_an_illegal_move_accepted():
    table = at("raid")
    (seat,) = table.asked
    mine = table.seen(seat).own.hand
    card = next(f"{n:02}" for n in range(1, 14) if f"{n:02}" not in mine)
    data = table.forced(seat, Raid((seat + 1) % 3, card))
    assert table.give(data).code == "illegal"
    table.take(data, seat)
    only_after_the_end(table, "illegal-move", table.round)


def test_an_answer_where_none_was_due():
    table = at("raid")
    (seat,) = table.asked
    other = (seat + 1) % 3
    table.others()
    stray = replace(table.entry().answers[0], seat=other)
    table.rewrite(lambda e: replace(e, answers=tuple(sorted((*e.answers, stray), key=lambda a: a.seat))))
    caught(table, "bad-round")


def test_an_answer_left_out():
    table = at("play")
    table.others()
    table.rewrite(lambda e: replace(e, answers=e.answers[1:]))
    caught(table, "bad-round")


# --- rules


@pytest.mark.parametrize("game", ["auction", "schwarzer-freitag"])
def test_money_off_by_one(game):
    table = at("bid") if game == "auction" else sit(game_id=game).play(3)
    table.others()
    position = table.state.position
    public = position.public
    if game == "auction":
        public = replace(public, money=(public.money[0] + 1, *public.money[1:]))
    else:
        public = replace(public, players=(replace(public.players[0], money=99), *public.players[1:]))
    table.rewrite(lambda e: e, position=replace(position, public=public))
    step = table.round
    for seat in range(3):
        assert fault(audit, table.view(seat)) == FINE
    table.match.state = replace(table.state, end="rests")
    assert fault(verify, table.transcript()) == ("rule-broken", step)


def test_a_hidden_position_off():
    table = at("raid")
    table.others()
    position = table.state.position
    table.rewrite(lambda e: e, position=replace(position, hidden=replace(position.hidden, odd=not position.hidden.odd)))
    only_after_the_end(table, "rule-broken", table.round)


def test_the_wrong_player_asked():
    table = at("bid")
    table.others()
    wrong = Ask((table.asked[0] + 1) % 3, "raid", ("card",))
    table.rewrite(lambda e: replace(e, ask=(wrong,)))
    table.match.state = replace(table.state, end="rests")
    assert fault(verify, table.transcript()) == ("rule-broken", table.round)


def test_a_false_log_line():
    table = at("bid")
    table.others()
    table.rewrite(lambda e: replace(e, log=("@0 wins the lot for 0",)))
    only_after_the_end(table, "rule-broken", table.round)


def test_a_false_result():
    table = sit().play()
    result = table.entry().result
    assert result is not None
    table.rewrite(lambda e: replace(e, result=replace(result, ranks=(1, 1, 1))))
    assert fault(verify, table.transcript()) == ("rule-broken", table.round)


def test_a_game_that_goes_on_after_its_end():
    table = sit().play()
    last = table.entry()
    more = replace(last, round=last.round + 1, prev=table.state.entry, link="00" * 32)
    table.match.entries.append(msgspec.Raw(encode(seal(table.host, "entry", more))))
    table.state = replace(table.state, round=more.round)
    table.rewrite(lambda e: e, position=table.state.position)
    for seat in range(3):
        assert fault(audit, table.view(seat)) == ("after-end", more.round)
    assert fault(verify, table.transcript()) == ("after-end", more.round)


def test_a_transcript_without_its_end():
    table = sit().play()
    entries, sealed = tuple(table.match.entries[:-1]), tuple(table.match.sealed[:-3])
    data = change_transcript(table.transcript(), entries=entries, sealed=sealed)
    assert fault(verify, data) == ("not-over", table.round - 1)


# --- sealed answers


def test_a_sealed_answer_shown_differently():
    table = at("bid")
    table.others()
    table.rewrite(lambda e: with_op(e, Show, lambda op: replace(op, fields=msgspec.Raw(b'{"amount":9}'))))
    caught(table, "bad-shown")


def test_a_sealed_answer_that_was_never_shown_is_changed_afterwards():
    table = sit().play()
    sealed = list(table.match.sealed)
    last = decode(bytes(sealed[-1]), Sealed, "sealed")
    was = b"true" in bytes(last.secret.fields)
    lie = Sealed(last.round, last.seat, Secret(last.secret.salt, msgspec.Raw(encode({"odd": not was}))))
    data = table.transcript()
    assert fault(verify, change_transcript(data, sealed=(*sealed[:-1], msgspec.Raw(encode(lie))))) == (
        "bad-sealed",
        last.round,
    )
    assert fault(verify, change_transcript(data, sealed=tuple(sealed[:-1]))) == ("bad-sealed", last.round)
    extra = msgspec.Raw(encode(Sealed(2, 63, last.secret)))
    assert fault(verify, change_transcript(data, sealed=(*sealed, extra))) == ("bad-sealed", 2)


def test_a_sealed_answer_played_as_another():
    """The host applies another guess than the one that was sealed, and shows nobody."""
    table = at("guess")
    table.others(2)
    data = table.signed(2)
    file = decode(data, MoveFile, "move")
    was = b"true" in bytes(file.secret.fields)
    table.match.waiting[2] = replace(file, secret=Secret(file.secret.salt, msgspec.Raw(encode({"odd": not was}))))
    turn._close_if_complete(table.match)
    assert table.state.end == "result"
    assert fault(audit, table.view(2)) == FINE
    assert fault(verify, table.transcript()) == ("bad-sealed", table.round)
    honest = (*table.match.sealed[:-1], msgspec.Raw(encode(Sealed(table.round, 2, file.secret))))
    assert fault(verify, change_transcript(table.transcript(), sealed=honest)) == ("rule-broken", table.round)


# --- two stories


def test_two_entries_for_one_round():
    table = at("play")
    other = table.fork()
    table.others()
    other.others(salt="another story")
    assert table.view(0) != other.view(0)
    step = table.round
    assert fault(compare, [table.view(0), other.view(1)]) == ("two-entries", step)
    assert fault(compare, [table.play().transcript(), other.view(1)]) == ("two-entries", step)
    assert fault(compare, [table.transcript(), other.play().transcript()]) == ("two-entries", step)


def test_two_private_parts_for_one_round():
    table = at("play")
    own = msgspec.Raw(encode(replace(table.state.position.own[0], hand=("01", "02", "03"))))
    false = table.false_view(0, own=own)
    assert false != table.view(0)
    assert fault(compare, [table.view(0), false]) == ("two-privates", table.round)


def test_two_geneses_of_one_offer():
    table = sit()
    first = [table.view(0), table.play(2).view(1)]
    swapped = tuple(reversed(table.joins))
    table.match = turn.new_match(table.host, lobby.make_genesis(table.host, table.offer, swapped))
    table.players.reverse()
    assert fault(compare, [first[0], table.view(0)]) == ("two-geneses", 0)
    assert fault(compare, [table.play().transcript(), first[1]]) == ("two-geneses", 0)


def test_an_older_game_file_played_on():
    table = at("play")
    old = table.fork()
    later = [table.play(table.round + 3).view(seat) for seat in range(3)]
    old.others(salt="third thoughts")
    step = old.round
    assert old.entry() != table.entry(step)
    for seat in range(3):
        assert fault(compare, [later[seat], old.view(seat)]) == ("two-entries", step)
    old.play()
    for seat in range(3):
        assert fault(compare, [later[seat], old.transcript()]) == ("two-entries", step)


def test_an_entry_that_does_not_follow():
    table = at("play")
    table.others()
    table.rewrite(lambda e: replace(e, prev="00" * 32))
    caught(table, "broken-chain")


def test_an_entry_that_the_host_did_not_sign():
    table = at("play")
    table.others()
    step = table.round
    table.others()
    envelope = seal(table.players[0], "entry", table.entry(step))
    table.match.entries[step - 1] = msgspec.Raw(encode(envelope))
    assert fault(audit, table.view(0)) == ("bad-entry", step)
    assert fault(verify, table.play().transcript()) == ("bad-entry", step)


# --- false views


def test_a_false_public_position():
    table = at("bid")
    view = decode(table.view(1), View, "view")
    public = replace(table.state.position.public, lot=6 if table.state.position.public.lot != 6 else 5)
    false = encode(replace(view, public=msgspec.Raw(encode(public))))
    assert fault(audit, false) == ("false-public", table.round)


def test_a_false_own_position():
    """Hands are told apart from what was drawn; whatever else is false is proved with the transcript."""
    table = at("raid")
    seat = (table.asked[0] + 1) % 3
    own = replace(table.state.position.own[seat], hand=("01", "02", "03"))
    false = table.false_view(seat, own=msgspec.Raw(encode(own)))
    step = table.round
    assert own != table.state.position.own[seat]
    assert fault(audit, false) == ("false-own", step)
    assert fault(compare, [false, table.play().transcript()]) == ("false-view", step)


def test_a_false_own_position_in_schwarzer_freitag():
    table = sit(game_id="schwarzer-freitag").play(3)
    shares = table.state.position.own[1].shares
    false = replace(shares, red=shares.red + 1)
    own = replace(table.state.position.own[1], shares=false)
    assert fault(audit, table.view(1)) == FINE
    assert fault(audit, table.false_view(1, own=msgspec.Raw(encode(own)))) == ("false-own", 3)


def test_false_openings():
    table = at("play")
    mine = table.state.openings[0]
    foreign = table.state.openings[1]
    step = table.round
    cases = {
        "dropped": (mine[:-1], "missing-opening"),
        "repeated": ((*mine, mine[-1]), "missing-opening"),
        "another player's": ((*mine[:-1], foreign[-1]), "missing-opening"),
        "reordered": (mine[::-1], "missing-opening"),
        "wrong face": ((*mine[:-1], replace(mine[-1], face=mine[-2].face)), "bad-opening"),
        "wrong salt": ((*mine[:-1], replace(mine[-1], salt=mine[-2].salt)), "bad-opening"),
    }
    for what, (openings, code) in cases.items():
        assert fault(audit, table.false_view(0, openings=openings)) == (code, step), what


def test_a_false_question():
    table = at("bid")
    step = table.round
    assert fault(audit, table.false_view(0, ask=None)) == ("false-question", step)
    assert fault(audit, table.false_view(0, ask=Ask(0, "guess", ("odd",)))) == ("false-question", step)
    assert fault(audit, table.false_view(0, ask=Ask(0, "bid"))) == ("false-question", step)


def test_a_false_list_of_moves():
    table = at("bid")
    view = decode(table.view(0), View, "view")
    legal = msgspec.json.decode(bytes(decode(bytes(view.private.body), Private, "private").legal))
    for false in (legal[:-1], [*legal, legal[0]], []):
        assert fault(audit, table.false_view(0, legal=msgspec.Raw(encode(false)))) == ("false-legal", table.round)


def test_a_view_put_together_from_two():
    table = at("bid")
    old = decode(table.view(0), View, "view")
    table.others()
    new = decode(table.view(0), View, "view")
    assert fault(audit, encode(replace(new, private=old.private))) == ("mixed-view", table.round)
    assert fault(audit, encode(replace(new, entries=old.entries))) == ("mixed-view", table.round - 1)


def test_a_private_part_that_the_host_did_not_sign():
    table = at("bid")
    view = decode(table.view(0), View, "view")
    private = decode(bytes(view.private.body), Private, "private")
    forged = encode(replace(view, private=seal(table.players[1], "private", private)))
    assert fault(audit, forged) == ("bad-signature", 0)


# --- timeouts


def test_a_timeout_of_somebody_who_was_not_asked():
    table = at("raid")
    (seat,) = table.asked
    table.others()
    table.rewrite(lambda e: replace(e, timeouts=((seat + 1) % 3,)))
    caught(table, "bad-round")


def test_a_seat_put_out_too_early():
    table = at("bid")
    table.miss(1)
    assert table.entry().out == ()
    table.rewrite(lambda e: replace(e, out=(1,)))
    assert fault(audit, table.view(0)) == ("bad-round", table.round)


def test_a_timeout_in_the_first_round():
    table = sit().play(1)
    table.rewrite(lambda e: replace(e, answers=e.answers[:2], timeouts=(2,)))
    caught(table, "bad-round")


def test_a_witness_left_out():
    table = at("play")
    table.miss(1)
    assert table.entry().witness == (0, 2)
    table.rewrite(lambda e: replace(e, witness=(0,)))
    assert fault(audit, table.view(0)) == ("bad-round", table.round)


def test_what_is_held_cannot_be_changed():
    """The host holds a move back for a witness round and then plays another one."""
    table = at("play")
    table.miss(1)
    held = table.state.held
    assert [one.seat for one in held] == [0, 1, 2]
    mine = {*table.state.position.own[0].hand} - {decode(bytes(held[0].fields), Play, "play").card}
    other = replace(held[0], fields=msgspec.Raw(encode(Play(min(mine)))))
    table.state = replace(table.state, held=(other, *held[1:]))
    table.others()
    only_after_the_end(table, "bad-ops", table.round)


def test_close_round_is_the_only_way_to_an_entry():
    """Played again from the same state and answers, a round gives the entry to the byte."""
    table = at("play")
    before = table.state
    table.others()
    entry = table.entry()
    again, after = close_round(
        table.match.table, table.match.secret, before, entry.answers, {}, entry.timeouts, entry.link
    )
    assert encode(again) == encode(entry)
    assert after == table.state


def test_a_move_signed_by_another_player():
    table = at("play")
    file = decode(table.signed(0), MoveFile, "move")
    assert table.give(resign(table.players[1], file)).code == "bad-signature"
    assert not table.match.waiting
    assert open_view(table.view(0)).seat == 0
