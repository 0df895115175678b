"""Which of our documents are in a folder: what is found, in which order, what is skipped and why."""

import os
from email.message import EmailMessage
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from referee.crypto.codec import decode, encode
from referee.crypto.envelope import Envelope
from referee.engine import records as r
from referee.errors import FileTrouble
from referee.mail import folder
from referee.mail.folder import Found, Source, documents, look_through, read_again
from tests.support.match import Sitting


@pytest.fixture(scope="module")
def sitting() -> Sitting:
    return Sitting("auction", 3, "folder").until(2)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def mail(*files: tuple[str, bytes], subject: str = "your turn") -> bytes:
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = "host@games.example", "anna@people.example", subject
    made.set_content("Hello\n")
    for name, data in files:
        made.add_attachment(data, "application", "json", filename=name)
    return bytes(made)


def found(place: str = ".", deep: bool = True) -> tuple[list[tuple[str, str]], list[str]]:
    """Path and kind of each document, and the notes."""
    notes: folder.Notes = []
    rows = [(str(source.place), kind) for source, kind, _ in documents(place, notes, deep=deep)]
    return rows, [str(note) for note in notes]


def test_documents_are_found_by_name_in_the_folder_before_those_below_it(here: Path, sitting: Sitting) -> None:
    view, offer, move = sitting.view(0), encode(sitting.offer), sitting.signed(sitting.asked[0])
    for name, data in (("c.json", view), ("a.json", offer), ("b/a.json", move), ("a/z.json", view), ("note.txt", b"x")):
        (here / name).parent.mkdir(exist_ok=True)
        (here / name).write_bytes(data)
    rows = [
        ("a.json", "offer"),
        ("c.json", "view"),
        (os.path.join("a", "z.json"), "view"),
        (os.path.join("b", "a.json"), "move"),
    ]
    assert found() == (rows, [])
    assert found(deep=False) == (rows[:2], [])
    assert found("b") == ([(os.path.join("b", "a.json"), "move")], [])
    assert found("c.json") == ([("c.json", "view")], [])


@pytest.mark.parametrize("start", [b"", b" \t\r\n", b"\n\n"])
def test_a_document_may_begin_with_blanks(here: Path, sitting: Sitting, start: bytes) -> None:
    (here / "a.json").write_bytes(start + encode(sitting.offer))
    rows, notes = found()
    assert (rows, notes) == ([("a.json", "offer")], [])


def test_a_file_that_would_look_like_an_option_keeps_its_folder(here: Path, sitting: Sitting) -> None:
    (here / "-o.json").write_bytes(encode(sitting.offer))
    assert found()[0] == [(os.path.join(".", "-o.json"), "offer")]


def test_links_pipes_and_what_is_not_ours_are_passed_over(here: Path, sitting: Sitting) -> None:
    (here / "offer.json").write_bytes(encode(sitting.offer))
    (here / "a-link.json").symlink_to("offer.json")
    os.mkfifo(here / "pipe.json")
    (here / "folder").mkdir()
    (here / "list.json").write_bytes(b"[1, 2]")
    (here / "other.eml").write_bytes(mail(("photo.json", b"[]"), subject="holidays"))
    assert found() == ([("offer.json", "offer")], [])


def test_what_is_damaged_is_noted_and_the_rest_is_found(here: Path, sitting: Sitting) -> None:
    offer = decode(encode(sitting.offer), Envelope, "offer")
    (here / "a.json").write_bytes(encode(replace(offer, body=msgspec.Raw(b"{}"))))
    (here / "b.json").write_bytes(encode(sitting.offer))
    notes: folder.Notes = []
    assert [one.source.path for one in look_through(".", notes)] == ["b.json"]
    assert len(notes) == 1
    assert str(notes[0]).startswith("skipped a.json: ")


def test_mails_have_a_number_and_a_subject(here: Path, sitting: Sitting) -> None:
    view, offer = sitting.view(1), encode(sitting.offer)
    first, second = mail(("x.view.json", view), subject="one"), mail(("x.offer.json", offer), subject="two")
    (here / "box").write_bytes(
        b"".join(
            b"From host@games.example Fri Nov 20 08:00:00 2026\n" + one + b"\n\n" for one in (first, mail(), second)
        )
    )
    (here / "single.eml").write_bytes(first)
    rows = [(source, kind) for source, kind, _ in documents(".", [])]
    assert [(one.path, one.number, one.subject, kind) for one, kind in rows] == [
        ("box", 1, "one", "view"), ("box", 3, "two", "offer"), ("single.eml", 1, "one", "view"),
    ]  # fmt: skip
    assert [str(one.place) for one, _ in rows] == ["box", "box, mail 3", "single.eml"]
    assert [one.is_alone() for one, _ in rows] == [False, False, True]
    assert rows[0][0].changed == (here / "box").stat().st_mtime


