"""Files side by side: receipts against moves and entries, many files at once; and whose fault it is, or nobody's."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from referee.games.auction import Bid

from referee.crypto.codec import decode, encode
from referee.crypto.envelope import ident, sign
from referee.crypto.keys import Key
from referee.engine import host
from referee.engine import records as r
from referee.engine.seats import rests
from referee.show.findings import report
from tests.cli.test_tickets import Desk
from tests.cli.world import check_refusal, run_here
from tests.support.match import Sitting, change_entry, resigned


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """Bids are asked for, and Anna keeps hers."""
    return Desk(tmp_path, Sitting(seed="receipts").until("bid"))


def receipt(desk: Desk, move: bytes, code: str, key: Key | None = None) -> bytes:
    """A receipt that a host may sign for a move."""
    body = bytes(decode(move, r.MoveFile, "move").body)
    signed = decode(body, r.Move, "move")
    note = r.Receipt(signed.game, signed.round, signed.seat, ident("move", body), code)
    return encode(sign(key or desk.sitting.host, "receipt", note))


def codes(desk: Desk, *names: str) -> tuple[int, str]:
    """Exit status and codes of an audit of the newest view beside these files."""
    ran = desk.run("audit", desk.view(), *names, "--json")
    if ran.exit == 6:
        check_refusal(ran, (6,))
    return ran.exit, json.loads(ran.out)["code"]


def lines(ran: Any) -> list[Any]:
    """What `verify --json` says: a line for each file, and one for all of them."""
    return [json.loads(line) for line in ran.out.splitlines()]


# --- receipts ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", ["illegal", "bad-commitment"])
def test_a_legal_move_that_was_refused(desk: Desk, code: str) -> None:
    """View, move, the host's own receipt and what the player's own program kept of the sealed part prove it; nothing
    less does."""
    assert desk.run("play", desk.view(), "-o", "move.json", "--move", "bid 1").exit == 0
    move = "move.json"
    refusal = desk.put("receipt.json", receipt(desk, (desk.root / move).read_bytes(), code))
    assert codes(desk, move, refusal) == (6, "refused-though-legal")
    assert codes(desk, refusal, move) == (6, "refused-though-legal")
    assert codes(desk, move) == (0, "ok")
    assert codes(desk, refusal) == (0, "ok")
    desk.sitting.step(0)
    assert codes(desk, move, refusal) == (6, "refused-though-legal"), "also after the round was closed without it"
    desk.ticket.unlink()
    assert codes(desk, move, refusal) == (0, "ok"), "what is sealed only the host could open"


def test_refusals_that_were_right(desk: Desk) -> None:
    """What an honest host refuses accuses nobody: too much money, too late, twice, sealed parts that were altered."""
    sitting = desk.sitting
    poor, good, other = sitting.forced(0, Bid(999)), sitting.signed(0, move=Bid(1)), sitting.signed(0, move=Bid(2))
    file = decode(good, r.MoveFile, "move")
    secret = msgspec.structs.replace(host.open_sealed(sitting.match, file)["amount"], value=msgspec.Raw(b"7"))
    swapped = resigned(sitting, 0, file, {"amount": secret})
    names = []
    for label, move, code in (
        ("poor", poor, "illegal"), ("swapped", swapped, "bad-commitment"), ("good", good, "taken"),
        ("other", other, "answered"),
    ):  # fmt: skip
        judged = sitting.give(move)
        assert judged.code == code
        assert judged.receipt is not None
        names += [desk.put(f"{label}.json", move), desk.put(f"{label}.receipt.json", encode(judged.receipt))]
    assert codes(desk, *names) == (0, "ok")
    sitting.others(0)
    judged = sitting.give(other)
    assert judged.code == "stale"
    names.append(desk.put("stale.json", encode(judged.receipt)))
    assert codes(desk, *names) == (0, "ok")
    ran = desk.run("verify", "view.json", *names)
    assert ran.exit == 0, ran.out


def contradictions(desk: Desk) -> dict[str, list[bytes]]:
    """Receipts that no honest host signs together, or beside the entries that followed."""
    sitting = desk.sitting
    mine, rival = sitting.signed(0, "one"), sitting.signed(0, "another")
    assert mine != rival
    other = sitting.fork()
    sitting.step(0)
    taken = receipt(desk, mine, "taken")
    assert other.give(mine).code == "taken"
    return {
        "taken-and-refused": [receipt(desk, mine, "illegal"), taken],
        "two-taken": [taken, receipt(desk, rival, "taken")],
        "taken-and-timed-out": [taken],
        "answered-and-timed-out": [receipt(desk, mine, "answered")],
    }


def test_receipts_that_contradict_each_other_or_the_entries(desk: Desk) -> None:
    """Each is found by audit and by verify, whatever else lies beside it, and a stranger's receipt hides none."""
    found = contradictions(desk)
    view = desk.view()
    stranger = desk.put("stranger.json", receipt(desk, desk.sitting.fork().signed(0), "taken", Key(bytes(32))))
    noise = desk.put("noise.json", b"{}")
    for code, files in found.items():
        names = [desk.put(f"{number}.receipt.json", data) for number, data in enumerate(files)]
        for args in (names, [stranger, *names], [*names, stranger], [noise, *names, stranger]):
            ran = desk.run("audit", view, *args, "--json")
            check_refusal(ran, (6,))
            assert "against the host" in ran.said
            ran = desk.run("verify", view, *args, "--json")
            assert ran.exit == 6
            assert code in {row["code"] for row in lines(ran)[-1]["together"]}, code
    ran = desk.run("audit", view, stranger)
    check_refusal(ran, (7,))
    assert "skipped" in ran.said


