"""Claims and rulings: shown as what they are, binding only where the offer says so."""

import json
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from referee.crypto.codec import decode, encode
from referee.crypto.envelope import Envelope, sign
from referee.crypto.keys import Key
from referee.engine import records as r
from referee.engine.table import check_offer
from referee.evidence.rulings import (
    Claim,
    Ruling,
    binding_ruling,
    evidence_id,
    make_claim,
    make_ruling,
    read_claim,
    read_ruling,
)
from referee.io import keyfile
from tests.cli.world import Ran, check_refusal, run_here
from tests.engine.seat_attacks import SEAT, taken
from tests.support.match import Sitting, chance, code_of

ARBITER, STRANGER = Key(chance("arbiter"), "Ada"), Key(chance("stranger"), "Sam")


@pytest.fixture(scope="module")
def sitting() -> Sitting:
    return Sitting("auction", 3, "ruled", deadline=60, grace=10, arbiter=ARBITER.public).until("play")


def test_a_ruling_binds_exactly_if_the_offer_names_its_key(sitting):
    genesis, files = sitting.table.envelope, [sitting.view(0), sitting.view(1)]
    found = read_ruling(make_ruling(ARBITER, genesis, files, "Bert was in time.", (2, 1, 2)))
    assert found.binding
    assert (found.ruling.verdict, found.ruling.ranks) == ("Bert was in time.", (2, 1, 2))
    assert found.ruling.evidence == tuple(sorted(evidence_id(data) for data in files))
    for key in (STRANGER, sitting.host, sitting.players[0]):
        assert not read_ruling(make_ruling(key, genesis, files, "I say so.")).binding
    plain = Sitting("auction", 3, "ruled")
    assert not read_ruling(make_ruling(ARBITER, plain.table.envelope, [], "I say so.")).binding


def test_standings_take_binding_rulings_alone(sitting):
    genesis = sitting.table.envelope
    assert binding_ruling(make_ruling(ARBITER, genesis, [], "So be it.", (2, 1, 2))).ruling.ranks == (2, 1, 2)
    assert code_of(lambda: binding_ruling(make_ruling(STRANGER, genesis, [], "I would.", (2, 1, 2)))) == "not-binding"


def test_a_ruling_cannot_be_attributed_to_an_arbiter_who_did_not_sign_it(sitting):
    made = decode(make_ruling(ARBITER, sitting.table.envelope, [], "No."), Envelope, "ruling")
    ruling = decode(bytes(made.body), Ruling, "ruling")
    forged = sign(STRANGER, "ruling", ruling)
    assert code_of(lambda: read_ruling(encode(forged))) == "bad-signature"
    assert (
        code_of(
            lambda: read_ruling(
                encode(replace(made, body=sign(ARBITER, "ruling", replace(ruling, verdict="Yes.")).body))
            )
        )
        == "bad-signature"
    )
    other = replace(sitting.table.envelope, sig="0" * 128)
    assert (
        code_of(lambda: read_ruling(encode(sign(ARBITER, "ruling", replace(ruling, genesis=other))))) == "bad-signature"
    )
    weak = replace(ruling, key="01" + "00" * 31)
    assert code_of(lambda: read_ruling(encode(replace(made, body=sign(ARBITER, "ruling", weak).body)))) == "weak-key"
    for ranks in ((1, 2), (1, 2, 9)):
        assert (
            code_of(lambda ranks=ranks: read_ruling(encode(sign(ARBITER, "ruling", replace(ruling, ranks=ranks)))))
            == "bad-ruling"
        )
        assert code_of(lambda ranks=ranks: make_ruling(ARBITER, ruling.genesis, [], "x", ranks)) == "usage"


def test_an_offer_with_a_weak_arbiter_is_not_made(sitting):
    assert code_of(lambda: Sitting("auction", 3, "weak", arbiter=bytes([1, *bytes(31)]))) == "weak-key"
    assert check_offer(sitting.offer)[0].arbiter == ARBITER.public.hex()


def test_a_claim_states_a_date_beside_the_deadline(sitting):
    view = decode(sitting.view(1), r.View, "view")
    move = decode(sitting.signed(1), r.MoveFile, "move")
    made = make_claim(sitting.players[1], view, move, "2027-01-01T00:30Z")
    found = read_claim(made)
    assert (found.due, found.late, found.move.seat) == (sitting.state.due, False, 1)
    assert read_claim(make_claim(sitting.players[1], view, move, "2027-01-01T01:10Z")).late is False, "within the grace"
    assert read_claim(make_claim(sitting.players[1], view, move, "2027-01-01T01:11Z")).late is True
    ack = Sitting("auction", 3, "ruled", deadline=60)
    first = make_claim(
        ack.players[0],
        decode(ack.view(0), r.View, "view"),
        decode(ack.signed(0), r.MoveFile, "move"),
        "2027-01-01T00:00Z",
    )
    assert read_claim(first).due == ""


def test_claims_that_do_not_hold(sitting):
    view = decode(sitting.view(1), r.View, "view")
    move = decode(sitting.signed(1), r.MoveFile, "move")
    mine = sitting.players[1]
    assert code_of(lambda: make_claim(sitting.players[0], view, move, "2027-01-01T00:30Z")) == "other-key"
    old = replace(view, entries=view.entries[:-1])
    assert code_of(lambda: make_claim(mine, old, move, "2027-01-01T00:30Z")) == "alone"
    assert code_of(lambda: make_claim(mine, view, move, "2027-02-30T00:30Z")) == "mixed-claim"
    claim = decode(
        bytes(decode(make_claim(mine, view, move, "2027-01-01T00:30Z"), Envelope, "claim").body), Claim, "claim"
    )
    for change in ({"entry": view.entries[0]}, {"entry": None}):
        assert (
            code_of(lambda change=change: read_claim(encode(sign(mine, "claim", replace(claim, **change)))))
            == "mixed-claim"
        )
    assert code_of(lambda: read_claim(encode(sign(sitting.players[0], "claim", claim)))) == "bad-signature"


