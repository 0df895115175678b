"""Seats that changed hands, as proofs see them: nobody is accused of a successor's answers; lost games are rebuilt."""

import pytest
from msgspec.structs import replace

from referee.crypto.codec import decode, encode
from referee.crypto.envelope import Envelope, ident, sign
from referee.engine import host
from referee.engine import records as r
from referee.engine.promises import Extension
from referee.evidence import proofs as p
from referee.evidence.case import try_all
from referee.evidence.court import judge_proof, moves_of
from referee.evidence.lateness import lateness
from referee.evidence.pool import Pool
from referee.evidence.proofs import PROVED, UNDECIDED
from referee.evidence.recovery import recover
from referee.evidence.rulings import make_claim, read_claim
from referee.io import guard
from referee.io.gamefile import dump_match, open_match
from tests.engine.attacks import refusal
from tests.engine.test_seats import DAY, taken, vacated
from tests.evidence.caught import shown_by
from tests.support.match import Sitting, code_of


@pytest.fixture(scope="module")
def story() -> tuple[Sitting, list[bytes], list[r.MoveFile]]:
    """A game in which Zoe took over Bert's seat and played on: every view that anybody had, and every move."""
    sitting, views, moves = vacated("court"), list[bytes](), list[r.MoveFile]()
    sitting.wait(2 * DAY)
    host.take_arrival(sitting.match, sitting.succession(1))
    sitting.step()
    sitting.sit_down(1)
    while sitting.round < 14 and not sitting.over:
        views += [sitting.view(seat) for seat in range(3)]
        for seat in sitting.asked:
            moves.append(decode(sitting.signed(seat), r.MoveFile, "move"))
            assert sitting.give(encode(moves[-1])).error is None
    return sitting, views, moves


def parts(sitting: Sitting, number: int) -> tuple[Envelope, Envelope, r.Json, r.Json]:
    """The entry of a round, the one before it, and what that one has the hashes of."""
    before = sitting.opened(0).chain.rounds[number - 2].checkpoint
    state, public = (r.msgspec.Raw(encode(one)) for one in (before.state, before.public))
    return sitting.match.entries[number - 1], sitting.match.entries[number - 2], state, public


def test_honest_files_of_all_holders_show_nothing(story):
    sitting, views, moves = story
    found = shown_by({data: {} for data in (*views, *map(encode, moves))})
    assert [one.verdict.code for one in found if one.verdict.verdict == PROVED] == []
    receipts = [encode(one.receipt) for move in moves[-3:] if (one := sitting.give(encode(move))).receipt]
    assert receipts
    found = shown_by({data: {} for data in (*views[-3:], *receipts, *map(encode, moves))})
    assert [one.verdict.code for one in found if one.verdict.verdict == PROVED] == []


def test_no_entry_of_a_successor_proves_anything_without_its_state(story):
    sitting, _, moves = story
    for number in range(2, sitting.round + 1):
        entry, before, state, public = parts(sitting, number)
        for what in (p.BadRound(p.PROOF_FILE, sitting.table.envelope, entry=entry),
                     p.BadRound(p.PROOF_FILE, sitting.table.envelope, before, entry=entry)):  # fmt: skip
            assert judge_proof(what).verdict == UNDECIDED
        whole = p.BadRound(p.PROOF_FILE, sitting.table.envelope, before, state, public, entry=entry)
        assert judge_proof(whole).code == "no-offence"
        for what in _other_proofs(sitting, entry):
            assert (judge_proof(what).verdict, judge_proof(what).code) == (p.ALTERED, "no-offence")
    for move in moves[:4]:
        signed = Envelope(move.body, move.sig, move.type)
        body = decode(bytes(move.body), r.Move, "move")
        refusal = r.Receipt(sitting.table.id, body.round, body.seat, ident("move", bytes(move.body)), "illegal")
        receipt = sign(sitting.host, "receipt", refusal)
        assert judge_proof(p.Refusal(p.PROOF_FILE, sitting.table.envelope, move=signed, receipt=receipt)).verdict == (
            UNDECIDED
        )


