"""What a dispute says about each file that does not fit: its code, sentence, round and name."""

import json
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

import referee
from referee import games
from referee.crypto.codec import decode, encode
from referee.crypto.envelope import Envelope, sign
from referee.crypto.keys import Key
from referee.engine import host
from referee.engine import records as r
from referee.engine.lobby import make_genesis
from referee.errors import RefereeError
from referee.evidence import proofs as p
from referee.evidence import prove
from referee.evidence.compare import rivals
from referee.evidence.court import judge_proof, read_proof
from referee.evidence.identify import edition_of, is_mail, kind_of
from referee.evidence.rulings import make_claim, make_ruling, read_claim, read_ruling
from tests.engine.attacks import refusal
from tests.support.match import Sitting, chance, code_of, resigned

Said = tuple[str, str, int, tuple[str, ...]]


@pytest.fixture(scope="module")
def sitting() -> Sitting:
    return Sitting("auction", 3, "details", grace=10, bank=5).until("play")


@pytest.fixture(scope="module")
def other() -> Sitting:
    """Another game of the same host and the same players."""
    return Sitting("auction", 3, "details", grace=11, bank=5).until("play")


def view_of(sitting: Sitting, seat: int) -> r.View:
    return decode(sitting.view(seat), r.View, "view")


def said(files: Mapping[str, Any]) -> list[Said]:
    """What is not consistent: code, sentence, round and files."""
    named = {name: data if isinstance(data, bytes) else encode(data) for name, data in files.items()}
    found = [one for one in referee.judge(named).findings if one.verdict != "consistent"]
    assert not [one for one in found if one.verdict == "proved"], found
    return [(one.code, str(one.message), one.round, one.files) for one in found]


# --- views -----------------------------------------------------------------------------------------------------------

OTHERS = "a private part of this view belongs to another seat"


def test_private_parts_are_those_of_the_seat(sitting: Sitting) -> None:
    view = view_of(sitting, 0)
    assert said({"v": view}) == []
    for seat in (1, 2, 3, 15, None):
        found = [one for one in said({"v": replace(view, seat=seat)}) if one[1] == OTHERS]
        assert found == [("mixed-view", OTHERS, 0, ("v",))], seat
    public = host.make_view(sitting.match, None)
    assert said({"v": public}) == []
    empty = replace(decode(public, r.View, "view"), seat=3)
    assert ("mixed-view", OTHERS, 0, ("v",)) in said({"v": empty})


def test_private_parts_are_of_the_game_and_its_seats(sitting: Sitting) -> None:
    view = view_of(sitting, 0)
    part = decode(bytes(view.privates[0].body), r.Private, "private")
    for changes in ({"game": "ab" * 32}, {"seat": 3}):
        strange = sign(sitting.host, "private", replace(part, **changes))
        found = said({"v": replace(view, privates=(strange, *view.privates[1:]))})
        told = f"round {part.round}: a private part of this view belongs elsewhere"
        assert ("mixed-view", told, part.round, ("v",)) in found, changes
    # The same in a proof.
    entry = view.entries[part.round - 1]
    for changes, code in (
        ({}, "no-offence"), ({"seat": 3}, "mixed-proof"),
        ({"round": 2}, "mixed-proof"), ({"game": "ab" * 32}, "mixed-proof"),
    ):  # fmt: skip
        envelope = sign(sitting.host, "private", replace(part, **changes))
        found = judge_proof(p.BadRound(p.PROOF_FILE, view.genesis, entry=entry, privates=(envelope,)))
        assert (found.verdict, found.code) == ("altered", code), changes


def test_entries_are_whole_and_in_order(sitting: Sitting, other: Sitting) -> None:
    view, theirs = view_of(sitting, 0), view_of(other, 0)
    one, two, *more = view.entries
    bare = replace(view, privates=())
    astray = "an entry is missing, or belongs to another game"
    for entries, number in (
        ((one, *more), 2),
        ((two, *more), 1),
        ((two, one, *more), 1),
        ((one, theirs.entries[1], *more), 2),
    ):
        found = [row for row in said({"v": replace(bare, entries=entries)}) if row[0] == "altered-chain"]
        assert found == [("altered-chain", f"round {number}: {astray}", number, ("v",))]