def test_a_taken_answer_that_the_entry_does_not_have(desk: Desk) -> None:
    mine, rival = desk.sitting.signed(0, "one"), desk.sitting.signed(0, "another")
    assert desk.sitting.give(rival).code == "taken"
    desk.sitting.others(0)
    name = desk.put("receipt.json", receipt(desk, mine, "taken"))
    assert codes(desk, name) == (6, "taken-and-dropped")


def test_a_receipt_needs_its_game(desk: Desk) -> None:
    """Alone it proves nothing, and says so; nor does a forged one, alone or beside a view."""
    name = desk.put("receipt.json", receipt(desk, desk.sitting.signed(0), "taken"))
    ran = desk.run("verify", name)
    check_refusal(ran, (7,))
    assert b"skipped" in ran.out
    assert "proof" not in ran.said
    forged = json.loads(receipt(desk, desk.sitting.signed(0), "taken")) | {"sig": "00" * 64}
    for args in (["forged.json"], ["forged.json", desk.view()]):
        desk.put("forged.json", encode(forged))
        ran = desk.run("verify", *args)
        check_refusal(ran, (7,))
        assert "proof" not in ran.said


def test_a_move_is_not_a_proof(desk: Desk) -> None:
    """Neither alone nor forged."""
    desk.put("move.json", desk.sitting.signed(0))
    ran = desk.run("verify", "move.json")
    assert ran.exit == 7
    assert "proof" not in ran.said
    forged = json.loads(desk.sitting.signed(0)) | {"sig": "00" * 64}
    desk.put("forged.json", encode(forged))
    check_refusal(desk.run("verify", desk.view(), "forged.json"), (7,))


# --- whose fault ------------------------------------------------------------------------------------------------------


def altered(desk: Desk) -> dict[str, tuple[bytes, str]]:
    """What anybody on the way can do to a view, and the code it must have."""
    view = decode(desk.sitting.until("raid").view(0), r.View, "view")
    spoilt = msgspec.structs.replace(view.entries[-1], sig="0" * 128)
    public = json.loads(r.content(view.public)) | {"lot": 99}
    swap = msgspec.structs.replace
    return {
        "position": (encode(swap(view, public=msgspec.Raw(encode(public)))), "mixed-view"),
        "no position": (encode(swap(view, public=r.NOTHING)), "mixed-view"),
        "signature": (encode(swap(view, entries=(*view.entries[:-1], spoilt))), "bad-signature"),
        "entry gone": (encode(swap(view, entries=view.entries[1:])), "altered-chain"),
        "private gone": (encode(swap(view, privates=())), "missing-private"),
        "private twice": (encode(swap(view, privates=(*view.privates, *view.privates))), "mixed-view"),
        "other seat": (encode(swap(view, seat=1)), "mixed-view"),
        "genesis": (encode(swap(view, genesis=swap(view.genesis, sig="0" * 128))), "bad-signature"),
    }