def _other_proofs(sitting: Sitting, entry: Envelope) -> list[p.AnyProof]:
    """An honest entry as every kind of proof that needs no state, beside what an honest host signed with it."""
    body, game = decode(bytes(entry.body), r.Entry, "entry"), sitting.table.id
    taken = [r.Receipt(game, body.round, one.seat, move, "taken")
             for one, move in zip(body.answers, moves_of(body), strict=True)]  # fmt: skip
    stale = [r.Receipt(game, body.round, seat, "00" * 32, "stale") for seat in body.timeouts]
    given = [Extension(game, body.round, seat, "2027-01-01T00:00Z") for seat in range(3)]
    genesis, key = sitting.table.envelope, sitting.host
    return [
        p.TwoEntries(p.PROOF_FILE, genesis, (entry, entry)),
        *(p.Receipts(p.PROOF_FILE, genesis, (sign(key, "receipt", one),), entry) for one in (*taken, *stale)),
        *(p.Extended(p.PROOF_FILE, genesis, sign(key, "extension", one), entry) for one in given),
    ]


def test_in_the_first_round_the_joins_say_who_holds_the_seats(story):
    """So nothing else has to be read to see that an answer is false, whatever is next to it."""
    sitting, _, _ = story
    entry = decode(bytes(sitting.match.entries[0].body), r.Entry, "entry")
    forged = replace(entry, answers=(replace(entry.answers[0], sig="11" * 64), *entry.answers[1:]))
    _, _, state, _ = parts(sitting, 2)
    for beside in (r.NOTHING, state):
        proof = p.BadRound(
            p.PROOF_FILE, sitting.table.envelope, None, beside, entry=sign(sitting.host, "entry", forged)
        )
        assert (judge_proof(proof).verdict, judge_proof(proof).code) == (PROVED, "bad-move")


def test_an_answer_that_the_holder_did_not_sign_is_proved_with_the_state(story):
    sitting, _, _ = story
    old = Sitting("auction", 3, "court").players[1]
    number = next(
        number
        for number in range(sitting.round, 1, -1)
        if any(one.seat == 1 for one in decode(bytes(sitting.match.entries[number - 1].body), r.Entry, "entry").answers)
    )
    _, before, state, public = parts(sitting, number)
    entry = decode(bytes(sitting.match.entries[number - 1].body), r.Entry, "entry")
    move = next(one for one in entry.answers if one.seat == 1)
    forged = sign(old, "move", r.move_of(entry.game, entry.round, entry.prev, move)).sig
    answers = tuple(replace(one, sig=forged) if one.seat == 1 else one for one in entry.answers)
    false = sign(sitting.host, "entry", replace(entry, answers=answers))
    proof = p.BadRound(p.PROOF_FILE, sitting.table.envelope, before, state, public, entry=false)
    assert (judge_proof(proof).verdict, judge_proof(proof).code) == (PROVED, "bad-move")
    assert judge_proof(p.BadRound(p.PROOF_FILE, sitting.table.envelope, entry=false)).verdict == UNDECIDED


def test_a_legal_move_of_a_successor_that_is_refused(story):
    sitting = taken("refused")
    file = decode(sitting.signed(1), r.MoveFile, "move")
    name, body = ident("move", bytes(file.body)), decode(bytes(file.body), r.Move, "move")
    receipt = sign(sitting.host, "receipt", r.Receipt(sitting.table.id, body.round, 1, name, "not-asked"))
    own = {(number, 1): fields for number, fields in sitting.own.get(1, {}).items()}
    forged = encode(replace(file, sig="00" * 64))
    for copies in ([encode(file)], [forged, encode(file)], [encode(file), forged]):
        found = shown_by({sitting.view(1): own, **dict.fromkeys(copies, own), encode(receipt): {}})
        assert "refused-though-legal" in {one.verdict.code for one in found if one.verdict.verdict == PROVED}
    assert shown_by({sitting.view(1): own, forged: own, encode(receipt): {}}) == []