def test_what_follows_a_bad_entry_is_looked_at_all_the_same(sitting: Sitting) -> None:
    view = view_of(sitting, 0)
    one, two, *more = view.entries
    bad = replace(two, sig="00" * 64)
    assert said({"v": replace(view, privates=(), entries=(one, bad, *more))}) == [
        ("bad-signature", "round 2: the signature of the entry is wrong", 2, ("v",)),
        ("undecided", "round 3: undecided: more is needed to judge this round", 0, ()),
    ]
    whole = referee.judge({"bad": encode(replace(view, entries=(one, bad, *more))), "good": sitting.view(1)})
    assert [one.code for one in whole.findings if one.verdict == "altered"] == ["bad-signature"]
    assert [one.files for one in whole.findings] == [("bad",), ("bad", "good")]


def test_positions_and_private_parts_of_every_file(sitting: Sitting) -> None:
    """Even after a file without them: a transcript has no position, and an unknown head leads nowhere."""
    over = Sitting("auction", 2, "over").to_end()
    transcript, view = over.transcript(), view_of(over, 1)
    public = decode(bytes(view.public), over.table.game.public, "the position")
    changed = replace(view, public=msgspec.Raw(encode(replace(public, round=0))))
    mixed = "the position in this view is not the one that the host signed"
    assert said({"t": transcript, "v": changed}) == [("mixed-view", mixed, 0, ("v",))]
    early = replace(view, entries=view.entries[:1])  # with the position of another round
    assert ("mixed-view", mixed, 0, ("v",)) in said({"e": early, "v": changed})
    first = min(decode(bytes(one.body), r.Private, "private").round for one in view.privates)
    gone = f"round {first}: what its player was told in this round is not in the view"
    assert said({"t": transcript, "v": replace(view, privates=())}) == [("missing-private", gone, first, ("v",))]
    last = decode(bytes(view.privates[-1].body), r.Private, "private").round
    gone = f"round {last}: what its player was told in this round is not in the view"
    assert said({"v": replace(view, privates=view.privates[:-1])}) == [("missing-private", gone, last, ("v",))]


# --- moves, receipts and promises ------------------------------------------------------------------------------------


def test_loose_files_of_seats_and_games_that_are_not_there(sitting: Sitting, other: Sitting) -> None:
    seat, view = sitting.asked[0], sitting.view(0)
    move = sitting.signed(seat)
    file = decode(move, r.MoveFile, "move")
    number = sitting.round + 1
    assert said({"v": view, "m": move}) == []
    beyond = resigned(sitting, seat, file, {}, seat=3, commit={})
    assert said({"v": view, "m": beyond}) == [
        ("bad-signature", f"round {number}: there is no such seat in this game", number, ("m",))
    ]
    forged = replace(file, sig="00" * 64)
    ((code, told, at, names),) = said({"v": view, "m": forged})
    assert (code, at, names) == ("bad-signature", number, ("m",))
    assert told.startswith(f"round {number}: ")
    receipt = other.fork().give(other.signed(other.asked[0])).receipt
    assert receipt is not None
    ((code, told, at, names),) = said({"v": view, "r": receipt})
    assert (code, names) == ("undecided", ("r",))
    assert "there are no other files here of the game that this receipt belongs to" in told
    forged = replace(receipt, sig="00" * 64)
    ((code, _, at, names),) = said({"v": other.view(0), "r": forged})
    assert (code, at, names) == ("bad-signature", other.round + 1, ("r",))


def test_every_refusal_is_looked_at(sitting: Sitting) -> None:
    """Even after receipts that say nothing about their moves."""
    first, second = sitting.asked[:2]
    taken = sitting.fork().give(sitting.signed(first)).receipt
    assert taken is not None
    refused = encode(refusal(sitting, sitting.signed(second), "illegal"))
    alone = said({"v": sitting.view(0), "b": refused})
    assert [code for code, *_ in alone] == ["undecided"]
    for stale in (encode(taken), encode(refusal(sitting, sitting.signed(first), "stale"))):
        assert said({"v": sitting.view(0), "a": stale, "b": refused}) == alone


def test_promises_of_the_host(sitting: Sitting) -> None:
    twin = sitting.fork()
    promise = host.extend(twin.match, twin.asked[0], "2028-01-01T00:00Z")
    assert said({"v": sitting.view(0), "x": encode(promise)}) == []
    ((code, told, at, names),) = said({"v": sitting.view(0), "x": encode(replace(promise, sig="00" * 64))})
    assert (code, at, names) == ("bad-signature", 0, ("x",))
    assert not told.startswith("round")


