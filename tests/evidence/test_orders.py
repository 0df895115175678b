"""What must not depend on the order of files, what is told in which order, and how far things are looked at."""

from itertools import permutations
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

import referee
from referee import games
from referee.crypto.codec import PROJECT, decode, encode
from referee.crypto.document import NESTED
from referee.crypto.envelope import Envelope, ident, sign
from referee.engine import records as r
from referee.engine.parts import Held, Holder, Vacancy
from referee.errors import Malformed, Usage
from referee.evidence import proofs as p
from referee.evidence.compare import compare
from referee.evidence.court import _can_be, decode_move, judge_proof, read_proof
from referee.evidence.files import read_file
from referee.evidence.identify import _HEAD, edition_of, is_mail
from referee.evidence.lateness import lateness
from referee.evidence.prove import revealed
from referee.game import Ask
from tests.engine.attacks import refusal
from tests.engine.test_seats import taken
from tests.evidence.honest import judged, refusal_proof
from tests.support.match import Sitting, code_of, other_program, resigned


@pytest.fixture(scope="module")
def sitting() -> Sitting:
    return Sitting("auction", 3, "orders", bank=5).until("play")


def view_of(sitting: Sitting, seat: int = 0) -> r.View:
    return decode(sitting.view(seat), r.View, "view")


def test_the_order_of_files_changes_nothing(sitting: Sitting) -> None:
    """Three stories of one game, two entries that follow strangers, and one without the entry before it."""
    views = []
    for salt in range(2):
        fork = sitting.fork()
        fork.step(salt=str(salt))
        views.append(fork.view(0))
    view = view_of(sitting)
    last = decode(bytes(view.entries[-1].body), r.Entry, "entry")
    astray = [sign(sitting.host, "entry", replace(last, prev=digit * 64)) for digit in "ab"]
    views += [encode(replace(view, privates=(), entries=(one,))) for one in astray]
    found = {
        tuple(
            (one.verdict, one.code, str(one.message), one.round, one.proof)
            for one in referee.judge(list(order)).findings
        )
        for order in permutations(views)
    }
    assert len(found) == 1
    codes = [code for _, code, *_ in found.pop()]
    assert {"broken-chain", "two-entries", "altered-chain"} == {*codes}


def test_it_is_said_which_entry_is_missing(sitting: Sitting) -> None:
    view = view_of(sitting)
    rest = (view.entries[0], *view.entries[2:])
    found = referee.judge([encode(replace(view, privates=(), entries=rest))]).findings
    assert [str(one.next) for one in found if one.code == "undecided"] == ["needed: a view with the entry of round 2"]
    later = sitting.fork()
    later.step()
    seat = later.asked[0]
    refused = refusal(later, later.signed(seat), "illegal")
    move = later.signed(seat)
    told = [str(one.next) for one in referee.judge([sitting.view(0), move, encode(refused)]).findings if one.next]
    assert told == [f"needed: a view with the entry of round {later.round} that the move answers"]


def test_late_seats_are_told_in_the_order_of_seats() -> None:
    late = Sitting("auction", 3, "late")
    late.until(lambda one: 2 in one.asked and one.round).step(2)
    late.until(lambda one: 0 in one.asked and one.round > 1).step(0)
    found = lateness(late.opened(1).chain)
    assert [one.seat for one in found.late] == [1, 3]
    assert found.late_rounds == 2


def test_a_state_must_be_possible_at_its_table(sitting: Sitting) -> None:
    state, table, number = sitting.state, sitting.table, sitting.round
    time = "2027-01-01T00:00Z"
    assert _can_be(state, table, number)
    assert _can_be(replace(state, vacant=(Vacancy(2, 1, due=time),)), table, number)
    seat = 3
    for changes in (
        {"links": state.links[:2]}, {"missed": (*state.missed, 0)}, {"bank": state.bank[:2]}, {"bank": ()},
        {"pending": (Ask(seat, "play"),)}, {"held": (Held(seat, 1),)}, {"left": ((seat, 1),)}, {"due": "tomorrow"},
        {"holders": (Holder(seat, 1, "Zoe", *("a" * 64,) * 3),)},
        {"vacant": (Vacancy(seat, 1, due=time),)}, {"vacant": (Vacancy(2, 1, due="tomorrow"),)},
    ):  # fmt: skip
        assert not _can_be(replace(state, **changes), table, number), changes
    assert not _can_be(state, table, number + 1)
    without = Sitting("auction", 3, "orders").until("play")
    assert not _can_be(replace(without.state, bank=(0, 0, 0)), without.table, without.round)


def test_a_game_that_cannot_be_loaded_hides_no_edition(monkeypatch: pytest.MonkeyPatch) -> None:
    load, broken = games.load, games.game_ids()[0]
    data = games.edition_bytes("weg-zum-erfolg")
    assert broken != "weg-zum-erfolg"

    def loading(game_id: str) -> Any:
        if game_id == broken:
            raise Usage(referee.language.t("it is broken"))
        return load(game_id)

    monkeypatch.setattr(games, "load", loading)
    assert edition_of(data) == "weg-zum-erfolg"