def test_what_a_third_party_altered_blames_nobody(desk: Desk) -> None:
    """Each unsigned or re-arranged part is named as a changed file, never as the host's fault."""
    for label, (data, code) in altered(desk).items():
        desk.put("altered.json", data)
        for command in (["show"], ["audit"], ["play", "-o", "out.json"]):
            ran = desk.run(command[0], "altered.json", *command[1:], "--json")
            check_refusal(ran, (6,))
            assert json.loads(ran.out)["code"] == code, label
            assert "changed on its way" in ran.said, label
            assert "host" not in ran.said.partition("Next: ")[2], label
        ran = desk.run("verify", "altered.json")
        check_refusal(ran, (6,))
        assert f"[{code}]".encode() in ran.out, label


def test_what_the_host_signed_falsely_is_the_hosts_fault(desk: Desk) -> None:
    desk.put("false.json", change_entry(desk.sitting.host, desk.sitting.view(0), 1, state="0" * 64))
    ran = desk.run("audit", "false.json", "--json")
    check_refusal(ran, (6,))
    assert json.loads(ran.out)["code"] == "rule-broken"
    assert "evidence against the host" in ran.said


# --- what an audit leaves open ----------------------------------------------------------------------------------------

CLOSED = "what is in {} slots that are still closed to you"
CARRIED_OUT = "that the host carried out what other players chose in secret, and withheld nothing of theirs"
LEGAL = "that other players' moves were legal where that depends on what they hold or sealed"


def test_what_an_audit_says_is_unproved(desk: Desk) -> None:
    """The exact sentences, where they hold and where they do not; the slots are counted from the rules by hand."""
    edition = desk.sitting.table.terms.edition
    cards = 3 * edition.cards_each + 1
    before = Sitting(seed="receipts")
    assert report(before.opened(0)).unproved == (CLOSED.format(cards), LEGAL), "nobody knows a card yet"
    assert desk.sitting.round == 1
    assert report(desk.sitting.opened(0)).unproved == (CLOSED.format(cards - edition.hand), LEGAL), (
        "but the reader's own hand"
    )
    desk.sitting.until("raid")
    assert CARRIED_OUT not in report(desk.sitting.opened(0)).unproved
    desk.sitting.until("play")
    assert CARRIED_OUT in report(desk.sitting.opened(0)).unproved, "a card was given away unseen"
    ran = desk.run("audit", desk.view())
    assert [line.strip() for line in ran.out.decode().splitlines() if "not provable" in line] == [
        f"not provable yet: {note}" for note in report(desk.sitting.opened(0)).unproved
    ]


def test_where_nothing_is_hidden_nothing_is_unproved(tmp_path: Path) -> None:
    """M.A.R.K. has dice and open pieces only: as long as nobody bids, a view proves all of it."""
    games = (Sitting("mark", 2, seed=f"open {number}").until(1) for number in range(50))
    desk = Desk(tmp_path, next(one for one in games if one.what == "act").until(2))
    assert report(desk.sitting.opened(0)).unproved == ()
    ran = desk.run("audit", desk.view())
    assert ran.exit == 0
    assert b"all checks passed" in ran.out
    assert b"not provable" not in ran.out


# --- many files -------------------------------------------------------------------------------------------------------


def test_forked_views_are_found_in_one_pass(desk: Desk) -> None:
    """Two stories of one game among files of another one: named together, though each is good alone."""
    other = desk.sitting.fork()
    desk.sitting.step()
    other.step(salt="another way")
    names = [desk.view("one.json"), desk.put("two.json", host.make_view(other.match, 1))]
    stranger = desk.put("three.json", Sitting(seed="another game").view(0))
    assert [desk.run("verify", name).exit for name in names] == [0, 0]
    ran = desk.run("verify", *names, stranger, "--json")
    told = lines(ran)[-1]
    assert (ran.exit, told["good"], told["bad"]) == (6, 3, 0)
    assert [row["code"] for row in told["together"]] == ["two-entries"]
    assert desk.run("verify", names[0], stranger).exit == 0


