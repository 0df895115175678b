"""What the window asks, answered in this process: refusals, what is kept between calls, and what a folder shows."""

import io
import json
import os
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

import pytest

from referee.app import calls, server
from referee.crypto.codec import encode
from referee.errors import FileTrouble
from referee.io import files
from referee.library.sitting import Sent
from tests.cli.world import key
from tests.support.match import Sitting


def no_key(path: str | None) -> Any:
    raise FileTrouble("no key", "make one", code="no-key")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> calls.Calls:
    monkeypatch.setenv("REFEREE_HOME", str(tmp_path / "home"))
    (tmp_path / "games").mkdir()
    return calls.Calls(str(tmp_path / "games"), None, no_key)


def ask(here: calls.Calls, call: str, **body: Any) -> Any:
    good, data = calls.answer(here, call, json.dumps(body).encode())
    assert good, data
    return json.loads(data)


def refused(here: calls.Calls, call: str, body: bytes = b"{}") -> tuple[str, str, str]:
    good, data = calls.answer(here, call, body)
    assert not good, data
    found = json.loads(data)
    return found["code"], found["message"], found["next"]


NOT_OPEN = ("no-game", "this game is not open here any more", "choose one from the list")


@pytest.mark.parametrize(
    "call", ["open", "look", "moves", "check", "orders", "sign", "besides", "hint", "undo", "invited", "join"]
)
@pytest.mark.parametrize("game", ["", "0123456789abcdef", "/etc/passwd"])
def test_a_game_that_is_not_open_here(here: calls.Calls, call: str, game: str) -> None:
    assert refused(here, call, json.dumps({"game": game}).encode()) == NOT_OPEN


@pytest.mark.parametrize("call", ["resign", "come_back", "tell"])
def test_in_practice_nothing_is_signed(here: calls.Calls, call: str) -> None:
    ask(here, "practice", game="auction", seats=3)
    code, message, next = refused(here, call, b'{"game":"auction","words":"hello"}')
    assert (code, message) == ("usage", "in practice nothing is signed")
    assert next == "just leave it, or begin another game"


def test_a_signed_game_is_not_practised(here: calls.Calls) -> None:
    sitting = Sitting("auction", 3, "asked").until(1)
    path = Path(here.folder) / "a.view.json"
    path.write_bytes(sitting.view(0))
    handle = here.handle_of(str(path))
    ask(here, "open", game=handle)
    for call in ("hint", "undo"):
        assert refused(here, call, json.dumps({"game": handle}).encode()) == (
            "signed", "this is a signed game: nothing is taken back or proposed", "decide yourself",
        )  # fmt: skip


def test_a_reply_is_opened_only_after_it_was_written(here: calls.Calls, tmp_path: Path) -> None:
    assert refused(here, "send", b'{"game":"x"}') == (
        "no-reply", "there is no reply to open", "send the file as an attachment",
    )  # fmt: skip
    reply = str(tmp_path / "answer\n.eml")
    told = here._sent(calls.Request(game="x"), Sent("move.json", reply, "send it"))
    assert told == Sent("move.json", files.printable(reply), "send it")
    with mock.patch("typer.launch", return_value=0) as launch:
        assert ask(here, "send", game="x")["reply"] == files.printable(reply)
    launch.assert_called_once_with(reply)
    with mock.patch("typer.launch", return_value=1):
        code, message, next = refused(here, "send", b'{"game":"x"}')
    assert (code, message) == ("no-program", f"no program here opens {files.printable(reply)}")
    assert next == "open it in your mail program yourself"


@pytest.mark.parametrize("body", [b"[", b"[]", b'{"round":"1"}', b"\xff", b"[" * 5000, b'{"language":3}'])
def test_what_is_no_question(here: calls.Calls, body: bytes) -> None:
    assert refused(here, "games", body) == (
        "malformed", "the window asked for something unknown", "load the page again",
    )  # fmt: skip
    assert calls.answer(here, "games", b"")[0]