def test_offers_and_joins_go_with_their_game(sitting: Sitting, other: Sitting) -> None:
    named = {"j": encode(sitting.joins[1]), "o": encode(sitting.offer), "v": sitting.view(0)}
    (found,) = referee.judge(named).findings
    assert (found.verdict, found.files) == ("consistent", ("v", "j", "o"))
    assert str(found) == f"these files agree with each other, up to round {sitting.round}"
    strange = {"j": encode(other.joins[1]), "o": encode(other.offer), "v": sitting.view(0)}
    (found,) = referee.judge(strange).findings
    assert found.files == ("v",)
    assert [one.verdict for one in referee.judge([named["j"], named["o"]]).findings] == []


# --- claims and rulings ----------------------------------------------------------------------------------------------


def test_a_claim_is_late_after_deadline_bank_and_grace(sitting: Sitting) -> None:
    seat = sitting.asked[0]
    move = decode(sitting.signed(seat), r.MoveFile, "move")
    day, time = sitting.state.due[:11], sitting.state.due[11:16]
    hour, minute = map(int, time.split(":"))
    assert minute + 16 < 60
    for more, late in ((0, False), (15, False), (16, True)):
        sent = f"{day}{hour:02}:{minute + more:02}Z"
        claim = read_claim(make_claim(sitting.players[seat], view_of(sitting, seat), move, sent))
        assert (claim.late, claim.due) == (late, sitting.state.due)


def test_a_claim_has_a_state_where_seats_can_change_hands_and_not_in_the_first_round() -> None:
    one = Sitting("auction", 3, "claims", deadline=60, takeovers=2)
    for number in (1, 2, 3):
        seat = one.asked[0]
        move = decode(one.signed(seat), r.MoveFile, "move")
        found = read_claim(make_claim(one.players[seat], view_of(one, seat), move, "2027-01-01T00:00Z"))
        assert (found.move.round, bool(r.content(found.claim.state)), found.claim.entry is not None) == (
            number, number > 1, number > 1,
        )  # fmt: skip
        one.step()


def test_verdicts_and_ranks_at_their_bounds(sitting: Sitting) -> None:
    arbiter, genesis = Key(chance("arbiter")), sitting.table.envelope
    for text, good in (("x", True), ("x" * 2000, True), ("", False), ("x" * 2001, False)):
        assert code_of(lambda t=text: make_ruling(arbiter, genesis, [], t)) == ("ok" if good else "usage"), len(text)
    for ranks in ((1, 2, 3), (1, 1, 1), (3, 3, 1), ()):
        assert read_ruling(make_ruling(arbiter, genesis, [], "x", ranks)).ruling.ranks == ranks
    for ranks in ((0, 1, 2), (1, 2, 4), (1, 2), (1, 2, 3, 3)):
        with pytest.raises(RefereeError) as caught:
            make_ruling(arbiter, genesis, [], "x", ranks)
        assert str(caught.value.message) == "this game has 3 seats"
    envelope = decode(make_ruling(arbiter, genesis, [b"a", b"b"], "x"), Envelope, "ruling")
    made = decode(bytes(envelope.body), type(read_ruling(encode(envelope)).ruling), "ruling")
    for names in (made.evidence[::-1], made.evidence[:1] * 2):
        assert (
            code_of(lambda n=names: read_ruling(encode(sign(arbiter, "ruling", replace(made, evidence=n)))))
            == "bad-ruling"
        )


# --- at a glance -----------------------------------------------------------------------------------------------------


def test_how_far_a_file_is_looked_at() -> None:
    assert [kind_of(b" " * blanks + b"%PDF-1.7") for blanks in (0, 196, 197)] == ["pdf", "pdf", ""]
    assert kind_of(b"\xef\xbb\xbf\r\n\t %PDF-1.7") == "pdf"
    assert kind_of(b" <p>") == "html"
    assert [kind_of(data) for data in (b"{}", b"[]", b"nothing", b'{"$schema":1}')] == ["json", "json", "", "schema"]
    assert is_mail(b"\r\nFrom somebody")
    assert not is_mail(b"from somebody")