def test_late_rounds_and_protests_belong_to_the_holder_at_that_time():
    """Bert missed two deadlines, Zoe took over his seat and missed one: his are not counted against her."""
    sitting = taken("late").until("bid")
    earlier, late = decode(sitting.signed(1), r.MoveFile, "move"), sitting.round + 1
    sitting.step(1)
    name = ident("move", bytes(earlier.body))
    assert sitting.give(sitting.signed(1, protest=name)).code == "taken"
    sitting.others(1)
    pool = Pool()
    for data in (sitting.view(0), encode(replace(earlier, sig="00" * 64)), encode(earlier)):
        pool.add("file", data)
    (trial,), _ = try_all(pool)
    for found in (trial.lateness, lateness(sitting.opened(0).chain, [earlier])):
        assert [(one.name, len(one.rounds), one.rounds[-1]) for one in found.late] == [("Bert", 2, 5), ("Zoe", 1, late)]
        assert [(one.name, one.late, one.shown) for one in found.protests] == [("Zoe", late, True)]


def test_a_copy_with_a_bad_signature_hides_no_move():
    """Who held a seat is known late, so the first copy that comes may be anybody's: a legal move that was refused, and
    one that a protest names, are found beside it."""
    sitting = taken("copies")
    mine = sitting.signed(1)
    forged = encode(replace(decode(mine, r.MoveFile, "move"), sig="0" * 128))
    own = {(number, 1): fields for number, fields in sitting.own.get(1, {}).items()}
    for order in ((forged, mine), (mine, forged)):
        files = {data: {} for data in (*order, encode(refusal(sitting, mine, "illegal")))}
        found = shown_by({sitting.view(1): own, **files})
        assert [one.verdict.code for one in found if one.verdict.verdict == PROVED] == ["refused-though-legal"]
    sitting.step(1)
    sitting.give(sitting.signed(1, protest=ident("move", bytes(decode(mine, r.MoveFile, "move").body))))
    sitting.others(1)
    chain, copies = sitting.opened(1).chain, [decode(one, r.MoveFile, "move") for one in (mine, forged)]
    for order in (copies, copies[::-1]):
        assert [one.shown for one in lateness(chain, order).protests] == [True]
        pool = Pool()
        for at, data in enumerate((sitting.view(1), *map(encode, order))):
            pool.add(str(at), data)
        (trial,), _ = try_all(pool)
        assert [(one.name, one.shown) for one in trial.lateness.protests] == [("Zoe", True)], "its holder's, by name"
    assert [one.shown for one in lateness(chain, copies[1:]).protests] == [False]


def test_a_claim_names_the_holder_of_its_time(story):
    sitting, _, moves = story
    move = next(one for one in moves if decode(bytes(one.body), r.Move, "move").seat == 1)
    view = decode(sitting.view(1), r.View, "view")
    made = make_claim(sitting.players[1], view, move, "2027-03-01T12:00Z")
    assert read_claim(made).table.names[1] == "Zoe"
    old = Sitting("auction", 3, "court").players[1]
    assert code_of(lambda: make_claim(old, view, move, "2027-03-01T12:00Z")) == "other-key"
    claim = decode(bytes(decode(made, Envelope, "claim").body), type(read_claim(made).claim), "claim")
    bare = sign(sitting.players[1], "claim", replace(claim, state=r.NOTHING))
    assert code_of(lambda: read_claim(encode(bare))) == "undecided"
    other = sign(sitting.players[1], "claim", replace(claim, state=r.msgspec.Raw(b"{}")))
    assert code_of(lambda: read_claim(encode(other))) == "mixed-claim"


def test_a_lost_game_file_comes_back_with_its_holders(story):
    sitting, _, moves = story
    everything = [*moves, *(file for files in sitting.match.played.values() for file in files)]
    view = decode(sitting.view(1), r.View, "view")
    found = recover(sitting.host, view.genesis, view.entries, everything)
    assert dump_match(found.match) == sitting.file()


def test_a_guard_takes_the_step_in_which_a_seat_changed_hands():
    sitting = vacated("guard")
    sitting.wait(2 * DAY)
    older = sitting.file()
    host.take_arrival(sitting.match, sitting.succession(1))
    number = sitting.round
    sitting.step()
    known = guard.make(sitting.match, b"", number, "game.json")
    back = open_match(older, sitting.host)
    guard.bring_up_to_date(back, known)
    assert back.table.names == ("Anna", "Zoe", "Carla")
    assert dump_match(back) == sitting.file()