def test_the_head_of_a_mail_is_looked_at_up_to_a_limit() -> None:
    for more, found in ((0, True), (1, False)):
        start = b"X-Odd: " + b"x" * (_HEAD - len("X-Odd: \nFrom:") + more)
        assert is_mail(start + b"\nFrom: somebody") == found


def test_what_cannot_be_compared_is_refused_by_what_it_is() -> None:
    for data, code in (
        (b"{}", "wrong-kind"), (b"\xff\xfe", "malformed"), (b"[" * 200 + b"]" * 200, "malformed"),
        (f'{{"format":"{PROJECT.split("/")[0]}/9/view"}}'.encode(), "other-version"),
    ):  # fmt: skip
        assert code_of(lambda data=data: read_file(data)) == code, data[:40]


@pytest.mark.parametrize("kind", ["receipt", "extension", "move"])
def test_a_body_may_be_nested_up_to_the_limit_of_its_file(sitting: Sitting, kind: str) -> None:
    for more, code in ((0, "ok"), (1, "malformed")):
        depth = NESTED - 2 + more  # the file and the body are one each
        body = msgspec.Raw(b'{"a":' + b"[" * depth + b"]" * depth + b"}")
        data = encode(sign(sitting.host, kind, body))
        assert code_of(lambda data=data: read_file(data)) == code, more


def test_an_answer_in_a_move_is_an_object(sitting: Sitting) -> None:
    file = decode(sitting.signed(sitting.asked[0]), r.MoveFile, "move")
    move = decode(bytes(file.body), r.Move, "move")
    assert decode_move(encode(replace(move, answer=msgspec.Raw(b"{}"))))
    for answer in (b"[]", b"1", b'"x"'):
        with pytest.raises(Malformed):
            decode_move(encode(replace(move, answer=msgspec.Raw(answer))))


def test_a_proof_from_a_transcript_ends_with_the_round_that_it_shows() -> None:
    whole = decode(Sitting("auction", 2, "revealed").to_end().transcript(), r.Transcript, "transcript")
    rounds = sorted({one.round for one in whole.sealed})
    for step in (1, rounds[0], rounds[0] + 1, rounds[-1]):
        proof = revealed(whole, step)
        assert proof.entries == whole.entries[:step]
        assert {one.round for one in proof.sealed} == {number for number in rounds if number <= step}


def test_moves_of_everybody_are_read_after_a_seat_changed_hands() -> None:
    """Each by the key that its seat had then; only of a round that no view shows yet nobody knows whose it was."""
    game = taken("compared")
    view = read_file(game.view(0))
    assert len({*game.asked}) > 1
    for seat in game.asked:
        move = decode(game.signed(seat), r.MoveFile, "move")
        assert compare([view, move]) == ([], []), seat
        (told,) = compare([view, replace(move, sig="00" * 64)])[1]
        assert "signature" in str(told)
        later = decode(resigned(game, seat, move, {}, round=game.round + 2, commit={}), r.MoveFile, "move")
        (told,) = compare([view, replace(later, sig="00" * 64)])[1]
        assert str(told) == "a move needs a view beside it that shows who held its seat then"


def test_by_other_rules_no_refusal_is_proved(sitting: Sitting) -> None:
    seat = sitting.asked[0]
    data = sitting.signed(seat)
    file = decode(data, r.MoveFile, "move")
    proof = refusal_proof(
        sitting.opened(seat), Envelope(file.body, file.sig, file.type), refusal(sitting, data, "illegal")
    )
    assert judged(proof).code == "refused-though-legal"
    with other_program("auction"):
        found = judged(proof)
    assert (found.verdict, found.code) == (p.UNDECIDED, "undecided")
    assert "a refused move may be legal" in str(found.message)


def test_an_entry_that_follows_a_stranger_hides_no_other_of_its_round(sitting: Sitting) -> None:
    """Whichever comes first by its id."""
    view = view_of(sitting)
    number = decode(bytes(view.privates[-1].body), r.Private, "private").round
    entry = view.entries[number - 1]
    cut = encode(replace(view, entries=view.entries[:number], privates=view.privates[:-1]))
    body = decode(bytes(entry.body), r.Entry, "entry")
    strangers = [sign(sitting.host, "entry", replace(body, prev=f"{at:04}" * 16)) for at in range(64)]
    own, ids = ident("entry", bytes(entry.body)), [ident("entry", bytes(one.body)) for one in strangers]
    for at in (ids.index(min(ids)), ids.index(max(ids))):
        stranger = strangers[at]
        astray = encode(replace(view, privates=(), entries=(stranger,)))
        assert "missing-private" in [one.code for one in referee.judge([cut, astray]).findings], ids[at] < own


def test_a_proof_says_that_it_is_one(sitting: Sitting) -> None:
    proof = p.BadGenesis(p.PROOF_FILE, sitting.table.envelope)
    assert judge_proof(read_proof(encode(proof))).code == "no-offence"
    assert judge_proof(replace(proof, format=r.VIEW_FILE)).code == "wrong-kind"