def test_two_games_of_one_offer_are_shown_by_a_file_of_each() -> None:
    one, twin = Sitting("auction", 3, "twice"), Sitting("auction", 3, "twice")
    twin.match = host.new_match(twin.host, make_genesis(twin.host, twin.offer, (*twin.joins[1:], twin.joins[0])))
    files = {"a": one.view(0), "b": one.view(1), "c": twin.view(0), "d": twin.view(1)}
    (found,) = [one for one in referee.judge(files).findings if one.code == "two-geneses"]
    assert found.verdict == "proved"
    assert [name in "ab" for name in found.files] in ([True, False], [False, True])
    third = Sitting("auction", 3, "twice")
    third.match = host.new_match(third.host, make_genesis(third.host, third.offer, third.joins[::-1]))
    (found,) = [one for one in referee.judge({**files, "e": third.view(0)}).findings if one.code == "two-geneses"]
    assert len({name in "ab" for name in found.files}) == 2, "one proof of it is enough"


def test_a_verdict_for_programs_has_what_there_is_to_say() -> None:
    short = p.Verdict("consistent", "ok", "nothing is wrong")
    assert msgspec.to_builtins(short) == {"verdict": "consistent", "code": "ok", "message": "nothing is wrong"}
    whole = {"verdict": "proved", "code": "x", "message": "y", "next": "z", "game": "g", "key": "k", "round": 1}
    assert msgspec.to_builtins(p.Verdict(**whole)) == whole


def test_an_entry_in_another_spelling_is_an_offence_by_itself(sitting: Sitting) -> None:
    view = view_of(sitting, 0)
    spaced = sign(sitting.host, "entry", msgspec.Raw(bytes(view.entries[1].body).replace(b",", b", ", 1)))
    found = judge_proof(p.TwoEntries(p.PROOF_FILE, view.genesis, (spaced, view.entries[1])))
    assert (found.verdict, found.code) == ("proved", "bad-entry")


def test_two_of_three_entries_for_one_round_are_a_proof(sitting: Sitting) -> None:
    """Whoever is asked answers in another way; all three stories begin with the same rounds."""
    views, salt = dict[str, bytes](), 0
    while len({*views.values()}) < 3:
        fork, salt = sitting.fork(), salt + 1
        fork.step(salt=str(salt))
        views[f"v{salt}"] = fork.view(0)
    (found,) = [one for one in referee.judge(views).findings if one.code == "two-entries"]
    assert (found.verdict, found.round) == ("proved", sitting.round + 1)
    assert judge_proof(read_proof(found.proof)).verdict == "proved"


def test_an_edition_that_lacks_a_field_is_recognised() -> None:
    fields = json.loads(games.edition_bytes("mark"))
    whole = {name: value for name, value in fields.items() if name != "market"}
    assert edition_of(encode(whole)) == "mark"
    assert edition_of(encode({**whole, "strange": 1})) == ""
    assert edition_of(b"{}") == ""


@pytest.mark.parametrize(
    ("codes", "pairs"),
    [
        ("taken taken", [(0, 1)]), ("taken late", [(0, 1)]), ("late taken", [(1, 0)]), ("late illegal", []),
        ("late taken taken", [(1, 0), (1, 2), (2, 0)]), ("taken", []),
    ],
)  # fmt: skip
def test_receipts_contradict_each_other_if_one_accepts(codes: str, pairs: list[tuple[int, int]]) -> None:
    """The accepting one comes first; two that accept are one pair. Other rounds and seats change nothing."""
    receipts = [r.Receipt("g", 4, 1, str(at), code) for at, code in enumerate(codes.split())]
    beside = [replace(one, round=5 + at) for at, one in enumerate(receipts)] + [replace(receipts[0], seat=2)]
    found = list(rivals([*receipts, *beside], lambda one: one))
    assert [(int(one.move), int(other.move)) for one, other in found] == pairs


def test_tokens_of_a_proof_are_those_that_lie_face_down_in_the_order_of_their_slots() -> None:
    tokens = {slot: r.Token(slot, "x", "00") for slot in ("pile-2", "pile-1", "hand-9", "gone-1")}
    leaves = dict.fromkeys(("hand-9", "pile-1", "pile-2", "pile-3"), "leaf")
    checkpoint: Any = SimpleNamespace(state=SimpleNamespace(book=SimpleNamespace(leaves=leaves)))
    known: Any = SimpleNamespace(tokens=tokens)
    assert [token.slot for token in prove._face_down(checkpoint, known)] == ["hand-9", "pile-1", "pile-2"]
