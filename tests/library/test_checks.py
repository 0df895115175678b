"""Documents of every kind, by themselves and together."""

from pathlib import Path
from typing import Any

import pytest

import referee
from referee.crypto.codec import decode, encode
from referee.crypto.envelope import ident
from referee.engine import host
from referee.engine import records as r
from referee.evidence.rulings import make_claim, make_ruling
from referee.game import Result
from tests.support.match import Sitting, change_entry

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture(scope="module")
def sitting() -> Sitting:
    return Sitting("mark", 2, "checks").until(3)


def test_what_files_are(sitting: Sitting, tmp_path: Path) -> None:
    kinds = {
        "view": sitting.view(0),
        "game": sitting.file(),
        "offer": encode(sitting.offer),
        "join": encode(sitting.joins[0]),
        "move": sitting.signed(sitting.asked[0]),
        "key": referee.write_key(sitting.host),
        "html": b"<!doctype html>",
        "": b"\x00\x01",
        "2": b'{"format":"pbem-referee/2/view"}',
    }
    for kind, data in kinds.items():
        (tmp_path / "file").write_bytes(data + b"\n")
        for source in (data, tmp_path / "file", str(tmp_path / "file")):
            found = referee.identify(source)
            assert found.kind == kind
            assert str(found)
            assert str(found.next)
    with referee.speaking("de"):
        assert str(referee.identify(sitting.view(0))) == "die Ansicht eines Spielers"


def test_offers_and_joins(sitting: Sitting) -> None:
    offer = referee.verify(encode(sitting.offer))
    assert (offer.kind, offer.facts["game"], offer.facts["seats"]) == ("offer", "mark", 2)
    assert offer.facts["key"] == sitting.host.public.hex()
    join = referee.verify(encode(sitting.joins[1]))
    assert (join.facts["name"], join.facts["offer"]) == ("Bert", offer.facts["offer"])


def test_moves_receipts_and_extensions_say_whose_they_are(sitting: Sitting) -> None:
    twin, seat = sitting.fork(), sitting.asked[0]
    extension = host.extend(twin.match, seat, "2028-01-01T00:00Z")
    move = twin.signed(seat)
    receipt = twin.give(move).receipt
    assert receipt is not None
    for kind, data in {"extension": encode(extension), "move": move, "receipt": encode(receipt)}.items():
        found = referee.verify(data)
        assert (found.kind, found.game, found.round) == (kind, sitting.table.id, 4)
        assert found.verdict == "undecided"
        assert found.facts["seat"] == seat
    view = sitting.view(0)
    assert referee.judge([view, move, encode(receipt), encode(extension), encode(sitting.offer)]).consistent
    alone = referee.judge([move])
    assert [one.verdict for one in alone.findings] == ["undecided"]


def test_claims_and_rulings_are_their_writers_word(sitting: Sitting) -> None:
    seat = sitting.asked[0]
    view, move = decode(sitting.view(seat), r.View, "view"), sitting.signed(seat)
    data = make_claim(sitting.players[seat], view, decode(move, r.MoveFile, "move"), "2027-01-01T12:00Z")
    claim = referee.verify(data)
    assert (claim.verdict, claim.round, claim.facts["seat"], claim.facts["late"]) == ("claim", 4, seat, False)
    arbiter = referee.new_key("Arbiter")
    ruling = referee.verify(make_ruling(arbiter, sitting.table.envelope, [data], "Bert wins", [2, 1]))
    assert (ruling.verdict, ruling.facts["ranks"], ruling.facts["binding"]) == ("ruling", [2, 1], False)
    assert ruling.facts["key"] == arbiter.public.hex()


def test_a_view_that_does_not_prove_everything(sitting: Sitting) -> None:
    found = referee.verify(sitting.view(0))
    assert (found.kind, found.verdict, found.whole, found.round) == ("view", "consistent", False, 3)
    assert found.facts["name"] == "Anna"
    public = referee.open_view(host.make_view(sitting.match, None))
    assert (public.seat, public.asked, public.moves()) == (None, "", ())
    with pytest.raises(referee.RefereeError) as caught:
        public.answer(None, sitting.players[0])
    assert caught.value.code == "public-view"


def test_an_offence_is_raised_and_proved(sitting: Sitting) -> None:
    """A host who signs another position than the rules lead to."""
    bad = change_entry(sitting.host, sitting.view(0), 2, public="00" * 32)
    with pytest.raises(referee.RefereeError) as caught:
        referee.verify(bad)
    found = referee.judge([bad])
    assert caught.value.code in {one.code for one in found.proved}
    assert {one.key for one in found.proved} == {sitting.host.public.hex()}
    for one in found.proved:
        assert referee.verify(one.proof).verdict == "proved"
        assert str(one)
    assert not found.consistent


def test_an_altered_file_blames_nobody(sitting: Sitting) -> None:
    view: Any = decode(sitting.view(0), r.View, "view")
    other = decode(Sitting("mark", 2, "elsewhere").until(1).view(0), r.View, "view")
    mixed = encode(r.View(view.format, view.genesis, (*view.entries, *other.entries), (), view.public, 0))
    found = referee.judge({"mixed.json": mixed})
    assert "altered" in {one.verdict for one in found.findings}
    assert found.proved == ()
    assert all(one.files == ("mixed.json",) for one in found.findings if one.verdict == "altered")
    assert ident("genesis", bytes(view.genesis.body)) == sitting.table.id


def test_nothing_is_consistent_with_itself() -> None:
    found = referee.judge([])
    assert (found.findings, found.consistent) == ((), False)


@pytest.mark.thorough
@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*/transcript.json")), ids=lambda path: path.parent.name)
def test_examples_hold(path: Path) -> None:
    found, view = referee.verify(path), referee.open_view(path.with_name("view.json"))
    assert isinstance(found.result, Result)
    assert (found.result, found.game, found.round) == (view.result, view.id, view.round)
    assert found.whole
