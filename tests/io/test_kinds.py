"""How each kind of file is described, and what a command does with one that it did not ask for."""

import json
import shlex
from pathlib import Path

import pytest

from referee import games
from referee.errors import RefereeError, Usage
from referee.evidence import identify
from referee.io import desk, files, kinds, reasons, toml
from referee.language import t
from tests.support.match import Sitting, code_of

FOREIGN = {
    b"PK\x03\x04rest": "zip", b"\x1f\x8brest": "compressed", b"BZh9": "compressed", b"7z\xbc\xaf\x27": "compressed",
    b"\xfd7zXZ\0": "compressed", b"%PDF-1.7": "pdf", b"\x89PNG\r\n": "picture", b"\xff\xd8\xff\xe0": "picture",
    b"GIF89a": "picture", b"-----BEGIN OPENSSH PRIVATE KEY-----\n": "ssh", b"ssh-ed25519 AAAA anna": "ssh-public",
    b"<html>": "html", b"\xef\xbb\xbf \r\n<!doctype html>": "html", b"From anna@example.org Mon": "mail",
    b"Subject: hello\r\nTo: b@example.org\r\n\r\nhello": "mail", b"Unknown: hello\nNo-Mail: either\n": "",
    b"rubbish": "", b"{": "", b"[1,2]": "json", b'"text"': "json", b"17": "json", b"{}": "json",
    b'{"$schema":"https://json-schema.org/draft/2020-12/schema"}': "schema", b'{"name":"mine"}': "edition",
    b'{"name":"mine","nothing":1}': "json", b'{"format":"pbem-referee/1/nothing"}': "json",
    b'{"format":"pbem-referee/7/view"}': "7", b'{"type":"pbem-referee/999999999/view"}': "999999999",
    b'{"format":"pbem-referee/1000000000/view"}': "json", b'{"format":"pbem-referee/7/view2"}': "json",
    b'{"format":"pbem-referee/7/' + b"v" * 30 + b'"}': "7", b'{"format":"pbem-referee/7/' + b"v" * 31 + b'"}': "json",
}  # fmt: skip


@pytest.mark.parametrize("data", FOREIGN)
def test_files_that_are_not_ours(data: bytes, tmp_path: Path) -> None:
    kind = FOREIGN[data]
    assert identify.kind_of(data) == kind
    assert identify.kind_of(b"\xef\xbb\xbf\r\n\t" + data) == kind or data[:1] in b'{["17'
    path = tmp_path / "it's here.dat"
    path.write_bytes(data)
    with pytest.raises(RefereeError) as caught:
        kinds.read(str(path), "view", "move")
    found = caught.value
    assert found.code == ("other-version" if kind.isdigit() else "wrong-kind" if kind else "malformed")
    if kind.isdigit():
        told = f"a file of protocol version {kind}, but this program knows version 1"
        advice = f"install a pbem-referee that knows protocol version {kind}: its CHANGELOG says so"
    else:
        told, advice = map(str, kinds.NAMES[kind])
    assert str(found.message) == f"{path} is {told}"
    end = advice.replace("'{file}'", shlex.quote(str(path))).replace("{file}", shlex.quote(str(path)))
    assert str(found.next) == (
        f"give the view or move here. This one: {end}" if kind else f"give the view or move here; if this is it, {end}"
    )


def test_every_kind_has_a_description() -> None:
    assert tuple(kinds.NAMES) == (*identify.DOCUMENTS, *identify.OTHERS)


def test_only_the_beginning_of_a_file_is_looked_at() -> None:
    assert identify.kind_of(b" " * 196 + b"%PDF") == "pdf"
    assert identify.kind_of(b" " * 197 + b"%PDF") == ""
    head = b"X-First: 1\n" + b"X-Long: " + b"x" * 7_970
    assert identify.is_mail(head + b"\nTo: b\n")
    assert not identify.is_mail(head + b"xxxxxxxxxxxxxxxxxxxx\nTo: b\n")


@pytest.fixture(scope="module")
def view() -> bytes:
    return Sitting("auction", 3, "kinds").view(0)