def test_errors_of_ours_are_named_and_hidden_unless_somebody_looks_for_them(
    here: calls.Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("REFEREE_DEBUG", raising=False)
    monkeypatch.setattr(here, "keys", lambda: 1 // 0)
    code, message, next = refused(here, "games")
    assert (code, message) == ("internal", "internal error: ZeroDivisionError")
    assert next == "run it again with REFEREE_DEBUG=1 and report it"
    assert refused(here, "games", b'{"language":"de"}')[1] == "interner Fehler: ZeroDivisionError"
    assert refused(here, "games", b'{"language":"xx"}')[1] == "internal error: ZeroDivisionError"
    monkeypatch.setenv("REFEREE_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        calls.answer(here, "games", b"{}")


def test_a_handle_says_nothing_of_a_file_and_is_always_the_same(here: calls.Calls, tmp_path: Path) -> None:
    path = tmp_path / "games" / "a.json"
    path.write_bytes(b"{}")
    (tmp_path / "link").symlink_to(tmp_path / "games")
    handle = here.handle_of(str(path))
    assert (len(handle), int(handle, 16) >= 0) == (16, True)
    assert here.handle_of(str(tmp_path / "link" / "a.json")) == handle
    assert here.handle_of(str(tmp_path / "games" / "b.json")) != handle
    assert len(here.handle_of("\udcff")) == 16


def test_the_lobby_shows_as_many_notes_as_somebody_reads(here: calls.Calls) -> None:
    view = Sitting("auction", 3, "asked").until(1).view(0)
    for number in range(25):
        (Path(here.folder) / f"{number:02}.json").write_bytes(view.replace(b'"seat":0', b'"seat":7', 1))
    notes = ask(here, "games")["notes"]
    assert len(notes) == 20
    assert ["00.json is skipped" in note for note in notes[:2]] == [True, False]
    assert "19.json is skipped" in notes[-1]


def test_what_can_be_practised_and_whether_one_was_left(here: calls.Calls) -> None:
    rows = {row["id"]: row for row in ask(here, "games")["practice"]}
    assert {name for name, row in rows.items() if row["left"]} == set()
    assert (rows["mark"]["fewest"], rows["mark"]["most"], rows["mark"]["guided"]) == (2, 4, True)
    assert rows["auction"]["title"] == "Toy Auction"
    with mock.patch("referee.games.guide_bytes", return_value=None):
        assert {row["guided"] for row in ask(here, "games")["practice"]} == {False}
    ask(here, "practice", game="auction", seats=3)
    move = ask(here, "hint", game="auction")["move"]
    ask(here, "sign", game="auction", move=move)
    rows = {row["id"]: row for row in ask(here, "games")["practice"]}
    assert {name for name, row in rows.items() if row["left"]} == {"auction"}


def test_a_practice_game_goes_on_unless_a_new_one_is_wanted(here: calls.Calls) -> None:
    begun = ask(here, "practice", game="auction", seats=4)
    assert len(begun["look"]["names"]) == 4
    ask(here, "sign", game="auction", move=ask(here, "hint", game="auction")["move"])
    rounds = ask(here, "look", game="auction")["rounds"]
    assert ask(here, "practice", game="auction", seats=3)["look"]["rounds"] == rounds
    again = ask(here, "practice", game="auction", seats=3, new=True)
    assert (len(again["look"]["names"]), again["look"]["rounds"] <= rounds) == (3, True)
    undone = ask(here, "practice", game="mark", seats=2)
    ask(here, "sign", game="mark", move=ask(here, "hint", game="mark")["move"])
    assert ask(here, "undo", game="mark")["rounds"] == undone["look"]["rounds"]
    good, data = calls.answer(here, "practice", b'{"game":"../x"}')
    assert (good, json.loads(data)["code"]) == (False, "unknown-game")


def test_the_state_of_a_folder_changes_with_its_files_and_is_none_without_it(here: calls.Calls) -> None:
    states = [here.state_of_folder(), here.state_of_folder()]
    assert states[0] == states[1]
    path = Path(here.folder) / "a.json"
    path.write_bytes(b"1")
    os.utime(path, ns=(10**9, 10**9))
    states.append(here.state_of_folder())
    path.write_bytes(b"22")
    os.utime(path, ns=(10**9, 10**9))
    states.append(here.state_of_folder())
    os.utime(path, ns=(10**9, 10**9 + 1))
    states.append(here.state_of_folder())
    path.rename(path.with_name("b.json"))
    states.append(here.state_of_folder())
    assert len(set(states[1:])) == 5
    names = [f"{letter}.json" for letter in "qwertzuiop"]
    for name in names:
        (Path(here.folder) / name).write_bytes(b"")
    with mock.patch("os.listdir", return_value=sorted(names)):
        one = here.state_of_folder()
    with mock.patch("os.listdir", return_value=sorted(names, reverse=True)):
        assert here.state_of_folder() == one
    with mock.patch("os.listdir", return_value=["gone.json", *names]):
        assert here.state_of_folder() == one, "a file that goes at this moment is gone"
    here.folder = str(Path(here.folder) / "no such folder")
    assert here.state_of_folder() == states[0]


def test_an_invitation_is_read_with_the_name_of_the_key_that_is_there(here: calls.Calls, tmp_path: Path) -> None:
    path = Path(here.folder) / "an.offer.json"
    path.write_bytes(encode(Sitting("auction", 3, "asked").offer))
    (row,) = ask(here, "games")["games"]
    assert (row["state"], row["waits"], row["next"]) == ("invited", True, "")
    found = ask(here, "invited", game=row["game"])
    assert (found["title"], found["name"]) == ("Toy Auction", "")
    here.load = lambda path: key("Anna")
    assert ask(here, "invited", game=row["game"])["name"] == "Anna"


def test_a_window_that_waits_hears_a_sign_of_life_after_each_long_while(monkeypatch: pytest.MonkeyPatch) -> None:
    """It looks every second; a blank keeps the connection from being taken for dead."""
    clock, looks = [0.0], iter(range(60))

    def wait(*how: Any) -> tuple[list[int], list[int], list[int]]:
        clock[0] += server.GLANCE
        return ([0] if next(looks) == 49 else [], [], [])

    monkeypatch.setattr(server, "select", SimpleNamespace(select=wait))
    monkeypatch.setattr(server, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    over, written, heads = threading.Event(), io.BytesIO(), list[Any]()
    folder = SimpleNamespace(state_of_folder=lambda: "as it was")
    one: Any = SimpleNamespace(
        server=SimpleNamespace(seen="as it was", calls=folder, over=over), connection=None, wfile=written,
        _start=lambda *head: heads.append(head),
    )  # fmt: skip
    server.Handler._wait(one)
    assert len(heads) == 1
    # Every second is looked at, 49 times in vain; more than 20 seconds have passed after 21, and after 42.
    assert (server.GLANCE, server.BREATH, written.getvalue()) == (1.0, 20.0, b"  ")
    looks, clock[0] = iter(range(60)), 0.0
    folder.state_of_folder = lambda: "changed"
    server.Handler._wait(one)
    assert (written.getvalue(), one.server.seen) == (b"  {}", "changed")
    over.set()
    server.Handler._wait(one)
    assert written.getvalue() == b'  {}{"over":true}'