def test_a_claim_shows_who_held_the_seat():
    """Of a player who took over a seat: with the state after the entry that asked, and never without."""
    game = taken("claims")
    view, move = decode(game.view(SEAT), r.View, "view"), decode(game.signed(SEAT), r.MoveFile, "move")
    made = make_claim(game.players[SEAT], view, move, "2027-01-01T00:30Z")
    found = read_claim(made)
    assert (found.move.seat, found.table.names[SEAT]) == (SEAT, "Zoe")
    claim = decode(bytes(decode(made, Envelope, "claim").body), Claim, "claim")
    old = Sitting("auction", 3, "claims").players[SEAT]

    def says(key: Key, **changes: object) -> str:
        return code_of(lambda: read_claim(encode(sign(key, "claim", replace(claim, **changes)))))

    assert says(game.players[SEAT], state=r.NOTHING) == "undecided"
    assert says(game.players[SEAT], state=msgspec.Raw(b"{}")) == "mixed-claim"
    assert says(old) == "bad-signature"
    assert code_of(lambda: make_claim(old, view, move, "2027-01-01T00:30Z")) == "other-key"
    plain = Sitting("auction", 3, "ruled", deadline=60).until("play")
    view, move = decode(plain.view(0), r.View, "view"), decode(plain.signed(0), r.MoveFile, "move")
    made = make_claim(plain.players[0], view, move, "2027-01-01T00:30Z")
    claim = decode(bytes(decode(made, Envelope, "claim").body), Claim, "claim")
    assert says(plain.players[0]) == "ok"
    assert says(plain.players[0], state=msgspec.Raw(encode(plain.state))) == "mixed-claim"


# --- the commands -----------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, sitting: Sitting) -> Path:
    files = {
        "ada.json": keyfile.dump(ARBITER), "sam.json": keyfile.dump(STRANGER),
        "bert.json": keyfile.dump(sitting.players[1]), "bert.view.json": sitting.view(1),
        "bert.move.json": sitting.signed(1), "other.view.json": Sitting("auction", 3, "other").view(0),
        "bert.receipt.json": encode(sitting.fork().give(sitting.signed(1)).receipt),
    }  # fmt: skip
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    return tmp_path


def run(folder: Path, line: str, *more: str) -> Ran:
    return run_here(*line.split(), *more, cwd=folder)


def test_claim_and_rule(folder: Path) -> None:
    line = "dispute bert.view.json bert.move.json --sent 2027-01-01T00:30Z --key bert.json -o claim.json"
    ran = run(folder, line)
    assert ran.exit == 0, ran.said
    assert "was due 2027-01-01 01:00 UTC" in ran.said
    check_refusal(run(folder, line), (8,))
    evidence = "claim.json bert.view.json bert.receipt.json bert.move.json"
    ran = run(folder, f"dispute {evidence} --ranks 2,1,2 --key ada.json -o ruling.json --verdict", "Bert was in time")
    assert ran.exit == 0, ran.said
    assert run(folder, f"dispute {evidence} --key sam.json -o opinion.json --verdict", "No").exit == 0
    ran = run(folder, "verify ruling.json opinion.json claim.json")
    assert ran.exit == 0, ran.said
    shown = ran.out.decode()
    assert "binding: the offer" in shown
    assert "an opinion" in shown
    assert "Bert was in time" in shown
    assert "Anna 2, Bert 1 and Carla 2" in shown
    assert "only Bert says" in shown
    assert "over 4 files" in shown
    assert "proof" not in ran.said
    for name in ("ruling.json", "claim.json"):
        assert run(folder, f"show {name}").exit == 0
    spoilt = (folder / "ruling.json").read_bytes().replace(b"in time", b"too late")
    (folder / "spoilt.ruling.json").write_bytes(spoilt)
    ran = run(folder, "verify spoilt.ruling.json --json")
    assert (ran.exit, json.loads(ran.out.splitlines()[0])["code"]) == (6, "bad-signature")


def test_rulings_that_are_not_made(folder: Path) -> None:
    check_refusal(run(folder, "dispute bert.view.json other.view.json --key ada.json --verdict x"), (2,))
    check_refusal(run(folder, "dispute bert.receipt.json --key ada.json --verdict x"), (7,))
    check_refusal(run(folder, "dispute bert.view.json --ranks 1,x,2 --key ada.json --verdict x"), (2,))
    check_refusal(run(folder, "dispute bert.view.json --key ada.json --verdict", "x" * 2001), (2,))
    check_refusal(run(folder, "dispute bert.view.json bert.move.json --sent yesterday --key bert.json"), (2,))


def test_an_offer_names_an_arbiter(folder: Path) -> None:
    key = ARBITER.public.hex()
    ran = run(folder, f"offer auction --seats 3 --key sam.json -o offer.json --arbiter {key}")
    assert ran.exit == 0, ran.said
    assert f"arbiter's key {key[:16]}: its rulings bind" in ran.said
    assert f"arbiter's key {key[:16]}" in run(folder, "show offer.json").out.decode()
    check_refusal(run(folder, "offer auction --seats 3 --key sam.json -o x.json --arbiter Ada"), (2,))
    check_refusal(run(folder, f"offer auction --seats 3 --key sam.json -o x.json --arbiter {'00' * 32}"), (4,))
