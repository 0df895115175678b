"""The program inside a page, run outside: what becomes of documents, what it remembers, what it has no answer to."""

import json
import os
import sys
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import mock

import cryptography.exceptions
import pytest
from cryptography.hazmat.primitives.asymmetric import ed25519
from msgspec.structs import replace

from referee.app import judged
from referee.crypto import envelope, keys
from referee.crypto.codec import decode, encode
from referee.engine import records as r
from referee.errors import FileTrouble
from referee.io import tickets
from tests.support.match import Sitting, change_entry


@pytest.fixture(scope="module")
def sitting() -> Sitting:
    return Sitting("auction", 3, "inside").until("raid")


@pytest.fixture
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module, with a page whose desk is a folder of this test."""
    with mock.patch.object(os, "makedirs"):  # the desk of a page is at the root
        from referee.app import inside
    monkeypatch.setenv("REFEREE_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(inside, "DESK", str(tmp_path / "desk"))
    monkeypatch.setattr(inside, "_page", inside.PageCalls())
    return inside


def ask(inside: ModuleType, call: str, **body: Any) -> Any:
    good, found = json.loads(inside.answer(call, json.dumps(body)))
    assert good, found
    return found


def refused(inside: ModuleType, call: str, **body: Any) -> dict[str, str]:
    good, found = json.loads(inside.answer(call, json.dumps(body)))
    assert not good, found
    return dict(found)


def document(name: str, data: bytes, *, sound: bool = True) -> dict[str, Any]:
    return {"name": name, "data": b64encode(data).decode(), "sound": sound}


def placed(inside: ModuleType, file: str, data: bytes, *, sound: bool = True, **more: Any) -> dict[str, Any]:
    (place,) = ask(inside, "put", documents=[document(file, data, sound=sound)], **more)
    return dict(place)


def on_desk(inside: ModuleType) -> list[str]:
    return sorted(os.listdir(inside.DESK))


def test_a_good_document_is_kept_and_what_was_found_out_is_told(inside: ModuleType, sitting: Sitting) -> None:
    place = placed(inside, "my.view.json", sitting.view(0))
    assert (place["kind"], place["code"], place["blames"], place["round"]) == ("view", "ok", "nobody", 0)
    assert place.get("error") is None
    assert (place["checked"]["kind"], place["checked"]["game"]) == ("view", sitting.table.id)
    assert place["checked"]["round"] == sitting.round
    assert isinstance(place["checked"]["what"], str)
    assert on_desk(inside) == ["my.view.json"]
    assert (Path(inside.DESK) / "my.view.json").read_bytes() == sitting.view(0)
    other = placed(inside, "offer.json", encode(sitting.offer))
    assert (other["kind"], other["code"]) == ("offer", "ok")
    assert other["game"] != place["game"]
    assert len(place["game"]) == 16


def test_what_only_the_program_finds_good_is_not_kept(inside: ModuleType, sitting: Sitting) -> None:
    place = placed(inside, "my.view.json", sitting.view(0), sound=False)
    assert place["code"] == "ok"
    assert on_desk(inside) == []


def test_a_document_with_a_fault_is_kept_and_blames_whom_it_can(inside: ModuleType, sitting: Sitting) -> None:
    view = decode(sitting.view(0), r.View, "view")
    damaged = placed(inside, "damaged.json", encode(replace(view, entries=view.entries[1:])))
    assert (damaged["code"] != "ok", damaged["blames"], damaged.get("checked")) == (True, "nobody", None)
    over = Sitting("auction", 3, "inside").to_end()
    ranks = replace(over.state.result, ranks=(1, 1, 1))
    lie = placed(inside, "lie.json", change_entry(over.host, over.view(0), over.round, result=ranks), sound=False)
    assert (lie["code"], lie["blames"], lie["round"]) == ("rule-broken", "host", over.round)
    assert lie["error"]["code"] == "rule-broken"
    assert lie["error"]["message"].startswith(f"round {over.round}: ")
    assert on_desk(inside) == ["damaged.json", "lie.json"]


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("a/b\\c\0d.json", "a-b-c-d.json"),
        ("..", "document"),
        ("", "document"),
        (".hidden.", "hidden"),
        ("x" * 60 + "y" * 100, "y" * 100),
        ("x" + "y" * 99, "x" + "y" * 99),
    ],
)
def test_documents_have_the_names_of_their_files_as_far_as_those_are_names(
    inside: ModuleType, sitting: Sitting, name: str, kept: str
) -> None:
    placed(inside, name, encode(sitting.offer))
    assert on_desk(inside) == [kept]


def test_of_several_documents_with_one_name_each_is_kept_once(inside: ModuleType, sitting: Sitting) -> None:
    first, second, third = encode(sitting.offer), encode(sitting.joins[0]), encode(sitting.joins[1])
    handles = [placed(inside, "a.json", data)["game"] for data in (first, second, first, third, second)]
    assert on_desk(inside) == ["2-a.json", "3-a.json", "a.json"]
    assert handles[0] == handles[2]
    assert handles[1] == handles[4]
    assert len(set(handles)) == 3
    assert (Path(inside.DESK) / "2-a.json").read_bytes() == second


def test_whose_key_it_is_decides_what_waits(inside: ModuleType, sitting: Sitting) -> None:
    (seat,) = sitting.asked
    placed(inside, "mine.view.json", sitting.view(seat))
    (stranger,) = ask(inside, "games")["games"]
    assert stranger["state"] != "waits"
    public = sitting.players[seat].public.hex()
    assert ask(inside, "put", key=public, name="Anna") == []
    (row,) = ask(inside, "games")["games"]
    assert (row["state"], row["waits"], row["title"]) == ("waits", True, "Toy Auction")
    lobby = ask(inside, "games")
    assert lobby.get("office") is None
    assert lobby["folder"] == inside.DESK
    offer = placed(inside, "offer.json", encode(sitting.offer), key=public, name="Anna")["game"]
    invited = ask(inside, "invited", game=offer)
    assert (invited["title"], invited["name"]) == ("Toy Auction", "Anna")


def test_a_signed_game_is_opened_and_its_answers_are_checked_but_not_signed(
    inside: ModuleType, sitting: Sitting
) -> None:
    (seat,) = sitting.asked
    view = sitting.view(seat)
    game = placed(inside, "mine.view.json", view, key=sitting.players[seat].public.hex())["game"]
    assert ask(inside, "open", game=game)["look"]["asked"] == "raid"
    card = min(sitting.opened(seat).seen.hand("hand"))
    move = {"do": "raid", "target": (seat + 1) % 3, "card": card}
    found = ask(inside, "check", game=game, move=move)
    assert found["move"] == move
    assert refused(inside, "sign", game=game, move=move)["code"] == "no-key"
    for call in ("besides", "hint", "undo"):
        assert refused(inside, call, game=game)["code"] == "signed"
    assert refused(inside, "open", game="0" * 16)["code"] == "no-game"
    with pytest.raises(FileTrouble, match="the key stays in the page") as caught:
        inside._page.load(None)
    assert str(caught.value.next) == "sign there"


def test_practice_needs_no_document(inside: ModuleType) -> None:
    opened = ask(inside, "practice", game="auction", seats=3)
    assert opened["game"] == "auction"
    assert ask(inside, "besides", game="auction")["vacant"] == []
    hint = ask(inside, "hint", game="auction")
    sent = ask(inside, "sign", game="auction", move=hint["move"])
    assert not sent["file"]


def remembered(sitting: Sitting, seat: int, *signed: bytes) -> dict[str, Any]:
    own = sitting.own.get(seat, {})
    sealed = [
        json.loads(encode(tickets.SentAnswer(number, seat, dict(kept), kept.ephemeral)))
        for number, kept in sorted(own.items())
    ]
    return {"game": sitting.table.id, "sealed": sealed, "signed": [one.decode() for one in signed]}


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_what_the_player_s_file_knows_is_kept_as_the_program_keeps_it(inside: ModuleType, count: int) -> None:
    sitting, signed = Sitting("auction", 3, "inside"), list[bytes]()
    while len(signed) < 3 or sitting.what == "bid":
        if 0 in sitting.asked:
            signed.append(sitting.signed(0))
        sitting.step()
    view, last = sitting.view(0), signed[:count]
    place = placed(inside, "mine.json", view, games=[remembered(sitting, 0, *last)])
    assert place["code"] == "ok"
    ticket = tickets.find(decode(view, r.View, "view"))
    assert ticket is not None
    assert encode(ticket.view) == encode(decode(view, r.View, "view"))
    kept = [None if one is None else encode(one) for one in (ticket.before, ticket.signed)]
    assert kept == [None, None, *last][-2:]
    assert [one.round for one in ticket.sealed] == sorted(sitting.own[0])


def test_an_older_view_does_not_take_the_place_of_a_newer_one(inside: ModuleType) -> None:
    sitting = Sitting("auction", 3, "inside").until(2)
    old = sitting.view(0)
    sitting.step()
    new, games = sitting.view(0), [remembered(sitting, 0)]
    placed(inside, "new.json", new, games=games)
    placed(inside, "old.json", old, games=games)
    ticket = tickets.find(decode(new, r.View, "view"))
    assert ticket is not None
    assert len(ticket.view.entries) == 3
    assert placed(inside, "other.json", Sitting("auction", 3, "other").view(0))["code"] == "ok"


def test_without_a_file_of_the_player_nothing_is_remembered(inside: ModuleType, sitting: Sitting) -> None:
    placed(inside, "mine.json", sitting.view(0))
    assert tickets.find(decode(sitting.view(0), r.View, "view")) is None


# --- signatures that the page has judged ------------------------------------------------------------------------------


def entry_of(public: bytes, signature: bytes, message: bytes) -> str:
    return (public + signature + sha256(message).digest()).hex()


def test_only_what_the_page_has_judged_is_judged_here(
    inside: ModuleType, sitting: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    view, real, seen = sitting.view(0), keys.verify, list[str]()

    def noted(public: bytes, signature: bytes, message: bytes) -> bool:
        seen.append(entry_of(public, signature, message))
        return real(public, signature, message)

    with monkeypatch.context() as patch:
        patch.setattr(envelope, "verify", noted)
        assert placed(inside, "all.json", view)["code"] == "ok"
    os.remove(os.path.join(inside.DESK, "all.json"))
    assert len(seen) > 5
    monkeypatch.setattr(judged, "VERDICTS", {})
    monkeypatch.setattr(ed25519, "Ed25519PublicKey", judged.Ed25519PublicKey)
    monkeypatch.setattr(cryptography.exceptions, "InvalidSignature", judged.InvalidSignature)
    monkeypatch.setattr(envelope, "verify", real)
    keys._public_key.cache_clear()
    try:
        place = placed(inside, "mine.json", view)
        assert (place["code"], place["kind"], on_desk(inside)) == ("not-judged", "view", [])
        assert placed(inside, "mine.json", view, valid=seen[1:])["code"] == "not-judged"
        assert placed(inside, "mine.json", view, valid=seen)["code"] == "ok"
        assert on_desk(inside) == ["mine.json"]
        game = placed(inside, "mine.json", view)["game"]
        assert ask(inside, "open", game=game)["verdict"]["code"] == "ok"
        worse = placed(inside, "mine.json", view, invalid=[seen[-1]])
        assert worse["code"] not in ("ok", "not-judged")
        judged.VERDICTS.clear()
        assert refused(inside, "open", game=game) == {"code": "not-judged", "message": "", "next": "", "clause": ""}
    finally:
        keys._public_key.cache_clear()


def test_who_stands_in_answers_for_one_key_one_signature_and_one_message(monkeypatch: pytest.MonkeyPatch) -> None:
    public, signature = bytes(range(32)), bytes(64)
    monkeypatch.setattr(judged, "VERDICTS", {})
    judged.VERDICTS[bytes.fromhex(entry_of(public, signature, b"good"))] = True
    judged.VERDICTS[bytes.fromhex(entry_of(public, signature, b"bad"))] = False
    one = judged.Ed25519PublicKey.from_public_bytes(public)
    one.verify(signature, b"good")
    with pytest.raises(judged.InvalidSignature):
        one.verify(signature, b"bad")
    for other, signed, message in (
        (public, signature, b"new"),
        (public, bytes([1] * 64), b"good"),
        (bytes(32), signature, b"good"),
    ):
        with pytest.raises(judged.NotJudged):
            judged.Ed25519PublicKey.from_public_bytes(other).verify(signed, message)
    assert not issubclass(judged.NotJudged, Exception)


def test_who_stands_in_takes_the_place_of_the_package_and_of_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        for name in [name for name in sys.modules if name.partition(".")[0] == "cryptography"]:
            patch.delitem(sys.modules, name)
        patch.setattr(judged, "find_spec", lambda name: None)
        before = set(sys.modules)
        judged.stand_in()
        made = {name for name in set(sys.modules) - before if name.startswith("cryptography")}
        try:
            assert made == {
                "cryptography", "cryptography.hazmat", "cryptography.hazmat.primitives",
                "cryptography.hazmat.primitives.asymmetric", "cryptography.hazmat.primitives.asymmetric.ed25519",
                "cryptography.exceptions",
            }  # fmt: skip
            library = sys.modules["cryptography.hazmat.primitives.asymmetric.ed25519"]
            assert library.Ed25519PublicKey is judged.Ed25519PublicKey
            assert sys.modules["cryptography.exceptions"].InvalidSignature is judged.InvalidSignature
        finally:
            for name in made:
                del sys.modules[name]


def test_a_call_that_is_not_one_of_the_page_has_no_answer(inside: ModuleType) -> None:
    assert refused(inside, "put", documents=[{"name": "x"}])["code"] == "malformed"
    for name in ("run", "join", "office", "send"):
        with pytest.raises(KeyError):
            inside.answer(name, "{}")