def test_a_good_file_is_read_without_its_last_newline(view: bytes, tmp_path: Path) -> None:
    path = tmp_path / "view.json"
    for end in (b"", b"\n", b"\r\n", b"\n\n"):
        path.write_bytes(view + end)
        assert kinds.read(str(path), "view") == kinds.read(str(path), "move", "view") == view
        assert kinds.find(str(path)) == ("view", view)
    path.write_bytes(b" \n")
    with pytest.raises(RefereeError) as caught:
        kinds.read(str(path), "offer", "game", "key", "player")
    assert (caught.value.code, str(caught.value.message)) == ("empty", f"{path} is empty")
    assert str(caught.value.next) == "ask for the offer, game file, key file or player's file again"


def test_any_of_the_kinds_that_are_asked_for_will_do(view: bytes) -> None:
    """Also where a file is written in another way: whoever decodes it says what is wrong with that."""
    spaced = json.dumps(json.loads(view)).encode()
    ssh = b"-----BEGIN OPENSSH PRIVATE KEY-----\n"
    for data, wanted in (
        (spaced, ("view",)), (spaced, ("move", "view")), (spaced, ("view", "move")), (ssh, ("key", "player")),
        (b"{}", ("edition",)), (b'{"$schema":1}', ("edition", "view")), (b'{"name":"x"}', ("view", "edition")),
    ):  # fmt: skip
        kinds.refuse_other(data, "file", wanted)
    for data, wanted in ((spaced, ("move",)), (ssh, ("view", "player")), (b"{}", ("view", "key"))):
        assert code_of(lambda data=data, wanted=wanted: kinds.refuse_other(data, "-", wanted)) == "wrong-kind"
    with pytest.raises(RefereeError, match=r"^this is a player's view$"):
        kinds.refuse_other(spaced, "-", ("move",))


def test_the_first_form_in_a_file_is_its_own() -> None:
    form = b'"format":"pbem-referee/1/'
    assert identify.looks_like(b"{" + form + b'ticket","view":{' + form + b'view"}}', "ticket")
    assert not identify.looks_like(b"{" + form + b'ticket","view":{' + form + b'view"}}', "view")
    assert identify.looks_like(b'{"body":{},"type":"pbem-referee/1/offer"}', "offer")
    assert not identify.looks_like(b'{"body":{},"type":"pbem-referee/1/offer"}', "join")


@pytest.mark.parametrize(("kind", "most"), [("view", files.LARGE), ("offer", files.SMALL)])
def test_each_kind_has_its_own_limit(kind: str, most: int, tmp_path: Path) -> None:
    path = tmp_path / "large.json"
    path.write_bytes(b"x" * (files.SMALL + 1))
    code = code_of(lambda: kinds.read(str(path), kind))
    assert code == ("malformed" if most == files.LARGE else "too-large")
    mailed = code_of(lambda: kinds.read(str(path), kind, unpack=bytes.upper))
    assert mailed == code
    path.write_bytes(b"From anna\n" + b"x" * files.SMALL)
    assert kinds.read(str(path), kind, unpack=lambda data: data[:5]) == b"From "


def test_a_game_that_cannot_be_loaded_hides_no_edition(monkeypatch: pytest.MonkeyPatch) -> None:
    edition, load = games.edition_bytes("schwarzmarkt"), games.load
    assert identify.edition_of(edition) == "schwarzmarkt"
    assert identify.edition_of(edition.ljust(identify.EDITION_MOST)) == "schwarzmarkt"
    assert identify.edition_of(edition.ljust(identify.EDITION_MOST + 1)) == ""

    def broken(game_id: str) -> object:
        if game_id == games.game_ids()[0]:
            raise Usage("this game is broken", "repair it")
        return load(game_id)

    monkeypatch.setattr(games, "load", broken)
    assert identify.edition_of(edition) == "schwarzmarkt"
    assert games.game_ids()[0] != "schwarzmarkt"