@pytest.mark.thorough
def test_many_files_and_folders(tmp_path: Path) -> None:
    """Folders stand for all in them that can be checked, a bad file stops nothing, and several processes say the same
    as one."""
    for number, name in enumerate(("a", "a/deep", "b")):
        (tmp_path / name).mkdir(parents=True, exist_ok=True)
        sitting = Sitting("auction", 2, seed=f"many {number}").to_end()
        (tmp_path / name / "transcript.json").write_bytes(sitting.transcript())
        (tmp_path / name / "anna.view.json").write_bytes(sitting.view(0))
    whole = (tmp_path / "b/transcript.json").read_bytes()
    (tmp_path / "b/cut.transcript.json").write_bytes(whole[:-20])
    (tmp_path / "b/false.transcript.json").write_bytes(whole.replace(b'"round":2', b'"round":3', 1))
    (tmp_path / "b/notes.txt").write_bytes(b"not looked at")
    (tmp_path / "b/game.json").write_bytes(sitting.file())
    (tmp_path / "b/loose.json").write_bytes(sitting.view(1))
    args = ["verify", "a", "b", "nothing.json", "b/anna.view.json", "--json"]
    one = run_here(*args, cwd=tmp_path)
    *rows, told = lines(one)
    assert [(row["file"], row["code"] == "ok") for row in rows] == [
        ("a/anna.view.json", True), ("a/deep/anna.view.json", True), ("a/deep/transcript.json", True),
        ("a/transcript.json", True), ("b/anna.view.json", True), ("b/cut.transcript.json", False),
        ("b/false.transcript.json", False), ("b/loose.json", True), ("b/transcript.json", True),
        ("nothing.json", False), ("b/anna.view.json", True),
    ]  # fmt: skip
    assert (told["good"], told["bad"], told["together"], told["skipped"]) == (8, 3, [], 2)
    assert one.exit == 6, "an offence among them counts more than a file that cannot be read"
    two = run_here(*args, "--jobs", "2", cwd=tmp_path)
    assert (two.exit, two.out) == (one.exit, one.out)
    good = run_here("verify", "a", "b/anna.view.json", "b/transcript.json", cwd=tmp_path)
    assert "6 good" in good.out.decode()
    assert (good.exit, "this is proof" in good.said) == (0, True)
    good = run_here("verify", "a", "b/anna.view.json", cwd=tmp_path)
    assert "this is proof" not in good.said


@pytest.mark.thorough
def test_a_transcript_of_a_rest_is_not_a_proof_of_what_came_after_it(tmp_path: Path) -> None:
    sitting = Sitting("auction", 3, "rest").until("bid")
    while not rests(sitting.state):
        sitting.step(*sitting.asked)
    (tmp_path / "rest.json").write_bytes(sitting.fork().transcript())
    (tmp_path / "then.json").write_bytes(sitting.view(0))
    sitting.step(1, 2)
    sitting.to_end()
    (tmp_path / "later.json").write_bytes(sitting.view(0))
    assert "this is proof" in run_here("verify", "rest.json", "then.json", cwd=tmp_path).said
    ran = run_here("verify", "rest.json", "later.json", cwd=tmp_path)
    assert ran.exit == 0
    assert "ask for the transcript" in ran.said


def test_an_audit_for_programs_ends_as_one_for_people(desk: Desk) -> None:
    """What was skipped is told by the exit status too."""
    stranger = desk.put("stranger.json", receipt(desk, desk.sitting.fork().signed(0), "taken", Key(bytes(32))))
    ran = desk.run("audit", desk.view(), stranger, "--json")
    assert (ran.exit, json.loads(ran.out)["code"], len(json.loads(ran.out)["aside"])) == (7, "ok", 1)
    assert desk.run("audit", desk.view(), "--json").exit == 0