def test_a_file_of_its_own_stands_for_its_document_without_being_read() -> None:
    assert Source("not there", 0, "", 0.0).is_alone()


def test_a_folder_with_too_many_files_is_read_up_to_there(
    here: Path, sitting: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b", "c"):
        (here / f"{name}.json").write_bytes(encode(sitting.offer))
    monkeypatch.setattr(folder, "FILES_MOST", 3)
    assert found() == ([(f"{name}.json", "offer") for name in "abc"], [])
    monkeypatch.setattr(folder, "FILES_MOST", 2)
    most = "only the first 2 files are read: give a smaller folder"
    assert found() == ([("a.json", "offer"), ("b.json", "offer")], [most])
    monkeypatch.undo()
    assert folder.FILES_MOST == 50_000


def test_a_file_that_another_program_removes_is_no_trouble(here: Path, sitting: Sitting) -> None:
    """The names of a folder are read at once, and each file when its turn comes."""
    for name in ("a", "b", "c"):
        (here / f"{name}.json").write_bytes(encode(sitting.offer))
    rows = []
    for source, _, _ in documents(".", []):
        rows.append(source.path)
        (here / "b.json").unlink(missing_ok=True)
    assert rows == ["a.json", "c.json"]


def test_what_is_no_folder_is_said(here: Path) -> None:
    os.mkfifo(here / "pipe")
    for name, words in (("gone", "gone does not exist"), ("pipe", "pipe is not a folder")):
        with pytest.raises(FileTrouble) as caught:
            found(name)
        assert (str(caught.value.message), str(caught.value.next)) == (words, "give a folder with views or mails")
        assert caught.value.code == "missing"


def test_views_offers_joins_and_transcripts_say_whose_they_are(here: Path, sitting: Sitting) -> None:
    over = Sitting("auction", 3, "folder over").to_end()
    offer_id = sitting.table.offer_id
    for name, data in (
        ("a.json", encode(sitting.offer)), ("b.json", encode(sitting.joins[1])), ("c.json", sitting.view(2)),
        ("d.json", sitting.signed(sitting.asked[0])), ("e.json", over.transcript()), ("f.json", encode(sitting.offer)),
    ):  # fmt: skip
        (here / name).write_bytes(data)
    notes: folder.Notes = []
    rows = {one.source.path: one for one in look_through(".", notes)}
    assert notes == []
    assert [*rows] == ["a.json", "b.json", "c.json", "e.json", "f.json"]
    told = {path: (one.kind, one.offer, one.game, one.key, one.rounds) for path, one in rows.items()}
    assert told["a.json"] == ("offer", offer_id, "", sitting.host.public.hex(), 0)
    assert told["b.json"] == ("join", offer_id, "", sitting.players[1].public.hex(), 0)
    assert told["c.json"] == ("view", offer_id, sitting.table.id, sitting.players[2].public.hex(), 2)
    assert told["e.json"] == ("transcript", over.table.offer_id, over.table.id, "", over.round)


def test_a_view_for_a_seat_that_does_not_exist_is_noted(here: Path, sitting: Sitting) -> None:
    view = decode(sitting.view(0), r.View, "view")
    (here / "a.json").write_bytes(encode(replace(view, seat=3)))
    notes: folder.Notes = []
    assert look_through(".", notes) == []
    assert [str(note) for note in notes] == ["skipped a.json: this view is for a seat that does not exist"]


def test_a_document_is_read_again_unless_it_has_changed(here: Path, sitting: Sitting) -> None:
    (here / "box").write_bytes(mail(("x.view.json", sitting.view(0)), ("y.view.json", sitting.view(1))))
    one, two = look_through(".", [])
    assert (read_again(one), read_again(two)) == (sitting.view(0), sitting.view(1))
    assert isinstance(one, Found)
    os.utime(here / "box", (1, 1))
    with pytest.raises(FileTrouble, match="box changed in the meantime") as caught:
        read_again(one)
    assert str(caught.value.next) == "run it again"