def test_kinds_in_words() -> None:
    assert str(files.either(("view",))) == "view"
    assert str(files.either(("view", "game"))) == "view or game file"
    assert str(files.either(("view", "key", "player"))) == "view, key file or player's file"


# --- what else comes from outside -------------------------------------------------------------------------------------


def test_the_round_of_a_move_is_read_before_anything_is_checked() -> None:
    sitting = Sitting("auction", 3, "kinds")
    assert desk.claimed_round(sitting.signed(0)) == 1
    for data in (b"", b"[]", b'{"body":{}}', b'{"body":{"round":"1"}}', b'{"round":1}', b"[" * 100_000):
        assert desk.claimed_round(data) == -1
    assert desk.claimed_round(b'{"body":{"round":7}}') == 7
    assert desk.claimed_round(Usage("it cannot be read", "")) == -1


def test_seats_by_name_and_number() -> None:
    names = ("Anna", "3", "Bert")
    for text, seat in (("anna", 0), ("ANNA", 0), ("1", 0), ("2", 1), ("3", 1), ("Bert", 2)):
        assert desk.find_seat(names, text) == seat
    assert desk.find_seat(("Anna", "Bert", "Carla"), "3") == 2
    for text in ("0", "4", "01", "", "Ann", "-1"):
        with pytest.raises(RefereeError) as caught:
            desk.find_seat(names, text)
        assert (caught.value.code, caught.value.exit) == ("no-such-seat", 2)
        assert str(caught.value.next) == "give one of Anna, 3, Bert, or a number from 1 to 3"


def test_the_one_folder_with_views_of_a_game(tmp_path: Path) -> None:
    game = "0123456789abcdef"
    path = str(tmp_path / "game.json")
    assert desk.other_folder(path, game) == ""
    for name, inside in (("empty", ""), ("other", "01234568-r001-anna.view.json"), ("sent", f"{game[:8]}-r001-a.json")):
        (tmp_path / name).mkdir()
        if inside:
            (tmp_path / name / inside).touch()
    (tmp_path / f"{game[:8]}-r001-loose.json").touch()
    assert desk.other_folder(path, game) == str(tmp_path / "sent")
    (tmp_path / "twice").mkdir()
    (tmp_path / "twice" / f"{game[:8]}-r002-a.json").touch()
    assert desk.other_folder(path, game) == ""
    assert desk.other_folder(str(tmp_path / "nowhere" / "game.json"), game) == ""


def test_reasons_of_the_system() -> None:
    import errno

    assert reasons.reason_text(errno.ENOSPC) == reasons.REASONS["ENOSPC"]
    assert reasons.reason_text(None) == reasons.reason_text(0) == t("bad name")
    assert str(reasons.reason_text(errno.EILSEQ)).startswith("the system says '")
    assert str(reasons.reason_text(99_999)).startswith("the system says '")
    assert all(reason and hasattr(errno, name) for name, reason in reasons.REASONS.items())


def test_why_toml_cannot_be_read() -> None:
    import tomllib

    def told(text: str) -> tuple[str, ...]:
        with pytest.raises(tomllib.TOMLDecodeError) as caught:
            tomllib.loads(text)
        return said(caught.value)

    def said(error: tomllib.TOMLDecodeError) -> tuple[str, ...]:
        return tuple(map(str, toml.explain_error(error)))

    assert told("a = 1\nb = ") == ("end of document", "invalid value")
    assert told("a = 1\nb = ?\n") == ("line 2, column 5", "invalid value")
    assert said(tomllib.TOMLDecodeError("Strange " * 20)) == (
        "its beginning", f"the TOML parser says '{('Strange ' * 20)[:80]}'",
    )  # fmt: skip
    long = tomllib.TOMLDecodeError(f"Long {'x' * 200} (at line 1, column 2)")
    assert said(long) == ("line 1, column 2", f"the TOML parser says 'Long {'x' * 75}'")


def test_where_tickets_live(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("REFEREE_HOME", str(tmp_path))
    assert files.home() == str(tmp_path)
    monkeypatch.delenv("REFEREE_HOME")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert files.home() == str(tmp_path / "data" / "pbem-referee")
